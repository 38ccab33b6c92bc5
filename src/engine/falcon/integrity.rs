//! Checks that tables and expanded keys in memory still are what they were.
//!
//! A changed bit in a table of the sampler makes signatures that verify and whose distribution depends on the private
//! key: after some 10^8 of them the key is known (ePrint 2025/1042), and no verification of a signature can see it. So
//! the tables whose change would go unnoticed are hashed before the first signature or key of the process, and before
//! every [`PERIOD`]th; the hash they should have is computed by the compiler, by the same function.
//!
//! | table | what a changed bit would do |
//! |---|---|
//! | the sampler's, the candidates ahead among them | signatures of another distribution |
//! | roots of unity over the reals | centres that are off; in key generation, other norms |
//! | bounds of the norm | long signatures leave, or none |
//! | Keccak's round constants | signatures and keys that nobody else understands |
//! | the Gaussian tables of key generation | keys of another distribution |
//!
//! Tables modulo q and those of the solver are not hashed, for a change there makes vectors that are not short or
//! equations that do not hold, which is checked anyway; nor is the code. What the compiler makes a part of an
//! instruction is code: the sampler's tables are read through [`ct::hidden`], so that it cannot. A program file that
//! was changed on purpose, or code that is damaged in memory, is beyond what code can find out about itself.
//!
//! The hash finds every change of one word: each step is a bijection of the state for any word, and of the word for any
//! state. Changes of several words at once, if made by chance, go unseen with probability `2^-64`. The hash is no
//! cryptographic one.
//!
//! [`ct::hidden`]: crate::simd::ct::hidden

use super::keygen::{GAUSS_512, GAUSS_1024};
use super::params::NORM_BOUND;
use super::roots::{FIXED_ROOTS, HAS_NO_SINES, ROOTS};
use super::sampler::{CONSTANTS, EXP, INV_SIGMA, LIMBS, LOG2, LONGER, SIGMA_MIN, TAIL};
use crate::engine::hash::shake::ROUND_CONSTANTS;
use core::hint::black_box;
use core::sync::atomic::{AtomicU32, Ordering};

/// Signatures and keys between two looks at the tables. With threads there may be more: where two count at once, one
/// may go uncounted.
pub const PERIOD: u32 = 1 << 20;

/// A table or an expanded key is not what it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged;

/// Counts the calls up to the next look that is due.
pub struct Due {
    since: AtomicU32,
    period: u32,
}

impl Due {
    /// A look that is due at the first call, then at every `period`th.
    pub const fn every(period: u32) -> Self {
        Self { since: AtomicU32::new(period), period }
    }

    /// Counts a call. When a look is due, `intact` has to return `true`; until it does, the look stays due.
    ///
    /// # Errors
    /// `intact` returned `false`.
    #[inline(always)]
    pub fn check(&self, intact: impl FnOnce() -> bool) -> Result<(), Damaged> {
        // Load and store: small machines have no other atomic operation.
        let since = self.since.load(Ordering::Relaxed);
        if since < self.period {
            self.since.store(since + 1, Ordering::Relaxed);
        } else if intact() {
            self.since.store(1, Ordering::Relaxed);
        } else {
            return Err(Damaged);
        }
        Ok(())
    }
}

/// Checks the tables if that is due.
///
/// # Errors
/// One of them is damaged.
#[inline(never)]
pub fn check_tables() -> Result<(), Damaged> {
    static DUE: Due = Due::every(PERIOD);
    DUE.check(tables_are_intact)
}

#[cold]
#[inline(never)]
fn tables_are_intact() -> bool {
    // The compiler knows what is in a table, but not any more which table this is.
    digest(&black_box(tables())) == EXPECTED
}

static EXPECTED: u64 = digest(&tables());

