//! Reads and writes public keys in JSON, for TUF (The Update Framework) and in-toto. The library
//! securesystemslib defines the format: an object with the key type, the scheme and the public key.
//!
//! ```text
//! {"keytype":"ml-dsa","scheme":"ml-dsa-65/1","keyval":{"public":"-----BEGIN PUBLIC KEY-----..."}}
//! ```
//!
//! An ML-DSA key is stored as SPKI in PEM, and an Ed25519 key as hexadecimal digits. TUF metadata
//! contains keys in the same format. Programs compute the key identifier from the key type, the
//! scheme and the public key, so fndsa writes only these three members. The reader ignores unknown
//! members.

use super::accept::ReadOptions;
use super::defect::Defect;
use super::encoding::{ContainerEncoding, FileEncoding};
use super::foreign::{ForeignFile, ForeignFormat};
#[cfg(feature = "ed25519")]
use super::hex::{from_hex, hex};
use super::json::{JsonFields, JsonValue};
use super::kind::ObjectKind;
use super::object::{ContainerStructure, FileObject};
use super::pem::PemBlock;
use super::pkcs8::read_container;
use super::{WriteError, WriteOptions};
use crate::api::Algorithm;
use alloc::format;
use alloc::string::String;

/// The names that TUF uses: each row contains an algorithm, its key type and its scheme. The digit
/// after `/` is the version of the encoding that the key's signatures cover (TAP 21).
const NAMES: &[(Algorithm, &str, &str)] = &[
    (Algorithm::ML_DSA_44, "ml-dsa", "ml-dsa-44/1"),
    (Algorithm::ML_DSA_65, "ml-dsa", "ml-dsa-65/1"),
    (Algorithm::ML_DSA_87, "ml-dsa", "ml-dsa-87/1"),
    #[cfg(feature = "ed25519")]
    (Algorithm::ED25519, "ed25519", "ed25519"),
];

/// A public key, with TUF's names for the key type and the scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TufPublicKey {
    /// The key type.
    pub keytype: &'static str,
    /// The scheme.
    pub scheme: &'static str,
    /// The key as text: hexadecimal digits for Ed25519, and otherwise SPKI in PEM.
    pub public: String,
}

impl TufPublicKey {
    /// Converts a public key from its raw encoding.
    ///
    /// # Errors
    /// Fails if TUF has no name for the algorithm, or if `public` is not a public key of the
    /// algorithm.
    pub fn new(algorithm: Algorithm, public: &[u8]) -> Result<Self, WriteError> {
        let kind = ObjectKind::VerifyingKey;
        let Some((_, keytype, scheme)) = NAMES.iter().find(|row| row.0 == algorithm) else {
            return Err(WriteError::NoTufName(algorithm));
        };
        if !kind.is_encoding(algorithm, public) {
            return Err(WriteError::Bytes { kind, algorithm });
        }
        let public = match algorithm {
            #[cfg(feature = "ed25519")]
            Algorithm::ED25519 => hex(public),
            _ => {
                let pem = WriteOptions::plain(FileEncoding::Spki).write(kind, algorithm, "", public)?;
                let Ok(pem) = String::from_utf8(pem.to_vec()) else {
                    return Err(WriteError::Unreadable { kind, algorithm });
                };
                pem
            }
        };
        Ok(Self { keytype, scheme, public })
    }

    /// Returns the JSON object with a line end.
    pub(super) fn to_json(&self) -> String {
        let Self { keytype, scheme, public } = self;
        // The only characters in a key that need an escape are the line ends.
        let public = public.replace('\n', "\\n");
        format!("{{\"keytype\":\"{keytype}\",\"scheme\":\"{scheme}\",\"keyval\":{{\"public\":\"{public}\"}}}}\n")
    }
}

/// The maximum length of a file with a key, in bytes. A file with an ML-DSA-87 key has about 3,700
/// bytes.
const MAX_LEN: usize = 64 << 10;

/// The names of the key lines that restrict a key. A key line, for example `not-after: 2030-01-01`,
/// must be before a PEM block. If a key in JSON has a member with such a name, the reader rejects
/// the key instead of ignoring the restriction.
pub(super) const KEY_LINE_MEMBERS: [&str; 4] = ["revoked", "not-before", "not-after", "context"];

/// The message for a JSON key that has a member named like a key line.
pub(crate) const RESTRICTED: &str =
    "it has a member with the name of a key line, and key lines must be before a PEM block";

/// The message for a file that contains both a key in PEM and a key in JSON.
pub(super) const WITH_PEM: &str = "the file also contains a PEM key: write each key to a separate file";

