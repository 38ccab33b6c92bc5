//! Passwords of private keys: from a file, a descriptor, a variable or the terminal. Never from the
//! command line, and from standard input only where `-` says so.
//!
//! Option, then FNDSA_PASSWORD, then FNDSA_PASSWORD_FILE, then a question on /dev/tty, then exit 5. The
//! question is asked only where standard input or standard error is a terminal too: a program in a
//! pipeline of a script fails at once instead of waiting for somebody.
//!
//! Of a file only the first line counts. FNDSA_PASSWORD without a text is as good as not set. A file of no bytes and an
//! empty variable that is named are no passwords: what should give one has failed. An empty line is an empty password.

use crate::tool::io::{InputSource, TERMINAL, ask, secret_variable};
use crate::tool::report::{Error, Report};
use std::cell::{Cell, OnceCell};
use std::fmt::Display;
use zeroize::Zeroizing;

/// A password.
pub type Secret = Zeroizing<Vec<u8>>;

/// The longest password, in bytes: a longer one is a file that was mixed up.
const MAX_LEN: usize = 1024;

/// The option or the variable that gives a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasswordPlace {
    /// An option of the command line.
    Option(&'static str),
    /// A variable of the environment that no option names.
    Variable(&'static str),
}

/// The password that opens keys. It is read when the first encrypted key is met.
pub struct Unlock {
    source: Option<InputSource>,
    place: Option<PasswordPlace>,
    known: OnceCell<Secret>,
    /// Whether an encrypted key was met.
    is_used: Cell<bool>,
}

impl Unlock {
    /// Takes the password from a source, or else from the terminal. `place` names the source.
    pub fn new(source: Option<InputSource>, place: Option<PasswordPlace>) -> Self {
        Self { source, place, known: OnceCell::new(), is_used: Cell::new(false) }
    }

    /// Checks, after all keys were read, that the password was of use. A variable may be there for another command, so
    /// it is worth a warning, and only if there is a private key.
    ///
    /// # Errors
    /// An option gives a password and no key is encrypted.
    pub fn check_use(&self, is_private: bool, report: &mut Report) -> Result<(), Error> {
        match self.place.filter(|_| !self.is_used.get()) {
            Some(PasswordPlace::Option(option)) => return Err(Error::PasswordUnneeded(option)),
            Some(PasswordPlace::Variable(name)) if is_private => {
                report.warn(&format!("{name} is set, but no private key here is encrypted"));
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the password of one file.
    ///
    /// # Errors
    /// There is no password, or its source cannot be read.
    pub fn password(&self, file: &dyn Display) -> Result<Secret, Error> {
        self.is_used.set(true);
        if let Some(source) = &self.source {
            if let Some(known) = self.known.get() {
                return Ok(known.clone());
            }
            let password = read(source)?;
            return Ok(self.known.get_or_init(|| password).clone());
        }
        question(&format!("Password of {file}: "))?.ok_or_else(|| Error::PasswordNeeded { from: file.to_string() })
    }
}

/// Reads a new password from its source, or asks for it twice. `options` names the options that give it.
///
/// # Errors
/// There is no password, or the two that were typed differ.
pub fn new_password(source: Option<&InputSource>, options: &'static str, report: &Report) -> Result<Secret, Error> {
    let password = match source {
        Some(source) => read(source)?,
        None => {
            let first = question("New password: ")?.ok_or(Error::NewPasswordNeeded { options })?;
            let second = question("The new password again: ")?.ok_or(Error::NewPasswordNeeded { options })?;
            if first != second {
                return Err(Error::PasswordsDiffer);
            }
            first
        }
    };
    if password.is_empty() {
        report.note("warning: the new password is empty");
    }
    Ok(password)
}

/// Reads the value of a variable, or the first line of a file without its end.
fn read(source: &InputSource) -> Result<Secret, Error> {
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

/// Asks on the terminal. Returns `None` where there is no terminal or no answer.
fn question(prompt: &str) -> Result<Option<Secret>, Error> {
    let answer = ask(prompt, MAX_LEN + 2).map_err(|e| Error::io(TERMINAL, e))?;
    answer.map(|line| checked(without_end(line), TERMINAL)).transpose()
}

/// Removes the end of a line.
fn without_end(mut line: Secret) -> Secret {
    if line.last() == Some(&b'\n') {
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
    }
    line
}

/// Checks that a text may be a password.
fn checked(password: Secret, from: &str) -> Result<Secret, Error> {
    let why = if password.len() > MAX_LEN {
        "is longer than 1024 bytes"
    } else if password.contains(&0) {
        "has a NUL byte"
    } else {
        return Ok(password);
    };
    Err(Error::PasswordUnusable { from: from.to_owned(), why })
}
