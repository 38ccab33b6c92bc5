//! Implements `verify --explain`. After a NO, fndsa verifies a signature with further contexts,
//! with all pre-hashes and with all given keys, to find the options that the signer used. The
//! verdict does not change.
//!
//! All hashes are computed while the file is read for the verdict, so that the file is read only
//! once.

use super::note_cause::{EMPTY_FILE, note_cause};
use crate::tool::message::form::{InputHead, InputKind, MessageForm};
use crate::tool::report::escape::shown;
use fndsa::algorithm::{MU_LEN, PreHash, Scheme};
use fndsa::files::FileObject;
use fndsa::files::hex::hex;
use fndsa::message::{MessageDigest, Mu, PreHasher};
use fndsa::no_alloc::{HashedMessage, Level, VerifyingHasher, VerifyingKeyRef};
use fndsa::verdict::TrustedKey;
use fndsa::verdict::signature_note::context_text;
use fndsa::verdict::{NoteForm, SignatureNote};
use fndsa::{Algorithm, Options};
use serde_json::{Value, json};
use std::sync::Arc;

/// The hashers for all options and keys that are tried for a signature.
pub struct Explainer<'a> {
    keys: &'a [TrustedKey],
    signature: &'a FileObject,
    /// The keys that could have created the signature. An entry contains the key's index in `keys`,
    /// and an algorithm. If a Falcon key can belong to several schemes, there is an entry for each
    /// scheme. Keys that `--expect-key` does not accept are also tried.
    candidates: Vec<(usize, Algorithm)>,
    form: &'a MessageForm,
    level: Level,
    /// The contexts that are tried: the given context, the empty context, and the context in the
    /// signature note.
    contexts: Vec<Arc<[u8]>>,
    /// The hashers that hash the file as a message without a pre-hash, for each candidate and each
    /// context that the scheme supports.
    message_hashers: Vec<(CandidateContext, VerifyingHasher)>,
    prehashers: Vec<PreHasher>,
    first_bytes: InputHead,
}

/// A candidate key and a context.
#[derive(Clone)]
struct CandidateContext {
    key: usize,
    algorithm: Algorithm,
    context: Arc<[u8]>,
}

/// The result of `--explain`.
pub struct Explanation {
    /// The explanation as text.
    pub text: String,
    /// The options with which the signature is valid, for a result in JSON.
    pub cause: Value,
}

impl Explanation {
    /// Creates an explanation for a signature that is not valid with any options.
    fn without_cause(text: String) -> Self {
        Self { text, cause: Value::Null }
    }
}

/// A combination of options that the signer may have used.
struct OptionTrial {
    candidate: CandidateContext,
    input: TrialInput,
    message: HashedMessage,
}

/// A way to compute the signed message from the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TrialInput {
    /// The file is a message, a digest or a mu. The options of `verify` can select each of these.
    Option(InputKind),
    /// The digest of the file is the signed message. This is tried only for ML-DSA. It differs from
    /// HashML-DSA, which also signs the OID of the hash function.
    DigestAsMessage(PreHash),
}

impl<'a> Explainer<'a> {
    /// Creates an explainer for a signature and the keys that could have created it.
    pub fn new(level: Level, keys: &'a [TrustedKey], form: &'a MessageForm, signature: &'a FileObject) -> Self {
        let mut candidates = Vec::new();
        for (i, key) in keys.iter().enumerate() {
            let key_algorithm = key.algorithm();
            let scheme = key_algorithm.scheme();
            let mut schemes = vec![scheme];
            schemes.extend(Scheme::ALL.into_iter().filter(|s| *s != scheme && s.shares_keys_with(scheme)));
            for algorithm in schemes.into_iter().filter_map(|scheme| key_algorithm.with_scheme(scheme)) {
                if signature.fits(algorithm) {
                    candidates.push((i, algorithm));
                }
            }
        }
        let mut contexts: Vec<Arc<[u8]>> = vec![form.context[..].into()];
        let noted_context = match SignatureNote::of(signature) {
            Some(SignatureNote { form: NoteForm::Form { context, .. }, .. }) => context,
            _ => Vec::new(),
        };
        for context_bytes in [Vec::new(), noted_context] {
            if contexts.iter().all(|context| context[..] != context_bytes) {
                contexts.push(context_bytes.into());
            }
        }
        let mut prehashers = Vec::new();
        for hash in PreHash::all() {
            if candidates.iter().any(|(_, algorithm): &(usize, Algorithm)| algorithm.scheme().has_prehash(hash)) {
                prehashers.extend(PreHasher::new(level, hash));
            }
        }
        let first_bytes = InputHead::new(MU_LEN);
        let mut explainer = Self {
            keys,
            signature,
            candidates,
            form,
            level,
            contexts,
            message_hashers: Vec::new(),
            prehashers,
            first_bytes,
        };
        for candidate in explainer.candidate_contexts() {
            if let Some(hasher) = explainer.message_hasher(&candidate) {
                explainer.message_hashers.push((candidate, hasher));
            }
        }
        explainer
    }

