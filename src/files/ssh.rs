//! Reads and writes SSHSIG, the format of OpenSSH's signature files (PROTOCOL.sshsig), and
//! OpenSSH's public key files.
//!
//! ```text
//! signature file: PEM "SSH SIGNATURE" of
//!     "SSHSIG", uint32 1, string key, string namespace, string "", string hash, string signature
//! signed bytes:   "SSHSIG", string namespace, string "", string hash, string digest of the message
//! key:            string name, string public key
//! signature:      string name, string signature
//! key file:       name, blank, base64 of the key, and optionally a blank and a comment
//! ```
//!
//! The crate `ssh-encoding` decodes the elements. The reader reports an error if bytes follow the
//! last element of a structure, or if the reserved string (`""` above) is not empty. It also
//! reports an error if a signature file contains text outside the PEM block.

use super::accept::ReadOptions;
use super::defect::Defect;
use super::encoding::FileEncoding;
use super::kind::ObjectKind;
use super::object::FileObject;
use super::pem::PemBlock;
use super::{WriteError, is_text};
use crate::api::{Algorithm, PreHash};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ssh_encoding::{Decode, Reader};
use thiserror::Error;
use zeroize::Zeroizing;

/// The bytes at the start of a signature, and at the start of the bytes that a signature covers.
pub const SSHSIG_BEGIN: &str = "SSHSIG";
/// The signature format version.
const VERSION: u32 = 1;
/// The PEM label of a signature file.
const LABEL: &str = "SSH SIGNATURE";
/// The number of base64 characters in a line that OpenSSH writes.
const LINE_LEN: usize = 70;
/// The maximum length of a namespace in bytes.
pub const MAX_NAMESPACE_LEN: usize = 255;
/// The maximum length of a file with a public key, in bytes. A file with a composite key (ML-DSA-44
/// with Ed25519) has about 1,850 bytes, without its comment.
const MAX_KEY_FILE_LEN: usize = 16 << 10;

/// The algorithms that have a name in SSH, with these names.
pub(super) const NAMES: &[(Algorithm, &str)] = &[
    #[cfg(feature = "ed25519")]
    (Algorithm::ED25519, "ssh-ed25519"),
    #[cfg(feature = "ed25519")]
    (Algorithm::ML_DSA_44_ED25519, "ssh-mldsa44-ed25519"),
];

/// The prefixes of SSH key types. If a type has such a prefix, but is not in [`NAMES`], this
/// library does not support the type.
const OTHER_TYPES: [&str; 4] = ["ssh-", "ecdsa-", "sk-", "rsa-"];

/// A hash function that SSHSIG allows for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SshHash {
    /// SHA-512, which OpenSSH uses by default.
    Sha512,
    /// SHA-256.
    Sha256,
}

impl SshHash {
    const ALL: [Self; 2] = [Self::Sha512, Self::Sha256];

    /// Returns the name in SSHSIG.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sha512 => "sha512",
            Self::Sha256 => "sha256",
        }
    }

    /// Returns the function that hashes the message.
    pub fn function(self) -> PreHash {
        match self {
            Self::Sha512 => PreHash::Sha512,
            Self::Sha256 => PreHash::Sha256,
        }
    }
}

/// Returns the name of an algorithm's keys in SSH. Returns `None` if SSH has no such name.
pub fn ssh_name(algorithm: Algorithm) -> Option<&'static str> {
    let (_, name) = NAMES.iter().find(|row| row.0 == algorithm)?;
    Some(name)
}

