//! Reads and writes DSSE envelopes, which in-toto uses. An envelope contains a payload, the
//! payload's type, and signatures that cover both.
//!
//! ```text
//! {"payload":"BASE64","payloadType":"TYPE","signatures":[{"keyid":"HEX","sig":"BASE64"}]}
//! ```
//!
//! The signatures cover the pre-authentication encoding (PAE) of the payload type and the payload,
//! as defined in version 1.0.2 of the DSSE protocol. ML-DSA signatures can instead cover the form
//! of TAP 21 (a proposal of the TUF project, which in-toto also uses): `tuf`, the byte 1, and the
//! SHA-512 digest of the PAE. The two forms start differently, so a signature never matches both.
//!
//! Signatures do not cover `keyid`. fndsa writes it for other programs, and uses it only to choose
//! the first key to try. An envelope is read completely, and its payload is decoded only once, so
//! the verified bytes are the bytes that are output.

use crate::tool::report::escape::is_visible;
use crate::tool::report::{Error, Evidence, MAX_SIGNATURES};
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use base64::{Engine, alphabet};
use fndsa::Algorithm;
use fndsa::algorithm::Scheme;
use fndsa::files::{ForeignFile, ForeignFormat};
use fndsa::verdict::envelope::{
    CoveredBytes, EnclosedMessage, Envelope, EnvelopeError, EnvelopeSignatures, EnvelopeWriter, NewSignature,
    OpenedEnvelope, OtherForm, RawSignature,
};
use fndsa::verdict::signature_note::context_text;
use fndsa::verdict::{Rejection, tuf_key_id};
use serde::de::value::MapAccessDeserializer;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::error::Category;
use serde_json::json;
use sha2::{Digest, Sha512};
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::str::FromStr;

/// The maximum envelope size in MiB.
pub const MAX_ENVELOPE_MEBIBYTES: usize = 64;
/// The maximum size of a payload for signing, in MiB. An envelope with such a payload and the
/// maximum number of signatures is smaller than [`MAX_ENVELOPE_MEBIBYTES`].
pub const MAX_PAYLOAD_MEBIBYTES: usize = 32;
/// The maximum length in bytes of a payload type on the command line. If the payload type in an
/// envelope is longer, the rejection states its length instead of the text.
const MAX_TYPE_LEN: usize = 255;

/// The first bytes of each pre-authentication encoding.
pub const PAE_BEGIN: &str = "DSSEv1 ";
/// The first bytes of the signed bytes in the form of TAP 21: `tuf` and the version.
pub const TAP21_BEGIN: &str = "tuf\u{1}";

/// The encoding of the type and the payload that a signature covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DsseForm {
    /// The pre-authentication encoding.
    Pae,
    /// The form of TAP 21.
    Tap21,
}

impl DsseForm {
    /// The only scheme for which the form of TAP 21 is defined.
    const TAP21_SCHEME: Scheme = Scheme::MlDsa;

    /// Returns the name of the form in `--dsse-form` and in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pae => "pae",
            Self::Tap21 => "tap21",
        }
    }

    /// Returns the form for new ML-DSA signatures. `requested` is the value of `--dsse-form`.
    /// Without this option, payloads of in-toto and TUF are signed in the form of TAP 21, as these
    /// projects require. TAP 21 has no context and no pre-hash. Therefore, this form is possible
    /// only if `is_plain` is true: the options request neither a context nor a pre-hash.
    ///
    /// # Errors
    /// Fails if the user chose TAP 21, but one of the `schemes` is not ML-DSA, or there is a
    /// context or a pre-hash.
    pub fn choose(
        requested: Option<Self>,
        payload_type: &PayloadType,
        is_plain: bool,
        schemes: impl Iterator<Item = Scheme>,
    ) -> Result<Self, Error> {
        match requested {
            None if payload_type.is_of_tuf() && is_plain => Ok(Self::Tap21),
            None | Some(Self::Pae) => Ok(Self::Pae),
            Some(Self::Tap21) if !is_plain => Err(Error::DsseFormOptions),
            Some(Self::Tap21) => {
                for scheme in schemes {
                    if scheme != Self::TAP21_SCHEME {
                        return Err(Error::DsseFormScheme(scheme));
                    }
                }
                Ok(Self::Tap21)
            }
        }
    }
}

