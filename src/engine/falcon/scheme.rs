//! The schemes as data. In all schemes, f, g, F and G have the same ranges, and the sampler and the
//! bound for a signature's norm are the same. A row in [`RULES`] contains the properties in which a
//! scheme can differ: encodings, bounds, and how a message is hashed.
//!
//! `docs/scheme.md` describes `FnDsa` in section 2, `FnDsa2024` in 3, `Falcon` in 4, and `FalconRs`
//! in 5.

use super::params::{
    Degree, FALCON_INFINITY_BOUND, FALCON_ORTHO_NORM_BOUND, FG_BITS, INFINITY_BOUND, NONCE_LEN, ORTHO_NORM_BOUND, Q,
};
use crate::engine::hash::message::{HashingRules, KEY_HASH_LEN};
use crate::engine::hash::shake::KECCAK_STATES;
pub use crate::simd::BitOrder;
use crate::simd::SCRATCH_ALIGN;

/// A scheme that is related to Falcon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FalconScheme {
    /// The putative FIPS 206 draft, as in crate `fn-dsa` 0.4.0. The standard is not yet published.
    /// If the standard differs from the draft, this scheme will change.
    FnDsa,
    /// An earlier version of the putative draft, from November 2024, as in crates `fn-dsa` 0.1 to
    /// 0.3.
    FnDsa2024,
    /// Falcon as submitted to NIST's process in round 3, with specification version 1.2.
    Falcon,
    /// Falcon with the hashing from crate `falcon-rs` 0.3. This scheme can only verify.
    FalconRs,
}

/// The properties of a scheme that differ between schemes.
#[derive(Debug)]
pub struct SchemeRules {
    /// The scheme with these rules. Its number is the rules' index in [`RULES`].
    scheme: FalconScheme,
    /// The bit order for all encodings and for the words in `HashToPoint`.
    pub order: BitOrder,
    /// If true, an encoded public key contains the transform of h (see `modq`). If false, an
    /// encoded public key contains h's coefficients.
    pub transformed_public: bool,
    /// If true, the private key ends with the public key's hash.
    pub stores_key_hash: bool,
    /// The upper bound (exclusive) for the Gram-Schmidt norm of keys, as in [`ORTHO_NORM_BOUND`].
    pub ortho_norm_bound: u64,
    /// The largest absolute value of a coefficient in s1.
    pub s1_bound: u32,
    /// The largest absolute value of a coefficient in s2.
    pub s2_bound: u32,
    /// The rules for hashing the message.
    pub hashing: HashingRules,
    /// If true, signatures can have any [`SignatureEncoding`]. If false, they can only have the
    /// encoding [`SignatureEncoding::Padded`].
    pub has_encodings: bool,
    /// If true, this crate can make keys and signatures in this scheme. If false, it can only
    /// verify.
    pub signs: bool,
}

/// The rules for [`FalconScheme::Falcon`], from which two other schemes take most fields.
const FALCON: SchemeRules = SchemeRules {
    scheme: FalconScheme::Falcon,
    order: BitOrder::Big,
    transformed_public: false,
    stores_key_hash: false,
    ortho_norm_bound: FALCON_ORTHO_NORM_BOUND,
    s1_bound: Q / 2,
    s2_bound: FALCON_INFINITY_BOUND,
    hashing: HashingRules {
        through_mu: false,
        binds_key: false,
        has_context: false,
        oid_skip: 0,
        has_only_sha2_prehashes: false,
    },
    has_encodings: true,
    signs: true,
};

/// The rules for all schemes, in the same order as the variants of [`FalconScheme`].
const RULES: [SchemeRules; 4] = [
    SchemeRules {
        scheme: FalconScheme::FnDsa,
        order: BitOrder::Little,
        transformed_public: true,
        stores_key_hash: true,
        ortho_norm_bound: ORTHO_NORM_BOUND,
        s1_bound: INFINITY_BOUND,
        s2_bound: INFINITY_BOUND,
        hashing: HashingRules::OF_FIPS_204,
        has_encodings: false,
        signs: true,
    },
    SchemeRules {
        scheme: FalconScheme::FnDsa2024,
        hashing: HashingRules {
            through_mu: false,
            binds_key: true,
            has_context: true,
            oid_skip: 0,
            has_only_sha2_prehashes: false,
        },
        has_encodings: false,
        ..FALCON
    },
    FALCON,
    SchemeRules {
        scheme: FalconScheme::FalconRs,
        // This scheme hashes the content of the pre-hash's object identifier, without its two bytes
        // for the tag and the length.
        hashing: HashingRules {
            through_mu: false,
            binds_key: false,
            has_context: true,
            oid_skip: 2,
            has_only_sha2_prehashes: true,
        },
        signs: false,
        ..FALCON
    },
];

