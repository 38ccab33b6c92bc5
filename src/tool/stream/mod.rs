//! Answers the requests of other programs for `--stream`. Each line contains a request.
//!
//! - `request`: parses a request
//! - `answers`: answers requests in order

pub mod answers;
pub mod request;
