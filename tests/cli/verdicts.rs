//! Tests for the results of `verify`: text, order, exit codes and JSON.

use crate::harness::TestDirectory;
use std::process::Command;

/// Returns a key's fingerprint from the output of `inspect`.
fn fingerprint(directory: &TestDirectory, file: &str) -> String {
    let text = directory.run(&format!("inspect {file}")).code(0).out;
    let offset = text.find("sha256:").unwrap();
    text[offset..offset + 71].to_owned()
}

#[test]
fn a_good_signature_is_ok() {
    let directory = TestDirectory::ready();
    let output = directory.run("verify -p k.pub a").code(0).err_empty();
    assert_eq!(output.out, format!("a: OK (FN-DSA-512 {})\n", fingerprint(&directory, "k.pub")));
}

#[test]
fn the_fingerprint_is_the_sha256_of_the_raw_public_key() {
    use sha2::Digest;
    let directory = TestDirectory::ready();
    let raw = directory.run("pubkey -k k.key --format raw").code(0).stdout;
    let digest: String = sha2::Sha256::digest(&raw).iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(fingerprint(&directory, "k.pub"), format!("sha256:{digest}"));
}

#[test]
fn keygen_makes_files_of_the_right_modes() {
    let directory = TestDirectory::empty();
    let umask = "umask 022; $FNDSA keygen k && umask 077 && $FNDSA keygen k7 && umask 0 && $FNDSA keygen k0";
    directory.sh(umask).code(0).out_empty().err_has("fingerprint").err_has("verify -p k.pub FILE");
    // Even if the umask removes the owner's permissions, the owner can read and write a new private
    // key.
    directory.sh("umask 0677; $FNDSA keygen k6").code(0);
    let modes = ["k.key", "k.pub", "k7.key", "k7.pub", "k0.key", "k0.pub", "k6.key"].map(|name| directory.mode(name));
    assert_eq!(modes, [0o600, 0o644, 0o600, 0o600, 0o600, 0o666, 0o600]);
    assert_eq!(directory.names().len(), 8);
}

#[test]
fn a_changed_copy_fails() {
    let directory = TestDirectory::ready();
    directory.put("t", "hellO\n");
    directory.put("t.sig", directory.get("a.sig"));
    directory.run("verify -p k.pub t").code(1).out_has("t: FAILED (signature does not match").err_has("hint: ");
}

#[test]
fn every_file_has_its_line_in_order() {
    let directory = TestDirectory::ready();
    directory.put("t", "hellO\n");
    directory.put("t.sig", directory.get("a.sig"));
    let output = directory.run("verify -p k.pub a t nosuch").code(1);
    let lines: Vec<_> = output.out.lines().collect();
    assert_eq!(lines.len(), 3, "{}", output.out);
    for (line, start) in lines.iter().zip(["a: OK (", "t: FAILED (", "nosuch: ERROR ("]) {
        assert!(line.starts_with(start), "{line}");
    }
    directory.run("verify -p k.pub a nosuch").code(4);
    directory.put("nosuch.sig", "");
    directory.run("verify -p k.pub a nosuch").code(3);
}

#[test]
fn quiet_prints_only_failures_and_qq_prints_nothing() {
    let directory = TestDirectory::ready();
    directory.put("t", "hellO\n");
    directory.put("t.sig", directory.get("a.sig"));
    directory.run("-q verify -p k.pub a").code(0).out_empty().err_empty();
    let output = directory.run("verify -q -p k.pub a t").code(1);
    assert!(output.out.starts_with("t: FAILED") && output.out.lines().count() == 1, "{}", output.out);
    directory.run("verify -qq -p k.pub a t").code(1).out_empty().err_empty();
    directory.run("-qq sign -k nosuch a").code(4).out_empty().err_empty();
    // With `-qq`, fndsa does not report an invalid command line either.
    for line in
        ["-qq verify --nosuch a", "verify -q -q --nosuch", "verify --quiet -q", "-qq keygen -n 0 k", "-vqq sgin"]
    {
        directory.run(line).code(2).out_empty().err_empty();
    }
    directory.run("-q verify --nosuch").code(2).err_has("--nosuch");
    directory.run("verify --nosuch -- -qq").code(2).err_has("--nosuch");
    directory.run("-qq --json verify --nosuch").code(2).out_has("\"exit_code\":2").err_empty();
}

