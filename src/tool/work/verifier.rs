//! Yes or no: one signature over one file, or over bytes in memory.

use super::claims::Claims;
use super::explain::{Explainer, Explanation};
use super::loader::Loader;
use super::message::MessageForm;
use super::mixups;
use super::ordered::among;
use super::public::TrustedKey;
use crate::tool::io::{Input, InputSource, Reading, drain};
use crate::tool::report::{Entry, Error, Yes};
use fndsa::files::{Kind, Object};
use fndsa::{
    Algorithm, BatchError, BatchItem, Hashed, Level, Signature, SignatureEncoding, Verified, VerifyError,
    verified_batch,
};
use serde_json::json;
use std::borrow::Cow;
use std::fmt::Display;

const GIVE_THE_SIGNER_S: &str = "give the public key of the signer";

/// The answer NO. One row each: words, reason code, hint.
pub enum No {
    /// No given key has an expected fingerprint.
    Unexpected,
    /// No given key is of an algorithm of the signature.
    Algorithm { signature: String, keys: Vec<Algorithm> },
    /// The coefficients are not encoded canonically.
    Encoding,
    /// The signature is in another encoding than the one that is accepted.
    OtherEncoding { found: SignatureEncoding, wanted: SignatureEncoding },
    /// The signature does not match.
    Mismatch { several: bool, plain: bool },
    /// The signed manifest has another checksum for the file.
    Checksum,
    /// The signed manifest does not name the file.
    NotListed,
    /// None of the files that the signed manifest names is there.
    NothingVerified,
}

impl No {
    /// Returns the text in brackets.
    pub fn words(&self) -> String {
        match self {
            Self::Unexpected => "no given key has the expected fingerprint".to_owned(),
            Self::Algorithm { signature, keys } => {
                let keys: Vec<_> = keys.iter().map(Algorithm::to_string).collect();
                format!("the signature is {signature}, the key {}", keys.join(" or "))
            }
            Self::Encoding => "the signature is malformed".to_owned(),
            Self::OtherEncoding { found, wanted } => {
                format!("the encoding of the signature is {}, not {}", found.name(), wanted.name())
            }
            Self::Mismatch { several: false, .. } => "signature does not match the file and the key".to_owned(),
            Self::Mismatch { several: true, .. } => "signature does not match the file and any of the keys".to_owned(),
            Self::Checksum => "does not match the manifest".to_owned(),
            Self::NotListed => "not listed in the manifest".to_owned(),
            Self::NothingVerified => "no file was verified: none of them is there".to_owned(),
        }
    }

    /// Returns the code for scripts.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Unexpected => "unexpected_key",
            Self::Algorithm { .. } => "algorithm_mismatch",
            Self::Encoding => "signature_malformed",
            Self::OtherEncoding { .. } => "encoding_mismatch",
            Self::Mismatch { .. } => "signature_mismatch",
            Self::Checksum => "manifest_mismatch",
            Self::NotListed => "not_in_manifest",
            Self::NothingVerified => "nothing_verified",
        }
    }

    /// Returns what to do, where there is something to do.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Unexpected => Some("compare it with the fingerprint that `fndsa inspect` prints for the key"),
            Self::Algorithm { .. } => Some(GIVE_THE_SIGNER_S),
            Self::Mismatch { plain: true, .. } => {
                Some("if it was signed with a context or a pre-hash, give the same --context and --prehash")
            }
            Self::Mismatch { plain: false, .. } => {
                Some("is it the context, and the pre-hash, that it was signed with?")
            }
            Self::OtherEncoding { .. } => Some("without --encoding every encoding is accepted"),
            Self::NotListed => {
                Some("the list names files as seen from the current directory, byte for byte but for `./` and `//`")
            }
            Self::NothingVerified => Some("names in a manifest are relative to the current directory"),
            Self::Encoding | Self::Checksum => None,
        }
    }
}

/// The answer YES on one file.
#[derive(Clone, Copy)]
pub struct Match {
    /// The number of the key that matches, from 0.
    pub key: usize,
    /// The bytes read.
    pub bytes: u64,
    /// The YES of the library, for the sum.
    pub yes: Yes,
}

/// The verdict on one file.
pub enum Verdict {
    /// A key that counts has made the signature: YES.
    Yes(Match),
    /// No key that counts has made the signature: NO.
    No(Refused),
}

