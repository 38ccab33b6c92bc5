//! What the global options ask of a command, and what the environment says where no option does.

use super::keys::loader::AllowWeak;
use super::report::{Error, OutputOptions, escape};
use fndsa::no_alloc::Level;

/// The variable that names a level where no option does.
pub const BACKEND: &str = "FNDSA_BACKEND";

/// What the global options ask of a command.
pub struct CommandContext {
    /// What the command may say, and in which form.
    pub voice: OutputOptions,
    /// Whether toy degrees are let in.
    pub weak: AllowWeak,
    /// The levels asked for.
    pub levels: Vec<Level>,
}

impl CommandContext {
    /// Returns the one level to run on: the one asked for, or else the fastest.
    ///
    /// # Errors
    /// Several are asked for.
    pub fn level(&self) -> Result<Level, Error> {
        match self.levels[..] {
            [] => Ok(Level::detect()),
            [level] => Ok(level),
            _ => Err(Error::Backends(self.levels.len())),
        }
    }
}

/// Parses the name of a level that this CPU has.
pub fn parse_level(name: &str) -> Result<Level, String> {
    Level::from_name(name).ok_or_else(|| {
        let available: Vec<_> = Level::available().map(Level::name).collect();
        let known = if Level::names().any(|n| n == name) { "this CPU does not have it" } else { "no such level" };
        format!("{known}; available: {}", available.join(", "))
    })
}

/// Returns the levels asked for: those `given` by options, or else the one named in the
/// environment, where an empty text counts as not set.
pub fn levels(given: Vec<Level>) -> Result<Vec<Level>, Error> {
    let name = std::env::var_os(BACKEND).filter(|name| given.is_empty() && !name.is_empty());
    match name.map(|name| parse_level(&name.to_string_lossy())) {
        Some(level) => level.map(|level| vec![level]).map_err(Error::BackendVariable),
        None => Ok(given),
    }
}

/// Returns how this program was called, for commands that the user may paste.
pub fn invocation() -> String {
    let name = std::env::args_os().next().unwrap_or_default();
    if name.as_encoded_bytes().contains(&b'/') { escape::shown(name) } else { "fndsa".to_owned() }
}
