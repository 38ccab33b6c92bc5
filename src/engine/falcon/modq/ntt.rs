//! The NTT, with butterflies on signed 16-bit numbers and three multiplications per butterfly.
//!
//! The product t of a number y and a root z is computed by Montgomery's method:
//! `t = (y z - m q) / 2^16`, where m makes the difference divisible by `2^16`. If `|z| <= q/2` and
//! `|m| <= 2^15`, then `|t| <= 0.094 |y| + 0.5 q`. If the factor z is not a root but any number in
//! `[0, q)`, then `|t| <= 0.188 |y| + 0.5 q`.
//!
//! A butterfly multiplies only one of its two numbers by a root. The other number (x in a forward
//! butterfly, the sum in an inverse butterfly) is reduced modulo q only in some layers, which the
//! tables below list. If `|x| <= 2.22 q`, the reduced x is at most `0.667 q` in magnitude. If
//! `|x| <= 1.33 q`, the reduced x is at most `0.556 q`. A signed 16-bit number is at most
//! `2.666 q`. The tables are in units of q. In the tables, 0.188 is `0.094 |y|` for `|y| = 2`:
//!
//! | forward, `(x + z y, x - z y)` | in | out |
//! |---|---|---|
//! | one layer, `x` reduced | 2 | 0.667 + 0.188 + 0.5 = 1.36 |
//! | two layers, `x` reduced in the first layer only | 2 | 1.36, then 1.36 + 0.128 + 0.5 = 1.98 |
//!
//! | inverse, `(x + y, z (x - y))` | in | out |
//! |---|---|---|
//! | one layer, the sum reduced | 1 | 0.667 and 0.188 + 0.5 = 0.69 |
//! | two layers, reduced: one of two sums in layer 1, both sums in layer 2 | 0.7 | 0.667 and 0.69 |
//!
//! In the last row, the second layer has two kinds of sums. A reduced sum and an unreduced sum from
//! the first layer add up to at most 0.667 + 1.4. Two products from the first layer add up to at
//! most 0.64 + 0.64. The code reduces both sums to 0.667. Products are at most 0.694.
//!
//! The tests in `ntt/tests/ranges.rs` check these bounds for the layers with all roots, and for the
//! kernels (the inner loops).
//!
//! A layer combines the values at a fixed distance. If this distance is shorter than a vector, the
//! two vectors of a pair first exchange blocks of lanes. After this exchange, the values are in an
//! order that depends on the level, the instruction set (the level's order). For each such
//! distance, there is a table with a root for each lane.

use super::roots::{
    BACKWARD, BACKWARD_2, BACKWARD_4, BACKWARD_8, BACKWARD_16, FORWARD, FORWARD_2, FORWARD_4, FORWARD_8, FORWARD_16,
    RepeatedRoots, WORDS,
};
use super::{InverseScale, Q, Q_INV, Q16, inverse_of_n, is_short, twiddle};
use crate::simd::{RingRoots, RingRow, Simd, U16s, frame, small};
use core::slice;

/// Returns whether the loops in this file compute their roots from the short table, which contains
/// each forward root once. In small code, there is no other table. On levels with row functions
/// (functions that transform complete rows in assembly, with separate tables), the loops run only
/// for small degrees.
#[inline(always)]
const fn one_table<S: Simd>() -> bool {
    small::<S>() || S::HAS_RING_ROWS
}

/// One root in all lanes, or a different root in each lane: `z` and `zq` from
/// [`NttRoots`](super::roots::NttRoots), and zeros for the operation `montgomery_i16`.
#[derive(Clone, Copy)]
pub(super) struct RootLanes<S: Simd>(S::U16, S::U16, S::U16);

impl<S: Simd> RootLanes<S> {
    /// Returns roots with the values `z` and `zq` from [`NttRoots`](super::roots::NttRoots).
    #[inline(always)]
    pub(super) fn new(isa: S, z: S::U16, zq: S::U16) -> Self {
        Self(z, zq, isa.splat_u16(0))
    }

