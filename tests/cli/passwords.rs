//! Tests for the sources of a password: options, environment variables and the terminal. Also tests
//! commands that get no password, and a signal during the password prompt.

use crate::encryption::encrypt_with_fast_derivation;
use crate::harness::{
    FNDSA, ProgramCall, ProgramOutput, TestDirectory, can_trace, finish, have, signal, skip, wait_for,
};
use base64::Engine;
use std::io::Write;
use std::sync::OnceLock;

/// Returns the files of [`TestDirectory::ready`], the key k encrypted as e.key with the password
/// `open sesame`, and the password in the file pw. If openssl is installed, it encrypts the key
/// with a fast key derivation, to save time. fndsa always writes files with a slow key derivation.
pub fn directory_with_encrypted_key() -> TestDirectory {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    let directory = TestDirectory::ready();
    directory.put("pw", "open sesame\n");
    let encrypted = FILE.get_or_init(|| {
        if have("openssl") {
            return encrypt_with_fast_derivation(&TestDirectory::ready(), "open sesame");
        }
        directory.run("convert k.key -o e.key --to pkcs8-der --encrypt --new-password-file pw").code(0);
        directory.get("e.key")
    });
    directory.put("e.key", encrypted);
    directory.sh("chmod 600 e.key").code(0);
    directory
}

/// Encodes an encrypted key in PEM.
fn encrypted_pem(der: &[u8]) -> String {
    let base64 = base64::engine::general_purpose::STANDARD.encode(der);
    format!("-----BEGIN ENCRYPTED PRIVATE KEY-----\n{base64}\n-----END ENCRYPTED PRIVATE KEY-----\n")
}

/// Returns a call that runs a shell line on a new terminal. The output is copied to the file
/// `screen`.
fn call_on_terminal(directory: &TestDirectory, line: &str) -> ProgramCall {
    let call = ProgramCall::new("script", directory.root()).args("-q -f -e -c").arg(line).arg("screen");
    call.env("SHELL", "/bin/sh").env("FNDSA", FNDSA)
}

/// Runs a command on a new terminal. The input is in the terminal before the program asks for it.
fn run_with_early_input(directory: &TestDirectory, line: &str, input: &str) -> ProgramOutput {
    call_on_terminal(directory, &format!("$FNDSA {line}")).input(input).run()
}

/// Waits for words on the terminal.
fn wait_on_screen(directory: &TestDirectory, words: &str) {
    let is_on_screen =
        || std::fs::read(directory.path("screen")).is_ok_and(|t| String::from_utf8_lossy(&t).contains(words));
    wait_for(words, is_on_screen);
}

/// Runs a command on a new terminal. The test types the input when the program has asked for the
/// password of e.key.
fn run_with_answer(directory: &TestDirectory, line: &str, input: &str) -> ProgramOutput {
    _ = std::fs::remove_file(directory.path("screen"));
    let mut child = call_on_terminal(directory, &format!("$FNDSA {line}")).open_input().spawn();
    let mut keys = child.stdin.take().unwrap();
    wait_on_screen(directory, "assword of e.key: ");
    keys.write_all(input.as_bytes()).unwrap();
    finish(child)
}

