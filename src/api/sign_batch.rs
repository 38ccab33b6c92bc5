//! Signatures of many messages with one expanded key.

use super::algorithm::Family;
use super::falcon::level_sign_batch;
use super::mldsa::{KeptKey, Task};
use super::signing::Needed;
use super::{ExpandedSigningKey, Mu, SignError, enough_work};
use crate::engine::falcon::integrity::Damaged;
use crate::engine::falcon::params::SIGN_SEED_LEN;
use crate::engine::falcon::scheme::FalconAlgorithm;
use crate::engine::falcon::sign_batch::{BatchTask, SigningItem};
use crate::engine::hash::shake::MANY;
use crate::engine::mldsa::params::RND_LEN;
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

impl ExpandedSigningKey {
    /// Signs many messages, in any number. The signatures, one after the other in `signatures`, have the bytes that
    /// [`Self::sign`] makes of one message after the other with the same generator; in FN-DSA eight at a time are made at once,
    /// on levels with vectors in their lanes, which takes less time the longer they are. `work` has at least
    /// [`Algorithm::sign_batch_work_len`](crate::Algorithm::sign_batch_work_len) bytes.
    ///
    /// ```
    /// use fndsa::{Algorithm, Form, Level, MuBuilder, OwnedSigningKey};
    /// use getrandom::SysRng;
    ///
    /// let (level, algorithm) = (Level::detect(), Algorithm::FN_DSA_512);
    /// let key = OwnedSigningKey::generate(algorithm, &mut SysRng)?;
    /// let expanded = key.borrowed().expand(level, &mut vec![0; algorithm.sign_work_len()])?;
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
    ///     key.verifying_key().verify(Form::default(), *file, signature)?;
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Self::sign`], for one of the messages or for all; the scheme has no `mu`. `signatures` is then all zeros.
    pub fn sign_batch<R: TryCryptoRng>(
        &self,
        messages: &[Mu],
        rng: &mut R,
        signatures: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        self.check_batch(messages, signatures)?;
        enough_work(work.len(), self.algorithm().sign_batch_work_len()).map_err(SignError::Buffer)?;
        let made = self.sign_groups(messages, rng, signatures, work);
        if made.is_err() {
            signatures.fill(0);
        }
        made
    }

    /// Checks what concerns all messages but the work memory; the signatures are then all zeros.
    pub(super) fn check_batch<E>(&self, messages: &[Mu], signatures: &mut [u8]) -> Result<(), SignError<E>> {
        let all = self.algorithm().signature_len().saturating_mul(messages.len());
        Needed { signature: all, work: 0 }.check(signatures, &[])?;
        if self.scheme().has_mu() { Ok(()) } else { Err(SignError::OtherScheme) }
    }

    /// Draws the random bytes of signatures, one after the other.
    pub(super) fn draw_batch<R: TryCryptoRng>(
        &self,
        rng: &mut R,
        random: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let mut each = random.chunks_exact_mut(self.random_len());
        each.try_for_each(|random| rng.try_fill_bytes(random)).map_err(SignError::Rng)
    }

    /// Random bytes that a signature takes.
    pub(super) const fn random_len(&self) -> usize {
        match self.algorithm().family() {
            Family::Falcon(_) => SIGN_SEED_LEN,
            Family::MlDsa(_) => RND_LEN,
        }
    }

    /// Signs [`MANY`] messages at a time.
    fn sign_groups<R: TryCryptoRng>(
        &self,
        messages: &[Mu],
        rng: &mut R,
        signatures: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let len = self.algorithm().signature_len();
        let mut random = Zeroizing::new([0; MANY * SIGN_SEED_LEN]);
        messages.chunks(MANY).zip(signatures.chunks_mut(MANY * len)).try_for_each(|(messages, signatures)| {
            let random = &mut random[..messages.len() * self.random_len()];
            self.draw_batch(rng, random)?;
            self.sign_group(messages, random, signatures, work)
        })
    }

    /// Signs up to [`MANY`] messages at once with their random bytes. Range: lengths and the scheme were checked.
    pub(super) fn sign_group<E>(
        &self,
        messages: &[Mu],
        random: &[u8],
        signatures: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<E>> {
        let set = match self.algorithm().family() {
            Family::Falcon(algorithm) => return self.sign_lanes(algorithm, messages, random, signatures, work),
            Family::MlDsa(set) => set,
        };
        let each = messages.iter().zip(random.as_chunks().0);
        for ((Mu(mu), rnd), signature) in each.zip(signatures.chunks_exact_mut(self.algorithm().signature_len())) {
            KeptKey::sign(self.level(), &Task { set, key: self.kept(), mu, rnd }, signature, work)?;
        }
        Ok(())
    }

    /// Signs as [`Self::sign_group`] does, in the family of FN-DSA.
    fn sign_lanes<E>(
        &self,
        algorithm: FalconAlgorithm,
        messages: &[Mu],
        random: &[u8],
        signatures: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<E>> {
        let mut items = [SigningItem { mu: &[0; 64], random: &[0; SIGN_SEED_LEN] }; MANY];
        for ((item, Mu(mu)), random) in items.iter_mut().zip(messages).zip(random.as_chunks().0) {
            *item = SigningItem { mu, random };
        }
        let key = &self.lattice(algorithm);
        for _ in messages {
            self.due.check(|| key.is_intact()).map_err(|Damaged| SignError::ExpandedKey)?;
        }
        let task = BatchTask { algorithm, key, items: &items[..messages.len()] };
        Ok(level_sign_batch(self.level(), &task, signatures, work)?)
    }
}
