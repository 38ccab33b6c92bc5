//! Tests for standard input and output, pipes, terminals, and memory use.

use crate::harness::{FNDSA, ProgramCall, TestDirectory, finish, have, skip};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::symlink;

#[test]
fn standard_input_is_signed_to_standard_output() {
    let directory = TestDirectory::ready();
    directory.sh("cat a | $FNDSA sign -k k.key - >s && $FNDSA verify -p k.pub -s s - <a").code(0).out_has("-: OK");
    directory.sh("$FNDSA verify -p k.pub -s s /dev/stdin <a").code(0).out_has("OK");
    directory.sh("$FNDSA sign -k k.key /dev/stdin <a >s2 && $FNDSA verify -p k.pub -s s2 a").code(0);
    directory.sh("$FNDSA verify -p k.pub -s s - <b").code(1).out_has("-: FAILED");
    directory.sh("$FNDSA sign -k - -o s3 a <k.key && $FNDSA verify -p - -s s3 a <k.pub").code(0);
    directory.sh("$FNDSA verify -p k.pub -s - a <s3").code(0);
    directory.sh("$FNDSA keygen -o - >n.key && $FNDSA pubkey -k - <n.key >n.pub && $FNDSA inspect n.key n.pub").code(0);
    assert_eq!(
        directory.run("sign -k k.key -o /dev/stdout a").code(0).out.lines().last(),
        Some("-----END FNDSA SIGNATURE-----")
    );
}

#[test]
fn standard_input_is_read_once() {
    let directory = TestDirectory::ready();
    for line in [
        "sign -k - -",
        "sign -k k.key - -",
        "sign -k - /dev/stdin",
        "verify -p - -s a.sig -",
        "verify -p - -s - a",
        "verify -p - -p - a",
        "inspect - -",
    ] {
        directory.call(line).input("x").run().code(2).out_empty().err_has("more than one input");
    }
    directory.call("verify -p k.pub -").input("x").run().code(2).err_has("-s FILE");
}

/// Returns different paths to the standard stream with this number. The relative paths exist in the
/// directory from [`directory_with_links`].
fn stream_paths(number: u32) -> Vec<String> {
    let stream = ["stdin", "stdout", "stderr"][number as usize];
    let mut names = vec![format!("/dev/{stream}"), format!("//dev//{stream}"), format!("/dev/fd/{number}")];
    names.extend([format!("/dev/../dev/fd/{number}"), format!("link{number}"), format!("./link{number}")]);
    names.extend([format!("chain{number}"), format!("d/../link{number}")]);
    if fs::exists("/proc/thread-self/fd").unwrap() {
        names.extend([format!("/proc/self/fd/{number}"), format!("/proc/thread-self/fd/{number}")]);
    }
    names
}

/// Returns a directory with links to the standard streams.
fn directory_with_links() -> TestDirectory {
    let directory = TestDirectory::ready();
    fs::create_dir(directory.path("d")).unwrap();
    for (number, stream) in ["stdin", "stdout", "stderr"].into_iter().enumerate() {
        symlink(format!("/dev/{stream}"), directory.path(format!("link{number}"))).unwrap();
        symlink(format!("link{number}"), directory.path(format!("chain{number}"))).unwrap();
    }
    directory
}

#[test]
fn all_names_of_standard_input_are_recognized() {
    let directory = directory_with_links();
    let key = directory.get("k.key");
    for name in stream_paths(0) {
        for line in [
            format!("sign -k {name} -"),
            format!("sign -k - -o s {name}"),
            format!("sign -k k.key -o s --context-file {name} -"),
            format!("sign -k k.key --password-file {name} -o s -"),
            format!("verify -p {name} -s a.sig -"),
            format!("verify -p k.pub -s {name} -"),
            format!("inspect {name} -"),
            format!("inspect {name} {name}"),
            format!("keygen --insecure-deterministic --seed-file {name} --encrypt --password-file - n"),
        ] {
            // The input is a pipe or a file.
            directory
                .call(&line)
                .input(key.clone())
                .run()
                .code(2)
                .out_empty()
                .err_has("is given for more than one input");
            directory
                .sh(&format!("$FNDSA {line} <k.key"))
                .code(2)
                .out_empty()
                .err_has("is given for more than one input");
        }
        directory.sh(&format!("$FNDSA sign -f -k {name} -o s a <k.key && $FNDSA verify -p k.pub -s s a")).code(0);
        directory.sh(&format!("cat a | $FNDSA sign -f -k k.key -o s {name} && $FNDSA verify -p k.pub -s s a")).code(0);
        // If a request names standard input, which also contains the requests, fndsa answers with
        // an error and does not lose the next requests. The test tries a pipe, a FIFO and a file as
        // standard input.
        let requests = [&name, "a", "requests", "b"].map(|path| format!("{{\"path\":\"{path}\"}}\n")).concat();
        directory.put("requests", &requests);
        for shell in ["cat requests | $FNDSA", "$FNDSA <requests", "rm -f q; mkfifo q; cat requests >q & $FNDSA <q"] {
            for line in ["sign -k k.key", "verify -p k.pub"] {
                let output = directory.sh(&shell.replace("$FNDSA", &format!("$FNDSA {line} --stream")));
                let answers: Vec<serde_json::Value> =
                    output.out.lines().map(|answer| serde_json::from_str(answer).unwrap()).collect();
                assert_eq!(answers.len(), 4, "{name}: {shell}: {}", output.out);
                assert_eq!(answers[0]["reason"], "bad_request", "{name}: {shell}");
                assert_eq!(answers[1]["status"], "ok", "{name}: {shell}");
                let itself = if shell.ends_with("<requests") && line.starts_with("sign") { "error" } else { "" };
                assert!(answers[2]["status"].as_str().unwrap().contains(itself), "{name}: {shell}: {}", answers[2]);
            }
        }
    }
    // If standard input comes from a file, the command can also name this file directly.
    directory.sh("$FNDSA verify -p k.pub -s a.sig a <a").code(0);
    directory.call("sign -f -k k.key -o s /dev/null").run().code(0);
}

