//! Verifies the signatures of a file, or of bytes in memory, and returns the verdict.

use super::alternatives::{proven_cause, without_options};
use super::explain::{Explainer, Explanation};
use super::note_cause::{
    CHANGED, CHANGED_OR_OTHER_KEY, EMPTY_FILE, NO_SSH_CONTEXT, given_fingerprints, missing_signers, named_signer,
    note_cause, note_value,
};
use crate::tool::io::{Input, InputReuse, InputSource, MemoryInput, drain};
use crate::tool::keys::signature_file::LoadedSignatures;
use crate::tool::message::form::{InputKind, MessageForm};
use crate::tool::message::separate::covered_input;
use crate::tool::report::{Error, Evidence, Hint, ResultEntry};
use crate::tool::run::ordered::map_ok_together;
use crate::tool::trust::clock::Clock;
use fndsa::Algorithm;
use fndsa::batch::{BatchItem, verified_batch};
use fndsa::error::{BatchError, VerifyError};
use fndsa::no_alloc::{Level, Verified};
pub use fndsa::verdict::Rejection;
use fndsa::verdict::envelope::{CoveredBytes, EnvelopeContents};
use fndsa::verdict::signature_note::line;
use fndsa::verdict::text::SIGNERS_KEY_HINT;
use fndsa::verdict::{
    Decision, DecisionError, DecisionOutcome, HashedCandidate, PairSelection, Policy, SignatureNote, SignaturePair,
    tuf_key_id,
};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

/// The maximum number of pairs (a signature and a key) for which the message is hashed in one pass.
/// For more pairs, see [`Verifier::hash_candidates`].
const FEW_PAIRS: usize = 8;

/// The details of a YES for a file.
pub struct AcceptedSignatures {
    /// The indices of the keys that have signed: as many as required, and at least one.
    pub keys: Vec<usize>,
    /// The names of the encodings that the signatures cover, for example `tap21`, in the order of
    /// `keys`. Empty if the file format has only one encoding.
    pub forms: Vec<&'static str>,
    /// The number of bytes that were read. For an envelope, the length of its message.
    pub bytes: u64,
    /// The evidence from the library for the keys that have signed.
    pub evidence: Evidence,
    /// Descriptions of the blocks in the signature file that were ignored.
    pub ignored: Vec<String>,
}

/// The verdict for a file.
pub enum Verdict {
    /// The required keys have signed the file.
    Yes(AcceptedSignatures),
    /// The required keys have not signed the file.
    No(DetailedRejection),
}

impl Verdict {
    /// Returns the details of a YES, or `None` for a NO.
    pub fn accepted(&self) -> Option<&AcceptedSignatures> {
        match self {
            Self::Yes(accepted) => Some(accepted),
            Self::No(_) => None,
        }
    }

    /// Returns descriptions of the blocks in the signature file that were ignored.
    pub fn ignored(&self) -> &[String] {
        match self {
            Self::Yes(accepted) => &accepted.ignored,
            Self::No(details) => &details.ignored,
        }
    }
}

/// The details of a NO for a file.
pub struct DetailedRejection {
    pub rejection: Rejection,
    /// The next step for the user, which can be empty.
    pub hint: Hint,
    /// The result of `--explain`, which never changes the verdict.
    pub explanation: Option<Explanation>,
    /// The signature note, which is not authenticated.
    pub note: Option<SignatureNote>,
    /// Descriptions of the blocks in the signature file that were ignored.
    pub ignored: Vec<String>,
    /// The key that signed the file, if the file was rejected because of a key line, for example
    /// because the key is expired or revoked.
    pub signer: Option<(Algorithm, String)>,
}

impl From<Rejection> for DetailedRejection {
    fn from(rejection: Rejection) -> Self {
        let hint = Hint::from(rejection.hint());
        Self { rejection, hint, explanation: None, note: None, ignored: Vec::new(), signer: None }
    }
}

impl DetailedRejection {
    /// Creates the details of a rejection with this hint, or with the default hint if it is `None`.
    pub fn hinting(rejection: Rejection, hint: Option<String>) -> Self {
        let details = Self::from(rejection);
        Self { hint: hint.map_or(details.hint, Hint::from), ..details }
    }

