//! Hints: the most likely next step after an error or a NO.
//!
//! A hint must not suggest an option that the user has already given. [`Hint::text`] removes such
//! suggestions, and no other function returns the text of a hint. Therefore, the hints in the error
//! table can name any option.
//!
//! 1. A hint has one or several variants. The first variant that does not suggest a given option is
//!    used.
//! 2. If all variants suggest a given option, the clauses with such a suggestion are removed from
//!    the last variant. A clause ends with `; ` or `, or `. If all clauses are removed, there is no
//!    hint.
//! 3. A clause with the word `leave` or `without` advises against an option (`leave --json out`),
//!    so it suggests no option. A command line in backquotes suggests no option if it is for a
//!    command of fndsa that the user did not give (`fndsa keygen --encrypt NAME`), or for another
//!    program.

use std::collections::BTreeSet;
use std::sync::OnceLock;

/// A hint that may still suggest options that the user has already given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// A text from the error table, with all its variants. The text can be empty.
    Fixed(&'static str),
    /// Variants that are computed, for example because they contain a file name.
    Named(Vec<String>),
}

/// The separator between variants in the error table.
const VARIANTS: &str = " | ";
/// The separators that end a clause.
const CLAUSES: [&str; 2] = ["; ", ", or "];
/// The words in a clause that advise against an option.
const AGAINST: [&str; 2] = ["leave", "without"];

impl From<&'static str> for Hint {
    fn from(text: &'static str) -> Self {
        Self::Fixed(text)
    }
}

impl From<Option<&'static str>> for Hint {
    fn from(text: Option<&'static str>) -> Self {
        Self::Fixed(text.unwrap_or_default())
    }
}

/// Creates a hint with a single variant.
impl From<String> for Hint {
    fn from(text: String) -> Self {
        Self::Named(vec![text])
    }
}

/// Creates a hint with two variants. The second variant is used if the first variant suggests a
/// given option.
impl From<[String; 2]> for Hint {
    fn from(variants: [String; 2]) -> Self {
        Self::Named(variants.into())
    }
}

impl Hint {
    /// A hint without a text.
    pub const NONE: Self = Self::Fixed("");

    /// Returns the text for the current command line. Returns `None` if no clause is left.
    pub fn text(&self) -> Option<String> {
        self.fitting(given())
    }

    fn fitting(&self, given: &GivenOptions) -> Option<String> {
        let variants: Vec<&str> = match self {
            Self::Fixed(text) => text.split(VARIANTS).collect(),
            Self::Named(variants) => variants.iter().map(String::as_str).collect(),
        };
        let whole = variants.iter().find(|text| clauses(text).iter().all(|clause| given.lacks(clause)));
        let text = match whole {
            Some(text) => (*text).to_owned(),
            None => {
                let mut clauses = clauses(variants.last()?);
                clauses.retain(|clause| given.lacks(clause));
                let text = clauses.concat();
                let text = CLAUSES.iter().fold(text.as_str(), |text, end| text.strip_suffix(end).unwrap_or(text));
                text.trim_start_matches("or ").to_owned()
            }
        };
        if text.is_empty() { None } else { Some(text) }
    }
}

/// The command and the options on the command line. The command line does not have to be valid.
#[derive(Clone, Debug, Default)]
pub struct GivenOptions {
    /// The command, or an empty text if there is no command.
    pub command: String,
    /// The options with their dashes, under all their names. For example, if `-k` or `--key` is
    /// given, the set contains both names.
    pub options: BTreeSet<String>,
}

impl GivenOptions {
    /// Returns whether a clause suggests none of the given options.
    fn lacks(&self, clause: &str) -> bool {
        !suggested_options(clause, &self.command).iter().any(|option| self.options.contains(*option))
    }
}

static READ_GIVEN: OnceLock<fn() -> GivenOptions> = OnceLock::new();

/// Sets the function that reads the command line. The function is called once, for the first hint.
pub fn set_given(read: fn() -> GivenOptions) {
    let _ = READ_GIVEN.set(read);
}

