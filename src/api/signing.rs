//! Private keys: making, checking, signing.

use super::algorithm::{Algorithm, Family, FamilyScheme, Scheme};
#[cfg(feature = "ed25519")]
use super::ed25519;
use super::falcon::{self, Generate, WipedSearch, level_generate, level_sign};
use super::whole::WholeMessage;
use super::{
    KeyError, KeyHash, KeygenError, MessageToSign, Options, SignError, VerifyingKeyRef, enough_work, exact_len, mldsa,
};
use crate::engine::falcon::codec::private_parts;
use crate::engine::falcon::import::NewPair;
use crate::engine::falcon::integrity::check_tables;
use crate::engine::falcon::keygen::{NoCandidateLeft, OneByOne};
use crate::engine::falcon::params::SIGN_SEED_LEN;
use crate::engine::falcon::sampler::Generator;
use crate::engine::falcon::scheme::FalconAlgorithm;
use crate::engine::falcon::sign::{self, Encoded, Failure, SigningTask};
use crate::engine::hash::message::KEY_HASH_LEN;
use crate::engine::mldsa::sample::LimitReached;
use crate::simd::{Level, ct};
use core::convert::Infallible;
use rand_core::{TryCryptoRng, TryRng};
use zeroize::Zeroizing;

/// Length of the seed that a key of any scheme is made from, in bytes.
pub const SEED_LEN: usize = 32;

/// A private key, checked: its encoding, borrowed from the caller, who wipes it.
///
/// The encoding of a key of ML-DSA is its seed, or the expanded form ([`Algorithm::expanded_form_len`]).
pub struct SigningKeyRef<'a> {
    bytes: &'a [u8],
    algorithm: Algorithm,
    key_hash: KeyHash,
}

impl<'a> SigningKeyRef<'a> {
    /// Makes a key pair from 32 bytes of `rng`.
    ///
    /// `signing_key` and `verifying_key` are exactly [`Algorithm::signing_key_len`] and
    /// [`Algorithm::verifying_key_len`] bytes. From 32 bytes every scheme of the family of FN-DSA makes one f, g and F; in ML-DSA
    /// they are the private key. `work` has at least [`Algorithm::keygen_work_len`] bytes;
    /// [`Algorithm::keygen_fast_work_len`] makes it faster.
    ///
    /// # Errors
    /// The generator's error, a buffer of the wrong size, or a machine that errs.
    pub fn generate<R: TryCryptoRng + ?Sized>(
        level: Level,
        algorithm: Algorithm,
        rng: &mut R,
        signing_key: &'a mut [u8],
        verifying_key: &mut [u8],
        work: &mut [u8],
    ) -> Result<Self, KeygenError<R::Error>> {
        Self::search(level, algorithm, OneByOne, rng, NewPair { signing_key, verifying_key }, work)
    }

    /// [`Self::generate`] by any search; ML-DSA has nothing to search for.
    pub(super) fn search<R: TryCryptoRng + ?Sized>(
        level: Level,
        algorithm: Algorithm,
        search: impl WipedSearch,
        rng: &mut R,
        pair: NewPair<'a, '_>,
        work: &mut [u8],
    ) -> Result<Self, KeygenError<R::Error>> {
        let NewPair { signing_key, verifying_key } = pair;
        if !algorithm.scheme().can_sign() {
            return Err(KeygenError::VerifyOnly);
        }
        exact_len(signing_key.len(), algorithm.signing_key_len()).map_err(KeygenError::Buffer)?;
        exact_len(verifying_key.len(), algorithm.verifying_key_len()).map_err(KeygenError::Buffer)?;
        enough_work(work.len(), algorithm.keygen_work_len()).map_err(KeygenError::Buffer)?;
        check_tables().map_err(|_| KeygenError::Tables)?;
        let mut seed = Zeroizing::new([0; SEED_LEN]);
        rng.try_fill_bytes(&mut *seed).map_err(KeygenError::Rng)?;
        let mut key_hash = KeyHash([0; KEY_HASH_LEN]);
        match algorithm.family() {
            Family::Falcon(algorithm) => {
                let pair = NewPair { signing_key: &mut *signing_key, verifying_key };
                let generate = Generate { algorithm, seed: &seed, pair, key_hash: &mut key_hash.0 };
                level_generate(level, search, generate, work).map_err(|NoCandidateLeft| KeygenError::Exhausted)?;
            }
            Family::MlDsa(set) => {
                key_hash.0 = mldsa::public_of_seed(level, set, &seed, verifying_key, work)
                    .map_err(|LimitReached| KeygenError::Exhausted)?;
                signing_key.copy_from_slice(&*seed);
            }
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => {
                let public = ed25519::public_of_seed(level, &*seed).map_err(|_| KeygenError::Exhausted)?;
                verifying_key.copy_from_slice(&public);
                key_hash = VerifyingKeyRef::trusted(algorithm, verifying_key).key_hash(level);
                signing_key.copy_from_slice(&*seed);
            }
        }
        Ok(Self::trusted(algorithm, signing_key, key_hash))
    }

