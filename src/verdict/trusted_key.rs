//! Public keys with their fingerprints, and the trusted keys of a verification.

use super::fingerprint::{fingerprint, fn_dsa_fingerprint};
use super::key_terms::KeyTerms;
use crate::api::{Algorithm, ExpandedVerifyingKey, KeyError, Level, VerifyingKey, VerifyingKeyRef};
use crate::files::{Kind, Object};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
#[cfg(not(feature = "std"))]
use core::cell::OnceCell as Once;
#[cfg(feature = "std")]
use std::sync::OnceLock as Once;

/// The reason why the contents of a file are not a public key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PublicKeyError {
    /// The key is not valid.
    Key(KeyError),
    /// The file names one algorithm, and the key is of another.
    OtherContent {
        /// The algorithm that the file names.
        stated: Algorithm,
        /// The algorithms of the key, in words.
        found: String,
    },
}

/// A checked public key and its fingerprint.
pub struct PublicKey {
    /// The key.
    pub key: VerifyingKey,
    /// The fingerprint of the key.
    pub fingerprint: String,
}

impl PublicKey {
    /// Checks the public key in `object`.
    ///
    /// # Errors
    /// The key is not valid, or it is of another algorithm than the file names.
    pub fn check(object: &Object) -> Result<Self, PublicKeyError> {
        let stated = object.algorithm();
        let key = VerifyingKeyRef::of_algorithm(stated, &object.bytes).map_err(|source| {
            // Is the key one of a scheme with the other order of bits?
            let detected = Object::detect(Kind::VerifyingKey, object.encoding, object.bytes.clone());
            match detected.ok().filter(|it| !it.fits(stated)).and_then(|it| it.names()) {
                Some(found) => PublicKeyError::OtherContent { stated, found },
                None => PublicKeyError::Key(source),
            }
        })?;
        Ok(Self { key: key.into(), fingerprint: fingerprint(&object.bytes) })
    }

    /// Returns algorithm and fingerprint, for messages.
    pub fn name(&self) -> String {
        format!("{} {}", self.key.algorithm(), self.fingerprint)
    }
}

/// A public key that may have made a signature.
pub struct TrustedKey {
    /// The key and its fingerprint.
    pub public: PublicKey,
    /// The key, prepared for many signatures. It is computed at the first use: of a hundred thousand keys, few are used.
    expanded: Once<Box<ExpandedVerifyingKey>>,
    /// The level to run.
    level: Level,
    /// The name of the key file, for messages.
    pub from: String,
    /// The fingerprint of the key in FN-DSA, if that is another.
    fn_dsa_fingerprint: Option<String>,
    /// The key lines.
    pub terms: KeyTerms,
    /// Whether the policy accepts the key: it is an expected key, or no key is expected by fingerprint.
    pub expected: bool,
}

impl TrustedKey {
    /// Makes a trusted key for signatures on one level.
    ///
    /// # Errors
    /// None, unless there is a bug.
    pub fn new(
        public: PublicKey,
        level: Level,
        from: String,
        terms: KeyTerms,
        expected: bool,
    ) -> Result<Self, KeyError> {
        let fn_dsa_fingerprint = fn_dsa_fingerprint(&public.key, level)?;
        Ok(Self { public, expanded: Once::new(), level, from, fn_dsa_fingerprint, terms, expected })
    }

    /// Returns the key, prepared for many signatures.
    pub fn expanded(&self) -> &ExpandedVerifyingKey {
        self.expanded.get_or_init(|| self.public.key.to_ref().expand(self.level))
    }

    /// Returns a text that is the same for this key in every scheme and file format, and for no other key.
    pub fn identity(&self) -> &str {
        self.fn_dsa_fingerprint.as_ref().unwrap_or(&self.public.fingerprint)
    }

    /// Returns the algorithm of the key.
    pub fn algorithm(&self) -> Algorithm {
        self.public.key.algorithm()
    }

    /// Returns the name in the key lines, if there is one, then algorithm and fingerprint, for messages.
    pub fn name(&self) -> String {
        match &self.terms.name {
            Some(name) => format!("{name}, {}", self.public.name()),
            None => self.public.name(),
        }
    }
}

/// The number of keys that must have signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Required {
    /// As many keys.
    Number(usize),
    /// Each given key, or each expected key if some are expected.
    All,
}

impl Required {
    /// Returns the number of keys that must have signed.
    pub fn count(self, keys: &[TrustedKey]) -> usize {
        match self {
            Self::Number(number) => number,
            Self::All => distinct(keys).max(1),
        }
    }
}

/// Returns the number of different keys that the policy accepts.
pub fn distinct(keys: &[TrustedKey]) -> usize {
    keys.iter().filter(|key| key.expected).map(TrustedKey::identity).collect::<BTreeSet<_>>().len()
}

/// Two files with different key lines for the same key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferentTerms {
    /// The name of the file that was read second.
    pub from: String,
    /// The name of the file that was read first.
    pub other: String,
}

/// Applies the key lines of each key to the same key in every scheme in which it is given: its owner can sign in all of them.
///
/// # Errors
/// The key lines of one key contradict each other.
pub fn spread_restrictions(keys: &mut [TrustedKey]) -> Result<(), DifferentTerms> {
    let mut of_identity: BTreeMap<String, (KeyTerms, String)> = BTreeMap::new();
    for key in keys.iter().filter(|key| key.terms != KeyTerms::default()) {
        match of_identity.get_mut(key.identity()) {
            None => drop(of_identity.insert(key.identity().to_owned(), (key.terms.clone(), key.from.clone()))),
            Some((terms, other)) => {
                if !terms.restrict(&key.terms) {
                    return Err(DifferentTerms { from: key.from.clone(), other: other.clone() });
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
