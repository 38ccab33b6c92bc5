//! Creates and renames files in a directory. The directory is opened only once, so that all calls
//! use the same directory, even if another process renames it.

use super::super::NewFileAccess;
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
#[cfg(target_os = "linux")]
use std::sync::LazyLock;

/// An open directory.
pub struct Directory(OwnedFd);

impl NewFileAccess {
    /// Returns the permissions of a new file.
    fn mode(self) -> Mode {
        Mode::from_raw_mode(if self == Self::Private { 0o600 } else { 0o666 })
    }
}

impl Directory {
    /// Opens a directory. On Linux, this is possible without permission to read the directory.
    ///
    /// # Errors
    /// Fails if the directory is missing, or if the user may not open it.
    pub fn open(path: &Path) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        let access_flag = OFlags::PATH;
        #[cfg(not(target_os = "linux"))]
        let access_flag = OFlags::RDONLY;
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC | access_flag;
        Ok(Self(retry_on_intr(|| openat(CWD, path, flags, Mode::empty()))?))
    }

    /// Checks that files can be created in a directory. Commands call this function before they
    /// read a long input.
    ///
    /// # Errors
    /// Fails if the directory is missing or not writable.
    pub fn may_write(path: &Path) -> io::Result<()> {
        let writable = rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK;
        Ok(retry_on_intr(|| accessat(CWD, path, writable, AtFlags::EACCESS))?)
    }

    /// Creates a file without a name. Returns `None` if the file system cannot create such files,
    /// or if `/proc` is not available.
    ///
    /// # Errors
    /// Fails if the directory is not writable, or if the disk is full.
    #[cfg(target_os = "linux")]
    pub fn anonymous(&self, access: NewFileAccess) -> io::Result<Option<File>> {
        static HAS_NAMES: LazyLock<bool> = LazyLock::new(|| Path::new("/proc/self/fd").exists());
        if !*HAS_NAMES {
            return Ok(None);
        }
        let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
        match retry_on_intr(|| openat(&self.0, ".", flags, access.mode())) {
            Ok(fd) => Ok(Some(File::from(fd))),
            Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOSYS) => Ok(None),
            Err(e) => Err(e.into()),
        }
    }

    /// Returns `None`, because this system cannot create files without a name.
    ///
    /// # Errors
    /// This function never fails.
    #[cfg(not(target_os = "linux"))]
    pub fn anonymous(&self, _: NewFileAccess) -> io::Result<Option<File>> {
        Ok(None)
    }

    /// Gives a name to a file from [`Self::anonymous`].
    ///
    /// # Errors
    /// Fails if the name exists, or if the system does not support or allow this call. In the
    /// second case, [`is_call_unavailable`] returns true for the error.
    #[cfg(target_os = "linux")]
    pub fn name(&self, file: &File, name: &OsStr) -> io::Result<()> {
        let from = format!("/proc/self/fd/{}", file.as_raw_fd());
        Ok(retry_on_intr(|| linkat(CWD, from.as_str(), &self.0, name, AtFlags::SYMLINK_FOLLOW))?)
    }

    /// Returns an error, because this system cannot give a name to a file without a name.
    ///
    /// # Errors
    /// Always returns an error for which [`is_call_unavailable`] returns true.
    #[cfg(not(target_os = "linux"))]
    pub fn name(&self, _: &File, _: &OsStr) -> io::Result<()> {
        Err(Errno::OPNOTSUPP.into())
    }

    /// Creates a file. The name must not exist yet.
    ///
    /// # Errors
    /// Fails if the name exists, or if the directory is not writable.
    pub fn create(&self, name: &OsStr, access: NewFileAccess) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(File::from(retry_on_intr(|| openat(&self.0, name, flags, access.mode()))?))
    }

    /// Does nothing. On Windows, this function keeps a file that would otherwise be removed when it
    /// is closed.
    ///
    /// # Errors
    /// This function never fails.
    pub fn keep(&self, _: &File) -> io::Result<()> {
        Ok(())
    }

    /// Gives the file `old` a second name, which must not exist yet.
    ///
    /// # Errors
    /// Fails if the file is missing, if the new name exists, or if the file system has no links.
    pub fn link(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
        Ok(retry_on_intr(|| linkat(&self.0, old, &self.0, new, AtFlags::empty()))?)
    }

    /// Renames `from` to `to`. An existing file with the name `to` is replaced.
    ///
    /// # Errors
    /// Fails if the file cannot be renamed. The file then keeps the name `from`, and a file with
    /// the name `to` remains.
    pub fn replace(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(retry_on_intr(|| renameat(&self.0, from, &self.0, to))?)
    }

    /// Renames `from` to `to` without replacing an existing file.
    ///
    /// # Errors
    /// Fails if the name exists, or if the file system does not support this call. In the second
    /// case, [`is_call_unavailable`] returns true for the error.
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    pub fn publish(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        use rustix::fs::{RenameFlags, renameat_with};
        Ok(retry_on_intr(|| renameat_with(&self.0, from, &self.0, to, RenameFlags::NOREPLACE))?)
    }

    /// Returns an error, because this system cannot rename a file without replacing an existing
    /// file.
    ///
    /// # Errors
    /// Always returns an error for which [`is_call_unavailable`] returns true.
    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    pub fn publish(&self, _: &OsStr, _: &OsStr) -> io::Result<()> {
        Err(Errno::OPNOTSUPP.into())
    }

    /// Removes a name from the directory.
    ///
    /// # Errors
    /// Fails if the name is missing, or if the user may not remove it.
    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        Ok(retry_on_intr(|| unlinkat(&self.0, name, AtFlags::empty()))?)
    }

    /// Synchronises the directory, so that a new name survives a crash. Ignores errors from file
    /// systems that cannot synchronise directories, and skips directories that are writable but not
    /// readable.
    ///
    /// # Errors
    /// Fails if the disk has an error.
    pub fn sync(&self) -> io::Result<()> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        match retry_on_intr(|| openat(&self.0, ".", flags, Mode::empty())) {
            Ok(fd) => match retry_on_intr(|| fsync(&fd)) {
                Ok(()) => Ok(()),
                Err(e) => ignore_unsupported_sync(e.into()),
            },
            Err(Errno::ACCESS) => Ok(()),
            Err(e) => Err(e.into()),
        }
    }

    /// Writes a complete result to the disk, and waits for the disk if the file system can
    /// synchronise a file. Sets the permissions of a private file again, because the umask or the
    /// directory may have changed them.
    ///
    /// # Errors
    /// Fails if the result cannot be written to the disk.
    pub fn fill(mut file: &File, result: &[u8], access: NewFileAccess) -> io::Result<()> {
        if access == NewFileAccess::Private {
            retry_on_intr(|| rustix::fs::fchmod(file, access.mode()))?;
        }
        file.write_all(result)?;
        match file.sync_all() {
            Ok(()) => Ok(()),
            Err(e) => ignore_unsupported_sync(e),
        }
    }

    /// Creates a directory that only the owner can access.
    ///
    /// # Errors
    /// Fails if the name exists, or if the directory cannot be created.
    pub fn create_private(path: &Path) -> io::Result<()> {
        std::fs::DirBuilder::new().mode(0o700).create(path)
    }
}

/// An exclusive lock on a file that will be replaced.
pub struct FileLock(#[expect(dead_code, reason = "held, not read")] File);

impl FileLock {
    /// Waits for an exclusive lock on a file. Returns without a lock if the file cannot be locked,
    /// for example because the file system does not support locks.
    ///
    /// # Errors
    /// Fails if the file is missing or unreadable.
    pub fn of(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let _ = retry_on_intr(|| flock(&file, FlockOperation::LockExclusive));
        Ok(Self(file))
    }
}

/// Returns whether an error means that the file system, a sandbox or the configuration of the
/// machine does not allow this kind of call. In this case, the caller can try a different call.
pub fn is_call_unavailable(e: &io::Error) -> bool {
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
    matches!(Errno::from_io_error(e), Some(e) if refusals.contains(&e))
}

/// Converts an error of `fsync` to `Ok` if the file system does not support synchronisation.
fn ignore_unsupported_sync(e: io::Error) -> io::Result<()> {
    match Errno::from_io_error(&e) {
        Some(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => Ok(()),
        _ => Err(e),
    }
}
