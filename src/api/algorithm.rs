//! Schemes and algorithms of all families: what programs ask before they know more.

use crate::engine::falcon::params::Degree;
use crate::engine::falcon::scheme::{FalconAlgorithm, FalconScheme, SignatureEncoding};
use crate::engine::hash::message::Hashing;
use crate::engine::hash::prehash::PreHash;
use crate::engine::mldsa::params::Set;
use core::fmt;

/// Keys and signatures that belong together. Those of two schemes do not verify in each other, though some look the same.
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
    /// ML-DSA, FIPS 204.
    MlDsa,
    /// Ed25519, RFC 8032, in its variant Ed25519ph: no lattice, and no defence against a quantum computer, to stand beside a
    /// signature of one of the others.
    #[cfg(feature = "ed25519")]
    Ed25519,
}

/// A scheme by its family.
pub(crate) enum FamilyScheme {
    /// One of the family of FN-DSA.
    Falcon(FalconScheme),
    /// ML-DSA.
    MlDsa,
    /// Ed25519.
    #[cfg(feature = "ed25519")]
    Ed25519,
}

impl Scheme {
    /// How many there are.
    const COUNT: usize = if cfg!(feature = "ed25519") { 6 } else { 5 };
    /// All of them; Ed25519 with the feature of that name.
    pub const ALL: [Self; Self::COUNT] = [
        Self::FnDsa,
        Self::FnDsa2024,
        Self::Falcon,
        Self::FalconRs,
        Self::MlDsa,
        #[cfg(feature = "ed25519")]
        Self::Ed25519,
    ];
    /// FN-DSA, Falcon and what is like them: the schemes whose algorithms have a [`Degree`].
    pub const FALCON_FAMILY: [Self; 4] = [Self::FnDsa, Self::FnDsa2024, Self::Falcon, Self::FalconRs];

    /// The scheme by its family.
    pub(crate) const fn family(self) -> FamilyScheme {
        FamilyScheme::Falcon(match self {
            Self::FnDsa => FalconScheme::FnDsa,
            Self::FnDsa2024 => FalconScheme::FnDsa2024,
            Self::Falcon => FalconScheme::Falcon,
            Self::FalconRs => FalconScheme::FalconRs,
            Self::MlDsa => return FamilyScheme::MlDsa,
            #[cfg(feature = "ed25519")]
            Self::Ed25519 => return FamilyScheme::Ed25519,
        })
    }

    /// The scheme of the family of FN-DSA by its public name.
    const fn of_falcon(scheme: FalconScheme) -> Self {
        match scheme {
            FalconScheme::FnDsa => Self::FnDsa,
            FalconScheme::FnDsa2024 => Self::FnDsa2024,
            FalconScheme::Falcon => Self::Falcon,
            FalconScheme::FalconRs => Self::FalconRs,
        }
    }

