//! Reads keys and signatures from a file's bytes, and describes files and errors in JSON.

use crate::formats;
use crate::hints::{self, MismatchCause};
use fndsa::Algorithm;
use fndsa::algorithm::PreHash;
use fndsa::files::manifest::{ListDefect, parse};
use fndsa::files::{
    self, ContainerStructure, Defect, FileContent, FileEncoding, FileObject, ObjectKind, ReadOptions, inline, is_utf16,
    pem,
};
use fndsa::no_alloc::Level;
use fndsa::verdict::signature_file::{self, BlockReader, SignatureFileError};
use fndsa::verdict::text::{CERTIFICATE_NOTE, InputDefect, MAX_SIGNATURES, SmallFile, defect_reason, key_lines};
use fndsa::verdict::{
    KeyLine, KeyTerms, LineRole, ListContentDefect, PublicKey, PublicKeyError, Rejection, TrustedKey,
};
use serde_json::{Value, json};

/// A verdict's number and its JSON object. Only the number `Verified::YES` is a YES.
pub type Verdict = (u32, Value);

/// A rejection, or an error without a verdict.
pub struct PageError {
    /// Whether this is a rejection (the verdict NO). If not, it is an error.
    is_no: bool,
    reason: &'static str,
    message: String,
    hint: Option<String>,
    /// The verdict in a sentence, if more information than the message is available.
    summary: Option<String>,
    /// For each accepted key, whether it signed. `None` if there is only one key, or if no decision
    /// was made.
    keys: Option<Value>,
}

impl PageError {
    /// Creates an error for an input that cannot be used.
    pub fn of(defect: &InputDefect<'_>, hint: Option<&str>) -> Self {
        let hint = hint.map(str::to_owned);
        Self { hint, ..Self::of_reason(defect.reason(), &defect.to_string()) }
    }

    /// Creates an error for a file with a defect.
    pub fn of_defect(defect: &Defect) -> Self {
        let hint = Some(hints::of_defect(defect).to_owned());
        Self { hint, ..Self::of_reason(defect_reason(defect), &defect.to_string()) }
    }

    /// Creates an error for a list with a defect in its contents.
    pub fn of_list(defect: ListContentDefect) -> Self {
        match defect {
            ListContentDefect::Utf16 => Self::of_defect(&Defect::Utf16),
            ListContentDefect::Line { number, defect } => {
                Self::of(&InputDefect::Line { number, flaw: defect }, Some(hints::of_list_defect(defect)))
            }
            ListContentDefect::Empty => Self::of(&InputDefect::NoLine, None),
            defect => Self::of_reason("internal", &defect.to_string()),
        }
    }

    /// Creates an error without a hint from a reason code and a message.
    pub fn of_reason(reason: &'static str, message: &str) -> Self {
        Self { is_no: false, reason, message: message.to_owned(), hint: None, summary: None, keys: None }
    }

    /// Creates an error for a list without a signature.
    pub fn unsigned_list() -> Self {
        let hint = "choose the signature file, which usually has the name of the list and .sig";
        let message =
            "there is no signature for this list: it has no inline signature, and you chose no signature file";
        Self { hint: Some(hint.to_owned()), ..Self::of_reason("not_found", message) }
    }

    /// Creates an error for a list that has both an inline signature and a signature file.
    pub fn two_signatures() -> Self {
        let hint = "remove the signature file: the inline signature decides";
        let message = "this list has two signatures: an inline signature, and the signature file that you chose";
        Self { hint: Some(hint.to_owned()), ..Self::of_reason("usage", message) }
    }

    /// Creates an error for a list with a signature file of SSH, JOSE or CMS. Only signature files
    /// of fndsa can be for a list.
    pub fn list_format(title: &str) -> Self {
        let hint = "to verify only the list, and not its files, choose the role \"file to verify\" for the list";
        let message = format!("{title} are not signatures of lists: a list needs a signature of fndsa");
        Self { hint: Some(hint.to_owned()), ..Self::of_reason("usage", &message) }
    }

    /// Adds a part's number to the message, if the file has several parts.
    fn of_part(self, what: &str, number: usize, parts: usize) -> Self {
        match parts {
            1 => self,
            _ => Self { message: format!("{what} {number}: {}", self.message), ..self },
        }
    }

