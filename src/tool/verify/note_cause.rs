//! Explains a NO by the signature note, which may name a different key, context or pre-hash than
//! the command line, but is not authenticated. This module also contains hints that do not depend
//! on the note, for example lists of the given keys or of the missing signers. `Verifier::conclude`
//! selects the hint.

use crate::tool::message::form::{MessageForm, context_value};
use fndsa::algorithm::PreHash;
use fndsa::verdict::signature_note::{FINGERPRINT, context_text};
use fndsa::verdict::{NoteForm, Policy, SignatureNote, TrustedKey};
use serde_json::{Value, json};

/// The maximum number of characters that are quoted from a context. Without this limit, more than
/// five hundred hexadecimal digits could be in a hint.
const SHOWN_CONTEXT: usize = 80;
/// The number of hexadecimal digits that are quoted from an unverified fingerprint.
const SHOWN_DIGITS: usize = 16;
/// The maximum number of given keys in a hint.
const SHOWN_KEYS: usize = 3;

/// The hint if the given key and options are probably right, so the file or the signature is wrong.
pub const CHANGED: &str = "the file or its signature was probably changed: get both again";

/// The hint if the signature does not match, and its format does not support contexts and
/// pre-hashes.
pub const CHANGED_OR_OTHER_KEY: &str =
    "the file was changed, or another key signed it: get the file, its signature and the key again";

/// The hint if the key of an SSH signature has a key line `context:`.
pub const NO_SSH_CONTEXT: &str = "an SSH signature has no context, so this key never verifies an SSH signature: remove the key \
     line `context:`, or ask the signer for a signature of `fndsa sign --context`";

/// The hint if the signed file is empty and the signature does not match.
pub const EMPTY_FILE: &str = "the file is empty: get the file again";

/// Returns a hint that lists the keys without a signature. `signed` contains the indices of the
/// keys that have signed.
pub fn missing_signers(policy: &Policy<'_>, signed: &[usize]) -> String {
    let missing: Vec<_> = policy.without_signature(signed).map(TrustedKey::description).collect();
    let names = missing[..missing.len().min(SHOWN_KEYS)].join(", ");
    let more = missing.len().saturating_sub(SHOWN_KEYS);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("ask the signers for the missing signatures: no signature by {names}{more}")
}

/// Returns the hint if a fingerprint after `--expect-key` does not belong to any of the given keys.
/// The hint lists the fingerprints of the given keys.
pub fn given_fingerprints(keys: &[TrustedKey]) -> String {
    let names: Vec<_> = keys.iter().take(SHOWN_KEYS).map(|key| &key.public.fingerprint[..]).collect();
    let names = names.join(", ");
    let subject = match keys.len() {
        1 => format!("the fingerprint of the given public key is {names}"),
        2..=SHOWN_KEYS => format!("the fingerprints of the given public keys are {names}"),
        count => format!("the fingerprints of the given public keys are {names} and {} more", count - SHOWN_KEYS),
    };
    // If one of several expected fingerprints belongs to a given key, the user probably forgot the
    // public key file for the other fingerprint.
    let step = if keys.iter().any(|key| key.is_accepted_by_policy) {
        "also give the public key file that has this fingerprint"
    } else {
        "ask the signer which fingerprint is right"
    };
    format!("{step}: {subject}")
}

/// Returns the contents of the note, for the member `claims` in a JSON result.
pub fn note_value(note: &SignatureNote) -> Value {
    match &note.form {
        NoteForm::Mu => json!({ "fingerprint": note.fingerprint, "mu": "external" }),
        NoteForm::Form { context, prehash } => {
            let context = if context.is_empty() { None } else { Some(context_value(context)) };
            json!({ "fingerprint": note.fingerprint, "context": context, "prehash": prehash.map(PreHash::name) })
        }
        _ => json!({ "fingerprint": note.fingerprint }),
    }
}

/// Returns the clause "the signature note names the key ...".
pub fn named_signer(note: &SignatureNote) -> String {
    format!("the signature note names the key {} (not proven)", short_fingerprint(&note.fingerprint))
}

