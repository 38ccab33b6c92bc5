//! Computes the last reduction, at the full degree (specification 2.4.5c), modulo the first prime.
//! F and G are small enough for a single prime. After the reduction, their coefficients must be in
//! `[-127, 127]`.
//!
//! | value | range |
//! |---|---|
//! | residues | `[0, p)`; the residues of f and g are multiplied by `2^32` |
//! | `F f* + G g*`, `f f* + g g*` | centred, below `2^30` |
//!
//! f, g, F and G are secret. If a test fails, only this fact is public.

use super::fixed::{div_into, fft, ifft, place, round};
use super::moduli::{MODULI, Modulus};
use super::rns::residues_into;
use super::{NtruSolveError, declassified_zero};
use crate::engine::falcon::params::{FG_LIMIT, Q};
use crate::engine::primes::prime::Prime;
use crate::engine::primes::transform::{intt, ntt, unfold_into};
use crate::simd::{Simd, frame, recast};

/// Returns how much work memory [`finish`] needs, in limbs (64-bit words). This memory includes the
/// input.
pub const fn work_len(logn: u32) -> usize {
    4 << (logn - 1)
}

/// Computes F from the reduced F at depth 1. The input is at the front of `work`, with a limb for
/// each coefficient. The result replaces the input, with a byte for each coefficient.
///
/// # Errors
/// Returns an error if a coefficient of F or G is out of range, or if f is not invertible modulo
/// the prime.
#[inline(never)]
pub fn finish<S: Simd>(isa: S, logn: u32, f: &[i8], g: &[i8], work: &mut [i64]) -> Result<(), NtruSolveError> {
    frame!(isa, {
        let n = 1usize << logn;
        let modulus = &MODULI[0];
        let prime = &modulus.prime;
        let [a, b, c, d] = parts(n, work);
        // F(X) = F'(X^2) g(-X), where F' is the reduced F at depth 1. In a transform, the values at
        // the roots w and -w are adjacent.
        let upper = &mut recast(c)[..n / 2];
        residues_into(isa, modulus, a, 1, upper);
        ntt(isa, prime, upper);
        let fs = recast(b);
        let gv = recast(d);
        transform(isa, prime, g, gv);
        unfold_into(isa, prime, upper, gv, prime.one, fs);
        let fv = recast(c);
        transform(isa, prime, f, fv);
        let gs = recast(a);
        divide(isa, modulus, fv, gv, fs, gs)?;

        // Replace gs by F f* + G g*, and fv by f f* + g g*. The adjoint polynomials f* and g* need
        // no transform: entry i in f* is entry n - 1 - i in f.
        for i in 0..n / 2 {
            let j = n - 1 - i;
            let sum = |a: u32, b: u32, c: u32, d: u32| prime.add(prime.mul(a, b), prime.mul(c, d));
            let x = sum(fs[i], fv[j], gs[i], gv[j]);
            let y = sum(fs[j], fv[i], gs[j], gv[i]);
            (gs[i], gs[j]) = (x, y);
            let z = prime.mul(sum(fv[i], fv[j], gv[i], gv[j]), 1);
            (fv[i], fv[j]) = (z, z);
        }
        intt(isa, prime, gs);
        intt(isa, prime, fv);

        // k is `(F f* + G g*) / (f f* + g g*)`, rounded. Numerator and denominator are first
        // divided by 2^10. The denominator's transform is real.
        load(prime, c, d);
        fft(isa, c, d);
        load(prime, a, d);
        fft(isa, a, d);
        div_into(isa, a, c);
        div_into(isa, d, c);
        ifft(isa, a, d);
        let k = recast(c);
        let bits = (n / 2).trailing_zeros();
        for j in 0..n / 2 {
            let p = place(j, bits);
            k[j] = modulus.residue(round(a[p]));
            k[j + n / 2] = modulus.residue(round(d[p]));
        }

        // Subtract k f from F, and then compute G from F, to check both ranges.
        let fv = recast(a);
        let gv = recast(d);
        transform(isa, prime, f, fv);
        transform(isa, prime, g, gv);
        ntt(isa, prime, k);
        let fs = recast(b);
        for ((x, k), f) in fs.iter_mut().zip(&*k).zip(&*fv) {
            *x = prime.sub(*x, prime.mul(*k, *f));
        }
        let gs = k;
        divide(isa, modulus, fv, gv, fs, gs)?;
        intt(isa, prime, fs);
        intt(isa, prime, gs);
        let mut out_of_range = 0;
        for (x, out) in fs.iter().zip(recast::<_, i8>(a)) {
            let x = prime.centered(*x);
            out_of_range |= (FG_LIMIT - x) | (FG_LIMIT + x);
            *out = x as i8;
        }
        for x in gs {
            let x = prime.centered(*x);
            out_of_range |= (FG_LIMIT - x) | (FG_LIMIT + x);
        }
        declassified_zero(out_of_range as u64 >> 63)
    })
}

