//! Checks of keys and signatures. The known answers in `answers` and the rounds in `mod` call these
//! checks, and choose the random bytes.

use fndsa::algorithm::Scheme;
use fndsa::error::MessageError;
use fndsa::no_alloc::{Level, SigningKeyRef, VerifyingHasher, VerifyingKeyRef};
use fndsa::{Algorithm, Options};
use rand_core::TryCryptoRng;

/// The result of a check. The error states why the check failed.
pub type CheckResult = Result<(), String>;

/// The number of canary bytes on each side of an output. A write outside the output changes them.
const MARGIN: usize = 64;
const CANARY: u8 = 0xa5;

/// An output buffer with canary bytes on both sides.
pub struct CanaryBuffer(Vec<u8>);

impl CanaryBuffer {
    fn new(len: usize) -> Self {
        let mut bytes = vec![CANARY; len + 2 * MARGIN];
        bytes[MARGIN..MARGIN + len].fill(0);
        Self(bytes)
    }

    /// Returns the output without the canary bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0[MARGIN..self.0.len() - MARGIN]
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        let end = self.0.len() - MARGIN;
        &mut self.0[MARGIN..end]
    }

    /// Checks that the canary bytes have not changed.
    fn check_intact(&self, what: &str) -> CheckResult {
        let end = self.0.len() - MARGIN;
        let touched = self.0[..MARGIN] != [CANARY; MARGIN] || self.0[end..] != [CANARY; MARGIN];
        if touched { Err(format!("bytes next to the {what} were overwritten")) } else { Ok(()) }
    }
}

/// A message to sign or verify, with its context.
#[derive(Clone, Copy)]
pub struct ContextMessage<'a> {
    /// The context, which is empty if the scheme does not support contexts.
    pub context: &'a [u8],
    /// The message's bytes.
    pub bytes: &'a [u8],
}

impl<'a> ContextMessage<'a> {
    fn form(self) -> Options<'a> {
        Options::with_context(self.context)
    }
}

/// A key pair in buffers with canary bytes.
pub struct GuardedKeys {
    algorithm: Algorithm,
    /// The private key.
    pub private: CanaryBuffer,
    /// The public key.
    pub public: CanaryBuffer,
}

fn words(e: impl std::fmt::Display) -> String {
    e.to_string()
}

/// Decodes and checks a private key.
///
/// # Errors
/// Returns the reason why the key is rejected.
fn private_key<'k>(
    level: Level,
    algorithm: Algorithm,
    private: &'k [u8],
    work: &mut [u8],
) -> Result<SigningKeyRef<'k>, String> {
    SigningKeyRef::of_algorithm(level, algorithm, private, work).map_err(words)
}

impl GuardedKeys {
    fn empty(algorithm: Algorithm) -> Self {
        let private = CanaryBuffer::new(algorithm.signing_key_len());
        Self { algorithm, private, public: CanaryBuffer::new(algorithm.verifying_key_len()) }
    }

    fn check_intact(self, work: &CanaryBuffer) -> Result<Self, String> {
        self.private.check_intact("private key")?;
        self.public.check_intact("public key")?;
        work.check_intact("work memory")?;
        Ok(self)
    }

    /// Generates a key pair.
    ///
    /// # Errors
    /// Fails if the keys cannot be generated, or if canary bytes have changed.
    pub fn generate<R: TryCryptoRng>(level: Level, algorithm: Algorithm, rng: &mut R) -> Result<Self, String> {
        let mut keys = Self::empty(algorithm);
        let mut work = CanaryBuffer::new(algorithm.keygen_work_len());
        let private = keys.private.bytes_mut();
        let public = keys.public.bytes_mut();
        SigningKeyRef::generate(level, algorithm, rng, private, public, work.bytes_mut()).map_err(words)?;
        keys.check_intact(&work)
    }

