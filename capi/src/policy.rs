//! Verifies with a policy: trusted keys, the number of keys that must have signed, and a report
//! about the verdict.

use crate::code::CallError;
use crate::prehash::SignedForm;
use crate::report::{ReportWriter, report_error};
use core::fmt::Write;
use library::no_alloc::Level;
use library::verdict::allowed_signers::SignerName;
use library::verdict::{
    DecisionError, DecisionOutcome, FileDefect, Policy, RequiredKeys, SignatureFileData, SignatureFormat, TrustedKey,
    VerdictError, VerdictInput, VerificationDay, parse_fingerprint, read_allowed_signers, read_trusted_keys,
    verify_in_memory,
};

/// The value of `required` that requires signatures by all accepted keys, `FNDSA_REQUIRE_ALL`.
const ALL: usize = usize::MAX;

/// The policy that a C caller passes.
pub struct PolicyParts<'a> {
    /// The contents of a file with trusted keys. If there is a `signer`, they are the contents of a
    /// file with allowed signers.
    pub trusted_keys: &'a [u8],
    /// The number of different keys that must have signed, or [`ALL`].
    pub required: usize,
    /// The expected fingerprints, separated by white space. `None` accepts all trusted keys.
    pub expected: Option<&'a [u8]>,
    /// The verification day, in the form `2026-01-31`. `None` means today (UTC).
    pub day: Option<&'a [u8]>,
    /// The number of the signature file's format.
    pub signature_format: u32,
    /// The namespace, a string that an SSH signature includes to state its purpose.
    pub ssh_namespace: Option<&'a [u8]>,
    /// The name of the signer in the file of allowed signers.
    pub signer: Option<&'a [u8]>,
}

/// Parses a text in UTF-8.
fn utf8(bytes: &[u8]) -> Result<&str, &'static str> {
    core::str::from_utf8(bytes).map_err(|_| "the policy has a text that is not UTF-8")
}

/// Parses the number of required keys.
fn required(number: usize) -> Result<RequiredKeys, &'static str> {
    match number {
        0 => Err("the policy requires no key: set `required` to at least 1, or to FNDSA_REQUIRE_ALL"),
        ALL => Ok(RequiredKeys::All),
        number => Ok(RequiredKeys::Number(number)),
    }
}

/// Parses the expected fingerprints.
fn expected(text: Option<&[u8]>) -> Result<Vec<String>, String> {
    let Some(text) = text else { return Ok(Vec::new()) };
    let mut fingerprints = Vec::new();
    for word in utf8(text)?.split_whitespace() {
        fingerprints.push(parse_fingerprint(word)?);
    }
    if fingerprints.is_empty() {
        return Err("`expected` has no fingerprint: pass null to accept each trusted key".to_owned());
    }
    Ok(fingerprints)
}

/// Parses the verification day.
fn day(text: Option<&[u8]>) -> Result<VerificationDay, String> {
    let Some(text) = text else { return Ok(VerificationDay(None)) };
    let text = utf8(text)?;
    match text.parse() {
        Ok(date) => Ok(VerificationDay(Some(date))),
        Err(_) => Err(format!("{text:?} is no day: write it as 2026-01-31")),
    }
}

/// Returns the signature format that has this number in C. Only SSH signatures have a namespace.
pub fn signature_format(number: u32, namespace: Option<&[u8]>) -> Result<SignatureFormat, String> {
    let format = match number {
        0 => SignatureFormat::Fndsa,
        1 => {
            let Some(namespace) = namespace else {
                return Err("SSH signatures need `ssh_namespace`, for example \"file\"".to_owned());
            };
            return Ok(SignatureFormat::Ssh(utf8(namespace)?.parse()?));
        }
        2 => SignatureFormat::Jws,
        3 => SignatureFormat::Cms,
        _ => return Err(format!("{number} is no format of signature files: use the numbers FNDSA_SIGNATURE_FORMAT_*")),
    };
    match namespace {
        Some(_) => Err("`ssh_namespace` is only for FNDSA_SIGNATURE_FORMAT_SSH".to_owned()),
        None => Ok(format),
    }
}

