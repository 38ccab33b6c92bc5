//! The one output writer.
//!
//! 1. `-`, `/dev/stdout`, an open descriptor, a device or a FIFO is written in place.
//! 2. Anything else that is there, a dangling link too, "exists".
//! 3. Without `--force` the file is complete before it has a name: `O_TMPFILE`, write, `fsync`,
//!    `linkat`. Where that cannot be or is not allowed, a temporary file is renamed without replacing.
//! 4. With `--force` a temporary file in the same directory replaces what is there by `rename`: a
//!    link is replaced, never written through. A private key is replaced by what makes one, and by nothing else.
//! 5. The directory of a private key is synchronised too.
//! 6. Of files that belong together all are there or none: what one replaces is kept under a
//!    temporary name until the last is there, and signals wait as long.
//! 7. Nothing is opened before the result is complete; a result that could not be written
//!    completely leaves nothing behind and nothing replaced.

use super::guard::is_private_key;
use super::random;
use super::read::{Identity, Source, State, open_to_others};
use super::signals::Hold;
use crate::tool::report::escape::shown;
use crate::tool::report::{Error, write_stdout};
use fndsa::descriptors::was_open;
use rustix::fs::{
    AtFlags, CWD, FlockOperation, Mode, OFlags, RenameFlags, accessat, flock, fsync, linkat, openat, renameat,
    renameat_with, unlinkat,
};
use rustix::io::{Errno, retry_on_intr};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Who may read a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everybody whom the umask lets.
    Public,
    /// The owner alone, whatever the umask says; the directory is synchronised.
    Private,
}

impl Access {
    fn mode(self) -> Mode {
        Mode::from_raw_mode(if self == Self::Private { 0o600 } else { 0o666 })
    }
}

/// Whether an existing file is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Force {
    /// It is not.
    No,
    /// `--force`, but for a private key.
    Yes,
    /// `--force` of what makes private keys.
    Keys,
}

impl Force {
    /// By the option.
    pub fn of(force: bool) -> Self {
        if force { Self::Yes } else { Self::No }
    }
}

/// How the output is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Stdout,
    Stderr,
    Special,
    File,
}

/// An output that may be written, as far as can be known before the result is there.
#[derive(Debug)]
pub struct Destination {
    path: PathBuf,
    place: Place,
    force: Force,
    access: Access,
}

impl Destination {
    /// Looks at the path, opens nothing.
    ///
    /// # Errors
    /// Something is there and not to be replaced, or the descriptor is closed.
    pub fn new(path: &Path, force: Force, access: Access) -> Result<Self, Error> {
        let place = place(path);
        match place {
            Place::Stdout => was_open(1).map_err(Error::Stdout)?,
            Place::Stderr => was_open(2).map_err(|e| Error::io(shown(path), e))?,
            Place::Special | Place::File => {}
        }
        if place == Place::File {
            let there = std::fs::symlink_metadata(path);
            if there.as_ref().is_ok_and(std::fs::Metadata::is_dir) || path.as_os_str().as_bytes().ends_with(b"/") {
                return Err(Error::io(shown(path), Errno::ISDIR));
            }
            match there {
                Ok(_) if force == Force::No => return Err(Error::Exists(path.to_owned())),
                Ok(_) if force == Force::Yes && is_private_key(path) => return Err(Error::IsKey(path.to_owned())),
                Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(Error::io(shown(path), e)),
                _ => {}
            }
            // So that a long input is not read in vain.
            let writable = rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK;
            retry_on_intr(|| accessat(CWD, parent(path), writable, AtFlags::EACCESS)).map_err(|e| match e {
                Errno::NOENT => Error::NoDirectory(parent(path).to_owned()),
                e => Error::io(shown(path), e),
            })?;
        }
        Ok(Self { path: path.to_owned(), place, force, access })
    }

    /// Whether a path names standard output.
    pub fn names_stdout(path: &Path) -> bool {
        place(path) == Place::Stdout
    }

    /// Whether a path names a file, or nothing yet: not a stream, device or descriptor.
    pub fn names_file(path: &Path) -> bool {
        place(path) == Place::File
    }

    /// Whether it is standard output.
    pub fn is_stdout(&self) -> bool {
        self.place == Place::Stdout
    }

    /// Whether two paths lead to one output.
    pub fn same(one: &Path, other: &Path) -> bool {
        let resolved = |path: &Path| Some((std::fs::canonicalize(parent(path)).ok()?, path.file_name()?.to_owned()));
        match (place(one), place(other)) {
            (Place::File, Place::File) => one == other || resolved(one).is_some_and(|it| resolved(other) == Some(it)),
            (Place::Stdout, Place::Stdout) | (Place::Stderr, Place::Stderr) => true,
            _ => one == other,
        }
    }

