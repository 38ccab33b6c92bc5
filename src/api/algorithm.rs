//! Schemes and algorithms, with their names, numbers and capabilities.

#[cfg(feature = "ed25519")]
use super::composite::{self, CompositeSet};
use crate::engine::falcon::params::Degree;
use crate::engine::falcon::scheme::{FalconAlgorithm, FalconScheme, SignatureEncoding};
use crate::engine::hash::message::HashingRules;
use crate::engine::hash::prehash::PreHash;
use crate::engine::mldsa::params::MlDsaSet;
use core::fmt;

/// A signature scheme, without the degree or the parameter set.
///
/// Keys and signatures from different schemes may have the same encoding, but a signature is valid
/// only in its own scheme. [`Scheme::FALCON_FAMILY`] lists the schemes in the Falcon family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Scheme {
    /// FN-DSA, as in the putative draft of FIPS 206 and in crate `fn-dsa` 0.4.0. The standard is
    /// not published yet. If it differs from the draft, this scheme will change.
    FnDsa,
    /// The FN-DSA preview of November 2024: an earlier guess at the draft, as in crates `fn-dsa`
    /// 0.1 to 0.3.
    FnDsa2024,
    /// Falcon, as submitted to round 3 of NIST's process (specification, version 1.2).
    Falcon,
    /// Falcon, but messages are hashed as in crate `falcon-rs` 0.3. Only verification is possible.
    FalconRs,
    /// ML-DSA, as in FIPS 204.
    MlDsa,
    /// Ed25519, as in RFC 8032: Ed25519 without a context and a pre-hash, Ed25519ctx with a
    /// context, and Ed25519ph with the pre-hash SHA-512. This scheme does not use lattices, and a
    /// quantum computer would break it. Use it only for a dual signature.
    #[cfg(feature = "ed25519")]
    Ed25519,
    /// ML-DSA and Ed25519 together, as in draft-ietf-lamps-pq-composite-sigs-19. A signature is
    /// valid only if both halves are valid. The RFC is not published yet. If it differs from the
    /// draft, this scheme will change.
    #[cfg(feature = "ed25519")]
    MlDsaEd25519,
}

/// A scheme, with a variant for each family.
pub(crate) enum FamilyScheme {
    /// A scheme of the Falcon family.
    Falcon(FalconScheme),
    /// ML-DSA.
    MlDsa,
    /// Ed25519.
    #[cfg(feature = "ed25519")]
    Ed25519,
    /// ML-DSA and Ed25519 together.
    #[cfg(feature = "ed25519")]
    Composite,
}

impl Scheme {
    /// The number of schemes.
    const COUNT: usize = if cfg!(feature = "ed25519") { 7 } else { 5 };
    /// All schemes. With the feature `ed25519`, this includes Ed25519 and `MlDsaEd25519`.
    pub const ALL: [Self; Self::COUNT] = [
        Self::FnDsa,
        Self::FnDsa2024,
        Self::Falcon,
        Self::FalconRs,
        Self::MlDsa,
        #[cfg(feature = "ed25519")]
        Self::Ed25519,
        #[cfg(feature = "ed25519")]
        Self::MlDsaEd25519,
    ];
    /// The Falcon family: FN-DSA, Falcon and similar schemes. An algorithm in these schemes has a
    /// [`Degree`].
    pub const FALCON_FAMILY: [Self; 4] = [Self::FnDsa, Self::FnDsa2024, Self::Falcon, Self::FalconRs];

    /// Returns the scheme as an enum, which has a variant for each family.
    pub(crate) const fn family(self) -> FamilyScheme {
        FamilyScheme::Falcon(match self {
            Self::FnDsa => FalconScheme::FnDsa,
            Self::FnDsa2024 => FalconScheme::FnDsa2024,
            Self::Falcon => FalconScheme::Falcon,
            Self::FalconRs => FalconScheme::FalconRs,
            Self::MlDsa => return FamilyScheme::MlDsa,
            #[cfg(feature = "ed25519")]
            Self::Ed25519 => return FamilyScheme::Ed25519,
            #[cfg(feature = "ed25519")]
            Self::MlDsaEd25519 => return FamilyScheme::Composite,
        })
    }

