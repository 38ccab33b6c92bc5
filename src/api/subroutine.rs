//! Calls the parts of each operation, to measure their time with `fndsa bench`. This module is not
//! a public interface, and can change at any time.
//!
//! [`PreparedSubroutine`] owns inputs that are computed from a real key.
//! [`PreparedSubroutine::run`] calls the subroutine once with these inputs. A call either leaves
//! the inputs unchanged, or replaces them by valid inputs for the next call.
//! [`sampler_permutations`] and [`candidates`] count steps, because the numbers of these steps
//! depend on random bytes. [`shake256`] hashes a message.

use super::algorithm::Algorithm;
use super::{KeyError, SigningKeyRef};
use crate::engine::falcon::codec::{private_parts, scan_public, unpack_mod_q, unpack_signed, unpack14};
use crate::engine::falcon::coefficient_scanner::CoefficientScanner;
use crate::engine::falcon::expanded::ExpandedPrivateKey;
use crate::engine::falcon::fft::{fft, ifft_rounded};
use crate::engine::falcon::import::quotient_into;
use crate::engine::falcon::keygen::{GaussianStream, is_invertible, norm_is_small};
use crate::engine::falcon::ortho::ortho_norm_is_small;
use crate::engine::falcon::params::{Degree, FG_BITS, KEYGEN_SEED_LEN, NONCE_LEN, ORTHO_NORM_BOUND, Q, SIGN_SEED_LEN};
use crate::engine::falcon::point::{HashedPoint, PointSource, hash_to_point_into};
use crate::engine::falcon::sampler::{BASE_STRIDE, Sampler, sum_base_samples};
use crate::engine::falcon::scheme::{FalconAlgorithm, SignatureEncoding};
use crate::engine::falcon::sign::{EncodedPrivateKey, LatticeKey};
use crate::engine::falcon::signature::{SplitSignature, write_body};
use crate::engine::falcon::{modq, ntru};
use crate::engine::hash::message::MU_LEN;
use crate::engine::hash::shake::{KECCAK_STATES, KeccakStates, RATE, keccak_f, keccak_f_many, shake256_into};
use crate::simd::{Level, MemoryLine, Real, RowValue, Scratch, Simd, ct, on_level};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::hint::black_box;

/// A part of an operation. The comment of a variant describes a single call at degree n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subroutine {
    /// A permutation, Keccak-f\[1600\].
    Keccak,
    /// Eight permutations, computed together in the lanes of the level's vectors.
    KeccakLanes,
    /// The permutation of eight states, computed one state at a time.
    KeccakSerial,
    /// A transform, a product and an inverse transform of n values modulo q.
    Ntt,
    /// A transform of n integers over the reals, and the inverse transform.
    Fft,
    /// A transform of n integers over the reals.
    FftForward,
    /// An inverse transform of n reals, which are rounded to integers modulo q.
    FftInverse,
    /// The `2n` base samples for a signature, without hashing and without the other steps of the
    /// sampler.
    BaseSampler,
    /// The `2n` samples for a signature, with the hashing for their random bytes. In this
    /// measurement, all leaves in the LDL tree have the same `sigma'` (standard deviation): the
    /// geometric mean over a key's leaves, which is equal for all keys.
    Sampler,
    /// The n coefficients of a point, from a nonce and mu.
    HashToPoint,
    /// The solution F of the NTRU equation for f and g.
    NtruSolve,
    /// Encoding and decoding the coefficients of a signature.
    Codec,
    /// Decoding the coefficients of a signature.
    ReadSignature,
    /// Unpacking f, g and F from an encoded private key.
    ReadPrivate,
    /// Checking and unpacking the fields of an encoded public key.
    ReadPublic,
    /// Computing n quotients modulo q.
    Quotient,
    /// A lattice point near a hashed message, from the encoded key. The call also computes the
    /// basis and the Gram matrix.
    Sample,
    /// A lattice point near a hashed message, from the expanded key.
    SampleExpanded,
    /// Drawing a polynomial for key generation, f or g, with the hashing for its random bytes.
    Draw,
    /// The check of the orthogonalized norm in key generation, with fixed-point numbers.
    OrthoNorm,
}

