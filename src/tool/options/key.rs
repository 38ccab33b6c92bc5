//! Options that name a private key.

use super::heading;
use super::password::PasswordArgs;
use crate::tool::io::{InputSource, file_variable};
use crate::tool::keys::loader::AllowWeak;
use crate::tool::keys::loader::ObjectLoader;
use crate::tool::report::{Error, Report};
use fndsa::files::{FileObject, ObjectKind, ReadOptions};
use std::path::PathBuf;

/// The private key on the command line.
#[derive(clap::Args, Debug)]
pub struct KeyArgs {
    /// Private key file; `fndsa sign` accepts several [env: FNDSA_KEY]
    ///
    /// `-` reads the key from standard input. If `fndsa sign` gets several keys, every key signs.
    #[arg(short, long, alias = "secret-key", value_name = "FILE", help_heading = heading::KEYS)]
    key: Vec<PathBuf>,
    /// Environment variable with the text of a private key file
    ///
    /// Use this option in CI, where the key is a secret variable. You can give it together with --key.
    #[arg(long, value_name = "VAR", help_heading = heading::KEYS)]
    key_env: Vec<String>,
    #[command(flatten)]
    password: PasswordArgs,
}

impl KeyArgs {
    /// Returns the private key sources: first files, then variables that options name. If there are
    /// no such options, it returns the source that `FNDSA_KEY` names. There is at least one source.
    ///
    /// # Errors
    /// The user did not give a private key.
    pub fn sources(&self) -> Result<Vec<InputSource>, Error> {
        let files = self.key.iter().map(|path| InputSource::from_arg(path));
        let mut sources: Vec<_> = files.chain(self.key_env.iter().cloned().map(InputSource::Variable)).collect();
        if sources.is_empty() {
            let named = file_variable("FNDSA_KEY", "use --key-env FNDSA_KEY")?;
            sources.extend(named.map(|path| InputSource::from_arg(&path)));
        }
        if sources.is_empty() { Err(Error::NoKey(ObjectKind::SigningKey)) } else { Ok(sources) }
    }

    /// Returns the source for a single private key, for an operation `what` that uses only one key.
    ///
    /// # Errors
    /// The user gave no key, or several keys.
    pub fn source(&self, what: &'static str) -> Result<InputSource, Error> {
        match &self.sources()?[..] {
            [one] => Ok(one.clone()),
            _ => Err(Error::OneKey(what)),
        }
    }

    /// Returns the source for the private key's password; `None` for the terminal.
    ///
    /// # Errors
    /// The variable that an option names is not set.
    pub fn password_source(&self) -> Result<Option<InputSource>, Error> {
        self.password.source()
    }

    /// Reads private keys. One password decrypts all encrypted keys.
    ///
    /// # Errors
    /// An error from [`ObjectLoader::only`], or an option gives a password and no key is encrypted.
    pub fn load(
        &self,
        sources: &[InputSource],
        accept: &ReadOptions,
        weak: AllowWeak,
        report: &mut Report,
    ) -> Result<Vec<FileObject>, Error> {
        let loader = ObjectLoader::new(accept.clone(), weak).with(self.password.unlock()?);
        let keys =
            sources.iter().map(|source| loader.only(source, ObjectKind::SigningKey)).collect::<Result<_, _>>()?;
        loader.check_password_use(true, report)?;
        Ok(keys)
    }

    /// Checks that no option gives a password, for a command that does not read a private key.
    ///
    /// # Errors
    /// An option gives a password.
    pub fn refuse_password(&self, report: &mut Report) -> Result<(), Error> {
        self.password.unlock()?.check_use(false, report)
    }
}
