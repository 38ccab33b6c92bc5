//! Measures how the time for an operation is divided among its parts (`--profile`).
//!
//! The parts are not measured inside the operation. Instead, each part is timed alone, with the
//! operation's algorithm, level (instruction set) and number of threads. The part's time is then
//! multiplied by the number of its calls in the operation. The number of Keccak permutations is
//! computed from lengths. The time that the sampler spends on hashing belongs to the part
//! `hashing`. The part `rest` is the time that is not attributed to any other part.
//!
//! A part that is timed alone can be faster or slower than it is in the operation. Therefore, the
//! sum of the parts can exceed the time of the operation, and a part that is computed as a
//! difference can be below 0. In both cases, the result contains a note that the parts overlap. If
//! the sum is too large, the rest is 0.
//!
//! The speed of a machine changes during a run. Therefore, the operation and its parts are timed in
//! turn, in several rounds. The share of a part is its time divided by the time of the operation in
//! the same round. The profile contains the median share over all rounds.
//!
//! | part | contents |
//! |---|---|
//! | hashing | message, seeds, points, the public key, the random bytes for the samplers |
//! | sampler | integers from the random bytes: `sampler_z`, in key generation f and g |
//! | fft | transforms over the reals; in key generation the norm test |
//! | tree | Gram matrix, LDL, splits and merges |
//! | ntt | transforms, products and quotients modulo q |
//! | solver | F and G |
//! | codec | encoding and decoding of keys and signatures |
//! | rest | the random bytes from the system, wiping, norms, and everything else |

use super::measure::{SamplingPlan, measure, median_of_rounds};
use super::work::{BenchKeys, BenchOperation};
use crate::tool::report::Error;
use fndsa::algorithm::{Degree, Scheme};
use fndsa::subroutine::{CandidateCounts, Subroutine, candidates, sampler_permutations};
use serde_json::{Value, json};

/// The part names, in order.
pub const PARTS: [&str; 8] = ["hashing", "sampler", "fft", "tree", "ntt", "solver", "codec", "rest"];
/// The rate of SHAKE256, which is the number of bytes per permutation that are absorbed or
/// returned.
const RATE: usize = 136;
/// The number of keys that are generated to count the candidates for f and g.
const COUNTED_KEYS: u32 = 100;

/// The time for a call of an operation, divided among its parts.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The times for the parts in nanoseconds, in the order of [`PARTS`].
    pub ns: [f64; 8],
    /// The operation time in nanoseconds.
    pub whole: f64,
    /// Whether the parts overlap: their sum exceeds the operation's time, or a part that was
    /// computed as a difference was below 0.
    pub overlap: bool,
}

impl Profile {
    /// Creates a profile from the times for the parts and from the time `whole` for the operation.
    /// The last element of `ns` must be 0, because this function computes the rest. A part that was
    /// computed as a difference can be below 0.
    fn new(mut ns: [f64; 8], whole: f64) -> Self {
        let mut has_negative = false;
        for part in &mut ns {
            has_negative |= *part < 0.0;
            *part = part.max(0.0);
        }
        let rest = whole - ns.iter().sum::<f64>();
        ns[7] = rest.max(0.0);
        Self { ns, whole, overlap: has_negative || rest < 0.0 }
    }

    /// Returns the shares of the parts in percent.
    pub fn shares(&self) -> [f64; 8] {
        self.ns.map(|part| 100.0 * part / self.whole)
    }

    /// Returns the value of the member `profile` in a result.
    pub fn value(&self) -> Value {
        let mut parts = Vec::new();
        for ((part, ns), share) in PARTS.iter().zip(self.ns).zip(self.shares()) {
            parts.push(json!({ "part": part, "ns": tenths(ns), "pct": tenths(share) }));
        }
        json!({ "parts": parts, "overlap": self.overlap })
    }

    /// Returns the percentages as text. The function `is_shown` selects the parts by their name and
    /// percentage.
    pub fn words(&self, is_shown: fn(&str, f64) -> bool) -> String {
        let mut words = Vec::new();
        for (part, share) in PARTS.iter().zip(self.shares()) {
            if is_shown(part, share) {
                words.push(format!("{part} {share:.1} %"));
            }
        }
        format!("{}{}", words.join(", "), if self.overlap { " (parts overlap)" } else { "" })
    }
}

fn tenths(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}

