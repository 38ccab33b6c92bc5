//! Private keys: making, checking, signing.

use super::message::WholeMessage;
use super::verifying::key_algorithm;
use super::{
    Form, KeyError, KeyHash, KeygenError, SignError, ToSign, VerifyingKey, enough_work, exact_len, wiping_key,
    wiping_keygen, wiping_sign,
};
use crate::engine::falcon::codec::{PrivateParts, private_parts};
use crate::engine::falcon::import::{
    KeyFlaw, NewPair, check, encode_public, generate_into, public_row_into, recode_private, to_public_form,
};
use crate::engine::falcon::integrity::check_tables;
use crate::engine::falcon::keygen::{NoCandidateLeft, OneByOne, Search};
use crate::engine::falcon::params::{Degree, KEY_HASH_LEN, KEYGEN_SEED_LEN, SIGN_SEED_LEN, SIGNING_KEY_HEADER};
use crate::engine::falcon::sampler::Generator;
use crate::engine::falcon::scheme::{Algorithm, Scheme};
use crate::engine::falcon::sign::{self, Encoded, Failure, Lattice, SigningTask, sign};
use crate::simd::{Level, Scratch, Simd, ct, on_level};
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

/// A private key, checked: its encoding, borrowed from the caller, who wipes it.
pub struct SigningKey<'a> {
    bytes: &'a [u8],
    parts: PrivateParts<'a>,
    algorithm: Algorithm,
    key_hash: [u8; KEY_HASH_LEN],
}

impl<'a> SigningKey<'a> {
    /// Makes a key pair from 32 bytes of `rng`.
    ///
    /// `signing_key` and `verifying_key` are exactly [`Algorithm::signing_key_len`] and
    /// [`Algorithm::verifying_key_len`] bytes. From 32 bytes every scheme makes one f, g and F.
    /// `work` has at least [`Algorithm::keygen_work_len`] bytes;
    /// [`Algorithm::keygen_fast_work_len`] makes it faster.
    ///
    /// # Errors
    /// The generator's error, a buffer of the wrong size, or a machine that errs.
    pub fn generate<R: TryCryptoRng>(
        level: Level,
        algorithm: Algorithm,
        rng: &mut R,
        signing_key: &'a mut [u8],
        verifying_key: &mut [u8],
        work: &mut [u8],
    ) -> Result<Self, KeygenError<R::Error>> {
        Self::search(level, algorithm, OneByOne, rng, NewPair { signing_key, verifying_key }, work)
    }

    /// [`Self::generate`] by any search.
    pub(super) fn search<R: TryCryptoRng>(
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
        let mut seed = Zeroizing::new([0; KEYGEN_SEED_LEN]);
        rng.try_fill_bytes(&mut *seed).map_err(KeygenError::Rng)?;
        let mut key_hash = [0; KEY_HASH_LEN];
        let pair = NewPair { signing_key: &mut *signing_key, verifying_key };
        let generate = Generate { algorithm, seed: &seed, pair, key_hash: &mut key_hash };
        level_generate(level, search, generate, work).map_err(|NoCandidateLeft| KeygenError::Exhausted)?;
        Ok(Self::trusted(algorithm, signing_key, key_hash))
    }

