//! Files: what is read, and the one way in which anything is written.

mod read;
mod signals;
mod write;

pub use read::{Source, stdin_once};
pub use signals::{interruptible, survive_size_limit};
pub use write::{Access, Destination, Force, create_directory};
