//! The metadata of a file.

use super::super::{FileIdentity, FileStamp, FileState};
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::Path;

/// The metadata of a file, as the system reports it.
#[derive(Debug)]
pub struct FileInfo(Metadata);

impl FileInfo {
    /// Returns the metadata of an open file or stream.
    ///
    /// # Errors
    /// Fails if the system cannot return the metadata.
    pub fn of(file: &File) -> io::Result<Self> {
        Ok(Self(file.metadata()?))
    }

    /// Returns the metadata of the file that a path leads to.
    ///
    /// # Errors
    /// Fails if the file is missing, or if the system cannot return the metadata.
    pub fn at(path: &Path) -> io::Result<Self> {
        Ok(Self(std::fs::metadata(path)?))
    }

    /// Returns the metadata of a path. A link at the end of the path is not followed.
    ///
    /// # Errors
    /// Fails if the file is missing, or if the system cannot return the metadata.
    pub fn at_name(path: &Path) -> io::Result<Self> {
        Ok(Self(std::fs::symlink_metadata(path)?))
    }

    /// Returns whether this is a regular file.
    pub fn is_file(&self) -> bool {
        self.0.is_file()
    }

    /// Returns whether this is a directory.
    pub fn is_dir(&self) -> bool {
        self.0.is_dir()
    }

    /// Returns whether this is a link, which is only possible for the result of [`Self::at_name`].
    pub fn is_link(&self) -> bool {
        self.0.is_symlink()
    }

    /// Returns whether this is a character device, for example a terminal.
    pub fn is_character_device(&self) -> bool {
        self.0.file_type().is_char_device()
    }

    /// Returns whether this is a device, a FIFO or a socket. fndsa writes into such a file (in
    /// place), and does not replace it.
    pub fn is_special(&self) -> bool {
        let kind = self.0.file_type();
        kind.is_char_device() || kind.is_block_device() || kind.is_fifo() || kind.is_socket()
    }

    /// Returns whether this is a FIFO.
    pub fn is_fifo(&self) -> bool {
        self.0.file_type().is_fifo()
    }

    /// Returns the type of a file as a phrase for messages. The file must not be a regular file or
    /// a directory.
    pub fn special_words(&self) -> &'static str {
        match self.0.file_type() {
            kind if kind.is_symlink() => "a link",
            kind if kind.is_fifo() => "a FIFO",
            kind if kind.is_socket() => "a socket",
            _ => "a device",
        }
    }

    /// Returns the length of a regular file in bytes.
    pub fn len(&self) -> u64 {
        self.0.len()
    }

    /// Returns the identity of a regular file, to detect that two paths lead to the same file.
    /// Returns `None` for all other files, because a pipe or a device can be both the input and the
    /// output of a command.
    pub fn identity(&self) -> Option<FileIdentity> {
        if self.is_file() { Some(self.own_identity()) } else { None }
    }

    /// Returns the identity of a file, pipe or device, if the system provides an identity.
    pub fn any_identity(&self) -> Option<FileIdentity> {
        Some(self.own_identity())
    }

    fn own_identity(&self) -> FileIdentity {
        FileIdentity(self.0.dev(), self.0.ino())
    }

    /// Returns the length and the time of the last write, which change when the file is written.
    pub fn stamp(&self) -> FileStamp {
        FileStamp(self.0.len(), (self.0.mtime(), self.0.mtime_nsec()))
    }

    /// Returns the file's state, to detect changes before the file is replaced.
    pub fn state(&self) -> FileState {
        let FileStamp(len, written) = self.stamp();
        FileState(self.own_identity(), len, written, (self.0.ctime(), self.0.ctime_nsec()))
    }

    /// Returns a warning if the permissions give other users access to this private key file.
    pub fn open_to_others(&self) -> Option<String> {
        let mode = self.0.permissions().mode() & 0o777;
        if !self.is_file() || mode & 0o077 == 0 {
            return None;
        }
        Some(format!("mode {mode:03o}: other users have access to the private key; chmod 600"))
    }
}
