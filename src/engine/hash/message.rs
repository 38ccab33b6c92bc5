//! From a message to `mu`, or to the sponge that the point of a signature of Falcon is hashed from (`docs/scheme.md`, 2.2, 3.4,
//! 4.4, 5; FIPS 204, algorithms 2 to 5 and 7, line 6).
//!
//! Nothing here is secret.

use super::prehash::PreHash;
use super::shake::Shake256;
#[cfg(feature = "alloc")]
use super::shake::{MANY, States, keccak_f_many, many_pay};
use crate::simd::{Simd, frame};

/// Length of `mu`, in bytes.
pub const MU_LEN: usize = 64;
/// Length of the hash of the public key, in bytes. In ML-DSA its name is tr.
pub const KEY_HASH_LEN: usize = 64;
/// Longest context, in bytes.
pub const MAX_CONTEXT_LEN: usize = 255;

/// How the message enters a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hashing {
    /// The message is hashed to `mu` first. Else the nonce is hashed with everything below.
    pub through_mu: bool,
    /// The hash of the public key comes first.
    pub binds_key: bool,
    /// The byte of domain separation, the length of the context and the context come next.
    pub has_context: bool,
    /// Bytes of a pre-hash's identifier, in DER, that are left out.
    pub oid_skip: usize,
    /// Of the pre-hashes there are SHA-256 and SHA-512 only.
    pub few_prehashes: bool,
}

impl Hashing {
    /// The hashing of FIPS 204, which the draft of FIPS 206 shares.
    pub const OF_FIPS_204: Self =
        Self { through_mu: true, binds_key: true, has_context: true, oid_skip: 0, few_prehashes: false };
}

/// The byte of domain separation: how the message enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// The message itself follows the context.
    Pure = 0,
    /// Identifier and digest follow the context.
    PreHashed = 1,
}

/// What stands before the message.
#[derive(Clone, Copy)]
pub struct Front<'a> {
    /// The nonce of the signature. Where the message is hashed to `mu` it is not looked at.
    pub nonce: &'a [u8],
    /// The hash of the public key.
    pub key_hash: &'a [u8; KEY_HASH_LEN],
    /// The hash that the message went through already.
    pub prehash: Option<PreHash>,
    /// The context, at most [`MAX_CONTEXT_LEN`] bytes.
    pub context: &'a [u8],
}

/// Returns a sponge that has absorbed everything before the message: in a scheme with `mu` what enters `mu`, in others
/// what enters the point.
#[inline(always)]
pub fn message_start<S: Simd>(isa: S, hashing: &Hashing, front: Front<'_>) -> Shake256<S> {
    let mut h = Shake256::new(isa);
    absorb_front(&mut h, hashing, front);
    h
}

/// Absorbs everything before the message. Range: the sponge is empty.
#[inline(always)]
fn absorb_front<S: Simd>(h: &mut Shake256<S>, hashing: &Hashing, front: Front<'_>) {
    let Front { nonce, key_hash, prehash, context } = front;
    debug_assert!(context.len() <= MAX_CONTEXT_LEN);
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
}

/// The public key that a message is hashed for.
#[derive(Clone, Copy)]
pub enum HashedFor<'a> {
    /// Its encoding, to be hashed.
    Key(&'a [u8]),
    /// Its hash.
    Hash(&'a [u8; KEY_HASH_LEN]),
}

/// A message in memory, with what is hashed before it.
#[derive(Clone, Copy)]
pub struct Whole<'a> {
    /// The public key.
    pub key: HashedFor<'a>,
    /// The hash that the message went through already.
    pub prehash: Option<PreHash>,
    /// The context, at most [`MAX_CONTEXT_LEN`] bytes.
    pub context: &'a [u8],
    /// The message, or its digest.
    pub message: &'a [u8],
}

impl Whole<'_> {
    /// Absorbs the message behind everything that stands before it. The hash of the public key, if the scheme binds that, comes out of
    /// the same sponge before: no second one is needed. Range: the sponge is empty.
    #[inline(never)]
    pub fn absorb_into<S: Simd>(&self, isa: S, h: &mut Shake256<S>, hashing: &Hashing, nonce: &[u8]) {
        frame!(isa, {
            let &Whole { key, prehash, context, message } = self;
            let mut made = [0; KEY_HASH_LEN];
            let key_hash = match key {
                HashedFor::Hash(hash) => hash,
                HashedFor::Key(public) => {
                    if hashing.binds_key {
                        h.absorb(public);
                        h.finish();
                        h.squeeze(&mut made);
                        h.clear();
                    }
                    &made
                }
            };
            absorb_front(h, hashing, Front { nonce, key_hash, prehash, context });
            h.absorb(message);
        });
    }

    /// Writes `mu` of the message.
    #[inline(never)]
    pub fn mu_into<S: Simd>(&self, isa: S, hashing: &Hashing, mu: &mut [u8; MU_LEN]) {
        frame!(isa, {
            let mut h = Shake256::new(isa);
            self.absorb_into(isa, &mut h, hashing, &[]);
            h.finish();
            h.squeeze(mu);
        });
    }
}

/// Returns the first `N` bytes of a sponge's output.
#[inline(always)]
pub fn output<S: Simd, const N: usize>(mut h: Shake256<S>) -> [u8; N] {
    let mut out = [0; N];
    h.finish();
    h.squeeze(&mut out);
    out
}

/// Writes the first bytes of the output of each of up to [`MANY`] sponges: what [`output`] returns of each. Where that is
/// faster their last blocks are permuted together.
#[cfg(feature = "alloc")]
#[inline(never)]
pub fn outputs_into<S: Simd>(isa: S, sponges: [Option<Shake256<S>>; MANY], out: &mut [[u8; MU_LEN]; MANY]) {
    frame!(isa, {
        let count = sponges.iter().flatten().count();
        if !many_pay::<S>(count) {
            for (sponge, out) in sponges.into_iter().zip(out) {
                if let Some(sponge) = sponge {
                    *out = output(sponge);
                }
            }
            return;
        }
        let mut states: States = [[0; MANY]; 25];
        for (lane, sponge) in sponges.into_iter().enumerate() {
            if let Some(sponge) = sponge {
                sponge.join(&mut states, lane);
            }
        }
        keccak_f_many(isa, &mut states, MANY);
        for (i, lanes) in states[..MU_LEN / 8].iter().enumerate() {
            for (lane, out) in lanes.iter().zip(&mut *out) {
                out[8 * i..][..8].copy_from_slice(&lane.to_le_bytes());
            }
        }
    });
}
