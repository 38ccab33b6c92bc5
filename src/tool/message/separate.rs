//! The bytes that signatures cover if the message is in a separate file: the message, bytes that
//! are computed from its digest, or a prefix and the message.

use crate::tool::io::{Input, InputReuse, drain};
use crate::tool::report::Error;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use fndsa::algorithm::PreHash;
use fndsa::files::cms::{ATTRIBUTES_START, begins_like_attributes};
use fndsa::message::PreHasher;
use fndsa::no_alloc::Level;
use fndsa::verdict::envelope::CoveredBytes;
use std::fmt::Display;

/// Returns the input to sign or to verify for a message in a separate file.
///
/// # Errors
/// The envelope contains the message. This is a bug.
pub fn covered_input<'a>(
    covered: &CoveredBytes<'_>,
    level: Level,
    message: Box<dyn Input + 'a>,
) -> Result<Box<dyn Input + 'a>, Error> {
    match covered {
        CoveredBytes::SeparateFile => Ok(message),
        CoveredBytes::SeparateDigest { hash, prefix, suffix, digest } => Ok(Box::new(DigestInput {
            message,
            level,
            hash: *hash,
            prefix: prefix.clone(),
            suffix: suffix.clone(),
            expected: digest.clone(),
            digest: Vec::new(),
            signed: Vec::new(),
            len: 0,
            given: false,
        })),
        CoveredBytes::WithoutAttributes => {
            Ok(Box::new(UnattributedInput { message, head: Vec::new(), ended: true, len: 0 }))
        }
        CoveredBytes::PrefixedFile { prefix, is_base64url } => {
            let prefix = prefix.clone();
            let is_base64url = *is_base64url;
            Ok(Box::new(PrefixedInput {
                message,
                prefix,
                is_base64url,
                begun: false,
                ended: false,
                rest: Vec::new(),
                text: String::new(),
                len: 0,
            }))
        }
        CoveredBytes::Enclosed { .. } => Err(Error::Internal("the envelope contains the message".to_owned())),
    }
}

/// An input that returns a prefix, the digest of a message, and a suffix, as one piece.
struct DigestInput<'a> {
    message: Box<dyn Input + 'a>,
    level: Level,
    hash: PreHash,
    prefix: Vec<u8>,
    suffix: Vec<u8>,
    /// The digest that the message must have, if the envelope contains one.
    expected: Option<Vec<u8>>,
    /// The digest, after the message was read.
    digest: Vec<u8>,
    /// The prefix, the digest and the suffix, after the message was read.
    signed: Vec<u8>,
    /// The length of the message in bytes, after the message was read.
    len: u64,
    /// Whether the piece was returned.
    given: bool,
}

impl Input for DigestInput<'_> {
    fn name(&self) -> &dyn Display {
        self.message.name()
    }

    fn reading(&self) -> InputReuse {
        self.message.reading()
    }

    fn is_encoded(&self) -> bool {
        true
    }

    fn message_len(&self, _: u64) -> u64 {
        self.len
    }

    fn digest(&self) -> Option<&[u8]> {
        Some(&self.digest)
    }

    fn is_possible(&self) -> bool {
        self.expected.as_ref().is_none_or(|expected| *expected == self.digest)
    }

    fn next(&mut self) -> Result<&[u8], Error> {
        if self.given {
            self.given = false;
            return Ok(&[]);
        }
        let mut hasher = PreHasher::new(self.level, self.hash).map_err(|e| Error::Internal(e.to_string()))?;
        self.len = drain(&mut *self.message, |piece| hasher.update(piece))?;
        self.digest = hasher.finish().as_bytes().to_vec();
        self.signed = [&self.prefix[..], &self.digest, &self.suffix].concat();
        self.given = true;
        Ok(&self.signed)
    }
}

/// An input that returns a message. The message must not begin like signed attributes.
struct UnattributedInput<'a> {
    message: Box<dyn Input + 'a>,
    /// The first bytes of the message.
    head: Vec<u8>,
    /// Whether the message was read to its end, or was not read.
    ended: bool,
    /// The length of the message in bytes, after the message was read.
    len: u64,
}

impl Input for UnattributedInput<'_> {
    fn name(&self) -> &dyn Display {
        self.message.name()
    }

    fn reading(&self) -> InputReuse {
        self.message.reading()
    }

    fn message_len(&self, _: u64) -> u64 {
        self.message.message_len(self.len)
    }

    fn is_possible(&self) -> bool {
        !begins_like_attributes(&self.head)
    }

    fn next(&mut self) -> Result<&[u8], Error> {
        let piece = self.message.next()?;
        if self.ended {
            self.head.clear();
            self.len = 0;
        }
        self.ended = piece.is_empty();
        self.len += piece.len() as u64;
        let wanted = ATTRIBUTES_START - self.head.len();
        self.head.extend_from_slice(&piece[..piece.len().min(wanted)]);
        Ok(piece)
    }
}

/// An input that returns a prefix and then a message. The message is read in pieces.
struct PrefixedInput<'a> {
    message: Box<dyn Input + 'a>,
    /// The first piece. Range: not empty, because an empty piece is the end of an input.
    prefix: Vec<u8>,
    /// Whether the message is returned in base64url without padding.
    is_base64url: bool,
    /// Whether the prefix was returned.
    begun: bool,
    /// Whether the message was read to its end, and its last characters are not returned yet.
    ended: bool,
    /// The last bytes of the message that are not encoded yet: fewer than three.
    rest: Vec<u8>,
    /// The encoded piece.
    text: String,
    /// The length of the message in bytes, after the message was read.
    len: u64,
}

