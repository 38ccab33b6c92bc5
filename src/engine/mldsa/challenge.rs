//! The challenge c (FIPS 204, algorithm 29, SampleInBall), and products with it.
//!
//! c has tau coefficients that are 1 or -1; the others are zero. So a product with it is tau sums, for which nothing
//! but the sum is kept ([`Challenge::add_product`]); or c is transformed, which is faster and takes a polynomial
//! ([`Challenge::transform_into`]).
//!
//! c is public, that of a rejected attempt, too: it is a hash of a w1 that nobody sees. What it is multiplied with may be
//! secret.

use super::codec::PIECE;
use super::params::{MAX_CHALLENGE_BYTES, MAX_TAU, N, Parameters, Q};
use super::sample::LimitReached;
use crate::engine::hash::shake::Shake256;
use crate::engine::primes::short::{self, ML_DSA_SHORT};
use crate::simd::{Simd, frame};

/// A challenge, as the places of its coefficients that are not zero.
pub struct Challenge {
    /// The places of the ones, then those of the minus ones.
    places: [u8; MAX_TAU],
    /// The number of ones.
    ones: usize,
    tau: usize,
}

impl Challenge {
    /// Draws the challenge of c~.
    ///
    /// # Errors
    /// Too many candidates for a place were out of range.
    #[inline(never)]
    pub fn new<S: Simd>(isa: S, p: &Parameters, seed: &[u8]) -> Result<Self, LimitReached> {
        frame!(isa, {
            let mut sponge = Shake256::new(isa);
            sponge.absorb(seed);
            sponge.finish();
            Self::draw(
                p,
                #[inline(always)]
                |bytes| sponge.squeeze(bytes),
            )
        })
    }