/// Returns how many Keccak permutations SHAKE256 needs to absorb `input` bytes and to return
/// `output` bytes.
const fn permutations(input: usize, output: usize) -> usize {
    input / RATE + output.div_ceil(RATE)
}

/// Returns how many Keccak permutations are needed to hash a message, without the permutations that
/// compute the point (a polynomial) from the hash.
fn message_permutations(scheme: Scheme, message: usize) -> usize {
    match (scheme.has_mu(), scheme.has_context()) {
        // The input is the key hash, the domain, the length of the context, and the message. The
        // output is mu (the message representative).
        (true, _) => permutations(66 + message, 64),
        // The nonce is hashed before the message. The output is the point. Its permutations are not
        // counted here.
        (_, true) => permutations(40 + 66 + message, 0),
        (_, false) => permutations(40 + message, 0),
    }
}

/// The key that an operation starts with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyState {
    /// An encoded key, which the operation must decode and check.
    Encoded,
    /// An expanded key.
    Expanded,
}

/// The maximum number of rounds in which an operation and its parts are timed.
const ROUNDS: u32 = 5;
/// The minimum number of samples in a round, unless the user requests fewer samples. The number of
/// rounds is `samples / SAMPLES`, limited to the range from 1 to [`ROUNDS`].
const SAMPLES: u32 = 10;

/// A profiler, which times an operation and its parts in turn.
pub struct Profiler<'k> {
    keys: &'k BenchKeys,
    /// The measurement time and the number of samples for a part in one round.
    plan: SamplingPlan,
    rounds: u32,
    threads: usize,
    /// The parts that were already timed in this round, and their times in nanoseconds.
    timed_parts: Vec<(Subroutine, f64)>,
    /// The number of candidates in key generation, which is computed when it is first needed.
    candidates: Option<CandidateCounts>,
}

impl<'k> Profiler<'k> {
    /// Creates a profiler. `plan` is the plan for an operation. In all rounds together, a part is
    /// timed for a tenth of the time in this plan.
    pub fn new(keys: &'k BenchKeys, plan: SamplingPlan, threads: usize) -> Self {
        let rounds = (plan.samples / SAMPLES).clamp(1, ROUNDS);
        let time_divisor = 10.0 * f64::from(rounds);
        let plan = SamplingPlan {
            time: plan.time / time_divisor,
            warm_up: plan.warm_up / time_divisor,
            samples: (plan.samples / rounds).max(3),
        };
        Self { keys, plan, rounds, threads, timed_parts: Vec::new(), candidates: None }
    }

