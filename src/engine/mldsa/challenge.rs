//! The challenge c (FIPS 204, algorithm 29, SampleInBall), and products with c.
//!
//! In c, tau coefficients are 1 or -1, and all other coefficients are zero. There are three ways to
//! compute a product with c. Signers and verifiers choose one of them:
//!
//! - [`Challenge::add_product`] adds tau summands, and needs memory only for the sum.
//! - [`Challenge::add_extended_product`] adds the summands with assembly, on levels (instruction
//!   sets) that have assembly for rows (arrays of values).
//! - [`Challenge::transform_into`] transforms c. A product with the transform takes less time than
//!   `add_product`, but the transform needs memory for a polynomial.
//!   `Challenge::sample_transform_into` samples c's transform directly.
//!
//! c is public, also in a rejected attempt. In such an attempt, c is sampled from the hash of a w1
//! that is never published. The polynomial that is multiplied by c may be secret.

use super::codec::PIECE;
use super::params::{MAX_CHALLENGE_BYTES, MAX_TAU, N, Parameters, Q};
use super::sample::SqueezeLimitError;
use crate::engine::hash::shake::Shake256;
#[cfg(feature = "alloc")]
use crate::engine::hash::shake::{KECCAK_STATES, KeccakStates, RATE};
#[cfg(feature = "alloc")]
use crate::engine::hash::sponges::{Shake256Batch, pad};
use crate::engine::primes::prime::ML_DSA;
use crate::engine::primes::short::{self, ML_DSA_SHORT};
use crate::simd::{ShortRow, Simd, frame};

/// A challenge, stored as the positions where a coefficient is not zero.
pub struct Challenge {
    /// The positions where the coefficient is 1, followed by the positions where it is -1.
    places: [u8; MAX_TAU],
    /// The number of positions where the coefficient is 1.
    ones: usize,
    /// The number of positions.
    tau: usize,
}

/// The factor in a product with a challenge, for levels that have assembly for rows. The first `N`
/// elements in `src` are the negated coefficients, and the other `N` elements are the coefficients.
/// So coefficient i of `X^place` times the factor is `src[N + i - place]`.
#[derive(Clone, Copy)]
pub enum ExtendedFactor<'a> {
    /// Each element is a byte.
    Bytes {
        /// The `2 N` elements.
        src: &'a [u8],
        /// The largest magnitude of a coefficient.
        largest: usize,
    },
    /// Each element has two bytes.
    Halfwords {
        /// The `2 N` elements.
        src: &'a [u16],
        /// The largest magnitude of a coefficient.
        largest: usize,
    },
}

impl ExtendedFactor<'_> {
    /// Returns how many coefficients can be added without an overflow in an element.
    const fn max_terms(self) -> usize {
        match self {
            Self::Bytes { largest, .. } => i8::MAX as usize / largest,
            Self::Halfwords { largest, .. } => i16::MAX as usize / largest,
        }
    }
}

impl Challenge {
    /// Samples the challenge from `seed`, which is c~, the hash in a signature.
    ///
    /// # Errors
    /// Fails if sampling exceeds the limit in FIPS 204, appendix C.
    #[inline(never)]
    pub fn new<S: Simd>(isa: S, p: &Parameters, seed: &[u8]) -> Result<Self, SqueezeLimitError> {
        frame!(isa, {
            let mut sponge = Shake256::new(isa);
            sponge.absorb(seed);
            sponge.finish();
            Self::collect(
                isa,
                p,
                #[inline(always)]
                |bytes| sponge.squeeze(bytes),
            )
        })
    }