    /// Sets `keys`, which states whether each key has signed, and replaces the hint if `hint` is
    /// given.
    pub fn about(self, keys: Option<Value>, hint: Option<String>) -> Self {
        Self { keys, hint: hint.or(self.hint), ..self }
    }

    /// Replaces the hint if `hint` is given.
    pub fn about_format(self, hint: Option<&str>) -> Self {
        Self { hint: hint.map(str::to_owned).or(self.hint), ..self }
    }

    /// Adds a summary, and replaces the hint, if the cause is known.
    pub fn because(self, cause: Option<MismatchCause>) -> Self {
        match cause {
            Some(MismatchCause { summary, hint }) => Self { summary: Some(summary), hint: Some(hint), ..self },
            None => self,
        }
    }

    /// Returns the error as JSON, like an entry in the command line's `results`.
    pub fn value(&self) -> Value {
        let status = if self.is_no { "failed" } else { "error" };
        json!({
            "status": status,
            "reason": self.reason,
            "message": self.message,
            "summary": self.summary,
            "hint": self.hint,
            "keys": self.keys,
        })
    }
}

impl From<Rejection> for PageError {
    fn from(rejection: Rejection) -> Self {
        let hint = hints::of_rejection(&rejection).map(str::to_owned);
        Self { is_no: true, hint, ..Self::of_reason(rejection.reason(), &rejection.words()) }
    }
}

/// Parses a file with a key or a signature, and checks that its kind is `wanted`. An encrypted
/// private key is always an error.
pub fn read(data: &[u8], accept: &ReadOptions, wanted: ObjectKind) -> Result<FileObject, PageError> {
    let wrong_kind = |found| PageError::of(&InputDefect::Role { found, wanted }, hints::of_role(found, wanted));
    if data.len() > SmallFile::Key.limit() {
        return Err(PageError::of(
            &InputDefect::Large(SmallFile::Key),
            Some("is this the file to verify, instead of a key or signature?"),
        ));
    }
    let accept = &accept.clone().with_expected_kind(Some(wanted));
    let object = match files::read(data, accept) {
        Ok(FileContent::Plain(object)) => object,
        Ok(FileContent::Locked(_)) => return Err(wrong_kind(ObjectKind::SigningKey)),
        Err(Defect::Unknown(what)) => {
            return Err(PageError::of(&InputDefect::Unrecognised(wanted, &what), Some(hints::of_place(wanted))));
        }
        Err(Defect::OtherAlgorithm { found, wanted }) => {
            return Err(PageError::of(&InputDefect::Algorithm(&found, wanted), None));
        }
        Err(Defect::Toy(algorithm)) => return Err(PageError::of(&InputDefect::Toy(algorithm), None)),
        Err(defect) => return Err(PageError::of_defect(&defect)),
    };
    if object.kind == wanted { Ok(object) } else { Err(wrong_kind(object.kind)) }
}

/// Parses the public keys in a file: a single key, or several PEM blocks. Each block must be a
/// public key.
pub fn read_keys(data: &[u8], accept: &ReadOptions) -> Result<Vec<ChosenKey>, PageError> {
    let parts = if data.len() > SmallFile::Key.limit() { vec![data] } else { pem::parts(data) };
    if parts.len() > MAX_SIGNATURES {
        let message =
            format!("the file has {} public keys, but this page accepts at most {MAX_SIGNATURES}", parts.len());
        let hint = Some("save the keys that you need to a separate file, and choose that file".to_owned());
        return Err(PageError { hint, ..PageError::of_reason("too_many_keys", &message) });
    }
    let key = |part: &[u8]| {
        let key = ChosenKey::of(&read(part, accept, ObjectKind::VerifyingKey)?)?;
        refuse_key_lines(part)?;
        Ok(key)
    };
    (1..)
        .zip(&parts)
        .map(|(number, part)| key(part).map_err(|e: PageError| e.of_part("key", number, parts.len())))
        .collect()
}

