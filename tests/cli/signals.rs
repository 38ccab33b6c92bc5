//! Signals in the middle of the work, and secrets that no other process sees.

use crate::harness::{Place, body, finish, signal, skip};
use std::fs;
use std::io::Write;
use std::process::{Child, ChildStdin};

/// A program that has read a megabyte and waits for more.
fn in_mid_stream(place: &Place, line: &str) -> (Child, ChildStdin) {
    let mut child = place.call(line).open_input().spawn();
    let mut stdin = child.stdin.take().unwrap();
    // A pipe holds 64 KiB: when this returns, most of it was read.
    stdin.write_all(&vec![0; 1 << 20]).unwrap();
    (child, stdin)
}

/// Whether the parent of the tests has them ignore a signal.
fn ignored(number: u32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).map(str::trim);
    mask.and_then(|mask| u64::from_str_radix(mask, 16).ok()).unwrap_or(0) >> (number - 1) & 1 == 1
}

#[test]
fn a_signal_in_mid_stream_leaves_nothing() {
    for (name, number, code) in [("INT", 2, 130), ("TERM", 15, 143), ("HUP", 1, 129), ("KILL", 9, 137)] {
        if ignored(number) {
            skip(name, "whoever started the tests ignores it");
            continue;
        }
        let place = Place::ready();
        let (names, old) = (place.names(), place.get("a.sig"));
        for line in ["sign -k k.key -o new -", "sign -f -k k.key -o a.sig -"] {
            let (child, stdin) = in_mid_stream(&place, line);
            signal(child.id(), name);
            finish(child).code(code).mutely();
            drop(stdin);
            assert_eq!((place.names(), place.get("a.sig")), (names.clone(), old.clone()), "{name}: {line}");
        }
        let (child, _stdin) = in_mid_stream(&place, "verify -p k.pub -s a.sig -");
        signal(child.id(), name);
        finish(child).code(code).mutely();
    }
}

#[test]
fn a_signal_at_any_time_leaves_the_old_or_the_new_file() {
    if ignored(15) {
        return skip("TERM", "whoever started the tests ignores it");
    }
    let place = Place::ready();
    let names = place.names();
    for _ in 0..30 {
        let child = place.call("sign -f -k k.key a").spawn();
        signal(child.id(), "TERM");
        let code = finish(child).code;
        assert!([0, 143].contains(&code), "{code}");
        place.run("verify -p k.pub a").code(0);
        assert_eq!(place.names(), names);
    }
}

#[test]
fn a_key_in_a_variable_is_nowhere_else() {
    let place = Place::ready();
    let (key, names) = (place.text("k.key"), place.names());
    let call = place.call("sign --key-env MY_KEY -o s -").env("MY_KEY", &key).open_input();
    let mut child = call.spawn();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&vec![0; 1 << 20]).unwrap();
    let secret = body(&key);
    let seen = |bytes: &[u8]| bytes.windows(32).any(|window| window == &secret.as_bytes()[64..96]);
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let arguments = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        assert!(!seen(&arguments), "{}", entry.path().display());
    }
    assert_eq!(place.names(), names);
    drop(stdin);
    let done = finish(child).code(0).mutely();
    assert!(!seen(done.err.as_bytes()));
    place.call("verify -p k.pub -s s -").input(vec![0; 1 << 20]).run().code(0);
}

#[test]
fn a_variable_without_a_key_is_refused() {
    let place = Place::ready();
    place.run("sign --key-env NOT_SET -o s a").code(2).complains("NOT_SET");
    place.call("sign --key-env EMPTY -o s a").env("EMPTY", "").run().code(2);
    place.call("sign --key-env MY_KEY -o s a").env("MY_KEY", "hello").run().code(3);
    // Nor by a key beside it.
    place.run("sign --key-env MY_KEY -k k.key -o s a").code(2).complains("MY_KEY");
    place
        .call("sign -k k.key --key-env MY_KEY -o s a")
        .env("MY_KEY", "hello")
        .run()
        .code(3)
        .complains("variable MY_KEY");
    place.call("pubkey --key-env MY_KEY").env("MY_KEY", place.text("k.key")).run().code(0).says("PUBLIC KEY");
    assert!(!place.has("s"));
}
