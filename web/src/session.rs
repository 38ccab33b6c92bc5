//! Verifies a message or a list in several calls: keys and options, signatures, and then the
//! message, or the list and its files. Each exported function of `lib.rs` calls a function of
//! [`PageSession`].

use crate::files::{ChosenKey, PageError, Verdict, read_keys, read_signatures};
use crate::formats::{check_settings, format_of, of_input, read_separate};
use crate::pending::{HashedPair, InputReader, PendingSignatures, ShortValue};
use fndsa::algorithm::{MAX_CONTEXT_LEN, MU_LEN, PreHash};
use fndsa::error::MessageError;
use fndsa::files::hex::from_hex;
use fndsa::files::manifest::{ChecksumEntry, canonical, parse};
use fndsa::files::{Date, ReadOptions};
use fndsa::message::PreHasher;
use fndsa::no_alloc::{Level, Verified, VerifyingHasher};
use fndsa::verdict::envelope::{Envelope, EnvelopeError, EnvelopeSignatures, InlineList, OpenedEnvelope};
use fndsa::verdict::signature_note::line;
use fndsa::verdict::ssh_envelope::SshNamespace;
use fndsa::verdict::text::InputDefect;
use fndsa::verdict::{
    CoveredEncoder, DateSource, Evidence, NoteForm, PairSelection, Policy, Rejection, RequiredKeys, SeparateSignatures,
    SignatureFormat, TrustedKey, check_halves, expiry, parse_list,
};
use fndsa::{Algorithm, Options};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The maximum number of names in an answer. An answer also contains the total number.
const SHOWN_NAMES: usize = 200;

/// A list entry: a file name and a checksum. `is_compared` is true if a file with this name was
/// compared with the checksum.
struct ListEntry {
    name: Vec<u8>,
    digest: Vec<u8>,
    is_compared: bool,
}

/// A file that is being compared with list entries.
struct FileComparison {
    entries: Vec<usize>,
    hash: Sha256,
    bytes: u64,
}

/// The clock of the computer, in seconds since the beginning of 1970.
struct PageClock {
    seconds: u32,
}

impl DateSource for PageClock {
    type Error = PageError;

    fn today(&self) -> Result<Date, PageError> {
        let no_day = || PageError::of_reason("io_error", "the clock of this computer has no valid date");
        Date::of_unix_seconds(u64::from(self.seconds)).ok_or_else(no_day)
    }
}

/// A signed file's type: the message itself, or a value that was computed from it.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum PageInput {
    /// The message.
    #[default]
    Message,
    /// The digest of the message.
    Digest,
    /// The message's mu: a hash of the message and the public key (FIPS 204).
    Mu,
}

/// The input that is being read.
#[derive(Default)]
enum ReadingState {
    #[default]
    Nothing,
    /// A message whose signatures are verified.
    Message(Box<PendingSignatures>),
    /// A file that is compared with list entries.
    Listed(Box<FileComparison>),
}

/// The keys and options, and the input that is being read.
#[derive(Default)]
pub struct PageSession {
    algorithm: Option<Algorithm>,
    keys: Vec<TrustedKey>,
    /// For each key, whether it is from a certificate.
    certificates: Vec<bool>,
    /// The expected fingerprints.
    expected: Vec<String>,
    /// Whether a signature by a single key is enough. Otherwise, all keys must have signed.
    is_one_enough: bool,
    context: Vec<u8>,
    prehash: Option<PreHash>,
    input: PageInput,
    /// The namespace for SSH signatures.
    namespace: Option<SshNamespace>,
    list: Vec<ListEntry>,
    work: ReadingState,
}

/// Removes the number that a browser has added to make a file's name unique. For example, returns
/// `app.bin` for `app(1).bin`. If a blank precedes the bracket, removes the blank. Returns `None`
/// if the name does not contain such a number.
fn before_renaming(name: &[u8]) -> Option<Vec<u8>> {
    let close = name.iter().rposition(|b| *b == b')')?;
    let open = name[..close].iter().rposition(|b| *b == b'(')?;
    let digits = &name[open + 1..close];
    let rest = &name[close + 1..];
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let stem = name[..open].strip_suffix(b" ").unwrap_or(&name[..open]);
    (is_number && !stem.is_empty() && (rest.is_empty() || rest[0] == b'.')).then(|| [stem, rest].concat())
}

