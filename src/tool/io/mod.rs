//! Input and output: reads files and streams, writes every file and stream, and requests randomness
//! and memory protection from the system.
//!
//! - `read`: opens an argument, and reads keys and signatures completely
//! - `missing_file`: hints for an input that does not exist
//! - `input`: reads messages and lists in pieces, and detects changes of the file
//! - `pieces`: reads a long message in advance, on a second thread
//! - `requests`: reads the lines that are available, and does not wait for more
//! - `destination`: the output that an argument names, and the rule for replacing files
//! - `staged`: writes files that are complete before they get their names
//! - `guard`: detects keys, signatures and lists, so that a file is not replaced by accident
//! - `beneath`: opens files that must stay in a directory, and lists a directory
//! - `secrecy`: protects a process that uses a private key
//! - `random`: the system's random generator

mod beneath;
mod destination;
mod guard;
mod input;
mod missing_file;
mod pieces;
pub mod random;
mod read;
pub mod requests;
pub mod secrecy;
mod staged;

pub use crate::tool::system::{FileIdentity, NewFileAccess, TERMINAL, ask, end_if_signaled, prepare_signals};
pub use beneath::{DirectoryTree, TreeEntry};
pub use destination::{Destination, OutputPath, OverwriteRule, create_directory};
pub use guard::{contains_private_key, has_content, is_encrypted_key, is_private_key, is_public_key, restored_key};
pub use input::{FileInput, Input, MAX_LIST_MEBIBYTES, MemoryInput, drain, read_whole};
pub use missing_file::ANY_KIND;
pub use read::{InputFiles, InputReuse, InputSource, file_variable, secret_variable, stdin_once};
pub use staged::StagedOutput;