    fn candidate_contexts(&self) -> Vec<CandidateContext> {
        let mut candidates = Vec::with_capacity(self.candidates.len() * self.contexts.len());
        for (key, algorithm) in &self.candidates {
            for context in &self.contexts {
                candidates.push(CandidateContext { key: *key, algorithm: *algorithm, context: context.clone() });
            }
        }
        candidates
    }

    /// Starts to hash a message for a candidate. Returns `None` if the algorithm does not support
    /// the context, or if the length of the signature is wrong.
    fn message_hasher(&self, candidate: &CandidateContext) -> Option<VerifyingHasher> {
        let hash = self.keys[candidate.key].expanded().key_hash();
        let form = Options::with_context(&candidate.context);
        VerifyingHasher::new(self.level, candidate.algorithm, &hash, form, &self.signature.bytes).ok()
    }

    /// Prepares the message's digest for a verification with a candidate's key, algorithm and
    /// context. Returns `None` if the algorithm does not support the pre-hash or the context, or if
    /// the length of the signature is wrong.
    fn hash_digest(&self, candidate: &CandidateContext, digest: &MessageDigest) -> Option<HashedMessage> {
        let hash = self.keys[candidate.key].expanded().key_hash();
        // A weak pre-hash can explain the mismatch. If the user verifies the file again with
        // this pre-hash, `verify` reports that it is weak.
        let form = Options::with_context(&candidate.context).with_weak_prehash(true);
        HashedMessage::of_digest(self.level, candidate.algorithm, &hash, form, digest, &self.signature.bytes).ok()
    }

    /// Returns whether any of the given keys could have created the signature.
    pub fn has_candidates(&self) -> bool {
        !self.candidates.is_empty()
    }

    /// Hashes the next piece of the file.
    pub fn absorb(&mut self, piece: &[u8]) {
        self.message_hashers.iter_mut().for_each(|(_, builder)| builder.update(piece));
        self.prehashers.iter_mut().for_each(|hasher| hasher.update(piece));
        self.first_bytes.absorb(piece);
    }

    /// Verifies the signature with all combinations of options, and describes the first combination
    /// that matches. If the signature cannot be from any of the keys, describes the algorithms of
    /// the signature and of the keys. If no combination matches and there is a signature note
    /// (`note`), the note explains the verdict NO. `is_empty` must be true if the signed file is
    /// empty.
    pub fn explain(self, work: &mut Vec<u8>, note: Option<&SignatureNote>, is_empty: bool) -> Explanation {
        let signature = self.signature;
        if self.candidates.is_empty() {
            let key_descriptions: Vec<_> = self.keys.iter().map(TrustedKey::description).collect();
            let name = signature.names().unwrap_or_else(|| signature.algorithm().to_string());
            return Explanation::without_cause(format!(
                "the signature is {name}, but the given keys are {}",
                key_descriptions.join(", ")
            ));
        }
        let keys = self.keys;
        let form = self.form;
        let level = self.level;
        let contexts = self.tried_contexts();
        let trials = self.trials();
        let trial_count = trials.len();
        for trial in trials {
            let algorithm = trial.candidate.algorithm;
            work.resize(work.len().max(algorithm.verify_fast_work_len()), 0);
            let key = VerifyingKeyRef::of_algorithm(algorithm, keys[trial.candidate.key].public.key.as_bytes());
            if key.is_ok_and(|key| key.verify(level, &trial.message, &signature.bytes, work).is_ok()) {
                let key = &keys[trial.candidate.key];
                return Explanation { text: changed_options(&trial, key, form), cause: cause_value(&trial, key) };
            }
        }
        let cause = match note {
            Some(note) => note_cause(note, keys, form, is_empty),
            None if is_empty => EMPTY_FILE.to_owned(),
            None => "the file was changed, another key signed it, or the signer used another context".to_owned(),
        };
        Explanation::without_cause(format!(
            "no match in {trial_count} attempts (every given key, every pre-hash, {contexts}): {cause}"
        ))
    }

