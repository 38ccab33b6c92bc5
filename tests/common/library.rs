//! Functions that call the library's API with fixed random bytes. They return the results in new
//! vectors, and provide the work memory.

use fndsa::algorithm::{Degree, PreHash, Scheme, SignatureEncoding};
use fndsa::error::{KeyError, MessageError, SignError, VerifyError};
use fndsa::message::{KeyHash, MessageDigest, Mu, MuBuilder};
use fndsa::no_alloc::{
    Attempt, HashedMessage, Level, MessageToSign, MessageToVerify, SigningHasher, SigningKeyRef, UnhashedMessage,
    VerifyingHasher,
};
use fndsa::testing::{FixedBytes, OutOfBytesError};
use fndsa::{Algorithm, Options};

/// Returns all levels (the library's instruction sets) that this CPU supports.
pub fn levels() -> Vec<Level> {
    Level::available().collect()
}

/// Returns the degree `2^logn`.
pub fn degree(logn: usize) -> Degree {
    Degree::from_logn(logn as u32).expect("a degree")
}

/// Returns FN-DSA with this degree.
pub fn fn_dsa(degree: Degree) -> Algorithm {
    Algorithm::at_degree(Scheme::FnDsa, degree).expect("an algorithm")
}

/// The size of the work memory for key generation.
#[derive(Clone, Copy, Debug)]
pub enum KeygenMemory {
    Least,
    Most,
}

/// Generates a key pair from a seed: (private, public).
pub fn keygen(level: Level, algorithm: Algorithm, seed: &[u8; 32], memory: KeygenMemory) -> (Vec<u8>, Vec<u8>) {
    keygen_from_random(level, algorithm, seed, memory)
}

/// Generates a key pair from these bytes, instead of random bytes: (private, public). A composite
/// needs 64 bytes.
pub fn keygen_from_random(
    level: Level,
    algorithm: Algorithm,
    random: &[u8],
    memory: KeygenMemory,
) -> (Vec<u8>, Vec<u8>) {
    let (mut sk, mut vk) = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
    let len = match memory {
        KeygenMemory::Least => algorithm.keygen_work_len(),
        KeygenMemory::Most => algorithm.keygen_fast_work_len(),
    };
    let (mut work, mut rng) = (vec![0; len], FixedBytes(random));
    SigningKeyRef::generate(level, algorithm, &mut rng, &mut sk, &mut vk, &mut work).expect("a key");
    (sk, vk)
}

/// Returns enough work memory to import a key of the Falcon family with this degree, and to sign or
/// verify a message. A batch needs more.
pub fn work(degree: Degree) -> Vec<u8> {
    let algorithm = Algorithm::at_degree(Scheme::FnDsa, degree).expect("an algorithm");
    vec![0; algorithm.sign_work_len().max(algorithm.import_work_len())]
}

/// Imports an encoded private key into the library, with all checks.
pub fn import(level: Level, scheme: Scheme, sk: &[u8]) -> Result<(), KeyError> {
    fndsa::testing::signing_key(level, scheme, sk, &mut work(Degree::N1024)).map(drop)
}

/// A private key with its work memory, for several operations.
pub struct TestSigner {
    pub sk: Vec<u8>,
    pub algorithm: Algorithm,
    /// The level that loads the key.
    level: Level,
    work: Vec<u8>,
}

impl TestSigner {
    pub fn new(scheme: Scheme, sk: &[u8]) -> Self {
        Self::on(Level::detect(), scheme, sk)
    }

    /// Creates a signer that loads the key on this level.
    pub fn on(level: Level, scheme: Scheme, sk: &[u8]) -> Self {
        let mut work = work(Degree::N1024);
        let algorithm = fndsa::testing::signing_key(level, scheme, sk, &mut work).expect("a good key").algorithm();
        Self { sk: sk.to_vec(), algorithm, level, work }
    }

