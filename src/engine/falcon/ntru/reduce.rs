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
use super::limbs::{BITS, Factor, MASK, Window, limbs, max_bit_length, shrink, sub_product, sub_shifted};
use super::prime::{PRIMES, Prime};
use super::rns::{Rebuild, residues_into};
use super::tower::{LARGE, SMALL, in_rns};
use super::transform::{intt, mul_into, ntt, scale_into};
use super::{Unsolved, declassified_zero};
use crate::simd::ct::{barrier_u64, declassify, mask_negative, mask_nonzero, shl_u64};
use crate::simd::{Simd, frame, recast};

/// Words of f, from the top, that the quotient sees.
const WINDOW: [usize; 10] = [1, 1, 2, 2, 2, 3, 3, 4, 5, 7];
/// Bits by which the scale falls each time, for logn 0..=10.
const STEP: [usize; 11] = [10, 10, 10, 10, 10, 10, 10, 10, 10, 9, 8];
/// Bits of a word.
const WORD: usize = 31;

/// Products with the lower limbs of f that are held back, to be subtracted in one. The quotient sees only upper ones.
const TOGETHER: usize = 4;
/// Bits by which they stay below what the quotient sees: the rest of its lowest limb, one limb for [`may_reach`], and a
/// step further down.
const GUARD: usize = WORD + BITS + STEP[0];

/// What is held back: how many products, and the shift of the last.
struct Held {
    count: usize,
    shift: usize,
}

/// Lower limbs of f whose product is held back, at degree `n`.
const fn held_back(n: usize, depth: u32) -> usize {
    // The first of the products held back stands so many bits above where the last will be.
    let spread = (TOGETHER - 1) * STEP[0];
    // |k| 2^spread n: as 128-bit sums of products want it.
    let product = WORD + spread + n.ilog2() as usize;
    if product > 64 {
        return 0;
    }
    // The quotient sees the words from that of the scale on.
    (WORD * (SMALL[depth as usize] - WINDOW[depth as usize])).saturating_sub(WORD + product + 1 + GUARD) / BITS
}

/// The scale from which on products are held back. Above it, a limb of F may hold nothing but the sign, for F is mostly
/// shorter than its words (by 186 bits in 1,900 keys at most): that would make [`may_reach`] tell its length.
const fn first_held_back(depth: u32) -> usize {
    let words = LARGE[depth as usize];
    WORD * (words - words / 32 - 2)
}

/// Primes that hold `k f`.
const fn product_primes(depth: u32) -> usize {
    SMALL[depth as usize] + 1
}

/// Limbs of work memory of [`reduce`] at `depth`.
pub const fn work_len(logn: u32, depth: u32) -> usize {
    let n = 1 << (logn - depth);
    // The two vectors of the quotient.
    2 * n
        + if in_rns(n, product_primes(depth)) {
            // k, the planes of k f; f goes over the second vector.
            n / 2 + (product_primes(depth) * n).div_ceil(2)
        } else {
            // k and -k, and those held back.
            if held_back(n, depth) > 0 { 4 * n } else { 2 * n }
        }
}