/// A subroutine together with its inputs.
pub struct PreparedSubroutine {
    level: Level,
    algorithm: FalconAlgorithm,
    subroutine: Subroutine,
    private: Vec<u8>,
    public: Vec<u8>,
    signature: Vec<u8>,
    /// The number of calls so far. The seed depends on this number, so each call uses different
    /// random bytes.
    run_number: u64,
    state: [u64; 25],
    states: Box<KeccakStates>,
    /// Random bytes for the base samples.
    random: Vec<u8>,
    /// Two polynomials modulo q. The first one is a hashed message.
    rows: Vec<u16>,
    /// The polynomials f and g, and space for a third polynomial.
    small: Vec<i8>,
    /// The coefficients of the signature.
    s2: Vec<i32>,
    expanded: Box<[MemoryLine]>,
    memory: Box<[MemoryLine]>,
}

impl Drop for PreparedSubroutine {
    fn drop(&mut self) {
        ct::wipe(&mut self.private);
        ct::wipe(&mut self.small);
        ct::wipe(&mut self.rows);
        ct::wipe(MemoryLine::bytes_mut(&mut self.expanded));
        ct::wipe(MemoryLine::bytes_mut(&mut self.memory));
    }
}

impl PreparedSubroutine {
    /// Prepares a subroutine for a level and an algorithm, with an encoded key pair and a padded
    /// signature.
    ///
    /// # Errors
    /// Returns an error if the algorithm is not in the Falcon family, if the private key is not
    /// valid for the algorithm, or if the public key or the signature has the wrong length.
    pub fn new(
        level: Level,
        algorithm: Algorithm,
        subroutine: Subroutine,
        [private, public, signature]: [&[u8]; 3],
    ) -> Result<Self, KeyError> {
        let scheme = algorithm.scheme();
        let algorithm = algorithm.falcon().ok_or(KeyError::OtherFamily)?;
        let n = algorithm.degree().n();
        let mut memory = MemoryLine::boxed(algorithm.sign_work_len().max(algorithm.keygen_fast_work_len()));
        SigningKeyRef::of_scheme(level, scheme, private, MemoryLine::bytes_mut(&mut memory))?;
        super::check_exact_len(private.len(), algorithm.signing_key_len()).map_err(KeyError::Work)?;
        super::check_exact_len(public.len(), algorithm.verifying_key_len()).map_err(KeyError::Work)?;
        super::check_exact_len(signature.len(), algorithm.signature_len()).map_err(KeyError::Work)?;
        let mut small = vec![0; 3 * n];
        let parts = private_parts(algorithm, private);
        let bits = FG_BITS[algorithm.degree().logn() as usize];
        let _checked = unpack_signed(parts.order, parts.f, bits, &mut small[..n]);
        let _checked = unpack_signed(parts.order, parts.g, bits, &mut small[n..2 * n]);
        let mut s2 = vec![0; n];
        if let Ok(parts) = SplitSignature::new(algorithm, signature) {
            let _is_valid = parts.read_into(&mut s2, |x| x);
        }
        let mut prepared = Self {
            level,
            algorithm,
            subroutine,
            private: private.to_vec(),
            public: public.to_vec(),
            signature: signature.to_vec(),
            run_number: 0,
            state: [0; 25],
            states: Box::new([[0; KECCAK_STATES]; 25]),
            random: vec![0; BASE_STRIDE * base_samples(n) + 5],
            rows: vec![1; 2 * n],
            small,
            s2,
            expanded: MemoryLine::boxed(0),
            memory,
        };
        on_level!(level, |isa| prepare(isa, &mut prepared));
        Ok(prepared)
    }

    /// Calls the subroutine once.
    pub fn run(&mut self) {
        self.run_number += 1;
        on_level!(self.level, |isa| call(isa, self));
        black_box(&mut self.memory);
    }
}

