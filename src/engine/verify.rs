//! Verification (specification 2.7), in one array of n 16-bit values: the public key is in the
//! transform's domain already, so it streams past, and so does the point the message hashes to.
//!
//! Nothing here is secret.

use super::codec::{Decompress, UNPACK_BLOCK, unpack14};
use super::message::HashToPoint;
use super::modq;
use super::params::{Degree, INFINITY_BOUND, MU_LEN, NONCE_LEN, NORM_BOUND, SIGNATURE_HEADER};
use crate::simd::{Scratch, Simd};

/// Why a signature is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Not the length of the degree's signatures.
    Length,
    /// Not their first byte.
    Header,
    /// s2 is not encoded in the one allowed way.
    Encoding,
    /// The signature is too long a vector: it does not match.
    Norm,
}

/// h, the public key in the transform's domain.
#[derive(Clone, Copy)]
pub enum PublicFields<'a> {
    /// As in the encoded key, without its header.
    Packed(&'a [u8]),
    /// Unpacked, in Montgomery form.
    Montgomery(&'a [u16]),
}

/// The first byte of a signature of this degree.
pub const fn signature_header(degree: Degree) -> u8 {
    SIGNATURE_HEADER | degree.logn() as u8
}

/// Verifies a signature of `mu`. Takes `2n` bytes of `work`.
///
/// Accepts if `s1 = c - s2 h mod q`, centred, and s2 have no coefficient above [`INFINITY_BOUND`]
/// and together a squared norm of at most [`NORM_BOUND`].
#[inline(never)]
pub fn verify<S: Simd>(
    isa: S,
    degree: Degree,
    h: PublicFields<'_>,
    mu: &[u8; MU_LEN],
    signature: &[u8],
    mut work: Scratch<'_>,
) -> Result<(), Refusal> {
    isa.enter(
        #[inline(always)]
        || {
            let logn = degree.logn();
            if signature.len() != degree.signature_len() {
                return Err(Refusal::Length);
            }
            if signature[0] != signature_header(degree) {
                return Err(Refusal::Header);
            }
            let (nonce, s2) = signature[1..].split_first_chunk::<NONCE_LEN>().ok_or(Refusal::Length)?;
            let a = work.take::<u16>(degree.n());

            let mut s2 = Decompress::new(s2);
            let mut norm = 0u64;
            for x in &mut *a {
                let c = s2.next().ok_or(Refusal::Encoding)?;
                norm += u64::from(c.unsigned_abs().pow(2));
                *x = modq::from_small(c);
            }
            if !s2.rest_is_zero() {
                return Err(Refusal::Encoding);
            }

            modq::ntt(isa, logn, a);
            match h {
                PublicFields::Montgomery(h) => {
                    modq::mul_into(isa, a, h);
                    modq::intt(isa, logn, a, false);
                }
                PublicFields::Packed(bytes) => {
                    let mut block = [0; UNPACK_BLOCK];
                    for (src, a) in bytes.chunks(UNPACK_BLOCK / 4 * 7).zip(a.chunks_mut(UNPACK_BLOCK)) {
                        let block = &mut block[..a.len()];
                        unpack14(src, block);
                        modq::mul_into(isa, a, block);
                    }
                    modq::intt(isa, logn, a, true);
                }
            }

            let mut largest = 0;
            HashToPoint::new(isa, nonce, mu).for_each(
                degree.n(),
                #[inline(always)]
                |i, c| {
                    let s1 = modq::centered(modq::from_small(i32::from(c) - i32::from(a[i]))).unsigned_abs();
                    largest = largest.max(s1);
                    norm += u64::from(s1.pow(2));
                },
            );
            if largest > INFINITY_BOUND || norm > u64::from(NORM_BOUND[logn as usize]) {
                return Err(Refusal::Norm);
            }
            Ok(())
        },
    )
}
