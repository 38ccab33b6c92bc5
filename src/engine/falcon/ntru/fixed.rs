//! Computes with 32.32 fixed-point numbers and their transform, exactly as the reference solver
//! does (specification 2.4.5). If a single bit in a result were different, a seed could lead to a
//! different key.
//!
//! A number is an `i64` that contains the value times `2^32`. All operations wrap at 64 bits.
//! Products are rounded down, and halves are rounded up. Quotients are rounded to nearest, with
//! ties away from zero.
//!
//! A polynomial of degree `n` is an array of `n/2` complex values, with separate real and imaginary
//! parts. In the input, the complex value at index `rev(j)` consists of coefficient `j` (the real
//! part) and coefficient `j + n/2` (the imaginary part), where `rev` reverses `logn - 1` bits. In
//! this order, each layer joins two contiguous halves, and the roots are also contiguous. The
//! operations on each number are the same as in the specification, so the bits are the same.
//!
//! All values are secret. The time depends only on lengths.

use crate::engine::falcon::roots::{FIXED_ROOTS, HAS_NO_SINES, sine_of};
use crate::simd::{I64s, Simd, frame, mul_fixed};

/// Rounds to the nearest integer, and rounds halves up. The result wraps outside the `i32` range.
#[inline(always)]
pub fn round(x: i64) -> i32 {
    (x.wrapping_add(1 << 31) >> 32) as i32
}

/// Returns the product of `a + ib` and `c + id`, with three real products in the same order as in
/// the specification.
#[inline(always)]
fn mul_complex<S: Simd>(isa: S, a: S::I64, b: S::I64, c: S::I64, d: S::I64) -> (S::I64, S::I64) {
    let z0 = isa.mul_fixed(a, c);
    let z1 = isa.mul_fixed(b, d);
    let z2 = isa.mul_fixed(isa.add_i64(a, b), isa.add_i64(c, d));
    (isa.sub_i64(z0, z1), isa.sub_i64(z2, isa.add_i64(z0, z1)))
}

/// Returns `|a + ib|^2`.
#[inline(always)]
pub fn norm(a: i64, b: i64) -> i64 {
    mul_fixed(a, a).wrapping_add(mul_fixed(b, b))
}

/// Returns the index for coefficient `j` in the input for a transform with `2^bits` complex values.
#[inline(always)]
pub fn place(j: usize, bits: u32) -> usize {
    // The separate shift by 1 avoids a shift by 64, which is out of range.
    ((j as u64).reverse_bits() >> 1 >> (63 - bits)) as usize
}

/// Returns whether a row (an array of numbers) is shorter than two vectors. If it is, the functions
/// in this file use vectors with half the length.
#[inline(always)]
fn is_short<S: Simd>(len: usize) -> bool {
    S::LANES_I64 > 1 && len < 2 * S::LANES_I64
}

/// Calls `f` with the first index of each vector in a row with `len` values.
#[inline(always)]
fn for_each_vector<S: Simd>(len: usize, mut f: impl FnMut(usize)) {
    debug_assert!(len.is_multiple_of(S::LANES_I64));
    let mut at = 0;
    while at < len {
        f(at);
        at += S::LANES_I64;
    }
}

/// The number of lanes in the longest vector.
const MAX_LANES: usize = 8;

/// The roots for the layers that join blocks with 1, 2 and 4 values. The roots are repeated to fill
/// a vector.
static SHORT_ROOTS: [[[i64; MAX_LANES]; 2]; 3] = {
    let mut t = [[[0; MAX_LANES]; 2]; 3];
    let mut layer = 0;
    while layer < 3 {
        let mut i = 0;
        while i < MAX_LANES {
            let at = (1 << layer) + i % (1 << layer);
            t[layer][0][i] = FIXED_ROOTS.re[at];
            t[layer][1][i] = FIXED_ROOTS.im[at];
            i += 1;
        }
        layer += 1;
    }
    t
};

/// The roots for a layer.
#[derive(Clone, Copy)]
struct LayerRoots {
    re: &'static [i64],
    im: &'static [i64],
}

impl LayerRoots {
    /// Returns the roots for the layer that joins blocks with `half` values.
    #[inline(always)]
    fn new(half: usize) -> Self {
        let im = if HAS_NO_SINES { &[] } else { &FIXED_ROOTS.im[half..2 * half] };
        Self { re: &FIXED_ROOTS.re[half..2 * half], im }
    }

    /// Returns a vector with the roots from index `i` on.
    #[inline(always)]
    fn at<S: Simd>(self, isa: S, i: usize) -> FixedComplex<S> {
        let re = isa.load_i64(&self.re[i..]);
        // If the table has no sines, the program has no vectors, so there is a single lane.
        (re, if HAS_NO_SINES { isa.load_i64(&[sine_of(self.re, i)]) } else { isa.load_i64(&self.im[i..]) })
    }
}

