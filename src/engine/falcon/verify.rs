//! Verification (specification 2.7, 4.6). With vectors, the coefficients of s2 are found while the point c is hashed. A
//! public key in the transform's domain streams past, so that two rows of n 16-bit values are enough: s2 in the work
//! memory, c on the stack. A key of coefficients takes a third row. Levels of one lane, which small machines have, let
//! c stream past, too.
//!
//! Nothing here is secret.

use super::codec::{UNPACK_BLOCK, unpack14};
use super::modq::{self, Product, Scale, Size};
use super::params::{NONCE_LEN, NORM_BOUND};
use super::point::{
    KEPT, Point, absorb_point, each_of_block, hash_to_point_into, hash_to_point_with, keep_block, streams,
};
use super::scheme::FalconAlgorithm;
use super::signature::{Malformed, Parts};
use super::windows::{Rest, Windows};
use crate::engine::hash::message::{MU_LEN, Whole};
use crate::engine::hash::shake::{Shake256, keccak_f};
use crate::engine::verdict::Verified;
use crate::simd::{Scratch, Simd, ct, four_fields, frame, small};

/// Why a signature is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The bytes are no signature of the algorithm.
    Malformed(Malformed),
    /// The signature is too long a vector: it does not match key and message.
    Norm,
}

/// h, the public key.
#[derive(Clone, Copy)]
pub enum PublicFields<'a> {
    /// The packed fields of the encoded key, without its header.
    Packed(&'a [u8]),
    /// A row in the transform's domain and in Montgomery form.
    Montgomery(&'a [u16]),
    /// The row that [`Product::prepare`] makes of h on this level.
    #[cfg(feature = "alloc")]
    Prepared(&'a [u16]),
}

/// Unpacks h into the transform's domain.
#[inline(always)]
pub fn public_fields_into<S: Simd>(isa: S, algorithm: FalconAlgorithm, packed: &[u8], h: &mut [u16]) {
    let rules = algorithm.scheme().rules();
    unpack14(isa, rules.order, packed, h);
    if !rules.transformed_public {
        modq::ntt(isa, algorithm.degree().logn(), h);
    }
}

/// A row of coefficients on the stack, for levels with vectors.
#[repr(C, align(64))]
struct Row<const N: usize>([u16; N]);

/// What a verification decides: that `signature` is one of the point, made with the private key of h.
#[derive(Clone, Copy)]
pub struct Claim<'a> {
    /// The scheme and the degree.
    pub algorithm: FalconAlgorithm,
    /// The public key.
    pub h: PublicFields<'a>,
    /// The hashed message.
    pub point: Point<'a>,
    /// The signature in any encoding of the scheme.
    pub signature: &'a [u8],
}

/// Verifies a signature of a point. Takes [`FalconAlgorithm::verify_work_len`] bytes of `work`, or of h prepared `2n`.
///
/// Accepts if `s1 = c - s2 h mod q`, centred, and s2 are within the scheme's bounds and together have a
/// squared norm of at most [`NORM_BOUND`].
#[inline(always)]
pub fn verify<S: Simd>(isa: S, claim: &Claim<'_>, work: Scratch<'_>) -> Result<Verified, Refusal> {
    if S::LANES_U16 == 1 {
        verify_in_blocks(isa, claim, work)
    } else if small::<S>() || claim.algorithm.degree().n() > 512 {
        verify_on_row::<S, 1024>(isa, claim, work)
    } else {
        verify_on_row::<S, 512>(isa, claim, work)
    }
}

/// [`verify`] with a row for c of length `N` in its stack frame: one frame for both lengths would have room for both.
#[inline(never)]
fn verify_on_row<S: Simd, const N: usize>(isa: S, claim: &Claim<'_>, work: Scratch<'_>) -> Result<Verified, Refusal> {
    frame!(isa, verify_with_row(isa, claim, work, &mut Row([0; N]).0))
}

/// [`verify`] without a row for c: when the product of s2 and h is made, the point streams past.
#[inline(never)]
fn verify_in_blocks<S: Simd>(isa: S, claim: &Claim<'_>, work: Scratch<'_>) -> Result<Verified, Refusal> {
    frame!(isa, {
        let &Claim { algorithm, h, point, signature } = claim;
        let parts = Parts::new(algorithm, signature).map_err(Refusal::Malformed)?;
        let mut stream = Shake256::new(isa);
        point.absorb_into(&mut stream, parts.nonce);
        stream.finish();
        conclude_in_blocks(isa, algorithm, h, &parts, &mut stream, work)
    })
}

/// What a verification decides of a message in memory: that `signature` is one of it.
#[derive(Clone, Copy)]
pub struct WholeClaim<'a> {
    /// The scheme and the degree.
    pub algorithm: FalconAlgorithm,
    /// The encoded public key.
    pub public: &'a [u8],
    /// The message, hashed for that key.
    pub whole: Whole<'a>,
    /// The signature in any encoding of the scheme.
    pub signature: &'a [u8],
}

