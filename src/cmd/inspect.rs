//! `fndsa inspect`: describes files without printing secrets.
//!
//! - `entry`: the members in the JSON result for a key or signature
//! - `markdown`: prints lines for a README that explain how to verify a release (`--markdown`)
//! - `other_format`: describes signatures for other programs
//! - `pairs`: compares private keys and public keys
//! - `x509`: describes certificates and requests for certificates

mod entry;
mod markdown;
mod other_format;
mod pairs;
mod x509;

use crate::tool::context::CommandContext;
use crate::tool::io::{ANY_KIND, InputSource, stdin_once};
use crate::tool::keys::key_note::{KeyNote, note_warning, noted_for};
use crate::tool::keys::loader::{LoadedPrivateKey, ObjectLoader};
use crate::tool::options::algorithm::any_algorithm;
use crate::tool::options::heading;
use crate::tool::options::password::PasswordArgs;
use crate::tool::report::escape::{LineEnds, cleaned};
use crate::tool::report::file_hints::unknown_file_hint;
use crate::tool::report::{Error, Exit, Report, ResultEntry, SmallFile, SuccessToken};
use crate::tool::trust::clock::Clock;
use crate::tool::trust::describe::{checked_public_key, key_terms_value};
use crate::tool::verify::note_cause::note_value;
use entry::{entry_of, entry_of_encrypted, label, signature_encoding};
use fndsa::Algorithm;
use fndsa::files::{
    ContainerStructure, EncryptedPrivateKey, FileContent, FileEncoding, FileObject, KeyLayout, ObjectKind, ReadOptions,
    inline::{self, SignedList},
    manifest, pem,
};
use fndsa::no_alloc::{Level, SignatureRef, VerifyingKeyRef};
use fndsa::verdict::SignatureNote;
use fndsa::verdict::{KeyFileKind, KeyLineDefect, KeyTerms};
use fndsa::verdict::{fingerprint, jwk_thumbprint, tuf_key_id};
use markdown::{MarkdownArgs, MarkdownTemplate};
use other_format::describe_other_format;
use pairs::{EncryptedKey, FilePart, InspectedKey, PartKey, compare_encrypted_key, compare_pairs};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::slice;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Files to describe, `-` for standard input
    ///
    /// fndsa prints one line for each key or signature. If a private key and a public key are among the files, fndsa also checks
    /// whether they are a pair.
    #[arg(value_name = "FILE", default_value = "-")]
    files: Vec<PathBuf>,
    /// Algorithm of files that do not name it (see `fndsa help algorithms`)
    #[arg(short, long, value_name = "NAME", value_parser = any_algorithm(), help_heading = heading::KEYS,
        hide_short_help = true, hide_possible_values = true)]
    algorithm: Option<Algorithm>,
    #[command(flatten)]
    markdown: MarkdownArgs,
    #[command(flatten)]
    password: PasswordArgs,
}

