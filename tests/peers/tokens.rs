//! Exchanges the JSON Web Signatures of `examples/jws.rs` with independent programs: the npm
//! package `jose`, and the Python package `cryptography`.

#[path = "../../examples/jws.rs"]
mod jws;

use crate::common::{hex, to_hex};
use crate::mldsa_programs::cryptography;
use crate::programs::{PeerProgram, folder, source};
use fndsa::{Algorithm, SigningKey, VerifyingKey};
use getrandom::SysRng;

const PAYLOAD: &[u8] = br#"{"iss":"joe","exp":1300819380}"#;

/// Starts the program for the npm package `jose`, if it is installed.
fn jose() -> Option<PeerProgram> {
    let package = folder().join("node/node_modules/jose");
    let there = package.is_dir() && folder().join("node/node").exists();
    PeerProgram::start("jose", &[], folder().join("node/node"), [source("node/jose.mjs"), package], there)
}

/// Returns a token with a changed payload, and a token with a changed signature.
fn changed(token: &str) -> [String; 2] {
    let parts: Vec<_> = token.split('.').collect();
    [1, 2].map(|part| {
        let mut parts = parts.clone();
        let other = if parts[part].starts_with('A') { "B" } else { "A" };
        let text = [other, &parts[part][1..]].concat();
        parts[part] = &text;
        parts.join(".")
    })
}

#[test]
fn a_jws_is_verified_by_jose_and_cryptography() {
    jws::main().expect("the example");
    let key = SigningKey::generate(Algorithm::ML_DSA_65, &mut SysRng).expect("a key");
    let other = SigningKey::generate(Algorithm::ML_DSA_65, &mut SysRng).expect("a key");
    let token = jws::sign(&key, PAYLOAD).expect("a token");
    let [jwk, other] = [key, other].map(|key| to_hex(jws::jwk(&key.verifying_key()).to_string().as_bytes()));
    let jose = jose();
    for (name, words, program) in
        [("jose", &["verify"][..], jose.as_ref()), ("cryptography", &["jws", "ml-dsa-65"], cryptography())]
    {
        let Some(program) = program else { continue };
        let verify = |jwk: &str, token: &str| program.ask(&[words, &[jwk, &to_hex(token.as_bytes())]].concat());
        let answer = verify(&jwk, &token).expect(name);
        // The program returns the payload and the thumbprint of the key.
        assert_eq!(hex(&answer[0]), PAYLOAD, "{name}");
        let public = jws::read_jwk(&serde_json::from_slice(&hex(&jwk)).expect("JSON")).expect("a key");
        assert_eq!(hex(&answer[1]), jws::thumbprint(&public).as_bytes(), "{name}");
        for token in changed(&token) {
            assert!(verify(&jwk, &token).is_err(), "{name}: {token}");
        }
        assert!(verify(&other, &token).is_err(), "{name}");
    }
}

#[test]
fn a_jws_of_jose_is_verified() {
    let Some(jose) = jose() else { return };
    let [private, public] = jose.bytes(&["keygen"]);
    let public = VerifyingKey::of_algorithm(Algorithm::ML_DSA_65, &public).expect("a key");
    let [token] = jose.bytes(&["sign", &to_hex(&private), &to_hex(PAYLOAD)]);
    let token = String::from_utf8(token).expect("ASCII");
    assert_eq!(jws::verify(&public, &token).expect("a good token"), PAYLOAD);
    for token in changed(&token) {
        assert!(jws::verify(&public, &token).is_err(), "{token}");
    }
}