impl Verdict {
    /// Returns what a YES has found; `None` for a NO.
    pub fn found(&self) -> Option<&Match> {
        match self {
            Self::Yes(found) => Some(found),
            Self::No(_) => None,
        }
    }
}

/// The answer before anything is said about it.
enum Decision {
    Yes(Match),
    No(No),
}

/// The answer NO, and what is known about it.
pub struct Refused {
    /// The answer.
    pub no: No,
    /// Returns what to do, where there is something to do.
    pub hint: Option<Cow<'static, str>>,
    /// What `--explain` found out, which never changes the answer.
    pub explanation: Option<Explanation>,
    /// What the file of the signature says of itself; nothing of it is proven.
    pub claims: Option<Claims>,
}

impl From<No> for Refused {
    fn from(no: No) -> Self {
        let hint = no.hint().map(Cow::Borrowed);
        Self { no, hint, explanation: None, claims: None }
    }
}

impl Refused {
    /// Completes the result for JSON.
    pub fn entry(&self, entry: Entry) -> Entry {
        let entry = entry.failed(self.no.reason(), &self.no.words(), self.hint.as_deref());
        let entry = match &self.explanation {
            Some(explanation) => {
                entry.set("explain", json!([explanation.text])).set("cause", explanation.cause.clone())
            }
            None => entry,
        };
        match &self.claims {
            Some(claims) => entry.set("claims", claims.value()),
            None => entry,
        }
    }
}

/// A signature, what it is to be over, and how that was signed.
pub struct Asked<'a> {
    /// How the message was signed, in place of the form of the verifier.
    pub form: &'a MessageForm,
    /// The signature.
    pub signature: Object,
    /// The message, of which nothing is read yet.
    pub input: Box<dyn Input + 'a>,
}

/// A signature whose message was read.
struct PendingVerdict<'q> {
    form: &'q MessageForm,
    signature: &'q Object,
    explainer: Option<Explainer<'q>>,
    /// The keys that may have made the signature, by number, and the message as it was hashed for each; `None` where the
    /// algorithm cannot have such a signature.
    hashed: Vec<(usize, Option<Hashed>)>,
    /// The length of the message.
    bytes: u64,
    /// The answer so far: NO until a key matches.
    answer: Result<Decision, Error>,
}

impl PendingVerdict<'_> {
    /// Returns whether there is no YES yet, and a key for this round.
    fn is_open(&self, round: usize) -> bool {
        matches!(self.answer, Ok(Decision::No(_))) && round < self.hashed.len()
    }
}

/// A message that `--explain` reads at the same time.
struct Overheard<'a, 'e> {
    input: &'a mut dyn Input,
    explainer: &'a mut Explainer<'e>,
}

impl Input for Overheard<'_, '_> {
    fn name(&self) -> &dyn Display {
        self.input.name()
    }

    fn reading(&self) -> Reading {
        self.input.reading()
    }

    fn next(&mut self) -> Result<&[u8], Error> {
        let piece = self.input.next()?;
        self.explainer.absorb(piece);
        Ok(piece)
    }
}

/// The keys, and what all files share.
pub struct Verifier<'a> {
    /// All keys that are given, also those that do not count.
    pub keys: &'a [TrustedKey],
    /// How messages were signed, where nothing else is said.
    pub form: MessageForm,
    /// The level to run.
    pub level: Level,
    /// The one encoding of signatures that is accepted, if not all are.
    pub encoding: Option<SignatureEncoding>,
    /// Whether a NO is explained.
    pub explain: bool,
}

