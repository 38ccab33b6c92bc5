//! Fields of bits, keys, and compressed signatures (specification 2.3). Every encoding is exact and
//! canonical: one value, one string of bytes.
//!
//! Fields are little-endian: the first stands in the least significant bits of the first byte.
//! Private coefficients are secret; encoding and decoding them takes constant time, but for one
//! combined flag. Public keys and signatures are public.

use super::params::{FG_BITS, INFINITY_BOUND, KEY_HASH_LEN, Q};
use crate::simd::ct;

/// Signed fields of `bits` bits, two's complement. Range: `bits <= 8`, every value in the field,
/// `src.len() * bits` a multiple of 8.
pub fn pack_signed(src: &[i8], bits: u32, out: &mut [u8]) {
    let (mut acc, mut have) = (0u32, 0);
    let mask = (1 << bits) - 1;
    let mut out = out.iter_mut();
    for &x in src {
        acc |= (i32::from(x).cast_unsigned() & mask) << have;
        have += bits;
        while have >= 8 {
            if let Some(byte) = out.next() {
                *byte = acc as u8;
            }
            acc >>= 8;
            have -= 8;
        }
    }
}

/// The inverse of [`pack_signed`]. False if a field holds `-2^(bits-1)`, which no value has.
#[must_use]
pub fn unpack_signed(src: &[u8], bits: u32, out: &mut [i8]) -> bool {
    let (mut acc, mut have) = (0u32, 0);
    let mut src = src.iter();
    let mut bad = 0;
    for x in out {
        if have < bits {
            acc |= u32::from(src.next().copied().unwrap_or(0)) << have;
            have += 8;
        }
        let field = acc << (32 - bits);
        *x = (field.cast_signed() >> (32 - bits)) as i8;
        // All ones for the one invalid pattern, 100..0.
        let d = ct::barrier_u32(field ^ (1 << 31));
        bad |= !((d | d.wrapping_neg()).cast_signed() >> 31);
        acc >>= bits;
        have -= bits;
    }
    bad == 0
}

/// Fields of 14 bits, four of them in seven bytes. Range: values below `2^14`.
pub fn pack14(src: &[u16], out: &mut [u8]) {
    for (v, b) in src.chunks_exact(4).zip(out.chunks_exact_mut(7)) {
        let w = v.iter().rev().fold(0u64, |acc, &x| acc << 14 | u64::from(x));
        b.copy_from_slice(&w.to_le_bytes()[..7]);
    }
}

/// The inverse of [`pack14`].
pub fn unpack14(src: &[u8], out: &mut [u16]) {
    for (b, v) in src.chunks_exact(7).zip(out.chunks_exact_mut(4)) {
        let mut word = [0; 8];
        word[..7].copy_from_slice(b);
        let w = u64::from_le_bytes(word);
        for (i, x) in v.iter_mut().enumerate() {
            *x = (w >> (14 * i)) as u16 & 0x3fff;
        }
    }
}

/// The fields of an encoded public key, 64 at a time.
pub const UNPACK_BLOCK: usize = 64;

/// What a scan of an encoded public key's fields tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fields {
    /// All below q, not all zero.
    Good,
    /// One is q or more.
    OutOfRange,
    /// All zero.
    Zero,
}

/// Scans the fields behind the header of an encoded public key.
pub fn scan_public(fields: &[u8]) -> Fields {
    let (mut any, mut largest) = (0, 0);
    let mut block = [0; UNPACK_BLOCK];
    for src in fields.chunks(UNPACK_BLOCK / 4 * 7) {
        let block = &mut block[..src.len() / 7 * 4];
        unpack14(src, block);
        for &x in &*block {
            any |= x;
            largest = largest.max(x);
        }
    }
    match (u32::from(largest) >= Q, any) {
        (true, _) => Fields::OutOfRange,
        (_, 0) => Fields::Zero,
        _ => Fields::Good,
    }
}

