//! Opens files below a directory. Every file that a list names is opened with
//! [`DirectoryTree::open`].

use super::destination::parent;
use super::read::InputSource;
use crate::tool::report::Error;
use crate::tool::report::escape::shown;
use crate::tool::system::{BaseDirectory, FileInfo, TreeOpenError, name_of, open_beneath};
use fndsa::files::manifest::names_a_day;
use std::fmt::Display;
use std::fs::{File, canonicalize, read_dir};
use std::io;
use std::path::{Path, PathBuf};

/// A directory with everything below it.
pub struct DirectoryTree {
    /// The directory's path, or `None` for the current directory.
    path: Option<PathBuf>,
    base: BaseDirectory,
}

/// A directory entry that is not a directory.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TreeEntry {
    /// The path relative to the directory, with `/` between its components, as in a list.
    pub name: Vec<u8>,
    /// The kind of a special file in words for messages, for example `a FIFO`. `None` for a regular
    /// file.
    pub special: Option<&'static str>,
}

impl TreeEntry {
    /// Returns whether this is an empty file with the name of a date entry, for example
    /// `BEST-BEFORE-2027-01-31`. A date entry in a list gives the last day on which to accept the
    /// list. `sha256sum -c` needs a file for each entry, so users create such an empty file. The
    /// file for an old day can remain after the list is renewed.
    pub fn marks_a_day(&self, tree: &DirectoryTree) -> bool {
        if self.special.is_some() || !names_a_day(&self.name) {
            return false;
        }
        InputSource::File(tree.path_of(&self.name)).file_len() == Some(0)
    }
}

impl DirectoryTree {
    /// Creates a tree for the current directory.
    pub fn current() -> Self {
        Self { path: None, base: BaseDirectory::current() }
    }

    /// Opens a directory, also through a link.
    ///
    /// # Errors
    /// Fails if the directory is missing, or if the user may not enter it.
    pub fn at(path: &Path) -> Result<Self, Error> {
        let base = BaseDirectory::at(path).map_err(|e| Error::io(shown(path), e))?;
        Ok(Self { path: Some(path.to_owned()), base })
    }

    /// Returns the path of a file below the directory. `name` is a file name from a list of
    /// checksums, with `/` between its components on every system.
    pub fn path_of(&self, name: &[u8]) -> PathBuf {
        let name = name_of(name);
        match &self.path {
            Some(path) => path.join(&name),
            None => PathBuf::from(&name),
        }
    }

    /// Converts a path relative to this directory to a path relative to the current directory.
    /// Every source except [`InputSource::File`] is returned unchanged.
    pub fn resolve(&self, source: &InputSource) -> InputSource {
        match (&self.path, source) {
            (Some(path), InputSource::File(name)) => InputSource::File(path.join(name)),
            _ => source.clone(),
        }
    }

    /// Opens a regular file below the directory. `from` is the file's name in error messages.
    ///
    /// # Errors
    /// Fails if the file is missing, cannot be read or is not a regular file, or if a link leads
    /// out of the directory.
    pub fn open(&self, name: &[u8], from: &dyn Display) -> Result<(File, FileInfo), Error> {
        let file = match open_beneath(&self.base, Path::new(&name_of(name))) {
            Ok(file) => file,
            Err(TreeOpenError::Outside) => {
                return Err(Error::LinkOutside { from: from.to_string(), directory: self.path.clone() });
            }
            Err(TreeOpenError::NotRegular(what)) => return Err(Error::NotRegular { from: from.to_string(), what }),
            Err(TreeOpenError::Failed(e)) => return Err(Error::io(from, e)),
        };
        let info = FileInfo::of(&file).map_err(|e| Error::io(from, e))?;
        if info.is_file() {
            Ok((file, info))
        } else if info.is_dir() {
            Err(Error::io(from, io::ErrorKind::IsADirectory))
        } else {
            Err(Error::NotRegular { from: from.to_string(), what: info.special_words() })
        }
    }

    /// Converts a path to its name in a list: the path relative to this directory. The file does
    /// not have to exist. Returns `None` if the path is outside the directory, or if its parent
    /// directory does not exist.
    pub fn name_below(&self, path: &Path) -> Option<Vec<u8>> {
        let top = canonicalize(self.directory()).ok()?;
        let canonical = canonicalize(parent(path)).ok()?.join(path.file_name()?);
        let mut parts = Vec::new();
        for part in canonical.strip_prefix(top).ok()? {
            parts.push(part.as_encoded_bytes());
        }
        Some(name_in_list(parts.join(&b'/')))
    }

    /// Lists all entries below the directory except directories, sorted by the bytes of their
    /// names. Also returns the directories that cannot be read, with the errors. Does not follow
    /// links.
    pub fn walk(&self) -> (Vec<TreeEntry>, Vec<(PathBuf, io::Error)>) {
        let mut entries = Vec::new();
        let mut errors = Vec::new();
        let mut unread_directories = vec![Vec::new()];
        while let Some(directory) = unread_directories.pop() {
            if let Err(e) = self.read_entries(&directory, &mut entries, &mut unread_directories) {
                let path = if directory.is_empty() { self.directory().to_owned() } else { self.path_of(&directory) };
                errors.push((path, e));
            }
        }
        entries.sort_unstable();
        (entries, errors)
    }

    /// Reads a directory. Adds its subdirectories to `unread_directories`, and its entries except
    /// subdirectories to `entries`.
    fn read_entries(
        &self,
        directory: &[u8],
        entries: &mut Vec<TreeEntry>,
        unread_directories: &mut Vec<Vec<u8>>,
    ) -> io::Result<()> {
        let path = if directory.is_empty() { self.directory().to_owned() } else { self.path_of(directory) };
        for entry in read_dir(path)? {
            let entry = entry?;
            let mut name = directory.to_vec();
            if !name.is_empty() {
                name.push(b'/');
            }
            name.extend_from_slice(entry.file_name().as_encoded_bytes());
            let kind = entry.file_type()?;
            if kind.is_dir() {
                unread_directories.push(name);
            } else {
                let special =
                    if kind.is_file() { None } else { Some(FileInfo::at_name(&entry.path())?.special_words()) };
                entries.push(TreeEntry { name: name_in_list(name), special });
            }
        }
        Ok(())
    }

    fn directory(&self) -> &Path {
        self.path.as_deref().unwrap_or(Path::new("."))
    }
}

/// Returns a name as lists contain it. The file `-` is listed as `./-`, because `-` means standard
/// input.
fn name_in_list(name: Vec<u8>) -> Vec<u8> {
    if name == b"-" { b"./-".to_vec() } else { name }
}
