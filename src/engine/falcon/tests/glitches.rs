//! Injects faults while a key is expanded (prepared for many signatures). The expansion must return
//! an error or write the correct expanded key.

use super::{hex, load};
use crate::engine::falcon::codec::private_parts;
use crate::engine::falcon::expanded::ExpandedPrivateKey;
use crate::engine::falcon::integrity::MemoryFault;
use crate::engine::falcon::params::Degree;
use crate::engine::falcon::scheme::{FalconAlgorithm, FalconScheme};
use crate::engine::falcon::sign::EncodedPrivateKey;
use crate::engine::falcon::tree::tree_reals;
use crate::simd::check::faults::{FaultEffect, FaultPlan, FaultyLevel, plan};
use crate::simd::{MemoryLine, Scratch};

/// A private key, and the correct expanded key.
struct ExpansionCase {
    degree: Degree,
    private: Vec<u8>,
    correct: Vec<u8>,
    /// How many operations on reals the expansion makes, and how many frames (functions in which a
    /// level's instructions are enabled) it calls.
    counts: (u64, u64),
}

/// A plan without faults.
const NO_FAULTS: FaultPlan = FaultPlan { effect: FaultEffect::Zero, operations: vec![], len: 0, frames: vec![] };

impl ExpansionCase {
    fn new(logn: u32) -> Self {
        let kats = load(include_str!("../../../../tests/kat/kat-a.json"));
        let kat = kats["vectors"].as_array().unwrap().iter().find(|kat| kat["logn"] == logn).unwrap();
        let degree = Degree::from_logn(logn).unwrap();
        let mut case = Self { degree, private: hex(&kat["sk"]), correct: vec![], counts: (0, 0) };
        case.correct = case.expand(NO_FAULTS).expect("an expansion without faults");
        case.counts = plan(NO_FAULTS);
        case
    }

    /// Expands the key with the faults from a plan.
    fn expand(&self, faults: FaultPlan) -> Result<Vec<u8>, MemoryFault> {
        let algorithm = FalconAlgorithm::new(FalconScheme::FnDsa, self.degree);
        let key = EncodedPrivateKey { degree: self.degree, parts: private_parts(algorithm, &self.private) };
        let mut memory = MemoryLine::boxed(ExpandedPrivateKey::len(self.degree));
        let mut work = MemoryLine::boxed(algorithm.sign_work_len());
        plan(faults);
        ExpandedPrivateKey::write(
            FaultyLevel,
            key,
            MemoryLine::bytes_mut(&mut memory),
            Scratch::new(MemoryLine::bytes_mut(&mut work)),
        )?;
        Ok(MemoryLine::bytes(&memory).to_vec())
    }

    /// Expands the key with a fault, and returns whether the fault was detected.
    fn detects(&self, faults: FaultPlan) -> bool {
        match self.expand(faults.clone()) {
            Err(MemoryFault) => true,
            Ok(memory) => {
                assert!(memory == self.correct, "a wrong expanded key was returned: {faults:?}");
                false
            }
        }
    }
}

/// Returns a generator for pseudorandom numbers below a given bound.
fn numbers(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed;
    move |bound| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        ((u128::from(state ^ (state >> 29)) * u128::from(bound)) >> 64) as u64
    }
}

/// Injects a single fault into each expansion. The fault flips a bit, sets a value or several
/// values to zero, skips an operation or a call, or lets a call return zeros.
#[test]
fn a_transient_fault_makes_no_wrong_expanded_key() {
    let mut next_number = numbers(1);
    let mut detected = [0; 6];
    for (logn, count) in [(9, 800), (3, 600), (2, 600)] {
        let expansion = ExpansionCase::new(logn);
        let (operations, frames) = expansion.counts;
        for i in 0..count {
            let at = next_number(operations);
            let frame = next_number(frames);
            let (effect, len) = match i % 6 {
                0 => (FaultEffect::Flip(1 << next_number(64)), 1),
                1 => (FaultEffect::Zero, 1),
                2 => (FaultEffect::Skip, 1),
                3 => (FaultEffect::Zero, 1 + next_number(operations / 20)),
                4 => (FaultEffect::Skip, 0),
                _ => (FaultEffect::Zero, 0),
            };
            let frames = if len == 0 { vec![frame] } else { vec![] };
            detected[i % 6] += usize::from(expansion.detects(FaultPlan { effect, operations: vec![at], len, frames }));
        }
    }
    println!("detected faults of each kind, out of 333 or 334: {detected:?}");
    assert!(detected.iter().all(|&count| count > 100), "too few faults of a kind were detected: {detected:?}");
}

/// Returns the tree of an expanded key.
fn tree(degree: Degree, memory: &[u8]) -> Vec<f64> {
    let values = memory.as_chunks().0.iter().map(|bytes| f64::from_ne_bytes(*bytes));
    values.take(tree_reals(degree.logn())).collect()
}

/// Injects the same fault into both passes of an expansion, as a broken part of the machine would
/// do. If the expansion succeeds, the error of each tree value must be at most [`LARGEST_CHANGE`].
/// The values outside the tree may be wrong, because the verification of each signature detects
/// such errors.
#[test]
fn a_permanent_fault_makes_no_wrong_tree() {
    /// The bound for a tree value's error, relative to the value, or absolute if the value is below
    /// 1.
    const LARGEST_CHANGE: f64 = 1.0 / (1 << 25) as f64;
    let mut next_number = numbers(2);
    let mut detected = 0;
    let mut largest = 0.0f64;
    for (logn, count) in [(9, 600), (3, 400), (2, 400)] {
        let expansion = ExpansionCase::new(logn);
        let correct = tree(expansion.degree, &expansion.correct);
        let (operations, frames) = expansion.counts;
        // Frames are numbered in the order of the calls. Frame 0 is `ExpandedPrivateKey::write`,
        // which calls both passes. Each pass calls half of the remaining frames.
        let (pass_operations, pass_frames) = (operations / 2, (frames - 1) / 2);
        for i in 0..count {
            let at = next_number(pass_operations);
            let frame = 1 + next_number(pass_frames);
            let (effect, len) = match i % 8 {
                0 => (FaultEffect::Zero, 1),
                1 => (FaultEffect::Skip, 1),
                2 => (FaultEffect::Zero, 0),
                3 => (FaultEffect::Skip, 0),
                _ => (FaultEffect::Flip(1 << next_number(64)), 1),
            };
            let frames = if len == 0 { vec![frame, frame + pass_frames] } else { vec![] };
            let faults = FaultPlan { effect, operations: vec![at, at + pass_operations], len, frames };
            let Ok(memory) = expansion.expand(faults.clone()) else {
                detected += 1;
                continue;
            };
            for (value, correct) in tree(expansion.degree, &memory).iter().zip(&correct) {
                let change = (value - correct).abs() / correct.abs().max(1.0);
                assert!(change < LARGEST_CHANGE, "a tree value has the error {change}: {faults:?}");
                largest = largest.max(change);
            }
        }
    }
    println!("{detected} of 1400 faults were detected; largest error after the other faults: 2^{:.1}", largest.log2());
    assert!(detected > 700 && largest > 0.0);
}