/// Hashes a message, and prepares the inputs that only some subroutines need.
#[inline(always)]
fn prepare<S: Simd>(isa: S, prepared: &mut PreparedSubroutine) {
    let PreparedSubroutine { algorithm, subroutine, private, rows, random, expanded, memory, .. } = prepared;
    let degree = algorithm.degree();
    let n = degree.n();
    let row = &mut rows[..n];
    hash_to_point_into(isa.integers(), algorithm.scheme(), &[0; NONCE_LEN], PointSource::Mu(&[0; MU_LEN]), row);
    if *subroutine == Subroutine::SampleExpanded {
        *expanded = MemoryLine::boxed(ExpandedPrivateKey::len(degree));
        let key = EncodedPrivateKey { degree, parts: private_parts(*algorithm, private) };
        let memory = Scratch::new(MemoryLine::bytes_mut(memory));
        let _unchecked = ExpandedPrivateKey::write(isa, key, MemoryLine::bytes_mut(expanded), memory);
        return;
    }
    shake256_into(isa.integers(), &[&seed(0)], random);
    // An inverse transform overwrites its input with intermediate values. Zeros stay zeros, so all
    // calls have equal inputs. The time does not depend on the values.
    Scratch::new(MemoryLine::bytes_mut(memory)).take::<S::Real>(n).fill(S::Real::ZERO);
}

/// Returns a point with the coefficients `row`.
const fn stored_point(algorithm: FalconAlgorithm, row: &[u16]) -> HashedPoint<'_> {
    let source = PointSource::Mu(&[0; MU_LEN]);
    HashedPoint { scheme: algorithm.scheme(), nonce: &[0; NONCE_LEN], source, stored: row }
}

/// Calls the subroutine.
#[inline(always)]
fn call<S: Simd>(isa: S, prepared: &mut PreparedSubroutine) {
    let degree = prepared.algorithm.degree();
    let logn = degree.logn();
    let n = degree.n();
    let parts = private_parts(prepared.algorithm, &prepared.private);
    let order = parts.order;
    let seed = seed(prepared.run_number);
    let mut work = Scratch::new(MemoryLine::bytes_mut(&mut prepared.memory));
    let (row, second_row) = prepared.rows.split_at_mut(n);
    let (f, rest) = prepared.small.split_at_mut(n);
    let (g, spare_row) = rest.split_at_mut(n);
    match prepared.subroutine {
        Subroutine::Keccak => keccak_f(isa.integers(), &mut prepared.state),
        Subroutine::KeccakLanes => keccak_f_many(isa.integers(), &mut prepared.states, KECCAK_STATES),
        Subroutine::KeccakSerial => {
            for state in prepared.states.as_flattened_mut().as_chunks_mut().0 {
                keccak_f(isa.integers(), state);
            }
        }
        Subroutine::Ntt => {
            modq::ntt(isa.integers(), logn, second_row);
            modq::mul_into(isa.integers(), second_row, row);
            modq::intt(isa.integers(), logn, second_row, modq::InverseScale::R);
        }
        Subroutine::Fft => {
            let out = work.take::<S::Real>(n);
            fft(isa, logn, f, out, i32::from);
            ifft_rounded(isa, out, second_row, modq::from_i32);
        }
        Subroutine::FftForward => fft(isa, logn, f, work.take(n), i32::from),
        Subroutine::FftInverse => ifft_rounded(isa, work.take(n), second_row, modq::from_i32),
        Subroutine::BaseSampler => {
            black_box(sum_base_samples(isa, &prepared.random, base_samples(n)));
        }
        Subroutine::Sampler => samples(isa, logn, &mut Sampler::new(isa, logn, &[&seed])),
        Subroutine::HashToPoint => {
            let mu = [prepared.run_number as u8; MU_LEN];
            let source = PointSource::Mu(&mu);
            hash_to_point_into(isa.integers(), prepared.algorithm.scheme(), &[0; NONCE_LEN], source, second_row);
        }
        Subroutine::NtruSolve => {
            let _keys_have_a_solution = ntru::solve(isa.keygen().integers(), logn, f, g, work.fork(), &|| false);
            spare_row.copy_from_slice(work.take(n));
        }
        Subroutine::Codec => {
            write(prepared.algorithm, &prepared.s2, &mut prepared.signature);
            read(isa.integers(), prepared.algorithm, &prepared.signature, second_row);
        }
        Subroutine::ReadSignature => read(isa.integers(), prepared.algorithm, &prepared.signature, second_row),
        Subroutine::ReadPrivate => {
            let bits = FG_BITS[logn as usize];
            for (src, bits) in [(parts.f, bits), (parts.g, bits), (parts.big_f, 8)] {
                unpack_mod_q(order, src, bits, second_row);
            }
        }
        Subroutine::ReadPublic => {
            black_box(scan_public(isa.integers(), order, &prepared.public[1..]));
            unpack14(isa.integers(), order, &prepared.public[1..], second_row);
        }
        Subroutine::Quotient => {
            // The divisors must not be 0. The time does not depend on their values.
            second_row.fill(1);
            let values = work.take::<u16>(n);
            values.copy_from_slice(row);
            black_box(quotient_into(isa.integers(), second_row, values));
        }
        Subroutine::Sample => {
            let key = EncodedPrivateKey { degree, parts };
            let memory = work.take(key.sample_reals());
            key.sample(isa, &stored_point(prepared.algorithm, row), &mut Sampler::new(isa, logn, &[&seed]), memory);
        }
        Subroutine::SampleExpanded => {
            let key = ExpandedPrivateKey::new(degree, MemoryLine::bytes(&prepared.expanded));
            let memory = work.take(key.sample_reals());
            key.sample(isa, &stored_point(prepared.algorithm, row), &mut Sampler::new(isa, logn, &[&seed]), memory);
        }
        Subroutine::Draw => {
            GaussianStream::new(isa.keygen().integers(), logn, &keygen_seed(prepared.run_number)).sample(spare_row)
        }
        Subroutine::OrthoNorm => {
            black_box(ortho_norm_is_small(isa.keygen(), logn, f, g, ORTHO_NORM_BOUND, work));
        }
    }
    black_box((row, second_row, spare_row));
}

