//! Samples polynomials from seeds (FIPS 204, algorithms 30 to 34), with a single sponge (a SHAKE
//! state) at a time. The polynomials of A and y are streams: the caller reads a polynomial piece by
//! piece, so the whole polynomial does not have to be in memory. A polynomial of s1 or s2 is
//! written as a whole. For each coefficient `x`, a byte contains the field `eta - x`, the number
//! that an encoded key contains. [`super::expand`] and `masks` sample several polynomials at a
//! time.
//!
//! | item | values | secret |
//! |---|---|---|
//! | [`UniformStream`] | residues of A, in the transform's domain | no |
//! | [`bounded_into`] | fields for s1 and s2 | yes, except for which candidates are dropped |
//! | [`MaskStream`] | y | yes |
//!
//! A candidate is a number from the sponge's output. A candidate that is out of range is dropped. A
//! sponge needs 208 bytes on the stack.

use super::codec::{MAX_PIECE_LEN, PIECE, flip, unpack};
use super::params::{MAX_BOUNDED_BYTES, MAX_UNIFORM_BYTES, N, Parameters, Q, RHO_LEN, SECRET_SEED_LEN};
use crate::engine::hash::shake::{RATE_128, Shake128, Shake256};
use crate::simd::{SampledCount, Simd, ct, frame};

/// The error that sampling needs more bytes from a sponge than FIPS 204, appendix C, allows. With a
/// random seed and on a machine without faults, the probability of this error is below `2^-256`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SqueezeLimitError;

/// The number of bytes in a group of candidates, which consists of three 64-bit words.
const CANDIDATES_LEN: usize = 24;
/// The number of candidates in a group.
const CANDIDATES: usize = 8;
/// The number of candidates in a block. A block consists of whole groups.
const BLOCK_CANDIDATES: usize = RATE_128 / 3;

/// The polynomial in one row and one column of A (algorithm 30, RejNTTPoly). The stream returns
/// residues in the order of the transform.
pub struct UniformStream<S: Simd> {
    sponge: Shake128<S>,
    /// How many candidates in the current block have been read.
    at: usize,
    /// How many bytes have been read from the sponge. A group counts as soon as its first candidate
    /// is read.
    squeezed: usize,
}

impl<S: Simd> UniformStream<S> {
    /// Returns the stream for row `r` and column `s`.
    #[cfg(test)]
    #[inline(always)]
    pub fn new(isa: S, rho: &[u8; RHO_LEN], r: usize, s: usize) -> Self {
        let mut it = Self::empty(isa);
        it.start(rho, r, s);
        it
    }

    /// Returns an empty stream. The caller must start it with [`Self::start`].
    #[inline(always)]
    pub fn empty(isa: S) -> Self {
        Self { sponge: Shake128::new(isa), at: BLOCK_CANDIDATES, squeezed: 0 }
    }

    /// Starts the empty stream for row `r` and column `s`. The function changes the stream in
    /// place, because a returned stream would be moved, and would need a second sponge on the
    /// stack.
    #[inline(always)]
    pub fn start(&mut self, rho: &[u8; RHO_LEN], r: usize, s: usize) {
        self.sponge.absorb(rho);
        // The sponge absorbs the column index before the row index (algorithm 32).
        self.sponge.absorb(&[s as u8, r as u8]);
        self.sponge.finish();
    }

