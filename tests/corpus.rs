//! Runs the functions of the fuzz targets with the files of the corpus and with changed copies of
//! these files: see `fuzz/README.md`.

// The targets `arguments` and `dsse` need parsers of the program, which are not a part of the
// library.
#[allow(dead_code)]
#[path = "../src/cmd/mod.rs"]
mod cmd;
#[path = "../fuzz/src/targets/mod.rs"]
mod targets;
#[allow(dead_code)]
#[path = "../src/tool/mod.rs"]
mod tool;