/// Opens a list with an inline signature. Returns `None` if the list contains no signature.
fn open_list(data: &[u8]) -> Result<Option<OpenedEnvelope<'_>>, PageError> {
    InlineList.open(data).map_err(|e| match e {
        EnvelopeError::Rejected(rejection) => rejection.into(),
        _ => Rejection::InlineForm.into(),
    })
}

/// Returns the error for a call that the page never makes.
fn out_of_order() -> PageError {
    PageError::of_reason("internal", "the page made its calls in the wrong order: this is a bug of the page")
}

impl PageSession {
    /// Sets the algorithm with this name for all keys that are added later. An empty name removes
    /// this setting.
    pub fn set_algorithm(&mut self, name: &[u8]) -> Result<Value, PageError> {
        self.algorithm = match name {
            [] => None,
            name => Some(
                Algorithm::all().find(|algorithm| algorithm.to_string().as_bytes() == name).ok_or_else(out_of_order)?,
            ),
        };
        Ok(Value::Null)
    }

    /// Adds the public keys from a file. Ignores a key that was already added for its algorithm.
    pub fn add_keys(&mut self, data: &[u8]) -> Result<Value, PageError> {
        let accept = ReadOptions::default().with_algorithm(self.algorithm).with_allow_toys(true);
        for ChosenKey { key, is_certificate } in read_keys(data, &accept)? {
            let is_same = |other_key: &TrustedKey| {
                other_key.public.fingerprint == key.public.fingerprint && other_key.algorithm() == key.algorithm()
            };
            if !self.keys.iter().any(is_same) {
                self.keys.push(key);
                self.certificates.push(is_certificate);
            }
        }
        Ok(Value::Null)
    }

    /// Adds an expected fingerprint.
    pub fn add_expected(&mut self, text: &[u8]) -> Result<Value, PageError> {
        let wrong = || {
            PageError::of_reason(
                "usage",
                "an expected fingerprint has a wrong form: a fingerprint is sha256: and 64 hexadecimal digits",
            )
        };
        let digits = text.strip_prefix(b"sha256:").ok_or_else(wrong)?;
        if from_hex(digits).map_err(|_| wrong())?.len() != 32 {
            return Err(wrong());
        }
        self.expected.push(String::from_utf8_lossy(text).to_ascii_lowercase());
        Ok(Value::Null)
    }

    /// Sets whether all keys must have signed, or whether a signature by a single key is enough.
    pub fn require_each(&mut self, each: bool) -> Result<Value, PageError> {
        self.is_one_enough = !each;
        Ok(Value::Null)
    }

    /// Sets the context.
    pub fn set_context(&mut self, text: &[u8], is_hexadecimal: bool) -> Result<Value, PageError> {
        let context = if is_hexadecimal {
            let why = |e| PageError::of_reason("context_not_hex", &format!("the context is not hexadecimal: {e}"));
            from_hex(text).map_err(why)?
        } else {
            text.to_vec()
        };
        if context.len() > MAX_CONTEXT_LEN {
            return Err(PageError::of(&InputDefect::ContextLen(context.len()), None));
        }
        self.context = context;
        Ok(Value::Null)
    }

    /// Sets the pre-hash with this name. An empty name means no pre-hash.
    pub fn set_prehash(&mut self, name: &[u8]) -> Result<Value, PageError> {
        self.prehash = match name {
            [] => None,
            name => Some(PreHash::all().find(|prehash| prehash.name().as_bytes() == name).ok_or_else(out_of_order)?),
        };
        Ok(Value::Null)
    }

    /// Sets the signed file's type: `message`, `digest` or `mu`.
    pub fn set_input(&mut self, name: &[u8]) -> Result<Value, PageError> {
        self.input = match name {
            b"message" => PageInput::Message,
            b"digest" => PageInput::Digest,
            b"mu" => PageInput::Mu,
            _ => return Err(out_of_order()),
        };
        Ok(Value::Null)
    }

    /// Sets the namespace for SSH signatures. An empty name means that no namespace is given.
    pub fn set_namespace(&mut self, name: &[u8]) -> Result<Value, PageError> {
        self.namespace = match String::from_utf8_lossy(name).as_ref() {
            "" => None,
            name => Some(name.parse::<SshNamespace>().map_err(|why| PageError::of_reason("usage", why))?),
        };
        Ok(Value::Null)
    }