#[test]
fn without_a_terminal_and_a_password_source_the_command_fails() {
    if !have("setsid") {
        return skip("no terminal at all", "there is no setsid");
    }
    let directory = directory_with_encrypted_key();
    for line in [
        "sign -k e.key a -o s",
        "pubkey -k e.key",
        "convert e.key -o s --to pem",
        "passwd e.key",
        "passwd e.key --remove",
        "sign --key-env KEY -o s a",
    ] {
        // fndsa does not read the password from standard input, because no option selects standard
        // input.
        let call = ProgramCall::new("setsid", directory.root()).args("-w").arg(FNDSA).args(line);
        let output = call.env("KEY", encrypted_pem(&directory.get("e.key"))).open_input().spawn();
        let output = finish(output).code(5).out_empty();
        for words in
            ["no password is given", "--password-file", "--password-env", "FNDSA_PASSWORD", "FNDSA_PASSWORD_FILE"]
        {
            assert!(output.err.contains(words), "{line}: {}", output.err);
        }
    }
    for line in ["keygen --encrypt n", "convert k.key -o s --to pkcs8 --encrypt", "passwd k.key"] {
        let call = ProgramCall::new("setsid", directory.root()).args("-w").arg(FNDSA).args(line);
        let output = finish(call.open_input().spawn()).code(5).out_empty();
        let options = if line.starts_with("keygen") { "--password-file" } else { "--new-password-file" };
        assert!(output.err.contains("no new password is given") && output.err.contains(options), "{}", output.err);
    }
    assert!(!directory.has("s") && !directory.has("n.key"));
    let json = directory.run("--json sign -k e.key a -o s").code(5).err_empty().json();
    assert_eq!((&json["error"]["reason"], &json["exit_code"]), (&"password_needed".into(), &5.into()));
}

#[test]
fn every_source_opens_the_key() {
    let directory = directory_with_encrypted_key();
    directory.put("e.pem", encrypted_pem(&directory.get("e.key")));
    directory.put("crlf", "open sesame\r\n");
    directory.put("none", "open sesame");
    directory.put("more", "open sesame\nsecond line\n");
    let sign = "-q sign -f -k e.key -o s a";
    let verify = || directory.run("verify -p k.pub -s s a").code(0);
    for file in ["pw", "crlf", "none", "more"] {
        directory.run(&format!("{sign} --password-file {file}")).code(0).err_empty();
        verify();
    }
    directory.call(&format!("{sign} --password-file -")).input("open sesame\n").run().code(0);
    directory.call(&format!("{sign} --password-file /dev/stdin")).input("open sesame").run().code(0);
    directory.call(&format!("{sign} --password-env PW")).env("PW", "open sesame").run().code(0);
    directory.call(sign).env("FNDSA_PASSWORD", "open sesame").run().code(0);
    directory.call(sign).env("FNDSA_PASSWORD_FILE", "pw").run().code(0);
    directory.sh(&format!("$FNDSA {sign} --password-file /dev/fd/3 3<pw")).code(0);
    directory.call("sign -f --key-env KEY --password-file pw -o s a").env("KEY", directory.text("e.pem")).run().code(0);
    verify();
    // fndsa stops reading the password at the line end, and does not wait for the end of the pipe.
    let mut child = directory.call(&format!("{sign} --password-file -")).open_input().spawn();
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(b"open sesame\n").unwrap();
    finish(child).code(0);
    drop(pipe);
    for line in ["pubkey -k e.key", "pubkey -k e.key --password-file -"] {
        let call = if line.ends_with('-') {
            directory.call(line).input("open sesame\n")
        } else {
            directory.call(line).env("FNDSA_PASSWORD", "open sesame")
        };
        assert_eq!(call.run().code(0).stdout, directory.get("k.pub"));
    }
    directory.run("inspect e.key k.pub --password-file pw").code(0).out_has("valid").out_has("a key pair");
    directory.call("inspect e.key e.key --password-file -").input("open sesame\n").run().code(0).out_has("valid");
    // An option has priority over the environment, and the variable with the password has priority
    // over the variable with the file name.
    let run_with_wrong_variables =
        |call: ProgramCall| call.env("FNDSA_PASSWORD", "wrong").env("FNDSA_PASSWORD_FILE", "nosuch").run();
    run_with_wrong_variables(directory.call(&format!("{sign} --password-file pw"))).code(0);
    run_with_wrong_variables(directory.call(sign)).code(5).err_has("wrong password");
    directory.call(sign).env("FNDSA_PASSWORD", "").env("FNDSA_PASSWORD_FILE", "pw").run().code(0);
    directory
        .call(sign)
        .env("FNDSA_PASSWORD_FILE", "nosuch")
        .run()
        .code(4)
        .err_has("FNDSA_PASSWORD_FILE: there is no file with the given name");
}