    /// Returns root `k` in all lanes.
    #[inline(always)]
    fn splat(isa: S, roots: RepeatedRoots, k: usize) -> Self {
        if one_table::<S>() {
            return Self::with_quotients(isa, isa.splat_u16(roots.in_short_table(k)));
        }
        Self::new(isa, isa.splat_u16(roots.table.z[k]), isa.splat_u16(roots.table.zq[k]))
    }

    /// Returns root `k` in all lanes, for a loop. The zeros are computed as `z - zq q`, because
    /// [`U16s::mulhi_same_i16`] requires zeros that the compiler does not know.
    #[inline(always)]
    fn splat_for_loop(isa: S, roots: RepeatedRoots, k: usize) -> Self {
        let Self(z, zq, _) = Self::splat(isa, roots, k);
        Self(z, zq, isa.sub_u16(z, isa.mullo_u16(zq, isa.splat_u16(Q16))))
    }

    /// Returns the roots from index `k` on, with a root in each lane.
    #[inline(always)]
    fn load(isa: S, roots: RepeatedRoots, k: usize) -> Self {
        if one_table::<S>() {
            let mut z = [0; 32];
            for (i, z) in z[..S::LANES_U16].iter_mut().enumerate() {
                *z = roots.in_short_table(k + i);
            }
            return Self::with_quotients(isa, isa.load_u16(&z));
        }
        Self::new(isa, isa.load_u16(&roots.table.z[k..]), isa.load_u16(&roots.table.zq[k..]))
    }

    /// Returns roots with the given `z`, and computes `zq`, which is not in the short table.
    #[inline(always)]
    fn with_quotients(isa: S, z: S::U16) -> Self {
        Self::new(isa, z, isa.mullo_u16(z, isa.splat_u16(Q_INV)))
    }
}

/// Returns `v`. Debug builds assert that no signed lane exceeds `thousandths / 1000` times q in
/// magnitude.
#[inline(always)]
pub(super) fn within<S: Simd>(isa: S, v: S::U16, thousandths: u32) -> S::U16 {
    isa.within_u16(v, (Q * thousandths / 1000) as u16)
}

/// Returns a signed number that is congruent to `y z / 2^16` modulo q.
#[inline(always)]
pub(super) fn times<S: Simd>(isa: S, y: S::U16, z: &RootLanes<S>) -> S::U16 {
    let m = isa.mullo_u16(y, z.1);
    isa.montgomery_i16(y, z.0, m, isa.splat_u16(Q16), z.2)
}

/// Returns a signed number that is congruent to `x` modulo q: `x - round(3 x / 2^15) q`.
#[inline(always)]
fn reduce<S: Simd>(isa: S, x: S::U16) -> S::U16 {
    isa.sub_u16(x, isa.mullo_u16(isa.thirds_i16(x), isa.splat_u16(Q16)))
}

/// Returns `x mod q` in `[0, q)`. Range: `|x| < q`.
#[inline(always)]
pub(super) fn canonical<S: Simd>(isa: S, x: S::U16) -> S::U16 {
    isa.wrap_u16(x, isa.splat_u16(Q16))
}

/// Computes a forward butterfly: `(x + z y, x - z y)`.
#[inline(always)]
fn forward_butterfly<S: Simd>(isa: S, x: S::U16, y: S::U16, z: &RootLanes<S>) -> (S::U16, S::U16) {
    let t = times(isa, y, z);
    (isa.add_u16(x, t), isa.sub_u16(x, t))
}

/// Computes an inverse butterfly, `(x + y, z (x - y))`, without reducing the sum.
#[inline(always)]
fn inverse_butterfly<S: Simd>(isa: S, x: S::U16, y: S::U16, z: &RootLanes<S>) -> (S::U16, S::U16) {
    (isa.add_u16(x, y), times(isa, isa.sub_u16(x, y), z))
}

