//! What a signature file says of itself, in the line before its block: by which key, with which context and pre-hash.
//!
//! ```text
//! fndsa signature FN-DSA-512 by sha256:HEX
//! fndsa signature FN-DSA-512 by sha256:HEX context "v1" prehash sha512
//! fndsa signature FN-DSA-512 by sha256:HEX context hex:00ff
//! fndsa signature FN-DSA-512 by sha256:HEX mu external
//! ```
//!
//! Anybody can write that line, and no verdict depends on it: where there are many keys it says which one is tried first, and else
//! it is parsed when the answer is NO already, to tell a likely cause, and to say more of a file. What is printed is what was understood of it and never the line itself; a
//! line with anything else in it says nothing. Who signs an external mu does not know what went into it. A line that
//! names neither context nor pre-hash may be of an old version, which never did.

use super::message::{InputKind, MessageForm, context_text, context_value};
use super::public::TrustedKey;
use fndsa::files::hex::{from_hex, hex};
use fndsa::files::{Kind, Object};
use fndsa::{Algorithm, MAX_CONTEXT_LEN, PreHash};
use serde_json::{Value, json};
use std::fmt;

/// Characters of a context in a message; there may be five hundred.
const SHOWN_CONTEXT: usize = 80;
/// Hexadecimal digits of a fingerprint that is not proven.
const SHOWN_DIGITS: usize = 16;
/// Given keys in a message.
const SHOWN_KEYS: usize = 3;
const FINGERPRINT: &str = "sha256:";
const FINGERPRINT_LEN: usize = FINGERPRINT.len() + 64;

/// What the line of a signature says. Nothing of it is proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    /// The fingerprint of the key that is said to have signed.
    fingerprint: String,
    /// How the message is said to have entered the signature.
    form: Noted,
}

/// How a message entered a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Noted {
    /// The message entered as an external mu.
    Mu,
    /// The message entered with a context, which is empty where none is named, and a pre-hash.
    Form { context: Vec<u8>, prehash: Option<PreHash> },
}

impl Noted {
    fn of(form: &MessageForm) -> Self {
        let prehash = match form.input {
            InputKind::Mu => return Self::Mu,
            InputKind::Message => None,
            InputKind::ToHash(hash) | InputKind::Digest(hash) => Some(hash),
        };
        Self::Form { context: form.context.clone(), prehash }
    }

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
pub fn line(algorithm: Algorithm, fingerprint: &str, form: &MessageForm) -> String {
    format!("{}{}", Kind::Signature.note(algorithm, fingerprint), Noted::of(form))
}

impl Claims {
    /// Reads what the file of a signature says of itself; `None` if it says nothing that can be understood.
    pub fn of(signature: &Object) -> Option<Self> {
        Self::parse(signature.note.as_deref()?)
    }

    fn parse(line: &[u8]) -> Option<Self> {
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

    /// Returns the member `claims` of a result.
    pub fn value(&self) -> Value {
        match &self.form {
            Noted::Mu => json!({ "fingerprint": self.fingerprint, "mu": "external" }),
            Noted::Form { context, prehash } => json!({
                "fingerprint": self.fingerprint,
                "context": (!context.is_empty()).then(|| context_value(context)),
                "prehash": prehash.map(PreHash::name),
            }),
        }
    }

    /// Returns in words who is said to have signed.
    pub fn signer(&self) -> String {
        format!("the signature says that it is by {} (not proven)", short(&self.fingerprint))
    }

    /// Returns in words why a signature may not match under the keys and the form that are given.
    pub fn cause(&self, keys: &[TrustedKey], given: &MessageForm) -> String {
        let mut parts = Vec::new();
        match keys.iter().find(|key| key.public.fingerprint == self.fingerprint) {
            Some(key) if key.expected => {}
            Some(_) => {
                parts.push(format!("that it is by {}, which --expect-key does not name", short(&self.fingerprint)))
            }
            None => parts.push(format!(
                "that it is by {}, which is not among the given keys ({})",
                short(&self.fingerprint),
                given_keys(keys)
            )),
        }
        let mut options = "";
        if let (Noted::Form { context, prehash }, Noted::Form { context: ours, prehash: our_hash }) =
            (&self.form, Noted::of(given))
        {
            let text = |context: &[u8]| (!context.is_empty()).then(|| shortened(&context_text(context)));
            let name = |hash: &Option<PreHash>| hash.map(|hash| hash.name().to_owned());
            let form =
                [differ("context", text(context), text(&ours)), differ("pre-hash", name(prehash), name(&our_hash))];
            if form.iter().any(Option::is_some) {
                options = "; --context and --prehash are those of the signer";
            }
            parts.extend(form.into_iter().flatten());
        }
        if !parts.is_empty() {
            return format!("the signature says {} (not proven){options}", parts.join("; "));
        }
        let says = "the signature says that it is by a given key";
        match (&self.form, Noted::of(given)) {
            (Noted::Form { context, prehash }, Noted::Form { .. }) if !context.is_empty() || prehash.is_some() => {
                format!("{says}, with the context and the pre-hash given (not proven): was the file changed?")
            }
            _ => format!(
                "{says} (not proven): was the file changed? if it was signed with a context or a pre-hash, \
                 give the same --context and --prehash"
            ),
        }
    }
}

/// The claims for people, without the algorithm.
impl fmt::Display for Claims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "by {}{}", self.fingerprint, self.form)
    }
}

