//! Parses requests. A request is a line with a JSON object, which must not contain unknown or
//! repeated members.

use crate::tool::io::requests::RequestLine;
use crate::tool::io::{FileInput, Input, InputSource, MemoryInput};
use crate::tool::report::escape::{is_visible, shown};
use crate::tool::report::keytext::{self, LeakedKeyText};
use crate::tool::report::{Error, ResultEntry};
use crate::tool::system::listed;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fndsa::algorithm::MAX_CONTEXT_LEN;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::error::Category;
use serde_json::{Value, json};
use std::fmt;
use std::path::Path;

/// The name of the schema, to be included in all answers.
pub const SCHEMA: &str = "fndsa/stream@1";
/// The maximum length, in bytes, of an unknown member's name in the error message. The message
/// omits a longer name.
const LONGEST_NAME: usize = 40;

/// The operation that a stream of requests asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestKind {
    /// The requests ask for signatures.
    Sign,
    /// The requests ask for verdicts.
    Verify,
}

/// The message to sign or to verify.
pub enum RequestMessage {
    /// The message is the contents of this file.
    File(InputSource),
    /// The message is in the request.
    Bytes(Vec<u8>),
}

impl RequestMessage {
    /// Returns the message as an input, without reading it.
    pub fn input(&self) -> Box<dyn Input + '_> {
        match self {
            Self::Bytes(message) => Box::new(MemoryInput::new(&"message_b64", message)),
            Self::File(source) => Box::new(FileInput::requested(source)),
        }
    }

    /// Returns the file that contains the message, or `None` if the request itself contains the
    /// message.
    pub fn source(&self) -> Option<&InputSource> {
        if let Self::File(source) = self { Some(source) } else { None }
    }
}

/// A valid request.
pub struct Request {
    /// The message to sign or verify.
    pub subject: RequestMessage,
    /// The contents of a signature file. Always `None` in requests to sign. If `None` in a request
    /// to verify a file, fndsa reads the signature from the signature file next to this file.
    pub signature: Option<Vec<u8>>,
    /// The context to use instead of the context from the options.
    pub context: Option<Vec<u8>>,
}

/// A parsed line with the first members of the answer.
pub struct ParsedRequest {
    /// The first members of the answer, which do not depend on the result: the schema, the line
    /// number, `id` and `path`.
    pub entry: ResultEntry,
    /// The request, or the error to report if the line is not valid.
    pub request: Result<Request, Error>,
}

impl ParsedRequest {
    /// Parses a line.
    pub fn of(line: RequestLine, kind: RequestKind) -> Self {
        let entry = ResultEntry::default().set("schema", json!(SCHEMA)).set("line", json!(line.number));
        let members = match line.text {
            Some(text) => members(&text),
            None => Err(Error::LongRequest),
        };
        let mut members = match members {
            Ok(members) => members,
            Err(e) => return Self { entry: entry.set("id", Value::Null), request: Err(e) },
        };
        let (id, id_check) = match members.take("id") {
            Ok(id) if matches!(id, None | Some(Value::Null | Value::String(_))) => (id, Ok(())),
            Ok(Some(id)) if id.is_i64() || id.is_u64() => (Some(id), Ok(())),
            Ok(_) => (None, Err(wrong("\"id\" must be a string, a 64-bit integer or null"))),
            Err(e) => (None, Err(e)),
        };
        let mut entry = entry.set("id", id.unwrap_or_default());
        let path = members.take_text("path");
        if let Ok(Some(path)) = &path {
            entry = entry.path("path", Path::new(path));
        }
        let request = match (id_check, path) {
            (Ok(()), Ok(path)) => members.request(path, kind),
            (Err(e), _) | (Ok(()), Err(e)) => Err(e),
        };
        Self { entry, request }
    }
}

/// The members of a JSON object in order. They can include repeated names. Code derived by serde
/// would reject a repeated name as soon as it finds the second member, possibly before it has read
/// the `id` for the answer.
struct JsonMembers(Vec<(String, Value)>);

/// Parses a line as a JSON object.
fn members(text: &[u8]) -> Result<JsonMembers, Error> {
    let e = match serde_json::from_slice(text) {
        Ok(members) => return Ok(members),
        Err(e) => e,
    };
    Err(match e.classify() {
        Category::Eof if text.trim_ascii().is_empty() => wrong("the line is empty"),
        Category::Eof => wrong("the JSON on the line is cut off"),
        Category::Syntax | Category::Io => Error::Request { what: format!("the line is not JSON: {e}") },
        Category::Data => wrong("the line is not a JSON object"),
    })
}

