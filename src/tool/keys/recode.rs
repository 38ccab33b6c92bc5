//! Converts keys to a different scheme, and signatures to a different encoding. `convert` calls
//! this module, and the signers call [`recode`] for new signatures.

use super::loader::LoadedPrivateKey;
use crate::tool::report::Error;
use fndsa::Algorithm;
use fndsa::algorithm::SignatureEncoding;
use fndsa::no_alloc::{Level, SignatureRef, VerifyingKeyRef};
use std::fmt::Display;
use zeroize::Zeroizing;

/// Converts a private key to a different scheme, and checks that the key is valid in this scheme.
/// Returns the encoded private key and public key.
///
/// # Errors
/// Fails if the key is not valid in the scheme of `to`.
pub fn private_key(
    level: Level,
    private: &LoadedPrivateKey<'_>,
    to: Algorithm,
    source_name: &dyn Display,
) -> Result<(Zeroizing<Vec<u8>>, Vec<u8>), Error> {
    let mut bytes = Zeroizing::new(vec![0; to.signing_key_len()]);
    let mut public = vec![0; to.verifying_key_len()];
    let mut work = vec![0; to.import_fast_work_len()];
    let key = private.key.convert_into(level, to.scheme(), &mut bytes, &mut work);
    let converted = match key {
        Ok(key) => key.verifying_key_into(level, &mut public, &mut work),
        Err(source) => Err(source),
    };
    match converted {
        Ok(_) => Ok((bytes, public)),
        Err(source) => Err(Error::NotConvertible { from: source_name.to_string(), to, source }),
    }
}

/// Converts a public key to a different scheme.
///
/// # Errors
/// Fails if one of the two schemes is not in the Falcon family. `convert` excludes this case before
/// the call.
pub fn public_key(
    level: Level,
    key: &VerifyingKeyRef<'_>,
    to: Algorithm,
    source_name: &dyn Display,
) -> Result<Vec<u8>, Error> {
    let mut public = vec![0; to.verifying_key_len()];
    let mut work = vec![0; to.import_fast_work_len()];
    match key.convert_into(level, to.scheme(), &mut public, &mut work) {
        Ok(_) => Ok(public),
        Err(source) => Err(Error::NotConvertible { from: source_name.to_string(), to, source }),
    }
}

/// Converts a signature to a different encoding.
///
/// # Errors
/// Fails if the signature cannot be decoded, or if it does not fit into the encoding.
pub fn recode(
    algorithm: Algorithm,
    signature: Vec<u8>,
    encoding: SignatureEncoding,
    source_name: &dyn Display,
) -> Result<Vec<u8>, Error> {
    let read = SignatureRef::of_algorithm(algorithm, &signature)
        .map_err(|source| Error::Signature { from: source_name.to_string(), source })?;
    if read.encoding() == encoding {
        return Ok(signature);
    }
    let mut out = vec![0; read.algorithm().encoded_signature_len(encoding)];
    let Some(len) = read.recode_into(encoding, &mut out) else {
        return Err(Error::TooLong { from: source_name.to_string(), encoding });
    };
    out.truncate(len);
    // As a check, convert the result back, and compare the bytes with the original signature.
    let mut original_bytes = vec![0; read.algorithm().encoded_signature_len(read.encoding())];
    if let Ok(recoded) = SignatureRef::of_algorithm(algorithm, &out)
        && let Some(len) = recoded.recode_into(read.encoding(), &mut original_bytes)
        && original_bytes.get(..len) == Some(&signature[..])
    {
        return Ok(out);
    }
    Err(Error::Internal("a signature changed in its encoding".to_owned()))
}
