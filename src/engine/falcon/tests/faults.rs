//! Injects faults into signing. The engine must return an error, or a signature that other programs
//! accept. The engine and crate `fn-dsa` verify each returned signature with the true public key.
//!
//! Verification does not detect that the sampler was skipped or was not random. When the signer
//! rounded the targets instead of sampling, 127 of 200 signatures were valid. When the sampler
//! returned the floor of each centre, all 300 signatures were valid. Such signatures reveal the
//! private key. The engine withholds all of them: it counts the samples, and it rejects a norm
//! below a lower bound.
//!
//! A fault in low bits of the basis, the tree or z may change only the distribution of valid
//! signatures. Verification also does not detect such a fault. If such a fault is permanent (in
//! tables and expanded keys), the hashes in `integrity` detect the fault. A temporary fault changes
//! a single signature, but an attack needs many changed signatures.

use super::{hex, load};
use crate::engine::falcon::codec::private_parts;
use crate::engine::falcon::expanded::ExpandedPrivateKey;
use crate::engine::falcon::fft::fft;
use crate::engine::falcon::params::{Degree, MAX_SIGN_ATTEMPTS};
use crate::engine::falcon::point::{HashedPoint, PointSource};
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

/// The value in which a fault flips a bit, or the step that a fault skips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FaultKind {
    /// `KeyF`, `KeyG`, `KeyBigF`: a bit of f, g or F in the encoded key, after the key's check.
    KeyF,
    KeyG,
    KeyBigF,
    /// A bit of the transformed basis: g, -f, G, -F.
    Basis(usize),
    /// `Tree` to `ExpandedRow`: a bit of the tree, b01, b11, or a row f, F or h in an expanded key.
    Tree,
    ExpandedB01,
    ExpandedB11,
    ExpandedRow(usize),
    /// A bit of f, F or h modulo q.
    Row(usize),
    /// A bit of the copy of c that the sampler gets.
    SampledC,
    /// A bit of c, in the sampler's copy and in the copy from which s1 is computed.
    C,
    /// A bit of s2.
    S2,
    /// A bit of z.
    Z,
    /// z is zero.
    ZeroZ,
    /// The sampler is skipped, so z contains the targets, which the signer then rounds.
    SkippedSampler,
    /// The sampler is skipped, and the targets are not computed.
    SkippedSample,
    /// The sampler returns the floor of each centre.
    ZeroedSampler,
    /// The attempt fails, so the signer makes another attempt.
    Restart,
}

/// All kinds except `Restart`, with the number of signatures for each kind: 10,000 in total. For
/// some kinds, a quarter of the faults is permanent: these faults occur in all 27 attempts.
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
const QUIET_THREAD_NAME: &str = "planted faults";

/// A generator for pseudorandom numbers.
struct PseudorandomNumbers(u64);

impl PseudorandomNumbers {
    /// Returns the next number.
    fn next_number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }
}

/// A key that has a fault in the first `faulty_attempts` attempts.
struct FaultyKey<'k, L> {
    key: &'k L,
    encoded: EncodedPrivateKey<'k>,
    kind: Option<FaultKind>,
    fault_position: u64,
    /// The number of attempts with the fault.
    faulty_attempts: u32,
    /// The number of attempts so far.
    attempts: Cell<u32>,
    /// The hashed message c (coefficients modulo q) of each attempt.
    hashed_messages: RefCell<Vec<Vec<u16>>>,
}