/// Transforms coefficients to values. The module documentation describes the order of the
/// coefficients. `re` and `im` have the same length, a power of two.
#[inline(never)]
pub fn fft<S: Simd>(isa: S, re: &mut [i64], im: &mut [i64]) {
    if is_short::<S>(re.len()) {
        return fft(isa.half().integers(), re, im);
    }
    frame!(isa, {
        fft_within::<S, 1>(isa, re, im);
        fft_within::<S, 2>(isa, re, im);
        fft_within::<S, 4>(isa, re, im);
        let mut half = S::LANES_I64;
        while half < re.len() {
            let roots = LayerRoots::new(half);
            let mut block = 0;
            while block < re.len() {
                let (xr, yr) = re[block..block + 2 * half].split_at_mut(half);
                let (xi, yi) = im[block..block + 2 * half].split_at_mut(half);
                for_each_vector::<S>(
                    half,
                    #[inline(always)]
                    |i| {
                        let ar = isa.load_i64(&xr[i..]);
                        let ai = isa.load_i64(&xi[i..]);
                        let br = isa.load_i64(&yr[i..]);
                        let bi = isa.load_i64(&yi[i..]);
                        let (wr, wi) = roots.at(isa, i);
                        let (zr, zi) = mul_complex(isa, wr, wi, br, bi);
                        isa.store_i64(isa.add_i64(ar, zr), &mut xr[i..]);
                        isa.store_i64(isa.add_i64(ai, zi), &mut xi[i..]);
                        isa.store_i64(isa.sub_i64(ar, zr), &mut yr[i..]);
                        isa.store_i64(isa.sub_i64(ai, zi), &mut yi[i..]);
                    },
                );
                block += 2 * half;
            }
            half *= 2;
        }
    });
}

/// Applies the [`fft`] layer that joins blocks with `D` values, if such a block is shorter than a
/// vector.
#[inline(always)]
fn fft_within<S: Simd, const D: usize>(isa: S, re: &mut [i64], im: &mut [i64]) {
    if D >= S::LANES_I64 {
        return;
    }
    let [wr, wi] = &SHORT_ROOTS[D.trailing_zeros() as usize];
    let wr = isa.load_i64(wr);
    let wi = isa.load_i64(wi);
    let len = re.len();
    let mut i = 0;
    while i < len {
        let j = i + S::LANES_I64;
        let (ar, br) = isa.unzip_i64::<D>(isa.load_i64(&re[i..]), isa.load_i64(&re[j..]));
        let (ai, bi) = isa.unzip_i64::<D>(isa.load_i64(&im[i..]), isa.load_i64(&im[j..]));
        let (zr, zi) = mul_complex(isa, wr, wi, br, bi);
        let (ar, br) = isa.zip_i64::<D>(isa.add_i64(ar, zr), isa.sub_i64(ar, zr));
        let (ai, bi) = isa.zip_i64::<D>(isa.add_i64(ai, zi), isa.sub_i64(ai, zi));
        isa.store_i64(ar, &mut re[i..]);
        isa.store_i64(br, &mut re[j..]);
        isa.store_i64(ai, &mut im[i..]);
        isa.store_i64(bi, &mut im[j..]);
        i += 2 * S::LANES_I64;
    }
}

/// Computes the inverse of [`fft`], with the same roundings as the specification.
#[inline(never)]
pub fn ifft<S: Simd>(isa: S, re: &mut [i64], im: &mut [i64]) {
    if is_short::<S>(re.len()) {
        return ifft(isa.half().integers(), re, im);
    }
    frame!(isa, {
        let mut half = re.len() / 2;
        while half >= S::LANES_I64 {
            let roots = LayerRoots::new(half);
            let mut block = 0;
            while block < re.len() {
                let (xr, yr) = re[block..block + 2 * half].split_at_mut(half);
                let (xi, yi) = im[block..block + 2 * half].split_at_mut(half);
                for_each_vector::<S>(
                    half,
                    #[inline(always)]
                    |i| {
                        let x = (isa.load_i64(&xr[i..]), isa.load_i64(&xi[i..]));
                        let y = (isa.load_i64(&yr[i..]), isa.load_i64(&yi[i..]));
                        let (x, y) = unjoin(isa, x, y, roots.at(isa, i));
                        isa.store_i64(x.0, &mut xr[i..]);
                        isa.store_i64(x.1, &mut xi[i..]);
                        isa.store_i64(y.0, &mut yr[i..]);
                        isa.store_i64(y.1, &mut yi[i..]);
                    },
                );
                block += 2 * half;
            }
            half /= 2;
        }
        ifft_within::<S, 4>(isa, re, im);
        ifft_within::<S, 2>(isa, re, im);
        ifft_within::<S, 1>(isa, re, im);
    });
}

