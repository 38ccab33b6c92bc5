//! `HashToPoint`: computes the polynomial c that is signed (specification 2.2, 4.4, 5).
//!
//! There is no secret data in this file.

use super::params::{NONCE_LEN, Q};
use super::scheme::{BitOrder, FalconScheme};
use crate::engine::hash::message::MU_LEN;
#[cfg(feature = "alloc")]
use crate::engine::hash::message::outputs_into;
#[cfg(feature = "alloc")]
use crate::engine::hash::shake::{KECCAK_STATES, KeccakStates, keccak_f_many, many_states_are_faster};
use crate::engine::hash::shake::{RATE, Shake256, Sponge, keccak_f};
use crate::simd::{Simd, frame};

/// The input for `HashToPoint`.
#[derive(Clone, Copy)]
pub enum PointSource<'a> {
    /// `mu`, which is hashed after a nonce.
    Mu(&'a [u8; MU_LEN]),
    /// A sponge that has absorbed the nonce and all data that is hashed after the nonce.
    Absorbed(&'a Sponge),
}

impl PointSource<'_> {
    /// Writes `mu`, or the first output bytes from an absorbed sponge. Different messages have
    /// different results. `sponge` is work memory, and may be overwritten.
    #[inline(always)]
    pub fn digest_into<S: Simd>(self, sponge: &mut Shake256<S>, digest: &mut [u8; MU_LEN]) {
        match self {
            PointSource::Mu(mu) => *digest = *mu,
            PointSource::Absorbed(absorbed) => {
                sponge.continue_from(absorbed);
                sponge.finish();
                sponge.squeeze(digest);
            }
        }
    }

    /// Absorbs the input for a signature with this nonce. Before the call, `stream` must be an
    /// empty sponge. Afterwards, its output is the `HashToPoint` stream.
    #[inline(always)]
    pub fn absorb_into<S: Simd>(self, stream: &mut Shake256<S>, nonce: &[u8; NONCE_LEN]) {
        match self {
            PointSource::Mu(mu) => absorb_point(stream, nonce, mu),
            PointSource::Absorbed(sponge) => stream.continue_from(sponge),
        }
    }
}

/// Absorbs a nonce and mu: the input for `HashToPoint` in a scheme with mu.
#[inline(always)]
pub fn absorb_point<S: Simd>(stream: &mut Shake256<S>, nonce: &[u8; NONCE_LEN], mu: &[u8; MU_LEN]) {
    stream.absorb(nonce);
    stream.absorb(mu);
}

/// The polynomial c of an attempt. If c is not stored, [`Self::coefficients`] computes c from the
/// message for each use. This saves memory on small machines.
#[derive(Clone, Copy)]
pub struct HashedPoint<'a> {
    /// The scheme, which determines the stream's bit order.
    pub scheme: FalconScheme,
    /// The nonce.
    pub nonce: &'a [u8; NONCE_LEN],
    /// The source of the data that is hashed after the nonce.
    pub source: PointSource<'a>,
    /// The n coefficients of c, or an empty slice if c is not stored.
    pub stored: &'a [u16],
}

impl<'a> HashedPoint<'a> {
    /// Returns the coefficients of c. If they are not stored, computes them and writes them to
    /// `row`, which has n values.
    #[inline(always)]
    pub fn coefficients<'r, S: Simd>(&self, isa: S, row: &'r mut [u16]) -> &'r [u16]
    where
        'a: 'r,
    {
        if !self.stored.is_empty() {
            return self.stored;
        }
        hash_to_point_into(isa.integers(), self.scheme, self.nonce, self.source, row);
        row
    }
}

/// The `HashToPoint` stream, which returns blocks with coefficients for c, all in `[0, q)`.
pub struct PointBlocks<S: Simd> {
    stream: Shake256<S>,
    order: BitOrder,
}

impl<S: Simd> PointBlocks<S> {
    /// Returns the stream before the first block.
    #[inline(always)]
    pub fn new(isa: S, scheme: FalconScheme, nonce: &[u8; NONCE_LEN], point: PointSource<'_>) -> Self {
        let mut blocks = Self { stream: Shake256::new(isa), order: scheme.rules().order };
        point.absorb_into(&mut blocks.stream, nonce);
        blocks.stream.finish();
        blocks
    }

    /// Writes the next block's coefficients to the start of `out`, and returns their number.
    /// `permute` must call [`keccak_f`], and can also do work for its caller at the same time.
    #[inline(always)]
    pub fn next_into(&mut self, isa: S, out: &mut [u16; KEPT_LEN], permute: impl FnMut(&mut [u64; 25])) -> usize {
        keep_block(isa, self.order, self.stream.squeeze_block_by(permute), out)
    }
}

