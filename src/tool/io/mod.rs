//! The way in and out: what is read, the one way in which anything is written, and what the system is asked for.

mod beneath;
mod destination;
mod guard;
mod input;
mod pieces;
pub mod random;
mod read;
pub mod requests;
pub mod secrecy;
mod staged;

pub use crate::tool::system::{Access, Identity, TERMINAL, ask, obey, prepare_signals};
pub use beneath::{Standing, Tree};
pub use destination::{Destination, Force, create_directory};
pub use guard::is_private_key;
pub use input::{FileInput, Input, MemoryInput, drain, read_whole};
pub use read::{InputSource, Reading, file_variable, secret_variable, stdin_once};
pub use staged::Staged;
