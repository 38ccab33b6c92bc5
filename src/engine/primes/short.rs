//! Transforms modulo a prime `p` with 23 bits, in lanes with 32 bits, for ML-DSA. The prime is so
//! short that the layers (passes over all values) do not have to reduce sums. The degree is 256.
//!
//! To multiply `y` by a twiddle factor, the code subtracts a multiple of `p` from the product. It
//! computes this multiple from the ratio between the twiddle factor and `p`. For any `y`, the
//! result is below `2p` (Harvey, "Faster arithmetic for number-theoretic transforms", 2014). So in
//! each layer of the transform, the bound for the values grows by `2p`. In each layer of the
//! inverse, the bound doubles.
//!
//! | value | range |
//! |---|---|
//! | input of the transform | `[0, 2p)` |
//! | output of the transform | `[0, 18p)` |
//! | input of the inverse | `[0, 2p)`; all sums in the layers are below `2^8 2p` |
//! | output of the inverse | `[0, p)` |
//!
//! The values are in the same order as in [`super::transform`]. Residues are secret. The time
//! depends only on lengths.
//!
//! The layers are in [`super::short_lanes`].
//!
//! - `tests`: tests the transforms, and the bounds for their values

use super::short_lanes::{DEGREE, ShortLanes};
pub use super::short_lanes::{InverseFactor, ML_DSA_SHORT, ShortPrime};
use crate::simd::{SMALL, ShortRow, Simd, align_stack_for, frame};

/// Returns true if a loop computes the layers. Otherwise, the code contains a copy for each pair of
/// layers. The lengths in a copy are constants, so a copy is faster with vectors.
#[inline(always)]
fn is_looped<S: Simd>() -> bool {
    S::LANES_U32 == 1 || SMALL
}

/// Returns true if the products in blocks with 4 values use ratios with 64 bits. This is only
/// possible with one lane. If the result is true, separate calls with constant lengths process
/// these blocks and the blocks with 16 values. For longer blocks, ratios with 32 bits are faster,
/// because the compiler uses vectors if the processor has them. Small programs do not contain the
/// table for ratios with 64 bits.
#[inline(always)]
const fn has_long_ratios<S: Simd>() -> bool {
    S::HAS_LONG_RATIOS && !SMALL
}

/// Transforms polynomials with 256 coefficients, in place. In `polynomials`, each polynomial's
/// coefficients follow the previous polynomial's coefficients.
#[inline(never)]
pub fn ntt<S: Simd>(isa: S, prime: &'static ShortPrime, polynomials: &mut [u32]) {
    frame!(isa, {
        align_stack_for::<S::U32>();
        if S::HAS_SHORT_ROWS {
            for a in polynomials.as_chunks_mut::<DEGREE>().0 {
                isa.short_row(a, ShortRow::Forward { roots: prime.twiddles, first: 1 });
            }
            return;
        }
        let p = ShortLanes::new(isa, prime);
        for a in polynomials.as_chunks_mut::<DEGREE>().0 {
            if is_looped::<S>() {
                let layers = (DEGREE / S::LANES_U32).ilog2() as usize;
                // The number of layers that the loop computes.
                let looped = if has_long_ratios::<S>() { 4 } else { layers };
                let mut layer = 0;
                while layer + 1 < looped {
                    p.forward_layers::<false>(a, layer);
                    layer += 2;
                }
                if has_long_ratios::<S>() {
                    p.forward_layers::<false>(a, 4);
                    p.forward_layers::<true>(a, 6);
                }
            } else {
                p.forward_layers::<false>(a, 0);
                p.forward_layers::<false>(a, 2);
                p.forward_layers::<false>(a, 4);
            }
            if S::LANES_U32 == 1 {
                continue;
            }
            // A layer remains if the number of layers with at least two vectors in a block is odd.
            if (DEGREE / S::LANES_U32).ilog2() % 2 == 1 {
                for (k, block) in a.chunks_exact_mut(2 * S::LANES_U32).enumerate() {
                    p.forward_block(block, p.root(DEGREE / 2 / S::LANES_U32 + k));
                }
            }
            p.forward_within_all(a);
        }
    });
}

/// Computes the inverse of [`ntt`] in place. To multiply the results by a constant c, `scale` must
/// be the [`InverseFactor`] for `c R / 256` modulo p.
#[inline(never)]
pub fn intt<S: Simd>(isa: S, prime: &'static ShortPrime, polynomials: &mut [u32], scale: &InverseFactor) {
    frame!(isa, {
        align_stack_for::<S::U32>();
        if S::HAS_SHORT_ROWS {
            for a in polynomials.as_chunks_mut::<DEGREE>().0 {
                isa.short_row(a, ShortRow::Backward { roots: prime.twiddles, scale: scale.scale });
            }
            return;
        }
        let p = ShortLanes::new(isa, prime);
        let factors = [p.splat_root(scale.sums), p.splat_root(scale.differences)];
        let whole_multiple = p.multiple_of_p(DEGREE);
        for a in polynomials.as_chunks_mut::<DEGREE>().0 {
            p.inverse_within_all(a);
            // If a layer's twiddle factors start at index m, then the inverse of factor `m + i` is
            // the negated factor `2m - 1 - i`.
            if is_looped::<S>() {
                // In the layer with this number, a block has two vectors.
                let mut first = (DEGREE / 2 / S::LANES_U32).ilog2() as usize;
                if has_long_ratios::<S>() {
                    p.back_layers::<true>(a, 7);
                    p.back_layers::<false>(a, 5);
                    first = 3;
                }
                for pair in 0..first / 2 {
                    p.back_layers::<false>(a, first - 2 * pair);
                }
            } else {
                p.back_layers::<false>(a, 6);
                p.back_layers::<false>(a, 5);
                p.back_layers::<false>(a, 4);
                p.back_layers::<false>(a, 3);
                p.back_layers::<false>(a, 2);
            }
            // If this number is even, one layer remains. Otherwise, two layers remain.
            if (DEGREE / 2 / S::LANES_U32).ilog2().is_multiple_of(2) {
                p.back_whole(a, factors, whole_multiple);
            } else {
                p.back_twice(
                    a,
                    [p.root::<false>(3), p.root(2)],
                    #[inline(always)]
                    |x, y| p.last_butterfly(x, y, factors, whole_multiple),
                );
            }
        }
    });
}

