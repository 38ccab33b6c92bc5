//! ML-DSA in programs of other languages, under `tests/peers`, with commands as in `programs.rs`:
//!
//! | command | answer |
//! |---|---|
//! | `keygen SET` | private key, public key |
//! | `sign SET FORM PRIVATE MESSAGE CONTEXT` | signature |
//! | `verify SET FORM PUBLIC MESSAGE CONTEXT SIGNATURE` | `true` or `false` |
//!
//! `SET` is `ml-dsa-44`, `ml-dsa-65` or `ml-dsa-87`. Keys are PKCS#8 and SPKI in DER, or raw. `FORM` is one of these, and the first three
//! verify as `pure`:
//!
//! - `pure`: signed with random bytes;
//! - `deterministic`: signed without;
//! - `mu`: what is signed are 64 bytes, which the context is a part of;
//! - the name of a hash, as `--prehash` has it: HashML-DSA.

use crate::common::to_hex;
use crate::programs::{self, Program, folder, source};
use std::sync::OnceLock;

/// A program that signs and verifies with ML-DSA.
pub struct MlDsaProgram {
    /// What it is called.
    pub name: &'static str,
    program: &'static Program,
    /// The options of `fndsa convert` for private keys, in each of the forms that it reads; `raw` is the expanded key.
    pub private_forms: &'static [&'static str],
    /// The form of its public keys, as `fndsa convert --to` has it.
    pub public_form: &'static str,
    /// Whether it makes the deterministic signature.
    pub is_deterministic: bool,
    /// Whether it signs a `mu`.
    pub signs_mu: bool,
    /// The hashes of its HashML-DSA.
    pub hashes: &'static [&'static str],
}

const SEED: &str = "--to pkcs8-der --private seed";
const EXPANDED: &str = "--to pkcs8-der --private expanded";
const BOTH: &str = "--to pkcs8-der --private both";

/// The hashes that FIPS 204 allows with at least one of the sets, in the order of their strength: the first four are for
/// ML-DSA-44 alone, the first six not for ML-DSA-87.
const ALL_HASHES: &[&str] =
    &["sha256", "sha512-256", "sha3-256", "shake128", "sha384", "sha3-384", "sha512", "sha3-512", "shake256"];

/// node's own cryptography, where it is installed.
fn node() -> Option<&'static Program> {
    static PROGRAM: OnceLock<Option<Program>> = OnceLock::new();
    let start = || {
        let node = folder().join("node/node");
        let there = node.exists();
        Program::start("node", &[], node, [source("node/peer.mjs")], there)
    };
    PROGRAM.get_or_init(start).as_ref()
}

/// Go's `crypto/mldsa`, where it is installed.
fn go() -> Option<&'static Program> {
    static PROGRAM: OnceLock<Option<Program>> = OnceLock::new();
    let start = || {
        let peer = folder().join("go/peer");
        let there = peer.exists();
        Program::start("Go", &[], peer, [""; 0], there)
    };
    PROGRAM.get_or_init(start).as_ref()
}

/// Python's package `cryptography`, where it is installed.
pub fn cryptography() -> Option<&'static Program> {
    static PROGRAM: OnceLock<Option<Program>> = OnceLock::new();
    let start = || {
        let (python, installed) = (folder().join("python/bin/python"), folder().join("python/installed.txt").exists());
        Program::start("cryptography", &[], python, [source("python/peer.py")], installed)
    };
    PROGRAM.get_or_init(start).as_ref()
}

/// Those that are installed.
pub fn installed() -> Vec<MlDsaProgram> {
    let of = |name, program: Option<&'static Program>, private_forms, is_deterministic, hashes| {
        program.map(|program| {
            let public_form = if name == "noble" { "raw" } else { "spki-der" };
            let signs_mu = name != "node";
            MlDsaProgram { name, program, private_forms, public_form, is_deterministic, signs_mu, hashes }
        })
    };
    let all = [
        of("noble", programs::noble(), &["raw"], true, ALL_HASHES),
        of("BouncyCastle", programs::bouncycastle(), &[SEED, EXPANDED, BOTH], true, &["sha512"]),
        of("node", node(), &[SEED, EXPANDED, BOTH], false, &[]),
        of("Go", go(), &[SEED], true, &[]),
        of("cryptography", cryptography(), &[SEED], false, &[]),
    ];
    all.into_iter().flatten().collect()
}

impl MlDsaProgram {
    /// A new private key, and its public key.
    pub fn keygen(&self, set: &str) -> [Vec<u8>; 2] {
        self.program.bytes(&["keygen", set])
    }

    /// A signature.
    pub fn sign(&self, set: &str, form: &str, [private, message, context]: [&[u8]; 3]) -> Vec<u8> {
        let [private, message, context] = [private, message, context].map(to_hex);
        let [signature] = self.program.bytes(&["sign", set, form, &private, &message, &context]);
        signature
    }

    /// The verdict on a signature.
    pub fn verify(&self, set: &str, form: &str, [public, message, context, signature]: [&[u8]; 4]) -> bool {
        let [public, message, context, signature] = [public, message, context, signature].map(to_hex);
        let verdict = self.program.ask(&["verify", set, form, &public, &message, &context, &signature]);
        verdict.is_ok_and(|words| words == ["true"])
    }
}