/// Verifies a signature of a message in memory, as [`verify`] does of a point. One sponge hashes key, message and point, and is where
/// the point streams past.
#[inline(always)]
pub fn verify_whole<S: Simd>(isa: S, claim: &WholeClaim<'_>, work: Scratch<'_>) -> Result<Verified, Refusal> {
    let &WholeClaim { algorithm, signature, .. } = claim;
    let parts = Parts::new(algorithm, signature).map_err(Refusal::Malformed)?;
    let mut stream = Shake256::new(isa);
    let hashing = &algorithm.scheme().rules().hashing;
    claim.whole.absorb_into(isa, &mut stream, hashing, parts.nonce);
    if hashing.through_mu {
        point_of_mu_before(isa, &mut stream, parts.nonce);
    }
    let h = PublicFields::Packed(claim.public.get(1..).unwrap_or_default());
    if S::LANES_U16 == 1 {
        stream.finish();
        conclude_in_blocks(isa, algorithm, h, &parts, &mut stream, work)
    } else {
        verify(isa, &Claim { algorithm, h, point: Point::Absorbed(stream.sponge()), signature }, work)
    }
}

/// Makes the sponge of mu that of the point. `stream` has absorbed what is hashed to mu.
#[inline(always)]
fn point_of_mu<S: Simd>(stream: &mut Shake256<S>, nonce: &[u8; NONCE_LEN]) {
    let mut mu = [0; MU_LEN];
    stream.finish();
    stream.squeeze(&mut mu);
    stream.clear();
    absorb_point(stream, nonce, &mu);
}

/// [`point_of_mu`] in a stack frame that is gone before the point streams past.
#[inline(never)]
fn point_of_mu_before<S: Simd>(isa: S, stream: &mut Shake256<S>, nonce: &[u8; NONCE_LEN]) {
    frame!(isa, point_of_mu(stream, nonce));
}

/// Decodes s2 and decides, where the point streams past. `work` has n values, and what [`multiply`] takes.
#[inline(always)]
fn conclude_in_blocks<S: Simd>(
    isa: S,
    algorithm: FalconAlgorithm,
    h: PublicFields<'_>,
    parts: &Parts<'_>,
    stream: &mut Shake256<S>,
    mut work: Scratch<'_>,
) -> Result<Verified, Refusal> {
    let a = work.take::<u16>(algorithm.degree().n());
    // A second pass over the coefficients pays with vectors alone.
    let windows = if streams::<S>() { None } else { parts.windows(a) };
    let rest = windows.map(Windows::finish);
    let norm = parts.decode_into(isa, rest, a).map_err(Refusal::Malformed)?;
    multiply_before(isa, algorithm, h, a, work);
    let s1 = if streams::<S>() {
        difference_streaming(isa, algorithm, stream, a)
    } else {
        difference_in_blocks(isa, algorithm, stream, a)
    };
    within_bounds(algorithm, Size { norm: norm + s1.norm, ..s1 })
}

/// Verifies a signature of FN-DSA on a level of one lane. `message` has absorbed what is hashed to mu, and becomes the stream of
/// `HashToPoint`; `packed` are the fields of the key; `a` has n places. Where the algorithm is a constant, all that another one needs is left out.
#[inline(always)]
pub fn verify_streaming<S: Simd>(
    isa: S,
    algorithm: FalconAlgorithm,
    packed: &[u8],
    message: &mut Shake256<S>,
    signature: &[u8],
    a: &mut [u16],
) -> Result<Verified, Refusal> {
    let parts = Parts::cut(algorithm, signature).map_err(Refusal::Malformed)?;
    point_of_mu(message, parts.nonce);
    message.finish();
    let norm = parts.read_norm_into(a).map_err(Refusal::Malformed)?;
    multiply(isa, algorithm, PublicFields::Packed(packed), a, Scratch::within::<u16>(&mut []));
    let s1 = difference_streaming(isa, algorithm, message, a);
    within_bounds(algorithm, Size { norm: norm + s1.norm, ..s1 })
}

