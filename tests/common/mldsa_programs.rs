//! Runs the ML-DSA implementations in other languages: the programs in `tests/peers`. The commands
//! have the same form as in `programs.rs`:
//!
//! | command | answer |
//! |---|---|
//! | `keygen SET` | private key, public key |
//! | `sign SET FORM PRIVATE MESSAGE CONTEXT` | signature |
//! | `verify SET FORM PUBLIC MESSAGE CONTEXT SIGNATURE` | `true` or `false` |
//!
//! `SET` is `ml-dsa-44`, `ml-dsa-65` or `ml-dsa-87`. Keys are PKCS#8 and SPKI in DER, or raw.
//! `FORM` is a word from the list below. For signatures with the first three forms, `verify` gets
//! the form `pure`:
//!
//! - `pure`: signed with random bytes;
//! - `deterministic`: signed without random bytes;
//! - `mu`: the message is a `mu` of 64 bytes, which already includes the context;
//! - the name of a hash, as in `--prehash`: HashML-DSA.

use crate::common::to_hex;
use crate::programs::{self, PeerProgram, folder, source};
use std::sync::OnceLock;

/// A program that can sign and verify with ML-DSA.
pub struct MlDsaProgram {
    /// The program's name.
    pub name: &'static str,
    program: &'static PeerProgram,
    /// The forms in which the program can read private keys: `raw` for the raw expanded key, or the
    /// options with which `fndsa convert` writes the form.
    pub private_forms: &'static [&'static str],
    /// The form of the program's public keys, as a value for `fndsa convert --to`.
    pub public_form: &'static str,
    /// Whether the program can make deterministic signatures.
    pub is_deterministic: bool,
    /// Whether the program can sign a `mu`.
    pub signs_mu: bool,
    /// The hashes that the program supports for HashML-DSA.
    pub hashes: &'static [&'static str],
}

const SEED: &str = "--to pkcs8-der --private seed";
const EXPANDED: &str = "--to pkcs8-der --private expanded";
const SEED_AND_EXPANDED: &str = "--to pkcs8-der --private both";

/// The hashes that FIPS 204 allows for at least one parameter set, in order of strength. ML-DSA-44
/// allows all hashes, ML-DSA-65 allows all except the first four, and ML-DSA-87 allows only the
/// last three.
const ALL_HASHES: &[&str] =
    &["sha256", "sha512-256", "sha3-256", "shake128", "sha384", "sha3-384", "sha512", "sha3-512", "shake256"];

/// Starts the program for Node's cryptography module, if it is installed.
fn node() -> Option<&'static PeerProgram> {
    static PROGRAM: OnceLock<Option<PeerProgram>> = OnceLock::new();
    let start = || {
        let node = folder().join("node/node");
        let is_installed = node.exists();
        PeerProgram::start("node", &[], node, [source("node/peer.mjs")], is_installed)
    };
    PROGRAM.get_or_init(start).as_ref()
}

/// Starts the program for Go's `crypto/mldsa`, if it is installed.
fn go() -> Option<&'static PeerProgram> {
    static PROGRAM: OnceLock<Option<PeerProgram>> = OnceLock::new();
    let start = || {
        let peer = folder().join("go/peer");
        let is_installed = peer.exists();
        PeerProgram::start("Go", &[], peer, [""; 0], is_installed)
    };
    PROGRAM.get_or_init(start).as_ref()
}

/// Starts the program for the Python package `cryptography`, if it is installed.
pub fn cryptography() -> Option<&'static PeerProgram> {
    static PROGRAM: OnceLock<Option<PeerProgram>> = OnceLock::new();
    let start = || {
        let (python, installed) = (folder().join("python/bin/python"), folder().join("python/installed.txt").exists());
        PeerProgram::start("cryptography", &[], python, [source("python/peer.py")], installed)
    };
    PROGRAM.get_or_init(start).as_ref()
}

/// Returns the programs that are installed.
pub fn installed() -> Vec<MlDsaProgram> {
    let describe = |name, program: Option<&'static PeerProgram>, private_forms, is_deterministic, hashes| {
        program.map(|program| {
            let public_form = if name == "noble" { "raw" } else { "spki-der" };
            let signs_mu = name != "node";
            MlDsaProgram { name, program, private_forms, public_form, is_deterministic, signs_mu, hashes }
        })
    };
    let all = [
        describe("noble", programs::noble(), &["raw"], true, ALL_HASHES),
        describe("BouncyCastle", programs::bouncycastle(), &[SEED, EXPANDED, SEED_AND_EXPANDED], true, &["sha512"]),
        describe("node", node(), &[SEED, EXPANDED, SEED_AND_EXPANDED], false, &[]),
        describe("Go", go(), &[SEED], true, &[]),
        describe("cryptography", cryptography(), &[SEED], false, &[]),
    ];
    all.into_iter().flatten().collect()
}

impl MlDsaProgram {
    /// Generates a private key and its public key.
    pub fn keygen(&self, set: &str) -> [Vec<u8>; 2] {
        self.program.bytes(&["keygen", set])
    }

    /// Signs a message.
    pub fn sign(&self, set: &str, form: &str, [private, message, context]: [&[u8]; 3]) -> Vec<u8> {
        let [private, message, context] = [private, message, context].map(to_hex);
        let [signature] = self.program.bytes(&["sign", set, form, &private, &message, &context]);
        signature
    }

    /// Verifies a signature.
    pub fn verify(&self, set: &str, form: &str, [public, message, context, signature]: [&[u8]; 4]) -> bool {
        let [public, message, context, signature] = [public, message, context, signature].map(to_hex);
        let verdict = self.program.ask(&["verify", set, form, &public, &message, &context, &signature]);
        verdict.is_ok_and(|words| words == ["true"])
    }
}
