//! Signs with a private key for FN-DSA-512 or FN-DSA-1024, and with the key's transformed basis
//! (the transforms of f, g, F and G). The caller computes the basis once and keeps it in memory
//! that is only read, such as flash. Each function is for one algorithm, so that the linker can
//! remove the code for the other algorithm.

use super::arguments::{CForm, CRandom};
use super::memory::{CallerMemory, NO_MEMORY, check};
use super::return_code;
use super::signing::SigningCall;
use super::work::WorkMemory;
use crate::code::CallError;
use crate::numbered::{NumberedAlgorithm, WorkLengths};
use crate::operation;
use core::ffi::{c_int, c_void};
use library::Algorithm;
use library::algorithm::SignatureEncoding;

/// The type `fndsa_basis_writer` in the C header.
type CBasisWriter = Option<unsafe extern "C" fn(*mut c_void, *const u8, usize)>;

/// Returns the lengths of the work memory, which is large enough for both functions below. Each
/// function first checks the private key. Then it computes the basis or signs in the same memory.
/// Computing the basis needs less memory than signing.
const fn work_lengths(algorithm: Algorithm) -> WorkLengths {
    let (check, sign) = (algorithm.import_work_len(), algorithm.sign_with_basis_work_len());
    let most = if check > sign { check } else { sign };
    WorkLengths { least: most, fast: most }
}

/// Defines the function that writes the basis and the function that signs, for an algorithm.
macro_rules! with_basis {
    ($algorithm:expr, $write:ident, $sign:ident) => {
        /// Computes the transformed basis of a private key, and passes it to `write` in parts.
        ///
        /// # Safety
        /// The same conditions apply as for [`fndsa_keygen`](super::fndsa_keygen). The function
        /// `write` must return normally, and not leave the call with `longjmp` or an exception.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $write(
            private: *const u8,
            private_len: usize,
            write: CBasisWriter,
            state: *mut c_void,
            work: *mut u8,
            work_len: usize,
        ) -> c_int {
            return_code(|| {
                let private = CallerMemory::new(private, private_len);
                let mut work = WorkMemory::new(work, work_len);
                check(&[private], &[work.given])?;
                let write = write.ok_or(CallError::Null)?;
                work.provide(work_lengths($algorithm))?;
                // SAFETY: the caller promises correct pointers and lengths, and `check` has found
                // no error in them.
                unsafe {
                    let write = |part: &[u8]| write(state, part.as_ptr(), part.len());
                    operation::write_basis($algorithm, private.bytes(), write, work.zeroed())
                }
            })
        }

        /// Signs a message with a private key and its transformed basis.
        ///
        /// # Safety
        /// The same conditions apply as for [`fndsa_keygen`](super::fndsa_keygen).
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $sign(
            private: *const u8,
            private_len: usize,
            basis: *const u8,
            basis_len: usize,
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
                let basis = CallerMemory::new(basis, basis_len);
                let call = SigningCall {
                    numbered: Ok(NumberedAlgorithm { algorithm: $algorithm, encoding: SignatureEncoding::Padded }),
                    inputs: [private, basis],
                    state: NO_MEMORY,
                    form,
                    message: CallerMemory::new(message, message_len),
                    signature,
                    signature_len,
                    random,
                    work: &mut WorkMemory::new(work, work_len),
                };
                // SAFETY: the caller promises correct pointers and lengths, and `run` checks the
                // memory for the private key and the basis before it calls the closure.
                unsafe {
                    call.run(
                        |_| work_lengths($algorithm),
                        |slices| {
                            let (form, message) = (slices.form, slices.message);
                            let (signature, random) = (&mut *slices.signature, &mut slices.random);
                            let (private, basis) = (private.bytes(), basis.bytes());
                            let work = &mut *slices.work;
                            operation::sign_with_basis(
                                $algorithm, private, basis, form, message, signature, random, work,
                            )
                        },
                    )
                }
            })
        }
    };
}

with_basis!(Algorithm::FN_DSA_512, fndsa_512_write_basis, fndsa_512_sign_with_basis);
with_basis!(Algorithm::FN_DSA_1024, fndsa_1024_write_basis, fndsa_1024_sign_with_basis);
