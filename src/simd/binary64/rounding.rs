//! Rounding to an integer by an addition.

/// `1.5 * 2^52`: adding it leaves no fraction bits, so the addition itself rounds to nearest.
pub(super) const ROUND_MAGIC: u64 = 0x4338_0000_0000_0000;

/// The integer that was rounded, from the bits of `x + 1.5 * 2^52`: the fraction field is
/// `2^51 + round(x)`.
#[inline(always)]
pub(super) const fn round_from_bits(bits: u64) -> i64 {
    (bits & ((1 << 52) - 1)).cast_signed() - (1 << 51)
}