/// The number of bytes that base64 encodes together.
const GROUP: usize = 3;

impl Input for PrefixedInput<'_> {
    fn name(&self) -> &dyn Display {
        self.message.name()
    }

    fn reading(&self) -> InputReuse {
        self.message.reading()
    }

    fn is_encoded(&self) -> bool {
        true
    }

    fn message_len(&self, _: u64) -> u64 {
        self.message.message_len(self.len)
    }

    fn next(&mut self) -> Result<&[u8], Error> {
        if !self.begun {
            self.begun = true;
            self.len = 0;
            return Ok(&self.prefix);
        }
        if !self.is_base64url {
            let piece = self.message.next()?;
            self.len += piece.len() as u64;
            self.begun = !piece.is_empty();
            return Ok(piece);
        }
        self.text.clear();
        while self.text.is_empty() && !self.ended {
            let piece = self.message.next()?;
            self.len += piece.len() as u64;
            self.ended = piece.is_empty();
            self.rest.extend_from_slice(piece);
            // The last group can be shorter.
            let whole = if self.ended { self.rest.len() } else { self.rest.len() / GROUP * GROUP };
            URL_SAFE_NO_PAD.encode_string(&self.rest[..whole], &mut self.text);
            self.rest.drain(..whole);
        }
        if self.text.is_empty() {
            self.begun = false;
            self.ended = false;
        }
        Ok(self.text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::io::MemoryInput;
    use sha2::{Digest, Sha256};

    #[test]
    fn an_input_returns_the_prefix_and_the_digest_each_time() {
        let (hash, prefix, suffix) = (PreHash::Sha256, b"prefix".to_vec(), b"suffix".to_vec());
        let digest = Sha256::digest(b"text").to_vec();
        for (expected, is_possible) in [(None, true), (Some(digest.clone()), true), (Some(vec![0; 32]), false)] {
            let (prefix, suffix) = (prefix.clone(), suffix.clone());
            let covered = CoveredBytes::SeparateDigest { hash, prefix, suffix, digest: expected };
            let message = Box::new(MemoryInput::new(&"message", b"text"));
            let mut input = covered_input(&covered, Level::detect(), message).unwrap();
            for _ in 0..2 {
                let mut read = Vec::new();
                assert_eq!(drain(&mut *input, |piece| read.extend_from_slice(piece)).unwrap(), 4);
                assert_eq!(read, [b"prefix", &digest[..], b"suffix"].concat());
                assert_eq!((input.digest(), input.is_possible()), (Some(&digest[..]), is_possible));
            }
        }
        let mut input = MemoryInput::new(&"message", b"text");
        assert!(covered_input(&CoveredBytes::message(&b"text"[..]), Level::detect(), Box::new(&mut input)).is_err());
    }

    #[test]
    fn a_message_that_begins_like_attributes_is_not_possible() {
        for (pieces, is_possible) in [
            (&[&b"text"[..]][..], true),
            (&[b"1", b"\x10\x30", b"\x0e\x06\x03"], false),
            (&[b"1\x82\x01\x10\x30\x84\0\0\0\x0a\x06"], false),
            (&[b"1\x82\x01\x10\x30\x84\0\0\0\x0a\x04"], true),
            (&[b"\x31\x80"], true),
        ] {
            let message = Box::new(PiecesInput(pieces.to_vec(), 0));
            let mut input = covered_input(&CoveredBytes::WithoutAttributes, Level::detect(), message).unwrap();
            for _ in 0..2 {
                let mut read = Vec::new();
                let len = drain(&mut *input, |piece| read.extend_from_slice(piece)).unwrap();
                assert_eq!((len, read), (pieces.concat().len() as u64, pieces.concat()));
                assert_eq!(input.is_possible(), is_possible, "{pieces:?}");
            }
        }
    }

    /// An input with pieces of the given lengths.
    struct PiecesInput(Vec<&'static [u8]>, usize);

    impl Input for PiecesInput {
        fn name(&self) -> &dyn Display {
            &"pieces"
        }

        fn reading(&self) -> InputReuse {
            InputReuse::Again
        }

        fn next(&mut self) -> Result<&[u8], Error> {
            self.1 = (self.1 + 1) % (self.0.len() + 1);
            Ok(if self.1 == 0 { &[] } else { self.0[self.1 - 1] })
        }
    }

    #[test]
    fn an_input_returns_the_prefix_and_the_message_each_time() {
        for pieces in [&[][..], &["a"], &["ab", "c", "\u{ff}d"], &["abc", "def", "g"], &["a", "bcde", "fghij"]] {
            for is_base64url in [false, true] {
                let message = pieces.concat();
                let prefix = b"prefix.".to_vec();
                let covered = CoveredBytes::PrefixedFile { prefix: prefix.clone(), is_base64url };
                let pieces = PiecesInput(pieces.iter().map(|piece| piece.as_bytes()).collect(), 0);
                let mut input = covered_input(&covered, Level::detect(), Box::new(pieces)).unwrap();
                for _ in 0..2 {
                    let mut read = Vec::new();
                    let len = drain(&mut *input, |piece| read.extend_from_slice(piece)).unwrap();
                    assert_eq!(len, message.len() as u64);
                    let signed = if is_base64url { URL_SAFE_NO_PAD.encode(&message) } else { message.clone() };
                    assert_eq!(read, [&prefix[..], signed.as_bytes()].concat());
                }
            }
        }
    }
}
