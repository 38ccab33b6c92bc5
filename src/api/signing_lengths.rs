//! The lengths of prepared private keys, and of work memory for operations with private keys, for
//! each algorithm.

use super::algorithm::{Algorithm, FamilyAlgorithm};
use crate::engine::falcon::basis::KeyWithBasis;
use crate::engine::falcon::expanded::ExpandedPrivateKey;
use crate::engine::mldsa::params::MlDsaSet;
use crate::simd::SCRATCH_ALIGN;

/// Returns the larger of two lengths in bytes: `sign_len`, and the work memory that is needed to
/// expand an ML-DSA key from its seed.
const fn max_with_expansion(set: MlDsaSet, sign_len: usize) -> usize {
    let expansion_len = set.public_len() + set.keygen_work_len();
    if sign_len > expansion_len { sign_len } else { expansion_len }
}

/// The lengths of work memory for private keys, in bytes. The buffer does not have to be aligned,
/// because the lengths include the bytes that are skipped to align it.
///
/// With more work memory, an operation can store intermediate values instead of computing them
/// again, but has the same result. Ed25519 does not need work memory, and a composite needs the
/// work memory of its ML-DSA half.
impl Algorithm {
    /// Returns the length of the memory for an expanded private key, in bytes, including the bytes
    /// that are skipped to align it
    /// ([`SigningKeyRef::expand_into`](crate::api::SigningKeyRef::expand_into)). Returns `None` if
    /// the algorithm is not in the Falcon family.
    pub const fn expanded_key_len(self) -> Option<usize> {
        match self.family() {
            FamilyAlgorithm::Falcon(algorithm) => Some(ExpandedPrivateKey::len(algorithm.degree()) + SCRATCH_ALIGN),
            _ => None,
        }
    }

    /// Returns the length in bytes for the transformed basis of a private key
    /// ([`SigningKeyRef::write_basis`](crate::api::SigningKeyRef::write_basis)). Returns `None` if
    /// the algorithm is not in the Falcon family.
    pub const fn basis_len(self) -> Option<usize> {
        match self.family() {
            FamilyAlgorithm::Falcon(algorithm) => Some(KeyWithBasis::len(algorithm.degree())),
            _ => None,
        }
    }

    /// Returns how much work memory key generation needs, in bytes.
    pub const fn keygen_work_len(self) -> usize {
        match self.family() {
            FamilyAlgorithm::Falcon(algorithm) => algorithm.keygen_work_len(),
            FamilyAlgorithm::MlDsa(set) => set.keygen_work_len(),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => 0,
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => set.ml_dsa().keygen_work_len(),
        }
    }

    /// Returns how much work memory the fastest key generation needs, in bytes.
    pub const fn keygen_fast_work_len(self) -> usize {
        match self.family() {
            FamilyAlgorithm::Falcon(algorithm) => algorithm.keygen_fast_work_len(),
            FamilyAlgorithm::MlDsa(set) => set.keygen_fast_work_len(),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => 0,
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => set.ml_dsa().keygen_fast_work_len(),
        }
    }

    /// Returns how much work memory signing with an encoded private key needs, in bytes. The key
    /// can have any form: for ML-DSA, a seed or the expanded form. If the key is an ML-DSA seed,
    /// this memory also contains the expanded form. For the length that a particular key needs,
    /// call [`crate::api::SigningKeyRef::sign_work_len`].
    pub const fn sign_work_len(self) -> usize {
        match self.family() {
            FamilyAlgorithm::Falcon(algorithm) => algorithm.sign_work_len(),
            FamilyAlgorithm::MlDsa(set) => set.private_len() + max_with_expansion(set, set.sign_least_work_len()),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => 0,
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => set.ml_dsa().sign_work_len(),
        }
    }

    /// Returns how much work memory signing with an ML-DSA private key in the expanded form needs,
    /// in bytes. In the Falcon family, returns [`Self::sign_work_len`], because the keys have a
    /// single form.
    pub const fn sign_expanded_form_work_len(self) -> usize {
        match self.family() {
            FamilyAlgorithm::Falcon(algorithm) => algorithm.sign_work_len(),
            FamilyAlgorithm::MlDsa(set) => set.sign_least_work_len(),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => 0,
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => set.ml_dsa().sign_expanded_form_work_len(),
        }
    }

