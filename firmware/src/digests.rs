//! Computes digests of keys and signatures. Because a run uses the same random bytes on every
//! machine, the digests must be equal. The image `digests` and the example `host` print the
//! digests, so that `firmware/run` can compare the two outputs.

use crate::repeatable::RepeatableRng;
use crate::{ALGORITHMS, BasisFlash, MAX_LENGTHS};
use core::fmt;
use fndsa::no_alloc::{Level, MessageToVerify, SigningKeyRef, VerifyingKeyRef};
use fndsa::{Algorithm, Options};
use sha3::{Digest, Sha3_256};

/// A SHA3-256 digest, which is printed in hexadecimal.
#[derive(Clone, Copy, Debug)]
pub struct Digest256([u8; 32]);

impl fmt::Display for Digest256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The error for a failed operation.
#[derive(Clone, Copy, Debug)]
pub struct OperationError(
    /// The operation's name.
    pub &'static str,
);

/// Generates `keys` key pairs for each algorithm, signs `signatures` times with each key, and
/// verifies each signature. If the algorithm has a basis (precomputed data for signing, in the
/// Falcon family), also signs each message with the stored basis, and checks that both signatures
/// are equal. Signs with three lengths of work memory in turn. Then calls `report_digest` with the
/// digest of the algorithm's keys, bases and signatures.
///
/// # Errors
/// Fails if an operation fails.
pub fn all(
    level: Level,
    keys: usize,
    signatures: usize,
    mut report_digest: impl FnMut(Algorithm, &Digest256),
) -> Result<(), OperationError> {
    let mut memory = [0; MAX_LENGTHS.work + MAX_LENGTHS.private + MAX_LENGTHS.public + 2 * MAX_LENGTHS.signature];
    let mut flash = BasisFlash::ERASED;
    for algorithm in ALGORITHMS {
        let digest = digest_of_algorithm(level, algorithm, keys, signatures, &mut memory, &mut flash)?;
        report_digest(algorithm, &digest);
    }
    Ok(())
}

/// Computes the digest of an algorithm's keys, bases and signatures.
#[inline(never)]
fn digest_of_algorithm(
    level: Level,
    algorithm: Algorithm,
    keys: usize,
    signatures: usize,
    memory: &mut [u8],
    flash: &mut BasisFlash,
) -> Result<Digest256, OperationError> {
    let (private, memory) = memory.split_at_mut(algorithm.signing_key_len());
    let (public, memory) = memory.split_at_mut(algorithm.verifying_key_len());
    let (signature, memory) = memory.split_at_mut(algorithm.signature_len());
    let (basis_signature, work) = memory.split_at_mut(algorithm.signature_len());
    let mut rng = RepeatableRng::new(0x1234_5678_9abc_def1);
    let mut hash = Sha3_256::new();
    for _ in 0..keys {
        SigningKeyRef::generate(level, algorithm, &mut rng, private, public, work)
            .map_err(|_| OperationError("key generation"))?;
        hash.update(&*private);
        hash.update(&*public);
        let key =
            SigningKeyRef::of_algorithm(level, algorithm, private, work).map_err(|_| OperationError("loading"))?;
        let verifying_key =
            VerifyingKeyRef::of_algorithm(algorithm, public).map_err(|_| OperationError("the public key"))?;
        let basis = flash.program(level, &key, work).map(|basis| &*basis);
        if let Some(basis) = basis {
            hash.update(basis);
        }
        let with_basis = match basis {
            Some(basis) => Some(key.with_basis(level, basis).map_err(|_| OperationError("loading a basis"))?),
            None => None,
        };
        for number in 0..signatures {
            let message = [number as u8];
            let form = Options::default();
            let mut basis_rng = rng.clone();
            let len = [algorithm.sign_matrix_work_len(), work.len(), algorithm.sign_work_len()][number % 3];
            key.sign_message(level, form, &message, &mut rng, signature, &mut work[..len])
                .map_err(|_| OperationError("signing"))?;
            if let Some(key) = &with_basis {
                key.sign_message(form, &message, &mut basis_rng, basis_signature, work)
                    .map_err(|_| OperationError("signing with a basis"))?;
                if *basis_signature != *signature {
                    return Err(OperationError("comparing the signature with the signature with a basis"));
                }
            }
            let message = MessageToVerify::message(form, &message);
            verifying_key.verify(level, message, signature, work).map_err(|_| OperationError("verification"))?;
            hash.update(&*signature);
        }
    }
    Ok(Digest256(hash.finalize().into()))
}
