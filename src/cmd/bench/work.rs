//! The operations that are measured, and their parts.

use super::measure::TimedWork;
use crate::tool::io::random::SystemRng;
use crate::tool::keys::pair::KeyPair;
use crate::tool::packed::packed;
use crate::tool::report::Error;
use crate::tool::sign::deterministic::DeterministicRng;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use fndsa::batch::{BatchItem, ExpandedSigningKey, ExpandedVerifyingKey, verify_batch};
use fndsa::error::VerifyError;
use fndsa::no_alloc::{Level, MessageToVerify, SigningKeyRef, VerifyingKeyRef};
use fndsa::subroutine::{PreparedSubroutine, Subroutine};
use fndsa::{Algorithm, Options};
use rand_core::TryCryptoRng;
use std::hint::black_box;

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum BenchOperation {
    /// Make a key pair
    Keygen,
    /// Load a private key and sign
    Sign,
    /// Sign with an expanded key
    SignRepeat,
    /// Sign with an expanded key and the faster generator of --fast-rng
    #[value(skip)]
    SignFastRng,
    /// Sign many messages at once with an expanded key; the time is for one message
    SignBatch,
    /// Load a public key and verify
    Verify,
    /// Verify with an expanded key
    VerifyRepeat,
    /// Verify many signatures at once with an expanded key; the time is for one signature
    VerifyBatch,
}

impl BenchOperation {
    /// Returns whether a call processes several messages.
    pub const fn is_batch(self) -> bool {
        matches!(self, Self::SignBatch | Self::VerifyBatch)
    }

    /// Returns two work memory sizes in bytes: the minimum size, and the size with which the
    /// operation is fastest.
    pub fn work_lens(self, algorithm: Algorithm) -> [usize; 2] {
        match self {
            Self::Keygen => [algorithm.keygen_work_len(), algorithm.keygen_fast_work_len()],
            Self::Sign => [
                algorithm.import_work_len().max(algorithm.sign_work_len()),
                algorithm.import_fast_work_len().max(algorithm.sign_fast_work_len()),
            ],
            Self::SignRepeat | Self::SignFastRng => [algorithm.sign_expanded_work_len(); 2],
            Self::SignBatch => [algorithm.sign_batch_work_len(); 2],
            Self::Verify | Self::VerifyRepeat => [algorithm.verify_work_len(), algorithm.verify_fast_work_len()],
            Self::VerifyBatch => [algorithm.verify_batch_work_len(); 2],
        }
    }
}

/// A part of operations, which `--subroutine` measures alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum TimedPart {
    /// One permutation of Keccak
    Keccak,
    /// Eight permutations of Keccak in the lanes of the level
    KeccakLanes,
    /// The Keccak permutation of eight states, computed one state at a time
    KeccakSerial,
    /// A transform modulo q, a product and an inverse transform
    Ntt,
    /// A transform over the reals and its inverse
    Fft,
    /// A transform over the reals
    FftForward,
    /// An inverse transform over the reals
    FftInverse,
    /// The samples of one signature, with the hashing for their randomness
    Sampler,
    /// The half-Gaussian samples of one signature, without the other steps of the sampler
    BaseSampler,
    /// Hash one message to a point
    HashToPoint,
    /// Compute F and G from f and g
    NtruSolve,
    /// Encode and decode the coefficients of one signature
    Codec,
    /// Find a lattice point near one hashed message with an expanded key: transforms, tree and
    /// samples
    SignCore,
    /// sign-core from the encoded key: also computes the basis and the tree
    SignCoreEncoded,
}

/// A target that can be measured: an operation, a part of operations, or the hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BenchTarget {
    /// An operation.
    Op(BenchOperation),
    /// A part.
    Part(TimedPart),
    /// The hashes, which need no key.
    Hash,
}

