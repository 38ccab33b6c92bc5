//! Checks a tree by multiplication, on the way up from its leaves to the Gram matrix that it was made of.
//!
//! A fault in one square root or division while the tree of an expanded key is made gives a leaf that is not the key's.
//! Signatures over it verify, and their distribution depends on the private key: a million of them give it away (ePrint
//! 2026/2046). The tree is made by divisions, square roots and differences; the way back has none of these.
//!
//! | what is checked | where |
//! |---|---|
//! | a leaf times `sigma_min` is within `[1/1.17^2, 1]`, see [`LEAST_LEAF`] | at each leaf |
//! | `g00 = g11`, and `g01` times the root is real: both values came of one self-adjoint polynomial | at each child |
//! | the matrix is the one of the basis, times `1/sigma^2` | at the root |
//! | `g00 g11 - \|g01\|^2 = q^2`: the basis is one of this lattice | at the root |
//!
//! All differences are squared and added. Roundings make a sum of less than `2^-70`, a leaf that is off by a part in `2^25` one
//! of more than [`MOST_ERROR`], as tests below see. What is smaller, the hash of a tree that is made twice sees.
//!
//! Everything here is secret but the verdict.

use super::fft::{each_vector, is_short, load, load_key, root, squared};
use super::sampler::{INV_SIGMA, SIGMA_MIN};
use super::sign::INV_Q;
use super::tree::tree_reals;
use crate::simd::{Number, Real, Simd, ct, frame};

/// The most that the squared differences may add up to, `2^-60`, as the bits of a binary64.
pub(super) const MOST_ERROR: u64 = (1023 - 60) << 52;
/// Bounds of a leaf times `sigma_min`, `(1 - 2^-14) / 1.17^2` and `1 + 2^-14`. A leaf is the length of a vector of the
/// orthogonalized basis over `1.17 sqrt(q) sigma_min`. Key generation and import see that no vector is longer than
/// `1.17 sqrt(q)`, up to the roundings of their rule; the product of each of them and another one is q, so none is shorter
/// than `sqrt(q) / 1.17`.
const LEAST_LEAF: u64 = 0x3fe7_6000_72e6_5c5a;
/// See [`LEAST_LEAF`].
const LARGEST_LEAF: u64 = 0x3ff0_0040_0000_0000;

/// What the way up finds.
struct Findings<R> {
    /// The sum of squared differences.
    error: R,
    /// Not zero if a leaf is out of range.
    outside: u64,
    /// `sigma_min` of the key's degree.
    sigma_min: R,
}

impl<R: Real> Findings<R> {
    /// Adds the lanes of a sum of squared differences.
    #[inline(always)]
    fn add<S: Simd<Real = R>>(&mut self, isa: S, errors: S::F64) {
        let mut lanes = [R::ZERO; 8];
        isa.store_f64(errors, &mut lanes);
        self.error = lanes[..S::LANES_F64].iter().fold(self.error, |sum, x| sum + *x);
    }
}

/// Returns whether `tree` is the one of the Gram matrix `gram`, `g00 | g01 | g11`, of a basis for degree `2^logn`. The answer is
/// public. Range: `gram` and `memory`, which is overwritten, have `2n` reals.
#[inline(never)]
pub fn tree_fits<S: Simd>(isa: S, logn: u32, tree: &[S::Real], gram: &[S::Real], memory: &mut [S::Real]) -> bool {
    frame!(isa, {
        let found = find(isa, logn, tree, gram, memory);
        // Numbers that are not negative have the order of their bits; what is no number comes behind all of them.
        let wrong = found.outside | ct::less_u64(MOST_ERROR, ct::barrier_u64(found.error.to_bits()));
        ct::declassify("expanded key: its tree", ct::mask_nonzero(wrong)) == 0
    })
}

/// Goes all the way up.
#[inline(always)]
fn find<S: Simd>(isa: S, logn: u32, tree: &[S::Real], gram: &[S::Real], memory: &mut [S::Real]) -> Findings<S::Real> {
    let sigma_min = S::Real::from_bits(SIGMA_MIN[logn as usize]);
    let mut found = Findings { error: S::Real::ZERO, outside: 0, sigma_min };
    climb(isa, logn, tree, memory, &mut found);
    compare(isa, logn, memory, gram, &mut found);
    found
}

