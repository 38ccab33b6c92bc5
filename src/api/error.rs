//! What can go wrong, one small enum per kind of question.

use super::algorithm::{Algorithm, Scheme};
use crate::engine::hash::prehash::PreHash;
use core::fmt;

/// A buffer of the wrong size: an output that is not exactly as long as the encoding, or work
/// memory shorter than the published size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferLen {
    /// Bytes asked for.
    pub needed: usize,
    /// Bytes given.
    pub given: usize,
}

/// Why an encoded key is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyError {
    /// The first byte does not name this kind of key at a known degree, in the family of FN-DSA.
    Header {
        /// The byte found; `None` for an empty input.
        found: Option<u8>,
    },
    /// The header names a degree whose encoding has another length, or no key of ML-DSA has this length.
    Length {
        /// Bytes that the algorithm has; of several algorithms, the nearest.
        expected: usize,
        /// Bytes given.
        found: usize,
    },
    /// A coefficient is out of the range of its field.
    Coefficient,
    /// In Ed25519: the public key is no point of the curve in its one encoding, or a point of small order, for which signatures are made
    /// without a private key.
    #[cfg(feature = "ed25519")]
    Point,
    /// A public key of all zeros: it would accept nothing and means a damaged file.
    ZeroKey,
    /// f has no inverse modulo q.
    NotInvertible,
    /// `f G - g F = q` does not hold over the integers with a short G.
    Equation,
    /// `|f|^2 + |g|^2` is too large for a key of this scheme.
    Norm,
    /// The Gram-Schmidt norm is too large: signatures would be too long.
    OrthogonalNorm,
    /// The hash of the public key stored in the private key is not that of its public key.
    KeyHash,
    /// In ML-DSA: t0 in the expanded form does not follow from rho, s1 and s2.
    PublicPart,
    /// In ML-DSA: a seed in the key does not give what it has to within the limits of the standard. No good machine sees that.
    Limit,
    /// The key is of a [toy](Algorithm::is_toy), which a caller must request: `of_algorithm` accepts it.
    Toy {
        /// The algorithm of the key.
        found: Algorithm,
    },
    /// The key is of another algorithm than the one asked for.
    OtherAlgorithm {
        /// The algorithm asked for.
        wanted: Algorithm,
        /// The algorithm of the key.
        found: Algorithm,
    },
    /// The scheme is of another family than this needs.
    OtherFamily,
    /// Private keys of this scheme are not read: it is for verification only.
    VerifyOnly,
    /// An output has the wrong size, or the work memory is too short.
    Work(BufferLen),
}

/// Why no key was made. `R` is the error of the random number generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeygenError<R> {
    /// The random number generator failed.
    Rng(R),
    /// No candidate out of `MAX_KEYGEN_CANDIDATES` was good: the generator is broken.
    Exhausted,
    /// The scheme is for verification only.
    VerifyOnly,
    /// Tables of constants in memory are not what they should be: the machine errs, or the program file is damaged.
    Tables,
    /// The output or the work memory has the wrong size.
    Buffer(BufferLen),
}

/// Why no signature was made. `R` is the error of the random number generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignError<R> {
    /// The random number generator failed.
    Rng(R),
    /// Every attempt failed. In FN-DSA the private key is presumed bad; in the other schemes, which make as
    /// many attempts as the caller prepared, and at most 27, it may be chance.
    Attempts,
    /// The scheme is for verification only.
    VerifyOnly,
    /// The scheme cannot sign the message in this form.
    Message(MessageError),
    /// Signatures of the scheme are not made without randomness.
    Deterministic,
    /// The message was hashed for another scheme.
    OtherScheme,
    /// The message was hashed for another key: the signature would be of no use.
    OtherKey,
    /// The signature that was made does not verify. It is withheld: the machine has erred.
    SelfCheck,
    /// Tables of constants in memory are not what they should be: the machine errs, or the program file is damaged.
    Tables,
    /// The expanded key or the basis in memory is not what it was: the machine errs.
    ExpandedKey,
    /// The output or the work memory has the wrong size.
    Buffer(BufferLen),
}

/// Why a signature is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError {
    /// The length is not that of a signature of the key's degree.
    Length {
        /// Bytes of a signature of that degree.
        expected: usize,
        /// Bytes given.
        found: usize,
    },
    /// The first byte is not that of any signature of the scheme.
    UnknownHeader {
        /// The byte found; `None` for an empty input.
        found: Option<u8>,
    },
    /// The signature is of a [toy](Algorithm::is_toy), which a caller must request: `of_algorithm` accepts it.
    Toy {
        /// The algorithm of the signature.
        found: Algorithm,
    },
    /// The signature is of another algorithm than the caller requires.
    OtherAlgorithm {
        /// The algorithm that the caller requires.
        wanted: Algorithm,
        /// The algorithm of the signature.
        found: Algorithm,
    },
    /// The message was hashed for another scheme, or with the nonce of another signature.
    OtherMessage,
    /// The first byte is not that of a signature of the key's degree.
    Header {
        /// The byte of that degree.
        expected: u8,
        /// The byte given.
        found: u8,
    },
    /// The coefficients are not encoded in the one allowed way.
    Encoding,
    /// The signature does not match this key, message, context and pre-hash.
    Mismatch,
    /// The scheme cannot have signed a message in this form.
    Message(MessageError),
    /// The public key is not valid.
    Key(KeyError),
    /// The work memory is too short.
    Work(BufferLen),
}

