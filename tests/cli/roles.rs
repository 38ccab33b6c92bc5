//! Tests for files in the wrong argument, and for files from other programs.

use crate::harness::{TestDirectory, body};

const HINT_PUBLIC: &str = "fndsa pubkey";

#[test]
fn a_swapped_file_is_reported_with_a_hint() {
    let directory = TestDirectory::ready();
    directory.put("k.pub.sig", directory.get("a.sig"));
    let pieces: Vec<_> = body(&directory.text("k.key")).as_bytes().chunks(24).map(<[u8]>::to_vec).collect();
    for (line, found, wanted, hint) in [
        ("verify -p k.key a", "private key", "public key", HINT_PUBLIC),
        ("verify -p a.sig a", "signature", "public key", "hint: "),
        ("verify -p a a", "", "", "hint: "),
        ("verify -p k.pub -s k.pub a", "public key", "signature", "hint: "),
        ("verify -p k.pub -s k.key a", "private key", "signature", "hint: "),
        ("verify -p k.pub -s a a", "", "", "hint: "),
        ("verify -p k.pub -s a a.sig", "", "", "hint: "),
        ("sign -k k.pub -o s a", "public key", "private key", "hint: "),
        ("sign -k a.sig -o s a", "signature", "private key", "hint: "),
        ("sign -k a -o s a", "", "", "hint: "),
        ("pubkey -k k.pub", "public key", "private key", "hint: "),
        ("pubkey -k a.sig", "signature", "private key", "hint: "),
    ] {
        let output = directory.run(line).code(3);
        let messages = format!("{}{}", output.out, output.err);
        if !found.is_empty() {
            assert!(messages.contains(&format!("this is a {found}, not a {wanted}")), "{line}: {messages}");
        }
        assert!(messages.contains(hint), "{line}: {messages}");
        for piece in &pieces {
            assert!(!messages.contains(str::from_utf8(piece).unwrap()), "{line}: {messages}");
        }
    }
    assert!(!directory.has("s"));
}

#[test]
fn two_keys_in_a_file_are_rejected() {
    let directory = TestDirectory::ready();
    directory.put("both.pub", [directory.get("k.pub"), directory.get("k2.pub")].concat());
    directory.put("both.key", [directory.get("k.key"), directory.get("k.pub")].concat());
    directory.run("verify -p both.pub a").code(3).err_has("the file has 2 PEM blocks, and only one can be used here");
    directory
        .run("sign -k both.key -o s a")
        .code(3)
        .err_has("the file has 2 PEM blocks, and only one can be used here");
    assert!(!directory.has("s"));
}

#[test]
fn the_label_alone_does_not_decide_the_type() {
    let directory = TestDirectory::ready();
    let key = directory.text("k.key");
    directory.put("x", key.replace("PRIVATE", "PUBLIC"));
    directory.run("verify -p x a").code(3).err_has("first byte");
    directory.put("x", directory.text("k.pub").replace("PUBLIC KEY", "SIGNATURE"));
    directory.run("verify -p k.pub -s x a").code(3);
}

#[test]
fn the_note_and_the_file_name_are_not_trusted() {
    let directory = TestDirectory::ready();
    let text_after_note = |name: &str| directory.text(name).split_once('\n').unwrap().1.to_owned();
    directory.put("key.sig", format!("fndsa signature FN-DSA-1024 by sha256:00\n{}", text_after_note("k.pub")));
    directory.run("verify -p key.sig a").code(0).out_has("FN-DSA-512");
}

#[test]
fn files_of_other_programs_are_reported_by_name() {
    let directory = TestDirectory::ready();
    for (text, words) in [
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n", "OpenSSH"),
        ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "PKCS#8"),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "X.509"),
        ("-----BEGIN PGP SIGNATURE-----\n\nAAAA\n-----END PGP SIGNATURE-----\n", "OpenPGP"),
        ("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 me\n", "OpenSSH public key"),
        ("untrusted comment: minisign public key 1\nRWQ\n", "minisign public key"),
        ("AGE-SECRET-KEY-1QQ\n", "age private key"),
    ] {
        directory.put("x", text);
        for line in ["inspect x", "verify -p x a", "sign -k x -o s a"] {
            directory.run(line).code(3).err_has(words).err_has("hint: ");
        }
        directory.run("verify -p k.pub -s x a").code(3).out_has(words);
    }
}
