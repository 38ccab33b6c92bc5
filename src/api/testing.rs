//! Functions and types for tests, with the feature `testing`. With [`FixedBytes`], the caller
//! chooses the random bytes.
//!
//! Never use this module to sign real messages. Two different signatures from the same random bytes
//! can reveal the private key (ePrint 2024/1709).

use crate::api::{KeyError, Scheme, SignatureRef, SigningKeyRef, VerifyError, VerifyingKeyRef};
use crate::engine::falcon::params::Degree;
use crate::engine::falcon::sampler::Sampler;
#[cfg(feature = "alloc")]
use crate::simd::MemoryLine;
use crate::simd::{Level, Real, Simd, on_level};
use rand_core::{TryCryptoRng, TryRng};

#[cfg(fndsa_memcheck)]
pub use crate::simd::check::memcheck;

/// Checks a private key for any algorithm of the scheme, including toys, which are not secure and
/// only for tests. The algorithm is detected from the bytes, so ML-DSA seeds and composite keys are
/// not supported.
///
/// # Errors
/// Returns an error that states which check failed.
pub fn signing_key<'a>(
    level: Level,
    scheme: Scheme,
    bytes: &'a [u8],
    work: &mut [u8],
) -> Result<SigningKeyRef<'a>, KeyError> {
    SigningKeyRef::of_scheme(level, scheme, bytes, work)
}

/// Checks a public key for any algorithm of the scheme, including toys. The algorithm is detected
/// from the bytes.
///
/// # Errors
/// Returns an error that states which check failed.
pub fn verifying_key(scheme: Scheme, bytes: &[u8]) -> Result<VerifyingKeyRef<'_>, KeyError> {
    VerifyingKeyRef::of_scheme(scheme, bytes)
}

/// Parses a signature for any algorithm of the scheme, including toys. The algorithm is detected
/// from the bytes.
///
/// # Errors
/// Returns an error that states which check failed.
pub fn signature(scheme: Scheme, bytes: &[u8]) -> Result<SignatureRef<'_>, VerifyError> {
    SignatureRef::of_scheme(scheme, bytes)
}

/// Compares the results of all operations, on each level (instruction set) of this CPU, with the
/// results of scalar operations.
///
/// # Panics
/// Panics if the results are different.
#[cfg(all(feature = "testing", feature = "std"))]
pub fn laws() {
    crate::simd::check::laws::all();
}

/// Memory with the alignment that a basis needs. Like flash memory, this memory is written in
/// parts, from the beginning.
#[cfg(feature = "alloc")]
pub struct FlashMemory {
    lines: alloc::boxed::Box<[MemoryLine]>,
    len: usize,
    written: usize,
}

#[cfg(feature = "alloc")]
impl FlashMemory {
    /// Returns `len` bytes, all of them zero.
    pub fn new(len: usize) -> Self {
        Self { lines: MemoryLine::boxed(len), len, written: 0 }
    }

    /// Writes `part` after the previous parts. `part` must fit in the memory.
    pub fn write(&mut self, part: &[u8]) {
        let start = self.written;
        self.written += part.len();
        let end = self.written;
        self.bytes_mut()[start..end].copy_from_slice(part);
    }

    /// Returns all bytes.
    pub fn bytes(&self) -> &[u8] {
        &MemoryLine::bytes(&self.lines)[..self.len]
    }

    /// Returns all bytes, so that a test can change them.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut MemoryLine::bytes_mut(&mut self.lines)[..self.len]
    }
}

/// The computations at the level `emulated`, for tests on processors without an operating system:
/// binary64 numbers as bit patterns, Keccak, and rows (whole arrays) modulo q.
pub mod emulated {
    use crate::engine::hash::shake;
    use crate::simd::{Emulated, RealRows, RingRoots, SoftF64, U16s, U32s, constant_time_u64, recast};
    pub use crate::simd::{RingRow, SampledCount, ShortRow, word_root};

    /// Returns `a + b`.
    pub fn sum(a: u64, b: u64) -> u64 {
        (SoftF64::from_bits(a) + SoftF64::from_bits(b)).to_bits()
    }

    /// Returns both `a + b` and `a - b`.
    pub fn sum_and_difference(a: u64, b: u64) -> (u64, u64) {
        let (sum, difference) = Emulated.add_sub_f64(SoftF64::from_bits(a), SoftF64::from_bits(b));
        (sum.to_bits(), difference.to_bits())
    }

