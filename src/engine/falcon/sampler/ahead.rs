//! Computes candidates before their centres are known: the base samples for the next 32 candidates,
//! and two bounds for each candidate. When the centre is known, the code squares the candidate's
//! distance from the centre and divides it by `2 sigma'^2`. If the result is at most the first
//! bound, the candidate is certainly accepted. If the result is larger than the second bound, the
//! candidate is certainly rejected.
//!
//! A candidate uses 11 bytes from the generator: 10 bytes for the base sample, and a byte that
//! `ber_exp` compares with a threshold. For one candidate in 256, this byte is equal to the
//! threshold's first byte (a tie), and `ber_exp` draws more bytes. Without a tie, a candidate
//! always uses 11 bytes, so the next candidate's position does not depend on the centres.
//!
//! Let `z = 1 + z0` or `z = -z0` be the candidate's value, and let `w` be the byte that `ber_exp`
//! compares first. The candidate is accepted if `256 ccs exp(-x) >= w + 1`, and rejected if
//! `256 ccs exp(-x) < w`. Otherwise, `w` is a tie. Here `x = (z - r)^2 dss - c` with
//! `c = z0^2 / (2 * 1.8205^2)`. The centre's fraction is r, and the leaf determines
//! `dss = 1/(2 sigma'^2)` and `ccs = sigma_min / sigma'`. The table contains these conditions
//! after a logarithm. All terms that do not depend on the centre are on the right side:
//!
//! | outcome | condition |
//! |---|---|
//! | accepted | `(z - r)^2 dss <= c + ln(256 / (w + 1)) + ln ccs` |
//! | rejected | `(z - r)^2 dss > c + ln(256 / w) + ln ccs`, for `w > 0` |
//! | a tie | otherwise |
//!
//! Both sides are binary32 numbers. If the left side's distance from a bound is less than
//! [`MARGIN`], the outcome is a tie, and the exact computation (`sampler_z`) decides. The right
//! side is always below 64 (`c <= 48.9`, `ln 256 = 5.6`). If the left side is also below 64, the
//! margin must cover the errors in the following table. If the left side is 64 or more, its
//! absolute error can be larger than in this table, but this error is much smaller than the
//! distance to the bounds.
//!
//! | error | at most |
//! |---|---|
//! | left: r (2^-25), z-r (2^-20), square, dss, product: `64 (2 * 2^-23 + 3 * 2^-24)` | `2.7e-5` |
//! | c: constant and product, `2 * 2^-24 * 49` | `0.6e-5` |
//! | byte logarithm: polynomial with roundings | `1.0e-5` |
//! | `ln ccs`, computed in binary64 | `0.1e-5` |
//! | three sums, `3 * 2^-24 * 64` | `1.2e-5` |
//! | exact computation: 2^-50 relative | `0.0e-5` |
//! | total | `5.6e-5 < 2^-13 = 12.2e-5` |
//!
//! All values are secret. As in the exact computation, two facts are declassified: the candidate
//! count for a call, and whether `w` is a tie. A candidate within the margin is also treated as a
//! tie. This happens for about one candidate in 7,000, and reveals no more than other ties.

use super::{CONSTANTS, TAIL};
use crate::simd::F32s;
use crate::simd::ct::{self, hidden};
use core::hint::black_box;

/// The number of bytes that a candidate uses if the first byte decides.
pub const STRIDE: usize = 11;
/// The number of candidates that a refill computes.
const CANDIDATES_PER_STEP: usize = 32;
/// The number of candidates that a call to [`PrecomputedCandidates::judge`] compares with their
/// bounds.
pub const JUDGED: usize = 8;
/// The largest number of binary32 lanes in a vector.
#[cfg(feature = "bench")]
pub const MOST_LANES: usize = 16;
/// An upper bound for the number of candidates after a refill: [`CANDIDATES_PER_STEP`] new
/// candidates, and fewer than [`JUDGED`] candidates that remained.
const CANDIDATES: usize = CANDIDATES_PER_STEP + JUDGED;
/// The capacity in candidates. A refill copies [`JUDGED`] entries, starting with the next
/// candidate, to the front, even if fewer candidates remain. Because of the additional entries,
/// this copy never reads after the end.
const CAPACITY: usize = CANDIDATES + JUDGED;
/// The largest number of generator bytes that [`PrecomputedCandidates::refill`] reads: the bytes
/// for [`CANDIDATES`] candidates, plus the extra bytes that the last vector load reads.
pub const BYTES: usize = CANDIDATES * STRIDE + 5;
/// If the distance from a bound is smaller than this margin, the outcome is a tie.
const MARGIN: f32 = 1.0 / 8192.0;

