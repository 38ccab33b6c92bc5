//! Hints about files in an unexpected format, about signers without a key, and about missing
//! signature files.

use super::Hint;
use super::escape::shown;
use super::suffix::{ATTACHED_SUFFIX, CMS_SUFFIX, ENVELOPE_SUFFIX, JWS_SUFFIX, SUFFIX, signed_by_name, with_suffix};
use crate::tool::system;
use fndsa::files::cms::{CmsDefect, CmsFile};
use fndsa::files::kernel_module::SignedModule;
use fndsa::files::ssh::SshSignature;
use fndsa::files::{
    self, Defect, FileContent, FileEncoding, ForeignFormat, ObjectKind, ReadOptions, is_mail, manifest,
};
use fndsa::verdict::allowed_signers::SignerMismatch;
use fndsa::verdict::text::{DOWNLOAD_AGAIN, InputDefect, foreign_hint};
use std::borrow::Cow;
use std::path::Path;

/// The name of a checksum list in messages, with its article.
pub const LIST: &str = "a list";
/// The name of a CMS signature without attributes in messages, with its article.
pub const DIRECT_CMS: &str = "a CMS signature without attributes";
/// The hint if the certificate for a CMS signature is missing.
pub const CERTIFICATE_NEEDED: &str = "name the certificate with --cert FILE; `fndsa request -k KEY --subject CN=NAME \
                                      --self-signed DAYS -o FILE` makes a certificate";

/// Returns the hint for a file that is neither a key nor a signature. Returns `None` if the format
/// of the file is unknown.
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
    if let Err(CmsDefect::Encrypted) = CmsFile::read(data) {
        return Some(InputDefect::Cms(&CmsDefect::Encrypted).hint());
    }
    let module =
        "this file ends like a signed kernel module: verify it with `fndsa verify --kernel-module FILE -p PUBLIC`";
    SignedModule::has_signature(data).then_some(module)
}

/// Returns the hint for a file that does not have the expected format of signatures, but a
/// different known format. The hint names the actual format and the next step. Returns `None` if
/// the actual format is unknown, or if it is the expected format. `expected_option` is the option
/// for the expected format.
pub fn other_format_hint(data: &[u8], expected_option: &str) -> Option<String> {
    if data.trim_ascii().is_empty() {
        return Some(DOWNLOAD_AGAIN.to_owned());
    }
    if let Err(defect @ (CmsDefect::Encrypted | CmsDefect::Mail)) = CmsFile::read(data) {
        return Some(InputDefect::Cms(&defect).hint().to_owned());
    }
    let (what, step) = if SignedModule::has_signature(data) {
        (Cow::Borrowed("a signed kernel module"), "give the module as FILE, and use --kernel-module instead")
    } else if CmsFile::is_signed_data(data) {
        (Cow::Borrowed("a CMS file"), "use --cms instead")
    } else if SshSignature::has_label(data) {
        (Cow::Borrowed("an OpenSSH signature"), "use --ssh NAMESPACE instead")
    } else {
        of_reader(data, expected_option)?
    };
    // The file has the expected format, so its format is not the reason for the error.
    if step.contains(expected_option) {
        return None;
    }
    Some(format!("this file is {what}: {}", step.replace("OPTION", expected_option)))
}

/// Describes a key, a signature, or a file in a known format, and returns the next step. In the
/// next step, the word `OPTION` is a placeholder for `expected_option`.
fn of_reader(data: &[u8], expected_option: &str) -> Option<(Cow<'static, str>, &'static str)> {
    const GIVE_SIGNATURE: &str = "give the file with the signature";
    match files::read(data, &ReadOptions::default().with_allow_toys(true)) {
        // A raw key or signature is detected only by its length and first byte, so this could be
        // any file.
        Ok(FileContent::Plain(object)) if object.encoding == FileEncoding::Raw => None,
        Ok(FileContent::Plain(object)) if object.kind == ObjectKind::Signature => {
            Some((Cow::Borrowed("a signature of fndsa"), "leave OPTION out to verify this signature"))
        }
        Ok(FileContent::Plain(object)) => Some((Cow::Owned(format!("a {}", object.kind.name())), GIVE_SIGNATURE)),
        Ok(FileContent::Locked(_)) => Some((Cow::Borrowed("a private key"), GIVE_SIGNATURE)),
        Err(Defect::Foreign(foreign)) => {
            let step = match foreign.format {
                ForeignFormat::Jws => "use --jws instead",
                ForeignFormat::Envelope => "give the envelope as FILE, and use --dsse TYPE instead",
                ForeignFormat::Jwk => GIVE_SIGNATURE,
                format => foreign_hint(format, Some(ObjectKind::Signature)).split(" | ").next().unwrap_or_default(),
            };
            Some((Cow::Owned(foreign.to_string()), step))
        }
        // For every option except these three, the hint in the error table describes the expected
        // file better.
        Err(Defect::Unknown(what)) if ["--cms", "--jws", "--ssh"].contains(&expected_option) => {
            Some((what, GIVE_SIGNATURE))
        }
        _ => None,
    }
}

