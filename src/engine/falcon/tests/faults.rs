//! Injects faults into signing. The result must be no signature, or a signature that other programs
//! accept. The engine, with the true public key, and crate `fn-dsa` check each returned signature.
//!
//! Verification does not detect a sampler that is skipped or not random. When the signer rounded
//! the targets instead of sampling, 127 of 200 signatures were valid. When the sampler returned the
//! floor of each centre, all 300 signatures were valid. Both kinds of signatures reveal the private
//! key. The engine withholds all of them, because it counts the samples, and because the norm also
//! has a lower bound.
//!
//! A verification cannot detect a fault that changes only the distribution of valid signatures,
//! such as a fault in low bits of the basis, the tree or z. If the fault is permanent (tables,
//! expanded keys), the hashes in `integrity` detect it. If the fault is temporary, it changes a
//! single signature, and an attack needs many such signatures.

use super::{hex, load};
use crate::engine::falcon::codec::private_parts;
use crate::engine::falcon::expanded::ExpandedPrivateKey;
use crate::engine::falcon::params::{Degree, MAX_SIGN_ATTEMPTS};
use crate::engine::falcon::point::PointSource;
use crate::engine::falcon::sampler::{Generator, Sampler};
use crate::engine::falcon::scheme::{FalconAlgorithm, FalconScheme};
use crate::engine::falcon::sign::{
    AcceptedRows, AttemptSource, EncodedPrivateKey, FalconSignError, LatticeKey, PreparedLatticeKey, SigningTask,
    short_vectors, sign, targets_into,
};
use crate::engine::falcon::tree::{ff_sampling, gram_into};
use crate::engine::falcon::verify::{PublicFields, Verification, verify};
use crate::engine::hash::shake::Shake256;
use crate::simd::{Level, MemoryLine, Real, RowValue, Scratch, Simd, WithSimd};
use fn_dsa::{DomainContext, HASH_ID_EXTMU, VerifyingKey, VerifyingKeyStandard};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::panic::{catch_unwind, set_hook, take_hook};
use std::thread;

/// The value in which a bit is wrong, or the step that is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FaultKind {
    /// A bit of the encoded key, which was checked before.
    KeyF,
    KeyG,
    KeyBigF,
    /// A bit of the transformed basis: g, -f, G, -F.
    Basis(usize),
    /// A bit of an expanded key: the tree, b01, b11, the rows f, F and h.
    Tree,
    ExpandedB01,
    ExpandedB11,
    ExpandedRow(usize),
    /// A bit of f, F or h modulo q.
    Row(usize),
    /// A bit of c, only for the sampler.
    SampledC,
    /// A bit of c.
    C,
    /// A bit of s2.
    S2,
    /// A bit of z.
    Z,
    /// z is zero.
    ZeroZ,
    /// z is the previous value in its memory: the targets, which are then rounded.
    SkippedSampler,
    /// The sampler is skipped, and the targets are not computed.
    SkippedSample,
    /// The sampler returns the floor of each centre.
    ZeroedSampler,
    /// The attempt fails, and there is another attempt.
    Restart,
}

/// All kinds except `Restart`, and the number of signatures for each kind, 10,000 in total. A
/// permanent fault is in all 27 attempts.
const KINDS: [(FaultKind, usize); 24] = [
    (FaultKind::KeyF, 200),
    (FaultKind::KeyG, 200),
    (FaultKind::KeyBigF, 200),
    (FaultKind::Basis(0), 500),
    (FaultKind::Basis(1), 500),
    (FaultKind::Basis(2), 500),
    (FaultKind::Basis(3), 500),
    (FaultKind::Tree, 800),
    (FaultKind::ExpandedB01, 300),
    (FaultKind::ExpandedB11, 300),
    (FaultKind::ExpandedRow(0), 100),
    (FaultKind::ExpandedRow(1), 100),
    (FaultKind::ExpandedRow(2), 100),
    (FaultKind::Row(0), 700),
    (FaultKind::Row(1), 700),
    (FaultKind::Row(2), 700),
    (FaultKind::SampledC, 600),
    (FaultKind::C, 700),
    (FaultKind::S2, 700),
    (FaultKind::Z, 700),
    (FaultKind::ZeroZ, 200),
    (FaultKind::SkippedSampler, 200),
    (FaultKind::SkippedSample, 200),
    (FaultKind::ZeroedSampler, 300),
];
/// The name for threads that must not print their panics.
const QUIET: &str = "planted faults";

