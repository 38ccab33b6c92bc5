//! Multiplies a polynomial by h, if the transform of h is known: transforms the polynomial,
//! multiplies, and transforms back. The input and output coefficients are in natural order. The
//! transformed values between these steps are in an order that depends on the level (the
//! instruction set).

#[cfg(feature = "alloc")]
use super::ntt::canonical;
use super::ntt::{PairOperation, RootLanes, VectorPairs, on_pairs, pairs_backward, pairs_forward, scale_signed};
use super::ntt::{ROW_MODULUS, first_backward, has_rows, last_forward};
use super::ntt::{intt, long_backward, long_forward, ntt, times, to_level_order, within};
use super::{InverseScale, Q_INV, inverse_of_n, is_short, mul_into};
#[cfg(feature = "alloc")]
use super::{Twiddle, mul_const, twiddle};
use crate::simd::{RingRow, Simd, frame, small};

/// The last transform layers. The field is the degree. The transformed values remain in the order
/// that the level uses.
struct ToLevelOrder(usize);
impl<S: Simd> PairOperation<S> for ToLevelOrder {
    #[inline(always)]
    fn apply<const K: usize>(&self, isa: S, j: usize, v: &mut VectorPairs<S, K>) {
        pairs_forward(isa, self.0, j, v);
    }
}

/// The first inverse layers. The field is the degree. The inputs are in the order that the level
/// uses.
struct FromLevelOrder(usize);
impl<S: Simd> PairOperation<S> for FromLevelOrder {
    #[inline(always)]
    fn apply<const K: usize>(&self, isa: S, j: usize, v: &mut VectorPairs<S, K>) {
        pairs_backward(isa, self.0, j, v);
    }
}

/// The last transform layers, then a product with a prepared polynomial, then the first inverse
/// layers. The fields are the degree and the prepared polynomial.
#[cfg(feature = "alloc")]
struct FusedProduct<'h>(usize, &'h [u16]);
#[cfg(feature = "alloc")]
impl<S: Simd> PairOperation<S> for FusedProduct<'_> {
    #[inline(always)]
    fn apply<const K: usize>(&self, isa: S, j: usize, v: &mut VectorPairs<S, K>) {
        pairs_forward(isa, self.0, j, v);
        let h = &self.1[2 * j * S::LANES_U16..];
        for i in 0..2 * K {
            let x = &mut v[i / 2][i % 2];
            *x = times_row(isa, *x, isa.load_u16(&h[i * S::LANES_U16..]));
        }
        pairs_backward(isa, self.0, j, v);
    }
}

/// Multiplies values in the level's order by h's transform, which is in natural order.
struct NaturalOrderProduct<'h>(&'h [u16]);
impl<S: Simd> PairOperation<S> for NaturalOrderProduct<'_> {
    #[inline(always)]
    fn apply<const K: usize>(&self, isa: S, j: usize, v: &mut VectorPairs<S, K>) {
        let h = &self.0[2 * j * S::LANES_U16..];
        for k in 0..K {
            let at = 2 * k * S::LANES_U16;
            let mut h = [isa.load_u16(&h[at..]), isa.load_u16(&h[at + S::LANES_U16..])];
            to_level_order(isa, &mut h);
            v[k] = [times_row(isa, v[k][0], h[0]), times_row(isa, v[k][1], h[1])];
        }
    }
}

/// Multiplies by a constant, and changes the values from natural order to the level's order.
#[cfg(feature = "alloc")]
struct ScaleToLevelOrder(Twiddle);
#[cfg(feature = "alloc")]
impl<S: Simd> PairOperation<S> for ScaleToLevelOrder {
    #[inline(always)]
    fn apply<const K: usize>(&self, isa: S, _: usize, v: &mut VectorPairs<S, K>) {
        let z = isa.splat_u16(self.0.z);
        let zq = isa.splat_u16(self.0.zq);
        for k in 0..K {
            let [x, y] = v[k];
            v[k] = [mul_const(isa, x, z, zq), mul_const(isa, y, z, zq)];
            to_level_order(isa, &mut v[k]);
        }
    }
}

/// Returns a signed number that is congruent to `x h / 2^16` modulo q, and at most q in magnitude.
/// Range: `|x| <= 2 q`, and h in `[0, q)`.
#[inline(always)]
fn times_row<S: Simd>(isa: S, x: S::U16, h: S::U16) -> S::U16 {
    within(isa, times(isa, x, &RootLanes::new(isa, h, isa.mullo_u16(h, isa.splat_u16(Q_INV)))), 1000)
}

