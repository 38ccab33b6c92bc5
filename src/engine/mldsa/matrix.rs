//! Products with the matrix A. The code multiplies the residues of A as soon as a sponge (a
//! SHAKE128 state) returns them, so it never stores a whole polynomial of A. To save memory, this
//! file also computes transforms in two halves or in four quarters. Whole polynomials use the
//! transform in [`short`].
//!
//! Residues are in `[0, q)`. They may be secret, except for the residues in A, which are public.

use super::codec::{PIECE, PackedRow};
use super::params::{N, Q, RHO_LEN};
use super::sample::{SqueezeLimitError, UniformStream};
use crate::engine::primes::prime::{ML_DSA, mul_mod, pow_mod};
use crate::engine::primes::short::{self, InverseFactor, ML_DSA_SHORT};
use crate::engine::primes::transform::{PrimeLanes, for_each_vector, join_rows};
use crate::simd::{ShortRow, Simd, frame};
use core::slice::{from_mut, from_ref};

/// The number of values that some functions process at a time on levels (instruction sets) with a
/// single lane. With [`PIECE`] values, these functions would need more stack. It is a multiple of
/// eight.
pub const SHORT_PIECE: usize = 16;

/// Adds `a v / R` to `sum`, value by value. Here, `a` means the next residues in the stream, and R
/// is `2^32`. `v` and `sum` must have equal lengths, which must be a multiple of [`PIECE`]. The
/// values in `v` must be below `18 q`, as in a transform. [`multiply_add`] describes the range of
/// the values in `sum`.
///
/// # Errors
/// Fails if sampling A exceeds the limit in FIPS 204, appendix C.
#[inline(never)]
pub fn add_product<S: Simd>(
    isa: S,
    a: &mut UniformStream<S>,
    v: &[u32],
    sum: &mut [u32],
) -> Result<(), SqueezeLimitError> {
    frame!(isa, {
        let mut piece = [0; PIECE];
        for (v, sum) in v.as_chunks::<PIECE>().0.iter().zip(sum.as_chunks_mut::<PIECE>().0) {
            a.next_into(&mut piece)?;
            multiply_add(isa, &piece, v, sum);
        }
        Ok(())
    })
}

/// Adds `a v / R` to `sum`, value by value, where R is `2^32`. The three rows must have the same
/// length, which must be a multiple of all vector lengths. The values in `a` must be residues, and
/// the values in `v` must be below `18 q`. The values in `sum` must be residues before the call,
/// and are residues after it.
///
/// On levels that have assembly for rows (arrays of values), the ranges are wider: `a v` must be
/// below `2^32 q`, and the values in `sum` are below `2q`.
#[inline(always)]
pub fn multiply_add<S: Simd>(isa: S, a: &[u32], v: &[u32], sum: &mut [u32]) {
    if S::HAS_SHORT_ROWS {
        return short::add_products(isa, &ML_DSA_SHORT, a, v, sum);
    }
    let p = PrimeLanes::new(isa, &ML_DSA);
    if S::COMPACT {
        // An index expression would add a panic to boot loaders.
        for ((a, v), sum) in a.iter().zip(v).zip(sum) {
            let product = p.mul(isa.load_u32(from_ref(a)), isa.load_u32(from_ref(v)));
            isa.store_u32(p.add(isa.load_u32(from_ref(sum)), product), from_mut(sum));
        }
        return;
    }
    for_each_vector::<S>(
        a.len(),
        #[inline(always)]
        |i| {
            let product = p.mul(isa.load_u32(&a[i..]), isa.load_u32(&v[i..]));
            isa.store_u32(p.add(isa.load_u32(&sum[i..]), product), &mut sum[i..]);
        },
    );
}

/// The position of a polynomial in A.
#[derive(Clone, Copy)]
pub struct MatrixEntry<'a> {
    /// The seed for the matrix A.
    pub rho: &'a [u8; RHO_LEN],
    /// The index of the polynomial's row.
    pub r: usize,
    /// The index of the polynomial's column.
    pub s: usize,
}

