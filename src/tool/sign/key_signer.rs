//! Signs with a private key: hashes, signs, and verifies each signature before it is written.

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
use fndsa::message::Mu;
use fndsa::no_alloc::{Attempt, HashedMessage, Level, MessageToSign, VerifyingKeyRef};
use fndsa::verdict::signature_note::line;
use std::fmt::Display;
use zeroize::Zeroizing;

/// A private key with all data for signing.
pub struct KeySigner<'a> {
    private: &'a LoadedPrivateKey<'a>,
    key: Box<ExpandedSigningKey>,
    /// The public key on the neighbouring level, for the second verification of each signature.
    check: Box<ExpandedVerifyingKey>,
    format: Format,
    encoding: SignatureEncoding,
    randomness: Randomness,
}

/// The randomness for signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Randomness {
    /// Random bytes from the system.
    Fresh,
    /// No randomness: deterministic ML-DSA.
    Absent,
}

/// A signature file's contents.
pub struct SignatureContents {
    file: Zeroizing<Vec<u8>>,
    /// The evidence that the contents were verified.
    yes: Evidence,
    /// The number of signed bytes.
    pub bytes: u64,
}

impl SignatureContents {
    /// Creates an envelope. `each` contains the signatures of one or several keys for an input, and
    /// `reads_back` is the evidence that they can be read from the envelope. An envelope without
    /// signatures has no valid evidence, so it is withheld.
    pub fn enclosed(each: &[Self], file: Vec<u8>, reads_back: Evidence) -> Self {
        let all: Vec<_> = each.iter().map(|signed| signed.yes).chain([reads_back]).collect();
        let bytes = each.first().map_or(0, |signed| signed.bytes);
        Self { file: Zeroizing::new(file), yes: Evidence::of_all(&all, each.len().max(1) + 1), bytes }
    }

    /// Returns the file contents if there is evidence that they were verified. The code that writes
    /// the file calls this function, so a fault that skips the verification cannot lead to a file.
    ///
    /// # Errors
    /// A fault was detected.
    pub fn file(&self) -> Result<&[u8], Error> {
        if self.yes.holds() { Ok(&self.file) } else { Err(withheld()) }
    }

    /// Returns the evidence that the contents were verified.
    pub fn yes(&self) -> Evidence {
        self.yes
    }
}

/// Returns the error for a signature that does not verify.
fn withheld() -> Error {
    Error::of_signing(SignError::<RandomnessError>::SelfCheck)
}

/// The number of nonces with which a stream is hashed for a toy algorithm, because attempts of toy
/// algorithms often fail. The library does not use more nonces.
const TOY_STREAM_ATTEMPTS: usize = 27;

impl<'a> KeySigner<'a> {
    /// Prepares a key for messages in a form and for a file format. `encoding` is the requested
    /// encoding of the signatures; the default is padded.
    ///
    /// # Errors
    /// The scheme does not support the form, or `encoding` is given for a scheme with one encoding.
    pub fn new(
        private: &'a LoadedPrivateKey<'a>,
        level: Level,
        form: &MessageForm,
        format: Format,
        encoding: Option<SignatureEncoding>,
    ) -> Result<Self, Error> {
        let scheme = private.key.scheme();
        form.check(private.key.algorithm())?;
        if encoding.is_some() && scheme.encodings().len() == 1 {
            return Err(Error::NoEncoding(scheme));
        }
        let encoding = encoding.unwrap_or(SignatureEncoding::Padded);
        let key = expand(private, level)?;
        let public = VerifyingKeyRef::of_algorithm(private.key.algorithm(), &private.public).map_err(|_| withheld())?;
        let check = public.expand(level.neighbour());
        Ok(Self { private, key, check, format, encoding, randomness: Randomness::Fresh })
    }

    /// Disables randomness for all later signatures.
    ///
    /// # Errors
    /// The scheme does not support this.
    pub fn deterministic(self) -> Result<Self, Error> {
        let scheme = self.algorithm().scheme();
        if !scheme.can_sign_deterministically() {
            return Err(Error::NotDeterministic(scheme));
        }
        Ok(Self { randomness: Randomness::Absent, ..self })
    }

