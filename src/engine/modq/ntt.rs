//! The NTT: butterflies on signed 16-bit numbers, three multiplications each.
//!
//! A product with a root is Montgomery's, `t = (y z - m q) / 2^16`: with `|z| <= q/2` and `|m| <= 2^15`,
//! `|t| <= 0.094 |y| + 0.5 q`. Nothing else is corrected but where the table says `reduce`, which brings `|x| <= 2.22 q`
//! to `0.667 q` and `|x| <= 1.33 q` to `0.556 q`. 16 bits hold `2.666 q`. In units of q:
//!
//! | forward, `(x + z y, x - z y)` | in | out |
//! |---|---|---|
//! | one layer, `x` reduced | 2 | 0.667 + 0.188 + 0.5 = 1.36 |
//! | two layers, `x` of the first reduced | 2 | 1.36, then 1.36 + 0.128 + 0.5 = 1.98 |
//!
//! | backward, `(x + y, z (x - y))` | in | out |
//! |---|---|---|
//! | one layer, the sum reduced | 1 | 0.667 and 0.188 + 0.5 = 0.69 |
//! | two layers: of the first, one sum of two is reduced; of the second, both | 0.7 | sums of 0.556 + 1.4 and of 0.64 + 0.64: 0.667; products 0.69 |
//!
//! The layers whose distance is less than a vector are done on pairs of vectors, which change blocks of lanes before
//! each: the values then stand in the level's own order. Roots for them stand in tables by distance, lane by lane.

use super::{Q, Q_INV, Q16, R, ROOT, is_short, mul_const, pow, twiddle};
use crate::engine::params::MAX_LOGN;
use crate::simd::Simd;

const TABLE: usize = 1 << MAX_LOGN;

/// Roots in Montgomery form, between `-q/2` and `q/2`, and those times `q^-1 mod 2^16`.
struct Roots {
    z: [u16; TABLE],
    zq: [u16; TABLE],
}

impl Roots {
    /// Entries `k D` to `k D + D - 1` are `root^rev10(k)`.
    const fn new(root: u32, distance: usize) -> Self {
        let mut roots = Self { z: [0; TABLE], zq: [0; TABLE] };
        let mut k = 0;
        while k < TABLE {
            let power = (k / distance).reverse_bits() >> (usize::BITS - MAX_LOGN);
            let z = (pow(root, power as u32) * R % Q) as u16;
            let z = if z > Q16 / 2 { z.wrapping_sub(Q16) } else { z };
            (roots.z[k], roots.zq[k]) = (z, z.wrapping_mul(Q_INV));
            k += 1;
        }
        roots
    }
}

static FORWARD: Roots = Roots::new(ROOT, 1);
static FORWARD_2: Roots = Roots::new(ROOT, 2);
static FORWARD_4: Roots = Roots::new(ROOT, 4);
static FORWARD_8: Roots = Roots::new(ROOT, 8);
static FORWARD_16: Roots = Roots::new(ROOT, 16);
const INVERSE: u32 = pow(ROOT, 2047);
static BACKWARD: Roots = Roots::new(INVERSE, 1);
static BACKWARD_2: Roots = Roots::new(INVERSE, 2);
static BACKWARD_4: Roots = Roots::new(INVERSE, 4);
static BACKWARD_8: Roots = Roots::new(INVERSE, 8);
static BACKWARD_16: Roots = Roots::new(INVERSE, 16);

/// A root in every lane, or roots lane by lane, as [`Roots`].
#[derive(Clone, Copy)]
struct Z<S: Simd>(S::U16, S::U16);

impl<S: Simd> Z<S> {
    /// Root `k`.
    #[inline(always)]
    fn splat(isa: S, roots: &Roots, k: usize) -> Self {
        Self(isa.splat_u16(roots.z[k]), isa.splat_u16(roots.zq[k]))
    }

    /// Roots from `k` on.
    #[inline(always)]
    fn load(isa: S, roots: &Roots, k: usize) -> Self {
        Self(isa.load_u16(&roots.z[k..]), isa.load_u16(&roots.zq[k..]))
    }
}

/// Debug builds look whether each lane, signed, is within `thousandths` of q.
#[inline(always)]
fn within<S: Simd>(isa: S, v: S::U16, thousandths: u32) -> S::U16 {
    if cfg!(debug_assertions) {
        let mut lanes = [0; 32];
        isa.store_u16(v, &mut lanes);
        let bound = Q * thousandths / 1000;
        debug_assert!(lanes.iter().all(|x| u32::from(x.cast_signed().unsigned_abs()) <= bound));
    }
    v
}