    /// Checks an encoded private key in full: header, length, ranges, `f` invertible, `fG - gF = q`
    /// over the integers, both norms, and in FN-DSA the stored hash of the public key. `work` has at least
    /// [`Algorithm::import_work_len`] bytes.
    ///
    /// # Errors
    /// What the key is refused for.
    pub fn from_bytes(level: Level, scheme: Scheme, bytes: &'a [u8], work: &mut [u8]) -> Result<Self, KeyError> {
        if !scheme.can_sign() {
            return Err(KeyError::VerifyOnly);
        }
        let algorithm = key_algorithm(scheme, bytes, SIGNING_KEY_HEADER, Algorithm::signing_key_len)?;
        enough_work(work.len(), algorithm.import_work_len()).map_err(KeyError::Work)?;
        let parts = private_parts(algorithm, bytes);
        let checked =
            wiping_key(level, work, |work| on_level!(level, |isa| check(isa, algorithm, parts, Scratch::new(work))));
        let key_hash = checked.map_err(|defect| match defect {
            KeyFlaw::Coefficient => KeyError::Coefficient,
            KeyFlaw::NotInvertible => KeyError::NotInvertible,
            KeyFlaw::Equation => KeyError::Equation,
            KeyFlaw::Norm => KeyError::Norm,
            KeyFlaw::OrthogonalNorm => KeyError::OrthogonalNorm,
            KeyFlaw::KeyHash => KeyError::KeyHash,
        })?;
        Ok(Self { bytes, parts, algorithm, key_hash })
    }

