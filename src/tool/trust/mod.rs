//! Trusted keys on the command line.
//!
//! - `clock`: the day that dates are compared with
//! - `describe`: trusted keys and key lines in JSON
//! - `key_directory`: the public key files in a directory of trusted keys

pub mod clock;
pub mod describe;
pub mod key_directory;
