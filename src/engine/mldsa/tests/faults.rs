//! Inserts faults while a signature is made. Then there must be no signature, or another
//! implementation must accept the signature and its y must have been sampled.
//!
//! If a signature is valid, then it is not possible to see whether its y was sampled. If y is
//! known, then an attacker can compute the private key. This is why the tests insert faults into y
//! for each of its uses, and for all uses together. A single case cannot be detected: y is sampled
//! from bytes that differ from the standard, but they are the same for all of its uses. Such a y is
//! as good as any other y.

use super::super::codec::PIECE;
use super::super::params::{N, Q, SECRET_SEED_LEN, Set};
use super::super::sign::{MuTask, Unsigned, sign, sign_kept, sign_with};
use super::super::trace::{Between, Use};
use super::super::transforms::Transforms;
use super::super::verify::{MuClaim, Unverified, verify};
use super::{pair_of, shake256};
use crate::simd::{Level, Scratch, Simd, WithSimd};
use libcrux_ml_dsa::{MLDSASignature, MLDSAVerificationKey, ml_dsa_44, ml_dsa_65, ml_dsa_87};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

const MESSAGE: &[u8] = b"faults";

/// The place where a fault is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// The seed for y.
    Seed,
    /// y when it is used for w, for the norm of z, for z, and for all of these.
    Commitment,
    Norm,
    Response,
    Mask,
    Row,
    Challenge,
    Product,
    PackedResponse,
    Hint,
    /// The expanded key in memory: rho, s1, s2 and t0.
    Rho,
    S1,
    S2,
    T0,
}

/// The change that a fault makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// The value is zero, as if it was not written.
    Zeros,
    /// A bit is inverted.
    Bit,
    /// The value is replaced by the previous value.
    Before,
}

const PLACES: [Place; 14] = [
    Place::Seed,
    Place::Commitment,
    Place::Norm,
    Place::Response,
    Place::Mask,
    Place::Row,
    Place::Challenge,
    Place::Product,
    Place::PackedResponse,
    Place::Hint,
    Place::Rho,
    Place::S1,
    Place::S2,
    Place::T0,
];

/// A fault. It can happen at a single visit to its place, or at all of them.
struct Fault {
    place: Place,
    change: Change,
    number: u64,
    /// The visit at which the fault happens. If this is `None`, then it happens at all visits.
    visit: Option<u32>,
    visits: Cell<u32>,
    /// The piece of y from the previous visit.
    before: Cell<[u32; PIECE]>,
    happened: Cell<u32>,
}

impl Fault {
    fn is_here(&self, place: Place) -> bool {
        if place != self.place {
            return false;
        }
        let visit = self.visits.replace(self.visits.get() + 1);
        let is_here = self.visit.is_none_or(|it| it == visit);
        self.happened.set(self.happened.get() + u32::from(is_here));
        is_here
    }

    fn bytes(&self, place: Place, bytes: &mut [u8]) {
        if self.is_here(place) {
            match self.change {
                Change::Bit => bytes[self.number as usize % bytes.len()] ^= 1 << ((self.number >> 32) % 8),
                Change::Zeros | Change::Before => bytes.fill(0),
            }
        }
    }

    fn words(&self, place: Place, words: &mut [u32], bits: u64) {
        if self.is_here(place) {
            match self.change {
                Change::Bit => words[self.number as usize % words.len()] ^= 1 << ((self.number >> 32) % bits),
                Change::Zeros | Change::Before => words.fill(0),
            }
        }
    }
}

impl Between for Fault {
    fn seed(&self, seed: &mut [u8; SECRET_SEED_LEN]) {
        self.bytes(Place::Seed, seed);
    }

    fn mask(&self, of: Use, _column: usize, piece: &mut [u32; PIECE]) {
        let place = match of {
            _ if self.place == Place::Mask => Place::Mask,
            Use::Commitment => Place::Commitment,
            Use::Norm => Place::Norm,
            Use::Response => Place::Response,
        };
        let drawn = *piece;
        if self.change == Change::Before && self.is_here(place) {
            *piece = self.before.get();
        } else if self.change != Change::Before {
            self.words(place, piece, 17);
        }
        self.before.set(drawn);
    }

    fn row(&self, _r: usize, row: &mut [u32]) {
        self.words(Place::Row, row, 23);
    }

