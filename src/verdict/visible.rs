//! Escapes characters that are invisible or that could change the output of a terminal.

use super::graphic::GRAPHIC;
use alloc::string::String;

/// Whether the line ends in a text are escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnds {
    /// fndsa wrote the line ends, so they are not escaped.
    Own,
    /// The line ends may be part of quoted input, so they are escaped.
    Foreign,
}

/// Escapes the invisible characters in a text that quotes untrusted input, and removes white space
/// at its end.
pub fn cleaned(text: &str, ends: LineEnds) -> String {
    let mut escaped = String::new();
    for c in text.trim_end().chars() {
        if visible(c) || (c == '\n' && ends == LineEnds::Own) {
            escaped.push(c)
        } else {
            escaped.extend(c.escape_unicode())
        }
    }
    escaped
}

/// Returns whether all characters in a text are visible.
pub fn is_visible(text: &str) -> bool {
    text.chars().all(visible)
}

/// Returns whether a character is visible: an ASCII blank, or a character that Unicode defines as a
/// letter, mark, number, punctuation or symbol, and not as ignorable. All other characters are
/// escaped: controls, format characters, separators, other blanks, variation selectors and private
/// use characters. Unassigned characters are also escaped, because a newer version of Unicode can
/// assign them to invisible characters, and the terminal can use that version.
pub fn visible(c: char) -> bool {
    if c.is_ascii() { c == ' ' || c.is_ascii_graphic() } else { is_graphic(u32::from(c)) }
}

/// Returns whether a code point is in a visible range of [`GRAPHIC`].
fn is_graphic(code: u32) -> bool {
    GRAPHIC.partition_point(|boundary| *boundary <= code) % 2 == 1
}
