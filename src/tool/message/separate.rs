//! The bytes that signatures cover if the message is in a separate file: the message, bytes that
//! are computed from its digest, or a prefix and the message.

use crate::tool::io::{Input, InputReuse, drain};
use crate::tool::report::Error;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use fndsa::algorithm::PreHash;
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
        CoveredBytes::SeparateDigest { hash, prefix } => {
            let prefix = prefix.clone();
            Ok(Box::new(DigestInput { message, level, hash: *hash, prefix, signed: Vec::new(), len: 0, given: false }))
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

/// An input that returns a prefix and the digest of a message, as one piece.
struct DigestInput<'a> {
    message: Box<dyn Input + 'a>,
    level: Level,
    hash: PreHash,
    prefix: Vec<u8>,
    /// The prefix and the digest, after the message was read.
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

    fn next(&mut self) -> Result<&[u8], Error> {
        if self.given {
            self.given = false;
            return Ok(&[]);
        }
        let mut hasher = PreHasher::new(self.level, self.hash).map_err(|e| Error::Internal(e.to_string()))?;
        self.len = drain(&mut *self.message, |piece| hasher.update(piece))?;
        self.signed.clone_from(&self.prefix);
        self.signed.extend_from_slice(hasher.finish().as_bytes());
        self.given = true;
        Ok(&self.signed)
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
        let covered = CoveredBytes::SeparateDigest { hash: PreHash::Sha256, prefix: b"prefix".to_vec() };
        let message = Box::new(MemoryInput::new(&"message", b"text"));
        let mut input = covered_input(&covered, Level::detect(), message).unwrap();
        for _ in 0..2 {
            let mut read = Vec::new();
            assert_eq!(drain(&mut *input, |piece| read.extend_from_slice(piece)).unwrap(), 4);
            assert_eq!(read, [b"prefix", &Sha256::digest(b"text")[..]].concat());
        }
        let mut input = MemoryInput::new(&"message", b"text");
        assert!(covered_input(&CoveredBytes::message(&b"text"[..]), Level::detect(), Box::new(&mut input)).is_err());
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
