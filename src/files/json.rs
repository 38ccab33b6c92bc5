//! Parses JSON objects (RFC 8259). This small parser is sufficient for keys and headers in JSON, so
//! the library does not depend on a JSON crate.
//!
//! A string can be a private key in base64. The parser wipes strings on drop, and copies only the
//! names of members. The parser compares the characters only with constants that are not in the
//! base64 alphabet, so no branch depends on the private key.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The maximum nesting depth of objects and arrays. A key has a depth of two.
const MAX_DEPTH: usize = 16;

/// The maximum number of members in an object. The limit is necessary because each name is compared
/// with all previous names.
const MAX_MEMBERS: usize = 64;

/// A JSON value. The parser does not return the value of numbers.
#[derive(PartialEq, Eq)]
#[cfg_attr(test, derive(Debug))]
pub(super) enum JsonValue {
    /// A string.
    Text(Zeroizing<String>),
    /// An object.
    Object(JsonFields),
    /// An array.
    Array(Vec<JsonValue>),
    /// `true` or `false`.
    Bool(bool),
    /// A number or `null`.
    Other,
}

impl JsonValue {
    /// Returns the string, or `None` if the value is not a string.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// The members of a JSON object, in the order of the file. All names are different.
#[derive(Default, PartialEq, Eq)]
#[cfg_attr(test, derive(Debug))]
pub(super) struct JsonFields(Vec<(String, JsonValue)>);

impl JsonFields {
    /// Parses a file that contains a single object. Returns `None` if the file is not JSON, if an
    /// object has too many members or two members with the same name, or if the nesting is too
    /// deep.
    pub(super) fn parse(data: &[u8]) -> Option<Self> {
        let mut parser = JsonParser { rest: core::str::from_utf8(data).ok()? };
        match parser.value(0)? {
            JsonValue::Object(object) if parser.rest.is_empty() => Some(object),
            _ => None,
        }
    }

    /// Returns the member with this name.
    pub(super) fn member(&self, name: &str) -> Option<&JsonValue> {
        let (_, value) = self.0.iter().find(|(member_name, _)| member_name == name)?;
        Some(value)
    }

    /// Returns the member with this name, if it is a string.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.member(name)?.text()
    }
}

/// A parser with its position in a JSON text.
struct JsonParser<'a> {
    /// The part of the text that is not parsed yet.
    rest: &'a str,
}

