//! Polynomials modulo X^n + 1 over binary64, in the transform's domain (specification 2.6).
//!
//! A transformed polynomial with `n` reals has `n/2` complex values: first the real parts, then the
//! imaginary parts. Value `k` in the published order is at place `rev(k)` (`logn - 1` bits
//! reversed). In this order, a split combines each value in the lower half with the value at the
//! same place in the upper half, so it reads and writes contiguous memory. The transform is a
//! sequence of merges.
//!
//! The operations and their order are the same as in the specification. Each operation is rounded
//! once, and operations are never fused, because the signature depends on every bit.
//!
//! | value | range |
//! |---|---|
//! | input coefficients | integers, `\|x\| < 2^15` |
//! | transformed values, Gram matrices | magnitude zero, or between `2^-40` and `2^40` |
//!
//! All inputs can be secret. The time depends only on `logn`.

use super::complex::{Complex, add_sub, for_each_vector, is_short, load, merge_pair, mul, mul_adj, root};
use super::complex::{roots_from, scaled, split_pair, store};
use super::params::MAX_LOGN;
use super::roots::ROOTS;
use crate::simd::{Real, RealRows, RowValue, Simd, frame};

/// Returns entry `at` of [`ROOTS`] in every lane.
#[inline(always)]
fn root_splat<S: RealRows>(isa: S, at: usize) -> Complex<S::F64> {
    let re = S::Key::from_bits(ROOTS.re[at]);
    let im = S::Key::from_bits(ROOTS.im[at]);
    Complex { re: isa.splat_f64(re), im: isa.splat_f64(im) }
}

/// The largest number of lanes in an `F64` vector.
const MAX_LANES: usize = 8;

/// A tile: a square block of complex values that is processed in registers. A level (an instruction
/// set) with `k` lanes uses the first `k` vectors in the array, which are the tile's rows.
///
/// Let the bits of a value's index `j` be `(a, m, b)`, where `a` and `b` have as many bits as a
/// lane index. A tile contains the values with the same `m`: `rev(a)` is the row, and `b` is the
/// lane. The place of value `j` in memory is `(rev(b), rev(m), rev(a))`. So if a layer merges
/// values with a distance shorter than a vector, it merges complete rows of the tile. At the end,
/// [`transpose`] converts the tile's columns to the vectors that are stored.
type ComplexTile<S> = [Complex<<S as RealRows>::F64>; MAX_LANES];

/// Returns the tile with rows and columns swapped.
#[inline(always)]
fn transpose<S: RealRows>(isa: S, mut t: ComplexTile<S>) -> ComplexTile<S> {
    // Exchanges blocks with `$d` lanes between the rows `i` and `i + $d`.
    macro_rules! swap {
        ($($d:literal)*) => {$(
            if $d < S::LANES_F64 {
                for i in 0..S::LANES_F64 {
                    if i & $d == 0 {
                        (t[i].re, t[i + $d].re) = isa.interleave_f64::<$d>(t[i].re, t[i + $d].re);
                        (t[i].im, t[i + $d].im) = isa.interleave_f64::<$d>(t[i].im, t[i + $d].im);
                    }
                }
            }
        )*};
    }
    swap!(4 2 1);
    t
}

/// Merges the rows in a tile in pairs. In a pair, the row numbers differ by the distance `D`. If a
/// vector is not longer than `D`, this function does nothing. The distance is a constant, so the
/// compiler unrolls the loop and keeps the tile in registers.
#[inline(always)]
fn merge_rows<S: RealRows, const D: usize>(isa: S, mut t: ComplexTile<S>) -> ComplexTile<S> {
    for r in 0..S::LANES_F64 {
        if D < S::LANES_F64 && r & D == 0 {
            (t[r], t[r + D]) = merge_pair(isa, t[r], t[r + D], root_splat(isa, D + r % D));
        }
    }
    t
}

/// Reverses [`merge_rows`], but does not divide the results by 2.
#[inline(always)]
fn split_rows<S: RealRows, const D: usize>(isa: S, mut t: ComplexTile<S>) -> ComplexTile<S> {
    for r in 0..S::LANES_F64 {
        if D < S::LANES_F64 && r & D == 0 {
            (t[r], t[r + D]) = split_pair_doubled(isa, t[r], t[r + D], root_splat(isa, D + r % D));
        }
    }
    t
}

