//! Benchmark of this library against the fastest available peers, on all levels (instruction sets)
//! of this CPU: `cargo bench --bench peer`. The peers are crate `fn-dsa` 0.4.0 (with AVX2) for
//! FN-DSA, and PQClean's C code in crate `pqcrypto-falcon` (with AVX2) for Falcon. The output ends
//! with the tables for docs/speed.md.
//!
//! `cargo bench --bench peer -- sign/512/avx2` measures the operations with this text in the name
//! (a regular expression; Falcon's names are like `sign/falcon-512/avx2`).
//! `-- --measurement-time 0.2 --warm-up-time 0.1` measures fewer pairs.
//!
//! A criterion measurement runs both libraries (A and B) in the order A B B A. Each pair of runs
//! gets fresh randomness. Crate `fn-dsa` gets the same randomness as our library. PQClean's code
//! gets random bytes from the operating system. Criterion reports our time. The tables contain the
//! median ratio of the pairs. The time to generate a key depends on the seed, so for key generation
//! the tables contain the ratio of the mean times.
#![allow(missing_docs)] // criterion's macros have no documentation

#[path = "../tests/common/peer.rs"]
mod peer;

use criterion::{BenchmarkId, Criterion, SamplingMode};
use fn_dsa::{
    DOMAIN_NONE, HASH_ID_RAW, KeyPairGenerator, KeyPairGenerator512, KeyPairGenerator1024, SigningKey512,
    SigningKey1024, VerifyingKey512, VerifyingKey1024,
};
use fndsa::algorithm::{Degree, Scheme};
use fndsa::batch::{BatchItem, ExpandedVerifyingKey};
use fndsa::error::{SignError, VerifyError};
use fndsa::message::{KeyHash, Mu, MuBuilder};
use fndsa::no_alloc::{
    Attempt, Level, MessageToVerify, SigningHasher, SigningKeyRef, VerifyingHasher, VerifyingKeyRef,
};
use fndsa::{Algorithm, Options};
use pqcrypto_falcon::{falconpadded512, falconpadded1024};
use pqcrypto_traits::sign::{DetachedSignature, PublicKey, SecretKey, VerificationError};
use rand_core::{TryCryptoRng, TryRng};
use std::cell::RefCell;
use std::convert::Infallible;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A random generator for this library that returns the given bytes, and panics if more bytes are
/// requested. For the peer, [`peer::PeerReplayRng`] returns the same bytes.
struct ReplayRng<'a>(&'a [u8]);

impl TryRng for ReplayRng<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut b = [0; 4];
        self.try_fill_bytes(&mut b).map(|()| u32::from_le_bytes(b))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut b = [0; 8];
        self.try_fill_bytes(&mut b).map(|()| u64::from_le_bytes(b))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        let (first, rest) = self.0.split_at(out.len());
        out.copy_from_slice(first);
        self.0 = rest;
        Ok(())
    }
}

impl TryCryptoRng for ReplayRng<'_> {}

/// Returns the random bytes for pair `i`. Each pair gets different bytes.
fn fresh_bytes(i: u64) -> [u8; 40] {
    let mut x = i.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xd1b5_4a32_d192_ed03;
    std::array::from_fn(|_| {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 32) as u8
    })
}

/// The times for an operation, in seconds per item. `ours` and `theirs` have an entry for each pair
/// of calls.
struct OperationTimes {
    operation: &'static str,
    algorithm: Algorithm,
    level: Level,
    ours: Vec<f64>,
    theirs: Vec<f64>,
}

/// Returns the median.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Returns the arithmetic mean.
fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

impl OperationTimes {
    /// Returns the peer's time divided by our time.
    fn ratio(&self) -> f64 {
        if self.operation == KEYGEN {
            return mean(&self.theirs) / mean(&self.ours);
        }
        median(self.ours.iter().zip(&self.theirs).map(|(ours, theirs)| theirs / ours).collect())
    }

    /// Returns the time for an operation in a library: the mean of `side` for key generation, and
    /// the median of `side` for all other operations.
    fn time(&self, side: &[f64]) -> f64 {
        if self.operation == KEYGEN { mean(side) } else { median(side.to_vec()) }
    }
}

/// The operation that generates a key pair.
const KEYGEN: &str = "keygen";
/// The number of items in a batch. The peer processes these items in sequence.
const BATCH: usize = 8;

/// Returns different random bytes for each item in a batch, derived from the bytes for the pair.
fn items(bytes: &[u8; 40]) -> [[u8; 40]; BATCH] {
    std::array::from_fn(|i| bytes.map(|byte| byte ^ (0x1d * i) as u8))
}
/// The name of the operation that verifies a batch. The peer has no batches, so the peer verifies
/// the items in sequence. For FN-DSA, the peer uses a decoded key.
const VERIFY_BATCH: &str = "verify-batch";

