//! Computes the verdict on a message in memory, for Python, C and the signed lists in memory.

use super::covered_encoder::CoveredEncoder;
use super::decision::{Decision, DecisionError, DecisionOutcome, HashedCandidate};
use super::key_terms::DateSource;
use super::memory_files::FileDefect;
use super::policy::{PairSelection, Policy, SignaturePair};
use super::rejection::Rejection;
use super::separate_signatures::{SeparateSignatures, SeparateSignaturesError};
use super::signature_format::SignatureFormat;
use super::trusted_key::distinct;
use crate::api::{HashedMessage, Level, MessageDigest, MessageError, Options, PreHasher, VerifyingHasher};
#[cfg(feature = "std")]
use crate::files::Date;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// The reason why a message in memory has no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerdictError<E> {
    /// The policy requires more keys than it accepts.
    TooFewKeys {
        /// The number of keys that must have signed.
        required: usize,
        /// The number of different keys that the policy accepts.
        given: usize,
    },
    /// The signature file is damaged, contains no signature, or does not have the expected format.
    Signatures(FileDefect),
    /// The format of the signature file is not defined for any of the given keys.
    Format(FileDefect),
    /// The options contain a context, but signatures in this format have no context.
    FormatContext(&'static str),
    /// The options contain a pre-hash, or the input is a digest. Signatures in this format have no
    /// pre-hash, so only a message without a pre-hash can be verified.
    FormatPrehash(&'static str),
    /// The algorithms of the keys do not support the context or the pre-hash. This is also the
    /// error if a digest was not computed with the pre-hash in the options.
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
            Self::Signatures(defect) | Self::Format(defect) => write!(f, "{defect}"),
            Self::FormatContext(title) => write!(f, "{title} have no context: leave the context out"),
            Self::FormatPrehash(title) => {
                write!(
                    f,
                    "{title} have no pre-hash: leave the pre-hash out, and give the message instead of its digest"
                )
            }
            Self::Message(e) => write!(f, "{e}"),
            Self::Decision(e) => write!(f, "{e}"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for VerdictError<E> {}

/// The verification date, or `None` to use the current date.
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
        const OUTSIDE: &str = "the clock of this machine is not between 1970 and 9999";
        let Ok(passed) = SystemTime::now().duration_since(UNIX_EPOCH) else { return Err(OUTSIDE) };
        Date::of_unix_seconds(passed.as_secs()).ok_or(OUTSIDE)
    }
}

/// The contents and the format of a signature file.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct SignatureFileData<'s> {
    /// The format in which the verifier expects the file.
    pub format: &'s SignatureFormat,
    /// The contents of the file.
    pub data: &'s [u8],
}

impl<'s> SignatureFileData<'s> {
    /// Creates the value from a format and the contents.
    pub const fn new(format: &'s SignatureFormat, data: &'s [u8]) -> Self {
        Self { format, data }
    }
}

/// Bytes without a format are a signature file of fndsa.
impl<'s> From<&'s [u8]> for SignatureFileData<'s> {
    fn from(data: &'s [u8]) -> Self {
        Self { format: SignatureFormat::FNDSA, data }
    }
}

