//! Searches for the cause of a NO with a second verification, for example of the message with
//! changed line ends. If the signatures match in the second verification, the cause is proven. The
//! verdict does not change.
//!
//! There is no hint for a stream, because a stream cannot be read twice, and no hint for a message
//! that is longer than [`MAX_BYTES`].

use crate::tool::io::{Input, InputReuse, MemoryInput};
use crate::tool::keys::signature_file::LoadedSignatures;
use crate::tool::message::form::{InputKind, MessageForm};
use fndsa::Algorithm;
use fndsa::algorithm::PreHash;
use fndsa::verdict::TrustedKey;

/// The maximum length in bytes of a message that is read twice.
const MAX_BYTES: usize = 64 << 20;

/// The hint if an Ed25519ph signature was verified without a pre-hash.
const WITH_PREHASH: &str = "add --prehash sha512: the signature is an Ed25519ph signature of this message";

/// The hint if an Ed25519 signature was verified with a pre-hash.
const WITHOUT_PREHASH: &str =
    "leave --prehash out: the signature is an Ed25519 signature of this message, without a pre-hash";

/// Returns the hint to leave `--context` and `--prehash` out. Before the call, the caller must have
/// verified that the signatures in the envelope match without these options. `forms` contains the
/// names of the encodings that the signatures cover, for example `tap21` (see `DsseForm`).
pub fn without_options(forms: &[&str]) -> String {
    let forms = forms.join(" and ");
    format!("leave --context and --prehash out: the signatures cover the form {forms} without a context and a pre-hash")
}

/// Verifies the message a second time with a changed pre-hash, and then with changed line ends.
/// Returns the hint for the first change with which the policy accepts the signatures. `matches`
/// runs a verification, and returns whether the policy accepts the signatures.
pub fn proven_cause(
    keys: &[TrustedKey],
    form: &MessageForm,
    signatures: &LoadedSignatures,
    input: &mut dyn Input,
    mut matches: impl FnMut(&MessageForm, &mut dyn Input) -> bool,
) -> Option<String> {
    let message = read_again(input)?;
    if signatures.has_options()
        && let Some((other, hint)) = other_variant(keys, form)
        && matches(&other, &mut MemoryInput::new(&"the message in the other variant of Ed25519", &message))
    {
        return Some(hint.to_owned());
    }
    let (other, hint) = other_line_ends(&message)?;
    let name = &"the message with other line ends";
    if !matches(form, &mut MemoryInput::new(name, &other)) {
        return None;
    }
    Some(match signatures.line_ends_hint() {
        Some(step) => format!("{hint}; {step}"),
        None => hint.to_owned(),
    })
}

/// Changes `form` from Ed25519 (no pre-hash) to Ed25519ph (the pre-hash SHA-512), or back. Other
/// programs use both variants, and a signature does not show its variant. Returns the new form, and
/// the hint to print if the signature matches the message in this form. Returns `None` if there is
/// no accepted Ed25519 key, if the input is not a message, or if its pre-hash is not SHA-512.
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
    if input.reuse() == InputReuse::Once {
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

/// Replaces LF by CR LF in a text, or CR LF by LF if the text contains a CR LF. Returns the new
/// text, and the hint to print if the new text is the text that was signed or listed. Returns
/// `None` if `text` contains a NUL byte or no line end.
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
