//! Samples integers from a discrete Gaussian distribution around a given centre: `sampler_z`, and
//! its parts `base_sampler` and `ber_exp` (specification 2.6.6).
//!
//! - `ahead`: computes candidates before their centres are known
//! - `eight`: a generator with eight streams, which is faster than a single stream
//! - `stream`: the random bytes of an attempt, in order
//! - `together`: the samplers of several signatures, with generators that run together
//!
//! | value | range |
//! |---|---|
//! | centre | magnitude below `2^30` |
//! | `1/sigma'` at a leaf (deviation sigma') | `[1/1.8205, 1/sigma_min]`, about `[0.549, 0.884]` |
//! | base sample | 0..=18 |
//! | result | within 19 of the centre |
//!
//! The centre and the candidates are secret. Two facts are public: the candidate count of a call,
//! and the position of the byte that decides a `ber_exp` call. Both facts are independent of the
//! result (ePrint 2019/1411).

mod ahead;
#[cfg(feature = "alloc")]
mod eight;
mod stream;
#[cfg(feature = "alloc")]
mod together;

use super::params::{MAX_SAMPLER_ATTEMPTS, NONCE_LEN};
use crate::engine::hash::shake::Shake256;
use crate::simd::constant_time_u64::{count_larger, horner_of_high_products, shr_u64};
use crate::simd::ct::{self, hidden};
use crate::simd::{F32s, Real, RealRows, RowValue, Simd, frame};
#[cfg(feature = "bench")]
pub use ahead::STRIDE as BASE_STRIDE;
pub use ahead::{LIMBS, LOG2, LONGER};
use ahead::{LeafConstants, PrecomputedCandidates, STRIDE};
use stream::SamplerStream;
#[cfg(feature = "alloc")]
pub use together::{SAMPLERS_LEN, SamplerBatch};

/// `1 / sigma` for logn 0..=10 as binary64, where `sigma = sigma_min * 1.17 * sqrt(q)`. Entry 0 is
/// not used.
pub static INV_SIGMA: [u64; 11] = [
    0,
    0x3f7c_48eb_7e24_1699,
    0x3f7b_e50a_548c_aed8,
    0x3f7b_852e_e09e_762b,
    0x3f7a_fc5e_d3ca_da35,
    0x3f7a_7b3b_0976_b3ec,
    0x3f7a_0112_82ca_9c97,
    0x3f79_8d49_ce5f_2735,
    0x3f79_1f57_c56e_d9ed,
    0x3f78_b6c2_de64_c7c9,
    0x3f78_531e_f631_1ae2,
];

/// `sigma_min` for logn 0..=10 as binary64: `sqrt(ln(4n (1 + 1/eps)) / pi) / sqrt(2 pi)` with
/// `eps = 1 / sqrt(max(2, n/4) 2^64)`. Entry 0 is not used.
pub static SIGMA_MIN: [u64; 11] = [
    0,
    0x3ff1_dd38_0644_568b,
    0x3ff2_1d2e_dcad_8626,
    0x3ff2_5c46_e1aa_7c7a,
    0x3ff2_b95c_574a_fb25,
    0x3ff3_14ab_c7fe_22b6,
    0x3ff3_6e4e_3475_d7c3,
    0x3ff3_c65a_66a1_c224,
    0x3ff4_1ce5_358c_b3a0,
    0x3ff4_7201_bf1f_7a75,
    0x3ff4_c5c1_9990_c764,
];

/// The sampler's constants. The program contains no other copy, and `integrity` checks this copy.
pub static CONSTANTS: SamplerConstants = SamplerConstants {
    inv_2_sigma0_squared: 0x3fc3_4f8b_c183_bbc2,
    ln_2: 0x3fe6_2e42_fefa_39ef,
    inv_ln_2: 0x3ff7_1547_652b_82fe,
};

/// Sampler constants, as the bits of binary64 numbers.
pub struct SamplerConstants {
    /// `1 / (2 * 1.8205^2)`.
    pub inv_2_sigma0_squared: u64,
    /// `ln 2`.
    pub ln_2: u64,
    /// `1 / ln 2`.
    pub inv_ln_2: u64,
}

