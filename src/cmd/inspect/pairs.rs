//! Compares the public keys in the inspected files with the private key, if there is exactly one
//! private key.

use crate::tool::io::InputSource;
use crate::tool::report::{Error, Evidence, EvidenceSum, Exit, Report, ResultColor, ResultEntry, SuccessToken};
use fndsa::Algorithm;
use fndsa::files::ObjectKind;
use serde_json::json;
use std::fmt;

/// A key in an inspected file.
pub struct InspectedKey<'a> {
    /// Whether this is a private key or a public key.
    pub kind: ObjectKind,
    /// The key's algorithm.
    pub algorithm: Algorithm,
    /// The file part that contains the key.
    pub part: FilePart<'a>,
    /// The public key's fingerprint.
    pub fingerprint: String,
}

/// A part of a file: the whole file, or a PEM block.
#[derive(Clone, Copy)]
pub struct FilePart<'a> {
    /// The file, or standard input, that contains the part.
    pub source: &'a InputSource,
    /// The number of the block, counted from 1. `None` if the file has only one part.
    pub block: Option<usize>,
}

impl fmt::Display for FilePart<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.block {
            Some(number) => write!(f, "{}, block {number}", self.source),
            None => self.source.fmt(f),
        }
    }
}

impl FilePart<'_> {
    /// Creates the JSON result for this part.
    pub fn entry(&self) -> ResultEntry {
        let entry = ResultEntry::of(self.source.path());
        if let Some(number) = self.block { entry.set("block", json!(number)) } else { entry }
    }
}

/// The key that a part in a file contains.
pub enum PartKey<'a> {
    /// A checked key.
    Checked(InspectedKey<'a>),
    /// A private key that was not decrypted.
    Encrypted(EncryptedKey<'a>),
    /// The part contains no key, or the part has an error.
    Absent,
}

impl<'a> PartKey<'a> {
    /// Adds the key to `keys`, or to `encrypted_keys` if the key was not decrypted.
    pub fn add(self, keys: &mut Vec<InspectedKey<'a>>, encrypted_keys: &mut Vec<EncryptedKey<'a>>) {
        match self {
            Self::Checked(key) => keys.push(key),
            Self::Encrypted(key) => encrypted_keys.push(key),
            Self::Absent => {}
        }
    }
}

/// An encrypted private key whose password is not given.
pub struct EncryptedKey<'a> {
    /// The file part that contains the key.
    pub part: FilePart<'a>,
    /// The fingerprint of the public key according to the file: from the unencrypted public key of
    /// an OpenSSH key, or from the note (a line before the PEM block). This fingerprint is not
    /// authenticated.
    pub noted: Option<String>,
}

fn entry_of_pair(private: FilePart<'_>, public: FilePart<'_>) -> ResultEntry {
    ResultEntry::default().path("private_key", private.source.path()).path("public_key", public.source.path())
}

/// Checks that all public keys belong to the only private key. If there is no private key, or more
/// than one, compares no keys. The returned [`SuccessToken`] allows exit code 0 only if all
/// compared public keys belong to the private key, or if no keys were compared.
///
/// # Errors
/// Fails if standard output cannot be written.
pub fn compare_pairs(keys: &[InspectedKey<'_>], report: &mut Report) -> Result<SuccessToken, Error> {
    let mut private = keys.iter().filter(|key| key.kind == ObjectKind::SigningKey);
    let (Some(private), None) = (private.next(), private.next()) else { return Ok(().into()) };
    let mut pairs = Vec::new();
    let mut good = EvidenceSum::default();
    for public in keys.iter().filter(|key| key.kind == ObjectKind::VerifyingKey) {
        let names = format!("{} and {}: ", private.part, public.part);
        let yes = Evidence::of_equal(private.fingerprint.as_bytes(), public.fingerprint.as_bytes());
        let same = yes.holds();
        if same {
            good.add(yes);
            report.answer(&names, "a key pair", ResultColor::Good, "")?;
        } else {
            report.answer(&names, "NOT a key pair", ResultColor::Bad, "")?;
            report.add_exit(Exit::Negative);
        }
        pairs.push(entry_of_pair(private.part, public.part).set("match", json!(same)).into_value());
    }
    if pairs.is_empty() {
        return Ok(().into());
    }
    let answer = good.answer(pairs.len());
    report.set("pairs", json!(pairs));
    Ok(answer)
}

/// Compares the fingerprint in an encrypted private key's file with the fingerprints of the public
/// keys. If a public key has a different fingerprint, the answer is NO. The fingerprint is not
/// authenticated, so the answer is never YES.
///
/// # Errors
/// Fails if standard output cannot be written.
pub fn compare_encrypted_key(
    private: &EncryptedKey<'_>,
    keys: &[InspectedKey<'_>],
    report: &mut Report,
) -> Result<(), Error> {
    let mut pairs = Vec::new();
    for public in keys {
        let names = format!("{} and {}: ", private.part, public.part);
        let note = format!(" according to the note in {}, not verified", private.part);
        let next = "--password-file FILE checks it";
        let is_other = private.noted.as_ref().map(|noted| *noted != public.fingerprint);
        match is_other {
            Some(true) => {
                report.answer(&names, "NOT a key pair", ResultColor::Bad, &note)?;
                report.add_exit(Exit::Negative);
            }
            Some(false) => report.line(&format!("{names}a key pair{note}: {next}"))?,
            None => report.line(&format!("{names}not checked whether the keys are a pair: {next}"))?,
        }
        let matches = if is_other == Some(true) { Some(false) } else { None };
        pairs.push(entry_of_pair(private.part, public.part).set("match", json!(matches)).into_value());
    }
    if !pairs.is_empty() {
        report.set("pairs", json!(pairs));
    }
    Ok(())
}