#[test]
fn the_key_is_printed_if_it_changes() {
    let directory = TestDirectory::toy();
    let (k, k2) = ("--allow-weak sign -k k.key", "--allow-weak sign -k k2.key");
    for name in ["c", "d", "e", "f"] {
        directory.put(name, name);
    }
    let output = directory.run(&format!("{k} b c")).code(0).out_empty();
    assert_eq!(output.err, "wrote 2 signature files\n");
    directory.run(&format!("{k2} d e")).code(0);
    directory.run(&format!("{k} f")).code(0);
    let name = |key: &str| {
        let text = directory.run(&format!("--allow-weak inspect {key}")).code(0).out;
        let offset = text.find("sha256:").unwrap();
        text[offset..offset + 71].to_owned()
    };
    let output = directory.run("--allow-weak verify -p k.pub -p k2.pub a b c d e f").code(0).err_empty();
    let (k, k2) = (format!("OK (FN-DSA-16 {})", name("k.pub")), format!("OK (FN-DSA-32 {})", name("k2.pub")));
    assert_eq!(output.out, format!("a: {k}\nb: OK\nc: OK\nd: {k2}\ne: OK\nf: {k}\n"));
    // An OK line names the key only if the previous OK line was for a different key. In JSON, all
    // results contain the key.
    directory.put("b.sig", directory.get("d.sig"));
    let output = directory.run("--allow-weak verify -p k.pub a b c").code(1);
    let lines: Vec<_> = output.out.lines().collect();
    assert_eq!((lines[0], lines[2]), (&format!("a: {k}")[..], "c: OK"));
    let json = directory.run("--allow-weak --json verify -p k.pub a c").code(0).json();
    assert_eq!(json["results"][0]["key"], json["results"][1]["key"]);
}

#[test]
fn a_written_list_is_reported() {
    let directory = TestDirectory::toy();
    let output = directory.run("--allow-weak sign -k k.key -M l a b").code(0).out_empty();
    assert!(output.err.starts_with("wrote l (2 files) and l.sig, signed by FN-DSA-16 sha256:"), "{output:?}");
    assert!(output.err.lines().count() == 1);
    directory.run("--allow-weak sign -k k.key -M l2 a").code(0).err_has("wrote l2 (1 file) and l2.sig");
    directory.run("-q --allow-weak sign -f -k k.key -M l a b").code(0).out_empty().err_empty();
    directory.run("--json --allow-weak sign -f -k k.key -M l a b").code(0).err_empty();
    for (line, told) in
        [("a", "wrote a.sig\n"), ("a b", "wrote 2 signature files\n"), ("-o s a", "wrote s\n"), ("-o - a", "")]
    {
        let output = directory.run(&format!("--allow-weak sign -f -k k.key {line}")).code(0);
        assert_eq!(output.err, told, "{line}");
        directory.run(&format!("-q --allow-weak sign -f -k k.key {line}")).code(0).err_empty();
    }
    directory.run("--json --allow-weak sign -f -k k.key a b").code(0).err_empty();
    let output = directory.run("--allow-weak sign -f -k k.key a nosuch").code(4);
    assert!(output.err.ends_with("wrote 1 signature file\n"), "{output:?}");
}

#[test]
fn any_of_several_keys_may_match_and_is_reported() {
    let directory = TestDirectory::ready();
    directory.run("keygen k3").code(0);
    let key_fingerprint = fingerprint(&directory, "k.pub");
    directory.run("verify -p k2.pub -p k.pub a").code(0).out_has(&key_fingerprint);
    directory.run("verify -p k3.pub -p k.pub -p k2.pub a").code(0).out_has(&key_fingerprint);
    directory.run("verify -p k3.pub -p k2.pub a").code(1).out_has("does not match");
    directory.run("verify -p k3.pub a").code(1);
    directory.run("verify -p k3.pub -p nosuch a").code(4);
}