    /// Checks an encoded private key in full, in any form that the scheme has except a seed of ML-DSA, which does not tell its algorithm.
    pub(super) fn of_scheme(level: Level, scheme: Scheme, bytes: &'a [u8], work: &mut [u8]) -> Result<Self, KeyError> {
        if !scheme.can_sign() {
            return Err(KeyError::VerifyOnly);
        }
        match scheme.family() {
            FamilyScheme::Falcon(scheme) => {
                let falcon = falcon::private_algorithm(scheme, bytes)?;
                let algorithm = Algorithm::of_falcon(falcon);
                enough_work(work.len(), algorithm.import_work_len()).map_err(KeyError::Work)?;
                let key_hash = KeyHash(falcon::check_private(level, falcon, bytes, work)?);
                Ok(Self { bytes, algorithm, key_hash })
            }
            FamilyScheme::MlDsa => {
                let set = mldsa::private_set(bytes)?;
                enough_work(work.len(), set.keygen_work_len()).map_err(KeyError::Work)?;
                let key_hash = KeyHash(mldsa::check_private(level, set, bytes, work)?);
                Ok(Self { bytes, algorithm: Algorithm::of_set(set), key_hash })
            }
            #[cfg(feature = "ed25519")]
            FamilyScheme::Ed25519 => {
                let public = ed25519::public_of_seed(level, bytes)?;
                let key_hash = VerifyingKeyRef::trusted(Algorithm::ED25519, &public).key_hash(level);
                Ok(Self { bytes, algorithm: Algorithm::ED25519, key_hash })
            }
        }
    }

    /// Takes the seed of a key of ML-DSA, xi in FIPS 204, for the private key. There is nothing to check; the public key is computed for
    /// its hash. `work` has at least [`Algorithm::import_work_len`] bytes.
    ///
    /// ```
    /// use fndsa::no_alloc::{Level, SigningKeyRef, VerifyingKeyRef};
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
    /// The work memory is too short. The algorithm is of the family of FN-DSA, whose private keys are not their seeds.
    pub fn from_seed(
        level: Level,
        algorithm: Algorithm,
        seed: &'a [u8; SEED_LEN],
        work: &mut [u8],
    ) -> Result<Self, KeyError> {
        let Family::MlDsa(set) = algorithm.family() else { return Err(KeyError::OtherFamily) };
        enough_work(work.len(), algorithm.import_work_len()).map_err(KeyError::Work)?;
        let key_hash = KeyHash(mldsa::key_hash_of_seed(level, set, seed, work)?);
        Ok(Self { bytes: seed, algorithm, key_hash })
    }

    /// Checks an encoded private key of an algorithm in full: the bytes of [`Self::as_bytes`]. In the family of FN-DSA: header, length,
    /// ranges, `f` invertible, `fG - gF = q` over the integers, both norms, and in FN-DSA the stored hash of the public key. In ML-DSA a
    /// seed has any value; of the expanded form length and ranges, and that t0 and tr follow from the rest. In Ed25519: the length.
    /// `work` has at least [`Algorithm::import_work_len`] bytes.
    ///
    /// The caller names the algorithm, because the seed of a key of ML-DSA has the same 32 bytes in all three sets of parameters.
    ///
    /// # Errors
    /// Why the key is rejected; the key is of another algorithm.
    pub fn of_algorithm(
        level: Level,
        algorithm: Algorithm,
        bytes: &'a [u8],
        work: &mut [u8],
    ) -> Result<Self, KeyError> {
        match (algorithm.family(), <&[u8; SEED_LEN]>::try_from(bytes)) {
            (Family::MlDsa(_), Ok(seed)) => Self::from_seed(level, algorithm, seed, work),
            _ => {
                let key = Self::of_scheme(level, algorithm.scheme(), bytes, work)?;
                let found = key.algorithm;
                if found == algorithm { Ok(key) } else { Err(KeyError::OtherAlgorithm { wanted: algorithm, found }) }
            }
        }
    }

