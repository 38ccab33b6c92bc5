//! Rounding to an integer with an addition.

/// `1.5 * 2^52`. If a number below `2^51` in magnitude is added, the exact sum is between `2^52`
/// and `2^53`. Binary64 numbers there are integers, so the addition itself rounds to the nearest
/// integer.
pub(super) const ROUND_MAGIC: u64 = 0x4338_0000_0000_0000;

/// Extracts the rounded integer from the bits of `x + 1.5 * 2^52`: the fraction field is
/// `2^51 + round(x)`.
#[inline(always)]
pub(super) const fn round_from_bits(bits: u64) -> i64 {
    (bits & ((1 << 52) - 1)).cast_signed() - (1 << 51)
}