/// Runs `fndsa inspect`. An error in a file does not affect the other files. A given password is
/// used, but there is no password prompt. Without a password, an encrypted key is described but not
/// checked.
///
/// # Errors
/// Fails if an error affects all files.
pub fn run(args: &Args, context: &CommandContext, report: &mut Report) -> Result<SuccessToken, Error> {
    let level = context.level()?;
    let sources: Vec<_> = args.files.iter().map(|file| InputSource::from_arg(file)).collect();
    let password = args.password.source()?;
    stdin_once(sources.iter().chain(&password).chain(&args.markdown.list()))?;
    let loader = ObjectLoader::new(ReadOptions::default().with_algorithm(args.algorithm), context.weak);
    let inspector = FileInspector {
        level,
        markdown: MarkdownTemplate::new(&args.markdown)?,
        loader: match password {
            Some(_) => loader.with(args.password.unlock()?),
            None => loader,
        },
    };
    let mut keys = Vec::new();
    let mut encrypted = Vec::new();
    let mut count = 0;
    for source in &sources {
        count += 1;
        let data = match source.read_several() {
            Ok(data) => data,
            Err(e) => {
                let e = source.explain_missing(e, &ANY_KIND);
                report.file_error(ResultEntry::of(source.path()), &e);
                continue;
            }
        };
        let inline = inspector.inline_signature(&data, source, report)?;
        let parts = pem::parts(inline.as_deref().unwrap_or(&data));
        if parts.len() == 1 {
            // The whole file is passed, so that line numbers are counted from the file's start.
            let whole = inline.as_deref().unwrap_or(&data);
            inspector.describe_part(whole, FilePart { source, block: None }, report)?.add(&mut keys, &mut encrypted);
        } else {
            count += parts.len() - 1;
            for (i, part) in parts.iter().enumerate() {
                inspector
                    .describe_part(part, FilePart { source, block: Some(i + 1) }, report)?
                    .add(&mut keys, &mut encrypted);
            }
        }
    }
    // If all files could be read, a password option that was not needed is an error. A file that
    // could not be read may be the file that needs the password.
    if report.exit() == Exit::Ok {
        inspector.loader.check_password_use(keys.iter().any(|key| key.kind == ObjectKind::SigningKey), report)?;
    }
    // If a key could not be read, no lines for a README are printed, because these lines would
    // require too few signatures.
    if let Some(markdown) = inspector.markdown.as_ref().filter(|_| keys.len() == count) {
        report.line(&markdown.of(&keys))?;
        markdown.to_replace().iter().for_each(|note| report.note(note));
    }
    if let ([encrypted], true) = (&encrypted[..], keys.iter().all(|key| key.kind == ObjectKind::VerifyingKey)) {
        compare_encrypted_key(encrypted, &keys, report)?;
    }
    compare_pairs(&keys, report)
}

/// A describer for files, with the options of `inspect`.
struct FileInspector {
    level: Level,
    /// The template for README lines, if the option `--markdown` is given. With this option, all
    /// files must contain public keys. Without the option, the template is `None`, and the command
    /// describes the files.
    markdown: Option<MarkdownTemplate>,
    loader: ObjectLoader,
}

impl FileInspector {
    /// Describes a list with an inline signature, and returns this signature in the form of a
    /// signature file. Returns `None` if `data` is not such a list, or with `--markdown`.
    ///
    /// # Errors
    /// Fails if standard output cannot be written.
    fn inline_signature(
        &self,
        data: &[u8],
        source: &InputSource,
        report: &mut Report,
    ) -> Result<Option<Vec<u8>>, Error> {
        let split = inline::split(data).ok().flatten().filter(|_| self.markdown.is_none());
        let Some(SignedList { list, signature, .. }) = split else { return Ok(None) };
        if let Ok(list) = manifest::parse(list) {
            let count = list.files.len();
            let files = if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
            report.line(&format!("{source}: list of checksums, {files}, with a signature in the list"))?;
        }
        Ok(Some(signature))
    }

