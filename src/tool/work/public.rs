//! Public keys with the fingerprints that people know them by, and those of them that count in a verification.

use super::loader::fingerprint;
use crate::tool::report::Error;
use fndsa::files::{Kind, Object};
use fndsa::{Algorithm, ExpandedVerifyingKey, Level, OwnedVerifyingKey, Scheme};

/// A checked public key and its fingerprint.
pub struct PublicKey {
    /// The key.
    pub key: OwnedVerifyingKey,
    /// The fingerprint of the key.
    pub fingerprint: String,
}

impl PublicKey {
    /// Checks the public key in `object`. `from` is what messages call the file.
    ///
    /// # Errors
    /// The key is not valid, or its content is that of another scheme than the file says.
    pub fn check(object: &Object, from: impl ToString) -> Result<Self, Error> {
        let stated = object.algorithm();
        let key = OwnedVerifyingKey::from_bytes(stated.scheme(), &object.bytes).map_err(|source| {
            let from = from.to_string();
            // Is the key one of a scheme with the other order of bits?
            let detected = Object::detect(Kind::VerifyingKey, object.encoding, object.bytes.clone());
            match detected.ok().filter(|it| !it.fits(stated)).and_then(|it| it.names()) {
                Some(found) => Error::OtherContent { from, kind: Kind::VerifyingKey, stated, found },
                None => Error::Key { from, kind: Kind::VerifyingKey, source },
            }
        })?;
        Ok(Self { key, fingerprint: fingerprint(&object.bytes) })
    }

    /// Returns algorithm and fingerprint, as people are told.
    pub fn name(&self) -> String {
        format!("{} {}", self.key.algorithm(), self.fingerprint)
    }
}

/// A public key that may have made a signature.
pub struct TrustedKey {
    /// The key and its fingerprint.
    pub public: PublicKey,
    /// The key, ready for many signatures.
    pub expanded: Box<ExpandedVerifyingKey>,
    /// The file that the key is from, as messages call it.
    pub from: String,
    /// Whether `--expect-key` lets the key count.
    pub expected: bool,
}

impl TrustedKey {
    /// Prepares a public key for many signatures, on one level.
    pub fn new(public: PublicKey, level: Level, from: &str, expected: bool) -> Self {
        let expanded = public.key.borrowed().expand(level);
        Self { public, expanded, from: from.to_owned(), expected }
    }

    /// Returns scheme and degree of the key.
    pub fn algorithm(&self) -> Algorithm {
        self.public.key.algorithm()
    }

    /// Returns the scheme of the key.
    pub fn scheme(&self) -> Scheme {
        self.expanded.scheme()
    }

    /// Returns algorithm and fingerprint, as people are told.
    pub fn name(&self) -> String {
        self.public.name()
    }
}
