//! Inserts faults while a signature is made. If the signer returns a signature, two conditions must
//! hold: the implementation libcrux accepts the signature, and y was sampled.
//!
//! A valid signature does not show whether its y was sampled. An attacker who knows y can compute
//! the private key. So the tests insert faults into y for each of its uses, and for all uses
//! together. Only one kind of fault is not detected: y is sampled from bytes that differ from the
//! standard's bytes, and all uses get this y. Such a y is as unpredictable as the correct y.

use super::super::codec::PIECE;
use super::super::params::{MlDsaSet, N, Q, SECRET_SEED_LEN};
use super::super::sign::{
    KeptTask, MlDsaSignError, MuTask, SeedTask, sign, sign_kept, sign_seed, sign_seed_with, sign_with,
};
use super::super::trace::{FaultHooks, MaskUse};
use super::super::transforms::KeyTransforms;
use super::super::verify::{MlDsaRejection, MuVerification, verify};
use super::{pair_of, shake256, sign_work_lens, two_levels};
use crate::simd::{Level, Scratch, Simd, WithSimd};
use libcrux_ml_dsa::{MLDSASignature, MLDSAVerificationKey, ml_dsa_44, ml_dsa_65, ml_dsa_87};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

const MESSAGE: &[u8] = b"faults";

/// The place where a fault is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FaultPlace {
    /// The seed for y.
    Seed,
    /// y, when the signer computes w.
    Commitment,
    /// y, when the signer checks the norm of z.
    Norm,
    /// y, when the signer writes z, or samples y again to compare it.
    Response,
    /// y, in all three uses.
    Mask,
    /// A row of w. The next variants: c~, a product with c (or its factor), packed z, the hint.
    Row,
    Challenge,
    Product,
    PackedResponse,
    Hint,
    /// rho in the expanded key in memory. The next variants: s1, s2 and t0 in this key.
    Rho,
    S1,
    S2,
    T0,
}

/// The change that a fault makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FaultChange {
    /// The value is zero, as if the code that writes it was skipped.
    Zeros,
    /// A bit is inverted.
    Bit,
    /// A piece of y is replaced by the previous piece. At places outside y, the value is zero.
    Before,
}

const PLACES: [FaultPlace; 14] = [
    FaultPlace::Seed,
    FaultPlace::Commitment,
    FaultPlace::Norm,
    FaultPlace::Response,
    FaultPlace::Mask,
    FaultPlace::Row,
    FaultPlace::Challenge,
    FaultPlace::Product,
    FaultPlace::PackedResponse,
    FaultPlace::Hint,
    FaultPlace::Rho,
    FaultPlace::S1,
    FaultPlace::S2,
    FaultPlace::T0,
];

/// A fault at a place in the code. It happens at a single visit to this place, or at all visits.
struct InsertedFault {
    place: FaultPlace,
    change: FaultChange,
    number: u64,
    /// The visit at which the fault happens. If this is `None`, the fault happens at all visits.
    visit: Option<u32>,
    visits: Cell<u32>,
    /// The piece of y from the previous visit.
    previous_piece: Cell<[u32; PIECE]>,
    fault_count: Cell<u32>,
}

impl InsertedFault {
    fn is_here(&self, place: FaultPlace) -> bool {
        if place != self.place {
            return false;
        }
        let visit = self.visits.replace(self.visits.get() + 1);
        let is_here = self.visit.is_none_or(|fault_visit| fault_visit == visit);
        self.fault_count.set(self.fault_count.get() + u32::from(is_here));
        is_here
    }

    fn bytes(&self, place: FaultPlace, bytes: &mut [u8]) {
        if self.is_here(place) {
            match self.change {
                FaultChange::Bit => bytes[self.number as usize % bytes.len()] ^= 1 << ((self.number >> 32) % 8),
                FaultChange::Zeros | FaultChange::Before => bytes.fill(0),
            }
        }
    }

    fn words(&self, place: FaultPlace, words: &mut [u32], bits: u64) {
        if self.is_here(place) {
            match self.change {
                FaultChange::Bit => words[self.number as usize % words.len()] ^= 1 << ((self.number >> 32) % bits),
                FaultChange::Zeros | FaultChange::Before => words.fill(0),
            }
        }
    }
}

