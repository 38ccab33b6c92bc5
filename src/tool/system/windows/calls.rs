//! Windows calls that are missing in the standard library and in winapi-util. In this crate, only
//! this file and `simd` contain unsafe code. Each function in this file is safe, performs a single
//! task, and returns an error if its system call fails.

use std::ffi::{OsString, c_void};
use std::fs::File;
use std::io;
use std::mem::size_of;
use std::os::windows::ffi::{OsStrExt, OsStringExt};
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle, RawHandle};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use windows_sys::Win32::Foundation::{GENERIC_WRITE, INVALID_HANDLE_VALUE};
use windows_sys::Win32::Security::{
    ACCESS_ALLOWED_ACE, ACL_REVISION, CONTAINER_INHERIT_ACE, GetLengthSid, GetTokenInformation, OBJECT_INHERIT_ACE,
    SE_DACL_PRESENT, SE_DACL_PROTECTED, SE_SELF_RELATIVE, SECURITY_ATTRIBUTES, TOKEN_QUERY, TOKEN_USER, TokenUser,
};
use windows_sys::Win32::Storage::FileSystem::{
    CREATE_NEW, CreateDirectoryW, CreateFileW, DELETE, FILE_ALL_ACCESS, FILE_ATTRIBUTE_NORMAL, FILE_DISPOSITION_INFO,
    FILE_SHARE_DELETE, FILE_SHARE_READ, FILE_SHARE_WRITE, FileDispositionInfo, GetFinalPathNameByHandleW,
    MOVEFILE_WRITE_THROUGH, MoveFileExW, SetFileInformationByHandle,
};
use windows_sys::Win32::System::Console::{ReadConsoleW, SetConsoleCtrlHandler};
use windows_sys::Win32::System::Diagnostics::Debug::{SEM_FAILCRITICALERRORS, SEM_NOGPFAULTERRORBOX, SetErrorMode};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};