/// Returns the number of different seeds for key generation.
fn seeds(degree: Degree) -> usize {
    if degree == Degree::N1024 { 50 } else { 200 }
}

/// An operation in this library and in the peer. [`Self::run`] measures a pair of calls.
struct PairedMeasurement<A, B> {
    number: u64,
    row: OperationTimes,
    ours: A,
    theirs: B,
}

impl<A: FnMut(&[u8; 40]), B: FnMut(&[u8; 40])> PairedMeasurement<A, B> {
    /// Measures the next pair and returns our time.
    fn run(&mut self) -> Duration {
        let seeds = if self.row.operation == KEYGEN {
            seeds(self.row.algorithm.degree().expect("a degree")) as u64
        } else {
            u64::MAX
        };
        self.number += 1;
        let bytes = fresh_bytes(self.number % seeds);
        let is_ours_first = self.number.is_multiple_of(2);
        let mut our_time = Duration::ZERO;
        if is_ours_first {
            our_time = duration_of(|| (self.ours)(&bytes));
        }
        let their_time = duration_of(|| (self.theirs)(&bytes));
        if !is_ours_first {
            our_time = duration_of(|| (self.ours)(&bytes));
        }
        let items = if self.row.operation.ends_with("-batch") { BATCH as f64 } else { 1.0 };
        self.row.ours.push(our_time.as_secs_f64() / items);
        self.row.theirs.push(their_time.as_secs_f64() / items);
        our_time
    }
}

struct PeerBenchmark {
    criterion: Criterion,
    rows: Vec<OperationTimes>,
}

impl PeerBenchmark {
    /// Measures `ours(bytes)` and `theirs(bytes)` in pairs with the same random bytes.
    fn compare(
        &mut self,
        operation: &'static str,
        algorithm: Algorithm,
        level: Level,
        ours: impl FnMut(&[u8; 40]),
        theirs: impl FnMut(&[u8; 40]),
    ) {
        let row = OperationTimes { operation, algorithm, level, ours: vec![], theirs: vec![] };
        let pairs = RefCell::new(PairedMeasurement { number: 0, row, ours, theirs });
        let mut group = self.criterion.benchmark_group(operation);
        group.sampling_mode(SamplingMode::Flat);
        let n = algorithm.degree().expect("a degree").n();
        let name = if algorithm.scheme() == Scheme::Falcon { format!("falcon-{n}") } else { n.to_string() };
        group.bench_function(BenchmarkId::new(name, level), |b| {
            b.iter_custom(|count| (0..count).map(|_| pairs.borrow_mut().run()).sum());
        });
        group.finish();
        let mut pairs = pairs.into_inner();
        if pairs.row.ours.is_empty() {
            return;
        }
        // Continues until each seed has the same number of measurements, because the table contains
        // the mean over all seeds.
        while operation == KEYGEN && !pairs.row.ours.len().is_multiple_of(seeds(algorithm.degree().expect("a degree")))
        {
            pairs.run();
        }
        self.rows.push(pairs.row);
    }

    /// Prints the table of a scheme for docs/speed.md, with a column for each level.
    fn print_table(&self, scheme: Scheme, theirs: &str) {
        let rows: Vec<_> = self.rows.iter().filter(|row| row.algorithm.scheme() == scheme).collect();
        let mut levels = levels();
        levels.retain(|level| rows.iter().any(|row| row.level == *level));
        if levels.is_empty() {
            return;
        }
        let names: Vec<_> = levels.iter().map(|level| level.name()).collect();
        println!("\n| | {theirs}, µs | {} |", names.join(" | "));
        println!("|---|--:|{}", "--:|".repeat(levels.len()));
        for degree in [Degree::N512, Degree::N1024] {
            for operation in [KEYGEN, "sign", "sign-repeat", "sign-batch", "verify", "verify-repeat", VERIFY_BATCH] {
                let rows = rows
                    .iter()
                    .filter(|row| (row.operation, row.algorithm.degree().expect("a degree")) == (operation, degree));
                let rows: Vec<_> = rows.collect();
                let Some(fastest) = rows.first() else { continue };
                print!("| {operation} {} | {:.1} |", degree.n(), fastest.time(&fastest.theirs) * 1e6);
                for level in &levels {
                    match rows.iter().find(|row| row.level == *level) {
                        Some(row) => print!(" {:.2} |", row.ratio()),
                        None => print!(" |"),
                    }
                }
                println!();
            }
        }
    }