/// An option with a password is an error if no key needs the password, because the user probably
/// expects that the key is encrypted.
#[test]
fn a_password_without_use_is_reported() {
    let directory = directory_with_encrypted_key();
    let commands = [
        "sign -f -k k.key -o s a",
        "sign -f -k k.key -k k2.key -o s a",
        "pubkey -k k.key",
        "convert -f k.key -o n --to raw",
        "passwd k.key -f -o n --new-password-file pw",
        "inspect k.key",
        "inspect k.key k.pub",
    ];
    for line in commands {
        for option in ["--password-file pw", "--password-file nosuch", "--password-file -", "--password-env PW"] {
            let call =
                || directory.call(&format!("{line} {option}")).env("PW", "open sesame").env("FNDSA_PASSWORD", "x");
            let name = option.split(' ').next().unwrap();
            call().run().code(2).err_has(&format!("{name} is given, but no private key is encrypted"));
            assert!(!directory.has("s") && !directory.has("n"), "{line} {option}");
        }
    }
    for line in
        commands.into_iter().chain(["keygen -f n", "keygen -f -n 2 n", "keygen -f --dual n", "keygen -f -o n.key"])
    {
        for (name, value) in [("FNDSA_PASSWORD", "x"), ("FNDSA_PASSWORD_FILE", "nosuch")] {
            let words = format!("{name} is set, but ");
            directory.remove("n");
            directory.call(line).env(name, value).run().code(0).err_has(&format!("warning: {words}"));
            // `pubkey` writes its result to standard output here, so `--json` is not possible.
            directory.remove("n");
            if !line.starts_with("pubkey") {
                let document = directory.call(&format!("--json {line}")).env(name, value).run().code(0);
                let warnings = document.json()["warnings"].to_string();
                assert!(warnings.contains(&words), "{line}: {warnings}");
            }
            directory.remove("n");
            assert!(!directory.call(line).env(name, "").run().code(0).err.contains("is set, but"), "{line}");
        }
    }
    // These calls print no warning. The user may have set the variables for other commands. An
    // option may be for a different key in the same command.
    for line in ["inspect k.pub", "verify -p k.pub a", "convert -f k.pub -o n --to raw"] {
        assert!(!directory.call(line).env("FNDSA_PASSWORD", "x").run().code(0).err.contains("is set, but"), "{line}");
    }
    directory.run("inspect k.key e.key --password-file pw").code(0);
    directory.run("sign -f -k k2.key -k e.key -o s a --password-file pw").code(0);
    directory.run("inspect k.pub --password-file pw").code(2);
    directory.run("keygen --password-file pw m").code(2);
    directory.run("convert k.key -o m --to raw --new-password-file pw").code(2);
}

#[test]
fn a_wrong_password_is_rejected() {
    let directory = directory_with_encrypted_key();
    for run_with_wrong_variables in ["\n", "open sesam", "open sesame ", "Open sesame", "open sesame\0"] {
        directory.put("wrong", run_with_wrong_variables);
        let code = if run_with_wrong_variables.contains('\0') { 3 } else { 5 };
        let output = directory.run("--json sign -k e.key -o s a --password-file wrong").code(code).err_empty();
        let reason = if code == 3 { "password_unusable" } else { "wrong_password" };
        assert_eq!(output.json()["error"]["reason"], reason);
        directory.run("inspect e.key --password-file wrong").code(code).out_empty().err_has("hint: ");
    }
    assert!(!directory.has("s"));
}