impl Verifier<'_> {
    /// Verifies a signature file over a file. The algorithm comes from the keys; the signature can only agree. `work`
    /// is kept from call to call.
    ///
    /// # Errors
    /// There is no verdict: the signature or the file cannot be read.
    pub fn check(
        &self,
        work: &mut Vec<u8>,
        signature: &InputSource,
        file: &InputSource,
        input: &mut dyn Input,
    ) -> Result<Verdict, Error> {
        self.check_object(work, &load_signature(signature, file)?, input)
    }

    /// Verifies a signature that was read already. `work` is kept from call to call.
    ///
    /// # Errors
    /// There is no verdict: the file cannot be read.
    pub fn check_object(
        &self,
        work: &mut Vec<u8>,
        signature: &Object,
        input: &mut dyn Input,
    ) -> Result<Verdict, Error> {
        let mut pending = self.read(&self.form, signature, input)?;
        self.decide(work, &mut [&mut pending]);
        self.conclude(work, pending)
    }

    /// Verifies several signatures, and returns the same for each, in order: the library verifies them together, which
    /// takes less time. What is wrong with one is nothing to the others. `work` is kept from call to call.
    pub fn check_together(
        &self,
        work: &mut Vec<u8>,
        asked: Vec<Result<Asked<'_>, Error>>,
    ) -> Vec<Result<Verdict, Error>> {
        let checked = among(asked, |mut asked| {
            let asked = asked.iter_mut();
            let mut pending: Vec<_> = asked.map(|it| self.read(it.form, &it.signature, &mut *it.input)).collect();
            self.decide(work, &mut pending.iter_mut().flatten().collect::<Vec<_>>());
            pending.into_iter().map(|pending| self.conclude(work, pending?)).collect()
        });
        checked.into_iter().map(Result::flatten).collect()
    }

    /// Reads an input for its signature, and hashes it for each key that may have made that.
    ///
    /// # Errors
    /// The input cannot be read, or no such key is of a scheme whose signatures have the form asked for.
    fn read<'q>(
        &'q self,
        form: &'q MessageForm,
        signature: &'q Object,
        input: &mut dyn Input,
    ) -> Result<PendingVerdict<'q>, Error> {
        let mut explainer = self.explain.then(|| Explainer::new(self.level, self.keys, form, signature));
        if let Some(no) = self.refuse(form, signature)? {
            // The answer stands; the file is only read to find the cause.
            if let Some(explainer) = explainer.as_mut().filter(|explainer| explainer.has_candidates()) {
                let _ = drain(input, |piece| explainer.absorb(piece));
            }
            let answer = Ok(Decision::No(no));
            return Ok(PendingVerdict { form, signature, explainer, hashed: Vec::new(), bytes: 0, answer });
        }
        let possible = |key: &TrustedKey| {
            let algorithm = key.algorithm();
            signature.fits(algorithm) && form.check(algorithm.scheme()).is_ok()
        };
        let keys: Vec<_> = self.expected().filter(|(_, key)| possible(key)).collect();
        let hashes: Vec<_> = keys.iter().map(|(_, key)| (key.algorithm(), key.expanded.bound_hash())).collect();
        let (hashed, bytes) = match &mut explainer {
            Some(explainer) => {
                form.to_verify(self.level, &hashes, &signature.bytes, &mut Overheard { input, explainer })?
            }
            None => form.to_verify(self.level, &hashes, &signature.bytes, input)?,
        };
        let answer = Ok(Decision::No(No::Mismatch { several: keys.len() > 1, plain: form.is_plain() }));
        let hashed = keys.iter().map(|(number, _)| *number).zip(hashed).collect();
        Ok(PendingVerdict { form, signature, explainer, hashed, bytes, answer })
    }

    /// Decides several together: in each round by one key of each that has no YES yet.
    fn decide(&self, work: &mut Vec<u8>, pending: &mut [&mut PendingVerdict<'_>]) {
        for round in 0.. {
            let due: Vec<_> = (0..pending.len()).filter(|i| pending[*i].is_open(round)).collect();
            if due.is_empty() {
                return;
            }
            let item = |i: &usize| {
                let PendingVerdict { hashed, signature, .. } = &*pending[*i];
                let (number, message) = &hashed[round];
                // A signature that its message cannot be hashed for is none of this key.
                let message = message.as_ref().ok_or(VerifyError::Encoding)?.into();
                Ok(BatchItem { key: &self.keys[*number].expanded, message, signature: &signature.bytes })
            };
            let answers = among(due.iter().map(item).collect(), |items| verified_together(&items, work));
            for (i, answer) in due.iter().zip(answers) {
                self.take(pending[*i], round, answer.flatten());
            }
        }
    }

    /// Takes the answer of the library for one key of a signature.
    fn take(&self, pending: &mut PendingVerdict<'_>, round: usize, answer: Result<Verified, VerifyError>) {
        let key = pending.hashed[round].0;
        pending.answer = match answer {
            Ok(verified) => Ok(Decision::Yes(Match { key, bytes: pending.bytes, yes: Yes::of(verified) })),
            Err(VerifyError::Mismatch) => return,
            Err(e @ (VerifyError::Work(_) | VerifyError::OtherMessage)) => Err(Error::Internal(e.to_string())),
            Err(_) => Ok(Decision::No(self.malformed(pending.signature, self.keys[key].algorithm()))),
        };
    }

    /// Returns the verdict, with what is known about a NO.
    fn conclude(&self, work: &mut Vec<u8>, pending: PendingVerdict<'_>) -> Result<Verdict, Error> {
        let PendingVerdict { form, signature, explainer, answer, .. } = pending;
        let no = match answer? {
            Decision::Yes(found) => return Ok(Verdict::Yes(found)),
            Decision::No(no) => no,
        };
        // Only here, after the answer, is it looked at what the signature says of itself.
        let claims = Claims::of(signature);
        let explanation = explainer.map(|explainer| explainer.explain(work, claims.as_ref()));
        let hint = match (&no, &claims, &explanation) {
            // The hint is part of the explanation; or what was found out is better than what somebody wrote.
            (No::Mismatch { .. }, _, Some(_)) => None,
            (No::Mismatch { .. }, Some(claims), _) => Some(Cow::Owned(claims.cause(self.keys, form))),
            (No::Algorithm { .. }, Some(claims), _) => {
                Some(Cow::Owned(format!("{}: {}", GIVE_THE_SIGNER_S, claims.signer())))
            }
            _ => no.hint().map(Cow::Borrowed),
        };
        Ok(Verdict::No(Refused { no, hint, explanation, claims }))
    }

    /// Returns the keys that count, with their numbers.
    fn expected(&self) -> impl Iterator<Item = (usize, &TrustedKey)> {
        self.keys.iter().enumerate().filter(|(_, key)| key.expected)
    }

    /// Returns the answer NO that needs no file, if it is that.
    ///
    /// # Errors
    /// No key that could match is of a scheme whose signatures have the form asked for.
    fn refuse(&self, form: &MessageForm, signature: &Object) -> Result<Option<No>, Error> {
        let is_expected = |algorithm: &Algorithm| self.expected().any(|(_, key)| key.algorithm() == *algorithm);
        let keys: Vec<_> = Algorithm::all().filter(is_expected).collect();
        if keys.is_empty() {
            return Ok(Some(No::Unexpected));
        }
        let possible = |key: &Algorithm| signature.fits(*key);
        let Some(first) = keys.iter().find(|key| possible(key)) else {
            let signature = signature.names().unwrap_or_else(|| signature.algorithm().to_string());
            return Ok(Some(No::Algorithm { signature, keys }));
        };
        let read = self.encoding.and_then(|_| Signature::from_bytes(first.scheme(), &signature.bytes).ok());
        if let (Some(wanted), Some(found)) = (self.encoding, read.map(|read| read.encoding()))
            && wanted != found
        {
            return Ok(Some(No::OtherEncoding { found, wanted }));
        }
        let formed = keys.iter().filter(|key| possible(key)).any(|key| form.check(key.scheme()).is_ok());
        if formed { Ok(None) } else { form.check(first.scheme()).map(|()| None) }
    }

    /// Returns the answer NO for a signature that cannot be one of a key's algorithm, whatever its label says.
    fn malformed(&self, signature: &Object, key: Algorithm) -> No {
        let detected = Object::detect(Kind::Signature, signature.encoding, signature.bytes.clone());
        match detected.ok().filter(|it| !it.fits(key)).and_then(|it| it.names()) {
            Some(signature) => No::Algorithm { signature, keys: vec![key] },
            None => No::Encoding,
        }
    }
}

/// Reads the signature of a file.
///
/// # Errors
/// It cannot be read, or is no signature.
pub fn load_signature(signature: &InputSource, file: &InputSource) -> Result<Object, Error> {
    let object = Loader::of_signatures().only(signature, Kind::Signature);
    object.map_err(|e| mixups::of_signature(e, file, signature))
}

/// Verifies items together, and returns what the library says of each.
fn verified_together(items: &[BatchItem<'_>], work: &mut Vec<u8>) -> Vec<Result<Verified, VerifyError>> {
    if let [BatchItem { key, message, signature }] = items {
        work.resize(work.len().max(key.algorithm().verify_work_len()), 0);
        return vec![key.verified(*message, signature, work)];
    }
    let needed = items.iter().map(|item| item.key.algorithm().verify_batch_work_len()).max();
    work.resize(work.len().max(needed.unwrap_or(0)), 0);
    let mut answers = vec![Err(VerifyError::Mismatch); items.len()];
    if let Err(BatchError::Work(short)) = verified_batch(items, &mut answers, work) {
        answers.fill(Err(VerifyError::Work(short)));
    }
    answers
}