/// The reason why a file is not an SSH signature that this library can verify.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SshSignatureDefect {
    /// The file does not contain a PEM block with the label `SSH SIGNATURE`.
    #[error("the file does not begin with -----BEGIN SSH SIGNATURE-----")]
    Label,
    /// There is text before or after the PEM block.
    #[error("the file contains text before or after the signature")]
    OtherText,
    /// The PEM block is damaged.
    #[error("{0}")]
    Pem(Defect),
    /// The signature does not begin with `SSHSIG`.
    #[error("the content does not begin with SSHSIG")]
    Magic,
    /// The version is unknown.
    #[error("the version is {0}, and fndsa reads only version 1")]
    Version(u32),
    /// An element is incomplete, or there are bytes after the last element.
    #[error("{0} is damaged: bytes are missing or added")]
    Structure(&'static str),
    /// The reserved element is not empty.
    #[error("the reserved part is not empty, so the signature may have a meaning that fndsa does not know")]
    Reserved,
    /// The namespace is empty, or has more than [`MAX_NAMESPACE_LEN`] bytes.
    #[error("the namespace has {0} bytes instead of 1 to {MAX_NAMESPACE_LEN}")]
    Namespace(usize),
    /// The hash function is not SHA-512 or SHA-256. SSHSIG allows only these two functions.
    #[error("the hash function is neither sha512 nor sha256")]
    Hash,
    /// This library does not implement the key's type.
    #[error("the key is neither of type ssh-ed25519 nor of type ssh-mldsa44-ed25519")]
    KeyType,
    /// The key's length is wrong for the type.
    #[error("the key does not have the length of its type")]
    Key,
    /// The signature and the key have different types.
    #[error("the signature has a different type than the key")]
    OtherType,
    /// The signature's length is wrong for the type.
    #[error("the signature does not have the length of its type")]
    Signature,
}

/// A signature in SSHSIG format, which is not verified yet.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SshSignature {
    /// The namespace, which states the signature's purpose.
    pub namespace: Vec<u8>,
    /// The function that hashes the message.
    pub hash: SshHash,
    /// The key's algorithm.
    pub algorithm: Algorithm,
    /// The public key in raw encoding.
    pub public: Vec<u8>,
    /// The signature in raw encoding.
    pub signature: Vec<u8>,
}

impl SshSignature {
    /// Creates a signature from its parts. Returns `None` if SSH has no name for the algorithm, or
    /// if the namespace, the key or the signature has a wrong length.
    pub fn new(namespace: &[u8], hash: SshHash, algorithm: Algorithm, public: &[u8], signature: &[u8]) -> Option<Self> {
        ssh_name(algorithm)?;
        let is_valid = (1..=MAX_NAMESPACE_LEN).contains(&namespace.len())
            && is_public_key(algorithm, public)
            && ObjectKind::Signature.is_encoding(algorithm, signature);
        if !is_valid {
            return None;
        }
        Some(Self {
            namespace: namespace.to_vec(),
            hash,
            algorithm,
            public: public.to_vec(),
            signature: signature.to_vec(),
        })
    }

    /// Returns whether a file contains a PEM block with the label of SSH signatures.
    pub fn has_label(data: &[u8]) -> bool {
        matches!(PemBlock::find(data), Ok(Some(block)) if block.label == LABEL)
    }

    /// Reads a signature file.
    ///
    /// # Errors
    /// Fails if the file is not a single SSH signature, or if the key's algorithm or the hash
    /// function is not supported.
    pub fn read(data: &[u8]) -> Result<Self, SshSignatureDefect> {
        use SshSignatureDefect::{Label, OtherText, Pem};
        if data.trim_ascii().is_empty() {
            return Err(Pem(Defect::Empty));
        }
        let block = match PemBlock::find(data) {
            Ok(Some(block)) if block.label == LABEL => block,
            Ok(_) => return Err(Label),
            Err(defect) => return Err(Pem(defect)),
        };
        let text = data.trim_ascii();
        if !text.starts_with(b"-----BEGIN ") || !text.ends_with(b"-----END SSH SIGNATURE-----") {
            return Err(OtherText);
        }
        Self::decode(&block.public_payload().map_err(Pem)?)
    }