    /// Returns the reader for the signed file's pieces.
    fn reader(&self, level: Level, file: &SeparateSignatures) -> Result<InputReader, PageError> {
        match (self.input, self.prehash) {
            (PageInput::Message, None) => {
                let encoder = CoveredEncoder::new(&file.conditions.covered, level).ok_or_else(out_of_order)?;
                Ok(InputReader::Covered(Box::new(encoder)))
            }
            (PageInput::Message, Some(hash)) => {
                let hasher =
                    PreHasher::new(level, hash).map_err(|e| PageError::of_reason("internal", &e.to_string()))?;
                Ok(InputReader::Hash(Box::new(hasher)))
            }
            (PageInput::Digest, Some(hash)) => Ok(InputReader::Digest(hash, ShortValue::new(hash.digest_len()))),
            (PageInput::Digest, None) => Err(PageError::of_reason(
                "no_prehash_named",
                "the file contains a digest, so choose the pre-hash that made the digest",
            )),
            (PageInput::Mu, None) if self.context.is_empty() => Ok(InputReader::Mu(ShortValue::new(MU_LEN))),
            (PageInput::Mu, _) => Err(PageError::of_reason(
                "usage",
                "the file contains a mu, which already includes the context and the pre-hash: set no context and no pre-hash",
            )),
        }
    }

    /// Returns the current settings as a [`NoteForm`], to compare them with the note in a signature
    /// file.
    fn note_form(&self) -> NoteForm {
        match (self.input, self.prehash) {
            (PageInput::Mu, _) => NoteForm::Mu,
            (_, prehash) => NoteForm::Form { context: self.context.clone(), prehash },
        }
    }

    /// Checks that an algorithm supports the session's input type, context and pre-hash.
    fn check_form(&self, algorithm: Algorithm) -> Result<(), PageError> {
        let scheme = algorithm.scheme();
        if self.input == PageInput::Mu && !scheme.has_mu() {
            return Err(PageError::of(
                &InputDefect::NoMu(scheme),
                Some("only FN-DSA and ML-DSA compute a mu of the message"),
            ));
        }
        let form = Options::with_context(&self.context).with_prehash(self.prehash);
        form.check(algorithm).map_err(|e| match e {
            MessageError::NoContext { scheme } => {
                PageError::of(&InputDefect::NoContext(scheme), Some("clear the context field"))
            }
            MessageError::NoPreHash { scheme, hash } => {
                PageError::of(&InputDefect::NoPrehash(scheme, hash.name()), None)
            }
            e @ MessageError::WeakPreHash { .. } => {
                let hint = "ask the signer for a signature with a longer pre-hash".to_owned();
                PageError::of_reason("weak_prehash", &e.to_string()).about(None, Some(hint))
            }
            e => PageError::of_reason("internal", &e.to_string()),
        })
    }