impl<L> FaultyKey<'_, L> {
    /// Returns whether the current attempt must have a fault of this kind.
    fn is_injected(&self, kind: FaultKind) -> bool {
        self.kind == Some(kind) && self.attempts.get() <= self.faulty_attempts
    }

    /// Flips a bit in a polynomial modulo q.
    fn flip(&self, row: &mut [u16]) {
        row[self.fault_position as usize % row.len()] ^= 1 << ((self.fault_position >> 32) % 14);
    }

    /// Flips a bit in a real array.
    fn flip_real<R: Real>(&self, row: &mut [R]) {
        let x = &mut row[self.fault_position as usize % row.len()];
        *x = R::from_bits(x.to_bits() ^ 1 << ((self.fault_position >> 32) % 64));
    }

    /// Writes the Gram matrix to the start of `memory`, and the targets to the end. Flips a bit of
    /// the basis first, if the fault is [`FaultKind::Basis`].
    fn targets<S: Simd>(&self, isa: S, c: &[u16], memory: &mut [S::Real]) {
        let n = self.encoded.degree.n();
        let mut rows = vec![S::Real::ZERO; 4 * n];
        let [b00, b01, b10, b11] = rows.get_disjoint_mut([0, 1, 2, 3].map(|i| i * n..(i + 1) * n)).unwrap();
        self.encoded.basis_into(isa, [&mut *b00, &mut *b01, &mut *b10, &mut *b11], &mut vec![0; 4 * n]);
        for (i, row) in [&mut *b00, &mut *b01, &mut *b10, &mut *b11].into_iter().enumerate() {
            if self.is_injected(FaultKind::Basis(i)) {
                self.flip_real(row);
            }
        }
        gram_into(isa, [b00, b01, b10, b11], &mut memory[..2 * n]);
        let mut transformed_c = vec![S::Real::ZERO; n];
        fft(isa, self.encoded.degree.logn(), c, &mut transformed_c, i32::from);
        targets_into(isa, &transformed_c, b01, b11);
        let len = memory.len();
        memory[len - 2 * n..len - n].copy_from_slice(b11);
        memory[len - n..].copy_from_slice(b01);
    }
}

impl<L: LatticeKey> LatticeKey for FaultyKey<'_, L> {
    fn sample_reals(&self) -> usize {
        self.key.sample_reals().max(self.encoded.sample_reals())
    }

    fn sample<S: Simd>(&self, isa: S, point: &HashedPoint<'_>, sampler: &mut Sampler<S>, memory: &mut [S::Real]) {
        let logn = self.encoded.degree.logn();
        let n = self.encoded.degree.n();
        let mut row = vec![0; n];
        let c = point.coefficients(isa, &mut row);
        self.attempts.set(self.attempts.get() + 1);
        self.hashed_messages.borrow_mut().push(c.to_vec());
        sampler.zeroed = self.is_injected(FaultKind::ZeroedSampler);
        let skip = memory.len() - self.key.sample_reals();
        match self.kind {
            _ if self.is_injected(FaultKind::SkippedSample) => {}
            _ if self.is_injected(FaultKind::SkippedSampler) => self.targets(isa, c, memory),
            Some(FaultKind::Basis(_)) if self.attempts.get() <= self.faulty_attempts => {
                self.targets(isa, c, memory);
                ff_sampling(isa, sampler, logn, memory);
            }
            _ if self.is_injected(FaultKind::SampledC) || self.is_injected(FaultKind::C) => {
                let mut changed = c.to_vec();
                self.flip(&mut changed);
                self.key.sample(isa, &HashedPoint { stored: &changed, ..*point }, sampler, &mut memory[skip..]);
            }
            _ => self.key.sample(isa, point, sampler, &mut memory[skip..]),
        }
        let at = memory.len() - 2 * n;
        if self.is_injected(FaultKind::ZeroZ) || self.is_injected(FaultKind::Restart) {
            memory[at..].fill(S::Real::ZERO);
        }
        if self.is_injected(FaultKind::Z) {
            self.flip_real(&mut memory[at..]);
        }
    }

    fn rows_into<S: Simd>(&self, isa: S, f: &mut [u16], big_f: &mut [u16], h: &mut [u16]) {
        self.key.rows_into(isa, f, big_f, h);
        for (i, row) in [f, big_f, h].into_iter().enumerate() {
            if self.is_injected(FaultKind::Row(i)) {
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
        if self.is_injected(FaultKind::C) {
            self.flip(&mut c);
        }
        let vectors = short_vectors(isa, self, algorithm, &c, z, work)?;
        if self.is_injected(FaultKind::S2) {
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
    fault_position: u64,
    faulty_attempts: u32,
}

/// The outcome of a signing operation.
#[derive(Debug)]
struct SigningOutcome {
    result: Result<Vec<u8>, FalconSignError>,
    hashed_messages: Vec<Vec<u16>>,
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
                secret[at + self.fault_position as usize % field.len()] ^= 1 << ((self.fault_position >> 32) % 8);
            }
        }
        let encoded = EncodedPrivateKey { degree, parts: private_parts(algorithm, &secret) };
        // Faults of the encoded key and the basis are injected while the encoded key signs. Faults
        // in memory, and half of all other faults, are injected while an expanded key signs.
        let in_memory = matches!(
            self.kind,
            Some(FaultKind::Tree | FaultKind::ExpandedB01 | FaultKind::ExpandedB11 | FaultKind::ExpandedRow(_))
        );
        let in_key =
            matches!(self.kind, Some(FaultKind::KeyF | FaultKind::KeyG | FaultKind::KeyBigF | FaultKind::Basis(_)));
        if !(in_memory || !in_key && self.fault_position >> 48 & 1 == 1) {
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
            memory[at + self.fault_position as usize % len] ^= 1 << ((self.fault_position >> 32) % 8);
            assert!(!ExpandedPrivateKey::new(degree, memory).is_intact(), "the hash does not detect the fault");
        }
        self.sign(isa, &ExpandedPrivateKey::new(degree, MemoryLine::bytes(&lines)), encoded)
    }
}

