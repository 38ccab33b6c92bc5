//! Files below the current directory, which no link leads out of: a file is opened first and asked then where it is, so
//! that nobody can exchange a directory for a link in between.

use super::super::NotOpened;
use super::calls::place_of;
use super::info::Info;
use super::streams::open_input;
use std::fs::File;
use std::path::Path;

/// Opens a file below the current directory; it may be of any sort.
///
/// # Errors
/// The file is not there, cannot be read, or a link leads out.
pub fn open_beneath(path: &Path) -> Result<File, NotOpened> {
    let here = open_input(Path::new(".")).and_then(|here| place_of(&here)).map_err(NotOpened::Failed)?;
    let file = open_input(path).map_err(NotOpened::Failed)?;
    let info = Info::of(&file).map_err(NotOpened::Failed)?;
    if info.is_special() {
        return Err(NotOpened::NotRegular(info.special_words()));
    }
    let place = place_of(&file).map_err(NotOpened::Failed)?;
    if place.starts_with(here) { Ok(file) } else { Err(NotOpened::Outside) }
}
