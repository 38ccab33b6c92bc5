//! Implements key generation, signing and verification on slices. The C functions call this code
//! after they have checked all pointers.

use crate::code::CallError;
use crate::numbered::{NumberedAlgorithm, WorkLengths};
use crate::prehash::{PreHashedMessage, SignedForm};
use library::Algorithm;
#[cfg(feature = "ed25519")]
use library::algorithm::Scheme;
use library::algorithm::{SEED_LEN, SignatureEncoding};
use library::message::KeyHash;
use library::no_alloc::{
    Attempt, ExpandedSigningKeyIn, Level, MessageToVerify, SignatureRef, SigningHasher, SigningKeyRef, Verified,
    VerifyingHasher, VerifyingKeyRef,
};
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

/// Generates a key pair. The length of `private` selects the private key's form. `private` and
/// `public` must have a length that the algorithm defines.
pub fn generate(
    numbered: NumberedAlgorithm,
    private: &mut [u8],
    public: &mut [u8],
    rng: &mut impl TryCryptoRng,
    work: &mut [u8],
) -> Result<(), CallError> {
    let level = Level::detect();
    if private.len() == numbered.algorithm.signing_key_len() {
        SigningKeyRef::generate(level, numbered.algorithm, rng, private, public, work)?;
    } else {
        let mut seed = Zeroizing::new([0; SEED_LEN]);
        let key = SigningKeyRef::generate(level, numbered.algorithm, rng, &mut *seed, public, work)?;
        key.expanded_form_into(level, private, work)?;
    }
    Ok(())
}

/// Parses a private key and checks it in full.
pub fn private_key<'a>(
    numbered: NumberedAlgorithm,
    bytes: &'a [u8],
    work: &mut [u8],
) -> Result<SigningKeyRef<'a>, CallError> {
    Ok(SigningKeyRef::of_algorithm(Level::detect(), numbered.algorithm, bytes, work)?)
}

/// Computes a private key's public key. `public` must have the algorithm's public key length.
pub fn public_key(
    numbered: NumberedAlgorithm,
    private: &[u8],
    public: &mut [u8],
    work: &mut [u8],
) -> Result<(), CallError> {
    let key = private_key(numbered, private, work)?;
    key.verifying_key_into(Level::detect(), public, work)?;
    Ok(())
}

/// Signs a message, writes the signature to the start of `signature`, and returns the signature's
/// length in bytes. `signature` must only contain zeros, and must have at least the length of a
/// padded signature, also if the result is compressed.
pub fn sign(
    numbered: NumberedAlgorithm,
    key: &SigningKeyRef<'_>,
    form: SignedForm<'_>,
    message: &[u8],
    signature: &mut [u8],
    rng: &mut impl TryCryptoRng,
    work: &mut [u8],
) -> Result<usize, CallError> {
    let padded = padded_part(numbered, signature)?;
    let digest = form.digest(message)?;
    key.sign_unhashed(Level::detect(), form.unhashed(message, digest.as_ref())?, rng, padded, work)?;
    encode(numbered, padded, work)
}

/// Returns the start of `signature`, with the length of a padded signature.
fn padded_part(numbered: NumberedAlgorithm, signature: &mut [u8]) -> Result<&mut [u8], CallError> {
    signature.get_mut(..numbered.algorithm.signature_len()).ok_or(CallError::Length)
}

/// Converts a padded signature to the encoding in `numbered`, and returns the length in bytes.
/// After the call, the bytes after the signature are zeros.
fn encode(numbered: NumberedAlgorithm, padded: &mut [u8], work: &mut [u8]) -> Result<usize, CallError> {
    if !numbered.is_compressed() {
        return Ok(padded.len());
    }
    // The compressed encoding is the padded encoding without the zeros at its end.
    let signature = SignatureRef::of_algorithm(numbered.algorithm, padded).ok();
    let len =
        signature.and_then(|it| it.recode_into(SignatureEncoding::Compressed, work)).ok_or(CallError::Internal)?;
    let compressed = work.get_mut(..len).filter(|_| len <= padded.len()).ok_or(CallError::Internal)?;
    padded.fill(0);
    padded[..len].copy_from_slice(compressed);
    compressed.fill(0);
    Ok(len)
}

