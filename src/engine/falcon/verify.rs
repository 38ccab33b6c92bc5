//! Verification (specification 2.7, 4.6). On levels (instruction sets) with vectors, the code finds
//! each coefficient's start in s2 while it hashes the message to the point c. If the public key is
//! in the transform's domain, each block is unpacked only when it is used. In this case, two rows
//! with n 16-bit values are sufficient: s2 in the work memory and c on the stack. If the public key
//! consists of coefficients, it must be transformed in a third row. On levels with a single lane,
//! the coefficients of c are used as soon as they are hashed, so c needs no row.
//!
//! The API calls [`verify`] for a hashed message, [`verify_whole`] for a message in memory, and
//! [`verify_streaming`] in boot loaders. The signer calls [`verify_with`] for the signature that it
//! has made.
//!
//! There is no secret data in this file.

use super::codec::{UNPACK_BLOCK, unpack14};
use super::coefficient_scanner::{CoefficientScanner, TrailingBytes};
use super::modq::{self, DifferenceSize, InverseScale, RingProduct};
use super::params::{NONCE_LEN, NORM_BOUND};
use super::point::{
    KEPT_LEN, PointSource, absorb_point, for_each_coefficient, hash_to_point_into, hash_to_point_with, keep_block,
    streams,
};
use super::scheme::FalconAlgorithm;
use super::signature::{SignatureDefect, SplitSignature};
use crate::engine::hash::message::{MU_LEN, PrefixedMessage};
use crate::engine::hash::shake::{Shake256, keccak_f};
use crate::engine::verdict::Verified;
use crate::simd::{Scratch, Simd, ct, four_14_bit_fields, frame, small};

/// The reason why a signature is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FalconRejection {
    /// The bytes are not a signature for this algorithm.
    Malformed(SignatureDefect),
    /// The vectors s1 and s2 are too long, a coefficient of s1 is too large, or s1 is zero: the
    /// signature does not match the key and the message.
    Mismatch,
}

/// The public key, h.
#[derive(Clone, Copy)]
pub enum PublicFields<'a> {
    /// The packed fields of the encoded key, without the header.
    Packed(&'a [u8]),
    /// h as a row in the transform's domain and in Montgomery form.
    Montgomery(&'a [u16]),
    /// The row that [`RingProduct::prepare`] computes from h at this level.
    #[cfg(feature = "alloc")]
    Prepared(&'a [u16]),
}

/// Unpacks h. If the public key contains coefficients, also transforms h.
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
struct StackRow<const N: usize>([u16; N]);

/// The statement to verify: `signature` was made for the point, with the private key for h.
#[derive(Clone, Copy)]
pub struct Verification<'a> {
    /// The scheme and the degree.
    pub algorithm: FalconAlgorithm,
    /// The public key.
    pub h: PublicFields<'a>,
    /// The hashed message.
    pub point: PointSource<'a>,
    /// The signature in any encoding of the scheme.
    pub signature: &'a [u8],
}

/// Verifies a signature for a point. Uses [`FalconAlgorithm::verify_work_len`] bytes from `work`,
/// or `2n` bytes if h is not packed.
///
/// Computes `s1 = c - s2 h mod q`, with centred coefficients. Accepts the signature if the
/// coefficients of s1 and s2 are within the scheme's bounds, and if `|s1|^2 + |s2|^2` is at most
/// [`NORM_BOUND`]. Rejects an s1 that is zero, except at toy degrees.
#[inline(always)]
pub fn verify<S: Simd>(isa: S, task: &Verification<'_>, work: Scratch<'_>) -> Result<Verified, FalconRejection> {
    if S::LANES_U16 == 1 {
        verify_in_blocks(isa, task, work)
    } else if small::<S>() || task.algorithm.degree().n() > 512 {
        verify_on_row::<S, 1024>(isa, task, work)
    } else {
        verify_on_row::<S, 512>(isa, task, work)
    }
}

/// Implements [`verify`] with a row of length `N` for c on the stack. Each length has a separate
/// function, because a single function would reserve stack for both rows.
#[inline(never)]
fn verify_on_row<S: Simd, const N: usize>(
    isa: S,
    task: &Verification<'_>,
    work: Scratch<'_>,
) -> Result<Verified, FalconRejection> {
    frame!(isa, verify_with_row(isa, task, work, &mut StackRow([0; N]).0))
}

/// Implements [`verify`] without a row for c: first multiplies s2 by h, then reads the point as a
/// stream.
#[inline(never)]
fn verify_in_blocks<S: Simd>(isa: S, task: &Verification<'_>, work: Scratch<'_>) -> Result<Verified, FalconRejection> {
    frame!(isa, {
        let &Verification { algorithm, h, point, signature } = task;
        let parts = SplitSignature::new(algorithm, signature).map_err(FalconRejection::Malformed)?;
        let mut stream = Shake256::new(isa);
        point.absorb_into(&mut stream, parts.nonce);
        stream.finish();
        conclude_in_blocks(isa, algorithm, h, &parts, &mut stream, work)
    })
}

/// The statement to verify for a message in memory: `signature` was made for this message.
#[derive(Clone, Copy)]
pub struct MessageVerification<'a> {
    /// The scheme and the degree.
    pub algorithm: FalconAlgorithm,
    /// The encoded public key.
    pub public: &'a [u8],
    /// The message, to be hashed for this key.
    pub message: PrefixedMessage<'a>,
    /// The signature in any encoding of the scheme.
    pub signature: &'a [u8],
}

