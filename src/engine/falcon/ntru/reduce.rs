//! The reduction of F at one depth (specification 2.4.5b): `F -= k f 2^s` for a falling scale `s`,
//! with `k` from a fixed-point quotient of the top bits. G is never computed.
//!
//! Where this gives up decides which candidates become keys, so the quotients are the
//! specification's, bit for bit.
//!
//! | value | range |
//! |---|---|
//! | `k` | any `i32` |
//! | scale `s` | public: it follows from the degree and the depth alone |
//! | bit length of f's top words | secret; only a shift distance, never a branch |

use super::fixed::{self, div_into, fft, ifft, norm, place, round};
use super::limbs::{BITS, LimbRange, MASK, Shrinking, Window, limbs, max_bit_length, sub_product, sub_shifted};
use super::moduli::{MODULI, Modulus};
use super::rns::{Rebuild, residues_into};
use super::tower::{Ring, in_rns};
use super::{Unsolved, declassified_zero};
use crate::engine::primes::transform::{intt, mul_into, ntt, scale_into};
use crate::simd::ct::{barrier_u64, declassify, mask_negative, mask_nonzero};
use crate::simd::words::shl_u64;
use crate::simd::{SHORT_REGISTERS, Simd, frame, recast};

/// The words of f, from the top, that the quotient sees at each depth.
const WINDOW: [usize; 10] = [1, 1, 2, 2, 2, 3, 3, 4, 5, 7];
/// The bits by which the scale falls each time, for logn 0..=10.
const STEP: [usize; 11] = [10, 10, 10, 10, 10, 10, 10, 10, 10, 9, 8];
/// The bits of a word.
const WORD: usize = 31;

/// The number of products with the lower limbs of f that are held back, to be subtracted in one. The quotient sees only
/// upper limbs.
const TOGETHER: usize = 4;
/// The bits by which held back products stay below what the quotient sees: the rest of its lowest limb, one limb for
/// [`may_reach`], and a step further down.
const GUARD: usize = WORD + BITS + STEP[0];

/// Returns the words of f below those that the quotient sees.
const fn hidden_words(ring: Ring) -> usize {
    ring.small_words() - WINDOW[ring.depth as usize]
}

/// Returns the number of lower limbs of f whose product is held back.
const fn held_back(ring: Ring) -> usize {
    // The first of the products held back stands so many bits above where the last will be.
    let spread = (TOGETHER - 1) * STEP[0];
    // |k| 2^spread n: as 128-bit sums of products want it.
    let product = WORD + spread + ring.log_degree() as usize;
    if product > 64 {
        return 0;
    }
    // The quotient sees the words from that of the scale on.
    (WORD * hidden_words(ring)).saturating_sub(WORD + product + 1 + GUARD) / BITS
}

/// Returns the scale from which on products are held back. Above it, a limb of F may hold nothing but the sign, for F
/// is mostly shorter than its words (by 186 bits in 1,900 keys at most): that would make [`may_reach`] tell its length.
const fn first_held_back(ring: Ring) -> usize {
    let words = ring.large_words();
    WORD * (words - words / 32 - 2)
}

/// Returns whether `k f` goes through NTTs.
const fn products_in_rns(ring: Ring) -> bool {
    in_rns(ring.degree(), ring.product_words())
}

/// Returns whether coefficients of f become words of 32 bits, so that k finds its place beside them.
const fn is_packed(ring: Ring) -> bool {
    products_in_rns(ring) && ring.small_words() == 1
}

/// Returns the limbs of work memory of [`reduce`].
pub const fn work_len(ring: Ring) -> usize {
    let n = ring.degree();
    // The quotient, and the vector that it is multiplied with.
    let vectors = 2 * n;
    if products_in_rns(ring) {
        // The planes of k f, which go over the vector; a transform of f, and k.
        n + ring.product_words() * n / 2 + n / 2 + if is_packed(ring) { 0 } else { n / 2 }
    } else if held_back(ring) > 0 {
        // k and -k, and the sums of those held back.
        vectors + 4 * n
    } else {
        vectors + 2 * n
    }
}

