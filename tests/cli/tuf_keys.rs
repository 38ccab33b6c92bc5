//! Tests for public keys in the JSON format of TUF and in-toto.

use crate::harness::{TestDirectory, vectors};
use serde_json::{Value, json};

/// Returns a public key from securesystemslib, the Python library of TUF and in-toto.
fn securesystemslib_key(set: &str) -> Value {
    serde_json::from_slice(&vectors(&format!("securesystemslib/dsse-{set}.tuf-key.json"))).unwrap()
}

#[test]
fn keys_have_the_form_of_securesystemslib() {
    let directory = TestDirectory::empty();
    for (set, algorithm) in
        [("mldsa44", "ML-DSA-44"), ("mldsa65", "ML-DSA-65"), ("mldsa87", "ML-DSA-87"), ("ed25519", "Ed25519")]
    {
        directory.put("pub", vectors(&format!("securesystemslib/dsse-{set}.pub.pem")));
        directory.put("theirs", vectors(&format!("securesystemslib/dsse-{set}.tuf-key.json")));
        directory.run("convert -f pub --to tuf-key -o ours").code(0);
        let mut expected = securesystemslib_key(set);
        let keyid = expected.as_object_mut().unwrap().remove("keyid").unwrap();
        assert_eq!(serde_json::from_slice::<Value>(&directory.get("ours")).unwrap(), expected, "{set}");
        let results = directory.run("--json inspect pub theirs ours").code(0).json();
        for result in results["results"].as_array().unwrap() {
            assert_eq!((&result["key"], &result["tuf_key_id"]), (&results["results"][0]["key"], &keyid), "{set}");
            assert_eq!(result["algorithm"], algorithm);
        }
        let inspected =
            directory.run("inspect theirs").code(0).out_has(&format!("{algorithm} public key, TUF key in JSON"));
        inspected.out_has(&format!("theirs: key identifier for in-toto and TUF: {}", keyid.as_str().unwrap()));
        // `convert` makes the same SPKI file from the key's JSON form and from its PEM file.
        directory.run("convert -f theirs --to spki -o spki").code(0);
        directory.run("convert -f pub --to spki -o again").code(0);
        assert_eq!(directory.get("spki"), directory.get("again"), "{set}");
    }
}

#[test]
fn other_keys_have_no_form_in_json() {
    let directory = TestDirectory::ready();
    directory.run("keygen -a ml-dsa-44 m").code(0);
    directory.run("sign -f -k k.key a").code(0);
    directory.run("convert k.pub --to tuf-key -o o").code(2).err_has("TUF has no name for keys of FN-DSA-512");
    directory.run("convert m.key --to tuf-key -o o").code(2).err_has("a private key has no TUF-key form");
    directory.run("convert a.sig --to tuf-key -o o").code(2).err_has("a signature has no TUF-key form");
    directory.run("convert m.key --to tuf-key --encrypt -o o").code(2);
    directory.put("h.pub", vectors("ml-dsa/interop/bouncycastle-1.86/mldsa44.prehash-sha512.pub.der"));
    directory.run("convert h.pub --to tuf-key -o o").code(2).err_has("cannot store the pre-hash of the key");
    directory.run("keygen -a ml-dsa-44 --format tuf-key n").code(2);
    assert!(!directory.has("o"));
}

