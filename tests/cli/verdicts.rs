//! Tests for the results of `verify`: text, order, exit codes and JSON.

use crate::harness::TestDirectory;
use std::process::Command;

/// Returns a key's fingerprint from the output of `inspect`.
fn fingerprint(place: &TestDirectory, file: &str) -> String {
    let text = place.run(&format!("inspect {file}")).code(0).out;
    let at = text.find("sha256:").unwrap();
    text[at..at + 71].to_owned()
}

#[test]
fn a_good_signature_is_ok() {
    let place = TestDirectory::ready();
    let done = place.run("verify -p k.pub a").code(0).err_empty();
    assert_eq!(done.out, format!("a: OK (FN-DSA-512 {})\n", fingerprint(&place, "k.pub")));
}

#[test]
fn the_fingerprint_is_the_sha256_of_the_raw_public_key() {
    use sha2::Digest;
    let place = TestDirectory::ready();
    let raw = place.run("pubkey -k k.key --format raw").code(0).stdout;
    let digest: String = sha2::Sha256::digest(&raw).iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(fingerprint(&place, "k.pub"), format!("sha256:{digest}"));
}

#[test]
fn keygen_makes_files_of_the_right_modes() {
    let place = TestDirectory::empty();
    let umask = "umask 022; $FNDSA keygen k && umask 077 && $FNDSA keygen k7 && umask 0 && $FNDSA keygen k0";
    place.sh(umask).code(0).out_empty().err_has("fingerprint").err_has("verify -p k.pub FILE");
    // If the umask removes the owner's permissions, a private key still has them.
    place.sh("umask 0677; $FNDSA keygen k6").code(0);
    let modes = ["k.key", "k.pub", "k7.key", "k7.pub", "k0.key", "k0.pub", "k6.key"].map(|name| place.mode(name));
    assert_eq!(modes, [0o600, 0o644, 0o600, 0o600, 0o600, 0o666, 0o600]);
    assert_eq!(place.names().len(), 8);
}

#[test]
fn a_changed_copy_fails() {
    let place = TestDirectory::ready();
    place.put("t", "hellO\n");
    place.put("t.sig", place.get("a.sig"));
    place.run("verify -p k.pub t").code(1).out_has("t: FAILED (signature does not match").err_has("hint: ");
}

#[test]
fn every_file_has_its_line_in_order() {
    let place = TestDirectory::ready();
    place.put("t", "hellO\n");
    place.put("t.sig", place.get("a.sig"));
    let done = place.run("verify -p k.pub a t nosuch").code(1);
    let lines: Vec<_> = done.out.lines().collect();
    assert_eq!(lines.len(), 3, "{}", done.out);
    for (line, start) in lines.iter().zip(["a: OK (", "t: FAILED (", "nosuch: ERROR ("]) {
        assert!(line.starts_with(start), "{line}");
    }
    place.run("verify -p k.pub a nosuch").code(4);
    place.put("nosuch.sig", "");
    place.run("verify -p k.pub a nosuch").code(3);
}

#[test]
fn quiet_prints_only_failures_and_qq_prints_nothing() {
    let place = TestDirectory::ready();
    place.put("t", "hellO\n");
    place.put("t.sig", place.get("a.sig"));
    place.run("-q verify -p k.pub a").code(0).out_empty().err_empty();
    let done = place.run("verify -q -p k.pub a t").code(1);
    assert!(done.out.starts_with("t: FAILED") && done.out.lines().count() == 1, "{}", done.out);
    place.run("verify -qq -p k.pub a t").code(1).out_empty().err_empty();
    place.run("-qq sign -k nosuch a").code(4).out_empty().err_empty();
    // This also applies to an invalid command line.
    for line in
        ["-qq verify --nosuch a", "verify -q -q --nosuch", "verify --quiet -q", "-qq keygen -n 0 k", "-vqq sgin"]
    {
        place.run(line).code(2).out_empty().err_empty();
    }
    place.run("-q verify --nosuch").code(2).err_has("--nosuch");
    place.run("verify --nosuch -- -qq").code(2).err_has("--nosuch");
    place.run("-qq --json verify --nosuch").code(2).out_has("\"exit_code\":2").err_empty();
}

