//! Detects the instruction sets that the CPU and the operating system support, once per process.
//!
//! As CPUID instructions trap in a virtual machine, which takes microseconds, this code reads four
//! leaves (groups of CPUID results) or fewer. It does not use `is_x86_feature_detected!`, because
//! this macro requires `std`.

use super::intrinsics::{__cpuid_count, _xgetbv, CpuidResult};
use core::sync::atomic::{AtomicU8, Ordering};

/// The bit for AVX2, BMI1, BMI2, LZCNT and POPCNT together. All relevant CPUs with AVX2 also
/// support the other four extensions.
const AVX2: u8 = 1;
/// The bit for AVX-512 F, BW, DQ, VL, VBMI and VBMI2. It is only set together with [`AVX2`].
const AVX512: u8 = 2;
/// The bit for a processor that splits operations on 512-bit vectors into two halves.
const SPLITS_512_BIT_VECTORS: u8 = 4;
/// The bit that is set after the CPU was queried.
const QUERIED: u8 = 0x80;

/// The result of [`features`], or zero before its first call.
static CACHED_BITS: AtomicU8 = AtomicU8::new(0);

/// Returns true if the level `avx2` is supported.
pub fn has_avx2() -> bool {
    features() & AVX2 != 0
}

/// Returns true if the level `avx512` is supported.
pub fn has_avx512() -> bool {
    features() & AVX512 != 0
}

/// Returns true if this CPU splits operations on 512-bit vectors into two halves.
pub fn splits_512_bit_vectors() -> bool {
    features() & SPLITS_512_BIT_VECTORS != 0
}

/// Returns the bits for this CPU, which are detected at the first call. [`QUERIED`] is always set.
fn features() -> u8 {
    let cached = CACHED_BITS.load(Ordering::Relaxed);
    if cached != 0 {
        return cached;
    }
    let features = query_cpu() | QUERIED;
    CACHED_BITS.store(features, Ordering::Relaxed);
    features
}

/// Returns true if `x` contains all bits in `mask`.
const fn has_all_bits(x: u32, mask: u32) -> bool {
    x & mask == mask
}

/// Returns true for AMD processors of family 25 (Zen 3 and Zen 4). `vendor` is the result of leaf
/// 0, and `version` is the register EAX in the result of leaf 1.
const fn is_family_25(vendor: CpuidResult, version: u32) -> bool {
    const BASE_FAMILY: u32 = 0xf00;
    const FAMILY_25: u32 = 0x0a << 20 | 0xf00;
    const EXTENDED_FAMILY: u32 = 0xff << 20;
    // "AuthenticAMD"
    vendor.ebx == u32::from_le_bytes(*b"Auth")
        && vendor.edx == u32::from_le_bytes(*b"enti")
        && vendor.ecx == u32::from_le_bytes(*b"cAMD")
        && version & (EXTENDED_FAMILY | BASE_FAMILY) == FAMILY_25
}

/// Returns the bits [`AVX2`], [`AVX512`] and [`SPLITS_512_BIT_VECTORS`] for this CPU and the
/// operating system. If the operating system does not save the vector registers, the bits are not
/// set.
fn query_cpu() -> u8 {
    const LEAF1_C: u32 = 1 << 23 | 1 << 27 | 1 << 28; // POPCNT, OSXSAVE, AVX
    const LEAF7_B_AVX2: u32 = 1 << 3 | 1 << 5 | 1 << 8; // BMI1, AVX2, BMI2
    const LEAF7_B_AVX512: u32 = 1 << 16 | 1 << 17 | 1 << 30 | 1 << 31; // F, DQ, BW, VL
    const LEAF7_C_AVX512: u32 = 1 << 1 | 1 << 6; // VBMI, VBMI2
    const LEAF_EXTENDED_C: u32 = 1 << 5; // LZCNT
    const XCR0_YMM: u64 = 0b110;
    const XCR0_ZMM: u64 = 0b1110_0110;

    // Miri does not support CPUID, and an SGX enclave cannot use it. Both use `sse2`.
    if cfg!(any(miri, target_env = "sgx")) {
        return 0;
    }
    let leaf_0 = read_leaf(0);
    let leaf_1 = read_leaf(1);
    if leaf_0.eax < 7 || !has_all_bits(leaf_1.ecx, LEAF1_C) {
        return 0;
    }
    let leaf_7 = read_leaf(7);
    let leaf_extended = read_leaf(0x8000_0001);
    // SAFETY: the bit OSXSAVE is set, so the operating system has enabled XSAVE.
    let xcr0 = unsafe { xcr0() };
    if !has_all_bits(leaf_7.ebx, LEAF7_B_AVX2)
        || !has_all_bits(leaf_extended.ecx, LEAF_EXTENDED_C)
        || xcr0 & XCR0_YMM != XCR0_YMM
    {
        return 0;
    }
    let supports_avx512 = has_all_bits(leaf_7.ebx, LEAF7_B_AVX512)
        && has_all_bits(leaf_7.ecx, LEAF7_C_AVX512)
        && xcr0 & XCR0_ZMM == XCR0_ZMM;
    // Zen 4 splits operations on 512-bit vectors. In family 25, only Zen 4 processors support
    // AVX-512.
    let splits_512_bits = supports_avx512 && is_family_25(leaf_0, leaf_1.eax);
    AVX2 | if supports_avx512 { AVX512 } else { 0 } | if splits_512_bits { SPLITS_512_BIT_VECTORS } else { 0 }
}

/// Executes CPUID for a leaf, with subleaf 0.
#[allow(unused_unsafe, reason = "`__cpuid_count` is an unsafe function in Rust 1.89")]
fn read_leaf(leaf: u32) -> CpuidResult {
    // SAFETY: every CPU with SSE2, which the levels of this module require, has CPUID.
    unsafe { __cpuid_count(leaf, 0) }
}

/// Reads the register XCR0. Its bits show which vector registers the operating system saves.
///
/// # Safety
/// XSAVE must be enabled.
#[target_feature(enable = "xsave")]
unsafe fn xcr0() -> u64 {
    // SAFETY: the caller guarantees that XSAVE is enabled.
    unsafe { _xgetbv(0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests the values in leaf 0 and leaf 1 of five real processors, and a combination of values
    /// that no processor has.
    #[test]
    fn only_amd_processors_of_family_25_are_detected() {
        let amd = CpuidResult { eax: 16, ebx: 0x6874_7541, ecx: 0x444d_4163, edx: 0x6974_6e65 };
        let intel = CpuidResult { eax: 32, ebx: 0x756e_6547, ecx: 0x6c65_746e, edx: 0x4965_6e69 };
        for (name, vendor, version, expected) in [
            ("Zen 2", amd, 0x0083_0f10, false),
            ("Zen 4, server", amd, 0x00a1_0f11, true),
            ("Zen 4, desktop", amd, 0x00a6_0f12, true),
            ("Zen 5", amd, 0x00b4_0f40, false),
            ("Sapphire Rapids", intel, 0x0008_06f8, false),
            ("Intel with the version of Zen 4", intel, 0x00a1_0f11, false),
        ] {
            assert_eq!(is_family_25(vendor, version), expected, "{name}");
        }
    }
}
