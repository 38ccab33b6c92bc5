//! Samples polynomials of A, s1 and s2 from seeds, eight at a time (FIPS 204, algorithms 30 to 33).
//! The polynomials are identical to the polynomials from `sample`, which needs less memory and
//! samples a single polynomial at a time.
//!
//! The polynomials in A are public, and all other polynomials are secret.

use super::params::{N, Parameters, Q, RHO_LEN, SECRET_SEED_LEN};
use super::sample::SqueezeLimitError;
use crate::engine::hash::shake::{KECCAK_STATES, KeccakStates, RATE, RATE_128};
use crate::engine::hash::sponges::{Shake128Batch, Shake256Batch, SpongeBatch};
use crate::simd::{Scratch, Simd, ct, frame};

/// The number of SHAKE256 blocks for a mask, which is a polynomial in y.
pub const MASK_BLOCKS: usize = 5;
/// The number of output bytes that are stored for a mask.
pub const MASK_BYTES: usize = MASK_BLOCKS * RATE;
/// The number of SHAKE128 blocks that appendix C in FIPS 204 allows for a polynomial in A.
const MAX_UNIFORM_BLOCKS: usize = 6;
/// The number of SHAKE256 blocks that appendix C allows for a polynomial in s1 or s2.
const MAX_BOUNDED_BLOCKS: usize = 4;

/// The memory for eight sponges and some of their output.
pub struct SpongeMemory<'w> {
    /// The sponges' states.
    pub states: &'w mut KeccakStates,
    /// The memory for the sponges' output: for eight masks, or for a block from each sponge.
    pub bytes: &'w mut [u8],
}

impl<'w> SpongeMemory<'w> {
    /// The work memory, in bytes, that is needed to sample polynomials in A, s1 and s2.
    pub const LEN: usize = size_of::<KeccakStates>() + KECCAK_STATES * RATE_128;
    /// The work memory, in bytes, that is needed to sample polynomials in A, s1, s2 and y.
    pub const LEN_WITH_MASKS: usize = size_of::<KeccakStates>() + KECCAK_STATES * MASK_BYTES;

    /// Allocates `len` bytes in `work`. `len` must be [`Self::LEN`] or [`Self::LEN_WITH_MASKS`].
    #[inline(always)]
    pub fn take(work: &mut Scratch<'w>, len: usize) -> Self {
        let states = work.take::<u64>(size_of::<KeccakStates>() / 8).as_chunks_mut().0;
        let states = states.first_chunk_mut().expect("the states were taken");
        Self { states, bytes: work.take(len - size_of::<KeccakStates>()) }
    }
}

/// Writes the current blocks from `count` sponges to `bytes`. The distance between the starts of
/// two blocks is `stride` bytes.
#[inline(always)]
fn blocks_into<S: Simd, const WORDS: usize>(
    sponges: &SpongeBatch<'_, S, WORDS>,
    count: usize,
    bytes: &mut [u8],
    stride: usize,
) {
    for (lane, bytes) in bytes.chunks_mut(stride).take(count).enumerate() {
        sponges.block_into(lane, &mut bytes[..8 * WORDS]);
    }
}

/// Permutes the sponges and passes their blocks to `keep_candidates`, until all polynomials in
/// `out` are full. `keep_candidates` writes coefficients from a block to a polynomial, starting at
/// the given index, and returns the next free index.
///
/// # Errors
/// Fails if `blocks` blocks do not fill all polynomials.
#[inline(always)]
fn sample_rows<S: Simd, const WORDS: usize>(
    mut sponges: SpongeBatch<'_, S, WORDS>,
    blocks: usize,
    bytes: &mut [u8],
    out: &mut [u32],
    keep_candidates: impl Fn(&[u8], &mut [u32], usize) -> usize,
) -> Result<(), SqueezeLimitError> {
    let count = (out.len() / N).min(KECCAK_STATES);
    let mut kept_counts = [0; KECCAK_STATES];
    for _ in 0..blocks {
        sponges.permute();
        blocks_into(&sponges, count, bytes, RATE_128);
        let rows = bytes.chunks_exact(RATE_128).zip(out.chunks_exact_mut(N)).zip(&mut kept_counts);
        for ((block, out), kept_count) in rows {
            *kept_count = keep_candidates(&block[..8 * WORDS], out, *kept_count);
        }
        if kept_counts[..count].iter().all(|kept_count| *kept_count == N) {
            return Ok(());
        }
    }
    Err(SqueezeLimitError)
}