fn given() -> &'static GivenOptions {
    static GIVEN: OnceLock<GivenOptions> = OnceLock::new();
    GIVEN.get_or_init(|| READ_GIVEN.get().map_or_else(GivenOptions::default, |read| read()))
}

/// Splits a text into clauses. A clause ends with its separator from [`CLAUSES`], except the last
/// clause.
fn clauses(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = CLAUSES.iter().filter_map(|end| rest.find(end).map(|at| at + end.len())).min() {
        let (clause, after) = rest.split_at(at);
        parts.push(clause);
        rest = after;
    }
    parts.push(rest);
    parts
}

/// Returns the options of `command` that a clause suggests.
fn suggested_options<'c>(clause: &'c str, command: &str) -> Vec<&'c str> {
    if words(clause).any(|word| AGAINST.contains(&word)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    // The parts with an odd index are commands in backquotes.
    for (i, part) in clause.split('`').enumerate() {
        let call = format!("fndsa {command}");
        if i % 2 == 1 && part.contains(' ') && !part.starts_with(&call) {
            continue;
        }
        found.extend(words(part).filter(|word| is_option(word)).map(short_option));
    }
    found
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', ',', ';', '(', ')', ':', '?'])
}

fn is_option(word: &str) -> bool {
    matches!(word.as_bytes(), [b'-', b, ..] if *b == b'-' || b.is_ascii_alphanumeric())
}

/// Returns a short option without repeated letters. For example, `-qq` means `-q` twice.
fn short_option(option: &str) -> &str {
    if option.starts_with("--") { option } else { &option[..2] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(hint: impl Into<Hint>, command: &str, options: &[&str]) -> Option<String> {
        let options = options.iter().map(|&option| option.to_owned()).collect();
        hint.into().fitting(&GivenOptions { command: command.to_owned(), options })
    }

    #[test]
    fn a_given_option_is_not_suggested() {
        let hint = "name the signature with -s FILE; name the list with -M LIST";
        assert_eq!(with(hint, "verify", &[]).as_deref(), Some(hint));
        assert_eq!(with(hint, "verify", &["-M"]).as_deref(), Some("name the signature with -s FILE"));
        assert_eq!(with(hint, "verify", &["-s"]).as_deref(), Some("name the list with -M LIST"));
        assert_eq!(with(hint, "verify", &["-s", "-M"]), None);
        let hint = "write to a file with -o FILE, or use --format pem";
        assert_eq!(with(hint, "sign", &["-o"]).as_deref(), Some("use --format pem"));
        assert_eq!(with(hint, "sign", &["--format"]).as_deref(), Some("write to a file with -o FILE"));
        assert_eq!(with("print no verdict with -qq", "verify", &["-q"]), None);
        assert_eq!(with("add -0 | end each name in NUL", "sign", &["-0"]).as_deref(), Some("end each name in NUL"));
    }

    #[test]
    fn a_given_option_selects_the_next_variant_of_a_hint() {
        let hint = "give a directory with -C DIR | names are relative to the given directory";
        assert_eq!(with(hint, "verify", &[]).as_deref(), Some("give a directory with -C DIR"));
        assert_eq!(with(hint, "verify", &["-C"]).as_deref(), Some("names are relative to the given directory"));
        let hint = Hint::from(["-M a", "-r a | b"].map(str::to_owned));
        assert_eq!(with(hint, "sign", &["-M"]).as_deref(), Some("-r a | b"));
    }

    #[test]
    fn an_option_to_remove_is_not_a_suggestion() {
        assert!(with("leave --json out", "sign", &["--json"]).is_some());
        assert!(with("`fndsa keygen --encrypt NAME` makes one", "passwd", &["--encrypt"]).is_some());
        assert!(with("`fndsa keygen --encrypt NAME` makes one", "keygen", &["--encrypt"]).is_none());
        assert!(with("`openssl pkeyutl -verify -in FILE` verifies it", "verify", &["-i"]).is_some());
    }
}
