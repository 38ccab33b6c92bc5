//! Gives the shared library a SONAME on systems with ELF files, so that a program runs only with a
//! compatible version of the library. cargo-c uses the same name.

use std::env;

/// The systems with ELF files and versions in the names of shared libraries.
const SYSTEMS: [&str; 5] = ["linux", "freebsd", "netbsd", "openbsd", "dragonfly"];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    if !SYSTEMS.contains(&variable("CARGO_CFG_TARGET_OS").as_str()) {
        return;
    }
    let (major, minor) = (variable("CARGO_PKG_VERSION_MAJOR"), variable("CARGO_PKG_VERSION_MINOR"));
    // Before version 1.0, the second number changes if the interface changes (docs/versions.md).
    let version = if major == "0" { format!("{major}.{minor}") } else { major };
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libfndsa.so.{version}");
}
