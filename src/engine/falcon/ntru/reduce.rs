//! Reduces F at a depth (specification 2.4.5b): each step computes `F -= k f 2^s`, and the scale
//! `s` decreases from step to step. Here `k` is the rounded quotient of F's and f's top bits,
//! computed in fixed point. G is never computed.
//!
//! The reduction fails for some candidates, so it decides which candidates become keys. The
//! quotients must therefore be the same as in the specification, bit for bit.
//!
//! | value | range |
//! |---|---|
//! | `k` | any `i32` |
//! | scale `s` | public: it depends only on the degree and the depth |
//! | bit length of f's top words | secret: used only as a shift distance, and never in a branch |

use super::fixed::{self, div_into, fft, ifft, norm, place, round};
use super::limbs::{
    BITS, LimbRange, LimbWindow, MASK, ShrinkingPolynomial, limbs, max_bit_length, sub_product, sub_shifted,
};
use super::moduli::{MODULI, Modulus};
use super::rns::{ResidueConverter, residues_into};
use super::tower::{Ring, in_rns};
use super::{NtruSolveError, declassified_zero};
use crate::engine::primes::transform::{intt, mul_into, ntt, scale_into};
use crate::simd::constant_time_u64::shl_u64;
use crate::simd::ct::{barrier_u64, declassify, mask_negative, mask_nonzero};
use crate::simd::{SHORT_REGISTERS, Simd, frame, recast};

/// The number of top words in f that the quotient uses at each depth.
const WINDOW: [usize; 10] = [1, 1, 2, 2, 2, 3, 3, 4, 5, 7];
/// The number of bits by which the scale decreases in a step. The index is logn, 0..=10.
const STEP_BITS: [usize; 11] = [10, 10, 10, 10, 10, 10, 10, 10, 10, 9, 8];
/// The number of bits in a word.
const WORD: usize = 31;

/// The maximum number of steps for which the products with f's lower limbs are deferred and then
/// subtracted together. The code can defer these products, because the quotients of the next steps
/// read only F's upper words.
const MAX_DEFERRED_STEPS: usize = 4;
/// The number of bits between the deferred products and the words that the quotient uses:
///
/// - the rest of the lowest limb, at most a word
/// - a limb for [`may_reach`]
/// - the bits by which the scale decreases in the next step
const GUARD: usize = WORD + BITS + STEP_BITS[0];

/// Returns the number of f's lower words, which the quotient does not use.
const fn hidden_words(ring: Ring) -> usize {
    ring.small_words() - WINDOW[ring.depth as usize]
}

/// Returns the number of f's lower limbs for which products are deferred.
const fn deferred_limbs_of(ring: Ring) -> usize {
    // The first deferred product is this many bits above the last deferred product.
    let spread = (MAX_DEFERRED_STEPS - 1) * STEP_BITS[0];
    // |k| 2^spread n must fit in 64 bits, for the 128-bit sums in `sub_product`.
    let product = WORD + spread + ring.log_degree() as usize;
    if product > 64 {
        return 0;
    }
    // The quotient uses the scale's word and all words above it.
    (WORD * hidden_words(ring)).saturating_sub(WORD + product + 1 + GUARD) / BITS
}

/// Returns the largest scale at which products are deferred. F is usually shorter than its words
/// allow (by at most 186 bits in 1,900 tested keys). At larger scales, the limbs that [`may_reach`]
/// checks could contain only sign bits. In this case, the check would reveal F's length.
const fn max_deferred_scale(ring: Ring) -> usize {
    let words = ring.large_words();
    WORD * (words - words / 32 - 2)
}

/// Returns whether `k f` is computed with NTTs.
const fn products_in_rns(ring: Ring) -> bool {
    in_rns(ring.degree(), ring.product_words())
}

/// Returns whether f's coefficients are converted from limbs to 32-bit words. k is stored in the
/// space that the conversion frees.
const fn is_packed(ring: Ring) -> bool {
    products_in_rns(ring) && ring.small_words() == 1
}

/// Returns how much work memory [`reduce`] needs, in limbs.
pub const fn work_len(ring: Ring) -> usize {
    let n = ring.degree();
    // The quotient `2^st conj(a) / |a|^2` (see [`reduce`]), and the vector from F that is
    // multiplied by this quotient.
    let vectors = 2 * n;
    if products_in_rns(ring) {
        // The planes for k f (a plane contains its residues modulo a prime), which overwrite the
        // vector; a transform of f; and k.
        n + ring.product_words() * n / 2 + n / 2 + if is_packed(ring) { 0 } else { n / 2 }
    } else if deferred_limbs_of(ring) > 0 {
        // k and -k, and the sums for deferred products ([`MAX_DEFERRED_STEPS`]).
        vectors + 4 * n
    } else {
        vectors + 2 * n
    }
}

