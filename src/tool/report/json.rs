//! Writes JSON values as text. Invisible characters are escaped, so that a file name in a document
//! cannot confuse a terminal.
//!
//! The text has the form that the crate `serde_json` writes, in a single line. It is built in one
//! pass over the value, which takes a fifth of the instructions.

use fndsa::verdict::text::visible;
use serde_json::Value;
use std::fmt::Write;

/// The length in bytes for which memory is reserved. Most answers of `--stream` are shorter.
const USUAL_LEN: usize = 512;

/// Returns a value as text.
pub fn json_text(value: &Value) -> String {
    let mut text = String::with_capacity(USUAL_LEN);
    write_value(&mut text, value);
    text
}

/// Adds a value to a text.
pub fn write_value(text: &mut String, value: &Value) {
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(true) => text.push_str("true"),
        Value::Bool(false) => text.push_str("false"),
        // Writing to a text in memory never fails.
        Value::Number(number) => drop(write!(text, "{number}")),
        Value::String(string) => write_string(text, string),
        Value::Array(elements) => {
            let mut separator = '[';
            for element in elements {
                text.push(separator);
                write_value(text, element);
                separator = ',';
            }
            text.push_str(if separator == '[' { "[]" } else { "]" });
        }
        Value::Object(members) => {
            let mut separator = '{';
            for (name, member) in members {
                text.push(separator);
                write_string(text, name);
                text.push(':');
                write_value(text, member);
                separator = ',';
            }
            text.push_str(if separator == '{' { "{}" } else { "}" });
        }
    }
}

/// Adds a string in quotation marks to a text.
fn write_string(text: &mut String, string: &str) {
    text.push('"');
    let mut rest = string;
    while let Some(at) = rest.bytes().position(|byte| !is_plain(byte)) {
        let (plain, other) = rest.split_at(at);
        text.push_str(plain);
        let mut characters = other.chars();
        if let Some(c) = characters.next() {
            write_character(text, c);
        }
        rest = characters.as_str();
    }
    text.push_str(rest);
    text.push('"');
}

/// Returns whether a byte is a visible ASCII character or a blank, and has no meaning in JSON
/// strings.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\'
}

/// Adds a character of a string to a text. Writes an invisible character as `\u` and four
/// hexadecimal digits.
fn write_character(text: &mut String, c: char) {
    match c {
        '"' => text.push_str("\\\""),
        '\\' => text.push_str("\\\\"),
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        '\u{8}' => text.push_str("\\b"),
        '\u{c}' => text.push_str("\\f"),
        c if visible(c) => text.push(c),
        c => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a text in memory never fails.
                let _ = write!(text, "\\u{unit:04x}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_text_is_the_text_of_serde_json() {
        let strings: Vec<_> = (0..=0x1_00ff).filter_map(char::from_u32).map(|c| json!(format!("a{c}{c}b"))).collect();
        let numbers = json!([0, -1, u64::MAX, i64::MIN, 0.5, 1e300, 1.0, 123_456_789.25]);
        let nested = json!({ "b": [], "a": {}, "\"\n": [{}, [null, true, false]], "": { "x": 1, "é": "é" } });
        for value in strings.iter().chain([&numbers, &nested]) {
            let mut expected = String::new();
            for c in value.to_string().chars() {
                if visible(c) {
                    expected.push(c);
                } else {
                    expected.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
                }
            }
            let text = json_text(value);
            assert_eq!(text, expected);
            assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), *value);
        }
    }
}
