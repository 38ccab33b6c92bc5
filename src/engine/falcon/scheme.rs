//! The schemes of the family as data. f, g, F, G, the sampler and the norm of a signature are theirs in common; what
//! else a scheme is stands in its row of [`RULES`]: encodings, bounds, how a message is hashed.
//!
//! Numbers of sections are those of `docs/scheme.md`: FN-DSA is 2, the preview 3, Falcon 4, falcon-rs 5.

use super::params::{
    Degree, FALCON_INFINITY_BOUND, FALCON_ORTHO_NORM_BOUND, FG_BITS, INFINITY_BOUND, NONCE_LEN, ORTHO_NORM_BOUND, Q,
};
use crate::engine::hash::message::{Hashing, KEY_HASH_LEN};
use crate::engine::hash::shake::MANY;
pub use crate::simd::Order;
use crate::simd::SCRATCH_ALIGN;

/// A scheme of the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FalconScheme {
    /// The putative draft of FIPS 206, as of crate `fn-dsa` 0.4.0. The standard is not published;
    /// this will change with it.
    FnDsa,
    /// An earlier guess at the draft, of November 2024, as of crates `fn-dsa` 0.1 to 0.3.
    FnDsa2024,
    /// Falcon as submitted to round 3 of NIST's process, version 1.2 of its specification.
    Falcon,
    /// Falcon with the hashing of crate `falcon-rs` 0.3. For verification only.
    FalconRs,
}

/// What a scheme is, beside f, g, F and the sampler.
#[derive(Debug)]
pub struct Rules {
    /// Whose row this is.
    scheme: FalconScheme,
    /// The order of everything encoded and of the words of `HashToPoint`.
    pub order: Order,
    /// The public key is h in the transform's domain. Else it is the coefficients of h.
    pub transformed_public: bool,
    /// The private key ends with the hash of the public key.
    pub stores_key_hash: bool,
    /// Gram-Schmidt norms of keys are below this, as [`ORTHO_NORM_BOUND`].
    pub ortho_norm_bound: u64,
    /// Largest absolute value of a coefficient of s1.
    pub s1_bound: u32,
    /// Largest absolute value of a coefficient of s2.
    pub s2_bound: u32,
    /// How the message enters.
    pub hashing: Hashing,
    /// Signatures have several encodings. Else padded is the only one.
    pub has_encodings: bool,
    /// Keys and signatures are made, too.
    pub signs: bool,
}

const FALCON: Rules = Rules {
    scheme: FalconScheme::Falcon,
    order: Order::Big,
    transformed_public: false,
    stores_key_hash: false,
    ortho_norm_bound: FALCON_ORTHO_NORM_BOUND,
    s1_bound: Q / 2,
    s2_bound: FALCON_INFINITY_BOUND,
    hashing: Hashing { through_mu: false, binds_key: false, has_context: false, oid_skip: 0, few_prehashes: false },
    has_encodings: true,
    signs: true,
};

/// One row for each scheme, in the order of the variants.
const RULES: [Rules; 4] = [
    Rules {
        scheme: FalconScheme::FnDsa,
        order: Order::Little,
        transformed_public: true,
        stores_key_hash: true,
        ortho_norm_bound: ORTHO_NORM_BOUND,
        s1_bound: INFINITY_BOUND,
        s2_bound: INFINITY_BOUND,
        hashing: Hashing::OF_FIPS_204,
        has_encodings: false,
        signs: true,
    },
    Rules {
        scheme: FalconScheme::FnDsa2024,
        hashing: Hashing { through_mu: false, binds_key: true, has_context: true, oid_skip: 0, few_prehashes: false },
        has_encodings: false,
        ..FALCON
    },
    FALCON,
    Rules {
        scheme: FalconScheme::FalconRs,
        // The content of the identifier, without tag and length.
        hashing: Hashing { through_mu: false, binds_key: false, has_context: true, oid_skip: 2, few_prehashes: true },
        signs: false,
        ..FALCON
    },
];

// `FalconScheme::rules` finds a row by the number of its variant.
const _: () = {
    let mut i = 0;
    while i < RULES.len() {
        assert!(RULES[i].scheme as usize == i && FalconScheme::ALL[i] as usize == i);
        i += 1;
    }
};

impl FalconScheme {
    /// All of them.
    pub const ALL: [Self; RULES.len()] = [Self::FnDsa, Self::FnDsa2024, Self::Falcon, Self::FalconRs];

    /// What the scheme is.
    pub const fn rules(self) -> &'static Rules {
        const ROWS: &[Rules; 4] = &RULES;
        &ROWS[self as usize]
    }
}

/// How the coefficients of s2 stand in a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SignatureEncoding {
    /// Compressed, and zeros up to a length that the degree fixes. The only one of FN-DSA.
    Padded,
    /// Compressed, and nothing behind it: the length varies.
    Compressed,
    /// Fields of equal length, so that decoding takes constant time.
    Ct,
}

impl SignatureEncoding {
    /// Its name: `padded`, `compressed`, `ct`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Padded => "padded",
            Self::Compressed => "compressed",
            Self::Ct => "ct",
        }
    }
}

/// A scheme of the family with its degree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FalconAlgorithm {
    scheme: FalconScheme,
    degree: Degree,
}

impl FalconAlgorithm {
    /// A scheme at a degree.
    pub const fn new(scheme: FalconScheme, degree: Degree) -> Self {
        Self { scheme, degree }
    }

