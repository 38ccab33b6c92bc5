//! Computes the bytes that signatures cover if the message is in a separate file. These bytes are
//! the message, bytes that contain its digest, or a prefix and the message (unchanged or in
//! base64url).

use super::envelope::CoveredBytes;
use crate::api::{Level, MessageDigest, MessageError, PreHash, PreHasher};
use crate::files::cms::{ATTRIBUTES_START, begins_like_attributes};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// The number of bytes that base64 encodes to a group of four characters.
const GROUP: usize = 3;

/// Computes, from a message that the caller passes in pieces, the bytes that signatures cover.
/// After the end of the message, the encoder can be used for the next message.
pub struct CoveredEncoder {
    level: Level,
    rule: CoveredRule,
}

/// A rule that computes the covered bytes from the message.
enum CoveredRule {
    /// The covered bytes are the message.
    Message,
    /// The covered bytes are `prefix`, the message's digest, and `suffix`. If `expected` contains a
    /// digest, the message must have this digest.
    Digest {
        hash: PreHash,
        /// The state of the hash function. `None` before the first piece.
        hasher: Option<Box<PreHasher>>,
        prefix: Vec<u8>,
        suffix: Vec<u8>,
        expected: Option<Vec<u8>>,
    },
    /// The covered bytes are the message, which must not begin like signed attributes (CMS).
    Unattributed {
        /// The message's first bytes, at most [`ATTRIBUTES_START`].
        head: Vec<u8>,
    },
    /// The covered bytes are `prefix` and the message.
    Prefixed {
        prefix: Vec<u8>,
        /// Whether the prefix of the current message was written.
        is_started: bool,
    },
    /// The covered bytes are `prefix` and the message in base64url.
    PrefixedBase64 {
        prefix: Vec<u8>,
        is_started: bool,
        /// The last bytes of the message, at most two, which are encoded with the next piece.
        rest: Vec<u8>,
        /// The base64url text of the current piece.
        text: String,
    },
}

/// The result at the end of a message.
#[non_exhaustive]
pub struct CoveredEnd {
    /// Whether the signatures can cover this message. The value is false if the message does not
    /// have the digest in the envelope, or if the message begins like signed attributes. If the
    /// value is false, the verdict must be NO.
    pub is_possible: bool,
    /// The message's digest, if the signatures cover a digest.
    pub digest: Option<MessageDigest>,
}

impl CoveredEncoder {
    /// Creates an encoder for a message in a separate file. Returns `None` if the envelope contains
    /// the message.
    pub fn new(covered: &CoveredBytes<'_>, level: Level) -> Option<Self> {
        let rule = match covered {
            CoveredBytes::SeparateFile => CoveredRule::Message,
            CoveredBytes::SeparateDigest { hash, prefix, suffix, digest } => CoveredRule::Digest {
                hash: *hash,
                hasher: None,
                prefix: prefix.clone(),
                suffix: suffix.clone(),
                expected: digest.clone(),
            },
            CoveredBytes::WithoutAttributes => CoveredRule::Unattributed { head: Vec::new() },
            CoveredBytes::PrefixedFile { prefix, is_base64url: false } => {
                CoveredRule::Prefixed { prefix: prefix.clone(), is_started: false }
            }
            CoveredBytes::PrefixedFile { prefix, is_base64url: true } => CoveredRule::PrefixedBase64 {
                prefix: prefix.clone(),
                is_started: false,
                rest: Vec::new(),
                text: String::new(),
            },
            CoveredBytes::Enclosed { .. } => return None,
        };
        Some(Self { level, rule })
    }

    /// Adds the next piece of the message. The next covered bytes are passed to `sink`, in any
    /// number of pieces.
    ///
    /// # Errors
    /// Fails if the library was built without the hash function.
    pub fn update(&mut self, piece: &[u8], mut sink: impl FnMut(&[u8])) -> Result<(), MessageError> {
        match &mut self.rule {
            CoveredRule::Message => sink(piece),
            CoveredRule::Digest { hash, hasher, .. } => hasher_or_new(hasher, self.level, *hash)?.update(piece),
            CoveredRule::Unattributed { head } => {
                let missing_len = ATTRIBUTES_START.saturating_sub(head.len());
                head.extend_from_slice(&piece[..piece.len().min(missing_len)]);
                sink(piece);
            }
            CoveredRule::Prefixed { prefix, is_started } => {
                write_prefix_once(prefix, is_started, &mut sink);
                sink(piece);
            }
            CoveredRule::PrefixedBase64 { prefix, is_started, rest, text } => {
                write_prefix_once(prefix, is_started, &mut sink);
                rest.extend_from_slice(piece);
                let encoded_len = rest.len() / GROUP * GROUP;
                text.clear();
                URL_SAFE_NO_PAD.encode_string(&rest[..encoded_len], text);
                rest.drain(..encoded_len);
                sink(text.as_bytes());
            }
        }
        Ok(())
    }

