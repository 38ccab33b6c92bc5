//! Reads and writes JSON Web Keys (JWK, RFC 7517): private and public keys for ML-DSA (RFC 9964)
//! and Ed25519 (RFC 8037).
//!
//! ```text
//! {"alg":"ML-DSA-65","kty":"AKP","pub":"BASE64URL","priv":"BASE64URL(seed)"}
//! {"crv":"Ed25519","kty":"OKP","x":"BASE64URL","d":"BASE64URL(seed)"}
//! ```
//!
//! The reader ignores unknown members, as RFC 7517 requires, but rejects members that restrict the
//! key. It also rejects an ML-DSA key with the Ed25519 member `d`, and an Ed25519 key with the
//! ML-DSA member `priv`. The crate `base64ct` encodes and decodes private keys in constant time.

use super::accept::ReadOptions;
use super::defect::Defect;
use super::encoding::FileEncoding;
use super::foreign::{ForeignFile, ForeignFormat};
use super::json::{JsonFields, JsonValue};
use super::kind::ObjectKind;
use super::layout::KeyLayout;
use super::object::FileObject;
use super::public_of_private;
use super::tuf_key::{KEY_LINE_MEMBERS, WITH_PEM};
use super::{WriteError, is_text};
use crate::api::Algorithm;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use base64ct::{Base64UrlUnpadded, Encoding};
use zeroize::Zeroizing;

/// A key type, with the names of the members that such a key has.
struct JwkMembers {
    /// The value of the member `kty`.
    key_type: &'static str,
    /// The name of the member with the algorithm.
    algorithm: &'static str,
    /// The name of the member with the public key.
    public: &'static str,
    /// The name of the member with the private key.
    private: &'static str,
}

/// The key type for ML-DSA.
const AKP: JwkMembers = JwkMembers { key_type: "AKP", algorithm: "alg", public: "pub", private: "priv" };
/// The key type for Ed25519.
const OKP: JwkMembers = JwkMembers { key_type: "OKP", algorithm: "crv", public: "x", private: "d" };

/// The supported algorithms. A row contains the algorithm, its key type, and its name in JOSE.
const NAMES: &[(Algorithm, &JwkMembers, &str)] = &[
    (Algorithm::ML_DSA_44, &AKP, "ML-DSA-44"),
    (Algorithm::ML_DSA_65, &AKP, "ML-DSA-65"),
    (Algorithm::ML_DSA_87, &AKP, "ML-DSA-87"),
    #[cfg(feature = "ed25519")]
    (Algorithm::ED25519, &OKP, "Ed25519"),
];

/// The two names of the Ed25519 signature algorithm. The member `alg` of an Ed25519 key can contain
/// either name.
pub(super) const ED25519_NAMES: [&str; 2] = ["EdDSA", "Ed25519"];

/// The maximum length of a file with a key, in bytes. A file with an ML-DSA-87 key has about 3,600
/// bytes.
const MAX_LEN: usize = 64 << 10;

/// The message for a key with a member that restricts its use.
pub(crate) const RESTRICTED: &str = "it has a member that restricts the key (\"exp\", \"nbf\", \"revoked\" or the name of a \
                                     key line), and fndsa does not read such members";
/// The message for a set of keys.
pub(crate) const IS_SET: &str = "this is a set of keys, and only one key can be used here";

/// Returns the members in a JWK for an algorithm, and the algorithm's name.
fn names(algorithm: Algorithm) -> Option<(&'static JwkMembers, &'static str)> {
    let (_, members, name) = NAMES.iter().find(|row| row.0 == algorithm)?;
    Some((members, name))
}

/// Returns the JSON object from which the thumbprint of a public key is computed (RFC 7638). This
/// object contains the required members, sorted by name and without blanks.
///
/// # Errors
/// Fails if JOSE has no name for the algorithm, or `public` is not a public key of the algorithm.
pub(crate) fn required_members(algorithm: Algorithm, public: &[u8]) -> Result<String, WriteError> {
    let kind = ObjectKind::VerifyingKey;
    let (members, name) = names(algorithm).ok_or(WriteError::NoJwk(algorithm))?;
    if !kind.is_encoding(algorithm, public) {
        return Err(WriteError::Bytes { kind, algorithm });
    }
    let JwkMembers { key_type, algorithm, public: member, .. } = members;
    let public = Base64UrlUnpadded::encode_string(public);
    Ok(format!("{{\"{algorithm}\":\"{name}\",\"kty\":\"{key_type}\",\"{member}\":\"{public}\"}}"))
}

