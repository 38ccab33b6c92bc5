//! Checks that `unsafe` and operating system names occur in a single layer only.

use super::{has_word, none, offenders};
use std::path::Path;

#[test]
fn unsafe_lives_in_one_room() {
    // A single file calls the functions that only Windows has.
    let rooms = ["src/simd", "src/tool/system/windows/calls.rs"];
    let inside = |path: &Path| rooms.iter().any(|room| path.starts_with(room));
    let found = offenders("src", |path, line| !inside(path) && has_word(line, "unsafe"));
    none(found, "`unsafe` outside its rooms");
}

/// Only `src/tool/system` names operating systems, because system calls differ between systems.
#[test]
fn systems_are_named_in_one_room() {
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
    let of_slices = |line: &str| line.contains(".windows(");
    for program in ["src/main.rs", "src/cmd", "src/tool"] {
        let room = |path: &Path| path.starts_with("src/tool/system");
        let found =
            offenders("src", |path, line| path.starts_with(program) && !room(path) && !of_slices(line) && named(line));
        none(found, "a system named outside src/tool/system");
    }
    let inside = offenders("src/tool/system", |_, line| named(line));
    assert!(inside.len() > 20, "the words were not found where they belong: {inside:?}");
}
