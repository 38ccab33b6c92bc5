//! Signs many messages with an expanded key, which is a private key that is prepared for many
//! signatures.

use super::algorithm::FamilyAlgorithm;
use super::falcon_signing::sign_batch_at_level;
use super::message::UnhashedMessage;
use super::mldsa_signing::KeptKey;
use super::signing_random::SigningLengths;
use super::whole::hash_together;
use super::{BufferLen, ExpandedSigningKey, MessageDigest, MessageToSign, Options, SignError, check_work_len};
use crate::engine::falcon::integrity::MemoryFault;
use crate::engine::falcon::params::SIGN_SEED_LEN;
use crate::engine::falcon::sampler::Generator;
use crate::engine::falcon::scheme::FalconAlgorithm;
use crate::engine::falcon::sign::{Attempt, AttemptSource, PreparedLatticeKey};
use crate::engine::falcon::sign_batch::{BatchTask, SigningItem};
use crate::engine::hash::shake::KECCAK_STATES;
use crate::engine::mldsa::params::{MU_LEN, RND_LEN};
use crate::engine::mldsa::sign_batch::{BATCH_LEN, MuItem};
use alloc::vec::Vec;
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

/// Splits messages into groups of up to `group_len` messages. A call of
/// [`ExpandedSigningKey::sign_group`] signs a group.
pub(super) fn groups<'m, M: Into<MessageToSign<'m>>>(
    mut messages: impl ExactSizeIterator<Item = M>,
    group_len: usize,
) -> impl ExactSizeIterator<Item = Vec<MessageToSign<'m>>> {
    let group_count = messages.len().div_ceil(group_len);
    (0..group_count).map(move |_| messages.by_ref().take(group_len).map(Into::into).collect())
}

/// The maximum number of random bytes for a group.
const GROUP_RANDOM_LEN: usize = if KECCAK_STATES * SIGN_SEED_LEN > BATCH_LEN * RND_LEN {
    KECCAK_STATES * SIGN_SEED_LEN
} else {
    BATCH_LEN * RND_LEN
};

impl ExpandedSigningKey {
    /// Signs any number of messages. After the call, `signatures` contains all signatures, in the
    /// order of the messages. If `rng` returns the same bytes, the signatures are the same as from
    /// a call of [`Self::sign`] for each message. `work` needs at least
    /// [`Algorithm::sign_batch_work_len`](crate::api::Algorithm::sign_batch_work_len) bytes.
    ///
    /// In the Falcon family, if the level (the instruction set) has vectors, this function makes
    /// eight signatures at once, each in a lane of the vectors. Longer vectors save more time. In
    /// ML-DSA, it hashes for four signatures at once, which saves less time.
    ///
    /// In FN-DSA and ML-DSA, you pass the `mu` of each message:
    ///
    /// ```
    /// use fndsa::message::MuBuilder;
    /// use fndsa::no_alloc::Level;
    /// use fndsa::{Algorithm, Options, SigningKey};
    /// use getrandom::SysRng;
    ///
    /// let (level, algorithm) = (Level::detect(), Algorithm::FN_DSA_512);
    /// let key = SigningKey::generate(algorithm, &mut SysRng)?;
    /// let expanded = key.to_ref().expand(level, &mut vec![0; algorithm.sign_work_len()])?;
    /// let files = [b"one", b"two", b"six"];
    /// let mut messages = vec![];
    /// for file in files {
    ///     let mut mu = MuBuilder::pure(level, &expanded.key_hash(), b"")?;
    ///     mu.update(file);
    ///     messages.push(mu.finish());
    /// }
    /// let mut signatures = vec![0; files.len() * algorithm.signature_len()];
    /// let mut work = vec![0; algorithm.sign_batch_work_len()];
    /// expanded.sign_batch(&messages, &mut SysRng, &mut signatures, &mut work)?;
    /// for (file, signature) in files.iter().zip(signatures.chunks(algorithm.signature_len())) {
    ///     key.verifying_key().verify(Options::default(), *file, signature)?;
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// In Falcon and FN-DSA-2024, pass each message to a [`SigningHasher`]. For each nonce that it
    /// draws, the hasher computes a separate hash: first the nonce, and then the message. If a
    /// message has only one nonce, its only attempt fails with probability 1/2450 at degree 512. If
    /// this attempt fails, the whole batch fails. So for a long batch, use several nonces for each
    /// message.
    ///
    /// ```
    /// use fndsa::no_alloc::{Attempt, Level, SigningHasher};
    /// use fndsa::{Algorithm, Options, SigningKey};
    /// use getrandom::SysRng;
    ///
    /// let (level, algorithm) = (Level::detect(), Algorithm::FALCON_512);
    /// let key = SigningKey::generate(algorithm, &mut SysRng)?;
    /// let expanded = key.to_ref().expand(level, &mut vec![0; algorithm.sign_work_len()])?;
    /// let files = [b"one", b"two", b"six"];
    /// let mut attempts = files.map(|_| [Attempt::EMPTY; Attempt::OF_STREAM]);
    /// let mut messages = vec![];
    /// for (file, attempts) in files.iter().zip(&mut attempts) {
    ///     let hash = expanded.key_hash();
    ///     let options = Options::default();
    ///     let mut message = SigningHasher::new(level, algorithm, &hash, options, attempts, &mut SysRng)?;
    ///     message.update(*file);
    ///     messages.push(message.finish());
    /// }
    /// let mut signatures = vec![0; files.len() * algorithm.signature_len()];
    /// let mut work = vec![0; algorithm.sign_batch_work_len()];
    /// expanded.sign_batch(messages, &mut SysRng, &mut signatures, &mut work)?;
    /// for (file, signature) in files.iter().zip(signatures.chunks(algorithm.signature_len())) {
    ///     key.verifying_key().verify(Options::default(), *file, signature)?;
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// [`SigningHasher`]: crate::api::SigningHasher
    ///
    /// # Errors
    /// Returns the errors of [`Self::sign`]. If a message cannot be signed, all `signatures` will
    /// be zeros.
    pub fn sign_batch<'m, M: Into<MessageToSign<'m>>, R: TryCryptoRng + ?Sized>(
        &self,
        messages: impl IntoIterator<Item = M, IntoIter: ExactSizeIterator>,
        rng: &mut R,
        signatures: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let messages = messages.into_iter();
        self.check_batch(messages.len(), signatures)?;
        check_work_len(work.len(), self.algorithm().sign_batch_work_len()).map_err(SignError::Buffer)?;
        let result = self.sign_groups(groups(messages, self.group_len()), rng, signatures, work);
        if result.is_err() {
            signatures.fill(0);
        }
        result
    }

