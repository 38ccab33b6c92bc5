//! Arithmetic modulo q = 12289, and the NTT for polynomials in Z_q\[X\]/(X^n + 1).
//!
//! - `roots`: tables of roots
//! - `ntt`: the transform
//! - `product`: products with a polynomial that is already transformed
//!
//! The functions read and return canonical coefficients in `[0, q)`, so all levels (instruction
//! sets) return the same results. [`RingProduct`] also reads signed coefficients. Inside a
//! transform (`ntt`) and between the steps of a [`RingProduct`], coefficients are signed. Products
//! use Montgomery's method with `R = 2^16`: `mul(a, b) = a b / R`.
//!
//! Coefficients are in natural order. Entry `k` of a transform is the polynomial's value at
//! `7^((1024/n) (2 rev(k) + 1))`, where `rev` reverses `logn` bits. FN-DSA public keys contain
//! transforms in this order.
//!
//! Any input can be secret. The time depends only on `logn`.

mod ntt;
mod product;
mod roots;

use super::params::Q;
use crate::simd::ct::{mask_negative, max_u16};
use crate::simd::{RingRow, Simd, frame};
use core::slice::{from_mut, from_ref};
use ntt::ROW_MODULUS;
pub use ntt::{intt, ntt};
pub use product::RingProduct;

/// The modulus q as a 16-bit number.
const Q16: u16 = Q as u16;
/// `q^-1 mod 2^16`, by Newton's iteration.
const Q_INV: u16 = {
    let mut x = Q16;
    let mut i = 0;
    while i < 4 {
        x = x.wrapping_mul(2u16.wrapping_sub(Q16.wrapping_mul(x)));
        i += 1;
    }
    x
};
/// A primitive 2048th root of 1.
const ROOT: u32 = 7;
/// `2^16 mod q`, which is 1 in Montgomery form.
const R: u32 = 65536 % Q;

const _: () = assert!(Q16.wrapping_mul(Q_INV) == 1);
const _: () = assert!(pow(ROOT, 1024) == Q - 1);

/// Returns `base^e mod q`.
const fn pow(base: u32, mut e: u32) -> u32 {
    let mut r = 1;
    let mut b = base % Q;
    while e != 0 {
        if e & 1 == 1 {
            r = r * b % Q;
        }
        b = b * b % Q;
        e >>= 1;
    }
    r
}

/// A factor by which the inverse transform also multiplies its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InverseScale {
    /// No factor.
    One,
    /// The factor `R = 2^16`, which takes no additional time. It cancels the division by R in
    /// [`mul_into`].
    R,
}

/// Returns `1/n mod q`, times the factor that `scale` selects.
fn inverse_of_n(n: usize, scale: InverseScale) -> u32 {
    let factor = match scale {
        InverseScale::One => 1,
        InverseScale::R => R,
    };
    // (1/2)^logn. `n | 1` has the same logarithm as n, but is never 0, so `ilog2` cannot panic.
    pow(Q.div_ceil(2), (n | 1).ilog2()) * factor % Q
}

/// A constant c in the form that [`mul_const`] needs: `z = c R mod q` and `zq = z q^-1 mod 2^16`.
#[derive(Clone, Copy)]
struct Twiddle {
    z: u16,
    zq: u16,
}

/// Converts a constant to the form that [`mul_const`] needs.
const fn twiddle(z: u32) -> Twiddle {
    let z = (z * R % Q) as u16;
    Twiddle { z, zq: z.wrapping_mul(Q_INV) }
}

/// Returns `y z / R mod q`, where `zq = z q^-1 mod 2^16`. With the fields of a [`Twiddle`], this is
/// the product of `y` and the constant. The code computes `y z - (y zq mod 2^16) q`, which is a
/// multiple of `2^16`, and divides this number by `2^16`. The quotient is in `(-q, q)`, and
/// `wrap_u16` adds q if the quotient is negative.
#[inline(always)]
fn mul_const<S: Simd>(isa: S, y: S::U16, z: S::U16, zq: S::U16) -> S::U16 {
    let q = isa.splat_u16(Q16);
    let low = isa.mullo_u16(y, zq);
    let t = isa.sub_u16(isa.mulhi_u16(y, z), isa.mulhi_u16(low, q));
    isa.wrap_u16(t, q)
}