#[test]
fn the_key_is_printed_if_it_changes() {
    let place = TestDirectory::toy();
    let (k, k2) = ("--allow-weak sign -k k.key", "--allow-weak sign -k k2.key");
    for name in ["c", "d", "e", "f"] {
        place.put(name, name);
    }
    let done = place.run(&format!("{k} b c")).code(0).out_empty();
    assert_eq!(done.err, "wrote 2 signature files\n");
    place.run(&format!("{k2} d e")).code(0);
    place.run(&format!("{k} f")).code(0);
    let name = |key: &str| {
        let text = place.run(&format!("--allow-weak inspect {key}")).code(0).out;
        let at = text.find("sha256:").unwrap();
        text[at..at + 71].to_owned()
    };
    let done = place.run("--allow-weak verify -p k.pub -p k2.pub a b c d e f").code(0).err_empty();
    let (k, k2) = (format!("OK (FN-DSA-16 {})", name("k.pub")), format!("OK (FN-DSA-32 {})", name("k2.pub")));
    assert_eq!(done.out, format!("a: {k}\nb: OK\nc: OK\nd: {k2}\ne: OK\nf: {k}\n"));
    // Output lines name the key only if it changes, and a NO between two files is not such a
    // change. In JSON, all results contain the key.
    place.put("b.sig", place.get("d.sig"));
    let done = place.run("--allow-weak verify -p k.pub a b c").code(1);
    let lines: Vec<_> = done.out.lines().collect();
    assert_eq!((lines[0], lines[2]), (&format!("a: {k}")[..], "c: OK"));
    let json = place.run("--allow-weak --json verify -p k.pub a c").code(0).json();
    assert_eq!(json["results"][0]["key"], json["results"][1]["key"]);
}

#[test]
fn a_written_list_is_reported() {
    let place = TestDirectory::toy();
    let done = place.run("--allow-weak sign -k k.key -M l a b").code(0).out_empty();
    assert!(done.err.starts_with("wrote l (2 files) and l.sig, signed by FN-DSA-16 sha256:"), "{done:?}");
    assert!(done.err.lines().count() == 1);
    place.run("--allow-weak sign -k k.key -M l2 a").code(0).err_has("wrote l2 (1 file) and l2.sig");
    place.run("-q --allow-weak sign -f -k k.key -M l a b").code(0).out_empty().err_empty();
    place.run("--json --allow-weak sign -f -k k.key -M l a b").code(0).err_empty();
    for (line, told) in
        [("a", "wrote a.sig\n"), ("a b", "wrote 2 signature files\n"), ("-o s a", "wrote s\n"), ("-o - a", "")]
    {
        let done = place.run(&format!("--allow-weak sign -f -k k.key {line}")).code(0);
        assert_eq!(done.err, told, "{line}");
        place.run(&format!("-q --allow-weak sign -f -k k.key {line}")).code(0).err_empty();
    }
    place.run("--json --allow-weak sign -f -k k.key a b").code(0).err_empty();
    let done = place.run("--allow-weak sign -f -k k.key a nosuch").code(4);
    assert!(done.err.ends_with("wrote 1 signature file\n"), "{done:?}");
}

#[test]
fn any_of_several_keys_may_match_and_is_reported() {
    let place = TestDirectory::ready();
    place.run("keygen k3").code(0);
    let name = fingerprint(&place, "k.pub");
    place.run("verify -p k2.pub -p k.pub a").code(0).out_has(&name);
    place.run("verify -p k3.pub -p k.pub -p k2.pub a").code(0).out_has(&name);
    place.run("verify -p k3.pub -p k2.pub a").code(1).out_has("does not match");
    place.run("verify -p k3.pub a").code(1);
    place.run("verify -p k3.pub -p nosuch a").code(4);
}

