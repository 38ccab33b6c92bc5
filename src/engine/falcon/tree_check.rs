//! Checks the LDL tree of an expanded key ([`tree_fits`]): computes a Gram matrix from the leaves
//! up to the root by multiplication, and compares it with the Gram matrix from which the tree was
//! computed.
//!
//! If a square root or a division is wrong while a key is expanded, a tree leaf is wrong. The
//! signatures still verify, but their distribution depends on the private key, and a million
//! signatures reveal the key (ePrint 2026/2046). The tree is computed with divisions, square roots
//! and differences. This check computes in the opposite direction: it uses no divisions and no
//! square roots, and it adds where the decomposition subtracts.
//!
//! | check | location |
//! |---|---|
//! | a leaf times `sigma_min` is within `[1/1.17^2, 1]`, see [`LEAST_LEAF`] | each leaf |
//! | `g00 = g11`, and `g01` times the root of unity is real | each child's matrix |
//! | the matrix is equal to the basis's matrix, times `1/sigma^2` | the tree's root |
//! | `g00 g11 - \|g01\|^2 = q^2`: the basis belongs to this lattice | the tree's root |
//!
//! All differences are squared and added. Rounding errors add up to less than `2^-70`. If a leaf is
//! wrong by one part in `2^25`, the sum is more than [`MOST_ERROR`], as the tests in this file
//! show. To detect smaller errors, the tree is computed twice, and both hashes are compared.
//!
//! All values in this file are secret. Only the fact that the check passed or failed is public.

use super::complex::{for_each_vector, is_short, load, load_key, root, squared};
use super::sampler::{INV_SIGMA, SIGMA_MIN};
use super::sign::INV_Q;
use super::tree::tree_reals;
use crate::simd::{Real, RowValue, Simd, ct, frame};

/// The largest valid sum of the squared differences, `2^-60`, as binary64 bits.
pub(super) const MOST_ERROR: u64 = (1023 - 60) << 52;
/// The lower bound for a leaf times `sigma_min`, `(1 - 2^-14) / 1.17^2`. A leaf is the length of a
/// vector in the orthogonalized basis, divided by `1.17 sqrt(q) sigma_min`. Key generation and
/// import check that no vector is longer than `1.17 sqrt(q)`, up to rounding errors. The vectors
/// form pairs. In a pair, the product of both lengths is q, so no vector is shorter than
/// `sqrt(q) / 1.17`.
const LEAST_LEAF: u64 = 0x3fe7_6000_72e6_5c5a;
/// The upper bound for a leaf times `sigma_min`, `1 + 2^-14`: see [`LEAST_LEAF`].
const LARGEST_LEAF: u64 = 0x3ff0_0040_0000_0000;

/// The findings that the check collects over the whole tree.
struct TreeFindings<R> {
    /// The sum of the squared differences.
    error: R,
    /// A number that is not zero if a leaf is out of range.
    out_of_range: u64,
    /// `sigma_min` for the key's degree.
    sigma_min: R,
}

impl<R: Real> TreeFindings<R> {
    /// Adds each lane in `errors`, a vector with squared differences, to the sum.
    #[inline(always)]
    fn add<S: Simd<Real = R>>(&mut self, isa: S, errors: S::F64) {
        let mut lanes = [R::ZERO; 8];
        isa.store_f64(errors, &mut lanes);
        self.error = lanes[..S::LANES_F64].iter().fold(self.error, |sum, x| sum + *x);
    }
}

/// Returns whether `tree` belongs to the Gram matrix `gram`, `g00 | g01 | g11`, of a basis for
/// degree `2^logn`. The result is public. `gram` and `memory` must have `2n` reals; `memory` is
/// overwritten.
#[inline(never)]
pub fn tree_fits<S: Simd>(isa: S, logn: u32, tree: &[S::Real], gram: &[S::Real], memory: &mut [S::Real]) -> bool {
    frame!(isa, {
        let findings = findings_of(isa, logn, tree, gram, memory);
        // The error is a sum of squares, so it is not negative. Two such numbers can be compared by
        // comparing their bits as integers, and the bits of NaN are larger than the bits of any
        // number.
        let is_wrong = findings.out_of_range | ct::less_u64(MOST_ERROR, ct::barrier_u64(findings.error.to_bits()));
        ct::declassify("expanded key: its tree", ct::mask_nonzero(is_wrong)) == 0
    })
}