    /// Prints our times and the number of pairs for each operation, because the tables contain only
    /// ratios.
    fn print_times(&self) {
        for row in &self.rows {
            let (ours, pairs) = (row.time(&row.ours) * 1e6, row.ours.len());
            println!("{:<14} {:<12} {:<9} {ours:>12.1} µs, {pairs} pairs", row.operation, row.algorithm, row.level);
        }
    }
}

/// Returns all levels of this CPU, the fastest level first.
fn levels() -> Vec<Level> {
    let mut levels: Vec<_> = Level::available().collect();
    levels.reverse();
    levels
}

/// Runs a function and returns its duration.
fn duration_of(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// Returns mu (the hash that ML-DSA and FN-DSA sign) for a message of 40 bytes without a context.
fn mu_of(level: Level, key: &KeyHash, message: &[u8]) -> Mu {
    let mut builder = MuBuilder::pure(level, key, b"").expect("an empty context is short enough");
    builder.update(message);
    builder.finish()
}

/// Returns a closure in which this library verifies a batch of signatures for 40-byte messages. The
/// closure's argument contains random bytes. The first byte is the batch's first index in
/// `signatures`.
fn verify_batch<'k>(
    key: &'k ExpandedVerifyingKey,
    signatures: &'k [([u8; 40], Vec<u8>)],
) -> impl FnMut(&[u8; 40]) + use<'k> {
    let mut work = vec![0; key.algorithm().verify_batch_work_len()];
    move |bytes| {
        let items: [_; BATCH] = std::array::from_fn(|i| {
            let (message, signature) = &signatures[(usize::from(bytes[0]) + i) % signatures.len()];
            BatchItem { key, message: MessageToVerify::message(Options::default(), message), signature }
        });
        let mut verdicts = [Err(VerifyError::Mismatch); BATCH];
        fndsa::batch::verify_batch(&items, &mut verdicts, &mut work).expect("good signatures");
    }
}

/// Returns a closure in which this library generates a key pair from the given random bytes.
fn keygen(level: Level, algorithm: Algorithm) -> impl FnMut(&[u8; 40]) {
    let (mut sk, mut vk) = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
    let mut work = vec![0; algorithm.keygen_fast_work_len()];
    move |bytes| {
        SigningKeyRef::generate(level, algorithm, &mut ReplayRng(bytes), &mut sk, &mut vk, &mut work).expect("a key");
    }
}

