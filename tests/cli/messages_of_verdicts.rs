//! The message catalogue rows for commands that end with exit code 1. `messages` calls [`rows`].

use crate::messages::*;

/// Returns rows for commands that end with exit code 1: the verdict NO of `verify`, and a
/// difference in `testvectors --check`. Modules such as `lists` contain more rows of this kind.
pub fn rows() -> Vec<MessageCase> {
    let unexpected_key = format!("verify -p k.pub --expect-key sha256:{} a", "0".repeat(64));
    let unexpected_keys = format!("verify -p k.pub -p k2.pub --expect-key sha256:{} a", "0".repeat(64));
    let rejection = |reason, line: &str, words, hint| row(reason, line, 1, words, hint);
    let mismatch = "does not match the file and the key";
    vec![
        rejection(
            "unexpected_key",
            &unexpected_key,
            "no given public key has the expected fingerprint sha256:0000000000000000000000000000000000000000000000000000000000000000",
            "the fingerprint of the given public key is sha256:",
        ),
        rejection(
            "unexpected_key",
            &unexpected_keys,
            "0000000000000000",
            "the fingerprints of the given public keys are sha256:",
        ),
        rejection(
            "algorithm_mismatch",
            "verify -p k2.pub a",
            "the signature is FN-DSA-512, but the key is FN-DSA-1024",
            "of the signer: the signature note names the key sha256:",
        ),
        rejection("signature_malformed", "verify -p k.pub -s x a", "the signature is malformed", "")
            .file_x(negative_vector("verify", "A512/pad-bit+1", "sig")),
        rejection(
            "signature_mismatch",
            "verify -p k.pub -s a.sig b",
            "does not match the file and the key",
            "--context",
        ),
        rejection(
            "signature_mismatch",
            "verify -p k.pub -c x a",
            mismatch,
            "names no context, but \"x\" is given (not proven)",
        ),
        rejection("signature_mismatch", "verify -p x a", mismatch, ", which is not among the given keys (sha256:")
            .file_x(include_bytes!("fixtures/other.pub")),
        rejection(
            "signature_mismatch",
            "verify -p k.pub -c v2 b",
            mismatch,
            "names the context \"v1\", but \"v2\" is given",
        )
        .how(RunMethod::After("$FNDSA sign -k k.key -c v1 b")),
        rejection(
            "signature_mismatch",
            "verify -p k.pub b",
            mismatch,
            "names the pre-hash sha512, but no pre-hash is given",
        )
        .how(RunMethod::After("$FNDSA sign -k k.key --prehash sha512 b")),
        rejection(
            "signature_mismatch",
            "verify -p k.pub -s x a",
            mismatch,
            "the file was changed, or another key signed it; if the",
        )
        .how(RunMethod::After("$FNDSA sign -f -k k.key --format raw -o x b")),
        rejection(
            "signature_mismatch",
            "verify -p k.pub -s x -c y a",
            mismatch,
            "the file was changed, another key signed it, or the signer",
        )
        .how(RunMethod::After("$FNDSA sign -f -k k.key --format raw -o x b")),
        rejection("manifest_mismatch", "verify -p k.pub -M x", "does not match its checksum in the list x", "")
            .file_x(format!("{}  a\n", "0".repeat(64)))
            .how(RunMethod::Shell(SIGN_X)),
        rejection("not_in_manifest", "verify -p k.pub -M x b", "not in the list x", "names in the list are relative")
            .file_x(format!("{}  a\n", "0".repeat(64)))
            .how(RunMethod::Shell(SIGN_X)),
        rejection(
            "nothing_verified",
            "verify -p k.pub -M x --ignore-missing",
            "no file was verified: all files of the list are missing",
            "current directory",
        )
        .file_x(format!("{}  nosuch\n", "0".repeat(64)))
        .how(RunMethod::Shell(SIGN_X)),
        rejection("vectors_differ", "testvectors --count 1 --check x", "the list ends before count of vector 0", ""),
        rejection("signature_mismatch", "verify -p k.pub -p x -s a.sig b", "the file and any of the keys", "--prehash")
            .file_x(include_bytes!("fixtures/other.pub")),
    ]
}