    /// Samples the challenge c from `seed`, which is c~. Writes the transform of `one c`, where
    /// `one` is a constant factor, to `out`. This function takes less time than [`Self::new`]
    /// followed by [`Self::transform_into`], but does not return the challenge.
    ///
    /// # Errors
    /// Fails if sampling exceeds the limit in FIPS 204, appendix C.
    #[cfg(any(feature = "sign", feature = "alloc"))]
    #[inline(never)]
    pub fn sample_transform_into<S: Simd>(
        isa: S,
        p: &Parameters,
        seed: &[u8],
        one: u32,
        out: &mut [u32],
    ) -> Result<(), SqueezeLimitError> {
        frame!(isa, {
            let mut sponge = Shake256::new(isa);
            sponge.absorb(seed);
            sponge.finish();
            draw_transform_into(
                isa,
                p,
                one,
                out,
                #[inline(always)]
                |bytes| sponge.squeeze(bytes),
            )
        })
    }

    /// Works like [`Self::sample_transform_into`]. `block` must be the first block of the sponge's
    /// output for `seed` ([`Self::first_blocks`]). If the challenge needs more bytes than this
    /// block, the function hashes `seed` again.
    ///
    /// # Errors
    /// Fails if sampling exceeds the limit in FIPS 204, appendix C.
    #[cfg(feature = "alloc")]
    #[inline(never)]
    pub fn transform_of_block_into<S: Simd>(
        isa: S,
        p: &Parameters,
        [block, seed]: [&[u8]; 2],
        one: u32,
        out: &mut [u32],
    ) -> Result<(), SqueezeLimitError> {
        frame!(isa, {
            // If the block is too short, `is_enough` is false, and `out` is computed again from
            // `seed`.
            let mut words = block.as_chunks().0.iter();
            let mut is_enough = true;
            let drawn = draw_transform_into(
                isa,
                p,
                one,
                out,
                #[inline(always)]
                |bytes| match words.next() {
                    Some(word) => *bytes = *word,
                    None => is_enough = false,
                },
            );
            if drawn.is_ok() && is_enough {
                return Ok(());
            }
            Self::sample_transform_into(isa, p, seed, one, out)
        })
    }

