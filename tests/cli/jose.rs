//! Tests for JSON Web Keys and JSON Web Signatures. The files in tests/kat/jose are the examples of
//! RFC 8037 and RFC 9964.

use crate::harness::{TestDirectory, have, skip, vectors};
use crate::messages::{MessageCase, RunMethod, row};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use fndsa::{Algorithm, Options, SigningKey};
use getrandom::SysRng;
use serde_json::{Value, json};

/// The algorithms: the name in options, and the name in the header that fndsa writes (`alg`).
const ALGORITHMS: [(&str, &str); 4] =
    [("ml-dsa-44", "ML-DSA-44"), ("ml-dsa-65", "ML-DSA-65"), ("ml-dsa-87", "ML-DSA-87"), ("ed25519", "EdDSA")];

/// Returns the rows about JSON Web Signatures for the message catalogue in `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    vec![
        row(
            "no_jws",
            "sign -f -k k.key --jws a",
            2,
            "JOSE has no signatures of FN-DSA-512, only of ML-DSA and Ed25519",
            "make a key with `fndsa keygen -a ml-dsa-65 NAME`, or leave --jws out",
        ),
        row(
            "jws",
            "verify --jws -p e.pub -s x a",
            3,
            "x: this is not a JSON Web Signature that fndsa can verify: the file does not have three parts in base64url \
             with dots between them",
            "this file is 4 bytes of text: give the file with the signature",
        )
        .how(RunMethod::After("$FNDSA keygen -q -a ed25519 e"))
        .file_x("text"),
        row(
            "jwk",
            "verify --jws -p x a",
            3,
            "x: this JSON Web Key (JWK) cannot be used: this is a set of keys, and only one key can be used here",
            "write each key of the set to a separate file, for example the first key with `jq '.keys[0]' FILE >NEW.jwk`",
        )
        .file_x("{\"keys\":[{\"kty\":\"AKP\"}]}"),
        row(
            "jwk",
            "convert x.jwk --to spki -o o",
            3,
            "and fndsa does not read such members",
            "write the restriction as a key line before the key, for example `not-after: YYYY-MM-DD`",
        )
        .how(RunMethod::After(
            "$FNDSA keygen -q -a ed25519 e && $FNDSA convert e.pub --to jwk -o - | sed 's/^{/{\"exp\":1,/' >x.jwk",
        )),
        row(
            "no_such_form",
            "convert k.key --to jwk -o o",
            2,
            "JOSE has no name for keys of FN-DSA-512, only for keys of ML-DSA and Ed25519",
            "or pkcs8 for a private key",
        ),
        row(
            "no_such_form",
            "convert k.key --to ssh -o o",
            2,
            "SSH has no keys of FN-DSA-512, only of ed25519 and ml-dsa-44-ed25519",
            "or pkcs8 for a private key",
        ),
    ]
}

/// An example from an RFC.
struct RfcExample {
    /// The private key.
    private: Value,
    thumbprint: String,
    message: Vec<u8>,
    /// The signature without the message, `HEADER..SIGNATURE`. It covers the message in base64url.
    signature: String,
}

impl RfcExample {
    /// Returns the examples of RFC 9964 and RFC 8037. In the ML-DSA examples, the key identifier
    /// `kid` is the thumbprint.
    fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for name in ["rfc9964-ml-dsa-44", "rfc9964-ml-dsa-65", "rfc9964-ml-dsa-87", "rfc8037"] {
            let file: Value = serde_json::from_slice(&vectors(&format!("jose/{name}.json"))).unwrap();
            let private = if name == "rfc8037" { &file["private"] } else { &file["jwk"] };
            let thumbprint = if name == "rfc8037" { &file["thumbprint"] } else { &private["kid"] };
            let parts: Vec<_> = file["jws"].as_str().unwrap().split('.').collect();
            all.push(Self {
                private: private.clone(),
                thumbprint: thumbprint.as_str().unwrap().to_owned(),
                message: URL_SAFE_NO_PAD.decode(parts[1]).unwrap(),
                signature: format!("{}..{}", parts[0], parts[2]),
            });
        }
        all
    }

    /// Returns the public key as a JSON Web Key: the private key without its private members.
    fn public(&self) -> Value {
        let mut public = self.private.clone();
        for private in ["priv", "d"] {
            public.as_object_mut().unwrap().remove(private);
        }
        public
    }

    /// Returns a directory with the private key `k.jwk`, the public key `p.jwk`, the message `m`
    /// and its signature `m.jws`.
    fn directory(&self) -> TestDirectory {
        let directory = TestDirectory::empty();
        directory.put("k.jwk", self.private.to_string());
        directory.put("p.jwk", self.public().to_string());
        directory.put("m", &self.message);
        directory.put("m.jws", &self.signature);
        directory
    }
}

