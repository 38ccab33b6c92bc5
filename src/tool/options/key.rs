//! Options that name a private key.

use super::algorithm::any_algorithm;
use super::heading;
use super::password::PasswordArgs;
use crate::tool::io::{Destination, InputSource, file_variable, stdin_once};
use crate::tool::keys::key_note::noted_for;
use crate::tool::keys::loader::AllowWeak;
use crate::tool::keys::loader::ObjectLoader;
use crate::tool::report::{Error, Report};
use fndsa::Algorithm;
use fndsa::files::{FileEncoding, FileObject, ObjectKind, ReadOptions};
use std::path::{Path, PathBuf};

/// The environment variable with the name of the private key file.
const KEY: &str = "FNDSA_KEY";
/// The length in bytes of a raw Ed25519 key. Private keys and public keys have this length.
const ED25519_KEY_LEN: usize = 32;

/// A private key, and the fingerprint in the note (the line before the PEM block), if there is a
/// note.
pub type NotedKey = (FileObject, Option<String>);

/// The only private key on the command line.
#[derive(clap::Args, Debug)]
pub struct OneKeyArgs {
    /// Private key file, the same as with --key
    #[arg(value_name = "FILE", conflicts_with_all = ["key", "key_env"])]
    file: Option<PathBuf>,
    #[command(flatten)]
    key: KeyArgs,
    /// Algorithm of the private key, if the file does not name it (see `fndsa help algorithms`)
    #[arg(short, long, value_name = "NAME", value_parser = any_algorithm(), help_heading = heading::KEYS,
        hide_short_help = true, hide_possible_values = true)]
    algorithm: Option<Algorithm>,
}

impl OneKeyArgs {
    /// Returns the source of the key. `what` names the operation in error messages. The output must
    /// not be the file with the key or with its password.
    ///
    /// # Errors
    /// Fails if the user gave no key or several keys, if two inputs are standard input, or if the
    /// output is an input.
    pub fn source(&self, what: &'static str, output: &Path) -> Result<InputSource, Error> {
        let source = match &self.file {
            Some(path) => InputSource::from_arg(path),
            None => self.key.source(what)?,
        };
        let password = self.key.password_source()?;
        stdin_once([&source].into_iter().chain(&password))?;
        Destination::refuse_inputs(output, [&source].into_iter().chain(&password))?;
        Ok(source)
    }

    /// Reads the key.
    ///
    /// # Errors
    /// Fails if [`KeyArgs::load`] fails.
    pub fn load(
        &self,
        what: &'static str,
        source: &InputSource,
        weak: AllowWeak,
        report: &mut Report,
    ) -> Result<NotedKey, Error> {
        let accept = ReadOptions::default().with_algorithm(self.algorithm);
        let mut keys = self.key.load(std::slice::from_ref(source), &accept, weak, report)?;
        match (keys.pop(), keys.len()) {
            (Some(key), 0) => Ok(key),
            _ => Err(Error::OneKey(what)),
        }
    }
}

/// The private key on the command line.
#[derive(clap::Args, Debug)]
pub struct KeyArgs {
    /// Private key file [env: FNDSA_KEY]
    ///
    /// `-` reads the key from standard input.
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
    /// Changes the help text of `--key` for a command that accepts several keys.
    pub fn describe_several(arg: clap::Arg) -> clap::Arg {
        if arg.get_id() != "key" {
            return arg;
        }
        arg.help("Private key file; repeat to sign with several keys [env: FNDSA_KEY]")
            .long_help("Private key file; repeat to sign with several keys [env: FNDSA_KEY]\n\n`-` reads a key from standard input.")
    }

