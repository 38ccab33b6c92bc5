//! The decision on the signatures of one file: which key may have made which signature, and what is known so far.
//!
//! The verdict is NO until as many keys as the policy requires have signed. A key counts once, however many signatures it has made and in
//! however many files it is given, and a signature counts for one key.

use super::evidence::Evidence;
use super::key_terms::Calendar;
use super::policy::Policy;
use super::rejection::Rejection;
use super::trusted_key::TrustedKey;
use crate::api::{BatchItem, HashedMessage, Verified, VerifyError};
use crate::files::Object;
use alloc::vec::Vec;
use core::hint::black_box;

/// A key that may have made a signature, and the message as it is hashed for this key and signature. `None` if the key's algorithm
/// cannot have such a signature.
pub struct HashedCandidate {
    /// The number of the signature in its file, from 0.
    pub signature: usize,
    /// The number of the key, from 0.
    pub key: usize,
    /// The message.
    pub hashed: Option<HashedMessage>,
}

/// A signature that a key has made.
struct MatchedPair {
    signature: usize,
    key: usize,
    evidence: Evidence,
}

/// The reason why there is no verdict.
pub enum DecisionError<E> {
    /// The library failed, which is a bug.
    Internal(VerifyError),
    /// The day is unknown.
    Day(E),
}

/// The verdict on one file.
pub enum DecisionOutcome {
    /// YES: as many keys as the policy requires have signed.
    Accepted {
        /// The numbers of the keys that have signed.
        keys: Vec<usize>,
        /// The evidence, which holds.
        evidence: Evidence,
    },
    /// NO.
    Rejected {
        /// The reason.
        rejection: Rejection,
        /// The numbers of the keys that have signed.
        keys: Vec<usize>,
        /// The number of the first key that has signed and has a restriction that the message does not meet.
        restricted: Option<usize>,
        /// The number of the first signature that no key is known to have made.
        unmatched: Option<usize>,
    },
}

/// Signatures whose message was read.
pub struct Decision<'q, E> {
    signatures: &'q [Object],
    candidates: Vec<HashedCandidate>,
    accepted: Vec<MatchedPair>,
    restricted: Vec<MatchedPair>,
    rejection: Rejection,
    failure: Option<DecisionError<E>>,
    next: usize,
}

impl<'q, E> Decision<'q, E> {
    /// Starts a decision between candidates. `rejection` is the verdict if no candidate has made a signature.
    pub fn new(signatures: &'q [Object], candidates: Vec<HashedCandidate>, rejection: Rejection) -> Self {
        let (accepted, restricted) = (Vec::new(), Vec::new());
        Self { signatures, candidates, accepted, restricted, rejection, failure: None, next: 0 }
    }

    /// Moves to the next candidate that can change the verdict, and returns whether there is one.
    pub fn advance(&mut self, policy: &Policy<'_>) -> bool {
        if self.failure.is_some() || self.accepted.len() >= policy.required {
            return false;
        }
        let mut open = self.candidates.iter().skip(self.next);
        let Some(skipped) = open.position(|candidate| !self.is_settled(candidate, policy.keys)) else { return false };
        self.next += skipped;
        true
    }

    /// Returns whether a candidate cannot change the verdict: the key of its signature is known, or its key has signed.
    fn is_settled(&self, candidate: &HashedCandidate, keys: &[TrustedKey]) -> bool {
        let mut matched = self.accepted.iter().chain(&self.restricted);
        if matched.any(|it| it.signature == candidate.signature) {
            return true;
        }
        self.accepted.iter().any(|it| keys[it.key].identity() == keys[candidate.key].identity())
    }

