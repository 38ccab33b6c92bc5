//! The functions for the fuzz targets: [`targets`]. The targets `arguments` and `dsse` need the
//! program's modules.

#[allow(dead_code)] // only the parser is used
#[path = "../../src/cmd/mod.rs"]
mod cmd;
pub mod seeds;
pub mod targets;
#[allow(dead_code)] // only the parsers are used
#[path = "../../src/tool/mod.rs"]
mod tool;