impl MatrixEntry<'_> {
    /// Starts `stream`, which must be empty, so that it returns the residues of this polynomial.
    #[inline(always)]
    pub fn start<S: Simd>(&self, stream: &mut UniformStream<S>) {
        stream.start(self.rho, self.r, self.s);
    }
}

/// Unpacks and transforms `column`, multiplies the transform by the polynomial `entry` in A, and
/// adds the product to `sum`, as [`add_product`] does. Only boot loaders use this function: it is
/// inlined, so the compiler knows the field width. Other programs use [`super::sums`]. The
/// coefficients in `column` must be below q in magnitude. `half` must have space for 128 values.
///
/// # Errors
/// Fails if sampling A exceeds the limit in FIPS 204, appendix C.
#[inline(always)]
pub fn add_column<S: Simd>(
    isa: S,
    entry: MatrixEntry<'_>,
    column: PackedRow<'_>,
    sum: &mut [u32],
    half: &mut [u32],
) -> Result<(), SqueezeLimitError> {
    let mut a = UniformStream::empty(isa);
    entry.start(&mut a);
    for (side, sum) in TransformHalf::BOTH.into_iter().zip(sum.chunks_exact_mut(N / 2)) {
        side.write(isa, column, half);
        side.transform(isa, half);
        add_product(isa, &mut a, half, sum)?;
    }
    Ok(())
}

/// Adds a packed polynomial to a row with residues. The packed coefficients must be below q in
/// magnitude.
#[inline(always)]
pub fn add_small<S: Simd>(isa: S, polynomial: PackedRow<'_>, row: &mut [u32]) {
    let mut piece = [0; PIECE];
    for (i, row) in row.chunks_exact_mut(PIECE).enumerate() {
        polynomial.piece(isa, PIECE * i, &mut piece);
        for (x, y) in row.iter_mut().zip(piece) {
            *x = ML_DSA.add(*x, ML_DSA.residue_of_small(y.cast_signed()));
        }
    }
}

/// R, which is `2^32`, modulo q.
const R: u32 = ((1u64 << 32) % Q as u64) as u32;
/// `R / 256` modulo q. [`inverse_transform_whole`] uses this constant.
const INVERSE: u32 = mul_mod(pow_mod(N as u32, Q - 2, Q), R, Q);
/// `R^2 / 256` modulo q. [`inverse_transform`] uses this constant.
const INVERSE_R: u32 = mul_mod(INVERSE, R, Q);
/// The factor with which [`inverse_transform`] calls [`short::intt`].
static INVERSE_TRANSFORM_FACTOR: InverseFactor = InverseFactor::new(&ML_DSA_SHORT, INVERSE_R);
/// The factor with which [`inverse_transform_whole`] calls [`short::intt`].
static WHOLE_INVERSE_TRANSFORM_FACTOR: InverseFactor = InverseFactor::new(&ML_DSA_SHORT, INVERSE);

/// Transforms a polynomial in place. Its coefficients must be below q in magnitude, and a negative
/// coefficient `x` is stored as `2^32 - |x|`.
#[inline(never)]
pub fn forward_transform<S: Simd>(isa: S, polynomial: &mut [u32]) {
    frame!(isa, {
        // Only the assembly for rows accepts negative coefficients. Without this assembly, the
        // values must be in `[0, 2q)`.
        if !S::HAS_SHORT_ROWS {
            for x in &mut *polynomial {
                *x = x.wrapping_add(Q);
            }
        }
        short::ntt(isa, &ML_DSA_SHORT, polynomial);
    });
}

/// Computes the inverse transform of a sum of products. Each product was divided by R, so this
/// function multiplies its results by R. The results are in `[0, q)`.
#[inline(always)]
pub fn inverse_transform<S: Simd>(isa: S, sum: &mut [u32]) {
    if S::COMPACT {
        inverse_transform_in_little_code(isa, sum);
    } else {
        short::intt(isa, &ML_DSA_SHORT, sum, &INVERSE_TRANSFORM_FACTOR);
    }
}