/// The functions for products with a polynomial h, if the transform of h is known.
pub struct RingProduct;

impl RingProduct {
    /// Converts h's transform to the form that [`RingProduct::with_prepared`] needs: multiplied by
    /// `2^16 / n`, and in the level's order. In a build for small code, this function does
    /// nothing, and [`RingProduct::with_prepared`] uses the transform itself.
    #[cfg(feature = "alloc")]
    #[inline(never)]
    pub fn prepare<S: Simd>(isa: S, h: &mut [u16]) {
        if is_short::<S>(h.len() / 2) {
            return Self::prepare(isa.half().integers(), h);
        }
        frame!(isa, {
            if small::<S>() {
                return;
            }
            let w = twiddle(inverse_of_n(h.len(), InverseScale::R));
            on_pairs(isa, h, ScaleToLevelOrder(w));
        });
    }

    /// Computes `a = a h`, with h prepared on this level. The input coefficients should be between
    /// `-q` and `q`, in two's complement. The output coefficients will be in `[0, q)`.
    #[cfg(feature = "alloc")]
    #[inline(never)]
    pub fn with_prepared<S: Simd>(isa: S, a: &mut [u16], h: &[u16]) {
        if is_short::<S>(a.len() / 2) {
            return Self::with_prepared(isa.half().integers(), a, h);
        }
        frame!(isa, {
            if small::<S>() {
                Self::start(isa, a);
                mul_into(isa, a, h);
                return Self::finish(isa, a, InverseScale::R);
            }
            let n = a.len();
            long_forward(isa, a);
            if has_rows::<S>(n) {
                last_forward(isa, a);
                isa.ring_row(a, RingRow::TimesSigned(h), ROW_MODULUS);
                first_backward(isa, a);
            } else {
                on_pairs(isa, a, FusedProduct(n, h));
            }
            long_backward(isa, a);
            for x in a.chunks_exact_mut(S::LANES_U16) {
                isa.store_u16(canonical(isa, isa.load_u16(x)), x);
            }
        });
    }

    /// Starts to compute `a = a h`, where h's transform is in natural order and was not prepared.
    /// The next steps are [`RingProduct::multiply_block`] for all blocks, and then
    /// [`RingProduct::finish`]. The coefficients of a should be between `-q` and `q`, in two's
    /// complement.
    #[inline(never)]
    pub fn start<S: Simd>(isa: S, a: &mut [u16]) {
        if is_short::<S>(a.len() / 2) {
            return Self::start(isa.half().integers(), a);
        }
        frame!(isa, {
            let n = a.len();
            if small::<S>() {
                return ntt(isa, (n | 1).ilog2(), a);
            }
            long_forward(isa, a);
            if has_rows::<S>(n) {
                return last_forward(isa, a);
            }
            on_pairs(isa, a, ToLevelOrder(n));
        });
    }

    /// Multiplies a block of `a` by the block of h's transform at the same position. `h` contains
    /// values of the transform, in `[0, q)`. A block must have 64 values, or n values if n is
    /// smaller.
    #[inline(always)]
    pub fn multiply_block<S: Simd>(isa: S, a: &mut [u16], h: &[u16]) {
        if small::<S>() {
            return mul_into(isa, a, h.get(..a.len()).unwrap_or_default());
        }
        if is_short::<S>(a.len() / 2) {
            return Self::multiply_block(isa.half().integers(), a, h);
        }
        if isa.ring_row(a, RingRow::TimesSigned(h), ROW_MODULUS) {
            return;
        }
        on_pairs(isa, a, NaturalOrderProduct(&h[..a.len()]));
    }

    /// Finishes a product: transforms the multiplied values back, and scales them. The coefficients
    /// will be in `[0, q)`. `scale` should be [`InverseScale::One`] if h is in Montgomery form, and
    /// [`InverseScale::R`] if it is not.
    #[inline(never)]
    pub fn finish<S: Simd>(isa: S, a: &mut [u16], scale: InverseScale) {
        if is_short::<S>(a.len() / 2) {
            return Self::finish(isa.half().integers(), a, scale);
        }
        frame!(isa, {
            let n = a.len();
            if small::<S>() {
                return intt(isa, (n | 1).ilog2(), a, scale);
            }
            if has_rows::<S>(n) {
                first_backward(isa, a);
            } else {
                on_pairs(isa, a, FromLevelOrder(n));
            }
            long_backward(isa, a);
            scale_signed(isa, a, inverse_of_n(n, scale));
        });
    }
}