/// Reduces F in `ring`. Before the call, `big` has [`Ring::large_words`] words per coefficient.
/// After the call, `big` has [`Ring::small_words`] words per coefficient, without gaps, at the
/// front. f is overwritten.
///
/// # Errors
/// Returns an error if F does not become short enough, or if `is_stopped` returned `true`.
#[inline(never)]
pub fn reduce<S: Simd>(
    isa: S,
    ring: Ring,
    f: &mut [i64],
    big: &mut [i64],
    work: &mut [i64],
    is_stopped: &dyn Fn() -> bool,
) -> Result<(), NtruSolveError> {
    frame!(isa, {
        let n = ring.degree();
        let hn = n / 2;
        let small = ring.small_words();
        let large = ring.large_words();
        let f_stride = limbs(small);
        let base = hidden_words(ring);
        let (quotient, work) = work.split_at_mut(n);
        let (qr, qi) = quotient.split_at_mut(hn);

        // Compute 2^st conj(a) / |a|^2. Here a is the transform of f's top words, scaled to at most
        // 15 - log2(n) bits in the integer part.
        let max_length = (WORD * (small - base)) as u32;
        let length = max_bit_length(f, f_stride, base);
        let limit = 15 - ring.log_degree();
        // Set `st` to the smaller number, `length` or `limit`, without a branch.
        let st = length ^ ((length ^ limit) & mask_negative(limit.wrapping_sub(length).cast_signed()));
        let all = LimbRange { poly: f, stride: f_stride, first: 0, end: f_stride };
        load(isa, all, base, [length - st, max_length], qr, qi);
        fft(isa, qr, qi);
        let norms = &mut work[..hn];
        // Multiply by `2^st` instead of shifting. Vector shifts by a secret distance would be
        // equally safe, but memcheck reports them as a leak.
        let scale = barrier_u64(shl_u64(1, st)).cast_signed();
        for ((z, re), im) in norms.iter_mut().zip(&mut *qr).zip(&mut *qi) {
            *z = norm(*re, *im);
            *re = re.wrapping_mul(scale);
            *im = im.wrapping_neg().wrapping_mul(scale);
        }
        div_into(isa, qr, norms);
        div_into(isa, qi, norms);

        let (work, f_residues) = work.split_at_mut(work_len(ring) - n);
        let (f, work, k) = if is_packed(ring) {
            for i in 0..n {
                recast::<_, i32>(f)[i] = f[i] as i32;
            }
            let (words, k) = recast::<_, i32>(f).split_at_mut(n);
            (Multiplicand::Words(words), work, k)
        } else if products_in_rns(ring) {
            let (k, work) = work.split_at_mut(n / 2);
            (Multiplicand::Limbs(f), work, recast(k))
        } else {
            (Multiplicand::Limbs(f), work, Default::default())
        };
        // If there is space, f is transformed only once for each prime.
        let primes = ring.product_words();
        let f_residues = match recast::<_, u32>(f_residues).get_mut(..primes * n) {
            Some(f_residues) if products_in_rns(ring) => {
                for (modulus, values) in MODULI.iter().zip(f_residues.chunks_exact_mut(n)) {
                    f.transform(isa, modulus, values);
                }
                f_residues
            }
            _ => Default::default(),
        };

        let big = ShrinkingPolynomial { poly: big, stride: limbs(large), words: large };
        let deferred = DeferredProducts { count: 0, shift: 0 };
        let mut reduction =
            Reduction { ring, f, deferred_limbs: deferred_limbs_of(ring), f_residues, big, deferred, k, work };
        let mut scale_big = WORD * large;
        let scale_f = WORD * base;
        loop {
            if is_stopped() {
                return Err(NtruSolveError);
            }
            let first = scale_big / WORD;
            // In the first step, there are no words above the scale.
            if first < reduction.big.words {
                let (re, im) = reduction.work[..n].split_at_mut(hn);
                let offset = (scale_big % WORD) as u32;
                load(isa, reduction.big.used_limbs(), first, [length + offset, max_length + offset], re, im);
                fft(isa, re, im);
                fixed::mul_into(isa, re, im, qr, qi);
                ifft(isa, re, im);
                reduction.subtract(isa, scale_big - scale_f);
            }
            if scale_big <= scale_f {
                break;
            }
            scale_big = scale_f.max(scale_big.saturating_sub(STEP_BITS[ring.logn as usize]));
            if reduction.deferred.count > 0 && may_reach(&reduction.big, scale_big / WORD) {
                reduction.release(isa);
            }
            let big = &mut reduction.big;
            while big.words > small && WORD * (big.words - small) > scale_big - scale_f + WORD - 1 {
                declassified_zero(big.shrink())?;
            }
        }
        let ShrinkingPolynomial { poly, stride, .. } = reduction.big;
        for i in 1..n {
            poly.copy_within(i * stride..i * stride + f_stride, i * f_stride);
        }
        Ok(())
    })
}

