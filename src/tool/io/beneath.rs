//! Files below the current directory: what a manifest names is opened by [`open`] alone.
//!
//! A link that stays below the current directory is followed, because a release directory may have `latest -> v2` in
//! it. A link that leads out is an error, so that a list never vouches for a file that its directory does not hold.
//! Only regular files are read, and what was opened is what is looked at and read.

use crate::tool::report::Error;
use crate::tool::report::escape::shown;
use crate::tool::system::{Info, NotOpened, open_beneath};
use std::fs::File;
use std::io;
use std::path::Path;

/// Opens a regular file below the current directory.
///
/// # Errors
/// The file is not there, cannot be read, is no regular file, or a link leads out.
pub fn open(path: &Path) -> Result<(File, Info), Error> {
    let from = || shown(path);
    let file = open_beneath(path).map_err(|e| match e {
        NotOpened::Outside => Error::LinkOutside { from: from() },
        NotOpened::NotRegular(what) => Error::NotRegular { from: from(), what },
        NotOpened::Failed(e) => Error::io(from(), e),
    })?;
    let info = Info::of(&file).map_err(|e| Error::io(from(), e))?;
    if info.is_file() {
        Ok((file, info))
    } else if info.is_dir() {
        Err(Error::io(from(), io::ErrorKind::IsADirectory))
    } else {
        Err(Error::NotRegular { from: from(), what: info.special_words() })
    }
}
