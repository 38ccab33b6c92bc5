//! Computes the verdict on the signatures for a file: counts the keys that have signed, and
//! compares their number with the policy. `in_memory`, the command-line program (`Verifier`) and
//! the web page use [`Decision`].
//!
//! The verdict is NO until the required number of keys have signed. Each key is counted once, even
//! if the key created several signatures or is given in several key files. Each signature is
//! counted for a single key.

use super::evidence::Evidence;
use super::key_terms::DateSource;
use super::policy::{Policy, SignaturePair};
use super::rejection::Rejection;
use super::trusted_key::TrustedKey;
use crate::api::{BatchItem, HashedMessage, Verified, VerifyError};
use crate::files::FileObject;
use alloc::vec::Vec;
use core::fmt;
use core::hint::black_box;

/// A candidate: a signature, a key that could have created it, and the message as hashed for this
/// signature and key.
#[non_exhaustive]
pub struct HashedCandidate {
    /// The signature's index in its file.
    pub signature: usize,
    /// The key's index in the policy.
    pub key: usize,
    /// The hashed message. `None` if the signature cannot be parsed for the key's algorithm.
    pub hashed: Option<HashedMessage>,
}

impl HashedCandidate {
    /// Creates a candidate from a pair in [`PairSelection::Possible`](super::PairSelection).
    pub const fn new(pair: SignaturePair, hashed: Option<HashedMessage>) -> Self {
        Self { signature: pair.signature, key: pair.key, hashed }
    }
}

/// A signature that is valid for a key.
struct MatchedPair {
    /// The candidate's index in [`Decision`].
    candidate: usize,
    /// The signature's index in its file.
    signature: usize,
    /// The key's index in the policy.
    key: usize,
    evidence: Evidence,
}

/// The reason why there is no verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecisionError<E> {
    /// The library returned an error that does not depend on the signature. This is a bug.
    Internal(VerifyError),
    /// The current date is unknown. The value is the error of the date source.
    Clock(E),
}

impl<E: fmt::Display> fmt::Display for DecisionError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Internal(e) => write!(f, "{e}"),
            Self::Clock(e) => write!(f, "{e}"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for DecisionError<E> {}

/// The verdict for a file. Use [`Self::is_accepted`] to find out whether the verdict is YES.
#[derive(Clone, Debug)]
#[must_use]
pub enum DecisionOutcome {
    /// YES: the required number of keys have signed.
    Accepted {
        /// The indices of the keys that were counted. Other keys may also have signed, because the
        /// decision stops when enough keys have signed.
        keys: Vec<usize>,
        /// The evidence for the YES: a number that only complete checks can compute. The caller
        /// must call [`Evidence::holds`]. If the result is false, the machine had a fault, or a key
        /// expired during the verification.
        evidence: Evidence,
    },
    /// The verdict is NO.
    Rejected {
        /// The reason for the verdict NO.
        rejection: Rejection,
        /// The indices of the keys that have signed.
        keys: Vec<usize>,
        /// The index of the first key that has signed, but has a restriction that the message does
        /// not meet.
        restricted: Option<usize>,
        /// The index of the first signature without a successful check. It can be a further
        /// signature by a counted key, because the decision does not verify such signatures.
        unmatched: Option<usize>,
    },
}

impl DecisionOutcome {
    /// Returns whether the verdict is YES and its evidence holds.
    pub fn is_accepted(&self) -> bool {
        match self {
            Self::Accepted { evidence, .. } => evidence.holds(),
            Self::Rejected { .. } => false,
        }
    }
}

/// A decision in progress. The caller has hashed the message for all candidates, and calls
/// [`Self::advance`], [`Self::question`] and [`Self::answer`] until there is a verdict.
pub struct Decision<'q, E> {
    signatures: &'q [FileObject],
    candidates: Vec<HashedCandidate>,
    /// The valid pairs whose keys were counted.
    accepted: Vec<MatchedPair>,
    /// The valid pairs whose keys have a restriction that the message does not meet.
    restricted: Vec<MatchedPair>,
    rejection: Rejection,
    failure: Option<DecisionError<E>>,
    /// The index of the next candidate to verify.
    next: usize,
}

impl<'q, E> Decision<'q, E> {
    /// Starts a decision. If no candidate has a valid signature, the verdict is NO with the reason
    /// `rejection`, or with the defect of the last malformed signature.
    pub fn new(signatures: &'q [FileObject], candidates: Vec<HashedCandidate>, rejection: Rejection) -> Self {
        let (accepted, restricted) = (Vec::new(), Vec::new());
        Self { signatures, candidates, accepted, restricted, rejection, failure: None, next: 0 }
    }

    /// Advances to the next candidate that must be verified. Returns false if enough keys have
    /// signed, if an error occurred, or if no candidate is left that can change the verdict.
    pub fn advance(&mut self, policy: &Policy<'_>) -> bool {
        if self.failure.is_some() || self.accepted.len() >= policy.required {
            return false;
        }
        let mut remaining = self.candidates.iter().skip(self.next);
        let Some(skipped) = remaining.position(|candidate| !self.is_settled(candidate, policy.keys)) else {
            return false;
        };
        self.next += skipped;
        true
    }

