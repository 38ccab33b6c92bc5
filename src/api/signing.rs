//! Generates, checks and converts private keys, and signs messages.

use super::algorithm::{Algorithm, FamilyAlgorithm, FamilyScheme, Scheme};
use super::falcon_signing::{self as falcon, KeygenTask, WipedSearch, sign_at_level};
use super::message::UnhashedMessage;
use super::signing_random::{SigningLengths, ZeroRng};
use super::whole::WholeMessage;
use super::{
    KeyError, KeyHash, KeygenError, MessageToSign, Options, SEED_LEN, SignError, VerifyingKeyRef, check_exact_len,
    check_work_len, mldsa_signing as mldsa,
};
#[cfg(feature = "ed25519")]
use super::{composite_signing as composite, ed25519};
use crate::engine::falcon::codec::private_parts;
use crate::engine::falcon::import::KeyPairOutput;
use crate::engine::falcon::integrity::check_tables;
use crate::engine::falcon::keygen::{NoCandidateError, SequentialSearch};
use crate::engine::falcon::params::SIGN_SEED_LEN;
use crate::engine::falcon::sampler::Generator;
use crate::engine::falcon::scheme::FalconAlgorithm;
use crate::engine::falcon::sign::{self, EncodedPrivateKey, FalconSignError, SigningTask};
use crate::engine::hash::message::KEY_HASH_LEN;
use crate::engine::mldsa::sample::SqueezeLimitError;
use crate::simd::{Level, ct};
use core::convert::Infallible;
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

/// A checked private key that borrows its encoding. The caller must wipe the encoding. The encoding
/// of an ML-DSA key is the seed or the expanded form ([`Algorithm::expanded_form_len`]).
pub struct SigningKeyRef<'a> {
    bytes: &'a [u8],
    algorithm: Algorithm,
    key_hash: KeyHash,
}

impl<'a> SigningKeyRef<'a> {
    /// Generates a key pair from 32 bytes of `rng`, or from 64 bytes for a composite.
    ///
    /// `signing_key` needs exactly [`Algorithm::signing_key_len`] bytes, `verifying_key` needs
    /// exactly [`Algorithm::verifying_key_len`] bytes, and `work` needs at least
    /// [`Algorithm::keygen_work_len`] bytes. With [`Algorithm::keygen_fast_work_len`] bytes, key
    /// generation is fastest.
    ///
    /// All schemes in the Falcon family compute the same f, g and F from the same 32 bytes. In
    /// ML-DSA, Ed25519 and composites, the random bytes are the private key.
    ///
    /// # Errors
    /// Returns an error if the generator fails, a buffer has the wrong length, the scheme is only
    /// for verification, no key is found, or the constant tables in memory are damaged.
    pub fn generate<R: TryCryptoRng + ?Sized>(
        level: Level,
        algorithm: Algorithm,
        rng: &mut R,
        signing_key: &'a mut [u8],
        verifying_key: &mut [u8],
        work: &mut [u8],
    ) -> Result<Self, KeygenError<R::Error>> {
        Self::search(level, algorithm, SequentialSearch, rng, KeyPairOutput { signing_key, verifying_key }, work)
    }