    /// Its name, in print: `FN-DSA`, `FN-DSA-2024`, `Falcon`, `falcon-rs`, `ML-DSA`, `Ed25519`. In lower case it is the name on the command
    /// line.
    pub const fn title(self) -> &'static str {
        match self {
            Self::FnDsa => "FN-DSA",
            Self::FnDsa2024 => "FN-DSA-2024",
            Self::Falcon => "Falcon",
            Self::FalconRs => "falcon-rs",
            Self::MlDsa => "ML-DSA",
            #[cfg(feature = "ed25519")]
            Self::Ed25519 => "Ed25519",
        }
    }

    /// How the message enters a signature.
    pub(crate) const fn hashing(self) -> &'static Hashing {
        match self.family() {
            FamilyScheme::Falcon(scheme) => &scheme.rules().hashing,
            FamilyScheme::MlDsa => &Hashing::OF_FIPS_204,
            #[cfg(feature = "ed25519")]
            FamilyScheme::Ed25519 => &super::ed25519::HASHING,
        }
    }

    /// Whether keys and signatures of it are made here, too.
    pub const fn can_sign(self) -> bool {
        match self.family() {
            FamilyScheme::Falcon(scheme) => scheme.rules().signs,
            _ => true,
        }
    }

    /// Whether a signature may be made without randomness, from key and message alone. In the family of FN-DSA it may not: there
    /// two signatures that differ by a rounding error give the private key away.
    pub const fn can_sign_deterministically(self) -> bool {
        !matches!(self.family(), FamilyScheme::Falcon(_))
    }

    /// Whether a nonce is hashed before the message, and so drawn before the message is read.
    pub const fn hashes_nonce(self) -> bool {
        matches!(self.family(), FamilyScheme::Falcon(_)) && !self.hashing().through_mu
    }

    /// Whether the public key is hashed with the message.
    pub const fn binds_key(self) -> bool {
        self.hashing().binds_key
    }

    /// Whether a signature can have a context.
    pub const fn has_context(self) -> bool {
        self.hashing().has_context
    }

    /// Whether the message is hashed to a `mu`, which may be computed elsewhere.
    pub const fn has_mu(self) -> bool {
        self.hashing().through_mu
    }

    /// Whether the scheme knows a pre-hash. Digests of 224 bits are for ML-DSA alone. Ed25519 hashes each message with SHA-512 here,
    /// and takes no digest.
    pub fn has_prehash(self, hash: PreHash) -> bool {
        #[cfg(feature = "ed25519")]
        if self == Self::Ed25519 {
            return false;
        }
        let few = self.hashing().few_prehashes;
        let is_long = hash.digest_len() >= 32 || matches!(self.family(), FamilyScheme::MlDsa);
        is_long && (!few || matches!(hash, PreHash::Sha256 | PreHash::Sha512))
    }

    /// Whether keys of both schemes have the same encoding.
    pub const fn shares_keys_with(self, other: Self) -> bool {
        match (self.family(), other.family()) {
            (FamilyScheme::Falcon(a), FamilyScheme::Falcon(b)) => {
                a.rules().stores_key_hash == b.rules().stores_key_hash
            }
            (FamilyScheme::MlDsa, FamilyScheme::MlDsa) => true,
            #[cfg(feature = "ed25519")]
            (FamilyScheme::Ed25519, FamilyScheme::Ed25519) => true,
            _ => false,
        }
    }

    /// The encodings of its signatures, the usual one first. A scheme whose signatures have one encoding names that padded.
    pub const fn encodings(self) -> &'static [SignatureEncoding] {
        use SignatureEncoding::{Compressed, Ct, Padded};
        match self.family() {
            FamilyScheme::Falcon(scheme) if scheme.rules().has_encodings => &[Padded, Compressed, Ct],
            _ => &[Padded],
        }
    }
}

/// What keys and signatures are for: a scheme with its parameters, such as FN-DSA-512 or ML-DSA-65.
///
/// Programs ask an algorithm for lengths, for what it can do and for its name, and need not know what it is made of.
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
pub struct Algorithm(Family);

/// An algorithm by its family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Family {
    /// One of the family of FN-DSA.
    Falcon(FalconAlgorithm),
    /// ML-DSA with its set of parameters.
    MlDsa(Set),
    /// Ed25519.
    #[cfg(feature = "ed25519")]
    Ed25519,
}

/// Returns the number in the name of ML-DSA with a set of parameters.
const fn number_of(set: Set) -> u16 {
    match set {
        #[cfg(not(fndsa_falcon_alone))]
        Set::S44 => 44,
        #[cfg(not(fndsa_falcon_alone))]
        Set::S65 => 65,
        #[cfg(not(fndsa_falcon_alone))]
        Set::S87 => 87,
    }
}

impl Algorithm {
    /// FN-DSA-512.
    pub const FN_DSA_512: Self = Self::of_falcon(FalconAlgorithm::new(FalconScheme::FnDsa, Degree::N512));
    /// FN-DSA-1024.
    pub const FN_DSA_1024: Self = Self::of_falcon(FalconAlgorithm::new(FalconScheme::FnDsa, Degree::N1024));
    /// FN-DSA-2024-512.
    pub const FN_DSA_2024_512: Self = Self::of_falcon(FalconAlgorithm::new(FalconScheme::FnDsa2024, Degree::N512));
    /// FN-DSA-2024-1024.
    pub const FN_DSA_2024_1024: Self = Self::of_falcon(FalconAlgorithm::new(FalconScheme::FnDsa2024, Degree::N1024));
    /// Falcon-512.
    pub const FALCON_512: Self = Self::of_falcon(FalconAlgorithm::new(FalconScheme::Falcon, Degree::N512));
    /// Falcon-1024.
    pub const FALCON_1024: Self = Self::of_falcon(FalconAlgorithm::new(FalconScheme::Falcon, Degree::N1024));
    /// ML-DSA-44.
    #[cfg(not(fndsa_falcon_alone))]
    pub const ML_DSA_44: Self = Self::of_set(Set::S44);
    /// ML-DSA-65.
    #[cfg(not(fndsa_falcon_alone))]
    pub const ML_DSA_65: Self = Self::of_set(Set::S65);
    /// ML-DSA-87.
    #[cfg(not(fndsa_falcon_alone))]
    pub const ML_DSA_87: Self = Self::of_set(Set::S87);
    /// Ed25519, in its variant Ed25519ph.
    #[cfg(feature = "ed25519")]
    pub const ED25519: Self = Self(Family::Ed25519);

