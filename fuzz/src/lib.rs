//! The functions for the fuzz targets ([`targets`]) and their start inputs ([`seeds`]). The modules
//! of the program are compiled into this crate, because the targets `arguments` and `dsse` use
//! them.

#[allow(dead_code)] // only the parser is used
#[path = "../../src/cmd/mod.rs"]
mod cmd;
pub mod seeds;
pub mod targets;
#[allow(dead_code)] // only the parsers are used
#[path = "../../src/tool/mod.rs"]
mod tool;
