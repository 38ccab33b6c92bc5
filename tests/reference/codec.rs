//! Encodings (specification 2.3): bit strings that fill each byte from the least significant bit.

use super::hash::h;
use super::ring::{centred, infinity_norm, inverse_ntt, ntt, ntt_quotient, product, square_norm};
use super::{INFINITY_BOUND, Q, keygen};

type Bits = Vec<bool>;

/// The reason to reject an encoding.
pub type ReferenceRejection = &'static str;

/// A decoded private key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SigningKey {
    pub f: Vec<i64>,
    pub g: Vec<i64>,
    pub capital_f: Vec<i64>,
    pub capital_g: Vec<i64>,
}

/// Packs bits into bytes, least significant bit first.
fn bytes_of(bits: &[bool]) -> Vec<u8> {
    bits.chunks(8).map(|c| c.iter().enumerate().map(|(i, b)| u8::from(*b) << i).sum::<u8>()).collect()
}

/// Converts bytes to bits, least significant bit first.
fn bits_of(bytes: &[u8]) -> Bits {
    bytes.iter().flat_map(|b| (0..8).map(move |i| b >> i & 1 == 1)).collect()
}

/// Packs each value into a field with `width` bits, in two's complement, least significant bit
/// first.
pub fn pack(values: &[i64], width: u32) -> Vec<u8> {
    bytes_of(&values.iter().flat_map(|v| (0..width).map(move |i| v >> i & 1 == 1)).collect::<Bits>())
}

/// Decodes fields with `width` bits as unsigned numbers.
pub fn unpack(bytes: &[u8], width: u32) -> Vec<i64> {
    let field = |c: &[bool]| c.iter().enumerate().map(|(i, b)| i64::from(*b) << i).sum();
    bits_of(bytes).chunks(width as usize).map(field).collect()
}

/// Decodes fields with `width` bits as signed numbers. The lowest value, `-2^(width - 1)`, is not
/// allowed.
pub fn unpack_signed(bytes: &[u8], width: u32) -> Result<Vec<i64>, ReferenceRejection> {
    let half = 1 << (width - 1);
    let values: Vec<i64> = unpack(bytes, width).into_iter().map(|v| if v < half { v } else { v - 2 * half }).collect();
    if values.contains(&-half) { Err("a coefficient out of range") } else { Ok(values) }
}

/// Returns the number of bits for a coefficient in f or g, at degree `2^logn`.
pub fn fg_bits(logn: u32) -> u32 {
    [8, 8, 8, 8, 8, 8, 7, 7, 6, 6, 5][logn as usize]
}

/// Returns the encoded private key's length in bytes.
pub fn signing_key_len(logn: u32) -> usize {
    1 + (1 << logn) * (2 * fg_bits(logn) as usize + 8) / 8 + 64
}

/// Returns the encoded public key's length in bytes.
pub fn verifying_key_len(logn: u32) -> usize {
    1 + (1 << logn) * 14 / 8
}

/// Returns the signature length in bytes.
pub fn signature_len(logn: u32) -> usize {
    let s = 10 - logn;
    44 + 3 * (256 >> s) + 2 * (128 >> s) + 3 * (64 >> s) + 2 * (16 >> s) - 2 * (2 >> s) - 8 * (1 >> s)
}

/// Returns the logarithm of the degree, from the first byte of a key. `kind` is the first byte
/// without the logarithm: 0 for a public key, 0x50 for a private key.
fn logn_of(header: u8, kind: u8) -> Result<u32, ReferenceRejection> {
    match header.checked_sub(kind) {
        Some(logn @ 2..=10) => Ok(logn.into()),
        _ => Err("header"),
    }
}

/// Encodes the public key for f and g.
pub fn encode_verifying_key(f: &[i64], g: &[i64]) -> Vec<u8> {
    let h = ntt_quotient(g, f).expect("f is invertible");
    [vec![f.len().ilog2() as u8], pack(&h, 14)].concat()
}

/// Decodes a public key. Returns the values of h at the points of the NTT.
pub fn decode_verifying_key(bytes: &[u8]) -> Result<Vec<i64>, ReferenceRejection> {
    let logn = logn_of(*bytes.first().ok_or("empty")?, 0x00)?;
    if bytes.len() != verifying_key_len(logn) {
        return Err("length");
    }
    let h = unpack(&bytes[1..], 14);
    if h.iter().any(|x| *x >= Q) {
        return Err("a field out of range");
    }
    if h.iter().all(|x| *x == 0) {
        return Err("all zeros");
    }
    Ok(h)
}

