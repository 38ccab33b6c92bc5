//! Verification of one signature, for a host that writes into the module's memory. It is built for WebAssembly alone; for other
//! targets this crate is empty.
//!
//! The host asks once where to write: [`input`]. For each signature it then writes public key, signature and context there, one
//! behind the other, and calls [`begin`] with the scheme and the three lengths; writes pieces of the message behind them, at
//! [`piece`], and calls [`update`] with the length of each, at most [`piece_len`]; and calls [`finish`]. Only the number
//! [`Verified::YES`] means that the signature is valid. An instance has room for one verification at a time: another `begin` drops
//! what was begun.
//!
//! Whatever the host does, the module reads and writes its own memory alone, and a wrong length is an answer and no panic.
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

/// The longest key of the schemes in this module.
#[cfg(fndsa_falcon_alone)]
const KEY: usize = Algorithm::FALCON_1024.verifying_key_len();
#[cfg(not(fndsa_falcon_alone))]
const KEY: usize = larger(Algorithm::FALCON_1024.verifying_key_len(), Algorithm::ML_DSA_87.verifying_key_len());

/// The longest signature of FN-DSA and Falcon.
const FALCON_SIGNATURE: usize = Algorithm::FALCON_1024.encoded_signature_len(SignatureEncoding::Compressed);
/// The longest signature of the schemes in this module.
#[cfg(fndsa_falcon_alone)]
const SIGNATURE: usize = FALCON_SIGNATURE;
#[cfg(not(fndsa_falcon_alone))]
const SIGNATURE: usize = larger(FALCON_SIGNATURE, Algorithm::ML_DSA_87.signature_len());

/// The most work memory that a verification needs.
#[cfg(fndsa_falcon_alone)]
const WORK: usize = Algorithm::FALCON_1024.verify_work_len();
#[cfg(not(fndsa_falcon_alone))]
const WORK: usize = larger(Algorithm::FALCON_1024.verify_work_len(), Algorithm::ML_DSA_87.verify_work_len());

/// The most bytes that [`begin`] reads: the longest key, signature and context.
const INPUT: usize = KEY + SIGNATURE + MAX_CONTEXT_LEN;
/// The most bytes that [`update`] reads.
const PIECE: usize = 16 * 1024;

/// Memory that the host writes to between calls.
struct Shared<const N: usize>(UnsafeCell<[u8; N]>);

// SAFETY: the module has one thread: it is built without shared memory.
unsafe impl<const N: usize> Sync for Shared<N> {}

impl<const N: usize> Shared<N> {
    /// The first `len` bytes, or `None` if there are fewer.
    fn get(&self, len: usize) -> Option<&[u8]> {
        // SAFETY: all bytes are initialized, the host writes only while no function of the module runs, and no reference
        // outlives the call of a function.
        let bytes: &[u8; N] = unsafe { &*self.0.get() };
        bytes.get(..len)
    }
}

/// A verification that was begun.
struct Begun {
    scheme: Scheme,
    key_len: usize,
    signature_len: usize,
    message: VerifyingHasher,
}

/// What is kept from one call to the next.
struct State(Cell<Option<Begun>>);

// SAFETY: the module has one thread: it is built without shared memory.
unsafe impl Sync for State {}

static HEAD: Shared<INPUT> = Shared(UnsafeCell::new([0; INPUT]));
static MESSAGE: Shared<PIECE> = Shared(UnsafeCell::new([0; PIECE]));
static STATE: State = State(Cell::new(None));

/// A panic would be a mistake in the library: the call traps, which is no YES, and no text of it is a part of the module.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

/// Where public key, signature and context are written, one behind the other.
#[unsafe(no_mangle)]
pub extern "C" fn input() -> *mut u8 {
    HEAD.0.get().cast()
}

/// Where a piece of the message is written.
#[unsafe(no_mangle)]
pub extern "C" fn piece() -> *mut u8 {
    MESSAGE.0.get().cast()
}

/// The longest piece, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn piece_len() -> usize {
    PIECE
}

/// Returns the scheme of a number, which is the upper byte of [`Algorithm::id`] and never changes:
/// from 1, in the order of [`Scheme::ALL`]. A module without ML-DSA has the first four.
fn scheme_of(number: u32) -> Option<Scheme> {
    let schemes = if cfg!(fndsa_falcon_alone) { &Scheme::FALCON_FAMILY[..] } else { &Scheme::ALL[..] };
    schemes.get((number as usize).checked_sub(1)?).copied()
}

/// A public key of a scheme, of one of the degrees that give security.
fn key_of(scheme: Scheme, bytes: &[u8]) -> Option<VerifyingKeyRef<'_>> {
    VerifyingKeyRef::from_bytes(scheme, bytes).ok().filter(|key| !key.algorithm().is_toy())
}

/// The parts of the input.
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

/// Begins a verification. Returns 0, or why there is none: 1, this module does not know the scheme; 2, the lengths are more than
/// any scheme has; 3, the public key is none of the scheme, or of a degree for tests; 4, the signature is none of the key's
/// algorithm; 5, the scheme has no context, or none of that length.
#[unsafe(no_mangle)]
pub extern "C" fn begin(scheme: u32, key_len: usize, signature_len: usize, context_len: usize) -> u32 {
    STATE.0.set(None);
    let Some(scheme) = scheme_of(scheme) else { return 1 };
    let Some((key, signature, context)) = parts(key_len, signature_len, context_len) else { return 2 };
    let Some(key) = key_of(scheme, key) else { return 3 };
    let form = Options { context, ..Options::default() };
    if form.check(key.algorithm()).is_err() {
        return 5;
    }
    let level = Level::detect();
    let Ok(message) = VerifyingHasher::new(level, key.algorithm(), &key.bound_hash(level), form, signature) else {
        return 4;
    };
    STATE.0.set(Some(Begun { scheme, key_len, signature_len, message }));
    0
}

/// Takes the first `len` bytes of [`piece`] as the next ones of the message. Returns 0, or 1 if nothing was begun or the length
/// is more than [`piece_len`]: then nothing is begun any more.
#[unsafe(no_mangle)]
pub extern "C" fn update(len: usize) -> u32 {
    let Some(mut begun) = STATE.0.take() else { return 1 };
    let Some(piece) = MESSAGE.get(len) else { return 1 };
    begun.message.update(piece);
    STATE.0.set(Some(begun));
    0
}

/// Ends the message. Returns [`Verified::YES`] if the signature is valid, and any other number if not.
#[unsafe(no_mangle)]
pub extern "C" fn finish() -> u32 {
    verdict().map_or(0, Verified::value)
}

/// The answer to what was begun; `None` is NO.
fn verdict() -> Option<Verified> {
    let Begun { scheme, key_len, signature_len, message } = STATE.0.take()?;
    let (key, signature, _) = parts(key_len, signature_len, 0)?;
    let key = key_of(scheme, key)?;
    let mut work = [0; WORK];
    key.verified(Level::detect(), &message.finish().ok()?, signature, &mut work).ok()
}