/// A generator for pseudorandom numbers.
struct PseudorandomNumbers(u64);

impl PseudorandomNumbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }
}

/// A key that has a fault in the first `faults` attempts.
struct FaultyKey<'k, L> {
    key: &'k L,
    encoded: EncodedPrivateKey<'k>,
    kind: Option<FaultKind>,
    number: u64,
    /// The number of attempts with the fault.
    faults: u32,
    /// The number of attempts so far.
    attempts: Cell<u32>,
    /// c in each attempt.
    points: RefCell<Vec<Vec<u16>>>,
}

impl<L> FaultyKey<'_, L> {
    /// Returns whether this fault must be injected into this attempt.
    fn is(&self, kind: FaultKind) -> bool {
        self.kind == Some(kind) && self.attempts.get() <= self.faults
    }

    /// Flips a bit in a row modulo q.
    fn flip(&self, row: &mut [u16]) {
        row[self.number as usize % row.len()] ^= 1 << ((self.number >> 32) % 14);
    }

    /// Flips a bit in a row of reals.
    fn flip_real<R: Real>(&self, row: &mut [R]) {
        let x = &mut row[self.number as usize % row.len()];
        *x = R::from_bits(x.to_bits() ^ 1 << ((self.number >> 32) % 64));
    }

    /// Writes the targets to the end of `memory`, and the Gram matrix to the start, from a basis
    /// that can be damaged.
    fn targets<S: Simd>(&self, isa: S, c: &[u16], memory: &mut [S::Real]) {
        let n = self.encoded.degree.n();
        let mut rows = vec![S::Real::ZERO; 4 * n];
        let [b00, b01, b10, b11] = rows.get_disjoint_mut([0, 1, 2, 3].map(|i| i * n..(i + 1) * n)).unwrap();
        self.encoded.basis_into(isa, [&mut *b00, &mut *b01, &mut *b10, &mut *b11], &mut vec![0; 4 * n]);
        for (i, row) in [&mut *b00, &mut *b01, &mut *b10, &mut *b11].into_iter().enumerate() {
            if self.is(FaultKind::Basis(i)) {
                self.flip_real(row);
            }
        }
        gram_into(isa, [b00, b01, b10, b11], &mut memory[..2 * n]);
        targets_into(isa, self.encoded.degree.logn(), c, b01, b11, &mut vec![S::Real::ZERO; n]);
        let len = memory.len();
        memory[len - 2 * n..len - n].copy_from_slice(b11);
        memory[len - n..].copy_from_slice(b01);
    }
}

impl<L: LatticeKey> LatticeKey for FaultyKey<'_, L> {
    fn sample_reals(&self) -> usize {
        self.key.sample_reals().max(self.encoded.sample_reals())
    }

    fn prepare<S: Simd>(&self, isa: S, memory: &mut [S::Real]) {
        let skip = memory.len() - self.key.sample_reals();
        self.key.prepare(isa, &mut memory[skip..]);
    }

    fn sample<S: Simd>(&self, isa: S, c: &[u16], sampler: &mut Sampler<S>, memory: &mut [S::Real]) {
        let logn = self.encoded.degree.logn();
        let n = self.encoded.degree.n();
        self.attempts.set(self.attempts.get() + 1);
        self.points.borrow_mut().push(c.to_vec());
        sampler.zeroed = self.is(FaultKind::ZeroedSampler);
        match self.kind {
            _ if self.is(FaultKind::SkippedSample) => {}
            _ if self.is(FaultKind::SkippedSampler) => self.targets(isa, c, memory),
            Some(FaultKind::Basis(_)) if self.attempts.get() <= self.faults => {
                self.targets(isa, c, memory);
                ff_sampling(isa, sampler, logn, memory);
            }
            _ if self.is(FaultKind::SampledC) || self.is(FaultKind::C) => {
                let mut other = c.to_vec();
                self.flip(&mut other);
                self.key.sample(isa, &other, sampler, memory);
            }
            _ => {
                let skip = memory.len() - self.key.sample_reals();
                self.key.sample(isa, c, sampler, &mut memory[skip..]);
            }
        }
        let at = memory.len() - 2 * n;
        if self.is(FaultKind::ZeroZ) || self.is(FaultKind::Restart) {
            memory[at..].fill(S::Real::ZERO);
        }
        if self.is(FaultKind::Z) {
            self.flip_real(&mut memory[at..]);
        }
    }

    fn rows_into<S: Simd>(&self, isa: S, f: &mut [u16], big_f: &mut [u16], h: &mut [u16]) {
        self.key.rows_into(isa, f, big_f, h);
        for (i, row) in [f, big_f, h].into_iter().enumerate() {
            if self.is(FaultKind::Row(i)) {
                self.flip(row);
            }
        }
    }

    fn secret_hash_into<S: Simd>(&self, sponge: &mut Shake256<S>, hash: &mut [u8; 40]) {
        self.key.secret_hash_into(sponge, hash);
    }

    fn vectors<'w, S: Simd>(
        &self,
        isa: S,
        algorithm: FalconAlgorithm,
        c: &[u16],
        z: &mut [S::Real],
        work: &mut Scratch<'w>,
    ) -> Option<AcceptedRows<'w>> {
        let mut c = c.to_vec();
        if self.is(FaultKind::C) {
            self.flip(&mut c);
        }
        let vectors = short_vectors(isa, self, algorithm, &c, z, work)?;
        if self.is(FaultKind::S2) {
            self.flip(vectors.s2);
        }
        Some(vectors)
    }
}

