//! Yes or no: one signature over one file, or over bytes in memory.

use super::alternatives::proven_cause;
use super::claims::Claims;
use super::clock::Clock;
use super::explain::{Explainer, Explanation};
use super::message::MessageForm;
use super::no::GIVE_THE_SIGNER_S;
pub use super::no::No;
use super::ordered::among;
use super::pending::{Contender, Pending};
use super::public::{Required, TrustedKey};
use super::signatures::Signatures;
use crate::tool::io::{Input, InputSource, Reading, drain};
use crate::tool::report::{Entry, Error, Hint, Yes};
use fndsa::files::Object;
use fndsa::{
    Algorithm, BatchError, BatchItem, Level, Signature, SignatureEncoding, Verified, VerifyError, verified_batch,
};
use serde_json::json;
use std::fmt::Display;
use std::hint::black_box;

/// Keys in a hint.
const SHOWN_KEYS: usize = 3;
/// Pairs of a signature and a key for which a message is hashed at once, whichever key a signature names.
const FEW_PAIRS: usize = 8;

/// The answer YES on one file.
pub struct Match {
    /// The numbers of the keys that match, from 0: as many as are required, and at least one.
    pub keys: Vec<usize>,
    /// The bytes read.
    pub bytes: u64,
    /// The YES of the library on all of them, for the sum.
    pub yes: Yes,
    /// What in the file of the signatures counts for nothing.
    pub ignored: Vec<String>,
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

    /// Returns what in the file of the signatures counts for nothing.
    pub fn ignored(&self) -> &[String] {
        match self {
            Self::Yes(found) => &found.ignored,
            Self::No(refused) => &refused.ignored,
        }
    }
}

/// The answer NO, and what is known about it.
pub struct Refused {
    /// The answer.
    pub no: No,
    /// The next step, if there is one.
    pub hint: Option<Hint>,
    /// What `--explain` found out, which never changes the answer.
    pub explanation: Option<Explanation>,
    /// What the file of the signature says of itself; nothing of it is proven.
    pub claims: Option<Claims>,
    /// What in the file of the signatures counts for nothing.
    pub ignored: Vec<String>,
    /// The key that has made the signature, if that key is expired or revoked.
    pub signer: Option<(Algorithm, String)>,
}

impl From<No> for Refused {
    fn from(no: No) -> Self {
        let hint = no.hint().map(Hint::from);
        Self { no, hint, explanation: None, claims: None, ignored: Vec::new(), signer: None }
    }
}

impl Refused {
    /// Returns a rejection with a better hint, if there is a better hint.
    pub fn hinting(no: No, hint: Option<String>) -> Self {
        let refused = Self::from(no);
        Self { hint: hint.map(Hint::from).or(refused.hint), ..refused }
    }