    fn challenge(&self, challenge: &mut [u8]) {
        self.bytes(Place::Challenge, challenge);
    }

    fn product(&self, product: &mut [u32]) {
        self.words(Place::Product, product, 20);
    }

    fn response(&self, piece: &mut [u8]) {
        self.bytes(Place::PackedResponse, piece);
    }

    fn hint(&self, hint: &mut [u8]) {
        self.bytes(Place::Hint, hint);
    }
}

/// Returns whether libcrux accepts the signature.
fn libcrux_accepts(set: Set, public: &[u8], signature: &[u8]) -> bool {
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
        Set::S44 => by!(ml_dsa_44),
        Set::S65 => by!(ml_dsa_65),
        Set::S87 => by!(ml_dsa_87),
    }
}

struct Run;

impl WithSimd for Run {
    type Output = BTreeMap<(Place, bool), [usize; 2]>;
    fn with<S: Simd>(self, isa: S) -> Self::Output {
        let mut counts = BTreeMap::new();
        for set in Set::ALL {
            let p = set.parameters();
            let (public, expanded) = pair_of(isa, set, &[9; 32]);
            let mu = shake256(&[&expanded[64..128], &[0, 0], MESSAGE]);
            let lens = [set.sign_least_work_len(), set.sign_low_work_len(), set.sign_fast_work_len()];
            let mut work = vec![0; lens[2]];
            let s_at = 128 + p.l * p.s_len();
            let t0_at = s_at + p.k * p.s_len();
            for place in PLACES {
                for round in 0..24u64 {
                    let number = (round + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (set as u64) << 40;
                    let change = [Change::Bit, Change::Zeros, Change::Before][round as usize % 3];
                    let stays =
                        round % 8 == 7 && matches!(place, Place::Response | Place::PackedResponse | Place::Hint);
                    // With these messages, a signature needs one to three attempts. Most visits
                    // should be in the last attempt, because a fault can only be in the signature
                    // if it happens there.
                    let visit = if stays { None } else { Some((number >> 50) as u32 % 40) };
                    let fault = Fault {
                        place,
                        change,
                        number,
                        visit: if matches!(place, Place::Seed | Place::Rho | Place::Hint | Place::Challenge) {
                            Some(0)
                        } else {
                            visit
                        },
                        visits: Cell::new(0),
                        before: Cell::new([0; PIECE]),
                        happened: Cell::new(0),
                    };
                    let fault = if place == Place::Mask && round % 2 == 0 {
                        Fault { visit: None, change: Change::Zeros, ..fault }
                    } else {
                        fault
                    };
                    let mut key = expanded.clone();
                    match place {
                        Place::Rho => fault.bytes(place, &mut key[..32]),
                        Place::S1 => key[128 + round as usize % (s_at - 128)] ^= 1 << (round % 3),
                        Place::S2 => key[s_at + round as usize % (t0_at - s_at)] ^= 1 << (round % 3),
                        Place::T0 => key[t0_at + round as usize] ^= 0x80,
                        _ => (),
                    }
                    let len = lens[round as usize / 3 % 3];
                    let rnd = [round as u8; 32];
                    let task = MuTask { set, expanded: &key, mu: &mu, rnd: &rnd };
                    let mut signature = vec![1; set.signature_len()];
                    let signed = sign_with(isa, &task, &fault, &mut signature, Scratch::new(&mut work[..len]));
                    let what = format!("{set:?} {place:?} {change:?} {round}: {signed:?}");
                    let count = counts.entry((place, signed.is_ok())).or_insert([0; 2]);
                    count[0] += 1;
                    count[1] += fault.happened.get() as usize;
                    match signed {
                        Ok(()) => assert!(libcrux_accepts(set, &public, &signature), "{what}"),
                        Err(error) => {
                            assert!(error == Unsigned::Fault, "{what}");
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
fn nothing_leaves_that_a_fault_has_spoiled() {
    let counts = Level::detect().run(Run);
    for ((place, is_signed), [signatures, faults]) in &counts {
        println!("{place:?}, signed {is_signed}: {signatures}, in which {faults} faults happened");
    }
    for place in PLACES {
        assert!(counts.contains_key(&(place, false)), "{place:?}: no fault was seen");
    }
}

/// Uses a y of zeros for everything. z would be `c s1`, and all verifiers would accept the
/// signature.
#[test]
fn a_y_that_was_not_drawn_is_seen() {
    struct Zeros;
    impl Between for Zeros {
        fn mask(&self, _of: Use, _column: usize, piece: &mut [u32; PIECE]) {
            piece.fill(0);
        }
    }
    /// A fault in a single column.
    struct Column(usize);
    impl Between for Column {
        fn mask(&self, _of: Use, column: usize, piece: &mut [u32; PIECE]) {
            if column == self.0 {
                piece.fill(3);
            }
        }
    }
    /// A bit is inverted in some uses of y. If the signer kept y and used the same y for z, then a
    /// fault in the use for w would lead to a signature that is valid.
    struct Bit(&'static [Use]);
    impl Between for Bit {
        fn mask(&self, of: Use, _column: usize, piece: &mut [u32; PIECE]) {
            piece[3] ^= u32::from(self.0.contains(&of)) << 9;
        }
    }
    struct One<B>(Set, B);
    impl<B: Between> WithSimd for One<B> {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            let Self(set, between) = self;
            let (_, expanded) = pair_of(isa, set, &[9; 32]);
            let task = MuTask { set, expanded: &expanded, mu: &[1; 64], rnd: &[0; 32] };
            for len in [set.sign_low_work_len(), set.sign_fast_work_len()] {
                let mut work = vec![0; len];
                let mut signature = vec![1; set.signature_len()];
                let signed = sign_with(isa, &task, &between, &mut signature, Scratch::new(&mut work));
                assert_eq!(signed, Err(Unsigned::Fault), "{set:?}, {len} bytes");
                assert!(signature.iter().all(|byte| *byte == 0));
            }
        }
    }
    for set in Set::ALL {
        Level::detect().run(One(set, Zeros));
        for column in 0..set.parameters().l {
            Level::detect().run(One(set, Column(column)));
        }
        Level::detect().run(One(set, Bit(&[Use::Commitment])));
        Level::detect().run(One(set, Bit(&[Use::Response])));
    }
}

/// Changes a bit of the key after it was loaded. Some of these signatures would be valid, because
/// the hint hides a small change of t0 or s2, and because tr is not used for signing.
#[test]
fn a_key_that_changed_is_seen() {
    struct Run;
    impl WithSimd for Run {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            for set in Set::ALL {
                let p = set.parameters();
                let (_, expanded) = pair_of(isa, set, &[9; 32]);
                let mu = shake256(&[&expanded[64..128], &[0, 0], MESSAGE]);
                let s2_at = 128 + p.l * p.s_len();
                let t0_at = s2_at + p.k * p.s_len();
                for at in [0, 64, 127, 128, s2_at, t0_at, t0_at + 416] {
                    let mut key = expanded.clone();
                    key[at] ^= 1;
                    for len in [set.sign_least_work_len(), set.sign_low_work_len(), set.sign_fast_work_len()] {
                        let mut work = vec![0; len];
                        let mut signature = vec![1; set.signature_len()];
                        let task = MuTask { set, expanded: &key, mu: &mu, rnd: &[0; 32] };
                        let signed = sign(isa, &task, &mut signature, Scratch::new(&mut work));
                        assert_eq!(signed, Err(Unsigned::Fault), "{set:?}, byte {at}, {len} bytes");
                        assert!(signature.iter().all(|byte| *byte == 0));
                    }
                }
            }
        }
    }
    Level::detect().run(Run);
}

/// Changes a single value in a key that is kept for many signatures, in each polynomial of A, s1,
/// s2 and t0.
#[test]
fn a_kept_key_that_changed_is_seen() {
    struct Run;
    impl WithSimd for Run {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            for set in Set::ALL {
                let p = set.parameters();
                let (_, expanded) = pair_of(isa, set, &[9; 32]);
                let mu = shake256(&[&expanded[64..128], &[0, 0], MESSAGE]);
                let task = MuTask { set, expanded: &expanded, mu: &mu, rnd: &[0; 32] };
                let mut kept = vec![0; set.transforms_len()];
                let mut work = vec![0; set.sign_kept_work_len()];
                Transforms::write(isa, set, &expanded, &mut kept, Scratch::new(&mut work)).unwrap();
                for polynomial in 0..kept.len() / N {
                    let at = N * polynomial + (37 * polynomial) % N;
                    for change in [1, 1 << 12] {
                        let good = kept[at];
                        kept[at] = (good + change) % Q;
                        let mut signature = vec![1; set.signature_len()];
                        let signed = sign_kept(isa, &task, &kept, &mut signature, Scratch::new(&mut work));
                        // A wrong small polynomial is large, so that no attempt is accepted, or the
                        // checks reject the accepted attempt.
                        let is_of_a = polynomial < p.k * p.l;
                        let is_refused =
                            matches!(signed, Err(Unsigned::Limit)) && !is_of_a || signed == Err(Unsigned::Fault);
                        assert!(is_refused, "{set:?}, polynomial {polynomial}: {signed:?}");
                        assert!(signature.iter().all(|byte| *byte == 0));
                        kept[at] = good;
                    }
                }
            }
        }
    }
    Level::detect().run(Run);
}

/// Rejects all attempts. The loop must end after the number of attempts in NIST's errata of
/// 2026-07-31.
#[test]
fn attempts_come_to_an_end() {
    struct Long(Cell<usize>);
    impl Between for Long {
        fn challenge(&self, _challenge: &mut [u8]) {
            self.0.set(self.0.get() + 1);
        }
        fn product(&self, product: &mut [u32]) {
            product[0] = 1 << 20;
        }
    }
    struct One;
    impl WithSimd for One {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            for set in Set::ALL {
                let (_, expanded) = pair_of(isa, set, &[9; 32]);
                let task = MuTask { set, expanded: &expanded, mu: &[1; 64], rnd: &[0; 32] };
                for len in [set.sign_low_work_len(), set.sign_fast_work_len()] {
                    let mut work = vec![0; len];
                    let mut signature = vec![1; set.signature_len()];
                    let attempts = Long(Cell::new(0));
                    let signed = sign_with(isa, &task, &attempts, &mut signature, Scratch::new(&mut work));
                    assert_eq!((signed, attempts.0.get()), (Err(Unsigned::Limit), 821), "{set:?}");
                    assert!(signature.iter().all(|byte| *byte == 0));
                }
            }
        }
    }
    Level::detect().run(One);
}

/// Changes a bit of the challenge, and then computes all other values correctly, as another signer
/// with a fault could do.
#[test]
fn every_byte_of_the_challenge_counts() {
    struct Wrong {
        at: usize,
        made: RefCell<Vec<u8>>,
    }
    impl Between for Wrong {
        fn challenge(&self, challenge: &mut [u8]) {
            challenge[self.at] ^= 1 << (self.at % 8);
            *self.made.borrow_mut() = challenge.to_vec();
        }
        fn response(&self, piece: &mut [u8]) {
            self.made.borrow_mut().extend_from_slice(piece);
        }
        fn hint(&self, hint: &mut [u8]) {
            self.made.borrow_mut().extend_from_slice(hint);
        }
    }
    struct Run;
    impl WithSimd for Run {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            for set in Set::ALL {
                let (public, expanded) = pair_of(isa, set, &[9; 32]);
                let mu = shake256(&[&expanded[64..128], &[0, 0], MESSAGE]);
                let mut work = vec![0; set.verify_fast_work_len()];
                for at in 0..set.parameters().challenge_len {
                    let task = MuTask { set, expanded: &expanded, mu: &mu, rnd: &[at as u8; 32] };
                    let wrong = Wrong { at, made: RefCell::default() };
                    let mut signature = vec![1; set.signature_len()];
                    let low = &mut work[..set.sign_low_work_len()];
                    let signed = sign_with(isa, &task, &wrong, &mut signature, Scratch::new(low));
                    assert_eq!(signed, Err(Unsigned::Fault), "{set:?} {at}");
                    let signature = wrong.made.into_inner();
                    assert_eq!(signature.len(), set.signature_len());
                    assert!(!libcrux_accepts(set, &public, &signature), "{set:?} {at}");
                    for len in [set.verify_work_len(), work.len()] {
                        let claim = MuClaim { set, public: &public, mu: &mu, signature: &signature };
                        let verdict = verify(isa, &claim, Scratch::new(&mut work[..len]));
                        assert_eq!(verdict, Err(Unverified::Challenge), "{set:?} {at}");
                    }
                }
            }
        }
    }
    Level::detect().run(Run);
}
