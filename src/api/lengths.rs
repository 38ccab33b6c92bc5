//! How long encodings and work memory of each algorithm are.

use super::algorithm::{Algorithm, Family};
#[cfg(feature = "ed25519")]
use super::ed25519;
use crate::engine::falcon::basis::WithBasis;
use crate::engine::falcon::expanded::Expanded;
use crate::engine::falcon::scheme::SignatureEncoding;
use crate::engine::mldsa::params::Set;
use crate::simd::SCRATCH_ALIGN;

/// Lengths of encodings.
impl Algorithm {
    /// Bytes of an encoded private key, as key generation makes it. In the family of FN-DSA: header, f, g, F, and in FN-DSA the hash of
    /// the public key. In ML-DSA: the seed, which FIPS 204 names xi; [`Self::expanded_form_len`] has the other form.
    pub const fn signing_key_len(self) -> usize {
        match self.family() {
            Family::Falcon(algorithm) => algorithm.signing_key_len(),
            Family::MlDsa(_) => crate::api::SEED_LEN,
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => crate::api::SEED_LEN,
        }
    }

    /// Bytes of the expanded form of a private key of ML-DSA, which is what FIPS 204 names a private key. `None` in the family of
    /// FN-DSA, whose keys have one form.
    pub const fn expanded_form_len(self) -> Option<usize> {
        match self.family() {
            Family::MlDsa(set) => Some(set.private_len()),
            _ => None,
        }
    }

    /// Bytes of memory for a private key of the family of FN-DSA that is expanded for many signatures
    /// ([`SigningKeyRef::expand_into`](crate::api::SigningKeyRef::expand_into)), alignment included. `None` in the other families.
    pub const fn expanded_key_len(self) -> Option<usize> {
        match self.family() {
            Family::Falcon(algorithm) => Some(Expanded::len(algorithm.degree()) + SCRATCH_ALIGN),
            _ => None,
        }
    }

    /// Bytes of the transformed basis of a private key of the family of FN-DSA
    /// ([`SigningKeyRef::write_basis`](crate::api::SigningKeyRef::write_basis)). `None` in the other families.
    pub const fn basis_len(self) -> Option<usize> {
        match self.family() {
            Family::Falcon(algorithm) => Some(WithBasis::len(algorithm.degree())),
            _ => None,
        }
    }

    /// Bytes of an encoded public key. In the family of FN-DSA: header, n fields of 14 bits. In ML-DSA: rho and t1.
    pub const fn verifying_key_len(self) -> usize {
        match self.family() {
            Family::Falcon(algorithm) => algorithm.verifying_key_len(),
            Family::MlDsa(set) => set.public_len(),
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => ed25519::PUBLIC_LEN,
        }
    }

    /// Bytes of a signature as signing writes it. In the family of FN-DSA it is padded: 666 and 1280 at the degrees of the standard.
    pub const fn signature_len(self) -> usize {
        match self.family() {
            Family::Falcon(algorithm) => algorithm.signature_len(),
            Family::MlDsa(set) => set.signature_len(),
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => ed25519::SIGNATURE_LEN,
        }
    }

    /// Bytes of a signature in an encoding; of a compressed one, the most that it can have. Signatures of ML-DSA have one length.
    pub const fn encoded_signature_len(self, encoding: SignatureEncoding) -> usize {
        match self.family() {
            Family::Falcon(algorithm) => algorithm.encoded_signature_len(encoding),
            Family::MlDsa(set) => set.signature_len(),
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => ed25519::SIGNATURE_LEN,
        }
    }
}

/// Returns the bytes of work memory with which a key of ML-DSA is expanded from its seed and then signs with `sign` bytes.
const fn from_seed(set: Set, sign: usize) -> usize {
    let expand = set.public_len() + set.keygen_work_len();
    if sign > expand { sign } else { expand }
}

/// Bytes of work memory, alignment included. More memory than the least is the same code with more kept, and gives the same bytes.
/// Ed25519 takes none.
impl Algorithm {
    /// Bytes of work memory for key generation.
    pub const fn keygen_work_len(self) -> usize {
        match self.family() {
            Family::Falcon(algorithm) => algorithm.keygen_work_len(),
            Family::MlDsa(set) => set.keygen_work_len(),
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => 0,
        }
    }

    /// Bytes of work memory that make key generation fastest.
    pub const fn keygen_fast_work_len(self) -> usize {
        match self.family() {
            Family::Falcon(algorithm) => algorithm.keygen_fast_work_len(),
            Family::MlDsa(set) => set.keygen_fast_work_len(),
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => 0,
        }
    }

    /// Bytes of work memory for checking an encoded private key in any form. In ML-DSA a seed needs the room of a public key, too, which
    /// is hashed.
    pub const fn import_work_len(self) -> usize {
        match self.family() {
            Family::Falcon(algorithm) => algorithm.import_work_len(),
            Family::MlDsa(set) => set.keygen_work_len() + set.public_len(),
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => 0,
        }
    }

