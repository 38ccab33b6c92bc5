//! Files that are never signed: the private keys and the file with their password.

use crate::tool::io::{FileIdentity, InputSource};
use crate::tool::report::Error;
use std::collections::BTreeSet;

/// The files with the private keys and the password. `sign *` in the directory of the key must not
/// sign these files.
pub struct ProtectedFiles(BTreeSet<FileIdentity>);

impl ProtectedFiles {
    /// Records the identities of the files.
    pub fn of<'s>(secrets: impl Iterator<Item = &'s InputSource>) -> Self {
        Self(secrets.filter_map(InputSource::identity).collect())
    }

    /// Checks that a message is not a protected file, whatever its name.
    ///
    /// # Errors
    /// The message is a protected file.
    pub fn refuse(&self, source: &InputSource) -> Result<(), Error> {
        let is_secret = !self.0.is_empty() && source.identity().is_some_and(|it| self.0.contains(&it));
        if is_secret { Err(Error::KeyAsMessage(source.to_string())) } else { Ok(()) }
    }
}
