//! The errors of the library: an enum for each kind of operation.

use super::algorithm::{Algorithm, Scheme};
use crate::engine::hash::prehash::PreHash;
use core::fmt;

/// A buffer has the wrong length: an output is longer or shorter than the encoding, or the work
/// memory is shorter than the operation needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferLen {
    /// The required length in bytes.
    pub needed: usize,
    /// The length of the buffer in bytes.
    pub given: usize,
}

/// An encoded key was rejected, or an operation on a key failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyError {
    /// For the Falcon family: no key of this kind (private or public) starts with this byte, at any
    /// known degree.
    Header {
        /// The first byte, or `None` if the input is empty.
        found: Option<u8>,
    },
    /// The length is wrong. In the Falcon family, the length does not match the degree in the first
    /// byte. In all other schemes, no key has this length.
    Length {
        /// The expected length in bytes. If several algorithms are possible, this is the length
        /// that is nearest to `found`.
        expected: usize,
        /// The length of the input in bytes.
        found: usize,
    },
    /// A coefficient is out of range.
    Coefficient,
    /// For Ed25519: the public key is not the canonical encoding of a point on the curve, or it is
    /// a point of small order. For such a point, anyone can make signatures without a private key.
    #[cfg(feature = "ed25519")]
    Point,
    /// All coefficients of the public key are zero. Such a key would not accept any signature, so
    /// the file is damaged.
    ZeroKey,
    /// The polynomial f is not invertible modulo q.
    NotInvertible,
    /// No short polynomial G satisfies `f G - g F = q` over the integers.
    Equation,
    /// `|f|^2 + |g|^2` is too large for the scheme.
    Norm,
    /// The Gram-Schmidt norm of the basis is too large, so the vectors in signatures with this key
    /// would be too long.
    OrthogonalNorm,
    /// The private key contains a hash of its public key, but this hash is wrong.
    KeyHash,
    /// For ML-DSA: t0 in the expanded form does not match rho, s1 and s2.
    PublicPart,
    /// For ML-DSA: the expansion of a seed in the key exceeds the limits in FIPS 204. This only
    /// happens if the machine computed wrongly.
    Limit,
    /// The key is for a [toy](Algorithm::is_toy), an algorithm that is only for tests. Only
    /// `of_algorithm` accepts toys.
    Toy {
        /// The algorithm of the key.
        found: Algorithm,
    },
    /// The key is for a different algorithm.
    OtherAlgorithm {
        /// The algorithm that the caller requires.
        wanted: Algorithm,
        /// The algorithm of the key.
        found: Algorithm,
    },
    /// The operation does not support the scheme of the key, or the caller asked to convert the key
    /// to a scheme in a different family.
    OtherFamily,
    /// The public key does not belong to the private key.
    OtherPublicKey,
    /// The scheme is only for verification, so private keys are not supported.
    VerifyOnly,
    /// An output has the wrong length, or the work memory is too short.
    Work(BufferLen),
}

/// A key could not be generated. `R` is the error type of the random number generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeygenError<R> {
    /// The random number generator failed.
    Rng(R),
    /// No key was found. In the Falcon family, all 65,536 candidates failed. In ML-DSA, the
    /// expansion of the seed exceeded the limits in FIPS 204. Either the random number generator is
    /// broken, or the machine computed wrongly.
    Exhausted,
    /// The scheme is only for verification.
    VerifyOnly,
    /// The constant tables in memory have changed: the machine has a memory fault, or the program
    /// file is damaged.
    Tables,
    /// An output has the wrong length, or the work memory is too short.
    Buffer(BufferLen),
}