/// Returns the hint for a file without the signature of a kernel module.
pub fn no_module_hint(data: &[u8]) -> Option<String> {
    const COMPRESSED: [(&[u8], &str); 3] =
        [(b"\x1f\x8b", "gzip -d FILE"), (b"\xfd7zXZ\0", "xz -d FILE"), (b"(\xb5/\xfd", "zstd -d FILE")];
    for (beginning, command) in COMPRESSED {
        if data.starts_with(beginning) {
            return Some(format!("this file is compressed: decompress the module first, for example with `{command}`"));
        }
    }
    other_format_hint(data, "--kernel-module")
}

/// Adds to a hint the command that decodes a base64 file on this system.
pub fn encoded_hint(hint: &str) -> String {
    format!("{hint}, for example with `{}`", system::SYSTEM_HINTS.decode_base64)
}

/// Returns the hint if a file of allowed signers has no key for the signer and the namespace.
pub fn no_signer_hint(cause: &SignerMismatch) -> String {
    match cause {
        SignerMismatch::Name { nearest: Some(name) } => format!("the most similar name in the file is {}", shown(name)),
        SignerMismatch::Name { nearest: None } => {
            "give the signer's name as it is in the file; a known_hosts file is not a file of allowed signers"
                .to_owned()
        }
        SignerMismatch::Namespace => {
            "give the namespace for which the signature was made, or ask the signer which namespaces the key is for"
                .to_owned()
        }
        // This case includes causes that a later version of the library may add.
        _ => "verify the signature with `ssh-keygen -Y verify`".to_owned(),
    }
}

/// Returns the two variants of the hint for a missing signature file (see [`Hint`]). If there is a
/// signature in a different format, such as `FILE.p7s`, the hint names this file.
pub fn no_signature_hint(path: &Path) -> [String; 2] {
    if let Some(file) = signed_by_name(path) {
        for (suffix, steps) in OTHER_FORMATS {
            let other = with_suffix(&file, suffix);
            if other != path && other.is_file() {
                return steps.map(|step| format!("{} exists: {step}", shown(&other)));
            }
        }
    }
    let steps = match path.file_stem().map(Path::new).and_then(Path::extension) {
        Some(extension) if extension == "p7m" => [
            "a CMS file with its message contains its own signatures: verify the file with --cms and --attached",
            "a CMS file with its message contains its own signatures: verify the file with --attached",
        ],
        Some(extension) if extension == "dsse" => {
            ["a DSSE envelope contains its own signatures: verify the envelope with --dsse TYPE"; 2]
        }
        _ => {
            ["put the signature file next to the signed file, or name it with -s FILE; if a signed list contains the file, verify \
              it with -M LIST"; 2]
        }
    };
    steps.map(str::to_owned)
}

/// The suffixes of files with signatures. Each row contains a suffix and the two variants of the
/// hint.
const OTHER_FORMATS: [(&str, [&str; 2]); 5] = [
    (CMS_SUFFIX, ["verify this CMS signature with --cms"; 2]),
    (JWS_SUFFIX, ["verify this JSON Web Signature with --jws"; 2]),
    (
        ATTACHED_SUFFIX,
        [
            "this CMS file contains its message, so give it as FILE, with --cms and --attached",
            "this CMS file contains its message, so give it as FILE, with --attached",
        ],
    ),
    (ENVELOPE_SUFFIX, ["this DSSE envelope contains its message, so give it as FILE, with --dsse TYPE"; 2]),
    (
        SUFFIX,
        ["verify this signature without an option for a format; if it is an SSH signature, verify it with --ssh NAMESPACE";
            2],
    ),
];

/// Returns the hint for an invalid signature from another program. `format` is the name of the
/// format with its article, or `None` for fndsa's signature files.
pub fn other_signature_hint(format: Option<&str>) -> Hint {
    match format {
        Some(LIST) => Hint::from(
            "give the same files in the same order and the same options of the list as with --print-mu; if a file was changed, \
             sign the list again",
        ),
        Some(DIRECT_CMS) => Hint::from(
            "for a CMS signature without attributes, the other program must sign the file without a context and a pre-hash, or the mu \
             that --print-mu prints with the same options; also check that the public key belongs to the signature",
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
