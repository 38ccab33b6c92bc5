//! The files of the private keys and of their password, which are no messages.

use crate::tool::io::{Identity, InputSource};
use crate::tool::report::Error;
use std::collections::BTreeSet;

/// The files of the private keys and of their password. `sign *` in the directory of the key must not sign them.
pub struct ProtectedFiles(BTreeSet<Identity>);

impl ProtectedFiles {
    /// Looks at the files.
    pub fn of<'s>(secrets: impl Iterator<Item = &'s InputSource>) -> Self {
        Self(secrets.filter_map(InputSource::identity).collect())
    }

    /// Checks that a message is none of these files, under any name.
    ///
    /// # Errors
    /// The message is one of them.
    pub fn refuse(&self, source: &InputSource) -> Result<(), Error> {
        let is_secret = !self.0.is_empty() && source.identity().is_some_and(|it| self.0.contains(&it));
        if is_secret { Err(Error::KeyAsMessage(source.to_string())) } else { Ok(()) }
    }
}
