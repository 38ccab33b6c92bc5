//! Verifies batches on several threads, with the standard library.
//!
//! A batch is split into groups that do not depend on each other. When a thread has finished a
//! group, it takes the next group. So if the system delays a thread, only one group is delayed.

use super::verify_batch::{ItemWindow, check_verdicts};
use super::{BatchError, BatchItem, VerifyError, verify_batch};
use crate::engine::hash::shake::KECCAK_STATES;
use crate::simd::{MemoryLine, SCRATCH_ALIGN};
use core::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// Verifies many signatures on up to `threads` threads, as [`verify_batch`] does.
///
/// Each thread verifies a group of consecutive items, and then takes the next group that no thread
/// has started. If the system cannot start all threads, the running threads do all the work. For
/// each thread, this function allocates the work memory that [`verify_batch`] needs.
///
/// ```
/// use fndsa::batch::{BatchItem, verify_batch_parallel};
/// use fndsa::error::VerifyError;
/// use fndsa::no_alloc::{Level, MessageToVerify};
/// use fndsa::{Algorithm, Options, SigningKey};
/// use getrandom::SysRng;
///
/// let key = SigningKey::generate(Algorithm::FN_DSA_512, &mut SysRng)?;
/// let signature = key.sign(Options::default(), b"a message", &mut SysRng)?;
/// let public = key.verifying_key().to_ref().expand(Level::detect());
/// let message = MessageToVerify::message(Options::default(), b"a message");
/// let items = [BatchItem { key: &public, message, signature: signature.as_bytes() }; 100];
/// let mut verdicts = [Err(VerifyError::Mismatch); 100];
/// verify_batch_parallel(&items, &mut verdicts, std::thread::available_parallelism()?)?;
/// assert_eq!(verdicts, [Ok(()); 100]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns the errors of [`verify_batch`], except the error for short work memory.
pub fn verify_batch_parallel(
    items: &[BatchItem<'_>],
    verdicts: &mut [Result<(), VerifyError>],
    threads: NonZeroUsize,
) -> Result<(), BatchError> {
    verdicts.fill(Err(VerifyError::Mismatch));
    if verdicts.len() != items.len() {
        return Err(BatchError::Verdicts { needed: items.len(), given: verdicts.len() });
    }
    let work_len = items.iter().map(|item| item.key.algorithm().verify_batch_work_len()).max().unwrap_or(0);
    // `verify_batch` verifies up to KECCAK_STATES items together, so `group_len` is a multiple of
    // this number. `verify_batch` searches for such items in only ItemWindow::LEN consecutive
    // items, so a longer group would not save time.
    let group_len =
        items.len().div_ceil(threads.get()).next_multiple_of(KECCAK_STATES).clamp(KECCAK_STATES, ItemWindow::LEN);
    let groups = items.chunks(group_len).zip(verdicts.chunks_mut(group_len));
    on_threads(threads, work_len, groups, |(items, verdicts), work| match verify_batch(items, verdicts, work) {
        // A rejected signature does not end the work. `verdicts` contains the reason.
        Err(BatchError::Refused { .. }) => Ok(()),
        other => other,
    })?;
    check_verdicts(verdicts)
}

/// Calls `work(group, memory)` for each group in `groups`, on up to `threads` threads. `memory` is
/// the thread's work memory, which has at least `len` bytes.
///
/// After an error, each of the other threads starts at most one more group. The threads take the
/// groups in order. So if a group has an error, all earlier groups have been started, and will
/// finish. If several groups have an error, returns the error from the first of these groups. So
/// the returned error does not depend on the order in which the threads run.
pub(super) fn on_threads<G: Send, E: Send>(
    threads: NonZeroUsize,
    len: usize,
    groups: impl ExactSizeIterator<Item = G> + Send,
    work: impl Fn(G, &mut [u8]) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let threads = threads.get().min(groups.len()).max(1);
    let groups = Mutex::new(groups.enumerate());
    let failed = Mutex::new(None);
    let run = |memory: &mut [u8]| {
        while lock(&failed).is_none() {
            let Some((index, group)) = lock(&groups).next() else { return };
            if let Err(e) = work(group, memory) {
                let mut failed = lock(&failed);
                if failed.as_ref().is_none_or(|(failed_index, _)| index < *failed_index) {
                    *failed = Some((index, e));
                }
            }
        }
    };
    // This thread allocates the memory for all threads. If each thread allocated its memory, many
    // allocators would reserve a separate pool for each thread.
    let thread_len = len.next_multiple_of(SCRATCH_ALIGN).max(SCRATCH_ALIGN);
    let mut memory = MemoryLine::boxed(thread_len * threads);
    let (first_memory, other_memory) = MemoryLine::bytes_mut(&mut memory).split_at_mut(thread_len);
    thread::scope(|scope| {
        for memory in other_memory.chunks_exact_mut(thread_len) {
            // If the system cannot start more threads, the running threads do the work.
            if thread::Builder::new().spawn_scoped(scope, || run(memory)).is_err() {
                break;
            }
        }
        run(first_memory);
    });
    let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    failed.map_or(Ok(()), |(_, e)| Err(e))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn the_first_error_in_order_is_returned_and_ends_the_work() {
        for threads in [1, 2, 3, 7] {
            let started_jobs = AtomicUsize::new(0);
            let result = on_threads(NonZeroUsize::new(threads).unwrap(), 1, 0..1000, |number, memory| {
                assert!(!memory.is_empty());
                started_jobs.fetch_add(1, Ordering::SeqCst);
                // With this delay, later groups can finish before the first group with an error.
                let slow =
                    (0..if number == 10 { 100_000 } else { 0 }).fold(number, |a, b| core::hint::black_box(a ^ b));
                if number >= 10 { Err((number, slow)) } else { Ok(()) }
            });
            assert_eq!(result.map_err(|(number, _)| number), Err(10), "{threads} threads");
            assert!(started_jobs.into_inner() < 11 + threads);
        }
        assert_eq!(on_threads(NonZeroUsize::MIN, 0, 0..0, |_, _| Err(())), Ok(()));
    }
}
