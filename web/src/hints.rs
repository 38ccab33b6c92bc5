//! Hints for the page's users. A user has a browser and some downloaded files, but no command line,
//! no current directory and no private key. The messages and reason codes for files and signatures
//! come from `fndsa::verdict`, as on the command line. Only the hints differ from the command line.

use fndsa::algorithm::PreHash;
use fndsa::error::KeyError;
use fndsa::files::cms::CmsDefect;
use fndsa::files::jws::JwsDefect;
use fndsa::files::manifest::ListDefect;
use fndsa::files::ssh::SshSignatureDefect;
use fndsa::files::{Defect, ObjectKind};
use fndsa::verdict::signature_note::context_text;
use fndsa::verdict::text::InputDefect;
use fndsa::verdict::{NoteForm, Rejection, SignatureNote};

/// The hint for a file that was damaged during a download.
const DOWNLOAD_AGAIN: &str = "the file is damaged or incomplete: download it again";
/// The hint for a list with a line that the user cannot repair.
const ASK_FOR_LIST: &str =
    "the list is not valid: report this to its signer, and do not use its files until there is a new list";
/// The hint that explains where to set a context and a pre-hash.
const SET_FORM: &str = "set both under \"Context, pre-hash, algorithm\", if the signer confirms them";

/// Returns the hint for a rejection.
pub fn of_rejection(rejection: &Rejection) -> Option<&'static str> {
    match rejection {
        Rejection::Unexpected { .. } => {
            Some("compare the expected fingerprint with the fingerprint of the public key in the list of files")
        }
        Rejection::Algorithm { .. } => Some("choose the public key of the signer, from a place that you trust"),
        Rejection::Mismatch { plain: true, .. } => Some(
            "the file was changed or cut off, another key made the signature, or the signature has a context or a pre-hash",
        ),
        Rejection::Mismatch { plain: false, .. } => Some(
            "the file was changed or cut off, another key made the signature, or the settings under \"Context, pre-hash, algorithm\" are wrong",
        ),
        Rejection::Encoding | Rejection::OtherEncoding { .. } => Some("download the signature again"),
        Rejection::NotListed { .. } => Some("the signer of the list did not sign a file with this name and content"),
        Rejection::Checksum { .. } => {
            Some("the file was changed or cut off, or belongs to another release: download it again")
        }
        Rejection::NothingVerified => Some("choose files from the list, with the names that they have in the list"),
        Rejection::Unlisted { .. } => Some("the signer of the list did not sign this file"),
        Rejection::Expired { .. } => Some("get a newer list from the signer"),
        Rejection::InlineForm => Some("text in the list was added, removed or changed: download the list again"),
        Rejection::PayloadType { .. } => Some("the signer signed the file as another type"),
        Rejection::Namespace { .. } => Some(
            "the signer made the signature for another purpose: change the namespace only if you trust the key for that purpose",
        ),
        Rejection::OtherSigner { .. } => Some("ask the signer which public key is right"),
        Rejection::Restricted { .. } => Some("ask the signer for a signature by another key"),
        // The message of `TooFew` already states what is missing.
        _ => None,
    }
}

/// Returns the hint for a file that has the kind `found` instead of `wanted`.
pub fn of_role(found: ObjectKind, wanted: ObjectKind) -> Option<&'static str> {
    match (found, wanted) {
        (ObjectKind::SigningKey, _) => Some(
            "keep it secret, remove it from this page, and choose the public key of the key pair, usually NAME.pub",
        ),
        (_, ObjectKind::SigningKey) => None,
        (_, wanted) => Some(of_place(wanted)),
    }
}

/// Returns the hint for a file that is not a key or a signature.
pub fn of_place(wanted: ObjectKind) -> &'static str {
    match wanted {
        ObjectKind::VerifyingKey => "choose the public key, usually NAME.pub",
        ObjectKind::Signature => "choose the signature, which usually has the name of the file and .sig",
        ObjectKind::SigningKey => "this page needs no private key",
    }
}

/// Returns the hint for a rejected public key. Returns `None` if the message is enough.
pub fn of_key(e: &KeyError) -> Option<&'static str> {
    match e {
        KeyError::Header { .. } | KeyError::Length { .. } => None,
        _ => Some(DOWNLOAD_AGAIN),
    }
}

/// Returns the hint for a file with a defect.
pub fn of_defect(defect: &Defect) -> &'static str {
    match defect {
        Defect::Foreign(_) | Defect::Label(_) | Defect::UnknownOid { .. } => {
            "this file belongs to another program: verify it with that program, or ask the signer for a file of fndsa"
        }
        Defect::SignedMessage(_) => {
            "the signature and its message are in one file, which this page does not read: ask the signer for a separate signature file"
        }
        Defect::Unknown(_) | Defect::Seed => "this file is not a key and not a signature",
        Defect::Utf16 => "a program converted the file to another encoding (UTF-16): download it again",
        Defect::Blocks(_) | Defect::SshLines => "choose a file with a single key",
        Defect::Encryption(_) | Defect::SshEncryption(_) | Defect::Cost(_) => "this page needs no private key",
        _ => DOWNLOAD_AGAIN,
    }
}

