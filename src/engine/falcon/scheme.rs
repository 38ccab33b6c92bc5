//! The schemes as data. f, g, F, G, the sampler and the norm of a signature are theirs in common; what
//! else a scheme is stands in its row of [`RULES`]: encodings, bounds, how a message is hashed.
//!
//! Numbers of sections are those of `docs/scheme.md`: FN-DSA is 2, the preview 3, Falcon 4, falcon-rs 5.

use super::params::{
    Degree, FALCON_INFINITY_BOUND, FALCON_ORTHO_NORM_BOUND, FG_BITS, INFINITY_BOUND, KEY_HASH_LEN, NONCE_LEN,
    ORTHO_NORM_BOUND, Q,
};
use crate::engine::hash::prehash::PreHash;
pub use crate::simd::Order;
use crate::simd::SCRATCH_ALIGN;
use core::fmt;

/// A family of keys and signatures. They do not verify in each other, though some look the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Scheme {
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

/// How the message enters a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hashing {
    /// The message is hashed to `mu` first, and the nonce is hashed with `mu`. Else the nonce is hashed
    /// with everything below.
    pub through_mu: bool,
    /// The hash of the public key comes first.
    pub binds_key: bool,
    /// The byte of domain separation, the length of the context and the context come next.
    pub has_context: bool,
    /// Bytes of a pre-hash's identifier, in DER, that are left out.
    pub oid_skip: usize,
    /// Of the pre-hashes there are SHA-256 and SHA-512 only.
    pub few_prehashes: bool,
}

/// What a scheme is, beside f, g, F and the sampler.
#[derive(Debug)]
pub struct Rules {
    /// Whose row this is.
    scheme: Scheme,
    /// Its name, in print. In lower case it is the name on the command line.
    pub title: &'static str,
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
    scheme: Scheme::Falcon,
    title: "Falcon",
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
        scheme: Scheme::FnDsa,
        title: "FN-DSA",
        order: Order::Little,
        transformed_public: true,
        stores_key_hash: true,
        ortho_norm_bound: ORTHO_NORM_BOUND,
        s1_bound: INFINITY_BOUND,
        s2_bound: INFINITY_BOUND,
        hashing: Hashing { through_mu: true, binds_key: true, has_context: true, oid_skip: 0, few_prehashes: false },
        has_encodings: false,
        signs: true,
    },
    Rules {
        scheme: Scheme::FnDsa2024,
        title: "FN-DSA-2024",
        hashing: Hashing { through_mu: false, binds_key: true, has_context: true, oid_skip: 0, few_prehashes: false },
        has_encodings: false,
        ..FALCON
    },
    FALCON,
    Rules {
        scheme: Scheme::FalconRs,
        title: "falcon-rs",
        // The content of the identifier, without tag and length.
        hashing: Hashing { through_mu: false, binds_key: false, has_context: true, oid_skip: 2, few_prehashes: true },
        signs: false,
        ..FALCON
    },
];

// `Scheme::rules` finds a row by the number of its variant.
const _: () = {
    let mut i = 0;
    while i < RULES.len() {
        assert!(RULES[i].scheme as usize == i && Scheme::ALL[i] as usize == i);
        i += 1;
    }
};

impl Scheme {
    /// All of them.
    pub const ALL: [Self; RULES.len()] = [Self::FnDsa, Self::FnDsa2024, Self::Falcon, Self::FalconRs];

