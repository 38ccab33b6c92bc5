//! Opens files below a directory, and rejects links that leave the directory. The final path is
//! checked after the file was opened, so an attacker cannot replace a directory with a link after
//! the check.

use super::super::TreeOpenError;
use super::calls::place_of;
use super::info::FileInfo;
use super::streams::open_input;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The directory below which files are opened.
pub struct BaseDirectory(PathBuf);

impl BaseDirectory {
    /// Creates a base for the current directory.
    pub fn current() -> Self {
        Self(PathBuf::from("."))
    }

    /// Creates a base for a directory. The path can be a link to the directory.
    ///
    /// # Errors
    /// Fails if the directory is missing, or if the user may not enter it.
    pub fn at(path: &Path) -> io::Result<Self> {
        if FileInfo::at(path)?.is_dir() { Ok(Self(path.to_owned())) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }
}

/// Opens a regular file or a directory below the base directory.
///
/// # Errors
/// Fails if the file is missing or cannot be read, or if a link leaves the directory.
pub fn open_beneath(base: &BaseDirectory, path: &Path) -> Result<File, TreeOpenError> {
    let here = place_of(&open_input(&base.0)?)?;
    let file = open_input(&base.0.join(path))?;
    let info = FileInfo::of(&file)?;
    if info.is_special() {
        return Err(TreeOpenError::NotRegular(info.special_words()));
    }
    let place = place_of(&file)?;
    if place.starts_with(here) { Ok(file) } else { Err(TreeOpenError::Outside) }
}
