//! Exports the functions that C programs call. `include/fndsa.h` describes each function. This
//! module checks the pointers that C passes, and makes slices from these pointers.
//!
//! Before a function makes a slice, it checks all its memory arguments:
//!
//! - A pointer must not be null, unless its length is 0.
//! - A length must not exceed the address space.
//! - An output must not overlap any other memory argument, except a message that is signed or
//!   opened in place.
//!
//! Before this check, a function accesses only the structures and length variables that C passes.
//! After this check, the function fills outputs and work memory with zeros, because C allows
//! uninitialized memory and Rust does not. Finally, it calls the safe code in other modules.
//!
//! A function cannot check that a pointer refers to as many bytes as the length argument requires,
//! or that no other thread uses these bytes during the call. The caller promises that both
//! conditions are true (correct pointers and lengths). The `unsafe` code in this folder relies on
//! this promise, and on the further conditions in the section `Safety` of a function.

mod arguments;
mod basis;
mod boot;
#[cfg(feature = "files")]
mod file;
mod loaded;
mod memory;
#[cfg(feature = "policy")]
mod signature_file;
mod signer;
mod signing;
mod verifier;
mod work;

use crate::attached;
use crate::code::{CallError, OK, text};
use crate::numbered::{NumberedAlgorithm, WorkLengths};
use crate::operation;
use arguments::{CForm, CRandom, FormMemory, RandomSource};
use core::ffi::{c_char, c_int};
use memory::{CallBuffers, CallerMemory, LengthInOut, NO_MEMORY, check, exactly};
use signing::SigningCall;
use work::WorkMemory;
use zeroize::Zeroize;

/// Runs the body of a C function, and converts the body's result to a return code. With the
/// standard library, a panic (which would be a bug in the library) also becomes a code, so that the
/// panic does not unwind into C.
fn return_code(body: impl FnOnce() -> Result<(), CallError>) -> c_int {
    #[cfg(feature = "std")]
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body)).unwrap_or(Err(CallError::Internal));
    #[cfg(not(feature = "std"))]
    let result = body();
    match result {
        Ok(()) => OK,
        Err(error) => error as c_int,
    }
}

/// Ends the program. The panic handler of a library without the standard library calls this
/// function.
#[cfg(not(feature = "std"))]
pub fn abort_program() -> ! {
    unsafe extern "C" {
        /// Ends the program. Every C library has this function, and a program without a C library
        /// must define it.
        fn abort() -> !;
    }
    // SAFETY: the function has no arguments and does not return.
    unsafe { abort() }
}

