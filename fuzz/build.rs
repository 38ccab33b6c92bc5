//! Compresses the texts of the program's modules, like the build of the package.

#[allow(dead_code)] // its own `main`
#[path = "../build.rs"]
mod package;

fn main() {
    package::compress(std::path::Path::new(".."));
}