/// The transform's layers in a direction (forward or backward). The functions apply one or two
/// layers, and change vectors in place. If the functions returned the vectors, then on levels with
/// a single lane the compiler would pack the four 16-bit values into a word.
trait TransformLayers {
    /// The roots for this direction.
    const ROOTS: RepeatedRoots;
    /// The root tables for row functions, which transform complete rows.
    const ROW_ROOTS: RingRoots<'static>;
    /// Applies a layer to two vectors, where `z` contains their roots.
    fn one<S: Simd>(isa: S, x: &mut [S::U16; 2], z: &RootLanes<S>);
    /// Applies two layers to four vectors at equal distances. `z` contains a root for the layer
    /// with the longer distance, followed by two roots for the layer with the shorter distance.
    fn two<S: Simd>(isa: S, x: &mut [S::U16; 4], z: &[RootLanes<S>; 3]);
}

/// The forward layers, with the ranges in this file's first table.
struct ForwardLayers;
impl TransformLayers for ForwardLayers {
    const ROOTS: RepeatedRoots = FORWARD;
    const ROW_ROOTS: RingRoots<'static> =
        RingRoots { z: &FORWARD.table.z, zq: &FORWARD.table.zq, words: &WORDS, q: Q16, is_inverse: false };
    #[inline(always)]
    fn one<S: Simd>(isa: S, x: &mut [S::U16; 2], z: &RootLanes<S>) {
        (x[0], x[1]) = forward_butterfly(isa, reduce(isa, within(isa, x[0], 2000)), within(isa, x[1], 2000), z);
    }
    #[inline(always)]
    fn two<S: Simd>(isa: S, x: &mut [S::U16; 4], [z, left, right]: &[RootLanes<S>; 3]) {
        let (a, c) = forward_butterfly(isa, reduce(isa, within(isa, x[0], 2000)), within(isa, x[2], 2000), z);
        let (b, d) = forward_butterfly(isa, reduce(isa, within(isa, x[1], 2000)), within(isa, x[3], 2000), z);
        (x[0], x[1]) = forward_butterfly(isa, a, b, left);
        (x[2], x[3]) = forward_butterfly(isa, c, d, right);
    }
}

/// The backward layers, with the ranges in this file's second table.
struct BackwardLayers;
impl TransformLayers for BackwardLayers {
    const ROOTS: RepeatedRoots = BACKWARD;
    const ROW_ROOTS: RingRoots<'static> =
        RingRoots { z: &BACKWARD.table.z, zq: &BACKWARD.table.zq, words: &WORDS, q: Q16, is_inverse: true };
    #[inline(always)]
    fn one<S: Simd>(isa: S, x: &mut [S::U16; 2], z: &RootLanes<S>) {
        let (sum, y) = inverse_butterfly(isa, within(isa, x[0], 1000), within(isa, x[1], 1000), z);
        (x[0], x[1]) = (reduce(isa, sum), y);
    }
    #[inline(always)]
    fn two<S: Simd>(isa: S, x: &mut [S::U16; 4], [z, left, right]: &[RootLanes<S>; 3]) {
        let (a, b) = inverse_butterfly(isa, within(isa, x[0], 700), within(isa, x[1], 700), left);
        let (c, d) = inverse_butterfly(isa, within(isa, x[2], 700), within(isa, x[3], 700), right);
        let (a, c) = inverse_butterfly(isa, reduce(isa, a), c, z);
        let (b, d) = inverse_butterfly(isa, b, d, z);
        (x[0], x[1], x[2], x[3]) = (reduce(isa, a), reduce(isa, b), c, d);
    }
}

/// Returns whether the level transforms `n` values with row functions: the last three layers
/// together, and earlier layers two at a time.
#[inline(always)]
pub(super) fn has_rows<S: Simd>(n: usize) -> bool {
    S::HAS_RING_ROWS && !small::<S>() && n >= 64
}

/// Returns the largest distance that [`long_forward`] does not process.
#[inline(always)]
fn last_distance<S: Simd>(n: usize) -> usize {
    if has_rows::<S>(n) { 4 } else { S::LANES_U16 }
}

/// q and `1/q mod 2^16`, for the functions that transform complete rows in assembly.
pub(super) const ROW_MODULUS: [u16; 2] = [Q16, Q_INV];

/// Applies the last three forward layers to a row. Range: `|x| <= 2 q` before and after.
#[inline(always)]
pub(super) fn last_forward<S: Simd>(isa: S, a: &mut [u16]) {
    isa.ring_layers::<3>(a, 4, &ForwardLayers::ROW_ROOTS);
}

