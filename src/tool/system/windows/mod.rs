//! System calls for Windows, through the standard library and winapi-util. The module `calls`
//! contains the calls that are missing in both, and all unsafe code.
//!
//! - `info`: metadata of a file
//! - `directory`: the directory in which a new file gets its name
//! - `beneath`: opens a file in a directory, and rejects links that leave the directory
//! - `streams`: standard input, standard output and standard error
//! - `signals`: delays Ctrl-C while a file is written
//! - `terminal`: asks a question without echo
//! - `secrecy`: disables the crash report
//! - `calls`: system calls that the two libraries do not offer, with all `unsafe` code
//!
//! `docs/windows.md` describes the differences from Unix.

mod beneath;
mod calls;
mod directory;
mod info;
mod secrecy;
mod signals;
mod streams;
mod terminal;

pub use beneath::{BaseDirectory, open_beneath};
pub use directory::{Directory, FileLock, is_call_unavailable};
pub use fndsa::files::windows::{canonical, duplicate, parse};
pub use info::FileInfo;
pub use secrecy::{protect, protect_new_memory};
pub use signals::{SignalHold, end_if_signaled, prepare_signals};
pub use streams::{
    descriptor, is_closed, open_descriptor, open_in_place, open_input, open_without_waiting, standard_error,
    standard_input, standard_output, was_open, write_past_the_buffer,
};
pub use terminal::{TERMINAL, ask};

use fndsa::files::windows::check_component;
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, Path, PathBuf, Prefix};
use std::time::Duration;

/// Hints with PowerShell commands.
pub const SYSTEM_HINTS: super::SystemHints = super::SystemHints {
    key_variable: "set the variable to the text of the key file: $env:NAME = Get-Content -Raw FILE",
    password_variable: "set the variable to the password: $env:NAME = Read-Host",
    access: "ask the owner of the file for access, or run fndsa as a user who has access; Properties, Security shows the permissions",
    make_directory: "make the directory first, with mkdir",
    more_memory: "close other programs, or raise the memory limit of the container",
    decode_base64: "certutil -decode FILE NEW",
    decode_hex: "certutil -decodehex FILE NEW",
    remove: "Remove-Item -Recurse",
};

/// Returns `None`, because the standard library does not measure the processor time of a process.
pub fn processor_time() -> Option<Duration> {
    None
}

/// Converts the bytes of a name to a system string. The name can contain any bytes. Bytes that are
/// not UTF-8 are replaced.
pub fn name_of(bytes: &[u8]) -> Cow<'_, OsStr> {
    match String::from_utf8_lossy(bytes) {
        Cow::Borrowed(text) => Cow::Borrowed(OsStr::new(text)),
        Cow::Owned(text) => Cow::Owned(OsString::from(text)),
    }
}

/// Returns the path for a name in a list of checksums. A CR at the end is removed, because Windows
/// tools end lines with CR LF.
///
/// # Errors
/// Fails if the name is empty or not UTF-8.
pub fn listed(name: &[u8]) -> Result<PathBuf, &'static str> {
    let Ok(text) = std::str::from_utf8(name) else { return Err("is not UTF-8") };
    match text.strip_suffix('\r').unwrap_or(text) {
        "" => Err("is empty"),
        text => Ok(PathBuf::from(text)),
    }
}

/// Returns whether a path names a device (`NUL`, or a path below `\\.\`), for which no file exists.
pub fn names_device(path: &Path) -> bool {
    let nul = path.as_os_str().eq_ignore_ascii_case("NUL");
    nul || matches!(path.components().next(), Some(Component::Prefix(it)) if matches!(it.kind(), Prefix::DeviceNS(_)))
}

/// Checks that a new file can have the name at the end of a path. For a name that is not allowed,
/// Windows would open a device, write to a stream of a different file, or remove the end of the
/// name.
///
/// # Errors
/// Fails if a file cannot have this name.
pub fn check_name(path: &Path) -> io::Result<()> {
    let Some(name) = path.file_name() else { return Ok(()) };
    if names_device(path) {
        return Ok(());
    }
    match check_component(&name.to_string_lossy()) {
        Ok(()) => Ok(()),
        Err(flaw) => Err(io::Error::new(io::ErrorKind::InvalidFilename, flaw)),
    }
}

/// Fills `out` with random bytes.
///
/// # Errors
/// Fails if the system cannot provide random bytes. The contents of `out` are then unspecified.
pub fn fill_random(out: &mut [u8]) -> io::Result<()> {
    super::random_of_crate(out)
}

/// Ends the process immediately.
#[inline(always)]
pub fn end(code: i32) -> ! {
    std::process::exit(code)
}
