//! Integers with several limbs, and polynomials of a small degree with such coefficients. The
//! operations read 64 bits at a given position (a window), measure bit lengths, subtract, and
//! shorten coefficients.
//!
//! A limb is an `i64` with 62 bits, which correspond to two 31-bit words in the specification. All
//! limbs except the last are in `[0, 2^62)`. The last limb includes the sign and is in
//! `[-2^61, 2^61)`. So the integer's value is the sum of all `limb[i] 2^(62 i)`, and a single
//! signed 64-bit multiplication can multiply two limbs. An `i128` can contain the sum of eight
//! products. A polynomial is an array of coefficients, where all coefficients have the same number
//! of limbs.
//!
//! | value | range |
//! |---|---|
//! | product of two limbs | below `2^124` |
//! | multipliers of [`sub_product`] | below `2^62` |
//! | results | two's complement, wrapped to the result's length |
//!
//! All limbs are secret. Lengths, indices and shift distances are public, unless a function says
//! otherwise.

use crate::simd::constant_time_u64::{leading_zeros, shl_u64, shr_u64};
use crate::simd::ct::{barrier_u32, mask_of_top};
use crate::simd::{SHORT_REGISTERS, Simd, frame};

/// The number of bits in a limb.
pub const BITS: usize = 62;
/// A mask for the value bits in a limb.
pub const MASK: i64 = (1 << BITS) - 1;

/// Returns how many limbs are needed for `words` 31-bit words.
pub const fn limbs(words: usize) -> usize {
    words.div_ceil(2)
}

/// Drops the upper two bits of a top limb, and extends the sign from bit 61.
#[inline(always)]
pub fn sign_extended(x: i64) -> i64 {
    x << 2 >> 2
}

/// Returns a mask: all bits are set if `a == b`, and no bit is set otherwise.
#[inline(always)]
fn equal_mask(a: u32, b: u32) -> u64 {
    let d = u64::from(barrier_u32(a ^ b));
    // d - 1 is negative only for d = 0.
    mask_of_top(d.wrapping_sub(1))
}

/// Returns `floor(x / 62)`. Uses a multiplication, because the time of a division would depend on
/// `x`. Range: `x < 512`.
const fn by_62(x: u32) -> u32 {
    (x * 1058) >> 16
}

/// The maximum number of limbs in which a window can start. The start depends on a secret distance,
/// but this distance is always below 256 bits.
const STARTS: usize = 6;

/// A window that reads 64-bit fixed-point numbers from big integers: it skips the words before a
/// public index, and shifts right by a secret distance.
pub struct LimbWindow {
    /// For each limb to read: its index, a right shift, and a mask. For a limb above the integer,
    /// the shift is 63, so only the sign remains. For a limb below the first word, the mask is
    /// zero. This field is public.
    places: [(u16, u8, i64); STARTS + 2],
    /// The number of limbs that can contain the window's first bit. This field is public.
    count: usize,
    /// A mask for each limb that can contain the window's first bit. The mask is set only for the
    /// limb that contains this bit.
    starts: [i64; STARTS],
    /// The position of the window's first bit in its limb.
    shift: u32,
    /// A mask that is set if the window's first bit is the last bit in its limb. In this case, the
    /// window needs a third limb.
    third: u64,
    /// A mask that is set if the distance is divisible by 31.
    whole_words: u64,
}

