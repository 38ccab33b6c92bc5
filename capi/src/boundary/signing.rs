//! The arguments that are common to all functions that write a signature.

use super::arguments::{CForm, CRandom, FormMemory, RandomSource};
use super::memory::{CallBuffers, CallerMemory, LengthInOut, NO_MEMORY};
use super::work::WorkMemory;
use crate::code::CallError;
use crate::numbered::{NumberedAlgorithm, WorkLengths};
use crate::prehash::SignedForm;
use zeroize::Zeroize;

/// The pointers and lengths of a call that writes a signature, before any check.
pub struct SigningCall<'m> {
    /// The algorithm, or an error if the algorithm is unknown, or if the signer or the loaded key
    /// cannot be used. `run` returns this error after it has checked the memory.
    pub numbered: Result<NumberedAlgorithm, CallError>,
    /// The private key or the loaded key, and other memory that the call reads.
    pub inputs: [CallerMemory; 2],
    /// Memory that the call writes in addition to the signature and the work memory.
    pub state: CallerMemory,
    pub form: *const CForm,
    pub message: CallerMemory,
    pub signature: *mut u8,
    pub signature_len: *mut usize,
    pub random: *const CRandom,
    pub work: &'m mut WorkMemory,
}

/// The checked arguments of a call that writes a signature.
pub struct SigningSlices<'a> {
    pub numbered: NumberedAlgorithm,
    pub form: SignedForm<'a>,
    pub message: &'a [u8],
    /// Memory for the signature, filled with zeros. It has the maximum length of a signature.
    pub signature: &'a mut [u8],
    pub random: RandomSource,
    pub work: &'a mut [u8],
}

impl SigningCall<'_> {
    /// Checks all arguments, runs `sign`, and writes the signature length that `sign` returns.
    /// `lengths` returns the lengths of the work memory for the algorithm. If `sign` fails, this
    /// function wipes the signature. After an error, the caller's length is 0, except after
    /// [`CallError::Overlap`] or if the pointer to the length cannot be used.
    ///
    /// # Safety
    /// Every pointer must be null or point to as many bytes as its length requires, and no other
    /// code may use these bytes during the call.
    pub unsafe fn run(
        self,
        lengths: impl FnOnce(NumberedAlgorithm) -> WorkLengths,
        sign: impl FnOnce(&mut SigningSlices<'_>) -> Result<usize, CallError>,
    ) -> Result<(), CallError> {
        let Self { numbered, inputs: [key, other_input], state, form, message, signature, signature_len, random, work } =
            self;
        let signature = CallerMemory::new(signature, numbered.map_or(0, NumberedAlgorithm::signature_len));
        // SAFETY: the caller promises that `signature_len` and `form` are null or point to a length
        // and to a form.
        let (mut length, form) = unsafe { (LengthInOut::read(signature_len)?, FormMemory::read(form)) };
        length.check_and_clear(&CallBuffers {
            inputs: &[key, other_input, message, form.memory, form.context, CallerMemory::optional(random)],
            in_place: NO_MEMORY,
            outputs: &[signature, work.given, state],
        })?;
        let numbered = numbered?;
        if length.buffer_len < signature.len {
            return Err(CallError::Length);
        }
        work.provide(lengths(numbered))?;
        // SAFETY: the caller promises correct pointers and lengths. `check_and_clear` has found no
        // error in the buffers of this call, so outputs do not overlap other memory.
        let mut slices = unsafe {
            let (signature, work) = (signature.zeroed(), work.zeroed());
            let random = RandomSource::read(random)?;
            let (form, message) = (form.to_form()?, message.bytes());
            SigningSlices { numbered, form, message, signature, random, work }
        };
        let result = sign(&mut slices);
        if result.is_err() {
            slices.signature.zeroize();
        }
        length.write(result?);
        Ok(())
    }
}
