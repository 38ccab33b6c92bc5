//! Compares every value inside `sampler_z` and `ber_exp` with exact arithmetic, on every level
//! (instruction set).
//!
//! The values x, k, r, the scale and the polynomial in `ber_exp` affect only its threshold, so it
//! is enough to check the threshold. `ber_exp` must accept random bytes that are smaller than the
//! threshold by 1, and reject random bytes that are equal to the threshold.

use super::exact::{Dyadic, ExactCentre, ExactLeaf, ExactSampler};
use super::reference::hash::ShakeStream;
use super::reference::reals::Real as Digits;
use super::reference::tables::{self, EXP_COEFFICIENTS, TABLES};
use crate::engine::falcon::params::MAX_SAMPLER_ATTEMPTS;
use crate::engine::falcon::sampler::*;
use crate::engine::falcon::tests::{bits, hex, ints, load};
use crate::simd::{Level, WithSimd, recast};
use std::sync::LazyLock;

/// The exact sampler with the specification's tables.
static EXACT: LazyLock<ExactSampler> = LazyLock::new(ExactSampler::of_the_specification);

/// Random numbers for tests.
struct RandomNumbers(ShakeStream);

impl RandomNumbers {
    fn new(name: &str, number: u64) -> Self {
        Self(ShakeStream::new(&[name.as_bytes(), &number.to_le_bytes()]))
    }

    fn number_below(&mut self, n: usize) -> usize {
        (self.0.u64() % n as u64) as usize
    }

    /// Returns a number from 0 to 1, made from 64 random bits.
    fn unit(&mut self) -> f64 {
        self.0.u64() as f64 * 2f64.powi(-64)
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.number_below(all.len())]
    }
}

/// Sets the next bytes that the sampler's generator returns. All bytes after them are 0xff.
fn set_next_bytes<S: Simd>(sampler: &mut Sampler<S>, bytes: &[u8]) {
    let words: &mut [u8] = recast(sampler.stream.words.as_mut());
    words.fill(0xff);
    words[..bytes.len()].copy_from_slice(bytes);
    let end = words.len();
    (sampler.stream.at, sampler.stream.end, sampler.stream.bytes_before_words) = (0, end, 0);
    sampler.candidates = PrecomputedCandidates::new();
    sampler.exhausted = false;
}

/// Asserts that no binary64 number is nearer to `value` than the table entry `entry_bits`.
fn assert_nearest(entry_bits: u64, value: &Digits, what: &str) {
    let distance = |x: f64| (Digits::from_f64(x) - value.clone()).abs();
    let entry = f64::from_bits(entry_bits);
    for neighbour in [entry.next_up(), entry.next_down()] {
        assert!(distance(entry) < distance(neighbour), "{what}: {neighbour:e} is nearer than {entry:e}");
    }
}

#[test]
fn constants_are_correctly_rounded() {
    for logn in 1..=10 {
        let sigma_min = tables::sigma_min(1 << logn, &Digits::pi());
        assert_nearest(SIGMA_MIN[logn], &sigma_min, &format!("sigma_min of 2^{logn}"));
        let inv_sigma = Digits::from(1) / tables::sigma(&sigma_min);
        assert_nearest(INV_SIGMA[logn], &inv_sigma, &format!("1/sigma of 2^{logn}"));
    }
    let ln_2 = Digits::from(2).ln();
    let inv_2_sigma0_squared = Digits::from(1) / (Digits::from(2) * Digits::ratio(18205, 10000).squared());
    assert_nearest(CONSTANTS.inv_2_sigma0_squared, &inv_2_sigma0_squared, "1/(2 sigma_0^2)");
    assert_nearest(CONSTANTS.ln_2, &ln_2, "ln 2");
    assert_nearest(CONSTANTS.inv_ln_2, &(Digits::from(1) / ln_2), "1/ln 2");
    assert_eq!(TAIL.as_slice(), TABLES.rcdt);
    assert_eq!(EXP, EXP_COEFFICIENTS);
    let limbs = TABLES.rcdt.iter().map(|t| [t & 0xff_ffff, t >> 24 & 0xff_ffff, t >> 48].map(|limb| limb as i32));
    assert!(limbs.enumerate().all(|(i, limbs)| limbs == LIMBS.map(|row| row[i])));
}