/// The payload type that the user gives, which is a media type or a URI.
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

impl PayloadType {
    /// Returns whether the payload type belongs to in-toto (version 1.2 of its attestation
    /// framework) or to TUF (POUF-2). These projects use the form of TAP 21 for ML-DSA signatures.
    fn is_of_tuf(&self) -> bool {
        let Self(text) = self;
        if text == "application/vnd.tuf+json" {
            return true;
        }
        let Some(rest) = text.strip_prefix("application/vnd.in-toto") else { return false };
        let Some(predicate) = rest.strip_suffix("+json") else { return false };
        predicate.is_empty() || predicate.starts_with('.')
    }
}

impl Display for PayloadType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Encodes a type and a payload in both forms. The main form is the pre-authentication encoding. It
/// contains the lengths of the type and of the payload, so two different inputs never have the same
/// encoding.
fn encode_forms(payload_type: &PayloadType, mut payload: Vec<u8>) -> CoveredBytes<'static> {
    let PayloadType(text) = payload_type;
    let header = format!("{PAE_BEGIN}{} {text} {} ", text.len(), payload.len()).into_bytes();
    let begin = header.len();
    payload.splice(..0, header);
    let message = EnclosedMessage::Part(begin..payload.len());
    let signed = [TAP21_BEGIN.as_bytes(), &Sha512::digest(&payload)].concat();
    let tap21 = OtherForm::new(DsseForm::Tap21.name(), DsseForm::TAP21_SCHEME, signed);
    CoveredBytes::Enclosed { signed: payload.into(), message, form: Some(DsseForm::Pae.name()), others: vec![tap21] }
}

/// The format of DSSE envelopes with a given payload type.
pub struct DsseFormat<'a> {
    /// The payload type. Signatures cover it, so they never match a payload with a different type.
    pub payload_type: &'a PayloadType,
}

impl DsseFormat<'_> {
    /// Returns the rejection of an envelope in which the payload has the type `found`, not the
    /// expected type.
    fn wrong_type(&self, found: &str) -> EnvelopeError {
        let found = match found.len() {
            0..=MAX_TYPE_LEN => context_text(found.as_bytes()),
            len => format!("a text of {len} bytes"),
        };
        EnvelopeError::Rejected(Rejection::PayloadType { found, wanted: self.payload_type.to_string() })
    }
}

impl Envelope for DsseFormat<'_> {
    fn open<'d>(&self, data: &'d [u8]) -> Result<Option<OpenedEnvelope<'d>>, EnvelopeError> {
        let EnvelopeParts { payload_type, payload, signatures } = EnvelopeParts::read(data)?;
        let PayloadType(wanted) = self.payload_type;
        let is_wanted = Evidence::of_equal(payload_type.as_bytes(), wanted.as_bytes());
        if !is_wanted.holds() {
            return Err(self.wrong_type(&payload_type));
        }
        let covered = encode_forms(self.payload_type, payload);
        let mut opened = OpenedEnvelope::new(EnvelopeSignatures::Raw(signatures), covered);
        opened.contents.conditions.push(is_wanted);
        Ok(Some(opened))
    }
}

/// The contents of an envelope. The signatures are not verified yet.
pub struct EnvelopeParts {
    /// The type of the payload.
    pub payload_type: String,
    /// The decoded payload.
    pub payload: Vec<u8>,
    /// The signatures, from one to [`MAX_SIGNATURES`].
    pub signatures: Vec<RawSignature>,
}