#[test]
fn invalid_passwords_are_rejected() {
    let directory = directory_with_encrypted_key();
    let sign = "sign -k e.key -o s a";
    directory.put("long", "x".repeat(1025));
    directory.put("longest", format!("{}\r\n", "x".repeat(1024)));
    directory.put("nul", "a\0b\n");
    directory.run(&format!("{sign} --password-file long")).code(3).err_has("longer than 1024").err_has("hint: ");
    directory.run(&format!("{sign} --password-file longest")).code(5);
    directory.run(&format!("{sign} --password-file nul")).code(3).err_has("NUL");
    directory.run(&format!("{sign} --password-file /dev/zero")).code(3);
    directory
        .run(&format!("{sign} --password-file nosuch"))
        .code(4)
        .err_has("--password-file: there is no file with the given name");
    directory.run(&format!("{sign} --password-file .")).code(4).err_has("directory");
    directory.call(&format!("{sign} --password-env PW")).env("PW", "x".repeat(2000)).run().code(3);
    directory
        .run(&format!("{sign} --password-env NOSUCH"))
        .code(2)
        .err_has("--password-env: no variable with the given name is set")
        .err_has("hint: ");
    directory.run(&format!("{sign} --password-env A --password-file pw")).code(2);
    for line in [
        "sign -k - -o s a --password-file -",
        "sign -k e.key -o s - --password-file -",
        "pubkey -k - --password-file /dev/stdin",
        "inspect - --password-file -",
        "convert - -o s --to pem --password-file -",
        "passwd e.key --password-file - --new-password-file -",
    ] {
        directory.call(line).input("x").run().code(2).err_has("more than one input");
    }
    directory.run("sign -k e.key -o pw a --password-file pw").code(2).err_has("the output is also an input");
    assert!(!directory.has("s"));
}

#[test]
fn keygen_encrypts_a_key_and_accepts_an_empty_password() {
    let directory = directory_with_encrypted_key();
    directory.run("keygen --encrypt --password-file pw n").code(0).out_empty();
    let key = directory.text("n.key");
    let (line, block) = key.split_once('\n').unwrap();
    assert!(line.starts_with("fndsa private key FN-DSA-512 of public key sha256:"), "{line}");
    assert!(block.starts_with("-----BEGIN ENCRYPTED PRIVATE KEY-----\nMII"));
    assert!(directory.text("n.pub").contains("-----BEGIN FNDSA PUBLIC KEY-----"));
    assert_eq!(directory.mode("n.key"), 0o600);
    directory
        .run("inspect n.key n.pub --password-file pw")
        .code(0)
        .out_has("a key pair")
        .out_has("scrypt N=16384 r=8 p=8, AES-256-CBC");
    directory.call("keygen --encrypt --format pkcs8 m").env("FNDSA_PASSWORD_FILE", "pw").run().code(0);
    assert!(directory.text("m.pub").starts_with("-----BEGIN PUBLIC KEY-----"));
    directory.run("inspect m.key m.pub --password-file pw").code(0).out_has("a key pair");
    let empty = directory.call("keygen --encrypt --password-file - l").input("\n").run();
    empty.code(0).err_has("warning: the new password is empty");
    directory.call("pubkey -k l.key --password-file -").input("\n").run().code(0);
    directory
        .call("pubkey -k l.key --password-file -")
        .input("")
        .run()
        .code(5)
        .err_has("the password is missing, because the input is empty");
    directory.run("pubkey -k l.key --password-file pw").code(5).err_has("wrong password");
    directory.call("pubkey -k l.key").env("FNDSA_PASSWORD", "").run().code(5).err_has("no password is given");
    for (line, words) in [
        ("keygen --encrypt --format raw --password-file pw o", "fndsa cannot encrypt raw files"),
        ("keygen --password-file pw o", "a password is given, but --encrypt is not"),
        ("keygen --encrypt --password-env NOSUCH o", ": no variable with the given name is set"),
        ("keygen --encrypt --password-file pw -a fn-dsa-64 --allow-weak o", "no OID"),
    ] {
        directory.run(line).code(2).err_has(words).err_has("hint: ");
        assert!(!directory.has("o.key") && !directory.has("o.pub"));
    }
    directory.run("keygen --encrypt --password-file pw -n 2 two").code(0);
    for i in [1, 2] {
        directory.run(&format!("inspect two-{i}.key two-{i}.pub --password-file pw")).code(0).out_has("a key pair");
    }
}