    /// Decodes a signature file's content.
    fn decode(data: &[u8]) -> Result<Self, SshSignatureDefect> {
        use SshSignatureDefect::{Hash, Key, KeyType, Magic, Namespace, OtherType, Reserved, Signature, Version};
        const PART: &str = "the signature file";
        let mut rest = data.strip_prefix(SSHSIG_BEGIN.as_bytes()).ok_or(Magic)?;
        let Ok(version) = u32::decode(&mut rest) else { return Err(SshSignatureDefect::Structure(PART)) };
        if version != VERSION {
            return Err(Version(version));
        }
        let key = take_string(&mut rest, PART)?;
        let namespace = take_string(&mut rest, PART)?;
        let reserved = take_string(&mut rest, PART)?;
        let hash = take_string(&mut rest, PART)?;
        let signature = take_string(&mut rest, PART)?;
        if !rest.is_empty() {
            return Err(SshSignatureDefect::Structure(PART));
        }
        if !(1..=MAX_NAMESPACE_LEN).contains(&namespace.len()) {
            return Err(Namespace(namespace.len()));
        }
        if !reserved.is_empty() {
            return Err(Reserved);
        }
        let hash = SshHash::ALL.into_iter().find(|candidate| candidate.name().as_bytes() == hash).ok_or(Hash)?;
        // The name is read first and separately: an unsupported key type can have other elements
        // after the name, and must cause the error `KeyType`.
        let name = take_string(&mut &key[..], "the key")?;
        let (algorithm, _) = *NAMES.iter().find(|row| row.1.as_bytes() == name).ok_or(KeyType)?;
        let (_, public) = name_and_value(&key, "the key")?;
        if !is_public_key(algorithm, &public) {
            return Err(Key);
        }
        let (signature_type, signature) = name_and_value(&signature, "the signature")?;
        if signature_type != name {
            return Err(OtherType);
        }
        if !ObjectKind::Signature.is_encoding(algorithm, &signature) {
            return Err(Signature);
        }
        Ok(Self { namespace, hash, algorithm, public, signature })
    }

    /// Encodes the signature file, byte for byte as OpenSSH does. Returns `None` if SSH has no name
    /// for the algorithm.
    pub fn to_file(&self) -> Option<Vec<u8>> {
        let name = ssh_name(self.algorithm)?.as_bytes();
        let mut data = SSHSIG_BEGIN.as_bytes().to_vec();
        data.extend_from_slice(&VERSION.to_be_bytes());
        let key = strings(&[name, &self.public]);
        let signature = strings(&[name, &self.signature]);
        data.extend(strings(&[&key, &self.namespace, b"", self.hash.name().as_bytes(), &signature]));
        let mut file = format!("-----BEGIN {LABEL}-----\n").into_bytes();
        for line in STANDARD.encode(data).as_bytes().chunks(LINE_LEN) {
            file.extend_from_slice(line);
            file.push(b'\n');
        }
        file.extend(format!("-----END {LABEL}-----\n").into_bytes());
        Some(file)
    }

    /// Returns the bytes that a signature covers before the message's digest.
    pub fn prefix(namespace: &[u8], hash: SshHash) -> Vec<u8> {
        let mut prefix = SSHSIG_BEGIN.as_bytes().to_vec();
        prefix.extend(strings(&[namespace, b"", hash.name().as_bytes()]));
        // The digest is encoded as a string, so its length precedes it.
        prefix.extend_from_slice(&(hash.function().digest_len() as u32).to_be_bytes());
        prefix
    }
}

/// Splits off the first string in `rest`. `what` is the structure's name for error messages.
fn take_string(rest: &mut &[u8], what: &'static str) -> Result<Vec<u8>, SshSignatureDefect> {
    Vec::decode(rest).map_err(|_| SshSignatureDefect::Structure(what))
}

/// Decodes a structure with exactly two strings: an algorithm name, and a key or signature.
fn name_and_value(mut data: &[u8], what: &'static str) -> Result<(Vec<u8>, Vec<u8>), SshSignatureDefect> {
    let name = take_string(&mut data, what)?;
    let bytes = take_string(&mut data, what)?;
    if data.is_finished() { Ok((name, bytes)) } else { Err(SshSignatureDefect::Structure(what)) }
}

