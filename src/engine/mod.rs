//! The schemes, as pure functions over slices. No file, no clock, no environment: randomness is an
//! argument, and so is work memory.
//!
//! | module | what |
//! |---|---|
//! | `hash` | SHAKE256 and the names of pre-hashes, for every family of schemes |
//! | `falcon` | FN-DSA, Falcon and what is like them |

pub mod falcon;
pub mod hash;
