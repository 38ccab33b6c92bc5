//! Verifies Ed25519 signatures, or Ed25519ctx signatures if a context is given. The functions in
//! `lib.rs` call this module.

use crate::{INVALID_CONTEXT, INVALID_KEY, MALFORMED_SIGNATURE};
use core::alloc::{GlobalAlloc, Layout};
use core::ptr::null_mut;
use fndsa::Algorithm;
use fndsa::Options;
use fndsa::algorithm::Scheme;
use fndsa::no_alloc::{Ed25519Message, Verified, VerifyingKeyRef};

/// The public key length, in bytes.
pub const MAX_KEY_LEN: usize = Algorithm::ED25519.verifying_key_len();
/// The signature length, in bytes.
pub const MAX_SIGNATURE_LEN: usize = Algorithm::ED25519.signature_len();
/// The number of the scheme Ed25519, as in [`begin`](crate::begin).
const ED25519_NUMBER: u32 = 6;

/// An allocator without memory. The library with the feature `ed25519` does not build without an
/// allocator. The module never calls this allocator, because a verification with [`Ed25519Message`]
/// does not allocate.
struct NoMemory;

// SAFETY: all allocations fail, so there is no memory for which the requirements of an allocator
// could be violated.
unsafe impl GlobalAlloc for NoMemory {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        null_mut()
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static ALLOCATOR: NoMemory = NoMemory;

/// A message that is passed in pieces.
pub struct PendingMessage(Ed25519Message);

/// Returns the scheme with this number. Returns `None` for all numbers except Ed25519's number,
/// because this module does not support any other scheme.
pub fn scheme_of(number: u32) -> Option<Scheme> {
    (number == ED25519_NUMBER).then_some(Scheme::Ed25519)
}

impl PendingMessage {
    /// Begins a message. If the arguments are not valid, returns the error number that
    /// [`crate::begin`] should return.
    pub fn begin(_: Scheme, key: &[u8], signature: &[u8], context: &[u8]) -> Result<Self, u32> {
        let key = VerifyingKeyRef::from_bytes(Scheme::Ed25519, key).map_err(|_| INVALID_KEY)?;
        let options = Options::with_context(context);
        options.check(Algorithm::ED25519).map_err(|_| INVALID_CONTEXT)?;
        match Ed25519Message::new(&key, options, signature) {
            Ok(message) => Ok(Self(message)),
            Err(_) => Err(MALFORMED_SIGNATURE),
        }
    }

    /// Adds a piece to the message.
    pub fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    /// Returns the verdict after the last piece of the message, or `None` if the signature is not
    /// valid.
    pub fn verdict(self, key: &[u8], signature: &[u8]) -> Option<Verified> {
        let key = VerifyingKeyRef::from_bytes(Scheme::Ed25519, key).ok()?;
        self.0.verified(&key, signature).ok()
    }
}
