//! Hashes a message. In schemes with `mu`, the result is `mu`, the hash that is signed. In the
//! other schemes, the result is a sponge (a SHAKE256 state), from which the scheme derives the
//! point: the polynomial to which the message is hashed. See `docs/scheme.md`, 2.2, 3.4, 4.4 and 5,
//! and FIPS 204, algorithms 2 to 5 and 7 (line 6).
//!
//! All values in this file are public.

use super::prehash::PreHash;
use super::shake::Shake256;
#[cfg(feature = "alloc")]
use super::shake::{KECCAK_STATES, KeccakStates, keccak_f_many, many_states_are_faster};
use crate::simd::{Simd, frame};

/// The length of `mu` in bytes.
pub const MU_LEN: usize = 64;
/// The length of the public key's hash in bytes. ML-DSA calls this hash tr.
pub const KEY_HASH_LEN: usize = 64;
/// The largest length in bytes for a context, a string that the signer and the verifier choose.
pub const MAX_CONTEXT_LEN: usize = 255;

/// The rules for hashing a message in a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashingRules {
    /// True if the message is first hashed to `mu`. If false, the signature's nonce is the first
    /// input.
    pub through_mu: bool,
    /// True if the public key's hash is an input, before the domain byte.
    pub binds_key: bool,
    /// True if the domain byte, the context length and the context are inputs.
    pub has_context: bool,
    /// The number of bytes that are omitted at the start of the pre-hash's identifier, a DER object
    /// identifier.
    pub oid_skip: usize,
    /// True if the scheme only supports the pre-hashes SHA-256 and SHA-512.
    pub has_only_sha2_prehashes: bool,
}

impl HashingRules {
    /// The rules of FIPS 204 and of the FIPS 206 draft.
    pub const OF_FIPS_204: Self =
        Self { through_mu: true, binds_key: true, has_context: true, oid_skip: 0, has_only_sha2_prehashes: false };
}

/// The byte for domain separation. This byte depends on whether a pre-hash was applied to the
/// message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DomainByte {
    /// The message itself follows the context.
    Pure = 0,
    /// The pre-hash's identifier and the digest follow the context.
    PreHashed = 1,
}

/// The inputs that are hashed before the message.
#[derive(Clone, Copy)]
pub struct MessagePrefix<'a> {
    /// The signature's nonce. The nonce is not used if the message is hashed to `mu`.
    pub nonce: &'a [u8],
    /// The public key's hash.
    pub key_hash: &'a [u8; KEY_HASH_LEN],
    /// The pre-hash, if it was applied to the message.
    pub prehash: Option<PreHash>,
    /// The context, at most [`MAX_CONTEXT_LEN`] bytes.
    pub context: &'a [u8],
}

/// Returns a sponge that has absorbed the inputs that precede the message. The caller must absorb
/// the message. If the scheme has a `mu`, the output after the message is `mu`. Otherwise, the
/// point is derived from this output.
#[inline(always)]
pub fn message_start<S: Simd>(isa: S, hashing: &HashingRules, prefix: MessagePrefix<'_>) -> Shake256<S> {
    let mut h = Shake256::new(isa);
    absorb_prefix(&mut h, hashing, prefix);
    h
}

/// Absorbs the inputs that precede the message. The sponge must be empty.
#[inline(always)]
fn absorb_prefix<S: Simd>(h: &mut Shake256<S>, hashing: &HashingRules, prefix: MessagePrefix<'_>) {
    let MessagePrefix { nonce, key_hash, prehash, context } = prefix;
    debug_assert!(context.len() <= MAX_CONTEXT_LEN);
    if !hashing.through_mu {
        h.absorb(nonce);
    }
    if hashing.binds_key {
        h.absorb(key_hash);
    }
    if hashing.has_context {
        let domain = if prehash.is_some() { DomainByte::PreHashed } else { DomainByte::Pure };
        h.absorb(&[domain as u8, context.len() as u8]);
        h.absorb(context);
        if let Some(hash) = prehash {
            h.absorb(&hash.oid()[hashing.oid_skip..]);
        }
    }
}

