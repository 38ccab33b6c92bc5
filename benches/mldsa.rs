//! Benchmark of ML-DSA against `pqcrypto-mldsa` (PQClean's code, with AVX2), `libcrux-ml-dsa` and
//! RustCrypto's `ml-dsa`, on all levels (instruction sets) of this CPU:
//! `cargo bench --features testing --bench mldsa`. To measure a single level, and only the rows
//! (lines of the output) that start with a given text:
//! `cargo bench --features testing --bench mldsa -- avx512 'sign ML-DSA-44'`.
//!
//! The libraries run in turn, in rounds. The number in parentheses is a library's time divided by
//! the first time in the line, which is the time for fndsa.
//!
//! - Key generation and verification: the time is the shortest call's duration. A round calls
//!   `ml-dsa` 10 times, and the other libraries, which are faster, 50 times.
//! - Signatures: a round's time is the mean over its calls, and the result is the median over the
//!   rounds. The messages come from the CCTV project, which chose them so that the mean number of
//!   attempts is the expected value. `pqcrypto-mldsa` signs with random bytes, so its mean varies.
//!   The private key for `libcrux-ml-dsa` and `ml-dsa` is a seed, so the benchmark compares them
//!   with this library's signatures from a seed.

#[path = "../tests/mldsa/oracles.rs"]
mod oracles;
mod timing;

use fndsa::error::VerifyError;
use fndsa::no_alloc::{Level, MessageToVerify, SigningKeyRef, VerifyingKeyRef};
use fndsa::{Algorithm, Options, testing::FixedBytes};
use oracles::ORACLES;
use pqcrypto_mldsa::{mldsa44, mldsa65, mldsa87};
use pqcrypto_traits::sign::{DetachedSignature, PublicKey, SecretKey};
use std::hint::black_box;
use timing::{MESSAGES, compare_times, is_selected, timed_library};

/// The number of signatures in a batch.
const BATCH: usize = 64;
const SEED: [u8; 32] = [0; 32];

/// The functions in `pqcrypto-mldsa` for a parameter set.
struct PqcleanMlDsa {
    keygen: fn() -> (Vec<u8>, Vec<u8>),
    sign: fn(&[u8], &[u8]) -> Vec<u8>,
    verify: fn(&[u8], &[u8], &[u8]) -> bool,
}

macro_rules! pqclean {
    ($set:ident) => {
        PqcleanMlDsa {
            keygen: || {
                let (public, secret) = $set::keypair();
                (public.as_bytes().to_vec(), secret.as_bytes().to_vec())
            },
            sign: |message, key| {
                let key = $set::SecretKey::from_bytes(key).expect("the length");
                $set::detached_sign(message, &key).as_bytes().to_vec()
            },
            verify: |message, public, signature| {
                let public = $set::PublicKey::from_bytes(public).expect("the length");
                let signature = $set::DetachedSignature::from_bytes(signature).expect("the length");
                $set::verify_detached_signature(&signature, message, &public).is_ok()
            },
        }
    };
}