    /// Returns true if the decision can skip a candidate: its signature was already valid for a
    /// key, or its key was already counted.
    fn is_settled(&self, candidate: &HashedCandidate, keys: &[TrustedKey]) -> bool {
        let mut matched_pairs = self.accepted.iter().chain(&self.restricted);
        if matched_pairs.any(|pair| pair.signature == candidate.signature) {
            return true;
        }
        self.accepted.iter().any(|pair| keys[pair.key].identity() == keys[candidate.key].identity())
    }

    /// Returns the signature, the key and the hashed message of the candidate that
    /// [`Self::advance`] has selected. The caller must verify this signature, and pass the result
    /// to [`Self::answer`]. If this function fails, the caller must pass its error to
    /// [`Self::answer`].
    ///
    /// # Errors
    /// Fails if the signature cannot be parsed for the key's algorithm.
    pub fn question<'a>(&'a self, keys: &'a [TrustedKey]) -> Result<BatchItem<'a>, VerifyError> {
        let HashedCandidate { signature, key, hashed } = &self.candidates[self.next];
        let message = hashed.as_ref().ok_or(VerifyError::Encoding)?.into();
        Ok(BatchItem { key: keys[*key].expanded(), message, signature: &self.signatures[*signature].bytes })
    }

    /// Adds the verification result for the current [`question`](Self::question). A valid signature
    /// is not counted if the key has a restriction that the message does not meet, for example a
    /// different context. `context` is the context of the message.
    pub fn answer<C: DateSource<Error = E>>(
        &mut self,
        answer: Result<Verified, VerifyError>,
        policy: &Policy<'_>,
        context: &[u8],
        dates: &C,
    ) {
        let HashedCandidate { signature, key, .. } = self.candidates[self.next];
        let candidate = self.next;
        self.next += 1;
        let trusted_key = &policy.keys[key];
        match answer {
            Ok(verified) => {
                let matched_pair = MatchedPair { candidate, signature, key, evidence: Evidence::of(verified) };
                match trusted_key.terms.restriction(context, dates) {
                    Ok(None) => self.accepted.push(matched_pair),
                    Ok(Some(_)) => self.restricted.push(matched_pair),
                    Err(e) => self.failure = Some(DecisionError::Clock(e)),
                }
            }
            Err(VerifyError::Mismatch) => {}
            Err(e @ (VerifyError::Work(_) | VerifyError::OtherMessage)) => {
                self.failure = Some(DecisionError::Internal(e));
            }
            Err(_) => self.rejection = Rejection::of_malformed(&self.signatures[signature], trusted_key.algorithm()),
        }
    }

    /// Returns the number of different keys that were counted. A key that is given in several
    /// schemes or files is counted once.
    fn distinct_key_count(&self, keys: &[TrustedKey]) -> usize {
        let mut identities = Vec::with_capacity(self.accepted.len());
        for pair in &self.accepted {
            let identity = keys[pair.key].identity();
            if !identities.contains(&identity) {
                identities.push(identity);
            }
        }
        identities.len()
    }

    /// Returns the indices of the candidates that were counted, in the order of
    /// [`DecisionOutcome::Accepted::keys`]. If the caller has hashed several encodings of the
    /// message, these indices show which encoding each signature covers.
    pub fn accepted_candidates(&self) -> Vec<usize> {
        self.accepted.iter().map(|pair| pair.candidate).collect()
    }

    /// Returns whether enough keys have signed. If the result is true, [`Self::conclude`] returns
    /// [`DecisionOutcome::Accepted`], unless the current date has become unknown.
    pub fn is_accepted(&self, policy: &Policy<'_>) -> bool {
        self.failure.is_none() && self.distinct_key_count(policy.keys) >= policy.required
    }

    /// Ends the decision and returns the verdict.
    ///
    /// # Errors
    /// Fails if the current date is unknown, or if the library returned an internal error.
    pub fn conclude<C: DateSource<Error = E>>(
        self,
        policy: &Policy<'_>,
        context: &[u8],
        dates: &C,
    ) -> Result<DecisionOutcome, DecisionError<E>> {
        let key_count = self.distinct_key_count(policy.keys);
        let Self { signatures, accepted, restricted, mut rejection, failure, .. } = self;
        if let Some(failure) = failure {
            return Err(failure);
        }
        let restriction =
            |key: usize| black_box(&policy.keys[key].terms).restriction(context, dates).map_err(DecisionError::Clock);
        let keys: Vec<_> = accepted.iter().map(|pair| pair.key).collect();
        if key_count >= policy.required {
            // The restrictions are checked a second time, because a single fault in the first check
            // could otherwise turn a NO into a YES.
            let mut evidence_values = Vec::new();
            for pair in &accepted {
                if restriction(pair.key)?.is_none() {
                    evidence_values.push(pair.evidence);
                }
            }
            return Ok(DecisionOutcome::Accepted {
                keys,
                evidence: Evidence::of_all(&evidence_values, policy.recomputed_required()),
            });
        }
        let unmatched = (0..signatures.len())
            .find(|number| !accepted.iter().chain(&restricted).any(|pair| pair.signature == *number));
        let mut restricted_key = None;
        if let Some(pair) = restricted.first()
            && let Some(restriction) = restriction(pair.key)?
        {
            restricted_key = Some(pair.key);
            rejection = Rejection::Restricted { key: policy.keys[pair.key].description(), restriction };
        } else if !keys.is_empty() {
            rejection = Rejection::TooFew { found: key_count, required: policy.required };
        }
        Ok(DecisionOutcome::Rejected { rejection, keys, restricted: restricted_key, unmatched })
    }
}
