//! Computes the modular inverse at the bottom of the tower.
//!
//! Specification 2.4.5a needs the smallest `v >= 0` with `Res(f) u - Res(g) v = 1`. A single
//! inverse is sufficient: `v = -1/Res(g)` modulo `Res(f)`. `u` is only needed for `G`, which this
//! solver does not compute. The method is the binary GCD in ePrint 2020/972. The code repeats an
//! update: it makes two times 31 steps on 64-bit approximations, and then applies all 62 steps to
//! the long numbers. There are four cofactors, the factors by which the inputs are multiplied. The
//! code keeps only the two factors for the input `y = Res(g)`. These two factors are not reduced,
//! and grow by 62 bits in each update. A single Montgomery reduction at the end is sufficient. Four
//! reduced cofactors would need four times as much work.
//!
//! The number of limbs (62-bit digits) that an update processes follows a public schedule. In each
//! update, the two numbers together become at least 62 bits (a limb) shorter, and their lengths
//! differ by at most a few dozen bits. Therefore, each number has about half as many limbs as there
//! are remaining updates. The schedule adds [`SLACK`] limbs to this number. With probability less
//! than `2^-200`, the number of limbs is too small. In this case, the code reports that the numbers
//! are not coprime.

use super::limbs::{BITS, MASK, sign_extended};
use crate::simd::constant_time_u64::{leading_zeros, shl_u64, shr_u64};
use crate::simd::ct::{barrier_u64, less_u64};

/// The number of steps with an approximation. An update makes twice as many steps, which is the bit
/// count for a limb.
const STEPS: usize = BITS / 2;
/// A mask for the low [`STEPS`] bits.
const LOW: u64 = (1 << STEPS) - 1;
/// The number of limbs in addition to the expected length.
const SLACK: usize = 4;

/// Returns the number of updates for numbers with `len` limbs.
const fn passes(len: usize) -> usize {
    2 * len
}

/// Returns how much work memory [`neg_inverse_into`] needs, in limbs.
pub const fn work_len(len: usize) -> usize {
    2 * len + 2 * (passes(len) + 1)
}

/// The effect of 31 steps: `(a, b) -> (f0 a + g0 b, f1 a + g1 b) / 2^31`. Both `|f0| + |g0|` and
/// `|f1| + |g1|` are at most `2^31`. For 62 steps, replace `2^31` by `2^62`.
#[derive(Clone, Copy)]
struct StepMatrix {
    f0: i64,
    g0: i64,
    f1: i64,
    g1: i64,
}

impl StepMatrix {
    /// Negates the first row if the mask `first` is set, and the second row if the mask `second` is
    /// set.
    #[inline(always)]
    fn negate_rows(self, first: i64, second: i64) -> Self {
        let flip = |x: i64, minus: i64| (x ^ minus) - minus;
        let Self { f0, g0, f1, g1 } = self;
        Self { f0: flip(f0, first), g0: flip(g0, first), f1: flip(f1, second), g1: flip(g1, second) }
    }

    /// Returns the effect of `self` followed by `next`.
    #[inline(always)]
    fn followed_by(self, next: Self) -> Self {
        Self {
            f0: next.f0 * self.f0 + next.g0 * self.f1,
            g0: next.f0 * self.g0 + next.g0 * self.g1,
            f1: next.f1 * self.f0 + next.g1 * self.f1,
            g1: next.f1 * self.g0 + next.g1 * self.g1,
        }
    }
}

/// Makes 31 steps of the binary GCD on the approximations that [`approximate`] returns for two
/// numbers. The low 31 bits of the approximations are exact. In the first of two calls, the high 33
/// bits are exact, too.
#[inline(always)]
fn steps(mut a: u64, mut b: u64) -> StepMatrix {
    let mut f0 = 1u64;
    let mut g0 = 0u64;
    let mut f1 = 0u64;
    let mut g1 = 1u64;
    for _ in 0..STEPS {
        let odd = barrier_u64((a & 1).wrapping_neg());
        let swap = barrier_u64(odd & less_u64(a, b).wrapping_neg());
        let t = (a ^ b) & swap;
        a ^= t;
        b ^= t;
        let t = (f0 ^ f1) & swap;
        f0 ^= t;
        f1 ^= t;
        let t = (g0 ^ g1) & swap;
        g0 ^= t;
        g1 ^= t;
        a = a.wrapping_sub(b & odd) >> 1;
        f0 = f0.wrapping_sub(f1 & odd);
        g0 = g0.wrapping_sub(g1 & odd);
        f1 = f1.wrapping_shl(1);
        g1 = g1.wrapping_shl(1);
    }
    StepMatrix { f0: f0 as i64, g0: g0 as i64, f1: f1 as i64, g1: g1 as i64 }
}

