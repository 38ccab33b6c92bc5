//! Files that are complete before they have their names.
//!
//! 1. Without `--force` the file is complete before it has a name: `O_TMPFILE`, write, `fsync`,
//!    `linkat`. Where that cannot be or is not allowed, a temporary file is renamed without replacing.
//! 2. With `--force` a temporary file in the same directory replaces what is there by `rename`: a
//!    link is replaced, never written through.
//! 3. The directory of a private key is synchronised too.
//! 4. Of files that belong together all are there or none: what one replaces is kept under a
//!    temporary name until the last is there, and signals wait as long.
//! 5. Nothing is opened before the result is complete; a result that could not be written
//!    completely leaves nothing behind and nothing replaced.
//!
//! What an output names, and what it may replace, is told in `destination`.

use super::destination::{Destination, Force, OutputKind, parent};
use super::read::InputSource;
use crate::tool::report::Error;
use crate::tool::report::escape::shown;
use crate::tool::system::{Access, Directory, FileState, Hold, Lock, fill_random, is_unable};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::sync::Arc;

/// A complete result that only lacks its name, and where it goes.
pub struct Staged<'a> {
    destination: &'a Destination,
    draft: Draft<'a>,
}

/// A complete result that has no name yet.
enum Draft<'a> {
    InPlace(&'a [u8]),
    Anonymous { file: File, directory: Directory, name: &'a OsStr, result: &'a [u8] },
    Temporary { temporary: Temporary, name: &'a OsStr },
}

impl Staged<'_> {
    /// Gives the result its name, or writes it in place.
    ///
    /// # Errors
    /// The result did not get its name, and nothing was replaced.
    pub fn commit(self) -> Result<(), Error> {
        let to = self.destination;
        let placed = self.place()?;
        placed.sync(to).inspect_err(|_| {
            if to.force == Force::No {
                placed.remove();
            }
        })
    }

    /// Gives files that belong together their names: all of them or none.
    ///
    /// # Errors
    /// One failed, and what the others replaced is there again.
    pub fn commit_all(staged: impl IntoIterator<Item = Self>) -> Result<(), Error> {
        let _hold = Hold::new();
        let mut done = Vec::new();
        for next in staged {
            match next.commit_undoable() {
                Ok(committed) => done.push(committed),
                Err(e) => {
                    done.into_iter().rev().for_each(Committed::undo);
                    return Err(e);
                }
            }
        }
        Ok(())
    }

    fn commit_undoable(self) -> Result<Committed, Error> {
        let to = self.destination;
        let replaced = match &self.draft {
            Draft::Temporary { temporary, name } if to.force != Force::No => {
                Passing::link_to(&temporary.passing.directory, name)
            }
            _ => Ok(None),
        };
        let committed = Committed { placed: self.place()?, replaced };
        if let Err(e) = committed.placed.sync(to) {
            committed.undo();
            return Err(e);
        }
        Ok(committed)
    }

    fn place(self) -> Result<Placed, Error> {
        let to = self.destination;
        let (directory, name) = match self.draft {
            Draft::InPlace(result) => {
                to.write_in_place(result)?;
                return Ok(Placed(None));
            }
            Draft::Anonymous { file, directory, name, result } => {
                let directory = match directory.name(&file, name) {
                    Ok(()) => Arc::new(directory),
                    Err(e) if is_unable(&e) => {
                        let temporary = Temporary::new(&Arc::new(directory), to.access).map_err(|e| to.refused(e))?;
                        let filled = Directory::fill(&temporary.file, result, to.access);
                        filled.map_err(|e| Error::io(shown(&to.path), e))?;
                        temporary.rename(name, to.force).map_err(|e| to.refused(e))?
                    }
                    Err(e) => return Err(to.refused(e)),
                };
                (directory, name)
            }
            Draft::Temporary { temporary, name } => {
                (temporary.rename(name, to.force).map_err(|e| to.refused(e))?, name)
            }
        };
        Ok(Placed(Some((directory, name.to_owned()))))
    }
}

/// The directory and the name that an output has got; `None` for one that was written in place.
struct Placed(Option<(Arc<Directory>, OsString)>);

impl Placed {
    /// Synchronises the directory of a private key, so that its name lasts.
    fn sync(&self, to: &Destination) -> Result<(), Error> {
        let (Some((directory, _)), Access::Private) = (&self.0, to.access) else { return Ok(()) };
        directory.sync().map_err(|e| Error::io(shown(&to.path), e))
    }

    fn remove(&self) {
        if let Some((directory, name)) = &self.0 {
            let _ = directory.remove(name);
        }
    }
}

/// One of several files, with its name. The file that it replaced is removed when this is dropped.
struct Committed {
    placed: Placed,
    /// The file that was there, under another name; an error where the file system has no links.
    replaced: io::Result<Option<Passing>>,
}