/// Computes the inverse of [`last_forward`], times 8. Range: `|x| <= q` before, and `|x| <= 0.7 q`
/// after.
#[inline(always)]
pub(super) fn first_backward<S: Simd>(isa: S, a: &mut [u16]) {
    isa.ring_layers::<3>(a, 4, &BackwardLayers::ROW_ROOTS);
}

/// Applies a layer to two vectors.
#[inline(always)]
fn layer_on_two_vectors<S: Simd, L: TransformLayers>(isa: S, x: &mut [u16], y: &mut [u16], z: &RootLanes<S>) {
    let mut v = [isa.load_u16(x), isa.load_u16(y)];
    L::one(isa, &mut v, z);
    isa.store_u16(v[0], x);
    isa.store_u16(v[1], y);
}

/// Applies the layer with distance `half`, which must be divisible by the vector length.
#[inline(always)]
fn one_layer<S: Simd, L: TransformLayers>(isa: S, a: &mut [u16], half: usize) {
    if has_rows::<S>(a.len()) {
        return isa.ring_layers::<1>(a, half, &L::ROW_ROOTS);
    }
    // `max(2)` changes nothing, but shows the compiler that `len` is not 0. The compiler can then
    // remove the panic in `chunks_exact_mut`.
    let len = (2 * half).max(2);
    let first = a.len() / len;
    for (k, block) in a.chunks_exact_mut(len).enumerate() {
        let z = RootLanes::splat_for_loop(isa, L::ROOTS, first + k);
        let (x, y) = block.split_at_mut(block.len() / 2);
        if S::COMPACT {
            // With a single lane, this loop has the same result as the loop below. It does not use
            // `chunks_exact_mut`, which would compare its chunk length with zero.
            for (x, y) in x.iter_mut().zip(y) {
                layer_on_two_vectors::<S, L>(isa, slice::from_mut(x), slice::from_mut(y), &z);
            }
            continue;
        }
        for (x, y) in x.chunks_exact_mut(S::LANES_U16).zip(y.chunks_exact_mut(S::LANES_U16)) {
            layer_on_two_vectors::<S, L>(isa, x, y, &z);
        }
    }
}

/// Applies the layers with distances `2 quarter` and `quarter`. The forward direction starts with
/// the longer distance, and the backward direction with the shorter. `quarter` is divisible by the
/// vector length.
#[inline(always)]
fn two_layers<S: Simd, L: TransformLayers>(isa: S, a: &mut [u16], quarter: usize) {
    if has_rows::<S>(a.len()) {
        return isa.ring_layers::<2>(a, 2 * quarter, &L::ROW_ROOTS);
    }
    match quarter {
        // The distance 2 is too short for a vectorized loop, so the call passes this distance as a
        // constant.
        2 if S::LOOPS_ARE_VECTORS => two_layers_at::<S, L>(isa, a, 2, RootBroadcast::Splat),
        _ => two_layers_at::<S, L>(isa, a, quarter, RootBroadcast::ForLoop),
    }
}

/// The function that puts a root into all lanes. An enum selects this function, because the
/// compiler would not inline a function parameter, and would compile it without the level's
/// instructions.
#[derive(Clone, Copy)]
enum RootBroadcast {
    /// The function [`RootLanes::splat`].
    Splat,
    /// The function [`RootLanes::splat_for_loop`].
    ForLoop,
}

