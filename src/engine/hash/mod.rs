//! Hash functions for all scheme families, on every level (instruction set). A sponge is the
//! state of a hash function.
//!
//! A file uses only files that are earlier in this list.
//!
//! - `prehash`: names and object identifiers of pre-hashes
//! - `keccak`: the constants of Keccak, and a permutation that needs no second state
//! - `vector_round`: a round of Keccak for states in vectors
//! - `shake`: SHAKE256 and SHAKE128 on every level
//! - `sponges`: permutes up to eight sponges together
//! - `together`: absorbs several messages with different lengths together
//! - `message`: computes mu, or the sponge that hashes a message

pub mod keccak;
pub mod message;
pub mod prehash;
pub mod shake;
pub mod sponges;
#[cfg(feature = "alloc")]
pub mod together;
mod vector_round;
