//! x86-64: one file per instruction set, each with one line per operation, and what this CPU has.

mod avx2;
mod avx512;
mod detect;
mod fixed;
mod lanes32;
mod lanes64;
mod residues;
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