    /// Returns the first block of the sponge's output for each seed. Computes the permutations for
    /// all seeds together. `seeds` must have at most [`KECCAK_STATES`] elements, which are shorter
    /// than a block. Overwrites the contents of `states`.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub fn first_blocks<S: Simd>(isa: S, seeds: &[&[u8]], states: &mut KeccakStates) -> [[u8; RATE]; KECCAK_STATES] {
        let mut blocks = [[0; RATE]; KECCAK_STATES];
        let mut sponges = Shake256Batch::resume(isa, states, 0);
        for (lane, (block, seed)) in blocks.iter_mut().zip(seeds).enumerate() {
            block[..seed.len()].copy_from_slice(seed);
            pad(block, seed.len());
            sponges.clear(lane);
            sponges.absorb(lane, block);
        }
        sponges.permute();
        for (lane, block) in blocks.iter_mut().take(seeds.len()).enumerate() {
            sponges.block_into(lane, block);
        }
        blocks
    }

    /// Samples the challenge from the bytes that `squeeze` writes.
    ///
    /// # Errors
    /// Fails if sampling exceeds the limit in FIPS 204, appendix C.
    #[inline(always)]
    fn collect<S: Simd>(_isa: S, p: &Parameters, squeeze: impl FnMut(&mut [u8; 8])) -> Result<Self, SqueezeLimitError> {
        let mut places = [0; MAX_TAU];
        let signs = draw(
            p,
            squeeze,
            #[inline(always)]
            |_, n, place, last| {
                if S::LANES_U32 == 1 {
                    if let Some(entry) = places.iter_mut().take(n).find(|entry| **entry == place) {
                        *entry = last;
                    }
                } else {
                    // The loop also processes entries that are not written yet, because a loop over
                    // whole vectors is faster. Later steps overwrite these entries.
                    for entry in &mut places {
                        *entry = if *entry == place { last } else { *entry };
                    }
                }
                // The entry `n` always exists. An index expression would add a panic to boot
                // loaders.
                if let Some(entry) = places.get_mut(n) {
                    *entry = place;
                }
            },
        )?;
        Ok(Self::group_by_sign(places.get(..p.tau).unwrap_or_default(), signs))
    }

    /// Returns a challenge whose positions are sorted: first the positions with coefficient 1, then
    /// the positions with coefficient -1. Bit `i` of `signs` is set if the coefficient at
    /// `places[i]` is -1.
    #[inline(always)]
    fn group_by_sign(places: &[u8], signs: u64) -> Self {
        let mut c = Self { places: [0; MAX_TAU], ones: 0, tau: places.len() };
        let mut count = 0;
        for wanted_sign in [0, 1] {
            c.ones = count;
            for (i, place) in places.iter().enumerate() {
                // If this position does not have the wanted sign, the next position overwrites it.
                // A branch would be mispredicted half the time, because the signs are random.
                if let Some(next) = c.places.get_mut(count) {
                    *next = *place;
                }
                count += usize::from((signs >> i) & 1 == wanted_sign);
            }
        }
        c
    }

    /// Returns an iterator over the coefficients that are not zero: the position, and whether the
    /// coefficient is -1.
    #[inline(always)]
    pub fn terms(&self) -> impl Iterator<Item = (usize, bool)> {
        let places = self.places.get(..self.tau).unwrap_or_default();
        places.iter().enumerate().map(|(i, place)| (usize::from(*place), i >= self.ones))
    }

    /// Multiplies `factor` by c, and adds a piece of the product to `out`. The piece contains the
    /// product's coefficients from index `first` on. All values are integers modulo `2^32`.
    #[inline(always)]
    pub fn add_extended_product<S: Simd>(
        &self,
        isa: S,
        factor: ExtendedFactor<'_>,
        first: usize,
        out: &mut [u32; PIECE],
    ) {
        let places = self.places.get(..self.tau).unwrap_or_default();
        let first = N + first;
        let mut at = 0;
        // An element can overflow after more than `max_terms` summands. `positive` is the number of
        // positions in a chunk where the coefficient of c is 1.
        for places in places.chunks(factor.max_terms()) {
            let positive = self.ones.saturating_sub(at).min(places.len());
            at += places.len();
            match factor {
                ExtendedFactor::Bytes { src, .. } => {
                    isa.short_row(out, ShortRow::AddBytes { src, first, places, positive });
                }
                ExtendedFactor::Halfwords { src, .. } => {
                    for (i, out) in out.chunks_exact_mut(PIECE / 2).enumerate() {
                        let first = first + PIECE / 2 * i;
                        isa.short_row(out, ShortRow::AddHalfwords { src, first, places, positive });
                    }
                }
            }
        }
    }

    /// Writes the transform of `one c`, for the challenge c and a constant factor `one`. The values
    /// can be up to 18 q (`engine/primes/short.rs`).
    #[inline(never)]
    pub fn transform_into<S: Simd>(&self, isa: S, one: u32, out: &mut [u32]) {
        frame!(isa, {
            out.fill(0);
            for (place, is_negative) in self.terms() {
                out[place] = if is_negative { Q - one } else { one };
            }
            short::ntt(isa, &ML_DSA_SHORT, out);
        });
    }

    /// Writes `-c` modulo `X^64 - root`. After the first two layers, this residue's coefficients
    /// are a quarter of the transform's values. `root` is in Montgomery form. `out` must have 64
    /// values.
    #[inline(always)]
    pub fn minus_quarter_into(&self, root: u32, out: &mut [u32]) {
        let first = ML_DSA.mul(root, 1);
        let second = ML_DSA.mul(first, root);
        self.minus_part_into([1, first, second, ML_DSA.mul(second, root)], out);
    }

    /// Writes `-c` modulo `X^(256 / PARTS) - x`, times a constant. `powers` contains `x^0`, `x^1`
    /// and so on, times this constant.
    #[inline(always)]
    fn minus_part_into<const PARTS: usize>(&self, powers: [u32; PARTS], out: &mut [u32]) {
        out.fill(0);
        for (place, is_negative) in self.terms() {
            let x = &mut out[place % (N / PARTS)];
            let power = powers[place / (N / PARTS)];
            *x = if is_negative { ML_DSA.add(*x, power) } else { ML_DSA.sub(*x, power) };
        }
    }

    /// Multiplies a piece of a polynomial by c, and adds the product to `out`. The piece contains
    /// the coefficients from index `first` on. All values are integers modulo `2^32`.
    #[inline(always)]
    pub fn add_product(&self, first: usize, piece: &[u32; PIECE], out: &mut [u32]) {
        for (place, is_negative) in self.terms() {
            add_turned(first + place, piece, is_negative, out);
        }
    }
}