    /// Returns whether the signatures do not match and the cause is unknown, because `--explain`
    /// was not given or did not find a cause.
    fn has_unknown_cause(&self) -> bool {
        let has_cause = matches!(&self.explanation, Some(explanation) if !explanation.cause.is_null());
        matches!(self.rejection, Rejection::Mismatch { .. }) && !has_cause
    }

    /// Replaces the hint and the text of the explanation by a proven cause.
    fn set_cause(&mut self, cause: String) {
        if let Some(explanation) = &mut self.explanation {
            explanation.text.clone_from(&cause);
        }
        self.hint = Hint::from(cause);
    }

    /// Adds the rejection to a result in JSON.
    pub fn entry(&self, entry: ResultEntry) -> ResultEntry {
        let entry = entry.failed(self.rejection.reason(), &self.rejection.words(), &self.hint);
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
        match &self.note {
            Some(note) => entry.set("claims", note_value(note)),
            None => entry,
        }
    }
}

/// A message to verify, with its signatures and its form.
pub struct VerificationJob<'a> {
    /// The context, the pre-hash and the kind of input of this message.
    pub form: &'a MessageForm,
    pub signatures: LoadedSignatures,
    /// The message, which the verification reads.
    pub input: Box<dyn Input + 'a>,
}

/// An input for `--explain` that also passes each piece of `input` to the explainers.
struct TeeInput<'a, 'e> {
    input: &'a mut dyn Input,
    explainers: &'a mut [Explainer<'e>],
}

impl Input for TeeInput<'_, '_> {
    fn name(&self) -> &dyn Display {
        self.input.name()
    }

    fn reuse(&self) -> InputReuse {
        self.input.reuse()
    }

    fn message_len(&self, read: u64) -> u64 {
        self.input.message_len(read)
    }

    fn next(&mut self) -> Result<&[u8], Error> {
        let piece = self.input.next()?;
        self.explainers.iter_mut().for_each(|explainer| explainer.absorb(piece));
        Ok(piece)
    }
}

/// A verification in progress. `decision` contains the candidates, if any. A candidate consists of
/// a signature, a key that could have created it, and the hash of the message for this pair.
struct VerificationState<'q> {
    form: &'q MessageForm,
    signatures: &'q LoadedSignatures,
    decision: Decision<'q, Error>,
    /// The name of the encoding of the message that was hashed for each candidate, for example
    /// `tap21`, in the order of the candidates. `None` if the file format has only one encoding.
    candidate_forms: Vec<Option<&'static str>>,
    explainers: Vec<Explainer<'q>>,
    bytes: u64,
}

/// The policy and the options that apply to all files.
pub struct Verifier<'a> {
    /// The trusted keys, and the number of keys that must have signed.
    pub policy: Policy<'a>,
    /// The context, the pre-hash and the kind of input, if they are not in the [`VerificationJob`].
    pub form: MessageForm,
    /// The instruction set for the computations, for example AVX2.
    pub level: Level,
    /// The source of the current date, to compare it with the dates in key lines.
    pub clock: Clock,
    /// Whether the user gave `--explain` (see the module `explain`).
    pub explain: bool,
}

