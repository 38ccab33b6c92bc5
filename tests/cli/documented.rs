//! Compares the reason codes and members in `docs/json.md` with the program's sources.
//! (`messages.rs` compares the exit codes with the program.)

use crate::schema::{all_members, reason_codes};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Sources of JSON documents that `docs/json.md` does not describe: ACVP test vectors and DSSE
/// envelopes.
const OTHER_DOCUMENTS: [&str; 2] = ["cmd/testvectors/acvp.rs", "tool/message/dsse.rs"];

/// Returns the sources in src/cmd, src/tool and src/verdict without their unit tests, with paths
/// below `src`.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut sources, mut directories) = (vec![], ["cmd", "tool", "verdict"].map(|room| root.join(room)).to_vec());
    while let Some(directory) = directories.pop() {
        for path in fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                directories.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            sources.push((path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned(), text.to_owned()));
        }
    }
    sources
}

/// Returns whether a text looks like a reason code or a member name.
fn is_code(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// Returns the quoted texts in a line that look like a code.
fn codes_in_line(line: &str) -> impl Iterator<Item = &str> {
    line.split('"').skip(1).step_by(2).filter(|text| is_code(text))
}

/// Returns the name of the function that starts on this line, or `None`.
fn function_name(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = line.strip_prefix("pub(super) ").or(line.strip_prefix("pub ")).unwrap_or(line);
    line.strip_prefix("fn ")?.split('(').next()
}

/// Returns the reason codes that the program can report. The sources contain them in three places:
///
/// - the macro calls `errors!` and `message_enum!`,
/// - functions with a name that ends with `_row` or `_reason`,
/// - the arguments of the method `failed`.
pub fn codes_of_sources() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    for (_, text) in sources() {
        // In a macro call or a function with reason codes: its last line, a brace after the indent.
        let mut end = None;
        for line in text.lines().filter(|line| !line.trim_start().starts_with("#[")) {
            let is_table = ["errors! {", "message_enum! {"].contains(&line);
            if is_table || function_name(line).is_some_and(|name| name.ends_with("_row") || name.ends_with("_reason")) {
                end = Some(format!("{}}}", &line[..line.len() - line.trim_start().len()]));
            } else if end.as_deref() == Some(line) {
                end = None;
            }
            let failed_argument = line.split_once(".failed(").map(|(_, rest)| rest);
            let line_part = if end.is_some() { Some(line) } else { failed_argument };
            codes.extend(line_part.into_iter().flat_map(codes_in_line).map(str::to_owned));
        }
    }
    codes
}

/// Code that stands directly before a quoted member name. It writes a member (a name and its value)
/// to a document, or reads a member from a request.
const MEMBER_CALLS: [&str; 8] =
    [".set(", ".path(", ".entry(", "members.insert(", "RESULTS: &str = ", ".take(", ".take_text(", ".take_bytes("];

/// Returns whether a quoted text is a member name. `before` and `after` are the rest of its line. A
/// member name is an argument of a call in [`MEMBER_CALLS`], a key in a `json!` object, or the
/// first part of a pair with `&self`.
fn is_member(before: &str, after: &str) -> bool {
    let is_first = before.trim().is_empty() || before.ends_with(['{', ',', ' ']);
    MEMBER_CALLS.iter().any(|call| before.ends_with(call))
        || is_first && after.starts_with(':')
        || before.trim() == "(" && after.starts_with(", &self.")
}

/// Returns the member names in the program's sources.
fn members_of_sources() -> BTreeSet<String> {
    let mut members = BTreeSet::new();
    for (path, text) in sources() {
        if OTHER_DOCUMENTS.contains(&path.as_str()) {
            continue;
        }
        let mut is_columns = false;
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            is_columns = line.starts_with("columns! {") || is_columns && line != "}";
            let parts: Vec<_> = line.split('"').collect();
            // A row of the macro `columns!` begins with a quoted path: the parent objects' names
            // and the member's name, separated by dots.
            let column = parts.get(1).filter(|_| is_columns).into_iter().flat_map(|member| member.split('.'));
            let quoted = parts.windows(3).step_by(2).filter(|part| !is_columns && is_member(part[0], part[2]));
            let names = quoted.map(|part| part[1]).chain(column).filter(|name| is_code(name));
            members.extend(names.map(str::to_owned));
        }
    }
    members
}

/// Fails unless the sources and the document contain the same names.
fn assert_same_names(what: &str, sources: &BTreeSet<String>, document: &BTreeSet<String>) {
    let missing: Vec<_> = sources.difference(document).collect();
    let removed: Vec<_> = document.difference(sources).collect();
    assert!(missing.is_empty(), "add to the {what} of docs/json.md: {missing:?}");
    assert!(removed.is_empty(), "remove these {what} from docs/json.md, because no source contains them: {removed:?}");
}

#[test]
fn reason_codes_match_the_sources() {
    let codes = codes_of_sources();
    assert!(codes.len() > 50 && codes.contains("stdin_twice") && codes.contains("signature_mismatch"), "{codes:?}");
    assert_same_names("reason codes", &codes, &reason_codes().into_keys().collect());
}

#[test]
fn members_match_the_sources() {
    let members = members_of_sources();
    assert!(members.len() > 80 && members.contains("fingerprint") && members.contains("exit_code"), "{members:?}");
    assert_same_names("members", &members, &all_members());
}