/// Returns a vector with the first coefficients of `f`, converted by `real`.
#[inline(always)]
fn from_coefficients<S: RealRows, T: Copy>(isa: S, f: &[T], real: &impl Fn(T) -> S::Real) -> S::F64 {
    let mut lanes = [S::Real::ZERO; MAX_LANES];
    for (lane, x) in lanes[..S::LANES_F64].iter_mut().zip(&f[..S::LANES_F64]) {
        *lane = real(*x);
    }
    isa.load_f64(&lanes)
}

/// Converts the lanes with `rounded`, and writes the results to the start of `out`.
#[inline(always)]
fn to_coefficients<S: RealRows, T>(isa: S, v: S::F64, out: &mut [T], rounded: &impl Fn(S::Real) -> T) {
    let mut lanes = [S::Real::ZERO; MAX_LANES];
    isa.store_f64(v, &mut lanes);
    for (out, x) in out[..S::LANES_F64].iter_mut().zip(&lanes[..S::LANES_F64]) {
        *out = rounded(*x);
    }
}

/// Converts the n coefficients in `f` to integers with `to_i32`, and writes their transform to
/// `out`, which has n reals.
#[inline(always)]
pub fn fft<S: Simd, T: Copy>(isa: S, logn: u32, f: &[T], out: &mut [S::Real], to_i32: impl Fn(T) -> i32) {
    fft_with(isa, logn, f, out, to_real(to_i32));
}

/// Returns a closure that converts a value with `to_i32` and then to a real number. The closure
/// type depends only on the real type, so levels with the same real type share the closure's code.
#[inline(always)]
fn to_real<R: Real, T>(to_i32: impl Fn(T) -> i32) -> impl Fn(T) -> R {
    #[inline(always)]
    move |x| R::from_i32(to_i32(x))
}

/// Converts the n coefficients in `f` to reals with `real`, and writes their transform to `out`,
/// which has n reals.
#[inline(never)]
pub fn fft_with<S: RealRows, T: Copy>(isa: S, logn: u32, f: &[T], out: &mut [S::Real], real: impl Fn(T) -> S::Real) {
    if is_short::<S>((1 << (logn - 1)) / S::LANES_F64) {
        return fft_with(isa.short(), logn, f, out, real);
    }
    frame!(isa, {
        let half = 1usize << (logn - 1);
        let lanes = S::LANES_F64;
        let (low, high) = f.split_at(half);
        let (re, im) = out.split_at_mut(half);
        let stride = half / lanes;
        // With a single lane, a tile has a single value, and transposing does not change it. So the
        // code stores each value directly, without a tile on the stack.
        let untransposed_len = if lanes == 1 { half } else { 0 };
        for m in 0..untransposed_len {
            let value =
                Complex { re: from_coefficients(isa, &low[m..], &real), im: from_coefficients(isa, &high[m..], &real) };
            store(isa, value, re, im, place(m, half));
        }
        for m in untransposed_len..stride / lanes {
            let mut t = [root_splat(isa, 1); MAX_LANES];
            for r in 0..lanes {
                let at = place(r, lanes) * stride + m * lanes;
                let re = &low[at..];
                let im = &high[at..];
                t[r] = Complex { re: from_coefficients(isa, re, &real), im: from_coefficients(isa, im, &real) };
            }
            t = merge_rows::<S, 4>(isa, merge_rows::<S, 2>(isa, merge_rows::<S, 1>(isa, t)));
            t = transpose(isa, t);
            for b in 0..lanes {
                store(isa, t[b], re, im, place(b, lanes) * stride + place(m, stride / lanes) * lanes);
            }
        }
        let mut distance = lanes;
        if !stride.ilog2().is_multiple_of(2) {
            layer(isa, distance, re, im);
            distance *= 2;
        }
        while distance < half {
            two_layers(isa, distance, re, im);
            distance *= 4;
        }
    });
}

