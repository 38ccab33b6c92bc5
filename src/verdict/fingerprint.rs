//! Fingerprints of public keys, and the fingerprint that identifies a key in every scheme.

use super::signature_note::FINGERPRINT;
use crate::api::{KeyError, Level, Scheme, VerifyingKey};
use crate::files::hex::{from_hex, hex};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::{format, vec};
use sha2::{Digest, Sha256};

/// Returns a public key's fingerprint: `sha256:` and the SHA-256 digest of its encoding in
/// hexadecimal.
pub fn fingerprint(public: &[u8]) -> String {
    format!("sha256:{}", hex(&Sha256::digest(public)))
}

/// Parses a fingerprint that was written by a person. The result is in lower case, as fndsa prints
/// fingerprints.
///
/// # Errors
/// The text is not a fingerprint.
pub fn parse_fingerprint(text: &str) -> Result<String, String> {
    let lower = text.to_ascii_lowercase();
    let digits = lower.strip_prefix(FINGERPRINT).unwrap_or(&lower);
    match from_hex(digits.as_bytes()) {
        Ok(bytes) if bytes.len() == 32 => Ok(format!("{FINGERPRINT}{digits}")),
        _ if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit()) => {
            Err(format!("a fingerprint is sha256: and 64 hexadecimal digits, but this has {} digits", digits.len()))
        }
        _ => Err("a fingerprint is sha256: and 64 hexadecimal digits".to_owned()),
    }
}

/// Returns an expected fingerprint that does not match any given key. In this case the verdict must
/// be NO for all signatures. The key file may come from the same place as the signed file, and a
/// policy that requires two keys must not be reduced to a single key.
pub fn missing_key(expected: &[String], is_given: impl Fn(&str) -> bool) -> Option<&str> {
    expected.iter().map(String::as_str).find(|fingerprint| !is_given(fingerprint))
}

/// Returns the fingerprint of the FN-DSA key with the same polynomial as this key. `None` if the
/// key is an FN-DSA key already, or belongs to a different family. This fingerprint (or, for
/// `None`, the key's fingerprint) identifies a key in all schemes.
///
/// # Errors
/// An error is returned only if there is a bug.
pub fn fn_dsa_fingerprint(key: &VerifyingKey, level: Level) -> Result<Option<String>, KeyError> {
    let of_fn_dsa = key.algorithm().with_scheme(Scheme::FnDsa).filter(|it| *it != key.algorithm());
    let Some(to) = of_fn_dsa else { return Ok(None) };
    let mut bytes = vec![0; to.verifying_key_len()];
    let mut work = vec![0; key.algorithm().import_fast_work_len()];
    let converted = key.to_ref().convert_into(level, Scheme::FnDsa, &mut bytes, &mut work)?;
    Ok(Some(fingerprint(converted.as_bytes())))
}