/// Returns `a + b mod q`.
#[inline(always)]
fn add<S: Simd>(isa: S, a: S::U16, b: S::U16) -> S::U16 {
    let q = isa.splat_u16(Q16);
    isa.wrap_u16(isa.sub_u16(isa.add_u16(a, b), q), q)
}

/// Returns `a - b mod q`.
#[inline(always)]
fn sub<S: Simd>(isa: S, a: S::U16, b: S::U16) -> S::U16 {
    isa.wrap_u16(isa.sub_u16(a, b), isa.splat_u16(Q16))
}

/// Returns `a b / 2^16 mod q`.
#[inline(always)]
fn mul<S: Simd>(isa: S, a: S::U16, b: S::U16) -> S::U16 {
    mul_const(isa, a, b, isa.mullo_u16(b, isa.splat_u16(Q_INV)))
}

/// Returns whether a row (an array of coefficients) is shorter than a vector. If it is, the callers
/// use vectors with half the length.
#[inline(always)]
pub fn is_short<S: Simd>(len: usize) -> bool {
    S::LANES_U16 > 1 && len < S::LANES_U16
}

/// Replaces each vector of `a` by the result of `op` for this vector and the vector of `b` at the
/// same index.
#[inline(always)]
fn zip_into<S: Simd>(isa: S, a: &mut [u16], b: &[u16], op: impl Fn(S::U16, S::U16) -> S::U16) {
    debug_assert!(a.len() >= S::LANES_U16 && a.len() == b.len());
    if S::COMPACT {
        // Compact levels have a single lane, so this loop does not need chunks. In the loop below,
        // the compiler cannot always remove the chunks' length checks.
        for (x, y) in a.iter_mut().zip(b) {
            let v = op(isa.load_u16(from_ref(x)), isa.load_u16(from_ref(y)));
            isa.store_u16(v, from_mut(x));
        }
        return;
    }
    for (x, y) in a.chunks_exact_mut(S::LANES_U16).zip(b.chunks_exact(S::LANES_U16)) {
        let v = op(isa.load_u16(x), isa.load_u16(y));
        isa.store_u16(v, x);
    }
}

/// Computes `a[i] = a[i] w mod q`.
#[inline(always)]
fn scale<S: Simd>(isa: S, a: &mut [u16], w: Twiddle) {
    if is_short::<S>(a.len()) {
        return scale(isa.half().integers(), a, w);
    }
    let z = isa.splat_u16(w.z);
    let zq = isa.splat_u16(w.zq);
    for x in a.chunks_exact_mut(S::LANES_U16) {
        let v = mul_const(isa, isa.load_u16(x), z, zq);
        isa.store_u16(v, x);
    }
}

/// Computes `a[i] = a[i] b[i] / 2^16 mod q`.
#[inline(never)]
pub fn mul_into<S: Simd>(isa: S, a: &mut [u16], b: &[u16]) {
    if is_short::<S>(a.len()) {
        return mul_into(isa.half().integers(), a, b);
    }
    frame!(isa, {
        if isa.ring_row(a, RingRow::Times(b), ROW_MODULUS) {
            return;
        }
        zip_into(
            isa,
            a,
            b,
            #[inline(always)]
            |x, y| mul(isa, x, y),
        )
    });
}

/// Converts to Montgomery form: `a[i] = a[i] 2^16 mod q`.
#[inline(never)]
pub fn to_montgomery<S: Simd>(isa: S, a: &mut [u16]) {
    frame!(isa, scale(isa, a, twiddle(R)));
}

