//! Signs with a single key: hashes each message to sign it, and verifies the signature before it is
//! written.

use crate::tool::io::random::{RandomnessError, SystemRng};
use crate::tool::io::{Input, InputReuse, secrecy};
use crate::tool::keys::loader::LoadedPrivateKey;
use crate::tool::keys::recode::recode;
use crate::tool::message::form::MessageForm;
use crate::tool::report::{Error, Evidence};
use fndsa::Algorithm;
use fndsa::algorithm::SignatureEncoding;
use fndsa::batch::{ExpandedSigningKey, ExpandedVerifyingKey};
use fndsa::error::SignError;
use fndsa::files::{self, FileContent, Format, ObjectKind, ReadOptions};
use fndsa::message::{KeyHash, Mu};
use fndsa::no_alloc::{Attempt, HashedMessage, Level, MessageToSign, VerifyingKeyRef};
use fndsa::verdict::PublicKey;
use fndsa::verdict::signature_note::line;
use std::fmt::Display;
use zeroize::Zeroizing;

/// A key, and the data that is needed to sign with it and to verify the signatures.
pub struct KeySigner<'a> {
    algorithm: Algorithm,
    /// The public key's encoding.
    public: &'a [u8],
    fingerprint: &'a str,
    key_hash: KeyHash,
    level: Level,
    maker: SignatureMaker,
    /// The public key, prepared for the neighbouring level (instruction set). With this key, each
    /// signature is verified a second time. On most machines, this level uses different
    /// instructions than `level`.
    check: Box<ExpandedVerifyingKey>,
    format: Format,
    encoding: SignatureEncoding,
}

/// The origin of the signatures.
enum SignatureMaker {
    /// A private key signs the messages.
    PrivateKey { key: Box<ExpandedSigningKey>, randomness: Randomness },
    /// A different program has already signed the only message.
    Elsewhere(SignatureFromElsewhere),
}

/// A signature from a different program, for example from a key management service.
pub struct SignatureFromElsewhere {
    /// The signature in raw encoding.
    pub signature: Vec<u8>,
    /// The signature file's name, as it is shown in messages.
    pub from: String,
    /// The name of the format with its article, for hints. `None` if the signature covers the bytes
    /// of the file.
    pub format: Option<&'static str>,
}

/// The randomness that is used to sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Randomness {
    /// Random bytes from the operating system.
    Fresh,
    /// No randomness, which makes ML-DSA signatures deterministic.
    Absent,
}

/// A signature file's contents.
pub struct SignatureContents {
    file: Zeroizing<Vec<u8>>,
    /// The evidence (a number) that the contents have been verified.
    evidence: Evidence,
    /// The number of bytes that were read from the input, or the length of the message in an
    /// envelope.
    pub bytes: u64,
}

impl SignatureContents {
    /// Creates the contents of an envelope. `signatures` contains the signature by each key, and
    /// `is_readable` is the evidence that the signatures can be read from the envelope. If
    /// `signatures` is empty, the evidence does not hold, so that [`Self::file`] returns an error.
    pub fn enclosed(signatures: &[Self], file: Vec<u8>, is_readable: Evidence) -> Self {
        let mut all = Vec::with_capacity(signatures.len() + 1);
        for signed in signatures {
            all.push(signed.evidence);
        }
        all.push(is_readable);
        let bytes = match signatures.first() {
            Some(signed) => signed.bytes,
            None => 0,
        };
        Self { file: Zeroizing::new(file), evidence: Evidence::of_all(&all, signatures.len().max(1) + 1), bytes }
    }

    /// Returns the contents if they were verified. The code that writes the file must call this
    /// function, so that fndsa writes no file if a fault skips the verification.
    ///
    /// # Errors
    /// Fails if the evidence does not hold, because a fault occurred.
    pub fn file(&self) -> Result<&[u8], Error> {
        if self.evidence.holds() { Ok(&self.file) } else { Err(withheld()) }
    }

    /// Returns the evidence that the contents have been verified.
    pub fn evidence(&self) -> Evidence {
        self.evidence
    }
}

/// Returns the error for a signature that is not written, because it did not verify.
fn withheld() -> Error {
    Error::of_signing(SignError::<RandomnessError>::SelfCheck)
}

/// The number of attempts for a toy algorithm (insecure, with a small degree) when the message is
/// read only once. Attempts by toy algorithms often fail. The library uses at most this number of
/// hashes for a signature.
const TOY_STREAM_ATTEMPTS: usize = 27;