    /// Decodes and checks a private key, and computes its public key.
    ///
    /// # Errors
    /// Returns the reason why the key is rejected.
    pub fn import(level: Level, algorithm: Algorithm, private: &[u8]) -> Result<Self, String> {
        let mut keys = Self::empty(algorithm);
        let mut work = CanaryBuffer::new(algorithm.import_work_len());
        let key = private_key(level, algorithm, private, work.bytes_mut())?;
        keys.private.bytes_mut().copy_from_slice(private);
        key.verifying_key_into(level, keys.public.bytes_mut(), work.bytes_mut()).map_err(words)?;
        keys.check_intact(&work)
    }

    /// Converts the keys to a different scheme of their family.
    ///
    /// # Errors
    /// Fails if one of the keys is rejected.
    pub fn convert(&self, level: Level, scheme: Scheme) -> Result<Self, String> {
        let from = self.algorithm;
        let algorithm = self.algorithm.with_scheme(scheme).ok_or("keys of another family")?;
        let mut keys = Self::empty(algorithm);
        let mut work = CanaryBuffer::new(self.algorithm.import_work_len());
        let private = private_key(level, from, self.private.bytes(), work.bytes_mut())?;
        private.convert_into(level, scheme, keys.private.bytes_mut(), work.bytes_mut()).map_err(words)?;
        let public = VerifyingKeyRef::of_algorithm(from, self.public.bytes()).map_err(words)?;
        public.convert_into(level, scheme, keys.public.bytes_mut(), work.bytes_mut()).map_err(words)?;
        keys.check_intact(&work)
    }

    /// Loads the private key, and signs a message.
    ///
    /// # Errors
    /// Fails if the key is rejected, or if the message cannot be signed.
    pub fn sign<R: TryCryptoRng>(
        &self,
        level: Level,
        message: ContextMessage<'_>,
        rng: &mut R,
    ) -> Result<CanaryBuffer, String> {
        let algorithm = self.algorithm;
        let mut work = vec![0; algorithm.import_work_len()];
        let key = private_key(level, algorithm, self.private.bytes(), &mut work)?;
        let mut signature = CanaryBuffer::new(algorithm.signature_len());
        let mut work = CanaryBuffer::new(algorithm.sign_work_len());
        let form = message.form();
        let text = message.bytes;
        key.sign_message(level, form, text, rng, signature.bytes_mut(), work.bytes_mut()).map_err(words)?;
        signature.check_intact("signature")?;
        work.check_intact("work memory")?;
        Ok(signature)
    }

    /// Checks that a changed private key is rejected. For ML-DSA, the expanded form is changed,
    /// because every seed is a valid key. Ed25519 and composites are not checked, because their
    /// private keys are seeds.
    fn check_changed_key(&self, level: Level, bit: usize) -> CheckResult {
        let algorithm = self.algorithm;
        let mut work = vec![0; algorithm.import_work_len()];
        let changed = match algorithm.expanded_form_len() {
            None if algorithm.degree().is_none() => return Ok(()),
            None => flip_bit(self.private.bytes(), bit),
            Some(len) => {
                let key = private_key(level, algorithm, self.private.bytes(), &mut work)?;
                let mut expanded = vec![0; len];
                key.expanded_form_into(level, &mut expanded, &mut work).map_err(words)?;
                // The first 64 bytes are rho and K. They are not changed, because the import cannot
                // detect a changed K: signatures are valid with any K.
                let changed_rest = flip_bit(&expanded[64..], bit);
                expanded[64..].copy_from_slice(&changed_rest);
                expanded
            }
        };
        match SigningKeyRef::of_algorithm(level, algorithm, &changed, &mut work) {
            Ok(_) => Err("a changed private key was accepted".to_owned()),
            Err(_) => Ok(()),
        }
    }
}

/// Returns a copy of `bytes` in which a bit is changed. `bit` can be any number, because it is
/// reduced modulo the number of bits. If `bytes` is empty, returns a single byte.
fn flip_bit(bytes: &[u8], bit: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    match 8 * bytes.len() {
        0 => bytes.push(1),
        bits => bytes[bit % bits / 8] ^= 1 << (bit % 8),
    }
    bytes
}