fn wrong(what: &str) -> Error {
    Error::Request { what: what.to_owned() }
}

impl JsonMembers {
    /// Removes a member and returns its value, or `None` if the member is missing. Fails if the
    /// member occurs twice.
    fn take(&mut self, name: &str) -> Result<Option<Value>, Error> {
        let Some(at) = self.0.iter().position(|member| member.0 == name) else { return Ok(None) };
        let (_, value) = self.0.swap_remove(at);
        if self.0.iter().any(|member| member.0 == name) {
            return Err(Error::Request { what: format!("the member \"{name}\" appears twice") });
        }
        Ok(Some(value))
    }

    /// Removes a member as [`Self::take`] does, and returns its string. Also fails if the value is
    /// not a string.
    fn take_text(&mut self, name: &str) -> Result<Option<String>, Error> {
        match self.take(name)? {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Error::Request { what: format!("\"{name}\" must be a string") }),
        }
    }

    /// Removes a member as [`Self::take_text`] does, and decodes its string from base64.
    fn take_bytes(&mut self, name: &'static str) -> Result<Option<Vec<u8>>, Error> {
        let Some(text) = self.take_text(name)? else { return Ok(None) };
        match STANDARD.decode(text) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(source) => Err(Error::NotBase64 { name, source }),
        }
    }

    /// Parses the members that remain after removing `id` and `path`. Fails if any of them is
    /// unknown.
    fn request(mut self, path: Option<String>, kind: RequestKind) -> Result<Request, Error> {
        let context = self.take_text("context")?.map(String::into_bytes);
        let message = self.take_bytes("message_b64")?;
        let signature = if kind == RequestKind::Verify { self.take_bytes("signature_b64")? } else { None };
        if let Some((name, _)) = self.0.first() {
            let is_name = name.len() <= LONGEST_NAME && is_visible(name);
            let name = if is_name { format!(" \"{name}\"") } else { String::new() };
            return Err(Error::Request { what: format!("the member{name} is unknown") });
        }
        let subject = match (path, message) {
            (Some(path), None) => RequestMessage::File(file(&path)?),
            (None, Some(message)) => RequestMessage::Bytes(message),
            (Some(_), Some(_)) => {
                return Err(wrong("\"path\" and \"message_b64\" are both given, but a request has only one message"));
            }
            (None, None) => return Err(wrong("\"path\" or \"message_b64\" is missing")),
        };
        if kind == RequestKind::Verify && signature.is_none() && matches!(subject, RequestMessage::Bytes(_)) {
            return Err(wrong("\"signature_b64\" is missing"));
        }
        if let Some(context) = &context
            && context.len() > MAX_CONTEXT_LEN
        {
            return Err(Error::ContextLen(context.len()));
        }
        Ok(Request { subject, signature, context })
    }
}

/// Returns the source for the path in a request. Rejects key material, standard input and paths
/// that cannot name a file.
fn file(path: &str) -> Result<InputSource, Error> {
    if let Some(kind) = keytext::kind_of(Path::new(path).as_os_str()) {
        let location = "\"path\"".to_owned();
        return Err(Error::KeyText(LeakedKeyText {
            location,
            kind,
            expected: "a file name",
            hint: "give the name of a file as \"path\"",
        }));
    }
    let named = match listed(path.as_bytes()) {
        Ok(named) if !named.as_os_str().is_empty() && !path.contains('\0') => named,
        _ => return Err(wrong("\"path\" names no file")),
    };
    if InputSource::from_arg(&named) == InputSource::Stdin {
        return Err(Error::Request {
            what: format!("the requests come from {}, so this input cannot also be a message", shown(named)),
        });
    }
    Ok(InputSource::File(named))
}