impl LimbWindow {
    /// Returns a window for integers with `len` limbs. From an integer x, the window reads
    /// `floor(x / 2^(31 base)) / 2^distance`. Only `distance` is secret. Range:
    /// `distance <= max < 256`.
    #[inline(never)]
    pub fn new(len: usize, base: usize, distance: u32, max: u32) -> Self {
        debug_assert!(distance <= max && max < 256);
        // The fixed-point number has 32 fraction bits.
        let position = 31 * base as isize - 32;
        let first = position.div_euclid(BITS as isize);
        let last = (position + max as isize).div_euclid(BITS as isize);
        let count = (last - first + 1) as usize;
        // The limb that contains the window's first bit, and the bit's position in this limb.
        let bit = position.rem_euclid(BITS as isize) as u32 + distance;
        let limb = by_62(bit);
        let shift = bit - BITS as u32 * limb;
        let mut starts = [0; STARTS];
        for (i, start) in starts.iter_mut().enumerate().take(count) {
            *start = equal_mask(limb, i as u32) as i64;
        }
        let lowest = (base / 2) as isize;
        let places = core::array::from_fn(|i| {
            let limb = first + i as isize;
            let mask = match limb - lowest {
                ..0 => 0,
                0 if !base.is_multiple_of(2) => MASK >> 31 << 31,
                _ => MASK,
            };
            let is_above = limb >= len as isize;
            ((limb.max(0) as usize).min(len - 1) as u16, if is_above { 63 } else { 0 }, mask)
        });
        let third = equal_mask(shift, BITS as u32 - 1);
        let whole_words = equal_mask(distance, 31 * by_62(2 * distance));
        Self { places, count, starts, shift, third, whole_words }
    }

    /// Calls [`Self::to_fixed`] in a separate stack frame. Otherwise, on processors with few
    /// registers, the caller would need stack for the values of both functions.
    #[inline(never)]
    pub fn to_fixed_apart(&self, x: &[i64]) -> i64 {
        self.to_fixed(x)
    }

    /// Returns the number in the window, in 32.32 fixed point, rounded down. Bits above these 64
    /// bits are dropped. If the distance is divisible by 31, bit 63 is equal to bit 62, as in the
    /// reference.
    #[inline(always)]
    pub fn to_fixed(&self, x: &[i64]) -> i64 {
        let read = |i: usize| {
            let (limb, shift, mask) = self.places[i];
            (x[usize::from(limb)] >> shift) & mask
        };
        let mut low = 0;
        let mut middle = 0;
        let mut high = 0;
        let mut next = (read(0), read(1));
        for (i, start) in self.starts[..self.count].iter().enumerate() {
            let third_word = read(i + 2);
            low |= next.0 & start;
            middle |= next.1 & start;
            high |= third_word & start;
            next = (next.1, third_word);
        }
        let from_two_limbs = shr_u64(low as u64, self.shift) | shl_u64(middle as u64, BITS as u32 - self.shift);
        let v = from_two_limbs | ((high as u64) << 63 & self.third);
        let bit62 = (v << 1) & (1 << 63);
        let keep_bit63_mask = (1 << 63) & self.whole_words;
        ((v & !keep_bit63_mask) | (bit62 & keep_bit63_mask)) as i64
    }
}

/// Returns the bit length of `x`. Range: `x` in `[0, 2^62)`.
#[inline(always)]
fn bit_length(x: u64) -> u32 {
    63 - leading_zeros(x << 1 | 1)
}

/// Returns the largest bit length of `floor(x / 2^(31 base))` over all coefficients x, which have
/// `limbs` limbs. For a negative x, this is the bit length of the complement. The result is secret.
pub fn max_bit_length(poly: &[i64], limbs: usize, base: usize) -> u32 {
    let mut length = 0;
    let first = base / 2;
    for w in first..limbs {
        let mut all = 0;
        for x in poly.chunks_exact(limbs) {
            let sign = x[limbs - 1] >> 63;
            all |= (x[w] ^ sign) & MASK;
        }
        let shift = if w == first { 31 * (base % 2) } else { 0 };
        let bits = bit_length(all as u64 >> shift);
        let length_here = (BITS * w + shift - 31 * base) as u32 + bits;
        let nonzero = !equal_mask(bits, 0) as u32;
        length ^= (length ^ length_here) & nonzero;
    }
    length
}

/// The state while `t 2^shift` is subtracted from a number, limb by limb.
struct ShiftedBorrow {
    /// The shift within a limb: t's bit 0 moves to this position.
    r: u32,
    /// The previous limb in t.
    previous_limb: u64,
    /// The borrow from the next limb, as a number that is not positive.
    borrow: i64,
}

impl ShiftedBorrow {
    /// Returns the state before the first limb.
    #[inline(always)]
    const fn new(r: usize) -> Self {
        Self { r: r as u32, previous_limb: 0, borrow: 0 }
    }