    /// Converts a scheme from the engine of the Falcon family to the public type.
    const fn of_falcon(scheme: FalconScheme) -> Self {
        match scheme {
            FalconScheme::FnDsa => Self::FnDsa,
            FalconScheme::FnDsa2024 => Self::FnDsa2024,
            FalconScheme::Falcon => Self::Falcon,
            FalconScheme::FalconRs => Self::FalconRs,
        }
    }

    /// Returns the name: `FN-DSA`, `FN-DSA-2024`, `Falcon`, `falcon-rs`, `ML-DSA`, `Ed25519`
    /// or `ML-DSA-Ed25519`. The command line uses the same names in lower case.
    pub const fn title(self) -> &'static str {
        match self {
            Self::FnDsa => "FN-DSA",
            Self::FnDsa2024 => "FN-DSA-2024",
            Self::Falcon => "Falcon",
            Self::FalconRs => "falcon-rs",
            Self::MlDsa => "ML-DSA",
            #[cfg(feature = "ed25519")]
            Self::Ed25519 => "Ed25519",
            #[cfg(feature = "ed25519")]
            Self::MlDsaEd25519 => "ML-DSA-Ed25519",
        }
    }

    /// Returns the rules for hashing a message.
    pub(crate) const fn hashing(self) -> &'static HashingRules {
        match self.family() {
            FamilyScheme::Falcon(scheme) => &scheme.rules().hashing,
            FamilyScheme::MlDsa => &HashingRules::OF_FIPS_204,
            #[cfg(feature = "ed25519")]
            FamilyScheme::Ed25519 => &super::ed25519::HASHING,
            #[cfg(feature = "ed25519")]
            FamilyScheme::Composite => &composite::HASHING,
        }
    }

    /// Returns whether the library can generate keys and sign in this scheme, if it is built with
    /// the feature `sign`. In all other schemes, it can only verify.
    pub const fn can_sign(self) -> bool {
        match self.family() {
            FamilyScheme::Falcon(scheme) => scheme.rules().signs,
            _ => true,
        }
    }

    /// Returns whether the scheme can sign without randomness, so that the key and the message
    /// alone determine the signature. Falcon schemes cannot: if two implementations round
    /// differently, they can make two different signatures from the same inputs, and these two
    /// signatures would reveal the private key.
    pub const fn can_sign_deterministically(self) -> bool {
        !matches!(self.family(), FamilyScheme::Falcon(_))
    }

    /// Returns whether the scheme hashes a nonce before the message. In such a scheme, a signer
    /// must draw this nonce, which consists of random bytes, before reading the message.
    pub const fn hashes_nonce(self) -> bool {
        matches!(self.family(), FamilyScheme::Falcon(_)) && !self.hashing().through_mu
    }

    /// Returns whether the scheme hashes the public key together with the message.
    pub const fn binds_key(self) -> bool {
        self.hashing().binds_key
    }

    /// Returns whether a signature can have a context.
    pub const fn has_context(self) -> bool {
        self.hashing().has_context
    }

    /// Returns whether the scheme first hashes the message to 64 bytes, the `mu`, and signs the
    /// `mu`. Another machine can compute the `mu`.
    pub const fn has_mu(self) -> bool {
        self.hashing().through_mu
    }

    /// Returns whether signing hashes a message twice. In such a scheme, the library keeps the
    /// complete message in memory or, with a pre-hash, only the digest.
    pub const fn keeps_message(self) -> bool {
        match self.family() {
            #[cfg(feature = "ed25519")]
            FamilyScheme::Ed25519 => true,
            _ => false,
        }
    }

    /// Returns whether the scheme supports a pre-hash. Only ML-DSA supports digests with fewer than
    /// 256 bits, and falcon-rs only supports SHA-256 and SHA-512. Ed25519 only supports SHA-512:
    /// the variant Ed25519ph of RFC 8032. `MlDsaEd25519` does not support a pre-hash, because
    /// it always hashes the message with SHA-512.
    pub fn has_prehash(self, hash: PreHash) -> bool {
        #[cfg(feature = "ed25519")]
        match self {
            Self::Ed25519 => return hash == PreHash::Sha512,
            Self::MlDsaEd25519 => return false,
            _ => {}
        }
        let has_few_prehashes = self.hashing().has_only_sha2_prehashes;
        let is_long_enough = hash.digest_len() >= 32 || matches!(self.family(), FamilyScheme::MlDsa);
        is_long_enough && (!has_few_prehashes || matches!(hash, PreHash::Sha256 | PreHash::Sha512))
    }

    /// Returns whether keys of this scheme and keys of `other` have the same encoding.
    pub const fn shares_keys_with(self, other: Self) -> bool {
        match (self.family(), other.family()) {
            (FamilyScheme::Falcon(a), FamilyScheme::Falcon(b)) => {
                a.rules().stores_key_hash == b.rules().stores_key_hash
            }
            (FamilyScheme::MlDsa, FamilyScheme::MlDsa) => true,
            #[cfg(feature = "ed25519")]
            (FamilyScheme::Ed25519, FamilyScheme::Ed25519) => true,
            #[cfg(feature = "ed25519")]
            (FamilyScheme::Composite, FamilyScheme::Composite) => true,
            _ => false,
        }
    }

    /// Returns all signature encodings of the scheme. The encoding of new signatures, `Padded`, is
    /// first. Most schemes have only this encoding.
    pub const fn encodings(self) -> &'static [SignatureEncoding] {
        use SignatureEncoding::{Compressed, Ct, Padded};
        match self.family() {
            FamilyScheme::Falcon(scheme) if scheme.rules().has_encodings => &[Padded, Compressed, Ct],
            _ => &[Padded],
        }
    }
}

