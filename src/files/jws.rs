//! Reads and writes JSON Web Signatures (JWS, RFC 7515) in compact form, without the message.
//!
//! ```text
//! file:         BASE64URL(header) || ".." || BASE64URL(signature)
//! header:       {"alg":"ML-DSA-65","b64":false,"crit":["b64"]}
//! signed bytes: BASE64URL(header) || "." || message               (RFC 7797)
//!               BASE64URL(header) || "." || BASE64URL(message)    (without "b64":false)
//! ```
//!
//! The reader rejects headers that contain a key or a time limit, and all critical extensions
//! except `b64`. It ignores unknown members that are not critical, as RFC 7515 requires.

use super::json::{JsonFields, JsonValue};
#[cfg(feature = "ed25519")]
use super::jwk::ED25519_NAMES;
use super::kind::ObjectKind;
use crate::api::Algorithm;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use base64ct::{Base64UrlUnpadded, Encoding};
use thiserror::Error;

/// The names of algorithms in headers. If an algorithm has several names, new headers contain its
/// first name. RFC 9864 replaces `EdDSA` by `Ed25519`, but `EdDSA` is first because more programs
/// support it.
const NAMES: &[(Algorithm, &str)] = &[
    (Algorithm::ML_DSA_44, "ML-DSA-44"),
    (Algorithm::ML_DSA_65, "ML-DSA-65"),
    (Algorithm::ML_DSA_87, "ML-DSA-87"),
    #[cfg(feature = "ed25519")]
    (Algorithm::ED25519, ED25519_NAMES[0]),
    #[cfg(feature = "ed25519")]
    (Algorithm::ED25519, ED25519_NAMES[1]),
];

/// Members that contain a key, or a key's address. Anybody can write a header with their own key,
/// so a verifier that used this key would accept signatures by anybody.
const KEY_MEMBERS: [&str; 4] = ["jwk", "jku", "x5u", "x5c"];

/// Members that limit the period in which the signature is valid.
const TIME_MEMBERS: [&str; 2] = ["exp", "nbf"];

/// The maximum length of the header, in characters of base64url.
const MAX_HEADER_LEN: usize = 16 << 10;

/// Returns the algorithm's name in the header of new signatures. Returns `None` if JOSE has no name
/// for the algorithm.
pub fn jws_name(algorithm: Algorithm) -> Option<&'static str> {
    let (_, name) = NAMES.iter().find(|row| row.0 == algorithm)?;
    Some(name)
}

/// The reason why a file is not a JSON Web Signature that this library can verify.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum JwsDefect {
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The file is a JWS in JSON form.
    #[error("this is JSON, and fndsa reads only the compact form")]
    Json,
    /// The file does not consist of three parts that are separated by dots.
    #[error("the file does not have three parts in base64url with dots between them")]
    Parts,
    /// The file contains the message.
    #[error("the file contains the message, and fndsa reads only signatures of a separate file")]
    Payload,
    /// The header is not the base64url encoding of a JSON object, or the object contains a name
    /// twice.
    #[error("the header is not base64url of exactly one JSON object whose members have different names")]
    Header,
    /// The header is too long.
    #[error("the header has more than 16 KiB")]
    HeaderLength,
    /// The algorithm is missing or not a string.
    #[error("the header has no algorithm")]
    NoAlgorithm,
    /// The algorithm is `none`, so the file is not signed.
    #[error("the algorithm is none, so there is no signature")]
    Unsigned,
    /// The algorithm is unknown.
    #[error("the algorithm is not ML-DSA-44, ML-DSA-65, ML-DSA-87, EdDSA or Ed25519")]
    Algorithm,
    /// The header contains a key, or a key's address.
    #[error("the header has the member {0:?}, and a key in the file of the signer proves nothing")]
    Key(&'static str),
    /// The header limits the period in which the signature is valid.
    #[error("the header has the member {0:?}, and fndsa does not read this limit")]
    Time(&'static str),
    /// The header has a critical extension that this library does not know, or the member `crit` is
    /// damaged.
    #[error("the header requires an extension that fndsa does not know, or \"crit\" is damaged")]
    Critical,
    /// The header has the member `b64` without the member `crit`. Or `crit` contains the name
    /// `b64`, but the member `b64` is missing or is not a boolean.
    #[error("the member \"b64\" of the header is missing in \"crit\", or is not true or false")]
    Base64,
    /// The key identifier is not a string.
    #[error("the member \"kid\" of the header is not a string")]
    KeyId,
    /// The signature is not base64url.
    #[error("the signature is not base64url without padding")]
    Signature,
    /// The signature's length is wrong for the algorithm.
    #[error("the signature does not have the length of its algorithm")]
    SignatureLength,
}

/// A JSON Web Signature that is not verified yet. The message is in a separate file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct JwsSignature {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The header in base64url. The signature covers this text.
    pub header: String,
    /// Whether the signed bytes contain the message in base64url. Otherwise, they contain the
    /// message without encoding.
    pub is_base64url: bool,
    /// The key identifier. Although the signature covers this identifier, the signer can choose any
    /// text.
    pub key_id: Option<String>,
    /// The signature in raw encoding.
    pub signature: Vec<u8>,
}

