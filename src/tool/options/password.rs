//! Options for the source of a password: a file, a descriptor or a variable. A password is never an
//! argument on the command line. Standard input is used only if the user names it, for example with
//! `-`. The module `keys::unlock` reads the sources.

use super::heading;
use crate::tool::io::{InputSource, file_variable, secret_variable};
use crate::tool::keys::unlock::{LazyPassword, PasswordSetting};
use crate::tool::report::{Error, Report};
use std::path::PathBuf;

/// The name of the variable that contains the password.
const PASSWORD: &str = "FNDSA_PASSWORD";
/// The name of the variable that contains the name of a password file.
const PASSWORD_FILE: &str = "FNDSA_PASSWORD_FILE";
/// The options for a new password, as messages show them.
pub const NEW_PASSWORD: &str = "--new-password-file FILE or --new-password-env VAR";

/// The password of a private key that the command reads. In `keygen`, the password of the key that
/// the command creates.
#[derive(clap::Args, Debug)]
pub struct PasswordArgs {
    /// Read the password of the private key from the first line of this file [env: FNDSA_PASSWORD_FILE]
    ///
    /// `-` reads it from standard input. Without a password option, fndsa asks for the password on the terminal if the
    /// key is encrypted. Only `fndsa inspect` does not ask, and describes the key without its password.
    #[arg(long, value_name = "FILE", help_heading = heading::KEYS)]
    password_file: Option<PathBuf>,
    /// Read the password of the private key from this environment variable
    ///
    /// Without this option, the password is in FNDSA_PASSWORD, if that variable is set.
    #[arg(long, value_name = "VAR", conflicts_with = "password_file", help_heading = heading::KEYS, hide_short_help = true)]
    password_env: Option<String>,
}

/// The password that a key will have after `passwd` or `convert`.
#[derive(clap::Args, Debug)]
pub struct NewPasswordArgs {
    /// Read the new password from the first line of this file, `-` for standard input
    #[arg(long, value_name = "FILE", help_heading = heading::KEYS)]
    new_password_file: Option<PathBuf>,
    /// Read the new password from this environment variable
    #[arg(long, value_name = "VAR", conflicts_with = "new_password_file", help_heading = heading::KEYS)]
    new_password_env: Option<String>,
}

/// Returns the source of a password: the file that the first option names, or the variable that the
/// second option names. If the variable is not set, the error does not quote the value of the
/// option, because a user may have typed the password itself instead of a name.
fn source(
    [file_option, name_option]: [&'static str; 2],
    file: Option<&PathBuf>,
    name: Option<&String>,
) -> Result<Option<InputSource>, Error> {
    match (file, name) {
        (Some(path), _) => Ok(Some(InputSource::of_secret(file_option, path))),
        (None, Some(name)) if secret_variable(name).is_none() => Err(Error::UnsetPassword(name_option)),
        (None, Some(name)) => Ok(Some(InputSource::Variable(name.clone()))),
        (None, None) => Ok(None),
    }
}

/// Returns whether a variable is set and not empty.
fn is_set(name: &str) -> bool {
    matches!(secret_variable(name), Some(value) if !value.is_empty())
}

impl PasswordArgs {
    /// Returns the name of the option or environment variable that gives the password. Returns
    /// `None` if neither gives a password.
    fn setting(&self) -> Option<PasswordSetting> {
        if self.password_file.is_some() {
            return Some(PasswordSetting::Option("--password-file"));
        }
        if self.password_env.is_some() {
            return Some(PasswordSetting::Option("--password-env"));
        }
        match (is_set(PASSWORD), is_set(PASSWORD_FILE)) {
            (true, false) => Some(PasswordSetting::Variable { name: PASSWORD, ignored: None }),
            (true, true) => Some(PasswordSetting::Variable { name: PASSWORD, ignored: Some(PASSWORD_FILE) }),
            (false, true) => Some(PasswordSetting::Variable { name: PASSWORD_FILE, ignored: None }),
            (false, false) => None,
        }
    }

    /// Returns the password for encrypted keys. If no option or variable gives a password, the user
    /// types the password on the terminal.
    ///
    /// # Errors
    /// Fails if [`Self::source`] fails.
    pub fn unlock(&self) -> Result<LazyPassword, Error> {
        Ok(LazyPassword::new(self.source()?, self.setting()))
    }

    /// Prints a warning if a password is in the environment, but the command writes a key without
    /// encrypting it.
    pub fn warn_if_unused(&self, report: &mut Report) {
        if let Some(PasswordSetting::Variable { name, .. }) = self.setting() {
            report.warn(&format!("{name} is set, but without --encrypt the private key gets no password"));
        }
    }

    /// Returns whether a password option is given.
    pub fn is_given(&self) -> bool {
        self.password_file.is_some() || self.password_env.is_some()
    }

    /// Returns the source of the password. Options take precedence over the environment. Returns
    /// `None` if the user types the password on the terminal.
    ///
    /// # Errors
    /// Fails if the variable that an option names is not set, or if `FNDSA_PASSWORD_FILE` contains
    /// key text.
    pub fn source(&self) -> Result<Option<InputSource>, Error> {
        if let Some(source) =
            source(["--password-file", "--password-env"], self.password_file.as_ref(), self.password_env.as_ref())?
        {
            return Ok(Some(source));
        }
        if is_set(PASSWORD) {
            return Ok(Some(InputSource::Variable(PASSWORD.to_owned())));
        }
        let hint = "put the password itself into FNDSA_PASSWORD, and only a file name into FNDSA_PASSWORD_FILE";
        match file_variable(PASSWORD_FILE, hint)? {
            Some(path) => Ok(Some(InputSource::of_secret(PASSWORD_FILE, &path))),
            None => Ok(None),
        }
    }
}

impl NewPasswordArgs {
    /// Returns the source of the new password. Returns `None` if the user types the password on the
    /// terminal. FNDSA_PASSWORD and FNDSA_PASSWORD_FILE are ignored, because commands with a new
    /// password use these variables for the old password.
    ///
    /// # Errors
    /// Fails if the variable that an option names is not set.
    pub fn source(&self) -> Result<Option<InputSource>, Error> {
        source(
            ["--new-password-file", "--new-password-env"],
            self.new_password_file.as_ref(),
            self.new_password_env.as_ref(),
        )
    }

    /// Returns whether an option for a new password is given.
    pub fn is_given(&self) -> bool {
        self.new_password_file.is_some() || self.new_password_env.is_some()
    }
}
