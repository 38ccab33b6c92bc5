//! One private key that signs: hashing, signing, and the second look at each signature before it has a name.

use crate::tool::io::random::{NoRandomness, SystemRng};
use crate::tool::io::{Input, Reading, secrecy};
use crate::tool::keys::loader::Private;
use crate::tool::keys::recode::recode;
use crate::tool::message::form::MessageForm;
use crate::tool::report::{Error, Evidence};
use fndsa::Algorithm;
use fndsa::algorithm::SignatureEncoding;
use fndsa::batch::ExpandedSigningKey;
use fndsa::error::SignError;
use fndsa::files::{self, Accept, Format, Kind, Stored};
use fndsa::message::Mu;
use fndsa::no_alloc::{Attempt, HashedMessage, Level, MessageToSign, VerifyingKeyRef};
use fndsa::verdict::signature_note::line;
use std::fmt::Display;
use zeroize::Zeroizing;

/// A private key that is ready to sign.
pub struct KeySigner<'a> {
    private: &'a Private<'a>,
    key: Box<ExpandedSigningKey>,
    format: Format,
    encoding: SignatureEncoding,
    randomness: Randomness,
}

/// What signatures are made with beside the key and the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Randomness {
    /// Bytes of the system.
    Fresh,
    /// None: the deterministic variant of ML-DSA.
    Absent,
}

/// The contents of a signature file.
pub struct Signed {
    file: Zeroizing<Vec<u8>>,
    /// The YES of the verification of these contents.
    yes: Evidence,
    /// How many bytes were signed.
    pub bytes: u64,
}

impl Signed {
    /// Takes an envelope with the signatures of one input by one key or several, and the evidence that the signatures can be read there. An
    /// envelope without a signature is withheld.
    pub fn enclosed(each: &[Self], file: Vec<u8>, reads_back: Evidence) -> Self {
        let all: Vec<_> = each.iter().map(|signed| signed.yes).chain([reads_back]).collect();
        let bytes = each.first().map_or(0, |signed| signed.bytes);
        Self { file: Zeroizing::new(file), yes: Evidence::of_all(&all, each.len().max(1) + 1), bytes }
    }

    /// Returns the contents of the file, if the signature verifies. Asked where the file is written: a signature that
    /// comes there by a fault has no YES.
    ///
    /// # Errors
    /// The machine errs.
    pub fn file(&self) -> Result<&[u8], Error> {
        if self.yes.holds() { Ok(&self.file) } else { Err(withheld()) }
    }

    /// Returns the YES of the verification of the contents.
    pub fn yes(&self) -> Evidence {
        self.yes
    }
}

/// Returns the error of a signature that does not verify.
fn withheld() -> Error {
    Error::of_signing(SignError::<NoRandomness>::SelfCheck)
}

/// Nonces that a stream is hashed with at toy degrees, where attempts fail often: the library uses no more than these.
const TOY_STREAM_ATTEMPTS: usize = 27;

impl<'a> KeySigner<'a> {
    /// Prepares a key for messages of one form and files of one form. `encoding` is that of signatures, where one is
    /// asked for.
    ///
    /// # Errors
    /// The scheme has no messages of that form, or no encodings to choose from.
    pub fn new(
        private: &'a Private<'a>,
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
        Ok(Self { private, key: expand(private, level)?, format, encoding, randomness: Randomness::Fresh })
    }

    /// Makes signatures without randomness from now on.
    ///
    /// # Errors
    /// The scheme makes none.
    pub fn deterministic(self) -> Result<Self, Error> {
        let scheme = self.algorithm().scheme();
        if !scheme.can_sign_deterministically() {
            return Err(Error::NotDeterministic(scheme));
        }
        Ok(Self { randomness: Randomness::Absent, ..self })
    }