#[test]
fn inspect_never_asks() {
    let directory = directory_with_encrypted_key();
    directory.run("inspect e.key").code(0).out_has("PKCS#8 in DER").out_has("not checked").err_empty();
    assert_eq!(directory.run("--json inspect e.key").code(0).json()["results"][0]["der"], true);
    directory.sh("rm e.key; $FNDSA convert k.key -o e.key --to pkcs8 --encrypt --new-password-file pw").code(0);
    directory
        .run("inspect e.key")
        .code(0)
        .out_has("encrypted private key, PKCS#8 in PEM")
        .out_has("not checked: --password-file FILE opens it")
        .err_empty();
    let result = directory.run("--json inspect e.key").code(0).json()["results"][0].clone();
    assert_eq!((&result["kind"], &result["encoding"]), (&"private_key".into(), &"pkcs8".into()));
    assert_eq!(
        (&result["encrypted"], &result["checked"], &result["der"]),
        (&true.into(), &false.into(), &false.into())
    );
    assert_eq!(result["encryption"], "scrypt N=16384 r=8 p=8, AES-256-CBC");
    let result = directory.run("--json inspect e.key --password-file pw").code(0).json()["results"][0].clone();
    assert_eq!(
        (&result["encrypted"], &result["checked"], &result["bytes"]),
        (&true.into(), &true.into(), &1345.into())
    );
    directory.sh("chmod 644 e.key; $FNDSA inspect e.key").code(0).out_has("mode 644");
    if have("script") {
        let output = run_with_early_input(&directory, "inspect e.key", "").code(0);
        assert!(output.out.contains("not checked") && !output.out.contains("assword of"), "{}", output.out);
    }
    // If a private key is given as a public key or as a signature, the error says that the file is
    // a private key.
    directory.run("verify -p e.key a").code(3).err_has("this is a private key, not a public key");
    directory.run("verify -p k.pub -s e.key a").code(3).out_has("this is a private key, not a signature");
}

#[test]
fn the_password_prompt_uses_the_terminal() {
    if !have("script") {
        return skip("password prompts on the terminal", "there is no `script`");
    }
    let directory = directory_with_encrypted_key();
    let output = run_with_early_input(&directory, "sign -f -k e.key -o s a", "open sesame\n").code(0);
    assert!(output.out.contains("Password of e.key: "), "{}", output.out);
    directory.run("verify -p k.pub -s s a").code(0);
    run_with_early_input(&directory, "sign -f -k e.key -o s a", "wrong\n").code(5);
    // The message comes from standard input, but the password comes from the terminal.
    let output = run_with_early_input(&directory, "sign -f -k e.key -o s - <a", "open sesame\n").code(0);
    assert!(output.out.contains("Password of e.key: "), "{}", output.out);
    let output = run_with_early_input(&directory, "keygen --encrypt n", "new\nnew\n").code(0);
    assert!(output.out.contains("New password: ") && output.out.contains("again: "), "{}", output.out);
    directory.call("pubkey -k n.key").env("FNDSA_PASSWORD", "new").run().code(0);
    let output = run_with_early_input(&directory, "keygen --encrypt m", "new\nother\n").code(5);
    assert!(output.out.contains("the two passwords differ") && !directory.has("m.key"), "{}", output.out);
    let output = run_with_early_input(&directory, "passwd e.key", "open sesame\nnew\nnew\n").code(0);
    assert!(output.out.contains("password changed"), "{}", output.out);
    directory.call("pubkey -k e.key").env("FNDSA_PASSWORD", "new").run().code(0);
}

