//! What a file is, by what the system says of a handle.

use super::super::{FileState, Identity, Stamp};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::path::Path;
use winapi_util::file::{Information, information, typ};
use windows_sys::Win32::Storage::FileSystem::{FILE_ATTRIBUTE_DIRECTORY, FILE_FLAG_BACKUP_SEMANTICS};

/// What the system says of a file.
#[derive(Debug)]
pub struct Info {
    sort: Sort,
    /// Length, index and times; `None` for what is on no disk.
    on_disk: Option<OnDisk>,
}

/// The sort of what has a handle or a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    File,
    Directory,
    Link,
    /// A console, `NUL` or another device.
    Character,
    Pipe,
}

#[derive(Clone, Copy, Debug)]
struct OnDisk {
    identity: Identity,
    len: u64,
    /// In units of 100 nanoseconds; 0 where the file system has no such time.
    written: i64,
    created: i64,
}

impl OnDisk {
    fn of(information: &Information) -> Self {
        let time = |time: Option<u64>| time.unwrap_or(0).cast_signed();
        Self {
            identity: Identity(information.volume_serial_number(), information.file_index()),
            len: information.file_size(),
            written: time(information.last_write_time()),
            created: time(information.creation_time()),
        }
    }
}

impl Info {
    /// Asks about an open file or stream.
    ///
    /// # Errors
    /// The system does not say.
    pub fn of(file: &File) -> io::Result<Self> {
        let way = typ(file)?;
        if way.is_char() {
            return Ok(Self { sort: Sort::Character, on_disk: None });
        }
        // Of a pipe, and of a stream that another system hands over, nothing more is known.
        let Some(found) = information(file).ok().filter(|_| way.is_disk()) else {
            return Ok(Self { sort: Sort::Pipe, on_disk: None });
        };
        let directory = found.file_attributes() & u64::from(FILE_ATTRIBUTE_DIRECTORY) != 0;
        let sort = if directory { Sort::Directory } else { Sort::File };
        Ok(Self { sort, on_disk: Some(OnDisk::of(&found)) })
    }

    /// Asks about what a path leads to.
    ///
    /// # Errors
    /// Nothing is there, or the system does not say.
    pub fn at(path: &Path) -> io::Result<Self> {
        // Without any right to it, so that a file which may not be read is known, too.
        Self::of(&OpenOptions::new().access_mode(0).custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(path)?)
    }

    /// Asks about what has the name itself, which may be a link.
    ///
    /// # Errors
    /// Nothing is there, or the system does not say.
    pub fn at_name(path: &Path) -> io::Result<Self> {
        if std::fs::symlink_metadata(path)?.is_symlink() {
            return Ok(Self { sort: Sort::Link, on_disk: None });
        }
        Self::at(path)
    }

    /// Returns whether it is a regular file.
    pub fn is_file(&self) -> bool {
        self.sort == Sort::File
    }

    /// Returns whether it is a directory.
    pub fn is_dir(&self) -> bool {
        self.sort == Sort::Directory
    }

    /// Returns whether it is a device of characters, as a console is.
    pub fn is_character_device(&self) -> bool {
        self.sort == Sort::Character
    }

    /// Returns whether it is written in place: a device or a pipe.
    pub fn is_special(&self) -> bool {
        matches!(self.sort, Sort::Character | Sort::Pipe)
    }

    /// Returns in words what it is, if it is neither a regular file nor a directory.
    pub fn special_words(&self) -> &'static str {
        match self.sort {
            Sort::Link => "a link",
            Sort::Pipe => "a FIFO",
            _ => "a device",
        }
    }

    /// Returns the length in bytes of a regular file.
    pub fn len(&self) -> u64 {
        self.on_disk.map_or(0, |it| it.len)
    }

    /// Returns the identity of a regular file; `None` for anything else, which can be input and output at once.
    pub fn identity(&self) -> Option<Identity> {
        self.on_disk.filter(|_| self.is_file()).map(|it| it.identity)
    }

    /// Returns the identity of a file or directory. `None` for a pipe or a device, which have none here.
    pub fn any_identity(&self) -> Option<Identity> {
        self.on_disk.map(|it| it.identity)
    }

    /// Returns what changes when the file is written.
    pub fn stamp(&self) -> Stamp {
        Stamp(self.len(), (self.on_disk.map_or(0, |it| it.written), 0))
    }

    /// Returns what is compared with a later state before the file is replaced.
    pub fn state(&self) -> FileState {
        let Stamp(len, written) = self.stamp();
        let identity = self.on_disk.map_or(Identity(0, 0), |it| it.identity);
        FileState(identity, len, written, (self.on_disk.map_or(0, |it| it.created), 0))
    }

    /// Returns the warning for a private key that others may read. Access control lists are not read, so there is none.
    pub fn open_to_others(&self) -> Option<String> {
        None
    }
}