/// Computes `a[i] = a[i] + b[i] mod q`.
#[inline(never)]
pub fn add_into<S: Simd>(isa: S, a: &mut [u16], b: &[u16]) {
    if is_short::<S>(a.len()) {
        return add_into(isa.half().integers(), a, b);
    }
    frame!(isa, {
        zip_into(
            isa,
            a,
            b,
            #[inline(always)]
            |x, y| add(isa, x, y),
        )
    });
}

/// The size of `c - a`, with coefficients between `-q/2` and `q/2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DifferenceSize {
    /// The sum of the squared coefficients if this sum is below `2^31`. Otherwise, a number that is
    /// at least `2^31`.
    pub norm: u64,
    /// The largest absolute value.
    pub largest: u16,
}

/// The size of a difference `c - a` while its coefficients are added, one vector at a time.
pub struct DifferenceMeasure<S: Simd> {
    norm: S::Squares,
    largest: S::U16,
}

impl<S: Simd> DifferenceMeasure<S> {
    /// Starts a measurement without coefficients.
    #[inline(always)]
    pub fn new(isa: S) -> Self {
        Self { norm: isa.no_squares(), largest: isa.splat_u16(0) }
    }

    /// Adds the next coefficients of `c - a`. Range: `c` and `a` are in `[0, q)`.
    #[inline(always)]
    pub fn add(&mut self, isa: S, c: S::U16, a: S::U16) {
        let x = sub(isa, c, a);
        // The absolute value of the centred coefficient.
        let x = isa.min_u16(x, isa.sub_u16(isa.splat_u16(Q16), x));
        self.largest = isa.max_u16(self.largest, x);
        self.norm = isa.add_squares(self.norm, x);
    }

    /// Returns the size for all coefficients so far.
    #[inline(always)]
    pub fn size(&self, isa: S) -> DifferenceSize {
        DifferenceSize { norm: isa.total(self.norm), largest: largest_lane(isa, self.largest) }
    }
}

/// Returns the size of `c - a`. Range: the coefficients in `c` and `a` are in `[0, q)`.
#[inline(never)]
pub fn difference<S: Simd>(isa: S, c: &[u16], a: &[u16]) -> DifferenceSize {
    if is_short::<S>(a.len()) {
        return difference(isa.half().integers(), c, a);
    }
    frame!(isa, {
        let mut measure = DifferenceMeasure::new(isa);
        for (c, a) in c.chunks_exact(S::LANES_U16).zip(a.chunks_exact(S::LANES_U16)) {
            measure.add(isa, isa.load_u16(c), isa.load_u16(a));
        }
        measure.size(isa)
    })
}

/// Returns the largest lane.
#[inline(always)]
pub fn largest_lane<S: Simd>(isa: S, v: S::U16) -> u16 {
    let mut lanes = [0; 32];
    isa.store_u16(v, &mut lanes);
    lanes.into_iter().fold(0, max_u16)
}

/// Computes `a[i] = 2^16 / a[i] mod q`. Zero remains zero. For every other number, the product of
/// the old and the new `a[i]`, computed by [`mul_into`], is 1.
#[inline(never)]
pub fn invert_into<S: Simd>(isa: S, a: &mut [u16]) {
    if is_short::<S>(a.len()) {
        return invert_into(isa.half().integers(), a);
    }
    frame!(isa, {
        if isa.ring_row(a, RingRow::Inverses { square_of_r: twiddle(R).z }, ROW_MODULUS) {
            return;
        }
        if S::LANES_U16 == 1 && !S::LOOPS_ARE_VECTORS {
            return invert_together(isa, a);
        }
        for x in a.chunks_exact_mut(S::LANES_U16) {
            let v = isa.load_u16(x);
            isa.store_u16(inverse(isa, v), x);
        }
    });
}