/// Reduces F at `depth` of degree `2^logn`; `big` has `limbs(LARGE[depth])` limbs a coefficient and
/// comes back with `limbs(SMALL[depth])`, contiguous at its front.
///
/// # Errors
/// F does not become as short as it should, or `stopped` says that it is not wanted.
#[inline(never)]
pub fn reduce<S: Simd>(
    isa: S,
    logn: u32,
    depth: u32,
    f: &[i64],
    big: &mut [i64],
    work: &mut [i64],
    stopped: &dyn Fn() -> bool,
) -> Result<(), Unsolved> {
    frame!(isa, {
        let d = depth as usize;
        let n = 1usize << (logn - depth);
        let hn = n / 2;
        let (small, window) = (SMALL[d], WINDOW[d]);
        let (from, stride) = (limbs(small), limbs(LARGE[d]));
        let base = small - window;
        let (quotient, work) = work.split_at_mut(n);
        let (qr, qi) = quotient.split_at_mut(hn);
        let (vector, mut work) = work.split_at_mut(n);

        // 2^st conj(a) / |a|^2, for the top of f scaled to 15 - log2(n) bits of integer part or less.
        let max_length = (WORD * window) as u32;
        let length = max_bit_length(f, from, base);
        let limit = 15 - (logn - depth);
        // The smaller of the two.
        let st = length ^ ((length ^ limit) & mask_negative(limit.wrapping_sub(length).cast_signed()));
        load(isa, f, from, from, base, [length - st, max_length], qr, qi);
        fft(isa, qr, qi);
        let norms = &mut vector[..hn];
        // Shifts of vectors by a secret distance are as good, but look like a leak to memcheck.
        let scale = barrier_u64(shl_u64(1, st)).cast_signed();
        for ((z, re), im) in norms.iter_mut().zip(&mut *qr).zip(&mut *qi) {
            *z = norm(*re, *im);
            *re = re.wrapping_mul(scale);
            *im = im.wrapping_neg().wrapping_mul(scale);
        }
        div_into(isa, qr, norms);
        div_into(isa, qi, norms);

        // The transforms of f, if there is room for them.
        let primes = product_primes(depth);
        let rest = work_len(logn, depth) - 2 * n;
        let kept = if in_rns(n, primes) && work.len() >= rest + (primes * n).div_ceil(2) {
            let (now, kept) = work.split_at_mut(rest);
            work = now;
            let kept = &mut recast::<_, u32>(kept)[..primes * n];
            for (prime, values) in PRIMES.iter().zip(kept.chunks_exact_mut(n)) {
                multiplier(isa, prime, f, from, values);
            }
            kept
        } else {
            &mut []
        };

        let mut held = Held { count: 0, shift: 0 };
        let mut words = LARGE[d];
        let mut scale_big = WORD * words;
        let scale_f = WORD * base;
        loop {
            if stopped() {
                return Err(Unsolved);
            }
            let first = scale_big / WORD;
            // The first time there is nothing above the scale.
            if first < words {
                let (re, im) = vector.split_at_mut(hn);
                let offset = (scale_big % WORD) as u32;
                load(isa, big, stride, limbs(words), first, [length + offset, max_length + offset], re, im);
                fft(isa, re, im);
                fixed::mul_into(isa, re, im, qr, qi);
                ifft(isa, re, im);
                subtract(isa, depth, f, kept, big, words, scale_big - scale_f, vector, &mut held, work);
            }
            if scale_big <= scale_f {
                break;
            }
            scale_big = scale_f.max(scale_big.saturating_sub(STEP[logn as usize]));
            if held.count > 0 && may_reach(big, stride, scale_big / WORD) {
                release(isa, depth, f, big, words, &mut held, work);
            }
            while words > small && WORD * (words - small) > scale_big - scale_f + WORD - 1 {
                words -= 1;
                declassified_zero(shrink(big, stride, words))?;
            }
        }
        for i in 1..n {
            big.copy_within(i * stride..i * stride + from, i * from);
        }
        Ok(())
    })
}

/// The words from `first` on, divided by `2^distance`, as the fixed-point values that [`fft`] wants, in its order; as
/// [`Window::new`] has it. A coefficient uses `len` of `stride` limbs.
#[inline(never)]
fn load<S: Simd>(
    isa: S,
    poly: &[i64],
    stride: usize,
    len: usize,
    first: usize,
    [distance, max]: [u32; 2],
    re: &mut [i64],
    im: &mut [i64],
) {
    frame!(isa, {
        let window = Window::new(len, first, distance, max);
        let hn = re.len();
        let bits = hn.trailing_zeros();
        // One loop for both halves: two copies of what is in it take twice the stack.
        for j in 0..2 * hn {
            let half = if j < hn { &mut *re } else { &mut *im };
            half[place(j & (hn - 1), bits)] = window.to_fixed(&poly[j * stride..][..len]);
        }
    });
}

/// The transform of f modulo `prime`, times `2^32`.
#[inline(always)]
fn multiplier<S: Simd>(isa: S, prime: &Prime, f: &[i64], limbs: usize, out: &mut [u32]) {
    residues_into(isa, prime, f, limbs, out);
    ntt(isa, prime, out);
    scale_into(isa, prime, out, prime.r2);
}