/// Returns the number of base samples for [`Subroutine::BaseSampler`]: at least 16, because that is
/// the largest number of lanes.
fn base_samples(n: usize) -> usize {
    (2 * n).max(16)
}

/// Returns a seed for the sampler. The seed is as long as in the signer, where its last byte counts
/// the attempts.
fn seed(run_number: u64) -> [u8; SIGN_SEED_LEN + 1] {
    let mut seed = [0; SIGN_SEED_LEN + 1];
    seed[..8].copy_from_slice(&run_number.to_le_bytes());
    seed
}

fn keygen_seed(run_number: u64) -> [u8; KEYGEN_SEED_LEN] {
    let mut seed = [0; KEYGEN_SEED_LEN];
    seed[..8].copy_from_slice(&run_number.to_le_bytes());
    seed
}

/// Draws the samples for a signature. A leaf of a key has `sigma' = sigma / |b|`, where b is a
/// vector of the Gram-Schmidt basis. The product of the `2n` norms `|b|` is `q^n`, so the geometric
/// mean of `sigma'` is `sigma / sqrt(q)`.
#[inline(always)]
fn samples<S: Simd>(isa: S, logn: u32, sampler: &mut Sampler<S>) {
    /// The number `2^-16` as a binary64.
    const UNIT: u64 = (1023 - 16) << 52;
    let inv_sigma = isa.root(S::Real::from_i32(Q.cast_signed())) * sampler.inv_sigma();
    let [leaf] = sampler.leaves([inv_sigma]);
    let mut centre = 0;
    let unit = S::Real::from_bits(UNIT);
    for _ in 0..1 << logn {
        // Only the fractions (the lower 16 bits) affect the sampler, and they only have to be
        // different. 40,503 is odd, so the first 2^16 fractions are all different.
        centre = (centre + 40_503) % (1 << 20);
        let first = S::Real::from_i32(centre) * unit;
        black_box(sampler.pair(first, -first, &leaf));
    }
}

