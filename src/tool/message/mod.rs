//! Messages: from the input and its options to the bytes that are signed.
//!
//! - `form`: context, pre-hash and kind of the input
//! - `envelope`: opens envelopes of all formats
//! - `dsse`: DSSE envelopes
//! - `dsse_file`: describes the signatures in DSSE envelopes
//! - `separate`: the bytes that signatures cover if the message is in a separate file

pub mod dsse;
pub mod dsse_file;
pub mod envelope;
pub mod form;
pub mod separate;
