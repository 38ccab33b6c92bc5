//! Tests the engine with NIST's test vectors (`tests/kat/ml-dsa/README.md`), on every level
//! (instruction set).

#[cfg(feature = "alloc")]
mod batch_faults;
mod faults;
mod kept_matrix;
mod ranges;

use super::import::{self, ExpandedKeyDefect};
use super::kept_verification::{KeptVerification, WORK_LEN, work_len, write_transforms};
use super::keygen::generate;
use super::params::MlDsaSet;
use super::sign::{KeptTask, MlDsaSignError, MuTask, SeedTask, sign, sign_kept, sign_seed};
use super::transforms::KeyTransforms;
use super::verify::{MlDsaRejection, MuVerification, verify};
use crate::engine::verdict::Verified;
use crate::simd::{Level, Scratch, Simd, WithSimd};
use serde_json::Value;
use sha2::{Digest, Sha256};
use sha3::{
    Shake128, Shake256,
    digest::{ExtendableOutput, Update, XofReader},
};

fn load(text: &str) -> Value {
    serde_json::from_str(text).expect("vector file")
}

fn hex(v: &Value) -> Vec<u8> {
    let s = v.as_str().expect("hex string").as_bytes();
    s.chunks(2).map(|p| u8::from_str_radix(std::str::from_utf8(p).unwrap(), 16).unwrap()).collect()
}

fn set_of(group: &Value) -> MlDsaSet {
    let names = ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"];
    let at = names.iter().position(|name| group["parameterSet"] == **name).expect("parameter set");
    MlDsaSet::ALL[at]
}

/// Returns the SHAKE256 hash of all parts together.
fn shake256(parts: &[&[u8]]) -> [u8; 64] {
    let mut hash = Shake256::default();
    parts.iter().for_each(|part| hash.update(part));
    let mut out = [0; 64];
    hash.finalize_xof().read(&mut out);
    out
}

/// Returns mu for a test: the given mu, or the hash of tr and the message. In the external
/// interface, the hash also includes the context, before the message. Returns `None` if the test
/// has a pre-hash.
fn mu_of(group: &Value, test: &Value, tr: &[u8]) -> Option<[u8; 64]> {
    if group["externalMu"] == true {
        return Some(hex(&test["mu"]).try_into().unwrap());
    }
    let message = hex(&test["message"]);
    if group["signatureInterface"] == "internal" {
        return Some(shake256(&[tr, &message]));
    }
    let context = hex(&test["context"]);
    let is_pure = group["preHash"] == "pure";
    is_pure.then(|| shake256(&[tr, &[0, context.len() as u8], &context, &message]))
}

#[test]
fn verdicts_equal_those_of_nist() {
    struct NistVerdictTest<'v>(&'v Value);
    impl WithSimd for NistVerdictTest<'_> {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            let (mut good, mut bad) = (0, 0);
            for group in self.0["groups"].as_array().unwrap() {
                let set = set_of(group);
                let mut work = vec![0; set.verify_work_len()];
                let mut fast = vec![0xff; set.verify_fast_work_len()];
                let mut kept = vec![7; set.public_transforms_len()];
                let mut sponge_memory = vec![0xff; WORK_LEN];
                for test in group["tests"].as_array().unwrap() {
                    let public = hex(&test["pk"]);
                    let Some(mu) = mu_of(group, test, &shake256(&[&public])) else { continue };
                    let signature = hex(&test["signature"]);
                    let task = MuVerification { set, public: &public, mu: &mu, signature: &signature };
                    let verdict = verify(isa, &task, Scratch::new(&mut work));
                    assert_eq!(verify(isa, &task, Scratch::new(&mut fast)), verdict, "{} with more memory", S::NAME);
                    write_transforms(isa, set, &public, &mut kept, Scratch::new(&mut sponge_memory)).unwrap();
                    let kept_task = KeptVerification { set, values: &kept, mu: &mu, signature: &signature };
                    let kept_verdict = kept_task.verify(isa, Scratch::new(&mut fast[..work_len(set.parameters())]));
                    assert_eq!(kept_verdict, verdict, "{} with a kept key", S::NAME);
                    let is_good = verdict.is_ok_and(|it| it.value() == Verified::YES);
                    let what = format!("{} {} {verdict:?}", test["tcId"], test["reason"]);
                    assert_eq!(is_good, test["testPassed"] == true, "{} {what}", S::NAME);
                    good += usize::from(is_good);
                    bad += usize::from(!is_good);
                    let short = MuVerification { signature: &signature[1..], ..task };
                    assert_eq!(verify(isa, &short, Scratch::new(&mut work)), Err(MlDsaRejection::Length));
                }
            }
            assert!(good >= 10 && bad >= 30, "{good} good signatures, {bad} bad signatures");
        }
    }
    let v = load(include_str!("../../../tests/kat/ml-dsa/acvp-sigver.json"));
    Level::available().for_each(|level| level.run(NistVerdictTest(&v)));
}

