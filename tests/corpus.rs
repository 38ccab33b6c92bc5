//! The bodies of the fuzz targets on their corpus, and on changes of it: see `fuzz/README.md`.

// The target that reads arguments needs the program's parser, which is no part of the library.
#[allow(dead_code)]
#[path = "../src/cmd/mod.rs"]
mod cmd;
#[path = "../fuzz/src/targets/mod.rs"]
mod targets;
#[allow(dead_code)]
#[path = "../src/tool/mod.rs"]
mod tool;