    /// Takes a key that was checked before, or made here. Range: `bytes` has the algorithm's length.
    pub(super) fn trusted(algorithm: Algorithm, bytes: &'a [u8], key_hash: [u8; KEY_HASH_LEN]) -> Self {
        Self { bytes, parts: private_parts(algorithm, bytes), algorithm, key_hash }
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

    /// The degree.
    pub const fn degree(&self) -> Degree {
        self.algorithm.degree()
    }

    /// The hash of the public key.
    pub const fn key_hash(&self) -> KeyHash {
        KeyHash(self.key_hash)
    }

    const fn encoded(&self) -> Encoded<'a> {
        Encoded { degree: self.algorithm.degree(), parts: self.parts }
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
    ) -> Result<VerifyingKey<'b>, KeyError> {
        let algorithm = self.algorithm;
        exact_len(out.len(), algorithm.verifying_key_len()).map_err(KeyError::Work)?;
        enough_work(work.len(), algorithm.import_work_len()).map_err(KeyError::Work)?;
        self.write_verifying_key(level, out, work);
        Ok(VerifyingKey::trusted(algorithm, out))
    }

    /// Writes the public key. Range: lengths were checked.
    pub(super) fn write_verifying_key(&self, level: Level, out: &mut [u8], work: &mut [u8]) {
        let algorithm = self.algorithm;
        let degree = algorithm.degree();
        wiping_key(level, work, |work| {
            on_level!(level, |isa| {
                let mut work = Scratch::new(work);
                let h = work.take::<u16>(degree.n());
                let tmp = work.take::<u16>(degree.n());
                let _checked_on_import = public_row_into(isa, degree.logn(), self.parts, h, tmp);
                to_public_form(isa, algorithm, h);
                encode_public(algorithm, h, out);
            });
        });
    }

    /// Writes the same f, g and F as a private key of another scheme into `out`, exactly
    /// [`Algorithm::signing_key_len`] bytes, and checks it by the rules of that scheme. `work` has at least
    /// [`Algorithm::import_work_len`] bytes. Signatures do not follow, and one key should not be used in two
    /// schemes: a signature of FN-DSA-2024 is one of Falcon for another message.
    ///
    /// # Errors
    /// The key is none of the other scheme: its Gram-Schmidt norm may be too large for FN-DSA. A buffer of
    /// the wrong size. `out` is then all zeros.
    pub fn convert_into<'b>(
        &self,
        level: Level,
        scheme: Scheme,
        out: &'b mut [u8],
        work: &mut [u8],
    ) -> Result<SigningKey<'b>, KeyError> {
        let to = self.algorithm().with_scheme(scheme);
        if !scheme.can_sign() {
            return Err(KeyError::VerifyOnly);
        }
        exact_len(out.len(), to.signing_key_len()).map_err(KeyError::Work)?;
        enough_work(work.len(), to.import_work_len()).map_err(KeyError::Work)?;
        // Until it is known to be a key.
        let made = ct::Wiped(&mut *out);
        wiping_key(level, work, |work| {
            on_level!(level, |isa| recode_private(isa, self.parts, to, &mut *made.0, Scratch::new(work)));
        });
        let key_hash = SigningKey::from_bytes(level, scheme, made.0, work)?.key_hash;
        made.keep();
        Ok(SigningKey::trusted(to, out, key_hash))
    }

    /// Signs a `mu`, or a message that was hashed with its nonces, with 40 bytes of `rng`, and verifies the
    /// signature before returning. It is in the padded encoding; [`super::Signature::recode_into`] gives the
    /// others.
    ///
    /// `signature` is exactly [`Algorithm::signature_len`] bytes, `work` has at least
    /// [`Algorithm::sign_work_len`].
    ///
    /// # Errors
    /// The generator's error, a buffer of the wrong size, a message for another scheme or key, no good attempt, or
    /// a machine that errs; `signature` is then all zeros.
    pub fn sign<'m, R: TryCryptoRng>(
        &self,
        level: Level,
        message: impl Into<ToSign<'m>>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let random = draw(self.algorithm(), self.algorithm().sign_work_len(), rng, signature, work)?;
        let made = message
            .into()
            .with(self.scheme(), self.key_hash(), |message| self.sign_with(level, message, &random, signature, work));
        Ok(made??)
    }

    /// Signs a message that is in memory, as [`Self::sign`] does, with as many nonces as it takes.
    ///
    /// ```
    /// use fndsa::{Algorithm, Form, Level, SigningKey};
    /// use getrandom::SysRng;
    ///
    /// let (level, algorithm) = (Level::detect(), Algorithm::FALCON_512);
    /// let mut private = [0; Algorithm::FALCON_512.signing_key_len()];
    /// let mut public = [0; Algorithm::FALCON_512.verifying_key_len()];
    /// let mut work = [0; Algorithm::FALCON_512.sign_work_len()];
    /// let key = SigningKey::generate(level, algorithm, &mut SysRng, &mut private, &mut public, &mut work)?;
    /// let mut signature = [0; Algorithm::FALCON_512.signature_len()];
    /// key.sign_message(level, Form::default(), b"a message", &mut SysRng, &mut signature, &mut work)?;
    /// # let public = fndsa::VerifyingKey::from_bytes(algorithm.scheme(), &public)?;
    /// # public.verify_message(level, Form::default(), b"a message", &signature, &mut work)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Self::sign`]; the scheme cannot sign the message in this form.
    pub fn sign_message<R: TryCryptoRng>(
        &self,
        level: Level,
        form: Form<'_>,
        message: &[u8],
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let whole = WholeMessage { level, scheme: self.scheme(), key: self.key_hash(), form, bytes: message };
        whole.each_attempt(rng, |message, rng| self.sign(level, message, rng, signature, work))
    }

    /// The part of [`Self::sign`] that no generator makes generic.
    fn sign_with(
        &self,
        level: Level,
        message: sign::AttemptSource<'_>,
        random: &[u8; SIGN_SEED_LEN],
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), Failure> {
        let key = &self.encoded();
        let task = SigningTask { algorithm: self.algorithm, key, message, random, generator: Generator::Shake256 };
        level_sign(level, &task, signature, work)
    }

    /// Expands the key for many signatures. `work` has at least [`Algorithm::sign_work_len`]
    /// bytes. The expanded key is never written to disk: it is bound to one order of floating-point operations.
    ///
    /// # Errors
    /// Work memory too short.
    #[cfg(feature = "alloc")]
    pub fn expand(
        &self,
        level: Level,
        work: &mut [u8],
    ) -> Result<alloc::boxed::Box<super::ExpandedSigningKey>, super::ExpandError> {
        enough_work(work.len(), self.algorithm().sign_work_len()).map_err(super::ExpandError::Work)?;
        Ok(super::ExpandedSigningKey::new(level, self, self.encoded(), work))
    }
}