/// Measures all operations for a parameter set on a level.
fn bench(number: usize, level: Level) {
    let algorithm = [Algorithm::ML_DSA_44, Algorithm::ML_DSA_65, Algorithm::ML_DSA_87][number];
    let peer = &[pqclean!(mldsa44), pqclean!(mldsa65), pqclean!(mldsa87)][number];
    let [rust_crypto, libcrux] = &ORACLES[number];
    let messages: Vec<String> = serde_json::from_str(MESSAGES[number]).expect("messages");
    let name = |what: &str| format!("{what} {algorithm} {level}");
    println!("peers: pqcrypto-mldsa, {}, {}", libcrux.name, rust_crypto.name);
    let form = Options::default();
    let mut work = vec![0; algorithm.sign_fast_work_len().max(algorithm.keygen_fast_work_len())];

    let mut keys = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
    let ours = |_| {
        let mut rng = FixedBytes(&SEED);
        SigningKeyRef::generate(level, algorithm, &mut rng, &mut keys.0, &mut keys.1, &mut work).expect("a key");
    };
    compare_times(
        &name("keygen"),
        vec![
            timed_library("fndsa", 50, ours),
            timed_library("pqcrypto", 50, |_| drop(black_box((peer.keygen)()))),
            timed_library("libcrux", 50, |_| drop(black_box((libcrux.keygen)(&SEED)))),
            timed_library("ml-dsa", 10, |_| drop(black_box((rust_crypto.keygen)(&SEED)))),
        ],
    );

    let (expanded_form, public) = (libcrux.keygen)(&SEED);
    let key = SigningKeyRef::of_algorithm(level, algorithm, &expanded_form, &mut work).expect("a good key");
    let from_seed = SigningKeyRef::from_seed(level, algorithm, &SEED, &mut work).expect("a good key");
    let mut signatures = vec![vec![0; algorithm.signature_len()]; messages.len()];
    let (mut seed_signature, mut memory) = (vec![0; algorithm.signature_len()], work.clone());
    let mu = |message: &str| {
        let mut mu = fndsa::message::MuBuilder::pure(level, &key.key_hash(), form.context).expect("a context");
        mu.update(message.as_bytes());
        mu.finish()
    };
    for (message, signature) in messages.iter().zip(&mut signatures) {
        key.sign_deterministic(level, &mu(message), signature, &mut work).expect("a signature");
    }
    compare_times(
        &name("sign"),
        vec![
            timed_library("fndsa", messages.len(), |i| {
                key.sign_deterministic(level, &mu(&messages[i]), &mut signatures[i], &mut work).expect("a signature");
            }),
            timed_library("pqcrypto", messages.len(), |i| {
                black_box((peer.sign)(messages[i].as_bytes(), &expanded_form));
            }),
        ],
    );
    compare_times(
        &name("sign from seed"),
        vec![
            timed_library("fndsa", messages.len(), |i| {
                from_seed
                    .sign_deterministic(level, &mu(&messages[i]), &mut seed_signature, &mut memory)
                    .expect("a signature");
            }),
            timed_library("libcrux", messages.len(), |i| {
                black_box((libcrux.sign)(&SEED, messages[i].as_bytes(), b"", &[0; 32]));
            }),
            timed_library("ml-dsa", messages.len(), |i| {
                black_box((rust_crypto.sign)(&SEED, messages[i].as_bytes(), b"", &[0; 32]));
            }),
        ],
    );

    // The following code measures the same signatures with four lengths of the work memory.
    let min_work_len = key.sign_work_len();
    let work_lens = [
        ("most memory", algorithm.sign_fast_work_len()),
        ("matrix", algorithm.sign_matrix_work_len()),
        ("low", min_work_len + 1024),
        ("least", min_work_len),
    ];
    let (key, mu, messages) = (&key, &mu, &messages);
    let libraries = work_lens.map(|(work_name, len)| {
        let (mut memory, mut signature) = (vec![0; len], vec![0; algorithm.signature_len()]);
        timed_library(work_name, messages.len(), move |i| {
            key.sign_deterministic(level, &mu(&messages[i]), &mut signature, &mut memory).expect("a signature");
        })
    });
    compare_times(&name("sign by memory"), libraries.into());

    // Each call signs all messages.
    let prepared = key.expand(level, &mut vec![0; algorithm.sign_work_len()]).expect("enough memory");
    let mus: Vec<_> = messages.iter().map(|message| mu(message)).collect();
    let zeros = vec![0; 32 * messages.len()];
    let mut batch_signatures = vec![0; messages.len() * algorithm.signature_len()];
    let (mut batch_memory, mut alone_memory) =
        (vec![0; algorithm.sign_batch_work_len()], vec![0; algorithm.sign_expanded_work_len()]);
    let mut signature = vec![0; algorithm.signature_len()];
    compare_times(
        &name("sign-batch"),
        vec![
            timed_library("fndsa", 10, |_| {
                prepared
                    .sign_batch(&mus, &mut FixedBytes(&zeros), &mut batch_signatures, &mut batch_memory)
                    .expect("signatures");
            }),
            timed_library("fndsa expanded, one by one", 10, |_| {
                for mu in &mus {
                    prepared.sign_deterministic(mu, &mut signature, &mut alone_memory).expect("a signature");
                }
            }),
            timed_library("pqcrypto", 10, |_| {
                for message in messages {
                    black_box((peer.sign)(message.as_bytes(), &expanded_form));
                }
            }),
        ],
    );

    let verifying = VerifyingKeyRef::of_algorithm(algorithm, &public).expect("a good key");
    let expanded = verifying.expand(level);
    let mut work = vec![0; algorithm.verify_fast_work_len()];
    let mut memory = work.clone();
    let signed_message = |i: usize| (messages[i].as_bytes(), &signatures[i][..]);
    compare_times(
        &name("verify"),
        vec![
            timed_library("fndsa", 50, |i| {
                let (message, signature) = signed_message(i);
                verifying.verify_message(level, form, message, signature, &mut work).expect("a good signature");
            }),
            timed_library("fndsa expanded", 50, |i| {
                let (message, signature) = signed_message(i);
                expanded.verify_message(form, message, signature, &mut memory).expect("a good signature");
            }),
            timed_library("pqcrypto", 50, |i| {
                assert!((peer.verify)(signed_message(i).0, &public, signed_message(i).1))
            }),
            timed_library("libcrux", 50, |i| {
                assert!((libcrux.verify)(&public, signed_message(i).0, b"", signed_message(i).1))
            }),
            timed_library("ml-dsa", 10, |i| {
                assert!((rust_crypto.verify)(&public, signed_message(i).0, b"", signed_message(i).1))
            }),
        ],
    );

    // Each call verifies `BATCH` signatures.
    let items: Vec<_> =
        (0..BATCH).map(|i| (MessageToVerify::message(form, messages[i].as_bytes()), &signatures[i][..])).collect();
    let mut verdicts = vec![Err(VerifyError::Mismatch); BATCH];
    let mut batch_memory = vec![0; algorithm.verify_batch_work_len()];
    compare_times(
        &name("verify-batch"),
        vec![
            timed_library("fndsa", 10, |_| {
                expanded.verify_batch(&items, &mut verdicts, &mut batch_memory).expect("good signatures");
            }),
            timed_library("fndsa expanded, one by one", 10, |_| {
                for (message, signature) in &items {
                    expanded.verify(*message, signature, &mut memory).expect("a good signature");
                }
            }),
            timed_library("pqcrypto", 10, |_| {
                for i in 0..BATCH {
                    assert!((peer.verify)(signed_message(i).0, &public, signed_message(i).1));
                }
            }),
        ],
    );
}

fn main() {
    for level in Level::available() {
        if is_selected(level.name(), |word| Level::from_name(word).is_some()) {
            (0..3).for_each(|number| bench(number, level));
        }
    }
}
