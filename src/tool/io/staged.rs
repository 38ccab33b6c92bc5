//! Writes output files. A file is complete before it gets its final name.
//!
//! 1. If no existing file may be replaced (usually without `--force`), the new file has no name
//!    until it is complete: the steps are `O_TMPFILE`, write, `fsync`, and `linkat`, which gives
//!    the file its final name. If the system does not support or allow these calls, a temporary
//!    file is renamed to the final name without replacing an existing file.
//! 2. If an existing file may be replaced, fndsa writes a temporary file in the same directory, and
//!    calls `rename` to replace the existing file. If the existing file is a link, the link is
//!    replaced, but not its target.
//! 3. If the file is a private key, its directory is also synchronised.
//! 4. If several files belong together and a file cannot be written, the new files are removed and
//!    the replaced files are restored. fndsa cannot undo output to streams and devices, and cannot
//!    restore replaced files on a file system without links. A replaced file keeps a temporary name
//!    until the last new file has its final name. During this time, signals are blocked.
//! 5. An output is written after the result is complete. If a file cannot be written completely, no
//!    partial file remains, and no existing file is replaced.
//!
//! The module `destination` decides which existing files may be replaced.

use super::destination::{Destination, OutputKind, OverwriteRule, parent};
use super::read::InputSource;
use crate::tool::report::Error;
use crate::tool::report::escape::shown;
use crate::tool::system::{
    Directory, FileLock, FileState, NewFileAccess, SignalHold, fill_random, is_call_unavailable,
};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::sync::Arc;

/// An output whose bytes are complete, but which does not have its final name yet.
pub struct StagedOutput<'a> {
    destination: &'a Destination,
    content: StagedContent<'a>,
}

/// The bytes of a [`StagedOutput`]: in memory, in a file without a name, or in a temporary file.
enum StagedContent<'a> {
    InPlace(&'a [u8]),
    Anonymous { file: File, directory: Directory, name: &'a OsStr, result: &'a [u8] },
    Temporary { temporary: TempFile, name: &'a OsStr },
}

impl StagedOutput<'_> {
    /// Gives the file its final name, or writes the result to the output if the output is a stream
    /// or a device.
    ///
    /// # Errors
    /// Fails if the file cannot get its final name. In this case, no file was replaced. Also fails
    /// if the directory that contains a private key cannot be synchronised. After this failure, the
    /// new file remains if existing files may be replaced, and is removed otherwise. A stream or a
    /// device may contain a part of the result after an error.
    pub fn commit(self) -> Result<(), Error> {
        let to = self.destination;
        let committed_path = self.commit_path()?;
        let synchronised = committed_path.sync(to);
        if synchronised.is_err() && to.overwrite == OverwriteRule::No {
            committed_path.remove();
        }
        synchronised
    }

    /// Gives several files their final names. After an error, removes the new files that already
    /// have their names, and restores the files that they replaced.
    ///
    /// # Errors
    /// Fails if a file cannot get its name. A replaced file is restored only if the file system
    /// supports links. Outputs that were written in place remain.
    pub fn commit_all(staged: impl IntoIterator<Item = Self>) -> Result<(), Error> {
        let _hold = SignalHold::new();
        let mut committed_files = Vec::new();
        for output in staged {
            match output.commit_undoable() {
                Ok(committed) => committed_files.push(committed),
                Err(e) => {
                    for earlier in committed_files.into_iter().rev() {
                        earlier.undo();
                    }
                    return Err(e);
                }
            }
        }
        Ok(())
    }

    fn commit_undoable(self) -> Result<CommittedFile, Error> {
        let to = self.destination;
        let replaced = match &self.content {
            StagedContent::Temporary { temporary, name } if to.overwrite != OverwriteRule::No => {
                TempName::link_to(&temporary.temp_name.directory, name)
            }
            _ => Ok(None),
        };
        let committed = CommittedFile { path: self.commit_path()?, replaced };
        if let Err(e) = committed.path.sync(to) {
            committed.undo();
            return Err(e);
        }
        Ok(committed)
    }

    fn commit_path(self) -> Result<CommittedPath, Error> {
        let to = self.destination;
        let (directory, name) = match self.content {
            StagedContent::InPlace(result) => {
                to.write_in_place(result)?;
                return Ok(CommittedPath(None));
            }
            StagedContent::Anonymous { file, directory, name, result } => {
                let directory = match directory.name(&file, name) {
                    Ok(()) => Arc::new(directory),
                    Err(e) if is_call_unavailable(&e) => {
                        let temporary =
                            TempFile::new(&Arc::new(directory), to.access).map_err(|e| to.naming_error(e))?;
                        let filled = Directory::fill(&temporary.file, result, to.access);
                        filled.map_err(|e| Error::io(shown(&to.path), e))?;
                        to.rename(temporary, name)?
                    }
                    Err(e) => return Err(to.naming_error(e)),
                };
                (directory, name)
            }
            StagedContent::Temporary { temporary, name } => (to.rename(temporary, name)?, name),
        };
        Ok(CommittedPath(Some((directory, name.to_owned()))))
    }
}