/// The targets that can be positional arguments. Parts are values of `--subroutine` instead.
impl ValueEnum for BenchTarget {
    fn value_variants<'a>() -> &'a [Self] {
        const NAMED: [BenchTarget; 8] = {
            let [keygen, sign, sign_repeat, verify, verify_repeat] = BenchTarget::ALL;
            let [sign_batch, verify_batch] =
                [BenchTarget::Op(BenchOperation::SignBatch), BenchTarget::Op(BenchOperation::VerifyBatch)];
            [keygen, sign, sign_repeat, sign_batch, verify, verify_repeat, verify_batch, BenchTarget::Hash]
        };
        &NAMED
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Op(op) => op.to_possible_value(),
            Self::Part(_) => None,
            Self::Hash => {
                Some(PossibleValue::new(self.name()).help("Hash messages with SHAKE256 and with the pre-hashes"))
            }
        }
    }
}

impl BenchTarget {
    /// The operations that are measured by default.
    pub const ALL: [Self; 5] = [
        Self::Op(BenchOperation::Keygen),
        Self::Op(BenchOperation::Sign),
        Self::Op(BenchOperation::SignRepeat),
        Self::Op(BenchOperation::Verify),
        Self::Op(BenchOperation::VerifyRepeat),
    ];

    /// Returns whether the time depends on the message's length.
    pub const fn has_message(self) -> bool {
        !matches!(self, Self::Op(BenchOperation::Keygen) | Self::Part(_))
    }

    /// Returns the name for tables and documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Op(BenchOperation::Keygen) => "keygen",
            Self::Op(BenchOperation::Sign) => "sign",
            Self::Op(BenchOperation::SignRepeat) => "sign-repeat",
            Self::Op(BenchOperation::SignFastRng) => "sign-repeat fast-rng",
            Self::Op(BenchOperation::SignBatch) => "sign-batch",
            Self::Op(BenchOperation::Verify) => "verify",
            Self::Op(BenchOperation::VerifyRepeat) => "verify-repeat",
            Self::Op(BenchOperation::VerifyBatch) => "verify-batch",
            Self::Hash => "hash",
            Self::Part(TimedPart::Keccak) => "subroutine keccak",
            Self::Part(TimedPart::KeccakLanes) => "subroutine keccak-lanes",
            Self::Part(TimedPart::KeccakSerial) => "subroutine keccak-serial",
            Self::Part(TimedPart::Ntt) => "subroutine ntt",
            Self::Part(TimedPart::Fft) => "subroutine fft",
            Self::Part(TimedPart::FftForward) => "subroutine fft-forward",
            Self::Part(TimedPart::FftInverse) => "subroutine fft-inverse",
            Self::Part(TimedPart::Sampler) => "subroutine sampler",
            Self::Part(TimedPart::BaseSampler) => "subroutine base-sampler",
            Self::Part(TimedPart::HashToPoint) => "subroutine hash-to-point",
            Self::Part(TimedPart::NtruSolve) => "subroutine ntru-solve",
            Self::Part(TimedPart::Codec) => "subroutine codec",
            Self::Part(TimedPart::SignCore) => "subroutine sign-core",
            Self::Part(TimedPart::SignCoreEncoded) => "subroutine sign-core-encoded",
        }
    }
}

impl TimedPart {
    /// Returns the library's identifier for this part.
    pub const fn subroutine(self) -> Subroutine {
        match self {
            Self::Keccak => Subroutine::Keccak,
            Self::KeccakLanes => Subroutine::KeccakLanes,
            Self::KeccakSerial => Subroutine::KeccakSerial,
            Self::Ntt => Subroutine::Ntt,
            Self::Fft => Subroutine::Fft,
            Self::FftForward => Subroutine::FftForward,
            Self::FftInverse => Subroutine::FftInverse,
            Self::Sampler => Subroutine::Sampler,
            Self::BaseSampler => Subroutine::BaseSampler,
            Self::HashToPoint => Subroutine::HashToPoint,
            Self::NtruSolve => Subroutine::NtruSolve,
            Self::Codec => Subroutine::Codec,
            Self::SignCore => Subroutine::SampleExpanded,
            Self::SignCoreEncoded => Subroutine::Sample,
        }
    }
}