/// Encodes the coefficients in a padded signature.
#[inline(always)]
fn write(algorithm: FalconAlgorithm, s2: &[i32], signature: &mut [u8]) {
    let body = &mut signature[1 + NONCE_LEN..];
    black_box(write_body(algorithm, SignatureEncoding::Padded, s2.iter().copied(), body));
}

/// Decodes a signature's coefficients as a verification does, but without the Keccak permutations
/// that a verification interleaves with the decoding.
#[inline(always)]
fn read<S: Simd>(isa: S, algorithm: FalconAlgorithm, signature: &[u8], out: &mut [u16]) {
    if let Ok(parts) = SplitSignature::new(algorithm, signature) {
        let trailing = parts.scanner(out).map(CoefficientScanner::finish);
        let _is_valid = parts.decode_into(isa, trailing, out);
    }
}

/// Returns the first 64 bytes of the SHAKE256 hash of a message.
pub fn shake256(level: Level, message: &[u8]) -> [u8; MU_LEN] {
    let mut out = [0; MU_LEN];
    on_level!(level, |isa = integers| shake256_into(isa, &[message], &mut out));
    out
}

/// Returns the number of Keccak permutations in [`Subroutine::Sampler`]. This function runs the
/// sampler, takes the next bytes from it, and finds them in the complete SHAKE256 output. Their
/// position is the number of bytes that the sampler has used.
pub fn sampler_permutations(level: Level, degree: Degree) -> usize {
    on_level!(level, |isa| {
        let logn = degree.logn();
        let seed = seed(0);
        let mut sampler = Sampler::new(isa, logn, &[&seed]);
        samples(isa, logn, &mut sampler);
        let next = sampler.nonce();
        // A sample uses about 17 bytes.
        let mut output = vec![0; (128 << logn) + 8 * RATE];
        shake256_into(isa.integers(), &[&seed], &mut output);
        let used = output.windows(next.len()).position(|window| window == next);
        used.unwrap_or(0).div_ceil(RATE)
    })
}

/// The work of key generation before the solver starts: averages per key.
#[derive(Clone, Copy, Debug, Default)]
pub struct CandidateCounts {
    /// The average number of polynomials that are drawn.
    pub drawn: f64,
    /// The average number of checks that f is invertible modulo q. A check is a transform.
    pub inverted: f64,
    /// The average number of checks of the orthogonalized norm.
    pub normed: f64,
}

/// Counts the work to generate `keys` keys, and returns the averages per key.
pub fn candidates(level: Level, degree: Degree, keys: u32) -> CandidateCounts {
    on_level!(level, |isa = keygen| {
        let logn = degree.logn();
        let n = 1 << logn;
        let mut small = vec![0; 2 * n];
        let (f, g) = small.split_at_mut(n);
        let mut memory = MemoryLine::boxed(20 * n);
        let mut gauss = GaussianStream::new(isa.integers(), logn, &keygen_seed(0));
        let mut key_count = 0;
        let mut count = CandidateCounts::default();
        while key_count < keys {
            let mut work = Scratch::new(MemoryLine::bytes_mut(&mut memory));
            gauss.sample(f);
            count.drawn += 1.0;
            count.inverted += 1.0;
            if !is_invertible(isa.integers(), logn, f, work.fork()) {
                continue;
            }
            gauss.sample(g);
            count.drawn += 1.0;
            if !norm_is_small(f, g) {
                continue;
            }
            count.normed += 1.0;
            if ortho_norm_is_small(isa, logn, f, g, ORTHO_NORM_BOUND, work) {
                key_count += 1;
            }
        }
        let per_key = 1.0 / f64::from(keys.max(1));
        CandidateCounts { drawn: count.drawn * per_key, inverted: count.inverted * per_key, normed: count.normed * per_key }
    })
}

#[cfg(all(test, feature = "testing"))]
mod tests {
    use super::*;
    use crate::api::testing::FixedBytes;
    use crate::api::{Options, SigningHasher};
    use crate::engine::falcon::sampler::TAIL;
    use std::vec::Vec;

