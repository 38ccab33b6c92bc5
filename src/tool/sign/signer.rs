//! Signs: one private key or several, and what is common to all files.

use super::key_signer::{KeySigner, Signed, sign_with_each};
use crate::tool::io::{Input, MemoryInput, read_whole};
use crate::tool::keys::loader::Private;
use crate::tool::message::envelope::{Envelope, MAX_PAYLOAD_MEBIBYTES, Pae, PayloadType};
use crate::tool::message::form::{InputKind, MessageForm};
use crate::tool::report::{Entry, Error, MAX_SIGNATURES};
use fndsa::files::Format;
use fndsa::{Level, Scheme, SignatureEncoding};
use serde_json::json;

/// Private keys that are ready to sign, each of them every file, and what all files share.
pub struct Signer<'a> {
    form: MessageForm,
    /// At least one.
    keys: Vec<KeySigner<'a>>,
}

impl<'a> Signer<'a> {
    /// Prepares keys for messages of one form and files of one form. `encoding` is that of signatures, where one is
    /// asked for.
    ///
    /// # Errors
    /// A scheme has no messages of that form, or no encodings to choose from; there are more keys
    /// than a file may have signatures, two keys are the same, or several keys sign what one key
    /// alone can sign.
    pub fn new(
        private: &'a [Private<'a>],
        level: Level,
        form: MessageForm,
        format: Format,
        encoding: Option<SignatureEncoding>,
    ) -> Result<Self, Error> {
        if private.len() > MAX_SIGNATURES {
            return Err(Error::TooManyKeys(private.len()));
        }
        if private.len() > 1 {
            let name = |private: &Private<'_>| (private.key.algorithm(), private.fingerprint.clone());
            let is_known = |i: usize| private[..i].iter().any(|before| name(before) == name(&private[i]));
            if let Some(twice) = (1..private.len()).find(|i| is_known(*i)) {
                return Err(Error::KeyTwice(private[twice].fingerprint.clone()));
            }
            if form.input == InputKind::Mu {
                return Err(Error::OneKey("--mu"));
            }
        }
        let keys = private.iter().map(|private| KeySigner::new(private, level, &form, format, encoding));
        let keys = keys.collect::<Result<Vec<_>, _>>()?;
        Ok(Self { form, keys })
    }

    /// Makes signatures without randomness from now on.
    ///
    /// # Errors
    /// A scheme makes none.
    pub fn deterministic(self) -> Result<Self, Error> {
        let keys = self.keys.into_iter().map(KeySigner::deterministic).collect::<Result<_, _>>()?;
        Ok(Self { keys, ..self })
    }

    /// Signs an input, and returns the contents of a signature file, verified. `work` is kept from call to call.
    ///
    /// # Errors
    /// The input cannot be read, or signing fails.
    pub fn sign(&self, work: &mut Vec<u8>, input: &mut dyn Input) -> Result<Signed, Error> {
        sign_with_each(&self.keys, &self.form, work, input).map(|each| Signed::joined(&each))
    }

    /// Signs inputs of which each has its form, and returns the same for each, in order. Where there is one key whose
    /// scheme has a mu, the library signs them together, which takes less time; so none is ready before all are.
    pub fn sign_together(
        &self,
        work: &mut Vec<u8>,
        messages: &mut [(&MessageForm, &mut dyn Input)],
    ) -> Vec<Result<Signed, Error>> {
        if let [one] = &self.keys[..] {
            return one.sign_together(work, messages);
        }
        let signed = |(form, input): &mut (&MessageForm, &mut dyn Input)| {
            sign_with_each(&self.keys, form, work, *input).map(|each| Signed::joined(&each))
        };
        messages.iter_mut().map(signed).collect()
    }

    /// Checks that all keys are of schemes whose signatures stand in envelopes.
    ///
    /// # Errors
    /// One is not.
    pub fn may_sign_envelopes(&self) -> Result<(), Error> {
        let classic = self.keys.iter().map(|key| key.algorithm().scheme()).find(|scheme| *scheme == Scheme::Ed25519);
        classic.map_or(Ok(()), |scheme| Err(Error::NoEnvelope(scheme)))
    }

    /// Signs an input as the payload of a DSSE envelope, and returns the contents of the envelope. Range: the signer makes raw
    /// signatures. `work` is kept from call to call.
    ///
    /// # Errors
    /// The input cannot be read or is too large, or signing fails.
    pub fn sign_envelope(
        &self,
        work: &mut Vec<u8>,
        payload_type: &PayloadType,
        input: &mut dyn Input,
    ) -> Result<Signed, Error> {
        let signed = Pae::new(payload_type, read_whole(input, MAX_PAYLOAD_MEBIBYTES)?);
        let mut message = MemoryInput::encoded(input.name(), signed.as_bytes());
        let each = sign_with_each(&self.keys, &self.form, work, &mut message)?;
        let files = each.iter().map(Signed::file).collect::<Result<Vec<_>, _>>()?;
        let signatures: Vec<_> = self.fingerprints().zip(files).collect();
        let (file, reads_back) = Envelope::write(payload_type, signed.payload(), &signatures);
        Ok(Signed::enclosed(&each, file, reads_back, signed.payload().len() as u64))
    }

    /// Returns the form of the messages that [`Self::sign`] takes.
    pub fn form(&self) -> &MessageForm {
        &self.form
    }

    /// Returns the fingerprints of the keys.
    pub fn fingerprints(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(KeySigner::fingerprint)
    }

    /// Returns algorithms and fingerprints, as people are told.
    pub fn names(&self) -> String {
        let names: Vec<_> = self.keys.iter().map(|key| format!("{} {}", key.algorithm(), key.fingerprint())).collect();
        names.join("; ")
    }

    /// Returns the level that signs.
    pub fn level(&self) -> Level {
        self.keys.first().map_or_else(Level::detect, KeySigner::level)
    }

    /// Adds keys, context and pre-hash to a result.
    pub fn describe(&self, entry: Entry) -> Entry {
        self.form.describe(self.describe_keys(entry))
    }

    /// Adds the keys to a result: the first of several also as the one key.
    pub fn describe_keys(&self, entry: Entry) -> Entry {
        let Some(first) = self.keys.first() else { return entry };
        let entry = entry.algorithm(first.algorithm()).key(first.fingerprint());
        let value =
            |key: &KeySigner<'_>| json!({ "algorithm": key.algorithm().to_string(), "fingerprint": key.fingerprint() });
        if self.keys.len() == 1 { entry } else { entry.set("keys", self.keys.iter().map(value).collect()) }
    }
}