/// A signing operation with at most one fault.
#[derive(Clone, Copy)]
struct FaultySigning<'v> {
    degree: Degree,
    secret: &'v [u8],
    mu: &'v [u8; 64],
    random: &'v [u8; 40],
    kind: Option<FaultKind>,
    number: u64,
    faults: u32,
}

/// The result of a signing operation.
#[derive(Debug)]
struct SigningOutcome {
    made: Result<Vec<u8>, FalconSignError>,
    points: Vec<Vec<u16>>,
}

impl WithSimd for FaultySigning<'_> {
    type Output = SigningOutcome;
    fn with<S: Simd>(self, isa: S) -> SigningOutcome {
        let (degree, algorithm) = (self.degree, FalconAlgorithm::new(FalconScheme::FnDsa, self.degree));
        let (mut secret, parts) = (self.secret.to_vec(), private_parts(algorithm, self.secret));
        // f, g and F are after the header in this order. The bytes after F are not used.
        let (f, g) = (1, 1 + parts.f.len());
        let fields = [
            (FaultKind::KeyF, f, parts.f),
            (FaultKind::KeyG, g, parts.g),
            (FaultKind::KeyBigF, g + parts.g.len(), parts.big_f),
        ];
        for (kind, at, field) in fields {
            assert_eq!(&secret[at..at + field.len()], field);
            if self.kind == Some(kind) {
                secret[at + self.number as usize % field.len()] ^= 1 << ((self.number >> 32) % 8);
            }
        }
        let encoded = EncodedPrivateKey { degree, parts: private_parts(algorithm, &secret) };
        // The faults of an expanded key are in its memory. Half of the other faults also use an
        // expanded key.
        let in_memory = matches!(
            self.kind,
            Some(FaultKind::Tree | FaultKind::ExpandedB01 | FaultKind::ExpandedB11 | FaultKind::ExpandedRow(_))
        );
        let in_key =
            matches!(self.kind, Some(FaultKind::KeyF | FaultKind::KeyG | FaultKind::KeyBigF | FaultKind::Basis(_)));
        if !(in_memory || !in_key && self.number >> 48 & 1 == 1) {
            return self.sign(isa, &encoded, encoded);
        }
        let mut lines = MemoryLine::boxed(ExpandedPrivateKey::len(degree));
        let mut work = vec![0; algorithm.sign_work_len()];
        ExpandedPrivateKey::write(isa, encoded, MemoryLine::bytes_mut(&mut lines), Scratch::new(&mut work)).unwrap();
        let memory = MemoryLine::bytes_mut(&mut lines);
        assert!(ExpandedPrivateKey::new(degree, memory).is_intact());
        if in_memory {
            let (n, real) = (degree.n(), size_of::<S::Real>());
            let tree = crate::engine::falcon::tree::tree_reals(degree.logn()) * real;
            let (at, len) = match self.kind {
                Some(FaultKind::Tree) => (0, tree),
                Some(FaultKind::ExpandedB01) => (tree, n * real),
                Some(FaultKind::ExpandedB11) => (tree + n * real, n * real),
                Some(FaultKind::ExpandedRow(i)) => (tree + 2 * n * real + 2 * n * i, 2 * n),
                _ => unreachable!(),
            };
            memory[at + self.number as usize % len] ^= 1 << ((self.number >> 32) % 8);
            assert!(!ExpandedPrivateKey::new(degree, memory).is_intact(), "the hash sees it");
        }
        self.sign(isa, &ExpandedPrivateKey::new(degree, MemoryLine::bytes(&lines)), encoded)
    }
}

