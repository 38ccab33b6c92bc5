//! Messages and hints about too few keys, and about keys that already exist.

/// Returns the hint for a private key that already exists. `is_replaceable` is true if the command
/// can replace the key with `--force`.
pub fn key_exists_hint(is_replaceable: bool) -> &'static str {
    if is_replaceable {
        "choose another name; with --force, fndsa would destroy the old private key"
    } else {
        "choose another name: this command never replaces a private key"
    }
}

/// Returns the end of the message for too few keys. `available` is the number of keys.
/// `is_expected` is true if only the keys of `--expect-key` count.
pub fn too_few_text(available: usize, is_expected: bool) -> &'static str {
    match (available, is_expected) {
        (1, false) => "key is given",
        (_, false) => "keys are given",
        (1, true) => "key is expected (--expect-key)",
        (_, true) => "keys are expected (--expect-key)",
    }
}

/// Returns the hint for too few keys. `is_expected` is true if only the keys of `--expect-key`
/// count.
pub fn too_few_hint(is_expected: bool) -> &'static str {
    if is_expected {
        "give the fingerprints of more signers: only the keys with an expected fingerprint count"
    } else {
        "give the public keys of more signers; a key that is in several files counts only once"
    }
}
