//! What the fuzz targets run: [`targets`], with the command line's own modules.
#![allow(dead_code)] // of the command line, the targets use what reads

#[path = "../../src/cmd/mod.rs"]
mod cmd;
pub mod seeds;
pub mod targets;
