//! Computes the forms in which a program can have a key or a scrypt state in its memory, and
//! searches memory for pieces of these forms. `secrecy.rs` uses this file.

use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::f64::consts::PI;

const Q: i64 = 12289;
/// The length of a piece in bytes.
const PIECE: usize = 16;

/// Pieces of secrets, with names.
#[derive(Default)]
pub struct SecretPieces {
    /// The pieces, indexed by their first [`PIECE`] bytes.
    exact: HashMap<[u8; PIECE], Vec<(Vec<u8>, &'static str)>>,
    /// Sorted values of the transformed polynomials.
    values: Vec<f64>,
}

impl SecretPieces {
    /// Adds pieces of [`PIECE`] bytes that start at every eighth byte. So the search finds any
    /// copied part of at least 24 bytes.
    pub fn add(&mut self, what: &'static str, bytes: &[u8]) {
        self.add_long(what, bytes, 8, PIECE);
    }

    /// Adds pieces of `len` bytes. A piece starts at every `step`th byte.
    fn add_long(&mut self, what: &'static str, bytes: &[u8], step: usize, len: usize) {
        assert!(bytes.len() >= len, "{what} is too short to look for");
        for piece in bytes.windows(len).step_by(step) {
            let first = piece[..PIECE].try_into().unwrap();
            self.exact.entry(first).or_default().push((piece.to_vec(), what));
        }
    }

    /// Searches memory areas (name, bytes). Returns the name of each secret that it finds, with the
    /// match count and the first location. The secret "transformed" is found if an area contains at
    /// least four values of the transformed polynomials.
    pub fn found_in(&self, memory: &[(String, Vec<u8>)]) -> BTreeMap<&'static str, (usize, String)> {
        let mut matches: BTreeMap<&'static str, (usize, String)> = BTreeMap::new();
        for (location, bytes) in memory {
            let mut add_match = |what, offset: usize, count| {
                matches.entry(what).or_insert_with(|| (0, format!("{offset:#x} of {location}"))).0 += count;
            };
            for offset in 0..bytes.len().saturating_sub(PIECE - 1) {
                let Some(pieces) = self.exact.get(&bytes[offset..offset + PIECE]) else { continue };
                for (piece, what) in pieces {
                    if bytes[offset..].starts_with(piece) {
                        add_match(what, offset, 1);
                    }
                }
            }
            let numbers = bytes.chunks_exact(8).map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap()));
            let is_known_value = |x: f64| {
                let offset = self.values.partition_point(|value| *value < x - 1e-7);
                self.values.get(offset).is_some_and(|value| *value < x + 1e-7)
            };
            let places: Vec<usize> =
                numbers.enumerate().filter(|(_, x)| is_known_value(*x)).map(|(i, _)| 8 * i).collect();
            if places.len() >= 4 {
                add_match("transformed", places[0], places.len());
            }
        }
        matches
    }
}

/// A private key, from which the secrets are computed.
pub struct KeySecrets<'a> {
    /// The raw encoding of an FN-DSA-512 key.
    pub key: &'a [u8],
    /// The polynomial h, from the Falcon encoding of the public key.
    pub h: Vec<i64>,
}

impl KeySecrets<'_> {
    /// Adds all forms of the key.
    pub fn add_to(&self, pieces: &mut SecretPieces) {
        let [f, g, big_f] = [(1, 6), (385, 6), (769, 8)].map(|(from, width)| unpack(&self.key[from..], width));
        // G = h F modulo q, and the coefficients are small.
        let big_g: Vec<i64> = negacyclic_product(&self.h, &big_f).into_iter().map(centred_mod_q).collect();
        let q: Vec<i64> =
            negacyclic_product(&f, &big_g).iter().zip(negacyclic_product(&g, &big_f)).map(|(a, b)| a - b).collect();
        assert!(q[0] == Q && q[1..].iter().all(|x| *x == 0), "fG - gF = q");
        pieces.add("encoded key", &self.key[1..1281]);
        let text = base64(self.key);
        text.as_bytes().chunks(64).filter(|line| line.len() >= PIECE).for_each(|line| pieces.add("PEM", line));
        for (what, row) in [("f", &f), ("g", &g), ("F", &big_f), ("G", &big_g)] {
            let bytes = |encode: fn(i64) -> Vec<u8>| row.iter().flat_map(|x| encode(*x)).collect::<Vec<u8>>();
            for (size, bytes) in [
                (1, bytes(|x| vec![x as u8])),
                (2, bytes(|x| (x as i16).to_le_bytes().to_vec())),
                (4, bytes(|x| (x as i32).to_le_bytes().to_vec())),
                (8, bytes(|x| (x as f64).to_le_bytes().to_vec())),
            ] {
                pieces.add_long(what, &bytes, 8 * size, 16 * size);
            }
            pieces.values.extend(transformed_polynomial(row));
        }
        pieces.values.sort_by(f64::total_cmp);
    }
}

/// Decodes a Falcon public key of degree 512: 14 bits per coefficient, most significant bit first.
pub fn falcon_h(public: &[u8]) -> Vec<i64> {
    let bits: Vec<i64> = public[1..].iter().flat_map(|b| (0..8).rev().map(move |i| i64::from(b >> i & 1))).collect();
    bits.chunks_exact(14).map(|bits| bits.iter().fold(0, |x, bit| 2 * x + bit)).collect()
}

