//! The work that commands have in common: keys are loaded and checked, files signed and verified, results put in order.

pub mod checksum;
pub mod claims;
pub mod clock;
pub mod contents;
pub mod deterministic;
pub mod explain;
pub mod groups;
pub mod key_signer;
pub mod lines;
pub mod loader;
pub mod message;
pub mod mixups;
pub mod no;
pub mod ordered;
pub mod pair;
pub mod pending;
pub mod prehash;
pub mod public;
pub mod recode;
pub mod request;
pub mod signatures;
pub mod signer;
pub mod stream;
mod term;
pub mod terms;
pub mod unlock;
pub mod verifier;
