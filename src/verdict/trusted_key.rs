//! Public keys with their fingerprints, and trusted keys, which also have key lines.

use super::fingerprint::{fingerprint, fn_dsa_fingerprint};
use super::key_terms::KeyTerms;
use super::messages::InputDefect;
use crate::api::{Algorithm, ExpandedVerifyingKey, KeyError, Level, VerifyingKey, VerifyingKeyRef};
use crate::files::{FileObject, ObjectKind};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
#[cfg(not(feature = "std"))]
use core::cell::OnceCell as Once;
use core::fmt;
#[cfg(feature = "std")]
use std::sync::OnceLock as Once;

/// The reason why a file is not a valid public key.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PublicKeyError {
    /// The key is not valid.
    Key(KeyError),
    /// The key is not for the algorithm that the file names.
    OtherContent {
        /// The algorithm that the file names.
        stated: Algorithm,
        /// The algorithms for which the bytes are a valid key, as text.
        found: String,
    },
}

impl fmt::Display for PublicKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = ObjectKind::VerifyingKey;
        match self {
            Self::Key(source) => write!(f, "{}", InputDefect::Key(kind, source)),
            Self::OtherContent { stated, found } => write!(f, "{}", InputDefect::Content(kind, *stated, found)),
        }
    }
}

impl core::error::Error for PublicKeyError {}

/// A checked public key and its fingerprint.
#[non_exhaustive]
pub struct PublicKey {
    /// The checked public key.
    pub key: VerifyingKey,
    /// The key's fingerprint.
    pub fingerprint: String,
}

impl PublicKey {
    /// Checks the public key in `object`.
    ///
    /// # Errors
    /// Fails if the key is not valid, or it is not for the algorithm that the file names.
    pub fn check(object: &FileObject) -> Result<Self, PublicKeyError> {
        let stated = object.algorithm();
        let source = match VerifyingKeyRef::of_algorithm(stated, &object.bytes) {
            Ok(key) => return Ok(Self { key: key.into(), fingerprint: fingerprint(&object.bytes) }),
            Err(source) => source,
        };
        // The bytes may be a valid key in a different scheme of the Falcon family, because keys
        // have the same length in all these schemes. Only the order of their bits differs.
        let detected = FileObject::detect(ObjectKind::VerifyingKey, object.encoding, object.bytes.clone());
        if let Ok(detected) = detected
            && !detected.fits(stated)
            && let Some(found) = detected.names()
        {
            return Err(PublicKeyError::OtherContent { stated, found });
        }
        Err(PublicKeyError::Key(source))
    }

    /// Returns the algorithm and the fingerprint, as text for a message.
    pub fn description(&self) -> String {
        format!("{} {}", self.key.algorithm(), self.fingerprint)
    }
}

/// A public key that is used to verify signatures.
pub struct TrustedKey {
    /// The key and its fingerprint.
    pub public: PublicKey,
    /// The key, prepared for many verifications. The first use computes this value, because a
    /// verification uses only a few keys, even if the user gives a hundred thousand keys.
    expanded: Once<Box<ExpandedVerifyingKey>>,
    /// The instruction set that verifies with this key.
    level: Level,
    /// The place of the key, as text for messages: the file's name and, if the file contains
    /// several keys, the position in the file.
    pub from: String,
    /// The fingerprint of this key after its conversion to FN-DSA ([`fn_dsa_fingerprint`]). `None`
    /// if this is the same as the fingerprint in `public`.
    fn_dsa_fingerprint: Option<String>,
    /// The values of the key lines before the key.
    pub terms: KeyTerms,
    /// Whether the policy accepts the key. A policy accepts all keys, or only the keys with the
    /// expected fingerprints.
    pub is_accepted_by_policy: bool,
}

