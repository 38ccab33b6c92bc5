//! The global options of a command, with values from the environment if an option is not given.

use super::keys::loader::AllowWeak;
use super::report::{Error, OutputOptions, escape};
use fndsa::no_alloc::Level;

/// The environment variable that names a level if no option does.
pub const LEVEL_VARIABLE: &str = "FNDSA_BACKEND";

/// The global options of a command, after parsing.
pub struct CommandContext {
    /// The options for output.
    pub output: OutputOptions,
    /// Whether toy degrees and weak pre-hashes are allowed.
    pub weak: AllowWeak,
    /// The requested levels. If the list is empty, the command chooses the level.
    pub levels: Vec<Level>,
}

impl CommandContext {
    /// Returns the requested level, or the fastest level of this CPU if no level is requested.
    ///
    /// # Errors
    /// Several levels are requested.
    pub fn level(&self) -> Result<Level, Error> {
        match self.levels[..] {
            [] => Ok(Level::detect()),
            [level] => Ok(level),
            _ => Err(Error::Backends(self.levels.len())),
        }
    }
}

/// Parses a level name. This CPU must support the level.
pub fn parse_level(name: &str) -> Result<Level, String> {
    if let Some(level) = Level::from_name(name) {
        return Ok(level);
    }
    let available: Vec<_> = Level::available().map(Level::name).collect();
    let known = if Level::names().any(|n| n == name) { "this CPU does not have it" } else { "no such level" };
    Err(format!("{known}; available: {}", available.join(", ")))
}

/// Returns the requested levels: the levels that options have `given`, or else the level that the
/// environment variable names. An empty variable is treated as unset.
///
/// # Errors
/// The variable does not name a level of this CPU.
pub fn levels(given: Vec<Level>) -> Result<Vec<Level>, Error> {
    let name = std::env::var_os(LEVEL_VARIABLE).unwrap_or_default();
    if !given.is_empty() || name.is_empty() {
        return Ok(given);
    }
    match parse_level(&name.to_string_lossy()) {
        Ok(level) => Ok(vec![level]),
        Err(e) => Err(Error::BackendVariable(e)),
    }
}

/// Returns the program's name or path as it was called, for commands that a user can paste.
pub fn invocation() -> String {
    let name = std::env::args_os().next().unwrap_or_default();
    if name.as_encoded_bytes().contains(&b'/') { escape::shown(name) } else { "fndsa".to_owned() }
}
