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

use super::destination::{Access, Destination, Force, OutputKind, parent};
use super::random;
use super::read::{FileState, InputSource};
use super::signals::Hold;
use crate::tool::report::Error;
use crate::tool::report::escape::shown;
use rustix::fs::{
    AtFlags, CWD, FlockOperation, Mode, OFlags, RenameFlags, flock, fsync, linkat, openat, renameat, renameat_with,
    unlinkat,
};
use rustix::io::{Errno, retry_on_intr};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;

/// A complete result that only lacks its name, and where it goes.
pub struct Staged<'a> {
    destination: &'a Destination,
    draft: Draft<'a>,
}

/// A complete result that has no name yet.
enum Draft<'a> {
    InPlace(&'a [u8]),
    Anonymous { file: File, directory: OwnedFd, name: &'a OsStr, result: &'a [u8] },
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
                let from = format!("/proc/self/fd/{}", file.as_raw_fd());
                let link = || linkat(CWD, from.as_str(), &directory, name, AtFlags::SYMLINK_FOLLOW);
                let directory = match retry_on_intr(link) {
                    Ok(()) => Arc::new(directory),
                    Err(e) if is_unable(e) => {
                        let temporary = Temporary::new(&Arc::new(directory), to.access).map_err(|e| to.refused(e))?;
                        let filled = fill(&temporary.file, result, to.access);
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
struct Placed(Option<(Arc<OwnedFd>, OsString)>);

impl Placed {
    /// Synchronises the directory of a private key, so that its name lasts.
    fn sync(&self, to: &Destination) -> Result<(), Error> {
        let (Some((directory, _)), Access::Private) = (&self.0, to.access) else { return Ok(()) };
        sync_directory(directory).map_err(|e| Error::io(shown(&to.path), e))
    }

    fn remove(&self) {
        if let Some((directory, name)) = &self.0 {
            let _ = retry_on_intr(|| unlinkat(directory, name, AtFlags::empty()));
        }
    }
}

/// One of several files, with its name. The file that it replaced is removed when this is dropped.
struct Committed {
    placed: Placed,
    /// The file that was there, under another name; an error where the file system has no links.
    replaced: Result<Option<Passing>, Errno>,
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
        let old = File::open(&self.path).map_err(|e| Error::io(shown(&self.path), e))?;
        // Where a file system has no locks, the time between the look and the rename is all that is left.
        let _ = retry_on_intr(|| flock(&old, FlockOperation::LockExclusive));
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
        let name = self.path.file_name().ok_or(Errno::ISDIR)?;
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC | directory_flags();
        let directory = retry_on_intr(|| openat(CWD, parent(&self.path), flags, Mode::empty()))?;
        if self.force == Force::No
            && let Some(file) = anonymous(&directory, self.access)?
        {
            fill(&file, result, self.access)?;
            return Ok(Draft::Anonymous { file, directory, name, result });
        }
        let temporary = Temporary::new(&Arc::new(directory), self.access)?;
        fill(&temporary.file, result, self.access)?;
        Ok(Draft::Temporary { temporary, name })
    }

    /// Returns the error of a system call that was to give the file its name.
    fn refused(&self, e: Errno) -> Error {
        if e == Errno::EXIST { Error::Exists(self.path.clone()) } else { Error::io(shown(&self.path), e) }
    }
}

/// Returns the flags that open a directory for its name alone, where there are such: reading the directory may be
/// forbidden.
fn directory_flags() -> OFlags {
    #[cfg(target_os = "linux")]
    return OFlags::PATH;
    #[cfg(not(target_os = "linux"))]
    OFlags::RDONLY
}

/// Opens a file without a name; `None` where the file system or `/proc` cannot do that.
#[cfg(target_os = "linux")]
fn anonymous(directory: &OwnedFd, access: Access) -> io::Result<Option<File>> {
    if !Path::new("/proc/self/fd").exists() {
        return Ok(None);
    }
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    match retry_on_intr(|| openat(directory, ".", flags, access.mode())) {
        Ok(fd) => Ok(Some(File::from(fd))),
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOSYS) => Ok(None),
        Err(e) => Err(e.into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn anonymous(_: &OwnedFd, _: Access) -> io::Result<Option<File>> {
    Ok(None)
}

/// Returns whether a call was refused for what it is, by a file system, a sandbox or a rule of the machine: another way
/// may do.
fn is_unable(e: Errno) -> bool {
    let refusals = [
        Errno::OPNOTSUPP,
        Errno::PERM,
        Errno::NOSYS,
        Errno::ACCESS,
        Errno::XDEV,
        Errno::INVAL,
        Errno::NOENT,
        Errno::LOOP,
    ];
    refusals.contains(&e)
}

/// Writes all of the result and waits for the disk.
fn fill(mut file: &File, result: &[u8], access: Access) -> io::Result<()> {
    if access == Access::Private {
        retry_on_intr(|| rustix::fs::fchmod(file, access.mode()))?;
    }
    file.write_all(result)?;
    file.sync_all().or_else(not_needed)
}

/// Drops the error of a file system that has nothing to synchronise.
fn not_needed(e: io::Error) -> io::Result<()> {
    match Errno::from_io_error(&e) {
        Some(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => Ok(()),
        _ => Err(e),
    }
}

/// Synchronises a directory, so that a new name lasts. A directory that may be written but not read cannot be
/// synchronised.
fn sync_directory(directory: &OwnedFd) -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    match retry_on_intr(|| openat(directory, ".", flags, Mode::empty())) {
        Ok(fd) => retry_on_intr(|| fsync(&fd)).map_err(io::Error::from).or_else(not_needed),
        Err(Errno::ACCESS) => Ok(()),
        Err(e) => Err(e.into()),
    }
}

/// A name that is removed when dropped. Signals wait while it lives.
struct Passing {
    directory: Arc<OwnedFd>,
    name: Option<OsString>,
    _hold: Hold,
}

impl Passing {
    /// Has `make` make something under a name that nothing has. Returns the name, and what was made.
    fn new<T>(directory: &Arc<OwnedFd>, make: impl Fn(&OsStr) -> Result<T, Errno>) -> Result<(Self, T), Errno> {
        let hold = Hold::new();
        for _ in 0..100 {
            let mut bytes = [0; 8];
            random::fill(&mut bytes).map_err(|_| Errno::IO)?;
            let name = OsString::from(format!(".fndsa-{:016x}.tmp", u64::from_ne_bytes(bytes)));
            match retry_on_intr(|| make(&name)) {
                Ok(made) => {
                    return Ok((Self { directory: Arc::clone(directory), name: Some(name), _hold: hold }, made));
                }
                Err(Errno::EXIST) => {}
                Err(e) => return Err(e),
            }
        }
        Err(Errno::EXIST)
    }

    /// Gives the file `old` a second name; `None` if there is no such file.
    fn link_to(directory: &Arc<OwnedFd>, old: &OsStr) -> Result<Option<Self>, Errno> {
        match Self::new(directory, |name| linkat(&**directory, old, &**directory, name, AtFlags::empty())) {
            Ok((passing, ())) => Ok(Some(passing)),
            Err(Errno::NOENT) => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// Renames to `to`, in place of what has that name.
    fn rename(mut self, to: &OsStr) -> Result<(), Errno> {
        let from = self.name.as_deref().unwrap_or_default();
        retry_on_intr(|| renameat(&*self.directory, from, &*self.directory, to))?;
        self.name = None;
        Ok(())
    }
}

impl Drop for Passing {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            let _ = retry_on_intr(|| unlinkat(&*self.directory, name, AtFlags::empty()));
        }
    }
}

/// A file with a name of its own.
struct Temporary {
    file: File,
    passing: Passing,
}

impl Temporary {
    fn new(directory: &Arc<OwnedFd>, access: Access) -> Result<Self, Errno> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let (passing, fd) = Passing::new(directory, |name| openat(&**directory, name, flags, access.mode()))?;
        Ok(Self { file: File::from(fd), passing })
    }

    fn rename(self, to: &OsStr, force: Force) -> Result<Arc<OwnedFd>, Errno> {
        let mut passing = self.passing;
        let directory = Arc::clone(&passing.directory);
        if force != Force::No {
            passing.rename(to)?;
            return Ok(directory);
        }
        let from = passing.name.as_deref().unwrap_or_default();
        match retry_on_intr(|| renameat_with(&*directory, from, &*directory, to, RenameFlags::NOREPLACE)) {
            Ok(()) => passing.name = None,
            // The file system cannot rename so; a second link, and the first one goes with `passing`.
            Err(e) if is_unable(e) => {
                retry_on_intr(|| linkat(&*directory, from, &*directory, to, AtFlags::empty()))?;
            }
            Err(e) => return Err(e),
        }
        Ok(directory)
    }
}
