//! Tests the engine with published intermediate values (`tests/kat/README.md`), on every level
//! (instruction set).

mod faults;
mod glitches;
mod lane_faults;

use super::basis::KeyWithBasis;
use super::codec::private_parts;
use super::expanded::ExpandedPrivateKey;
use super::fft::fft;
use super::params::Degree;
use super::point::{HashedPoint, PointSource, hash_to_point_into};
use super::sampler::{Generator, Sampler};
use super::scheme::{FalconAlgorithm, FalconScheme};
use super::sign::{AttemptSource, EncodedPrivateKey, LatticeKey, SigningTask, sign, targets_into};
use super::tree::gram_into;
use crate::engine::hash::shake::Shake256;
use crate::simd::{Level, MemoryLine, Real, RowValue, Scratch, Simd, WithSimd};
use crate::testing::FlashMemory;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Parses a file with published vectors.
pub fn load(text: &str) -> Value {
    serde_json::from_str(text).expect("vector file")
}

/// Decodes a string in base 16.
pub fn hex(v: &Value) -> Vec<u8> {
    let s = v.as_str().expect("hex string").as_bytes();
    s.chunks(2).map(|p| u8::from_str_radix(std::str::from_utf8(p).unwrap(), 16).unwrap()).collect()
}

/// Converts an array with integers.
pub fn ints(v: &Value) -> Vec<i64> {
    v.as_array().expect("array").iter().map(|x| x.as_i64().unwrap()).collect()
}

/// Converts an array with 64-bit numbers in base 16, for example binary64 numbers as bits.
pub fn bits(v: &Value) -> Vec<u64> {
    v.as_array().expect("array").iter().map(|x| u64::from_str_radix(x.as_str().unwrap(), 16).unwrap()).collect()
}

/// Repeats the 1024 calls in the sampler's unit test from crate `fn-dsa-sign` 0.4.0.
#[test]
fn sampler_z_returns_the_published_integers() {
    struct PublishedSamplesTest<'v>(&'v Value);
    impl WithSimd for PublishedSamplesTest<'_> {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            let v = self.0;
            let mut sampler = Sampler::new(isa, 9, &[&hex(&v["prng_seed"])]);
            assert_eq!(sampler.nonce().as_slice(), hex(&v["nonce"]));
            let (centres, inv_sigmas, expected) = (bits(&v["mu_f64be"]), bits(&v["inv_sigma_f64be"]), ints(&v["z"]));
            for i in (0..centres.len()).step_by(2) {
                assert_eq!(inv_sigmas[i], inv_sigmas[i + 1], "both samples of a pair have the same leaf");
                let [a, b] = [centres[i], centres[i + 1]].map(S::Real::from_bits);
                let [leaf] = sampler.leaves([S::Real::from_bits(inv_sigmas[i])]);
                let (a, b) = sampler.pair(a, b, &leaf);
                assert_eq!([a.round_i64(), b.round_i64()], expected[i..i + 2], "{} call {i}", S::NAME);
            }
            assert!(!sampler.is_exhausted());
        }
    }
    let v = load(include_str!("../../../tests/kat/sampler-a.json"));
    Level::available().for_each(|level| level.run(PublishedSamplesTest(&v)));
}

/// Returns the engine's index for the value with index `k` in the published order.
fn index_of_published(k: usize, half: usize) -> usize {
    if half == 1 { 0 } else { k.reverse_bits() >> (usize::BITS - half.ilog2()) }
}

/// Computes a digest in the same way as the published vectors. The digest hashes the little-endian
/// values in the published order, with 0 instead of a negative zero.
fn digest<R: Real>(f: &[R], complex: bool) -> String {
    let half = if complex { f.len() / 2 } else { f.len() };
    let mut h = Sha256::new();
    for part in f.chunks(half) {
        for k in 0..half {
            let b = part[index_of_published(k, half)].to_bits();
            h.update(if b == 1 << 63 { 0 } else { b }.to_le_bytes());
        }
    }
    h.finalize().iter().map(|b| format!("{b:02x}")).collect()
}

