//! The functions that C calls. `include/fndsa.h` says what each does; here their pointers are checked and become slices.
//!
//! Every function checks all of its memory before it reads or writes any: nothing is null that has a length, no length goes beyond
//! the address space, no output overlaps anything else. Then outputs and work memory are filled with zeros, for C may leave them
//! uninitialized and Rust may not, and the safe code of the other modules runs.
//!
//! What no function can check is that a pointer that is not null points to as many bytes as its length says, and that no other
//! thread uses them meanwhile. That is the promise of the caller, and all that the `unsafe` in this folder relies on.

mod arguments;
mod memory;
mod verifier;

use crate::attached;
use crate::code::{OK, Refusal, text};
use crate::named::NamedAlgorithm;
use crate::operation;
use arguments::{CForm, CRandom, FormParts, Generator};
use core::ffi::{c_char, c_int};
use memory::{Arguments, CallerMemory, LengthInOut, check, enough, exactly};
use zeroize::Zeroize;

/// Runs the body of a C function and returns its code. A panic, which would be a mistake in the library, becomes a code, too:
/// nothing unwinds into C.
fn returned(body: impl FnOnce() -> Result<(), Refusal>) -> c_int {
    #[cfg(feature = "std")]
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body)).unwrap_or(Err(Refusal::Internal));
    #[cfg(not(feature = "std"))]
    let done = body();
    match done {
        Ok(()) => OK,
        Err(refusal) => refusal as c_int,
    }
}

/// Ends the program, after a panic without the standard library.
#[cfg(not(feature = "std"))]
pub fn stop() -> ! {
    unsafe extern "C" {
        /// Every C library has it; a program without one defines it.
        fn abort() -> !;
    }
    // SAFETY: it takes nothing and does not return.
    unsafe { abort() }
}

/// No memory.
const NO_MEMORY: CallerMemory = CallerMemory { at: core::ptr::null_mut(), len: 0 };

/// Defines functions that return a length of an algorithm, or 0 if there is none of that number.
macro_rules! lengths {
    ($( $(#[$attribute:meta])* $name:ident: $len:expr; )+) => {$(
        $(#[$attribute])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(algorithm: u32) -> usize {
            let len: fn(NamedAlgorithm) -> usize = $len;
            NamedAlgorithm::from_id(algorithm).map_or(0, len)
        }
    )+};
}

lengths! {
    /// Bytes of a public key.
    fndsa_public_key_bytes: |named| named.algorithm.verifying_key_len();
    /// Bytes of a private key, in its short form.
    fndsa_private_key_bytes: |named| named.algorithm.signing_key_len();
    /// Bytes of a private key, in its long form.
    fndsa_expanded_key_bytes: NamedAlgorithm::expanded_key_len;
    /// The most bytes of a signature.
    fndsa_signature_bytes: NamedAlgorithm::signature_len;
    /// Bytes of work memory for a key pair.
    fndsa_keygen_work_bytes: NamedAlgorithm::keygen_work_len;
    /// Bytes of work memory that make it fastest.
    fndsa_keygen_fast_work_bytes: NamedAlgorithm::keygen_fast_work_len;
    /// Bytes of work memory for a signature, or a public key from a private one.
    fndsa_sign_work_bytes: NamedAlgorithm::sign_work_len;
    /// Bytes of work memory for a signature with a private key in its long form.
    fndsa_sign_expanded_work_bytes: NamedAlgorithm::sign_expanded_work_len;
    /// Bytes of work memory that make it fastest.
    fndsa_sign_fast_work_bytes: NamedAlgorithm::sign_fast_work_len;
    /// Bytes of work memory for a verification.
    fndsa_verify_work_bytes: |named| named.algorithm.verify_work_len();
    /// Bytes of work memory that make it fastest.
    fndsa_verify_fast_work_bytes: |named| named.algorithm.verify_fast_work_len();
    /// Bytes of work memory for the verification of a signed message.
    fndsa_open_work_bytes: NamedAlgorithm::open_work_len;
    /// Bytes of work memory that make it fastest.
    fndsa_open_fast_work_bytes: NamedAlgorithm::open_fast_work_len;
}

/// Returns what a code means and what to do.
#[unsafe(no_mangle)]
pub extern "C" fn fndsa_strerror(code: c_int) -> *const c_char {
    text(code).as_ptr()
}

/// Returns the version of the library.
#[unsafe(no_mangle)]
pub extern "C" fn fndsa_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// Makes a key pair.
///
/// # Safety
/// Every pointer is null or points to as many bytes as its length says, and nobody else uses them meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_keygen(
    algorithm: u32,
    private: *mut u8,
    private_len: usize,
    public: *mut u8,
    public_len: usize,
    random: *const CRandom,
    work: *mut u8,
    work_len: usize,
) -> c_int {
    returned(|| {
        let named = NamedAlgorithm::from_id(algorithm)?;
        let private = CallerMemory::new(private, private_len);
        let public = CallerMemory::new(public, public_len);
        let work = CallerMemory::new(work, work_len);
        check(&[CallerMemory::optional(random)], &[private, public, work])?;
        exactly(public_len, named.algorithm.verifying_key_len())?;
        if private_len != named.algorithm.signing_key_len() {
            exactly(private_len, named.expanded_key_len())?;
        }
        enough(work_len, named.keygen_work_len())?;
        // SAFETY: the caller's promise; all memory was checked.
        let (mut random, private, public, work) =
            unsafe { (Generator::read(random)?, private.zeroed(), public.zeroed(), work.zeroed()) };
        let made = operation::generate(named, private, public, &mut random, work);
        if made.is_err() {
            private.zeroize();
            public.fill(0);
        }
        made
    })
}