/// Returns whether coefficients are processed one at a time instead of in blocks: true if the level
/// (the instruction set) has a single lane and the compiler does not vectorize loops.
#[inline(always)]
pub const fn streams<S: Simd>() -> bool {
    S::LANES_U16 == 1 && !S::LOOPS_ARE_VECTORS
}

/// Calls `consume` with each coefficient from a block, in order. The level must have a single lane.
#[inline(always)]
pub fn for_each_coefficient<S: Simd>(
    isa: S,
    order: BitOrder,
    block: &[u64; RATE / 8],
    mut consume: impl FnMut(S::U16),
) {
    for lane in block {
        for w in [*lane as u16, (lane >> 16) as u16, (lane >> 32) as u16, (lane >> 48) as u16] {
            let x = reduced_word(isa, order, isa.splat_u16(w));
            let mut kept_word = [0];
            if isa.keep_below_u16(x, Q as u16, &mut kept_word) > 0 {
                consume(x);
            }
        }
    }
}

/// Fills c with n coefficients in `[0, q)`. `permute` must call [`keccak_f`], as in
/// [`PointBlocks::next_into`].
#[inline(always)]
pub fn hash_to_point_with<S: Simd>(
    isa: S,
    scheme: FalconScheme,
    nonce: &[u8; NONCE_LEN],
    point: PointSource<'_>,
    c: &mut [u16],
    mut permute: impl FnMut(&mut [u64; 25]),
) {
    let mut blocks = PointBlocks::new(isa, scheme, nonce, point);
    if streams::<S>() {
        let mut places = c.iter_mut();
        while places.len() > 0 {
            for_each_coefficient(
                isa,
                blocks.order,
                blocks.stream.squeeze_block_by(&mut permute),
                #[inline(always)]
                |x| {
                    if let Some(place) = places.next() {
                        isa.store_u16(x, core::slice::from_mut(place));
                    }
                },
            );
        }
        return;
    }
    let mut at = 0;
    while at < c.len() {
        at += write_kept(
            &mut c[at..],
            #[inline(always)]
            |place| blocks.next_into(isa, place, &mut permute),
        );
    }
}

/// Calls `write_block` to write a block's coefficients to the start of `free_row`. Drops the
/// coefficients that do not fit, and returns how many coefficients were written.
#[inline(always)]
fn write_kept(free_row: &mut [u16], write_block: impl FnOnce(&mut [u16; KEPT_LEN]) -> usize) -> usize {
    if let Some(place) = free_row.first_chunk_mut() {
        return write_block(place);
    }
    let mut place = [0; KEPT_LEN];
    let kept_count = write_block(&mut place).min(free_row.len());
    free_row[..kept_count].copy_from_slice(&place[..kept_count]);
    kept_count
}

/// A block's length in 16-bit words.
const WORDS: usize = RATE / 2;
/// [`WORDS`], rounded up to complete vectors.
const PADDED: usize = WORDS.next_multiple_of(32);
/// The output length for a block: an element for each word, and an extra vector for the last store.
pub const KEPT_LEN: usize = PADDED + 32;

/// Writes the coefficients from the 16-bit words in a block, and returns their number. Each word
/// below `5 q` gives a coefficient: the word modulo q. Larger words are dropped, because otherwise
/// the values would not be equally likely.
#[inline(always)]
pub fn keep_block<S: Simd>(isa: S, order: BitOrder, block: &[u64; RATE / 8], out: &mut [u16; KEPT_LEN]) -> usize {
    // The last vector is filled with the word `u16::MAX`, which gives no coefficient.
    let mut words = [u16::MAX; PADDED];
    for (words, &lane) in words.as_chunks_mut::<4>().0.iter_mut().zip(block) {
        *words = [lane as u16, (lane >> 16) as u16, (lane >> 32) as u16, (lane >> 48) as u16];
    }
    let words = &mut words[..WORDS.next_multiple_of(S::LANES_U16)];
    // There are two loops, because on levels with a single lane, the compiler can vectorize the
    // first loop.
    for words in words.chunks_exact_mut(S::LANES_U16) {
        isa.store_u16(reduced_word(isa, order, isa.load_u16(words)), words);
    }
    let mut kept_count = 0;
    for x in words.chunks_exact(S::LANES_U16) {
        kept_count += isa.keep_below_u16(isa.load_u16(x), Q as u16, &mut out[kept_count..]);
    }
    kept_count
}