/// The directory and the name of an output. `None` if the output was written in place.
struct CommittedPath(Option<(Arc<Directory>, OsString)>);

impl CommittedPath {
    /// Synchronises the directory of a private key, so that the file's name survives a crash.
    fn sync(&self, to: &Destination) -> Result<(), Error> {
        let (Some((directory, _)), NewFileAccess::Private) = (&self.0, to.access) else { return Ok(()) };
        directory.sync().map_err(|e| Error::io(shown(&to.path), e))
    }

    fn remove(&self) {
        if let Some((directory, name)) = &self.0 {
            let _ = directory.remove(name);
        }
    }
}

/// An output that was written or has its final name. [`Self::undo`] can undo this, except for an
/// output that was written in place. If the output replaced a file, the replaced file has a
/// temporary name until this value is dropped.
struct CommittedFile {
    path: CommittedPath,
    /// The temporary name of the replaced file. `None` if no file was replaced. An error if the
    /// replaced file could not get a temporary name, for example because the file system does not
    /// support links.
    replaced: io::Result<Option<TempName>>,
}

impl CommittedFile {
    /// Restores the replaced file, or removes the new file if no file was replaced. If the replaced
    /// file has no temporary name, the new file remains. If the replaced file cannot be renamed,
    /// the new file remains, and the replaced file keeps its temporary name.
    fn undo(self) {
        match (self.replaced, &self.path.0) {
            (Ok(Some(old)), Some((_, name))) => old.restore(name),
            (Ok(None), _) => self.path.remove(),
            _ => {}
        }
    }
}

impl Destination {
    /// Writes a complete result to the destination.
    ///
    /// # Errors
    /// Fails if [`Self::stage`] or [`StagedOutput::commit`] fails. The errors of `commit` state in
    /// which cases a file was replaced.
    pub fn write(&self, result: &[u8]) -> Result<(), Error> {
        self.stage(result)?.commit()
    }

    /// Replaces a file with a complete result, if the file has not changed since `before`. If
    /// several processes replace the file at the same time, only the first process succeeds,
    /// because each process locks the old file before it compares the state.
    ///
    /// # Errors
    /// Fails if the file has changed since `before`, or if [`Self::write`] fails.
    pub fn replace(&self, result: &[u8], before: FileState) -> Result<(), Error> {
        let staged = self.stage(result)?;
        // If the system or the file system has no locks, fndsa does not detect a change between the
        // following comparison and the rename.
        let _lock = FileLock::of(&self.path).map_err(|e| Error::io(shown(&self.path), e))?;
        if InputSource::state(&self.path)? != before {
            return Err(Error::ChangedMeanwhile(self.path.clone()));
        }
        staged.commit()
    }

    /// Writes the result to a file that does not have its final name yet. If the output is a stream
    /// or a device, nothing is written yet.
    ///
    /// # Errors
    /// Fails if the result cannot be written. In this case, no file was replaced.
    pub fn stage<'a>(&'a self, result: &'a [u8]) -> Result<StagedOutput<'a>, Error> {
        if self.kind != OutputKind::File {
            return Ok(StagedOutput { destination: self, content: StagedContent::InPlace(result) });
        }
        match self.stage_file(result) {
            Ok(content) => Ok(StagedOutput { destination: self, content }),
            Err(e) => Err(Error::io(shown(&self.path), e)),
        }
    }

    fn stage_file<'a>(&'a self, result: &'a [u8]) -> io::Result<StagedContent<'a>> {
        let Some(name) = self.path.file_name() else { return Err(io::ErrorKind::IsADirectory.into()) };
        let directory = Directory::open(parent(&self.path))?;
        if self.overwrite == OverwriteRule::No
            && let Some(file) = directory.anonymous(self.access)?
        {
            Directory::fill(&file, result, self.access)?;
            return Ok(StagedContent::Anonymous { file, directory, name, result });
        }
        let temporary = TempFile::new(&Arc::new(directory), self.access)?;
        Directory::fill(&temporary.file, result, self.access)?;
        Ok(StagedContent::Temporary { temporary, name })
    }

