//! Encodes and decodes bit fields, keys and signature coefficients (specification 2.3, 4.2). Every
//! encoding is exact and canonical: a value has exactly one byte string.
//!
//! In little-endian order, the first field is in the first byte's least significant bits. In
//! big-endian order, the first field is in the most significant bits. Both orders use the same
//! algorithm: big-endian is little-endian with the bits reversed in every byte and in every field.
//!
//! Private coefficients are secret. This code encodes and decodes them in constant time. The only
//! public result is whether all fields are valid. Public keys and signatures are public.

use super::modq::{from_small, is_short};
use super::params::{Degree, FG_BITS, Q};
use super::scheme::{BitOrder, FalconAlgorithm, FalconScheme};
use crate::engine::hash::message::KEY_HASH_LEN;
use crate::simd::{Simd, ct, four_14_bit_fields, frame, small};

impl BitOrder {
    /// Moves the bits in a byte from this order to little-endian order: the first bit to the lowest
    /// position, and the last bit to the highest position.
    #[inline(always)]
    pub const fn byte(self, byte: u8) -> u8 {
        match self {
            Self::Little => byte,
            Self::Big => byte.reverse_bits(),
        }
    }

    /// Moves the bits in a field with `bits` bits from this order to little-endian order: the first
    /// bit to the lowest position, and the last bit to the highest position. Range:
    /// `value < 2^bits`.
    #[inline(always)]
    const fn field(self, value: u32, bits: u32) -> u32 {
        match self {
            Self::Little => value,
            Self::Big => value.reverse_bits() >> (32 - bits),
        }
    }

    /// Converts four bytes to a word, with the first bit in the lowest position.
    #[inline(always)]
    const fn word(self, bytes: [u8; 4]) -> u32 {
        match self {
            Self::Little => u32::from_le_bytes(bytes),
            Self::Big => u32::from_be_bytes(bytes).reverse_bits(),
        }
    }
}

/// Writes signed fields with `bits` bits in two's complement. Range: `bits <= 8`, every value fits
/// into a field, and `src.len() * bits` is a multiple of 8.
pub fn pack_signed(order: BitOrder, src: &[i8], bits: u32, out: &mut [u8]) {
    let mut acc = 0u32;
    let mut bit_count = 0;
    let mask = (1 << bits) - 1;
    let mut out = out.iter_mut();
    for &x in src {
        acc |= order.field(i32::from(x).cast_unsigned() & mask, bits) << bit_count;
        bit_count += bits;
        while bit_count >= 8 {
            if let Some(byte) = out.next() {
                *byte = order.byte(acc as u8);
            }
            acc >>= 8;
            bit_count -= 8;
        }
    }
}

/// Moves each of eight fields, which have `bits` bits each, to the lowest bits of a separate byte.
/// The first field is in the lowest bits of `fields`. The first step separates the two groups with
/// 4 fields, the second step the groups with 2 fields, and the third step the single fields.
#[inline(always)]
fn spread(fields: u64, bits: u32) -> u64 {
    // Returns a mask for the first `fields` fields.
    let low = |fields: u32| (1u64 << (fields * bits)) - 1;
    let x = fields & low(4) | (fields >> (4 * bits) & low(4)) << 32;
    let pairs = low(2) * 0x1_0000_0001;
    let x = x & pairs | (x >> (2 * bits) & pairs) << 16;
    let single = low(1) * 0x1_0001_0001_0001;
    x & single | (x >> bits & single) << 8
}

