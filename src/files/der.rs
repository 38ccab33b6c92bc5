//! Reads and writes the subset of DER that key files need.

use alloc::vec::Vec;
use pkcs8::der::asn1::AnyRef;
use pkcs8::der::{Decode, Reader, SliceReader, Tag, Tagged};
use zeroize::Zeroizing;

/// The tag and the content of an element.
pub type DerItem<'a> = (Tag, &'a [u8]);

/// Splits `content` into its elements, without decoding nested elements. Returns `None` if a tag or
/// a length is not valid DER.
pub fn items_of(content: &[u8]) -> Option<Vec<DerItem<'_>>> {
    let mut reader = SliceReader::new(content).ok()?;
    let mut items = Vec::new();
    while !reader.is_finished() {
        let item = AnyRef::decode(&mut reader).ok()?;
        items.push((item.tag(), item.value()));
    }
    Some(items)
}

/// Returns the elements of a SEQUENCE. Returns `None` if `der` is not a single SEQUENCE.
pub fn sequence(der: &[u8]) -> Option<Vec<DerItem<'_>>> {
    match items_of(der)?[..] {
        [(Tag::Sequence, content)] => items_of(content),
        _ => None,
    }
}

/// Returns whether `content` and all nested elements are valid DER, with at most `depth` levels of
/// nesting.
pub fn is_strict(content: &[u8], depth: usize) -> bool {
    let Some(items) = items_of(content) else { return false };
    for (tag, content) in items {
        if tag.is_constructed() && (depth == 0 || !is_strict(content, depth - 1)) {
            return false;
        }
    }
    true
}

/// Returns the bytes in a BIT STRING. Returns `None` if the number of bits is not a multiple of 8.
pub fn whole_bytes(bits: &[u8]) -> Option<&[u8]> {
    bits.strip_prefix(&[0])
}

/// Encodes an element. Its content is the concatenation of the parts in `content`. The buffer is
/// wiped on drop, because the parts can be secret. The buffer has its final capacity from the
/// start, because a buffer that grows would leave a copy of its content in freed memory. The
/// content must be shorter than 4 GiB.
pub fn element(tag: u8, content: &[&[u8]]) -> Zeroizing<Vec<u8>> {
    let len: usize = content.iter().map(|part| part.len()).sum();
    let mut encoding = Zeroizing::new(Vec::with_capacity(len + 6));
    encoding.push(tag);
    let bytes = (len as u32).to_be_bytes();
    let skip = bytes.iter().take_while(|byte| **byte == 0).count();
    if len < 0x80 {
        encoding.push(len as u8);
    } else {
        encoding.push(0x80 | (4 - skip) as u8);
        encoding.extend_from_slice(&bytes[skip..]);
    }
    for part in content {
        encoding.extend_from_slice(part);
    }
    encoding
}
