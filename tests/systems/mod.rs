//! Checks that only `src/simd` and the calls of Windows functions contain `unsafe`, and that in the
//! program, only `src/tool/system` names operating systems.

use super::{assert_none, has_word, lines_where};
use std::path::Path;

#[test]
fn unsafe_is_only_in_simd_and_windows_calls() {
    // Outside `src/simd`, a single file contains `unsafe`: it calls functions of Windows.
    let allowed = ["src/simd", "src/tool/system/windows/calls.rs"];
    let is_allowed = |path: &Path| allowed.iter().any(|it| path.starts_with(it));
    let found = lines_where("src", |path, line| !is_allowed(path) && has_word(line, "unsafe"));
    assert_none(found, "`unsafe` outside of src/simd and src/tool/system/windows/calls.rs");
}

/// Checks that in the program, only `src/tool/system` names operating systems. The other code of
/// the program is the same on all systems.
#[test]
fn systems_are_named_only_in_tool_system() {
    let words = [
        "std::os::",
        "rustix",
        "signal_hook",
        "libc",
        "winapi_util",
        "windows_sys",
        "descriptors",
        "unix",
        "windows",
        "target_os",
        "target_vendor",
    ];
    let named =
        |line: &str| words.iter().any(|it| if it.ends_with(':') { line.contains(it) } else { has_word(line, it) });
    // `windows` is also a slice method.
    let is_slice_method = |line: &str| line.contains(".windows(");
    for program in ["src/main.rs", "src/cmd", "src/tool"] {
        let is_system = |path: &Path| path.starts_with("src/tool/system");
        let found = lines_where("src", |path, line| {
            path.starts_with(program) && !is_system(path) && !is_slice_method(line) && named(line)
        });
        assert_none(found, "a system named outside src/tool/system");
    }
    let system_lines = lines_where("src/tool/system", |_, line| named(line));
    assert!(system_lines.len() > 20, "only these lines in src/tool/system name a system: {system_lines:?}");
}