/// The result of a verification.
#[derive(Clone, Debug, PartialEq, Eq)]
enum VerifyAnswer {
    /// The signature is valid.
    Accepted,
    /// The signature is not valid. The text is the reason.
    Rejected(String),
}

/// Verifies a signature with the key `public`, and hashes the message for the key `owner`. The two
/// keys are equal, except in the test with a wrong key.
///
/// # Errors
/// Returns the reason why the verification has no result.
fn verify(
    level: Level,
    scheme: Scheme,
    [owner, public]: [&[u8]; 2],
    message: ContextMessage<'_>,
    signature: &[u8],
) -> Result<VerifyAnswer, String> {
    let owner = VerifyingKeyRef::from_bytes(scheme, owner).map_err(words)?;
    let key = VerifyingKeyRef::from_bytes(scheme, public).map_err(words)?;
    let algorithm = key.algorithm();
    let hash = owner.key_hash(level);
    let mut hashed = match VerifyingHasher::new(level, algorithm, &hash, message.form(), signature) {
        Ok(hashed) => hashed,
        Err(e @ MessageError::Signature { .. }) => return Ok(VerifyAnswer::Rejected(e.to_string())),
        Err(e) => return Err(words(e)),
    };
    hashed.update(message.bytes);
    let hashed = hashed.finish();
    let mut work = CanaryBuffer::new(algorithm.verify_work_len());
    let answer = key.verify(level, &hashed, signature, work.bytes_mut());
    work.check_intact("work memory")?;
    Ok(match answer {
        Ok(()) => VerifyAnswer::Accepted,
        Err(e) => VerifyAnswer::Rejected(e.to_string()),
    })
}

/// Checks that a signature is valid.
///
/// # Errors
/// Returns the reason why the signature is rejected.
pub fn check_valid(level: Level, keys: &GuardedKeys, message: ContextMessage<'_>, signature: &[u8]) -> CheckResult {
    match verify(level, keys.algorithm.scheme(), [keys.public.bytes(); 2], message, signature)? {
        VerifyAnswer::Accepted => Ok(()),
        VerifyAnswer::Rejected(e) => Err(format!("a good signature was rejected: {e}")),
    }
}