/// An algorithm for keys and signatures: a scheme with its parameters, such as FN-DSA-512 or
/// ML-DSA-65.
///
/// An algorithm has a name and a number, and its methods return all lengths and capabilities, so a
/// program does not have to know the parameters.
///
/// ```
/// use fndsa::algorithm::{Scheme, SignatureEncoding};
/// use fndsa::Algorithm;
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
/// assert_eq!(Algorithm::ML_DSA_65.signature_len(), 3309);
/// # Ok::<(), fndsa::algorithm::UnknownAlgorithm>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Algorithm(FamilyAlgorithm);

/// An algorithm, with a variant for each family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum FamilyAlgorithm {
    /// An algorithm of the Falcon family.
    Falcon(FalconAlgorithm),
    /// ML-DSA with a parameter set.
    MlDsa(MlDsaSet),
    /// Ed25519.
    #[cfg(feature = "ed25519")]
    Ed25519,
    /// ML-DSA and Ed25519 together.
    #[cfg(feature = "ed25519")]
    Composite(CompositeSet),
}

/// Returns the number in the name of an ML-DSA algorithm.
const fn number_of(set: MlDsaSet) -> u16 {
    match set {
        #[cfg(feature = "ml-dsa")]
        MlDsaSet::S44 => 44,
        #[cfg(feature = "ml-dsa")]
        MlDsaSet::S65 => 65,
        #[cfg(feature = "ml-dsa")]
        MlDsaSet::S87 => 87,
    }
}

