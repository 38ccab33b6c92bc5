//! What an output names, and what it may replace.
//!
//! 1. `-`, an open descriptor, a device or a FIFO is written in place, by whatever name and through whatever links.
//! 2. Anything else that is there, a dangling link too, "exists", and is replaced with `--force` alone.
//! 3. A private key is replaced by what makes one, and by nothing else.
//!
//! How a file is written is told in `staged`.

use super::guard::is_private_key;
use super::read::{InputSource, is_pipe_of};
use crate::tool::report::escape::shown;
use crate::tool::report::{Error, write_stdout};
use crate::tool::system::{
    Access, Directory, Identity, Info, check_name, descriptor, names_device, open_in_place, standard_error,
    standard_output, was_open,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf, is_separator};

/// Whether an existing file is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Force {
    /// An existing file is never replaced.
    No,
    /// An existing file is replaced unless it is a private key.
    Yes,
    /// An existing file is replaced, whatever it is. For commands that make private keys.
    Keys,
}

impl Force {
    /// Translates the option `--force` of a command that makes no private keys.
    pub fn of(force: bool) -> Self {
        if force { Self::Yes } else { Self::No }
    }
}

/// How the output is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputKind {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
    /// An open descriptor, a device, a FIFO or a socket.
    Special,
    /// A file, or nothing yet.
    File,
}

impl OutputKind {
    /// Returns how a path is reached.
    fn of(path: &Path) -> Self {
        if path.as_os_str() == "-" {
            return Self::Stdout;
        }
        match descriptor(path) {
            Some(1) => Self::Stdout,
            Some(2) => Self::Stderr,
            Some(_) => Self::Special,
            None if names_device(path) => Self::Special,
            None if !Info::at(path).is_ok_and(|info| info.is_special()) => Self::File,
            None if is_pipe_of(path, standard_output) => Self::Stdout,
            None if is_pipe_of(path, standard_error) => Self::Stderr,
            None => Self::Special,
        }
    }
}

/// An output that may be written, as far as can be known before the result is there.
#[derive(Debug)]
pub struct Destination {
    pub(super) path: PathBuf,
    pub(super) kind: OutputKind,
    pub(super) force: Force,
    pub(super) access: Access,
}

impl Destination {
    /// Looks at a path and opens nothing.
    ///
    /// # Errors
    /// Something is there and not to be replaced, or the descriptor is closed.
    pub fn new(path: &Path, force: Force, access: Access) -> Result<Self, Error> {
        let kind = OutputKind::of(path);
        match kind {
            OutputKind::Stdout => was_open(1).map_err(Error::Stdout)?,
            OutputKind::Stderr => was_open(2).map_err(|e| Error::io(shown(path), e))?,
            OutputKind::Special | OutputKind::File => check_name(path).map_err(|e| Error::io(shown(path), e))?,
        }
        if kind == OutputKind::File {
            let there = Info::at_name(path);
            let end = path.as_os_str().as_encoded_bytes().last();
            if there.as_ref().is_ok_and(Info::is_dir) || end.is_some_and(|end| is_separator(char::from(*end))) {
                return Err(Error::io(shown(path), io::ErrorKind::IsADirectory));
            }
            match there {
                Ok(_) if force == Force::No && is_private_key(path) => {
                    return Err(Error::KeyExists { path: path.to_owned(), is_replaceable: access == Access::Private });
                }
                Ok(_) if force == Force::No => return Err(Error::Exists(path.to_owned())),
                Ok(_) if force == Force::Yes && is_private_key(path) => return Err(Error::IsKey(path.to_owned())),
                Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(Error::io(shown(path), e)),
                _ => {}
            }
            // Asked before any input is read, so that a long one is not read in vain.
            Directory::may_write(parent(path)).map_err(|e| match e.kind() {
                io::ErrorKind::NotFound => Error::NoDirectory(parent(path).to_owned()),
                _ => Error::io(shown(path), e),
            })?;
        }
        Ok(Self { path: path.to_owned(), kind, force, access })
    }

    /// Returns whether a path names standard output.
    pub fn names_stdout(path: &Path) -> bool {
        OutputKind::of(path) == OutputKind::Stdout
    }

    /// Returns whether a path names a file, or nothing yet: not a stream, device or descriptor.
    pub fn names_file(path: &Path) -> bool {
        OutputKind::of(path) == OutputKind::File
    }

    /// Returns whether the output is standard output.
    pub fn is_stdout(&self) -> bool {
        self.kind == OutputKind::Stdout
    }