/// Calls `f` with each pair of values and the pair's root, and replaces the pair by the results. A
/// pair consists of two values at the same place in the two halves of a block. Each half has `half`
/// values.
#[inline(always)]
fn for_each_pair<S: RealRows>(
    isa: S,
    half: usize,
    re: &mut [S::Real],
    im: &mut [S::Real],
    f: impl Fn(Complex<S::F64>, Complex<S::F64>, Complex<S::F64>) -> (Complex<S::F64>, Complex<S::F64>),
) {
    for (re, im) in re.chunks_exact_mut(2 * half).zip(im.chunks_exact_mut(2 * half)) {
        let (xre, yre) = re.split_at_mut(half);
        let (xim, yim) = im.split_at_mut(half);
        for_each_vector::<S>(
            half,
            #[inline(always)]
            |i| {
                let x = load(isa, xre, xim, i);
                let y = load(isa, yre, yim, i);
                let (u, v) = f(x, y, root(isa, half, i));
                store(isa, u, xre, xim, i);
                store(isa, v, yre, yim, i);
            },
        );
    }
}

/// Merges the two halves of each block. Each half has `half` values.
#[inline(always)]
fn layer<S: RealRows>(isa: S, half: usize, re: &mut [S::Real], im: &mut [S::Real]) {
    for_each_pair(
        isa,
        half,
        re,
        im,
        #[inline(always)]
        |x, y, root| merge_pair(isa, x, y, root),
    );
}

/// Calls `f` with four values at a time, and replaces these values by the results. A block consists
/// of four quarters with `quarter` values each. The four values are at the same place in their
/// quarters, and `f` also gets this place.
#[inline(always)]
fn for_each_quartet<S: RealRows>(
    isa: S,
    quarter: usize,
    re: &mut [S::Real],
    im: &mut [S::Real],
    f: impl Fn(usize, [Complex<S::F64>; 4]) -> [Complex<S::F64>; 4],
) {
    for (re, im) in re.chunks_exact_mut(4 * quarter).zip(im.chunks_exact_mut(4 * quarter)) {
        for_each_vector::<S>(
            quarter,
            #[inline(always)]
            |i| {
                let at = [i, i + quarter, i + 2 * quarter, i + 3 * quarter];
                let [a, b, c, d] = at;
                let x = [load(isa, re, im, a), load(isa, re, im, b), load(isa, re, im, c), load(isa, re, im, d)];
                for (x, at) in f(i, x).into_iter().zip(at) {
                    store(isa, x, re, im, at);
                }
            },
        );
    }
}

/// Merges halves with `half` values, and then halves with `2 half` values.
#[inline(always)]
fn two_layers<S: RealRows>(isa: S, half: usize, re: &mut [S::Real], im: &mut [S::Real]) {
    if isa.merge_two_rows(half, [&mut *re, &mut *im], [&ROOTS.re, &ROOTS.im]) {
        return;
    }
    for_each_quartet(
        isa,
        half,
        re,
        im,
        #[inline(always)]
        |i, [a, b, c, d]| {
            let first = root(isa, half, i);
            let (a, b) = merge_pair(isa, a, b, first);
            let (c, d) = merge_pair(isa, c, d, first);
            let (a, c) = merge_pair(isa, a, c, root(isa, 2 * half, i));
            let (b, d) = merge_pair(isa, b, d, root(isa, 2 * half, half + i));
            [a, b, c, d]
        },
    );
}

/// Reverses [`merge_pair`], but does not divide the results by 2.
#[inline(always)]
fn split_pair_doubled<S: RealRows>(
    isa: S,
    a: Complex<S::F64>,
    b: Complex<S::F64>,
    w: Complex<S::F64>,
) -> (Complex<S::F64>, Complex<S::F64>) {
    let (s, d) = add_sub(isa, a, b);
    (s, mul_adj(isa, d, w))
}

/// Computes the inverse transform, rounds each coefficient to the nearest integer, and writes what
/// `residue` returns for this integer. `f` is overwritten.
#[inline(always)]
pub fn ifft_rounded<S: Simd>(isa: S, f: &mut [S::Real], out: &mut [u16], residue: impl Fn(i32) -> u16) {
    ifft_with(isa, f, out, to_residue(residue));
}

