//! Tests for public keys in the JSON format of TUF and in-toto.

use crate::harness::{TestDirectory, vectors};
use serde_json::{Value, json};

/// Returns a key of securesystemslib.
fn theirs(set: &str) -> Value {
    serde_json::from_slice(&vectors(&format!("securesystemslib/dsse-{set}.tuf-key.json"))).unwrap()
}

#[test]
fn keys_are_written_as_securesystemslib_writes_them() {
    let place = TestDirectory::empty();
    for (set, algorithm) in
        [("mldsa44", "ML-DSA-44"), ("mldsa65", "ML-DSA-65"), ("mldsa87", "ML-DSA-87"), ("ed25519", "Ed25519")]
    {
        place.put("pub", vectors(&format!("securesystemslib/dsse-{set}.pub.pem")));
        place.put("theirs", vectors(&format!("securesystemslib/dsse-{set}.tuf-key.json")));
        place.run("convert -f pub --to tuf-key -o ours").code(0);
        let mut expected = theirs(set);
        let keyid = expected.as_object_mut().unwrap().remove("keyid").unwrap();
        assert_eq!(serde_json::from_slice::<Value>(&place.get("ours")).unwrap(), expected, "{set}");
        let results = place.run("--json inspect pub theirs ours").code(0).json();
        for result in results["results"].as_array().unwrap() {
            assert_eq!((&result["key"], &result["tuf_key_id"]), (&results["results"][0]["key"], &keyid), "{set}");
            assert_eq!(result["algorithm"], algorithm);
        }
        let inspected = place.run("inspect theirs").code(0).says(&format!("{algorithm} public key, TUF key in JSON"));
        inspected.says(&format!("theirs: key identifier for in-toto and TUF: {}", keyid.as_str().unwrap()));
        // The key can be converted back, and then it is the same file.
        place.run("convert -f theirs --to spki -o spki").code(0);
        place.run("convert -f pub --to spki -o again").code(0);
        assert_eq!(place.get("spki"), place.get("again"), "{set}");
    }
}

#[test]
fn other_keys_have_no_such_form() {
    let place = TestDirectory::ready();
    place.run("keygen -a ml-dsa-44 m").code(0);
    place.run("sign -f -k k.key a").code(0);
    place.run("convert k.pub --to tuf-key -o o").code(2).complains("TUF has no name for keys of FN-DSA-512");
    place.run("convert m.key --to tuf-key -o o").code(2).complains("a private key has no TUF-key form");
    place.run("convert a.sig --to tuf-key -o o").code(2).complains("a signature has no TUF-key form");
    place.run("convert m.key --to tuf-key --encrypt -o o").code(2);
    place.put("h.pub", vectors("ml-dsa/interop/bouncycastle-1.86/mldsa44.prehash-sha512.pub.der"));
    place.run("convert h.pub --to tuf-key -o o").code(2).complains("cannot store the pre-hash of the key");
    place.run("keygen -a ml-dsa-44 --format tuf-key n").code(2);
    assert!(!place.has("o"));
}

#[test]
fn damaged_keys_and_other_files_are_errors() {
    let place = TestDirectory::empty();
    let good = theirs("mldsa65");
    let accepted = |key: &Value| {
        place.put("x", key.to_string());
        place.run("inspect x").code
    };
    assert_eq!(accepted(&good), 0);
    let pem = good["keyval"]["public"].as_str().unwrap();
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut key = good.clone();
        change(&mut key);
        accepted(&key)
    };
    // Programs may add members, for example `keyid` and the owner of the key.
    assert_eq!(changed(&|it| it["x-owner"] = json!(["a", { "public": "b" }])), 0);
    assert_eq!(changed(&|it| drop(it.as_object_mut().unwrap().remove("keyid"))), 0);
    for scheme in ["ml-dsa-44/1", "ml-dsa-65/2", "ml-dsa-65", "ed25519", "rsassa-pss-sha256", ""] {
        assert_eq!(changed(&|it| it["scheme"] = scheme.into()), 3, "{scheme}");
    }
    assert_eq!(changed(&|it| it["keytype"] = "ed25519".into()), 3);
    for public in ["", "-----BEGIN PUBLIC KEY-----\n", &pem[..200], &pem.replace("PUBLIC KEY", "PRIVATE KEY")] {
        assert_eq!(changed(&|it| it["keyval"]["public"] = public.into()), 3, "{public}");
    }
    let other = theirs("mldsa44")["keyval"]["public"].clone();
    assert_eq!(changed(&|it| it["keyval"]["public"] = other.clone()), 3);
    assert_eq!(changed(&|it| it["keyval"] = pem.into()), 3);
    assert_eq!(changed(&|it| it["keyval"]["public"] = json!([pem])), 3);
    for member in ["keytype", "scheme", "keyval"] {
        assert_eq!(changed(&|it| drop(it.as_object_mut().unwrap().remove(member))), 3, "{member}");
        // A member that occurs twice is ambiguous.
        place.put("x", good.to_string().replacen('{', &format!("{{\"{member}\":{},", good[member]), 1));
        place.run("inspect x").code(3);
    }
    for text in [format!("{good}x"), format!("[{good}]"), good.to_string().replace("\\n", "\n")] {
        place.put("x", text);
        place.run("inspect x").code(3);
    }
    let mut classic = theirs("ed25519");
    for (public, code) in [("00", 3), ("zz", 3)] {
        classic["keyval"]["public"] = public.into();
        assert_eq!(accepted(&classic), code, "{public}");
    }
}