/// Decodes 512 fields of `width` bits in two's complement, least significant bit first.
fn unpack(bytes: &[u8], width: usize) -> Vec<i64> {
    let bit = |i: usize| i64::from(bytes[i / 8] >> (i % 8) & 1);
    let field = |i: usize| (0..width).map(|j| bit(i * width + j) << j).sum::<i64>();
    (0..512).map(field).map(|x| if x >> (width - 1) == 1 { x - (1 << width) } else { x }).collect()
}

/// Multiplies modulo x^n + 1.
fn negacyclic_product(a: &[i64], b: &[i64]) -> Vec<i64> {
    let n = a.len();
    let mut out = vec![0; n];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            if i + j < n { out[i + j] += x * y } else { out[i + j - n] -= x * y }
        }
    }
    out
}

/// Reduces `x` modulo q to the number with the smallest magnitude.
fn centred_mod_q(x: i64) -> i64 {
    let x = x.rem_euclid(Q);
    if x > Q / 2 { x - Q } else { x }
}

/// Evaluates the polynomial `row` at the roots of x^n + 1, and returns the real and imaginary
/// parts. Omits values near integers, because all memory contains such values.
fn transformed_polynomial(row: &[i64]) -> Vec<f64> {
    let n = row.len();
    let root_value = |k: usize| {
        let angle = |j: usize| (j * (2 * k + 1) % (2 * n)) as f64 * PI / n as f64;
        let sum = |part: fn(f64) -> f64| row.iter().enumerate().map(|(j, x)| *x as f64 * part(angle(j))).sum();
        [sum(f64::cos), sum(f64::sin)]
    };
    (0..n).flat_map(root_value).filter(|x: &f64| (x - x.round()).abs() > 1e-3).collect()
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// Computes HMAC-SHA-256 of the parts.
fn hmac(key: &[u8], parts: &[&[u8]]) -> Vec<u8> {
    assert!(key.len() <= 64);
    let pad = |x: u8| -> Vec<u8> { (0..64).map(|i| key.get(i).unwrap_or(&0) ^ x).collect() };
    let inner = parts.iter().fold(Sha256::new().chain_update(pad(0x36)), |hash, part| hash.chain_update(part));
    Sha256::new().chain_update(pad(0x5c)).chain_update(inner.finalize()).finalize().to_vec()
}

/// Computes PBKDF2 with one iteration.
fn pbkdf2(password: &[u8], salt: &[u8], len: usize) -> Vec<u8> {
    (1..=len as u32 / 32).flat_map(|i| hmac(password, &[salt, &i.to_be_bytes()])).collect()
}

/// Computes scrypt (RFC 7914). Returns the state after mixing, and the 32-byte key.
pub fn scrypt_states(password: &[u8], salt: &[u8], n: usize, r: usize, p: usize) -> [Vec<u8>; 2] {
    let state = pbkdf2(password, salt, 128 * r * p);
    let state: Vec<u8> = state.chunks_exact(128 * r).flat_map(|part| scrypt_ro_mix(part, n)).collect();
    let key = pbkdf2(password, &state, 32);
    [state, key]
}

/// Computes scryptROMix.
fn scrypt_ro_mix(state: &[u8], n: usize) -> Vec<u8> {
    let mut x: Vec<u32> = state.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    let (mut v, mut y) = (Vec::with_capacity(n * x.len()), vec![0; x.len()]);
    for _ in 0..n {
        v.extend_from_slice(&x);
        block_mix(&mut x, &mut y);
    }
    for _ in 0..n {
        let j = x[x.len() - 16] as usize % n;
        let len = x.len();
        x.iter_mut().zip(&v[j * len..]).for_each(|(x, v)| *x ^= v);
        block_mix(&mut x, &mut y);
    }
    x.iter().flat_map(|x| x.to_le_bytes()).collect()
}

/// Computes scryptBlockMix of `b`. `y` is a buffer with the same length.
fn block_mix(b: &mut Vec<u32>, y: &mut Vec<u32>) {
    let blocks = b.len() / 16;
    let mut x: [u32; 16] = b[b.len() - 16..].try_into().unwrap();
    for i in 0..blocks {
        x.iter_mut().zip(&b[16 * i..]).for_each(|(x, b)| *x ^= b);
        salsa20_8(&mut x);
        let to = 16 * (i / 2 + i % 2 * (blocks / 2));
        y[to..to + 16].copy_from_slice(&x);
    }
    std::mem::swap(b, y);
}

/// Computes Salsa20/8.
fn salsa20_8(block: &mut [u32; 16]) {
    let mut x = *block;
    for _ in 0..4 {
        for step in [1, 4] {
            for i in 0..4 {
                // First the columns from the diagonal, then the rows.
                let offset: [usize; 4] = std::array::from_fn(|j| {
                    let k = (i + j) % 4;
                    if step == 4 { 4 * i + k } else { 4 * k + i }
                });
                for (to, a, b, rotation) in [(1, 0, 3, 7), (2, 1, 0, 9), (3, 2, 1, 13), (0, 3, 2, 18)] {
                    x[offset[to]] ^= x[offset[a]].wrapping_add(x[offset[b]]).rotate_left(rotation);
                }
            }
        }
    }
    block.iter_mut().zip(x).for_each(|(b, x)| *b = b.wrapping_add(x));
}

#[test]
fn scrypt_matches_other_implementations() {
    // The expected values are from Python's hashlib and from RFC 7914.
    for (p, wanted) in [
        (1, "27b418c674c769d12501fbb1f53bac32df6514c0f28d043872b148b348961a79"),
        (16, "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"),
    ] {
        let [_, key] = scrypt_states(b"password", b"NaCl", 1024, 8, p);
        assert_eq!(key.iter().map(|byte| format!("{byte:02x}")).collect::<String>(), wanted);
    }
}
