//! The native module of the Python package fndsa. It provides keys, signatures and verdicts as
//! Python classes.
//!
//! `private` and `public` define the key classes. `policy`, `signed_list` and `signer` define the
//! classes for verdicts. These modules use `message` to read the signed data, `external_mu` to
//! compute and convert a mu, `argument` to convert all other arguments, `key_file` to read and
//! write files, and `exceptions` to convert the library's errors to exceptions.
//!
//! While the library computes, the interpreter can run other threads. These threads cannot change
//! the data that the library reads: all arguments are immutable bytes, or copies.
#![deny(unsafe_code)]

mod argument;
mod exceptions;
mod external_mu;
mod key_file;
mod message;
mod policy;
mod private;
mod public;
mod signed_list;
mod signer;

use pyo3::prelude::*;

/// The native part of the package fndsa. Import fndsa instead.
#[pymodule]
mod _fndsa {
    use super::argument;
    use pyo3::prelude::*;
    use pyo3::types::PyTuple;

    #[pymodule_export]
    use super::key_file::{load_signature, load_signatures};
    #[pymodule_export]
    use super::policy::Policy;
    #[pymodule_export]
    use super::private::{PrivateKey, generate};
    #[pymodule_export]
    use super::public::{PublicKey, verify_many};
    #[pymodule_export]
    use super::signed_list::SignedList;
    #[pymodule_export]
    use super::signer::Signer;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let names = argument::algorithms().map(argument::name).collect::<Vec<_>>();
        let signing = argument::signing_algorithms().map(argument::name).collect::<Vec<_>>();
        module.add("ALGORITHMS", PyTuple::new(module.py(), names)?)?;
        module.add("SIGNING_ALGORITHMS", PyTuple::new(module.py(), signing)?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