/// Checks that a signature is valid. Then checks that the signature is rejected with a wrong key,
/// in a wrong scheme, and after a bit in the message, the signature or the context was changed.
/// Also checks that a changed private key is rejected.
///
/// # Errors
/// Fails if the signature is rejected, or if a change is not detected.
pub fn check_signature(
    level: Level,
    keys: &GuardedKeys,
    other: &GuardedKeys,
    message: ContextMessage<'_>,
    signature: &[u8],
    bit: usize,
) -> CheckResult {
    let scheme = keys.algorithm.scheme();
    let public = keys.public.bytes();
    check_valid(level, keys, message, signature)?;
    let mut wrong = Vec::new();
    let changed = flip_bit(message.bytes, bit);
    let answer = verify(level, scheme, [public; 2], ContextMessage { bytes: &changed, ..message }, signature)?;
    wrong.push(("a changed message".to_owned(), answer));
    let answer = verify(level, scheme, [public; 2], message, &flip_bit(signature, bit))?;
    wrong.push(("a changed signature".to_owned(), answer));
    let answer = verify(level, scheme, [public, other.public.bytes()], message, signature)?;
    wrong.push(("the signature of another key".to_owned(), answer));
    if scheme.has_context() {
        let changed = flip_bit(message.context, bit);
        let answer = verify(level, scheme, [public; 2], ContextMessage { context: &changed, ..message }, signature)?;
        wrong.push(("a changed context".to_owned(), answer));
    }
    for other_scheme in Scheme::ALL {
        if other_scheme == scheme || !other_scheme.shares_keys_with(scheme) {
            continue;
        }
        let context = if other_scheme.has_context() { message.context } else { b"" };
        let answer = verify(level, other_scheme, [public; 2], ContextMessage { context, ..message }, signature)?;
        wrong.push((format!("the signature as one of {}", other_scheme.title()), answer));
    }
    match wrong.iter().find(|(_, answer)| *answer == VerifyAnswer::Accepted) {
        Some((what, _)) => Err(format!("{what} was accepted")),
        None => keys.check_changed_key(level, bit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::options::algorithm;
    use crate::tool::sign::deterministic::{DeterministicRng, SeededStream};
    use fndsa::algorithm::Degree;

    const M: ContextMessage<'static> = ContextMessage { context: b"", bytes: b"m" };

    fn stream(name: &[u8]) -> DeterministicRng<SeededStream> {
        DeterministicRng(SeededStream::of(&[name]))
    }

    fn keys(algorithm: Algorithm, name: &[u8]) -> GuardedKeys {
        GuardedKeys::generate(Level::detect(), algorithm, &mut stream(name)).unwrap()
    }

    #[test]
    fn wrong_input_that_is_accepted_fails() {
        let level = Level::detect();
        for algorithm in algorithm::all().filter(|algorithm| algorithm.degree() != Some(Degree::N1024)) {
            let first = keys(algorithm, b"one");
            let second = keys(algorithm, b"two");
            let signature = first.sign(level, M, &mut stream(b"sign")).unwrap();
            let signature = signature.bytes();
            // For FN-DSA-512, the changed bits are in the header, the nonce and the coefficients of
            // the signature, and in the header, f and g of the key.
            for bit in [0, 99, 1000, 5000] {
                assert_eq!(check_signature(level, &first, &second, M, signature, bit), Ok(()), "{algorithm} {bit}");
            }
            let same = check_signature(level, &first, &first, M, signature, 99);
            assert_eq!(same, Err("the signature of another key was accepted".to_owned()));
            let other = ContextMessage { bytes: b"n", ..M };
            for result in [
                check_signature(level, &second, &first, M, signature, 99),
                check_signature(level, &first, &second, other, signature, 99),
                check_signature(level, &first, &second, M, &signature[1..], 99),
            ] {
                let result = result.unwrap_err();
                assert!(result.starts_with("a good signature was rejected"), "{result}");
            }
        }
    }

    /// A Falcon signature of the bytes that FN-DSA-2024 hashes is also valid in FN-DSA-2024. This
    /// example shows that a signature can be valid in a second scheme, so the check in
    /// [`check_signature`] can fail.
    #[test]
    fn the_check_with_another_scheme_can_fail() {
        let level = Level::detect();
        let keys = keys(Algorithm::FALCON_512, b"one");
        let public = keys.public.bytes();
        let hash = VerifyingKeyRef::from_bytes(Scheme::Falcon, public).unwrap().key_hash(level);
        let bytes = [&hash.as_bytes()[..], &[0, 0], b"m"].concat();
        let signature = keys.sign(level, ContextMessage { context: b"", bytes: &bytes }, &mut stream(b"sign")).unwrap();
        let answer_in = |scheme| verify(level, scheme, [public; 2], M, signature.bytes()).unwrap();
        assert_eq!(answer_in(Scheme::FnDsa2024), VerifyAnswer::Accepted);
        for scheme in [Scheme::Falcon, Scheme::FalconRs] {
            assert_ne!(answer_in(scheme), VerifyAnswer::Accepted);
        }
    }

    #[test]
    fn an_overwritten_byte_next_to_an_output_is_detected() {
        for at in [0, MARGIN - 1, MARGIN + 10, 2 * MARGIN + 9] {
            let mut guarded = CanaryBuffer::new(10);
            guarded.bytes_mut().fill(1);
            assert_eq!(guarded.check_intact("output"), Ok(()));
            guarded.0[at] ^= 1;
            assert_eq!(
                guarded.check_intact("output"),
                Err("bytes next to the output were overwritten".to_owned()),
                "{at}"
            );
        }
    }
}
