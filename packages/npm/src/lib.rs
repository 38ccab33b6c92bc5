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
//! The module only accesses its own memory, even if the host makes wrong calls. A wrong length
//! causes an error number, and not a panic.
#![cfg(target_arch = "wasm32")]
#![no_std]

use core::cell::{Cell, UnsafeCell};
use fndsa::algorithm::{MAX_CONTEXT_LEN, Scheme, SignatureEncoding};
use fndsa::no_alloc::{Level, Verified, VerifyingHasher, VerifyingKeyRef};
use fndsa::{Algorithm, Options};

/// Returns the larger length.
#[cfg(not(fndsa_falcon_alone))]
const fn larger(one: usize, other: usize) -> usize {
    if one > other { one } else { other }
}

/// The maximum public key length in this module, in bytes.
#[cfg(fndsa_falcon_alone)]
const KEY: usize = Algorithm::FALCON_1024.verifying_key_len();
#[cfg(not(fndsa_falcon_alone))]
const KEY: usize = larger(Algorithm::FALCON_1024.verifying_key_len(), Algorithm::ML_DSA_87.verifying_key_len());

/// The maximum signature length for FN-DSA and Falcon, in bytes.
const FALCON_SIGNATURE: usize = Algorithm::FALCON_1024.encoded_signature_len(SignatureEncoding::Compressed);
/// The maximum signature length in this module, in bytes.
#[cfg(fndsa_falcon_alone)]
const SIGNATURE: usize = FALCON_SIGNATURE;
#[cfg(not(fndsa_falcon_alone))]
const SIGNATURE: usize = larger(FALCON_SIGNATURE, Algorithm::ML_DSA_87.signature_len());

/// The maximum work memory for a verification, in bytes.
#[cfg(fndsa_falcon_alone)]
const WORK: usize = Algorithm::FALCON_1024.verify_work_len();
#[cfg(not(fndsa_falcon_alone))]
const WORK: usize = larger(Algorithm::FALCON_1024.verify_work_len(), Algorithm::ML_DSA_87.verify_work_len());

/// The maximum input length for [`begin`]: the longest key, signature and context.
const INPUT: usize = KEY + SIGNATURE + MAX_CONTEXT_LEN;
/// The maximum input length for [`update`].
const PIECE: usize = 16 * 1024;

/// Memory that the host writes to between calls.
struct HostBuffer<const N: usize>(UnsafeCell<[u8; N]>);

// SAFETY: the module has a single thread, because it is built without shared memory.
unsafe impl<const N: usize> Sync for HostBuffer<N> {}

impl<const N: usize> HostBuffer<N> {
    /// Returns the first `len` bytes, or `None` if there are fewer bytes.
    fn get(&self, len: usize) -> Option<&[u8]> {
        // SAFETY: all bytes are initialized, the host only writes while no function of the module
        // runs, and references do not outlive a function call.
        let bytes: &[u8; N] = unsafe { &*self.0.get() };
        bytes.get(..len)
    }
}

/// A verification in progress.
struct PendingVerification {
    scheme: Scheme,
    key_len: usize,
    signature_len: usize,
    message: VerifyingHasher,
}

/// The verification in progress, from one call to the next.
struct VerificationSlot(Cell<Option<PendingVerification>>);

// SAFETY: the module has a single thread, because it is built without shared memory.
unsafe impl Sync for VerificationSlot {}

static HEAD: HostBuffer<INPUT> = HostBuffer(UnsafeCell::new([0; INPUT]));
static MESSAGE: HostBuffer<PIECE> = HostBuffer(UnsafeCell::new([0; PIECE]));
static STATE: VerificationSlot = VerificationSlot(Cell::new(None));

/// Traps after a panic, which would be a bug in the library. A trap is not a YES. The module
/// contains no panic messages.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

/// Returns the address for the public key, the signature and the context, without gaps.
#[unsafe(no_mangle)]
pub extern "C" fn input() -> *mut u8 {
    HEAD.0.get().cast()
}

