//! What a public key is known by, and what is the same for one key in every scheme. The page in `web/` counts keys by this file.

use fndsa::files::hex::hex;
use fndsa::{KeyError, Level, OwnedVerifyingKey, Scheme};
use sha2::{Digest, Sha256};

/// Returns what a public key is known by: `sha256:` and SHA-256 of its encoding in hexadecimal.
pub fn fingerprint(public: &[u8]) -> String {
    format!("sha256:{}", hex(&Sha256::digest(public)))
}

/// Returns an expected fingerprint that no given key has. Then the verdict is NO, whichever keys have signed: the key file came from
/// the same place as the file, and a policy of two keys must not become a policy of one key.
pub fn missing_key(expected: &[String], is_given: impl Fn(&str) -> bool) -> Option<&str> {
    expected.iter().map(String::as_str).find(|fingerprint| !is_given(fingerprint))
}

/// Returns the fingerprint of the key of FN-DSA that has the polynomial of this one. `None` if this is that key, or of another family. So
/// this, or else the fingerprint of the key, is the same for one key in all schemes, and for no other key.
///
/// # Errors
/// None, unless there is a bug.
pub fn twin(key: &OwnedVerifyingKey, level: Level) -> Result<Option<String>, KeyError> {
    let of_fn_dsa = key.algorithm().with_scheme(Scheme::FnDsa).filter(|it| *it != key.algorithm());
    let Some(to) = of_fn_dsa else { return Ok(None) };
    let mut bytes = vec![0; to.verifying_key_len()];
    let mut work = vec![0; key.algorithm().import_work_len()];
    let twin = key.borrowed().convert_into(level, Scheme::FnDsa, &mut bytes, &mut work)?;
    Ok(Some(fingerprint(twin.as_bytes())))
}
