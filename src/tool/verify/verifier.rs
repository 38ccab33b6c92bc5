//! Yes or no: one signature over one file, or over bytes in memory.

use super::alternatives::proven_cause;
use super::explain::{Explainer, Explanation};
use super::note_cause::{named_signer, note_cause, note_value};
use crate::tool::io::{Input, InputSource, MemoryInput, Reading, drain};
use crate::tool::keys::signature_file::Signatures;
use crate::tool::message::form::MessageForm;
use crate::tool::report::{Entry, Error, Evidence, Hint};
use crate::tool::run::ordered::among;
use crate::tool::trust::clock::Clock;
use fndsa::Algorithm;
use fndsa::batch::{BatchItem, verified_batch};
use fndsa::error::{BatchError, VerifyError};
use fndsa::no_alloc::{Level, Verified};
pub use fndsa::verdict::Rejection;
use fndsa::verdict::envelope::EnvelopeContents;
use fndsa::verdict::signature_note::line;
use fndsa::verdict::text::GIVE_THE_SIGNER_S;
use fndsa::verdict::{
    Decision, DecisionError, DecisionOutcome, HashedCandidate, PairSelection, Policy, SignatureNote, SignaturePair,
    TrustedKey,
};
use serde_json::json;
use std::fmt::Display;

/// Keys in a hint.
const SHOWN_KEYS: usize = 3;
/// PairSelection of a signature and a key for which a message is hashed at once, whichever key a signature names.
const FEW_PAIRS: usize = 8;

/// The answer YES on one file.
pub struct Match {
    /// The numbers of the keys that match, from 0: as many as are required, and at least one.
    pub keys: Vec<usize>,
    /// The bytes read.
    pub bytes: u64,
    /// The YES of the library on all of them, for the sum.
    pub yes: Evidence,
    /// What in the file of the signatures counts for nothing.
    pub ignored: Vec<String>,
}

/// The verdict on one file.
pub enum Verdict {
    /// A key that counts has made the signature: YES.
    Yes(Match),
    /// No key that counts has made the signature: NO.
    No(Refused),
}

impl Verdict {
    /// Returns what a YES has found; `None` for a NO.
    pub fn found(&self) -> Option<&Match> {
        match self {
            Self::Yes(found) => Some(found),
            Self::No(_) => None,
        }
    }

    /// Returns what in the file of the signatures counts for nothing.
    pub fn ignored(&self) -> &[String] {
        match self {
            Self::Yes(found) => &found.ignored,
            Self::No(refused) => &refused.ignored,
        }
    }
}

/// The answer NO, and what is known about it.
pub struct Refused {
    /// The answer.
    pub no: Rejection,
    /// The next step, if there is one.
    pub hint: Hint,
    /// What `--explain` found out, which never changes the answer.
    pub explanation: Option<Explanation>,
    /// What the file of the signature says of itself; nothing of it is proven.
    pub claims: Option<SignatureNote>,
    /// What in the file of the signatures counts for nothing.
    pub ignored: Vec<String>,
    /// The key that has made the signature, if that key is expired or revoked.
    pub signer: Option<(Algorithm, String)>,
}

impl From<Rejection> for Refused {
    fn from(no: Rejection) -> Self {
        let hint = Hint::from(no.hint());
        Self { no, hint, explanation: None, claims: None, ignored: Vec::new(), signer: None }
    }
}

impl Refused {
    /// Returns a rejection with a better hint, if there is a better hint.
    pub fn hinting(no: Rejection, hint: Option<String>) -> Self {
        let refused = Self::from(no);
        Self { hint: hint.map_or(refused.hint, Hint::from), ..refused }
    }