/// Samples the positions in a challenge from the bytes that `squeeze` writes, and returns the
/// signs. There are tau steps. In step n, from 0 to `tau - 1`, this function calls `set` with the
/// signs, n, the sampled position, and the largest position that this step allows. `set` must make
/// these changes:
///
/// 1. Move the coefficient at the sampled position to the largest position, where the coefficient
///    was zero until now.
/// 2. Write the new coefficient at the sampled position: -1 if bit n of the signs is 1, or else 1.
///
/// # Errors
/// Fails if sampling exceeds the limit in FIPS 204, appendix C.
#[inline(always)]
fn draw(
    p: &Parameters,
    mut squeeze: impl FnMut(&mut [u8; 8]),
    mut set: impl FnMut(u64, usize, u8, u8),
) -> Result<u64, SqueezeLimitError> {
    let mut bytes = [0; 8];
    squeeze(&mut bytes);
    let signs = u64::from_le_bytes(bytes);
    let mut squeezed = bytes.len();
    for n in 0..p.tau {
        let last = (N - p.tau + n) as u8;
        let place = loop {
            if squeezed == MAX_CHALLENGE_BYTES {
                return Err(SqueezeLimitError);
            }
            if squeezed.is_multiple_of(bytes.len()) {
                squeeze(&mut bytes);
            }
            let place = bytes[squeezed % bytes.len()];
            squeezed += 1;
            if place <= last {
                break place;
            }
        };
        set(signs, n, place, last);
    }
    Ok(signs)
}

/// Samples the challenge c from the bytes that `squeeze` writes, and writes the transform of
/// `one c`.
///
/// # Errors
/// Fails if sampling exceeds the limit in FIPS 204, appendix C.
#[cfg(any(feature = "sign", feature = "alloc"))]
#[inline(always)]
fn draw_transform_into<S: Simd>(
    isa: S,
    p: &Parameters,
    one: u32,
    out: &mut [u32],
    squeeze: impl FnMut(&mut [u8; 8]),
) -> Result<(), SqueezeLimitError> {
    out.fill(0);
    draw(
        p,
        squeeze,
        #[inline(always)]
        |signs, n, place, last| {
            out[usize::from(last)] = out[usize::from(place)];
            // The sign is an index, because a branch on the sign would be mispredicted half the
            // time.
            out[usize::from(place)] = [one, Q - one][(signs >> n) as usize & 1];
        },
    )?;
    short::ntt(isa, &ML_DSA_SHORT, out);
    Ok(())
}

/// Adds a piece times `X^at` to `out`, modulo `X^N + 1`. `out` must have `N` values. If
/// `is_negative` is true, then the piece is negated.
#[inline(always)]
fn add_turned(at: usize, piece: &[u32; PIECE], is_negative: bool, out: &mut [u32]) {
    let is_wrapped = at >= N;
    let at = at % N;
    let (straight, wrapped) = piece.split_at(PIECE.min(N - at));
    add_signed(straight, is_negative ^ is_wrapped, &mut out[at..]);
    add_signed(wrapped, is_negative ^ !is_wrapped, out);
}

