//! Encodes public keys (specification 2.3).

use super::codec::pack14;
use super::modq::{self, InverseScale};
use super::params::VERIFYING_KEY_HEADER;
use super::scheme::FalconAlgorithm;
use crate::engine::hash::message::{KEY_HASH_LEN, output};
use crate::engine::hash::shake::Shake256;
use crate::simd::{Simd, ct, frame};

/// Converts h from the transform's domain to the values in the scheme's public keys: the transform
/// itself, or h's coefficients. Declassifies h.
#[inline(always)]
pub fn to_public_form<S: Simd>(isa: S, algorithm: FalconAlgorithm, h: &mut [u16]) {
    if !algorithm.scheme().rules().transformed_public {
        modq::intt(isa, algorithm.degree().logn(), h, InverseScale::One);
    }
    ct::declassify_row("public key", h);
}

/// Calls `f` with each piece of the encoded public key, in order. [`to_public_form`] must have
/// converted `h`.
fn for_each_public_piece(algorithm: FalconAlgorithm, h: &[u16], mut f: impl FnMut(&[u8])) {
    /// The number of fields that are packed at a time.
    const BLOCK: usize = 64;
    f(&[VERIFYING_KEY_HEADER | algorithm.degree().logn() as u8]);
    let mut bytes = [0; BLOCK / 4 * 7];
    for h in h.chunks(BLOCK) {
        let bytes = &mut bytes[..h.len() / 4 * 7];
        pack14(algorithm.scheme().rules().order, h, bytes);
        f(bytes);
    }
}

/// Writes the encoded public key for h, which [`to_public_form`] must have converted. `out` must
/// have [`FalconAlgorithm::verifying_key_len`] bytes.
pub fn encode_public(algorithm: FalconAlgorithm, h: &[u16], mut out: &mut [u8]) {
    for_each_public_piece(algorithm, h, |piece| {
        let (head, tail) = core::mem::take(&mut out).split_at_mut(piece.len());
        head.copy_from_slice(piece);
        out = tail;
    });
}

/// Hashes the encoded public key for h, which [`to_public_form`] must have converted.
#[inline(never)]
pub fn public_hash<S: Simd>(isa: S, algorithm: FalconAlgorithm, h: &[u16]) -> [u8; KEY_HASH_LEN] {
    frame!(isa, {
        let mut sponge = Shake256::new(isa);
        for_each_public_piece(algorithm, h, |piece| sponge.absorb(piece));
        output(sponge)
    })
}