#[test]
fn damaged_keys_and_other_files_are_errors() {
    let directory = TestDirectory::empty();
    let original = securesystemslib_key("mldsa65");
    let accepted = |key: &Value| {
        directory.put("x", key.to_string());
        directory.run("inspect x").code
    };
    assert_eq!(accepted(&original), 0);
    let pem = original["keyval"]["public"].as_str().unwrap();
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut key = original.clone();
        change(&mut key);
        accepted(&key)
    };
    // fndsa ignores unknown members. The member `keyid` may be missing.
    assert_eq!(changed(&|key| key["x-owner"] = json!(["a", { "public": "b" }])), 0);
    assert_eq!(changed(&|key| drop(key.as_object_mut().unwrap().remove("keyid"))), 0);
    for scheme in ["ml-dsa-44/1", "ml-dsa-65/2", "ml-dsa-65", "ed25519", "rsassa-pss-sha256", ""] {
        assert_eq!(changed(&|key| key["scheme"] = scheme.into()), 3, "{scheme}");
    }
    assert_eq!(changed(&|key| key["keytype"] = "ed25519".into()), 3);
    for public in ["", "-----BEGIN PUBLIC KEY-----\n", &pem[..200], &pem.replace("PUBLIC KEY", "PRIVATE KEY")] {
        assert_eq!(changed(&|key| key["keyval"]["public"] = public.into()), 3, "{public}");
    }
    let other_public = securesystemslib_key("mldsa44")["keyval"]["public"].clone();
    assert_eq!(changed(&|key| key["keyval"]["public"] = other_public.clone()), 3);
    assert_eq!(changed(&|key| key["keyval"] = pem.into()), 3);
    assert_eq!(changed(&|key| key["keyval"]["public"] = json!([pem])), 3);
    for member in ["keytype", "scheme", "keyval"] {
        assert_eq!(changed(&|key| drop(key.as_object_mut().unwrap().remove(member))), 3, "{member}");
        // A member that occurs twice is rejected.
        directory.put("x", original.to_string().replacen('{', &format!("{{\"{member}\":{},", original[member]), 1));
        directory.run("inspect x").code(3);
    }
    for text in [format!("{original}x"), format!("[{original}]"), original.to_string().replace("\\n", "\n")] {
        directory.put("x", text);
        directory.run("inspect x").code(3);
    }
    // Old programs write an empty member `private` into public keys.
    assert_eq!(changed(&|key| key["keyval"]["private"] = "".into()), 0);
    let mut classic = securesystemslib_key("ed25519");
    for (public, code) in [("00", 3), ("zz", 3)] {
        classic["keyval"]["public"] = public.into();
        assert_eq!(accepted(&classic), code, "{public}");
    }
}

/// Writes `text` to a file. Checks that `inspect`, `verify -p` and `verify --trusted-keys` report
/// an error that contains `words`.
#[track_caller]
fn assert_error(directory: &TestDirectory, text: impl AsRef<[u8]>, words: &str) {
    directory.put("x", text);
    directory.run("inspect x").code(3).err_has(words);
    for option in ["-p", "--trusted-keys"] {
        directory.run(&format!("verify {option} x a")).code(3).err_has(words).err_has("hint: ");
    }
}

/// Returns a directory with the file `a`, its signature `a.sig`, the key pair `k`, and the public
/// key in JSON, `k.json`.
fn directory_with_signature() -> TestDirectory {
    let directory = TestDirectory::empty();
    directory.put("a", "message");
    directory.run("keygen -a ml-dsa-44 k").code(0);
    directory.run("convert k.pub --to tuf-key -o k.json").code(0);
    directory.run("sign -k k.key a").code(0);
    for option in ["-p", "--trusted-keys"] {
        directory.run(&format!("verify {option} k.json a")).code(0);
    }
    directory
}

/// If a file with a key in JSON contains a key line such as `revoked:`, fndsa reports an error
/// instead of ignoring the line.
#[test]
fn key_lines_in_a_key_in_json_are_errors() {
    let directory = directory_with_signature();
    let original: Value = serde_json::from_slice(&directory.get("k.json")).unwrap();
    let pem = original["keyval"]["public"].as_str().unwrap();
    for line in ["revoked: it was stolen", "not-after: 2020-01-01", "not-before: 2999-01-01", "context: v1"] {
        // Before a PEM block, the same line is a valid key line, and `verify` answers NO.
        directory.put("x", format!("{line}\n{pem}"));
        directory.run("verify -p x a").code(1);
        let with_public = |public: String| {
            let mut key = original.clone();
            key["keyval"]["public"] = public.into();
            key.to_string()
        };
        assert_error(&directory, with_public(format!("{line}\n{pem}")), "its key is not exactly as programs write it");
        assert_error(&directory, with_public(format!("{pem}{line}\n")), "its key is not exactly as programs write it");
        assert_error(&directory, format!("{line}\n{original}\n"), "x: this is not a ");
        assert_error(&directory, format!("{original}\n{line}\n"), "the file is not exactly one JSON object");
        assert_error(
            &directory,
            original.to_string().replacen(',', &format!(",\n{line}\n"), 1),
            "not exactly one JSON object",
        );
        let (name, value) = line.split_once(": ").unwrap();
        for member in ["/", "/keyval"] {
            let mut key = original.clone();
            let object = key.pointer_mut(member.trim_end_matches('/')).unwrap();
            object[name] = value.into();
            assert_error(&directory, key.to_string(), "it has a member with the name of a key line");
        }
    }
}

