//! Checks that lists of files are complete: the lists in the head comments of `src`, and the tables
//! in docs/design. Also checks that the paths in documents exist.

use super::super::{assert_none, is_test, sources};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the file with a folder's list in its head comment: `mod.rs` in the folder, or the file
/// with the folder's name next to the folder.
fn list_file(folder: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let paths = match folder {
        "src" => vec![PathBuf::from("src/main.rs")],
        _ => vec![Path::new(folder).join("mod.rs"), PathBuf::from(format!("{folder}.rs"))],
    };
    paths.into_iter().map(|path| root.join(path)).find(|path| path.is_file())
}

/// Returns the names in the lines of a head comment that start with ``//! - `name`: ``, in order.
fn listed_in(text: &str) -> Vec<String> {
    let head = text.lines().take_while(|line| line.starts_with("//!"));
    let items = head.filter_map(|line| line.strip_prefix("//! - ")?.split_once(": "));
    // Names in a list are in backticks, without brackets, because rustdoc would parse a line
    // with a name in brackets and a colon as a link definition.
    let name = |item: &str| {
        let name = item.strip_prefix('`')?.strip_suffix('`')?;
        Some(name.to_owned()).filter(|name| !name.contains(['`', ' ']))
    };
    items.filter_map(|(item, _)| name(item)).collect()
}

/// Returns the names in the list that a folder's head comment contains, in order. Returns `None` if
/// [`list_file`] finds no file for this folder.
pub fn listed(folder: &str) -> Option<Vec<String>> {
    Some(listed_in(&fs::read_to_string(list_file(folder)?).unwrap()))
}

/// Returns the names that a folder's list must contain: the folder's entries without `.rs`, except
/// `mod.rs` and tests.
fn folder_entries(folder: &Path) -> BTreeSet<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let names = names.map(|name| name.strip_suffix(".rs").map_or(name.clone(), str::to_owned));
    names.filter(|name| !["mod", "tests"].contains(&name.as_str())).collect()
}

/// Every folder of `src` with sources has a list in a head comment. The list contains all entries
/// of [`folder_entries`] once, and no other names.
#[test]
fn every_file_is_in_a_list() {
    let sources = sources("src");
    let folders: BTreeSet<_> =
        sources.iter().filter(|(path, _)| !is_test(path)).filter_map(|(path, _)| path.parent()).collect();
    let mut found = vec![];
    for folder in folders {
        let name = folder.to_str().unwrap();
        let Some(listed) = listed(name) else {
            found.push(format!("{name} has no file for its list"));
            continue;
        };
        let entries = folder_entries(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
        found.extend(
            entries.iter().filter(|entry| !listed.contains(entry)).map(|entry| format!("{name}/{entry} is not listed")),
        );
        found.extend(
            listed
                .iter()
                .filter(|entry| !entries.contains(*entry))
                .map(|entry| format!("{name}/{entry} does not exist")),
        );
        let duplicates = (0..listed.len()).filter(|i| listed[..*i].contains(&listed[*i]));
        found.extend(duplicates.map(|i| format!("{name}/{} is listed twice", listed[i])));
    }
    assert_none(found, "the list of files in a head comment, with lines like \"//! - `name`: text\"");
}

#[test]
fn the_reader_finds_the_names_in_lists() {
    let text = "//! Title.\n//!\n//! - `a`: first\n//! - `g`: second: more\n//! - [`b`]: a link\n//! - `c` is text\n//! - `d`, `e`: two\n\n//! - `f`: no head";
    assert_eq!(listed_in(text), ["a", "g"]);
}

/// Every folder in tests and every workspace member has a row in a table in docs/design.
#[test]
fn folders_outside_of_src_have_a_row() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = |page: &str| fs::read_to_string(root.join("docs/design").join(page)).unwrap();
    let rows = text("tests.md") + &text("members.md");
    let rows: Vec<_> = rows.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next()).collect();
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let members = manifest.split_once("\nmembers = [").unwrap().1.split_once(']').unwrap().0;
    let members = members.split('"').skip(1).step_by(2).filter(|member| *member != ".").map(str::to_owned);
    let tests = fs::read_dir(root.join("tests")).unwrap().map(|entry| entry.unwrap().path());
    let tests =
        tests.filter(|path| path.is_dir()).map(|path| path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
    let folders: BTreeSet<_> = members.chain(tests).collect();
    assert!(folders.len() > 20, "{folders:?}");
    let missing = folders.into_iter().filter(|folder| !rows.iter().any(|row| row.contains(&format!("`{folder}/`"))));
    assert_none(missing.collect(), "folders without a row in docs/design/tests.md or docs/design/members.md");
}

#[test]
fn paths_in_documents_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut found, mut path_count) = (vec![], 0);
    let documents =
        ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "SECURITY.md", "docs/adding-a-level.md", "docs/checks.md"];
    let design =
        super::documents("docs/design").map(|path| path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
    for document in documents.into_iter().map(str::to_owned).chain(design) {
        let text = fs::read_to_string(root.join(&document)).unwrap();
        // Backticks split the text into pieces of text and code in alternation, starting with text.
        for code in text.split('`').skip(1).step_by(2) {
            let path = code.split_whitespace().next().unwrap_or("");
            let folders = "src tests docs examples benches capi firmware fuzz packages python web";
            let is_path =
                path.split_once('/').is_some_and(|(first, _)| folders.split(' ').any(|folder| folder == first));
            if is_path && !path.contains(['*', '{']) {
                path_count += 1;
                if !root.join(path).exists() {
                    found.push(format!("{document}: {path}"));
                }
            }
        }
    }
    assert_none(found, "a document names a path that does not exist");
    assert!(path_count > 50, "{path_count} paths were seen");
}
