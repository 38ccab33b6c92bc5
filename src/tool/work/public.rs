//! Public keys with the fingerprints that people know them by, and those of them that count in a verification.

use super::identity::{fingerprint, twin};
use super::terms::KeyTerms;
use crate::tool::report::{Entry, Error};
use fndsa::files::{Kind, Object};
use fndsa::{Algorithm, ExpandedVerifyingKey, Level, OwnedVerifyingKey};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

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
        let key = OwnedVerifyingKey::of_algorithm(stated, &object.bytes).map_err(|source| {
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
    /// The key, ready for many signatures once it may have made one: of a hundred thousand few ever do.
    expanded: OnceLock<Box<ExpandedVerifyingKey>>,
    /// The level to run.
    level: Level,
    /// The file that the key is from, as messages call it.
    pub from: String,
    /// The fingerprint of the key in FN-DSA, if that is another.
    twin: Option<String>,
    /// What stands beside the key.
    pub terms: KeyTerms,
    /// Whether `--expect-key` lets the key count.
    pub expected: bool,
}

impl TrustedKey {
    /// Takes a public key, for signatures on one level.
    ///
    /// # Errors
    /// None, unless there is a bug.
    pub fn new(public: PublicKey, level: Level, from: String, terms: KeyTerms, expected: bool) -> Result<Self, Error> {
        let twin = twin(&public.key, level).map_err(|e| Error::Internal(e.to_string()))?;
        Ok(Self { public, expanded: OnceLock::new(), level, from, twin, terms, expected })
    }

    /// Returns the key, ready for many signatures.
    pub fn expanded(&self) -> &ExpandedVerifyingKey {
        self.expanded.get_or_init(|| self.public.key.borrowed().expand(self.level))
    }

    /// Returns what is the same for this key in every scheme and form, and for no other key.
    pub fn identity(&self) -> &str {
        self.twin.as_ref().unwrap_or(&self.public.fingerprint)
    }

    /// Returns scheme and degree of the key.
    pub fn algorithm(&self) -> Algorithm {
        self.public.key.algorithm()
    }

    /// Returns the name that stands beside the key, if there is one, algorithm and fingerprint, as people are told.
    pub fn name(&self) -> String {
        match &self.terms.name {
            Some(name) => format!("{name}, {}", self.public.name()),
            None => self.public.name(),
        }
    }
}

/// The rule for the number of keys that must have signed.
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

/// Returns how many different keys count.
pub fn distinct(keys: &[TrustedKey]) -> usize {
    keys.iter().filter(|key| key.expected).map(TrustedKey::identity).collect::<BTreeSet<_>>().len()
}

/// Applies the key lines of each key to the same key in every scheme in which it is given: its owner can sign in all of them.
///
/// # Errors
/// The key lines of one key contradict each other.
pub fn spread_restrictions(keys: &mut [TrustedKey]) -> Result<(), Error> {
    let mut of_identity: BTreeMap<String, (KeyTerms, String)> = BTreeMap::new();
    for key in keys.iter().filter(|key| key.terms != KeyTerms::default()) {
        match of_identity.get_mut(key.identity()) {
            None => drop(of_identity.insert(key.identity().to_owned(), (key.terms.clone(), key.from.clone()))),
            Some((terms, other)) => {
                if !terms.restrict(&key.terms) {
                    return Err(Error::KeyTermsDiffer { from: key.from.clone(), other: other.clone() });
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

/// Adds the keys that have signed to a result: those of `numbers`, the first of them also as the one key.
pub fn describe_keys(entry: Entry, keys: &[TrustedKey], numbers: &[usize]) -> Entry {
    let signers: Vec<_> = numbers.iter().filter_map(|number| keys.get(*number)).collect();
    let Some(first) = signers.first() else { return entry };
    let entry = entry.algorithm(first.algorithm()).key(&first.public.fingerprint);
    let is_plain = signers.len() == 1 && first.terms.name.is_none();
    let value = |key: &&TrustedKey| json!({ "algorithm": key.algorithm().to_string(), "fingerprint": key.public.fingerprint, "name": key.terms.name });
    if is_plain { entry } else { entry.set("keys", signers.iter().map(value).collect()) }
}