impl EnvelopeParts {
    /// Parses an envelope. Unknown members are ignored.
    ///
    /// # Errors
    /// Fails if the file is not an envelope or is damaged, or if the envelope has no signatures or
    /// too many signatures.
    pub fn read(data: &[u8]) -> Result<Self, EnvelopeError> {
        let JsonObject(EnvelopeMembers { payload, payload_type, signatures }) =
            serde_json::from_slice(data).map_err(|e| not_envelope(data, &e))?;
        // The parser does not check that the ignored members are UTF-8.
        if str::from_utf8(data).is_err() {
            return Err(damaged("the JSON is not UTF-8"));
        }
        let SignatureTexts { texts, count } = signatures;
        if count > MAX_SIGNATURES {
            return Err(EnvelopeError::TooMany(count));
        }
        if count == 0 {
            return Err(damaged("the envelope has no signature"));
        }
        let Some(payload) = decode_base64(&payload) else {
            return Err(damaged("\"payload\" is not base64"));
        };
        let mut signatures = Vec::with_capacity(texts.len());
        for SignatureText { sig, keyid: KeyIdText(key_id) } in texts {
            let Some(bytes) = decode_base64(&sig) else { return Err(damaged("a \"sig\" is not base64")) };
            signatures.push(RawSignature::new(key_id, bytes));
        }
        Ok(Self { payload_type, payload, signatures })
    }
}

/// The writer for new DSSE envelopes.
pub struct DsseWriter<'a> {
    /// The format, with the payload type.
    pub format: DsseFormat<'a>,
    /// The form that ML-DSA signatures cover. With the form of TAP 21, the envelope also contains
    /// the key identifiers of TUF and in-toto.
    pub ml_dsa: DsseForm,
}

impl DsseWriter<'_> {
    /// Returns the encoding of the payload that signatures in a scheme cover.
    fn form_of(&self, scheme: Scheme) -> DsseForm {
        if scheme == DsseForm::TAP21_SCHEME { self.ml_dsa } else { DsseForm::Pae }
    }

    /// Returns the key identifier for a signature:
    /// - in an envelope with the form of TAP 21: the identifier that TUF and in-toto compute from
    ///   the key, because they verify a signature only if it has this identifier
    /// - in other envelopes, for Ed25519: an empty text, because sigstore verifies the signature
    ///   only if the key identifier is empty or is the fingerprint that SSH uses
    /// - for all other signatures: fndsa's fingerprint of the key
    fn key_id(&self, signature: &NewSignature<'_>) -> String {
        if self.ml_dsa == DsseForm::Tap21
            && let Some(key_id) = tuf_key_id(signature.algorithm, signature.public)
        {
            return key_id;
        }
        if signature.algorithm == Algorithm::ED25519 { String::new() } else { signature.fingerprint.to_owned() }
    }
}

impl Envelope for DsseWriter<'_> {
    fn open<'d>(&self, data: &'d [u8]) -> Result<Option<OpenedEnvelope<'d>>, EnvelopeError> {
        self.format.open(data)
    }
}

impl EnvelopeWriter for DsseWriter<'_> {
    fn cover(&self, message: Vec<u8>) -> CoveredBytes<'static> {
        encode_forms(self.format.payload_type, message)
    }

    fn form(&self, scheme: Scheme) -> Option<&'static str> {
        Some(self.form_of(scheme).name())
    }

    fn write(&self, covered: &CoveredBytes<'_>, signatures: &[NewSignature<'_>]) -> Vec<u8> {
        let (_, payload) = covered.enclosed().unwrap_or_default();
        let mut entries = Vec::with_capacity(signatures.len());
        for signature in signatures {
            entries.push(json!({ "keyid": self.key_id(signature), "sig": STANDARD.encode(signature.contents) }));
        }
        let document = json!({
            "payload": STANDARD.encode(payload),
            "payloadType": self.format.payload_type.0,
            "signatures": entries,
        });
        format!("{document}\n").into_bytes()
    }
}

fn damaged(what: &str) -> EnvelopeError {
    EnvelopeError::Damaged { what: what.to_owned(), format: None }
}