/// Tail probabilities for the base sampler. Entry `i` is `2^79 Pr[z > i]`, rounded to the nearest
/// integer, for `z >= 0` with weight `exp(-z^2 / (2 * 1.8205^2))`.
pub static TAIL: [u128; 18] = [
    0x51fb_fa17_69d6_1c8c_051a,
    0x2a69_958c_0f9f_beed_c4f7,
    0x113e_e6e8_49a4_14e1_0303,
    0x0568_baa1_bbe3_cca5_7519,
    0x014a_c236_5779_9f8f_ba96,
    0x003b_a563_aa76_ba5e_b23a,
    0x0008_126e_aa15_bbb5_74b0,
    0x0000_d0ff_ee32_d6b1_ef7c,
    0x0000_0fc0_6c45_3db2_1633,
    0x0000_00e1_fed9_0206_364e,
    0x0000_0009_6792_6818_ff3c,
    0x0000_0000_4a4f_c584_90ce,
    0x0000_0000_01b3_2ed4_ccd9,
    0x0000_0000_0007_5fb7_5e32,
    0x0000_0000_0000_17ae_bf7d,
    0x0000_0000_0000_0038_4c6b,
    0x0000_0000_0000_0000_630a,
    0x0000_0000_0000_0000_0081,
];

/// Polynomial coefficients to approximate `2^63 exp(-x)` on `[0, ln 2]`, from the highest degree to
/// the lowest (FACCT, ePrint 2018/1234). The specification requires these values, because a
/// different approximation would lead to different signatures.
pub static EXP: [u64; 13] = [
    0x0000_0004_7411_83a3,
    0x0000_0036_548c_fc06,
    0x0000_024f_dcbf_140a,
    0x0000_171d_939d_e045,
    0x0000_d00c_f58f_6f84,
    0x0006_8068_1cf7_96e3,
    0x002d_82d8_305b_0fea,
    0x0111_1111_0e06_6fd0,
    0x0555_5555_5507_0f00,
    0x1555_5555_5581_ff00,
    0x4000_0000_0002_b400,
    0x7fff_ffff_ffff_4800,
    0x8000_0000_0000_0000,
];

/// The generator that makes the random bytes for a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generator {
    /// SHAKE256, as specified.
    Shake256,
    /// Eight SHAKE256 streams at the same time. The signatures differ from the signatures with
    /// [`Generator::Shake256`], but have the same distribution.
    #[cfg(feature = "alloc")]
    Eight,
}

/// A source that draws samples for the leaves: a single sampler, or eight samplers for eight
/// signatures.
pub trait SampleSource<S: RealRows> {
    /// A tree leaf, prepared for [`SampleSource::pair`].
    type Leaf;
    /// Prepares leaves with the given `1/sigma'` for several calls to [`SampleSource::pair`]. The
    /// caller should prepare the leaves before the centres are known, because the samples would
    /// otherwise wait for the leaves.
    fn leaves<const N: usize>(&self, inv_sigma: [S::Key; N]) -> [Self::Leaf; N];
    /// Draws two samples for a leaf, in order, and returns the samples as reals.
    fn pair(&mut self, centre0: S::Real, centre1: S::Real, leaf: &Self::Leaf) -> (S::Real, S::Real);
}

/// A tree leaf: `1/sigma'`, and the constants to compare with candidates that were computed ahead.
#[derive(Clone, Copy)]
pub struct Leaf<S: Simd> {
    inv_sigma: S::Real,
    candidate_constants: LeafConstants,
}

/// The sampler of one signing attempt.
pub struct Sampler<S: Simd> {
    isa: S,
    stream: SamplerStream<S>,
    candidates: PrecomputedCandidates<S::F32s>,
    sigma_min: S::Real,
    inv_sigma: S::Real,
    /// True if a call ran out of candidates. In this case, the key is bad, and the attempt must be
    /// dropped.
    exhausted: bool,
    /// The number of calls to [`Sampler::pair`].
    pair_count: u32,
    /// If true, each sample is the centre's floor, without any random number.
    #[cfg(test)]
    pub zeroed: bool,
    /// The centre, `1/sigma'` and the result for every call, to compare them with published values.
    #[cfg(test)]
    pub trace: std::vec::Vec<(u64, u64, i32)>,
}

impl<S: Simd> Sampler<S> {
    /// Returns a sampler for degree `2^logn` that reads the SHAKE256 output for the concatenated
    /// `parts`.
    #[cfg_attr(not(feature = "bench"), allow(dead_code))]
    pub fn new(isa: S, logn: u32, parts: &[&[u8]]) -> Self {
        let mut sampler = Self::empty(isa, logn);
        sampler.start(Generator::Shake256, parts);
        sampler
    }

