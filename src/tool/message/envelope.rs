//! DSSE envelopes, as the programs of in-toto read and write them: a payload, what it is, and signatures over both.
//!
//! ```text
//! {"payload":"BASE64","payloadType":"TYPE","signatures":[{"keyid":"sha256:HEX","sig":"BASE64"}]}
//! ```
//!
//! What is signed is the pre-authentication encoding ([`Pae`]) of the protocol of DSSE, version 1.0.2. `keyid` is signed by
//! nobody: it is written for people and other programs, and nothing here reads it. An envelope is read whole; what was
//! verified is what is given out, and it is decoded once.

use crate::tool::keys::signature_file::Signatures;
use crate::tool::report::escape::is_visible;
use crate::tool::report::{Error, Evidence, MAX_SIGNATURES};
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use base64::{Engine, alphabet};
use fndsa::files::{Foreign, ForeignFormat};
use fndsa::verdict::Rejection;
use fndsa::verdict::signature_note::context_text;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::error::Category;
use serde_json::json;
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::str::FromStr;

/// The largest envelope that is read, in MiB.
pub const MAX_ENVELOPE_MEBIBYTES: usize = 64;
/// The largest payload that is signed, in MiB: an envelope with it and with all signatures that there may be is not too large.
pub const MAX_PAYLOAD_MEBIBYTES: usize = 32;
/// The longest payload type on the command line, and in a message, in bytes.
const MAX_TYPE_LEN: usize = 255;

/// The first bytes of each pre-authentication encoding.
pub const PAE_BEGIN: &str = "DSSEv1 ";

/// What a payload is, as the command line says: a media type or a URI.
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

/// The pre-authentication encoding of a type and a payload: the bytes that are signed. The lengths in it say where the type ends,
/// so no other type and payload have the same.
pub struct Pae {
    bytes: Vec<u8>,
    /// Where the payload begins.
    payload: usize,
}

impl Pae {
    /// Encodes a type and a payload.
    pub fn new(payload_type: &PayloadType, mut payload: Vec<u8>) -> Self {
        let PayloadType(text) = payload_type;
        let header = format!("{PAE_BEGIN}{} {text} {} ", text.len(), payload.len()).into_bytes();
        let len = header.len();
        payload.splice(..0, header);
        Self { bytes: payload, payload: len }
    }

    /// Returns the bytes that are signed.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the payload.
    pub fn payload(&self) -> &[u8] {
        &self.bytes[self.payload..]
    }
}

/// An envelope as it was read: nothing of it is verified.
pub struct Envelope {
    payload_type: String,
    payload: Vec<u8>,
    signatures: Vec<Vec<u8>>,
    from: String,
}

/// What a verifier makes of an envelope of the type that was asked for.
pub struct Unsealed {
    /// The signatures.
    pub signatures: Signatures,
    /// What they are to be over.
    pub signed: Pae,
    /// The YES of the comparison of the types.
    pub type_is_wanted: Evidence,
}

