//! Shifts, normalization and products of 64-bit numbers in constant time. [`OneWord`] uses 64-bit
//! instructions, and smaller processors compute with [`HalfWords`].
//!
//! On a 32-bit processor, a 64-bit shift by an unknown distance is compiled to a branch, or to a
//! function call with a branch (i586, ARMv6-M, RISC-V). The search for the highest bit can also be
//! compiled to a branch. [`HalfWords`] shifts both 32-bit words by less than 32 bits. If the
//! distance is at least 32, a mask then moves a whole word: the upper word in a right shift, and
//! the lower word in a left shift. The tests compare both types with the plain operations, on any
//! processor.

use super::ct::{barrier_u32, mask_negative};
use core::ops::{BitOr, Not};

/// Returns 1 if `x` is zero, otherwise 0.
#[inline(always)]
fn is_zero(x: u32) -> u32 {
    barrier_u32(!(x | x.wrapping_neg()) >> 31)
}

/// Returns 1 if `x` contains a set bit, otherwise 0.
#[inline(always)]
pub fn is_nonzero_bit(x: u32) -> u32 {
    barrier_u32((x | x.wrapping_neg()) >> 31)
}

/// True if the processor counts leading zeros with an instruction, or has 64-bit registers. On
/// other processors, the count would be a function call with a branch, or would take longer than
/// [`normalize_stepwise`]. RISC-V without the bit manipulation extension does not have this
/// instruction. ARMv6-M, ARMv8-M Baseline and ARMv4T do not have it either. The compiler does not
/// report the ARM version, so this constant tests the ABI instead: these three versions have no
/// floating-point unit, so their targets never use the ABI `eabihf`, which passes numbers in
/// floating-point registers.
const COUNTS_ZEROS: bool =
    cfg!(any(target_pointer_width = "64", target_feature = "zbb", all(target_arch = "arm", target_abi = "eabihf")));

/// Shifts `x` to the left until its highest set bit is bit 31, and also returns the distance. If
/// `x` is zero, the result is zero, with distance 31.
#[inline(always)]
pub fn normalize_u32(x: u32) -> (u32, u32) {
    if COUNTS_ZEROS {
        // On some processors, the code for a zero would be a branch. With `| 1`, the compiler knows
        // that the number is not zero.
        let distance = (barrier_u32(x) | 1).leading_zeros();
        (x << distance, distance)
    } else {
        normalize_stepwise(x)
    }
}

/// Computes [`normalize_u32`] in steps, for processors that cannot count zeros.
#[inline(always)]
fn normalize_stepwise(mut x: u32) -> (u32, u32) {
    /// A table in a 32-bit word. The entry for a 4-bit number has two bits, and counts the zeros
    /// above the number's highest set bit. The entry for the number 0 is 3.
    const ZEROS: u32 = {
        let (mut all, mut x) = (0b11, 1u32);
        while x < 16 {
            all |= (x.leading_zeros() - 28) << (2 * x);
            x += 1;
        }
        all
    };
    let mut distance = 0;
    // For each given number: if so many upper bits are zero, shifts `x` to the left by this number.
    macro_rules! steps {
        ($($by:literal)+) => {$(
            let step = is_zero(x >> (32 - $by)) * $by;
            x <<= step & 31;
            distance |= step;
        )+};
    }
    steps!(16 8 4);
    let step = (ZEROS >> ((x >> 27) & 30)) & 3;
    (x << step, distance | step)
}

/// Returns how many entries of `table` are larger than `v`, or `None` if the processor has no
/// assembly for this. Range: less than `2^96`, for `v` and for all entries.
#[inline(always)]
#[cfg_attr(not(feature = "sign"), allow(dead_code, reason = "only signatures need samples"))]
pub fn count_larger(_v: u128, _table: &[u128; 18]) -> Option<u32> {
    #[cfg(fndsa_armv7e_m)]
    return Some(super::armv7e_m::sampler::count_larger(_v as u32, (_v >> 32) as u32, (_v >> 64) as u32, _table));
    #[cfg(not(fndsa_armv7e_m))]
    None
}