/// Parses a public key for the algorithm.
pub fn verifying_key(numbered: NumberedAlgorithm, bytes: &[u8]) -> Result<VerifyingKeyRef<'_>, CallError> {
    Ok(VerifyingKeyRef::of_algorithm(numbered.algorithm, bytes)?)
}

/// Checks that a signature has an encoding that `numbered` allows. If `numbered` selects compressed
/// signatures, the signature may also be padded, as in PQClean. Falcon's constant-time encoding is
/// never allowed.
pub fn check_encoding(numbered: NumberedAlgorithm, signature: &[u8]) -> Result<(), CallError> {
    let algorithm = numbered.algorithm;
    if !numbered.is_compressed() {
        return if signature.len() == algorithm.signature_len() { Ok(()) } else { Err(CallError::NotValid) };
    }
    let is_constant_time = signature.len() == algorithm.encoded_signature_len(SignatureEncoding::Ct)
        && SignatureRef::of_algorithm(algorithm, signature).is_ok_and(|it| it.encoding() == SignatureEncoding::Ct);
    if is_constant_time { Err(CallError::NotValid) } else { Ok(()) }
}

/// Verifies a signature with a parsed key.
fn verify_with_key<'m>(
    key: &VerifyingKeyRef<'_>,
    message: impl Into<MessageToVerify<'m>>,
    signature: &[u8],
    work: &mut [u8],
) -> Result<(), CallError> {
    require_yes(key.verified(Level::detect(), message, signature, work)?)
}

/// Returns `Ok` only if the verification's value is [`Verified::YES`]. All other values mean NO.
pub fn require_yes(verified: Verified) -> Result<(), CallError> {
    if core::hint::black_box(verified.value()) == Verified::YES { Ok(()) } else { Err(CallError::NotValid) }
}

/// Verifies a signature for a message in memory.
pub fn verify(
    numbered: NumberedAlgorithm,
    public: &[u8],
    form: SignedForm<'_>,
    message: &[u8],
    signature: &[u8],
    work: &mut [u8],
) -> Result<(), CallError> {
    let key = verifying_key(numbered, public)?;
    form.options.check(numbered.algorithm)?;
    check_encoding(numbered, signature)?;
    let digest = form.digest(message)?;
    verify_with_key(&key, form.unhashed(message, digest.as_ref())?, signature, work)
}

/// Checks a private key of the Falcon family in full, and expands it into `memory`, which must have
/// at least [`Algorithm::expanded_key_len`] bytes. A loaded key has a header before this memory.
pub fn expand<'m>(
    numbered: NumberedAlgorithm,
    private: &[u8],
    memory: &'m mut [u8],
    work: &mut [u8],
) -> Result<ExpandedSigningKeyIn<'m>, CallError> {
    Ok(private_key(numbered, private, work)?.expand_into(Level::detect(), memory, work)?)
}

/// Signs a message as [`sign`] does, but with an expanded key.
pub fn sign_expanded(
    numbered: NumberedAlgorithm,
    key: &ExpandedSigningKeyIn<'_>,
    form: SignedForm<'_>,
    message: &[u8],
    signature: &mut [u8],
    rng: &mut impl TryCryptoRng,
    work: &mut [u8],
) -> Result<usize, CallError> {
    let padded = padded_part(numbered, signature)?;
    let digest = form.digest(message)?;
    key.sign_unhashed(form.unhashed(message, digest.as_ref())?, rng, padded, work)?;
    encode(numbered, padded, work)
}

/// Checks a private key of the Falcon family, computes its transformed basis, and passes the basis
/// to `write` in parts.
pub fn write_basis(
    algorithm: Algorithm,
    private: &[u8],
    write: impl FnMut(&[u8]),
    work: &mut [u8],
) -> Result<(), CallError> {
    let level = Level::detect();
    Ok(SigningKeyRef::of_algorithm(level, algorithm, private, work)?.write_basis(level, work, write)?)
}

