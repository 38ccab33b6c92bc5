//! Detects instructions that are not part of NEON.

/// Returns true if the CPU supports the SHA-3 instructions EOR3, RAX1, XAR and BCAX.
#[cfg(feature = "std")]
pub fn has_sha3() -> bool {
    std::arch::is_aarch64_feature_detected!("sha3")
}

/// Returns true if the CPU supports the SHA-3 instructions EOR3, RAX1, XAR and BCAX. On systems
/// other than Linux, the build target decides: Apple targets have these instructions.
#[cfg(not(feature = "std"))]
pub fn has_sha3() -> bool {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    return cfg!(target_feature = "sha3") || linux::has_sha3();
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    cfg!(target_feature = "sha3")
}

/// Asks the kernel for the SHA-3 instructions. The register `ID_AA64ISAR0_EL1` contains the same
/// information, but programs cannot read it if the kernel is older than 4.11.
#[cfg(all(any(target_os = "linux", target_os = "android"), any(feature = "testing", not(feature = "std"))))]
mod linux {
    use crate::simd::machine::auxv::hwcap;
    use core::sync::atomic::{AtomicU8, Ordering};

    /// The bits for SHA-3 and for SHA-512, because the compiler's feature `sha3` includes both.
    const HWCAP: usize = 1 << 17 | 1 << 21;

    /// The result plus 1, or 0 if it is not known yet.
    static CACHED_RESULT: AtomicU8 = AtomicU8::new(0);

    /// Returns true if the kernel reports the instructions.
    pub fn has_sha3() -> bool {
        let cached = CACHED_RESULT.load(Ordering::Relaxed);
        if cached != 0 {
            return cached == 2;
        }
        let is_supported = hwcap().is_some_and(|bits| bits & HWCAP == HWCAP);
        CACHED_RESULT.store(1 + u8::from(is_supported), Ordering::Relaxed);
        is_supported
    }
}

/// Checks that the kernel and the standard library return the same result, also in a second call,
/// which returns the cached result. Panics otherwise.
#[cfg(all(any(target_os = "linux", target_os = "android"), feature = "testing", feature = "std"))]
pub fn check() {
    assert_eq!(linux::has_sha3(), has_sha3(), "the kernel and the standard library differ");
    assert_eq!(linux::has_sha3(), has_sha3(), "the kernel and the standard library differ in the second call");
}