    /// Describes a part of a file (a PEM block, or the whole file), or reports its error. Returns
    /// the key in this part, or [`PartKey::Absent`] if the part contains no key or has an error.
    ///
    /// # Errors
    /// Fails if standard output cannot be written.
    fn describe_part<'a>(&self, data: &[u8], part: FilePart<'a>, report: &mut Report) -> Result<PartKey<'a>, Error> {
        if self.markdown.is_none() && describe_other_format(data, part, report)? {
            return Ok(PartKey::Absent);
        }
        if self.markdown.is_none()
            && let Some(key) = self.describe_request(data, part, report)?
        {
            return Ok(key);
        }
        let looked = match self.open(data, part) {
            Ok(looked) => looked,
            Err(e) => {
                let e = match unknown_file_hint(data) {
                    Some(hint) => e.with_hint(hint),
                    None => e,
                };
                report.file_error(part.entry(), &e);
                return Ok(PartKey::Absent);
            }
        };
        // The lines for a README contain only public keys.
        if self.markdown.is_some() && looked.kind() != ObjectKind::VerifyingKey {
            let (found, wanted) = (looked.kind(), ObjectKind::VerifyingKey);
            report.file_error(part.entry(), &Error::Role { from: part.to_string(), found, wanted });
            return Ok(PartKey::Absent);
        }
        match looked {
            InspectedPart::Checked(content, object) => {
                let key = self.describe_checked_part(data, part, *content, &object, report)?;
                Ok(key.map_or(PartKey::Absent, PartKey::Checked))
            }
            InspectedPart::Encrypted(locked) => describe_encrypted(data, part, &locked, report).map(PartKey::Encrypted),
        }
    }

    /// Describes a part whose contents were checked. Returns the key. Returns `None` for a
    /// signature, and after an error, which is reported.
    fn describe_checked_part<'a>(
        &self,
        data: &[u8],
        part: FilePart<'a>,
        content: CheckedContent,
        object: &FileObject,
        report: &mut Report,
    ) -> Result<Option<InspectedKey<'a>>, Error> {
        let terms = match self.terms(data, object, part) {
            Ok(terms) => terms,
            Err(e) => {
                report.file_error(part.entry(), &e);
                return Ok(None);
            }
        };
        if self.markdown.is_none() {
            report.line(&describe(object, part, content.fingerprint.as_deref()))?;
            describe_terms(data, part, object, &terms, report)?;
        }
        report.detail(&format!("{part}: checked on level {}", self.level));
        let entry = content.entry(part.entry(), object);
        let Some(mut entry) = self.add_certificate_fields(data, object, part, entry, report)? else { return Ok(None) };
        if let Some(tuf_key_id) = &content.tuf_key_id
            && let Some(other) = self.describe_tuf_key_id(data, part, object, tuf_key_id, report)?
        {
            entry = entry.set("other_tuf_key_id", json!(other));
        }
        if let Some(thumbprint) = &content.jwk_thumbprint
            && self.markdown.is_none()
        {
            self.describe_thumbprint(part, object, thumbprint, report)?;
        }
        let fingerprint = content.fingerprint;
        let note = SignatureNote::of(object);
        if let Some(note) = &note {
            report.detail(&format!("{part}: signature note (not proven): {note}"));
        }
        if let Some(text) = warning(object, part.source) {
            report.line(&format!("{part}: warning: {text}"))?;
        }
        warn_of_note(data, part, object, fingerprint.as_deref(), report)?;
        let algorithm = object.algorithm();
        let key = fingerprint.map(|fingerprint| InspectedKey { kind: object.kind, algorithm, part, fingerprint });
        if let (Some(key), Some(markdown)) = (&key, &self.markdown) {
            entry = entry.set("markdown", json!(markdown.of(slice::from_ref(key))));
        }
        if terms != KeyTerms::default() {
            entry = entry.set("terms", key_terms_value(&terms));
        }
        if let Some(note) = note {
            entry = entry.set("claims", note_value(&note));
        }
        report.push(entry);
        Ok(key)
    }

    /// Prints the JWK thumbprint of a key. If the key file is not a JSON Web Key, prints the
    /// thumbprint only with `-v`.
    ///
    /// # Errors
    /// Fails if standard output cannot be written.
    fn describe_thumbprint(
        &self,
        part: FilePart<'_>,
        object: &FileObject,
        thumbprint: &str,
        report: &mut Report,
    ) -> Result<(), Error> {
        let text = format!("{part}: JWK thumbprint: {thumbprint}");
        if object.encoding == FileEncoding::Jwk {
            return report.line(&text);
        }
        report.detail(&text);
        Ok(())
    }

    /// Prints the key identifier for TUF. If the file contains a different identifier, prints a
    /// warning and returns that identifier.
    ///
    /// # Errors
    /// Fails if standard output cannot be written.
    fn describe_tuf_key_id(
        &self,
        data: &[u8],
        part: FilePart<'_>,
        object: &FileObject,
        tuf_key_id: &str,
        report: &mut Report,
    ) -> Result<Option<String>, Error> {
        let text = format!("{part}: key identifier for in-toto and TUF: {tuf_key_id}");
        if self.markdown.is_none() && object.encoding == FileEncoding::TufKey {
            report.line(&text)?;
        } else {
            report.detail(&text);
        }
        let other = other_tuf_key_id(data, object, tuf_key_id);
        if let Some(other) = &other
            && self.markdown.is_none()
        {
            report
                .line(&format!("{part}: warning: the member \"keyid\" of the file is another identifier: {other}"))?;
        }
        Ok(other)
    }

    /// Returns the key lines before a public key, such as `name:` and `revoked:`.
    ///
    /// # Errors
    /// Fails if a key line has a defect. With `--markdown`, also fails if the key is revoked or
    /// expired, or if the current date is needed and unknown.
    fn terms(&self, data: &[u8], object: &FileObject, part: FilePart<'_>) -> Result<KeyTerms, Error> {
        if object.kind != ObjectKind::VerifyingKey {
            return Ok(KeyTerms::default());
        }
        let from = part.to_string();
        let terms = KeyTerms::parse(data, KeyFileKind::SingleKey);
        let terms = terms.map_err(|KeyLineDefect { line, what, hint, .. }| Error::KeyTerm {
            from: from.clone(),
            line,
            what,
            hint,
        })?;
        if self.markdown.is_none() {
            return Ok(terms);
        }
        match (&terms.revoked, terms.not_after) {
            (Some(why), _) => Err(Error::KeyRevoked { from, reason: why.clone() }),
            (None, Some(last)) if Clock::System.today()? > last => Err(Error::KeyExpired { from, last }),
            _ => Ok(terms),
        }
    }

    /// Decodes a part, decrypts it if a password is given, and checks the key or signature in it.
    fn open(&self, data: &[u8], part: FilePart<'_>) -> Result<InspectedPart, Error> {
        if data.len() > SmallFile::Key.limit() {
            return Err(Error::TooLarge { from: part.to_string(), file: SmallFile::Key });
        }
        let object = match self.loader.look(data, &part)? {
            FileContent::Plain(object) => object,
            FileContent::Locked(locked) if !self.loader.opens() => return Ok(InspectedPart::Encrypted(locked)),
            FileContent::Locked(locked) => self.loader.open(&locked, part.source)?,
        };
        Ok(InspectedPart::Checked(Box::new(CheckedContent::check(self.level, &object, part)?), Box::new(object)))
    }
}