impl<'a> KeySigner<'a> {
    /// Prepares a key to sign messages in a form (the context, the pre-hash and the kind of input).
    /// `encoding` is the requested encoding of the signatures, or `None` for the padded encoding.
    ///
    /// # Errors
    /// Fails if the scheme does not support the form, or if an encoding is requested for a scheme
    /// with a single encoding.
    pub fn new(
        private: &'a LoadedPrivateKey<'a>,
        level: Level,
        form: &MessageForm,
        format: Format,
        encoding: Option<SignatureEncoding>,
    ) -> Result<Self, Error> {
        form.check(private.key.algorithm())?;
        let maker = SignatureMaker::PrivateKey { key: expand(private, level)?, randomness: Randomness::Fresh };
        let LoadedPrivateKey { key, public, fingerprint, .. } = private;
        let Ok(public) = VerifyingKeyRef::of_algorithm(key.algorithm(), public) else { return Err(withheld()) };
        if encoding.is_some() && key.scheme().encodings().len() == 1 {
            return Err(Error::NoEncoding(key.scheme()));
        }
        let encoding = encoding.unwrap_or(SignatureEncoding::Padded);
        Ok(Self { encoding, ..Self::of(public, fingerprint, maker, level, format) })
    }

    /// Creates a signer from a signature that was made by a different program with the private key
    /// for `public`. The signature is verified before it is written.
    ///
    /// # Errors
    /// Fails if the scheme does not support the form, or if it hashes a nonce before the message.
    pub fn of_signature(
        public: &'a PublicKey,
        signature: SignatureFromElsewhere,
        level: Level,
        form: &MessageForm,
        format: Format,
    ) -> Result<Self, Error> {
        let scheme = public.key.algorithm().scheme();
        if scheme.hashes_nonce() {
            return Err(Error::SchemeElsewhere(scheme));
        }
        form.check(public.key.algorithm())?;
        let maker = SignatureMaker::Elsewhere(signature);
        Ok(Self::of(public.key.to_ref(), &public.fingerprint, maker, level, format))
    }

    /// Creates a signer for signatures in padded encoding.
    fn of(
        public: VerifyingKeyRef<'a>,
        fingerprint: &'a str,
        maker: SignatureMaker,
        level: Level,
        format: Format,
    ) -> Self {
        Self {
            algorithm: public.algorithm(),
            public: public.as_bytes(),
            fingerprint,
            key_hash: public.key_hash(level),
            level,
            maker,
            check: public.expand(level.neighbour()),
            format,
            encoding: SignatureEncoding::Padded,
        }
    }

    /// Makes all later signatures deterministic.
    ///
    /// # Errors
    /// Fails if the scheme does not support deterministic signatures.
    pub fn deterministic(mut self) -> Result<Self, Error> {
        let scheme = self.algorithm.scheme();
        if !scheme.can_sign_deterministically() {
            return Err(Error::NotDeterministic(scheme));
        }
        if let SignatureMaker::PrivateKey { randomness, .. } = &mut self.maker {
            *randomness = Randomness::Absent;
        }
        Ok(self)
    }

    /// Signs a message. If the signature comes from a different program, returns this signature
    /// after it was verified with `hashed`, the hash of the message. Returns `None` if all attempts
    /// fail. `name` is the message's name in errors.
    ///
    /// # Errors
    /// Fails if the system cannot provide randomness, if a fault is detected, or if the signature
    /// from a different program does not match the message.
    fn make(
        &self,
        message: MessageToSign<'_>,
        hashed: Option<&HashedMessage>,
        name: &dyn Display,
        work: &mut Vec<u8>,
    ) -> Result<Option<Vec<u8>>, Error> {
        match &self.maker {
            SignatureMaker::PrivateKey { key, randomness } => sign_once(key, message, *randomness, work),
            SignatureMaker::Elsewhere(SignatureFromElsewhere { signature, from, format }) => {
                let Some(hashed) = hashed else { return Err(withheld()) };
                let Ok(key) = VerifyingKeyRef::of_algorithm(self.algorithm, self.public) else {
                    return Err(withheld());
                };
                work.resize(work.len().max(self.algorithm.verify_fast_work_len()), 0);
                let is_valid = match key.expand(self.level).verified(hashed, signature, work) {
                    Ok(verified) => Evidence::of(verified).holds(),
                    Err(_) => false,
                };
                if is_valid {
                    return Ok(Some(signature.clone()));
                }
                let (from, file) = (from.clone(), name.to_string());
                let fingerprint = self.fingerprint.to_owned();
                Err(Error::OtherSignature { from, file, fingerprint, format: *format })
            }
        }
    }

