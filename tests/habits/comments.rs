//! Limits for comments in Rust files: the frequency of vague words in each folder, the width, and
//! the first word of a function's documentation. docs/words.md defines the terms.

use super::super::{is_test, sources};
use super::words::{overused_words, without_code};

/// The folders in which the tests check the comments of Rust files.
const FOLDERS: [&str; 16] = [
    "src/cmd",
    "src/tool",
    "src/files",
    "src/verdict",
    "src/api",
    "src/engine",
    "src/simd",
    "tests",
    "capi",
    "python",
    "web",
    "firmware",
    "fuzz",
    "benches",
    "examples",
    "packages/npm",
];

/// The maximum number of occurrences per 1,000 words in the comments of a folder. A folder may have
/// one more occurrence of each word, as in the module `words`.
const LIMITS: [(&str, f64); 15] = [
    ("what", 1.5),
    ("whoever", 0.0),
    ("whose", 1.0),
    ("of", 30.0),
    ("one", 4.0),
    ("ones", 0.5),
    ("none", 0.8),
    ("nobody", 0.2),
    ("nothing", 0.5),
    ("those", 0.8),
    ("stands", 0.2),
    ("told", 0.2),
    ("tells", 0.2),
    ("behind", 0.2),
    ("beside", 0.2),
];

/// The maximum width of a comment line, in columns.
const WIDTH: usize = 100;

/// A comment line, with its line number, width, marker and text.
struct CommentLine<'t> {
    number: usize,
    columns: usize,
    marker: &'t str,
    text: &'t str,
}

/// Returns the lines that contain a comment and no code. Lines of code blocks in documentation are
/// left out.
fn comment_lines(text: &str) -> Vec<CommentLine<'_>> {
    let (mut found, mut is_code) = (vec![], false);
    for (i, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        let Some(marker) = ["///", "//!", "//"].into_iter().find(|marker| trimmed.starts_with(marker)) else {
            is_code = false;
            continue;
        };
        let comment = trimmed[marker.len()..].trim();
        let is_fence = comment.starts_with("```");
        is_code ^= is_fence;
        if !is_fence && !is_code {
            found.push(CommentLine { number: i + 1, columns: line.chars().count(), marker, text: comment });
        }
    }
    found
}

/// Returns whether a file has Python docstrings.
fn has_docstrings(text: &str) -> bool {
    ["#[pyclass", "#[pymethods]", "#[pyfunction]"].iter().any(|attribute| text.contains(attribute))
}

/// Returns whether clap or Python shows a file's `///` comments to users. Such help texts may have
/// long lines.
fn is_help(text: &str) -> bool {
    let derives = text.lines().filter(|line| line.trim_start().starts_with("#[derive("));
    let mut traits = derives.flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric()));
    has_docstrings(text) || traits.any(|name| ["Args", "Parser", "Subcommand", "ValueEnum"].contains(&name))
}

/// Returns the paths and texts of the sources in a folder.
fn sources_of(name: &str) -> Vec<(String, String)> {
    sources(name).into_iter().map(|(path, text)| (path.display().to_string(), text)).collect()
}

#[test]
fn comments_use_plain_words() {
    let mut found = vec![];
    for name in FOLDERS {
        let mut words = String::new();
        for (_, text) in sources_of(name) {
            for line in comment_lines(&text) {
                words.push_str(&without_code(line.text));
                words.push('\n');
            }
        }
        found.extend(overused_words(&words, &LIMITS).into_iter().map(|finding| format!("{name}: {finding}")));
    }
    super::assert_at_most(0, "words that comments use too often", &found);
}

#[test]
fn comments_have_at_most_100_columns() {
    let (mut found, mut lines) = (vec![], 0);
    for name in FOLDERS {
        for (path, text) in sources_of(name) {
            let help = is_help(&text);
            for line in comment_lines(&text) {
                lines += 1;
                if line.columns > WIDTH && !(help && line.marker == "///") {
                    found.push(format!("{path}:{}: {} columns", line.number, line.columns));
                }
            }
        }
    }
    assert!(lines > 15_000, "{lines} lines");
    super::assert_at_most(0, "comments of more than 100 columns", &found);
}

