//! What this CPU offers beside NEON.

/// Whether the CPU has the instructions for SHA-3: EOR3, RAX1, XAR and BCAX.
#[cfg(feature = "std")]
pub fn has_sha3() -> bool {
    std::arch::is_aarch64_feature_detected!("sha3")
}

/// Whether the CPU has the instructions for SHA-3: EOR3, RAX1, XAR and BCAX. Elsewhere than on Linux the target tells:
/// those of Apple have them.
#[cfg(not(feature = "std"))]
pub fn has_sha3() -> bool {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    return cfg!(target_feature = "sha3") || linux::has_sha3();
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    cfg!(target_feature = "sha3")
}

/// What the kernel says. The register that has the answer, `ID_AA64ISAR0_EL1`, may not be read by programs under kernels
/// before 4.11.
#[cfg(all(any(target_os = "linux", target_os = "android"), any(feature = "testing", not(feature = "std"))))]
mod linux {
    use crate::simd::machine::auxv::hwcap;
    use core::sync::atomic::{AtomicU8, Ordering};

    /// SHA-3, and SHA-512, which the compiler takes for a part of it.
    const HWCAP: usize = 1 << 17 | 1 << 21;

    /// The answer, plus one; zero before it is known.
    static FOUND: AtomicU8 = AtomicU8::new(0);

    /// Whether the kernel says that the CPU has the instructions.
    pub fn has_sha3() -> bool {
        let known = FOUND.load(Ordering::Relaxed);
        if known != 0 {
            return known == 2;
        }
        let has = hwcap().is_some_and(|bits| bits & HWCAP == HWCAP);
        FOUND.store(1 + u8::from(has), Ordering::Relaxed);
        has
    }
}

/// Checks that the kernel says what the standard library says, the first time and again. Panics if not.
#[cfg(all(any(target_os = "linux", target_os = "android"), feature = "testing", feature = "std"))]
pub fn check() {
    assert_eq!(linux::has_sha3(), has_sha3(), "the auxiliary vector");
    assert_eq!(linux::has_sha3(), has_sha3(), "the auxiliary vector, asked again");
}