    /// Returns a sampler for degree `2^logn` to be [started](Self::start) later. This function is
    /// not inlined, so that it writes the sampler directly to the caller's variable.
    #[inline(never)]
    pub fn empty(isa: S, logn: u32) -> Self {
        frame!(isa, Self::from_stream(isa, logn, SamplerStream::empty(isa)))
    }

    /// Returns the empty sponge from a sampler that has not started. Before the start, the caller
    /// should use this sponge for hashes, so that the stack needs no second sponge.
    #[inline(always)]
    pub fn sponge(&mut self) -> Option<&mut Shake256<S>> {
        self.stream.sponge()
    }

    /// Starts an empty sampler with a generator's output for the concatenated `parts`. This
    /// function changes the sampler in place, because a sampler that is returned by value would be
    /// on the stack several times.
    #[inline(never)]
    pub fn start(&mut self, generator: Generator, parts: &[&[u8]]) {
        frame!(self.isa, self.stream.start(self.isa, generator, parts));
    }

    /// Returns a sampler for degree `2^logn` that reads its random bytes from `stream`.
    #[inline(always)]
    fn from_stream(isa: S, logn: u32, stream: SamplerStream<S>) -> Self {
        Self {
            isa,
            stream,
            candidates: PrecomputedCandidates::new(),
            sigma_min: S::Real::from_bits(SIGMA_MIN[logn as usize]),
            inv_sigma: inv_sigma::<S>(logn),
            exhausted: false,
            pair_count: 0,
            #[cfg(test)]
            zeroed: false,
            #[cfg(test)]
            trace: std::vec::Vec::new(),
        }
    }

    /// Returns the nonce: the first bytes from the generator. The signer calls this function before
    /// the first sample, unless the caller chose the nonce.
    pub fn nonce(&mut self) -> [u8; NONCE_LEN] {
        self.stream.take()
    }

    /// Permutes `state` (`keccak_f`), and can also compute a permutation for this sampler at the
    /// same time.
    #[inline(always)]
    pub fn permute_with(&mut self, state: &mut [u64; 25]) {
        self.stream.permute_with(self.isa, state);
    }

    /// Returns `1 / sigma` of the degree.
    #[inline(always)]
    pub fn inv_sigma(&self) -> S::Real {
        self.inv_sigma
    }

    /// Returns whether the samples are usable: the sampler drew as many samples as degree `2^logn`
    /// needs, and never ran out of candidates or random bytes. If a fault skips the sampler, the
    /// signer would round the targets instead. Such a signature can be short enough to verify, and
    /// it reveals the private key.
    pub fn is_complete(&self, logn: u32) -> bool {
        !self.exhausted && !self.stream.lacks_bytes && self.pair_count == 1 << logn
    }

    /// Returns whether a call ran out of candidates. In this case, the samples have no meaning.
    #[cfg(test)]
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Prepares tree leaves for [`Self::pair`]: see [`SampleSource::leaves`].
    #[inline(always)]
    pub fn leaves<const N: usize>(&self, inv_sigma: [S::Real; N]) -> [Leaf<S>; N] {
        let mut constants = [LeafConstants::NONE; N];
        if self.isa.f32s().is_some() {
            let mut dss = [0.0; N];
            let mut ccs = [0.0; N];
            for i in 0..N {
                dss[i] = f64::from_bits(dss_of(inv_sigma[i]).to_bits());
                ccs[i] = f64::from_bits((inv_sigma[i] * self.sigma_min).to_bits());
            }
            constants = LeafConstants::from_leaves(dss, ccs);
        }
        let mut leaves = [Leaf { inv_sigma: S::Real::ZERO, candidate_constants: LeafConstants::NONE }; N];
        for i in 0..N {
            leaves[i] = Leaf { inv_sigma: inv_sigma[i], candidate_constants: constants[i] };
        }
        leaves
    }