/// Encodes the values as strings. A string consists of the length in four bytes, and the bytes of
/// the value. A value must be shorter than 4 GiB.
pub(super) fn strings(values: &[&[u8]]) -> Vec<u8> {
    let mut data = Vec::new();
    for string in values {
        data.extend_from_slice(&(string.len() as u32).to_be_bytes());
        data.extend_from_slice(string);
    }
    data
}

/// Returns the line for a public key file, without a comment.
///
/// # Errors
/// Fails if SSH has no name for the algorithm, or `public` is not a public key of the algorithm.
pub(super) fn key_line(algorithm: Algorithm, public: &[u8]) -> Result<String, WriteError> {
    let kind = ObjectKind::VerifyingKey;
    let name = ssh_name(algorithm).ok_or(WriteError::NoSshName(algorithm))?;
    if !is_public_key(algorithm, public) {
        return Err(WriteError::Bytes { kind, algorithm });
    }
    Ok(format!("{name} {}\n", STANDARD.encode(strings(&[name.as_bytes(), public]))))
}

/// A key in a line from a public key file or from a file of allowed signers.
#[non_exhaustive]
pub enum SshKeyLine {
    /// A key of an algorithm that this library implements, in raw encoding.
    Known(Algorithm, Vec<u8>),
    /// A key of a type that OpenSSH supports, but this library does not.
    OtherType,
    /// A damaged key of a supported type.
    Damaged,
}

/// Reads a line with a key: the key type, the key in base64, and an optional comment. Returns
/// `None` if the line does not begin with a key type.
pub fn read_key_line(line: &str) -> Option<SshKeyLine> {
    let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty());
    let name = words.next()?;
    let Some((algorithm, _)) = NAMES.iter().find(|row| row.1 == name) else {
        let is_type = OTHER_TYPES.iter().any(|begin| name.starts_with(begin));
        return is_type.then_some(SshKeyLine::OtherType);
    };
    let Some(encoded) = words.next() else { return Some(SshKeyLine::Damaged) };
    match decode_key(encoded) {
        Some((inner, public)) if inner == name.as_bytes() && is_public_key(*algorithm, &public) => {
            Some(SshKeyLine::Known(*algorithm, public))
        }
        _ => Some(SshKeyLine::Damaged),
    }
}

/// Decodes a public key from base64. Returns the key type's name, and the public key in raw
/// encoding.
fn decode_key(encoded: &str) -> Option<(Vec<u8>, Vec<u8>)> {
    let blob = STANDARD.decode(encoded).ok()?;
    name_and_value(&blob, "").ok()
}

/// Returns whether a line begins with a supported key type's name and a blank.
fn begins_with_key_type(line: &[u8]) -> bool {
    for (_, name) in NAMES {
        if let Some([b' ', ..]) = line.strip_prefix(name.as_bytes()) {
            return true;
        }
    }
    false
}

fn is_public_key(algorithm: Algorithm, public: &[u8]) -> bool {
    ObjectKind::VerifyingKey.is_encoding(algorithm, public)
}

/// Reads a public key file of OpenSSH. Returns `None` if the caller needs a signature, or if the
/// file does not begin with a supported key type's name.
///
/// # Errors
/// Fails if the file has several lines, is not text or is too long, or if the key is damaged.
pub(super) fn read_key(data: &[u8], accept: &ReadOptions) -> Result<Option<FileObject>, Defect> {
    if accept.expected_kind == Some(ObjectKind::Signature) {
        return Ok(None);
    }
    let line = data.trim_ascii();
    if !begins_with_key_type(line) {
        return Ok(None);
    }
    if data.len() > MAX_KEY_FILE_LEN || !is_text(data) {
        return Err(damaged("the file is not text, or has more than 16 KiB"));
    }
    if line.contains(&b'\n') || line.contains(&b'\r') {
        return Err(Defect::SshLines);
    }
    let Ok(line) = core::str::from_utf8(line) else { return Err(damaged("the file is not UTF-8")) };
    match read_key_line(line) {
        Some(SshKeyLine::Known(algorithm, public)) => {
            let kind = ObjectKind::VerifyingKey;
            let object = FileObject::of_algorithm(kind, algorithm, FileEncoding::Ssh, Zeroizing::new(public))?;
            Ok(Some(object))
        }
        _ => Err(damaged("the key is not a key of its type in base64")),
    }
}