/// Checks a private key and its transformed basis, signs a message with them, and returns the
/// signature's length in bytes. `signature` must have the algorithm's signature length.
pub fn sign_with_basis(
    algorithm: Algorithm,
    private: &[u8],
    basis: &[u8],
    form: SignedForm<'_>,
    message: &[u8],
    signature: &mut [u8],
    rng: &mut impl TryCryptoRng,
    work: &mut [u8],
) -> Result<usize, CallError> {
    let level = Level::detect();
    let key = SigningKeyRef::of_algorithm(level, algorithm, private, work)?.with_basis(level, basis)?;
    let digest = form.digest(message)?;
    key.sign_unhashed(form.unhashed(message, digest.as_ref())?, rng, signature, work)?;
    Ok(signature.len())
}

/// A signature in progress, for a message that arrives in pieces.
pub struct BegunSignature<'w> {
    numbered: NumberedAlgorithm,
    key_hash: KeyHash,
    message: SigningMessage<'w>,
}

/// A message to sign that arrives in pieces.
#[expect(clippy::large_enum_variant, reason = "a signer has no allocator, and memory for both variants")]
enum SigningMessage<'w> {
    /// A message without a pre-hash.
    Plain(SigningHasher<'w>),
    /// A message with a pre-hash. The pieces are parts of the message, which are hashed, or parts
    /// of its digest.
    PreHashed(PreHashedMessage, &'w mut [Attempt]),
}

impl<'w> BegunSignature<'w> {
    /// Checks the private key, and begins a signature. `attempts` must have
    /// [`Attempt::OF_STREAM`] elements.
    pub fn new(
        numbered: NumberedAlgorithm,
        private: &[u8],
        form: SignedForm<'_>,
        attempts: &'w mut [Attempt],
        rng: &mut impl TryCryptoRng,
        work: &mut [u8],
    ) -> Result<Self, CallError> {
        form.options.check(numbered.algorithm)?;
        let key_hash = private_key(numbered, private, work)?.key_hash();
        let level = Level::detect();
        let message = match PreHashedMessage::new(level, form)? {
            Some(message) => SigningMessage::PreHashed(message, attempts),
            None => {
                let options = form.options;
                SigningMessage::Plain(SigningHasher::new(level, numbered.algorithm, &key_hash, options, attempts, rng)?)
            }
        };
        Ok(Self { numbered, key_hash, message })
    }

    /// Returns the algorithm.
    pub fn numbered(&self) -> NumberedAlgorithm {
        self.numbered
    }

    /// Adds the next piece of the message.
    pub fn update(&mut self, piece: &[u8]) {
        match &mut self.message {
            SigningMessage::Plain(message) => message.update(piece),
            SigningMessage::PreHashed(message, _) => message.update(piece),
        }
    }

    /// Ends the message, and signs it as [`sign`] does. Checks the private key in full again. Fails
    /// with [`CallError::Key`] if this key is not the key that was passed to [`Self::new`].
    pub fn finish(
        self,
        private: &[u8],
        signature: &mut [u8],
        rng: &mut impl TryCryptoRng,
        work: &mut [u8],
    ) -> Result<usize, CallError> {
        let key = private_key(self.numbered, private, work)?;
        if key.key_hash() != self.key_hash {
            return Err(CallError::Key);
        }
        let padded = padded_part(self.numbered, signature)?;
        let message = match self.message {
            SigningMessage::Plain(message) => message.finish(),
            SigningMessage::PreHashed(message, attempts) => message.hash_to_sign(&key, attempts, rng)?,
        };
        key.sign(Level::detect(), message, rng, padded, work)?;
        encode(self.numbered, padded, work)
    }
}

/// A message that arrives in pieces. This type uses no heap memory, so a C caller may copy the
/// bytes, and need not call a function to free memory.
enum BegunMessage {
    /// A message for a lattice scheme. For these schemes, [`VerifyingHasher`] uses no heap memory.
    Lattice(VerifyingHasher),
    /// A message with a pre-hash. The pieces are parts of the message, which are hashed, or parts
    /// of its digest.
    PreHashed(PreHashedMessage),
    /// A message for an Ed25519 signature.
    #[cfg(feature = "ed25519")]
    Classic(library::no_alloc::Ed25519Message),
    /// A message for a composite signature by ML-DSA and Ed25519.
    #[cfg(feature = "ed25519")]
    Composite(library::no_alloc::CompositeMessage),
}

impl BegunMessage {
    /// Begins a message, to verify a signature with this key.
    fn new(key: &VerifyingKeyRef<'_>, form: SignedForm<'_>, signature: &[u8]) -> Result<Self, CallError> {
        let (level, algorithm) = (Level::detect(), key.algorithm());
        if let Some(message) = PreHashedMessage::new(level, form)? {
            return Ok(Self::PreHashed(message));
        }
        #[cfg(feature = "ed25519")]
        match algorithm.scheme() {
            Scheme::Ed25519 => {
                return Ok(Self::Classic(library::no_alloc::Ed25519Message::new(key, form.options, signature)?));
            }
            Scheme::MlDsaEd25519 => {
                return Ok(Self::Composite(library::no_alloc::CompositeMessage::new(key, form.options)?));
            }
            _ => {}
        }
        Ok(Self::Lattice(VerifyingHasher::new(level, algorithm, &key.bound_hash(level), form.options, signature)?))
    }
}

/// A verification of a message that arrives in pieces.
pub struct BegunVerification {
    numbered: NumberedAlgorithm,
    message: BegunMessage,
}

impl BegunVerification {
    /// Begins a verification. The caller must pass the signature before the first piece of the
    /// message, because Falcon hashes the signature's nonce first.
    pub fn new(
        numbered: NumberedAlgorithm,
        public: &[u8],
        form: SignedForm<'_>,
        signature: &[u8],
    ) -> Result<Self, CallError> {
        let key = verifying_key(numbered, public)?;
        form.options.check(numbered.algorithm)?;
        check_encoding(numbered, signature)?;
        Ok(Self { numbered, message: BegunMessage::new(&key, form, signature)? })
    }

    /// Returns the work memory for [`Self::finish`].
    pub fn work_lengths(&self) -> WorkLengths {
        self.numbered.verify_work_lengths()
    }

    /// Adds the next piece of the message.
    pub fn update(&mut self, piece: &[u8]) {
        match &mut self.message {
            BegunMessage::Lattice(message) => message.update(piece),
            BegunMessage::PreHashed(message) => message.update(piece),
            #[cfg(feature = "ed25519")]
            BegunMessage::Classic(message) => message.update(piece),
            #[cfg(feature = "ed25519")]
            BegunMessage::Composite(message) => message.update(piece),
        }
    }

    /// Ends the message and verifies the signature. The key and the signature should be the same as
    /// in [`Self::new`]. If the caller passes a different key or signature, the verdict is NO, or
    /// is the correct verdict for the new key and signature.
    pub fn finish(self, public: &[u8], signature: &[u8], work: &mut [u8]) -> Result<(), CallError> {
        let key = verifying_key(self.numbered, public)?;
        check_encoding(self.numbered, signature)?;
        match self.message {
            BegunMessage::Lattice(message) => verify_with_key(&key, &message.finish(), signature, work),
            BegunMessage::PreHashed(message) => {
                verify_with_key(&key, &message.hash_to_verify(&key, signature)?, signature, work)
            }
            #[cfg(feature = "ed25519")]
            BegunMessage::Classic(message) => require_yes(message.verified(&key, signature)?),
            #[cfg(feature = "ed25519")]
            BegunMessage::Composite(message) => {
                require_yes(message.verified(Level::detect(), &key, signature, work)?)
            }
        }
    }
}
