//! Calls to the operating system, with the same function signatures on all systems. Only this
//! folder contains code for a particular system (`tests/house.rs` checks this).
//!
//! - `unix`: Linux, the BSDs and macOS
//! - `windows`: Windows
//! - `line`: reads a line, and no bytes after it
//!
//! | item | Unix | Windows |
//! |---|---|---|
//! | [`FileInfo`]: metadata of a file | `fstat`, device, inode | attributes, volume, file index |
//! | [`Directory`]: for new files | an open directory | open, so that it cannot be renamed |
//! | [`BaseDirectory`], [`open_beneath`]: safe opening | `openat2`, or `walk` | final path check |
//! | [`SignalHold`], [`end_if_signaled`]: signals | INT, TERM and HUP | console control handler |
//! | [`ask`]: a line without echo | termios | console mode |
//! | [`protect`], [`protect_new_memory`]: secrecy | limits, `mlockall` | no crash report |
//! | [`fill_random`] | `getrandom`, bounded | crate `getrandom` |
//! | [`name_of`], [`listed`], [`canonical`]: names | the bytes | UTF-8, `/` and `\` |
//! | [`SYSTEM_HINTS`]: hints | a shell | PowerShell |
//! | [`was_open`], [`standard_input`], [`write_past_the_buffer`] | descriptors | handles |
//! | [`descriptor`] of a path | `/dev/fd`, `/proc/self/fd`, links | no such paths |
//! | [`processor_time`] of this process | `clock_gettime` | not available |
//!
//! Errors of the system are errors of `std::io`, with the same kinds on all systems.
//! `docs/windows.md` describes the limits on Windows.

mod line;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub use line::read_line;
#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;

use fndsa::files::windows as names_of_windows;
use std::io;

/// Returns the reason why fndsa on Windows cannot verify a list that contains this name, for
/// example because Windows does not allow a file with this name. Returns `None` if there is no such
/// reason. `name` must be a valid name in a list of checksums.
pub fn unportable(name: &[u8]) -> Option<String> {
    match names_of_windows::canonical(name) {
        Ok(_) if name.contains(&b'\\') => Some("the name contains `\\`, which Windows reads as `/`".to_owned()),
        Ok(_) => None,
        Err(flaw) => Some(flaw.to_string()),
    }
}

/// Returns the positions of the first two names that differ only in case. On Windows, both names
/// lead to the same file.
pub fn colliding<N: AsRef<[u8]>>(names: &[N]) -> Option<(usize, usize)> {
    let second = names_of_windows::duplicate(names)?;
    for (first, name) in names[..second].iter().enumerate() {
        if names_of_windows::duplicate(&[name, &names[second]]).is_some() {
            return Some((first, second));
        }
    }
    None
}

/// Hints that contain commands of this system.
pub struct SystemHints {
    /// The hint if an environment variable for the text of a key is not set.
    pub key_variable: &'static str,
    /// The hint if an environment variable for a password is not set.
    pub password_variable: &'static str,
    /// The hint if the system denies access to a file.
    pub access: &'static str,
    /// The hint if a directory is missing.
    pub make_directory: &'static str,
    /// The hint if there is not enough memory for this process.
    pub more_memory: &'static str,
    /// The command that decodes the base64 in a file.
    pub decode_base64: &'static str,
    /// The command that decodes the hexadecimal digits in a file.
    pub decode_hex: &'static str,
    /// The command that removes a directory with all its contents. The directory's name is not
    /// included.
    pub remove: &'static str,
}

/// The access of other users to a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewFileAccess {
    /// The umask or the directory determines which users may access the file.
    Public,
    /// Only the owner may access the file, regardless of the umask and the directory. The writer
    /// also synchronises the directory that contains the file.
    Private,
}

/// The identity of a file. On Unix, it consists of the device number and the inode number, even for
/// a pipe or a device. On Windows, it consists of the volume number and the file index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileIdentity(u64, u64);

/// The identity of a file, its length in bytes, and two time stamps. The first time stamp is the
/// time of the last write. On Unix, the second time stamp is the time of the last metadata change.
/// On Windows, the second time stamp is the file's creation time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileState(FileIdentity, u64, FileTime, FileTime);

/// The length of a file in bytes, and the time of the last write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp(u64, FileTime);

/// A file's time stamp, as two numbers. On Unix, the numbers are seconds and nanoseconds. On
/// Windows, the first number is in units of 100 ns, and the second number is 0.
type FileTime = (i64, i64);

/// The reason why a file below a directory cannot be opened.
#[derive(Debug)]
pub enum TreeOpenError {
    /// A link leaves the directory.
    Outside,
    /// The name leads to a file that is not a regular file. The value describes the file.
    NotRegular(&'static str),
    /// The system returned an error.
    Failed(io::Error),
}

impl From<io::Error> for TreeOpenError {
    fn from(e: io::Error) -> Self {
        Self::Failed(e)
    }
}

/// Fills `out` with random bytes from the crate `getrandom`.
fn random_of_crate(out: &mut [u8]) -> io::Result<()> {
    match getrandom::fill(out) {
        Ok(()) => Ok(()),
        Err(e) => match e.raw_os_error() {
            Some(code) => Err(io::Error::from_raw_os_error(code)),
            None => Err(io::Error::other(e)),
        },
    }
}
