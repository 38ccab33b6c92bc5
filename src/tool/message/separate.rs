//! The bytes that signatures cover if the message is in a separate file: the message, or bytes that
//! are computed from its digest.

use crate::tool::io::{Input, InputReuse, drain};
use crate::tool::report::Error;
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
        assert!(covered_input(&CoveredBytes::message(&b"text"[..]), Level::detect(), input).is_err());
    }
}
