//! Verification for boot loaders. A boot loader contains a *constant key*, which never changes: the
//! hash of a public key, followed by the public key. Each algorithm has separate functions, so that
//! the linker removes the code for all other algorithms. Between the calls, the state of the
//! verification is in the caller's memory.

use super::memory::{CallerMemory, check, exactly};
use super::return_code;
use crate::code::CallError;
use crate::numbered::NumberedAlgorithm;
use crate::operation;
use core::ffi::c_int;
use library::Options;
use library::algorithm::Scheme;
use library::no_alloc::{
    Level, StaticAlgorithm, StaticFnDsa512, StaticFnDsa1024, StaticVerifier, StaticVerifyingKey, VerifyingKeyRef,
};
#[cfg(feature = "ml-dsa")]
use library::no_alloc::{StaticMlDsa44, StaticMlDsa65, StaticMlDsa87};

/// The `fndsa_boot_state` size in bytes, as in the C header.
const STATE_BYTES: usize = 256;
/// The length in bytes of the hash at the start of a constant key.
const HASH_BYTES: usize = 64;

/// The type `fndsa_boot_state` in the C header.
#[repr(C)]
pub struct CBootState {
    /// This field is the sum of [`BEGUN`] and an algorithm's number if `begun` contains a
    /// verification with this algorithm. Otherwise, the field can have any other value.
    mark: u64,
    /// Memory for a [`StaticVerifier`].
    begun: [u64; STATE_BYTES / 8 - 1],
}

/// The mark for a verification in progress. Memory without a verification is unlikely to contain
/// this value.
const BEGUN: u64 = 0x6c1d_b007_93fe_0000;

const _: () = assert!(size_of::<CBootState>() == STATE_BYTES);

/// Returns the mark for a verification with this algorithm.
const fn mark<A: StaticAlgorithm>() -> u64 {
    BEGUN + A::ALGORITHM.id() as u64
}

/// Checks that a state's address is valid and aligned, and returns the state's memory.
fn state_memory(at: *mut CBootState) -> Result<CallerMemory, CallError> {
    let memory = CallerMemory::of(at);
    memory.check()?;
    if at.is_aligned() { Ok(memory) } else { Err(CallError::Alignment) }
}

/// Clears a state's mark, and returns the verification that the state contained. Fails if the state
/// contained no verification with this algorithm. Also clears the mark if this function fails, so
/// that a verification never continues after an error.
///
/// # Safety
/// The state must have been checked, and no other code may use this state while the reference is in
/// use. If the state has the mark, then `begun` must contain a verification.
unsafe fn take<'a, A: StaticAlgorithm, const LEN: usize>(
    state: *mut CBootState,
) -> Result<&'a mut StaticVerifier<'a, A, LEN>, CallError> {
    // SAFETY: the caller promises that the state was checked, and that `begun` contains a
    // verification if the mark is set. `begin` checks at compile time that `begun` is large enough
    // and aligned for the verification.
    unsafe {
        if (&raw mut (*state).mark).replace(0) != mark::<A>() {
            return Err(CallError::State);
        }
        Ok(&mut *(&raw mut (*state).begun).cast())
    }
}

