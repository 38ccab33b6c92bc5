//! Signs with less work memory. The transformed basis of the private key is computed once. It then
//! stays in memory that the signer only reads, for example in flash memory.

use super::expanded_in::KeptParts;
use super::message::UnhashedMessage;
use super::{
    Algorithm, BasisError, KeyHash, MessageToSign, Options, Scheme, SignError, SigningKeyRef,
    algorithm::FamilyAlgorithm,
};
use super::{check_exact_len, check_work_len, wiping_falcon_key};
use crate::engine::falcon::basis::KeyWithBasis;
use crate::engine::falcon::integrity::{CheckInterval, MemoryFault};
use crate::engine::falcon::sampler::Generator;
use crate::engine::falcon::scheme::FalconAlgorithm;
use crate::simd::{Level, Scratch, on_level};
use rand_core::TryCryptoRng;

/// A private key of the Falcon family with its transformed basis. The basis stays in memory that
/// this type only reads, for example in flash memory.
///
/// To sign, this key needs less time than [`SigningKeyRef::sign`], and little more than half its
/// work memory. With the same randomness, this key and a [`SigningKeyRef`] make the same signature.
///
/// ```
/// use fndsa::no_alloc::{Level, SigningKeyRef, VerifyingKeyRef};
/// use fndsa::{Algorithm, Options};
/// use getrandom::SysRng;
///
/// const ALGORITHM: Algorithm = Algorithm::FN_DSA_512;
/// let level = Level::detect();
/// let mut private = [0; ALGORITHM.signing_key_len()];
/// let mut public = [0; ALGORITHM.verifying_key_len()];
/// let mut work = [0; ALGORITHM.sign_work_len()];
/// let key = SigningKeyRef::generate(level, ALGORITHM, &mut SysRng, &mut private, &mut public, &mut work)?;
///
/// // Make the basis once. It is as secret as the private key.
/// #[repr(align(8))]
/// struct FlashMemory([u8; ALGORITHM.basis_len().unwrap()]);
/// let mut flash = FlashMemory([0; _]);
/// let mut at = 0;
/// key.write_basis(level, &mut work, |part| {
///     flash.0[at..at + part.len()].copy_from_slice(part);
///     at += part.len();
/// })?;
///
/// let key = key.with_basis(level, &flash.0)?;
/// let mut work = [0; ALGORITHM.sign_with_basis_work_len()];
/// let mut signature = [0; ALGORITHM.signature_len()];
/// key.sign_message(Options::default(), b"a message", &mut SysRng, &mut signature, &mut work)?;
/// let public = VerifyingKeyRef::from_bytes(ALGORITHM.scheme(), &public)?;
/// public.verify_message(level, Options::default(), b"a message", &signature, &mut work)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SigningKeyWithBasis<'a> {
    level: Level,
    algorithm: FalconAlgorithm,
    key_hash: KeyHash,
    check_interval: CheckInterval,
    lattice: KeyWithBasis<'a>,
}

impl<'a> SigningKeyRef<'a> {
    /// Returns the key's algorithm if it is in the Falcon family. Fails for all other keys, because
    /// they do not have a basis.
    fn algorithm_with_basis(&self) -> Result<FalconAlgorithm, BasisError> {
        match self.algorithm().family() {
            FamilyAlgorithm::Falcon(algorithm) => Ok(algorithm),
            _ => Err(BasisError::OtherFamily),
        }
    }

    /// Makes the transformed basis for [`Self::with_basis`], and passes it to `write` in parts,
    /// from the beginning. The basis has [`Algorithm::basis_len`] bytes. Each part has at most
    /// `max(40, 8 n)` bytes, where n is the degree, and its length is a multiple of 8. `work` needs
    /// at least [`Algorithm::basis_work_len`] bytes.
    ///
    /// The basis has the same bytes at all levels and on all little-endian machines. The basis is
    /// as secret as the private key, and can only be used with the same version of this library.
    /// This function computes the basis twice and compares the results, because signatures with a
    /// wrong basis would reveal the private key.
    ///
    /// # Errors
    /// Returns an error if the work memory is too short, or if the key is not in the Falcon family.
    /// In these cases, `write` is not called. Also returns an error if the machine computes
    /// wrongly. In this case, you must not use the parts that were written. This function cannot
    /// check whether the parts were stored correctly: [`Self::with_basis`] makes this check.
    pub fn write_basis(&self, level: Level, work: &mut [u8], mut write: impl FnMut(&[u8])) -> Result<(), BasisError> {
        let algorithm = self.algorithm_with_basis()?;
        check_work_len(work.len(), algorithm.basis_work_len()).map_err(BasisError::Work)?;
        let key = self.encoded(algorithm);
        wiping_falcon_key(level, work, |work| {
            on_level!(level, |isa| KeyWithBasis::write(isa, key, &mut write, Scratch::new(work)))
        })
        .map_err(|MemoryFault| BasisError::Fault)
    }

