//! Messages, reason codes and hints for failed system calls.

use crate::tool::system::{SYSTEM_HINTS, is_closed};
use std::io;

const MISSING_HINT: &str = "check the name and the directory";
const NOT_A_DIRECTORY_HINT: &str = "check the name: a file in the path is used as a directory";

/// Returns the reason code and the hint for a failed system call. The hint is empty if the message
/// is sufficient.
pub fn io_row(e: &io::Error) -> (&'static str, &'static str) {
    match e.kind() {
        io::ErrorKind::NotFound => ("not_found", MISSING_HINT),
        io::ErrorKind::PermissionDenied => ("permission_denied", SYSTEM_HINTS.access),
        io::ErrorKind::IsADirectory => ("is_a_directory", "give the name of a file, not of a directory"),
        io::ErrorKind::NotADirectory => ("not_a_directory", NOT_A_DIRECTORY_HINT),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            ("no_space", "no file was replaced: free some space, and try again")
        }
        io::ErrorKind::FileTooLarge => {
            ("file_too_large", "raise the limit of file sizes, or write to another file system")
        }
        io::ErrorKind::ReadOnlyFilesystem => ("read_only", "write to a directory of another file system"),
        _ if is_closed(e) => ("io_error", "the program that started fndsa closed this input or output"),
        _ => ("io_error", ""),
    }
}

/// Returns whether a closed pipe has caused the error.
pub fn is_broken_pipe(e: &io::Error) -> bool {
    e.kind() == io::ErrorKind::BrokenPipe
}

/// Returns the system's message for an error, in lower case and without the error number and the
/// full stop.
pub fn io_text(e: &io::Error) -> String {
    let text = e.to_string();
    let text = text.split(" (os error").next().unwrap_or_default().trim_end_matches('.');
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_lowercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that each system error has this reason code and this hint.
    fn assert_reasons_and_hints(rows: &[(i32, &str, &str)]) {
        for (number, reason, hint) in rows {
            let error = io::Error::from_raw_os_error(*number);
            assert_eq!(io_row(&error), (*reason, *hint), "{error}");
        }
    }

    const FREE_SPACE_HINT: &str = "no file was replaced: free some space, and try again";
    const CLOSED_HINT: &str = "the program that started fndsa closed this input or output";

    #[cfg(unix)]
    #[test]
    fn system_errors_have_their_reasons() {
        use rustix::io::Errno;
        let rows = [
            (Errno::NOENT, "not_found", MISSING_HINT),
            (Errno::ACCESS, "permission_denied", SYSTEM_HINTS.access),
            (Errno::PERM, "permission_denied", SYSTEM_HINTS.access),
            (Errno::ISDIR, "is_a_directory", "give the name of a file, not of a directory"),
            (Errno::NOTDIR, "not_a_directory", NOT_A_DIRECTORY_HINT),
            (Errno::NOSPC, "no_space", FREE_SPACE_HINT),
            (Errno::DQUOT, "no_space", FREE_SPACE_HINT),
            (Errno::FBIG, "file_too_large", "raise the limit of file sizes, or write to another file system"),
            (Errno::ROFS, "read_only", "write to a directory of another file system"),
            (Errno::IO, "io_error", ""),
            (Errno::BADF, "io_error", CLOSED_HINT),
        ];
        assert_reasons_and_hints(&rows.map(|(errno, reason, hint)| (errno.raw_os_error(), reason, hint)));
    }

    #[cfg(windows)]
    #[test]
    fn system_errors_have_their_reasons() {
        use windows_sys::Win32::Foundation as of;
        let rows = [
            (of::ERROR_FILE_NOT_FOUND, "not_found", MISSING_HINT),
            (of::ERROR_PATH_NOT_FOUND, "not_found", MISSING_HINT),
            (of::ERROR_ACCESS_DENIED, "permission_denied", SYSTEM_HINTS.access),
            (of::ERROR_DIRECTORY, "not_a_directory", NOT_A_DIRECTORY_HINT),
            (of::ERROR_DISK_FULL, "no_space", FREE_SPACE_HINT),
            (of::ERROR_WRITE_PROTECT, "read_only", "write to a directory of another file system"),
            (of::ERROR_CRC, "io_error", ""),
            (of::ERROR_INVALID_HANDLE, "io_error", CLOSED_HINT),
        ];
        assert_reasons_and_hints(&rows.map(|(number, reason, hint)| (number.cast_signed(), reason, hint)));
    }

    #[cfg(unix)]
    #[test]
    fn system_errors_have_the_form_of_messages() {
        assert_eq!(io_text(&io::Error::from_raw_os_error(2)), "no such file or directory");
        assert_eq!(io_text(&io::Error::from_raw_os_error(28)), "no space left on device");
    }
}
