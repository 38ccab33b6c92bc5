//! The lattice: the Gram matrix, the LDL decomposition, and `ff_sampling`. The decomposition is
//! either computed while the sampler runs (the dynamic way), or read from the tree in an expanded
//! key, which was prepared for many signatures (specification 2.6.2 to 2.6.5).
//!
//! Both ways use the same operations in the same order, so the samples have the same bits. The Gram
//! matrix has the entries g00, g01 and g11, and its decomposition has the entries l10 and d11. A
//! self-adjoint polynomial (g00, g11 and d11) is real in the transform's domain, and is stored as
//! `n/2` reals. From the targets t0 and t1, `ff_sampling` computes the samples z0 and z1.
//!
//! The dynamic way uses a single slice as memory. The Gram matrix, `g00 | g01 | g11`, is at the
//! start with `2n` reals. The targets, `t0 | t1`, are at the end with `2n` reals. While a node's
//! right child is sampled, the node's g00, l10 (which replaces g01) and targets must not change.
//! The right child uses the memory after l10. This memory starts with d11, which is split in place.
//! Let `R(n)` be the memory for degree n in reals. This memory consists of g00 (`n/2`), l10 (`n`),
//! the targets (`2n`) and the child's memory, so `R(n) = 3.5 n + R(n/2)`, which is at most `7n`.
//!
//! An expanded key's tree is in visiting order: right child, l10 (`n` reals), left child. At degree
//! 2, the order is: the leaf for d11, l10, the leaf for g00. The tree has `n (logn + 1)` reals in
//! total.
//!
//! All values in this file are secret.

use super::complex::{Complex, add, for_each_vector, is_short, load, load_key, merge_pair, mul, mul_adj, root};
use super::complex::{roots_from, split_pair, squared, store, sub};
use super::fft::{merge_into, split_into};
use super::sampler::{SampleSource, Sampler};
use crate::simd::{Real, RealRows, RowValue, Simd, frame};
use core::hint::black_box;

/// Returns how many reals [`ff_sampling`] needs as memory, including the targets.
pub const fn dynamic_reals(logn: u32) -> usize {
    7 << logn
}

/// Returns how many reals an expanded tree has.
pub const fn tree_reals(logn: u32) -> usize {
    (logn as usize + 1) << logn
}

/// Writes the Gram matrix `g00 | g01 | g11`, `2n` reals, for the transformed basis
/// `b00 b01 / b10 b11`.
#[inline(never)]
pub fn gram_into<S: Simd>(isa: S, [b00, b01, b10, b11]: [&[S::Real]; 4], gram: &mut [S::Real]) {
    if is_short::<S>(b00.len() / 2) {
        return gram_into(isa.half(), [b00, b01, b10, b11], gram);
    }
    frame!(isa, {
        let half = b00.len() / 2;
        let (g00, rest) = gram.split_at_mut(half);
        let (g01, g11) = rest.split_at_mut(2 * half);
        let (g01re, g01im) = g01.split_at_mut(half);
        let basis = [b00, b01, b10, b11].map(|b| b.split_at(half));
        for_each_vector::<S>(
            half,
            #[inline(always)]
            |i| {
                let row = gram_row(isa, load_row(isa, basis, i));
                isa.store_f64(row.g00, &mut g00[i..]);
                store(isa, row.g01, g01re, g01im, i);
                isa.store_f64(row.g11, &mut g11[i..]);
            },
        );
    });
}

/// A transformed polynomial's real and imaginary parts.
type TransformedPolynomial<'a, R> = (&'a [R], &'a [R]);

