//! Signs files with one or several private keys.

use super::key_signer::{KeySigner, SignatureContents, SignatureFromElsewhere, sign_with_each};
use crate::tool::io::{Input, MemoryInput};
use crate::tool::keys::loader::LoadedPrivateKey;
use crate::tool::message::form::{InputKind, MessageForm};
use crate::tool::message::separate::covered_input;
use crate::tool::report::{Error, MAX_SIGNATURES, ResultEntry};
use fndsa::algorithm::SignatureEncoding;
use fndsa::files::Format;
use fndsa::no_alloc::Level;
use fndsa::verdict::PublicKey;
use fndsa::verdict::envelope::{CoveredBytes, DetachedSignatures, EnvelopeWriter, NewSignature};
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt::Display;

/// The private keys and the options of `sign`. Each key signs every file.
pub struct Signer<'a> {
    form: MessageForm,
    /// The keys, at least one.
    keys: Vec<KeySigner<'a>>,
}

impl<'a> Signer<'a> {
    /// Prepares keys to sign messages in a form (the context, the pre-hash and the kind of input).
    /// `encoding` is the requested signature encoding, or `None` for the default.
    ///
    /// # Errors
    /// Fails if there are too many keys for a signature file, if two keys are equal, or if a scheme
    /// does not support the form. Also fails if an encoding is given for a scheme with a single
    /// encoding, or if several keys should sign a mu, because a mu belongs to a single key.
    pub fn new(
        private: &'a [LoadedPrivateKey<'a>],
        level: Level,
        form: MessageForm,
        format: Format,
        encoding: Option<SignatureEncoding>,
    ) -> Result<Self, Error> {
        if private.len() > MAX_SIGNATURES {
            return Err(Error::TooManyKeys(private.len()));
        }
        if private.len() > 1 {
            let mut identities = BTreeSet::new();
            for LoadedPrivateKey { key, fingerprint, .. } in private {
                if !identities.insert((key.algorithm().id(), fingerprint)) {
                    return Err(Error::KeyTwice(fingerprint.clone()));
                }
            }
            if form.input == InputKind::Mu {
                return Err(Error::OneKey("--mu"));
            }
        }
        let mut keys = Vec::with_capacity(private.len());
        for private in private {
            keys.push(KeySigner::new(private, level, &form, format, encoding)?);
        }
        Ok(Self { form, keys })
    }

    /// Creates a signer from a signature by a different program, instead of a private key.
    ///
    /// # Errors
    /// Fails if the scheme does not support the form, or if it hashes a nonce before the message.
    pub fn of_signature(
        public: &'a PublicKey,
        signature: SignatureFromElsewhere,
        level: Level,
        form: MessageForm,
        format: Format,
    ) -> Result<Self, Error> {
        let key = KeySigner::of_signature(public, signature, level, &form, format)?;
        Ok(Self { form, keys: vec![key] })
    }

    /// Makes all later signatures deterministic.
    ///
    /// # Errors
    /// Fails if a scheme does not support deterministic signatures.
    pub fn deterministic(self) -> Result<Self, Error> {
        let mut keys = Vec::with_capacity(self.keys.len());
        for key in self.keys {
            keys.push(key.deterministic()?);
        }
        Ok(Self { keys, ..self })
    }

    /// Signs an input with all keys, and returns verified contents for a signature file. `work` is
    /// a buffer that later calls can reuse.
    ///
    /// # Errors
    /// Fails if the input cannot be read, or if signing fails.
    pub fn sign(&self, work: &mut Vec<u8>, input: &mut dyn Input) -> Result<SignatureContents, Error> {
        self.sign_with(&self.form, work, input)
    }

    fn sign_with(
        &self,
        form: &MessageForm,
        work: &mut Vec<u8>,
        input: &mut dyn Input,
    ) -> Result<SignatureContents, Error> {
        let signers: Vec<_> = self.keys.iter().collect();
        let contents = sign_with_each(&signers, form, work, input)?;
        self.sealed(&DetachedSignatures, &CoveredBytes::SeparateFile, &contents)
    }

    /// Signs several inputs, each in its own form, and returns the results in input order. If there
    /// is a single key, the library signs the inputs together if possible, because this is faster.
    pub fn sign_together(
        &self,
        work: &mut Vec<u8>,
        messages: &mut [(&MessageForm, &mut dyn Input)],
    ) -> Vec<Result<SignatureContents, Error>> {
        if let [key] = &self.keys[..] {
            return key.sign_together(work, messages);
        }
        let mut all = Vec::with_capacity(messages.len());
        for (form, input) in messages {
            all.push(self.sign_with(form, work, *input));
        }
        all
    }

    /// Signs a separate message in a format that does not contain the message. `covered` defines
    /// the bytes that the signatures cover. `work` is a buffer that later calls can reuse.
    ///
    /// # Errors
    /// Fails if the input cannot be read, or if signing fails.
    pub fn sign_separate(
        &self,
        work: &mut Vec<u8>,
        format: &dyn EnvelopeWriter,
        covered: CoveredBytes<'static>,
        input: &mut dyn Input,
    ) -> Result<SignatureContents, Error> {
        let signers: Vec<_> = self.keys.iter().collect();
        let mut input = covered_input(&covered, self.level(), Box::new(input))?;
        let contents = sign_with_each(&signers, &self.form, work, &mut *input)?;
        let covered = covered.with_digest(input.digest());
        self.sealed(format, &covered, &contents)
    }

    /// Signs the bytes that an envelope covers, and returns the envelope's contents. Each key
    /// signs the encoding of the message that the format defines for the key's scheme. `work` is a
    /// buffer that later calls can reuse. `name` is the message's name in errors.
    ///
    /// # Errors
    /// Fails if signing fails.
    pub fn sign_envelope(
        &self,
        work: &mut Vec<u8>,
        format: &dyn EnvelopeWriter,
        covered: &CoveredBytes<'_>,
        name: &dyn Display,
    ) -> Result<SignatureContents, Error> {
        let (_, message) = covered.enclosed().unwrap_or_default();
        let mut contents = Vec::with_capacity(self.keys.len());
        contents.resize_with(self.keys.len(), || None);
        for (form, bytes) in covered.forms() {
            let mut numbers = Vec::with_capacity(self.keys.len());
            let mut signers = Vec::with_capacity(self.keys.len());
            for (number, key) in self.keys.iter().enumerate() {
                if format.form(key.algorithm().scheme()) == form {
                    numbers.push(number);
                    signers.push(key);
                }
            }
            if signers.is_empty() {
                continue;
            }
            let signed = sign_with_each(&signers, &self.form, work, &mut MemoryInput::encoded(name, bytes))?;
            for (number, signed) in numbers.into_iter().zip(signed) {
                contents[number] = Some(signed);
            }
        }
        let contents: Option<Vec<_>> = contents.into_iter().collect();
        let Some(contents) = contents else {
            return Err(Error::Internal("a key without a form of the message".to_owned()));
        };
        let mut envelope = self.sealed(format, covered, &contents)?;
        envelope.bytes = message.len() as u64;
        Ok(envelope)
    }

    /// Encodes the signatures by all keys as an envelope or a signature file, and opens the result
    /// to make sure that it can be read.
    fn sealed(
        &self,
        format: &dyn EnvelopeWriter,
        covered: &CoveredBytes<'_>,
        contents: &[SignatureContents],
    ) -> Result<SignatureContents, Error> {
        let mut signatures = Vec::with_capacity(contents.len());
        for (key, signed) in self.keys.iter().zip(contents) {
            signatures.push(NewSignature::new(key.algorithm(), key.public(), key.fingerprint(), signed.file()?));
        }
        let (file, is_readable) = format.seal(covered, &signatures);
        Ok(SignatureContents::enclosed(contents, file, is_readable))
    }

    /// Returns the form in which [`Self::sign`] signs an input.
    pub fn form(&self) -> &MessageForm {
        &self.form
    }

    /// Returns the keys' fingerprints.
    pub fn fingerprints(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(KeySigner::fingerprint)
    }

    /// Returns the algorithms and fingerprints of the keys, as text.
    pub fn names(&self) -> String {
        let names: Vec<_> = self.keys.iter().map(|key| format!("{} {}", key.algorithm(), key.fingerprint())).collect();
        names.join("; ")
    }

    /// Returns the level (instruction set) that is used to sign.
    pub fn level(&self) -> Level {
        match self.keys.first() {
            Some(key) => key.level(),
            None => Level::detect(),
        }
    }

    /// Adds the keys, the context and the pre-hash to a result. `format` is the format of the
    /// output file.
    pub fn describe(&self, entry: ResultEntry, format: &dyn EnvelopeWriter) -> ResultEntry {
        self.form.describe(self.describe_keys(entry, format))
    }

    /// Adds the keys to a JSON result: the first key as the members `algorithm` and `key`, and
    /// several keys also as the member `keys`. If `format` defines several encodings of the
    /// message, the member `form` names the encoding that a key signs.
    pub fn describe_keys(&self, entry: ResultEntry, format: &dyn EnvelopeWriter) -> ResultEntry {
        let Some(first) = self.keys.first() else { return entry };
        let mut entry = entry.algorithm(first.algorithm()).key(first.fingerprint());
        if let Some(form) = format.form(first.algorithm().scheme()) {
            entry = entry.set("form", json!(form));
        }
        if self.keys.len() == 1 {
            return entry;
        }
        let mut values = Vec::with_capacity(self.keys.len());
        for key in &self.keys {
            let mut value = json!({ "algorithm": key.algorithm().to_string(), "fingerprint": key.fingerprint() });
            if let Some(form) = format.form(key.algorithm().scheme()) {
                value["form"] = json!(form);
            }
            values.push(value);
        }
        entry.set("keys", values.into())
    }
}
