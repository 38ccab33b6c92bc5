//! Why a signature does not match: the same file under other options and keys. It names a cause
//! and never changes a verdict.
//!
//! Everything is collected in the one pass over the file that the verdict is made from.

use super::hex::hex;
use super::message::{Hasher, Head, Input, MessageForm, hasher};
use super::report::algorithm;
use super::trust::Trusted;
use fndsa::{Degree, Level, MU_LEN, Mu, MuBuilder, PreHash};
use serde_json::{Value, json};

/// Hashes of one file in every way that is tried.
pub struct Explainer<'a> {
    keys: &'a [Trusted],
    /// The keys of the signature's degree, by number.
    candidates: Vec<usize>,
    form: &'a MessageForm,
    level: Level,
    degree: Degree,
    /// What was asked for, and none.
    contexts: Vec<&'a [u8]>,
    /// For each candidate and each context.
    plain: Vec<MuBuilder>,
    hashers: Vec<(PreHash, Box<dyn Hasher>)>,
    head: Head,
}

/// What was found.
pub struct Explanation {
    /// In words.
    pub text: String,
    /// The options that match, for JSON.
    pub cause: Value,
}

/// One way in which the file may have been signed.
struct Attempt<'a> {
    key: usize,
    context: &'a [u8],
    input: Input,
    mu: Mu,
}

impl<'a> Explainer<'a> {
    /// For a signature of one degree.
    pub fn new(level: Level, keys: &'a [Trusted], form: &'a MessageForm, degree: Degree) -> Self {
        let candidates: Vec<_> = (0..keys.len()).filter(|i| keys[*i].key.degree() == degree).collect();
        let mut contexts = vec![&form.context[..]];
        if !form.context.is_empty() {
            contexts.push(&[]);
        }
        let plain = candidates.iter().flat_map(|i| {
            let hash = keys[*i].key.key_hash();
            // The lengths were checked when the options were read.
            contexts.iter().filter_map(move |context| MuBuilder::pure(level, &hash, context).ok())
        });
        let plain = plain.collect();
        let hashers = PreHash::all().map(|hash| (hash, hasher(hash))).collect();
        Self { keys, candidates, form, level, degree, contexts, plain, hashers, head: Head::new(MU_LEN) }
    }

    /// Whether any given key could have made the signature.
    pub fn has_candidates(&self) -> bool {
        !self.candidates.is_empty()
    }

    /// The next piece of the file.
    pub fn absorb(&mut self, piece: &[u8]) {
        self.plain.iter_mut().for_each(|builder| builder.update(piece));
        self.hashers.iter_mut().for_each(|(_, hasher)| hasher.absorb(piece));
        self.head.absorb(piece);
    }

    /// Tries everything against the signature.
    pub fn explain(self, signature: &[u8], work: &mut [u8]) -> Explanation {
        let nothing = |text: String| Explanation { text, cause: Value::Null };
        if self.candidates.is_empty() {
            let given: Vec<_> = self.keys.iter().map(Trusted::name).collect();
            let (name, given) = (algorithm(self.degree), given.join(", "));
            return nothing(format!("the signature is {name}, the keys given are {given}"));
        }
        let (keys, form) = (self.keys, self.form);
        let attempts = self.attempts();
        let tried = attempts.len();
        let found =
            attempts.into_iter().find(|attempt| keys[attempt.key].key.verify(&attempt.mu, signature, work).is_ok());
        match found {
            Some(attempt) => {
                let key = &keys[attempt.key];
                let prehash = match attempt.input {
                    Input::Mu => Value::Null,
                    Input::Message => json!("none"),
                    Input::ToHash(hash) | Input::Digest(hash) => json!(hash.name()),
                };
                let input = match attempt.input {
                    Input::Message | Input::ToHash(_) => "message",
                    Input::Digest(_) => "digest",
                    Input::Mu => "mu",
                };
                let cause = json!({
                    "key": { "fingerprint": key.fingerprint },
                    "context": { "hex": hex(attempt.context) },
                    "prehash": prehash,
                    "input": input,
                });
                Explanation { text: words(&attempt, key, form), cause }
            }
            None => nothing(format!(
                "no match in {tried} attempts with every given key, every pre-hash, and no context: \
                 the file was changed, another key signed it, or a context is missing"
            )),
        }
    }

    fn attempts(self) -> Vec<Attempt<'a>> {
        let mut attempts = Vec::new();
        let ways = self.candidates.iter().flat_map(|key| self.contexts.iter().map(move |context| (*key, *context)));
        let ways: Vec<_> = ways.collect();
        for ((key, context), builder) in ways.iter().zip(self.plain) {
            attempts.push(Attempt { key: *key, context, input: Input::Message, mu: builder.finish() });
        }
        for (hash, hasher) in self.hashers {
            let digests = [
                (Input::ToHash(hash), Some(hasher.digest())),
                (Input::Digest(hash), self.head.value(hash.digest_len())),
            ];
            for (input, digest) in digests {
                let Some(digest) = digest else { continue };
                for (key, context) in &ways {
                    let hash_of_key = self.keys[*key].key.key_hash();
                    let mu = Mu::prehashed(self.level, &hash_of_key, context, hash, &digest);
                    attempts.extend(mu.ok().map(|mu| Attempt { key: *key, context, input, mu }));
                }
            }
        }
        if let Some(mu) = self.head.value(MU_LEN).and_then(|mu| mu.try_into().ok()) {
            let mu = Mu::from_bytes(mu);
            attempts.extend(self.candidates.iter().map(|key| Attempt {
                key: *key,
                context: &[],
                input: Input::Mu,
                mu,
            }));
        }
        attempts
    }
}

/// What must be different for it to match.
fn words(attempt: &Attempt<'_>, key: &Trusted, form: &MessageForm) -> String {
    let mut parts = Vec::new();
    if attempt.input != form.input {
        parts.push(match attempt.input {
            Input::Message if form.input == Input::Mu => "without --mu".to_owned(),
            Input::Message => "with no pre-hash".to_owned(),
            Input::ToHash(hash) if form.input == Input::Mu => format!("with --prehash {}, without --mu", hash.name()),
            Input::ToHash(hash) if matches!(form.input, Input::Digest(_)) => {
                format!("with --prehash {}, without --prehashed", hash.name())
            }
            Input::ToHash(hash) => format!("with --prehash {}", hash.name()),
            Input::Digest(hash) => format!("with --prehash {} --prehashed", hash.name()),
            Input::Mu => "with --mu".to_owned(),
        });
    }
    if attempt.context != form.context {
        parts.push("with no context".to_owned());
    }
    if !key.expected {
        parts.push(format!("by {}, which --expect-key does not name", key.name()));
    }
    format!("the signature matches {}", parts.join(", "))
}
