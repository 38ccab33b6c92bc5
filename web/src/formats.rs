//! Recognises the format of a signature file by its contents, and reads its signatures: files of
//! fndsa, SSH signatures, JSON Web Signatures and CMS files.

use crate::files::{PageError, read_signatures};
use crate::hints;
use fndsa::files::cms::CmsFile;
use fndsa::files::jws::JwsSignature;
use fndsa::files::pem;
use fndsa::files::ssh::SshSignature;
use fndsa::verdict::signature_note::context_text;
use fndsa::verdict::ssh_envelope::SshNamespace;
use fndsa::verdict::text::{InputDefect, SmallFile};
use fndsa::verdict::{SeparateSignatures, SeparateSignaturesError, SignatureFormat, VerdictError};
use serde_json::{Value, json};

/// The format of a signature file, without values that the user must give, such as the SSH
/// namespace.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DetectedFormat {
    Fndsa,
    Ssh,
    Jws,
    Cms,
}

impl DetectedFormat {
    /// Detects the format of a signature file. A file that does not look like a file of SSH, JOSE
    /// or CMS is read as a file of fndsa.
    fn of(data: &[u8]) -> Self {
        if has_only(data, &["SSH SIGNATURE"]) {
            Self::Ssh
        } else if CmsFile::is_signed_data(data) || has_only(data, &["CMS", "PKCS7"]) {
            Self::Cms
        } else if is_compact(data) || (data.is_ascii() && data.starts_with(b"eyJ")) {
            Self::Jws
        } else {
            Self::Fndsa
        }
    }
}

/// Returns whether each part of a file has a BEGIN line with one of these labels. It is not
/// sufficient that a part has such a label, because a signature file of fndsa can also contain
/// blocks from other programs.
fn has_only(data: &[u8], labels: &[&str]) -> bool {
    pem::parts(data).iter().all(|part| part.split(|byte| *byte == b'\n').any(|line| is_begin_line(line, labels)))
}

/// Returns whether a line is the BEGIN line of a PEM block with one of these labels.
fn is_begin_line(line: &[u8], labels: &[&str]) -> bool {
    labels.iter().any(|label| line.trim_ascii_end() == format!("-----BEGIN {label}-----").as_bytes())
}

/// Returns whether a file has the three parts of the compact form of JOSE, and the first part is
/// base64url of a text that begins with `{`.
fn is_compact(data: &[u8]) -> bool {
    let text = data.trim_ascii();
    let begins_with_brace = matches!(text, [b'e', b'w'..=b'z' | b'0'..=b'9' | b'-' | b'_', ..]);
    begins_with_brace
        && text.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
        && text.iter().filter(|byte| **byte == b'.').count() == 2
}

/// Returns the format of a signature file. `namespace` is the namespace for SSH signatures.
pub fn format_of(data: &[u8], namespace: Option<&SshNamespace>) -> Result<SignatureFormat, PageError> {
    match (DetectedFormat::of(data), namespace) {
        (DetectedFormat::Fndsa, _) => Ok(SignatureFormat::Fndsa),
        (DetectedFormat::Jws, _) => Ok(SignatureFormat::Jws),
        (DetectedFormat::Cms, _) => Ok(SignatureFormat::Cms),
        (DetectedFormat::Ssh, Some(namespace)) => Ok(SignatureFormat::Ssh(namespace.clone())),
        (DetectedFormat::Ssh, None) => {
            let hint = "enter the namespace that the signer publishes: the usual namespace for files is file";
            let error = PageError::of_reason("usage", "the signature is an SSH signature, so its namespace is needed");
            Err(error.about(None, Some(hint.to_owned())))
        }
    }
}