impl Algorithm {
    /// FN-DSA-512. A public key has 897 bytes, and a signature has 666 bytes.
    #[cfg(feature = "falcon")]
    pub const FN_DSA_512: Self = Self::of_falcon(FalconAlgorithm::new(FalconScheme::FnDsa, Degree::N512));
    /// FN-DSA-1024. A public key has 1793 bytes, and a signature has 1280 bytes.
    #[cfg(feature = "falcon")]
    pub const FN_DSA_1024: Self = Self::of_falcon(FalconAlgorithm::new(FalconScheme::FnDsa, Degree::N1024));
    /// FN-DSA-2024-512. A public key has 897 bytes, and a padded signature has 666 bytes.
    #[cfg(feature = "falcon")]
    pub const FN_DSA_2024_512: Self = Self::of_falcon(FalconAlgorithm::new(FalconScheme::FnDsa2024, Degree::N512));
    /// FN-DSA-2024-1024. A public key has 1793 bytes, and a padded signature has 1280 bytes.
    #[cfg(feature = "falcon")]
    pub const FN_DSA_2024_1024: Self = Self::of_falcon(FalconAlgorithm::new(FalconScheme::FnDsa2024, Degree::N1024));
    /// Falcon-512. A public key has 897 bytes, and a padded signature has 666 bytes.
    #[cfg(feature = "falcon")]
    pub const FALCON_512: Self = Self::of_falcon(FalconAlgorithm::new(FalconScheme::Falcon, Degree::N512));
    /// Falcon-1024. A public key has 1793 bytes, and a padded signature has 1280 bytes.
    #[cfg(feature = "falcon")]
    pub const FALCON_1024: Self = Self::of_falcon(FalconAlgorithm::new(FalconScheme::Falcon, Degree::N1024));
    /// ML-DSA-44. A public key has 1312 bytes, and a signature has 2420 bytes.
    #[cfg(feature = "ml-dsa")]
    pub const ML_DSA_44: Self = Self::of_mldsa_set(MlDsaSet::S44);
    /// ML-DSA-65. A public key has 1952 bytes, and a signature has 3309 bytes.
    #[cfg(feature = "ml-dsa")]
    pub const ML_DSA_65: Self = Self::of_mldsa_set(MlDsaSet::S65);
    /// ML-DSA-87. A public key has 2592 bytes, and a signature has 4627 bytes.
    #[cfg(feature = "ml-dsa")]
    pub const ML_DSA_87: Self = Self::of_mldsa_set(MlDsaSet::S87);
    /// Ed25519. A public key has 32 bytes, and a signature has 64 bytes.
    #[cfg(feature = "ed25519")]
    pub const ED25519: Self = Self(FamilyAlgorithm::Ed25519);
    /// ML-DSA-44 and Ed25519 together. A public key has 1344 bytes, and a signature has 2484 bytes.
    #[cfg(all(feature = "ed25519", feature = "ml-dsa"))]
    pub const ML_DSA_44_ED25519: Self = Self(FamilyAlgorithm::Composite(CompositeSet::S44));
    /// ML-DSA-65 and Ed25519 together. A public key has 1984 bytes, and a signature has 3373 bytes.
    #[cfg(all(feature = "ed25519", feature = "ml-dsa"))]
    pub const ML_DSA_65_ED25519: Self = Self(FamilyAlgorithm::Composite(CompositeSet::S65));

    /// Returns the algorithm for a scheme and a degree. `None` if the scheme is not in
    /// [`Scheme::FALCON_FAMILY`], because other schemes do not have a degree.
    pub const fn at_degree(scheme: Scheme, degree: Degree) -> Option<Self> {
        match scheme.family() {
            FamilyScheme::Falcon(scheme) => Some(Self::of_falcon(FalconAlgorithm::new(scheme, degree))),
            _ => None,
        }
    }

    /// Converts an algorithm from the engine of the Falcon family to the public type.
    pub(crate) const fn of_falcon(algorithm: FalconAlgorithm) -> Self {
        Self(FamilyAlgorithm::Falcon(algorithm))
    }

    /// Returns the algorithm for an ML-DSA parameter set.
    pub(crate) const fn of_mldsa_set(set: MlDsaSet) -> Self {
        Self(FamilyAlgorithm::MlDsa(set))
    }

    /// Returns the algorithm for a composite.
    #[cfg(feature = "ed25519")]
    pub(super) const fn of_composite(set: CompositeSet) -> Self {
        Self(FamilyAlgorithm::Composite(set))
    }