impl FaultHooks for InsertedFault {
    fn seed(&self, seed: &mut [u8; SECRET_SEED_LEN]) {
        self.bytes(FaultPlace::Seed, seed);
    }

    fn mask(&self, mask_use: MaskUse, _column: usize, piece: &mut [u32; PIECE]) {
        let place = match mask_use {
            _ if self.place == FaultPlace::Mask => FaultPlace::Mask,
            MaskUse::Commitment => FaultPlace::Commitment,
            MaskUse::Norm => FaultPlace::Norm,
            MaskUse::Response => FaultPlace::Response,
        };
        let sampled = *piece;
        if self.change == FaultChange::Before && self.is_here(place) {
            *piece = self.previous_piece.get();
        } else if self.change != FaultChange::Before {
            self.words(place, piece, 17);
        }
        self.previous_piece.set(sampled);
    }

    fn row(&self, _r: usize, row: &mut [u32]) {
        self.words(FaultPlace::Row, row, 23);
    }

    fn challenge(&self, challenge: &mut [u8]) {
        self.bytes(FaultPlace::Challenge, challenge);
    }

    fn product(&self, product: &mut [u32]) {
        self.words(FaultPlace::Product, product, 20);
    }

    fn response(&self, piece: &mut [u8]) {
        self.bytes(FaultPlace::PackedResponse, piece);
    }

    fn hint(&self, hint: &mut [u8]) {
        self.bytes(FaultPlace::Hint, hint);
    }
}

/// Returns whether libcrux accepts the signature.
fn libcrux_accepts(set: MlDsaSet, public: &[u8], signature: &[u8]) -> bool {
    macro_rules! by {
        ($module:ident) => {
            $module::verify(
                &MLDSAVerificationKey::new(public.try_into().unwrap()),
                MESSAGE,
                &[],
                &MLDSASignature::new(signature.try_into().unwrap()),
            )
            .is_ok()
        };
    }
    match set {
        MlDsaSet::S44 => by!(ml_dsa_44),
        MlDsaSet::S65 => by!(ml_dsa_65),
        MlDsaSet::S87 => by!(ml_dsa_87),
    }
}

struct FaultTest;