    /// The scheme.
    pub const fn scheme(self) -> FalconScheme {
        self.scheme
    }

    /// The degree of the ring.
    pub const fn degree(self) -> Degree {
        self.degree
    }

    /// Whether the parameters are a toy for tests, which gives no security.
    pub const fn is_toy(self) -> bool {
        self.degree.is_toy()
    }

    /// Bytes of an encoded private key: header, f, g, F, and in FN-DSA the hash of the public key.
    pub const fn signing_key_len(self) -> usize {
        let logn = self.degree.logn() as usize;
        let n = self.degree.n();
        let hash = if self.scheme.rules().stores_key_hash { KEY_HASH_LEN } else { 0 };
        1 + n * FG_BITS[logn] as usize / 4 + n + hash
    }

    /// Bytes of an encoded public key: header, n fields of 14 bits.
    pub const fn verifying_key_len(self) -> usize {
        1 + self.degree.n() * 7 / 4
    }

    /// Bytes of a signature as signing writes it, which is padded: 666 and 1280 at the degrees of the standard.
    pub const fn signature_len(self) -> usize {
        self.degree.padded_len()
    }

    /// Bytes of a signature in an encoding; of a compressed one, the most that it can have.
    pub const fn encoded_signature_len(self, encoding: SignatureEncoding) -> usize {
        let n = self.degree.n();
        match encoding {
            SignatureEncoding::Padded => self.signature_len(),
            // A sign, 7 bits, up to 15 zeros and a one.
            SignatureEncoding::Compressed => 1 + NONCE_LEN + n * 24 / 8,
            SignatureEncoding::Ct => 1 + NONCE_LEN + (n * self.degree.ct_bits() as usize).div_ceil(8),
        }
    }

    /// Bytes of work memory for key generation.
    pub const fn keygen_work_len(self) -> usize {
        // The lengths of big integers are cut for the degrees of the standard.
        let each = if self.is_toy() { 32 } else { 20 };
        each * self.degree.n() + SCRATCH_ALIGN
    }

    /// Bytes of work memory that make key generation fastest: intermediate polynomials are kept
    /// instead of computed again. The keys are those that less memory gives.
    pub const fn keygen_fast_work_len(self) -> usize {
        38 * self.degree.n() + SCRATCH_ALIGN
    }

    /// Bytes of work memory for checking an encoded private key.
    pub const fn import_work_len(self) -> usize {
        36 * self.degree.n() + SCRATCH_ALIGN
    }

    /// Bytes of work memory for one signature from an encoded private key.
    pub const fn sign_work_len(self) -> usize {
        58 * self.degree.n() + SCRATCH_ALIGN
    }

    /// Bytes of work memory for one signature with an expanded key.
    pub const fn sign_expanded_work_len(self) -> usize {
        34 * self.degree.n() + SCRATCH_ALIGN
    }

    /// Bytes of work memory for making the transformed basis of a private key.
    pub const fn basis_work_len(self) -> usize {
        16 * self.degree.n() + SCRATCH_ALIGN
    }

    /// Bytes of work memory for one signature with a basis in memory that is only read.
    pub const fn sign_with_basis_work_len(self) -> usize {
        32 * self.degree.n() + SCRATCH_ALIGN
    }

    /// Bytes of work memory for one verification.
    pub const fn verify_work_len(self) -> usize {
        // A public key in the transform's domain streams past; another is transformed first.
        let rows = if self.scheme.rules().transformed_public { 1 } else { 2 };
        2 * rows * self.degree.n() + SCRATCH_ALIGN
    }

    /// Bytes of work memory for verifications that are made together: two rows for each of [`MANY`].
    pub const fn verify_batch_work_len(self) -> usize {
        2 * 2 * MANY * self.degree.n() + SCRATCH_ALIGN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_those_of_the_specification() {
        let of = |scheme, f: fn(FalconAlgorithm) -> usize| -> Vec<_> {
            Degree::all().map(|degree| f(FalconAlgorithm::new(scheme, degree))).collect()
        };
        assert_eq!(
            of(FalconScheme::FnDsa, FalconAlgorithm::signing_key_len),
            [77, 89, 113, 161, 241, 417, 705, 1345, 2369]
        );
        for scheme in [FalconScheme::FnDsa2024, FalconScheme::Falcon] {
            assert_eq!(of(scheme, FalconAlgorithm::signing_key_len), [13, 25, 49, 97, 177, 353, 641, 1281, 2305]);
        }
        assert_eq!(of(FalconScheme::Falcon, |a| a.encoded_signature_len(SignatureEncoding::Ct))[7..], [809, 1577]);
        for scheme in FalconScheme::ALL {
            assert_eq!(of(scheme, FalconAlgorithm::verifying_key_len), [8, 15, 29, 57, 113, 225, 449, 897, 1793]);
            let padded = of(scheme, FalconAlgorithm::signature_len);
            assert_eq!(padded, [47, 52, 63, 82, 122, 200, 356, 666, 1280]);
        }
        assert!(Degree::from_logn(1).is_none() && Degree::from_logn(11).is_none());
    }

    #[test]
    fn each_scheme_has_its_row() {
        for (i, scheme) in FalconScheme::ALL.into_iter().enumerate() {
            assert_eq!(scheme as usize, i);
            assert!(scheme.rules().s2_bound >> 7 <= 15, "the length of compressed signatures");
        }
    }
}
