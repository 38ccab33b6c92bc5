//! Computes digests of keys and signatures from repeatable random bytes. The digests do not depend
//! on the machine.

use crate::repeatable::RepeatableRng;
use crate::{ALGORITHMS, BasisFlash, MOST};
use core::fmt;
use fndsa::no_alloc::{Level, MessageToVerify, SigningKeyRef, VerifyingKeyRef};
use fndsa::{Algorithm, Options};
use sha3::{Digest, Sha3_256};

/// A SHA3-256 digest. It is printed in hexadecimal.
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

/// Generates `keys` key pairs for each algorithm, and signs with each key `signatures` times. If
/// the algorithm has a basis (Falcon family), each message is also signed with the stored basis,
/// and both signatures must be equal. Each signature is verified. For each algorithm, `done` is
/// called with the digest of all results, including the bases.
///
/// # Errors
/// Fails if an operation fails.
pub fn all(
    level: Level,
    keys: usize,
    signatures: usize,
    mut done: impl FnMut(Algorithm, &Digest256),
) -> Result<(), OperationError> {
    let mut memory = [0; MOST.work + MOST.private + MOST.public + 2 * MOST.signature];
    let mut flash = BasisFlash::ERASED;
    for algorithm in ALGORITHMS {
        let digest = of(level, algorithm, keys, signatures, &mut memory, &mut flash)?;
        done(algorithm, &digest);
    }
    Ok(())
}

#[inline(never)]
fn of(
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
    let (again, work) = memory.split_at_mut(algorithm.signature_len());
    let mut rng = RepeatableRng::new(0x1234_5678_9abc_def1);
    let mut hash = Sha3_256::new();
    for _ in 0..keys {
        SigningKeyRef::generate(level, algorithm, &mut rng, private, public, work)
            .map_err(|_| OperationError("key generation"))?;
        hash.update(&*private);
        hash.update(&*public);
        let key =
            SigningKeyRef::of_algorithm(level, algorithm, private, work).map_err(|_| OperationError("loading"))?;
        let other = VerifyingKeyRef::of_algorithm(algorithm, public).map_err(|_| OperationError("the public key"))?;
        let basis = flash.program(level, &key, work).map(|basis| &*basis);
        if let Some(basis) = basis {
            hash.update(basis);
        }
        let with_basis = match basis {
            Some(basis) => Some(key.with_basis(level, basis).map_err(|_| OperationError("taking a basis"))?),
            None => None,
        };
        for number in 0..signatures {
            let message = [number as u8];
            let form = Options::default();
            let mut same = rng.clone();
            key.sign_message(level, form, &message, &mut rng, signature, work)
                .map_err(|_| OperationError("signing"))?;
            if let Some(key) = &with_basis {
                key.sign_message(form, &message, &mut same, again, work)
                    .map_err(|_| OperationError("signing with a basis"))?;
                if *again != *signature {
                    return Err(OperationError("the same signature with a basis"));
                }
            }
            let message = MessageToVerify::message(form, &message);
            other.verify(level, message, signature, work).map_err(|_| OperationError("verification"))?;
            hash.update(&*signature);
        }
    }
    Ok(Digest256(hash.finalize().into()))
}