/// Parses the signatures in a file: a single signature, or several PEM blocks. Blocks of other
/// programs are ignored if at least one block is a signature.
pub fn read_signatures(data: &[u8]) -> Result<Vec<FileObject>, PageError> {
    if data.len() > SmallFile::Signatures.limit() {
        return PageBlockReader.read(data, 1, 1).map(|object| vec![object]);
    }
    let blocks = signature_file::blocks(data, &PageBlockReader).map_err(|e| match e {
        SignatureFileError::TooMany(count) => PageError::of(
            &InputDefect::ManySignatures(count),
            Some("a signature file does not have so many signatures: download it again"),
        ),
        SignatureFileError::Block(error) => error,
        _ => PageError::of_reason("internal", "the signature file has an unknown defect"),
    })?;
    Ok(signature_file::known_signatures(blocks))
}

/// A reader for signature blocks, with the page's messages.
struct PageBlockReader;

impl BlockReader for PageBlockReader {
    type Error = PageError;

    fn read(&self, part: &[u8], number: usize, count: usize) -> Result<FileObject, PageError> {
        read(part, &accept_any(), ObjectKind::Signature).map_err(|error| error.of_part("signature", number, count))
    }

    fn unknown(&self, error: &PageError) -> Option<String> {
        ["foreign_file", "unknown_label"].contains(&error.reason).then(|| error.message.clone())
    }
}

/// Rejects a public key with key lines that restrict the key, because the page does not apply these
/// lines. The key line `name:` is accepted, because a name is not a restriction.
fn refuse_key_lines(data: &[u8]) -> Result<(), PageError> {
    let restricts =
        |line: &&KeyLine| line.role != LineRole::Unknown && line.split().is_none_or(|(word, _)| word != "name");
    match key_lines(data).iter().find(restricts) {
        Some(KeyLine { number, .. }) => Err(PageError {
            hint: Some("verify with the program fndsa, which reads the line".to_owned()),
            ..PageError::of_reason(
                "key_terms",
                &format!("line {number} restricts the key, and this page does not read such lines"),
            )
        }),
        None => Ok(()),
    }
}

/// A public key from a file that the user chose, prepared for verification.
pub struct ChosenKey {
    /// The key.
    pub key: TrustedKey,
    /// Whether the key is from a certificate.
    pub is_certificate: bool,
}

impl ChosenKey {
    /// Checks a public key and prepares it for verification.
    pub fn of(object: &FileObject) -> Result<Self, PageError> {
        let stated = object.algorithm();
        if stated.is_toy() {
            return Err(PageError::of(&InputDefect::Toy(stated), None));
        }
        let kind = ObjectKind::VerifyingKey;
        let public = PublicKey::check(object).map_err(|e| match e {
            PublicKeyError::OtherContent { stated, found } => {
                PageError::of(&InputDefect::Content(kind, stated, &found), None)
            }
            PublicKeyError::Key(source) => PageError::of(&InputDefect::Key(kind, &source), hints::of_key(&source)),
            _ => PageError::of_reason("internal", "the public key has an unknown defect"),
        })?;
        let key = TrustedKey::new(public, Level::detect(), String::new(), KeyTerms::default(), true)
            .map_err(|e| PageError::of_reason("internal", &e.to_string()))?;
        Ok(Self { key, is_certificate: object.is_in(ContainerStructure::Certificate) })
    }

    /// Returns the key in JSON.
    pub fn value(&self) -> Value {
        key_value(&self.key, self.is_certificate)
    }
}

/// Returns a key in JSON, including whether it signed.
pub fn signed_value(key: &TrustedKey, has_signed: bool) -> Value {
    let (algorithm, fingerprint) = (key.algorithm().to_string(), &key.public.fingerprint);
    json!({ "algorithm": algorithm, "fingerprint": fingerprint, "signed": has_signed })
}

/// Returns a key in JSON, with a note if it is from a certificate.
pub fn key_value(key: &TrustedKey, is_certificate: bool) -> Value {
    let note = is_certificate.then_some(CERTIFICATE_NOTE);
    json!({ "algorithm": key.algorithm().to_string(), "key": { "fingerprint": key.public.fingerprint }, "note": note })
}

/// Returns options that accept files for all algorithms. This includes toys, because the page has
/// separate messages for toys.
fn accept_any() -> ReadOptions {
    ReadOptions::default().with_allow_toys(true)
}

