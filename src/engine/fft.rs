//! Polynomials modulo X^n + 1 over binary64, in the transform's domain (specification 2.6).
//!
//! A transformed polynomial of `n` reals is `n/2` complex values: real parts, then imaginary parts.
//! Value `k` of the published order stands at place `rev(k)` (`logn - 1` bits reversed), so that
//! the two polynomials of half the degree that a split yields come from the lower and the upper
//! half, and every row below runs over contiguous memory. The transform is nothing but merges.
//!
//! Each operation is the specification's, in its order, rounded once, never fused: the bits of
//! every value are part of the signature.
//!
//! | value | range |
//! |---|---|
//! | input coefficients | integers, `\|x\| < 2^15` |
//! | transformed, Gram | below `2^40` in magnitude, zero or above `2^-40` |
//!
//! All inputs may be secret; time depends on `logn` alone.

use super::params::MAX_LOGN;
use super::roots::ROOTS;
use crate::simd::{Real, Simd};

/// Runs `f` at the first place of each vector of a row of `len` values.
#[inline(always)]
pub(super) fn each_vector<S: Simd>(len: usize, mut f: impl FnMut(usize)) {
    debug_assert!(len.is_multiple_of(S::LANES_F64));
    let mut at = 0;
    while at < len {
        f(at);
        at += S::LANES_F64;
    }
}

/// Whether a row of `len` values is shorter than a vector. Each row function below then does its work
/// with vectors half as long.
#[inline(always)]
pub(super) fn is_short<S: Simd>(len: usize) -> bool {
    S::LANES_F64 > 1 && len < S::LANES_F64
}

/// A vector of complex values.
#[derive(Clone, Copy)]
pub(super) struct Complex<V> {
    pub re: V,
    pub im: V,
}

/// Loads the complex vector at place `i` of the rows `re` and `im`.
#[inline(always)]
pub(super) fn load<S: Simd>(isa: S, re: &[S::Real], im: &[S::Real], i: usize) -> Complex<S::F64> {
    Complex { re: isa.load_f64(&re[i..]), im: isa.load_f64(&im[i..]) }
}

/// Stores it.
#[inline(always)]
pub(super) fn store<S: Simd>(isa: S, v: Complex<S::F64>, re: &mut [S::Real], im: &mut [S::Real], i: usize) {
    isa.store_f64(v.re, &mut re[i..]);
    isa.store_f64(v.im, &mut im[i..]);
}

/// `a + b`.
#[inline(always)]
pub(super) fn add<S: Simd>(isa: S, a: Complex<S::F64>, b: Complex<S::F64>) -> Complex<S::F64> {
    Complex { re: isa.add_f64(a.re, b.re), im: isa.add_f64(a.im, b.im) }
}

/// `a - b`.
#[inline(always)]
pub(super) fn sub<S: Simd>(isa: S, a: Complex<S::F64>, b: Complex<S::F64>) -> Complex<S::F64> {
    Complex { re: isa.sub_f64(a.re, b.re), im: isa.sub_f64(a.im, b.im) }
}

/// `a b`.
#[inline(always)]
pub(super) fn mul<S: Simd>(isa: S, a: Complex<S::F64>, b: Complex<S::F64>) -> Complex<S::F64> {
    Complex {
        re: isa.sub_f64(isa.mul_f64(a.re, b.re), isa.mul_f64(a.im, b.im)),
        im: isa.add_f64(isa.mul_f64(a.re, b.im), isa.mul_f64(a.im, b.re)),
    }
}

/// `a conj(b)`.
#[inline(always)]
pub(super) fn mul_adj<S: Simd>(isa: S, a: Complex<S::F64>, b: Complex<S::F64>) -> Complex<S::F64> {
    Complex {
        re: isa.add_f64(isa.mul_f64(a.re, b.re), isa.mul_f64(a.im, b.im)),
        im: isa.sub_f64(isa.mul_f64(a.im, b.re), isa.mul_f64(a.re, b.im)),
    }
}

/// `|a|^2`.
#[inline(always)]
pub(super) fn squared<S: Simd>(isa: S, a: Complex<S::F64>) -> S::F64 {
    isa.add_f64(isa.mul_f64(a.re, a.re), isa.mul_f64(a.im, a.im))
}

/// `w_l(p)` for `p = at ..`, the roots that merge two rows of `half = 2^(l-2)` values.
#[inline(always)]
pub(super) fn root<S: Simd>(isa: S, half: usize, at: usize) -> Complex<S::F64> {
    Complex { re: isa.load_bits(&ROOTS.re[half + at..]), im: isa.load_bits(&ROOTS.im[half + at..]) }
}

