//! Reads the note in a key file: the line before the PEM block, with the algorithm and the
//! fingerprint of the public key. The note is not authenticated: anybody can change it, even in the
//! file of an encrypted key.

use fndsa::Algorithm;
use fndsa::files::pem;
use fndsa::files::{FileEncoding, FileObject, ObjectKind};

/// The contents of the note in a private key file.
#[derive(Debug, PartialEq, Eq)]
pub struct KeyNote {
    /// The algorithm of the key.
    pub algorithm: Algorithm,
    /// The fingerprint of the public key.
    pub fingerprint: String,
}

/// The length of a fingerprint, which consists of `sha256:` and 64 digits.
const FINGERPRINT_LEN: usize = 7 + 64;

impl KeyNote {
    /// Parses the last note before a file's first PEM block. Returns `None` if there is no note.
    pub fn of(data: &[u8]) -> Option<Self> {
        let mut last = None;
        for line in lines_before_block(data) {
            if let Some(note) = Self::parse(line) {
                last = Some(note);
            }
        }
        last
    }

    fn parse(line: &str) -> Option<Self> {
        let fingerprint = line.rsplit(' ').next()?;
        if !is_fingerprint(fingerprint) {
            return None;
        }
        for algorithm in Algorithm::all_with_toys() {
            if ObjectKind::SigningKey.note(algorithm, fingerprint) == line {
                return Some(Self { algorithm, fingerprint: fingerprint.to_owned() });
            }
        }
        None
    }
}

/// Returns the fingerprint from the note of a key file, if the file has a note. The function
/// searches only PEM files, because a note is a line before a PEM block. A search in a raw private
/// key would also branch on secret bytes.
pub fn noted_for(data: &[u8], object: &FileObject) -> Option<String> {
    match object.encoding {
        FileEncoding::Pem | FileEncoding::Pkcs8 | FileEncoding::Spki => noted_fingerprint(data, object.kind),
        _ => None,
    }
}

/// Returns the fingerprint from the last note before a file's first PEM block. Ignores notes that
/// are not for `kind`. Returns `None` if there is no note, or if its last word is not a
/// fingerprint.
pub fn noted_fingerprint(data: &[u8], kind: ObjectKind) -> Option<String> {
    let start = format!("fndsa {} ", kind.name());
    let mut last_note = None;
    for line in lines_before_block(data) {
        if let Some(note) = line.strip_prefix(&start) {
            last_note = Some(note);
        }
    }
    let last_word = last_note?.rsplit(' ').next()?;
    if is_fingerprint(last_word) { Some(last_word.to_owned()) } else { None }
}

/// Returns the lines before a file's first PEM block. Lines that are not UTF-8 are omitted.
fn lines_before_block(data: &[u8]) -> Vec<&str> {
    let mut lines = Vec::new();
    for line in pem::lines(data) {
        if line.text.starts_with(b"-----BEGIN ") {
            break;
        }
        if let Ok(text) = std::str::from_utf8(line.text) {
            lines.push(text.trim_end());
        }
    }
    lines
}

/// Returns a warning if the note contains a fingerprint that is not the fingerprint of the key in
/// the file. The likely reason is a damaged block: if a character in a seed changes, the result is
/// also a valid seed, but for a different key.
pub fn note_warning(noted: Option<&str>, fingerprint: &str) -> Option<String> {
    match noted {
        Some(noted) if *noted != *fingerprint => {
            Some(format!("the note names {noted}, but the key is {fingerprint}: the file is damaged or was edited"))
        }
        _ => None,
    }
}

fn is_fingerprint(word: &str) -> bool {
    let Some(digits) = word.strip_prefix("sha256:") else { return false };
    word.len() == FINGERPRINT_LEN && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_exact() {
        let fingerprint = format!("sha256:{}", "0a".repeat(32));
        let block = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n";
        for algorithm in Algorithm::all_with_toys() {
            let file = format!("text\n{}\n{block}", ObjectKind::SigningKey.note(algorithm, &fingerprint));
            let note = KeyNote { algorithm, fingerprint: fingerprint.clone() };
            assert_eq!(KeyNote::of(file.as_bytes()), Some(note));
        }
        for line in [
            format!("fndsa private key of public key {fingerprint}"),
            format!("fndsa private key FN-DSA-512 of public key {}", fingerprint.to_uppercase()),
            format!("fndsa private key FN-DSA-512 of public key {fingerprint}0"),
            format!("fndsa public key FN-DSA-512 {fingerprint}"),
        ] {
            assert_eq!(KeyNote::of(format!("{line}\n{block}").as_bytes()), None, "{line}");
        }
        let after = format!("{block}{}\n", ObjectKind::SigningKey.note(Algorithm::FN_DSA_512, &fingerprint));
        assert_eq!(KeyNote::of(after.as_bytes()), None);
    }
}
