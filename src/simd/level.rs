//! The level (the instruction set) that an operation uses. A program selects a level once, and then
//! passes it by value.

#[cfg(all(fndsa_small, target_arch = "wasm32", not(target_feature = "simd128")))]
use super::Scalar;
#[cfg(all(fndsa_small, target_arch = "wasm32", target_feature = "simd128"))]
use super::Simd128;
use super::{RealRows, Simd};
use core::fmt;

/// A function that is generic over the level. A type implements this trait, because Rust does not
/// have generic closures. Only tests use this trait.
#[cfg(any(test, all(feature = "testing", feature = "std")))]
pub trait WithSimd {
    /// The result of the work.
    type Output;
    /// Runs the work on a level.
    fn with<S: Simd>(self, isa: S) -> Self::Output;
}

/// Defines [`LevelProof`], `on_level!` and the functions that need a list of all levels. Each
/// level in the list has a condition for the build.
macro_rules! levels {
    (($d:tt) $( $(#[$cfg:meta])* $name:ident ),+ $(,)?) => {
        /// A level, together with the proof that this CPU supports it.
        #[derive(Clone, Copy, Debug)]
        pub enum LevelProof { $( $(#[$cfg])* $name($crate::simd::$name) ),+ }

        /// Returns the names of all levels in this program, from the slowest to the fastest, each
        /// with its level if this CPU supports it.
        fn all_levels() -> impl DoubleEndedIterator<Item = (&'static str, Option<Level>)> {
            [$(
                $(#[$cfg])*
                (<$crate::simd::$name as Simd>::NAME, $crate::simd::$name::detect().map(|isa| Level(LevelProof::$name(isa))))
            ),+].into_iter()
        }

        impl Level {
            /// Returns the level's name, as in [`Level::from_name`].
            pub const fn name(self) -> &'static str {
                match self.0 { $( $(#[$cfg])* LevelProof::$name(_) => <$crate::simd::$name as Simd>::NAME ),+ }
            }

            /// Returns the name of the level with the code for integers: see [`Simd::Integers`].
            const fn integers_name(self) -> &'static str {
                match self.0 {
                    $( $(#[$cfg])* LevelProof::$name(_) => <<$crate::simd::$name as Simd>::Integers as Simd>::NAME ),+
                }
            }

            /// Returns true if the level's vectors have more than one lane. Kernels need more stack
            /// on such a level.
            pub(crate) const fn has_vectors(self) -> bool {
                match self.0 { $( $(#[$cfg])* LevelProof::$name(_) => <$crate::simd::$name as RealRows>::LANES_F64 > 1 ),+ }
            }
        }

        /// Computes `work` on a level: `on_level!(level, |isa| work)`. In `work`, `isa` is the
        /// level's proof. The work runs in a frame that enables the level's instructions, and in
        /// the default floating-point environment. The work is compiled for each level, and must
        /// not contain `return`. With `|isa = integers|`, the work runs on the level that
        /// [`Simd::integers`] returns. Several levels share this level, so the work is compiled
        /// once for all of them. Instead of `integers`, you can use any [`Simd`] function that
        /// returns a level.
        macro_rules! on_level {
            ($d level:expr, |$d isa:ident $d (= $d of:ident)?| $d work:expr) => {{
                let level: $crate::simd::Level = $d level;
                $crate::simd::with_default(
                    #[inline(always)]
                    || match level.proof() {
                        $( $(#[$cfg])* $crate::simd::LevelProof::$name(isa) => $crate::simd::in_frame(
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

// A build with `--cfg fndsa_without_level="NAME"` leaves out a level. build.rs checks that the name
// is in a condition of this table. `Emulated` cannot be left out, because every CPU supports it.
levels! {
    ($)
    // On 32-bit ARM, `Emulated` follows `ScalarFdiv` in this list and is the default, because the
    // times of all binary64 instructions may depend on the values. Stable Rust does not report if
    // an ARM processor has binary64, but all `eabihf` targets with an operating system have it,
    // except NuttX targets. For other `eabihf` targets, the cfg `fndsa_fp64` states that the
    // processor has it.
    #[cfg(all(
        target_arch = "arm",
        target_abi = "eabihf",
        any(fndsa_fp64, not(any(target_os = "none", target_os = "nuttx"))),
        not(fndsa_without_level = "scalar-fdiv"),
    ))]
    ScalarFdiv,
    // For WebAssembly, the fastest level is known when the module is built. If the module should be
    // small, `--cfg fndsa_small` omits all slower levels.
    #[cfg(not(all(fndsa_small, target_arch = "wasm32")))]
    Emulated,
    // This level divides and computes square roots with instructions that may need different times
    // for different values. The default is the last level in this list that the CPU supports, so it
    // is `Scalar` or `Rvv` instead. If the build leaves out these levels, `Level::detect` rejects
    // the levels with hardware division.
    #[cfg(all(
        target_arch = "riscv64",
        not(any(target_os = "none", target_os = "nuttx")),
        not(fndsa_without_level = "scalar-fdiv"),
    ))]
    ScalarFdiv,
    // `Scalar` is not available on these targets:
    // - x86 without SSE2, because `f64` then uses the x87 unit, which computes with more bits. Code
    //   in operating system kernels for x86-64 also has no SSE2, because the kernel leaves the SSE
    //   registers to programs.
    // - targets on which `f64` is a library call, because the call's time depends on the values.
    //
    // Stable Rust does not report if a RISC-V processor has binary64 (the extension D). All RISC-V
    // targets with an operating system have it, except a NuttX target. tests/targets.rs lists the
    // levels for each target.
    #[cfg(all(
        not(fndsa_without_level = "scalar"),
        any(
            all(any(target_arch = "x86_64", target_arch = "x86"), target_feature = "sse2"),
            all(any(target_arch = "aarch64", target_arch = "arm64ec"), target_feature = "neon"),
            all(target_arch = "riscv64", not(any(target_os = "none", target_os = "nuttx"))),
            all(target_arch = "wasm32", not(all(fndsa_small, target_feature = "simd128"))),
            target_arch = "powerpc64",
            target_arch = "s390x",
            target_arch = "loongarch64",
        ),
    ))]
    Scalar,
    #[cfg(all(
        any(target_arch = "x86_64", target_arch = "x86"),
        target_feature = "sse2",
        not(fndsa_without_level = "sse2"),
    ))]
    Sse2,
    #[cfg(all(
        any(target_arch = "x86_64", target_arch = "x86"),
        target_feature = "sse2",
        not(fndsa_without_level = "avx2"),
    ))]
    Avx2,
    // `Avx512` is only for 64-bit programs: a 32-bit program can use only 8 of the 32 vector
    // registers.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(fndsa_without_level = "avx512")))]
    Avx512,
    #[cfg(all(
        any(target_arch = "aarch64", target_arch = "arm64ec"),
        target_endian = "little",
        target_feature = "neon",
        not(fndsa_without_level = "neon"),
    ))]
    Neon,
    #[cfg(all(
        any(target_arch = "aarch64", target_arch = "arm64ec"),
        target_endian = "little",
        target_feature = "neon",
        not(fndsa_without_level = "neon-sha3"),
    ))]
    NeonSha3,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
    #[cfg(all(
        target_arch = "riscv64",
        not(any(target_os = "none", target_os = "nuttx")),
        not(fndsa_without_level = "rvv-fdiv"),
    ))]
    RvvFdiv,
    #[cfg(all(
        target_arch = "riscv64",
        not(any(target_os = "none", target_os = "nuttx")),
        not(fndsa_without_level = "rvv"),
    ))]
    Rvv,
}

