//! Limits for type names: how many may be a single participle or a single word. A reader who does
//! not know the project should understand each name.

use super::super::sources;
use std::collections::BTreeSet;

/// The folders of the workspace in which the tests count types.
const FOLDERS: [&str; 10] =
    ["src", "tests", "benches", "examples", "capi", "python", "web", "firmware", "fuzz", "packages/npm"];

/// Type names that are nouns, although they end like a participle.
const NOUNS_LIKE_PARTICIPLES: [&str; 1] = ["Ring"];

/// Returns the names of the types that a text defines at the start of a line. Excludes associated
/// types, such as `type Error = ...;`, because a trait of another crate may require their names.
fn type_names(text: &str) -> Vec<String> {
    let mut found = vec![];
    for line in text.lines() {
        let modifiers = ["pub", "unsafe"];
        let mut words =
            line.trim_start().split(' ').skip_while(|word| modifiers.iter().any(|modifier| word.starts_with(modifier)));
        let keyword = words.next().unwrap_or("");
        let is_indented_alias = keyword == "type" && line.starts_with(' ');
        if !["struct", "enum", "union", "trait", "type"].contains(&keyword) || is_indented_alias {
            continue;
        }
        let name = words.next().unwrap_or("");
        let name: String = name.chars().take_while(|c| c.is_ascii_alphanumeric()).collect();
        if name.starts_with(|c: char| c.is_ascii_uppercase()) {
            found.push(name);
        }
    }
    found
}

/// Returns whether a name is a single word.
fn is_single_word(name: &str) -> bool {
    !name[1..].chars().any(|c| c.is_ascii_uppercase())
}

/// Returns whether a name is a single participle, such as `Pending` or `Kept`.
fn is_participle(name: &str) -> bool {
    let participle_endings = ["ed", "ing", "ept", "eld", "awn", "own", "elt", "ade", "een", "ound"];
    is_single_word(name)
        && participle_endings.iter().any(|end| name.ends_with(end))
        && !NOUNS_LIKE_PARTICIPLES.contains(&name)
}

/// Returns all type names without duplicates.
fn all_names() -> BTreeSet<String> {
    let names: BTreeSet<String> =
        FOLDERS.iter().flat_map(|folder| sources(folder)).flat_map(|(_, text)| type_names(&text)).collect();
    assert!(names.len() > 700, "{} names", names.len());
    names
}

#[test]
fn type_names_are_nouns() {
    let found: Vec<_> = all_names().into_iter().filter(|name| is_participle(name)).collect();
    super::assert_at_most(3, "type names that are a participle", &found);
}

#[test]
fn type_names_have_several_words() {
    let names = all_names();
    let single: Vec<_> = names.iter().filter(|name| is_single_word(name)).cloned().collect();
    super::assert_at_most(names.len() / 5, "type names of a single word", &single);
}

#[test]
fn the_reader_finds_type_names() {
    let text = "pub struct KeyPair<'a> {\n    type Error = u8;\npub(super) enum Kept;\ntype Pairs = u8;\n// struct No\nunsafe trait Ring {}";
    assert_eq!(type_names(text), ["KeyPair", "Kept", "Pairs", "Ring"]);
    assert!(is_participle("Kept") && is_participle("Pending") && !is_participle("Ring") && !is_participle("KeptWords"));
    assert!(is_single_word("Pairs") && !is_single_word("KeyPair"));
}