/// Implements the functions that begin a verification. After an error, the state has no
/// verification.
///
/// # Safety
/// The same conditions apply as for [`fndsa_keygen`](super::fndsa_keygen). No code may change the
/// key until the verification ends.
unsafe fn begin<A: StaticAlgorithm, const LEN: usize>(
    state: *mut CBootState,
    key: *const StaticVerifyingKey<A, LEN>,
    context: CallerMemory,
) -> Result<(), CallError> {
    const {
        assert!(size_of::<StaticVerifier<'_, A, LEN>>() <= STATE_BYTES - size_of::<u64>());
        assert!(align_of::<StaticVerifier<'_, A, LEN>>() <= align_of::<CBootState>());
        assert!(size_of::<StaticVerifyingKey<A, LEN>>() == HASH_BYTES + LEN);
        assert!(align_of::<StaticVerifyingKey<A, LEN>>() == 1);
    }
    let memory = state_memory(state)?;
    // SAFETY: the state's address was checked.
    unsafe { (&raw mut (*state).mark).write(0) };
    check(&[CallerMemory::of(key), context], &[memory])?;
    // SAFETY: the caller promises correct pointers and lengths, and `check` has found no error in
    // them, so the state does not overlap other memory. A key consists of bytes, which can have any
    // values.
    unsafe {
        let begun = (*key).verifier(Options::with_context(context.bytes()))?;
        (&raw mut (*state).begun).cast::<StaticVerifier<'_, A, LEN>>().write(begun);
        (&raw mut (*state).mark).write(mark::<A>());
    }
    Ok(())
}

/// Implements the functions that add the next piece of the message. After an error, the state has
/// no verification, because a piece is missing.
///
/// # Safety
/// The same conditions apply as for [`begin`].
unsafe fn update<A: StaticAlgorithm, const LEN: usize>(
    state: *mut CBootState,
    piece: CallerMemory,
) -> Result<(), CallError> {
    let memory = state_memory(state)?;
    // SAFETY: the caller promises correct pointers and lengths. The state was checked, and this
    // code reads the piece only after `check` has found no error.
    unsafe {
        let begun = take::<A, LEN>(state)?;
        check(&[piece], &[memory])?;
        begun.update(piece.bytes());
        (&raw mut (*state).mark).write(mark::<A>());
    }
    Ok(())
}

/// Implements the functions that end a message and verify its signature. Afterwards, the state has
/// no verification.
///
/// # Safety
/// The same conditions apply as for [`begin`].
unsafe fn finish<A: StaticAlgorithm, const LEN: usize>(
    state: *mut CBootState,
    signature: CallerMemory,
    work: *mut A::Work,
) -> Result<(), CallError> {
    let memory = state_memory(state)?;
    let work_memory = CallerMemory::of(work);
    // SAFETY: the caller promises correct pointers and lengths. This code uses the memory only
    // after `check` has found no error, so outputs do not overlap other memory. The work memory is
    // an array of integers, for which zeros are valid values.
    unsafe {
        let begun = take::<A, LEN>(state)?;
        check(&[signature], &[memory, work_memory])?;
        if !work.is_aligned() {
            return Err(CallError::Alignment);
        }
        work_memory.zeroed();
        operation::require_yes(begun.finish(signature.bytes(), &mut *work)?)
    }
}

/// Defines the three functions for an algorithm.
macro_rules! boot_functions {
    ($( $(#[$attribute:meta])* $algorithm:ident, $len:literal: $begin:ident, $update:ident, $finish:ident; )+) => {$(
        /// Begins a verification.
        ///
        /// # Safety
        /// The same conditions apply as for [`fndsa_keygen`](super::fndsa_keygen). No code may
        /// change the key or the state until the verification ends.
        $(#[$attribute])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $begin(
            state: *mut CBootState,
            key: *const StaticVerifyingKey<$algorithm, $len>,
            context: *const u8,
            context_len: usize,
        ) -> c_int {
            // SAFETY: the caller promises the conditions of `begin`.
            return_code(|| unsafe { begin(state, key, CallerMemory::new(context, context_len)) })
        }

        /// Adds the next piece of the message.
        ///
        /// # Safety
        #[doc = concat!("The same conditions apply as for [`", stringify!($begin), "`].")]
        $(#[$attribute])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $update(state: *mut CBootState, piece: *const u8, piece_len: usize) -> c_int {
            // SAFETY: the caller promises the conditions of `update`.
            return_code(|| unsafe { update::<$algorithm, $len>(state, CallerMemory::new(piece, piece_len)) })
        }

        /// Ends the message and verifies the signature.
        ///
        /// # Safety
        #[doc = concat!("The same conditions apply as for [`", stringify!($begin), "`].")]
        $(#[$attribute])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $finish(
            state: *mut CBootState,
            signature: *const u8,
            signature_len: usize,
            work: *mut <$algorithm as StaticAlgorithm>::Work,
        ) -> c_int {
            // SAFETY: the caller promises the conditions of `finish`.
            return_code(|| unsafe { finish::<$algorithm, $len>(state, CallerMemory::new(signature, signature_len), work) })
        }
    )+};
}

boot_functions! {
    StaticFnDsa512, 897: fndsa_512_boot_begin, fndsa_512_boot_update, fndsa_512_boot_finish;
    StaticFnDsa1024, 1793: fndsa_1024_boot_begin, fndsa_1024_boot_update, fndsa_1024_boot_finish;
    #[cfg(feature = "ml-dsa")]
    StaticMlDsa44, 1312: fndsa_ml_dsa_44_boot_begin, fndsa_ml_dsa_44_boot_update, fndsa_ml_dsa_44_boot_finish;
    #[cfg(feature = "ml-dsa")]
    StaticMlDsa65, 1952: fndsa_ml_dsa_65_boot_begin, fndsa_ml_dsa_65_boot_update, fndsa_ml_dsa_65_boot_finish;
    #[cfg(feature = "ml-dsa")]
    StaticMlDsa87, 2592: fndsa_ml_dsa_87_boot_begin, fndsa_ml_dsa_87_boot_update, fndsa_ml_dsa_87_boot_finish;
}

/// Checks a public key, and writes the constant key for a boot loader: the hash of the public key,
/// followed by the public key.
///
/// # Safety
/// The same conditions apply as for [`fndsa_keygen`](super::fndsa_keygen).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_boot_key(
    algorithm: u32,
    public: *const u8,
    public_len: usize,
    boot_key: *mut u8,
    boot_key_len: usize,
) -> c_int {
    return_code(|| {
        let public = CallerMemory::new(public, public_len);
        let boot_key = CallerMemory::new(boot_key, boot_key_len);
        check(&[public], &[boot_key])?;
        let algorithm = NumberedAlgorithm::from_id(algorithm)?.algorithm;
        if !matches!(algorithm.scheme(), Scheme::FnDsa | Scheme::MlDsa) {
            return Err(CallError::Algorithm);
        }
        exactly(boot_key_len, HASH_BYTES + algorithm.verifying_key_len())?;
        // SAFETY: the caller promises correct pointers and lengths, and `check` has found no error
        // in them.
        let (public, boot_key) = unsafe { (public.bytes(), boot_key.zeroed()) };
        let key = VerifyingKeyRef::of_algorithm(algorithm, public)?;
        let (hash, encoding) = boot_key.split_at_mut(HASH_BYTES);
        hash.copy_from_slice(key.key_hash(Level::detect()).as_bytes());
        encoding.copy_from_slice(public);
        Ok(())
    })
}