impl FaultySigning<'_> {
    fn sign<S: Simd, L: LatticeKey>(self, isa: S, key: &L, encoded: EncodedPrivateKey<'_>) -> SigningOutcome {
        let Self { degree, kind, number, faults, .. } = self;
        let algorithm = FalconAlgorithm::new(FalconScheme::FnDsa, degree);
        let (attempts, points) = (Cell::new(0), RefCell::new(vec![]));
        let key = FaultyKey { key, encoded, kind, number, faults, attempts, points };
        let mut signature = vec![0; algorithm.signature_len()];
        let mut work = vec![0; algorithm.sign_work_len()];
        let generator = Generator::Shake256;
        let task =
            SigningTask { algorithm, key: &key, message: AttemptSource::Mu(self.mu), random: self.random, generator };
        let made = sign(isa, &task, &mut signature, Scratch::new(&mut work));
        if made.is_err() {
            assert!(signature.iter().all(|byte| *byte == 0), "what was withheld is not in the buffer");
        }
        SigningOutcome { made: made.map(|()| signature), points: key.points.into_inner() }
    }
}

/// Returns whether the signature is good for the true public key. Both verifiers must agree.
fn is_good(level: Level, degree: Degree, public: &[u8], mu: &[u8; 64], signature: &[u8]) -> bool {
    struct EngineVerification<'v>(FalconAlgorithm, &'v [u8], &'v [u8; 64], &'v [u8]);
    impl WithSimd for EngineVerification<'_> {
        type Output = bool;
        fn with<S: Simd>(self, isa: S) -> bool {
            let mut work = vec![0; self.0.verify_work_len()];
            let h = PublicFields::Packed(&self.1[1..]);
            let claim = Verification { algorithm: self.0, h, point: PointSource::Mu(self.2), signature: self.3 };
            verify(isa, &claim, Scratch::new(&mut work)).is_ok()
        }
    }
    let ours = level.run(EngineVerification(FalconAlgorithm::new(FalconScheme::FnDsa, degree), public, mu, signature));
    let key = VerifyingKeyStandard::decode(public).unwrap();
    let theirs = key.verify(signature, &DomainContext(b""), &HASH_ID_EXTMU, mu);
    assert_eq!(ours, theirs);
    ours
}

/// A key with its message from the published vectors.
struct PublishedKey {
    degree: Degree,
    secret: Vec<u8>,
    public: Vec<u8>,
    mu: [u8; 64],
}

fn materials() -> Vec<PublishedKey> {
    let kats = load(include_str!("../../../../tests/kat/kat-a.json"));
    let standard = kats["vectors"].as_array().unwrap().iter().filter(|kat| kat["logn"].as_u64().unwrap() >= 9);
    standard
        .map(|kat| PublishedKey {
            degree: Degree::from_logn(kat["logn"].as_u64().unwrap() as u32).unwrap(),
            secret: hex(&kat["sk"]),
            public: hex(&kat["vk"]),
            mu: hex(&kat["mu"]).try_into().unwrap(),
        })
        .collect()
}

/// Returns the level for a number: usually the fastest level, because other levels need more time.
fn level(number: usize) -> Level {
    let levels: Vec<Level> = Level::available().collect();
    let slow = levels.iter().find(|level| level.name() == "emulated");
    match slow {
        Some(slow) if number % 64 == 1 => *slow,
        _ if number % 4 == 1 => levels[number / 4 % levels.len()],
        _ => Level::detect(),
    }
}