    /// A scheme at a degree. `None` if the scheme is none of [`Scheme::FALCON_FAMILY`], which have degrees.
    pub const fn at_degree(scheme: Scheme, degree: Degree) -> Option<Self> {
        match scheme.family() {
            FamilyScheme::Falcon(scheme) => Some(Self::of_falcon(FalconAlgorithm::new(scheme, degree))),
            _ => None,
        }
    }

    /// The algorithm of the family of FN-DSA.
    pub(crate) const fn of_falcon(algorithm: FalconAlgorithm) -> Self {
        Self(Family::Falcon(algorithm))
    }

    /// ML-DSA with a set of parameters.
    pub(crate) const fn of_set(set: Set) -> Self {
        Self(Family::MlDsa(set))
    }

    /// The algorithm by its family.
    pub(crate) const fn family(self) -> Family {
        self.0
    }

    /// The algorithm, if it is of the family of FN-DSA.
    pub(crate) const fn falcon(self) -> Option<FalconAlgorithm> {
        match self.0 {
            Family::Falcon(algorithm) => Some(algorithm),
            _ => None,
        }
    }

    /// All algorithms, scheme by scheme, the smallest first, without the [toys](Self::is_toy).
    pub fn all() -> impl Iterator<Item = Self> {
        Scheme::ALL.into_iter().flat_map(Self::of_scheme)
    }

    /// All algorithms and all [toys](Self::is_toy), scheme by scheme, the smallest first.
    pub fn all_with_toys() -> impl Iterator<Item = Self> {
        Scheme::ALL.into_iter().flat_map(Self::of_scheme_with_toys)
    }

    /// The algorithms of a scheme, the smallest first, without the [toys](Self::is_toy).
    pub fn of_scheme(scheme: Scheme) -> impl Iterator<Item = Self> {
        Self::of_scheme_with_toys(scheme).filter(|algorithm| !algorithm.is_toy())
    }

    /// The algorithms and the [toys](Self::is_toy) of a scheme, the smallest first.
    pub fn of_scheme_with_toys(scheme: Scheme) -> impl Iterator<Item = Self> {
        let degrees = Degree::all().filter_map(move |degree| Self::at_degree(scheme, degree));
        let sets = Set::ALL.into_iter().filter(move |_| scheme == Scheme::MlDsa);
        let algorithms = degrees.chain(sets.map(Self::of_set));
        #[cfg(feature = "ed25519")]
        let algorithms = algorithms.chain((scheme == Scheme::Ed25519).then_some(Self::ED25519));
        algorithms
    }

    /// Returns a number that stands for the algorithm in every version of this crate, for interfaces without types.
    ///
    /// The upper byte is the number of the scheme, from 1 on in the order of [`Scheme::ALL`]; the lower byte is the
    /// logarithm of the degree, in ML-DSA the number in the name, and in Ed25519 zero.
    pub const fn id(self) -> u16 {
        let parameter = match self.0 {
            Family::Falcon(algorithm) => algorithm.degree().logn() as u16,
            Family::MlDsa(set) => number_of(set),
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => 0,
        };
        ((self.scheme() as u16 + 1) << 8) | parameter
    }

    /// Finds the algorithm that has this number. `None` if no algorithm has the number, or a [toy](Self::is_toy) has it.
    pub fn from_id(id: u16) -> Option<Self> {
        Self::all().find(|algorithm| algorithm.id() == id)
    }

    /// The scheme.
    pub const fn scheme(self) -> Scheme {
        match self.0 {
            Family::Falcon(algorithm) => Scheme::of_falcon(algorithm.scheme()),
            Family::MlDsa(_) => Scheme::MlDsa,
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => Scheme::Ed25519,
        }
    }

    /// The degree of the ring, in the family of FN-DSA. `None` in ML-DSA, whose ring has one degree, and in Ed25519.
    pub const fn degree(self) -> Option<Degree> {
        match self.0 {
            Family::Falcon(algorithm) => Some(algorithm.degree()),
            _ => None,
        }
    }