/// Returns `2^16 / v mod q`, or zero for zero.
#[inline(always)]
fn inverse<S: Simd>(isa: S, v: S::U16) -> S::U16 {
    // By Fermat's theorem, the inverse of v is v^(q-2), where q - 2 = 8192 + 4095. `x1` is v in
    // Montgomery form, and `x3` to `x4095` are the powers of v with these exponents.
    let w = twiddle(R);
    let x1 = mul_const(isa, v, isa.splat_u16(w.z), isa.splat_u16(w.zq));
    let square = |x| mul(isa, x, x);
    let x3 = mul(isa, square(x1), x1);
    let x15 = mul(isa, square(square(x3)), x3);
    let x255 = mul(isa, square(square(square(square(x15)))), x15);
    let x4095 = mul(isa, square(square(square(square(x255)))), x15);
    mul(isa, square(mul(isa, x4095, x1)), x4095)
}

/// Returns 1 in lanes that are zero, and 0 in other lanes.
#[inline(always)]
fn is_zero<S: Simd>(isa: S, v: S::U16) -> S::U16 {
    let one = isa.splat_u16(1);
    isa.sub_u16(one, isa.min_u16(v, one))
}

/// The number of vectors that [`invert_together`] processes at a time.
const BATCH_VECTORS: usize = 32;

/// Computes [`invert_into`] with a single exponentiation for a chunk of numbers (Montgomery's
/// trick). The code inverts the product of all numbers. From this inverse, it computes each
/// number's inverse, with three products per number. Each of these products depends on the previous
/// product, so this method is faster only if a vector has a single lane.
#[inline(always)]
fn invert_together<S: Simd>(isa: S, a: &mut [u16]) {
    let one = isa.splat_u16(1);
    for a in a.chunks_mut(BATCH_VECTORS * S::LANES_U16) {
        // A zero would make the product zero, so 1 replaces each zero in the product. The second
        // loop writes zero as the inverse of a zero.
        let mut prefix_products = [one; BATCH_VECTORS];
        let mut product = isa.splat_u16((R % Q) as u16);
        for (a, prefix_product) in a.chunks_exact(S::LANES_U16).zip(&mut prefix_products) {
            let v = isa.load_u16(a);
            *prefix_product = product;
            product = mul(isa, product, isa.or_u16(v, is_zero(isa, v)));
        }
        // The inverse of the product of all numbers that are not yet processed.
        let mut inverse_product = inverse(isa, product);
        for (a, prefix_product) in a.chunks_exact_mut(S::LANES_U16).zip(&prefix_products).rev() {
            let v = isa.load_u16(a);
            let zero = is_zero(isa, v);
            let v = isa.or_u16(v, zero);
            let value_inverse = mul(isa, inverse_product, *prefix_product);
            inverse_product = mul(isa, inverse_product, v);
            isa.store_u16(isa.and_u16(value_inverse, isa.sub_u16(zero, one)), a);
        }
    }
}

/// Returns q if `x` is negative, and 0 otherwise.
#[inline(always)]
fn q_if_negative(x: i32) -> i32 {
    (mask_negative(x) & Q).cast_signed()
}

/// Returns `x mod q` in `[0, q)`. Range: `|x| <= q`.
#[inline(always)]
pub fn from_small(x: i32) -> u16 {
    debug_assert!(x.unsigned_abs() <= Q);
    (x + q_if_negative(x)) as u16
}

/// Returns `x mod q` in `[0, q)`. Range: `|x| < 2^24`.
#[inline(always)]
pub fn from_i32(x: i32) -> u16 {
    debug_assert!(x.unsigned_abs() < 1 << 24);
    // The quotient is floor(x / q) or 1 less, because 2^36 / q is rounded down.
    const RECIPROCAL: i64 = (1i64 << 36) / Q as i64;
    let quotient = ((i64::from(x) * RECIPROCAL) >> 36) as i32;
    let r = x - quotient * Q.cast_signed();
    // r is in [0, 2q), so a single conditional subtraction is enough.
    let d = r - Q.cast_signed();
    (d + q_if_negative(d)) as u16
}

