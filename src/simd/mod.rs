//! Instruction sets: no other folder names one. Nearly all `unsafe` code of the package is here.
//!
//! A level is an instruction set as a type that implements [`Simd`], and a value of that type is a *proof* that this
//! CPU has it. What a level can compute stands in groups of lanes, such as [`U16s`]; [`Simd`] has them all. Kernels
//! live in `engine`, once, generic over `S: Simd`: each is `#[inline(always)]` or opens a frame with `frame!` in its
//! first line. `docs/adding-a-level.md` tells how a level is added.
//!
//! - `level`: [`Level`], which selects a level that this CPU has
//! - `frame`: `frame!`, which enables the instructions of a level
//! - `lanes`: the groups of lanes, with a trait in each file
//! - `eight`: [`EightRows`], rows of eight signatures that are computed together
//! - `one_lane`: the levels with a single lane: `scalar`, `emulated` and `compact`
//! - `x86`: `sse2`, `avx2`, `avx512`
//! - `aarch64`: `neon`, `neon-sha3`
//! - `riscv64`: `rvv`, `scalar-fdiv`, `rvv-fdiv`, and Keccak
//! - `wasm`: `simd128`
//! - `armv7e_m`: assembly for a Cortex-M4: binary64, Keccak, rows modulo q
//! - `vectors`: macros for all files of vector instruction sets
//! - `binary64`: binary64 numbers, of the hardware and computed with integers
//! - `check`: tests of the levels, and the entry points of the proofs and of memcheck
//! - `scratch`: typed slices from the caller's work memory
//! - `ct`: value barriers, declassification and wiping
//! - `words`: 64-bit numbers on processors with smaller registers, in constant time
//! - `machine`: CPU features, counters, the rounding mode and the descriptors of the machine

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod aarch64;
#[cfg(all(feature = "armv7e-m", target_arch = "arm", target_os = "none"))]
mod armv7e_m;
mod binary64;
#[cfg(any(test, feature = "testing", fndsa_memcheck, fndsa_proofs))]
pub mod check;
pub mod ct;
#[cfg(feature = "alloc")]
mod eight;
mod frame;
mod lanes;
mod level;
mod machine;
mod one_lane;
#[cfg(target_arch = "riscv64")]
mod riscv64;
mod scratch;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod vectors;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
pub mod words;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86;

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
pub use aarch64::*;
pub use binary64::{Number, Real, SoftF64};
#[cfg(feature = "alloc")]
pub use eight::{EightReals, EightRows};
pub(crate) use frame::frame;
pub use frame::{Frame, in_frame};
#[cfg(feature = "alloc")]
pub use lanes::EightVectors;
pub use lanes::{
    F32s, F64s, I64s, NoLanes, Order, RealRows, RingRoots, RingRow, U16s, U32s, U64s, Word, below, four_fields,
    montgomery, mul_fixed, reduced, sub_mod, word_root,
};
#[cfg(any(test, all(feature = "testing", feature = "std")))]
pub use level::WithSimd;
pub(crate) use level::on_level;
pub use level::{Level, Proof};
#[cfg(feature = "cli")]
pub use machine::CoreCycles;
#[cfg(all(feature = "cli", unix))]
pub use machine::descriptors;
pub use machine::with_default;
#[cfg(feature = "bench")]
pub use machine::{PAINTED, cycles, stack_depth};
#[allow(unused_imports, reason = "no level of targets whose `f64` is a library call")]
pub use one_lane::Scalar;
pub use one_lane::{Compact, Emulated};
#[cfg(all(target_arch = "riscv64", not(any(target_os = "none", target_os = "nuttx"))))]
pub use riscv64::*;
#[cfg(feature = "alloc")]
pub use scratch::Line;
pub use scratch::{Plain, SCRATCH_ALIGN, Scratch, recast, view};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use wasm::*;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub use x86::*;

/// Whether the build asks for few bytes of code (`--cfg fndsa_small`).
pub const SMALL: bool = cfg!(fndsa_small);

/// Whether registers have 32 bits and no level has vectors: a second state of Keccak would be in memory, too.
pub const SHORT_REGISTERS: bool = cfg!(any(target_arch = "arm", target_arch = "riscv32"));

/// Whether Keccak is assembly without a second state on the stack, on processors with [`SHORT_REGISTERS`].
pub const KECCAK_IN_REGISTERS: bool = cfg!(all(feature = "armv7e-m", target_arch = "arm", target_os = "none"));

/// Returns whether few bytes of code count more than speed on this level: on each in a build that asks for it.
/// Then it is one layer or round at a time, and no second form of a loop for another length or order.
#[inline(always)]
pub const fn small<S: Simd>() -> bool {
    SMALL || S::COMPACT
}

mod sealed {
    /// Keeps `Simd` implementations in this crate.
    pub trait Sealed {}
}
use sealed::Sealed;

/// One instruction set: the groups of lanes that it computes on, and the frame in which its instructions are on.
///
/// Every operation is exact: integers wrap, numbers round once (IEEE-754 binary64, ties to even), so every level gives
/// the same bits. There is deliberately no fused multiply-add. The binary32 numbers of [`F32s`] are apart: they decide
/// nothing.
pub trait Simd: U16s + U32s + I64s + F64s {
    /// The name of the level, as [`Level::from_name`] takes it.
    const NAME: &'static str;
    /// Whether few bytes of code and of stack count more than speed, in every build.
    const COMPACT: bool = false;
    /// Whether bytes of stack count more than calls of functions, where the results are the same: the level is that of small machines.
    const SHALLOW: bool = false;

    /// The level with vectors half as long, or this one if it has one lane: rows shorter than a vector are its work.
    type Half: Simd<Real = Self::Real>;
    /// The best lanes for one state of Keccak: one lane, or what else is in the vector is of no use.
    type OneState: U64s;
    /// Two lanes where a second state of Keccak costs nothing beside the first, else one.
    type TwoStates: U64s;
    /// The best lanes for many states of Keccak.
    type ManyStates: U64s;
    /// The lanes that look at the sampler's candidates.
    type F32s: F32s;
    /// The level that does the same with integers. Levels that differ in binary64 alone have one in common, and work
    /// without binary64 is compiled once for all of them.
    type Integers: Simd;
    /// The level for key generation, most of which is not vectors. With vectors of 512 bits its transforms are faster, but
    /// the processor turns its clock down for all that follows: in all, avx512 ran at 0.94 to 0.96 of the speed of avx2
    /// (`cargo bench --bench peer -- keygen`, with `Self` in `avx512`).
    type Keygen: Simd;

    /// The proof for [`Simd::Half`].
    fn half(self) -> Self::Half;
    /// The proof for [`Simd::OneState`].
    fn one_state(self) -> Self::OneState;
    /// The proof for [`Simd::TwoStates`].
    fn two_states(self) -> Self::TwoStates;
    /// The proof for [`Simd::ManyStates`].
    fn many_states(self) -> Self::ManyStates;
    /// The proof for [`Simd::F32s`]; `None` on levels that have no such lanes.
    fn f32s(self) -> Option<Self::F32s>;
    /// The proof for [`Simd::Integers`].
    fn integers(self) -> Self::Integers;
    /// The proof for [`Simd::Keygen`].
    fn keygen(self) -> Self::Keygen;
}