/// Encodes a key file with the required members. A private key file also contains the seed.
///
/// # Errors
/// Fails if JOSE has no name for the algorithm, if the object is a signature, or if the private key
/// is an expanded key without a seed.
pub(super) fn write(kind: ObjectKind, algorithm: Algorithm, bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, WriteError> {
    let (members, _) = names(algorithm).ok_or(WriteError::NoJwk(algorithm))?;
    match kind {
        ObjectKind::VerifyingKey => Ok((required_members(algorithm, bytes)? + "\n").into_bytes().into()),
        ObjectKind::Signature => Err(WriteError::Form { kind, encoding: FileEncoding::Jwk }),
        ObjectKind::SigningKey if bytes.len() != algorithm.signing_key_len() => {
            Err(WriteError::NoSeed(KeyLayout::Seed))
        }
        ObjectKind::SigningKey => {
            let unreadable = WriteError::Unreadable { kind, algorithm };
            let seed = Zeroizing::new(bytes.to_vec());
            let Ok(object) = FileObject::of_algorithm(kind, algorithm, FileEncoding::Jwk, seed) else {
                return Err(unreadable);
            };
            let public = public_of_private(&object).ok_or(unreadable)?;
            let mut file = Zeroizing::new(Vec::with_capacity(2 * public.len() + 256));
            let public = required_members(algorithm, &public)?;
            file.extend_from_slice(public.trim_end_matches('}').as_bytes());
            file.extend_from_slice(format!(",\"{}\":\"", members.private).as_bytes());
            let mut encoded = Zeroizing::new(vec![0; Base64UrlUnpadded::encoded_len(bytes)]);
            let Ok(encoded) = Base64UrlUnpadded::encode(bytes, &mut encoded) else { return Err(unreadable) };
            file.extend_from_slice(encoded.as_bytes());
            file.extend_from_slice(b"\"}\n");
            Ok(file)
        }
    }
}

/// Returns whether a text contains the member name `kty`.
fn has_key_type(data: &[u8]) -> bool {
    const NAME: &[u8] = b"\"kty\"";
    data.windows(NAME.len()).any(|window| window == NAME)
}

/// Checks that a file with a public key in PEM contains no JSON Web Key.
///
/// # Errors
/// Fails if the file contains a JSON Web Key.
pub(super) fn check_absence(data: &[u8]) -> Result<(), Defect> {
    if data.contains(&b'"') && has_key_type(data) { Err(damaged(WITH_PEM)) } else { Ok(()) }
}

/// Reads a key. Returns `None` if the caller needs a signature, or if the file is not a JSON object
/// with a key type (`kty`) or a set of keys (`keys`).
///
/// # Errors
/// Fails if the JSON is damaged or too large, if the file is a set of keys, or if the algorithm is
/// not supported. Also fails if a member is missing, has a wrong type or forbids signatures, or if
/// the public key does not belong to the private key.
pub(super) fn read(data: &[u8], accept: &ReadOptions) -> Result<Option<FileObject>, Defect> {
    if data.trim_ascii_start().first() != Some(&b'{') || accept.expected_kind == Some(ObjectKind::Signature) {
        return Ok(None);
    }
    if !has_key_type(data) || !is_text(data) {
        return Ok(None);
    }
    if data.len() > MAX_LEN {
        return Err(damaged("the file has more than 64 KiB"));
    }
    let Some(object) = JsonFields::parse(data) else {
        return Err(damaged(
            "the file is not exactly one JSON object, or an object has two members with one name or more than 64 members",
        ));
    };
    let Some(key_type) = object.member("kty") else {
        let is_set = object.member("keys").is_some();
        return if is_set { Err(damaged(IS_SET)) } else { Ok(None) };
    };
    let key_type = key_type.text().ok_or(damaged("its member \"kty\" is not a string"))?;
    let Some(members) = [&AKP, &OKP].into_iter().find(|members| members.key_type == key_type) else {
        return Err(other_algorithm());
    };
    let name = required(&object, members.algorithm)?;
    let row = NAMES.iter().find(|row| (row.1.key_type, row.2) == (key_type, name));
    let algorithm = row.ok_or(other_algorithm())?.0;
    let private = object.member(members.private);
    check_members(&object, members, private.is_some())?;
    let public = decode(required(&object, members.public)?, algorithm.verifying_key_len())?;
    let Some(private) = private else {
        let object = FileObject::of_algorithm(ObjectKind::VerifyingKey, algorithm, FileEncoding::Jwk, public)?;
        return Ok(Some(object));
    };
    let private = private.text().ok_or(damaged("its private key is not a string"))?;
    let seed = decode(private, algorithm.signing_key_len())?;
    let object = FileObject::of_algorithm(ObjectKind::SigningKey, algorithm, FileEncoding::Jwk, seed)?;
    match public_of_private(&object) {
        Some(own) if own == public[..] => Ok(Some(object)),
        _ => Err(Defect::PublicDiffers),
    }
}

/// Returns the value of a member that must be a string.
fn required<'o>(object: &'o JsonFields, name: &str) -> Result<&'o str, Defect> {
    object.text(name).ok_or(damaged("its algorithm or its public key is missing, or is not a string"))
}

