//! Exports the functions that read keys and signatures from the contents of files, and the
//! functions that write them.

use super::arguments::{CRandom, RandomSource};
use super::memory::{CallBuffers, CallerMemory, LengthInOut, NO_MEMORY};
use super::return_code;
use crate::code::CallError;
use crate::file::{FileContents, FileRequest, read, write};
use crate::numbered::NumberedAlgorithm;
use crate::report::ReportWriter;
use core::ffi::{c_char, c_int};
use library::files::ObjectKind;

/// The algorithm number that accepts all algorithms.
const ANY: u32 = 0;

/// The pointers and lengths of a call that reads a file, before any check.
struct ReadingCall {
    kind: ObjectKind,
    algorithm: u32,
    file: CallerMemory,
    password: CallerMemory,
    found: *mut u32,
    object: *mut u8,
    object_len: *mut usize,
    report: CallerMemory,
}

impl ReadingCall {
    /// Checks all arguments, reads the file, and writes the key or signature, its length, and the
    /// algorithm number (`found`).
    ///
    /// # Safety
    /// Every pointer must be null or point to as many bytes as its length requires, and no other
    /// code may use these bytes during the call.
    unsafe fn run(self) -> Result<(), CallError> {
        let found = CallerMemory::optional(self.found);
        // SAFETY: the caller promises that `object_len` is null or points to a length.
        let mut length = unsafe { LengthInOut::read(self.object_len)? };
        let object = CallerMemory::new(self.object, length.buffer_len);
        length.check_and_clear(&CallBuffers {
            inputs: &[self.file, self.password],
            in_place: NO_MEMORY,
            outputs: &[object, found, self.report],
        })?;
        // SAFETY: the caller promises correct pointers and lengths. `check_and_clear` has found no
        // error in the buffers of this call, so outputs do not overlap other memory.
        let (file, password, object, found, report) = unsafe {
            (self.file.bytes(), self.password.bytes(), object.zeroed(), found.zeroed(), self.report.zeroed())
        };
        let wanted = if self.algorithm == ANY { None } else { Some(NumberedAlgorithm::from_id(self.algorithm)?) };
        if wanted.is_none() && self.found.is_null() {
            return Err(CallError::Null);
        }
        let password = (!self.password.at.is_null()).then_some(password);
        let request = FileRequest { kind: self.kind, wanted, password };
        let FileContents { algorithm, bytes } = read(&request, file, &mut ReportWriter::new(report))?;
        object.get_mut(..bytes.len()).ok_or(CallError::Length)?.copy_from_slice(&bytes);
        // `found` has no bytes if the caller passed a null pointer.
        let algorithm_number = if wanted.is_some() { self.algorithm } else { algorithm };
        for (to, from) in found.iter_mut().zip(algorithm_number.to_ne_bytes()) {
            *to = from;
        }
        length.write(bytes.len());
        Ok(())
    }
}

/// Reads a private key.
///
/// # Safety
/// The same conditions apply as for [`fndsa_keygen`](super::fndsa_keygen).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_read_private_key(
    algorithm: u32,
    file: *const u8,
    file_len: usize,
    password: *const u8,
    password_len: usize,
    found: *mut u32,
    private: *mut u8,
    private_len: *mut usize,
    report: *mut c_char,
    report_len: usize,
) -> c_int {
    let call = ReadingCall {
        kind: ObjectKind::SigningKey,
        algorithm,
        file: CallerMemory::new(file, file_len),
        password: CallerMemory::new(password, password_len),
        found,
        object: private,
        object_len: private_len,
        report: CallerMemory::new(report.cast(), report_len),
    };
    // SAFETY: the caller promises correct pointers and lengths.
    return_code(|| unsafe { call.run() })
}

/// Reads a public key.
///
/// # Safety
/// The same conditions apply as for [`fndsa_keygen`](super::fndsa_keygen).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_read_public_key(
    algorithm: u32,
    file: *const u8,
    file_len: usize,
    found: *mut u32,
    public: *mut u8,
    public_len: *mut usize,
    report: *mut c_char,
    report_len: usize,
) -> c_int {
    let call = ReadingCall {
        kind: ObjectKind::VerifyingKey,
        algorithm,
        file: CallerMemory::new(file, file_len),
        password: NO_MEMORY,
        found,
        object: public,
        object_len: public_len,
        report: CallerMemory::new(report.cast(), report_len),
    };
    // SAFETY: the caller promises correct pointers and lengths.
    return_code(|| unsafe { call.run() })
}

