//! What the operating system is asked for: one function for each thing, with one signature everywhere. Nothing else in
//! the program names a system; `tests/house.rs` counts.
//!
//! - `unix`: Linux, the BSDs and macOS
//! - `windows`: Windows
//! - `line`: reads a line and nothing after it
//!
//! | what | Unix | Windows |
//! |---|---|---|
//! | [`Info`]: what a file is, and which | `fstat`, device and inode | attributes, volume and file index |
//! | [`Directory`]: where a new file gets its name | an open directory, names in it | an open directory that nobody can rename meanwhile, paths |
//! | [`Base`], [`open_beneath`]: a file that no link leads out of a directory to | `openat2`, or component by component | opened, then asked for its place |
//! | [`Hold`], [`obey`]: signals that wait | handlers of INT, TERM, HUP | the console's control handler |
//! | [`ask`]: a line that is not shown | termios | console mode |
//! | [`protect`], [`protect_again`]: a process that holds a key | limits, `mlockall` | no crash report |
//! | [`fill_random`] | `getrandom`, bounded | crate `getrandom` |
//! | [`name_of`], [`listed`], [`canonical`]: bytes and names | the bytes themselves | UTF-8, `/` and `\` |
//! | [`WORDS`]: hints | a shell | PowerShell |
//! | [`was_open`], [`standard_input`], [`write_past_the_buffer`]: standard streams | descriptors | handles |
//! | [`descriptor`]: paths that lead to an open descriptor | `/dev/fd`, `/proc/self/fd` and links | no such paths |
//! | [`processor_time`]: the time that the process has used on processors | `clock_gettime` | not counted |
//!
//! Errors are those of `std::io`, whose kinds mean the same everywhere. What Windows cannot promise is told in
//! `docs/windows.md`.

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

/// Returns the reason that other systems cannot have a name of a list, in its canonical spelling; `None` if they can.
pub fn unportable(name: &[u8]) -> Option<String> {
    match names_of_windows::canonical(name) {
        Ok(_) if name.contains(&b'\\') => Some("the name contains `\\`, which Windows reads as `/`".to_owned()),
        Ok(_) => None,
        Err(flaw) => Some(flaw.to_string()),
    }
}

/// Returns the places of the first two names that differ in capital and small letters only.
pub fn colliding<N: AsRef<[u8]>>(names: &[N]) -> Option<(usize, usize)> {
    let second = names_of_windows::duplicate(names)?;
    for (first, name) in names[..second].iter().enumerate() {
        if names_of_windows::duplicate(&[name, &names[second]]).is_some() {
            return Some((first, second));
        }
    }
    None
}

/// Hints that name what a user of this system types.
pub struct Words {
    /// The variable that should have the text of a key is not set.
    pub key_variable: &'static str,
    /// The variable that should have a password is not set.
    pub password_variable: &'static str,
    /// The system denies access to a file.
    pub access: &'static str,
    /// A directory is missing.
    pub make_directory: &'static str,
    /// This process gets too little memory.
    pub more_memory: &'static str,
    /// The command before the name of a directory that it removes with all that is in it.
    pub remove: &'static str,
}

/// Who may read a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everybody whom the umask lets, or the directory.
    Public,
    /// The owner alone, whatever the umask or the directory says; the directory is synchronised.
    Private,
}

/// The identity of a file, pipe or device: device and inode, or volume and index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity(u64, u64);

/// Identity, length in bytes, and the times of the last write and of the last change of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileState(Identity, u64, Time, Time);

/// Length in bytes of a file, and the time of the last write to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp(u64, Time);

/// A time of a file, in units of the system.
type Time = (i64, i64);

/// Why a file below a directory was not opened.
#[derive(Debug)]
pub enum NotOpened {
    /// A link leads out of the directory.
    Outside,
    /// The name leads to something else than a regular file, in words.
    NotRegular(&'static str),
    /// The system says why.
    Failed(io::Error),
}

/// Fills all of `out` by crate `getrandom`.
fn random_of_crate(out: &mut [u8]) -> io::Result<()> {
    let error =
        |e: getrandom::Error| e.raw_os_error().map_or_else(|| io::Error::other(e), io::Error::from_raw_os_error);
    getrandom::fill(out).map_err(error)
}
