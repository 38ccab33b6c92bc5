//! Writes JSON values as text in a single line. Invisible characters are escaped, so that a file
//! name in a document cannot confuse a terminal.

use fndsa::verdict::text::visible;
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};
use std::io::{self, Write};

/// The length in bytes for which memory is reserved. Most answers of `--stream` are shorter.
const USUAL_LEN: usize = 512;

/// Returns a value as text.
pub fn json_text(value: &Value) -> String {
    let mut text = Vec::with_capacity(USUAL_LEN);
    // Writing to memory never fails, and the result is always UTF-8.
    let _ = value.serialize(&mut Serializer::with_formatter(&mut text, VisibleFormatter));
    String::from_utf8(text).unwrap_or_default()
}

/// Writes the compact form of a value, as `serde_json` does by default, but with an escape (`\u`
/// and four hexadecimal digits) for each invisible character in a string.
struct VisibleFormatter;

impl Formatter for VisibleFormatter {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.bytes().position(|byte| !matches!(byte, b' '..=b'~')) {
            let (plain, other) = rest.split_at(at);
            writer.write_all(plain.as_bytes())?;
            let mut characters = other.chars();
            if let Some(c) = characters.next() {
                write_character(writer, c)?;
            }
            rest = characters.as_str();
        }
        writer.write_all(rest.as_bytes())
    }
}

/// Writes a character of a string, or its escape if it is invisible.
fn write_character<W: ?Sized + Write>(writer: &mut W, c: char) -> io::Result<()> {
    if visible(c) {
        return write!(writer, "{c}");
    }
    for unit in c.encode_utf16(&mut [0; 2]) {
        write!(writer, "\\u{unit:04x}")?;
    }
    Ok(())
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
