//! `fndsa selftest`: known answers on every level of this CPU, then rounds with wrong input.
//!
//! The rounds are those of pqm4's functional test: bytes beside every output must stay as they
//! were, and a changed message, a changed signature and another key must be refused. All random
//! bytes are fixed, so that a failure can be repeated and levels can be compared.

use super::Context;
use super::deterministic::{Deterministic, Stream};
use super::hex::{from_hex, hex};
use super::message::mu;
use super::progress::Progress;
use super::report::{Entry, Error, Report, Tone};
use fndsa::{Algorithm, Degree, Level, Mu, Scheme, SigningKey, VerifyError, VerifyingKey};
use getrandom::SysRng;
use rand_core::{TryCryptoRng, TryRng};
use sha2::{Digest, Sha256};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Rounds for each level and algorithm
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    rounds: u32,
}

/// A known answer, in hexadecimal: published vector 0 of a degree (`tests/kat/kat-a.json`), its
/// outputs as SHA-256.
#[derive(Clone, Copy)]
struct Answer {
    degree: Degree,
    seed: &'static str,
    random: &'static str,
    private: &'static str,
    public: &'static str,
    signature: &'static str,
}

/// The context and the message of both.
const CONTEXT: &[u8] = b"domain";
const MESSAGE: &[u8] = b"message";

const ANSWERS: [Answer; 2] = [
    Answer {
        degree: Degree::N512,
        seed: "ba6629737ffef577ecf257c874316e1a07677f35994cf0918c1a827247ac5ecd",
        random: "39d5f58db10116ec91d36b2860321b9b29b1aba12520e92e2ff09e20475986ab2dc63918bff4f749",
        private: "f83a3050837107b1ef81cdacafe6a7c55a71d17af2a8005be82b506306b34da1",
        public: "910740576872e54e2cbf67c77e0f578c1096120d19077496ce0968ed29958602",
        signature: "3e5a64b307df2aaca5be7acc7a3f3267b6108c7c3d2b5cbba5e9621398056390",
    },
    Answer {
        degree: Degree::N1024,
        seed: "8a713d8f2af954193f65a5624843ae205a2911b8ffd372e3f600480496532b25",
        random: "660af134d7dc79dfb26947be77268e8918f18ae9ef4ae2c0693a5da31f41cdb676e57b99dfcb99b4",
        private: "ed24f039822504cace19ead1c6922f3dcfae516d4e2278fb9a35edda5666afef",
        public: "b1738039dc08926f92bd87b2e4cfad9f68b5cc075da25ffdad695b78454e8246",
        signature: "98c65944c4f87360fb2bad6d52f51a01bc7177ee73b1080864583ac677b37578",
    },
];

/// Why a check failed.
type Outcome = Result<(), String>;

/// Bytes before and after an output that nothing may touch.
const MARGIN: usize = 64;
const CANARY: u8 = 0xa5;

/// An output buffer between canaries.
struct Guarded(Vec<u8>);

impl Guarded {
    fn new(len: usize) -> Self {
        let mut bytes = vec![CANARY; len + 2 * MARGIN];
        bytes[MARGIN..MARGIN + len].fill(0);
        Self(bytes)
    }

    fn bytes(&self) -> &[u8] {
        &self.0[MARGIN..self.0.len() - MARGIN]
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        let end = self.0.len() - MARGIN;
        &mut self.0[MARGIN..end]
    }

    /// That only the output was written.
    fn intact(&self, what: &str) -> Outcome {
        let end = self.0.len() - MARGIN;
        let touched = self.0[..MARGIN].iter().chain(&self.0[end..]).any(|byte| *byte != CANARY);
        if touched { Err(format!("bytes beside the {what} were overwritten")) } else { Ok(()) }
    }
}

/// A key pair between canaries.
struct Keys {
    private: Guarded,
    public: Guarded,
}

impl Keys {
    fn generate<R: TryCryptoRng>(level: Level, degree: Degree, rng: &mut R) -> Result<Self, String> {
        let algorithm = Algorithm::new(Scheme::FnDsa, degree);
        let mut private = Guarded::new(algorithm.signing_key_len());
        let mut public = Guarded::new(algorithm.verifying_key_len());
        let mut work = Guarded::new(degree.keygen_work_len());
        let (to, public_to) = (private.bytes_mut(), public.bytes_mut());
        SigningKey::generate(level, algorithm, rng, to, public_to, work.bytes_mut()).map_err(|e| e.to_string())?;
        private.intact("private key")?;
        public.intact("public key")?;
        work.intact("work memory")?;
        Ok(Self { private, public })
    }

