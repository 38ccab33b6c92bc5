//! Files below a directory: what a manifest names is opened by [`Tree::open`] alone.
//!
//! A link that stays below the directory is followed, because a release directory may have `latest -> v2` in it. A link
//! that leads out is an error, so that a list never vouches for a file that its directory does not hold. Only regular
//! files are read, and what was opened is what is looked at and read. A walk through the directory follows no link.

use super::destination::parent;
use super::read::InputSource;
use crate::tool::report::Error;
use crate::tool::report::escape::shown;
use crate::tool::system::{Base, Info, NotOpened, name_of, open_beneath};
use fndsa::files::manifest::names_a_day;
use std::fmt::Display;
use std::fs::{File, canonicalize, read_dir};
use std::io;
use std::path::{Path, PathBuf};

/// A directory, and all that is below it.
pub struct Tree {
    /// The path of the directory; `None` for the current directory.
    path: Option<PathBuf>,
    base: Base,
}

/// What stands below a directory and is none itself.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Standing {
    /// Its name, seen from the directory: components with `/` between them, as a list has it.
    pub name: Vec<u8>,
    /// In words what it is, if it is no regular file.
    pub special: Option<&'static str>,
}

impl Standing {
    /// Returns whether this is the empty file that `sha256sum -c` needs for the last day of a list. A list that is
    /// renewed leaves the file of an older day.
    pub fn marks_a_day(&self, tree: &Tree) -> bool {
        if self.special.is_some() || !names_a_day(&self.name) {
            return false;
        }
        InputSource::File(tree.place(&self.name)).file_len() == Some(0)
    }
}

impl Tree {
    /// Takes the current directory.
    pub fn current() -> Self {
        Self { path: None, base: Base::current() }
    }

    /// Takes a directory. A link to one is followed.
    ///
    /// # Errors
    /// There is no such directory, or it may not be entered.
    pub fn at(path: &Path) -> Result<Self, Error> {
        let base = Base::at(path).map_err(|e| Error::io(shown(path), e))?;
        Ok(Self { path: Some(path.to_owned()), base })
    }

    /// Returns the path of a file below the directory. Range: a name as a list has it.
    pub fn place(&self, name: &[u8]) -> PathBuf {
        let name = name_of(name);
        self.path.as_ref().map_or_else(|| PathBuf::from(&name), |path| path.join(&name))
    }

    /// Returns what somebody names who begins in the directory, as seen from here.
    pub fn seen(&self, source: &InputSource) -> InputSource {
        match (&self.path, source) {
            (Some(path), InputSource::File(name)) => InputSource::File(path.join(name)),
            _ => source.clone(),
        }
    }

    /// Opens a regular file below the directory. `from` is what messages call it.
    ///
    /// # Errors
    /// The file is not there, cannot be read, is no regular file, or a link leads out.
    pub fn open(&self, name: &[u8], from: &dyn Display) -> Result<(File, Info), Error> {
        let file = open_beneath(&self.base, Path::new(&name_of(name))).map_err(|e| match e {
            NotOpened::Outside => Error::LinkOutside { from: from.to_string(), directory: self.path.clone() },
            NotOpened::NotRegular(what) => Error::NotRegular { from: from.to_string(), what },
            NotOpened::Failed(e) => Error::io(from, e),
        })?;
        let info = Info::of(&file).map_err(|e| Error::io(from, e))?;
        if info.is_file() {
            Ok((file, info))
        } else if info.is_dir() {
            Err(Error::io(from, io::ErrorKind::IsADirectory))
        } else {
            Err(Error::NotRegular { from: from.to_string(), what: info.special_words() })
        }
    }

    /// Returns the name that a path has below the directory, whether something stands there or not; `None` if the path
    /// leads elsewhere.
    pub fn name_below(&self, path: &Path) -> Option<Vec<u8>> {
        let top = canonicalize(self.directory()).ok()?;
        let place = canonicalize(parent(path)).ok()?.join(path.file_name()?);
        let parts = place.strip_prefix(top).ok()?.iter().map(|part| part.as_encoded_bytes());
        Some(listed_as(parts.collect::<Vec<_>>().join(&b'/')))
    }

    /// Returns all that is below the directory and is no directory, sorted by the bytes of the names, and what could
    /// not be looked at. No link is followed.
    pub fn walk(&self) -> (Vec<Standing>, Vec<(PathBuf, io::Error)>) {
        let mut found = Vec::new();
        let mut errors = Vec::new();
        let mut due = vec![Vec::new()];
        while let Some(directory) = due.pop() {
            if let Err(e) = self.look_into(&directory, &mut found, &mut due) {
                let place = if directory.is_empty() { self.directory().to_owned() } else { self.place(&directory) };
                errors.push((place, e));
            }
        }
        found.sort_unstable();
        (found, errors)
    }

    /// Adds what stands in one of the directories, by its name.
    fn look_into(&self, directory: &[u8], found: &mut Vec<Standing>, due: &mut Vec<Vec<u8>>) -> io::Result<()> {
        let place = if directory.is_empty() { self.directory().to_owned() } else { self.place(directory) };
        for entry in read_dir(place)? {
            let entry = entry?;
            let mut name = directory.to_vec();
            if !name.is_empty() {
                name.push(b'/');
            }
            name.extend_from_slice(entry.file_name().as_encoded_bytes());
            let kind = entry.file_type()?;
            if kind.is_dir() {
                due.push(name);
            } else {
                let special = if kind.is_file() { None } else { Some(Info::at_name(&entry.path())?.special_words()) };
                found.push(Standing { name: listed_as(name), special });
            }
        }
        Ok(())
    }

    fn directory(&self) -> &Path {
        self.path.as_deref().unwrap_or(Path::new("."))
    }
}

/// Returns how a list spells a name: `-` is standard input, and the file of that name is `./-`.
fn listed_as(name: Vec<u8>) -> Vec<u8> {
    if name == b"-" { b"./-".to_vec() } else { name }
}