/// Returns the [`remainder`] of a word from the stream.
#[inline(always)]
fn reduced_word<S: Simd>(isa: S, order: BitOrder, w: S::U16) -> S::U16 {
    let w = match order {
        BitOrder::Little => w,
        BitOrder::Big => isa.or_u16(isa.shl_u16(w, 8), isa.shr_u16(w, 8)),
    };
    remainder(isa, w)
}

/// Returns `w mod q` if `w < 5 q`. For larger `w`, returns a value that is not below q.
#[inline(always)]
fn remainder<S: Simd>(isa: S, w: S::U16) -> S::U16 {
    // The constant is ceil(2^29 / q). The quotient is `w RECIPROCAL / 2^29`: the upper half of the
    // product, shifted by 13. The quotient is exact for w up to 5 q - 2. For w = 5 q - 1, the
    // quotient is too large by 1, and the minimum corrects it.
    const RECIPROCAL: u16 = (1u32 << 29).div_ceil(Q) as u16;
    let quotient = isa.shr_u16(isa.mulhi_u16(w, isa.splat_u16(RECIPROCAL)), 13);
    let quotient = isa.min_u16(quotient, isa.splat_u16(4));
    isa.sub_u16(w, isa.mullo_u16(quotient, isa.splat_u16(Q as u16)))
}

/// Calls [`hash_to_point_with`], and does no other work during the permutations.
#[inline(never)]
pub fn hash_to_point_into<S: Simd>(
    isa: S,
    scheme: FalconScheme,
    nonce: &[u8; NONCE_LEN],
    point: PointSource<'_>,
    c: &mut [u16],
) {
    frame!(isa, {
        hash_to_point_with(
            isa,
            scheme,
            nonce,
            point,
            c,
            #[inline(always)]
            |state| keccak_f(isa, state),
        );
    });
}

/// A signature's nonce, and the input that is hashed after this nonce.
#[cfg(feature = "alloc")]
pub type PointInput<'a> = (&'a [u8; NONCE_LEN], PointSource<'a>);

