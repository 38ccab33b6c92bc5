//! Converts integers with several limbs to residues, and back.
//!
//! Residues are stored in planes: all coefficients modulo the first prime, then all coefficients
//! modulo the second prime, and so on. To convert residues back, the code computes mixed-radix
//! digits, plane by plane, and then, of all integers with these residues, the integer that is
//! nearest to zero.
//!
//! | value | range |
//! |---|---|
//! | residues and digits | `[0, p)`, where p is the plane's prime |
//! | integers from `k` primes | magnitude below half the product of the primes |
//!
//! All values are secret. The time depends only on lengths.

use super::limbs::{BITS, MASK, sign_extended};
use super::moduli::{COUNT, MODULI, Modulus, PRIMES};
use crate::engine::primes::transform::{PrimeLanes, for_each_vector, is_short};
use crate::simd::{SHORT_REGISTERS, Simd, frame};

/// The number of limbs in the product of all primes.
const MAX_LIMBS: usize = COUNT.div_ceil(2);

/// The number of lanes in the longest vector.
const MAX_LANES: usize = 16;

/// Writes the residues for the coefficients in `poly` modulo the prime in `modulus`. Each
/// coefficient has `limbs` limbs.
#[inline(never)]
pub fn residues_into<S: Simd>(isa: S, modulus: &Modulus, poly: &[i64], limbs: usize, out: &mut [u32]) {
    if is_short::<S>(out.len()) {
        return residues_into(isa.half().integers(), modulus, poly, limbs, out);
    }
    frame!(isa, {
        let p = PrimeLanes::new(isa, &modulus.prime);
        let two31 = isa.splat_u32(modulus.two31);
        let two62 = isa.splat_u32(modulus.two62);
        let two61 = isa.splat_u32(modulus.two61);
        let mut low = [0; MAX_LANES];
        let mut high = [0; MAX_LANES];
        for (block, out) in poly.chunks_exact(limbs * S::LANES_U32).zip(out.chunks_exact_mut(S::LANES_U32)) {
            let mut r = isa.splat_u32(0);
            for w in (0..limbs).rev() {
                // With the bias 2^61, the top limb is not negative.
                let bias = if w == limbs - 1 { 1 << (BITS - 1) } else { 0 };
                for i in 0..S::LANES_U32 {
                    let x = block[i * limbs + w] + bias;
                    low[i] = x as u32 & 0x7fff_ffff;
                    high[i] = (x >> 31) as u32;
                }
                let limb = p.add(p.mul(isa.load_u32(&high), two31), p.below(isa.load_u32(&low)));
                r = if bias == 0 { p.add(p.mul(r, two62), limb) } else { p.sub(limb, two61) };
            }
            isa.store_u32(r, out);
        }
    });
}

/// Returns `x mod p`. Range: `x` in `[0, 2^62)`.
#[inline(always)]
fn residue_of_limb(modulus: &Modulus, x: i64) -> u32 {
    let prime = &modulus.prime;
    let high = (x >> 31) as u32;
    let low = x as u32 & 0x7fff_ffff;
    prime.add(prime.mul(high, modulus.two31), prime.below(low))
}

/// Entry `k - 1` is `(product - 1) / 2`, where `product` is the product of the first `k` primes.
static HALVES: [[i64; MAX_LIMBS]; COUNT] = {
    let mut halves = [[0; MAX_LIMBS]; COUNT];
    let mut product = [0; MAX_LIMBS];
    product[0] = 1;
    let mut k = 0;
    while k < COUNT {
        let mut carry = 0;
        let mut i = 0;
        while i < MAX_LIMBS {
            carry += product[i] as i128 * PRIMES[k] as i128;
            product[i] = carry as i64 & MASK;
            carry >>= BITS;
            i += 1;
        }
        i = 0;
        while i < MAX_LIMBS {
            let next = if i + 1 < MAX_LIMBS { product[i + 1] } else { 0 };
            halves[k][i] = product[i] >> 1 | (next << (BITS - 1) & MASK);
            i += 1;
        }
        k += 1;
    }
    halves
};

/// The products of adjacent primes: entry `j` is the product of the primes with the indices `2j`
/// and `2j + 1`. If there is no second prime, the entry is the first prime.
static PAIRS: [i64; MAX_LIMBS] = {
    let mut pairs = [1; MAX_LIMBS];
    let mut k = 0;
    while k < COUNT {
        pairs[k / 2] *= PRIMES[k] as i64;
        k += 1;
    }
    pairs
};