impl From<MessageError> for VerifyError {
    fn from(error: MessageError) -> Self {
        Self::Message(error)
    }
}

impl From<KeyError> for VerifyError {
    fn from(error: KeyError) -> Self {
        Self::Key(error)
    }
}

/// Why not all of many signatures are valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BatchError {
    /// Some signatures are not valid; the verdicts tell which, and why.
    Refused {
        /// How many are not valid.
        count: usize,
        /// The number of the first of them, from 0 on.
        first: usize,
    },
    /// There are not as many verdicts as signatures: nothing was verified.
    Verdicts {
        /// Signatures, and so verdicts asked for.
        needed: usize,
        /// Verdicts given.
        given: usize,
    },
    /// The work memory is too short: nothing was verified.
    Work(BufferLen),
}

/// Why a key could not be expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExpandError {
    /// The work memory is too short.
    Work(BufferLen),
    /// The memory for the expanded key is too short.
    Memory(BufferLen),
    /// The key is one of ML-DSA, which is not expanded so.
    OtherFamily,
    /// A seed in the key does not give what it has to within the limits of FIPS 204. No good machine sees that.
    Limit,
    /// The expanded key is not the one of the key: the machine computed wrong. What was expanded is wiped.
    Fault,
}

/// Why there is no basis of a key to sign with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BasisError {
    /// The work memory is too short.
    Work(BufferLen),
    /// The memory is not as long as the basis of the key.
    Length(BufferLen),
    /// The memory does not begin at a multiple of 8 bytes.
    Alignment,
    /// Keys of other families than that of FN-DSA have no such basis.
    OtherFamily,
    /// This is not the basis of the key: it is that of another key or of another version of this library, or it is damaged.
    OtherKey,
    /// The basis came out differently when it was made again: the machine computed wrong. What was written is no basis.
    Fault,
}

/// Why a message cannot be signed or verified as asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessageError {
    /// A context has at most 255 bytes.
    ContextLen {
        /// Bytes given.
        found: usize,
    },
    /// The digest does not have the length of the named hash.
    DigestLen {
        /// Bytes of that hash.
        expected: usize,
        /// Bytes given.
        found: usize,
    },
    /// Signatures of the scheme have no context.
    NoContext {
        /// The scheme.
        scheme: Scheme,
    },
    /// The scheme does not know the pre-hash.
    NoPreHash {
        /// The scheme.
        scheme: Scheme,
        /// The pre-hash.
        hash: PreHash,
    },
    /// The pre-hash is weaker than the algorithm (FIPS 204, 5.4.1), and [`Options::allow_weak_prehash`](super::Options::allow_weak_prehash) is
    /// false.
    WeakPreHash {
        /// The algorithm.
        algorithm: Algorithm,
        /// The pre-hash.
        hash: PreHash,
    },
    /// What should be a signature is none of the algorithm.
    Signature {
        /// The algorithm.
        algorithm: Algorithm,
    },
}

/// Said wherever a private key of such a scheme would be needed.
const VERIFY_ONLY: &str = "the scheme is for verification only";
/// Said of a seed.
const LIMIT: &str = "a seed gives no polynomial within the limits of FIPS 204";
/// Said by what makes keys or signatures.
const TABLES: &str = "tables in memory are damaged: no key and no signature is made";

/// Writes the error of an encoding of a toy.
fn toy(f: &mut fmt::Formatter<'_>, found: Algorithm) -> fmt::Result {
    write!(f, "{found} is a toy for tests, without security: of_algorithm accepts it")
}

impl fmt::Display for BufferLen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a buffer of {} bytes was given where {} are needed", self.given, self.needed)
    }
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header { found: None } => f.write_str("the key is empty"),
            Self::Header { found: Some(b) } => write!(f, "the first byte 0x{b:02x} names no key of this kind"),
            Self::Length { expected, found } => write!(f, "{expected} bytes expected, {found} found"),
            Self::Coefficient => f.write_str("a coefficient is out of range"),
            #[cfg(feature = "ed25519")]
            Self::Point => f.write_str("the public key is no point of the curve, or one of small order"),
            Self::ZeroKey => f.write_str("the public key is all zeros"),
            Self::NotInvertible => f.write_str("f is not invertible modulo q"),
            Self::Equation => f.write_str("fG - gF = q does not hold"),
            Self::Norm => f.write_str("f and g are too long"),
            Self::OrthogonalNorm => f.write_str("the Gram-Schmidt norm is too large"),
            Self::KeyHash => f.write_str("the stored hash is not that of the public key"),
            Self::PublicPart => f.write_str("t0 does not follow from rho, s1 and s2"),
            Self::Limit => f.write_str(LIMIT),
            Self::Toy { found } => toy(f, *found),
            Self::OtherAlgorithm { wanted, found } => write!(f, "the bytes are of {found}, not of {wanted}"),
            Self::OtherFamily => f.write_str("keys of this family have no such form"),
            Self::VerifyOnly => f.write_str(VERIFY_ONLY),
            Self::Work(b) => b.fmt(f),
        }
    }
}