/// `F -= k f 2^shift`, `k` the rounded values of `vector` (real parts, then imaginary ones). `kept` has what
/// [`multiplier`] gives for each prime, or nothing.
#[inline(always)]
fn subtract<S: Simd>(
    isa: S,
    depth: u32,
    f: &[i64],
    kept: &[u32],
    big: &mut [i64],
    words: usize,
    shift: usize,
    vector: &mut [i64],
    held: &mut Held,
    work: &mut [i64],
) {
    let n = vector.len();
    let bits = (n / 2).trailing_zeros();
    let from = limbs(SMALL[depth as usize]);
    let stride = limbs(LARGE[depth as usize]);
    let (re, im) = vector.split_at(n / 2);
    if in_rns(n, product_primes(depth)) {
        let (k, work) = recast::<_, i32>(work).split_at_mut(n);
        for j in 0..n / 2 {
            let p = place(j, bits);
            k[j] = round(re[p]);
            k[j + n / 2] = round(im[p]);
        }
        let primes = product_primes(depth);
        let planes = &mut recast::<_, u32>(work)[..primes * n];
        let f_values = &mut recast::<_, u32>(vector)[..n];
        for (i, (prime, plane)) in PRIMES.iter().zip(planes.chunks_exact_mut(n)).enumerate() {
            let f_values = match kept.get(i * n..(i + 1) * n) {
                Some(values) => values,
                None => {
                    multiplier(isa, prime, f, from, f_values);
                    &*f_values
                }
            };
            for (z, k) in plane.iter_mut().zip(&*k) {
                *z = prime.residue(*k);
            }
            ntt(isa, prime, plane);
            mul_into(isa, prime, plane, f_values);
            intt(isa, prime, plane);
        }
        let rebuild = Rebuild::new(primes);
        rebuild.digits(isa, planes);
        rebuild.each_integer(
            planes,
            #[inline(always)]
            |i, product| sub_shifted(&mut big[i * stride..][..limbs(words)], words, product, shift),
        );
    } else {
        let (kx, total) = work.split_at_mut(2 * n);
        for j in 0..n / 2 {
            let p = place(j, bits);
            for (j, k) in [(j, round(re[p])), (j + n / 2, round(im[p]))] {
                kx[n - 1 - j] = i64::from(k);
                kx[2 * n - 1 - j] = -i64::from(k);
            }
        }
        let cut = held_back(n, depth);
        let upper = Factor { poly: f, stride: from, first: cut, end: from };
        sub_product(isa, big, stride, words, upper, kx, shift + BITS * cut);
        if cut == 0 {
            return;
        }
        let total = &mut total[..2 * n];
        if held.count == 0 {
            total.copy_from_slice(kx);
        } else {
            for (total, k) in total.iter_mut().zip(kx) {
                *total = (*total << (held.shift - shift)) + *k;
            }
        }
        *held = Held { count: held.count + 1, shift };
        let scale_big = shift + WORD * (SMALL[depth as usize] - WINDOW[depth as usize]);
        if held.count == TOGETHER || shift == 0 || scale_big > first_held_back(depth) {
            release(isa, depth, f, big, words, held, work);
        }
    }
}

/// Whether what is held back may change the words from `first` on: what is carried into the limb below them goes
/// through it where that limb is all zeros or all ones, once in `2^61` coefficients.
fn may_reach(big: &[i64], stride: usize, first: usize) -> bool {
    let mut any = 0;
    for x in big.chunks_exact(stride) {
        let x = x[first / 2 - 1];
        any |= !mask_nonzero(x as u64) | !mask_nonzero((x ^ MASK) as u64);
    }
    declassify("candidate: carry", any) != 0
}

/// Subtracts what is held back.
fn release<S: Simd>(isa: S, depth: u32, f: &[i64], big: &mut [i64], words: usize, held: &mut Held, work: &[i64]) {
    frame!(isa, {
        let (from, stride) = (limbs(SMALL[depth as usize]), limbs(LARGE[depth as usize]));
        let n = f.len() / from;
        let lower = Factor { poly: f, stride: from, first: 0, end: held_back(n, depth) };
        sub_product(isa, big, stride, words, lower, &work[2 * n..4 * n], held.shift);
        held.count = 0;
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_carry_goes_through_limbs_of_one_value_alone() {
        let mut big = vec![5; 4 * 10];
        for (first, limb) in [(8, 3), (9, 3), (10, 4)] {
            assert!(!may_reach(&big, 10, first));
            for x in [0, MASK] {
                big[20 + limb] = x;
                assert!(may_reach(&big, 10, first), "words from {first} on");
                big[20 + limb] = 5;
            }
        }
    }
}