/// A message could not be signed. `R` is the error type of the random number generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignError<R> {
    /// The random number generator failed.
    Rng(R),
    /// All attempts failed, or the caller prepared no attempt. The probable cause depends on the
    /// scheme:
    ///
    /// - In FN-DSA, ML-DSA and composites, the private key is bad.
    /// - In Falcon and FN-DSA-2024, `sign` makes one attempt for each nonce that the caller
    ///   prepared, at most 27. If there are only few nonces, all attempts may fail even with a good
    ///   key. `sign_message` makes up to 64 attempts. If all of them fail, the private key is
    ///   probably bad.
    Attempts,
    /// The scheme is only for verification.
    VerifyOnly,
    /// The scheme does not support the context or the pre-hash, or the message is not a valid
    /// digest.
    Message(MessageError),
    /// The scheme cannot sign without randomness.
    Deterministic,
    /// The message was hashed for a different scheme.
    OtherScheme,
    /// The message was hashed for a different key, so the signature would not verify with this key.
    OtherKey,
    /// The machine computed wrongly, or the key in memory has changed: the new signature does not
    /// verify, or a check during the computation failed. The signature is not returned.
    SelfCheck,
    /// The constant tables in memory have changed: the machine has a memory fault, or the program
    /// file is damaged.
    Tables,
    /// The expanded key or the basis in memory has changed since it was checked, which is a memory
    /// fault.
    ExpandedKey,
    /// An output has the wrong length, or the work memory is too short.
    Buffer(BufferLen),
}

/// A signature was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError {
    /// The length is wrong for the algorithm.
    Length {
        /// The length of a signature for this algorithm, in bytes. If several algorithms are
        /// possible, this is the length that is nearest to `found`.
        expected: usize,
        /// The length of the input in bytes.
        found: usize,
    },
    /// No signature in this scheme starts with this byte.
    UnknownHeader {
        /// The first byte, or `None` if the input is empty.
        found: Option<u8>,
    },
    /// The signature is for a [toy](Algorithm::is_toy). Only `of_algorithm` accepts toys.
    Toy {
        /// The algorithm of the signature.
        found: Algorithm,
    },
    /// The signature is for a different algorithm.
    OtherAlgorithm {
        /// The algorithm that the caller requires.
        wanted: Algorithm,
        /// The algorithm of the signature.
        found: Algorithm,
    },
    /// The message was hashed for a different scheme, or with a nonce that is not the nonce in the
    /// signature. A `mu` does not contain a scheme, so a `mu` for the wrong scheme leads to
    /// [`Self::Mismatch`].
    OtherMessage,
    /// The first byte of the signature does not match the degree of the key.
    Header {
        /// The first byte of a signature at the degree of the key.
        expected: u8,
        /// The first byte of the input.
        found: u8,
    },
    /// The encoding is not canonical, or a value is out of range.
    Encoding,
    /// The signature was not made with this key for this message, context and pre-hash.
    Mismatch,
    /// The scheme does not support the context or the pre-hash, or the message is not a valid
    /// digest.
    Message(MessageError),
    /// The public key is not valid.
    Key(KeyError),
    /// The work memory is too short.
    Work(BufferLen),
}

impl VerifyError {
    /// Returns whether the signature is bad: it is damaged, or it was not made with this key for
    /// this message and these options. All other errors are mistakes in the call, for example a
    /// context that is too long. In both cases, do not accept the signature.
    pub const fn is_bad_signature(&self) -> bool {
        match self {
            Self::Length { .. }
            | Self::UnknownHeader { .. }
            | Self::Toy { .. }
            | Self::OtherAlgorithm { .. }
            | Self::Header { .. }
            | Self::Encoding
            | Self::Mismatch => true,
            Self::Message(error) => matches!(error, MessageError::Signature { .. }),
            Self::OtherMessage | Self::Key(_) | Self::Work(_) => false,
        }
    }
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

/// Some signatures in a batch were rejected, or the batch could not be verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BatchError {
    /// Some signatures were rejected. The verdicts contain the reasons.
    Refused {
        /// The number of rejected signatures.
        count: usize,
        /// The position of the first rejected signature, counted from 0.
        first: usize,
    },
    /// The number of verdicts is not equal to the number of signatures. The library did not verify
    /// any signature.
    Verdicts {
        /// The number of signatures, which is also the required number of verdicts.
        needed: usize,
        /// The number of verdicts that the caller provided.
        given: usize,
    },
    /// The work memory is too short. The library did not verify any signature.
    Work(BufferLen),
}