    /// Writes the next residues to `out`.
    ///
    /// # Errors
    /// Fails if sampling exceeds the limit in FIPS 204, appendix C.
    #[inline(always)]
    pub fn next_into(&mut self, out: &mut [u32]) -> Result<(), SqueezeLimitError> {
        let mut n = 0;
        while n < out.len() {
            if self.at.is_multiple_of(CANDIDATES) {
                if self.squeezed >= MAX_UNIFORM_BYTES {
                    return Err(SqueezeLimitError);
                }
                if self.at == BLOCK_CANDIDATES {
                    self.sponge.squeeze_block();
                    self.at = 0;
                }
                self.squeezed += CANDIDATES_LEN;
            }
            // The block always contains this group. An index expression would add a panic to boot
            // loaders.
            let group = self.sponge.block().as_chunks().0.get(self.at / CANDIDATES).ok_or(SqueezeLimitError)?;
            let group = candidates(group);
            let in_group = self.at % CANDIDATES;
            if let Some(out) = out[n..].first_chunk_mut::<CANDIDATES>()
                && in_group == 0
                && !S::COMPACT
            {
                let mut kept_count = 0;
                // The next candidate overwrites a candidate that is not a residue.
                for candidate in group {
                    out[kept_count % CANDIDATES] = candidate;
                    kept_count += usize::from(is_residue(candidate));
                }
                n += kept_count;
                self.at += CANDIDATES;
                continue;
            }
            for candidate in &group[in_group..] {
                if let Some(out) = out.get_mut(n) {
                    *out = *candidate;
                    n += usize::from(is_residue(*candidate));
                    self.at += 1;
                }
            }
        }
        Ok(())
    }
}

impl<S: Simd> UniformStream<S> {
    /// Adds `a v[i] / R` to `sums[i]`, value by value, for each index i. Here, `a` means the next
    /// residues in the stream, and R is `2^32`. A row in `sums` has three bytes for each value
    /// ([`U32s::add_sampled`]). All rows must have the same number of values, and the level (the
    /// instruction set) must have [`U32s::HAS_SHORT_ROWS`].
    ///
    /// # Errors
    /// Fails if sampling exceeds the limit in FIPS 204, appendix C.
    ///
    /// [`U32s::add_sampled`]: crate::simd::U32s::add_sampled
    /// [`U32s::HAS_SHORT_ROWS`]: crate::simd::U32s::HAS_SHORT_ROWS
    #[inline(always)]
    pub fn add_products<const ROWS: usize>(
        &mut self,
        isa: S,
        v: [&[u32]; ROWS],
        mut sums: [&mut [u8]; ROWS],
    ) -> Result<(), SqueezeLimitError> {
        self.read_sampled(
            v.first().map_or(0, |v| v.len()),
            #[inline(always)]
            |src, count, first| {
                let mut used = SampledCount::default();
                for (v, sums) in v.iter().zip(&mut sums) {
                    used = isa.add_sampled(src, count, &v[first..], &mut sums[3 * first..]);
                }
                used
            },
        )
    }

    /// Works like [`Self::next_into`], but uses assembly on levels (instruction sets) that have it.
    ///
    /// # Errors
    /// Fails if sampling exceeds the limit in FIPS 204, appendix C.
    #[inline(always)]
    pub fn keep_into(&mut self, isa: S, out: &mut [u32]) -> Result<(), SqueezeLimitError> {
        if !S::HAS_SHORT_ROWS {
            return self.next_into(out);
        }
        self.read_sampled(
            out.len(),
            #[inline(always)]
            |src, count, first| isa.keep_sampled(src, count, &mut out[first..]),
        )
    }

    /// Calls `read` until the calls have used `count` residues. `read` has three arguments:
    ///
    /// 1. the sponge's bytes, from the next candidate on
    /// 2. the number of candidates that this call may read
    /// 3. the number of residues that earlier calls have used
    ///
    /// `read` returns how many candidates and residues it has used.
    ///
    /// # Errors
    /// Fails if sampling exceeds the limit in FIPS 204, appendix C.
    #[inline(always)]
    fn read_sampled(
        &mut self,
        count: usize,
        mut read: impl FnMut(&[u8], usize, usize) -> SampledCount,
    ) -> Result<(), SqueezeLimitError> {
        let mut first = 0;
        while first < count {
            if self.at == BLOCK_CANDIDATES {
                self.sponge.squeeze_block();
                self.at = 0;
            }
            // A stream can only reach its limit at the end of a group, because `squeezed` counts
            // whole groups.
            let first_group = self.at.div_ceil(CANDIDATES);
            let group_limit = first_group + MAX_UNIFORM_BYTES.saturating_sub(self.squeezed).div_ceil(CANDIDATES_LEN);
            let candidate_count = BLOCK_CANDIDATES.min(CANDIDATES * group_limit) - self.at;
            let used = read(&self.sponge.state_bytes()[3 * self.at..], candidate_count, first);
            if used == SampledCount::default() {
                return Err(SqueezeLimitError);
            }
            self.at += used.candidates;
            self.squeezed += CANDIDATES_LEN * (self.at.div_ceil(CANDIDATES) - first_group);
            first += used.products;
        }
        Ok(())
    }
}