/// Checks a private key and computes its public key.
///
/// # Safety
/// That of [`fndsa_keygen`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_public_key(
    algorithm: u32,
    private: *const u8,
    private_len: usize,
    public: *mut u8,
    public_len: usize,
    work: *mut u8,
    work_len: usize,
) -> c_int {
    returned(|| {
        let named = NamedAlgorithm::from_id(algorithm)?;
        let private = CallerMemory::new(private, private_len);
        let public = CallerMemory::new(public, public_len);
        let work = CallerMemory::new(work, work_len);
        check(&[private], &[public, work])?;
        exactly(public_len, named.algorithm.verifying_key_len())?;
        enough(work_len, named.sign_work_len())?;
        // SAFETY: the caller's promise; all memory was checked, and no output overlaps anything.
        let (private, public, work) = unsafe { (private.bytes(), public.zeroed(), work.zeroed()) };
        operation::public_key(named, private, public, work)
    })
}

/// Signs a message.
///
/// # Safety
/// That of [`fndsa_keygen`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_sign(
    algorithm: u32,
    private: *const u8,
    private_len: usize,
    form: *const CForm,
    message: *const u8,
    message_len: usize,
    signature: *mut u8,
    signature_len: *mut usize,
    random: *const CRandom,
    work: *mut u8,
    work_len: usize,
) -> c_int {
    returned(|| {
        let private = CallerMemory::new(private, private_len);
        let message = CallerMemory::new(message, message_len);
        let work = CallerMemory::new(work, work_len);
        let named = NamedAlgorithm::from_id(algorithm);
        let signature = CallerMemory::new(signature, named.map_or(0, NamedAlgorithm::signature_len));
        // SAFETY: the caller's promise.
        let (mut length, form) = unsafe { (LengthInOut::read(signature_len)?, FormParts::read(form)) };
        length.begin(&Arguments {
            inputs: &[private, message, form.memory, form.context, CallerMemory::optional(random)],
            in_place: NO_MEMORY,
            outputs: &[signature, work],
        })?;
        let named = named?;
        if length.room < signature.len {
            return Err(Refusal::Length);
        }
        enough(work_len, named.sign_work_len_for(private_len))?;
        // SAFETY: the caller's promise; all memory was checked, and no output overlaps anything.
        let (mut random, form, private, message, signature, work) = unsafe {
            let random = Generator::read(random)?;
            (random, form.form()?, private.bytes(), message.bytes(), signature.zeroed(), work.zeroed())
        };
        form.check(named.algorithm)?;
        let key = operation::private_key(named, private, work)?;
        let made = operation::sign(named, &key, form, message, signature, &mut random, work);
        if made.is_err() {
            signature.zeroize();
        }
        length.write(made?);
        Ok(())
    })
}

/// Verifies a signature.
///
/// # Safety
/// That of [`fndsa_keygen`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_verify(
    algorithm: u32,
    public: *const u8,
    public_len: usize,
    form: *const CForm,
    message: *const u8,
    message_len: usize,
    signature: *const u8,
    signature_len: usize,
    work: *mut u8,
    work_len: usize,
) -> c_int {
    returned(|| {
        let named = NamedAlgorithm::from_id(algorithm)?;
        // SAFETY: the caller's promise.
        let form = unsafe { FormParts::read(form) };
        let public = CallerMemory::new(public, public_len);
        let message = CallerMemory::new(message, message_len);
        let signature = CallerMemory::new(signature, signature_len);
        let work = CallerMemory::new(work, work_len);
        check(&[public, message, signature, form.memory, form.context], &[work])?;
        enough(work_len, named.algorithm.verify_work_len())?;
        // SAFETY: the caller's promise; all memory was checked, and the work memory overlaps nothing.
        let (form, public, message, signature, work) =
            unsafe { (form.form()?, public.bytes(), message.bytes(), signature.bytes(), work.zeroed()) };
        operation::verify(named, public, form, message, signature, work)
    })
}

