//! Checks that tables and expanded keys (private keys that are prepared for many signatures) in
//! memory have not changed.
//!
//! If a bit in a sampler table changes, signatures still verify, but their distribution depends on
//! the private key. After about 10^8 such signatures, an attacker knows the key (ePrint 2025/1042),
//! and a verification cannot detect this. Therefore, this module hashes the tables for which no
//! other check would detect a change. The tables are hashed before the process makes its first
//! signature or key, and then at every [`PERIOD`]th call. The compiler computes the expected hash
//! with the same function.
//!
//! | table | effect if a bit changes |
//! |---|---|
//! | the tables of the sampler and of its module `ahead` | signatures with a wrong distribution |
//! | roots of unity for real transforms | wrong centres; in key generation, wrong norms |
//! | norm bounds | signatures that are too long, or no signatures |
//! | Keccak's round constants | signatures and keys that other programs do not accept |
//! | the Gaussian tables for key generation | keys with a wrong distribution |
//!
//! The tables modulo q and the solver's tables are not hashed. If one of these tables changes,
//! vectors are not short or equations are not correct, and other checks detect this. The code is
//! not hashed either. If the compiler put a table value into an instruction, the value would be in
//! the code, which is not hashed. To prevent this, the sampler's tables are read through
//! [`ct::hidden`]. The checks cannot detect a program file that was changed on purpose, or damaged
//! code in memory.
//!
//! The hash detects any change in a single word. For any fixed word, function `step` is a bijection
//! from the old state to the new state. For any fixed old state, `step` is a bijection from the
//! word to the new state. If several words change randomly at the same time, the probability that
//! the hash does not detect this change is `2^-64`. The hash is not cryptographic.
//!
//! [`ct::hidden`]: crate::simd::ct::hidden

use super::keygen::{GAUSS_512, GAUSS_1024};
use super::params::NORM_BOUND;
use super::roots::{FIXED_ROOTS, HAS_NO_SINES, ROOTS};
use super::sampler::{CONSTANTS, EXP, INV_SIGMA, LIMBS, LOG2, LONGER, SIGMA_MIN, TAIL};
use crate::engine::hash::shake::constants_in_use;
use core::hint::black_box;
use core::sync::atomic::{AtomicU32, Ordering};

/// The number of signatures and keys between two table checks. With several threads, the number can
/// be larger, because two calls at the same time may be counted as one.
pub const PERIOD: u32 = 1 << 20;

/// An error: a table or a prepared key has changed in memory, or a fault occurred while a key was
/// prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryFault;

/// A counter that determines which calls make a check.
pub struct CheckInterval {
    calls_since_check: AtomicU32,
    period: u32,
}

impl CheckInterval {
    /// Returns a counter for a check at the first call, and then at every `period`th call.
    pub const fn every(period: u32) -> Self {
        Self { calls_since_check: AtomicU32::new(period), period }
    }

    /// Counts a call. If a check is due, calls `intact`, which returns whether the memory is
    /// unchanged. If `intact` returns `false`, the next call also checks.
    ///
    /// # Errors
    /// Returns an error if `intact` returned `false`.
    #[inline(always)]
    pub fn check(&self, intact: impl FnOnce() -> bool) -> Result<(), MemoryFault> {
        // Use load and store, because small machines have no other atomic operation.
        let calls_since_check = self.calls_since_check.load(Ordering::Relaxed);
        if calls_since_check < self.period {
            self.calls_since_check.store(calls_since_check + 1, Ordering::Relaxed);
        } else if intact() {
            self.calls_since_check.store(1, Ordering::Relaxed);
        } else {
            return Err(MemoryFault);
        }
        Ok(())
    }
}

/// Checks the tables if a check is due.
///
/// # Errors
/// Returns an error if a table is damaged.
#[inline(never)]
pub fn check_tables() -> Result<(), MemoryFault> {
    static TABLE_CHECKS: CheckInterval = CheckInterval::every(PERIOD);
    TABLE_CHECKS.check(tables_are_intact)
}

/// Returns whether the tables in memory have the expected hash.
#[cold]
#[inline(never)]
fn tables_are_intact() -> bool {
    // The compiler knows the values in the tables, and could compute the hash in advance. After
    // `black_box`, the compiler does not know which tables this function hashes, so the program
    // reads the tables from memory.
    digest(&black_box(tables())) == EXPECTED
}

/// The hash of the tables, computed by the compiler.
static EXPECTED: u64 = digest(&tables());

