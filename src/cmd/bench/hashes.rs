//! The hash functions that `bench hash` measures: SHAKE256, which the schemes use, and the
//! pre-hashes.

use super::measure::TimedWork;
use crate::tool::report::Error;
use fndsa::algorithm::PreHash;
use fndsa::message::PreHasher;
use fndsa::no_alloc::Level;
use fndsa::subroutine::shake256;
use std::hint::black_box;

/// A hash function that is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimedHash {
    /// SHAKE256 from the library, which the schemes use to hash messages. It is measured on each
    /// level.
    Shake256,
    /// A pre-hash. A pre-hash that the library implements is measured on each level. SHA-256 and
    /// SHA-512 come from a crate that chooses the instructions itself.
    PreHash(PreHash),
}

/// The name in the column `level` for a hash function that the library does not implement.
pub const AUTO: &str = "auto";

/// The measured pre-hashes. Most pre-hashes that are not measured are versions of these with a
/// shorter output and nearly the same speed. SHA3-384 is not measured, because its speed is between
/// SHA3-256 and SHA3-512. SHAKE256 is measured as the hash function of the schemes.
const PREHASHES: [PreHash; 5] =
    [PreHash::Sha256, PreHash::Sha512, PreHash::Sha3_256, PreHash::Sha3_512, PreHash::Shake128];

impl TimedHash {
    /// Returns all hash functions, in row order.
    pub fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Shake256).chain(PREHASHES.map(Self::PreHash))
    }

    /// Returns the name for tables and documents.
    pub fn name(self) -> String {
        match self {
            Self::Shake256 => "SHAKE256".to_owned(),
            Self::PreHash(hash) => format!("prehash {}", hash.name()),
        }
    }

    /// Returns whether the library implements the hash function, with code for each level.
    pub const fn has_levels(self) -> bool {
        !matches!(self, Self::PreHash(PreHash::Sha256 | PreHash::Sha512))
    }

    /// Returns the level's name for tables and documents.
    pub fn backend(self, level: Level) -> &'static str {
        if self.has_levels() { level.name() } else { AUTO }
    }

    /// Prepares to hash `size` bytes on `threads` threads.
    pub fn work(self, level: Level, size: u32, threads: usize) -> Vec<HashWork> {
        (0..threads).map(|i| HashWork { hash: self, level, message: vec![i as u8; size as usize] }).collect()
    }
}

/// A message that a single thread hashes repeatedly.
pub struct HashWork {
    hash: TimedHash,
    level: Level,
    message: Vec<u8>,
}

impl HashWork {
    fn digest(&self) -> Vec<u8> {
        match self.hash {
            TimedHash::Shake256 => shake256(self.level, &self.message).to_vec(),
            TimedHash::PreHash(hash) => {
                let Ok(mut hasher) = PreHasher::new(self.level, hash) else { return Vec::new() };
                hasher.update(&self.message);
                hasher.finish().as_bytes().to_vec()
            }
        }
    }
}

impl TimedWork for HashWork {
    fn run_once(&mut self, _: usize) -> Result<(), Error> {
        black_box(black_box(&*self).digest());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shake256_is_the_pre_hash_with_this_name() {
        let digest = |hash: TimedHash, level| hash.work(level, 1000, 2)[1].digest();
        let expected = digest(TimedHash::PreHash(PreHash::Shake256), Level::EMULATED);
        for level in Level::available() {
            assert_eq!(digest(TimedHash::Shake256, level), expected, "{level}");
        }
        let names: Vec<_> = TimedHash::all().map(TimedHash::name).collect();
        assert_eq!((names.len(), &names[0][..], &names[1][..]), (6, "SHAKE256", "prehash sha256"));
    }
}