#[test]
fn a_sampler_has_the_constants_of_its_degree() {
    struct SamplerConstantsTest;
    impl WithSimd for SamplerConstantsTest {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            for logn in 2..=10u32 {
                let sampler = Sampler::new(isa, logn, &[]);
                let expected = (TABLES.sigma_min[logn as usize], TABLES.inv_sigma[logn as usize]);
                let constants = (sampler.sigma_min.to_bits(), sampler.inv_sigma().to_bits());
                assert_eq!(constants, (expected.0.to_bits(), expected.1.to_bits()), "{} 2^{logn}", S::NAME);
            }
        }
    }
    Level::available().for_each(|level| level.run(SamplerConstantsTest));
}

#[test]
fn the_exact_sampler_returns_the_published_integers() {
    let v = load(include_str!("../../../../../tests/kat/sampler-a.json"));
    let mut stream = ShakeStream::new(&[&hex(&v["prng_seed"])]);
    let _: [u8; NONCE_LEN] = stream.bytes();
    let mut next_byte = || stream.bytes::<1>()[0];
    let centres = bits(&v["mu_f64be"]);
    let sigmas = bits(&v["inv_sigma_f64be"]);
    for (i, expected) in ints(&v["z"]).into_iter().enumerate() {
        let leaf = ExactLeaf::new(f64::from_bits(sigmas[i]), TABLES.sigma_min[9]);
        let centre = ExactCentre::new(f64::from_bits(centres[i]));
        assert_eq!(EXACT.sampler_z(&centre, &leaf, u32::MAX, &mut next_byte), Some(expected), "call {i}");
    }
}

#[test]
fn a_base_sample_is_the_number_of_larger_table_entries() {
    let mut random = RandomNumbers::new("base samples", 0);
    let mut values: Vec<u128> = TABLES.rcdt.iter().flat_map(|t| [t - 1, *t, t + 1]).collect();
    values.extend([0, (1 << 79) - 1]);
    values.extend((0..20_000).map(|i| u128::from_le_bytes(random.0.bytes()) & (((1 << 79) - 1) >> (i % 79))));
    for v in values {
        for b in 0..2 {
            let bytes = *(v << 1 | b).to_le_bytes().first_chunk().unwrap();
            assert_eq!(base_sampler(bytes), (EXACT.base_sample(v) as i32, b as i32), "{v:#x}");
        }
    }
}

/// The relation between 64 random bits and the threshold.
#[derive(Clone, Copy, Debug)]
enum ThresholdRelation {
    Below,
    Equal,
    Above,
    /// The given number of bytes at the start are equal to the threshold's bytes. The next byte is
    /// smaller by 1 or more, and the remaining bytes are 0xff.
    TiesThenLess(usize),
    /// The given number of bytes at the start are equal to the threshold's bytes. The next byte is
    /// greater by 1 or more, and the remaining bytes are 0.
    TiesThenMore(usize),
}

/// All relations that the tests use.
const DRAWS: [ThresholdRelation; 19] = [
    ThresholdRelation::Below,
    ThresholdRelation::Equal,
    ThresholdRelation::Above,
    ThresholdRelation::TiesThenLess(0),
    ThresholdRelation::TiesThenLess(1),
    ThresholdRelation::TiesThenLess(2),
    ThresholdRelation::TiesThenLess(3),
    ThresholdRelation::TiesThenLess(4),
    ThresholdRelation::TiesThenLess(5),
    ThresholdRelation::TiesThenLess(6),
    ThresholdRelation::TiesThenLess(7),
    ThresholdRelation::TiesThenMore(0),
    ThresholdRelation::TiesThenMore(1),
    ThresholdRelation::TiesThenMore(2),
    ThresholdRelation::TiesThenMore(3),
    ThresholdRelation::TiesThenMore(4),
    ThresholdRelation::TiesThenMore(5),
    ThresholdRelation::TiesThenMore(6),
    ThresholdRelation::TiesThenMore(7),
];

