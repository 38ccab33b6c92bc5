//! Opens files below a directory, and rejects paths that leave the directory through a link.
//!
//! On Linux, a single system call opens the file with this check (`openat2` with `RESOLVE_BENEATH`,
//! Linux 5.6). If this call is not available, and on systems other than Linux, [`walk`] opens the
//! path component by component, each relative to the previous directory. In `walk`, the system does
//! not follow links. Instead, [`walk`] reads each link and checks its target, so an attacker cannot
//! replace a directory with a link that leaves the base directory. A test checks that both methods
//! return equal results.
//!
//! Opening a file never waits. For example, `O_NONBLOCK` opens a FIFO without a writer immediately.

use super::super::TreeOpenError;
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, open, openat, readlinkat, statat};
use rustix::io::Errno;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The maximum number of links in a path. Linux has the same limit.
const MAX_LINKS: usize = 40;
const READ: OFlags = OFlags::RDONLY.union(OFlags::CLOEXEC).union(OFlags::NONBLOCK).union(OFlags::NOCTTY);

/// The flags to open a directory that is a component of a path.
#[cfg(any(target_os = "linux", target_os = "android"))]
// With `PATH`, the directory does not have to be readable.
const ENTER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const ENTER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// The directory below which files are opened. `None` is the current directory.
pub struct BaseDirectory(Option<OwnedFd>);

impl BaseDirectory {
    /// Creates a base for the current directory.
    pub const fn current() -> Self {
        Self(None)
    }

    /// Opens a directory. The path can be a link to the directory.
    ///
    /// # Errors
    /// Fails if the directory is missing, or if the user may not enter it.
    pub fn at(path: &Path) -> io::Result<Self> {
        Ok(Self(Some(open(path, ENTER, Mode::empty())?)))
    }

    fn descriptor(&self) -> BorrowedFd<'_> {
        match &self.0 {
            Some(directory) => directory.as_fd(),
            None => CWD,
        }
    }
}

/// Opens a file of any type in a directory or its subdirectories.
///
/// # Errors
/// Fails if the file is missing or cannot be read, if the file is a socket or a device without a
/// driver, or if a link leaves the directory.
pub fn open_beneath(base: &BaseDirectory, path: &Path) -> Result<File, TreeOpenError> {
    let root = base.descriptor();
    let opened = match at_once(root, path) {
        SystemOpenResult::Answered(answer) => answer,
        SystemOpenResult::Unavailable => walk(root, path),
    };
    match opened {
        Ok(file) => Ok(File::from(file)),
        // Only `openat2` and `walk` return this error here, for a path that leaves the directory.
        Err(Errno::XDEV) => Err(TreeOpenError::Outside),
        // The file is a socket or a device without a driver, which cannot be opened.
        Err(Errno::NXIO) => Err(TreeOpenError::NotRegular(unopened(root, path))),
        Err(e) => Err(TreeOpenError::Failed(e.into())),
    }
}

