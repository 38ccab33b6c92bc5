//! Defects: the reasons why a file cannot be read.

use super::foreign::ForeignFile;
use super::kind::ObjectKind;
use crate::api::Algorithm;
use alloc::borrow::Cow;
use alloc::string::String;
use thiserror::Error;

/// The reason why a file cannot be read as a key or signature. The message only repeats a PEM label
/// or an OID from the file, and no other content.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Defect {
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The file belongs to another program, which is named.
    #[error("this is {0}")]
    Foreign(ForeignFile),
    /// The file contains a signature and its message: see [`attached`](super::attached).
    #[error("this is a signed message of {0}, signature and message in one file")]
    SignedMessage(Algorithm),
    /// The file format is unknown. The text describes the size and the sort of content.
    #[error("this is not a key or signature of FN-DSA, Falcon, ML-DSA or Ed25519, but {0}")]
    Unknown(Cow<'static, str>),
    /// The file is as long as an ML-DSA seed or an Ed25519 key, which have no mark:
    /// [`ReadOptions`](super::ReadOptions) must name the algorithm.
    #[error("this is 32 bytes of binary data, which may be a seed of ML-DSA or a key of Ed25519")]
    Seed,
    /// The key or signature does not have the algorithm that [`ReadOptions`](super::ReadOptions)
    /// requires.
    #[error("this is {found}, not {wanted}")]
    OtherAlgorithm {
        /// The possible algorithms, as text.
        found: String,
        /// The algorithm that the caller requires.
        wanted: Algorithm,
    },
    /// The algorithm is a [toy](Algorithm::is_toy), and [`ReadOptions`](super::ReadOptions) does
    /// not allow toys.
    #[error("{0} is a toy for tests, without security")]
    Toy(Algorithm),
    /// The private key is encrypted, and the caller has no password for it.
    #[error("the private key has a password")]
    Locked,
    /// The file is a raw Ed25519 key. Private and public keys have the same length, so
    /// [`ReadOptions`](super::ReadOptions) must name the kind.
    #[error("this is 32 bytes, which may be a private key or a public key of Ed25519")]
    EitherKey,
    /// The file only contains hexadecimal digits, but too many or too few for a raw key.
    #[error("the file has {0} hexadecimal digits, and a key has 64")]
    Digits(usize),
    /// The public key after the private key does not belong to the private key.
    #[error("the public key in the file does not belong to the private key")]
    PublicDiffers,
    /// The file starts with a UTF-16 byte order mark.
    #[error("this is text in UTF-16")]
    Utf16,
    /// The file starts like a raw encoding, but its length is different.
    #[error("a raw {} of degree {degree_n} has {expected} bytes, but this file has {found}", .kind.name())]
    RawLength {
        /// The kind according to the first byte.
        kind: ObjectKind,
        /// The degree according to the first byte.
        degree_n: usize,
        /// Expected file length in bytes.
        expected: usize,
        /// File length in bytes.
        found: usize,
    },
    /// There are several PEM blocks. The value is their number.
    #[error("the file has {0} PEM blocks, and only one can be used here")]
    Blocks(usize),
    /// The file contains a PEM block and a NUL byte.
    #[error("the file has a NUL byte in its text")]
    Nul,
    /// A line in the PEM block starts with blanks. The value is the line number, from 1.
    #[error("line {0} is indented")]
    Indented(usize),
    /// The BEGIN line has no label, or no dashes at its end.
    #[error("the BEGIN line is damaged")]
    Begin,
    /// The END line is missing.
    #[error("the END line is missing")]
    NoEnd,
    /// The file ends in the middle of the block. The value is the number of the last line, from 1.
    #[error("the file is cut in the middle of line {0}")]
    Cut(usize),
    /// The END line has no label, or no dashes at its end.
    #[error("the END line is damaged")]
    End,
    /// The BEGIN and END lines have different labels.
    #[error("the BEGIN line has the label {begin}, but the END line has {end}")]
    Labels {
        /// The label in the BEGIN line.
        begin: String,
        /// The label in the END line.
        end: String,
    },
    /// A line in the block is a header. The value is the line number, from 1.
    #[error("line {0} is a PEM header (RFC 1421), which fndsa does not read")]
    Header(usize),
    /// The private key is encrypted in OpenSSL's traditional form, with headers. The value is the
    /// line number of the first header, from 1.
    #[error("line {0} is a header of OpenSSL's traditional encryption, which fndsa does not read")]
    TraditionalEncryption(usize),
    /// A line in the block contains a character that is not base64. The value is the line number,
    /// from 1.
    #[error("line {0} has a character that is not base64")]
    Character(usize),
    /// The base64 has wrong padding, or unused bits that are not zero.
    #[error("the base64 is damaged: characters are missing, added or changed")]
    Base64,
    /// The block is empty.
    #[error("the block is empty")]
    NoBody,
    /// The label does not belong to a key or signature.
    #[error("the PEM label {0} is unknown")]
    Label(String),
    /// No encoding of this kind starts with this byte.
    #[error("the first byte is 0x{first:02x}, and no {} begins with this byte", .kind.name())]
    FirstByte {
        /// The kind according to the file.
        kind: ObjectKind,
        /// The encoding's first byte.
        first: u8,
    },
    /// The encoding is longer or shorter than its first byte requires.
    #[error("the content has {found} bytes instead of {expected}: bytes are missing or added")]
    Length {
        /// Expected encoding length in bytes.
        expected: usize,
        /// Encoding length in the file, in bytes.
        found: usize,
    },
    /// No signature encoding has this length.
    #[error("{found} bytes are neither a padded signature, which has {expected}, nor a compressed signature")]
    SignatureLength {
        /// Length in bytes for a padded signature.
        expected: usize,
        /// Signature length in the file, in bytes.
        found: usize,
    },
    /// A DER file is longer or shorter than its first bytes require.
    #[error("the DER content has {found} bytes instead of {expected}: bytes are missing or added")]
    DerLength {
        /// Length according to the first bytes.
        expected: usize,
        /// File length in bytes.
        found: usize,
    },
    /// A container is damaged, or has an unsupported layout.
    #[error("{what} that cannot be read: {why}")]
    Container {
        /// The structure's name, with its article.
        what: &'static str,
        /// The reason.
        why: &'static str,
    },
    /// A container has an unknown algorithm. [`ReadOptions`](super::ReadOptions) can allow its OID.
    #[error("this is {what} with the unknown OID {oid}")]
    UnknownOid {
        /// The structure's name, with its article.
        what: &'static str,
        /// The algorithm's OID.
        oid: String,
    },
    /// A private key is encrypted with an unsupported method. The value is its name and OID.
    #[error("fndsa does not read this encryption: {0}")]
    Encryption(String),
    /// A supported encryption method has parameters that no program writes.
    #[error("fndsa does not read this encryption: {0}")]
    EncryptionParameters(String),
    /// A private key's password check costs too much. The value describes the cost.
    #[error("the password check costs more than fndsa allows: {0}")]
    Cost(String),
}
