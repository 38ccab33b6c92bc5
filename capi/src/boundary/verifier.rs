//! Verifications whose messages come in pieces, in memory of the caller between the calls.

use super::arguments::{CForm, FormParts};
use super::memory::{CallerMemory, check, enough};
use super::returned;
use crate::code::Refusal;
use crate::named::NamedAlgorithm;
use crate::operation::BegunVerification;
use core::ffi::c_int;
use zeroize::Zeroize;

/// Bytes of `fndsa_verifier` in the header.
const VERIFIER_BYTES: usize = 512;

/// `fndsa_verifier` of the header.
#[repr(C)]
pub struct CVerifier {
    /// [`BEGUN`], or the verifier was not begun.
    mark: u64,
    /// Room for a [`BegunVerification`], which may want a greater alignment than C gives it.
    begun: [u64; VERIFIER_BYTES / 8 - 1],
}

/// Stands in a verifier that was begun: unlikely in memory that was not.
const BEGUN: u64 = 0x9f5e_c0de_b11d_7a43;

const _: () = assert!(size_of::<CVerifier>() == VERIFIER_BYTES);
const _: () = assert!(size_of::<BegunVerification>() <= VERIFIER_BYTES - size_of::<u64>());

/// Returns the bytes of `fndsa_verifier`.
#[unsafe(no_mangle)]
pub extern "C" fn fndsa_verifier_bytes() -> usize {
    VERIFIER_BYTES
}

/// Checks the address of a verifier.
fn verifier_memory(at: *mut CVerifier) -> Result<CallerMemory, Refusal> {
    let memory = CallerMemory::new(at.cast(), VERIFIER_BYTES);
    memory.check()?;
    if at.is_aligned() { Ok(memory) } else { Err(Refusal::Alignment) }
}

/// Begins a verification.
///
/// # Safety
/// That of [`fndsa_keygen`](super::fndsa_keygen).
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
    returned(|| {
        let memory = verifier_memory(verifier)?;
        // SAFETY: the caller's promise.
        let form = unsafe { FormParts::read(form) };
        let public = CallerMemory::new(public, public_len);
        let signature = CallerMemory::new(signature, signature_len);
        check(&[public, signature, form.memory, form.context], &[memory])?;
        // SAFETY: all of the verifier was checked, and overlaps nothing. Without the mark nothing in it is read.
        unsafe { memory.zeroed() };
        let named = NamedAlgorithm::from_id(algorithm)?;
        // SAFETY: the caller's promise; all memory was checked.
        let (form, public, signature) = unsafe { (form.form()?, public.bytes(), signature.bytes()) };
        let begun = BegunVerification::new(named, public, form, signature)?;
        // SAFETY: all of the verifier was checked, and has room for what was begun.
        unsafe {
            (&raw mut (*verifier).begun).cast::<BegunVerification>().write_unaligned(begun);
            (&raw mut (*verifier).mark).write(BEGUN);
        }
        Ok(())
    })
}

/// Takes the next piece of the message.
///
/// # Safety
/// That of [`fndsa_keygen`](super::fndsa_keygen); the verifier is not written to between the calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_verify_update(
    verifier: *mut CVerifier,
    message: *const u8,
    message_len: usize,
) -> c_int {
    returned(|| {
        let memory = verifier_memory(verifier)?;
        let message = CallerMemory::new(message, message_len);
        check(&[message], &[memory])?;
        // SAFETY: the caller's promise; the mark is written with the rest, and taken away with it.
        unsafe {
            if (&raw const (*verifier).mark).read() != BEGUN {
                return Err(Refusal::State);
            }
            let at = (&raw mut (*verifier).begun).cast::<BegunVerification>();
            let mut begun = at.read_unaligned();
            begun.update(message.bytes());
            at.write_unaligned(begun);
        }
        Ok(())
    })
}

/// Ends the message and verifies.
///
/// # Safety
/// That of [`fndsa_verify_update`].
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
    returned(|| {
        let memory = verifier_memory(verifier)?;
        let public = CallerMemory::new(public, public_len);
        let signature = CallerMemory::new(signature, signature_len);
        let work = CallerMemory::new(work, work_len);
        check(&[public, signature], &[memory, work])?;
        // SAFETY: the caller's promise; the mark is written with the rest, and both are taken away here.
        let begun = unsafe {
            if (&raw const (*verifier).mark).read() != BEGUN {
                return Err(Refusal::State);
            }
            let begun = (&raw const (*verifier).begun).cast::<BegunVerification>().read_unaligned();
            memory.zeroed().zeroize();
            begun
        };
        enough(work_len, begun.work_len())?;
        // SAFETY: the caller's promise; all memory was checked, and no output overlaps anything.
        let (public, signature, work) = unsafe { (public.bytes(), signature.bytes(), work.zeroed()) };
        begun.finish(public, signature, work)
    })
}
