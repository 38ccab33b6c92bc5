//! Private keys that own their bytes. The constructors check the bytes.

use super::SEED_LEN;
use super::algorithm::Algorithm;
use super::{
    Error, KeyError, KeyHash, MessageDigest, MessageSigner, Options, Signature, SigningKeyRef, UnhashedMessage,
    VerifyingKey, VerifyingKeyRef,
};
use crate::engine::hash::message::KEY_HASH_LEN;
use crate::simd::{Level, ct};
use alloc::boxed::Box;
use alloc::vec;
use rand_core::TryCryptoRng;

/// A private key that was checked. The key owns its bytes. The bytes are wiped when you drop the
/// key, and are never printed.
///
/// With the feature `serde`, this is the only type that serialises a private key. The output
/// contains the private key, so you must wipe it.
///
/// ```
/// use fndsa::{Algorithm, Options, SigningKey};
/// use getrandom::SysRng;
///
/// let key = SigningKey::generate(Algorithm::FN_DSA_512, &mut SysRng)?;
/// let signature = key.sign(Options::default(), b"message", &mut SysRng)?;
/// key.verifying_key().verify(Options::default(), b"message", &signature)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SigningKey {
    algorithm: Algorithm,
    level: Level,
    key_hash: KeyHash,
    bytes: Box<[u8]>,
}

impl SigningKey {
    /// Generates a key pair from 32 bytes of `rng`, or from 64 bytes for a composite, with
    /// [`Level::detect`]. Use [`Self::verifying_key`] to get the public key.
    ///
    /// # Errors
    /// Returns an error if the generator fails, if the scheme is only for verification, or if the
    /// machine computes wrongly.
    pub fn generate<R: TryCryptoRng + ?Sized>(algorithm: Algorithm, rng: &mut R) -> Result<Self, Error> {
        let level = Level::detect();
        let mut work = vec![0; algorithm.keygen_fast_work_len()];
        let mut public = vec![0; algorithm.verifying_key_len()];
        let mut private = Self {
            algorithm,
            level,
            key_hash: KeyHash([0; KEY_HASH_LEN]),
            bytes: vec![0; algorithm.signing_key_len()].into(),
        };
        let generated_key = SigningKeyRef::generate(level, algorithm, rng, &mut private.bytes, &mut public, &mut work)?;
        private.key_hash = generated_key.key_hash();
        Ok(private)
    }

    /// Copies a seed to use it as an ML-DSA private key, as [`SigningKeyRef::from_seed`] does. The
    /// caller must wipe `seed`.
    ///
    /// # Errors
    /// Returns the errors of [`SigningKeyRef::from_seed`].
    pub fn from_seed(algorithm: Algorithm, seed: &[u8; SEED_LEN]) -> Result<Self, Error> {
        let mut work = vec![0; algorithm.import_fast_work_len()];
        let key = SigningKeyRef::from_seed(Level::detect(), algorithm, seed, &mut work)?;
        Ok(Self::from(&key))
    }

    /// Checks an encoded private key in full, as [`SigningKeyRef::of_algorithm`] does, and copies
    /// it. The caller must wipe `bytes`. An ML-DSA key can be a seed or an expanded form. The key
    /// uses [`Level::detect`], unless you choose a different level with [`Self::with_level`].
    ///
    /// ```
    /// use fndsa::{Algorithm, SigningKey};
    ///
    /// let key = SigningKey::generate(Algorithm::ML_DSA_65, &mut getrandom::SysRng)?;
    /// let read = SigningKey::of_algorithm(key.algorithm(), key.as_bytes())?;
    /// assert_eq!(read.verifying_key(), key.verifying_key());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`SigningKeyRef::of_algorithm`].
    pub fn of_algorithm(algorithm: Algorithm, bytes: &[u8]) -> Result<Self, Error> {
        let mut work = vec![0; algorithm.import_fast_work_len()];
        let key = SigningKeyRef::of_algorithm(Level::detect(), algorithm, bytes, &mut work)?;
        Ok(Self::from(&key))
    }

    /// Checks an encoded private key in full, as [`Self::of_algorithm`] does, and checks that
    /// `verifying_key` is its public key. The caller must wipe `bytes`.
    ///
    /// ```
    /// use fndsa::error::KeyError;
    /// use fndsa::{Algorithm, Error, SigningKey};
    ///
    /// let key = SigningKey::generate(Algorithm::ML_DSA_44, &mut getrandom::SysRng)?;
    /// let other = SigningKey::generate(Algorithm::ML_DSA_44, &mut getrandom::SysRng)?;
    /// SigningKey::of_pair(key.algorithm(), key.as_bytes(), &key.verifying_key())?;
    /// let mixed = SigningKey::of_pair(key.algorithm(), key.as_bytes(), &other.verifying_key());
    /// assert_eq!(mixed.err(), Some(Error::Key(KeyError::OtherPublicKey)));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`Self::of_algorithm`], and [`KeyError::OtherPublicKey`] if the keys
    /// do not belong together.
    pub fn of_pair(algorithm: Algorithm, bytes: &[u8], verifying_key: &VerifyingKey) -> Result<Self, Error> {
        let key = Self::of_algorithm(algorithm, bytes)?;
        if key.verifying_key() == *verifying_key { Ok(key) } else { Err(KeyError::OtherPublicKey.into()) }
    }