/// The candidates that were computed ahead.
pub struct PrecomputedCandidates<L: F32s> {
    /// The values: `1 + z0` or `-z0`.
    z: L::LevelArray<f32, 0, CAPACITY>,
    /// The bounds for acceptance: `c + ln(256 / (w + 1))`, minus the margin.
    accept: L::LevelArray<f32, 0, CAPACITY>,
    /// The bounds for rejection: `c + ln(256 / w)` or slightly more, plus the margin. If `w = 0`,
    /// the bound is a large number.
    reject: L::LevelArray<f32, 0, CAPACITY>,
    /// The index of the next candidate.
    at: usize,
    /// The index after the last candidate.
    end: usize,
}

/// The outcomes for the next [`JUDGED`] candidates and a centre. Bit `i` belongs to candidate `i`.
#[derive(Clone, Copy)]
pub struct CandidateOutcomes {
    /// The candidates that are certainly accepted.
    pub accepted: u32,
    /// The candidates that are not certainly rejected. Bit [`JUDGED`] is always set, so there is
    /// always a lowest set bit.
    pub not_rejected: u32,
}

/// The constants dss and ln ccs for a leaf, in binary32.
#[derive(Clone, Copy)]
pub struct LeafConstants {
    dss: f32,
    ln_ccs: f32,
}

impl LeafConstants {
    /// A placeholder for levels (instruction sets) without binary32 lanes. It is never read.
    pub const NONE: Self = Self { dss: 0.0, ln_ccs: 0.0 };

    /// Converts `1/(2 sigma'^2)` and `ccs` for several leaves. Range: `ccs` in `[0.69, 1.01]`. For
    /// a good key, `ccs` is from 0.73 to 1 (see `tree_check`).
    #[inline(always)]
    pub fn from_leaves<const N: usize>(dss: [f64; N], ccs: [f64; N]) -> [Self; N] {
        let mut ln_ccs = [0.0; N];
        for i in 0..N {
            // ln c = 2 artanh y, by the series up to y^9: |y| < 0.184, and the remainder is below
            // 2e-9.
            let y = (ccs[i] - 1.0) / (ccs[i] + 1.0);
            let z = y * y;
            let series = 1.0 + z * (1.0 / 3.0 + z * (1.0 / 5.0 + z * (1.0 / 7.0 + z * (1.0 / 9.0))));
            ln_ccs[i] = (2.0 * y * series) as f32;
        }
        let mut leaves = [Self::NONE; N];
        for (leaf, (dss, ln_ccs)) in leaves.iter_mut().zip(dss.iter().zip(ln_ccs)) {
            *leaf = Self { dss: *dss as f32, ln_ccs };
        }
        leaves
    }
}

impl<L: F32s> PrecomputedCandidates<L> {
    /// Returns a buffer without candidates.
    #[inline(always)]
    pub fn new() -> Self {
        Self { z: L::level_array(0.0), accept: L::level_array(0.0), reject: L::level_array(0.0), at: 0, end: 0 }
    }

    /// Returns whether there are enough candidates for [`Self::judge`].
    #[inline(always)]
    pub fn is_ready(&self) -> bool {
        self.at + JUDGED <= self.end
    }

    /// Computes [`CANDIDATES_PER_STEP`] more candidates. `bytes` are the generator's bytes,
    /// starting with the next candidate. Range: at least [`BYTES`] bytes.
    #[inline(always)]
    pub fn refill(&mut self, isa: L, bytes: &[u8]) {
        let remaining_count = self.end - self.at;
        let z = self.z.as_mut();
        let accept = self.accept.as_mut();
        let reject = self.reject.as_mut();
        for values in [&mut *z, &mut *accept, &mut *reject] {
            if let Some(&remaining) = values[self.at..].first_chunk::<JUDGED>() {
                values[..JUDGED].copy_from_slice(&remaining);
            }
        }
        let mut i = remaining_count;
        while i < remaining_count + CANDIDATES_PER_STEP {
            candidates(isa, &bytes[i * STRIDE..], &mut z[i..], &mut accept[i..], &mut reject[i..]);
            i += L::LANES_F32;
        }
        (self.at, self.end) = (0, remaining_count + CANDIDATES_PER_STEP);
    }