/// Returns four arrays, each with space for `n` 32-bit residues or `n/2` fixed-point numbers.
#[inline(always)]
fn parts(n: usize, work: &mut [i64]) -> [&mut [i64]; 4] {
    let (a, work) = work.split_at_mut(n / 2);
    let (b, work) = work.split_at_mut(n / 2);
    let (c, work) = work.split_at_mut(n / 2);
    [a, b, c, &mut work[..n / 2]]
}

/// Writes the transform of a polynomial, times `2^32`. The constant `r2` is `2^64 mod p`, and `mul`
/// divides a product by `2^32`.
#[inline(always)]
pub(super) fn transform<S: Simd>(isa: S, prime: &Prime, poly: &[i8], out: &mut [u32]) {
    for (x, out) in poly.iter().zip(&mut *out) {
        *out = prime.mul(prime.residue_of_small(i32::from(*x)), prime.r2);
    }
    ntt(isa, prime, out);
}

/// Converts residues to the input of [`fft`]: centred residues divided by `2^10` in 32.32 fixed
/// point (times `2^22`), in the order that [`fft`] needs. Before the call, `re` contains all
/// residues, with two residues in each element. After the call, `re` contains the first half, and
/// `im` contains the second half.
#[inline(always)]
fn load(prime: &Prime, re: &mut [i64], im: &mut [i64]) {
    let hn = re.len();
    let bits = hn.trailing_zeros();
    let number = |x: u32| i64::from(prime.centered(x)) << 22;
    let words = recast::<_, u32>(re);
    for j in 0..hn {
        im[place(j, bits)] = number(words[j + hn]);
    }
    for j in 0..hn {
        words.swap(j, place(j, bits).max(j));
    }
    // Start at the end: a number then overwrites only residues that have already been read.
    for j in (0..hn).rev() {
        re[j] = number(recast::<_, u32>(re)[j]);
    }
}

/// The number of chains of products in [`divide`]: chain `i` contains the entries with an index
/// that is `i` modulo this number. The processor can compute the chains at the same time.
const LANES: usize = 4;

/// Computes `out = (q + g F) / f` for each entry. The caller must pass the entries of f and g times
/// `2^32`.
///
/// A single inversion is enough for all entries. For each entry, the first loop computes the
/// product of f's earlier entries in the same chain. The second loop uses these products in reverse
/// order.
///
/// # Errors
/// Returns an error if an entry in f is zero.
#[inline(never)]
fn divide<S: Simd>(
    isa: S,
    modulus: &Modulus,
    f: &[u32],
    g: &[u32],
    big_f: &[u32],
    out: &mut [u32],
) -> Result<(), NtruSolveError> {
    frame!(isa, {
        let prime = &modulus.prime;
        let f = f.as_chunks::<LANES>().0;
        let g = g.as_chunks::<LANES>().0;
        let big_f = big_f.as_chunks::<LANES>().0;
        let out = out.as_chunks_mut::<LANES>().0;
        let mut all = [prime.mul(1, prime.r2); LANES];
        for (f, out) in f.iter().zip(&mut *out) {
            *out = all;
            all = core::array::from_fn(|i| prime.mul(all[i], f[i]));
        }
        let mut zero = 0;
        for x in all {
            zero |= x.wrapping_sub(1) >> 31;
        }
        declassified_zero(u64::from(zero))?;
        let mut inverse = modulus.invert(all);
        for (((f, g), big_f), out) in f.iter().zip(g).zip(big_f).zip(out).rev() {
            for i in 0..LANES {
                let x = prime.mul(inverse[i], out[i]);
                inverse[i] = prime.mul(inverse[i], f[i]);
                out[i] = prime.mul(x, prime.add(prime.mul(g[i], big_f[i]), Q));
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Emulated;

    #[test]
    fn a_zero_divisor_is_rejected() {
        let modulus = &MODULI[0];
        let (mut f, mut out) = ([1, 2, 3, 4, 5, 6, 7, 8], [0; 8]);
        assert_eq!(divide(Emulated, modulus, &f, &[1; 8], &[1; 8], &mut out), Ok(()));
        for i in 0..f.len() {
            let before = core::mem::replace(&mut f[i], 0);
            assert_eq!(divide(Emulated, modulus, &f, &[1; 8], &[1; 8], &mut out), Err(NtruSolveError), "entry {i}");
            f[i] = before;
        }
    }
}