    /// Returns the question to the library: whether the candidate that [`Self::advance`] found has made its signature.
    ///
    /// # Errors
    /// The algorithm of the key cannot have such a signature.
    pub fn question<'a>(&'a self, keys: &'a [TrustedKey]) -> Result<BatchItem<'a>, VerifyError> {
        let HashedCandidate { signature, key, hashed } = &self.candidates[self.next];
        let message = hashed.as_ref().ok_or(VerifyError::Encoding)?.into();
        Ok(BatchItem { key: keys[*key].expanded(), message, signature: &self.signatures[*signature].bytes })
    }

    /// Takes the answer of the library to the [`question`](Self::question). A key with a restriction that the message does not meet does not
    /// count. `context` is the context of the verification.
    pub fn answer<C: Calendar<Error = E>>(
        &mut self,
        answer: Result<Verified, VerifyError>,
        policy: &Policy<'_>,
        context: &[u8],
        calendar: &C,
    ) {
        let HashedCandidate { signature, key, .. } = self.candidates[self.next];
        self.next += 1;
        let trusted = &policy.keys[key];
        match answer {
            Ok(verified) => {
                let matched = MatchedPair { signature, key, evidence: Evidence::of(verified) };
                match trusted.terms.restriction(context, calendar) {
                    Ok(None) => self.accepted.push(matched),
                    Ok(Some(_)) => self.restricted.push(matched),
                    Err(e) => self.failure = Some(DecisionError::Day(e)),
                }
            }
            Err(VerifyError::Mismatch) => {}
            Err(e @ (VerifyError::Work(_) | VerifyError::OtherMessage)) => {
                self.failure = Some(DecisionError::Internal(e));
            }
            Err(_) => self.rejection = Rejection::of_malformed(&self.signatures[signature], trusted.algorithm()),
        }
    }

    /// Returns the number of different keys that have signed and count.
    fn distinct(&self, keys: &[TrustedKey]) -> usize {
        let mut identities: Vec<_> = self.accepted.iter().map(|it| keys[it.key].identity()).collect();
        identities.sort_unstable();
        identities.dedup();
        identities.len()
    }

    /// Returns whether as many keys as required have signed, so that the verdict is YES.
    pub fn is_accepted(&self, policy: &Policy<'_>) -> bool {
        self.failure.is_none() && self.distinct(policy.keys) >= policy.required
    }

    /// Returns the verdict.
    ///
    /// # Errors
    /// There is no verdict: the day is unknown, or the library failed.
    pub fn conclude<C: Calendar<Error = E>>(
        self,
        policy: &Policy<'_>,
        context: &[u8],
        calendar: &C,
    ) -> Result<DecisionOutcome, DecisionError<E>> {
        let distinct = self.distinct(policy.keys);
        let Self { signatures, accepted, restricted, rejection, failure, .. } = self;
        if let Some(failure) = failure {
            return Err(failure);
        }
        let restriction =
            |key: usize| black_box(&policy.keys[key].terms).restriction(context, calendar).map_err(DecisionError::Day);
        let keys: Vec<_> = accepted.iter().map(|it| it.key).collect();
        if distinct >= policy.required {
            // The policy is applied a second time: a faulty machine must not turn a NO into a YES.
            let mut each = Vec::new();
            for it in &accepted {
                if restriction(it.key)?.is_none() {
                    each.push(it.evidence);
                }
            }
            return Ok(DecisionOutcome::Accepted { keys, evidence: Evidence::of_all(&each, policy.required_again()) });
        }
        let unmatched =
            (0..signatures.len()).find(|number| !accepted.iter().chain(&restricted).any(|it| it.signature == *number));
        let broken = match restricted.first() {
            Some(it) => restriction(it.key)?.map(|broken| (it.key, broken)),
            None => None,
        };
        let key = broken.as_ref().map(|(key, _)| *key);
        let rejection = match broken {
            Some((key, restriction)) => Rejection::Restricted { key: policy.keys[key].name(), restriction },
            None if !keys.is_empty() => Rejection::TooFew { found: distinct, required: policy.required },
            None => rejection,
        };
        Ok(DecisionOutcome::Rejected { rejection, keys, restricted: key, unmatched })
    }
}