    /// Draws two samples for a leaf: see [`SampleSource::pair`].
    #[inline(always)]
    pub fn pair(&mut self, centre0: S::Real, centre1: S::Real, leaf: &Leaf<S>) -> (S::Real, S::Real) {
        self.pair_count = self.pair_count.wrapping_add(1);
        let (z0, z1) = match self.isa.f32s() {
            Some(lanes) => self.pair_ahead(lanes, [centre0, centre1], leaf),
            None => {
                let dss = dss_of(leaf.inv_sigma);
                let ccs = leaf.inv_sigma * self.sigma_min;
                let z0 = self.sampler_z(centre0, dss, ccs, MAX_SAMPLER_ATTEMPTS);
                let z1 = self.sampler_z(centre1, dss, ccs, MAX_SAMPLER_ATTEMPTS);
                (S::Real::from_i32(z0), S::Real::from_i32(z1))
            }
        };
        #[cfg(test)]
        let (z0, z1) = if self.zeroed {
            (S::Real::from_i32(centre0.floor_i32()), S::Real::from_i32(centre1.floor_i32()))
        } else {
            (z0, z1)
        };
        #[cfg(test)]
        for (centre, z) in [(centre0, z0), (centre1, z1)] {
            self.trace.push((centre.to_bits(), leaf.inv_sigma.to_bits(), z.round_i64() as i32));
        }
        (z0, z1)
    }

    /// Draws both samples from the candidates that were computed ahead, if the bounds certainly
    /// accept a candidate for each sample. Otherwise, calls [`Self::pair_slowly`]. The code
    /// compares the candidates with both centres together, so the second sample does not have to
    /// wait for the first.
    #[inline(always)]
    fn pair_ahead(&mut self, lanes: S::F32s, centres: [S::Real; 2], leaf: &Leaf<S>) -> (S::Real, S::Real) {
        if !self.candidates.is_ready() {
            self.refill_candidates(lanes);
        }
        let [(s0, r0), (s1, r1)] = [floor_and_fraction(lanes, centres[0]), floor_and_fraction(lanes, centres[1])];
        let [first, second] = self.candidates.judge(lanes, [r0, r1], leaf.candidate_constants);
        self.stream.compute_part();
        let i = lowest_index(first.not_rejected);
        // The second sample can only use the candidates after the first sample's candidate.
        let j = lowest_index(second.not_rejected & !(first.not_rejected ^ first.not_rejected.wrapping_sub(1)));
        let is_certain = first.accepted >> i & second.accepted.unbounded_shr(j) & 1;
        if ct::declassify("sampler: tie", is_certain) == 0 {
            return self.pair_slowly(lanes, centres, leaf);
        }
        let i = i as usize;
        let j = j as usize;
        let z = (to_real(s0 + self.candidates.value(i)), to_real(s1 + self.candidates.value(j)));
        self.candidates.advance(j + 1);
        self.stream.at += STRIDE * (j + 1);
        z
    }

    /// Computes more candidates ahead, and more generator bytes if necessary.
    #[inline(never)]
    fn refill_candidates(&mut self, lanes: S::F32s) {
        frame!(self.isa, {
            self.stream.make_room();
            self.candidates.refill(lanes, self.stream.ready_bytes(ahead::BYTES));
        });
    }

    /// Draws the two samples separately. [`Self::pair_ahead`] calls this function if the candidates
    /// that it compares do not certainly decide both samples.
    #[cold]
    #[inline(never)]
    fn pair_slowly(&mut self, lanes: S::F32s, centres: [S::Real; 2], leaf: &Leaf<S>) -> (S::Real, S::Real) {
        frame!(self.isa, {
            // Do not use `map` here: the compiler may not inline the functions that `map` calls,
            // and they would then be compiled without the level's instructions.
            let z0 = self.one_ahead(lanes, centres[0], leaf);
            (z0, self.one_ahead(lanes, centres[1], leaf))
        })
    }

