//! Groups of lanes, one trait a file, by the width and the meaning of a lane.
//!
//! - `u16s`: [`U16s`], unsigned 16-bit integers: the ring modulo q, the fields of keys
//! - `u32s`: [`U32s`], residues modulo a prime below `2^31`: key generation, and ML-DSA
//! - `u64s`: [`U64s`], 64-bit words: Keccak
//! - `i64s`: [`I64s`], 32.32 fixed-point numbers: the quotients of key generation
//! - `f32s`: [`F32s`], binary32 numbers or integers of this size: candidates of the sampler
//! - `f64s`: [`F64s`] and [`RealRows`], binary64 numbers: the Fourier transform, the tree
//!
//! An operation has the type of its lanes in its name (`add_u16`, `add_f64`), so that one type can have all groups.
//! The operations on one lane stand beside each trait but [`F32s`], which levels of one lane do not have: they define
//! what vectors compute. `simd/check/laws.rs` compares.

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
pub use u16s::{Order, RingRoots, RingRow, U16s, four_fields, word_root};
pub(super) use u32s::one_lane_u32;
pub use u32s::{U32s, below, montgomery, reduced, sub_mod};
#[allow(unused_imports, reason = "only levels with their own lanes for one state of Keccak need it")]
pub(super) use u64s::one_lane_u64;
pub use u64s::{U64s, Word};

/// What [`Simd`](super::Simd) has beside the name where a level has one lane: no shorter level, one lane for Keccak, and the level of
/// its integers.
macro_rules! one_lane_level {
    ($integers:ty, $proof:expr) => {
        type Half = Self;
        type OneState = $crate::simd::Word;
        type TwoStates = $crate::simd::Word;
        type ManyStates = $crate::simd::Word;
        type F32s = $crate::simd::NoLanes;
        type Integers = $integers;
        type Keygen = Self;

        #[inline(always)]
        fn half(self) -> Self {
            self
        }
        #[inline(always)]
        fn one_state(self) -> $crate::simd::Word {
            $crate::simd::Word
        }
        #[inline(always)]
        fn two_states(self) -> $crate::simd::Word {
            $crate::simd::Word
        }
        #[inline(always)]
        fn many_states(self) -> $crate::simd::Word {
            $crate::simd::Word
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