/// Implements [`inverse_transform`] for boot loaders, with a single lane and with the twiddle
/// factors that [`TransformHalf`] also uses. The values in `sum` must be below `2q`.
#[inline(never)]
fn inverse_transform_in_little_code<S: Simd>(isa: S, sum: &mut [u32]) {
    frame!(isa, {
        let p = PrimeLanes::new(isa, &ML_DSA);
        for x in &mut *sum {
            isa.store_u32(p.below(isa.load_u32(from_ref(x))), from_mut(x));
        }
        let mut len = 1;
        while len < N {
            // If this layer's twiddle factors start at index m, then the inverse of factor `m + i`
            // is the negated factor `2m - 1 - i`.
            let twiddles = ML_DSA.twiddles.get(N / (2 * len)..N / len).unwrap_or_default();
            for (block, &w) in sum.chunks_exact_mut(2 * len).zip(twiddles.iter().rev()) {
                let w = isa.splat_u32(w);
                let (x, y) = block.split_at_mut(len);
                for (x, y) in x.iter_mut().zip(y) {
                    let u = isa.load_u32(from_ref(x));
                    let v = isa.load_u32(from_ref(y));
                    isa.store_u32(p.add(u, v), from_mut(x));
                    isa.store_u32(p.mul(p.sub(v, u), w), from_mut(y));
                }
            }
            len *= 2;
        }
        let factor = isa.splat_u32(INVERSE_R);
        for x in sum {
            isa.store_u32(p.mul(isa.load_u32(from_ref(x)), factor), from_mut(x));
        }
    });
}

/// Works like [`inverse_transform`], for a sum of products that were not divided by R.
#[inline(always)]
pub fn inverse_transform_whole<S: Simd>(isa: S, sum: &mut [u32]) {
    short::intt(isa, &ML_DSA_SHORT, sum, &WHOLE_INVERSE_TRANSFORM_FACTOR);
}

/// A half of a transform. It contains a polynomial's residue modulo `X^128 - zeta` or
/// `X^128 + zeta`, where zeta is a root of -1. [`Self::transform`] computes all layers (passes over
/// all values) after the first layer.
#[derive(Clone, Copy)]
pub enum TransformHalf {
    /// The first 128 values, modulo `X^128 - zeta`.
    First,
    /// The last 128 values, modulo `X^128 + zeta`.
    Second,
}

impl TransformHalf {
    /// Both halves, in the transform's order.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// Returns, in Montgomery form, the root to which `X^128` is congruent in this half.
    #[inline(always)]
    pub fn root(self) -> u32 {
        match self {
            Self::First => ML_DSA.twiddles[1],
            Self::Second => ML_DSA.p - ML_DSA.twiddles[1],
        }
    }

    /// Returns a coefficient of the polynomial's residue in this half: `low + high x`, where
    /// `X^128` is congruent to x. `low` and `high` are coefficients of the polynomial whose indices
    /// differ by 128.
    #[inline(always)]
    pub fn join(self, low: u32, high: u32) -> u32 {
        ML_DSA.add(low, ML_DSA.mul(high, self.root()))
    }

    /// Writes the residue of a packed polynomial modulo `X^128 - root`, which has 128 coefficients.
    /// [`Self::root`] returns the root. The packed coefficients must be below q in magnitude. On
    /// levels that have assembly for rows, the results are in the range of [`ShortRow::FoldHalf`].
    #[inline(always)]
    pub fn write<S: Simd>(self, isa: S, polynomial: PackedRow<'_>, half: &mut [u32]) {
        if S::HAS_SHORT_ROWS {
            let PackedRow { bytes: fields, largest, .. } = polynomial;
            isa.short_row(half, ShortRow::FoldHalf { fields, largest, root: self.root() });
        } else if S::LANES_U32 == 1 {
            self.write_pieces::<S, SHORT_PIECE>(isa, polynomial, half);
        } else {
            self.write_pieces::<S, PIECE>(isa, polynomial, half);
        }
    }