impl JwsSignature {
    /// Creates a signature that covers the message without encoding it. Returns `None` if JOSE has
    /// no name for the algorithm, or if the signature has a wrong length.
    pub fn new(algorithm: Algorithm, signature: &[u8]) -> Option<Self> {
        if !ObjectKind::Signature.is_encoding(algorithm, signature) {
            return None;
        }
        let header = Self::new_header(algorithm)?;
        Some(Self { algorithm, header, is_base64url: false, key_id: None, signature: signature.to_vec() })
    }

    /// Returns the base64url encoding of the header of new signatures. Returns `None` if JOSE has
    /// no name for the algorithm.
    fn new_header(algorithm: Algorithm) -> Option<String> {
        let header = format!("{{\"alg\":\"{}\",\"b64\":false,\"crit\":[\"b64\"]}}", jws_name(algorithm)?);
        Some(Base64UrlUnpadded::encode_string(header.as_bytes()))
    }

    /// Returns the bytes that new signatures cover before the message. Returns `None` if JOSE has
    /// no name for the algorithm.
    pub fn new_prefix(algorithm: Algorithm) -> Option<Vec<u8>> {
        Some((Self::new_header(algorithm)? + ".").into_bytes())
    }

    /// Reads a signature file.
    ///
    /// # Errors
    /// Fails if the file is not a single signature in compact form without the message, or if the
    /// header has a property that this library rejects.
    pub fn read(data: &[u8]) -> Result<Self, JwsDefect> {
        let text = data.strip_suffix(b"\n").unwrap_or(data);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if text.trim_ascii().is_empty() {
            return Err(JwsDefect::Empty);
        }
        if text.trim_ascii_start().starts_with(b"{") {
            return Err(JwsDefect::Json);
        }
        let Ok(text) = core::str::from_utf8(text) else { return Err(JwsDefect::Parts) };
        let parts: Vec<_> = text.split('.').collect();
        let [header, payload, signature] = parts[..] else { return Err(JwsDefect::Parts) };
        if !payload.is_empty() {
            return Err(JwsDefect::Payload);
        }
        let JwsHeader { algorithm, is_base64url, key_id } = JwsHeader::read(header)?;
        let signature = Base64UrlUnpadded::decode_vec(signature).map_err(|_| JwsDefect::Signature)?;
        if !ObjectKind::Signature.is_encoding(algorithm, &signature) {
            return Err(JwsDefect::SignatureLength);
        }
        Ok(Self { algorithm, header: header.to_owned(), is_base64url, key_id, signature })
    }