/// Converts each coefficient in `poly` to a fixed-point value, and writes the values in the order
/// that [`fft`] needs. A value is made from the coefficient's words from word `first` on, divided
/// by `2^distance`. `distance` is secret, but its bound `max` is public: see [`LimbWindow::new`].
/// `poly` must start at limb 0.
#[inline(never)]
fn load<S: Simd>(isa: S, poly: LimbRange<'_>, first: usize, [distance, max]: [u32; 2], re: &mut [i64], im: &mut [i64]) {
    frame!(isa, {
        let LimbRange { poly, stride, end, .. } = poly;
        let window = LimbWindow::new(end, first, distance, max);
        let hn = re.len();
        let bits = hn.trailing_zeros();
        // A single loop processes both halves, because two copies of the loop body would need twice
        // as much stack.
        for j in 0..2 * hn {
            let half = if j < hn { &mut *re } else { &mut *im };
            let coefficient = &poly[j * stride..][..end];
            half[place(j & (hn - 1), bits)] =
                if SHORT_REGISTERS { window.to_fixed_apart(coefficient) } else { window.to_fixed(coefficient) };
        }
    });
}

/// The polynomial f, to be multiplied by k.
#[derive(Clone, Copy)]
enum Multiplicand<'w> {
    /// Coefficients with several limbs.
    Limbs(&'w [i64]),
    /// Coefficients with a single word.
    Words(&'w [i32]),
}

impl Multiplicand<'_> {
    /// Writes f's transform modulo the prime in `modulus`, times `2^32`.
    #[inline(always)]
    fn transform<S: Simd>(self, isa: S, modulus: &Modulus, out: &mut [u32]) {
        match self {
            Self::Limbs(f) => residues_into(isa, modulus, f, f.len() / out.len(), out),
            Self::Words(f) => {
                for (out, x) in out.iter_mut().zip(f) {
                    *out = modulus.prime.residue_of_small(*x);
                }
            }
        }
        ntt(isa, &modulus.prime, out);
        scale_into(isa, &modulus.prime, out, modulus.prime.r2);
    }
}

/// How many products are deferred, and their position.
struct DeferredProducts {
    /// The number of deferred products.
    count: usize,
    /// The shift for the last product.
    shift: usize,
}

/// The state of [`reduce`] between two steps.
struct Reduction<'w> {
    ring: Ring,
    f: Multiplicand<'w>,
    /// The number of f's lower limbs for which products are deferred.
    deferred_limbs: usize,
    /// The output of [`Multiplicand::transform`] for each prime, or empty if there is no space for
    /// it.
    f_residues: &'w [u32],
    /// The polynomial F.
    big: ShrinkingPolynomial<'w>,
    deferred: DeferredProducts,
    /// Space for k, if products use NTTs.
    k: &'w mut [i32],
    /// Work memory. If products use limbs, it contains, in this order: the quotient before it is
    /// rounded to k ("the vector"), k and -k, and the sums for deferred products. If products use
    /// NTTs, it contains the vector, which the residue planes then overwrite.
    work: &'w mut [i64],
}