/// The message to verify, or its digest.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum VerdictInput<'m> {
    /// The message. If the options contain a pre-hash, the message is hashed with it.
    Message(&'m [u8]),
    /// The message's digest. If the options contain a pre-hash, this digest must have been computed
    /// with that pre-hash.
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

/// Verifies the signatures in `signature_file` for `message`, and returns the verdict. If
/// `signature_file` is only bytes, these bytes are a signature file of fndsa. All formats except
/// fndsa's own format define the signed bytes themselves. For these formats, `options` must be
/// empty, and the input must be a message, not a digest.
///
/// The message is hashed once for each pair of a signature and a key that could have created it.
///
/// Accept the message only if [`DecisionOutcome::is_accepted`] returns true.
///
/// # Errors
/// Fails if there is no verdict, for example because a file has a defect, or because no key
/// supports the options.
pub fn verify_in_memory<'s, 'm, C: DateSource>(
    policy: &Policy<'_>,
    signature_file: impl Into<SignatureFileData<'s>>,
    message: impl Into<VerdictInput<'m>>,
    options: Options<'_>,
    level: Level,
    dates: &C,
) -> Result<DecisionOutcome, VerdictError<C::Error>> {
    let signature_file = signature_file.into();
    let message = message.into();
    check_format(policy, signature_file.format, message, options)?;
    match (message, options.prehash) {
        (VerdictInput::Message(message), Some(hash)) => {
            let mut hasher = PreHasher::new(level, hash).map_err(VerdictError::Message)?;
            hasher.update(message);
            verify_unhashed(policy, signature_file, VerdictInput::Digest(&hasher.finish()), options, level, dates)
        }
        (message, _) => verify_unhashed(policy, signature_file, message, options, level, dates),
    }
}

/// Checks that the format supports these options and the algorithm of at least one given key.
fn check_format<E>(
    policy: &Policy<'_>,
    format: &SignatureFormat,
    message: VerdictInput<'_>,
    options: Options<'_>,
) -> Result<(), VerdictError<E>> {
    if !format.envelope().has_options() {
        if !options.context.is_empty() {
            return Err(VerdictError::FormatContext(format.title()));
        }
        if options.prehash.is_some() || options.allow_weak_prehash || matches!(message, VerdictInput::Digest(_)) {
            return Err(VerdictError::FormatPrehash(format.title()));
        }
    }
    match format.check_keys(policy.keys) {
        Ok(()) => Ok(()),
        Err(defect) => Err(VerdictError::Format(FileDefect::new(defect))),
    }
}

/// The length of a piece of the message, in bytes. Each piece is hashed for all pairs before the
/// next piece is hashed.
const PIECE_LEN: usize = 1 << 16;

/// Hashes the bytes that the signatures cover, for each pair of a signature and a key. A candidate
/// has no hash if the signature cannot be parsed for the key's algorithm. If no signature can cover
/// the message, returns no candidates.
fn hashed_candidates(
    policy: &Policy<'_>,
    file: &SeparateSignatures,
    pairs: &[SignaturePair],
    message: VerdictInput<'_>,
    form: Options<'_>,
    level: Level,
) -> Result<Vec<HashedCandidate>, MessageError> {
    let mut candidates = Vec::with_capacity(pairs.len());
    let mut hashers = Vec::with_capacity(pairs.len());
    for SignaturePair { signature, key } in pairs.iter().copied() {
        let public = policy.keys[key].public.key.to_ref();
        let algorithm = public.algorithm();
        let key_hash = public.bound_hash(level);
        let bytes = &file.signatures[signature].bytes;
        let mut hashed = None;
        match message {
            VerdictInput::Message(_) => {
                hashers.push(VerifyingHasher::new(level, algorithm, &key_hash, form, bytes).ok());
            }
            VerdictInput::Digest(digest) => {
                hashed = HashedMessage::of_digest(level, algorithm, &key_hash, form, digest, bytes).ok();
            }
        }
        candidates.push(HashedCandidate { signature, key, hashed });
    }
    let VerdictInput::Message(message) = message else { return Ok(candidates) };
    let Some(mut encoder) = CoveredEncoder::new(&file.conditions.covered, level) else { return Ok(Vec::new()) };
    for piece in message.chunks(PIECE_LEN) {
        encoder.update(piece, |covered| update_all(&mut hashers, covered))?;
    }
    if !encoder.finish(|covered| update_all(&mut hashers, covered))?.is_possible {
        return Ok(Vec::new());
    }
    for (candidate, hasher) in candidates.iter_mut().zip(hashers) {
        if let Some(hasher) = hasher {
            candidate.hashed = Some(hasher.finish());
        }
    }
    Ok(candidates)
}

/// Adds covered bytes to the hash of each pair.
fn update_all(hashers: &mut [Option<VerifyingHasher>], covered: &[u8]) {
    for hasher in hashers.iter_mut().flatten() {
        hasher.update(covered);
    }
}

/// Implements [`verify_in_memory`], after [`check_format`] has checked the format and the options.
fn verify_unhashed<C: DateSource>(
    policy: &Policy<'_>,
    signature_file: SignatureFileData<'_>,
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
    let file = match SeparateSignatures::open(signature_file.format, signature_file.data) {
        Ok(file) => file,
        Err(SeparateSignaturesError::Signature(defect)) => return Err(VerdictError::Signatures(defect)),
        Err(SeparateSignaturesError::Format(e)) => return Err(VerdictError::Signatures(FileDefect::new(e))),
    };
    let mut pairs = Vec::new();
    let selection = file.conditions.pairs(policy, &file.signatures, |algorithm| form.check(algorithm));
    let rejection = match selection.map_err(VerdictError::Message)? {
        PairSelection::Possible(possible) => {
            pairs = possible;
            let several = pairs.iter().any(|pair| pair.key != pairs[0].key);
            Rejection::Mismatch { several, plain: form.context.is_empty() && form.prehash.is_none() }
        }
        PairSelection::Rejected(rejection) => rejection,
    };
    let candidates = hashed_candidates(policy, &file, &pairs, message, form, level).map_err(VerdictError::Message)?;
    let mut decision = Decision::new(&file.signatures, candidates, rejection);
    while decision.advance(policy) {
        let answer = match decision.question(policy.keys) {
            Ok(item) => {
                let mut work = vec![0; item.key.algorithm().verify_fast_work_len()];
                item.key.verified(item.message, item.signature, &mut work)
            }
            Err(e) => Err(e),
        };
        decision.answer(answer, policy, form.context, dates);
    }
    match decision.conclude(policy, form.context, dates).map_err(VerdictError::Decision)? {
        DecisionOutcome::Accepted { keys, evidence } => {
            let evidence = file.conditions.confirm(evidence, keys.iter().map(|key| &policy.keys[*key]));
            Ok(DecisionOutcome::Accepted { keys, evidence })
        }
        rejected => Ok(rejected),
    }
}