    /// Subtracts the next limb in `t 2^shift` from the limb `x`. `next_limb` is t's next limb.
    /// Range: `next_limb < 2^62`.
    #[inline(always)]
    fn step(&mut self, x: &mut i64, next_limb: u64) {
        let piece = ((next_limb << self.r) | (self.previous_limb >> (BITS as u32 - self.r))) as i64 & MASK;
        self.previous_limb = next_limb;
        let d = *x - piece + self.borrow;
        self.borrow = d >> BITS;
        *x = d & MASK;
    }
}

/// Computes `x -= t 2^shift` and wraps the result to `words` 31-bit words. `x` must have exactly as
/// many limbs as these words need. The shift is public.
#[inline(always)]
pub fn sub_shifted(x: &mut [i64], words: usize, t: &[i64], shift: usize) {
    let skip = shift / BITS;
    let r = shift % BITS;
    let sign = (t[t.len() - 1] >> 63 & MASK) as u64;
    let Some(x) = x.get_mut(skip..) else { return };
    let mut state = ShiftedBorrow::new(r);
    let (low, high) = x.split_at_mut(t.len().min(x.len()));
    for i in 0..low.len() {
        state.step(&mut low[i], (t[i] & MASK) as u64);
    }
    for x in high {
        state.step(x, sign);
    }
    sign_extend(x, words);
}

/// Wraps a number to `words` words: the last bit of the last word becomes the sign.
#[inline(always)]
fn sign_extend(x: &mut [i64], words: usize) {
    if let Some(top) = x.last_mut() {
        // If the number of words is odd, the upper half of the top limb is not used.
        let unused_bits = 2 + 31 * (words % 2);
        *top = *top << unused_bits >> unused_bits;
    }
}

/// A part of a polynomial. Each coefficient has `stride` limbs, and the part includes the limbs
/// `first..end`. In products, the limb `first` has the weight 1.
#[derive(Clone, Copy)]
pub struct LimbRange<'a> {
    pub poly: &'a [i64],
    pub stride: usize,
    pub first: usize,
    pub end: usize,
}

/// A polynomial with coefficients that become shorter. Each coefficient has `stride` limbs, but it
/// uses only the limbs for `words` 31-bit words.
pub struct ShrinkingPolynomial<'a> {
    pub poly: &'a mut [i64],
    pub stride: usize,
    pub words: usize,
}

/// Computes `F -= k f 2^shift`, where `big` is F. `kx` contains k's coefficients in reverse order,
/// and then -k's coefficients in reverse order. The product's coefficient `i` is the sum of
/// `f[j] kx[n - 1 - i + j]` over all `j`. Range: degree n from 2 to 32; `n |k|` is at most `2^64`.
#[inline(never)]
pub fn sub_product<S: Simd>(isa: S, big: &mut ShrinkingPolynomial<'_>, f: LimbRange<'_>, kx: &[i64], shift: usize) {
    frame!(isa, {
        // On processors with few registers, more than eight products at a time would not be faster,
        // because k's coefficients and the positions in f do not fit in registers.
        match kx.len() {
            4 => sub_product_of::<2>(big, f, kx, 2, shift),
            8 => sub_product_of::<4>(big, f, kx, 4, shift),
            len if SHORT_REGISTERS => sub_product_of::<8>(big, f, kx, len / 2, shift),
            16 => sub_product_of::<8>(big, f, kx, 8, shift),
            32 => sub_product_of::<16>(big, f, kx, 16, shift),
            _ => sub_product_of::<32>(big, f, kx, 32, shift),
        }
    });
}