/// Decodes exactly `len` bytes from base64url, in constant time.
fn decode(text: &str, len: usize) -> Result<Zeroizing<Vec<u8>>, Defect> {
    let mut bytes = Zeroizing::new(vec![0; len]);
    match Base64UrlUnpadded::decode(text, &mut bytes) {
        Ok(decoded) if decoded.len() == len => Ok(bytes),
        _ => Err(damaged("its key is not base64url without padding, or does not have the length of its algorithm")),
    }
}

/// Checks the members that can restrict a key. All other members are ignored.
///
/// # Errors
/// Fails if a member restricts the key in a way that fndsa does not support, forbids signatures, or
/// has a wrong type. Also fails if the key has the private key member for the other key type (AKP
/// or OKP).
fn check_members(object: &JsonFields, members: &JwkMembers, is_private: bool) -> Result<(), Defect> {
    for other in [AKP, OKP] {
        if other.key_type != members.key_type && object.member(other.private).is_some() {
            return Err(damaged("it has the private member of another key type"));
        }
    }
    if KEY_LINE_MEMBERS.iter().chain(&["exp", "nbf"]).any(|name| object.member(name).is_some()) {
        return Err(damaged(RESTRICTED));
    }
    if let Some(id) = object.member("kid")
        && id.text().is_none()
    {
        return Err(damaged("its member \"kid\" is not a string"));
    }
    if members.algorithm != "alg"
        && let Some(value) = object.member("alg")
        && !matches!(value.text(), Some(name) if ED25519_NAMES.contains(&name))
    {
        return Err(damaged("its member \"alg\" does not belong to its key"));
    }
    if let Some(usage) = object.member("use")
        && usage.text() != Some("sig")
    {
        return Err(damaged("its member \"use\" is not \"sig\", so the key is not for signatures"));
    }
    let Some(operations) = object.member("key_ops") else { return Ok(()) };
    let JsonValue::Array(operations) = operations else {
        return Err(damaged("its member \"key_ops\" is not an array"));
    };
    let operation_name = if is_private { "sign" } else { "verify" };
    let mut is_allowed = false;
    for (i, operation) in operations.iter().enumerate() {
        if operation.text().is_none() || operations[..i].contains(operation) {
            return Err(damaged("its member \"key_ops\" has an element that is not a string, or an element twice"));
        }
        is_allowed |= operation.text() == Some(operation_name);
    }
    match (is_allowed, is_private) {
        (true, _) => Ok(()),
        (false, true) => Err(damaged("its member \"key_ops\" does not contain \"sign\"")),
        (false, false) => Err(damaged("its member \"key_ops\" does not contain \"verify\"")),
    }
}

/// Returns the defect for a damaged key.
fn damaged(why: &'static str) -> Defect {
    Defect::Jwk(why)
}

