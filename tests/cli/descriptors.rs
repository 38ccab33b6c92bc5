//! Tests with standard descriptors that are closed when the program starts: fndsa reports an error
//! if it needs a closed descriptor for its input or its result. Also tests that the null device is
//! not a closed descriptor, and that an empty stream causes a warning.

use crate::harness::{FNDSA, TestDirectory};
use crate::messages::{MessageCase, RunMethod, row};
use std::process::{Command, Stdio};

/// Returns the row about a closed standard input for the message catalogue in `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    let closed = "bad file descriptor";
    vec![
        row("io_error", "sign -k k.key -", 4, closed, "the program that started fndsa closed this input")
            .how(RunMethod::Shell("$FNDSA -o s <&-")),
    ]
}

#[test]
fn output_to_a_closed_standard_output_is_an_error() {
    let directory = TestDirectory::ready();
    for line in [
        "sign -k k.key -o - a",
        "sign -k k.key -o /dev/stdout a",
        "sign -k k.key - <a",
        "pubkey -k k.key",
        "--json verify -p k.pub a",
        "verify -p k.pub a",
        "--json sign -k k.key b",
        "inspect k.pub",
        "convert k.key -o - --to raw",
        "keygen -o -",
        "man",
        "completions bash",
        "sign -k k.key --print-mu a",
        "testvectors --count 1",
        "--help",
        "--version",
    ] {
        directory.sh(&format!("$FNDSA {line} >&-")).code(4).err_has("standard output: bad file descriptor");
    }
    // These commands need no standard output: they write the result to a file, or return the
    // verdict in the exit code.
    directory.sh("$FNDSA -q sign -f -k k.key b >&- && $FNDSA -qq verify -p k.pub b >&-").code(0).err_empty();
    directory.sh("$FNDSA verify -p k.pub -s a.sig b >&-").code(1);
    directory.sh("$FNDSA keygen n >&- && $FNDSA inspect n.key n.pub").code(0);
}

#[test]
fn a_closed_standard_input_is_not_an_empty_message() {
    let directory = TestDirectory::ready();
    for line in [
        "sign -k k.key -",
        "sign -k k.key -o s /dev/stdin",
        "sign -k - a",
        "verify -p k.pub -s a.sig -",
        "verify -p - a",
        "inspect -",
        "sign -k k.key --files-from -",
        "keygen --encrypt --password-file - n",
    ] {
        let output = directory.sh(&format!("$FNDSA {line} <&-")).code(4);
        let printed = format!("{}{}", output.out, output.err);
        assert!(printed.contains("bad file descriptor") && printed.contains("hint: "), "{line}: {printed}");
    }
    assert!(!directory.has("s") && !directory.has("n.key"));
    directory.sh("$FNDSA sign -f -k k.key a <&- && $FNDSA verify -p k.pub a <&-").code(0);
}

#[test]
fn a_closed_standard_error_does_not_change_the_exit_code() {
    let directory = TestDirectory::ready();
    directory.sh("$FNDSA verify -p k.pub -s a.sig b 2>&-").code(1).out_has("b: FAILED");
    directory.sh("$FNDSA sign -k nosuch b 2>&-").code(4);
    directory.sh("$FNDSA --json sign -k nosuch b 2>&-").code(4).out_has("not_found");
    directory.sh("$FNDSA sign -k k.key -o /dev/stderr b 2>&-").code(4);
    directory.sh("$FNDSA sign -k k.key -o s b 2>&- && $FNDSA verify -p k.pub -s s b").code(0);
    // If all three descriptors are closed at the start, descriptor 1 later belongs to the null
    // device or to a file that the program opens. `pubkey` must fail, because it would write the
    // public key to this file.
    directory.sh("$FNDSA pubkey -k k.key <&- >&- 2>&-").code(4);
    directory.sh("$FNDSA sign -k k.key b <&- >&- 2>&- && $FNDSA verify -p k.pub b").code(0);
}

/// If a program such as a service manager opens the null device as a standard descriptor, the
/// descriptor counts as open.
#[test]
fn the_null_device_is_not_closed() {
    let directory = TestDirectory::ready();
    for stdin in [Stdio::null(), Stdio::piped()] {
        let mut command = Command::new(FNDSA);
        command.args(["sign", "-f", "-k", "k.key", "-o", "s", "-"]).current_dir(directory.root());
        let output = command.stdin(stdin).stdout(Stdio::null()).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(
            output.status.success()
                && err
                    == "warning: standard input was empty: the program that provides this input may have failed\nwrote s\n",
            "{err}"
        );
    }
    let status = Command::new(FNDSA)
        .args(["pubkey", "-k", "k.key"])
        .current_dir(directory.root())
        .stdout(Stdio::null())
        .status();
    assert!(status.unwrap().success());
}

#[test]
fn an_empty_stream_is_signed_with_a_warning() {
    let directory = TestDirectory::ready();
    directory.put("empty", "");
    directory
        .sh("false | $FNDSA sign -k k.key -o s -")
        .code(0)
        .err_has("warning: standard input was empty: the program that provides this input may have failed");
    directory.run("verify -p k.pub -s s empty").code(0);
    let document = directory.sh("$FNDSA --json sign -k k.key -o s -f - </dev/null").code(0).err_empty().json();
    assert_eq!(
        document["warnings"][0],
        "standard input was empty: the program that provides this input may have failed"
    );
    directory
        .sh("mkfifo f; { : >f & } ; $FNDSA sign -k k.key -o s -f f")
        .code(0)
        .err_has("warning: f was empty: the program that provides this input may have failed");
    // An empty file that is an argument causes no warning.
    directory.run("-q sign -k k.key empty").code(0).err_empty();
}

/// Two names of the same FIFO are an error. The first reader takes all bytes, so the second name
/// would give an empty message.
#[test]
fn two_names_of_a_fifo_are_rejected() {
    let directory = TestDirectory::ready();
    directory.sh("mkfifo p; ln -s p symbolic; ln p hard").code(0);
    for name in ["p", "symbolic", "hard"] {
        directory
            .run(&format!("sign -k k.key a p b {name}"))
            .code(2)
            .err_has(&format!("{name}: this pipe is given for more than one input"));
    }
    assert!(!directory.path("b.sig").exists());
}