/// Samples polynomials in A, in the transform's domain, starting with the polynomial at index
/// `first`. The polynomials are counted row by row, and within a row column by column. Writes as
/// many polynomials as fit in `out`, at most [`KECCAK_STATES`].
///
/// # Errors
/// Fails if sampling exceeds the limit in FIPS 204, appendix C.
#[inline(never)]
pub fn entries_into<S: Simd>(
    isa: S,
    p: &Parameters,
    rho: &[u8; RHO_LEN],
    first: usize,
    out: &mut [u32],
    sponge_memory: &mut SpongeMemory<'_>,
) -> Result<(), SqueezeLimitError> {
    frame!(isa, {
        let mut ends = [0; KECCAK_STATES];
        let count = (out.len() / N).min(KECCAK_STATES);
        for (i, end) in ends[..count].iter_mut().enumerate() {
            let entry = first + i;
            // The sponge absorbs the lower byte first, which is the column index (algorithm 32).
            *end = (entry % p.l + ((entry / p.l) << 8)) as u16;
        }
        let sponges = Shake128Batch::start(isa, sponge_memory.states, rho, &ends[..count]);
        sample_rows(
            sponges,
            MAX_UNIFORM_BLOCKS,
            sponge_memory.bytes,
            out,
            #[inline(always)]
            |block, out, at| keep_residues(isa, block, out, at),
        )
    })
}

/// Writes a block's candidates that are below q to `out`, from index `at` on. Returns the next free
/// index.
#[inline(always)]
fn keep_residues<S: Simd>(isa: S, block: &[u8], out: &mut [u32], at: usize) -> usize {
    let whole_len = block.len() - block.len() % (3 * S::LANES_U32);
    let at = keep_vectors(isa, &block[..whole_len], out, at);
    // On levels (instruction sets) with 16 lanes, a block with 56 candidates ends with half a
    // vector.
    keep_vectors(isa.half().integers(), &block[whole_len..], out, at)
}

/// Works like [`keep_residues`], for candidates that fill whole vectors.
#[inline(always)]
fn keep_vectors<S: Simd>(isa: S, block: &[u8], out: &mut [u32], mut at: usize) -> usize {
    for candidates in block.chunks_exact(3 * S::LANES_U32) {
        if at + S::LANES_U32 <= N {
            at += isa.keep_below_u23(candidates, Q, &mut out[at..]);
        } else if S::LANES_U32 == 1 {
            return at;
        } else {
            // The candidates may not fit in `out`, so they are first written to `last`.
            let mut last = [0; 32];
            let count = isa.keep_below_u23(candidates, Q, &mut last).min(N - at);
            out[at..at + count].copy_from_slice(&last[..count]);
            at += count;
        }
    }
    at
}

/// Samples polynomials in s1 and s2 from index `first` on, where s2 follows s1, and writes each
/// coefficient `x` as the field `eta - x`. Writes as many polynomials as fit in `out`, at most
/// [`KECCAK_STATES`].
///
/// # Errors
/// Fails if sampling exceeds the limit in FIPS 204, appendix C.
#[inline(never)]
pub fn bounded_into<S: Simd>(
    isa: S,
    p: &Parameters,
    seed: &[u8; SECRET_SEED_LEN],
    first: usize,
    out: &mut [u32],
    sponge_memory: &mut SpongeMemory<'_>,
) -> Result<(), SqueezeLimitError> {
    frame!(isa, {
        let count = (out.len() / N).min(KECCAK_STATES);
        let ends: [u16; KECCAK_STATES] = core::array::from_fn(|i| (first + i) as u16);
        let sponges = Shake256Batch::start(isa, sponge_memory.states, seed, &ends[..count]);
        sample_rows(
            sponges,
            MAX_BOUNDED_BLOCKS,
            sponge_memory.bytes,
            out,
            #[inline(always)]
            |block, out, at| keep_bounded(isa, p, block, out, at),
        )?;
        if p.eta == 2 {
            for x in out {
                *x -= 5 * ((205 * *x) >> 10);
            }
        }
        Ok(())
    })
}

/// Writes a block's candidates that are in range to `out`, from index `at` on. Returns the next
/// free index. The code does not branch on whether a candidate is dropped, because no processor
/// could predict this branch.
#[inline(always)]
fn keep_bounded<S: Simd>(isa: S, p: &Parameters, block: &[u8], out: &mut [u32], mut at: usize) -> usize {
    let limit = if p.eta == 2 { 15 } else { 9 };
    if S::LANES_U32 == 1 {
        return keep_nibbles(limit, block, out, at);
    }
    for bytes in block.as_chunks::<8>().0 {
        let word = u64::from_le_bytes(*bytes);
        let mut candidates = [0; 16];
        for (i, candidate) in candidates.iter_mut().enumerate() {
            let half = if i < 8 { word as u32 } else { (word >> 32) as u32 };
            *candidate = (half >> (4 * (i % 8))) & 15;
        }
        for candidates in candidates.chunks_exact(S::LANES_U32) {
            let v = isa.load_u32(candidates);
            let in_range = isa.lanes_below_u32(v, limit);
            // The fact that a candidate is dropped reveals nothing about the candidates that are
            // kept.
            let in_range = ct::declassify("key: dropped candidate", in_range);
            if let Some(out) = out.get_mut(at..).filter(|out| out.len() >= S::LANES_U32) {
                at += isa.keep_lanes_u32(v, in_range, out);
            } else {
                let mut last = [0; 16];
                let count = isa.keep_lanes_u32(v, in_range, &mut last).min(N - at);
                out[at..at + count].copy_from_slice(&last[..count]);
                at += count;
            }
        }
    }
    at
}

