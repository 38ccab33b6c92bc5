//! Verifies a signature in WebAssembly, for a host that writes to this module's memory. For other
//! targets, this crate is empty.
//!
//! The host gets the input buffer's address from [`input`], and can keep this address. For each
//! signature, the host writes the public key, the signature and the context to the buffer, without
//! gaps, and calls [`begin`] with the scheme and the three lengths. Then the host writes pieces of
//! the message to [`piece`], and calls [`update`] with the length of each piece, which is at most
//! [`piece_len`]. To end the message, the host calls [`finish`]. Only the number [`Verified::YES`]
//! means that the signature is valid. An instance can run one verification at a time: a new `begin`
//! drops the verification in progress.
//!
//! `lattice` verifies FN-DSA and Falcon signatures and, with the feature `ml-dsa`, also ML-DSA
//! signatures. `classic` verifies Ed25519 signatures. A build contains only `lattice` or `classic`.
//!
//! The module only accesses its own memory, even if the host makes wrong calls. A wrong length
//! causes an error number, and not a panic.
#![cfg(target_arch = "wasm32")]
#![no_std]

#[cfg(feature = "ed25519")]
mod classic;
#[cfg(not(feature = "ed25519"))]
mod lattice;

#[cfg(feature = "ed25519")]
use classic as family;
use core::cell::{Cell, UnsafeCell};
use family::PendingMessage;
use fndsa::algorithm::MAX_CONTEXT_LEN;
use fndsa::no_alloc::Verified;
#[cfg(not(feature = "ed25519"))]
use lattice as family;

/// The maximum input length for [`begin`]: the longest key, signature and context.
const MAX_INPUT_LEN: usize = family::MAX_KEY_LEN + family::MAX_SIGNATURE_LEN + MAX_CONTEXT_LEN;
/// The maximum input length for [`update`].
const MAX_PIECE_LEN: usize = 16 * 1024;

/// Memory that the host writes to between calls.
struct HostBuffer<const N: usize>(UnsafeCell<[u8; N]>);

// SAFETY: the module has a single thread, because it is built without shared memory.
unsafe impl<const N: usize> Sync for HostBuffer<N> {}

impl<const N: usize> HostBuffer<N> {
    /// Returns the first `len` bytes, or `None` if the buffer is shorter.
    fn get(&self, len: usize) -> Option<&[u8]> {
        // SAFETY: all bytes are initialized, the host only writes while no function of the module
        // runs, and references do not outlive a function call.
        let bytes: &[u8; N] = unsafe { &*self.0.get() };
        bytes.get(..len)
    }
}

/// A verification in progress.
struct PendingVerification {
    key_len: usize,
    signature_len: usize,
    message: PendingMessage,
}

/// The storage for the verification in progress between two calls.
struct VerificationSlot(Cell<Option<PendingVerification>>);

// SAFETY: the module has a single thread, because it is built without shared memory.
unsafe impl Sync for VerificationSlot {}

/// An error number of [`begin`]: this module does not support the scheme.
const UNSUPPORTED_SCHEME: u32 = 1;
/// An error number of [`begin`]: the three lengths together exceed the input buffer.
const INPUT_TOO_LONG: u32 = 2;
/// An error number of [`begin`]: the public key is not valid.
const INVALID_KEY: u32 = 3;
/// An error number of [`begin`]: the signature is malformed.
const MALFORMED_SIGNATURE: u32 = 4;
/// An error number of [`begin`]: the scheme does not allow the context.
const INVALID_CONTEXT: u32 = 5;

static INPUT_BUFFER: HostBuffer<MAX_INPUT_LEN> = HostBuffer(UnsafeCell::new([0; MAX_INPUT_LEN]));
static PIECE_BUFFER: HostBuffer<MAX_PIECE_LEN> = HostBuffer(UnsafeCell::new([0; MAX_PIECE_LEN]));
static VERIFICATION: VerificationSlot = VerificationSlot(Cell::new(None));

/// Traps after a panic, which would be a bug in the library. A trap is not a YES. The module
/// contains no panic messages.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

/// Returns the address for the public key, the signature and the context, without gaps.
#[unsafe(no_mangle)]
pub extern "C" fn input() -> *mut u8 {
    INPUT_BUFFER.0.get().cast()
}

/// Returns the address for a message piece.
#[unsafe(no_mangle)]
pub extern "C" fn piece() -> *mut u8 {
    PIECE_BUFFER.0.get().cast()
}

/// Returns the maximum piece length in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn piece_len() -> usize {
    MAX_PIECE_LEN
}

/// Returns the parts of the input: the public key, the signature and the context.
fn parts(
    key_len: usize,
    signature_len: usize,
    context_len: usize,
) -> Option<(&'static [u8], &'static [u8], &'static [u8])> {
    let len = key_len.checked_add(signature_len)?.checked_add(context_len)?;
    let (key, rest) = INPUT_BUFFER.get(len)?.split_at_checked(key_len)?;
    let (signature, context) = rest.split_at_checked(signature_len)?;
    Some((key, signature, context))
}

/// Begins a verification. The scheme is the upper byte of `Algorithm::id`, which never changes: the
/// numbers start from 1, in the order of `Scheme::ALL`. Returns 0, or an error number:
///
/// - 1: this module does not support the scheme.
/// - 2: the three lengths together exceed the input buffer, which is long enough for the schemes of
///   this module.
/// - 3: the public key is malformed, does not belong to the scheme, or has a degree for tests only.
/// - 4: the signature does not belong to the key's algorithm.
/// - 5: the scheme has no context, or the context is too long.
#[unsafe(no_mangle)]
pub extern "C" fn begin(scheme: u32, key_len: usize, signature_len: usize, context_len: usize) -> u32 {
    VERIFICATION.0.set(None);
    let Some(scheme) = family::scheme_of(scheme) else { return UNSUPPORTED_SCHEME };
    let Some((key, signature, context)) = parts(key_len, signature_len, context_len) else { return INPUT_TOO_LONG };
    match PendingMessage::begin(scheme, key, signature, context) {
        Ok(message) => {
            VERIFICATION.0.set(Some(PendingVerification { key_len, signature_len, message }));
            0
        }
        Err(number) => number,
    }
}

/// Adds the first `len` bytes at [`piece`] to the message. Returns 0, or 1 if there is no
/// verification in progress or if `len` is greater than [`piece_len`]. After the result 1, there is
/// no verification in progress.
#[unsafe(no_mangle)]
pub extern "C" fn update(len: usize) -> u32 {
    let Some(mut verification) = VERIFICATION.0.take() else { return 1 };
    let Some(piece) = PIECE_BUFFER.get(len) else { return 1 };
    verification.message.update(piece);
    VERIFICATION.0.set(Some(verification));
    0
}

/// Returns the verdict after the last piece of the message: [`Verified::YES`] if the signature is
/// valid, and any other number if it is not.
#[unsafe(no_mangle)]
pub extern "C" fn finish() -> u32 {
    verdict().map_or(0, Verified::value)
}

/// Returns the verdict on the verification in progress. Returns `None` if there is no such
/// verification, or if the signature is not valid.
fn verdict() -> Option<Verified> {
    let PendingVerification { key_len, signature_len, message } = VERIFICATION.0.take()?;
    let (key, signature, _) = parts(key_len, signature_len, 0)?;
    message.verdict(key, signature)
}
