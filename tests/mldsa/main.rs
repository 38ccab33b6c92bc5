//! Tests ML-DSA with the library's API and the command line. The tests use vectors from NIST and
//! Wycheproof, two independent implementations, OpenSSL, and this project's vectors, most of which
//! must be rejected. `tests/kat/ml-dsa/README.md` lists the vector sources.

#[path = "../common/mod.rs"]
mod common;

mod accumulated;
mod acvp;
mod crafted;
mod crafted_keys;
mod keys;
mod negatives;
#[cfg(feature = "cli")]
mod openssl;
mod oracles;
mod peers;
mod reference;
mod wycheproof;

use common::{assert_same, cases, vector_file};
use oracles::ORACLES;

#[test]
fn the_oracles_generate_the_keys_of_nist_and_verify_each_other() {
    let file = vector_file("ml-dsa/acvp-keygen.json");
    for (group, oracles) in cases(&file, "groups").iter().zip(&ORACLES) {
        for test in group.cases("tests") {
            let (seed, message, context) = (test.array("seed"), b"a message", b"a context");
            for oracle in oracles {
                let what = format!("{} {} of {}", group.text("parameterSet"), test.int("tcId"), oracle.name);
                let (private, public) = (oracle.keygen)(&seed);
                assert_same(&private, &test.bytes("sk"), &what);
                assert_same(&public, &test.bytes("pk"), &what);
                let signature = (oracle.sign)(&seed, message, context, &[0; 32]).expect("a signature");
                for verifier in oracles {
                    let what = format!("{what}, verified by {}", verifier.name);
                    assert!((verifier.verify)(&public, message, context, &signature), "{what}");
                    assert!(!(verifier.verify)(&public, message, b"", &signature), "{what}, with a wrong context");
                }
            }
        }
    }
}