/// Defines functions that return a length for an algorithm number, or 0 if the number is unknown.
macro_rules! lengths {
    ($( $(#[$attribute:meta])* $name:ident: $len:expr; )+) => {$(
        $(#[$attribute])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(algorithm: u32) -> usize {
            let len: fn(NumberedAlgorithm) -> usize = $len;
            NumberedAlgorithm::from_id(algorithm).map_or(0, len)
        }
    )+};
}

lengths! {
    /// Returns the public key length in bytes.
    fndsa_public_key_bytes: |numbered| numbered.algorithm.verifying_key_len();
    /// Returns the private key length in bytes, in the short form.
    fndsa_private_key_bytes: |numbered| numbered.algorithm.signing_key_len();
    /// Returns the private key length in bytes, in the expanded form.
    fndsa_expanded_key_bytes: NumberedAlgorithm::expanded_key_len;
    /// Returns the maximum signature length in bytes.
    fndsa_signature_bytes: NumberedAlgorithm::signature_len;
    /// Returns the minimum work memory to generate a key pair, in bytes.
    fndsa_keygen_work_bytes: NumberedAlgorithm::keygen_work_len;
    /// Returns the work memory for the fastest key generation, in bytes.
    fndsa_keygen_fast_work_bytes: NumberedAlgorithm::keygen_fast_work_len;
    /// Returns the minimum work memory to sign, or to compute a public key from a private key, in
    /// bytes.
    fndsa_sign_work_bytes: NumberedAlgorithm::sign_work_len;
    /// Returns the minimum work memory to sign with an expanded private key, in bytes.
    fndsa_sign_expanded_work_bytes: NumberedAlgorithm::sign_expanded_work_len;
    /// Returns the memory for a loaded key in bytes, or 0 if the algorithm has no loaded keys.
    fndsa_loaded_key_bytes: NumberedAlgorithm::loaded_key_len;
    /// Returns the minimum work memory to sign with a loaded key, in bytes.
    fndsa_sign_loaded_work_bytes: NumberedAlgorithm::sign_loaded_work_len;
    /// Returns the work memory, in bytes, with which ML-DSA stores the matrix A and the mask y when
    /// it signs. For all other algorithms, returns the minimum work memory to sign.
    fndsa_sign_matrix_work_bytes: NumberedAlgorithm::sign_matrix_work_len;
    /// Returns the work memory for the fastest signing, in bytes.
    fndsa_sign_fast_work_bytes: NumberedAlgorithm::sign_fast_work_len;
    /// Returns the minimum work memory to verify a signature, in bytes.
    fndsa_verify_work_bytes: |numbered| numbered.algorithm.verify_work_len();
    /// Returns the work memory for the fastest verification, in bytes.
    fndsa_verify_fast_work_bytes: |numbered| numbered.algorithm.verify_fast_work_len();
    /// Returns the minimum work memory to verify a signed message, in bytes.
    fndsa_open_work_bytes: NumberedAlgorithm::open_work_len;
    /// Returns the work memory for the fastest verification of a signed message, in bytes.
    fndsa_open_fast_work_bytes: NumberedAlgorithm::open_fast_work_len;
}

/// Returns a text that explains a code and the next step.
#[unsafe(no_mangle)]
pub extern "C" fn fndsa_strerror(code: c_int) -> *const c_char {
    text(code).as_ptr()
}

/// Returns the library's version.
#[unsafe(no_mangle)]
pub extern "C" fn fndsa_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// Generates a key pair.
///
/// # Safety
/// Every pointer must be null or point to as many bytes as its length argument requires, and no
/// other code may use these bytes during the call.
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
    return_code(|| {
        let numbered = NumberedAlgorithm::from_id(algorithm)?;
        let private = CallerMemory::new(private, private_len);
        let public = CallerMemory::new(public, public_len);
        let mut work = WorkMemory::new(work, work_len);
        check(&[CallerMemory::optional(random)], &[private, public, work.given])?;
        exactly(public_len, numbered.algorithm.verifying_key_len())?;
        if private_len != numbered.algorithm.signing_key_len() {
            exactly(private_len, numbered.expanded_key_len())?;
        }
        work.provide(numbered.keygen_work_lengths())?;
        // SAFETY: the caller promises correct pointers and lengths, and `check` has found no error
        // in them.
        let (private, public, work) = unsafe { (private.zeroed(), public.zeroed(), work.zeroed()) };
        // SAFETY: the caller promises that `random` is null or points to a generator.
        let mut random = unsafe { RandomSource::read(random)? };
        let result = operation::generate(numbered, private, public, &mut random, work);
        if result.is_err() {
            private.zeroize();
            public.fill(0);
        }
        result
    })
}

/// Checks a private key and computes its public key.
///
/// # Safety
/// The same conditions apply as for [`fndsa_keygen`].
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
    return_code(|| {
        let numbered = NumberedAlgorithm::from_id(algorithm)?;
        let private = CallerMemory::new(private, private_len);
        let public = CallerMemory::new(public, public_len);
        let mut work = WorkMemory::new(work, work_len);
        check(&[private], &[public, work.given])?;
        exactly(public_len, numbered.algorithm.verifying_key_len())?;
        work.provide(numbered.public_key_work_lengths())?;
        // SAFETY: the caller promises correct pointers and lengths, and `check` has found no error
        // in them, so outputs do not overlap other memory.
        let (private, public, work) = unsafe { (private.bytes(), public.zeroed(), work.zeroed()) };
        operation::public_key(numbered, private, public, work)
    })
}