/// Verifies a signature for a message in memory, as [`verify`] does for a point. A single sponge
/// hashes the key, the message, and the input for the point. On levels with a single lane, the
/// point is also read from this sponge.
#[inline(always)]
pub fn verify_whole<S: Simd>(
    isa: S,
    task: &MessageVerification<'_>,
    work: Scratch<'_>,
) -> Result<Verified, FalconRejection> {
    let &MessageVerification { algorithm, signature, .. } = task;
    let parts = SplitSignature::new(algorithm, signature).map_err(FalconRejection::Malformed)?;
    let mut stream = Shake256::new(isa);
    let hashing = &algorithm.scheme().rules().hashing;
    task.message.absorb_into(isa, &mut stream, hashing, parts.nonce);
    if hashing.through_mu {
        point_of_mu_framed(isa, &mut stream, parts.nonce);
    }
    let h = PublicFields::Packed(task.public.get(1..).unwrap_or_default());
    if S::LANES_U16 == 1 {
        stream.finish();
        conclude_in_blocks(isa, algorithm, h, &parts, &mut stream, work)
    } else {
        verify(isa, &Verification { algorithm, h, point: PointSource::Absorbed(stream.sponge()), signature }, work)
    }
}

/// Computes mu from `stream`, which has absorbed the input for mu. Then clears `stream`, and
/// absorbs the input for the point into it.
#[inline(always)]
fn point_of_mu<S: Simd>(stream: &mut Shake256<S>, nonce: &[u8; NONCE_LEN]) {
    let mut mu = [0; MU_LEN];
    stream.finish();
    stream.squeeze(&mut mu);
    stream.clear();
    absorb_point(stream, nonce, &mu);
}

/// Calls [`point_of_mu`] in a separate stack frame. This frame is no longer on the stack when the
/// point is read, which saves memory.
#[inline(never)]
fn point_of_mu_framed<S: Simd>(isa: S, stream: &mut Shake256<S>, nonce: &[u8; NONCE_LEN]) {
    frame!(isa, point_of_mu(stream, nonce));
}

/// Decodes s2, and verifies the signature while it reads the point from `stream`, which must be
/// ready to be squeezed. `work` must have space for n 16-bit values, and the memory that
/// [`multiply`] needs.
#[inline(always)]
fn conclude_in_blocks<S: Simd>(
    isa: S,
    algorithm: FalconAlgorithm,
    h: PublicFields<'_>,
    parts: &SplitSignature<'_>,
    stream: &mut Shake256<S>,
    mut work: Scratch<'_>,
) -> Result<Verified, FalconRejection> {
    let a = work.take::<u16>(algorithm.degree().n());
    // If the compiler vectorizes loops, a separate scan of the encoded coefficients makes decoding
    // faster.
    let scanner = if streams::<S>() { None } else { parts.scanner(a) };
    let trailing = scanner.map(CoefficientScanner::finish);
    let norm = parts.decode_into(isa, trailing, a).map_err(FalconRejection::Malformed)?;
    multiply_framed(isa, algorithm, h, a, work);
    let s1 = if streams::<S>() {
        difference_streaming(isa, algorithm, stream, a)
    } else {
        difference_in_blocks(isa, algorithm, stream, a)
    };
    check_bounds(algorithm, s1, norm)
}

