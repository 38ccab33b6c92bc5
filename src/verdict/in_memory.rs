//! Reads trusted keys from the bytes of a file, and computes the verdict on a message in memory.

use super::decision::{Decision, DecisionError, DecisionOutcome, HashedCandidate};
use super::key_terms::{DateSource, KeyFileKind, KeyLineDefect, KeyTerms};
use super::messages::InputDefect;
use super::policy::{PairSelection, Policy, SignaturePair};
use super::rejection::Rejection;
use super::signature_file::{self, BlockReader, SignatureBlock, SignatureFileError};
use super::trusted_key::{KeyConflictError, PublicKey, PublicKeyError, TrustedKey, distinct, spread_restrictions};
use crate::api::{
    HashedMessage, Level, MessageDigest, MessageError, Options, PreHasher, VerifyingHasher, VerifyingKeyRef,
};
#[cfg(feature = "std")]
use crate::files::Date;
use crate::files::{self, Defect, FileContent, FileObject, ObjectKind, ReadOptions, pem};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// A defect in a file of trusted keys or in a signature file, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileDefect {
    /// The defect's description.
    pub message: String,
    /// Whether the block belongs to a different program, is for an algorithm that this library does
    /// not implement, or has an unknown label.
    is_foreign: bool,
}

impl FileDefect {
    pub(super) fn new(message: impl ToString) -> Self {
        Self { message: message.to_string(), is_foreign: false }
    }

    /// Adds the block number to the message if the file contains several blocks.
    fn of_part(self, what: &str, number: usize, count: usize) -> Self {
        if count > 1 { Self { message: format!("{what} {number}: {}", self.message), ..self } } else { self }
    }
}

impl core::error::Error for FileDefect {}

impl fmt::Display for FileDefect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// The reason why there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VerdictError<E> {
    /// The policy requires more keys than it accepts.
    TooFewKeys {
        /// The number of keys that must have signed.
        required: usize,
        /// The number of different keys among the keys that the policy accepts.
        given: usize,
    },
    /// The signature file is damaged, or does not contain a signature.
    Signatures(FileDefect),
    /// The keys' algorithms do not support this context and pre-hash, or the digest does not have
    /// the pre-hash of the options.
    Message(MessageError),
    /// The date is unknown, or the library failed.
    Decision(DecisionError<E>),
}

impl<E: fmt::Display> fmt::Display for VerdictError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFewKeys { required, given } => {
                write!(f, "the policy requires signatures by {required} different keys, but accepts only {given}")
            }
            Self::Signatures(defect) => write!(f, "{defect}"),
            Self::Message(e) => write!(f, "{e}"),
            Self::Decision(DecisionError::Internal(e)) => write!(f, "{e}"),
            Self::Decision(DecisionError::Clock(e)) => write!(f, "{e}"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for VerdictError<E> {}

/// The verification date: a fixed date, or `None` for the current date.
#[cfg(feature = "std")]
pub struct VerificationDay(pub Option<Date>);

#[cfg(feature = "std")]
impl DateSource for VerificationDay {
    type Error = &'static str;

    fn today(&self) -> Result<Date, &'static str> {
        use std::time::{SystemTime, UNIX_EPOCH};
        if let Some(day) = self.0 {
            return Ok(day);
        }
        let passed = SystemTime::now().duration_since(UNIX_EPOCH).ok();
        let day = passed.and_then(|passed| Date::of_unix_seconds(passed.as_secs()));
        day.ok_or("the clock of this machine is not between 1970 and 9999")
    }
}

/// Reads a key or a signature.
fn object(part: &[u8], wanted: ObjectKind) -> Result<FileObject, FileDefect> {
    match files::read(part, &ReadOptions { expected_kind: Some(wanted), ..ReadOptions::default() }) {
        Ok(FileContent::Plain(object)) if object.kind == wanted => Ok(object),
        Ok(FileContent::Plain(object)) => Err(FileDefect::new(InputDefect::Role { found: object.kind, wanted })),
        Ok(FileContent::Locked(_)) => Err(FileDefect::new(InputDefect::Role { found: ObjectKind::SigningKey, wanted })),
        Err(Defect::Unknown(what)) => Err(FileDefect::new(InputDefect::Unrecognised(wanted, &what))),
        Err(defect) => {
            let is_foreign = matches!(defect, Defect::Foreign(_) | Defect::Label(_));
            Err(FileDefect { is_foreign, ..FileDefect::new(defect) })
        }
    }
}