/// Returns the help for the operation or part with this name. Returns `None` if the command line
/// does not accept this name.
pub fn about(name: &str) -> Option<String> {
    for target in BenchTarget::value_variants() {
        if target.name() == name {
            return value_help(target);
        }
    }
    for part in TimedPart::value_variants() {
        if BenchTarget::Part(*part).name() == name {
            return value_help(part);
        }
    }
    None
}

/// Returns a value's help on the command line.
fn value_help(value: &impl ValueEnum) -> Option<String> {
    let value = value.to_possible_value()?;
    Some(value.get_help()?.to_string())
}

/// The number of different messages and signatures, unless the messages from the CCTV project
/// ([`published_messages`]) are used. The calls use the messages in turn.
const SIGNATURES: usize = 16;
/// The default message size in bytes for all algorithms except ML-DSA, which has the CCTV messages.
pub const MESSAGE_SIZE: u32 = 1024;
/// The seed for the key that signs the CCTV messages, and the random bytes for each signature with
/// this key.
const ZEROS: [u8; 32] = [0; 32];

/// Returns the messages that the CCTV project has published for benchmarks of an ML-DSA parameter
/// set. Returns `None` for all other algorithms. The files contain JSON arrays of texts.
///
/// ML-DSA rejects most attempts at a signature, and the number of attempts depends on the key and
/// the message. With the key from a seed of zeros, the deterministic signatures of all these
/// messages together have the average number of attempts. So the mean time over all messages can be
/// compared with other implementations and machines.
fn published_messages(algorithm: Algorithm) -> Option<Vec<Vec<u8>>> {
    let texts = match algorithm {
        Algorithm::ML_DSA_44 => packed!("ml-dsa-44.json"),
        Algorithm::ML_DSA_65 => packed!("ml-dsa-65.json"),
        Algorithm::ML_DSA_87 => packed!("ml-dsa-87.json"),
        _ => return None,
    };
    let texts: Vec<String> = serde_json::from_slice(&texts.bytes().ok()?).ok()?;
    Some(texts.into_iter().map(String::into_bytes).collect())
}

/// Returns the default message size in bytes.
pub fn message_size(algorithm: Algorithm) -> u32 {
    match published_messages(algorithm) {
        Some(messages) => messages[0].len() as u32,
        None => MESSAGE_SIZE,
    }
}

/// The default number of messages in a batch.
const BATCH: u32 = 64;

/// Returns the default batch size in messages. If the CCTV messages are used, a batch contains all
/// of them.
pub fn batch_size(algorithm: Algorithm, message_size: Option<u32>) -> u32 {
    match published_messages(algorithm) {
        Some(messages) if message_size.is_none() => messages.len() as u32,
        _ => BATCH,
    }
}

/// The options for all signatures: an empty context and no pre-hash.
const PLAIN: Options<'static> = Options::with_context(b"");

fn internal(e: impl std::fmt::Display) -> Error {
    Error::Internal(e.to_string())
}

/// The keys, messages and signatures for an algorithm on a level.
pub struct BenchKeys {
    /// The level.
    pub level: Level,
    /// The algorithm.
    pub algorithm: Algorithm,
    pair: KeyPair,
    signer: Box<ExpandedSigningKey>,
    verifier: Box<ExpandedVerifyingKey>,
    messages: Vec<Vec<u8>>,
    signatures: Vec<Vec<u8>>,
    /// The batch size in messages.
    batch: usize,
    /// The random bytes for a batch: [`ZEROS`] for each message.
    zeros: Vec<u8>,
    /// Whether the CCTV messages are used. In this case, the key is generated from the seed of
    /// zeros, and the measured signatures are deterministic.
    is_published: bool,
}

