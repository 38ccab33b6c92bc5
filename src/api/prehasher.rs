//! Hashes messages before they are signed: SHA-3 and SHAKE with the Keccak permutation of this
//! library, and SHA-2 with the crate `sha2` (feature `sha2`).

use super::MessageError;
#[cfg(feature = "alloc")]
use super::{Algorithm, Options};
use crate::engine::hash::prehash::{MAX_DIGEST_LEN, PreHash};
use crate::engine::hash::shake::{SHA3_ENDS, SHAKE_ENDS, Shake, Sponge};
use crate::simd::{Level, on_level};
#[cfg(feature = "sha2")]
use sha2::Digest;

/// The digest of a message, with the hash function that computed it. Functions such as
/// `sign_digest` take this type, and functions such as `sign` take a message and hash it, so you
/// cannot confuse a digest with a message.
///
/// ```
/// use fndsa::algorithm::PreHash;
/// use fndsa::message::MessageDigest;
/// use fndsa::{Algorithm, Options, SigningKey};
/// use getrandom::SysRng;
///
/// let key = SigningKey::generate(Algorithm::ML_DSA_65, &mut SysRng)?;
/// let digest = MessageDigest::of(PreHash::Sha3_384, b"a message")?;
/// let signature = key.sign_digest(Options::default(), &digest, &mut SysRng)?;
/// // The verifier can pass the message, and the library hashes it.
/// let options = Options::default().with_prehash(Some(PreHash::Sha3_384));
/// key.verifying_key().verify(options, b"a message", &signature)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MessageDigest {
    hash: PreHash,
    /// The digest, and zeros after it.
    bytes: [u8; MAX_DIGEST_LEN],
}

impl MessageDigest {
    /// Hashes a message in memory, with [`Level::detect`].
    ///
    /// # Errors
    /// Returns an error if the library was built without this hash function.
    pub fn of(hash: PreHash, message: &[u8]) -> Result<Self, MessageError> {
        let mut hasher = PreHasher::new(Level::detect(), hash)?;
        hasher.update(message);
        Ok(hasher.finish())
    }

    /// Wraps a digest that another program computed.
    ///
    /// # Errors
    /// Returns an error if `digest` does not have the digest length of `hash`.
    pub fn new(hash: PreHash, digest: &[u8]) -> Result<Self, MessageError> {
        let expected = hash.digest_len();
        if digest.len() != expected {
            return Err(MessageError::DigestLen { expected, found: digest.len() });
        }
        let mut bytes = [0; MAX_DIGEST_LEN];
        bytes[..expected].copy_from_slice(digest);
        Ok(Self { hash, bytes })
    }

    /// Returns the message's digest if the options have a pre-hash, and `None` otherwise. The code
    /// for `level` (an instruction set) computes the digest.
    ///
    /// # Errors
    /// Fails if the algorithm does not support the options, or if the library was built without the
    /// hash function.
    #[cfg(feature = "alloc")]
    pub(super) fn required(
        level: Level,
        algorithm: Algorithm,
        options: Options<'_>,
        message: &[u8],
    ) -> Result<Option<Self>, MessageError> {
        options.check(algorithm)?;
        let Some(hash) = options.prehash else { return Ok(None) };
        let mut hasher = PreHasher::new(level, hash)?;
        hasher.update(message);
        Ok(Some(hasher.finish()))
    }

    /// Returns the hash function.
    pub const fn hash(&self) -> PreHash {
        self.hash
    }

    /// Returns the digest's bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.hash.digest_len()]
    }
}

/// Computes the digest of a message in pieces.
///
/// ```
/// use fndsa::algorithm::PreHash;
/// use fndsa::message::{MessageDigest, PreHasher};
/// use fndsa::no_alloc::Level;
///
/// let mut hasher = PreHasher::new(Level::detect(), PreHash::Shake256)?;
/// hasher.update(b"a long ");
/// hasher.update(b"message");
/// assert_eq!(hasher.finish(), MessageDigest::of(PreHash::Shake256, b"a long message")?);
/// # Ok::<(), fndsa::error::MessageError>(())
/// ```
#[derive(Clone)]
pub struct PreHasher {
    level: Level,
    hash: PreHash,
    state: HashState,
}

/// A hash function's state.
#[derive(Clone)]
enum HashState {
    Keccak(Sponge),
    #[cfg(feature = "sha2")]
    Sha2(Sha2State),
}

/// Defines an enum with the hash states from crate `sha2`. Each argument is a name in `sha2` and
/// also in [`PreHash`].
#[cfg(feature = "sha2")]
macro_rules! sha2_states {
    ($($hash:ident),+) => {
        #[derive(Clone)]
        enum Sha2State {
            $($hash(sha2::$hash)),+
        }

        impl Sha2State {
            fn new(hash: PreHash) -> Option<Self> {
                match hash {
                    $(PreHash::$hash => Some(Self::$hash(sha2::$hash::new())),)+
                    _ => None,
                }
            }

            fn update(&mut self, piece: &[u8]) {
                match self {
                    $(Self::$hash(state) => state.update(piece),)+
                }
            }

            /// Writes the digest. `out` must have the digest's length.
            fn finish_into(self, out: &mut [u8]) {
                match self {
                    $(Self::$hash(state) => out.copy_from_slice(&state.finalize()),)+
                }
            }
        }
    };
}
#[cfg(feature = "sha2")]
sha2_states!(Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256);

