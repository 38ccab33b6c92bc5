//! Compresses the manual pages and completions that the program's modules include, with the
//! package's build script.

#[allow(dead_code)] // this script does not call the package's `main`
#[path = "../build.rs"]
mod package;

fn main() {
    package::compress(std::path::Path::new(".."));
}
