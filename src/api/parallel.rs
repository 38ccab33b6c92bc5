//! Generates a key on several threads.
//!
//! The threads draw the candidates (f, g) in order, under a lock. Each thread then solves the NTRU
//! equation for its candidate. If several candidates become keys, the result is the key from the
//! candidate that was drawn first, even if a thread with a later candidate finishes earlier.
//! Therefore, the key is the same as from [`SigningKeyRef::generate`].
//!
//! Several threads are only faster than one thread if the solver rejects candidates, because
//! otherwise the first candidate becomes the key. At degree 1024, the solver rejects nearly half of
//! the candidates early. At smaller degrees, it rejects one candidate in five, so this module then
//! uses only one thread. The gain is small, and on some machines several threads are slower than
//! one thread. For example, two threads on two cores took 1.11 times as long as one thread (means
//! of 600 alternating runs, `fndsa keygen -a fn-dsa-1024`).

use super::algorithm::Algorithm;
use super::falcon_signing::{KeygenTask, WipedSearch, generate_at_level};
use super::{KeygenError, SigningKeyRef, wiping_falcon_keygen, wiping_falcon_threads};
use crate::engine::falcon::import::KeyPairOutput;
use crate::engine::falcon::keygen::{CandidateStream, KeySearch, NoCandidateError, complete};
use crate::engine::falcon::ntru::Trapdoor;
use crate::engine::falcon::params::KEYGEN_SEED_LEN;
use crate::simd::{Level, MemoryLine, SCRATCH_ALIGN, Scratch, Simd, frame};
use core::num::NonZeroUsize;
use core::slice::ChunksExactMut;
use core::sync::atomic::{AtomicU32, Ordering};
use rand_core::TryCryptoRng;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// The smallest degree for which this module starts threads. ML-DSA never uses threads, because it
/// has no candidates and generates a key in a tenth of a millisecond.
const PARALLEL_DEGREE: usize = 1024;

/// The value of [`SharedSearch::first`] if no candidate has become a key. No candidate has this
/// number.
const NONE: u32 = u32::MAX;

impl<'a> SigningKeyRef<'a> {
    /// Generates a key, as [`Self::generate`] does, on up to `threads` threads. The threads try
    /// several candidates at once. The key does not depend on the number of threads.
    ///
    /// This function allocates [`crate::api::Algorithm::keygen_fast_work_len`] bytes of work memory
    /// for each thread, and wipes it. At degrees below 1024, and for all algorithms outside the
    /// Falcon family, it uses only one thread.
    ///
    /// # Errors
    /// Returns the errors of [`Self::generate`], except the error for short work memory.
    pub fn generate_parallel<R: TryCryptoRng + ?Sized>(
        level: Level,
        algorithm: Algorithm,
        rng: &mut R,
        threads: NonZeroUsize,
        signing_key: &'a mut [u8],
        verifying_key: &mut [u8],
    ) -> Result<Self, KeygenError<R::Error>> {
        let len = algorithm.keygen_fast_work_len();
        let degree = algorithm.falcon().map_or(0, |algorithm| algorithm.degree().n());
        if threads == NonZeroUsize::MIN || degree < PARALLEL_DEGREE {
            let mut work = MemoryLine::boxed(len);
            return Self::generate(level, algorithm, rng, signing_key, verifying_key, MemoryLine::bytes_mut(&mut work));
        }
        // The key (f, g and F) is at the start of this thread's memory, before its work memory.
        let key_len = (3 * degree).next_multiple_of(8);
        // All memory is allocated on this thread. If a new thread allocates memory, many allocators
        // reserve a separate pool for the new thread.
        let len_per_thread = len.next_multiple_of(SCRATCH_ALIGN);
        let mut work = MemoryLine::boxed(len + key_len);
        let mut other_memory = MemoryLine::boxed(len_per_thread * (threads.get() - 1));
        let thread_memories = MemoryLine::bytes_mut(&mut other_memory).chunks_exact_mut(len_per_thread);
        let search = ParallelSearch { level, thread_memories };
        let pair = KeyPairOutput { signing_key, verifying_key };
        Self::search(level, algorithm, search, rng, pair, MemoryLine::bytes_mut(&mut work))
    }
}

/// A search on this thread and on other threads.
struct ParallelSearch<'m> {
    level: Level,
    /// The work memory for each of the other threads.
    thread_memories: ChunksExactMut<'m, u8>,
}

impl WipedSearch for ParallelSearch<'_> {
    fn wiping<R>(level: Level, work: &mut [u8], f: impl FnOnce(&mut [u8]) -> R) -> R {
        wiping_falcon_threads(level, work, f)
    }

    fn generate(self, level: Level, task: KeygenTask<'_>, work: &mut [u8]) -> Result<(), NoCandidateError> {
        generate_at_level(level, self, task, work)
    }
}