/// Negates `x` if the mask `minus` is set. If `minus` is the sign of `x` and the top limb is
/// masked, this computes `|x|`.
#[inline(always)]
fn negate_if(x: &mut [i64], minus: i64) {
    let mut carry = minus & 1;
    for x in x {
        let t = ((*x ^ minus) & MASK) + carry;
        *x = t & MASK;
        carry = t >> BITS;
    }
}

/// Applies a matrix for 62 steps to the pair, which becomes 62 bits shorter. If a result is
/// negative, this function negates the result and its row in the returned matrix. The pair
/// therefore stays non-negative.
#[inline(always)]
fn update_pair(a: &mut [i64], b: &mut [i64], m: StepMatrix) -> StepMatrix {
    let mut ca = 0i128;
    let mut cb = 0i128;
    let last = a.len() - 1;
    for i in 0..=last {
        let x = i128::from(a[i]);
        let y = i128::from(b[i]);
        ca += x * i128::from(m.f0) + y * i128::from(m.g0);
        cb += x * i128::from(m.f1) + y * i128::from(m.g1);
        // After the steps, the lowest limb is zero, so it is not stored.
        if i > 0 {
            a[i - 1] = ca as i64 & MASK;
            b[i - 1] = cb as i64 & MASK;
        }
        ca >>= BITS;
        cb >>= BITS;
    }
    a[last] = ca as i64 & MASK;
    b[last] = cb as i64 & MASK;
    let ma = ca as i64 >> 63;
    let mb = cb as i64 >> 63;
    negate_if(a, ma);
    negate_if(b, mb);
    m.negate_rows(ma, mb)
}

/// Applies a matrix for 62 steps to the cofactors, which are signed and become 62 bits longer.
#[inline(always)]
fn update_cofactors(u: &mut [i64], v: &mut [i64], m: StepMatrix) {
    let mut cu = 0i128;
    let mut cv = 0i128;
    for (u, v) in u.iter_mut().zip(v.iter_mut()) {
        let x = i128::from(*u);
        let y = i128::from(*v);
        cu += x * i128::from(m.f0) + y * i128::from(m.g0);
        cv += x * i128::from(m.f1) + y * i128::from(m.g1);
        *u = cu as i64 & MASK;
        *v = cv as i64 & MASK;
        cu >>= BITS;
        cv >>= BITS;
    }
    for x in [u, v] {
        if let Some(top) = x.last_mut() {
            *top = sign_extended(*top);
        }
    }
}

/// Returns the highest bits of `a` and `b`, two limbs for each number. Both numbers are shifted by
/// the same distance, so that the larger number's highest bit is the second limb's highest bit. If
/// both numbers are below `2^124`, returns the numbers without a shift.
#[inline(always)]
fn upper_parts(a: &[i64], b: &[i64]) -> ([u64; 2], [u64; 2]) {
    let mut top_a = [0u64; 3];
    let mut top_b = [0u64; 3];
    let mut is_found = 0u64;
    for i in (2..a.len()).rev() {
        let nonzero_bits = (a[i] | b[i]) as u64;
        let is_top = barrier_u64((nonzero_bits.wrapping_neg() as i64 >> 63) as u64) & !is_found;
        for j in 0..3 {
            top_a[j] |= a[i - 2 + j] as u64 & is_top;
            top_b[j] |= b[i - 2 + j] as u64 & is_top;
        }
        is_found |= is_top;
    }
    // The shift moves the highest bit to bit 61.
    let shift = leading_zeros((top_a[2] | top_b[2]) << 1 | 1) - 1;
    let shift = shift & is_found as u32;
    let shifted_top = |top: [u64; 3], x: &[i64]| {
        let [low, high] =
            [0, 1].map(|j| (shl_u64(top[j + 1], shift) | shr_u64(top[j], BITS as u32 - shift)) & MASK as u64);
        let second = if x.len() > 1 { x[1] as u64 } else { 0 };
        [(low & is_found) | (x[0] as u64 & !is_found), (high & is_found) | (second & !is_found)]
    };
    (shifted_top(top_a, a), shifted_top(top_b, b))
}