    /// Generates a key pair as [`Self::generate`] does. In the Falcon family, `search` finds the
    /// key.
    pub(super) fn search<R: TryCryptoRng + ?Sized>(
        level: Level,
        algorithm: Algorithm,
        search: impl WipedSearch,
        rng: &mut R,
        pair: KeyPairOutput<'a, '_>,
        work: &mut [u8],
    ) -> Result<Self, KeygenError<R::Error>> {
        let KeyPairOutput { signing_key, verifying_key } = pair;
        if !algorithm.scheme().can_sign() {
            return Err(KeygenError::VerifyOnly);
        }
        check_exact_len(signing_key.len(), algorithm.signing_key_len()).map_err(KeygenError::Buffer)?;
        check_exact_len(verifying_key.len(), algorithm.verifying_key_len()).map_err(KeygenError::Buffer)?;
        check_work_len(work.len(), algorithm.keygen_work_len()).map_err(KeygenError::Buffer)?;
        check_tables().map_err(|_| KeygenError::Tables)?;
        let mut seed = Zeroizing::new([0; SEED_LEN]);
        rng.try_fill_bytes(&mut *seed).map_err(KeygenError::Rng)?;
        let mut key_hash = KeyHash([0; KEY_HASH_LEN]);
        match algorithm.family() {
            FamilyAlgorithm::Falcon(algorithm) => {
                let pair = KeyPairOutput { signing_key: &mut *signing_key, verifying_key };
                let task = KeygenTask { algorithm, seed: &seed, pair, key_hash: &mut key_hash.0 };
                search.generate(level, task, work).map_err(|NoCandidateError| KeygenError::Exhausted)?;
            }
            FamilyAlgorithm::MlDsa(set) => {
                key_hash.0 = mldsa::public_of_seed(level, set, &seed, verifying_key, work)
                    .map_err(|SqueezeLimitError| KeygenError::Exhausted)?;
                signing_key.copy_from_slice(&*seed);
            }
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => {
                let public = ed25519::public_of_seed(level, &*seed).map_err(|_| KeygenError::Exhausted)?;
                verifying_key.copy_from_slice(&public);
                key_hash = VerifyingKeyRef::trusted(algorithm, verifying_key).key_hash(level);
                signing_key.copy_from_slice(&*seed);
            }
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => {
                // The private key is wiped unless both seeds and the public key are complete.
                let wiped_key = ct::WipedMemory(&mut *signing_key);
                wiped_key.0[..SEED_LEN].copy_from_slice(&*seed);
                // The seeds must be independent, so the generator makes both of them.
                rng.try_fill_bytes(&mut wiped_key.0[SEED_LEN..]).map_err(KeygenError::Rng)?;
                composite::public_with_hash(level, set, wiped_key.0, verifying_key, &mut key_hash, work)
                    .map_err(|_| KeygenError::Exhausted)?;
                wiped_key.keep();
            }
        }
        Ok(Self::trusted(algorithm, signing_key, key_hash))
    }

    /// Checks an encoded private key in full, and detects the algorithm. This function accepts all
    /// encodings of the scheme, except ML-DSA seeds and composite keys, because their length does
    /// not determine the algorithm.
    pub(super) fn of_scheme(level: Level, scheme: Scheme, bytes: &'a [u8], work: &mut [u8]) -> Result<Self, KeyError> {
        if !scheme.can_sign() {
            return Err(KeyError::VerifyOnly);
        }
        match scheme.family() {
            FamilyScheme::Falcon(scheme) => {
                let falcon = falcon::private_algorithm(scheme, bytes)?;
                let algorithm = Algorithm::of_falcon(falcon);
                check_work_len(work.len(), algorithm.import_work_len()).map_err(KeyError::Work)?;
                let key_hash = KeyHash(falcon::check_private(level, falcon, bytes, work)?);
                Ok(Self { bytes, algorithm, key_hash })
            }
            FamilyScheme::MlDsa => {
                let set = mldsa::private_set(bytes)?;
                check_work_len(work.len(), set.keygen_work_len()).map_err(KeyError::Work)?;
                let key_hash = KeyHash(mldsa::check_private(level, set, bytes, work)?);
                Ok(Self { bytes, algorithm: Algorithm::of_mldsa_set(set), key_hash })
            }
            #[cfg(feature = "ed25519")]
            FamilyScheme::Ed25519 => {
                let public = ed25519::public_of_seed(level, bytes)?;
                let key_hash = VerifyingKeyRef::trusted(Algorithm::ED25519, &public).key_hash(level);
                Ok(Self { bytes, algorithm: Algorithm::ED25519, key_hash })
            }
            // A composite key is two seeds, which have the same length for all algorithms.
            #[cfg(feature = "ed25519")]
            FamilyScheme::Composite => Err(KeyError::OtherFamily),
        }
    }