    /// Calls `f` with the key and the work memory.
    pub fn with<R>(&mut self, f: impl FnOnce(SigningKeyRef<'_>, &mut [u8]) -> R) -> R {
        let (scheme, work) = (self.algorithm.scheme(), &mut self.work);
        f(fndsa::testing::signing_key(self.level, scheme, &self.sk, work).expect("a good key"), work)
    }

    pub fn key_hash(&mut self) -> KeyHash {
        self.with(|key, _| key.key_hash())
    }

    pub fn verifying_key(&mut self) -> Vec<u8> {
        let (level, mut vk) = (self.level, vec![0; self.algorithm.verifying_key_len()]);
        self.with(|key, work| key.verifying_key_into(level, &mut vk, work).map(drop)).expect("a public key");
        vk
    }

    /// Converts the private key to a different scheme. The polynomials f, g and F do not change.
    pub fn convert(&mut self, level: Level, to: Scheme) -> Result<Vec<u8>, KeyError> {
        let mut out = vec![
            0;
            Algorithm::at_degree(to, self.algorithm.degree().expect("a degree"))
                .expect("an algorithm")
                .signing_key_len()
        ];
        self.with(|key, work| key.convert_into(level, to, &mut out, work).map(drop))?;
        Ok(out)
    }

    /// Loads the key and signs.
    pub fn sign<'m>(&mut self, level: Level, message: impl Into<MessageToSign<'m>>, random: &[u8; 40]) -> Vec<u8> {
        let mut signature = vec![0; self.algorithm.signature_len()];
        self.with(|key, work| key.sign(level, message, &mut FixedBytes(random), &mut signature, work))
            .expect("a signature");
        signature
    }

    /// Hashes a message with a nonce for each attempt, and signs it. `random` contains the nonces
    /// of all attempts, and then 40 bytes for the signature.
    pub fn sign_message(
        &mut self,
        level: Level,
        form: Options<'_>,
        message: &[u8],
        attempts: usize,
        random: &[u8],
    ) -> Result<Vec<u8>, SignError<OutOfBytesError>> {
        let mut rng = FixedBytes(random);
        let key_hash = self.key_hash();
        let mut attempts: Vec<Attempt> = (0..attempts).map(|_| Attempt::EMPTY).collect();
        let message = to_sign(level, self.algorithm.scheme(), &key_hash, form, message, &mut attempts, &mut rng)?;
        let mut signature = vec![0; self.algorithm.signature_len()];
        let result = self.with(|key, work| key.sign(level, message, &mut rng, &mut signature, work));
        assert!(result.is_ok() || signature.iter().all(|b| *b == 0), "a failed call must leave zeros in the signature");
        result.map(|()| signature)
    }
}

/// Converts `message` (a digest's bytes) to a digest if the form (context and pre-hash) has a
/// pre-hash. Otherwise, returns `None`.
fn digest_of_form(form: Options<'_>, message: &[u8]) -> Result<Option<MessageDigest>, MessageError> {
    form.prehash.map(|hash| MessageDigest::new(hash, message)).transpose()
}

/// Prepares a message for a signer. If the form has a pre-hash, `message` contains the digest's
/// bytes. Otherwise, this function hashes the message in two pieces, as if they came from a stream.
pub fn to_sign<'w>(
    level: Level,
    scheme: Scheme,
    key_hash: &KeyHash,
    form: Options<'_>,
    message: &[u8],
    attempts: &'w mut [Attempt],
    rng: &mut FixedBytes<'_>,
) -> Result<MessageToSign<'w>, SignError<OutOfBytesError>> {
    let algorithm = largest_of(scheme);
    form.check(algorithm).map_err(SignError::Message)?;
    if let Some(digest) = digest_of_form(form, message).map_err(SignError::Message)? {
        let message = UnhashedMessage::digest(form, &digest).map_err(SignError::Message)?;
        return MessageToSign::hash(level, algorithm, key_hash, message, attempts, rng);
    }
    let mut hasher = SigningHasher::new(level, algorithm, key_hash, form, attempts, rng)?;
    let (first, second) = message.split_at(message.len() / 3);
    hasher.update(first);
    hasher.update(second);
    Ok(hasher.finish())
}

/// Returns the largest algorithm of a scheme, for tests of contexts and pre-hashes. The algorithms
/// of a scheme allow the same contexts and pre-hashes, except for weak pre-hashes.
pub fn largest_of(scheme: Scheme) -> Algorithm {
    Algorithm::of_scheme(scheme).last().expect("an algorithm")
}

/// The reason to reject a signature or a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerifyRejection {
    Key(KeyError),
    Message(MessageError),
    Signature(VerifyError),
}

/// Loads the key and verifies a signature, with `verify` and with `verify_batch`. Checks that both
/// verdicts are the same.
pub fn verify<'m>(
    level: Level,
    scheme: Scheme,
    vk: &[u8],
    message: impl Into<MessageToVerify<'m>>,
    signature: &[u8],
) -> Result<(), VerifyRejection> {
    let key = fndsa::testing::verifying_key(scheme, vk).map_err(VerifyRejection::Key)?;
    let message = message.into();
    let mut work = vec![0; key.algorithm().verify_work_len()];
    let verdict = key.verify(level, message, signature, &mut work);
    let mut verdicts = [Ok(()); 3];
    work.resize(key.algorithm().verify_batch_work_len(), 0);
    let batch_verdict = key.expand(level).verify_batch(&[(message, signature); 3], &mut verdicts, &mut work);
    assert_eq!((verdicts, batch_verdict.is_ok()), ([verdict; 3], verdict.is_ok()), "the verdicts of a batch");
    verdict.map_err(VerifyRejection::Signature)
}

