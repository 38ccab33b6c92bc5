//! Creates and renames files in a directory. While [`Directory`] exists, the directory is open, so
//! that other programs can neither rename nor remove the directory.
//!
//! If the process is killed while it writes a temporary file, the system removes the file. The file
//! remains if the file system does not support this removal, or if [`Directory::keep`] was already
//! called.

use super::super::NewFileAccess;
use super::calls::{create_private_directory, create_private_file, move_without_replacing, remove_when_closed};
use super::info::FileInfo;
use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::windows::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use windows_sys::Win32::Foundation::GENERIC_WRITE;
use windows_sys::Win32::Storage::FileSystem::{DELETE, FILE_FLAG_BACKUP_SEMANTICS, FILE_SHARE_READ, FILE_SHARE_WRITE};

/// An open directory.
pub struct Directory {
    path: PathBuf,
    _held: File,
}

impl Directory {
    /// Opens a directory.
    ///
    /// # Errors
    /// Fails if the directory is missing, or if the user may not open it.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).share_mode(FILE_SHARE_READ | FILE_SHARE_WRITE).custom_flags(FILE_FLAG_BACKUP_SEMANTICS);
        let held = options.open(path)?;
        // Links in the path are resolved only once. If the file system does not return the resolved
        // path, the original path is used.
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        Ok(Self { path, _held: held })
    }

    /// Checks that a directory exists. Commands call this function before they read a long input.
    /// Only a write can show whether the directory is writable, so the function does not check
    /// this.
    ///
    /// # Errors
    /// Fails if the directory is missing, or if the path is not a directory.
    pub fn may_write(path: &Path) -> io::Result<()> {
        if FileInfo::at(path)?.is_dir() { Ok(()) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }

    /// Returns `None`, because this system cannot create files without a name.
    ///
    /// # Errors
    /// This function never fails.
    pub fn anonymous(&self, _: NewFileAccess) -> io::Result<Option<File>> {
        Ok(None)
    }

    /// Returns an error, because this system cannot give a name to a file without a name.
    ///
    /// # Errors
    /// Always returns an error for which [`is_call_unavailable`] returns true.
    pub fn name(&self, _: &File, _: &OsStr) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Creates a file. The name must not exist yet. The system removes the file when it is closed,
    /// unless [`Self::keep`] is called.
    ///
    /// # Errors
    /// Fails if the name exists, or if the directory is not writable.
    pub fn create(&self, name: &OsStr, access: NewFileAccess) -> io::Result<File> {
        let path = self.path.join(name);
        let file = match access {
            NewFileAccess::Private => create_private_file(&path)?,
            NewFileAccess::Public => {
                OpenOptions::new().write(true).create_new(true).access_mode(GENERIC_WRITE | DELETE).open(&path)?
            }
        };
        // If the file system does not support removal at close, the caller removes the file by its
        // name when a later step fails.
        let _ = remove_when_closed(&file, true);
        Ok(file)
    }

    /// Keeps a file from [`Self::create`] when it is closed.
    ///
    /// # Errors
    /// Fails if the system would still remove the file when it is closed.
    pub fn keep(&self, file: &File) -> io::Result<()> {
        match remove_when_closed(file, false) {
            Err(e) if is_call_unavailable(&e) => Ok(()),
            result => result,
        }
    }

    /// Gives the file `old` a second name, which must not exist yet.
    ///
    /// # Errors
    /// Fails if the file is missing, if the new name exists, or if the file system has no links.
    pub fn link(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
        std::fs::hard_link(self.path.join(old), self.path.join(new))
    }

    /// Renames `from` to `to`. An existing file with the name `to` is replaced.
    ///
    /// # Errors
    /// Fails if the file cannot be renamed. The file then keeps the name `from`, and a file with
    /// the name `to` remains.
    pub fn replace(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        std::fs::rename(self.path.join(from), self.path.join(to))
    }

    /// Renames `from` to `to` without replacing an existing file.
    ///
    /// # Errors
    /// Fails if the name exists, or if the system does not support the call.
    pub fn publish(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        move_without_replacing(&self.path.join(from), &self.path.join(to))
    }

    /// Removes a name from the directory.
    ///
    /// # Errors
    /// Fails if the name is missing, or if the user may not remove it.
    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        std::fs::remove_file(self.path.join(name))
    }

    /// Synchronises the directory, if the system allows this, so that a new name survives a crash.
    /// Otherwise, a file name that [`Self::replace`] has set can be lost in a crash, because the
    /// system decides when it writes the name to the disk. A name from [`Self::publish`] is already
    /// on the disk.
    ///
    /// # Errors
    /// Fails if the disk has an error.
    pub fn sync(&self) -> io::Result<()> {
        let mut options = OpenOptions::new();
        let opened = options.write(true).custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(&self.path);
        let synchronised = match opened {
            Ok(directory) => directory.sync_all(),
            Err(e) => Err(e),
        };
        match synchronised {
            Err(e) if e.kind() == io::ErrorKind::PermissionDenied || is_call_unavailable(&e) => Ok(()),
            result => result,
        }
    }

    /// Writes a complete result and waits until it is on the disk.
    ///
    /// # Errors
    /// Fails if the result cannot be written to the disk.
    pub fn fill(mut file: &File, result: &[u8], _: NewFileAccess) -> io::Result<()> {
        file.write_all(result)?;
        file.sync_all()
    }

    /// Creates a directory that only the owner can access.
    ///
    /// # Errors
    /// Fails if the name exists, or if the directory cannot be created.
    pub fn create_private(path: &Path) -> io::Result<()> {
        create_private_directory(path)
    }
}

/// A placeholder for a lock. On Windows, fndsa does not lock the file, because some Windows
/// versions cannot replace an open file. If two processes replace a file at the same time, the
/// result of the process that finishes last remains.
pub struct FileLock;

impl FileLock {
    /// Returns without locking the file.
    ///
    /// # Errors
    /// This function never fails.
    pub fn of(_: &Path) -> io::Result<Self> {
        Ok(Self)
    }
}

/// Returns whether an error means that the file system does not support this kind of call. In this
/// case, the caller can try a different call.
pub fn is_call_unavailable(e: &io::Error) -> bool {
    matches!(e.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput)
}