/// Verifies a signature file by a policy.
///
/// # Safety
/// That of [`fndsa_keygen`].
#[cfg(feature = "policy")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_verify_policy(
    policy: *const arguments::CPolicy,
    form: *const CForm,
    message: *const u8,
    message_len: usize,
    signatures: *const u8,
    signatures_len: usize,
    report: *mut c_char,
    report_len: usize,
) -> c_int {
    returned(|| {
        // SAFETY: the caller's promise.
        let (policy, form) = unsafe { (arguments::PolicyMemory::read(policy), FormParts::read(form)) };
        let message = CallerMemory::new(message, message_len);
        let signatures = CallerMemory::new(signatures, signatures_len);
        let report = CallerMemory::new(report.cast(), report_len);
        let policy = policy?;
        let inputs = [policy.memory, policy.trusted_keys, policy.expected, policy.day];
        let others = [message, signatures, form.memory, form.context];
        check(&[&inputs[..], &others].concat(), &[report])?;
        // SAFETY: the caller's promise; all memory was checked, and the report overlaps nothing.
        let (policy, form, message, signatures, report) =
            unsafe { (policy.parts(), form.form(), message.bytes(), signatures.bytes(), report.zeroed()) };
        crate::policy::verify(&policy, form?, message, signatures, &mut crate::policy::Report::new(report))
    })
}

/// Signs a message and writes signature and message in one piece. The message may lie anywhere in that.
///
/// # Safety
/// That of [`fndsa_keygen`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_sign_attached(
    algorithm: u32,
    private: *const u8,
    private_len: usize,
    form: *const CForm,
    message: *const u8,
    message_len: usize,
    signed: *mut u8,
    signed_len: *mut usize,
    random: *const CRandom,
    work: *mut u8,
    work_len: usize,
) -> c_int {
    returned(|| {
        let private = CallerMemory::new(private, private_len);
        let message = CallerMemory::new(message, message_len);
        let work = CallerMemory::new(work, work_len);
        let named = NamedAlgorithm::from_id(algorithm);
        let needed = named.and_then(|named| message_len.checked_add(named.signature_len()).ok_or(Refusal::Length));
        let room = CallerMemory::new(signed, needed.unwrap_or(0));
        // SAFETY: the caller's promise.
        let (mut length, form) = unsafe { (LengthInOut::read(signed_len)?, FormParts::read(form)) };
        length.begin(&Arguments {
            inputs: &[private, form.memory, form.context, CallerMemory::optional(random)],
            in_place: message,
            outputs: &[room, work],
        })?;
        let (named, needed) = (named?, needed?);
        if length.room < needed {
            return Err(Refusal::Length);
        }
        enough(work_len, named.sign_work_len_for(private_len))?;
        // SAFETY: the caller's promise; all memory was checked.
        let (mut random, form, private, work) =
            unsafe { (Generator::read(random)?, form.form()?, private.bytes(), work.zeroed()) };
        form.check(named.algorithm)?;
        let key = operation::private_key(named, private, work)?;
        let at = attached::message_at(named);
        // SAFETY: `room` has room for both, before and behind the place of the message; the copy is one of overlapping memory,
        // and no slice of `room` or of the message is in use.
        let signed = unsafe {
            if message_len > 0 {
                core::ptr::copy(message.at, room.at.add(at), message_len);
            }
            room.at.write_bytes(0, at);
            room.at.add(at + message_len).write_bytes(0, needed - at - message_len);
            core::slice::from_raw_parts_mut(room.at, needed)
        };
        let made = attached::sign(named, &key, form, signed, message_len, &mut random, work);
        if made.is_err() {
            // A caller who signs in place has no other copy of the message: it goes back to its first place.
            let (skipped, kept) = message.part_in(room);
            signed.copy_within(at + skipped..at + skipped + kept.len(), kept.start);
            signed[..kept.start].zeroize();
            signed[kept.end..].zeroize();
        }
        length.write(made?);
        Ok(())
    })
}

/// Verifies a signed message and writes its message, which may lie anywhere in it.
///
/// # Safety
/// That of [`fndsa_keygen`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_open_attached(
    algorithm: u32,
    public: *const u8,
    public_len: usize,
    form: *const CForm,
    signed: *const u8,
    signed_len: usize,
    message: *mut u8,
    message_len: *mut usize,
    work: *mut u8,
    work_len: usize,
) -> c_int {
    returned(|| {
        let public = CallerMemory::new(public, public_len);
        let signed = CallerMemory::new(signed, signed_len);
        let work = CallerMemory::new(work, work_len);
        let named = NamedAlgorithm::from_id(algorithm);
        // SAFETY: the caller's promise.
        let (mut length, form) = unsafe { (LengthInOut::read(message_len)?, FormParts::read(form)) };
        // The message is shorter than the signed message. Null is an error only if the message has a byte.
        let most = if message.is_null() { 0 } else { length.room.min(signed_len) };
        length.begin(&Arguments {
            inputs: &[public, form.memory, form.context],
            in_place: signed,
            outputs: &[CallerMemory::new(message, most), work],
        })?;
        let named = named?;
        enough(work_len, named.open_work_len())?;
        // SAFETY: the caller's promise; all memory was checked, and the work memory overlaps nothing.
        let found = unsafe { attached::open(named, public.bytes(), form.form()?, signed.bytes(), work.zeroed())? };
        if length.room < found.len() {
            return Err(Refusal::Length);
        }
        let message = CallerMemory::new(message, found.len());
        message.check()?;
        if !found.is_empty() {
            // SAFETY: the message lies in `signed`; the copy is one of overlapping memory, and no slice is in use any more.
            unsafe { core::ptr::copy(signed.at.add(found.start), message.at, found.len()) };
        }
        length.write(found.len());
        Ok(())
    })
}
