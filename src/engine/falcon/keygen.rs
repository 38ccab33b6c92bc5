//! Key generation from a seed (specification 2.4): draws candidates for f and g, tests them, and
//! solves the NTRU equation.
//!
//! The candidates for f and g come from a SHAKE256 stream. Key generation tries them until a
//! candidate passes all tests and [`ntru::solve`] finds F. `import` calls a [`KeySearch`]:
//! [`keygen`] in a single thread, or a search in `api/parallel.rs` that tries candidates in several
//! threads with [`CandidateStream`] and [`complete`].
//!
//! | value | range |
//! |---|---|
//! | f, g, F, G | `[-127, 127]` |
//! | `|f|^2 + |g|^2` | below [`FG_NORM_BOUND`] |
//! | `|(q f*, q g*) / (f f* + g g*)|^2` | below [`ORTHO_NORM_BOUND`], in 32.32 fixed point |
//!
//! The stream, f, g and F are secret. If a candidate is rejected, the reason is public, because a
//! rejected candidate does not reveal anything about the key. The reasons are:
//!
//! - a coefficient is out of range
//! - the sum of the coefficients is even, for f or for g
//! - f is not invertible
//! - a norm in the table is too large
//! - the solver fails

use super::modq;
use super::ntru::{self, NtruSolveError};
use super::ortho::{ORTHO_WORK, ortho_norm_is_small};
use super::params::{
    Degree, FG_LIMIT, FG_NORM_BOUND, KEYGEN_SEED_LEN, MAX_KEYGEN_CANDIDATES, MAX_LOGN, MIN_LOGN, ORTHO_NORM_BOUND,
};
use super::scheme::{FalconAlgorithm, FalconScheme};
use crate::engine::hash::shake;
use crate::simd::ct::{barrier_u32, declassify};
use crate::simd::{SCRATCH_ALIGN, Scratch, Simd, frame};
use shake::Shake256;

/// An error: no candidate became a key. This only happens on a faulty machine: see
/// [`MAX_KEYGEN_CANDIDATES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoCandidateError;

/// Entry `j` is `round(2^15 Pr[|X| > j])` for a discrete Gaussian X with
/// `sigma = 1.17 sqrt(q / 1024)`.
pub static GAUSS_512: [u16; 17] =
    [29543, 23286, 17574, 12669, 8706, 5692, 3535, 2083, 1164, 615, 308, 146, 65, 28, 11, 4, 1];
/// Entry `j` is `round(2^15 Pr[|X| > j])` for a discrete Gaussian X with
/// `sigma = 1.17 sqrt(q / 2048)`.
pub static GAUSS_1024: [u16; 12] = [28207, 19623, 12472, 7198, 3753, 1761, 742, 280, 94, 28, 8, 2];

/// The number of draws in a stream block. A draw is an integer with a discrete Gaussian
/// distribution, computed from 16 bits of the stream.
const BLOCK: usize = shake::RATE / 2;

/// A source of Gaussian integers. It reads the seed's SHAKE256 stream in blocks.
pub(crate) struct GaussianStream<S: Simd> {
    isa: S,
    stream: Shake256<S>,
    table: &'static [u16],
    block: [i8; BLOCK],
    used_draws: usize,
}

impl<S: Simd> GaussianStream<S> {
    /// Starts a seed's stream, for keys with degree `2^logn`.
    #[inline(always)]
    pub(crate) fn new(isa: S, logn: u32, seed: &[u8; KEYGEN_SEED_LEN]) -> Self {
        let mut stream = Shake256::new(isa);
        stream.absorb(seed);
        stream.finish();
        let table: &[u16] = if logn == MAX_LOGN { &GAUSS_1024 } else { &GAUSS_512 };
        Self { isa, stream, table, block: [0; BLOCK], used_draws: BLOCK }
    }

