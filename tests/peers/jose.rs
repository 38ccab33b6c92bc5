//! Exchanges JSON Web Keys and JSON Web Signatures between the command line and the npm package
//! `jose`, the Python package `jwcrypto` and the Go module `go-jose`, in both directions.

use crate::common::{hex, to_hex};
use crate::mldsa::FndsaDirectory;
use crate::programs::{PeerProgram, folder, source};

/// Algorithms: (name for `fndsa`, name in the headers of JSON Web Signatures).
const ALGORITHMS: [(&str, &str); 4] =
    [("ed25519", "EdDSA"), ("ml-dsa-44", "ML-DSA-44"), ("ml-dsa-65", "ML-DSA-65"), ("ml-dsa-87", "ML-DSA-87")];

/// The messages `m` and `other`.
const MESSAGES: [(&str, &[u8]); 2] = [("m", b"a message.\r\n\xff\0"), ("other", b"another message")];

/// A program that can read and write JSON Web Signatures.
struct JosePeer {
    name: &'static str,
    program: PeerProgram,
    /// The program supports this many algorithms: the first elements of [`ALGORITHMS`].
    algorithm_count: usize,
}

impl JosePeer {
    /// Starts the programs that are installed.
    fn installed() -> Vec<Self> {
        let package = folder().join("node/node_modules/jose");
        let node = folder().join("node/node");
        let is_installed = package.is_dir() && node.exists();
        let node = PeerProgram::start("jose", &[], node, [source("node/jose.mjs"), package], is_installed);
        let is_installed = folder().join("python/installed.txt").exists();
        let python = folder().join("python/bin/python");
        let python = PeerProgram::start("jwcrypto", &[], python, [source("python/jose.py")], is_installed);
        let go = folder().join("go-jose/peer");
        let is_installed = go.exists();
        let go = PeerProgram::start("go-jose", &[], go, [""; 0], is_installed);
        let mut peers = Vec::new();
        // The module `go-jose` does not support ML-DSA.
        for (name, program, algorithm_count) in [("jose", node, 4), ("jwcrypto", python, 4), ("go-jose", go, 1)] {
            peers.extend(program.map(|program| Self { name, program, algorithm_count }));
        }
        peers
    }
}

/// Returns a directory with the messages.
fn new_work_dir() -> FndsaDirectory {
    let work_dir = FndsaDirectory { directory: tempfile::tempdir().expect("a directory") };
    for (name, message) in MESSAGES {
        work_dir.put(name, message);
    }
    work_dir
}

#[test]
fn other_programs_verify_signatures_of_fndsa() {
    for JosePeer { name, program, algorithm_count } in JosePeer::installed() {
        for (algorithm, alg) in &ALGORITHMS[..algorithm_count] {
            let work_dir = new_work_dir();
            for key in ["k", "o"] {
                assert_eq!(work_dir.run(&format!("keygen -q -a {algorithm} {key}")).0, Some(0));
            }
            let [key, other_key] =
                ["k.pub", "o.pub"].map(|key| to_hex(&work_dir.output_file(&format!("convert {key} --to jwk"))));
            let signature = to_hex(&work_dir.output_file("sign -k k.key --jws m"));
            let [message, changed] = MESSAGES.map(|(_, message)| to_hex(message));
            let verify = |key: &str, message: &str| {
                program.ask(&["verify-detached", key, alg, &signature, message]).map(|answer| hex(&answer[0]))
            };
            let thumbprint = verify(&key, &message).expect(name);
            let inspected = work_dir.json("--json inspect k.pub");
            assert_eq!(inspected["results"][0]["jwk_thumbprint"].as_str().map(str::as_bytes), Some(&thumbprint[..]));
            assert!(verify(&key, &changed).is_err(), "{name} {alg}");
            assert!(verify(&other_key, &message).is_err(), "{name} {alg}");
        }
    }
}

#[test]
fn fndsa_verifies_signatures_of_other_programs() {
    for JosePeer { name, program, algorithm_count } in JosePeer::installed() {
        for (_, alg) in &ALGORITHMS[..algorithm_count] {
            let work_dir = new_work_dir();
            for key in ["k", "o"] {
                let [private] = program.bytes(&["keygen-of", alg]);
                work_dir.put(&format!("{key}.jwk"), &private);
                assert_eq!(work_dir.run(&format!("pubkey -k {key}.jwk -o {key}.pub")).0, Some(0), "{name} {alg}");
            }
            let private = to_hex(&std::fs::read(work_dir.directory.path().join("k.jwk")).expect("a key"));
            let message = to_hex(MESSAGES[0].1);
            for is_base64url in ["true", "false"] {
                let [signature] = program.bytes(&["sign-detached", &private, alg, is_base64url, &message]);
                work_dir.put("m.jws", &signature);
                let what = format!("{name} {alg}, payload in base64url: {is_base64url}");
                assert_eq!(work_dir.run("verify -p k.pub --jws m").0, Some(0), "{what}");
                assert_eq!(work_dir.run("verify -p k.pub --jws -s m.jws other").0, Some(1), "{what}");
                assert_eq!(work_dir.run("verify -p o.pub --jws m").0, Some(1), "{what}");
            }
            // The program reads the private key that fndsa writes.
            let private = to_hex(&work_dir.output_file("convert k.jwk --to jwk"));
            let [signature] = program.bytes(&["sign-detached", &private, alg, "false", &message]);
            work_dir.put("m.jws", &signature);
            assert_eq!(work_dir.run("verify -p k.pub --jws m").0, Some(0), "{name} {alg}");
        }
    }
}