/// A vector with complex values: real parts, then imaginary parts.
type FixedComplex<S> = (<S as I64s>::I64, <S as I64s>::I64);

/// Undoes a step in an [`fft`] layer. Returns half the sum, and half the difference times the
/// root's conjugate.
#[inline(always)]
fn unjoin<S: Simd>(
    isa: S,
    x: FixedComplex<S>,
    y: FixedComplex<S>,
    w: FixedComplex<S>,
) -> (FixedComplex<S>, FixedComplex<S>) {
    let half_sum = (isa.half_i64(isa.add_i64(x.0, y.0)), isa.half_i64(isa.add_i64(x.1, y.1)));
    let dr = isa.half_i64(isa.sub_i64(x.0, y.0));
    let di = isa.half_i64(isa.sub_i64(x.1, y.1));
    let minus = isa.sub_i64(isa.sub_i64(w.1, w.1), w.1);
    (half_sum, mul_complex(isa, w.0, minus, dr, di))
}

/// Computes the inverse of [`fft_within`].
#[inline(always)]
fn ifft_within<S: Simd, const D: usize>(isa: S, re: &mut [i64], im: &mut [i64]) {
    if D >= S::LANES_I64 {
        return;
    }
    let [wr, wi] = &SHORT_ROOTS[D.trailing_zeros() as usize];
    let w = (isa.load_i64(wr), isa.load_i64(wi));
    let len = re.len();
    let mut i = 0;
    while i < len {
        let j = i + S::LANES_I64;
        let (ar, br) = isa.unzip_i64::<D>(isa.load_i64(&re[i..]), isa.load_i64(&re[j..]));
        let (ai, bi) = isa.unzip_i64::<D>(isa.load_i64(&im[i..]), isa.load_i64(&im[j..]));
        let (a, b) = unjoin(isa, (ar, ai), (br, bi), w);
        let (ar, br) = isa.zip_i64::<D>(a.0, b.0);
        let (ai, bi) = isa.zip_i64::<D>(a.1, b.1);
        isa.store_i64(ar, &mut re[i..]);
        isa.store_i64(br, &mut re[j..]);
        isa.store_i64(ai, &mut im[i..]);
        isa.store_i64(bi, &mut im[j..]);
        i += 2 * S::LANES_I64;
    }
}

/// Computes `x = x y` for each value.
#[inline(never)]
pub fn mul_into<S: Simd>(isa: S, xr: &mut [i64], xi: &mut [i64], yr: &[i64], yi: &[i64]) {
    if is_short::<S>(xr.len()) {
        return mul_into(isa.half().integers(), xr, xi, yr, yi);
    }
    frame!(isa, {
        let len = xr.len();
        for_each_vector::<S>(
            len,
            #[inline(always)]
            |i| {
                let ar = isa.load_i64(&xr[i..]);
                let ai = isa.load_i64(&xi[i..]);
                let (zr, zi) = mul_complex(isa, ar, ai, isa.load_i64(&yr[i..]), isa.load_i64(&yi[i..]));
                isa.store_i64(zr, &mut xr[i..]);
                isa.store_i64(zi, &mut xi[i..]);
            },
        );
    });
}

/// The number of quotients that are computed together. A quotient is a chain of 65 steps, and each
/// step needs the result of the step before. A processor can compute several such chains in the
/// time of one chain.
const LANES: usize = 4;

/// Computes `x[i] = x[i] / y[i]`. The code divides the magnitudes with a restoring division, which
/// computes 64 quotient bits. Then it rounds the quotient, and sets the sign.
///
/// If a quotient does not fit, or if the divisor is zero, the result has the same bits as in the
/// reference. A hardware division would be a side channel.
#[inline(never)]
pub fn div_into<S: Simd>(isa: S, x: &mut [i64], y: &[i64]) {
    frame!(isa, {
        let (xs, x_tail) = x.as_chunks_mut::<LANES>();
        let (ys, y_tail) = y.as_chunks::<LANES>();
        for (x, y) in xs.iter_mut().zip(ys) {
            *x = div_lanes(*x, *y);
        }
        for (x, y) in x_tail.iter_mut().zip(y_tail) {
            [*x] = div_lanes([*x], [*y]);
        }
    });
}

/// Computes `x[i] = 1 / x[i]` in the same way as [`div_into`].
#[inline(never)]
pub fn reciprocal_into<S: Simd>(isa: S, x: &mut [i64]) {
    frame!(isa, {
        let (xs, tail) = x.as_chunks_mut::<LANES>();
        for x in xs {
            *x = div_lanes([1 << 32; LANES], *x);
        }
        for x in tail {
            [*x] = div_lanes([1 << 32], [*x]);
        }
    });
}