#[test]
fn the_public_key_may_come_from_the_environment() {
    let directory = TestDirectory::ready();
    directory.call("verify a").env("FNDSA_PUBLIC_KEY", "k.pub").run().code(0);
    directory.call("verify -p k2.pub a").env("FNDSA_PUBLIC_KEY", "k.pub").run().code(1);
    directory.call("verify a").env("FNDSA_PUBLIC_KEY", "").run().code(2).err_has("FNDSA_PUBLIC_KEY");
    directory.run("verify a").code(2).out_empty();
    directory.call("sign a -o -").env("FNDSA_KEY", "k.key").run().code(0);
    directory.run("sign a -o -").code(2).err_has("FNDSA_KEY");
}

#[test]
fn only_a_key_with_the_expected_fingerprint_is_accepted() {
    let directory = TestDirectory::ready();
    let (right, wrong) = (fingerprint(&directory, "k.pub"), fingerprint(&directory, "k2.pub"));
    directory.run(&format!("verify -p k.pub --expect-key {right} a")).code(0);
    directory.run(&format!("verify -p k.pub --expect-key {} a", right.to_uppercase().replace("SHA", "sha"))).code(0);
    directory.run(&format!("verify -p k.pub --expect-key {} a", &right[7..])).code(0);
    directory.run(&format!("verify -p k.pub --expect-key {} a", &wrong[7..])).code(1).out_has("fingerprint");
    directory.run(&format!("verify -p k.pub --expect-key {wrong} a")).code(1).out_has("fingerprint");
    // All digits are compared, including the last digit.
    let (last, other) = (right.chars().last().unwrap(), if right.ends_with('0') { '1' } else { '0' });
    let near = format!("{}{other}", right.strip_suffix(last).unwrap());
    directory.run(&format!("verify -p k.pub --expect-key {near} a")).code(1).out_has("fingerprint");
    // The expected key is given, but a different key made the signature.
    directory.run(&format!("verify -p k.pub -p k2.pub --expect-key {wrong} a")).code(1);
    for invalid in ["sha256:00", "abc", &right[8..], &format!("{right}0")] {
        directory.run(&format!("verify -p k.pub --expect-key {invalid} a")).code(2).out_empty();
    }
}

#[test]
fn a_key_of_another_degree_is_reported_with_both_degrees() {
    let directory = TestDirectory::ready();
    directory.run("verify -p k2.pub a").code(1).out_has("FN-DSA-512").out_has("FN-DSA-1024").out_has("FAILED");
    directory.run("sign -k k2.key -o s2 a").code(0);
    directory.run("verify -p k.pub -s s2 a").code(1).out_has("FN-DSA-512").out_has("FN-DSA-1024");
    directory.run("verify -p k2.pub -s s2 a").code(0).out_has("FN-DSA-1024");
}

