//! Verification (specification 2.7). Tests call `verify`, and the signer in `sign` calls
//! `is_short`.

use super::codec::{ReferenceRejection, decode_verifying_key, decompress, signature_len};
use super::hash::hash_to_point;
use super::ring::{centred, infinity_norm, inverse_ntt, product, square_norm};
use super::tables::TABLES;
use super::{INFINITY_BOUND, Q};

/// Verifies a signature: decodes the key and the signature, computes `s1 = c - s2 h`, where c is
/// the point for the nonce and `mu`, and checks that `(s1, s2)` is short.
pub fn verify(verifying_key: &[u8], mu: &[u8; 64], signature: &[u8]) -> Result<(), ReferenceRejection> {
    let h = inverse_ntt(&decode_verifying_key(verifying_key)?);
    let logn = h.len().ilog2();
    if signature.len() != signature_len(logn) {
        return Err("length");
    }
    if signature[0] != 0x30 + logn as u8 {
        return Err("header");
    }
    let nonce = signature[1..41].try_into().expect("40 bytes");
    let s2 = decompress(h.len(), &signature[41..])?;

    let c = hash_to_point(h.len(), nonce, mu);
    let s2_h = product(&s2, &h);
    let s1: Vec<i64> = c.iter().zip(&s2_h).map(|(c, y)| centred((c - y) % Q)).collect();
    is_short(&s1, &s2)
}

/// Checks the largest coefficient and the square norm of `(s1, s2)`.
pub fn is_short(s1: &[i64], s2: &[i64]) -> Result<(), ReferenceRejection> {
    if infinity_norm(s1) > INFINITY_BOUND || infinity_norm(s2) > INFINITY_BOUND {
        return Err("a coefficient is too large");
    }
    if square_norm(s1) + square_norm(s2) > TABLES.norm_bound[s1.len().ilog2() as usize] {
        return Err("too long");
    }
    Ok(())
}
