//! Macros for the files that implement vector instruction sets. With these macros, most operations
//! are a single line.

/// Defines methods, each of which is a single expression with intrinsics. `self` is the proof that
/// the CPU supports the instructions.
macro_rules! intrinsics {
    ($( $(#[$doc:meta])* fn $name:ident $(<const $c:ident: $ct:ty>)? ( $($arg:ident: $t:ty),* ) $(-> $r:ty)? = $body:expr; )+) => {$(
        #[inline(always)]
        fn $name $(<const $c: $ct>)? (self $(, $arg: $t)*) $(-> $r)? {
            $crate::simd::vectors::proved!($body)
        }
    )+};
}
pub(super) use intrinsics;

/// Evaluates an expression with intrinsics.
#[cfg(not(target_arch = "wasm32"))]
macro_rules! proved {
    ($body:expr) => {
        // SAFETY: `self` proves that this CPU supports the instruction set; the intrinsics have no
        // other requirement.
        unsafe { $body }
    };
}
/// Evaluates an expression with intrinsics. On WebAssembly, intrinsics are safe functions, because
/// a WebAssembly engine rejects a module with instructions that it does not support.
#[cfg(target_arch = "wasm32")]
macro_rules! proved {
    ($body:expr) => {
        $body
    };
}
pub(super) use proved;

/// Defines the load for a vector type. The slice must be at least as long as the vector.
macro_rules! load {
    ($load:ident, $elem:ty, $lanes:expr, $vector:ty, $loadu:ident) => {
        #[inline(always)]
        fn $load(self, src: &[$elem]) -> $vector {
            let src = &src[..$lanes];
            // SAFETY: `self` proves the instruction set; the slice is as long as the vector, and
            // alignment is not needed.
            unsafe { $loadu(src.as_ptr().cast()) }
        }
    };
}
pub(super) use load;

/// Defines the load and the store for a vector type. The slices must be at least as long as the
/// vector.
macro_rules! memory {
    ($load:ident, $store:ident, $elem:ty, $lanes:expr, $vector:ty, $loadu:ident, $storeu:ident) => {
        $crate::simd::vectors::load!($load, $elem, $lanes, $vector, $loadu);
        #[inline(always)]
        fn $store(self, v: $vector, dst: &mut [$elem]) {
            let dst = &mut dst[..$lanes];
            // SAFETY: `self` proves the instruction set; the slice is as long as the vector, and
            // alignment is not needed.
            unsafe { $storeu(dst.as_mut_ptr().cast(), v) }
        }
    };
}
pub(super) use memory;

/// Implements [`U16s::total`](super::U16s::total) for a pair of vectors with 32-bit lanes. The
/// first vector contains a sum for each lane. The second vector contains the bitwise OR of all
/// intermediate sums, to detect a sum that has reached `2^31`.
macro_rules! total {
    ($lanes:expr, $vector:ty, $storeu:ident) => {
        #[inline(always)]
        fn total(self, sum: ($vector, $vector)) -> u64 {
            let mut sums = [0u32; $lanes];
            let mut lane_sums = [0u32; $lanes];
            // SAFETY: `self` proves the instruction set; each array is as long as the vector, and
            // alignment is not needed.
            unsafe {
                $storeu(sums.as_mut_ptr().cast(), sum.0);
                $storeu(lane_sums.as_mut_ptr().cast(), sum.1);
            }
            // `overflow` is 2^31 if an intermediate sum has reached 2^31, and otherwise 0.
            let overflow = lane_sums.iter().fold(0, |any, x| any | x) >> 31 << 31;
            sums.iter().map(|x| u64::from(*x)).sum::<u64>() | u64::from(overflow)
        }
    };
}
pub(super) use total;

/// Implements [`U16s::keep_below_u16`](super::U16s::keep_below_u16) for lanes in an array, without
/// a branch. Range: `N` is a power of two. The bit mask `N - 1` does not change an index, but shows
/// the compiler that no bounds check is needed.
#[inline(always)]
pub fn keep_below<const N: usize>(lanes: [u16; N], limit: u16, dst: &mut [u16]) -> usize {
    let dst = &mut dst[..N];
    let mut kept_count = 0;
    for x in lanes {
        dst[kept_count & (N - 1)] = x;
        kept_count += usize::from(x < limit);
    }
    kept_count
}

/// Defines [`F32s::LevelArray`](super::F32s::LevelArray) for levels with vectors: an array with
/// `LARGE` values.
macro_rules! long_level_array {
    () => {
        type LevelArray<T: $crate::simd::PlainData, const SMALL: usize, const LARGE: usize> = [T; LARGE];

        #[inline(always)]
        fn level_array<T: $crate::simd::PlainData, const SMALL: usize, const LARGE: usize>(value: T) -> [T; LARGE] {
            [value; LARGE]
        }
    };
}
pub(super) use long_level_array;

/// Converts a number to a constant, for intrinsics that require a constant parameter: if `by` is
/// from 1 to 63, `with_const!(by, N => f, else)` evaluates `f` with the constant `N` equal to `by`.
/// If `by` is zero, it evaluates `else`. After inlining, `by` must be a constant, so that the
/// optimizer removes the cases for all other numbers.
#[cfg(any(target_arch = "aarch64", target_arch = "arm64ec"))]
macro_rules! with_const {
    ($by:expr, $n:ident => $f:expr, $else:expr) => {
        with_const!(@ $by, $n => $f, $else;
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
            33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63)
    };
    (@ $by:expr, $n:ident => $f:expr, $else:expr; $($k:literal)+) => {
        match $by {
            $( $k => {
                const $n: i32 = $k;
                $f
            } )+
            _ => $else,
        }
    };
}
#[cfg(any(target_arch = "aarch64", target_arch = "arm64ec"))]
pub(super) use with_const;
