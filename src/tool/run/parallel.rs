//! Processes files or keys on several threads with a progress bar, and returns the results in the
//! order of the items, for `sign`, `verify` and `keygen`.

use super::file_batches::{BatchMode, FileBatches};
use super::ordered::for_each_group;
use crate::tool::report::progress::ProgressDisplay;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

/// Work on items that are numbered from 0. Several threads call these functions at the same time.
pub trait ParallelWork: Sync {
    /// The result for an item.
    type Output: Send;

    /// Returns the length of item `i` in bytes, or `None` if the item must be processed alone, for
    /// example a pipe, so that no other item has to wait for it.
    fn file_len(&self, i: usize) -> Option<u64>;

    /// Processes consecutive items, and returns the results in the order of the items. A thread
    /// passes the same `buffer` to successive calls, so that they can reuse the memory.
    fn run(&self, items: Range<usize>, buffer: &mut Vec<u8>, progress: &ProgressDisplay) -> Vec<Self::Output>;
}

/// A receiver for the results, which arrive in the order of the items.
pub trait OrderedResults<R>: Send {
    /// Whether `take` prints text. If so, the progress bar is hidden during the call.
    const PRINTS: bool = true;

    /// Receives the result for item `i`. Returns `Break` to end the work.
    fn take(&mut self, i: usize, result: R) -> ControlFlow<()>;
}

/// The parameters for processing many items.
pub struct ParallelRun<'a> {
    /// The title of the progress bar.
    pub title: &'static str,
    /// The number of items.
    pub count: usize,
    /// The number of threads.
    pub threads: NonZeroUsize,
    /// The condition for processing several items together.
    pub batches: BatchMode,
    /// The progress display.
    pub progress: &'a ProgressDisplay,
}

impl ParallelRun<'_> {
    /// Processes all items, or stops early if `results` returns `Break`.
    pub fn each<W: ParallelWork, R: OrderedResults<W::Output>>(&self, work: &W, results: &mut R) {
        let threads = self.threads;
        // With several threads, only the total has a progress bar.
        let of_item = if threads.get() > 1 { self.progress.without_bars() } else { self.progress.clone() };
        let groups = FileBatches::new(self.count, threads, self.batches, |i| work.file_len(i));
        let mut bar = self.progress.steps(self.title, self.count as u64);
        for_each_group(
            threads,
            groups,
            Vec::new,
            |buffer, items| work.run(items, buffer, &of_item),
            |i, result| {
                let mut result = Some(result);
                let mut flow = ControlFlow::Continue(());
                bar.take_result(i as u64 + 1, R::PRINTS, &mut || {
                    if let Some(result) = result.take() {
                        flow = results.take(i, result);
                    }
                });
                flow
            },
        );
    }
}