/// Returns a closure that computes `residue` for the nearest integer. As in [`to_real`], the
/// closure type depends only on the real type.
#[inline(always)]
fn to_residue<R: Real>(residue: impl Fn(i32) -> u16) -> impl Fn(R) -> u16 {
    #[inline(always)]
    move |x: R| residue(x.round_i64() as i32)
}

/// Computes the inverse transform, converts each coefficient with `rounded`, and writes the
/// converted coefficients to `out`. `f` is overwritten.
#[inline(never)]
pub fn ifft_with<S: RealRows, T>(isa: S, f: &mut [S::Real], out: &mut [T], rounded: impl Fn(S::Real) -> T) {
    if is_short::<S>(f.len() / 2 / S::LANES_F64) {
        return ifft_with(isa.short(), f, out, rounded);
    }
    frame!(isa, {
        let half = f.len() / 2;
        let lanes = S::LANES_F64;
        let (re, im) = f.split_at_mut(half);
        let stride = half / lanes;
        let mut distance = half;
        while distance > 2 * lanes {
            distance /= 4;
            two_inverse_layers(isa, distance, re, im);
        }
        if distance > lanes {
            inverse_layer(isa, lanes, re, im);
        }
        // 2/n is a power of two. The exponent field is 1023, as in 1.0, minus log2(n/2).
        let scale = isa.splat_f64(S::Key::from_bits(u64::from(1023 - half.ilog2()) << 52));
        let (low, high) = out.split_at_mut(half);
        for m in 0..stride / lanes {
            let mut t = [root_splat(isa, 1); MAX_LANES];
            for b in 0..lanes {
                t[b] = load(isa, re, im, place(b, lanes) * stride + place(m, stride / lanes) * lanes);
            }
            t = transpose(isa, t);
            t = split_rows::<S, 1>(isa, split_rows::<S, 2>(isa, split_rows::<S, 4>(isa, t)));
            for r in 0..lanes {
                let at = place(r, lanes) * stride + m * lanes;
                to_coefficients(isa, isa.mul_f64(t[r].re, scale), &mut low[at..], &rounded);
                to_coefficients(isa, isa.mul_f64(t[r].im, scale), &mut high[at..], &rounded);
            }
        }
    });
}

/// Reverses [`layer`], but does not divide the results by 2.
#[inline(always)]
fn inverse_layer<S: RealRows>(isa: S, half: usize, re: &mut [S::Real], im: &mut [S::Real]) {
    for_each_pair(
        isa,
        half,
        re,
        im,
        #[inline(always)]
        |x, y, root| split_pair_doubled(isa, x, y, root),
    );
}

/// Reverses [`two_layers`], but does not divide the results by 4.
#[inline(always)]
fn two_inverse_layers<S: RealRows>(isa: S, half: usize, re: &mut [S::Real], im: &mut [S::Real]) {
    if isa.split_two_rows(half, [&mut *re, &mut *im], [&ROOTS.re, &ROOTS.im]) {
        return;
    }
    for_each_quartet(
        isa,
        half,
        re,
        im,
        #[inline(always)]
        |i, [a, b, c, d]| {
            let (a, c) = split_pair_doubled(isa, a, c, root(isa, 2 * half, i));
            let (b, d) = split_pair_doubled(isa, b, d, root(isa, 2 * half, half + i));
            let first = root(isa, half, i);
            let (a, b) = split_pair_doubled(isa, a, b, first);
            let (c, d) = split_pair_doubled(isa, c, d, first);
            [a, b, c, d]
        },
    );
}

/// The number of bits in a complex value's place at the largest degree.
const PLACE_BITS: u32 = MAX_LOGN - 1;

/// A table where entry `j` is `j` with the [`PLACE_BITS`] bits reversed.
static REVERSED: [u16; 1 << PLACE_BITS] = {
    let mut table = [0; 1 << PLACE_BITS];
    let mut j = 0;
    while j < table.len() {
        table[j] = (j as u16).reverse_bits() >> (u16::BITS - PLACE_BITS);
        j += 1;
    }
    table
};