/// Adds the values to `out`, or subtracts them from `out` if `is_negative` is true. The sign is
/// public.
#[inline(always)]
fn add_signed(values: &[u32], is_negative: bool, out: &mut [u32]) {
    let negative = u32::from(is_negative).wrapping_neg();
    for (out, x) in out.iter_mut().zip(values) {
        *out = out.wrapping_add((*x ^ negative).wrapping_sub(negative));
    }
}

#[cfg(test)]
mod tests {
    use super::super::matrix::inverse_transform_whole;
    use super::*;
    use crate::engine::mldsa::params::MlDsaSet;
    use crate::simd::check::laws::on_every_level;
    use crate::simd::{Emulated, WithSimd};
    use sha3::{
        Shake256 as Oracle,
        digest::{ExtendableOutput, Update, XofReader},
    };

    /// Computes algorithm 29 step by step, as in the standard.
    fn sample_in_ball(p: &Parameters, seed: &[u8]) -> [i64; N] {
        let mut hash = Oracle::default();
        hash.update(seed);
        let mut bytes = [0; 221];
        hash.finalize_xof().read(&mut bytes);
        let mut at = 8;
        let mut c = [0; N];
        for i in N - p.tau..N {
            while usize::from(bytes[at]) > i {
                at += 1;
            }
            let j = usize::from(bytes[at]);
            at += 1;
            c[i] = c[j];
            let sign = i + p.tau - N;
            c[j] = 1 - 2 * i64::from(bytes[sign / 8] >> (sign % 8) & 1);
        }
        c
    }

    /// Compares the challenges for 200 seeds with algorithm 29. Also compares the functions that
    /// compute a challenge's transform directly from the seed with [`Challenge::transform_into`].
    #[test]
    fn challenges_equal_those_of_the_standard() {
        #[derive(Clone, Copy)]
        struct ChallengeTest;
        impl WithSimd for ChallengeTest {
            type Output = ();
            fn with<S: Simd>(self, isa: S) {
                for (set, number) in
                    MlDsaSet::ALL.into_iter().flat_map(|set| (0..200u8).map(move |number| (set, number)))
                {
                    let p = set.parameters();
                    let mut count = [0; N];
                    for (place, is_negative) in Challenge::new(isa, p, &[number]).unwrap().terms() {
                        count[place] = if is_negative { -1 } else { 1 };
                    }
                    assert_eq!(count, sample_in_ball(p, &[number]), "{set:?} {number} {}", S::NAME);
                    #[cfg(feature = "sign")]
                    {
                        let (mut transform, mut expected) = ([7; N], [7; N]);
                        Challenge::sample_transform_into(isa, p, &[number], 1, &mut transform).unwrap();
                        Challenge::new(isa, p, &[number]).unwrap().transform_into(isa, 1, &mut expected);
                        assert_eq!(transform, expected, "{set:?} {number} {}", S::NAME);
                    }
                }
                #[cfg(feature = "alloc")]
                for count in 0..=KECCAK_STATES {
                    let seeds: Vec<_> = (0..count).map(|lane| [lane as u8; 64]).collect();
                    let seeds: Vec<_> = seeds.iter().map(|seed| &seed[8 * (count % 3)..]).collect();
                    for set in MlDsaSet::ALL {
                        let p = set.parameters();
                        let blocks = Challenge::first_blocks(isa, &seeds, &mut [[7; KECCAK_STATES]; 25]);
                        for (block, seed) in blocks.iter().zip(&seeds) {
                            let (mut transform, mut expected) = ([7; N], [7; N]);
                            Challenge::transform_of_block_into(isa, p, [block, seed], Q - 1, &mut transform).unwrap();
                            Challenge::new(isa, p, seed).unwrap().transform_into(isa, Q - 1, &mut expected);
                            assert_eq!(transform, expected, "{set:?} {count} {}", S::NAME);
                        }
                    }
                }
            }
        }
        on_every_level(ChallengeTest);
    }

    #[derive(Clone, Copy)]
    struct ProductsWithC;