    /// Returns the keys that the timed parts use.
    pub const fn keys(&self) -> &'k BenchKeys {
        self.keys
    }

    /// Returns the time for a call of a part in nanoseconds. The part is timed when it is first
    /// needed in a round.
    fn time(&mut self, subroutine: Subroutine) -> Result<f64, Error> {
        if let Some((_, ns)) = self.timed_parts.iter().find(|(part, _)| *part == subroutine) {
            return Ok(*ns);
        }
        let measured = measure(&mut self.keys.part(subroutine, self.threads)?, self.plan)?;
        self.timed_parts.push((subroutine, measured.ns.median));
        Ok(measured.ns.median)
    }

    /// Returns the profile for an operation that takes `whole` nanoseconds. Returns `None` for the
    /// faster generator, for batches, and for algorithms other than FN-DSA and Falcon, because
    /// their parts cannot be timed alone.
    ///
    /// # Errors
    /// Fails if the operation or a part cannot be measured.
    pub fn profile(&mut self, op: BenchOperation, whole: f64, message: usize) -> Result<Option<Profile>, Error> {
        let shares = median_of_rounds(self.rounds, || {
            self.timed_parts.clear();
            let Some(ns) = self.parts(op, message)? else { return Ok(None) };
            let round = measure(&mut self.keys.operation(op, self.threads), self.plan)?.ns.median;
            Ok(Some(ns.map(|part| part / round)))
        })?;
        let Some(shares) = shares else { return Ok(None) };
        Ok(Some(Profile::new(shares.map(|share| whole * share), whole)))
    }

    /// Returns the times for the parts in a round. Returns `None` if the operation has no profile.
    fn parts(&mut self, op: BenchOperation, message: usize) -> Result<Option<[f64; 8]>, Error> {
        let Some(degree) = self.keys.algorithm.degree() else { return Ok(None) };
        Ok(Some(match op {
            BenchOperation::SignFastRng | BenchOperation::SignBatch | BenchOperation::VerifyBatch => return Ok(None),
            BenchOperation::Keygen => self.keygen(degree)?,
            BenchOperation::Sign => self.sign(degree, message, KeyState::Encoded)?,
            BenchOperation::SignRepeat => self.sign(degree, message, KeyState::Expanded)?,
            BenchOperation::Verify => self.verify(message, KeyState::Encoded)?,
            BenchOperation::VerifyRepeat => self.verify(message, KeyState::Expanded)?,
        }))
    }

    /// Returns the times of the parts of a verification, in the order of [`PARTS`].
    fn verify(&mut self, message: usize, key: KeyState) -> Result<[f64; 8], Error> {
        let algorithm = self.keys.algorithm;
        let keccak = self.time(Subroutine::Keccak)?;
        let ntt = self.time(Subroutine::Ntt)?;
        let mut hashed = message_permutations(algorithm.scheme(), message);
        let mut transforms = 2.0;
        let mut codec = self.time(Subroutine::ReadSignature)?;
        if key == KeyState::Encoded {
            hashed += permutations(algorithm.verifying_key_len(), 64);
            codec += self.time(Subroutine::ReadPublic)?;
            // In schemes other than FN-DSA, public keys contain coefficients, which must be
            // transformed.
            transforms += if algorithm.scheme().has_mu() { 0.0 } else { 1.0 };
        }
        let hashing = hashed as f64 * keccak + self.time(Subroutine::HashToPoint)?;
        Ok([hashing, 0.0, 0.0, 0.0, transforms / 2.0 * ntt, 0.0, codec, 0.0])
    }

    /// Returns the times of the parts of a signature, in the order of [`PARTS`].
    fn sign(&mut self, degree: Degree, message: usize, key: KeyState) -> Result<[f64; 8], Error> {
        let algorithm = self.keys.algorithm;
        let scheme = algorithm.scheme();
        let keccak = self.time(Subroutine::Keccak)?;
        let point = self.time(Subroutine::HashToPoint)?;
        let forward = self.time(Subroutine::FftForward)?;
        let inverse = self.time(Subroutine::FftInverse)?;
        let ntt = self.time(Subroutine::Ntt)? / 2.0;
        let draw_permutations = sampler_permutations(self.keys.level, degree);
        let all_samples = self.time(Subroutine::Sampler)?;
        // These permutations hash the message, the point digest (if the scheme has no mu), the
        // seed, and the random bytes for the sampler. The point is computed twice, for signing and
        // for verification.
        let digest = if scheme.has_mu() { 0 } else { 1 };
        let mut hashed =
            message_permutations(scheme, message) + digest + permutations(40 + 64 + 40, 40) + draw_permutations;
        let sampler = all_samples - draw_permutations as f64 * keccak;
        // There are 2 inverse transforms over the reals, for z0 and z1. There are 6 transforms
        // modulo q: 2 of z0 and z1, 2 inverse transforms for `s2 = f z0 + F z1` and for `s2 h`, and
        // 2 for the verification.
        let mut transforms = 0.0;
        let mut modular = 6.0;
        let mut codec = self.time(Subroutine::Codec)?;
        let mut quotients = 0.0;
        // With an expanded key, only the hashed message is transformed before sampling, because the
        // expanded key contains the tree and all transforms of the basis that sampling needs.
        let tree;
        if key == KeyState::Expanded {
            tree = self.time(Subroutine::SampleExpanded)? - all_samples - forward;
            transforms += 1.0;
        } else {
            let read = self.time(Subroutine::ReadPrivate)?;
            let quotient = self.time(Subroutine::Quotient)?;
            // `Sample` also decodes the key and computes `G = g F / f` (4 transforms modulo q and a
            // quotient). Its 5 transforms over the reals are for the basis (g, f, F, G) and for the
            // hashed message.
            tree = self.time(Subroutine::Sample)? - all_samples - 5.0 * forward - 4.0 * ntt - quotient - read;
            transforms += 5.0;
            modular += 4.0;
            // The key check computes `h = g / f` and G with 4 transforms modulo q, and checks the
            // equation `f G - g F = q` with 4 transforms over the reals. If public keys contain
            // coefficients, h is also transformed back. After sampling, the signer transforms f, g
            // and F again, to compute h.
            transforms += 4.0;
            modular += 4.0 + if scheme.has_mu() { 0.0 } else { 1.0 } + 3.0;
            quotients = 3.0 * quotient;
            codec += 4.0 * read + self.time(Subroutine::ReadPublic)?;
            let secret = algorithm.signing_key_len() - degree.n();
            hashed += permutations(algorithm.verifying_key_len(), 64) + permutations(secret, 40);
        }
        let hashing = hashed as f64 * keccak + 2.0 * point;
        Ok([hashing, sampler, transforms * forward + 2.0 * inverse, tree, modular * ntt + quotients, 0.0, codec, 0.0])
    }

    /// Returns the times of the parts of key generation, in the order of [`PARTS`].
    fn keygen(&mut self, degree: Degree) -> Result<[f64; 8], Error> {
        let algorithm = self.keys.algorithm;
        let level = self.keys.level;
        let count = *self.candidates.get_or_insert_with(|| candidates(level, degree, COUNTED_KEYS));
        let keccak = self.time(Subroutine::Keccak)?;
        let ntt = self.time(Subroutine::Ntt)? / 2.0;
        // Sampling a polynomial uses 512 random words of 16 bits, or one word per coefficient if
        // the polynomial has more than 512 coefficients.
        let draw_permutations = count.drawn * (2 * degree.n().max(512)) as f64 / RATE as f64;
        let sampler = count.drawn * self.time(Subroutine::Draw)? - draw_permutations * keccak;
        let hashing = (draw_permutations + permutations(algorithm.verifying_key_len(), 64) as f64) * keccak;
        let fft = count.normed * self.time(Subroutine::OrthoNorm)?;
        // The number of transforms to compute the public key from f and g.
        let public_key_transforms = if algorithm.scheme().has_mu() { 2.0 } else { 3.0 };
        let modular = (count.inverted + public_key_transforms) * ntt + self.time(Subroutine::Quotient)?;
        let codec = self.time(Subroutine::ReadPrivate)? + self.time(Subroutine::ReadPublic)?;
        Ok([hashing, sampler, fft, 0.0, modular, self.time(Subroutine::NtruSolve)?, codec, 0.0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_refer_to_the_total_and_overlap_is_reported() {
        let profile = Profile::new([10.0, 20.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], 50.0);
        assert_eq!((profile.shares()[7], profile.overlap), (40.0, false));
        let profile = Profile::new([30.0, 30.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], 50.0);
        assert_eq!((profile.ns[7], profile.overlap), (0.0, true));
        let profile = Profile::new([30.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], 50.0);
        assert_eq!((profile.ns[1], profile.ns[7], profile.overlap), (0.0, 20.0, true));
    }

    #[test]
    fn samples_and_time_are_divided_among_the_rounds() {
        let algorithm = fndsa::Algorithm::FN_DSA_512;
        let keys = BenchKeys::new(algorithm, fndsa::no_alloc::Level::detect(), Some(1), 1).unwrap();
        for (samples, rounds, each) in [(3, 1, 3), (19, 1, 19), (20, 2, 10), (50, 5, 10), (1000, 5, 200)] {
            let profiler = Profiler::new(&keys, SamplingPlan { time: 3.0, warm_up: 1.0, samples }, 1);
            assert_eq!((profiler.rounds, profiler.plan.samples), (rounds, each));
            let all = profiler.plan.time * f64::from(rounds);
            assert!((all - 0.3).abs() < 1e-9, "a tenth of the time for an operation, not {all}");
        }
        // With two rounds, the profile still adds up to the operation's time.
        let plan = SamplingPlan { time: 0.001, warm_up: 0.0, samples: 20 };
        let profile = Profiler::new(&keys, plan, 1).profile(BenchOperation::Verify, 1e9, 1).unwrap().unwrap();
        assert!(profile.ns[0] > 0.0 && profile.whole == 1e9);
        assert!(profile.overlap || (profile.ns.iter().sum::<f64>() - 1e9).abs() < 1.0, "{profile:?}");
    }

    #[test]
    fn permutations_follow_from_lengths() {
        assert_eq!([permutations(0, 0), permutations(135, 64), permutations(136, 136)], [0, 1, 2]);
        assert_eq!(message_permutations(Scheme::FnDsa, 1024), 9);
        assert_eq!(message_permutations(Scheme::Falcon, 95), 0);
        assert_eq!(message_permutations(Scheme::Falcon, 96), 1);
    }
}
