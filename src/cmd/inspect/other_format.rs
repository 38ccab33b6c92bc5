//! Describes signatures in the formats of SSH, JOSE, CMS and DSSE, without verifying them.

use super::entry::entry_of;
use super::pairs::FilePart;
use crate::tool::keys::cms_file::{self, CmsFileEntry};
use crate::tool::keys::jws_file::{self, JwsFile};
use crate::tool::keys::ssh_signature::{self, SshSignatureFile};
use crate::tool::message::dsse_file::{DsseFile, is_envelope};
use crate::tool::report::{Error, Report, ResultEntry};

/// The description of a file with signatures.
#[derive(Default)]
struct FileDescription {
    /// For each signature, in file order: its description as text, and its result in JSON.
    signatures: Vec<(String, ResultEntry)>,
    /// Descriptions of the parts that fndsa ignores.
    ignored: Vec<String>,
}

/// Describes the signatures in an SSH, JWS, CMS or DSSE file. Returns false if the file has none of
/// these formats.
///
/// # Errors
/// Fails if standard output cannot be written.
pub fn describe_other_format(data: &[u8], part: FilePart<'_>, report: &mut Report) -> Result<bool, Error> {
    let described = if ssh_signature::has_label(data) {
        describe_ssh(data, part)
    } else if jws_file::is_jws(data) {
        describe_jws(data, part)
    } else if cms_file::is_signed_data(data) {
        describe_cms(data, part)
    } else if is_envelope(data) {
        describe_envelope(data, part)
    } else {
        return Ok(false);
    };
    match described {
        Ok(FileDescription { signatures, ignored }) => {
            for (text, entry) in signatures {
                report.line(&format!("{part}: {text}"))?;
                report.push(entry);
            }
            for text in ignored {
                report.line(&format!("{part}: not described: {text}"))?;
            }
        }
        Err(e) => report.file_error(part.entry(), &e),
    }
    Ok(true)
}

fn describe_ssh(data: &[u8], part: FilePart<'_>) -> Result<FileDescription, Error> {
    let file = SshSignatureFile::read(data, &part)?;
    let entry = file.describe(entry_of(part.entry(), &file.signature, None));
    Ok(FileDescription { signatures: vec![(file.description(), entry)], ..FileDescription::default() })
}

fn describe_jws(data: &[u8], part: FilePart<'_>) -> Result<FileDescription, Error> {
    let file = JwsFile::read(data, &part)?;
    let entry = file.describe(entry_of(part.entry(), &file.signature, None));
    Ok(FileDescription { signatures: vec![(file.description(), entry)], ..FileDescription::default() })
}

fn describe_cms(data: &[u8], part: FilePart<'_>) -> Result<FileDescription, Error> {
    let mut described = FileDescription::default();
    for file in CmsFileEntry::read_all(data, &part)? {
        let entry = file.describe(entry_of(part.entry(), &file.signature, None));
        described.signatures.push((file.description(), entry));
    }
    Ok(described)
}

fn describe_envelope(data: &[u8], part: FilePart<'_>) -> Result<FileDescription, Error> {
    let DsseFile { signatures, ignored } = DsseFile::read(data, &part)?;
    let mut described = FileDescription { ignored, ..FileDescription::default() };
    for signature in signatures {
        let entry = signature.describe(entry_of(part.entry(), &signature.signature, None));
        described.signatures.push((signature.description(), entry));
    }
    Ok(described)
}