/// Returns `x[i] / y[i]` for all i, computed as in [`div_into`].
#[inline(always)]
fn div_lanes<const N: usize>(x: [i64; N], y: [i64; N]) -> [i64; N] {
    let ax = x.map(i64::unsigned_abs);
    let ay = y.map(i64::unsigned_abs);
    let mut q = [0u64; N];
    let mut remainder = ax.map(|x| x >> 31);
    // The bits in x that are still to be shifted into the remainder, starting at the top.
    let mut next_bits = ax.map(|x| x << 33);
    for _ in 0..64 {
        for i in 0..N {
            let d = remainder[i].wrapping_sub(ay[i]);
            // The mask `is_less` is set if the divisor is larger than the remainder.
            let is_less = ((d as i64) >> 63) as u64;
            // If the mask is set, the quotient bit is 0. `q` collects the inverted quotient bits.
            q[i] = (q[i] << 1).wrapping_sub(is_less);
            remainder[i] = (d.wrapping_add(ay[i] & is_less) << 1) | (next_bits[i] >> 63);
            next_bits[i] <<= 1;
        }
    }
    core::array::from_fn(|i| {
        let is_less = remainder[i].wrapping_sub(ay[i]) >> 63;
        let q = (!q[i]).wrapping_add(1 ^ is_less);
        let minus = ((x[i] ^ y[i]) >> 63) as u64;
        ((q ^ minus).wrapping_sub(minus)) as i64
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::check::laws::on_every_level;
    use crate::simd::{Emulated, WithSimd};

    /// Returns the next pseudorandom number from the state `r`.
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
            let expected = if (x < 0) == (y < 0) { q as i64 } else { -(q as i64) };
            let mut quotients = [x; 5];
            div_into(Emulated, &mut quotients, &[y; 5]);
            assert_eq!(quotients, [expected; 5], "{x} / {y}");
        }
    }

    /// Compares the transform with the loop in the specification, which is in natural order.
    #[derive(Clone, Copy)]
    struct PublishedTransform;

    impl WithSimd for PublishedTransform {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
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
                            let (zr, zi) = mul_complex(Emulated, sr, si, f[j + ht], f[j + ht + hn]);
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
                fft(isa, &mut re, &mut im);
                for j in 0..hn {
                    let p = place(j, logn - 1);
                    assert_eq!((f[j], f[j + hn]), (re[p], im[p]));
                }
                ifft(isa, &mut re, &mut im);
                for j in 0..hn {
                    let p = place(j, logn - 1);
                    assert!((re[p] - a[j]).abs() < 1 << 18 && (im[p] - a[j + hn]).abs() < 1 << 18);
                }
            }
        }
    }

    #[test]
    fn transform_equals_the_published_transform() {
        on_every_level(PublishedTransform);
    }

    /// Checks that all levels compute the same bits, even if the numbers wrap.
    #[derive(Clone, Copy)]
    struct SameBits;

    impl WithSimd for SameBits {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            let mut r = 9u64;
            let edges = [0, 1, -1, i64::MAX, i64::MIN, 1 << 32, -1 << 32, 0xffff_ffff, -0xffff_ffff];
            for len in [1usize, 2, 4, 8, 16, 64] {
                for round in 0..20 {
                    let mut row = || {
                        let shift = next(&mut r) & 31;
                        let pick = |x: i64| if round % 2 == 0 { edges[x as usize % 9] } else { x >> shift };
                        (0..len).map(|_| pick(next(&mut r))).collect::<Vec<_>>()
                    };
                    let rows = [row(), row(), row(), row()];
                    let all = |run: &dyn Fn(&mut [Vec<i64>; 4])| {
                        let mut rows = rows.clone();
                        run(&mut rows);
                        rows
                    };
                    let results = [
                        all(&|[a, b, ..]| fft(isa, a, b)),
                        all(&|[a, b, ..]| ifft(isa, a, b)),
                        all(&|[a, b, c, d]| mul_into(isa, a, b, c, d)),
                    ];
                    let expected = [
                        all(&|[a, b, ..]| fft(Emulated, a, b)),
                        all(&|[a, b, ..]| ifft(Emulated, a, b)),
                        all(&|[a, b, c, d]| mul_into(Emulated, a, b, c, d)),
                    ];
                    assert_eq!(results, expected, "{}, {len} values", S::NAME);
                }
            }
        }
    }

    #[test]
    fn every_level_has_the_same_bits() {
        on_every_level(SameBits);
    }
}