/// Reduces F in `ring`: `big` has [`Ring::large_words`] words a coefficient, and comes back with [`Ring::small_words`],
/// contiguous at its front. f is destroyed.
///
/// # Errors
/// F does not become as short as it should, or `stopped` says that it is not wanted.
#[inline(never)]
pub fn reduce<S: Simd>(
    isa: S,
    ring: Ring,
    f: &mut [i64],
    big: &mut [i64],
    work: &mut [i64],
    stopped: &dyn Fn() -> bool,
) -> Result<(), Unsolved> {
    frame!(isa, {
        let n = ring.degree();
        let hn = n / 2;
        let small = ring.small_words();
        let large = ring.large_words();
        let from = limbs(small);
        let base = hidden_words(ring);
        let (quotient, work) = work.split_at_mut(n);
        let (qr, qi) = quotient.split_at_mut(hn);

        // 2^st conj(a) / |a|^2, for the top of f scaled to 15 - log2(n) bits of integer part or less.
        let max_length = (WORD * (small - base)) as u32;
        let length = max_bit_length(f, from, base);
        let limit = 15 - ring.log_degree();
        // The smaller of the two.
        let st = length ^ ((length ^ limit) & mask_negative(limit.wrapping_sub(length).cast_signed()));
        let all = LimbRange { poly: f, stride: from, first: 0, end: from };
        load(isa, all, base, [length - st, max_length], qr, qi);
        fft(isa, qr, qi);
        let norms = &mut work[..hn];
        // Shifts of vectors by a secret distance are as good, but look like a leak to memcheck.
        let scale = barrier_u64(shl_u64(1, st)).cast_signed();
        for ((z, re), im) in norms.iter_mut().zip(&mut *qr).zip(&mut *qi) {
            *z = norm(*re, *im);
            *re = re.wrapping_mul(scale);
            *im = im.wrapping_neg().wrapping_mul(scale);
        }
        div_into(isa, qr, norms);
        div_into(isa, qi, norms);

        let (work, kept) = work.split_at_mut(work_len(ring) - n);
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
        // The transforms of f, if there is room for them.
        let primes = ring.product_words();
        let kept = match recast::<_, u32>(kept).get_mut(..primes * n) {
            Some(kept) if products_in_rns(ring) => {
                for (modulus, values) in MODULI.iter().zip(kept.chunks_exact_mut(n)) {
                    f.transform(isa, modulus, values);
                }
                kept
            }
            _ => Default::default(),
        };

        let big = Shrinking { poly: big, stride: limbs(large), words: large };
        let held = Held { count: 0, shift: 0 };
        let mut reduction = Reduction { ring, f, lower: held_back(ring), kept, big, held, k, work };
        let mut scale_big = WORD * large;
        let scale_f = WORD * base;
        loop {
            if stopped() {
                return Err(Unsolved);
            }
            let first = scale_big / WORD;
            // The first time there is nothing above the scale.
            if first < reduction.big.words {
                let (re, im) = reduction.work[..n].split_at_mut(hn);
                let offset = (scale_big % WORD) as u32;
                load(isa, reduction.big.used(), first, [length + offset, max_length + offset], re, im);
                fft(isa, re, im);
                fixed::mul_into(isa, re, im, qr, qi);
                ifft(isa, re, im);
                reduction.subtract(isa, scale_big - scale_f);
            }
            if scale_big <= scale_f {
                break;
            }
            scale_big = scale_f.max(scale_big.saturating_sub(STEP[ring.logn as usize]));
            if reduction.held.count > 0 && may_reach(&reduction.big, scale_big / WORD) {
                reduction.release(isa);
            }
            let big = &mut reduction.big;
            while big.words > small && WORD * (big.words - small) > scale_big - scale_f + WORD - 1 {
                declassified_zero(big.shrink())?;
            }
        }
        let Shrinking { poly, stride, .. } = reduction.big;
        for i in 1..n {
            poly.copy_within(i * stride..i * stride + from, i * from);
        }
        Ok(())
    })
}

/// Writes the words from `first` on, divided by `2^distance`, as the fixed-point values that [`fft`] wants, in its
/// order. `distance` is secret, its bound `max` is not; both are those of [`Window::new`]. Range: `poly` begins at limb
/// 0.
#[inline(never)]
fn load<S: Simd>(isa: S, poly: LimbRange<'_>, first: usize, [distance, max]: [u32; 2], re: &mut [i64], im: &mut [i64]) {
    frame!(isa, {
        let LimbRange { poly, stride, end, .. } = poly;
        let window = Window::new(end, first, distance, max);
        let hn = re.len();
        let bits = hn.trailing_zeros();
        // One loop for both halves: two copies of what is in it take twice the stack.
        for j in 0..2 * hn {
            let half = if j < hn { &mut *re } else { &mut *im };
            let coefficient = &poly[j * stride..][..end];
            half[place(j & (hn - 1), bits)] =
                if SHORT_REGISTERS { window.to_fixed_apart(coefficient) } else { window.to_fixed(coefficient) };
        }
    });
}