/// Returns the hint for a signature file of SSH, JOSE or CMS that cannot be read, and for a key
/// whose algorithm has no signatures in this format.
pub fn of_format(defect: &InputDefect<'_>) -> &'static str {
    match defect {
        InputDefect::NoSshSignature(_) | InputDefect::NoJws(_) | InputDefect::NoCms(_) => {
            "choose the public key of the signer, from a place that you trust"
        }
        InputDefect::Cms(CmsDefect::Message) | InputDefect::Jws(JwsDefect::Payload) => {
            "the signature and its message are in one file, which this page does not read: ask the signer for a separate signature file"
        }
        InputDefect::Jws(JwsDefect::Unsigned | JwsDefect::Key(_)) => {
            "do not trust the file: ask the signer for a signature by the key that you know"
        }
        InputDefect::Jws(JwsDefect::Algorithm | JwsDefect::Critical | JwsDefect::Time(_))
        | InputDefect::SshSignature(
            SshSignatureDefect::KeyType | SshSignatureDefect::Version(_) | SshSignatureDefect::Hash,
        )
        | InputDefect::Cms(
            CmsDefect::SignatureAlgorithm
            | CmsDefect::HashMlDsa
            | CmsDefect::MessageType
            | CmsDefect::NotSigned
            | CmsDefect::Encrypted
            | CmsDefect::NoSignature
            | CmsDefect::Certificate
            | CmsDefect::Revocation
            | CmsDefect::UnsignedAttributes
            | CmsDefect::DifferentAttributes,
        ) => "verify the signature with the program that made it, or ask the signer for a signature of fndsa",
        InputDefect::Large(_) => "is this the file to verify, instead of a signature?",
        _ => DOWNLOAD_AGAIN,
    }
}

/// Returns the hint for a signature that is not valid for the file, in a format that does not
/// support a context or a pre-hash. `has_signer` is true if the signature file contains the public
/// key.
pub fn of_format_mismatch(has_signer: bool) -> &'static str {
    if has_signer {
        "the file or its signature was changed or cut off, or the signature belongs to another file: download both again"
    } else {
        "the file was changed or cut off, or another key made the signature"
    }
}

/// Returns the hint for a defect in a line of a list.
pub fn of_list_defect(flaw: ListDefect) -> &'static str {
    match flaw {
        ListDefect::Line | ListDefect::Escape | ListDefect::NoName | ListDefect::Nul => {
            "the list is damaged or incomplete: download it again"
        }
        _ => ASK_FOR_LIST,
    }
}

/// The likely cause of a signature mismatch, from the signature notes (the lines before the
/// signature blocks) in the file. These notes are not authenticated.
pub struct MismatchCause {
    /// The verdict in a sentence.
    pub summary: String,
    /// The next step for the user.
    pub hint: String,
}

impl MismatchCause {
    /// Compares the signature notes with the fingerprints of the given keys and with the given form
    /// (context and pre-hash). Returns `None` if there is no note.
    pub fn of(notes: &[SignatureNote], keys: &[&str], given: &NoteForm) -> Option<Self> {
        let Some(note) = notes.iter().find(|note| keys.iter().any(|key| note.is_by(key))) else {
            let named: Vec<_> = notes.iter().map(|note| note.fingerprint.as_str()).collect();
            let (other, named) = (if named.len() == 1 { "another key" } else { "other keys" }, named.join(" and "));
            return (!notes.is_empty()).then(|| Self {
                summary: format!(
                    "wrong key: the signature does not match the given key. The signature file names {other}, without proof"
                ),
                hint: format!(
                    "the signature file names {named}, and you chose {}: get the signer's public key from a place that you trust, \
                     and not from the place of the files",
                    keys.join(" and ")
                ),
            });
        };
        match (&note.form, given) {
            (form, given) if form == given => {}
            (NoteForm::Form { context, prehash }, NoteForm::Form { .. }) => {
                let context = if context.is_empty() {
                    "no context".to_owned()
                } else {
                    format!("the context {}", context_text(context))
                };
                let prehash = prehash
                    .map_or_else(|| "no pre-hash".to_owned(), |hash: PreHash| format!("the pre-hash {}", hash.name()));
                return Some(Self {
                    summary: "the signature does not match. The signature file names another context or pre-hash, without proof"
                        .to_owned(),
                    hint: format!("the signature file names {context} and {prehash}: {SET_FORM}"),
                });
            }
            _ => {}
        }
        Some(Self {
            summary:
                "changed file: the signature does not match. The signature file names the given key, without proof"
                    .to_owned(),
            hint: "the file was changed or cut off, or the signature belongs to another file: download both again"
                .to_owned(),
        })
    }
}
