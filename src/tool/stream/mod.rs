//! Answers the requests of other programs for `--stream`. A line contains one request.
//!
//! - `request`: parses a request
//! - `answers`: answers requests in order

pub mod answers;
pub mod request;
