//! Verifies signatures while the message is read. `fndsa::verdict` decides which keys have signed.

use crate::files::{PageError, Verdict, key_value, signed_value};
use crate::formats::description;
use crate::hints::{MismatchCause, of_format_mismatch};
use fndsa::Options;
use fndsa::algorithm::{MU_LEN, PreHash};
use fndsa::batch::BatchItem;
use fndsa::error::{MessageError, VerifyError};
use fndsa::files::hex::exactly;
use fndsa::message::{MessageDigest, Mu, PreHasher};
use fndsa::no_alloc::{HashedMessage, Level, Verified, VerifyingHasher};
use fndsa::verdict::text::InputDefect;
use fndsa::verdict::{
    CoveredEncoder, DateSource, Decision, DecisionError, DecisionOutcome, Evidence, HashedCandidate, NoteForm, Policy,
    Rejection, SeparateSignatures, SignatureFormat, SignatureNote, SignaturePair, TrustedKey,
};
use serde_json::{Value, json};

/// A signature and a key, with the message's hash state for this pair.
pub struct HashedPair {
    /// The signature and the key.
    pub pair: SignaturePair,
    /// The hash state of the message. `None` if there is a pre-hash, if the file contains a digest
    /// or a mu, or if the signature cannot belong to the key's algorithm.
    pub message: Option<VerifyingHasher>,
}

/// The reader for a file's pieces. The variant depends on the file's type.
pub enum InputReader {
    /// The pieces are the message. The encoder computes, from the message, the bytes that the
    /// signatures cover.
    Covered(Box<CoveredEncoder>),
    /// The pieces are the message, and the pre-hash hashes them.
    Hash(Box<PreHasher>),
    /// The pieces are the digest, or its hexadecimal digits.
    Digest(PreHash, ShortValue),
    /// The pieces are the mu (the hash that is signed instead of the message, FIPS 204), or its
    /// hexadecimal digits.
    Mu(ShortValue),
}

/// A reader for a file that contains a value of a fixed length, or its hexadecimal digits.
pub struct ShortValue {
    len: usize,
    stored: Vec<u8>,
}

impl ShortValue {
    /// Creates a reader for a value with `len` bytes.
    pub fn new(len: usize) -> Self {
        Self { len, stored: Vec::new() }
    }

    /// Stores a piece, up to `2 * len + 3` bytes in total: two digits for each byte in the value, a
    /// line end (CR LF), and a byte that shows that the file is too long. Drops all further bytes.
    fn update(&mut self, piece: &[u8]) {
        let free_len = (2 * self.len + 3).saturating_sub(self.stored.len());
        self.stored.extend_from_slice(&piece[..piece.len().min(free_len)]);
    }

    /// Decodes the stored bytes after the last piece, and returns the value. An error message
    /// contains `bytes`, the file's length.
    fn end(self, bytes: u64) -> Result<Vec<u8>, PageError> {
        exactly(&self.stored, self.len)
            .map(|value| value.to_vec())
            .ok_or_else(|| PageError::of(&InputDefect::Digest { wanted: self.len, found: bytes }, None))
    }
}

/// The contents of a file that was read to its end.
enum EndedInput {
    /// A message, which the hash state in each pair has hashed.
    Message {
        /// Whether signatures can cover this message. If not, no signature is valid for the
        /// message.
        is_possible: bool,
    },
    /// The digest of a message.
    Digest(MessageDigest),
    /// The mu of a message.
    Mu(Mu),
}

impl InputReader {
    /// Ends the file after its last piece. `bytes` is the file's length.
    fn end(self, bytes: u64, pairs: &mut [HashedPair]) -> Result<EndedInput, PageError> {
        match self {
            Self::Covered(mut encoder) => {
                let end = encoder.finish(|covered| hash_covered(pairs, covered)).map_err(internal)?;
                Ok(EndedInput::Message { is_possible: end.is_possible })
            }
            Self::Hash(hasher) => Ok(EndedInput::Digest(hasher.finish())),
            Self::Digest(hash, value) => {
                Ok(EndedInput::Digest(MessageDigest::new(hash, &value.end(bytes)?).map_err(internal)?))
            }
            Self::Mu(value) => {
                let mu = <[u8; MU_LEN]>::try_from(value.end(bytes)?);
                mu.map(|mu| EndedInput::Mu(Mu::from_bytes(mu)))
                    .map_err(|_| PageError::of_reason("internal", "a mu of wrong length"))
            }
        }
    }
}