/// Computes `a[i] = a[i] b[i] / R` modulo p for each i, where R is `2^32`. Requires
/// `a[i] b[i] < 2^32 p`. The results are below `2p`. The length of `a` must be a multiple of
/// `2 LANES_U32`.
#[inline(never)]
pub fn mul_into<S: Simd>(isa: S, prime: &'static ShortPrime, a: &mut [u32], b: &[u32]) {
    frame!(isa, {
        if S::HAS_SHORT_ROWS {
            return isa.short_row(a, ShortRow::Times(b));
        }
        let p = ShortLanes::new(isa, prime);
        for (a, b) in a.chunks_exact_mut(S::LANES_U32).zip(b.chunks_exact(S::LANES_U32)) {
            isa.store_u32(isa.product_u32(isa.load_u32(a), isa.load_u32(b), p.p, p.p0i), a);
        }
    });
}

/// Computes `sum[i] = sum[i] + (a[i] v[i] + a[n + i] v[n + i] + ..) / R` modulo p. `sum` has n
/// values, which must be in `[0, 2p)` before the call, and are in `[0, 2p)` after it. `a` and `v`
/// consist of rows (arrays) with n values, and n must be a multiple of `2 LANES_U32`. For each i,
/// the products' sum before the division must be below `2^32 p`.
#[inline(never)]
pub fn add_products<S: Simd>(isa: S, prime: &'static ShortPrime, a: &[u32], v: &[u32], sum: &mut [u32]) {
    frame!(isa, {
        if S::HAS_SHORT_ROWS {
            for (a, v) in a.chunks_exact(sum.len()).zip(v.chunks_exact(sum.len())) {
                isa.short_row(sum, ShortRow::AddTimes(a, v));
            }
            return;
        }
        let p = ShortLanes::new(isa, prime);
        for_each_sum_of_products(
            &p,
            a,
            v,
            sum,
            #[inline(always)]
            |product_sum, sum| isa.store_u32(isa.below_u32(isa.add_u32(isa.load_u32(sum), product_sum), p.double), sum),
        );
    });
}

/// Works like [`add_products`], but replaces the values in `sum`. `sum` must have 256 values.
#[inline(never)]
pub fn products_into<S: Simd>(isa: S, prime: &'static ShortPrime, a: &[u32], v: &[u32], sum: &mut [u32]) {
    frame!(isa, {
        if S::HAS_SHORT_ROWS {
            return match a.len() / DEGREE {
                // The assembly supports the three numbers of columns that the matrix in ML-DSA can
                // have.
                4 | 5 | 7 => isa.short_row(sum, ShortRow::SumTimes(a, v)),
                _ => {
                    sum.fill(0);
                    add_products(isa, prime, a, v, sum);
                }
            };
        }
        let p = ShortLanes::new(isa, prime);
        for_each_sum_of_products(
            &p,
            a,
            v,
            sum,
            #[inline(always)]
            |product_sum, sum| isa.store_u32(product_sum, sum),
        );
    });
}

/// Computes the values that [`add_products`] adds to `sum`. Passes each vector with these values to
/// `store_sum`, together with the part of `sum` at the same indices.
#[inline(always)]
fn for_each_sum_of_products<S: Simd>(
    p: &ShortLanes<S>,
    a: &[u32],
    v: &[u32],
    sum: &mut [u32],
    mut store_sum: impl FnMut(S::U32, &mut [u32]),
) {
    let isa = p.isa;
    let n = sum.len();
    // The loop computes two vectors at a time. They do not depend on each other, so the processor
    // can compute both at the same time.
    for (i, sums) in sum.chunks_exact_mut(2 * S::LANES_U32).enumerate() {
        let at = 2 * i * S::LANES_U32;
        let mut first = isa.no_products();
        let mut second = isa.no_products();
        for (a, v) in a.chunks_exact(n).zip(v.chunks_exact(n)) {
            let a = &a[at..at + 2 * S::LANES_U32];
            let v = &v[at..at + 2 * S::LANES_U32];
            first = isa.add_product(first, isa.load_u32(a), isa.load_u32(v));
            second = isa.add_product(second, isa.load_u32(&a[S::LANES_U32..]), isa.load_u32(&v[S::LANES_U32..]));
        }
        let (low, high) = sums.split_at_mut(S::LANES_U32);
        store_sum(isa.sum_of_products(first, p.p, p.p0i), low);
        store_sum(isa.sum_of_products(second, p.p, p.p0i), high);
    }
}

#[cfg(test)]
mod tests;