/// Returns 64-bit approximations for two numbers, which are given by their upper parts, `a` and
/// `b`, and by their lowest limbs, `low`. An approximation consists of the number's low 31 bits,
/// and of 33 bits that start at the position of the larger number's highest bit. If both numbers
/// are below `2^62`, returns the numbers.
#[inline(always)]
fn approximate(a: [u64; 2], b: [u64; 2], low: [u64; 2]) -> (u64, u64) {
    let nonzero_bits = a[1] | b[1];
    let is_long = barrier_u64((nonzero_bits.wrapping_neg() as i64 >> 63) as u64);
    let shift = leading_zeros(nonzero_bits << 1 | 1) - 1;
    let shift = shift & is_long as u32;
    let append_low = |x: [u64; 2], low: u64| {
        let top = (shl_u64(x[1], shift) | shr_u64(x[0], BITS as u32 - shift)) >> 29;
        let joined = top << STEPS | (low & LOW);
        (joined & is_long) | (low & !is_long)
    };
    (append_low(a, low[0]), append_low(b, low[1]))
}

/// Makes 62 steps with two approximations.
#[inline(always)]
fn long_steps(a: &[i64], b: &[i64]) -> StepMatrix {
    let (x, y) = upper_parts(a, b);
    let low = [a[0] as u64, b[0] as u64];
    let (xa, xb) = approximate(x, y, low);
    let m = steps(xa, xb);
    // Apply the matrix to the upper parts, and divide by 2^31. The division drops the low 31 bits,
    // which are zero if the upper parts are the complete numbers.
    let updated_row = |f: i64, g: i64| {
        let product_limb = |i: usize| i128::from(x[i]) * i128::from(f) + i128::from(y[i]) * i128::from(g);
        let p = product_limb(0);
        let high = product_limb(1) + (p >> BITS);
        let low_limb = p as i64 & MASK;
        let high_limb = high as i64 & MASK;
        let sign = (high >> BITS) as i64;
        let mut z = [low_limb >> STEPS | (high_limb << STEPS & MASK), high_limb >> STEPS | (sign << STEPS & MASK)];
        let minus = sign >> 63;
        negate_if(&mut z, minus);
        let exact_low = (low[0] as i64).wrapping_mul(f).wrapping_add((low[1] as i64).wrapping_mul(g));
        // Only the low 31 bits are needed. If the upper parts are the complete numbers, the bits
        // above them come from `x` and `y`.
        let exact_low = ((exact_low & MASK) >> STEPS ^ minus) - minus;
        (z.map(|z| z as u64), exact_low as u64, minus)
    };
    let (x, low_a, ma) = updated_row(m.f0, m.g0);
    let (y, low_b, mb) = updated_row(m.f1, m.g1);
    // If `x` and `y` are both below 2^62, `approximate` uses them as exact values. They are exact
    // if the two numbers were below 2^124 before these 31 steps, which is almost always true.
    let low = [(x[0] & !LOW) | (low_a & LOW), (y[0] & !LOW) | (low_b & LOW)];
    let (xa, xb) = approximate(x, y, low);
    m.negate_rows(ma, mb).followed_by(steps(xa, xb))
}

/// Computes `out = -y^-1 mod m` in `[0, m)`, and returns whether `gcd(y, m) = 1`. Only the return
/// value is public. `y` and `m` are odd and positive, and have as many limbs as `out`. `work` has
/// [`work_len`] limbs. If `is_stopped` returns `true` because the caller no longer needs the
/// inverse, the return value is `false`.
// This function does not enable a level's instructions with `frame!`, because vectors are not
// useful here.
#[inline(never)]
pub fn neg_inverse_into(
    y: &[i64],
    m: &[i64],
    out: &mut [i64],
    work: &mut [i64],
    is_stopped: &dyn Fn() -> bool,
) -> bool {
    let len = m.len();
    let passes = passes(len);
    let wide_len = passes + 1;
    {
        let (u, work) = work.split_at_mut(wide_len);
        let (v, work) = work.split_at_mut(wide_len);
        let (a, work) = work.split_at_mut(len);
        let b = &mut work[..len];
        a.copy_from_slice(y);
        b.copy_from_slice(m);
        u.fill(0);
        v.fill(0);
        (u[0], v[0]) = (1, 0);
        // After p passes: a 2^(62 p) = u y and b 2^(62 p) = v y modulo m.
        for p in 0..passes {
            if p % 16 == 0 && is_stopped() {
                return false;
            }
            let active = ((passes - p).div_ceil(2) + SLACK).min(len);
            let a = &mut a[..active];
            let b = &mut b[..active];
            let matrix = long_steps(a, b);
            let matrix = update_pair(a, b, matrix);
            // There is one more limb than in the previous update, and the sign moves to this limb.
            let grown_len = p + 2;
            for x in [&mut *u, &mut *v] {
                x[grown_len - 1] = x[grown_len - 2] >> 63;
                x[grown_len - 2] &= MASK;
            }
            update_cofactors(&mut u[..grown_len], &mut v[..grown_len], matrix);
        }
        let mut not_one = b[0] ^ 1;
        for x in &b[1..] {
            not_one |= *x;
        }
        u[0] = not_one;
    }
    let coprime = work[0] == 0;
    // Compute v / 2^(62 passes) modulo m. The computation also uses the memory after v, which
    // contained a and b.
    let v = &mut work[wide_len..2 * wide_len + len - 1];
    let sign = v[wide_len - 1] >> 63;
    v[wide_len - 1..].fill(sign & MASK);
    reduce(v, m);
    // Compute `m - r`, where r is the reduced v. If r is 0, this difference is m, so subtract m.
    let mut borrow = 0;
    for ((out, m), r) in out.iter_mut().zip(m).zip(&v[wide_len - 1..]) {
        let d = m - r + borrow;
        *out = d & MASK;
        borrow = d >> BITS;
    }
    let mut borrow = 0;
    for (x, m) in out.iter().zip(m) {
        borrow = (x - m + borrow) >> BITS;
    }
    // If `out < m`, the mask `subtract` is zero.
    let subtract = !barrier_u64(borrow as u64) as i64;
    let mut borrow = 0;
    for (x, m) in out.iter_mut().zip(m) {
        let d = *x - (m & subtract) + borrow;
        *x = d & MASK;
        borrow = d >> BITS;
    }
    coprime
}

