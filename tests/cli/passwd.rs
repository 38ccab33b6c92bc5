//! Tests for `passwd`: it adds, changes and removes a password, and does not change the file after
//! an error.

use crate::harness::TestDirectory;
use crate::passwords::directory_with_encrypted_key;
use std::os::unix::fs::symlink;

/// Returns whether the password decrypts the file.
fn password_decrypts(directory: &TestDirectory, file: &str, password: &str) -> bool {
    let output = directory.call("pubkey -k").arg(file).env("FNDSA_PASSWORD", password).run();
    assert!(output.code == 5 || output.stdout == directory.get("k.pub"), "{output:?}");
    output.code == 0
}

#[test]
fn passwd_adds_changes_and_removes_a_password() {
    let directory = directory_with_encrypted_key();
    directory.put("new", "new\n");
    directory
        .run("passwd e.key --password-file pw --new-password-file new")
        .code(0)
        .out_empty()
        .err_has("e.key: password changed");
    assert!(password_decrypts(&directory, "e.key", "new") && !password_decrypts(&directory, "e.key", "open sesame"));
    assert_eq!(directory.mode("e.key"), 0o600);
    let output =
        directory.call("passwd e.key --new-password-env N").env("FNDSA_PASSWORD", "new").env("N", "third").run();
    output.code(0);
    assert!(password_decrypts(&directory, "e.key", "third"));
    directory.put("third", "third");
    directory.run("passwd e.key --password-file third --remove").code(0).err_has("e.key: password removed");
    assert_eq!(directory.get("e.key"), directory.get("k.key"));
    for form in ["pem", "raw", "pkcs8", "pkcs8-der"] {
        directory.sh(&format!("rm -f x; $FNDSA convert k.key -o x --to {form}")).code(0);
        directory.sh("chmod 644 x").code(0);
        directory.call("passwd x --new-password-file -").input("new\n").run().code(0).err_has("x: password added");
        assert_eq!(directory.mode("x"), 0o600);
        let der = form == "pkcs8-der";
        let key = directory.get("x");
        assert_eq!(key.starts_with(b"fndsa private key FN-DSA-512 of public key sha256:"), !der, "{form}");
        let block = key.split(|b| *b == b'\n').nth(1).unwrap_or_default();
        assert_eq!(block.starts_with(b"-----BEGIN ENCRYPTED PRIVATE KEY"), !der, "{form}");
        directory.run("inspect x --password-file new").code(0).out_has(if der { "in DER" } else { "in PEM" });
    }
    let json = directory.run("--json passwd x --password-file new --new-password-file pw").code(0).err_empty().json();
    assert_eq!((&json["schema"], &json["results"][0]["encrypted"]), (&"fndsa/passwd@1".into(), &true.into()));
}

#[test]
fn the_old_file_is_kept_after_any_error() {
    let directory = directory_with_encrypted_key();
    directory.put("new", "new\n");
    let (original, names) = (directory.get("e.key"), directory.names());
    for (line, code, words) in [
        ("--password-file new --new-password-file new", 5, "wrong password"),
        ("--password-file new --remove", 5, "wrong password"),
        ("--new-password-file new", 5, "no password is given"),
        ("--password-file pw", 5, "no new password is given"),
        (
            "--password-file pw --new-password-file nosuch",
            4,
            "--new-password-file: there is no file with the given name",
        ),
        ("--password-file nosuch --new-password-file new", 4, "--password-file: there is no file with the given name"),
        ("--password-file pw --new-password-env NOSUCH", 2, "no variable"),
        ("--password-file pw --remove --new-password-file new", 2, "cannot be used"),
        ("--password-file pw --new-password-file new --force", 2, "--output"),
        ("--password-file pw --new-password-file new -o e.key", 2, "the output is also an input"),
        ("--password-file pw --new-password-file new -o k.key", 4, "exists already"),
    ] {
        let output = directory.run(&format!("passwd e.key {line}")).code(code).out_empty().err_has(words);
        assert!(!output.err.contains("sesame"));
        assert!(directory.get("e.key") == original && directory.names() == names, "{line}");
    }
    directory.run("passwd k.key --remove").code(3).err_has("has no password");
    directory.run("passwd k.pub --new-password-file new").code(3).err_has("this is a public key, not a private key");
    directory.run("passwd a.sig --new-password-file new").code(3).err_has("this is a signature");
    directory.run("passwd nosuch --new-password-file new").code(4);
    directory.run("passwd . --new-password-file new").code(4).err_has("directory");
    directory.run("passwd").code(2);
    // The limit makes the program fail while it writes the new file.
    directory.sh("ulimit -f 0; $FNDSA passwd e.key --password-file pw --new-password-file new").code(4);
    assert!(directory.get("e.key") == original && directory.names() == names);
}

#[test]
fn the_result_can_be_written_to_another_file() {
    let directory = directory_with_encrypted_key();
    let original = directory.get("e.key");
    directory.run("passwd e.key --password-file pw --remove -o plain").code(0).err_has("plain: password removed");
    assert_eq!((directory.get("plain"), directory.get("e.key")), (directory.get("k.key"), original.clone()));
    assert_eq!(directory.mode("plain"), 0o600);
    directory.run("passwd k.key --new-password-file pw -o plain").code(4).err_has("exists already");
    directory.run("passwd k.key --new-password-file pw -f -o plain").code(0);
    assert!(password_decrypts(&directory, "plain", "open sesame"));
    let output = directory.call("passwd - --password-file pw --remove -o -").input(original).run().code(0);
    assert_eq!(output.stdout, directory.get("k.key"));
    directory.call("passwd - --new-password-file pw").input("x").run().code(2).err_has("in place").err_has("-o FILE");
    directory.call("passwd /dev/stdin --new-password-file pw").input("x").run().code(2).err_has("in place");
    directory.run("--json passwd k.key --new-password-file pw -o -").code(2).err_empty();
}

#[test]
fn a_link_is_rejected_and_its_target_is_reported() {
    let directory = directory_with_encrypted_key();
    let original = directory.get("e.key");
    symlink("e.key", directory.path("link")).unwrap();
    symlink("nosuch", directory.path("dangling")).unwrap();
    let line = "--password-file pw --new-password-file pw";
    directory.run(&format!("passwd link {line}")).code(2).err_has("link: this is a symbolic link").err_has("/e.key");
    directory.run(&format!("passwd dangling {line}")).code(4);
    assert_eq!(directory.get("e.key"), original);
    assert!(directory.path("link").symlink_metadata().unwrap().is_symlink());
    directory.run(&format!("passwd link -o x {line}")).code(0);
    directory.sh(&format!("mkfifo p; $FNDSA passwd p {line}")).code(2).err_has("only a regular file");
}

#[test]
fn a_password_change_keeps_another_oid() {
    let directory = directory_with_encrypted_key();
    directory.run("convert k.key -o x --to pkcs8 --oid 1.2.3.4").code(0);
    let original = directory.get("x");
    directory.run("passwd x --new-password-file pw").code(3).err_has("1.2.3.4");
    directory.run("passwd x --oid 1.2.3.4 --new-password-file pw").code(0);
    directory.run("pubkey -k x --password-file pw").code(3).err_has("1.2.3.4");
    directory.run("convert x -o y --to pkcs8 --oid 1.2.3.4 --password-file pw").code(0);
    assert_eq!(directory.get("y"), original);
}
