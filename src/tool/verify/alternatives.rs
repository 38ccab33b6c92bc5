//! Finds causes for a rejection that can be proven by a single additional check. The verdict is
//! already NO when this module runs, and this module never changes the verdict.
//!
//! The message is read again, so this module cannot be used for a stream or for a message over
//! [`MAX_BYTES`].

use crate::tool::io::{Input, InputReuse, MemoryInput};
use crate::tool::keys::signature_file::LoadedSignatures;
use crate::tool::message::dsse::PAE_BEGIN;
use fndsa::Algorithm;
use fndsa::verdict::TrustedKey;

/// Maximum length for a message that is read again, in bytes.
const MAX_BYTES: usize = 64 << 20;

/// The hint for a pure Ed25519 signature (RFC 8032, section 5.1).
const PURE: &str = "verify the signature with `openssl pkeyutl -verify -rawin -pubin -inkey PUBLIC -sigfile SIGNATURE -in \
                    FILE`: it is a pure Ed25519 signature by this key, and fndsa verifies only Ed25519ph";

/// The hint for a pure Ed25519 signature in an envelope, whose signed bytes are not in a file.
const PURE_IN_ENVELOPE: &str = "verify the envelope with a program of in-toto or sigstore: it contains a pure Ed25519 signature \
                                by this key, and fndsa verifies only Ed25519ph";

/// Returns the hint for the first alternative that matches. `matches` verifies the signatures for a
/// changed message.
pub fn proven_cause(
    keys: &[TrustedKey],
    signatures: &LoadedSignatures,
    input: &mut dyn Input,
    matches: impl FnOnce(&mut dyn Input) -> bool,
) -> Option<&'static str> {
    let message = read_again(input)?;
    if is_pure_ed25519(keys, signatures, &message) {
        return Some(if message.starts_with(PAE_BEGIN.as_bytes()) { PURE_IN_ENVELOPE } else { PURE });
    }
    let (other, hint) = other_line_ends(&message)?;
    let name = &"the message with other line ends";
    matches(&mut MemoryInput::new(name, &other)).then_some(hint)
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

fn is_pure_ed25519(keys: &[TrustedKey], signatures: &LoadedSignatures, message: &[u8]) -> bool {
    let signatures = signatures.known.iter().filter_map(|it| ed25519_dalek::Signature::from_slice(&it.bytes).ok());
    let signatures: Vec<_> = signatures.collect();
    let keys = keys.iter().filter(|key| key.algorithm() == Algorithm::ED25519 && key.expected);
    keys.filter_map(|key| ed25519_dalek::VerifyingKey::try_from(key.public.key.as_bytes()).ok())
        .any(|key| signatures.iter().any(|signature| key.verify_strict(message, signature).is_ok()))
}

/// Converts LF to CR LF in a text, or CR LF to LF. Returns the converted text, and the hint if the
/// signature matches this text. Returns `None` if `text` contains a NUL byte or no line end.
pub fn other_line_ends(text: &[u8]) -> Option<(Vec<u8>, &'static str)> {
    if text.contains(&0) || !text.contains(&b'\n') {
        return None;
    }
    let lines: Vec<_> = text.split(|b| *b == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line)).collect();
    if text.windows(2).any(|pair| pair == b"\r\n") {
        let hint = "a program changed the line ends from LF to CR LF: get the file again without conversion (git: core.autocrlf=false)";
        Some((lines.join(&b"\n"[..]), hint))
    } else {
        let hint = "a program changed the line ends from CR LF to LF: get the file again without conversion (git: core.autocrlf=false)";
        Some((lines.join(&b"\r\n"[..]), hint))
    }
}
