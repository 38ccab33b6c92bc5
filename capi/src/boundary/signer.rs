//! Signs messages that arrive in pieces. Between the calls, the state of the signature is in the
//! caller's memory (the signer).

use super::arguments::{CForm, CRandom, FormMemory, RandomSource};
use super::memory::{CallerMemory, NO_MEMORY, check};
use super::return_code;
use super::signing::SigningCall;
use super::work::WorkMemory;
use crate::code::CallError;
use crate::numbered::NumberedAlgorithm;
use crate::operation::BegunSignature;
use core::ffi::c_int;
use core::mem::ManuallyDrop;
use library::no_alloc::Attempt;
use zeroize::Zeroize;

/// The `fndsa_signer` size in bytes, as in the C header.
const SIGNER_BYTES: usize = 1664;

/// The signature in progress in a signer. This value contains a reference to the signer's
/// `attempts`.
type Begun = BegunSignature<'static>;

/// The type `fndsa_signer` in the C header.
#[repr(C)]
pub struct CSigner {
    /// If `begun` contains a signature in progress, this field is the number that
    /// [`mark_for_address`] returns. Otherwise, it can have any other value.
    mark: u64,
    /// Memory for a [`Begun`]. All accesses to this field are unaligned.
    begun: [u64; size_of::<Begun>().div_ceil(8)],
    /// Memory for the [`Attempt`] values of the signature in progress. An attempt is one try at a
    /// signature.
    attempts: [u64; ATTEMPTS_BYTES / 8],
    /// Unused memory, which fills the structure to [`SIGNER_BYTES`].
    rest: [u64; SIGNER_BYTES / 8 - 1 - size_of::<Begun>().div_ceil(8) - ATTEMPTS_BYTES / 8],
}

/// The size of the attempts in bytes.
const ATTEMPTS_BYTES: usize = size_of::<[Attempt; Attempt::OF_STREAM]>();

const _: () = assert!(size_of::<CSigner>() == SIGNER_BYTES);
const _: () = assert!(align_of::<Attempt>() <= align_of::<u64>() && ATTEMPTS_BYTES.is_multiple_of(8));

/// Returns the mark for a signature in progress in a signer at this address. The mark depends on
/// the address, so no function accepts a copy of the signer. With a copy, two Falcon signatures of
/// the same message could have the same nonce. These signatures would be two different short
/// vectors for the same point, and would reveal the private key.
fn mark_for_address(at: *const CSigner) -> u64 {
    0x51c3_9e0d_74a8_b26f ^ at.addr() as u64
}

/// Returns the `fndsa_signer` size in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn fndsa_signer_bytes() -> usize {
    SIGNER_BYTES
}

/// Checks that a signer's address is valid and aligned, and returns the signer's memory.
fn signer_memory(at: *mut CSigner) -> Result<CallerMemory, CallError> {
    let memory = CallerMemory::new(at.cast(), SIGNER_BYTES);
    memory.check()?;
    if at.is_aligned() { Ok(memory) } else { Err(CallError::Alignment) }
}

/// Moves the signature in progress out of a signer, and clears the signer's mark. Fails with
/// [`CallError::State`] if the signer has no signature in progress. The attempts of the signature
/// stay in the signer's memory. The result is not dropped automatically: the caller must pass it to
/// [`put`] or drop it.
///
/// # Safety
/// The memory of the signer was checked, and only the functions in this file write to it.
unsafe fn take(at: *mut CSigner) -> Result<ManuallyDrop<Begun>, CallError> {
    // SAFETY: the caller promises that the memory was checked, and that only this file writes to
    // it. So if `mark` is the number that `mark_for_address` returns, then `begun` contains a valid
    // signature in progress.
    unsafe {
        if (&raw const (*at).mark).read() != mark_for_address(at) {
            return Err(CallError::State);
        }
        (&raw mut (*at).mark).write(0);
        Ok(ManuallyDrop::new((&raw const (*at).begun).cast::<Begun>().read_unaligned()))
    }
}

/// Puts a signature in progress into a signer.
///
/// # Safety
/// The same conditions apply as for [`take`].
unsafe fn put(at: *mut CSigner, begun: ManuallyDrop<Begun>) {
    // SAFETY: the caller promises that the memory was checked. The field `begun` is large enough
    // for the value.
    unsafe {
        (&raw mut (*at).begun).cast::<Begun>().write_unaligned(ManuallyDrop::into_inner(begun));
        (&raw mut (*at).mark).write(mark_for_address(at));
    }
}

/// Returns the algorithm of the signature in progress, which stays in the signer.
///
/// # Safety
/// The same conditions apply as for [`take`].
unsafe fn algorithm_of(at: *mut CSigner) -> Result<NumberedAlgorithm, CallError> {
    // SAFETY: `take` and `put` have the same conditions, and the caller promises them.
    unsafe {
        let begun = take(at)?;
        let numbered = begun.numbered();
        put(at, begun);
        Ok(numbered)
    }
}