#[test]
fn the_public_key_may_come_from_the_environment() {
    let place = TestDirectory::ready();
    place.call("verify a").env("FNDSA_PUBLIC_KEY", "k.pub").run().code(0);
    place.call("verify -p k2.pub a").env("FNDSA_PUBLIC_KEY", "k.pub").run().code(1);
    place.call("verify a").env("FNDSA_PUBLIC_KEY", "").run().code(2).err_has("FNDSA_PUBLIC_KEY");
    place.run("verify a").code(2).out_empty();
    place.call("sign a -o -").env("FNDSA_KEY", "k.key").run().code(0);
    place.run("sign a -o -").code(2).err_has("FNDSA_KEY");
}

#[test]
fn only_a_key_with_the_expected_fingerprint_is_accepted() {
    let place = TestDirectory::ready();
    let (right, wrong) = (fingerprint(&place, "k.pub"), fingerprint(&place, "k2.pub"));
    place.run(&format!("verify -p k.pub --expect-key {right} a")).code(0);
    place.run(&format!("verify -p k.pub --expect-key {} a", right.to_uppercase().replace("SHA", "sha"))).code(0);
    place.run(&format!("verify -p k.pub --expect-key {} a", &right[7..])).code(0);
    place.run(&format!("verify -p k.pub --expect-key {} a", &wrong[7..])).code(1).out_has("fingerprint");
    place.run(&format!("verify -p k.pub --expect-key {wrong} a")).code(1).out_has("fingerprint");
    // All digits are compared, including the last digit.
    let (last, other) = (right.chars().last().unwrap(), if right.ends_with('0') { '1' } else { '0' });
    let near = format!("{}{other}", right.strip_suffix(last).unwrap());
    place.run(&format!("verify -p k.pub --expect-key {near} a")).code(1).out_has("fingerprint");
    // The expected key is given, but a different key made the signature.
    place.run(&format!("verify -p k.pub -p k2.pub --expect-key {wrong} a")).code(1);
    for bad in ["sha256:00", "abc", &right[8..], &format!("{right}0")] {
        place.run(&format!("verify -p k.pub --expect-key {bad} a")).code(2).out_empty();
    }
}

#[test]
fn a_key_of_another_degree_is_reported_with_both_degrees() {
    let place = TestDirectory::ready();
    place.run("verify -p k2.pub a").code(1).out_has("FN-DSA-512").out_has("FN-DSA-1024").out_has("FAILED");
    place.run("sign -k k2.key -o s2 a").code(0);
    place.run("verify -p k.pub -s s2 a").code(1).out_has("FN-DSA-512").out_has("FN-DSA-1024");
    place.run("verify -p k2.pub -s s2 a").code(0).out_has("FN-DSA-1024");
}