/// Returns the key identifier in a TUF key file if it differs from `computed`, the identifier that
/// was computed from the key. The result has at most twice the length of `computed`, before
/// invisible characters are escaped.
fn other_tuf_key_id(data: &[u8], object: &FileObject, computed: &str) -> Option<String> {
    if object.encoding != FileEncoding::TufKey {
        return None;
    }
    let file: Value = serde_json::from_slice(data).ok()?;
    let text = match file.get("keyid")? {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let start: String = text.chars().take(2 * computed.len()).collect();
    (text != computed).then(|| cleaned(&start, LineEnds::Foreign))
}

/// Prints the key lines before a public key, and a warning for every line that is neither a key
/// line nor a comment.
fn describe_terms(
    data: &[u8],
    part: FilePart<'_>,
    object: &FileObject,
    terms: &KeyTerms,
    report: &mut Report,
) -> Result<(), Error> {
    if *terms != KeyTerms::default() {
        report.line(&format!("{part}: as a trusted key: {}", terms.words()))?;
    }
    if object.kind == ObjectKind::VerifyingKey {
        for number in KeyTerms::unknown_lines(data) {
            let text = "is neither a key line nor a comment: `fndsa verify --trusted-keys` rejects the file";
            report.line(&format!("{part}: warning: line {number} {text}"))?;
        }
    }
    Ok(())
}

/// Prints a warning if the note before a key (a line with a fingerprint) names a different key.
fn warn_of_note(
    data: &[u8],
    part: FilePart<'_>,
    object: &FileObject,
    fingerprint: Option<&str>,
    report: &mut Report,
) -> Result<(), Error> {
    let Some(fingerprint) = fingerprint else { return Ok(()) };
    let noted = noted_for(data, object);
    if let Some(text) = note_warning(noted.as_deref(), fingerprint) {
        report.line(&format!("{part}: warning: {text}"))?;
        report.add_warning(&format!("{part}: {text}"));
    }
    Ok(())
}

/// Describes an encrypted private key whose password is not given.
fn describe_encrypted<'a>(
    data: &[u8],
    part: FilePart<'a>,
    locked: &EncryptedPrivateKey,
    report: &mut Report,
) -> Result<EncryptedKey<'a>, Error> {
    let how = locked.describe();
    let form = match locked.encoding() {
        FileEncoding::Ssh => "OpenSSH key".to_owned(),
        FileEncoding::Pkcs8Der => "PKCS#8 in DER".to_owned(),
        _ => format!("PKCS#8 in PEM {:?}", ContainerStructure::Encrypted.label()),
    };
    report
        .line(&format!("{part}: encrypted private key, {form}, {how}, not checked: --password-file FILE opens it"))?;
    let note = match locked.public_key() {
        Some((algorithm, public)) => Some(KeyNote { algorithm, fingerprint: fingerprint(public) }),
        None => KeyNote::of(data),
    };
    if let Some(KeyNote { algorithm, fingerprint }) = &note {
        report
            .line(&format!("{part}: according to the file, not verified: {algorithm}, of public key {fingerprint}"))?;
    }
    report.push(entry_of_encrypted(part.entry(), locked, note.as_ref()));
    if let Some(text) = part.source.open_to_others() {
        report.line(&format!("{part}: warning: {text}"))?;
    }
    Ok(EncryptedKey { part, noted: note.map(|note| note.fingerprint) })
}