/// Begins a signature.
///
/// # Safety
/// The same conditions apply as for [`fndsa_keygen`](super::fndsa_keygen).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_sign_begin(
    signer: *mut CSigner,
    algorithm: u32,
    private: *const u8,
    private_len: usize,
    form: *const CForm,
    random: *const CRandom,
    work: *mut u8,
    work_len: usize,
) -> c_int {
    return_code(|| {
        let memory = signer_memory(signer)?;
        // SAFETY: the whole signer was checked. The mark is cleared before any error below. If the
        // caller ignores this error, no function can sign an older message.
        unsafe { (&raw mut (*signer).mark).write(0) };
        // SAFETY: the caller promises that `form` is null or points to a form.
        let form = unsafe { FormMemory::read(form) };
        let private = CallerMemory::new(private, private_len);
        let mut work = WorkMemory::new(work, work_len);
        check(&[private, form.memory, form.context, CallerMemory::optional(random)], &[memory, work.given])?;
        // SAFETY: the whole signer was checked, and does not overlap other memory. While the mark
        // is 0, no function reads the other fields.
        unsafe { memory.zeroed() };
        let numbered = NumberedAlgorithm::from_id(algorithm)?;
        work.provide(numbered.sign_work_lengths(private_len))?;
        // SAFETY: the caller promises correct pointers and lengths, and `check` has found no error
        // in them. The attempts are aligned and large enough, and only the signature in progress
        // uses them until it is taken out.
        unsafe {
            let (mut random, form) = (RandomSource::read(random)?, form.to_form()?);
            let attempts = (&raw mut (*signer).attempts).cast::<Attempt>();
            for i in 0..Attempt::OF_STREAM {
                attempts.add(i).write(Attempt::EMPTY);
            }
            let attempts = core::slice::from_raw_parts_mut(attempts, Attempt::OF_STREAM);
            let begun = BegunSignature::new(numbered, private.bytes(), form, attempts, &mut random, work.zeroed());
            match begun {
                Ok(begun) => put(signer, ManuallyDrop::new(begun)),
                Err(error) => {
                    memory.zeroed().zeroize();
                    return Err(error);
                }
            }
        }
        Ok(())
    })
}

/// Adds the next piece of the message.
///
/// # Safety
/// The same conditions apply as for [`fndsa_keygen`](super::fndsa_keygen). No other code may write
/// to the signer between the calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_sign_update(signer: *mut CSigner, message: *const u8, message_len: usize) -> c_int {
    return_code(|| {
        let memory = signer_memory(signer)?;
        let message = CallerMemory::new(message, message_len);
        let checked = check(&[message], &[memory]);
        // SAFETY: the caller promises correct pointers and lengths, and the memory of the signer
        // was checked. This code reads the message only if `checked` is `Ok`.
        unsafe {
            let mut begun = take(signer);
            if checked.is_err() {
                // A piece of the message is missing, so the signature ends.
                let _ended = begun.map(ManuallyDrop::into_inner);
                return checked;
            }
            begun.as_mut().map_err(|error| *error)?.update(message.bytes());
            put(signer, begun?);
        }
        Ok(())
    })
}

/// Ends the message and signs it. If a pointer or a length is not valid, the signature stays in
/// progress, so that the caller can try again.
///
/// # Safety
/// The same conditions apply as for [`fndsa_sign_update`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_sign_finish(
    signer: *mut CSigner,
    private: *const u8,
    private_len: usize,
    signature: *mut u8,
    signature_len: *mut usize,
    random: *const CRandom,
    work: *mut u8,
    work_len: usize,
) -> c_int {
    return_code(|| {
        let private = CallerMemory::new(private, private_len);
        // If the signer cannot be used, `numbered` contains the error. `run` returns this error
        // after it has checked the other arguments and has set `signature_len` to 0.
        let (memory, numbered) = match signer_memory(signer) {
            // SAFETY: the caller promises that only the functions in this file write to the signer,
            // and its memory was checked.
            Ok(memory) => (memory, unsafe { algorithm_of(signer) }),
            Err(error) => (NO_MEMORY, Err(error)),
        };
        let call = SigningCall {
            numbered,
            inputs: [private, NO_MEMORY],
            state: memory,
            form: core::ptr::null(),
            message: NO_MEMORY,
            signature,
            signature_len,
            random,
            work: &mut WorkMemory::new(work, work_len),
        };
        // SAFETY: the caller promises correct pointers and lengths. `run` checks the memory of the
        // private key and of the signer before it calls the closure.
        unsafe {
            call.run(
                |numbered| numbered.sign_work_lengths(private_len),
                |slices| {
                    let begun = ManuallyDrop::into_inner(take(signer)?);
                    let result = begun.finish(private.bytes(), slices.signature, &mut slices.random, slices.work);
                    memory.zeroed().zeroize();
                    result
                },
            )
        }
    })
}

/// Ends a signature in progress without a signature.
///
/// # Safety
/// The same conditions apply as for [`fndsa_sign_update`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_sign_cancel(signer: *mut CSigner) -> c_int {
    return_code(|| {
        let memory = signer_memory(signer)?;
        // SAFETY: the caller promises that only the functions in this file write to the signer, and
        // its memory was checked.
        unsafe {
            if let Ok(begun) = take(signer) {
                // With Ed25519, dropping the signature in progress frees the memory that it has
                // allocated.
                let _ended = ManuallyDrop::into_inner(begun);
            }
            memory.zeroed().zeroize();
        }
        Ok(())
    })
}
