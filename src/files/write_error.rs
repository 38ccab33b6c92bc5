//! The reasons why a key or signature cannot be written to a file.

use super::encoding::FileEncoding;
use super::kind::ObjectKind;
use super::layout::KeyLayout;
use crate::api::Algorithm;
use thiserror::Error;

/// The reason why a key or signature cannot be written in a file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The requested file format cannot contain this kind of object, for example SPKI for a
    /// private key.
    #[error("a {} has no {} form", .kind.name(), .encoding.name())]
    Form {
        /// The object's kind.
        kind: ObjectKind,
        /// The requested file format.
        encoding: FileEncoding,
    },
    /// The bytes are not an encoding of this kind and algorithm.
    #[error("the bytes are not a {} of {algorithm}", .kind.name())]
    Bytes {
        /// The requested kind.
        kind: ObjectKind,
        /// The requested algorithm.
        algorithm: Algorithm,
    },
    /// Private keys of the algorithm cannot have this layout.
    #[error("private keys of {algorithm} have no layout {}", .layout.name())]
    Layout {
        /// The requested layout.
        layout: KeyLayout,
        /// The key's algorithm.
        algorithm: Algorithm,
    },
    /// The caller gave an ML-DSA seed and an expanded key, but the expanded key was not derived
    /// from this seed.
    #[error("the expanded key does not belong to the seed")]
    OtherExpanded,
    /// [`read`](super::read) would not return the same bytes from the new file. The file is wiped
    /// and not returned, because the user could not read the key from this file later.
    #[error("the file of a {} of {algorithm} could not be read again: nothing is written", .kind.name())]
    Unreadable {
        /// The object's kind.
        kind: ObjectKind,
        /// The object's algorithm.
        algorithm: Algorithm,
    },
    /// This library does not write encrypted files in this file format.
    #[error("fndsa cannot encrypt {} files", .0.name())]
    NotEncryptable(FileEncoding),
    /// A raw key of this algorithm has the same length as a raw object of a different kind or
    /// algorithm, so a reader could not distinguish them.
    #[error("raw keys of {algorithm} cannot be read again, because {reason}", algorithm = .0, reason = same_length(*.0))]
    NoRaw(Algorithm),
    /// The requested file format is a container, which needs an OID, but the algorithm has no OID.
    #[error("{0} has no OID")]
    NoOid(Algorithm),
    /// Only seeds can be written as hexadecimal digits.
    #[error("only seeds of ML-DSA, Ed25519 and composites can be written as hexadecimal digits")]
    NoDigits,
    /// The JSON format of TUF has no name for the algorithm.
    #[error("TUF has no name for keys of {0}")]
    NoTufName(Algorithm),
    /// JOSE has no name for keys of the algorithm.
    #[error("JOSE has no name for keys of {0}, only for keys of ML-DSA and Ed25519")]
    NoJwk(Algorithm),
    /// SSH has no name for the algorithm.
    #[error("SSH has no keys of {0}, only of ed25519 and ml-dsa-44-ed25519")]
    NoSshName(Algorithm),
    /// The algorithm has an assigned OID, but the caller gave an OID that identifies no supported
    /// algorithm.
    #[error("keys of {0} must have the OID that is assigned to {0}")]
    FixedOid(Algorithm),
    /// The requested layout contains the seed, but the caller gave only the expanded key.
    #[error("the form {} contains the seed, which cannot be computed from an expanded key", .0.name())]
    NoSeed(KeyLayout),
    /// The requested layout contains the expanded key, but the caller did not give this key.
    #[error("the form {} contains the expanded key, which is not given", .0.name())]
    NoExpanded(KeyLayout),
    /// The caller gave an OID that identifies a supported algorithm, but not the key's algorithm.
    #[error("the OID belongs to {oid}, but the key is {key}")]
    OidAlgorithm {
        /// The algorithm that the OID identifies.
        oid: Algorithm,
        /// The key's algorithm.
        key: Algorithm,
    },
}

/// Returns the reason why a raw key for this algorithm cannot be written. The reason names the raw
/// objects that have the same length, because a reader could not distinguish the key from them.
fn same_length(algorithm: Algorithm) -> &'static str {
    match algorithm.halves() {
        Some(_) => "a private key has 64 bytes, as an Ed25519 signature has",
        None => "private and public keys both have 32 bytes",
    }
}