    /// Ends the message, and passes the remaining covered bytes to `sink`.
    ///
    /// # Errors
    /// Fails if the library was built without the hash function.
    pub fn finish(&mut self, mut sink: impl FnMut(&[u8])) -> Result<CoveredEnd, MessageError> {
        let mut end = CoveredEnd { is_possible: true, digest: None };
        match &mut self.rule {
            CoveredRule::Message => {}
            CoveredRule::Digest { hash, hasher, prefix, suffix, expected } => {
                hasher_or_new(hasher, self.level, *hash)?;
                let digest = hasher.take().map(|hasher| hasher.finish());
                let bytes = digest.as_ref().map(MessageDigest::as_bytes).unwrap_or_default();
                sink(&[prefix, bytes, suffix].concat());
                end.is_possible = expected.as_ref().is_none_or(|expected| expected[..] == *bytes);
                end.digest = digest;
            }
            CoveredRule::Unattributed { head } => {
                end.is_possible = !begins_like_attributes(head);
                head.clear();
            }
            CoveredRule::Prefixed { prefix, is_started } => {
                write_prefix_once(prefix, is_started, &mut sink);
                *is_started = false;
            }
            CoveredRule::PrefixedBase64 { prefix, is_started, rest, text } => {
                write_prefix_once(prefix, is_started, &mut sink);
                text.clear();
                URL_SAFE_NO_PAD.encode_string(&rest[..], text);
                sink(text.as_bytes());
                rest.clear();
                *is_started = false;
            }
        }
        Ok(end)
    }
}

/// Returns the state of the hash function, and creates it before the first piece.
fn hasher_or_new(
    hasher: &mut Option<Box<PreHasher>>,
    level: Level,
    hash: PreHash,
) -> Result<&mut PreHasher, MessageError> {
    match hasher {
        Some(hasher) => Ok(hasher),
        None => Ok(hasher.insert(Box::new(PreHasher::new(level, hash)?))),
    }
}

/// Passes the prefix to `sink` if the message has just begun.
fn write_prefix_once(prefix: &[u8], is_started: &mut bool, sink: &mut impl FnMut(&[u8])) {
    if !*is_started {
        *is_started = true;
        sink(prefix);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    /// Encodes a message twice with the same encoder. Returns the covered bytes, whether signatures
    /// can cover the message, and its digest.
    fn encoded(covered: &CoveredBytes<'_>, pieces: &[&[u8]]) -> (Vec<u8>, bool, Option<Vec<u8>>) {
        let mut encoder = CoveredEncoder::new(covered, Level::detect()).unwrap();
        let mut results = Vec::new();
        for _ in 0..2 {
            let mut bytes = Vec::new();
            for piece in pieces {
                encoder.update(piece, |covered| bytes.extend_from_slice(covered)).unwrap();
            }
            let end = encoder.finish(|covered| bytes.extend_from_slice(covered)).unwrap();
            results.push((bytes, end.is_possible, end.digest.map(|digest| digest.as_bytes().to_vec())));
        }
        assert_eq!(results[0], results[1]);
        results.remove(0)
    }

    #[test]
    fn a_digest_has_a_prefix_and_a_suffix() {
        // The digest of "abc" is an example for SHA-256 in FIPS 180-4.
        let digest: Vec<u8> = vec![
            0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23, 0xb0, 0x03,
            0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad,
        ];
        let mut other = digest.clone();
        other[31] ^= 1;
        for (expected, is_possible) in
            [(None, true), (Some(digest.clone()), true), (Some(other), false), (Some(vec![]), false)]
        {
            let (prefix, suffix) = (b"prefix".to_vec(), b"suffix".to_vec());
            let covered = CoveredBytes::SeparateDigest { hash: PreHash::Sha256, prefix, suffix, digest: expected };
            let signed = [b"prefix", &digest[..], b"suffix"].concat();
            for pieces in [&[&b"abc"[..]][..], &[b"a", b"", b"bc"]] {
                assert_eq!(encoded(&covered, pieces), (signed.clone(), is_possible, Some(digest.clone())));
            }
        }
        assert!(CoveredEncoder::new(&CoveredBytes::message(&b"text"[..]), Level::detect()).is_none());
    }

    #[test]
    fn a_message_that_begins_like_attributes_is_not_possible() {
        for (pieces, is_possible) in [
            (&[][..], true),
            (&[&b"text"[..]], true),
            (&[b"1", b"\x10\x30", b"\x0e\x06\x03"], false),
            (&[b"1\x82\x01\x10\x30\x84\0\0\0\x0a\x06"], false),
            (&[b"1\x82\x01\x10\x30\x84\0\0\0\x0a\x04"], true),
        ] {
            let expected = (pieces.concat(), is_possible, None);
            assert_eq!(encoded(&CoveredBytes::WithoutAttributes, pieces), expected, "{pieces:?}");
            assert_eq!(encoded(&CoveredBytes::SeparateFile, pieces), (pieces.concat(), true, None));
        }
    }

    #[test]
    fn a_prefix_is_before_each_message() {
        for pieces in [&[][..], &["a"], &["ab", "", "c", "\u{ff}d"], &["abc", "def", "g"], &["a", "bcde", "fghij"]] {
            let message = pieces.concat();
            let pieces: Vec<_> = pieces.iter().map(|piece| piece.as_bytes()).collect();
            for is_base64url in [false, true] {
                let covered = CoveredBytes::PrefixedFile { prefix: b"prefix.".to_vec(), is_base64url };
                let signed = if is_base64url { URL_SAFE_NO_PAD.encode(&message) } else { message.clone() };
                assert_eq!(encoded(&covered, &pieces), ([b"prefix.", signed.as_bytes()].concat(), true, None));
            }
        }
    }
}