    /// Signs several inputs with the context and the pre-hash in their forms, and returns the
    /// results in the order of the inputs. If the scheme and the inputs allow it, the library signs
    /// the inputs together, because this is faster.
    pub fn sign_together(
        &self,
        work: &mut Vec<u8>,
        messages: &mut [(&MessageForm, &mut dyn Input)],
    ) -> Vec<Result<SignatureContents, Error>> {
        let algorithm = self.algorithm();
        let scheme = algorithm.scheme();
        let SignatureMaker::PrivateKey { key, randomness: Randomness::Fresh } = &self.maker else {
            return self.sign_each_alone(work, messages);
        };
        let is_alone = messages.len() == 1;
        if !is_alone
            && scheme.hashes_nonce()
            && let Some(signed) = self.sign_with_nonces(key, work, messages)
        {
            return signed;
        }
        if is_alone || !scheme.has_mu() {
            return self.sign_each_alone(work, messages);
        }
        let mut hashed = Vec::with_capacity(messages.len());
        let mut mus = Vec::with_capacity(messages.len());
        for (form, input) in messages.iter_mut() {
            let read = self.mu(form, *input);
            if let Ok((mu, _)) = &read {
                mus.push(*mu);
            }
            hashed.push(read);
        }
        let mut signatures = sign_many(key, &mus, work).unwrap_or_default().into_iter();
        let mut all = Vec::with_capacity(messages.len());
        for (read, (form, input)) in hashed.into_iter().zip(messages.iter()) {
            all.push(match read {
                Ok(read) => self.sign_mu(work, read, signatures.next(), form, (*input).name()),
                Err(e) => Err(e),
            });
        }
        all
    }

    /// Signs several inputs, one after the other.
    fn sign_each_alone(
        &self,
        work: &mut Vec<u8>,
        messages: &mut [(&MessageForm, &mut dyn Input)],
    ) -> Vec<Result<SignatureContents, Error>> {
        let mut all = Vec::with_capacity(messages.len());
        for (form, input) in messages {
            all.push(self.sign_alone(work, form, *input));
        }
        all
    }

    /// Signs a single input with the context and the pre-hash in `form`.
    fn sign_alone(
        &self,
        work: &mut Vec<u8>,
        form: &MessageForm,
        input: &mut dyn Input,
    ) -> Result<SignatureContents, Error> {
        let mut contents = sign_with_each(&[self], form, work, input)?;
        match contents.pop() {
            Some(signed) => Ok(signed),
            None => Err(Error::Internal("no signature".to_owned())),
        }
    }

    /// Hashes an input to its mu, and also returns the number of bytes that were read.
    fn mu(&self, form: &MessageForm, input: &mut dyn Input) -> Result<(Mu, u64), Error> {
        form.check(self.algorithm())?;
        form.mu(self.level, self.algorithm, &self.key_hash, input)
    }

    /// Returns the contents of a signature file for a mu. `together` is the signature of this mu,
    /// if the library signed all inputs together. Otherwise, this function signs the mu alone, so
    /// that an error belongs to a single input.
    fn sign_mu(
        &self,
        work: &mut Vec<u8>,
        (mu, bytes): (Mu, u64),
        together: Option<Vec<u8>>,
        form: &MessageForm,
        name: &dyn Display,
    ) -> Result<SignatureContents, Error> {
        let hashed = HashedMessage::from(mu);
        let signature = match together {
            Some(signature) => Some(signature),
            None => self.make(MessageToSign::from(&mu), Some(&hashed), name, work)?,
        };
        let Some(signature) = signature else { return Err(attempts_error()) };
        let (file, evidence) = self.written(form, signature, Some(hashed), name, work)?;
        Ok(SignatureContents { file, evidence, bytes })
    }

