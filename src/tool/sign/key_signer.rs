//! Signs with a key: hashes, signs, and verifies each signature before it is written.

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

/// A key with all data for signing.
pub struct KeySigner<'a> {
    algorithm: Algorithm,
    /// The encoding of the public key.
    public: &'a [u8],
    fingerprint: &'a str,
    key_hash: KeyHash,
    level: Level,
    maker: SignatureMaker,
    /// The public key on the neighbouring level, for the second verification of each signature.
    check: Box<ExpandedVerifyingKey>,
    format: Format,
    encoding: SignatureEncoding,
}

/// The origin of signatures.
enum SignatureMaker {
    /// A private key makes the signatures.
    PrivateKey { key: Box<ExpandedSigningKey>, randomness: Randomness },
    /// Another program has made the signature of the only message.
    Elsewhere(SignatureFromElsewhere),
}

/// A signature that another program has made, for example a key management service.
pub struct SignatureFromElsewhere {
    /// The signature in raw encoding.
    pub signature: Vec<u8>,
    /// The name of the file with the signature, for messages.
    pub from: String,
    /// The name of the format with its article, if the signature covers other bytes than the file.
    pub format: Option<&'static str>,
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
        let mut all = Vec::with_capacity(each.len() + 1);
        for signed in each {
            all.push(signed.yes);
        }
        all.push(reads_back);
        let bytes = match each.first() {
            Some(signed) => signed.bytes,
            None => 0,
        };
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

    /// Prepares a signature that another program has made with the private key of `public`. The
    /// signature is verified before it is written.
    ///
    /// # Errors
    /// The scheme does not support the form, or hashes a nonce before the message.
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

    /// Creates a signer that writes signatures in the padded encoding.
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

    /// Disables randomness for all later signatures.
    ///
    /// # Errors
    /// The scheme does not support this.
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

    /// Makes the signature of a message. Returns `None` if all attempts fail. `hashed` is the same
    /// message, to verify the signature of another program.
    ///
    /// # Errors
    /// The system cannot provide randomness, a fault was detected, or the signature of another
    /// program does not match. `name` is the message's name.
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

    /// Signs one input.
    fn sign_alone(
        &self,
        work: &mut Vec<u8>,
        form: &MessageForm,
        input: &mut dyn Input,
    ) -> Result<SignatureContents, Error> {
        let mut each = sign_with_each(&[self], form, work, input)?;
        match each.pop() {
            Some(signed) => Ok(signed),
            None => Err(Error::Internal("no signature".to_owned())),
        }
    }

    /// Hashes an input. Returns the mu and the number of bytes read.
    fn mu(&self, form: &MessageForm, input: &mut dyn Input) -> Result<(Mu, u64), Error> {
        form.check(self.algorithm())?;
        form.mu(self.level, self.algorithm, &self.key_hash, input)
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
        let hashed = HashedMessage::from(mu);
        let signature = match together {
            Some(signature) => Some(signature),
            None => self.make(MessageToSign::from(&mu), Some(&hashed), name, work)?,
        };
        let Some(signature) = signature else { return Err(no_attempt()) };
        let (file, yes) = self.written(form, signature, Some(hashed), name, work)?;
        Ok(SignatureContents { file, yes, bytes })
    }

    /// Signs as [`Self::sign_together`] does, for a scheme that hashes a nonce before the message.
    /// Returns `None` if an input cannot be read again, or if signing together failed. The caller
    /// then signs each input alone, from its start.
    fn sign_with_nonces(
        &self,
        key: &ExpandedSigningKey,
        work: &mut Vec<u8>,
        messages: &mut [(&MessageForm, &mut dyn Input)],
    ) -> Option<Vec<Result<SignatureContents, Error>>> {
        let mut attempts = Vec::with_capacity(messages.len());
        for (_, input) in messages.iter() {
            if input.reading() != InputReuse::Again {
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
                        Ok((file, yes)) => Ok(SignatureContents { file, yes, bytes }),
                        Err(e) => Err(e),
                    }
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
        let mut attempts = Vec::with_capacity(count);
        attempts.resize_with(count, || Attempt::EMPTY);
        attempts
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
        match self.check.verified(message, &signature, work) {
            Ok(verified) => Ok(Evidence::of(verified)),
            Err(_) => Err(withheld()),
        }
    }

    /// Returns the level for signing.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Returns the key's algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Returns the public key's encoding.
    pub fn public(&self) -> &'a [u8] {
        self.public
    }

    /// Returns the public key's fingerprint.
    pub fn fingerprint(&self) -> &'a str {
        self.fingerprint
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
            keys.push((signer.algorithm(), signer.key_hash));
        }
        let level = match signers {
            [first, ..] => first.level(),
            [] => Level::detect(),
        };
        let (messages, bytes) = form.to_sign(level, &keys, &mut attempts, input)?;
        let mut made = Vec::with_capacity(signers.len());
        for (signer, message) in signers.iter().zip(messages) {
            let hashed = message.hashed();
            if let Some(signature) = signer.make(message, hashed.as_ref(), input.name(), work)? {
                made.push((hashed, signature));
            }
        }
        if made.len() < signers.len() {
            continue;
        }
        let mut each = Vec::with_capacity(signers.len());
        for ((signer, (hashed, signature)), attempts) in signers.iter().zip(made).zip(&attempts) {
            let message = match hashed {
                Some(hashed) => Some(hashed),
                None => HashedMessage::of_attempt(signer.algorithm().scheme(), attempts, &signature),
            };
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
    let is_made = match randomness {
        Randomness::Fresh => was_made(key.sign(message, &mut SystemRng, &mut signature, work))?,
        Randomness::Absent => was_made(key.sign_deterministic(message, &mut signature, work))?,
    };
    Ok(if is_made { Some(signature) } else { None })
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

/// Returns whether a signature was made. `Attempts` is not an error here, because the caller may
/// retry.
fn was_made<R: Display>(signed: Result<(), SignError<R>>) -> Result<bool, Error> {
    match signed {
        Ok(()) => Ok(true),
        Err(SignError::Attempts) => Ok(false),
        Err(e) => Err(Error::of_signing(e)),
    }
}
