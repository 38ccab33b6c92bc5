//! Implements the verifier's policy: the accepted keys, and the number of keys that must have
//! signed.

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

/// The policy for a verification. The verifier defines it, and a signature file cannot change it.
#[non_exhaustive]
pub struct Policy<'a> {
    /// All given keys, including keys that the policy does not accept.
    pub keys: &'a [TrustedKey],
    /// An expected fingerprint that does not match any given key. If there is one, every verdict is
    /// NO.
    pub missing_key: Option<String>,
    /// The only signature encoding that is accepted, or `None` to accept every encoding.
    pub encoding: Option<SignatureEncoding>,
    /// The number of keys that must have signed, at least 1.
    pub required: usize,
    /// The rule from which `required` was computed. It is applied again before the verdict YES, to
    /// detect a fault in the machine.
    pub rule: RequiredKeys,
}

/// A signature and a key that could have created it. Both are numbers, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignaturePair {
    /// The signature's number in its file.
    pub signature: usize,
    /// The key's number in [`Policy::keys`].
    pub key: usize,
}

/// The pairs of signature and key that the caller should check.
pub enum PairSelection {
    /// The pairs. There is at least one pair.
    Possible(Vec<SignaturePair>),
    /// No accepted key could have created any signature. The verdict is NO, and the caller does not
    /// need to read the message.
    Rejected(Rejection),
}

impl<'a> Policy<'a> {
    /// Creates a policy. `expected` are the fingerprints that the verifier requires. Range: the
    /// keys were read with the same expected fingerprints.
    pub fn new(keys: &'a [TrustedKey], expected: &[String], rule: RequiredKeys) -> Self {
        let missing_key =
            missing_key(expected, |fingerprint| keys.iter().any(|key| key.public.fingerprint == fingerprint));
        let missing_key = missing_key.map(ToOwned::to_owned);
        Self { keys, missing_key, encoding: None, required: rule.count(keys).max(1), rule }
    }

    /// Returns the keys that the policy accepts, with their numbers.
    pub fn accepted(&self) -> impl Iterator<Item = (usize, &'a TrustedKey)> {
        self.keys.iter().enumerate().filter(|(_, key)| key.is_accepted_by_policy)
    }

    /// Returns the accepted keys that have not signed. `signed` are the numbers of the keys that
    /// have signed. A key in `signed` also counts for the same key in all other schemes.
    pub fn without_signature(&self, signed: &[usize]) -> impl Iterator<Item = &'a TrustedKey> {
        let mut missing = Vec::new();
        for (_, key) in self.accepted() {
            if !signed.iter().any(|it| self.keys[*it].identity() == key.identity()) {
                missing.push(key);
            }
        }
        missing.into_iter()
    }

    /// Returns the message for a NO. If too few keys have signed, the message names the missing
    /// keys.
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

    /// Returns the pairs of a signature and an accepted key that could have created it. `has_form`
    /// checks that an algorithm supports the context and the pre-hash of the verification.
    ///
    /// # Errors
    /// The error of `has_form`, if there are no pairs, `has_form` failed for each key that matches
    /// a signature, and no signature was rejected for a different reason.
    pub fn pairs<E>(
        &self,
        signatures: &[FileObject],
        has_form: impl Fn(Algorithm) -> Result<(), E>,
    ) -> Result<PairSelection, E> {
        let mut pairs = Vec::new();
        let mut rejection = None;
        let mut error = None;
        for (number, signature) in signatures.iter().enumerate() {
            match self.rejection_of(signature, &has_form) {
                Ok(None) => {
                    for (key, trusted) in self.accepted() {
                        let algorithm = trusted.algorithm();
                        if signature.fits(algorithm) && has_form(algorithm).is_ok() {
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

    /// Returns a rejection if no accepted key could have created the signature.
    ///
    /// # Errors
    /// The error of `has_form` for the first matching key, if `has_form` fails for all matching
    /// keys.
    fn rejection_of<E>(
        &self,
        signature: &FileObject,
        has_form: &impl Fn(Algorithm) -> Result<(), E>,
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
            if has_form(*algorithm).is_ok() {
                return Ok(None);
            }
        }
        has_form(*first)?;
        Ok(None)
    }

    /// Computes a second time how many keys are required. Otherwise a single fault in `required`
    /// could turn a NO into a YES.
    pub(super) fn required_again(&self) -> usize {
        self.required.max(black_box(self.rule).count(self.keys))
    }
}