    /// Completes the result for JSON.
    pub fn entry(&self, entry: Entry) -> Entry {
        let entry = entry.failed(self.no.reason(), &self.no.words(), &self.hint);
        let entry = match &self.signer {
            Some((algorithm, fingerprint)) => entry.algorithm(*algorithm).key(fingerprint),
            None => entry,
        };
        let entry = match &self.explanation {
            Some(explanation) => {
                entry.set("explain", json!([explanation.text])).set("cause", explanation.cause.clone())
            }
            None => entry,
        };
        match &self.claims {
            Some(claims) => entry.set("claims", note_value(claims)),
            None => entry,
        }
    }
}

/// Signatures, what they are to be over, and how that was signed.
pub struct Asked<'a> {
    /// How the message was signed, in place of the form of the verifier.
    pub form: &'a MessageForm,
    /// The signatures.
    pub signatures: Signatures,
    /// The message, of which nothing is read yet.
    pub input: Box<dyn Input + 'a>,
}

/// A message that `--explain` reads at the same time.
struct Overheard<'a, 'e> {
    input: &'a mut dyn Input,
    explainers: &'a mut [Explainer<'e>],
}

impl Input for Overheard<'_, '_> {
    fn name(&self) -> &dyn Display {
        self.input.name()
    }

    fn reading(&self) -> Reading {
        self.input.reading()
    }

    fn next(&mut self) -> Result<&[u8], Error> {
        let piece = self.input.next()?;
        self.explainers.iter_mut().for_each(|explainer| explainer.absorb(piece));
        Ok(piece)
    }
}

/// Signatures whose message was read, and the explainers that heard the message.
struct ReadMessage<'q> {
    form: &'q MessageForm,
    signatures: &'q Signatures,
    decision: Decision<'q, Error>,
    explainers: Vec<Explainer<'q>>,
    bytes: u64,
}

/// The policy, and the options that all files share.
pub struct Verifier<'a> {
    /// Which keys count, and how many of them must have signed.
    pub policy: Policy<'a>,
    /// The form of the messages, unless a request names another.
    pub form: MessageForm,
    /// The level to run.
    pub level: Level,
    /// The day that the dates of key lines are compared with.
    pub clock: Clock,
    /// Whether a NO is explained.
    pub explain: bool,
}