/// Checks the buffers of a signature, and tables if that is due, then draws its random bytes.
pub(super) fn draw<R: TryCryptoRng>(
    algorithm: Algorithm,
    work_len: usize,
    rng: &mut R,
    signature: &mut [u8],
    work: &[u8],
) -> Result<Zeroizing<[u8; SIGN_SEED_LEN]>, SignError<R::Error>> {
    signature.fill(0);
    exact_len(signature.len(), algorithm.signature_len()).map_err(SignError::Buffer)?;
    enough_work(work.len(), work_len).map_err(SignError::Buffer)?;
    check_tables().map_err(|_| SignError::Tables)?;
    let mut random = Zeroizing::new([0; SIGN_SEED_LEN]);
    rng.try_fill_bytes(&mut *random).map_err(SignError::Rng)?;
    Ok(random)
}

/// A search for a key, with what wipes the stack it uses.
pub(super) trait WipedSearch: Search {
    /// Runs `f` with the work memory, then wipes.
    fn wiping<R>(level: Level, work: &mut [u8], f: impl FnOnce(&mut [u8]) -> R) -> R;
}

impl WipedSearch for OneByOne {
    fn wiping<R>(level: Level, work: &mut [u8], f: impl FnOnce(&mut [u8]) -> R) -> R {
        wiping_keygen(level, work, f)
    }
}

/// What a key pair is made from, and where it goes.
struct Generate<'w> {
    algorithm: Algorithm,
    seed: &'w [u8; KEYGEN_SEED_LEN],
    pair: NewPair<'w, 'w>,
    /// The hash goes to the caller's memory: what is returned by value lies on the stack below key generation, several times.
    key_hash: &'w mut [u8; KEY_HASH_LEN],
}

/// Makes one key pair on one level; wipes the work memory and the stack. Range: lengths were checked.
fn level_generate<K: WipedSearch>(
    level: Level,
    search: K,
    what: Generate<'_>,
    work: &mut [u8],
) -> Result<(), NoCandidateLeft> {
    /// Takes one reference to all of [`Generate`]: every function on the way to the engine has a copy of it on its stack.
    #[inline(always)]
    fn on<S: Simd>(
        isa: S,
        search: impl Search,
        what: &mut Generate<'_>,
        work: &mut [u8],
    ) -> Result<(), NoCandidateLeft> {
        let Generate { algorithm, seed, pair, key_hash } = what;
        **key_hash = generate_into(isa, *algorithm, search, seed, pair, work)?;
        Ok(())
    }
    let Generate { algorithm, seed, pair: NewPair { signing_key, verifying_key }, key_hash } = what;
    // Until it is a whole key.
    let unfinished = ct::Wiped(signing_key);
    let pair = NewPair { signing_key: &mut *unfinished.0, verifying_key };
    let what = &mut Generate { algorithm, seed, pair, key_hash };
    K::wiping(level, work, |work| on_level!(level.for_keygen(), |isa| on(isa, search, what, work)))?;
    unfinished.keep();
    Ok(())
}

/// Makes one signature on one level; wipes the work memory and the stack. Range: lengths were checked.
pub(super) fn level_sign<K: Lattice>(
    level: Level,
    task: &SigningTask<'_, K>,
    signature: &mut [u8],
    work: &mut [u8],
) -> Result<(), Failure> {
    /// Takes one reference to the whole task, as for key generation.
    #[inline(always)]
    fn on<S: Simd, K: Lattice>(
        isa: S,
        task: &SigningTask<'_, K>,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), Failure> {
        sign(isa, task, signature, Scratch::new(work))
    }
    // Until it was verified.
    let unfinished = ct::Wiped(signature);
    let signature = &mut *unfinished.0;
    wiping_sign(level, work, |work| on_level!(level, |isa| on(isa, task, signature, work)))?;
    unfinished.keep();
    Ok(())
}

