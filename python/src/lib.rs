//! The native module of the Python package fndsa: keys, signatures and verdicts of the library, as Python knows them.
//!
//! `private` and `public` are the classes of keys, and `policy` is the class of policies. Behind them, `message` takes what is signed or verified, `argument` takes everything
//! else from the caller, `key_file` reads and writes files, and `refusal` makes exceptions of the library's errors.
//!
//! While the library computes, the interpreter runs other threads. Nothing that they could change is looked at then: arguments are
//! immutable bytes, or copies.
#![deny(unsafe_code)]

mod argument;
mod key_file;
mod message;
mod policy;
mod private;
mod public;
mod refusal;

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
    use super::policy::{Policy, Signer};
    #[pymodule_export]
    use super::private::{PrivateKey, generate};
    #[pymodule_export]
    use super::public::{PublicKey, verify_many};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let names = argument::algorithms().map(argument::name).collect::<Vec<_>>();
        let signing = argument::signing_algorithms().map(argument::name).collect::<Vec<_>>();
        module.add("ALGORITHMS", PyTuple::new(module.py(), names)?)?;
        module.add("SIGNING_ALGORITHMS", PyTuple::new(module.py(), signing)?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