impl Verifier<'_> {
    /// Verifies a signature file over a file. The algorithm comes from the keys; the signature can only agree. `work`
    /// is kept from call to call.
    ///
    /// # Errors
    /// There is no verdict: the signature or the file cannot be read.
    pub fn check(
        &self,
        work: &mut Vec<u8>,
        signature: &InputSource,
        file: &InputSource,
        input: &mut dyn Input,
    ) -> Result<Verdict, Error> {
        self.check_signatures(work, &Signatures::load(signature, file)?, input)
    }

    /// Verifies signatures that were read already. `work` is kept from call to call.
    ///
    /// # Errors
    /// There is no verdict: the file cannot be read.
    pub fn check_signatures(
        &self,
        work: &mut Vec<u8>,
        signatures: &Signatures,
        input: &mut dyn Input,
    ) -> Result<Verdict, Error> {
        let mut question = self.read(work, &self.form, signatures, input)?;
        self.decide(work, &mut [&mut question]);
        let verdict = self.conclude(work, question)?;
        Ok(self.with_proven_cause(verdict, work, &self.form, signatures, input))
    }

    /// Verifies the signatures of an envelope over the bytes in the envelope, and the conditions of its format. `work` is kept from call
    /// to call, and `name` is the name of the envelope in messages.
    ///
    /// # Errors
    /// There is no verdict.
    pub fn check_envelope(
        &self,
        work: &mut Vec<u8>,
        signatures: &Signatures,
        contents: &EnvelopeContents<'_>,
        name: &dyn Display,
    ) -> Result<Verdict, Error> {
        let Some((signed, message)) = contents.covered.enclosed() else {
            return Err(Error::Internal("the envelope does not contain the message".to_owned()));
        };
        let mut verdict = self.check_signatures(work, signatures, &mut MemoryInput::new(name, signed))?;
        let Verdict::Yes(found) = &mut verdict else { return Ok(verdict) };
        let notes = found.keys.iter().map(|key| {
            let key = &self.policy.keys[*key];
            line(key.algorithm(), &key.public.fingerprint, &self.form.noted())
        });
        if let Err(rejection) = contents.check_notes(&signatures.known, notes) {
            return Ok(Verdict::No(rejection.into()));
        }
        found.yes = contents.confirm(found.yes);
        found.bytes = message.len() as u64;
        Ok(verdict)
    }

    /// Returns whether as many keys as required have signed an input.
    fn matches(&self, work: &mut Vec<u8>, form: &MessageForm, signatures: &Signatures, input: &mut dyn Input) -> bool {
        let Ok(mut question) = self.read(work, form, signatures, input) else { return false };
        self.decide(work, &mut [&mut question]);
        question.decision.is_accepted(&self.policy)
    }

    /// Replaces the hint of a signature that does not match by a cause that an additional check has proven. The verdict
    /// stays as it is.
    fn with_proven_cause(
        &self,
        mut verdict: Verdict,
        work: &mut Vec<u8>,
        form: &MessageForm,
        signatures: &Signatures,
        input: &mut dyn Input,
    ) -> Verdict {
        if let Verdict::No(refused) = &mut verdict
            && matches!(refused.no, Rejection::Mismatch { .. })
            && refused.explanation.as_ref().is_none_or(|it| it.cause.is_null())
            && let Some(cause) =
                proven_cause(self.policy.keys, signatures, input, |other| self.matches(work, form, signatures, other))
        {
            refused.hint = Hint::from(cause);
            if let Some(explanation) = &mut refused.explanation {
                cause.clone_into(&mut explanation.text);
            }
        }
        verdict
    }

    /// Verifies the signatures of several files, and returns the verdicts in order. The library verifies them together, which is faster. An
    /// error in one file does not affect the others. `work` is kept from call to call.
    pub fn check_together(
        &self,
        work: &mut Vec<u8>,
        asked: Vec<Result<Asked<'_>, Error>>,
    ) -> Vec<Result<Verdict, Error>> {
        let checked = among(asked, |mut asked| {
            let read = asked.iter_mut().map(|it| self.read(work, it.form, &it.signatures, &mut *it.input));
            let mut questions: Vec<_> = read.collect();
            self.decide(work, &mut questions.iter_mut().flatten().collect::<Vec<_>>());
            let verdicts: Vec<_> = questions.into_iter().map(|question| self.conclude(work, question?)).collect();
            let verdicts = verdicts.into_iter().zip(&mut asked);
            let explained = verdicts.map(|(verdict, Asked { form, signatures, input })| {
                Ok(self.with_proven_cause(verdict?, work, form, signatures, &mut **input))
            });
            explained.collect()
        });
        checked.into_iter().map(Result::flatten).collect()
    }

    /// Reads an input, and hashes it for each key that may have made one of its signatures. If there are many such keys and the input can be
    /// read again, it is first hashed only for the keys that the signature notes name. Nobody has signed the notes, so this decides only
    /// if these keys have made the signatures.
    ///
    /// # Errors
    /// The input cannot be read, or no key that fits has signatures of this form.
    fn read<'q>(
        &'q self,
        work: &mut Vec<u8>,
        form: &'q MessageForm,
        signatures: &'q Signatures,
        input: &mut dyn Input,
    ) -> Result<ReadMessage<'q>, Error> {
        let mut explainers = Vec::new();
        if self.explain {
            for signature in &signatures.known {
                explainers.push(Explainer::new(self.level, self.policy.keys, form, signature));
            }
        }
        let pairs = match self.policy.pairs(&signatures.known, |algorithm| form.check(algorithm))? {
            PairSelection::Possible(pairs) => pairs,
            PairSelection::Rejected(rejection) => {
                // The verdict is known. The input is only read to find the cause.
                if explainers.iter().any(Explainer::has_candidates) {
                    let _ = drain(&mut Overheard { input, explainers: &mut explainers }, |_| ());
                }
                let decision = Decision::new(&signatures.known, Vec::new(), rejection);
                return Ok(ReadMessage { form, signatures, decision, explainers, bytes: 0 });
            }
        };
        if pairs.len() > FEW_PAIRS && input.reading() == Reading::Again {
            let mut named = self.hashed(form, signatures, self.named(signatures, &pairs), input)?;
            self.decide(work, &mut [&mut named]);
            if named.decision.is_accepted(&self.policy) {
                return Ok(named);
            }
        }
        let question = self.hashed(form, signatures, pairs, &mut Overheard { input, explainers: &mut explainers })?;
        Ok(ReadMessage { explainers, ..question })
    }

    /// Hashes an input for pairs of a signature and a key. Without pairs, nothing is read.
    ///
    /// # Errors
    /// The input cannot be read.
    fn hashed<'q>(
        &'q self,
        form: &'q MessageForm,
        signatures: &'q Signatures,
        pairs: Vec<SignaturePair>,
        input: &mut dyn Input,
    ) -> Result<ReadMessage<'q>, Error> {
        let several = pairs.iter().any(|pair| pair.key != pairs[0].key);
        let rejection = Rejection::Mismatch { several, plain: form.is_plain() };
        let mut candidates = Vec::new();
        let mut bytes = 0;
        if !pairs.is_empty() {
            let mut asked = Vec::with_capacity(pairs.len());
            for pair in &pairs {
                let key = &self.policy.keys[pair.key];
                let signature = &signatures.known[pair.signature].bytes[..];
                asked.push((key.algorithm(), key.expanded().bound_hash(), signature));
            }
            let (hashed, read) = form.to_verify(self.level, &asked, input)?;
            bytes = read;
            for (SignaturePair { signature, key }, hashed) in pairs.into_iter().zip(hashed) {
                candidates.push(HashedCandidate { signature, key, hashed });
            }
        }
        let decision = Decision::new(&signatures.known, candidates, rejection);
        Ok(ReadMessage { form, signatures, decision, explainers: Vec::new(), bytes })
    }

    /// Returns the pairs in which the signature note names the key.
    fn named(&self, signatures: &Signatures, pairs: &[SignaturePair]) -> Vec<SignaturePair> {
        let notes: Vec<_> = signatures.known.iter().map(SignatureNote::of).collect();
        let mut named = Vec::new();
        for pair in pairs {
            let fingerprint = &self.policy.keys[pair.key].public.fingerprint;
            if notes[pair.signature].as_ref().is_some_and(|note| note.is_by(fingerprint)) {
                named.push(*pair);
            }
        }
        named
    }

    /// Decides several questions together: each round asks the library about one candidate of each open question.
    fn decide(&self, work: &mut Vec<u8>, questions: &mut [&mut ReadMessage<'_>]) {
        loop {
            let mut open = Vec::new();
            for (i, question) in questions.iter_mut().enumerate() {
                if question.decision.advance(&self.policy) {
                    open.push(i);
                }
            }
            if open.is_empty() {
                return;
            }
            let items = open.iter().map(|i| questions[*i].decision.question(self.policy.keys)).collect();
            let answers = among(items, |items| verified_together(&items, work));
            for (i, answer) in open.into_iter().zip(answers) {
                let question = &mut *questions[i];
                let context = &question.form.context;
                question.decision.answer(answer.flatten(), &self.policy, context, &self.clock);
            }
        }
    }

    /// Returns the verdict, and the explanation of a NO.
    fn conclude(&self, work: &mut Vec<u8>, question: ReadMessage<'_>) -> Result<Verdict, Error> {
        let ReadMessage { form, signatures, decision, explainers, bytes } = question;
        let ignored = signatures.unknown.clone();
        let outcome = decision.conclude(&self.policy, &form.context, &self.clock).map_err(|e| match e {
            DecisionError::Internal(e) => Error::Internal(e.to_string()),
            DecisionError::Day(e) => e,
        })?;
        let (no, keys, restricted, unmatched) = match outcome {
            DecisionOutcome::Accepted { keys, evidence } => {
                return Ok(Verdict::Yes(Match { keys, bytes, yes: evidence, ignored }));
            }
            DecisionOutcome::Rejected { rejection, keys, restricted, unmatched } => {
                (rejection, keys, restricted, unmatched)
            }
        };
        let signer = restricted.map(|key| &self.policy.keys[key]);
        let signer = signer.map(|key| (key.algorithm(), key.public.fingerprint.clone()));
        // The signature note is read only after the verdict.
        let claims = unmatched.and_then(|number| SignatureNote::of(&signatures.known[number]));
        let explainer = explainers.into_iter().nth(unmatched.unwrap_or(usize::MAX));
        let explanation = explainer.map(|explainer| explainer.explain(work, claims.as_ref()));
        let hint = match (&no, &claims, &explanation) {
            // The explanation contains the hint, and a proven cause is better than a note.
            (Rejection::Mismatch { .. }, _, Some(_)) => Hint::NONE,
            (Rejection::Mismatch { .. }, Some(note), _) => Hint::from(note_cause(note, self.policy.keys, form)),
            (Rejection::Algorithm { .. }, Some(note), _) => {
                Hint::from(format!("{GIVE_THE_SIGNER_S}: {}", named_signer(note)))
            }
            (Rejection::TooFew { .. }, _, _) => Hint::from(self.missing(&keys)),
            (Rejection::Unexpected { .. }, _, _) => Hint::from(self.given_fingerprints()),
            _ => Hint::from(no.hint()),
        };
        Ok(Verdict::No(Refused { no, hint, explanation, claims, ignored, signer }))
    }

    /// Returns the hint with the keys whose signature is missing.
    fn missing(&self, signed: &[usize]) -> String {
        let missing: Vec<_> = self.policy.without_signature(signed).map(TrustedKey::name).collect();
        let names = missing.iter().take(SHOWN_KEYS).cloned().collect::<Vec<_>>().join(", ");
        let more = missing.len().saturating_sub(SHOWN_KEYS);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("ask the signers for the missing signatures: no signature by {names}{more}")
    }

    /// Returns the hint for an expected fingerprint that no given key has: the fingerprints of the given keys.
    fn given_fingerprints(&self) -> String {
        let keys = self.policy.keys;
        let names: Vec<_> = keys.iter().take(SHOWN_KEYS).map(|key| &key.public.fingerprint[..]).collect();
        let names = names.join(", ");
        let subject = match keys.len() {
            1 => format!("the fingerprint of the given public key is {names}"),
            2..=SHOWN_KEYS => format!("the fingerprints of the given public keys are {names}"),
            count => format!("the fingerprints of the given public keys are {names} and {} more", count - SHOWN_KEYS),
        };
        format!("ask the signer which fingerprint is right: {subject}")
    }
}

/// Verifies items together, and returns what the library says of each.
fn verified_together(items: &[BatchItem<'_>], work: &mut Vec<u8>) -> Vec<Result<Verified, VerifyError>> {
    if let [BatchItem { key, message, signature }] = items {
        work.resize(work.len().max(key.algorithm().verify_work_len()), 0);
        return vec![key.verified(*message, signature, work)];
    }
    let needed = items.iter().map(|item| item.key.algorithm().verify_batch_work_len()).max();
    work.resize(work.len().max(needed.unwrap_or(0)), 0);
    let mut answers = vec![Err(VerifyError::Mismatch); items.len()];
    if let Err(BatchError::Work(short)) = verified_batch(items, &mut answers, work) {
        answers.fill(Err(VerifyError::Work(short)));
    }
    answers
}