    /// Refuses two outputs that are one file, also by other spellings.
    ///
    /// # Errors
    /// Two are.
    pub fn refuse_twice<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Result<(), Error> {
        let (mut directories, mut seen) = (BTreeMap::new(), BTreeSet::new());
        for path in paths.into_iter().filter(|path| Self::names_file(path)) {
            let directory = parent(path);
            let resolve = || std::fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
            let resolved = directories.entry(directory).or_insert_with(resolve);
            if !seen.insert((resolved.clone(), path.file_name())) {
                return Err(Error::OutputTwice(path.to_owned()));
            }
        }
        Ok(())
    }

    /// What to say if a private key has gone to standard output, and that is a file that others may read.
    pub fn open_to_others(&self) -> Option<String> {
        if self.place != Place::Stdout {
            return None;
        }
        metadata_of(io::stdout()).ok().and_then(|meta| open_to_others(&meta))
    }

    /// Refuses raw bytes on a terminal.
    ///
    /// # Errors
    /// It is one.
    pub fn refuse_terminal(&self) -> Result<(), Error> {
        let terminal = match self.place {
            Place::Stdout => io::stdout().is_terminal(),
            Place::Stderr => io::stderr().is_terminal(),
            Place::Special => {
                let meta = std::fs::metadata(&self.path);
                meta.is_ok_and(|m| m.file_type().is_char_device()) && self.open().is_ok_and(|f| f.is_terminal())
            }
            Place::File => false,
        };
        if terminal { Err(Error::RawToTerminal) } else { Ok(()) }
    }

    /// Which file is there now, if it is a regular one.
    pub fn identity(path: &Path) -> Option<Identity> {
        let meta = match place(path) {
            Place::Stdout => metadata_of(io::stdout()),
            Place::Stderr => metadata_of(io::stderr()),
            Place::Special => std::fs::metadata(path),
            Place::File => std::fs::symlink_metadata(path),
        };
        meta.ok().and_then(|meta| Identity::of(&meta))
    }

    /// Refuses an output that is also an input.
    ///
    /// # Errors
    /// It is one.
    pub fn refuse_inputs<'a>(path: &Path, inputs: impl IntoIterator<Item = &'a Source>) -> Result<(), Error> {
        let Some(output) = Self::identity(path) else { return Ok(()) };
        match inputs.into_iter().find(|input| input.identity() == Some(output)) {
            Some(_) => Err(Error::OutputIsInput(path.to_owned())),
            None => Ok(()),
        }
    }

    /// Writes a complete result.
    ///
    /// # Errors
    /// It could not be written; nothing was replaced.
    pub fn write(&self, result: &[u8]) -> Result<(), Error> {
        self.stage(result)?.commit()
    }

    /// Writes a complete result in place of a file that is still as it was. Of several that replace it at once, each under
    /// the lock of the file that it has read, one does.
    ///
    /// # Errors
    /// It is another one by now, or as [`Self::write`].
    pub fn replace(&self, result: &[u8], before: State) -> Result<(), Error> {
        let staged = self.stage(result)?;
        let old = File::open(&self.path).map_err(|e| Error::io(shown(&self.path), e))?;
        // Where a file system has no locks, the time between the look and the rename is all that is left.
        let _ = retry_on_intr(|| flock(&old, FlockOperation::LockExclusive));
        if Source::state(&self.path)? != before {
            return Err(Error::ChangedMeanwhile(self.path.clone()));
        }
        staged.commit()
    }

    /// Does all that can fail, short of giving the file its name.
    ///
    /// # Errors
    /// It could not be written; nothing was replaced.
    pub fn stage<'a>(&'a self, result: &'a [u8]) -> Result<Staged<'a>, Error> {
        let form = match self.place {
            Place::File => self.stage_file(result).map_err(|e| Error::io(shown(&self.path), e))?,
            _ => Form::InPlace(result),
        };
        Ok(Staged { destination: self, form })
    }

    fn stage_file<'a>(&'a self, result: &'a [u8]) -> io::Result<Form<'a>> {
        let name = self.path.file_name().ok_or(Errno::ISDIR)?;
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC | directory_flags();
        let directory = retry_on_intr(|| openat(CWD, parent(&self.path), flags, Mode::empty()))?;
        if self.force == Force::No
            && let Some(file) = anonymous(&directory, self.access)?
        {
            fill(&file, result, self.access)?;
            return Ok(Form::Anonymous { file, directory, name, result });
        }
        let temporary = Temporary::new(&Arc::new(directory), self.access)?;
        fill(&temporary.file, result, self.access)?;
        Ok(Form::Temporary { temporary, name })
    }

    /// Opens what is written in place. Appending leaves what a shell has written before.
    fn open(&self) -> io::Result<File> {
        let flags = OFlags::APPEND | OFlags::NOCTTY;
        OpenOptions::new().write(true).custom_flags(flags.bits().cast_signed()).open(&self.path)
    }
}

