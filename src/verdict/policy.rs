//! The policy of a verification: the trusted keys, and how many of them must have signed.

use super::fingerprint::missing_key;
use super::rejection::Rejection;
use super::trusted_key::{Required, TrustedKey};
use crate::api::{Algorithm, SignatureEncoding, SignatureRef};
use crate::files::Object;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::hint::black_box;

/// The policy of a verification. It belongs to the verifier, and no signature file can change it.
pub struct Policy<'a> {
    /// All given keys, also keys that the policy does not accept.
    pub keys: &'a [TrustedKey],
    /// An expected fingerprint that no given key has. Then every verdict is NO.
    pub missing_key: Option<String>,
    /// The only encoding of signatures that is accepted; `None` for all encodings.
    pub encoding: Option<SignatureEncoding>,
    /// The number of keys that must have signed, at least 1.
    pub required: usize,
    /// The rule that gave `required`. A YES applies it a second time.
    pub rule: Required,
}

/// A signature and a key that may have made it, both by their numbers from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignaturePair {
    /// The number of the signature in its file.
    pub signature: usize,
    /// The number of the key in [`Policy::keys`].
    pub key: usize,
}

/// The keys that may have made the signatures of a file.
pub enum PairSelection {
    /// At least one key may have made a signature.
    Possible(Vec<SignaturePair>),
    /// No key can have made a signature, and the verdict is NO without reading the message.
    Rejected(Rejection),
}

impl<'a> Policy<'a> {
    /// Makes the policy for keys whose `expected` is set. `expected` are the expected fingerprints.
    pub fn new(keys: &'a [TrustedKey], expected: &[String], rule: Required) -> Self {
        let missing_key =
            missing_key(expected, |fingerprint| keys.iter().any(|key| key.public.fingerprint == fingerprint));
        let missing_key = missing_key.map(ToOwned::to_owned);
        Self { keys, missing_key, encoding: None, required: rule.count(keys).max(1), rule }
    }

    /// Returns the keys that the policy accepts, with their numbers.
    pub fn accepted(&self) -> impl Iterator<Item = (usize, &'a TrustedKey)> {
        self.keys.iter().enumerate().filter(|(_, key)| key.expected)
    }

    /// Returns the accepted keys, in all their schemes, that are not among the keys `signed`, by their numbers.
    pub fn without_signature(&self, signed: &[usize]) -> impl Iterator<Item = &'a TrustedKey> {
        let mut missing = Vec::new();
        for (_, key) in self.accepted() {
            if !signed.iter().any(|it| self.keys[*it].identity() == key.identity()) {
                missing.push(key);
            }
        }
        missing.into_iter()
    }

    /// Returns the message of a NO. If too few keys have signed, the message names the missing keys.
    pub fn message(&self, rejection: &Rejection, signed: &[usize]) -> String {
        let mut message = rejection.words();
        if let Rejection::TooFew { .. } = rejection {
            let missing: Vec<_> = self.without_signature(signed).map(TrustedKey::name).collect();
            message = format!("{message}: there is no valid signature by {}", missing.join("; "));
        }
        message
    }

    /// Returns the keys that may have made each signature. `has_form` checks that an algorithm has signatures with the context and the
    /// pre-hash of the verification.
    ///
    /// # Errors
    /// The error of `has_form`, if no signature is rejected and no key that fits has signatures of this form.
    pub fn pairs<E>(
        &self,
        signatures: &[Object],
        has_form: impl Fn(Algorithm) -> Result<(), E>,
    ) -> Result<PairSelection, E> {
        let mut pairs = Vec::new();
        let mut rejection = None;
        let mut error = None;
        for (number, signature) in signatures.iter().enumerate() {
            match self.reject(signature, &has_form) {
                Ok(None) => {
                    for (key, trusted) in self.accepted() {
                        let algorithm = trusted.algorithm();
                        if signature.fits(algorithm) && has_form(algorithm).is_ok() {
                            pairs.push(SignaturePair { signature: number, key });
                        }
                    }
                }
                Ok(Some(found)) => drop(rejection.get_or_insert(found)),
                Err(e) => drop(error.get_or_insert(e)),
            }
        }
        match (rejection, error) {
            _ if !pairs.is_empty() => Ok(PairSelection::Possible(pairs)),
            (None, Some(e)) => Err(e),
            (rejection, _) => Ok(PairSelection::Rejected(rejection.unwrap_or(Rejection::Encoding))),
        }
    }

    /// Rejects a signature that no accepted key can have made.
    ///
    /// # Errors
    /// The error of `has_form` for the first key that fits, if no key that fits has signatures of this form.
    fn reject<E>(
        &self,
        signature: &Object,
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
        let possible: Vec<_> = algorithms.iter().filter(|it| signature.fits(**it)).collect();
        let Some(first) = possible.first() else { return Ok(Some(Rejection::Encoding)) };
        let read = self.encoding.and_then(|_| SignatureRef::of_algorithm(**first, &signature.bytes).ok());
        if let (Some(wanted), Some(found)) = (self.encoding, read.map(|read| read.encoding()))
            && wanted != found
        {
            return Ok(Some(Rejection::OtherEncoding { found, wanted }));
        }
        if possible.iter().any(|it| has_form(**it).is_ok()) { Ok(None) } else { has_form(**first).map(|()| None) }
    }

    /// Computes the number of required keys again. A faulty machine must not turn a NO into a YES.
    pub(super) fn required_again(&self) -> usize {
        self.required.max(black_box(self.rule).count(self.keys))
    }
}