impl Committed {
    /// Puts back what was there before.
    fn undo(self) {
        match (self.replaced, &self.placed.0) {
            (Ok(Some(old)), Some((_, name))) => drop(old.rename(name)),
            (Ok(None), _) => self.placed.remove(),
            _ => {}
        }
    }
}

impl Destination {
    /// Writes a complete result.
    ///
    /// # Errors
    /// The result could not be written; nothing was replaced.
    pub fn write(&self, result: &[u8]) -> Result<(), Error> {
        self.stage(result)?.commit()
    }

    /// Writes a complete result in place of a file that is still as it was. Of several that replace it at once, each
    /// under the lock of the file that it has read, one does.
    ///
    /// # Errors
    /// The file is another one by now, or those of [`Self::write`].
    pub fn replace(&self, result: &[u8], before: FileState) -> Result<(), Error> {
        let staged = self.stage(result)?;
        // Where there are no locks, the time between the look and the rename is all that is left.
        let _lock = Lock::of(&self.path).map_err(|e| Error::io(shown(&self.path), e))?;
        if InputSource::state(&self.path)? != before {
            return Err(Error::ChangedMeanwhile(self.path.clone()));
        }
        staged.commit()
    }

    /// Does all that can fail but for giving the file its name.
    ///
    /// # Errors
    /// The result could not be written; nothing was replaced.
    pub fn stage<'a>(&'a self, result: &'a [u8]) -> Result<Staged<'a>, Error> {
        let draft = match self.kind {
            OutputKind::File => self.stage_file(result).map_err(|e| Error::io(shown(&self.path), e))?,
            _ => Draft::InPlace(result),
        };
        Ok(Staged { destination: self, draft })
    }

    fn stage_file<'a>(&'a self, result: &'a [u8]) -> io::Result<Draft<'a>> {
        let name = self.path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
        let directory = Directory::open(parent(&self.path))?;
        if self.force == Force::No
            && let Some(file) = directory.anonymous(self.access)?
        {
            Directory::fill(&file, result, self.access)?;
            return Ok(Draft::Anonymous { file, directory, name, result });
        }
        let temporary = Temporary::new(&Arc::new(directory), self.access)?;
        Directory::fill(&temporary.file, result, self.access)?;
        Ok(Draft::Temporary { temporary, name })
    }

    /// Returns the error of a system call that was to give the file its name.
    fn refused(&self, e: io::Error) -> Error {
        let exists = e.kind() == io::ErrorKind::AlreadyExists;
        if exists { Error::Exists(self.path.clone()) } else { Error::io(shown(&self.path), e) }
    }
}

/// A name that is removed when dropped. Signals wait while it lives.
struct Passing {
    directory: Arc<Directory>,
    name: Option<OsString>,
    _hold: Hold,
}

impl Passing {
    /// Has `make` make something under a name that nothing has. Returns the name, and what was made.
    fn new<T>(directory: &Arc<Directory>, make: impl Fn(&OsStr) -> io::Result<T>) -> io::Result<(Self, T)> {
        let hold = Hold::new();
        for _ in 0..100 {
            let mut bytes = [0; 8];
            fill_random(&mut bytes)?;
            let name = OsString::from(format!(".fndsa-{:016x}.tmp", u64::from_ne_bytes(bytes)));
            match make(&name) {
                Ok(made) => {
                    return Ok((Self { directory: Arc::clone(directory), name: Some(name), _hold: hold }, made));
                }
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(e),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Gives the file `old` a second name; `None` if there is no such file.
    fn link_to(directory: &Arc<Directory>, old: &OsStr) -> io::Result<Option<Self>> {
        match Self::new(directory, |name| directory.link(old, name)) {
            Ok((passing, ())) => Ok(Some(passing)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// Renames to `to`, in place of what has that name.
    fn rename(mut self, to: &OsStr) -> io::Result<()> {
        self.directory.replace(self.name.as_deref().unwrap_or_default(), to)?;
        self.name = None;
        Ok(())
    }
}

impl Drop for Passing {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            let _ = self.directory.remove(name);
        }
    }
}

/// A file with a name of its own.
struct Temporary {
    file: File,
    passing: Passing,
}

impl Temporary {
    fn new(directory: &Arc<Directory>, access: Access) -> io::Result<Self> {
        let (passing, file) = Passing::new(directory, |name| directory.create(name, access))?;
        Ok(Self { file, passing })
    }

    fn rename(self, to: &OsStr, force: Force) -> io::Result<Arc<Directory>> {
        let mut passing = self.passing;
        let directory = Arc::clone(&passing.directory);
        directory.keep(&self.file)?;
        if force != Force::No {
            passing.rename(to)?;
            return Ok(directory);
        }
        let from = passing.name.as_deref().unwrap_or_default();
        match directory.publish(from, to) {
            Ok(()) => passing.name = None,
            // The file system cannot rename so; a second link, and the first one goes with `passing`.
            Err(e) if is_unable(&e) => directory.link(from, to)?,
            Err(e) => return Err(e),
        }
        Ok(directory)
    }
}
