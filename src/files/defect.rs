//! What can be wrong with a file.

use super::foreign::Foreign;
use super::kind::Kind;
use crate::api::Algorithm;
use alloc::borrow::Cow;
use alloc::string::String;
use thiserror::Error;

/// Why a file is no key or signature that can be read. Its text repeats nothing of the content but a PEM label or an
/// identifier.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Defect {
    /// The file has no byte.
    #[error("the file is empty")]
    Empty,
    /// The file is one of another program, which is named.
    #[error("this is {0}")]
    Foreign(Foreign),
    /// The file holds a signature and its message: see [`attached`](super::attached).
    #[error("this is a signed message of {0}, signature and message in one file")]
    SignedMessage(Algorithm),
    /// Nothing is known about the file but the size and the sort of its content, which are named.
    #[error("this is not a key or signature of FN-DSA, Falcon, ML-DSA or Ed25519, but {0}")]
    Unknown(Cow<'static, str>),
    /// The file is as long as a seed of ML-DSA or a key of Ed25519, which have no mark:
    /// [`Accept`](super::Accept) has to name the algorithm.
    #[error("this is 32 bytes of binary data, which may be a seed of ML-DSA or a key of Ed25519")]
    Seed,
    /// The key or signature is of another algorithm than [`Accept`](super::Accept) requires.
    #[error("this is {found}, not {wanted}")]
    OtherAlgorithm {
        /// The algorithms that it may be of, in words.
        found: String,
        /// The algorithm that the caller requires.
        wanted: Algorithm,
    },
    /// The key or signature is of a [toy](Algorithm::is_toy), which [`Accept`](super::Accept) does not allow.
    #[error("{0} is a toy for tests, without security")]
    Toy(Algorithm),
    /// The private key is encrypted, and the caller has no password for it.
    #[error("the private key has a password")]
    Locked,
    /// The file is a raw key of Ed25519, whose private and public keys have the same length:
    /// [`Accept`](super::Accept) has to name the kind.
    #[error("this is 32 bytes, which may be a private key or a public key of Ed25519")]
    EitherKey,
    /// The file is a text of that many hexadecimal digits, which are too many or too few for a raw
    /// key.
    #[error("the file has {0} hexadecimal digits, and a key has 64")]
    Digits(usize),
    /// The public key after the private key is that of another key.
    #[error("the public key in the file does not belong to the private key")]
    PublicDiffers,
    /// The file begins with a byte order mark of UTF-16.
    #[error("this is text in UTF-16")]
    Utf16,
    /// The first byte is one of a raw encoding, whose length is another.
    #[error("a raw {} of degree {degree_n} has {expected} bytes, but this file has {found}", .kind.name())]
    RawLength {
        /// What the first byte says.
        kind: Kind,
        /// The degree that the first byte says.
        degree_n: usize,
        /// Bytes of such an encoding.
        expected: usize,
        /// Bytes of the file.
        found: usize,
    },
    /// There are several PEM blocks, and how many.
    #[error("the file has {0} PEM blocks, and only one can be used here")]
    Blocks(usize),
    /// There is a PEM block and a NUL byte.
    #[error("the file has a NUL byte in its text")]
    Nul,
    /// A line of the PEM block has blanks before it; the number of the line, from 1.
    #[error("line {0} is indented")]
    Indented(usize),
    /// The BEGIN line has no label or no dashes at its end.
    #[error("the BEGIN line is damaged")]
    Begin,
    /// The END line is missing.
    #[error("the END line is missing")]
    NoEnd,
    /// The file ends in the middle of the block; the number of the last line, from 1.
    #[error("the file is cut in the middle of line {0}")]
    Cut(usize),
    /// The END line has no label or no dashes at its end.
    #[error("the END line is damaged")]
    End,
    /// The two lines have different labels.
    #[error("the BEGIN line has the label {begin}, but the END line has {end}")]
    Labels {
        /// The label of the BEGIN line.
        begin: String,
        /// The label of the END line.
        end: String,
    },
    /// A line of the block is a header; the number of the line, from 1.
    #[error("line {0} is a PEM header (RFC 1421), which fndsa does not read")]
    Header(usize),
    /// The private key is encrypted in the traditional form of OpenSSL, by headers; the number of
    /// the first, from 1.
    #[error("line {0} is a header of OpenSSL's traditional encryption, which fndsa does not read")]
    TraditionalEncryption(usize),
    /// A line of the block has a character that base64 does not have; the number of the line, from 1.
    #[error("line {0} has a character that is not base64")]
    Character(usize),
    /// The base64 is padded wrongly, or has bits that stand for nothing.
    #[error("the base64 is damaged: characters are missing, added or changed")]
    Base64,
    /// The block holds no byte.
    #[error("the block is empty")]
    NoBody,
    /// The label is not that of a key or signature.
    #[error("the PEM label {0} is unknown")]
    Label(String),
    /// No encoding of this kind begins with this byte.
    #[error("the first byte is 0x{first:02x}, and no {} begins with this byte", .kind.name())]
    FirstByte {
        /// What the file says that it is.
        kind: Kind,
        /// The first byte of the encoding.
        first: u8,
    },
    /// The encoding has another length than its first byte says.
    #[error("the content has {found} bytes instead of {expected}: bytes are missing or added")]
    Length {
        /// Bytes of such an encoding.
        expected: usize,
        /// Bytes found.
        found: usize,
    },
    /// A signature has the length of no encoding.
    #[error("{found} bytes are neither a padded signature, which has {expected}, nor a compressed signature")]
    SignatureLength {
        /// Bytes of a padded signature.
        expected: usize,
        /// Bytes found.
        found: usize,
    },
    /// A DER file has another length than its first bytes say.
    #[error("the DER content has {found} bytes instead of {expected}: bytes are missing or added")]
    DerLength {
        /// Bytes that the file says.
        expected: usize,
        /// Bytes of the file.
        found: usize,
    },
    /// A container is damaged, or laid out in a way that is not read.
    #[error("{what} that cannot be read: {why}")]
    Container {
        /// The structure, in words.
        what: &'static str,
        /// What is wrong with the container.
        why: &'static str,
    },
    /// A container names an algorithm that is not known: [`Accept`](super::Accept) may let it in.
    #[error("this is {what} with the unknown OID {oid}")]
    UnknownOid {
        /// The structure, in words.
        what: &'static str,
        /// The identifier of the algorithm.
        oid: String,
    },
    /// A private key is encrypted by a method that is not read; its name and identifier.
    #[error("fndsa does not read this encryption: {0}")]
    Encryption(String),
    /// A private key is encrypted by a method that is read, with parameters that no program writes.
    #[error("fndsa does not read this encryption: {0}")]
    EncryptionParameters(String),
    /// A private key asks for a password check that costs too much; what it asks for.
    #[error("the password check costs more than fndsa allows: {0}")]
    Cost(String),
}