#[test]
fn a_pipe_is_read_once() {
    let directory = TestDirectory::ready();
    for (line, code) in [
        ("sign -k /dev/fd/3 -o s /dev/fd/3 3<p", 2),
        ("sign -k /dev/fd/3 -o s /dev/fd/4 3<p 4<&3", 2),
        ("sign -k /dev/fd/3 -o s - 3<p <&3", 2),
        ("sign -f -k /dev/fd/3 -o s a 3<p", 0),
        ("sign -f -k /dev/fd/3 -o s /dev/fd/4 3<k.key 4<a", 0),
    ] {
        let writer = if line.contains("<p") { "rm -f p; mkfifo p; cat k.key >p &" } else { "" };
        directory.sh(&format!("{writer} $FNDSA {line}")).code(code);
    }
    directory.run("verify -p k.pub -s s a").code(0);
}

#[test]
fn an_output_that_is_a_descriptor_is_written_and_not_replaced() {
    let directory = directory_with_links();
    directory.put("pw", "x\n");
    for line in ["sign -f -k k.key b -o", "keygen -f -o", "keygen -f n -p", "pubkey -f k.key -o"]
        .into_iter()
        .chain(["convert -f k.pub --to spki -o", "passwd -f k.key --new-password-file pw -o"])
    {
        for name in stream_paths(1) {
            directory.sh(&format!("$FNDSA -q {line} {name} >seen")).code(0);
            assert!(directory.text("seen").contains("-----BEGIN "), "{line} {name}");
            directory.sh(&format!("$FNDSA --json {line} {name}")).code(2).out_has("json_on_stdout");
        }
        for name in stream_paths(2) {
            directory.sh(&format!("$FNDSA -q {line} {name} 2>seen")).code(0);
            assert!(directory.text("seen").contains("-----BEGIN "), "{line} {name}");
        }
        directory.sh(&format!("ln -sf /dev/fd/3 link3; $FNDSA -q {line} link3 3>seen")).code(0);
        assert!(directory.text("seen").contains("-----BEGIN "), "{line}");
        for link in ["link1", "chain1", "link2", "chain2", "link3"] {
            assert!(directory.path(link).is_symlink(), "{line}: {link} was replaced");
        }
    }
    directory
        .run("keygen -o link1 -p chain1")
        .code(2)
        .err_has("the private key and the public key would both go to this file");
    directory.sh("$FNDSA sign -f -k k.key -o link1 a >>a").code(2).err_has("the output is also an input");
    directory.run("sign -k k.key --add -o link1 a").code(2).err_has("not to standard output");
    directory.run("sign -k k.key -M link1 a").code(2).err_has("fndsa cannot write a list with this name");
}

