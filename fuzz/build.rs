//! Compresses the texts in the program's modules, like the package's build.

#[allow(dead_code)] // this script does not call the package's `main`
#[path = "../build.rs"]
mod package;

fn main() {
    package::compress(std::path::Path::new(".."));
}