/// Reads a public key with its key lines.
fn trusted_key(part: &[u8], expected: &[String], level: Level) -> Result<TrustedKey, FileDefect> {
    let kind = ObjectKind::VerifyingKey;
    let public = PublicKey::check(&object(part, kind)?).map_err(|e| match e {
        PublicKeyError::OtherContent { stated, found } => FileDefect::new(InputDefect::Content(kind, stated, &found)),
        PublicKeyError::Key(source) => FileDefect::new(InputDefect::Key(kind, &source)),
    })?;
    let terms = KeyTerms::parse(part, KeyFileKind::TrustedKeys)
        .map_err(|KeyLineDefect { line, what, .. }| FileDefect::new(format!("line {line}: {what}")))?;
    let is_expected = expected.is_empty() || expected.contains(&public.fingerprint);
    TrustedKey::new(public, level, String::new(), terms, is_expected).map_err(FileDefect::new)
}

/// Reads a file of trusted keys from memory: public keys with their key lines. If a file contains
/// the same key in several schemes, the key lines before one of them apply to all of them. If
/// `expected` contains fingerprints, a policy will only accept the keys with these fingerprints.
///
/// # Errors
/// A key or a key line has a defect, the key lines for the same key contradict each other, or a key
/// is a half of a composite key in the file.
pub fn read_trusted_keys(data: &[u8], expected: &[String], level: Level) -> Result<Vec<TrustedKey>, FileDefect> {
    let parts = pem::parts(data);
    let mut keys = Vec::with_capacity(parts.len());
    for (i, part) in parts.iter().enumerate() {
        let key = trusted_key(part, expected, level);
        let mut key = key.map_err(|defect| defect.of_part("key", i + 1, parts.len()))?;
        key.from = format!("key {}", i + 1);
        keys.push(key);
    }
    spread_restrictions(&mut keys).map_err(|conflict| {
        FileDefect::new(match conflict {
            KeyConflictError::Terms { from, other } => {
                format!("{from} has other key lines than {other}, and both are the same key")
            }
            KeyConflictError::Half { half, composite } => {
                format!("{half} is a half of the composite key {composite}, so they are not two keys")
            }
        })
    })?;
    Ok(keys)
}

/// A reader for signature blocks.
struct SignatureReader;

impl BlockReader for SignatureReader {
    type Error = FileDefect;

    fn read(&self, part: &[u8], number: usize, count: usize) -> Result<FileObject, FileDefect> {
        object(part, ObjectKind::Signature).map_err(|defect| defect.of_part("signature", number, count))
    }

    fn unknown(&self, defect: &FileDefect) -> Option<String> {
        defect.is_foreign.then(|| defect.message.clone())
    }
}

/// Reads the signatures in a signature file from memory.
pub(super) fn read_signatures(data: &[u8]) -> Result<Vec<FileObject>, FileDefect> {
    let blocks = signature_file::blocks(data, &SignatureReader).map_err(|e| match e {
        SignatureFileError::TooMany(count) => FileDefect::new(InputDefect::ManySignatures(count)),
        SignatureFileError::Block(defect) => defect,
    })?;
    let mut signatures = Vec::new();
    for (_, block) in blocks {
        if let SignatureBlock::Known(object) = block {
            signatures.push(*object);
        }
    }
    Ok(signatures)
}

/// The message for a verdict: its bytes, or its digest.
#[derive(Clone, Copy)]
pub enum VerdictInput<'m> {
    /// The message. If the options have a pre-hash, it is applied to the message.
    Message(&'m [u8]),
    /// The digest of the message. The pre-hash in the options must be `None` or the hash function
    /// of the digest.
    Digest(&'m MessageDigest),
}

impl<'m> From<&'m [u8]> for VerdictInput<'m> {
    fn from(message: &'m [u8]) -> Self {
        Self::Message(message)
    }
}

