//! Which lines before the block of a key say something of it, or nearly do. The page in `web/`, which does not read them, knows them
//! by this file.

/// The words of such lines, and one that is meant so, without anything but their letters.
const WORDS: [&str; 5] = ["name", "notafter", "expires", "revoked", "context"];

/// Returns the word of a line as it stands, and what is behind the sign after it; `None` for a comment, and for all other text.
pub fn split(line: &str) -> Option<(&str, &str)> {
    let (word, value) = line.split_once([':', '=']).filter(|_| !line.trim_start().starts_with('#'))?;
    let folded: String = word.chars().filter(char::is_ascii_alphabetic).collect();
    WORDS.contains(&&*folded.to_ascii_lowercase()).then_some((word, value))
}
