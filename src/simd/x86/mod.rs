//! x86-64, and 32-bit x86 with SSE2: CPU detection, and a file for each instruction set.
//!
//! - `sse2`: 128-bit vectors
//! - `bmi`: a 64-bit word with the BMI instruction `andn`, for a Keccak state
//! - `avx2`: 256-bit vectors
//! - `fields`: bit fields in 256-bit vectors
//! - `words`: one, two or four 64-bit words with AVX-512 instructions, for Keccak states
//! - `blocks`: lane indices for blocks of lanes in 512-bit vectors
//! - `avx512`: 512-bit vectors. This file, `words` and `blocks` are only compiled on x86-64
//! - `detect`: detects the instruction sets of the CPU
//! - `sanitized`: replaces instructions that MemorySanitizer does not support, for tests/ct
//!
//! The operation groups are in the same order in all files: `U16s`, `U32s`, `U64s`, `I64s`, `F32s`,
//! `F64s`.

mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod blocks;
mod bmi;
mod detect;
mod fields;
#[cfg(fndsa_msan)]
mod sanitized;
mod sse2;
#[cfg(target_arch = "x86_64")]
mod words;

pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
#[cfg(target_arch = "x86")]
use core::arch::x86 as intrinsics;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64 as intrinsics;
use intrinsics::{__m128i, _mm_loadu_si128};
pub use sse2::Sse2;

/// For each number `m`, the positions of its set bits. Each byte of an entry contains a position,
/// in ascending order from the lowest byte on.
static SET_BIT_POSITIONS: [u64; 256] = {
    let mut table = [0; 256];
    let mut m = 0;
    while m < 256 {
        let mut bit = 0;
        let mut set_bits = 0;
        while bit < 8 {
            if m >> bit & 1 == 1 {
                table[m] |= bit << (8 * set_bits);
                set_bits += 1;
            }
            bit += 1;
        }
        m += 1;
    }
    table
};

/// Loads 16 bytes from `src`, starting at index `at`.
///
/// # Safety
/// `src` must contain at least `at + 16` bytes.
#[inline(always)]
unsafe fn bytes16(src: &[u8], at: usize) -> __m128i {
    debug_assert!(at + 16 <= src.len());
    // SAFETY: the caller guarantees that `src` contains these 16 bytes.
    unsafe { _mm_loadu_si128(src.as_ptr().add(at).cast()) }
}

/// Transposes a matrix with four rows and four columns, and returns the first three columns. A row
/// is a 128-bit vector with four 32-bit words. In a longer vector, each 128-bit part is a row in a
/// separate matrix, and the macro transposes all these matrices.
macro_rules! columns {
    ($rows:expr, $low32:ident, $high32:ident, $low64:ident, $high64:ident) => {{
        let [a, b, c, d] = $rows;
        let ab = $low32(a, b);
        let cd = $low32(c, d);
        [$low64(ab, cd), $high64(ab, cd), $low64($high32(a, b), $high32(c, d))]
    }};
}
use columns;