/// Reads the fields that [`pack_signed`] writes. Returns `false` if a field contains `-2^(bits-1)`,
/// which is not a valid value. If the number of fields is a multiple of eight, `src` may have more
/// bytes after the fields.
///
/// The loop processes eight fields (`bits` bytes) at a time, and moves each field to a byte of a
/// 64-bit word.
#[must_use]
#[inline(never)]
pub fn unpack_signed(order: BitOrder, src: &[u8], bits: u32, out: &mut [i8]) -> bool {
    const ONE_PER_BYTE: u64 = 0x0101_0101_0101_0101;
    let sign = ONE_PER_BYTE << (bits - 1);
    let mut any_lowest = 0;
    for (i, out) in out.chunks_mut(8).enumerate() {
        let src = src.get(i * bits as usize..).unwrap_or(&[]);
        let bytes = src.first_chunk().copied().unwrap_or_else(
            #[inline(always)]
            || {
                let mut bytes = [0; 8];
                bytes[..src.len()].copy_from_slice(src);
                bytes
            },
        );
        // In big-endian order, the last field is in the lowest bits.
        let fields = match order {
            BitOrder::Little => spread(u64::from_le_bytes(bytes), bits),
            BitOrder::Big => spread(u64::from_be_bytes(bytes) >> (64 - 8 * bits), bits).swap_bytes(),
        };
        // In `x`, each byte is the field's value plus `2^(bits-1)`, which is zero only for the
        // invalid pattern, 100..0. For each zero byte, the assignment sets bit 7 of the same byte
        // in `any_lowest`: adding 0x7f to a byte's low 7 bits sets bit 7 if any low bit is set.
        let x = fields ^ sign;
        any_lowest |= !(((x & (ONE_PER_BYTE * 0x7f)) + ONE_PER_BYTE * 0x7f) | x) & (ONE_PER_BYTE << 7);
        // Convert the fields to signed bytes. In each byte, the addition results in the field's
        // value plus 128, which is below 256. The exclusive or then subtracts 128.
        let x = (x + ((ONE_PER_BYTE << 7) - sign)) ^ (ONE_PER_BYTE << 7);
        let x = x.to_le_bytes().map(u8::cast_signed);
        match out.first_chunk_mut() {
            Some(out) => *out = x,
            None => out.copy_from_slice(&x[..out.len()]),
        }
    }
    ct::barrier_u64(any_lowest) == 0
}

/// Reads the fields that [`pack_signed`] writes, and converts them to residues modulo q.
/// [`unpack_signed`] must have accepted the fields before.
#[inline(never)]
pub fn unpack_mod_q(order: BitOrder, src: &[u8], bits: u32, out: &mut [u16]) {
    const BLOCK: usize = 64;
    let mut block = [0i8; BLOCK];
    for (i, out) in out.chunks_mut(BLOCK).enumerate() {
        let block = &mut block[..out.len()];
        let _checked = unpack_signed(order, &src[i * BLOCK / 8 * bits as usize..], bits, block);
        for (out, x) in out.iter_mut().zip(block) {
            *out = from_small(i32::from(*x));
        }
    }
}

/// Writes fields with 14 bits: four fields in seven bytes. Range: values below `2^14`.
pub fn pack14(order: BitOrder, src: &[u16], out: &mut [u8]) {
    for (v, b) in src.chunks_exact(4).zip(out.chunks_exact_mut(7)) {
        match order {
            BitOrder::Little => {
                let w = v.iter().rev().fold(0u64, |acc, &x| acc << 14 | u64::from(x));
                b.copy_from_slice(&w.to_le_bytes()[..7]);
            }
            BitOrder::Big => {
                let w = v.iter().fold(0u64, |acc, &x| acc << 14 | u64::from(x));
                b.copy_from_slice(&w.to_be_bytes()[1..]);
            }
        }
    }
}

/// Reads the fields that [`pack14`] writes. Range: the length of `out` is a power of two, and at
/// least four.
#[inline(always)]
pub fn unpack14<S: Simd>(isa: S, order: BitOrder, src: &[u8], out: &mut [u16]) {
    if is_short::<S>(out.len()) {
        return unpack14(isa.half().integers(), order, src, out);
    }
    if small::<S>() {
        return unpack14_once(isa, order, src, out);
    }
    isa.unpack14(order, src, out);
}

/// Unpacks as [`unpack14`] does. This function is not inlined, so a small program contains the code
/// only once.
#[inline(never)]
fn unpack14_once<S: Simd>(isa: S, order: BitOrder, src: &[u8], out: &mut [u16]) {
    frame!(isa, isa.unpack14(order, src, out));
}

