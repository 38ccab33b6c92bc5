//! Runs the package's build script, which compresses the manual pages and completions. The
//! program's modules include the compressed files.

#[allow(dead_code)] // this script does not call the package's `main`
#[path = "../build.rs"]
mod package;

fn main() {
    package::compress(std::path::Path::new(".."));
}
