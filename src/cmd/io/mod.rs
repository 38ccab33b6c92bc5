//! Files: what is read, and the one way in which anything is written.

mod pieces;
mod read;
mod signals;
mod write;

pub use read::{Identity, Reading, Source, stdin_once, variable};
pub use signals::{interruptible, obey, survive_size_limit};
pub use write::{Access, Destination, Force, Staged, create_directory};