/// Returns whether a candidate is below q. Only such candidates are kept.
#[inline(always)]
fn is_residue(candidate: u32) -> bool {
    candidate < Q
}

/// Returns the candidates in a group: the low 23 bits of every 24 bits.
#[inline(always)]
fn candidates(&[a, b, c]: &[u64; 3]) -> [u32; CANDIDATES] {
    let words = [a, a >> 24, a >> 48 | b << 16, b >> 8, b >> 32, b >> 56 | c << 8, c >> 16, c >> 40];
    words.map(|word| word as u32 & 0x7f_ffff)
}

/// Samples the s1 or s2 polynomial with the index `number`, where s2 follows s1 (algorithm 31,
/// RejBounded). Writes each coefficient `x` as the field `eta - x`.
///
/// # Errors
/// Fails if sampling exceeds the limit in FIPS 204, appendix C.
#[inline(never)]
pub fn bounded_into<S: Simd>(
    isa: S,
    p: &Parameters,
    seed: &[u8; SECRET_SEED_LEN],
    number: usize,
    out: &mut [u8],
) -> Result<(), SqueezeLimitError> {
    frame!(isa, {
        let mut sponge = Shake256::new(isa);
        sponge.absorb(seed);
        sponge.absorb(&(number as u16).to_le_bytes());
        sponge.finish();
        fields_into(
            p,
            #[inline(always)]
            |bytes| sponge.squeeze(bytes),
            out,
        )
    })
}

/// Samples an s1 or s2 polynomial from the bytes that `squeeze` writes. Writes each coefficient `x`
/// as the field `eta - x`.
///
/// # Errors
/// Fails if sampling exceeds the limit in FIPS 204, appendix C.
#[inline(always)]
fn fields_into(p: &Parameters, mut squeeze: impl FnMut(&mut [u8; 8]), out: &mut [u8]) -> Result<(), SqueezeLimitError> {
    let mut bytes = [0; 8];
    let mut squeezed = 0;
    let mut n = 0;
    while n < N {
        if squeezed >= MAX_BOUNDED_BYTES {
            return Err(SqueezeLimitError);
        }
        squeeze(&mut bytes);
        squeezed += bytes.len();
        for byte in bytes {
            for nibble in [byte & 15, byte >> 4].map(u32::from) {
                // The fact that a candidate is dropped reveals nothing about the candidates that
                // are kept.
                let out_of_range = nibble.wrapping_sub(if p.eta == 2 { 15 } else { 9 }) >> 31 ^ 1;
                let is_dropped = ct::declassify("key: dropped candidate", ct::barrier_u32(out_of_range));
                if n < N && is_dropped == 0 {
                    out[n] = if p.eta == 2 { nibble - 5 * ((205 * nibble) >> 10) } else { nibble } as u8;
                    n += 1;
                }
            }
        }
    }
    Ok(())
}

/// A mask: a polynomial in y (algorithm 34, ExpandMask), as a stream.
pub struct MaskStream<S: Simd> {
    isa: S,
    sponge: Shake256<S>,
    z_bits: usize,
    gamma1: u32,
}