/// Makes a signature at each degree, and compares every intermediate value in the accepted attempt
/// with an independent model. These values are the basis, the Gram matrix, the targets, every
/// sampler call, and the signature.
#[test]
fn intermediate_values_equal_the_published_values() {
    struct IntermediateValuesTest<'v> {
        values: &'v Value,
        kat: &'v Value,
    }
    impl WithSimd for IntermediateValuesTest<'_> {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            let (v, kat) = (self.values, self.kat);
            let degree = Degree::from_logn(v["logn"].as_u64().unwrap() as u32).unwrap();
            let (logn, n) = (degree.logn(), degree.n());
            let what = |name: &str| format!("{} logn {logn}: {name}", S::NAME);
            let secret = hex(&kat["sk"]);
            let key = EncodedPrivateKey {
                degree,
                parts: private_parts(FalconAlgorithm::new(FalconScheme::FnDsa, degree), &secret),
            };
            let mu: [u8; 64] = hex(&v["mu"]).try_into().unwrap();
            let mut secret_hash = [0; 40];
            key.secret_hash_into(&mut Shake256::new(isa), &mut secret_hash);
            assert_eq!(secret_hash.as_slice(), hex(&v["hashed_sign_key"]), "{}", what("hash of f, g"));

            let mut reals = vec![S::Real::ZERO; 7 * n];
            let (gram, rest) = reals.split_at_mut(2 * n);
            let [b00, b01, b10, b11, tmp] = rest.get_disjoint_mut([0, 1, 2, 3, 4].map(|i| i * n..(i + 1) * n)).unwrap();
            key.basis_into(isa, [&mut *b00, &mut *b01, &mut *b10, &mut *b11], &mut vec![0; 4 * n]);
            for (name, b) in
                [("fft_b00_g", &b00), ("fft_b01_minus_f", &b01), ("fft_b10_G", &b10), ("fft_b11_minus_F", &b11)]
            {
                assert_eq!(v[format!("sha256_{name}")], digest(b, true), "{}", what(name));
            }
            gram_into(isa, [b00, b01, b10, b11], gram);
            assert_eq!(v["sha256_gram00"], digest(&gram[..n / 2], false), "{}", what("g00"));
            assert_eq!(v["sha256_gram01"], digest(&gram[n / 2..n * 3 / 2], true), "{}", what("g01"));
            assert_eq!(v["sha256_gram11"], digest(&gram[n * 3 / 2..], false), "{}", what("g11"));

            let seed = hex(&v["derived_seed"]);
            let mut sampler = Sampler::new(isa, logn, &[&seed, &[v["counter"].as_u64().unwrap() as u8]]);
            let nonce = sampler.nonce();
            assert_eq!(nonce.as_slice(), hex(&v["nonce"]), "{}", what("nonce"));
            let mut c = vec![0; n];
            hash_to_point_into(isa, FalconScheme::FnDsa, &nonce, PointSource::Mu(&mu), &mut c);
            assert!(c.iter().map(|&x| i64::from(x)).eq(ints(&v["c"])), "{}", what("c"));
            fft(isa, logn, &c, tmp, i32::from);
            targets_into(isa, tmp, b01, b11);
            assert_eq!(v["sha256_t1"], digest(b01, true), "{}", what("t1"));
            assert_eq!(v["sha256_t0"], digest(b11, true), "{}", what("t0"));

            let mut memory = vec![S::Real::ZERO; key.sample_reals()];
            let source = PointSource::Mu(&mu);
            let point = HashedPoint { scheme: FalconScheme::FnDsa, nonce: &nonce, source, stored: &[] };
            key.sample(isa, &point, &mut sampler, &mut memory);
            let mut h = Sha256::new();
            for (centre, inv_sigma, z) in &sampler.trace {
                h.update(if *centre == 1 << 63 { 0 } else { *centre }.to_le_bytes());
                h.update(inv_sigma.to_le_bytes());
                h.update(z.to_le_bytes());
            }
            let trace: String = h.finalize().iter().map(|b| format!("{b:02x}")).collect();
            assert_eq!(v["sha256_sampler_trace"], trace, "{}", what("sampler trace"));

            let algorithm = FalconAlgorithm::new(FalconScheme::FnDsa, degree);
            let random: [u8; 40] = hex(&kat["sign_random"]).try_into().unwrap();
            let mut signature = vec![0; algorithm.signature_len()];
            let message = AttemptSource::Mu(&mu);
            let generator = Generator::Shake256;
            let task = SigningTask { algorithm, key: &key, message, random: &random, generator };
            let mut work = vec![0; algorithm.sign_fast_work_len()];
            for len in [algorithm.sign_work_len(), work.len()] {
                signature.fill(0);
                sign(isa, &task, &mut signature, Scratch::new(&mut work[..len])).unwrap();
                assert_eq!(signature, hex(&kat["sig"]), "{}", what("signature"));
            }

            let mut lines = MemoryLine::boxed(ExpandedPrivateKey::len(degree));
            ExpandedPrivateKey::write(isa, key, MemoryLine::bytes_mut(&mut lines), Scratch::new(&mut work)).unwrap();
            let key = ExpandedPrivateKey::new(degree, MemoryLine::bytes(&lines));
            let mut work = vec![0; algorithm.sign_expanded_work_len()];
            signature.fill(0);
            let task = SigningTask { algorithm, key: &key, message, random: &random, generator };
            sign(isa, &task, &mut signature, Scratch::new(&mut work)).unwrap();
            assert_eq!(signature, hex(&kat["sig"]), "{}", what("signature by an expanded key"));
        }
    }
    let values = load(include_str!("../../../tests/kat/intermediate-a.json"));
    let kats = load(include_str!("../../../tests/kat/kat-a.json"));
    for v in values["vectors"].as_array().unwrap() {
        let is_same_key = |k: &&Value| k["logn"] == v["logn"] && k["j"] == v["j"];
        let kat = kats["vectors"].as_array().unwrap().iter().find(is_same_key).unwrap();
        Level::available().for_each(|level| level.run(IntermediateValuesTest { values: v, kat }));
    }
}