/// Computes the Gram matrix from the tree, and compares it with `gram`.
#[inline(always)]
fn findings_of<S: Simd>(
    isa: S,
    logn: u32,
    tree: &[S::Real],
    gram: &[S::Real],
    memory: &mut [S::Real],
) -> TreeFindings<S::Real> {
    let sigma_min = S::Real::from_bits(SIGMA_MIN[logn as usize]);
    let mut findings = TreeFindings { error: S::Real::ZERO, out_of_range: 0, sigma_min };
    gram_from_tree(isa, logn, tree, memory, &mut findings);
    compare(isa, logn, memory, gram, &mut findings);
    findings
}

/// Writes the tree's Gram matrix, `2n` reals, divided by `sigma^2`.
#[inline(never)]
fn gram_from_tree<S: Simd>(
    isa: S,
    logn: u32,
    tree: &[S::Real],
    gram: &mut [S::Real],
    findings: &mut TreeFindings<S::Real>,
) {
    frame!(isa, {
        let n = 1usize << logn;
        let half = n / 2;
        if logn == 1 {
            for (leaf, square) in [(tree[3], 0), (tree[0], 3)] {
                let scaled = ct::barrier_u64((leaf * findings.sigma_min).to_bits());
                findings.out_of_range |= ct::less_u64(scaled, LEAST_LEAF) | ct::less_u64(LARGEST_LEAF, scaled);
                gram[square] = leaf * leaf;
            }
            return products(isa, &tree[1..3], gram);
        }
        let (right_tree, rest) = tree.split_at(tree_reals(logn - 1));
        let (l10, left_tree) = rest.split_at(n);
        gram_from_tree(isa, logn - 1, right_tree, gram, findings);
        merge_self(isa, &mut gram[..n], findings);
        gram.copy_within(..half, n + half);
        gram_from_tree(isa, logn - 1, left_tree, gram, findings);
        merge_self(isa, &mut gram[..n], findings);
        products(isa, l10, gram);
    });
}

/// Reverses `split_self` in [`tree`](super::tree): `d` contains a child's matrix, `d0 | d1 | d0`.
/// Writes the self-adjoint polynomial that was split into d0 and d1 to the first half of `d`.
#[inline(always)]
fn merge_self<S: Simd>(isa: S, d: &mut [S::Real], findings: &mut TreeFindings<S::Real>) {
    if is_short::<S>(d.len() / 4) {
        return merge_self(isa.half(), d, findings);
    }
    let quarter = d.len() / 4;
    let (a, rest) = d.split_at_mut(quarter);
    let (b, rest) = rest.split_at_mut(quarter);
    let (c, e) = rest.split_at(quarter);
    let mut errors = isa.splat_f64(S::Real::ZERO);
    for_each_vector::<S>(
        quarter,
        #[inline(always)]
        |i| {
            let w = root(isa, quarter, i);
            let mean = isa.load_f64(&a[i..]);
            let d1 = load(isa, b, c, i);
            let difference = isa.sub_f64(isa.mul_f64(d1.re, w.re), isa.mul_f64(d1.im, w.im));
            let imaginary = isa.add_f64(isa.mul_f64(d1.re, w.im), isa.mul_f64(d1.im, w.re));
            let diagonal_error = isa.sub_f64(isa.load_f64(&e[i..]), mean);
            let error = isa.add_f64(isa.mul_f64(imaginary, imaginary), isa.mul_f64(diagonal_error, diagonal_error));
            errors = isa.add_f64(errors, error);
            isa.store_f64(isa.add_f64(mean, difference), &mut a[i..]);
            isa.store_f64(isa.sub_f64(mean, difference), &mut b[i..]);
        },
    );
    findings.add(isa, errors);
}