    /// Computes [`Self::write`] for `LEN` values at a time.
    #[inline(always)]
    fn write_pieces<S: Simd, const LEN: usize>(self, isa: S, polynomial: PackedRow<'_>, half: &mut [u32]) {
        let mut low = [0; LEN];
        let mut high = [0; LEN];
        for (i, half) in half.chunks_exact_mut(LEN).enumerate() {
            polynomial.piece(isa, LEN * i, &mut low);
            polynomial.piece(isa, LEN * i + N / 2, &mut high);
            for j in 0..LEN {
                let low = ML_DSA.residue_of_small(low[j].cast_signed());
                let high = ML_DSA.residue_of_small(high[j].cast_signed());
                half[j] = self.join(low, high);
            }
        }
    }

    /// Computes all layers after the first layer. The results are in the range of
    /// [`transform_part`].
    #[inline(never)]
    pub fn transform<S: Simd>(self, isa: S, half: &mut [u32]) {
        frame!(isa, transform_part::<S, { N / 2 }>(isa, 2 + self as usize, half));
    }
}

/// The number of values in a quarter of a transform.
pub const QUARTER: usize = N / 4;

/// A quarter of a transform, from 0 to 3. It contains a polynomial's residue modulo `X^64 - root`.
#[derive(Clone, Copy)]
pub struct TransformQuarter(usize);

impl TransformQuarter {
    /// All quarters, in the transform's order.
    pub const ALL: [Self; 4] = [Self(0), Self(1), Self(2), Self(3)];

    /// Returns, in Montgomery form, the root to which `X^64` is congruent in this quarter.
    #[inline(always)]
    pub fn root(self) -> u32 {
        let root = ML_DSA.twiddles[2 + self.0 / 2];
        if self.0.is_multiple_of(2) { root } else { ML_DSA.p - root }
    }

    /// Writes the residue of a packed polynomial modulo `X^64 - root`, which has 64 coefficients.
    /// [`Self::root`] returns the root. The packed coefficients must be below q in magnitude. On
    /// levels that have assembly for rows, the results are in the range of
    /// [`ShortRow::FoldSignedQuarter`].
    #[inline(always)]
    pub fn write<S: Simd>(self, isa: S, polynomial: PackedRow<'_>, quarter: &mut [u32]) {
        let PackedRow { bytes: fields, bits, largest } = polynomial;
        if S::HAS_SHORT_ROWS {
            return isa.short_row(quarter, ShortRow::FoldSignedQuarter { fields, largest, root: self.root() });
        }
        let mut coefficients = [0; 8];
        quarter.fill(0);
        // This is Horner's rule: it starts with the 64 coefficients with the highest indices.
        for fields in fields.chunks_exact(QUARTER / 8 * bits).rev() {
            for (bytes, quarter) in fields.chunks_exact(bits).zip(quarter.as_chunks_mut::<8>().0) {
                PackedRow { bytes, bits, largest }.piece(isa, 0, &mut coefficients);
                for (x, coefficient) in quarter.iter_mut().zip(coefficients) {
                    *x = ML_DSA.add(ML_DSA.mul(*x, self.root()), ML_DSA.residue_of_small(coefficient.cast_signed()));
                }
            }
        }
    }

    /// Computes all layers after the second layer. The results are in the range of
    /// [`transform_part`].
    #[inline(never)]
    pub fn transform<S: Simd>(self, isa: S, quarter: &mut [u32]) {
        frame!(isa, transform_part::<S, QUARTER>(isa, 4 + self.0, quarter));
    }
}

