//! Limits, per 1,000 words, for words that force a reader to search for a noun. The limits apply to
//! documents, manual pages and messages. docs/words.md defines the terms.

use super::super::{is_test, sources, without_tests};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The maximum number of occurrences per 1,000 words. Each text may have one more occurrence,
/// because a short text could otherwise not use a word at all. The limits for `one` and `of` are
/// high, because `one` is often a number in the manual pages, and tables of sizes need `of`.
const LIMITS: [(&str, f64); 18] = [
    ("what", 1.5),
    ("who", 2.0),
    ("whoever", 0.0),
    ("whose", 1.0),
    ("of", 48.0),
    ("one", 10.0),
    ("ones", 0.5),
    ("none", 0.8),
    ("nobody", 0.2),
    ("nothing", 1.0),
    ("those", 0.8),
    ("stands", 0.2),
    ("stand", 0.2),
    ("told", 0.2),
    ("tells", 0.3),
    ("behind", 0.2),
    ("beside", 0.2),
    ("else", 0.8),
];

/// Relative pronouns that must not start a sentence.
const RELATIVE_STARTS: [&str; 6] = ["What ", "Who ", "Whoever ", "Whose ", "Whatever ", "That of "];

/// Returns the paths of the guides, references and manual pages.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found: Vec<PathBuf> = [
        "README.md",
        "ARCHITECTURE.md",
        "SECURITY.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "python/README.md",
        "packages/npm/package/README.md",
    ]
    .map(PathBuf::from)
    .into();
    for (dir, end) in [("docs", "md"), ("docs/design", "md"), ("man", "1")] {
        let entries = fs::read_dir(root.join(dir)).unwrap().map(|entry| entry.unwrap().path());
        let with_extension = entries.filter(|path| path.extension().is_some_and(|extension| extension == end));
        found.extend(with_extension.map(|path| path.strip_prefix(root).unwrap().to_owned()));
    }
    found.sort();
    assert!(found.len() > 40, "{} documents", found.len());
    found
}

/// Reads a file. `path` is relative to the package root.
fn text_of(path: &Path) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// Returns a document's paragraphs without code, addresses and markup.
fn prose(path: &Path, text: &str) -> Vec<String> {
    let is_markdown = path.extension().is_some_and(|extension| extension == "md");
    let (mut paragraphs, mut is_code) = (vec![String::new()], false);
    for line in text.lines() {
        let is_mark = if is_markdown {
            let is_fence = line.trim_start().starts_with("```");
            is_code ^= is_fence;
            is_fence || is_code || line.starts_with("<!--")
        } else {
            is_code = (is_code || line.starts_with(".nf")) && !line.starts_with(".fi");
            is_code || line.starts_with(['.', '\''])
        };
        let starts = ["#", "-", "*", "|", "1.", ">"];
        if is_mark || line.trim().is_empty() || starts.iter().any(|start| line.trim_start().starts_with(start)) {
            paragraphs.push(String::new());
        }
        if !is_mark {
            let last = paragraphs.last_mut().expect("a paragraph");
            last.push_str(&if is_markdown { without_code(line) } else { line.replace("\\fB", "").replace("\\fR", "") });
            last.push(' ');
        }
    }
    paragraphs.retain(|paragraph| !paragraph.trim().is_empty());
    paragraphs
}

/// Returns a Markdown line without `code` and without link targets.
pub(super) fn without_code(line: &str) -> String {
    let plain_parts: Vec<&str> = line.split('`').step_by(2).collect();
    let mut out = String::new();
    for (i, part) in plain_parts.join("``").split("](").enumerate() {
        out.push_str(if i == 0 { part } else { part.split_once(')').map_or("", |(_, rest)| rest) });
    }
    out
}

/// Returns the words of a text, in lowercase.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_ascii_alphabetic() && c != '\'').filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Returns the words that a text uses too often.
pub(super) fn overused_words(text: &str, limits: &[(&str, f64)]) -> Vec<String> {
    let mut counts = BTreeMap::new();
    let mut all = 0_usize;
    for word in words(text) {
        all += 1;
        *counts.entry(word).or_insert(0_usize) += 1;
    }
    let limit = |rate: f64| (rate * all as f64 / 1000.0) as usize + 1;
    let count = |word: &str| counts.get(word).copied().unwrap_or(0);
    let overused = limits.iter().filter(|(word, rate)| count(word) > limit(*rate));
    overused.map(|(word, rate)| format!("\"{word}\" {} times of {}", count(word), limit(*rate))).collect()
}

/// Returns the sentences that start with a relative clause.
fn relative_clause_sentences(paragraphs: &[String]) -> Vec<String> {
    let texts = paragraphs.iter().filter(|paragraph| !paragraph.starts_with('#'));
    let sentences = texts.flat_map(|paragraph| paragraph.split_inclusive(". "));
    let sentences = sentences.map(|sentence| sentence.trim_start_matches([' ', '#', '*', '-', '|', '>', '"', '(']));
    // A question may start with these words, because its answer contains the noun.
    let is_relative =
        |sentence: &&str| RELATIVE_STARTS.iter().any(|start| sentence.starts_with(start)) && !sentence.contains('?');
    sentences.filter(is_relative).filter(|sentence| sentence.split(' ').count() > 6).map(str::to_owned).collect()
}