    impl WithSimd for ProductsWithC {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            for (set, seed) in MlDsaSet::ALL.into_iter().zip([&b"one"[..], b"two", b"three"]) {
                let p = set.parameters();
                let want = sample_in_ball(p, seed);
                let c = Challenge::new(isa, p, seed).unwrap();
                let v: Vec<i64> = (0..256i64).map(|i| (i * i * 37 % 8191) - 4095).collect();
                let mut product = vec![0i64; N];
                for (i, c) in want.iter().enumerate() {
                    for (j, v) in v.iter().enumerate() {
                        product[(i + j) % N] += if i + j < N { c * v } else { -c * v };
                    }
                }
                let pieces: Vec<[u32; PIECE]> =
                    v.as_chunks::<PIECE>().0.iter().map(|piece| piece.map(|x| x as u32)).collect();
                let mut sum = [5u32; N];
                for (i, piece) in pieces.iter().enumerate() {
                    c.add_product(PIECE * i, piece, &mut sum);
                }
                assert!(sum.iter().zip(&product).all(|(x, want)| i64::from(*x as i32) == want + 5), "{}", S::NAME);

                let mut count = [7; N];
                c.transform_into(isa, ML_DSA.one, &mut count);
                count.iter_mut().for_each(|x| *x %= Q);
                inverse_transform_whole(isa, &mut count);
                for (x, want) in count.iter().zip(want) {
                    assert_eq!(i64::from(ML_DSA.mul(*x, 1)), want.rem_euclid(i64::from(Q)));
                }
            }
        }
    }

    #[test]
    fn products_equal_polynomial_products() {
        on_every_level(ProductsWithC);
    }

    /// Samples challenges from bytes that, after the signs, are often 255. A position of 255 is too
    /// large in all steps except for the last step.
    #[test]
    fn a_challenge_without_usable_positions_ends_at_the_limit() {
        for set in MlDsaSet::ALL {
            let p = set.parameters();
            let wrapped = |dropped: usize| {
                let mut squeezed = 0;
                Challenge::collect(Emulated, p, |bytes| {
                    assert!(squeezed < 1000, "no end");
                    for byte in bytes {
                        *byte = if (8..8 + dropped).contains(&squeezed) { 255 } else { 0 };
                        squeezed += 1;
                    }
                })
            };
            for dropped in [0, 221 - 8 - p.tau] {
                let c = wrapped(dropped).unwrap();
                // All sampled positions are 0. Each of them moves to `last` in the next step,
                // except for the final 0.
                let places: Vec<u8> = c.places[..p.tau].to_vec();
                let want: Vec<u8> = (N - p.tau + 1..N).map(|place| place as u8).chain([0]).collect();
                assert_eq!((c.ones, places), (p.tau, want), "{set:?}");
            }
            assert!(wrapped(221 - 8 - p.tau + 1).is_err(), "{set:?}");
            assert!(wrapped(1000).is_err(), "{set:?}");
        }
    }

    /// Passes a block with too few usable positions. In this case, the function must sample the
    /// challenge from the seed.
    #[cfg(feature = "alloc")]
    #[test]
    fn a_block_without_usable_positions_is_replaced() {
        #[derive(Clone, Copy)]
        struct UnusableBlock;
        impl WithSimd for UnusableBlock {
            type Output = ();
            fn with<S: Simd>(self, isa: S) {
                for set in MlDsaSet::ALL {
                    let p = set.parameters();
                    let mut expected = [7; N];
                    Challenge::sample_transform_into(isa, p, b"seed", 1, &mut expected).unwrap();
                    for usable in [p.tau - 1, p.tau] {
                        let mut block = [255; RATE];
                        block[RATE - usable..].fill(0);
                        let mut transform = [7; N];
                        Challenge::transform_of_block_into(isa, p, [&block, b"seed"], 1, &mut transform).unwrap();
                        assert_eq!(transform == expected, usable < p.tau, "{set:?} {usable} {}", S::NAME);
                    }
                }
            }
        }
        on_every_level(UnusableBlock);
    }
}
