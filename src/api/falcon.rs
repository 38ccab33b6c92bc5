//! Calls the engine to check and convert public keys of the Falcon family: checks the first byte
//! and the length, and selects the code for the level (the instruction set). To verify, `verifying`
//! and `verify_batch` call the engine directly.

use super::KeyError;
use crate::engine::falcon::codec::{PublicKeyScan, algorithm_of, scan_public};
use crate::engine::falcon::params::VERIFYING_KEY_HEADER;
use crate::engine::falcon::public_key::{encode_public, to_public_form};
use crate::engine::falcon::scheme::{FalconAlgorithm, FalconScheme};
use crate::engine::falcon::verify::public_fields_into;
use crate::simd::{Level, Scratch, on_level};

/// Returns an encoded key's algorithm. Checks that the first byte is `header`, combined with the
/// binary logarithm of a known degree, and that `len` returns the key's length for this degree.
pub(super) fn key_algorithm(
    scheme: FalconScheme,
    bytes: &[u8],
    header: u8,
    len: fn(FalconAlgorithm) -> usize,
) -> Result<FalconAlgorithm, KeyError> {
    let found = bytes.first().copied();
    let algorithm = algorithm_of(scheme, header, found).ok_or(KeyError::Header { found })?;
    if bytes.len() != len(algorithm) {
        return Err(KeyError::Length { expected: len(algorithm), found: bytes.len() });
    }
    Ok(algorithm)
}

/// Checks an encoded public key, and returns its algorithm.
pub(super) fn check_public(scheme: FalconScheme, bytes: &[u8]) -> Result<FalconAlgorithm, KeyError> {
    let algorithm = key_algorithm(scheme, bytes, VERIFYING_KEY_HEADER, FalconAlgorithm::verifying_key_len)?;
    match on_level!(Level::detect(), |isa = integers| scan_public(isa, scheme.rules().order, &bytes[1..])) {
        PublicKeyScan::Good => Ok(algorithm),
        PublicKeyScan::OutOfRange => Err(KeyError::Coefficient),
        PublicKeyScan::Zero => Err(KeyError::ZeroKey),
    }
}

/// Writes a public key for `source_algorithm` in the format for `target_algorithm`. The caller must
/// check the key and the lengths of all slices before this call.
pub(super) fn recode_public_into(
    level: Level,
    source_algorithm: FalconAlgorithm,
    bytes: &[u8],
    target_algorithm: FalconAlgorithm,
    out: &mut [u8],
    work: &mut [u8],
) {
    on_level!(level, |isa = integers| {
        let h = Scratch::new(work).take::<u16>(target_algorithm.degree().n());
        public_fields_into(isa, source_algorithm, &bytes[1..], h);
        to_public_form(isa, target_algorithm, h);
        encode_public(target_algorithm, h, out);
    });
}