impl FaultySigning<'_> {
    fn sign<S: Simd, L: LatticeKey>(self, isa: S, key: &L, encoded: EncodedPrivateKey<'_>) -> SigningOutcome {
        let Self { degree, kind, fault_position, faulty_attempts, .. } = self;
        let algorithm = FalconAlgorithm::new(FalconScheme::FnDsa, degree);
        let (attempts, hashed_messages) = (Cell::new(0), RefCell::new(vec![]));
        let key = FaultyKey { key, encoded, kind, fault_position, faulty_attempts, attempts, hashed_messages };
        let mut signature = vec![0; algorithm.signature_len()];
        let mut work = vec![0; algorithm.sign_work_len()];
        let generator = Generator::Shake256;
        let task =
            SigningTask { algorithm, key: &key, message: AttemptSource::Mu(self.mu), random: self.random, generator };
        let result = sign(isa, &task, &mut signature, Scratch::new(&mut work));
        if result.is_err() {
            assert!(signature.iter().all(|byte| *byte == 0), "the buffer contains bytes of a withheld signature");
        }
        SigningOutcome { result: result.map(|()| signature), hashed_messages: key.hashed_messages.into_inner() }
    }
}

/// Returns whether the signature is good for the true public key. The two verifiers must agree.
fn is_good(level: Level, degree: Degree, public: &[u8], mu: &[u8; 64], signature: &[u8]) -> bool {
    struct EngineVerification<'v>(FalconAlgorithm, &'v [u8], &'v [u8; 64], &'v [u8]);
    impl WithSimd for EngineVerification<'_> {
        type Output = bool;
        fn with<S: Simd>(self, isa: S) -> bool {
            let mut work = vec![0; self.0.verify_work_len()];
            let h = PublicFields::Packed(&self.1[1..]);
            let task = Verification { algorithm: self.0, h, point: PointSource::Mu(self.2), signature: self.3 };
            verify(isa, &task, Scratch::new(&mut work)).is_ok()
        }
    }
    let engine_verdict =
        level.run(EngineVerification(FalconAlgorithm::new(FalconScheme::FnDsa, degree), public, mu, signature));
    let key = VerifyingKeyStandard::decode(public).unwrap();
    let peer_verdict = key.verify(signature, &DomainContext(b""), &HASH_ID_EXTMU, mu);
    assert_eq!(engine_verdict, peer_verdict);
    engine_verdict
}

/// A key with its message from the published vectors.
struct PublishedKey {
    degree: Degree,
    secret: Vec<u8>,
    public: Vec<u8>,
    mu: [u8; 64],
}

fn published_keys() -> Vec<PublishedKey> {
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

/// Returns the level for run `number`: usually the fastest level, because other levels need more
/// time.
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
    /// No signature was returned, because the signature that was made did not verify.
    self_check: usize,
    /// No signature was returned, because all attempts failed.
    attempts: usize,
    /// No signature was returned, because an assertion detected a number out of range. A build
    /// without assertions would continue.
    asserted: usize,
    /// A good signature, after at least two attempts.
    restarted: usize,
    /// A good signature that is equal to the signature without the fault.
    same: usize,
    /// A good signature that differs from the signature without the fault. No check can detect this
    /// fault.
    different: usize,
    /// A bad signature, which must never occur.
    wrong: usize,
}

