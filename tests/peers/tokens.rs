//! Exchanges the JSON Web Signatures of `examples/jws.rs` and the COSE messages of
//! `examples/cose.rs` with independent programs: the npm package `jose`, and the Python packages
//! `cryptography` and `cbor2`.

#[path = "../../examples/cose.rs"]
mod cose;
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
    let is_installed = package.is_dir() && folder().join("node/node").exists();
    PeerProgram::start("jose", &[], folder().join("node/node"), [source("node/jose.mjs"), package], is_installed)
}

/// Returns a token with a changed payload, and a token with a changed signature.
fn changed(token: &str) -> [String; 2] {
    let parts: Vec<_> = token.split('.').collect();
    [1, 2].map(|part| {
        let mut parts = parts.clone();
        let new_character = if parts[part].starts_with('A') { "B" } else { "A" };
        let text = [new_character, &parts[part][1..]].concat();
        parts[part] = &text;
        parts.join(".")
    })
}

#[test]
fn a_jws_is_verified_by_jose_and_cryptography() {
    jws::main().expect("the example");
    let key = SigningKey::generate(Algorithm::ML_DSA_65, &mut SysRng).expect("a key");
    let other_key = SigningKey::generate(Algorithm::ML_DSA_65, &mut SysRng).expect("a key");
    let token = jws::sign(&key, PAYLOAD).expect("a token");
    let [jwk, other_jwk] = [key, other_key].map(|key| to_hex(jws::jwk(&key.verifying_key()).to_string().as_bytes()));
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
        assert!(verify(&other_jwk, &token).is_err(), "{name}");
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

/// Returns copies of the message, each with a changed byte: each of the first 24 bytes, and every
/// 97th byte.
fn changed_bytes(message: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    (0..message.len()).step_by(97).chain(0..24).map(|at| {
        let mut message = message.to_vec();
        message[at] ^= 1;
        message
    })
}

#[test]
fn a_cose_message_is_verified_by_cryptography() {
    cose::main().expect("the example");
    let Some(program) = cryptography() else { return };
    let [key, other_key] = [1, 2].map(|_| SigningKey::generate(Algorithm::ML_DSA_65, &mut SysRng).expect("a key"));
    let message = cose::sign(&key, PAYLOAD).expect("a message");
    let [key, other_key] = [key, other_key].map(|key| to_hex(&cose::cose_key(&key.verifying_key()).expect("a key")));
    let verify = |key: &str, message: &[u8]| program.ask(&["cose", "ml-dsa-65", key, &to_hex(message)]);
    assert_eq!(hex(&verify(&key, &message).expect("cryptography")[0]), PAYLOAD);
    assert!(verify(&other_key, &message).is_err());
    for message in changed_bytes(&message) {
        assert!(verify(&key, &message).is_err(), "{message:02x?}");
    }
}

#[test]
fn a_cose_message_of_cryptography_is_verified() {
    let Some(program) = cryptography() else { return };
    let [private, public] = program.bytes(&["keygen", "ml-dsa-65"]);
    let public = public.last_chunk::<1952>().expect("a public key");
    let public = VerifyingKey::of_algorithm(Algorithm::ML_DSA_65, public).expect("a key");
    let [message] = program.bytes(&["cose-sign", "ml-dsa-65", &to_hex(&private), &to_hex(PAYLOAD)]);
    assert_eq!(cose::verify(&public, &message).expect("a good message"), PAYLOAD);
    for message in changed_bytes(&message) {
        assert!(cose::verify(&public, &message).is_err(), "{message:02x?}");
    }
    // The algorithm in the header must be the algorithm of the key.
    let [wrong_header] = program.bytes(&["cose-sign", "ml-dsa-44", &to_hex(&private), &to_hex(PAYLOAD)]);
    assert!(cose::verify(&public, &wrong_header).is_err());
}