    /// Returns the key with this level (instruction set). The signatures do not depend on the
    /// level.
    #[must_use]
    pub fn with_level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// Signs a message in memory, and verifies the new signature before returning it. If the
    /// options have a pre-hash, this function hashes the message first. The signature has the
    /// padded encoding.
    ///
    /// ```
    /// use fndsa::algorithm::PreHash;
    /// use fndsa::{Algorithm, Options, SigningKey};
    /// use getrandom::SysRng;
    ///
    /// // HashML-DSA-87 with SHAKE256, in FIPS 204.
    /// let options = Options::default().with_prehash(Some(PreHash::Shake256));
    /// let key = SigningKey::generate(Algorithm::ML_DSA_87, &mut SysRng)?;
    /// let signature = key.sign(options, b"a long document", &mut SysRng)?;
    /// key.verifying_key().verify(options, b"a long document", &signature)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// If you often sign with the same key, call [`SigningKeyRef::expand`] on [`Self::to_ref`]. The
    /// expanded key stores values that this function computes again for each signature.
    ///
    /// # Errors
    /// Returns an error if the scheme does not support the options, if the library was built
    /// without the pre-hash, if the generator fails, if all attempts fail, or if the machine
    /// computes wrongly.
    pub fn sign<R: TryCryptoRng + ?Sized>(
        &self,
        options: Options<'_>,
        message: &[u8],
        rng: &mut R,
    ) -> Result<Signature, Error> {
        if let Some(digest) = MessageDigest::required(self.level, self.algorithm, options, message)? {
            return self.sign_digest(options, &digest, rng);
        }
        let signature =
            self.signed(|key, signature, work| key.sign_message(self.level, options, message, rng, signature, work))?;
        Ok(signature)
    }

    /// Signs the digest of a message, as [`Self::sign`] does. The pre-hash in the options must be
    /// `None` or the digest's hash function.
    ///
    /// # Errors
    /// Returns the errors of [`Self::sign`], or an error if the pre-hash in the options is not the
    /// digest's hash function.
    pub fn sign_digest<R: TryCryptoRng + ?Sized>(
        &self,
        options: Options<'_>,
        digest: &MessageDigest,
        rng: &mut R,
    ) -> Result<Signature, Error> {
        let message = UnhashedMessage::digest(options, digest)?;
        let signature =
            self.signed(|key, signature, work| key.sign_unhashed(self.level, message, rng, signature, work))?;
        Ok(signature)
    }

    /// Starts to sign a message in pieces.
    ///
    /// # Errors
    /// Returns an error if the scheme does not support the options, if the library was built
    /// without the pre-hash, or if the generator fails.
    pub fn signer<R: TryCryptoRng + ?Sized>(
        &self,
        options: Options<'_>,
        rng: &mut R,
    ) -> Result<MessageSigner<'_>, Error> {
        MessageSigner::new(self, options, rng)
    }

    /// Calls `sign` with a new buffer and new work memory, and returns the signature.
    pub(super) fn signed<E>(
        &self,
        sign: impl FnOnce(SigningKeyRef<'_>, &mut [u8], &mut [u8]) -> Result<(), E>,
    ) -> Result<Signature, E> {
        let mut work = vec![0; self.algorithm.sign_fast_work_len()];
        let mut signature = vec![0; self.algorithm.signature_len()];
        sign(self.to_ref(), &mut signature, &mut work)?;
        Ok(Signature::padded(self.algorithm, signature.into()))
    }

    /// Computes the public key.
    pub fn verifying_key(&self) -> VerifyingKey {
        let mut bytes = vec![0; self.algorithm.verifying_key_len()];
        let mut work = vec![0; self.algorithm.import_fast_work_len()];
        self.to_ref().write_verifying_key(self.level, &mut bytes, &mut work);
        VerifyingKey::from(VerifyingKeyRef::trusted(self.algorithm, &bytes)).with_level(self.level)
    }

    /// Borrows the key. The operations of the borrowed key use work memory from the caller.
    pub fn to_ref(&self) -> SigningKeyRef<'_> {
        SigningKeyRef::trusted(self.algorithm, &self.bytes, self.key_hash)
    }

    /// Returns the level for the operations of this key.
    pub const fn level(&self) -> Level {
        self.level
    }

    /// Returns the algorithm.
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Returns the hash of the public key.
    pub const fn key_hash(&self) -> KeyHash {
        self.key_hash
    }

    /// Returns the seed if the encoding of this ML-DSA key is a seed. The seed is secret.
    /// [`Self::from_seed`] makes an equal key from this seed.
    ///
    /// ```
    /// use fndsa::{Algorithm, SigningKey};
    ///
    /// let key = SigningKey::generate(Algorithm::ML_DSA_87, &mut getrandom::SysRng)?;
    /// let seed = key.seed().expect("generated ML-DSA keys are seeds");
    /// let same = SigningKey::from_seed(Algorithm::ML_DSA_87, seed)?;
    /// assert_eq!(same.verifying_key(), key.verifying_key());
    /// # Ok::<(), fndsa::Error>(())
    /// ```
    pub fn seed(&self) -> Option<&[u8; SEED_LEN]> {
        self.to_ref().seed()
    }

    /// Returns the encoding, which is secret.
    pub const fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl From<&SigningKeyRef<'_>> for SigningKey {
    fn from(key: &SigningKeyRef<'_>) -> Self {
        Self {
            algorithm: key.algorithm(),
            level: Level::detect(),
            key_hash: key.key_hash(),
            bytes: key.as_bytes().into(),
        }
    }
}

impl Drop for SigningKey {
    fn drop(&mut self) {
        ct::wipe(&mut self.bytes);
    }
}

impl zeroize::ZeroizeOnDrop for SigningKey {}

impl core::fmt::Debug for SigningKey {
    /// Writes only the algorithm, because the key is secret.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SigningKey").field("algorithm", &self.algorithm).finish_non_exhaustive()
    }
}
