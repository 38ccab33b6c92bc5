//! The way in and out: what is read, the one way in which anything is written, and what the system is asked for.

pub mod beneath;
mod destination;
mod guard;
mod input;
mod pieces;
pub mod random;
mod read;
pub mod secrecy;
mod signals;
mod staged;
mod terminal;

pub use destination::{Access, Destination, Force, create_directory};
pub use input::{FileInput, Input, MemoryInput, drain};
pub use read::{Identity, InputSource, Reading, SMALL, file_variable, secret_variable, stdin_once};
pub use signals::{obey, survive_size_limit};
pub use staged::Staged;
pub use terminal::{TERMINAL, ask};