/// Returns the error for a message that cannot be hashed, for example because the module does not
/// contain the hash function.
fn internal(e: MessageError) -> PageError {
    PageError::of_reason("internal", &e.to_string())
}

/// Hashes the next bytes that the signatures cover, for each [`HashedPair`].
fn hash_covered(pairs: &mut [HashedPair], covered: &[u8]) {
    for pair in pairs {
        if let Some(message) = &mut pair.message {
            message.update(covered);
        }
    }
}

/// A clock that is never read, because the page rejects keys with dates.
struct NoClock;

impl DateSource for NoClock {
    type Error = PageError;

    fn today(&self) -> Result<fndsa::files::Date, PageError> {
        Err(PageError::of_reason("internal", "the page accepted a key with a date"))
    }
}

/// A verification in progress: the page is still passing the pieces of the message.
pub struct PendingSignatures {
    /// The format of the signature file.
    pub format: SignatureFormat,
    /// The signatures, and the conditions that the format adds to the verification.
    pub file: SeparateSignatures,
    /// The pairs of a signature and a key that can belong together.
    pub pairs: Vec<HashedPair>,
    /// The reader for the file's pieces.
    pub reader: InputReader,
    /// The given context and pre-hash, or the statement that the file is the message's mu.
    pub form: NoteForm,
    /// The given context.
    pub context: Vec<u8>,
    /// Whether the file is a message without a context and without a pre-hash.
    pub is_plain: bool,
    /// The number of bytes that were read.
    pub bytes: u64,
}

impl PendingSignatures {
    /// Adds the next piece of the file.
    pub fn update(&mut self, piece: &[u8]) -> Result<(), PageError> {
        self.bytes += piece.len() as u64;
        match &mut self.reader {
            InputReader::Hash(hasher) => hasher.update(piece),
            InputReader::Covered(encoder) => {
                let pairs = &mut self.pairs;
                encoder.update(piece, |covered| hash_covered(pairs, covered)).map_err(internal)?;
            }
            InputReader::Digest(_, value) | InputReader::Mu(value) => value.update(piece),
        }
        Ok(())
    }

    /// Ends the message. Returns the verdict, and the indices of the keys that have signed. For
    /// each key in `policy`, `certificates` states whether the key is from a certificate.
    pub fn finish(self, policy: &Policy<'_>, certificates: &[bool]) -> Result<(Verdict, Vec<usize>), PageError> {
        let Self { format, file, mut pairs, reader, form, context, is_plain, bytes } = self;
        let signatures = &file.signatures;
        let input = reader.end(bytes, &mut pairs)?;
        let several = pairs.iter().any(|candidate| candidate.pair.key != pairs[0].pair.key);
        if matches!(input, EndedInput::Message { is_possible: false }) {
            pairs.clear();
        }
        let mut candidates = Vec::new();
        for HashedPair { pair, message } in pairs {
            let SignaturePair { signature, key } = pair;
            let public = policy.keys[key].public.key.to_ref();
            let hashed = match &input {
                EndedInput::Message { .. } => message.map(VerifyingHasher::finish),
                EndedInput::Mu(mu) => Some(HashedMessage::from(*mu)),
                EndedInput::Digest(digest) => {
                    let (level, options) = (Level::detect(), Options::with_context(&context));
                    let (key_hash, bytes) = (public.bound_hash(level), &signatures[signature].bytes);
                    HashedMessage::of_digest(level, public.algorithm(), &key_hash, options, digest, bytes).ok()
                }
            };
            candidates.push(HashedCandidate::new(pair, hashed));
        }
        let mut decision = Decision::new(signatures, candidates, Rejection::Mismatch { several, plain: is_plain });
        while decision.advance(policy) {
            let answer = decision.question(policy.keys).and_then(|item| verified(&item));
            decision.answer(answer, policy, &context, &NoClock);
        }
        let outcome = decision.conclude(policy, &context, &NoClock).map_err(|e| match e {
            DecisionError::Internal(e) => PageError::of_reason("internal", &e.to_string()),
            DecisionError::Clock(e) => e,
            _ => PageError::of_reason("internal", "an unknown error of the decision"),
        })?;
        match outcome {
            DecisionOutcome::Accepted { keys, evidence } => {
                let evidence = file.conditions.confirm(evidence, keys.iter().map(|key| &policy.keys[*key]));
                let ((verdict, mut answer), keys) = accepted(policy, certificates, keys, evidence, bytes)?;
                answer["format"] = json!(description(&format));
                Ok(((verdict, answer), keys))
            }
            DecisionOutcome::Rejected { rejection, keys, .. } => {
                let hint = format_hint(&format, &rejection, file.conditions.has_signer());
                Err(rejected(policy, rejection, &keys, &file, &form).about_format(hint))
            }
        }
    }
}