    /// Compares the next [`JUDGED`] candidates with their bounds, for centres with the fractions
    /// `r`.
    #[inline(always)]
    pub fn judge<const CENTRES: usize>(
        &self,
        isa: L,
        r: [f64; CENTRES],
        leaf: LeafConstants,
    ) -> [CandidateOutcomes; CENTRES] {
        let isa = isa.up_to_eight();
        let dss = isa.splat_f32(leaf.dss);
        let ln_ccs = isa.splat_f32(leaf.ln_ccs);
        let mut outcomes = [CandidateOutcomes { accepted: 0, not_rejected: 1 << JUDGED }; CENTRES];
        let mut i = 0;
        while i < JUDGED {
            let z = isa.load_f32(&self.z.as_ref()[self.at + i..]);
            let accept = isa.add_f32(isa.load_f32(&self.accept.as_ref()[self.at + i..]), ln_ccs);
            let reject = isa.add_f32(isa.load_f32(&self.reject.as_ref()[self.at + i..]), ln_ccs);
            for (r, outcomes) in r.iter().zip(&mut outcomes) {
                let d = isa.sub_f32(z, isa.splat_f32(*r as f32));
                let x = isa.mul_f32(isa.mul_f32(d, d), dss);
                outcomes.accepted |= isa.le_f32(x, accept) << i;
                outcomes.not_rejected |= isa.le_f32(x, reject) << i;
            }
            i += L::UpToEight::LANES_F32;
        }
        for outcomes in &mut outcomes {
            // With `black_box`, the compiler computes the outcomes here, and not where they are
            // first used. So the CPU can execute the instructions between these two places while it
            // waits for the outcomes.
            *outcomes = CandidateOutcomes {
                accepted: black_box(outcomes.accepted),
                not_rejected: black_box(outcomes.not_rejected),
            };
        }
        outcomes
    }

    /// Returns the value of the candidate after the next `skip` candidates.
    #[inline(always)]
    pub fn value(&self, skip: usize) -> f64 {
        f64::from(self.z.as_ref()[self.at + skip])
    }

    /// Skips `count` candidates.
    #[inline(always)]
    pub fn advance(&mut self, count: usize) {
        self.at += count;
    }

    /// Skips the candidates for which the exact computation used `bytes` bytes from the generator.
    /// If `bytes` is not a multiple of [`STRIDE`], the next candidates do not start where
    /// [`Self::refill`] assumed, and all candidates are dropped.
    #[inline(always)]
    pub fn skip_bytes(&mut self, bytes: usize) {
        let count = bytes / STRIDE;
        self.at = if bytes.is_multiple_of(STRIDE) { (self.at + count).min(self.end) } else { self.end };
    }
}

impl<L: F32s> Drop for PrecomputedCandidates<L> {
    fn drop(&mut self) {
        ct::wipe(self.z.as_mut());
        ct::wipe(self.accept.as_mut());
        ct::wipe(self.reject.as_mut());
    }
}

/// Writes the values and bounds for the candidates in `bytes`, with a candidate in each lane.
#[inline(always)]
fn candidates<L: F32s>(isa: L, bytes: &[u8], z: &mut [f32], accept: &mut [f32], reject: &mut [f32]) {
    let [w0, w1, w2] = isa.words_every_11_bytes(bytes);
    let one = isa.splat_i32(1);
    let z0 = base_samples(isa, base_limbs(isa, [w0, w1, w2]));
    // The candidate's value is 1 + z0 if b = 1, and -z0 if b = 0.
    let b = isa.and_i32(w0, one);
    let flip = isa.sub_i32(b, one);
    isa.store_f32(isa.to_f32(isa.add_i32(isa.sub_i32(isa.xor_i32(z0, flip), flip), b)), z);

    let z0 = isa.to_f32(z0);
    let c =
        isa.mul_f32(isa.mul_f32(z0, z0), isa.splat_f32(f64::from_bits(hidden(&CONSTANTS).inv_2_sigma0_squared) as f32));
    let c = isa.add_f32(c, isa.splat_f32(8.0 * core::f32::consts::LN_2));
    let w = isa.and_i32(isa.shr_i32::<16>(w2), isa.splat_i32(0xff));
    let bound = isa.sub_f32(c, ln_small(isa, isa.add_i32(w, one)));
    isa.store_f32(isa.sub_f32(bound, isa.splat_f32(MARGIN)), accept);
    // ln(256 / w) is less than ln(256 / (w + 1)) + 1 / (w + 0.43). If w is 0, the bound is larger
    // by 10^9, so the candidate is never rejected.
    let byte_gap = isa.reciprocal_f32(isa.add_f32(isa.to_f32(w), isa.splat_f32(0.43)));
    let never_rejects = isa.and_i32(isa.less_i32(w, one), isa.cast_i32(isa.splat_f32(1e9)));
    let byte_gap = isa.add_f32(byte_gap, isa.cast_f32(never_rejects));
    isa.store_f32(isa.add_f32(isa.add_f32(bound, byte_gap), isa.splat_f32(MARGIN)), reject);
}