/// Two complex values of the lower and the upper half, merged: `(x + w y, x - w y)`.
#[inline(always)]
pub(super) fn merged<S: Simd>(
    isa: S,
    x: Complex<S::F64>,
    y: Complex<S::F64>,
    w: Complex<S::F64>,
) -> (Complex<S::F64>, Complex<S::F64>) {
    let y = mul(isa, y, w);
    (add(isa, x, y), sub(isa, x, y))
}

/// `a / 2`.
#[inline(always)]
fn halved<S: Simd>(isa: S, a: Complex<S::F64>) -> Complex<S::F64> {
    Complex { re: isa.half_f64(a.re), im: isa.half_f64(a.im) }
}

/// Undoes [`merged`]: `((a + b) / 2, (a - b) conj(w) / 2)`.
#[inline(always)]
pub(super) fn parted<S: Simd>(
    isa: S,
    a: Complex<S::F64>,
    b: Complex<S::F64>,
    w: Complex<S::F64>,
) -> (Complex<S::F64>, Complex<S::F64>) {
    let (s, d) = (add(isa, a, b), mul_adj(isa, sub(isa, a, b), w));
    (halved(isa, s), halved(isa, d))
}

/// Coefficients `f` into `out`, transformed.
#[inline(never)]
pub fn fft<S: Simd, T: Copy>(isa: S, logn: u32, f: &[T], out: &mut [S::Real], to_i32: impl Fn(T) -> i32) {
    isa.enter(
        #[inline(always)]
        || {
            let half = 1usize << (logn - 1);
            let (re, im) = out.split_at_mut(half);
            for j in 0..half {
                let place = place(j, half);
                re[place] = S::Real::from_i32(to_i32(f[j]));
                im[place] = S::Real::from_i32(to_i32(f[j + half]));
            }
            layers(isa, re, im);
        },
    );
}

/// Merges neighbours, pairs, blocks of four, and so on.
#[inline(always)]
fn layers<S: Simd>(isa: S, re: &mut [S::Real], im: &mut [S::Real]) {
    let mut half = 1;
    while half < re.len() {
        layer(isa, half, re, im);
        half *= 2;
    }
}

/// Merges blocks of `half` values.
#[inline(never)]
fn layer<S: Simd>(isa: S, half: usize, re: &mut [S::Real], im: &mut [S::Real]) {
    if is_short::<S>(half) {
        return layer(isa.half(), half, re, im);
    }
    isa.enter(
        #[inline(always)]
        || {
            for (re, im) in re.chunks_exact_mut(2 * half).zip(im.chunks_exact_mut(2 * half)) {
                let (xre, yre) = re.split_at_mut(half);
                let (xim, yim) = im.split_at_mut(half);
                each_vector::<S>(
                    half,
                    #[inline(always)]
                    |i| {
                        let (x, y) = (load(isa, xre, xim, i), load(isa, yre, yim, i));
                        let (u, v) = merged(isa, x, y, root(isa, half, i));
                        store(isa, u, xre, xim, i);
                        store(isa, v, yre, yim, i);
                    },
                );
            }
        },
    );
}

/// The inverse transform, in place, without the factor `2/n`: `f` ends as `n/2` times the
/// coefficients, places still reversed. [`coefficient`] reads one.
#[inline(never)]
pub fn ifft_unscaled<S: Simd>(isa: S, f: &mut [S::Real]) {
    isa.enter(
        #[inline(always)]
        || {
            let (re, im) = f.split_at_mut(f.len() / 2);
            let mut half = re.len() / 2;
            while half > 0 {
                inverse_layer(isa, half, re, im);
                half /= 2;
            }
        },
    );
}

/// Undoes [`layer`], without the factor 1/2.
#[inline(never)]
fn inverse_layer<S: Simd>(isa: S, half: usize, re: &mut [S::Real], im: &mut [S::Real]) {
    if is_short::<S>(half) {
        return inverse_layer(isa.half(), half, re, im);
    }
    isa.enter(
        #[inline(always)]
        || {
            for (re, im) in re.chunks_exact_mut(2 * half).zip(im.chunks_exact_mut(2 * half)) {
                let (xre, yre) = re.split_at_mut(half);
                let (xim, yim) = im.split_at_mut(half);
                each_vector::<S>(
                    half,
                    #[inline(always)]
                    |i| {
                        let (x, y) = (load(isa, xre, xim, i), load(isa, yre, yim, i));
                        store(isa, add(isa, x, y), xre, xim, i);
                        store(isa, mul_adj(isa, sub(isa, x, y), root(isa, half, i)), yre, yim, i);
                    },
                );
            }
        },
    );
}

