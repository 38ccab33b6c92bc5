//! Standard input and output, pipes, terminals, and memory.

use crate::harness::{Call, FNDSA, Place, finish, have, skip};
use std::fs::{self, OpenOptions};
use std::io::Write;

#[test]
fn standard_input_is_signed_to_standard_output() {
    let place = Place::ready();
    place.sh("cat a | $FNDSA sign -k k.key - >s && $FNDSA verify -p k.pub -s s - <a").code(0).says("-: OK");
    place.sh("$FNDSA verify -p k.pub -s s /dev/stdin <a").code(0).says("OK");
    place.sh("$FNDSA sign -k k.key /dev/stdin <a >s2 && $FNDSA verify -p k.pub -s s2 a").code(0);
    place.sh("$FNDSA verify -p k.pub -s s - <b").code(1).says("-: FAILED");
    place.sh("$FNDSA sign -k - -o s3 a <k.key && $FNDSA verify -p - -s s3 a <k.pub").code(0);
    place.sh("$FNDSA verify -p k.pub -s - a <s3").code(0);
    place.sh("$FNDSA keygen -o - >n.key && $FNDSA pubkey -k - <n.key >n.pub && $FNDSA inspect n.key n.pub").code(0);
    assert_eq!(
        place.run("sign -k k.key -o /dev/stdout a").code(0).out.lines().last(),
        Some("-----END FNDSA SIGNATURE-----")
    );
}

#[test]
fn standard_input_is_read_once() {
    let place = Place::ready();
    for line in [
        "sign -k - -",
        "sign -k k.key - -",
        "sign -k - /dev/stdin",
        "verify -p - -s a.sig -",
        "verify -p - -s - a",
        "verify -p - -p - a",
        "inspect - -",
    ] {
        place.call(line).input("x").run().code(2).mutely().complains("more than once");
    }
    place.call("verify -p k.pub -").input("x").run().code(2).complains("-s FILE");
}

/// Runs a line whose standard output is a pipe that nobody reads any more; its exit code goes to `code`.
fn unread(line: &str) -> String {
    format!("rm -f p; mkfifo p; exec 3<>p 4>p 3<&-; $FNDSA {line} >&4; echo $? >code")
}

#[test]
fn a_reader_that_goes_away_ends_quietly() {
    let place = Place::ready();
    let many = "a.sig ".repeat(2000);
    let script = format!("{{ $FNDSA inspect {many}; echo $? >code; }} | head -1");
    let done = place.sh(&script).quietly();
    assert_eq!((done.out.lines().count(), place.text("code").trim()), (1, "141"));
    for line in
        ["--json inspect a.sig", "pubkey -k k.key", "sign -k k.key -o - a", "keygen -o -", "--help", "--version"]
    {
        place.sh(&unread(line)).quietly();
        assert_eq!(place.text("code").trim(), "141", "{line}");
    }
}

#[test]
fn a_verdict_stays_when_nobody_reads_it() {
    let place = Place::ready();
    for line in ["verify -p k.pub -s a.sig", "--json verify -p k.pub -s a.sig"] {
        for (file, code) in [("a", "0"), ("b", "1")] {
            place.sh(&unread(&format!("{line} {file}")));
            assert_eq!(place.text("code").trim(), code, "{line} {file}");
        }
    }
}

#[test]
fn a_full_standard_output_is_an_error() {
    let place = Place::ready();
    place.run("sign -k k.key -o s2 b").code(0);
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    for line in [
        "verify -p k.pub a",
        "--json verify -p k.pub a",
        "inspect a.sig",
        "--json inspect a.sig",
        "sign -k k.key -o - a",
        "pubkey -k k.key",
        "keygen -o -",
        "--json keygen j",
        "bench -a 512 -t 0.01 --samples 3 verify",
        "--json bench -a 512 -t 0.01 --samples 3 verify",
        "quickstart a",
        "--help",
        "--version",
        "sign --help",
    ] {
        place.call(line).to(full()).run().code(4).complains("no space left");
    }
    for line in ["verify -p k.pub -s s2 a", "--json verify -p k.pub -s s2 a"] {
        place.call(line).to(full()).run().code(1);
    }
}

