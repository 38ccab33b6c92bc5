//! X.509 certificates: the public key is taken out of them, and nothing else is believed or checked.

use super::der::{is_strict, items_of, sequence, whole_bytes};
use alloc::vec::Vec;
use pkcs8::der::Tag;

/// Structures in structures that a certificate may have; five are usual.
const DEPTH: usize = 16;

/// The content of the SubjectPublicKeyInfo in a certificate; `None` if `der` is none of RFC 5280, section 4.1.
pub fn subject_key(der: &[u8]) -> Option<&[u8]> {
    let items = sequence(der)?;
    let [(Tag::Sequence, signed), (Tag::Sequence, algorithm), (Tag::BitString, signature)] = items[..] else {
        return None;
    };
    let fields = items_of(signed)?;
    // The first version is the default, which DER leaves out.
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
    // Two identifiers, which nobody uses, and extensions.
    let numbers: Option<Vec<_>> = rest.iter().map(|(tag, _)| number(*tag)).collect();
    let rest_is_good = numbers?.windows(2).all(|pair| pair[0] < pair[1]);
    let good = rest_is_good && same == algorithm && whole_bytes(signature).is_some() && is_strict(der, DEPTH);
    good.then_some(key)
}

/// The number of one of the last fields of what is signed.
fn number(tag: Tag) -> Option<u32> {
    match tag {
        Tag::ContextSpecific { number, .. } => Some(number.value()).filter(|number| (1..=3).contains(number)),
        _ => None,
    }
}