/// Reverses the decomposition: computes g01 and g11 from g00, l10, and d11, which is stored in g11.
#[inline(always)]
fn products<S: Simd>(isa: S, l10: &[S::Real], gram: &mut [S::Real]) {
    let half = l10.len() / 2;
    if is_short::<S>(half) {
        return products(isa.half(), l10, gram);
    }
    let (g00, rest) = gram.split_at_mut(half);
    let (re, rest) = rest.split_at_mut(half);
    let (im, g11) = rest.split_at_mut(half);
    let (lre, lim) = l10.split_at(half);
    for_each_vector::<S>(
        half,
        #[inline(always)]
        |i| {
            let x = isa.load_f64(&g00[i..]);
            let l = load_key(isa, lre, lim, i);
            isa.store_f64(isa.mul_f64(l.re, x), &mut re[i..]);
            isa.store_f64(isa.neg_f64(isa.mul_f64(l.im, x)), &mut im[i..]);
            let l10_norm = isa.mul_f64(squared(isa, l), x);
            isa.store_f64(isa.add_f64(isa.load_f64(&g11[i..]), l10_norm), &mut g11[i..]);
        },
    );
}

/// Compares the tree's matrix with `gram`, the basis's matrix, and compares the determinant of
/// `gram` with `q^2`.
#[inline(always)]
fn compare<S: Simd>(isa: S, logn: u32, tree_gram: &[S::Real], gram: &[S::Real], findings: &mut TreeFindings<S::Real>) {
    let half = 1usize << (logn - 1);
    if is_short::<S>(half) {
        return compare(isa.half(), logn, tree_gram, gram, findings);
    }
    let inv_sigma = S::Real::from_bits(INV_SIGMA[logn as usize]);
    let scale = isa.splat_f64(inv_sigma * inv_sigma);
    let inv_q = isa.splat_f64(S::Real::from_bits(INV_Q));
    let one = isa.splat_f64(S::Real::from_i32(1));
    let mut errors = isa.splat_f64(S::Real::ZERO);
    for_each_vector::<S>(
        half,
        #[inline(always)]
        |i| {
            let mut row = [one; 4];
            for (at, x) in (i..).step_by(half).zip(&mut row) {
                *x = isa.load_f64(&gram[at..]);
                let difference = isa.sub_f64(isa.mul_f64(*x, scale), isa.load_f64(&tree_gram[at..]));
                errors = isa.add_f64(errors, isa.mul_f64(difference, difference));
                *x = isa.mul_f64(*x, inv_q);
            }
            let [g00, re, im, g11] = row;
            let g01_norm = isa.add_f64(isa.mul_f64(re, re), isa.mul_f64(im, im));
            let determinant = isa.sub_f64(isa.mul_f64(g00, g11), g01_norm);
            let difference = isa.sub_f64(determinant, one);
            errors = isa.add_f64(errors, isa.mul_f64(difference, difference));
        },
    );
    findings.add(isa, errors);
}

#[cfg(test)]
mod tests {
    use super::super::codec::private_parts;
    use super::super::params::Degree;
    use super::super::sampler::inv_sigma;
    use super::super::scheme::{FalconAlgorithm, FalconScheme};
    use super::super::sign::EncodedPrivateKey;
    use super::super::tests::{hex, load};
    use super::super::tree::{expand_into, gram_into};
    use super::*;
    use crate::simd::{Level, WithSimd};

    /// Returns a tree's leaves.
    fn leaves<R: Copy>(logn: u32, tree: &[R]) -> Vec<R> {
        if logn == 1 {
            return vec![tree[0], tree[3]];
        }
        let len = tree_reals(logn - 1);
        let mut all = leaves(logn - 1, &tree[..len]);
        all.extend(leaves(logn - 1, &tree[tree.len() - len..]));
        all
    }

