//! Messages for Ed25519 and for composites, which are hashed with SHA-512. The types that hash
//! messages of any scheme contain a [`Sha512Message`].

use super::composite::CompositeMessage;
use super::ed25519::MessageForEd25519;
use super::{KeyHash, MessageError, Options, Scheme};
use alloc::boxed::Box;

/// A message for Ed25519 or for a composite. The message is on the heap. Otherwise, the types that
/// hash messages of any scheme would need space for it, even in schemes that do not use SHA-512.
#[derive(Clone)]
pub(super) enum Sha512Message {
    /// A message for Ed25519.
    Ed25519(Box<MessageForEd25519>),
    /// A message for a composite, to sign or to verify.
    Composite(Box<CompositeMessage>),
}

impl Sha512Message {
    /// Starts to hash a message, to sign it. Returns `None` if the scheme is not Ed25519 or a
    /// composite. This function has a separate stack frame, so other schemes need no stack memory
    /// for the message. The caller must check the options before this call.
    #[inline(never)]
    pub(super) fn to_sign(scheme: Scheme, options: Options<'_>) -> Option<Self> {
        if scheme == Scheme::MlDsaEd25519 {
            return Some(Self::Composite(Box::new(CompositeMessage::with_context(options.context))));
        }
        MessageForEd25519::to_sign(scheme, options).map(Self::Ed25519)
    }

    /// Starts to hash a message, to verify `signature`. Returns `None` if the scheme is not Ed25519
    /// or a composite. The stack frame is separate, and the caller must check the options, as in
    /// [`Self::to_sign`].
    #[inline(never)]
    pub(super) fn to_verify(
        scheme: Scheme,
        key: &KeyHash,
        options: Options<'_>,
        signature: &[u8],
    ) -> Result<Option<Self>, MessageError> {
        if scheme == Scheme::MlDsaEd25519 {
            return Ok(Self::to_sign(scheme, options));
        }
        Ok(MessageForEd25519::to_verify(scheme, key, options, signature)?.map(Self::Ed25519))
    }

    /// Adds the next piece of the message.
    pub(super) fn update(&mut self, data: &[u8]) {
        match self {
            Self::Ed25519(message) => message.update(data),
            Self::Composite(message) => message.update(data),
        }
    }

    /// Returns the scheme for which the message is hashed.
    pub(super) fn scheme(&self) -> Scheme {
        match self {
            Self::Ed25519(_) => Scheme::Ed25519,
            Self::Composite(_) => Scheme::MlDsaEd25519,
        }
    }

    /// Returns the message for Ed25519, or `None` if the message is for a composite.
    pub(super) fn ed25519(&self) -> Option<&MessageForEd25519> {
        match self {
            Self::Ed25519(message) => Some(message),
            Self::Composite(_) => None,
        }
    }

    /// Returns the message for a composite, or `None` if the message is for Ed25519.
    pub(super) fn composite(&self) -> Option<&CompositeMessage> {
        match self {
            Self::Ed25519(_) => None,
            Self::Composite(message) => Some(message),
        }
    }
}
