//! `--stream`: requests of other programs, one per line, and the answers.
//!
//! - `request`: parses a request
//! - `answers`: answers requests in order

pub mod answers;
pub mod request;