    /// Computes the next block of draws. The lowest bit of a 16-bit word is the sign, and the other
    /// bits select the magnitude.
    #[inline(never)]
    fn refill(&mut self) {
        let mut bytes = [0; shake::RATE];
        self.stream.squeeze(&mut bytes);
        let table = self.table;
        let block = &mut self.block;
        frame!(self.isa, {
            let words = bytes.as_chunks::<2>().0;
            let mut magnitude = [0u16; BLOCK];
            for &t in table {
                for (m, w) in magnitude.iter_mut().zip(words) {
                    // `w >> 1` and t are below 2^15, so bit 15 of the difference is set if `w >> 1`
                    // is below t.
                    *m += (u16::from_le_bytes(*w) >> 1).wrapping_sub(t) >> 15;
                }
            }
            for ((x, m), w) in block.iter_mut().zip(magnitude).zip(words) {
                let minus = (w[0] & 1).wrapping_neg();
                *x = ((m as u8 ^ minus).wrapping_sub(minus)) as i8;
            }
        });
        self.used_draws = 0;
    }

    /// Returns the sum of the next `count` draws.
    #[inline(always)]
    fn sum(&mut self, mut count: usize) -> i32 {
        let mut sum = 0;
        while count > 0 {
            if self.used_draws == BLOCK {
                self.refill();
            }
            let available = count.min(BLOCK - self.used_draws);
            for x in &self.block[self.used_draws..self.used_draws + available] {
                sum += i32::from(*x);
            }
            self.used_draws += available;
            count -= available;
        }
        sum
    }

    /// Fills `poly` with the next draws. Returns a number with the same parity as the sum of these
    /// draws.
    fn draw_into(&mut self, mut poly: &mut [i8]) -> i32 {
        let mut parity = 0;
        while !poly.is_empty() {
            if self.used_draws == BLOCK {
                self.refill();
            }
            let block = &self.block[self.used_draws..];
            let count = block.len().min(poly.len());
            let (head, tail) = core::mem::take(&mut poly).split_at_mut(count);
            for (out, x) in head.iter_mut().zip(block) {
                *out = *x;
                parity ^= i32::from(*x);
            }
            self.used_draws += head.len();
            poly = tail;
        }
        parity
    }

    /// Draws a polynomial. The coefficients have magnitudes up to [`FG_LIMIT`] and an odd sum.
    pub(crate) fn sample(&mut self, poly: &mut [i8]) {
        let len = poly.len();
        let last_index = len - 1;
        if len >= 512 {
            // From degree 512 on, a coefficient is a single draw, which is never out of range.
            const { assert!(GAUSS_512.len() as i32 <= FG_LIMIT && GAUSS_1024.len() as i32 <= FG_LIMIT) };
            let parity = self.draw_into(&mut poly[..last_index]);
            while is_even(parity ^ self.draw_into(&mut poly[last_index..])) {}
            return;
        }
        let draws = 512 / len;
        let mut parity = 0;
        for (i, out) in poly.iter_mut().enumerate() {
            loop {
                let x = self.sum(draws);
                let out_of_range = barrier_u32(((FG_LIMIT - x) | (FG_LIMIT + x)) as u32 >> 31);
                if declassify("candidate: range", out_of_range) != 0 {
                    continue;
                }
                if i == last_index && is_even(parity ^ x) {
                    continue;
                }
                parity ^= x;
                *out = x as i8;
                break;
            }
        }
    }
}

/// Returns whether the lowest bit of `parity` is 0, so the sum is even. The result is public.
#[inline(always)]
fn is_even(parity: i32) -> bool {
    declassify("candidate: parity", barrier_u32(parity as u32 & 1)) == 0
}

/// Returns the smallest length of the work memory for [`keygen`] in bytes. The work memory contains
/// f and g, and the memory for the tests and the solver.
pub const fn work_len(logn: u32) -> usize {
    let (n, solve) = (1 << logn, ntru::work_len(logn));
    2 * n + if solve > ORTHO_WORK * n { solve } else { ORTHO_WORK * n }
}

/// Returns how much work memory makes [`keygen`] fastest, in bytes.
pub const fn fast_work_len(logn: u32) -> usize {
    (2 << logn) + ntru::fast_work_len(logn)
}