#[test]
fn the_examples_of_the_rfcs_are_verified() {
    for example in RfcExample::all() {
        let directory = example.directory();
        directory.run("verify --jws -p p.jwk m").code(0).out_has("m: OK");
        directory.run("verify --jws --trusted-keys p.jwk m").code(0);
        directory.put("changed", [&example.message[..], b"."].concat());
        let output = directory.run("verify --jws -p p.jwk -s m.jws changed").code(1).out_has("changed: FAILED");
        output.err_has("the file was changed, or another key signed it");
        directory.put("changed", "");
        directory.run("verify --jws -p p.jwk -s m.jws changed").code(1).err_has("the file is empty");
        directory.put("full.jws", example.signature.replace("..", &format!(".{}.", URL_SAFE_NO_PAD.encode("text"))));
        directory.run("verify --jws -p p.jwk -s full.jws m").code(3).out_has("the file contains the message");
        for other_example in RfcExample::all() {
            if other_example.thumbprint != example.thumbprint {
                directory.put("o.jwk", other_example.public().to_string());
                directory.run("verify --jws -p o.jwk m").code(1).out_has("the signature is ");
            }
        }
    }
}

#[test]
fn a_changed_line_end_is_named() {
    let directory = TestDirectory::ready();
    directory.run("keygen -q -a ed25519 e").code(0);
    directory.put("m", "one\ntwo\n");
    directory.run("sign -k e.key --jws m").code(0);
    directory.put("m", "one\r\ntwo\r\n");
    directory.run("verify --jws -p e.pub m").code(1).err_has(
        "a program changed the line ends from LF to CR LF: get the file again without conversion (git: core.autocrlf=false)\n",
    );
}

/// A JSON Web Signature as a JSON object is an error, because fndsa reads only the compact form.
/// The hint has a `jq` command that converts the object to the compact form.
#[test]
fn a_signature_as_json_is_named_and_can_be_converted() {
    let directory = TestDirectory::ready();
    directory.run("keygen -q -a ml-dsa-44 d").code(0);
    directory.put("m", "message");
    directory.run("sign -k d.key --jws m").code(0);
    let text = directory.text("m.jws");
    let [protected, _, signature] = text.trim().split('.').collect::<Vec<_>>()[..] else { panic!("{text}") };
    let payload = URL_SAFE_NO_PAD.encode("message");
    let one = json!({ "protected": protected, "signature": signature });
    for (i, file) in [
        one.clone(),
        json!({ "signatures": [one] }),
        json!({ "payload": payload, "protected": protected, "signature": signature }),
        json!({ "payload": payload, "signatures": [one, { "protected": "e30", "signature": "AA" }] }),
    ]
    .iter()
    .enumerate()
    {
        let name = format!("{i}.json");
        directory.put(&name, file.to_string());
        for command in ["inspect", "verify -p d.pub --jws m -s"] {
            let output = directory.run(&format!("{command} {name}")).code(3);
            assert!(format!("{}{}", output.out, output.err).contains("this is JSON, and fndsa reads only the compact"));
            let (_, rest) = output.err.split_once("with `jq").expect("a command");
            let (arguments, _) = rest.split_once(" FILE >NEW.jws`").expect("a command");
            if have("jq") {
                directory.sh(&format!("jq{arguments} {name} >new.jws")).code(0);
                directory.run("verify -p d.pub --jws -s new.jws m").code(0);
            } else {
                skip("the command of the hint", "there is no jq");
            }
        }
        directory.run(&format!("verify -p d.pub -s {name} m")).code(3).err_has("add --jws");
    }
}