    /// Uses a seed as an ML-DSA private key (xi in FIPS 204). All seeds are valid. `work` needs at
    /// least [`Algorithm::import_work_len`] bytes.
    ///
    /// ```
    /// use fndsa::no_alloc::{Level, SigningKeyRef};
    /// use fndsa::{Algorithm, Options};
    /// use getrandom::SysRng;
    ///
    /// let (level, algorithm, seed) = (Level::detect(), Algorithm::ML_DSA_65, [7; 32]);
    /// let mut work = vec![0; algorithm.sign_work_len()];
    /// let key = SigningKeyRef::from_seed(level, algorithm, &seed, &mut work)?;
    /// let mut signature = vec![0; algorithm.signature_len()];
    /// key.sign_message(level, Options::default(), b"a message", &mut SysRng, &mut signature, &mut work)?;
    ///
    /// let mut public = vec![0; algorithm.verifying_key_len()];
    /// let public = key.verifying_key_into(level, &mut public, &mut work)?;
    /// public.verify_message(level, Options::default(), b"a message", &signature, &mut work)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if `work` is too short, if the scheme is not ML-DSA, or if the machine
    /// computes wrongly.
    pub fn from_seed(
        level: Level,
        algorithm: Algorithm,
        seed: &'a [u8; SEED_LEN],
        work: &mut [u8],
    ) -> Result<Self, KeyError> {
        let FamilyAlgorithm::MlDsa(set) = algorithm.family() else { return Err(KeyError::OtherFamily) };
        check_work_len(work.len(), algorithm.import_work_len()).map_err(KeyError::Work)?;
        let key_hash = KeyHash(mldsa::key_hash_of_seed(level, set, seed, work)?);
        Ok(Self { bytes: seed, algorithm, key_hash })
    }

    /// Checks a private key from any program in full. `bytes` has the encoding of
    /// [`Self::as_bytes`]. `work` needs at least [`Algorithm::import_work_len`] bytes.
    ///
    /// - Falcon family: checks the first byte, the length, the coefficients' ranges, the norm of
    ///   (f, g), the Gram-Schmidt norm, and in FN-DSA the stored hash of the public key. Also
    ///   checks that `f` is invertible, and that `fG - gF = q` over the integers.
    /// - ML-DSA: accepts any seed. In the expanded form, checks the length, the coefficients'
    ///   ranges, and that t0 and tr match the other parts.
    /// - Ed25519 and composites: checks the length.
    ///
    /// The caller must pass the algorithm, because an ML-DSA seed has 32 bytes in all parameter
    /// sets.
    ///
    /// # Errors
    /// Returns an error if a check fails, the key has a different algorithm, or `work` is too
    /// short.
    pub fn of_algorithm(
        level: Level,
        algorithm: Algorithm,
        bytes: &'a [u8],
        work: &mut [u8],
    ) -> Result<Self, KeyError> {
        match (algorithm.family(), <&[u8; SEED_LEN]>::try_from(bytes)) {
            (FamilyAlgorithm::MlDsa(_), Ok(seed)) => Self::from_seed(level, algorithm, seed, work),
            #[cfg(feature = "ed25519")]
            (FamilyAlgorithm::Composite(set), _) => {
                composite::seeds(bytes)?;
                check_work_len(work.len(), algorithm.import_work_len()).map_err(KeyError::Work)?;
                let key_hash = composite::hash_of_private(level, set, bytes, work)?;
                Ok(Self { bytes, algorithm, key_hash })
            }
            _ => {
                let key = Self::of_scheme(level, algorithm.scheme(), bytes, work)?;
                let found = key.algorithm;
                if found == algorithm { Ok(key) } else { Err(KeyError::OtherAlgorithm { wanted: algorithm, found }) }
            }
        }
    }

