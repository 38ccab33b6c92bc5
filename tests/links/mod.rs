//! Checks the links between the documents: each link leads to an existing file, and to a heading in
//! the file. Also checks the pages of the book, and the paths in the lists of tests/ct/trace.

pub mod lists;

use super::no_findings;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Returns a heading's name in links: lowercase letters and digits, and hyphens instead of blanks.
fn anchor_of(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

/// Returns a document's text without fenced blocks.
fn without_code_blocks(text: &str) -> String {
    text.split("\n```").step_by(2).collect()
}

/// Returns the link targets in a document, as written: inline links, and link definitions at the
/// start of a line.
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

/// Returns the book's pages in order.
fn book_pages() -> Vec<PathBuf> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    link_targets(&summary).into_iter().map(|link| without_parent_components(&docs.join(link))).collect()
}

/// Returns the documents in a folder, as paths from the package root.
fn documents(folder: &str) -> impl Iterator<Item = PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|it| it == "md"))
}

/// Returns the documents that are pages of the book, and the book's list of pages.
fn book_documents() -> impl Iterator<Item = PathBuf> {
    documents("docs").chain(documents("docs/design"))
}

#[test]
fn links_in_documents_have_a_target() {
    let pages = book_pages();
    let all: BTreeSet<_> = documents("").chain(book_documents()).chain(pages.iter().cloned()).collect();
    let (mut found, mut seen) = (vec![], 0);
    for document in all {
        let text = without_code_blocks(&fs::read_to_string(&document).unwrap_or_default());
        for link in link_targets(&text) {
            seen += 1;
            let (file, part) = link.split_once('#').map_or((link, None), |(file, part)| (file, Some(part)));
            let target = if file.is_empty() {
                document.clone()
            } else {
                without_parent_components(&document.parent().unwrap().join(file))
            };
            let has = |part: &str| {
                let text = without_code_blocks(&fs::read_to_string(&target).unwrap_or_default());
                text.lines().any(|line| line.starts_with('#') && anchor_of(line.trim_start_matches('#').trim()) == part)
            };
            if !target.is_file() || !part.is_none_or(has) {
                found.push(format!("{}: {link}", document.display()));
            } else if pages.contains(&document) && file.ends_with(".md") && !pages.contains(&target) {
                found.push(format!("{}: {link} is no page of the book", document.display()));
            }
        }
    }
    no_findings(found, "a link that leads nowhere");
    assert!(seen > 100, "{seen} links were seen");
}

#[test]
fn the_book_contains_each_page_once() {
    let pages = book_pages();
    let mut found = vec![];
    for (at, page) in pages.iter().enumerate() {
        if !page.is_file() {
            found.push(format!("{} is not there", page.display()));
        }
        if pages[..at].contains(page) {
            found.push(format!("{} is there twice", page.display()));
        }
    }
    for document in book_documents().filter(|path| !path.ends_with("SUMMARY.md")) {
        if !pages.contains(&document) {
            found.push(format!("{} is missing", document.display()));
        }
    }
    no_findings(found, "docs/SUMMARY.md");
    assert!(pages.len() > 30, "{} pages were seen", pages.len());
}

/// The lists of tests/ct/trace name functions by their paths. A path with an old name would match
/// nothing, and the traces would then fail only on a machine with that code.
#[test]
fn traced_functions_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut defined = BTreeSet::from(["at".to_owned(), "fndsa".to_owned()]);
    for (path, text) in super::sources("src") {
        defined.extend(path.iter().map(|part| part.to_str().unwrap().trim_end_matches(".rs").to_owned()));
        let words: Vec<_> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let definitions = words.windows(2).filter(|pair| ["fn", "struct", "mod"].contains(&pair[0]));
        defined.extend(definitions.map(|pair| pair[1].to_owned()));
    }
    let (mut missing, mut places) = (vec![], 0);
    for file in ["operations.rs", "commands.rs"] {
        let text = fs::read_to_string(root.join("tests/ct/src/trace").join(file)).unwrap();
        let strings = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let strings = strings.flat_map(|line| line.split('"').skip(1).step_by(2).take(1));
        for place in strings.filter(|it| it.contains("::") || it.starts_with("src/")) {
            places += 1;
            let source = place.split(' ').find(|it| it.starts_with("src/"));
            if source.is_some_and(|it| !root.join(it.trim_end_matches(":?")).exists()) {
                missing.push(format!("{file}: {place}"));
            }
            let names = place.split(' ').filter(|it| !it.starts_with("src/"));
            let mut names = names.flat_map(|it| it.split(|c: char| !c.is_alphanumeric() && c != '_'));
            if names.any(|name| !name.is_empty() && !defined.contains(name)) {
                missing.push(format!("{file}: {place}"));
            }
        }
    }
    assert!(places > 25, "{places} places");
    no_findings(missing, "places of tests/ct/trace that no source defines");
}
