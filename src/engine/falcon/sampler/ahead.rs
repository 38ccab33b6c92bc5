//! Candidates computed ahead: the base samples of the next 32 of them, and up to which distance from
//! the centre each is accepted or rejected for certain.
//!
//! A candidate takes 11 bytes of the generator unless the first byte that `ber_exp` draws ties, once in
//! 256: so the candidates at stride 11 do not depend on the centres. One of value `z = 1 + z0` or
//! `-z0`, whose first byte is `w`, is accepted by this byte if `256 ccs exp(-x) >= w + 1`, rejected if
//! `256 ccs exp(-x) < w`, and ties between; `x = (z - r)^2 dss - c` with `c = z0^2 / (2 * 1.8205^2)`.
//! So, with logarithms, all that does not depend on the centre to the right:
//!
//! | outcome | condition |
//! |---|---|
//! | accepted | `(z - r)^2 dss <= c + ln(256 / (w + 1)) + ln ccs` |
//! | rejected | `(z - r)^2 dss > c + ln(256 / w) + ln ccs`, for `w > 0` |
//! | a tie | else |
//!
//! Both sides are binary32, and a tie is whatever is nearer to either bound than [`MARGIN`]: the exact
//! way decides it. What the margin must cover, for values below 64 (`c <= 48.9`, `ln 256 = 5.6`; a
//! left side that is larger is off by as little relative to itself, and is far from every bound):
//!
//! | error | at most |
//! |---|---|
//! | left side: r (2^-25), difference (2^-20), square, dss, product: `64 (2 * 2^-23 + 3 * 2^-24)` | `2.7e-5` |
//! | c: constant and product, `2 * 2^-24 * 49` | `0.6e-5` |
//! | the logarithm of a byte: polynomial and its roundings | `1.0e-5` |
//! | `ln ccs`, computed in binary64 | `0.1e-5` |
//! | three sums, `3 * 2^-24 * 64` | `1.2e-5` |
//! | the exact way itself: 2^-50 relative | `0.0e-5` |
//! | in all | `5.6e-5 < 2^-13 = 12.2e-5` |
//!
//! Secret: all values. Told, as by the exact way: how many candidates a call takes and whether a first
//! byte ties. A bound met within the margin is told too: it happens once in about 4,000 candidates,
//! for a distance that says no more than a tie does.

use super::{CONSTANTS, TAIL};
use crate::simd::F32s;
use crate::simd::ct::{self, hidden};
use core::hint::black_box;

/// The bytes of a candidate whose first byte decides.
pub const STRIDE: usize = 11;
/// The number of candidates computed at a time.
const STEP: usize = 32;
/// The number of candidates that one look judges.
pub const LOOK: usize = 8;
/// The number of candidates kept: less than a look may be left over.
const KEPT: usize = STEP + LOOK;
/// The candidates that there is room for: what is left over is moved to the front as a whole look.
const ROOM: usize = KEPT + LOOK;
/// The bytes of the generator that [`Ahead::refill`] reads: those of all candidates kept, and what the last vector load
/// reads behind them.
pub const BYTES: usize = KEPT * STRIDE + 5;
/// The distance from a bound below which an outcome is a tie.
const MARGIN: f32 = 1.0 / 8192.0;

/// The next candidates.
pub struct Ahead<L: F32s> {
    /// The values, `1 + z0` or `-z0`.
    z: L::Room<f32, 0, ROOM>,
    /// The bounds of acceptance, `c + ln(256 / (w + 1))`, less the margin.
    accept: L::Room<f32, 0, ROOM>,
    /// The bounds of rejection, `c + ln(256 / w)` or somewhat more, plus the margin; large for `w = 0`.
    reject: L::Room<f32, 0, ROOM>,
    /// The place of the next candidate.
    at: usize,
    /// The place behind the last candidate.
    end: usize,
}

/// The outcomes of the next [`LOOK`] candidates for one centre: bit `i` is that of the `i`-th.
#[derive(Clone, Copy)]
pub struct Outcomes {
    /// The candidates that are accepted for certain.
    pub accepted: u32,
    /// The candidates that are not rejected for certain, and the bit behind the last candidate.
    pub left: u32,
}

/// A leaf's constants in binary32.
#[derive(Clone, Copy)]
pub struct LeafAhead {
    dss: f32,
    ln_ccs: f32,
}

impl LeafAhead {
    /// A leaf for levels without lanes, which is never read.
    pub const NONE: Self = Self { dss: 0.0, ln_ccs: 0.0 };

