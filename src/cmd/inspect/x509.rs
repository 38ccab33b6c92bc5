//! Describes certificates and certificate requests. Verifies the signature of a request, and of a
//! certificate whose issuer is its subject, with the public key in the file. The names in a file
//! are untrusted text.

use super::pairs::{FilePart, InspectedKey, PartKey};
use super::{CheckedContent, FileInspector};
use crate::tool::report::escape::{LineEnds, cleaned};
use crate::tool::report::{Error, Report, ResultColor, ResultEntry};
use fndsa::files::hex::hex;
use fndsa::files::x509::{DistinguishedName, KeyUsage, X509Defect, X509Document, X509Kind};
use fndsa::files::{ContainerStructure, FileContent, FileObject, ObjectKind};
use fndsa::verdict::SelfSignature;
use serde_json::{Value, json};

/// The note that is printed for each certificate.
const NOTE: &str =
    "note: `fndsa verify` uses only the public key of a certificate; its issuer, chain and dates are not checked";

impl FileInspector {
    /// Describes a certificate request, or reports its error. Returns `None` if the part is not a
    /// certificate request.
    ///
    /// # Errors
    /// Fails if standard output cannot be written.
    pub fn describe_request<'a>(
        &self,
        data: &[u8],
        part: FilePart<'a>,
        report: &mut Report,
    ) -> Result<Option<PartKey<'a>>, Error> {
        let document = match read_document(data, part) {
            Ok(Some(document)) if document.kind == X509Kind::Request => document,
            Err(e) => {
                report.file_error(part.entry(), &e);
                return Ok(Some(PartKey::Absent));
            }
            _ => return Ok(None),
        };
        let (content, key) = match self.key_of_request(&document, part) {
            Ok(checked) => checked,
            Err(e) => {
                report.file_error(part.entry(), &e);
                return Ok(Some(PartKey::Absent));
            }
        };
        let fingerprint = content.fingerprint.clone().unwrap_or_default();
        let form = if document.is_der { "DER".to_owned() } else { format!("PEM {:?}", document.kind.label()) };
        let text = format!(
            "{} public key, {} in {form}, {} bytes, valid, {fingerprint}",
            key.algorithm(),
            document.kind.name(),
            key.bytes.len()
        );
        report.line(&format!("{part}: {text}"))?;
        let entry = request_entry(content.entry(part.entry(), &key), &document);
        let Some(entry) = self.describe_document(&document, &key, part, entry, report)? else {
            return Ok(Some(PartKey::Absent));
        };
        report.push(entry);
        let algorithm = key.algorithm();
        let key = InspectedKey { kind: ObjectKind::VerifyingKey, algorithm, part, fingerprint };
        Ok(Some(PartKey::Checked(key)))
    }

    /// Reads and checks the public key in a certificate request.
    fn key_of_request(
        &self,
        document: &X509Document,
        part: FilePart<'_>,
    ) -> Result<(CheckedContent, FileObject), Error> {
        let of_key = format!("{part}: request for an X.509 certificate");
        match self.loader.look(&document.public_key, &of_key)? {
            FileContent::Plain(key) => Ok((CheckedContent::check(self.level, &key, part)?, key)),
            FileContent::Locked(_) => Err(Error::Internal("an encrypted public key".to_owned())),
        }
    }

    /// Adds the fields of a certificate to `entry`, which describes the certificate's key. If the
    /// file is not a certificate, or with `--markdown`, returns `entry` unchanged. If the
    /// certificate has a defect or a wrong signature, reports the error and returns `None`.
    ///
    /// # Errors
    /// Fails if standard output cannot be written.
    pub fn add_certificate_fields(
        &self,
        data: &[u8],
        key: &FileObject,
        part: FilePart<'_>,
        entry: ResultEntry,
        report: &mut Report,
    ) -> Result<Option<ResultEntry>, Error> {
        if !key.is_in(ContainerStructure::Certificate) || self.markdown.is_some() {
            return Ok(Some(entry));
        }
        let missing = Error::X509 { from: part.to_string(), defect: X509Defect::Fields };
        let e = match read_document(data, part) {
            Ok(Some(document)) => return self.describe_document(&document, key, part, entry, report),
            Ok(None) => missing,
            Err(e) => e,
        };
        report.file_error(part.entry(), &e);
        Ok(None)
    }

    /// Prints the fields of a certificate or request, and the verdict on its signature. Returns the
    /// entry with the fields. If the signature is wrong, reports the error and returns `None`.
    ///
    /// # Errors
    /// Fails if standard output cannot be written.
    fn describe_document(
        &self,
        document: &X509Document,
        key: &FileObject,
        part: FilePart<'_>,
        entry: ResultEntry,
        report: &mut Report,
    ) -> Result<Option<ResultEntry>, Error> {
        for line in lines(document) {
            report.line(&format!("{part}: {line}"))?;
        }
        let names = format!("{part}: signature: ");
        let valid = match SelfSignature::check(document, key, self.level) {
            SelfSignature::Checked(evidence) if evidence.holds() => {
                report.answer(&names, "valid", ResultColor::Good, " for the key in the file")?;
                Some(true)
            }
            SelfSignature::Checked(_) => {
                report.answer(&names, "NOT valid", ResultColor::Bad, " for the key in the file")?;
                let e = Error::SelfSignature { from: part.to_string(), kind: document.kind };
                report.file_error(entry, &e);
                return Ok(None);
            }
            SelfSignature::OtherIssuer => {
                report.line(&format!("{names}not checked, because the issuer is not the subject"))?;
                None
            }
            _ => {
                report.line(&format!("{names}not checked, because the key is bound to a pre-hash"))?;
                None
            }
        };
        if document.kind == X509Kind::Certificate {
            report.line(&format!("{part}: {NOTE}"))?;
        }
        Ok(Some(entry.set("x509", members(document, valid))))
    }
}