/// Returns the size of `c - a`, each coefficient of c streaming past.
#[inline(never)]
fn difference_streaming<S: Simd>(isa: S, algorithm: FalconAlgorithm, stream: &mut Shake256<S>, a: &[u16]) -> Size {
    frame!(isa, {
        let order = algorithm.scheme().rules().order;
        let mut measure = modq::Measure::new(isa);
        let mut a = a.iter();
        while a.len() > 0 {
            each_of_block(
                isa,
                order,
                stream.squeeze_block(),
                #[inline(always)]
                |c| {
                    if let Some(a) = a.next() {
                        measure.add(isa, c, isa.splat_u16(*a));
                    }
                },
            );
        }
        measure.size(isa)
    })
}

/// [`difference_streaming`] by the blocks of the stream, whose loops the compiler makes vectors of.
#[inline(never)]
fn difference_in_blocks<S: Simd>(isa: S, algorithm: FalconAlgorithm, stream: &mut Shake256<S>, mut a: &[u16]) -> Size {
    frame!(isa, {
        let order = algorithm.scheme().rules().order;
        let mut c = [0; KEPT];
        let mut size = Size { largest: 0, norm: 0 };
        while !a.is_empty() {
            let kept = keep_block(isa, order, stream.squeeze_block(), &mut c).min(a.len());
            let (now, later) = a.split_at(kept);
            let s1 = modq::difference(isa, &c[..kept], now);
            size = Size { largest: size.largest.max(s1.largest), norm: size.norm + s1.norm };
            a = later;
        }
        size
    })
}

/// Checks that s1 of this size, the norm of s2 added to its own, is within the bounds.
#[inline(always)]
fn within_bounds(algorithm: FalconAlgorithm, size: Size) -> Result<Verified, Refusal> {
    let most = algorithm.scheme().rules().s1_bound;
    let bound = u64::from(NORM_BOUND[algorithm.degree().logn() as usize]);
    let largest = u32::from(size.largest);
    let norm = size.norm;
    let first = if largest <= most && norm <= bound { Verified::LOOKS[0] } else { 0 };
    // The second look, without a branch: bit 63 of a difference is what was borrowed.
    let largest = u64::from(ct::barrier_u32(largest));
    let norm = ct::barrier_u64(norm);
    let over = (u64::from(most).wrapping_sub(largest) | bound.wrapping_sub(norm)) >> 63;
    let second = Verified::LOOKS[1] & (over as u32).wrapping_sub(1);
    let verified = Verified::of_looks(first, second);
    if verified.value() == Verified::YES { Ok(verified) } else { Err(Refusal::Norm) }
}

/// [`verify`] with a row for c, of n values at least, on levels that take one.
#[inline(always)]
pub fn verify_with<S: Simd>(isa: S, claim: &Claim<'_>, work: Scratch<'_>, c: &mut [u16]) -> Result<Verified, Refusal> {
    if S::LANES_U16 == 1 { verify_in_blocks(isa, claim, work) } else { verify_with_row(isa, claim, work, c) }
}

/// [`verify`] with a row for c, on levels with vectors.
#[inline(never)]
fn verify_with_row<S: Simd>(
    isa: S,
    claim: &Claim<'_>,
    mut work: Scratch<'_>,
    c: &mut [u16],
) -> Result<Verified, Refusal> {
    frame!(isa, {
        let &Claim { algorithm, point, signature, .. } = claim;
        let n = algorithm.degree().n();
        let parts = Parts::new(algorithm, signature).map_err(Refusal::Malformed)?;
        let a = work.take::<u16>(n);
        let c = &mut c[..n];

        // Where the point could stream past, a search beside the permutation does not pay either.
        let rest = if small::<S>() || streams::<S>() {
            hash_to_point_into(isa, algorithm.scheme(), parts.nonce, point, c);
            None
        } else {
            let mut windows = parts.windows(a);
            hash_to_point_with(
                isa,
                algorithm.scheme(),
                parts.nonce,
                point,
                c,
                #[inline(always)]
                |state| match &mut windows {
                    Some(windows) => windows.permute_and_pass(isa, state),
                    None => keccak_f(isa, state),
                },
            );
            windows.map(Windows::finish)
        };
        conclude(isa, claim, Decoding { parts, rest, a }, c, work)
    })
}