/// Computes the last layers of a transform, for a part with `LEN` residues. The twiddle factors for
/// the first of these layers begin at index `first`. The results are residues. On levels that have
/// assembly for rows, they are below `18 q`.
#[inline(always)]
fn transform_part<S: Simd, const LEN: usize>(isa: S, first: usize, part: &mut [u32]) {
    if S::HAS_SHORT_ROWS {
        return isa.short_row(part, ShortRow::Forward { roots: ML_DSA.twiddles, first });
    }
    let p = PrimeLanes::new(isa, &ML_DSA);
    let mut blocks = 1;
    while blocks < LEN {
        let len = LEN / 2 / blocks;
        let twiddles = ML_DSA.twiddles.get(first * blocks..).unwrap_or_default();
        for (block, &w) in part.chunks_exact_mut((2 * len).max(2)).zip(twiddles) {
            let (x, y) = block.split_at_mut(len);
            if len < S::LANES_U32 {
                butterflies(w, x, y);
                continue;
            }
            if S::COMPACT {
                join_values(isa, &p, w, x, y);
                continue;
            }
            join_rows(isa, &p, w, x, y);
        }
        blocks *= 2;
    }
}

/// Works like [`join_rows`] with a single lane, and cannot panic.
#[inline(always)]
fn join_values<S: Simd>(isa: S, p: &PrimeLanes<S>, twiddle: u32, x: &mut [u32], y: &mut [u32]) {
    let w = isa.splat_u32(twiddle);
    for (x, y) in x.iter_mut().zip(y) {
        let u = isa.load_u32(from_ref(x));
        let z = p.mul(isa.load_u32(from_ref(y)), w);
        isa.store_u32(p.add(u, z), from_mut(x));
        isa.store_u32(p.sub(u, z), from_mut(y));
    }
}

/// Computes `x, y = x + w y, x - w y` for a block that is shorter than a vector.
#[inline(always)]
fn butterflies(w: u32, x: &mut [u32], y: &mut [u32]) {
    for (x, y) in x.iter_mut().zip(y) {
        let z = ML_DSA.mul(*y, w);
        *y = ML_DSA.sub(*x, z);
        *x = ML_DSA.add(*x, z);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::mldsa::params::Q;
    use crate::engine::primes::transform;
    use crate::simd::WithSimd;
    use crate::simd::check::laws::on_every_level;

    #[derive(Clone, Copy)]
    struct TransformHalvesTest;

    impl WithSimd for TransformHalvesTest {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            let v: Vec<u32> = (0..256u32).map(|i| i.wrapping_mul(0x9e37_79b9) % Q).collect();
            let mut expected = v.clone();
            transform::ntt(isa, &ML_DSA, &mut expected);
            for (half, expected) in TransformHalf::BOTH.into_iter().zip(expected.chunks(128)) {
                let mut actual: Vec<u32> = (0..128).map(|i| half.join(v[i], v[i + 128])).collect();
                half.transform(isa, &mut actual);
                assert_eq!(actual, expected, "{}", S::NAME);
            }
            for (quarter, expected) in TransformQuarter::ALL.into_iter().zip(expected.chunks(64)) {
                let next = |x: u32, y: &u32| ML_DSA.add(ML_DSA.mul(x, quarter.root()), *y);
                let value = |i: usize| v.iter().skip(i).step_by(64).rev().fold(0, next);
                let mut actual: Vec<u32> = (0..64).map(value).collect();
                quarter.transform(isa, &mut actual);
                assert_eq!(actual, expected, "{}", S::NAME);
            }

            let rho = [7; 32];
            let mut sum = vec![0; 256];
            let mut stream = UniformStream::new(isa, &rho, 1, 2);
            for (v, sum) in expected.chunks(128).zip(sum.chunks_mut(128)) {
                add_product(isa, &mut stream, v, sum).unwrap();
            }
            inverse_transform(isa, &mut sum);
            let mut a = vec![0; 256];
            UniformStream::new(isa, &rho, 1, 2).next_into(&mut a).unwrap();
            transform::intt(isa, &ML_DSA, &mut a);
            for k in [0, 77, 255] {
                let term = |i: usize| {
                    let j = (256 + k - i) % 256;
                    let product = i128::from(a[i]) * i128::from(v[j]);
                    if i + j < 256 { product } else { -product }
                };
                assert_eq!(i128::from(sum[k]), (0..256).map(term).sum::<i128>().rem_euclid(i128::from(Q)));
            }
        }
    }

    #[test]
    fn half_transforms_join_and_products_equal_polynomial_products() {
        on_every_level(TransformHalvesTest);
    }
}