#[test]
fn keys_of_the_rfcs_are_read_and_written() {
    for example in RfcExample::all() {
        let directory = example.directory();
        let thumbprint = format!("JWK thumbprint: {}", example.thumbprint);
        for (name, kind) in [("k.jwk", "private key, JSON Web Key"), ("p.jwk", "public key, JSON Web Key")] {
            let output = directory.run(&format!("inspect {name}")).code(0).out_has(kind);
            output.out_has(&thumbprint);
            let result = &directory.run(&format!("--json inspect {name}")).code(0).json()["results"][0];
            assert_eq!((&result["encoding"], &result["der"]), (&json!("jwk"), &json!(false)));
            assert_eq!(result["jwk_thumbprint"], example.thumbprint);
        }
        directory.run("inspect k.jwk p.jwk").code(0).out_has("a key pair");
        directory.run("convert k.jwk --to pkcs8 -o k.key").code(0);
        directory.run("convert p.jwk --to spki -o p.pub").code(0);
        directory.run("inspect k.key p.pub").code(0).out_has("a key pair");
        directory.run("-v inspect p.pub").code(0).err_has(&thumbprint);
        for (file, key, members) in [("k.key", &example.private, 5), ("p.pub", &example.public(), 4)] {
            directory.run(&format!("convert {file} --to jwk -o {file}.jwk")).code(0);
            let mut written: Value = serde_json::from_slice(&directory.get(format!("{file}.jwk"))).unwrap();
            if let Some(id) = key.get("kid") {
                written["kid"] = id.clone();
            }
            assert_eq!(written, *key);
            assert!(written.as_object().unwrap().len() <= members);
        }
        directory.run("sign -f -k k.jwk --jws m").code(0);
        directory.run("verify --jws -p p.pub m").code(0);
        directory.run("pubkey -k k.jwk -o derived.pub").code(0);
        directory.run("inspect derived.pub k.jwk").code(0).out_has("a key pair");
        directory.run("sign -k p.jwk --jws -o x m").code(3).err_has("a public key");
        directory.run("verify --jws -p k.jwk m").code(3).err_has("a private key");
    }
}

/// Returns the decoded header of a JSON Web Signature.
fn header(file: &str) -> Value {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(file.split('.').next().unwrap()).unwrap()).unwrap()
}

#[test]
fn sign_and_verify_agree() {
    let directory = TestDirectory::ready();
    directory.put("long", vec![b'x'; 3_000_000]);
    for (option, name) in ALGORITHMS {
        directory.run(&format!("keygen -q -f -a {option} e")).code(0);
        directory.run("convert -f e.pub --to jwk -o e.jwk").code(0);
        let json = directory.run("--json sign -f -k e.key --jws a").code(0).json();
        assert_eq!((&json["results"][0]["output"], &json["results"][0]["bytes"]), (&"a.jws".into(), &6.into()));
        assert_eq!(header(&directory.text("a.jws")), json!({"alg": name, "b64": false, "crit": ["b64"]}));
        assert!(directory.text("a.jws").ends_with('\n') && directory.text("a.jws").matches("..").count() == 1);
        let json = directory.run("--json verify -p k.pub -p e.jwk --jws a").code(0).json();
        assert_eq!((&json["results"][0]["bytes"], &json["results"][0]["signature"]), (&6.into(), &"a.jws".into()));
        directory.call("verify -p e.jwk --jws -s a.jws -").input("hello\n").run().code(0);
        directory.call("verify -p e.jwk --jws -s a.jws -").input("other\n").run().code(1);
        directory.run("verify -p e.jwk -p k.pub --jws --require 2 a").code(1).out_has("1 of 2 required keys");
        directory.run("sign -f -k e.key --jws long").code(0);
        directory.run("verify -p e.pub --jws long").code(0);
        directory.put("long2", [&vec![b'x'; 2_999_999][..], b"y"].concat());
        directory.run("verify -p e.pub --jws -s long.jws long2").code(1);
        directory.run(&format!("keygen -q -f -a {option} o")).code(0);
        directory.run("verify -p o.pub --jws a").code(1).out_has("FAILED");
        directory.run("verify -p o.pub -p e.pub --jws a").code(0);
    }
}