/// Returns the 79 bits of the base samples, in limbs with 24, 24 and 31 bits. The lowest limb is
/// first.
#[inline(always)]
fn base_limbs<L: F32s>(isa: L, [w0, w1, w2]: [L::I32; 3]) -> [L::I32; 3] {
    let low24 = isa.splat_i32(0xff_ffff);
    let low = isa.and_i32(isa.shr_i32::<1>(w0), low24);
    let middle = isa.and_i32(isa.or_i32(isa.shr_i32::<25>(w0), isa.shl_i32::<7>(w1)), low24);
    let high = isa.shl_i32::<15>(isa.and_i32(w2, isa.splat_i32(0xffff)));
    [low, middle, isa.or_i32(isa.shr_i32::<17>(w1), high)]
}

/// Returns the sum of `count` base samples: see [`super::sum_base_samples`].
#[cfg(feature = "bench")]
#[inline(always)]
pub fn sum_base_samples<L: F32s>(isa: L, bytes: &[u8], count: usize) -> i32 {
    let mut sum = isa.splat_i32(0);
    for i in (0..count).step_by(L::LANES_F32) {
        sum = isa.add_i32(sum, base_samples(isa, base_limbs(isa, isa.words_every_11_bytes(&bytes[i * STRIDE..]))));
    }
    let mut lanes = [0.0; MOST_LANES];
    isa.store_f32(isa.to_f32(sum), &mut lanes);
    lanes.iter().sum::<f32>() as i32
}

/// The [`TAIL`] entries, split into limbs: a row with the low limbs, a row with the middle limbs,
/// and a row with the high limbs. A lookup reads the first [`IN_LOOKUP`] entries from each row.
pub static LIMBS: [[i32; TAIL.len()]; 3] = {
    let mut table = [[0; TAIL.len()]; 3];
    let mut i = 0;
    while i < TAIL.len() {
        let limbs = limbs(TAIL[i]);
        (table[0][i], table[1][i], table[2][i]) = (limbs[0], limbs[1], limbs[2]);
        i += 1;
    }
    table
};

/// Splits 79 bits into limbs with 24, 24 and 31 bits. The lowest limb is first.
const fn limbs(t: u128) -> [i32; 3] {
    [t as i32 & 0xff_ffff, (t >> 24) as i32 & 0xff_ffff, (t >> 48) as i32]
}

/// How many [`TAIL`] entries a lookup can find. All later entries are smaller than
/// `2^24`, so binary32 represents them exactly.
const IN_LOOKUP: usize = 16;

/// The distance of large [`TAIL`] entries from powers of two. If an entry is between `2^k` and
/// `2^(k+1)` with `k >= 24`, it differs from both powers by more than `2^(k - CLEARANCE_BITS)`.
const CLEARANCE_BITS: u32 = 20;

/// The number of bits in the largest [`TAIL`] entry.
const WIDEST: usize = 79;

/// Entry `l` is the number of [`TAIL`] entries with more than `l` bits, but at most
/// `IN_LOOKUP - 1`, the last index that a lookup can find.
///
/// For a base sample, the code counts the entries that are larger than v, a number made from 79
/// random bits. Let `l` be v's bit length. All entries with more than `l` bits are larger than v,
/// and all entries with fewer bits are smaller. Two entries never have the same bit length, so at
/// most one entry has exactly `l` bits. The entries are in descending order. If one of the first
/// [`IN_LOOKUP`] entries has `l` bits, its index is therefore `LONGER[l]`, and the code compares
/// this entry with v. Otherwise, the code counts entry `LONGER[l]` only if it is larger than v,
/// which is also correct. The code compares v with all later entries separately.
///
/// The code reads v's bit length from a binary32 number. If the conversion rounds v up to a power
/// of two, the bit length is too large by 1. In this case, if there is an entry with `l + 1` bits,
/// the code compares this entry with v. It counts this entry correctly, but does not compare the
/// entry with `l` bits. The entry with `l` bits cannot be larger than v. Otherwise, it would be
/// between v and the power of two, but no entry is so close to a power of two.
pub static LONGER: [u8; 128] = {
    let mut table = [0; 128];
    let mut i = 0;
    let mut previous_bits = WIDEST + 1;
    while i < TAIL.len() {
        let t = TAIL[i];
        let (mut bits, mut next_power) = (0, 1);
        while next_power <= t {
            (bits, next_power) = (bits + 1, 2 * next_power);
        }
        assert!(bits < previous_bits);
        previous_bits = bits;
        // The distance is `2^-CLEARANCE_BITS` times the largest power of two up to t.
        let distance = (next_power / 2) >> CLEARANCE_BITS;
        assert!(t < 1 << 24 || (i < IN_LOOKUP && t - next_power / 2 > distance && next_power - t > distance));
        let mut l = 0;
        while l < bits {
            if i < IN_LOOKUP - 1 {
                table[l] = i as u8 + 1;
            }
            l += 1;
        }
        i += 1;
    }
    table
};

