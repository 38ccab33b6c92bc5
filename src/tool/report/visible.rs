//! Which characters show as themselves. The page in `web/` is built with this file.

use super::graphic::GRAPHIC;

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
