//! Files below a directory, which no link leads out of: a file is opened first and asked then where it is, so
//! that nobody can exchange a directory for a link in between.

use super::super::NotOpened;
use super::calls::place_of;
use super::info::Info;
use super::streams::open_input;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The directory below which files are opened.
pub struct Base(PathBuf);

impl Base {
    /// Takes the current directory.
    pub fn current() -> Self {
        Self(PathBuf::from("."))
    }

    /// Takes a directory. A link to one is followed.
    ///
    /// # Errors
    /// There is no such directory, or it may not be entered.
    pub fn at(path: &Path) -> io::Result<Self> {
        if Info::at(path)?.is_dir() { Ok(Self(path.to_owned())) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }
}

/// Opens a file below a directory; it may be of any sort.
///
/// # Errors
/// The file is not there, cannot be read, or a link leads out.
pub fn open_beneath(base: &Base, path: &Path) -> Result<File, NotOpened> {
    let here = open_input(&base.0).and_then(|here| place_of(&here)).map_err(NotOpened::Failed)?;
    let file = open_input(&base.0.join(path)).map_err(NotOpened::Failed)?;
    let info = Info::of(&file).map_err(NotOpened::Failed)?;
    if info.is_special() {
        return Err(NotOpened::NotRegular(info.special_words()));
    }
    let place = place_of(&file).map_err(NotOpened::Failed)?;
    if place.starts_with(here) { Ok(file) } else { Err(NotOpened::Outside) }
}
