//! Looks whether the library gives on this machine the bytes that it gives on x86-64.
//!
//! ```text
//! machines levels                     names of the levels that this CPU has, the one that is chosen last
//! machines laws                       each operation of each level, compared with the scalar one
//! machines bytes LEVEL 512 COUNT      keys and COUNT signatures, compared with the digests of tests/machines/digests.txt
//! machines digest LEVEL 512 COUNT     the digest of these, for that list
//! machines count OPERATION LEVEL 512 ROUNDS   the operation so many times, between the functions `icnt_start` and `icnt_stop`
//! ```

use fndsa::testing::FixedBytes;
use fndsa::{Algorithm, Form, Level, Scheme, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};
use std::hint::black_box;
use std::process::ExitCode;

/// Lines of algorithm, number of signatures, digest.
const DIGESTS: &str = include_str!("../digests.txt");
/// Signatures made with one key.
const OF_A_KEY: usize = 20;
/// The schemes in turn, key by key: both orders of bits, and the three ways to hash a message.
const SCHEMES: [Scheme; 3] = [Scheme::FnDsa, Scheme::Falcon, Scheme::FnDsa2024];

/// Random bytes that are known: SHA-256 of what they are for, and of a number. Toy degrees use up many nonces.
fn known(what: &str, number: usize) -> Vec<u8> {
    let number = (number as u64).to_le_bytes();
    let block = |block: u8| Sha256::new_with_prefix(what).chain_update(number).chain_update([block]).finalize();
    (0..64).flat_map(block).collect()
}

/// A pair of keys, with memory for what is done with it.
struct Pair {
    algorithm: Algorithm,
    private: Vec<u8>,
    public: Vec<u8>,
    work: Vec<u8>,
}

impl Pair {
    fn new(level: Level, algorithm: Algorithm, number: usize) -> Self {
        let mut private = vec![0; algorithm.signing_key_len()];
        let mut public = vec![0; algorithm.verifying_key_len()];
        let mut work = vec![0; algorithm.sign_work_len().max(algorithm.import_work_len())];
        let seed = known("key", number);
        let rng = &mut FixedBytes(&seed);
        SigningKey::generate(level, algorithm, rng, &mut private, &mut public, &mut work).expect("a key");
        Self { algorithm, private, public, work }
    }

    fn key<'k>(private: &'k [u8], level: Level, algorithm: Algorithm, work: &mut [u8]) -> SigningKey<'k> {
        SigningKey::from_bytes(level, algorithm.scheme(), private, work).expect("a good key")
    }

    /// Signs a message of its own number, and verifies.
    fn signature(&mut self, level: Level, number: usize) -> Vec<u8> {
        let Self { algorithm, private, public, work } = self;
        let key = Self::key(private, level, *algorithm, work);
        let message = &known("message", number)[..100];
        let random = known("signature", number);
        let context: &[u8] = if algorithm.scheme().has_context() { b"context" } else { b"" };
        let form = Form { context, prehash: None };
        let mut signature = vec![0; algorithm.signature_len()];
        key.sign_message(level, form, message, &mut FixedBytes(&random), &mut signature, work).expect("a signature");
        let key = VerifyingKey::from_bytes(algorithm.scheme(), public).expect("a good key");
        key.verify_message(level, form, message, &signature, work).expect("a good signature");
        assert!(key.verify_message(level, form, b"another", &signature, work).is_err(), "another message");
        signature
    }
}

fn algorithm(scheme: Scheme, degree: &str) -> Algorithm {
    format!("{}-{degree}", scheme.title()).parse().expect("a degree")
}

/// The digest of keys and of `count` signatures, in hexadecimal digits.
fn digest(level: Level, degree: &str, count: usize) -> String {
    let mut hash = Sha256::new();
    let mut pair = None;
    for number in 0..count {
        if number % OF_A_KEY == 0 {
            let key = number / OF_A_KEY;
            let made = Pair::new(level, algorithm(SCHEMES[key % SCHEMES.len()], degree), key);
            hash.update(&made.private);
            hash.update(&made.public);
            pair = Some(made);
        }
        let Some(pair) = &mut pair else { continue };
        hash.update(pair.signature(level, number));
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Makes keys and signatures, and compares their digest with the one in the list.
fn bytes(level: Level, degree: &str, count: usize) -> ExitCode {
    let line = format!("{degree} {count} ");
    let Some(expected) = DIGESTS.lines().find_map(|it| it.strip_prefix(&line)) else {
        println!("FAILED: the list has no digest of {count} signatures at degree {degree}");
        return ExitCode::FAILURE;
    };
    let found = digest(level, degree, count);
    if found != expected {
        println!("FAILED: {level}, degree {degree}: {count} signatures have the digest {found}");
        return ExitCode::FAILURE;
    }
    println!("{level}, degree {degree}: {count} signatures are those of x86-64");
    ExitCode::SUCCESS
}

/// An emulator counts instructions from here on.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn icnt_start() {
    black_box(1);
}

/// An emulator counts instructions until here.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn icnt_stop() {
    black_box(2u64);
}

/// Runs an operation `rounds` times between the markers.
fn count(operation: &str, level: Level, degree: &str, rounds: usize) {
    let algorithm = algorithm(Scheme::FnDsa, degree);
    let mut pair = Pair::new(level, algorithm, 0);
    let signature = pair.signature(level, 0);
    let Pair { private, public, work, .. } = &mut pair;
    let mut out = vec![0; algorithm.signature_len()];
    let mu = fndsa::Mu::from_bytes([7; 64]);
    let expanded = Pair::key(private, level, algorithm, work).expand(level, work).expect("enough memory");
    let verifying = VerifyingKey::from_bytes(algorithm.scheme(), public).expect("a good key");
    for round in 0..rounds {
        let random = known("signature", round);
        let rng = &mut FixedBytes(&random);
        icnt_start();
        match operation {
            "keygen" => drop(Pair::new(level, algorithm, round)),
            "sign" => Pair::key(private, level, algorithm, work).sign(level, &mu, rng, &mut out, work).expect("signed"),
            "sign-repeat" => expanded.sign(&mu, rng, &mut out, work).expect("signed"),
            // The signature is of another message: the work is that of a good one.
            "verify" => assert!(black_box(verifying.verify(level, &mu, &signature, work)).is_err()),
            other => panic!("no operation {other}"),
        }
        icnt_stop();
        black_box(&out);
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let level = |name: &str| Level::from_name(name).unwrap_or_else(|| panic!("this CPU has no level {name}"));
    match words[..] {
        ["levels"] => {
            let names: Vec<_> = Level::available().map(Level::name).collect();
            println!("{}", names.join(" "));
            assert_eq!(names.last(), Some(&Level::detect().name()));
        }
        ["laws"] => {
            fndsa::testing::laws();
            println!("every operation of every level is the scalar one");
        }
        ["bytes", name, degree, signatures] => {
            return bytes(level(name), degree, signatures.parse().expect("a number"));
        }
        ["digest", name, degree, signatures] => {
            println!("{degree} {signatures} {}", digest(level(name), degree, signatures.parse().expect("a number")));
        }
        ["count", operation, name, degree, rounds] => {
            count(operation, level(name), degree, rounds.parse().expect("a number"));
        }
        _ => panic!(
            "machines levels | laws | bytes LEVEL DEGREE COUNT | digest LEVEL DEGREE COUNT | count OPERATION LEVEL DEGREE ROUNDS"
        ),
    }
    ExitCode::SUCCESS
}