#[test]
fn private_keys_and_large_files_are_errors() {
    let directory = directory_with_signature();
    let original: Value = serde_json::from_slice(&directory.get("k.json")).unwrap();
    for member in ["", "/keyval"] {
        for private in [json!("00"), json!(["00"]), json!(null)] {
            let mut key = original.clone();
            key.pointer_mut(member).unwrap()["private"] = private;
            assert_error(&directory, key.to_string(), "it also contains a private key");
        }
    }
    // The number of members is limited to 64, because the reader compares the names of all members.
    let with_members = |count: usize| {
        let mut key = original.clone();
        for number in 0..count - 3 {
            key[format!("x-{number}")] = json!(number);
        }
        key.to_string()
    };
    directory.put("x", with_members(64));
    directory.run("verify -p x a").code(0);
    assert_error(&directory, with_members(65), "more than 64 members");
    let with_length = |length: usize| format!("{original}{}", " ".repeat(length - original.to_string().len()));
    directory.put("x", with_length(64 << 10));
    directory.run("verify -p x a").code(0);
    directory.run("verify --trusted-keys x a").code(0);
    directory.put("x", with_length((64 << 10) + 1));
    for line in ["inspect x", "verify -p x a"] {
        directory.run(line).code(3).err_has("x: the file is too large");
    }
    directory.run("verify --trusted-keys x a").code(3).err_has("the file has more than 64 KiB");
}

/// A file with a PEM key must not also contain a key in JSON, although other text around the PEM
/// block is ignored.
#[test]
fn a_key_in_json_next_to_a_pem_key_is_an_error() {
    let directory = directory_with_signature();
    directory.run("keygen -a fn-dsa-512 f").code(0);
    let (json, fn_dsa) = (directory.text("k.json"), directory.text("f.pub"));
    let pretty = serde_json::to_string_pretty(&serde_json::from_str::<Value>(&json).unwrap()).unwrap();
    for pem in [&fn_dsa, &directory.text("k.pub")] {
        for json in [&json, &pretty] {
            assert_error(&directory, format!("{pem}{json}"), "the file also contains a PEM key");
            assert_error(&directory, format!("{json}\n{pem}"), "the file also contains a PEM key");
        }
    }
    assert_error(&directory, format!("{json}{json}"), "the file is not exactly one JSON object");
    // Text that is JSON, but not a key, is ignored.
    directory.put("x", format!("{{\"keytype\":\"\"}}\n{}", directory.text("k.pub")));
    directory.run("verify -p x a").code(0);
}

#[test]
fn another_key_identifier_in_the_file_is_reported() {
    let directory = TestDirectory::empty();
    let words = "x: warning: the member \"keyid\" of the file is another identifier: ";
    for set in ["mldsa44", "ed25519"] {
        let mut key = securesystemslib_key(set);
        let computed = key["keyid"].clone();
        directory.put("x", key.to_string());
        let output = directory.run("inspect x").code(0);
        assert!(!output.out.contains("warning"), "{}", output.out);
        let upper = computed.as_str().unwrap().to_uppercase();
        for (other, shown) in
            [(json!(upper), &upper[..]), (json!("a\nb\u{1b}"), "a"), (json!(17), "17"), (json!(""), "")]
        {
            key["keyid"] = other.clone();
            directory.put("x", key.to_string());
            let output = directory.run("inspect x").code(0).out_has(&format!("{words}{shown}"));
            assert!(!output.out.contains('\u{1b}') && output.out.lines().count() == 3, "{}", output.out);
            let result = &directory.run("--json inspect x").code(0).json()["results"][0];
            assert_eq!(result["tuf_key_id"], computed, "{set}");
            assert!(result["other_tuf_key_id"].as_str().unwrap().starts_with(shown), "{set}");
        }
    }
}