    /// Returns the algorithm as an enum, which has a variant for each family.
    pub(crate) const fn family(self) -> FamilyAlgorithm {
        self.0
    }

    /// Returns the algorithm if it is in the Falcon family.
    pub(crate) const fn falcon(self) -> Option<FalconAlgorithm> {
        match self.0 {
            FamilyAlgorithm::Falcon(algorithm) => Some(algorithm),
            _ => None,
        }
    }

    /// Returns all algorithms, without the [toys](Self::is_toy). The algorithms are sorted by
    /// scheme and then by size, and the smallest is first.
    pub fn all() -> impl Iterator<Item = Self> {
        Scheme::ALL.into_iter().flat_map(Self::of_scheme)
    }

    /// Returns all algorithms and all [toys](Self::is_toy), sorted by scheme and then by size. The
    /// smallest is first.
    pub fn all_with_toys() -> impl Iterator<Item = Self> {
        Scheme::ALL.into_iter().flat_map(Self::of_scheme_with_toys)
    }

    /// Returns the algorithms in a scheme, without the [toys](Self::is_toy). The smallest is first.
    pub fn of_scheme(scheme: Scheme) -> impl Iterator<Item = Self> {
        Self::of_scheme_with_toys(scheme).filter(|algorithm| !algorithm.is_toy())
    }

    /// Returns the algorithms and the [toys](Self::is_toy) in a scheme. The smallest is first.
    pub fn of_scheme_with_toys(scheme: Scheme) -> impl Iterator<Item = Self> {
        let degrees = Degree::all().filter_map(move |degree| Self::at_degree(scheme, degree));
        let sets = MlDsaSet::ALL.into_iter().filter(move |_| scheme == Scheme::MlDsa);
        let algorithms = degrees.chain(sets.map(Self::of_mldsa_set));
        #[cfg(feature = "ed25519")]
        let algorithms = algorithms.chain((scheme == Scheme::Ed25519).then_some(Self::ED25519)).chain(
            CompositeSet::ALL.into_iter().filter(move |_| scheme == Scheme::MlDsaEd25519).map(Self::of_composite),
        );
        algorithms
    }

    /// Returns a number for the algorithm, for interfaces that cannot pass this type, such as the C
    /// interface. The number is the same in every version of this crate.
    ///
    /// The upper byte is the scheme's position in [`Scheme::ALL`], counted from 1. The lower byte
    /// is the binary logarithm of the degree for the Falcon family, the number in the name for
    /// ML-DSA and for `MlDsaEd25519`, and zero for Ed25519.
    pub const fn id(self) -> u16 {
        let parameter = match self.0 {
            FamilyAlgorithm::Falcon(algorithm) => algorithm.degree().logn() as u16,
            FamilyAlgorithm::MlDsa(set) => number_of(set),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => 0,
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => number_of(set.lattice()),
        };
        ((self.scheme() as u16 + 1) << 8) | parameter
    }

    /// Returns the algorithm with this number. `None` if there is no such algorithm, or if it is a
    /// [toy](Self::is_toy).
    pub fn from_id(id: u16) -> Option<Self> {
        Self::all().find(|algorithm| algorithm.id() == id)
    }

    /// Returns the scheme.
    pub const fn scheme(self) -> Scheme {
        match self.0 {
            FamilyAlgorithm::Falcon(algorithm) => Scheme::of_falcon(algorithm.scheme()),
            FamilyAlgorithm::MlDsa(_) => Scheme::MlDsa,
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => Scheme::Ed25519,
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(_) => Scheme::MlDsaEd25519,
        }
    }

    /// Returns the ring's degree. `None` if the algorithm is not in the Falcon family, because
    /// all parameter sets of ML-DSA have the same ring degree, and Ed25519 does not use a ring.
    pub const fn degree(self) -> Option<Degree> {
        match self.0 {
            FamilyAlgorithm::Falcon(algorithm) => Some(algorithm.degree()),
            _ => None,
        }
    }

