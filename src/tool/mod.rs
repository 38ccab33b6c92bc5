//! The parts of the commands: people, paths and terminals. The library computes.
//!
//! Each module uses only modules below it in this list.
//!
//! - [`options`]: groups of options and the types of their values
//! - [`context`]: the global options of every command
//! - [`stream`]: requests of other programs, and answers
//! - [`verify`]: verification, file by file
//! - [`sign`]: signatures, file by file
//! - [`trust`]: trusted keys
//! - [`message`]: from the input to the bytes that are signed
//! - [`keys`]: key files and signature files
//! - [`run`]: work on many files
//! - [`io`]: files, terminals, signals, the system's randomness
//! - [`report`]: errors, results, progress and exit codes
//! - [`system`]: the interface to the operating system

pub mod context;
pub mod io;
pub mod keys;
pub mod message;
pub mod options;
pub mod report;
pub mod run;
pub mod sign;
pub mod stream;
pub mod system;
pub mod trust;
pub mod verify;