/// The number of public key fields that are unpacked at a time. A short key has fewer fields.
pub const UNPACK_BLOCK: usize = 64;

/// The result of scanning the fields in an encoded public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublicKeyScan {
    /// All fields are below q, and not all are zero.
    Good,
    /// A field is q or more.
    OutOfRange,
    /// All fields are zero.
    Zero,
}

/// Scans the fields in an encoded public key. `fields` does not include the header.
#[inline(never)]
pub fn scan_public<S: Simd>(isa: S, order: BitOrder, fields: &[u8]) -> PublicKeyScan {
    frame!(isa, {
        let mut largest = [0; UNPACK_BLOCK];
        let mut block = [0; UNPACK_BLOCK];
        for src in fields.chunks(UNPACK_BLOCK / 4 * 7) {
            let block = &mut block[..src.len() / 7 * 4];
            unpack14(isa, order, src, block);
            for (largest, x) in largest.iter_mut().zip(block) {
                *largest = (*largest).max(*x);
            }
        }
        match largest.into_iter().fold(0, u16::max) {
            0 => PublicKeyScan::Zero,
            x if u32::from(x) >= Q => PublicKeyScan::OutOfRange,
            _ => PublicKeyScan::Good,
        }
    })
}

/// Computes [`scan_public`] in a constant expression.
pub const fn constant_scan_public(order: BitOrder, mut fields: &[u8]) -> PublicKeyScan {
    let mut all_bits = 0;
    while let Some((seven, rest)) = fields.split_first_chunk() {
        let mut four: &[u16] = &four_14_bit_fields(order, seven);
        while let [field, rest @ ..] = four {
            if *field as u32 >= Q {
                return PublicKeyScan::OutOfRange;
            }
            all_bits |= *field;
            four = rest;
        }
        fields = rest;
    }
    if all_bits == 0 { PublicKeyScan::Zero } else { PublicKeyScan::Good }
}

/// Returns the algorithm that the first byte of a key or signature identifies. Returns `None` if
/// this byte's upper half is not `upper_half`, or if the lower half is not a degree's binary
/// logarithm.
pub fn algorithm_of(scheme: FalconScheme, upper_half: u8, first: Option<u8>) -> Option<FalconAlgorithm> {
    let first = first.filter(|first| first & 0xf0 == upper_half)?;
    Degree::from_logn(u32::from(first & 0x0f)).map(|degree| FalconAlgorithm::new(scheme, degree))
}

/// The parts of an encoded private key that has the right length for the degree.
#[derive(Clone, Copy)]
pub struct PrivateKeyParts<'a> {
    /// The bit order of the fields.
    pub order: BitOrder,
    /// f, packed.
    pub f: &'a [u8],
    /// g, packed.
    pub g: &'a [u8],
    /// F, with one byte per coefficient.
    pub big_f: &'a [u8],
    /// f and g together: the input for the private key's hash.
    pub fg: &'a [u8],
    /// The public key's hash; `None` if the scheme does not store it.
    pub key_hash: Option<&'a [u8; KEY_HASH_LEN]>,
}

/// Splits an encoded private key. `bytes` must have [`FalconAlgorithm::signing_key_len`] bytes.
pub fn private_parts(algorithm: FalconAlgorithm, bytes: &[u8]) -> PrivateKeyParts<'_> {
    let n = algorithm.degree().n();
    let bits = FG_BITS[algorithm.degree().logn() as usize] as usize;
    let (fg, rest) = bytes[1..].split_at(n * bits / 4);
    let (f, g) = fg.split_at(fg.len() / 2);
    let (big_f, rest) = rest.split_at(n);
    // If the scheme stores the public key's hash, the hash is after F.
    PrivateKeyParts { order: algorithm.scheme().rules().order, f, g, big_f, fg, key_hash: rest.first_chunk() }
}

/// A reader for the coefficients of an encoded s2.
pub trait CoefficientReader {
    /// Returns the next coefficient. Returns `None` if the input has ended, or if the coefficient
    /// is out of range or minus zero.
    fn next(&mut self) -> Option<i32>;
    /// Returns the number of whole bytes after the last coefficient, or `None` if any bit after
    /// this coefficient is set.
    fn trailing_len(self) -> Option<usize>;
}