fn damaged(why: &'static str) -> Defect {
    Defect::Container { what: "an OpenSSH public key", why }
}

#[cfg(all(test, feature = "ed25519"))]
mod tests {
    use super::*;

    const SIGNATURE: &[u8] = include_bytes!("../../tests/kat/ssh/msg.ed25519.file.sshsig");

    fn content() -> Vec<u8> {
        PemBlock::find(SIGNATURE).unwrap().unwrap().payload().unwrap().to_vec()
    }

    /// Replaces the first occurrence of `from` in the content by `to`.
    fn replaced(from: &[u8], to: &[u8]) -> Vec<u8> {
        let content = content();
        let at = content.windows(from.len()).position(|window| window == from).unwrap();
        [&content[..at], to, &content[at + from.len()..]].concat()
    }

    #[test]
    fn a_signature_of_openssh_is_written_byte_for_byte() {
        let read = SshSignature::read(SIGNATURE).unwrap();
        assert_eq!(
            (&read.namespace[..], read.hash, read.algorithm),
            (&b"file"[..], SshHash::Sha512, Algorithm::ED25519)
        );
        assert_eq!(read.to_file().unwrap(), SIGNATURE);
    }

    #[test]
    fn a_changed_structure_is_rejected() {
        use SshSignatureDefect::{Hash, KeyType, Magic, Namespace, OtherType, Reserved, Structure, Version};
        let namespace = b"\0\0\0\x04file\0\0\0\0";
        let cases = [
            (replaced(b"SSHSIG", b"SSHSIQ"), Magic),
            (replaced(b"SSHSIG\0\0\0\x01", b"SSHSIG\0\0\0\x02"), Version(2)),
            (replaced(namespace, b"\0\0\0\0\0\0\0\0"), Namespace(0)),
            (replaced(namespace, b"\0\0\0\x04file\0\0\0\x01x"), Reserved),
            (replaced(b"sha512", b"sha384"), Hash),
            (replaced(b"ssh-ed25519", b"ssh-ed25518"), KeyType),
            (replaced(b"\0\0\0\x53\0\0\0\x0bssh-ed25519", b"\0\0\0\x53\0\0\0\x0bssh-ed25518"), OtherType),
            ([&content()[..], b"x"].concat(), Structure("the signature file")),
            (content()[..100].to_vec(), Structure("the signature file")),
        ];
        for (content, defect) in cases {
            assert_eq!(SshSignature::decode(&content), Err(defect));
        }
    }

    #[test]
    fn a_signature_by_a_key_of_another_type_is_not_damaged() {
        let key = strings(&[b"ssh-rsa", b"\x01\0\x01", &[0xc5; 256]]);
        let signature = strings(&[b"rsa-sha2-512", &[0x5c; 256]]);
        let mut data = b"SSHSIG\0\0\0\x01".to_vec();
        data.extend(strings(&[&key, b"file", b"", b"sha512", &signature]));
        assert_eq!(SshSignature::decode(&data), Err(SshSignatureDefect::KeyType));
    }

    #[test]
    fn text_around_the_block_is_rejected() {
        for file in [[b"x\n", SIGNATURE].concat(), [SIGNATURE, b"x\n"].concat()] {
            assert_eq!(SshSignature::read(&file), Err(SshSignatureDefect::OtherText));
        }
        let twice = [SIGNATURE, SIGNATURE].concat();
        assert_eq!(SshSignature::read(&twice), Err(SshSignatureDefect::Pem(Defect::Blocks(2))));
    }
}