    /// Converts each `1/(2 sigma'^2)` and `ccs`. Range: `ccs` in `[0.69, 1.01]`.
    #[inline(always)]
    pub fn several<const N: usize>(dss: [f64; N], ccs: [f64; N]) -> [Self; N] {
        let mut ln_ccs = [0.0; N];
        for i in 0..N {
            // ln c = 2 artanh y, by its series to y^9: |y| < 0.184, and the rest is below 2e-9.
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

impl<L: F32s> Ahead<L> {
    /// No candidates yet.
    #[inline(always)]
    pub fn new() -> Self {
        Self { z: L::room(0.0), accept: L::room(0.0), reject: L::room(0.0), at: 0, end: 0 }
    }

    /// Returns whether there are enough candidates for a look.
    #[inline(always)]
    pub fn is_ready(&self) -> bool {
        self.at + LOOK <= self.end
    }

    /// Computes [`STEP`] more candidates. `bytes` are those of the generator from the next candidate on, [`BYTES`] at
    /// least.
    #[inline(always)]
    pub fn refill(&mut self, isa: L, bytes: &[u8]) {
        let left = self.end - self.at;
        let z = self.z.as_mut();
        let accept = self.accept.as_mut();
        let reject = self.reject.as_mut();
        for values in [&mut *z, &mut *accept, &mut *reject] {
            if let Some(&look) = values[self.at..].first_chunk::<LOOK>() {
                values[..LOOK].copy_from_slice(&look);
            }
        }
        let mut i = left;
        while i < left + STEP {
            candidates(isa, &bytes[i * STRIDE..], &mut z[i..], &mut accept[i..], &mut reject[i..]);
            i += L::LANES_F32;
        }
        (self.at, self.end) = (0, left + STEP);
    }

    /// Judges the next candidates for centres with fractions r.
    #[inline(always)]
    pub fn look<const CENTRES: usize>(&self, isa: L, r: [f64; CENTRES], leaf: LeafAhead) -> [Outcomes; CENTRES] {
        let isa = isa.few();
        let dss = isa.splat_f32(leaf.dss);
        let ln_ccs = isa.splat_f32(leaf.ln_ccs);
        let mut outcomes = [Outcomes { accepted: 0, left: 1 << LOOK }; CENTRES];
        let mut i = 0;
        while i < LOOK {
            let z = isa.load_f32(&self.z.as_ref()[self.at + i..]);
            let accept = isa.add_f32(isa.load_f32(&self.accept.as_ref()[self.at + i..]), ln_ccs);
            let reject = isa.add_f32(isa.load_f32(&self.reject.as_ref()[self.at + i..]), ln_ccs);
            for (r, outcomes) in r.iter().zip(&mut outcomes) {
                let d = isa.sub_f32(z, isa.splat_f32(*r as f32));
                let x = isa.mul_f32(isa.mul_f32(d, d), dss);
                outcomes.accepted |= isa.le_f32(x, accept) << i;
                outcomes.left |= isa.le_f32(x, reject) << i;
            }
            i += L::Few::LANES_F32;
        }
        for outcomes in &mut outcomes {
            // The look is to be done here, not where its outcomes are first wanted: in between stands what the CPU
            // works on while it waits for the look.
            *outcomes = Outcomes { accepted: black_box(outcomes.accepted), left: black_box(outcomes.left) };
        }
        outcomes
    }

    /// Returns the value of the candidate `skip` places behind the next one.
    #[inline(always)]
    pub fn value(&self, skip: usize) -> f64 {
        f64::from(self.z.as_ref()[self.at + skip])
    }

    /// Passes `count` candidates.
    #[inline(always)]
    pub fn advance(&mut self, count: usize) {
        self.at += count;
    }

    /// Passes the candidates of `bytes` bytes that the generator gave to the exact way; where the next candidate begins
    /// at another place than expected, all are dropped.
    #[inline(always)]
    pub fn follow(&mut self, bytes: usize) {
        let count = bytes / STRIDE;
        self.at = if bytes.is_multiple_of(STRIDE) { (self.at + count).min(self.end) } else { self.end };
    }
}

impl<L: F32s> Drop for Ahead<L> {
    fn drop(&mut self) {
        ct::wipe(self.z.as_mut());
        ct::wipe(self.accept.as_mut());
        ct::wipe(self.reject.as_mut());
    }
}

/// Writes values and bounds of the candidates in `bytes`, one a lane.
#[inline(always)]
fn candidates<L: F32s>(isa: L, bytes: &[u8], z: &mut [f32], accept: &mut [f32], reject: &mut [f32]) {
    let [w0, w1, w2] = isa.words_at_11(bytes);
    let one = isa.splat_i32(1);
    let low24 = isa.splat_i32(0xff_ffff);
    // The 79 bits of the base sample, in limbs of 24, 24 and 31 bits.
    let low = isa.and_i32(isa.shr_i32::<1>(w0), low24);
    let middle = isa.and_i32(isa.or_i32(isa.shr_i32::<25>(w0), isa.shl_i32::<7>(w1)), low24);
    let high = isa.shl_i32::<15>(isa.and_i32(w2, isa.splat_i32(0xffff)));
    let high = isa.or_i32(isa.shr_i32::<17>(w1), high);
    let z0 = base_samples(isa, [low, middle, high]);
    // 1 + z0 for b = 1, -z0 for b = 0.
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
    // ln(256 / w) is ln(256 / (w + 1)) and less than 1 / (w + 0.43). A byte 0 does not reject.
    let between = isa.reciprocal_f32(isa.add_f32(isa.to_f32(w), isa.splat_f32(0.43)));
    let never = isa.and_i32(isa.less_i32(w, one), isa.cast_i32(isa.splat_f32(1e9)));
    let between = isa.add_f32(between, isa.cast_f32(never));
    isa.store_f32(isa.add_f32(isa.add_f32(bound, between), isa.splat_f32(MARGIN)), reject);
}

/// The limbs of [`TAIL`]: low, middle, high. A lookup reads the first [`IN_LOOKUP`] entries of each.
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

/// Cuts 79 bits into limbs of 24, 24 and 31 bits, the lowest first.
const fn limbs(t: u128) -> [i32; 3] {
    [t as i32 & 0xff_ffff, (t >> 24) as i32 & 0xff_ffff, (t >> 48) as i32]
}

/// The number of entries of [`TAIL`] that a lookup can find. Those behind them are below `2^24`, and so are exact in binary32.
const IN_LOOKUP: usize = 16;

/// The bits behind the leading one of a binary32 number in which the entries of [`TAIL`] are told from the powers of two.
const CLEAR: u32 = 20;

/// The number of bits of the largest entry of [`TAIL`].
const WIDEST: usize = 79;

/// Entry `l` is the number of entries of [`TAIL`] that have more than `l` bits, but at most the place of the last one that a lookup finds.
///
/// No two entries have the same number of bits. So of the entries that have at most as many bits as v, only one can be above v: the
/// first, whose place this is. A v that is rounded up to a power of two has one bit more here. If there is an entry with so many bits, v is
/// below it and is counted by that comparison; the next entry, which then is not looked at, is not above v, for no entry is as near to a power of two.
pub static LONGER: [u8; 128] = {
    let mut table = [0; 128];
    let mut i = 0;
    let mut before = WIDEST + 1;
    while i < TAIL.len() {
        let t = TAIL[i];
        let (mut bits, mut above) = (0, 1);
        while above <= t {
            (bits, above) = (bits + 1, 2 * above);
        }
        assert!(bits < before);
        before = bits;
        // What binary32 has behind the leading one, of a power of two as large as t.
        let near = (above / 2) >> CLEAR;
        assert!(t < 1 << 24 || (i < IN_LOOKUP && t - above / 2 > near && above - t > near));
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

/// Returns how many entries of [`TAIL`] are above v, given as limbs of 24, 24 and 31 bits, the lowest first.
#[inline(always)]
fn base_samples<L: F32s>(isa: L, v: [L::I32; 3]) -> L::I32 {
    let [lows, middles, highs] = hidden(&LIMBS);
    if !L::HAS_LOOKUP {
        let mut z0 = isa.splat_i32(0);
        for i in 0..TAIL.len() {
            let t = [isa.splat_i32(lows[i]), isa.splat_i32(middles[i]), isa.splat_i32(highs[i])];
            z0 = isa.sub_i32(z0, less(isa, v, t));
        }
        return z0;
    }
    // v + 1/2 in binary32, within 2^-21 of it; exact below 2^23. So 0 has an exponent, that of no other v.
    let limb = isa.splat_f32((1 << 24) as f32);
    let near = isa.add_f32(isa.mul_f32(isa.to_f32(v[2]), limb), isa.to_f32(v[1]));
    let near = isa.add_f32(isa.mul_f32(near, limb), isa.add_f32(isa.to_f32(v[0]), isa.splat_f32(0.5)));
    let near = isa.cast_i32(near);
    let bits = isa.sub_i32(isa.shr_i32::<23>(near), isa.splat_i32(126));
    let mut z0 = isa.lookup_u8(hidden(&LONGER), bits);
    let mut t = [z0; 3];
    for (t, limbs) in t.iter_mut().zip([lows, middles, highs]) {
        let (first, _) = limbs.as_chunks::<IN_LOOKUP>();
        *t = isa.lookup_i32(&first[0], z0);
    }
    z0 = isa.sub_i32(z0, less(isa, v, t));
    for t in &lows[IN_LOOKUP..] {
        z0 = isa.count_less_i32(z0, near, isa.cast_i32(isa.to_f32(isa.splat_i32(*t))));
    }
    z0
}

/// Returns the borrow of `v - t`, limb by limb, as 0 or -1.
#[inline(always)]
fn less<L: F32s>(isa: L, v: [L::I32; 3], t: [L::I32; 3]) -> L::I32 {
    let borrow = isa.less_i32(v[0], t[0]);
    let borrow = isa.less_i32(isa.add_i32(v[1], borrow), t[1]);
    isa.less_i32(isa.add_i32(v[2], borrow), t[2])
}

/// Coefficients of a polynomial near `log2(1 + t) / t` on `[0, 1]`, from the lowest degree up.
pub static LOG2: [f32; 8] =
    [1.442_694_7, -0.721_306_8, 0.480_012_46, -0.353_096_35, 0.255_176_35, -0.154_152, 0.062_748_43, -0.012_077_02];

/// Returns `ln x` within `1e-5`. Range: `1 <= x <= 256`.
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
