//! Explains a NO for a CMS file that names other certificates than the given certificates. The file
//! is read again after the verdict, which does not change.

use super::verifier::Verdict;
use crate::tool::io::InputSource;
use crate::tool::report::Hint;
use fndsa::files::cms::CmsFile;
use fndsa::files::cms_writer::SignerCertificate;
use fndsa::files::hex::hex;
use fndsa::files::kernel_module::SignedModule;
use fndsa::verdict::Rejection;

/// The maximum number of key files that are compared.
const MAX_COMPARED: usize = 64;

/// Replaces the hint of a NO if the signatures match no key, and the CMS file names none of the
/// given certificates. `data` is the file. If a key is not in a certificate, the hint stays.
pub fn explain_certificates(verdict: &mut Verdict, data: &[u8], keys: &[InputSource]) {
    let Verdict::No(rejection) = verdict else { return };
    if !matches!(rejection.no, Rejection::Mismatch { .. }) {
        return;
    }
    if let Some(hint) = other_certificate(data, keys) {
        rejection.hint = Hint::from(hint);
    }
}

/// Returns the hint for a CMS file, or a kernel module, that names none of the given certificates.
fn other_certificate(data: &[u8], keys: &[InputSource]) -> Option<String> {
    let file = match SignedModule::split(data) {
        Some(SignedModule { signature, .. }) => CmsFile::read_encoding(signature).ok()?,
        None => CmsFile::read(data).ok()?,
    };
    if keys.is_empty() || keys.len() > MAX_COMPARED {
        return None;
    }
    for source in keys {
        // A pipe cannot be read again.
        source.file_len()?;
        let certificate = SignerCertificate::read(&source.read_small().ok()?)?;
        for signature in &file.signatures {
            if certificate.is_named_by(signature)? {
                return None;
            }
        }
    }
    let first = file.signatures.first()?;
    let what = if first.has_serial { "serial number" } else { "key identifier" };
    let given = match keys {
        [one] => format!("{one} is another certificate"),
        _ => "no given certificate is this certificate".to_owned(),
    };
    Some(format!(
        "give the certificate of the signer: the CMS file names the {what} {} (not proven), and {given}",
        hex(&first.identifier)
    ))
}
