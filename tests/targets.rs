//! Checks which levels the library has on each target. The tests compute the levels from the
//! conditions in the sources and from the compiler's settings. If a condition were never true, a
//! target would not use its hardware, and no other test would detect this.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// For each target: its name, its levels, and whether the library can set the processor's rounding
/// mode. After the name, `+` precedes a feature that only some builds enable, or a cfg of this
/// library.
const TARGETS: [(&str, &[&str], bool); 43] = [
    ("x86_64-unknown-linux-gnu", &["emulated", "scalar", "sse2", "avx2", "avx512"], true),
    ("x86_64-pc-windows-gnu", &["emulated", "scalar", "sse2", "avx2", "avx512"], true),
    ("x86_64-apple-darwin", &["emulated", "scalar", "sse2", "avx2", "avx512"], true),
    // These targets (kernels and firmware) have no level with SSE registers, because other code,
    // for example a user program, may own the registers' contents.
    ("x86_64-unknown-none", &["emulated"], false),
    ("x86_64-unknown-uefi", &["emulated"], false),
    ("i686-unknown-linux-gnu", &["emulated", "scalar", "sse2", "avx2"], true),
    // This target's x87 instructions compute with more bits than binary64.
    ("i586-unknown-linux-gnu", &["emulated"], false),
    ("aarch64-unknown-linux-gnu", &["emulated", "scalar", "neon", "neon-sha3"], true),
    ("aarch64-apple-darwin", &["emulated", "scalar", "neon", "neon-sha3"], true),
    ("aarch64-pc-windows-msvc", &["emulated", "scalar", "neon", "neon-sha3"], true),
    ("arm64ec-pc-windows-msvc", &["emulated", "scalar", "neon", "neon-sha3"], true),
    ("aarch64_be-unknown-linux-gnu", &["emulated", "scalar"], true),
    ("aarch64-unknown-none", &["emulated", "scalar", "neon", "neon-sha3"], true),
    // On this target, a software library computes with binary64 numbers, and other code may own the
    // vector registers' contents.
    ("aarch64-unknown-none-softfloat", &["emulated"], false),
    ("riscv64gc-unknown-linux-gnu", &RISCV, true),
    ("riscv64gc-unknown-linux-musl", &RISCV, true),
    ("riscv64gc-unknown-freebsd", &RISCV, true),
    ("riscv64-linux-android", &RISCV, true),
    // The target has hardware for binary64 numbers, but stable Rust does not report this.
    ("riscv64gc-unknown-none-elf", &["emulated"], false),
    ("riscv64imac-unknown-none-elf", &["emulated"], false),
    ("riscv64imac-unknown-nuttx-elf", &["emulated"], false),
    ("riscv32imac-unknown-none-elf", &["emulated"], false),
    ("riscv32gc-unknown-linux-gnu", &["emulated"], false),
    ("wasm32-unknown-unknown", &["emulated", "scalar"], false),
    ("wasm32-wasip1", &["emulated", "scalar"], false),
    ("wasm32-wasip1+simd128", &["emulated", "scalar", "simd128"], false),
    ("powerpc64-unknown-linux-gnu", &["emulated", "scalar"], false),
    ("powerpc64le-unknown-linux-gnu", &["emulated", "scalar"], false),
    ("s390x-unknown-linux-gnu", &["emulated", "scalar"], false),
    ("loongarch64-unknown-linux-gnu", &["emulated", "scalar"], false),
    ("armv7-unknown-linux-gnueabihf", &ARM, true),
    ("thumbv7neon-unknown-linux-musleabihf", &ARM, true),
    ("arm-unknown-linux-gnueabihf", &ARM, true),
    ("armv7-unknown-freebsd", &ARM, true),
    // The calling convention of these targets does not use the floating-point unit.
    ("armv7-unknown-linux-gnueabi", &["emulated"], false),
    ("arm-unknown-linux-gnueabi", &["emulated"], false),
    ("thumbv7em-none-eabi+fndsa_fp64", &["emulated"], false),
    ("thumbv6m-none-eabi+fndsa_fp64", &["emulated"], false),
    // A Cortex-M4 has binary32 only, and a Cortex-M7 can also have binary64. The cfg `fndsa_fp64`
    // states that the processor has binary64.
    ("thumbv7em-none-eabihf", &["emulated"], false),
    ("thumbv7em-none-eabihf+fndsa_fp64", &ARM, true),
    ("thumbv7em-nuttx-eabihf", &["emulated"], false),
    ("thumbv8m.main-none-eabihf+fndsa_fp64", &ARM, true),
    ("thumbv6m-none-eabi", &["emulated"], false),
];

