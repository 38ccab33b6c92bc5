//! The options that name a private key.

use super::heading;
use super::password::PasswordArgs;
use crate::tool::io::{InputSource, file_variable};
use crate::tool::keys::loader::AllowWeak;
use crate::tool::keys::loader::Loader;
use crate::tool::report::{Error, Report};
use fndsa::files::{Accept, Kind, Object};
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
    /// Returns where the private keys come from: files, then variables that options name; without either what `FNDSA_KEY` names.
    /// There is at least one.
    ///
    /// # Errors
    /// None is given.
    pub fn sources(&self) -> Result<Vec<InputSource>, Error> {
        let files = self.key.iter().map(|path| InputSource::from_arg(path));
        let mut sources: Vec<_> = files.chain(self.key_env.iter().cloned().map(InputSource::Variable)).collect();
        if sources.is_empty() {
            let named = file_variable("FNDSA_KEY", "use --key-env FNDSA_KEY")?;
            sources.extend(named.map(|path| InputSource::from_arg(&path)));
        }
        if sources.is_empty() { Err(Error::NoKey(Kind::SigningKey)) } else { Ok(sources) }
    }

    /// Returns where the one private key comes from. `what` is done by one key alone.
    ///
    /// # Errors
    /// None is given, or several.
    pub fn source(&self, what: &'static str) -> Result<InputSource, Error> {
        match &self.sources()?[..] {
            [one] => Ok(one.clone()),
            _ => Err(Error::OneKey(what)),
        }
    }

    /// Returns where the password of the private key comes from; `None` for the terminal.
    ///
    /// # Errors
    /// The variable named is not set.
    pub fn password_source(&self) -> Result<Option<InputSource>, Error> {
        self.password.source()
    }

    /// Reads private keys, with the password where they have one: a source of passwords gives one for all.
    ///
    /// # Errors
    /// Those of [`Loader::only`], or an option gives a password and no key is encrypted.
    pub fn load(
        &self,
        sources: &[InputSource],
        accept: &Accept,
        weak: AllowWeak,
        report: &mut Report,
    ) -> Result<Vec<Object>, Error> {
        let loader = Loader::new(accept.clone(), weak).with(self.password.unlock()?);
        let keys = sources.iter().map(|source| loader.only(source, Kind::SigningKey)).collect::<Result<_, _>>()?;
        loader.check_password_use(true, report)?;
        Ok(keys)
    }

    /// Checks that no option gives a password, for a command that reads no private key.
    ///
    /// # Errors
    /// An option does.
    pub fn refuse_password(&self, report: &mut Report) -> Result<(), Error> {
        self.password.unlock()?.check_use(false, report)
    }
}