impl ThresholdRelation {
    /// Returns random bytes with this relation to the threshold, up to the first byte that differs
    /// from the threshold. Also returns whether these random bytes are below the threshold. If this
    /// relation is impossible for a 64-bit number, returns the threshold's bytes.
    fn bytes(self, threshold: u64, random: &mut RandomNumbers) -> (Vec<u8>, bool) {
        let number = match self {
            Self::Below => threshold.checked_sub(1),
            Self::Equal => None,
            Self::Above => threshold.checked_add(1),
            Self::TiesThenLess(at) | Self::TiesThenMore(at) => {
                let mut bytes = threshold.to_be_bytes();
                let less = matches!(self, Self::TiesThenLess(_));
                let distance_to_end = if less { bytes[at] } else { 0xff - bytes[at] };
                let by = if random.number_below(2) == 0 {
                    1
                } else {
                    1 + random.number_below(usize::from(distance_to_end).max(1)) as u8
                };
                bytes[at + 1..].fill(if less { 0xff } else { 0 });
                bytes[at] = if less { bytes[at].wrapping_sub(by) } else { bytes[at].wrapping_add(by) };
                (distance_to_end > 0).then(|| u64::from_be_bytes(bytes))
            }
        };
        let number = number.unwrap_or(threshold);
        let equal = ((number ^ threshold).leading_zeros() / 8) as usize;
        (number.to_be_bytes()[..(equal + 1).min(8)].to_vec(), number < threshold)
    }
}

/// Tests values of x next to every multiple of `ln 2`, where k changes, and values between the
/// multiples. The scales range from the smallest to the largest.
#[test]
fn ber_exp_compares_with_the_exact_threshold() {
    struct BerExpTest<'c>(&'c [(f64, u64, Vec<u8>, bool)]);
    impl WithSimd for BerExpTest<'_> {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            let mut sampler = Sampler::new(isa, 9, &[]);
            for (x, scale, bytes, is_below) in self.0 {
                set_next_bytes(&mut sampler, bytes);
                let accepted = sampler.ber_exp(S::Real::from_bits(x.to_bits()), *scale);
                let what = format!("{}: x {x:e}, scale {scale:#x}, bytes {bytes:x?}", S::NAME);
                assert_eq!((accepted, sampler.stream.consumed_bytes()), (*is_below, bytes.len()), "{what}");
            }
        }
    }
    let mut random = RandomNumbers::new("ber_exp", 0);
    let mut points = vec![0.0, f64::MIN_POSITIVE, 1e-300, 1e-20, 0.5, 1023.9, 1024f64.next_down()];
    for k in 1..=1477 {
        let multiple = f64::from(k) * TABLES.ln2;
        points.extend([multiple.next_down().next_down(), multiple.next_down(), multiple, multiple.next_up()]);
    }
    points.retain(|x| *x < 1024.0);
    points.extend((0..4000).map(|i| random.unit() * [TABLES.ln2, 4.0, 50.0, 0.01][i % 4]));
    let mut cases = vec![];
    for (i, x) in points.into_iter().enumerate() {
        // ccs is between sigma_min / 1.8205, which is at least 0.62, and 1.
        let ccs = [0.62 + 0.379 * random.unit(), 0.62, 1f64.next_down()][if i % 8 < 6 { 0 } else { i % 8 - 5 }];
        let scale = Dyadic::from_f64(ccs).shifted(63).trunc() << 1u32;
        let threshold = EXACT.threshold(&Dyadic::from_f64(x), &scale);
        let scale = u64::try_from(scale).unwrap();
        for draw in [ThresholdRelation::Below, ThresholdRelation::Equal, ThresholdRelation::Above, DRAWS[3 + i % 16]] {
            let (bytes, is_below) = draw.bytes(threshold, &mut random);
            cases.push((x, scale, bytes, is_below));
        }
    }
    Level::available().for_each(|level| level.run(BerExpTest(&cases)));
}

/// A call of [`Sampler::pair`]: its arguments, the generator's bytes and the expected samples.
struct SamplerCase {
    centres: [f64; 2],
    inv_sigma: f64,
    bytes: Vec<u8>,
    samples: [i64; 2],
}