/// A reader for compressed coefficients. The encoding of a coefficient consists of a sign bit, the
/// magnitude's low 7 bits, and `magnitude >> 7` in unary: this number of 0 bits, then a 1 bit.
pub struct CompressedReader<'a, const BIG: bool> {
    src: &'a [u8],
    acc: u64,
    bit_count: u32,
    bound: u32,
}

impl<'a, const BIG: bool> CompressedReader<'a, BIG> {
    const ORDER: BitOrder = if BIG { BitOrder::Big } else { BitOrder::Little };

    /// Returns a reader for the bytes after the nonce. `bound` is the largest valid magnitude.
    /// Range: `bound < 2048`.
    pub fn new(src: &'a [u8], bound: u32) -> Self {
        Self { src, acc: 0, bit_count: 0, bound }
    }
}

impl<const BIG: bool> CoefficientReader for CompressedReader<'_, BIG> {
    #[inline(always)]
    fn next(&mut self) -> Option<i32> {
        // A coefficient has 8 bits, and then a unary part with at most 16 bits.
        if self.bit_count < 24 {
            if let Some((four, rest)) = self.src.split_first_chunk::<4>() {
                self.acc |= u64::from(Self::ORDER.word(*four)) << self.bit_count;
                self.bit_count += 32;
                self.src = rest;
            } else {
                while let (true, Some((&byte, rest))) = (self.bit_count < 24, self.src.split_first()) {
                    self.acc |= u64::from(Self::ORDER.byte(byte)) << self.bit_count;
                    self.bit_count += 8;
                    self.src = rest;
                }
            }
        }
        let sign = self.acc as u32 & 1;
        let low = Self::ORDER.field(self.acc as u32 >> 1 & 0x7f, 7);
        // After the end of the input, `acc` has only zeros. If the 1 bit is missing, `zeros` is 64,
        // and the magnitude is above the bound.
        let zeros = (self.acc >> 8).trailing_zeros();
        let magnitude = zeros << 7 | low;
        if magnitude > self.bound || (magnitude == 0 && sign == 1) {
            return None;
        }
        self.acc >>= 9 + zeros;
        self.bit_count -= 9 + zeros;
        let minus = sign.wrapping_neg();
        Some((magnitude ^ minus).wrapping_sub(minus).cast_signed())
    }

    fn trailing_len(self) -> Option<usize> {
        let zero = self.acc == 0 && self.src.iter().all(|&b| b == 0);
        zero.then_some(self.src.len() + self.bit_count as usize / 8)
    }
}

/// A reader for big-endian coefficients in two's complement, in fields with at most 12 bits.
pub struct FixedWidthReader<'a> {
    src: &'a [u8],
    acc: u32,
    bit_count: u32,
    bits: u32,
}

impl<'a> FixedWidthReader<'a> {
    /// Returns a reader for the bytes after the nonce. Range: `bits` in 8..=12.
    pub fn new(src: &'a [u8], bits: u32) -> Self {
        Self { src, acc: 0, bit_count: 0, bits }
    }
}

impl CoefficientReader for FixedWidthReader<'_> {
    fn next(&mut self) -> Option<i32> {
        while self.bit_count < self.bits {
            let (&byte, rest) = self.src.split_first()?;
            self.acc = self.acc << 8 | u32::from(byte);
            self.src = rest;
            self.bit_count += 8;
        }
        self.bit_count -= self.bits;
        let field = (self.acc >> self.bit_count) << (32 - self.bits);
        self.acc &= (1 << self.bit_count) - 1;
        (field != 1 << 31).then_some(field.cast_signed() >> (32 - self.bits))
    }

    fn trailing_len(self) -> Option<usize> {
        let zero = self.acc == 0 && self.src.iter().all(|&b| b == 0);
        zero.then_some(self.src.len())
    }
}