/// The levels for ARM with binary64. The library never chooses the first level by itself.
const ARM: [&str; 2] = ["scalar-fdiv", "emulated"];

/// The levels for RISC-V with binary64. The library chooses the last level in the list. Each
/// variant with hardware division (`-fdiv`) precedes the variant without hardware division. So the
/// library chooses `-fdiv` only if a build leaves out the levels without hardware division.
const RISCV: [&str; 5] = ["emulated", "scalar-fdiv", "scalar", "rvv-fdiv", "rvv"];

/// Returns the output lines of rustc with these arguments. If `unstable` is set, the output
/// includes values that only an unstable compiler reports.
fn run_rustc(arguments: &[&str], unstable: bool) -> BTreeSet<String> {
    let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
    command.args(arguments).env_remove("RUSTC_BOOTSTRAP");
    if unstable {
        command.env("RUSTC_BOOTSTRAP", "1");
    }
    let output = command.output().expect("rustc runs");
    assert!(output.status.success(), "rustc {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// Returns the conditions that are true for a target, as `rustc` prints them.
fn cfg_of(target: &str, unstable: bool) -> BTreeSet<String> {
    run_rustc(&["--print", "cfg", "--target", target], unstable)
}

/// Evaluates the `cfg` condition at the start of `text`, and removes it from `text`.
fn evaluate_condition(text: &mut &str, cfg: &BTreeSet<String>) -> bool {
    *text = text.trim_start();
    let name_len = text.len() - text.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').len();
    let name = &text[..name_len];
    *text = text[name_len..].trim_start();
    if let Some(rest) = text.strip_prefix('(') {
        *text = rest.trim_start();
        let mut parts = vec![];
        while !text.starts_with(')') {
            parts.push(evaluate_condition(text, cfg));
            *text = text.trim_start().trim_start_matches(',').trim_start();
        }
        *text = &text[1..];
        return match name {
            "any" => parts.contains(&true),
            "all" => !parts.contains(&false),
            "not" => parts == [false],
            name => panic!("{name} is not an operator of `cfg`"),
        };
    }
    let Some(rest) = text.strip_prefix('=') else { return cfg.contains(name) };
    let value = rest.trim_start().strip_prefix('"').expect("a value in quotes");
    let (value, rest) = value.split_once('"').unwrap();
    *text = rest;
    cfg.contains(&format!("{name}=\"{value}\""))
}

/// Returns a source without comments.
fn source_without_comments(path: &str) -> String {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    text.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

/// Returns whether the item at `at` is enabled: by its `cfg` attribute, or because it has none.
fn is_enabled(text: &str, at: usize, cfg: &BTreeSet<String>) -> bool {
    let text_before = text[..at].trim_end();
    match text_before.rfind("#[cfg(") {
        Some(start) if text_before.ends_with(")]") && !text_before[start..].contains([';', '{', '}']) => {
            let mut condition = &text_before[start + "#[cfg(".len()..];
            evaluate_condition(&mut condition, cfg)
        }
        _ => true,
    }
}

/// Returns a level's name from the type name: `NeonSha3` becomes `neon-sha3`.
fn name_of(kind: &str) -> String {
    let mut name = String::new();
    for (at, c) in kind.char_indices() {
        if at > 0 && c.is_uppercase() {
            name.push('-');
        }
        name.extend(c.to_lowercase());
    }
    name
}

/// Returns the levels in the table in `src/simd/level.rs` that the conditions in `cfg` enable.
fn levels_for(text: &str, cfg: &BTreeSet<String>) -> Vec<String> {
    let (_, table) = text.split_once("\nlevels! {").expect("the table of levels");
    let (table, _) = table.split_once("\n}").unwrap();
    // A table row consists of a type name and a comma.
    let names = table.match_indices("\n    ").filter_map(|(at, blanks)| {
        let start = at + blanks.len();
        let name = table[start..].lines().next()?.strip_suffix(',')?;
        let is_name = name.starts_with(char::is_uppercase) && name.chars().all(char::is_alphanumeric);
        is_name.then(|| (start, name_of(name)))
    });
    names.filter(|(start, _)| is_enabled(table, *start, cfg)).map(|(_, name)| name).collect()
}

#[test]
fn each_target_has_its_levels() {
    let (table, environment) =
        (source_without_comments("src/simd/level.rs"), source_without_comments("src/simd/machine/environment.rs"));
    let compiler_targets = run_rustc(&["--print", "target-list"], false);
    for (target, expected, sets_rounding) in TARGETS {
        let (name, feature) = target.split_once('+').unwrap_or((target, ""));
        assert!(compiler_targets.contains(name), "{name} is no target of this compiler");
        let cfg = match feature {
            "" => cfg_of(name, false),
            on if on.starts_with("fndsa_") => run_rustc(&["--print", "cfg", "--target", name, "--cfg", on], false),
            on => run_rustc(&["--print", "cfg", "--target", name, "-C", &format!("target-feature=+{on}")], false),
        };
        assert_eq!(levels_for(&table, &cfg), expected, "{target}");
        let registers: Vec<&str> = environment
            .match_indices("mod register {")
            .filter(|(at, _)| is_enabled(&environment, *at, &cfg))
            .map(|(at, _)| environment[at..].split("mod register").nth(1).unwrap())
            .collect();
        assert_eq!(registers.len(), 1, "{target}: the number of enabled modules `register`");
        assert_eq!(registers[0].contains("asm!"), sets_rounding, "{target}: whether `register` uses assembly");
    }
}

/// Checks that all RISC-V targets with the scalar level have binary64, which stable Rust does not
/// report.
#[test]
fn every_riscv_with_the_scalar_level_has_binary64() {
    let table = source_without_comments("src/simd/level.rs");
    let targets: Vec<String> = run_rustc(&["--print", "target-list"], false)
        .into_iter()
        .filter(|target| target.starts_with("riscv"))
        .collect();
    let mut scalar_count = 0;
    for target in &targets {
        if levels_for(&table, &cfg_of(target, false)).contains(&"scalar".to_owned()) {
            scalar_count += 1;
            assert!(cfg_of(target, true).contains("target_feature=\"d\""), "{target} has no binary64");
        }
    }
    assert!(scalar_count >= 5 && scalar_count < targets.len(), "{scalar_count} of {targets:?}");
}

/// All ARM targets with a level that uses the floating-point unit have a unit for binary64. Stable
/// Rust does not report this, so the test asks for the target feature `vfp2`: this version of the
/// unit has binary64, and targets without binary64 do not have this feature.
#[test]
fn every_arm_with_the_scalar_level_has_binary64() {
    let table = source_without_comments("src/simd/level.rs");
    let mut counts = [0; 2];
    for target in run_rustc(&["--print", "target-list"], false) {
        let cfg = cfg_of(&target, false);
        if !cfg.contains("target_arch=\"arm\"") {
            continue;
        }
        let levels = levels_for(&table, &cfg);
        assert_eq!(levels.last().map(String::as_str), Some("emulated"), "{target}: the default level");
        let has_level = levels.contains(&"scalar-fdiv".to_owned());
        assert!(!has_level || cfg_of(&target, true).contains("target_feature=\"vfp2\""), "{target} has no binary64");
        counts[usize::from(has_level)] += 1;
    }
    assert!(counts[1] >= 10 && counts[0] > counts[1], "{counts:?}");
}

/// This program's levels are equal to the levels in the table.
#[test]
fn the_levels_of_this_program_match_the_table() {
    let cfg = run_rustc(&["--print", "cfg"], false);
    let arch = |it: &&String| it.starts_with("target_arch=");
    if cfg.iter().find(arch) != Some(&format!("target_arch=\"{}\"", std::env::consts::ARCH)) {
        println!("skip: this program's levels, it was built for another processor than the compiler");
        return;
    }
    let found: Vec<String> = fndsa::no_alloc::Level::names().map(str::to_owned).collect();
    assert_eq!(found, levels_for(&source_without_comments("src/simd/level.rs"), &cfg));
}

/// Checks that a build can leave out each level except `emulated`, with a cfg that contains the
/// level's name. Does not test `simd128`, because a target feature selects it.
#[test]
fn each_level_can_be_left_out() {
    let table = source_without_comments("src/simd/level.rs");
    for (target, levels, _) in TARGETS.iter().filter(|(target, ..)| !target.contains('+')) {
        let cfg = cfg_of(target, false);
        for level in levels.iter().filter(|level| **level != "emulated") {
            let mut without = cfg.clone();
            without.insert(format!("fndsa_without_level=\"{level}\""));
            let others: Vec<_> = levels.iter().copied().filter(|other| other != level).collect();
            assert_eq!(levels_for(&table, &without), others, "{target} without {level}");
        }
    }
}
