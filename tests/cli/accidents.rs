//! Tests for mistakes with files and keys: fndsa does not replace, create or lose a file by
//! accident, and warns if other users can read a private key.

use crate::harness::{TestDirectory, can_trace, finish, skip};
use crate::messages::{MessageCase, RunMethod, row};
use std::ffi::OsString;
use std::fs::{self, OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};

/// Returns the rows about mistakes with files and keys for the message catalogue in `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    let copy_k2 = "cp k2.key o.key";
    vec![
        row(
            "replaces_private_key",
            "sign -f -k k.key -o o.key a",
            4,
            "o.key: this file is a private key, and it was not replaced",
            "keygen",
        )
        .how(RunMethod::After(copy_k2)),
        row(
            "same_output",
            "sign -k k.key b b",
            2,
            "b.sig: two signatures would go to this file",
            "name each file only once",
        ),
        row(
            "password_empty",
            "keygen --encrypt --password-file - n",
            5,
            "the password is missing, because the input is empty",
            "check the program or the CI secret that provides the password;",
        ),
        row(
            "no_memory",
            "passwd k.key --new-password-file x",
            4,
            "16 MiB of memory, and the system does not give it",
            "ulimit",
        )
        .file_x("p")
        .how(RunMethod::Shell("ulimit -v 20000; $FNDSA")),
        row(
            "variable_empty",
            "sign --key-env EMPTY b",
            2,
            "the variable EMPTY is set but empty",
            "check that this CI job receives secrets: CI services do not give",
        )
        .how(RunMethod::Shell("EMPTY= $FNDSA")),
        // `passwd` reads the key, and then the new password from the pipe `f`. Between these two
        // steps, the shell replaces the key file.
        row(
            "changed_meanwhile",
            "passwd k.key --new-password-file f",
            4,
            ": another program changed the file meanwhile, and the file stays as that program left it",
            "try again",
        )
        .how(RunMethod::Shell("mkfifo f; $FNDSA & exec 5>f; cp k2.key n; mv n k.key; echo p >&5; exec 5>&-; wait $!")),
    ]
}

#[test]
fn an_empty_new_password_is_rejected() {
    let directory = TestDirectory::ready();
    directory.put("nothing", "");
    directory.put("line", "\n");
    directory.run("keygen --encrypt --password-file line e").code(0).err_has("the new password is empty");
    for source in ["--password-file nothing", "--password-file /dev/null", "--password-env P"] {
        let call = |line: &str| directory.call(&format!("{line} {source}")).env("P", "").run();
        call("keygen --encrypt n")
            .code(5)
            .err_has("the password is missing, because the input is empty")
            .err_has("hint: ");
        call("sign -k e.key a").code(5).err_has("the password is missing, because the input is empty");
        call("passwd e.key").code(5);
    }
    for source in ["--new-password-file nothing", "--new-password-env P"] {
        directory.call(&format!("passwd k.key {source}")).env("P", "").run().code(5);
        directory.call(&format!("convert k.key -o n.key --encrypt --to pkcs8 {source}")).env("P", "").run().code(5);
    }
    directory.call("sign -k e.key a").env("FNDSA_PASSWORD_FILE", "nothing").run().code(5).err_has("empty");
    assert!(!directory.has("n.key") && directory.text("k.key").contains("FNDSA PRIVATE KEY"));
    directory.run("pubkey -k e.key --password-file line -o p").code(0);
}

