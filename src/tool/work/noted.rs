//! The line before the block of a signature: by which key it is said to be, with which context and pre-hash. `claims` says what it is
//! good for. The page in `web/`, which reads lists with their signature in them, is built with this file.
//!
//! ```text
//! fndsa signature FN-DSA-512 by sha256:HEX
//! fndsa signature FN-DSA-512 by sha256:HEX context "v1" prehash sha512
//! fndsa signature FN-DSA-512 by sha256:HEX context hex:00ff
//! fndsa signature FN-DSA-512 by sha256:HEX mu external
//! ```

use crate::tool::report::visible::is_visible;
use fndsa::files::hex::{from_hex, hex};
use fndsa::files::{Kind, Object};
use fndsa::{Algorithm, MAX_CONTEXT_LEN, PreHash};
use std::fmt;

/// What a fingerprint begins with.
pub const FINGERPRINT: &str = "sha256:";
const FINGERPRINT_LEN: usize = FINGERPRINT.len() + 64;

/// What the line of a signature says. Nothing of it is proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    /// The fingerprint of the key that is said to have signed.
    pub fingerprint: String,
    /// How the message is said to have entered the signature.
    pub form: Noted,
}

/// How a message entered a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Noted {
    /// The message entered as an external mu.
    Mu,
    /// The message entered with a context, which is empty where none is named, and a pre-hash.
    Form { context: Vec<u8>, prehash: Option<PreHash> },
}

impl Noted {
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

/// The end of the line; empty where there is neither context nor pre-hash.
impl fmt::Display for Noted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mu => f.write_str(" mu external"),
            Self::Form { context, prehash } => {
                if !context.is_empty() {
                    write!(f, " context {}", context_text(context))?;
                }
                prehash.map_or(Ok(()), |hash| write!(f, " prehash {}", hash.name()))
            }
        }
    }
}

/// Returns the line before the block of a new signature.
pub fn line(algorithm: Algorithm, fingerprint: &str, form: &Noted) -> String {
    format!("{}{}", Kind::Signature.note(algorithm, fingerprint), form)
}

impl Claims {
    /// Reads what the file of a signature says of itself; `None` if it says nothing that can be understood.
    pub fn of(signature: &Object) -> Option<Self> {
        Self::parse(signature.note.as_deref()?)
    }

    pub(super) fn parse(line: &[u8]) -> Option<Self> {
        let line = std::str::from_utf8(line).ok()?.trim_end();
        let (algorithm, rest) = line.strip_prefix("fndsa signature ")?.split_once(" by ")?;
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let (fingerprint, rest) = rest.split_at_checked(FINGERPRINT_LEN)?;
        let digits = from_hex(fingerprint.strip_prefix(FINGERPRINT)?.as_bytes()).ok()?;
        let form = Noted::parse(rest)?;
        // The fingerprint in lower case, as everywhere else.
        algorithm.chars().all(plain).then(|| Self { fingerprint: format!("{FINGERPRINT}{}", hex(&digits)), form })
    }

    /// Returns whether the signature is said to be by the key of a fingerprint.
    pub fn is_by(&self, fingerprint: &str) -> bool {
        self.fingerprint == fingerprint
    }

    /// Returns the line with these claims, for the same signature in another file.
    pub fn line(&self, algorithm: Algorithm) -> String {
        format!("{}{}", Kind::Signature.note(algorithm, &self.fingerprint), self.form)
    }
}

/// Returns whether the lines before the signatures in a list may stand there. They are signed by nobody, so each has to be as a signer
/// writes it, of no key twice, and those of the keys that have signed, `own`, have to be among them.
pub fn lines_hold(signatures: &[Object], mut own: impl Iterator<Item = String>) -> bool {
    let as_written = |signature: &Object| {
        let again = Claims::of(signature).map(|claims| claims.line(signature.algorithm()).into_bytes());
        again.is_some() && again == signature.note
    };
    let lines: Vec<_> = signatures.iter().map(|signature| signature.note.as_deref()).collect();
    (0..lines.len()).all(|i| !lines[..i].contains(&lines[i]))
        && signatures.iter().all(as_written)
        && own.all(|line| lines.contains(&Some(line.as_bytes())))
}

/// Returns a context on one line: in quotes where every character shows as itself, else in hexadecimal.
pub fn context_text(context: &[u8]) -> String {
    match std::str::from_utf8(context) {
        Ok(text) if is_visible(text) && !text.contains(['"', '\\']) => format!("\"{text}\""),
        _ => format!("hex:{}", hex(context)),
    }
}
