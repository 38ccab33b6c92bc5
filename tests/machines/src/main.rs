//! Checks on this machine that the library computes the same bytes as on x86-64.
//!
//! ```text
//! machines levels                     prints the levels that this CPU has; the last one is chosen
//! machines laws                       compares all operations of all levels with the scalar level
//! machines bytes LEVEL 512 COUNT      computes keys and COUNT signatures, and compares their digest
//!                                     with tests/machines/digests.txt; 512 is a degree of the
//!                                     Falcon schemes, and 44, 65 and 87 are ML-DSA parameter sets
//! machines digest LEVEL 512 COUNT     prints the digest of these keys and signatures for that file
//! machines batch LEVEL 4 COUNT        signs COUNT messages in a batch and in a loop, and verifies
//!                                     the batch
//! machines count OPERATION LEVEL 512 ROUNDS   runs the operation ROUNDS times, each time between
//!                                     the functions `measure_begin` and `measure_end`; the level
//!                                     `peer` is crate `fn-dsa` (feature `peer`)
//! ```

use fndsa::algorithm::Scheme;
use fndsa::no_alloc::{Level, SigningKeyRef};
use fndsa::testing::FixedBytes;
use fndsa::{Algorithm, Options};
use sha2::{Digest, Sha256};
use std::process::ExitCode;

mod batch;
mod count;
mod measured;

/// The digests of the keys and signatures on x86-64. Each line has three words: the number in the
/// algorithm's name, the number of signatures, and the digest.
const DIGESTS: &str = include_str!("../digests.txt");
/// The number of signatures per key.
const SIGNATURES_PER_KEY: usize = 20;
/// The schemes of the Falcon family. Key 0 uses the first scheme, key 1 the second, and so on, in a
/// cycle. Together, the schemes use both bit orders of encodings, and all three ways to hash a
/// message.
const SCHEMES: [Scheme; 3] = [Scheme::FnDsa, Scheme::Falcon, Scheme::FnDsa2024];

/// Returns 2,048 pseudorandom bytes. Each block of 32 bytes is the SHA-256 digest of a purpose, a
/// number and the block's index. So many bytes are necessary because at toy degrees (below 512),
/// attempts to sign often fail, and an attempt may need a new nonce.
fn known_bytes(what: &str, number: usize) -> Vec<u8> {
    let number = (number as u64).to_le_bytes();
    let block = |block: u8| Sha256::new_with_prefix(what).chain_update(number).chain_update([block]).finalize();
    (0..64).flat_map(block).collect()
}

/// A key pair with work memory for its operations.
struct KeyPairBuffers {
    algorithm: Algorithm,
    private: Vec<u8>,
    public: Vec<u8>,
    work: Vec<u8>,
}

impl KeyPairBuffers {
    /// Generates the key pair with this number.
    fn new(level: Level, algorithm: Algorithm, number: usize) -> Self {
        let work = algorithm.sign_work_len().max(algorithm.import_work_len());
        let mut pair = Self {
            algorithm,
            private: vec![0; algorithm.signing_key_len()],
            public: vec![0; algorithm.verifying_key_len()],
            work: vec![0; work],
        };
        pair.generate(level, &known_bytes("key", number));
        pair
    }

    /// Replaces the keys by a key pair from this seed.
    fn generate(&mut self, level: Level, seed: &[u8]) {
        let Self { algorithm, private, public, work } = self;
        SigningKeyRef::generate(level, *algorithm, &mut FixedBytes(seed), private, public, work).expect("a key");
    }

    /// Loads a private key.
    fn key<'k>(private: &'k [u8], level: Level, algorithm: Algorithm, work: &mut [u8]) -> SigningKeyRef<'k> {
        SigningKeyRef::of_algorithm(level, algorithm, private, work).expect("a good key")
    }

    /// Returns the expanded form of an ML-DSA private key, and checks that it can be imported. For
    /// other schemes, returns no bytes.
    fn expanded_form(&self, level: Level) -> Vec<u8> {
        let mut form = vec![0; self.algorithm.expanded_form_len().unwrap_or_default()];
        if !form.is_empty() {
            let mut work = self.work.clone();
            let key = Self::key(&self.private, level, self.algorithm, &mut work);
            key.expanded_form_into(level, &mut form, &mut work).expect("enough memory");
            Self::key(&form, level, self.algorithm, &mut work);
        }
        form
    }

    /// Signs the message with this number, and verifies the signature.
    fn signature(&mut self, level: Level, number: usize) -> Vec<u8> {
        let Self { algorithm, private, public, work } = self;
        let key = Self::key(private, level, *algorithm, work);
        let message = &known_bytes("message", number)[..100];
        let random = known_bytes("signature", number);
        let context: &[u8] = if algorithm.scheme().has_context() { b"context" } else { b"" };
        let form = Options::with_context(context);
        let mut signature = vec![0; algorithm.signature_len()];
        key.sign_message(level, form, message, &mut FixedBytes(&random), &mut signature, work).expect("a signature");
        let key = fndsa::testing::verifying_key(algorithm.scheme(), public).expect("a good key");
        key.verify_message(level, form, message, &signature, work).expect("a good signature");
        assert!(
            key.verify_message(level, form, b"another", &signature, work).is_err(),
            "a signature of another message is accepted"
        );
        signature
    }
}