impl WithSimd for FaultTest {
    type Output = BTreeMap<(FaultPlace, bool), [usize; 2]>;
    fn with<S: Simd>(self, isa: S) -> Self::Output {
        let mut counts = BTreeMap::new();
        for set in MlDsaSet::ALL {
            let p = set.parameters();
            let (public, expanded) = pair_of(isa, set, &[9; 32]);
            let mu = shake256(&[&expanded[64..128], &[0, 0], MESSAGE]);
            let lens = sign_work_lens(set);
            let mut work = vec![0; lens[3]];
            let s_at = 128 + p.l * p.s_len();
            let t0_at = s_at + p.k * p.s_len();
            for place in PLACES {
                for round in 0..24u64 {
                    let number = (round + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (set as u64) << 40;
                    let change = [FaultChange::Bit, FaultChange::Zeros, FaultChange::Before][round as usize % 3];
                    let is_permanent = round % 8 == 7
                        && matches!(place, FaultPlace::Response | FaultPlace::PackedResponse | FaultPlace::Hint);
                    // With these messages, a signature needs one to three attempts. Most of the
                    // chosen visits are in the last attempt, because only faults in this attempt
                    // can affect the signature.
                    let visit = if is_permanent { None } else { Some((number >> 50) as u32 % 40) };
                    let fault = InsertedFault {
                        place,
                        change,
                        number,
                        visit: if matches!(
                            place,
                            FaultPlace::Seed | FaultPlace::Rho | FaultPlace::Hint | FaultPlace::Challenge
                        ) {
                            Some(0)
                        } else {
                            visit
                        },
                        visits: Cell::new(0),
                        previous_piece: Cell::new([0; PIECE]),
                        fault_count: Cell::new(0),
                    };
                    let fault = if place == FaultPlace::Mask && round % 2 == 0 {
                        InsertedFault { visit: None, change: FaultChange::Zeros, ..fault }
                    } else {
                        fault
                    };
                    let mut key = expanded.clone();
                    match place {
                        FaultPlace::Rho => fault.bytes(place, &mut key[..32]),
                        FaultPlace::S1 => key[128 + round as usize % (s_at - 128)] ^= 1 << (round % 3),
                        FaultPlace::S2 => key[s_at + round as usize % (t0_at - s_at)] ^= 1 << (round % 3),
                        FaultPlace::T0 => key[t0_at + round as usize] ^= 0x80,
                        _ => (),
                    }
                    let len = lens[round as usize / 3 % lens.len()];
                    let rnd = [round as u8; 32];
                    let task = MuTask { set, expanded: &key, mu: &mu, rnd: &rnd };
                    let mut signature = vec![1; set.signature_len()];
                    let signed = sign_with(isa, &task, &fault, &mut signature, Scratch::new(&mut work[..len]));
                    let what = format!("{set:?} {place:?} {change:?} {round}: {signed:?}");
                    let count = counts.entry((place, signed.is_ok())).or_insert([0; 2]);
                    count[0] += 1;
                    count[1] += fault.fault_count.get() as usize;
                    match signed {
                        Ok(()) => assert!(libcrux_accepts(set, &public, &signature), "{what}"),
                        Err(error) => {
                            assert!(error == MlDsaSignError::Fault, "{what}");
                            assert!(signature.iter().all(|byte| *byte == 0), "{what}");
                        }
                    }
                }
            }
        }
        counts
    }
}

#[test]
fn no_signature_with_a_fault_is_returned() {
    for counts in two_levels().map(|level| level.run(FaultTest)) {
        for place in PLACES {
            assert!(counts.contains_key(&(place, false)), "{place:?}: no fault was detected");
        }
    }
}

/// Inserts faults into y: all coefficients are zero, a column has small coefficients, or a bit is
/// inverted in one use. With y = 0, z would be `c s1`, and all verifiers would accept the
/// signature.
#[test]
fn a_fault_in_the_mask_y_is_detected() {
    struct ZeroMask;
    impl FaultHooks for ZeroMask {
        fn mask(&self, _of: MaskUse, _column: usize, piece: &mut [u32; PIECE]) {
            piece.fill(0);
        }
    }
    /// A fault that sets all coefficients of a column to 3.
    struct ColumnFault(usize);
    impl FaultHooks for ColumnFault {
        fn mask(&self, _of: MaskUse, column: usize, piece: &mut [u32; PIECE]) {
            if column == self.0 {
                piece.fill(3);
            }
        }
    }
    /// A bit of y is inverted in the listed uses. If the signer computed z from the y that it used
    /// for w, then a fault in this y would lead to a valid signature.
    struct MaskBitFault(&'static [MaskUse]);
    impl FaultHooks for MaskBitFault {
        fn mask(&self, mask_use: MaskUse, _column: usize, piece: &mut [u32; PIECE]) {
            piece[3] ^= u32::from(self.0.contains(&mask_use)) << 9;
        }
    }
    struct MaskFaultTest<B>(MlDsaSet, B);
    impl<B: FaultHooks> WithSimd for MaskFaultTest<B> {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            let Self(set, hooks) = self;
            let (_, expanded) = pair_of(isa, set, &[9; 32]);
            let task = MuTask { set, expanded: &expanded, mu: &[1; 64], rnd: &[0; 32] };
            for len in sign_work_lens(set) {
                let mut work = vec![0; len];
                let mut signature = vec![1; set.signature_len()];
                let signed = sign_with(isa, &task, &hooks, &mut signature, Scratch::new(&mut work));
                assert_eq!(signed, Err(MlDsaSignError::Fault), "{set:?}, {len} bytes");
                assert!(signature.iter().all(|byte| *byte == 0));
            }
        }
    }
    for (set, level) in MlDsaSet::ALL.into_iter().flat_map(|set| two_levels().map(|level| (set, level))) {
        level.run(MaskFaultTest(set, ZeroMask));
        for column in 0..set.parameters().l {
            level.run(MaskFaultTest(set, ColumnFault(column)));
        }
        level.run(MaskFaultTest(set, MaskBitFault(&[MaskUse::Commitment])));
        level.run(MaskFaultTest(set, MaskBitFault(&[MaskUse::Response])));
    }
}

/// Changes a bit of the key after it was loaded. Verification would not always detect this: the
/// hint hides a small change of t0 or s2, and the signature does not depend on tr.
#[test]
fn a_changed_key_is_detected() {
    struct ChangedKeyTest;
    impl WithSimd for ChangedKeyTest {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            for set in MlDsaSet::ALL {
                let p = set.parameters();
                let (_, expanded) = pair_of(isa, set, &[9; 32]);
                let mu = shake256(&[&expanded[64..128], &[0, 0], MESSAGE]);
                let s2_at = 128 + p.l * p.s_len();
                let t0_at = s2_at + p.k * p.s_len();
                for at in [0, 64, 127, 128, s2_at, t0_at, t0_at + 416] {
                    let mut key = expanded.clone();
                    key[at] ^= 1;
                    for len in sign_work_lens(set) {
                        let mut work = vec![0; len];
                        let mut signature = vec![1; set.signature_len()];
                        let task = MuTask { set, expanded: &key, mu: &mu, rnd: &[0; 32] };
                        let signed = sign(isa, &task, &mut signature, Scratch::new(&mut work));
                        assert_eq!(signed, Err(MlDsaSignError::Fault), "{set:?}, byte {at}, {len} bytes");
                        assert!(signature.iter().all(|byte| *byte == 0));
                    }
                }
            }
        }
    }
    two_levels().iter().for_each(|level| level.run(ChangedKeyTest));
}

