//! Tests for `passwd`: it adds, changes and removes a password, and does not change the file after
//! an error.

use crate::harness::TestDirectory;
use crate::passwords::directory_with_encrypted_key;
use std::os::unix::fs::symlink;

/// Returns whether the password decrypts the file.
fn password_decrypts(place: &TestDirectory, file: &str, password: &str) -> bool {
    let done = place.call("pubkey -k").arg(file).env("FNDSA_PASSWORD", password).run();
    assert!(done.code == 5 || done.stdout == place.get("k.pub"), "{done:?}");
    done.code == 0
}

#[test]
fn passwd_adds_changes_and_removes_a_password() {
    let place = directory_with_encrypted_key();
    place.put("new", "new\n");
    place
        .run("passwd e.key --password-file pw --new-password-file new")
        .code(0)
        .out_empty()
        .err_has("e.key: password changed");
    assert!(password_decrypts(&place, "e.key", "new") && !password_decrypts(&place, "e.key", "open sesame"));
    assert_eq!(place.mode("e.key"), 0o600);
    let done = place.call("passwd e.key --new-password-env N").env("FNDSA_PASSWORD", "new").env("N", "third").run();
    done.code(0);
    assert!(password_decrypts(&place, "e.key", "third"));
    place.put("third", "third");
    place.run("passwd e.key --password-file third --remove").code(0).err_has("e.key: password removed");
    assert_eq!(place.get("e.key"), place.get("k.key"));
    for form in ["pem", "raw", "pkcs8", "pkcs8-der"] {
        place.sh(&format!("rm -f x; $FNDSA convert k.key -o x --to {form}")).code(0);
        place.sh("chmod 644 x").code(0);
        place.call("passwd x --new-password-file -").input("new\n").run().code(0).err_has("x: password added");
        assert_eq!(place.mode("x"), 0o600);
        let der = form == "pkcs8-der";
        let key = place.get("x");
        assert_eq!(key.starts_with(b"fndsa private key FN-DSA-512 of public key sha256:"), !der, "{form}");
        let block = key.split(|b| *b == b'\n').nth(1).unwrap_or_default();
        assert_eq!(block.starts_with(b"-----BEGIN ENCRYPTED PRIVATE KEY"), !der, "{form}");
        place.run("inspect x --password-file new").code(0).out_has(if der { "in DER" } else { "in PEM" });
    }
    let json = place.run("--json passwd x --password-file new --new-password-file pw").code(0).err_empty().json();
    assert_eq!((&json["schema"], &json["results"][0]["encrypted"]), (&"fndsa/passwd@1".into(), &true.into()));
}

#[test]
fn the_old_file_is_kept_after_any_error() {
    let place = directory_with_encrypted_key();
    place.put("new", "new\n");
    let (before, names) = (place.get("e.key"), place.names());
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
        let done = place.run(&format!("passwd e.key {line}")).code(code).out_empty().err_has(words);
        assert!(!done.err.contains("sesame"));
        assert!(place.get("e.key") == before && place.names() == names, "{line}");
    }
    place.run("passwd k.key --remove").code(3).err_has("has no password");
    place.run("passwd k.pub --new-password-file new").code(3).err_has("this is a public key, not a private key");
    place.run("passwd a.sig --new-password-file new").code(3).err_has("this is a signature");
    place.run("passwd nosuch --new-password-file new").code(4);
    place.run("passwd . --new-password-file new").code(4).err_has("directory");
    place.run("passwd").code(2);
    // The write fails halfway.
    place.sh("ulimit -f 0; $FNDSA passwd e.key --password-file pw --new-password-file new").code(4);
    assert!(place.get("e.key") == before && place.names() == names);
}

#[test]
fn the_result_can_be_written_to_another_file() {
    let place = directory_with_encrypted_key();
    let before = place.get("e.key");
    place.run("passwd e.key --password-file pw --remove -o plain").code(0).err_has("plain: password removed");
    assert_eq!((place.get("plain"), place.get("e.key")), (place.get("k.key"), before.clone()));
    assert_eq!(place.mode("plain"), 0o600);
    place.run("passwd k.key --new-password-file pw -o plain").code(4).err_has("exists already");
    place.run("passwd k.key --new-password-file pw -f -o plain").code(0);
    assert!(password_decrypts(&place, "plain", "open sesame"));
    let done = place.call("passwd - --password-file pw --remove -o -").input(before).run().code(0);
    assert_eq!(done.stdout, place.get("k.key"));
    place.call("passwd - --new-password-file pw").input("x").run().code(2).err_has("in place").err_has("-o FILE");
    place.call("passwd /dev/stdin --new-password-file pw").input("x").run().code(2).err_has("in place");
    place.run("--json passwd k.key --new-password-file pw -o -").code(2).err_empty();
}

#[test]
fn a_link_is_rejected_and_its_target_is_reported() {
    let place = directory_with_encrypted_key();
    let before = place.get("e.key");
    symlink("e.key", place.path("link")).unwrap();
    symlink("nosuch", place.path("dangling")).unwrap();
    let line = "--password-file pw --new-password-file pw";
    place.run(&format!("passwd link {line}")).code(2).err_has("link: this is a symbolic link").err_has("/e.key");
    place.run(&format!("passwd dangling {line}")).code(4);
    assert_eq!(place.get("e.key"), before);
    assert!(place.path("link").symlink_metadata().unwrap().is_symlink());
    place.run(&format!("passwd link -o x {line}")).code(0);
    place.sh(&format!("mkfifo p; $FNDSA passwd p {line}")).code(2).err_has("only a regular file");
}

#[test]
fn a_key_with_another_oid_keeps_it() {
    let place = directory_with_encrypted_key();
    place.run("convert k.key -o x --to pkcs8 --oid 1.2.3.4").code(0);
    let before = place.get("x");
    place.run("passwd x --new-password-file pw").code(3).err_has("1.2.3.4");
    place.run("passwd x --oid 1.2.3.4 --new-password-file pw").code(0);
    place.run("pubkey -k x --password-file pw").code(3).err_has("1.2.3.4");
    place.run("convert x -o y --to pkcs8 --oid 1.2.3.4 --password-file pw").code(0);
    assert_eq!(place.get("y"), before);
}
