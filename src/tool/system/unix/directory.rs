//! The directory that a new file gets its name in: opened once, so that all calls mean the same one.

use super::super::Access;
use rustix::fs::{
    AtFlags, CWD, FlockOperation, Mode, OFlags, accessat, flock, fsync, linkat, openat, renameat, unlinkat,
};
use rustix::io::{Errno, retry_on_intr};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd;
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

/// An open directory.
pub struct Directory(OwnedFd);

impl Access {
    /// Returns the permissions that a new file is made with.
    fn mode(self) -> Mode {
        Mode::from_raw_mode(if self == Self::Private { 0o600 } else { 0o666 })
    }
}

impl Directory {
    /// Opens a directory for its name alone, where there is such a way: reading the directory may be forbidden.
    ///
    /// # Errors
    /// There is no such directory, or it may not be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        let way = OFlags::PATH;
        #[cfg(not(target_os = "linux"))]
        let way = OFlags::RDONLY;
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC | way;
        Ok(Self(retry_on_intr(|| openat(CWD, path, flags, Mode::empty()))?))
    }

    /// Checks that files may be made in a directory, so that a long input is not read in vain.
    ///
    /// # Errors
    /// There is no such directory, or it may not be written.
    pub fn may_write(path: &Path) -> io::Result<()> {
        let writable = rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK;
        Ok(retry_on_intr(|| accessat(CWD, path, writable, AtFlags::EACCESS))?)
    }

    /// Opens a file without a name; `None` where the file system or `/proc` cannot do that.
    ///
    /// # Errors
    /// The directory may not be written, or the disk is full.
    #[cfg(target_os = "linux")]
    pub fn anonymous(&self, access: Access) -> io::Result<Option<File>> {
        if !Path::new("/proc/self/fd").exists() {
            return Ok(None);
        }
        let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
        match retry_on_intr(|| openat(&self.0, ".", flags, access.mode())) {
            Ok(fd) => Ok(Some(File::from(fd))),
            Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOSYS) => Ok(None),
            Err(e) => Err(e.into()),
        }
    }

    /// Opens a file without a name, which no file system can do here.
    ///
    /// # Errors
    /// None.
    #[cfg(not(target_os = "linux"))]
    pub fn anonymous(&self, _: Access) -> io::Result<Option<File>> {
        Ok(None)
    }

    /// Gives a file without a name one that nothing has.
    ///
    /// # Errors
    /// Something has the name, or [`is_unable`]: there is no such way here.
    #[cfg(target_os = "linux")]
    pub fn name(&self, file: &File, name: &OsStr) -> io::Result<()> {
        let from = format!("/proc/self/fd/{}", file.as_raw_fd());
        Ok(retry_on_intr(|| linkat(CWD, from.as_str(), &self.0, name, AtFlags::SYMLINK_FOLLOW))?)
    }

    /// Gives a file without a name one, for which there is no way here.
    ///
    /// # Errors
    /// Always one for which [`is_unable`] holds.
    #[cfg(not(target_os = "linux"))]
    pub fn name(&self, _: &File, _: &OsStr) -> io::Result<()> {
        Err(Errno::OPNOTSUPP.into())
    }

    /// Makes a file with a name that nothing has.
    ///
    /// # Errors
    /// Something has the name, or the directory may not be written.
    pub fn create(&self, name: &OsStr, access: Access) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(File::from(retry_on_intr(|| openat(&self.0, name, flags, access.mode()))?))
    }

    /// Keeps a file of [`Self::create`], which lasts here anyway.
    ///
    /// # Errors
    /// None.
    pub fn keep(&self, _: &File) -> io::Result<()> {
        Ok(())
    }

    /// Gives the file `old` a second name that nothing has.
    ///
    /// # Errors
    /// There is no such file, something has the new name, or the file system has no links.
    pub fn link(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
        Ok(retry_on_intr(|| linkat(&self.0, old, &self.0, new, AtFlags::empty()))?)
    }

    /// Renames `from` to `to`, in place of what has that name.
    ///
    /// # Errors
    /// The file has its old name, and nothing was replaced.
    pub fn replace(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(retry_on_intr(|| renameat(&self.0, from, &self.0, to))?)
    }

    /// Renames `from` to `to`, which nothing may have.
    ///
    /// # Errors
    /// Something has the name, or [`is_unable`]: the file system cannot rename so.
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    pub fn publish(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        use rustix::fs::{RenameFlags, renameat_with};
        Ok(retry_on_intr(|| renameat_with(&self.0, from, &self.0, to, RenameFlags::NOREPLACE))?)
    }

    /// Renames `from` to `to`, for which there is no call here that replaces nothing.
    ///
    /// # Errors
    /// Always one for which [`is_unable`] holds.
    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    pub fn publish(&self, _: &OsStr, _: &OsStr) -> io::Result<()> {
        Err(Errno::OPNOTSUPP.into())
    }

    /// Removes a name.
    ///
    /// # Errors
    /// There is no such name, or it may not be removed.
    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        Ok(retry_on_intr(|| unlinkat(&self.0, name, AtFlags::empty()))?)
    }

    /// Synchronises the directory, so that a new name lasts. A directory that may be written but not read cannot be
    /// synchronised.
    ///
    /// # Errors
    /// The disk fails.
    pub fn sync(&self) -> io::Result<()> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        match retry_on_intr(|| openat(&self.0, ".", flags, Mode::empty())) {
            Ok(fd) => retry_on_intr(|| fsync(&fd)).map_err(io::Error::from).or_else(not_needed),
            Err(Errno::ACCESS) => Ok(()),
            Err(e) => Err(e.into()),
        }
    }

    /// Writes all of a result and waits for the disk.
    ///
    /// # Errors
    /// The result is not on the disk.
    pub fn fill(mut file: &File, result: &[u8], access: Access) -> io::Result<()> {
        if access == Access::Private {
            retry_on_intr(|| rustix::fs::fchmod(file, access.mode()))?;
        }
        file.write_all(result)?;
        file.sync_all().or_else(not_needed)
    }

    /// Creates a directory for the owner alone.
    ///
    /// # Errors
    /// Something has the name, or the directory cannot be made.
    pub fn create_private(path: &Path) -> io::Result<()> {
        std::fs::DirBuilder::new().mode(0o700).create(path)
    }
}

/// A lock on a file that is to be replaced, which nobody else has meanwhile.
pub struct Lock(#[expect(dead_code, reason = "held, not read")] File);

impl Lock {
    /// Waits until nobody else has locked a file. Where a file system has no locks, nobody is waited for.
    ///
    /// # Errors
    /// The file is not there or may not be read.
    pub fn of(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let _ = retry_on_intr(|| flock(&file, FlockOperation::LockExclusive));
        Ok(Self(file))
    }
}

/// Returns whether a call was refused for what it is, by a file system, a sandbox or a rule of the machine: another way
/// may do.
pub fn is_unable(e: &io::Error) -> bool {
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
    Errno::from_io_error(e).is_some_and(|e| refusals.contains(&e))
}

/// Drops the error of a file system that has nothing to synchronise.
fn not_needed(e: io::Error) -> io::Result<()> {
    match Errno::from_io_error(&e) {
        Some(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => Ok(()),
        _ => Err(e),
    }
}