impl Envelope {
    /// Reads an envelope strictly as to what it says, and passes over members that it does not know. `from` is what messages
    /// call it.
    ///
    /// # Errors
    /// It is no envelope, or has no signature or too many.
    pub fn read(data: Vec<u8>, from: &dyn Display) -> Result<Self, Error> {
        let bad = |what: String| Error::Envelope { from: from.to_string(), what, format: None };
        let read: JsonObject<EnvelopeMembers> = serde_json::from_slice(&data).map_err(|e| {
            // An object without the members of an envelope may be one of another program.
            if let Some(foreign) = Foreign::of_content(&data).filter(|it| it.format != ForeignFormat::Envelope) {
                let what = format!("this is {foreign}");
                return Error::Envelope { from: from.to_string(), what, format: Some(foreign.format) };
            }
            bad(match e.classify() {
                Category::Eof => "the JSON is cut off".to_owned(),
                Category::Syntax | Category::Io => format!("the file is not JSON: {e}"),
                // The text of the error may have what stands in the file.
                Category::Data => {
                    "the JSON is not an object that has \"payload\", \"payloadType\" and \"signatures\" exactly once"
                        .to_owned()
                }
            })
        })?;
        drop(data);
        let JsonObject(EnvelopeMembers { payload, payload_type, signatures: SignatureTexts { texts, count } }) = read;
        if count > MAX_SIGNATURES {
            return Err(Error::ManySignatures { from: from.to_string(), count });
        }
        if count == 0 {
            return Err(bad("the envelope has no signature".to_owned()));
        }
        let payload = decode(&payload).ok_or_else(|| bad("\"payload\" is not base64".to_owned()))?;
        let signatures = texts.iter().map(|text| decode(text)).collect::<Option<Vec<_>>>();
        let signatures = signatures.ok_or_else(|| bad("a \"sig\" is not base64".to_owned()))?;
        Ok(Self { payload_type, payload, signatures, from: from.to_string() })
    }

    /// Returns the answer NO if the envelope says that its payload is of another type than the one that is `wanted`.
    pub fn refuse(&self, wanted: &PayloadType) -> Option<Rejection> {
        if self.is_of(wanted).holds() {
            return None;
        }
        let found = match self.payload_type.len() {
            0..=MAX_TYPE_LEN => context_text(self.payload_type.as_bytes()),
            len => format!("a text of {len} bytes"),
        };
        Some(Rejection::PayloadType { found, wanted: wanted.to_string() })
    }

    /// Returns what is to be verified. The type that is `wanted` is in it: whatever the envelope says, no signature over another
    /// type matches.
    ///
    /// # Errors
    /// None of the signatures is one of an algorithm that is known.
    pub fn unseal(self, wanted: &PayloadType) -> Result<Unsealed, Error> {
        let type_is_wanted = self.is_of(wanted);
        let signatures = Signatures::of_raw(&self.signatures, &self.from)?;
        Ok(Unsealed { signatures, signed: Pae::new(wanted, self.payload), type_is_wanted })
    }

    /// Compares the type of the payload with another one. YES if they are equal.
    fn is_of(&self, wanted: &PayloadType) -> Evidence {
        Evidence::of_equal(self.payload_type.as_bytes(), wanted.0.as_bytes())
    }

    /// Returns the contents of the file of an envelope, and the YES if they read back as what they were made of. Each signature
    /// comes with the fingerprint of its key.
    pub fn write(payload_type: &PayloadType, payload: &[u8], signatures: &[(&str, &[u8])]) -> (Vec<u8>, Evidence) {
        let entry = |(key, signature): &(&str, &[u8])| json!({ "keyid": key, "sig": STANDARD.encode(signature) });
        let document = json!({
            "payload": STANDARD.encode(payload),
            "payloadType": payload_type.0,
            "signatures": signatures.iter().map(entry).collect::<Vec<_>>(),
        });
        let file = format!("{document}\n").into_bytes();
        let Ok(read) = Self::read(file.clone(), payload_type) else { return (file, Evidence::of_equal(b"read", b"")) };
        let of_signature = |(read, (_, made)): (&Vec<u8>, &(&str, &[u8]))| Evidence::of_equal(read, made);
        let mut each: Vec<_> = read.signatures.iter().zip(signatures).map(of_signature).collect();
        each.push(Evidence::of_equal(&read.payload, payload));
        each.push(read.is_of(payload_type));
        (file, Evidence::of_all(&each, signatures.len() + 2))
    }
}

/// Decodes base64 of either alphabet, as the specification asks of readers, with or without padding.
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

/// One signature of an envelope, in base64.
#[derive(Deserialize)]
struct SignatureText {
    sig: String,
}

/// A value that is written as a JSON object. A derived `Deserialize` also accepts an array of the members.
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

/// The signatures of an envelope, in base64: at most [`MAX_SIGNATURES`], and the number of all signatures.
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