/// The parts of an encoded private key, of the right length for its degree.
#[derive(Clone, Copy)]
pub struct PrivateParts<'a> {
    /// f, packed.
    pub f: &'a [u8],
    /// g, packed.
    pub g: &'a [u8],
    /// F, one byte a coefficient.
    pub big_f: &'a [u8],
    /// f and g together: what the hash of the private key is taken over.
    pub fg: &'a [u8],
    /// The hash of the public key.
    pub key_hash: &'a [u8; KEY_HASH_LEN],
}

/// Cuts an encoded private key; `None` if it does not have the length of degree `2^logn`.
pub fn private_parts(bytes: &[u8], logn: u32) -> Option<PrivateParts<'_>> {
    let n = 1usize << logn;
    let len = n * FG_BITS[logn as usize] as usize / 8;
    let (_, rest) = bytes.split_first()?;
    let (fg, tail) = rest.split_at_checked(2 * len)?;
    let (big_f, key_hash) = tail.split_at_checked(n)?;
    let (f, g) = fg.split_at(len);
    Some(PrivateParts { f, g, big_f, fg, key_hash: key_hash.try_into().ok()? })
}

/// Reads compressed coefficients one after the other. Per coefficient: 1 sign bit, 7 low bits of
/// the magnitude, the rest of it in unary: that many zeros and a one.
pub struct Decompress<'a> {
    src: &'a [u8],
    acc: u64,
    have: u32,
}

impl<'a> Decompress<'a> {
    /// From the bytes behind the nonce.
    pub fn new(src: &'a [u8]) -> Self {
        Self { src, acc: 0, have: 0 }
    }

    /// The next coefficient; `None` if the input ends, if the magnitude is above
    /// [`INFINITY_BOUND`], or for minus zero.
    #[inline(always)]
    pub fn next(&mut self) -> Option<i32> {
        // 8 bits and up to 7 of unary are looked at.
        if self.have < 16 {
            if let Some((four, rest)) = self.src.split_first_chunk::<4>() {
                self.acc |= u64::from(u32::from_le_bytes(*four)) << self.have;
                self.have += 32;
                self.src = rest;
            } else {
                while let (true, Some((&byte, rest))) = (self.have < 16, self.src.split_first()) {
                    self.acc |= u64::from(byte) << self.have;
                    self.have += 8;
                    self.src = rest;
                }
            }
        }
        let sign = self.acc as u32 & 1;
        let low = self.acc as u32 >> 1 & 0x7f;
        // Past the input there are zeros only, so a missing one shows as too long a run.
        let zeros = (self.acc >> 8).trailing_zeros();
        let used = 9 + zeros;
        if zeros > INFINITY_BOUND >> 7 || used > self.have {
            return None;
        }
        let magnitude = zeros << 7 | low;
        if magnitude > INFINITY_BOUND || (magnitude == 0 && sign == 1) {
            return None;
        }
        self.acc >>= used;
        self.have -= used;
        let minus = sign.wrapping_neg();
        Some((magnitude ^ minus).wrapping_sub(minus).cast_signed())
    }

    /// Whether all that is left is zero.
    pub fn rest_is_zero(self) -> bool {
        self.acc == 0 && self.src.iter().all(|&b| b == 0)
    }
}