/// Implements [`two_layers`]. If the caller passes a constant `quarter`, the compiler can use this
/// constant.
#[inline(always)]
fn two_layers_at<S: Simd, L: TransformLayers>(isa: S, a: &mut [u16], quarter: usize, broadcast: RootBroadcast) {
    // Returns root `$k` in all lanes, with the function that `broadcast` selects.
    macro_rules! root {
        ($k:expr) => {
            match broadcast {
                RootBroadcast::Splat => RootLanes::splat(isa, L::ROOTS, $k),
                RootBroadcast::ForLoop => RootLanes::splat_for_loop(isa, L::ROOTS, $k),
            }
        };
    }
    let first = a.len() / (4 * quarter);
    for (k, block) in a.chunks_exact_mut(4 * quarter).enumerate() {
        let k = first + k;
        let z = [root!(k), root!(2 * k), root!(2 * k + 1)];
        let (low, high) = block.split_at_mut(2 * quarter);
        let (x0, x1) = low.split_at_mut(quarter);
        let (x2, x3) = high.split_at_mut(quarter);
        let low = x0.chunks_exact_mut(S::LANES_U16).zip(x1.chunks_exact_mut(S::LANES_U16));
        let high = x2.chunks_exact_mut(S::LANES_U16).zip(x3.chunks_exact_mut(S::LANES_U16));
        for ((x0, x1), (x2, x3)) in low.zip(high) {
            let mut v = [isa.load_u16(x0), isa.load_u16(x1), isa.load_u16(x2), isa.load_u16(x3)];
            L::two(isa, &mut v, &z);
            isa.store_u16(v[0], x0);
            isa.store_u16(v[1], x1);
            isa.store_u16(v[2], x2);
            isa.store_u16(v[3], x3);
        }
    }
}

/// Returns whether a forward layer on vector pairs reduces `x`: the first layer and then every
/// second layer reduce.
const fn forward_layer_reduces(lanes: usize, distance: usize) -> bool {
    (lanes.ilog2() - distance.ilog2()).is_multiple_of(2)
}

/// `K` adjacent vector pairs. A layer on a pair must wait for the earlier layers on this pair, but
/// the processor can compute layers on several pairs at the same time.
pub(super) type VectorPairs<S, const K: usize> = [[<S as U16s>::U16; 2]; K];

/// Applies the last forward layers to vector pairs, starting with pair `j`. The first layer's
/// distance is the vector length, and later distances are shorter. Range: `|x| <= 2 q` before and
/// after.
#[inline(always)]
pub(super) fn pairs_forward<S: Simd, const K: usize>(isa: S, n: usize, j: usize, v: &mut VectorPairs<S, K>) {
    for k in 0..K {
        ForwardLayers::one(isa, &mut v[k], &RootLanes::splat(isa, FORWARD, n / (2 * S::LANES_U16) + j + k));
    }
    // Applies the layer with distance `$d`, if this distance is shorter than a vector.
    macro_rules! layer {
        ($d:literal, $roots:expr) => {
            if $d < S::LANES_U16 {
                for k in 0..K {
                    let (x, y) = isa.interleave_u16::<$d>(v[k][0], v[k][1]);
                    let x = if forward_layer_reduces(S::LANES_U16, $d) { reduce(isa, x) } else { x };
                    let (x, y) =
                        forward_butterfly(isa, x, y, &RootLanes::load(isa, $roots, n / 2 + (j + k) * S::LANES_U16));
                    v[k] = [within(isa, x, 2000), within(isa, y, 2000)];
                }
            }
        };
    }
    layer!(16, FORWARD_16);
    layer!(8, FORWARD_8);
    layer!(4, FORWARD_4);
    layer!(2, FORWARD_2);
    layer!(1, FORWARD);
}

/// Computes the inverse of [`pairs_forward`], times 2 for each layer. Range: `|x| <= q` before, and
/// `|x| <= 0.7 q` after.
#[inline(always)]
pub(super) fn pairs_backward<S: Simd, const K: usize>(isa: S, n: usize, j: usize, v: &mut VectorPairs<S, K>) {
    // Applies the layer with distance `$d`, if this distance is shorter than a vector.
    macro_rules! layer {
        ($d:literal, $roots:expr) => {
            if $d < S::LANES_U16 {
                for k in 0..K {
                    let z = RootLanes::load(isa, $roots, n / 2 + (j + k) * S::LANES_U16);
                    BackwardLayers::one(isa, &mut v[k], &z);
                    (v[k][0], v[k][1]) = isa.interleave_u16::<$d>(v[k][0], v[k][1]);
                }
            }
        };
    }
    layer!(1, BACKWARD);
    layer!(2, BACKWARD_2);
    layer!(4, BACKWARD_4);
    layer!(8, BACKWARD_8);
    layer!(16, BACKWARD_16);
    for k in 0..K {
        BackwardLayers::one(isa, &mut v[k], &RootLanes::splat(isa, BACKWARD, n / (2 * S::LANES_U16) + j + k));
        v[k] = [within(isa, v[k][0], 700), within(isa, v[k][1], 700)];
    }
}