/// Returns how many [`TAIL`] entries are larger than v. The limbs in `v` have 24, 24 and 31 bits,
/// and the lowest limb is first.
#[inline(always)]
fn base_samples<L: F32s>(isa: L, v: [L::I32; 3]) -> L::I32 {
    let [lows, middles, highs] = hidden(&LIMBS);
    if !L::HAS_LOOKUP {
        let mut z0 = isa.splat_i32(0);
        for i in 0..TAIL.len() {
            let t = [isa.splat_i32(lows[i]), isa.splat_i32(middles[i]), isa.splat_i32(highs[i])];
            z0 = isa.sub_i32(z0, is_less(isa, v, t));
        }
        return z0;
    }
    // Compute v + 1/2 in binary32: the relative error is at most 2^-21, and there is no error if v
    // < 2^23. Because 1/2 is added, the exponent for v = 0 differs from the exponent for any other
    // v.
    let limb = isa.splat_f32((1 << 24) as f32);
    let approximation = isa.add_f32(isa.mul_f32(isa.to_f32(v[2]), limb), isa.to_f32(v[1]));
    let approximation =
        isa.add_f32(isa.mul_f32(approximation, limb), isa.add_f32(isa.to_f32(v[0]), isa.splat_f32(0.5)));
    let approximation = isa.cast_i32(approximation);
    let bits = isa.sub_i32(isa.shr_i32::<23>(approximation), isa.splat_i32(126));
    let mut z0 = isa.lookup_u8(hidden(&LONGER), bits);
    let mut t = [z0; 3];
    for (t, limbs) in t.iter_mut().zip([lows, middles, highs]) {
        let (first, _) = limbs.as_chunks::<IN_LOOKUP>();
        *t = isa.lookup_i32(&first[0], z0);
    }
    z0 = isa.sub_i32(z0, is_less(isa, v, t));
    for t in &lows[IN_LOOKUP..] {
        z0 = isa.count_less_i32(z0, approximation, isa.cast_i32(isa.to_f32(isa.splat_i32(*t))));
    }
    z0
}

/// Computes `v - t`, limb by limb, and returns the borrow: 0 or -1.
#[inline(always)]
fn is_less<L: F32s>(isa: L, v: [L::I32; 3], t: [L::I32; 3]) -> L::I32 {
    let borrow = isa.less_i32(v[0], t[0]);
    let borrow = isa.less_i32(isa.add_i32(v[1], borrow), t[1]);
    isa.less_i32(isa.add_i32(v[2], borrow), t[2])
}

/// The coefficients of a polynomial that approximates `log2(1 + t) / t` on `[0, 1]`, from the
/// lowest degree to the highest.
pub static LOG2: [f32; 8] =
    [1.442_694_7, -0.721_306_8, 0.480_012_46, -0.353_096_35, 0.255_176_35, -0.154_152, 0.062_748_43, -0.012_077_02];

/// Returns `ln x`. The error is at most `1e-5`. Range: `1 <= x <= 256`.
#[inline(always)]
fn ln_small<L: F32s>(isa: L, x: L::I32) -> L::F32 {
    let bits = isa.cast_i32(isa.to_f32(x));
    let exponent = isa.to_f32(isa.sub_i32(isa.shr_i32::<23>(bits), isa.splat_i32(127)));
    let one = isa.splat_f32(1.0);
    let mantissa = isa.or_i32(isa.and_i32(bits, isa.splat_i32(0x7f_ffff)), isa.cast_i32(one));
    let t = isa.sub_f32(isa.cast_f32(mantissa), one);
    let [rest @ .., top] = hidden(&LOG2);
    let mut p = isa.splat_f32(*top);
    for c in rest.iter().rev() {
        p = isa.add_f32(isa.mul_f32(p, t), isa.splat_f32(*c));
    }
    isa.mul_f32(isa.add_f32(isa.mul_f32(p, t), exponent), isa.splat_f32(core::f32::consts::LN_2))
}

#[cfg(test)]
mod tests;