    /// A test that checks a key's tree, and then changes the last leaf, which the check must
    /// detect. Returns the sum of the squared differences, and the smallest and largest leaf times
    /// `sigma_min`.
    struct TreeMeasurement<'k>(Degree, &'k [u8]);

    impl WithSimd for TreeMeasurement<'_> {
        type Output = [f64; 3];
        fn with<S: Simd>(self, isa: S) -> [f64; 3] {
            let Self(degree, private) = self;
            let (n, logn) = (degree.n(), degree.logn());
            let key = EncodedPrivateKey {
                degree,
                parts: private_parts(FalconAlgorithm::new(FalconScheme::FnDsa, degree), private),
            };
            let mut rows = vec![S::Real::ZERO; 4 * n];
            let [b00, b01, b10, b11] = rows.get_disjoint_mut([0, 1, 2, 3].map(|i| i * n..(i + 1) * n)).unwrap();
            key.basis_into(isa, [&mut *b00, &mut *b01, &mut *b10, &mut *b11], &mut vec![0; 4 * n]);
            let mut gram = vec![S::Real::ZERO; 3 * n];
            gram_into(isa, [b00, b01, b10, b11], &mut gram);
            let original_gram = gram[..2 * n].to_vec();
            let mut tree = vec![S::Real::ZERO; tree_reals(logn)];
            expand_into(isa, logn, &mut gram, inv_sigma::<S>(logn), &mut tree);
            let findings = findings_of(isa, logn, &tree, &original_gram, &mut gram);
            assert_eq!(findings.out_of_range, 0);
            assert!(tree_fits(isa, logn, &tree, &original_gram, &mut gram));
            let float = |x: S::Real| f64::from_bits(x.to_bits());
            let scaled: Vec<f64> = leaves(logn, &tree).iter().map(|x| float(*x * findings.sigma_min)).collect();
            let at = tree_reals(logn) - 1;
            let last_leaf = tree[at];
            for factor in [
                1.0 - 1.0 / (1 << 25) as f64,
                1.0 + 1.0 / (1 << 25) as f64,
                1.4,
                0.7,
                f64::NAN,
                f64::INFINITY,
                0.0,
                -1.0,
            ] {
                tree[at] = S::Real::from_bits((float(last_leaf) * factor).to_bits());
                assert!(!tree_fits(isa, logn, &tree, &original_gram, &mut gram), "{} {logn} {factor}", S::NAME);
                let is_far = !(0.71..1.39).contains(&factor);
                assert_eq!(
                    findings_of(isa, logn, &tree, &original_gram, &mut gram).out_of_range != 0,
                    is_far,
                    "{} {logn} {factor}",
                    S::NAME
                );
            }
            [
                float(findings.error),
                scaled.iter().copied().fold(9.0, f64::min),
                scaled.iter().copied().fold(0.0, f64::max),
            ]
        }
    }

    /// Uses the keys from the test vectors. The sum of the rounding errors is far below the limit,
    /// and the leaves are within their range.
    #[test]
    fn good_trees_pass_the_check_and_damaged_trees_fail() {
        let kats = load(include_str!("../../../tests/kat/kat-a.json"));
        let mut worst = [0.0f64, 9.0, 0.0];
        for kat in kats["vectors"].as_array().unwrap() {
            let degree = Degree::from_logn(kat["logn"].as_u64().unwrap() as u32).unwrap();
            let private = hex(&kat["sk"]);
            for level in Level::available() {
                let [error, least, largest] = level.run(TreeMeasurement(degree, &private));
                worst = [worst[0].max(error), worst[1].min(least), worst[2].max(largest)];
            }
        }
        println!("squared differences: 2^{:.1}; leaves: {:.4} to {:.4}", worst[0].log2(), worst[1], worst[2]);
        assert!(worst[0] < 2f64.powi(-70), "{worst:?}");
    }
}