/// A part of a file that was read without an error.
enum InspectedPart {
    /// The checked contents, after decryption if the file is encrypted.
    Checked(Box<CheckedContent>, Box<FileObject>),
    /// An encrypted private key whose password is not given.
    Encrypted(EncryptedPrivateKey),
}

impl InspectedPart {
    fn kind(&self) -> ObjectKind {
        match self {
            Self::Checked(_, object) => object.kind,
            Self::Encrypted(_) => ObjectKind::SigningKey,
        }
    }
}

/// The checked contents of a part of a file.
struct CheckedContent {
    /// The public key's fingerprint. `None` for a signature.
    fingerprint: Option<String>,
    /// The name of the JSON member that contains `value`.
    name: &'static str,
    /// The public key or the signature, as serialized by the library.
    value: Value,
    /// The key identifier that in-toto and TUF compute for the public key. `None` for a signature,
    /// and for a key for which they define no identifier.
    tuf_key_id: Option<String>,
    /// The JWK thumbprint of the public key (RFC 7638). `None` for a signature, and for an
    /// algorithm that JOSE does not define.
    jwk_thumbprint: Option<String>,
}

impl CheckedContent {
    fn check(level: Level, object: &FileObject, part: FilePart<'_>) -> Result<Self, Error> {
        let algorithm = object.algorithm();
        match object.kind {
            ObjectKind::SigningKey => {
                let public = LoadedPrivateKey::check(level, object, part)?.public;
                let key =
                    VerifyingKeyRef::of_algorithm(algorithm, &public).map_err(|e| Error::Internal(e.to_string()))?;
                Self::of_key(object, &public, key)
            }
            ObjectKind::VerifyingKey => {
                Self::of_key(object, &object.bytes, checked_public_key(object, part)?.key.to_ref())
            }
            ObjectKind::Signature => {
                let signature = SignatureRef::of_algorithm(algorithm, &object.bytes)
                    .map_err(|e| Error::Signature { from: part.to_string(), source: e })?;
                let value = serde_json::to_value(signature).map_err(|e| Error::Internal(e.to_string()))?;
                Ok(Self { fingerprint: None, name: "signature", value, tuf_key_id: None, jwk_thumbprint: None })
            }
        }
    }