/// The coefficients of what [`ifft_unscaled`] left, rounded to the nearest integers, as `residue` gives them. `f` is
/// destroyed.
#[inline(always)]
pub fn coefficients_into<S: Simd>(f: &mut [S::Real], out: &mut [u16], residue: impl Fn(i32) -> u16) {
    let half = f.len() / 2;
    // 2/n is a power of two: the exponent field of 1.0 less log2(n/2).
    let scale = S::Real::from_bits(u64::from(1023 - half.ilog2()) << 52);
    // In order first, for the sake of vectors.
    for x in f.iter_mut() {
        *x = S::Real::from_bits(u64::from(residue((*x * scale).round_i64() as i32)));
    }
    let (low, high) = out.split_at_mut(half);
    for j in 0..half {
        let at = place(j, half);
        low[j] = f[at].to_bits() as u16;
        high[j] = f[half + at].to_bits() as u16;
    }
}

/// Bits of a place at the largest degree.
const PLACE_BITS: u32 = MAX_LOGN - 1;

/// [`PLACE_BITS`] bits reversed.
static REVERSED: [u16; 1 << PLACE_BITS] = {
    let mut table = [0; 1 << PLACE_BITS];
    let mut j = 0;
    while j < table.len() {
        table[j] = (j as u16).reverse_bits() >> (u16::BITS - PLACE_BITS);
        j += 1;
    }
    table
};

/// Where value `j` of `half` stands.
#[inline(always)]
fn place(j: usize, half: usize) -> usize {
    usize::from(REVERSED[j] >> (PLACE_BITS - half.ilog2()))
}

/// `split`: `t`, of `n` reals, into `f0 | f1`, of `n/2` each.
#[inline(always)]
pub fn split_into<S: Simd>(isa: S, t: &[S::Real], f: &mut [S::Real]) {
    if is_short::<S>(t.len() / 4) {
        return split_into(isa.half(), t, f);
    }
    let quarter = t.len() / 4;
    let (tre, tim) = t.split_at(2 * quarter);
    let ((are, bre), (aim, bim)) = (tre.split_at(quarter), tim.split_at(quarter));
    let (f0, f1) = f.split_at_mut(2 * quarter);
    let (f0re, f0im) = f0.split_at_mut(quarter);
    let (f1re, f1im) = f1.split_at_mut(quarter);
    each_vector::<S>(
        quarter,
        #[inline(always)]
        |i| {
            let (a, b) = (load(isa, are, aim, i), load(isa, bre, bim, i));
            let (a, b) = parted(isa, a, b, root(isa, quarter, i));
            store(isa, a, f0re, f0im, i);
            store(isa, b, f1re, f1im, i);
        },
    );
}

/// `merge`: the inverse of [`split_into`].
#[inline(always)]
pub fn merge_into<S: Simd>(isa: S, f: &[S::Real], t: &mut [S::Real]) {
    if is_short::<S>(t.len() / 4) {
        return merge_into(isa.half(), f, t);
    }
    let quarter = t.len() / 4;
    let (tre, tim) = t.split_at_mut(2 * quarter);
    let ((are, bre), (aim, bim)) = (tre.split_at_mut(quarter), tim.split_at_mut(quarter));
    let (f0, f1) = f.split_at(2 * quarter);
    let (f0re, f0im) = f0.split_at(quarter);
    let (f1re, f1im) = f1.split_at(quarter);
    each_vector::<S>(
        quarter,
        #[inline(always)]
        |i| {
            let (x, y) = (load(isa, f0re, f0im, i), load(isa, f1re, f1im, i));
            let (u, v) = merged(isa, x, y, root(isa, quarter, i));
            store(isa, u, are, aim, i);
            store(isa, v, bre, bim, i);
        },
    );
}

/// `out[i] = a[i] b[i] k`, `b` being `out`'s old value and `k` a real.
#[inline(never)]
pub fn mul_scaled_into<S: Simd>(isa: S, out: &mut [S::Real], a: &[S::Real], k: S::Real) {
    if is_short::<S>(out.len() / 2) {
        return mul_scaled_into(isa.half(), out, a, k);
    }
    isa.enter(
        #[inline(always)]
        || {
            let half = out.len() / 2;
            let (ore, oim) = out.split_at_mut(half);
            let (are, aim) = a.split_at(half);
            let k = isa.splat_f64(k);
            each_vector::<S>(
                half,
                #[inline(always)]
                |i| {
                    let p = mul(isa, load(isa, are, aim, i), load(isa, ore, oim, i));
                    store(isa, Complex { re: isa.mul_f64(p.re, k), im: isa.mul_f64(p.im, k) }, ore, oim, i);
                },
            );
        },
    );
}

/// `f[i] = -f[i]`.
#[inline(never)]
pub fn neg_into<S: Simd>(isa: S, f: &mut [S::Real]) {
    if is_short::<S>(f.len()) {
        return neg_into(isa.half(), f);
    }
    isa.enter(
        #[inline(always)]
        || {
            let len = f.len();
            each_vector::<S>(
                len,
                #[inline(always)]
                |i| {
                    let v = isa.neg_f64(isa.load_f64(&f[i..]));
                    isa.store_f64(v, &mut f[i..]);
                },
            );
        },
    );
}
