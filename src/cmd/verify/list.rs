//! The options of `verify` for lists, and the type [`ListCheck`]. The function `ListCheck::run`,
//! which verifies a list, is in `manifest`.

use crate::tool::io::{DirectoryTree, InputSource};
use crate::tool::options::heading;
use crate::tool::options::jobs::JobCount;
use crate::tool::report::Error;
use crate::tool::report::escape::{pasteable_name, shown};
use std::path::PathBuf;

/// The options for verifying a list.
#[derive(clap::Args, Debug)]
pub struct ListToVerify {
    /// Verify this signed list and its files
    ///
    /// If you name FILEs, fndsa verifies only these files of the list. The signature is in the list or in LIST.sig. File names are relative to the current directory, and links must not
    /// lead out of it.
    #[arg(short = 'M', long = "list", alias = "manifest", value_name = "FILE", conflicts_with_all = ["prehashed", "mu"],
        help_heading = heading::LISTS)]
    manifest: Option<PathBuf>,
    /// Directory of the listed files
    ///
    /// File names in the list, and FILEs, are relative to DIR. Links must not lead out of DIR.
    #[arg(short = 'C', long, value_name = "DIR", help_heading = heading::LISTS)]
    pub directory: Option<PathBuf>,
    /// Reject every file in the directory that is not in the list
    ///
    /// The list and its signature file do not have to be in the list.
    #[arg(long, conflicts_with_all = ["files", "files_from"], help_heading = heading::LISTS,
        hide_short_help = true)]
    pub strict: bool,
    /// Ignore missing files
    ///
    /// At least one listed file must be present.
    #[arg(long, help_heading = heading::LISTS)]
    pub ignore_missing: bool,
}

impl ListToVerify {
    /// Returns the list's source. Returns `None` if no list is given.
    pub fn source(&self) -> Option<InputSource> {
        self.manifest.as_deref().map(InputSource::from_arg)
    }

    /// Returns the directory to which the names in the list are relative.
    ///
    /// # Errors
    /// Fails if the directory does not exist or cannot be opened.
    pub fn tree(&self) -> Result<DirectoryTree, Error> {
        match &self.directory {
            Some(directory) => DirectoryTree::at(directory),
            None => Ok(DirectoryTree::current()),
        }
    }
}

/// The parameters for verifying a list.
pub struct ListCheck<'a> {
    /// The list file, or standard input.
    pub list: &'a InputSource,
    /// The signature file of the list, if the user gave one.
    pub signature: Option<InputSource>,
    /// The directory to which the names in the list are relative.
    pub tree: &'a DirectoryTree,
    /// The files that the arguments name.
    pub named: &'a [InputSource],
    /// True if the arguments name no files, so that all files in the list are verified.
    pub all: bool,
    /// The options for lists on the command line.
    pub options: &'a ListToVerify,
    /// The number of files that are hashed at the same time.
    pub jobs: JobCount,
}

impl ListCheck<'_> {
    /// Returns the list's name in messages. Returns `None` for standard input.
    pub fn list_name(&self) -> Option<String> {
        match self.list {
            InputSource::File(path) => Some(shown(path)),
            _ => None,
        }
    }

    /// Returns the hint for missing files, if the list is not in the current directory and `-C` is
    /// not given.
    pub fn directory_hint(&self) -> Option<String> {
        let InputSource::File(path) = self.list else { return None };
        let directory = path.parent()?;
        if directory.as_os_str().is_empty() || self.options.directory.is_some() {
            return None;
        }
        Some(format!(
            "names in a list are relative to the current directory: to use the directory of the list, add -C {}; to skip missing \
             files, add --ignore-missing",
            pasteable_name(directory)
        ))
    }
}
