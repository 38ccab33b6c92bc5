//! Which lines beside the block of a key say something of it, or nearly do. The page in `web/`, which does not read them, knows them
//! by this file.

use fndsa::files::pem::{self, PemLine};

/// The words of such lines, and one that is meant so, without anything but their letters.
const WORDS: [&str; 5] = ["name", "notafter", "expires", "revoked", "context"];
const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
/// What `openssl x509 -text` prints of a certificate, far from the margin.
const OF_OPENSSL: &str = "            Not After : ";

/// A line that says something of a key, or nearly does.
pub struct TermLine {
    /// The number of the line in its part, from 1.
    pub number: usize,
    /// The line. What is not UTF-8 in it is U+FFFD.
    pub text: String,
    /// Whether the line stands behind the block, where it would be about no key.
    pub is_behind: bool,
}

impl TermLine {
    /// Returns the word as it stands, and what is behind the sign after it.
    pub fn split(&self) -> (&str, &str) {
        self.text.split_once([':', '=']).unwrap_or((&self.text, ""))
    }
}

/// Returns these lines of a part of a file that has one block; there are none where there is no block. Lines end as they do for
/// the block: in LF, CR LF or CR. A line that begins with `#` is a comment.
pub fn lines(part: &[u8]) -> Vec<TermLine> {
    let part = part.strip_prefix(b"\xef\xbb\xbf").unwrap_or(part);
    let mut found = Vec::new();
    let (mut is_inside, mut is_behind) = (false, false);
    for PemLine { number, text: line, .. } in pem::lines(part) {
        if line.starts_with(BEGIN) {
            is_inside = true;
        } else if line.starts_with(END) {
            (is_inside, is_behind) = (false, true);
        } else if !is_inside {
            let text = String::from_utf8_lossy(line).into_owned();
            if says_something(&text) {
                found.push(TermLine { number, text, is_behind });
            }
        }
    }
    // Without a block this is no text beside a key.
    if is_inside || is_behind { found } else { Vec::new() }
}

/// Returns whether a line is one of these, or nearly one.
fn says_something(line: &str) -> bool {
    if line.trim_start().starts_with('#') || line.starts_with(OF_OPENSSL) {
        return false;
    }
    let Some((word, _)) = line.split_once([':', '=']) else { return false };
    let folded: String = word.chars().filter(char::is_ascii_alphabetic).collect();
    WORDS.contains(&&*folded.to_ascii_lowercase())
}
