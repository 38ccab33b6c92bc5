//! The groups of lanes. Each file contains a trait for a lane type. A level (an instruction set)
//! implements these traits.
//!
//! - `u16s`: [`U16s`], unsigned 16-bit integers: the ring modulo q, the fields in keys
//! - `u32s`: [`U32s`], residues modulo a prime below `2^31`: key generation, and ML-DSA
//! - `u64s`: [`U64s`], 64-bit words: Keccak
//! - `i64s`: [`I64s`], fixed-point numbers with 32 fraction bits: the quotients in key generation
//! - `f32s`: [`F32s`], binary32 numbers or 32-bit integers: candidates for the sampler
//! - `f64s`: [`F64s`] and [`RealRows`], binary64 numbers: the Fourier transform and the tree of
//!   FN-DSA
//!
//! An operation's name includes the lane type (`add_u16`, `add_f64`), because a type can implement
//! all groups. Each file except `f32s` also contains the operations for a single lane. Single-lane
//! levels do not have [`F32s`]. `simd/check/laws.rs` tests that vectors and single lanes compute
//! the same results.

mod f32s;
mod f64s;
mod i64s;
mod u16s;
mod u32s;
mod u64s;

pub use f32s::{F32s, NoLanes};
#[cfg(feature = "alloc")]
pub use f64s::EightVectors;
pub use f64s::{F64s, RealRows};
pub(super) use f64s::{one_lane_f64, one_lane_rows, one_number};
pub(super) use i64s::one_lane_i64;
pub use i64s::{I64s, mul_fixed};
pub(super) use u16s::one_lane_u16;
pub use u16s::{BitOrder, RingRoots, RingRow, U16s, four_14_bit_fields, word_root};
#[allow(unused_imports, reason = "only levels with their own packing of fields need it")]
pub(super) use u32s::pack_without_vectors;
pub use u32s::{SampledCount, ShortRow, U32s, below, montgomery, reduced, sub_mod};
pub(super) use u32s::{one_lane_u32, times_long};
#[allow(unused_imports, reason = "only levels with their own lanes for one state of Keccak need it")]
pub(super) use u64s::one_lane_u64;
pub use u64s::{ScalarWord, U64s, keccak_constant};

/// Defines, for a single-lane level, the items of [`Simd`](super::Simd) without a default, except
/// `NAME`. `Half` is the level itself, because no level has shorter vectors. All types for Keccak
/// states have a single lane. `$integers` is the type for
/// [`Simd::Integers`](super::Simd::Integers). `$proof` is a value of this type, which proves that
/// the CPU supports the level for integers.
macro_rules! one_lane_level {
    ($integers:ty, $proof:expr) => {
        type Half = Self;
        type OneState = $crate::simd::ScalarWord;
        type TwoStates = $crate::simd::ScalarWord;
        type FourStates = $crate::simd::ScalarWord;
        type ManyStates = $crate::simd::ScalarWord;
        type F32s = $crate::simd::NoLanes;
        type Integers = $integers;
        type Keygen = Self;

        #[inline(always)]
        fn half(self) -> Self {
            self
        }
        #[inline(always)]
        fn one_state(self) -> $crate::simd::ScalarWord {
            $crate::simd::ScalarWord
        }
        #[inline(always)]
        fn two_states(self) -> $crate::simd::ScalarWord {
            $crate::simd::ScalarWord
        }
        #[inline(always)]
        fn four_states(self) -> $crate::simd::ScalarWord {
            $crate::simd::ScalarWord
        }
        #[inline(always)]
        fn many_states(self) -> $crate::simd::ScalarWord {
            $crate::simd::ScalarWord
        }
        #[inline(always)]
        fn f32s(self) -> Option<$crate::simd::NoLanes> {
            None
        }
        #[inline(always)]
        fn integers(self) -> $integers {
            $proof
        }
        #[inline(always)]
        fn keygen(self) -> Self {
            self
        }
    };
}
pub(super) use one_lane_level;
