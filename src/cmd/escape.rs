//! File names in text: shown so that they cannot forge a line, hide a character or confuse a
//! terminal, in the quoting of the shell (and of coreutils), so that they can be pasted back.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A file name as text. Plain names come out unchanged, all others in quotes.
pub fn shown(path: impl AsRef<Path>) -> String {
    let bytes = path.as_ref().as_os_str().as_bytes();
    if !bytes.is_empty() && std::str::from_utf8(bytes).is_ok_and(|s| s.chars().all(plain)) {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let mut out = Quoted::default();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            let mut buffer = [0; 4];
            if visible(c) { out.literal(c) } else { out.octal(c.encode_utf8(&mut buffer).as_bytes()) }
        }
        out.octal(chunk.invalid());
    }
    out.finish()
}

/// Whether every character of a text shows as itself.
pub fn is_visible(text: &str) -> bool {
    text.chars().all(visible)
}

/// A text that repeats what nobody has looked at, with its invisible characters spelled out; on one
/// line, if the line ends may not be ours.
pub fn cleaned(text: &str, one_line: bool) -> String {
    let mut out = String::new();
    for c in text.trim_end().chars() {
        if visible(c) || (c == '\n' && !one_line) { out.push(c) } else { out.extend(c.escape_unicode()) }
    }
    out
}

/// The same JSON with what does not show escaped: it stands in strings only.
pub fn json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if visible(c) {
            out.push(c);
        } else {
            out.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    out
}

/// Needs no quotes: the shell passes it on and no line of ours uses it as a mark.
fn plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "@%+=:,./-_".contains(c) || (!c.is_ascii() && visible(c))
}

/// Shows as itself: no control, no direction or format mark, no separator, no blank but the space.
fn visible(c: char) -> bool {
    !(c.is_control()
        || (c.is_whitespace() && c != ' ')
        || matches!(u32::from(c),
            0xad | 0x600..=0x605 | 0x61c | 0x6dd | 0x70f | 0x115f..=0x1160 | 0x17b4..=0x17b5 | 0x180b..=0x180f
            | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0x2800 | 0x3164 | 0xd7ff | 0xe000..=0xf8ff
            | 0xfe00..=0xfe0f | 0xfeff | 0xffa0 | 0xfff0..=0xffff | 0x1d173..=0x1d17a | 0xe0000..=0x10ffff))
}

/// Pieces `'like this'`, `\'` and `$'\012'`, side by side. Every shell reads the first two; the
/// last, which not all read, is only for what cannot be shown.
#[derive(Default)]
struct Quoted {
    text: String,
    mode: Option<Mode>,
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Literal,
    Octal,
}

impl Quoted {
    fn enter(&mut self, mode: Mode) {
        if self.mode != Some(mode) {
            self.leave();
            self.text.push_str(if mode == Mode::Literal { "'" } else { "$'" });
            self.mode = Some(mode);
        }
    }

    fn leave(&mut self) {
        if self.mode.take().is_some() {
            self.text.push('\'');
        }
    }

    fn literal(&mut self, c: char) {
        if c == '\'' {
            self.leave();
            self.text.push_str("\\'");
        } else {
            self.enter(Mode::Literal);
            self.text.push(c);
        }
    }

    fn octal(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.enter(Mode::Octal);
            match b {
                b'\n' => self.text.push_str("\\n"),
                b'\t' => self.text.push_str("\\t"),
                b'\r' => self.text.push_str("\\r"),
                b => self.text.push_str(&format!("\\{b:03o}")),
            }
        }
    }

    fn finish(mut self) -> String {
        self.leave();
        if self.text.is_empty() { "''".to_owned() } else { self.text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;

    #[test]
    fn names_that_need_no_quotes_have_none() {
        for name in ["a", "dir/a-b_c.sig", "-x", "Grüße.txt", "日本", "v1.0+x@y%=,:"] {
            assert_eq!(shown(name), name);
        }
    }

    #[test]
    fn names_cannot_leave_their_quotes() {
        for (name, text) in [
            ("", "''"),
            ("a b", "'a b'"),
            ("b: OK (x)", "'b: OK (x)'"),
            ("a\nb", "'a'$'\\n''b'"),
            ("it's", "'it'\\''s'"),
            ("'", "\\'"),
            ("\u{1b}[31m", "$'\\033''[31m'"),
            ("a\u{202e}b", "'a'$'\\342\\200\\256''b'"),
            ("a\u{85}", "'a'$'\\302\\205'"),
            ("$(x)`", "'$(x)`'"),
            ("a\\b", "'a\\b'"),
        ] {
            assert_eq!(shown(name), text);
        }
        assert_eq!(shown(Path::new(OsStr::from_bytes(b"a\xff"))), "'a'$'\\377'");
    }
}