/// An instruction set that this CPU supports. All levels compute the same bytes.
///
/// ```
/// use fndsa::algorithm::Scheme;
/// use fndsa::no_alloc::{Level, VerifyingKeyRef};
///
/// // A public key of degree 2^9 with one nonzero coefficient. A program reads it from a file.
/// let mut bytes = [0; 897];
/// (bytes[0], bytes[896]) = (9, 1);
/// let public = VerifyingKeyRef::from_bytes(Scheme::FnDsa, &bytes)?;
/// // All levels compute the same hash.
/// let fastest = public.key_hash(Level::detect());
/// for level in Level::available() {
///     assert_eq!(public.key_hash(level), fastest, "{level}");
/// }
/// assert_eq!(Level::EMULATED.name(), "emulated");
/// # Ok::<(), fndsa::error::KeyError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Level(LevelProof);

impl Level {
    /// The level that computes binary64 with integer instructions. It runs on any CPU.
    #[cfg(not(all(fndsa_small, target_arch = "wasm32")))]
    pub const EMULATED: Self = Self(LevelProof::Emulated(super::Emulated));

    /// Returns the proof that this CPU supports the level.
    pub(crate) const fn proof(self) -> LevelProof {
        self.0
    }

    /// Runs work that is generic over the level, as [`on_level!`] does.
    #[cfg(any(test, all(feature = "testing", feature = "std")))]
    pub(crate) fn run<W: WithSimd>(self, work: W) -> W::Output {
        on_level!(self, |isa| work.with(isa))
    }

