//! Signs and verifies signed messages. A signed message contains a signature and its message. For
//! Falcon and ML-DSA, the layout is the layout of PQClean's `crypto_sign`, byte for byte.
//!
//! | algorithm | layout |
//! |---|---|
//! | Falcon, compressed | length of last part (2 bytes, big-endian); nonce; message; last part |
//! | all others | signature; message |
//!
//! The last part consists of the byte `0x20 + logn` and the compressed coefficients.

use crate::code::CallError;
use crate::numbered::NumberedAlgorithm;
use crate::operation;
use crate::prehash::SignedForm;
use core::ops::Range;
use library::algorithm::NONCE_LEN;
use library::no_alloc::SigningKeyRef;
use rand_core::TryCryptoRng;

/// The size of the length field at the start of a signed message, in bytes.
const LEN_FIELD_BYTES: usize = 2;
/// The upper four bits in the first byte of a signature.
const SIGNATURE_HEADER: u8 = 0x30;
/// The upper four bits in the first byte of the last part.
const LAST_HEADER: u8 = 0x20;

/// Returns `logn`, the binary logarithm of the degree. The first byte in a signature and the first
/// byte in the last part contain `logn` in their lower four bits.
fn logn(numbered: NumberedAlgorithm) -> Result<u8, CallError> {
    let degree = numbered.algorithm.degree().ok_or(CallError::Internal)?;
    Ok(degree.logn() as u8)
}

/// Returns the message's position in a signed message from [`sign`].
pub fn message_at(numbered: NumberedAlgorithm) -> usize {
    if numbered.is_compressed() { LEN_FIELD_BYTES + NONCE_LEN } else { numbered.algorithm.signature_len() }
}

/// Signs the message that `signed` contains at [`message_at`], writes the other parts around the
/// message, and returns the total length in bytes.
///
/// `signed` must have `message_len` bytes plus the maximum signature length. All bytes except the
/// message must be zeros.
pub fn sign(
    numbered: NumberedAlgorithm,
    key: &SigningKeyRef<'_>,
    form: SignedForm<'_>,
    signed: &mut [u8],
    message_len: usize,
    rng: &mut impl TryCryptoRng,
    work: &mut [u8],
) -> Result<usize, CallError> {
    let (front, rest) = signed.split_at_mut_checked(message_at(numbered)).ok_or(CallError::Length)?;
    let (message, back) = rest.split_at_mut_checked(message_len).ok_or(CallError::Length)?;
    if !numbered.is_compressed() {
        let len = operation::sign(numbered, key, form, message, front, rng, work)?;
        return Ok(len + message_len);
    }
    // The signature consists of a header byte, a nonce and coefficients. Move the nonce to the
    // front. Then replace the header byte by the header byte for the last part.
    let len = operation::sign(numbered, key, form, message, back, rng, work)?;
    let last_len = len.checked_sub(NONCE_LEN).ok_or(CallError::Internal)?;
    let (len_field, nonce) = front.split_first_chunk_mut::<LEN_FIELD_BYTES>().ok_or(CallError::Internal)?;
    *len_field = u16::try_from(last_len).map_err(|_| CallError::Internal)?.to_be_bytes();
    nonce.copy_from_slice(&back[1..=NONCE_LEN]);
    back.copy_within(NONCE_LEN..len, 0);
    back[0] = LAST_HEADER | logn(numbered)?;
    back[last_len..].fill(0);
    Ok(LEN_FIELD_BYTES + NONCE_LEN + message_len + last_len)
}

/// Verifies a signed message and returns the message's range in `signed`. `work` must have at least
/// [`NumberedAlgorithm::open_work_len`] bytes.
pub fn open(
    numbered: NumberedAlgorithm,
    public: &[u8],
    form: SignedForm<'_>,
    signed: &[u8],
    work: &mut [u8],
) -> Result<Range<usize>, CallError> {
    if !numbered.is_compressed() {
        let at = numbered.algorithm.signature_len();
        let (signature, message) = signed.split_at_checked(at).ok_or(CallError::NotValid)?;
        operation::verify(numbered, public, form, message, signature, work)?;
        return Ok(at..signed.len());
    }
    let (joined, work) = work.split_at_mut_checked(numbered.signature_len()).ok_or(CallError::Work)?;
    let (len_field, rest) = signed.split_first_chunk::<LEN_FIELD_BYTES>().ok_or(CallError::NotValid)?;
    let (nonce, rest) = rest.split_first_chunk::<NONCE_LEN>().ok_or(CallError::NotValid)?;
    let message_len = rest.len().checked_sub(u16::from_be_bytes(*len_field).into()).ok_or(CallError::NotValid)?;
    let (message, last) = rest.split_at(message_len);
    let logn = logn(numbered)?;
    let (&header, coefficients) = last.split_first().ok_or(CallError::NotValid)?;
    if header != LAST_HEADER | logn {
        return Err(CallError::NotValid);
    }
    let joined = joined.get_mut(..1 + NONCE_LEN + coefficients.len()).ok_or(CallError::NotValid)?;
    joined[0] = SIGNATURE_HEADER | logn;
    joined[1..=NONCE_LEN].copy_from_slice(nonce);
    joined[1 + NONCE_LEN..].copy_from_slice(coefficients);
    operation::verify(numbered, public, form, message, joined, work)?;
    let at = LEN_FIELD_BYTES + NONCE_LEN;
    Ok(at..at + message_len)
}
