//! The functions of the fuzz targets: [`targets`]. The target `arguments` needs the program's
//! modules.

#[allow(dead_code)] // the parser alone is used
#[path = "../../src/cmd/mod.rs"]
mod cmd;
pub mod seeds;
pub mod targets;
#[allow(dead_code)] // the parser alone is used
#[path = "../../src/tool/mod.rs"]
mod tool;
