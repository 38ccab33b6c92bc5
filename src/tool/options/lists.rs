//! Options for commands that process many files: a file with file names, and the number of threads.

use super::heading;
use super::jobs::{JobCount, jobs_parser};
use crate::tool::io::{FileInput, Input, InputSource};
use crate::tool::report::progress::ProgressDisplay;
use crate::tool::report::{Error, keytext};
use crate::tool::system::{listed, name_of};
use std::path::PathBuf;

/// The maximum length of a name in bytes. Unix cannot open a path of this length.
const MAX_NAME: usize = 64 << 10;
/// The maximum number of names. A longer list is probably an endless stream, so it is an error.
const MAX_NAMES: usize = 1 << 22;

/// The options of `sign` and `verify` for lists of file names.
#[derive(clap::Args, Debug)]
pub struct ListArgs {
    /// Read more file names from this file, one name per line, `-` for standard input
    ///
    /// fndsa reads the names byte for byte, and only LF ends a line. A name `-` in this file is a
    /// file of that name.
    #[arg(long, value_name = "FILE", help_heading = heading::MESSAGE, hide_short_help = true)]
    files_from: Option<PathBuf>,
    /// Expect a NUL byte after each name in --files-from, as `find -print0` writes it
    #[arg(short = '0', long, help_heading = heading::MESSAGE, hide_short_help = true)]
    null: bool,
    /// Number of files to process at the same time, or `all` for one file per core
    #[arg(short, long, value_name = "N", default_value = "all", value_parser = jobs_parser(),
        help_heading = heading::EXPERT, hide_short_help = true, hide_possible_values = true)]
    pub jobs: JobCount,
}

impl ListArgs {
    /// Returns the file that `--files-from` names. Returns `None` if the option is not given.
    pub fn list_file(&self) -> Option<InputSource> {
        self.files_from.as_deref().map(InputSource::from_arg)
    }

    /// Returns the files from the arguments, and then the files that `--files-from` lists, in
    /// order.
    ///
    /// # Errors
    /// Fails if the file of `--files-from` cannot be read or contains an invalid name, or if
    /// neither this file nor the arguments name a file.
    pub fn sources(&self, files: Vec<InputSource>, progress: &ProgressDisplay) -> Result<Vec<InputSource>, Error> {
        let mut all = files;
        if let Some(list) = self.list_file() {
            read_names(&list, if self.null { 0 } else { b'\n' }, progress, &mut all)?;
            if all.is_empty() {
                return Err(Error::NoFiles(list.to_string()));
            }
        }
        Ok(all)
    }
}

/// Reads file names from a file. Each name ends with the byte `end` (LF or NUL), which can be
/// missing after the last name.
fn read_names(
    list: &InputSource,
    end: u8,
    progress: &ProgressDisplay,
    all: &mut Vec<InputSource>,
) -> Result<(), Error> {
    let mut name = Vec::new();
    let mut number = 1;
    let mut input = FileInput::new(list, progress);
    loop {
        let piece = input.next()?;
        if piece.is_empty() {
            break;
        }
        for part in piece.split_inclusive(|b| *b == end) {
            let (text, ended) = match part.strip_suffix(&[end]) {
                Some(text) => (text, true),
                None => (part, false),
            };
            if text.contains(&0) {
                return Err(bad_name(list, number, "has a NUL byte"));
            }
            if name.len() + text.len() > MAX_NAME {
                return Err(bad_name(list, number, "is longer than any file name"));
            }
            name.extend_from_slice(text);
            if ended {
                all.push(source_of_name(list, &name, number)?);
                name.clear();
                number += 1;
            }
        }
    }
    if !name.is_empty() {
        all.push(source_of_name(list, &name, number)?);
    }
    Ok(())
}

fn bad_name(list: &InputSource, number: usize, what: &'static str) -> Error {
    Error::NameList { from: list.to_string(), number, what }
}

/// Converts a file name from `--files-from` to an input. `number` is the position of the name,
/// counted from 1.
///
/// # Errors
/// Fails if the name is empty or not valid on this system, or if there are too many names. Also
/// fails if the name looks like a line of a key file, because the user may have passed a key file
/// as the list of names.
fn source_of_name(list: &InputSource, name: &[u8], number: usize) -> Result<InputSource, Error> {
    if name.is_empty() {
        return Err(bad_name(list, number, "is empty"));
    }
    if number > MAX_NAMES {
        return Err(bad_name(list, number, "is above the limit: a command takes at most 4194304 names"));
    }
    if keytext::kind_of(&name_of(name)).is_some() {
        return Err(bad_name(list, number, "looks like the text of a key"));
    }
    match listed(name) {
        Ok(path) => Ok(InputSource::File(path)),
        Err(what) => Err(bad_name(list, number, what)),
    }
}