impl Reduction<'_> {
    /// Computes `F -= k f 2^shift`, where `k` is the vector in `work`, rounded to integers. The
    /// vector has the real parts first and then the imaginary parts.
    #[inline(always)]
    fn subtract<S: Simd>(&mut self, isa: S, shift: usize) {
        if products_in_rns(self.ring) {
            self.subtract_by_residues(isa, shift);
        } else {
            self.subtract_by_limbs(isa, shift);
        }
    }

    /// Computes [`Self::subtract`] with NTTs. Uses a separate stack frame, and overwrites the
    /// vector.
    #[inline(never)]
    fn subtract_by_residues<S: Simd>(&mut self, isa: S, shift: usize) {
        frame!(isa, {
            let n = self.ring.degree();
            let bits = (n / 2).trailing_zeros();
            let (re, im) = self.work[..n].split_at(n / 2);
            let k = &mut *self.k;
            for j in 0..n / 2 {
                let p = place(j, bits);
                k[j] = round(re[p]);
                k[j + n / 2] = round(im[p]);
            }
            let primes = self.ring.product_words();
            let (planes, f_values) = recast::<_, u32>(self.work).split_at_mut(primes * n);
            let f_values = &mut f_values[..n];
            for (i, (modulus, plane)) in MODULI.iter().zip(planes.chunks_exact_mut(n)).enumerate() {
                let f_values = match self.f_residues.get(i * n..(i + 1) * n) {
                    Some(values) => values,
                    None => {
                        self.f.transform(isa, modulus, f_values);
                        &*f_values
                    }
                };
                for (z, k) in plane.iter_mut().zip(&*k) {
                    *z = modulus.residue(*k);
                }
                ntt(isa, &modulus.prime, plane);
                mul_into(isa, &modulus.prime, plane, f_values);
                intt(isa, &modulus.prime, plane);
            }
            let rebuild = ResidueConverter::new(primes);
            rebuild.digits(isa, planes);
            let ShrinkingPolynomial { poly, stride, words } = &mut self.big;
            let stride = *stride;
            let words = *words;
            rebuild.for_each_integer(
                planes,
                #[inline(always)]
                |i, product| sub_shifted(&mut poly[i * stride..][..limbs(words)], words, product, shift),
            );
        });
    }

    /// Computes [`Self::subtract`] with limbs, and defers the product with f's lower limbs. Uses a
    /// separate stack frame.
    #[inline(never)]
    fn subtract_by_limbs<S: Simd>(&mut self, isa: S, shift: usize) {
        frame!(isa, {
            let Multiplicand::Limbs(f) = self.f else { return };
            let n = self.ring.degree();
            let bits = (n / 2).trailing_zeros();
            let (vector, work) = self.work.split_at_mut(n);
            let (re, im) = vector.split_at(n / 2);
            let (kx, total) = work.split_at_mut(2 * n);
            for j in 0..n / 2 {
                let p = place(j, bits);
                for (j, k) in [(j, round(re[p])), (j + n / 2, round(im[p]))] {
                    kx[n - 1 - j] = i64::from(k);
                    kx[2 * n - 1 - j] = -i64::from(k);
                }
            }
            let f_stride = limbs(self.ring.small_words());
            let first_limb = self.deferred_limbs;
            let upper_limbs = LimbRange { poly: f, stride: f_stride, first: first_limb, end: f_stride };
            sub_product(isa, &mut self.big, upper_limbs, kx, shift + BITS * first_limb);
            if first_limb == 0 {
                return;
            }
            let total = &mut total[..2 * n];
            let deferred = &mut self.deferred;
            if deferred.count == 0 {
                total.copy_from_slice(kx);
            } else {
                for (total, k) in total.iter_mut().zip(kx) {
                    *total = (*total << (deferred.shift - shift)) + *k;
                }
            }
            *deferred = DeferredProducts { count: deferred.count + 1, shift };
            let scale_big = shift + WORD * hidden_words(self.ring);
            if deferred.count == MAX_DEFERRED_STEPS || shift == 0 || scale_big > max_deferred_scale(self.ring) {
                self.release(isa);
            }
        });
    }

    /// Subtracts the deferred products.
    fn release<S: Simd>(&mut self, isa: S) {
        frame!(isa, {
            let Multiplicand::Limbs(f) = self.f else { return };
            let n = self.ring.degree();
            let f_stride = limbs(self.ring.small_words());
            let lower_limbs = LimbRange { poly: f, stride: f_stride, first: 0, end: self.deferred_limbs };
            sub_product(isa, &mut self.big, lower_limbs, &self.work[3 * n..5 * n], self.deferred.shift);
            self.deferred.count = 0;
        });
    }
}

/// Returns whether the deferred products could change F's words from `first` on. These products
/// directly change only lower limbs. So they can change the words from `first` on only by a carry
/// through the limb before these words. A carry can pass through this limb only if the limb is 0 or
/// [`MASK`], which has probability `2^-61` for each coefficient.
fn may_reach(big: &ShrinkingPolynomial<'_>, first: usize) -> bool {
    let mut reached = 0;
    for x in big.poly.chunks_exact(big.stride) {
        let x = x[first / 2 - 1];
        reached |= !mask_nonzero(x as u64) | !mask_nonzero((x ^ MASK) as u64);
    }
    declassify("candidate: carry", reached) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_carry_does_not_enter_another_value() {
        let mut big = vec![5; 4 * 10];
        for (first, limb) in [(8, 3), (9, 3), (10, 4)] {
            let mut reached = |x: i64| {
                big[20 + limb] = x;
                may_reach(&ShrinkingPolynomial { poly: &mut big, stride: 10, words: 20 }, first)
            };
            assert!(!reached(5));
            for x in [0, MASK] {
                assert!(reached(x), "a carry into the words from {first} on is not detected");
                assert!(!reached(5));
            }
        }
    }
}