impl<'m> From<&'m MessageDigest> for VerdictInput<'m> {
    fn from(digest: &'m MessageDigest) -> Self {
        Self::Digest(digest)
    }
}

/// Verifies the signatures in `signature_file` for `message`, and returns the verdict.
///
/// The message is hashed once for each signature and each key that could have created it.
///
/// Accept the message only if [`DecisionOutcome::is_accepted`] returns true for the result.
///
/// # Errors
/// There is no verdict.
pub fn verify_in_memory<'m, C: DateSource>(
    policy: &Policy<'_>,
    signature_file: &[u8],
    message: impl Into<VerdictInput<'m>>,
    options: Options<'_>,
    level: Level,
    dates: &C,
) -> Result<DecisionOutcome, VerdictError<C::Error>> {
    match (message.into(), options.prehash) {
        (VerdictInput::Message(message), Some(hash)) => {
            let mut hasher = PreHasher::new(level, hash).map_err(VerdictError::Message)?;
            hasher.update(message);
            verify_unhashed(policy, signature_file, VerdictInput::Digest(&hasher.finish()), options, level, dates)
        }
        (message, _) => verify_unhashed(policy, signature_file, message, options, level, dates),
    }
}

/// Hashes the message for a key and a signature. `None` if the signature cannot be parsed for the
/// key's algorithm.
fn hash_for(
    public: &VerifyingKeyRef<'_>,
    signature: &[u8],
    message: VerdictInput<'_>,
    form: Options<'_>,
    level: Level,
) -> Option<HashedMessage> {
    let algorithm = public.algorithm();
    let key_hash = public.bound_hash(level);
    match message {
        VerdictInput::Message(message) => {
            let mut hasher = VerifyingHasher::new(level, algorithm, &key_hash, form, signature).ok()?;
            hasher.update(message);
            Some(hasher.finish())
        }
        VerdictInput::Digest(digest) => {
            HashedMessage::of_digest(level, algorithm, &key_hash, form, digest, signature).ok()
        }
    }
}

/// Does the work of [`verify_in_memory`]. Range: a message that is not a digest has no pre-hash.
fn verify_unhashed<C: DateSource>(
    policy: &Policy<'_>,
    signature_file: &[u8],
    message: VerdictInput<'_>,
    options: Options<'_>,
    level: Level,
    dates: &C,
) -> Result<DecisionOutcome, VerdictError<C::Error>> {
    let form = match message {
        VerdictInput::Message(_) => options,
        VerdictInput::Digest(digest) => options.of_digest(digest).map_err(VerdictError::Message)?,
    };
    let required = policy.required;
    let given = distinct(policy.keys);
    if required > given.max(1) {
        return Err(VerdictError::TooFewKeys { required, given });
    }
    let signatures = read_signatures(signature_file).map_err(VerdictError::Signatures)?;
    let mut pairs = Vec::new();
    let selection = policy.pairs(&signatures, |algorithm| form.check(algorithm));
    let rejection = match selection.map_err(VerdictError::Message)? {
        PairSelection::Possible(possible) => {
            pairs = possible;
            let several = pairs.iter().any(|pair| pair.key != pairs[0].key);
            Rejection::Mismatch { several, plain: form.context.is_empty() && form.prehash.is_none() }
        }
        PairSelection::Rejected(rejection) => rejection,
    };
    let mut candidates = Vec::with_capacity(pairs.len());
    for SignaturePair { signature, key } in pairs {
        let public = policy.keys[key].public.key.to_ref();
        let bytes = &signatures[signature].bytes;
        let hashed = hash_for(&public, bytes, message, form, level);
        candidates.push(HashedCandidate { signature, key, hashed });
    }
    let mut decision = Decision::new(&signatures, candidates, rejection);
    while decision.advance(policy) {
        let answer = decision.question(policy.keys).and_then(|item| {
            let mut work = vec![0; item.key.algorithm().verify_fast_work_len()];
            item.key.verified(item.message, item.signature, &mut work)
        });
        decision.answer(answer, policy, form.context, dates);
    }
    decision.conclude(policy, form.context, dates).map_err(VerdictError::Decision)
}