/// Returns 79 random bits that give base sample z0. In about half the calls, the bits are the
/// smallest or the largest number that gives z0.
fn bits_of(z0: u32, random: &mut RandomNumbers) -> u128 {
    let low = TABLES.rcdt.get(z0 as usize).copied().unwrap_or(0);
    let high = if z0 == 0 { 1 << 79 } else { TABLES.rcdt[z0 as usize - 1] };
    match random.number_below(4) {
        0 => low,
        1 => high - 1,
        _ => low + u128::from_le_bytes(random.0.bytes()) % (high - low),
    }
}

/// Appends a candidate's bytes to `bytes`, and returns the sample if the candidate is accepted.
fn craft(
    centre: &ExactCentre,
    leaf: &ExactLeaf,
    (z0, b): (u32, u32),
    draw: ThresholdRelation,
    random: &mut RandomNumbers,
    bytes: &mut Vec<u8>,
) -> Option<i64> {
    let v = bits_of(z0, random);
    bytes.extend(&(v << 1 | u128::from(b)).to_le_bytes()[..10]);
    let (z, x) = EXACT.candidate(centre, leaf, z0, b);
    let (candidate_bytes, accepted) = draw.bytes(EXACT.threshold(&x, &leaf.scale), random);
    bytes.extend(candidate_bytes);
    accepted.then_some(centre.floor + z)
}

/// Returns a case for a pair of samples. The first candidate of each sample has any base sample and
/// any relation to the threshold. If the first candidate is rejected, the next candidate is
/// accepted.
fn sampler_case(logn: u32, i: usize, random: &mut RandomNumbers) -> SamplerCase {
    let sigma_min = TABLES.sigma_min[logn as usize];
    // Choose an end of the range for leaves, or a value in the range.
    let inv_sigma = match i % 8 {
        0 => 1.0 / 1.82,
        1 => (1.0 / sigma_min).next_down(),
        _ => 1.0 / 1.82 + (1.0 / sigma_min - 1.0 / 1.82) * random.unit(),
    };
    let centres = [0; 2].map(|_| {
        let integer_part = random.one_of(&[0.0, 1.0, -1.0, 117.0, -3.0, 8191.0, -1e6, 536_870_911.0]);
        let fraction = random.unit();
        integer_part
            + random.one_of(&[
                0.0,
                -0.0,
                0.5,
                1e-300,
                -1e-300,
                1f64.next_down(),
                1e-9,
                -1e-9,
                fraction,
                fraction,
                fraction,
            ])
    });
    let leaf = ExactLeaf::new(inv_sigma, sigma_min);
    let mut bytes = vec![];
    let samples = [0, 1].map(|j| {
        let centre = ExactCentre::new(centres[j]);
        let first = ((i / 2 + 7 * j) as u32 % 19, i as u32 % 2);
        craft(&centre, &leaf, first, DRAWS[(i + 5 * j) % 19], random, &mut bytes).unwrap_or_else(|| {
            let b = random.number_below(2) as u32;
            craft(&centre, &leaf, (0, b), ThresholdRelation::TiesThenLess(i % 8), random, &mut bytes)
                .or_else(|| craft(&centre, &leaf, (0, b), ThresholdRelation::Below, random, &mut bytes))
                .expect("a likely candidate has a threshold above 0")
        })
    });
    SamplerCase { centres, inv_sigma, bytes, samples }
}