#[test]
fn a_stream_takes_constant_memory() {
    let place = Place::ready();
    let chunk = vec![0x5a; 1 << 20];
    let peak = |line: &str| {
        let mut child = place.call(line).open_input().spawn();
        let mut stdin = child.stdin.take().unwrap();
        for _ in 0..256 {
            stdin.write_all(&chunk).unwrap();
        }
        // All but the last pipe full is read, and the program waits for more.
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        drop(stdin);
        finish(child).code(0);
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("a peak in /proc");
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap()
    };
    if !std::path::Path::new("/proc/self/status").exists() {
        return skip("peak memory", "there is no /proc");
    }
    for line in ["sign -k k.key -o s -", "verify -p k.pub -s s -", "sign -f --prehash sha512 -k k2.key -o s -"] {
        let kilobytes = peak(line);
        assert!(kilobytes < 16 << 10, "{line}: {kilobytes} KB");
    }
}

/// Runs a line with a terminal for standard output and error.
fn on_terminal(place: &Place, line: &str, env: &[(&str, &str)]) -> Option<(i32, String)> {
    if !have("script") {
        return None;
    }
    let call = Call::new("script", place.root()).args("-q -e -c").arg(format!("{FNDSA} {line}")).arg("/dev/null");
    let done = env.iter().fold(call, |call, (name, value)| call.env(name, value)).run();
    Some((done.code, done.out))
}

#[test]
fn raw_bytes_do_not_go_to_a_terminal() {
    let place = Place::ready();
    let Some((code, text)) = on_terminal(&place, "sign --format raw -k k.key -o - a", &[]) else {
        return skip("raw bytes to a terminal", "there is no `script`");
    };
    assert!(code == 2 && text.contains("terminal") && text.contains("hint:"), "{code} {text}");
    for line in ["pubkey --format raw -k k.key", "keygen --format raw -o -", "sign --format raw -k k.key -o /dev/tty a"]
    {
        let (code, text) = on_terminal(&place, line, &[]).unwrap();
        assert!(code == 2 && text.contains("terminal"), "{line}: {code} {text}");
    }
    assert_eq!(on_terminal(&place, "sign -k k.key -o - a", &[]).unwrap().0, 0);
    // What was written before through another descriptor stays.
    place.sh("exec 3>out; echo before >&3; $FNDSA sign --format raw -k k.key -o /dev/fd/3 a").code(0).quietly();
    let out = place.get("out");
    assert!(out.starts_with(b"before\n\x39") && out.len() == 7 + 666, "{}", out.len());
    // A device that is none.
    place.run("sign --format raw -k k.key -o /dev/null a").code(0).quietly();
}

#[test]
fn colors_are_for_terminals_that_want_them() {
    let place = Place::ready();
    let esc = '\u{1b}';
    let line = "verify -p k.pub a";
    for (call, colored) in [
        (place.call(line), false),
        (place.call(line).env("CLICOLOR_FORCE", "1"), true),
        (place.call(line).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1"), false),
        (place.call(line).arg("--color=always"), true),
        (place.call(line).arg("--color=never").env("CLICOLOR_FORCE", "1"), false),
    ] {
        let done = call.run().code(0);
        assert_eq!(done.out.contains(esc), colored, "{}", done.out);
    }
    if !have("script") {
        return skip("colors on a terminal", "there is no `script`");
    }
    for (env, colored) in
        [(&[][..], true), (&[("NO_COLOR", "1")], false), (&[("TERM", "dumb")], false), (&[("CLICOLOR", "0")], false)]
    {
        let (code, text) = on_terminal(&place, line, env).unwrap();
        assert!(code == 0 && text.contains(esc) == colored, "{env:?}: {text}");
    }
}

/// The first pieces are read by the main thread, in fewer calls than this; then a second one reads ahead.
#[test]
fn a_read_error_deep_in_a_long_file_is_no_end_of_it() {
    let place = Place::ready();
    fs::File::create(place.path("big")).unwrap().set_len(64 << 20).unwrap();
    let fault = "-o t -e trace=read -e inject=read:error=EIO:when=150";
    let Some(done) = place.traced(fault, "sign -k k.key big") else {
        return skip("a read error deep in a file", "strace does not work");
    };
    done.code(4).complains("big: input/output error").mutely();
    assert!(place.text("t").contains("INJECTED") && !place.has("big.sig"));
    place.run("sign -k k.key big").code(0);
    place.run("verify -p k.pub big").code(0);
}
