//! Tests for DSSE envelopes: independent code checks the envelopes from `sign --dsse`, and
//! `verify --dsse` rejects invalid envelopes.

use crate::harness::{SplitMixRng, TestDirectory};
use crate::messages::{MessageCase, RunMethod, row};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE, URL_SAFE_NO_PAD};
use fn_dsa::{DOMAIN_NONE, DomainContext, HASH_ID_RAW, VerifyingKey as _, VerifyingKeyStandard};
use serde_json::{Value, json};
use sha2::{Digest, Sha512};

/// The payload type of the envelopes in this file.
pub const TYPE: &str = "application/vnd.in-toto+json";
pub const STATEMENT: &str =
    r#"{"_type":"https://in-toto.io/Statement/v1","subject":[{"name":"a","digest":{"sha256":"00"}}]}"#;

/// Returns the rows about envelopes for the message catalogue in `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    let bad =
        |words, x: &str| row("dsse_envelope", "verify --dsse t -p k.pub x", 3, words, "sign --dsse TYPE").file_x(x);
    vec![
        bad("x: this is not a DSSE envelope: the file is not JSON", "a message"),
        bad("x: this is not a DSSE envelope: the JSON is cut off", "{\"payload\":"),
        bad(
            "the JSON is not an object that has \"payload\", \"payloadType\" and \"signatures\" exactly once",
            r#"{"payload":"","payloadType":"t"}"#,
        ),
        bad(
            "an object has two members \"keyid\", and programs differ in which one they use: ask the signer for a new envelope",
            r#"{"payload":"","payloadType":"t","signatures":[{"sig":"","keyid":"a","keyid":"b"}]}"#,
        ),
        bad("the envelope has no signature", r#"{"payload":"","payloadType":"t","signatures":[]}"#),
        bad("\"payload\" is not base64", r#"{"payload":"*","payloadType":"t","signatures":[{"sig":""}]}"#),
        bad("a \"sig\" is not base64", r#"{"payload":"","payloadType":"t","signatures":[{"sig":"A"}]}"#),
        row(
            "payload_type",
            "verify --dsse text/html -p k.pub a.dsse",
            1,
            "the payload type is \"t\", not \"text/html\"",
            "get the envelope of the expected type from the signer; the",
        )
        .how(RunMethod::After("$FNDSA sign -k k.key --dsse t a")),
    ]
}

/// Computes a payload's pre-authentication encoding (PAE) with independent code.
pub fn encode_pae(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let mut bytes = b"DSSEv1".to_vec();
    for field in [payload_type.as_bytes(), payload] {
        bytes.extend_from_slice(format!(" {} ", field.len()).as_bytes());
        bytes.extend_from_slice(field);
    }
    bytes
}

/// Computes the bytes that a signature in the form of TAP 21 (a TUF proposal) covers: a prefix and
/// the PAE's SHA-512 digest.
pub fn encode_tap21(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    [&b"tuf\x01"[..], &Sha512::digest(encode_pae(payload_type, payload))].concat()
}

/// The content of an envelope, as [`decode_envelope`] returns it.
struct DecodedEnvelope {
    payload: Vec<u8>,
    payload_type: String,
    /// Signatures with their key identifiers.
    signatures: Vec<(String, Vec<u8>)>,
}

/// Decodes an envelope with independent code. Panics if the envelope does not have the form that
/// fndsa writes.
fn decode_envelope(file: &[u8]) -> DecodedEnvelope {
    let envelope: Value = serde_json::from_slice(file).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let bytes = |value: &Value| STANDARD.decode(value.as_str().unwrap()).unwrap();
    assert_eq!(envelope.as_object().unwrap().len(), 3);
    let signatures = envelope["signatures"].as_array().unwrap();
    let signatures = signatures.iter().map(|signature| (text(&signature["keyid"]), bytes(&signature["sig"]))).collect();
    DecodedEnvelope { payload: bytes(&envelope["payload"]), payload_type: text(&envelope["payloadType"]), signatures }
}

/// Verifies an ML-DSA-65 signature with crate `ml-dsa`, an independent implementation.
pub fn verifies_ml_dsa_65(public: &[u8], message: &[u8], signature: &[u8]) -> bool {
    use ml_dsa::{MlDsa65, Signature, VerifyingKey};
    let key = VerifyingKey::<MlDsa65>::decode(&public.try_into().unwrap());
    let signature = signature.try_into().ok().and_then(|bytes| Signature::<MlDsa65>::decode(&bytes));
    signature.is_some_and(|signature| key.verify_with_context(message, b"", &signature))
}

/// Returns a directory with the FN-DSA keys `k` and `k2`, the ML-DSA key `m`, and a statement `s`
/// in an envelope `s.dsse` that is signed by `k` and `m`.
fn directory_with_envelope() -> TestDirectory {
    let directory = TestDirectory::ready();
    directory.run("keygen -a ml-dsa-65 m").code(0);
    directory.put("s", STATEMENT);
    directory.run(&format!("-q sign -k k.key -k m.key --dsse {TYPE} s")).code(0).err_empty();
    directory
}

fn fingerprint(directory: &TestDirectory, key: &str) -> String {
    directory.run(&format!("--json inspect {key}")).json()["results"][0]["key"]["fingerprint"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// Reads the envelope in a file.
pub fn read_envelope(directory: &TestDirectory, name: &str) -> Value {
    serde_json::from_slice(&directory.get(name)).unwrap()
}

/// The encoding agrees with the example in the DSSE specification.
#[test]
fn the_encoding_matches_the_specification() {
    let example = b"DSSEv1 29 http://example.com/HelloWorld 11 hello world";
    assert_eq!(encode_pae("http://example.com/HelloWorld", b"hello world"), example);
    let directory = TestDirectory::ready();
    directory.put("hello", "hello world");
    directory.run("-q sign -k k.key --dsse http://example.com/HelloWorld hello").code(0).err_empty();
    let written = read_envelope(&directory, "hello.dsse");
    assert_eq!(written["payload"], "aGVsbG8gd29ybGQ=");
    // The signature in the envelope is an ordinary signature for the bytes in `example`. But `sign`
    // refuses to sign these bytes as an ordinary file.
    directory.put("pae", example);
    directory.put("sig", STANDARD.decode(written["signatures"][0]["sig"].as_str().unwrap()).unwrap());
    directory.run("verify -p k.pub -s sig pae").code(0);
    directory
        .run("sign -k k.key --format raw pae")
        .code(3)
        .err_has("so an attacker could use its signature in a DSSE envelope");
}

#[test]
fn another_implementation_verifies_written_envelopes() {
    let directory = directory_with_envelope();
    for key in ["k", "m"] {
        directory.run(&format!("convert {key}.pub --to raw -o {key}.raw")).code(0);
    }
    let fn_dsa = VerifyingKeyStandard::decode(&directory.get("k.raw")).unwrap();
    let DecodedEnvelope { payload, payload_type, signatures } = decode_envelope(&directory.get("s.dsse"));
    assert_eq!((&payload[..], &payload_type[..]), (STATEMENT.as_bytes(), TYPE));
    let [(k, by_k), (m, by_m)] = &signatures[..] else { panic!("{signatures:?}") };
    let inspected = directory.run("--json inspect m.pub").json();
    assert_eq!(
        [&json!(k), &json!(m)],
        [&json!(fingerprint(&directory, "k.pub")), &inspected["results"][0]["tuf_key_id"]]
    );
    for (payload_type, payload, original) in
        [(TYPE, &payload[..], true), ("text/plain", &payload, false), (TYPE, b"", false)]
    {
        assert_eq!(fn_dsa.verify(by_k, &DOMAIN_NONE, &HASH_ID_RAW, &encode_pae(payload_type, payload)), original);
        assert_eq!(verifies_ml_dsa_65(&directory.get("m.raw"), &encode_tap21(payload_type, payload), by_m), original);
    }
    assert!(!fn_dsa.verify(by_k, &DOMAIN_NONE, &HASH_ID_RAW, &payload));
    assert!(!verifies_ml_dsa_65(&directory.get("m.raw"), &encode_pae(TYPE, &payload), by_m));
    directory.run(&format!("sign -k k.key --context release -o c --dsse {TYPE} s")).code(0);
    let DecodedEnvelope { payload, signatures, .. } = decode_envelope(&directory.get("c"));
    let message = encode_pae(TYPE, &payload);
    assert!(fn_dsa.verify(&signatures[0].1, &DomainContext(b"release"), &HASH_ID_RAW, &message));
}

#[test]
fn the_payload_is_written_to_the_output_after_a_yes() {
    let directory = directory_with_envelope();
    let verify = |rest: &str| directory.run(&format!("verify --dsse {TYPE} {rest}"));
    verify("-p k.pub -p m.pub --require all s.dsse -o out").code(0).out_has("s.dsse: OK (FN-DSA-512").err_empty();
    assert_eq!(directory.text("out"), STATEMENT);
    verify("-p k.pub s.dsse -o out").code(4).err_has("exists");
    verify("-p k.pub s.dsse -f -o out").code(0);
    verify("-p k2.pub s.dsse -o none").code(1);
    verify("-p k.pub -p k2.pub --require all s.dsse -o none").code(1).err_has("no signature by FN-DSA-1024");
    directory.run("verify --dsse text/plain -p k.pub s.dsse -o none").code(1);
    assert!(!directory.has("none"));
    verify("-p k.pub s.dsse -o -").code(2).err_has("both go to standard output");
    verify("-p k.pub s.dsse -f -o s.dsse").code(2).err_has("the output is also an input");
    let piped =
        format!("cat s | $FNDSA sign -k k.key --dsse {TYPE} - | $FNDSA verify -qq -p k.pub --dsse {TYPE} - -o -");
    assert_eq!(directory.sh(&piped).code(0).out, STATEMENT);
    // fndsa signs several payloads in order, including an empty payload.
    directory.put("empty", "");
    directory.run(&format!("sign -k m.key --dsse {TYPE} empty a b")).code(0);
    let output = verify("-p m.pub empty.dsse a.dsse nosuch b.dsse").code(4);
    assert_eq!(output.out.lines().filter(|line| line.contains(": OK")).count(), 3, "{}", output.out);
}

#[test]
fn the_documents_contain_the_payload_type() {
    let directory = directory_with_envelope();
    let signed = directory.run(&format!("--json sign -f -k k.key -k m.key --dsse {TYPE} s")).code(0).json();
    let result = &signed["results"][0];
    assert_eq!((&result["payload_type"], &result["output"]), (&TYPE.into(), &"s.dsse".into()));
    assert_eq!(result["bytes"], STATEMENT.len());
    let document =
        directory.run(&format!("--json verify -p k.pub -p m.pub --require 2 --dsse {TYPE} s.dsse")).code(0).json();
    let result = &document["results"][0];
    assert_eq!((&result["payload_type"], &result["bytes"]), (&TYPE.into(), &STATEMENT.len().into()));
    assert_eq!(result["keys"].as_array().unwrap().len(), 2);
}

#[test]
fn options_that_exclude_each_other_are_rejected() {
    let directory = directory_with_envelope();
    for line in [
        "sign -k k.key --dsse t --format raw a",
        "sign -k k.key --dsse t --add a",
        "sign -k k.key --dsse t -M l a",
        "sign -k k.key --dsse t --stream",
        "sign -k k.key --dsse t --mu a",
        "sign -k k.key --dsse t --prehash sha512 --prehashed a",
        "sign -k k.key --dsse= a",
        "verify -p k.pub --dsse t -s a.sig a",
        "verify -p k.pub --dsse t --attached a",
        "verify -p k.pub --dsse t --stream",
        "verify -p k.pub --dsse t -M l",
        "verify -p k.pub --dsse= s.dsse",
    ] {
        directory.run(line).code(2).out_empty();
    }
    let long = "t".repeat(256);
    directory.run(&format!("sign -k k.key --dsse {long} a")).code(2).err_has("a text longer than any file name");
    directory
        .run("sign -k k.key -k m.key --format raw a")
        .code(2)
        .err_has("takes one private key, but several are given");
}

#[test]
fn all_forms_that_the_specification_allows_are_accepted() {
    let directory = directory_with_envelope();
    let original = read_envelope(&directory, "s.dsse");
    let bytes = |value: &Value| STANDARD.decode(value.as_str().unwrap()).unwrap();
    let verify = |text: String, code: i32| {
        directory.put("x", &text);
        directory.run(&format!("verify -p k.pub -p m.pub --require 2 --dsse {TYPE} x")).code(code)
    };
    for engine in [URL_SAFE, URL_SAFE_NO_PAD] {
        let mut variant = original.clone();
        variant["payload"] = engine.encode(bytes(&original["payload"])).into();
        for i in 0..2 {
            variant["signatures"][i]["sig"] = engine.encode(bytes(&original["signatures"][i]["sig"])).into();
        }
        verify(variant.to_string(), 0);
    }
    // fndsa accepts unknown members, white space, members in any order, and a `keyid` that is
    // missing or not a string.
    let mut variant = original.clone();
    variant["note"] = json!([{ "payload": "AAAA" }, null]);
    variant["signatures"][0].as_object_mut().unwrap().remove("keyid");
    variant["signatures"][1]["keyid"] = json!(null);
    variant["signatures"][1]["cert"] = json!("-----BEGIN");
    verify(serde_json::to_string_pretty(&variant).unwrap(), 0);
    // fndsa rejects duplicate members, a missing member, and anything before or after the object.
    // Some JSON readers use the first duplicate, and other readers use the last.
    let text = original.to_string();
    for member in ["payload", "payloadType", "signatures"] {
        let twice = text.replacen('{', &format!("{{\"{member}\":{},", original[member]), 1);
        verify(twice, 3).out_has(&format!("an object has two members \"{member}\""));
        let mut without = original.clone();
        without.as_object_mut().unwrap().remove(member);
        verify(without.to_string(), 3)
            .out_has("the JSON is not an object that has \"payload\", \"payloadType\" and \"signatures\" exactly once");
    }
    for member in ["sig", "keyid"] {
        let twice = text.replacen(&format!("\"{member}\":"), &format!("\"{member}\":\"AAAA\",\"{member}\":"), 1);
        verify(twice, 3)
            .out_has(&format!("an object has two members \"{member}\""))
            .out_has("ask the signer for a new envelope");
    }
    verify(format!("{text}{text}"), 3);
    verify(format!("{text}x"), 3);
    verify(format!("[{text}]"), 3);
    verify(format!("\u{feff}{text}"), 3);
    // The members are in an array instead of an object.
    verify(json!([original["payload"], original["payloadType"], original["signatures"]]).to_string(), 3);
    let mut arrays = original.clone();
    for i in 0..2 {
        arrays["signatures"][i] = json!([original["signatures"][i]["sig"]]);
    }
    verify(arrays.to_string(), 3);
    // Invalid base64: a mix of the two alphabets, a line end, wrong padding, and a blank.
    for sig in ["ab+_", "ab\nab", "abc==", "ab c"] {
        let mut variant = original.clone();
        variant["payload"] = sig.into();
        verify(variant.to_string(), 3).out_has("is not base64");
    }
    // A text that is not UTF-8, in a member that fndsa ignores.
    directory.put("x", [&b"{\"other\":\"\xe2\","[..], &text.as_bytes()[1..]].concat());
    directory.run(&format!("verify -p k.pub --dsse {TYPE} x")).code(3).out_has("the JSON is not UTF-8");
}

#[test]
fn signatures_of_unknown_keys_are_ignored() {
    let directory = directory_with_envelope();
    let mut x_envelope = read_envelope(&directory, "s.dsse");
    x_envelope["signatures"]
        .as_array_mut()
        .unwrap()
        .insert(0, json!({ "keyid": "x", "sig": STANDARD.encode([7; 71]) }));
    directory.put("x", x_envelope.to_string());
    let verify =
        |rest: &str| directory.run(&format!("--json verify -p k.pub -p m.pub --require 2 --dsse {TYPE} {rest}"));
    let document = verify("x").code(0).json();
    assert!(
        document["results"][0]["ignored"][0]
            .as_str()
            .unwrap()
            .starts_with("signature 1 (71 bytes, of an unknown algorithm)")
    );
    // A PEM file is not accepted as the raw signature in an envelope.
    directory.run("sign -f -k k.key a").code(0);
    x_envelope["signatures"] = json!([{ "sig": STANDARD.encode(directory.get("a.sig")) }]);
    directory.put("x", x_envelope.to_string());
    verify("x").code(3);
    x_envelope["signatures"] = json!([{ "sig": "" }]);
    directory.put("x", x_envelope.to_string());
    verify("x").code(3);
    x_envelope["signatures"] = vec![json!({ "sig": "" }); 65].into();
    directory.put("x", x_envelope.to_string());
    assert_eq!(verify("x").code(3).json()["results"][0]["reason"], "too_many_signatures");
}

#[test]
fn a_large_envelope_is_rejected() {
    let directory = TestDirectory::ready();
    directory.sh("head -c 34000000 /dev/zero >big; head -c 68000000 /dev/zero >huge").code(0);
    directory.run("sign -k k.key --dsse t big").code(3).err_has("the file is too large (limit 32 MiB)");
    directory.run("verify -p k.pub --dsse t huge").code(3).out_has("the file is too large (limit 64 MiB)");
    assert!(!directory.has("big.dsse"));
}

#[test]
fn changed_payloads_and_types_are_rejected() {
    let directory = directory_with_envelope();
    let original = read_envelope(&directory, "s.dsse");
    directory.put("t", STATEMENT.replace("\"a\"", "\"b\""));
    directory.run(&format!("sign -k k.key -k m.key --dsse {TYPE} t")).code(0);
    let second_envelope = read_envelope(&directory, "t.dsse");
    let [k, m] = [0, 1].map(|i| original["signatures"][i].clone());
    let changed_text = |change: &dyn Fn(&mut Value)| {
        let mut envelope = original.clone();
        change(&mut envelope);
        envelope.to_string()
    };
    let rows: [(&str, String, i32, &str); 10] = [
        ("as it was", original.to_string(), 0, TYPE),
        (
            "the payload of another",
            changed_text(&|changed_envelope| changed_envelope["payload"] = second_envelope["payload"].clone()),
            1,
            TYPE,
        ),
        (
            "both signatures of another envelope",
            changed_text(&|changed_envelope| changed_envelope["signatures"] = second_envelope["signatures"].clone()),
            1,
            TYPE,
        ),
        (
            "one signature of another envelope",
            changed_text(&|changed_envelope| {
                changed_envelope["signatures"][1] = second_envelope["signatures"][1].clone()
            }),
            1,
            TYPE,
        ),
        (
            "another type",
            changed_text(&|changed_envelope| changed_envelope["payloadType"] = "text/plain".into()),
            1,
            "text/plain",
        ),
        (
            "the envelope has another type than the option --dsse",
            changed_text(&|changed_envelope| changed_envelope["payloadType"] = "text/plain".into()),
            1,
            TYPE,
        ),
        ("the option --dsse has other capital letters", original.to_string(), 1, "application/vnd.in-toto+JSON"),
        (
            "one signature is removed",
            changed_text(&|changed_envelope| changed_envelope["signatures"] = json!([k])),
            1,
            TYPE,
        ),
        (
            "one signature twice",
            changed_text(&|changed_envelope| changed_envelope["signatures"] = json!([k, k])),
            1,
            TYPE,
        ),
        (
            "the key identifiers are swapped",
            changed_text(&|changed_envelope| {
                changed_envelope["signatures"] =
                    json!([{ "keyid": m["keyid"], "sig": k["sig"] }, { "keyid": k["keyid"], "sig": m["sig"] }])
            }),
            0,
            TYPE,
        ),
    ];
    for (case, text, code, wanted) in rows {
        directory.put("x", text);
        let output = directory.run(&format!("verify -p k.pub -p m.pub --require all --dsse {wanted} x"));
        assert_eq!(output.code, code, "{case}: {output:?}");
    }
    // If a single signature is enough, a removed signature is not an error. fndsa does not trust
    // the key identifier.
    directory.put(
        "x",
        changed_text(&|changed_envelope| {
            changed_envelope["signatures"] = json!([{ "keyid": fingerprint(&directory, "k2.pub"), "sig": k["sig"] }])
        }),
    );
    directory.run(&format!("verify -p k.pub --dsse {TYPE} x")).code(0).out_has("x: OK (FN-DSA-512");
    directory.run(&format!("verify -p k2.pub --dsse {TYPE} x")).code(1);
    // The key lines of a trusted key also apply to envelopes.
    directory.sh("{ echo 'revoked: stolen'; cat k.pub; } >trusted").code(0);
    directory
        .run(&format!("verify --trusted-keys trusted --dsse {TYPE} s.dsse"))
        .code(1)
        .out_has("which is revoked: stolen");
}

/// The end of the payload type cannot be moved, because the encoding contains the lengths. Without
/// the lengths, type `t` with payload `1 x y` and type `t 1 x` with payload `y` would have the same
/// signature.
#[test]
fn the_border_between_type_and_payload_cannot_be_moved() {
    let directory = TestDirectory::ready();
    directory.put("p", "body 4 more");
    directory.run("sign -k k.key --dsse t p").code(0);
    let original = read_envelope(&directory, "p.dsse");
    let all = encode_pae("t", b"body 4 more");
    let all = std::str::from_utf8(&all).unwrap().strip_prefix("DSSEv1 1 ").unwrap();
    for (offset, _) in all.match_indices(' ') {
        let mut moved = original.clone();
        for payload in [&all[offset..], &all[offset + 1..]] {
            moved["payloadType"] = all[..offset].into();
            moved["payload"] = STANDARD.encode(payload).into();
            directory.put("x", moved.to_string());
            let output = directory.call("verify -p k.pub x").arg(format!("--dsse={}", &all[..offset])).run();
            let same = &all[..offset] == "t" && payload == "body 4 more";
            assert_eq!(output.code == 0, same, "{:?} {payload:?}: {output:?}", &all[..offset]);
        }
    }
}

/// If `verify` accepts an envelope after a random change, the type and the payload are still the
/// signed type and payload. The test uses both signature forms: the pre-authentication encoding and
/// TAP 21.
#[test]
fn changed_envelopes_return_no_other_payload() {
    let directory = TestDirectory::toy();
    directory.run("keygen -a ml-dsa-44 m").code(0);
    directory.put("s", STATEMENT);
    let mut random = SplitMixRng(15);
    for (key, form) in [("k", "pae"), ("m", "tap21")] {
        directory.run(&format!("--allow-weak sign -f -k {key}.key --dsse {TYPE} --dsse-form {form} s")).code(0);
        let original = directory.get("s.dsse");
        let mut names = Vec::new();
        for i in 0..1000 {
            let name = format!("x{i}");
            directory.put(&name, mutate_envelope(&original, &mut random));
            names.push(name);
        }
        // The command verifies all envelopes in a single run. It writes no payload, because a
        // command that writes a payload verifies only a single envelope.
        let line = format!("--allow-weak --json verify -p {key}.pub --dsse {TYPE} {}", names.join(" "));
        let document = directory.run(&line).json();
        let results = document["results"].as_array().unwrap();
        assert_eq!(results.len(), 1000);
        let accepted: Vec<_> = results.iter().zip(&names).filter(|(result, _)| result["status"] == "ok").collect();
        assert!((1..200).contains(&accepted.len()), "{form}: {}", accepted.len());
        for (result, name) in accepted {
            assert_eq!(result["form"], form, "{name}");
            let line = format!("--allow-weak verify -f -o out -p {key}.pub --dsse {TYPE} {name}");
            directory.run(&line).code(0);
            assert_eq!(directory.text("out"), STATEMENT, "{form}, {name}");
        }
    }
}

/// Returns an envelope after one to three random changes.
fn mutate_envelope(original: &[u8], random: &mut SplitMixRng) -> Vec<u8> {
    let mut changed = original.to_vec();
    for _ in 0..=random.below(3) {
        let offset = random.below(changed.len());
        match random.below(4) {
            0 => changed[offset] ^= 1 << random.below(8),
            1 => drop(changed.remove(offset)),
            2 => changed.insert(offset, b"\"{}[]:,AZaz09+/-_= \\"[random.below(20)]),
            _ => {
                let from = random.below(changed.len());
                changed[offset] = changed[from];
            }
        }
    }
    changed
}
