//! Computes the bytes that signatures cover if the message is in a separate file. These bytes are
//! the message, bytes that contain its digest, or a prefix and the message. `sign` and `verify`
//! read these bytes through [`Input`], like a file's contents.

use crate::tool::io::{Input, InputReuse};
use crate::tool::report::Error;

use fndsa::no_alloc::Level;
use fndsa::verdict::CoveredEncoder;
use fndsa::verdict::envelope::CoveredBytes;
use std::fmt::Display;

/// Converts a separate message to the input that is signed or verified. `covered` defines the
/// conversion, which depends on the signature format.
///
/// # Errors
/// Fails if the envelope contains the message, which is a bug in the caller.
pub fn covered_input<'a>(
    covered: &CoveredBytes<'_>,
    level: Level,
    message: Box<dyn Input + 'a>,
) -> Result<Box<dyn Input + 'a>, Error> {
    if let CoveredBytes::SeparateFile = covered {
        return Ok(message);
    }
    let Some(encoder) = CoveredEncoder::new(covered, level) else {
        return Err(Error::Internal("the envelope contains the message".to_owned()));
    };
    Ok(Box::new(CoveredInput {
        message,
        is_encoded: !matches!(covered, CoveredBytes::WithoutAttributes),
        encoder,
        signed: Vec::new(),
        is_new: true,
        has_end: false,
        is_possible: false,
        digest: None,
        len: 0,
    }))
}

/// An input that returns the bytes that the signatures cover. It reads the message in pieces.
struct CoveredInput<'a> {
    message: Box<dyn Input + 'a>,
    is_encoded: bool,
    encoder: CoveredEncoder,
    /// The next piece of the bytes that the signatures cover.
    signed: Vec<u8>,
    /// True if the next call reads the first piece of the message.
    is_new: bool,
    /// Whether the end of the message was read, but not returned yet.
    has_end: bool,
    /// Whether the signatures can cover this message (`CoveredEnd::is_possible`).
    is_possible: bool,
    /// The message's digest, if the signatures cover a digest.
    digest: Option<Vec<u8>>,
    /// The length of the message in bytes, after it was read to its end.
    len: u64,
}

impl Input for CoveredInput<'_> {
    fn name(&self) -> &dyn Display {
        self.message.name()
    }

    fn reuse(&self) -> InputReuse {
        self.message.reuse()
    }

    fn is_encoded(&self) -> bool {
        self.is_encoded
    }

    fn message_len(&self, _: u64) -> u64 {
        self.message.message_len(self.len)
    }

    fn digest(&self) -> Option<&[u8]> {
        self.digest.as_deref()
    }

    fn is_possible(&self) -> bool {
        self.is_possible
    }

    fn next(&mut self) -> Result<&[u8], Error> {
        self.signed.clear();
        if self.has_end {
            (self.is_new, self.has_end) = (true, false);
            return Ok(&[]);
        }
        if self.is_new {
            (self.is_new, self.len) = (false, 0);
        }
        // An empty piece would mean the end of the input.
        while self.signed.is_empty() {
            let piece = self.message.next()?;
            self.len += piece.len() as u64;
            let signed = &mut self.signed;
            if !piece.is_empty() {
                self.encoder.update(piece, |covered| signed.extend_from_slice(covered))?;
                continue;
            }
            let end = self.encoder.finish(|covered| signed.extend_from_slice(covered))?;
            self.is_possible = end.is_possible;
            self.digest = end.digest.map(|digest| digest.as_bytes().to_vec());
            self.has_end = !self.signed.is_empty();
            self.is_new = !self.has_end;
            break;
        }
        Ok(&self.signed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::io::{MemoryInput, drain};
    use base64::Engine;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use fndsa::algorithm::PreHash;
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

    /// An input that returns these pieces.
    struct PiecesInput(Vec<&'static [u8]>, usize);

    impl Input for PiecesInput {
        fn name(&self) -> &dyn Display {
            &"pieces"
        }

        fn reuse(&self) -> InputReuse {
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