/// Checks that all centres and deviations in the sampler have the same bits at all levels, with the
/// encoded key, the expanded key and the basis in memory. A comparison of signatures would not be
/// enough: with an error of 1e-8, thousands of signatures stay the same.
#[test]
fn sampler_calls_have_the_same_bits_on_every_level() {
    fn trace<S: Simd>(isa: S, degree: Degree, key: &impl LatticeKey, point: &HashedPoint<'_>) -> Vec<(u64, u64, i32)> {
        let mut sampler = Sampler::new(isa, degree.logn(), &[b"trace"]);
        let mut memory = vec![S::Real::ZERO; key.sample_reals()];
        key.sample(isa, point, &mut sampler, &mut memory);
        assert_eq!(sampler.trace.len(), 2 * degree.n());
        core::mem::take(&mut sampler.trace)
    }
    struct SamplerBitsTest<'v>(&'v Value, usize);
    impl WithSimd for SamplerBitsTest<'_> {
        type Output = [Vec<(u64, u64, i32)>; 3];
        fn with<S: Simd>(self, isa: S) -> Self::Output {
            let secret = hex(&self.0["sk"]);
            let degree = Degree::from_logn(self.0["logn"].as_u64().unwrap() as u32).unwrap();
            let encoded = EncodedPrivateKey {
                degree,
                parts: private_parts(FalconAlgorithm::new(FalconScheme::FnDsa, degree), &secret),
            };
            let mut lines = MemoryLine::boxed(ExpandedPrivateKey::len(degree));
            let mut work = vec![0; FalconAlgorithm::new(FalconScheme::FnDsa, degree).sign_work_len()];
            ExpandedPrivateKey::write(isa, encoded, MemoryLine::bytes_mut(&mut lines), Scratch::new(&mut work))
                .unwrap();
            let expanded = ExpandedPrivateKey::new(degree, MemoryLine::bytes(&lines));
            let (nonce, source) = ([self.1 as u8; 40], PointSource::Mu(&[7; 64]));
            let mut c = vec![0; degree.n()];
            hash_to_point_into(isa, FalconScheme::FnDsa, &nonce, source, &mut c);
            let computed = HashedPoint { scheme: FalconScheme::FnDsa, nonce: &nonce, source, stored: &[] };
            let stored = HashedPoint { stored: &c, ..computed };
            let mut flash = FlashMemory::new(KeyWithBasis::len(degree));
            KeyWithBasis::write(isa, encoded, &mut |part| flash.write(part), Scratch::new(&mut work)).unwrap();
            let basis = KeyWithBasis::open(isa, encoded, flash.bytes()).expect("its basis");
            let traces = |point| {
                [
                    trace(isa, degree, &encoded, point),
                    trace(isa, degree, &expanded, point),
                    trace(isa, degree, &basis, point),
                ]
            };
            assert_eq!(traces(&computed), traces(&stored), "{}: c computed, c stored", S::NAME);
            traces(&stored)
        }
    }
    let kats = load(include_str!("../../../tests/kat/kat-a.json"));
    for kat in kats["vectors"].as_array().unwrap() {
        for round in 0..2 {
            let mut traces = Level::available().flat_map(|level| level.run(SamplerBitsTest(kat, round)));
            let first = traces.next().unwrap();
            assert!(traces.all(|trace| trace == first), "logn {}, key {}", kat["logn"], kat["j"]);
        }
    }
}