/// Writes coefficients in the format that [`FixedWidthReader`] reads. Returns `false` if a
/// coefficient does not fit into its field. `out` must have the fields' exact length in bytes.
#[must_use]
pub fn pack_fixed(coefficients: impl Iterator<Item = i32>, bits: u32, out: &mut [u8]) -> bool {
    let mut acc = 0u32;
    let mut bit_count = 0;
    let mut in_range = true;
    let mut out = out.iter_mut();
    for x in coefficients {
        in_range &= x.unsigned_abs() < 1 << (bits - 1);
        acc = acc << bits | x.cast_unsigned() & ((1 << bits) - 1);
        bit_count += bits;
        while bit_count >= 8 {
            bit_count -= 8;
            out.next().into_iter().for_each(|byte| *byte = (acc >> bit_count) as u8);
        }
    }
    if bit_count > 0 {
        out.next().into_iter().for_each(|byte| *byte = (acc << (8 - bit_count)) as u8);
    }
    in_range
}

/// Writes compressed coefficients, zeroes the rest of `out`, and returns the length that was used.
/// Returns `None` if the coefficients do not fit, or if a coefficient is above `bound`. If this
/// function returns `None`, the content of `out` is not usable.
///
/// The coefficients are s2. If they fit, they become public with the signature. If they do not fit,
/// only this fact becomes public.
#[must_use]
pub fn compress(order: BitOrder, coefficients: impl Iterator<Item = i32>, bound: u32, out: &mut [u8]) -> Option<usize> {
    match order {
        BitOrder::Little => compress_in::<false>(coefficients, bound, out),
        BitOrder::Big => compress_in::<true>(coefficients, bound, out),
    }
}