    /// Returns the policy. It requires a signature by each key, or by at least a single key if
    /// `is_one_enough` is true.
    fn policy(&self) -> Policy<'_> {
        let required_keys = if self.is_one_enough { RequiredKeys::Number(1) } else { RequiredKeys::All };
        Policy::new(&self.keys, &self.expected, required_keys)
    }

    /// Begins a verification with a signature file's contents. The contents determine the file's
    /// format.
    pub fn begin(&mut self, data: &[u8]) -> Result<Value, PageError> {
        self.work = ReadingState::Nothing;
        let format = format_of(data, self.namespace.as_ref())?;
        self.begin_in(format, data)
    }

    /// Begins a verification with a signature file's contents in this format.
    fn begin_in(&mut self, format: SignatureFormat, data: &[u8]) -> Result<Value, PageError> {
        self.work = ReadingState::Nothing;
        if self.keys.is_empty() {
            return Err(PageError::of_reason("no_key", "you chose no public key"));
        }
        if check_halves(&self.keys).is_err() {
            let message = "a public key is a half of a composite key that you also chose, so they are not two keys";
            let hint = "remove one of the two keys".to_owned();
            return Err(PageError::of_reason("half_of_key", message).about(None, Some(hint)));
        }
        let is_message = self.input == PageInput::Message && self.prehash.is_none();
        check_settings(&format, &self.context, is_message)?;
        format.check_keys(&self.keys).map_err(|defect| of_input(&defect))?;
        let file = read_separate(&format, data)?;
        for key in &mut self.keys {
            key.is_accepted_by_policy = self.expected.is_empty() || self.expected.contains(&key.public.fingerprint);
        }
        let possible =
            match file.conditions.pairs(&self.policy(), &file.signatures, |algorithm| self.check_form(algorithm))? {
                PairSelection::Possible(pairs) => pairs,
                PairSelection::Rejected(rejection) => return Err(rejection.into()),
            };
        let level = Level::detect();
        let options = Options::with_context(&self.context);
        let reader = self.reader(level, &file)?;
        let mut pairs = Vec::new();
        for pair in possible {
            let message = is_message.then(|| {
                let public = &self.keys[pair.key].public.key;
                let hash = public.to_ref().bound_hash(level);
                let signature = &file.signatures[pair.signature].bytes;
                VerifyingHasher::new(level, public.algorithm(), &hash, options, signature).ok()
            });
            pairs.push(HashedPair { pair, message: message.flatten() });
        }
        let pending = PendingSignatures {
            format,
            file,
            pairs,
            reader,
            form: self.note_form(),
            context: self.context.clone(),
            is_plain: self.context.is_empty() && is_message,
            bytes: 0,
        };
        self.work = ReadingState::Message(Box::new(pending));
        Ok(Value::Null)
    }

    /// Adds the next piece of the input.
    pub fn update(&mut self, piece: &[u8]) -> Result<Value, PageError> {
        match &mut self.work {
            ReadingState::Nothing => return Err(out_of_order()),
            ReadingState::Message(pending) => pending.update(piece)?,
            ReadingState::Listed(compared) => {
                compared.bytes += piece.len() as u64;
                compared.hash.update(piece);
            }
        }
        Ok(Value::Null)
    }

    /// Ends the message and returns the verdict.
    pub fn finish(&mut self) -> Result<Verdict, PageError> {
        let ReadingState::Message(pending) = std::mem::take(&mut self.work) else { return Err(out_of_order()) };
        pending.finish(&self.policy(), &self.certificates).map(|(verdict, _)| verdict)
    }

    /// Verifies a list as the message of a signature file, and returns the verdict. If the verdict
    /// is YES, this function parses the list and rejects an expired list. `seconds` is the current
    /// time, in seconds since the beginning of 1970.
    ///
    /// A list that also has an inline signature is an error, because otherwise the weaker of the
    /// two signatures could decide.
    pub fn finish_list(&mut self, data: &[u8], seconds: u32) -> Result<Verdict, PageError> {
        self.list.clear();
        if open_list(data)?.is_some() {
            return Err(PageError::two_signatures());
        }
        if let ReadingState::Message(pending) = &self.work
            && pending.format != SignatureFormat::Fndsa
        {
            return Err(PageError::list_format(pending.format.title()));
        }
        self.update(data)?;
        let decided = self.finish()?;
        self.accept_list(data, decided, seconds)
    }

    /// Verifies a list with an inline signature, and returns the verdict, as [`Self::finish_list`]
    /// does. The lines before each signature are not authenticated, so they must be exactly as a
    /// signer writes these lines.
    pub fn finish_inline(&mut self, data: &[u8], seconds: u32) -> Result<Verdict, PageError> {
        self.list.clear();
        let OpenedEnvelope { signatures, contents } = open_list(data)?.ok_or_else(PageError::unsigned_list)?;
        // `open_list` opens only lists, which do not have conditions or a signer's key. The code
        // checks this, because the page's verdict does not include evidence that conditions are
        // met.
        let is_list = contents.conditions.is_empty() && contents.signer.is_none();
        let (EnvelopeSignatures::File(signature), Some((list, _)), true) =
            (signatures, contents.covered.enclosed(), is_list)
        else {
            return Err(out_of_order());
        };
        self.begin_in(SignatureFormat::Fndsa, &signature)?;
        self.update(list)?;
        let ReadingState::Message(pending) = std::mem::take(&mut self.work) else { return Err(out_of_order()) };
        let (decided, signers) = pending.finish(&self.policy(), &self.certificates)?;
        let note_form = self.note_form();
        let expected_note = |i: &usize| line(self.keys[*i].algorithm(), &self.keys[*i].public.fingerprint, &note_form);
        contents.check_notes(&read_signatures(&signature)?, signers.iter().map(expected_note))?;
        self.accept_list(list, decided, seconds)
    }

    /// Parses a list after the verdict YES for its signature, and rejects an expired list. For all
    /// other verdicts, returns an internal error.
    fn accept_list(&mut self, data: &[u8], (verdict, mut answer): Verdict, seconds: u32) -> Result<Verdict, PageError> {
        if verdict != Verified::YES {
            return Err(out_of_order());
        }
        let listed = parse_list(data, parse).map_err(PageError::of_list)?;
        if let Some(rejection) = expiry(&listed, &PageClock { seconds })? {
            return Err(rejection.into());
        }
        if let Some(best_before) = listed.best_before {
            answer["best_before"] = json!(best_before.to_string());
        }
        let entry = |entry: &ChecksumEntry<'_>| ListEntry {
            name: entry.name.to_vec(),
            digest: entry.digest(),
            is_compared: false,
        };
        self.list = listed.files.iter().map(entry).collect();
        answer["files"] = json!(self.list.len());
        Ok((verdict, answer))
    }

    /// Returns the indices of the entries with this name. If there is no such entry, returns the
    /// entries in which the last path component is this name, because a browser may not provide a
    /// file's folder.
    fn find_entries(&self, name: &[u8]) -> Vec<usize> {
        let exact = canonical(name).ok();
        let all = 0..self.list.len();
        let entries: Vec<_> = all.clone().filter(|i| exact.as_deref() == Some(&self.list[*i].name)).collect();
        if !entries.is_empty() {
            return entries;
        }
        let last = |entry: &ListEntry| entry.name.rsplit(|b| *b == b'/').next() == Some(name);
        all.filter(|i| last(&self.list[*i])).collect()
    }

    /// Begins to compare a file with the entries for its name, or for the name that the file had
    /// before a browser renamed it. If the list does not contain an entry, the verdict will be NO,
    /// and the checksum is only computed to find an entry with the same content for the hint.
    pub fn begin_listed(&mut self, name: &[u8]) -> Result<Value, PageError> {
        let mut entries = self.find_entries(name);
        if entries.is_empty() {
            entries = before_renaming(name).map_or_else(Vec::new, |name| self.find_entries(&name));
        }
        self.work = ReadingState::Listed(Box::new(FileComparison { entries, hash: Sha256::new(), bytes: 0 }));
        Ok(Value::Null)
    }

    /// Ends the file and returns the verdict: YES if the checksum of an entry for the name matches.
    pub fn finish_listed(&mut self) -> Result<Verdict, PageError> {
        let ReadingState::Listed(compared) = std::mem::take(&mut self.work) else { return Err(out_of_order()) };
        let FileComparison { entries, hash, bytes } = *compared;
        let digest = hash.finalize();
        for i in &entries {
            self.list[*i].is_compared = true;
        }
        for i in &entries {
            let entry = &self.list[*i];
            if Evidence::of_equal(&entry.digest, &digest).holds() {
                let answer = json!({ "status": "ok", "bytes": bytes, "listed": String::from_utf8_lossy(&entry.name) });
                return Ok((Verified::YES, answer));
            }
        }
        if !entries.is_empty() {
            return Err(Rejection::Checksum { list: None }.into());
        }
        // A file with an entry's content, but without the entry's name, is not a YES, because the
        // name states the file's purpose.
        let same = self.list.iter().find(|entry| entry.digest[..] == digest[..]);
        let hint = same.map(|entry| {
            let name = String::from_utf8_lossy(&entry.name);
            format!("this file has the content of {name} in the list: if you wanted {name}, rename this file to {name}")
        });
        Err(PageError::from(Rejection::NotListed { list: None }).about(None, hint))
    }

    /// Returns the number of list entries that were not compared with a file, and at most
    /// `SHOWN_NAMES` of their names. Returns a rejection if no entry was compared.
    pub fn missing(&mut self) -> Result<Value, PageError> {
        let missing: Vec<_> = self.list.iter().filter(|entry| !entry.is_compared).collect();
        let names: Vec<_> =
            missing.iter().take(SHOWN_NAMES).map(|entry| String::from_utf8_lossy(&entry.name)).collect();
        if missing.len() == self.list.len() {
            return Err(Rejection::NothingVerified.into());
        }
        Ok(json!({ "missing": missing.len(), "names": names }))
    }
}
