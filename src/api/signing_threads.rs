//! Signs batches on several threads, as `threads` describes.

use super::expanded::WipedLines;
use super::sign_batch::groups;
use super::threads::on_threads;
use super::{ExpandedSigningKey, MessageToSign, SignError};
use crate::engine::hash::shake::KECCAK_STATES;
use crate::simd::MemoryLine;
use core::num::NonZeroUsize;
use rand_core::TryCryptoRng;

impl ExpandedSigningKey {
    /// Signs many messages on up to `threads` threads, as [`Self::sign_batch`] does.
    ///
    /// This function first draws the random bytes for all signatures, in order. Therefore, if `rng`
    /// returns the same bytes, the signatures are the same for any number of threads. If the system
    /// cannot start all threads, the running threads do all the work. This function allocates
    /// [`Algorithm::sign_batch_work_len`](crate::api::Algorithm::sign_batch_work_len) bytes of work
    /// memory for each thread, and wipes it.
    ///
    /// ```
    /// use fndsa::message::MuBuilder;
    /// use fndsa::no_alloc::Level;
    /// use fndsa::{Algorithm, SigningKey};
    /// use getrandom::SysRng;
    ///
    /// let (level, algorithm) = (Level::detect(), Algorithm::FN_DSA_512);
    /// let key = SigningKey::generate(algorithm, &mut SysRng)?;
    /// let expanded = key.to_ref().expand(level, &mut vec![0; algorithm.sign_work_len()])?;
    /// let mut messages = vec![];
    /// for number in 0..100u8 {
    ///     let mut mu = MuBuilder::pure(level, &expanded.key_hash(), b"")?;
    ///     mu.update(&[number]);
    ///     messages.push(mu.finish());
    /// }
    /// let threads = std::thread::available_parallelism()?;
    /// let mut signatures = vec![0; messages.len() * algorithm.signature_len()];
    /// expanded.sign_batch_parallel(&messages, &mut SysRng, threads, &mut signatures)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`Self::sign_batch`], except the error for short work memory. After an
    /// error, `signatures` will be all zeros.
    pub fn sign_batch_parallel<'m, M: Into<MessageToSign<'m>>, R: TryCryptoRng + ?Sized>(
        &self,
        messages: impl IntoIterator<Item = M, IntoIter: ExactSizeIterator + Send>,
        rng: &mut R,
        threads: NonZeroUsize,
        signatures: &mut [u8],
    ) -> Result<(), SignError<R::Error>>
    where
        R::Error: Send,
    {
        let messages = messages.into_iter();
        self.check_batch(messages.len(), signatures)?;
        let random_len = messages.len() * self.random_len();
        let mut random = WipedLines(MemoryLine::boxed(random_len));
        let random = &mut MemoryLine::bytes_mut(&mut random.0)[..random_len];
        self.draw_batch(rng, random)?;
        // If there are few messages, the groups are shorter, so that each thread has a group.
        let thread_len = messages.len().div_ceil(threads.get()).max(KECCAK_STATES);
        let group_len = self.group_len().min(thread_len);
        let random_groups = random.chunks(self.random_len() * group_len);
        let signature_groups = signatures.chunks_mut(self.algorithm().signature_len() * group_len);
        let groups = groups(messages, group_len).zip(random_groups).zip(signature_groups);
        let result = on_threads(threads, self.algorithm().sign_batch_work_len(), groups, |group, work| {
            let ((messages, random), signatures) = group;
            self.sign_group(&messages, random, signatures, work)
        });
        if result.is_err() {
            signatures.fill(0);
        }
        result
    }
}
