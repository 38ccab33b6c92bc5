//! Work on many files.
//!
//! - `ordered`: works on several cores, and returns results in order
//! - `parallel`: works on many items with a progress bar
//! - `file_batches`: how many files a thread takes at a time
//! - `checksum`: the SHA-256 of files, on several cores

pub mod checksum;
pub mod file_batches;
pub mod ordered;
pub mod parallel;