/// A change of a key that is kept for many signatures.
#[derive(Clone, Copy, Debug)]
enum KeptChange {
    /// The given number is added to a single value.
    Value(u32),
    /// A polynomial is zero, as if it was not written.
    Zeros,
    /// A polynomial is replaced by the previous polynomial.
    Before,
}

/// Changes each polynomial of A, t1, s1, s2 and t0 in a key that is kept for many signatures. If s2
/// is zero, then most signatures are valid, so only the checksum of the key detects the change.
#[test]
fn a_changed_expanded_key_is_detected() {
    struct ChangedTransformsTest;
    impl WithSimd for ChangedTransformsTest {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            for set in MlDsaSet::ALL {
                let p = set.parameters();
                let (_, expanded) = pair_of(isa, set, &[9; 32]);
                let tr: &[u8; 64] = expanded[64..128].try_into().unwrap();
                let mu = shake256(&[tr, &[0, 0], MESSAGE]);
                let (mut kept, mut key) = (vec![0; set.transforms_len()], [0; 32]);
                let mut work = vec![0; set.sign_kept_work_len().max(KeyTransforms::work_len(set))];
                KeyTransforms::write(isa, set, &expanded, tr, &mut kept, &mut key, Scratch::new(&mut work)).unwrap();
                let good = kept.clone();
                let mut sign = |kept: &[u32], what: &str| {
                    let task = KeptTask { set, transforms: kept, key: &key, mu: &mu, rnd: &[0; 32] };
                    let mut signature = vec![1; set.signature_len()];
                    let signed = sign_kept(isa, &task, &mut signature, Scratch::new(&mut work));
                    assert_eq!(signed.is_err(), signature.iter().all(|byte| *byte == 0), "{set:?} {what}");
                    signed
                };
                assert_eq!(sign(&kept, "good"), Ok(()));
                let public_count = p.k * p.l + p.k;
                for polynomial in 0..kept.len() / N {
                    let at = N * polynomial;
                    for change in
                        [KeptChange::Value(1), KeptChange::Value(1 << 12), KeptChange::Zeros, KeptChange::Before]
                    {
                        match change {
                            KeptChange::Value(number) => {
                                let value = &mut kept[at + (37 * polynomial) % N];
                                *value = (*value + number) % Q;
                            }
                            KeptChange::Zeros => kept[at..at + N].fill(0),
                            KeptChange::Before if polynomial == 0 => continue,
                            KeptChange::Before => kept.copy_within(at - N..at, at),
                        }
                        let what = format!("polynomial {polynomial}, {change:?}");
                        let signed = sign(&kept, &what);
                        // A wrong secret polynomial can be so large that no attempt is accepted.
                        let is_detected = matches!(signed, Err(MlDsaSignError::Limit)) && polynomial >= public_count
                            || signed == Err(MlDsaSignError::Fault);
                        assert!(is_detected, "{set:?}, {what}: {signed:?}");
                        kept[at..at + N].copy_from_slice(&good[at..at + N]);
                    }
                }
                // Changes the checksum.
                for at in [N * (kept.len() / N), kept.len() - 1] {
                    kept[at] ^= 1 << 31;
                    assert_eq!(sign(&kept, "checksum"), Err(MlDsaSignError::Fault), "{set:?} {at}");
                    kept[at] ^= 1 << 31;
                }
                assert_eq!(sign(&kept, "good again"), Ok(()));
            }
        }
    }
    Level::detect().run(ChangedTransformsTest);
}

