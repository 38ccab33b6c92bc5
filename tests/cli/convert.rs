//! `convert`: every option, and what it refuses.

use crate::harness::{Call, FNDSA, Place, have, skip};

#[test]
fn the_wrong_form_for_a_kind_is_a_usage_error_with_a_hint() {
    let place = Place::ready();
    for (line, words, hint) in [
        ("k.key -o x --to spki", "a private key has no SPKI form", "fndsa pubkey"),
        ("k.key -o x --to spki-der", "a private key has no SPKI form", "fndsa pubkey"),
        ("k.pub -o x --to pkcs8", "a public key has no PKCS#8 form", "spki"),
        ("a.sig -o x --to pkcs8", "a signature has no PKCS#8 form", "pem or raw"),
        ("a.sig -o x --to spki-der", "a signature has no SPKI form", "pem or raw"),
        ("k.key -o x --to pem --encrypt", "PEM files are not encrypted", "PKCS#8"),
        ("k.key -o x --to raw --encrypt", "raw files are not encrypted", "PKCS#8"),
        ("k.pub -o x --to spki --encrypt", "SPKI files are not encrypted", "PKCS#8"),
        ("k.pub -o x --to pkcs8 --encrypt --new-password-file a", "a public key has no PKCS#8 form", "spki"),
        ("k.key -o x --to pkcs8 --new-password-file a", "a password without --encrypt", "--encrypt"),
        ("k.key -o x --to pkcs8 --encrypt --new-password-env NOSUCH", "NOSUCH is not set", "export"),
        ("k.key -o x --to pkcs8 --password-env NOSUCH", "NOSUCH is not set", "export"),
        ("k.key -o k.key --to raw", "the output is also an input", "another name"),
        ("- -o x --to pem --password-file -", "more than once", "once"),
        ("k.key -o x --to pkcs8 --encrypt --new-password-file - --password-file -", "more than once", "once"),
        ("--json k.key -o - --to pem", "", ""),
    ] {
        let done = place.run(&format!("convert {line}")).code(2).complains(words);
        assert!(done.err.contains(hint), "{line}: {}", done.err);
        assert!(!place.has("x"));
    }
    for line in ["", "k.key", "k.key -o x", "k.key --to pem", "k.key -o x --to der", "k.key a.sig -o x --to pem"] {
        place.run(&format!("convert {line}")).code(2);
    }
    place.run("convert k.key -o x --to pem --algorithm falcon").code(2).complains("fn-dsa-512");
    let both = "convert k.key -o x --to pem --password-file a --password-env A";
    place.run(both).code(2).complains("cannot be used with");
}

#[test]
fn files_are_written_like_all_others() {
    let place = Place::ready();
    place.sh("umask 0; $FNDSA convert k.key -o x --to pkcs8; $FNDSA convert k.pub -o y --to spki").code(0).quietly();
    assert_eq!((place.mode("x"), place.mode("y")), (0o600, 0o666));
    place.run("convert k.key -o x --to raw").code(4).complains("exists already").complains("--force");
    assert!(place.text("x").starts_with("-----BEGIN PRIVATE KEY"));
    place.run("convert -f k.key -o x --to raw").code(0);
    assert_eq!((place.get("x").len(), place.mode("x")), (1345, 0o600));
    place.run("convert nosuch -o z --to pem").code(4);
    place.run("convert k.key -o nosuch/z --to pem").code(4);
    place.run("convert a -o z --to pem").code(3).complains("not a key or signature");
    place.sh("$FNDSA convert k.key -o - --to pkcs8 >/dev/full").code(4).complains("no space left");
    assert_eq!(place.run("convert k.key -o - --to raw").code(0).stdout, place.get("x"));
    let piped = place.call("convert - -o - --to pem").input(place.get("x")).run().code(0);
    assert_eq!(piped.stdout, place.get("k.key"));
    assert!(!place.has("z"));
}

#[test]
fn a_key_that_is_not_good_is_not_converted() {
    let place = Place::ready();
    place.run("convert k.key -o raw --to raw").code(0);
    let mut raw = place.get("raw");
    raw[700] ^= 1;
    place.put("raw", raw);
    for form in ["pem", "raw", "pkcs8"] {
        place.run(&format!("convert raw -o x --to {form}")).code(3).complains("not a valid private key");
    }
    assert!(!place.has("x"));
    place.run("keygen --allow-weak -a fn-dsa-64 t").code(0);
    place.run("convert t.key -o x --to raw").code(3).complains("toy");
    place.run("convert --allow-weak t.key -o x --to raw").code(0);
    place.run("convert --allow-weak t.key -o y --to pkcs8").code(2).complains("no OID of FN-DSA-64");
    place.run("convert --allow-weak t.key -o y --to pkcs8 --oid 1.2.3").code(0);
    place.run("convert --allow-weak y -o z --to pem --oid 1.2.3").code(0);
    assert_eq!(place.get("z"), place.get("t.key"));
}

#[test]
fn what_was_done_is_said() {
    let place = Place::ready();
    place.put("pw", "pw\n");
    place.run("convert k.key -o e --to pkcs8 --encrypt --new-password-file pw").code(0).mutely().quietly();
    let done = place.run("-v convert e -o k --to pem --password-file pw").code(0).mutely();
    done.complains("note: k has no password").complains("e -> k: FN-DSA-512 private key, PEM");
    assert_eq!(place.get("k"), place.get("k.key"));
    let json = place.run("--json convert k.pub -o y --to spki").code(0).quietly().json();
    let result = &json["results"][0];
    assert_eq!((&json["schema"], &result["status"]), (&"fndsa/convert@1".into(), &"ok".into()));
    assert_eq!((&result["path"], &result["output"]), (&"k.pub".into(), &"y".into()));
    assert!(result["key"]["fingerprint"].as_str().unwrap().starts_with("sha256:"));
    let json = place.run("--json convert k.key -o y --to spki").code(2).quietly().json();
    assert_eq!(json["error"]["reason"], "no_such_form");
    // A weaker password is not asked for: the old one may become the new one.
    place
        .run("convert -f e -o e2 --to pkcs8-der --encrypt --password-file pw --new-password-file pw")
        .code(0)
        .quietly();
    place.run("inspect e2 --password-file pw").code(0).says("PKCS#8 in DER").says("valid");
    place.run("convert e -o e3 --to pkcs8 --encrypt --new-password-file pw").code(5).complains("no password is given");
    assert!(!place.has("e3"));
}

#[test]
fn der_does_not_go_to_a_terminal() {
    if !have("script") {
        return skip("DER to a terminal", "there is no `script`");
    }
    let place = Place::ready();
    for (line, code) in [("k.key -o - --to pkcs8-der", 2), ("k.pub -o - --to spki-der", 2), ("k.pub -o - --to spki", 0)]
    {
        let call = Call::new("script", place.root()).args("-q -e -c");
        call.arg(format!("{FNDSA} convert {line}")).arg("/dev/null").run().code(code);
    }
}
