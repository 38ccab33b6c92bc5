//! Splits many files into batches for threads. The library processes the files in a batch together.

use crate::tool::io::requests::{TOGETHER, TOGETHER_BYTES};
use std::num::NonZeroUsize;
use std::ops::Range;

/// Whether a thread processes several small files together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchMode {
    /// Small files are always processed together, because this is faster.
    Always,
    /// Small files are processed together if there are several threads, because the threads then
    /// wait for each other less often. This mode is for work that batches do not make faster on a
    /// single thread. Therefore, a single thread processes each file alone, and does not query the
    /// file lengths.
    OfThreads,
    /// Each file is processed alone.
    Never,
}

/// An iterator over batches of files that a thread processes together.
pub struct FileBatches<F> {
    remaining: Range<usize>,
    most: usize,
    len: F,
}

impl<F: Fn(usize) -> Option<u64>> FileBatches<F> {
    /// Splits `count` files into batches. A batch has at most [`TOGETHER`] files, at most `count /
    /// threads` files (rounded up) and, if it has several files, at most [`TOGETHER_BYTES`] bytes.
    /// `len` returns the length of a file in bytes, or `None` for a file that must be alone in its
    /// batch. For example, a pipe is alone, so that the files after it do not wait for it.
    pub fn new(count: usize, threads: NonZeroUsize, batches: BatchMode, len: F) -> Self {
        let together = match batches {
            BatchMode::Always => true,
            BatchMode::OfThreads => threads > NonZeroUsize::MIN,
            BatchMode::Never => false,
        };
        let most = if together { count.div_ceil(threads.get()).min(TOGETHER) } else { 1 };
        Self { remaining: 0..count, most, len }
    }

    /// Returns the number of bytes that remain in a batch after adding this file. Returns `None` if
    /// the file does not fit or must be alone.
    fn remaining_len(&self, remaining_len: u64, file: usize) -> Option<u64> {
        remaining_len.checked_sub((self.len)(file)?)
    }
}

impl<F: Fn(usize) -> Option<u64>> Iterator for FileBatches<F> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let first = self.remaining.next()?;
        // If a file is alone in any case, its length is not queried.
        let is_alone = self.most == 1 || self.remaining.is_empty();
        let mut remaining_len = if is_alone { None } else { self.remaining_len(TOGETHER_BYTES as u64, first) };
        while !self.remaining.is_empty() && self.remaining.start - first < self.most {
            remaining_len = match remaining_len {
                Some(remaining_len) => self.remaining_len(remaining_len, self.remaining.start),
                None => None,
            };
            if remaining_len.is_none() {
                break;
            }
            self.remaining.start += 1;
        }
        Some(first..self.remaining.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of files in each batch, for files with these lengths.
    fn groups(threads: usize, lens: &[Option<u64>]) -> Vec<usize> {
        let threads = NonZeroUsize::new(threads).unwrap();
        let groups: Vec<_> = FileBatches::new(lens.len(), threads, BatchMode::Always, |file| lens[file]).collect();
        assert!(groups.iter().cloned().flatten().eq(0..lens.len()), "{groups:?}");
        groups.into_iter().map(|group| group.len()).collect()
    }

    #[test]
    fn small_files_are_grouped_and_large_files_are_single() {
        let small = Some(100);
        assert!(groups(1, &[]).is_empty());
        assert_eq!(groups(1, &[small]), [1]);
        assert_eq!(groups(1, &[small; 20]), [8, 8, 4]);
        assert_eq!(groups(2, &[small; 20]), [8, 8, 4]);
        // A batch is at most as large as the share of a thread, rounded up.
        assert_eq!(groups(4, &[small; 4]), [1; 4]);
        assert_eq!(groups(4, &[small; 9]), [3; 3]);
        let long = Some(TOGETHER_BYTES as u64 + 1);
        assert_eq!(groups(1, &[small, long, small, small, None, small, small]), [1, 1, 2, 1, 2]);
        let third = Some(TOGETHER_BYTES as u64 / 3);
        assert_eq!(groups(1, &[third; 7]), [3, 3, 1]);
    }

    #[test]
    fn the_batch_mode_decides_which_files_are_single() {
        let groups =
            |threads, batches| FileBatches::new(20, NonZeroUsize::new(threads).unwrap(), batches, |_| Some(1)).count();
        assert_eq!([1, 2].map(|threads| groups(threads, BatchMode::Never)), [20, 20]);
        assert_eq!([1, 2].map(|threads| groups(threads, BatchMode::OfThreads)), [20, 3]);
    }
}
