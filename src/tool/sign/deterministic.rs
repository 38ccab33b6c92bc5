//! A source of fixed bytes instead of random bytes, for test vectors, self tests, benchmarks and
//! `keygen --insecure-deterministic`. It must never be used for real keys or signatures.

use rand_core::{TryCryptoRng, TryRng};
use sha3::Shake256;
use sha3::digest::{ExtendableOutput, Update, XofReader};
use std::io::{self, Read};

/// A generator that returns bytes from a source until the source ends, and then fails.
pub struct DeterministicRng<R>(pub R);

impl<R: Read> TryRng for DeterministicRng<R> {
    type Error = io::Error;

    fn try_next_u32(&mut self) -> Result<u32, io::Error> {
        let mut bytes = [0; 4];
        self.0.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, io::Error> {
        let mut bytes = [0; 8];
        self.0.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), io::Error> {
        self.0.read_exact(out)
    }
}

/// This marker trait promises unpredictable bytes, which this type cannot guarantee because the
/// caller chooses the source. The uses that the head of this module lists do not need unpredictable
/// bytes.
impl<R: Read> TryCryptoRng for DeterministicRng<R> {}

/// An endless stream of bytes: the SHAKE256 output for an input.
pub struct SeededStream(<Shake256 as ExtendableOutput>::Reader);

impl SeededStream {
    /// Creates the stream for an input, which is the concatenation of the parts.
    pub fn of(parts: &[&[u8]]) -> Self {
        let mut hash = Shake256::default();
        for part in parts {
            hash.update(part);
        }
        Self(hash.finalize_xof())
    }

    /// Returns the next `N` bytes.
    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut out = [0; N];
        self.0.read(&mut out);
        out
    }

    /// Returns the next `len` bytes.
    pub fn vec(&mut self, len: usize) -> Vec<u8> {
        let mut out = vec![0; len];
        self.0.read(&mut out);
        out
    }
}

impl Read for SeededStream {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0.read(out);
        Ok(out.len())
    }
}