/// A signature whose coefficients are still to be decoded.
pub struct Decoding<'w, 'a> {
    /// The signature.
    pub parts: Parts<'a>,
    /// What [`Windows::finish`] returned after it filled the row; `None` without windows.
    pub rest: Option<Rest>,
    /// The row for s2.
    pub a: &'w mut [u16],
}

/// Decodes s2, and decides a claim whose point is `c`. `work` is that of [`multiply`].
#[inline(always)]
pub fn conclude<S: Simd>(
    isa: S,
    claim: &Claim<'_>,
    s2: Decoding<'_, '_>,
    c: &[u16],
    work: Scratch<'_>,
) -> Result<Verified, Refusal> {
    let Decoding { parts, rest, a } = s2;
    let norm = parts.decode_into(isa, rest, a).map_err(Refusal::Malformed)?;
    multiply(isa, claim.algorithm, claim.h, a, work);
    let s1 = modq::difference(isa, c, a);
    within_bounds(claim.algorithm, Size { norm: norm + s1.norm, ..s1 })
}

/// Computes `a = a h`. `work` has another n 16-bit values if h is packed coefficients.
#[inline(always)]
fn multiply<S: Simd>(isa: S, algorithm: FalconAlgorithm, h: PublicFields<'_>, a: &mut [u16], mut work: Scratch<'_>) {
    let rules = algorithm.scheme().rules();
    // The factor that the product lacks.
    let scale = match h {
        #[cfg(feature = "alloc")]
        PublicFields::Prepared(h) => return Product::with_prepared(isa, a, h),
        PublicFields::Packed(bytes) if rules.transformed_public => {
            Product::start(isa, a);
            if streams::<S>() {
                for (src, a) in bytes.as_chunks().0.iter().zip(a.as_chunks_mut::<4>().0) {
                    Product::multiply_block(isa, a, &four_fields(rules.order, src));
                }
                return Product::finish(isa, a, Scale::R);
            }
            let mut block = [0; UNPACK_BLOCK];
            for (src, a) in bytes.chunks(UNPACK_BLOCK / 4 * 7).zip(a.chunks_mut(UNPACK_BLOCK)) {
                let block = block.get_mut(..a.len()).unwrap_or_default();
                unpack14(isa, rules.order, src, block);
                Product::multiply_block(isa, a, block);
            }
            Scale::R
        }
        PublicFields::Packed(bytes) => {
            let h = work.take::<u16>(a.len());
            public_fields_into(isa, algorithm, bytes, h);
            Product::start(isa, a);
            multiply_row(isa, a, h);
            Scale::R
        }
        PublicFields::Montgomery(h) => {
            Product::start(isa, a);
            multiply_row(isa, a, h);
            Scale::One
        }
    };
    Product::finish(isa, a, scale);
}

/// [`multiply`] in a stack frame that is gone before the point streams past.
#[inline(never)]
fn multiply_before<S: Simd>(isa: S, algorithm: FalconAlgorithm, h: PublicFields<'_>, a: &mut [u16], work: Scratch<'_>) {
    frame!(isa, multiply(isa, algorithm, h, a, work));
}

/// Multiplies all blocks of `a` by those of the transform of h.
#[inline(always)]
fn multiply_row<S: Simd>(isa: S, a: &mut [u16], h: &[u16]) {
    for (h, a) in h.chunks(UNPACK_BLOCK).zip(a.chunks_mut(UNPACK_BLOCK)) {
        Product::multiply_block(isa, a, h);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::falcon::params::Degree;
    use crate::engine::falcon::scheme::FalconScheme;

    #[test]
    fn both_looks_agree_at_the_bounds() {
        for scheme in FalconScheme::ALL {
            for degree in [Degree::N512, Degree::N1024] {
                let algorithm = FalconAlgorithm::new(scheme, degree);
                let (most, bound) = (scheme.rules().s1_bound, u64::from(NORM_BOUND[degree.logn() as usize]));
                for (largest, norm) in
                    [(0, 0), (most, bound), (most + 1, bound), (most, bound + 1), (most + 1, bound + 1)]
                {
                    // A coefficient modulo q has no more than that.
                    let Ok(largest) = u16::try_from(largest) else { continue };
                    let is_short = u32::from(largest) <= most && norm <= bound;
                    let verdict = within_bounds(algorithm, Size { largest, norm });
                    assert_eq!(
                        verdict.map(Verified::value).ok(),
                        is_short.then_some(Verified::YES),
                        "{largest} {norm}"
                    );
                }
            }
        }
    }
}
