//! Standard streams, and files that are read or written as they are.

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
/// The stream was closed when the program began.
pub fn standard_input() -> io::Result<File> {
    was_open(0)?;
    file_of(io::stdin())
}

/// Opens standard output without a buffer, for a look at what it is.
///
/// # Errors
/// There is no descriptor left.
pub fn standard_output() -> io::Result<File> {
    file_of(io::stdout())
}

/// Opens standard error, for a look at what it is.
///
/// # Errors
/// There is no descriptor left.
pub fn standard_error() -> io::Result<File> {
    file_of(io::stderr())
}

fn file_of(stream: impl AsFd) -> io::Result<File> {
    Ok(File::from(stream.as_fd().try_clone_to_owned()?))
}

/// Opens a file to read it. Of a directory the caller is told by its [`Info`](super::Info).
///
/// # Errors
/// The file is not there or may not be read.
pub fn open_input(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Opens an output that is written in place. Appending leaves what a shell has written before.
///
/// # Errors
/// The output is not there or may not be written.
pub fn open_in_place(path: &Path) -> io::Result<File> {
    let flags = OFlags::APPEND | OFlags::NOCTTY;
    OpenOptions::new().write(true).custom_flags(flags.bits().cast_signed()).open(path)
}

/// Writes to standard output without its buffer, which nobody wipes: it may be a private key. Range: what stands in the
/// buffer is written already, and the caller holds the lock.
///
/// # Errors
/// Standard output cannot be written.
pub fn write_past_the_buffer(out: &io::StdoutLock<'_>, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::retry_on_intr(|| rustix::io::write(out, bytes))? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            len => bytes = bytes.get(len..).unwrap_or_default(),
        }
    }
    Ok(())
}

/// Returns whether an error says that a standard stream was closed when the program began.
pub fn is_closed(e: &io::Error) -> bool {
    Errno::from_io_error(e) == Some(Errno::BADF)
}
