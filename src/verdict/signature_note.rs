//! Reads and writes the signature note: a line before a signature block that states the signature's
//! key, context and pre-hash.
//!
//! The note is not authenticated, so it does not decide whether a signature is valid. fndsa uses
//! the note to choose the key to try first, and to explain a rejection. Messages quote only the
//! parsed parts of a note, and never the whole line. A line that has none of the forms below is
//! ignored. In two cases, a note does not contain the context and the pre-hash of the signature: an
//! old version of fndsa wrote the note, or the signer got only an external mu (a hash of the key,
//! the context and the message).
//!
//! ```text
//! fndsa signature FN-DSA-512 by sha256:HEX
//! fndsa signature FN-DSA-512 by sha256:HEX context "v1" prehash sha512
//! fndsa signature FN-DSA-512 by sha256:HEX context hex:00ff
//! fndsa signature FN-DSA-512 by sha256:HEX mu external
//! ```

use super::visible::is_visible;
use crate::api::{Algorithm, MAX_CONTEXT_LEN, PreHash};
use crate::files::hex::{from_hex, hex};
use crate::files::{FileObject, ObjectKind};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The prefix of a fingerprint.
pub const FINGERPRINT: &str = "sha256:";
const FINGERPRINT_LEN: usize = FINGERPRINT.len() + 64;

/// The contents of a signature note, which are not authenticated.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SignatureNote {
    /// The fingerprint of the key that the note names.
    pub fingerprint: String,
    /// The context and the pre-hash that the note names.
    pub form: NoteForm,
}

/// The context and the pre-hash in a signature note.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoteForm {
    /// The signer got only an external mu, so the context and the pre-hash are unknown.
    Mu,
    /// The signer got the message or its digest. The `context` is empty if the note does not name a
    /// context.
    Form {
        /// The context.
        context: Vec<u8>,
        /// The pre-hash, if the note names a pre-hash.
        prehash: Option<PreHash>,
    },
}

impl NoteForm {
    fn parse(mut text: &str) -> Option<Self> {
        if text == " mu external" {
            return Some(Self::Mu);
        }
        let mut context = Vec::new();
        let mut prehash = None;
        if let Some(rest) = text.strip_prefix(" context \"") {
            let (quoted, rest) = rest.split_once('"')?;
            context = quoted.as_bytes().to_vec();
            text = rest;
        } else if let Some(rest) = text.strip_prefix(" context hex:") {
            let (digits, _) = rest.split_once(' ').unwrap_or((rest, ""));
            context = from_hex(digits.as_bytes()).ok()?;
            text = &rest[digits.len()..];
        }
        if let Some(name) = text.strip_prefix(" prehash ") {
            prehash = Some(PreHash::all().find(|hash| hash.name() == name)?);
            text = "";
        }
        (text.is_empty() && context.len() <= MAX_CONTEXT_LEN).then_some(Self::Form { context, prehash })
    }
}

/// Writes the part of the note after the fingerprint. This part is empty if there is neither a
/// context nor a pre-hash.
impl fmt::Display for NoteForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mu => f.write_str(" mu external"),
            Self::Form { context, prehash } => {
                if !context.is_empty() {
                    write!(f, " context {}", context_text(context))?;
                }
                if let Some(hash) = prehash {
                    write!(f, " prehash {}", hash.name())?;
                }
                Ok(())
            }
        }
    }
}

/// Returns the note for a new signature block.
pub fn line(algorithm: Algorithm, fingerprint: &str, form: &NoteForm) -> String {
    format!("{}{}", ObjectKind::Signature.note(algorithm, fingerprint), form)
}

impl SignatureNote {
    /// Parses the note of a signature. Returns `None` if there is no line before the block, or if
    /// this line is not a note.
    pub fn of(signature: &FileObject) -> Option<Self> {
        Self::parse(signature.note.as_deref()?)
    }

    /// Parses a note. Returns `None` if the line does not have the form of a note.
    pub fn parse(line: &[u8]) -> Option<Self> {
        let line = core::str::from_utf8(line).ok()?.trim_end();
        let (algorithm, rest) = line.strip_prefix("fndsa signature ")?.split_once(" by ")?;
        if !algorithm.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
            return None;
        }
        let (fingerprint, rest) = rest.split_at_checked(FINGERPRINT_LEN)?;
        let digits = from_hex(fingerprint.strip_prefix(FINGERPRINT)?.as_bytes()).ok()?;
        let form = NoteForm::parse(rest)?;
        // fndsa always prints fingerprints in lower case.
        Some(Self { fingerprint: format!("{FINGERPRINT}{}", hex(&digits)), form })
    }

    /// Returns whether the note names the key with this fingerprint.
    pub fn is_by(&self, fingerprint: &str) -> bool {
        self.fingerprint == fingerprint
    }

    /// Returns the note as `sign` writes it, to copy the signature to a new file.
    pub fn line(&self, algorithm: Algorithm) -> String {
        format!("{}{}", ObjectKind::Signature.note(algorithm, &self.fingerprint), self.form)
    }
}

/// Writes the note for messages, without the algorithm.
impl fmt::Display for SignatureNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "by {}{}", self.fingerprint, self.form)
    }
}

/// Returns whether the notes in a list with inline signatures are allowed. Readers of the list see
/// the notes, and an attacker can change them. Therefore, every note must be byte for byte as
/// `sign` writes it, and a note must not be repeated. The list must contain all `required_notes`:
/// the notes for the keys that have signed.
pub fn are_exact_notes(signatures: &[FileObject], mut required_notes: impl Iterator<Item = String>) -> bool {
    let mut lines = Vec::with_capacity(signatures.len());
    for signature in signatures {
        let Some(line) = signature.note.as_deref() else { return false };
        let Some(note) = SignatureNote::of(signature) else { return false };
        if line != note.line(signature.algorithm()).as_bytes() || lines.contains(&line) {
            return false;
        }
        lines.push(line);
    }
    required_notes.all(|line| lines.contains(&line.as_bytes()))
}

/// Returns a context as a single line of text: in quotes if all characters are visible, otherwise
/// as hexadecimal digits.
pub fn context_text(context: &[u8]) -> String {
    match core::str::from_utf8(context) {
        Ok(text) if is_visible(text) && !text.contains(['"', '\\']) => format!("\"{text}\""),
        _ => format!("hex:{}", hex(context)),
    }
}