/// Measures all operations of FN-DSA for a degree and a level. `K`, `S` and `V` must be the peer's
/// types for this degree alone, which are faster than its types for several degrees.
fn fn_dsa<K: KeyPairGenerator, S: fn_dsa::SigningKey, V: fn_dsa::VerifyingKey>(
    bench: &mut PeerBenchmark,
    degree: Degree,
    level: Level,
) {
    let scheme = Scheme::FnDsa;
    let (logn, algorithm) = (degree.logn(), Algorithm::at_degree(scheme, degree).expect("an algorithm"));
    let (mut peer_sk, mut peer_vk) = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
    let mut generator = K::default();
    bench.compare(KEYGEN, algorithm, level, keygen(level, algorithm), |bytes| {
        generator.keygen(logn, &mut peer::PeerReplayRng(bytes), &mut peer_sk, &mut peer_vk);
    });

    // All other operations use the same key.
    let (sk, vk) = peer::keygen(logn, &[7; 32]);
    let mut work = vec![0; algorithm.sign_fast_work_len().max(algorithm.import_work_len())];
    let mut signature = vec![0; algorithm.signature_len()];
    let mut peer_signature = signature.clone();
    bench.compare(
        "sign",
        algorithm,
        level,
        |bytes| {
            let key = SigningKeyRef::of_algorithm(level, algorithm, black_box(&sk), &mut work).expect("a good key");
            let mu = mu_of(level, &key.key_hash(), bytes);
            key.sign(level, &mu, &mut ReplayRng(bytes), &mut signature, &mut work).expect("a signature");
        },
        |bytes| {
            let mut key = S::decode(black_box(&sk)).expect("a good key");
            key.sign(&mut peer::PeerReplayRng(bytes), &DOMAIN_NONE, &HASH_ID_RAW, bytes, &mut peer_signature)
                .expect("a signature");
        },
    );
    assert_eq!(signature, peer_signature);

    let key = SigningKeyRef::of_algorithm(level, algorithm, &sk, &mut work).expect("a good key");
    let expanded = key.expand(level, &mut work).expect("enough memory");
    let mut peer_key = S::decode(&sk).expect("a good key");
    bench.compare(
        "sign-repeat",
        algorithm,
        level,
        |bytes| {
            let mu = mu_of(level, &expanded.key_hash(), bytes);
            expanded.sign(&mu, &mut ReplayRng(bytes), &mut signature, &mut work).expect("a signature");
        },
        |bytes| {
            peer_key
                .sign(&mut peer::PeerReplayRng(bytes), &DOMAIN_NONE, &HASH_ID_RAW, bytes, &mut peer_signature)
                .expect("a signature");
        },
    );
    assert_eq!(signature, peer_signature);

    let mut batch_work = vec![0; algorithm.sign_batch_work_len()];
    let mut batch = vec![0; BATCH * algorithm.signature_len()];
    bench.compare(
        "sign-batch",
        algorithm,
        level,
        |bytes| {
            let items = items(bytes);
            let messages = items.map(|item| mu_of(level, &expanded.key_hash(), &item));
            let mut rng = ReplayRng(items.as_flattened());
            expanded.sign_batch(&messages, &mut rng, &mut batch, &mut batch_work).expect("signatures");
        },
        |bytes| {
            for item in items(bytes) {
                peer_key
                    .sign(&mut peer::PeerReplayRng(&item), &DOMAIN_NONE, &HASH_ID_RAW, &item, &mut peer_signature)
                    .expect("a signature");
            }
        },
    );
    assert_eq!(batch[(BATCH - 1) * algorithm.signature_len()..], peer_signature);

    let signatures: Vec<([u8; 40], Vec<u8>)> = (0..256)
        .map(|i| {
            let bytes = fresh_bytes(i);
            let mu = mu_of(level, &expanded.key_hash(), &bytes);
            expanded.sign(&mu, &mut ReplayRng(&bytes), &mut signature, &mut work).expect("a signature");
            (bytes, signature.clone())
        })
        .collect();
    let signed_message = |bytes: &[u8; 40]| &signatures[usize::from(bytes[0])];
    bench.compare(
        "verify",
        algorithm,
        level,
        |bytes| {
            let (message, signature) = signed_message(bytes);
            let key = VerifyingKeyRef::of_algorithm(algorithm, black_box(&vk)).expect("a good key");
            key.verify(level, &mu_of(level, &key.key_hash(level), message), signature, &mut work)
                .expect("a good signature");
        },
        |bytes| {
            let (message, signature) = signed_message(bytes);
            let key = V::decode(black_box(&vk)).expect("a good key");
            assert!(key.verify(signature, &DOMAIN_NONE, &HASH_ID_RAW, message));
        },
    );
    let expanded = VerifyingKeyRef::of_algorithm(algorithm, &vk).expect("a good key").expand(level);
    let peer_key = V::decode(&vk).expect("a good key");
    bench.compare(
        "verify-repeat",
        algorithm,
        level,
        |bytes| {
            let (message, signature) = signed_message(bytes);
            expanded
                .verify(&mu_of(level, &expanded.key_hash(), message), signature, &mut work)
                .expect("a good signature");
        },
        |bytes| {
            let (message, signature) = signed_message(bytes);
            assert!(peer_key.verify(signature, &DOMAIN_NONE, &HASH_ID_RAW, message));
        },
    );
    bench.compare(VERIFY_BATCH, algorithm, level, verify_batch(&expanded, &signatures), |bytes| {
        for i in 0..BATCH {
            let (message, signature) = &signatures[(usize::from(bytes[0]) + i) % signatures.len()];
            assert!(peer_key.verify(signature, &DOMAIN_NONE, &HASH_ID_RAW, message));
        }
    });
}

/// The functions in crate `pqcrypto-falcon` for a degree. The crate's keys are encodings, so each
/// call decodes the key.
struct PqcleanFalcon<P, S, D> {
    keygen: fn() -> (P, S),
    sign: fn(&[u8], &S) -> D,
    verify: fn(&D, &[u8], &P) -> Result<(), VerificationError>,
}

/// Creates a padded Falcon signature, as `fndsa sign` does.
fn sign_falcon(level: Level, key: &SigningKeyRef<'_>, message: &[u8; 40], signature: &mut [u8], work: &mut [u8]) {
    // An attempt needs 80 random bytes, for a nonce and a seed. So `random` is enough for four
    // attempts.
    let random: [u8; 4 * 80] = std::array::from_fn(|i| message[i % 40] ^ i as u8);
    let (mut rng, form) = (ReplayRng(&random), Options::default());
    loop {
        let mut attempt = [Attempt::EMPTY];
        let mut builder = SigningHasher::new(level, key.algorithm(), &key.key_hash(), form, &mut attempt, &mut rng)
            .expect("the form of Falcon");
        builder.update(message);
        match key.sign(level, builder.finish(), &mut rng, signature, work) {
            Err(SignError::Attempts) => {}
            done => return done.expect("a signature"),
        }
    }
}