/// Tests all computations from the centre and the leaf to the threshold, and how many bytes the
/// comparison reads. In these cases, the random bytes start with 0 to 8 bytes that are equal to the
/// threshold's bytes.
#[test]
fn sampler_z_computes_the_exact_values() {
    struct SamplerZTest<'c>(u32, &'c [SamplerCase]);
    impl WithSimd for SamplerZTest<'_> {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            let mut sampler = Sampler::new(isa, self.0, &[]);
            for sampler_case in self.1 {
                set_next_bytes(&mut sampler, &sampler_case.bytes);
                let [leaf] = sampler.leaves([S::Real::from_bits(sampler_case.inv_sigma.to_bits())]);
                let [c0, c1] = sampler_case.centres.map(|centre| S::Real::from_bits(centre.to_bits()));
                let (z0, z1) = sampler.pair(c0, c1, &leaf);
                let what = format!(
                    "{} 2^{}: centres {:?}, {:e}",
                    S::NAME,
                    self.0,
                    sampler_case.centres,
                    sampler_case.inv_sigma
                );
                let outcome = ([z0.round_i64(), z1.round_i64()], sampler.stream.consumed_bytes(), sampler.exhausted);
                assert_eq!(
                    outcome,
                    (sampler_case.samples, sampler_case.bytes.len(), false),
                    "{what}, bytes {:x?}",
                    sampler_case.bytes
                );
            }
        }
    }
    for logn in 2..=10 {
        let mut random = RandomNumbers::new("sampler_z", logn.into());
        // The first candidate has one of 19 base samples, one of 2 bits and one of 19 relations to
        // the threshold (`DRAWS`). There are 8 cases for the parameters. Without the summand
        // `i / 19`, these combinations would repeat every 152 cases.
        let count = if logn >= 9 { 19 * 2 * 19 * 8 } else { 19 * 19 };
        let cases: Vec<SamplerCase> = (0..count).map(|i| sampler_case(logn, i + i / 19, &mut random)).collect();
        Level::available().for_each(|level| level.run(SamplerZTest(logn, &cases)));
    }
}

/// Tests a tree leaf with which the sampler rejects nearly all candidates. The sampler must end
/// after [`MAX_SAMPLER_ATTEMPTS`] candidates.
#[test]
fn a_sampler_that_rejects_every_candidate_ends() {
    struct RejectingLeafTest<'c> {
        seed: &'c [u8],
        centre: f64,
        inv_sigma: f64,
        sigma_min: f64,
    }
    impl WithSimd for RejectingLeafTest<'_> {
        /// The samples, the number of bytes, and whether the sampler stopped after too many
        /// candidates.
        type Output = ([i64; 2], usize, bool);
        fn with<S: Simd>(self, isa: S) -> Self::Output {
            let mut sampler = Sampler::new(isa, 9, &[self.seed]);
            sampler.sigma_min = S::Real::from_bits(self.sigma_min.to_bits());
            let [leaf] = sampler.leaves([S::Real::from_bits(self.inv_sigma.to_bits())]);
            let centre = S::Real::from_bits(self.centre.to_bits());
            let (z0, z1) = sampler.pair(centre, centre, &leaf);
            ([z0.round_i64(), z1.round_i64()], sampler.stream.consumed_bytes(), sampler.exhausted)
        }
    }
    let run = |seed: &[u8], centre: f64, inv_sigma: f64, sigma_min: f64| {
        let mut stream = ShakeStream::new(&[seed]);
        let mut bytes_taken = 0;
        let mut next_byte = || {
            bytes_taken += 1;
            stream.bytes::<1>()[0]
        };
        let (centre_parts, leaf) = (ExactCentre::new(centre), ExactLeaf::new(inv_sigma, sigma_min));
        let floor = centre_parts.floor;
        let mut samples = [floor; 2];
        let mut exhausted = false;
        for z in &mut samples {
            if !exhausted {
                let sample = EXACT.sampler_z(&centre_parts, &leaf, MAX_SAMPLER_ATTEMPTS, &mut next_byte);
                (*z, exhausted) = (sample.unwrap_or(floor), sample.is_none());
            }
        }
        for level in Level::available() {
            let outcome = level.run(RejectingLeafTest { seed, centre, inv_sigma, sigma_min });
            assert_eq!(outcome, (samples, bytes_taken, exhausted), "{level}, centre {centre}, 1/sigma' {inv_sigma}");
        }
        (bytes_taken, exhausted)
    };
    // Every candidate is at least 1/2 away from the centre, so exp(-x) < exp(-100). If a
    // candidate's first byte for `ber_exp` is not 0, this byte decides, and the candidate uses 11
    // bytes. For about one seed in seventy, this is true for all candidates.
    let candidates = MAX_SAMPLER_ATTEMPTS as usize;
    let seed_without_ties = (0u64..)
        .map(|i| format!("a leaf that rejects {i}").into_bytes())
        .find(|seed| {
            let mut stream = ShakeStream::new(&[seed]);
            (0..candidates + 64).all(|_| stream.bytes::<STRIDE>()[STRIDE - 1] != 0)
        })
        .unwrap();
    let outcome = run(&seed_without_ties, 0.5, 28.5, 0.9 / 28.5);
    assert_eq!(outcome, (STRIDE * candidates, true), "the first byte must decide each candidate");
    // If a first byte is 0, more bytes decide, and the exact computation continues with the
    // remaining candidates.
    let mut ties = 0;
    for i in 0u64..8 {
        let (bytes_taken, exhausted) = run(&i.to_le_bytes(), 0.5, 28.5, 0.9 / 28.5);
        assert!(exhausted);
        ties += usize::from(bytes_taken > STRIDE * candidates);
    }
    assert!(ties > 0);
    // With this leaf, about one candidate in 1,000 is accepted. Therefore, some calls find a
    // sample, and other calls give up.
    let gave_up = (0u64..24).filter(|i| run(&i.to_le_bytes(), 0.5, 7.1, 0.9 / 7.1).1).count();
    println!("{gave_up} of 24 pairs gave up");
    assert!((4..22).contains(&gave_up));
}

