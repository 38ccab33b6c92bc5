//! The last reduction, at the full degree (specification 2.4.5c), modulo the first prime: F and G
//! are small enough here, and their final values must be in `[-127, 127]`.
//!
//! | value | range |
//! |---|---|
//! | residues | `[0, p)`; of f and g times `2^32` |
//! | `F f* + G g*`, `f f* + g g*` | centred, below `2^30` |
//!
//! f, g, F and G are secret; that one of the tests failed is not.

use super::fixed::{div_into, fft, ifft, place, round};
use super::moduli::{MODULI, Modulus};
use super::rns::residues_into;
use super::{Unsolved, declassified_zero};
use crate::engine::falcon::params::{FG_LIMIT, Q};
use crate::engine::primes::prime::Prime;
use crate::engine::primes::transform::{intt, ntt, unfold_into};
use crate::simd::{Simd, frame, recast};

/// Returns the limbs of work memory of [`finish`], its input included.
pub const fn work_len(logn: u32) -> usize {
    5 << (logn - 1)
}

/// Fills `big_f` from reduced F of depth 1, at the front of `work` with one limb a coefficient.
///
/// # Errors
/// No solution of this size comes out.
#[inline(never)]
pub fn finish<S: Simd>(
    isa: S,
    logn: u32,
    f: &[i8],
    g: &[i8],
    big_f: &mut [i8],
    work: &mut [i64],
) -> Result<(), Unsolved> {
    frame!(isa, {
        let n = 1usize << logn;
        let modulus = &MODULI[0];
        let prime = &modulus.prime;
        // F of depth 1 becomes residues at the front.
        {
            let (upper, rest) = work.split_at_mut(n / 2);
            let residues = &mut recast(rest)[..n / 2];
            residues_into(isa, modulus, upper, 1, residues);
            recast(upper)[..n / 2].copy_from_slice(residues);
        }
        let [fs, gs, fv, gv, table] = parts(n, work);
        transform(isa, prime, f, fv);
        transform(isa, prime, g, gv);
        // F(X) = F'(X^2) g(-X): roots w and -w are neighbours.
        let upper = &mut table[..n / 2];
        upper.copy_from_slice(&fs[..n / 2]);
        ntt(isa, prime, upper);
        unfold_into(isa, prime, upper, gv, prime.one, fs);
        divide(isa, modulus, fv, gv, fs, gs)?;

        // gs <- F f* + G g*, fv <- f f* + g g*; the adjoint of entry i is entry n - 1 - i.
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

        // k = the rounded quotient, both sides divided by 2^10.
        let dr = recast::<_, i64>(gv);
        let di = recast::<_, i64>(table);
        load(prime, fv, dr, di);
        fft(isa, dr, di);
        let nr = recast::<_, i64>(fv);
        let ni = di;
        load(prime, gs, nr, ni);
        fft(isa, nr, ni);
        div_into(isa, nr, dr);
        div_into(isa, ni, dr);
        ifft(isa, nr, ni);
        let bits = (n / 2).trailing_zeros();
        for j in 0..n / 2 {
            let p = place(j, bits);
            gs[j] = modulus.residue(round(nr[p]));
            gs[j + n / 2] = modulus.residue(round(ni[p]));
        }

        // F -= k f, and G from it.
        let [fs, gs, fv, gv, _] = parts(n, work);
        transform(isa, prime, f, fv);
        transform(isa, prime, g, gv);
        ntt(isa, prime, gs);
        for ((x, k), f) in fs.iter_mut().zip(&*gs).zip(&*fv) {
            *x = prime.sub(*x, prime.mul(*k, *f));
        }
        divide(isa, modulus, fv, gv, fs, gs)?;
        intt(isa, prime, fs);
        intt(isa, prime, gs);
        let mut out_of_range = 0;
        for (x, out) in fs.iter().zip(big_f) {
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

/// Cuts five arrays of `n` words: F, G, f, g, and a fifth.
#[inline(always)]
fn parts(n: usize, work: &mut [i64]) -> [&mut [u32]; 5] {
    let work = recast::<_, u32>(work);
    let (a, work) = work.split_at_mut(n);
    let (b, work) = work.split_at_mut(n);
    let (c, work) = work.split_at_mut(n);
    let (d, work) = work.split_at_mut(n);
    [a, b, c, d, &mut work[..n]]
}

/// Writes the transform of a polynomial, times `2^32`.
#[inline(always)]
pub(super) fn transform<S: Simd>(isa: S, prime: &Prime, poly: &[i8], out: &mut [u32]) {
    for (x, out) in poly.iter().zip(&mut *out) {
        *out = prime.mul(prime.residue_of_small(i32::from(*x)), prime.r2);
    }
    ntt(isa, prime, out);
}

/// Writes centred residues, times `2^22`, in the order that [`fft`] wants.
#[inline(always)]
fn load(prime: &Prime, poly: &[u32], re: &mut [i64], im: &mut [i64]) {
    let hn = re.len();
    let bits = hn.trailing_zeros();
    for j in 0..hn {
        let p = place(j, bits);
        re[p] = i64::from(prime.centered(poly[j])) << 22;
        im[p] = i64::from(prime.centered(poly[j + hn])) << 22;
    }
}

/// The columns of the batched inversion.
const LANES: usize = 4;

/// Computes `out = (q + g F) / f`, entry by entry; `f` and `g` are times `2^32`.
///
/// One inversion gives all inverses: first come the products of the entries before each, then the way back.
///
/// # Errors
/// An entry of f is zero.
#[inline(never)]
fn divide<S: Simd>(
    isa: S,
    modulus: &Modulus,
    f: &[u32],
    g: &[u32],
    big_f: &[u32],
    out: &mut [u32],
) -> Result<(), Unsolved> {
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
    fn no_quotient_by_a_zero() {
        let modulus = &MODULI[0];
        let (mut f, mut out) = ([1, 2, 3, 4, 5, 6, 7, 8], [0; 8]);
        assert_eq!(divide(Emulated, modulus, &f, &[1; 8], &[1; 8], &mut out), Ok(()));
        for i in 0..f.len() {
            let before = core::mem::replace(&mut f[i], 0);
            assert_eq!(divide(Emulated, modulus, &f, &[1; 8], &[1; 8], &mut out), Err(Unsolved), "entry {i}");
            f[i] = before;
        }
    }
}