/// Describes a context or pre-hash that is not the one given; `None` if it is the same.
fn differ(what: &str, claimed: Option<String>, given: Option<String>) -> Option<String> {
    match (claimed, given) {
        (claimed, given) if claimed == given => None,
        (Some(claimed), Some(given)) => Some(format!("{what} {claimed}, {given} is given")),
        (Some(claimed), None) => Some(format!("{what} {claimed}, none is given")),
        (None, given) => given.map(|given| format!("no {what}, {given} is given")),
    }
}

/// Names the keys that count, so that they can be told apart.
fn given_keys(keys: &[TrustedKey]) -> String {
    let expected: Vec<_> = keys.iter().filter(|key| key.expected).collect();
    let names: Vec<_> = expected.iter().take(SHOWN_KEYS).map(|key| short(&key.public.fingerprint)).collect();
    let more = expected.len() - names.len();
    let names = names.join(", ");
    if more > 0 { format!("{names} and {more} more") } else { names }
}

/// Returns the beginning of a fingerprint.
fn short(fingerprint: &str) -> String {
    format!("{}...", &fingerprint[..FINGERPRINT.len() + SHOWN_DIGITS])
}

/// Returns the beginning of a long text, or all of a short one.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CONTEXT) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::report::escape::is_visible;

    const KEY: &str = "sha256:00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

    fn form(input: InputKind, context: &[u8]) -> MessageForm {
        MessageForm { input, context: context.to_vec() }
    }

    #[test]
    fn what_is_noted_is_read() {
        let hash = PreHash::Sha512;
        let whole: Vec<u8> = (0..=254).collect();
        let contexts: [&[u8]; 12] = [
            b"",
            b"v1",
            b"v1 stable",
            b"a\"b",
            b"a\\b",
            b"\xff",
            b"a\nb",
            b" ",
            b"hex:00",
            b"\" prehash sha256",
            &whole,
            &[b'x'; 255],
        ];
        for context in contexts {
            for input in [InputKind::Message, InputKind::ToHash(hash), InputKind::Digest(hash), InputKind::Mu] {
                let form = form(input, if input == InputKind::Mu { b"" } else { context });
                let line = line(Algorithm::FN_DSA_512, KEY, &form);
                assert!(is_visible(&line) && line.len() < 1024, "{line}");
                let read = Claims::parse(line.as_bytes()).unwrap_or_else(|| panic!("{line}"));
                assert_eq!(read, Claims { fingerprint: KEY.to_owned(), form: Noted::of(&form) });
                assert_eq!(read.line(Algorithm::FN_DSA_512), line);
            }
        }
        assert_eq!(
            line(Algorithm::FN_DSA_512, KEY, &form(InputKind::ToHash(hash), b"v1")),
            format!("fndsa signature FN-DSA-512 by {KEY} context \"v1\" prehash sha512")
        );
        assert_eq!(context_text("Grüße".as_bytes()), "\"Grüße\"");
        assert_eq!(context_text("a\u{202e}b".as_bytes()), "hex:61e280ae62");
    }

    #[test]
    fn other_lines_say_nothing() {
        let good = format!("fndsa signature FN-DSA-512 by {KEY}");
        for line in [
            "",
            "fndsa signature FN-DSA-512",
            "fndsa signature FN-DSA-512 by sha256:00",
            &good.replace("sha256", "sha512"),
            &good.replace("fndsa signature", "fndsa public key"),
            &good.replace("FN-DSA-512", "\x1b[31m"),
            &good.replace("FN-DSA-512", "by k: OK"),
            &good.replace("0011", "00\u{e9}"),
            &good.replace("0011", "001g"),
            &format!("{good}0"),
            &format!("{good} context \"v1"),
            &format!("{good} context v1"),
            &format!("{good} context \"v1\" "),
            &format!("{good}\nk: OK"),
            &format!("{good} context \"v1\" prehash sha1"),
            &format!("{good} prehash sha512 context \"v1\""),
            &format!("{good} context hex:0"),
            &format!("{good} context hex:zz"),
            &format!("{good} context hex:{}", "00".repeat(256)),
            &format!("{good} context \"{}\"", "x".repeat(256)),
            &format!("{good} mu external prehash sha512"),
            &format!("{good} OK"),
            &format!(" {good}"),
        ] {
            let read = Claims::parse(line.as_bytes());
            // Blanks at the end of a line are no part of it.
            assert_eq!(read.is_some(), line.ends_with("\"v1\" "), "{line:?}");
        }
        assert!(Claims::parse(b"fndsa signature \xff by ").is_none());
    }

    #[test]
    fn a_context_that_does_not_show_is_printed_in_hexadecimal() {
        let read =
            Claims::parse(format!("fndsa signature FN-DSA-512 by {KEY} context \"\x1b[31m\"").as_bytes()).unwrap();
        assert_eq!(read.to_string(), format!("by {KEY} context hex:1b5b33316d"));
        assert!(is_visible(&read.cause(&[], &form(InputKind::Message, b"\x1b[32m"))));
    }
}
