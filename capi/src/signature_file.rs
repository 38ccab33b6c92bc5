//! Signs a message, and returns the contents of a signature file for SSH, JOSE or CMS.

use crate::code::CallError;
use crate::numbered::NumberedAlgorithm;
use crate::operation;
use crate::policy::signature_format;
use crate::report::{ReportWriter, report_error};
use library::verdict::{FormatSigningError, sign_in_memory};
use library::{Error, SigningKey};
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

/// A message to sign in the format of another program.
pub struct FormatToSign<'a> {
    /// The number of the format in C.
    pub signature_format: u32,
    /// The namespace of SSH signatures.
    pub ssh_namespace: Option<&'a [u8]>,
    /// The contents of the key's certificate, for CMS signatures.
    pub certificate: Option<&'a [u8]>,
    /// The message.
    pub message: &'a [u8],
}

/// Checks a private key in full, signs a message, and returns the contents of a signature file. If
/// this function fails, the report explains the error. If the private key is not valid, the report
/// is empty.
pub fn sign(
    numbered: NumberedAlgorithm,
    private: &[u8],
    request: &FormatToSign<'_>,
    rng: &mut impl TryCryptoRng,
    report: &mut ReportWriter<'_>,
) -> Result<Vec<u8>, CallError> {
    let format = signature_format(request.signature_format, request.ssh_namespace);
    let format = format.map_err(|e| report_error(report, CallError::Format, e))?;
    let mut work = Zeroizing::new(vec![0; numbered.algorithm.import_fast_work_len()]);
    let key = SigningKey::from(&operation::private_key(numbered, private, &mut work)?);
    sign_in_memory(&key, &format, request.certificate, request.message, rng).map_err(|e| {
        let code = match &e {
            FormatSigningError::Input(_) => CallError::Format,
            FormatSigningError::Sign(Error::Rng(_)) => CallError::Random,
            FormatSigningError::Sign(_) | FormatSigningError::Check => CallError::Fault,
            _ => CallError::Internal,
        };
        report_error(report, code, e)
    })
}