    /// Returns `a b`.
    pub fn product(a: u64, b: u64) -> u64 {
        (SoftF64::from_bits(a) * SoftF64::from_bits(b)).to_bits()
    }

    /// Returns `a / b`. `b` must not be zero.
    pub fn quotient(a: u64, b: u64) -> u64 {
        (SoftF64::from_bits(a) / SoftF64::from_bits(b)).to_bits()
    }

    /// Returns `x` as a binary64.
    pub fn from_i32(x: i32) -> u64 {
        SoftF64::from_i32(x).to_bits()
    }

    /// Computes two layers of the complex transform: merges blocks of `quarter` numbers, and then
    /// blocks of `2 quarter` numbers. Returns false if the build does not support this operation.
    /// The functions below that return a `bool` also return false in this case.
    pub fn merge_two_rows(quarter: usize, [re, im]: [&mut [u64]; 2], roots: [&[u64]; 2]) -> bool {
        Emulated.merge_two_rows(quarter, [recast(re), recast(im)], roots)
    }

    /// Reverses [`merge_two_rows`], without the factors 1/2.
    pub fn split_two_rows(quarter: usize, [re, im]: [&mut [u64]; 2], roots: [&[u64]; 2]) -> bool {
        Emulated.split_two_rows(quarter, [recast(re), recast(im)], roots)
    }

    /// Merges the two half-length polynomials in `f` into `t`.
    pub fn merge_row(f: &mut [u64], t: &mut [u64], roots: [&[u64]; 2]) -> bool {
        Emulated.merge_row(recast(f), recast(t), roots)
    }

    /// Splits `t` into two half-length polynomials in `f`. Reverses [`merge_row`].
    pub fn split_row(t: &mut [u64], f: &mut [u64], roots: [&[u64]; 2]) -> bool {
        Emulated.split_row(recast(t), recast(f), roots)
    }

    /// Computes the targets for the left child of a node in the LDL tree. Changes `w` and `t1`.
    pub fn left_targets_row([w, l10, t0, t1]: [&mut [u64]; 4], roots: [&[u64]; 2]) -> bool {
        Emulated.left_targets_row(recast(w), recast(l10), recast(t0), recast(t1), roots)
    }

    /// Returns how many entries of `table` are larger than `v`, or `None` if the build does not
    /// support this operation.
    pub fn count_larger(v: u128, table: &[u128; 18]) -> Option<u32> {
        constant_time_u64::count_larger(v, table)
    }

    /// Evaluates a polynomial by Horner's rule with the upper halves of products, or returns `None`
    /// if the build does not support this operation.
    pub fn horner_of_high_products(x: u64, scale: u64, coefficients: &[u64; 13]) -> Option<u64> {
        constant_time_u64::horner_of_high_products(x, scale, coefficients)
    }

    /// Permutes a state with Keccak-f\[1600\], for blocks of up to 136 bytes. The caller may only
    /// use the words of the state that belong to the block. All other words must be 0 before the
    /// first call.
    pub fn keccak_f(state: &mut [u64; 25]) {
        shake::keccak_f(Emulated, state);
    }

    /// Works like [`keccak_f`], for blocks of up to 168 bytes.
    pub fn keccak_f_128(state: &mut [u64; 25]) {
        shake::keccak_f_128(Emulated, state);
    }

    /// Returns the number of Keccak permutations since the start of the program, for all hash
    /// functions together, modulo `2^32 / 24`. The library counts them only on processors without
    /// an operating system.
    #[cfg(all(feature = "testing", target_os = "none"))]
    pub fn permutations() -> u32 {
        shake::ROUNDS_COMPUTED.load(core::sync::atomic::Ordering::Relaxed) / shake::ROUNDS as u32
    }

    /// True if the build contains assembly for rows modulo q. If false, then [`ring_layers`] and
    /// [`ring_row`] do not change their input.
    pub const HAS_RING_ROWS: bool = <Emulated as U16s>::HAS_RING_ROWS;
    /// The prime q of the Falcon family.
    const Q: u16 = 12289;
    /// The inverse of q modulo 2^16.
    const Q_INVERSE: u16 = 53249;