#[test]
fn the_password_is_a_line_that_is_not_echoed() {
    if !have("script") {
        return skip("key presses at the password prompt", "there is no `script`");
    }
    let directory = directory_with_encrypted_key();
    let sign = "-q sign -f -k e.key -o s a";
    // The terminal's editing keys work. The keys that usually stop the program or write a core file
    // have no effect.
    for input in ["open sesame\n", "open sesame\r", "wrong\u{15}open sesamee\u{7f}\n", "open\u{1a} ses\u{1c}ame\n"] {
        let output = run_with_answer(&directory, sign, input).code(0);
        assert_eq!(output.out, "Password of e.key: \r\n", "{input:?}");
    }
    // Control-D after some text ends the password. Control-D alone means that there is no password.
    run_with_answer(&directory, sign, "open sesame\u{4}\u{4}").code(0);
    directory.sh("rm s").code(0);
    assert!(run_with_answer(&directory, sign, "\u{4}").code(5).out.contains("no password is given"));
    assert!(run_with_early_input(&directory, sign, "\u{4}").code(5).out.contains("no password is given"));
    run_with_answer(&directory, sign, "\n").code(5);
    // If the password is too long, fndsa also discards the rest of the line, so the shell's `read`
    // does not get it.
    let longest = format!("{}\n", "x".repeat(1024));
    run_with_answer(&directory, sign, &longest).code(5);
    for len in [1025, 1026, 1027, 3000] {
        let line = format!("{sign}; code=$?; read next; echo $next >next; exit $code");
        let output = run_with_answer(&directory, &line, &format!("{}\u{1a}\nnext\n", "x".repeat(len))).code(3);
        assert!(output.out.contains("/dev/tty") && output.out.contains("longer than 1024"), "{}", output.out);
        assert_eq!(directory.text("next"), "next\n", "{len}");
    }
    assert!(!directory.has("s"));
}

/// A command prefix that traces calls to the terminal. With -D, strace is a separate process, so
/// the program keeps its process ID and its parent.
const TRACED: &str = "strace -D -f -qq -o /dev/null -P /dev/tty";

/// Signs on a terminal with e.key. `around` is the start of the command line, for example `strace`.
/// Runs `meanwhile` with the keyboard and the process ID. Checks that the command restores the
/// terminal settings, and returns its exit code.
#[track_caller]
fn sign_on_terminal(directory: &TestDirectory, around: &str, meanwhile: impl FnOnce(&mut dyn Write, u32)) -> i32 {
    // If the tests were started in the background, they may ignore the interrupt or the hangup, and
    // child processes inherit this. `env` restores the default.
    let exec = format!("exec env --default-signal=HUP,INT,TERM {around} $FNDSA");
    let line = format!("sh -c 'echo $$ >id; {exec} sign -f -k e.key -o s a'");
    let line = format!("trap : INT; stty -a >before; {line}; echo $? >code; stty -a >after");
    for name in ["screen", "id"] {
        _ = std::fs::remove_file(directory.path(name));
    }
    let mut child = call_on_terminal(directory, &line).open_input().spawn();
    // The pipe stays open, because its end would count as typed input.
    let mut keys = child.stdin.take().unwrap();
    wait_for("the process", || std::fs::read(directory.path("id")).is_ok_and(|id| id.ends_with(b"\n")));
    meanwhile(&mut keys, directory.text("id").trim().parse().unwrap());
    finish(child).code(0);
    assert_eq!(directory.text("after"), directory.text("before"), "{around}");
    directory.text("code").trim().parse().unwrap()
}

#[test]
fn a_signal_during_the_prompt_restores_the_terminal() {
    if !have("script") {
        return skip("signals during the password prompt", "there is no `script`");
    }
    let directory = directory_with_encrypted_key();
    let question = "Password of e.key: ";
    for (name, code) in [("TERM", 143), ("INT", 130), ("HUP", 129)] {
        let ended = sign_on_terminal(&directory, "", |_, id| {
            wait_on_screen(&directory, question);
            signal(id, name);
        });
        assert_eq!((ended, directory.has("s")), (code, false));
    }
    // Press the interrupt key (Control-C) while the program asks for the password.
    let ended = sign_on_terminal(&directory, "", |keys, _| {
        wait_on_screen(&directory, question);
        keys.write_all(b"\x03").unwrap();
    });
    assert_eq!((ended, directory.has("s")), (130, false));
    if !can_trace() {
        return skip("signals in each step of a password prompt", "strace does not work here");
    }
    // A step is a system call on the terminal and its number, in the order in which the program
    // makes these calls. The test sends a signal during this call, after it has typed the line.
    for step in ["ioctl 1", "ioctl 2", "ioctl 3", "write 1", "read 1", "read 5", "read 12", "write 2", "ioctl 4"] {
        let (call, when) = step.split_once(' ').unwrap();
        let inject = format!("{TRACED} -e inject={call}:signal=TERM:when={when}");
        // The program might end before the input is typed.
        let ended = sign_on_terminal(&directory, &inject, |keys, _| drop(keys.write_all(b"open sesame\n")));
        assert_eq!((ended, directory.has("s")), (143, false), "{step}");
    }
    let ended = sign_on_terminal(&directory, TRACED, |keys, _| keys.write_all(b"open sesame\n").unwrap());
    assert_eq!((ended, directory.has("s")), (0, true));
}