    /// Returns whether two paths lead to one output.
    pub fn same(one: &Path, other: &Path) -> bool {
        match (OutputKind::of(one), OutputKind::of(other)) {
            (OutputKind::File, OutputKind::File) => {
                one == other || resolved(one).is_some_and(|it| resolved(other) == Some(it))
            }
            (OutputKind::Stdout, OutputKind::Stdout) | (OutputKind::Stderr, OutputKind::Stderr) => true,
            (OutputKind::Special, OutputKind::Special) => {
                one == other || any_identity(one).is_some_and(|it| any_identity(other) == Some(it))
            }
            _ => false,
        }
    }

    /// Refuses two outputs that are one file, also by other spellings.
    ///
    /// # Errors
    /// Two outputs are one file.
    pub fn refuse_twice<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Result<(), Error> {
        let mut directories = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for path in paths.into_iter().filter(|path| Self::names_file(path)) {
            let directory = parent(path);
            let resolved = directories
                .entry(directory)
                .or_insert_with(|| std::fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned()));
            if !seen.insert((resolved.clone(), path.file_name())) {
                return Err(Error::OutputTwice(path.to_owned()));
            }
        }
        Ok(())
    }

    /// Returns the warning for a private key on standard output that is a file which others may read; `None` if it is
    /// not.
    pub fn open_to_others(&self) -> Option<String> {
        if self.kind != OutputKind::Stdout {
            return None;
        }
        Info::of(&standard_output().ok()?).ok()?.open_to_others()
    }

    /// Refuses raw bytes on a terminal.
    ///
    /// # Errors
    /// The output is a terminal.
    pub fn refuse_terminal(&self) -> Result<(), Error> {
        let terminal = match self.kind {
            OutputKind::Stdout => io::stdout().is_terminal(),
            OutputKind::Stderr => io::stderr().is_terminal(),
            OutputKind::Special => {
                Info::at(&self.path).is_ok_and(|info| info.is_character_device())
                    && open_in_place(&self.path).is_ok_and(|file| file.is_terminal())
            }
            OutputKind::File => false,
        };
        if terminal { Err(Error::RawToTerminal) } else { Ok(()) }
    }

    /// Returns which file the path names now; `None` if it names no regular file.
    pub fn identity(path: &Path) -> Option<Identity> {
        let info = match OutputKind::of(path) {
            OutputKind::Stdout => standard_output().and_then(|file| Info::of(&file)),
            OutputKind::Stderr => standard_error().and_then(|file| Info::of(&file)),
            OutputKind::Special => Info::at(path),
            OutputKind::File => Info::at_name(path),
        };
        info.ok()?.identity()
    }

    /// Refuses an output that is also an input.
    ///
    /// # Errors
    /// The output is an input, too.
    pub fn refuse_inputs<'a>(path: &Path, inputs: impl IntoIterator<Item = &'a InputSource>) -> Result<(), Error> {
        let Some(output) = Self::identity(path) else { return Ok(()) };
        match inputs.into_iter().find(|input| input.identity() == Some(output)) {
            Some(_) => Err(Error::OutputIsInput(path.to_owned())),
            None => Ok(()),
        }
    }

    /// Writes a result to a stream, a device or a descriptor.
    ///
    /// # Errors
    /// The result could not be written, or only a part of it.
    pub(super) fn write_in_place(&self, result: &[u8]) -> Result<(), Error> {
        let written = match self.kind {
            OutputKind::Stdout => return write_stdout(result),
            OutputKind::Stderr => io::stderr().write_all(result),
            _ => open_in_place(&self.path).and_then(|mut file| file.write_all(result)),
        };
        written.map_err(|e| Error::io(shown(&self.path), e))
    }
}

/// Returns the directory of a path without links, and the file name.
fn resolved(path: &Path) -> Option<(PathBuf, OsString)> {
    Some((std::fs::canonicalize(parent(path)).ok()?, path.file_name()?.to_owned()))
}

fn any_identity(path: &Path) -> Option<Identity> {
    Info::at(path).ok()?.any_identity()
}

/// Returns the directory of a path.
pub(super) fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Creates a directory for the owner alone.
///
/// # Errors
/// The directory exists already, or cannot be made.
pub fn create_directory(path: &Path) -> Result<(), Error> {
    Directory::create_private(path).map_err(|e| match e.kind() {
        io::ErrorKind::AlreadyExists => Error::Exists(path.to_owned()),
        _ => Error::io(shown(path), e),
    })
}