/// Checks that a format supports the user's settings. `is_message` is false if the file contains a
/// digest or a mu, or if there is a pre-hash.
pub fn check_settings(format: &SignatureFormat, context: &[u8], is_message: bool) -> Result<(), PageError> {
    if format.envelope().has_options() {
        return Ok(());
    }
    let title = format.title();
    let error: VerdictError<&str> = match (context, is_message) {
        ([], true) => return Ok(()),
        ([], false) => VerdictError::FormatPrehash(title),
        _ => VerdictError::FormatContext(title),
    };
    let hint = "clear the settings under \"Context, pre-hash, algorithm\"".to_owned();
    Err(PageError::of_reason("usage", &error.to_string()).about(None, Some(hint)))
}

/// Reads the signatures in a signature file, and the conditions that the format adds to the
/// verification.
pub fn read_separate(format: &SignatureFormat, data: &[u8]) -> Result<SeparateSignatures, PageError> {
    if *format == SignatureFormat::Fndsa {
        return Ok(SeparateSignatures::without_conditions(read_signatures(data)?));
    }
    if data.len() > SmallFile::Signatures.limit() {
        return Err(of_input(&InputDefect::Large(SmallFile::Signatures)));
    }
    SeparateSignatures::open(format, data).map_err(|e| match e {
        SeparateSignaturesError::Format(e) => match e.defect() {
            Some(defect) => of_input(&defect),
            None => PageError::of_reason("not_recognised", &e.to_string()),
        },
        SeparateSignaturesError::Signature(defect) => PageError::of_reason("not_recognised", &defect.message),
        e => PageError::of_reason("internal", &e.to_string()),
    })
}

/// Returns the error for a file or a key that the format does not allow.
pub fn of_input(defect: &InputDefect<'_>) -> PageError {
    PageError::of(defect, Some(hints::of_format(defect)))
}

/// Returns the description of a format for the answer. Returns `None` for files of fndsa.
pub fn description(format: &SignatureFormat) -> Option<String> {
    match format {
        SignatureFormat::Fndsa => None,
        SignatureFormat::Ssh(namespace) => Some(ssh_description(namespace.to_string().as_bytes())),
        SignatureFormat::Jws => Some("JSON Web Signature".to_owned()),
        SignatureFormat::Cms => Some("CMS signature".to_owned()),
        _ => Some("signature of another format".to_owned()),
    }
}

fn ssh_description(namespace: &[u8]) -> String {
    format!("SSH signature for the namespace {}", context_text(namespace))
}

/// Describes a signature file of SSH, JOSE or CMS in JSON. Returns `None` for all other files. If
/// the file has a defect, the result has no `kind`, and `message` describes the defect.
pub fn describe_signature(data: &[u8]) -> Option<Value> {
    let format = DetectedFormat::of(data);
    let (algorithms, note) = match format {
        DetectedFormat::Fndsa => return None,
        DetectedFormat::Ssh => match SshSignature::read(data) {
            Ok(read) => (vec![read.algorithm], ssh_description(&read.namespace)),
            Err(e) => return Some(defect_value(&InputDefect::SshSignature(&e), "ssh")),
        },
        DetectedFormat::Cms => match CmsFile::read(data) {
            Ok(read) => {
                (read.signatures.iter().map(|signature| signature.algorithm).collect(), "CMS signature".to_owned())
            }
            Err(e) => return Some(defect_value(&InputDefect::Cms(&e), "cms")),
        },
        // A text that begins like a JWS header can also be the file to verify, so a defect is not
        // reported.
        DetectedFormat::Jws => match JwsSignature::read(data) {
            Ok(read) => (vec![read.algorithm], "JSON Web Signature".to_owned()),
            Err(_) => return None,
        },
    };
    let names: Vec<_> = algorithms.iter().map(ToString::to_string).collect();
    let format = if format == DetectedFormat::Ssh { "ssh" } else { "other" };
    Some(json!({ "kind": "signature", "algorithm": names.join(" and "), "note": note, "format": format }))
}

/// Describes, in JSON, a signature file that has a defect.
fn defect_value(defect: &InputDefect<'_>, format: &str) -> Value {
    json!({ "kind": null, "reason": defect.reason(), "message": defect.to_string(), "format": format })
}
