//! Tests the schemes in the Falcon family with the library's API: published test vectors,
//! conversions, signing, and signatures with changed bytes.

#[path = "../common/mod.rs"]
mod common;
#[path = "../reference/mod.rs"]
mod reference;

mod bits;
mod conversion;
mod forgery;
mod known;
mod published;
mod signing;

use fndsa::algorithm::Scheme;

/// The schemes that support key generation and signing.
const SIGNING: [Scheme; 3] = [Scheme::FnDsa, Scheme::FnDsa2024, Scheme::Falcon];