// `FalconScheme::rules` uses the variant's number to find a row.
const _: () = {
    let mut i = 0;
    while i < RULES.len() {
        assert!(RULES[i].scheme as usize == i && FalconScheme::ALL[i] as usize == i);
        i += 1;
    }
};

impl FalconScheme {
    /// All schemes.
    pub const ALL: [Self; RULES.len()] = [Self::FnDsa, Self::FnDsa2024, Self::Falcon, Self::FalconRs];

    /// Returns the scheme's properties.
    pub const fn rules(self) -> &'static SchemeRules {
        const ROWS: &[SchemeRules; 4] = &RULES;
        &ROWS[self as usize]
    }
}

/// The encoding of the s2 coefficients in a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SignatureEncoding {
    /// Compressed, with zeros up to a length that depends on the degree. FN-DSA has only this
    /// encoding.
    Padded,
    /// Compressed, without any bytes after the coefficients, so the length varies.
    Compressed,
    /// Fields with equal lengths, which can be decoded in constant time.
    Ct,
}

impl SignatureEncoding {
    /// Returns the name: `padded`, `compressed` or `ct`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Padded => "padded",
            Self::Compressed => "compressed",
            Self::Ct => "ct",
        }
    }
}

/// A scheme with a degree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FalconAlgorithm {
    scheme: FalconScheme,
    degree: Degree,
}

impl FalconAlgorithm {
    /// Returns the algorithm for a scheme and a degree.
    pub const fn new(scheme: FalconScheme, degree: Degree) -> Self {
        Self { scheme, degree }
    }

    /// Returns the scheme.
    pub const fn scheme(self) -> FalconScheme {
        self.scheme
    }

    /// Returns the ring's degree.
    pub const fn degree(self) -> Degree {
        self.degree
    }

    /// Returns true for toy parameters, which are not secure and only for tests.
    pub const fn is_toy(self) -> bool {
        self.degree.is_toy()
    }

    /// Returns the length in bytes of an encoded private key: the header, f, g, F, and in FN-DSA
    /// also the public key's hash.
    pub const fn signing_key_len(self) -> usize {
        let logn = self.degree.logn() as usize;
        let n = self.degree.n();
        let hash_len = if self.scheme.rules().stores_key_hash { KEY_HASH_LEN } else { 0 };
        1 + n * FG_BITS[logn] as usize / 4 + n + hash_len
    }

    /// Returns the length in bytes of an encoded public key: the header and n fields with 14 bits.
    pub const fn verifying_key_len(self) -> usize {
        1 + self.degree.n() * 7 / 4
    }

    /// Returns the length in bytes of a signature that the signing functions make. Such a signature
    /// is padded, and has 666 or 1280 bytes at the standard's degrees.
    pub const fn signature_len(self) -> usize {
        self.degree.padded_len()
    }

    /// Returns the signature length in bytes for an encoding. If the encoding is compressed, this
    /// length is the maximum.
    pub const fn encoded_signature_len(self, encoding: SignatureEncoding) -> usize {
        let n = self.degree.n();
        match encoding {
            SignatureEncoding::Padded => self.signature_len(),
            // A coefficient has at most 24 bits: a sign bit, 7 bits, at most 15 zeros, and a 1 bit.
            SignatureEncoding::Compressed => 1 + NONCE_LEN + n * 24 / 8,
            SignatureEncoding::Ct => 1 + NONCE_LEN + (n * self.degree.ct_bits() as usize).div_ceil(8),
        }
    }

    /// Returns how much work memory key generation needs, in bytes.
    pub const fn keygen_work_len(self) -> usize {
        // At toy degrees, the solver's big integers need more memory per coefficient.
        let bytes_per_coefficient = if self.is_toy() { 32 } else { 20 };
        bytes_per_coefficient * self.degree.n() + SCRATCH_ALIGN
    }

