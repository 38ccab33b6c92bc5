//! Opens the standard streams, input files, and outputs to be written in place (instead of
//! replacing them by a new file). fndsa reads and writes bytes, without converting line ends.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::{AsHandle, AsRawHandle};
use std::path::Path;
use windows_sys::Win32::Foundation::{ERROR_INVALID_HANDLE, INVALID_HANDLE_VALUE};
use windows_sys::Win32::Storage::FileSystem::{FILE_APPEND_DATA, FILE_FLAG_BACKUP_SEMANTICS};

/// Checks that a standard stream (0, 1 or 2) was open when the program started.
///
/// # Errors
/// Fails if the handle is not valid.
pub fn was_open(number: i32) -> io::Result<()> {
    let handle = match number {
        0 => io::stdin().as_raw_handle(),
        1 => io::stdout().as_raw_handle(),
        _ => io::stderr().as_raw_handle(),
    };
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::from_raw_os_error(ERROR_INVALID_HANDLE.cast_signed()));
    }
    Ok(())
}

/// Opens standard input without a buffer.
///
/// # Errors
/// Fails if the stream was closed when the program started.
pub fn standard_input() -> io::Result<File> {
    was_open(0)?;
    file_of(io::stdin())
}

/// Opens standard output without a buffer, to read its metadata.
///
/// # Errors
/// Fails if the stream was closed when the program started.
pub fn standard_output() -> io::Result<File> {
    was_open(1)?;
    file_of(io::stdout())
}

/// Opens standard error, to read its metadata.
///
/// # Errors
/// Fails if the stream was closed when the program started.
pub fn standard_error() -> io::Result<File> {
    was_open(2)?;
    file_of(io::stderr())
}

fn file_of(stream: impl AsHandle) -> io::Result<File> {
    Ok(File::from(stream.as_handle().try_clone_to_owned()?))
}

/// Opens a file or a directory for reading. The caller must use [`FileInfo`](super::FileInfo) to
/// reject a directory.
///
/// # Errors
/// Fails if the file is missing or unreadable.
pub fn open_input(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(path)
}

/// Opens a file for reading, without waiting, because names in a directory cannot lead to pipes on
/// Windows.
///
/// # Errors
/// Fails if the file is missing or unreadable.
pub fn open_without_waiting(path: &Path) -> io::Result<File> {
    open_input(path)
}

/// Opens a file for reading. On Windows, no path leads to an open descriptor.
///
/// # Errors
/// Fails if the file is missing or unreadable.
pub fn open_descriptor(path: &Path) -> io::Result<File> {
    open_input(path)
}

/// Returns `None`, because no path leads to an open descriptor on Windows.
pub fn descriptor(_: &Path, _: bool) -> Option<u32> {
    None
}

/// Opens an output that is written in place. New bytes are appended to the existing contents.
///
/// # Errors
/// Fails if the output is missing or not writable.
pub fn open_in_place(path: &Path) -> io::Result<File> {
    match OpenOptions::new().access_mode(FILE_APPEND_DATA).open(path) {
        Ok(file) => Ok(file),
        // A device may not support appending, so the output is opened for writing.
        Err(_) => OpenOptions::new().write(true).open(path),
    }
}

/// Writes to standard output without its buffer, because the bytes may be a private key and the
/// buffer is never wiped. If standard output is a console, the standard library writes the bytes,
/// because a console accepts only text. The buffer must be empty, and the caller must have locked
/// the stream.
///
/// # Errors
/// Fails if standard output is not writable.
pub fn write_past_the_buffer(out: &io::StdoutLock<'_>, bytes: &[u8]) -> io::Result<()> {
    if out.is_terminal() {
        let mut console = io::stdout();
        console.write_all(bytes)?;
        return console.flush();
    }
    file_of(out)?.write_all(bytes)
}

/// Returns whether an error means that a standard stream was closed when the program started.
pub fn is_closed(e: &io::Error) -> bool {
    e.raw_os_error() == Some(ERROR_INVALID_HANDLE.cast_signed())
}
