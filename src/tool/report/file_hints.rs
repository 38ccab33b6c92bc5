//! Hints for files of other formats that cannot be read, and for missing signature files.

use super::Hint;
use super::escape::shown;
use fndsa::Algorithm;
use fndsa::algorithm::Scheme;
use fndsa::files::cms::CmsDefect;
use fndsa::files::jws::JwsDefect;
use fndsa::files::kernel_module::SignedModule;
use fndsa::files::manifest;
use fndsa::files::ssh::SshSignatureDefect;
use fndsa::verdict::allowed_signers::SignerMismatch;
use std::path::Path;

/// Returns the hint for a file that is not a key or a signature; `None` if its format is unknown.
pub fn unknown_file_hint(data: &[u8]) -> Option<&'static str> {
    if manifest::parse(data).is_ok_and(|list| !list.files.is_empty()) {
        return Some(
            "this file is a list of checksums: verify the list with `fndsa verify -M FILE -p PUBLIC`; to describe the signature of \
             the list, inspect the signature file, usually FILE.sig",
        );
    }
    let module =
        "this file ends like a signed kernel module: verify it with `fndsa verify --kernel-module FILE -p PUBLIC`";
    SignedModule::has_signature(data).then_some(module)
}

/// Returns the hint for a file that should be a CMS signature.
pub fn cms_hint(defect: &CmsDefect) -> &'static str {
    match defect {
        CmsDefect::NotCms | CmsDefect::Pem => {
            "leave --cms out if the signature was made without --cms | give a CMS file that contains signatures"
        }
        CmsDefect::Message => "verify the message in this file: give the file as FILE, and add --attached",
        CmsDefect::NoMessage => "leave --attached out, and give the file that was signed as FILE",
        CmsDefect::NoSignature => "print the certificates in the file with `openssl pkcs7 -in FILE -print_certs`",
        CmsDefect::HashMlDsa
        | CmsDefect::SignatureAlgorithm
        | CmsDefect::MessageType
        | CmsDefect::NotSigned
        | CmsDefect::DifferentAttributes
        | CmsDefect::Certificate
        | CmsDefect::Revocation
        | CmsDefect::UnsignedAttributes => "verify the signature with `openssl cms -verify`",
        CmsDefect::AttributesAsMessage => {
            "do not trust the file: ask the signer for a signature with signed attributes"
        }
        CmsDefect::Cut | CmsDefect::Trailing | CmsDefect::SignatureLength => {
            "the file is damaged: copy or download it again"
        }
        _ => "ask the signer for a correct signature, or verify the signature with `openssl cms -verify`",
    }
}

/// Returns the reason why CMS has no signatures of an algorithm, to append to a message.
pub fn no_cms_reason(algorithm: Algorithm) -> &'static str {
    match algorithm.scheme() {
        Scheme::FnDsa => ": FN-DSA has no registered object identifier yet",
        Scheme::MlDsaEd25519 => ": the rules for composite keys are only a draft",
        _ => "",
    }
}

/// Returns the hint for a file that should be a JSON Web Signature.
pub fn jws_hint(defect: &JwsDefect) -> &'static str {
    match defect {
        JwsDefect::Parts => {
            "leave --jws out if the signature was made without --jws | give a file that `fndsa sign --jws` wrote"
        }
        JwsDefect::Json | JwsDefect::Payload => "ask the signer for the compact form with a detached payload",
        JwsDefect::Algorithm | JwsDefect::Critical => "verify the signature with the program that made it",
        JwsDefect::Unsigned | JwsDefect::Key(_) => {
            "do not trust the file: ask the signer for a signature by the key that you know"
        }
        JwsDefect::Time(_) | JwsDefect::Base64 | JwsDefect::KeyId | JwsDefect::NoAlgorithm => {
            "ask the signer for a signature with a correct header"
        }
        _ => "the file is damaged: copy or download it again",
    }
}

/// Returns the hint for a file that should be an SSH signature.
pub fn ssh_signature_hint(defect: &SshSignatureDefect) -> &'static str {
    match defect {
        SshSignatureDefect::Label => {
            "leave --ssh out if the signature was made without --ssh | give a signature of `ssh-keygen -Y sign` or `fndsa sign --ssh`"
        }
        SshSignatureDefect::KeyType | SshSignatureDefect::Version(_) | SshSignatureDefect::Hash => {
            "verify the signature with `ssh-keygen -Y verify`"
        }
        _ => "the file is damaged: copy or download it again",
    }
}

/// Returns the message if a file of allowed signers has no key for the signer and the namespace.
pub fn no_signer_text(cause: &SignerMismatch, signer: &str, namespace: &str) -> String {
    let signer = shown(signer);
    match cause {
        SignerMismatch::Name { .. } => format!("no line names the signer {signer}"),
        SignerMismatch::Namespace => {
            format!("the lines of the signer {signer} do not allow the namespace {namespace}")
        }
        SignerMismatch::KeyType(name) => format!(
            "the key of the signer {signer} for the namespace {namespace} has the type {}, and fndsa supports only ssh-ed25519 and \
             ssh-mldsa44-ed25519",
            shown(name)
        ),
    }
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
        Some(format) => Hint::from(format!(
            "for {format}, the other program must sign the bytes that the format defines, not the file (docs/usage.md); also \
             check that the public key belongs to the signature"
        )),
        None => Hint::from(
            "give the file and the public key of the signature, and the same --context and --prehash as the other program | \
             give the file and the public key of the signature, and the same options as the other program",
        ),
    }
}