/// `y z / 2^16 mod q`, signed.
#[inline(always)]
fn times<S: Simd>(isa: S, y: S::U16, z: Z<S>) -> S::U16 {
    let m = isa.mullo_u16(y, z.1);
    isa.sub_u16(isa.mulhi_i16(y, z.0), isa.mulhi_i16(m, isa.splat_u16(Q16)))
}

/// `x mod q`, signed: `x - round(3 x / 2^15) q`.
#[inline(always)]
fn reduce<S: Simd>(isa: S, x: S::U16) -> S::U16 {
    isa.sub_u16(x, isa.mullo_u16(isa.thirds_i16(x), isa.splat_u16(Q16)))
}

/// In `[0, q)`. Range: `|x| < q`.
#[inline(always)]
fn canonical<S: Simd>(isa: S, x: S::U16) -> S::U16 {
    isa.min_u16(x, isa.add_u16(x, isa.splat_u16(Q16)))
}

/// A butterfly of the transform.
#[inline(always)]
fn forth<S: Simd>(isa: S, x: S::U16, y: S::U16, z: Z<S>) -> (S::U16, S::U16) {
    let t = times(isa, y, z);
    (isa.add_u16(x, t), isa.sub_u16(x, t))
}

/// A butterfly of the inverse, its sum not reduced.
#[inline(always)]
fn back<S: Simd>(isa: S, x: S::U16, y: S::U16, z: Z<S>) -> (S::U16, S::U16) {
    (isa.add_u16(x, y), times(isa, isa.sub_u16(x, y), z))
}

/// One or two layers of either direction on rows of blocks.
trait Layers {
    const ROOTS: &'static Roots;
    fn one<S: Simd>(isa: S, x: [S::U16; 2], z: Z<S>) -> [S::U16; 2];
    /// Both layers of four vectors at equal distances: the root of the longer distance, two of the shorter.
    fn two<S: Simd>(isa: S, x: [S::U16; 4], z: [Z<S>; 3]) -> [S::U16; 4];
}

struct Forward;
impl Layers for Forward {
    const ROOTS: &'static Roots = &FORWARD;
    #[inline(always)]
    fn one<S: Simd>(isa: S, [x, y]: [S::U16; 2], z: Z<S>) -> [S::U16; 2] {
        let (x, y) = forth(isa, reduce(isa, within(isa, x, 2000)), within(isa, y, 2000), z);
        [x, y]
    }
    #[inline(always)]
    fn two<S: Simd>(isa: S, x: [S::U16; 4], [z, left, right]: [Z<S>; 3]) -> [S::U16; 4] {
        let (a, c) = forth(isa, reduce(isa, within(isa, x[0], 2000)), within(isa, x[2], 2000), z);
        let (b, d) = forth(isa, reduce(isa, within(isa, x[1], 2000)), within(isa, x[3], 2000), z);
        let ((a, b), (c, d)) = (forth(isa, a, b, left), forth(isa, c, d, right));
        [a, b, c, d]
    }
}

struct Backward;
impl Layers for Backward {
    const ROOTS: &'static Roots = &BACKWARD;
    #[inline(always)]
    fn one<S: Simd>(isa: S, [x, y]: [S::U16; 2], z: Z<S>) -> [S::U16; 2] {
        let (x, y) = back(isa, within(isa, x, 1000), within(isa, y, 1000), z);
        [reduce(isa, x), y]
    }
    #[inline(always)]
    fn two<S: Simd>(isa: S, x: [S::U16; 4], [z, left, right]: [Z<S>; 3]) -> [S::U16; 4] {
        let (a, b) = back(isa, within(isa, x[0], 700), within(isa, x[1], 700), left);
        let (c, d) = back(isa, within(isa, x[2], 700), within(isa, x[3], 700), right);
        let ((a, c), (b, d)) = (back(isa, reduce(isa, a), c, z), back(isa, b, d, z));
        [reduce(isa, a), reduce(isa, b), c, d]
    }
}

/// The layer of distance `half`, a multiple of the vector's length.
#[inline(always)]
fn one_layer<S: Simd, L: Layers>(isa: S, a: &mut [u16], half: usize) {
    let first = a.len() / (2 * half);
    for (k, block) in a.chunks_exact_mut(2 * half).enumerate() {
        let z = Z::splat(isa, L::ROOTS, first + k);
        let (x, y) = block.split_at_mut(half);
        for (x, y) in x.chunks_exact_mut(S::LANES_U16).zip(y.chunks_exact_mut(S::LANES_U16)) {
            let [u, v] = L::one(isa, [isa.load_u16(x), isa.load_u16(y)], z);
            isa.store_u16(u, x);
            isa.store_u16(v, y);
        }
    }
}

