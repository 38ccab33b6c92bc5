//! Verification (specification 2.7, 4.6). A public key in the transform's domain streams past, and so does the
//! point the message hashes to: one array of n 16-bit values is enough. A key of coefficients takes a
//! second one.
//!
//! Nothing here is secret.

use super::codec::{UNPACK_BLOCK, unpack14};
use super::message::{HashToPoint, Point};
use super::modq;
use super::params::NORM_BOUND;
use super::scheme::Algorithm;
use super::signature::{Malformed, Parts};
use crate::simd::{Scratch, Simd};

/// Why a signature is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is no signature of the algorithm.
    Malformed(Malformed),
    /// The signature is too long a vector: it does not match.
    Norm,
}

/// h, the public key.
#[derive(Clone, Copy)]
pub enum PublicFields<'a> {
    /// As in the encoded key, without its header.
    Packed(&'a [u8]),
    /// Unpacked, in the transform's domain and in Montgomery form.
    Montgomery(&'a [u16]),
}

/// Unpacks h into the transform's domain.
#[inline(always)]
pub fn public_fields_into<S: Simd>(isa: S, algorithm: Algorithm, packed: &[u8], h: &mut [u16]) {
    let rules = algorithm.scheme.rules();
    unpack14(rules.order, packed, h);
    if !rules.transformed_public {
        modq::ntt(isa, algorithm.degree.logn(), h);
    }
}

/// Verifies a signature of a point. Takes [`Algorithm::verify_work_len`] bytes of `work`, or of h in
/// Montgomery form `2n`.
///
/// Accepts if `s1 = c - s2 h mod q`, centred, and s2 are within the scheme's bounds and together have a
/// squared norm of at most [`NORM_BOUND`].
#[inline(never)]
pub fn verify<S: Simd>(
    isa: S,
    algorithm: Algorithm,
    h: PublicFields<'_>,
    point: Point<'_>,
    signature: &[u8],
    mut work: Scratch<'_>,
) -> Result<(), Refusal> {
    isa.enter(
        #[inline(always)]
        || {
            let (rules, logn, n) = (algorithm.scheme.rules(), algorithm.degree.logn(), algorithm.degree.n());
            let parts = Parts::new(algorithm, signature).map_err(Refusal::Malformed)?;
            let a = work.take::<u16>(n);

            let mut norm = 0u64;
            let read = parts.read_into(
                a,
                #[inline(always)]
                |c| {
                    norm += u64::from(c.unsigned_abs().pow(2));
                    modq::from_small(c)
                },
            );
            read.map_err(Refusal::Malformed)?;

            modq::ntt(isa, logn, a);
            match h {
                PublicFields::Montgomery(h) => {
                    modq::mul_into(isa, a, h);
                    modq::intt(isa, logn, a, false);
                }
                PublicFields::Packed(bytes) if rules.transformed_public => {
                    let mut block = [0; UNPACK_BLOCK];
                    for (src, a) in bytes.chunks(UNPACK_BLOCK / 4 * 7).zip(a.chunks_mut(UNPACK_BLOCK)) {
                        let block = &mut block[..a.len()];
                        unpack14(rules.order, src, block);
                        modq::mul_into(isa, a, block);
                    }
                    modq::intt(isa, logn, a, true);
                }
                PublicFields::Packed(bytes) => {
                    let h = work.take::<u16>(n);
                    public_fields_into(isa, algorithm, bytes, h);
                    modq::mul_into(isa, a, h);
                    modq::intt(isa, logn, a, true);
                }
            }

            let mut largest = 0;
            HashToPoint::new(isa, algorithm.scheme, parts.nonce, point).for_each(
                n,
                #[inline(always)]
                |i, c| {
                    let s1 = modq::centered(modq::from_small(i32::from(c) - i32::from(a[i]))).unsigned_abs();
                    largest = largest.max(s1);
                    norm += u64::from(s1.pow(2));
                },
            );
            if largest > rules.s1_bound || norm > u64::from(NORM_BOUND[logn as usize]) {
                return Err(Refusal::Norm);
            }
            Ok(())
        },
    )
}