/// A table, by the type of its values.
#[derive(Clone, Copy)]
enum Table<'a> {
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
    I32(&'a [i32]),
    F32(&'a [f32]),
    I64(&'a [i64]),
    U64(&'a [u64]),
    U128(&'a [u128]),
}

const COUNT: usize = 20;

const fn tables() -> [Table<'static>; COUNT] {
    let [low, middle, high] = &LIMBS;
    [
        Table::U128(&TAIL),
        Table::I32(low),
        Table::I32(middle),
        Table::I32(high),
        Table::U8(&LONGER),
        Table::F32(&LOG2),
        Table::U64(&EXP),
        Table::U64(core::slice::from_ref(&CONSTANTS.inv_2_sigma0_squared)),
        Table::U64(core::slice::from_ref(&CONSTANTS.ln_2)),
        Table::U64(core::slice::from_ref(&CONSTANTS.inv_ln_2)),
        Table::U64(&INV_SIGMA),
        Table::U64(&SIGMA_MIN),
        Table::U32(&NORM_BOUND),
        Table::U64(&ROOTS.re),
        Table::U64(&ROOTS.im),
        Table::I64(FIXED_ROOTS.re),
        Table::I64(if HAS_NO_SINES { &[] } else { FIXED_ROOTS.im }),
        Table::U64(&ROUND_CONSTANTS),
        Table::U16(&GAUSS_512),
        Table::U16(&GAUSS_1024),
    ]
}

/// Returns the hash's next state.
const fn step(state: u64, word: u64) -> u64 {
    // An odd factor and a shift to the right are bijections; the factor is the golden ratio's.
    let x = (state ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^ x >> 32
}

/// Returns the hash of all values, each of them one word or two.
const fn digest(tables: &[Table<'_>]) -> u64 {
    let mut state = 0;
    let mut t = 0;
    while t < tables.len() {
        let mut i = 0;
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
            Table::U8(values) => words!(values, x => x as u64),
            Table::U16(values) => words!(values, x => x as u64),
            Table::U32(values) => words!(values, x => x as u64),
            Table::I32(values) => words!(values, x => x.cast_unsigned() as u64),
            Table::F32(values) => words!(values, x => x.to_bits() as u64),
            Table::I64(values) => words!(values, x => x.cast_unsigned()),
            Table::U64(values) => words!(values, x => x),
            Table::U128(values) => words!(values, x => x as u64, (x >> 64) as u64),
        }
        t += 1;
    }
    state
}

/// Returns the hash of some memory, its words read in order; less than a word at the end is left out.
pub fn digest_of_memory(memory: &[u8]) -> u64 {
    digest_behind(0, memory)
}

/// Returns the hash of some memory behind other memory, whose hash is `state`.
pub fn digest_behind(state: u64, memory: &[u8]) -> u64 {
    memory.as_chunks().0.iter().fold(state, |state, word| step(state, u64::from_ne_bytes(*word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each bit of one table, flipped in a copy.
    fn flipped<T: Copy>(values: &[T], bits: u32, flip: impl Fn(&mut T, u32), mut seen: impl FnMut(&[T])) -> usize {
        let mut copy = values.to_vec();
        for i in 0..values.len() {
            for bit in 0..bits {
                flip(&mut copy[i], bit);
                seen(&copy);
                copy[i] = values[i];
            }
        }
        values.len() * bits as usize
    }

    #[test]
    fn every_bit_of_every_table_is_in_the_hash() {
        assert!(tables_are_intact());
        let mut bits = 0;
        for t in 0..COUNT {
            let all = tables();
            let seen = |table: Table<'_>| {
                let mut changed: [Table<'_>; COUNT] = all;
                changed[t] = table;
                assert_ne!(digest(&changed), EXPECTED, "table {t}");
            };
            macro_rules! all_bits {
                ($values:expr, $kind:path, $t:ty) => {
                    flipped($values, <$t>::BITS, |x, bit| *x ^= 1 << bit, |copy| seen($kind(copy)))
                };
            }
            bits += match all[t] {
                Table::U8(values) => all_bits!(values, Table::U8, u8),
                Table::U16(values) => all_bits!(values, Table::U16, u16),
                Table::U32(values) => all_bits!(values, Table::U32, u32),
                Table::I32(values) => all_bits!(values, Table::I32, i32),
                Table::I64(values) => all_bits!(values, Table::I64, i64),
                Table::U64(values) => all_bits!(values, Table::U64, u64),
                Table::U128(values) => all_bits!(values, Table::U128, u128),
                Table::F32(values) => flipped(
                    values,
                    32,
                    |x, bit| *x = f32::from_bits(x.to_bits() ^ 1 << bit),
                    |copy| seen(Table::F32(copy)),
                ),
            };
        }
        println!("{bits} bits");
        assert!(bits > 60_000);
    }

    #[test]
    fn a_look_is_due_at_once_and_every_period_and_until_all_is_well() {
        let due = Due::every(4);
        let looks: Vec<bool> = (0..13)
            .map(|_| {
                let mut looked = false;
                due.check(|| {
                    looked = true;
                    true
                })
                .unwrap();
                looked
            })
            .collect();
        assert!(looks.iter().enumerate().all(|(i, looked)| *looked == (i % 4 == 0)), "{looks:?}");
        let due = Due::every(4);
        assert_eq!([(); 3].map(|()| due.check(|| false)), [Err(Damaged); 3]);
        assert_eq!(due.check(|| true), Ok(()));
        assert_eq!([(); 3].map(|()| due.check(|| false)), [Ok(()); 3]);
        assert_eq!(due.check(|| false), Err(Damaged));
    }
}