/// Exchanges lane blocks between two vectors, at the given distances in order.
macro_rules! interleave {
    ($isa:ident, $v:ident, $($d:literal)*) => {$(
        if $d < S::LANES_U16 {
            ($v[0], $v[1]) = $isa.interleave_u16::<$d>($v[0], $v[1]);
        }
    )*};
}

/// Changes a vector pair from the level's order to natural order.
#[inline(always)]
fn to_natural<S: Simd>(isa: S, v: &mut [S::U16; 2]) {
    interleave!(isa, v, 1 2 4 8 16);
}

/// Changes a vector pair from natural order to the level's order.
#[inline(always)]
pub(super) fn to_level_order<S: Simd>(isa: S, v: &mut [S::U16; 2]) {
    interleave!(isa, v, 16 8 4 2 1);
}

/// An operation on pairs of vectors.
pub(super) trait PairOperation<S: Simd> {
    /// Applies the operation to `K` adjacent pairs. The first pair has the number `j`.
    fn apply<const K: usize>(&self, isa: S, j: usize, v: &mut VectorPairs<S, K>);
}

/// Applies `f` to all vector pairs in `a`. Processes two pairs at a time. Processes single pairs if
/// the code must be small, if `a` is a single pair, or on levels with `LOOPS_ARE_VECTORS`.
#[inline(always)]
pub(super) fn on_pairs<S: Simd>(isa: S, a: &mut [u16], f: impl PairOperation<S>) {
    if small::<S>() || a.len() == 2 * S::LANES_U16 || S::LOOPS_ARE_VECTORS {
        some_pairs::<S, 1>(isa, a, f);
    } else {
        some_pairs::<S, 2>(isa, a, f);
    }
}

/// Applies `f` to all vector pairs in `a`, `K` pairs at a time.
#[inline(always)]
fn some_pairs<S: Simd, const K: usize>(isa: S, a: &mut [u16], f: impl PairOperation<S>) {
    for (j, pairs) in a.chunks_exact_mut(2 * K * S::LANES_U16).enumerate() {
        let mut v = [[isa.splat_u16(0); 2]; K];
        for i in 0..2 * K {
            v[i / 2][i % 2] = isa.load_u16(&pairs[i * S::LANES_U16..]);
        }
        f.apply(isa, K * j, &mut v);
        for i in 0..2 * K {
            isa.store_u16(v[i / 2][i % 2], &mut pairs[i * S::LANES_U16..]);
        }
    }
}

/// The last transform layers, with results in natural order and in `[0, q)`. The field is the
/// degree.
struct ToNaturalOrder(usize);
impl<S: Simd> PairOperation<S> for ToNaturalOrder {
    #[inline(always)]
    fn apply<const K: usize>(&self, isa: S, j: usize, v: &mut VectorPairs<S, K>) {
        pairs_forward(isa, self.0, j, v);
        for k in 0..K {
            let [x, y] = v[k];
            v[k] = [canonical(isa, reduce(isa, x)), canonical(isa, reduce(isa, y))];
            to_natural(isa, &mut v[k]);
        }
    }
}

/// The first inverse layers, with inputs in natural order. The field is the degree.
struct FromNaturalOrder(usize);
impl<S: Simd> PairOperation<S> for FromNaturalOrder {
    #[inline(always)]
    fn apply<const K: usize>(&self, isa: S, j: usize, v: &mut VectorPairs<S, K>) {
        for k in 0..K {
            to_level_order(isa, &mut v[k]);
        }
        pairs_backward(isa, self.0, j, v);
    }
}

/// Returns the shortest distance for [`long_forward`] and [`long_backward`] if the code must be
/// small. With a single lane, no layers are left for vector pairs.
#[inline(always)]
const fn last_small_distance<S: Simd>() -> usize {
    if S::LANES_U16 == 1 { 1 } else { 2 * S::LANES_U16 }
}

