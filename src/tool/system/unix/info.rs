//! What a file is, by its metadata.

use super::super::{FileState, Identity, Stamp};
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::Path;

/// What the system says of a file.
#[derive(Debug)]
pub struct Info(Metadata);

impl Info {
    /// Asks about an open file or stream.
    ///
    /// # Errors
    /// The system does not say.
    pub fn of(file: &File) -> io::Result<Self> {
        file.metadata().map(Self)
    }

    /// Asks about what a path leads to.
    ///
    /// # Errors
    /// Nothing is there, or the system does not say.
    pub fn at(path: &Path) -> io::Result<Self> {
        std::fs::metadata(path).map(Self)
    }

    /// Asks about what has the name itself, which may be a link.
    ///
    /// # Errors
    /// Nothing is there, or the system does not say.
    pub fn at_name(path: &Path) -> io::Result<Self> {
        std::fs::symlink_metadata(path).map(Self)
    }

    /// Returns whether it is a regular file.
    pub fn is_file(&self) -> bool {
        self.0.is_file()
    }

    /// Returns whether it is a directory.
    pub fn is_dir(&self) -> bool {
        self.0.is_dir()
    }

    /// Returns whether it is a device of characters, as a terminal is.
    pub fn is_character_device(&self) -> bool {
        self.0.file_type().is_char_device()
    }

    /// Returns whether it is written in place: a device, a FIFO or a socket.
    pub fn is_special(&self) -> bool {
        let kind = self.0.file_type();
        kind.is_char_device() || kind.is_block_device() || kind.is_fifo() || kind.is_socket()
    }

    /// Returns in words what it is, if it is neither a regular file nor a directory.
    pub fn special_words(&self) -> &'static str {
        match self.0.file_type() {
            kind if kind.is_symlink() => "a link",
            kind if kind.is_fifo() => "a FIFO",
            kind if kind.is_socket() => "a socket",
            _ => "a device",
        }
    }

    /// Returns the length in bytes of a regular file.
    pub fn len(&self) -> u64 {
        self.0.len()
    }

    /// Returns the identity of a regular file; `None` for anything else, which can be input and output at once.
    pub fn identity(&self) -> Option<Identity> {
        self.is_file().then(|| self.own_identity())
    }

    /// Returns the identity of anything that has a name or a descriptor: a file, a pipe, a device. `None` if the
    /// system has no identity for it.
    pub fn any_identity(&self) -> Option<Identity> {
        Some(self.own_identity())
    }

    fn own_identity(&self) -> Identity {
        Identity(self.0.dev(), self.0.ino())
    }

    /// Returns what changes when the file is written.
    pub fn stamp(&self) -> Stamp {
        Stamp(self.0.len(), (self.0.mtime(), self.0.mtime_nsec()))
    }

    /// Returns what is compared with a later state before the file is replaced.
    pub fn state(&self) -> FileState {
        let Stamp(len, written) = self.stamp();
        FileState(self.own_identity(), len, written, (self.0.ctime(), self.0.ctime_nsec()))
    }

    /// Returns the warning for a private key in a file of these permissions, if others may read it.
    pub fn open_to_others(&self) -> Option<String> {
        let mode = self.0.permissions().mode() & 0o777;
        let open = self.is_file() && mode & 0o077 != 0;
        open.then(|| format!("mode {mode:03o}: others may read the private key; chmod 600"))
    }
}
