//! Trusted keys on the command line.
//!
//! - `clock`: the day that dates are compared with
//! - `describe`: trusted keys and key lines in JSON

pub mod clock;
pub mod describe;
