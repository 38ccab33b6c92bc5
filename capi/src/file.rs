//! Reads keys and signatures from the contents of files, and writes them. `boundary/file.rs` calls
//! these functions with checked memory.

use crate::code::CallError;
use crate::numbered::NumberedAlgorithm;
use crate::operation;
use crate::report::{ReportWriter, report_error};
use library::Algorithm;
use library::files::{
    self, DecryptError, EncryptError, FileContent, FileEncoding, FileObject, ObjectError, ObjectKind, PrivateKeyError,
    ReadOptions, WriteError, WriteOptions,
};
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

/// The key or signature that a C caller requests from a file.
pub struct FileRequest<'a> {
    /// The kind of the object: private key, public key or signature.
    pub kind: ObjectKind,
    /// The required algorithm. `None` accepts all algorithms.
    pub wanted: Option<NumberedAlgorithm>,
    /// The password of an encrypted private key.
    pub password: Option<&'a [u8]>,
}

/// A key or signature from a file.
pub struct FileContents {
    /// The number that the algorithm has in C.
    pub algorithm: u32,
    /// The raw encoding of the key or signature.
    pub bytes: Zeroizing<Vec<u8>>,
}

/// Reads a key or signature from the contents of a file, and checks it in full. If this function
/// fails, the report explains the error.
pub fn read(request: &FileRequest<'_>, file: &[u8], report: &mut ReportWriter<'_>) -> Result<FileContents, CallError> {
    let options = ReadOptions::default()
        .with_algorithm(request.wanted.map(|numbered| numbered.algorithm))
        .with_expected_kind(Some(request.kind));
    let object = match files::read(file, &options).map_err(|defect| report_error(report, CallError::File, defect))? {
        FileContent::Plain(object) => {
            if request.password.is_some() {
                return Err(report_error(
                    report,
                    CallError::Password,
                    "there is a password, but the file is not encrypted",
                ));
            }
            object
        }
        FileContent::Locked(_) if request.kind != ObjectKind::SigningKey => {
            return Err(report_error(report, CallError::File, "this is an encrypted private key"));
        }
        FileContent::Locked(locked) => {
            let Some(password) = request.password else {
                return Err(report_error(
                    report,
                    CallError::Password,
                    "the private key is encrypted: pass its password",
                ));
            };
            locked.unlock(password, &options).map_err(|error| {
                let code = match error {
                    DecryptError::Password => CallError::Password,
                    DecryptError::Memory(_) => CallError::Memory,
                    _ => CallError::File,
                };
                report_error(report, code, error)
            })?
        }
    };
    check(request, &object).map_err(|error| {
        let code = match error {
            ObjectError::SigningKey(PrivateKeyError::Kind(_))
            | ObjectError::Kind { .. }
            | ObjectError::Signature(_) => CallError::File,
            _ => CallError::Key,
        };
        report_error(report, code, error)
    })?;
    let found = object.algorithm();
    let Some(algorithm) = NumberedAlgorithm::id_of(found) else {
        return Err(report_error(report, CallError::Algorithm, format_args!("the algorithm is {found}")));
    };
    let numbered = request.wanted.map_or_else(|| NumberedAlgorithm::from_id(algorithm), Ok)?;
    if object.kind == ObjectKind::Signature && operation::check_encoding(numbered, &object.bytes).is_err() {
        return Err(report_error(
            report,
            CallError::File,
            "the algorithm number does not allow the signature's encoding",
        ));
    }
    Ok(FileContents { algorithm, bytes: object.bytes })
}

/// Checks that an object has the requested kind, and checks its content in full.
fn check(request: &FileRequest<'_>, object: &FileObject) -> Result<(), ObjectError> {
    match request.kind {
        ObjectKind::SigningKey => object.signing_key().map(drop),
        ObjectKind::VerifyingKey => object.verifying_key().map(drop),
        ObjectKind::Signature => object.signature().map(drop),
    }
}

/// Returns the file format that has this number in C.
fn encoding(number: u32) -> Result<FileEncoding, CallError> {
    match number {
        1 => Ok(FileEncoding::Pem),
        2 => Ok(FileEncoding::Raw),
        3 => Ok(FileEncoding::Pkcs8),
        4 => Ok(FileEncoding::Pkcs8Der),
        5 => Ok(FileEncoding::Spki),
        6 => Ok(FileEncoding::SpkiDer),
        _ => Err(CallError::Format),
    }
}

/// Checks a private key in full, and returns its public key. Some file formats contain both keys.
fn public_of(numbered: NumberedAlgorithm, private: &[u8]) -> Result<Vec<u8>, CallError> {
    let mut public = vec![0; numbered.algorithm.verifying_key_len()];
    let mut work = Zeroizing::new(vec![0; numbered.algorithm.import_fast_work_len()]);
    operation::public_key(numbered, private, &mut public, &mut work)?;
    Ok(public)
}

impl From<WriteError> for CallError {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Bytes { kind: ObjectKind::Signature, .. } => Self::NotValid,
            WriteError::Bytes { .. } => Self::Key,
            WriteError::Unreadable { .. } => Self::Fault,
            _ => Self::Format,
        }
    }
}

/// Returns the line of text that precedes the PEM block of a key or signature.
fn note(kind: ObjectKind, algorithm: Algorithm) -> String {
    format!("fndsa {} {algorithm}", kind.name())
}

/// Checks a key or signature in full, and returns the contents of a file in this format.
pub fn write(
    kind: ObjectKind,
    numbered: NumberedAlgorithm,
    bytes: &[u8],
    format: u32,
) -> Result<Zeroizing<Vec<u8>>, CallError> {
    let mut options = WriteOptions::plain(encoding(format)?);
    let public;
    match kind {
        ObjectKind::SigningKey => {
            public = public_of(numbered, bytes)?;
            options = options.with_public(Some(&public));
        }
        ObjectKind::VerifyingKey => drop(operation::verifying_key(numbered, bytes)?),
        ObjectKind::Signature => operation::check_encoding(numbered, bytes)?,
    }
    Ok(options.write(kind, numbered.algorithm, &note(kind, numbered.algorithm), bytes)?)
}

/// Checks a private key in full, and returns the contents of a file in this format, encrypted with
/// a password.
pub fn write_encrypted(
    numbered: NumberedAlgorithm,
    bytes: &[u8],
    format: u32,
    password: &[u8],
    rng: &mut impl TryCryptoRng,
) -> Result<Zeroizing<Vec<u8>>, CallError> {
    let encoding = encoding(format)?;
    let public = public_of(numbered, bytes)?;
    let options = WriteOptions::plain(encoding).with_public(Some(&public));
    options.write_locked(numbered.algorithm, bytes, password, rng).map_err(|error| match error {
        EncryptError::Form(error) => error.into(),
        EncryptError::Rng(_) => CallError::Random,
        EncryptError::Memory(_) => CallError::Memory,
        _ => CallError::Internal,
    })
}