/// Reduces `v` with Montgomery's method: a multiple of `m` clears the low limbs, and the upper
/// `m.len()` limbs are the result in `[0, m]`. `v` is in two's complement with masked limbs. If c
/// limbs are cleared, the magnitude of `v` is at most `2^(62 c)`.
#[inline(always)]
fn reduce(v: &mut [i64], m: &[i64]) {
    // -1/m mod 2^62.
    let mut m0 = 1i64;
    for _ in 0..6 {
        m0 = m0.wrapping_mul(2i64.wrapping_add(m[0].wrapping_mul(m0)));
    }
    let mut top_carry = 0;
    for i in 0..v.len() - m.len() {
        let v = &mut v[i..=i + m.len()];
        let q = v[0].wrapping_mul(m0) & MASK;
        let mut carry = 0i128;
        for (v, m) in v.iter_mut().zip(m) {
            carry += i128::from(*v) + i128::from(q) * i128::from(*m);
            *v = carry as i64 & MASK;
            carry >>= BITS;
        }
        let top = &mut v[m.len()];
        let sum = *top + carry as i64 + top_carry;
        *top = sum & MASK;
        top_carry = sum >> BITS;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::falcon::ntru::limbs::tests::{from_big, to_big};
    use num_bigint::BigInt;

    #[test]
    fn computes_the_inverse_or_reports_that_none_exists() {
        let mut r = 88_172_645_463_325_252u64;
        let mut next = || {
            r ^= r << 13;
            r ^= r >> 7;
            r ^= r << 17;
            r.wrapping_mul(0x2545_f491_4f6c_dd1d) as i64 & MASK
        };
        for len in [1, 2, 4, 7, 14, 27, 52, 104] {
            for round in 0..60 {
                let mut number = |zero_limbs: usize| {
                    let mut x: Vec<i64> = (0..len).map(|_| next()).collect();
                    x[len - 1] >>= 2 + 5 * (round % 10);
                    x[0] |= 1;
                    let used_limbs = (len - zero_limbs.min(len - 1)).max(1);
                    x[used_limbs..].fill(0);
                    x
                };
                // Some pairs have very different lengths.
                let (y, m) =
                    (number(if round % 7 == 0 { round } else { 0 }), number(if round % 5 == 4 { 3 } else { 0 }));
                let (mut out, mut work) = (vec![0; len], vec![-1; work_len(len)]);
                let coprime = neg_inverse_into(&y, &m, &mut out, &mut work, &|| false);
                let (y, m, out) = (to_big(&y), to_big(&m), to_big(&out));
                let inverse = y.modinv(&m);
                assert_eq!(coprime, inverse.is_some(), "{len} limbs");
                if let Some(inverse) = inverse {
                    assert_eq!((&m - inverse) % &m, out, "{len} limbs");
                }
            }
        }
        let one = from_big(&BigInt::from(1), 3);
        let mut out = vec![7; 3];
        assert!(neg_inverse_into(&one, &one, &mut out, &mut vec![0; work_len(3)], &|| false));
        assert_eq!(out, [0, 0, 0]);
    }
}