/// Converts the result of a system call that returns 0 if it fails.
fn checked(answer: i32) -> io::Result<()> {
    if answer == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Converts a path to UTF-16 with a 0 at the end, as system calls require.
///
/// # Errors
/// Fails if the path contains a NUL, because a call would read it as the end of the path.
fn wide(path: &Path) -> io::Result<Vec<u16>> {
    let mut units: Vec<u16> = path.as_os_str().encode_wide().collect();
    if units.contains(&0) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    units.push(0);
    Ok(units)
}

/// Creates a file, with a security descriptor that gives access only to the owner. The name must
/// not exist yet.
pub fn create_private_file(path: &Path) -> io::Result<File> {
    let path = wide(path)?;
    with_descriptor(0, |attributes| {
        // SAFETY: the path ends with 0. The attributes, and the data to which they point, live
        // during the call.
        let handle = unsafe {
            CreateFileW(
                path.as_ptr(),
                GENERIC_WRITE | DELETE,
                FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                attributes,
                CREATE_NEW,
                FILE_ATTRIBUTE_NORMAL,
                std::ptr::null_mut(),
            )
        };
        if handle == INVALID_HANDLE_VALUE {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the call has just opened the handle, and no other code owns it.
        Ok(unsafe { File::from_raw_handle(handle) })
    })
}

/// Creates a directory that only the owner can access. Files in the directory inherit this
/// restriction.
pub fn create_private_directory(path: &Path) -> io::Result<()> {
    let path = wide(path)?;
    with_descriptor(OBJECT_INHERIT_ACE | CONTAINER_INHERIT_ACE, |attributes| {
        // SAFETY: the path ends with 0. The attributes, and the data to which they point, live
        // during the call.
        checked(unsafe { CreateDirectoryW(path.as_ptr(), attributes) })
    })
}

/// Calls `create` with security attributes that give all rights to the user of this process, and no
/// rights to other users. `inherited` contains the flags for inheritance.
fn with_descriptor<R>(
    inherited: u32,
    create: impl FnOnce(*const SECURITY_ATTRIBUTES) -> io::Result<R>,
) -> io::Result<R> {
    static USER: OnceLock<Vec<u8>> = OnceLock::new();
    let user = match USER.get() {
        Some(user) => user,
        None => {
            let user = user()?;
            USER.get_or_init(|| user)
        }
    };
    let mut descriptor = descriptor(user, inherited);
    let attributes = SECURITY_ATTRIBUTES {
        nLength: size_of::<SECURITY_ATTRIBUTES>() as u32,
        lpSecurityDescriptor: descriptor.as_mut_ptr().cast(),
        bInheritHandle: 0,
    };
    create(&attributes)
}

/// Returns a self-relative security descriptor, which consists of a header, the owner, and a
/// protected access list. The only entry of this list gives all rights to the owner. The result is
/// a vector of 4-byte words, because a descriptor must be aligned to 4 bytes. The length of
/// `owner`, which is a security identifier, must be a multiple of 4 bytes.
fn descriptor(owner: &[u8], inherited: u32) -> Vec<u32> {
    const HEAD: u32 = 20;
    const LIST_HEAD: u32 = 8;
    // The size of an entry already includes the first word of the security identifier.
    let entry = size_of::<ACCESS_ALLOWED_ACE>() as u32 - 4 + owner.len() as u32;
    let control = u32::from(SE_SELF_RELATIVE | SE_DACL_PRESENT | SE_DACL_PROTECTED);
    let owner: Vec<u32> =
        owner.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    let list = HEAD + 4 * owner.len() as u32;
    // Revision 1, and the offsets of the owner, the group, the audit list and the access list.
    // There is no group and no audit list.
    let mut words = vec![1 | control << 16, HEAD, 0, 0, list];
    words.extend_from_slice(&owner);
    words.extend([ACL_REVISION | (LIST_HEAD + entry) << 16, 1, inherited << 8 | entry << 16, FILE_ALL_ACCESS]);
    words.extend_from_slice(&owner);
    words
}

/// Returns the security identifier of the user of this process.
fn user() -> io::Result<Vec<u8>> {
    let mut handle: RawHandle = std::ptr::null_mut();
    // SAFETY: the pseudo handle of this process need not be closed, and the call writes one handle.
    checked(unsafe { OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &mut handle) })?;
    // SAFETY: the call has just opened the handle, and no other code owns it.
    let token = unsafe { OwnedHandle::from_raw_handle(handle) };
    // The buffer is aligned for the struct. A security identifier has at most 68 bytes.
    let mut buffer = [0_u64; 32];
    let mut len = 0;
    // SAFETY: the buffer has the given length in bytes, and the call writes no more bytes.
    checked(unsafe {
        GetTokenInformation(
            token.as_raw_handle(),
            TokenUser,
            buffer.as_mut_ptr().cast(),
            size_of_val(&buffer) as u32,
            &mut len,
        )
    })?;
    // SAFETY: the buffer is aligned for a `TOKEN_USER`, and the call has written this struct to its
    // start. The struct points to an identifier, which the call has written after the struct.
    unsafe {
        let identifier = (*buffer.as_ptr().cast::<TOKEN_USER>()).User.Sid;
        Ok(std::slice::from_raw_parts(identifier.cast::<u8>(), GetLengthSid(identifier) as usize).to_vec())
    }
}

/// Sets whether the system removes a file when it is closed.
pub fn remove_when_closed(file: &File, remove: bool) -> io::Result<()> {
    let information = FILE_DISPOSITION_INFO { DeleteFile: remove };
    // SAFETY: the handle is open. `FileDispositionInfo` requires this struct, which is passed with
    // its length.
    checked(unsafe {
        SetFileInformationByHandle(
            file.as_raw_handle(),
            FileDispositionInfo,
            (&raw const information).cast::<c_void>(),
            size_of::<FILE_DISPOSITION_INFO>() as u32,
        )
    })
}

/// Renames a file without replacing an existing file, and waits until the change is on the disk.
pub fn move_without_replacing(from: &Path, to: &Path) -> io::Result<()> {
    let (from, to) = (wide(from)?, wide(to)?);
    // SAFETY: both paths end with 0 and live during the call.
    checked(unsafe { MoveFileExW(from.as_ptr(), to.as_ptr(), MOVEFILE_WRITE_THROUGH) })
}

/// Returns the path of an open file, with all links resolved.
pub fn place_of(file: &File) -> io::Result<PathBuf> {
    let mut units = vec![0_u16; 512];
    loop {
        let room = units.len() as u32;
        // SAFETY: the handle is open, and the buffer has the given length in units.
        let len = unsafe { GetFinalPathNameByHandleW(file.as_raw_handle(), units.as_mut_ptr(), room, 0) };
        match len {
            0 => return Err(io::Error::last_os_error()),
            len if len < room => {
                units.truncate(len as usize);
                return Ok(PathBuf::from(OsString::from_wide(&units)));
            }
            // The buffer is too short, and `len` is the required length including the final 0.
            len => units.resize(len as usize + 1, 0),
        }
    }
}

/// Reads UTF-16 from a console. Returns the number of units, or 0 if Ctrl-C has ended the line.
pub fn read_console(console: &File, units: &mut [u16]) -> io::Result<usize> {
    let mut len = 0;
    // SAFETY: the handle is open, and the buffer has the given length in units.
    checked(unsafe {
        ReadConsoleW(console.as_raw_handle(), units.as_mut_ptr().cast(), units.len() as u32, &mut len, std::ptr::null())
    })?;
    Ok(len as usize)
}

/// A function that is called before Ctrl-C or a similar event ends the process.
pub type CtrlHandler = fn();

static ON_CTRL: OnceLock<CtrlHandler> = OnceLock::new();

/// Sets the function that is called in a separate thread before Ctrl-C or a similar event ends the
/// process. Only the first call sets the function.
pub fn handle_ctrl(handler: CtrlHandler) -> io::Result<()> {
    unsafe extern "system" fn on_ctrl(_: u32) -> i32 {
        if let Some(handler) = ON_CTRL.get() {
            handler();
        }
        // With the result 0, Windows calls the default handler, which ends the process.
        0
    }
    ON_CTRL.get_or_init(|| handler);
    // SAFETY: the function lives as long as the program and may run in any thread.
    checked(unsafe { SetConsoleCtrlHandler(Some(on_ctrl), 1) })
}

/// Disables crash reports for this process, because they contain its memory.
pub fn no_crash_reports() {
    // SAFETY: the call only changes the error mode of this process, which is a number.
    unsafe { SetErrorMode(SEM_NOGPFAULTERRORBOX | SEM_FAILCRITICALERRORS) };
}
