//! Computes digests with independent code, for the test vectors in which a message has a pre-hash.
//! `tests/mldsa` and `firmware/build` include this file.

use sha2::Digest;
use sha3::digest::{ExtendableOutput, XofReader};

/// Converts a hash name in a vector file to the name in the library: `SHA2-512/224` and
/// `SHA-512/224` to `sha512-224`, and `SHAKE-128` to `shake128`.
pub fn hash_name(name: &str) -> String {
    let name = name.to_lowercase().replace('/', "-");
    name.replace("sha2-", "sha").replace("sha-", "sha").replace("shake-", "shake")
}

/// Computes a message's digest. `name` is the hash name in the library. Returns `None` if the name
/// is unknown.
pub fn digest(name: &str, message: &[u8]) -> Option<Vec<u8>> {
    Some(match name {
        "sha224" => sha2::Sha224::digest(message).to_vec(),
        "sha256" => sha2::Sha256::digest(message).to_vec(),
        "sha384" => sha2::Sha384::digest(message).to_vec(),
        "sha512" => sha2::Sha512::digest(message).to_vec(),
        "sha512-224" => sha2::Sha512_224::digest(message).to_vec(),
        "sha512-256" => sha2::Sha512_256::digest(message).to_vec(),
        "sha3-224" => sha3::Sha3_224::digest(message).to_vec(),
        "sha3-256" => sha3::Sha3_256::digest(message).to_vec(),
        "sha3-384" => sha3::Sha3_384::digest(message).to_vec(),
        "sha3-512" => sha3::Sha3_512::digest(message).to_vec(),
        "shake128" => shake_digest(sha3::Shake128::default(), message, 32),
        "shake256" => shake_digest(sha3::Shake256::default(), message, 64),
        _ => return None,
    })
}

/// Computes the first `len` bytes of an extendable-output function.
fn shake_digest(mut hash: impl ExtendableOutput, message: &[u8], len: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    hash.update(message);
    hash.finalize_xof().read(&mut out);
    out
}
