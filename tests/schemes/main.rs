//! The schemes beside FN-DSA, through the library's API: vectors that others published, conversions, signing,
//! and what becomes of a signature when its bytes change.

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

/// The schemes in which keys and signatures are made.
const SIGNING: [Scheme; 3] = [Scheme::FnDsa, Scheme::FnDsa2024, Scheme::Falcon];