    /// Applies `DISTANCES` layers of the transform modulo q to `a`, or of the inverse transform if
    /// `is_inverse` is true. `distance` is the longest distance between two values that these
    /// layers combine: the transform starts with this distance, and the inverse transform ends with
    /// it. `words` contains roots from [`word_root`]. The roots for a layer with `k` blocks start
    /// at position `k`.
    ///
    /// # Panics
    /// Panics if `a` cannot be divided into blocks, or if `words` has too few roots.
    pub fn ring_layers<const DISTANCES: usize>(a: &mut [u16], distance: usize, words: &[u32], is_inverse: bool) {
        let roots = RingRoots { z: &[], zq: &[], words, q: Q, is_inverse };
        Emulated.ring_layers::<DISTANCES>(a, distance, &roots);
    }

    /// Applies the operation `row` modulo q to each number in `a`. Returns false if the build does
    /// not support this operation.
    pub fn ring_row(a: &mut [u16], row: RingRow<'_>) -> bool {
        Emulated.ring_row(a, row, [Q, Q_INVERSE])
    }

    /// True if the build contains assembly for rows modulo the prime in ML-DSA. If false, then
    /// [`short_row`] does not change its input.
    pub const HAS_SHORT_ROWS: bool = <Emulated as U32s>::HAS_SHORT_ROWS;

    /// Applies the operation `row` to `a`, which must have an even length.
    ///
    /// # Panics
    /// Panics if a row or a table of roots in `row` is too short.
    pub fn short_row(a: &mut [u32], row: ShortRow<'_>) {
        Emulated.short_row(a, row);
    }

    /// Reads up to `count` candidates of 3 bytes from `src`. Multiplies each residue `x` (a
    /// candidate below the prime) by the next value `y` in `v`, and adds `x y / 2^32` to the next
    /// 3-byte number in `sums`.
    ///
    /// # Panics
    /// Panics if a slice is too short.
    pub fn add_sampled(src: &[u8], count: usize, v: &[u32], sums: &mut [u8]) -> SampledCount {
        Emulated.add_sampled(src, count, v, sums)
    }

    /// Reads up to `count` candidates of 3 bytes from `src`, and writes the residues (the
    /// candidates below the prime) to `out`.
    ///
    /// # Panics
    /// Panics if `src` is too short.
    pub fn keep_sampled(src: &[u8], count: usize, out: &mut [u32]) -> SampledCount {
        Emulated.keep_sampled(src, count, out)
    }
}

/// A generator that returns the given bytes and then fails.
pub struct FixedBytes<'a>(pub &'a [u8]);

/// The error that [`FixedBytes`] returns after its last byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfBytesError;

impl core::fmt::Display for OutOfBytesError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("no more bytes")
    }
}

impl core::error::Error for OutOfBytesError {}

impl TryRng for FixedBytes<'_> {
    type Error = OutOfBytesError;

    fn try_next_u32(&mut self) -> Result<u32, OutOfBytesError> {
        let mut b = [0; 4];
        self.try_fill_bytes(&mut b)?;
        Ok(u32::from_le_bytes(b))
    }

    fn try_next_u64(&mut self) -> Result<u64, OutOfBytesError> {
        let mut b = [0; 8];
        self.try_fill_bytes(&mut b)?;
        Ok(u64::from_le_bytes(b))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), OutOfBytesError> {
        let (head, tail) = self.0.split_at_checked(out.len()).ok_or(OutOfBytesError)?;
        out.copy_from_slice(head);
        self.0 = tail;
        Ok(())
    }
}

impl TryCryptoRng for FixedBytes<'_> {}

/// Writes samples of Falcon's SamplerZ to `out`. All samples have the same `centre`, and the same
/// standard deviation `1 / inv_sigma`. The random bytes are the output of `SHAKE256(seed)`.
pub fn sampler_z(level: Level, degree: Degree, seed: &[u8], centre: f64, inv_sigma: f64, out: &mut [i32]) {
    #[inline(always)]
    fn sample<S: Simd>(isa: S, logn: u32, seed: &[u8], [centre, inv_sigma]: [u64; 2], out: &mut [i32]) {
        let mut sampler = Sampler::new(isa, logn, &[seed]);
        let centre = S::Real::from_bits(centre);
        let [leaf] = sampler.leaves([S::Real::from_bits(inv_sigma)]);
        for pair in out.chunks_mut(2) {
            let (a, b) = sampler.pair(centre, centre, &leaf);
            let samples = [a.round_i64() as i32, b.round_i64() as i32];
            pair.copy_from_slice(&samples[..pair.len()]);
        }
    }
    let numbers = [centre.to_bits(), inv_sigma.to_bits()];
    on_level!(level, |isa| sample(isa, degree.logn(), seed, numbers, out));
}