/// Checks that the published sizes of the work memory include the bytes from [`work_len`] and
/// [`fast_work_len`], and the bytes for the alignment.
const _: () = {
    let mut logn = MIN_LOGN;
    while let Some(degree) = Degree::from_logn(logn) {
        let algorithm = FalconAlgorithm::new(FalconScheme::FnDsa, degree);
        assert!(work_len(logn) + SCRATCH_ALIGN <= algorithm.keygen_work_len());
        assert!(fast_work_len(logn) + SCRATCH_ALIGN <= algorithm.keygen_fast_work_len());
        logn += 1;
    }
};

/// The candidates for f and g, in the order in which a seed's stream contains them.
pub struct CandidateStream<S: Simd> {
    isa: S,
    logn: u32,
    gauss: GaussianStream<S>,
    drawn_count: u32,
}

impl<S: Simd> CandidateStream<S> {
    /// Returns the candidates for a seed, starting with the first candidate.
    #[inline(never)]
    pub fn new(isa: S, logn: u32, seed: &[u8; KEYGEN_SEED_LEN]) -> Self {
        frame!(isa, Self { isa, logn, gauss: GaussianStream::new(isa, logn, seed), drawn_count: 0 })
    }

    /// Draws candidates until f is invertible, and returns this candidate's index in the stream.
    /// Work memory: 2n bytes.
    ///
    /// # Errors
    /// Returns an error if [`MAX_KEYGEN_CANDIDATES`] candidates were drawn.
    #[inline(always)]
    pub fn next_into(&mut self, f: &mut [i8], g: &mut [i8], mut work: Scratch<'_>) -> Result<u32, NoCandidateError> {
        while self.drawn_count < MAX_KEYGEN_CANDIDATES {
            let number = self.drawn_count;
            self.drawn_count += 1;
            self.gauss.sample(f);
            if is_invertible(self.isa, self.logn, f, work.fork()) {
                self.gauss.sample(g);
                return Ok(number);
            }
        }
        Err(NoCandidateError)
    }
}

/// Finds F if f and g pass both norm tests and the solver succeeds. Writes F to the start of
/// `work`, which is the work memory of [`keygen`] after f and g.
///
/// # Errors
/// Returns an error if f and g do not become a key, or if `is_stopped` returns true because a key
/// is no longer necessary.
#[inline(always)]
pub fn complete<S: Simd>(
    isa: S,
    logn: u32,
    f: &[i8],
    g: &[i8],
    mut work: Scratch<'_>,
    is_stopped: &dyn Fn() -> bool,
) -> Result<(), NtruSolveError> {
    let is_short = norm_is_small(f, g) && ortho_norm_is_small(isa, logn, f, g, ORTHO_NORM_BOUND, work.fork());
    if is_short { ntru::solve(isa.integers(), logn, f, g, work, is_stopped) } else { Err(NtruSolveError) }
}

/// Makes the key for a seed: the first candidate that becomes a key. Writes the key to the start of
/// `work`, with the layout for [`ntru::Trapdoor::take`]. `work` has at least [`work_len`] bytes.
/// With [`fast_work_len`] bytes, the same key is found in less time.
///
/// # Errors
/// Returns an error if [`MAX_KEYGEN_CANDIDATES`] candidates failed.
#[inline(never)]
pub fn keygen<S: Simd>(
    isa: S,
    logn: u32,
    seed: &[u8; KEYGEN_SEED_LEN],
    mut work: Scratch<'_>,
) -> Result<(), NoCandidateError> {
    frame!(isa, {
        let f = work.take(1 << logn);
        let g = work.take(1 << logn);
        let mut candidates = CandidateStream::new(isa.integers(), logn, seed);
        loop {
            next_candidate_framed(&mut candidates, f, g, work.fork())?;
            if complete(isa, logn, f, g, work.fork(), &|| false).is_ok() {
                return Ok(());
            }
        }
    })
}

