//! The options that name a private key.

use super::password::PasswordArgs;
use crate::tool::io::{InputSource, file_variable};
use crate::tool::report::Error;
use crate::tool::work::loader::{AllowWeak, Loader};
use crate::tool::work::unlock::Unlock;
use fndsa::files::{Accept, Kind, Object};
use std::path::PathBuf;

/// The private key on the command line.
#[derive(clap::Args, Debug)]
pub struct KeyArgs {
    /// Private key, `-` for standard input [env: FNDSA_KEY]
    #[arg(short, long, alias = "secret-key", value_name = "FILE")]
    key: Option<PathBuf>,
    /// Take the text of the private key file from this environment variable
    #[arg(long, value_name = "VAR", conflicts_with = "key")]
    key_env: Option<String>,
    #[command(flatten)]
    password: PasswordArgs,
}

impl KeyArgs {
    /// Returns where the private key comes from: option before environment.
    ///
    /// # Errors
    /// Neither is given.
    pub fn source(&self) -> Result<InputSource, Error> {
        if let Some(name) = &self.key_env {
            return Ok(InputSource::Variable(name.clone()));
        }
        let path = match &self.key {
            Some(path) => Some(path.clone()),
            None => file_variable("FNDSA_KEY", "use --key-env FNDSA_KEY")?,
        };
        path.map(|path| InputSource::from_arg(&path)).ok_or(Error::NoKey(Kind::SigningKey))
    }

    /// Returns where the password of the private key comes from; `None` for the terminal.
    ///
    /// # Errors
    /// The variable named is not set.
    pub fn password_source(&self) -> Result<Option<InputSource>, Error> {
        self.password.source()
    }

    /// Reads the private key that [`Self::source`] names, with its password if it has one.
    ///
    /// # Errors
    /// Those of [`Loader::only`].
    pub fn load(&self, source: &InputSource, accept: Accept, weak: AllowWeak) -> Result<Object, Error> {
        Loader::new(accept, weak).with(Unlock::new(self.password.source()?)).only(source, Kind::SigningKey)
    }
}
