//! Compresses the manual pages and the completions that the program contains. The library does not
//! need this build step.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "cli")]
    compress(std::path::Path::new("."));
}

/// Writes each file of `man` and `completions` to `OUT_DIR`, compressed, with `.z` after the file
/// name.
///
/// # Panics
/// A file cannot be read or written.
#[cfg(feature = "cli")]
pub fn compress(root: &std::path::Path) {
    let out = std::path::PathBuf::from(std::env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR"));
    for directory in ["man", "completions"] {
        let directory = root.join(directory);
        println!("cargo::rerun-if-changed={}", directory.display());
        for entry in std::fs::read_dir(directory).expect("a directory of the package") {
            let path = entry.expect("an entry of the directory").path();
            let text = std::fs::read(&path).expect("a file of the package");
            let name = path.file_name().expect("a file has a name").to_string_lossy();
            let packed = miniz_oxide::deflate::compress_to_vec(&text, 10);
            std::fs::write(out.join(format!("{name}.z")), packed).expect("OUT_DIR takes files");
        }
    }
}