#[test]
fn json_contains_each_verdict() {
    let directory = TestDirectory::ready();
    directory.put("t", "hellO\n");
    directory.put("t.sig", directory.get("a.sig"));
    let output = directory.run("--json verify -p k.pub a t").code(1).err_empty();
    let (json, key_fingerprint) = (output.json(), fingerprint(&directory, "k.pub"));
    assert_eq!(output.out.lines().count(), 1);
    assert_eq!(
        (&json["schema"], &json["ok"], &json["exit_code"]),
        (&"fndsa/verify@1".into(), &false.into(), &1.into())
    );
    let results = json["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    let (valid, invalid) = (&results[0], &results[1]);
    assert_eq!((&valid["path"], &valid["status"], &valid["bytes"]), (&"a".into(), &"ok".into(), &6.into()));
    assert_eq!((&valid["algorithm"], &valid["key"]["fingerprint"]), (&"FN-DSA-512".into(), &key_fingerprint.into()));
    assert_eq!((&valid["prehash"], &valid["context"]["hex"]), (&"none".into(), &"".into()));
    assert_eq!((&invalid["status"], &invalid["reason"]), (&"failed".into(), &"signature_mismatch".into()));
    assert!(invalid["hint"].is_string());

    let json = directory.run("--json verify -p k.pub a").code(0).json();
    assert_eq!(json["ok"], true);
    // The document also reports an error that stops the program.
    let json = directory.run("--json verify -p nosuch a").code(4).err_empty().json();
    assert_eq!((&json["ok"], &json["error"]["reason"]), (&false.into(), &"not_found".into()));
    let json = directory.run("--json verify -p k.pub nosuch").code(4).json();
    assert_eq!(json["results"][0]["reason"], "not_found");
}

#[test]
fn every_command_writes_a_json_document() {
    let directory = TestDirectory::ready();
    for (line, schema) in [
        ("--json keygen j", "fndsa/keygen@1"),
        ("--json sign -k k.key b", "fndsa/sign@1"),
        ("--json inspect k.key k.pub b.sig", "fndsa/inspect@1"),
        ("--json pubkey -k k.key -o j2.pub", "fndsa/pubkey@1"),
        ("--json quickstart a", "fndsa/quickstart@1"),
    ] {
        let json = directory.run(line).code(0).err_empty().json();
        assert_eq!((&json["schema"], &json["ok"]), (&schema.into(), &true.into()), "{line}");
        assert!(!json["results"].as_array().unwrap().is_empty(), "{line}");
    }
    // The JSON document and the result cannot both use standard output.
    directory.run("--json pubkey -k k.key").code(2);
    directory.run("--json sign -k k.key -o - a").code(2);
}

#[test]
fn every_level_of_this_cpu_signs_and_verifies() {
    let directory = TestDirectory::ready();
    let unknown_level = directory.run("--backend nosuch verify -p k.pub a").code(2).out_empty().err_has("available:");
    let list = unknown_level.err.split("available: ").nth(1).unwrap().lines().next().unwrap();
    let levels: Vec<_> = list.split(", ").collect();
    assert!(levels.contains(&"scalar") && levels.contains(&"emulated"), "{levels:?}");
    for level in &levels {
        directory.run(&format!("--backend {level} keygen {level}")).code(0);
        for signer in &levels {
            directory.run(&format!("--backend {signer} sign -f -k {level}.key -o s a")).code(0);
            for verifier in &levels {
                directory.run(&format!("--backend {verifier} verify -p {level}.pub -s s a")).code(0);
                directory.run(&format!("--backend {verifier} verify -p {level}.pub -s s b")).code(1);
            }
        }
    }
    directory.call("verify -p k.pub a").env("FNDSA_BACKEND", "emulated").run().code(0);
    directory.call("verify -p k.pub a").env("FNDSA_BACKEND", "").run().code(0).err_empty();
    directory.call("--backend scalar verify -p k.pub a").env("FNDSA_BACKEND", "nosuch").run().code(0);
    directory.call("verify -p k.pub a").env("FNDSA_BACKEND", "nosuch").run().code(2).err_has("available:");
    directory
        .run("--backend scalar --backend emulated verify -p k.pub a")
        .code(2)
        .err_has("this command takes one level, but");
}

#[test]
fn two_signatures_of_one_file_differ_and_both_verify() {
    let directory = TestDirectory::ready();
    directory.run("sign -k k.key -o s1 a").code(0);
    directory.run("sign -k k.key -o s2 a").code(0);
    assert_ne!(directory.get("s1"), directory.get("s2"));
    for signature in ["s1", "s2"] {
        directory.run(&format!("verify -p k.pub -s {signature} a")).code(0);
    }
}

#[test]
fn a_signature_option_applies_to_one_file() {
    let directory = TestDirectory::ready();
    directory.run("verify -p k.pub -s a.sig a b").code(2).err_has("one FILE");
    directory.run("sign -k k.key -o s a b").code(2);
    assert!(!directory.has("s"));
}

#[test]
fn inspect_reports_whether_keys_are_a_pair() {
    let directory = TestDirectory::ready();
    directory.run("keygen k3").code(0);
    directory.run("inspect k.key k.pub").code(0).out_has("a key pair");
    directory.run("inspect k.key k3.pub").code(1).out_has("NOT a key pair");
    let json = directory.run("--json inspect k.key k3.pub k.pub").code(1).json();
    let matches: Vec<_> = json["pairs"].as_array().unwrap().iter().map(|pair| pair["match"].clone()).collect();
    assert_eq!(matches, [false, true]);
    Command::new("chmod").arg("644").arg(directory.path("k.key")).status().unwrap();
    directory.run("inspect k.key").code(0).out_has("chmod 600");
}
