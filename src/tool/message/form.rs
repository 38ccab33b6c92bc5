//! Defines [`MessageForm`]: the context, the pre-hash, and whether the input is a message, a digest
//! or a mu. A mu is a 64-byte digest over the public key, the context and the message, which ML-DSA
//! and FN-DSA sign. The functions hash an input for the signers in `tool::sign` and for `Verifier`.

use super::dsse::{PAE_BEGIN, TAP21_BEGIN};
use crate::tool::io::random::SystemRng;
use crate::tool::io::{Input, drain};
use crate::tool::keys::loader::AllowWeak;
use crate::tool::report::{Error, ResultEntry};
use crate::tool::system;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use fndsa::algorithm::{KEY_HASH_LEN, MU_LEN, PreHash};
use fndsa::error::MessageError;
use fndsa::files::cms::begins_like_attributes;
use fndsa::files::hex::{exactly, hex};
use fndsa::files::ssh::SSHSIG_BEGIN;
use fndsa::files::x509::SignedPartDetector;
use fndsa::message::{KeyHash, MessageDigest, Mu, MuBuilder, PreHasher};
use fndsa::no_alloc::{Attempt, HashedMessage, Level, MessageToSign, SigningHasher, UnhashedMessage, VerifyingHasher};
use fndsa::verdict::NoteForm;
use fndsa::verdict::signature_note::context_text;
use fndsa::{Algorithm, Options};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use zeroize::Zeroizing;

/// The value of `--prehash` for signatures without a pre-hash. Results in JSON contain this value.
pub const NO_PREHASH: &str = "none";

/// The first bytes of pre-images, which fndsa refuses to sign. Some formats do not sign the message
/// itself: they sign a pre-image, which contains the message with its type or namespace. If an
/// attacker supplies a pre-image as a file to sign, the signature for this file is also valid for
/// the document in the pre-image. An entry contains the first bytes, the format that signs the
/// pre-image, and the first part of the hint.
const PREIMAGES: [(&str, &str, &str); 4] = [
    (PAE_BEGIN, "a DSSE envelope", WITH_DSSE),
    (TAP21_BEGIN, "a DSSE envelope or TUF metadata", WITH_DSSE),
    (SSHSIG_BEGIN, "an SSH signature", ""),
    (COMPOSITE_BEGIN, "a composite signature", ""),
];
/// The entry for JSON Web Signatures. Their pre-images do not all begin with the same bytes, so
/// [`begins_like_jws`] detects them.
const JWS_PREIMAGE: (&str, &str, &str) = ("eyJ", "a JSON Web Signature", "");
/// The first part of the hint for a pre-image of a DSSE envelope.
const WITH_DSSE: &str = "sign the payload with --dsse TYPE, or ";
/// The first bytes that both halves of a composite signature cover.
const COMPOSITE_BEGIN: &str = "CompositeAlgorithmSignatures2025";
/// The length in bytes of the longest prefix in `PREIMAGES`.
const PREIMAGE_LEN: usize = COMPOSITE_BEGIN.len();

/// The maximum size, in MiB, of a message that must be kept in memory for signing.
const MAX_KEPT_MEBIBYTES: usize = 256;

/// The content of an input: a message, a digest or a mu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// A message that is signed without a pre-hash.
    Message,
    /// A message that fndsa hashes with this pre-hash. The signatures cover the digest.
    ToHash(PreHash),
    /// The digest of a message, from another program.
    Digest(PreHash),
    /// The mu of a message, from another program.
    Mu,
}

/// How an input is signed: the checked values of `--context`, `--prehash`, `--prehashed`, `--mu`
/// and `--allow-weak`.
#[derive(Clone)]
pub struct MessageForm {
    /// The content of the input.
    pub input: InputKind,
    /// The context, which has at most 255 bytes.
    pub context: Vec<u8>,
    /// Whether the pre-hash may be weaker than the algorithm requires.
    pub weak: AllowWeak,
}

impl MessageForm {
    /// Returns whether signatures cover only the message, without a context and a pre-hash.
    pub fn is_plain(&self) -> bool {
        self.input == InputKind::Message && self.context.is_empty()
    }