    /// Returns a key that was checked or generated earlier. `bytes` must have the length of an
    /// encoding for this algorithm.
    pub(super) fn trusted(algorithm: Algorithm, bytes: &'a [u8], key_hash: KeyHash) -> Self {
        Self { bytes, algorithm, key_hash }
    }

    /// Returns the encoding, which is secret.
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the algorithm.
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Returns the scheme.
    pub const fn scheme(&self) -> Scheme {
        self.algorithm.scheme()
    }

    /// Returns the public key's hash.
    pub const fn key_hash(&self) -> KeyHash {
        self.key_hash
    }

    /// Returns the key in the format for the engine of the Falcon family.
    pub(super) fn encoded(&self, algorithm: FalconAlgorithm) -> EncodedPrivateKey<'a> {
        EncodedPrivateKey { degree: algorithm.degree(), parts: private_parts(algorithm, self.bytes) }
    }

    /// Returns the seed if the encoding of this ML-DSA key is a seed.
    pub fn seed(&self) -> Option<&'a [u8; SEED_LEN]> {
        self.bytes.try_into().ok().filter(|_| self.algorithm.expanded_form_len().is_some())
    }

    /// Returns the smallest length of work memory with which this key can sign, in bytes:
    /// [`Algorithm::sign_work_len`], or [`Algorithm::sign_expanded_form_work_len`] if the key is in
    /// the expanded form.
    pub const fn sign_work_len(&self) -> usize {
        match (self.algorithm.family(), self.bytes.len()) {
            (FamilyAlgorithm::MlDsa(_), len) if len != SEED_LEN => self.algorithm.sign_expanded_form_work_len(),
            _ => self.algorithm.sign_work_len(),
        }
    }

    /// Writes the public key to `out`, which needs exactly [`Algorithm::verifying_key_len`] bytes.
    /// `work` needs at least [`Algorithm::import_work_len`] bytes.
    ///
    /// # Errors
    /// Returns [`KeyError::Work`] if `out` or `work` has the wrong length.
    pub fn verifying_key_into<'b>(
        &self,
        level: Level,
        out: &'b mut [u8],
        work: &mut [u8],
    ) -> Result<VerifyingKeyRef<'b>, KeyError> {
        let algorithm = self.algorithm;
        check_exact_len(out.len(), algorithm.verifying_key_len()).map_err(KeyError::Work)?;
        check_work_len(work.len(), algorithm.import_work_len()).map_err(KeyError::Work)?;
        self.write_verifying_key(level, out, work);
        Ok(VerifyingKeyRef::trusted(algorithm, out))
    }

    /// Writes the public key. The caller must check the lengths of `out` and `work` before this
    /// call.
    pub(super) fn write_verifying_key(&self, level: Level, out: &mut [u8], work: &mut [u8]) {
        match self.algorithm.family() {
            FamilyAlgorithm::Falcon(algorithm) => {
                falcon::public_into(level, algorithm, private_parts(algorithm, self.bytes), out, work);
            }
            FamilyAlgorithm::MlDsa(set) => mldsa::public_into(level, set, self.bytes, out, work),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => {
                if let Ok(public) = ed25519::public_of_seed(level, self.bytes) {
                    out.copy_from_slice(&public);
                }
            }
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => {
                let mut hash = KeyHash([0; KEY_HASH_LEN]);
                let _error_ruled_out_by_import =
                    composite::public_with_hash(level, set, self.bytes, out, &mut hash, work);
            }
        }
    }

    /// Writes the expanded form of an ML-DSA key to `out`, which needs exactly
    /// [`Algorithm::expanded_form_len`] bytes. `work` needs at least [`Algorithm::import_work_len`]
    /// bytes. The expanded form is secret, and the caller must wipe it.
    ///
    /// # Errors
    /// Returns an error if a buffer has the wrong length, if this is not an ML-DSA key, or if the
    /// machine computes wrongly.
    pub fn expanded_form_into(&self, level: Level, out: &mut [u8], work: &mut [u8]) -> Result<(), KeyError> {
        let FamilyAlgorithm::MlDsa(set) = self.algorithm.family() else { return Err(KeyError::OtherFamily) };
        check_exact_len(out.len(), set.private_len()).map_err(KeyError::Work)?;
        check_work_len(work.len(), self.algorithm.import_work_len()).map_err(KeyError::Work)?;
        mldsa::expanded_form_into(level, set, self.bytes, out, work)
    }

    /// Converts the key to a different scheme in the Falcon family, with the same f, g and F, and
    /// checks the new key by the new scheme's rules. `out` needs exactly the
    /// [`Algorithm::signing_key_len`] of the new key, and `work` needs at least
    /// [`Algorithm::import_work_len`] bytes.
    ///
    /// You cannot convert signatures. Do not use a key in two schemes, because an FN-DSA-2024
    /// signature is also a valid Falcon signature for a different message.
    ///
    /// # Errors
    /// Returns an error if the new key is not valid (the Gram-Schmidt norm can be too large for
    /// FN-DSA), if one of the schemes is not in the Falcon family, if the new scheme cannot sign,
    /// or if a buffer has the wrong length. If the new key is not valid, `out` will be all zeros.
    pub fn convert_into<'b>(
        &self,
        level: Level,
        scheme: Scheme,
        out: &'b mut [u8],
        work: &mut [u8],
    ) -> Result<SigningKeyRef<'b>, KeyError> {
        let target_algorithm = self.algorithm().with_scheme(scheme).ok_or(KeyError::OtherFamily)?;
        let (Some(source_algorithm), Some(falcon)) = (self.algorithm().falcon(), target_algorithm.falcon()) else {
            return Err(KeyError::OtherFamily);
        };
        if !scheme.can_sign() {
            return Err(KeyError::VerifyOnly);
        }
        check_exact_len(out.len(), target_algorithm.signing_key_len()).map_err(KeyError::Work)?;
        check_work_len(work.len(), target_algorithm.import_work_len()).map_err(KeyError::Work)?;
        // `out` is wiped unless the check succeeds.
        let wiped_key = ct::WipedMemory(&mut *out);
        falcon::recode_private_into(level, private_parts(source_algorithm, self.bytes), falcon, wiped_key.0, work);
        let key_hash = SigningKeyRef::of_scheme(level, scheme, wiped_key.0, work)?.key_hash;
        wiped_key.keep();
        Ok(SigningKeyRef::trusted(target_algorithm, out, key_hash))
    }

    /// Signs a hashed message, and verifies the new signature.
    ///
    /// This function reads 40 bytes from `rng` in the Falcon family, 32 bytes in ML-DSA and
    /// composites, and no bytes in Ed25519. Signatures of the Falcon family are padded. To use a
    /// different encoding, call [`super::SignatureRef::recode_into`].
    ///
    /// `signature` needs exactly [`Algorithm::signature_len`] bytes, and `work` needs at least
    /// [`Self::sign_work_len`] bytes. ML-DSA is faster with more work memory, up to
    /// [`Algorithm::sign_fast_work_len`] bytes.
    ///
    /// # Errors
    /// Returns an error if the generator fails, a buffer has the wrong length, the message was
    /// hashed for a different scheme or key, all attempts fail, or the machine computes wrongly.
    /// After an error, `signature` will be all zeros.
    pub fn sign<'m, R: TryCryptoRng + ?Sized>(
        &self,
        level: Level,
        message: impl Into<MessageToSign<'m>>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        self.sign_borrowed(level, &message.into(), rng, signature, work)
    }

    /// Signs as [`Self::sign`] does. This function takes the message by reference, so no stack
    /// frame contains a copy of the message.
    #[inline(always)]
    fn sign_borrowed<R: TryCryptoRng + ?Sized>(
        &self,
        level: Level,
        message: &MessageToSign<'_>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        match self.algorithm.family() {
            FamilyAlgorithm::Falcon(algorithm) => self.sign_falcon(level, algorithm, message, rng, signature, work),
            _ => self.sign_outside_falcon(level, message, rng, signature, work),
        }
    }

    /// Signs in the Falcon family, as [`Self::sign_borrowed`] does.
    fn sign_falcon<R: TryCryptoRng + ?Sized>(
        &self,
        level: Level,
        algorithm: FalconAlgorithm,
        message: &MessageToSign<'_>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let needed = SigningLengths { signature: self.algorithm.signature_len(), work: self.sign_work_len() };
        let random = needed.draw(rng, signature, work)?;
        let result = message.with(self.scheme(), &self.key_hash, |message| {
            self.sign_with(level, algorithm, message, &random, signature, work)
        });
        Ok(result??)
    }

    /// Signs with ML-DSA, Ed25519 or a composite, as [`Self::sign_borrowed`] does.
    fn sign_outside_falcon<R: TryCryptoRng + ?Sized>(
        &self,
        level: Level,
        message: &MessageToSign<'_>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        match self.algorithm.family() {
            FamilyAlgorithm::Falcon(_) => Err(SignError::OtherScheme),
            FamilyAlgorithm::MlDsa(set) => {
                let needed = SigningLengths { signature: self.algorithm.signature_len(), work: self.sign_work_len() };
                let rnd = needed.draw(rng, signature, work)?;
                let mu = message.mu_for(&self.key_hash)?;
                let task = mldsa::MlDsaSigningTask { set, key: self.bytes, key_hash: &self.key_hash, mu, rnd: &rnd };
                Ok(mldsa::sign_mu(level, &task, signature, work)?)
            }
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => self.sign_ed25519(level, message, signature, work),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => {
                let needed = SigningLengths { signature: self.algorithm.signature_len(), work: self.sign_work_len() };
                let rnd = needed.draw(rng, signature, work)?;
                let task = composite::EncodedSigningTask {
                    set,
                    private: self.bytes,
                    composite_key_hash: &self.key_hash,
                    rnd: &rnd,
                };
                task.sign(level, message.composite()?, signature, work)
            }
        }
    }

    /// Signs without randomness: the signature depends only on the key and on the message. In
    /// ML-DSA, this function uses the deterministic variant (FIPS 204, section 3.4). [`Self::sign`]
    /// uses the hedged variant, which resists fault attacks better.
    ///
    /// # Errors
    /// Returns the errors of [`Self::sign`], or [`SignError::Deterministic`] if the scheme needs
    /// randomness.
    pub fn sign_deterministic<'m>(
        &self,
        level: Level,
        message: impl Into<MessageToSign<'m>>,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<Infallible>> {
        self.sign(level, message, &mut ZeroRng::of(self.scheme(), signature)?, signature, work)
    }

    /// Signs a message in memory, as [`Self::sign`] does. In schemes that hash a nonce, an attempt
    /// can fail. After a failed attempt, this function tries again with a new nonce, up to 64 times
    /// in total.
    ///
    /// ```
    /// use fndsa::no_alloc::{Level, SigningKeyRef};
    /// use fndsa::{Algorithm, Options};
    /// use getrandom::SysRng;
    ///
    /// let (level, algorithm) = (Level::detect(), Algorithm::FALCON_512);
    /// let mut private = [0; Algorithm::FALCON_512.signing_key_len()];
    /// let mut public = [0; Algorithm::FALCON_512.verifying_key_len()];
    /// let mut work = [0; Algorithm::FALCON_512.sign_work_len()];
    /// let key = SigningKeyRef::generate(level, algorithm, &mut SysRng, &mut private, &mut public, &mut work)?;
    /// let mut signature = [0; Algorithm::FALCON_512.signature_len()];
    /// key.sign_message(level, Options::default(), b"a message", &mut SysRng, &mut signature, &mut work)?;
    /// let public = fndsa::no_alloc::VerifyingKeyRef::from_bytes(algorithm.scheme(), &public)?;
    /// public.verify_message(level, Options::default(), b"a message", &signature, &mut work)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`Self::sign`], or [`SignError::Message`] if the algorithm does not
    /// support the options, or if the options have a pre-hash. To sign a digest, use
    /// [`Self::sign_unhashed`].
    pub fn sign_message<R: TryCryptoRng + ?Sized>(
        &self,
        level: Level,
        options: Options<'_>,
        message: &[u8],
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        self.sign_unhashed(level, UnhashedMessage::message(options, message), rng, signature, work)
    }

    /// Signs bytes that the scheme has not hashed yet: a message or a digest, with its options.
    ///
    /// # Errors
    /// Returns the errors of [`Self::sign_message`].
    #[inline(always)]
    pub fn sign_unhashed<R: TryCryptoRng + ?Sized>(
        &self,
        level: Level,
        message: UnhashedMessage<'_>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        signature.fill(0);
        let whole = WholeMessage { level, algorithm: self.algorithm, key: &self.key_hash, message };
        // The Falcon family has a separate branch, so that the compiler can remove the other branch
        // from a program with a constant algorithm.
        match self.algorithm.family() {
            FamilyAlgorithm::Falcon(algorithm) => whole.sign_each_attempt(rng, |message, rng| {
                self.sign_falcon(level, algorithm, message, rng, signature, work)
            }),
            _ => whole
                .sign_each_attempt(rng, |message, rng| self.sign_outside_falcon(level, message, rng, signature, work)),
        }
    }

    /// Signs with Ed25519, in a separate stack frame, so the frame for the other schemes needs no
    /// space for Ed25519.
    #[cfg(feature = "ed25519")]
    #[inline(never)]
    fn sign_ed25519<E>(
        &self,
        level: Level,
        message: &MessageToSign<'_>,
        signature: &mut [u8],
        work: &[u8],
    ) -> Result<(), SignError<E>> {
        SigningLengths { signature: self.algorithm.signature_len(), work: 0 }.check(signature, work)?;
        ed25519::sign(level, self.bytes, &self.key_hash, message.ed25519(&self.key_hash)?, signature)
    }

    /// Signs with the random bytes that `sign_falcon` has drawn. This function does not depend on
    /// the type of `rng`, so it is compiled only once.
    fn sign_with(
        &self,
        level: Level,
        algorithm: FalconAlgorithm,
        message: sign::AttemptSource<'_>,
        random: &[u8; SIGN_SEED_LEN],
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), FalconSignError> {
        let key = &self.encoded(algorithm);
        let task = SigningTask { algorithm, key, message, random, generator: Generator::Shake256 };
        sign_at_level(level, &task, signature, work)
    }

    /// Expands the key, to sign many messages. `work` needs at least [`Algorithm::sign_work_len`]
    /// bytes.
    ///
    /// Do not store the expanded key, for example on a disk, because it depends on the order of
    /// floating-point operations. In the Falcon family, the key is expanded twice and checked,
    /// because signatures with a wrong expanded key would reveal the private key.
    ///
    /// # Errors
    /// Returns an error if the work memory is too short, or if the machine computes wrongly.
    #[cfg(feature = "alloc")]
    pub fn expand(
        &self,
        level: Level,
        work: &mut [u8],
    ) -> Result<alloc::boxed::Box<super::ExpandedSigningKey>, super::ExpandError> {
        self.check_expand_work(work)?;
        super::ExpandedSigningKey::new(level, self, work)
    }
}

impl<R> From<FalconSignError> for SignError<R> {
    fn from(error: FalconSignError) -> Self {
        match error {
            FalconSignError::Attempts => Self::Attempts,
            FalconSignError::SelfCheck => Self::SelfCheck,
        }
    }
}

impl core::fmt::Debug for SigningKeyRef<'_> {
    /// Writes only the algorithm, because the key is secret.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SigningKeyRef").field("algorithm", &self.algorithm).finish_non_exhaustive()
    }
}
