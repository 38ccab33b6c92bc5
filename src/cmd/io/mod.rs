//! Files: what is read, and the one way in which anything is written.

pub mod beneath;
mod guard;
mod pieces;
mod read;
mod signals;
mod terminal;
mod write;

pub use read::{Identity, Reading, SMALL, Source, file_variable, secret_variable, stdin_once};
pub use signals::{obey, survive_size_limit};
pub use terminal::{TERMINAL, ask};
pub use write::{Access, Destination, Force, Staged, create_directory};