/// Encodes a private key. G is not stored, because `G = g F / f` modulo q. `verifying_key` is the
/// encoded public key for f and g.
pub fn encode_signing_key(key: &SigningKey, verifying_key: &[u8]) -> Vec<u8> {
    let logn = key.f.len().ilog2();
    let header = vec![0x50 + logn as u8];
    let hpk = h::<64>(&[verifying_key]).to_vec();
    [header, encode_fg(key), pack(&key.capital_f, 8), hpk].concat()
}

/// Encodes f and g. The signer also hashes this encoding: the hash is the secret part of its seed.
pub fn encode_fg(key: &SigningKey) -> Vec<u8> {
    let width = fg_bits(key.f.len().ilog2());
    [pack(&key.f, width), pack(&key.g, width)].concat()
}

/// Decodes a private key with all checks (2.3.4 and pitfall 9.7).
pub fn decode_signing_key(bytes: &[u8]) -> Result<SigningKey, ReferenceRejection> {
    let logn = logn_of(*bytes.first().ok_or("empty")?, 0x50)?;
    if bytes.len() != signing_key_len(logn) {
        return Err("length");
    }
    let (n, width) = (1usize << logn, fg_bits(logn));
    let (f, rest) = bytes[1..].split_at(n * width as usize / 8);
    let (g, rest) = rest.split_at(n * width as usize / 8);
    let (capital_f, hpk) = rest.split_at(n);
    let (f, g) = (unpack_signed(f, width)?, unpack_signed(g, width)?);
    let capital_f = unpack_signed(capital_f, 8)?;

    let h_values = ntt_quotient(&g, &f).ok_or("f is not invertible")?;
    let values: Vec<i64> = ntt(&capital_f).iter().zip(&h_values).map(|(a, b)| a * b % Q).collect();
    let capital_g: Vec<i64> = inverse_ntt(&values).into_iter().map(centred).collect();
    if infinity_norm(&capital_g) > 127 {
        return Err("G is not short");
    }
    let key = SigningKey { f, g, capital_f, capital_g };
    if !key.solves_ntru_equation() {
        return Err("f G - g F is not q");
    }
    if square_norm(&key.f) + square_norm(&key.g) >= keygen::FG_NORM_BOUND {
        return Err("f and g are too long");
    }
    if keygen::ortho_square_norm(&key.f, &key.g) >= keygen::ortho_norm_bound() {
        return Err("the Gram-Schmidt norm is too large");
    }
    if hpk != h::<64>(&[&encode_verifying_key(&key.f, &key.g)]) {
        return Err("the hash of the public key");
    }
    Ok(key)
}

impl SigningKey {
    /// Returns whether `f G - g F = q` over the integers.
    pub fn solves_ntru_equation(&self) -> bool {
        let left = product(&self.f, &self.capital_g);
        let right = product(&self.g, &self.capital_f);
        left[0] - right[0] == Q && left[1..] == right[1..]
    }
}

/// Encodes s2 in exactly `len` bytes. Returns `None` if s2 does not fit. An encoded coefficient
/// consists of the sign, the 7 low bits of the absolute value, the high part as a run of zeros, and
/// a one.
pub fn compress(s2: &[i64], len: usize) -> Option<Vec<u8>> {
    let mut bits = Bits::new();
    for x in s2 {
        let a = x.abs();
        if a > INFINITY_BOUND {
            return None;
        }
        bits.push(*x < 0);
        bits.extend((0..7).map(|i| a >> i & 1 == 1));
        bits.extend((0..a >> 7).map(|_| false));
        bits.push(true);
    }
    if bits.len() > 8 * len {
        return None;
    }
    bits.resize(8 * len, false);
    Some(bytes_of(&bits))
}

/// Decodes the encoding of [`compress`]. Each s2 has only one accepted encoding.
pub fn decompress(n: usize, bytes: &[u8]) -> Result<Vec<i64>, ReferenceRejection> {
    let mut bits = bits_of(bytes).into_iter();
    let mut s2 = Vec::new();
    for _ in 0..n {
        let mut bit = || bits.next().ok_or("too short");
        let negative = bit()?;
        let mut a = 0;
        for i in 0..7 {
            a += i64::from(bit()?) << i;
        }
        while !bit()? {
            a += 128;
        }
        if a > INFINITY_BOUND {
            return Err("a coefficient out of range");
        }
        if negative && a == 0 {
            return Err("minus zero");
        }
        s2.push(if negative { -a } else { a });
    }
    if bits.any(|b| b) { Err("padding is not zero") } else { Ok(s2) }
}
