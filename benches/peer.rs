//! This library against crate `fn-dsa` 0.4.0 without AVX2: `cargo bench --bench peer`.
//!
//! Every measurement of criterion's runs both sides in turn, A B B A, each time with fresh
//! randomness that is the same for both; criterion reports our side, and the table at the end the
//! median of both and the median ratio of the pairs.
#![allow(missing_docs)] // criterion's macros

#[path = "../tests/common/peer.rs"]
mod peer;

use criterion::{BenchmarkId, Criterion, SamplingMode};
use fn_dsa::{
    DOMAIN_NONE, HASH_ID_RAW, KeyPairGenerator, KeyPairGenerator512, KeyPairGenerator1024, SigningKey512,
    SigningKey1024, VerifyingKey512, VerifyingKey1024,
};
use fndsa::{Algorithm, Degree, KeyHash, Level, Mu, MuBuilder, Scheme, SigningKey, VerifyingKey};
use rand_core::{TryCryptoRng, TryRng};
use std::cell::RefCell;
use std::convert::Infallible;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A "generator" of given bytes: what [`peer::Bytes`] is for the crate.
struct Bytes<'a>(&'a [u8]);

impl TryRng for Bytes<'_> {
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
        let (now, later) = self.0.split_at(out.len());
        out.copy_from_slice(now);
        self.0 = later;
        Ok(())
    }
}

impl TryCryptoRng for Bytes<'_> {}

/// Fresh bytes for pair `i`.
fn fresh(i: u64) -> [u8; 40] {
    let mut x = i.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xd1b5_4a32_d192_ed03;
    std::array::from_fn(|_| {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 32) as u8
    })
}

/// One line of the table.
struct Row {
    operation: &'static str,
    degree: usize,
    level: &'static str,
    ours: Vec<f64>,
    theirs: Vec<f64>,
}

impl Row {
    fn median(mut values: Vec<f64>) -> f64 {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    }

    fn ratio(&self) -> f64 {
        Self::median(self.ours.iter().zip(&self.theirs).map(|(a, b)| b / a).collect())
    }
}

struct Bench {
    criterion: Criterion,
    rows: Vec<Row>,
}

impl Bench {
    /// Measures `ours(bytes)` against `theirs(bytes)`.
    fn pair(
        &mut self,
        operation: &'static str,
        degree: Degree,
        level: Level,
        mut ours: impl FnMut(&[u8; 40]),
        mut theirs: impl FnMut(&[u8; 40]),
    ) {
        let row =
            RefCell::new(Row { operation, degree: degree.n(), level: level.name(), ours: vec![], theirs: vec![] });
        let mut number = 0;
        let mut group = self.criterion.benchmark_group(operation);
        group.sampling_mode(SamplingMode::Flat).sample_size(10);
        group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_millis(2500));
        group.bench_function(BenchmarkId::new(level.name(), degree.n()), |b| {
            b.iter_custom(|count| {
                let mut total = Duration::ZERO;
                for _ in 0..count {
                    number += 1;
                    let bytes = fresh(number);
                    let (mut a, mut b) = (Duration::ZERO, Duration::ZERO);
                    if number % 2 == 0 {
                        a = time(|| ours(&bytes));
                    }
                    b += time(|| theirs(&bytes));
                    if number % 2 == 1 {
                        a = time(|| ours(&bytes));
                    }
                    let mut row = row.borrow_mut();
                    row.ours.push(a.as_secs_f64());
                    row.theirs.push(b.as_secs_f64());
                    total += a;
                }
                total
            });
        });
        group.finish();
        let row = row.into_inner();
        if !row.ours.is_empty() {
            self.rows.push(row);
        }
    }

    fn table(&self) {
        println!(
            "{:<14} {:>6} {:>9} {:>12} {:>12} {:>8} {:>7}",
            "", "degree", "level", "ours, us", "fn-dsa, us", "ratio", "pairs"
        );
        for row in &self.rows {
            let median = |v: &Vec<f64>| Row::median(v.clone()) * 1e6;
            println!(
                "{:<14} {:>6} {:>9} {:>12.1} {:>12.1} {:>7.2}x {:>7}",
                row.operation,
                row.degree,
                row.level,
                median(&row.ours),
                median(&row.theirs),
                row.ratio(),
                row.ours.len()
            );
        }
        println!("ratio: time of crate fn-dsa 0.4.0 without AVX2 / ours, median of the pairs; above 1 we are faster");
    }
}

fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// `mu` of the 40 bytes as a message without a context.
fn mu_of(level: Level, key: &KeyHash, message: &[u8]) -> Mu {
    let mut b = MuBuilder::pure(level, key, b"").expect("short");
    b.update(message);
    b.finish()
}