/// Loads a vector from each polynomial in the basis `b00 b01 / b10 b11`, at place `i`.
#[inline(always)]
pub(super) fn load_row<S: RealRows>(
    isa: S,
    [b00, b01, b10, b11]: [TransformedPolynomial<'_, S::Real>; 4],
    i: usize,
) -> [Complex<S::F64>; 4] {
    [load(isa, b00.0, b00.1, i), load(isa, b01.0, b01.1, i), load(isa, b10.0, b10.1, i), load(isa, b11.0, b11.1, i)]
}

/// A vector from each entry of a Gram matrix, all at the same place. g00 and g11 are real.
pub(super) struct GramRow<V> {
    pub g00: V,
    pub g01: Complex<V>,
    pub g11: V,
}

/// Computes the Gram matrix's vectors from the vectors that [`load_row`] returns for the basis
/// `b00 b01 / b10 b11`.
#[inline(always)]
pub(super) fn gram_row<S: RealRows>(isa: S, [b00, b01, b10, b11]: [Complex<S::F64>; 4]) -> GramRow<S::F64> {
    GramRow {
        g00: isa.add_f64(squared(isa, b00), squared(isa, b01)),
        g01: add(isa, mul_adj(isa, b00, b10), mul_adj(isa, b01, b11)),
        g11: isa.add_f64(squared(isa, b10), squared(isa, b11)),
    }
}

/// Decomposes a Gram matrix in place (LDL): writes l10 to g01, and d11 to g11. d00 is equal to g00.
///
/// With `mu = g01 (1/g00)`, `d11 = g11 - (re(mu) re(g01) + im(mu) im(g01))`, in this order. The
/// textbook formula, `g11 - |l10|^2 g00`, would round differently.
#[inline(always)]
fn ldl<S: Simd>(isa: S, g00: &[S::Real], g01: &mut [S::Real], g11: &mut [S::Real]) {
    if is_short::<S>(g00.len()) {
        return ldl(isa.half(), g00, g01, g11);
    }
    let (g01re, g01im) = g01.split_at_mut(g00.len());
    let one = isa.splat_f64(S::Real::from_i32(1));
    for_each_vector::<S>(
        g00.len(),
        #[inline(always)]
        |i| {
            let (g00, g11_row) = (isa.load_f64(&g00[i..]), isa.load_f64(&g11[i..]));
            let (l10, d11) = ldl_row(isa, one, GramRow { g00, g01: load(isa, g01re, g01im, i), g11: g11_row });
            isa.store_f64(d11, &mut g11[i..]);
            store(isa, l10, g01re, g01im, i);
        },
    );
}

/// Computes the LDL decomposition at the place of `row`, and returns the vectors of l10 and d11.
/// `one` is 1 in each lane.
#[inline(always)]
pub(super) fn ldl_row<S: Simd>(isa: S, one: S::F64, row: GramRow<S::F64>) -> (Complex<S::F64>, S::F64) {
    let GramRow { g00, g01, g11 } = row;
    let inverse = isa.div_f64(one, g00);
    let mu = Complex { re: isa.mul_f64(g01.re, inverse), im: isa.mul_f64(g01.im, inverse) };
    let subtrahend = isa.add_f64(isa.mul_f64(mu.re, g01.re), isa.mul_f64(mu.im, g01.im));
    (Complex { re: mu.re, im: isa.neg_f64(mu.im) }, isa.sub_f64(g11, subtrahend))
}

/// Splits a self-adjoint polynomial, which is in the first half of `d`. After the call, the child's
/// Gram matrix, `d0 | d1 | d0`, fills `d`.
#[inline(always)]
fn split_self<S: Simd>(isa: S, d: &mut [S::Real]) {
    if is_short::<S>(d.len() / 4) {
        return split_self(isa.half(), d);
    }
    let quarter = d.len() / 4;
    let (a, rest) = d.split_at_mut(quarter);
    let (b, rest) = rest.split_at_mut(quarter);
    let (c, e) = rest.split_at_mut(quarter);
    for_each_vector::<S>(
        quarter,
        #[inline(always)]
        |i| {
            let x = isa.load_f64(&a[i..]);
            let y = isa.load_f64(&b[i..]);
            let w = root(isa, quarter, i);
            let (sum, difference) = isa.add_sub_f64(x, y);
            let (mean, difference) = (isa.half_f64(sum), isa.half_f64(difference));
            isa.store_f64(mean, &mut a[i..]);
            isa.store_f64(isa.mul_f64(difference, w.re), &mut b[i..]);
            isa.store_f64(isa.mul_f64(difference, isa.neg_f64(w.im)), &mut c[i..]);
            isa.store_f64(mean, &mut e[i..]);
        },
    );
}

/// Computes the targets for the left child from the samples `w0 | w1` of the right child. Writes
/// `z1 = merge(w0, w1)` to t1. Writes the left child's targets, `split(t0 + (t1 - z1) l10)`, to
/// `w0 | w1`.
#[inline(always)]
fn left_targets_into<S: RealRows>(isa: S, w: &mut [S::Real], l10: &[S::Key], t0: &[S::Real], t1: &mut [S::Real]) {
    if is_short::<S>(t0.len() / 4) {
        return left_targets_into(isa.short(), w, l10, t0, t1);
    }
    let quarter = t0.len() / 4;
    if isa.left_targets_row(w, l10, t0, t1, roots_from(quarter)) {
        return;
    }
    let (w0, w1) = w.split_at_mut(2 * quarter);
    let (w0re, w0im) = w0.split_at_mut(quarter);
    let (w1re, w1im) = w1.split_at_mut(quarter);
    let (lre, lim) = l10.split_at(2 * quarter);
    let (t0re, t0im) = t0.split_at(2 * quarter);
    let (t1re, t1im) = t1.split_at_mut(2 * quarter);
    for_each_vector::<S>(
        quarter,
        #[inline(always)]
        |i| {
            let w = root(isa, quarter, i);
            let (u, v) = merge_pair(isa, load(isa, w0re, w0im, i), load(isa, w1re, w1im, i), w);
            let mut a = u;
            let mut b = v;
            for (z, i) in [(&mut a, i), (&mut b, i + quarter)] {
                let difference = sub(isa, load(isa, t1re, t1im, i), *z);
                store(isa, *z, t1re, t1im, i);
                *z = add(isa, load(isa, t0re, t0im, i), mul(isa, difference, load_key(isa, lre, lim, i)));
            }
            let (a, b) = split_pair(isa, a, b, w);
            store(isa, a, w0re, w0im, i);
            store(isa, b, w1re, w1im, i);
        },
    );
}

/// Samples at degree 2 from the targets `t0 | t1`, and returns four samples, `z0 | z1`.
#[inline(always)]
fn leaves<S: RealRows, D: SampleSource<S>>(
    isa: S,
    sampler: &mut D,
    [leaf1, leaf0]: [&D::Leaf; 2],
    tree: &[S::Key; 4],
    t: [S::Real; 4],
) -> [S::Real; 4] {
    let (re, im) = (isa.real(tree[1]), isa.real(tree[2]));
    let (y0, y1) = sampler.pair(t[2], t[3], leaf1);
    let a = t[2] - y0;
    let b = t[3] - y1;
    let x0 = t[0] + (a * re - b * im);
    let x1 = t[1] + (a * im + b * re);
    let (z0, z1) = sampler.pair(x0, x1, leaf0);
    [z0, z1, y0, y1]
}

/// The number of reals in the tree for degree 4.
const TREE_4: usize = 12;
/// The number of reals in the tree for degree 8.
const TREE_8: usize = 32;

/// Samples at degree 4. `t` contains the targets `t0 | t1` and is overwritten by `z0 | z1`.
#[inline(never)]
fn ff_sampling_4<S: RealRows, D: SampleSource<S>>(
    isa: S,
    sampler: &mut D,
    tree: &[S::Key; TREE_4],
    t: &mut [S::Real; 8],
) {
    frame!(isa, {
        let right_tree = first::<_, 4>(tree);
        let l10 = first::<_, 4>(&tree[4..]);
        let left_tree = first::<_, 4>(&tree[8..]);
        // Compute all leaves first, because otherwise each sample would have to wait for its leaf.
        let [a, b, c, d] = &black_box(sampler.leaves([right_tree[0], right_tree[3], left_tree[0], left_tree[3]]));
        let (t0, t1) = t.split_at_mut(4);
        let mut w = [S::Real::ZERO; 4];
        split_into(isa, t1, &mut w);
        w = leaves(isa, sampler, [a, b], right_tree, w);
        left_targets_into(isa, &mut w, l10, t0, t1);
        w = leaves(isa, sampler, [c, d], left_tree, w);
        merge_into(isa, &w, t0);
    });
}

/// Samples at degree 8. `t` contains the targets `t0 | t1` and is overwritten by `z0 | z1`.
#[inline(never)]
fn ff_sampling_8<S: RealRows, D: SampleSource<S>>(
    isa: S,
    sampler: &mut D,
    tree: &[S::Key; TREE_8],
    t: &mut [S::Real; 16],
) {
    frame!(isa, {
        let right_tree = first(tree);
        let l10 = first::<_, 8>(&tree[12..]);
        let left_tree = first(&tree[20..]);
        let (t0, t1) = t.split_at_mut(8);
        let mut w = [S::Real::ZERO; 8];
        split_into(isa, t1, &mut w);
        ff_sampling_4(isa, sampler, right_tree, &mut w);
        left_targets_into(isa, &mut w, l10, t0, t1);
        ff_sampling_4(isa, sampler, left_tree, &mut w);
        merge_into(isa, &w, t0);
    });
}

/// Returns the first `N` values. `values` must have at least `N` values.
#[inline(always)]
fn first<T, const N: usize>(values: &[T]) -> &[T; N] {
    let (chunks, _) = values.as_chunks();
    &chunks[0]
}

/// Returns the first `N` values as a mutable array. `values` must have at least `N` values.
#[inline(always)]
fn first_mut<T, const N: usize>(values: &mut [T]) -> &mut [T; N] {
    let (chunks, _) = values.as_chunks_mut();
    &mut chunks[0]
}

/// Writes the tree for degree 2: leaf for d11, l10, leaf for g00.
#[inline(always)]
fn expand_2<S: Simd>(isa: S, gram: &mut [S::Real; 4], inv_sigma: S::Real, tree: &mut [S::Real; 4]) {
    let [g00, re, im, g11] = *gram;
    // The operations are the same as in `ldl`, for a single complex value.
    let inverse = isa.quotient(S::Real::from_i32(1), g00);
    let mu_re = re * inverse;
    let mu_im = im * inverse;
    let d11 = g11 - (mu_re * re + mu_im * im);
    *tree = [isa.root(d11) * inv_sigma, mu_re, -mu_im, isa.root(g00) * inv_sigma];
}

/// Writes the tree for degree 4. The Gram matrix is overwritten.
#[inline(always)]
fn expand_4<S: Simd>(isa: S, gram: &mut [S::Real; 8], inv_sigma: S::Real, tree: &mut [S::Real; TREE_4]) {
    let (g00, rest) = gram.split_at_mut(2);
    let (g01, g11) = rest.split_at_mut(4);
    ldl(isa, g00, g01, g11);
    tree[4..8].copy_from_slice(g01);
    // l10 is stored in the tree, so d11 can overwrite g01.
    gram.copy_within(6..8, 2);
    split_self(isa, &mut gram[2..6]);
    expand_2(isa, first_mut(&mut gram[2..]), inv_sigma, first_mut(tree));
    split_self(isa, &mut gram[..4]);
    expand_2(isa, first_mut(gram), inv_sigma, first_mut(&mut tree[8..]));
}

/// Writes the tree for degree 8. The Gram matrix is overwritten.
#[inline(never)]
fn expand_8<S: Simd>(isa: S, gram: &mut [S::Real; 16], inv_sigma: S::Real, tree: &mut [S::Real; TREE_8]) {
    frame!(isa, {
        let (g00, rest) = gram.split_at_mut(4);
        let (g01, g11) = rest.split_at_mut(8);
        ldl(isa, g00, g01, g11);
        tree[12..20].copy_from_slice(g01);
        gram.copy_within(12..16, 4);
        split_self(isa, &mut gram[4..12]);
        expand_4(isa, first_mut(&mut gram[4..]), inv_sigma, first_mut(tree));
        split_self(isa, &mut gram[..8]);
        expand_4(isa, first_mut(gram), inv_sigma, first_mut(&mut tree[20..]));
    });
}

/// Samples at degrees 4 and 8. The small tree is a variable in this separate stack frame, so the
/// frames for larger degrees do not contain it.
#[inline(never)]
fn ff_sampling_small<S: Simd>(isa: S, sampler: &mut Sampler<S>, logn: u32, gram: &mut [S::Real], t: &mut [S::Real]) {
    frame!(isa, {
        let mut tree = [S::Real::ZERO; TREE_8];
        if logn == 3 {
            expand_8(isa, first_mut(gram), sampler.inv_sigma(), &mut tree);
            ff_sampling_8(isa, sampler, &tree, first_mut(t));
        } else {
            expand_4(isa, first_mut(gram), sampler.inv_sigma(), first_mut(&mut tree));
            ff_sampling_4(isa, sampler, first(&tree), first_mut(t));
        }
    })
}

/// Calls [`left_targets_into`] in a separate stack frame, so that the recursive functions do not
/// have to save registers for this call. The next four functions exist for the same reason.
#[inline(never)]
fn left_targets_framed<S: RealRows>(isa: S, w: &mut [S::Real], l10: &[S::Key], t0: &[S::Real], t1: &mut [S::Real]) {
    frame!(isa, left_targets_into(isa, w, l10, t0, t1))
}

/// Calls [`split_into`] in a separate stack frame.
#[inline(never)]
fn split_framed<S: RealRows>(isa: S, t: &[S::Real], f: &mut [S::Real]) {
    frame!(isa, split_into(isa, t, f))
}

/// Calls [`merge_into`] in a separate stack frame.
#[inline(never)]
fn merge_framed<S: RealRows>(isa: S, f: &[S::Real], t: &mut [S::Real]) {
    frame!(isa, merge_into(isa, f, t))
}

/// Calls [`ldl`] in a separate stack frame.
#[inline(never)]
fn ldl_framed<S: Simd>(isa: S, g00: &[S::Real], g01: &mut [S::Real], g11: &mut [S::Real]) {
    frame!(isa, ldl(isa, g00, g01, g11))
}

/// Calls [`split_self`] in a separate stack frame.
#[inline(never)]
pub(super) fn split_self_framed<S: Simd>(isa: S, d: &mut [S::Real]) {
    frame!(isa, split_self(isa, d))
}

/// Samples at degree 2. `memory` has the same layout as in [`ff_sampling`].
#[inline(never)]
fn ff_sampling_2<S: Simd>(isa: S, sampler: &mut Sampler<S>, memory: &mut [S::Real]) {
    frame!(isa, {
        let (lower_memory, t) = memory.split_at_mut(memory.len() - 4);
        let mut tree = [S::Real::ZERO; 4];
        expand_2(isa, first_mut(lower_memory), sampler.inv_sigma(), &mut tree);
        let [a, b] = sampler.leaves([tree[0], tree[3]]);
        let t = first_mut::<_, 4>(t);
        *t = leaves(isa, sampler, [&a, &b], &tree, *t);
    });
}

/// Samples z0 and z1 (`ff_sampling`), and computes the LDL decomposition node by node at the same
/// time. `memory` has the Gram matrix at the start and the targets `t0 | t1` at the end, and must
/// have at least [`dynamic_reals`] reals. The samples `z0 | z1` overwrite the targets.
///
/// A loop visits the tree's nodes in order, because a recursion would need a stack frame for each
/// degree. A node with height `h` has degree `2^h`, so there are `n/2` nodes with height 1. These
/// nodes are numbered in visiting order. Bit `h - 1` of a node's number is set if the
/// node's ancestor with height `h` (the node itself for `h = 1`) is a left child.
#[inline(never)]
pub fn ff_sampling<S: Simd>(isa: S, sampler: &mut Sampler<S>, logn: u32, memory: &mut [S::Real]) {
    frame!(isa, {
        // A single call samples a node with the height `bottom_height`, together with its whole
        // subtree.
        let bottom_height = if S::SMALL_STACK { 1 } else { logn.min(3) };
        let leaf_step = 1usize << (bottom_height - 1);
        let mut last_leaf = 0;
        for leaf in (0..1u32 << (logn - 1)).step_by(leaf_step) {
            let mut height = logn;
            if leaf > 0 {
                // Among the ancestors of `last_leaf`, the nodes below `height` have two complete
                // children. In the node with this height, only the right child is complete.
                height = leaf.trailing_zeros() + 2;
                for done_height in bottom_height + 1..height {
                    finish_node(isa, done_height, node(memory, logn, last_leaf, done_height));
                }
                start_left_child(isa, height, node(memory, logn, leaf, height));
                height -= 1;
            }
            for height in (bottom_height + 1..=height).rev() {
                start_node(isa, height, node(memory, logn, leaf, height));
            }
            let memory = node(memory, logn, leaf, bottom_height);
            if bottom_height == 1 {
                ff_sampling_2(isa, sampler, memory);
            } else {
                let (lower_memory, t) = memory.split_at_mut(memory.len() - 4 * leaf_step);
                ff_sampling_small(isa, sampler, bottom_height, lower_memory, t);
            }
            last_leaf = leaf;
        }
        for done_height in bottom_height + 1..=logn {
            finish_node(isa, done_height, node(memory, logn, last_leaf, done_height));
        }
    });
}

/// Returns the memory for a node A. Among the ancestors of the height-1 node with number `leaf`, A
/// has the height `height`. The memory starts after g00 and l10 for all nodes that have A in their
/// right subtree. The memory ends before the targets for all A's ancestors.
#[inline(always)]
fn node<R>(memory: &mut [R], logn: u32, leaf: u32, height: u32) -> &mut [R] {
    // Bit `h - 1` in `right_steps` has the weight `3/2 2^(h + 1)`: the reals for g00 and l10 in the
    // parent with height `h + 1`.
    let count = 1u32 << (logn - 1);
    let below_mask = 1u32 << (height - 1);
    let right_steps = !leaf & (count - below_mask);
    let end = memory.len() - ((4 << logn) - (4 << height));
    &mut memory[6 * right_steps as usize..end]
}

/// Starts a node with degree `2^logn`: decomposes the Gram matrix, and writes the right child's
/// Gram matrix and targets.
#[inline(always)]
fn start_node<S: Simd>(isa: S, logn: u32, memory: &mut [S::Real]) {
    let n = 1usize << logn;
    let (lower_memory, t) = memory.split_at_mut(memory.len() - 2 * n);
    let (g00, rest) = lower_memory.split_at_mut(n / 2);
    let (g01, right) = rest.split_at_mut(n);
    ldl_framed(isa, g00, g01, &mut right[..n / 2]);
    split_self_framed(isa, &mut right[..n]);
    let at = right.len() - n;
    split_framed(isa, &t[n..], &mut right[at..]);
}

/// Moves from a node's right child to the left child: writes z1, and the left child's Gram matrix
/// and targets.
#[inline(always)]
fn start_left_child<S: Simd>(isa: S, logn: u32, memory: &mut [S::Real]) {
    let n = 1usize << logn;
    let (lower_memory, t) = memory.split_at_mut(memory.len() - 2 * n);
    let (t0, t1) = t.split_at_mut(n);
    let (left, w) = lower_memory.split_at_mut(lower_memory.len() - n);
    left_targets_framed(isa, w, &left[n / 2..][..n], t0, t1);
    split_self_framed(isa, &mut left[..n]);
}

/// Completes a node after both children are complete: merges the left child's samples to z0.
#[inline(always)]
fn finish_node<S: Simd>(isa: S, logn: u32, memory: &mut [S::Real]) {
    let n = 1usize << logn;
    let (lower_memory, t) = memory.split_at_mut(memory.len() - 2 * n);
    merge_framed(isa, &lower_memory[lower_memory.len() - n..], &mut t[..n]);
}

/// Writes the LDL tree for a Gram matrix. The matrix is in the first `2n` reals of `gram`, which
/// has at least `3n` reals and is overwritten.
#[inline(never)]
pub fn expand_into<S: Simd>(isa: S, logn: u32, gram: &mut [S::Real], inv_sigma: S::Real, tree: &mut [S::Real]) {
    frame!(isa, {
        match logn {
            2 => return expand_4(isa, first_mut(gram), inv_sigma, first_mut(tree)),
            3 => return expand_8(isa, first_mut(gram), inv_sigma, first_mut(tree)),
            _ => {}
        }
        let n = 1usize << logn;
        let half = n / 2;
        let (right_tree, rest) = tree.split_at_mut(tree_reals(logn - 1));
        let (l10, left_tree) = rest.split_at_mut(n);
        {
            let (g00, rest) = gram.split_at_mut(half);
            let (g01, g11) = rest.split_at_mut(n);
            ldl_framed(isa, g00, g01, &mut g11[..half]);
            l10.copy_from_slice(g01);
        }
        let right = &mut gram[half + n..];
        split_self_framed(isa, &mut right[..n]);
        expand_into(isa, logn - 1, right, inv_sigma, right_tree);
        split_self_framed(isa, &mut gram[..n]);
        expand_into(isa, logn - 1, gram, inv_sigma, left_tree);
    });
}

/// Returns how many reals [`ff_sampling_tree`] needs as memory. The targets need `2n` reals, a
/// child's targets need `2 (n/2)` reals, and so on. The sum is less than `4n`.
pub const fn tree_work_reals(logn: u32) -> usize {
    4 << logn
}

/// Samples (`ff_sampling`) with an expanded tree. `memory` has the targets `t0 | t1` at the end,
/// and must have at least [`tree_work_reals`] reals. The samples `z0 | z1` overwrite the targets.
#[inline(never)]
pub fn ff_sampling_tree<S: RealRows, D: SampleSource<S>>(
    isa: S,
    sampler: &mut D,
    logn: u32,
    tree: &[S::Key],
    memory: &mut [S::Real],
) {
    frame!(isa, {
        let n = 1usize << logn;
        let (lower_memory, t) = memory.split_at_mut(memory.len() - 2 * n);
        match logn {
            2 => return ff_sampling_4(isa, sampler, first(tree), first_mut(t)),
            3 => return ff_sampling_8(isa, sampler, first(tree), first_mut(t)),
            _ => {}
        }
        let (right_tree, rest) = tree.split_at(tree_reals(logn - 1));
        let (l10, left_tree) = rest.split_at(n);
        let (t0, t1) = t.split_at_mut(n);
        let at = lower_memory.len() - n;
        split_framed(isa, t1, &mut lower_memory[at..]);
        ff_sampling_tree(isa, sampler, logn - 1, right_tree, lower_memory);
        left_targets_framed(isa, &mut lower_memory[at..], l10, t0, t1);
        ff_sampling_tree(isa, sampler, logn - 1, left_tree, lower_memory);
        merge_framed(isa, &lower_memory[at..], t0);
    });
}
