//! Tests the library with published test vectors: keys, signatures and verdicts. `build/vectors.rs`
//! writes the vectors into the images `vectors_sign` and `vectors_verify`. The vectors for ML-DSA
//! are ACVP vectors by NIST.

use crate::board::{self, exit, fail};
use crate::{ALGORITHMS, MAX_LENGTHS, say};
use fndsa::algorithm::PreHash;
use fndsa::message::{KeyHash, MessageDigest, Mu, MuBuilder};
use fndsa::no_alloc::{SigningKeyRef, VerifyingKeyRef};
use fndsa::testing::FixedBytes;
use fndsa::{Algorithm, Options};
use sha3::Shake256;
use sha3::digest::{ExtendableOutput, Update, XofReader};

/// The vectors in the image `vectors_sign`.
mod signing_vectors {
    include!(concat!(env!("OUT_DIR"), "/signing_vectors.rs"));
}

/// The vectors in the image `vectors_verify`.
mod verifying_vectors {
    include!(concat!(env!("OUT_DIR"), "/verifying_vectors.rs"));
}

/// A key pair that must be generated from a seed.
struct KeyVector {
    algorithm: Algorithm,
    /// The test number in the vector file.
    id: u32,
    seed: &'static [u8],
    public: &'static [u8],
    /// The private key: for ML-DSA, its expanded form.
    private: &'static [u8],
}

/// A signature that must be made from the given random bytes.
struct SignatureVector {
    algorithm: Algorithm,
    /// The test number in the vector file.
    id: u32,
    /// The private key: for ML-DSA, a seed or the expanded form.
    private: &'static [u8],
    data: SignedData,
    random: &'static [u8],
    signature: &'static [u8],
}

/// A signature that must be accepted or rejected.
struct VerdictVector {
    algorithm: Algorithm,
    /// The test number in the vector file.
    id: u32,
    accepted: bool,
    public: &'static [u8],
    signature: &'static [u8],
    data: SignedData,
}