/// The layers of distances `2 quarter` and `quarter`, a multiple of the vector's length, in the direction's order.
#[inline(always)]
fn two_layers<S: Simd, L: Layers>(isa: S, a: &mut [u16], quarter: usize) {
    let first = a.len() / (4 * quarter);
    for (k, block) in a.chunks_exact_mut(4 * quarter).enumerate() {
        let k = first + k;
        let z = [k, 2 * k, 2 * k + 1].map(|k| Z::splat(isa, L::ROOTS, k));
        let (low, high) = block.split_at_mut(2 * quarter);
        let ((x0, x1), (x2, x3)) = (low.split_at_mut(quarter), high.split_at_mut(quarter));
        let low = x0.chunks_exact_mut(S::LANES_U16).zip(x1.chunks_exact_mut(S::LANES_U16));
        let high = x2.chunks_exact_mut(S::LANES_U16).zip(x3.chunks_exact_mut(S::LANES_U16));
        for ((x0, x1), (x2, x3)) in low.zip(high) {
            let x = [isa.load_u16(x0), isa.load_u16(x1), isa.load_u16(x2), isa.load_u16(x3)];
            let [y0, y1, y2, y3] = L::two(isa, x, z);
            isa.store_u16(y0, x0);
            isa.store_u16(y1, x1);
            isa.store_u16(y2, x2);
            isa.store_u16(y3, x3);
        }
    }
}

/// Whether a layer that is done on pairs of vectors reduces on the way forward: the first does, then every second.
const fn reduces<S: Simd>(distance: usize) -> bool {
    (S::LANES_U16.ilog2() - distance.ilog2()).is_multiple_of(2)
}

/// The last layers forward, of pair `j` of vectors: distance a vector, then less. `|x| <= 2 q` before and after.
#[inline(always)]
fn pair_forward<S: Simd>(isa: S, n: usize, j: usize, x: S::U16, y: S::U16) -> (S::U16, S::U16) {
    let z = Z::splat(isa, &FORWARD, n / (2 * S::LANES_U16) + j);
    let [mut x, mut y] = Forward::one(isa, [x, y], z);
    let at = n / 2 + j * S::LANES_U16;
    macro_rules! layer {
        ($d:literal, $roots:expr) => {
            if $d < S::LANES_U16 {
                (x, y) = isa.interleave_u16::<$d>(x, y);
                let u = if reduces::<S>($d) { reduce(isa, x) } else { x };
                (x, y) = forth(isa, u, y, Z::load(isa, $roots, at));
            }
        };
    }
    layer!(16, &FORWARD_16);
    layer!(8, &FORWARD_8);
    layer!(4, &FORWARD_4);
    layer!(2, &FORWARD_2);
    layer!(1, &FORWARD);
    (within(isa, x, 2000), within(isa, y, 2000))
}

/// The inverse of [`pair_forward`]: `|x| <= q` before, `0.7 q` after.
#[inline(always)]
fn pair_backward<S: Simd>(isa: S, n: usize, j: usize, x: S::U16, y: S::U16) -> (S::U16, S::U16) {
    let at = n / 2 + j * S::LANES_U16;
    let (mut x, mut y) = (x, y);
    macro_rules! layer {
        ($d:literal, $roots:expr) => {
            if $d < S::LANES_U16 {
                let [u, v] = Backward::one(isa, [x, y], Z::load(isa, $roots, at));
                (x, y) = isa.interleave_u16::<$d>(u, v);
            }
        };
    }
    layer!(1, &BACKWARD);
    layer!(2, &BACKWARD_2);
    layer!(4, &BACKWARD_4);
    layer!(8, &BACKWARD_8);
    layer!(16, &BACKWARD_16);
    let z = Z::splat(isa, &BACKWARD, n / (2 * S::LANES_U16) + j);
    let [x, y] = Backward::one(isa, [x, y], z);
    (within(isa, x, 700), within(isa, y, 700))
}

/// From the level's own order to natural order; or back with `BACK`.
#[inline(always)]
fn unshuffle<S: Simd, const BACK: bool>(isa: S, x: S::U16, y: S::U16) -> (S::U16, S::U16) {
    let (mut x, mut y) = (x, y);
    macro_rules! swap {
        ($($d:literal)*) => {$(
            if $d < S::LANES_U16 {
                (x, y) = isa.interleave_u16::<$d>(x, y);
            }
        )*};
    }
    if BACK {
        swap!(16 8 4 2 1);
    } else {
        swap!(1 2 4 8 16);
    }
    (x, y)
}