    /// Signs several inputs, each with a separate context and pre-hash. The results keep the order.
    /// If the scheme and the inputs allow it, the library signs the inputs together, which is
    /// faster.
    pub fn sign_together(
        &self,
        work: &mut Vec<u8>,
        messages: &mut [(&MessageForm, &mut dyn Input)],
    ) -> Vec<Result<SignatureContents, Error>> {
        let algorithm = self.algorithm();
        let scheme = algorithm.scheme();
        let is_alone = messages.len() == 1 || self.randomness == Randomness::Absent;
        if !is_alone
            && scheme.hashes_nonce()
            && let Some(signed) = self.sign_with_nonces(work, messages)
        {
            return signed;
        }
        if is_alone || !scheme.has_mu() {
            return messages.iter_mut().map(|(form, input)| self.sign_alone(work, form, *input)).collect();
        }
        let mut hashed = Vec::with_capacity(messages.len());
        let mut mus = Vec::with_capacity(messages.len());
        for (form, input) in messages.iter_mut() {
            let read = self.mu(form, *input);
            mus.extend(read.as_ref().map(|(mu, _)| *mu));
            hashed.push(read);
        }
        let mut signatures = sign_many(&self.key, &mus, work).unwrap_or_default().into_iter();
        let mut all = Vec::with_capacity(messages.len());
        for (read, (form, input)) in hashed.into_iter().zip(messages.iter()) {
            all.push(match read {
                Ok(read) => self.sign_mu(work, read, signatures.next(), form, (*input).name()),
                Err(e) => Err(e),
            });
        }
        all
    }

    /// Signs one input.
    fn sign_alone(
        &self,
        work: &mut Vec<u8>,
        form: &MessageForm,
        input: &mut dyn Input,
    ) -> Result<SignatureContents, Error> {
        let mut each = sign_with_each(&[self], form, work, input)?;
        each.pop().ok_or_else(|| Error::Internal("no signature".to_owned()))
    }

    /// Hashes an input. Returns the mu and the number of bytes read.
    fn mu(&self, form: &MessageForm, input: &mut dyn Input) -> Result<(Mu, u64), Error> {
        form.check(self.algorithm())?;
        form.mu(self.key.level(), self.algorithm(), &self.key.key_hash(), input)
    }

    /// Returns signature file contents for a mu. `together` is the signature if the library could
    /// sign all inputs together. Otherwise the mu is signed alone, so an error belongs to this
    /// input.
    fn sign_mu(
        &self,
        work: &mut Vec<u8>,
        (mu, bytes): (Mu, u64),
        together: Option<Vec<u8>>,
        form: &MessageForm,
        name: &dyn Display,
    ) -> Result<SignatureContents, Error> {
        let signature = match together {
            Some(signature) => Some(signature),
            None => sign_once(&self.key, &mu, self.randomness, work)?,
        };
        let signature = signature.ok_or_else(no_attempt)?;
        let (file, yes) = self.written(form, signature, Some(HashedMessage::from(mu)), name, work)?;
        Ok(SignatureContents { file, yes, bytes })
    }

    /// Signs as [`Self::sign_together`] does, for a scheme that hashes a nonce before the message.
    /// Returns `None` if an input cannot be read again, or if signing together failed. The caller
    /// then signs each input alone, from its start.
    fn sign_with_nonces(
        &self,
        work: &mut Vec<u8>,
        messages: &mut [(&MessageForm, &mut dyn Input)],
    ) -> Option<Vec<Result<SignatureContents, Error>>> {
        if messages.iter().any(|(_, input)| input.reading() != InputReuse::Again) {
            return None;
        }
        let algorithm = self.algorithm();
        let keys = [(algorithm, self.key.key_hash())];
        let mut attempts: Vec<_> = messages.iter().map(|_| [vec![Attempt::EMPTY]]).collect();
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
        let mut signatures = sign_many(&self.key, to_sign, work)?.into_iter();
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
                    let written = self.written(form, signature, message, (*input).name(), work);
                    written.map(|(file, yes)| SignatureContents { file, yes, bytes })
                }
                None => Err(no_attempt()),
            });
        }
        Some(all)
    }

    /// Returns the attempts for an input that can be read only once. If the scheme hashes a nonce,
    /// there are several attempts with different nonces, because an attempt can fail.
    fn attempts(&self) -> Vec<Attempt> {
        let count = match self.algorithm() {
            algorithm if !algorithm.scheme().hashes_nonce() => 1,
            algorithm if algorithm.is_toy() => TOY_STREAM_ATTEMPTS,
            _ => Attempt::OF_STREAM,
        };
        (0..count).map(|_| Attempt::EMPTY).collect()
    }

    /// Returns signature file contents, and the evidence that they were verified. `name` is the
    /// message's name.
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
        let yes = self.verify_again(&file, message.as_ref(), work)?;
        Ok((file, yes))
    }

    /// Verifies signature file contents before they are written. The library has already verified
    /// the signature. This check starts from the file's bytes. It uses different machine code (of a
    /// neighbouring level; Ed25519 has no levels) and a public key that was expanded from its
    /// encoding, so a single fault cannot affect both checks.
    ///
    /// # Errors
    /// The signature does not verify, because of a fault.
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
        self.check.verified(message, &signature, work).map(Evidence::of).map_err(|_| withheld())
    }

    /// Returns the level for signing.
    pub fn level(&self) -> Level {
        self.key.level()
    }

    /// Returns the key's algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.key.algorithm()
    }

    /// Returns the public key's encoding.
    pub fn public(&self) -> &[u8] {
        &self.private.public
    }

    /// Returns the public key's fingerprint.
    pub fn fingerprint(&self) -> &str {
        &self.private.fingerprint
    }
}