/// Tries to expand keys with a wrong length, rho, s1, s2, t0 or tr, and seeds with a wrong tr.
#[test]
fn a_wrong_key_is_not_expanded() {
    struct WrongKeyTest;
    impl WithSimd for WrongKeyTest {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            for set in MlDsaSet::ALL {
                let p = set.parameters();
                let (_, expanded) = pair_of(isa, set, &[9; 32]);
                let tr: [u8; 64] = expanded[64..128].try_into().unwrap();
                let (mut kept, mut key) = (vec![0; set.transforms_len()], [0; 32]);
                let mut work = vec![0; KeyTransforms::work_len(set)];
                let mut write = |form: &[u8], tr: &[u8; 64]| {
                    KeyTransforms::write(isa, set, form, tr, &mut kept, &mut key, Scratch::new(&mut work))
                };
                assert_eq!(write(&[9; 32], &tr), Ok(()), "{set:?}");
                assert_eq!(write(&[8; 32], &tr), Err(MlDsaSignError::Fault), "{set:?}");
                assert_eq!(write(&expanded[1..], &tr), Err(MlDsaSignError::Length), "{set:?}");
                for at in [0, 63] {
                    let mut tr = tr;
                    tr[at] ^= 0x80;
                    assert_eq!(write(&[9; 32], &tr), Err(MlDsaSignError::Fault), "{set:?} {at}");
                    assert_eq!(write(&expanded, &tr), Err(MlDsaSignError::Fault), "{set:?} {at}");
                }
                let s2_at = 128 + p.l * p.s_len();
                let t0_at = s2_at + p.k * p.s_len();
                for at in [0, 128, s2_at, t0_at, expanded.len() - 1] {
                    let mut form = expanded.clone();
                    form[at] ^= 1;
                    assert_eq!(write(&form, &tr), Err(MlDsaSignError::Fault), "{set:?} {at}");
                }
            }
        }
    }
    Level::detect().run(WrongKeyTest);
}

/// Signs with a seed that changed after it was loaded. The signer detects this, because the seed
/// does not match tr. Also signs with faults in y and in the seed for y.
#[test]
fn a_fault_is_detected_if_a_seed_signs() {
    struct MaskFault(MaskUse);
    impl FaultHooks for MaskFault {
        fn mask(&self, mask_use: MaskUse, _column: usize, piece: &mut [u32; PIECE]) {
            piece[3] ^= u32::from(mask_use == self.0) << 9;
        }
    }
    struct SeedFault;
    impl FaultHooks for SeedFault {
        fn seed(&self, seed: &mut [u8; SECRET_SEED_LEN]) {
            seed[9] ^= 1;
        }
    }
    struct SeedTest;
    impl WithSimd for SeedTest {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            for set in MlDsaSet::ALL {
                let (public, expanded) = pair_of(isa, set, &[9; 32]);
                let tr: [u8; 64] = expanded[64..128].try_into().unwrap();
                let mu = shake256(&[&tr, &[0, 0], MESSAGE]);
                let mut work = vec![0xff; set.sign_fast_work_len()];
                let task = SeedTask { set, xi: &[9; 32], tr: &tr, mu: &mu, rnd: &[1; 32] };
                let mut signature = vec![1; set.signature_len()];
                sign_seed(isa, &task, &mut signature, Scratch::new(&mut work)).unwrap();
                assert!(libcrux_accepts(set, &public, &signature), "{set:?}");
                for bit in 0..256 {
                    let mut xi = [9; 32];
                    xi[bit / 8] ^= 1 << (bit % 8);
                    let task = SeedTask { xi: &xi, ..task };
                    let signed = sign_seed(isa, &task, &mut signature, Scratch::new(&mut work));
                    assert_eq!(signed, Err(MlDsaSignError::Fault), "{set:?} {bit}");
                    assert!(signature.iter().all(|byte| *byte == 0), "{set:?} {bit}");
                }
                for mask_use in [MaskUse::Commitment, MaskUse::Response] {
                    let signed =
                        sign_seed_with(isa, &task, &MaskFault(mask_use), &mut signature, Scratch::new(&mut work));
                    assert_eq!(signed, Err(MlDsaSignError::Fault), "{set:?} {mask_use:?}");
                    assert!(signature.iter().all(|byte| *byte == 0), "{set:?} {mask_use:?}");
                }
                let signed = sign_seed_with(isa, &task, &SeedFault, &mut signature, Scratch::new(&mut work));
                assert_eq!(signed, Err(MlDsaSignError::Fault), "{set:?}");
                assert!(signature.iter().all(|byte| *byte == 0), "{set:?}");
            }
        }
    }
    Level::detect().run(SeedTest);
}