    /// Returns how much work memory makes key generation fastest, in bytes. With this memory, key
    /// generation stores intermediate polynomials instead of computing them again. The keys do not
    /// depend on the memory's length.
    pub const fn keygen_fast_work_len(self) -> usize {
        38 * self.degree.n() + SCRATCH_ALIGN
    }

    /// Returns how much work memory the check of an encoded private key needs, in bytes.
    pub const fn import_work_len(self) -> usize {
        36 * self.degree.n() + SCRATCH_ALIGN
    }

    /// Returns how much work memory signing with an encoded private key needs, in bytes.
    pub const fn sign_work_len(self) -> usize {
        56 * self.degree.n() + SCRATCH_ALIGN
    }

    /// Returns how much work memory makes signing with an encoded private key fastest, in bytes.
    /// With this memory, the signer stores the hashed message c, and does not compute c again.
    pub const fn sign_fast_work_len(self) -> usize {
        58 * self.degree.n() + SCRATCH_ALIGN
    }

    /// Returns how much work memory signing with an expanded key needs, in bytes.
    pub const fn sign_expanded_work_len(self) -> usize {
        34 * self.degree.n() + SCRATCH_ALIGN
    }

    /// Returns how much work memory is needed to compute a private key's transformed basis, in
    /// bytes.
    pub const fn basis_work_len(self) -> usize {
        16 * self.degree.n() + SCRATCH_ALIGN
    }

    /// Returns how much work memory signing with a basis in read-only memory needs, in bytes.
    pub const fn sign_with_basis_work_len(self) -> usize {
        30 * self.degree.n() + SCRATCH_ALIGN
    }

    /// Returns how much work memory a verification needs, in bytes.
    pub const fn verify_work_len(self) -> usize {
        // A row has n values with two bytes each. Verification needs a row for s2. If the public
        // key is in the transform's domain, it needs no row, because each block of its fields is
        // used as soon as the block is unpacked. Otherwise, the public key needs a second row, in
        // which it is transformed.
        let rows = if self.scheme.rules().transformed_public { 1 } else { 2 };
        2 * rows * self.degree.n() + SCRATCH_ALIGN
    }

    /// Returns how much work memory is needed to verify [`KECCAK_STATES`] signatures together, in
    /// bytes: two rows for each signature.
    pub const fn verify_batch_work_len(self) -> usize {
        2 * 2 * KECCAK_STATES * self.degree.n() + SCRATCH_ALIGN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_equal_those_of_the_specification() {
        let lengths = |scheme, len_of: fn(FalconAlgorithm) -> usize| -> Vec<_> {
            Degree::all().map(|degree| len_of(FalconAlgorithm::new(scheme, degree))).collect()
        };
        assert_eq!(
            lengths(FalconScheme::FnDsa, FalconAlgorithm::signing_key_len),
            [77, 89, 113, 161, 241, 417, 705, 1345, 2369]
        );
        for scheme in [FalconScheme::FnDsa2024, FalconScheme::Falcon] {
            assert_eq!(lengths(scheme, FalconAlgorithm::signing_key_len), [13, 25, 49, 97, 177, 353, 641, 1281, 2305]);
        }
        assert_eq!(lengths(FalconScheme::Falcon, |a| a.encoded_signature_len(SignatureEncoding::Ct))[7..], [809, 1577]);
        for scheme in FalconScheme::ALL {
            assert_eq!(lengths(scheme, FalconAlgorithm::verifying_key_len), [8, 15, 29, 57, 113, 225, 449, 897, 1793]);
            let padded = lengths(scheme, FalconAlgorithm::signature_len);
            assert_eq!(padded, [47, 52, 63, 82, 122, 200, 356, 666, 1280]);
        }
        assert!(Degree::from_logn(1).is_none() && Degree::from_logn(11).is_none());
    }

    #[test]
    fn each_scheme_has_the_rules_of_its_row() {
        for (i, scheme) in FalconScheme::ALL.into_iter().enumerate() {
            assert_eq!(scheme as usize, i);
            assert!(scheme.rules().s2_bound >> 7 <= 15, "a compressed coefficient can have more than 24 bits");
        }
    }
}