/// Writes the Gram matrix of the tree, `2n` reals, divided by `sigma^2`.
#[inline(never)]
fn climb<S: Simd>(isa: S, logn: u32, tree: &[S::Real], gram: &mut [S::Real], found: &mut Findings<S::Real>) {
    frame!(isa, {
        let n = 1usize << logn;
        let half = n / 2;
        if logn == 1 {
            for (leaf, square) in [(tree[3], 0), (tree[0], 3)] {
                let scaled = ct::barrier_u64((leaf * found.sigma_min).to_bits());
                found.outside |= ct::less_u64(scaled, LEAST_LEAF) | ct::less_u64(LARGEST_LEAF, scaled);
                gram[square] = leaf * leaf;
            }
            return products(isa, &tree[1..3], gram);
        }
        let (right_tree, rest) = tree.split_at(tree_reals(logn - 1));
        let (l10, left_tree) = rest.split_at(n);
        climb(isa, logn - 1, right_tree, gram, found);
        merge_self(isa, &mut gram[..n], found);
        gram.copy_within(..half, n + half);
        climb(isa, logn - 1, left_tree, gram, found);
        merge_self(isa, &mut gram[..n], found);
        products(isa, l10, gram);
    });
}

/// Undoes `split_self` of [`tree`](super::tree): the matrix `d0 | d1 | d0` of a child becomes the values of one self-adjoint
/// polynomial, in the first half of `d`.
#[inline(always)]
fn merge_self<S: Simd>(isa: S, d: &mut [S::Real], found: &mut Findings<S::Real>) {
    if is_short::<S>(d.len() / 4) {
        return merge_self(isa.half(), d, found);
    }
    let quarter = d.len() / 4;
    let (a, rest) = d.split_at_mut(quarter);
    let (b, rest) = rest.split_at_mut(quarter);
    let (c, e) = rest.split_at(quarter);
    let mut errors = isa.splat_f64(S::Real::ZERO);
    each_vector::<S>(
        quarter,
        #[inline(always)]
        |i| {
            let w = root(isa, quarter, i);
            let mean = isa.load_f64(&a[i..]);
            let d1 = load(isa, b, c, i);
            let difference = isa.sub_f64(isa.mul_f64(d1.re, w.re), isa.mul_f64(d1.im, w.im));
            let imaginary = isa.add_f64(isa.mul_f64(d1.re, w.im), isa.mul_f64(d1.im, w.re));
            let other = isa.sub_f64(isa.load_f64(&e[i..]), mean);
            let error = isa.add_f64(isa.mul_f64(imaginary, imaginary), isa.mul_f64(other, other));
            errors = isa.add_f64(errors, error);
            isa.store_f64(isa.add_f64(mean, difference), &mut a[i..]);
            isa.store_f64(isa.sub_f64(mean, difference), &mut b[i..]);
        },
    );
    found.add(isa, errors);
}

/// Undoes the decomposition: from g00 and d11, in g11's place, and l10, makes g01 and g11.
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
    each_vector::<S>(
        half,
        #[inline(always)]
        |i| {
            let x = isa.load_f64(&g00[i..]);
            let l = load_key(isa, lre, lim, i);
            isa.store_f64(isa.mul_f64(l.re, x), &mut re[i..]);
            isa.store_f64(isa.neg_f64(isa.mul_f64(l.im, x)), &mut im[i..]);
            let less = isa.mul_f64(squared(isa, l), x);
            isa.store_f64(isa.add_f64(isa.load_f64(&g11[i..]), less), &mut g11[i..]);
        },
    );
}

/// Compares the matrix that the way up arrived at with the one of the basis, and that one's determinant with `q^2`.
#[inline(always)]
fn compare<S: Simd>(isa: S, logn: u32, climbed: &[S::Real], gram: &[S::Real], found: &mut Findings<S::Real>) {
    let half = 1usize << (logn - 1);
    if is_short::<S>(half) {
        return compare(isa.half(), logn, climbed, gram, found);
    }
    let inv_sigma = S::Real::from_bits(INV_SIGMA[logn as usize]);
    let scale = isa.splat_f64(inv_sigma * inv_sigma);
    let inv_q = isa.splat_f64(S::Real::from_bits(INV_Q));
    let one = isa.splat_f64(S::Real::from_i32(1));
    let mut errors = isa.splat_f64(S::Real::ZERO);
    each_vector::<S>(
        half,
        #[inline(always)]
        |i| {
            let mut row = [one; 4];
            for (at, x) in (i..).step_by(half).zip(&mut row) {
                *x = isa.load_f64(&gram[at..]);
                let difference = isa.sub_f64(isa.mul_f64(*x, scale), isa.load_f64(&climbed[at..]));
                errors = isa.add_f64(errors, isa.mul_f64(difference, difference));
                *x = isa.mul_f64(*x, inv_q);
            }
            let [g00, re, im, g11] = row;
            let less = isa.add_f64(isa.mul_f64(re, re), isa.mul_f64(im, im));
            let determinant = isa.sub_f64(isa.mul_f64(g00, g11), less);
            let difference = isa.sub_f64(determinant, one);
            errors = isa.add_f64(errors, isa.mul_f64(difference, difference));
        },
    );
    found.add(isa, errors);
}

