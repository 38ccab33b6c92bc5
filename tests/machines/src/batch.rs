//! Tests batches. `sign_batch` must return the same signatures as a loop, and `verify_batch` must
//! accept all of them except a changed signature.

use crate::{KeyPairBuffers, algorithm_of, known_bytes};
use fndsa::batch::{BatchItem, verify_batch};
use fndsa::message::Mu;
use fndsa::no_alloc::{Level, VerifyingKeyRef};
use fndsa::testing::FixedBytes;

/// Signs `count` messages in a batch and in a loop, and compares the signatures. Then changes the
/// last signature, and checks that `verify_batch` rejects only this signature.
///
/// # Panics
/// Panics if a signature or a verdict is wrong.
pub fn check_batch(level: Level, parameter: &str, count: usize) {
    let mut pair = KeyPairBuffers::new(level, algorithm_of(0, parameter), 0);
    let algorithm = pair.algorithm;
    let (mus, random): (Vec<_>, Vec<_>) =
        (0..count).map(|i| (Mu::from_bytes([i as u8; 64]), known_bytes("signature", i)[..40].to_vec())).unzip();
    let random = random.concat();
    let KeyPairBuffers { private, public, work, .. } = &mut pair;
    let key = KeyPairBuffers::key(private, level, algorithm, work).expand(level, work).expect("enough memory");

    let len = algorithm.signature_len();
    let mut work = vec![0; algorithm.sign_batch_work_len().max(algorithm.verify_batch_work_len())];
    let (mut batch_signatures, mut signature) = (vec![0; len * count], vec![0; len]);
    key.sign_batch(&mus, &mut FixedBytes(&random), &mut batch_signatures, &mut work).expect("signatures");
    let mut rng = FixedBytes(&random);
    for (mu, batch_signature) in mus.iter().zip(batch_signatures.chunks(len)) {
        key.sign(mu, &mut rng, &mut signature, &mut work).expect("a signature");
        assert_eq!(batch_signature, signature, "the batch and the loop made different signatures");
    }

    let public = VerifyingKeyRef::of_algorithm(algorithm, public).expect("a good key").expand(level);
    let changed_byte = (count - 1) * len + len / 2;
    batch_signatures[changed_byte] ^= 1;
    let pairs = mus.iter().zip(batch_signatures.chunks(len));
    let items: Vec<_> =
        pairs.map(|(mu, signature)| BatchItem { key: &public, message: mu.into(), signature }).collect();
    let mut verdicts = vec![Ok(()); count];
    assert!(verify_batch(&items, &mut verdicts, &mut work).is_err(), "a changed signature is accepted");
    let (last_verdict, other_verdicts) = verdicts.split_last().expect("a verdict");
    assert!(last_verdict.is_err() && other_verdicts.iter().all(Result::is_ok), "wrong verdicts: {verdicts:?}");
}
