//! The signatures of one file whose message was read: which key may have made which of them, and what is known so far.
//!
//! The verdict is NO until as many keys as are required have matched. A key counts once, however many signatures it has
//! made and in however many forms it is given, and a signature counts for one key.

use super::explain::Explainer;
use super::message::MessageForm;
use super::no::No;
use super::public::TrustedKey;
use super::signatures::Signatures;
use crate::tool::report::{Error, Yes};
use fndsa::{BatchItem, Hashed, Verified, VerifyError};

/// A key that may have made a signature, and the message as it is hashed for the two; `None` where the algorithm cannot
/// have such a signature.
pub struct Contender {
    /// The number of the signature in its file, from 0.
    pub signature: usize,
    /// The number of the key, from 0.
    pub key: usize,
    /// The message.
    pub hashed: Option<Hashed>,
}

/// A signature that a key has made.
pub struct Matched {
    /// The number of the signature in its file, from 0.
    pub signature: usize,
    /// The number of the key, from 0.
    pub key: usize,
    /// The YES of the library.
    pub yes: Yes,
}

/// Signatures whose message was read.
pub struct Pending<'q> {
    /// How the message was signed.
    pub form: &'q MessageForm,
    /// The signatures.
    pub signatures: &'q Signatures,
    /// One for each signature, where a NO is to be explained.
    pub explainers: Vec<Explainer<'q>>,
    /// Who may have made which signature.
    pub candidates: Vec<Contender>,
    /// The length of the message.
    pub bytes: u64,
    /// What has matched and counts.
    pub counted: Vec<Matched>,
    /// What has matched, by a key that does not count.
    pub void: Vec<Matched>,
    /// What is wrong where nothing has matched.
    pub no: No,
    /// Why there is no verdict.
    pub failure: Option<Error>,
    /// The number of the next candidate.
    next: usize,
}

impl<'q> Pending<'q> {
    /// Begins with nothing decided.
    pub fn new(form: &'q MessageForm, signatures: &'q Signatures, no: No) -> Self {
        Self {
            form,
            signatures,
            explainers: Vec::new(),
            candidates: Vec::new(),
            bytes: 0,
            counted: Vec::new(),
            void: Vec::new(),
            no,
            failure: None,
            next: 0,
        }
    }

    /// Goes on to the next candidate that can still change the verdict, and returns whether there is one.
    pub fn advance(&mut self, keys: &[TrustedKey], required: usize) -> bool {
        if self.failure.is_some() || self.counted.len() >= required {
            return false;
        }
        let is_settled = |candidate: &Contender| {
            let mut matched = self.counted.iter().chain(&self.void);
            let same_key = |it: &Matched| keys[it.key].identity() == keys[candidate.key].identity();
            matched.any(|it| it.signature == candidate.signature) || self.counted.iter().any(same_key)
        };
        let open = self.candidates.iter().skip(self.next).position(|candidate| !is_settled(candidate));
        self.next += open.unwrap_or(0);
        open.is_some()
    }

    /// Returns the candidate that [`Self::advance`] has found.
    fn candidate(&self) -> &Contender {
        &self.candidates[self.next]
    }

    /// Returns the question that the candidate is.
    ///
    /// # Errors
    /// The message cannot be hashed for the signature: that is none of this key.
    pub fn question<'a>(&'a self, keys: &'a [TrustedKey]) -> Result<BatchItem<'a>, VerifyError> {
        let Contender { signature, key, hashed } = self.candidate();
        let message = hashed.as_ref().ok_or(VerifyError::Encoding)?.into();
        Ok(BatchItem { key: keys[*key].expanded(), message, signature: &self.signatures.known[*signature].bytes })
    }

    /// Takes the answer of the library to that question. A key that `counts` does not let in has no part in the verdict;
    /// `malformed` says what is wrong with a signature that is none of a key.
    pub fn take(
        &mut self,
        answer: Result<Verified, VerifyError>,
        counts: impl Fn(&TrustedKey) -> Result<bool, Error>,
        keys: &[TrustedKey],
        malformed: impl Fn(usize, usize) -> No,
    ) {
        let &Contender { signature, key, .. } = self.candidate();
        self.next += 1;
        match answer {
            Ok(verified) => {
                let matched = Matched { signature, key, yes: Yes::of(verified) };
                match counts(&keys[key]) {
                    Ok(true) => self.counted.push(matched),
                    Ok(false) => self.void.push(matched),
                    Err(e) => self.failure = Some(e),
                }
            }
            Err(VerifyError::Mismatch) => {}
            Err(e @ (VerifyError::Work(_) | VerifyError::OtherMessage)) => {
                self.failure = Some(Error::Internal(e.to_string()));
            }
            Err(_) => self.no = malformed(signature, key),
        }
    }

    /// Returns how many keys have matched and count.
    pub fn distinct(&self, keys: &[TrustedKey]) -> usize {
        let mut identities: Vec<_> = self.counted.iter().map(|it| keys[it.key].identity()).collect();
        identities.sort_unstable();
        identities.dedup();
        identities.len()
    }
}