/// fndsa rejects a FIFO as a signature, key or list, and does not wait for a writer. An archive
/// that the user has unpacked can contain such a FIFO.
#[test]
fn a_fifo_is_rejected_as_key_signature_or_list() {
    let directory = TestDirectory::ready();
    directory.put("n", "n");
    directory.sh("mkfifo f n.sig; mkdir keys; cp k.pub keys; mkfifo keys/x.pub; ln -s n.sig b.sig").code(0);
    for line in [
        "verify -p k.pub n",
        "verify -p k.pub b",
        "verify -p k.pub -s f a",
        "verify -p f a",
        "verify --trusted-keys f a",
        "verify --trusted-keys keys a",
        "verify -p k.pub -M f",
        "verify -p k.pub -M a -s f",
        "verify -p k.pub --attached f",
        "sign -k f -o s a",
        "sign -k k.key --add n",
        "sign -k k.key --context-file f -o s a",
        "pubkey f",
        "convert f -o s --to raw",
        "passwd f -o s --new-password-file a",
        "inspect f",
        "inspect n.sig",
    ] {
        let output = directory.run(line).code(4);
        assert!((output.out + &output.err).contains("this is a FIFO, not a regular file"), "{line}");
    }
    // A request can only name regular files. The program still answers the next request.
    for path in ["f", "n.sig", "/dev/zero", "/dev/null", "/dev/tty"]
        .into_iter()
        .filter(|path| fs::exists(directory.path(path)).unwrap())
    {
        for line in ["sign -k k.key", "verify -p k.pub"] {
            for jobs in ["1", "2"] {
                let requests = format!("{{\"path\":\"{path}\",\"id\":1}}\n{{\"path\":\"a\"}}\n");
                let requests = if line.starts_with("verify") {
                    let signature = serde_json::json!(BASE64.encode(directory.get("a.sig")));
                    requests.replace("\"id\":1", &format!("\"signature_b64\":{signature}"))
                } else {
                    requests
                };
                let output = directory.call(&format!("{line} --stream -j {jobs}")).input(requests).run().code(4);
                let answers: Vec<_> = output.out.lines().collect();
                assert!(answers[0].contains("\"not_a_regular_file\""), "{path}: {line}: {}", answers[0]);
                assert!(answers[1].contains("\"exit_code\":0"), "{path}: {line}: {}", answers[1]);
            }
        }
    }
    // The program reads pipes that the shell has opened.
    directory.sh("rm -f p; mkfifo p; cat k.pub >p & $FNDSA verify -p /dev/fd/3 a 3<p").code(0).out_has("OK");
    directory.sh("cat k.pub | $FNDSA verify -p /dev/stdin a").code(0).out_has("OK");
}

/// If FILE is a FIFO, fndsa waits for the writer, and says so on a terminal.
#[test]
fn a_terminal_shows_that_fndsa_waits_for_a_fifo() {
    if !have("script") {
        return skip("the note about a FIFO", "script is not installed");
    }
    let directory = TestDirectory::ready();
    directory.sh("mkfifo f").code(0);
    let note = "note: f: this is a FIFO, and fndsa waits for the program that writes to the FIFO";
    for (line, is_shown) in [
        ("verify -p k.pub -s a.sig f", true),
        ("verify -j 2 -p k.pub -s a.sig f", true),
        ("sign -f -k k.key -j 1 f b", true),
        ("sign -f -k k.key -j 2 f b", true),
        ("verify -q -p k.pub -s a.sig f", false),
    ] {
        let shell = format!("cat a >f & {FNDSA} {line}");
        let output =
            ProgramCall::new("script", directory.root()).args("-q -e -c").arg(shell).arg("/dev/null").run().code(0);
        assert_eq!(output.out.contains(note), is_shown, "{line}: {}", output.out);
    }
    directory.sh("cat a >f & $FNDSA verify -p k.pub -s a.sig f").code(0).out_has("f: OK").err_empty();
}

/// Returns a shell line that runs a command and writes the exit code to the file `code`. Standard
/// output of the command is a pipe without a reader.
fn line_with_closed_pipe(line: &str) -> String {
    format!("rm -f p; mkfifo p; exec 3<>p 4>p 3<&-; $FNDSA {line} >&4; echo $? >code")
}

#[test]
fn a_reader_that_goes_away_ends_quietly() {
    let directory = TestDirectory::ready();
    let many = "a.sig ".repeat(2000);
    let script = format!("{{ $FNDSA inspect {many}; echo $? >code; }} | head -1");
    let output = directory.sh(&script).err_empty();
    assert_eq!((output.out.lines().count(), directory.text("code").trim()), (1, "141"));
    for line in
        ["--json inspect a.sig", "pubkey -k k.key", "sign -k k.key -o - a", "keygen -o -", "--help", "--version"]
    {
        directory.sh(&line_with_closed_pipe(line)).err_empty();
        assert_eq!(directory.text("code").trim(), "141", "{line}");
    }
}

#[test]
fn a_closed_output_does_not_change_the_verdict() {
    let directory = TestDirectory::ready();
    for line in ["verify -p k.pub -s a.sig", "--json verify -p k.pub -s a.sig"] {
        for (file, code) in [("a", "0"), ("b", "1")] {
            directory.sh(&line_with_closed_pipe(&format!("{line} {file}")));
            assert_eq!(directory.text("code").trim(), code, "{line} {file}");
        }
    }
}