/// A private key could not be expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExpandError {
    /// The work memory is too short.
    Work(BufferLen),
    /// The memory for the expanded key is too short.
    Memory(BufferLen),
    /// The key is not in the Falcon family. Only keys of this family can be expanded into the
    /// caller's memory.
    OtherFamily,
    /// The expansion of a seed in the key exceeds the limits in FIPS 204. This only happens if the
    /// machine computed wrongly.
    Limit,
    /// The expanded key does not match the key, because the machine computed wrongly. The expanded
    /// key was wiped.
    Fault,
}

/// The transformed basis of a private key could not be made or used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BasisError {
    /// The work memory is too short.
    Work(BufferLen),
    /// The memory that contains the basis has the wrong length.
    Length(BufferLen),
    /// The address of the memory is not a multiple of 8 bytes.
    Alignment,
    /// The key is not in the Falcon family. Other keys have no basis.
    OtherFamily,
    /// The basis does not match the key. It is damaged, or it was made for a different key or with
    /// a different version of this library.
    OtherKey,
    /// The two computations of the basis had different results, so the machine computed wrongly.
    /// You must not use the parts of the basis that were already written.
    Fault,
}

/// A message cannot be signed or verified with the given options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessageError {
    /// The context is longer than 255 bytes.
    ContextLen {
        /// The length of the context in bytes.
        found: usize,
    },
    /// The length of the digest does not match the pre-hash.
    DigestLen {
        /// The digest length of the pre-hash in bytes.
        expected: usize,
        /// The length of the input in bytes.
        found: usize,
    },
    /// The scheme does not support a context.
    NoContext {
        /// The scheme.
        scheme: Scheme,
    },
    /// The scheme does not hash messages to a `mu`.
    NoMu {
        /// The scheme.
        scheme: Scheme,
    },
    /// The scheme does not support the pre-hash.
    NoPreHash {
        /// The scheme.
        scheme: Scheme,
        /// The pre-hash.
        hash: PreHash,
    },
    /// The pre-hash is weaker than the algorithm (FIPS 204, section 5.4.1), and
    /// [`Options::allow_weak_prehash`](super::Options::allow_weak_prehash) is false.
    WeakPreHash {
        /// The algorithm.
        algorithm: Algorithm,
        /// The pre-hash.
        hash: PreHash,
    },
    /// The options have a pre-hash, but the message was not hashed, and the function does not hash
    /// it. Pass a [`MessageDigest`](super::MessageDigest).
    NotHashed {
        /// The pre-hash in the options.
        hash: PreHash,
    },
    /// The pre-hash in the options is not the hash function that computed the digest.
    OtherPreHash {
        /// The pre-hash in the options.
        wanted: PreHash,
        /// The hash function of the digest.
        found: PreHash,
    },
    /// The library was built without this hash function. SHA-2 needs the feature `sha2`.
    HashNotBuilt {
        /// The hash function.
        hash: PreHash,
    },
    /// The bytes are not a signature for the algorithm. `Ed25519Message::new` and
    /// `CompositeMessage::new` also return this error if the key is for a different scheme.
    Signature {
        /// The algorithm.
        algorithm: Algorithm,
    },
}

/// The error text if an operation needs a private key, but the scheme can only verify.
const VERIFY_ONLY: &str = "the scheme is for verification only";
/// The error text if the expansion of a seed exceeds the limits in FIPS 204.
const LIMIT: &str = "a seed gives no polynomial within the limits of FIPS 204";
/// The error text for damaged constant tables.
const TABLES: &str = "tables in memory are damaged: no key and no signature is made";

/// Writes the error text for a toy's key or signature.
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
            Self::OtherFamily => {
                f.write_str("keys of this algorithm have no such form: for example, only ML-DSA keys have a seed")
            }
            Self::OtherPublicKey => f.write_str("the public key does not belong to the private key"),
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
            Self::OtherFamily => f.write_str("only Falcon and FN-DSA keys can be expanded in this way"),
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
            Self::NoMu { scheme } => write!(f, "signatures of {} have no mu", scheme.title()),
            Self::NotHashed { hash } => {
                write!(f, "this function does not hash the message with {}: pass its digest", hash.name())
            }
            Self::OtherPreHash { wanted, found } => {
                write!(f, "the options have the pre-hash {}, but the digest is of {}", wanted.name(), found.name())
            }
            Self::HashNotBuilt { hash } => write!(f, "this library was built without {}", hash.name()),
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