/// Returns the complex value `j`'s place in a row with `half` complex values.
#[inline(always)]
fn place(j: usize, half: usize) -> usize {
    usize::from(REVERSED[j] >> (PLACE_BITS - half.ilog2()))
}

/// Splits `t`, which has n reals, into `f0 | f1`: two polynomials with `n/2` reals each.
#[inline(always)]
pub fn split_into<S: RealRows>(isa: S, t: &[S::Real], f: &mut [S::Real]) {
    if is_short::<S>(t.len() / 4) {
        return split_into(isa.short(), t, f);
    }
    let quarter = t.len() / 4;
    if isa.split_row(t, f, roots_from(quarter)) {
        return;
    }
    let (tre, tim) = t.split_at(2 * quarter);
    let (are, bre) = tre.split_at(quarter);
    let (aim, bim) = tim.split_at(quarter);
    let (f0, f1) = f.split_at_mut(2 * quarter);
    let (f0re, f0im) = f0.split_at_mut(quarter);
    let (f1re, f1im) = f1.split_at_mut(quarter);
    for_each_vector::<S>(
        quarter,
        #[inline(always)]
        |i| {
            let a = load(isa, are, aim, i);
            let b = load(isa, bre, bim, i);
            let (a, b) = split_pair(isa, a, b, root(isa, quarter, i));
            store(isa, a, f0re, f0im, i);
            store(isa, b, f1re, f1im, i);
        },
    );
}

/// Merges `f0 | f1`, with `n/2` reals each, into `t`: the inverse of [`split_into`].
#[inline(always)]
pub fn merge_into<S: RealRows>(isa: S, f: &[S::Real], t: &mut [S::Real]) {
    if is_short::<S>(t.len() / 4) {
        return merge_into(isa.short(), f, t);
    }
    let quarter = t.len() / 4;
    if isa.merge_row(f, t, roots_from(quarter)) {
        return;
    }
    let (tre, tim) = t.split_at_mut(2 * quarter);
    let (are, bre) = tre.split_at_mut(quarter);
    let (aim, bim) = tim.split_at_mut(quarter);
    let (f0, f1) = f.split_at(2 * quarter);
    let (f0re, f0im) = f0.split_at(quarter);
    let (f1re, f1im) = f1.split_at(quarter);
    for_each_vector::<S>(
        quarter,
        #[inline(always)]
        |i| {
            let x = load(isa, f0re, f0im, i);
            let y = load(isa, f1re, f1im, i);
            let (u, v) = merge_pair(isa, x, y, root(isa, quarter, i));
            store(isa, u, are, aim, i);
            store(isa, v, bre, bim, i);
        },
    );
}

/// Computes `out[i] = out[i] a[i] k` for complex values and a real `k`.
#[inline(never)]
pub fn mul_scaled_into<S: RealRows>(isa: S, out: &mut [S::Real], a: &[S::Real], k: S::Key) {
    if is_short::<S>(out.len() / 2) {
        return mul_scaled_into(isa.short(), out, a, k);
    }
    frame!(isa, {
        let half = out.len() / 2;
        let (ore, oim) = out.split_at_mut(half);
        let (are, aim) = a.split_at(half);
        let k = isa.splat_f64(k);
        for_each_vector::<S>(
            half,
            #[inline(always)]
            |i| {
                let p = mul(isa, load(isa, are, aim, i), load(isa, ore, oim, i));
                store(isa, scaled(isa, p, k), ore, oim, i);
            },
        );
    });
}

/// Computes `f[i] = -f[i]`.
#[inline(never)]
pub fn neg_into<S: RealRows>(isa: S, f: &mut [S::Real]) {
    if is_short::<S>(f.len()) {
        return neg_into(isa.short(), f);
    }
    frame!(isa, {
        let len = f.len();
        for_each_vector::<S>(
            len,
            #[inline(always)]
            |i| {
                let v = isa.neg_f64(isa.load_f64(&f[i..]));
                isa.store_f64(v, &mut f[i..]);
            },
        );
    });
}
