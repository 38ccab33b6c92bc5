//! Computes the pre-hashes that are based on Keccak.

use crate::engine::hash::prehash::PreHash;
use crate::engine::hash::shake::{SHA3_ENDS, SHAKE_ENDS, Shake, Sponge};
use crate::simd::{Level, on_level};

/// Computes the pre-hash of a message in pieces. This type supports the hash functions in FIPS 202
/// (SHA-3 and SHAKE), because this library already contains the Keccak permutation for the schemes.
///
/// ```
/// use fndsa::algorithm::PreHash;
/// use fndsa::message::PreHasher;
/// use fndsa::no_alloc::Level;
/// use fndsa::{Algorithm, Options, SigningKey};
/// use getrandom::SysRng;
///
/// let mut digest = [0; 64];
/// let mut hasher = PreHasher::new(Level::detect(), PreHash::Shake256).expect("SHAKE256 is of FIPS 202");
/// hasher.update(b"a long ");
/// hasher.update(b"message");
/// hasher.finish_into(&mut digest);
/// let key = SigningKey::generate(Algorithm::FN_DSA_512, &mut SysRng)?;
/// let options = Options::default().with_prehash(Some(PreHash::Shake256));
/// let signature = key.sign(options, &digest, &mut SysRng)?;
/// key.verifying_key().verify(options, &digest, signature.as_bytes())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct PreHasher {
    level: Level,
    hash: PreHash,
    sponge: Sponge,
}

/// Evaluates `$work` with the constant `$words`: the block length of `$hash`, in words of 64 bits.
/// The result is `None` if the hash function is not in FIPS 202.
macro_rules! with_words {
    ($hash:expr, $words:ident => $work:expr) => {
        match $hash {
            PreHash::Sha3_512 => with_words!(@ $words, 9, $work),
            PreHash::Sha3_384 => with_words!(@ $words, 13, $work),
            PreHash::Sha3_256 | PreHash::Shake256 => with_words!(@ $words, 17, $work),
            PreHash::Sha3_224 => with_words!(@ $words, 18, $work),
            PreHash::Shake128 => with_words!(@ $words, 21, $work),
            _ => None,
        }
    };
    (@ $words:ident, $number:literal, $work:expr) => {{
        const $words: usize = $number;
        Some($work)
    }};
}

impl PreHasher {
    /// Starts a message. Returns `None` if the hash function is not in FIPS 202.
    pub fn new(level: Level, hash: PreHash) -> Option<Self> {
        let words = with_words!(hash, WORDS => WORDS)?;
        (words > 0).then_some(Self { level, hash, sponge: Sponge::EMPTY })
    }

    /// Adds the next piece of the message.
    pub fn update(&mut self, piece: &[u8]) {
        let _there_is_one = with_words!(self.hash, WORDS => {
            on_level!(self.level, |isa = integers| {
                let sponge = core::mem::replace(&mut self.sponge, Sponge::EMPTY);
                let mut hasher = Shake::<_, WORDS>::resume(isa, sponge);
                hasher.absorb(piece);
                self.sponge = hasher.suspend();
            });
        });
    }

    /// Writes the digest, with [`PreHash::digest_len`] bytes. If the buffer `digest` is shorter
    /// than that, this function writes only the first bytes. If it is longer, the remaining bytes
    /// will be zero.
    pub fn finish_into(self, digest: &mut [u8]) {
        let ends = if matches!(self.hash, PreHash::Shake128 | PreHash::Shake256) { SHAKE_ENDS } else { SHA3_ENDS };
        digest.fill(0);
        let len = self.hash.digest_len().min(digest.len());
        let _there_is_one = with_words!(self.hash, WORDS => {
            on_level!(self.level, |isa = integers| {
                let mut hasher = Shake::<_, WORDS>::resume(isa, self.sponge);
                hasher.finish_with(ends);
                hasher.squeeze(&mut digest[..len]);
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha3::digest::{Digest, ExtendableOutput};

    /// Returns the digest from crate `sha3`, or `None` if the crate does not have the hash
    /// function.
    fn oracle(hash: PreHash, message: &[u8]) -> Option<Vec<u8>> {
        let shake = |out: &mut dyn FnMut(&mut [u8])| {
            let mut digest = vec![0; hash.digest_len()];
            out(&mut digest);
            digest
        };
        Some(match hash {
            PreHash::Sha3_224 => sha3::Sha3_224::digest(message).to_vec(),
            PreHash::Sha3_256 => sha3::Sha3_256::digest(message).to_vec(),
            PreHash::Sha3_384 => sha3::Sha3_384::digest(message).to_vec(),
            PreHash::Sha3_512 => sha3::Sha3_512::digest(message).to_vec(),
            PreHash::Shake128 => shake(&mut |out| sha3::Shake128::digest_xof(message, out)),
            PreHash::Shake256 => shake(&mut |out| sha3::Shake256::digest_xof(message, out)),
            _ => return None,
        })
    }

    #[test]
    fn pre_hashes_are_those_of_the_sha3_crate() {
        let message: Vec<u8> = (0..1000u32).map(|i| ((i * i) >> 3) as u8).collect();
        let mut count = 0;
        for hash in PreHash::all() {
            for level in Level::available() {
                let Some(_) = oracle(hash, b"") else {
                    assert!(PreHasher::new(level, hash).is_none(), "{}", hash.name());
                    continue;
                };
                for len in [0, 1, 71, 72, 73, 103, 104, 105, 135, 136, 137, 143, 144, 145, 167, 168, 169, 1000] {
                    for cut in [1, 8, 50, 72, 1000] {
                        let mut hasher = PreHasher::new(level, hash).unwrap();
                        message[..len].chunks(cut).for_each(|piece| hasher.update(piece));
                        let mut digest = vec![7; hash.digest_len() + 3];
                        hasher.clone().finish_into(&mut digest[..5]);
                        let wanted = oracle(hash, &message[..len]).unwrap();
                        assert_eq!(digest[..5], wanted[..5]);
                        hasher.finish_into(&mut digest);
                        let (found, behind) = digest.split_at(hash.digest_len());
                        assert!(found == wanted && behind == [0; 3], "{level}, {}, {len}", hash.name());
                        count += 1;
                    }
                }
            }
        }
        assert_eq!(count, 6 * 18 * 5 * Level::available().count());
    }
}
