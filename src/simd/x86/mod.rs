//! x86-64: one file per instruction set, each with one line per operation, and what this CPU has.

mod avx2;
mod avx512;
mod detect;
mod fixed;
mod lanes32;
mod lanes64;
mod residues;
#[cfg(fndsa_msan)]
mod sanitized;
mod sse2;

pub use avx2::Avx2;
pub use avx512::Avx512;
pub use sse2::Sse2;

/// Operations that are one intrinsic each. Expands in an `impl` for a proof of the instruction set.
macro_rules! intrinsics {
    ($( $(#[$doc:meta])* fn $name:ident $(<const $c:ident: $ct:ty>)? ( $($arg:ident: $t:ty),* ) $(-> $r:ty)? = $body:expr; )+) => {$(
        #[inline(always)]
        fn $name $(<const $c: $ct>)? (self $(, $arg: $t)*) $(-> $r)? {
            // SAFETY: `self` proves that this CPU has the instruction set; the intrinsics want nothing else.
            unsafe { $body }
        }
    )+};
}
use intrinsics;

/// The loads and stores of one type of vector, through slices at least one vector long.
macro_rules! memory {
    ($load:ident, $store:ident, $elem:ty, $lanes:expr, $vector:ty, $loadu:ident, $storeu:ident) => {
        #[inline(always)]
        fn $load(self, src: &[$elem]) -> $vector {
            let src = &src[..$lanes];
            // SAFETY: `self` proves the instruction set; the slice holds one vector, alignment is not needed.
            unsafe { $loadu(src.as_ptr().cast()) }
        }
        #[inline(always)]
        fn $store(self, v: $vector, dst: &mut [$elem]) {
            let dst = &mut dst[..$lanes];
            // SAFETY: as for the load.
            unsafe { $storeu(dst.as_mut_ptr().cast(), v) }
        }
    };
}
use memory;

/// [`Simd::total`](super::Simd::total) from the 32-bit lanes of the sums and of all that they went through.
macro_rules! total {
    ($lanes:expr, $vector:ty, $storeu:ident) => {
        #[inline(always)]
        fn total(self, sum: ($vector, $vector)) -> u64 {
            let (mut sums, mut seen) = ([0u32; $lanes], [0u32; $lanes]);
            // SAFETY: `self` proves the instruction set; each array holds one vector, alignment is not needed.
            unsafe {
                $storeu(sums.as_mut_ptr().cast(), sum.0);
                $storeu(seen.as_mut_ptr().cast(), sum.1);
            }
            let over = seen.iter().fold(0, |any, x| any | x) >> 31 << 31;
            sums.iter().map(|x| u64::from(*x)).sum::<u64>() | u64::from(over)
        }
    };
}
use total;

/// [`Simd::keep_below_u16`](super::Simd::keep_below_u16) of lanes in memory, without a branch. `N` is a power of two.
#[inline(always)]
fn keep_below<const N: usize>(lanes: [u16; N], limit: u16, dst: &mut [u16]) -> usize {
    let (dst, mut kept) = (&mut dst[..N], 0);
    for x in lanes {
        dst[kept & (N - 1)] = x;
        kept += usize::from(x < limit);
    }
    kept
}
