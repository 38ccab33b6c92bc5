//! Parses and computes a mu: the hash that FN-DSA and ML-DSA sign instead of the message (FIPS 204,
//! "external mu").

use crate::argument::StableBytes;
use crate::exceptions::message_error;
use crate::message::WantedForm;
use fndsa::Algorithm;
use fndsa::algorithm::MU_LEN;
use fndsa::message::{KeyHash, Mu, MuBuilder, PreHasher};
use fndsa::no_alloc::Level;
use fndsa::verdict::text::InputDefect;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Checks that an algorithm has a mu. Only FN-DSA and ML-DSA have a mu.
pub fn has_mu(algorithm: Algorithm) -> PyResult<()> {
    let scheme = algorithm.scheme();
    if scheme.has_mu() { Ok(()) } else { Err(PyValueError::new_err(InputDefect::NoMu(scheme).to_string())) }
}

/// Parses a mu for an algorithm.
pub fn parse_mu(algorithm: Algorithm, bytes: &StableBytes<'_>) -> PyResult<Mu> {
    has_mu(algorithm)?;
    let bytes: &[u8] = bytes;
    let wrong_len = || PyValueError::new_err(format!("mu has {} bytes: a mu has {MU_LEN} bytes", bytes.len()));
    <[u8; MU_LEN]>::try_from(bytes).map(Mu::from_bytes).map_err(|_| wrong_len())
}

/// Computes a message's mu. `feed` gets a function, and must call this function with each piece of
/// the message.
pub fn compute_mu(
    algorithm: Algorithm,
    key: &KeyHash,
    form: &WantedForm,
    feed: impl FnOnce(&mut (dyn FnMut(&[u8]) + Send)) -> PyResult<()>,
) -> PyResult<Mu> {
    has_mu(algorithm)?;
    form.check(algorithm)?;
    let level = Level::detect();
    let Some(hash) = form.prehash else {
        let mut builder = MuBuilder::pure(level, key, &form.context).map_err(message_error)?;
        feed(&mut |piece| builder.update(piece))?;
        return Ok(builder.finish());
    };
    let mut hasher = PreHasher::new(level, hash).map_err(message_error)?;
    feed(&mut |piece| hasher.update(piece))?;
    Mu::of_digest(level, algorithm, key, form.to_ref(), &hasher.finish()).map_err(message_error)
}
