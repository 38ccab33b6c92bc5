//! The decision about the signatures for a file: which keys have signed, and whether they are
//! enough.
//!
//! The verdict is NO until the required number of keys have signed. A key is counted once, even if
//! it created several signatures or is in several files. A signature is counted for a single key.

use super::evidence::Evidence;
use super::key_terms::DateSource;
use super::policy::Policy;
use super::rejection::Rejection;
use super::trusted_key::TrustedKey;
use crate::api::{BatchItem, HashedMessage, Verified, VerifyError};
use crate::files::FileObject;
use alloc::vec::Vec;
use core::hint::black_box;

/// A key that could have created a signature, and the hashed message for this key and signature.
pub struct HashedCandidate {
    /// The number of the signature in its file, from 0.
    pub signature: usize,
    /// The number of the key, from 0.
    pub key: usize,
    /// The hashed message. `None` if such a signature is not possible for the key's algorithm.
    pub hashed: Option<HashedMessage>,
}

/// A signature that was verified with a key.
struct MatchedPair {
    signature: usize,
    key: usize,
    evidence: Evidence,
}

/// The reason why there is no verdict.
pub enum DecisionError<E> {
    /// The library failed. This is a bug.
    Internal(VerifyError),
    /// The date is unknown.
    Day(E),
}

/// The verdict for a file.
pub enum DecisionOutcome {
    /// YES: the required number of keys have signed.
    Accepted {
        /// The numbers of the keys that were counted. The check stops when they are enough.
        keys: Vec<usize>,
        /// The evidence for the YES. The caller must check that it holds: if it does not, a fault
        /// was detected, or a key has expired during the verification.
        evidence: Evidence,
    },
    /// NO.
    Rejected {
        /// The reason.
        rejection: Rejection,
        /// The numbers of the keys that have signed.
        keys: Vec<usize>,
        /// The number of the first key that has signed but is under a restriction that the message
        /// does not meet.
        restricted: Option<usize>,
        /// The number of the first signature that could not be verified with any key.
        unmatched: Option<usize>,
    },
}

/// A decision in progress. The caller has read the message and hashed it for all candidates.
pub struct Decision<'q, E> {
    signatures: &'q [FileObject],
    candidates: Vec<HashedCandidate>,
    accepted: Vec<MatchedPair>,
    restricted: Vec<MatchedPair>,
    rejection: Rejection,
    failure: Option<DecisionError<E>>,
    next: usize,
}

impl<'q, E> Decision<'q, E> {
    /// Starts a decision. If no signature can be verified with a candidate key, the verdict is
    /// `rejection`.
    pub fn new(signatures: &'q [FileObject], candidates: Vec<HashedCandidate>, rejection: Rejection) -> Self {
        let (accepted, restricted) = (Vec::new(), Vec::new());
        Self { signatures, candidates, accepted, restricted, rejection, failure: None, next: 0 }
    }

    /// Moves to the next candidate that can change the verdict. Returns false if there is no such
    /// candidate.
    pub fn advance(&mut self, policy: &Policy<'_>) -> bool {
        if self.failure.is_some() || self.accepted.len() >= policy.required {
            return false;
        }
        let mut open = self.candidates.iter().skip(self.next);
        let Some(skipped) = open.position(|candidate| !self.is_settled(candidate, policy.keys)) else { return false };
        self.next += skipped;
        true
    }

    /// Returns whether a candidate cannot change the verdict, because its signature was already
    /// verified with a key, or its key has already signed.
    fn is_settled(&self, candidate: &HashedCandidate, keys: &[TrustedKey]) -> bool {
        let mut matched = self.accepted.iter().chain(&self.restricted);
        if matched.any(|it| it.signature == candidate.signature) {
            return true;
        }
        self.accepted.iter().any(|it| keys[it.key].identity() == keys[candidate.key].identity())
    }

    /// Returns the arguments for the library to verify the current candidate, which was found by
    /// [`Self::advance`].
    ///
    /// # Errors
    /// Such a signature is not possible for the key's algorithm.
    pub fn question<'a>(&'a self, keys: &'a [TrustedKey]) -> Result<BatchItem<'a>, VerifyError> {
        let HashedCandidate { signature, key, hashed } = &self.candidates[self.next];
        let message = hashed.as_ref().ok_or(VerifyError::Encoding)?.into();
        Ok(BatchItem { key: keys[*key].expanded(), message, signature: &self.signatures[*signature].bytes })
    }

    /// Processes the library's answer to the [`question`](Self::question). If the key is under a
    /// restriction that the message does not meet, the signature is not counted. `context` is the
    /// context of the verification.
    pub fn answer<C: DateSource<Error = E>>(
        &mut self,
        answer: Result<Verified, VerifyError>,
        policy: &Policy<'_>,
        context: &[u8],
        dates: &C,
    ) {
        let HashedCandidate { signature, key, .. } = self.candidates[self.next];
        self.next += 1;
        let trusted = &policy.keys[key];
        match answer {
            Ok(verified) => {
                let matched = MatchedPair { signature, key, evidence: Evidence::of(verified) };
                match trusted.terms.restriction(context, dates) {
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

    /// Returns how many different keys have signed and are counted.
    fn distinct(&self, keys: &[TrustedKey]) -> usize {
        let mut identities: Vec<_> = self.accepted.iter().map(|it| keys[it.key].identity()).collect();
        identities.sort_unstable();
        identities.dedup();
        identities.len()
    }

    /// Returns whether the required number of keys have signed, so that the verdict is YES.
    pub fn is_accepted(&self, policy: &Policy<'_>) -> bool {
        self.failure.is_none() && self.distinct(policy.keys) >= policy.required
    }

    /// Returns the verdict.
    ///
    /// # Errors
    /// There is no verdict: the date is unknown, or the library failed.
    pub fn conclude<C: DateSource<Error = E>>(
        self,
        policy: &Policy<'_>,
        context: &[u8],
        dates: &C,
    ) -> Result<DecisionOutcome, DecisionError<E>> {
        let distinct = self.distinct(policy.keys);
        let Self { signatures, accepted, restricted, rejection, failure, .. } = self;
        if let Some(failure) = failure {
            return Err(failure);
        }
        let restriction =
            |key: usize| black_box(&policy.keys[key].terms).restriction(context, dates).map_err(DecisionError::Day);
        let keys: Vec<_> = accepted.iter().map(|it| it.key).collect();
        if distinct >= policy.required {
            // The restrictions are checked a second time, because a fault must not turn a NO into a
            // YES.
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