    /// Returns the sources of the private keys, at least one. The files of `--key` come first, and
    /// then the variables of `--key-env`. Without these options, the source is the file that
    /// `FNDSA_KEY` names.
    ///
    /// # Errors
    /// Fails if the user did not give a private key, or if `FNDSA_KEY` contains the text of a key.
    pub fn sources(&self) -> Result<Vec<InputSource>, Error> {
        let mut sources = Vec::with_capacity(self.key.len() + self.key_env.len());
        for path in &self.key {
            sources.push(InputSource::from_arg(path));
        }
        for name in &self.key_env {
            sources.push(InputSource::Variable(name.clone()));
        }
        if sources.is_empty()
            && let Some(path) = file_variable(KEY, "use --key-env FNDSA_KEY")?
        {
            sources.push(InputSource::from_arg(&path));
        }
        if sources.is_empty() { Err(Error::NoKey(ObjectKind::SigningKey)) } else { Ok(sources) }
    }

    /// Prints a warning if `FNDSA_KEY` is set, but ignored because of `--key-env`. A user may
    /// expect that both keys are used, because fndsa does combine the keys from `--key` and
    /// `--key-env`. There is no warning if `--key` is given, because this option replaces
    /// `FNDSA_KEY`. There is also no warning if `FNDSA_KEY` is a value of `--key-env`, because the
    /// variable is then used.
    pub fn warn_if_variable_unused(&self, report: &mut Report) {
        let names_another = !self.key_env.is_empty() && !self.key_env.iter().any(|name| name == KEY);
        if self.key.is_empty() && names_another && !std::env::var_os(KEY).unwrap_or_default().is_empty() {
            report.warn(
                "FNDSA_KEY is ignored, because --key-env is given; to sign with both keys, also give the file with --key",
            );
        }
    }

    /// Returns the source of the private key, for an operation with a single key. `what` names the
    /// operation in error messages.
    ///
    /// # Errors
    /// Fails if the user gave no key, or several keys.
    pub fn source(&self, what: &'static str) -> Result<InputSource, Error> {
        match &self.sources()?[..] {
            [one] => Ok(one.clone()),
            _ => Err(Error::OneKey(what)),
        }
    }

    /// Returns the source of the password. Returns `None` if the user types the password on the
    /// terminal.
    ///
    /// # Errors
    /// Fails if [`PasswordArgs::source`] fails.
    pub fn password_source(&self) -> Result<Option<InputSource>, Error> {
        self.password.source()
    }

    /// Reads the private keys. A password from an option or a variable is used for all encrypted
    /// keys. Without such a password, the user types a password for each encrypted key.
    ///
    /// # Errors
    /// Fails if a source cannot be read or is not a private key, or if an option gives a password
    /// but no key is encrypted.
    pub fn load(
        &self,
        sources: &[InputSource],
        accept: &ReadOptions,
        weak: AllowWeak,
        report: &mut Report,
    ) -> Result<Vec<NotedKey>, Error> {
        let loader = ObjectLoader::new(accept.clone(), weak).with(self.password.unlock()?);
        let mut keys = Vec::with_capacity(sources.len());
        for source in sources {
            let data = source.read_small();
            let data = data.map_err(|e| source.explain_missing(e, &[ObjectKind::SigningKey]))?;
            let object = loader.part(&data, source, ObjectKind::SigningKey)?;
            if may_be_public(&object, &data) {
                report.warn(&format!(
                    "{source}: this is 32 bytes, which may be a private key or a public key of Ed25519, and fndsa uses it as a \
                     private key; if it is a public key, everybody can make the same signatures"
                ));
            }
            let noted = noted_for(&data, &object);
            keys.push((object, noted));
        }
        loader.check_password_use(true, report)?;
        Ok(keys)
    }

    /// Checks that no option gives a password. This function is for `sign --public-key`, which
    /// reads no private key.
    ///
    /// # Errors
    /// Fails if an option gives a password.
    pub fn refuse_password(&self, report: &mut Report) -> Result<(), Error> {
        self.password.unlock()?.check_use(false, report)
    }
}

/// Returns whether a private key file could also be a public key file. This is the case for an
/// Ed25519 key as 32 bytes or as hexadecimal digits, because an Ed25519 public key can have the
/// same form.
fn may_be_public(object: &FileObject, data: &[u8]) -> bool {
    let is_short = match object.encoding {
        FileEncoding::Raw => data.len() == ED25519_KEY_LEN,
        FileEncoding::Hex => true,
        _ => false,
    };
    is_short && object.algorithm() == Algorithm::ED25519
}
