//! Manifests: one list of checksums and one signature over it, for many files.

mod checksum;
pub mod list;
mod sign;
mod verify;

pub use sign::Plan;
pub use verify::Check;