/// The directory of a path.
fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// How a path is reached.
fn place(path: &Path) -> Place {
    let is = |names: &[&str]| names.iter().any(|name| path.as_os_str() == *name);
    if is(&["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]) {
        return Place::Stdout;
    }
    if is(&["/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"]) {
        return Place::Stderr;
    }
    let descriptor = path.parent().is_some_and(|p| p == Path::new("/dev/fd") || p == Path::new("/proc/self/fd"));
    let special = std::fs::metadata(path).is_ok_and(|meta| {
        let kind = meta.file_type();
        kind.is_char_device() || kind.is_block_device() || kind.is_fifo() || kind.is_socket()
    });
    if descriptor || special { Place::Special } else { Place::File }
}

/// A result that only lacks its name.
pub struct Staged<'a> {
    destination: &'a Destination,
    form: Form<'a>,
}

enum Form<'a> {
    InPlace(&'a [u8]),
    Anonymous { file: File, directory: OwnedFd, name: &'a OsStr, result: &'a [u8] },
    Temporary { temporary: Temporary, name: &'a OsStr },
}

impl Staged<'_> {
    /// Gives it its name, or writes it in place.
    ///
    /// # Errors
    /// That failed, and nothing was replaced.
    pub fn commit(self) -> Result<(), Error> {
        let to = self.destination;
        let placed = self.place()?;
        placed.sync(to).inspect_err(|_| {
            if to.force == Force::No {
                placed.remove();
            }
        })
    }

    /// The same for files that belong together: all of them or none.
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
        let replaced = match &self.form {
            Form::Temporary { temporary, name } if to.force != Force::No => {
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
        let (directory, name) = match self.form {
            Form::InPlace(result) => {
                to.write_in_place(result)?;
                return Ok(Placed(None));
            }
            Form::Anonymous { file, directory, name, result } => {
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
            Form::Temporary { temporary, name } => (temporary.rename(name, to.force).map_err(|e| to.refused(e))?, name),
        };
        Ok(Placed(Some((directory, name.to_owned()))))
    }
}

/// Where an output has got its name, if it has one.
struct Placed(Option<(Arc<OwnedFd>, OsString)>);

impl Placed {
    /// Makes the name of a private key last.
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

/// One of several files, complete. What it replaced is removed when this is dropped.
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
    fn refused(&self, e: Errno) -> Error {
        if e == Errno::EXIST { Error::Exists(self.path.clone()) } else { Error::io(shown(&self.path), e) }
    }

    fn write_in_place(&self, result: &[u8]) -> Result<(), Error> {
        let written = match self.place {
            Place::Stdout => return write_stdout(result),
            Place::Stderr => io::stderr().write_all(result),
            _ => self.open().and_then(|mut file| file.write_all(result)),
        };
        written.map_err(|e| Error::io(shown(&self.path), e))
    }
}

/// A directory is opened for its name only where that is possible: reading it may be forbidden.
fn directory_flags() -> OFlags {
    #[cfg(target_os = "linux")]
    return OFlags::PATH;
    #[cfg(not(target_os = "linux"))]
    OFlags::RDONLY
}

/// A file without a name, where the file system and `/proc` can do that.
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

/// Whether a call was refused for what it is, by a file system, a sandbox or a rule of the machine: another way may do.
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

/// Writes all and waits for the disk.
fn fill(mut file: &File, result: &[u8], access: Access) -> io::Result<()> {
    if access == Access::Private {
        retry_on_intr(|| rustix::fs::fchmod(file, access.mode()))?;
    }
    file.write_all(result)?;
    file.sync_all().or_else(not_needed)
}

/// Some file systems have nothing to synchronise.
fn not_needed(e: io::Error) -> io::Result<()> {
    match Errno::from_io_error(&e) {
        Some(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => Ok(()),
        _ => Err(e),
    }
}

/// Makes a new name last. A directory that may be written but not read cannot be synchronised.
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
    /// A name that nothing has, made by `make`.
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

    /// A second name for what is there, if something is.
    fn link_to(directory: &Arc<OwnedFd>, old: &OsStr) -> Result<Option<Self>, Errno> {
        match Self::new(directory, |name| linkat(&**directory, old, &**directory, name, AtFlags::empty())) {
            Ok((passing, ())) => Ok(Some(passing)),
            Err(Errno::NOENT) => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// Replaces what has the name `to`.
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

/// A new directory, for the owner alone.
///
/// # Errors
/// It exists, or cannot be made.
pub fn create_directory(path: &Path) -> Result<(), Error> {
    std::fs::DirBuilder::new().mode(0o700).create(path).map_err(|e| match e.kind() {
        io::ErrorKind::AlreadyExists => Error::Exists(path.to_owned()),
        _ => Error::io(shown(path), e),
    })
}

/// About what a standard descriptor leads to.
fn metadata_of(stream: impl std::os::fd::AsFd) -> io::Result<std::fs::Metadata> {
    File::from(stream.as_fd().try_clone_to_owned()?).metadata()
}
