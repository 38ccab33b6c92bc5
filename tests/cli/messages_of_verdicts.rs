//! The messages of the verdict NO: rows for `messages`.

use crate::messages::*;

/// The answer is no.
pub fn rows() -> Vec<Row> {
    let other = format!("verify -p k.pub --expect-key sha256:{} a", "0".repeat(64));
    let no = |reason, line: &str, words, hint| row(reason, line, 1, words, hint);
    let mismatch = "does not match the file and the key";
    vec![
        no(
            "unexpected_key",
            &other,
            "no given key has the expected fingerprint sha256:0000000000000000000000000000000000000000000000000000000000000000",
            "fndsa inspect",
        ),
        no(
            "algorithm_mismatch",
            "verify -p k2.pub a",
            "the signature is FN-DSA-512, the key FN-DSA-1024",
            "of the signer: the signature says that it is by sha256:",
        ),
        no("signature_malformed", "verify -p k.pub -s x a", "the signature is malformed", "").x(negative(
            "verify",
            "A512/pad-bit+1",
            "sig",
        )),
        no("signature_mismatch", "verify -p k.pub -s a.sig b", "does not match the file and the key", "--context"),
        no("signature_mismatch", "verify -p k.pub -c x a", mismatch, "says no context, \"x\" is given (not proven)"),
        no("signature_mismatch", "verify -p x a", mismatch, ", which is not among the given keys (sha256:")
            .x(include_bytes!("fixtures/other.pub")),
        no("signature_mismatch", "verify -p k.pub -c v2 b", mismatch, "says context \"v1\", \"v2\" is given")
            .how(How::After("$FNDSA sign -k k.key -c v1 b")),
        no("signature_mismatch", "verify -p k.pub b", mismatch, "says pre-hash sha512, none is given")
            .how(How::After("$FNDSA sign -k k.key --prehash sha512 b")),
        no("signature_mismatch", "verify -p k.pub -s x a", mismatch, "if it was signed with a context")
            .how(How::After("$FNDSA sign -f -k k.key --format raw -o x b")),
        no("signature_mismatch", "verify -p k.pub -s x -c y a", mismatch, "is it the context, and the pre-hash")
            .how(How::After("$FNDSA sign -f -k k.key --format raw -o x b")),
        no("manifest_mismatch", "verify -p k.pub -M x", "does not match the manifest", "")
            .x(format!("{}  a\n", "0".repeat(64)))
            .how(How::Shell(SIGN_X)),
        no("not_in_manifest", "verify -p k.pub -M x b", "not listed in the manifest", "byte for byte")
            .x(format!("{}  a\n", "0".repeat(64)))
            .how(How::Shell(SIGN_X)),
        no("nothing_verified", "verify -p k.pub -M x --ignore-missing", "none of them is there", "current directory")
            .x(format!("{}  nosuch\n", "0".repeat(64)))
            .how(How::Shell(SIGN_X)),
        no("vectors_differ", "testvectors --count 1 --check x", "the list ends before count of vector 0", ""),
        no("signature_mismatch", "verify -p k.pub -p x -s a.sig b", "the file and any of the keys", "--prehash")
            .x(include_bytes!("fixtures/other.pub")),
    ]
}