    /// What the scheme is.
    pub(crate) const fn rules(self) -> &'static Rules {
        const ROWS: &[Rules; 4] = &RULES;
        &ROWS[self as usize]
    }

    /// Its name, in print: `FN-DSA`, `FN-DSA-2024`, `Falcon`, `falcon-rs`.
    pub const fn title(self) -> &'static str {
        self.rules().title
    }

    /// Whether keys and signatures of it are made here, too.
    pub const fn can_sign(self) -> bool {
        self.rules().signs
    }

    /// Whether the public key is hashed with the message.
    pub const fn binds_key(self) -> bool {
        self.rules().hashing.binds_key
    }

    /// Whether a signature can have a context.
    pub const fn has_context(self) -> bool {
        self.rules().hashing.has_context
    }

    /// Whether the message is hashed to a `mu`, which may be computed elsewhere.
    pub const fn has_mu(self) -> bool {
        self.rules().hashing.through_mu
    }

    /// Whether the scheme knows a pre-hash.
    pub fn has_prehash(self, hash: PreHash) -> bool {
        !self.rules().hashing.few_prehashes || matches!(hash, PreHash::Sha256 | PreHash::Sha512)
    }

    /// Whether keys of both schemes have the same encoding.
    pub const fn shares_keys_with(self, other: Self) -> bool {
        self.rules().stores_key_hash == other.rules().stores_key_hash
    }

    /// The encodings of its signatures, the usual one first.
    pub const fn encodings(self) -> &'static [SignatureEncoding] {
        use SignatureEncoding::{Compressed, Ct, Padded};
        if self.rules().has_encodings { &[Padded, Compressed, Ct] } else { &[Padded] }
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

/// What keys and signatures are for: a scheme with its parameters, such as FN-DSA-512.
///
/// Programs ask an algorithm for lengths, for what it can do and for its name, and need not know what it is made of.
///
/// ```
/// use fndsa::{Algorithm, Scheme, SignatureEncoding};
///
/// let algorithm: Algorithm = "fn-dsa-512".parse()?;
/// assert_eq!((algorithm, algorithm.scheme()), (Algorithm::FN_DSA_512, Scheme::FnDsa));
/// assert_eq!(algorithm.to_string(), "FN-DSA-512");
/// assert_eq!(Algorithm::from_id(algorithm.id()), Some(algorithm));
/// // Lengths are constants, for arrays.
/// const PUBLIC: usize = Algorithm::FN_DSA_512.verifying_key_len();
/// const SIGNATURE: usize = Algorithm::FN_DSA_512.signature_len();
/// assert_eq!((PUBLIC, SIGNATURE), (897, 666));
/// assert_eq!(Algorithm::FALCON_512.encoded_signature_len(SignatureEncoding::Ct), 809);
/// # Ok::<(), fndsa::UnknownAlgorithm>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Algorithm {
    scheme: Scheme,
    degree: Degree,
}

impl Algorithm {
    /// FN-DSA-512.
    pub const FN_DSA_512: Self = Self::new(Scheme::FnDsa, Degree::N512);
    /// FN-DSA-1024.
    pub const FN_DSA_1024: Self = Self::new(Scheme::FnDsa, Degree::N1024);
    /// Falcon-512.
    pub const FALCON_512: Self = Self::new(Scheme::Falcon, Degree::N512);
    /// Falcon-1024.
    pub const FALCON_1024: Self = Self::new(Scheme::Falcon, Degree::N1024);

    /// A scheme of Falcon's family at a degree.
    pub const fn new(scheme: Scheme, degree: Degree) -> Self {
        Self { scheme, degree }
    }

    /// All algorithms, scheme by scheme, the smallest degree first.
    pub fn all() -> impl Iterator<Item = Self> {
        Scheme::ALL.into_iter().flat_map(|scheme| Degree::all().map(move |degree| Self { scheme, degree }))
    }

    /// Returns a number that stands for the algorithm in every version of this crate, for interfaces without types.
    ///
    /// The upper byte is the number of the scheme, from 1 on in the order of [`Scheme::ALL`]; the lower byte is the
    /// logarithm of the degree.
    pub const fn id(self) -> u16 {
        ((self.scheme as u16 + 1) << 8) | self.degree.logn() as u16
    }

    /// Finds the algorithm that has this number. `None` if there is none.
    pub fn from_id(id: u16) -> Option<Self> {
        Self::all().find(|algorithm| algorithm.id() == id)
    }

    /// The scheme.
    pub const fn scheme(self) -> Scheme {
        self.scheme
    }

    /// The degree of the ring.
    pub const fn degree(self) -> Degree {
        self.degree
    }

