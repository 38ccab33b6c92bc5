//! Adds products of integers with several limbs (62-bit digits: see [`super::limbs`]).
//!
//! A sum is computed column by column ([`ProductTerms`]). A column contains all limb products with
//! the same weight `2^(62 w)`. This order is faster than one product of integers after the other,
//! because a limb product needs only three instructions, and there are no carries within a column.
//!
//! All limbs are secret. Lengths and indices are public.

use super::limbs::{BITS, MASK, sign_extended};

/// The number of limb products that can be added in an `i128`.
const FIT: usize = 8;

/// A sum of limb products: `low + high 2^62 + unsplit`, where `unsplit` is the sum of up to [`FIT`]
/// products.
#[derive(Clone, Copy)]
struct LimbSum {
    low: i128,
    high: i128,
    unsplit: i128,
    count: usize,
}

impl LimbSum {
    const ZERO: Self = Self { low: 0, high: 0, unsplit: 0, count: 0 };

    /// Splits the sum in `unsplit` at bit 62, and adds the two parts to `low` and `high`.
    #[inline(always)]
    fn split(&mut self) {
        self.low += self.unsplit & i128::from(MASK);
        self.high += self.unsplit >> BITS;
        (self.unsplit, self.count) = (0, 0);
    }

    /// Adds the products `x[i] y[N - 1 - i]`.
    #[inline(always)]
    fn add<const N: usize>(&mut self, x: &[i64], y: &[i64]) {
        let (Some(x), Some(y)) = (x.first_chunk::<N>(), y.first_chunk::<N>()) else { return };
        for i in 0..N {
            self.unsplit += i128::from(x[i]) * i128::from(y[N - 1 - i]);
        }
    }

    /// Adds the products `x[a] y[column - a]`: eight at a time, and then the remaining products as
    /// groups with four, two and one products.
    #[inline(always)]
    fn add_column(&mut self, x: &[i64], y: &[i64], column: usize) {
        let first = (column + 1).saturating_sub(y.len());
        let end = (column + 1).min(x.len());
        if first >= end {
            return;
        }
        let mut x = &x[first..end];
        let mut y = &y[column + 1 - end..=column - first];
        while x.len() >= FIT {
            if self.count > 0 {
                self.split();
            }
            self.add::<FIT>(x, &y[y.len() - FIT..]);
            self.count = FIT;
            (x, y) = (&x[FIT..], &y[..y.len() - FIT]);
        }
        if self.count + x.len() > FIT {
            self.split();
        }
        self.count += x.len();
        if x.len() & 4 != 0 {
            self.add::<4>(x, &y[y.len() - 4..]);
            (x, y) = (&x[4..], &y[..y.len() - 4]);
        }
        if x.len() & 2 != 0 {
            self.add::<2>(x, &y[y.len() - 2..]);
            (x, y) = (&x[2..], &y[..y.len() - 2]);
        }
        if x.len() & 1 != 0 {
            self.add::<1>(x, y);
        }
    }
}

/// The factor for a product in [`ProductTerms`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TermWeight {
    Plus,
    Minus,
    PlusTwice,
    MinusTwice,
}

/// An upper bound for the number of products in a sum. The degree is at most 32, so a norm is a sum
/// of up to 17 products, and a lift is a sum of up to 16 products.
const MAX_TERMS: usize = 20;

/// A sum of big-integer products. Factors are given by the index at which their limbs start.
pub struct ProductTerms {
    terms: [(u16, u16, TermWeight); MAX_TERMS],
    count: usize,
}

impl ProductTerms {
    /// Returns an empty sum.
    #[inline(always)]
    pub const fn new() -> Self {
        Self { terms: [(0, 0, TermWeight::Plus); MAX_TERMS], count: 0 }
    }

    /// Adds a product. Its factors start at the indices `x` and `y`. Range: `x` and `y` are less
    /// than `2^16`.
    #[inline(always)]
    pub fn push(&mut self, x: usize, y: usize, weight: TermWeight) {
        self.terms[self.count] = (x as u16, y as u16, weight);
        self.count += 1;
    }

    /// Computes the sum and wraps it to `out.len()` limbs. Factors have `lx` limbs in `x` and `ly`
    /// limbs in `y`.
    #[inline(never)]
    pub fn sum_into(&self, x: &[i64], lx: usize, y: &[i64], ly: usize, out: &mut [i64]) {
        let mut carry = 0i128;
        for (w, out) in out.iter_mut().enumerate() {
            let mut low = carry;
            let mut high = 0;
            let mut sum = LimbSum::ZERO;
            let terms = &self.terms[..self.count];
            for (i, &(a, b, weight)) in terms.iter().enumerate() {
                let a = usize::from(a);
                let b = usize::from(b);
                sum.add_column(&x[a..a + lx], &y[b..b + ly], w);
                // Consecutive products with the same weight are added before the weight is applied.
                // The branch on a weight is safe, because weights depend only on the indices.
                if terms.get(i + 1).is_none_or(|next| next.2 != weight) {
                    sum.split();
                    (low, high) = match weight {
                        TermWeight::Plus => (low + sum.low, high + sum.high),
                        TermWeight::Minus => (low - sum.low, high - sum.high),
                        TermWeight::PlusTwice => (low + 2 * sum.low, high + 2 * sum.high),
                        TermWeight::MinusTwice => (low - 2 * sum.low, high - 2 * sum.high),
                    };
                    sum = LimbSum::ZERO;
                }
            }
            *out = low as i64 & MASK;
            carry = (low >> BITS) + high;
        }
        if let Some(top) = out.last_mut() {
            *top = sign_extended(*top);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::limbs::tests::{RandomLimbs, from_big, to_big};
    use super::*;
    use num_bigint::BigInt;

    #[test]
    fn sums_of_products_are_correct() {
        let mut r = RandomLimbs(3);
        for (lx, ly, lo) in [(1, 1, 1), (1, 1, 2), (2, 1, 3), (9, 17, 26), (52, 104, 156), (27, 5, 20)] {
            for _ in 0..20 {
                let numbers: Vec<_> = (0..5).map(|_| (r.number(lx), r.number(ly))).collect();
                let weights = [
                    TermWeight::Plus,
                    TermWeight::Minus,
                    TermWeight::PlusTwice,
                    TermWeight::MinusTwice,
                    TermWeight::Plus,
                ];
                let mut out = vec![0; lo];
                let mut terms = ProductTerms::new();
                for (i, weight) in weights.into_iter().enumerate() {
                    terms.push(i * lx, i * ly, weight);
                }
                let (x, y): (Vec<_>, Vec<_>) = numbers.iter().cloned().unzip();
                terms.sum_into(&x.concat(), lx, &y.concat(), ly, &mut out);
                let expected: BigInt =
                    numbers.iter().zip([1, -1, 2, -2, 1]).map(|((x, y), w)| to_big(x) * to_big(y) * w).sum();
                assert_eq!(out, from_big(&expected, lo));
            }
        }
    }
}
