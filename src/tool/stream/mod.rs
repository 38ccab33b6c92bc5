//! Answers requests from other programs for `--stream`: one request per line.
//!
//! - `request`: parses a request
//! - `answers`: answers requests in order

pub mod answers;
pub mod request;
