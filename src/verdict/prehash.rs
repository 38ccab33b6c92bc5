//! Computes pre-hashes: hashes that can be applied to a message before it is signed.

use crate::api::{Level, PreHash, PreHasher};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use sha2::Digest;

/// A hash for messages that are read in pieces.
pub trait MessageHasher {
    /// Hashes the next piece.
    fn absorb(&mut self, piece: &[u8]);
    /// Returns the digest.
    fn digest(self: Box<Self>) -> Vec<u8>;
}

struct FixedLengthHasher<D>(D);

impl<D: Digest> MessageHasher for FixedLengthHasher<D> {
    fn absorb(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    fn digest(self: Box<Self>) -> Vec<u8> {
        self.0.finalize().to_vec()
    }
}

/// A hash that this library implements. It runs with the code for a level.
struct LevelHasher {
    hasher: PreHasher,
    digest_len: usize,
}

impl MessageHasher for LevelHasher {
    fn absorb(&mut self, piece: &[u8]) {
        self.hasher.update(piece);
    }

    fn digest(self: Box<Self>) -> Vec<u8> {
        let mut out = vec![0; self.digest_len];
        self.hasher.finish_into(&mut out);
        out
    }
}

/// Returns the implementation of a pre-hash. The hashes that this library implements run with the
/// code for `level`.
pub fn hasher(level: Level, hash: PreHash) -> Box<dyn MessageHasher> {
    match hash {
        PreHash::Sha256 => Box::new(FixedLengthHasher(sha2::Sha256::new())),
        PreHash::Sha384 => Box::new(FixedLengthHasher(sha2::Sha384::new())),
        PreHash::Sha512 => Box::new(FixedLengthHasher(sha2::Sha512::new())),
        PreHash::Sha512_256 => Box::new(FixedLengthHasher(sha2::Sha512_256::new())),
        PreHash::Sha224 => Box::new(FixedLengthHasher(sha2::Sha224::new())),
        PreHash::Sha512_224 => Box::new(FixedLengthHasher(sha2::Sha512_224::new())),
        other => match PreHasher::new(level, other) {
            Some(hasher) => Box::new(LevelHasher { hasher, digest_len: other.digest_len() }),
            // Only reachable if the library supports a new hash that is missing in this `match`.
            None => unreachable!("no implementation of {}", other.name()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::hex::hex;

    #[test]
    fn every_pre_hash_gives_a_digest_of_its_length() {
        for hash in PreHash::all() {
            let mut h = hasher(Level::detect(), hash);
            h.absorb(b"abc");
            assert_eq!(h.digest().len(), hash.digest_len(), "{}", hash.name());
        }
    }

    #[test]
    fn shake_digests_are_those_of_fips_202() {
        let of_nothing = |hash| hex(&hasher(Level::detect(), hash).digest());
        assert!(of_nothing(PreHash::Shake128).starts_with("7f9c2ba4e88f827d616045507605853e"));
        assert!(of_nothing(PreHash::Shake256).starts_with("46b9dd2b0ba88d13233b3feb743eeb24"));
        assert!(of_nothing(PreHash::Sha512_256).starts_with("c672b8d1ef56ed28ab87c3622c511406"));
        assert!(of_nothing(PreHash::Sha224).starts_with("d14a028c2a3a2bc9476102bb288234c4"));
        assert!(of_nothing(PreHash::Sha512_224).starts_with("6ed0dd02806fa89e25de060c19d3ac86"));
        assert!(of_nothing(PreHash::Sha3_224).starts_with("6b4e03423667dbb73b6e15454f0eb1ab"));
    }
}