/// A converter from residues modulo the first `k` primes to integers. Range: `k` is at least 1.
pub struct ResidueConverter {
    k: usize,
    /// `(product - 1) / 2`.
    half: &'static [i64; MAX_LIMBS],
}

impl ResidueConverter {
    /// Returns a converter for the first `k` primes.
    #[inline(always)]
    pub fn new(k: usize) -> Self {
        Self { k, half: &HALVES[k - 1] }
    }

    /// Converts residues to digits, in place. `planes` has `k` planes with the same length.
    #[inline(never)]
    pub fn digits<S: Simd>(&self, isa: S, planes: &mut [u32]) {
        if is_short::<S>(planes.len() / self.k) {
            return self.digits(isa.half().integers(), planes);
        }
        frame!(isa, {
            let n = planes.len() / self.k;
            for (i, modulus) in MODULI[..self.k].iter().enumerate() {
                let (earlier_planes, plane) = planes.split_at_mut(i * n);
                let plane = &mut plane[..n];
                // Add half the product of the primes, so that the integer is not negative.
                // `integer_into` subtracts it.
                let p = PrimeLanes::new(isa, &modulus.prime);
                let bias = isa.splat_u32(self.half_mod(modulus));
                for_each_vector::<S>(
                    n,
                    #[inline(always)]
                    |at| {
                        let mut x = p.add(isa.load_u32(&plane[at..]), bias);
                        for j in 0..i {
                            let d = isa.load_u32(&earlier_planes[j * n + at..]);
                            x = p.mul(p.sub(x, p.below(d)), isa.splat_u32(modulus.inverses[j]));
                        }
                        isa.store_u32(x, &mut plane[at..]);
                    },
                );
            }
        });
    }

    /// Returns `(product - 1) / 2` modulo the prime in `modulus`.
    fn half_mod(&self, modulus: &Modulus) -> u32 {
        let prime = &modulus.prime;
        self.half.iter().rev().fold(0, |r, &x| prime.add(prime.mul(r, modulus.two62), residue_of_limb(modulus, x)))
    }

    /// Converts digits to integers, which have `k / 2` limbs (rounded up) each.
    #[inline(always)]
    pub fn integers_into(&self, planes: &[u32], out: &mut [i64]) {
        if SHORT_REGISTERS {
            for (i, out) in (0..planes.len() / self.k).zip(out.chunks_exact_mut(self.limbs())) {
                self.integer(planes, i, out);
            }
        } else {
            let limbs = self.limbs();
            self.for_each_integer(
                planes,
                #[inline(always)]
                |i, x| out[i * limbs..(i + 1) * limbs].copy_from_slice(x),
            );
        }
    }

    /// Calls `f` with each coefficient's index and integer, which has `k / 2` limbs, rounded up.
    #[inline(always)]
    pub fn for_each_integer(&self, planes: &[u32], mut f: impl FnMut(usize, &[i64])) {
        if SHORT_REGISTERS {
            // On processors with short registers, the limbs are always in memory. So a single
            // function (`integer`) for all callers is as fast as inlined code.
            let mut out = [0; MAX_LIMBS];
            let out = &mut out[..self.limbs()];
            for i in 0..planes.len() / self.k {
                self.integer(planes, i, out);
                f(i, out);
            }
            return;
        }
        const { assert!(MAX_LIMBS == 6) };
        match self.limbs() {
            1 => self.for_each_integer_of::<1>(planes, f),
            2 => self.for_each_integer_of::<2>(planes, f),
            3 => self.for_each_integer_of::<3>(planes, f),
            4 => self.for_each_integer_of::<4>(planes, f),
            5 => self.for_each_integer_of::<5>(planes, f),
            _ => self.for_each_integer_of::<6>(planes, f),
        }
    }

    /// Computes [`Self::for_each_integer`] with `L` limbs. The limbs stay in registers, because the
    /// loop over them has a constant length.
    #[inline(always)]
    fn for_each_integer_of<const L: usize>(&self, planes: &[u32], mut f: impl FnMut(usize, &[i64])) {
        for i in 0..planes.len() / self.k {
            let mut out = [0; L];
            self.integer_into(planes, i, &mut out);
            f(i, &out);
        }
    }

    /// Returns the number of limbs in an integer.
    const fn limbs(&self) -> usize {
        self.k.div_ceil(2)
    }