/// Computes [`sub_product`] with `N` products at a time. The degree must be divisible by `N`.
#[inline(always)]
fn sub_product_of<const N: usize>(
    big: &mut ShrinkingPolynomial<'_>,
    f: LimbRange<'_>,
    kx: &[i64],
    degree: usize,
    shift: usize,
) {
    let ShrinkingPolynomial { poly: big, stride, words } = big;
    let (stride, words) = (*stride, *words);
    let skip = shift / BITS;
    let r = shift % BITS;
    for (i, x) in big.chunks_exact_mut(stride).enumerate() {
        let Some(k) = kx.get(degree - 1 - i..).and_then(|k| k.get(..degree)) else { return };
        let Some(x) = x.get_mut(skip..limbs(words)) else { return };
        let mut carry = 0i128;
        let mut state = ShiftedBorrow::new(r);
        let (low, high) = x.split_at_mut((f.end - f.first).min(x.len()));
        for (w, x) in low.iter_mut().enumerate() {
            let mut sum = carry;
            for (k, f_part) in k.as_chunks::<N>().0.iter().zip(f.poly.chunks_exact(N * f.stride)) {
                for j in 0..N {
                    sum += i128::from(f_part[j * f.stride + f.first + w]) * i128::from(k[j]);
                }
            }
            carry = sum >> BITS;
            state.step(x, (sum as i64 & MASK) as u64);
        }
        // Subtract the product's remaining limbs, and then its sign.
        for x in high {
            state.step(x, (carry as i64 & MASK) as u64);
            carry >>= BITS;
        }
        sign_extend(x, words);
    }
}

/// Returns 1 if any coefficient's magnitude exceeds the limit, and 0 otherwise. The limit is about
/// `limit / 2^61` times the largest number that `words` words with a sign can represent.
pub fn exceed(poly: &[i64], words: usize, limit: u64) -> u64 {
    let count = limbs(words);
    let limit = (limit >> (31 * (words % 2))) as i64;
    let mut exceeds = 0;
    for x in poly.chunks_exact(count) {
        let top = x[count - 1];
        exceeds |= limit - (top ^ (top >> 63));
    }
    exceeds as u64 >> 63
}