/// Returns the number in `[-(q-1)/2, (q-1)/2]` that is congruent to `x` modulo q. Range: `x` in
/// `[0, q)`.
#[inline(always)]
pub fn centered(x: u16) -> i32 {
    let x = i32::from(x);
    // The margin is negative if x is above (q - 1)/2.
    let margin = (Q.cast_signed() - 1) / 2 - x;
    x - q_if_negative(margin)
}

/// Returns whether any entry is zero. The time is constant. If a caller uses the result, it must
/// declassify the result. Range: all entries are in `[0, q)`.
pub fn has_zero(a: &[u16]) -> bool {
    let mut borrow_bits = 0;
    for &x in a {
        borrow_bits |= u32::from(x).wrapping_sub(1);
    }
    borrow_bits >> 31 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::check::laws::on_every_level;
    use crate::simd::{Emulated, WithSimd};

    const ISA: Emulated = Emulated;

    /// Returns n residues that depend on `seed`.
    fn sample(n: usize, seed: u32) -> Vec<u16> {
        (0..n as u32).map(|i| ((i * i * 7 + i * seed + seed * seed) % Q) as u16).collect()
    }

    #[test]
    fn transform_is_evaluation_in_the_order_of_the_public_key() {
        for logn in 2..=10 {
            let n = 1usize << logn;
            let a = sample(n, 31);
            let mut t = a.clone();
            ntt(ISA, logn, &mut t);
            for k in [0, 1, n / 2, n - 1] {
                let rev = (k as u32).reverse_bits() >> (32 - logn);
                let at = pow(ROOT, (1024 >> logn) * (2 * rev + 1));
                let value = a.iter().rev().fold(0, |acc, &c| (acc * at + u32::from(c)) % Q);
                assert_eq!(u32::from(t[k]), value, "logn {logn}, entry {k}");
            }
            intt(ISA, logn, &mut t, InverseScale::One);
            assert_eq!(t, a);
        }
    }

    #[test]
    fn product_of_transforms_is_the_negacyclic_product() {
        for logn in 2..=10 {
            let n = 1usize << logn;
            let (a, b) = (sample(n, 5), sample(n, 77));
            let mut expected = vec![0i64; n];
            for (i, &x) in a.iter().enumerate() {
                for (j, &y) in b.iter().enumerate() {
                    let sign = if i + j < n { 1 } else { -1 };
                    expected[(i + j) % n] += sign * i64::from(x) * i64::from(y);
                }
            }
            let (mut x, mut y) = (a.clone(), b.clone());
            ntt(ISA, logn, &mut x);
            ntt(ISA, logn, &mut y);
            mul_into(ISA, &mut x, &y);
            intt(ISA, logn, &mut x, InverseScale::R);
            let expected: Vec<u16> = expected.iter().map(|v| v.rem_euclid(i64::from(Q)) as u16).collect();
            assert_eq!(x, expected);
        }
    }

    /// Compares transforms and products on all levels and for all degrees with the results on the
    /// level [`Emulated`], and sizes with the results from integer arithmetic.
    #[test]
    fn every_level_computes_the_product() {
        #[derive(Clone, Copy)]
        struct ProductComparison;
        impl WithSimd for ProductComparison {
            type Output = ();
            fn with<S: Simd>(self, isa: S) {
                for logn in 2..=10 {
                    let n = 1usize << logn;
                    let edges = [0, Q16 - 1, Q16 / 2, Q16 / 2 + 1];
                    // For the bounds, the worst case is that values are as large as possible, with
                    // any sign.
                    let largest = vec![Q16 - 1; n];
                    let edges: Vec<u16> = (0..n).map(|i| edges[i * i / 3 % 4]).collect();
                    for (a, b) in [(sample(n, 5), sample(n, 77)), (largest, edges.clone()), (edges, sample(n, 3))] {
                        let (mut ta, mut tb) = (a.clone(), b.clone());
                        ntt(ISA, logn, &mut ta);
                        ntt(ISA, logn, &mut tb);
                        let mut expected = ta.clone();
                        mul_into(ISA, &mut expected, &tb);
                        intt(ISA, logn, &mut expected, InverseScale::R);

                        let what = format!("{} at {n}", S::NAME);
                        let mut x = a.clone();
                        ntt(isa, logn, &mut x);
                        assert_eq!(x, ta, "{what}: transform");
                        mul_into(isa, &mut x, &tb);
                        intt(isa, logn, &mut x, InverseScale::R);
                        assert_eq!(x, expected, "{what}: product");

                        // Coefficients in signatures are signed.
                        let mut x: Vec<u16> = a.iter().map(|x| centered(*x) as u16).collect();
                        let mut y = x.clone();
                        let mut prepared = tb.clone();
                        RingProduct::prepare(isa, &mut prepared);
                        RingProduct::with_prepared(isa, &mut x, &prepared);
                        assert_eq!(x, expected, "{what}: product with a prepared polynomial");
                        RingProduct::start(isa, &mut y);
                        for (y, h) in y.chunks_mut(64).zip(tb.chunks(64)) {
                            RingProduct::multiply_block(isa, y, h);
                        }
                        RingProduct::finish(isa, &mut y, InverseScale::R);
                        assert_eq!(y, expected, "{what}: product in blocks");

                        let s = |i: usize| centered(from_small(i32::from(a[i]) - i32::from(b[i]))).unsigned_abs();
                        let norm: u64 = (0..n).map(|i| u64::from(s(i).pow(2))).sum();
                        let size = difference(isa, &a, &b);
                        assert_eq!(u32::from(size.largest), (0..n).map(s).max().unwrap(), "{what}: largest");
                        assert!(size.norm == norm || size.norm.min(norm) >= 1 << 31, "{what}: norm {size:?}, {norm}");
                    }
                }
            }
        }
        on_every_level(ProductComparison);
    }

    #[test]
    fn a_zero_is_found_at_every_position() {
        let mut all = [1, 2, Q16 - 1, Q16 / 2, 7];
        assert!(!has_zero(&all));
        for i in 0..all.len() {
            let before = core::mem::replace(&mut all[i], 0);
            assert!(has_zero(&all), "entry {i}");
            all[i] = before;
        }
    }

    #[test]
    fn batch_inverses_equal_single_inverses() {
        #[derive(Clone, Copy)]
        struct BatchInverses;
        impl WithSimd for BatchInverses {
            type Output = ();
            fn with<S: Simd>(self, isa: S) {
                // The row contains all residues and two adjacent zeros, and ends within a chunk.
                let all: Vec<u16> = (0..Q as u16 - 1).chain([0, 0]).chain(7..37).collect();
                let mut expected = all.clone();
                invert_into(ISA, &mut expected);
                let mut inverses = all;
                frame!(isa, invert_together(isa, &mut inverses));
                assert!(inverses == expected, "{}", S::NAME);
            }
        }
        on_every_level(BatchInverses);
    }

    #[test]
    fn inverses_and_conversions_are_correct() {
        let all: Vec<u16> = (0..Q as u16).collect();
        let mut inverse = all.clone();
        invert_into(ISA, &mut inverse);
        assert_eq!(inverse[0], 0);
        mul_into(ISA, &mut inverse, &all);
        assert!(inverse[1..].iter().all(|&x| x == 1));
        let mut m = all.clone();
        to_montgomery(ISA, &mut m);
        assert!(m.iter().zip(0u32..).all(|(&x, i)| u32::from(x) == i * R % Q));
        for x in (-(1 << 24) + 1..1 << 24).step_by(61).chain([-12289, -12288, -1, 0, 1, 12288, 12289]) {
            assert_eq!(i32::from(from_i32(x)), x.rem_euclid(Q as i32));
            assert_eq!((centered(from_i32(x)) - x) % Q as i32, 0);
        }
        for x in 0..Q as u16 {
            assert!(centered(x).abs() <= 6144);
            assert_eq!(from_small(centered(x)), x);
        }
        assert!(has_zero(&[1, 0, 5]) && !has_zero(&[1, 12288, 5]));
    }
}
