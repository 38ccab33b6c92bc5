//! Solves the NTRU equation (`ntru_solve`): for f and g, computes the short F with `f G - g F = q`.
//! `keygen` calls [`solve`]. `import` calls [`holds_equation`], and `ortho` uses [`fixed`].
//!
//! - `limbs`: large integers
//! - `products`: sums of products of large integers
//! - `moduli`: the primes for residues
//! - `rns`: converts integers to residues and back
//! - `inverse`: the modular inverse at the bottom of the tower
//! - `fixed`: fixed-point numbers, and the transform for them
//! - `tower`: norms and lifts in the tower of rings
//! - `reduce`: the reduction of F at a depth
//! - `top`: the last reduction
//! - `equation`: checks the NTRU equation for a key that is loaded
//!
//! Specification 2.4.4 and 2.4.5. The solver descends a tower of rings to the integers ([`tower`]),
//! computes a modular inverse there ([`inverse`]), and ascends with a reduction at each depth
//! ([`reduce`], [`top`]). The solver computes only F, because G follows from F.
//!
//! The reference implementation's solver fails in 45 % of its calls at degree 1024, even for some f
//! and g that have a solution. A seed must lead to the key that the reference computes, so this
//! solver must fail for the same f and g. For this reason, the fixed-point arithmetic ([`fixed`])
//! and all lengths follow the specification.
//!
//! | value | range |
//! |---|---|
//! | f, g | odd resultants with `X^n + 1`; `|f|^2 + |g|^2 < 16823` |
//! | big integers | 62-bit limbs ([`limbs`]), lengths from the tables in [`tower`] |
//! | F and G | `[-127, 127]` |
//!
//! The reference implementation makes a mistake at depth 1 (specification 2.4.6). This solver does
//! not reproduce the mistake, so keys with degree 4 differ from the reference's keys.
//!
//! f, g, F and all intermediate values are secret. If a candidate fails, this fact is public:
//! [`declassified_zero`] declassifies it.

mod equation;
pub mod fixed;
mod inverse;
mod limbs;
mod moduli;
mod products;
mod reduce;
mod rns;
mod top;
mod tower;

pub use equation::holds_equation;

use crate::engine::falcon::params::{MAX_LOGN, MIN_LOGN, Q};
use crate::simd::ct::{barrier_u64, declassify};
use crate::simd::{Scratch, Simd, frame};
use limbs::{BITS, MASK, limbs};
use tower::Ring;

/// An error: there is no solution, the reference's solver fails for this f and g, or the caller has
/// stopped the solver. Unless the search was stopped, the caller should try the next candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NtruSolveError;

/// Declassifies whether `x` is zero, and fails if `x` is not zero. In this case, the candidate is
/// dropped. There are several possible reasons: a resultant is even, the resultants are not
/// coprime, F is too long, there is no inverse, or a coefficient is out of range.
#[inline(always)]
fn declassified_zero(x: u64) -> Result<(), NtruSolveError> {
    let failed = barrier_u64(x | x.wrapping_neg()) >> 63;
    if declassify("candidate: unsolved", failed) == 0 { Ok(()) } else { Err(NtruSolveError) }
}

/// Returns the limb index at which the polynomials for `depth` start. The solver stores the
/// polynomials for all depths from `first` on.
const fn offset(logn: u32, first: u32, depth: u32) -> usize {
    let mut at = 0;
    let mut d = first;
    while d < depth {
        at += 2 * Ring { logn, depth: d }.small_len();
        d += 1;
    }
    at
}