    /// The algorithm with these parameters in another scheme of the family.
    pub const fn with_scheme(self, scheme: Scheme) -> Self {
        Self { scheme, degree: self.degree }
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
        let each = if self.is_toy() { 32 } else { 25 };
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

    /// Bytes of work memory for one verification.
    pub const fn verify_work_len(self) -> usize {
        // A public key in the transform's domain streams past; another is transformed first.
        let rows = if self.scheme.rules().transformed_public { 1 } else { 2 };
        2 * rows * self.degree.n() + SCRATCH_ALIGN
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.scheme.title(), self.degree.n())
    }
}

impl core::str::FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    /// The name of a scheme in any case, a hyphen, the degree: `fn-dsa-512`, `Falcon-1024`.
    fn from_str(name: &str) -> Result<Self, UnknownAlgorithm> {
        let (title, n) = name.rsplit_once('-').ok_or(UnknownAlgorithm)?;
        let scheme = Scheme::ALL.into_iter().find(|scheme| scheme.title().eq_ignore_ascii_case(title));
        let n = if n.starts_with(|c: char| c.is_ascii_digit() && c != '0') { n.parse().ok() } else { None };
        let degree = Degree::all().find(|degree| Some(degree.n()) == n);
        scheme.zip(degree).map(|(scheme, degree)| Self { scheme, degree }).ok_or(UnknownAlgorithm)
    }
}

/// No algorithm has that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownAlgorithm;

impl fmt::Display for UnknownAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no algorithm has that name")
    }
}

impl core::error::Error for UnknownAlgorithm {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_those_of_the_specification() {
        let of = |scheme, f: fn(Algorithm) -> usize| -> Vec<_> {
            Degree::all().map(|degree| f(Algorithm::new(scheme, degree))).collect()
        };
        assert_eq!(of(Scheme::FnDsa, Algorithm::signing_key_len), [77, 89, 113, 161, 241, 417, 705, 1345, 2369]);
        for scheme in [Scheme::FnDsa2024, Scheme::Falcon] {
            assert_eq!(of(scheme, Algorithm::signing_key_len), [13, 25, 49, 97, 177, 353, 641, 1281, 2305]);
        }
        assert_eq!(of(Scheme::Falcon, |a| a.encoded_signature_len(SignatureEncoding::Ct))[7..], [809, 1577]);
        for scheme in Scheme::ALL {
            assert_eq!(of(scheme, Algorithm::verifying_key_len), [8, 15, 29, 57, 113, 225, 449, 897, 1793]);
            let padded = of(scheme, Algorithm::signature_len);
            assert_eq!(padded, [47, 52, 63, 82, 122, 200, 356, 666, 1280]);
        }
        assert!(Degree::from_logn(1).is_none() && Degree::from_logn(11).is_none());
    }

    #[test]
    fn algorithms_have_one_name() {
        for algorithm in Algorithm::all() {
            let name = algorithm.to_string();
            assert_eq!((name.parse(), name.to_lowercase().parse()), (Ok(algorithm), Ok(algorithm)));
            assert_eq!(Algorithm::from_id(algorithm.id()), Some(algorithm));
        }
        assert_eq!(Algorithm::new(Scheme::FnDsa2024, Degree::N512).to_string(), "FN-DSA-2024-512");
        // They are kept by who uses them, and never change.
        assert_eq!((Algorithm::FN_DSA_512.id(), Algorithm::FALCON_1024.id()), (0x0109, 0x030a));
        assert_eq!([0, 9, 0x0101, 0x010b, 0x0509].map(Algorithm::from_id), [None; 5]);
        for name in ["", "512", "falcon", "falcon-", "falcon-0512", "falcon-+512", "falcon-513", "falcon-512-", "-512"]
        {
            assert_eq!(name.parse::<Algorithm>(), Err(UnknownAlgorithm), "{name}");
        }
    }

    #[test]
    fn each_scheme_has_its_row() {
        for (i, scheme) in Scheme::ALL.into_iter().enumerate() {
            assert_eq!(scheme as usize, i);
            assert!(scheme.rules().s2_bound >> 7 <= 15, "the length of compressed signatures");
        }
    }
}