#[test]
fn documents_use_plain_words() {
    let mut found = vec![];
    for path in documents() {
        let paragraphs = prose(&path, &text_of(&path));
        let overused = overused_words(&paragraphs.join("\n"), &LIMITS);
        found.extend(
            overused
                .into_iter()
                .chain(relative_clause_sentences(&paragraphs))
                .map(|finding| format!("{}: {finding}", path.display())),
        );
    }
    super::assert_at_most(0, "words that are used too often, and sentences that begin with a relative clause", &found);
}

/// Returns a format string without the `{names}` for values.
fn without_values(text: &str) -> String {
    let pieces = text.split('{').enumerate();
    pieces.map(|(i, piece)| if i == 0 { piece } else { piece.split_once('}').map_or("", |(_, rest)| rest) }).collect()
}

/// Returns the string literals in a source, without comments and character literals.
fn string_literals(text: &str) -> Vec<String> {
    let mut found = vec![];
    let mut rest = text;
    while let Some(at) = rest.find(['"', '/', '\'']) {
        let (mark, after_mark) = rest[at..].split_at(1);
        rest = match mark {
            "/" if after_mark.starts_with('/') => after_mark.split_once('\n').map_or("", |(_, rest)| rest),
            "'" => {
                ["\"'", "\\\"'", "/'"].iter().find_map(|prefix| after_mark.strip_prefix(prefix)).unwrap_or(after_mark)
            }
            "\"" => {
                let mut is_escaped = false;
                let end = after_mark.find(|c| {
                    let is_end = c == '"' && !is_escaped;
                    is_escaped = c == '\\' && !is_escaped;
                    is_end
                });
                let end = end.unwrap_or(after_mark.len());
                found.push(without_values(&after_mark[..end].replace("\\\n", " ").replace("\\\"", "\"")));
                after_mark.get(end + 1..).unwrap_or("")
            }
            _ => after_mark,
        };
    }
    found
}

/// Returns most of the program's messages: the string literals with three or more words in the
/// folders below.
fn program_messages() -> Vec<String> {
    let mut found = vec![];
    for dir in ["src/tool", "src/files", "src/cmd/sign", "src/cmd/verify"] {
        for (path, text) in sources(dir) {
            if !is_test(&path) {
                found.extend(
                    string_literals(without_tests(&text)).into_iter().filter(|literal| words(literal).count() > 2),
                );
            }
        }
    }
    assert!(found.len() > 400, "{} messages", found.len());
    found
}

#[test]
fn messages_use_plain_words() {
    let messages = program_messages();
    let mut found = overused_words(&messages.join("\n"), &LIMITS);
    found.extend(
        messages
            .into_iter()
            .filter(|message| RELATIVE_STARTS.iter().any(|start| message.starts_with(&start.to_lowercase()))),
    );
    super::assert_at_most(
        0,
        "words that messages use too often, and messages that begin with a relative clause",
        &found,
    );
}

/// Checks that the first paragraph of each document starts with a short sentence, which should
/// state the result for the reader.
#[test]
fn documents_begin_with_a_sentence() {
    let mut found = vec![];
    for path in documents().into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "md")) {
        let text = text_of(&path);
        let body = text.lines().skip_while(|line| line.starts_with('#') || line.is_empty() || line.starts_with("<!--"));
        let first = body.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
        let sentence = first.split_inclusive(['.', ':']).next().unwrap_or("").trim().to_owned();
        let is_list = path.ends_with("SUMMARY.md");
        let count = words(&sentence).count();
        let starts_well = sentence.starts_with(|c: char| c.is_ascii_uppercase() || c == '`');
        if !is_list && (!(4..=35).contains(&count) || !starts_well) {
            found.push(format!("{}: {count} words: {sentence}", path.display()));
        }
    }
    super::assert_at_most(0, "documents without a first sentence of 4 to 35 words", &found);
}

/// Checks that each manual page names its command, and that the description starts with a verb:
/// `Sign files`, not `Signs` or `What signs`.
#[test]
fn manual_pages_begin_with_a_verb() {
    let mut found = vec![];
    for path in documents().into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "1")) {
        let text = text_of(&path);
        let name =
            text.lines().skip_while(|line| !line.starts_with(".SH") || !line.contains("NAME")).nth(1).unwrap_or("");
        let about = name.rsplit("\\- ").next().unwrap_or("");
        let first = words(about).next().unwrap_or_default();
        if first.len() < 3 || first.ends_with('s') || RELATIVE_STARTS.iter().any(|start| about.starts_with(start)) {
            found.push(format!("{}: {name}", path.display()));
        }
    }
    super::assert_at_most(0, "manual pages whose name line does not begin with a verb", &found);
}

#[test]
fn the_reader_counts_words_outside_code() {
    let path = Path::new("a.md");
    let text = "# Title\n\n`what` is [what](what.md).\n\n```\nwhat\n```\nWhat stands behind it is beside nothing that matters. Next.";
    let paragraphs = prose(path, text);
    assert_eq!(words(&paragraphs.join(" ")).filter(|word| word == "what").count(), 2, "{paragraphs:?}");
    assert_eq!(relative_clause_sentences(&paragraphs).len(), 1, "{paragraphs:?}");
    let overused = overused_words("what what what a stand", &LIMITS);
    assert_eq!(overused, ["\"what\" 3 times of 1"]);
    assert_eq!(string_literals("a(\"b \\\" c\", '\"', 'x) // \"no\"\n\"d \\\n  e\""), ["b \" c", "d    e"]);
}