/// Signs a message.
///
/// # Safety
/// The same conditions apply as for [`fndsa_keygen`].
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
    return_code(|| {
        let private = CallerMemory::new(private, private_len);
        let call = SigningCall {
            numbered: NumberedAlgorithm::from_id(algorithm),
            inputs: [private, NO_MEMORY],
            state: NO_MEMORY,
            form,
            message: CallerMemory::new(message, message_len),
            signature,
            signature_len,
            random,
            work: &mut WorkMemory::new(work, work_len),
        };
        // SAFETY: the caller promises correct pointers and lengths. `run` checks the memory of the
        // private key before it calls the closure.
        unsafe {
            call.run(
                |numbered| numbered.sign_work_lengths(private_len),
                |slices| {
                    slices.form.options.check(slices.numbered.algorithm)?;
                    let key = operation::private_key(slices.numbered, private.bytes(), slices.work)?;
                    let (form, message) = (slices.form, slices.message);
                    operation::sign(
                        slices.numbered,
                        &key,
                        form,
                        message,
                        slices.signature,
                        &mut slices.random,
                        slices.work,
                    )
                },
            )
        }
    })
}

/// Verifies a signature.
///
/// # Safety
/// The same conditions apply as for [`fndsa_keygen`].
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
    return_code(|| {
        let numbered = NumberedAlgorithm::from_id(algorithm)?;
        // SAFETY: the caller promises that `form` is null or points to a form.
        let form = unsafe { FormMemory::read(form) };
        let public = CallerMemory::new(public, public_len);
        let message = CallerMemory::new(message, message_len);
        let signature = CallerMemory::new(signature, signature_len);
        let mut work = WorkMemory::new(work, work_len);
        check(&[public, message, signature, form.memory, form.context], &[work.given])?;
        work.provide(numbered.verify_work_lengths())?;
        // SAFETY: the caller promises correct pointers and lengths, and `check` has found no error
        // in them, so the work memory does not overlap other memory.
        let (form, public, message, signature, work) =
            unsafe { (form.to_form()?, public.bytes(), message.bytes(), signature.bytes(), work.zeroed()) };
        operation::verify(numbered, public, form, message, signature, work)
    })
}

/// Verifies a signature file with a policy.
///
/// # Safety
/// The same conditions apply as for [`fndsa_keygen`].
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
    return_code(|| {
        // SAFETY: the caller promises that `policy` and `form` are null or point to a policy and to
        // a form.
        let (policy, form) = unsafe { (arguments::PolicyMemory::read(policy), FormMemory::read(form)) };
        let message = CallerMemory::new(message, message_len);
        let signatures = CallerMemory::new(signatures, signatures_len);
        let report = CallerMemory::new(report.cast(), report_len);
        let policy = policy?;
        let other_inputs = [message, signatures, form.memory, form.context];
        check(&[&policy.inputs()[..], &other_inputs].concat(), &[report])?;
        // SAFETY: the caller promises correct pointers and lengths, and `check` has found no error
        // in them, so the report does not overlap other memory.
        let (policy, form, message, signatures, report) =
            unsafe { (policy.parts(), form.to_form(), message.bytes(), signatures.bytes(), report.zeroed()) };
        crate::policy::verify(&policy, form?, message, signatures, &mut crate::report::ReportWriter::new(report))
    })
}