/// Returns whether a text contains `"keytype"` and `"keyval"`, the member names that only keys
/// have.
fn has_key_members(data: &[u8]) -> bool {
    ["\"keytype\"", "\"keyval\""].iter().all(|name| data.windows(name.len()).any(|window| window == name.as_bytes()))
}

/// Checks that a file with a public key in PEM contains no key in JSON. The PEM reader ignores all
/// text around the block, and would therefore ignore the key in JSON.
///
/// # Errors
/// Fails if the file contains a key in JSON.
pub(super) fn check_absence(data: &[u8]) -> Result<(), Defect> {
    if data.contains(&b'"') && has_key_members(data) {
        return Err(damaged(WITH_PEM));
    }
    Ok(())
}

/// Reads a public key in JSON. Returns `None` if the caller needs a signature, or if the file is
/// not a JSON object with the members of a key.
///
/// # Errors
/// Fails if the JSON is damaged or too large, if the key type or the scheme is unknown, or if the
/// scheme does not match the key's algorithm. Also fails if the key is not exactly as fndsa writes
/// it, or if the file contains a private key or a member named like a key line.
pub(super) fn read(data: &[u8], accept: &ReadOptions) -> Result<Option<FileObject>, Defect> {
    if data.trim_ascii_start().first() != Some(&b'{') || accept.expected_kind == Some(ObjectKind::Signature) {
        return Ok(None);
    }
    if data.len() > MAX_LEN {
        return if has_key_members(data) { Err(damaged("the file has more than 64 KiB")) } else { Ok(None) };
    }
    let Some(object) = JsonFields::parse(data) else {
        let why = "the file is not exactly one JSON object, or an object has two members with one name or more than 64 members";
        return if has_key_members(data) { Err(damaged(why)) } else { Ok(None) };
    };
    let Some(keytype) = object.text("keytype") else { return Ok(None) };
    let Some(scheme) = object.text("scheme") else { return Ok(None) };
    let Some(JsonValue::Object(keyval)) = object.member("keyval") else { return Ok(None) };
    let Some((algorithm, ..)) = NAMES.iter().find(|row| (row.1, row.2) == (keytype, scheme)) else {
        return Err(Defect::Foreign(ForeignFile::new("a TUF key of another scheme", ForeignFormat::OtherAlgorithm)));
    };
    for members in [&object, keyval] {
        if let Some(private) = members.member("private")
            && private.text() != Some("")
        {
            return Err(damaged("it also contains a private key"));
        }
        if KEY_LINE_MEMBERS.iter().any(|name| members.member(name).is_some()) {
            return Err(damaged(RESTRICTED));
        }
    }
    let public = keyval.text("public").ok_or(damaged("its key is missing"))?;
    let mut key = match *algorithm {
        #[cfg(feature = "ed25519")]
        Algorithm::ED25519 => {
            let Ok(bytes) = from_hex(public.as_bytes()) else { return Err(damaged("its key is not hexadecimal")) };
            FileObject::of_algorithm(ObjectKind::VerifyingKey, *algorithm, FileEncoding::TufKey, bytes.into())?
        }
        _ => spki_key(public, accept)?,
    };
    if key.algorithm() != *algorithm || key.prehash().is_some() {
        return Err(damaged("its scheme is not the algorithm of its key"));
    }
    // The text must be exactly as fndsa writes it, for two reasons. First, the key identifier
    // depends on the text. Second, lines before the PEM block would be ignored here, although such
    // lines can restrict or revoke a key in a PEM file.
    match TufPublicKey::new(*algorithm, &key.bytes) {
        Ok(written) if written.public == public => {}
        _ => return Err(damaged("its key is not exactly as programs write it")),
    }
    key.encoding = FileEncoding::TufKey;
    Ok(Some(key))
}

/// Reads the PEM text of a public key.
///
/// # Errors
/// Fails if the text is not SPKI in PEM, or the key is damaged.
fn spki_key(pem: &str, accept: &ReadOptions) -> Result<FileObject, Defect> {
    match PemBlock::find(pem.as_bytes())? {
        Some(block) if block.label == ContainerStructure::Public.label() => {
            let der = block.public_payload()?;
            read_container(ContainerStructure::Public, &der, ContainerEncoding::Pem, accept)?.plain()
        }
        _ => Err(damaged("its key is not a PEM public key")),
    }
}

/// Returns the defect for a damaged key.
fn damaged(why: &'static str) -> Defect {
    Defect::Container { what: "a TUF public key", why }
}