/// Verifies a single signature.
fn verified(item: &BatchItem<'_>) -> Result<Verified, VerifyError> {
    let mut work = vec![0; item.key.algorithm().verify_fast_work_len()];
    item.key.verified(item.message, item.signature, &mut work)
}

/// Returns all accepted keys in JSON, including whether each key signed. Returns `None` if there is
/// only a single key. A key in several schemes is included once.
fn each_key(policy: &Policy<'_>, signed: &[usize]) -> Option<Value> {
    let mut different_keys: Vec<&TrustedKey> = Vec::new();
    for (_, key) in policy.accepted() {
        if !different_keys.iter().any(|other| other.identity() == key.identity()) {
            different_keys.push(key);
        }
    }
    let signer = |key: &TrustedKey| {
        signed.iter().map(|i| &policy.keys[*i]).find(|signing_key| signing_key.identity() == key.identity())
    };
    (different_keys.len() > 1).then(|| {
        different_keys
            .iter()
            .map(|key| signer(key).map_or(signed_value(key, false), |signing_key| signed_value(signing_key, true)))
            .collect()
    })
}

/// Returns the verdict YES, with the report for the page. `evidence` is a number that shows that
/// all checks were completed and succeeded. Fails if `evidence` shows that a check was skipped.
fn accepted(
    policy: &Policy<'_>,
    certificates: &[bool],
    keys: Vec<usize>,
    evidence: Evidence,
    bytes: u64,
) -> Result<(Verdict, Vec<usize>), PageError> {
    let Some(first) = keys.first().filter(|_| evidence.holds()) else {
        return Err(PageError::of_reason("internal", "a check of the signature was skipped"));
    };
    let mut answer = key_value(&policy.keys[*first], certificates[*first]);
    answer["status"] = json!("ok");
    answer["bytes"] = json!(bytes);
    answer["required"] = json!(policy.required);
    answer["keys"] = each_key(policy, &keys).unwrap_or(Value::Null);
    Ok(((Verified::YES, answer), keys))
}

/// Returns the hint for a mismatch in a format that does not support a context or a pre-hash.
/// Returns `None` for any other rejection or format.
fn format_hint(format: &SignatureFormat, rejection: &Rejection, has_signer: bool) -> Option<&'static str> {
    let is_mismatch = matches!(rejection, Rejection::Mismatch { .. });
    (is_mismatch && !format.envelope().has_options()).then(|| of_format_mismatch(has_signer))
}

/// Explains the verdict NO. `signed` contains the indices of the keys that signed.
fn rejected(
    policy: &Policy<'_>,
    rejection: Rejection,
    signed: &[usize],
    file: &SeparateSignatures,
    form: &NoteForm,
) -> PageError {
    let keys = each_key(policy, signed);
    if matches!(rejection, Rejection::TooFew { .. }) {
        let mut names: Vec<_> = Vec::new();
        for key in policy.without_signature(signed) {
            names.push(key.description());
        }
        // The hint does not suggest to accept a single key, because this suggestion would help an
        // attacker who removed a signature.
        let hint = format!("there is no valid signature by {}", names.join(", "));
        return PageError::from(rejection).about(keys, Some(hint));
    }
    let notes: Vec<_> = file.signatures.iter().filter_map(SignatureNote::of).collect();
    let given: Vec<_> = policy.accepted().map(|(_, key)| key.public.fingerprint.as_str()).collect();
    let cause =
        matches!(rejection, Rejection::Mismatch { .. }).then(|| MismatchCause::of(&notes, &given, form)).flatten();
    PageError::from(rejection).because(cause).about(keys, None)
}