/// Returns the type of a file that could not be opened, for example "a socket". If another program
/// has replaced the file after the error, the returned type can be wrong, but `open_beneath` still
/// rejects the file.
fn unopened(root: BorrowedFd<'_>, path: &Path) -> &'static str {
    match statat(root, path, AtFlags::empty()) {
        Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Socket => "a socket",
        _ => "a device",
    }
}

/// The result of opening a file with `openat2`.
#[cfg_attr(not(any(target_os = "linux", target_os = "android")), expect(dead_code, reason = "never answered"))]
enum SystemOpenResult {
    /// The system call succeeded, or returned an error about the file.
    Answered(Result<OwnedFd, Errno>),
    /// The call is not available, or a system call filter forbids it.
    Unavailable,
}

/// Opens a file below `root` in a single system call, if this call is available.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn at_once(root: BorrowedFd<'_>, path: &Path) -> SystemOpenResult {
    match rustix::fs::openat2(root, path, READ, Mode::empty(), rustix::fs::ResolveFlags::BENEATH) {
        // The error `AGAIN` means that a file was renamed during the call. In this case, `walk`
        // opens the file.
        Err(Errno::NOSYS | Errno::PERM | Errno::INVAL | Errno::TOOBIG | Errno::AGAIN) => SystemOpenResult::Unavailable,
        answer => SystemOpenResult::Answered(answer),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn at_once(_: BorrowedFd<'_>, _: &Path) -> SystemOpenResult {
    SystemOpenResult::Unavailable
}

/// Opens a file below `root`, component by component.
///
/// # Errors
/// Returns `XDEV` if the path leaves `root`, and otherwise the error of the system.
fn walk(root: BorrowedFd<'_>, path: &Path) -> Result<OwnedFd, Errno> {
    let mut ahead = Vec::new();
    prepend(&mut ahead, path.as_os_str().as_bytes())?;
    let mut entered = Vec::<OwnedFd>::new();
    let mut links = 0;
    while let Some(part) = ahead.pop() {
        match &part[..] {
            b"" | b"." => continue,
            b".." => {
                if entered.pop().is_none() {
                    return Err(Errno::XDEV);
                }
                continue;
            }
            _ => {}
        }
        let here = match entered.last() {
            Some(directory) => directory.as_fd(),
            None => root,
        };
        let last = ahead.is_empty();
        let opened = openat(here, &part[..], OFlags::NOFOLLOW | if last { READ } else { ENTER }, Mode::empty());
        match opened {
            Ok(file) if last => return Ok(file),
            Ok(directory) => entered.push(directory),
            // Systems return different errors for a link that must not be followed.
            Err(e @ (Errno::LOOP | Errno::NOTDIR | Errno::MLINK)) => {
                let Ok(target) = readlinkat(here, &part[..], Vec::new()) else { return Err(e) };
                links += 1;
                if links > MAX_LINKS {
                    return Err(Errno::LOOP);
                }
                prepend(&mut ahead, target.as_bytes())?;
            }
            Err(e) => return Err(e),
        }
    }
    // The last component is `.`, `..` or empty, so the path leads to a directory.
    Err(Errno::ISDIR)
}

/// Adds the components of a path before the components in `ahead`. The vector `ahead` is in reverse
/// order.
///
/// # Errors
/// Returns `XDEV` if the path is absolute.
fn prepend(ahead: &mut Vec<Vec<u8>>, path: &[u8]) -> Result<(), Errno> {
    if path.starts_with(b"/") {
        return Err(Errno::XDEV);
    }
    for component in path.split(|b| *b == b'/').rev() {
        ahead.push(component.to_vec());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{FileType, fstat, mknodat, open};
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    /// Returns the inode of the opened file.
    fn told(opened: Result<OwnedFd, Errno>) -> Result<u64, Errno> {
        opened.map(|file| fstat(file).unwrap().st_ino)
    }

    #[test]
    fn both_ways_to_open_a_file_agree() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("root");
        fs::create_dir_all(root.join("d/e")).unwrap();
        fs::write(place.path().join("outside"), "o").unwrap();
        for file in ["f", "d/f", "d/e/f"] {
            fs::write(root.join(file), file).unwrap();
        }
        for (link, target) in [
            ("to-file", "d/f"),
            ("to-link", "./to-file"),
            ("to-directory", "d//e/"),
            ("d/e/around", "../../d/../f"),
            ("d/up", ".."),
            ("out", "../outside"),
            ("d/out", "../../outside"),
            ("d/out-and-in", "../../root/f"),
            ("absolute", root.join("f").to_str().unwrap()),
            ("loop", "loop"),
            ("dangling", "nosuch"),
            ("file-as-directory", "f/"),
            ("here", "."),
        ] {
            symlink(target, root.join(link)).unwrap();
        }
        for i in 0..41 {
            symlink(if i == 0 { "f".to_owned() } else { format!("link-{}", i - 1) }, root.join(format!("link-{i}")))
                .unwrap();
        }
        mknodat(CWD, root.join("fifo"), FileType::Fifo, Mode::RWXU, 0).unwrap();
        let _listener = UnixListener::bind(root.join("socket")).unwrap();
        let top = open(&root, OFlags::PATH | OFlags::DIRECTORY, Mode::empty()).unwrap();
        let inode = |name: &str| Ok(fs::metadata(root.join(name)).unwrap().st_ino());
        use std::os::linux::fs::MetadataExt;
        for (name, expected) in [
            ("f", inode("f")),
            (".//d/./f", inode("d/f")),
            ("to-file", inode("d/f")),
            ("to-link", inode("d/f")),
            ("to-directory/f", inode("d/e/f")),
            ("to-directory/around", inode("f")),
            ("d/up/d/up/f", inode("f")),
            ("link-39", inode("f")),
            ("fifo", inode("fifo")),
            ("link-40", Err(Errno::LOOP)),
            ("loop", Err(Errno::LOOP)),
            ("out", Err(Errno::XDEV)),
            ("d/out", Err(Errno::XDEV)),
            ("d/out-and-in", Err(Errno::XDEV)),
            ("absolute", Err(Errno::XDEV)),
            ("d/up/../f", Err(Errno::XDEV)),
            ("../root/f", Err(Errno::XDEV)),
            ("/", Err(Errno::XDEV)),
            ("nosuch", Err(Errno::NOENT)),
            ("dangling", Err(Errno::NOENT)),
            ("f/f", Err(Errno::NOTDIR)),
            ("file-as-directory", Err(Errno::NOTDIR)),
            ("socket", Err(Errno::NXIO)),
        ] {
            assert_eq!(told(walk(top.as_fd(), Path::new(name))), expected, "{name}");
            match at_once(top.as_fd(), Path::new(name)) {
                SystemOpenResult::Answered(opened) => assert_eq!(told(opened), expected, "{name}, at once"),
                SystemOpenResult::Unavailable => println!("skip: openat2, this system does not have it"),
            }
        }
        // For a directory, the walk may return either a descriptor or an error, because
        // `tool::io::beneath` rejects both.
        for name in ["d", "here", "to-directory", "d/e/"] {
            let ended = told(walk(top.as_fd(), Path::new(name)));
            assert!(ended == inode(name) || ended == Err(Errno::ISDIR), "{name}: {ended:?}");
        }
    }
}
