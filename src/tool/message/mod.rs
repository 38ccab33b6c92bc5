//! Messages: from the input and its options to the bytes that are signed.
//!
//! - `form`: context, pre-hash and kind of the input
//! - `envelope`: opens envelopes of all formats
//! - `dsse`: DSSE envelopes

pub mod dsse;
pub mod envelope;
pub mod form;
