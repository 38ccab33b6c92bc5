//! What commands stand on: people, paths and terminals. Nothing here computes; that is for the library.
//!
//! - `options`: groups of options, and the types of their values
//! - `context`: the global options
//! - `work`: loads keys, and signs and verifies files
//! - `io`: reads and writes files, and protects the process
//! - `report`: prints results, errors, hints and progress
//! - `system`: calls the operating system
//!
//! A folder uses only folders that are later in this list.

pub mod context;
pub mod io;
pub mod options;
pub mod report;
pub mod system;
pub mod work;
