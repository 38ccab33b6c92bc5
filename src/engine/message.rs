//! From a message to the point that is signed: mu, pre-hash, hash to point (specification 2.2, 3.4,
//! 4.4, 5).
//!
//! Nothing here is secret.

use super::params::{KEY_HASH_LEN, MAX_CONTEXT_LEN, MU_LEN, NONCE_LEN, Q};
use super::scheme::{Order, Scheme};
use super::shake::{RATE, Shake256, Sponge, keccak_f};
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

/// One row a pre-hash, in the order of the variants: name, last byte of the identifier, bytes of a digest.
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

// `PreHash::row` finds a row by the number of its variant.
const _: () = {
    let mut i = 0;
    while i < PREHASHES.len() {
        assert!(PREHASHES[i].0 as usize == i);
        i += 1;
    }
};

impl PreHash {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        PREHASHES.iter().map(|row| row.0)
    }

    fn row(self) -> &'static (PreHash, &'static str, u8, usize) {
        &PREHASHES[self as usize]
    }

    /// Its name in lower case, for example `sha512`.
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

/// `HashToPoint`, a block of coefficients of c at a time, each in `[0, q)`.
pub struct PointBlocks<S: Simd> {
    stream: Shake256<S>,
    big: bool,
}

impl<S: Simd> PointBlocks<S> {
    /// Before the first block.
    #[inline(always)]
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
        Self { stream, big: scheme.rules().order == Order::Big }
    }

    /// The coefficients of the next block, to the front of `out`; their number. `permute` calls [`keccak_f`], with other
    /// work or without.
    #[inline(always)]
    pub fn next_into(&mut self, isa: S, out: &mut [u16; KEPT], permute: impl FnMut(&mut [u64; 25])) -> usize {
        keep_block(isa, self.big, self.stream.squeeze_block_by(permute), out)
    }
}

/// All coefficients of c. `permute` is for [`PointBlocks::next_into`].
#[inline(always)]
pub fn hash_to_point_with<S: Simd>(
    isa: S,
    scheme: Scheme,
    nonce: &[u8; NONCE_LEN],
    point: Point<'_>,
    c: &mut [u16],
    mut permute: impl FnMut(&mut [u64; 25]),
) {
    let (mut blocks, mut at) = (PointBlocks::new(isa, scheme, nonce, point), 0);
    while at < c.len() {
        let free = &mut c[at..];
        if let Some(place) = free.first_chunk_mut() {
            at += blocks.next_into(isa, place, &mut permute);
        } else {
            let mut place = [0; KEPT];
            let kept = blocks.next_into(isa, &mut place, &mut permute).min(free.len());
            free[..kept].copy_from_slice(&place[..kept]);
            at += kept;
        }
    }
}

/// Words of a block, and as many as vectors of them are long.
const WORDS: usize = RATE / 2;
const PADDED: usize = WORDS.next_multiple_of(32);
/// Places that a block wants.
pub const KEPT: usize = PADDED + 32;

/// The coefficients that the 16-bit words of a block give: the word modulo q, if it is below `5 q`, so that each value
/// is as likely. Gives their number.
#[inline(always)]
fn keep_block<S: Simd>(isa: S, big: bool, block: &[u64; RATE / 8], out: &mut [u16; KEPT]) -> usize {
    // Behind the block stands what is not kept.
    let mut words = [u16::MAX; PADDED];
    for (words, &lane) in words.as_chunks_mut::<4>().0.iter_mut().zip(block) {
        *words = [lane as u16, (lane >> 16) as u16, (lane >> 32) as u16, (lane >> 48) as u16];
    }
    let words = &mut words[..WORDS.next_multiple_of(S::LANES_U16)];
    // Two loops: with one lane, the compiler has vectors for the first.
    for words in words.chunks_exact_mut(S::LANES_U16) {
        let w = isa.load_u16(words);
        let w = if big { isa.or_u16(isa.shl_u16(w, 8), isa.shr_u16(w, 8)) } else { w };
        isa.store_u16(remainder(isa, w), words);
    }
    let mut kept = 0;
    for x in words.chunks_exact(S::LANES_U16) {
        kept += isa.keep_below_u16(isa.load_u16(x), Q as u16, &mut out[kept..]);
    }
    kept
}

/// `w mod q` for `w < 5 q`; for others something from q on.
#[inline(always)]
fn remainder<S: Simd>(isa: S, w: S::U16) -> S::U16 {
    // ceil(2^29 / q): exact up to 5 q - 2, and one too large there, which does not matter.
    const RECIPROCAL: u16 = (1u32 << 29).div_ceil(Q) as u16;
    let quotient = isa.shr_u16(isa.mulhi_u16(w, isa.splat_u16(RECIPROCAL)), 13);
    let quotient = isa.min_u16(quotient, isa.splat_u16(4));
    isa.sub_u16(w, isa.mullo_u16(quotient, isa.splat_u16(Q as u16)))
}

/// [`hash_to_point_with`] without other work.
#[cfg_attr(not(feature = "bench"), allow(dead_code))]
#[inline(never)]
pub fn hash_to_point_into<S: Simd>(isa: S, scheme: Scheme, nonce: &[u8; NONCE_LEN], point: Point<'_>, c: &mut [u16]) {
    isa.enter(
        #[inline(always)]
        || {
            hash_to_point_with(
                isa,
                scheme,
                nonce,
                point,
                c,
                #[inline(always)]
                |state| keccak_f(isa, state),
            );
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Level, WithSimd};

    #[test]
    fn every_word_is_kept_or_not_on_every_level() {
        struct Keep(bool, [u64; RATE / 8]);
        impl WithSimd for Keep {
            type Output = Vec<u16>;
            fn with<S: Simd>(self, isa: S) -> Vec<u16> {
                let mut out = [0; KEPT];
                let kept = keep_block(isa, self.0, &self.1, &mut out);
                out[..kept].to_vec()
            }
        }
        for level in Level::available() {
            for first in (0..1 << 16).step_by(WORDS) {
                for big in [false, true] {
                    let words: Vec<u16> = (first..first + WORDS).map(|w| w as u16).collect();
                    let block = core::array::from_fn(|i| {
                        let lane = words[4 * i..4 * i + 4].iter();
                        lane.rev().fold(0, |lane, w| lane << 16 | u64::from(if big { w.swap_bytes() } else { *w }))
                    });
                    let want = words.iter().filter(|w| u32::from(**w) < 5 * Q).map(|w| w % Q as u16);
                    assert_eq!(level.run(Keep(big, block)), want.collect::<Vec<_>>(), "{level}, from {first}");
                }
            }
        }
    }
}
