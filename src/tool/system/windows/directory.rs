//! The directory that a new file gets its name in. It is open as long as its path is used, in a way that lets nobody
//! rename or remove it meanwhile.
//!
//! A temporary file is one that the system removes when the process ends, until it is complete; so a process that is
//! killed leaves nothing behind.

use super::super::Access;
use super::calls::{create_private_directory, create_private_file, move_without_replacing, remove_when_closed};
use super::info::Info;
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
    /// There is no such directory, or it may not be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).share_mode(FILE_SHARE_READ | FILE_SHARE_WRITE).custom_flags(FILE_FLAG_BACKUP_SEMANTICS);
        let held = options.open(path)?;
        // Links on the way are followed once. Some file systems cannot say where they are; there the path stays.
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        Ok(Self { path, _held: held })
    }

    /// Checks that a directory is there, so that a long input is not read in vain. Whether it may be written is not
    /// known before something is.
    ///
    /// # Errors
    /// There is no such directory.
    pub fn may_write(path: &Path) -> io::Result<()> {
        if Info::at(path)?.is_dir() { Ok(()) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }

    /// Opens a file without a name, which no file system can do here.
    ///
    /// # Errors
    /// None.
    pub fn anonymous(&self, _: Access) -> io::Result<Option<File>> {
        Ok(None)
    }

    /// Gives a file without a name one, for which there is no way here.
    ///
    /// # Errors
    /// Always one for which [`is_unable`] holds.
    pub fn name(&self, _: &File, _: &OsStr) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Makes a file with a name that nothing has. The system removes it when it is closed, unless [`Self::keep`] was
    /// called.
    ///
    /// # Errors
    /// Something has the name, or the directory may not be written.
    pub fn create(&self, name: &OsStr, access: Access) -> io::Result<File> {
        let path = self.path.join(name);
        let file = match access {
            Access::Private => create_private_file(&path)?,
            Access::Public => {
                OpenOptions::new().write(true).create_new(true).access_mode(GENERIC_WRITE | DELETE).open(&path)?
            }
        };
        // Where the file system has no such mark, the file goes with the name that the caller removes.
        let _ = remove_when_closed(&file, true);
        Ok(file)
    }

    /// Keeps a file of [`Self::create`].
    ///
    /// # Errors
    /// The system would remove the file all the same.
    pub fn keep(&self, file: &File) -> io::Result<()> {
        match remove_when_closed(file, false) {
            Err(e) if is_unable(&e) => Ok(()),
            result => result,
        }
    }

    /// Gives the file `old` a second name that nothing has.
    ///
    /// # Errors
    /// There is no such file, something has the new name, or the file system has no links.
    pub fn link(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
        std::fs::hard_link(self.path.join(old), self.path.join(new))
    }

    /// Renames `from` to `to`, in place of what has that name.
    ///
    /// # Errors
    /// The file has its old name, and nothing was replaced.
    pub fn replace(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        std::fs::rename(self.path.join(from), self.path.join(to))
    }

    /// Renames `from` to `to`, which nothing may have.
    ///
    /// # Errors
    /// Something has the name, or the system refuses.
    pub fn publish(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        move_without_replacing(&self.path.join(from), &self.path.join(to))
    }

    /// Removes a name.
    ///
    /// # Errors
    /// There is no such name, or it may not be removed.
    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        std::fs::remove_file(self.path.join(name))
    }

    /// Writes the directory to the disk, so that a new name lasts, where the system lets the user do that. The flush of
    /// the file itself has written its name on NTFS.
    ///
    /// # Errors
    /// The disk fails.
    pub fn sync(&self) -> io::Result<()> {
        let mut options = OpenOptions::new();
        let opened = options.write(true).custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(&self.path);
        match opened.and_then(|directory| directory.sync_all()) {
            Err(e) if e.kind() == io::ErrorKind::PermissionDenied || is_unable(&e) => Ok(()),
            result => result,
        }
    }

    /// Writes all of a result and waits for the disk.
    ///
    /// # Errors
    /// The result is not on the disk.
    pub fn fill(mut file: &File, result: &[u8], _: Access) -> io::Result<()> {
        file.write_all(result)?;
        file.sync_all()
    }

    /// Creates a directory for the owner alone.
    ///
    /// # Errors
    /// Something has the name, or the directory cannot be made.
    pub fn create_private(path: &Path) -> io::Result<()> {
        create_private_directory(path)
    }
}

/// A lock on a file that is to be replaced. A file that is open cannot be replaced on every version of the system, so
/// there is none: of two processes that replace one file in the same moment, the last one wins.
pub struct Lock;

impl Lock {
    /// Takes no lock.
    ///
    /// # Errors
    /// None.
    pub fn of(_: &Path) -> io::Result<Self> {
        Ok(Self)
    }
}

/// Returns whether a call was refused for what it is, by a file system: another way may do.
pub fn is_unable(e: &io::Error) -> bool {
    matches!(e.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput)
}
