//! Escapes file names in messages, so that a name cannot forge a line, hide a character or confuse
//! a terminal. Names are quoted for the shell like in coreutils, so a user can copy them.

use super::keytext;
use fndsa::verdict::text::visible;
pub use fndsa::verdict::text::{LineEnds, cleaned, is_visible};
use std::path::{Path, is_separator};

/// Returns a file name as messages show it. A name that needs no quotes (see [`needs_no_quotes`])
/// is not changed, and all other names are quoted. A name that is key text is not shown at all.
pub fn shown(path: impl AsRef<Path>) -> String {
    let name = path.as_ref().as_os_str();
    if let Some(kind) = keytext::kind_of(name) {
        return format!("(not shown: {})", kind.words());
    }
    let bytes = name.as_encoded_bytes();
    if !bytes.is_empty() && std::str::from_utf8(bytes).is_ok_and(|s| s.chars().all(needs_no_quotes)) {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let mut out = QuotedName::default();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            let mut buffer = [0; 4];
            if visible(c) { out.literal(c) } else { out.octal(c.encode_utf8(&mut buffer).as_bytes()) }
        }
        out.octal(chunk.invalid());
    }
    out.finish()
}

/// Returns a file name that a user can paste into a command. The result does not begin with a
/// hyphen, so a program cannot mistake it for an option.
pub fn pasteable_name(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    if path.as_os_str().as_encoded_bytes().starts_with(b"-") { shown(Path::new(".").join(path)) } else { shown(path) }
}

/// Returns whether a character needs no quotes, because it has no special meaning in the shell or
/// in result lines.
fn needs_no_quotes(c: char) -> bool {
    c.is_ascii_alphanumeric() || "@%+=:,./-_".contains(c) || is_separator(c) || (!c.is_ascii() && visible(c))
}

/// A quoted name. It is a sequence of pieces such as `'like this'`, `\'` and `$'\012'`. All shells
/// support the first two forms. The third form is used only for invisible characters, because some
/// shells do not support it.
#[derive(Default)]
struct QuotedName {
    text: String,
    mode: Option<QuoteMode>,
}

#[derive(Clone, Copy, PartialEq)]
enum QuoteMode {
    Literal,
    Octal,
}

impl QuotedName {
    fn enter(&mut self, mode: QuoteMode) {
        if self.mode != Some(mode) {
            self.leave();
            self.text.push_str(if mode == QuoteMode::Literal { "'" } else { "$'" });
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
            self.enter(QuoteMode::Literal);
            self.text.push(c);
        }
    }

