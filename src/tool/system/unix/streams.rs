//! Opens the standard streams, input files, and outputs to be written in place (instead of
//! replacing them by a new file).

use rustix::fs::OFlags;
use rustix::io::Errno;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

pub use fndsa::descriptors::was_open;

fndsa::look_at_descriptors!();

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
/// Fails if the process has no free descriptor.
pub fn standard_output() -> io::Result<File> {
    file_of(io::stdout())
}

/// Opens standard error, to read its metadata.
///
/// # Errors
/// Fails if the process has no free descriptor.
pub fn standard_error() -> io::Result<File> {
    file_of(io::stderr())
}

fn file_of(stream: impl AsFd) -> io::Result<File> {
    Ok(File::from(stream.as_fd().try_clone_to_owned()?))
}

/// Opens a file for reading. The caller must use [`FileInfo`](super::FileInfo) to reject a
/// directory.
///
/// # Errors
/// Fails if the file is missing or unreadable.
pub fn open_input(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Opens a file for reading, without waiting for a device or for the writer of a FIFO.
///
/// # Errors
/// Fails if the file is missing or unreadable.
pub fn open_without_waiting(path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}

/// Opens a path that leads to an open descriptor, for reading. If the descriptor is a FIFO, the
/// system opens the FIFO a second time. This call must not wait for a writer, because the writer
/// may already have written all its bytes and ended.
///
/// # Errors
/// Fails if the descriptor is closed or not readable.
pub fn open_descriptor(path: &Path) -> io::Result<File> {
    let file = open_without_waiting(path)?;
    let flags = rustix::fs::fcntl_getfl(&file)?;
    rustix::fs::fcntl_setfl(&file, flags - OFlags::NONBLOCK)?;
    Ok(file)
}

/// The names of the standard streams, which are recognised without access to the file system.
const STANDARD_NAMES: [(&str, u32); 3] = [("/dev/stdin", 0), ("/dev/stdout", 1), ("/dev/stderr", 2)];
/// The directories that contain a name for each open descriptor.
const DESCRIPTOR_DIRECTORIES: [&str; 2] = ["/dev/fd", "/proc/self/fd"];
/// The maximum number of links in a path. Linux has the same limit.
const MAX_LINKS: usize = 40;

/// Returns the number of the descriptor to which a path leads, for example 3 for `/dev/fd/3`, for
/// `/dev/./fd/3`, or for a link to `/dev/fd/3`. The descriptor may be closed. Returns `None` for
/// all other paths. If `may_be_link` is false, the caller knows that the path is not a link, and
/// the function does not try to read a link.
pub fn descriptor(path: &Path, may_be_link: bool) -> Option<u32> {
    let mut path = path.to_owned();
    let mut may_be_link = may_be_link;
    for _ in 0..MAX_LINKS {
        for (name, number) in STANDARD_NAMES {
            if path == Path::new(name) {
                return Some(number);
            }
        }
        let parent = path.parent()?;
        let name = path.file_name()?;
        let number = match name.to_str() {
            Some(name) if name.bytes().all(|b| b.is_ascii_digit()) => name.parse().ok(),
            _ => None,
        };
        if number.is_some() && has_descriptors(parent) {
            return number;
        }
        if !may_be_link {
            return None;
        }
        let target = std::fs::read_link(&path).ok()?;
        path = if parent.as_os_str().is_empty() { target } else { parent.join(target) };
        may_be_link = true;
    }
    None
}

/// Returns whether a directory contains the open descriptors of this process. `directory` can be
/// any path to this directory.
fn has_descriptors(directory: &Path) -> bool {
    if DESCRIPTOR_DIRECTORIES.iter().any(|name| directory == Path::new(name)) {
        return true;
    }
    let Ok(directory) = std::fs::canonicalize(directory) else { return false };
    // On Linux, `/proc/self` leads to the directory of the process, and each thread has a directory
    // with the same descriptors.
    if directory == Path::new("/dev/fd") {
        return true;
    }
    directory.ends_with("fd") && matches!(std::fs::canonicalize("/proc/self"), Ok(own) if directory.starts_with(&own))
}

/// Opens an output that is written in place. New bytes are appended to the existing contents, for
/// example to text that an earlier command in a shell has written to this file.
///
/// # Errors
/// Fails if the output is missing or not writable.
pub fn open_in_place(path: &Path) -> io::Result<File> {
    let flags = OFlags::APPEND | OFlags::NOCTTY;
    OpenOptions::new().write(true).custom_flags(flags.bits().cast_signed()).open(path)
}

/// Writes to standard output without its buffer, because the bytes may be a private key and the
/// buffer is never wiped. The buffer must be empty, and the caller must have locked the stream.
///
/// # Errors
/// Fails if standard output is not writable.
pub fn write_past_the_buffer(out: &io::StdoutLock<'_>, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::retry_on_intr(|| rustix::io::write(out, bytes))? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            len => bytes = bytes.get(len..).unwrap_or_default(),
        }
    }
    Ok(())
}

/// Returns whether an error means that a standard stream was closed when the program started.
pub fn is_closed(e: &io::Error) -> bool {
    Errno::from_io_error(e) == Some(Errno::BADF)
}