/// Parses the name of the signer. Only a file of allowed signers for SSH signatures has names of
/// signers.
fn signer(name: Option<&[u8]>, format: &SignatureFormat) -> Result<Option<SignerName>, String> {
    let Some(name) = name else { return Ok(None) };
    match format {
        SignatureFormat::Ssh(_) => Ok(Some(utf8(name)?.parse()?)),
        _ => Err("`signer` is only for FNDSA_SIGNATURE_FORMAT_SSH".to_owned()),
    }
}

/// Reads trusted keys from `data`, which is the content of a key file. If there is a signer, `data`
/// is a file of allowed signers instead, and this function reads only the keys of this signer.
fn keys(
    data: &[u8],
    signer: Option<&SignerName>,
    format: &SignatureFormat,
    expected: &[String],
    level: Level,
) -> Result<Vec<TrustedKey>, FileDefect> {
    match (signer, format) {
        (Some(signer), SignatureFormat::Ssh(namespace)) => {
            read_allowed_signers(data, signer, namespace, expected, level)
        }
        _ => read_trusted_keys(data, expected, level),
    }
}

/// Verifies the contents of a signature file for a message. If the verdict is YES, the report lists
/// the keys that have signed. Otherwise, it explains the verdict NO or the error. After some
/// errors, for example a fault, the report is empty.
pub fn verify(
    parts: &PolicyParts<'_>,
    form: SignedForm<'_>,
    message: &[u8],
    signatures: &[u8],
    report: &mut ReportWriter<'_>,
) -> Result<(), CallError> {
    let required_keys = required(parts.required).map_err(|e| report_error(report, CallError::Policy, e))?;
    let expected = expected(parts.expected).map_err(|e| report_error(report, CallError::Policy, e))?;
    let day = day(parts.day).map_err(|e| report_error(report, CallError::Policy, e))?;
    let format = signature_format(parts.signature_format, parts.ssh_namespace);
    let format = format.map_err(|e| report_error(report, CallError::Policy, e))?;
    let signer = signer(parts.signer, &format).map_err(|e| report_error(report, CallError::Policy, e))?;
    let level = Level::detect();
    let keys = keys(parts.trusted_keys, signer.as_ref(), &format, &expected, level);
    let keys = keys.map_err(|defect| report_error(report, CallError::File, defect))?;
    let policy = Policy::new(&keys, &expected, required_keys);
    let digest = form.digest(message)?;
    let message = digest.as_ref().map_or(VerdictInput::Message(message), VerdictInput::Digest);
    let signatures = SignatureFileData::new(&format, signatures);
    match verify_in_memory(&policy, signatures, message, form.options, level, &day) {
        Ok(DecisionOutcome::Accepted { keys: signed, evidence }) if evidence.holds() => {
            for index in signed {
                let _written = writeln!(report, "{}", keys.get(index).map(TrustedKey::description).unwrap_or_default());
            }
            Ok(())
        }
        Ok(DecisionOutcome::Accepted { .. }) => Err(CallError::Fault),
        Ok(DecisionOutcome::Rejected { rejection, keys: signed, .. }) => {
            let text = format!("{}: {}", rejection.reason(), policy.message(&rejection, &signed));
            Err(report_error(report, CallError::NotValid, text))
        }
        Err(e) => {
            let _written = write!(report, "{e}");
            Err(match e {
                VerdictError::TooFewKeys { .. }
                | VerdictError::Format(_)
                | VerdictError::FormatContext(_)
                | VerdictError::FormatPrehash(_)
                | VerdictError::Decision(DecisionError::Clock(_)) => CallError::Policy,
                VerdictError::Signatures(_) => CallError::File,
                VerdictError::Message(e) => e.into(),
                _ => CallError::Internal,
            })
        }
    }
}