    /// Draws a sample from the candidates that were computed ahead. If the outcome for a candidate
    /// is not certain, the exact computation ([`Self::sampler_z`]) continues with this candidate.
    #[inline(always)]
    fn one_ahead(&mut self, lanes: S::F32s, centre: S::Real, leaf: &Leaf<S>) -> S::Real {
        let (s, r) = floor_and_fraction(lanes, centre);
        let mut attempts_left = MAX_SAMPLER_ATTEMPTS;
        while attempts_left > 0 && !self.exhausted {
            if !self.candidates.is_ready() {
                self.refill_candidates(lanes);
            }
            let [outcomes] = self.candidates.judge(lanes, [r], leaf.candidate_constants);
            let width = ahead::JUDGED.min(attempts_left as usize);
            let i = (lowest_index(outcomes.not_rejected) as usize).min(width);
            if i < width && ct::declassify("sampler: tie", outcomes.accepted >> i & 1) == 1 {
                let z = to_real(s + self.candidates.value(i));
                self.candidates.advance(i + 1);
                self.stream.at += STRIDE * (i + 1);
                return z;
            }
            self.candidates.advance(i);
            self.stream.at += STRIDE * i;
            attempts_left -= i as u32;
            if i < width {
                let bytes_before = self.stream.consumed_bytes();
                let dss = dss_of(leaf.inv_sigma);
                let ccs = leaf.inv_sigma * self.sigma_min;
                let z = self.sampler_z(centre, dss, ccs, attempts_left);
                self.candidates.skip_bytes(self.stream.consumed_bytes() - bytes_before);
                return S::Real::from_i32(z);
            }
        }
        self.exhausted = true;
        to_real(s)
    }

    /// Draws a sample by exact computation (`sampler_z`) for `dss = 1/(2 sigma'^2)` and
    /// `ccs = sigma_min / sigma'`, from up to `attempts_left` candidates.
    #[inline(never)]
    fn sampler_z(&mut self, centre: S::Real, dss: S::Real, ccs: S::Real, attempts_left: u32) -> i32 {
        frame!(self.isa, {
            let s = centre.floor_i32();
            let r = centre - S::Real::from_i32(s);
            let scale = ccs.scale63_u64() << 1;
            let mut attempts_left = if self.exhausted { 0 } else { attempts_left };
            while attempts_left > 0 {
                attempts_left -= 1;
                let (z0, b) = base_sampler(self.stream.take::<10>());
                // The candidate is 1 + z0 if b = 1, and -z0 if b = 0.
                let z = b + ((b << 1) - 1) * z0;
                let d = S::Real::from_i32(z) - r;
                let x = d * d * dss
                    - S::Real::from_i32(z0 * z0) * S::Real::from_bits(hidden(&CONSTANTS).inv_2_sigma0_squared);
                if ct::declassify("sampler: candidates", self.ber_exp(x, scale)) {
                    return s + z;
                }
            }
            self.exhausted = true;
            s
        })
    }

    /// Returns `true` with probability `ccs exp(-x)`, where `scale` is `2 floor(2^63 ccs)`. Range:
    /// `0 <= x < 2^10`.
    #[inline(always)]
    fn ber_exp(&mut self, x: S::Real, scale: u64) -> bool {
        let k = (x * S::Real::from_bits(hidden(&CONSTANTS).inv_ln_2)).trunc_i64() as i32;
        let r = x - S::Real::from_i32(k) * S::Real::from_bits(hidden(&CONSTANTS).ln_2);
        // Compute `min(k, 63)` without a comparison that the compiler could turn into a branch.
        let over_mask = ct::mask_negative(63 - k);
        let k = k.cast_unsigned();
        let k = k ^ (over_mask & (k ^ 63));
        let threshold = shr_u64((exp_neg(r.scale63_u64() << 1, scale) << 1).wrapping_sub(1), k);
        // Compare `threshold` with random bytes in big-endian order, and stop at the first
        // difference.
        let mut remaining_bits = threshold;
        for _ in 0..8 {
            let [w] = self.stream.take::<1>();
            let t = (remaining_bits >> 56) as u8;
            remaining_bits <<= 8;
            if ct::declassify("sampler: tie", ct::barrier_u32(u32::from(w ^ t))) != 0 {
                return w < t;
            }
        }
        false
    }
}

/// Returns the sum of `count` base samples, without the rest of the sampler, for `fndsa bench`.
/// `bytes` contains [`BASE_STRIDE`] bytes for each sample, and 5 bytes more for the last vector
/// load. Range: `count` is a multiple of 16, and the sum is less than `2^24`.
#[cfg(feature = "bench")]
#[inline(never)]
pub fn sum_base_samples<S: Simd>(isa: S, bytes: &[u8], count: usize) -> i32 {
    frame!(isa, {
        if let Some(lanes) = isa.f32s() {
            return ahead::sum_base_samples(lanes, bytes, count);
        }
        let mut sum = 0;
        for candidate in bytes.as_chunks::<STRIDE>().0.iter().take(count) {
            let [bytes @ .., _] = *candidate;
            sum += base_sampler(bytes).0;
        }
        sum
    })
}

