//! The verifier's policy: the keys that are accepted, and the number of keys that must have signed.

use super::fingerprint::missing_key;
use super::rejection::Rejection;
use super::trusted_key::{RequiredKeys, TrustedKey};
use crate::api::{Algorithm, SignatureEncoding, SignatureRef};
use crate::files::FileObject;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::hint::black_box;

/// The policy for a verification. The verifier defines the policy, and a signature file cannot
/// change it.
#[non_exhaustive]
pub struct Policy<'a> {
    /// All given keys, including keys that the policy does not accept.
    pub keys: &'a [TrustedKey],
    /// An expected fingerprint that no given key has. If there is such a fingerprint, every verdict
    /// is NO.
    pub missing_key: Option<String>,
    /// The only accepted encoding of signatures, or `None` to accept all encodings.
    pub encoding: Option<SignatureEncoding>,
    /// The number of keys that must have signed, which is at least 1.
    pub required: usize,
    /// The rule from which `required` was computed. The number is computed again before the verdict
    /// YES, to detect a fault in the machine.
    pub rule: RequiredKeys,
}

/// The indices that identify a signature and a key that could have created it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignaturePair {
    /// The signature's index in its file.
    pub signature: usize,
    /// The key's index in [`Policy::keys`].
    pub key: usize,
}

/// The pairs of signature and key that the caller must verify.
pub enum PairSelection {
    /// The possible pairs. There is at least one pair.
    Possible(Vec<SignaturePair>),
    /// No signature can be accepted, for example because no accepted key could have created it. The
    /// verdict is NO, and the caller does not need to read the message.
    Rejected(Rejection),
}

impl<'a> Policy<'a> {
    /// Creates a policy. `expected` are the fingerprints that the verifier requires. The `keys`
    /// must have been read with the same expected fingerprints.
    pub fn new(keys: &'a [TrustedKey], expected: &[String], rule: RequiredKeys) -> Self {
        let missing_key =
            missing_key(expected, |fingerprint| keys.iter().any(|key| key.public.fingerprint == fingerprint));
        let missing_key = missing_key.map(ToOwned::to_owned);
        Self { keys, missing_key, encoding: None, required: rule.count(keys).max(1), rule }
    }

    /// Returns the accepted keys with their indices in [`Policy::keys`].
    pub fn accepted(&self) -> impl Iterator<Item = (usize, &'a TrustedKey)> {
        self.keys.iter().enumerate().filter(|(_, key)| key.is_accepted_by_policy)
    }

    /// Returns the accepted keys that have not signed. `signed` are the indices of the keys that
    /// have signed. If a key was given in several schemes, a signature in any of these schemes is
    /// sufficient.
    pub fn without_signature(&self, signed: &[usize]) -> impl Iterator<Item = &'a TrustedKey> {
        let mut missing = Vec::new();
        for (_, key) in self.accepted() {
            if !signed.iter().any(|it| self.keys[*it].identity() == key.identity()) {
                missing.push(key);
            }
        }
        missing.into_iter()
    }

    /// Returns the message for a rejection. If too few keys have signed, the message names the keys
    /// without a signature.
    pub fn message(&self, rejection: &Rejection, signed: &[usize]) -> String {
        let mut message = rejection.words();
        if let Rejection::TooFew { .. } = rejection {
            let mut missing = Vec::new();
            for key in self.without_signature(signed) {
                missing.push(key.description());
            }
            message = format!("{message}: there is no valid signature by {}", missing.join("; "));
        }
        message
    }

    /// Returns all pairs of a signature and an accepted key that could have created it.
    /// `check_form` returns an error for an algorithm that does not support the given context and
    /// pre-hash.
    ///
    /// # Errors
    /// Returns the error of `check_form` if this error is the only reason why there are no pairs.
    pub fn pairs<E>(
        &self,
        signatures: &[FileObject],
        check_form: impl Fn(Algorithm) -> Result<(), E>,
    ) -> Result<PairSelection, E> {
        let mut pairs = Vec::new();
        let mut rejection = None;
        let mut error = None;
        for (number, signature) in signatures.iter().enumerate() {
            match self.rejection_of(signature, &check_form) {
                Ok(None) => {
                    for (key, trusted) in self.accepted() {
                        let algorithm = trusted.algorithm();
                        if signature.fits(algorithm) && check_form(algorithm).is_ok() {
                            pairs.push(SignaturePair { signature: number, key });
                        }
                    }
                }
                Ok(Some(found_rejection)) => drop(rejection.get_or_insert(found_rejection)),
                Err(e) => drop(error.get_or_insert(e)),
            }
        }
        match (rejection, error) {
            _ if !pairs.is_empty() => Ok(PairSelection::Possible(pairs)),
            (None, Some(e)) => Err(e),
            (rejection, _) => Ok(PairSelection::Rejected(rejection.unwrap_or(Rejection::Encoding))),
        }
    }

    /// Returns a rejection if an expected key is missing, or if the encoding of the signature is
    /// not accepted. Also returns a rejection if no accepted key could have created the signature.
    ///
    /// # Errors
    /// If `check_form` fails for all algorithms that the signature matches, returns its error for
    /// the first such algorithm.
    fn rejection_of<E>(
        &self,
        signature: &FileObject,
        check_form: &impl Fn(Algorithm) -> Result<(), E>,
    ) -> Result<Option<Rejection>, E> {
        if let Some(missing) = &self.missing_key {
            return Ok(Some(Rejection::Unexpected { missing: missing.clone() }));
        }
        let mut algorithms: Vec<_> = Algorithm::all_with_toys().collect();
        algorithms.retain(|algorithm| self.accepted().any(|(_, key)| key.algorithm() == *algorithm));
        if let Some(rejection) = Rejection::of_algorithms(signature, &algorithms) {
            return Ok(Some(rejection));
        }
        let mut matching_algorithms = Vec::new();
        for algorithm in algorithms {
            if signature.fits(algorithm) {
                matching_algorithms.push(algorithm);
            }
        }
        let Some(first) = matching_algorithms.first() else { return Ok(Some(Rejection::Encoding)) };
        if let Some(wanted) = self.encoding
            && let Ok(parsed) = SignatureRef::of_algorithm(*first, &signature.bytes)
        {
            let found = parsed.encoding();
            if wanted != found {
                return Ok(Some(Rejection::OtherEncoding { found, wanted }));
            }
        }
        for algorithm in &matching_algorithms {
            if check_form(*algorithm).is_ok() {
                return Ok(None);
            }
        }
        check_form(*first)?;
        Ok(None)
    }

    /// Computes the number of required keys a second time, and returns the larger of both numbers.
    /// Without the second computation, a single fault in `required` could turn a NO into a YES.
    pub(super) fn recomputed_required(&self) -> usize {
        self.required.max(black_box(self.rule).count(self.keys))
    }
}