    /// Signs several inputs together with a scheme that hashes a nonce before the message. Each
    /// input gets only one attempt. Returns `None` if an input cannot be read twice, or if the
    /// library could not sign all inputs. In this case, the caller signs all inputs again, one
    /// after the other.
    fn sign_with_nonces(
        &self,
        key: &ExpandedSigningKey,
        work: &mut Vec<u8>,
        messages: &mut [(&MessageForm, &mut dyn Input)],
    ) -> Option<Vec<Result<SignatureContents, Error>>> {
        let mut attempts = Vec::with_capacity(messages.len());
        for (_, input) in messages.iter() {
            if input.reuse() != InputReuse::Again {
                return None;
            }
            attempts.push([vec![Attempt::EMPTY]]);
        }
        let algorithm = self.algorithm();
        let keys = [(algorithm, self.key_hash)];
        let mut read = Vec::with_capacity(messages.len());
        let mut to_sign = Vec::with_capacity(messages.len());
        for ((form, input), attempts) in messages.iter_mut().zip(&mut attempts) {
            if let Err(e) = form.check(algorithm) {
                read.push(Err(e));
                continue;
            }
            match form.to_sign(self.level(), &keys, attempts, *input) {
                Ok((hashed, bytes)) => {
                    to_sign.extend(hashed);
                    read.push(Ok(bytes));
                }
                Err(e) => read.push(Err(e)),
            }
        }
        let mut signatures = sign_many(key, to_sign, work)?.into_iter();
        let mut all = Vec::with_capacity(messages.len());
        for ((bytes, attempts), (form, input)) in read.into_iter().zip(&attempts).zip(messages.iter()) {
            let bytes = match bytes {
                Ok(bytes) => bytes,
                Err(e) => {
                    all.push(Err(e));
                    continue;
                }
            };
            all.push(match signatures.next() {
                Some(signature) => {
                    let message = HashedMessage::of_attempt(algorithm.scheme(), &attempts[0], &signature);
                    match self.written(form, signature, message, (*input).name(), work) {
                        Ok((file, evidence)) => Ok(SignatureContents { file, evidence, bytes }),
                        Err(e) => Err(e),
                    }
                }
                None => Err(attempts_error()),
            });
        }
        Some(all)
    }

    /// Returns the attempts for a single pass over the input. A scheme that hashes a nonce needs
    /// several attempts with different nonces, because an attempt can fail.
    fn attempts(&self) -> Vec<Attempt> {
        let count = match self.algorithm() {
            algorithm if !algorithm.scheme().hashes_nonce() => 1,
            algorithm if algorithm.is_toy() => TOY_STREAM_ATTEMPTS,
            _ => Attempt::OF_STREAM,
        };
        let mut attempts = Vec::with_capacity(count);
        attempts.resize_with(count, || Attempt::EMPTY);
        attempts
    }

    /// Encodes a signature file and verifies its contents. `message` is the message hash that the
    /// signature covers. `name` is the message's name in errors.
    fn written(
        &self,
        form: &MessageForm,
        signature: Vec<u8>,
        message: Option<HashedMessage>,
        name: &dyn Display,
        work: &mut Vec<u8>,
    ) -> Result<(Zeroizing<Vec<u8>>, Evidence), Error> {
        let algorithm = self.algorithm();
        let signature = recode(algorithm, signature, self.encoding, name)?;
        let note = line(algorithm, self.fingerprint(), &form.noted());
        let file =
            files::write(ObjectKind::Signature, algorithm, self.format, &note, &signature).map_err(Error::Write)?;
        let evidence = self.verify_again(&file, message.as_ref(), work)?;
        Ok((file, evidence))
    }

    /// Verifies a signature file's contents before it is written. The library has already
    /// verified the signature, but this second check starts from the encoded file. The second check
    /// uses the machine code of a neighbouring level (Ed25519 has no levels) and a public key that
    /// was expanded from its encoding, so that a single fault cannot affect both checks.
    ///
    /// # Errors
    /// Fails if the signature does not verify, because a fault occurred.
    fn verify_again(
        &self,
        file: &[u8],
        message: Option<&HashedMessage>,
        work: &mut Vec<u8>,
    ) -> Result<Evidence, Error> {
        let algorithm = self.algorithm();
        let accept = ReadOptions::default().with_algorithm(Some(algorithm)).with_allow_toys(true);
        let read = match files::read(file, &accept) {
            Ok(FileContent::Plain(object)) => Some(object.bytes),
            _ => None,
        };
        work.resize(work.len().max(algorithm.verify_fast_work_len()), 0);
        let (Some(signature), Some(message)) = (read, message) else {
            return Err(withheld());
        };
        match self.check.verified(message, &signature, work) {
            Ok(verified) => Ok(Evidence::of(verified)),
            Err(_) => Err(withheld()),
        }
    }

    /// Returns the level that is used to sign.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Returns the key's algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Returns the encoded public key.
    pub fn public(&self) -> &'a [u8] {
        self.public
    }

    /// Returns the public key's fingerprint.
    pub fn fingerprint(&self) -> &'a str {
        self.fingerprint
    }
}

