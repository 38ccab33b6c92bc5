//! Reads and writes DSSE envelopes, the format of in-toto: a payload, its type, and signatures of
//! both.
//!
//! ```text
//! {"payload":"BASE64","payloadType":"TYPE","signatures":[{"keyid":"sha256:HEX","sig":"BASE64"}]}
//! ```
//!
//! The signatures cover the pre-authentication encoding of payload type and payload, as version
//! 1.0.2 of the DSSE protocol defines it. Signatures do not cover `keyid`: fndsa writes it for
//! people and other programs, and ignores it when it reads an envelope. An envelope is read
//! completely, and its payload is decoded once, so that the verified bytes are also the output.

use crate::tool::report::escape::is_visible;
use crate::tool::report::{Error, Evidence, MAX_SIGNATURES};
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use base64::{Engine, alphabet};
use fndsa::algorithm::Scheme;
use fndsa::files::{ForeignFile, ForeignFormat};
use fndsa::verdict::Rejection;
use fndsa::verdict::envelope::{
    CoveredBytes, Envelope, EnvelopeError, EnvelopeSignatures, EnvelopeWriter, NewSignature, OpenedEnvelope,
};
use fndsa::verdict::signature_note::context_text;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::error::Category;
use serde_json::json;
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::str::FromStr;

/// The maximum envelope size in MiB.
pub const MAX_ENVELOPE_MEBIBYTES: usize = 64;
/// The maximum payload size for signing in MiB. An envelope with such a payload and the maximum
/// number of signatures is below the limit for envelopes.
pub const MAX_PAYLOAD_MEBIBYTES: usize = 32;
/// The longest payload type in bytes, on the command line and in messages.
const MAX_TYPE_LEN: usize = 255;

/// The first bytes of each pre-authentication encoding.
pub const PAE_BEGIN: &str = "DSSEv1 ";

/// The payload type from the command line: a media type or a URI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayloadType(String);

impl FromStr for PayloadType {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.len() {
            1..=MAX_TYPE_LEN if is_visible(text) => Ok(Self(text.to_owned())),
            _ => Err(
                "a payload type has 1 to 255 bytes and only visible characters, for example application/vnd.in-toto+json",
            ),
        }
    }
}

impl Display for PayloadType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns the pre-authentication encoding of a payload type and a payload. The encoding contains
/// the lengths of both, so different types or payloads have different encodings.
fn pre_authentication_encoding(payload_type: &PayloadType, mut payload: Vec<u8>) -> CoveredBytes<'static> {
    let PayloadType(text) = payload_type;
    let header = format!("{PAE_BEGIN}{} {text} {} ", text.len(), payload.len()).into_bytes();
    let begin = header.len();
    payload.splice(..0, header);
    let message = begin..payload.len();
    CoveredBytes::Enclosed { signed: payload.into(), message }
}

/// Checks that envelopes may contain signatures of these schemes.
///
/// # Errors
/// For one of the schemes, other programs expect a different kind of signature in envelopes.
pub fn check_schemes(mut schemes: impl Iterator<Item = Scheme>) -> Result<(), Error> {
    // fndsa makes Ed25519ph signatures, and in-toto expects pure Ed25519 signatures.
    schemes.find(|scheme| *scheme == Scheme::Ed25519).map_or(Ok(()), |scheme| Err(Error::NoEnvelope(scheme)))
}

/// The format of DSSE envelopes with a given payload type.
pub struct DsseFormat<'a> {
    /// The payload type. It is a part of the signed bytes, so signatures of a payload with another
    /// type never match.
    pub payload_type: &'a PayloadType,
}

impl DsseFormat<'_> {
    /// Returns the rejection of a payload with another type.
    fn wrong_type(&self, found: &str) -> EnvelopeError {
        let found = match found.len() {
            0..=MAX_TYPE_LEN => context_text(found.as_bytes()),
            len => format!("a text of {len} bytes"),
        };
        EnvelopeError::Rejected(Rejection::PayloadType { found, wanted: self.payload_type.to_string() })
    }
}