    /// Takes a key that was checked before, or made here. Range: `bytes` has the algorithm's length.
    pub(super) fn trusted(algorithm: Algorithm, bytes: &'a [u8], key_hash: KeyHash) -> Self {
        Self { bytes, algorithm, key_hash }
    }

    /// The encoding. It is secret.
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Scheme and degree.
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The scheme.
    pub const fn scheme(&self) -> Scheme {
        self.algorithm.scheme()
    }

    /// The hash of the public key.
    pub const fn key_hash(&self) -> KeyHash {
        self.key_hash
    }

    /// The key as the engine of the family of FN-DSA takes it.
    pub(super) fn encoded(&self, algorithm: FalconAlgorithm) -> Encoded<'a> {
        Encoded { degree: algorithm.degree(), parts: private_parts(algorithm, self.bytes) }
    }

    /// The seed, if this is a key of ML-DSA that is one.
    pub fn seed(&self) -> Option<&'a [u8; SEED_LEN]> {
        self.bytes.try_into().ok().filter(|_| self.algorithm.expanded_form_len().is_some())
    }

    /// Bytes of work memory for one signature with this key, at the least: [`Algorithm::sign_work_len`], or
    /// [`Algorithm::sign_expanded_form_work_len`] where the key is in that form.
    pub const fn sign_work_len(&self) -> usize {
        match (self.algorithm.family(), self.bytes.len()) {
            (Family::MlDsa(_), len) if len != SEED_LEN => self.algorithm.sign_expanded_form_work_len(),
            _ => self.algorithm.sign_work_len(),
        }
    }

    /// Computes the public key into `out`, exactly [`Algorithm::verifying_key_len`] bytes. `work` has
    /// at least [`Algorithm::import_work_len`] bytes.
    ///
    /// # Errors
    /// A buffer of the wrong size ([`KeyError::Length`] for `out`).
    pub fn verifying_key_into<'b>(
        &self,
        level: Level,
        out: &'b mut [u8],
        work: &mut [u8],
    ) -> Result<VerifyingKeyRef<'b>, KeyError> {
        let algorithm = self.algorithm;
        exact_len(out.len(), algorithm.verifying_key_len()).map_err(KeyError::Work)?;
        enough_work(work.len(), algorithm.import_work_len()).map_err(KeyError::Work)?;
        self.write_verifying_key(level, out, work);
        Ok(VerifyingKeyRef::trusted(algorithm, out))
    }

    /// Writes the public key. Range: lengths were checked.
    pub(super) fn write_verifying_key(&self, level: Level, out: &mut [u8], work: &mut [u8]) {
        match self.algorithm.family() {
            Family::Falcon(algorithm) => {
                falcon::public_into(level, algorithm, private_parts(algorithm, self.bytes), out, work);
            }
            Family::MlDsa(set) => mldsa::public_into(level, set, self.bytes, out, work),
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => {
                if let Ok(public) = ed25519::public_of_seed(level, self.bytes) {
                    out.copy_from_slice(&public);
                }
            }
        }
    }

    /// Writes the expanded form of a key of ML-DSA into `out`, exactly [`Algorithm::expanded_form_len`] bytes. `work` has at least
    /// [`Algorithm::import_work_len`] bytes. It is secret: the caller wipes it.
    ///
    /// # Errors
    /// A buffer of the wrong size; the key is of the family of FN-DSA.
    pub fn expanded_form_into(&self, level: Level, out: &mut [u8], work: &mut [u8]) -> Result<(), KeyError> {
        let Family::MlDsa(set) = self.algorithm.family() else { return Err(KeyError::OtherFamily) };
        exact_len(out.len(), set.private_len()).map_err(KeyError::Work)?;
        enough_work(work.len(), self.algorithm.import_work_len()).map_err(KeyError::Work)?;
        mldsa::expanded_form_into(level, set, self.bytes, out, work)
    }

    /// Writes the same f, g and F as a private key of another scheme into `out`, exactly
    /// [`Algorithm::signing_key_len`] bytes, and checks it by the rules of that scheme. `work` has at least
    /// [`Algorithm::import_work_len`] bytes. Signatures do not follow, and one key should not be used in two
    /// schemes: a signature of FN-DSA-2024 is one of Falcon for another message.
    ///
    /// # Errors
    /// The key is none of the other scheme: its Gram-Schmidt norm may be too large for FN-DSA. One of the schemes is ML-DSA,
    /// whose keys are of another kind. A buffer of the wrong size. `out` is then all zeros.
    pub fn convert_into<'b>(
        &self,
        level: Level,
        scheme: Scheme,
        out: &'b mut [u8],
        work: &mut [u8],
    ) -> Result<SigningKeyRef<'b>, KeyError> {
        let to = self.algorithm().with_scheme(scheme).ok_or(KeyError::OtherFamily)?;
        let (Some(from), Some(falcon)) = (self.algorithm().falcon(), to.falcon()) else {
            return Err(KeyError::OtherFamily);
        };
        if !scheme.can_sign() {
            return Err(KeyError::VerifyOnly);
        }
        exact_len(out.len(), to.signing_key_len()).map_err(KeyError::Work)?;
        enough_work(work.len(), to.import_work_len()).map_err(KeyError::Work)?;
        // Until it is known to be a key.
        let made = ct::Wiped(&mut *out);
        falcon::recode_private_into(level, private_parts(from, self.bytes), falcon, made.0, work);
        let key_hash = SigningKeyRef::of_scheme(level, scheme, made.0, work)?.key_hash;
        made.keep();
        Ok(SigningKeyRef::trusted(to, out, key_hash))
    }

    /// Signs a `mu`, or a message that was hashed with its nonces, with 40 bytes of `rng`, in ML-DSA with 32, and verifies the
    /// signature before returning. In the family of FN-DSA it is in the padded encoding; [`super::SignatureRef::recode_into`] gives the
    /// others.
    ///
    /// `signature` is exactly [`Algorithm::signature_len`] bytes, `work` has at least
    /// [`Self::sign_work_len`]; in ML-DSA more memory makes it faster, up to [`Algorithm::sign_fast_work_len`].
    ///
    /// # Errors
    /// The generator's error, a buffer of the wrong size, a message for another scheme or key, no good attempt, or
    /// a machine that errs; `signature` is then all zeros.
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

    /// [`Self::sign`] of a message that stays where it is: each function on the way would have a copy on its stack.
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
            Family::Falcon(algorithm) => self.sign_falcon(level, algorithm, message, rng, signature, work),
            _ => self.sign_other(level, message, rng, signature, work),
        }
    }

    /// [`Self::sign_borrowed`] in the family of FN-DSA.
    fn sign_falcon<R: TryCryptoRng + ?Sized>(
        &self,
        level: Level,
        algorithm: FalconAlgorithm,
        message: &MessageToSign<'_>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let needed = Needed { signature: self.algorithm.signature_len(), work: self.sign_work_len() };
        let random = needed.draw(rng, signature, work)?;
        let made = message.with(self.scheme(), &self.key_hash, |message| {
            self.sign_with(level, algorithm, message, &random, signature, work)
        });
        Ok(made??)
    }

    /// [`Self::sign_borrowed`] in the other families.
    fn sign_other<R: TryCryptoRng + ?Sized>(
        &self,
        level: Level,
        message: &MessageToSign<'_>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        match self.algorithm.family() {
            Family::Falcon(_) => Err(SignError::OtherScheme),
            Family::MlDsa(set) => {
                let needed = Needed { signature: self.algorithm.signature_len(), work: self.sign_work_len() };
                let rnd = needed.draw(rng, signature, work)?;
                message.with_mu(&self.key_hash, |mu| {
                    mldsa::sign_mu(level, &mldsa::Task { set, key: self.bytes, mu, rnd: &rnd }, signature, work)
                })?
            }
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => self.sign_classic(level, message, signature, work),
        }
    }

    /// Signs a `mu` as [`Self::sign`] does, without randomness: the deterministic variant of ML-DSA (FIPS 204, 3.4), where key and
    /// message decide on the signature. The hedged one, which [`Self::sign`] makes, is safer against faults of the machine.
    ///
    /// # Errors
    /// Those of [`Self::sign`]; the scheme does not sign without randomness ([`SignError::Deterministic`]).
    pub fn sign_deterministic<'m>(
        &self,
        level: Level,
        message: impl Into<MessageToSign<'m>>,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<Infallible>> {
        self.sign(level, message, &mut Zeros::of(self.scheme(), signature)?, signature, work)
    }

    /// Signs a message that is in memory, as [`Self::sign`] does, with as many nonces as it takes.
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
    /// # let public = fndsa::no_alloc::VerifyingKeyRef::from_bytes(algorithm.scheme(), &public)?;
    /// # public.verify_message(level, Options::default(), b"a message", &signature, &mut work)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Self::sign`]; the scheme cannot sign the message in this form.
    pub fn sign_message<R: TryCryptoRng + ?Sized>(
        &self,
        level: Level,
        options: Options<'_>,
        message: &[u8],
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let whole = WholeMessage { level, algorithm: self.algorithm, key: &self.key_hash, options, bytes: message };
        // By family, so that a program with one key, known when it is built, has nothing of the others.
        match self.algorithm.family() {
            Family::Falcon(algorithm) => whole
                .each_attempt(rng, |message, rng| self.sign_falcon(level, algorithm, message, rng, signature, work)),
            _ => whole.each_attempt(rng, |message, rng| self.sign_other(level, message, rng, signature, work)),
        }
    }

    /// [`Self::sign`] of Ed25519, in a frame of its own: that of the others is wiped.
    #[cfg(feature = "ed25519")]
    #[inline(never)]
    fn sign_classic<E>(
        &self,
        level: Level,
        message: &MessageToSign<'_>,
        signature: &mut [u8],
        work: &[u8],
    ) -> Result<(), SignError<E>> {
        Needed { signature: self.algorithm.signature_len(), work: 0 }.check(signature, work)?;
        ed25519::sign(level, self.bytes, message.prehashed()?, signature)
    }

    /// The part of [`Self::sign`] that no generator makes generic.
    fn sign_with(
        &self,
        level: Level,
        algorithm: FalconAlgorithm,
        message: sign::AttemptSource<'_>,
        random: &[u8; SIGN_SEED_LEN],
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), Failure> {
        let key = &self.encoded(algorithm);
        let task = SigningTask { algorithm, key, message, random, generator: Generator::Shake256 };
        level_sign(level, &task, signature, work)
    }

    /// Expands the key for many signatures. `work` has at least [`Algorithm::sign_work_len`]
    /// bytes. The expanded key is never written to disk: it is bound to one order of floating-point operations. In the family of
    /// FN-DSA it is made twice and checked, for a wrong one would give the private key away.
    ///
    /// # Errors
    /// Work memory too short; the machine computed wrong.
    #[cfg(feature = "alloc")]
    pub fn expand(
        &self,
        level: Level,
        work: &mut [u8],
    ) -> Result<alloc::boxed::Box<super::ExpandedSigningKey>, super::ExpandError> {
        self.enough_to_expand(work)?;
        super::ExpandedSigningKey::new(level, self, work)
    }
}