/// Returns the level with this name, which the CPU must support.
fn level(name: &str) -> Level {
    Level::from_name(name).unwrap_or_else(|| panic!("this CPU has no level {name}"))
}

/// Returns the algorithm of a scheme with a degree or parameter set, such as `512` or `44`.
fn algorithm(scheme: Scheme, parameter: &str) -> Algorithm {
    let name = format!("{}-{parameter}", scheme.title());
    Algorithm::of_scheme_with_toys(scheme).find(|algorithm| algorithm.to_string() == name).expect("an algorithm")
}

/// Returns the algorithm for key `number`, among the algorithms with this parameter in the name.
fn algorithm_of(number: usize, parameter: &str) -> Algorithm {
    let is_set = ["44", "65", "87"].contains(&parameter);
    algorithm(if is_set { Scheme::MlDsa } else { SCHEMES[number % SCHEMES.len()] }, parameter)
}

/// Computes key pairs and `count` signatures, and returns their digest in hexadecimal digits.
fn digest(level: Level, parameter: &str, count: usize) -> String {
    let mut hash = Sha256::new();
    let mut pair = None;
    for number in 0..count {
        if number % SIGNATURES_PER_KEY == 0 {
            let key = number / SIGNATURES_PER_KEY;
            let new_pair = KeyPairBuffers::new(level, algorithm_of(key, parameter), key);
            hash.update(&new_pair.private);
            hash.update(new_pair.expanded_form(level));
            hash.update(&new_pair.public);
            pair = Some(new_pair);
        }
        let Some(pair) = &mut pair else { continue };
        hash.update(pair.signature(level, number));
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Generates keys and signatures, and compares their digest with the digest in the list.
fn check_digest(level: Level, parameter: &str, count: usize) -> ExitCode {
    let line = format!("{parameter} {count} ");
    let Some(expected) = DIGESTS.lines().find_map(|it| it.strip_prefix(&line)) else {
        println!("FAILED: digests.txt contains no digest of {count} signatures for {parameter}");
        return ExitCode::FAILURE;
    };
    let found = digest(level, parameter, count);
    if found != expected {
        println!("FAILED: {level}, {parameter}: {count} signatures have the digest {found}");
        return ExitCode::FAILURE;
    }
    println!("{level}, {parameter}: {count} signatures equal those of x86-64");
    ExitCode::SUCCESS
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["levels"] => {
            let names: Vec<_> = Level::available().map(Level::name).collect();
            println!("{}", names.join(" "));
            assert_eq!(names.last(), Some(&Level::detect().name()));
        }
        ["laws"] => {
            fndsa::testing::laws();
            println!("every operation of every level equals the scalar operation");
        }
        ["bytes", name, degree, signatures] => {
            return check_digest(level(name), degree, signatures.parse().expect("a number"));
        }
        ["digest", name, degree, signatures] => {
            println!("{degree} {signatures} {}", digest(level(name), degree, signatures.parse().expect("a number")));
        }
        ["batch", name, degree, signatures] => {
            batch::check_batch(level(name), degree, signatures.parse().expect("a number"));
            println!("{name}, {degree}: a batch of {signatures} signatures is correct");
        }
        ["count", operation, name, degree, rounds] => {
            count::run_counted(operation, name, degree, rounds.parse().expect("a number"));
        }
        _ => panic!(
            "machines levels | laws | bytes LEVEL DEGREE COUNT | digest LEVEL DEGREE COUNT | batch LEVEL DEGREE COUNT | count OPERATION LEVEL DEGREE ROUNDS"
        ),
    }
    ExitCode::SUCCESS
}