#[test]
fn json_contains_each_verdict() {
    let place = TestDirectory::ready();
    place.put("t", "hellO\n");
    place.put("t.sig", place.get("a.sig"));
    let done = place.run("--json verify -p k.pub a t").code(1).err_empty();
    let (json, name) = (done.json(), fingerprint(&place, "k.pub"));
    assert_eq!(done.out.lines().count(), 1);
    assert_eq!(
        (&json["schema"], &json["ok"], &json["exit_code"]),
        (&"fndsa/verify@1".into(), &false.into(), &1.into())
    );
    let results = json["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    let (good, bad) = (&results[0], &results[1]);
    assert_eq!((&good["path"], &good["status"], &good["bytes"]), (&"a".into(), &"ok".into(), &6.into()));
    assert_eq!((&good["algorithm"], &good["key"]["fingerprint"]), (&"FN-DSA-512".into(), &name.into()));
    assert_eq!((&good["prehash"], &good["context"]["hex"]), (&"none".into(), &"".into()));
    assert_eq!((&bad["status"], &bad["reason"]), (&"failed".into(), &"signature_mismatch".into()));
    assert!(bad["hint"].is_string());

    let json = place.run("--json verify -p k.pub a").code(0).json();
    assert_eq!(json["ok"], true);
    // The document also reports an error that stops the program.
    let json = place.run("--json verify -p nosuch a").code(4).err_empty().json();
    assert_eq!((&json["ok"], &json["error"]["reason"]), (&false.into(), &"not_found".into()));
    let json = place.run("--json verify -p k.pub nosuch").code(4).json();
    assert_eq!(json["results"][0]["reason"], "not_found");
}

#[test]
fn other_commands_also_have_a_document() {
    let place = TestDirectory::ready();
    for (line, schema) in [
        ("--json keygen j", "fndsa/keygen@1"),
        ("--json sign -k k.key b", "fndsa/sign@1"),
        ("--json inspect k.key k.pub b.sig", "fndsa/inspect@1"),
        ("--json pubkey -k k.key -o j2.pub", "fndsa/pubkey@1"),
        ("--json quickstart a", "fndsa/quickstart@1"),
    ] {
        let json = place.run(line).code(0).err_empty().json();
        assert_eq!((&json["schema"], &json["ok"]), (&schema.into(), &true.into()), "{line}");
        assert!(!json["results"].as_array().unwrap().is_empty(), "{line}");
    }
    // The JSON document and the result cannot both use standard output.
    place.run("--json pubkey -k k.key").code(2);
    place.run("--json sign -k k.key -o - a").code(2);
}

#[test]
fn every_level_of_this_cpu_signs_and_verifies() {
    let place = TestDirectory::ready();
    let refused = place.run("--backend nosuch verify -p k.pub a").code(2).out_empty().err_has("available:");
    let list = refused.err.split("available: ").nth(1).unwrap().lines().next().unwrap();
    let levels: Vec<_> = list.split(", ").collect();
    assert!(levels.contains(&"scalar") && levels.contains(&"emulated"), "{levels:?}");
    for level in &levels {
        place.run(&format!("--backend {level} keygen {level}")).code(0);
        for signer in &levels {
            place.run(&format!("--backend {signer} sign -f -k {level}.key -o s a")).code(0);
            for verifier in &levels {
                place.run(&format!("--backend {verifier} verify -p {level}.pub -s s a")).code(0);
                place.run(&format!("--backend {verifier} verify -p {level}.pub -s s b")).code(1);
            }
        }
    }
    place.call("verify -p k.pub a").env("FNDSA_BACKEND", "emulated").run().code(0);
    place.call("verify -p k.pub a").env("FNDSA_BACKEND", "").run().code(0).err_empty();
    place.call("--backend scalar verify -p k.pub a").env("FNDSA_BACKEND", "nosuch").run().code(0);
    place.call("verify -p k.pub a").env("FNDSA_BACKEND", "nosuch").run().code(2).err_has("available:");
    place
        .run("--backend scalar --backend emulated verify -p k.pub a")
        .code(2)
        .err_has("this command takes one level, but");
}

#[test]
fn two_signatures_of_one_file_differ_and_both_verify() {
    let place = TestDirectory::ready();
    place.run("sign -k k.key -o s1 a").code(0);
    place.run("sign -k k.key -o s2 a").code(0);
    assert_ne!(place.get("s1"), place.get("s2"));
    for signature in ["s1", "s2"] {
        place.run(&format!("verify -p k.pub -s {signature} a")).code(0);
    }
}

#[test]
fn a_signature_option_applies_to_one_file() {
    let place = TestDirectory::ready();
    place.run("verify -p k.pub -s a.sig a b").code(2).err_has("one FILE");
    place.run("sign -k k.key -o s a b").code(2);
    assert!(!place.has("s"));
}

#[test]
fn inspect_reports_whether_keys_are_a_pair() {
    let place = TestDirectory::ready();
    place.run("keygen k3").code(0);
    place.run("inspect k.key k.pub").code(0).out_has("a key pair");
    place.run("inspect k.key k3.pub").code(1).out_has("NOT a key pair");
    let json = place.run("--json inspect k.key k3.pub k.pub").code(1).json();
    let matches: Vec<_> = json["pairs"].as_array().unwrap().iter().map(|pair| pair["match"].clone()).collect();
    assert_eq!(matches, [false, true]);
    Command::new("chmod").arg("644").arg(place.path("k.key")).status().unwrap();
    place.run("inspect k.key").code(0).out_has("chmod 600");
}