impl<S: Simd> MaskStream<S> {
    /// Returns the stream for the mask with this number, which is the sum of kappa and the mask's
    /// column.
    #[cfg(test)]
    #[inline(always)]
    pub fn new(isa: S, p: &Parameters, seed: &[u8; SECRET_SEED_LEN], number: u16) -> Self {
        let mut it = Self::empty(isa, p);
        it.start(seed, number);
        it
    }

    /// Returns an empty stream. The caller must start it with [`Self::start`].
    #[inline(always)]
    pub fn empty(isa: S, p: &Parameters) -> Self {
        Self { isa, sponge: Shake256::new(isa), z_bits: p.z_bits(), gamma1: p.gamma1 }
    }

    /// Starts the empty stream for the mask with this number, which is the sum of kappa and the
    /// mask's column. The function changes the stream in place, for the same reason as
    /// [`UniformStream::start`].
    #[inline(always)]
    pub fn start(&mut self, seed: &[u8; SECRET_SEED_LEN], number: u16) {
        self.sponge.absorb(seed);
        self.sponge.absorb(&number.to_le_bytes());
        self.sponge.finish();
    }

    /// Writes the next coefficients. A negative coefficient `y` is stored as `2^32 - |y|`.
    #[inline(always)]
    pub fn next_into(&mut self, out: &mut [u32; PIECE]) {
        let mut bytes = [0; MAX_PIECE_LEN];
        let bytes = &mut bytes[..PIECE / 8 * self.z_bits];
        self.sponge.squeeze(bytes);
        unpack(self.isa, self.z_bits, bytes, out);
        flip(self.gamma1, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::mldsa::params::MlDsaSet;
    use crate::simd::WithSimd;
    use crate::simd::check::laws::on_every_level;
    use sha3::{
        Shake128 as OtherShake128, Shake256 as OtherShake256,
        digest::{ExtendableOutput, Update, XofReader},
    };

    fn other_shake256(parts: &[&[u8]], len: usize) -> Vec<u8> {
        let mut hash = OtherShake256::default();
        parts.iter().for_each(|part| hash.update(part));
        let mut out = vec![0; len];
        hash.finalize_xof().read(&mut out);
        out
    }

    /// Compares the streams with their definitions, which process a single bit or candidate at a
    /// time.
    #[derive(Clone, Copy)]
    struct StreamDefinitionTest;

    impl WithSimd for StreamDefinitionTest {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            let seed: [u8; 64] = core::array::from_fn(|i| (7 * i) as u8);
            let rho = seed.first_chunk().unwrap();
            // With the last seed, candidate 157 is equal to q.
            let mut with_q = [0; RHO_LEN];
            with_q[..3].copy_from_slice(&[0x2b, 0x65, 0x02]);
            for (rho, r, s) in [(rho, 0, 0), (rho, 3, 1), (rho, 7, 6), (&with_q, 0, 0)] {
                let mut hash = OtherShake128::default();
                hash.update(rho);
                hash.update(&[s as u8, r as u8]);
                let mut bytes = [0; 1680];
                hash.finalize_xof().read(&mut bytes);
                let candidates = bytes.chunks(3).map(|b| u32::from_le_bytes([b[0], b[1], b[2] & 127, 0]));
                let expected: Vec<u32> = candidates.filter(|z| *z < Q).take(N).collect();
                let mut stream = UniformStream::new(isa, rho, r, s);
                let mut sampled = vec![0; N];
                sampled.chunks_mut(100).for_each(|piece| stream.next_into(piece).unwrap());
                assert_eq!(sampled, expected, "{}", S::NAME);
            }
            for set in MlDsaSet::ALL {
                let p = set.parameters();
                let bytes = other_shake256(&[&seed, &[3, 0]], 481);
                let nibbles = bytes.iter().flat_map(|byte| [byte & 15, byte >> 4]).map(u32::from);
                let expected: Vec<u8> = nibbles
                    .filter(|z| *z < if p.eta == 2 { 15 } else { 9 })
                    .map(|z| if p.eta == 2 { z % 5 } else { z } as u8)
                    .take(N)
                    .collect();
                let mut sampled = vec![9; N];
                bounded_into(isa, p, &seed, 3, &mut sampled).unwrap();
                assert_eq!(sampled, expected, "{} {set:?}", S::NAME);

                let bytes = other_shake256(&[&seed, &[0x34, 0x12]], p.z_len());
                let bit = |at: usize| u32::from(bytes[at / 8] >> (at % 8) & 1);
                let field = |j: usize| (0..p.z_bits()).map(|i| bit(p.z_bits() * j + i) << i).sum::<u32>();
                let mut stream = MaskStream::new(isa, p, &seed, 0x1234);
                let mut piece = [0; PIECE];
                for first in (0..N).step_by(PIECE) {
                    stream.next_into(&mut piece);
                    for (j, y) in piece.iter().enumerate() {
                        assert_eq!(*y, p.gamma1.wrapping_sub(field(first + j)), "{} {set:?}", S::NAME);
                    }
                }
            }
        }
    }

    #[test]
    fn streams_equal_those_of_the_standard() {
        on_every_level(StreamDefinitionTest);
    }

    /// Counts the residues until the stream fails. The stream must read at least as many bytes as
    /// appendix C requires, and less than a group in addition.
    #[test]
    fn a_seed_without_enough_residues_ends_at_the_limit() {
        #[derive(Clone, Copy)]
        struct UniformLimitTest;
        impl WithSimd for UniformLimitTest {
            type Output = ();
            fn with<S: Simd>(self, isa: S) {
                let mut hash = OtherShake128::default();
                hash.update(&[5; RHO_LEN]);
                hash.update(&[2, 1]);
                let mut bytes = [0; 894 + CANDIDATES_LEN];
                hash.finalize_xof().read(&mut bytes);
                let residues = |len: usize| {
                    let candidates = bytes[..len].chunks(3).map(|b| u32::from_le_bytes([b[0], b[1], b[2] & 127, 0]));
                    candidates.filter(|z| *z < Q).count()
                };
                // The test reads more residues than a polynomial has, because no known seed comes
                // close to the limit.
                let mut stream = UniformStream::new(isa, &[5; RHO_LEN], 1, 2);
                let count = (0..2 * N).take_while(|_| stream.next_into(&mut [0]).is_ok()).count();
                assert!((residues(894)..residues(894 + CANDIDATES_LEN)).contains(&count), "{count} {}", S::NAME);
                assert_eq!(stream.next_into(&mut [0]), Err(SqueezeLimitError));
            }
        }
        on_every_level(UniformLimitTest);
    }

    /// Samples fields from bytes whose first candidates are all dropped.
    #[test]
    fn a_seed_without_enough_fields_ends_at_the_limit() {
        for set in MlDsaSet::ALL {
            let p = set.parameters();
            let sample_after = |dropped: usize| {
                let mut squeezed = 0;
                let mut out = [9; N];
                let result = fields_into(
                    p,
                    |bytes| {
                        assert!(squeezed < 1000, "the limit has no effect");
                        for byte in bytes {
                            *byte = if squeezed < dropped { 0xff } else { 0x21 };
                            squeezed += 1;
                        }
                    },
                    &mut out,
                );
                assert!(result.is_err() || out.as_chunks().0.iter().all(|pair| *pair == [1, 2]));
                result
            };
            // A polynomial needs 128 bytes whose candidates are in range. The limit is 481 bytes,
            // but a squeeze writes 8 bytes, so the function reads up to 488 bytes.
            assert_eq!(sample_after(0), Ok(()));
            assert_eq!(sample_after(481 - 128), Ok(()), "{set:?}");
            assert_eq!(sample_after(488 - 128 + 1), Err(SqueezeLimitError), "{set:?}");
            assert_eq!(sample_after(usize::MAX), Err(SqueezeLimitError), "{set:?}");
        }
    }
}