/// f, with which k is multiplied.
#[derive(Clone, Copy)]
enum Multiplicand<'w> {
    /// Coefficients of several limbs each.
    Limbs(&'w [i64]),
    /// Coefficients of one word.
    Words(&'w [i32]),
}

impl Multiplicand<'_> {
    /// Writes the transform modulo the prime of `modulus`, times `2^32`.
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

/// The products that are held back.
struct Held {
    /// Their number.
    count: usize,
    /// The shift of the last.
    shift: usize,
}

/// A reduction at work.
struct Reduction<'w> {
    ring: Ring,
    f: Multiplicand<'w>,
    /// The number of lower limbs of f whose products are held back.
    lower: usize,
    /// The output of [`Multiplicand::transform`] for each prime, or nothing where there is no room for it.
    kept: &'w [u32],
    /// F.
    big: Shrinking<'w>,
    held: Held,
    /// Room for k where the product goes by NTTs.
    k: &'w mut [i32],
    /// In front the vector; over it the planes of the product, or behind it k and -k, then the sums of those held back.
    work: &'w mut [i64],
}

impl Reduction<'_> {
    /// Computes `F -= k f 2^shift`, `k` the rounded values of the vector: real parts, then imaginary ones.
    #[inline(always)]
    fn subtract<S: Simd>(&mut self, isa: S, shift: usize) {
        if products_in_rns(self.ring) {
            self.subtract_by_residues(isa, shift);
        } else {
            self.subtract_by_limbs(isa, shift);
        }
    }

    /// [`Self::subtract`] with a product by NTTs, in a frame of its own. The vector is destroyed.
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
                let f_values = match self.kept.get(i * n..(i + 1) * n) {
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
            let rebuild = Rebuild::new(primes);
            rebuild.digits(isa, planes);
            let Shrinking { poly, stride, words } = &mut self.big;
            let stride = *stride;
            let words = *words;
            rebuild.each_integer(
                planes,
                #[inline(always)]
                |i, product| sub_shifted(&mut poly[i * stride..][..limbs(words)], words, product, shift),
            );
        });
    }

    /// [`Self::subtract`] with a product of limbs, of which a part is held back, in a frame of its own.
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
            let from = limbs(self.ring.small_words());
            let cut = self.lower;
            let upper = LimbRange { poly: f, stride: from, first: cut, end: from };
            sub_product(isa, &mut self.big, upper, kx, shift + BITS * cut);
            if cut == 0 {
                return;
            }
            let total = &mut total[..2 * n];
            let held = &mut self.held;
            if held.count == 0 {
                total.copy_from_slice(kx);
            } else {
                for (total, k) in total.iter_mut().zip(kx) {
                    *total = (*total << (held.shift - shift)) + *k;
                }
            }
            *held = Held { count: held.count + 1, shift };
            let scale_big = shift + WORD * hidden_words(self.ring);
            if held.count == TOGETHER || shift == 0 || scale_big > first_held_back(self.ring) {
                self.release(isa);
            }
        });
    }

    /// Subtracts the products that are held back.
    fn release<S: Simd>(&mut self, isa: S) {
        frame!(isa, {
            let Multiplicand::Limbs(f) = self.f else { return };
            let n = self.ring.degree();
            let from = limbs(self.ring.small_words());
            let lower = LimbRange { poly: f, stride: from, first: 0, end: self.lower };
            sub_product(isa, &mut self.big, lower, &self.work[3 * n..5 * n], self.held.shift);
            self.held.count = 0;
        });
    }
}

/// Returns whether the products that are held back may change the words of F from `first` on: what is carried into the
/// limb below them goes through it where that limb is all zeros or all ones, once in `2^61` coefficients.
fn may_reach(big: &Shrinking<'_>, first: usize) -> bool {
    let mut any = 0;
    for x in big.poly.chunks_exact(big.stride) {
        let x = x[first / 2 - 1];
        any |= !mask_nonzero(x as u64) | !mask_nonzero((x ^ MASK) as u64);
    }
    declassify("candidate: carry", any) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_carry_goes_through_limbs_of_one_value_alone() {
        let mut big = vec![5; 4 * 10];
        for (first, limb) in [(8, 3), (9, 3), (10, 4)] {
            let mut reached = |x: i64| {
                big[20 + limb] = x;
                may_reach(&Shrinking { poly: &mut big, stride: 10, words: 20 }, first)
            };
            assert!(!reached(5));
            for x in [0, MASK] {
                assert!(reached(x), "words from {first} on");
                assert!(!reached(5));
            }
        }
    }
}
