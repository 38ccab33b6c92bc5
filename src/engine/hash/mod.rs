//! Hashing that every family of schemes uses: SHAKE256 and SHAKE128 on every level, one sponge or eight, the
//! pre-hashes, and how a message becomes mu.
//!
//! A file uses only files that are earlier in this list.
//!
//! - `prehash`: names and object identifiers of pre-hashes
//! - `keccak`: the constants of Keccak, and the permutation in place
//! - `shake`: SHAKE256 and SHAKE128 on every level
//! - `sponges`: up to eight sponges that are computed together
//! - `together`: absorbs several messages with different lengths together
//! - `message`: computes mu, or the sponge that hashes a message

pub mod keccak;
pub mod message;
pub mod prehash;
pub mod shake;
pub mod sponges;
#[cfg(feature = "alloc")]
pub mod together;
