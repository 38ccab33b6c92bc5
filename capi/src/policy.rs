//! Verifies with a policy: trusted keys, the number of keys that must have signed, and a report
//! about the verdict.

use crate::code::CallError;
use crate::prehash::SignedForm;
use crate::report::{ReportWriter, failed};
use core::fmt::Write;
use library::no_alloc::Level;
use library::verdict::{
    DecisionError, DecisionOutcome, Policy, RequiredKeys, TrustedKey, VerdictError, VerdictInput, VerificationDay,
    parse_fingerprint, read_trusted_keys, verify_in_memory,
};

/// The number that requires all keys.
const ALL: usize = usize::MAX;

/// The policy that a C caller passes.
pub struct PolicyParts<'a> {
    /// The contents of a file with trusted keys.
    pub trusted_keys: &'a [u8],
    /// The number of different keys that must have signed, or [`ALL`].
    pub required: usize,
    /// The expected fingerprints, separated by white space. `None` accepts all trusted keys.
    pub expected: Option<&'a [u8]>,
    /// The verification day. `None` means today.
    pub day: Option<&'a [u8]>,
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

/// Parses the day.
fn day(text: Option<&[u8]>) -> Result<VerificationDay, String> {
    let Some(text) = text else { return Ok(VerificationDay(None)) };
    let text = utf8(text)?;
    match text.parse() {
        Ok(date) => Ok(VerificationDay(Some(date))),
        Err(_) => Err(format!("{text:?} is no day: write it as 2026-01-31")),
    }
}

/// Verifies the contents of a signature file for a message. The report lists the keys that have
/// signed, or explains the NO or the error.
pub fn verify(
    parts: &PolicyParts<'_>,
    form: SignedForm<'_>,
    message: &[u8],
    signatures: &[u8],
    report: &mut ReportWriter<'_>,
) -> Result<(), CallError> {
    let rule = required(parts.required).map_err(|e| failed(report, CallError::Policy, e))?;
    let expected = expected(parts.expected).map_err(|e| failed(report, CallError::Policy, e))?;
    let day = day(parts.day).map_err(|e| failed(report, CallError::Policy, e))?;
    let level = Level::detect();
    let keys = read_trusted_keys(parts.trusted_keys, &expected, level);
    let keys = keys.map_err(|defect| failed(report, CallError::File, defect))?;
    let policy = Policy::new(&keys, &expected, rule);
    let digest = form.digest(message)?;
    let message = digest.as_ref().map_or(VerdictInput::Message(message), VerdictInput::Digest);
    match verify_in_memory(&policy, signatures, message, form.options, level, &day) {
        Ok(DecisionOutcome::Accepted { keys: signed, evidence }) if evidence.holds() => {
            for number in signed {
                let _written =
                    writeln!(report, "{}", keys.get(number).map(TrustedKey::description).unwrap_or_default());
            }
            Ok(())
        }
        Ok(DecisionOutcome::Accepted { .. }) => Err(CallError::Fault),
        Ok(DecisionOutcome::Rejected { rejection, keys: signed, .. }) => {
            let text = format!("{}: {}", rejection.reason(), policy.message(&rejection, &signed));
            Err(failed(report, CallError::NotValid, text))
        }
        Err(e) => {
            let _written = write!(report, "{e}");
            Err(match e {
                VerdictError::TooFewKeys { .. } | VerdictError::Decision(DecisionError::Clock(_)) => CallError::Policy,
                VerdictError::Signatures(_) => CallError::File,
                VerdictError::Message(e) => e.into(),
                VerdictError::Decision(DecisionError::Internal(_)) => CallError::Internal,
            })
        }
    }
}
