//! Reads signed Falcon messages: signature and message in one file, as written by PQClean and by
//! the programs for the NIST process. This library does not write such files.
//!
//! | form | layout |
//! |---|---|
//! | NIST | `len` in 2 bytes, big-endian; nonce; message; last part with `len` bytes |
//! | padded | padded signature; message |
//!
//! In the NIST form, the last part is the byte `20 + logn` with the compressed coefficients.

use super::encoding::FileEncoding;
use super::kind::{ObjectKind, PossibleSchemes};
use super::object::FileObject;
use crate::api::{Algorithm, Degree, NONCE_LEN, Scheme, SignatureRef};
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The upper half of the byte after the message, in the NIST form.
const NIST_HEADER: u8 = 0x20;
/// The upper half of a signature's first byte.
const HEADER: u8 = 0x30;

/// A signed message, split into two parts.
pub struct FalconSignedMessage<'a> {
    /// The signature.
    pub signature: FileObject,
    /// The message.
    pub message: &'a [u8],
}

/// Splits a signed message into signature and message; `None` if `data` has a different form. The
/// signature is not verified.
pub fn split(data: &[u8]) -> Option<FalconSignedMessage<'_>> {
    let (signature, message) = nist(data).or_else(|| padded(data))?;
    const SCHEMES: PossibleSchemes = &[Scheme::Falcon];
    SignatureRef::of_scheme(Scheme::Falcon, &signature).ok()?;
    let signature =
        FileObject::new(ObjectKind::Signature, SCHEMES, FileEncoding::Raw, Zeroizing::new(signature)).ok()?;
    Some(FalconSignedMessage { signature, message })
}

/// Splits the NIST form into the message and the signature, encoded as in a signature file.
fn nist(data: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let (len, rest) = data.split_first_chunk::<2>()?;
    let (nonce, rest) = rest.split_first_chunk::<NONCE_LEN>()?;
    let at = rest.len().checked_sub(usize::from(u16::from_be_bytes(*len)))?;
    let (message, last) = rest.split_at(at);
    let (first, coefficients) = last.split_first().filter(|(first, _)| *first & 0xf0 == NIST_HEADER)?;
    // Compressed coefficients end with a 1 bit. Only the padded form has zero bytes at the end.
    coefficients.last().filter(|last| **last != 0)?;
    Some(([&[HEADER | first & 0x0f], &nonce[..], coefficients].concat(), message))
}

/// Splits the padded form into the signature and the message after it.
fn padded(data: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let first = data.first().filter(|first| *first & 0xf0 == HEADER)?;
    let algorithm = Algorithm::at_degree(Scheme::Falcon, Degree::from_logn(u32::from(first & 0x0f))?)?;
    let (signature, message) = data.split_at_checked(algorithm.signature_len())?;
    Some((signature.to_vec(), message))
}