/// Makes all attempts fail. Signing must end after 821 attempts, the limit in NIST's errata of
/// 2026-07-31.
#[test]
fn signing_stops_after_the_maximum_of_attempts() {
    struct RejectingHooks(Cell<usize>);
    impl FaultHooks for RejectingHooks {
        fn challenge(&self, _challenge: &mut [u8]) {
            self.0.set(self.0.get() + 1);
        }
        fn product(&self, product: &mut [u32]) {
            product[0] = 1 << 20;
        }
    }
    struct AttemptLimitTest;
    impl WithSimd for AttemptLimitTest {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            for set in MlDsaSet::ALL {
                let (_, expanded) = pair_of(isa, set, &[9; 32]);
                let task = MuTask { set, expanded: &expanded, mu: &[1; 64], rnd: &[0; 32] };
                for len in sign_work_lens(set) {
                    let mut work = vec![0; len];
                    let mut signature = vec![1; set.signature_len()];
                    let attempts = RejectingHooks(Cell::new(0));
                    let signed = sign_with(isa, &task, &attempts, &mut signature, Scratch::new(&mut work));
                    assert_eq!((signed, attempts.0.get()), (Err(MlDsaSignError::Limit), 821), "{set:?}");
                    assert!(signature.iter().all(|byte| *byte == 0));
                }
            }
        }
    }
    two_levels().iter().for_each(|level| level.run(AttemptLimitTest));
}

/// Changes a bit of the challenge during signing. The signer must detect this, and verifiers must
/// reject the signature that a signer without this check would return.
#[test]
fn every_byte_of_the_challenge_is_compared() {
    struct WrongChallenge {
        at: usize,
        signature: RefCell<Vec<u8>>,
    }
    impl FaultHooks for WrongChallenge {
        fn challenge(&self, challenge: &mut [u8]) {
            challenge[self.at] ^= 1 << (self.at % 8);
            *self.signature.borrow_mut() = challenge.to_vec();
        }
        fn response(&self, piece: &mut [u8]) {
            self.signature.borrow_mut().extend_from_slice(piece);
        }
        fn hint(&self, hint: &mut [u8]) {
            self.signature.borrow_mut().extend_from_slice(hint);
        }
    }
    struct WrongChallengeTest;
    impl WithSimd for WrongChallengeTest {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            for set in MlDsaSet::ALL {
                let (public, expanded) = pair_of(isa, set, &[9; 32]);
                let mu = shake256(&[&expanded[64..128], &[0, 0], MESSAGE]);
                let mut work = vec![0; set.sign_matrix_work_len()];
                for at in 0..set.parameters().challenge_len {
                    let task = MuTask { set, expanded: &expanded, mu: &mu, rnd: &[at as u8; 32] };
                    let wrong = WrongChallenge { at, signature: RefCell::default() };
                    let mut signature = vec![1; set.signature_len()];
                    let len = [set.sign_low_work_len(), set.sign_matrix_work_len()][at % 2];
                    let signed = sign_with(isa, &task, &wrong, &mut signature, Scratch::new(&mut work[..len]));
                    assert_eq!(signed, Err(MlDsaSignError::Fault), "{set:?} {at}");
                    let signature = wrong.signature.into_inner();
                    assert_eq!(signature.len(), set.signature_len());
                    assert!(!libcrux_accepts(set, &public, &signature), "{set:?} {at}");
                    for len in [set.verify_work_len(), set.verify_fast_work_len()] {
                        let task = MuVerification { set, public: &public, mu: &mu, signature: &signature };
                        let verdict = verify(isa, &task, Scratch::new(&mut work[..len]));
                        assert_eq!(verdict, Err(MlDsaRejection::Challenge), "{set:?} {at}");
                    }
                }
            }
        }
    }
    two_levels().iter().for_each(|level| level.run(WrongChallengeTest));
}
