//! Trusted keys and key lines in JSON.

use crate::tool::message::form::context_value;
use crate::tool::report::{Entry, Error};
use fndsa::files::{Date, Kind, Object};
use fndsa::verdict::{KeyTerms, PublicKey, PublicKeyError, TrustedKey};
use serde_json::{Value, json};

/// Checks the public key in `object`. `from` is the name of its file.
///
/// # Errors
/// The key is not valid, or it is of another algorithm than the file names.
pub fn checked_public_key(object: &Object, from: impl ToString) -> Result<PublicKey, Error> {
    let kind = Kind::VerifyingKey;
    PublicKey::check(object).map_err(|e| match e {
        PublicKeyError::OtherContent { stated, found } => {
            Error::OtherContent { from: from.to_string(), kind, stated, found }
        }
        PublicKeyError::Key(source) => Error::Key { from: from.to_string(), kind, source },
    })
}

/// Returns the key lines: a member for each line, null if the key lacks it.
pub fn key_terms_value(terms: &KeyTerms) -> Value {
    let day = |day: Option<Date>| day.map(|day| day.to_string());
    json!({
        "name": terms.name,
        "not_before": day(terms.not_before),
        "not_after": day(terms.not_after),
        "revoked": terms.revoked,
        "context": terms.context.as_ref().map(|context| context_value(context)),
    })
}

/// Adds the keys that have signed to a result: those of `numbers`, the first of them also as the one key.
pub fn describe_keys(entry: Entry, keys: &[TrustedKey], numbers: &[usize]) -> Entry {
    let signers: Vec<_> = numbers.iter().filter_map(|number| keys.get(*number)).collect();
    let Some(first) = signers.first() else { return entry };
    let entry = entry.algorithm(first.algorithm()).key(&first.public.fingerprint);
    let is_plain = signers.len() == 1 && first.terms.name.is_none();
    let value = |key: &&TrustedKey| json!({ "algorithm": key.algorithm().to_string(), "fingerprint": key.public.fingerprint, "name": key.terms.name });
    if is_plain { entry } else { entry.set("keys", signers.iter().map(value).collect()) }
}