    /// Completes the result for JSON.
    pub fn entry(&self, entry: Entry) -> Entry {
        let entry = entry.failed(self.no.reason(), &self.no.words(), self.hint.as_ref());
        let entry = match &self.signer {
            Some((algorithm, fingerprint)) => entry.algorithm(*algorithm).key(fingerprint),
            None => entry,
        };
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

/// Signatures, what they are to be over, and how that was signed.
pub struct Asked<'a> {
    /// How the message was signed, in place of the form of the verifier.
    pub form: &'a MessageForm,
    /// The signatures.
    pub signatures: Signatures,
    /// The message, of which nothing is read yet.
    pub input: Box<dyn Input + 'a>,
}

/// A message that `--explain` reads at the same time.
struct Overheard<'a, 'e> {
    input: &'a mut dyn Input,
    explainers: &'a mut [Explainer<'e>],
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
        self.explainers.iter_mut().for_each(|explainer| explainer.absorb(piece));
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
    /// An expected fingerprint that no key has: then every verdict is NO.
    pub missing_key: Option<String>,
    /// How many keys must have signed, at least 1.
    pub required: usize,
    /// The rule that gave `required`, which is applied again to a YES.
    pub rule: Required,
    /// What day it is, for keys that count until one.
    pub clock: Clock,
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
        self.check_signatures(work, &Signatures::load(signature, file)?, input)
    }

    /// Verifies signatures that were read already. `work` is kept from call to call.
    ///
    /// # Errors
    /// There is no verdict: the file cannot be read.
    pub fn check_signatures(
        &self,
        work: &mut Vec<u8>,
        signatures: &Signatures,
        input: &mut dyn Input,
    ) -> Result<Verdict, Error> {
        let mut pending = self.read(work, &self.form, signatures, input)?;
        self.decide(work, &mut [&mut pending]);
        let verdict = self.conclude(work, pending)?;
        Ok(self.with_proven_cause(verdict, work, &self.form, signatures, input))
    }

    /// Returns whether as many keys as required have signed an input.
    fn matches(&self, work: &mut Vec<u8>, form: &MessageForm, signatures: &Signatures, input: &mut dyn Input) -> bool {
        let Ok(mut pending) = self.read(work, form, signatures, input) else { return false };
        self.decide(work, &mut [&mut pending]);
        pending.failure.is_none() && pending.distinct(self.keys) >= self.required
    }

    /// Replaces the hint of a signature that does not match by a cause that an additional check has proven. The verdict
    /// stays as it is.
    fn with_proven_cause(
        &self,
        mut verdict: Verdict,
        work: &mut Vec<u8>,
        form: &MessageForm,
        signatures: &Signatures,
        input: &mut dyn Input,
    ) -> Verdict {
        if let Verdict::No(refused) = &mut verdict
            && matches!(refused.no, No::Mismatch { .. })
            && refused.explanation.as_ref().is_none_or(|it| it.cause.is_null())
            && let Some(cause) =
                proven_cause(self.keys, signatures, input, |other| self.matches(work, form, signatures, other))
        {
            refused.hint = Some(Hint::from(cause));
            if let Some(explanation) = &mut refused.explanation {
                cause.clone_into(&mut explanation.text);
            }
        }
        verdict
    }

    /// Verifies the signatures of several files, and returns the same for each, in order: the library verifies them
    /// together, which takes less time. What is wrong with one is nothing to the others. `work` is kept from call to call.
    pub fn check_together(
        &self,
        work: &mut Vec<u8>,
        asked: Vec<Result<Asked<'_>, Error>>,
    ) -> Vec<Result<Verdict, Error>> {
        let checked = among(asked, |mut asked| {
            let read = asked.iter_mut().map(|it| self.read(work, it.form, &it.signatures, &mut *it.input));
            let mut pending: Vec<_> = read.collect();
            self.decide(work, &mut pending.iter_mut().flatten().collect::<Vec<_>>());
            let verdicts: Vec<_> = pending.into_iter().map(|pending| self.conclude(work, pending?)).collect();
            let verdicts = verdicts.into_iter().zip(&mut asked);
            let explained = verdicts.map(|(verdict, Asked { form, signatures, input })| {
                Ok(self.with_proven_cause(verdict?, work, form, signatures, &mut **input))
            });
            explained.collect()
        });
        checked.into_iter().map(Result::flatten).collect()
    }

    /// Reads an input for its signatures, and hashes it for each key that may have made one of them. Where these are many, and the input
    /// can be read again, it is first hashed for the keys alone that the signatures name: as nothing of what they name is proven, that
    /// decides only if they have made them.
    ///
    /// # Errors
    /// The input cannot be read, or no such key is of a scheme whose signatures have the form asked for.
    fn read<'q>(
        &'q self,
        work: &mut Vec<u8>,
        form: &'q MessageForm,
        signatures: &'q Signatures,
        input: &mut dyn Input,
    ) -> Result<Pending<'q>, Error> {
        let mut explainers = Vec::new();
        if self.explain {
            let explainer = |signature| Explainer::new(self.level, self.keys, form, signature);
            explainers.extend(signatures.known.iter().map(explainer));
        }
        let mut pairs = Vec::new();
        let mut refused = None;
        let mut unformed = None;
        for (i, signature) in signatures.known.iter().enumerate() {
            match self.refuse(form, signature) {
                Ok(None) => pairs.extend(self.possible(form, signature).map(|key| (i, key))),
                Ok(Some(no)) => drop(refused.get_or_insert(no)),
                Err(e) => drop(unformed.get_or_insert(e)),
            }
        }
        if pairs.is_empty() {
            if let (None, Some(e)) = (&refused, unformed) {
                return Err(e);
            }
            // The answer stands; the file is only read to find the cause.
            if explainers.iter().any(Explainer::has_candidates) {
                let _ = drain(&mut Overheard { input, explainers: &mut explainers }, |_| ());
            }
            let mut pending = Pending::new(form, signatures, refused.unwrap_or(No::Encoding));
            pending.explainers = explainers;
            return Ok(pending);
        }
        if pairs.len() > FEW_PAIRS && input.reading() == Reading::Again {
            let mut named = self.hashed(form, signatures, self.named(signatures, &pairs), input)?;
            self.decide(work, &mut [&mut named]);
            if named.failure.is_none() && named.distinct(self.keys) >= self.required {
                return Ok(named);
            }
        }
        let mut pending =
            self.hashed(form, signatures, pairs, &mut Overheard { input, explainers: &mut explainers })?;
        pending.explainers = explainers;
        Ok(pending)
    }

    /// Hashes an input for pairs of a signature and a key that may have made it, both by their numbers. Nothing is read for no pair.
    ///
    /// # Errors
    /// The input cannot be read.
    fn hashed<'q>(
        &'q self,
        form: &'q MessageForm,
        signatures: &'q Signatures,
        pairs: Vec<(usize, usize)>,
        input: &mut dyn Input,
    ) -> Result<Pending<'q>, Error> {
        let several = pairs.iter().any(|(_, key)| *key != pairs[0].1);
        let mut pending = Pending::new(form, signatures, No::Mismatch { several, plain: form.is_plain() });
        if pairs.is_empty() {
            return Ok(pending);
        }
        let of_pair = |(signature, key): &(usize, usize)| {
            let key = &self.keys[*key];
            (key.algorithm(), key.expanded().bound_hash(), &signatures.known[*signature].bytes[..])
        };
        let asked: Vec<_> = pairs.iter().map(of_pair).collect();
        let (hashed, bytes) = form.to_verify(self.level, &asked, input)?;
        let candidate = |((signature, key), hashed)| Contender { signature, key, hashed };
        pending.candidates = pairs.into_iter().zip(hashed).map(candidate).collect();
        pending.bytes = bytes;
        Ok(pending)
    }

    /// Returns those of the pairs in which the signature says that it is by the key.
    fn named(&self, signatures: &Signatures, pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
        let claims: Vec<_> = signatures.known.iter().map(Claims::of).collect();
        let is_named = |(signature, key): &&(usize, usize)| {
            let fingerprint = &self.keys[*key].public.fingerprint;
            claims[*signature].as_ref().is_some_and(|claims| claims.is_by(fingerprint))
        };
        pairs.iter().filter(is_named).copied().collect()
    }

    /// Decides several together: in each round by one candidate of each whose verdict is open.
    fn decide(&self, work: &mut Vec<u8>, pending: &mut [&mut Pending<'_>]) {
        loop {
            let open = |it: &mut Pending<'_>| it.advance(self.keys, self.required);
            let due: Vec<_> = (0..pending.len()).filter(|i| open(pending[*i])).collect();
            if due.is_empty() {
                return;
            }
            let questions = due.iter().map(|i| pending[*i].question(self.keys)).collect();
            let answers = among(questions, |items| verified_together(&items, work));
            for (i, answer) in due.iter().zip(answers) {
                let signatures = pending[*i].signatures;
                let malformed = |signature: usize, key: usize| {
                    No::of_malformed(&signatures.known[signature], self.keys[key].algorithm())
                };
                let form = pending[*i].form;
                let counts = |key: &TrustedKey| key.terms.fault(form, self.clock).map(|it| it.is_none());
                pending[*i].take(answer.flatten(), counts, self.keys, malformed);
            }
        }
    }

    /// Returns the verdict, with what is known about a NO.
    fn conclude(&self, work: &mut Vec<u8>, pending: Pending<'_>) -> Result<Verdict, Error> {
        let distinct = pending.distinct(self.keys);
        let Pending { form, signatures, explainers, bytes, counted, void, no, failure, .. } = pending;
        if let Some(e) = failure {
            return Err(e);
        }
        let ignored = signatures.unknown.clone();
        let keys: Vec<_> = counted.iter().map(|it| it.key).collect();
        if distinct >= self.required {
            // The policy is applied a second time: a fault of the machine must not turn its NO into YES.
            let mut each = Vec::new();
            for it in &counted {
                if black_box(&self.keys[it.key].terms).fault(form, self.clock)?.is_none() {
                    each.push(it.yes);
                }
            }
            let yes = Yes::of_all(&each, self.required.max(black_box(self.rule).count(self.keys)));
            return Ok(Verdict::Yes(Match { keys, bytes, yes, ignored }));
        }
        let fault = match void.first().map(|it| &self.keys[it.key]) {
            Some(key) => key.terms.fault(form, self.clock)?.map(|fault| (key.name(), fault)),
            None => None,
        };
        let signer = fault.as_ref().and(void.first()).map(|it| &self.keys[it.key]);
        let signer = signer.map(|key| (key.algorithm(), key.public.fingerprint.clone()));
        let no = match fault {
            Some((key, fault)) => {
                No::Void { words: format!("signed by {key}, {fault}"), reason: fault.reason(), hint: fault.hint() }
            }
            None if !keys.is_empty() => No::TooFew { found: distinct, required: self.required },
            None => no,
        };
        // Only here, after the answer, is it looked at what the signatures say of themselves: of the first that counts
        // for nothing.
        let is_settled = |i: &usize| counted.iter().chain(&void).any(|it| it.signature == *i);
        let unsettled = (0..signatures.known.len()).find(|i| !is_settled(i));
        let claims = unsettled.and_then(|i| Claims::of(&signatures.known[i]));
        let explainer = explainers.into_iter().nth(unsettled.unwrap_or(usize::MAX));
        let explanation = explainer.map(|explainer| explainer.explain(work, claims.as_ref()));
        let hint = match (&no, &claims, &explanation) {
            // The hint is part of the explanation; or what was found out is better than what somebody wrote.
            (No::Mismatch { .. }, _, Some(_)) => None,
            (No::Mismatch { .. }, Some(claims), _) => Some(Hint::from(claims.cause(self.keys, form))),
            (No::Algorithm { .. }, Some(claims), _) => {
                Some(Hint::from(format!("{}: {}", GIVE_THE_SIGNER_S, claims.signer())))
            }
            (No::TooFew { .. }, _, _) => Some(Hint::from(self.missing(&keys))),
            (No::Unexpected { .. }, _, _) => Some(Hint::from(self.given_fingerprints())),
            _ => no.hint().map(Hint::from),
        };
        Ok(Verdict::No(Refused { no, hint, explanation, claims, ignored, signer }))
    }

    /// Names keys whose signature is missing.
    fn missing(&self, counted: &[usize]) -> String {
        let has_signed = |key: &TrustedKey| counted.iter().any(|it| self.keys[*it].identity() == key.identity());
        let missing: Vec<_> = self.expected().filter(|(_, key)| !has_signed(key)).map(|(_, key)| key.name()).collect();
        let names = missing.iter().take(SHOWN_KEYS).cloned().collect::<Vec<_>>().join(", ");
        let more = missing.len().saturating_sub(SHOWN_KEYS);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("ask the signers for the missing signatures: no signature by {names}{more}")
    }

    /// Returns the hint for an expected fingerprint that no given key has: the fingerprints of the given keys.
    fn given_fingerprints(&self) -> String {
        let given: Vec<_> = self.keys.iter().map(|key| &key.public.fingerprint[..]).collect();
        let names = given.iter().take(SHOWN_KEYS).copied().collect::<Vec<_>>().join(", ");
        let subject = match given.len() {
            1 => format!("the fingerprint of the given public key is {names}"),
            2..=SHOWN_KEYS => format!("the fingerprints of the given public keys are {names}"),
            count => format!("the fingerprints of the given public keys are {names} and {} more", count - SHOWN_KEYS),
        };
        format!("ask the signer which fingerprint is right: {subject}")
    }

    /// Returns the numbers of the keys that count and may have made a signature.
    fn possible(&self, form: &MessageForm, signature: &Object) -> impl Iterator<Item = usize> {
        let may_be = |key: &TrustedKey| {
            let algorithm = key.algorithm();
            signature.fits(algorithm) && form.check(algorithm).is_ok()
        };
        self.expected().filter(move |(_, key)| may_be(key)).map(|(number, _)| number)
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
        if let Some(missing) = &self.missing_key {
            return Ok(Some(No::Unexpected { missing: missing.clone() }));
        }
        let is_expected = |algorithm: &Algorithm| self.expected().any(|(_, key)| key.algorithm() == *algorithm);
        let keys: Vec<_> = Algorithm::all_with_toys().filter(is_expected).collect();
        if let Some(no) = No::of_algorithms(signature, &keys) {
            return Ok(Some(no));
        }
        let possible: Vec<_> = keys.iter().filter(|key| signature.fits(**key)).collect();
        let Some(first) = possible.first() else { return Ok(Some(No::Encoding)) };
        let read = self.encoding.and_then(|_| Signature::of_algorithm(**first, &signature.bytes).ok());
        if let (Some(wanted), Some(found)) = (self.encoding, read.map(|read| read.encoding()))
            && wanted != found
        {
            return Ok(Some(No::OtherEncoding { found, wanted }));
        }
        let formed = possible.iter().any(|key| form.check(**key).is_ok());
        if formed { Ok(None) } else { form.check(**first).map(|()| None) }
    }
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