#[test]
fn options_without_effect_are_errors() {
    let directory = TestDirectory::ready();
    directory.run("keygen -q -a ed25519 e").code(0);
    directory.run("keygen -q -a ed25519 o").code(0);
    directory.run("sign -f -k e.key --jws a").code(0);
    for option in
        ["--prehash sha512", "-c x", "--context-hex 00", "--dsse t", "-M L", "--mu", "--encoding padded", "--ssh file"]
    {
        directory.run(&format!("sign -f -k e.key --jws {option} a")).code(2).err_has("cannot be used with");
        directory.run(&format!("verify -p e.pub --jws {option} a")).code(2).err_has("cannot be used with");
    }
    for option in ["--add", "--format raw", "--stream"] {
        directory.run(&format!("sign -f -k e.key --jws {option} a")).code(2).err_has("cannot be used with");
    }
    directory.run("verify -p e.pub --jws --stream").code(2).err_has("cannot be used with");
    for option in ["--attached", "--explain", "--allowed-signers e.pub --signer x"] {
        directory.run(&format!("verify -p e.pub --jws {option} a")).code(2).err_has("cannot be used with");
    }
    directory.run("verify --jws --allowed-signers e.pub --signer x a").code(2).err_has("cannot be used with");
    directory.run("sign -f -k e.key -k o.key --jws a").code(2).err_has("--jws takes one private key");
    let output = directory.run("verify -p k.pub --jws a").code(2).err_has("JOSE has no signatures of FN-DSA-512");
    output.err_has("give the signer's public key of one of these algorithms");
    directory.put("empty", "\n");
    directory.run("verify -p e.pub --jws -s empty a").code(3).err_has("download the file again");
    directory.run("verify -p e.pub -s a.jws a").code(3).err_has("add --jws");
    directory.run("convert k.key --to jwk -o x").code(2).err_has("JOSE has no name for keys of FN-DSA-512");
    directory.run("sign -f -k e.key a").code(0);
    directory.run("convert a.sig --to jwk -o x").code(2).err_has("a signature has no JWK form");
}

/// A HashML-DSA key signs a hash of the message. The header of a JSON Web Signature (JWS) cannot
/// express this, so fndsa rejects such a key.
#[test]
fn a_key_that_is_bound_to_a_pre_hash_makes_no_jws() {
    let directory = TestDirectory::ready();
    for (name, end) in [("h.key", "key.der"), ("h.pub", "pub.der")] {
        directory.put(name, vectors(&format!("ml-dsa/interop/bouncycastle-1.86/mldsa44.prehash-sha512.{end}")));
    }
    directory.put("a.jws", &RfcExample::all()[0].signature);
    for line in ["sign -f -k h.key --jws a", "verify -p h.pub --jws a"] {
        directory.run(line).code(2).err_has("a JSON Web Signature has no pre-hash");
    }
    directory.run("convert h.pub --to jwk -o x").code(2).err_has("cannot store the pre-hash");
}

