//! Computes fingerprints and key identifiers of public keys. [`fn_dsa_fingerprint`] computes a
//! fingerprint that is the same for a key in all schemes of the Falcon family.

use super::signature_note::FINGERPRINT;
use crate::api::{Algorithm, KeyError, Level, Scheme, VerifyingKey};
use crate::files::hex::{from_hex, hex};
use crate::files::{TufPublicKey, required_members};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::{format, vec};
use base64ct::{Base64UrlUnpadded, Encoding};
use sha2::{Digest, Sha256};

/// Returns the fingerprint of a public key: `sha256:` and the SHA-256 digest of the encoded key, in
/// hexadecimal digits.
pub fn fingerprint(public: &[u8]) -> String {
    format!("sha256:{}", hex(&Sha256::digest(public)))
}

/// Returns the key identifier for in-toto and TUF, as their library securesystemslib computes it:
/// the SHA-256 digest of the key in canonical JSON. `public` is the public key in raw encoding.
/// Returns `None` if TUF has no name for the algorithm, or `public` is not a public key of the
/// algorithm.
pub fn tuf_key_id(algorithm: Algorithm, public: &[u8]) -> Option<String> {
    let TufPublicKey { keytype, scheme, public } = TufPublicKey::new(algorithm, public).ok()?;
    // Canonical JSON has sorted members, and does not escape line ends.
    let text = format!("{{\"keytype\":\"{keytype}\",\"keyval\":{{\"public\":\"{public}\"}},\"scheme\":\"{scheme}\"}}");
    Some(hex(&Sha256::digest(text)))
}

/// Returns the JWK thumbprint (RFC 7638, with SHA-256, in base64url) for a public key in raw
/// encoding. Returns `None` if JOSE has no name for the algorithm, or `public` is not a public key
/// of the algorithm.
pub fn jwk_thumbprint(algorithm: Algorithm, public: &[u8]) -> Option<String> {
    let members = required_members(algorithm, public).ok()?;
    Some(Base64UrlUnpadded::encode_string(&Sha256::digest(members)))
}

/// Parses a fingerprint that a user typed, with or without `sha256:`. The result begins with
/// `sha256:` and is in lower case, as fndsa prints fingerprints.
///
/// # Errors
/// Fails if the text is not a fingerprint.
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

/// Returns the first expected fingerprint that no given key has. If there is such a fingerprint,
/// the verdict must be NO for all signatures. Otherwise, an attacker who can remove a key from the
/// key file could turn a policy that requires two keys into a policy that requires one key.
pub fn missing_key(expected: &[String], is_given: impl Fn(&str) -> bool) -> Option<&str> {
    expected.iter().map(String::as_str).find(|fingerprint| !is_given(fingerprint))
}

/// Returns the fingerprint that a key of the Falcon family has after its conversion to FN-DSA. This
/// fingerprint is the same for a key in all schemes of the family. Returns `None` for an FN-DSA key
/// and for keys outside the family, because the usual fingerprint identifies these keys.
///
/// # Errors
/// Fails if the key cannot be converted to FN-DSA, which does not happen for a valid key.
pub fn fn_dsa_fingerprint(key: &VerifyingKey, level: Level) -> Result<Option<String>, KeyError> {
    let Some(to) = key.algorithm().with_scheme(Scheme::FnDsa) else { return Ok(None) };
    if to == key.algorithm() {
        return Ok(None);
    }
    let mut bytes = vec![0; to.verifying_key_len()];
    let mut work = vec![0; key.algorithm().import_fast_work_len()];
    let converted = key.to_ref().convert_into(level, Scheme::FnDsa, &mut bytes, &mut work)?;
    Ok(Some(fingerprint(converted.as_bytes())))
}