/// Verifies an FN-DSA signature at a level without SIMD vectors. `message` has absorbed the input
/// for mu, and becomes the stream for `HashToPoint`. `packed` contains the public key's fields. `a`
/// is work memory with n values. If the algorithm is a constant, the compiler removes the code for
/// all other algorithms.
#[inline(always)]
pub fn verify_streaming<S: Simd>(
    isa: S,
    algorithm: FalconAlgorithm,
    packed: &[u8],
    message: &mut Shake256<S>,
    signature: &[u8],
    a: &mut [u16],
) -> Result<Verified, FalconRejection> {
    let parts = SplitSignature::new_inlined(algorithm, signature).map_err(FalconRejection::Malformed)?;
    point_of_mu(message, parts.nonce);
    message.finish();
    let norm = parts.read_norm_into(a).map_err(FalconRejection::Malformed)?;
    multiply(isa, algorithm, PublicFields::Packed(packed), a, Scratch::within::<u16>(&mut []));
    let s1 = difference_streaming(isa, algorithm, message, a);
    check_bounds(algorithm, s1, norm)
}

/// Returns the size of `c - a`. The coefficients of c are read from `stream`.
#[inline(never)]
fn difference_streaming<S: Simd>(
    isa: S,
    algorithm: FalconAlgorithm,
    stream: &mut Shake256<S>,
    a: &[u16],
) -> DifferenceSize {
    frame!(isa, {
        let order = algorithm.scheme().rules().order;
        let mut measure = modq::DifferenceMeasure::new(isa);
        let mut a = a.iter();
        while a.len() > 0 {
            for_each_coefficient(
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

/// Computes the same result as [`difference_streaming`], but processes a whole block from the
/// stream at a time, in loops that the compiler vectorizes.
#[inline(never)]
fn difference_in_blocks<S: Simd>(
    isa: S,
    algorithm: FalconAlgorithm,
    stream: &mut Shake256<S>,
    mut a: &[u16],
) -> DifferenceSize {
    frame!(isa, {
        let order = algorithm.scheme().rules().order;
        let mut c = [0; KEPT_LEN];
        let mut size = DifferenceSize { largest: 0, norm: 0 };
        while !a.is_empty() {
            let count = keep_block(isa, order, stream.squeeze_block(), &mut c).min(a.len());
            let (head, tail) = a.split_at(count);
            let s1 = modq::difference(isa, &c[..count], head);
            size = DifferenceSize { largest: size.largest.max(s1.largest), norm: size.norm + s1.norm };
            a = tail;
        }
        size
    })
}

/// Checks the bounds for s1 and s2. `s1` contains s1's squared norm and largest absolute value, and
/// `s2_norm` is s2's squared norm.
///
/// In a correct signature, s1 is not zero: the point is a hash, and it is infeasible to find a
/// short s2 for which `s2 h` is the point. If a fault skips the measurement of s1, the measured
/// norm is zero, so a norm of zero is rejected. For a toy degree, which is only for tests, s1 can
/// be zero.
#[inline(always)]
fn check_bounds(algorithm: FalconAlgorithm, s1: DifferenceSize, s2_norm: u64) -> Result<Verified, FalconRejection> {
    let max_coefficient = algorithm.scheme().rules().s1_bound;
    let bound = u64::from(NORM_BOUND[algorithm.degree().logn() as usize]);
    let min_norm = u64::from(!algorithm.is_toy());
    let largest = u32::from(s1.largest);
    let norm = s2_norm + s1.norm;
    let comparison =
        if largest <= max_coefficient && norm <= bound && s1.norm >= min_norm { Verified::CHECK_RESULTS[0] } else { 0 };
    // Check again, without a branch. If a value exceeds its bound, bit 63 in a difference is set.
    let largest = u64::from(ct::barrier_u32(largest));
    let s1_norm = ct::barrier_u64(s1.norm);
    let norm = s1_norm + ct::barrier_u64(s2_norm);
    let out_of_bounds =
        (u64::from(max_coefficient).wrapping_sub(largest) | bound.wrapping_sub(norm) | s1_norm.wrapping_sub(min_norm))
            >> 63;
    let borrow_check = Verified::CHECK_RESULTS[1] & (out_of_bounds as u32).wrapping_sub(1);
    let verified = Verified::from_checks(comparison, borrow_check);
    if verified.value() == Verified::YES { Ok(verified) } else { Err(FalconRejection::Mismatch) }
}

/// Verifies as [`verify`] does, but stores the point in `c` instead of a separate row on the stack.
/// `c` must have at least n values. Levels with a single lane do not store the point.
#[inline(always)]
pub fn verify_with<S: Simd>(
    isa: S,
    task: &Verification<'_>,
    work: Scratch<'_>,
    c: &mut [u16],
) -> Result<Verified, FalconRejection> {
    if S::LANES_U16 == 1 { verify_in_blocks(isa, task, work) } else { verify_with_row(isa, task, work, c) }
}

/// Implements [`verify`] with a row for c, at levels with vectors.
#[inline(never)]
fn verify_with_row<S: Simd>(
    isa: S,
    task: &Verification<'_>,
    mut work: Scratch<'_>,
    c: &mut [u16],
) -> Result<Verified, FalconRejection> {
    frame!(isa, {
        let &Verification { algorithm, point, signature, .. } = task;
        let n = algorithm.degree().n();
        let parts = SplitSignature::new(algorithm, signature).map_err(FalconRejection::Malformed)?;
        let a = work.take::<u16>(n);
        let c = &mut c[..n];

        // In small code, and on levels that read the point as a stream, scanning for coefficients
        // during the permutation would not save time.
        let trailing = if small::<S>() || streams::<S>() {
            hash_to_point_into(isa, algorithm.scheme(), parts.nonce, point, c);
            None
        } else {
            let mut scanner = parts.scanner(a);
            hash_to_point_with(
                isa,
                algorithm.scheme(),
                parts.nonce,
                point,
                c,
                #[inline(always)]
                |state| match &mut scanner {
                    Some(scanner) => scanner.permute_and_scan(isa, state),
                    None => keccak_f(isa, state),
                },
            );
            scanner.map(CoefficientScanner::finish)
        };
        conclude(isa, task, UndecodedSignature { parts, trailing, a }, c, work)
    })
}

/// A signature with coefficients that must still be decoded.
pub struct UndecodedSignature<'w, 'a> {
    /// The signature.
    pub parts: SplitSignature<'a>,
    /// The result of [`CoefficientScanner::finish`]. `None` if no scanner was used.
    pub trailing: Option<TrailingBytes>,
    /// The row for s2. If a scanner was used, this row contains each coefficient's window.
    pub a: &'w mut [u16],
}

/// Decodes s2, and checks the signature against the point `c`. `work` must have the memory that
/// [`multiply`] needs.
#[inline(always)]
pub fn conclude<S: Simd>(
    isa: S,
    task: &Verification<'_>,
    s2: UndecodedSignature<'_, '_>,
    c: &[u16],
    work: Scratch<'_>,
) -> Result<Verified, FalconRejection> {
    let UndecodedSignature { parts, trailing, a } = s2;
    let norm = parts.decode_into(isa, trailing, a).map_err(FalconRejection::Malformed)?;
    multiply(isa, task.algorithm, task.h, a, work);
    let s1 = modq::difference(isa, c, a);
    check_bounds(task.algorithm, s1, norm)
}

/// Computes `a = a h`. If h consists of packed coefficients, `work` must have space for n 16-bit
/// values.
#[inline(always)]
fn multiply<S: Simd>(isa: S, algorithm: FalconAlgorithm, h: PublicFields<'_>, a: &mut [u16], mut work: Scratch<'_>) {
    let rules = algorithm.scheme().rules();
    // The inverse transform also multiplies the product by `scale`.
    let scale = match h {
        #[cfg(feature = "alloc")]
        PublicFields::Prepared(h) => return RingProduct::with_prepared(isa, a, h),
        PublicFields::Packed(bytes) if rules.transformed_public => {
            RingProduct::start(isa, a);
            if streams::<S>() {
                for (src, a) in bytes.as_chunks().0.iter().zip(a.as_chunks_mut::<4>().0) {
                    RingProduct::multiply_block(isa, a, &four_14_bit_fields(rules.order, src));
                }
                return RingProduct::finish(isa, a, InverseScale::R);
            }
            let mut block = [0; UNPACK_BLOCK];
            for (src, a) in bytes.chunks(UNPACK_BLOCK / 4 * 7).zip(a.chunks_mut(UNPACK_BLOCK)) {
                let block = block.get_mut(..a.len()).unwrap_or_default();
                unpack14(isa, rules.order, src, block);
                RingProduct::multiply_block(isa, a, block);
            }
            InverseScale::R
        }
        PublicFields::Packed(bytes) => {
            let h = work.take::<u16>(a.len());
            public_fields_into(isa, algorithm, bytes, h);
            RingProduct::start(isa, a);
            multiply_row(isa, a, h);
            InverseScale::R
        }
        PublicFields::Montgomery(h) => {
            RingProduct::start(isa, a);
            multiply_row(isa, a, h);
            InverseScale::One
        }
    };
    RingProduct::finish(isa, a, scale);
}

/// Calls [`multiply`] in a stack frame that is released before the point is read.
#[inline(never)]
fn multiply_framed<S: Simd>(isa: S, algorithm: FalconAlgorithm, h: PublicFields<'_>, a: &mut [u16], work: Scratch<'_>) {
    frame!(isa, multiply(isa, algorithm, h, a, work));
}

/// Multiplies each block in `a` by the block at the same place in the transformed h.
#[inline(always)]
fn multiply_row<S: Simd>(isa: S, a: &mut [u16], h: &[u16]) {
    for (h, a) in h.chunks(UNPACK_BLOCK).zip(a.chunks_mut(UNPACK_BLOCK)) {
        RingProduct::multiply_block(isa, a, h);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::falcon::params::Degree;
    use crate::engine::falcon::scheme::FalconScheme;

    #[test]
    fn both_checks_agree_at_the_bounds_and_reject_a_zero_s1() {
        for scheme in FalconScheme::ALL {
            for degree in [Degree::N512, Degree::N1024] {
                let algorithm = FalconAlgorithm::new(scheme, degree);
                let (max_coefficient, bound) = (scheme.rules().s1_bound, u64::from(NORM_BOUND[degree.logn() as usize]));
                // Each entry contains s1's largest coefficient and norm, and s2's norm.
                let sizes = [
                    (1, 1, 0),
                    (max_coefficient, bound, 0),
                    (max_coefficient, 1, bound - 1),
                    (max_coefficient + 1, bound, 0),
                    (max_coefficient, bound + 1, 0),
                    (max_coefficient, 1, bound),
                    (max_coefficient + 1, 1, bound),
                    (0, 0, 1),
                    (0, 0, bound),
                ];
                for (largest, s1_norm, s2_norm) in sizes {
                    // A coefficient modulo q always fits into `u16`.
                    let Ok(largest) = u16::try_from(largest) else { continue };
                    let is_short = u32::from(largest) <= max_coefficient && s1_norm + s2_norm <= bound && s1_norm != 0;
                    let verdict = check_bounds(algorithm, DifferenceSize { largest, norm: s1_norm }, s2_norm);
                    assert_eq!(
                        verdict.map(Verified::value).ok(),
                        is_short.then_some(Verified::YES),
                        "{largest} {s1_norm} {s2_norm}"
                    );
                }
            }
        }
    }
}