impl<'de> Deserialize<'de> for JsonMembers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;

        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = JsonMembers;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<JsonMembers, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(JsonMembers(members))
            }
        }

        deserializer.deserialize_map(MembersVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the first members of the answer, and the error as text.
    fn read(text: &[u8], kind: RequestKind) -> (Value, Option<String>) {
        let line = RequestLine { number: 7, text: Some(text.to_vec()) };
        let ParsedRequest { entry, request } = ParsedRequest::of(line, kind);
        (entry.into_value(), request.err().map(|e| format!("{} {e}", e.exit().code())))
    }

    #[test]
    fn errors_in_a_request_are_reported() {
        let long = format!(r#"{{"path":"a","context":"{}"}}"#, "x".repeat(256));
        for (text, why) in [
            ("", "3 this is not a valid request: the line is empty"),
            (" \r", "3 this is not a valid request: the line is empty"),
            ("{", "3 this is not a valid request: the JSON on the line is cut off"),
            ("{]", "3 this is not a valid request: the line is not JSON: key must be a string at line 1 column 2"),
            ("[]", "3 this is not a valid request: the line is not a JSON object"),
            ("\"path\"", "3 this is not a valid request: the line is not a JSON object"),
            ("{} {}", "3 this is not a valid request: the line is not JSON: trailing characters at line 1 column 4"),
            ("{}", "3 this is not a valid request: \"path\" or \"message_b64\" is missing"),
            (
                r#"{"path":"a","message_b64":""}"#,
                "3 this is not a valid request: \"path\" and \"message_b64\" are both given, but a request has only one message",
            ),
            (r#"{"path":"a","path":"b"}"#, "3 this is not a valid request: the member \"path\" appears twice"),
            (r#"{"path":5}"#, "3 this is not a valid request: \"path\" must be a string"),
            (r#"{"path":null}"#, "3 this is not a valid request: \"path\" must be a string"),
            (r#"{"path":""}"#, "3 this is not a valid request: \"path\" names no file"),
            (r#"{"path":"a\u0000b"}"#, "3 this is not a valid request: \"path\" names no file"),
            (
                r#"{"path":"-"}"#,
                "3 this is not a valid request: the requests come from -, so this input cannot also be a message",
            ),
            #[cfg(unix)]
            (
                r#"{"path":"/dev/stdin"}"#,
                "3 this is not a valid request: the requests come from /dev/stdin, so this input cannot also be a message",
            ),
            (r#"{"path":"a","pth":"b"}"#, "3 this is not a valid request: the member \"pth\" is unknown"),
            (r#"{"path":"a","\u0007":"b"}"#, "3 this is not a valid request: the member is unknown"),
            (
                r#"{"path":"a","signature_b64":"AA=="}"#,
                "3 this is not a valid request: the member \"signature_b64\" is unknown",
            ),
            (
                r#"{"path":"a","id":1.5}"#,
                "3 this is not a valid request: \"id\" must be a string, a 64-bit integer or null",
            ),
            (
                r#"{"path":"a","id":99999999999999999999}"#,
                "3 this is not a valid request: \"id\" must be a string, a 64-bit integer or null",
            ),
            (
                r#"{"path":"a","id":{}}"#,
                "3 this is not a valid request: \"id\" must be a string, a 64-bit integer or null",
            ),
            (r#"{"message_b64":"AA"}"#, "3 message_b64: this is not base64: Invalid padding"),
            (r#"{"message_b64":"A A="}"#, "3 message_b64: this is not base64: Invalid symbol 32, offset 1."),
            (&long, "2 a context has at most 255 bytes, and this context has 256"),
        ] {
            let (answer, found) = read(text.as_bytes(), RequestKind::Sign);
            assert_eq!((answer["line"].as_u64(), found.as_deref()), (Some(7), Some(why)), "{text}");
        }
        let (_, found) = read(b"{\"path\":\"\xff\"}", RequestKind::Sign);
        assert!(found.is_some_and(|why| why.contains("the line is not JSON: invalid unicode code point")));
        let (_, found) = read(br#"{"message_b64":""}"#, RequestKind::Verify);
        assert_eq!(found.as_deref(), Some("3 this is not a valid request: \"signature_b64\" is missing"));
    }

    #[test]
    fn the_identifier_is_returned_unchanged() {
        for id in ["null", "\"a\"", "\"\"", "5", "-9223372036854775808", "18446744073709551615"] {
            let (answer, wrong) = read(format!(r#"{{"id":{id},"path":"a"}}"#).as_bytes(), RequestKind::Sign);
            assert_eq!((answer["id"].to_string().as_str(), wrong), (id, None));
            // The answer contains the `id` even if a different member has an error.
            let (answer, wrong) = read(format!(r#"{{"path":5,"id":{id}}}"#).as_bytes(), RequestKind::Sign);
            assert!(answer["id"] == serde_json::from_str::<Value>(id).unwrap() && wrong.is_some());
        }
        assert_eq!(read(br#"{"path":"a"}"#, RequestKind::Sign).0["id"], Value::Null);
    }

    #[test]
    fn key_text_is_not_printed() {
        let text = format!(r#"{{"path":"-----BEGIN FNDSA PRIVATE KEY-----{}"}}"#, "Ab1".repeat(100));
        let (answer, wrong) = read(text.as_bytes(), RequestKind::Sign);
        assert!(!format!("{answer} {wrong:?}").contains("Ab1Ab1"), "{answer} {wrong:?}");
    }
}