/// Evaluates a polynomial by Horner's rule: the value starts with the first coefficient, and is
/// then replaced by `c - value x / 2^64` for each further coefficient c. Returns
/// `value scale / 2^64`. All quotients are rounded down, and differences are modulo `2^64`. Returns
/// `None` if the processor has no assembly for this.
#[inline(always)]
#[cfg_attr(not(feature = "sign"), allow(dead_code, reason = "only signatures need samples"))]
pub fn horner_of_high_products(_x: u64, _scale: u64, _coefficients: &[u64; 13]) -> Option<u64> {
    #[cfg(fndsa_armv7e_m)]
    return Some(super::armv7e_m::sampler::horner_of_high_products(_x, _scale, _coefficients));
    #[cfg(not(fndsa_armv7e_m))]
    None
}

/// Operations on 64-bit numbers in constant time. [`OneWord`] uses 64-bit registers, and
/// [`HalfWords`] uses 32-bit registers.
#[cfg_attr(fndsa_armv7e_m, allow(dead_code, reason = "sums and products are assembly"))]
pub trait ConstantTimeU64 {
    /// A mask for a choice: all ones or zero.
    type Mask: Copy + Not<Output = Self::Mask> + BitOr<Output = Self::Mask>;

    /// Returns all ones if `x`'s top bit is set, otherwise zero. If `x` is a difference, its top
    /// bit is the sign.
    fn mask_of_top(x: u64) -> Self::Mask;

    /// Returns `x` if the mask is all ones, otherwise 0.
    fn keep(x: u64, mask: Self::Mask) -> u64;

    /// Returns `!x` if the mask is all ones, otherwise `x`.
    fn flip(x: u64, mask: Self::Mask) -> u64;

    /// Returns `x >> distance`. Range: `distance < 64`.
    fn shr(x: u64, distance: u32) -> u64;

    /// Returns `x << distance`. Range: `distance < 64`.
    fn shl(x: u64, distance: u32) -> u64;

    /// Returns `x / 2^distance`, rounded down. Also returns 1 if the shift removes a set bit,
    /// otherwise 0. Range: `distance < 64`, or `x < 2^63` and `distance < 2^31`.
    fn shr_and_lost(x: u64, distance: u32) -> (u64, u32);

    /// Shifts `x` to the left until its highest set bit is bit 63, and also returns the distance.
    /// If `x` is zero, the result is zero, with distance 63.
    fn normalize(x: u64) -> (u64, u32);

    /// Returns `x y / 2^64`, rounded down. Also returns 1 if the lower 64 bits of `x y` contain a
    /// set bit, otherwise 0.
    fn product_and_lost(x: u64, y: u64) -> (u64, u32);
}

/// [`ConstantTimeU64`] with 64-bit instructions.
#[cfg(any(test, target_pointer_width = "64"))]
pub struct OneWord;

/// [`ConstantTimeU64`] with two 32-bit words. A single shift moves a word by at most 31 bits.
#[cfg(any(test, not(target_pointer_width = "64")))]
pub struct HalfWords;

/// The [`ConstantTimeU64`] implementation for this processor.
#[cfg(not(target_pointer_width = "64"))]
pub use HalfWords as Native;
/// The [`ConstantTimeU64`] implementation for this processor.
#[cfg(target_pointer_width = "64")]
pub use OneWord as Native;

#[cfg(any(test, target_pointer_width = "64"))]
impl ConstantTimeU64 for OneWord {
    type Mask = u64;

    #[inline(always)]
    fn mask_of_top(x: u64) -> u64 {
        // If `HAS_BRANCH_FREE_SELECT` is false, a barrier must also hide `x` from the compiler, for
        // the reason given in `mask_negative`.
        let x = if super::ct::HAS_BRANCH_FREE_SELECT { x } else { super::ct::barrier_u64(x) };
        super::ct::barrier_u64((x.cast_signed() >> 63).cast_unsigned())
    }

    #[inline(always)]
    fn keep(x: u64, mask: u64) -> u64 {
        x & mask
    }

    #[inline(always)]
    fn flip(x: u64, mask: u64) -> u64 {
        x ^ mask
    }

    #[inline(always)]
    fn shr(x: u64, distance: u32) -> u64 {
        x >> (distance & 63)
    }

    #[inline(always)]
    fn shl(x: u64, distance: u32) -> u64 {
        x << (distance & 63)
    }

    #[inline(always)]
    fn shr_and_lost(x: u64, distance: u32) -> (u64, u32) {
        // If the distance is more than 63, its lower 6 bits become 63.
        let distance = distance | mask_negative(63u32.wrapping_sub(distance).cast_signed());
        let whole = Self::shr(x, distance & 63);
        let lost = x ^ Self::shl(whole, distance & 63);
        (whole, barrier_u32(u32::from(lost != 0)))
    }