    /// Returns a key that uses the basis from [`Self::write_basis`]. `basis` needs exactly
    /// [`Algorithm::basis_len`] bytes, at an address that is a multiple of 8. This function checks
    /// the basis, including the NTRU equation for its four polynomials.
    ///
    /// # Errors
    /// Returns an error if the length or the address is wrong, if the basis is damaged or is for a
    /// different key, or if the key is not in the Falcon family.
    pub fn with_basis<'b>(&self, level: Level, basis: &'b [u8]) -> Result<SigningKeyWithBasis<'b>, BasisError>
    where
        'a: 'b,
    {
        let algorithm = self.algorithm_with_basis()?;
        check_exact_len(basis.len(), KeyWithBasis::len(algorithm.degree())).map_err(BasisError::Length)?;
        if basis.as_ptr().align_offset(align_of::<u64>()) != 0 {
            return Err(BasisError::Alignment);
        }
        let key = self.encoded(algorithm);
        let opened_key =
            wiping_falcon_key(level, &mut [], |_| on_level!(level, |isa| KeyWithBasis::open(isa, key, basis)));
        let lattice = opened_key.ok_or(BasisError::OtherKey)?;
        // Check the basis for changed bits before each signature. This check costs little: on a
        // Cortex-M4, even all checks in this function together take less than a thirtieth of a
        // signature's time.
        let check_interval = CheckInterval::every(1);
        Ok(SigningKeyWithBasis { level, algorithm, key_hash: self.key_hash(), check_interval, lattice })
    }
}

impl SigningKeyWithBasis<'_> {
    /// Returns the algorithm.
    pub const fn algorithm(&self) -> Algorithm {
        Algorithm::of_falcon(self.algorithm)
    }

    /// Returns the scheme.
    pub const fn scheme(&self) -> Scheme {
        self.algorithm().scheme()
    }

    /// Signs a message, as [`SigningKeyRef::sign`] does. With the same randomness, both functions
    /// make the same signature. `work` needs at least [`Algorithm::sign_with_basis_work_len`]
    /// bytes.
    ///
    /// # Errors
    /// Returns the errors of [`SigningKeyRef::sign`], or [`SignError::ExpandedKey`] if the basis
    /// has changed since [`SigningKeyRef::with_basis`] checked it.
    pub fn sign<'w, R: TryCryptoRng + ?Sized>(
        &self,
        message: impl Into<MessageToSign<'w>>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        self.parts().sign_by(Generator::Shake256, &message.into(), rng, signature, work)
    }

    /// Signs a message in memory, as [`Self::sign`] does. In schemes that hash a nonce, an attempt
    /// can fail. After a failed attempt, this function hashes the message again, with a new nonce.
    ///
    /// # Errors
    /// Returns the errors of [`Self::sign`], or [`SignError::Message`] if the algorithm does not
    /// support the options, or if the options have a pre-hash. To sign a digest, use
    /// [`Self::sign_unhashed`].
    pub fn sign_message<R: TryCryptoRng + ?Sized>(
        &self,
        options: Options<'_>,
        message: &[u8],
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        self.sign_unhashed(UnhashedMessage::message(options, message), rng, signature, work)
    }

    /// Signs bytes that the scheme has not hashed yet: a message or a digest, with its options.
    ///
    /// # Errors
    /// Returns the errors of [`Self::sign_message`].
    pub fn sign_unhashed<R: TryCryptoRng + ?Sized>(
        &self,
        message: UnhashedMessage<'_>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        self.parts().sign_unhashed(message, rng, signature, work)
    }

    #[inline(always)]
    fn parts(&self) -> KeptParts<'_, KeyWithBasis<'_>> {
        let &Self { level, algorithm, ref key_hash, ref check_interval, lattice } = self;
        KeptParts { level, algorithm, key_hash, check_interval, lattice }
    }
}

impl core::fmt::Debug for SigningKeyWithBasis<'_> {
    /// Writes only the algorithm and the level, because the key is secret.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SigningKeyWithBasis")
            .field("algorithm", &self.algorithm())
            .field("level", &self.level)
            .finish_non_exhaustive()
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::api::Mu;
    use crate::testing::{FixedBytes, FlashMemory};

    #[test]
    fn a_changed_basis_makes_no_signature() {
        let fn_dsa = Algorithm::FN_DSA_512;
        let (mut private, mut public) = (vec![0; fn_dsa.signing_key_len()], vec![0; fn_dsa.verifying_key_len()]);
        let mut work = vec![0; fn_dsa.sign_work_len()];
        let (level, mu) = (Level::detect(), Mu::from_bytes([3; 64]));
        let rng = &mut FixedBytes(&[7; 32]);
        let key = SigningKeyRef::generate(level, fn_dsa, rng, &mut private, &mut public, &mut work).expect("a key");
        let len = fn_dsa.basis_len().expect("FN-DSA has a basis");
        let mut basis = FlashMemory::new(len);
        key.write_basis(level, &mut work, |part| basis.write(part)).expect("a basis");
        let sign = |basis: &[u8]| {
            let FamilyAlgorithm::Falcon(algorithm) = fn_dsa.family() else { panic!("FN-DSA is in the Falcon family") };
            let lattice = KeyWithBasis::opened(key.encoded(algorithm), basis);
            let key = SigningKeyWithBasis {
                level,
                algorithm,
                key_hash: key.key_hash(),
                check_interval: CheckInterval::every(1),
                lattice,
            };
            let mut signature = vec![1; fn_dsa.signature_len()];
            let mut work = vec![0; fn_dsa.sign_with_basis_work_len()];
            let result = key.sign(&mu, &mut FixedBytes(&[9; 40]), &mut signature, &mut work);
            assert_eq!(result.is_err(), signature.iter().all(|byte| *byte == 0));
            result
        };
        assert_eq!(sign(basis.bytes()), Ok(()));
        for place in [0, len / 4, len / 2, len / 4 * 3, len - 48, len - 1] {
            basis.bytes_mut()[place] ^= 1;
            assert_eq!(sign(basis.bytes()), Err(SignError::ExpandedKey), "{place}");
            basis.bytes_mut()[place] ^= 1;
        }
    }
}
