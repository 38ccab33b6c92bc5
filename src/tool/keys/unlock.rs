//! Reads passwords for private keys from a file, a descriptor, an environment variable or the
//! terminal. A password is never an argument on the command line. Standard input is used only if
//! the user names it as the password file, for example with `-`.
//!
//! fndsa uses the first of these sources that is set: an option, FNDSA_PASSWORD, or
//! FNDSA_PASSWORD_FILE. If no source is set, fndsa shows a prompt on /dev/tty, but only if standard
//! input or standard error is also a terminal. Otherwise, the exit code is 5. Therefore, fndsa in
//! the pipeline of a script fails immediately instead of waiting for input.
//!
//! The password is the first line of the file. An empty FNDSA_PASSWORD is ignored. An empty
//! password file, or an empty variable that the user gave with an option, is an error, because the
//! program that should provide the password has probably failed. If a file is not empty, but its
//! first line is empty, the password is empty.

use crate::tool::io::{InputSource, TERMINAL, ask, secret_variable};
use crate::tool::report::{Error, Report};
use std::cell::{Cell, OnceCell};
use std::fmt::Display;
use zeroize::Zeroizing;

/// A password.
pub type PasswordBytes = Zeroizing<Vec<u8>>;

/// The maximum length of a password in bytes. A longer text is probably the wrong file.
const MAX_LEN: usize = 1024;

/// The option or the environment variable from which fndsa gets the password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasswordSetting {
    /// A command-line option.
    Option(&'static str),
    /// An environment variable that fndsa reads if no password option is given.
    Variable {
        /// The name of the variable.
        name: &'static str,
        /// The name of a second variable that is ignored because of this variable.
        ignored: Option<&'static str>,
    },
}

/// The password for decrypting keys. Its source is read once, when the first encrypted key is
/// found. Without a source, the user types a password for each encrypted key.
pub struct LazyPassword {
    source: Option<InputSource>,
    setting: Option<PasswordSetting>,
    cached: OnceCell<PasswordBytes>,
    /// Whether an encrypted key has been found.
    is_used: Cell<bool>,
}

impl LazyPassword {
    /// Creates a password that is read later, from `source`, or from the terminal if `source` is
    /// `None`. `setting` is the option or variable that names the source.
    pub fn new(source: Option<InputSource>, setting: Option<PasswordSetting>) -> Self {
        Self { source, setting, cached: OnceCell::new(), is_used: Cell::new(false) }
    }

    /// Checks that the user gave a password only if a key is encrypted. Call this function after
    /// all keys have been read. If no key is encrypted, a password option is an error. A password
    /// variable may be set for a different command, so it only causes a warning. There is no
    /// warning if the command has read no private key (`has_private_key` is false).
    ///
    /// # Errors
    /// Fails if a password was given with an option, but all keys can be read without it.
    pub fn check_use(&self, has_private_key: bool, report: &mut Report) -> Result<(), Error> {
        match self.setting {
            _ if self.is_used.get() => {}
            Some(PasswordSetting::Option(option)) => return Err(Error::PasswordUnneeded(option)),
            Some(PasswordSetting::Variable { name, .. }) if has_private_key => {
                report.warn(&format!("{name} is set, but no private key here is encrypted"));
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the name of the password option or variable for messages.
    pub fn source_name(&self) -> String {
        match self.setting {
            None => "the terminal".to_owned(),
            Some(PasswordSetting::Option(option)) => option.to_owned(),
            Some(PasswordSetting::Variable { name, ignored: None }) => name.to_owned(),
            Some(PasswordSetting::Variable { name, ignored: Some(ignored) }) => format!("{name}; {ignored} is ignored"),
        }
    }

    /// Returns the password for an encrypted key file, from the source or from the user.
    ///
    /// # Errors
    /// Fails if a password cannot be read from the source or from the terminal, or if the password
    /// contains a NUL byte or is longer than `MAX_LEN`.
    pub fn password(&self, file: &dyn Display) -> Result<PasswordBytes, Error> {
        self.is_used.set(true);
        if let Some(source) = &self.source {
            if let Some(cached) = self.cached.get() {
                return Ok(cached.clone());
            }
            let password = read(source)?;
            return Ok(self.cached.get_or_init(|| password).clone());
        }
        match ask_password(&format!("Password of {file}: "))? {
            Some(password) => Ok(password),
            None => Err(Error::PasswordNeeded { file: file.to_string() }),
        }
    }
}

/// Reads a new password from a source, or asks the user to type it twice. `options` lists the
/// password options for the error message.
///
/// # Errors
/// Fails if a password cannot be read from the source or from the terminal, if it contains a NUL
/// byte or is longer than `MAX_LEN`, or if the user typed two different passwords or an empty
/// password.
pub fn new_password(
    source: Option<&InputSource>,
    options: &'static str,
    report: &Report,
) -> Result<PasswordBytes, Error> {
    let password = match source {
        Some(source) => read(source)?,
        None => {
            let first = ask_password("New password: ")?.ok_or(Error::NewPasswordNeeded { options })?;
            let second = ask_password("The new password again: ")?.ok_or(Error::NewPasswordNeeded { options })?;
            if first != second {
                return Err(Error::PasswordsDiffer);
            }
            // A user who types an empty password has probably made a mistake, but a file can
            // contain the empty password on purpose.
            if first.is_empty() {
                return Err(Error::EmptyPassword);
            }
            first
        }
    };
    if password.is_empty() {
        report.note("warning: the new password is empty");
    }
    Ok(password)
}

/// Reads a password: the value of a variable, or the first line of a file without its line end.
fn read(source: &InputSource) -> Result<PasswordBytes, Error> {
    let from = source.to_string();
    let text = match source {
        InputSource::Variable(name) => secret_variable(name).unwrap_or_default(),
        _ => source.read_line(MAX_LEN + 2)?,
    };
    match source {
        _ if text.is_empty() => Err(Error::NoPassword { from }),
        InputSource::Variable(_) => checked(text, &from),
        _ => checked(without_end(text), &from),
    }
}

/// Asks for a password on the terminal. Returns `None` if there is no terminal or no answer.
fn ask_password(prompt: &str) -> Result<Option<PasswordBytes>, Error> {
    match ask(prompt, MAX_LEN + 2).map_err(|e| Error::io(TERMINAL, e))? {
        Some(line) => Ok(Some(checked(without_end(line), TERMINAL)?)),
        None => Ok(None),
    }
}

/// Removes the line end from a password.
fn without_end(mut line: PasswordBytes) -> PasswordBytes {
    if line.last() == Some(&b'\n') {
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
    }
    line
}

/// Checks and returns a password, which must not contain a NUL byte or be longer than `MAX_LEN`.
/// `from` is the name of the source in error messages.
fn checked(password: PasswordBytes, from: &str) -> Result<PasswordBytes, Error> {
    let defect = if password.len() > MAX_LEN {
        "is longer than 1024 bytes"
    } else if password.contains(&0) {
        "has a NUL byte"
    } else {
        return Ok(password);
    };
    Err(Error::PasswordUnusable { from: from.to_owned(), defect })
}