#[test]
fn a_full_standard_output_is_an_error() {
    let directory = TestDirectory::ready();
    directory.run("sign -k k.key -o s2 b").code(0);
    let full_device = || OpenOptions::new().write(true).open("/dev/full").unwrap();
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
        directory.call(line).to(full_device()).run().code(4).err_has("no space left");
    }
    for line in ["verify -p k.pub -s s2 a", "--json verify -p k.pub -s s2 a"] {
        directory.call(line).to(full_device()).run().code(1);
    }
}

#[test]
fn a_stream_needs_constant_memory() {
    let directory = TestDirectory::ready();
    let chunk = vec![0x5a; 1 << 20];
    let peak_kilobytes = |line: &str| {
        let mut child = directory.call(line).open_input().spawn();
        let mut stdin = child.stdin.take().unwrap();
        for _ in 0..256 {
            stdin.write_all(&chunk).unwrap();
        }
        // At this point, the program has read all input except the rest in the pipe, and waits for
        // more input.
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
        let kilobytes = peak_kilobytes(line);
        assert!(kilobytes < 16 << 10, "{line}: {kilobytes} KB");
    }
}

/// Runs a command with a terminal as standard output and standard error. Returns the exit code and
/// the output, or `None` if `script` is not installed.
fn run_on_terminal(directory: &TestDirectory, line: &str, env: &[(&str, &str)]) -> Option<(i32, String)> {
    if !have("script") {
        return None;
    }
    let call =
        ProgramCall::new("script", directory.root()).args("-q -e -c").arg(format!("{FNDSA} {line}")).arg("/dev/null");
    let output = env.iter().fold(call, |call, (name, value)| call.env(name, value)).run();
    Some((output.code, output.out))
}

#[test]
fn raw_bytes_are_not_printed_to_a_terminal() {
    let directory = TestDirectory::ready();
    let Some((code, text)) = run_on_terminal(&directory, "sign --format raw -k k.key -o - a", &[]) else {
        return skip("raw bytes to a terminal", "there is no `script`");
    };
    assert!(code == 2 && text.contains("terminal") && text.contains("hint:"), "{code} {text}");
    for line in ["pubkey --format raw -k k.key", "keygen --format raw -o -", "sign --format raw -k k.key -o /dev/tty a"]
    {
        let (code, text) = run_on_terminal(&directory, line, &[]).unwrap();
        assert!(code == 2 && text.contains("terminal"), "{line}: {code} {text}");
    }
    assert_eq!(run_on_terminal(&directory, "sign -k k.key -o - a", &[]).unwrap().0, 0);
    // The bytes that the shell has written to this file before remain.
    directory.sh("exec 3>out; echo before >&3; $FNDSA sign --format raw -k k.key -o /dev/fd/3 a").code(0).err_empty();
    let out = directory.get("out");
    assert!(out.starts_with(b"before\n\x39") && out.len() == 7 + 666, "{}", out.len());
    // This device is not a terminal.
    directory.run("sign --format raw -k k.key -o /dev/null a").code(0).err_empty();
}

#[test]
fn colors_are_used_only_on_terminals_that_allow_them() {
    let directory = TestDirectory::ready();
    let esc = '\u{1b}';
    let line = "verify -p k.pub a";
    for (call, colored) in [
        (directory.call(line), false),
        (directory.call(line).env("CLICOLOR_FORCE", "1"), true),
        (directory.call(line).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1"), false),
        (directory.call(line).arg("--color=always"), true),
        (directory.call(line).arg("--color=never").env("CLICOLOR_FORCE", "1"), false),
    ] {
        let output = call.run().code(0);
        assert_eq!(output.out.contains(esc), colored, "{}", output.out);
    }
    if !have("script") {
        return skip("colors on a terminal", "there is no `script`");
    }
    for (env, colored) in
        [(&[][..], true), (&[("NO_COLOR", "1")], false), (&[("TERM", "dumb")], false), (&[("CLICOLOR", "0")], false)]
    {
        let (code, text) = run_on_terminal(&directory, line, env).unwrap();
        assert!(code == 0 && text.contains(esc) == colored, "{env:?}: {text}");
    }
}

/// A read error in a long file is not treated as the end of the file. The main thread reads the
/// first pieces, and then a second thread reads ahead. The error occurs in a later piece.
#[test]
fn a_read_error_in_a_long_file_is_not_its_end() {
    let directory = TestDirectory::ready();
    fs::File::create(directory.path("big")).unwrap().set_len(64 << 20).unwrap();
    let fault = "-o t -e trace=read -e inject=read:error=EIO:when=150";
    let Some(output) = directory.traced(fault, "sign -k k.key big") else {
        return skip("a read error deep in a file", "strace does not work");
    };
    output.code(4).err_has("big: input/output error").out_empty();
    assert!(directory.text("t").contains("INJECTED") && !directory.has("big.sig"));
    directory.run("sign -k k.key big").code(0);
    directory.run("verify -p k.pub big").code(0);
}