/// Implements [`compress`] for big-endian or little-endian order. Range: `bound <= 2048`, so a
/// coefficient has at most 25 bits.
///
/// For each coefficient, the code writes a whole word, but advances only by the complete bytes. It
/// does not branch on the bit count, because such a branch would be mispredicted every few
/// coefficients.
#[inline(always)]
fn compress_in<const BIG: bool>(coefficients: impl Iterator<Item = i32>, bound: u32, out: &mut [u8]) -> Option<usize> {
    // The bits in the incomplete byte at `at`: the lowest bits in little-endian order, and the
    // highest bits in big-endian order.
    let mut acc = 0u64;
    let mut bit_count = 0;
    let mut at = 0;
    for x in coefficients {
        let magnitude = x.unsigned_abs();
        if magnitude > bound {
            return None;
        }
        let sign = x.cast_unsigned() >> 31;
        let low = magnitude & 0x7f;
        let zeros = magnitude >> 7;
        if !BIG {
            acc |= u64::from(sign | low << 1 | 0x100 << zeros) << bit_count;
        }
        bit_count += 9 + zeros;
        if BIG {
            acc |= u64::from((sign << 7 | low) << 1 << zeros | 1) << (64 - bit_count);
        }
        let word = if BIG { acc.to_be_bytes() } else { acc.to_le_bytes() };
        let rest = out.get_mut(at..)?;
        match rest.first_chunk_mut() {
            Some(slot) => *slot = word,
            None => rest.copy_from_slice(&word[..rest.len()]),
        }
        let whole_bits = bit_count & !7;
        acc = if BIG { acc << whole_bits } else { acc >> whole_bits };
        at += whole_bits as usize / 8;
        bit_count &= 7;
    }
    // The incomplete byte has already been written.
    at += usize::from(bit_count > 0);
    out.get_mut(at..)?.fill(0);
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Emulated;
    use BitOrder::{Big, Little};

    #[test]
    fn signed_fields_round_trip_and_the_lowest_value_is_rejected() {
        for (order, bits) in [Little, Big].into_iter().flat_map(|order| (5..=8).map(move |bits| (order, bits))) {
            let limit = (1i32 << (bits - 1)) - 1;
            let values: Vec<i8> = (-limit..=limit).cycle().take(256).map(|x| x as i8).collect();
            let mut bytes = vec![0; 256 * bits as usize / 8];
            pack_signed(order, &values, bits, &mut bytes);
            let mut unpacked = vec![0; 256];
            assert!(unpack_signed(order, &bytes, bits, &mut unpacked));
            assert_eq!(unpacked, values);
            for index in [0, 7, 8, 100, 255] {
                let mut bad = values.clone();
                bad[index] = (-limit - 1) as i8;
                pack_signed(order, &bad, bits, &mut bytes);
                assert!(!unpack_signed(order, &bytes, bits, &mut unpacked), "{bits} bits, place {index}");
            }
            pack_signed(order, &values, bits, &mut bytes);
            let mut residues = vec![0; 256];
            unpack_mod_q(order, &bytes, bits, &mut residues);
            assert!(residues.iter().zip(&values).all(|(r, v)| *r == from_small(i32::from(*v))));
        }
        for (order, mut bytes) in [(Little, [1, 2, 0xff, 0x81]), (Big, [1, 2, 0xff, 0x81])] {
            let (mut fields, mut residues) = ([0; 4], [0; 4]);
            assert!(unpack_signed(order, &bytes, 8, &mut fields));
            unpack_mod_q(order, &bytes, 8, &mut residues);
            assert_eq!((fields, residues), ([1, 2, -1, -127], [1, 2, 12288, 12162]));
            bytes[3] = 0x80;
            assert!(!unpack_signed(order, &bytes, 8, &mut fields));
        }
    }

    #[test]
    fn little_and_big_bit_order_match_their_names() {
        let mut out = [0; 3];
        pack_signed(Little, &[1, -1, 2, 3], 6, &mut out);
        assert_eq!(u32::from_le_bytes([out[0], out[1], out[2], 0]), 1 | 63 << 6 | 2 << 12 | 3 << 18);
        pack_signed(Big, &[1, -1, 2, 3], 6, &mut out);
        assert_eq!(u32::from_be_bytes([0, out[0], out[1], out[2]]), 1 << 18 | 63 << 12 | 2 << 6 | 3);
        let mut out = [0; 2];
        assert_eq!(compress(Big, [-5].into_iter(), 2047, &mut out), Some(2));
        assert_eq!(out, [0b1000_0101, 0b1000_0000]);
        assert_eq!(compress(Little, [-5].into_iter(), 2047, &mut out), Some(2));
        assert_eq!(out, [0b0000_1011, 0b0000_0001]);
        assert!(pack_fixed([1, -1].into_iter(), 8, &mut out));
        assert_eq!(out, [1, 255]);
    }

    #[test]
    fn public_fields_round_trip_and_are_scanned() {
        let values: Vec<u16> = (0..512).map(|i| i * 23 % 12289).collect();
        for order in [Little, Big] {
            let mut bytes = vec![0; 512 * 7 / 4];
            pack14(order, &values, &mut bytes);
            let mut unpacked = vec![0; 512];
            unpack14(Emulated, order, &bytes, &mut unpacked);
            assert_eq!(unpacked, values);
            assert_eq!(scan_public(Emulated, order, &bytes), PublicKeyScan::Good);
            for (index, value, expected) in [(0, 12288, PublicKeyScan::Good), (511, 12289, PublicKeyScan::OutOfRange)] {
                let mut changed = values.clone();
                changed[index] = value;
                pack14(order, &changed, &mut bytes);
                assert_eq!(scan_public(Emulated, order, &bytes), expected);
            }
            assert_eq!(scan_public(Emulated, order, &[0; 896]), PublicKeyScan::Zero);
        }
    }

    /// Reads `n` coefficients, and returns them and the number of bytes after them.
    fn read_all(mut reader: impl CoefficientReader, n: usize) -> Option<(Vec<i32>, usize)> {
        let values = (0..n).map(|_| reader.next()).collect::<Option<Vec<_>>>()?;
        Some((values, reader.trailing_len()?))
    }

    fn decode(order: BitOrder, bytes: &[u8], bound: u32, n: usize) -> Option<(Vec<i32>, usize)> {
        match order {
            Little => read_all(CompressedReader::<false>::new(bytes, bound), n),
            Big => read_all(CompressedReader::<true>::new(bytes, bound), n),
        }
    }

    #[test]
    fn compressed_coefficients_have_one_encoding() {
        for (order, bound) in [(Little, 840u32), (Big, 2047)] {
            let limit = bound.cast_signed();
            let edges = [0, 1, -1, 127, 128, -128, limit, -limit];
            let values: Vec<i32> = (-limit..=limit).step_by(7).chain(edges).collect();
            let n = values.len();
            let mut bytes = vec![0; 3 * n];
            let used_len = compress(order, values.iter().copied(), bound, &mut bytes).unwrap();
            assert_eq!(decode(order, &bytes, bound, n), Some((values.clone(), 3 * n - used_len)));
            // After any bit flip, the decoder returns an error, or coefficients that differ from
            // `values`. These coefficients must encode to the changed bytes.
            for bit in 0..8 * bytes.len() {
                let mut b = bytes.clone();
                b[bit / 8] ^= 1 << (bit % 8);
                if let Some((v, _)) = decode(order, &b, bound, n) {
                    assert_ne!(v, values);
                    let mut again = vec![0; b.len()];
                    assert!(compress(order, v.into_iter(), bound, &mut again).is_some());
                    assert_eq!(again, b);
                }
            }
            // Encoding fails if a coefficient is above the bound, or if `out` is too short.
            // Decoding fails if a coefficient is above the bound, or if the last byte is missing.
            assert_eq!(compress(order, [limit + 1].into_iter(), bound, &mut [0; 9]), None);
            assert_eq!(compress(order, [limit, limit].into_iter(), bound, &mut [0; 3]), None);
            let mut more = [0; 6];
            assert!(compress(order, [limit + 1].into_iter(), bound + 1, &mut more).is_some());
            assert_eq!(decode(order, &more, bound, 1), None);
            assert_eq!(decode(order, &bytes[..used_len - 1], bound, n), None);
        }
        // The decoder rejects minus zero, a missing 1 bit, and empty input.
        assert_eq!(decode(Little, &[1, 1], 840, 1), None);
        assert_eq!(decode(Little, &[0, 1], 840, 1), Some((vec![0], 0)));
        assert_eq!(decode(Big, &[0x80, 0x80], 2047, 1), None);
        assert_eq!(decode(Big, &[0, 0x80], 2047, 1), Some((vec![0], 0)));
        for bytes in [&[0][..], &[0, 0], &[]] {
            assert_eq!(decode(Little, bytes, 840, 1), None);
        }
    }

    #[test]
    fn fixed_coefficients_have_one_encoding() {
        for (bits, n) in [(11, 4), (12, 512)] {
            let limit = (1 << (bits - 1)) - 1;
            let values: Vec<i32> = [limit, -limit, 0, -1].into_iter().cycle().take(n).collect();
            let mut bytes = vec![0; (n * bits as usize).div_ceil(8)];
            assert!(pack_fixed(values.iter().copied(), bits, &mut bytes));
            let read = |bytes: &[u8], n| read_all(FixedWidthReader::new(bytes, bits), n);
            assert_eq!(read(&bytes, n), Some((values.clone(), 0)));
            assert_eq!(read(&[&bytes[..], &[0]].concat(), n), Some((values, 1)));
            assert_eq!(read(&[&bytes[..], &[1]].concat(), n), None, "a byte after the last field is not zero");
            assert!(!pack_fixed([-limit - 1].into_iter(), bits, &mut [0; 2]));
            let mut lowest = [0; 2];
            assert!(pack_fixed([-limit - 1].into_iter(), bits + 1, &mut lowest), "-2^(bits-1) fits a wider field");
            let shifted = u16::from_be_bytes(lowest) << 1;
            assert_eq!(read(&shifted.to_be_bytes(), 1), None);
            if let Some(last) = bytes.last_mut().filter(|_| n == 4) {
                *last ^= 1;
                assert_eq!(read(&bytes, n), None, "a bit after the last field is set");
            }
            assert_eq!(read(&bytes[1..], n), None);
        }
    }
}
