//! From a message to `mu`, or to the sponge that the point is hashed from (specification 2.2, 3.4, 4.4, 5).
//!
//! Nothing here is secret.

use super::params::{KEY_HASH_LEN, MAX_CONTEXT_LEN, NONCE_LEN};
use super::scheme::Scheme;
use crate::engine::hash::prehash::PreHash;
use crate::engine::hash::shake::Shake256;
use crate::simd::Simd;

/// The byte of domain separation: how the message enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// The message itself follows the context.
    Pure = 0,
    /// Identifier and digest follow the context.
    PreHashed = 1,
}

/// Returns a sponge that has absorbed everything before the message: in a scheme with `mu` what enters `mu`, in others
/// what enters the point. Range: the context has at most [`MAX_CONTEXT_LEN`] bytes.
#[inline(always)]
pub fn message_start<S: Simd>(
    isa: S,
    scheme: Scheme,
    nonce: &[u8; NONCE_LEN],
    key_hash: &[u8; KEY_HASH_LEN],
    prehash: Option<PreHash>,
    context: &[u8],
) -> Shake256<S> {
    debug_assert!(context.len() <= MAX_CONTEXT_LEN);
    let hashing = scheme.rules().hashing;
    let mut h = Shake256::new(isa);
    if !hashing.through_mu {
        h.absorb(nonce);
    }
    if hashing.binds_key {
        h.absorb(key_hash);
    }
    if hashing.has_context {
        let domain = if prehash.is_some() { Domain::PreHashed } else { Domain::Pure };
        h.absorb(&[domain as u8, context.len() as u8]);
        h.absorb(context);
        if let Some(hash) = prehash {
            h.absorb(&hash.oid()[hashing.oid_skip..]);
        }
    }
    h
}

/// Returns the first `N` bytes of a sponge's output.
#[inline(always)]
pub fn output<S: Simd, const N: usize>(mut h: Shake256<S>) -> [u8; N] {
    let mut out = [0; N];
    h.finish();
    h.squeeze(&mut out);
    out
}