/// Reads a signature.
///
/// # Safety
/// The same conditions apply as for [`fndsa_keygen`](super::fndsa_keygen).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_read_signature(
    algorithm: u32,
    file: *const u8,
    file_len: usize,
    found: *mut u32,
    signature: *mut u8,
    signature_len: *mut usize,
    report: *mut c_char,
    report_len: usize,
) -> c_int {
    let call = ReadingCall {
        kind: ObjectKind::Signature,
        algorithm,
        file: CallerMemory::new(file, file_len),
        password: NO_MEMORY,
        found,
        object: signature,
        object_len: signature_len,
        report: CallerMemory::new(report.cast(), report_len),
    };
    // SAFETY: the caller promises correct pointers and lengths.
    return_code(|| unsafe { call.run() })
}

/// The pointers and lengths of a call that writes a file, before any check.
struct WritingCall {
    kind: ObjectKind,
    algorithm: u32,
    object: CallerMemory,
    format: u32,
    password: CallerMemory,
    random: *const CRandom,
    file: *mut u8,
    file_len: *mut usize,
}

impl WritingCall {
    /// Checks all arguments, and writes the file's contents.
    ///
    /// # Safety
    /// The same conditions apply as for [`ReadingCall::run`].
    unsafe fn run(self) -> Result<(), CallError> {
        // SAFETY: the caller promises that `file_len` is null or points to a length.
        let mut length = unsafe { LengthInOut::read(self.file_len)? };
        let file = CallerMemory::new(self.file, length.buffer_len);
        length.check_and_clear(&CallBuffers {
            inputs: &[self.object, self.password, CallerMemory::optional(self.random)],
            in_place: NO_MEMORY,
            outputs: &[file],
        })?;
        // The number from C selects the algorithm and, for Falcon, the signature encoding.
        let numbered = NumberedAlgorithm::from_id(self.algorithm)?;
        // SAFETY: the caller promises correct pointers and lengths. `check_and_clear` has found no
        // error in the buffers of this call, so the output does not overlap other memory.
        let (object, password, file) = unsafe { (self.object.bytes(), self.password.bytes(), file.zeroed()) };
        let contents = if self.password.at.is_null() {
            write(self.kind, numbered, object, self.format)?
        } else {
            // SAFETY: the caller promises that `random` is null or points to a generator.
            let mut random = unsafe { RandomSource::read(self.random)? };
            crate::file::write_encrypted(numbered, object, self.format, password, &mut random)?
        };
        file.get_mut(..contents.len()).ok_or(CallError::Length)?.copy_from_slice(&contents);
        length.write(contents.len());
        Ok(())
    }
}

/// Writes a private key.
///
/// # Safety
/// The same conditions apply as for [`fndsa_keygen`](super::fndsa_keygen).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_write_private_key(
    algorithm: u32,
    private: *const u8,
    private_len: usize,
    format: u32,
    password: *const u8,
    password_len: usize,
    random: *const CRandom,
    file: *mut u8,
    file_len: *mut usize,
) -> c_int {
    let call = WritingCall {
        kind: ObjectKind::SigningKey,
        algorithm,
        object: CallerMemory::new(private, private_len),
        format,
        password: CallerMemory::new(password, password_len),
        random,
        file,
        file_len,
    };
    // SAFETY: the caller promises correct pointers and lengths.
    return_code(|| unsafe { call.run() })
}

/// Writes a public key.
///
/// # Safety
/// The same conditions apply as for [`fndsa_keygen`](super::fndsa_keygen).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_write_public_key(
    algorithm: u32,
    public: *const u8,
    public_len: usize,
    format: u32,
    file: *mut u8,
    file_len: *mut usize,
) -> c_int {
    let call = WritingCall {
        kind: ObjectKind::VerifyingKey,
        algorithm,
        object: CallerMemory::new(public, public_len),
        format,
        password: NO_MEMORY,
        random: core::ptr::null(),
        file,
        file_len,
    };
    // SAFETY: the caller promises correct pointers and lengths.
    return_code(|| unsafe { call.run() })
}

/// Writes a signature.
///
/// # Safety
/// The same conditions apply as for [`fndsa_keygen`](super::fndsa_keygen).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_write_signature(
    algorithm: u32,
    signature: *const u8,
    signature_len: usize,
    format: u32,
    file: *mut u8,
    file_len: *mut usize,
) -> c_int {
    let call = WritingCall {
        kind: ObjectKind::Signature,
        algorithm,
        object: CallerMemory::new(signature, signature_len),
        format,
        password: NO_MEMORY,
        random: core::ptr::null(),
        file,
        file_len,
    };
    // SAFETY: the caller promises correct pointers and lengths.
    return_code(|| unsafe { call.run() })
}