    const ALL: [Subroutine; 20] = [
        Subroutine::Keccak,
        Subroutine::KeccakLanes,
        Subroutine::KeccakSerial,
        Subroutine::Ntt,
        Subroutine::Fft,
        Subroutine::FftForward,
        Subroutine::FftInverse,
        Subroutine::BaseSampler,
        Subroutine::Sampler,
        Subroutine::HashToPoint,
        Subroutine::NtruSolve,
        Subroutine::Codec,
        Subroutine::ReadSignature,
        Subroutine::ReadPrivate,
        Subroutine::ReadPublic,
        Subroutine::Quotient,
        Subroutine::Sample,
        Subroutine::SampleExpanded,
        Subroutine::Draw,
        Subroutine::OrthoNorm,
    ];

    struct SubroutineKeys {
        algorithm: Algorithm,
        private: Vec<u8>,
        public: Vec<u8>,
        signature: Vec<u8>,
    }

    impl SubroutineKeys {
        fn new(level: Level, algorithm: Algorithm) -> Self {
            let (mut private, mut public) =
                (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
            let mut signature = vec![0; algorithm.signature_len()];
            let mut work = vec![0; algorithm.sign_work_len()];
            let bytes: Vec<u8> = (0..255).collect();
            let (rng, mut attempts) = (&mut FixedBytes(&bytes), [crate::api::Attempt::EMPTY]);
            let key = SigningKeyRef::generate(level, algorithm, rng, &mut private, &mut public, &mut work).unwrap();
            let hash = key.key_hash();
            let message = SigningHasher::new(level, algorithm, &hash, Options::default(), &mut attempts, rng).unwrap();
            key.sign(level, message.finish(), rng, &mut signature, &mut work).unwrap();
            Self { algorithm, private, public, signature }
        }

        fn prepared(&self, level: Level, subroutine: Subroutine) -> PreparedSubroutine {
            let parts = [&self.private[..], &self.public, &self.signature];
            PreparedSubroutine::new(level, self.algorithm, subroutine, parts).unwrap()
        }
    }

    #[test]
    fn calls_compute_their_results_and_keep_their_inputs() {
        for level in Level::available() {
            for algorithm in [Algorithm::FN_DSA_512, Algorithm::FALCON_512] {
                let keys = SubroutineKeys::new(level, algorithm);
                let n = algorithm.degree().unwrap().n();
                for subroutine in ALL {
                    let mut prepared = keys.prepared(level, subroutine);
                    let (small, first) = (prepared.small.clone(), prepared.rows[..n].to_vec());
                    for _ in 0..3 {
                        prepared.run();
                    }
                    assert_eq!(prepared.small[..2 * n], small[..2 * n], "{subroutine:?}");
                    assert_eq!((&prepared.rows[..n], &prepared.signature), (&first[..], &keys.signature));
                    if subroutine == Subroutine::NtruSolve {
                        let mut big_f = vec![0; n];
                        let parts = private_parts(algorithm.falcon().unwrap(), &keys.private);
                        assert!(unpack_signed(parts.order, parts.big_f, 8, &mut big_f));
                        assert_eq!(prepared.small[2 * n..], big_f);
                    }
                }
            }
        }
    }

    /// The inverse transform of the transform of f is f, as integers modulo q.
    #[test]
    fn the_inverse_transform_reverses_the_transform() {
        for level in Level::available() {
            for algorithm in [Algorithm::FN_DSA_512, Algorithm::FN_DSA_1024] {
                let n = algorithm.degree().unwrap().n();
                let keys = SubroutineKeys::new(level, algorithm);
                let mut prepared = keys.prepared(level, Subroutine::FftForward);
                prepared.run();
                prepared.subroutine = Subroutine::FftInverse;
                prepared.run();
                let f: Vec<_> = prepared.small[..n].iter().map(|x| modq::from_i32((*x).into())).collect();
                assert_eq!(prepared.rows[n..], f, "{level}");
                // The prepared input of an inverse transform is zero, and stays zero.
                let mut prepared = keys.prepared(level, Subroutine::FftInverse);
                for _ in 0..2 {
                    prepared.rows[n..].fill(1);
                    prepared.run();
                    assert_eq!(prepared.rows[n..], vec![modq::from_i32(0); n], "{level}");
                }
            }
        }
    }