    /// Loads the key and signs: the signature and its `mu`.
    fn sign(&self, level: Level, context: &[u8], message: &[u8], random: &[u8]) -> Result<(Guarded, Mu), String> {
        let bytes = self.private.bytes();
        let mut work = vec![0; self.import_len()];
        let key = SigningKey::from_bytes(level, Scheme::FnDsa, bytes, &mut work).map_err(|e| e.to_string())?;
        let mu = mu(level, &key.key_hash(), context, message).map_err(|e| e.to_string())?;
        let mut signature = Guarded::new(key.degree().signature_len());
        let mut work = Guarded::new(key.degree().sign_work_len());
        key.sign(level, &mu, &mut Deterministic(random), signature.bytes_mut(), work.bytes_mut())
            .map_err(|e| e.to_string())?;
        signature.intact("signature")?;
        work.intact("work memory")?;
        Ok((signature, mu))
    }

    fn import_len(&self) -> usize {
        Degree::N1024.import_work_len()
    }

    /// That a changed private key is not loaded.
    fn refuses_changed_key(&self, level: Level, bit: usize) -> Outcome {
        let changed = flipped(self.private.bytes(), bit);
        match SigningKey::from_bytes(level, Scheme::FnDsa, &changed, &mut vec![0; self.import_len()]) {
            Ok(_) => Err("a changed private key was accepted".to_owned()),
            Err(_) => Ok(()),
        }
    }
}

/// The bytes with one bit changed; which one follows from any number.
fn flipped(bytes: &[u8], bit: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let bit = bit % (8 * bytes.len());
    bytes[bit / 8] ^= 1 << (bit % 8);
    bytes
}

/// The answer of one verification.
fn verify(level: Level, public: &[u8], mu: &Mu, signature: &[u8]) -> Result<Result<(), VerifyError>, String> {
    let key = VerifyingKey::from_bytes(Scheme::FnDsa, public).map_err(|e| e.to_string())?;
    let mut work = Guarded::new(key.algorithm().verify_work_len());
    let answer = key.verify(level, mu, signature, work.bytes_mut());
    work.intact("work memory")?;
    Ok(answer)
}

/// That a signature is good, and everything one bit or one key away from it is not.
fn exactly_this(level: Level, keys: &Keys, other: &Keys, mu: &Mu, signature: &[u8], bit: usize) -> Outcome {
    let public = keys.public.bytes();
    verify(level, public, mu, signature)?.map_err(|e| format!("a good signature was refused: {e}"))?;
    let other_mu = flipped(mu.as_bytes(), bit);
    let other_mu = Mu::from_bytes(other_mu.try_into().map_err(|_| "mu has another length")?);
    let wrong = [
        ("a changed message", verify(level, public, &other_mu, signature)?),
        ("a changed signature", verify(level, public, mu, &flipped(signature, bit))?),
        ("the signature of another key", verify(level, other.public.bytes(), mu, signature)?),
    ];
    match wrong.iter().find(|(_, answer)| answer.is_ok()) {
        Some((what, _)) => Err(format!("{what} was accepted")),
        None => keys.refuses_changed_key(level, bit),
    }
}

/// That an output has the known digest.
fn known(what: &str, bytes: &[u8], digest: &str) -> Outcome {
    let found = hex(&Sha256::digest(bytes));
    if found == digest { Ok(()) } else { Err(format!("SHA-256 of the {what} is {found}, not {digest}")) }
}

/// The known answers of one level and degree, one check after the other.
struct Known {
    level: Level,
    answer: Answer,
    keys: Option<Keys>,
    signed: Option<(Guarded, Mu)>,
}