/// Measures all Falcon operations for a degree and a level.
fn falcon<P: PublicKey, S: SecretKey, D: DetachedSignature>(
    bench: &mut PeerBenchmark,
    degree: Degree,
    level: Level,
    peer: &PqcleanFalcon<P, S, D>,
) {
    let scheme = Scheme::Falcon;
    let algorithm = Algorithm::at_degree(scheme, degree).expect("an algorithm");
    bench.compare(KEYGEN, algorithm, level, keygen(level, algorithm), |_| {
        black_box((peer.keygen)());
    });

    let (mut sk, mut vk) = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
    let mut work =
        vec![0; algorithm.keygen_fast_work_len().max(algorithm.sign_fast_work_len()).max(algorithm.import_work_len())];
    SigningKeyRef::generate(level, algorithm, &mut ReplayRng(&[7; 40]), &mut sk, &mut vk, &mut work).expect("a key");
    let mut signature = vec![0; algorithm.signature_len()];
    bench.compare(
        "sign",
        algorithm,
        level,
        |bytes| {
            let key = SigningKeyRef::of_algorithm(level, algorithm, black_box(&sk), &mut work).expect("a good key");
            sign_falcon(level, &key, bytes, &mut signature, &mut work);
        },
        |bytes| {
            let key = S::from_bytes(black_box(&sk)).expect("the length");
            black_box((peer.sign)(bytes, &key));
        },
    );

    let key = SigningKeyRef::of_algorithm(level, algorithm, &sk, &mut work).expect("a good key");
    let signatures: Vec<([u8; 40], Vec<u8>)> = (0..256)
        .map(|i| {
            let bytes = fresh_bytes(i);
            sign_falcon(level, &key, &bytes, &mut signature, &mut work);
            (bytes, signature.clone())
        })
        .collect();
    let signed_message = |bytes: &[u8; 40]| &signatures[usize::from(bytes[0])];
    bench.compare(
        "verify",
        algorithm,
        level,
        |bytes| {
            let (message, signature) = signed_message(bytes);
            let key = VerifyingKeyRef::of_algorithm(algorithm, black_box(&vk)).expect("a good key");
            let form = Options::default();
            let mut hashed = VerifyingHasher::new(level, algorithm, &key.bound_hash(level), form, signature)
                .expect("the form of Falcon");
            hashed.update(message);
            key.verify(level, &hashed.finish(), signature, &mut work).expect("a good signature");
        },
        |bytes| {
            let (message, signature) = signed_message(bytes);
            let key = P::from_bytes(black_box(&vk)).expect("the length");
            let signature = D::from_bytes(signature).expect("the length");
            (peer.verify)(&signature, message, &key).expect("a good signature");
        },
    );
    let public = VerifyingKeyRef::of_algorithm(algorithm, &vk).expect("a good key").expand(level);
    bench.compare(VERIFY_BATCH, algorithm, level, verify_batch(&public, &signatures), |bytes| {
        for i in 0..BATCH {
            let (message, signature) = &signatures[(usize::from(bytes[0]) + i) % signatures.len()];
            let key = P::from_bytes(black_box(&vk)).expect("the length");
            let signature = D::from_bytes(signature).expect("the length");
            (peer.verify)(&signature, message, &key).expect("a good signature");
        }
    });
}

/// Evaluates to the functions in a module of crate `pqcrypto-falcon`.
macro_rules! pqclean {
    ($module:ident) => {
        &PqcleanFalcon {
            keygen: $module::keypair,
            sign: $module::detached_sign,
            verify: $module::verify_detached_signature,
        }
    };
}

fn main() {
    let criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(1500))
        .configure_from_args();
    let mut bench = PeerBenchmark { criterion, rows: Vec::new() };
    for level in levels() {
        fn_dsa::<KeyPairGenerator512, SigningKey512, VerifyingKey512>(&mut bench, Degree::N512, level);
        fn_dsa::<KeyPairGenerator1024, SigningKey1024, VerifyingKey1024>(&mut bench, Degree::N1024, level);
        falcon(&mut bench, Degree::N512, level, pqclean!(falconpadded512));
        falcon(&mut bench, Degree::N1024, level, pqclean!(falconpadded1024));
    }
    bench.criterion.final_summary();
    bench.print_times();
    bench.print_table(Scheme::FnDsa, "`fn-dsa` 0.4.0");
    bench.print_table(Scheme::Falcon, "`pqcrypto-falcon` 0.4.1");
}