#[test]
fn the_terminal_is_not_changed_after_a_signal_restored_it() {
    if !have("script") || !can_trace() {
        return skip("a signal just after the password prompt", "there is no `script`, or strace does not work here");
    }
    let directory = directory_with_encrypted_key();
    // With the first delay, the thread that asks for the password continues half a second after the
    // prompt is visible. With the second delay, the thread that restores the terminal ends the
    // program one second after it has restored the terminal.
    let delays = "-e inject=write:delay_exit=500000:when=1 -e inject=ioctl:delay_exit=1000000:when=1";
    let ended = sign_on_terminal(&directory, &format!("{TRACED} {delays}"), |_, id| {
        wait_on_screen(&directory, "Password of e.key: ");
        signal(id, "TERM");
    });
    assert_eq!((ended, directory.has("s")), (143, false));
}

#[test]
fn a_background_process_does_not_prompt_and_ends_on_a_signal() {
    if !have("script") {
        return skip("password prompts in the background", "there is no `script`");
    }
    let directory = directory_with_encrypted_key();
    for (keys_after, code) in [(None, 143), (Some("open sesame\n"), 0)] {
        for name in ["screen", "id"] {
            _ = std::fs::remove_file(directory.path(name));
        }
        let then = if keys_after.is_some() { "fg" } else { "wait $id" };
        let line = format!(
            "set -m; stty -a >before; $FNDSA sign -f -k e.key -o s a & id=$!; echo $id >id; read go; {then}; \
             echo $? >code; stty -a >after"
        );
        let mut child = call_on_terminal(&directory, &line).open_input().spawn();
        let mut keys = child.stdin.take().unwrap();
        wait_for("the process", || std::fs::read(directory.path("id")).is_ok_and(|id| id.ends_with(b"\n")));
        let id: u32 = directory.text("id").trim().parse().unwrap();
        // Returns the process state as a letter, or `None` if the process does not exist.
        let state = || {
            let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next())
        };
        wait_for("the stop", || state() == Some('T'));
        assert!(!directory.text("screen").contains("Password"));
        if let Some(answer) = keys_after {
            keys.write_all(b"\n").unwrap();
            wait_on_screen(&directory, "Password of e.key: ");
            keys.write_all(answer.as_bytes()).unwrap();
        } else {
            signal(id, "TERM");
            signal(id, "CONT");
            wait_for("the end", || matches!(state(), None | Some('Z')));
            keys.write_all(b"\n").unwrap();
        }
        finish(child);
        assert_eq!((directory.text("code").trim(), directory.has("s")), (code.to_string().as_str(), code == 0));
        assert_eq!(directory.text("after"), directory.text("before"));
    }
}

#[test]
fn the_password_is_not_visible_to_other_processes() {
    let directory = directory_with_encrypted_key();
    let names_before = directory.names();
    for line in [
        "-v sign -k e.key -o s a",
        "-v inspect e.key",
        "--json pubkey -k e.key -o p",
        "-v passwd e.key --new-password-file pw",
    ] {
        let output = directory.run(&format!("{line} --password-file pw")).code(0);
        assert!(!output.out.contains("sesame") && !output.err.contains("sesame"), "{output:?}");
    }
    for name in directory.names().iter().filter(|name| *name != "pw") {
        assert!(!String::from_utf8_lossy(&directory.get(name)).contains("sesame"), "{name:?}");
    }
    assert_eq!(directory.names().len(), names_before.len() + 2);
}
