//! Processes many files or keys on several cores, with a progress bar and with the results in
//! order.

use super::file_batches::{BatchMode, FileBatches};
use super::ordered::for_each_group;
use crate::tool::report::progress::ProgressDisplay;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

/// Work on items that are numbered from 0. Several threads call it at the same time.
pub trait ParallelWork: Sync {
    /// The result for an item.
    type Output: Send;

    /// Returns the length of item `i` in bytes. `None` if other items must not wait for it, as for
    /// a pipe.
    fn file_len(&self, i: usize) -> Option<u64>;

    /// Processes consecutive items, and returns a result for each item. Each thread reuses its
    /// `buffer`.
    fn run(&self, items: Range<usize>, buffer: &mut Vec<u8>, progress: &ProgressDisplay) -> Vec<Self::Output>;
}

/// A receiver for the results, in order.
pub trait OrderedResults<R>: Send {
    /// Whether `take` prints. If so, the progress bar is hidden in the meantime.
    const PRINTS: bool = true;

    /// Receives the result for item `i`. `Break` ends the work.
    fn take(&mut self, i: usize, result: R) -> ControlFlow<()>;
}

/// The parameters for the work on many items.
pub struct ParallelRun<'a> {
    /// The progress bar's title.
    pub title: &'static str,
    /// The number of items.
    pub count: usize,
    /// The number of threads.
    pub threads: NonZeroUsize,
    /// When to process several items together.
    pub batches: BatchMode,
    /// The progress display.
    pub progress: &'a ProgressDisplay,
}

impl ParallelRun<'_> {
    /// Processes all items, until `results` ends the work.
    pub fn each<W: ParallelWork, R: OrderedResults<W::Output>>(&self, work: &W, results: &mut R) {
        let threads = self.threads;
        // With several threads, there is only a progress bar for the total.
        let of_item = if threads.get() > 1 { self.progress.without_bars() } else { self.progress.clone() };
        let groups = FileBatches::new(self.count, threads, self.batches, |i| work.file_len(i));
        let mut bar = self.progress.steps(self.title, self.count as u64);
        for_each_group(
            threads,
            groups,
            Vec::new,
            |buffer, items| work.run(items, buffer, &of_item),
            |i, result| {
                bar.at(i as u64 + 1);
                if R::PRINTS { bar.pause(|| results.take(i, result)) } else { results.take(i, result) }
            },
        );
    }
}