    /// Adds the pre-hash to which the keys are bound: a HashML-DSA key signs only with its
    /// pre-hash. `prehashes` contains the pre-hash of each key, or `None` for a key that is not
    /// bound. `is_explicit` is true if the user gave `--prehash`.
    ///
    /// # Errors
    /// Fails if only some keys are bound, if the keys are bound to different pre-hashes, or if the
    /// options request a mu or a pre-hash that is not the keys' pre-hash.
    pub fn bound(self, is_explicit: bool, prehashes: impl IntoIterator<Item = Option<PreHash>>) -> Result<Self, Error> {
        let mut prehashes = prehashes.into_iter();
        let Some(first) = prehashes.next() else { return Ok(self) };
        if !prehashes.all(|other| other == first) {
            return Err(Error::KeyPrehash("one key is bound to a pre-hash, and another key is not".to_owned()));
        }
        match (first, self.input) {
            (None, _) => Ok(self),
            (Some(hash), InputKind::Message) if !is_explicit => Ok(Self { input: InputKind::ToHash(hash), ..self }),
            (Some(hash), InputKind::ToHash(other) | InputKind::Digest(other)) if hash == other => Ok(self),
            (Some(hash), _) => Err(Error::KeyPrehash(format!("the key signs only with the pre-hash {}", hash.name()))),
        }
    }