/// Returns the error for a file that is not an envelope.
fn not_envelope(data: &[u8], e: &serde_json::Error) -> EnvelopeError {
    // A file that is not an envelope may have a different known format. In this case, the error
    // names this format.
    if let Some(foreign) = ForeignFile::from_content(data)
        && foreign.format != ForeignFormat::Envelope
    {
        return EnvelopeError::Damaged { what: format!("this is {foreign}"), format: Some(foreign.format) };
    }
    let is_object = data.trim_ascii_start().starts_with(b"{");
    match e.classify() {
        _ if data.is_empty() => damaged("the file is empty"),
        // The message does not quote the parser's error, because this error contains internal
        // terms.
        Category::Syntax | Category::Io if is_object => {
            damaged(&format!("the JSON has a syntax error in line {}, column {}", e.line(), e.column()))
        }
        Category::Syntax | Category::Io => damaged("the file is not JSON"),
        Category::Eof => damaged("the JSON is cut off"),
        Category::Data => match repeated_member(&e.to_string()) {
            Some(name) => damaged(&format!(
                "an object has two members \"{name}\", and programs differ in which one they use: ask the signer for a new \
                 envelope"
            )),
            None => damaged(
                "the JSON is not an object that has \"payload\", \"payloadType\" and \"signatures\" exactly once",
            ),
        },
    }
}

/// Returns the name of a member that occurs twice in an object. `error` is the text of the parser's
/// error. Returns `None` for every error except a repeated member. The caller does not quote such
/// an error, because it may contain text from the file.
fn repeated_member(error: &str) -> Option<&str> {
    error.strip_prefix("duplicate field `")?.split('`').next()
}

/// Decodes base64 in the standard alphabet or in the alphabet for URLs, because the specification
/// requires that readers accept both. Padding is optional.
fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let alphabet = if text.contains(['-', '_']) { &alphabet::URL_SAFE } else { &alphabet::STANDARD };
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    GeneralPurpose::new(alphabet, config).decode(text).ok()
}

/// The members of an envelope that the reader uses.
#[derive(Deserialize)]
struct EnvelopeMembers {
    payload: String,
    #[serde(rename = "payloadType")]
    payload_type: String,
    signatures: SignatureTexts,
}

/// A signature in an envelope, in base64.
#[derive(Deserialize)]
struct SignatureText {
    sig: String,
    #[serde(default)]
    keyid: KeyIdText,
}

/// A key identifier. The reader ignores a value that is not a string.
#[derive(Default)]
struct KeyIdText(Option<String>);

impl<'de> Deserialize<'de> for KeyIdText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyIdVisitor;

        impl<'de> Visitor<'de> for KeyIdVisitor {
            type Value = KeyIdText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_str<E>(self, text: &str) -> Result<KeyIdText, E> {
                Ok(KeyIdText(Some(text.to_owned())))
            }

            fn visit_unit<E>(self) -> Result<KeyIdText, E> {
                Ok(KeyIdText(None))
            }

            fn visit_bool<E>(self, _: bool) -> Result<KeyIdText, E> {
                Ok(KeyIdText(None))
            }

            fn visit_u64<E>(self, _: u64) -> Result<KeyIdText, E> {
                Ok(KeyIdText(None))
            }

            fn visit_i64<E>(self, _: i64) -> Result<KeyIdText, E> {
                Ok(KeyIdText(None))
            }

            fn visit_f64<E>(self, _: f64) -> Result<KeyIdText, E> {
                Ok(KeyIdText(None))
            }

            // Values in an array or object are not stored, because there could be millions of them.
            fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<KeyIdText, A::Error> {
                IgnoredAny.visit_seq(items)?;
                Ok(KeyIdText(None))
            }

            fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<KeyIdText, A::Error> {
                IgnoredAny.visit_map(members)?;
                Ok(KeyIdText(None))
            }
        }

        deserializer.deserialize_any(KeyIdVisitor)
    }
}

/// A value that must be a JSON object. A derived `Deserialize` would also accept an array that
/// contains only the members' values.
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

/// The first [`MAX_SIGNATURES`] signatures of an envelope in base64, and the number of all
/// signatures.
#[derive(Default)]
struct SignatureTexts {
    texts: Vec<SignatureText>,
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
                while let Some(JsonObject(signature)) = list.next_element()? {
                    read.count += 1;
                    // If there are too many signatures, only their number is used.
                    if read.count <= MAX_SIGNATURES {
                        read.texts.push(signature);
                    }
                }
                Ok(read)
            }
        }

        deserializer.deserialize_seq(SignaturesVisitor)
    }
}