/// Prepares a message for a verifier. If the form has a pre-hash, `message` contains the digest's
/// bytes. Otherwise, this function hashes the message in two pieces.
pub fn to_verify(
    level: Level,
    algorithm: Algorithm,
    key_hash: &KeyHash,
    form: Options<'_>,
    message: &[u8],
    signature: &[u8],
) -> Result<HashedMessage, MessageError> {
    form.check(algorithm)?;
    if let Some(digest) = digest_of_form(form, message)? {
        return HashedMessage::of_digest(level, algorithm, key_hash, form, &digest, signature);
    }
    let mut hasher = VerifyingHasher::new(level, algorithm, key_hash, form, signature)?;
    let (first, second) = message.split_at(message.len() / 2);
    hasher.update(first);
    hasher.update(second);
    Ok(hasher.finish())
}

/// Loads the key, hashes the message as [`to_verify`] does, and verifies.
pub fn verify_message(
    level: Level,
    scheme: Scheme,
    vk: &[u8],
    form: Options<'_>,
    message: &[u8],
    signature: &[u8],
) -> Result<(), VerifyRejection> {
    let key = fndsa::testing::verifying_key(scheme, vk).map_err(VerifyRejection::Key)?;
    let hashed = to_verify(level, key.algorithm(), &key.key_hash(level), form, message, signature);
    verify(level, scheme, vk, &hashed.map_err(VerifyRejection::Message)?, signature)
}

/// Converts a public key to a different scheme. The polynomial h does not change.
pub fn convert_public(level: Level, from: Scheme, vk: &[u8], to: Scheme) -> Vec<u8> {
    let key = fndsa::testing::verifying_key(from, vk).expect("a good key");
    let mut out = vec![0; vk.len()];
    key.convert_into(level, to, &mut out, &mut work(key.algorithm().degree().expect("a degree")))
        .expect("buffers of the correct length");
    out
}

/// Converts a signature to a different encoding. Returns `None` if the signature does not fit into
/// this encoding.
pub fn recode(scheme: Scheme, signature: &[u8], to: SignatureEncoding) -> Option<Vec<u8>> {
    let signature = fndsa::testing::signature(scheme, signature).expect("a signature");
    let mut out = vec![0xaa; signature.algorithm().encoded_signature_len(to)];
    let len = signature.recode_into(to, &mut out)?;
    out.truncate(len);
    Some(out)
}

/// Returns the options for a test vector: its context and its pre-hash. `hash` is the pre-hash's
/// name, or `raw` for a message without a pre-hash.
pub fn form<'a>(hash: &str, context: &'a [u8]) -> Options<'a> {
    Options::with_context(context).with_prehash((hash != "raw").then(|| prehash(hash)))
}

/// Returns the pre-hash with this name in the test vectors.
pub fn prehash(name: &str) -> PreHash {
    let plain = |s: &str| s.to_ascii_lowercase().replace(['-', '/'], "");
    PreHash::all().find(|p| plain(p.name()) == plain(name)).unwrap_or_else(|| panic!("no hash {name}"))
}

/// Computes `mu` for a test vector. If `hash` is `raw`, `extmu` or a pre-hash, `hv` is the message,
/// the `mu` or the digest, in this order.
pub fn mu(level: Level, key: &KeyHash, hash: &str, context: &[u8], hv: &[u8]) -> Result<Mu, String> {
    match hash {
        "raw" => {
            let mut b = MuBuilder::pure(level, key, context).map_err(|e| e.to_string())?;
            // Hash the message in two pieces, as if they came from a stream.
            let (first, second) = hv.split_at(hv.len() / 3);
            b.update(first);
            b.update(second);
            Ok(b.finish())
        }
        "extmu" => hv.try_into().map(Mu::from_bytes).map_err(|_| format!("{} bytes of mu", hv.len())),
        // With FN-DSA, all degrees allow all pre-hashes, so any degree can be used here.
        hash => MessageDigest::new(prehash(hash), hv)
            .and_then(|digest| {
                Mu::of_digest(level, Algorithm::FN_DSA_512, key, Options::with_context(context), &digest)
            })
            .map_err(|e| e.to_string()),
    }
}