#[test]
fn keys_equal_those_of_nist() {
    struct NistKeygenTest<'v>(&'v Value);
    impl WithSimd for NistKeygenTest<'_> {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            for group in self.0["groups"].as_array().unwrap() {
                let set = set_of(group);
                let mut work = vec![0; set.keygen_fast_work_len()];
                for (i, test) in group["tests"].as_array().unwrap().iter().enumerate() {
                    // Key generation must work with the smallest allowed memory and with any larger
                    // memory.
                    let len = if i % 3 == 0 { work.len() } else { set.keygen_work_len() + 700 * (i % 10) };
                    let len = len.min(work.len());
                    let work = &mut work[..len];
                    let xi = hex(&test["seed"]).try_into().unwrap();
                    let mut public = vec![1; set.public_len()];
                    let mut expanded = vec![1; set.private_len()];
                    generate(isa, set, &xi, &mut public, Some(&mut expanded), Scratch::new(work)).unwrap();
                    assert_eq!(public, hex(&test["pk"]), "{} {}", S::NAME, test["tcId"]);
                    assert_eq!(expanded, hex(&test["sk"]), "{} {}", S::NAME, test["tcId"]);
                    let mut public_again = vec![1; set.public_len()];
                    generate(isa, set, &xi, &mut public_again, None, Scratch::new(work)).unwrap();
                    assert_eq!(public_again, public);
                    public_again.fill(1);
                    let tr = import::public_into(isa, set, &expanded, &mut public_again, Scratch::new(work)).unwrap();
                    assert_eq!((tr, &public_again), (shake256(&[&public]), &public));
                }
            }
        }
    }
    let v = load(include_str!("../../../tests/kat/ml-dsa/acvp-keygen.json"));
    Level::available().for_each(|level| level.run(NistKeygenTest(&v)));
}

#[test]
fn signatures_equal_those_of_nist() {
    struct NistSigningTest<'v>(&'v Value);
    impl WithSimd for NistSigningTest<'_> {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            let mut test_count = 0;
            for group in self.0["groups"].as_array().unwrap() {
                let set = set_of(group);
                let lens = sign_work_lens(set);
                let mut work = vec![0xff; lens[3]];
                for (i, test) in group["tests"].as_array().unwrap().iter().enumerate() {
                    let expanded =
                        if test["sk"].is_string() { hex(&test["sk"]) } else { key_of(isa, set, &test["seed"]) };
                    let Some(mu) = mu_of(group, test, &expanded[64..128]) else { continue };
                    let rnd = if test["rnd"].is_string() { hex(&test["rnd"]) } else { vec![0; 32] };
                    let rnd = rnd.as_slice().try_into().unwrap();
                    let len = lens[i % lens.len()];
                    let task = MuTask { set, expanded: &expanded, mu: &mu, rnd };
                    let mut signature = vec![1; set.signature_len()];
                    sign(isa, &task, &mut signature, Scratch::new(&mut work[..len])).unwrap();
                    assert_eq!(signature, hex(&test["signature"]), "{} {}", S::NAME, test["tcId"]);
                    test_count += 1;
                    let short = MuTask { expanded: &expanded[1..], ..task };
                    let result = sign(isa, &short, &mut signature, Scratch::new(&mut work[..len]));
                    assert_eq!(result, Err(MlDsaSignError::Length));
                    assert!(signature.iter().all(|byte| *byte == 0));
                }
            }
            assert!(test_count > 60, "only {test_count} tests");
        }
    }
    let v = load(include_str!("../../../tests/kat/ml-dsa/acvp-siggen.json"));
    Level::available().for_each(|level| level.run(NistSigningTest(&v)));
}