/// The data that a signature signs.
enum SignedData {
    /// The value `mu`, which depends on the public key, the context and the message.
    Mu(&'static [u8]),
    /// The input for ML-DSA's internal interface: the message with its prefix.
    Internal(&'static [u8]),
    /// A message, or its digest if there is a hash function.
    External { context: &'static [u8], hash: Option<&'static str>, message: &'static [u8] },
}

impl SignedData {
    /// Computes `mu`. Returns `None` if the data is not permitted, for example because the context
    /// is too long.
    fn mu(&self, algorithm: Algorithm, key: &KeyHash) -> Option<Mu> {
        let level = board::level();
        match *self {
            Self::Mu(mu) => Some(Mu::from_bytes(mu.try_into().ok()?)),
            Self::Internal(message) => {
                let (mut hash, mut mu) = (Shake256::default(), [0; 64]);
                hash.update(key.as_bytes());
                hash.update(message);
                hash.finalize_xof().read(&mut mu);
                Some(Mu::from_bytes(mu))
            }
            Self::External { context, hash: None, message } => {
                let mut mu = MuBuilder::pure(level, key, context).ok()?;
                mu.update(message);
                Some(mu.finish())
            }
            Self::External { context, hash: Some(name), message } => {
                let hash = PreHash::all().find(|hash| hash.name() == name)?;
                let digest = MessageDigest::new(hash, message).ok()?;
                let options = Options::with_context(context).with_prehash(Some(hash)).with_weak_prehash(true);
                Mu::of_digest(level, algorithm, key, options, &digest).ok()
            }
        }
    }
}

/// The maximum work memory for verification, in bytes.
const MAX_VERIFY_WORK_LEN: usize = {
    let (mut max_len, mut i) = (0, 0);
    while i < ALGORITHMS.len() {
        max_len = crate::max(max_len, ALGORITHMS[i].verify_work_len());
        i += 1;
    }
    max_len
};

/// Returns `len` bytes from index `at` on.
const fn part(bytes: &'static [u8], at: usize, len: usize) -> &'static [u8] {
    bytes.split_at(at).1.split_at(len).0
}

/// A test's result. An error describes what is wrong.
type TestResult = Result<(), &'static str>;

/// Runs a test for each vector. Prints how many tests passed for each algorithm, or the first test
/// that fails.
fn run_all<V>(
    kind: &str,
    vectors: &[V],
    name: impl Fn(&V) -> (Algorithm, u32),
    mut check: impl FnMut(&V) -> TestResult,
) {
    if vectors.is_empty() {
        fail("the image contains no test vectors");
    }
    let mut counts = [0; ALGORITHMS.len()];
    for vector in vectors {
        let (algorithm, id) = name(vector);
        if let Err(what) = check(vector) {
            say!("FAILED: {algorithm} {kind} {id}: {what}");
            exit(false)
        }
        let index = ALGORITHMS.iter().position(|it| *it == algorithm);
        counts[index.unwrap_or_else(|| fail("a vector for another algorithm"))] += 1;
    }
    for (algorithm, count) in ALGORITHMS.iter().zip(counts).filter(|(_, count)| *count != 0) {
        say!("{algorithm} {kind} {count}");
    }
}

/// Checks that a value is equal to the vector's value.
fn check_equal(found: &[u8], expected: &[u8], what: &'static str) -> TestResult {
    if found == expected { Ok(()) } else { Err(what) }
}

/// Generates a key pair from a seed, and compares it with the vector. For ML-DSA, also compares the
/// expanded form.
fn check_key(vector: &KeyVector, private: &mut [u8], public: &mut [u8], work: &mut [u8]) -> TestResult {
    let (level, algorithm) = (board::level(), vector.algorithm);
    let (private, public) = (&mut private[..algorithm.signing_key_len()], &mut public[..algorithm.verifying_key_len()]);
    let mut rng = FixedBytes(vector.seed);
    SigningKeyRef::generate(level, algorithm, &mut rng, private, public, &mut work[..algorithm.keygen_work_len()])
        .map_err(|_| "the key is not generated")?;
    check_equal(public, vector.public, "the public key differs")?;
    let Some(len) = algorithm.expanded_form_len() else {
        return check_equal(private, vector.private, "the private key differs");
    };
    check_equal(private, vector.seed, "the private key is not the seed")?;
    let (expanded, work) = work.split_at_mut(len);
    let key = SigningKeyRef::of_algorithm(level, algorithm, private, work).map_err(|_| "the seed is rejected")?;
    key.expanded_form_into(level, expanded, work).map_err(|_| "the key is not expanded")?;
    check_equal(expanded, vector.private, "the expanded private key differs")
}

/// Signs with the vector's random bytes and compares the signature, with the least work memory and
/// with all work memory. Then verifies the signature.
fn check_signature(vector: &SignatureVector, signature: &mut [u8], public: &mut [u8], work: &mut [u8]) -> TestResult {
    let (level, algorithm) = (board::level(), vector.algorithm);
    let key = SigningKeyRef::of_algorithm(level, algorithm, vector.private, work).map_err(|_| "the key is rejected")?;
    let mu = vector.data.mu(algorithm, &key.key_hash()).ok_or("the message is rejected")?;
    let signature = &mut signature[..algorithm.signature_len()];
    for work_len in [key.sign_work_len(), work.len()] {
        key.sign(level, &mu, &mut FixedBytes(vector.random), signature, &mut work[..work_len])
            .map_err(|_| "the message is not signed")?;
        check_equal(signature, vector.signature, "the signature differs")?;
    }
    let public = &mut public[..algorithm.verifying_key_len()];
    key.verifying_key_into(level, public, work).map_err(|_| "there is no public key")?;
    let key = VerifyingKeyRef::of_algorithm(algorithm, public).map_err(|_| "the public key is rejected")?;
    key.verify(level, &mu, signature, work).map_err(|_| "the signature is rejected")
}

/// Checks that the signature is accepted or rejected as in the vector.
fn check_verdict(vector: &VerdictVector, work: &mut [u8]) -> TestResult {
    let (level, algorithm) = (board::level(), vector.algorithm);
    let work = &mut work[..algorithm.verify_work_len()];
    let accepted = VerifyingKeyRef::of_algorithm(algorithm, vector.public).is_ok_and(|key| {
        let mu = vector.data.mu(algorithm, &key.key_hash(level));
        mu.is_some_and(|mu| key.verify(level, &mu, vector.signature, work).is_ok())
    });
    match (accepted, vector.accepted) {
        (true, false) => Err("a wrong signature is accepted"),
        (false, true) => Err("a correct signature is rejected"),
        _ => Ok(()),
    }
}

/// Tests key generation and signing with all vectors in this image.
pub fn test_keys_and_signatures() {
    let mut memory = [0; MAX_LENGTHS.work + MAX_LENGTHS.private + MAX_LENGTHS.public + MAX_LENGTHS.signature];
    let (private, memory) = memory.split_at_mut(MAX_LENGTHS.private);
    let (public, memory) = memory.split_at_mut(MAX_LENGTHS.public);
    let (signature, work) = memory.split_at_mut(MAX_LENGTHS.signature);
    let check_key = |vector: &_| check_key(vector, private, public, work);
    run_all("keys", signing_vectors::KEYS, |vector| (vector.algorithm, vector.id), check_key);
    let check_signature = |vector: &_| check_signature(vector, signature, public, work);
    run_all("signatures", signing_vectors::SIGNATURES, |vector| (vector.algorithm, vector.id), check_signature);
    report_left_out(signing_vectors::LEFT_OUT);
}

/// Tests verification with all vectors in this image.
pub fn test_verdicts() {
    let mut work = [0; MAX_VERIFY_WORK_LEN];
    let check_verdict = |vector: &_| check_verdict(vector, &mut work);
    run_all("verdicts", verifying_vectors::VERDICTS, |vector| (vector.algorithm, vector.id), check_verdict);
    report_left_out(verifying_vectors::LEFT_OUT);
}

/// Prints how many vectors are not in the image.
fn report_left_out(count: usize) {
    if count != 0 {
        say!("left-out vectors {count}");
    }
}