    #[inline(always)]
    fn normalize(x: u64) -> (u64, u32) {
        let distance = (super::ct::barrier_u64(x) | 1).leading_zeros();
        (Self::shl(x, distance), distance)
    }

    #[inline(always)]
    fn product_and_lost(x: u64, y: u64) -> (u64, u32) {
        let product = u128::from(x) * u128::from(y);
        ((product >> 64) as u64, barrier_u32(u32::from(product as u64 != 0)))
    }
}

/// Returns the upper word and the lower word of `x`.
#[inline(always)]
#[cfg(any(test, not(target_pointer_width = "64")))]
fn halves(x: u64) -> (u32, u32) {
    ((x >> 32) as u32, x as u32)
}

/// Returns the number that consists of the words `high` and `low`.
#[inline(always)]
#[cfg(any(test, not(target_pointer_width = "64")))]
fn join_halves(high: u32, low: u32) -> u64 {
    (u64::from(high) << 32) | u64::from(low)
}

#[cfg(any(test, not(target_pointer_width = "64")))]
impl HalfWords {
    /// Returns `31 - distance % 32`. A shift by 1 and a shift by this number are together a shift
    /// by `32 - distance % 32`, which moves bits to the adjacent word. The barrier hides the number
    /// from the compiler, which would otherwise compute the remainder twice.
    #[inline(always)]
    fn left_distance(distance: u32) -> u32 {
        barrier_u32(!distance) & 31
    }
}

#[cfg(any(test, not(target_pointer_width = "64")))]
impl ConstantTimeU64 for HalfWords {
    type Mask = u32;

    #[inline(always)]
    fn mask_of_top(x: u64) -> u32 {
        mask_negative(halves(x).0.cast_signed())
    }

    #[inline(always)]
    fn keep(x: u64, mask: u32) -> u64 {
        let (high, low) = halves(x);
        join_halves(high & mask, low & mask)
    }

    #[inline(always)]
    fn flip(x: u64, mask: u32) -> u64 {
        let (high, low) = halves(x);
        join_halves(high ^ mask, low ^ mask)
    }

    #[inline(always)]
    fn shr(x: u64, distance: u32) -> u64 {
        // `word` is set if the distance is 32 or more. The shift then also moves the upper word.
        let word = mask_negative((distance << 26).cast_signed());
        let (high, low) = halves(x);
        let low = low >> (distance & 31) | high << 1 << Self::left_distance(distance);
        let high = high >> (distance & 31);
        join_halves(high & !word, low ^ ((low ^ high) & word))
    }

    #[inline(always)]
    fn shl(x: u64, distance: u32) -> u64 {
        // `word` is set if the distance is 32 or more. The shift then also moves the lower word.
        let word = mask_negative((distance << 26).cast_signed());
        let (high, low) = halves(x);
        let high = high << (distance & 31) | low >> 1 >> Self::left_distance(distance);
        let low = low << (distance & 31);
        join_halves(high ^ ((low ^ high) & word), low & !word)
    }

    #[inline(always)]
    fn shr_and_lost(x: u64, distance: u32) -> (u64, u32) {
        // The lower 6 bits of `left_distance` are `63 - distance`, or 0 if `distance` is more than
        // 63.
        let left_distance = !distance & mask_negative(distance.wrapping_sub(64).cast_signed());
        let word = mask_negative((!left_distance << 26).cast_signed());
        let distance = barrier_u32(!left_distance) & 31;
        let (high, low) = halves(x);
        let lost = low << 1 << (left_distance & 31);
        let low = low >> distance | high << 1 << (left_distance & 31);
        let high = high >> distance;
        let lost = lost | (low & word);
        (join_halves(high & !word, low ^ ((low ^ high) & word)), is_nonzero_bit(lost))
    }

    #[inline(always)]
    fn normalize(x: u64) -> (u64, u32) {
        let (high, low) = halves(x);
        // `word` is set if the upper word is 0. The lower word then moves to the upper word.
        let word = is_zero(high).wrapping_neg();
        let moved_half = low & word;
        let (high, distance) = normalize_u32(high | moved_half);
        let low = low ^ moved_half;
        let high = high | low >> 1 >> Self::left_distance(distance);
        (join_halves(high, low << (distance & 31)), distance + (word & 32))
    }