    /// Bytes of work memory that make the check of an encoded private key fastest.
    pub const fn import_fast_work_len(self) -> usize {
        match self.family() {
            Family::Falcon(algorithm) => algorithm.import_work_len(),
            Family::MlDsa(set) => set.keygen_fast_work_len() + set.public_len(),
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => 0,
        }
    }

    /// Bytes of work memory for one signature from an encoded private key in any form. In ML-DSA a seed needs the room of the expanded
    /// form, too; [`crate::api::SigningKeyRef::sign_work_len`] has what one key needs.
    pub const fn sign_work_len(self) -> usize {
        match self.family() {
            Family::Falcon(algorithm) => algorithm.sign_work_len(),
            Family::MlDsa(set) => set.private_len() + from_seed(set, set.sign_least_work_len()),
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => 0,
        }
    }

    /// Bytes of work memory for one signature from an encoded private key in the expanded form; in the family of FN-DSA, whose keys
    /// have one form, those of [`Self::sign_work_len`].
    pub const fn sign_expanded_form_work_len(self) -> usize {
        match self.family() {
            Family::Falcon(algorithm) => algorithm.sign_work_len(),
            Family::MlDsa(set) => set.sign_least_work_len(),
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => 0,
        }
    }

    /// Bytes of work memory for one signature from an encoded private key where, in ML-DSA, the transform of the challenge is kept:
    /// 1,024 more than [`Self::sign_work_len`] has for the signature.
    pub const fn sign_low_work_len(self) -> usize {
        match self.family() {
            Family::Falcon(algorithm) => algorithm.sign_work_len(),
            Family::MlDsa(set) => set.private_len() + from_seed(set, set.sign_low_work_len()),
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => 0,
        }
    }

    /// Bytes of work memory that make a signature from an encoded private key fastest.
    pub const fn sign_fast_work_len(self) -> usize {
        match self.family() {
            Family::Falcon(algorithm) => algorithm.sign_work_len(),
            Family::MlDsa(set) => set.private_len() + from_seed(set, set.sign_fast_work_len()),
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => 0,
        }
    }

    /// Bytes of work memory for one signature with an expanded key.
    pub const fn sign_expanded_work_len(self) -> usize {
        match self.family() {
            Family::Falcon(algorithm) => algorithm.sign_expanded_work_len(),
            Family::MlDsa(set) => set.sign_kept_work_len(),
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => 0,
        }
    }

    /// Bytes of work memory for making the transformed basis of a private key
    /// ([`SigningKeyRef::write_basis`](crate::api::SigningKeyRef::write_basis)); 0 in the families that have none.
    pub const fn basis_work_len(self) -> usize {
        match self.family() {
            Family::Falcon(algorithm) => algorithm.basis_work_len(),
            _ => 0,
        }
    }

    /// Bytes of work memory for one signature with a transformed basis in memory that is only read
    /// ([`SigningKeyWithBasis`](crate::api::SigningKeyWithBasis)); 0 in the families that have none.
    pub const fn sign_with_basis_work_len(self) -> usize {
        match self.family() {
            Family::Falcon(algorithm) => algorithm.sign_with_basis_work_len(),
            _ => 0,
        }
    }

    /// Bytes of work memory for signatures of several messages at once ([`ExpandedSigningKey::sign_batch`]).
    ///
    /// [`ExpandedSigningKey::sign_batch`]: crate::api::ExpandedSigningKey::sign_batch
    #[cfg(feature = "alloc")]
    pub const fn sign_batch_work_len(self) -> usize {
        match self.family() {
            Family::Falcon(algorithm) => algorithm.sign_batch_work_len(),
            Family::MlDsa(set) => set.sign_kept_work_len(),
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => 0,
        }
    }

    /// Bytes of work memory for one verification.
    pub const fn verify_work_len(self) -> usize {
        match self.family() {
            Family::Falcon(algorithm) => algorithm.verify_work_len(),
            Family::MlDsa(set) => set.verify_work_len(),
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => 0,
        }
    }

    /// Bytes of work memory for verifications of many signatures with keys of this algorithm; with keys of several, the most of
    /// them.
    pub const fn verify_batch_work_len(self) -> usize {
        match self.family() {
            Family::Falcon(algorithm) => algorithm.verify_batch_work_len(),
            Family::MlDsa(set) => set.verify_fast_work_len(),
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => 0,
        }
    }

    /// Bytes of work memory that make a verification fastest.
    pub const fn verify_fast_work_len(self) -> usize {
        match self.family() {
            Family::Falcon(algorithm) => algorithm.verify_work_len(),
            Family::MlDsa(set) => set.verify_fast_work_len(),
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => 0,
        }
    }
}
