//! Fuzz target that reads DSSE envelopes, and compares their contents with the result of
//! `serde_json`.

use crate::tool::message::dsse::{DsseFormat, EnvelopeParts, PayloadType};
use base64::Engine;
use base64::alphabet;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use fndsa::verdict::envelope::Envelope;
use serde_json::Value;

/// Reads an envelope. If the envelope is accepted, `serde_json` should find the same payload, type
/// and signatures in it. The bytes that the signatures cover should be the header from the DSSE
/// specification, followed by the payload.
pub fn dsse(data: &[u8]) {
    let parts = match EnvelopeParts::read(data) {
        Ok(parts) => parts,
        Err(e) => return assert!(!e.to_string().contains('\n')),
    };
    let text = str::from_utf8(data).expect("UTF-8");
    let document: Value = match serde_json::from_str(text) {
        Ok(document) => document,
        // `serde_json` may reject an accepted envelope, because `serde_json` decodes the values of
        // all members. The reader of fndsa decodes only the values that it needs.
        Err(e) => {
            let message = e.to_string();
            let limits = ["recursion limit exceeded", "number out of range", "hex escape", "unicode code point"];
            return assert!(limits.iter().any(|limit| message.contains(limit)), "{message}");
        }
    };
    assert_eq!(document["payloadType"], parts.payload_type);
    assert_eq!(decode(&document["payload"]), parts.payload);
    let signatures = document["signatures"].as_array().expect("an array");
    assert!(!signatures.is_empty() && signatures.len() == parts.signatures.len());
    for (signature, expected) in signatures.iter().zip(&parts.signatures) {
        assert_eq!(decode(&signature["sig"]), expected.bytes);
        assert_eq!(signature["keyid"].as_str(), expected.key_id.as_deref());
    }
    let other: PayloadType = "other".parse().expect("a type");
    if parts.payload_type != "other" {
        assert!(DsseFormat { payload_type: &other }.open(data).is_err());
    }
    let Ok(payload_type) = parts.payload_type.parse::<PayloadType>() else { return };
    let opened = DsseFormat { payload_type: &payload_type }.open(data);
    let Ok(Some(opened)) = opened else { panic!("an envelope") };
    let (signed, payload) = opened.contents.covered.enclosed().expect("a payload");
    let header = format!("DSSEv1 {} {} {} ", parts.payload_type.len(), parts.payload_type, parts.payload.len());
    assert!(payload == parts.payload && signed == [header.as_bytes(), payload].concat());
}

/// Decodes base64 in the standard alphabet or the URL alphabet, with or without padding.
fn decode(text: &Value) -> Vec<u8> {
    let text = text.as_str().expect("a text").replace('-', "+").replace('_', "/");
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    GeneralPurpose::new(&alphabet::STANDARD, config).decode(text).expect("base64")
}
