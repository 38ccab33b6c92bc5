//! Vectors of complex values, for polynomials that `fft` has transformed. The files `basis`, `fft`,
//! `import`, `ortho`, `tree` and `tree_check` use these functions.
//!
//! A row is an array of real numbers: the real parts or the imaginary parts of the values. Each
//! operation on real numbers is rounded once, and operations are never fused, because the signature
//! depends on every bit. All values can be secret.

use super::roots::ROOTS;
use crate::simd::RealRows;

/// Calls `f` with each vector's position in a row with `len` values.
#[inline(always)]
pub(super) fn for_each_vector<S: RealRows>(len: usize, mut f: impl FnMut(usize)) {
    debug_assert!(len.is_multiple_of(S::LANES_F64));
    let mut at = 0;
    while at < len {
        f(at);
        at += S::LANES_F64;
    }
}

/// Returns whether a row with `len` values is shorter than a vector. The callers process such a row
/// with the shorter vectors of `isa.half()` or `isa.short()`.
#[inline(always)]
pub(super) fn is_short<S: RealRows>(len: usize) -> bool {
    S::LANES_F64 > 1 && len < S::LANES_F64
}

/// A vector with complex values.
#[derive(Clone, Copy)]
pub(super) struct Complex<V> {
    pub re: V,
    pub im: V,
}

/// Loads a complex vector from place `i` in the rows `re` and `im`.
#[inline(always)]
pub(super) fn load<S: RealRows>(isa: S, re: &[S::Real], im: &[S::Real], i: usize) -> Complex<S::F64> {
    Complex { re: isa.load_f64(&re[i..]), im: isa.load_f64(&im[i..]) }
}

/// Loads a complex vector from place `i` in a key's rows `re` and `im`. If the level (the
/// instruction set) computes several signatures together, all these signatures use the same key
/// values.
#[inline(always)]
pub(super) fn load_key<S: RealRows>(isa: S, re: &[S::Key], im: &[S::Key], i: usize) -> Complex<S::F64> {
    Complex { re: isa.load_key(&re[i..]), im: isa.load_key(&im[i..]) }
}

/// Stores a complex vector to place `i` in the rows `re` and `im`.
#[inline(always)]
pub(super) fn store<S: RealRows>(isa: S, v: Complex<S::F64>, re: &mut [S::Real], im: &mut [S::Real], i: usize) {
    isa.store_f64(v.re, &mut re[i..]);
    isa.store_f64(v.im, &mut im[i..]);
}

/// Returns `a + b`.
#[inline(always)]
pub(super) fn add<S: RealRows>(isa: S, a: Complex<S::F64>, b: Complex<S::F64>) -> Complex<S::F64> {
    Complex { re: isa.add_f64(a.re, b.re), im: isa.add_f64(a.im, b.im) }
}

/// Returns `a - b`.
#[inline(always)]
pub(super) fn sub<S: RealRows>(isa: S, a: Complex<S::F64>, b: Complex<S::F64>) -> Complex<S::F64> {
    Complex { re: isa.sub_f64(a.re, b.re), im: isa.sub_f64(a.im, b.im) }
}

/// Returns `(a + b, a - b)`.
#[inline(always)]
pub(super) fn add_sub<S: RealRows>(
    isa: S,
    a: Complex<S::F64>,
    b: Complex<S::F64>,
) -> (Complex<S::F64>, Complex<S::F64>) {
    let re = isa.add_sub_f64(a.re, b.re);
    let im = isa.add_sub_f64(a.im, b.im);
    (Complex { re: re.0, im: im.0 }, Complex { re: re.1, im: im.1 })
}

/// Returns `a b`.
#[inline(always)]
pub(super) fn mul<S: RealRows>(isa: S, a: Complex<S::F64>, b: Complex<S::F64>) -> Complex<S::F64> {
    Complex {
        re: isa.sub_f64(isa.mul_f64(a.re, b.re), isa.mul_f64(a.im, b.im)),
        im: isa.add_f64(isa.mul_f64(a.re, b.im), isa.mul_f64(a.im, b.re)),
    }
}

/// Returns `a conj(b)`.
#[inline(always)]
pub(super) fn mul_adj<S: RealRows>(isa: S, a: Complex<S::F64>, b: Complex<S::F64>) -> Complex<S::F64> {
    Complex {
        re: isa.add_f64(isa.mul_f64(a.re, b.re), isa.mul_f64(a.im, b.im)),
        im: isa.sub_f64(isa.mul_f64(a.im, b.re), isa.mul_f64(a.re, b.im)),
    }
}

/// Returns `a k` for a real k.
#[inline(always)]
pub(super) fn scaled<S: RealRows>(isa: S, a: Complex<S::F64>, k: S::F64) -> Complex<S::F64> {
    Complex { re: isa.mul_f64(a.re, k), im: isa.mul_f64(a.im, k) }
}

/// Returns `|a|^2`.
#[inline(always)]
pub(super) fn squared<S: RealRows>(isa: S, a: Complex<S::F64>) -> S::F64 {
    isa.add_f64(isa.mul_f64(a.re, a.re), isa.mul_f64(a.im, a.im))
}

/// Loads the roots that merge two rows of length `half`, for the places from `at` on. With
/// `half = 2^(l-2)`, these are the roots `w_l(p)` in `roots`.
#[inline(always)]
pub(super) fn root<S: RealRows>(isa: S, half: usize, at: usize) -> Complex<S::F64> {
    Complex { re: isa.load_bits(&ROOTS.re[half + at..]), im: isa.load_bits(&ROOTS.im[half + at..]) }
}

/// Returns the part of the root table that begins with the roots for merging two rows of length
/// `half`. The first slice contains the real parts, and the second slice contains the imaginary
/// parts.
#[inline(always)]
pub(super) fn roots_from(half: usize) -> [&'static [u64]; 2] {
    [&ROOTS.re[half..], &ROOTS.im[half..]]
}

/// Merges `x` and `y`, which are at the same place in the lower half and in the upper half, with
/// the root `w`. Returns `(x + w y, x - w y)`.
#[inline(always)]
pub(super) fn merge_pair<S: RealRows>(
    isa: S,
    x: Complex<S::F64>,
    y: Complex<S::F64>,
    w: Complex<S::F64>,
) -> (Complex<S::F64>, Complex<S::F64>) {
    add_sub(isa, x, mul(isa, y, w))
}

/// Returns `a / 2`.
#[inline(always)]
fn half_complex<S: RealRows>(isa: S, a: Complex<S::F64>) -> Complex<S::F64> {
    Complex { re: isa.half_f64(a.re), im: isa.half_f64(a.im) }
}

/// Reverses [`merge_pair`]: `((a + b) / 2, (a - b) conj(w) / 2)`.
#[inline(always)]
pub(super) fn split_pair<S: RealRows>(
    isa: S,
    a: Complex<S::F64>,
    b: Complex<S::F64>,
    w: Complex<S::F64>,
) -> (Complex<S::F64>, Complex<S::F64>) {
    let (s, d) = add_sub(isa, a, b);
    (half_complex(isa, s), half_complex(isa, mul_adj(isa, d, w)))
}