impl TrustedKey {
    /// Creates a trusted key that verifies signatures with the instruction set `level`.
    ///
    /// # Errors
    /// Fails if the key cannot be converted to FN-DSA, which does not happen for a valid key.
    pub fn new(
        public: PublicKey,
        level: Level,
        from: String,
        terms: KeyTerms,
        is_accepted_by_policy: bool,
    ) -> Result<Self, KeyError> {
        let fn_dsa_fingerprint = fn_dsa_fingerprint(&public.key, level)?;
        Ok(Self { public, expanded: Once::new(), level, from, fn_dsa_fingerprint, terms, is_accepted_by_policy })
    }

    /// Returns the expanded key. The first call computes it.
    pub fn expanded(&self) -> &ExpandedVerifyingKey {
        self.expanded.get_or_init(|| self.public.key.to_ref().expand(self.level))
    }

    /// Returns a text that identifies the key. The text does not depend on the scheme or the file
    /// format of the key. Different keys have different texts.
    pub fn identity(&self) -> &str {
        self.fn_dsa_fingerprint.as_ref().unwrap_or(&self.public.fingerprint)
    }

    /// Returns the key's algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.public.key.algorithm()
    }

    /// Returns the key's description for messages: the name from the key lines, if there is a name,
    /// and then the algorithm and the fingerprint.
    pub fn description(&self) -> String {
        match &self.terms.name {
            Some(name) => format!("{name}, {}", self.public.description()),
            None => self.public.description(),
        }
    }
}

/// The number of keys that must have signed, as the user defined it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RequiredKeys {
    /// The value is the number of keys that must have signed.
    Number(usize),
    /// All given keys must have signed. If the policy expects fingerprints, only the keys with
    /// these fingerprints must have signed.
    All,
}

impl RequiredKeys {
    /// Returns the number of keys that must have signed. For [`Self::All`], the result is at least
    /// 1.
    pub fn count(self, keys: &[TrustedKey]) -> usize {
        match self {
            Self::Number(number) => number,
            Self::All => distinct(keys).max(1),
        }
    }
}

/// Returns the number of different keys that the policy accepts. A key that is given in several
/// schemes is counted once.
pub fn distinct(keys: &[TrustedKey]) -> usize {
    let mut identities = BTreeSet::new();
    for key in keys {
        if key.is_accepted_by_policy {
            identities.insert(key.identity());
        }
    }
    identities.len()
}

/// The error for two trusted keys that cannot be used together. A message identifies a key by its
/// file, or by its position in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyConflictError {
    /// A key occurs twice, and the key lines before the two occurrences contradict each other.
    Terms {
        /// The file or position with the later occurrence.
        from: String,
        /// The file or position with the earlier occurrence.
        other: String,
    },
    /// A given key is one of the two keys in a composite key (ML-DSA with Ed25519) that is also
    /// given. The owner of the composite key can sign with both keys, so the keys must not be
    /// counted as two signers.
    Half {
        /// The file or position with the separate key.
        half: String,
        /// The file or position with the composite key.
        composite: String,
    },
}

impl fmt::Display for KeyConflictError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Terms { from, other } => {
                write!(f, "{from} has other key lines than {other}, and both are the same key")
            }
            Self::Half { half, composite } => {
                write!(f, "{half} is a half of the composite key {composite}, so they are not two keys")
            }
        }
    }
}

impl core::error::Error for KeyConflictError {}

/// Checks that no given key is a part (ML-DSA or Ed25519) of a given composite key.
///
/// # Errors
/// Fails if there is such a key.
pub fn check_halves(keys: &[TrustedKey]) -> Result<(), KeyConflictError> {
    let mut halves = BTreeMap::new();
    for composite in keys {
        if let Some([ml_dsa, ed25519]) = composite.algorithm().halves() {
            let (first, second) = composite.public.key.as_bytes().split_at(ml_dsa.verifying_key_len());
            halves.insert((ml_dsa.id(), first), composite);
            halves.insert((ed25519.id(), second), composite);
        }
    }
    for key in keys {
        if let Some(composite) = halves.get(&(key.algorithm().id(), key.public.key.as_bytes())) {
            return Err(KeyConflictError::Half { half: key.from.clone(), composite: composite.from.clone() });
        }
    }
    Ok(())
}

