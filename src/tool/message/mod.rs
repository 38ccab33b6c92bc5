//! Messages: from the input and its options to the bytes that are signed.
//!
//! - `form`: context, pre-hash and kind of the input
//! - `envelope`: DSSE envelopes

pub mod envelope;
pub mod form;
