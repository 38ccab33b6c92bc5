//! The global options, such as `--level` and `--json`. If `--level` is not given, the environment
//! variable [`LEVEL_VARIABLE`] can name the level.

use super::keys::loader::AllowWeak;
use super::report::{Error, OutputOptions, escape};
use fndsa::no_alloc::Level;

/// The environment variable that names a level (an instruction set), if no option names a level.
pub const LEVEL_VARIABLE: &str = "FNDSA_BACKEND";

/// The global options of a command, after parsing.
pub struct CommandContext {
    /// The options for output.
    pub output: OutputOptions,
    /// Whether toy degrees (small and insecure) and weak pre-hashes are allowed.
    pub weak: AllowWeak,
    /// The requested levels. If there are none, the command chooses the level.
    pub levels: Vec<Level>,
}

impl CommandContext {
    /// Returns the requested level. If no level is requested, returns the fastest level of this
    /// CPU.
    ///
    /// # Errors
    /// Fails if several levels are requested.
    pub fn level(&self) -> Result<Level, Error> {
        match self.levels[..] {
            [] => Ok(Level::detect()),
            [level] => Ok(level),
            _ => Err(Error::SeveralLevels(self.levels.len())),
        }
    }
}

/// Parses the name of a level. Fails if this CPU does not support the level.
pub fn parse_level(name: &str) -> Result<Level, String> {
    if let Some(level) = Level::from_name(name) {
        return Ok(level);
    }
    let available: Vec<_> = Level::available().map(Level::name).collect();
    let reason = if Level::names().any(|n| n == name) { "this CPU does not have it" } else { "no such level" };
    Err(format!("{reason}; available: {}", available.join(", ")))
}

/// Returns the levels that the options request (`option_levels`). If the options request no level,
/// returns the level in the environment variable. An empty variable is ignored.
///
/// # Errors
/// Fails if the variable does not name a level of this CPU.
pub fn levels(option_levels: Vec<Level>) -> Result<Vec<Level>, Error> {
    let name = std::env::var_os(LEVEL_VARIABLE).unwrap_or_default();
    if !option_levels.is_empty() || name.is_empty() {
        return Ok(option_levels);
    }
    match parse_level(&name.to_string_lossy()) {
        Ok(level) => Ok(vec![level]),
        Err(e) => Err(Error::LevelVariable(e)),
    }
}

/// Returns the program's path, for commands in messages that a user can paste. This is the path
/// with which the program was called. If this path contains no `/`, the result is `fndsa`: the user
/// called the program by its name, or by a Windows path with `\`.
pub fn invocation() -> String {
    let name = std::env::args_os().next().unwrap_or_default();
    // `shown` quotes the path for the shell.
    if name.as_encoded_bytes().contains(&b'/') { escape::shown(name) } else { "fndsa".to_owned() }
}
