//! Benchmark of ML-DSA against AWS-LC, with its crate `aws-lc-rs`, on all levels (instruction sets)
//! of this CPU:
//! `cargo bench --locked --manifest-path benches/aws-lc/Cargo.toml --target-dir target`. Add `--`
//! and words to select levels and rows (lines of the output), as in `benches/mldsa.rs`. Both
//! programs print their results in the same form.
//!
//! Before the benchmark measures verification, each library verifies the other library's
//! signatures. AWS-LC signs with random bytes, and fndsa signs without random bytes. Both private
//! keys are loaded before signing is measured. AWS-LC decodes the public key in each verification.

#[path = "../timing/mod.rs"]
mod timing;

use aws_lc_rs::encoding::AsRawBytes;
use aws_lc_rs::signature::{
    KeyPair, PqdsaKeyPair, PqdsaSigningAlgorithm, PqdsaVerificationAlgorithm, UnparsedPublicKey,
};
use aws_lc_rs::signature::{ML_DSA_44, ML_DSA_44_SIGNING, ML_DSA_65, ML_DSA_65_SIGNING, ML_DSA_87, ML_DSA_87_SIGNING};
use fndsa::no_alloc::{Level, SigningKeyRef, VerifyingKeyRef};
use fndsa::{Algorithm, Options};
use std::hint::black_box;
use timing::{MESSAGES, compare_times, is_selected, timed_library};

/// The parameter sets, as both libraries name them.
static PARAMETER_SETS: [(Algorithm, &PqdsaSigningAlgorithm, &PqdsaVerificationAlgorithm); 3] = [
    (Algorithm::ML_DSA_44, &ML_DSA_44_SIGNING, &ML_DSA_44),
    (Algorithm::ML_DSA_65, &ML_DSA_65_SIGNING, &ML_DSA_65),
    (Algorithm::ML_DSA_87, &ML_DSA_87_SIGNING, &ML_DSA_87),
];

/// Measures key generation, signing and verification for a parameter set on a level.
fn bench(number: usize, level: Level) {
    let (algorithm, peer_signing, peer_verifying) = PARAMETER_SETS[number];
    let messages: Vec<String> = serde_json::from_str(MESSAGES[number]).expect("messages");
    let name = |what: &str| format!("{what} {algorithm} {level}");
    let mut work = vec![0; algorithm.sign_fast_work_len().max(algorithm.keygen_fast_work_len())];

    let mut keys = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
    let ours = |_| {
        let rng = &mut getrandom::SysRng;
        SigningKeyRef::generate(level, algorithm, rng, &mut keys.0, &mut keys.1, &mut work).expect("a key");
    };
    let peer = |_| drop(black_box(PqdsaKeyPair::generate(peer_signing)));
    compare_times(&name("keygen"), vec![timed_library("fndsa", 50, ours), timed_library("aws-lc", 50, peer)]);

    let peer_key = PqdsaKeyPair::generate(peer_signing).expect("a key");
    let public = peer_key.public_key().as_ref();
    let peer_public = UnparsedPublicKey::new(peer_verifying, public);
    let verifying = VerifyingKeyRef::of_algorithm(algorithm, public).expect("a good key");
    let expanded_form = peer_key.private_key().as_raw_bytes().expect("the expanded form");
    let key = SigningKeyRef::of_algorithm(level, algorithm, expanded_form.as_ref(), &mut work).expect("a good key");

    let mut signatures = vec![vec![0; algorithm.signature_len()]; messages.len()];
    let mut peer_signatures = signatures.clone();
    let mut ours = |i: usize| {
        let mut mu = fndsa::message::MuBuilder::pure(level, &key.key_hash(), b"").expect("a context");
        mu.update(messages[i].as_bytes());
        key.sign_deterministic(level, &mu.finish(), &mut signatures[i], &mut work).expect("a signature");
    };
    let mut peer = |i: usize| {
        peer_key.sign(messages[i].as_bytes(), &mut peer_signatures[i]).expect("a signature");
    };
    for i in 0..messages.len() {
        ours(i);
        peer(i);
    }
    let libraries = [timed_library("fndsa", messages.len(), ours), timed_library("aws-lc", messages.len(), peer)];
    compare_times(&name("sign"), libraries.into());

    let mut work = vec![0; algorithm.verify_fast_work_len()];
    for (i, message) in messages.iter().enumerate() {
        peer_public.verify(message.as_bytes(), &signatures[i]).expect("our signature is good for AWS-LC");
        verifying
            .verify_message(level, Options::default(), message.as_bytes(), &peer_signatures[i], &mut work)
            .expect("a signature of AWS-LC is good for us");
    }
    let ours = |i: usize| {
        verifying
            .verify_message(level, Options::default(), messages[i].as_bytes(), &signatures[i], &mut work)
            .expect("a good signature");
    };
    let peer = |i: usize| peer_public.verify(messages[i].as_bytes(), &signatures[i]).expect("a good signature");
    compare_times(&name("verify"), vec![timed_library("fndsa", 50, ours), timed_library("aws-lc", 50, peer)]);
}

fn main() {
    for level in Level::available() {
        if is_selected(level.name(), |word| Level::from_name(word).is_some()) {
            (0..3).for_each(|number| bench(number, level));
        }
    }
}
