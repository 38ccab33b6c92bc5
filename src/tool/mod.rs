//! What commands stand on: people, paths and terminals. Nothing here computes; that is for the library.
//!
//! | room | what |
//! |---|---|
//! | [`options`] | groups of options, and what their values are |
//! | [`context`] | what the global options ask of every command |
//! | [`work`] | loading, signing and verifying, file by file |
//! | [`io`] | the way in and out: files, terminals, signals, the system's randomness |
//! | [`report`] | what is said: errors, results, progress, exit codes |
//! | [`system`] | what the operating system is asked for |
//!
//! Each uses only those below it in this table.

pub mod context;
pub mod io;
pub mod options;
pub mod report;
pub mod system;
pub mod work;