#[test]
fn a_signature_is_replaced_only_by_force() {
    let directory = TestDirectory::ready();
    directory.run("keygen -q -a ed25519 e").code(0);
    directory.run("sign -k e.key --jws -o s b").code(0);
    directory.run("sign -k e.key --jws -o s b").code(4).err_has("s: exists already");
    directory.run("sign -f -k e.key -o s b").code(0);
    directory.run("sign -f -k e.key --jws -o s b").code(0);
    directory.run("sign -f -k e.key --jws -o a b").code(4).err_has("is not a signature");
}

#[test]
fn a_signature_is_described() {
    for example in RfcExample::all() {
        let directory = example.directory();
        directory
            .run("inspect m.jws")
            .code(0)
            .out_has(" signature, JSON Web Signature of a separate file in base64url");
        let result = &directory.run("--json inspect m.jws").code(0).json()["results"][0];
        assert_eq!((&result["encoding"], &result["b64"]), (&json!("jws"), &json!(true)));
        assert_eq!(result["claims"]["kid"], example.private.get("kid").cloned().unwrap_or_default());
        directory.run("sign -f -k k.jwk --jws m").code(0);
        directory.run("inspect m.jws").code(0).out_has(" signature, JSON Web Signature of a separate file, ");
    }
}

/// An attacker supplies a file that consists of a JWS header, a dot and a message. A signature of
/// this file would also be a JWS of this message, so `sign` rejects the file.
#[test]
fn a_file_that_is_a_preimage_is_not_signed() {
    let directory = TestDirectory::ready();
    directory.run("keygen -q -a ed25519 e").code(0);
    let header = URL_SAFE_NO_PAD.encode(r#"{"alg":"EdDSA","b64":false,"crit":["b64"]}"#);
    for preimage in
        [format!("{header}.message"), format!("{}.message", URL_SAFE_NO_PAD.encode(" { \"alg\":\"EdDSA\"}"))]
    {
        directory.put("m", preimage);
        directory
            .run("sign -f -k e.key m")
            .code(3)
            .err_has("an attacker could use its signature in a JSON Web Signature");
        directory.run("sign -f -k e.key --jws m").code(0);
    }
}

/// An ML-DSA-44 key with which the test signs any JWS header, also an invalid header. Its public
/// key is in the file `c.jwk`.
struct CraftingKey(SigningKey);

impl CraftingKey {
    /// Generates the key, and writes the public key to `c.jwk`.
    fn new(directory: &TestDirectory) -> Self {
        let key = SigningKey::generate(Algorithm::ML_DSA_44, &mut SysRng).unwrap();
        let public = URL_SAFE_NO_PAD.encode(key.verifying_key().as_bytes());
        directory.put("c.jwk", json!({"kty": "AKP", "alg": "ML-DSA-44", "pub": public}).to_string());
        Self(key)
    }

    /// Returns a signature file for the message `hello\n` with this header. If `is_base64url` is
    /// true, the signature covers the message in base64url.
    fn sign(&self, header: &str, is_base64url: bool) -> String {
        let header = URL_SAFE_NO_PAD.encode(header);
        let message = if is_base64url { URL_SAFE_NO_PAD.encode("hello\n") } else { "hello\n".to_owned() };
        let signed = format!("{header}.{message}");
        let signature = self.0.sign(Options::default(), signed.as_bytes(), &mut SysRng).unwrap();
        format!("{header}..{}", URL_SAFE_NO_PAD.encode(signature.as_bytes()))
    }
}

/// All signatures are valid for their bytes, so `verify` rejects a file only because of its header.
#[test]
fn a_header_with_another_meaning_is_rejected() {
    let directory = TestDirectory::ready();
    let key = CraftingKey::new(&directory);
    for (header, is_base64url) in [
        (r#"{"alg":"ML-DSA-44","b64":false,"crit":["b64"]}"#, false),
        (r#"{"alg":"ML-DSA-44"}"#, true),
        (r#"{"alg":"ML-DSA-44","b64":true,"crit":["b64"],"kid":"x","typ":"JOSE","unknown":[]}"#, true),
    ] {
        directory.put("a.jws", key.sign(header, is_base64url));
        directory.run("verify --jws -p c.jwk a").code(0);
        directory.put("a.jws", key.sign(header, !is_base64url));
        directory.run("verify --jws -p c.jwk a").code(1);
    }
    for (header, words) in [
        (r#"{"alg":"ML-DSA-65","b64":false,"crit":["b64"]}"#, "does not have the length of its algorithm"),
        (r#"{"alg":"EdDSA","b64":false,"crit":["b64"]}"#, "does not have the length of its algorithm"),
        (r#"{"alg":"none","b64":false,"crit":["b64"]}"#, "the algorithm is none"),
        (r#"{"alg":"HS256","b64":false,"crit":["b64"]}"#, "the algorithm is not ML-DSA-44"),
        (r#"{"alg":"ML-DSA-44","b64":false,"crit":["b64"],"jwk":{}}"#, "\"jwk\""),
        (r#"{"alg":"ML-DSA-44","b64":false,"crit":["b64"],"jku":"https://x"}"#, "\"jku\""),
        (r#"{"alg":"ML-DSA-44","b64":false,"crit":["b64"],"x5u":"https://x"}"#, "\"x5u\""),
        (r#"{"alg":"ML-DSA-44","b64":false,"crit":["b64"],"x5c":[]}"#, "\"x5c\""),
        (r#"{"alg":"ML-DSA-44","b64":false,"crit":["b64"],"exp":1}"#, "\"exp\""),
        (r#"{"alg":"ML-DSA-44","b64":false}"#, "is missing in \"crit\""),
        (r#"{"alg":"ML-DSA-44","b64":false,"crit":["b64","exp"]}"#, "requires an extension"),
        (r#"{"alg":"ML-DSA-44","b64":false,"b64":false,"crit":["b64"]}"#, "members have different names"),
        (r#"{"b64":false,"crit":["b64"]}"#, "no algorithm"),
    ] {
        for is_base64url in [false, true] {
            directory.put("a.jws", key.sign(header, is_base64url));
            directory.run("verify --jws -p c.jwk a").code(3).out_has(words);
        }
    }
}

/// Returns `count` changed copies of a file: a character is changed, removed or added, or the end
/// is cut off.
fn mutations(file: &str, count: usize) -> Vec<Vec<u8>> {
    let mut changed = Vec::new();
    for i in 0..count {
        // Half of the positions are in the first 80 characters, which contain the header or the
        // names of members. The other positions are spread over the file.
        let position = if i % 2 == 0 { i % 80 } else { i * 7919 % file.len() };
        let mut bytes = file.as_bytes().to_vec();
        match i % 7 {
            0 | 1 => bytes[position] ^= 1 << (i / 7 % 8),
            2 => drop(bytes.remove(position)),
            3 => bytes.insert(position, bytes[position].wrapping_add(1)),
            4 => bytes[position] = b"AZaz09-_+/=.\"{}[]:,\\ \n"[i / 7 % 22],
            5 => bytes.insert(position, b"AZaz09-_+/=.\"{}[]:,\\ \n"[i / 7 % 22]),
            _ => bytes.truncate(position),
        }
        if bytes != file.as_bytes() {
            changed.push(bytes);
        }
    }
    changed
}

#[test]
fn no_changed_signature_is_accepted() {
    for example in RfcExample::all() {
        let directory = example.directory();
        directory.run("sign -f -k k.jwk --jws m").code(0);
        for file in [example.signature.clone(), directory.text("m.jws").trim_end().to_owned()] {
            let changed = mutations(&file, 1000);
            let mut line = "verify --jws -p p.jwk".to_owned();
            for (i, file) in changed.iter().enumerate() {
                directory.put(format!("m{i}"), &example.message);
                directory.put(format!("m{i}.jws"), file);
                line += &format!(" m{i}");
            }
            let checked = directory.run(&line);
            let lines: Vec<_> = checked.out.lines().collect();
            assert_eq!(lines.len(), changed.len());
            for (line, file) in lines.iter().zip(&changed) {
                // `verify` accepts a line end after the signature.
                let is_same = file.strip_suffix(b"\n") == Some(example.signature.as_bytes());
                assert!(is_same || line.contains(": FAILED (") || line.contains(": ERROR ("), "{line}");
            }
        }
    }
}

/// fndsa rejects a changed private key file, with two exceptions: the file still contains the same
/// private key, or the change renamed the member `priv`, so that the file contains only a public
/// key.
#[test]
fn a_changed_private_key_is_never_another_private_key() {
    for example in RfcExample::all() {
        let directory = example.directory();
        for name in ["k.jwk", "p.jwk"] {
            let result = &directory.run(&format!("--json inspect {name}")).code(0).json()["results"][0];
            let kind = result["kind"].clone();
            let key = result["key"]["fingerprint"].clone();
            let changed = mutations(&directory.text(name), 1000);
            let mut line = "--json inspect".to_owned();
            for (i, file) in changed.iter().enumerate() {
                directory.put(format!("x{i}"), file);
                line += &format!(" x{i}");
            }
            let results = directory.run(&line).code(3).json()["results"].as_array().unwrap().clone();
            assert_eq!(results.len(), changed.len());
            let mut rejected = 0;
            for (result, file) in results.iter().zip(&changed) {
                let text = String::from_utf8_lossy(file);
                match &result["status"] {
                    status if *status != "ok" => rejected += 1,
                    // A change in a public key file can give a different public key that is valid.
                    _ if kind == "public_key" => assert_eq!(result["kind"], kind, "{text}"),
                    _ if result["kind"] == "public_key" => assert!(!text.contains("\"priv\""), "{text}"),
                    _ => assert_eq!(result["key"]["fingerprint"], key, "{text}"),
                }
            }
            assert!(rejected > 500, "{name}: {rejected}");
        }
    }
}

#[test]
fn a_key_that_must_not_be_used_is_rejected() {
    let example = &RfcExample::all()[0];
    let directory = example.directory();
    let key_with_member = |key: &Value, name: &str, value: Value| {
        let mut key = key.clone();
        key[name] = value;
        key.to_string()
    };
    let private = &example.private;
    let public = &example.public();
    for (file, line, words) in [
        (key_with_member(public, "use", json!("enc")), "verify --jws -p x m", "\"use\" is not \"sig\""),
        (key_with_member(public, "key_ops", json!(["sign"])), "verify --jws -p x m", "does not contain \"verify\""),
        (key_with_member(private, "key_ops", json!(["verify"])), "sign -k x --jws -o o m", "does not contain \"sign\""),
        (key_with_member(public, "exp", json!(1)), "verify --jws -p x m", "a member that restricts the key"),
        (key_with_member(public, "d", json!("")), "verify --jws -p x m", "the private member of another key type"),
        (
            key_with_member(private, "priv", json!("A".repeat(42) + "E")),
            "sign -k x --jws -o o m",
            "does not belong to the private",
        ),
        (
            key_with_member(private, "priv", json!("A".repeat(42) + "B")),
            "sign -k x --jws -o o m",
            "base64url without padding",
        ),
        (
            key_with_member(private, "priv", json!("A".repeat(43) + "=")),
            "sign -k x --jws -o o m",
            "base64url without padding",
        ),
        (json!({"keys": [public]}).to_string(), "verify --jws -p x m", "this is a set of keys"),
        (key_with_member(public, "kty", json!("EC")), "verify --jws -p x m", "JSON Web Key (JWK) of another algorithm"),
        (public.to_string().replacen('{', "{\"kty\":\"AKP\",", 1), "verify --jws -p x m", "two members with one name"),
    ] {
        directory.put("x", &file);
        directory.run(line).code(3).err_has(words);
    }
    let pem = directory.run("convert p.jwk --to spki -o -").code(0).out;
    directory.put("x", format!("{public}\n{pem}"));
    directory.run("verify --jws -p x m").code(3).err_has("also contains a PEM key");
}
