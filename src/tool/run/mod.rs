//! Distributes the work on many files to threads.
//!
//! - `ordered`: runs jobs on several threads, and returns the results in order
//! - `parallel`: works on many items with a progress bar
//! - `file_batches`: splits many files into batches for threads
//! - `checksum`: SHA-256 checksums for files

pub mod checksum;
pub mod file_batches;
pub mod ordered;
pub mod parallel;