const fn max(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

/// Returns how much memory [`descend`] needs to compute f or g at `depth`, in limbs. The depth must
/// not be 0.
const fn descent_len(logn: u32, depth: u32) -> usize {
    let mut needed_len = tower::first_norm_len(Ring { logn, depth: 0 });
    let mut d = 1;
    while d < depth {
        let ring = Ring { logn, depth: d };
        needed_len = max(needed_len, ring.small_len() + tower::norm_work_len(ring));
        d += 1;
    }
    max(needed_len, Ring { logn, depth }.small_len())
}

/// Returns how much work memory [`solve`] needs, in limbs, if the solver stores f and g for all
/// depths from `first` on, and computes f and g again for smaller depths.
const fn needed_len(logn: u32, first: u32) -> usize {
    let bottom = offset(logn, first, logn);
    // The polynomials at depth `first` are the longest that are stored.
    let mut needed_len = Ring { logn, depth: first }.small_len() + descent_len(logn, first);
    let mut d = first;
    while d < logn {
        let ring = Ring { logn, depth: d };
        let at = offset(logn, first, d + 1);
        needed_len = max(needed_len, at + ring.below().small_len() + ring.small_len() + tower::norm_work_len(ring));
        d += 1;
    }
    let len = Ring { logn, depth: logn }.small_len();
    needed_len = max(needed_len, bottom + 3 * len + inverse::work_len(len));
    let mut d = 1;
    while d < logn {
        let ring = Ring { logn, depth: d };
        let is_kept = d >= first;
        let at = if is_kept { offset(logn, first, d + 1) } else { 0 };
        let big = ring.large_len();
        let small = if is_kept { 0 } else { ring.small_len() };
        let reduced_len = ring.below().small_len();
        if !is_kept {
            needed_len = max(needed_len, reduced_len + descent_len(logn, d));
            needed_len = max(needed_len, big + descent_len(logn, d));
        }
        needed_len = max(needed_len, at + reduced_len + small + big + tower::lift_work_len(ring));
        needed_len = max(needed_len, at + big + small + reduce::work_len(ring));
        d += 1;
    }
    max(needed_len, top::work_len(logn))
}

/// The results of [`needed_len`], with the indices `logn` and `first`, computed at compile time.
static NEEDED_LENS: [[u16; MAX_LOGN as usize + 1]; MAX_LOGN as usize + 1] = {
    let mut table = [[0; MAX_LOGN as usize + 1]; MAX_LOGN as usize + 1];
    let mut logn = MIN_LOGN;
    while logn <= MAX_LOGN {
        let mut first = 1;
        while first <= logn {
            let limbs = needed_len(logn, first);
            assert!(limbs <= u16::MAX as usize);
            table[logn as usize][first as usize] = limbs as u16;
            first += 1;
        }
        logn += 1;
    }
    table
};

/// Returns the smallest length of the work memory for [`solve`], in bytes. For the standard
/// degrees, this is 18 n, because the reduction at depth 1 needs this length.
pub const fn work_len(logn: u32) -> usize {
    let mut min_len = needed_len(logn, 1);
    let mut first = 2;
    while first <= logn {
        let len = needed_len(logn, first);
        if len < min_len {
            min_len = len;
        }
        first += 1;
    }
    8 * min_len
}

/// Returns how much work memory [`solve`] needs, in bytes, if it does not compute any value twice.
pub const fn fast_work_len(logn: u32) -> usize {
    8 * needed_len(logn, 1)
}

/// Fails if a coefficient would wrap in the reference's solver, which represents coefficients by
/// residues modulo `words` primes. If a coefficient wraps, the reference finds no key. So this
/// solver must also fail, even if the coefficient fits in the limbs. `limit` is a result from
/// [`moduli::product_limits`].
fn check_within_words(poly: &[i64], words: usize, limit: u64) -> Result<(), NtruSolveError> {
    declassified_zero(limbs::exceed(poly, words, limit))
}

/// Computes f or g at `depth`, and stores the result at the front of `mem`. `poly` is the key's f
/// or g. The depth must not be 0.
#[inline(never)]
fn descend<S: Simd>(isa: S, logn: u32, depth: u32, poly: &[i8], mem: &mut [i64]) {
    frame!(isa, {
        tower::first_norm(isa, Ring { logn, depth: 0 }, poly, mem);
        for d in 1..depth {
            tower::norm_in_place(isa, Ring { logn, depth: d }, mem);
        }
    });
}

/// The short basis in a private key. G is not stored, because it follows from f, g and F. Each
/// polynomial has `2^logn` coefficients.
pub struct Trapdoor<'w> {
    /// The polynomial f.
    pub f: &'w mut [i8],
    /// The polynomial g.
    pub g: &'w mut [i8],
    /// The polynomial F.
    pub big_f: &'w mut [i8],
}