impl Envelope for DsseFormat<'_> {
    /// Reads the known members strictly, and ignores unknown members.
    fn open<'d>(&self, data: &'d [u8]) -> Result<Option<OpenedEnvelope<'d>>, EnvelopeError> {
        let JsonObject(EnvelopeMembers { payload, payload_type, signatures }) =
            serde_json::from_slice(data).map_err(|e| not_json(data, &e))?;
        let SignatureTexts { texts, count } = signatures;
        if count > MAX_SIGNATURES {
            return Err(EnvelopeError::TooMany(count));
        }
        if count == 0 {
            return Err(damaged("the envelope has no signature"));
        }
        let payload = decode(&payload).ok_or_else(|| damaged("\"payload\" is not base64"))?;
        let mut signatures = Vec::with_capacity(texts.len());
        for text in &texts {
            signatures.push(decode(text).ok_or_else(|| damaged("a \"sig\" is not base64"))?);
        }
        let PayloadType(wanted) = self.payload_type;
        let is_wanted = Evidence::of_equal(payload_type.as_bytes(), wanted.as_bytes());
        if !is_wanted.holds() {
            return Err(self.wrong_type(&payload_type));
        }
        let covered = pre_authentication_encoding(self.payload_type, payload);
        let mut opened = OpenedEnvelope::new(EnvelopeSignatures::Raw(signatures), covered);
        opened.contents.conditions.push(is_wanted);
        Ok(Some(opened))
    }
}

impl EnvelopeWriter for DsseFormat<'_> {
    fn cover(&self, message: Vec<u8>) -> CoveredBytes<'static> {
        pre_authentication_encoding(self.payload_type, message)
    }

    fn write(&self, covered: &CoveredBytes<'_>, signatures: &[NewSignature<'_>]) -> Vec<u8> {
        let (_, payload) = covered.enclosed().unwrap_or_default();
        let mut entries = Vec::with_capacity(signatures.len());
        for NewSignature { fingerprint, contents } in signatures {
            entries.push(json!({ "keyid": fingerprint, "sig": STANDARD.encode(contents) }));
        }
        let document = json!({
            "payload": STANDARD.encode(payload),
            "payloadType": self.payload_type.0,
            "signatures": entries,
        });
        format!("{document}\n").into_bytes()
    }
}

fn damaged(what: &str) -> EnvelopeError {
    EnvelopeError::Damaged { what: what.to_owned(), format: None }
}

/// Explains why a file is not an envelope.
fn not_json(data: &[u8], e: &serde_json::Error) -> EnvelopeError {
    // An object without the members of an envelope may be a file of another program.
    if let Some(foreign) = ForeignFile::of_content(data).filter(|it| it.format != ForeignFormat::Envelope) {
        return EnvelopeError::Damaged { what: format!("this is {foreign}"), format: Some(foreign.format) };
    }
    match e.classify() {
        Category::Eof => damaged("the JSON is cut off"),
        Category::Syntax | Category::Io => damaged(&format!("the file is not JSON: {e}")),
        // The text of this error may contain text of the file.
        Category::Data => {
            damaged("the JSON is not an object that has \"payload\", \"payloadType\" and \"signatures\" exactly once")
        }
    }
}

/// Decodes base64 with either alphabet, because the specification requires this from readers.
/// Padding is optional.
fn decode(text: &str) -> Option<Vec<u8>> {
    let alphabet = if text.contains(['-', '_']) { &alphabet::URL_SAFE } else { &alphabet::STANDARD };
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    GeneralPurpose::new(alphabet, config).decode(text).ok()
}

/// The members of an envelope that are read.
#[derive(Deserialize)]
struct EnvelopeMembers {
    payload: String,
    #[serde(rename = "payloadType")]
    payload_type: String,
    signatures: SignatureTexts,
}

/// A signature of an envelope, in base64.
#[derive(Deserialize)]
struct SignatureText {
    sig: String,
}

/// A value that is a JSON object. A derived `Deserialize` would also accept an array of the
/// members.
struct JsonObject<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for JsonObject<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
            type Value = JsonObject<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<JsonObject<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(JsonObject)
            }
        }

        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

/// The signatures of an envelope in base64, at most [`MAX_SIGNATURES`], and the number of all
/// signatures.
#[derive(Default)]
struct SignatureTexts {
    texts: Vec<String>,
    count: usize,
}

impl<'de> Deserialize<'de> for SignatureTexts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SignaturesVisitor;

        impl<'de> Visitor<'de> for SignaturesVisitor {
            type Value = SignatureTexts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("signatures")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<SignatureTexts, A::Error> {
                let mut read = SignatureTexts::default();
                while let Some(JsonObject(SignatureText { sig })) = list.next_element()? {
                    read.count += 1;
                    // If there are too many signatures, only their number is needed.
                    if read.count <= MAX_SIGNATURES {
                        read.texts.push(sig);
                    }
                }
                Ok(read)
            }
        }

        deserializer.deserialize_seq(SignaturesVisitor)
    }
}