    /// Permuting eight states, in lanes or one after another, has the same result as permuting one.
    #[test]
    fn eight_states_are_permuted_in_lanes_and_one_after_another() {
        for level in Level::available() {
            let keys = SubroutineKeys::new(level, Algorithm::FN_DSA_512);
            let [mut one, mut lanes, mut serial] =
                [Subroutine::Keccak, Subroutine::KeccakLanes, Subroutine::KeccakSerial]
                    .map(|subroutine| keys.prepared(level, subroutine));
            for _ in 0..2 {
                one.run();
                lanes.run();
                serial.run();
                // All states were zero before the first call, so they stay equal.
                assert_eq!(*lanes.states, one.state.map(|lane| [lane; KECCAK_STATES]), "{level}");
                assert_eq!(serial.states.as_flattened(), one.state.repeat(KECCAK_STATES), "{level}");
            }
        }
    }

    /// The sum of the base samples is the same on all levels. Their average is near the
    /// distribution's mean, which is the sum of the tail probabilities.
    #[test]
    fn base_samples_have_the_mean_of_their_distribution() {
        for algorithm in [Algorithm::FN_DSA_512, Algorithm::FN_DSA_1024] {
            let count = base_samples(algorithm.degree().unwrap().n());
            for level in Level::available() {
                let keys = SubroutineKeys::new(level, algorithm);
                let random = keys.prepared(level, Subroutine::BaseSampler).random.clone();
                let sum = on_level!(level, |isa| sum_base_samples(isa, &random, count));
                let mut expected = 0;
                for bytes in random.chunks_exact(BASE_STRIDE) {
                    let mut bits = [0; 16];
                    bits[..10].copy_from_slice(&bytes[..10]);
                    let v = u128::from_le_bytes(bits) >> 1;
                    expected += TAIL.iter().filter(|tail| **tail > v).count() as i32;
                }
                assert_eq!(sum, expected, "{level}");
                let mean = f64::from(sum) / count as f64;
                let exact: f64 = TAIL.iter().map(|tail| *tail as f64 / (1_u128 << 79) as f64).sum();
                assert!((mean - exact).abs() < 0.1, "{mean} {exact}");
            }
        }
    }

    #[test]
    fn wrong_lengths_are_rejected() {
        let level = Level::EMULATED;
        let keys = SubroutineKeys::new(level, Algorithm::FN_DSA_512);
        let (private, public, signature) = (&keys.private[..], &keys.public[..], &keys.signature[..]);
        for parts in
            [[&private[1..], public, signature], [private, &public[1..], signature], [private, public, &signature[1..]]]
        {
            assert!(PreparedSubroutine::new(level, keys.algorithm, Subroutine::Keccak, parts).is_err());
        }
        assert!(
            PreparedSubroutine::new(level, Algorithm::FN_DSA_1024, Subroutine::Keccak, [private, public, signature])
                .is_err()
        );
    }

    /// On average, a sample needs about 17 random bytes, and a key at degree 512 needs about 12
    /// candidates ([`crate::engine::falcon::params::MAX_KEYGEN_CANDIDATES`]).
    #[test]
    fn counts_are_near_the_published_averages() {
        for level in Level::available() {
            let permutations = sampler_permutations(level, Degree::N512);
            assert!((1024 * 14 / RATE..1024 * 20 / RATE).contains(&permutations), "{permutations}");
            assert_eq!(permutations, sampler_permutations(Level::EMULATED, Degree::N512));
        }
        let count = candidates(Level::detect(), Degree::N512, 100);
        assert!((8.0..18.0).contains(&count.inverted), "{count:?}");
        assert!(count.drawn > count.inverted && count.inverted > count.normed && count.normed >= 1.0, "{count:?}");
    }
}
