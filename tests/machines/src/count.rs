//! Runs an operation of this library on a level, or of the peer (crate `fn-dsa`), between two
//! functions that an emulator watches.
//!
//! | operation | key |
//! |---|---|
//! | `keygen` | a new key |
//! | `sign`, `verify` | loaded in each measurement |
//! | `sign-loaded` | loaded before the measurement, not expanded: signing computes the tree |
//! | `sign-repeat`, `verify-repeat` | loaded and expanded before the first measurement |
//!
//! The sampler uses the tree of a key, a decomposition of the key's Gram matrix. The peer has no
//! expanded keys, so its `sign-repeat` also computes the tree for each signature. Both libraries
//! sign a mu.

use crate::measured::measured;
use crate::{KeyPairBuffers, algorithm, known_bytes, level};
use fndsa::Algorithm;
use fndsa::algorithm::Scheme;
use fndsa::message::Mu;
use fndsa::testing::FixedBytes;
use std::hint::black_box;

/// The mu, a hash that both libraries sign instead of a message.
const MU: [u8; 64] = [7; 64];
/// The name of crate `fn-dsa`, used instead of a level.
const PEER: &str = "peer";

/// Returns the random bytes for a round. They are the same for both libraries.
fn random_bytes(operation: &str, round: usize) -> Vec<u8> {
    known_bytes(if operation == "keygen" { "key" } else { "signature" }, round)
}

/// Runs an operation `rounds` times.
pub fn run_counted(operation: &str, implementation: &str, degree: &str, rounds: usize) {
    let algorithm = algorithm(Scheme::FnDsa, degree);
    if implementation == PEER {
        run_peer_operation(operation, algorithm, rounds);
    } else {
        run_library_operation(operation, implementation, algorithm, rounds);
    }
}

/// Runs an operation of this library on a level.
fn run_library_operation(operation: &str, level_name: &str, algorithm: Algorithm, rounds: usize) {
    let (level, mu) = (level(level_name), Mu::from_bytes(MU));
    let mut pair = KeyPairBuffers::new(level, algorithm, 0);
    let mut signature = vec![0; algorithm.signature_len()];
    let KeyPairBuffers { private, public, work, .. } = &mut pair;
    let expanded = KeyPairBuffers::key(private, level, algorithm, work).expand(level, work).expect("enough memory");
    expanded.sign(&mu, &mut FixedBytes(&random_bytes("sign", 0)), &mut signature, work).expect("a signature");
    let load = |public| fndsa::testing::verifying_key(Scheme::FnDsa, public).expect("a good key");
    let verifying = load(public).expand(level);
    let mut generated = KeyPairBuffers::new(level, algorithm, 0);
    for round in 0..rounds {
        let random = random_bytes(operation, round);
        let rng = &mut FixedBytes(&random);
        match operation {
            "keygen" => measured(|| generated.generate(level, black_box(&random))),
            "sign" => measured(|| {
                let key = KeyPairBuffers::key(black_box(private), level, algorithm, work);
                key.sign(level, &mu, rng, &mut signature, work).expect("a signature");
            }),
            "sign-loaded" => {
                let key = KeyPairBuffers::key(private, level, algorithm, work);
                measured(|| key.sign(level, &mu, rng, &mut signature, work).expect("a signature"));
            }
            "sign-repeat" => measured(|| expanded.sign(&mu, rng, &mut signature, work).expect("a signature")),
            "verify" => measured(|| {
                load(black_box(public)).verify(level, &mu, &signature, work).expect("a good signature");
            }),
            "verify-repeat" => measured(|| verifying.verify(&mu, &signature, work).expect("a good signature")),
            operation => panic!("unknown operation {operation}"),
        }
    }
    black_box(signature);
}

#[cfg(not(feature = "peer"))]
fn run_peer_operation(_: &str, _: Algorithm, _: usize) {
    panic!("built without the feature `peer`");
}

#[cfg(feature = "peer")]
#[path = "../../common/peer.rs"]
mod peer;

/// Runs an operation of the peer, with the random bytes that the library gets.
#[cfg(feature = "peer")]
fn run_peer_operation(operation: &str, algorithm: Algorithm, rounds: usize) {
    use fn_dsa::{
        DOMAIN_NONE, HASH_ID_EXTMU, KeyPairGenerator, KeyPairGeneratorStandard, SigningKey, SigningKeyStandard,
        VerifyingKey, VerifyingKeyStandard,
    };
    use peer::{PeerMessage, PeerReplayRng};
    let logn = algorithm.degree().expect("a degree").logn();
    let (mut private, mut public) = peer::keygen(logn, known_bytes("key", 0)[..32].try_into().expect("32 bytes"));
    let random = random_bytes("sign", 0)[..40].try_into().expect("40 bytes");
    let mut signature = peer::sign(&private, &PeerMessage::from_mu(&MU), &random);
    let mut signing = SigningKeyStandard::decode(&private).expect("a good key");
    let verifying = VerifyingKeyStandard::decode(&public).expect("a good key");
    let verify = |key: &VerifyingKeyStandard, signature: &[u8]| {
        assert!(key.verify(signature, &DOMAIN_NONE, &HASH_ID_EXTMU, &MU), "the peer rejects its own signature");
    };
    for round in 0..rounds {
        let random = random_bytes(operation, round);
        let rng = &mut PeerReplayRng(&random);
        match operation {
            "keygen" => {
                let mut generator = KeyPairGeneratorStandard::default();
                measured(|| generator.keygen(logn, rng, &mut private, &mut public));
            }
            "sign" => measured(|| {
                let mut key = SigningKeyStandard::decode(black_box(&private)).expect("a good key");
                key.sign(rng, &DOMAIN_NONE, &HASH_ID_EXTMU, &MU, &mut signature).expect("a signature");
            }),
            "sign-loaded" | "sign-repeat" => measured(|| {
                signing.sign(rng, &DOMAIN_NONE, &HASH_ID_EXTMU, &MU, &mut signature).expect("a signature");
            }),
            "verify" => measured(|| {
                verify(&VerifyingKeyStandard::decode(black_box(&public)).expect("a good key"), &signature);
            }),
            "verify-repeat" => measured(|| verify(&verifying, &signature)),
            operation => panic!("unknown operation {operation}"),
        }
    }
    black_box((signature, private, public));
}
