//! Reads files that contain a Falcon signature together with its message. PQClean and the programs
//! submitted to NIST write such files; this library does not.
//!
//! | form | layout |
//! |---|---|
//! | NIST | `len` in 2 bytes, big-endian; nonce; message; last part with `len` bytes |
//! | padded | padded signature; message |
//!
//! In the NIST form, the last part consists of the byte `0x20 + logn` (the degree is `2^logn`) and
//! the compressed coefficients. A padded signature is filled with zero bytes to a fixed length.

use super::encoding::FileEncoding;
use super::kind::{ObjectKind, PossibleSchemes};
use super::object::FileObject;
use crate::api::{Algorithm, Degree, NONCE_LEN, Scheme, SignatureRef};
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The high four bits in the first byte of the last part, in the NIST form.
const NIST_HEADER: u8 = 0x20;
/// The high four bits in a signature's first byte, in the padded form and in signature files.
const HEADER: u8 = 0x30;

/// The two parts of a signed message.
pub struct FalconSignedMessage<'a> {
    /// The signature, which is not verified yet.
    pub signature: FileObject,
    /// The message to which the signature belongs.
    pub message: &'a [u8],
}

/// Splits a signed message into the signature and the message. The signature is decoded, but not
/// verified. Returns `None` if `data` is not in the NIST form or the padded form, or if the
/// signature cannot be decoded.
pub fn split(data: &[u8]) -> Option<FalconSignedMessage<'_>> {
    let (signature, message) = match split_nist(data) {
        Some(parts) => parts,
        None => split_padded(data)?,
    };
    const SCHEMES: PossibleSchemes = &[Scheme::Falcon];
    SignatureRef::of_scheme(Scheme::Falcon, &signature).ok()?;
    let signature =
        FileObject::new(ObjectKind::Signature, SCHEMES, FileEncoding::Raw, Zeroizing::new(signature)).ok()?;
    Some(FalconSignedMessage { signature, message })
}

/// Splits the NIST form into the signature and the message. Converts the signature to the encoding
/// in signature files.
fn split_nist(data: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let (len, rest) = data.split_first_chunk::<2>()?;
    let (nonce, rest) = rest.split_first_chunk::<NONCE_LEN>()?;
    let message_len = rest.len().checked_sub(usize::from(u16::from_be_bytes(*len)))?;
    let (message, last_part) = rest.split_at(message_len);
    let (first, coefficients) = last_part.split_first()?;
    if first & 0xf0 != NIST_HEADER {
        return None;
    }
    // The last byte of the compressed coefficients contains a 1 bit, so it cannot be zero. A zero
    // byte would be padding, which does not exist in the NIST form.
    if matches!(coefficients.last(), None | Some(0)) {
        return None;
    }
    Some(([&[HEADER | first & 0x0f], &nonce[..], coefficients].concat(), message))
}

/// Splits the padded form into the signature and the message.
fn split_padded(data: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let first = data.first()?;
    if first & 0xf0 != HEADER {
        return None;
    }
    let algorithm = Algorithm::at_degree(Scheme::Falcon, Degree::from_logn(u32::from(first & 0x0f))?)?;
    let (signature, message) = data.split_at_checked(algorithm.signature_len())?;
    Some((signature.to_vec(), message))
}