#[cfg(test)]
mod tests {
    use super::super::codec::private_parts;
    use super::super::params::Degree;
    use super::super::sampler::inv_sigma;
    use super::super::scheme::{FalconAlgorithm, FalconScheme};
    use super::super::sign::Encoded;
    use super::super::tests::{hex, load};
    use super::super::tree::{expand_into, gram_into};
    use super::*;
    use crate::simd::{Level, WithSimd};

    /// The leaves of a tree.
    fn leaves<R: Copy>(logn: u32, tree: &[R]) -> Vec<R> {
        if logn == 1 {
            return vec![tree[0], tree[3]];
        }
        let len = tree_reals(logn - 1);
        let mut all = leaves(logn - 1, &tree[..len]);
        all.extend(leaves(logn - 1, &tree[tree.len() - len..]));
        all
    }

    /// What the way up finds in the tree of a key: the sum of squared differences, the least and the largest leaf times
    /// `sigma_min`. Then the last leaf is changed, which has to be seen.
    struct Measure<'k>(Degree, &'k [u8]);

    impl WithSimd for Measure<'_> {
        type Output = [f64; 3];
        fn with<S: Simd>(self, isa: S) -> [f64; 3] {
            let Self(degree, private) = self;
            let (n, logn) = (degree.n(), degree.logn());
            let key =
                Encoded { degree, parts: private_parts(FalconAlgorithm::new(FalconScheme::FnDsa, degree), private) };
            let mut rows = vec![S::Real::ZERO; 4 * n];
            let [b00, b01, b10, b11] = rows.get_disjoint_mut([0, 1, 2, 3].map(|i| i * n..(i + 1) * n)).unwrap();
            key.basis_into(isa, [&mut *b00, &mut *b01, &mut *b10, &mut *b11], &mut vec![0; 4 * n]);
            let mut gram = vec![S::Real::ZERO; 3 * n];
            gram_into(isa, [b00, b01, b10, b11], &mut gram);
            let kept = gram[..2 * n].to_vec();
            let mut tree = vec![S::Real::ZERO; tree_reals(logn)];
            expand_into(isa, logn, &mut gram, inv_sigma::<S>(logn), &mut tree);
            let found = find(isa, logn, &tree, &kept, &mut gram);
            assert_eq!(found.outside, 0);
            assert!(tree_fits(isa, logn, &tree, &kept, &mut gram));
            let float = |x: S::Real| f64::from_bits(x.to_bits());
            let scaled: Vec<f64> = leaves(logn, &tree).iter().map(|x| float(*x * found.sigma_min)).collect();
            let at = tree_reals(logn) - 1;
            let right = tree[at];
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
                tree[at] = S::Real::from_bits((float(right) * factor).to_bits());
                assert!(!tree_fits(isa, logn, &tree, &kept, &mut gram), "{} {logn} {factor}", S::NAME);
                let is_far = !(0.71..1.39).contains(&factor);
                assert_eq!(
                    find(isa, logn, &tree, &kept, &mut gram).outside != 0,
                    is_far,
                    "{} {logn} {factor}",
                    S::NAME
                );
            }
            [float(found.error), scaled.iter().copied().fold(9.0, f64::min), scaled.iter().copied().fold(0.0, f64::max)]
        }
    }

    /// The keys of the test vectors: what roundings add up to is far below what is refused, and leaves are within their range.
    #[test]
    fn good_trees_fit_and_others_do_not() {
        let kats = load(include_str!("../../../tests/kat/kat-a.json"));
        let mut worst = [0.0f64, 9.0, 0.0];
        for kat in kats["vectors"].as_array().unwrap() {
            let degree = Degree::from_logn(kat["logn"].as_u64().unwrap() as u32).unwrap();
            let private = hex(&kat["sk"]);
            for level in Level::available() {
                let [error, least, largest] = level.run(Measure(degree, &private));
                worst = [worst[0].max(error), worst[1].min(least), worst[2].max(largest)];
            }
        }
        println!("squared differences: 2^{:.1}; leaves: {:.4} to {:.4}", worst[0].log2(), worst[1], worst[2]);
        assert!(worst[0] < 2f64.powi(-70), "{worst:?}");
    }
}