    /// Returns the algorithm with the same parameters in a different scheme. `None` if the scheme
    /// is in a different family.
    pub const fn with_scheme(self, scheme: Scheme) -> Option<Self> {
        match (self.0, scheme.family()) {
            (FamilyAlgorithm::Falcon(algorithm), FamilyScheme::Falcon(scheme)) => {
                Some(Self::of_falcon(FalconAlgorithm::new(scheme, algorithm.degree())))
            }
            (FamilyAlgorithm::MlDsa(_), FamilyScheme::MlDsa) => Some(self),
            #[cfg(feature = "ed25519")]
            (FamilyAlgorithm::Ed25519, FamilyScheme::Ed25519) => Some(self),
            #[cfg(feature = "ed25519")]
            (FamilyAlgorithm::Composite(_), FamilyScheme::Composite) => Some(self),
            _ => None,
        }
    }

    /// Returns the algorithms of the two halves of a composite: ML-DSA and Ed25519. `None` if the
    /// algorithm is not a composite. A composite key or signature consists of the bytes for both
    /// halves, one after the other. A half alone is not a valid signature.
    pub const fn halves(self) -> Option<[Self; 2]> {
        match self.0 {
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => Some([set.ml_dsa(), Self::ED25519]),
            _ => None,
        }
    }

    /// Returns whether the algorithm is a toy: it has a degree below 512, is only for tests, and is
    /// not secure.
    ///
    /// To get a toy, call [`Self::at_degree`], [`Self::all_with_toys`] or
    /// [`Self::of_scheme_with_toys`]. Names, numbers and `serde` documents of toys are rejected. A
    /// toy's key or signature is accepted only if the caller requires the toy or sets `allow_toys`.
    pub const fn is_toy(self) -> bool {
        match self.0 {
            FamilyAlgorithm::Falcon(algorithm) => algorithm.is_toy(),
            _ => false,
        }
    }

    /// Returns the smallest digest length, in bytes, for a pre-hash that does not weaken the
    /// algorithm. By FIPS 204, section 5.4.1, the collision strength of a pre-hash must be at least
    /// the strength of the parameter set. Returns 0 for all schemes except ML-DSA, because they
    /// allow every pre-hash that they support ([`Scheme::has_prehash`]).
    pub const fn least_digest_len(self) -> usize {
        match self.0 {
            FamilyAlgorithm::MlDsa(set) => set.parameters().challenge_len,
            _ => 0,
        }
    }

    /// Returns whether a pre-hash is weaker than the algorithm: its digest is shorter than
    /// [`Self::least_digest_len`].
    pub fn is_weak_prehash(self, hash: PreHash) -> bool {
        hash.digest_len() < self.least_digest_len()
    }
}

impl fmt::Debug for Algorithm {
    /// Writes the name, in the same format for every family.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Algorithm({self})")
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = match self.0 {
            FamilyAlgorithm::Falcon(algorithm) => algorithm.degree().n() as u16,
            FamilyAlgorithm::MlDsa(set) => number_of(set),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => return f.write_str(self.scheme().title()),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => return f.write_str(set.name()),
        };
        write!(f, "{}-{number}", self.scheme().title())
    }
}