/// Reads a certificate or a certificate request. Returns `None` if the part is neither.
///
/// # Errors
/// Fails if the certificate or the request has a defect.
fn read_document(data: &[u8], part: FilePart<'_>) -> Result<Option<X509Document>, Error> {
    X509Document::read(data).map_err(|defect| Error::X509 { from: part.to_string(), defect })
}

/// Changes the members in `entry` that describe the file, because the file is a certificate request
/// and not a key.
fn request_entry(entry: ResultEntry, document: &X509Document) -> ResultEntry {
    let entry = entry.set("encoding", json!("certificate-request")).set("der", json!(document.is_der));
    if document.is_der { entry } else { entry.set("label", json!(document.kind.label())) }
}

/// Returns a subject's or issuer's name as text.
fn name_text(name: &DistinguishedName) -> String {
    if name.is_empty() { "(empty)".to_owned() } else { cleaned(&name.to_string(), LineEnds::Foreign) }
}

/// Describes a certificate or request in lines of text.
fn lines(document: &X509Document) -> Vec<String> {
    let mut lines = vec![format!("subject: {}", name_text(&document.subject))];
    if let Some(issued) = &document.issued {
        lines.push(format!("issuer: {}", name_text(&issued.issuer)));
        lines.push(format!("serial number: {}", hex(&issued.serial)));
        lines.push(format!("valid from {} to {}", issued.not_before, issued.not_after));
    }
    let extensions = &document.extensions;
    let usage = match extensions.key_usage {
        Some(usage) => usage.names().join(", "),
        None => "not restricted".to_owned(),
    };
    let authority = if extensions.is_authority { "; the key may sign certificates (CA)" } else { "" };
    if document.issued.is_some() || extensions.key_usage.is_some() || extensions.is_authority {
        lines.push(format!("key usage: {usage}{authority}"));
    }
    if let Some(purposes) = &extensions.extended_key_usage {
        lines.push(format!("extended key usage: {}", purposes.join(", ")));
    }
    if let Some(id) = &extensions.subject_key_id {
        lines.push(format!("key identifier: {}", hex(id)));
    }
    lines
}

/// Returns the value of the member `x509` in a result. `valid` is the verdict on the signature, or
/// `None` if the signature was not checked.
fn members(document: &X509Document, valid: Option<bool>) -> Value {
    let extensions = &document.extensions;
    let mut members = json!({
        "subject": document.subject.to_string(),
        "issuer": null,
        "serial": null,
        "not_before": null,
        "not_after": null,
        "key_usage": extensions.key_usage.map(KeyUsage::names),
        "extended_key_usage": extensions.extended_key_usage,
        "authority": extensions.is_authority,
        "key_id": extensions.subject_key_id.as_ref().map(|id| hex(id)),
        "self_issued": document.is_self_issued(),
        "signature_valid": valid,
    });
    if let Some(issued) = &document.issued {
        members["issuer"] = json!(issued.issuer.to_string());
        members["serial"] = json!(hex(&issued.serial));
        members["not_before"] = json!(issued.not_before.to_string());
        members["not_after"] = json!(issued.not_after.to_string());
    }
    members
}
