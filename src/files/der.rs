//! Reads and writes DER, as far as keys need it.

use alloc::vec::Vec;
use pkcs8::der::asn1::AnyRef;
use pkcs8::der::{Decode, Reader, SliceReader, Tag, Tagged};
use zeroize::Zeroizing;

/// Tag and content.
pub type DerItem<'a> = (Tag, &'a [u8]);

/// Returns the elements in `content`; `None` if they break a rule of DER.
pub fn items_of(content: &[u8]) -> Option<Vec<DerItem<'_>>> {
    let mut reader = SliceReader::new(content).ok()?;
    let mut items = Vec::new();
    while !reader.is_finished() {
        let item = AnyRef::decode(&mut reader).ok()?;
        items.push((item.tag(), item.value()));
    }
    Some(items)
}

/// Returns the elements in a SEQUENCE that fills `der`; `None` if `der` has a different form.
pub fn sequence(der: &[u8]) -> Option<Vec<DerItem<'_>>> {
    match items_of(der)?[..] {
        [(Tag::Sequence, content)] => items_of(content),
        _ => None,
    }
}

/// Returns whether `content` follows the rules of DER at all levels. The nesting is limited to
/// `depth`.
pub fn is_strict(content: &[u8], depth: usize) -> bool {
    let Some(items) = items_of(content) else { return false };
    for (tag, content) in items {
        if tag.is_constructed() && (depth == 0 || !is_strict(content, depth - 1)) {
            return false;
        }
    }
    true
}

/// Returns the bytes in a BIT STRING; `None` if its last byte is only used in part.
pub fn whole_bytes(bits: &[u8]) -> Option<&[u8]> {
    bits.strip_prefix(&[0])
}

/// Returns an element with the parts of `content`. The parts can be secret, so the buffer is wiped
/// on drop, and it is allocated with its final size. Range: the content is shorter than 4 GiB.
pub fn element(tag: u8, content: &[&[u8]]) -> Zeroizing<Vec<u8>> {
    let len: usize = content.iter().map(|part| part.len()).sum();
    let mut out = Zeroizing::new(Vec::with_capacity(len + 6));
    out.push(tag);
    let bytes = (len as u32).to_be_bytes();
    let skip = bytes.iter().take_while(|byte| **byte == 0).count();
    if len < 0x80 {
        out.push(len as u8);
    } else {
        out.push(0x80 | (4 - skip) as u8);
        out.extend_from_slice(&bytes[skip..]);
    }
    content.iter().for_each(|part| out.extend_from_slice(part));
    out
}