/// Replaces each pair of vectors of `a`, which `f` gets with its number.
#[inline(always)]
fn pairs<S: Simd>(isa: S, a: &mut [u16], f: impl Fn(usize, S::U16, S::U16) -> (S::U16, S::U16)) {
    for (j, pair) in a.chunks_exact_mut(2 * S::LANES_U16).enumerate() {
        let (x, y) = pair.split_at_mut(S::LANES_U16);
        let (u, v) = f(j, isa.load_u16(x), isa.load_u16(y));
        isa.store_u16(u, x);
        isa.store_u16(v, y);
    }
}

/// The layers of distances of more than a vector, forward. `|x| <= 2 q` before and after.
#[inline(always)]
fn long_forward<S: Simd>(isa: S, a: &mut [u16]) {
    let mut half = a.len() / 2;
    if (half / S::LANES_U16).ilog2() % 2 == 1 {
        one_layer::<S, Forward>(isa, a, half);
        half /= 2;
    }
    while half > S::LANES_U16 {
        two_layers::<S, Forward>(isa, a, half / 2);
        half /= 4;
    }
}

/// The inverse of [`long_forward`], without the division by n. `|x| <= 0.7 q` before and after.
#[inline(always)]
fn long_backward<S: Simd>(isa: S, a: &mut [u16]) {
    let mut half = 2 * S::LANES_U16;
    while 2 * half < a.len() {
        two_layers::<S, Backward>(isa, a, half);
        half *= 4;
    }
    if half < a.len() {
        one_layer::<S, Backward>(isa, a, half);
    }
}

/// `1/n mod q`, times `2^16` if `scale_r`.
fn inverse_of_n(n: usize, scale_r: bool) -> u32 {
    // (1/2)^logn.
    pow(Q.div_ceil(2), n.ilog2()) * if scale_r { R } else { 1 } % Q
}

/// The last step of the inverse: the product with `by`, in `[0, q)`.
#[inline(always)]
fn scale_signed<S: Simd>(isa: S, a: &mut [u16], by: u32) {
    let w = twiddle(by);
    let z = Z(isa.splat_u16(w.z), isa.splat_u16(w.zq));
    for x in a.chunks_exact_mut(S::LANES_U16) {
        isa.store_u16(canonical(isa, times(isa, isa.load_u16(x), z)), x);
    }
}

/// Natural order to the order of the module's head, in place.
#[inline(never)]
pub fn ntt<S: Simd>(isa: S, logn: u32, a: &mut [u16]) {
    if is_short::<S>(a.len() / 2) {
        return ntt(isa.half(), logn, a);
    }
    isa.enter(
        #[inline(always)]
        || {
            debug_assert_eq!(a.len(), 1 << logn);
            let n = a.len();
            long_forward(isa, a);
            pairs(
                isa,
                a,
                #[inline(always)]
                |j, x, y| {
                    let (x, y) = pair_forward(isa, n, j, x, y);
                    let (x, y) = (canonical(isa, reduce(isa, x)), canonical(isa, reduce(isa, y)));
                    unshuffle::<S, false>(isa, x, y)
                },
            );
        },
    );
}

/// The inverse of [`ntt`], in place. `scale_r` multiplies by `2^16` on the way, which undoes one
/// [`super::mul_into`] before it at no cost.
#[inline(never)]
pub fn intt<S: Simd>(isa: S, logn: u32, a: &mut [u16], scale_r: bool) {
    if is_short::<S>(a.len() / 2) {
        return intt(isa.half(), logn, a, scale_r);
    }
    isa.enter(
        #[inline(always)]
        || {
            debug_assert_eq!(a.len(), 1 << logn);
            let n = a.len();
            pairs(
                isa,
                a,
                #[inline(always)]
                |j, x, y| {
                    let (x, y) = unshuffle::<S, true>(isa, x, y);
                    pair_backward(isa, n, j, x, y)
                },
            );
            long_backward(isa, a);
            scale_signed(isa, a, inverse_of_n(n, scale_r));
        },
    );
}

/// Products with one polynomial h, of which the transform is given.
pub struct Product;