fn tally(kind: FaultKind, count: usize, published_keys: &[PublishedKey]) -> OutcomeTally {
    let mut numbers = PseudorandomNumbers(u64::from_le_bytes(*b"faults 1") ^ count as u64);
    let mut tally = OutcomeTally::default();
    for i in 0..count {
        // Every fifth signature has degree 1024.
        let first_key = if i % 5 == 4 { 10 } else { 0 };
        let PublishedKey { degree, secret, public, mu } = &published_keys[first_key + i % 10];
        let random = core::array::from_fn(|_| numbers.next_number() as u8);
        let is_permanent = matches!(
            kind,
            FaultKind::ZeroZ | FaultKind::SkippedSampler | FaultKind::SkippedSample | FaultKind::ZeroedSampler
        ) && i % 4 == 0;
        let faulty_attempts = if is_permanent { u32::MAX } else { 1 };
        let run = FaultySigning {
            degree: *degree,
            secret,
            mu,
            random: &random,
            kind: Some(kind),
            fault_position: numbers.next_number(),
            faulty_attempts,
        };
        let Ok(SigningOutcome { result, hashed_messages }) = catch_unwind(|| level(i).run(run)) else {
            tally.asserted += 1;
            let is_debug_build = cfg!(debug_assertions);
            assert!(is_debug_build, "signing panicked in a build without debug assertions");
            continue;
        };
        match result {
            Err(FalconSignError::SelfCheck) => tally.self_check += 1,
            Err(FalconSignError::Attempts) => {
                assert_eq!(hashed_messages.len(), usize::from(MAX_SIGN_ATTEMPTS));
                tally.attempts += 1;
            }
            Ok(signature) if !is_good(level(i), *degree, public, mu, &signature) => tally.wrong += 1,
            Ok(_) if hashed_messages.len() > 1 => tally.restarted += 1,
            Ok(signature) => match level(i).run(FaultySigning { kind: None, secret, ..run }).result {
                Ok(good) if good == signature => tally.same += 1,
                _ => tally.different += 1,
            },
        }
    }
    tally
}