    /// Returns how much work memory ML-DSA needs, in bytes, to sign with an encoded private key and
    /// to store the transform of the challenge. This length is up to 1,024 bytes more than
    /// [`Self::sign_work_len`]. In the Falcon family and for Ed25519, the result is
    /// [`Self::sign_work_len`].
    pub const fn sign_low_work_len(self) -> usize {
        match self.family() {
            FamilyAlgorithm::Falcon(algorithm) => algorithm.sign_work_len(),
            FamilyAlgorithm::MlDsa(set) => set.private_len() + max_with_expansion(set, set.sign_low_work_len()),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => 0,
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => set.ml_dsa().sign_low_work_len(),
        }
    }

    /// Returns how much work memory ML-DSA needs, in bytes, to sign with an encoded private key and
    /// to store the matrix A and the mask y. This length is less than [`Self::sign_fast_work_len`].
    /// Only levels without vectors use this memory: other levels sign as with
    /// [`Self::sign_low_work_len`]. A key in the expanded form needs [`Self::expanded_form_len`]
    /// bytes less. In the Falcon family and for Ed25519, the result is [`Self::sign_work_len`].
    pub const fn sign_matrix_work_len(self) -> usize {
        match self.family() {
            FamilyAlgorithm::Falcon(algorithm) => algorithm.sign_work_len(),
            FamilyAlgorithm::MlDsa(set) => set.private_len() + max_with_expansion(set, set.sign_matrix_work_len()),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => 0,
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => set.ml_dsa().sign_matrix_work_len(),
        }
    }

    /// Returns how much work memory the signer needs to sign fastest with an encoded private key,
    /// in bytes. In the Falcon family, this length is [`Self::sign_work_len`] and 2 bytes for each
    /// coefficient. In the additional bytes, the signer stores the hashed message, so it does not
    /// hash the message again.
    pub const fn sign_fast_work_len(self) -> usize {
        match self.family() {
            FamilyAlgorithm::Falcon(algorithm) => algorithm.sign_fast_work_len(),
            FamilyAlgorithm::MlDsa(set) => set.sign_fast_work_len(),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => 0,
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => set.ml_dsa().sign_fast_work_len(),
        }
    }

    /// Returns how much work memory signing with an expanded key needs, in bytes.
    pub const fn sign_expanded_work_len(self) -> usize {
        match self.family() {
            FamilyAlgorithm::Falcon(algorithm) => algorithm.sign_expanded_work_len(),
            FamilyAlgorithm::MlDsa(set) => set.sign_kept_work_len(),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => 0,
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => set.ml_dsa().sign_expanded_work_len(),
        }
    }

    /// Returns how much work memory you need to write the transformed basis of a private key
    /// ([`SigningKeyRef::write_basis`](crate::api::SigningKeyRef::write_basis)), in bytes. Returns
    /// 0 if the algorithm is not in the Falcon family.
    pub const fn basis_work_len(self) -> usize {
        match self.family() {
            FamilyAlgorithm::Falcon(algorithm) => algorithm.basis_work_len(),
            _ => 0,
        }
    }

    /// Returns how many bytes of work memory are needed to sign with a transformed basis in flash
    /// ([`SigningKeyWithBasis`](crate::api::SigningKeyWithBasis)). Returns 0 if the algorithm is
    /// not in the Falcon family. If the caller provides 2 bytes more for each coefficient, the
    /// signer stores the hashed message and does not hash the message again, so signing is faster.
    pub const fn sign_with_basis_work_len(self) -> usize {
        match self.family() {
            FamilyAlgorithm::Falcon(algorithm) => algorithm.sign_with_basis_work_len(),
            _ => 0,
        }
    }

    /// Returns how much work memory you need to sign several messages at once
    /// ([`ExpandedSigningKey::sign_batch`]), in bytes.
    ///
    /// [`ExpandedSigningKey::sign_batch`]: crate::api::ExpandedSigningKey::sign_batch
    #[cfg(feature = "alloc")]
    pub const fn sign_batch_work_len(self) -> usize {
        match self.family() {
            FamilyAlgorithm::Falcon(algorithm) => algorithm.sign_batch_work_len(),
            FamilyAlgorithm::MlDsa(set) => set.sign_batch_work_len(),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => 0,
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => set.ml_dsa().sign_expanded_work_len(),
        }
    }
}