/// Writes compressed coefficients, zeros behind them. False if they do not fit, or one is above
/// [`INFINITY_BOUND`]; `out` is then of no use.
///
/// `s2` of an accepted signature is public; of a rejected one only that it did not fit shows.
#[must_use]
pub fn compress(coefficients: impl Iterator<Item = i32>, out: &mut [u8]) -> bool {
    let (mut acc, mut have, mut at) = (0u64, 0, 0);
    for x in coefficients {
        let magnitude = x.unsigned_abs();
        if magnitude > INFINITY_BOUND {
            return false;
        }
        let sign = u64::from(x < 0);
        let field = sign | u64::from(magnitude & 0x7f) << 1 | 1 << (8 + (magnitude >> 7));
        acc |= field << have;
        have += 9 + (magnitude >> 7);
        while have >= 8 {
            let Some(byte) = out.get_mut(at) else { return false };
            *byte = acc as u8;
            acc >>= 8;
            have -= 8;
            at += 1;
        }
    }
    if have > 0 {
        let Some(byte) = out.get_mut(at) else { return false };
        *byte = acc as u8;
        at += 1;
    }
    out[at..].fill(0);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_fields_round_trip_and_refuse_the_lowest_pattern() {
        for bits in 5..=8 {
            let limit = (1i32 << (bits - 1)) - 1;
            let values: Vec<i8> = (-limit..=limit).cycle().take(256).map(|x| x as i8).collect();
            let mut bytes = vec![0; 256 * bits as usize / 8];
            pack_signed(&values, bits, &mut bytes);
            let mut back = vec![0; 256];
            assert!(unpack_signed(&bytes, bits, &mut back));
            assert_eq!(back, values);
            for place in [0, 7, 8, 100, 255] {
                let mut bad = values.clone();
                bad[place] = (-limit - 1) as i8;
                pack_signed(&bad, bits, &mut bytes);
                assert!(!unpack_signed(&bytes, bits, &mut back), "{bits} bits, place {place}");
            }
        }
    }

    #[test]
    fn public_fields_round_trip_and_are_scanned() {
        let values: Vec<u16> = (0..512).map(|i| i * 23 % 12289).collect();
        let mut bytes = vec![0; 512 * 7 / 4];
        pack14(&values, &mut bytes);
        let mut back = vec![0; 512];
        unpack14(&bytes, &mut back);
        assert_eq!(back, values);
        assert_eq!(scan_public(&bytes), Fields::Good);
        for (place, value, want) in [(0, 12288, Fields::Good), (511, 12289, Fields::OutOfRange)] {
            let mut v = values.clone();
            v[place] = value;
            pack14(&v, &mut bytes);
            assert_eq!(scan_public(&bytes), want);
        }
        assert_eq!(scan_public(&[0; 896]), Fields::Zero);
    }

    fn decode(bytes: &[u8], n: usize) -> Option<Vec<i32>> {
        let mut d = Decompress::new(bytes);
        let v = (0..n).map(|_| d.next()).collect::<Option<Vec<_>>>()?;
        d.rest_is_zero().then_some(v)
    }

    #[test]
    fn compressed_coefficients_have_one_encoding() {
        let values: Vec<i32> = (-840..=840).step_by(7).chain([0, 1, -1, 127, 128, -128, 840, -840]).collect();
        let n = values.len();
        let mut bytes = vec![0; 2 * n];
        assert!(compress(values.iter().copied(), &mut bytes));
        assert_eq!(decode(&bytes, n).as_ref(), Some(&values));
        // Any flipped bit gives another vector or a refusal; whatever is accepted encodes back.
        for bit in 0..8 * bytes.len() {
            let mut b = bytes.clone();
            b[bit / 8] ^= 1 << (bit % 8);
            if let Some(v) = decode(&b, n) {
                assert_ne!(v, values);
                let mut again = vec![0; b.len()];
                assert!(compress(v.into_iter(), &mut again));
                assert_eq!(again, b);
            }
        }
        // Too long, too large, minus zero, cut.
        assert!(!compress([841].into_iter(), &mut [0; 4]));
        assert!(!compress([840, 840].into_iter(), &mut [0; 3]));
        assert_eq!(decode(&[1, 1], 1), None);
        assert_eq!(decode(&[0, 1], 1), Some(vec![0]));
        assert_eq!(decode(&[0], 1), None);
        assert_eq!(decode(&[0, 0], 1), None);
        assert_eq!(decode(&[], 1), None);
        let full = bytes.iter().rposition(|&b| b != 0).unwrap();
        assert_eq!(decode(&bytes[..full], n), None);
    }
}