impl core::str::FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    /// Parses a name: the scheme (in upper or lower case), a hyphen, and the degree or the number
    /// of the parameter set, such as `fn-dsa-512`, `Falcon-1024` or `ML-DSA-65`. `Ed25519` does not
    /// have a number, and the names of composites end in `-Ed25519`, such as `ML-DSA-65-Ed25519`.
    ///
    /// # Errors
    /// Returns an error if there is no such algorithm, or if it is a [toy](Algorithm::is_toy).
    fn from_str(name: &str) -> Result<Self, UnknownAlgorithm> {
        #[cfg(feature = "ed25519")]
        if name.eq_ignore_ascii_case(Scheme::Ed25519.title()) {
            return Ok(Self::ED25519);
        }
        // A composite's name does not end with a number: compare the complete name.
        #[cfg(feature = "ed25519")]
        if let Some(set) = CompositeSet::ALL.into_iter().find(|set| set.name().eq_ignore_ascii_case(name)) {
            return Ok(Self::of_composite(set));
        }
        let (title, number) = name.rsplit_once('-').ok_or(UnknownAlgorithm)?;
        let scheme = Scheme::ALL.into_iter().find(|scheme| scheme.title().eq_ignore_ascii_case(title));
        let number = number.starts_with(|c: char| c.is_ascii_digit() && c != '0').then(|| number.parse::<u16>().ok());
        let wanted_number = number.flatten();
        let has_number = |algorithm: &Self| match algorithm.0 {
            FamilyAlgorithm::Falcon(algorithm) => Some(algorithm.degree().n() as u16) == wanted_number,
            FamilyAlgorithm::MlDsa(set) => Some(number_of(set)) == wanted_number,
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 | FamilyAlgorithm::Composite(_) => false,
        };
        scheme.and_then(|scheme| Self::of_scheme(scheme).find(has_number)).ok_or(UnknownAlgorithm)
    }
}

/// The error for an unknown algorithm name. The names of [toys](Algorithm::is_toy) are also
/// unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownAlgorithm;

impl fmt::Display for UnknownAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no algorithm has that name; toys for tests have no name here")
    }
}

impl core::error::Error for UnknownAlgorithm {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_algorithm_has_exactly_one_name() {
        for algorithm in Algorithm::all_with_toys() {
            let name = algorithm.to_string();
            let expected = if algorithm.is_toy() { Err(UnknownAlgorithm) } else { Ok(algorithm) };
            assert_eq!((name.parse(), name.to_lowercase().parse()), (expected, expected), "{name}");
            assert_eq!(Algorithm::from_id(algorithm.id()), expected.ok(), "{name}");
        }
        assert!(!Algorithm::all().any(Algorithm::is_toy));
        assert_eq!(Algorithm::all_with_toys().filter(|algorithm| algorithm.is_toy()).count(), 4 * 7);
        assert_eq!(Algorithm::at_degree(Scheme::FnDsa2024, Degree::N512).unwrap().to_string(), "FN-DSA-2024-512");
        assert_eq!(Algorithm::ML_DSA_44.to_string(), "ML-DSA-44");
        // Programs store these numbers, so they must never change.
        assert_eq!((Algorithm::FN_DSA_512.id(), Algorithm::FALCON_1024.id()), (0x0109, 0x030a));
        assert_eq!((Algorithm::ML_DSA_44.id(), Algorithm::ML_DSA_87.id()), (0x052c, 0x0557));
        assert_eq!([0, 9, 0x0101, 0x0102, 0x010b, 0x0509, 0x0609].map(Algorithm::from_id), [None; 7]);
        for name in [
            "",
            "512",
            "falcon",
            "falcon-",
            "falcon-0512",
            "falcon-+512",
            "falcon-513",
            "falcon-512-",
            "-512",
            "ml-dsa-512",
            "ml-dsa-045",
            "fn-dsa-44",
            "falcon-66048",
        ] {
            assert_eq!(name.parse::<Algorithm>(), Err(UnknownAlgorithm), "{name}");
        }
    }

    #[test]
    fn each_scheme_has_a_number() {
        for (i, scheme) in Scheme::ALL.into_iter().enumerate() {
            assert_eq!(scheme as usize, i);
            let is_falcon = matches!(scheme.family(), FamilyScheme::Falcon(_));
            assert_eq!(Scheme::FALCON_FAMILY.contains(&scheme), is_falcon);
            for algorithm in Algorithm::of_scheme_with_toys(scheme) {
                assert_eq!((algorithm.scheme(), algorithm.with_scheme(scheme)), (scheme, Some(algorithm)));
                assert_eq!(algorithm.falcon().is_some(), is_falcon);
            }
        }
        assert_eq!(Algorithm::at_degree(Scheme::MlDsa, Degree::N512), None);
        assert_eq!(Algorithm::ML_DSA_44.with_scheme(Scheme::FnDsa), None);
    }
}