/// Applies the forward layers with distances longer than [`last_distance`]. In small code, applies
/// the layers with distances from [`last_small_distance`] on. Range: `|x| <= 2 q` before and after.
#[inline(always)]
pub(super) fn long_forward<S: Simd>(isa: S, a: &mut [u16]) {
    let last = last_distance::<S>(a.len());
    let mut half = a.len() / 2;
    if small::<S>() {
        while half >= last_small_distance::<S>() {
            one_layer::<S, ForwardLayers>(isa, a, half);
            half /= 2;
        }
        return;
    }
    if (half / last).ilog2() % 2 == 1 {
        one_layer::<S, ForwardLayers>(isa, a, half);
        half /= 2;
    }
    while half > last {
        two_layers::<S, ForwardLayers>(isa, a, half / 2);
        half /= 4;
    }
}

/// Computes the inverse of [`long_forward`], without the division by n. Range: `|x| <= 0.7 q`
/// before and after.
#[inline(always)]
pub(super) fn long_backward<S: Simd>(isa: S, a: &mut [u16]) {
    if small::<S>() {
        let mut half = last_small_distance::<S>();
        while half < a.len() {
            one_layer::<S, BackwardLayers>(isa, a, half);
            half *= 2;
        }
        return;
    }
    let mut half = 2 * last_distance::<S>(a.len());
    while 2 * half < a.len() {
        two_layers::<S, BackwardLayers>(isa, a, half);
        half *= 4;
    }
    if half < a.len() {
        one_layer::<S, BackwardLayers>(isa, a, half);
    }
}

/// Multiplies `a` by `by`, which is the last step in the inverse transform. The results are in
/// `[0, q)`.
#[inline(always)]
pub(super) fn scale_signed<S: Simd>(isa: S, a: &mut [u16], by: u32) {
    let w = twiddle(by);
    if isa.ring_row(a, RingRow::Scaled([w.z, w.zq]), ROW_MODULUS) {
        return;
    }
    let z = RootLanes::new(isa, isa.splat_u16(w.z), isa.splat_u16(w.zq));
    for x in a.chunks_exact_mut(S::LANES_U16) {
        isa.store_u16(canonical(isa, times(isa, isa.load_u16(x), &z)), x);
    }
}

/// Transforms from natural order to the order that module `modq` describes, in place.
#[inline(never)]
pub fn ntt<S: Simd>(isa: S, logn: u32, a: &mut [u16]) {
    if is_short::<S>(a.len() / 2) {
        return ntt(isa.half().integers(), logn, a);
    }
    frame!(isa, {
        debug_assert_eq!(a.len(), 1 << logn);
        let n = a.len();
        long_forward(isa, a);
        if has_rows::<S>(n) {
            last_forward(isa, a);
            isa.ring_row(a, RingRow::Canonical, ROW_MODULUS);
            return;
        }
        if last_small_distance::<S>() == 1 && small::<S>() {
            for x in a.chunks_exact_mut(S::LANES_U16) {
                isa.store_u16(canonical(isa, reduce(isa, isa.load_u16(x))), x);
            }
        } else {
            on_pairs(isa, a, ToNaturalOrder(n));
        }
    });
}

/// Computes the inverse of [`ntt`] in place, times `scale`.
#[inline(never)]
pub fn intt<S: Simd>(isa: S, logn: u32, a: &mut [u16], scale: InverseScale) {
    if is_short::<S>(a.len() / 2) {
        return intt(isa.half().integers(), logn, a, scale);
    }
    frame!(isa, {
        debug_assert_eq!(a.len(), 1 << logn);
        let n = a.len();
        if has_rows::<S>(n) {
            first_backward(isa, a);
        } else if last_small_distance::<S>() > 1 || !small::<S>() {
            on_pairs(isa, a, FromNaturalOrder(n));
        }
        long_backward(isa, a);
        scale_signed(isa, a, inverse_of_n(n, scale));
    });
}

#[cfg(test)]
mod tests;