/// Returns four lengths of the work memory. With each length, `sign` keeps more values than with
/// the previous length.
fn sign_work_lens(set: MlDsaSet) -> [usize; 4] {
    [set.sign_least_work_len(), set.sign_low_work_len(), set.sign_matrix_work_len(), set.sign_fast_work_len()]
}

/// Returns the fastest level and a level without vectors. Only on a level without vectors, and only
/// with enough work memory, [`sign`] uses the signer in `matrix_signer`.
fn two_levels() -> [Level; 2] {
    [Level::detect(), Level::EMULATED]
}

/// Returns the expanded key for a seed.
fn key_of<S: Simd>(isa: S, set: MlDsaSet, seed: &Value) -> Vec<u8> {
    pair_of(isa, set, &hex(seed).try_into().unwrap()).1
}

/// Returns the public key and the expanded private key for xi.
fn pair_of<S: Simd>(isa: S, set: MlDsaSet, xi: &[u8; 32]) -> (Vec<u8>, Vec<u8>) {
    let mut public = vec![1; set.public_len()];
    let mut expanded = vec![1; set.private_len()];
    let mut work = vec![0; set.keygen_work_len()];
    generate(isa, set, xi, &mut public, Some(&mut expanded), Scratch::new(&mut work)).unwrap();
    (public, expanded)
}

/// Signs with keys and messages that NIST chose so that all four reasons to reject an attempt
/// occur. Each signature needs about 70 to 100 attempts.
#[test]
fn rejected_attempts_equal_those_of_nist() {
    struct RejectedAttemptsTest<'v>(&'v Value);
    impl WithSimd for RejectedAttemptsTest<'_> {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            for group in self.0["groups"].as_array().unwrap() {
                let set = set_of(group);
                let lens = sign_work_lens(set);
                let mut work = vec![0xff; lens[3]];
                for (i, test) in group["tests"].as_array().unwrap().iter().enumerate() {
                    let (public, expanded) = pair_of(isa, set, &hex(&test["seed"]).try_into().unwrap());
                    let key: Vec<u8> = [&public[..], &expanded].concat();
                    assert_eq!(Sha256::digest(&key).as_slice(), hex(&test["key_sha256"]));
                    let mu = shake256(&[&expanded[64..128], &hex(&test["message"])]);
                    let task = MuTask { set, expanded: &expanded, mu: &mu, rnd: &[0; 32] };
                    for len in [lens[i % lens.len()], set.sign_matrix_work_len()] {
                        let mut signature = vec![1; set.signature_len()];
                        sign(isa, &task, &mut signature, Scratch::new(&mut work[..len])).unwrap();
                        let digest = Sha256::digest(&signature);
                        assert_eq!(digest.as_slice(), hex(&test["signature_sha256"]), "{}", test["tcId"]);
                    }
                }
            }
        }
    }
    let v = load(include_str!("../../../tests/kat/ml-dsa/acvp-rejections.json"));
    two_levels().iter().for_each(|level| level.run(RejectedAttemptsTest(&v)));
}