#[test]
fn no_wrong_signature_is_returned_in_ten_thousand_faults() {
    let published_keys = published_keys();
    assert_eq!(KINDS.iter().map(|(_, count)| count).sum::<usize>(), 10_000);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let default_hook = take_hook();
    set_hook(Box::new(move |info| {
        if thread::current().name() != Some(QUIET_THREAD_NAME) {
            default_hook(info);
        }
    }));
    let all_tallies: Vec<(FaultKind, OutcomeTally)> = thread::scope(|scope| {
        let part = |i| {
            let published_keys = &published_keys;
            move || -> Vec<_> {
                let kinds = KINDS.iter().skip(i).step_by(threads);
                kinds.map(|(kind, count)| (*kind, tally(*kind, *count, published_keys))).collect()
            }
        };
        let all: Vec<_> = (0..threads)
            .map(|i| thread::Builder::new().name(QUIET_THREAD_NAME.to_owned()).spawn_scoped(scope, part(i)).unwrap())
            .collect();
        all.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let mut all = OutcomeTally::default();
    for (kind, tally) in all_tallies {
        println!("{kind:?}: {tally:?}");
        let count = KINDS.iter().find(|(fault_kind, _)| *fault_kind == kind).map_or(0, |(_, count)| *count);
        let OutcomeTally { self_check, attempts, asserted, restarted, same, different, wrong } = tally;
        assert_eq!(
            self_check + attempts + asserted + restarted + same + different,
            count,
            "{kind:?}: {wrong} wrong signatures were returned"
        );
        assert!(same < count, "{kind:?}: the fault never changed a signature");
        // After a fault in low bits, a signature can be valid: a changed c can still satisfy the
        // norm bound, and rounding removes small errors of reals.
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
        assert!(may_be_good || same + different == 0, "{kind:?}: signed despite the fault: {tally:?}");
        assert!(may_be_good || self_check + attempts + restarted > 0, "{kind:?}: only assertions detected the fault");
        if matches!(kind, FaultKind::C | FaultKind::S2) {
            assert!(self_check > count / 10, "{kind:?}: the verification detected too few faults: {tally:?}");
        }
        all.self_check += self_check;
        all.attempts += attempts;
        all.asserted += asserted;
        all.restarted += restarted;
        all.same += same;
        all.different += different;
    }
    println!("all: {all:?}");
}

/// Signs a message many times, and makes all attempts except the last fail. c is a hash of the
/// nonce and mu, so different values of c show that all nonces are different.
#[test]
fn every_attempt_has_a_new_nonce_in_ten_thousand_restarts() {
    let last = u32::from(MAX_SIGN_ATTEMPTS) - 1;
    let published_keys = published_keys();
    let mut restarts = 0;
    for (first_key, count) in [(0, 345), (10, 40)] {
        let PublishedKey { degree, secret, public, mu } = &published_keys[first_key];
        let (mut numbers, mut earlier_hashes) = (PseudorandomNumbers(3), BTreeSet::new());
        for i in 0..count {
            let random = core::array::from_fn(|_| numbers.next_number() as u8);
            let fault_position = numbers.next_number();
            let run = FaultySigning {
                degree: *degree,
                secret,
                mu,
                random: &random,
                kind: Some(FaultKind::Restart),
                fault_position,
                faulty_attempts: last,
            };
            let SigningOutcome { result, hashed_messages } = level(i).run(run);
            // An attempt fails without a fault in about one of 2,450 cases. If this is the last
            // attempt, signing fails.
            match result {
                Ok(signature) => assert!(is_good(level(i), *degree, public, mu, &signature)),
                Err(failure) => assert_eq!((failure, i % 385 > 0), (FalconSignError::Attempts, true)),
            }
            assert_eq!(hashed_messages.len(), last as usize + 1);
            restarts += hashed_messages.len() - 1;
            for point in hashed_messages {
                assert!(earlier_hashes.insert(point), "a nonce was used twice");
            }
        }
    }
    println!("{restarts} restarts");
    assert!(restarts >= 10_000);
}

/// Checks that signing succeeds if only the last attempt succeeds, and fails if all attempts fail.
#[test]
fn signing_ends_after_the_last_attempt() {
    for PublishedKey { degree, secret, public, mu } in &published_keys() {
        let cap = u32::from(MAX_SIGN_ATTEMPTS);
        let run = FaultySigning {
            degree: *degree,
            secret,
            mu,
            random: &[1; 40],
            kind: Some(FaultKind::Restart),
            fault_position: 0,
            faulty_attempts: 0,
        };
        for (faulty_attempts, must_fail) in [(0, false), (1, false), (cap - 1, false), (cap, true), (u32::MAX, true)] {
            let SigningOutcome { result, hashed_messages } =
                Level::detect().run(FaultySigning { faulty_attempts, ..run });
            assert_eq!(hashed_messages.len() as u32, cap.min(faulty_attempts.saturating_add(1)));
            match result {
                Ok(signature) => assert!(!must_fail && is_good(Level::detect(), *degree, public, mu, &signature)),
                Err(failure) => assert!(must_fail && failure == FalconSignError::Attempts),
            }
        }
    }
}

/// Makes s2 impossible to encode in every attempt. The encoder writes the start of a signature each
/// time, and these bytes must not remain in the buffer.
#[test]
fn a_signature_that_cannot_be_encoded_is_wiped() {
    for PublishedKey { degree, secret, mu, .. } in &published_keys() {
        // Flip the highest bit of a residue, which makes the coefficient larger than the bound.
        let (kind, fault_position) = (Some(FaultKind::S2), 13 << 32);
        let run = FaultySigning {
            degree: *degree,
            secret,
            mu,
            random: &[1; 40],
            kind,
            fault_position,
            faulty_attempts: u32::MAX,
        };
        assert_eq!(Level::detect().run(run).result, Err(FalconSignError::Attempts));
    }
}
