//! System calls for Linux, the BSDs and macOS, through the crates rustix and signal-hook.
//!
//! - `info`: metadata of a file
//! - `directory`: the directory in which a new file gets its name
//! - `beneath`: opens a file in a directory, and rejects links that leave the directory
//! - `streams`: standard input, standard output and standard error
//! - `signals`: delays signals while a file is written
//! - `terminal`: asks a question without echo
//! - `secrecy`: disables core files, debuggers and swapping, on Linux
//! - `limits`: disables core files, on all systems except Linux
//! - `random`: random bytes, with a limit for interrupted calls

mod beneath;
mod directory;
mod info;
#[cfg(not(target_os = "linux"))]
mod limits;
mod random;
#[cfg(target_os = "linux")]
mod secrecy;
mod signals;
mod streams;
mod terminal;

pub use beneath::{BaseDirectory, open_beneath};
pub use directory::{Directory, FileLock, is_call_unavailable};
pub use fndsa::files::manifest::{canonical, duplicate, parse};
pub use info::FileInfo;
#[cfg(not(target_os = "linux"))]
pub use limits::{protect, protect_new_memory};
pub use random::fill_random;
#[cfg(target_os = "linux")]
pub use secrecy::{protect, protect_new_memory};
pub use signals::{SignalHold, end_if_signaled, prepare_signals};
pub use streams::{
    descriptor, is_closed, open_descriptor, open_in_place, open_input, open_without_waiting, standard_error,
    standard_input, standard_output, was_open, write_past_the_buffer,
};
pub use terminal::{TERMINAL, ask};

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Hints with shell commands.
pub const SYSTEM_HINTS: super::SystemHints = super::SystemHints {
    key_variable: "set the variable to the text of the key file, and export it",
    password_variable: "set the variable to the password, and export it",
    access: "ask the owner of the file for access, or run fndsa as a user who has access; `ls -ld` shows the owner and the permissions",
    make_directory: "make the directory first, with mkdir -p",
    more_memory: "raise the memory limit of the shell (`ulimit -v`) or of the container",
    decode_base64: "base64 -d FILE >NEW",
    decode_hex: "xxd -r -p FILE >NEW",
    remove: "rm -r",
};

/// Returns the processor time of this process, if the system measures it.
pub fn processor_time() -> Option<Duration> {
    rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime).try_into().ok()
}

/// Converts the bytes of a name to a system string. The name can contain any bytes.
pub fn name_of(bytes: &[u8]) -> Cow<'_, OsStr> {
    Cow::Borrowed(OsStr::from_bytes(bytes))
}

/// Returns the path for a name in a list of checksums. The memory of the path has no spare
/// capacity, because a list may contain a million names.
///
/// # Errors
/// This function never fails, because every name is valid on Unix.
pub fn listed(name: &[u8]) -> Result<PathBuf, &'static str> {
    Ok(PathBuf::from(OsString::from_vec(name.to_vec())))
}

/// Returns false. On Unix, the name alone does not show whether a path leads to a device.
pub fn names_device(_: &Path) -> bool {
    false
}

/// Accepts every name, because a new file on Unix can have any name.
///
/// # Errors
/// This function never fails.
pub fn check_name(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Ends the process immediately, without running any other code.
#[inline(always)]
pub fn end(code: i32) -> ! {
    signal_hook::low_level::exit(code)
}
