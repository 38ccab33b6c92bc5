//! Hashes messages with a pre-hash before they are signed or verified, or takes the digests of the
//! messages from the caller.

use crate::code::CallError;
use library::Options;
use library::algorithm::{MAX_CONTEXT_LEN, PreHash};
use library::message::{MessageDigest, PreHasher};
use library::no_alloc::{
    Attempt, HashedMessage, Level, MessageToSign, SigningKeyRef, UnhashedMessage, VerifyingKeyRef,
};
use rand_core::TryCryptoRng;

/// The length of the longest digest of a pre-hash, in bytes.
const MAX_DIGEST_LEN: usize = 64;

/// The options for a signature. They also state whether the caller passes the message or its
/// digest.
#[derive(Clone, Copy)]
pub struct SignedForm<'a> {
    /// The context and the pre-hash.
    pub options: Options<'a>,
    /// True if the caller passes a digest (the pre-hash's output) as the message.
    pub is_digest: bool,
}

impl SignedForm<'_> {
    /// Returns the digest of the message, or `None` if there is no pre-hash.
    pub fn digest(&self, message: &[u8]) -> Result<Option<MessageDigest>, CallError> {
        match self.options.prehash {
            None => Ok(None),
            Some(hash) if self.is_digest => Ok(Some(MessageDigest::new(hash, message)?)),
            Some(hash) => Ok(Some(MessageDigest::of(hash, message)?)),
        }
    }
}

impl<'a> SignedForm<'a> {
    /// Returns the input for a signature. It contains the options, and the digest from
    /// [`Self::digest`]. If there is no digest, it contains the message instead.
    pub fn unhashed(
        &self,
        message: &'a [u8],
        digest: Option<&'a MessageDigest>,
    ) -> Result<UnhashedMessage<'a>, CallError> {
        match digest {
            None => Ok(UnhashedMessage::message(self.options, message)),
            Some(digest) => Ok(UnhashedMessage::digest(self.options, digest)?),
        }
    }
}

/// A message with a pre-hash that arrives in pieces.
pub struct PreHashedMessage {
    input: DigestInput,
    context: [u8; MAX_CONTEXT_LEN],
    context_len: u8,
    allow_weak: bool,
}

/// The pieces of a message with a pre-hash.
enum DigestInput {
    /// The pieces are the message.
    Message(PreHasher),
    /// The pieces are the digest. `len` counts all bytes that the caller has passed, even if they
    /// do not fit in `bytes`.
    Digest { hash: PreHash, bytes: [u8; MAX_DIGEST_LEN], len: usize },
}

impl PreHashedMessage {
    /// Starts a message. Returns `None` if there is no pre-hash. The caller must have checked that
    /// the algorithm allows the options.
    pub fn new(level: Level, form: SignedForm<'_>) -> Result<Option<Self>, CallError> {
        let Some(hash) = form.options.prehash else { return Ok(None) };
        let input = if form.is_digest {
            DigestInput::Digest { hash, bytes: [0; MAX_DIGEST_LEN], len: 0 }
        } else {
            DigestInput::Message(PreHasher::new(level, hash)?)
        };
        let mut context = [0; MAX_CONTEXT_LEN];
        let given = form.options.context;
        context.get_mut(..given.len()).ok_or(CallError::Context)?.copy_from_slice(given);
        let context_len = u8::try_from(given.len()).map_err(|_| CallError::Context)?;
        Ok(Some(Self { input, context, context_len, allow_weak: form.options.allow_weak_prehash }))
    }

    /// Adds the next piece.
    pub fn update(&mut self, piece: &[u8]) {
        match &mut self.input {
            DigestInput::Message(hasher) => hasher.update(piece),
            DigestInput::Digest { bytes, len, .. } => {
                for (to, from) in bytes.iter_mut().skip(*len).zip(piece) {
                    *to = *from;
                }
                *len = len.saturating_add(piece.len());
            }
        }
    }

    /// Returns the digest of the message.
    fn digest(self) -> Result<MessageDigest, CallError> {
        match self.input {
            DigestInput::Message(hasher) => Ok(hasher.finish()),
            DigestInput::Digest { hash, bytes, len } => {
                Ok(MessageDigest::new(hash, bytes.get(..len).ok_or(CallError::PreHash)?)?)
            }
        }
    }

    /// Ends the message, and hashes its digest for this key and signature.
    pub fn hash_to_verify(self, key: &VerifyingKeyRef<'_>, signature: &[u8]) -> Result<HashedMessage, CallError> {
        let (level, algorithm) = (Level::detect(), key.algorithm());
        let context = self.context;
        let options = options(&context, self.context_len, self.allow_weak)?;
        let digest = self.digest()?;
        Ok(HashedMessage::of_digest(level, algorithm, &key.bound_hash(level), options, &digest, signature)?)
    }

    /// Ends the message, and hashes its digest to sign it with this key.
    pub fn hash_to_sign<'w>(
        self,
        key: &SigningKeyRef<'_>,
        attempts: &'w mut [Attempt],
        rng: &mut impl TryCryptoRng,
    ) -> Result<MessageToSign<'w>, CallError> {
        let (level, algorithm) = (Level::detect(), key.algorithm());
        let context = self.context;
        let options = options(&context, self.context_len, self.allow_weak)?;
        let digest = self.digest()?;
        let message = UnhashedMessage::digest(options, &digest)?;
        Ok(MessageToSign::hash(level, algorithm, &key.key_hash(), message, attempts, rng)?)
    }
}

/// Returns options without a pre-hash, because the [`MessageDigest`] already contains the pre-hash.
fn options(context: &[u8; MAX_CONTEXT_LEN], len: u8, allow_weak: bool) -> Result<Options<'_>, CallError> {
    let context = context.get(..usize::from(len)).ok_or(CallError::Internal)?;
    Ok(Options::with_context(context).with_weak_prehash(allow_weak))
}
