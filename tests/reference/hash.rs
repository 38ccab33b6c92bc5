//! Hashing (specification 2.2): SHAKE256, `mu`, and the hash of a message to a point. Most other
//! modules of the reference call these functions.

use super::Q;
use sha3::Shake256;
use sha3::digest::{ExtendableOutput, Update, XofReader};

/// An endless stream of SHAKE256 output. Key generation and signing read their secret random values
/// from it. Numbers are little-endian.
pub struct ShakeStream(Box<dyn XofReader>);

impl ShakeStream {
    pub fn new(parts: &[&[u8]]) -> Self {
        let mut h = Shake256::default();
        for part in parts {
            h.update(part);
        }
        Self(Box::new(h.finalize_xof()))
    }

    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut out = [0; N];
        self.0.read(&mut out);
        out
    }

    pub fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.bytes())
    }

    pub fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.bytes())
    }
}

/// Computes `H(x, N)`: the first N bytes from SHAKE256.
pub fn h<const N: usize>(parts: &[&[u8]]) -> [u8; N] {
    ShakeStream::new(parts).bytes()
}

/// Computes `mu` for a message without a pre-hash. The context has at most 255 bytes.
pub fn mu_pure(hpk: &[u8; 64], context: &[u8], message: &[u8]) -> [u8; 64] {
    h(&[hpk, &[0, length_byte(context)], context, message])
}

/// Computes `mu` for a digest. `oid` is the last byte of the hash's object identifier (OID).
pub fn mu_prehashed(hpk: &[u8; 64], context: &[u8], oid: u8, digest: &[u8]) -> [u8; 64] {
    let der = [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, oid];
    h(&[hpk, &[1, length_byte(context)], context, &der, digest])
}

fn length_byte(context: &[u8]) -> u8 {
    context.len().try_into().expect("a context has at most 255 bytes")
}

/// Computes `HashToPoint`: n values in `[0, q)`, each from a 16-bit word below `5 q = 61445`.
pub fn hash_to_point(n: usize, nonce: &[u8; 40], mu: &[u8; 64]) -> Vec<i64> {
    let mut stream = ShakeStream::new(&[nonce, mu]);
    let words = std::iter::from_fn(|| Some(i64::from(stream.u16())));
    words.filter(|w| *w < 5 * Q).map(|w| w % Q).take(n).collect()
}
