//! The instruction sets that the engine can use, called levels. Only this folder names instruction
//! sets, and it contains nearly all `unsafe` code in the package.
//!
//! A level is a type that implements [`Simd`]. A value of this type is a *proof* that this CPU
//! supports the instruction set. The operations of a level are grouped by the type of their lanes
//! (the numbers in a vector): for example, [`U16s`] contains the operations on 16-bit lanes.
//! [`Simd`] combines all groups. Kernels, the inner loops of the algorithms, are in `engine`. They
//! are generic over `S: Simd`. A kernel is `#[inline(always)]`, or computes in `frame!`, which
//! enables the level's instructions. To add a level, see `docs/adding-a-level.md`. In the
//! documentation of an operation, `Range:` states the values that the caller must ensure.
//!
//! - `level`: [`Level`], which selects a level that this CPU supports
//! - `frame`: `frame!`, which enables a level's instructions
//! - `lanes`: the groups of lanes, with a trait in each file
//! - `eight`: [`EightRows`], which computes eight signatures together. A value then consists of
//!   eight numbers, one for each signature
//! - `one_lane`: the levels with a single lane: `scalar`, `scalar-fdiv`, `emulated` and `compact`
//! - `x86`: `sse2`, `avx2`, `avx512`
//! - `aarch64`: `neon`, `neon-sha3`
//! - `riscv64`: `rvv`, `rvv-fdiv`, and Keccak
//! - `wasm`: `simd128`
//! - `armv7e_m`: assembly for the Cortex-M4 and similar processors: binary64, Keccak, and
//!   operations on rows (whole arrays of numbers) modulo q
//! - `vectors`: macros for all vector instruction sets
//! - `binary64`: binary64 numbers, computed by the hardware or with integers
//! - `check`: tests for the levels, and the entry points for the proofs and for memcheck
//! - `scratch`: typed slices from the caller's work memory
//! - `ct`: value barriers, declassification and wiping
//! - `constant_time_u64`: 64-bit numbers on processors with smaller registers, in constant time
//! - `machine`: CPU features, counters, the rounding mode and the standard descriptors

#[cfg(all(any(target_arch = "aarch64", target_arch = "arm64ec"), target_endian = "little", target_feature = "neon"))]
#[cfg_attr(fndsa_fewer_levels, allow(dead_code, reason = "the code of levels that are left out"))]
mod aarch64;
#[cfg(fndsa_armv7e_m)]
mod armv7e_m;
mod binary64;
#[cfg(any(test, feature = "testing", fndsa_memcheck, fndsa_proofs))]
pub mod check;
pub mod constant_time_u64;
pub mod ct;
#[cfg(feature = "alloc")]
mod eight;
mod frame;
mod lanes;
mod level;
mod machine;
#[cfg_attr(fndsa_fewer_levels, allow(dead_code, reason = "the code of levels that are left out"))]
mod one_lane;
#[cfg(target_arch = "riscv64")]
#[cfg_attr(fndsa_fewer_levels, allow(dead_code, unused_imports, reason = "the code of levels that are left out"))]
mod riscv64;
mod scratch;
#[cfg(any(
    all(any(target_arch = "x86_64", target_arch = "x86"), target_feature = "sse2"),
    all(any(target_arch = "aarch64", target_arch = "arm64ec"), target_endian = "little", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod vectors;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
#[cfg(all(any(target_arch = "x86_64", target_arch = "x86"), target_feature = "sse2"))]
#[cfg_attr(
    any(fndsa_fewer_levels, target_arch = "x86"),
    allow(dead_code, unused_imports, reason = "the code of levels that are left out")
)]
mod x86;

#[cfg(all(
    any(target_arch = "aarch64", target_arch = "arm64ec"),
    target_endian = "little",
    target_feature = "neon"
))]
pub use aarch64::*;
pub use binary64::{Real, RowValue, SoftF64};
#[cfg(feature = "alloc")]
pub use eight::EightReals;
#[cfg(all(feature = "alloc", feature = "sign"))]
pub use eight::EightRows;
pub(crate) use frame::frame;
pub use frame::{Frame, align_stack_for, in_frame};
#[cfg(feature = "alloc")]
pub use lanes::EightVectors;
pub use lanes::{
    BitOrder, F32s, F64s, I64s, NoLanes, RealRows, RingRoots, RingRow, SampledCount, ScalarWord, ShortRow, U16s, U32s,
    U64s, below, four_14_bit_fields, keccak_constant, montgomery, mul_fixed, reduced, sub_mod, word_root,
};
#[cfg(any(test, all(feature = "testing", feature = "std")))]
pub use level::WithSimd;
pub(crate) use level::on_level;
pub use level::{Level, LevelProof};
#[cfg(feature = "cli")]
pub use machine::CoreCycles;
#[cfg(all(feature = "cli", unix))]
pub use machine::descriptors;
pub use machine::with_default;
#[cfg(feature = "bench")]
pub use machine::{PAINTED, cycles, stack_depth};
pub use one_lane::{Compact, Emulated};
#[allow(unused_imports, reason = "no level of targets whose `f64` is a library call")]
pub use one_lane::{Scalar, ScalarFdiv};
#[cfg(all(target_arch = "riscv64", not(any(target_os = "none", target_os = "nuttx"))))]
pub use riscv64::*;
#[cfg(feature = "alloc")]
pub use scratch::MemoryLine;
#[cfg(any(feature = "alloc", feature = "sign"))]
pub use scratch::view;
pub use scratch::{PlainData, SCRATCH_ALIGN, Scratch, recast};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use wasm::*;
#[cfg(all(any(target_arch = "x86_64", target_arch = "x86"), target_feature = "sse2"))]
pub use x86::*;