impl<S: Simd> SampleSource<S> for Sampler<S> {
    type Leaf = Leaf<S>;

    #[inline(always)]
    fn leaves<const N: usize>(&self, inv_sigma: [S::Real; N]) -> [Leaf<S>; N] {
        Self::leaves(self, inv_sigma)
    }
    #[inline(always)]
    fn pair(&mut self, centre0: S::Real, centre1: S::Real, leaf: &Leaf<S>) -> (S::Real, S::Real) {
        Self::pair(self, centre0, centre1, leaf)
    }
}

/// Returns the index of the first candidate that is not certainly rejected: the lowest set bit in
/// `candidates`.
#[inline(always)]
fn lowest_index(candidates: u32) -> u32 {
    ct::declassify("sampler: candidates", candidates & candidates.wrapping_neg()).trailing_zeros()
}

/// Splits the centre into its floor and its fraction.
#[inline(always)]
fn floor_and_fraction<L: F32s, R: Real>(lanes: L, centre: R) -> (f64, f64) {
    let centre = f64::from_bits(centre.to_bits());
    let s = lanes.floor(centre);
    (s, centre - s)
}

/// Converts a number to the level's real type.
#[inline(always)]
fn to_real<R: Real>(x: f64) -> R {
    R::from_bits(x.to_bits())
}

/// Returns `1/(2 sigma'^2)`.
#[inline(always)]
fn dss_of<R: Real>(inv_sigma: R) -> R {
    (inv_sigma * inv_sigma).half()
}

/// Returns `1 / sigma` of degree `2^logn`.
#[inline(always)]
pub fn inv_sigma<S: Simd>(logn: u32) -> S::Real {
    S::Real::from_bits(INV_SIGMA[logn as usize])
}

/// Returns `2^63 (scale / 2^64) exp(-r / 2^64)`, by Horner's rule with integers.
#[inline(always)]
fn exp_neg(r: u64, scale: u64) -> u64 {
    let mul_high = |a: u64, b: u64| ((u128::from(a) * u128::from(b)) >> 64) as u64;
    if let Some(y) = horner_of_high_products(r, scale, hidden(&EXP)) {
        return y;
    }
    let [top, rest @ ..] = hidden(&EXP);
    let mut y = *top;
    for c in rest {
        y = c.wrapping_sub(mul_high(r, y));
    }
    mul_high(scale, y)
}

/// The number of entries in [`TAIL`] with more than 64 bits. These entries are at the start of the
/// table.
const WIDE_LEN: usize = {
    let mut wide = 0;
    while TAIL[wide] >> 64 != 0 {
        wide += 1;
    }
    wide
};

/// Returns a half-Gaussian sample in 0..=18 and a fair bit, from 80 random bits. Bit 0 is the fair
/// bit. The other 79 bits are a number v, and the sample is the number of table entries that are
/// larger than v.
#[inline(always)]
fn base_sampler(bytes: [u8; 10]) -> (i32, i32) {
    let [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9] = bytes;
    let low = u64::from_le_bytes([b0, b1, b2, b3, b4, b5, b6, b7]);
    let high = u16::from_le_bytes([b8, b9]);
    let b = (low & 1) as i32;
    let v = (u128::from(high) << 64 | u128::from(low)) >> 1;
    if let Some(z0) = count_larger(v, hidden(&TAIL)) {
        return (z0 as i32, b);
    }
    let v_high = (v >> 64) as u64;
    let v_low = ct::barrier_u64(v as u64);
    let (wide_entries, narrow_entries) = hidden(&TAIL).split_at(WIDE_LEN);
    let mut z0 = 0;
    for &t in wide_entries {
        // If `v - t` borrows, t is larger than v, so count t. The borrow is computed for the low 64
        // bits first, and then for the high bits.
        let borrow = ct::less_u64(v_low, t as u64);
        z0 += v_high.wrapping_sub((t >> 64) as u64).wrapping_sub(borrow) >> 63;
    }
    // If v has more than 64 bits, it is larger than all entries in `narrow_entries`.
    let mut count_narrow = 0;
    for &t in narrow_entries {
        count_narrow += ct::less_u64(v_low, t as u64);
    }
    z0 += count_narrow & !ct::mask_nonzero(v_high);
    (z0 as i32, b)
}

#[cfg(test)]
mod tests;