    /// Gives a temporary file its final name. Returns the directory that contains the file.
    fn rename(&self, temporary: TempFile, name: &OsStr) -> Result<Arc<Directory>, Error> {
        temporary.rename(name, self.overwrite).map_err(|e| self.naming_error(e))
    }

    /// Converts an error from the system call that gives the file its final name. If a file with
    /// this name exists, the result is [`Error::Exists`].
    fn naming_error(&self, e: io::Error) -> Error {
        let exists = e.kind() == io::ErrorKind::AlreadyExists;
        if exists { Error::Exists(self.path.clone()) } else { Error::io(shown(&self.path), e) }
    }
}

/// A temporary name of a file. On drop, the name is removed, unless the file was renamed. Signals
/// are blocked until the drop, so that a signal cannot leave a temporary file.
struct TempName {
    directory: Arc<Directory>,
    name: Option<OsString>,
    _hold: SignalHold,
}

impl TempName {
    /// Calls `make` with a random temporary name. If `make` fails because the name exists, tries a
    /// new random name, at most 100 names in total. Returns the name and the result of `make`.
    fn new<T>(directory: &Arc<Directory>, make: impl Fn(&OsStr) -> io::Result<T>) -> io::Result<(Self, T)> {
        let hold = SignalHold::new();
        for _ in 0..100 {
            let mut bytes = [0; 8];
            fill_random(&mut bytes)?;
            let name = OsString::from(format!(".fndsa-{:016x}.tmp", u64::from_ne_bytes(bytes)));
            match make(&name) {
                Ok(result) => {
                    return Ok((Self { directory: Arc::clone(directory), name: Some(name), _hold: hold }, result));
                }
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(e),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Gives the file `old` a second, temporary name. Returns `None` if the file does not exist.
    fn link_to(directory: &Arc<Directory>, old: &OsStr) -> io::Result<Option<Self>> {
        match Self::new(directory, |name| directory.link(old, name)) {
            Ok((temp_name, ())) => Ok(Some(temp_name)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// Renames the file to `to`. An existing file with this name is replaced.
    fn rename(mut self, to: &OsStr) -> io::Result<()> {
        self.directory.replace(self.name.as_deref().unwrap_or_default(), to)?;
        self.name = None;
        Ok(())
    }

    /// Renames the file to `to`, as [`Self::rename`] does. If the renaming fails, the temporary
    /// name is not removed, because it could be the file's only name.
    fn restore(mut self, to: &OsStr) {
        let name = self.name.take().unwrap_or_default();
        let _ = self.directory.replace(&name, to);
    }
}

impl Drop for TempName {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            let _ = self.directory.remove(name);
        }
    }
}

/// An open file that has a temporary name.
struct TempFile {
    file: File,
    temp_name: TempName,
}

impl TempFile {
    fn new(directory: &Arc<Directory>, access: NewFileAccess) -> io::Result<Self> {
        let (temp_name, file) = TempName::new(directory, |name| directory.create(name, access))?;
        Ok(Self { file, temp_name })
    }

    fn rename(self, to: &OsStr, overwrite: OverwriteRule) -> io::Result<Arc<Directory>> {
        let mut temp_name = self.temp_name;
        let directory = Arc::clone(&temp_name.directory);
        directory.keep(&self.file)?;
        if overwrite != OverwriteRule::No {
            temp_name.rename(to)?;
            return Ok(directory);
        }
        let from = temp_name.name.as_deref().unwrap_or_default();
        match directory.publish(from, to) {
            Ok(()) => temp_name.name = None,
            // This file system cannot rename a file without replacing an existing file. Therefore,
            // the file gets a second link, and dropping `temp_name` removes the first link.
            Err(e) if is_call_unavailable(&e) => directory.link(from, to)?,
            Err(e) => return Err(e),
        }
        Ok(directory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_replaced_file_keeps_its_temporary_name_if_it_cannot_be_restored() {
        let parent = tempfile::tempdir().unwrap();
        let name = parent.path().join("file");
        fs::write(&name, "old").unwrap();
        let directory = Arc::new(Directory::open(parent.path()).unwrap());
        let replaced = TempName::link_to(&directory, OsStr::new("file"));
        assert!(matches!(replaced, Ok(Some(_))));

        // A file cannot replace a directory.
        fs::remove_file(&name).unwrap();
        fs::create_dir(&name).unwrap();
        CommittedFile { path: CommittedPath(Some((directory, "file".into()))), replaced }.undo();
        let files =
            fs::read_dir(parent.path()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
        let texts: Vec<_> = files.map(|path| fs::read_to_string(path).unwrap()).collect();
        assert_eq!(texts, ["old"]);
    }
}
