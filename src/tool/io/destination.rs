//! Output paths: which outputs are streams or files, and when an existing file may be replaced.
//!
//! 1. `-`, an open descriptor, a device and a FIFO are written in place (no new file replaces
//!    them), even if the path is a link.
//! 2. An existing file that is not in rule 1, and a link to a missing file, is replaced only with
//!    `--force`, or by a command that changes a file (`passwd`, `sign --add`).
//! 3. A private key is replaced only by a command that creates private keys, and a public key only
//!    by a command that creates keys.
//! 4. `sign` replaces only signatures, envelopes, signed kernel modules and lists. The module
//!    `guard` detects them.
//!
//! The module `staged` writes the files.

use super::guard::{ExistingFile, check_list, check_signature};
use super::read::{InputSource, is_pipe_of};
use crate::tool::report::escape::shown;
use crate::tool::report::{Error, write_stdout};
use crate::tool::system::{
    Directory, FileIdentity, FileInfo, NewFileAccess, check_name, descriptor, names_device, open_in_place,
    standard_error, standard_output, was_open,
};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf, is_separator};

/// The rule for replacing an existing file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverwriteRule {
    /// Existing files are never replaced.
    No,
    /// An existing file is replaced unless it is a key.
    Yes,
    /// A file is replaced if [`check_signature`] accepts it. This rule is for commands that sign
    /// files.
    Signatures,
    /// A file is replaced if [`check_list`] accepts it. This rule is for commands that sign lists.
    Lists,
    /// An existing file is replaced unless it is a private key. This rule is for commands that
    /// create public keys.
    PublicKeys,
    /// Any existing file is replaced. This rule is for commands that create private keys.
    Keys,
}

impl OverwriteRule {
    /// Returns the rule for a command that creates neither keys nor signatures. `force` is the
    /// option `--force`.
    pub fn of(force: bool) -> Self {
        Self::Yes.with(force)
    }

    /// Returns this rule if `--force` is given, and otherwise [`Self::No`].
    pub fn with(self, force: bool) -> Self {
        if force { self } else { Self::No }
    }

    /// Checks that an existing file may be replaced. `info` is the metadata of the path itself: for
    /// a link, the metadata of the link. `access` is private if the new file is a private key.
    fn check(self, path: &Path, info: &FileInfo, access: NewFileAccess) -> Result<(), Error> {
        if self == Self::Keys {
            return Ok(());
        }
        let existing = ExistingFile::read(path, info);
        let is_private = existing.is_private_key();
        match self {
            Self::No if is_private => {
                let is_replaceable = access == NewFileAccess::Private;
                Err(Error::KeyExists { path: path.to_owned(), is_replaceable })
            }
            Self::No => Err(Error::Exists(path.to_owned())),
            _ if is_private => Err(Error::IsKey(path.to_owned())),
            Self::PublicKeys | Self::Keys => Ok(()),
            _ if existing.is_public_key() => Err(Error::IsPublicKey(path.to_owned())),
            Self::Signatures => check_signature(path),
            Self::Lists => check_list(path),
            Self::Yes => Ok(()),
        }
    }
}

/// The way in which an output is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputKind {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
    /// An open descriptor, a device, a FIFO or a socket.
    Special,
    /// A file, which fndsa creates or replaces.
    File,
}

impl OutputKind {
    /// Returns the way in which the output at a path is written.
    fn of(path: &Path) -> Self {
        Self::with_info(path).0
    }

    /// Returns the way in which an output is written. For [`Self::File`], also returns the metadata
    /// of the path. A link at the end of the path is not followed.
    fn with_info(path: &Path) -> (Self, io::Result<FileInfo>) {
        let missing = Err(io::ErrorKind::NotFound.into());
        if path.as_os_str() == "-" {
            return (Self::Stdout, missing);
        }
        if names_device(path) {
            return (Self::Special, missing);
        }
        // `descriptor` makes further system calls only for a link. Most output paths are not links.
        let info = FileInfo::at_name(path);
        let is_link = matches!(&info, Ok(info) if info.is_link());
        let is_special = match descriptor(path, is_link) {
            Some(1) => return (Self::Stdout, missing),
            Some(2) => return (Self::Stderr, missing),
            Some(_) => return (Self::Special, missing),
            None if is_link => matches!(FileInfo::at(path), Ok(info) if info.is_special()),
            None => matches!(&info, Ok(info) if info.is_special()),
        };
        let kind = if !is_special {
            Self::File
        } else if is_pipe_of(path, standard_output) {
            Self::Stdout
        } else if is_pipe_of(path, standard_error) {
            Self::Stderr
        } else {
            Self::Special
        };
        (kind, info)
    }
}