    fn octal(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.enter(QuoteMode::Octal);
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
    use super::super::json::json_text;
    use super::*;
    use fndsa::verdict::text::GRAPHIC;
    use regex_syntax::hir::{Class, HirKind};
    use serde_json::json;
    use std::fmt::Write;

    /// The characters that messages show: letters, marks, numbers, punctuation and symbols, except
    /// the characters that Unicode calls default ignorable. The pattern also excludes four symbols
    /// that are invisible (braille blank and null note) or placeholders.
    const SHOWN: &str = r"[[\p{L}\p{M}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\
                          \u{2800}\u{1D159}\u{FFFC}\u{FFFD}]]";
    /// The characters that must never be printed. This definition does not depend on [`SHOWN`].
    const HIDDEN: &str =
        r"[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}]";

    /// Returns the ranges of characters in a class, according to the tables of Unicode 16.0.0.
    fn class(pattern: &str) -> Vec<(char, char)> {
        match regex_syntax::parse(pattern).unwrap().into_kind() {
            HirKind::Class(Class::Unicode(class)) => class.ranges().iter().map(|r| (r.start(), r.end())).collect(),
            other => panic!("{other:?}"),
        }
    }

    /// Tests that the table in `graphic.rs` is up to date. To write the table again, run
    /// `FNDSA_BLESS=1 cargo test --features cli --bin fndsa`.
    #[test]
    fn the_table_matches_unicode() {
        let ranges = class(SHOWN);
        let ranges =
            ranges.iter().filter(|(_, last)| !last.is_ascii()).map(|(first, last)| (*first.max(&'\u{80}'), *last));
        let boundaries: Vec<_> = ranges.flat_map(|(first, last)| [u32::from(first), u32::from(last) + 1]).collect();
        let head = [
            "//! Generated from the tables of Unicode 16.0.0 (`regex-syntax`) by a test in",
            "//! `src/tool/report/escape.rs`, which also defines the visible characters. To write this file",
            "//! again, run `FNDSA_BLESS=1 cargo test --features cli --bin fndsa`.\n",
            "/// The visible characters above ASCII. The numbers are the boundaries of ranges of code points: a",
            "/// visible range starts at each number with an even index, and ends before the next number.",
            "#[rustfmt::skip]",
            "pub const GRAPHIC: &[u32] = &[\n",
        ];
        let mut text = head.join("\n");
        for line in boundaries.chunks(16) {
            let numbers: Vec<_> = line.iter().map(|n| format!("{n:#x}")).collect();
            writeln!(text, "    {},", numbers.join(", ")).unwrap();
        }
        text.push_str("];\n");
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/verdict/graphic.rs");
        if std::env::var_os("FNDSA_BLESS").is_some_and(|value| value == "1") {
            std::fs::write(&file, &text).unwrap();
        }
        let found = std::fs::read_to_string(file).unwrap();
        assert!(
            found == text,
            "src/verdict/graphic.rs is stale; `FNDSA_BLESS=1 cargo test --features cli --bin fndsa` writes it anew"
        );
        assert_eq!(boundaries, GRAPHIC, "the program has a different table than the file");
    }

    /// Tests all 1,112,064 characters, both in text and in JSON.
    #[test]
    fn hidden_characters_are_escaped() {
        let hidden = class(HIDDEN);
        let is_hidden = |c: char| {
            let before = hidden.partition_point(|(first, _)| *first <= c);
            before > 0 && c <= hidden[before - 1].1
        };
        let mut count = 0;
        for c in char::MIN..=char::MAX {
            let name = format!("a{c}z");
            if is_hidden(c) {
                count += 1;
                for text in [shown(&name), json_text(&json!(name)), cleaned(&name, LineEnds::Foreign)] {
                    assert!(!text.contains(is_hidden), "U+{:04X} is printed: {text:?}", u32::from(c));
                }
                assert!(!is_visible(&name), "U+{:04X}", u32::from(c));
            }
        }
        // Most characters are unassigned or private, and all of these are hidden.
        assert!(count > 900_000, "{count}");
        for seen in ["é", "e\u{301}", "ß", "ключ", "日本", "שלום", "\u{1f600}", "€", "\u{16100}"] {
            assert!(is_visible(seen), "{seen}");
        }
        // Characters that an earlier table, written by hand, did not contain, and characters that
        // are new in Unicode.
        for c in [
            '\u{34f}',
            '\u{890}',
            '\u{8e2}',
            '\u{110bd}',
            '\u{110cd}',
            '\u{13430}',
            '\u{1343f}',
            '\u{1bca0}',
            '\u{e0041}',
        ] {
            assert!(!visible(c), "U+{:04X}", u32::from(c));
        }
    }

    #[test]
    fn names_without_special_characters_are_not_quoted() {
        for name in ["a", "dir/a-b_c.sig", "-x", "Grüße.txt", "日本", "v1.0+x@y%=,:"] {
            assert_eq!(shown(name), name);
        }
    }

    #[test]
    fn names_cannot_end_their_quotes() {
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
        ] {
            assert_eq!(shown(name), text);
        }
        // On Windows, a backslash is a separator.
        assert_eq!(shown("a\\b"), if cfg!(windows) { "a\\b" } else { "'a\\b'" });
    }

    #[cfg(unix)]
    #[test]
    fn a_name_that_is_not_text_is_printed_as_bytes() {
        use std::os::unix::ffi::OsStrExt;
        assert_eq!(shown(Path::new(std::ffi::OsStr::from_bytes(b"a\xff"))), "'a'$'\\377'");
    }

    #[test]
    fn the_text_of_a_key_is_not_printed() {
        let seed = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        for text in ["-----BEGIN FNDSA PRIVATE KEY-----\nWQaD\n", seed, &"x".repeat(256)] {
            let shown = shown(text);
            assert!(shown.starts_with("(not shown: ") && !shown.contains(&text[..12]), "{shown}");
        }
    }
}