/// Checks that no key is given with two different names, because the verdict would contain only one
/// of these names.
///
/// # Errors
/// Fails if a key occurs twice in the same scheme with different names.
fn check_names(keys: &[TrustedKey]) -> Result<(), KeyConflictError> {
    let mut first_keys: BTreeMap<(u16, &str), &TrustedKey> = BTreeMap::new();
    for key in keys {
        if key.terms.name.is_none() {
            continue;
        }
        let first_key = *first_keys.entry((key.algorithm().id(), &key.public.fingerprint)).or_insert(key);
        if first_key.terms.name != key.terms.name {
            return Err(KeyConflictError::Terms { from: key.from.clone(), other: first_key.from.clone() });
        }
    }
    Ok(())
}

/// Applies the restrictions of each key to all given keys with the same
/// [identity](TrustedKey::identity), because the owner of a private key can sign in all schemes.
/// First calls [`check_halves`], and checks the names.
///
/// # Errors
/// Fails if the key lines for a key contradict each other, or if a key is a part of a composite key
/// that is also given.
pub fn spread_restrictions(keys: &mut [TrustedKey]) -> Result<(), KeyConflictError> {
    check_halves(keys)?;
    check_names(keys)?;
    let mut of_identity: BTreeMap<String, (KeyTerms, String)> = BTreeMap::new();
    for key in &*keys {
        if key.terms == KeyTerms::default() {
            continue;
        }
        match of_identity.get_mut(key.identity()) {
            None => drop(of_identity.insert(key.identity().to_owned(), (key.terms.clone(), key.from.clone()))),
            Some((terms, other)) => {
                if !terms.restrict(&key.terms) {
                    return Err(KeyConflictError::Terms { from: key.from.clone(), other: other.clone() });
                }
            }
        }
    }
    for key in keys {
        if let Some((terms, _)) = of_identity.get(key.identity()) {
            key.terms.restrict(terms);
        }
    }
    Ok(())
}

#[cfg(all(test, feature = "std", feature = "ed25519"))]
mod tests {
    use super::*;
    use crate::SigningKey;
    use crate::files::{FileEncoding, WriteOptions};
    use crate::verdict::{FileDefect, Policy, read_trusted_keys};
    use alloc::vec::Vec;
    use getrandom::SysRng;

    /// Returns a public key file with a new key.
    fn new_public_key() -> String {
        let algorithm = Algorithm::ED25519;
        let key = SigningKey::generate(algorithm, &mut SysRng).unwrap();
        let style = WriteOptions::plain(FileEncoding::Spki);
        let file = style.write(ObjectKind::VerifyingKey, algorithm, "", key.verifying_key().as_bytes()).unwrap();
        String::from_utf8(file.to_vec()).unwrap()
    }

    fn read(file: &str) -> Result<Vec<TrustedKey>, FileDefect> {
        read_trusted_keys(file.as_bytes(), &[], Level::detect())
    }

    #[test]
    fn a_key_that_is_given_twice_counts_once_and_has_one_name() {
        let key = new_public_key();
        let other = new_public_key();
        for file in [
            format!("{key}{key}"),
            format!("name: a\n{key}{key}"),
            format!("{key}name: a\n{key}"),
            format!("name: a\n{key}name: a\n{key}"),
        ] {
            let keys = read(&file).unwrap();
            assert_eq!((keys.len(), distinct(&keys)), (2, 1), "{file}");
            assert_eq!(Policy::new(&keys, &[], RequiredKeys::All).required, 1, "{file}");
        }
        for (first, second) in [("a", "b"), ("b", "a")] {
            let defect = read(&format!("name: {first}\n{key}{other}name: {second}\n{key}")).err().unwrap();
            assert!(defect.message.contains("key 3 has other key lines than key 1"), "{}", defect.message);
        }
        // Different keys may have the same name.
        assert_eq!(distinct(&read(&format!("name: a\n{key}name: a\n{other}")).unwrap()), 2);
    }
}