/// The randomness of signatures that have none.
pub(super) struct Zeros(());

impl Zeros {
    /// Returns the randomness of a deterministic signature, of a scheme that has such ones.
    ///
    /// # Errors
    /// The scheme has none; `signature` is then all zeros.
    pub(super) fn of(scheme: Scheme, signature: &mut [u8]) -> Result<Self, SignError<Infallible>> {
        if scheme.can_sign_deterministically() {
            return Ok(Self(()));
        }
        ct::wipe(signature);
        Err(SignError::Deterministic)
    }
}

impl TryRng for Zeros {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(0)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(0)
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        out.fill(0);
        Ok(())
    }
}

/// Only deterministic signing draws from it, for a scheme that may.
impl TryCryptoRng for Zeros {}

/// The lengths of what a signature needs, in bytes.
pub(super) struct Needed {
    pub(super) signature: usize,
    pub(super) work: usize,
}

impl Needed {
    /// Checks the buffers of a signature, and tables if that is due; the signature is then all zeros.
    pub(super) fn check<R>(&self, signature: &mut [u8], work: &[u8]) -> Result<(), SignError<R>> {
        signature.fill(0);
        exact_len(signature.len(), self.signature).map_err(SignError::Buffer)?;
        enough_work(work.len(), self.work).map_err(SignError::Buffer)?;
        check_tables().map_err(|_| SignError::Tables)
    }

    /// Checks as [`Self::check`] does, then draws the random bytes of a signature.
    pub(super) fn draw<R: TryCryptoRng + ?Sized, const N: usize>(
        &self,
        rng: &mut R,
        signature: &mut [u8],
        work: &[u8],
    ) -> Result<Zeroizing<[u8; N]>, SignError<R::Error>> {
        self.check(signature, work)?;
        let mut random = Zeroizing::new([0; N]);
        rng.try_fill_bytes(&mut *random).map_err(SignError::Rng)?;
        Ok(random)
    }
}

impl<R> From<Failure> for SignError<R> {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Attempts => Self::Attempts,
            Failure::SelfCheck => Self::SelfCheck,
        }
    }
}

impl core::fmt::Debug for SigningKeyRef<'_> {
    /// Algorithm only: nothing secret is printed.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SigningKey").field("algorithm", &self.algorithm).finish_non_exhaustive()
    }
}