/// Returns a hint that lists the differences between the note and the given keys, context and
/// pre-hash (`given`). These differences are the probable reason for the NO. Without any
/// difference, the hint states that the file or the signature was probably changed. `is_empty` must
/// be true if the signed file is empty.
pub fn note_cause(note: &SignatureNote, keys: &[TrustedKey], given: &MessageForm, is_empty: bool) -> String {
    let mut parts = Vec::new();
    match keys.iter().find(|key| key.public.fingerprint == note.fingerprint) {
        Some(key) if key.is_accepted_by_policy => {}
        Some(_) => {
            parts.push(format!("the key {}, which is not an expected key", short_fingerprint(&note.fingerprint)))
        }
        None => parts.push(format!(
            "the key {}, which is not among the given keys ({})",
            short_fingerprint(&note.fingerprint),
            accepted_fingerprints(keys)
        )),
    }
    let mut steps = String::new();
    if let (NoteForm::Form { context, prehash }, NoteForm::Form { context: ours, prehash: our_hash }) =
        (&note.form, given.noted())
    {
        let form = [
            compare_option("context", shown_context(context), shown_context(&ours)),
            compare_option("pre-hash", prehash.map(prehash_name), our_hash.map(prehash_name)),
        ];
        for NoteDifference { words, step } in form.into_iter().flatten() {
            parts.push(words);
            steps += &format!("; {step}");
        }
    }
    if !parts.is_empty() {
        return format!("the signature note names {} (not proven){steps}", parts.join(", and "));
    }
    if is_empty {
        return EMPTY_FILE.to_owned();
    }
    let says = "the signature note names a given key";
    match (&note.form, given.noted()) {
        (NoteForm::Form { context, prehash }, NoteForm::Form { .. }) if !context.is_empty() || prehash.is_some() => {
            format!("{says} and the given context and pre-hash (not proven), so {CHANGED}")
        }
        _ => format!(
            "{says} (not proven), so {CHANGED}; if the signer used a context or a pre-hash, give the same --context and --prehash"
        ),
    }
}

/// A difference between the signature note and the given context or pre-hash.
struct NoteDifference {
    words: String,
    /// The next step for the user.
    step: String,
}

/// Compares the context or pre-hash in a signature note (`claimed`) with the value on the command
/// line. Returns `None` if they are equal. `what` is "context" or "pre-hash".
fn compare_option(what: &str, claimed: Option<String>, given: Option<String>) -> Option<NoteDifference> {
    let option = what.replace('-', "");
    let (words, step) = match (claimed, given) {
        (claimed, given) if claimed == given => return None,
        (Some(claimed), Some(given)) => {
            (format!("the {what} {claimed}, but {given} is given"), format!("give the {what} of the signer"))
        }
        (Some(claimed), None) => (
            format!("the {what} {claimed}, but no {what} is given"),
            format!("give the {what} of the signer with --{option}"),
        ),
        (None, given) => (format!("no {what}, but {} is given", given?), format!("leave --{option} out")),
    };
    Some(NoteDifference { words, step })
}

/// Returns the beginning of a context as it is quoted in hints, or `None` if it is empty.
fn shown_context(context: &[u8]) -> Option<String> {
    if context.is_empty() { None } else { Some(short_text(&context_text(context))) }
}

fn prehash_name(hash: PreHash) -> String {
    hash.name().to_owned()
}

/// Returns a list of the given keys that the policy accepts, for a hint. A key is shown by the
/// first digits of the fingerprint.
fn accepted_fingerprints(keys: &[TrustedKey]) -> String {
    let mut names = Vec::new();
    for key in keys {
        if key.is_accepted_by_policy {
            names.push(short_fingerprint(&key.public.fingerprint));
        }
    }
    let more = names.len().saturating_sub(SHOWN_KEYS);
    let names = names[..names.len() - more].join(", ");
    if more > 0 { format!("{names} and {more} more") } else { names }
}

/// Returns the beginning of a fingerprint as it is quoted in hints.
fn short_fingerprint(fingerprint: &str) -> String {
    format!("{}...", &fingerprint[..FINGERPRINT.len() + SHOWN_DIGITS])
}

/// Returns a short text unchanged, or the beginning of a long text and `...`.
fn short_text(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CONTEXT) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::keys::loader::AllowWeak;
    use crate::tool::message::form::InputKind;
    use crate::tool::report::escape::is_visible;
    use fndsa::Algorithm;
    use fndsa::verdict::signature_note;

    const KEY: &str = "sha256:00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

    fn form(input: InputKind, context: &[u8]) -> MessageForm {
        MessageForm { input, context: context.to_vec(), weak: AllowWeak(false) }
    }

    fn line(algorithm: Algorithm, fingerprint: &str, form: &MessageForm) -> String {
        signature_note::line(algorithm, fingerprint, &form.noted())
    }

    #[test]
    fn written_signature_notes_are_parsed() {
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
                let read = SignatureNote::parse(line.as_bytes()).unwrap_or_else(|| panic!("{line}"));
                assert_eq!((&read.fingerprint[..], &read.form), (KEY, &form.noted()));
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
    fn other_lines_are_not_signature_notes() {
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
            let read = SignatureNote::parse(line.as_bytes());
            // Blanks at the end of a line are ignored.
            assert_eq!(read.is_some(), line.ends_with("\"v1\" "), "{line:?}");
        }
        assert!(SignatureNote::parse(b"fndsa signature \xff by ").is_none());
    }

    #[test]
    fn a_context_with_hidden_characters_is_printed_in_hexadecimal() {
        let read = SignatureNote::parse(format!("fndsa signature FN-DSA-512 by {KEY} context \"\x1b[31m\"").as_bytes())
            .unwrap();
        assert_eq!(read.to_string(), format!("by {KEY} context hex:1b5b33316d"));
        assert!(is_visible(&note_cause(&read, &[], &form(InputKind::Message, b"\x1b[32m"), false)));
    }
}