    /// Calls [`Self::integer_into`] in a separate function, with separate code for integers that
    /// have 1, 2 or 3 limbs.
    #[inline(never)]
    fn integer(&self, planes: &[u32], i: usize, out: &mut [i64]) {
        // Calls `integer_into` with an array instead of a slice, if the length is in `$limbs`.
        macro_rules! of {
            ($out:ident, $($limbs:literal)+) => {
                match $out.len() {
                    $($limbs => {
                        if let Some(out) = $out.first_chunk_mut::<$limbs>() {
                            self.integer_into(planes, i, out);
                        }
                    })+
                    _ => self.integer_into(planes, i, $out),
                }
            };
        }
        of!(out, 1 2 3);
    }

    /// Computes the integer for coefficient `i` from its digits, and writes it to `out`.
    #[inline(always)]
    fn integer_into(&self, planes: &[u32], i: usize, out: &mut [i64]) {
        let n = planes.len() / self.k;
        let len = out.len();
        let digit = |j: usize| if j < self.k { i64::from(planes[j * n + i]) } else { 0 };
        out.fill(0);
        // The loop uses Horner's rule, with two digits in each step.
        for j in (0..len).rev() {
            let mut carry = i128::from(digit(2 * j) + digit(2 * j + 1) * i64::from(PRIMES[2 * j]));
            for x in &mut out[..len - j] {
                carry += i128::from(*x) * i128::from(PAIRS[j]);
                *x = carry as i64 & MASK;
                carry >>= BITS;
            }
        }
        let mut borrow = 0;
        for (x, half) in out.iter_mut().zip(self.half) {
            let d = *x - half + borrow;
            *x = d & MASK;
            borrow = d >> BITS;
        }
        out[len - 1] = sign_extended(out[len - 1]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::limbs::tests::{RandomLimbs, from_big, to_big};
    use super::*;
    use crate::engine::primes::tests::{assert_below, below};
    use crate::simd::WithSimd;
    use crate::simd::check::laws::on_every_level;
    use crate::simd::check::ranges::{on_all_lanes, row_u32, start_u32};
    use num_bigint::BigInt;

    /// A test that converts integers to residues and back.
    #[derive(Clone, Copy)]
    struct ResidueRoundTrip;

    impl WithSimd for ResidueRoundTrip {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            let mut r = RandomLimbs(21);
            for k in 1..=COUNT {
                let limbs = k.div_ceil(2);
                let product: BigInt = MODULI[..k].iter().map(|modulus| BigInt::from(modulus.prime.p)).product();
                let half: BigInt = &product >> 1;
                let mut numbers: Vec<BigInt> = (0..28)
                    .map(|_| (to_big(&r.number(limbs + 1)) % &product + &product + &half) % &product - &half)
                    .collect();
                numbers.extend([half.clone(), -half.clone(), BigInt::from(-1), BigInt::ZERO]);
                let poly: Vec<i64> = numbers.iter().flat_map(|x| from_big(x, limbs)).collect();
                let mut planes = Vec::new();
                for modulus in &MODULI[..k] {
                    let mut plane = vec![0; numbers.len()];
                    residues_into(isa, modulus, &poly, limbs, &mut plane);
                    for (x, r) in numbers.iter().zip(&plane) {
                        assert_eq!((x - BigInt::from(*r)) % modulus.prime.p, BigInt::ZERO);
                        assert!(*r < modulus.prime.p);
                    }
                    planes.extend(plane);
                }
                let rebuild = ResidueConverter::new(k);
                rebuild.digits(isa, &mut planes);
                let mut converted = Vec::new();
                rebuild.for_each_integer(&planes, |i, x| {
                    assert_eq!((i, x.len()), (converted.len(), limbs));
                    converted.push(to_big(x));
                });
                assert_eq!(converted, numbers);
            }
        }
    }

    #[test]
    fn conversion_to_residues_and_back_gives_the_same_value() {
        on_every_level(ResidueRoundTrip);
    }

    #[derive(Clone, Copy)]
    struct DigitRanges;

    impl WithSimd for DigitRanges {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            start_u32(&[]);
            let n = 2 * S::LANES_U32;
            for k in 1..=COUNT {
                let residues = |modulus: &Modulus| row_u32(n, below(1, modulus.prime.p));
                let mut planes: Vec<u32> = MODULI[..k].iter().flat_map(residues).collect();
                ResidueConverter::new(k).digits(isa, &mut planes);
                for (modulus, plane) in MODULI.iter().zip(planes.chunks(n)) {
                    assert_below::<S>("digits", plane, 1, modulus.prime.p);
                }
            }
        }
    }

    /// Tests the digits' ranges. A digit can be a little larger than the primes for later planes,
    /// because the primes become smaller.
    #[test]
    fn digits_are_in_the_range_of_their_plane() {
        on_all_lanes(DigitRanges);
    }
}
