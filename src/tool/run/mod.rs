//! Distributes the work on files to threads.
//!
//! - `ordered`: runs jobs on several threads, and returns the results in order
//! - `parallel`: processes items with a progress bar
//! - `file_batches`: splits the list of files into batches for threads
//! - `checksum`: SHA-256 checksums for files

pub mod checksum;
pub mod file_batches;
pub mod ordered;
pub mod parallel;