    /// Returns this form with `context` instead of its own context. If `context` is `None`, returns
    /// this form unchanged.
    pub fn with_context(&self, context: Option<&[u8]>) -> Cow<'_, Self> {
        match context {
            None => Cow::Borrowed(self),
            Some(context) => Cow::Owned(Self { input: self.input, context: context.to_vec(), weak: self.weak }),
        }
    }

    /// Returns the context and the pre-hash for a signature note.
    pub fn noted(&self) -> NoteForm {
        let prehash = match self.input {
            InputKind::Mu => return NoteForm::Mu,
            InputKind::Message => None,
            InputKind::ToHash(hash) | InputKind::Digest(hash) => Some(hash),
        };
        NoteForm::Form { context: self.context.clone(), prehash }
    }

    /// Converts the context and the pre-hash to the library's options.
    fn form(&self) -> Options<'_> {
        let prehash = match self.input {
            InputKind::Message | InputKind::Mu => None,
            InputKind::ToHash(hash) | InputKind::Digest(hash) => Some(hash),
        };
        Options::with_context(&self.context).with_prehash(prehash).with_weak_prehash(self.weak.0)
    }

    /// Checks that an algorithm supports this context, pre-hash and input.
    ///
    /// # Errors
    /// Fails if the scheme does not support the context, the pre-hash or the mu, or if a context is
    /// given with a mu. Without `--allow-weak`, the function also fails if the pre-hash is weaker
    /// than the algorithm.
    pub fn check(&self, algorithm: Algorithm) -> Result<(), Error> {
        let scheme = algorithm.scheme();
        if self.input == InputKind::Mu && !scheme.has_mu() {
            return Err(Error::NoMu(scheme));
        }
        if self.input == InputKind::Mu && !self.context.is_empty() {
            return Err(Error::Request {
                what: "a mu contains its context, so no other context can be given".to_owned(),
            });
        }
        match self.form().check(algorithm) {
            Ok(()) => Ok(()),
            Err(MessageError::NoContext { scheme }) => Err(Error::NoContext(scheme)),
            Err(MessageError::NoPreHash { scheme, hash }) => Err(Error::NoSuchPrehash { scheme, hash: hash.name() }),
            Err(MessageError::WeakPreHash { algorithm, hash }) => {
                Err(Error::WeakPrehash { algorithm, hash: hash.name(), bits: 8 * algorithm.least_digest_len() })
            }
            Err(e) => Err(e.into()),
        }
    }

    /// Computes or reads the digest for a signature with a pre-hash. Also returns the number of
    /// bytes that were read. Without a pre-hash, the input is not read, and the result is `None`.
    fn digest(
        &self,
        level: Level,
        drain: DrainFunction,
        input: &mut dyn Input,
    ) -> Result<Option<(MessageDigest, u64)>, Error> {
        match self.input {
            InputKind::Message | InputKind::Mu => Ok(None),
            InputKind::ToHash(hash) => {
                let mut hasher = PreHasher::new(level, hash)?;
                let bytes = drain(input, &mut |piece| {
                    hasher.update(piece);
                    Ok(())
                })?;
                Ok(Some((hasher.finish(), bytes)))
            }
            InputKind::Digest(hash) => {
                let (digest, bytes) = read_exact(input, hash.digest_len())?;
                Ok(Some((MessageDigest::new(hash, &digest)?, bytes)))
            }
        }
    }

    /// Reads a mu from another program. Also returns the length of the input in bytes.
    fn read_mu(input: &mut dyn Input) -> Result<(Mu, u64), Error> {
        let (mu, bytes) = read_exact(input, MU_LEN)?;
        let Ok(mu) = <[u8; MU_LEN]>::try_from(mu) else {
            return Err(Error::Internal("a mu of wrong length".into()));
        };
        Ok((Mu::from_bytes(mu), bytes))
    }

    /// Computes or reads the mu of an input that will be signed. Reads the input only once. Also
    /// returns the number of bytes that were read. The scheme of `algorithm` must have a mu.
    ///
    /// # Errors
    /// Fails if the input cannot be read, if [`read_to_sign`] rejects it, or if it is not a digest
    /// or mu with the right length.
    pub fn mu(
        &self,
        level: Level,
        algorithm: Algorithm,
        key: &KeyHash,
        input: &mut dyn Input,
    ) -> Result<(Mu, u64), Error> {
        if self.input == InputKind::Mu {
            return Self::read_mu(input);
        }
        if let Some((digest, bytes)) = self.digest(level, read_to_sign, input)? {
            let mu = Mu::of_digest(level, algorithm, key, self.form(), &digest)?;
            return Ok((mu, bytes));
        }
        let mut builder = MuBuilder::pure(level, key, &self.context)?;
        let bytes = read_to_sign(input, &mut |piece| {
            builder.update(piece);
            Ok(())
        })?;
        Ok((builder.finish(), bytes))
    }

    /// Reads the input once, and hashes it for the signature of each key. `attempts` contains a
    /// list for each key, with an element for each signing attempt. For each attempt, the input is
    /// hashed with a separate nonce. Also returns the length of the message in bytes. `attempts`
    /// and `keys` must have the same number of elements. If the input is a mu, there must be a
    /// single key.
    ///
    /// # Errors
    /// Fails if the input cannot be read, if [`read_to_sign`] rejects it, if it is not a digest or
    /// mu with the right length, or if it is too large for a scheme that keeps the message in
    /// memory. Also fails if the system has no randomness.
    pub fn to_sign<'w>(
        &self,
        level: Level,
        keys: &[(Algorithm, KeyHash)],
        attempts: &'w mut [Vec<Attempt>],
        input: &mut dyn Input,
    ) -> Result<(Vec<MessageToSign<'w>>, u64), Error> {
        if self.input == InputKind::Mu {
            let (mu, bytes) = Self::read_mu(input)?;
            return Ok((vec![MessageToSign::from(&mu)], bytes));
        }
        let form = self.form();
        if let Some((digest, bytes)) = self.digest(level, read_to_sign, input)? {
            let digest = UnhashedMessage::digest(form, &digest)?;
            let mut messages = Vec::with_capacity(keys.len());
            for ((algorithm, key), attempts) in keys.iter().zip(attempts) {
                let message = MessageToSign::hash(level, *algorithm, key, digest, attempts, &mut SystemRng);
                messages.push(message.map_err(|e| Error::Internal(e.to_string()))?);
            }
            return Ok((messages, bytes));
        }
        let mut builders = Vec::with_capacity(keys.len());
        for ((algorithm, key), attempts) in keys.iter().zip(attempts) {
            let builder = SigningHasher::new(level, *algorithm, key, form, attempts, &mut SystemRng);
            builders.push(builder.map_err(|e| Error::Internal(e.to_string()))?);
        }
        let keeps_message = keys.iter().any(|(algorithm, _)| algorithm.scheme().keeps_message());
        let most = if keeps_message { MAX_KEPT_MEBIBYTES << 20 } else { usize::MAX };
        let name = input.name().to_string();
        let mut read = 0_usize;
        let bytes = read_to_sign(input, &mut |piece| {
            read = read.saturating_add(piece.len());
            if read > most {
                return Err(Error::MessageTooLarge { from: name.clone(), mebibytes: MAX_KEPT_MEBIBYTES });
            }
            for builder in &mut builders {
                builder.update(piece);
            }
            Ok(())
        })?;
        let mut messages = Vec::with_capacity(builders.len());
        for builder in builders {
            messages.push(builder.finish());
        }
        Ok((messages, bytes))
    }

    /// Reads the input once, and hashes it for each pair of a key and a signature. Also returns the
    /// length of the message in bytes. The hash for a pair is `None` if the key's algorithm cannot
    /// have this signature.
    ///
    /// # Errors
    /// Fails if the input cannot be read, or if it is not a digest or mu with the right length.
    pub fn to_verify(
        &self,
        level: Level,
        keys: &[(Algorithm, KeyHash, &[u8])],
        input: &mut dyn Input,
    ) -> Result<(Vec<Option<HashedMessage>>, u64), Error> {
        if self.input == InputKind::Mu {
            let (mu, bytes) = Self::read_mu(input)?;
            return Ok((vec![Some(HashedMessage::from(mu)); keys.len()], bytes));
        }
        // Returns the values on which a hash depends. If the scheme does not hash the public key,
        // all pairs with the same algorithm and the same signature share a hash.
        fn hashed_with<'s>(
            &(algorithm, key, signature): &(Algorithm, KeyHash, &'s [u8]),
        ) -> (Algorithm, Option<[u8; KEY_HASH_LEN]>, &'s [u8]) {
            let bound_key = if algorithm.scheme().binds_key() { Some(*key.as_bytes()) } else { None };
            (algorithm, bound_key, signature)
        }
        let digest = self.digest(level, read_to_verify, input)?;
        let form = self.form();
        // Maps the values of `hashed_with` to the index of the hash. There may be many thousands of
        // keys, so a search in a list would be slow.
        let mut indices = BTreeMap::new();
        let mut hashed: Vec<Option<HashedMessage>> = Vec::new();
        let mut builders: Vec<Option<VerifyingHasher>> = Vec::new();
        for key in keys {
            let (algorithm, key_hash, signature) = key;
            let Entry::Vacant(index_entry) = indices.entry(hashed_with(key)) else { continue };
            match &digest {
                Some((digest, _)) => {
                    index_entry.insert(hashed.len());
                    hashed.push(HashedMessage::of_digest(level, *algorithm, key_hash, form, digest, signature).ok());
                }
                None => {
                    index_entry.insert(builders.len());
                    builders.push(VerifyingHasher::new(level, *algorithm, key_hash, form, signature).ok());
                }
            }
        }
        let bytes = match digest {
            Some((_, bytes)) => bytes,
            None => drain(input, |piece| {
                for builder in builders.iter_mut().flatten() {
                    builder.update(piece);
                }
            })?,
        };
        for builder in builders {
            hashed.push(builder.map(VerifyingHasher::finish));
        }
        let mut of_keys = Vec::with_capacity(keys.len());
        for key in keys {
            of_keys.push(match indices.get(&hashed_with(key)) {
                Some(index) => hashed[*index].clone(),
                None => None,
            });
        }
        Ok((of_keys, bytes))
    }

    /// Returns the context and the pre-hash as text for messages, for example `no context, no
    /// pre-hash`.
    pub fn words(&self) -> String {
        let prehash = match self.input {
            InputKind::Mu => return "external mu".to_owned(),
            InputKind::Message => "no pre-hash".to_owned(),
            InputKind::ToHash(hash) => format!("pre-hash {}", hash.name()),
            InputKind::Digest(hash) => format!("pre-hash {}, given as digest", hash.name()),
        };
        match &self.context[..] {
            [] => format!("no context, {prehash}"),
            context => format!("context {}, {prehash}", context_text(context)),
        }
    }

    /// Adds the context and the pre-hash to a result in JSON.
    pub fn describe(&self, entry: ResultEntry) -> ResultEntry {
        let prehash = match self.input {
            InputKind::Mu => return entry.set("mu", json!("external")),
            InputKind::Message => NO_PREHASH,
            InputKind::ToHash(hash) | InputKind::Digest(hash) => hash.name(),
        };
        entry.set("prehash", json!(prehash)).set("context", context_value(&self.context))
    }
}