    /// Signs several inputs, each with its own context and pre-hash. Results keep the order. The library signs them together,
    /// which is faster, so all results come at the same time.
    pub fn sign_together(
        &self,
        work: &mut Vec<u8>,
        messages: &mut [(&MessageForm, &mut dyn Input)],
    ) -> Vec<Result<Signed, Error>> {
        let algorithm = self.algorithm();
        let scheme = algorithm.scheme();
        let is_alone = messages.len() == 1 || self.randomness == Randomness::Absent;
        if !is_alone
            && scheme.hashes_nonce()
            && let Some(signed) = self.sign_behind_nonces(work, messages)
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
    fn sign_alone(&self, work: &mut Vec<u8>, form: &MessageForm, input: &mut dyn Input) -> Result<Signed, Error> {
        let mut each = sign_with_each(std::slice::from_ref(self), form, work, input)?;
        each.pop().ok_or_else(|| Error::Internal("no signature".to_owned()))
    }

    /// Hashes an input. Returns the mu and the number of bytes read.
    fn mu(&self, form: &MessageForm, input: &mut dyn Input) -> Result<(Mu, u64), Error> {
        form.check(self.algorithm())?;
        form.mu(self.key.level(), self.algorithm(), &self.key.key_hash(), input)
    }

    /// Writes the signature of a mu. If the library has not made it with the others, it is made alone, with its own error.
    fn sign_mu(
        &self,
        work: &mut Vec<u8>,
        (mu, bytes): (Mu, u64),
        together: Option<Vec<u8>>,
        form: &MessageForm,
        name: &dyn Display,
    ) -> Result<Signed, Error> {
        let signature = match together {
            Some(signature) => Some(signature),
            None => sign_once(&self.key, &mu, self.randomness, work)?,
        };
        let signature = signature.ok_or_else(no_attempt)?;
        let (file, yes) = self.written(form, signature, Some(HashedMessage::from(mu)), name, work)?;
        Ok(Signed { file, yes, bytes })
    }

    /// Signs as [`Self::sign_together`] does, in a scheme that hashes a message behind a nonce. Returns `None` if inputs cannot be
    /// read again, or what could be read was not signed together: then each is signed alone, from its beginning.
    fn sign_behind_nonces(
        &self,
        work: &mut Vec<u8>,
        messages: &mut [(&MessageForm, &mut dyn Input)],
    ) -> Option<Vec<Result<Signed, Error>>> {
        if messages.iter().any(|(_, input)| input.reading() != Reading::Again) {
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
                    written.map(|(file, yes)| Signed { file, yes, bytes })
                }
                None => Err(no_attempt()),
            });
        }
        Some(all)
    }

    /// Returns with how many nonces an input is hashed that is read once.
    fn attempts(&self) -> Vec<Attempt> {
        let count = match self.algorithm() {
            algorithm if !algorithm.scheme().hashes_nonce() => 1,
            algorithm if algorithm.is_toy() => TOY_STREAM_ATTEMPTS,
            _ => Attempt::OF_STREAM,
        };
        (0..count).map(|_| Attempt::EMPTY).collect()
    }

    /// Returns the contents of the file of a signature, and the YES of their verification. `name` is that of the message.
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
        let file = files::write(Kind::Signature, algorithm, self.format, &note, &signature).map_err(Error::Write)?;
        let yes = self.look_again(&file, message.as_ref(), work)?;
        Ok((file, yes))
    }

    /// Verifies the contents of a signature file before it has a name. The library has verified the signature; this is
    /// from the bytes of the file, with the encoded public key and by other machine code, that of the level that every
    /// CPU has: one fault cannot spoil both.
    ///
    /// # Errors
    /// The signature does not verify: the machine errs.
    fn look_again(&self, file: &[u8], message: Option<&HashedMessage>, work: &mut Vec<u8>) -> Result<Evidence, Error> {
        let algorithm = self.algorithm();
        let accept = Accept { algorithm: Some(algorithm), allow_toys: true, ..Accept::default() };
        let read = match files::read(file, &accept) {
            Ok(Stored::Plain(object)) => Some(object.bytes),
            _ => None,
        };
        let key = VerifyingKeyRef::of_algorithm(algorithm, &self.private.public).ok();
        work.resize(work.len().max(self.algorithm().verify_work_len()), 0);
        let (Some(signature), Some(key), Some(message)) = (read, key, message) else {
            return Err(withheld());
        };
        key.verified(Level::EMULATED, message, &signature, work).map(Evidence::of).map_err(|_| withheld())
    }

    /// Returns the level that signs.
    pub fn level(&self) -> Level {
        self.key.level()
    }

    /// Returns the algorithm of the key.
    pub fn algorithm(&self) -> Algorithm {
        self.key.algorithm()
    }

    /// Returns the fingerprint of the public key.
    pub fn fingerprint(&self) -> &str {
        &self.private.fingerprint
    }
}

/// Signs one input with each of the keys, and returns the contents of the signature files, verified. The input is read
/// once, but for one key whose signatures need several attempts. `work` is kept from call to call.
///
/// # Errors
/// The input cannot be read, has not the form that a scheme wants, or signing fails.
pub fn sign_with_each(
    signers: &[KeySigner<'_>],
    form: &MessageForm,
    work: &mut Vec<u8>,
    input: &mut dyn Input,
) -> Result<Vec<Signed>, Error> {
    for signer in signers {
        form.check(signer.algorithm())?;
    }
    let again = match signers {
        [one] => one.algorithm().scheme().hashes_nonce() && input.reading() == Reading::Again,
        _ => false,
    };
    for _ in 0..if again { Attempt::ENOUGH } else { 1 } {
        let mut attempts = Vec::with_capacity(signers.len());
        let mut keys = Vec::with_capacity(signers.len());
        for signer in signers {
            attempts.push(if again { vec![Attempt::EMPTY] } else { signer.attempts() });
            keys.push((signer.algorithm(), signer.key.key_hash()));
        }
        let level = signers.first().map_or_else(Level::detect, KeySigner::level);
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
            each.push(Signed { file, yes, bytes });
        }
        return Ok(each);
    }
    Err(no_attempt())
}

/// Prepares a private key for many signatures.
///
/// # Errors
/// None, unless there is a bug.
pub fn expand(private: &Private<'_>, level: Level) -> Result<Box<ExpandedSigningKey>, Error> {
    let mut work = vec![0; private.key.algorithm().sign_work_len()];
    let expanded = private.key.expand(level, &mut work).map_err(|e| Error::Internal(e.to_string()));
    secrecy::again();
    expanded
}

/// Makes one signature, which the library verifies. Returns `None` if no attempt that the
/// message was hashed for is good.
///
/// # Errors
/// The system has no randomness, or the machine errs.
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

/// Makes signatures of several messages together, which the library verifies; `None` if one of them or all could not be
/// made.
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

/// Returns the error of a message for which no attempt at a signature was good.
fn no_attempt() -> Error {
    Error::Internal(SignError::<NoRandomness>::Attempts.to_string())
}

/// Returns the error of a signature that was not made; `None` where another attempt may make it.
fn refused<R: std::fmt::Display>(e: SignError<R>) -> Option<Error> {
    if matches!(e, SignError::Attempts) { None } else { Some(Error::of_signing(e)) }
}