/// Evaluates to `Some($work)`. In `$work`, the constant `$words` is the block length of `$hash`, in
/// 64-bit words. If the hash function is not in FIPS 202, the macro evaluates to `None`.
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
    /// Starts to hash a message. SHA-3 and SHAKE run with the code for `level`.
    ///
    /// # Errors
    /// Returns an error if the library was built without this hash function: SHA-2 needs the
    /// feature `sha2`.
    pub fn new(level: Level, hash: PreHash) -> Result<Self, MessageError> {
        if with_words!(hash, WORDS => WORDS).is_some() {
            return Ok(Self { level, hash, state: HashState::Keccak(Sponge::EMPTY) });
        }
        #[cfg(feature = "sha2")]
        if let Some(state) = Sha2State::new(hash) {
            return Ok(Self { level, hash, state: HashState::Sha2(state) });
        }
        Err(MessageError::HashNotBuilt { hash })
    }

    /// Adds the next piece of the message.
    pub fn update(&mut self, piece: &[u8]) {
        #[cfg(feature = "sha2")]
        if let HashState::Sha2(state) = &mut self.state {
            return state.update(piece);
        }
        #[cfg_attr(
            not(feature = "sha2"),
            expect(irrefutable_let_patterns, reason = "only with sha2, `HashState` has a second variant")
        )]
        let HashState::Keccak(sponge) = &mut self.state else { return };
        let _always_some = with_words!(self.hash, WORDS => {
            on_level!(self.level, |isa = integers| {
                let mut hasher = Shake::<_, WORDS>::resume(isa, core::mem::replace(sponge, Sponge::EMPTY));
                hasher.absorb(piece);
                *sponge = hasher.suspend();
            });
        });
    }

    /// Ends the message, and returns its digest.
    pub fn finish(mut self) -> MessageDigest {
        let mut digest = MessageDigest { hash: self.hash, bytes: [0; MAX_DIGEST_LEN] };
        let out = &mut digest.bytes[..self.hash.digest_len()];
        #[cfg(feature = "sha2")]
        if let HashState::Sha2(state) = self.state {
            state.finish_into(out);
            return digest;
        }
        #[cfg_attr(
            not(feature = "sha2"),
            expect(irrefutable_let_patterns, reason = "only with sha2, `HashState` has a second variant")
        )]
        let HashState::Keccak(sponge) = &mut self.state else { return digest };
        let end_bits = if matches!(self.hash, PreHash::Shake128 | PreHash::Shake256) { SHAKE_ENDS } else { SHA3_ENDS };
        let _always_some = with_words!(self.hash, WORDS => {
            on_level!(self.level, |isa = integers| {
                let mut hasher = Shake::<_, WORDS>::resume(isa, core::mem::replace(sponge, Sponge::EMPTY));
                hasher.finish_with_bits(end_bits);
                hasher.squeeze(out);
                *sponge = hasher.suspend();
            });
        });
        digest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha3::digest::ExtendableOutput;

    /// Returns the digest that the crate `sha3` or `sha2` computes.
    fn reference_digest(hash: PreHash, message: &[u8]) -> Vec<u8> {
        use sha3::Digest;
        let mut shake = vec![0; hash.digest_len()];
        match hash {
            PreHash::Sha224 => sha2::Sha224::digest(message).to_vec(),
            PreHash::Sha256 => sha2::Sha256::digest(message).to_vec(),
            PreHash::Sha384 => sha2::Sha384::digest(message).to_vec(),
            PreHash::Sha512 => sha2::Sha512::digest(message).to_vec(),
            PreHash::Sha512_224 => sha2::Sha512_224::digest(message).to_vec(),
            PreHash::Sha512_256 => sha2::Sha512_256::digest(message).to_vec(),
            PreHash::Sha3_224 => sha3::Sha3_224::digest(message).to_vec(),
            PreHash::Sha3_256 => sha3::Sha3_256::digest(message).to_vec(),
            PreHash::Sha3_384 => sha3::Sha3_384::digest(message).to_vec(),
            PreHash::Sha3_512 => sha3::Sha3_512::digest(message).to_vec(),
            PreHash::Shake128 => {
                sha3::Shake128::digest_xof(message, &mut shake);
                shake
            }
            PreHash::Shake256 => {
                sha3::Shake256::digest_xof(message, &mut shake);
                shake
            }
        }
    }

    #[test]
    fn digests_equal_those_of_the_hash_crates() {
        let message: Vec<u8> = (0..1000u32).map(|i| ((i * i) >> 3) as u8).collect();
        let mut count = 0;
        for hash in PreHash::all() {
            let is_sha2 = with_words!(hash, WORDS => WORDS).is_none();
            for level in Level::available() {
                if is_sha2 && !cfg!(feature = "sha2") {
                    assert_eq!(PreHasher::new(level, hash).err(), Some(MessageError::HashNotBuilt { hash }));
                    continue;
                }
                for len in [0, 1, 71, 72, 73, 103, 104, 105, 135, 136, 137, 143, 144, 145, 167, 168, 169, 1000] {
                    for cut in [1, 8, 50, 72, 1000] {
                        let mut hasher = PreHasher::new(level, hash).unwrap();
                        message[..len].chunks(cut).for_each(|piece| hasher.update(piece));
                        let expected = reference_digest(hash, &message[..len]);
                        let digest = hasher.finish();
                        assert!(digest.as_bytes() == expected, "{level}, {}, {len} bytes", hash.name());
                        assert_eq!(MessageDigest::new(hash, &expected), Ok(digest));
                        count += 1;
                    }
                }
            }
        }
        let hash_count = if cfg!(feature = "sha2") { 12 } else { 6 };
        assert_eq!(count, hash_count * 18 * 5 * Level::available().count());
    }

    #[test]
    fn a_digest_of_a_wrong_length_is_rejected() {
        for hash in PreHash::all() {
            let expected = hash.digest_len();
            for found in [0, expected - 1, expected + 1, 200] {
                let result = MessageDigest::new(hash, &vec![0; found]);
                assert_eq!(result, Err(MessageError::DigestLen { expected, found }));
            }
        }
    }
}