/// Its name, and the check.
type Check = (&'static str, fn(&mut Known) -> Outcome);

const NO_KEYS: &str = "there are no keys";

impl Known {
    const CHECKS: [Check; 3] = [("keygen", Self::keygen), ("sign", Self::sign), ("verify", Self::verify)];

    fn keygen(&mut self) -> Outcome {
        let seed = from_hex(self.answer.seed.as_bytes())?;
        let keys = Keys::generate(self.level, self.answer.degree, &mut Deterministic(&seed[..]))?;
        let keys = self.keys.insert(keys);
        known("private key", keys.private.bytes(), self.answer.private)?;
        known("public key", keys.public.bytes(), self.answer.public)
    }

    fn sign(&mut self) -> Outcome {
        let random = from_hex(self.answer.random.as_bytes())?;
        let signed = self.keys.as_ref().ok_or(NO_KEYS)?.sign(self.level, CONTEXT, MESSAGE, &random)?;
        known("signature", self.signed.insert(signed).0.bytes(), self.answer.signature)
    }

    /// The stored signature, as far as its digest is it.
    fn verify(&mut self) -> Outcome {
        let (keys, (signature, mu)) =
            (self.keys.as_ref().ok_or(NO_KEYS)?, self.signed.as_ref().ok_or("there is no signature")?);
        known("signature", signature.bytes(), self.answer.signature)?;
        let other = Keys::generate(self.level, self.answer.degree, &mut Deterministic(Stream::of(&[b"other"])))?;
        exactly_this(self.level, keys, &other, mu, signature.bytes(), 1000)
    }
}

/// One round: a new key, a message, a signature, wrong input. Gives the digest of all outputs.
fn round(level: Level, degree: Degree, number: u32, before: &mut Option<Keys>) -> Result<[u8; 32], String> {
    let n = degree.n() as u16;
    let mut stream = Stream::of(&[b"fndsa-selftest", &n.to_le_bytes(), &number.to_le_bytes()]);
    let (context_len, message_len) = (stream.bytes::<1>(), stream.bytes::<1>());
    let (context, message) = (stream.vec(context_len[0].into()), stream.vec(message_len[0].into()));
    let (random, bit) = (stream.bytes::<40>(), u32::from_le_bytes(stream.bytes()) as usize);
    let keys = Keys::generate(level, degree, &mut Deterministic(&mut stream))?;
    let other = match before.take() {
        Some(other) => other,
        None => Keys::generate(level, degree, &mut Deterministic(&mut stream))?,
    };
    let (signature, mu) = keys.sign(level, &context, &message, &random)?;
    exactly_this(level, &keys, &other, &mu, signature.bytes(), bit)?;
    let outputs = [keys.private.bytes(), keys.public.bytes(), signature.bytes()].concat();
    *before = Some(keys);
    Ok(Sha256::digest(outputs).into())
}

/// All rounds of one level and degree. `first` has the digests of the first level.
fn rounds(level: Level, degree: Degree, first: &mut Vec<[u8; 32]>, count: u32, mut step: impl FnMut()) -> Outcome {
    let mut before = None;
    for number in 0..count {
        let digest = round(level, degree, number, &mut before).map_err(|why| format!("round {number}: {why}"))?;
        match first.get(number as usize) {
            Some(expected) if *expected != digest => {
                return Err(format!("round {number}: not the bytes of the other levels"));
            }
            Some(_) => {}
            None => first.push(digest),
        }
        step();
    }
    Ok(())
}

/// That the system gives random bytes, as far as two looks can tell.
fn system_randomness() -> Outcome {
    let mut bytes = [[0; 32]; 2];
    for bytes in &mut bytes {
        SysRng.try_fill_bytes(bytes).map_err(|e| e.to_string())?;
    }
    if bytes[0] == bytes[1] || bytes.contains(&[0; 32]) { Err("it repeats".to_owned()) } else { Ok(()) }
}

/// The checks so far.
#[derive(Default)]
struct Tally {
    failed: usize,
    of: usize,
}

impl Tally {
    /// Says how a check went.
    fn add(&mut self, report: &mut Report, names: &[&str], entry: Entry, outcome: &Outcome) -> Result<(), Error> {
        self.of += 1;
        let before = format!("{}: ", names.join(" "));
        match outcome {
            Ok(()) => {
                report.push(entry.ok());
                if report.voice.quiet == 0 { report.answer(&before, "ok", Tone::Good, "") } else { Ok(()) }
            }
            Err(why) => {
                self.failed += 1;
                report.push(entry.failed("self_test_failed", why, None));
                report.answer(&before, "FAILED", Tone::Bad, &format!(" ({why})"))
            }
        }
    }
}

/// Runs the command.
///
/// # Errors
/// A check failed.
pub fn run(args: &Args, context: &Context, report: &mut Report) -> Result<(), Error> {
    let levels = if context.levels.is_empty() { Level::available().collect() } else { context.levels.clone() };
    let mut tally = Tally::default();
    tally.add(
        report,
        &["system randomness"],
        Entry::default().set("check", "randomness".into()),
        &system_randomness(),
    )?;
    let steps = (levels.len() * ANSWERS.len()) as u64 * u64::from(args.rounds);
    let (mut bar, mut position) = (Progress::new(context.voice).steps("self test", steps), 0);
    for answer in ANSWERS {
        let algorithm = Algorithm::new(Scheme::FnDsa, answer.degree);
        let (name, mut first) = (algorithm.to_string(), Vec::new());
        for level in &levels {
            let entry = |check: &str| {
                Entry::default().algorithm(algorithm).set("backend", level.name().into()).set("check", check.into())
            };
            let mut known = Known { level: *level, answer, keys: None, signed: None };
            for (check, run) in Known::CHECKS {
                let outcome = run(&mut known);
                bar.pause(|| tally.add(report, &[level.name(), &name, check], entry(check), &outcome))?;
            }
            if args.rounds > 0 {
                let outcome = rounds(*level, answer.degree, &mut first, args.rounds, || {
                    position += 1;
                    bar.at(position);
                });
                let entry = entry("rounds").set("rounds", args.rounds.into());
                let check = format!("{} round{}", args.rounds, if args.rounds == 1 { "" } else { "s" });
                bar.pause(|| tally.add(report, &[level.name(), &name, &check], entry, &outcome))?;
            }
        }
    }
    if tally.failed > 0 {
        return Err(Error::SelfTest { failed: tally.failed, of: tally.of });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn outcomes(answer: Answer) -> Vec<Outcome> {
        let mut known = Known { level: Level::detect(), answer, keys: None, signed: None };
        Known::CHECKS.iter().map(|(_, run)| run(&mut known)).collect()
    }

    #[test]
    fn answers_are_the_published_ones() {
        let file: Value = serde_json::from_str(include_str!("../../tests/kat/kat-a.json")).unwrap();
        for answer in ANSWERS {
            let vectors = file["vectors"].as_array().unwrap();
            let v = vectors.iter().find(|v| v["logn"] == answer.degree.logn() && v["j"] == 0).unwrap();
            assert_eq!((&v["keygen_seed"], &v["sign_random"]), (&answer.seed.into(), &answer.random.into()));
            assert_eq!((&v["ctx"], &v["message"]), (&hex(CONTEXT).into(), &hex(MESSAGE).into()));
            assert_eq!(v["hash"], "raw");
            for (name, digest) in [("sk", answer.private), ("vk", answer.public), ("sig", answer.signature)] {
                let bytes = from_hex(v[name].as_str().unwrap().as_bytes()).unwrap();
                assert_eq!(known(name, &bytes, digest), Ok(()));
            }
        }
    }

    #[test]
    fn a_wrong_answer_fails_its_check_and_what_rests_on_it() {
        let good = ANSWERS[0];
        let failed = |answer| outcomes(answer).iter().map(Result::is_err).collect::<Vec<_>>();
        assert_eq!(failed(good), [false, false, false]);
        assert_eq!(failed(Answer { private: good.public, ..good }), [true, false, false]);
        assert_eq!(failed(Answer { public: good.private, ..good }), [true, false, false]);
        assert_eq!(failed(Answer { signature: good.private, ..good }), [false, true, true]);
        assert_eq!(failed(Answer { seed: good.public, ..good }), [true, true, true]);
        assert_eq!(failed(Answer { random: good.seed, ..good }), [false, true, true], "32 bytes where 40 are needed");
        assert!(outcomes(Answer { private: good.public, ..good })[0].as_ref().unwrap_err().contains("private key"));
    }

    #[test]
    fn levels_that_differ_fail() {
        let (level, degree) = (Level::detect(), Degree::N512);
        let mut first = Vec::new();
        assert_eq!(rounds(level, degree, &mut first, 2, || ()), Ok(()));
        assert_eq!(rounds(Level::EMULATED, degree, &mut first, 2, || ()), Ok(()));
        first[1][31] ^= 1;
        assert_eq!(
            rounds(level, degree, &mut first, 2, || ()),
            Err("round 1: not the bytes of the other levels".to_owned())
        );
    }

    #[test]
    fn wrong_input_that_is_accepted_fails() {
        let (level, degree) = (Level::detect(), Degree::N512);
        let keys = |name: &[u8]| Keys::generate(level, degree, &mut Deterministic(Stream::of(&[name]))).unwrap();
        let (one, two) = (keys(b"one"), keys(b"two"));
        let (signature, mu) = one.sign(level, b"", b"m", &[7; 40]).unwrap();
        assert_eq!(exactly_this(level, &one, &two, &mu, signature.bytes(), 99), Ok(()));
        let same = exactly_this(level, &one, &one, &mu, signature.bytes(), 99);
        assert_eq!(same, Err("the signature of another key was accepted".to_owned()));
        let refused = exactly_this(level, &two, &one, &mu, signature.bytes(), 99).unwrap_err();
        assert!(refused.starts_with("a good signature was refused"), "{refused}");
    }

    #[test]
    fn a_byte_beside_an_output_is_seen() {
        for at in [0, MARGIN - 1, MARGIN + 10, 2 * MARGIN + 9] {
            let mut guarded = Guarded::new(10);
            guarded.bytes_mut().fill(1);
            assert_eq!(guarded.intact("output"), Ok(()));
            guarded.0[at] ^= 1;
            assert_eq!(guarded.intact("output"), Err("bytes beside the output were overwritten".to_owned()), "{at}");
        }
    }
}
