//! Verifies a signature in WebAssembly, for a host that writes to this module's memory. For other
//! targets, this crate is empty.
//!
//! The host gets the address of the input buffer from [`input`], which always returns the same
//! address. For each signature, the host writes the public key, the signature and the context to
//! this buffer, without gaps, and calls [`begin`] with the scheme and the three lengths. Then the
//! host writes the message to [`piece`] in pieces of at most [`piece_len`] bytes, and calls
//! [`update`] with the length of each piece. To end the message, the host calls [`finish`]. The
//! signature is valid only if `finish` returns [`Verified::YES`]. An instance can run only one
//! verification at a time, so a new `begin` drops the verification in progress.
//!
//! `lattice` verifies FN-DSA and Falcon signatures, and also ML-DSA signatures if the feature
//! `ml-dsa` is enabled. `classic` verifies Ed25519 signatures. A build contains either `lattice` or
//! `classic`.
//!
//! Even if the arguments are wrong, the module only accesses its own memory. If a length is wrong,
//! the functions return an error number and do not panic.
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

/// The maximum input length for [`begin`], in bytes: the longest key, the longest signature and the
/// longest context together.
const MAX_INPUT_LEN: usize = family::MAX_KEY_LEN + family::MAX_SIGNATURE_LEN + MAX_CONTEXT_LEN;
/// The maximum input length for [`update`], in bytes.
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

/// The verification in progress, which the module stores between two calls.
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

/// Traps after a panic, which would be a bug in the library. A trap is never a YES, because the
/// function does not return. The module contains no panic messages.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

/// Returns the address to which the host should write the public key, the signature and the
/// context, without gaps.
#[unsafe(no_mangle)]
pub extern "C" fn input() -> *mut u8 {
    INPUT_BUFFER.0.get().cast()
}

/// Returns the address to which the host should write each piece of the message.
#[unsafe(no_mangle)]
pub extern "C" fn piece() -> *mut u8 {
    PIECE_BUFFER.0.get().cast()
}

/// Returns the maximum piece length in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn piece_len() -> usize {
    MAX_PIECE_LEN
}

/// Returns the input's parts: the public key, the signature and the context. Returns `None` if the
/// parts are longer than the input buffer.
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

/// Begins a verification. `scheme` is the upper byte of `Algorithm::id`: the position of the scheme
/// in `Scheme::ALL`, counted from 1. A scheme has the same number in every version of this module.
/// Returns 0, or an error number:
///
/// - 1: this module does not support the scheme.
/// - 2: the three lengths together exceed the input buffer, which is long enough for all schemes in
///   this module.
/// - 3: the public key is malformed, is for a different scheme, or has a degree that is only for
///   tests.
/// - 4: the signature cannot be from a key of this algorithm.
/// - 5: the context is too long, or the scheme does not support it.
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

/// Adds the first `len` bytes at [`piece`] to the message, and returns 0. If `len` is greater than
/// [`piece_len`], ends the verification and returns 1. Also returns 1 if no verification is in
/// progress.
#[unsafe(no_mangle)]
pub extern "C" fn update(len: usize) -> u32 {
    let Some(mut verification) = VERIFICATION.0.take() else { return 1 };
    let Some(piece) = PIECE_BUFFER.get(len) else { return 1 };
    verification.message.update(piece);
    VERIFICATION.0.set(Some(verification));
    0
}

/// Returns the verdict after the last piece of the message: [`Verified::YES`] if the signature is
/// valid, and otherwise 0 or a number that is not `YES`.
#[unsafe(no_mangle)]
pub extern "C" fn finish() -> u32 {
    verdict().map_or(0, Verified::value)
}

/// Ends the verification in progress and returns the verdict, or `None` if the signature is not
/// valid or if no verification is in progress.
fn verdict() -> Option<Verified> {
    let PendingVerification { key_len, signature_len, message } = VERIFICATION.0.take()?;
    let (key, signature, _) = parts(key_len, signature_len, 0)?;
    message.verdict(key, signature)
}
