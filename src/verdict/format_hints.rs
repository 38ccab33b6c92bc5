//! Hints for signature files of SSH, JOSE and CMS that cannot be read.

use crate::api::{Algorithm, Scheme};
use crate::files::Defect;
use crate::files::cms::CmsDefect;
use crate::files::jws::JwsDefect;
use crate::files::ssh::SshSignatureDefect;

/// The hint for an e-mail that contains a signature.
const OF_MAILS: &str = "verify the e-mail with `openssl cms -verify -in MAIL -CAfile CERTIFICATE`; or write its CMS file with \
                        `openssl cms -cmsout -in MAIL -outform DER -out NEW.p7m`; if NEW.p7m contains the message, verify it with \
                        --cms and --attached";

/// Returns the hint for a file that should be a CMS signature.
pub fn cms_hint(defect: &CmsDefect) -> &'static str {
    match defect {
        CmsDefect::Empty => {
            "the program that wrote the file may have failed: write the file again, or get the signature again"
        }
        CmsDefect::Mail => OF_MAILS,
        CmsDefect::Encrypted => {
            "decrypt the file with `openssl cms -decrypt -inform DER -in FILE -inkey KEY -out NEW`, without -inform DER and with -inform PEM \
             for PEM; then verify the decrypted file"
        }
        CmsDefect::NotCms => {
            "leave --cms out if the signature was made without --cms | give a CMS file that contains signatures"
        }
        CmsDefect::Pem => "give a file in DER, or a file with exactly one PEM block, with the label CMS or PKCS7",
        CmsDefect::Message => "verify the message in this file: give the file as FILE, and add --attached",
        CmsDefect::NoMessage => "leave --attached out, and give the file that was signed as FILE",
        CmsDefect::NoSignature => {
            "the file contains only certificates: print them with `openssl pkcs7 -inform DER -in FILE -print_certs`, without -inform DER for \
             PEM"
        }
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

/// Returns the reason why CMS does not define signatures with an algorithm, to append to a message.
pub fn no_cms_reason(algorithm: Algorithm) -> &'static str {
    match algorithm.scheme() {
        Scheme::FnDsa => ": FN-DSA has no registered object identifier yet",
        #[cfg(feature = "ed25519")]
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
        JwsDefect::Json => {
            // The command has no blanks around its vertical bars, because ` | ` separates the
            // variants of a hint.
            "write the first signature in the compact form with `jq -r '.signatures[0]//.|.protected+\"..\"+.signature' FILE \
             >NEW.jws`, and verify NEW.jws"
        }
        JwsDefect::Payload => "ask the signer for the compact form with a detached payload",
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
        SshSignatureDefect::OtherText | SshSignatureDefect::Pem(Defect::Blocks(_)) => {
            "give a file with exactly one signature and no other text"
        }
        _ => "the file is damaged: copy or download it again",
    }
}