impl<'w> Trapdoor<'w> {
    /// Takes n coefficients for each polynomial from work memory. F is directly after f and g: if
    /// the caller gives the memory after f and g to [`solve`], then [`solve`] writes F there.
    #[inline(always)]
    pub fn take(work: &mut Scratch<'w>, n: usize) -> Self {
        Self { f: work.take(n), g: work.take(n), big_f: work.take(n) }
    }
}

/// Computes F from f and g, and writes it to the front of `work` with a byte for each coefficient.
/// f's coefficients must have an odd sum. Work memory: at least [`work_len`] bytes. With
/// [`fast_work_len`] bytes, the solver is faster. The solver calls `is_stopped` every few
/// microseconds, and fails when `is_stopped` returns `true`.
///
/// # Errors
/// Returns an error if the reference's solver fails for this f and g, or if `is_stopped` returned
/// `true`.
#[inline(never)]
pub fn solve<S: Simd>(
    isa: S,
    logn: u32,
    f: &[i8],
    g: &[i8],
    mut work: Scratch<'_>,
    is_stopped: &dyn Fn() -> bool,
) -> Result<(), NtruSolveError> {
    frame!(isa, {
        let check_not_stopped = || if is_stopped() { Err(NtruSolveError) } else { Ok(()) };
        let size = work.len() / 8;
        let mem = work.take::<i64>(size);
        // Store f and g for as many depths as possible. The choice depends only on the degree and
        // the memory size.
        let mut first = 1;
        while first < logn && usize::from(NEEDED_LENS[logn as usize][first as usize]) > mem.len() {
            first += 1;
        }

        // Descend to the integers.
        let len = Ring { logn, depth: first }.small_len();
        descend(isa, logn, first, f, mem);
        descend(isa, logn, first, g, &mut mem[len..]);
        for depth in first..logn {
            check_not_stopped()?;
            let ring = Ring { logn, depth };
            let small_len = ring.small_len();
            let next_len = ring.below().small_len();
            let (level, next) = mem[offset(logn, first, depth)..].split_at_mut(2 * small_len);
            for (i, poly) in level.chunks_exact(small_len).enumerate() {
                next[i * next_len..][..small_len].copy_from_slice(poly);
                tower::norm_in_place(isa, ring, &mut next[i * next_len..]);
            }
            check_within_words(&next[..2 * next_len], ring.below().small_words(), ring.below().small_limit())?;
        }

        // Solve for integers.
        check_not_stopped()?;
        let bottom = &mut mem[offset(logn, first, logn)..];
        solve_integers(Ring { logn, depth: logn }.small_words(), bottom, is_stopped)?;

        // Ascend to depth 1.
        for depth in (1..logn).rev() {
            check_not_stopped()?;
            let ring = Ring { logn, depth };
            let small = ring.small_len();
            let reduced_len = ring.below().small_len();
            let big = ring.large_len();
            if depth >= first {
                let (stored, mem) = mem.split_at_mut(offset(logn, first, depth + 1));
                let stored = &mut stored[offset(logn, first, depth)..];
                {
                    let (reduced, mem) = mem.split_at_mut(reduced_len);
                    let (out, mem) = mem.split_at_mut(big);
                    tower::lift(isa, ring, reduced, &stored[small..], out, mem);
                }
                mem.copy_within(reduced_len..reduced_len + big, 0);
                check_within_words(&mem[..big], ring.large_words(), ring.large_limit())?;
                let (out, mem) = mem.split_at_mut(big);
                reduce::reduce(isa, ring, &mut stored[..small], out, mem, is_stopped)?;
                stored[..small].copy_from_slice(&out[..small]);
            } else {
                descend(isa, logn, depth, g, &mut mem[reduced_len..]);
                {
                    let (reduced, mem) = mem.split_at_mut(reduced_len);
                    let (g, mem) = mem.split_at_mut(small);
                    let (out, mem) = mem.split_at_mut(big);
                    tower::lift(isa, ring, reduced, g, out, mem);
                }
                mem.copy_within(reduced_len + small..reduced_len + small + big, 0);
                check_within_words(&mem[..big], ring.large_words(), ring.large_limit())?;
                let (out, mem) = mem.split_at_mut(big);
                descend(isa, logn, depth, f, mem);
                let (f, mem) = mem.split_at_mut(small);
                reduce::reduce(isa, ring, f, out, mem, is_stopped)?;
            }
        }
        check_not_stopped()?;
        top::finish(isa, logn, f, g, mem)
    })
}

