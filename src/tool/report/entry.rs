//! The result for a file or signature in the JSON document.

use super::escape::shown;
use super::keytext;
use super::{Error, Hint};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fndsa::Algorithm;
use serde_json::{Map, Value, json};
use std::path::Path;

/// The members of an object in the array `results`.
#[derive(Default)]
pub struct ResultEntry(Map<String, Value>);

impl ResultEntry {
    /// Creates a result for a file.
    pub fn of(path: &Path) -> Self {
        Self::default().path("path", path)
    }

    /// Sets a member to a file name. `name` is the member's name. If the file name is not UTF-8, a
    /// second member, with the suffix `_b64`, contains the file name in base64. If the user gave
    /// key text instead of a file name, the value is a placeholder.
    pub fn path(mut self, name: &str, path: &Path) -> Self {
        if keytext::kind_of(path.as_os_str()).is_some() {
            return self.set(name, json!(shown(path)));
        }
        let bytes = path.as_os_str().as_encoded_bytes();
        if std::str::from_utf8(bytes).is_err() {
            self.0.insert(format!("{name}_b64"), json!(STANDARD.encode(bytes)));
        }
        self.set(name, json!(path.to_string_lossy()))
    }

    /// Sets the member with this name.
    pub fn set(mut self, name: &str, value: Value) -> Self {
        self.0.insert(name.to_owned(), value);
        self
    }

    /// Sets the algorithm.
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        self.set("algorithm", json!(algorithm.to_string()))
    }

    /// Sets the key that created or verified the signature.
    pub fn key(self, fingerprint: &str) -> Self {
        self.set("key", json!({ "fingerprint": fingerprint }))
    }

    /// Sets the status for success.
    pub fn ok(self) -> Self {
        self.set("status", json!("ok"))
    }

    /// Sets the status `failed` (the verdict NO), with the reason.
    pub fn failed(self, reason: &str, message: &str, hint: &Hint) -> Self {
        self.set("status", json!("failed")).explained(reason, message, hint)
    }

    /// Sets the status for an error, with the reason.
    pub fn error(self, error: &Error) -> Self {
        self.set("status", json!("error")).explained(error.reason(), &error.to_string(), &error.hint())
    }

    fn explained(self, reason: &str, message: &str, hint: &Hint) -> Self {
        let entry = self.set("reason", json!(reason)).set("message", json!(message));
        if let Some(hint) = hint.text() { entry.set("hint", json!(hint)) } else { entry }
    }

    /// Returns the result as a JSON object.
    pub fn into_value(self) -> Value {
        Value::Object(self.0)
    }
}