/// True if the build should prefer small code to fast code (`--cfg fndsa_small`).
pub const SMALL: bool = cfg!(fndsa_small);

/// True if registers have 32 bits and no level uses vectors. On such a processor, a Keccak state
/// does not fit in the registers, so a permutation that is not computed in place needs a second
/// state in memory.
pub const SHORT_REGISTERS: bool = cfg!(any(target_arch = "arm", target_arch = "riscv32"));

/// True if a processor with [`SHORT_REGISTERS`] computes Keccak with assembly that needs no second
/// state on the stack. Between two permutations, this assembly keeps the words that a sponge does
/// not access in a form that only the assembly can read ([`U64s::keccak_rounds`]).
pub const KECCAK_IN_REGISTERS: bool = cfg!(fndsa_armv7e_m);

/// Returns true if small code is more important than speed on this level. In a build with
/// `--cfg fndsa_small`, this is true for all levels. Kernels then compute one transform layer or
/// one hash round at a time, and have no separate loops for special lengths or bit orders.
#[inline(always)]
pub const fn small<S: Simd>() -> bool {
    SMALL || S::COMPACT
}

mod sealed {
    /// Prevents implementations of `Simd` outside this crate.
    pub trait Sealed {}
}
use sealed::Sealed;

/// An instruction set: its lane groups, and the frame that enables its instructions.
///
/// The result of each operation is defined exactly: integers wrap, and binary64 numbers are rounded
/// once (IEEE-754, ties to even). So all levels compute the same bits, and a level must not use a
/// fused multiply-add, which rounds once instead of twice. The binary32 numbers in [`F32s`] are an
/// exception: levels can compute different numbers, but these numbers do not change a signature.
pub trait Simd: U16s + U32s + I64s + F64s {
    /// The level's name, as in [`Level::from_name`].
    const NAME: &'static str;
    /// True if small code and a small stack are more important than speed on this level, in any
    /// build.
    const COMPACT: bool = false;
    /// True if a small stack is more important than few function calls, as on small machines. The
    /// constant does not change any result.
    const SMALL_STACK: bool = false;

    /// The level with half-length vectors, or this level if it has a single lane. The engine uses
    /// [`Simd::Half`] for rows that are shorter than a vector.
    type Half: Simd<Real = Self::Real>;
    /// The fastest lanes for a single Keccak state: one lane, or a vector with unused lanes.
    type OneState: U64s;
    /// Two lanes if a second Keccak state can be computed at no additional cost, otherwise one
    /// lane.
    type TwoStates: U64s;
    /// The fastest lanes for up to four Keccak states: four lanes on levels with 256-bit vectors.
    type FourStates: U64s;
    /// The fastest lanes for many Keccak states.
    type ManyStates: U64s;
    /// The binary32 lanes with which the sampler checks its candidates.
    type F32s: F32s;
    /// The level for code that computes with integers only. Levels that differ only in binary64
    /// share this level, and the compiler compiles the code once for all of them.
    type Integers: Simd;
    /// The level for key generation, which mostly does not use vectors. With 512-bit vectors, the
    /// transforms are faster, but the processor then reduces its clock rate also for the rest of
    /// the work. With 512-bit vectors, key generation ran at 0.94 to 0.96 times its speed with
    /// 256-bit vectors. To measure this, set this type to `Self` in `avx512`, and run `cargo bench
    /// --bench peer -- keygen`.
    type Keygen: Simd;

    /// Returns true if the processor computes an operation on the level's longest vectors in two
    /// halves. On such a processor, one operation on the longest vectors needs the same time as two
    /// operations on half-length vectors. Some operations may be faster on half-length vectors.
    #[inline(always)]
    fn splits_vectors(self) -> bool {
        false
    }

    /// Returns the proof that the CPU supports [`Simd::Half`].
    fn half(self) -> Self::Half;
    /// Returns the proof for [`Simd::OneState`].
    fn one_state(self) -> Self::OneState;
    /// Returns the proof for [`Simd::TwoStates`].
    fn two_states(self) -> Self::TwoStates;
    /// Returns the proof for [`Simd::FourStates`].
    fn four_states(self) -> Self::FourStates;
    /// Returns the proof for [`Simd::ManyStates`].
    fn many_states(self) -> Self::ManyStates;
    /// Returns the proof for [`Simd::F32s`], or `None` if the level does not have such lanes.
    fn f32s(self) -> Option<Self::F32s>;
    /// Returns the proof for [`Simd::Integers`].
    fn integers(self) -> Self::Integers;
    /// Returns the proof for [`Simd::Keygen`].
    fn keygen(self) -> Self::Keygen;
}
