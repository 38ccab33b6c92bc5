//! The global options for a command, and their defaults from the environment.

use super::keys::loader::AllowWeak;
use super::report::{Error, OutputOptions, escape};
use fndsa::no_alloc::Level;

/// The environment variable that names a level if no option does.
pub const LEVEL_VARIABLE: &str = "FNDSA_BACKEND";

/// The values of the global options.
pub struct CommandContext {
    /// The form and amount of the output.
    pub output: OutputOptions,
    /// Whether to accept toy degrees.
    pub weak: AllowWeak,
    /// The requested levels.
    pub levels: Vec<Level>,
}

impl CommandContext {
    /// Returns the requested level, or the fastest level if none is requested.
    ///
    /// # Errors
    /// Returns an error if several levels are requested.
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

/// Returns the requested levels: the levels `given` by options, or the level in the environment
/// variable. An empty variable counts as not set.
pub fn levels(given: Vec<Level>) -> Result<Vec<Level>, Error> {
    let name = std::env::var_os(LEVEL_VARIABLE).filter(|name| given.is_empty() && !name.is_empty());
    match name.map(|name| parse_level(&name.to_string_lossy())) {
        Some(level) => level.map(|level| vec![level]).map_err(Error::BackendVariable),
        None => Ok(given),
    }
}

/// Returns the name by which this program was called, for commands that a user can paste.
pub fn invocation() -> String {
    let name = std::env::args_os().next().unwrap_or_default();
    if name.as_encoded_bytes().contains(&b'/') { escape::shown(name) } else { "fndsa".to_owned() }
}