impl KeySearch for ParallelSearch<'_> {
    #[inline(always)]
    fn key<S: Simd>(
        self,
        isa: S,
        logn: u32,
        seed: &[u8; KEYGEN_SEED_LEN],
        mut work: Scratch<'_>,
    ) -> Result<(), NoCandidateError> {
        let key = Trapdoor::take(&mut work, 1 << logn);
        let shared = LockedSearch { candidates: CandidateStream::new(isa.integers(), logn, seed), key };
        let shared_search = SharedSearch { isa, logn, first: AtomicU32::new(NONE), shared: Mutex::new(shared) };
        thread::scope(|scope| {
            for memory in self.thread_memories {
                let level = self.level;
                let shared_search = &shared_search;
                let thread = thread::Builder::new().spawn_scoped(scope, move || {
                    wiping_falcon_keygen(level, memory, |memory| shared_search.run(Scratch::new(memory)));
                });
                // If the system cannot start more threads, the running threads do the work.
                if thread.is_err() {
                    break;
                }
            }
            shared_search.run(work);
        });
        if shared_search.first.into_inner() == NONE { Err(NoCandidateError) } else { Ok(()) }
    }
}

/// The data that all threads share.
struct SharedSearch<'w, S: Simd> {
    isa: S,
    logn: u32,
    /// The lowest number of a candidate that became a key, or `NONE`. A thread changes this number
    /// only while it holds the lock.
    first: AtomicU32,
    shared: Mutex<LockedSearch<'w, S>>,
}

struct LockedSearch<'w, S: Simd> {
    candidates: CandidateStream<S::Integers>,
    /// The key from the candidate with the number `first`.
    key: Trapdoor<'w>,
}

impl<'w, S: Simd> SharedSearch<'w, S> {
    fn lock(&self) -> MutexGuard<'_, LockedSearch<'w, S>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the key from a candidate, unless a candidate with a lower number has already become a
    /// key.
    fn keep_if_first(&self, number: u32, key: &Trapdoor<'_>) {
        let mut shared = self.lock();
        if number < self.first.load(Ordering::Relaxed) {
            self.first.store(number, Ordering::Relaxed);
            shared.key.f.copy_from_slice(key.f);
            shared.key.g.copy_from_slice(key.g);
            shared.key.big_f.copy_from_slice(key.big_f);
        }
    }

    /// Tries candidates on one thread. After a candidate has become a key on any thread, no thread
    /// draws a new candidate. A thread that is still working on a candidate continues only if its
    /// candidate has a lower number than the key's candidate.
    #[inline(never)]
    fn run(&self, mut work: Scratch<'_>) {
        let isa = self.isa;
        let logn = self.logn;
        frame!(isa, {
            let f = work.take(1 << logn);
            let g = work.take(1 << logn);
            loop {
                let number = {
                    let mut shared = self.lock();
                    // If there is a key, the next candidate has a higher number and cannot replace
                    // this key.
                    if self.first.load(Ordering::Relaxed) != NONE {
                        return;
                    }
                    let Ok(number) = shared.candidates.next_into(f, g, work.fork()) else { return };
                    number
                };
                let is_stopped = || self.first.load(Ordering::Relaxed) < number;
                // If `complete` succeeds, F is at the start of `work`.
                if complete(isa, logn, f, g, work.fork(), &is_stopped).is_ok() {
                    self.keep_if_first(number, &Trapdoor { f, g, big_f: work.take(1 << logn) });
                    return;
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Emulated;

    /// The candidate that was drawn first becomes the key, even if a later candidate is finished
    /// earlier.
    #[test]
    fn the_first_good_candidate_becomes_the_key() {
        let [mut f, mut g, mut big_f] = [[0; 4]; 3];
        let key = Trapdoor { f: &mut f, g: &mut g, big_f: &mut big_f };
        let shared = LockedSearch { candidates: CandidateStream::new(Emulated, 2, &[1; 32]), key };
        let shared_search =
            SharedSearch { isa: Emulated, logn: 2, first: AtomicU32::new(NONE), shared: Mutex::new(shared) };
        for (number, kept) in [(7, 7), (9, 7), (3, 3), (5, 3), (u32::MAX - 1, 3)] {
            let [mut f, mut g, mut big_f] = [[number as i8; 4]; 3];
            shared_search.keep_if_first(number, &Trapdoor { f: &mut f, g: &mut g, big_f: &mut big_f });
            assert_eq!(shared_search.first.load(Ordering::Relaxed), kept);
            let Trapdoor { f, g, big_f } = &shared_search.lock().key;
            assert!([f, g, big_f].into_iter().all(|part| **part == [kept as i8; 4]), "{number}");
        }
    }
}
