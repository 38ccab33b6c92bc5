//! Hints for files that are not keys or signatures, for missing signers, and for missing signature
//! files.

use super::Hint;
use super::escape::shown;
use crate::tool::system;
use fndsa::files::cms::CmsDefect;
use fndsa::files::is_mail;
use fndsa::files::kernel_module::SignedModule;
use fndsa::files::manifest;
use fndsa::verdict::allowed_signers::SignerMismatch;
use fndsa::verdict::text::InputDefect;
use std::path::Path;

/// The name of a list of checksums with its article, in messages.
pub const LIST: &str = "a list";
/// The hint if the certificate for a CMS signature is missing.
pub const CERTIFICATE_NEEDED: &str = "name the certificate with --cert FILE; `fndsa request -k KEY --subject CN=NAME \
                                      --self-signed DAYS -o FILE` makes a certificate";

/// Returns the hint for a file that is not a key or a signature; `None` if its format is unknown.
pub fn unknown_file_hint(data: &[u8]) -> Option<&'static str> {
    if manifest::parse(data).is_ok_and(|list| !list.files.is_empty()) {
        return Some(
            "this file is a list of checksums: verify the list with `fndsa verify -M FILE -p PUBLIC`; to describe the signature of \
             the list, inspect the signature file, usually FILE.sig",
        );
    }
    if is_mail(data) {
        return Some(InputDefect::Cms(&CmsDefect::Mail).hint());
    }
    let module =
        "this file ends like a signed kernel module: verify it with `fndsa verify --kernel-module FILE -p PUBLIC`";
    SignedModule::has_signature(data).then_some(module)
}

/// Returns the hint for a file in base64, with the command of this system.
pub fn encoded_hint(hint: &str) -> String {
    format!("{hint}, for example with `{}`", system::WORDS.decode_base64)
}

/// Returns the hint if a file of allowed signers has no key for the signer and the namespace.
pub fn no_signer_hint(cause: &SignerMismatch) -> String {
    match cause {
        SignerMismatch::Name { nearest: Some(name) } => format!("the most similar name in the file is {}", shown(name)),
        SignerMismatch::Name { nearest: None } => "give the signer's name as it is in the file".to_owned(),
        SignerMismatch::Namespace => {
            "give the namespace for which the signature was made, or ask the signer which namespaces the key is for"
                .to_owned()
        }
        SignerMismatch::KeyType(_) => "verify the signature with `ssh-keygen -Y verify`".to_owned(),
    }
}

/// Returns the hint for a signature file that does not exist.
pub fn no_signature_hint(path: &Path) -> &'static str {
    match path.file_stem().map(Path::new).and_then(Path::extension) {
        Some(extension) if extension == "dsse" => {
            "a DSSE envelope contains its own signatures: verify the envelope with --dsse TYPE"
        }
        _ => {
            "put the signature file next to the signed file, or name it with -s FILE; if a signed list contains the file, \
             verify it with -M LIST"
        }
    }
}

/// Returns the hint for a signature of another program that is not valid. `format` is the name of
/// the format with its article, if the signature covers other bytes than the file.
pub fn other_signature_hint(format: Option<&str>) -> Hint {
    match format {
        Some(LIST) => Hint::from(
            "give the same files in the same order and the same options of the list as with --print-mu; if a file was changed, \
             sign the list again",
        ),
        Some(format) => Hint::from(format!(
            "for {format}, the other program must sign the bytes that the format defines, not the file, or the mu that \
             --print-mu prints with the same options (docs/usage.md); also check that the public key belongs to the signature"
        )),
        None => Hint::from(
            "give the file and the public key of the signature, and the same --context and --prehash as the other program | \
             give the file and the public key of the signature, and the same options as the other program",
        ),
    }
}