impl<R> From<Failure> for SignError<R> {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Attempts => Self::Attempts,
            Failure::SelfCheck => Self::SelfCheck,
        }
    }
}

impl core::fmt::Debug for SigningKey<'_> {
    /// Algorithm only: nothing secret is printed.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SigningKey").field("algorithm", &self.algorithm).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::falcon::ntru::Trapdoor;
    use crate::engine::falcon::sampler::Sampler;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// A key whose sampler panics when it is done.
    struct Panics<'k>(Encoded<'k>);

    impl Lattice for Panics<'_> {
        fn sample_reals(&self) -> usize {
            self.0.sample_reals()
        }
        fn sample<S: Simd>(&self, isa: S, c: &[u16], sampler: &mut Sampler<S>, memory: &mut [S::Real]) {
            self.0.sample(isa, c, sampler, memory);
            panic!("in the middle of a signature");
        }
        fn rows_into<S: Simd>(&self, isa: S, f: &mut [u16], big_f: &mut [u16], h: &mut [u16]) {
            self.0.rows_into(isa, f, big_f, h);
        }
        fn secret_hash<S: Simd>(&self, isa: S) -> [u8; SIGN_SEED_LEN] {
            self.0.secret_hash(isa)
        }
    }

    /// A search that panics when it has found the key.
    struct Found;

    impl Search for Found {
        fn key<S: Simd>(
            self,
            isa: S,
            logn: u32,
            seed: &[u8; KEYGEN_SEED_LEN],
            key: &mut Trapdoor<'_>,
            work: Scratch<'_>,
        ) -> Result<(), NoCandidateLeft> {
            OneByOne.key(isa, logn, seed, key, work)?;
            panic!("in the middle of a key");
        }
    }

    impl WipedSearch for Found {
        fn wiping<R>(level: Level, work: &mut [u8], f: impl FnOnce(&mut [u8]) -> R) -> R {
            OneByOne::wiping(level, work, f)
        }
    }

    fn is_wiped(memory: &[u8]) -> bool {
        memory.iter().all(|x| *x == 0)
    }

    #[test]
    fn a_panic_in_the_middle_leaves_nothing_in_memory() {
        let algorithm = Algorithm::FN_DSA_512;
        let seed = [5; KEYGEN_SEED_LEN];
        for level in Level::available() {
            let (mut sk, mut vk) = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
            let (mut hash, mut work) = ([0; KEY_HASH_LEN], vec![0; algorithm.keygen_fast_work_len()]);

            let pair = NewPair { signing_key: &mut sk, verifying_key: &mut vk };
            let generate = Generate { algorithm, seed: &seed, pair, key_hash: &mut hash };
            let made = catch_unwind(AssertUnwindSafe(|| level_generate(level, Found, generate, &mut work)));
            assert!(made.is_err(), "{level}: no panic");
            assert!(is_wiped(&sk) && is_wiped(&work), "{level}: a key is left in memory");

            let pair = NewPair { signing_key: &mut sk, verifying_key: &mut vk };
            let generate = Generate { algorithm, seed: &seed, pair, key_hash: &mut hash };
            level_generate(level, OneByOne, generate, &mut work).expect("a key");
            let key = Panics(SigningKey::trusted(algorithm, &sk, hash).encoded());
            let (mut signature, mut work) = (vec![0; algorithm.signature_len()], vec![0; algorithm.sign_work_len()]);
            let (mu, random) = ([1; 64], [2; SIGN_SEED_LEN]);
            let message = sign::AttemptSource::Mu(&mu);
            let task = SigningTask { algorithm, key: &key, message, random: &random, generator: Generator::Shake256 };
            let made = catch_unwind(AssertUnwindSafe(|| level_sign(level, &task, &mut signature, &mut work)));
            assert!(made.is_err(), "{level}: no panic");
            assert!(is_wiped(&signature) && is_wiped(&work), "{level}: secrets of a signature are left in memory");
        }
    }
}
