//! From a message to the point that is signed: mu, pre-hash, hash to point (specification 2.2, 3.4,
//! 4.4, 5).
//!
//! Nothing here is secret.

use super::params::{KEY_HASH_LEN, MAX_CONTEXT_LEN, MU_LEN, NONCE_LEN, Q};
use super::scheme::{Order, Scheme};
use super::shake::{Shake256, Sponge};
use crate::simd::Simd;

/// The hash a message went through before it reached the signature scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PreHash {
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
    /// SHA-512/256.
    Sha512_256,
    /// SHA3-256.
    Sha3_256,
    /// SHA3-384.
    Sha3_384,
    /// SHA3-512.
    Sha3_512,
    /// SHAKE128 with 32 bytes of output.
    Shake128,
    /// SHAKE256 with 64 bytes of output.
    Shake256,
}

/// One row a pre-hash: name, last byte of the identifier, bytes of a digest.
const PREHASHES: [(PreHash, &str, u8, usize); 9] = [
    (PreHash::Sha256, "sha256", 0x01, 32),
    (PreHash::Sha384, "sha384", 0x02, 48),
    (PreHash::Sha512, "sha512", 0x03, 64),
    (PreHash::Sha512_256, "sha512-256", 0x06, 32),
    (PreHash::Sha3_256, "sha3-256", 0x08, 32),
    (PreHash::Sha3_384, "sha3-384", 0x09, 48),
    (PreHash::Sha3_512, "sha3-512", 0x0a, 64),
    (PreHash::Shake128, "shake128", 0x0b, 32),
    (PreHash::Shake256, "shake256", 0x0c, 64),
];

impl PreHash {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        PREHASHES.iter().map(|row| row.0)
    }

    fn row(self) -> &'static (PreHash, &'static str, u8, usize) {
        &PREHASHES[self as usize]
    }

    /// The name `--prehash` takes.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// Bytes of a digest.
    pub fn digest_len(self) -> usize {
        self.row().3
    }

    /// The object identifier in DER, tag and length included: `2.16.840.1.101.3.4.2.x`.
    pub fn oid(self) -> [u8; 11] {
        [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, self.row().2]
    }
}

impl Scheme {
    /// Whether it knows a pre-hash.
    pub fn has_prehash(self, hash: PreHash) -> bool {
        !self.rules().hashing.few_prehashes || matches!(hash, PreHash::Sha256 | PreHash::Sha512)
    }
}

/// How the message enters: the byte of domain separation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// The message itself follows.
    Pure = 0,
    /// Identifier and digest follow.
    PreHashed = 1,
}

/// A sponge that has absorbed everything before the message: for a scheme with `mu`, of its input; for
/// another, of the point's. Range: the context has at most [`MAX_CONTEXT_LEN`] bytes.
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

/// The first bytes of a sponge's output.
#[inline(always)]
pub fn output<S: Simd, const N: usize>(mut h: Shake256<S>) -> [u8; N] {
    let mut out = [0; N];
    h.finish();
    h.squeeze(&mut out);
    out
}

/// What the point is hashed from.
#[derive(Clone, Copy)]
pub enum Point<'a> {
    /// The nonce and `mu`.
    Mu(&'a [u8; MU_LEN]),
    /// A sponge that has absorbed the nonce and all that follows.
    Absorbed(&'a Sponge),
}

impl Point<'_> {
    /// `mu`, or as many bytes of the sponge's output: what tells one message from another.
    #[inline(always)]
    pub fn digest<S: Simd>(self, isa: S) -> [u8; MU_LEN] {
        match self {
            Point::Mu(mu) => *mu,
            Point::Absorbed(sponge) => output(Shake256::resume(isa, sponge.clone())),
        }
    }
}

/// `HashToPoint`: the coefficients of c, one after the other, each in `[0, q)`.
pub struct HashToPoint<S: Simd> {
    stream: Shake256<S>,
    order: Order,
}

/// 16-bit words from here on are skipped, so that the rest is a multiple of q.
const WORD_LIMIT: u32 = 5 * Q;

/// The low bytes of 16-bit words.
const LOW_BYTES: u64 = 0x00ff_00ff_00ff_00ff;

impl<S: Simd> HashToPoint<S> {
    /// The stream of a point, with words in the order of the scheme.
    pub fn new(isa: S, scheme: Scheme, nonce: &[u8; NONCE_LEN], point: Point<'_>) -> Self {
        let mut stream = match point {
            Point::Mu(mu) => {
                let mut stream = Shake256::new(isa);
                stream.absorb(nonce);
                stream.absorb(mu);
                stream
            }
            Point::Absorbed(sponge) => Shake256::resume(isa, sponge.clone()),
        };
        stream.finish();
        Self { stream, order: scheme.rules().order }
    }

    /// Calls `f` with each of the `n` coefficients and its place.
    #[inline(always)]
    pub fn for_each(mut self, n: usize, mut f: impl FnMut(usize, u16)) {
        let mut i = 0;
        loop {
            let mut block = self.stream.squeeze_block();
            if self.order == Order::Big {
                for lane in &mut block {
                    *lane = *lane >> 8 & LOW_BYTES | (*lane & LOW_BYTES) << 8;
                }
            }
            for lane in block {
                for shift in [0, 16, 32, 48] {
                    let w = (lane >> shift) as u16;
                    if u32::from(w) < WORD_LIMIT {
                        f(i, w % Q as u16);
                        i += 1;
                        if i == n {
                            return;
                        }
                    }
                }
            }
        }
    }
}

/// All coefficients of c.
#[inline(never)]
pub fn hash_to_point_into<S: Simd>(isa: S, scheme: Scheme, nonce: &[u8; NONCE_LEN], point: Point<'_>, c: &mut [u16]) {
    isa.enter(
        #[inline(always)]
        || HashToPoint::new(isa, scheme, nonce, point).for_each(c.len(), |i, x| c[i] = x),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pre_hash_has_its_own_row() {
        for (i, (hash, ..)) in PREHASHES.iter().enumerate() {
            assert_eq!(*hash as usize, i);
        }
    }
}