/// Reads a generator's output in pieces with all lengths that the engine reads.
#[test]
fn the_generator_of_eight_streams_skips_and_repeats_nothing() {
    struct StreamOrderTest<'w>(&'w [u8]);
    impl WithSimd for StreamOrderTest<'_> {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            let mut sampler = Sampler::empty(isa, 9);
            sampler.start(Generator::Eight, &[b"se", b"ed"]);
            let mut at = 0;
            while at + 64 < self.0.len() {
                let bytes = match self.0[at] % 3 {
                    0 => sampler.stream.take::<1>().to_vec(),
                    1 => sampler.stream.take::<10>().to_vec(),
                    _ => sampler.stream.take::<16>().to_vec(),
                };
                assert_eq!(bytes, self.0[at..at + bytes.len()], "{} at byte {at}", S::NAME);
                at += bytes.len();
            }
        }
    }
    let mut streams: Vec<ShakeStream> =
        (0..8u8).map(|i| ShakeStream::new(&[b"seed", &[i], b"fndsa eight streams"])).collect();
    let expected: Vec<u8> = (0..8 * 17 * 500).flat_map(|i| streams[i % 8].bytes::<8>()).collect();
    Level::available().for_each(|level| level.run(StreamOrderTest(&expected)));
}

/// Tests that `is_complete` is true only if three conditions hold: the sampler was started, it drew
/// as many samples as its degree requires, and it never reached the limit of candidates.
#[test]
fn a_sampler_that_reached_its_limit_is_not_complete() {
    struct ExhaustedSamplerTest(f64);
    impl WithSimd for ExhaustedSamplerTest {
        type Output = [bool; 2];
        fn with<S: Simd>(self, isa: S) -> Self::Output {
            let unseeded = Sampler { pair_count: 1, ..Sampler::empty(isa, 9) };
            assert!(!unseeded.is_complete(0), "{}: the generator never started", S::NAME);
            let mut sampler = Sampler::new(isa, 9, &[b"samples"]);
            sampler.sigma_min = S::Real::from_bits((0.9 / self.0).to_bits());
            let [leaf] = sampler.leaves([S::Real::from_bits(self.0.to_bits())]);
            let centre = S::Real::from_i32(1).half();
            let _ = sampler.pair(centre, centre, &leaf);
            // The degree `2^0` needs one pair, and `2^1` needs two pairs.
            [sampler.is_complete(0), sampler.is_complete(1)]
        }
    }
    for level in Level::available() {
        assert_eq!(level.run(ExhaustedSamplerTest(1.0 / 1.5)), [true, false], "{level}");
        assert_eq!(level.run(ExhaustedSamplerTest(28.5)), [false, false], "{level}: every candidate is rejected");
    }
}