/// Returns the results of [`PointSource::digest_into`] for at most [`KECCAK_STATES`] points. The
/// permutations for all sponges run together.
#[cfg(feature = "alloc")]
#[inline(always)]
pub fn digests_of<S: Simd>(isa: S, points: &[PointSource<'_>]) -> [[u8; MU_LEN]; KECCAK_STATES] {
    let mut digests = [[0; MU_LEN]; KECCAK_STATES];
    let sponge = |lane: usize| match points.get(lane) {
        Some(PointSource::Absorbed(sponge)) => Some(Shake256::resume(isa, (*sponge).clone())),
        _ => None,
    };
    outputs_into(isa, core::array::from_fn(sponge), &mut digests);
    for (digest, point) in digests.iter_mut().zip(points) {
        if let PointSource::Mu(mu) = point {
            *digest = **mu;
        }
    }
    digests
}

/// Computes c for at most [`KECCAK_STATES`] inputs with the same degree. For each input, writes a
/// row with n coefficients in `[0, q)`. The results are the same as from [`hash_to_point_into`]. If
/// the level permutes several Keccak states in a vector, the inputs are hashed together. `c` must
/// have a row for each input.
#[cfg(feature = "alloc")]
#[inline(never)]
pub fn hash_to_points_into<S: Simd>(isa: S, scheme: FalconScheme, inputs: &[PointInput<'_>], c: &mut [u16]) {
    frame!(isa, {
        hash_to_points_with(
            isa,
            scheme,
            inputs,
            c,
            #[inline(always)]
            |states| keccak_f_many(isa, states, inputs.len()),
        );
    });
}

/// Implements [`hash_to_points_into`]. `permute` must call [`keccak_f_many`] with `inputs.len()`,
/// and can also do work for its caller at the same time. `permute` is not called if the points are
/// hashed in sequence.
#[cfg(feature = "alloc")]
#[inline(always)]
pub fn hash_to_points_with<S: Simd>(
    isa: S,
    scheme: FalconScheme,
    inputs: &[PointInput<'_>],
    c: &mut [u16],
    mut permute: impl FnMut(&mut KeccakStates),
) {
    let count = inputs.len();
    debug_assert!(count <= KECCAK_STATES && c.len().is_multiple_of(count.max(1)));
    let n = c.len() / count.max(1);
    let rows = c.chunks_exact_mut(n.max(1));
    if !many_states_are_faster::<S>(count) {
        for (&(nonce, point), row) in inputs.iter().zip(rows) {
            hash_to_point_into(isa, scheme, nonce, point, row);
        }
        return;
    }
    let mut states = [[0; KECCAK_STATES]; 25];
    for (lane, &(nonce, point)) in inputs.iter().enumerate() {
        let mut stream = Shake256::new(isa);
        point.absorb_into(&mut stream, nonce);
        stream.join(&mut states, lane);
    }
    let order = scheme.rules().order;
    let mut kept_counts = [0; KECCAK_STATES];
    while kept_counts[..count].iter().any(|kept_count| *kept_count < n) {
        permute(&mut states);
        for (lane, (row, at)) in c.chunks_exact_mut(n).zip(&mut kept_counts).enumerate() {
            if *at < n {
                let block = core::array::from_fn(|i| states[i][lane]);
                *at += write_kept(
                    &mut row[*at..],
                    #[inline(always)]
                    |place| keep_block(isa, order, &block, place),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Level, WithSimd};

    /// Compares the points for one to eight signatures, for both input types, with points that are
    /// hashed in sequence.
    #[test]
    fn points_of_a_batch_equal_single_points() {
        struct PointComparison(FalconScheme, usize, usize);
        impl WithSimd for PointComparison {
            type Output = ();
            fn with<S: Simd>(self, isa: S) {
                let Self(scheme, n, count) = self;
                let nonces: Vec<[u8; NONCE_LEN]> =
                    (0..count).map(|i| [17 * i as u8 + count as u8; NONCE_LEN]).collect();
                let sponges: Vec<Sponge> = (0..count)
                    .map(|i| {
                        let mut sponge = Shake256::new(isa);
                        sponge.absorb(&vec![i as u8; 60 * i]);
                        sponge.suspend()
                    })
                    .collect();
                let mu = [5; MU_LEN];
                let inputs: Vec<_> = (nonces.iter().zip(&sponges).enumerate())
                    .map(|(i, (nonce, sponge))| {
                        (nonce, if i % 3 == 1 { PointSource::Absorbed(sponge) } else { PointSource::Mu(&mu) })
                    })
                    .collect();
                let mut together = vec![u16::MAX; n * count];
                hash_to_points_into(isa, scheme, &inputs, &mut together);
                let digests = digests_of(isa, &inputs.iter().map(|(_, point)| *point).collect::<Vec<_>>());
                for (i, ((_, point), digest)) in inputs.iter().zip(digests).enumerate() {
                    let mut single = [0; MU_LEN];
                    point.digest_into(&mut Shake256::new(isa), &mut single);
                    assert_eq!(single, digest, "{i} of {count} on {}", S::NAME);
                }
                for (i, (&(nonce, point), row)) in inputs.iter().zip(together.chunks_exact(n)).enumerate() {
                    let mut single = vec![0; n];
                    hash_to_point_into(isa, scheme, nonce, point, &mut single);
                    assert_eq!(row, single, "{i} of {count} at {n} on {}", S::NAME);
                }
            }
        }
        for level in Level::available() {
            for (n, count) in [4, 512, 1024].into_iter().flat_map(|n| (0..=KECCAK_STATES).map(move |count| (n, count)))
            {
                level.run(PointComparison(FalconScheme::FnDsa, n, count));
                level.run(PointComparison(FalconScheme::Falcon, n, count));
            }
        }
    }

    #[test]
    fn all_levels_keep_the_same_words() {
        struct KeptWords(BitOrder, [u64; RATE / 8]);
        impl WithSimd for KeptWords {
            type Output = Vec<u16>;
            fn with<S: Simd>(self, isa: S) -> Vec<u16> {
                let mut out = [0; KEPT_LEN];
                let kept = keep_block(isa, self.0, &self.1, &mut out);
                out[..kept].to_vec()
            }
        }
        for level in Level::available() {
            for first in (0..1 << 16).step_by(WORDS) {
                for order in [BitOrder::Little, BitOrder::Big] {
                    let words: Vec<u16> = (first..first + WORDS).map(|w| w as u16).collect();
                    let block = core::array::from_fn(|i| {
                        let lane = words[4 * i..4 * i + 4].iter();
                        lane.rev().fold(0, |lane, w| {
                            lane << 16 | u64::from(if order == BitOrder::Big { w.swap_bytes() } else { *w })
                        })
                    });
                    let expected: Vec<u16> =
                        words.iter().filter(|w| u32::from(**w) < 5 * Q).map(|w| w % Q as u16).collect();
                    assert_eq!(level.run(KeptWords(order, block)), expected, "{level}, words from {first}");
                }
            }
        }
    }
}
