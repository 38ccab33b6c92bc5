//! The lengths of encodings, and of work memory to check keys and to verify, for each algorithm.

use super::algorithm::{Algorithm, FamilyAlgorithm};
#[cfg(feature = "ed25519")]
use super::{composite, ed25519};
use crate::engine::falcon::scheme::SignatureEncoding;

/// The length in bytes of the seed that generates a key, in every scheme except composites. A
/// composite key has two seeds with this length.
pub const SEED_LEN: usize = 32;

/// The lengths of encodings, in bytes.
impl Algorithm {
    /// Returns the length of the encoded private key that key generation writes, in bytes.
    ///
    /// In the Falcon family, an encoded private key consists of a first byte and the polynomials f,
    /// g and F. In FN-DSA, the public key's hash follows. In ML-DSA and Ed25519, the private key is
    /// a seed with 32 bytes. FIPS 204 calls the ML-DSA seed xi. A composite key has two seeds. An
    /// ML-DSA key can also be in the expanded form ([`Self::expanded_form_len`]).
    pub const fn signing_key_len(self) -> usize {
        match self.family() {
            FamilyAlgorithm::Falcon(algorithm) => algorithm.signing_key_len(),
            FamilyAlgorithm::MlDsa(_) => SEED_LEN,
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => SEED_LEN,
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(_) => composite::PRIVATE_LEN,
        }
    }

    /// Returns the length of an ML-DSA private key in the expanded form, in bytes. FIPS 204 calls
    /// this form the private key. Returns `None` for all other schemes, because their private keys
    /// have only one form.
    pub const fn expanded_form_len(self) -> Option<usize> {
        match self.family() {
            FamilyAlgorithm::MlDsa(set) => Some(set.private_len()),
            _ => None,
        }
    }

    /// Returns the length of an encoded public key, in bytes. In the Falcon family, the encoding
    /// contains a first byte and n fields of 14 bits. In ML-DSA, it contains rho and t1.
    pub const fn verifying_key_len(self) -> usize {
        match self.family() {
            FamilyAlgorithm::Falcon(algorithm) => algorithm.verifying_key_len(),
            FamilyAlgorithm::MlDsa(set) => set.public_len(),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => ed25519::PUBLIC_LEN,
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => set.public_len(),
        }
    }

    /// Returns the length of a new signature, in bytes. In the Falcon family, a new signature is
    /// padded: it has 666 bytes at degree 512, and 1280 bytes at degree 1024.
    pub const fn signature_len(self) -> usize {
        match self.family() {
            FamilyAlgorithm::Falcon(algorithm) => algorithm.signature_len(),
            FamilyAlgorithm::MlDsa(set) => set.signature_len(),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => ed25519::SIGNATURE_LEN,
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => set.signature_len(),
        }
    }

    /// Returns the length of a signature in an encoding, in bytes. For the compressed encoding,
    /// returns the largest possible length. Outside the Falcon family, an algorithm's signatures
    /// have only one length, so `encoding` has no effect.
    pub const fn encoded_signature_len(self, encoding: SignatureEncoding) -> usize {
        match self.family() {
            FamilyAlgorithm::Falcon(algorithm) => algorithm.encoded_signature_len(encoding),
            FamilyAlgorithm::MlDsa(set) => set.signature_len(),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => ed25519::SIGNATURE_LEN,
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => set.signature_len(),
        }
    }
}

/// The lengths of work memory to check keys and to verify, in bytes. Work memory is a buffer that
/// the caller provides. The buffer does not have to be aligned, because the lengths include the
/// bytes that are skipped to align it.
///
/// With more work memory, an operation can store intermediate values instead of computing them
/// again, but has the same result. Ed25519 does not need work memory, and a composite needs the
/// work memory of its ML-DSA half.
impl Algorithm {
    /// Returns how much work memory the check of an encoded private key needs, in bytes. The key
    /// can have any form: for ML-DSA, a seed or the expanded form. If the key is an ML-DSA seed,
    /// this memory also contains the public key, because the check computes the hash of the public
    /// key.
    pub const fn import_work_len(self) -> usize {
        match self.family() {
            FamilyAlgorithm::Falcon(algorithm) => algorithm.import_work_len(),
            FamilyAlgorithm::MlDsa(set) => set.keygen_work_len() + set.public_len(),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => 0,
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => set.ml_dsa().import_work_len(),
        }
    }

    /// Returns how much work memory the fastest check of an encoded private key needs, in bytes.
    pub const fn import_fast_work_len(self) -> usize {
        match self.family() {
            FamilyAlgorithm::Falcon(algorithm) => algorithm.import_work_len(),
            FamilyAlgorithm::MlDsa(set) => set.keygen_fast_work_len() + set.public_len(),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => 0,
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => set.ml_dsa().import_fast_work_len(),
        }
    }

    /// Returns how much work memory a verification needs, in bytes.
    pub const fn verify_work_len(self) -> usize {
        match self.family() {
            FamilyAlgorithm::Falcon(algorithm) => algorithm.verify_work_len(),
            FamilyAlgorithm::MlDsa(set) => set.verify_work_len(),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => 0,
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => set.ml_dsa().verify_work_len(),
        }
    }

    /// Returns how much work memory you need to verify many signatures with keys for this
    /// algorithm, in bytes. If the keys are for several algorithms, you need the largest length
    /// that this function returns for these algorithms.
    pub const fn verify_batch_work_len(self) -> usize {
        match self.family() {
            FamilyAlgorithm::Falcon(algorithm) => algorithm.verify_batch_work_len(),
            FamilyAlgorithm::MlDsa(set) => set.verify_fast_work_len(),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => 0,
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => set.ml_dsa().verify_batch_work_len(),
        }
    }

    /// Returns how much work memory the fastest verification needs, in bytes.
    pub const fn verify_fast_work_len(self) -> usize {
        match self.family() {
            FamilyAlgorithm::Falcon(algorithm) => algorithm.verify_work_len(),
            FamilyAlgorithm::MlDsa(set) => set.verify_fast_work_len(),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => 0,
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => set.ml_dsa().verify_fast_work_len(),
        }
    }
}