/// Makes 100 key pairs. With each key, makes a deterministic signature of the empty message. A
/// single hash over all public keys and signatures must be equal to the hash from the CCTV project.
#[test]
fn a_hundred_signatures_equal_the_published_signatures() {
    struct HundredSignaturesTest(MlDsaSet, &'static str);
    impl WithSimd for HundredSignaturesTest {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            let Self(set, expected) = self;
            let mut seeds = Shake128::default().finalize_xof();
            let mut all = Shake128::default();
            let mut work = vec![0xff; set.sign_fast_work_len()];
            let mut values = vec![0; set.transforms_len()];
            let mut key = [0; 32];
            let mut sponge_memory = vec![0xff; KeyTransforms::work_len(set)];
            for i in 0..100 {
                let mut xi = [0; 32];
                seeds.read(&mut xi);
                let (public, expanded) = pair_of(isa, set, &xi);
                let mu = shake256(&[&expanded[64..128], &[0, 0]]);
                let task = MuTask { set, expanded: &expanded, mu: &mu, rnd: &[0; 32] };
                let mut signature = vec![1; set.signature_len()];
                let tr = expanded[64..128].try_into().unwrap();
                let form = if i % 4 == 1 { &xi[..] } else { &expanded };
                match i % 4 {
                    0 => sign(isa, &task, &mut signature, Scratch::new(&mut work)).unwrap(),
                    2 => {
                        let task = SeedTask { set, xi: &xi, tr, mu: &mu, rnd: &[0; 32] };
                        sign_seed(isa, &task, &mut signature, Scratch::new(&mut work)).unwrap();
                    }
                    _ => {
                        let sponge_memory = Scratch::new(&mut sponge_memory);
                        KeyTransforms::write(isa, set, form, tr, &mut values, &mut key, sponge_memory).unwrap();
                        let task = KeptTask { set, transforms: &values, key: &key, mu: &mu, rnd: &[0; 32] };
                        let work = Scratch::new(&mut work[..set.sign_kept_work_len()]);
                        sign_kept(isa, &task, &mut signature, work).unwrap();
                    }
                }
                let task = MuVerification { set, public: &public, mu: &mu, signature: &signature };
                assert!(verify(isa, &task, Scratch::new(&mut work)).is_ok());
                all.update(&public);
                all.update(&signature);
            }
            let mut digest = [0; 32];
            all.finalize_xof().read(&mut digest);
            let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(digest, expected, "{set:?}");
        }
    }
    let level = Level::detect();
    level.run(HundredSignaturesTest(MlDsaSet::S44, "d51148e1f9f4fa1a723a6cf42e25f2a99eb5c1b378b3d2dbbd561b1203beeae4"));
    level.run(HundredSignaturesTest(MlDsaSet::S65, "8358a1843220194417cadbc2651295cd8fc65125b5a5c1a239a16dc8b57ca199"));
    level.run(HundredSignaturesTest(MlDsaSet::S87, "8c3ad714777622b8f21ce31bb35f71394f23bc0fcf3c78ace5d608990f3b061b"));
}

/// Imports expanded keys with a wrong bit in rho, tr or t0, with a coefficient that is out of
/// range, or with a wrong length.
#[test]
fn inconsistent_keys_are_rejected() {
    struct InconsistentKeyTest;
    impl WithSimd for InconsistentKeyTest {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            for set in MlDsaSet::ALL {
                let p = set.parameters();
                let mut work = vec![0; set.keygen_work_len()];
                let mut public = vec![0; set.public_len()];
                let mut key = vec![0; set.private_len()];
                generate(isa, set, &[3; 32], &mut public, Some(&mut key), Scratch::new(&mut work)).unwrap();
                let t0 = 128 + (p.k + p.l) * p.s_len();
                let defects = [
                    (0, 0x01, ExpandedKeyDefect::PublicPart),
                    (64, 0x80, ExpandedKeyDefect::KeyHash),
                    (127, 0x01, ExpandedKeyDefect::KeyHash),
                    (t0, 0x01, ExpandedKeyDefect::PublicPart),
                    (key.len() - 1, 0x80, ExpandedKeyDefect::PublicPart),
                ];
                for (at, bit, defect) in defects {
                    key[at] ^= bit;
                    let result = import::public_into(isa, set, &key, &mut public, Scratch::new(&mut work));
                    assert_eq!(result, Err(defect), "{set:?} byte {at}");
                    assert!(public.iter().all(|byte| *byte == 0), "the public key was not cleared");
                    key[at] ^= bit;
                }
                // Tries the smallest and the largest field that are out of range, in the first and
                // the last polynomial.
                for at in [128, t0 - 1] {
                    for field in [2 * p.eta as u8 + 1, if p.eta == 2 { 7 } else { 15 }] {
                        let was = key[at];
                        key[at] = if at == 128 { field } else { field << (8 - p.s_bits()) };
                        let result = import::check(isa, set, &key, Scratch::new(&mut work));
                        assert_eq!(result, Err(ExpandedKeyDefect::Coefficient));
                        key[at] = was;
                    }
                }
                assert_eq!(import::check(isa, set, &key[1..], Scratch::new(&mut work)), Err(ExpandedKeyDefect::Length));
                // This bit is in K. A change of K cannot be detected, because no other value
                // depends on K.
                key[32] ^= 1;
                assert!(import::check(isa, set, &key, Scratch::new(&mut work)).is_ok());
            }
        }
    }
    Level::available().for_each(|level| level.run(InconsistentKeyTest));
}