impl BenchKeys {
    /// Creates keys, messages and their signatures. ML-DSA uses the CCTV messages, unless a message
    /// size is given. `batch` is the batch size in messages.
    ///
    /// # Errors
    /// Fails if a key or a signature cannot be created.
    pub fn new(algorithm: Algorithm, level: Level, message_size: Option<u32>, batch: u32) -> Result<Self, Error> {
        let size = message_size.unwrap_or(MESSAGE_SIZE) as usize;
        let (messages, is_published) = match published_messages(algorithm) {
            Some(published) if message_size.is_none() => (published, true),
            _ => ((0..SIGNATURES).map(|i| vec![i as u8; size]).collect(), false),
        };
        let pair = match is_published {
            true => KeyPair::generate(level, algorithm, &mut DeterministicRng(&ZEROS[..])),
            false => KeyPair::generate(level, algorithm, &mut SystemRng),
        }?;
        let sign_work_len = BenchOperation::Sign.work_lens(algorithm)[1];
        let sign_repeat_work_len = BenchOperation::SignRepeat.work_lens(algorithm)[1];
        let mut work = vec![0; sign_work_len.max(sign_repeat_work_len)];
        let key = SigningKeyRef::of_algorithm(level, algorithm, &pair.private, &mut work).map_err(internal)?;
        let signer = key.expand(level, &mut work).map_err(internal)?;
        let verifier = VerifyingKeyRef::of_algorithm(algorithm, &pair.public).map_err(internal)?.expand(level);
        let mut signatures = Vec::new();
        for message in &messages {
            let mut signature = vec![0; algorithm.signature_len()];
            let signed = signer.sign_message(PLAIN, message, &mut SystemRng, &mut signature, &mut work);
            signed.map_err(Error::of_signing)?;
            signatures.push(signature);
        }
        Ok(Self {
            level,
            algorithm,
            pair,
            signer,
            verifier,
            messages,
            signatures,
            batch: batch as usize,
            zeros: ZEROS.repeat(batch as usize),
            is_published,
        })
    }

    /// Prepares an operation for `threads` threads. Returns an element for each thread.
    pub fn operation(&self, op: BenchOperation, threads: usize) -> Vec<OperationWork<'_>> {
        let count = if op.is_batch() { self.batch } else { 1 };
        let signed = if op == BenchOperation::SignBatch { count } else { 0 };
        let verified = if op == BenchOperation::VerifyBatch { count } else { 0 };
        let mut operations = Vec::new();
        for _ in 0..threads {
            operations.push(OperationWork {
                keys: self,
                op,
                work: vec![0; op.work_lens(self.algorithm)[1]],
                new_signatures: vec![0; count * self.algorithm.signature_len()],
                batch: Vec::with_capacity(signed),
                items: Vec::with_capacity(verified),
                verdicts: vec![Err(VerifyError::Mismatch); verified],
            });
        }
        operations
    }

    /// Prepares a part for `threads` threads.
    ///
    /// # Errors
    /// Fails if the library rejects a key that it has created.
    pub fn part(&self, subroutine: Subroutine, threads: usize) -> Result<Vec<PreparedSubroutine>, Error> {
        let parts = [&self.pair.private[..], &self.pair.public, &self.signatures[0]];
        let mut prepared = Vec::new();
        for _ in 0..threads {
            prepared.push(PreparedSubroutine::new(self.level, self.algorithm, subroutine, parts).map_err(internal)?);
        }
        Ok(prepared)
    }
}

/// An operation on a single thread. Every call does the complete work, and the time includes
/// hashing the message. The calls use different messages in turn. Each signature uses new random
/// bytes, except for the CCTV messages.
pub struct OperationWork<'k> {
    keys: &'k BenchKeys,
    op: BenchOperation,
    work: Vec<u8>,
    /// The memory for the signatures that a call creates.
    new_signatures: Vec<u8>,
    /// The messages in a batch to sign.
    batch: Vec<&'k [u8]>,
    /// The signatures in a batch to verify, with keys and messages.
    items: Vec<BatchItem<'k>>,
    verdicts: Vec<Result<(), VerifyError>>,
}

impl TimedWork for OperationWork<'_> {
    fn run_once(&mut self, turn: usize) -> Result<(), Error> {
        if self.keys.is_published {
            self.call(turn, &mut DeterministicRng(&self.keys.zeros[..]))
        } else {
            self.call(turn, &mut SystemRng)
        }
    }

    fn round(&self) -> u64 {
        let signs = matches!(self.op, BenchOperation::Sign | BenchOperation::SignRepeat);
        if self.keys.is_published && signs { self.keys.messages.len() as u64 } else { 1 }
    }

    fn items(&self) -> u64 {
        if self.op.is_batch() { self.keys.batch as u64 } else { 1 }
    }
}

