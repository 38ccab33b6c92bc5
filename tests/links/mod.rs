//! Checks the links between the documents, as a part of `tests/house.rs`. The target of each link
//! must exist. If the link has a part after `#`, the target must have this heading. A page of the
//! book (docs/SUMMARY.md) must not link to a document that is not in the book. Also checks that the
//! book contains each page once, and that the functions that tests/ct/trace names exist.

pub mod lists;

use super::assert_none;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Returns the anchor that a forge gives to a heading: in lowercase, with hyphens instead of
/// blanks, and without other punctuation.
fn anchor_of(heading: &str) -> String {
    let anchor_chars = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    anchor_chars.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

/// Returns a document's text without fenced blocks.
fn without_code_blocks(text: &str) -> String {
    text.split("\n```").step_by(2).collect()
}

/// Returns the targets of the links in a document: inline links and link definitions, except links
/// to other sites.
fn link_targets(text: &str) -> Vec<&str> {
    let inline = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let named = text.lines().filter(|line| line.starts_with('[')).filter_map(|line| line.split_once("]: "));
    inline.chain(named.map(|(_, link)| link)).filter(|link| !link.contains("://")).collect()
}

/// Returns a path without `..` components.
fn without_parent_components(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

/// Returns the paths to the book's pages, in order.
fn listed_pages() -> Vec<PathBuf> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    link_targets(&summary).into_iter().map(|link| without_parent_components(&docs.join(link))).collect()
}

/// Returns the Markdown files in a folder. `folder` is relative to the package root, and the
/// results are absolute paths.
fn documents(folder: &str) -> impl Iterator<Item = PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|extension| extension == "md"))
}

/// Returns the documents in the folders of the book. Each of them, except SUMMARY.md, must be a
/// page of the book.
fn documents_of_the_book() -> impl Iterator<Item = PathBuf> {
    documents("docs").chain(documents("docs/design"))
}

#[test]
fn links_in_documents_have_a_target() {
    let pages = listed_pages();
    let all: BTreeSet<_> = documents("").chain(documents_of_the_book()).chain(pages.iter().cloned()).collect();
    let (mut findings, mut link_count) = (vec![], 0);
    for document in all {
        let text = without_code_blocks(&fs::read_to_string(&document).unwrap_or_default());
        for link in link_targets(&text) {
            link_count += 1;
            let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
            let target = if file.is_empty() {
                document.clone()
            } else {
                without_parent_components(&document.parent().unwrap().join(file))
            };
            let has_heading = |anchor: &str| {
                let text = without_code_blocks(&fs::read_to_string(&target).unwrap_or_default());
                text.lines()
                    .any(|line| line.starts_with('#') && anchor_of(line.trim_start_matches('#').trim()) == anchor)
            };
            if !target.is_file() || !anchor.is_none_or(has_heading) {
                findings.push(format!("{}: {link}", document.display()));
            } else if pages.contains(&document) && file.ends_with(".md") && !pages.contains(&target) {
                findings.push(format!("{}: {link} is no page of the book", document.display()));
            }
        }
    }
    assert_none(findings, "the target of a link does not exist");
    assert!(link_count > 100, "{link_count} links were seen");
}

#[test]
fn the_book_contains_each_page_once() {
    let pages = listed_pages();
    let mut findings = vec![];
    for (index, page) in pages.iter().enumerate() {
        if !page.is_file() {
            findings.push(format!("{} does not exist", page.display()));
        }
        if pages[..index].contains(page) {
            findings.push(format!("{} is listed twice", page.display()));
        }
    }
    for document in documents_of_the_book().filter(|path| !path.ends_with("SUMMARY.md")) {
        if !pages.contains(&document) {
            findings.push(format!("{} is missing", document.display()));
        }
    }
    assert_none(findings, "docs/SUMMARY.md");
    assert!(pages.len() > 30, "{} pages were seen", pages.len());
}

/// Returns whether a string in the lists of tests/ct/trace names a function or a file of `src`. The
/// name of a generic function may end with `<`. Other strings are functions of the C library, or
/// text.
fn names_our_source(string: &str) -> bool {
    string.contains("::") || string.starts_with("src/") || string.ends_with('<')
}

/// Checks that the functions in the lists of tests/ct/trace exist. An entry is a text such as
/// `path::of::function at src/file.rs:?` (the question mark is literal), or it is a part of such a
/// text. Without this check, only a run of tests/ct/trace would find an entry with a function's old
/// name.
#[test]
fn functions_in_the_lists_of_traces_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // Entries also contain the words `at` and `fndsa`, which `src` does not define.
    let mut defined = BTreeSet::from(["at".to_owned(), "fndsa".to_owned()]);
    for (path, text) in super::sources("src") {
        defined.extend(path.iter().map(|part| part.to_str().unwrap().trim_end_matches(".rs").to_owned()));
        let words: Vec<_> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let definitions = words.windows(2).filter(|pair| ["fn", "struct", "mod"].contains(&pair[0]));
        defined.extend(definitions.map(|pair| pair[1].to_owned()));
    }
    let (mut missing, mut entry_count) = (vec![], 0);
    for file in ["operations.rs", "commands.rs"] {
        let text = fs::read_to_string(root.join("tests/ct/src/trace").join(file)).unwrap();
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let entries = lines.flat_map(|line| line.split('"').skip(1).step_by(2).take(1));
        for entry in entries.filter(|candidate| names_our_source(candidate)) {
            entry_count += 1;
            let source = entry.split(' ').find(|word| word.starts_with("src/"));
            if source.is_some_and(|path| !root.join(path.trim_end_matches(":?")).exists()) {
                missing.push(format!("{file}: {entry}"));
            }
            let names = entry.split(' ').filter(|word| !word.starts_with("src/"));
            let mut names = names.flat_map(|word| word.split(|c: char| !c.is_alphanumeric() && c != '_'));
            if names.any(|name| !name.is_empty() && !defined.contains(name)) {
                missing.push(format!("{file}: {entry}"));
            }
        }
    }
    assert!(entry_count > 25, "{entry_count} entries");
    assert_none(missing, "tests/ct/trace names a function or file that does not exist");
}