    /// The algorithm with these parameters in another scheme of the family. `None` if the scheme is of another family.
    pub const fn with_scheme(self, scheme: Scheme) -> Option<Self> {
        match (self.0, scheme.family()) {
            (Family::Falcon(algorithm), FamilyScheme::Falcon(scheme)) => {
                Some(Self::of_falcon(FalconAlgorithm::new(scheme, algorithm.degree())))
            }
            (Family::MlDsa(_), FamilyScheme::MlDsa) => Some(self),
            #[cfg(feature = "ed25519")]
            (Family::Ed25519, FamilyScheme::Ed25519) => Some(self),
            _ => None,
        }
    }

    /// Whether the parameters are a toy for tests, without security. A caller must request a toy by [`Self::at_degree`], by
    /// [`Self::all_with_toys`] or by [`Self::of_scheme_with_toys`]: names, numbers, encodings and documents of `serde` never give a toy.
    pub const fn is_toy(self) -> bool {
        match self.0 {
            Family::Falcon(algorithm) => algorithm.is_toy(),
            _ => false,
        }
    }

    /// The least length of a pre-hash's digest, in bytes, that does not weaken the algorithm: FIPS 204, 5.4.1, wants a hash with
    /// at least the collision strength of the parameters. 0 in the family of FN-DSA, because its draft requires no strength.
    pub const fn least_digest_len(self) -> usize {
        match self.0 {
            Family::MlDsa(set) => set.parameters().challenge_len,
            _ => 0,
        }
    }

    /// Whether a pre-hash is weaker than the algorithm: its digest is shorter than [`Self::least_digest_len`].
    pub fn is_weak_prehash(self, hash: PreHash) -> bool {
        hash.digest_len() < self.least_digest_len()
    }
}

impl fmt::Debug for Algorithm {
    /// The name, whatever the family is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Algorithm({self})")
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = match self.0 {
            Family::Falcon(algorithm) => algorithm.degree().n() as u16,
            Family::MlDsa(set) => number_of(set),
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => return f.write_str(self.scheme().title()),
        };
        write!(f, "{}-{number}", self.scheme().title())
    }
}

impl core::str::FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    /// The name of a scheme in any case, a hyphen, the degree or the number of the set: `fn-dsa-512`, `Falcon-1024`, `ML-DSA-65`;
    /// `Ed25519` has no number. Names of [toys](Algorithm::is_toy) are unknown.
    fn from_str(name: &str) -> Result<Self, UnknownAlgorithm> {
        #[cfg(feature = "ed25519")]
        if name.eq_ignore_ascii_case(Scheme::Ed25519.title()) {
            return Ok(Self::ED25519);
        }
        let (title, number) = name.rsplit_once('-').ok_or(UnknownAlgorithm)?;
        let scheme = Scheme::ALL.into_iter().find(|scheme| scheme.title().eq_ignore_ascii_case(title));
        let number = number.starts_with(|c: char| c.is_ascii_digit() && c != '0').then(|| number.parse::<u16>().ok());
        let wanted = number.flatten();
        let has_number = |algorithm: &Self| match algorithm.0 {
            Family::Falcon(algorithm) => Some(algorithm.degree().n() as u16) == wanted,
            Family::MlDsa(set) => Some(number_of(set)) == wanted,
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => false,
        };
        scheme.and_then(|scheme| Self::of_scheme(scheme).find(has_number)).ok_or(UnknownAlgorithm)
    }
}

/// No algorithm has that name, or a [toy](Algorithm::is_toy) has it.
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
    fn algorithms_have_one_name() {
        for algorithm in Algorithm::all_with_toys() {
            let name = algorithm.to_string();
            let found = if algorithm.is_toy() { Err(UnknownAlgorithm) } else { Ok(algorithm) };
            assert_eq!((name.parse(), name.to_lowercase().parse()), (found, found), "{name}");
            assert_eq!(Algorithm::from_id(algorithm.id()), found.ok(), "{name}");
        }
        assert!(!Algorithm::all().any(Algorithm::is_toy));
        assert_eq!(Algorithm::all_with_toys().filter(|algorithm| algorithm.is_toy()).count(), 4 * 7);
        assert_eq!(Algorithm::at_degree(Scheme::FnDsa2024, Degree::N512).unwrap().to_string(), "FN-DSA-2024-512");
        assert_eq!(Algorithm::ML_DSA_44.to_string(), "ML-DSA-44");
        // They are kept by who uses them, and never change.
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
    fn each_scheme_has_its_number() {
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
