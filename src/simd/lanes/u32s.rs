//! Lanes of residues modulo a prime below `2^31`: the integers of key generation.

use crate::simd::{Sealed, ct};

/// Operations on vectors of residues in 32 bits. `p` is the modulus in every lane, odd and below `2^31`.
pub trait U32s: Sealed + Copy {
    /// Lanes of a `U32` vector, a power of two up to 16.
    const LANES_U32: usize;
    /// A vector of 32-bit unsigned integers.
    type U32: Copy;

    /// The first `LANES_U32` values of `src`.
    fn load_u32(self, src: &[u32]) -> Self::U32;
    /// Writes the lanes to the front of `dst`.
    fn store_u32(self, v: Self::U32, dst: &mut [u32]);
    /// `x` in every lane.
    fn splat_u32(self, x: u32) -> Self::U32;
    /// `a` or `a - p`, in `[0, p)`. Range: `a < 2p`.
    fn below_u32(self, a: Self::U32, p: Self::U32) -> Self::U32;
    /// `a + b mod p`. Range: both below `p`.
    fn add_mod_u32(self, a: Self::U32, b: Self::U32, p: Self::U32) -> Self::U32;
    /// `a - b mod p`. Range: both below `p`.
    fn sub_mod_u32(self, a: Self::U32, b: Self::U32, p: Self::U32) -> Self::U32;
    /// `a b / 2^32 mod p`, in `[0, p)`; `p0i` is `-1/p mod 2^32`. Range: `a b < 2^32 p`.
    fn montgomery_u32(self, a: Self::U32, b: Self::U32, p: Self::U32, p0i: Self::U32) -> Self::U32;
    /// Cuts `a`, then `b`, into blocks of `D` lanes, and returns the even blocks and the odd ones.
    /// Range: `D < LANES_U32`. One lane has no blocks: `a` and `b` come back.
    fn unzip_u32<const D: usize>(self, a: Self::U32, b: Self::U32) -> (Self::U32, Self::U32);
    /// Undoes [`U32s::unzip_u32`].
    fn zip_u32<const D: usize>(self, even: Self::U32, odd: Self::U32) -> (Self::U32, Self::U32);
    /// The first `LANES_U32 / D` values of `src`, each `D` times. Range: `src` has `LANES_U32` values.
    fn repeat_u32<const D: usize>(self, src: &[u32]) -> Self::U32;
    /// The lanes of [`U32s::repeat_u32`] in reverse order. Range: `src` has `LANES_U32` values.
    fn repeat_back_u32<const D: usize>(self, src: &[u32]) -> Self::U32;
}

/// `x` or `x - p`, in `[0, p)`. Range: `x < 2p`, `p < 2^31`.
#[inline(always)]
pub fn below(x: u32, p: u32) -> u32 {
    let d = x.wrapping_sub(p);
    d.wrapping_add(p & ct::mask_negative(d.cast_signed()))
}

/// `a - b mod p`. Range: both below `p`.
#[inline(always)]
pub fn sub_mod(a: u32, b: u32, p: u32) -> u32 {
    let d = a.wrapping_sub(b);
    d.wrapping_add(p & ct::mask_negative(d.cast_signed()))
}

/// `a b / 2^32 mod p`. Range: `a b < 2^32 p`; then the result is in `[0, p)`.
#[inline(always)]
pub fn montgomery(a: u32, b: u32, p: u32, p0i: u32) -> u32 {
    let z = u64::from(a) * u64::from(b);
    let w = (z as u32).wrapping_mul(p0i);
    below((z.wrapping_add(u64::from(w) * u64::from(p)) >> 32) as u32, p)
}

/// The operations of [`U32s`] on one lane.
macro_rules! one_lane_u32 {
    () => {
        const LANES_U32: usize = 1;
        type U32 = u32;
        #[inline(always)]
        fn load_u32(self, src: &[u32]) -> u32 {
            src[0]
        }
        #[inline(always)]
        fn store_u32(self, v: u32, dst: &mut [u32]) {
            dst[0] = v;
        }
        #[inline(always)]
        fn splat_u32(self, x: u32) -> u32 {
            x
        }
        #[inline(always)]
        fn below_u32(self, a: u32, p: u32) -> u32 {
            crate::simd::below(a, p)
        }
        #[inline(always)]
        fn add_mod_u32(self, a: u32, b: u32, p: u32) -> u32 {
            crate::simd::below(a.wrapping_add(b), p)
        }
        #[inline(always)]
        fn sub_mod_u32(self, a: u32, b: u32, p: u32) -> u32 {
            crate::simd::sub_mod(a, b, p)
        }
        #[inline(always)]
        fn montgomery_u32(self, a: u32, b: u32, p: u32, p0i: u32) -> u32 {
            crate::simd::montgomery(a, b, p, p0i)
        }
        #[inline(always)]
        fn unzip_u32<const D: usize>(self, a: u32, b: u32) -> (u32, u32) {
            (a, b)
        }
        #[inline(always)]
        fn zip_u32<const D: usize>(self, even: u32, odd: u32) -> (u32, u32) {
            (even, odd)
        }
        #[inline(always)]
        fn repeat_u32<const D: usize>(self, src: &[u32]) -> u32 {
            src[0]
        }
        #[inline(always)]
        fn repeat_back_u32<const D: usize>(self, src: &[u32]) -> u32 {
            src[0]
        }
    };
}
pub(in crate::simd) use one_lane_u32;
