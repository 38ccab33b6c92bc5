//! Verifies a certificate from `examples/certificate.rs` with the Python package `cryptography`.

#[path = "../../examples/certificate.rs"]
mod certificate;

use crate::common::to_hex;
use crate::mldsa_programs::cryptography;
use fndsa::{Algorithm, SigningKey};
use getrandom::SysRng;

#[test]
fn a_certificate_is_verified_by_cryptography() {
    let Some(program) = cryptography() else { return println!("skip: certificates, cryptography is not installed") };
    certificate::main().expect("the example");
    for algorithm in [Algorithm::ML_DSA_44, Algorithm::ML_DSA_65, Algorithm::ML_DSA_87] {
        let key = SigningKey::generate(algorithm, &mut SysRng).expect("a key");
        let pem = certificate::certificate(&key, "CN=A key,O=fndsa,C=DE").expect("a certificate");
        let set = algorithm.to_string().to_lowercase();
        let ask = |pem: &str| program.ask(&["certificate", &set, &to_hex(pem.as_bytes())]);
        assert_eq!(ask(&pem), Ok(vec!["true".to_owned()]), "{set}");
        // Changes a character in the signature, which is at the end of the certificate.
        let at = pem.find("-----END").expect("an end") - 20;
        let new_character = if pem.as_bytes()[at] == b'A' { "B" } else { "A" };
        let changed = [&pem[..at], new_character, &pem[at + 1..]].concat();
        assert_ne!(ask(&changed), Ok(vec!["true".to_owned()]), "{set}");
    }
}