/// Returns the first line of each function's documentation, with the function's line number.
fn first_lines(text: &str) -> Vec<(usize, &str)> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut found = vec![];
    for (i, line) in lines.iter().enumerate() {
        let modifiers = ["pub", "const", "async", "unsafe", "extern", "\"C\""];
        let mut words = line.split(' ').skip_while(|word| modifiers.iter().any(|modifier| word.starts_with(modifier)));
        if words.next() != Some("fn") {
            continue;
        }
        let lines_above = lines[..i].iter().rev();
        let mut documentation =
            lines_above.take_while(|line| line.starts_with("///") || line.starts_with("#[")).peekable();
        let is_test = lines[..i]
            .iter()
            .rev()
            .take_while(|line| line.starts_with("#[") || line.starts_with("///"))
            .any(|line| *line == "#[test]");
        if is_test || documentation.peek().is_none() {
            continue;
        }
        if let Some(first) = documentation.filter(|line| line.starts_with("///")).last() {
            found.push((i + 1, first[3..].trim()));
        }
    }
    found
}

/// Returns whether the first word of a line looks like a verb in the third person, such as `Returns`
/// or `Is`: a capitalized word that ends with `s`.
fn begins_with_a_verb(line: &str) -> bool {
    let word = line.split(' ').next().unwrap_or("").trim_end_matches(',');
    word.len() > 1
        && word.ends_with('s')
        && word.starts_with(|c: char| c.is_ascii_uppercase())
        && word[1..].chars().all(|c| c.is_ascii_lowercase() || c == '-')
}

/// Checks that the documentation of each function begins with a verb in the third person. Excludes
/// the folders `tests` and `fuzz`, files of unit tests, functions with `#[test]`, and files with
/// Python docstrings, which describe functions to users of Python.
#[test]
fn documentation_of_functions_begins_with_a_verb() {
    let (mut found, mut functions) = (vec![], 0);
    for name in FOLDERS.into_iter().filter(|name| !["tests", "fuzz"].contains(name)) {
        for (path, text) in sources_of(name) {
            if is_test(path.as_ref()) || has_docstrings(&text) {
                continue;
            }
            for (number, line) in first_lines(&text) {
                functions += 1;
                if !begins_with_a_verb(line) {
                    found.push(format!("{path}:{number}: {line}"));
                }
            }
        }
    }
    assert!(functions > 2000, "{functions} functions");
    super::assert_at_most(0, "functions whose documentation does not begin with a verb", &found);
}

#[test]
fn the_reader_finds_all_comments() {
    let text =
        "//! Title.\n\n/// Returns `what`.\n///\n/// ```\n/// what\n/// ```\n#[inline]\npub fn name() {}\n// what\n";
    let found = comment_lines(text);
    let texts: Vec<_> = found.iter().map(|line| (line.number, line.text)).collect();
    assert_eq!(texts, [(1, "Title."), (3, "Returns `what`."), (4, ""), (10, "what")]);
    assert_eq!(first_lines(text), [(9, "Returns `what`.")]);
    assert!(is_help("#[derive(clap::Args, Debug)]") && !is_help("fn run(args: Args) {}"));
    assert!(is_help("#[pymethods]") && has_docstrings("#[pymethods]") && !has_docstrings("#[derive(Args)]"));
    assert!(begins_with_a_verb("Returns it") && begins_with_a_verb("Is it"));
    assert!(
        !begins_with_a_verb("The sum") && !begins_with_a_verb("[`Self::a`] of it") && !begins_with_a_verb("Sign it")
    );
    assert_eq!(overused_words("what what what a", &LIMITS), ["\"what\" 3 times of 1"]);
}
