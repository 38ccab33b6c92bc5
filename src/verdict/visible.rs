//! Which characters a terminal shows as themselves, and the escapes for all others.

use super::graphic::GRAPHIC;
use alloc::string::String;

/// The treatment of the line ends of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnds {
    /// The program wrote all line ends, and they stay.
    Own,
    /// Line ends may be part of a quoted text, and are escaped.
    Foreign,
}

/// Escapes the invisible characters of a text that quotes untrusted input.
pub fn cleaned(text: &str, ends: LineEnds) -> String {
    let mut out = String::new();
    for c in text.trim_end().chars() {
        if visible(c) || (c == '\n' && ends == LineEnds::Own) { out.push(c) } else { out.extend(c.escape_unicode()) }
    }
    out
}

/// Returns whether every character of a text shows as itself.
pub fn is_visible(text: &str) -> bool {
    text.chars().all(visible)
}

/// Returns whether a character shows as itself: Unicode calls it a letter, a mark, a number, punctuation or a symbol,
/// and not ignorable; or it is a blank. Everything else is spelled out: controls, format characters, separators, other
/// blanks, variation selectors, private use, and what is not assigned, because it may be any of these in the Unicode of
/// the reader's terminal.
pub fn visible(c: char) -> bool {
    if c.is_ascii() { c == ' ' || c.is_ascii_graphic() } else { is_graphic(u32::from(c)) }
}

/// Returns whether a code point is in the table.
fn is_graphic(code: u32) -> bool {
    GRAPHIC.partition_point(|boundary| *boundary <= code) % 2 == 1
}