    /// Extends a JSON result by the members that describe an object and its public key.
    fn entry(&self, entry: ResultEntry, object: &FileObject) -> ResultEntry {
        let entry = entry_of(entry, object, self.fingerprint.as_deref());
        let mut entry = entry.set(self.name, self.value.clone());
        if let Some(tuf_key_id) = &self.tuf_key_id {
            entry = entry.set("tuf_key_id", json!(tuf_key_id));
        }
        if let Some(thumbprint) = &self.jwk_thumbprint {
            entry = entry.set("jwk_thumbprint", json!(thumbprint));
        }
        entry
    }

    fn of_key(object: &FileObject, public: &[u8], key: VerifyingKeyRef<'_>) -> Result<Self, Error> {
        let value = serde_json::to_value(key).map_err(|e| Error::Internal(e.to_string()))?;
        // TUF and JOSE use signatures without a pre-hash. A key that is bound to a pre-hash cannot
        // create such signatures, so it has neither an identifier for TUF nor a JWK thumbprint.
        let algorithm = Some(key.algorithm()).filter(|_| object.prehash().is_none());
        Ok(Self {
            fingerprint: Some(fingerprint(public)),
            name: "public_key",
            value,
            tuf_key_id: algorithm.and_then(|algorithm| tuf_key_id(algorithm, public)),
            jwk_thumbprint: algorithm.and_then(|algorithm| jwk_thumbprint(algorithm, public)),
        })
    }
}

/// Returns the line that describes a key or a signature.
fn describe(object: &FileObject, part: FilePart<'_>, fingerprint: Option<&str>) -> String {
    let label = label(object);
    let format = match object.encoding {
        FileEncoding::Raw | FileEncoding::Hex => object.encoding.name().to_owned(),
        FileEncoding::Pem => format!("PEM {label:?}"),
        FileEncoding::Jwk => "JSON Web Key".to_owned(),
        FileEncoding::TufKey => "TUF key in JSON".to_owned(),
        FileEncoding::Ssh => "OpenSSH key".to_owned(),
        encoding => {
            let form =
                if object.is_in(ContainerStructure::Certificate) { "X.509 certificate" } else { encoding.name() };
            if encoding.is_der() { format!("{form} in DER") } else { format!("{form} in PEM {label:?}") }
        }
    };
    let mut format = format;
    if let Some(container) = &object.container {
        format += &format!(", OID {}", container.oid);
        if container.layout != KeyLayout::Raw {
            format += &format!(", layout {}", container.layout.name());
        }
    }
    if let Some(hash) = object.prehash() {
        format += &format!(", only for the pre-hash {}", hash.name());
    }
    if object.attributes().is_some() {
        format += ", with attributes";
    }
    if let Some(how) = object.encryption() {
        format += &format!(", encrypted with {how}");
    }
    if let Some(encoding) = signature_encoding(object)
        && object.algorithm().scheme().encodings().len() > 1
    {
        format += &format!(", {}", encoding.name());
    }
    let of = match (object.kind, fingerprint) {
        (ObjectKind::SigningKey, Some(fingerprint)) => format!(", valid, of public key {fingerprint}"),
        (_, Some(fingerprint)) => format!(", valid, {fingerprint}"),
        // In a scheme without a degree, such as ML-DSA, a raw signature has no header.
        (_, None) if object.encoding == FileEncoding::Raw && object.algorithm().degree().is_none() => {
            ", recognized only by its length, so it may be other data".to_owned()
        }
        (_, None) => String::new(),
    };
    let name = object.names().unwrap_or_else(|| object.algorithm().to_string());
    let kind = object.kind.name();
    let len = object.bytes.len();
    format!("{part}: {name} {kind}, {format}, {len} bytes{of}")
}

/// Returns a warning for the file's owner, for example that other users may read a private
/// key.
fn warning(object: &FileObject, source: &InputSource) -> Option<String> {
    if object.algorithm().is_toy() {
        return Some(format!("{} is a toy without any security", object.algorithm()));
    }
    if object.kind == ObjectKind::SigningKey { source.open_to_others() } else { None }
}