/// Works like [`keep_bounded`], for levels with one lane, where arrays of candidates would take
/// more time. Keeps the candidates below `limit`.
#[inline(always)]
fn keep_nibbles(limit: u32, block: &[u8], out: &mut [u32], mut at: usize) -> usize {
    for byte in block {
        for candidate in [u32::from(byte & 15), u32::from(byte >> 4)] {
            let Some(place) = out.get_mut(at) else { return at };
            *place = candidate;
            // See `keep_bounded`.
            let is_kept = ct::declassify("key: dropped candidate", candidate.wrapping_sub(limit) >> 31);
            at += is_kept as usize;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::super::params::MlDsaSet;
    use super::super::sample::{self, UniformStream};
    use super::*;
    use crate::simd::WithSimd;
    use crate::simd::check::laws::on_every_level;

    #[derive(Clone, Copy)]
    struct EightPolynomialsTest;

    impl WithSimd for EightPolynomialsTest {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            let seed: [u8; 64] = core::array::from_fn(|i| (7 * i + 1) as u8);
            let rho = seed.first_chunk().unwrap();
            let mut memory = vec![0xff; SpongeMemory::LEN + 64];
            for set in MlDsaSet::ALL {
                let p = set.parameters();
                let mut sponge_memory = SpongeMemory::take(&mut Scratch::new(&mut memory), SpongeMemory::LEN);
                // With the last seed, candidate 157 in the first polynomial is equal to q.
                let mut with_q = [0; RHO_LEN];
                with_q[..3].copy_from_slice(&[0x2b, 0x65, 0x02]);
                for (rho, first, count) in [(rho, 0, 8), (rho, p.k * p.l - 6, 6), (rho, 3, 1), (&with_q, 0, 1)] {
                    let mut entries = vec![7; count * N];
                    entries_into(isa, p, rho, first, &mut entries, &mut sponge_memory).unwrap();
                    for (i, polynomial) in entries.chunks(N).enumerate() {
                        let mut expected = vec![0; N];
                        let entry = first + i;
                        UniformStream::new(isa, rho, entry / p.l, entry % p.l).next_into(&mut expected).unwrap();
                        assert_eq!(polynomial, expected, "{set:?}, entry {entry} on {}", S::NAME);
                    }
                }
                for (first, count) in [(0, 8), (7, 3)] {
                    let mut polynomials = vec![7; count * N];
                    bounded_into(isa, p, &seed, first, &mut polynomials, &mut sponge_memory).unwrap();
                    for (i, polynomial) in polynomials.chunks(N).enumerate() {
                        let mut expected = vec![0; N];
                        sample::bounded_into(isa, p, &seed, first + i, &mut expected).unwrap();
                        let expected: Vec<u32> = expected.into_iter().map(u32::from).collect();
                        assert_eq!(polynomial, expected, "{set:?}, polynomial {} on {}", first + i, S::NAME);
                    }
                }
            }
        }
    }

    #[test]
    fn eight_polynomials_equal_those_of_single_sponges() {
        on_every_level(EightPolynomialsTest);
    }

    /// Calls `sample_rows` with a closure that fills the polynomial only at a given block, and
    /// stores no coefficients before. Sampling must fail if the block's number is over the limit.
    #[test]
    fn seeds_without_a_complete_polynomial_end_at_the_limit() {
        use super::super::params::{MAX_BOUNDED_BYTES, MAX_UNIFORM_BYTES};
        use core::cell::Cell;
        // Each limit in blocks is the number of bytes that appendix C allows, rounded up to whole
        // blocks.
        assert_eq!(MAX_UNIFORM_BLOCKS, MAX_UNIFORM_BYTES.div_ceil(RATE_128));
        assert_eq!(MAX_BOUNDED_BLOCKS, MAX_BOUNDED_BYTES.div_ceil(RATE));
        #[derive(Clone, Copy)]
        struct FillLimitTest;
        impl WithSimd for FillLimitTest {
            type Output = ();
            fn with<S: Simd>(self, isa: S) {
                let mut memory = vec![0; SpongeMemory::LEN + 64];
                for blocks in [1, MAX_BOUNDED_BLOCKS, MAX_UNIFORM_BLOCKS] {
                    for filling_block in [blocks, blocks + 1] {
                        let sponge_memory = SpongeMemory::take(&mut Scratch::new(&mut memory), SpongeMemory::LEN);
                        let sponges = Shake128Batch::start(isa, sponge_memory.states, &[1; RHO_LEN], &[0]);
                        let block_count = Cell::new(0);
                        let filled = sample_rows(sponges, blocks, sponge_memory.bytes, &mut [0; N], |block, out, _| {
                            assert_eq!((block.len(), out.len()), (RATE_128, N));
                            block_count.set(block_count.get() + 1);
                            if block_count.get() == filling_block { N } else { 0 }
                        });
                        let expected = if filling_block == blocks { Ok(()) } else { Err(SqueezeLimitError) };
                        assert_eq!((filled, block_count.get()), (expected, blocks), "{}", S::NAME);
                    }
                }
            }
        }
        on_every_level(FillLimitTest);
    }
}
