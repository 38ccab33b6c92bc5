//! 32.32 fixed-point numbers and the transform over them, exactly as the reference solver computes
//! them (specification 2.4.5): which keys exist depends on every bit here.
//!
//! A number is an `i64`, its value times `2^32`; everything wraps at 64 bits. Products are rounded
//! down, halves up, quotients to nearest with ties away from zero.
//!
//! A polynomial of degree `n` becomes `n/2` complex values, real and imaginary parts apart. On the
//! way in, place `rev(j)` holds coefficient `j` and coefficient `j + n/2` (`rev` reverses
//! `logn - 1` bits): in that order each layer joins two contiguous halves, and its roots are
//! contiguous too. The operations on each number are those of the specification, so the bits are.
//!
//! All values are secret; time depends on lengths alone.

use crate::engine::roots::FIXED_ROOTS;
use crate::simd::Simd;

/// `floor(x y)`, wrapping.
#[inline(always)]
pub fn mul(x: i64, y: i64) -> i64 {
    ((i128::from(x) * i128::from(y)) >> 32) as i64
}

/// `x / 2`, rounded up.
#[inline(always)]
fn half(x: i64) -> i64 {
    x.wrapping_add(1) >> 1
}

/// The nearest integer, halves up. Range: what an `i32` holds; wraps.
#[inline(always)]
pub fn round(x: i64) -> i32 {
    (x.wrapping_add(1 << 31) >> 32) as i32
}

/// A complex product with three real ones, in the specification's order.
#[inline(always)]
pub fn mul_complex(a: i64, b: i64, c: i64, d: i64) -> (i64, i64) {
    let z0 = mul(a, c);
    let z1 = mul(b, d);
    let z2 = mul(a.wrapping_add(b), c.wrapping_add(d));
    (z0.wrapping_sub(z1), z2.wrapping_sub(z0.wrapping_add(z1)))
}

/// `|a + ib|^2`.
#[inline(always)]
pub fn norm(a: i64, b: i64) -> i64 {
    mul(a, a).wrapping_add(mul(b, b))
}

/// Place of coefficient `j` in a transform's input of `2^bits` complex values.
#[inline(always)]
pub fn place(j: usize, bits: u32) -> usize {
    // One shift more than needed at a time: a shift by 64 is out of range.
    ((j as u64).reverse_bits() >> 1 >> (63 - bits)) as usize
}

/// Coefficients (in the order of the module's head) to values. `re` and `im` have the same length,
/// a power of two.
#[inline(never)]
pub fn fft<S: Simd>(isa: S, re: &mut [i64], im: &mut [i64]) {
    isa.enter(
        #[inline(always)]
        || {
            let mut half = 1;
            while half < re.len() {
                let wr = &FIXED_ROOTS.re[half..2 * half];
                let wi = &FIXED_ROOTS.im[half..2 * half];
                for (re, im) in re.chunks_exact_mut(2 * half).zip(im.chunks_exact_mut(2 * half)) {
                    let (xr, yr) = re.split_at_mut(half);
                    let (xi, yi) = im.split_at_mut(half);
                    for ((((xr, xi), (yr, yi)), wr), wi) in
                        xr.iter_mut().zip(xi).zip(yr.iter_mut().zip(yi)).zip(wr).zip(wi)
                    {
                        let (zr, zi) = mul_complex(*wr, *wi, *yr, *yi);
                        (*yr, *yi) = (xr.wrapping_sub(zr), xi.wrapping_sub(zi));
                        (*xr, *xi) = (xr.wrapping_add(zr), xi.wrapping_add(zi));
                    }
                }
                half *= 2;
            }
        },
    );
}

/// The inverse of [`fft`], with the specification's roundings.
#[inline(never)]
pub fn ifft<S: Simd>(isa: S, re: &mut [i64], im: &mut [i64]) {
    isa.enter(
        #[inline(always)]
        || {
            let mut half_len = re.len() / 2;
            while half_len > 0 {
                let wr = &FIXED_ROOTS.re[half_len..2 * half_len];
                let wi = &FIXED_ROOTS.im[half_len..2 * half_len];
                for (re, im) in re.chunks_exact_mut(2 * half_len).zip(im.chunks_exact_mut(2 * half_len)) {
                    let (xr, yr) = re.split_at_mut(half_len);
                    let (xi, yi) = im.split_at_mut(half_len);
                    for ((((xr, xi), (yr, yi)), wr), wi) in
                        xr.iter_mut().zip(xi).zip(yr.iter_mut().zip(yi)).zip(wr).zip(wi)
                    {
                        let (dr, di) = (half(xr.wrapping_sub(*yr)), half(xi.wrapping_sub(*yi)));
                        (*xr, *xi) = (half(xr.wrapping_add(*yr)), half(xi.wrapping_add(*yi)));
                        (*yr, *yi) = mul_complex(*wr, wi.wrapping_neg(), dr, di);
                    }
                }
                half_len /= 2;
            }
        },
    );
}

/// Quotients that are computed side by side: one alone is a chain of 65 dependent steps.
const LANES: usize = 4;