impl Verifier<'_> {
    /// Reads the signature file `signature` and verifies its signatures for `file`. `input` reads
    /// the contents of `file`. `work` is a buffer that later calls can reuse.
    ///
    /// # Errors
    /// Fails if the signature file cannot be read, or if [`Self::check_signatures`] fails.
    pub fn check(
        &self,
        work: &mut Vec<u8>,
        signature: &InputSource,
        file: &InputSource,
        input: &mut dyn Input,
    ) -> Result<Verdict, Error> {
        self.check_signatures(work, &LoadedSignatures::load(signature, file)?, input)
    }

    /// Verifies signatures that the caller has read. `work` is a buffer that later calls can reuse.
    ///
    /// # Errors
    /// Fails if the input cannot be read, if no possible key supports the message form, or if a key
    /// line requires the current date and the date is unknown.
    pub fn check_signatures(
        &self,
        work: &mut Vec<u8>,
        signatures: &LoadedSignatures,
        input: &mut dyn Input,
    ) -> Result<Verdict, Error> {
        self.check_covered_bytes(work, signatures, &CoveredBytes::SeparateFile, input)
    }

    /// Verifies signatures that the caller has read. `input` returns the bytes that the signatures
    /// cover. `covered` contains further encodings that signatures may cover (DSSE with TAP 21).
    ///
    /// # Errors
    /// Returns the errors of [`Self::check_signatures`].
    fn check_covered_bytes(
        &self,
        work: &mut Vec<u8>,
        signatures: &LoadedSignatures,
        covered: &CoveredBytes<'_>,
        input: &mut dyn Input,
    ) -> Result<Verdict, Error> {
        let mut state = self.hash_candidates(work, &self.form, signatures, covered, input)?;
        self.decide(work, &mut [&mut state]);
        let mut verdict = self.conclude(work, state)?;
        if let Verdict::No(details) = &mut verdict
            && details.has_unknown_cause()
            && let Some(cause) = self.cause_in_options(work, signatures, covered, input)
        {
            details.set_cause(cause);
            return Ok(verdict);
        }
        Ok(self.with_proven_cause(verdict, work, &self.form, signatures, input))
    }

    /// Verifies signatures without context and pre-hash if their format has several encodings. If
    /// they match, returns the hint to leave both options out. The verdict does not change.
    fn cause_in_options(
        &self,
        work: &mut Vec<u8>,
        signatures: &LoadedSignatures,
        covered: &CoveredBytes<'_>,
        input: &mut dyn Input,
    ) -> Option<String> {
        let is_bound = self.policy.keys.iter().any(|key| key.terms.prehash.is_some());
        if covered.others().is_empty() || self.form.is_plain() || is_bound {
            return None;
        }
        let plain = MessageForm { input: InputKind::Message, context: Vec::new(), ..self.form.clone() };
        let mut state = self.hash_candidates(work, &plain, signatures, covered, input).ok()?;
        self.decide(work, &mut [&mut state]);
        if !state.decision.is_accepted(&self.policy) {
            return None;
        }
        let accepted = state.decision.accepted_candidates().into_iter();
        let forms: BTreeSet<_> = accepted.filter_map(|candidate| state.candidate_forms[candidate]).collect();
        Some(without_options(&forms.into_iter().collect::<Vec<_>>()))
    }

    /// Verifies the signatures in an envelope that contains its message. For a YES, also checks the
    /// signature notes if the format requires this. `name` names the envelope in errors.
    ///
    /// # Errors
    /// Returns the errors of [`Self::check_signatures`].
    pub fn check_envelope(
        &self,
        work: &mut Vec<u8>,
        signatures: &LoadedSignatures,
        contents: &EnvelopeContents<'_>,
        name: &dyn Display,
    ) -> Result<Verdict, Error> {
        let Some((signed, message)) = contents.covered.enclosed() else {
            return Err(Error::Internal("the envelope does not contain the message".to_owned()));
        };
        let mut verdict =
            self.check_covered_bytes(work, signatures, &contents.covered, &mut MemoryInput::new(name, signed))?;
        let Verdict::Yes(accepted) = &mut verdict else { return Ok(verdict) };
        let notes = accepted.keys.iter().map(|key| {
            let key = &self.policy.keys[*key];
            line(key.algorithm(), &key.public.fingerprint, &self.form.noted())
        });
        if let Err(rejection) = contents.check_notes(&signatures.known, notes) {
            return Ok(Verdict::No(rejection.into()));
        }
        accepted.evidence = contents.confirm(accepted.evidence);
        accepted.bytes = message.len() as u64;
        Ok(verdict)
    }

    /// Returns whether the policy accepts these signatures for `input`. An error means false.
    fn matches(
        &self,
        work: &mut Vec<u8>,
        form: &MessageForm,
        signatures: &LoadedSignatures,
        input: &mut dyn Input,
    ) -> bool {
        let covered = CoveredBytes::SeparateFile;
        let Ok(mut state) = self.hash_candidates(work, form, signatures, &covered, input) else { return false };
        self.decide(work, &mut [&mut state]);
        state.decision.is_accepted(&self.policy)
    }

    /// Calls [`proven_cause`] if the signatures do not match and the cause is still unknown. A
    /// proven cause replaces the hint and the text of the explanation.
    fn with_proven_cause(
        &self,
        mut verdict: Verdict,
        work: &mut Vec<u8>,
        form: &MessageForm,
        signatures: &LoadedSignatures,
        input: &mut dyn Input,
    ) -> Verdict {
        if let Verdict::No(details) = &mut verdict
            && details.has_unknown_cause()
            && let Some(cause) = proven_cause(self.policy.keys, form, signatures, input, |form, copy| {
                self.matches(work, form, signatures, copy)
            })
        {
            details.set_cause(cause);
        }
        verdict
    }

    /// Verifies the signatures for several files together, because this is faster, and returns the
    /// verdicts in the order of `jobs`. An error in a file does not affect the verdict for any
    /// other file. `work` is a buffer that later calls can reuse.
    pub fn check_together(
        &self,
        work: &mut Vec<u8>,
        jobs: Vec<Result<VerificationJob<'_>, Error>>,
    ) -> Vec<Result<Verdict, Error>> {
        let checked = map_ok_together(jobs, |mut jobs| {
            let covered = &CoveredBytes::SeparateFile;
            let mut states = Vec::with_capacity(jobs.len());
            for VerificationJob { form, signatures, input } in &mut jobs {
                states.push(self.hash_candidates(work, form, signatures, covered, &mut **input));
            }
            self.decide(work, &mut states.iter_mut().flatten().collect::<Vec<_>>());
            let verdicts: Vec<_> = states.into_iter().map(|state| self.conclude(work, state?)).collect();
            let mut explained = Vec::with_capacity(jobs.len());
            for (verdict, VerificationJob { form, signatures, input }) in verdicts.into_iter().zip(&mut jobs) {
                explained.push(match verdict {
                    Ok(verdict) => Ok(self.with_proven_cause(verdict, work, form, signatures, &mut **input)),
                    Err(e) => Err(e),
                });
            }
            explained
        });
        checked.into_iter().map(Result::flatten).collect()
    }

    /// Hashes an input for each signature and each key that could have created it. If there are
    /// more than [`FEW_PAIRS`] pairs and the input can be read twice, the input is first hashed
    /// only for the keys that the signatures name ([`Self::likely_pairs`]). These names are not
    /// authenticated, so the result of this first pass is used only if it is a YES.
    ///
    /// # Errors
    /// Fails if the input cannot be read, or if no possible key supports the message form.
    fn hash_candidates<'q>(
        &'q self,
        work: &mut Vec<u8>,
        form: &'q MessageForm,
        signatures: &'q LoadedSignatures,
        covered: &CoveredBytes<'_>,
        input: &mut dyn Input,
    ) -> Result<VerificationState<'q>, Error> {
        let mut explainers = Vec::new();
        if self.explain {
            for signature in &signatures.known {
                explainers.push(Explainer::new(self.level, self.policy.keys, form, signature));
            }
        }
        let pairs = match signatures.pairs(&self.policy, |algorithm| form.check(algorithm))? {
            PairSelection::Possible(pairs) => pairs,
            PairSelection::Rejected(rejection) => {
                // The verdict is already NO, so the input is only read to find the cause.
                if explainers.iter().any(Explainer::has_candidates) {
                    let _ = drain(&mut TeeInput { input, explainers: &mut explainers }, |_| ());
                }
                let decision = Decision::new(&signatures.known, Vec::new(), rejection);
                let candidate_forms = Vec::new();
                return Ok(VerificationState { form, signatures, decision, candidate_forms, explainers, bytes: 0 });
            }
        };
        if pairs.len() > FEW_PAIRS && input.reuse() == InputReuse::Again {
            let mut likely =
                self.hash_for_pairs(form, signatures, covered, self.likely_pairs(signatures, &pairs), input)?;
            self.decide(work, &mut [&mut likely]);
            if likely.decision.is_accepted(&self.policy) {
                return Ok(likely);
            }
        }
        let mut tee = TeeInput { input, explainers: &mut explainers };
        let state = self.hash_for_pairs(form, signatures, covered, pairs, &mut tee)?;
        Ok(VerificationState { explainers, ..state })
    }

    /// Hashes `input`, and the further encodings of the message in `covered`, for pairs of a
    /// signature and a key. Does not read `input` if `pairs` is empty.
    ///
    /// # Errors
    /// Fails if the input cannot be read.
    fn hash_for_pairs<'q>(
        &'q self,
        form: &'q MessageForm,
        signatures: &'q LoadedSignatures,
        covered: &CoveredBytes<'_>,
        pairs: Vec<SignaturePair>,
        input: &mut dyn Input,
    ) -> Result<VerificationState<'q>, Error> {
        let several = pairs.iter().any(|pair| pair.key != pairs[0].key);
        let rejection = Rejection::Mismatch { several, plain: form.is_plain() };
        let mut candidates = Vec::new();
        let bytes = self.add_candidates(form, signatures, &pairs, input, &mut candidates)?;
        let mut candidate_forms = vec![covered.form(); candidates.len()];
        let other_forms = if form.is_plain() { covered.others() } else { &[] };
        for other_form in other_forms {
            let mut pairs_of_scheme = Vec::new();
            for pair in &pairs {
                if self.policy.keys[pair.key].algorithm().scheme() == other_form.scheme {
                    pairs_of_scheme.push(*pair);
                }
            }
            let mut input = MemoryInput::new(&other_form.name, &other_form.signed);
            self.add_candidates(form, signatures, &pairs_of_scheme, &mut input, &mut candidates)?;
            candidate_forms.resize(candidates.len(), Some(other_form.name));
        }
        let decision = Decision::new(&signatures.known, candidates, rejection);
        Ok(VerificationState { form, signatures, decision, candidate_forms, explainers: Vec::new(), bytes })
    }

    /// Hashes an input for pairs of a signature and a key, and adds a candidate for each pair.
    /// Returns the length of the message in bytes. Does not read the input if `pairs` is empty.
    ///
    /// # Errors
    /// Fails if the input cannot be read.
    fn add_candidates(
        &self,
        form: &MessageForm,
        signatures: &LoadedSignatures,
        pairs: &[SignaturePair],
        input: &mut dyn Input,
        candidates: &mut Vec<HashedCandidate>,
    ) -> Result<u64, Error> {
        if pairs.is_empty() {
            return Ok(0);
        }
        let mut hash_inputs = Vec::with_capacity(pairs.len());
        for pair in pairs {
            let key = &self.policy.keys[pair.key];
            let signature = &signatures.known[pair.signature].bytes[..];
            hash_inputs.push((key.algorithm(), key.expanded().bound_hash(), signature));
        }
        let mut input = covered_input(signatures.covered(), self.level, Box::new(input))?;
        let (hashed, bytes) = form.to_verify(self.level, &hash_inputs, &mut *input)?;
        for (pair, hashed) in pairs.iter().copied().zip(hashed) {
            // Signatures that cannot cover this input get no candidate, so the verdict is NO.
            if input.is_possible() {
                candidates.push(HashedCandidate::new(pair, hashed));
            }
        }
        Ok(bytes)
    }

    /// Returns the pairs in which the signature names the key: by its key identifier or, if it has
    /// none, by its signature note.
    fn likely_pairs(&self, signatures: &LoadedSignatures, pairs: &[SignaturePair]) -> Vec<SignaturePair> {
        let notes: Vec<_> = signatures.known.iter().map(SignatureNote::of).collect();
        let mut likely_pairs = Vec::new();
        let mut tuf_key_ids = BTreeMap::new();
        for pair in pairs {
            let key = &self.policy.keys[pair.key];
            let fingerprint = &key.public.fingerprint;
            let is_named = match &signatures.key_ids[pair.signature] {
                None => matches!(&notes[pair.signature], Some(note) if note.is_by(fingerprint)),
                Some(key_id) if key_id == fingerprint => true,
                Some(key_id) => {
                    let tuf = tuf_key_ids.entry(pair.key);
                    let tuf = tuf.or_insert_with(|| tuf_key_id(key.algorithm(), key.public.key.as_bytes()));
                    tuf.as_ref() == Some(key_id)
                }
            };
            if is_named {
                likely_pairs.push(*pair);
            }
        }
        likely_pairs
    }

    /// Verifies candidates until all verifications are decided. In each round, the library takes a
    /// candidate from each undecided verification, and verifies these candidates together.
    fn decide(&self, work: &mut Vec<u8>, states: &mut [&mut VerificationState<'_>]) {
        loop {
            let mut undecided = Vec::new();
            for (i, state) in states.iter_mut().enumerate() {
                if state.decision.advance(&self.policy) {
                    undecided.push(i);
                }
            }
            if undecided.is_empty() {
                return;
            }
            let items = undecided.iter().map(|i| states[*i].decision.question(self.policy.keys)).collect();
            let results = map_ok_together(items, |items| verify_together(&items, work));
            for (i, result) in undecided.into_iter().zip(results) {
                let state = &mut *states[i];
                let context = &state.form.context;
                state.decision.answer(result.flatten(), &self.policy, context, &self.clock);
            }
        }
    }

    /// Returns the verdict of a decided verification. A NO is returned with its hint and
    /// explanation.
    fn conclude(&self, work: &mut Vec<u8>, state: VerificationState<'_>) -> Result<Verdict, Error> {
        let VerificationState { form, signatures, decision, candidate_forms, explainers, bytes } = state;
        let mut forms = Vec::new();
        for candidate in decision.accepted_candidates() {
            forms.extend(candidate_forms.get(candidate).copied().flatten());
        }
        let ignored = signatures.ignored_blocks.clone();
        let outcome = decision.conclude(&self.policy, &form.context, &self.clock);
        let (rejection, keys, restricted, unmatched) = match outcome {
            Ok(DecisionOutcome::Accepted { keys, evidence }) => {
                let evidence = signatures.confirm(evidence, keys.iter().map(|key| &self.policy.keys[*key]));
                return Ok(Verdict::Yes(AcceptedSignatures { keys, forms, bytes, evidence, ignored }));
            }
            Ok(DecisionOutcome::Rejected { rejection, keys, restricted, unmatched }) => {
                (rejection, keys, restricted, unmatched)
            }
            Err(DecisionError::Clock(e)) => return Err(e),
            Err(e) => return Err(Error::Internal(e.to_string())),
        };
        let signer = restricted.map(|key| &self.policy.keys[key]);
        let signer = signer.map(|key| (key.algorithm(), key.public.fingerprint.clone()));
        // The signature note is not authenticated, so it can only explain a decided NO.
        let note = unmatched.and_then(|number| SignatureNote::of(&signatures.known[number]));
        let explainer = explainers.into_iter().nth(unmatched.unwrap_or(usize::MAX));
        let is_empty = bytes == 0 && matches!(rejection, Rejection::Mismatch { .. });
        let explanation = explainer.map(|explainer| explainer.explain(work, note.as_ref(), is_empty));
        let hint = match (&rejection, &note, &explanation) {
            // The text of the explanation replaces the hint, because a proven cause is better than
            // a signature note.
            (Rejection::Mismatch { .. }, _, Some(_)) => Hint::NONE,
            (Rejection::Mismatch { .. }, Some(note), _) => {
                Hint::from(note_cause(note, self.policy.keys, form, is_empty))
            }
            (Rejection::Mismatch { .. }, None, _) if is_empty => Hint::from(EMPTY_FILE),
            (Rejection::Mismatch { .. }, ..) if signatures.has_signer() => Hint::from(CHANGED),
            _ if rejection.reason() == "key_context" && signatures.has_signer() => Hint::from(NO_SSH_CONTEXT),
            (Rejection::Mismatch { .. }, ..) if !signatures.has_options() => Hint::from(CHANGED_OR_OTHER_KEY),
            (Rejection::Algorithm { .. }, Some(note), _) if rejection.hint() == Some(SIGNERS_KEY_HINT) => {
                Hint::from(format!("{SIGNERS_KEY_HINT}: {}", named_signer(note)))
            }
            (Rejection::TooFew { .. }, _, _) => Hint::from(missing_signers(&self.policy, &keys)),
            (Rejection::Unexpected { .. }, _, _) => Hint::from(given_fingerprints(self.policy.keys)),
            _ => Hint::from(rejection.hint()),
        };
        Ok(Verdict::No(DetailedRejection { rejection, hint, explanation, note, ignored, signer }))
    }
}

/// Verifies items together, and returns the results in the order of the items.
fn verify_together(items: &[BatchItem<'_>], work: &mut Vec<u8>) -> Vec<Result<Verified, VerifyError>> {
    if let [BatchItem { key, message, signature }] = items {
        work.resize(work.len().max(key.algorithm().verify_fast_work_len()), 0);
        return vec![key.verified(*message, signature, work)];
    }
    let needed_len = items.iter().map(|item| item.key.algorithm().verify_batch_work_len()).max();
    work.resize(work.len().max(needed_len.unwrap_or(0)), 0);
    let mut results = vec![Err(VerifyError::Mismatch); items.len()];
    if let Err(BatchError::Work(buffer_len)) = verified_batch(items, &mut results, work) {
        results.fill(Err(VerifyError::Work(buffer_len)));
    }
    results
}