    /// Draws the challenge out of the bytes that `squeeze` gives.
    ///
    /// # Errors
    /// Too many candidates for a place were out of range.
    #[inline(always)]
    fn draw(p: &Parameters, mut squeeze: impl FnMut(&mut [u8])) -> Result<Self, LimitReached> {
        let mut bytes = [0; 8];
        squeeze(&mut bytes);
        let signs = u64::from_le_bytes(bytes);
        let mut places = [0; MAX_TAU];
        let mut squeezed = bytes.len();
        for n in 0..p.tau {
            let last = (N - p.tau + n) as u8;
            let place = loop {
                if squeezed == MAX_CHALLENGE_BYTES {
                    return Err(LimitReached);
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
            // What stood at the place goes to the last one, which was zero. The places that are not known yet are written
            // later: whole vectors are faster.
            for other in &mut places {
                *other = if *other == place { last } else { *other };
            }
            places[n] = place;
        }
        Ok(Self::ones_first(&places[..p.tau], signs))
    }

    /// Puts the places of ones first: bit `i` of `signs` is set if the coefficient at the place with number `i` is -1.
    #[inline(always)]
    fn ones_first(places: &[u8], signs: u64) -> Self {
        let mut c = Self { places: [0; MAX_TAU], ones: 0, tau: places.len() };
        let mut found = 0;
        for wanted in [0, 1] {
            c.ones = found;
            for (i, place) in places.iter().enumerate() {
                // A place that is not wanted now is overwritten by the next one: signs are random, so a branch on them would
                // be predicted wrong half of the time.
                if let Some(next) = c.places.get_mut(found) {
                    *next = *place;
                }
                found += usize::from((signs >> i) & 1 == wanted);
            }
        }
        c
    }

    /// Returns the places of the coefficients that are not zero, and of each whether it is negative.
    #[inline(always)]
    fn terms(&self) -> impl Iterator<Item = (usize, bool)> {
        self.places[..self.tau].iter().enumerate().map(|(i, place)| (usize::from(*place), i >= self.ones))
    }

    /// Writes the transform of `one c`, with values up to 18 q (`engine/primes/short.rs`).
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

    /// Adds the product of c and a piece of a polynomial, whose coefficients are those from `first` on, to `out`. All
    /// are integers modulo `2^32`.
    #[inline(always)]
    pub fn add_product(&self, first: usize, piece: &[u32; PIECE], out: &mut [u32]) {
        for (place, is_negative) in self.terms() {
            add_turned(first + place, piece, is_negative, out);
        }
    }

    /// Returns the coefficients from `first` on of the product of c and a polynomial, of which `turned` has the negative
    /// and then the polynomial itself. Coefficients are at most 4 in magnitude.
    ///
    /// Each is a sum of what is read: sums in memory wait for one another, since the places overlap.
    #[inline(always)]
    pub fn small_product(&self, turned: &[i8; 2 * N], first: usize) -> [i16; PIECE] {
        let mut sums = [0; PIECE];
        for (place, is_negative) in self.terms() {
            let at = N + first - place;
            let values = &turned[at..at + PIECE];
            if is_negative {
                for (sum, x) in sums.iter_mut().zip(values) {
                    *sum -= i16::from(*x);
                }
            } else {
                for (sum, x) in sums.iter_mut().zip(values) {
                    *sum += i16::from(*x);
                }
            }
        }
        sums
    }
}

/// Adds a piece times `X^at` to `out`, of `N` values, negated if `is_negative`.
#[inline(always)]
fn add_turned(at: usize, piece: &[u32; PIECE], is_negative: bool, out: &mut [u32]) {
    let is_behind = at >= N;
    let at = at % N;
    let (before, after) = piece.split_at(PIECE.min(N - at));
    add_signed(before, is_negative ^ is_behind, &mut out[at..]);
    add_signed(after, is_negative ^ !is_behind, out);
}

/// Adds or subtracts values. The sign is public.
#[inline(always)]
fn add_signed(values: &[u32], is_negative: bool, out: &mut [u32]) {
    let negative = u32::from(is_negative).wrapping_neg();
    for (out, x) in out.iter_mut().zip(values) {
        *out = out.wrapping_add((*x ^ negative).wrapping_sub(negative));
    }
}

#[cfg(test)]
mod tests {
    use super::super::matrix::leave_whole;
    use super::*;
    use crate::engine::mldsa::params::Set;
    use crate::engine::primes::prime::ML_DSA;
    use crate::simd::WithSimd;
    use crate::simd::check::laws::on_every_level;
    use sha3::{
        Shake256 as Oracle,
        digest::{ExtendableOutput, Update, XofReader},
    };

    /// Algorithm 29, as it stands there.
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

    /// Of 200 seeds, in some of which a place is the last one that it may be.
    #[test]
    fn challenges_are_those_of_the_standard() {
        #[derive(Clone, Copy)]
        struct Run;
        impl WithSimd for Run {
            type Output = ();
            fn with<S: Simd>(self, isa: S) {
                for (set, number) in Set::ALL.into_iter().flat_map(|set| (0..200u8).map(move |number| (set, number))) {
                    let p = set.parameters();
                    let mut found = [0; N];
                    for (place, is_negative) in Challenge::new(isa, p, &[number]).unwrap().terms() {
                        found[place] = if is_negative { -1 } else { 1 };
                    }
                    assert_eq!(found, sample_in_ball(p, &[number]), "{set:?} {number} {}", S::NAME);
                }
            }
        }
        on_every_level(Run);
    }

    #[derive(Clone, Copy)]
    struct ProductsWithC;

    impl WithSimd for ProductsWithC {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            for (set, seed) in Set::ALL.into_iter().zip([&b"one"[..], b"two", b"three"]) {
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

                let small: [i8; N] = core::array::from_fn(|i| (i * i % 9) as i8 - 4);
                let mut turned = [0; 2 * N];
                let mut product = vec![0i16; N];
                for j in 0..N {
                    turned[N + j] = small[j];
                    turned[j] = -small[j];
                    for (i, c) in want.iter().enumerate() {
                        let sign = if i + j < N { 1 } else { -1 };
                        product[(i + j) % N] += sign * *c as i16 * i16::from(small[j]);
                    }
                }
                for (i, product) in product.chunks(PIECE).enumerate() {
                    assert_eq!(c.small_product(&turned, PIECE * i), product);
                }

                let mut found = [7; N];
                c.transform_into(isa, ML_DSA.one, &mut found);
                found.iter_mut().for_each(|x| *x %= Q);
                leave_whole(isa, &mut found);
                for (x, want) in found.iter().zip(want) {
                    assert_eq!(i64::from(ML_DSA.mul(*x, 1)), want.rem_euclid(i64::from(Q)));
                }
            }
        }
    }

    #[test]
    fn products_are_those_of_polynomials() {
        on_every_level(ProductsWithC);
    }

    /// A challenge out of bytes of which the first ones, behind the signs, are above every place but the last.
    #[test]
    fn a_challenge_without_places_ends_at_the_limit() {
        for set in Set::ALL {
            let p = set.parameters();
            let after = |dropped: usize| {
                let mut squeezed = 0;
                Challenge::draw(p, |bytes| {
                    assert!(squeezed < 1000, "no end");
                    for byte in bytes {
                        *byte = if (8..8 + dropped).contains(&squeezed) { 255 } else { 0 };
                        squeezed += 1;
                    }
                })
            };
            for dropped in [0, 221 - 8 - p.tau] {
                let c = after(dropped).unwrap();
                // The last place drawn is 0, each of the others has moved to its own.
                let places: Vec<u8> = c.places[..p.tau].to_vec();
                let want: Vec<u8> = (N - p.tau + 1..N).map(|place| place as u8).chain([0]).collect();
                assert_eq!((c.ones, places), (p.tau, want), "{set:?}");
            }
            assert!(after(221 - 8 - p.tau + 1).is_err(), "{set:?}");
            assert!(after(1000).is_err(), "{set:?}");
        }
    }
}