impl<R: fmt::Display> fmt::Display for KeygenError<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rng(e) => write!(f, "the random number generator failed: {e}"),
            Self::Exhausted => f.write_str("no key was found: the random number generator is broken"),
            Self::VerifyOnly => f.write_str(VERIFY_ONLY),
            Self::Tables => f.write_str(TABLES),
            Self::Buffer(b) => b.fmt(f),
        }
    }
}

impl<R: fmt::Display> fmt::Display for SignError<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rng(e) => write!(f, "the random number generator failed: {e}"),
            Self::Attempts => f.write_str("every attempt failed"),
            Self::VerifyOnly => f.write_str(VERIFY_ONLY),
            Self::Message(e) => e.fmt(f),
            Self::Deterministic => f.write_str("the scheme makes no signatures without randomness"),
            Self::OtherScheme => f.write_str("the message was hashed for another scheme"),
            Self::OtherKey => f.write_str("the message was hashed for another key"),
            Self::SelfCheck => f.write_str("the signature made does not verify and is withheld"),
            Self::Tables => f.write_str(TABLES),
            Self::ExpandedKey => f.write_str("the expanded key or the basis in memory is damaged: nothing is signed"),
            Self::Buffer(b) => b.fmt(f),
        }
    }
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { expected, found } => write!(f, "{expected} bytes expected, {found} found"),
            Self::Header { expected, found } => {
                write!(f, "the first byte is 0x{found:02x}, of this key's degree it would be 0x{expected:02x}")
            }
            Self::UnknownHeader { found: None } => f.write_str("the signature is empty"),
            Self::UnknownHeader { found: Some(b) } => write!(f, "the first byte 0x{b:02x} names no signature"),
            Self::Toy { found } => toy(f, *found),
            Self::OtherAlgorithm { wanted, found } => write!(f, "the bytes are of {found}, not of {wanted}"),
            Self::OtherMessage => f.write_str("the message was hashed for another signature"),
            Self::Encoding => f.write_str("the coefficients are not encoded canonically"),
            Self::Mismatch => f.write_str("the signature does not match"),
            Self::Message(e) => e.fmt(f),
            Self::Key(e) => write!(f, "the public key is not valid: {e}"),
            Self::Work(b) => b.fmt(f),
        }
    }
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { count, first } => {
                write!(f, "{count} signatures are not valid, the first of them is number {first}: see the verdicts")
            }
            Self::Verdicts { needed, given } => {
                write!(f, "{given} verdicts were given for {needed} signatures: nothing was verified")
            }
            Self::Work(b) => b.fmt(f),
        }
    }
}

impl fmt::Display for ExpandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Work(b) | Self::Memory(b) => b.fmt(f),
            Self::OtherFamily => f.write_str("keys of ML-DSA have an expanded form of their own"),
            Self::Limit => f.write_str(LIMIT),
            Self::Fault => f.write_str("the machine computed wrong while the key was expanded, and nothing is kept: try again, then on another machine"),
        }
    }
}

impl fmt::Display for BasisError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Work(b) | Self::Length(b) => b.fmt(f),
            Self::Alignment => f.write_str("a basis begins at a multiple of 8 bytes"),
            Self::OtherFamily => f.write_str("only keys of FN-DSA and Falcon have a basis to sign with"),
            Self::OtherKey => f.write_str("this is not the basis of the key, or it is damaged: write it again"),
            Self::Fault => f.write_str("the machine computed wrong while the basis was made, and what was written is none: try again, then on another machine"),
        }
    }
}

impl fmt::Display for MessageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ContextLen { found } => write!(f, "a context has at most 255 bytes, this one {found}"),
            Self::DigestLen { expected, found } => {
                write!(f, "a digest of this hash has {expected} bytes, this one {found}")
            }
            Self::NoContext { scheme } => write!(f, "signatures of {} have no context", scheme.title()),
            Self::NoPreHash { scheme, hash } => {
                write!(f, "{} does not know the pre-hash {}", scheme.title(), hash.name())
            }
            Self::WeakPreHash { algorithm, hash } => write!(
                f,
                "the pre-hash {} is too weak for {algorithm}: FIPS 204 requires {} bits",
                hash.name(),
                8 * algorithm.least_digest_len()
            ),
            Self::Signature { algorithm } => write!(f, "this is no signature of {algorithm}"),
        }
    }
}

impl core::error::Error for BufferLen {}
impl core::error::Error for KeyError {}
impl<R: fmt::Debug + fmt::Display> core::error::Error for KeygenError<R> {}
impl<R: fmt::Debug + fmt::Display> core::error::Error for SignError<R> {}
impl core::error::Error for VerifyError {}
impl core::error::Error for BatchError {}
impl core::error::Error for ExpandError {}
impl core::error::Error for BasisError {}
impl core::error::Error for MessageError {}
