//! Which level to run: found once, then carried by value.

#[cfg(all(fndsa_small, target_arch = "wasm32", not(target_feature = "simd128")))]
use super::Scalar;
#[cfg(all(fndsa_small, target_arch = "wasm32", target_feature = "simd128"))]
use super::Simd128;
use super::{RealRows, Simd};
use core::fmt;

/// Work that is generic over the level, for tests: Rust has no generic closures.
#[cfg(any(test, all(feature = "testing", feature = "std")))]
pub trait WithSimd {
    /// What the work returns.
    type Output;
    /// Runs the work on one level.
    fn with<S: Simd>(self, isa: S) -> Self::Output;
}

macro_rules! levels {
    (($d:tt) $( $(#[$cfg:meta])* $name:ident ),+ $(,)?) => {
        /// A level as the proof that this CPU has it.
        #[derive(Clone, Copy, Debug)]
        pub enum Proof { $( $(#[$cfg])* $name($crate::simd::$name) ),+ }

        /// Every level this program knows, slowest first, with the proof where this CPU has it.
        fn known() -> impl DoubleEndedIterator<Item = (&'static str, Option<Level>)> {
            [$(
                $(#[$cfg])*
                (<$crate::simd::$name as Simd>::NAME, $crate::simd::$name::detect().map(|isa| Level(Proof::$name(isa))))
            ),+].into_iter()
        }

        impl Level {
            /// The name of the level, as [`Level::from_name`] takes it.
            pub const fn name(self) -> &'static str {
                match self.0 { $( $(#[$cfg])* Proof::$name(_) => <$crate::simd::$name as Simd>::NAME ),+ }
            }

            /// Whether vectors of the level have more than one lane: then its kernels take more stack.
            pub(crate) const fn has_vectors(self) -> bool {
                match self.0 { $( $(#[$cfg])* Proof::$name(_) => <$crate::simd::$name as RealRows>::LANES_F64 > 1 ),+ }
            }
        }

        /// `on_level!(level, |isa| work)` computes `work` with the proof of the level: in a frame where its
        /// instructions are on, and in the default floating-point environment. The work is compiled for each level; it
        /// does not `return`. `|isa = integers|` takes [`Simd::integers`] of the level in its place, or another function
        /// of [`Simd`] that gives a level: what several levels have in common is compiled once.
        macro_rules! on_level {
            ($d level:expr, |$d isa:ident $d (= $d of:ident)?| $d work:expr) => {{
                let level: $crate::simd::Level = $d level;
                $crate::simd::with_default(
                    #[inline(always)]
                    || match level.proof() {
                        $( $(#[$cfg])* $crate::simd::Proof::$name(isa) => $crate::simd::in_frame(
                            $d ($crate::simd::Simd::$d of)? (isa),
                            #[inline(always)]
                            |$d isa| $d work,
                        ), )+
                    },
                )
            }};
        }
        pub(crate) use on_level;
    };
}

levels! {
    ($)
    // In WebAssembly the fastest level is known when the module is built: `--cfg fndsa_small` leaves out the others,
    // where the size of the module counts.
    #[cfg(not(all(fndsa_small, target_arch = "wasm32")))]
    Emulated,
    // Division and square root by hardware, on processors that are not known to take the same time for all values: never
    // chosen, for it stands before the level that is.
    #[cfg(all(target_arch = "riscv64", not(any(target_os = "none", target_os = "nuttx"))))]
    ScalarFdiv,
    // Not on x86 without SSE2 (x87 keeps more bits, and kernels of x86-64 leave all such registers to others), and not where `f64` is a library call (its time depends on the
    // values). Stable Rust does not tell whether a RISC-V processor has binary64 (the extension D): every target of an
    // operating system has it but for one of NuttX. tests/targets.rs has the levels of each target.
    #[cfg(any(
        all(any(target_arch = "x86_64", target_arch = "x86"), target_feature = "sse2"),
        all(target_arch = "aarch64", target_feature = "neon"),
        all(target_arch = "riscv64", not(any(target_os = "none", target_os = "nuttx"))),
        all(target_arch = "wasm32", not(all(fndsa_small, target_feature = "simd128"))),
        target_arch = "powerpc64",
        target_arch = "s390x",
        target_arch = "loongarch64",
    ))]
    Scalar,
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Sse2,
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Avx2,
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Avx512,
    #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
    Neon,
    #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
    NeonSha3,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
    #[cfg(all(target_arch = "riscv64", not(any(target_os = "none", target_os = "nuttx"))))]
    RvvFdiv,
    #[cfg(all(target_arch = "riscv64", not(any(target_os = "none", target_os = "nuttx"))))]
    Rvv,
}

/// An instruction set that this CPU has. All levels give the same bytes.
///
/// ```
/// use fndsa::algorithm::Scheme;
/// use fndsa::no_alloc::{Level, VerifyingKeyRef};
/// # let mut bytes = [0; 897];
/// # bytes[0] = 9;
/// # bytes[896] = 1;
/// let public = VerifyingKeyRef::from_bytes(Scheme::FnDsa, &bytes)?;
/// // The fastest one, and any of the others by its name.
/// let fastest = public.key_hash(Level::detect());
/// for level in Level::available() {
///     assert_eq!(public.key_hash(level), fastest, "{level}");
/// }
/// assert_eq!(Level::EMULATED.name(), "emulated");
/// # Ok::<(), fndsa::error::KeyError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Level(Proof);

impl Level {
    /// The level that computes binary64 with integer instructions; every CPU has it.
    #[cfg(not(all(fndsa_small, target_arch = "wasm32")))]
    pub const EMULATED: Self = Self(Proof::Emulated(super::Emulated));

    /// The proof that this CPU has the level.
    pub(crate) const fn proof(self) -> Proof {
        self.0
    }

    /// Runs work that is generic over the level, as [`on_level!`] does.
    #[cfg(any(test, all(feature = "testing", feature = "std")))]
    pub(crate) fn run<W: WithSimd>(self, work: W) -> W::Output {
        on_level!(self, |isa| work.with(isa))
    }

    /// The fastest level of this CPU that divides in a time which does not depend on the values, as far as that is known. On
    /// RISC-V `scalar-fdiv` and `rvv-fdiv` are faster and never chosen: they leave division and square root to the hardware,
    /// for who knows that this processor takes the same time for all values, and asks for them by [`Level::from_name`].
    pub fn detect() -> Self {
        #[cfg(not(all(fndsa_small, target_arch = "wasm32")))]
        return known().rev().find_map(|(_, level)| level).unwrap_or(Self::EMULATED);
        #[cfg(all(fndsa_small, target_arch = "wasm32", not(target_feature = "simd128")))]
        return Self(Proof::Scalar(Scalar::IMPLIED));
        #[cfg(all(fndsa_small, target_arch = "wasm32", target_feature = "simd128"))]
        Self(Proof::Simd128(Simd128::IMPLIED))
    }

    /// Every level of this CPU, slowest first; the last is the one of [`Level::detect`].
    pub fn available() -> impl Iterator<Item = Self> {
        known().filter_map(|(_, level)| level)
    }

    /// Every name that [`Level::from_name`] may accept, on this CPU or another of its kind.
    pub fn names() -> impl Iterator<Item = &'static str> {
        known().map(|(name, _)| name)
    }

    /// The level of that name, if this CPU has it.
    pub fn from_name(name: &str) -> Option<Self> {
        known().find(|(n, _)| *n == name)?.1
    }
}

impl PartialEq for Level {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Level {}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
