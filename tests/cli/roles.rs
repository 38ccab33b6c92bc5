//! Tests for files in the wrong argument, and for files from other programs.

use crate::harness::{TestDirectory, body};

const HINT_PUBLIC: &str = "fndsa pubkey";

#[test]
fn a_swapped_file_is_reported_with_a_hint() {
    let place = TestDirectory::ready();
    place.put("k.pub.sig", place.get("a.sig"));
    let pieces: Vec<_> = body(&place.text("k.key")).as_bytes().chunks(24).map(<[u8]>::to_vec).collect();
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
        let done = place.run(line).code(3);
        let said = format!("{}{}", done.out, done.err);
        if !found.is_empty() {
            assert!(said.contains(&format!("this is a {found}, not a {wanted}")), "{line}: {said}");
        }
        assert!(said.contains(hint), "{line}: {said}");
        for piece in &pieces {
            assert!(!said.contains(str::from_utf8(piece).unwrap()), "{line}: {said}");
        }
    }
    assert!(!place.has("s"));
}

#[test]
fn two_keys_in_a_file_are_rejected() {
    let place = TestDirectory::ready();
    place.put("both.pub", [place.get("k.pub"), place.get("k2.pub")].concat());
    place.put("both.key", [place.get("k.key"), place.get("k.pub")].concat());
    place.run("verify -p both.pub a").code(3).err_has("the file has 2 PEM blocks, and only one can be used here");
    place.run("sign -k both.key -o s a").code(3).err_has("the file has 2 PEM blocks, and only one can be used here");
    assert!(!place.has("s"));
}

#[test]
fn the_label_alone_does_not_decide_the_type() {
    let place = TestDirectory::ready();
    let key = place.text("k.key");
    place.put("x", key.replace("PRIVATE", "PUBLIC"));
    place.run("verify -p x a").code(3).err_has("first byte");
    place.put("x", place.text("k.pub").replace("PUBLIC KEY", "SIGNATURE"));
    place.run("verify -p k.pub -s x a").code(3);
}

#[test]
fn the_note_and_the_file_name_are_not_trusted() {
    let place = TestDirectory::ready();
    let rest = |name: &str| place.text(name).split_once('\n').unwrap().1.to_owned();
    place.put("key.sig", format!("fndsa signature FN-DSA-1024 by sha256:00\n{}", rest("k.pub")));
    place.run("verify -p key.sig a").code(0).out_has("FN-DSA-512");
}

#[test]
fn files_of_other_programs_are_reported_by_name() {
    let place = TestDirectory::ready();
    for (text, words) in [
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n", "OpenSSH"),
        ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "PKCS#8"),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "X.509"),
        ("-----BEGIN PGP SIGNATURE-----\n\nAAAA\n-----END PGP SIGNATURE-----\n", "OpenPGP"),
        ("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 me\n", "OpenSSH public key"),
        ("untrusted comment: minisign public key 1\nRWQ\n", "minisign public key"),
        ("AGE-SECRET-KEY-1QQ\n", "age private key"),
    ] {
        place.put("x", text);
        for line in ["inspect x", "verify -p x a", "sign -k x -o s a"] {
            place.run(line).code(3).err_has(words).err_has("hint: ");
        }
        place.run("verify -p k.pub -s x a").code(3).out_has(words);
    }
}