/// All operations of one degree on one level. The crate's types are those of this degree alone,
/// its fastest.
fn degree<K: KeyPairGenerator, S: fn_dsa::SigningKey, V: fn_dsa::VerifyingKey>(
    bench: &mut Bench,
    degree: Degree,
    level: Level,
) {
    let scheme = Scheme::FnDsa;
    let logn = degree.logn();

    let algorithm = Algorithm::new(Scheme::FnDsa, degree);
    let (mut sk, mut vk) = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
    let (mut peer_sk, mut peer_vk) = (sk.clone(), vk.clone());
    let mut keygen_work = vec![0; degree.keygen_fast_work_len()];
    let mut generator = K::default();
    bench.pair(
        "keygen",
        degree,
        level,
        |bytes| {
            SigningKey::generate(level, algorithm, &mut Bytes(bytes), &mut sk, &mut vk, &mut keygen_work)
                .expect("a key");
        },
        |bytes| generator.keygen(logn, &mut peer::Bytes(bytes), &mut peer_sk, &mut peer_vk),
    );

    // One key for the rest.
    let (sk, vk) = peer::keygen(logn, &[7; 32]);
    let mut work = vec![0; degree.sign_work_len().max(degree.import_work_len())];
    let mut signature = vec![0; degree.signature_len()];
    let mut peer_signature = signature.clone();
    bench.pair(
        "sign",
        degree,
        level,
        |bytes| {
            let key = SigningKey::from_bytes(level, scheme, black_box(&sk), &mut work).expect("a good key");
            let mu = mu_of(level, &key.key_hash(), bytes);
            key.sign(level, &mu, &mut Bytes(bytes), &mut signature, &mut work).expect("a signature");
        },
        |bytes| {
            let mut key = S::decode(black_box(&sk)).expect("a good key");
            key.sign(&mut peer::Bytes(bytes), &DOMAIN_NONE, &HASH_ID_RAW, bytes, &mut peer_signature)
                .expect("a signature");
        },
    );
    assert_eq!(signature, peer_signature);

    let key = SigningKey::from_bytes(level, scheme, &sk, &mut work).expect("a good key");
    let expanded = key.expand(level, &mut work).expect("enough memory");
    let mut peer_key = S::decode(&sk).expect("a good key");
    bench.pair(
        "sign-repeat",
        degree,
        level,
        |bytes| {
            let mu = mu_of(level, &expanded.key_hash(), bytes);
            expanded.sign(&mu, &mut Bytes(bytes), &mut signature, &mut work).expect("a signature");
        },
        |bytes| {
            peer_key
                .sign(&mut peer::Bytes(bytes), &DOMAIN_NONE, &HASH_ID_RAW, bytes, &mut peer_signature)
                .expect("a signature");
        },
    );
    assert_eq!(signature, peer_signature);

    let signatures: Vec<([u8; 40], Vec<u8>)> = (0..256)
        .map(|i| {
            let bytes = fresh(i);
            let mu = mu_of(level, &expanded.key_hash(), &bytes);
            expanded.sign(&mu, &mut Bytes(&bytes), &mut signature, &mut work).expect("a signature");
            (bytes, signature.clone())
        })
        .collect();
    let pick = |bytes: &[u8; 40]| &signatures[usize::from(bytes[0])];
    bench.pair(
        "verify",
        degree,
        level,
        |bytes| {
            let (message, signature) = pick(bytes);
            let key = VerifyingKey::from_bytes(scheme, black_box(&vk)).expect("a good key");
            key.verify(level, &mu_of(level, &key.key_hash(level), message), signature, &mut work)
                .expect("a good signature");
        },
        |bytes| {
            let (message, signature) = pick(bytes);
            let key = V::decode(black_box(&vk)).expect("a good key");
            assert!(key.verify(signature, &DOMAIN_NONE, &HASH_ID_RAW, message));
        },
    );
    let expanded = VerifyingKey::from_bytes(scheme, &vk).expect("a good key").expand(level);
    let peer_key = V::decode(&vk).expect("a good key");
    bench.pair(
        "verify-repeat",
        degree,
        level,
        |bytes| {
            let (message, signature) = pick(bytes);
            expanded
                .verify(&mu_of(level, &expanded.key_hash(), message), signature, &mut work)
                .expect("a good signature");
        },
        |bytes| {
            let (message, signature) = pick(bytes);
            assert!(peer_key.verify(signature, &DOMAIN_NONE, &HASH_ID_RAW, message));
        },
    );
}

fn main() {
    let mut bench = Bench { criterion: Criterion::default().configure_from_args(), rows: Vec::new() };
    for name in ["scalar", "emulated"] {
        let Some(level) = Level::from_name(name) else { continue };
        degree::<KeyPairGenerator512, SigningKey512, VerifyingKey512>(&mut bench, Degree::N512, level);
        degree::<KeyPairGenerator1024, SigningKey1024, VerifyingKey1024>(&mut bench, Degree::N1024, level);
    }
    bench.criterion.final_summary();
    bench.table();
}