    /// Encodes the signature file.
    pub fn to_file(&self) -> Vec<u8> {
        format!("{}..{}\n", self.header, Base64UrlUnpadded::encode_string(&self.signature)).into_bytes()
    }

    /// Returns the bytes that the signature covers before the message.
    pub fn prefix(&self) -> Vec<u8> {
        format!("{}.", self.header).into_bytes()
    }
}

/// The header members that fndsa reads.
struct JwsHeader {
    algorithm: Algorithm,
    is_base64url: bool,
    key_id: Option<String>,
}

impl JwsHeader {
    /// Decodes a header in base64url.
    ///
    /// # Errors
    /// Fails if the header is damaged, or has a property that this library rejects.
    fn read(encoded: &str) -> Result<Self, JwsDefect> {
        if encoded.len() > MAX_HEADER_LEN {
            return Err(JwsDefect::HeaderLength);
        }
        let json = Base64UrlUnpadded::decode_vec(encoded).map_err(|_| JwsDefect::Header)?;
        let header = JsonFields::parse(&json).ok_or(JwsDefect::Header)?;
        let algorithm = match header.text("alg").ok_or(JwsDefect::NoAlgorithm)? {
            none if none.eq_ignore_ascii_case("none") => return Err(JwsDefect::Unsigned),
            name => NAMES.iter().find(|row| row.1 == name).ok_or(JwsDefect::Algorithm)?.0,
        };
        for name in KEY_MEMBERS {
            if header.member(name).is_some() {
                return Err(JwsDefect::Key(name));
            }
        }
        for name in TIME_MEMBERS {
            if header.member(name).is_some() {
                return Err(JwsDefect::Time(name));
            }
        }
        let is_base64url = match (header.member("crit"), header.member("b64")) {
            (None, None) => true,
            (None, Some(_)) => return Err(JwsDefect::Base64),
            (Some(critical), base64) => {
                let JsonValue::Array(names) = critical else { return Err(JwsDefect::Critical) };
                let [name] = &names[..] else { return Err(JwsDefect::Critical) };
                match (name.text(), base64) {
                    (Some("b64"), Some(JsonValue::Bool(is_base64url))) => *is_base64url,
                    (Some("b64"), _) => return Err(JwsDefect::Base64),
                    _ => return Err(JwsDefect::Critical),
                }
            }
        };
        let key_id = match header.member("kid") {
            None => None,
            Some(key_id) => Some(key_id.text().ok_or(JwsDefect::KeyId)?.to_owned()),
        };
        Ok(Self { algorithm, is_base64url, key_id })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    /// Returns a file with a header and an ML-DSA-44 signature.
    fn file(header: &str) -> Vec<u8> {
        let header = Base64UrlUnpadded::encode_string(header.as_bytes());
        format!("{header}..{}", Base64UrlUnpadded::encode_string(&[7; 2420])).into_bytes()
    }

    fn read(header: &str) -> Result<bool, JwsDefect> {
        JwsSignature::read(&file(header)).map(|read| read.is_base64url)
    }

    #[test]
    fn a_new_signature_is_read() {
        for (algorithm, name) in NAMES {
            let signature = vec![1; algorithm.signature_len()];
            let new = JwsSignature::new(*algorithm, &signature).unwrap();
            assert_eq!(JwsSignature::read(&new.to_file()), Ok(new.clone()), "{name}");
            assert_eq!(Some(new.prefix()), JwsSignature::new_prefix(*algorithm));
            assert_eq!(JwsSignature::new(*algorithm, &signature[1..]), None);
        }
        assert_eq!(JwsSignature::new_prefix(Algorithm::FN_DSA_512), None);
    }

    #[test]
    fn headers_with_a_known_meaning_are_accepted() {
        for (header, is_base64url) in [
            (r#"{"alg":"ML-DSA-44"}"#, true),
            (r#"{"alg":"ML-DSA-44","b64":false,"crit":["b64"]}"#, false),
            (r#"{"crit":["b64"],"b64":true,"alg":"ML-DSA-44"}"#, true),
            (r#" {"alg":"ML-DSA-44", "kid":"a","typ":"JOSE","cty":"x","x5t":"AA","new":{"jwk":1}}"#, true),
        ] {
            assert_eq!(read(header), Ok(is_base64url), "{header}");
        }
    }

    #[test]
    fn other_headers_are_rejected() {
        use JwsDefect::{
            Algorithm, Base64, Critical, Header, Key, KeyId, NoAlgorithm, SignatureLength, Time, Unsigned,
        };
        for (header, defect) in [
            ("", Header),
            ("[]", Header),
            (r#"{"alg":"ML-DSA-44","alg":"ML-DSA-44"}"#, Header),
            (r#"{"alg":"ML-DSA-44"}{}"#, Header),
            (r#"{"b64":false,"crit":["b64"]}"#, NoAlgorithm),
            (r#"{"alg":["ML-DSA-44"]}"#, NoAlgorithm),
            (r#"{"alg":"none"}"#, Unsigned),
            (r#"{"alg":"nOnE"}"#, Unsigned),
            (r#"{"alg":"HS256"}"#, Algorithm),
            (r#"{"alg":"ml-dsa-44"}"#, Algorithm),
            (r#"{"alg":"ML-DSA-65"}"#, SignatureLength),
            (r#"{"alg":"ML-DSA-44","jwk":{}}"#, Key("jwk")),
            (r#"{"alg":"ML-DSA-44","jku":null}"#, Key("jku")),
            (r#"{"alg":"ML-DSA-44","x5u":""}"#, Key("x5u")),
            (r#"{"alg":"ML-DSA-44","x5c":[]}"#, Key("x5c")),
            (r#"{"alg":"ML-DSA-44","exp":1}"#, Time("exp")),
            (r#"{"alg":"ML-DSA-44","b64":false}"#, Base64),
            (r#"{"alg":"ML-DSA-44","b64":true}"#, Base64),
            (r#"{"alg":"ML-DSA-44","crit":["b64"]}"#, Base64),
            (r#"{"alg":"ML-DSA-44","crit":["b64"],"b64":"false"}"#, Base64),
            (r#"{"alg":"ML-DSA-44","crit":[]}"#, Critical),
            (r#"{"alg":"ML-DSA-44","crit":"b64","b64":false}"#, Critical),
            (r#"{"alg":"ML-DSA-44","crit":["exp"],"b64":false}"#, Critical),
            (r#"{"alg":"ML-DSA-44","crit":["b64","b64"],"b64":false}"#, Critical),
            (r#"{"alg":"ML-DSA-44","crit":["b64","x"],"b64":false,"x":1}"#, Critical),
            (r#"{"alg":"ML-DSA-44","kid":1}"#, KeyId),
        ] {
            assert_eq!(read(header), Err(defect), "{header}");
        }
    }

    #[test]
    fn other_forms_of_the_file_are_rejected() {
        use JwsDefect::{Empty, Header, Json, Parts, Payload, Signature, SignatureLength};
        let good = file(r#"{"alg":"ML-DSA-44"}"#);
        let text = core::str::from_utf8(&good).unwrap();
        assert!(JwsSignature::read(format!("{text}\r\n").as_bytes()).is_ok());
        for (changed, defect) in [
            (String::new(), Empty),
            ("\n\n".to_owned(), Empty),
            ("{\"payload\":\"\"}".to_owned(), Json),
            (text.replace("..", "."), Parts),
            (text.replace("..", "..."), Parts),
            (text.replace("..", ".AA."), Payload),
            (format!("{text}="), Signature),
            (format!("{text}\n\n"), Signature),
            (format!(" {text}"), Header),
            (text.replace("..", "=.."), Header),
            (text[..text.len() - 1].to_owned(), SignatureLength),
        ] {
            assert_eq!(JwsSignature::read(changed.as_bytes()), Err(defect), "{changed:.40}");
        }
    }
}