/// An output path, and the identity of the file to which the path led when [`Self::new`] was
/// called.
pub struct OutputPath<'a> {
    path: &'a Path,
    kind: OutputKind,
    /// The identity of the output. `None` if the output is not an existing regular file.
    identity: Option<FileIdentity>,
}

impl<'a> OutputPath<'a> {
    /// Queries the kind and the identity of the output that a path names.
    pub fn new(path: &'a Path) -> Self {
        let (kind, info) = OutputKind::with_info(path);
        let info = match kind {
            OutputKind::Stdout => info_of(standard_output()),
            OutputKind::Stderr => info_of(standard_error()),
            OutputKind::Special => FileInfo::at(path),
            OutputKind::File => info,
        };
        let identity = match info {
            Ok(info) => info.identity(),
            Err(_) => None,
        };
        Self { path, kind, identity }
    }

    /// Returns the path that [`Self::new`] got.
    pub fn path(&self) -> &'a Path {
        self.path
    }

    /// Returns whether the path names standard output.
    pub fn is_stdout(&self) -> bool {
        self.kind == OutputKind::Stdout
    }

    /// Returns the identity of the output. Returns `None` if the output is not an existing regular
    /// file.
    pub fn identity(&self) -> Option<FileIdentity> {
        self.identity
    }
}

/// An output path that was checked in advance, before the command computes the result that it will
/// write there.
#[derive(Debug)]
pub struct Destination {
    pub(super) path: PathBuf,
    pub(super) kind: OutputKind,
    pub(super) overwrite: OverwriteRule,
    pub(super) access: NewFileAccess,
}

impl Destination {
    /// Checks an output path without opening it.
    ///
    /// # Errors
    /// Fails in these cases:
    /// - The path is a directory.
    /// - A file exists and must not be replaced.
    /// - The parent directory is missing or not writable.
    /// - The system does not allow the name.
    /// - The path names standard output or standard error, and this stream is closed.
    pub fn new(path: &Path, overwrite: OverwriteRule, access: NewFileAccess) -> Result<Self, Error> {
        let (kind, existing) = OutputKind::with_info(path);
        match kind {
            OutputKind::Stdout => was_open(1).map_err(Error::Stdout)?,
            OutputKind::Stderr => was_open(2).map_err(|e| Error::io(shown(path), e))?,
            OutputKind::Special | OutputKind::File => check_name(path).map_err(|e| Error::io(shown(path), e))?,
        }
        if kind == OutputKind::File {
            let is_directory = match &existing {
                Ok(info) if info.is_dir() => true,
                _ => ends_with_separator(path),
            };
            if is_directory {
                return Err(Error::io(shown(path), io::ErrorKind::IsADirectory));
            }
            match existing {
                Ok(info) => overwrite.check(path, &info, access)?,
                Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(Error::io(shown(path), e)),
                Err(_) => {}
            }
            // The directory is checked now, so that the user gets the error before a long input is
            // read.
            match Directory::may_write(parent(path)) {
                Ok(()) => {}
                Err(e) if e.kind() == io::ErrorKind::NotFound => {
                    return Err(Error::NoDirectory(parent(path).to_owned()));
                }
                Err(e) => return Err(Error::io(shown(path), e)),
            }
        }
        Ok(Self { path: path.to_owned(), kind, overwrite, access })
    }

    /// Returns whether a path names standard output.
    pub fn names_stdout(path: &Path) -> bool {
        OutputKind::of(path) == OutputKind::Stdout
    }

    /// Returns whether a path names a file and not a stream, device or descriptor. The file may be
    /// missing.
    pub fn names_file(path: &Path) -> bool {
        OutputKind::of(path) == OutputKind::File
    }

    /// Returns whether the output is a file, and not a stream, device or descriptor.
    pub fn is_file(&self) -> bool {
        self.kind == OutputKind::File
    }

    /// Returns whether the output is standard output.
    pub fn is_stdout(&self) -> bool {
        self.kind == OutputKind::Stdout
    }

    /// Returns whether two paths lead to the same output.
    pub fn same(first: &Path, second: &Path) -> bool {
        match (OutputKind::of(first), OutputKind::of(second)) {
            (OutputKind::File, OutputKind::File) => first == second || are_equal(canonical_path, first, second),
            (OutputKind::Stdout, OutputKind::Stdout) | (OutputKind::Stderr, OutputKind::Stderr) => true,
            (OutputKind::Special, OutputKind::Special) => first == second || are_equal(any_identity, first, second),
            _ => false,
        }
    }