impl ShrinkingPolynomial<'_> {
    /// Returns the limbs in use.
    #[inline(always)]
    pub fn used_limbs(&self) -> LimbRange<'_> {
        LimbRange { poly: self.poly, stride: self.stride, first: 0, end: limbs(self.words) }
    }

    /// Shortens the coefficients by a word. Returns zero if each coefficient fits in the remaining
    /// words.
    pub fn shrink(&mut self) -> u64 {
        self.words -= 1;
        let top = limbs(self.words) - 1;
        let mut lost_bits = 0;
        for x in self.poly.chunks_exact_mut(self.stride) {
            if self.words.is_multiple_of(2) {
                let cut_limb = x[top + 1];
                x[top] = sign_extended(x[top]);
                lost_bits |= (x[top] >> 63) ^ cut_limb;
            } else {
                lost_bits |= (x[top] << 33 >> 33) ^ x[top];
            }
        }
        lost_bits as u64
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::simd::Emulated;
    use num_bigint::BigInt;

    /// Converts limbs to an integer.
    pub fn to_big(x: &[i64]) -> BigInt {
        x.iter().rev().fold(BigInt::ZERO, |acc, &l| (acc << BITS) + l)
    }

    /// Converts an integer to limbs, and drops higher limbs.
    pub fn from_big(x: &BigInt, limbs: usize) -> Vec<i64> {
        let mask = BigInt::from(MASK);
        let mut v: Vec<i64> = (0..limbs).map(|i| i64::try_from((x >> (BITS * i)) & &mask).unwrap()).collect();
        v[limbs - 1] = sign_extended(v[limbs - 1]);
        v
    }

    /// A generator for pseudorandom limbs. The field is its state.
    pub struct RandomLimbs(pub u64);
    impl RandomLimbs {
        pub fn word(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
        }
        /// Returns a number with `limbs` limbs, often with many equal bits in a row.
        pub fn number(&mut self, limbs: usize) -> Vec<i64> {
            let mut v: Vec<i64> = (0..limbs)
                .map(|_| match self.word() % 4 {
                    0 => 0,
                    1 => MASK,
                    _ => self.word() as i64 & MASK,
                })
                .collect();
            v[limbs - 1] = sign_extended(v[limbs - 1]) >> (self.word() % 40);
            v
        }
    }

    #[test]
    fn conversion_to_fixed_point_is_exact() {
        let mut r = RandomLimbs(5);
        for limbs in [1usize, 2, 3, 8] {
            for _ in 0..300 {
                let x = r.number(limbs);
                let big = to_big(&x);
                for base in 0..2 * limbs {
                    let distance = (r.word() % 220) as u32;
                    for distance in [distance, distance / 31 * 31] {
                        let y = (&big >> (31 * base)) << 32 >> distance as usize;
                        let mut expected = from_big(&y, 2);
                        expected[0] |= expected[1] << 62;
                        if distance % 31 == 0 {
                            expected[0] = expected[0] << 1 >> 1;
                        }
                        assert_eq!(LimbWindow::new(limbs, base, distance, 227).to_fixed(&x), expected[0]);
                        assert_eq!(LimbWindow::new(limbs, base, distance, distance).to_fixed(&x), expected[0]);
                    }
                }
            }
        }
    }

    #[test]
    fn quotients_computed_by_a_product_are_correct() {
        for x in 0..512 {
            assert_eq!(by_62(x), x / 62);
        }
    }

    #[test]
    fn bit_lengths_are_correct() {
        let mut r = RandomLimbs(9);
        for limbs in [1usize, 2, 5] {
            for _ in 0..300 {
                let down = r.word() as usize % (60 * limbs);
                let poly: Vec<Vec<i64>> =
                    (0..3).map(|_| from_big(&(to_big(&r.number(limbs)) >> down), limbs)).collect();
                for base in 0..2 * limbs {
                    let lengths = poly.iter().map(|x| {
                        let y: BigInt = to_big(x) >> (31 * base);
                        let y = if y < BigInt::ZERO { -y - 1 } else { y };
                        y.bits() as u32
                    });
                    assert_eq!(max_bit_length(&poly.concat(), limbs, base), lengths.max().unwrap());
                }
            }
        }
    }

    #[test]
    fn shifted_products_are_subtracted() {
        let mut r = RandomLimbs(11);
        for (n, limbs, len, stride) in [(2usize, 1, 1, 2), (2, 52, 100, 154), (4, 3, 8, 8), (8, 2, 2, 3)] {
            for _ in 0..40 {
                let f: Vec<_> = (0..n).map(|_| r.number(limbs)).collect();
                let k: Vec<i64> = (0..n).map(|_| i64::from(r.word() as i32)).collect();
                let big: Vec<_> = (0..n).map(|_| r.number(len)).collect();
                let shift = r.word() as usize % (62 * len + 70);
                let kx: Vec<i64> = k.iter().rev().copied().chain(k.iter().rev().map(|k| -k)).collect();
                let mut padded: Vec<i64> =
                    big.iter().flat_map(|x| x.iter().copied().chain(vec![77; stride - len])).collect();
                let poly = f.concat();
                let f_limbs = LimbRange { poly: &poly, stride: limbs, first: 0, end: limbs };
                let mut from = ShrinkingPolynomial { poly: &mut padded, stride, words: 2 * len };
                sub_product(Emulated, &mut from, f_limbs, &kx, shift);
                for i in 0..n {
                    let mut expected = to_big(&big[i]);
                    for j in 0..n {
                        let sign = if j <= i { 1 } else { -1 };
                        expected -= (to_big(&f[j]) * k[(n + i - j) % n] * sign) << shift;
                    }
                    assert_eq!(padded[i * stride..i * stride + len], from_big(&expected, len));
                    assert!(padded[i * stride + len..(i + 1) * stride].iter().all(|&x| x == 77));
                }
            }
        }
    }

    #[test]
    fn shrinking_detects_lost_bits() {
        let mut r = RandomLimbs(13);
        for words in 1usize..9 {
            let len = limbs(words + 1);
            for _ in 0..200 {
                let x = to_big(&r.number(len)) >> (r.word() as usize % 70);
                let mut poly = [from_big(&x, len), from_big(&BigInt::from(-5), len)].concat();
                let limit = BigInt::from(1) << (31 * words - 1);
                let fits = x < limit && x >= -limit;
                let mut long = ShrinkingPolynomial { poly: &mut poly, stride: len, words: words + 1 };
                assert_eq!(long.shrink() == 0, fits);
                if fits {
                    assert_eq!(to_big(&poly[..limbs(words)]), x);
                    assert_eq!(to_big(&poly[len..len + limbs(words)]), BigInt::from(-5));
                }
            }
        }
    }
}