impl JsonParser<'_> {
    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
    }

    /// Removes `text` from the start of the input, and returns whether the input began with `text`.
    fn skip(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next();
        self.rest = chars.as_str();
        next
    }

    /// Parses a value and the blanks around it. `depth` is the number of objects and arrays that
    /// contain the value.
    fn value(&mut self, depth: usize) -> Option<JsonValue> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.skip_blanks();
        let value = if self.skip("{") {
            JsonValue::Object(self.members(depth + 1)?)
        } else if self.skip("[") {
            JsonValue::Array(self.items(depth + 1)?)
        } else if self.skip("\"") {
            JsonValue::Text(self.text()?)
        } else if self.skip("true") {
            JsonValue::Bool(true)
        } else if self.skip("false") {
            JsonValue::Bool(false)
        } else if self.skip("null") || self.number() {
            JsonValue::Other
        } else {
            return None;
        };
        self.skip_blanks();
        Some(value)
    }

    /// Parses an object after the opening brace.
    fn members(&mut self, depth: usize) -> Option<JsonFields> {
        let mut object = JsonFields::default();
        self.skip_blanks();
        if self.skip("}") {
            return Some(object);
        }
        loop {
            self.skip_blanks();
            let name = if self.skip("\"") { self.text()?.as_str().to_owned() } else { return None };
            self.skip_blanks();
            if object.0.len() == MAX_MEMBERS || object.member(&name).is_some() || !self.skip(":") {
                return None;
            }
            object.0.push((name, self.value(depth)?));
            if self.skip("}") {
                return Some(object);
            }
            if !self.skip(",") {
                return None;
            }
        }
    }

    /// Parses an array after the opening bracket.
    fn items(&mut self, depth: usize) -> Option<Vec<JsonValue>> {
        let mut items = Vec::new();
        self.skip_blanks();
        if self.skip("]") {
            return Some(items);
        }
        loop {
            items.push(self.value(depth)?);
            if self.skip("]") {
                return Some(items);
            }
            if !self.skip(",") {
                return None;
            }
        }
    }

    /// Parses a string after the opening quotation mark.
    fn text(&mut self) -> Option<Zeroizing<String>> {
        // The buffer must not grow, because a buffer that grows would leave a copy of a secret in
        // its old memory. The capacity is sufficient, because an escape is always longer than the
        // character that it encodes.
        let mut text = Zeroizing::new(String::with_capacity(self.text_len()?));
        loop {
            match self.next()? {
                '"' => return Some(text),
                '\\' => text.push(self.parse_escape()?),
                '\0'..='\x1f' => return None,
                c => text.push(c),
            }
        }
    }

    /// Returns the number of bytes before the closing quotation mark.
    fn text_len(&self) -> Option<usize> {
        let bytes = self.rest.as_bytes();
        let mut index = 0;
        loop {
            match bytes.get(index)? {
                b'"' => return Some(index),
                b'\\' => index += 2,
                _ => index += 1,
            }
        }
    }

    /// Parses an escape after the backslash.
    fn parse_escape(&mut self) -> Option<char> {
        match self.next()? {
            c @ ('"' | '\\' | '/') => Some(c),
            'b' => Some('\x08'),
            'f' => Some('\x0c'),
            'n' => Some('\n'),
            'r' => Some('\r'),
            't' => Some('\t'),
            'u' => match self.code_unit()? {
                // A character above U+FFFF is written as two escapes (RFC 8259, section 7).
                high @ 0xd800..=0xdbff if self.skip("\\u") => match self.code_unit()? {
                    low @ 0xdc00..=0xdfff => char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)),
                    _ => None,
                },
                code => char::from_u32(code),
            },
            _ => None,
        }
    }

    /// Parses four hexadecimal digits.
    fn code_unit(&mut self) -> Option<u32> {
        let mut code = 0;
        for _ in 0..4 {
            code = code << 4 | self.next()?.to_digit(16)?;
        }
        Some(code)
    }

    /// Removes all digits at the start of the input, and returns their number.
    fn digits(&mut self) -> usize {
        let len_before = self.rest.len();
        self.rest = self.rest.trim_start_matches(|c: char| c.is_ascii_digit());
        len_before - self.rest.len()
    }

    /// Removes a number from the start of the input, and returns whether the number was
    /// well-formed.
    fn number(&mut self) -> bool {
        self.skip("-");
        if !self.skip("0") && self.digits() == 0 {
            return false;
        }
        if self.skip(".") && self.digits() == 0 {
            return false;
        }
        if !self.skip("e") && !self.skip("E") {
            return true;
        }
        let _ = self.skip("+") || self.skip("-");
        self.digits() > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use std::vec;

    fn parse(text: &str) -> Option<JsonFields> {
        JsonFields::parse(text.as_bytes())
    }

    #[test]
    fn strings_and_objects_are_returned() {
        let text =
            " {\"a\" : \"x\\n\\u0041\\ud83d\\ude00\\/\", \"b\":{\"c\":\"\"},\"d\":[1,-0.5e+3,[],{}],\"e\":null}\n";
        let object = parse(text).unwrap();
        assert_eq!(object.text("a"), Some("x\nA\u{1f600}/"));
        let JsonValue::Object(inner) = object.member("b").unwrap() else { panic!("not an object") };
        assert_eq!(inner.text("c"), Some(""));
        let inner = [JsonValue::Array(vec![]), JsonValue::Object(JsonFields(vec![]))];
        let items = [JsonValue::Other, JsonValue::Other].into_iter().chain(inner);
        assert_eq!(object.member("d"), Some(&JsonValue::Array(items.collect())));
        assert_eq!(object.member("e"), Some(&JsonValue::Other));
        assert_eq!((object.text("b"), object.text("f")), (None, None));
        let text = parse("{\"a\":true,\"b\":false}").unwrap();
        assert_eq!(text.member("a"), Some(&JsonValue::Bool(true)));
        assert_eq!(text.member("b"), Some(&JsonValue::Bool(false)));
        assert_eq!(parse("{}"), Some(JsonFields(vec![])));
    }

    /// Tests that this parser and `serde_json` accept the same texts, for valid objects with random
    /// changes. The names differ in many characters, so that no change makes two names equal: this
    /// parser rejects equal names, and `serde_json` accepts them.
    #[test]
    fn the_parser_accepts_the_same_texts_as_serde_json() {
        let good =
            r#"{"first":"x\u00e9\n\ud83d\ude00","second":{"inner":[1,2.5e-3,-0,true,null],"other":""} , "last":false}"#;
        let pieces =
            ["\"", "\\", "{", "}", "[", "]", ":", ",", "0", "1", "-", ".", "e", "u", "\\ud800", "true", " ", "\t"];
        let mut state = 1u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % below
        };
        let mut accepted = 0;
        for _ in 0..20_000 {
            let mut text: Vec<char> = good.chars().collect();
            for _ in 0..=random(2) {
                let at = random(text.len());
                match random(3) {
                    0 => drop(text.remove(at)),
                    1 => drop(text.splice(at..at, pieces[random(pieces.len())].chars())),
                    _ => drop(text.splice(at..=at, pieces[random(pieces.len())].chars())),
                }
            }
            let text: String = text.into_iter().collect();
            let theirs = serde_json::from_str::<serde_json::Value>(&text).is_ok_and(|value| value.is_object());
            assert_eq!(parse(&text).is_some(), theirs, "{text}");
            accepted += usize::from(theirs);
        }
        assert!((500..15_000).contains(&accepted), "{accepted}");
    }

    #[test]
    fn ambiguous_or_deeply_nested_json_is_rejected() {
        assert_eq!(parse(r#"{"a":"1","a":"1"}"#), None);
        assert_eq!(parse(r#"{"b":{"a":1,"\u0061":2}}"#), None);
        assert_eq!(parse("{}{}"), None);
        assert_eq!(parse("[{}]"), None);
        assert_eq!(JsonFields::parse(b"{\"a\":\"\xff\"}"), None);
        let nested = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&nested(MAX_DEPTH)).is_some());
        assert!(parse(&nested(MAX_DEPTH + 1)).is_none());
        assert!(parse(&nested(1_000_000)).is_none());
        let object_with = |count: usize| {
            let members: Vec<_> = (0..count).map(|i| format!("\"{i}\":0")).collect();
            format!("{{{}}}", members.join(","))
        };
        assert!(parse(&object_with(MAX_MEMBERS)).is_some());
        assert!(parse(&object_with(MAX_MEMBERS + 1)).is_none());
    }
}