/// Signs a message, and writes the signature and the message as a signed message. The input message
/// may be anywhere in this output.
///
/// # Safety
/// The same conditions apply as for [`fndsa_keygen`].
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
    return_code(|| {
        let private = CallerMemory::new(private, private_len);
        let message = CallerMemory::new(message, message_len);
        let mut work = WorkMemory::new(work, work_len);
        let numbered = NumberedAlgorithm::from_id(algorithm);
        let needed =
            numbered.and_then(|numbered| message_len.checked_add(numbered.signature_len()).ok_or(CallError::Length));
        let output = CallerMemory::new(signed, needed.unwrap_or(0));
        // SAFETY: the caller promises that `signed_len` and `form` are null or point to a length
        // and to a form.
        let (mut length, form) = unsafe { (LengthInOut::read(signed_len)?, FormMemory::read(form)) };
        length.check_and_clear(&CallBuffers {
            inputs: &[private, form.memory, form.context, CallerMemory::optional(random)],
            in_place: message,
            outputs: &[output, work.given],
        })?;
        let (numbered, needed) = (numbered?, needed?);
        if length.buffer_len < needed {
            return Err(CallError::Length);
        }
        work.provide(numbered.sign_work_lengths(private_len))?;
        // SAFETY: the caller promises correct pointers and lengths, and `check_and_clear` has found
        // no error in them.
        let (mut random, form, private, work) =
            unsafe { (RandomSource::read(random)?, form.to_form()?, private.bytes(), work.zeroed()) };
        form.options.check(numbered.algorithm)?;
        let key = operation::private_key(numbered, private, work)?;
        let message_at = attached::message_at(numbered);
        // SAFETY: `output` is large enough for the message and for the bytes before and after it.
        // The copy allows overlapping memory, and no slice of `output` or of the message is in use.
        let signed = unsafe {
            if message_len > 0 {
                core::ptr::copy(message.at, output.at.add(message_at), message_len);
            }
            output.at.write_bytes(0, message_at);
            output.at.add(message_at + message_len).write_bytes(0, needed - message_at - message_len);
            core::slice::from_raw_parts_mut(output.at, needed)
        };
        let result = attached::sign(numbered, &key, form, signed, message_len, &mut random, work);
        if result.is_err() {
            // If the caller signs in place, the output contains the only copy of the message or of
            // a part of the message. So the copy below moves this part back to its original
            // position: `kept` in the output. `skipped` is the part's position in the message.
            let (skipped, kept) = message.part_in(output);
            let start = message_at + skipped;
            signed.copy_within(start..start + kept.len(), kept.start);
            signed[..kept.start].zeroize();
            signed[kept.end..].zeroize();
        }
        length.write(result?);
        Ok(())
    })
}

/// Verifies a signed message and writes its message. The `message` buffer may overlap `signed` in
/// any way.
///
/// # Safety
/// The same conditions apply as for [`fndsa_keygen`].
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
    return_code(|| {
        let public = CallerMemory::new(public, public_len);
        let signed = CallerMemory::new(signed, signed_len);
        let mut work = WorkMemory::new(work, work_len);
        let numbered = NumberedAlgorithm::from_id(algorithm);
        // SAFETY: the caller promises that `message_len` and `form` are null or point to a length
        // and to a form.
        let (mut length, form) = unsafe { (LengthInOut::read(message_len)?, FormMemory::read(form)) };
        // The message is shorter than the signed message, so at most `signed_len` bytes are
        // written. A null output is an error only if the message is not empty, which is checked
        // below.
        let output_len = if message.is_null() { 0 } else { length.buffer_len.min(signed_len) };
        length.check_and_clear(&CallBuffers {
            inputs: &[public, form.memory, form.context],
            in_place: signed,
            outputs: &[CallerMemory::new(message, output_len), work.given],
        })?;
        let numbered = numbered?;
        work.provide(WorkLengths { least: numbered.open_work_len(), fast: numbered.open_fast_work_len() })?;
        // SAFETY: the caller promises correct pointers and lengths, and `check_and_clear` has found
        // no error in them, so the work memory does not overlap other memory.
        let range =
            unsafe { attached::open(numbered, public.bytes(), form.to_form()?, signed.bytes(), work.zeroed())? };
        if length.buffer_len < range.len() {
            return Err(CallError::Length);
        }
        let message = CallerMemory::new(message, range.len());
        message.check()?;
        if !range.is_empty() {
            // SAFETY: the range is in `signed`, and `check_and_clear` has found no error in the
            // output. The copy allows overlapping memory, and no slice is in use any more.
            unsafe { core::ptr::copy(signed.at.add(range.start), message.at, range.len()) };
        }
        length.write(range.len());
        Ok(())
    })
}
