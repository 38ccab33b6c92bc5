//! Hashing that every family of schemes uses: SHAKE256 and SHAKE128 on every level, one sponge or eight, the
//! pre-hashes, and how a message becomes mu.

pub mod keccak;
pub mod message;
pub mod prehash;
pub mod shake;
pub mod sponges;
#[cfg(feature = "alloc")]
pub mod together;