/// How often each result occurred.
#[derive(Default, Debug, Clone, Copy)]
struct OutcomeTally {
    /// No signature: it did not verify.
    self_check: usize,
    /// No signature: all attempts failed.
    attempts: usize,
    /// No signature: a number was out of range, in builds with assertions. Other builds continue.
    asserted: usize,
    /// A good signature, after at least two attempts.
    restarted: usize,
    /// A good signature that is equal to the signature without the fault.
    same: usize,
    /// A good signature that differs from the signature without the fault. This cannot be detected.
    other: usize,
    /// A bad signature. This must never occur.
    wrong: usize,
}

fn tally(kind: FaultKind, count: usize, materials: &[PublishedKey]) -> OutcomeTally {
    let mut numbers = PseudorandomNumbers(u64::from_le_bytes(*b"faults 1") ^ count as u64);
    let mut tally = OutcomeTally::default();
    for i in 0..count {
        // Every fifth signature has degree 1024.
        let of_degree = if i % 5 == 4 { 10 } else { 0 };
        let PublishedKey { degree, secret, public, mu } = &materials[of_degree + i % 10];
        let random = core::array::from_fn(|_| numbers.next() as u8);
        let stays = matches!(
            kind,
            FaultKind::ZeroZ | FaultKind::SkippedSampler | FaultKind::SkippedSample | FaultKind::ZeroedSampler
        ) && i % 4 == 0;
        let faults = if stays { u32::MAX } else { 1 };
        let run = FaultySigning {
            degree: *degree,
            secret,
            mu,
            random: &random,
            kind: Some(kind),
            number: numbers.next(),
            faults,
        };
        let Ok(SigningOutcome { made, points }) = catch_unwind(|| level(i).run(run)) else {
            tally.asserted += 1;
            assert!(tally.asserted == 0 || cfg!(debug_assertions), "a panic that is no assertion");
            continue;
        };
        match made {
            Err(FalconSignError::SelfCheck) => tally.self_check += 1,
            Err(FalconSignError::Attempts) => {
                assert_eq!(points.len(), usize::from(MAX_SIGN_ATTEMPTS));
                tally.attempts += 1;
            }
            Ok(signature) if !is_good(level(i), *degree, public, mu, &signature) => tally.wrong += 1,
            Ok(_) if points.len() > 1 => tally.restarted += 1,
            Ok(signature) => match level(i).run(FaultySigning { kind: None, secret, ..run }).made {
                Ok(good) if good == signature => tally.same += 1,
                _ => tally.other += 1,
            },
        }
    }
    tally
}

