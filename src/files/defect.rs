//! The reasons why a file cannot be decoded as a key or signature.

use super::foreign::ForeignFile;
use super::kind::ObjectKind;
use crate::api::Algorithm;
use alloc::borrow::Cow;
use alloc::string::String;
use thiserror::Error;

/// The reason why a file cannot be read as a key or signature. The file could be secret, so the
/// message quotes only the following parts of the file: PEM labels, OIDs, the first byte of a
/// Falcon encoding, and the cost of a password check.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Defect {
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The file has a known format that [`read`](super::read) does not accept. The value contains
    /// the format's name.
    #[error("this is {0}")]
    Foreign(ForeignFile),
    /// The file contains a signature together with its message (see [`attached`](super::attached)).
    #[error("this is a signed message of {0}, signature and message in one file")]
    SignedMessage(Algorithm),
    /// The file is not a key or signature in any known format. The value describes the file: its
    /// type, for example a gzip archive, or its size and whether it is text.
    #[error("this is not a key or signature of FN-DSA, Falcon, ML-DSA or Ed25519, but {0}")]
    Unknown(Cow<'static, str>),
    /// The file contains 32 bytes of binary data, or their hexadecimal digits. These bytes can be
    /// an ML-DSA seed or an Ed25519 key, and do not show the algorithm. To read the file, set the
    /// algorithm in [`ReadOptions`](super::ReadOptions).
    #[error("this is 32 bytes, which may be a seed of ML-DSA or a key of Ed25519")]
    Seed,
    /// The key or signature does not belong to the algorithm that
    /// [`ReadOptions`](super::ReadOptions) require.
    #[error("this is {found}, not {wanted}")]
    OtherAlgorithm {
        /// The names of the possible algorithms.
        found: String,
        /// The algorithm that the caller requires.
        wanted: Algorithm,
    },
    /// The algorithm is a [toy](Algorithm::is_toy), which [`ReadOptions`](super::ReadOptions) does
    /// not allow.
    #[error("{0} is a toy for tests, without security")]
    Toy(Algorithm),
    /// The private key is encrypted, and [`FileContent::plain`](super::FileContent::plain) does not
    /// decrypt it.
    #[error("the private key has a password")]
    Locked,
    /// The file is an Ed25519 key of 32 bytes, raw or in hexadecimal. Private and public keys have
    /// the same length, so you must set `expected_kind` in [`ReadOptions`](super::ReadOptions).
    #[error("this is 32 bytes, which may be a private key or a public key of Ed25519")]
    EitherKey,
    /// The file contains only hexadecimal digits, but a private key has 64 digits, and a composite
    /// private key has 128. The value is the number of digits in the file.
    #[error("the file has {0} hexadecimal digits, but a private key has 64, and a composite private key has 128")]
    Digits(usize),
    /// The file contains a private key and a public key that do not belong together. The file is an
    /// Ed25519 seed with a public key after it, a JSON Web Key, or an OpenSSH private key. For
    /// PKCS#8, see [`PrivateKeyError`](super::PrivateKeyError).
    #[error("the public key in the file does not belong to the private key")]
    PublicDiffers,
    /// The file starts with a UTF-16 byte order mark.
    #[error("this is text in UTF-16")]
    Utf16,
    /// The file starts like a raw Falcon encoding, but the length is wrong for this encoding.
    #[error("a raw {} of degree {degree_n} has {expected} bytes, but this file has {found}", .kind.name())]
    RawLength {
        /// The kind of object that the first byte indicates.
        kind: ObjectKind,
        /// The degree that the first byte indicates.
        degree_n: usize,
        /// The expected file length in bytes.
        expected: usize,
        /// The actual file length in bytes.
        found: usize,
    },
    /// The file contains several PEM blocks, but only a single block is accepted. The value is the
    /// number of blocks.
    #[error("the file has {0} PEM blocks, and only one can be used here")]
    Blocks(usize),
    /// The file begins with an OpenSSH public key, but has more lines. Only one key is accepted.
    #[error("this is an OpenSSH public key with more lines after it, and only one key can be used here")]
    SshLines,
    /// The file contains a NUL byte and the start of a PEM block.
    #[error("the file has a NUL byte in its text")]
    Nul,
    /// A line in the PEM block starts with a blank or tab. The value is the line number, counted
    /// from 1.
    #[error("line {0} is indented")]
    Indented(usize),
    /// The BEGIN line has no valid label, or no dashes at the end.
    #[error("the BEGIN line is damaged")]
    Begin,
    /// The BEGIN line, the base64 and the END line are a single line, because the line ends are
    /// missing.
    #[error("the file contains a PEM block without line ends")]
    OneLine,
    /// `-----BEGIN` is not at the start of its line, for example after the `> ` of a quoted e-mail.
    /// The value is the line number, counted from 1.
    #[error("line {0} has other characters before -----BEGIN")]
    BeforeBegin(usize),
    /// The file is the base64 encoding of a PEM file.
    #[error("this is a PEM file that was encoded in base64")]
    EncodedPem,
    /// The END line is missing: the file ends after a complete line of the PEM block.
    #[error("the END line is missing")]
    NoEnd,
    /// The file ends inside a line of the PEM block. The value is the number of this line, counted
    /// from 1.
    #[error("the file is cut in the middle of line {0}")]
    Cut(usize),
    /// The END line has no valid label, or no dashes at the end.
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
    /// A line in the block is a header, because it contains a colon. The value is the line number.
    #[error("line {0} is a PEM header (RFC 1421), which fndsa does not read")]
    Header(usize),
    /// The private key is encrypted in OpenSSL's traditional form, with PEM headers in the block.
    /// The value is the line number of the first header.
    #[error("line {0} is a header of OpenSSL's traditional encryption, which fndsa does not read")]
    TraditionalEncryption(usize),
    /// A line in the block contains a character that is not base64. The value is the line number.
    #[error("line {0} has a character that is not base64")]
    Character(usize),
    /// The base64 has a wrong number of characters, wrong padding, or unused bits that are not
    /// zero.
    #[error("the base64 is damaged: characters are missing, added or changed")]
    Base64,
    /// The PEM block is empty, or a container has an empty key.
    #[error("the block is empty")]
    NoBody,
    /// The label does not belong to a key or signature.
    #[error("the PEM label {0} is unknown")]
    Label(String),
    /// No Falcon encoding of this kind starts with this byte.
    #[error("the first byte is 0x{first:02x}, and no {} begins with this byte", .kind.name())]
    FirstByte {
        /// The object's kind, which the PEM label or the container states.
        kind: ObjectKind,
        /// The first byte of the encoding.
        first: u8,
    },
    /// The encoding is longer or shorter than its algorithm requires. In the Falcon family, the
    /// first byte determines the length.
    #[error("the content has {found} bytes instead of {expected}: bytes are missing or added")]
    Length {
        /// The expected length of the encoding in bytes.
        expected: usize,
        /// The actual length of the encoding in bytes.
        found: usize,
    },
    /// The signature is not a padded or compressed encoding for the degree in the first byte.
    #[error("{found} bytes are neither a padded signature, which has {expected}, nor a compressed signature")]
    SignatureLength {
        /// The length of a padded signature in bytes.
        expected: usize,
        /// The actual length of the signature in bytes.
        found: usize,
    },
    /// The length of a DER file differs from the length that its first bytes encode.
    #[error("the DER content has {found} bytes instead of {expected}: bytes are missing or added")]
    DerLength {
        /// The length that the first bytes encode.
        expected: usize,
        /// The actual file length in bytes.
        found: usize,
    },
    /// A container is damaged, or has an unsupported layout.
    #[error("{what} that cannot be read: {why}")]
    Container {
        /// The container's name with an article, for example `an X.509 certificate`.
        what: &'static str,
        /// The problem with the container, as text.
        why: &'static str,
    },
    /// A JSON Web Key is damaged, or it must not be used for signatures. The value is the reason.
    #[error("this JSON Web Key (JWK) cannot be used: {0}")]
    Jwk(&'static str),
    /// The OID in a container does not identify a known algorithm. To accept this OID, set it in
    /// [`ReadOptions`](super::ReadOptions).
    #[error("this is {what} with the unknown OID {oid}")]
    UnknownOid {
        /// The container's name with an article, for example `an X.509 certificate`.
        what: &'static str,
        /// The OID in the container.
        oid: String,
    },
    /// A private key is encrypted with a method that this library does not support. The value
    /// contains the method's name and its OID.
    #[error("fndsa does not read this encryption: {0}")]
    Encryption(String),
    /// An OpenSSH private key is encrypted with a method that this library does not support. The
    /// value is the method's name.
    #[error("fndsa does not read this encryption of OpenSSH: {0}")]
    SshEncryption(&'static str),
    /// The encryption method is supported, but its parameters are damaged, out of range or
    /// contradictory. The value describes the problem.
    #[error("fndsa does not read this encryption: {0}")]
    EncryptionParameters(String),
    /// Decrypting a private key would cost more than this library allows. The value describes the
    /// cost.
    #[error("the password check costs more than fndsa allows: {0}")]
    Cost(String),
}
