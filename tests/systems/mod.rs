//! What has one room only: `unsafe`, and the names of operating systems.

use super::{has_word, none, offenders};
use std::path::Path;

#[test]
fn unsafe_lives_in_one_room() {
    // What Windows alone has is called in one file.
    let rooms = ["src/simd", "src/tool/system/windows/calls.rs"];
    let inside = |path: &Path| rooms.iter().any(|room| path.starts_with(room));
    let found = offenders("src", |path, line| !inside(path) && has_word(line, "unsafe"));
    none(found, "`unsafe` outside its rooms");
}

/// What is done with a system differs between systems, and is asked for in one place.
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
    // `windows` are pieces of a slice, too.
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
