//! Trusted keys on the command line.
//!
//! - `clock`: the current date, which is compared with the dates in key lines
//! - `describe`: trusted keys and key lines in JSON
//! - `key_directory`: the public key files in a directory of trusted keys

pub mod clock;
pub mod describe;
pub mod key_directory;