/// Encodes a context for a JSON document.
pub fn context_value(context: &[u8]) -> Value {
    json!({ "text": std::str::from_utf8(context).ok(), "hex": hex(context) })
}

/// Converts an error of the library to an internal error. The message was already checked, so the
/// error is a bug, or the library was built without a hash function. fndsa must not crash in this
/// case.
impl From<MessageError> for Error {
    fn from(e: MessageError) -> Self {
        Self::Internal(e.to_string())
    }
}

/// A callback that gets the next piece of an input. After the callback returns an error, it is not
/// called again.
type TakePiece<'a> = &'a mut dyn FnMut(&[u8]) -> Result<(), Error>;

/// A function that reads an input to its end, passes each piece to a callback, and returns the
/// number of bytes that were read.
type DrainFunction = fn(&mut dyn Input, TakePiece<'_>) -> Result<u64, Error>;

/// Reads a message that will be verified. Verification does not reject pre-images.
///
/// # Errors
/// Fails if the input cannot be read, or if `take` returns an error.
fn read_to_verify(input: &mut dyn Input, take: TakePiece<'_>) -> Result<u64, Error> {
    let mut result = Ok(());
    let bytes = drain(input, |piece| {
        if result.is_ok() {
            result = take(piece);
        }
    })?;
    result?;
    Ok(bytes)
}

/// Reads a message that will be signed. Rejects an input that begins like a pre-image or like
/// attributes of CMS, or that is the signed part of an X.509 document. Accepts every input that
/// this program itself has encoded as a pre-image. `take` gets pieces before the function can
/// reject the input, so the caller must discard them after an error.
///
/// # Errors
/// Fails if the input cannot be read or is rejected, or if `take` returns an error.
fn read_to_sign(input: &mut dyn Input, take: TakePiece<'_>) -> Result<u64, Error> {
    // The buffer is wiped, because a file to sign can contain a secret by mistake.
    let mut head = Zeroizing::new(Vec::with_capacity(PREIMAGE_LEN));
    let mut signed_part = SignedPartDetector::new();
    let mut total = 0;
    loop {
        let data = input.next()?;
        if data.is_empty() {
            break;
        }
        total += data.len() as u64;
        signed_part.update(data);
        let missing_len = PREIMAGE_LEN - head.len();
        head.extend_from_slice(&data[..data.len().min(missing_len)]);
        take(data)?;
        if missing_len == 0 || input.is_encoded() {
            continue;
        }
        if let Some((begin, format, option)) = preimage_of(&head) {
            return Err(Error::Preimage { from: input.name().to_string(), begin, format, option });
        }
        if begins_like_attributes(&head) {
            let part = "begins with attributes of CMS".to_owned();
            return Err(Error::SignedStructure { from: input.name().to_string(), part, misuse: "for another file" });
        }
    }
    match signed_part.finish() {
        Some(document) if !input.is_encoded() => {
            let part = format!("is the signed part of {document}");
            Err(Error::SignedStructure { from: input.name().to_string(), part, misuse: "for this document" })
        }
        _ => Ok(input.message_len(total)),
    }
}

/// Returns the entry in [`PREIMAGES`] or [`JWS_PREIMAGE`] for a message with these first bytes.
fn preimage_of(head: &[u8]) -> Option<(&'static str, &'static str, &'static str)> {
    for (begin, format, option) in PREIMAGES {
        if head.starts_with(begin.as_bytes()) {
            return Some((begin, format, option));
        }
    }
    if begins_like_jws(head) { Some(JWS_PREIMAGE) } else { None }
}

/// Checks that [`read_to_sign`] does not reject an input.
///
/// # Errors
/// Returns the errors of [`read_to_sign`].
pub fn check_can_be_signed(input: &mut dyn Input) -> Result<(), Error> {
    read_to_sign(input, &mut |_| Ok(()))?;
    Ok(())
}

/// Returns whether the first bytes of an input can be the header of a JSON Web Signature. Such a
/// header is the base64url encoding of a JSON object with at least one member, and ends at the
/// first dot. `head` must have at most [`PREIMAGE_LEN`] bytes.
fn begins_like_jws(head: &[u8]) -> bool {
    let text = head.trim_ascii_start();
    let header = text.split(|byte| *byte == b'.').next().unwrap_or_default();
    let whole = if header.len() < text.len() { header.len() } else { header.len() / 4 * 4 };
    let Ok(json) = URL_SAFE_NO_PAD.decode(&header[..whole]) else { return false };
    let json = json.trim_ascii_start();
    let (is_object, rest) = match json.strip_prefix(b"{") {
        Some(rest) => (true, rest.trim_ascii_start()),
        None => (false, json),
    };
    match rest.first() {
        Some(byte) => is_object && *byte == b'"',
        // The decoded text ends before the first member. Only if `head` is full, the input may
        // continue with a member.
        None => whole > 0 && header.len() == text.len() && head.len() == PREIMAGE_LEN,
    }
}

/// The first bytes of an input. They are sufficient to decide whether the whole input is a value
/// with a given length.
pub struct InputHead {
    data: Vec<u8>,
    max_len: usize,
}

impl InputHead {
    /// Reserves space for a value of `len` bytes in hexadecimal digits, for a line end of up to two
    /// bytes, and for one further byte, which shows that the input is too long.
    pub fn new(len: usize) -> Self {
        Self { data: Vec::new(), max_len: 2 * len + 3 }
    }

    /// Stores the next piece of the input, up to the reserved length.
    pub fn absorb(&mut self, piece: &[u8]) {
        self.data.extend_from_slice(&piece[..piece.len().min(self.max_len - self.data.len())]);
    }

    /// Returns the value of `len` bytes that the input contains. Returns `None` if the input is not
    /// such a value.
    pub fn value(&self, len: usize) -> Option<Vec<u8>> {
        Some(exactly(&self.data, len)?.to_vec())
    }
}

/// Reads a value of `len` bytes, which the input contains as raw bytes or as hexadecimal digits
/// with an optional line end. Also returns the number of bytes that were read.
fn read_exact(input: &mut dyn Input, len: usize) -> Result<(Vec<u8>, u64), Error> {
    let mut head = InputHead::new(len);
    let bytes = drain(input, |piece| head.absorb(piece))?;
    match head.value(len) {
        Some(value) => Ok((value, bytes)),
        None => {
            let e = Error::Digest { from: input.name().to_string(), wanted: len, found: bytes };
            match STANDARD.decode(head.data.trim_ascii()) {
                Ok(decoded) if decoded.len() == len => Err(e.with_hint(not_base64())),
                _ => Err(e),
            }
        }
    }
}

/// Returns the hint for a digest or mu that is encoded in base64.
fn not_base64() -> String {
    let command = system::SYSTEM_HINTS.decode_base64;
    format!("the input is base64: decode it, for example with `{command}`, or write the value in hexadecimal digits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_json_web_signatures_are_found() {
        let encoded = |json: &str| URL_SAFE_NO_PAD.encode(json);
        for json in [
            r#"{"alg":"EdDSA","b64":false,"crit":["b64"]}"#,
            r#"{"b64":false,"crit":["b64"],"alg":"EdDSA"}"#,
            r#" { "alg":"EdDSA"}"#,
            "\n{\t\"alg\":1}",
            "                                  {}",
            "{                                 \"alg\":1}",
            r#"{"\u0061lg":"EdDSA"}"#,
        ] {
            for start in ["", " \n"] {
                let text = format!("{start}{}.message", encoded(json));
                assert!(begins_like_jws(&text.as_bytes()[..text.len().min(PREIMAGE_LEN)]), "{json}");
            }
        }
        for text in [
            "",
            "eyJ",
            "eyJ hbGci",
            "eyes wide open",
            "eyeswideopeneyeswideopeneyeswideopen",
            "a.b",
            "e30.AA",
            "{\"alg\":1}.",
        ] {
            assert!(!begins_like_jws(&text.as_bytes()[..text.len().min(PREIMAGE_LEN)]), "{text}");
        }
        assert!(!begins_like_jws(&[b' '; PREIMAGE_LEN]) && !begins_like_jws(&[b'A'; PREIMAGE_LEN]));
    }
}