/// Returns the defect for a key with an algorithm that this library does not read as a JSON Web
/// Key.
fn other_algorithm() -> Defect {
    Defect::Foreign(ForeignFile::new("a JSON Web Key (JWK) of another algorithm", ForeignFormat::OtherAlgorithm))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{FileContent, WriteOptions, read};

    /// Returns a seed and its public key.
    fn pair(algorithm: Algorithm) -> (Zeroizing<Vec<u8>>, Vec<u8>) {
        let seed = Zeroizing::new((0..32).collect::<Vec<u8>>());
        let kind = ObjectKind::SigningKey;
        let object = FileObject::of_algorithm(kind, algorithm, FileEncoding::Raw, seed.clone()).unwrap();
        (seed, public_of_private(&object).unwrap())
    }

    fn defect(text: &str) -> Option<Defect> {
        read(text.as_bytes(), &ReadOptions::default()).err()
    }

    #[test]
    fn keys_are_written_and_read() {
        for (algorithm, ..) in NAMES {
            let (seed, public) = pair(*algorithm);
            let style = WriteOptions::plain(FileEncoding::Jwk);
            for (kind, bytes) in [(ObjectKind::SigningKey, &seed[..]), (ObjectKind::VerifyingKey, &public[..])] {
                let file = style.write(kind, *algorithm, "", bytes).unwrap();
                let Ok(FileContent::Plain(object)) = read(&file, &ReadOptions::default()) else {
                    panic!("{algorithm}")
                };
                assert_eq!((object.kind, object.algorithm()), (kind, *algorithm));
                assert_eq!((object.encoding, &object.bytes[..]), (FileEncoding::Jwk, bytes));
            }
        }
        let form = style_error(ObjectKind::Signature, Algorithm::ML_DSA_44, 2420);
        assert!(matches!(form, WriteError::Form { encoding: FileEncoding::Jwk, .. }));
        let expanded = style_error(ObjectKind::SigningKey, Algorithm::ML_DSA_44, 2560);
        assert_eq!(expanded, WriteError::NoSeed(KeyLayout::Seed));
    }

    fn style_error(kind: ObjectKind, algorithm: Algorithm, len: usize) -> WriteError {
        write(kind, algorithm, &vec![0; len]).unwrap_err()
    }

    #[test]
    fn members_that_change_the_meaning_are_rejected() {
        let (_, public) = pair(Algorithm::ML_DSA_44);
        let key = required_members(Algorithm::ML_DSA_44, &public).unwrap();
        let with_member = |more: &str| key.replacen('{', &format!("{{{more},"), 1);
        for ignored in [
            r#""kid":"a""#,
            r#""use":"sig""#,
            r#""key_ops":["verify"]"#,
            r#""key_ops":["sign","verify","x"]"#,
            r#""ext":true"#,
            r#""x5c":["AA"],"x5t":"","n":null,"keys":[]"#,
        ] {
            assert_eq!(defect(&with_member(ignored)), None, "{ignored}");
        }
        for rejected in [
            r#""kid":1"#,
            r#""use":"enc""#,
            r#""use":["sig"]"#,
            r#""key_ops":"verify""#,
            r#""key_ops":[]"#,
            r#""key_ops":["sign"]"#,
            r#""key_ops":["verify","verify"]"#,
            r#""key_ops":["verify",1]"#,
            r#""d":"""#,
            r#""priv":null"#,
            r#""exp":1"#,
            r#""nbf":1"#,
            r#""revoked":{}"#,
            r#""not-after":"2030-01-01""#,
            r#""kty":"AKP""#,
            r#""alg":"ML-DSA-44""#,
        ] {
            assert!(matches!(defect(&with_member(rejected)), Some(Defect::Jwk(_))), "{rejected}");
        }
        for (old, new) in [
            ("\"AKP\"", "1"),
            ("\"ML-DSA-44\"", "null"),
            ("\"pub\"", "\"x\""),
            ("\"ML-DSA-44\"", "\"ML-DSA-65\""),
            ("\"pub\":\"", "\"pub\":\" "),
            ("\"}", "=\"}"),
        ] {
            let changed = key.replacen(old, new, 1);
            assert!(matches!(defect(&changed), Some(Defect::Jwk(_))), "{old} {new}");
        }
        for (old, new) in [("AKP", "EC"), ("ML-DSA-44", "ML-DSA-45"), ("AKP", "akp")] {
            let changed = key.replacen(old, new, 1);
            assert!(matches!(defect(&changed), Some(Defect::Foreign(_))), "{old} {new}");
        }
        assert!(matches!(defect(&format!("{{\"keys\":[{key}]}}")), Some(Defect::Jwk(_))));
    }

    /// Tests that the unused bits in the last base64 character of a seed must be zero.
    #[test]
    fn a_seed_has_exactly_one_encoding() {
        for (algorithm, members, _) in NAMES {
            let (seed, _) = pair(*algorithm);
            let file = write(ObjectKind::SigningKey, *algorithm, &seed).unwrap();
            let text = core::str::from_utf8(&file).unwrap();
            let encoded = Base64UrlUnpadded::encode_string(&seed);
            assert_eq!(defect(text), None);
            let (start, last) = encoded.split_at(encoded.len() - 1);
            assert_eq!(last, "8");
            for other in ["9", "-", "8=", "8A", ""] {
                let changed = text.replace(&encoded, &format!("{start}{other}"));
                assert!(matches!(defect(&changed), Some(Defect::Jwk(_))), "{} {other}", members.private);
            }
            let other = text.replace(&encoded, &format!("B{}", &encoded[1..]));
            assert_eq!(defect(&other), Some(Defect::PublicDiffers));
        }
    }
}