/// Signs an input with each of the keys, and returns verified contents for the signature files. If
/// there is a single key, its scheme hashes a nonce, and the input can be read more than once, the
/// input is read once for each attempt. Otherwise, the input is read only once. `work` is a buffer
/// that later calls can reuse.
///
/// # Errors
/// Fails if the input cannot be read, if a scheme does not support the form, or if signing fails.
pub fn sign_with_each(
    signers: &[&KeySigner<'_>],
    form: &MessageForm,
    work: &mut Vec<u8>,
    input: &mut dyn Input,
) -> Result<Vec<SignatureContents>, Error> {
    for signer in signers {
        form.check(signer.algorithm())?;
    }
    let again = match signers {
        [one] => one.algorithm().scheme().hashes_nonce() && input.reuse() == InputReuse::Again,
        _ => false,
    };
    for _ in 0..if again { Attempt::ENOUGH } else { 1 } {
        let mut attempts = Vec::with_capacity(signers.len());
        let mut keys = Vec::with_capacity(signers.len());
        for signer in signers {
            attempts.push(if again { vec![Attempt::EMPTY] } else { signer.attempts() });
            keys.push((signer.algorithm(), signer.key_hash));
        }
        let level = match signers {
            [first, ..] => first.level(),
            [] => Level::detect(),
        };
        let (messages, bytes) = form.to_sign(level, &keys, &mut attempts, input)?;
        let mut signatures = Vec::with_capacity(signers.len());
        for (signer, message) in signers.iter().zip(messages) {
            let hashed = message.hashed();
            if let Some(signature) = signer.make(message, hashed.as_ref(), input.name(), work)? {
                signatures.push((hashed, signature));
            }
        }
        if signatures.len() < signers.len() {
            continue;
        }
        let mut contents = Vec::with_capacity(signers.len());
        for ((signer, (hashed, signature)), attempts) in signers.iter().zip(signatures).zip(&attempts) {
            let message = match hashed {
                Some(hashed) => Some(hashed),
                None => HashedMessage::of_attempt(signer.algorithm().scheme(), attempts, &signature),
            };
            let (file, evidence) = signer.written(form, signature, message, input.name(), work)?;
            contents.push(SignatureContents { file, evidence, bytes });
        }
        return Ok(contents);
    }
    Err(attempts_error())
}

/// Prepares a private key for many signatures, and locks the memory of the result.
///
/// # Errors
/// Fails only if there is a bug or a machine fault.
pub fn expand(private: &LoadedPrivateKey<'_>, level: Level) -> Result<Box<ExpandedSigningKey>, Error> {
    let mut work = vec![0; private.key.algorithm().sign_work_len()];
    let expanded = private.key.expand(level, &mut work).map_err(|e| Error::Internal(e.to_string()));
    secrecy::protect_new_memory();
    expanded
}

/// Signs a message with the attempts for which it was hashed. The library verifies the signature.
/// Returns `None` if all attempts fail.
///
/// # Errors
/// Fails if the system cannot provide randomness, or if a fault is detected.
pub fn sign_once<'m>(
    key: &ExpandedSigningKey,
    message: impl Into<MessageToSign<'m>>,
    randomness: Randomness,
    work: &mut Vec<u8>,
) -> Result<Option<Vec<u8>>, Error> {
    let mut signature = vec![0; key.algorithm().signature_len()];
    work.resize(work.len().max(key.algorithm().sign_expanded_work_len()), 0);
    let is_made = match randomness {
        Randomness::Fresh => was_made(key.sign(message, &mut SystemRng, &mut signature, work))?,
        Randomness::Absent => was_made(key.sign_deterministic(message, &mut signature, work))?,
    };
    Ok(if is_made { Some(signature) } else { None })
}

/// Signs several messages together. The library verifies the signatures. Returns `None` after any
/// error, so that the caller can sign the messages one after the other to find the message with the
/// error.
fn sign_many<'m, M: Into<MessageToSign<'m>>>(
    key: &ExpandedSigningKey,
    messages: impl IntoIterator<Item = M, IntoIter: ExactSizeIterator>,
    work: &mut Vec<u8>,
) -> Option<Vec<Vec<u8>>> {
    let (algorithm, messages) = (key.algorithm(), messages.into_iter());
    let mut signatures = vec![0; messages.len() * algorithm.signature_len()];
    work.resize(work.len().max(algorithm.sign_batch_work_len()), 0);
    key.sign_batch(messages, &mut SystemRng, &mut signatures, work).ok()?;
    Some(signatures.chunks(algorithm.signature_len()).map(<[u8]>::to_vec).collect())
}

/// Returns the error for a message that could not be signed in any attempt.
fn attempts_error() -> Error {
    Error::Internal(SignError::<RandomnessError>::Attempts.to_string())
}

/// Returns whether the message was signed. The error `Attempts` is returned as `false`, because the
/// caller may retry.
fn was_made<R: Display>(signed: Result<(), SignError<R>>) -> Result<bool, Error> {
    match signed {
        Ok(()) => Ok(true),
        Err(SignError::Attempts) => Ok(false),
        Err(e) => Err(Error::of_signing(e)),
    }
}