impl<'k> OperationWork<'k> {
    /// Runs the operation once. The random bytes for a signature come from `rng`.
    fn call<R: TryCryptoRng>(&mut self, turn: usize, rng: &mut R) -> Result<(), Error>
    where
        R::Error: std::fmt::Display,
    {
        let keys = self.keys;
        let level = keys.level;
        let algorithm = keys.algorithm;
        let turn = turn % keys.messages.len();
        let message = &keys.messages[turn];
        let signature = &keys.signatures[turn];
        let work = &mut self.work;
        let new_signatures = &mut self.new_signatures[..];
        match self.op {
            BenchOperation::Keygen => {
                black_box(KeyPair::generate(level, algorithm, &mut SystemRng)?);
            }
            BenchOperation::Sign => {
                let key = SigningKeyRef::of_algorithm(level, algorithm, &keys.pair.private, work).map_err(internal)?;
                key.sign_message(level, PLAIN, message, rng, new_signatures, work).map_err(Error::of_signing)?;
            }
            BenchOperation::SignRepeat => {
                keys.signer.sign_message(PLAIN, message, rng, new_signatures, work).map_err(Error::of_signing)?;
            }
            BenchOperation::SignFastRng => {
                keys.signer
                    .sign_message_fast_rng(PLAIN, message, rng, new_signatures, work)
                    .map_err(Error::of_signing)?;
            }
            BenchOperation::SignBatch => {
                self.batch.clear();
                self.batch.extend(keys.messages.iter().map(Vec::as_slice).cycle().skip(turn).take(keys.batch));
                let signed = keys.signer.sign_message_batch(PLAIN, &self.batch, rng, new_signatures, work);
                signed.map_err(Error::of_signing)?;
            }
            BenchOperation::Verify => {
                let key = VerifyingKeyRef::of_algorithm(algorithm, &keys.pair.public).map_err(internal)?;
                key.verify_message(level, PLAIN, message, signature, work).map_err(internal)?;
            }
            BenchOperation::VerifyRepeat => {
                keys.verifier.verify_message(PLAIN, message, signature, work).map_err(internal)?;
            }
            BenchOperation::VerifyBatch => {
                let signed = keys.messages.iter().zip(&keys.signatures).cycle().skip(turn).take(keys.batch);
                self.items.clear();
                for (message, signature) in signed {
                    let message = MessageToVerify::message(PLAIN, message);
                    self.items.push(BatchItem { key: &keys.verifier, message, signature });
                }
                verify_batch(&self.items, &mut self.verdicts, work).map_err(internal)?;
            }
        }
        black_box(new_signatures);
        Ok(())
    }
}

impl TimedWork for PreparedSubroutine {
    fn run_once(&mut self, _: usize) -> Result<(), Error> {
        self.run();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ml_dsa_signs_the_published_messages_unless_a_size_is_given() {
        for algorithm in Algorithm::of_scheme(fndsa::algorithm::Scheme::MlDsa) {
            let keys = BenchKeys::new(algorithm, Level::detect(), None, 2).unwrap();
            let mut operations = keys.operation(BenchOperation::SignRepeat, 1);
            assert_eq!(operations[0].round(), keys.messages.len() as u64);
            assert_eq!(keys.operation(BenchOperation::Verify, 1)[0].round(), 1);
            assert!(keys.messages.iter().all(|message| message.len() as u32 == message_size(algorithm)));
            assert_eq!(keys.pair.private[..], ZEROS);
            operations[0].run_once(keys.messages.len()).unwrap();
            let other = BenchKeys::new(algorithm, Level::detect(), Some(5), 2).unwrap();
            assert_eq!((other.messages.len(), other.messages[3].len()), (SIGNATURES, 5));
            assert!(other.pair.private[..] != ZEROS && other.operation(BenchOperation::Sign, 1)[0].round() == 1);
        }
        assert_eq!(message_size(Algorithm::FN_DSA_512), MESSAGE_SIZE);
    }
}
