//! Fingerprints of public keys, and the fingerprint that a key has in every scheme.

use crate::files::hex::hex;
use crate::{KeyError, Level, OwnedVerifyingKey, Scheme};
use alloc::string::String;
use alloc::{format, vec};
use sha2::{Digest, Sha256};

/// Returns the fingerprint of a public key: `sha256:` and the SHA-256 of its encoding in hexadecimal.
pub fn fingerprint(public: &[u8]) -> String {
    format!("sha256:{}", hex(&Sha256::digest(public)))
}

/// Returns an expected fingerprint that no given key has. Then the verdict is NO, whichever keys have signed: the key file came from
/// the same place as the file, and a policy of two keys must not become a policy of one key.
pub fn missing_key(expected: &[String], is_given: impl Fn(&str) -> bool) -> Option<&str> {
    expected.iter().map(String::as_str).find(|fingerprint| !is_given(fingerprint))
}

/// Returns the fingerprint of the FN-DSA key that has the polynomial of this key. `None` if the key is one of FN-DSA already, or of another
/// family. This fingerprint, or else that of the key, identifies a key in all schemes.
///
/// # Errors
/// None, unless there is a bug.
pub fn fn_dsa_fingerprint(key: &OwnedVerifyingKey, level: Level) -> Result<Option<String>, KeyError> {
    let of_fn_dsa = key.algorithm().with_scheme(Scheme::FnDsa).filter(|it| *it != key.algorithm());
    let Some(to) = of_fn_dsa else { return Ok(None) };
    let mut bytes = vec![0; to.verifying_key_len()];
    let mut work = vec![0; key.algorithm().import_work_len()];
    let converted = key.borrowed().convert_into(level, Scheme::FnDsa, &mut bytes, &mut work)?;
    Ok(Some(fingerprint(converted.as_bytes())))
}