/// Returns all algorithm and pre-hash names in JSON.
pub fn names() -> Value {
    let algorithms: Vec<_> = Algorithm::all().map(|algorithm| algorithm.to_string()).collect();
    let prehashes: Vec<_> = PreHash::all().map(PreHash::name).collect();
    json!({ "algorithms": algorithms, "prehashes": prehashes, "small": SmallFile::Signatures.limit() })
}

/// Returns whether a file is a list of checksums. If `whole` is false, `data` is only the start of
/// the file, and only its complete lines are checked.
fn is_list(data: &[u8], whole: bool) -> bool {
    let end = if whole { data.len() } else { data.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1) };
    match parse(&data[..end]) {
        Ok(listed) => !listed.files.is_empty(),
        // With any defect except these three, the line looks like an entry with a checksum, or like
        // the first line of an OpenPGP message, so the file is probably a list.
        Err((_, flaw)) => !matches!(flaw, ListDefect::Line | ListDefect::Escape | ListDefect::ByteOrderMark),
    }
}

/// Returns whether a file has a block of this kind.
fn has_block(data: &[u8], kind: ObjectKind) -> bool {
    pem::parts(data).into_iter().any(|part| match files::read(part, &accept_any()) {
        Ok(FileContent::Plain(object)) => object.kind == kind,
        Ok(FileContent::Locked(_)) => kind == ObjectKind::SigningKey,
        Err(_) => false,
    })
}

/// Identifies a file by its content. The result has no `kind` if the file is not a key, a signature
/// or a list. If the file is similar to a key, signature or list, `message` describes the defect.
pub fn describe_file(data: &[u8], whole: bool) -> Value {
    if !is_utf16(data) && is_list(data, whole) {
        let is_inline = whole && matches!(inline::split(data), Ok(Some(_)));
        return json!({ "kind": "list", "note": is_inline.then_some("with an inline signature") });
    }
    if !whole || data.len() > SmallFile::Signatures.limit() {
        return json!({ "kind": null });
    }
    if let Some(answer) = formats::describe_signature(data) {
        return answer;
    }
    let object = match files::read(data, &accept_any()) {
        Ok(FileContent::Plain(object)) => object,
        Ok(FileContent::Locked(_)) => return json!({ "kind": "private_key" }),
        Err(Defect::Blocks(_)) if read_signatures(data).is_ok() => {
            let names: Vec<_> = read_signatures(data).iter().flatten().filter_map(FileObject::names).collect();
            return json!({ "kind": "signature", "algorithm": names.join(" and ") });
        }
        Err(Defect::Blocks(_)) if has_block(data, ObjectKind::SigningKey) => return json!({ "kind": "private_key" }),
        Err(Defect::Blocks(_)) if has_block(data, ObjectKind::VerifyingKey) => {
            let mut answer = match read_keys(data, &accept_any()) {
                Ok(keys) => json!({ "keys": keys.iter().map(ChosenKey::value).collect::<Vec<_>>() }),
                Err(error) => error.value(),
            };
            answer["kind"] = json!("public_key");
            return answer;
        }
        Err(Defect::Unknown(_) | Defect::Empty | Defect::Seed | Defect::Foreign(_) | Defect::Utf16) => {
            return json!({ "kind": null });
        }
        Err(defect) => return json!({ "kind": null, "reason": defect_reason(&defect), "message": defect.to_string() }),
    };
    let names = object.names().unwrap_or_else(|| object.algorithm().to_string());
    match object.kind {
        ObjectKind::SigningKey => json!({ "kind": "private_key", "algorithm": names }),
        // A raw Ed25519 signature has 64 bytes. Such a file can also be a digest, a mu or a text,
        // so the file name decides.
        ObjectKind::Signature if object.encoding == FileEncoding::Raw && object.fits(Algorithm::ED25519) => {
            json!({ "kind": null })
        }
        ObjectKind::Signature => json!({ "kind": "signature", "algorithm": names }),
        ObjectKind::VerifyingKey => {
            let mut answer = match ChosenKey::of(&object) {
                Ok(key) => key.value(),
                Err(error) => error.value(),
            };
            answer["kind"] = json!("public_key");
            answer
        }
    }
}
