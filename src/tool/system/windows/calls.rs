//! Calls of Windows that the standard library and winapi-util do not have: the one place of the program, beside
//! `simd`, with unsafe code. Each function here is safe, checks what the call returns, and does one thing.

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

/// Translates the answer of a call that is 0 where it failed.
fn checked(answer: i32) -> io::Result<()> {
    if answer == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Returns a path as the calls take it: UTF-16, ended by 0.
///
/// # Errors
/// The path has a NUL, where the call would see its end.
fn wide(path: &Path) -> io::Result<Vec<u16>> {
    let mut units: Vec<u16> = path.as_os_str().encode_wide().collect();
    if units.contains(&0) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    units.push(0);
    Ok(units)
}

/// Creates a file that nothing has the name of, with a descriptor from the first byte that lets its owner in alone.
pub fn create_private_file(path: &Path) -> io::Result<File> {
    let path = wide(path)?;
    with_descriptor(0, |attributes| {
        // SAFETY: the path ends with 0, the attributes and what they point to live during the call.
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
        // SAFETY: the call has just opened it, and nobody else has it.
        Ok(unsafe { File::from_raw_handle(handle) })
    })
}

/// Creates a directory that lets its owner in alone, as well as into what is made in it.
pub fn create_private_directory(path: &Path) -> io::Result<()> {
    let path = wide(path)?;
    with_descriptor(OBJECT_INHERIT_ACE | CONTAINER_INHERIT_ACE, |attributes| {
        // SAFETY: the path ends with 0, the attributes and what they point to live during the call.
        checked(unsafe { CreateDirectoryW(path.as_ptr(), attributes) })
    })
}

/// Calls `create` with security attributes that give the user of this process all rights, and nobody else any.
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

/// Returns a security descriptor in its form of one piece, in words of 4 bytes, for which it needs to be aligned: head,
/// owner, and a protected list of one entry that allows the owner everything. Range: `owner` is a security identifier,
/// whose length is a multiple of 4 bytes.
fn descriptor(owner: &[u8], inherited: u32) -> Vec<u32> {
    const HEAD: u32 = 20;
    const LIST_HEAD: u32 = 8;
    // An entry has the first word of the identifier already.
    let entry = size_of::<ACCESS_ALLOWED_ACE>() as u32 - 4 + owner.len() as u32;
    let control = u32::from(SE_SELF_RELATIVE | SE_DACL_PRESENT | SE_DACL_PROTECTED);
    let owner: Vec<u32> =
        owner.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    let list = HEAD + 4 * owner.len() as u32;
    // Revision 1; places of owner, group, list of audits and list of rights; no group and no audits.
    let mut words = vec![1 | control << 16, HEAD, 0, 0, list];
    words.extend_from_slice(&owner);
    words.extend([ACL_REVISION | (LIST_HEAD + entry) << 16, 1, inherited << 8 | entry << 16, FILE_ALL_ACCESS]);
    words.extend_from_slice(&owner);
    words
}

/// Returns the security identifier of the user whom this process runs for.
fn user() -> io::Result<Vec<u8>> {
    let mut handle: RawHandle = std::ptr::null_mut();
    // SAFETY: the pseudo handle of this process needs no closing, and the call writes one handle.
    checked(unsafe { OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &mut handle) })?;
    // SAFETY: the call has just opened it, and nobody else has it.
    let token = unsafe { OwnedHandle::from_raw_handle(handle) };
    // Aligned for the struct. An identifier has 68 bytes at most.
    let mut buffer = [0_u64; 32];
    let mut len = 0;
    // SAFETY: the buffer has the length that is given, in bytes, and the call writes no more.
    checked(unsafe {
        GetTokenInformation(
            token.as_raw_handle(),
            TokenUser,
            buffer.as_mut_ptr().cast(),
            size_of_val(&buffer) as u32,
            &mut len,
        )
    })?;
    // SAFETY: the call has written a `TOKEN_USER` at the beginning of the buffer, which is aligned for it, and the
    // identifier that it points to behind it.
    unsafe {
        let identifier = (*buffer.as_ptr().cast::<TOKEN_USER>()).User.Sid;
        Ok(std::slice::from_raw_parts(identifier.cast::<u8>(), GetLengthSid(identifier) as usize).to_vec())
    }
}

/// Has the system remove a file when it is closed, or keep it.
pub fn remove_when_closed(file: &File, remove: bool) -> io::Result<()> {
    let information = FILE_DISPOSITION_INFO { DeleteFile: remove };
    // SAFETY: the handle is open, and the struct is the one that the class wants, with its length.
    checked(unsafe {
        SetFileInformationByHandle(
            file.as_raw_handle(),
            FileDispositionInfo,
            (&raw const information).cast::<c_void>(),
            size_of::<FILE_DISPOSITION_INFO>() as u32,
        )
    })
}

/// Renames a file to a name that nothing may have, and waits for the disk.
pub fn move_without_replacing(from: &Path, to: &Path) -> io::Result<()> {
    let (from, to) = (wide(from)?, wide(to)?);
    // SAFETY: both paths end with 0 and live during the call.
    checked(unsafe { MoveFileExW(from.as_ptr(), to.as_ptr(), MOVEFILE_WRITE_THROUGH) })
}

/// Returns where an open file is, without links on the way.
pub fn place_of(file: &File) -> io::Result<PathBuf> {
    let mut units = vec![0_u16; 512];
    loop {
        let room = units.len() as u32;
        // SAFETY: the handle is open, and the buffer has the length that is given, in units.
        let len = unsafe { GetFinalPathNameByHandleW(file.as_raw_handle(), units.as_mut_ptr(), room, 0) };
        match len {
            0 => return Err(io::Error::last_os_error()),
            len if len < room => {
                units.truncate(len as usize);
                return Ok(PathBuf::from(OsString::from_wide(&units)));
            }
            // What is missing, with the end.
            len => units.resize(len as usize + 1, 0),
        }
    }
}

/// Reads from a console as UTF-16. Returns the number of units; 0 where Ctrl-C has ended the line.
pub fn read_console(console: &File, units: &mut [u16]) -> io::Result<usize> {
    let mut len = 0;
    // SAFETY: the handle is open, and the buffer has the length that is given, in units.
    checked(unsafe {
        ReadConsoleW(console.as_raw_handle(), units.as_mut_ptr().cast(), units.len() as u32, &mut len, std::ptr::null())
    })?;
    Ok(len as usize)
}

/// What runs before the process ends by Ctrl-C or something like it.
pub type CtrlHandler = fn();

static ON_CTRL: OnceLock<CtrlHandler> = OnceLock::new();

/// Sets what runs, in a thread of its own, before Ctrl-C and what else ends a console process ends this one.
pub fn handle_ctrl(handler: CtrlHandler) -> io::Result<()> {
    unsafe extern "system" fn on_ctrl(_: u32) -> i32 {
        if let Some(handler) = ON_CTRL.get() {
            handler();
        }
        // The next handler is the default, which ends the process.
        0
    }
    ON_CTRL.get_or_init(|| handler);
    // SAFETY: the function lives as long as the program and may run in any thread.
    checked(unsafe { SetConsoleCtrlHandler(Some(on_ctrl), 1) })
}

/// Has the system write no crash report of this process, which would hold its memory.
pub fn no_crash_reports() {
    // SAFETY: the call changes a number of this process.
    unsafe { SetErrorMode(SEM_NOGPFAULTERRORBOX | SEM_FAILCRITICALERRORS) };
}