#[test]
fn no_wrong_signature_is_returned_in_ten_thousand_faults() {
    let materials = materials();
    assert_eq!(KINDS.iter().map(|(_, count)| count).sum::<usize>(), 10_000);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let said = take_hook();
    set_hook(Box::new(move |info| {
        if thread::current().name() != Some(QUIET) {
            said(info);
        }
    }));
    let tallies: Vec<(FaultKind, OutcomeTally)> = thread::scope(|scope| {
        let part = |i| {
            let materials = &materials;
            move || -> Vec<_> {
                let own = KINDS.iter().skip(i).step_by(threads);
                own.map(|(kind, count)| (*kind, tally(*kind, *count, materials))).collect()
            }
        };
        let all: Vec<_> = (0..threads)
            .map(|i| thread::Builder::new().name(QUIET.to_owned()).spawn_scoped(scope, part(i)).unwrap())
            .collect();
        all.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let mut all = OutcomeTally::default();
    for (kind, tally) in tallies {
        println!("{kind:?}: {tally:?}");
        let count = KINDS.iter().find(|(of, _)| *of == kind).map_or(0, |(_, count)| *count);
        let OutcomeTally { self_check, attempts, asserted, restarted, same, other, wrong } = tally;
        assert_eq!(self_check + attempts + asserted + restarted + same + other, count, "{kind:?}: {wrong} are wrong");
        assert!(same < count, "{kind:?} does nothing");
        // A fault in low bits can leave a valid signature: the norm bound tolerates it in c, and
        // rounding removes it in reals.
        let may_be_good = match kind {
            FaultKind::Basis(_) | FaultKind::Tree | FaultKind::ExpandedB01 | FaultKind::ExpandedB11 => true,
            FaultKind::SampledC | FaultKind::C | FaultKind::Z => true,
            FaultKind::KeyF
            | FaultKind::KeyG
            | FaultKind::KeyBigF
            | FaultKind::ExpandedRow(_)
            | FaultKind::Row(_)
            | FaultKind::S2 => false,
            FaultKind::ZeroZ
            | FaultKind::SkippedSampler
            | FaultKind::SkippedSample
            | FaultKind::ZeroedSampler
            | FaultKind::Restart => false,
        };
        assert!(may_be_good || same + other == 0, "{kind:?} leaves in the first attempt: {tally:?}");
        assert!(may_be_good || self_check + attempts + restarted > 0, "{kind:?} is withheld by assertions alone");
        if matches!(kind, FaultKind::C | FaultKind::S2) {
            assert!(self_check > count / 10, "{kind:?} is withheld by the verification: {tally:?}");
        }
        all.self_check += self_check;
        all.attempts += attempts;
        all.asserted += asserted;
        all.restarted += restarted;
        all.same += same;
        all.other += other;
    }
    println!("all: {all:?}");
}

/// Signs a message with different random bytes, and forces a restart in all attempts except the
/// last. Because c is the hash of the nonce and mu, different values of c show that the nonces are
/// different.
#[test]
fn every_attempt_has_a_new_nonce_in_ten_thousand_restarts() {
    let last = u32::from(MAX_SIGN_ATTEMPTS) - 1;
    let materials = materials();
    let mut restarts = 0;
    for (of_degree, count) in [(0, 345), (10, 40)] {
        let PublishedKey { degree, secret, public, mu } = &materials[of_degree];
        let (mut numbers, mut seen) = (PseudorandomNumbers(3), BTreeSet::new());
        for i in 0..count {
            let random = core::array::from_fn(|_| numbers.next() as u8);
            let number = numbers.next();
            let run = FaultySigning {
                degree: *degree,
                secret,
                mu,
                random: &random,
                kind: Some(FaultKind::Restart),
                number,
                faults: last,
            };
            let SigningOutcome { made, points } = level(i).run(run);
            // In about one of 2,450 runs, the last attempt fails without a fault. Then no attempt
            // is left.
            match made {
                Ok(signature) => assert!(is_good(level(i), *degree, public, mu, &signature)),
                Err(failure) => assert_eq!((failure, i % 385 > 0), (FalconSignError::Attempts, true)),
            }
            assert_eq!(points.len(), last as usize + 1);
            restarts += points.len() - 1;
            for point in points {
                assert!(seen.insert(point), "a nonce was there before");
            }
        }
    }
    println!("{restarts} restarts");
    assert!(restarts >= 10_000);
}

/// Checks that signing succeeds if only the last attempt succeeds, and fails if all attempts fail.
#[test]
fn signing_ends_after_the_last_attempt() {
    for PublishedKey { degree, secret, public, mu } in &materials() {
        let cap = u32::from(MAX_SIGN_ATTEMPTS);
        let run = FaultySigning {
            degree: *degree,
            secret,
            mu,
            random: &[1; 40],
            kind: Some(FaultKind::Restart),
            number: 0,
            faults: 0,
        };
        for (faults, fails) in [(0, false), (1, false), (cap - 1, false), (cap, true), (u32::MAX, true)] {
            let SigningOutcome { made, points } = Level::detect().run(FaultySigning { faults, ..run });
            assert_eq!(points.len() as u32, cap.min(faults.saturating_add(1)));
            match made {
                Ok(signature) => assert!(!fails && is_good(Level::detect(), *degree, public, mu, &signature)),
                Err(failure) => assert!(fails && failure == FalconSignError::Attempts),
            }
        }
    }
}

/// Injects an s2 that cannot be encoded into every attempt. The start of a signature is written
/// each time, and must not remain in the buffer.
#[test]
fn a_signature_that_cannot_be_encoded_is_wiped() {
    for PublishedKey { degree, secret, mu, .. } in &materials() {
        // The highest bit of a residue, which makes any coefficient larger than the bound.
        let (kind, number) = (Some(FaultKind::S2), 13 << 32);
        let run = FaultySigning { degree: *degree, secret, mu, random: &[1; 40], kind, number, faults: u32::MAX };
        assert_eq!(Level::detect().run(run).made, Err(FalconSignError::Attempts));
    }
}
