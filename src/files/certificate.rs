//! Extracts fields from an X.509 certificate: the public key, the issuer and the serial number, the
//! key identifier, and whether the certificate belongs to an authority. Does not verify the
//! certificate's signature.

use super::der::{element, is_strict, items_of, sequence, whole_bytes};
use alloc::vec::Vec;
use pkcs8::der::Tag;

/// The maximum nesting depth in a certificate. Common certificates have a depth of five.
pub(super) const DEPTH: usize = 16;

/// The OID 2.5.29.19 for the extension basicConstraints, in DER.
pub(super) const BASIC_CONSTRAINTS: &[u8] = &[0x55, 0x1d, 19];

/// The OID 2.5.29.15 for the extension keyUsage, in DER.
pub(super) const KEY_USAGE: &[u8] = &[0x55, 0x1d, 15];

/// The OID 2.5.29.14 for the extension subjectKeyIdentifier, in DER.
pub(super) const SUBJECT_KEY_ID: &[u8] = &[0x55, 0x1d, 14];

/// Returns the content of the SubjectPublicKeyInfo in a certificate. Returns `None` if `der` is not
/// a certificate (RFC 5280, section 4.1).
pub fn subject_key(der: &[u8]) -> Option<&[u8]> {
    let items = sequence(der)?;
    let [(Tag::Sequence, signed), (Tag::Sequence, algorithm), (Tag::BitString, signature)] = items[..] else {
        return None;
    };
    let fields = items_of(signed)?;
    // DER omits default values, so the version is missing in certificates with version 1.
    let fields = match fields[..] {
        [(Tag::ContextSpecific { number, constructed: true }, [2, 1, 1 | 2]), ref rest @ ..] if number.value() == 0 => {
            rest
        }
        ref all => all,
    };
    let [
        (Tag::Integer, _serial),
        (Tag::Sequence, same),
        (Tag::Sequence, _issuer),
        (Tag::Sequence, _validity),
        (Tag::Sequence, _subject),
        (Tag::Sequence, key),
        ref rest @ ..,
    ] = *fields
    else {
        return None;
    };
    // `rest` contains the optional fields: two unique identifiers, which are not used in practice,
    // and the extensions. The tag numbers must increase from field to field.
    let mut last_number = 0;
    for (tag, _) in rest {
        let number = field_number(*tag)?;
        if number <= last_number {
            return None;
        }
        last_number = number;
    }
    let good = same == algorithm && whole_bytes(signature).is_some() && is_strict(der, DEPTH);
    good.then_some(key)
}

/// Returns true if basicConstraints (RFC 5280, section 4.2.1.9) contains CA:TRUE, so that the
/// certificate belongs to an authority. Without CA:TRUE, a key must not sign certificates, even if
/// keyUsage permits it. fndsa uses the result only for a note to the user.
pub fn is_authority(der: &[u8]) -> bool {
    for (oid, value) in extensions(der).unwrap_or_default() {
        if oid == BASIC_CONSTRAINTS
            && let Some(items) = sequence(value)
            && items.contains(&(Tag::Boolean, &[0xff]))
        {
            return true;
        }
    }
    false
}

/// Returns the OID and the value of each extension. Returns `None` if the certificate is damaged or
/// has no extensions.
fn extensions(der: &[u8]) -> Option<Vec<(&[u8], &[u8])>> {
    let signed = sequence(der)?.first()?.1;
    let fields = items_of(signed)?;
    let (_, content) = fields.into_iter().skip(1).find(|(tag, _)| field_number(*tag) == Some(3))?;
    let mut extensions = Vec::new();
    for (_, extension) in sequence(content)? {
        match items_of(extension)?[..] {
            [(Tag::ObjectIdentifier, oid), .., (Tag::OctetString, value)] => extensions.push((oid, value)),
            _ => return None,
        }
    }
    Some(extensions)
}

/// Returns the tag number of an optional field in TBSCertificate, from 1 to 3. Returns `None` if
/// the tag does not belong to an optional field.
fn field_number(tag: Tag) -> Option<u32> {
    match tag {
        Tag::ContextSpecific { number, .. } if (1..=3).contains(&number.value()) => Some(number.value()),
        _ => None,
    }
}

/// Returns the issuer and the serial number of a certificate in DER, in the order that CMS
/// requires. Returns `None` if `der` is not a certificate.
pub fn issuer_and_serial(der: &[u8]) -> Option<Vec<u8>> {
    subject_key(der)?;
    let fields = items_of(sequence(der)?.first()?.1)?;
    // The version is optional, and the first INTEGER is the serial number.
    let mut fields = fields.iter().skip_while(|(tag, _)| *tag != Tag::Integer);
    let (_, serial) = fields.next()?;
    let (_, issuer) = fields.nth(1)?;
    Some([&element(0x30, &[issuer])[..], &element(0x02, &[serial])].concat())
}

/// Returns the key identifier in the extension subjectKeyIdentifier. Returns `None` if the
/// extension is missing or damaged.
pub fn subject_key_id(der: &[u8]) -> Option<&[u8]> {
    let (_, value) = extensions(der)?.into_iter().find(|(oid, _)| *oid == SUBJECT_KEY_ID)?;
    match value {
        [0x04, len, id @ ..] if usize::from(*len) == id.len() && *len < 0x80 => Some(id),
        _ => None,
    }
}

/// Returns whether a document's signed part has the fields of a certificate request.
pub(super) fn is_request(signed: &[u8]) -> bool {
    let fields = items_of(signed).unwrap_or_default();
    let [(Tag::Integer, _), (Tag::Sequence, _), (Tag::Sequence, _), attributes] = fields[..] else { return false };
    is_tagged(attributes.0, 0)
}

/// Returns whether a tag is constructed, context-specific and has this number.
pub(super) fn is_tagged(tag: Tag, expected_number: u32) -> bool {
    matches!(tag, Tag::ContextSpecific { number, constructed: true } if number.value() == expected_number)
}