    /// Returns the fastest level of this CPU whose division time, as far as is known, does not
    /// depend on the values. On RISC-V, `scalar-fdiv` and `rvv-fdiv` are faster but are never
    /// selected, because they use the hardware's division and square root. On 32-bit ARM,
    /// `scalar-fdiv` is never selected, because it uses the floating-point unit. If you know that
    /// your processor needs the same time for all values, you can select these levels with
    /// [`Level::from_name`].
    pub fn detect() -> Self {
        #[cfg(not(all(fndsa_small, target_arch = "wasm32")))]
        {
            // In a build that leaves out levels, the last level in the list can be a level with
            // hardware division.
            let is_selectable = |name: &str| !cfg!(fndsa_fewer_levels) || !name.ends_with("-fdiv");
            let mut levels = all_levels().rev().filter(|(name, _)| is_selectable(name));
            levels.find_map(|(_, level)| level).unwrap_or(Self::EMULATED)
        }
        #[cfg(all(fndsa_small, target_arch = "wasm32", not(target_feature = "simd128")))]
        return Self(LevelProof::Scalar(Scalar::IMPLIED));
        #[cfg(all(fndsa_small, target_arch = "wasm32", target_feature = "simd128"))]
        Self(LevelProof::Simd128(Simd128::IMPLIED))
    }

    /// Returns all levels that this CPU supports, from the slowest to the fastest.
    /// [`Level::detect`] returns the last level. A level that can only be selected by its name
    /// precedes the level that `detect` selects instead.
    pub fn available() -> impl Iterator<Item = Self> {
        all_levels().filter_map(|(_, level)| level)
    }

    /// Returns a level whose machine code for hashes and verification differs from this level's
    /// code. To detect a fault in the machine, use the returned level to verify a signature again.
    ///
    /// The function only considers levels that this CPU supports. It returns the next slower level
    /// with different code. If there is no such level, it returns the next faster level with
    /// different code. If all levels share the same code, it returns this level.
    ///
    /// ```
    /// use fndsa::no_alloc::Level;
    ///
    /// let level = Level::detect();
    /// println!("{level} is checked with {}", level.neighbour());
    /// ```
    pub fn neighbour(self) -> Self {
        let mut slower_neighbour = None;
        let mut faster_neighbour = None;
        let mut has_reached_self = false;
        for level in Self::available() {
            has_reached_self |= level == self;
            if level.integers_name() == self.integers_name() {
                continue;
            }
            if has_reached_self {
                faster_neighbour = faster_neighbour.or(Some(level));
            } else {
                slower_neighbour = Some(level);
            }
        }
        slower_neighbour.or(faster_neighbour).unwrap_or(self)
    }

    /// Returns the names of all levels in this program. [`Level::from_name`] only accepts the names
    /// of the levels that this CPU supports.
    pub fn names() -> impl Iterator<Item = &'static str> {
        all_levels().map(|(name, _)| name)
    }

    /// Returns the level with this name if the CPU supports it.
    pub fn from_name(name: &str) -> Option<Self> {
        all_levels().find(|(level_name, _)| *level_name == name)?.1
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_neighbour_level_has_different_code() {
        let levels: Vec<_> = Level::available().collect();
        for level in &levels {
            let differs = |other: &Level| other.integers_name() != level.integers_name();
            assert_eq!(differs(&level.neighbour()), levels.iter().any(differs), "{level}");
        }
        let is_available = |name: &str| Level::from_name(name).is_some();
        for (name, neighbour) in [("avx512", "avx2"), ("avx2", "sse2"), ("sse2", "scalar"), ("scalar", "sse2")] {
            if is_available(name) && is_available(neighbour) {
                assert_eq!(Level::from_name(name).map(|level| level.neighbour().name()), Some(neighbour));
            }
        }
    }
}