    /// Describes the contexts that were tried, for example "no context".
    fn tried_contexts(&self) -> &'static str {
        match (self.form.context.is_empty(), self.contexts.len()) {
            (true, 1) => "no context",
            (true, _) => "no context or the context in the signature note",
            (false, 2) => "the given context or none",
            (false, _) => "the given context, the context in the signature note, or none",
        }
    }

    fn trials(mut self) -> Vec<OptionTrial> {
        let mut trials = Vec::new();
        for (candidate, builder) in std::mem::take(&mut self.message_hashers) {
            trials.push(OptionTrial {
                candidate,
                input: TrialInput::Option(InputKind::Message),
                message: builder.finish(),
            });
        }
        for hasher in std::mem::take(&mut self.prehashers) {
            let computed = hasher.finish();
            let hash = computed.hash();
            let given_digest = self
                .first_bytes
                .value(hash.digest_len())
                .and_then(|given_digest| MessageDigest::new(hash, &given_digest).ok());
            for (input, digest) in [(InputKind::ToHash(hash), Some(computed)), (InputKind::Digest(hash), given_digest)]
            {
                let Some(digest) = digest else { continue };
                for candidate in self.candidate_contexts() {
                    let input = TrialInput::Option(input);
                    let message = self.hash_digest(&candidate, &digest);
                    trials.extend(message.map(|message| OptionTrial { candidate, input, message }));
                }
            }
            for candidate in
                self.candidate_contexts().into_iter().filter(|candidate| candidate.algorithm.scheme() == Scheme::MlDsa)
            {
                let Some(mut builder) = self.message_hasher(&candidate) else { continue };
                builder.update(computed.as_bytes());
                let input = TrialInput::DigestAsMessage(hash);
                trials.push(OptionTrial { candidate, input, message: builder.finish() });
            }
        }
        if let Some(mu) = self.first_bytes.value(MU_LEN).and_then(|mu| mu.try_into().ok()) {
            let message = HashedMessage::from(Mu::from_bytes(mu));
            let with_mu = self.candidates.iter().filter(|(_, algorithm)| algorithm.scheme().has_mu());
            trials.extend(with_mu.map(|(key, algorithm)| OptionTrial {
                candidate: CandidateContext { key: *key, algorithm: *algorithm, context: Arc::from([]) },
                input: TrialInput::Option(InputKind::Mu),
                message: message.clone(),
            }));
        }
        trials
    }
}

/// Returns the options and the key that make the signature valid, for a result in JSON.
fn cause_value(trial: &OptionTrial, key: &TrustedKey) -> Value {
    let prehash = match trial.input {
        TrialInput::Option(InputKind::Mu) => Value::Null,
        TrialInput::Option(InputKind::Message) => json!("none"),
        TrialInput::Option(InputKind::ToHash(hash) | InputKind::Digest(hash)) => json!(hash.name()),
        TrialInput::DigestAsMessage(hash) => json!(hash.name()),
    };
    let input = match trial.input {
        TrialInput::Option(InputKind::Message | InputKind::ToHash(_)) => "message",
        TrialInput::Option(InputKind::Digest(_)) => "digest",
        TrialInput::Option(InputKind::Mu) => "mu",
        TrialInput::DigestAsMessage(_) => "digest_as_message",
    };
    json!({
        "algorithm": trial.candidate.algorithm.to_string(),
        "key": { "fingerprint": key.public.fingerprint },
        "context": { "hex": hex(&trial.candidate.context) },
        "prehash": prehash,
        "input": input,
    })
}

/// Describes the options to compute the signed message from the file, for example
/// `with --prehash sha512`.
fn input_option(trial_input: TrialInput, form: &MessageForm) -> String {
    let input = match trial_input {
        TrialInput::Option(input) => input,
        TrialInput::DigestAsMessage(hash) => {
            let name = hash.name();
            return format!(
                "the {name} digest of the file as the message, which is not HashML-DSA: write the digest to a file, and verify \
                 the new file"
            );
        }
    };
    match input {
        InputKind::Message if form.input == InputKind::Mu => "without --mu".to_owned(),
        InputKind::Message => "with no pre-hash".to_owned(),
        InputKind::ToHash(hash) if form.input == InputKind::Mu => {
            format!("with --prehash {}, without --mu", hash.name())
        }
        InputKind::ToHash(hash) if matches!(form.input, InputKind::Digest(_)) => {
            format!("with --prehash {}, without --prehashed", hash.name())
        }
        InputKind::ToHash(hash) => format!("with --prehash {}", hash.name()),
        InputKind::Digest(hash) => format!("with --prehash {} --prehashed", hash.name()),
        InputKind::Mu => "with --mu".to_owned(),
    }
}

/// Describes the context of a valid signature, for example `with --context v1`.
fn context_option(context: &[u8]) -> String {
    match context_text(context) {
        _ if context.is_empty() => "with no context".to_owned(),
        text => match text.strip_prefix("hex:") {
            Some(digits) => format!("with --context-hex {digits}"),
            None => format!("with --context {}", shown(text.trim_matches('"'))),
        },
    }
}

/// Describes the changes to the command line that make the signature valid.
fn changed_options(trial: &OptionTrial, key: &TrustedKey, form: &MessageForm) -> String {
    let mut parts = Vec::new();
    if trial.input != TrialInput::Option(form.input) {
        parts.push(input_option(trial.input, form));
    }
    if trial.candidate.context[..] != form.context {
        parts.push(context_option(&trial.candidate.context));
    }
    if trial.candidate.algorithm != key.algorithm() {
        let algorithm = trial.candidate.algorithm;
        let read_algorithm = key.algorithm();
        let option = algorithm.to_string().to_lowercase();
        parts.push(format!("as {algorithm}, but the key was read as {read_algorithm} (-a {option})"));
    }
    if !key.is_accepted_by_policy {
        parts.push(format!("by {}, which --expect-key does not accept", key.description()));
    }
    if parts.is_empty() {
        return format!("the signature is valid, but a signature by {} was already counted", key.description());
    }
    format!("the signature matches {}", parts.join(", "))
}