    /// Signs many messages in memory with the same options. Signs each message as
    /// [`Self::sign_message`] does, but hashes eight messages at once, and in the Falcon family
    /// also makes eight signatures at once. Ed25519 and composites process the messages one after
    /// another. `work` needs at least
    /// [`Algorithm::sign_batch_work_len`](crate::api::Algorithm::sign_batch_work_len) bytes.
    ///
    /// In FN-DSA and ML-DSA, if `rng` returns the same bytes, the signatures are the same as from a
    /// call of [`Self::sign_message`] for each message. In Falcon and FN-DSA-2024, this is only
    /// true until an attempt fails (with a probability of 1/2450 at degree 512, and 1/820 at degree
    /// 1024). If an attempt fails, all eight messages in the same group are signed again one after
    /// another, with new nonces.
    ///
    /// ```
    /// use fndsa::no_alloc::Level;
    /// use fndsa::{Algorithm, Options, SigningKey};
    /// use getrandom::SysRng;
    ///
    /// let algorithm = Algorithm::FALCON_512;
    /// let key = SigningKey::generate(algorithm, &mut SysRng)?;
    /// let expanded = key.to_ref().expand(Level::detect(), &mut vec![0; algorithm.sign_work_len()])?;
    /// let files: [&[u8]; 3] = [b"one", b"two", b"three"];
    /// let mut signatures = vec![0; files.len() * algorithm.signature_len()];
    /// let mut work = vec![0; algorithm.sign_batch_work_len()];
    /// expanded.sign_message_batch(Options::default(), &files, &mut SysRng, &mut signatures, &mut work)?;
    /// for (file, signature) in files.iter().zip(signatures.chunks(algorithm.signature_len())) {
    ///     key.verifying_key().verify(Options::default(), file, signature)?;
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`Self::sign_message`]. If a message cannot be signed, all
    /// `signatures` will be zeros.
    pub fn sign_message_batch<R: TryCryptoRng + ?Sized>(
        &self,
        options: Options<'_>,
        messages: &[&[u8]],
        rng: &mut R,
        signatures: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        self.check_batch(messages.len(), signatures)?;
        check_work_len(work.len(), self.algorithm().sign_batch_work_len()).map_err(SignError::Buffer)?;
        options.check(self.algorithm()).map_err(SignError::Message)?;
        if options.prehash.is_none() {
            return self.sign_all_messages(options, messages, rng, signatures, work);
        }
        let mut digests = Vec::with_capacity(messages.len());
        for message in messages {
            digests.extend(self.digest(options, message).map_err(SignError::Message)?);
        }
        let digests: Vec<&[u8]> = digests.iter().map(MessageDigest::as_bytes).collect();
        self.sign_all_messages(options, &digests, rng, signatures, work)
    }

    /// Signs messages, or digests if the options have a pre-hash, in groups ([`Self::group_len`]).
    /// The caller must check the options and the lengths of `signatures` and `work` before this
    /// call.
    fn sign_all_messages<R: TryCryptoRng + ?Sized>(
        &self,
        options: Options<'_>,
        messages: &[&[u8]],
        rng: &mut R,
        signatures: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let group_len = self.group_len();
        let signature_groups = signatures.chunks_mut(group_len * self.algorithm().signature_len());
        let result = messages.chunks(group_len).zip(signature_groups).try_for_each(|(messages, signatures)| {
            // Ed25519 and composites hash messages with SHA-512, so these messages cannot be
            // hashed together.
            if !self.scheme().has_mu() && !self.scheme().hashes_nonce() {
                return self.sign_one_by_one(options, messages, rng, signatures, work);
            }
            match self.sign_messages(options, messages, rng, signatures, work) {
                Err(SignError::Attempts) => self.sign_one_by_one(options, messages, rng, signatures, work),
                done => done,
            }
        });
        if result.is_err() {
            signatures.fill(0);
        }
        result
    }

    /// Hashes messages or digests with the same options, up to [`KECCAK_STATES`] at once, and signs
    /// them. The caller passes at most [`Self::group_len`] messages. If the scheme hashes a nonce
    /// before the message, this function draws one nonce for each message. The caller must check
    /// the options and the lengths of `signatures` and `work` before this call.
    fn sign_messages<R: TryCryptoRng + ?Sized>(
        &self,
        options: Options<'_>,
        messages: &[&[u8]],
        rng: &mut R,
        signatures: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let scheme = self.scheme();
        let mut attempts: Vec<_> = messages.iter().map(|_| Attempt::EMPTY).collect();
        let mut random = Zeroizing::new([0; GROUP_RANDOM_LEN]);
        let random = &mut random[..messages.len() * self.random_len()];
        for (attempt, random) in attempts.iter_mut().zip(random.chunks_exact_mut(self.random_len())) {
            if scheme.hashes_nonce() {
                rng.try_fill_bytes(&mut attempt.nonce).map_err(SignError::Rng)?;
            }
            rng.try_fill_bytes(random).map_err(SignError::Rng)?;
        }
        let mut group = Vec::with_capacity(messages.len());
        for (attempts, messages) in attempts.chunks_mut(KECCAK_STATES).zip(messages.chunks(KECCAK_STATES)) {
            group.extend(hash_together(self.level(), scheme, self.key_hash(), options, attempts, messages));
        }
        self.sign_group(&group, random, signatures, work)
    }

    /// Signs messages with the same options, one after another.
    fn sign_one_by_one<R: TryCryptoRng + ?Sized>(
        &self,
        options: Options<'_>,
        messages: &[&[u8]],
        rng: &mut R,
        signatures: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        for (bytes, signature) in messages.iter().zip(signatures.chunks_exact_mut(self.algorithm().signature_len())) {
            let message = UnhashedMessage::prepared(options, bytes);
            self.sign_unhashed(Generator::Shake256, message, rng, signature, work)?;
        }
        Ok(())
    }

    /// Fills `signatures` with zeros, and checks that it has space for `message_count` signatures.
    /// Also checks the constant tables in some calls, as [`SigningLengths::check`] does. The caller
    /// must check the work memory.
    pub(super) fn check_batch<E>(&self, message_count: usize, signatures: &mut [u8]) -> Result<(), SignError<E>> {
        let total_len = self.algorithm().signature_len().saturating_mul(message_count);
        SigningLengths { signature: total_len, work: 0 }.check(signatures, &[])
    }

    /// Draws the random bytes for all signatures, in order.
    pub(super) fn draw_batch<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        random: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let mut random_parts = random.chunks_exact_mut(self.random_len());
        random_parts.try_for_each(|random| rng.try_fill_bytes(random)).map_err(SignError::Rng)
    }

    /// Returns the number of random bytes for a signature. Ed25519 ignores these bytes.
    pub(super) const fn random_len(&self) -> usize {
        match self.algorithm().family() {
            FamilyAlgorithm::Falcon(_) => SIGN_SEED_LEN,
            _ => RND_LEN,
        }
    }

    /// Returns the largest number of messages in a group, which a call of [`Self::sign_group`]
    /// signs.
    pub(super) const fn group_len(&self) -> usize {
        match self.algorithm().family() {
            FamilyAlgorithm::MlDsa(_) => BATCH_LEN,
            _ => KECCAK_STATES,
        }
    }

    /// Signs the groups one after another, and draws the random bytes for each group.
    fn sign_groups<'m, R: TryCryptoRng + ?Sized>(
        &self,
        groups: impl ExactSizeIterator<Item = Vec<MessageToSign<'m>>>,
        rng: &mut R,
        signatures: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let len = self.algorithm().signature_len();
        let mut random = Zeroizing::new([0; GROUP_RANDOM_LEN]);
        groups.zip(signatures.chunks_mut(self.group_len() * len)).try_for_each(|(group, signatures)| {
            let random = &mut random[..group.len() * self.random_len()];
            self.draw_batch(rng, random)?;
            self.sign_group(&group, random, signatures, work)
        })
    }

    /// Signs the messages in a group with their random bytes. In the Falcon family and in ML-DSA,
    /// the engine signs all these messages together. Ed25519 and composites sign one message after
    /// another. The caller must check the length of `work` before this call.
    pub(super) fn sign_group<E>(
        &self,
        group: &[MessageToSign<'_>],
        random: &[u8],
        signatures: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<E>> {
        let len = self.algorithm().signature_len();
        // The caller's iterator may return fewer messages than the length that it has announced.
        let needed = group.len() * len;
        if needed != signatures.len() {
            return Err(SignError::Buffer(BufferLen { needed, given: signatures.len() }));
        }
        let set = match self.algorithm().family() {
            FamilyAlgorithm::Falcon(algorithm) => return self.sign_lanes(algorithm, group, random, signatures, work),
            FamilyAlgorithm::MlDsa(set) => set,
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => {
                let mut pairs = group.iter().zip(signatures.chunks_exact_mut(len));
                return pairs.try_for_each(|(message, signature)| self.sign_ed25519(message, signature));
            }
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => {
                let pairs = group.iter().zip(random.as_chunks().0);
                for ((message, rnd), signature) in pairs.zip(signatures.chunks_exact_mut(len)) {
                    self.kept_composite(set)?.sign(message.composite()?, rnd, signature, work)?;
                }
                return Ok(());
            }
        };
        let mut items = [MuItem { mu: &[0; MU_LEN], rnd: &[0; RND_LEN] }; BATCH_LEN];
        let key_hash = self.key_hash();
        for ((item, message), rnd) in items.iter_mut().zip(group).zip(random.as_chunks().0) {
            *item = MuItem { mu: message.mu_for(&key_hash)?, rnd };
        }
        let key = KeptKey { level: self.level(), set, memory: self.key_memory() };
        Ok(key.sign_batch(&items[..group.len()], signatures, work)?)
    }

    /// Signs a group in the Falcon family, as [`Self::sign_group`] does.
    fn sign_lanes<E>(
        &self,
        algorithm: FalconAlgorithm,
        group: &[MessageToSign<'_>],
        random: &[u8],
        signatures: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<E>> {
        let mut items =
            [SigningItem { message: AttemptSource::Attempts(&[]), random: &[0; SIGN_SEED_LEN] }; KECCAK_STATES];
        for ((item, message), random) in items.iter_mut().zip(group).zip(random.as_chunks().0) {
            *item = SigningItem { message: message.source(self.scheme(), &self.key_hash())?, random };
        }
        let key = &self.lattice(algorithm);
        for _ in group {
            self.check_interval.check(|| key.is_intact()).map_err(|MemoryFault| SignError::ExpandedKey)?;
        }
        let task = BatchTask { algorithm, key, items: &items[..group.len()] };
        Ok(sign_batch_at_level(self.level(), &task, signatures, work)?)
    }
}
