//! Opens files below a directory, and rejects links that leave the directory. A file is opened
//! first, and then its final path is checked, so an attacker cannot replace a directory with a link
//! in between.

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
    /// Returns a base for the current directory.
    pub fn current() -> Self {
        Self(PathBuf::from("."))
    }

    /// Checks a directory, or the directory that a link leads to.
    ///
    /// # Errors
    /// The directory is missing, or you may not enter it.
    pub fn at(path: &Path) -> io::Result<Self> {
        if Info::at(path)?.is_dir() { Ok(Self(path.to_owned())) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }
}

/// Opens a file of any kind below a directory.
///
/// # Errors
/// The file is missing or cannot be read, or a link leaves the directory.
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
