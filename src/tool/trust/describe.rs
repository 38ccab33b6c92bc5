//! Checks public keys, and describes trusted keys and key lines in JSON.

use crate::tool::message::form::context_value;
use crate::tool::report::{Error, ResultEntry};
use fndsa::files::{Date, FileObject, ObjectKind};
use fndsa::verdict::{KeyTerms, PublicKey, PublicKeyError, TrustedKey};
use serde_json::{Value, json};

/// Checks the public key in `object`. `from` is the file's name in error messages.
///
/// # Errors
/// Fails if the key is not valid, or if the file names a different algorithm than the key's.
pub fn checked_public_key(object: &FileObject, from: impl ToString) -> Result<PublicKey, Error> {
    let kind = ObjectKind::VerifyingKey;
    match PublicKey::check(object) {
        Ok(key) => Ok(key),
        Err(PublicKeyError::OtherContent { stated, found }) => {
            Err(Error::OtherContent { from: from.to_string(), kind, stated, found })
        }
        Err(PublicKeyError::Key(source)) => Err(Error::Key { from: from.to_string(), kind, source }),
        Err(e) => Err(Error::Internal(format!("{}: {e:?}", from.to_string()))),
    }
}

/// Returns the values in the key lines (`name:`, `not-before:` and so on) of a key, as JSON. The
/// value for a missing line is null.
pub fn key_terms_value(terms: &KeyTerms) -> Value {
    json!({
        "name": terms.name,
        "not_before": terms.not_before.as_ref().map(Date::to_string),
        "not_after": terms.not_after.as_ref().map(Date::to_string),
        "revoked": terms.revoked,
        "context": terms.context.as_ref().map(|context| context_value(context)),
    })
}

/// Adds the keys with accepted signatures to a result. `numbers` contains the indices of these keys
/// in `keys`. `forms` contains, for each of these keys, the name of the encoding that its signature
/// covers, for example `tap21`. `forms` is empty if the file format has only one encoding. The
/// first key is added as the member `key`. If there are several keys, or if the key has a name, all
/// keys are added as the member `keys`.
pub fn describe_keys(
    entry: ResultEntry,
    keys: &[TrustedKey],
    numbers: &[usize],
    forms: &[&'static str],
) -> ResultEntry {
    let mut signers = Vec::with_capacity(numbers.len());
    for number in numbers {
        signers.extend(keys.get(*number));
    }
    let Some(first) = signers.first() else { return entry };
    let mut entry = entry.algorithm(first.algorithm()).key(&first.public.fingerprint);
    if let Some(form) = forms.first() {
        entry = entry.set("form", json!(form));
    }
    if signers.len() == 1 && first.terms.name.is_none() {
        return entry;
    }
    let mut values = Vec::with_capacity(signers.len());
    for (number, key) in signers.into_iter().enumerate() {
        let mut value = json!({
            "algorithm": key.algorithm().to_string(),
            "fingerprint": key.public.fingerprint,
            "name": key.terms.name,
        });
        if let Some(form) = forms.get(number) {
            value["form"] = json!(form);
        }
        values.push(value);
    }
    entry.set("keys", values.into())
}
