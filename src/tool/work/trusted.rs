//! A public key that counts.

use fndsa::ExpandedVerifyingKey;

/// A public key that may have made a signature.
pub struct Trusted {
    /// The key, ready for many signatures.
    pub key: Box<ExpandedVerifyingKey>,
    /// Its encoding.
    pub bytes: Vec<u8>,
    /// Its fingerprint.
    pub fingerprint: String,
    /// The file that it is from.
    pub from: String,
    /// Whether `--expect-key` lets it count.
    pub expected: bool,
}

impl Trusted {
    /// Algorithm and fingerprint.
    pub fn name(&self) -> String {
        format!("{} {}", self.key.algorithm(), self.fingerprint)
    }
}
