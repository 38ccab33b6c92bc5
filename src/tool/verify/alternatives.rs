//! Finds causes for a rejection that can be proven by a single additional check. The verdict is
//! already NO when this module runs, and this module never changes the verdict.
//!
//! The message is read again, so this module cannot be used for a stream or for a message over
//! [`MAX_BYTES`].

use crate::tool::io::{Input, InputReuse, MemoryInput};
use crate::tool::message::form::{InputKind, MessageForm};
use fndsa::Algorithm;
use fndsa::algorithm::PreHash;
use fndsa::verdict::TrustedKey;

/// Maximum length for a message that is read again, in bytes.
const MAX_BYTES: usize = 64 << 20;

/// The hint for an Ed25519ph signature that is verified without a pre-hash.
const WITH_PREHASH: &str = "add --prehash sha512: the signature is an Ed25519ph signature of this message";

/// The hint for an Ed25519 signature that is verified with the pre-hash.
const WITHOUT_PREHASH: &str =
    "leave --prehash out: the signature is an Ed25519 signature of this message, without a pre-hash";

/// The end of the hint about line ends, for formats that OpenSSL writes.
const OF_OPENSSL: &str = "; if OpenSSL made the signature, ask the signer for a signature with the option -binary";

/// Returns the hint for an envelope whose signatures match without a context and a pre-hash.
/// `forms` are the forms that the signatures cover.
pub fn without_options(forms: &[&str]) -> String {
    let forms = forms.join(" and ");
    format!("leave --context and --prehash out: the signatures cover the form {forms} without a context and a pre-hash")
}

/// Returns the hint for the first alternative that matches. `matches` verifies the signatures for a
/// changed form or message. `has_options` is false for a format without a context and a pre-hash.
pub fn proven_cause(
    keys: &[TrustedKey],
    form: &MessageForm,
    has_options: bool,
    input: &mut dyn Input,
    mut matches: impl FnMut(&MessageForm, &mut dyn Input) -> bool,
) -> Option<String> {
    let message = read_again(input)?;
    if has_options
        && let Some((other, hint)) = other_variant(keys, form)
        && matches(&other, &mut MemoryInput::new(&"the message in the other variant of Ed25519", &message))
    {
        return Some(hint.to_owned());
    }
    let (other, hint) = other_line_ends(&message)?;
    let name = &"the message with other line ends";
    let signer = if has_options { "" } else { OF_OPENSSL };
    let is_cause = matches(form, &mut MemoryInput::new(name, &other));
    if is_cause { Some(format!("{hint}{signer}")) } else { None }
}

/// Returns the form with or without the pre-hash, if there is an Ed25519 key, and the hint if the
/// signature matches this form. Other programs use both variants of Ed25519, and the signature does
/// not name its variant.
fn other_variant(keys: &[TrustedKey], form: &MessageForm) -> Option<(MessageForm, &'static str)> {
    if !keys.iter().any(|key| key.algorithm() == Algorithm::ED25519 && key.is_accepted_by_policy) {
        return None;
    }
    let (input, hint) = match form.input {
        InputKind::Message => (InputKind::ToHash(PreHash::Sha512), WITH_PREHASH),
        InputKind::ToHash(PreHash::Sha512) => (InputKind::Message, WITHOUT_PREHASH),
        InputKind::ToHash(_) | InputKind::Digest(_) | InputKind::Mu => return None,
    };
    Some((MessageForm { input, ..form.clone() }, hint))
}

fn read_again(input: &mut dyn Input) -> Option<Vec<u8>> {
    if input.reading() == InputReuse::Once {
        return None;
    }
    let mut message = Vec::new();
    loop {
        let piece = input.next().ok()?;
        if piece.is_empty() {
            return Some(message);
        }
        if message.len() + piece.len() > MAX_BYTES {
            return None;
        }
        message.extend_from_slice(piece);
    }
}

/// Converts LF to CR LF in a text, or CR LF to LF. Returns the converted text, and the hint if the
/// signature matches this text. Returns `None` if `text` contains a NUL byte or no line end.
pub fn other_line_ends(text: &[u8]) -> Option<(Vec<u8>, &'static str)> {
    if text.contains(&0) || !text.contains(&b'\n') {
        return None;
    }
    let mut lines = Vec::new();
    for line in text.split(|b| *b == b'\n') {
        lines.push(line.strip_suffix(b"\r").unwrap_or(line));
    }
    if text.windows(2).any(|pair| pair == b"\r\n") {
        let hint = "a program changed the line ends from LF to CR LF: get the file again without conversion (git: core.autocrlf=false)";
        Some((lines.join(&b"\n"[..]), hint))
    } else {
        let hint = "a program changed the line ends from CR LF to LF: get the file again without conversion (git: core.autocrlf=false)";
        Some((lines.join(&b"\r\n"[..]), hint))
    }
}
