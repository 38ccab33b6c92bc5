//! The directory for a new file. It stays open as long as its path is used, so that other programs
//! cannot rename or remove it.
//!
//! The system removes an incomplete temporary file when the process ends, so a killed process
//! leaves no files.

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
    /// The directory is missing, or you may not open it.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).share_mode(FILE_SHARE_READ | FILE_SHARE_WRITE).custom_flags(FILE_FLAG_BACKUP_SEMANTICS);
        let held = options.open(path)?;
        // Links in the path are resolved once. If the file system does not return the resolved
        // path, the original path is used.
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        Ok(Self { path, _held: held })
    }

    /// Checks that a directory exists, before a long input is read. Only a write can show whether
    /// the directory is writable.
    ///
    /// # Errors
    /// The directory is missing.
    pub fn may_write(path: &Path) -> io::Result<()> {
        if FileInfo::at(path)?.is_dir() { Ok(()) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }

    /// Returns `None`, because this system has no unnamed files.
    ///
    /// # Errors
    /// This function never fails.
    pub fn anonymous(&self, _: NewFileAccess) -> io::Result<Option<File>> {
        Ok(None)
    }

    /// Fails, because this system cannot give a name to an unnamed file.
    ///
    /// # Errors
    /// The error is always an error for which [`is_unable`] returns true.
    pub fn name(&self, _: &File, _: &OsStr) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Creates a file with a new name. The system removes the file when it is closed, unless
    /// [`Self::keep`] was called.
    ///
    /// # Errors
    /// The name exists, or the directory is not writable.
    pub fn create(&self, name: &OsStr, access: NewFileAccess) -> io::Result<File> {
        let path = self.path.join(name);
        let file = match access {
            NewFileAccess::Private => create_private_file(&path)?,
            NewFileAccess::Public => {
                OpenOptions::new().write(true).create_new(true).access_mode(GENERIC_WRITE | DELETE).open(&path)?
            }
        };
        // If the file system cannot remove files on close, the caller removes the file by its name.
        let _ = remove_when_closed(&file, true);
        Ok(file)
    }

    /// Keeps a file of [`Self::create`] when it is closed.
    ///
    /// # Errors
    /// The system would still remove the file.
    pub fn keep(&self, file: &File) -> io::Result<()> {
        match remove_when_closed(file, false) {
            Err(e) if is_unable(&e) => Ok(()),
            result => result,
        }
    }

    /// Gives the file `old` a second name that does not exist yet.
    ///
    /// # Errors
    /// The file is missing, the new name exists, or the file system has no links.
    pub fn link(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
        std::fs::hard_link(self.path.join(old), self.path.join(new))
    }

    /// Renames `from` to `to`, and replaces a file with the name `to`.
    ///
    /// # Errors
    /// The rename failed. The file still has its old name, and no file was replaced.
    pub fn replace(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        std::fs::rename(self.path.join(from), self.path.join(to))
    }

    /// Renames `from` to `to` without replacing a file.
    ///
    /// # Errors
    /// The name exists, or the system rejects the call.
    pub fn publish(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        move_without_replacing(&self.path.join(from), &self.path.join(to))
    }

    /// Removes a name.
    ///
    /// # Errors
    /// The name is missing, or you may not remove it.
    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        std::fs::remove_file(self.path.join(name))
    }

    /// Writes the directory to the disk, so that a new name survives a crash, if the system allows
    /// this. On NTFS, the name is already on the disk after the flush of the file.
    ///
    /// # Errors
    /// The disk fails.
    pub fn sync(&self) -> io::Result<()> {
        let mut options = OpenOptions::new();
        let opened = options.write(true).custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(&self.path);
        let synchronised = match opened {
            Ok(directory) => directory.sync_all(),
            Err(e) => Err(e),
        };
        match synchronised {
            Err(e) if e.kind() == io::ErrorKind::PermissionDenied || is_unable(&e) => Ok(()),
            result => result,
        }
    }

    /// Writes a complete result and waits for the disk.
    ///
    /// # Errors
    /// The result is not on the disk.
    pub fn fill(mut file: &File, result: &[u8], _: NewFileAccess) -> io::Result<()> {
        file.write_all(result)?;
        file.sync_all()
    }

    /// Creates a directory that only the owner can access.
    ///
    /// # Errors
    /// The name exists, or the directory cannot be created.
    pub fn create_private(path: &Path) -> io::Result<()> {
        create_private_directory(path)
    }
}

/// A placeholder for a lock. Some versions of Windows cannot replace a file that is open, so there
/// are no locks: if two processes replace a file at the same moment, the last process wins.
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

/// Returns whether an error means that the file system rejects this kind of call. A different call
/// may then work.
pub fn is_unable(e: &io::Error) -> bool {
    matches!(e.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput)
}
