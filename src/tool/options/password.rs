//! The options that say where a password comes from: a file, a descriptor or a variable. Never from the command line,
//! and from standard input only where `-` says so. What becomes of the sources is told in `keys::unlock`.

use super::heading;
use crate::tool::io::{InputSource, file_variable, secret_variable};
use crate::tool::keys::unlock::{PasswordPlace, Unlock};
use crate::tool::report::{Error, Report};
use std::path::PathBuf;

/// The variable with the password.
const PASSWORD: &str = "FNDSA_PASSWORD";
/// The variable that names the file of the password.
const PASSWORD_FILE: &str = "FNDSA_PASSWORD_FILE";
/// The options that give the password of a result, for whoever is told to use them.
pub const NEW_PASSWORD: &str = "--new-password-file FILE or --new-password-env VAR";

/// The password of a key that is there, or for `keygen` the one that it gets.
#[derive(clap::Args, Debug)]
pub struct PasswordArgs {
    /// Read the password of the private key from the first line of this file [env: FNDSA_PASSWORD_FILE]
    ///
    /// `-` reads it from standard input. Without a password option, fndsa asks for the password on the terminal if the
    /// key is encrypted.
    #[arg(long, value_name = "FILE", help_heading = heading::KEYS)]
    password_file: Option<PathBuf>,
    /// Read the password of the private key from this environment variable
    ///
    /// Without this option, the password is in FNDSA_PASSWORD, if that variable is set.
    #[arg(long, value_name = "VAR", conflicts_with = "password_file", help_heading = heading::KEYS, hide_short_help = true)]
    password_env: Option<String>,
}

/// The password that a key gets.
#[derive(clap::Args, Debug)]
pub struct NewPasswordArgs {
    /// Read the new password from the first line of this file, `-` for standard input
    #[arg(long, value_name = "FILE", help_heading = heading::KEYS)]
    new_password_file: Option<PathBuf>,
    /// Read the new password from this environment variable
    #[arg(long, value_name = "VAR", conflicts_with = "new_password_file", help_heading = heading::KEYS)]
    new_password_env: Option<String>,
}

/// Returns the source that one of two options names, if one is given. No message repeats the value of an option: it may
/// be the password.
fn source(
    [file_option, name_option]: [&'static str; 2],
    file: Option<&PathBuf>,
    name: Option<&String>,
) -> Result<Option<InputSource>, Error> {
    match (file, name) {
        (Some(path), _) => Ok(Some(InputSource::of_secret(file_option, path))),
        (None, Some(name)) if secret_variable(name).is_none() => Err(Error::UnsetPassword(name_option)),
        (None, name) => Ok(name.cloned().map(InputSource::Variable)),
    }
}

impl PasswordArgs {
    /// Returns the option or the variable that gives the password; `None` if neither is there.
    fn place(&self) -> Option<PasswordPlace> {
        if self.password_file.is_some() {
            return Some(PasswordPlace::Option("--password-file"));
        }
        if self.password_env.is_some() {
            return Some(PasswordPlace::Option("--password-env"));
        }
        for name in [PASSWORD, PASSWORD_FILE] {
            if secret_variable(name).is_some_and(|value| !value.is_empty()) {
                return Some(PasswordPlace::Variable(name));
            }
        }
        None
    }

    /// Prepares to open encrypted keys with this password, or with an answer on the terminal.
    ///
    /// # Errors
    /// The variable named is not set.
    pub fn unlock(&self) -> Result<Unlock, Error> {
        Ok(Unlock::new(self.source()?, self.place()))
    }

    /// Warns of a password in the environment that a command does not use because its result is not encrypted.
    pub fn warn_if_unused(&self, report: &mut Report) {
        if let Some(PasswordPlace::Variable(name)) = self.place() {
            report.warn(&format!("{name} is set, but without --encrypt the private key gets no password"));
        }
    }

    /// Returns whether one of the options is given.
    pub fn is_given(&self) -> bool {
        self.password_file.is_some() || self.password_env.is_some()
    }

    /// Returns where the password comes from, option before environment; `None` for the terminal.
    ///
    /// # Errors
    /// The variable named is not set.
    pub fn source(&self) -> Result<Option<InputSource>, Error> {
        if let Some(source) =
            source(["--password-file", "--password-env"], self.password_file.as_ref(), self.password_env.as_ref())?
        {
            return Ok(Some(source));
        }
        if secret_variable(PASSWORD).is_some_and(|value| !value.is_empty()) {
            return Ok(Some(InputSource::Variable(PASSWORD.to_owned())));
        }
        let hint = "put the password itself into FNDSA_PASSWORD, and only a file name into FNDSA_PASSWORD_FILE";
        let path = file_variable(PASSWORD_FILE, hint)?;
        Ok(path.map(|path| InputSource::of_secret(PASSWORD_FILE, &path)))
    }
}

impl NewPasswordArgs {
    /// Returns where the new password comes from; `None` for the terminal. The environment counts only for passwords of
    /// keys that are there.
    ///
    /// # Errors
    /// The variable named is not set.
    pub fn source(&self) -> Result<Option<InputSource>, Error> {
        source(
            ["--new-password-file", "--new-password-env"],
            self.new_password_file.as_ref(),
            self.new_password_env.as_ref(),
        )
    }

    /// Returns whether one of the options is given.
    pub fn is_given(&self) -> bool {
        self.new_password_file.is_some() || self.new_password_env.is_some()
    }
}