/// The public key that is hashed together with a message.
#[derive(Clone, Copy)]
pub enum BoundKey<'a> {
    /// The encoded public key. [`PrefixedMessage::absorb_into`] computes its hash, if the scheme
    /// needs it.
    Key(&'a [u8]),
    /// The public key's hash.
    Hash(&'a [u8; KEY_HASH_LEN]),
}

/// A message in memory, with the inputs that are hashed before the message.
#[derive(Clone, Copy)]
pub struct PrefixedMessage<'a> {
    /// The public key.
    pub key: BoundKey<'a>,
    /// The pre-hash, if it was applied to the message.
    pub prehash: Option<PreHash>,
    /// The context, at most [`MAX_CONTEXT_LEN`] bytes.
    pub context: &'a [u8],
    /// The message, or its digest.
    pub message: &'a [u8],
}

impl PrefixedMessage<'_> {
    /// Absorbs the inputs that precede the message, and then the message. `h` must be empty. If the
    /// scheme needs the public key's hash, and `self` contains the encoded key, this function first
    /// computes the hash. It uses the sponge `h` also for this hash, to save the memory for a
    /// second sponge.
    #[inline(never)]
    pub fn absorb_into<S: Simd>(&self, isa: S, h: &mut Shake256<S>, hashing: &HashingRules, nonce: &[u8]) {
        frame!(isa, {
            let &PrefixedMessage { key, prehash, context, message } = self;
            let mut computed_hash = [0; KEY_HASH_LEN];
            let key_hash = match key {
                BoundKey::Hash(hash) => hash,
                BoundKey::Key(public) => {
                    if hashing.binds_key {
                        h.absorb(public);
                        h.finish();
                        h.squeeze(&mut computed_hash);
                        h.clear();
                    }
                    &computed_hash
                }
            };
            absorb_prefix(h, hashing, MessagePrefix { nonce, key_hash, prehash, context });
            h.absorb(message);
        });
    }

    /// Computes `mu` for the message.
    #[inline(never)]
    pub fn mu_into<S: Simd>(&self, isa: S, hashing: &HashingRules, mu: &mut [u8; MU_LEN]) {
        frame!(isa, {
            let mut h = Shake256::new(isa);
            self.absorb_into(isa, &mut h, hashing, &[]);
            h.finish();
            h.squeeze(mu);
        });
    }
}

/// Returns the first `N` output bytes of a sponge.
#[inline(always)]
pub fn output<S: Simd, const N: usize>(mut h: Shake256<S>) -> [u8; N] {
    let mut out = [0; N];
    h.finish();
    h.squeeze(&mut out);
    out
}

/// Writes the first output bytes of up to [`KECCAK_STATES`] sponges, as [`output`] returns them.
/// The permutations for the last blocks of the inputs run together if this is faster.
#[cfg(feature = "alloc")]
#[inline(never)]
pub fn outputs_into<S: Simd>(
    isa: S,
    sponges: [Option<Shake256<S>>; KECCAK_STATES],
    out: &mut [[u8; MU_LEN]; KECCAK_STATES],
) {
    frame!(isa, {
        let count = sponges.iter().flatten().count();
        if !many_states_are_faster::<S>(count) {
            for (sponge, out) in sponges.into_iter().zip(out) {
                if let Some(sponge) = sponge {
                    *out = output(sponge);
                }
            }
            return;
        }
        let mut states: KeccakStates = [[0; KECCAK_STATES]; 25];
        for (lane, sponge) in sponges.into_iter().enumerate() {
            if let Some(sponge) = sponge {
                sponge.join(&mut states, lane);
            }
        }
        keccak_f_many(isa, &mut states, KECCAK_STATES);
        for (i, lanes) in states[..MU_LEN / 8].iter().enumerate() {
            for (lane, out) in lanes.iter().zip(&mut *out) {
                out[8 * i..][..8].copy_from_slice(&lane.to_le_bytes());
            }
        }
    });
}
