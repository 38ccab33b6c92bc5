//! The build script. It has three tasks:
//!
//! - select the assembly for the target
//! - check the names of the levels (instruction sets) that the build leaves out
//! - compress the files that the program contains: the manual pages, the completions and the
//!   messages for `fndsa bench`

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    select_assembly();
    check_left_out_levels();
    #[cfg(feature = "cli")]
    compress(std::path::Path::new("."));
}

/// Sets the cfg `fndsa_armv7e_m` if the feature `armv7e-m` is enabled and the target can have the
/// DSP instructions. This function only checks the target's name, because the compiler does not
/// report to a library which instructions a Cortex-M has. For ARMv8-M, where the DSP instructions
/// are optional, also sets `fndsa_armv8_m`.
fn select_assembly() {
    println!("cargo::rustc-check-cfg=cfg(fndsa_armv7e_m)");
    println!("cargo::rustc-check-cfg=cfg(fndsa_armv8_m)");
    if std::env::var_os("CARGO_FEATURE_ARMV7E_M").is_none() {
        return;
    }
    let target = std::env::var("TARGET").expect("Cargo sets TARGET");
    if target.starts_with("thumbv7em-none-") {
        println!("cargo::rustc-cfg=fndsa_armv7e_m");
    } else if target.starts_with("thumbv8m.main-none-") {
        println!("cargo::rustc-cfg=fndsa_armv7e_m");
        println!("cargo::rustc-cfg=fndsa_armv8_m");
    }
}

/// Sets the cfg `fndsa_fewer_levels` if the build leaves out levels with `--cfg
/// fndsa_without_level="NAME"`.
///
/// # Panics
/// Panics if a name is not in the conditions of `levels!` in `src/simd/level.rs`, because such a
/// name would have no effect.
fn check_left_out_levels() {
    println!("cargo::rustc-check-cfg=cfg(fndsa_fewer_levels)");
    println!("cargo::rerun-if-changed=src/simd/level.rs");
    let Ok(names) = std::env::var("CARGO_CFG_FNDSA_WITHOUT_LEVEL") else { return };
    let table = std::fs::read_to_string("src/simd/level.rs").expect("a file of the package");
    for name in names.split(',') {
        let condition = format!("fndsa_without_level = \"{name}\"");
        assert!(table.contains(&condition), "fndsa_without_level: {name:?} is no level that a build can leave out");
    }
    println!("cargo::rustc-cfg=fndsa_fewer_levels");
}

/// Compresses each file in `man`, `completions` and `src/cmd/bench/cctv`, and writes the result to
/// `OUT_DIR`, with `.z` after the file name.
///
/// # Panics
/// Panics if a file cannot be read or written.
#[cfg(feature = "cli")]
pub fn compress(root: &std::path::Path) {
    let out = std::path::PathBuf::from(std::env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR"));
    for directory in ["man", "completions", "src/cmd/bench/cctv"] {
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
