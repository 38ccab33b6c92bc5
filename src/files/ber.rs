//! Reads BER elements (X.690). An element of indefinite length ends with a marker. The outer
//! elements of a CMS file can have indefinite lengths, because programs that write a stream do not
//! know the lengths in advance.

use super::der::is_strict;
use alloc::vec::Vec;

/// The maximum nesting depth inside an element that must be DER.
const DEPTH: usize = 16;

/// A BER element.
pub struct BerElement<'d> {
    /// The identifier octet, which consists of the class, the constructed bit and the tag number.
    pub tag: u8,
    /// The content, without the end marker that follows an indefinite length.
    pub content: &'d [u8],
    /// The complete encoding of the element.
    pub encoding: &'d [u8],
    /// Whether the length is indefinite.
    pub is_indefinite: bool,
}

impl<'d> BerElement<'d> {
    /// Returns whether the element and all nested elements are DER.
    pub fn is_der(&self) -> bool {
        let is_constructed = self.tag & 0x20 != 0;
        !self.is_indefinite && (!is_constructed || is_strict(self.content, DEPTH))
    }

    /// Splits `data` into the first element and the bytes after this element. Returns `None` if the
    /// tag or the length is invalid. Definite lengths must be as short as possible. Lengths can be
    /// indefinite only at the first `depth` levels of nesting.
    pub fn split(data: &'d [u8], depth: usize) -> Option<(Self, &'d [u8])> {
        let (tag, rest) = data.split_first()?;
        // The tag 0 is the end marker, and CMS does not use tags with several bytes.
        if *tag == 0 || tag & 0x1f == 0x1f {
            return None;
        }
        let (first, rest) = rest.split_first()?;
        if *first == 0x80 {
            return Self::split_indefinite(data, *tag, rest, depth);
        }
        let (len, rest) = if *first < 0x80 {
            (usize::from(*first), rest)
        } else {
            let (bytes, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            if bytes.len() > 4 {
                return None;
            }
            let mut len = 0_usize;
            for byte in bytes {
                len = (len << 8) | usize::from(*byte);
            }
            let is_minimal = bytes.first() != Some(&0) && len >= 0x80;
            if !is_minimal {
                return None;
            }
            (len, rest)
        };
        let (content, rest) = rest.split_at_checked(len)?;
        let encoding = &data[..data.len() - rest.len()];
        Some((Self { tag: *tag, content, encoding, is_indefinite: false }, rest))
    }

    /// Splits off an element with an indefinite length from `data`. `inner` contains the bytes
    /// after the length byte.
    fn split_indefinite(data: &'d [u8], tag: u8, inner: &'d [u8], depth: usize) -> Option<(Self, &'d [u8])> {
        if tag & 0x20 == 0 || depth == 0 {
            return None;
        }
        let mut rest = inner;
        loop {
            if let Some(after) = rest.strip_prefix(&[0, 0]) {
                let content = &inner[..inner.len() - rest.len()];
                let encoding = &data[..data.len() - after.len()];
                return Some((Self { tag, content, encoding, is_indefinite: true }, after));
            }
            rest = Self::split(rest, depth - 1)?.1;
        }
    }

    /// Splits `data` into its elements. `depth` has the same meaning as in [`Self::split`].
    pub fn all(data: &'d [u8], depth: usize) -> Option<Vec<Self>> {
        let mut elements = Vec::new();
        let mut rest = data;
        while !rest.is_empty() {
            let (element, after) = Self::split(rest, depth)?;
            elements.push(element);
            rest = after;
        }
        Some(elements)
    }
}
