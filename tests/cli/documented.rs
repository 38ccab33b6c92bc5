//! The reason codes, exit codes and members in `docs/json.md` against the sources of the program.

use crate::schema::{members, reasons};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Sources of other documents: test vectors in the form of ACVP, and envelopes.
const OTHER_DOCUMENTS: [&str; 2] = ["cmd/testvectors/acvp.rs", "tool/message/dsse.rs"];

/// All sources of the program without their unit tests, by path below `src`.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut found, mut todo) = (vec![], ["cmd", "tool", "verdict"].map(|room| root.join(room)).to_vec());
    while let Some(dir) = todo.pop() {
        for path in fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                todo.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            found.push((path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned(), text.to_owned()));
        }
    }
    found
}

/// Returns whether a text looks like a code or the name of a member.
fn is_code(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// The texts between quotes in a line that look like a code.
fn codes(line: &str) -> impl Iterator<Item = &str> {
    line.split('"').skip(1).step_by(2).filter(|text| is_code(text))
}

/// The name of the function that begins on a line.
fn function(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = line.strip_prefix("pub(super) ").or(line.strip_prefix("pub ")).unwrap_or(line);
    line.strip_prefix("fn ")?.split('(').next()
}

/// The reason codes that the program can give: from the tables of errors, from the functions that choose a code, and from the
/// results that are made with one.
pub fn codes_of_sources() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (_, text) in sources() {
        let mut end = None;
        for line in text.lines().filter(|line| !line.trim_start().starts_with("#[")) {
            let is_table = ["errors! {", "rows! {"].contains(&line);
            if is_table || function(line).is_some_and(|name| name.ends_with("_row") || name.ends_with("_reason")) {
                end = Some(format!("{}}}", &line[..line.len() - line.trim_start().len()]));
            } else if end.as_deref() == Some(line) {
                end = None;
            }
            let made = line.split_once(".failed(").map(|(_, rest)| rest);
            let chosen = if end.is_some() { Some(line) } else { made };
            found.extend(chosen.into_iter().flat_map(codes).map(str::to_owned));
        }
    }
    found
}

/// The calls before the name of a member: they write a member of a document, or take a member of a request.
const MEMBER_CALLS: [&str; 8] =
    [".set(", ".path(", ".entry(", "members.insert(", "RESULTS: &str = ", ".take(", ".take_text(", ".take_bytes("];

/// Returns whether a quoted text between these texts of its line is the name of a member: an argument of a call, a member of an
/// object in `json!`, or the first part of a pair in a table of members.
fn is_member(before: &str, after: &str) -> bool {
    let is_first = before.trim().is_empty() || before.ends_with(['{', ',', ' ']);
    MEMBER_CALLS.iter().any(|call| before.ends_with(call))
        || is_first && after.starts_with(':')
        || before.trim() == "(" && after.starts_with(", &self.")
}

/// The names of members in the program.
fn members_of_sources() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (path, text) in sources() {
        if OTHER_DOCUMENTS.contains(&path.as_str()) {
            continue;
        }
        let mut is_columns = false;
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            is_columns = line.starts_with("columns! {") || is_columns && line != "}";
            let parts: Vec<_> = line.split('"').collect();
            // The first text of a column of `bench` is the member, after the names of the objects around it.
            let column = parts.get(1).filter(|_| is_columns).into_iter().flat_map(|member| member.split('.'));
            let quoted = parts.windows(3).step_by(2).filter(|part| !is_columns && is_member(part[0], part[2]));
            let names = quoted.map(|part| part[1]).chain(column).filter(|name| is_code(name));
            found.extend(names.map(str::to_owned));
        }
    }
    found
}

/// Fails unless the sources and the document have the same names.
fn are_the_same(what: &str, sources: &BTreeSet<String>, document: &BTreeSet<String>) {
    let missing: Vec<_> = sources.difference(document).collect();
    let gone: Vec<_> = document.difference(sources).collect();
    assert!(missing.is_empty(), "add to the {what} of docs/json.md: {missing:?}");
    assert!(gone.is_empty(), "the sources do not give these {what} of docs/json.md any more: {gone:?}");
}

#[test]
fn reason_codes_are_those_of_the_sources() {
    let found = codes_of_sources();
    assert!(found.len() > 50 && found.contains("stdin_twice") && found.contains("signature_mismatch"), "{found:?}");
    are_the_same("reason codes", &found, &reasons().into_keys().collect());
}

#[test]
fn members_are_those_of_the_sources() {
    let found = members_of_sources();
    assert!(found.len() > 80 && found.contains("fingerprint") && found.contains("exit_code"), "{found:?}");
    are_the_same("members", &found, &members());
}