/// Signs one input with each of the keys, and returns verified contents for the signature files.
/// The input is usually read once. With a single key whose scheme hashes a nonce, an input that can
/// be read again is read once for each attempt. `work` is reused by later calls.
///
/// # Errors
/// The input cannot be read, a scheme does not support the form, or signing fails.
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
        [one] => one.algorithm().scheme().hashes_nonce() && input.reading() == InputReuse::Again,
        _ => false,
    };
    for _ in 0..if again { Attempt::ENOUGH } else { 1 } {
        let mut attempts = Vec::with_capacity(signers.len());
        let mut keys = Vec::with_capacity(signers.len());
        for signer in signers {
            attempts.push(if again { vec![Attempt::EMPTY] } else { signer.attempts() });
            keys.push((signer.algorithm(), signer.key.key_hash()));
        }
        let level = signers.first().map_or_else(Level::detect, |signer| signer.level());
        let (messages, bytes) = form.to_sign(level, &keys, &mut attempts, input)?;
        let mut made = Vec::with_capacity(signers.len());
        for (signer, message) in signers.iter().zip(messages) {
            let hashed = message.hashed();
            let signature = sign_once(&signer.key, message, signer.randomness, work)?;
            made.extend(signature.map(|signature| (hashed, signature)));
        }
        if made.len() < signers.len() {
            continue;
        }
        let mut each = Vec::with_capacity(signers.len());
        for ((signer, (hashed, signature)), attempts) in signers.iter().zip(made).zip(&attempts) {
            let scheme = signer.algorithm().scheme();
            let message = hashed.or_else(|| HashedMessage::of_attempt(scheme, attempts, &signature));
            let (file, yes) = signer.written(form, signature, message, input.name(), work)?;
            each.push(SignatureContents { file, yes, bytes });
        }
        return Ok(each);
    }
    Err(no_attempt())
}

/// Prepares a private key for many signatures.
///
/// # Errors
/// Errors are only possible if there is a bug.
pub fn expand(private: &LoadedPrivateKey<'_>, level: Level) -> Result<Box<ExpandedSigningKey>, Error> {
    let mut work = vec![0; private.key.algorithm().sign_work_len()];
    let expanded = private.key.expand(level, &mut work).map_err(|e| Error::Internal(e.to_string()));
    secrecy::protect_new_memory();
    expanded
}

/// Makes a signature, which the library verifies. The message was hashed for a limited number of
/// attempts. Returns `None` if all these attempts fail.
///
/// # Errors
/// The system cannot provide randomness, or a fault was detected.
pub fn sign_once<'m>(
    key: &ExpandedSigningKey,
    message: impl Into<MessageToSign<'m>>,
    randomness: Randomness,
    work: &mut Vec<u8>,
) -> Result<Option<Vec<u8>>, Error> {
    let mut signature = vec![0; key.algorithm().signature_len()];
    work.resize(work.len().max(key.algorithm().sign_expanded_work_len()), 0);
    let made = match randomness {
        Randomness::Fresh => key.sign(message, &mut SystemRng, &mut signature, work).map_err(refused),
        Randomness::Absent => key.sign_deterministic(message, &mut signature, work).map_err(refused),
    };
    match made {
        Ok(()) => Ok(Some(signature)),
        Err(None) => Ok(None),
        Err(Some(e)) => Err(e),
    }
}

/// Signs several messages together. The library verifies the signatures. Returns `None` if any
/// signature could not be made.
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

/// Returns the error for a message if all attempts failed.
fn no_attempt() -> Error {
    Error::Internal(SignError::<RandomnessError>::Attempts.to_string())
}

/// Converts a signing error. Returns `None` for `Attempts`, because the caller may retry.
fn refused<R: std::fmt::Display>(e: SignError<R>) -> Option<Error> {
    if matches!(e, SignError::Attempts) { None } else { Some(Error::of_signing(e)) }
}
