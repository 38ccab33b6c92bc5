//! Hints about an input that does not exist. A hint names a similar file in the same directory, or
//! explains that several names must not be joined by commas.

use super::destination::parent;
use super::read::InputSource;
use crate::tool::report::Error;
use crate::tool::report::escape::pasteable_name;
use fndsa::files::ObjectKind;
use std::fs::read_dir;
use std::io;
use std::path::{Path, PathBuf};

/// All kinds of files with a key or a signature, in the order in which hints list them.
pub const ANY_KIND: [ObjectKind; 3] = [ObjectKind::VerifyingKey, ObjectKind::SigningKey, ObjectKind::Signature];

/// The maximum number of directory entries that are compared with a missing name.
const SEARCHED: usize = 10_000;

impl InputSource {
    /// Adds a hint to `e` if this input does not exist and there is a suggestion. Otherwise,
    /// returns `e` unchanged. `expected_kinds` lists the kinds of files that the command expects.
    /// The list is empty if the file can have any contents.
    pub fn explain_missing(&self, e: Error, expected_kinds: &[ObjectKind]) -> Error {
        match (&e, self) {
            (Error::Io { source, .. }, Self::File(path)) if source.kind() == io::ErrorKind::NotFound => {
                match missing_hint(path, expected_kinds) {
                    Some(hint) => e.with_hint(hint),
                    None => e,
                }
            }
            _ => e,
        }
    }
}

/// Returns the hint for a missing file. Returns `None` if there is no similar name.
fn missing_hint(path: &Path, expected_kinds: &[ObjectKind]) -> Option<String> {
    if let Some(names) = joined_names(path) {
        let separator = match expected_kinds {
            [kind] => format!(" {} ", option(*kind)),
            _ => " ".to_owned(),
        };
        let names: Vec<_> = names.iter().map(pasteable_name).collect();
        return Some(format!("give each name without a comma:{separator}{}", names.join(&separator)));
    }
    let mut suggestions = with_other_ending(path, expected_kinds);
    if suggestions.is_empty() {
        suggestions.push(in_other_case(path)?);
    }
    let suggestions: Vec<_> = suggestions.iter().map(pasteable_name).collect();
    Some(format!("did you mean {}?", suggestions.join(" or ")))
}

/// Splits a name with commas into the names of existing files. Returns `None` if the name contains
/// no comma, or if a file does not exist.
fn joined_names(path: &Path) -> Option<Vec<PathBuf>> {
    let mut names = Vec::new();
    for name in path.to_str()?.split(',') {
        names.push(PathBuf::from(name));
    }
    if names.len() == 1 {
        return None;
    }
    for name in &names {
        if !name.exists() {
            return None;
        }
    }
    Some(names)
}

/// Returns the existing files with the usual extensions of the expected kinds. For example, `k.pub`
/// is found for `k` or `k.pem`.
fn with_other_ending(path: &Path, expected_kinds: &[ObjectKind]) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for kind in expected_kinds {
        let mut added = path.as_os_str().to_owned();
        added.push(".");
        added.push(ending(*kind));
        let names = [PathBuf::from(added), path.with_extension(ending(*kind))];
        for name in names {
            if name != path && name.is_file() {
                paths.push(name);
                break;
            }
        }
    }
    paths
}

/// Returns the path of a file in the same directory with a name that differs only in upper and
/// lower case.
fn in_other_case(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?.to_lowercase();
    for entry in read_dir(parent(path)).ok()?.take(SEARCHED) {
        let entry_name = entry.ok()?.file_name();
        if let Some(text) = entry_name.to_str()
            && text.to_lowercase() == name
        {
            return Some(path.with_file_name(entry_name));
        }
    }
    None
}

/// Returns the usual extension of a file of this kind.
fn ending(kind: ObjectKind) -> &'static str {
    match kind {
        ObjectKind::SigningKey => "key",
        ObjectKind::VerifyingKey => "pub",
        ObjectKind::Signature => "sig",
    }
}

/// Returns the option that names a file of this kind.
fn option(kind: ObjectKind) -> &'static str {
    match kind {
        ObjectKind::SigningKey => "-k",
        ObjectKind::VerifyingKey => "-p",
        ObjectKind::Signature => "-s",
    }
}
