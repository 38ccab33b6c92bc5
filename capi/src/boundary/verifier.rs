//! Verifies messages that arrive in pieces. Between the calls, the state of the verification is in
//! the caller's memory.

use super::arguments::{CForm, FormMemory};
use super::memory::{CallerMemory, check};
use super::return_code;
use super::work::WorkMemory;
use crate::code::CallError;
use crate::numbered::NumberedAlgorithm;
use crate::operation::BegunVerification;
use core::ffi::c_int;
use zeroize::Zeroize;

/// The `fndsa_verifier` size in bytes, as in the C header.
const VERIFIER_BYTES: usize = 640;

/// The type `fndsa_verifier` in the C header.
#[repr(C)]
pub struct CVerifier {
    /// This field is [`BEGUN`] if `begun` contains a verification in progress. Otherwise, it can
    /// have any other value.
    mark: u64,
    /// Memory for a [`BegunVerification`]. This type can need a greater alignment than C provides,
    /// so all accesses to this field are unaligned.
    begun: [u64; VERIFIER_BYTES / 8 - 1],
}

/// The mark for a verification in progress. Memory without a verification is unlikely to contain
/// this value.
const BEGUN: u64 = 0x9f5e_c0de_b11d_7a43;

const _: () = assert!(size_of::<CVerifier>() == VERIFIER_BYTES);
const _: () = assert!(size_of::<BegunVerification>() <= VERIFIER_BYTES - size_of::<u64>());

/// Returns the `fndsa_verifier` size in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn fndsa_verifier_bytes() -> usize {
    VERIFIER_BYTES
}

/// Checks that a verifier's address is valid and aligned, and returns the verifier's memory.
fn verifier_memory(at: *mut CVerifier) -> Result<CallerMemory, CallError> {
    let memory = CallerMemory::new(at.cast(), VERIFIER_BYTES);
    memory.check()?;
    if at.is_aligned() { Ok(memory) } else { Err(CallError::Alignment) }
}

/// Begins a verification.
///
/// # Safety
/// The same conditions apply as for [`fndsa_keygen`](super::fndsa_keygen).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_verify_begin(
    verifier: *mut CVerifier,
    algorithm: u32,
    public: *const u8,
    public_len: usize,
    form: *const CForm,
    signature: *const u8,
    signature_len: usize,
) -> c_int {
    return_code(|| {
        let memory = verifier_memory(verifier)?;
        // SAFETY: the whole verifier was checked. The mark is cleared before any error below. If
        // the caller ignores this error, no function can return an older verification's verdict.
        unsafe { (&raw mut (*verifier).mark).write(0) };
        // SAFETY: the caller promises that `form` is null or points to a form.
        let form = unsafe { FormMemory::read(form) };
        let public = CallerMemory::new(public, public_len);
        let signature = CallerMemory::new(signature, signature_len);
        check(&[public, signature, form.memory, form.context], &[memory])?;
        // SAFETY: the whole verifier was checked, and does not overlap other memory. While the mark
        // is 0, no function reads the other fields.
        unsafe { memory.zeroed() };
        let numbered = NumberedAlgorithm::from_id(algorithm)?;
        // SAFETY: the caller promises correct pointers and lengths, and `check` has found no error
        // in them.
        let (form, public, signature) = unsafe { (form.to_form()?, public.bytes(), signature.bytes()) };
        let begun = BegunVerification::new(numbered, public, form, signature)?;
        // SAFETY: the whole verifier was checked, and `begun` is large enough for the verification.
        unsafe {
            (&raw mut (*verifier).begun).cast::<BegunVerification>().write_unaligned(begun);
            (&raw mut (*verifier).mark).write(BEGUN);
        }
        Ok(())
    })
}

/// Adds the next piece of the message.
///
/// # Safety
/// The same conditions apply as for [`fndsa_keygen`](super::fndsa_keygen). No other code may write
/// to the verifier between the calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_verify_update(
    verifier: *mut CVerifier,
    message: *const u8,
    message_len: usize,
) -> c_int {
    return_code(|| {
        let memory = verifier_memory(verifier)?;
        let message = CallerMemory::new(message, message_len);
        let checked = check(&[message], &[memory]);
        if checked.is_err() {
            // SAFETY: the whole verifier was checked. A piece of the message is missing, so the
            // verification ends.
            unsafe { (&raw mut (*verifier).mark).write(0) };
        }
        checked?;
        // SAFETY: `check` has found no error in the arguments, and the caller promises that no
        // other code writes to the verifier. So if `mark` is [`BEGUN`], then `begun` contains a
        // valid verification.
        unsafe {
            if (&raw const (*verifier).mark).read() != BEGUN {
                return Err(CallError::State);
            }
            let at = (&raw mut (*verifier).begun).cast::<BegunVerification>();
            let mut begun = at.read_unaligned();
            begun.update(message.bytes());
            at.write_unaligned(begun);
        }
        Ok(())
    })
}

/// Ends the message and verifies the signature.
///
/// # Safety
/// The same conditions apply as for [`fndsa_verify_update`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_verify_finish(
    verifier: *mut CVerifier,
    public: *const u8,
    public_len: usize,
    signature: *const u8,
    signature_len: usize,
    work: *mut u8,
    work_len: usize,
) -> c_int {
    return_code(|| {
        let memory = verifier_memory(verifier)?;
        let public = CallerMemory::new(public, public_len);
        let signature = CallerMemory::new(signature, signature_len);
        let mut work = WorkMemory::new(work, work_len);
        check(&[public, signature], &[memory, work.given])?;
        // SAFETY: `check` has found no error in the verifier, and the caller promises that no other
        // code writes to it. So if `mark` is [`BEGUN`], then `begun` contains a valid verification.
        // This code moves the verification out, and fills the verifier with zeros.
        let begun = unsafe {
            if (&raw const (*verifier).mark).read() != BEGUN {
                return Err(CallError::State);
            }
            let begun = (&raw const (*verifier).begun).cast::<BegunVerification>().read_unaligned();
            memory.zeroed().zeroize();
            begun
        };
        work.provide(begun.work_lengths())?;
        // SAFETY: the caller promises correct pointers and lengths, and `check` has found no error
        // in them, so outputs do not overlap other memory.
        let (public, signature, work) = unsafe { (public.bytes(), signature.bytes(), work.zeroed()) };
        begun.finish(public, signature, work)
    })
}