/// A table, with a variant for each value type.
#[derive(Clone, Copy)]
enum ConstantTable<'a> {
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
    I32(&'a [i32]),
    F32(&'a [f32]),
    I64(&'a [i64]),
    U64(&'a [u64]),
    U128(&'a [u128]),
}

/// The number of tables.
const COUNT: usize = 20;

/// Returns the tables, in the order in which they are hashed.
const fn tables() -> [ConstantTable<'static>; COUNT] {
    let [low, middle, high] = &LIMBS;
    [
        ConstantTable::U128(&TAIL),
        ConstantTable::I32(low),
        ConstantTable::I32(middle),
        ConstantTable::I32(high),
        ConstantTable::U8(&LONGER),
        ConstantTable::F32(&LOG2),
        ConstantTable::U64(&EXP),
        ConstantTable::U64(core::slice::from_ref(&CONSTANTS.inv_2_sigma0_squared)),
        ConstantTable::U64(core::slice::from_ref(&CONSTANTS.ln_2)),
        ConstantTable::U64(core::slice::from_ref(&CONSTANTS.inv_ln_2)),
        ConstantTable::U64(&INV_SIGMA),
        ConstantTable::U64(&SIGMA_MIN),
        ConstantTable::U32(&NORM_BOUND),
        ConstantTable::U64(&ROOTS.re),
        ConstantTable::U64(&ROOTS.im),
        ConstantTable::I64(FIXED_ROOTS.re),
        ConstantTable::I64(if HAS_NO_SINES { &[] } else { FIXED_ROOTS.im }),
        ConstantTable::U64(constants_in_use()),
        ConstantTable::U16(&GAUSS_512),
        ConstantTable::U16(&GAUSS_1024),
    ]
}

/// Returns the hash's new state after `word`.
const fn step(state: u64, word: u64) -> u64 {
    // Multiplying by an odd factor is a bijection, and `x ^ x >> 32` is a bijection. The factor is
    // 2^64 divided by the golden ratio.
    let x = (state ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^ x >> 32
}

/// Hashes all values. Each value is one or two words.
const fn digest(tables: &[ConstantTable<'_>]) -> u64 {
    let mut state = 0;
    let mut t = 0;
    while t < tables.len() {
        let mut i = 0;
        // Hashes the words `$word` that represent each value `$x`.
        macro_rules! words {
            ($values:ident, $x:ident => $($word:expr),+) => {
                while i < $values.len() {
                    let $x = $values[i];
                    $(state = step(state, $word);)+
                    i += 1;
                }
            };
        }
        match tables[t] {
            ConstantTable::U8(values) => words!(values, x => x as u64),
            ConstantTable::U16(values) => words!(values, x => x as u64),
            ConstantTable::U32(values) => words!(values, x => x as u64),
            ConstantTable::I32(values) => words!(values, x => x.cast_unsigned() as u64),
            ConstantTable::F32(values) => words!(values, x => x.to_bits() as u64),
            ConstantTable::I64(values) => words!(values, x => x.cast_unsigned()),
            ConstantTable::U64(values) => words!(values, x => x),
            ConstantTable::U128(values) => words!(values, x => x as u64, (x >> 64) as u64),
        }
        t += 1;
    }
    state
}

/// Hashes memory, word by word in order. An incomplete word at the end is ignored.
pub fn digest_of_memory(memory: &[u8]) -> u64 {
    digest_continued(0, memory)
}

/// Continues a hash with `memory`. `state` is the hash of the preceding memory.
pub fn digest_continued(state: u64, memory: &[u8]) -> u64 {
    memory.as_chunks().0.iter().fold(state, |state, word| step(state, u64::from_ne_bytes(*word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Flips each bit in a copy of a table, and calls `on_copy` with the changed copy.
    fn flipped<T: Copy>(values: &[T], bits: u32, flip: impl Fn(&mut T, u32), mut on_copy: impl FnMut(&[T])) -> usize {
        let mut copy = values.to_vec();
        for i in 0..values.len() {
            for bit in 0..bits {
                flip(&mut copy[i], bit);
                on_copy(&copy);
                copy[i] = values[i];
            }
        }
        values.len() * bits as usize
    }

    #[test]
    fn the_checksum_covers_every_bit_of_every_table() {
        assert!(tables_are_intact());
        let mut bits = 0;
        for t in 0..COUNT {
            let all = tables();
            let on_copy = |table: ConstantTable<'_>| {
                let mut changed_tables: [ConstantTable<'_>; COUNT] = all;
                changed_tables[t] = table;
                assert_ne!(digest(&changed_tables), EXPECTED, "table {t}");
            };
            macro_rules! all_bits {
                ($values:expr, $kind:path, $t:ty) => {
                    flipped($values, <$t>::BITS, |x, bit| *x ^= 1 << bit, |copy| on_copy($kind(copy)))
                };
            }
            bits += match all[t] {
                ConstantTable::U8(values) => all_bits!(values, ConstantTable::U8, u8),
                ConstantTable::U16(values) => all_bits!(values, ConstantTable::U16, u16),
                ConstantTable::U32(values) => all_bits!(values, ConstantTable::U32, u32),
                ConstantTable::I32(values) => all_bits!(values, ConstantTable::I32, i32),
                ConstantTable::I64(values) => all_bits!(values, ConstantTable::I64, i64),
                ConstantTable::U64(values) => all_bits!(values, ConstantTable::U64, u64),
                ConstantTable::U128(values) => all_bits!(values, ConstantTable::U128, u128),
                ConstantTable::F32(values) => flipped(
                    values,
                    32,
                    |x, bit| *x = f32::from_bits(x.to_bits() ^ 1 << bit),
                    |copy| on_copy(ConstantTable::F32(copy)),
                ),
            };
        }
        println!("{bits} bits");
        assert!(bits > 60_000);
    }

    #[test]
    fn a_check_runs_first_then_every_period_and_repeats_after_a_failure() {
        let interval = CheckInterval::every(4);
        let checked_calls: Vec<bool> = (0..13)
            .map(|_| {
                let mut was_checked = false;
                interval
                    .check(|| {
                        was_checked = true;
                        true
                    })
                    .unwrap();
                was_checked
            })
            .collect();
        let is_as_expected = checked_calls.iter().enumerate().all(|(i, was_checked)| *was_checked == (i % 4 == 0));
        assert!(is_as_expected, "{checked_calls:?}");
        let interval = CheckInterval::every(4);
        assert_eq!([(); 3].map(|()| interval.check(|| false)), [Err(MemoryFault); 3]);
        assert_eq!(interval.check(|| true), Ok(()));
        assert_eq!([(); 3].map(|()| interval.check(|| false)), [Ok(()); 3]);
        assert_eq!(interval.check(|| false), Err(MemoryFault));
    }
}
