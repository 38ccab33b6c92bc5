//! Building blocks for the commands: options, paths and terminals. The computations are in the
//! library.
//!
//! - `options`: option groups, and types for their values
//! - `context`: the global options
//! - `packed`: compressed texts
//! - `stream`: requests from other programs, and the answers
//! - `verify`: verifies files
//! - `sign`: signs files
//! - `trust`: trusted keys
//! - `message`: from the input to the bytes that are signed
//! - `keys`: key files and signature files
//! - `run`: distributes work on many files to threads
//! - `io`: reads and writes files, and protects the process
//! - `report`: prints results, errors, hints and progress
//! - `system`: calls the operating system
//!
//! Each folder uses only folders that are later in this list.

pub mod context;
pub mod io;
pub mod keys;
pub mod message;
pub mod options;
pub mod packed;
pub mod report;
pub mod run;
pub mod sign;
pub mod stream;
pub mod system;
pub mod trust;
pub mod verify;