/// Calls [`CandidateStream::next_into`] in a stack frame that is released before [`complete`] runs.
#[inline(never)]
fn next_candidate_framed<S: Simd>(
    candidates: &mut CandidateStream<S>,
    f: &mut [i8],
    g: &mut [i8],
    work: Scratch<'_>,
) -> Result<u32, NoCandidateError> {
    frame!(candidates.isa, candidates.next_into(f, g, work))
}

/// A method to find the key for a seed: the first candidate that becomes a key.
pub trait KeySearch {
    /// Makes the key for a seed, as [`keygen`] does.
    ///
    /// # Errors
    /// Returns an error if [`MAX_KEYGEN_CANDIDATES`] candidates failed.
    fn key<S: Simd>(
        self,
        isa: S,
        logn: u32,
        seed: &[u8; KEYGEN_SEED_LEN],
        work: Scratch<'_>,
    ) -> Result<(), NoCandidateError>;
}

/// A search that tries the candidates in sequence.
pub struct SequentialSearch;

impl KeySearch for SequentialSearch {
    #[inline(always)]
    fn key<S: Simd>(
        self,
        isa: S,
        logn: u32,
        seed: &[u8; KEYGEN_SEED_LEN],
        work: Scratch<'_>,
    ) -> Result<(), NoCandidateError> {
        keygen(isa, logn, seed, work)
    }
}

/// Returns whether f has an inverse modulo q. The result is public. Work memory: 2n bytes.
#[inline(never)]
pub(crate) fn is_invertible<S: Simd>(isa: S, logn: u32, f: &[i8], mut work: Scratch<'_>) -> bool {
    frame!(isa, {
        let values = work.take::<u16>(f.len());
        for (x, f) in values.iter_mut().zip(f) {
            *x = modq::from_small(i32::from(*f));
        }
        modq::ntt(isa, logn, values);
        !declassify("candidate: invertible", modq::has_zero(values))
    })
}