#[test]
fn force_replaces_no_private_key() {
    let directory = TestDirectory::ready();
    directory.put("pw", "secret\n");
    for line in [
        "convert k2.key -o raw --to raw",
        "convert k2.key -o p8 --to pkcs8",
        "convert k2.key -o der --to pkcs8-der",
        "convert k2.key -o locked --to pkcs8 --encrypt --new-password-file pw",
        "convert k2.key -o locked.der --to pkcs8-der --encrypt --new-password-file pw",
        "keygen -a falcon-512 -o falcon",
        "keygen -a falcon-512 --format raw -o falcon.raw",
    ] {
        directory.run(line).code(0);
    }
    directory.put("ssh", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n");
    directory.put("two", [directory.get("k.pub"), directory.get("k2.key")].concat());
    let keys = ["k2.key", "raw", "p8", "der", "locked", "locked.der", "falcon", "falcon.raw", "ssh", "two"];
    for key in keys {
        let original = directory.get(key);
        for line in [
            format!("sign -f -k k.key -o {key} a"),
            format!("pubkey -f -k k.key -o {key}"),
            format!("convert -f k.key -o {key} --to raw"),
            format!("keygen -f -o new -p {key}"),
            format!("bench -t 0.001 -w 0 -a 512 -f --export-json {key} verify"),
            format!("bench -t 0.001 -w 0 -a 512 -f --report {key} verify"),
        ] {
            directory
                .run(&line)
                .code(4)
                .err_has(": this file is a private key, and it was not replaced")
                .err_has("hint: ");
            assert!(directory.get(key) == original && !directory.has("new"), "{line}");
        }
    }
    fs::create_dir(directory.path("man")).unwrap();
    directory.put("man/fndsa.1", directory.get("k2.key"));
    directory.run("man -f --dir man").code(4).err_has("is a private key");
    directory.put("l", directory.get("k2.key"));
    directory.run("sign -f -k k.key -M l a b").code(4).err_has("is a private key");
    // With `-f`, commands that write keys replace a private key. If the output is a link, `sign`
    // replaces the link and does not change the link's target.
    directory.run("keygen -f -o raw").code(0);
    directory.run("passwd -f k.key -o p8 --new-password-file pw").code(0);
    symlink("k2.key", directory.path("s")).unwrap();
    directory.run("sign -f -k k.key -o s a").code(0);
    directory.run("sign -f -k k.key -o a.sig a").code(0);
}

#[test]
fn a_rejected_link_has_a_hint_with_another_way() {
    if !can_trace() {
        return skip("a rejected link", "there is no strace, or it may not trace");
    }
    for error in ["EOPNOTSUPP", "EPERM", "ENOSYS", "EACCES", "EXDEV", "EINVAL", "ENOENT"] {
        for inject in [
            format!("-e inject=linkat:error={error}"),
            format!("-e inject=linkat:error={error}:when=1 -e inject=renameat2:error={error}"),
        ] {
            let directory = TestDirectory::toy();
            let names = directory.names();
            let output = directory.traced(&format!("-o /dev/null {inject}"), "--allow-weak sign -k k.key b").unwrap();
            assert_eq!(output.code(0).err, "wrote b.sig\n");
            directory.run("--allow-weak verify -p k.pub b").code(0);
            assert_eq!(directory.names().len(), names.len() + 1, "{inject}: a temporary file is left");
            let output =
                directory.traced(&format!("-o /dev/null {inject}"), "--allow-weak keygen -a fn-dsa-16 n").unwrap();
            output.code(0);
            directory.run("--allow-weak inspect n.key n.pub").code(0);
            assert_eq!((directory.mode("n.key"), directory.names().len()), (0o600, names.len() + 3), "{inject}");
        }
    }
    for error in ["EIO", "EROFS"] {
        let directory = TestDirectory::toy();
        let line = "--allow-weak sign -k k.key b";
        directory.traced(&format!("-o /dev/null -e inject=linkat:error={error}"), line).unwrap().code(4);
        assert!(!directory.has("b.sig"));
    }
}

#[test]
fn a_file_that_is_named_twice_is_not_signed() {
    let directory = TestDirectory::ready();
    symlink(".", directory.path("here")).unwrap();
    directory.put("list", "b\n./b\n");
    for line in ["b b", "b ./b", "./b here/b", "a b .//b", "b --files-from list", "--files-from list"] {
        for force in ["", "-f "] {
            directory
                .run(&format!("sign {force}-k k.key {line}"))
                .code(2)
                .err_has("two signatures would go to this file");
        }
        assert!(!directory.has("b.sig"), "{line}");
    }
    fs::create_dir(directory.path("d")).unwrap();
    directory.put("d/b", "b");
    directory.run("sign -k k.key b d/b").code(0);
    // `--print-mu` writes no files, so a repeated file name is not an error.
    directory.run("sign -k k.key --print-mu b b").code(0);
}

#[test]
fn keygen_does_not_repeat_the_suffix_of_a_key_file() {
    let directory = TestDirectory::empty();
    directory.run("keygen my.key").code(0).err_has("my.key").err_has("my.pub");
    directory.run("keygen other.pub").code(0);
    directory.run("keygen v1.2").code(0);
    directory.run("keygen -n 2 n.key").code(0);
    directory.run("keygen .key").code(0);
    let names = ["my", "n-1", "n-2", "other", "v1.2", ".key"];
    let mut wanted: Vec<String> =
        names.iter().flat_map(|name| [format!("{name}.key"), format!("{name}.pub")]).collect();
    wanted.sort();
    assert_eq!(directory.names(), wanted.iter().map(OsString::from).collect::<Vec<_>>());
    directory.run("keygen my.pub").code(4).err_has("my.key: a private key exists already");
}

/// If two processes change a key's password at the same time, the slower process reports an error.
/// The test lets the second process finish while the first process waits for its new password.
#[test]
fn a_password_change_fails_if_another_process_changed_it_first() {
    let directory = TestDirectory::ready();
    directory.put("pw", "second\n");
    directory.sh("mkfifo f").code(0);
    let first = directory.call("passwd k.key --new-password-file f").spawn();
    // This call waits until the first process opens the pipe.
    let mut pipe = OpenOptions::new().write(true).open(directory.path("f")).unwrap();
    directory.run("passwd k.key --new-password-file pw").code(0);
    let after = directory.get("k.key");
    pipe.write_all(b"first\n").unwrap();
    drop(pipe);
    finish(first).code(4).err_has("k.key: another program changed the file meanwhile").err_has("hint: ");
    assert_eq!(directory.get("k.key"), after);
    directory.run("inspect k.key --password-file pw").code(0).out_has("valid");
    assert!(directory.names().iter().all(|name| !name.to_string_lossy().starts_with(".fndsa-")));
}

/// While a command waits for the password of an encrypted key, a second program replaces the key
/// file. The new file contains a second key with the same password. The command must use the first
/// key, which it has already read.
#[test]
fn a_key_that_is_replaced_while_the_password_is_typed_is_not_used() {
    let directory = TestDirectory::ready();
    directory.put("pw", "secret\n");
    for (from, to) in [("k.key", "first"), ("k2.key", "second")] {
        directory.run(&format!("convert {from} -o {to} --to pkcs8 --encrypt --new-password-file pw")).code(0);
    }
    directory.run("convert k.key -o k.raw --to raw").code(0);
    directory.sh("mkfifo f").code(0);
    let replaced_during = |line: &str| {
        fs::copy(directory.path("first"), directory.path("e.key")).unwrap();
        fs::copy(directory.path("second"), directory.path("new")).unwrap();
        let running = directory.call(&format!("{line} --password-file f")).spawn();
        // This call waits until the command opens the pipe.
        let mut pipe = OpenOptions::new().write(true).open(directory.path("f")).unwrap();
        fs::rename(directory.path("new"), directory.path("e.key")).unwrap();
        pipe.write_all(b"secret\n").unwrap();
        drop(pipe);
        let output = finish(running);
        assert_eq!(directory.get("e.key"), directory.get("second"), "{line}");
        output
    };
    replaced_during("sign -f -k e.key a").code(0);
    directory.run("verify -p k.pub a").code(0);
    directory.run("verify -p k2.pub a").code(1);
    replaced_during("pubkey -k e.key -o p").code(0);
    assert_eq!(directory.get("p"), directory.get("k.pub"));
    replaced_during("convert e.key -o r --to raw").code(0);
    assert_eq!(directory.get("r"), directory.get("k.raw"));
    // `inspect` must also use the key that it has read. `k.pub` belongs to this key, and not to the
    // new content of `e.key`.
    replaced_during("inspect e.key k.pub").code(0).out_has("a key pair");
    replaced_during("passwd e.key --remove").code(4).err_has("another program changed the file meanwhile");
}

#[test]
fn every_use_of_a_private_key_that_others_can_read_causes_a_warning() {
    let directory = TestDirectory::ready();
    directory.put("pw", "secret\n");
    let words = "warning: k.key: mode 644: other users have access to the private key; chmod 600";
    for (mode, expects_warning) in [(0o600, false), (0o400, false), (0o644, true), (0o640, true)] {
        fs::set_permissions(directory.path("k.key"), Permissions::from_mode(mode)).unwrap();
        for line in [
            "sign -f -k k.key a",
            "sign -f -k k.key -M m a b",
            "pubkey -k k.key",
            "convert k.key -f -o o --to pkcs8 --encrypt --new-password-file pw",
            "passwd k.key -f -o o --new-password-file pw",
        ] {
            directory.sh("rm -f o").code(0);
            let output = directory.run(line).code(0);
            assert_eq!(
                output.err.contains("other users have access to the private key"),
                expects_warning,
                "{mode:o} {line}: {}",
                output.err
            );
            assert!(mode != 0o644 || output.err.contains(words), "{line}: {}", output.err);
        }
    }
    let document = directory.run("--json sign -f -k k.key a").code(0).json();
    assert!(document["warnings"][0].as_str().unwrap().starts_with("k.key: mode 640"));
    let document = directory.run("--json pubkey -k k.key -o p").code(0).json();
    assert!(document["warnings"][0].as_str().unwrap().starts_with("k.key: mode 640"));
    for line in ["keygen -o -", "convert k2.key -o - --to pkcs8", "passwd e --remove -o - --password-file pw"] {
        directory.sh("rm -f e; $FNDSA passwd k2.key -o e --new-password-file pw").code(0);
        let open = directory.sh(&format!("umask 022; $FNDSA {line} >f")).code(0);
        assert!(
            open.err.contains("warning: standard output: mode 644: other users have access"),
            "{line}: {}",
            open.err
        );
        directory.sh("rm -f f").code(0);
        let closed = directory.sh(&format!("umask 077; $FNDSA {line} >f; rm f; $FNDSA {line} | cat")).code(0);
        assert!(!closed.err.contains("other users have access"), "{line}: {}", closed.err);
    }
}

#[test]
fn a_key_in_a_variable_may_lack_line_ends() {
    let directory = TestDirectory::ready();
    directory.put("pw", "secret\n");
    directory.run("passwd k.key -o locked --new-password-file pw").code(0);
    directory.run("convert k.key -o der --to pkcs8-der").code(0);
    directory.run("convert k.key -o raw --to raw").code(0);
    directory.run("keygen -a falcon-1024 --format pkcs8 f").code(0);
    let forms = [
        "cat KEY",
        "tr '\\n' ' ' <KEY",
        "grep -v ^fndsa KEY | tr '\\n' ' '",
        "sed 's/$/\\\\n/' KEY | tr -d '\\n'",
        "sed 's/$/\\\\r\\\\n/' KEY | tr -d '\\n'",
        "sed 's/$/\\r/' KEY",
        "base64 -w0 KEY",
        "base64 KEY",
        "base64 KEY | tr '\\n' ' '",
    ];
    for (key, public) in
        [("k.key", "k.pub"), ("locked", "k.pub"), ("f.key", "f.pub"), ("der", "k.pub"), ("raw", "k.pub")]
    {
        for form in forms.iter().filter(|form| !["der", "raw"].contains(&key) || form.starts_with("base64")) {
            let value = form.replace("KEY", key);
            let password = if key == "locked" { "--password-file pw" } else { "" };
            let line = format!(
                "SK=\"$({value})\" $FNDSA sign --key-env SK {password} -f b && $FNDSA -qq verify -p {public} b"
            );
            let output = directory.sh(&line);
            assert_eq!(output.code, 0, "{line}: {}", output.err);
        }
    }
    // `--key-env` rejects a variable that contains two PEM blocks or a truncated key.
    for value in [
        "cat k.key k2.key",
        "cat k.key k2.key | tr '\\n' ' '",
        "head -c 900 k.key | tr '\\n' ' '",
        "head -c 900 k.key | base64",
    ] {
        let output = directory.sh(&format!("SK=\"$({value})\" $FNDSA sign --key-env SK -f b")).code(3);
        assert!(output.err.contains("variable SK: ") && output.err.len() < 300, "{}", output.err);
    }
    for blank in ["", " ", "\n"] {
        directory
            .call("sign --key-env SK b")
            .env("SK", blank)
            .run()
            .code(2)
            .err_has("the variable SK is set but empty");
    }
}
