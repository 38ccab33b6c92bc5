//! Exports `fndsa_sign_format`, which signs messages in the formats of other programs.

use super::arguments::{CRandom, RandomSource};
use super::memory::{CallBuffers, CallerMemory, LengthInOut, NO_MEMORY};
use super::return_code;
use crate::code::CallError;
use crate::numbered::NumberedAlgorithm;
use crate::report::ReportWriter;
use crate::signature_file::{FormatToSign, sign};
use core::ffi::{c_char, c_int};

/// Signs a message, and writes a signature file of SSH, JOSE or CMS.
///
/// # Safety
/// The same conditions apply as for [`fndsa_keygen`](super::fndsa_keygen).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_sign_format(
    algorithm: u32,
    private: *const u8,
    private_len: usize,
    signature_format: u32,
    ssh_namespace: *const c_char,
    ssh_namespace_len: usize,
    certificate: *const u8,
    certificate_len: usize,
    message: *const u8,
    message_len: usize,
    file: *mut u8,
    file_len: *mut usize,
    random: *const CRandom,
    report: *mut c_char,
    report_len: usize,
) -> c_int {
    return_code(|| {
        let private = CallerMemory::new(private, private_len);
        let namespace = CallerMemory::new(ssh_namespace.cast(), ssh_namespace_len);
        let certificate = CallerMemory::new(certificate, certificate_len);
        let message = CallerMemory::new(message, message_len);
        let report = CallerMemory::new(report.cast(), report_len);
        // SAFETY: the caller promises that `file_len` is null or points to a length.
        let mut length = unsafe { LengthInOut::read(file_len)? };
        let file = CallerMemory::new(file, length.buffer_len);
        length.check_and_clear(&CallBuffers {
            inputs: &[private, namespace, certificate, message, CallerMemory::optional(random)],
            in_place: NO_MEMORY,
            outputs: &[file, report],
        })?;
        let numbered = NumberedAlgorithm::from_id(algorithm)?;
        // SAFETY: the caller promises correct pointers and lengths. `check_and_clear` has found no
        // error in the buffers of this call, so outputs do not overlap other memory.
        let (file, report, private) = unsafe { (file.zeroed(), report.zeroed(), private.bytes()) };
        // SAFETY: the caller promises correct pointers and lengths. `check_and_clear` has found no
        // error in the buffers of this call, so outputs do not overlap other memory.
        let (namespace_bytes, certificate_bytes, message) =
            unsafe { (namespace.bytes(), certificate.bytes(), message.bytes()) };
        let request = FormatToSign {
            signature_format,
            ssh_namespace: (!namespace.at.is_null()).then_some(namespace_bytes),
            certificate: (!certificate.at.is_null()).then_some(certificate_bytes),
            message,
        };
        // SAFETY: the caller promises that `random` is null or points to a generator.
        let mut random = unsafe { RandomSource::read(random)? };
        let contents = sign(numbered, private, &request, &mut random, &mut ReportWriter::new(report))?;
        file.get_mut(..contents.len()).ok_or(CallError::Length)?.copy_from_slice(&contents);
        length.write(contents.len());
        Ok(())
    })
}
