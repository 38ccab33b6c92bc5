//! Rounding to an integer with an addition.

/// `1.5 * 2^52`. If `|x| < 2^51`, the exact sum of this number and `x` is in `[2^52, 2^53)`. In
/// this range, all binary64 numbers are integers, so the addition rounds to the nearest integer.
pub(super) const ROUND_MAGIC: u64 = 0x4338_0000_0000_0000;

/// Extracts the rounded integer from the bits of `x + 1.5 * 2^52`: the fraction field is
/// `2^51 + round(x)`.
#[inline(always)]
pub(super) const fn round_from_bits(bits: u64) -> i64 {
    (bits & ((1 << 52) - 1)).cast_signed() - (1 << 51)
}