/// Returns whether `|f|^2 + |g|^2` is below [`FG_NORM_BOUND`]. The result is public.
pub(crate) fn norm_is_small(f: &[i8], g: &[i8]) -> bool {
    let mut sum = 0u32;
    for x in [f, g] {
        for &x in x {
            sum += (i32::from(x) * i32::from(x)) as u32;
        }
    }
    declassify("candidate: norm", barrier_u32(sum.wrapping_sub(FG_NORM_BOUND) >> 31)) != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::falcon::ntru::Trapdoor;
    use crate::engine::falcon::params::{FG_BITS, Q};
    use crate::simd::check::laws::on_every_level;
    use crate::simd::{Emulated, WithSimd};
    use serde_json::Value;
    use sha2::{Digest, Sha256};

    fn hex(s: &Value) -> Vec<u8> {
        let s = s.as_str().unwrap();
        (0..s.len()).step_by(2).map(|i| u8::from_str_radix(&s[i..i + 2], 16).unwrap()).collect()
    }

    fn to_hex(bytes: &[u8]) -> String {
        bytes.iter().map(|b| format!("{b:02x}")).collect()
    }

    fn vectors(file: &str) -> Vec<Value> {
        let path = format!("{}/tests/kat/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let Value::Array(v) = serde_json::from_str::<Value>(&text).unwrap()["vectors"].take() else { panic!() };
        v
    }

    /// The polynomials in a key.
    struct GeneratedKey {
        f: Vec<i8>,
        g: Vec<i8>,
        big_f: Vec<i8>,
    }

    /// Generates a key with exactly `len` bytes of work memory.
    fn generate<S: Simd>(isa: S, logn: u32, seed: &[u8], len: usize) -> GeneratedKey {
        let mut memory = vec![0xa5u8; len + SCRATCH_ALIGN];
        let skip = memory.as_ptr().align_offset(SCRATCH_ALIGN);
        let mut work = Scratch::new(&mut memory[skip..skip + len]);
        keygen(isa, logn, seed.try_into().unwrap(), work.fork()).unwrap();
        let key = Trapdoor::take(&mut work, 1 << logn);
        GeneratedKey { f: key.f.to_vec(), g: key.g.to_vec(), big_f: key.big_f.to_vec() }
    }

    /// Computes the product of two polynomials with the textbook method, for `f G - g F`.
    fn product(a: &[i64], b: &[i64], modulus: i64) -> Vec<i64> {
        let n = a.len();
        let mut c = vec![0i64; n];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                let sign = if i + j < n { 1 } else { -1 };
                c[(i + j) % n] = (c[(i + j) % n] + sign * x * y) % modulus;
            }
        }
        c
    }

    impl GeneratedKey {
        fn public(&self, logn: u32) -> Vec<u16> {
            let load = |a: &[i8]| {
                let mut a: Vec<u16> = a.iter().map(|x| modq::from_small(i32::from(*x))).collect();
                modq::ntt(Emulated, logn, &mut a);
                a
            };
            let (mut f, mut h) = (load(&self.f), load(&self.g));
            modq::invert_into(Emulated, &mut f);
            modq::mul_into(Emulated, &mut h, &f);
            h
        }

        /// Returns `g F / f mod q`.
        fn big_g(&self, logn: u32) -> Vec<i8> {
            let mut h = self.public(logn);
            let mut x: Vec<u16> = self.big_f.iter().map(|x| modq::from_small(i32::from(*x))).collect();
            modq::ntt(Emulated, logn, &mut x);
            modq::mul_into(Emulated, &mut h, &x);
            modq::intt(Emulated, logn, &mut h, modq::InverseScale::R);
            h.iter().map(|x| i8::try_from(modq::centered(*x)).unwrap()).collect()
        }

        /// Returns the two encodings from specification 2.3.
        fn encode(&self, logn: u32) -> (Vec<u8>, Vec<u8>) {
            let mut vk = vec![logn as u8];
            pack(self.public(logn).iter().map(|x| u32::from(*x)), 14, &mut vk);
            let mut sk = vec![0x50 + logn as u8];
            let bits = FG_BITS[logn as usize];
            pack(self.f.iter().map(|x| *x as u32), bits, &mut sk);
            pack(self.g.iter().map(|x| *x as u32), bits, &mut sk);
            pack(self.big_f.iter().map(|x| *x as u32), 8, &mut sk);
            let mut hash = [0; 64];
            shake::shake256_into(Emulated, &[&vk], &mut hash);
            sk.extend(hash);
            (sk, vk)
        }

        fn sha256_sk(&self, logn: u32) -> String {
            to_hex(&Sha256::digest(self.encode(logn).0))
        }
    }

    fn pack(values: impl Iterator<Item = u32>, bits: u32, out: &mut Vec<u8>) {
        let (mut acc, mut bit_count) = (0u64, 0);
        for x in values {
            acc |= u64::from(x & ((1 << bits) - 1)) << bit_count;
            bit_count += bits;
            while bit_count >= 8 {
                out.push(acc as u8);
                acc >>= 8;
                bit_count -= 8;
            }
        }
        assert_eq!(bit_count, 0);
    }

    #[test]
    fn tables_follow_from_their_formula() {
        for (n, table) in [(512.0, &GAUSS_512[..]), (1024.0, &GAUSS_1024[..])] {
            let sigma = 1.17 * (f64::from(Q) / (2.0 * n)).sqrt();
            let rho = |z: usize| (-((z * z) as f64) / (2.0 * sigma * sigma)).exp();
            let above = |j: usize| 2.0 * (j + 1..100).map(rho).sum::<f64>();
            let total = 1.0 + above(0);
            for (j, &t) in table.iter().enumerate() {
                assert_eq!((32768.0 * above(j) / total).round() as u16, t);
            }
            assert!(32768.0 * above(table.len()) / total < 0.5);
        }
    }

    #[test]
    fn the_norm_has_an_exact_bound() {
        // At first, the sum of the squares is equal to the bound. After the change, the sum is
        // smaller by 1.
        let mut f = [127, 26, 4, 1];
        let g = [1, 0, 0, 0];
        let norm: i32 = f.iter().chain(&g).map(|x| i32::from(*x).pow(2)).sum();
        assert_eq!(norm, FG_NORM_BOUND.cast_signed());
        assert!(!norm_is_small(&f, &g));
        f[3] = 0;
        assert!(norm_is_small(&f, &g));
    }

    /// At degree 4, a coefficient is 128 or -128 with probability 1/3,000, and must be drawn again.
    #[test]
    fn coefficients_out_of_range_are_rejected() {
        let mut gauss = GaussianStream::new(Emulated, 2, &[1; 32]);
        let (mut poly, mut largest) = ([0; 4], 0);
        for _ in 0..10_000 {
            gauss.sample(&mut poly);
            largest = poly.iter().fold(largest, |largest, x| x.unsigned_abs().max(largest));
        }
        assert_eq!(i32::from(largest), FG_LIMIT);
    }

    #[test]
    fn keys_equal_the_published_keys() {
        for v in vectors("kat-a.json") {
            let logn = v["logn"].as_u64().unwrap() as u32;
            let key = generate(Emulated, logn, &hex(&v["keygen_seed"]), work_len(logn));
            // At degree 4, the published keys are wrong, because the program that made them has an
            // error: specification 2.4.6.
            if logn != 2 {
                let (sk, vk) = key.encode(logn);
                assert_eq!(to_hex(&sk), v["sk"].as_str().unwrap(), "logn {logn}, {}", v["j"]);
                assert_eq!(to_hex(&vk), v["vk"].as_str().unwrap());
            }
            check(logn, &key);
        }
    }

    /// Checks the equation with the textbook method, and the norm.
    fn check(logn: u32, key: &GeneratedKey) {
        let n = 1usize << logn;
        let big_g = key.big_g(logn);
        let to_i64 = |a: &[i8]| a.iter().map(|x| i64::from(*x)).collect::<Vec<_>>();
        let mut equation = product(&to_i64(&key.f), &to_i64(&big_g), i64::MAX);
        for (x, y) in equation.iter_mut().zip(product(&to_i64(&key.g), &to_i64(&key.big_f), i64::MAX)) {
            *x -= y;
        }
        assert_eq!(equation[0], i64::from(Q));
        assert!(equation[1..].iter().all(|x| *x == 0));

        let mut memory = vec![0u8; 20 * n + SCRATCH_ALIGN];
        let skip = memory.as_ptr().align_offset(SCRATCH_ALIGN);
        let mut small = |f: &[i8], g: &[i8]| {
            ortho_norm_is_small(Emulated, logn, f, g, ORTHO_NORM_BOUND, Scratch::new(&mut memory[skip..skip + 20 * n]))
        };
        assert!(small(&key.f, &key.g));
        let mut one = vec![0; n];
        one[0] = 1;
        assert!(!small(&one, &key.big_f.iter().map(|_| 0).collect::<Vec<_>>()));
    }

    #[derive(Clone, Copy)]
    struct KeyDigestTest;

    impl WithSimd for KeyDigestTest {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            for v in vectors("keygen-a-digests.json") {
                let logn = v["logn"].as_u64().unwrap() as u32;
                if logn == 2 {
                    continue;
                }
                let key = generate(isa, logn, &hex(&v["keygen_seed"]), fast_work_len(logn));
                let (sk, vk) = key.encode(logn);
                assert_eq!(to_hex(&Sha256::digest(sk)), v["sha256_sk"].as_str().unwrap(), "{} {logn}", S::NAME);
                assert_eq!(to_hex(&Sha256::digest(vk)), v["sha256_vk"].as_str().unwrap());
            }
        }
    }

    #[test]
    fn keys_have_the_published_digests() {
        on_every_level(KeyDigestTest);
    }

    #[test]
    fn keys_equal_the_reference_after_rejected_candidates() {
        for v in vectors("keygen-a-stats.json") {
            let logn = v["logn"].as_u64().unwrap() as u32;
            if logn == 2 {
                continue;
            }
            let key = generate(Emulated, logn, &hex(&v["keygen_seed"]), work_len(logn));
            assert_eq!(key.sha256_sk(logn), v["sha256_sk"].as_str().unwrap(), "logn {logn}, {}", v["j"]);
        }
    }
}