    #[inline(always)]
    fn product_and_lost(x: u64, y: u64) -> (u64, u32) {
        let product = |x: u32, y: u32| u64::from(x) * u64::from(y);
        let ((x1, x0), (y1, y0)) = (halves(x), halves(y));
        // Multiply the halves. To each product, add the halves of earlier sums that have the same
        // weight. All sums fit in 64 bits.
        let product_0 = product(x0, y0);
        let product_1 = product(x1, y0) + u64::from(halves(product_0).0);
        let product_2 = product(x0, y1) + u64::from(halves(product_1).1);
        let high_half = product(x1, y1) + u64::from(halves(product_1).0) + u64::from(halves(product_2).0);
        (high_half, is_nonzero_bit(halves(product_0).1 | halves(product_2).1))
    }
}

/// Returns `x >> distance`, in constant time for any distance. Range: `distance < 64`.
#[inline(always)]
pub fn shr_u64(x: u64, distance: u32) -> u64 {
    debug_assert!(distance < 64);
    Native::shr(x, distance)
}

/// Returns `x << distance`, in constant time for any distance. Range: `distance < 64`.
#[inline(always)]
pub fn shl_u64(x: u64, distance: u32) -> u64 {
    debug_assert!(distance < 64);
    Native::shl(x, distance)
}

/// Counts the zero bits above the highest set bit. Range: `x != 0`.
#[inline(always)]
pub fn leading_zeros(x: u64) -> u32 {
    debug_assert!(x != 0);
    Native::normalize(x).1
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Returns numbers of all lengths, with few set bits and with many set bits.
    pub fn numbers() -> impl Iterator<Item = u64> {
        let pattern = 0x9e37_79b9_7f4a_7c15u64;
        (0..64).flat_map(move |i| {
            [1 << i, (1 << i) - 1, u64::MAX << i, pattern >> i, pattern << i, pattern.rotate_left(i)]
        })
    }

    /// Compares the functions in [`ConstantTimeU64`] with the plain operations, for the number `x`.
    fn one_number<W: ConstantTimeU64>(x: u64) {
        let (all, none) = (W::mask_of_top(u64::MAX), W::mask_of_top(u64::MAX >> 1));
        assert_eq!([W::keep(x, all), W::keep(x, none), W::flip(x, all), W::flip(x, none)], [x, 0, !x, x], "{x:x}");
        assert_eq!(W::keep(u64::MAX, W::mask_of_top(x)), if x >> 63 == 0 { 0 } else { u64::MAX });
        for distance in 0..64 {
            let shifted = (W::shr(x, distance), W::shl(x, distance));
            assert_eq!(shifted, (x >> distance, x << distance), "{x:x}, {distance}");
        }
        let half_range = x >> 1;
        for distance in (0..130).chain([1000, 1086, 2046]) {
            let divisor = 1u128.checked_shl(distance).unwrap_or(1 << 127);
            let whole = (u128::from(half_range) / divisor) as u64;
            let lost = u32::from(u128::from(half_range) % divisor != 0);
            assert_eq!(W::shr_and_lost(half_range, distance), (whole, lost), "{half_range:x}, {distance}");
            let lost = u32::from(distance < 64 && x >> (distance % 64) << (distance % 64) != x);
            assert!(distance >= 64 || W::shr_and_lost(x, distance) == (x >> distance, lost), "{x:x}, {distance}");
        }
        let zeros = x.leading_zeros().min(63);
        assert_eq!(W::normalize(x), (x << zeros, zeros), "{x:x}");
    }

    #[test]
    fn whole_words_and_half_words_give_the_same_results() {
        for x in numbers().chain([0, u64::MAX]) {
            one_number::<OneWord>(x);
            one_number::<HalfWords>(x);
            for y in numbers().chain([0, u64::MAX]) {
                let product = u128::from(x) * u128::from(y);
                let expected = ((product >> 64) as u64, u32::from(product as u64 != 0));
                assert_eq!(OneWord::product_and_lost(x, y), expected, "{x:x}, {y:x}");
                assert_eq!(HalfWords::product_and_lost(x, y), expected, "{x:x}, {y:x}");
            }
        }
    }

    #[test]
    fn the_highest_bit_is_found() {
        for x in numbers() {
            let word = x as u32;
            let zeros = word.leading_zeros().min(31);
            assert_eq!(normalize_u32(word), (word << zeros, zeros), "{word:x}");
            assert_eq!(normalize_stepwise(word), (word << zeros, zeros), "{word:x}");
            assert_eq!(leading_zeros(x | 1), (x | 1).leading_zeros(), "{x:x}");
        }
    }
}
