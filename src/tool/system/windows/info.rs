//! The metadata of a file. A link is detected by its path. For all files except links, the metadata
//! comes from an open handle.

use super::super::{FileIdentity, FileStamp, FileState};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::path::Path;
use winapi_util::file::{Information, information, typ};
use windows_sys::Win32::Storage::FileSystem::{FILE_ATTRIBUTE_DIRECTORY, FILE_FLAG_BACKUP_SEMANTICS};

/// The metadata of a file, as the system reports it.
#[derive(Debug)]
pub struct FileInfo {
    kind: WindowsFileKind,
    /// The length, the file index and the times on a disk. `None` for a link, a pipe or a device.
    on_disk: Option<DiskInfo>,
}

/// The type of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WindowsFileKind {
    File,
    Directory,
    Link,
    /// A console, `NUL` or another device.
    Character,
    Pipe,
}

#[derive(Clone, Copy, Debug)]
struct DiskInfo {
    identity: FileIdentity,
    len: u64,
    /// The time of the last write in units of 100 nanoseconds. 0 if the file system does not record
    /// the time.
    written: i64,
    created: i64,
}

impl DiskInfo {
    fn of(information: &Information) -> Self {
        Self {
            identity: FileIdentity(information.volume_serial_number(), information.file_index()),
            len: information.file_size(),
            written: information.last_write_time().unwrap_or(0).cast_signed(),
            created: information.creation_time().unwrap_or(0).cast_signed(),
        }
    }
}

impl FileInfo {
    /// Returns the metadata of an open file or stream. A stream counts as a pipe if the system
    /// cannot return its metadata, for example a file that Unix has opened for a program in Wine.
    ///
    /// # Errors
    /// Fails if the system cannot return the file's type.
    pub fn of(file: &File) -> io::Result<Self> {
        let file_type = typ(file)?;
        if file_type.is_char() {
            return Ok(Self { kind: WindowsFileKind::Character, on_disk: None });
        }
        if file_type.is_disk()
            && let Ok(info) = Self::of_disk_file(file)
        {
            return Ok(info);
        }
        Ok(Self { kind: WindowsFileKind::Pipe, on_disk: None })
    }

    /// Returns the metadata of an open file on a disk.
    ///
    /// # Errors
    /// Fails if the system cannot return the metadata.
    fn of_disk_file(file: &File) -> io::Result<Self> {
        let found = information(file)?;
        let directory = found.file_attributes() & u64::from(FILE_ATTRIBUTE_DIRECTORY) != 0;
        let kind = if directory { WindowsFileKind::Directory } else { WindowsFileKind::File };
        Ok(Self { kind, on_disk: Some(DiskInfo::of(&found)) })
    }

    /// Returns the metadata of the file that a path leads to.
    ///
    /// # Errors
    /// Fails if the file is missing, or if the system cannot return the metadata. Unlike in
    /// [`Self::of`], a file on a disk never counts as a pipe here, because fndsa writes into a
    /// pipe, but replaces a file on a disk with a new file.
    pub fn at(path: &Path) -> io::Result<Self> {
        // The file is opened without access rights, so that its metadata can be read even if its
        // contents cannot.
        let file = OpenOptions::new().access_mode(0).custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(path)?;
        if typ(&file)?.is_disk() { Self::of_disk_file(&file) } else { Self::of(&file) }
    }

    /// Returns the metadata of a path. A link at the end of the path is not followed.
    ///
    /// # Errors
    /// Fails if the file is missing, or if the system cannot return the metadata.
    pub fn at_name(path: &Path) -> io::Result<Self> {
        if std::fs::symlink_metadata(path)?.is_symlink() {
            return Ok(Self { kind: WindowsFileKind::Link, on_disk: None });
        }
        Self::at(path)
    }

    /// Returns whether this is a regular file.
    pub fn is_file(&self) -> bool {
        self.kind == WindowsFileKind::File
    }

    /// Returns whether this is a directory.
    pub fn is_dir(&self) -> bool {
        self.kind == WindowsFileKind::Directory
    }

    /// Returns whether this is a link, which is only possible for the result of [`Self::at_name`].
    pub fn is_link(&self) -> bool {
        self.kind == WindowsFileKind::Link
    }

    /// Returns whether this is a character device, for example a console.
    pub fn is_character_device(&self) -> bool {
        self.kind == WindowsFileKind::Character
    }

    /// Returns whether this is a device or a pipe. fndsa writes into such a file (in place), and
    /// does not replace it.
    pub fn is_special(&self) -> bool {
        matches!(self.kind, WindowsFileKind::Character | WindowsFileKind::Pipe)
    }

    /// Returns whether this is a pipe.
    pub fn is_fifo(&self) -> bool {
        self.kind == WindowsFileKind::Pipe
    }

    /// Returns the type of a file as a phrase for messages. The file must not be a regular file or
    /// a directory.
    pub fn special_words(&self) -> &'static str {
        match self.kind {
            WindowsFileKind::Link => "a link",
            WindowsFileKind::Pipe => "a FIFO",
            _ => "a device",
        }
    }

    /// Returns the length of a regular file in bytes.
    pub fn len(&self) -> u64 {
        match self.on_disk {
            Some(on_disk) => on_disk.len,
            None => 0,
        }
    }

    /// Returns the identity of a regular file, to detect that two paths lead to the same file.
    /// Returns `None` for all other files, because a pipe or a device can be both the input and the
    /// output of a command.
    pub fn identity(&self) -> Option<FileIdentity> {
        if self.is_file() { self.any_identity() } else { None }
    }

    /// Returns the identity of a file or directory. Returns `None` for a link, a pipe or a device,
    /// because Windows provides no identity for these kinds.
    pub fn any_identity(&self) -> Option<FileIdentity> {
        Some(self.on_disk?.identity)
    }

    /// Returns the length and the time of the last write, which change when the file is written.
    pub fn stamp(&self) -> FileStamp {
        match self.on_disk {
            Some(on_disk) => FileStamp(on_disk.len, (on_disk.written, 0)),
            None => FileStamp(0, (0, 0)),
        }
    }

    /// Returns the file's state, to detect changes before the file is replaced.
    pub fn state(&self) -> FileState {
        let FileStamp(len, written) = self.stamp();
        match self.on_disk {
            Some(on_disk) => FileState(on_disk.identity, len, written, (on_disk.created, 0)),
            None => FileState(FileIdentity(0, 0), len, written, (0, 0)),
        }
    }

    /// Returns `None`, because access control lists are not read. Therefore, there is no warning if
    /// other users may read a private key.
    pub fn open_to_others(&self) -> Option<String> {
        None
    }
}
