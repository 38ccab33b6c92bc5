//! Hashing that every family of schemes uses: SHAKE256 on every level, and the pre-hashes.

pub mod prehash;
pub mod shake;