/// `x[i] = x[i] / y[i]`: sign and magnitude, 64 quotient bits by restoring division, then rounded.
///
/// A quotient that does not fit wraps like the reference's, a zero divisor included; a hardware
/// division would be a side channel.
#[inline(never)]
pub fn div_into<S: Simd>(isa: S, x: &mut [i64], y: &[i64]) {
    isa.enter(
        #[inline(always)]
        || {
            let (xs, x_tail) = x.as_chunks_mut::<LANES>();
            let (ys, y_tail) = y.as_chunks::<LANES>();
            for (x, y) in xs.iter_mut().zip(ys) {
                *x = div_lanes(*x, *y);
            }
            for (x, y) in x_tail.iter_mut().zip(y_tail) {
                [*x] = div_lanes([*x], [*y]);
            }
        },
    );
}

/// `x[i] = 1 / x[i]`.
#[inline(never)]
pub fn reciprocal_into<S: Simd>(isa: S, x: &mut [i64]) {
    isa.enter(
        #[inline(always)]
        || {
            let (xs, tail) = x.as_chunks_mut::<LANES>();
            for x in xs {
                *x = div_lanes([1 << 32; LANES], *x);
            }
            for x in tail {
                [*x] = div_lanes([1 << 32], [*x]);
            }
        },
    );
}

#[inline(always)]
fn div_lanes<const N: usize>(x: [i64; N], y: [i64; N]) -> [i64; N] {
    let ax = x.map(i64::unsigned_abs);
    let ay = y.map(i64::unsigned_abs);
    let mut q = [0u64; N];
    let mut rest = ax.map(|x| x >> 31);
    // The bits of x that come in, from the top.
    let mut feed = ax.map(|x| x << 33);
    for _ in 0..64 {
        for i in 0..N {
            let d = rest[i].wrapping_sub(ay[i]);
            // All ones when the divisor does not fit.
            let less = ((d as i64) >> 63) as u64;
            // The complement of the quotient bit goes in.
            q[i] = (q[i] << 1).wrapping_sub(less);
            rest[i] = (d.wrapping_add(ay[i] & less) << 1) | (feed[i] >> 63);
            feed[i] <<= 1;
        }
    }
    core::array::from_fn(|i| {
        let less = rest[i].wrapping_sub(ay[i]) >> 63;
        let q = (!q[i]).wrapping_add(1 ^ less);
        let minus = ((x[i] ^ y[i]) >> 63) as u64;
        ((q ^ minus).wrapping_sub(minus)) as i64
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Emulated;

    fn next(r: &mut u64) -> i64 {
        *r ^= *r << 13;
        *r ^= *r >> 7;
        *r ^= *r << 17;
        r.wrapping_mul(0x2545_f491_4f6c_dd1d) as i64
    }

    #[test]
    fn quotients_are_rounded_to_nearest() {
        let mut r = 1u64;
        for _ in 0..4000 {
            let shifts = next(&mut r);
            let x = next(&mut r) >> (2 + (shifts & 31));
            let y = next(&mut r) >> (2 + (shifts >> 8 & 31));
            if y == 0 {
                continue;
            }
            let (ax, ay) = (u128::from(x.unsigned_abs()), u128::from(y.unsigned_abs()));
            let q = ((ax << 33) + ay) / (2 * ay);
            if q >> 63 != 0 {
                continue;
            }
            let want = if (x < 0) == (y < 0) { q as i64 } else { -(q as i64) };
            let mut got = [x; 5];
            div_into(Emulated, &mut got, &[y; 5]);
            assert_eq!(got, [want; 5], "{x} / {y}");
        }
    }

    /// The specification's loop, in its natural order.
    #[test]
    fn transform_is_the_published_one() {
        let published = |k: usize| {
            let level = k.ilog2();
            let e = (1 << level >> 1) + place(k - (1 << level), level - 1);
            (FIXED_ROOTS.re[e], FIXED_ROOTS.im[e])
        };
        let mut r = 7u64;
        for logn in 1..=10u32 {
            let n = 1usize << logn;
            let hn = n / 2;
            let a: Vec<i64> = (0..n).map(|_| next(&mut r) >> 20).collect();
            let mut f = a.clone();
            let mut t = hn;
            for lm in 1..logn {
                let m = 1 << lm;
                let ht = t / 2;
                for i in 0..m / 2 {
                    let (sr, si) = published(m + i);
                    for j in i * t..i * t + ht {
                        let (zr, zi) = mul_complex(sr, si, f[j + ht], f[j + ht + hn]);
                        let (xr, xi) = (f[j], f[j + hn]);
                        (f[j], f[j + hn]) = (xr + zr, xi + zi);
                        (f[j + ht], f[j + ht + hn]) = (xr - zr, xi - zi);
                    }
                }
                t = ht;
            }
            let (mut re, mut im) = (vec![0; hn], vec![0; hn]);
            for j in 0..hn {
                re[place(j, logn - 1)] = a[j];
                im[place(j, logn - 1)] = a[j + hn];
            }
            fft(Emulated, &mut re, &mut im);
            for j in 0..hn {
                let p = place(j, logn - 1);
                assert_eq!((f[j], f[j + hn]), (re[p], im[p]));
            }
            ifft(Emulated, &mut re, &mut im);
            for j in 0..hn {
                let p = place(j, logn - 1);
                assert!((re[p] - a[j]).abs() < 1 << 18 && (im[p] - a[j + hn]).abs() < 1 << 18);
            }
        }
    }
}