    /// Checks that no two outputs are the same file. Two different paths can name the same file,
    /// for example `a` and `./a`. Streams, devices and descriptors are not compared.
    ///
    /// # Errors
    /// Fails if two outputs are the same file.
    pub fn refuse_twice<'a>(outputs: impl IntoIterator<Item = &'a OutputPath<'a>>) -> Result<(), Error> {
        let mut directories = BTreeMap::new();
        let mut resolved_outputs = BTreeSet::new();
        for output in outputs {
            if output.kind != OutputKind::File {
                continue;
            }
            let path = output.path;
            let directory = parent(path);
            let resolved = match directories.entry(directory) {
                Entry::Occupied(canonical_entry) => canonical_entry.into_mut(),
                Entry::Vacant(vacant) => match std::fs::canonicalize(directory) {
                    Ok(canonical) => vacant.insert(canonical),
                    Err(_) => vacant.insert(directory.to_owned()),
                },
            };
            if !resolved_outputs.insert((resolved.clone(), path.file_name())) {
                return Err(Error::OutputTwice(path.to_owned()));
            }
        }
        Ok(())
    }

    /// Returns a warning if standard output is a file that other users may access. Commands that
    /// write a private key to standard output call this function.
    pub fn open_to_others(&self) -> Option<String> {
        if self.kind != OutputKind::Stdout {
            return None;
        }
        FileInfo::of(&standard_output().ok()?).ok()?.open_to_others()
    }

    /// Checks that the output is not a terminal, because a terminal cannot show raw bytes.
    ///
    /// # Errors
    /// Fails if the output is a terminal.
    pub fn refuse_terminal(&self) -> Result<(), Error> {
        let terminal = match self.kind {
            OutputKind::Stdout => io::stdout().is_terminal(),
            OutputKind::Stderr => io::stderr().is_terminal(),
            OutputKind::Special => {
                matches!(FileInfo::at(&self.path), Ok(info) if info.is_character_device())
                    && matches!(open_in_place(&self.path), Ok(file) if file.is_terminal())
            }
            OutputKind::File => false,
        };
        if terminal { Err(Error::RawToTerminal) } else { Ok(()) }
    }

    /// Checks that the output is not one of the inputs. Only regular files are compared.
    ///
    /// # Errors
    /// Fails if the output and an input are the same file.
    pub fn refuse_inputs<'a>(path: &Path, inputs: impl IntoIterator<Item = &'a InputSource>) -> Result<(), Error> {
        let Some(output) = OutputPath::new(path).identity else { return Ok(()) };
        for input in inputs {
            if input.identity() == Some(output) {
                return Err(Error::OutputIsInput(path.to_owned()));
            }
        }
        Ok(())
    }

    /// Writes a result to a stream, a device or a descriptor.
    ///
    /// # Errors
    /// Fails if the result cannot be written completely.
    pub(super) fn write_in_place(&self, result: &[u8]) -> Result<(), Error> {
        let result = match self.kind {
            OutputKind::Stdout => return write_stdout(result),
            OutputKind::Stderr => io::stderr().write_all(result),
            _ => match open_in_place(&self.path) {
                Ok(mut file) => file.write_all(result),
                Err(e) => Err(e),
            },
        };
        result.map_err(|e| Error::io(shown(&self.path), e))
    }
}

/// Returns the canonical path of the directory that contains a file, and the file's name.
fn canonical_path(path: &Path) -> Option<(PathBuf, OsString)> {
    Some((std::fs::canonicalize(parent(path)).ok()?, path.file_name()?.to_owned()))
}

/// Returns whether `property` returns the same value for both paths. `None` is not equal to `None`.
fn are_equal<T: PartialEq>(property: fn(&Path) -> Option<T>, first: &Path, second: &Path) -> bool {
    let Some(first_value) = property(first) else { return false };
    property(second) == Some(first_value)
}

/// Returns the metadata of an open stream.
fn info_of(stream: io::Result<File>) -> io::Result<FileInfo> {
    FileInfo::of(&stream?)
}

fn ends_with_separator(path: &Path) -> bool {
    match path.as_os_str().as_encoded_bytes().last() {
        Some(last_byte) => is_separator(char::from(*last_byte)),
        None => false,
    }
}

fn any_identity(path: &Path) -> Option<FileIdentity> {
    FileInfo::at(path).ok()?.any_identity()
}

/// Returns the directory that contains a path.
pub(super) fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Creates a directory that only the owner can access.
///
/// # Errors
/// Fails if the directory already exists or cannot be created.
pub fn create_directory(path: &Path) -> Result<(), Error> {
    match Directory::create_private(path) {
        Ok(()) => Ok(()),
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Err(Error::Exists(path.to_owned())),
        Err(e) => Err(Error::io(shown(path), e)),
    }
}