/// Solves the equation for integers (specification 2.4.5a). Initially, `mem` should contain the
/// resultants of f and g, with `words` 31-bit words each. F replaces the first resultant.
///
/// # Errors
/// Returns an error if a resultant is even, the resultants have a common factor, F is too long, or
/// `is_stopped` returned `true`.
fn solve_integers(words: usize, mem: &mut [i64], is_stopped: &dyn Fn() -> bool) -> Result<(), NtruSolveError> {
    let len = limbs(words);
    let (res_f, mem) = mem.split_at_mut(len);
    let (res_g, work) = mem.split_at_mut(len);
    let odd = res_f[0] & res_g[0] & 1;
    declassified_zero(odd as u64 ^ 1)?;
    let (out, work) = work.split_at_mut(len);
    let work = &mut work[..inverse::work_len(len)];
    let coprime = inverse::neg_inverse_into(res_g, res_f, out, work, is_stopped);
    declassified_zero(u64::from(!coprime))?;
    let mut carry = 0;
    for (x, out) in res_f.iter_mut().zip(out) {
        let z = i128::from(*out) * i128::from(Q) + carry;
        *x = z as i64 & MASK;
        carry = z >> BITS;
    }
    // F must fit in `words` words, including the sign bit.
    let unused_bits = BITS * len - 31 * words + 1;
    let top = res_f[len - 1] >> (BITS - unused_bits);
    declassified_zero((carry as i64 | top) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests `F = q (-1/g mod f)` for small integers, for integers without a solution, and for an F
    /// that is longer than a 31-bit word.
    #[test]
    fn solutions_satisfy_the_equation_over_the_integers() {
        let solve = |f: i64, g: i64| {
            let mut mem = vec![0; 3 + inverse::work_len(1)];
            (mem[0], mem[1]) = (f, g);
            solve_integers(1, &mut mem, &|| false).map(|()| mem[0])
        };
        let q = i64::from(Q);
        // -1/3 = 3 mod 5, -1/7 = 7 mod 25.
        assert_eq!(solve(5, 3), Ok(3 * q));
        assert_eq!(solve(25, 7), Ok(7 * q));
        for (f, g, why) in
            [(4, 3, "f is even"), (5, 6, "g is even"), (9, 3, "a common factor"), (1 << 20 | 1, 3, "F is too long")]
        {
            assert_eq!(solve(f, g), Err(NtruSolveError), "{why}");
        }
    }

    #[test]
    fn integers_have_the_same_words_as_in_the_reference() {
        for words in [1, 2, 5] {
            let (mut poly, top) = (vec![0; limbs(words)], limbs(words) - 1);
            let [limit] = moduli::product_limits([words]);
            let most = (limit >> (31 * (words % 2))) as i64;
            for (x, fits) in [(0, true), (most, true), (most + 1, false), (-most, true), (-most - 2, false)] {
                poly[top] = x;
                assert_eq!(
                    check_within_words(&poly, words, limit),
                    if fits { Ok(()) } else { Err(NtruSolveError) },
                    "{words} words, {x}"
                );
            }
        }
    }
}
