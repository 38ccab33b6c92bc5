//! Checks the NTRU equation `f G - g F = q` of an imported private key, modulo the prime [`FIRST`].
//! `import` calls this check on levels without binary64 instructions. On levels with these
//! instructions, `import` checks the equation with binary64 numbers.
//!
//! f, g, F and G are secret. The result becomes public: if it is false, the import fails.

use super::moduli::FIRST;
use super::top::transform;
use crate::engine::falcon::params::Q;
use crate::simd::ct::barrier_u32;
use crate::simd::{Scratch, Simd, frame};

/// Returns whether `f G - g F = q`. The check is exact: up to degree 1024, the coefficients on both
/// sides are below `2^26`, and the prime is above `2^30`. Therefore, both sides are equal if their
/// residues are equal. The caller must declassify the result. Work memory: 16n bytes.
#[inline(never)]
pub fn holds_equation<S: Simd>(isa: S, [f, g, big_f, big_g]: [&[i8]; 4], mut work: Scratch<'_>) -> bool {
    frame!(isa, {
        let prime = &FIRST;
        let [ft, gt, big_ft, big_gt] = [(); 4].map(|()| work.take::<u32>(f.len()));
        transform(isa, prime, f, ft);
        transform(isa, prime, g, gt);
        transform(isa, prime, big_f, big_ft);
        transform(isa, prime, big_g, big_gt);
        // All values are in Montgomery form (multiplied by 2^32), so q must also be in this form.
        let q = prime.mul(Q, prime.r2);
        let mut mismatch = 0;
        for ((f, g), (big_f, big_g)) in ft.iter().zip(&*gt).zip(big_ft.iter().zip(&*big_gt)) {
            mismatch |= prime.sub(prime.mul(*f, *big_g), prime.mul(*g, *big_f)) ^ q;
        }
        barrier_u32(mismatch) == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::check::laws::on_every_level;
    use crate::simd::{MemoryLine, WithSimd};

    /// Adds `x X^at` modulo X^n + 1, where `at` is below 2n.
    fn add_monomial(poly: &mut [i8], x: i8, at: usize) {
        let n = poly.len();
        let sign = if at < n { 1 } else { -1 };
        poly[at % n] += sign * x;
    }

    /// A test for [`holds_equation`] at degree `2^logn`. The field is logn.
    #[derive(Clone, Copy)]
    struct EquationCheck(u32);

    impl WithSimd for EquationCheck {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            let n = 1usize << self.0;
            let mut memory = MemoryLine::boxed(16 * n + 64);
            let mut is_solution = |polys: &[Vec<i8>; 4]| {
                let work = Scratch::new(MemoryLine::bytes_mut(&mut memory));
                holds_equation(isa, polys.each_ref().map(|poly| &poly[..]), work)
            };
            for (a, b, c) in [(0, 0, 1), (1, n - 1, 2), (n - 1, n / 2, n + 1), (2, 1, n / 2)] {
                // f = X^a, g = 100 X^b, F = -122 X^-b, G = 89 X^-a, so f G - g F = 89 + 12200 = q.
                // The test then adds X^c f to F, which makes the equation false, and X^c g to G,
                // which makes it true again. For these values of c, each coefficient fits an i8.
                let mut polys = [(); 4].map(|()| vec![0; n]);
                let [f, g, big_f, big_g] = &mut polys;
                add_monomial(f, 1, a);
                add_monomial(g, 100, b);
                add_monomial(big_f, 122, n - b);
                add_monomial(big_g, -89, n - a);
                add_monomial(big_f, 1, (a + c) % (2 * n));
                assert!(!is_solution(&polys), "{n} {a} {b} {c}");
                add_monomial(&mut polys[3], 100, (b + c) % (2 * n));
                assert!(is_solution(&polys), "{n} {a} {b} {c}");
                for poly in 0..4 {
                    for at in [0, 1, n / 2, n - 1] {
                        for change in [1, -1] {
                            polys[poly][at] += change;
                            assert!(!is_solution(&polys), "{n} {a} {b} {c}: {change} at {at} of {poly}");
                            polys[poly][at] -= change;
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn only_solutions_pass_the_equation() {
        for logn in 2..=10 {
            on_every_level(EquationCheck(logn));
        }
    }
}