impl Product {
    /// Brings the transform of h into the form that [`Product::with_prepared`] takes: in the level's own order, times
    /// `2^16 / n`.
    #[inline(never)]
    pub fn prepare<S: Simd>(isa: S, h: &mut [u16]) {
        if is_short::<S>(h.len() / 2) {
            return Self::prepare(isa.half(), h);
        }
        isa.enter(
            #[inline(always)]
            || {
                let w = twiddle(inverse_of_n(h.len(), true));
                let (z, zq) = (isa.splat_u16(w.z), isa.splat_u16(w.zq));
                pairs(
                    isa,
                    h,
                    #[inline(always)]
                    |_, x, y| unshuffle::<S, true>(isa, mul_const(isa, x, z, zq), mul_const(isa, y, z, zq)),
                );
            },
        );
    }

    /// `a[i] = a[i] h[i] / 2^16`, both in the level's own order or both in natural order. `|a| <= 2 q` before, `q` after.
    #[inline(always)]
    fn multiply<S: Simd>(isa: S, x: S::U16, h: S::U16) -> S::U16 {
        let z = Z(h, isa.mullo_u16(h, isa.splat_u16(Q_INV)));
        within(isa, times(isa, x, z), 1000)
    }

    /// `a h`, with h prepared on this level. Takes coefficients of a between `-q` and `q` in two's complement, gives
    /// them in `[0, q)`.
    #[inline(never)]
    pub fn with_prepared<S: Simd>(isa: S, a: &mut [u16], h: &[u16]) {
        if is_short::<S>(a.len() / 2) {
            return Self::with_prepared(isa.half(), a, h);
        }
        isa.enter(
            #[inline(always)]
            || {
                let n = a.len();
                long_forward(isa, a);
                let h = &h[..n];
                pairs(
                    isa,
                    a,
                    #[inline(always)]
                    |j, x, y| {
                        let (x, y) = pair_forward(isa, n, j, x, y);
                        let at = 2 * j * S::LANES_U16;
                        let x = Self::multiply(isa, x, isa.load_u16(&h[at..]));
                        let y = Self::multiply(isa, y, isa.load_u16(&h[at + S::LANES_U16..]));
                        pair_backward(isa, n, j, x, y)
                    },
                );
                long_backward(isa, a);
                for x in a.chunks_exact_mut(S::LANES_U16) {
                    isa.store_u16(canonical(isa, isa.load_u16(x)), x);
                }
            },
        );
    }

    /// `a h` with the transform of h as it is, in steps: this, [`Product::multiply_block`] for each block, then
    /// [`Product::finish`]. Coefficients as for [`Product::with_prepared`].
    #[inline(never)]
    pub fn start<S: Simd>(isa: S, a: &mut [u16]) {
        if is_short::<S>(a.len() / 2) {
            return Self::start(isa.half(), a);
        }
        isa.enter(
            #[inline(always)]
            || {
                let n = a.len();
                long_forward(isa, a);
                pairs(
                    isa,
                    a,
                    #[inline(always)]
                    |j, x, y| pair_forward(isa, n, j, x, y),
                );
            },
        );
    }

    /// Multiplies a block of `a` by the same block of the transform of h, in `[0, q)`. Range: both have 64 values, or
    /// all n if that is less.
    #[inline(always)]
    pub fn multiply_block<S: Simd>(isa: S, a: &mut [u16], h: &[u16]) {
        if is_short::<S>(a.len() / 2) {
            return Self::multiply_block(isa.half(), a, h);
        }
        let h = &h[..a.len()];
        pairs(
            isa,
            a,
            #[inline(always)]
            |j, x, y| {
                let at = 2 * j * S::LANES_U16;
                let (u, v) = (isa.load_u16(&h[at..]), isa.load_u16(&h[at + S::LANES_U16..]));
                let (u, v) = unshuffle::<S, true>(isa, u, v);
                (Self::multiply(isa, x, u), Self::multiply(isa, y, v))
            },
        );
    }

    /// Gives the coefficients of the product, in `[0, q)`. `scale_r` multiplies by `2^16`: not if h had it.
    #[inline(never)]
    pub fn finish<S: Simd>(isa: S, a: &mut [u16], scale_r: bool) {
        if is_short::<S>(a.len() / 2) {
            return Self::finish(isa.half(), a, scale_r);
        }
        isa.enter(
            #[inline(always)]
            || {
                let n = a.len();
                pairs(
                    isa,
                    a,
                    #[inline(always)]
                    |j, x, y| pair_backward(isa, n, j, x, y),
                );
                long_backward(isa, a);
                scale_signed(isa, a, inverse_of_n(n, scale_r));
            },
        );
    }
}