/// Returns the address for a message piece.
#[unsafe(no_mangle)]
pub extern "C" fn piece() -> *mut u8 {
    MESSAGE.0.get().cast()
}

/// Returns the maximum piece length in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn piece_len() -> usize {
    PIECE
}

/// Returns the scheme with this number, which is the upper byte of [`Algorithm::id`] and never
/// changes. The numbers start from 1, in the order of [`Scheme::ALL`]. A module without ML-DSA only
/// has the first four schemes.
fn scheme_of(number: u32) -> Option<Scheme> {
    let schemes = if cfg!(fndsa_falcon_alone) { &Scheme::FALCON_FAMILY[..] } else { &Scheme::ALL[..] };
    schemes.get((number as usize).checked_sub(1)?).copied()
}

/// Parses a public key for a scheme. Returns `None` for toy degrees, which have no security.
fn key_of(scheme: Scheme, bytes: &[u8]) -> Option<VerifyingKeyRef<'_>> {
    VerifyingKeyRef::from_bytes(scheme, bytes).ok().filter(|key| !key.algorithm().is_toy())
}

/// Returns the parts of the input: the public key, the signature and the context.
fn parts(
    key_len: usize,
    signature_len: usize,
    context_len: usize,
) -> Option<(&'static [u8], &'static [u8], &'static [u8])> {
    let len = key_len.checked_add(signature_len)?.checked_add(context_len)?;
    let (key, rest) = HEAD.get(len)?.split_at_checked(key_len)?;
    let (signature, context) = rest.split_at_checked(signature_len)?;
    Some((key, signature, context))
}

/// Begins a verification. Returns 0, or an error number:
///
/// - 1: this module does not support the scheme.
/// - 2: the three lengths together exceed the input buffer, which is long enough for any scheme.
/// - 3: the public key does not belong to the scheme, or its degree is for tests only.
/// - 4: the signature does not belong to the key's algorithm.
/// - 5: the scheme has no context, or the context is too long.
#[unsafe(no_mangle)]
pub extern "C" fn begin(scheme: u32, key_len: usize, signature_len: usize, context_len: usize) -> u32 {
    STATE.0.set(None);
    let Some(scheme) = scheme_of(scheme) else { return 1 };
    let Some((key, signature, context)) = parts(key_len, signature_len, context_len) else { return 2 };
    let Some(key) = key_of(scheme, key) else { return 3 };
    let form = Options::with_context(context);
    if form.check(key.algorithm()).is_err() {
        return 5;
    }
    let level = Level::detect();
    let Ok(message) = VerifyingHasher::new(level, key.algorithm(), &key.bound_hash(level), form, signature) else {
        return 4;
    };
    STATE.0.set(Some(PendingVerification { scheme, key_len, signature_len, message }));
    0
}

/// Adds the first `len` bytes at [`piece`] to the message. Returns 0, or 1 if there is no
/// verification in progress or if `len` is greater than [`piece_len`]. After the result 1, there is
/// no verification in progress.
#[unsafe(no_mangle)]
pub extern "C" fn update(len: usize) -> u32 {
    let Some(mut begun) = STATE.0.take() else { return 1 };
    let Some(piece) = MESSAGE.get(len) else { return 1 };
    begun.message.update(piece);
    STATE.0.set(Some(begun));
    0
}

/// Ends the message. Returns [`Verified::YES`] if the signature is valid, and any other number if
/// it is not.
#[unsafe(no_mangle)]
pub extern "C" fn finish() -> u32 {
    verdict().map_or(0, Verified::value)
}

/// Returns the verdict on the verification in progress. `None` is a NO.
fn verdict() -> Option<Verified> {
    let PendingVerification { scheme, key_len, signature_len, message } = STATE.0.take()?;
    let (key, signature, _) = parts(key_len, signature_len, 0)?;
    let key = key_of(scheme, key)?;
    let mut work = [0; WORK];
    key.verified(Level::detect(), &message.finish().ok()?, signature, &mut work).ok()
}
