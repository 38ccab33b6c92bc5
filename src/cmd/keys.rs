//! Keys and signatures as the commands want them: of the right kind, checked, of an allowed degree.

use super::armor::{self, Defect, Kind, Object};
use super::io::Source;
use super::json::hex;
use super::report::{Error, algorithm};
use fndsa::{Degree, KeyError, Level, Scheme, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::path::PathBuf;

/// The private key on the command line.
#[derive(clap::Args, Debug)]
pub struct KeyArgs {
    /// Private key, `-` for standard input [env: FNDSA_KEY]
    #[arg(short, long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Take the text of the private key file from this environment variable
    #[arg(long, value_name = "VAR", conflicts_with = "key")]
    key_env: Option<String>,
}

impl KeyArgs {
    /// Where the private key comes from: option before environment.
    ///
    /// # Errors
    /// Neither is given.
    pub fn source(&self) -> Result<Source, Error> {
        if let Some(name) = &self.key_env {
            return Ok(Source::Variable(name.clone()));
        }
        let path = self.key.clone().or_else(|| variable("FNDSA_KEY").map(PathBuf::from));
        path.map(|path| Source::from_arg(&path)).ok_or(Error::NoKey(Kind::SigningKey))
    }
}

/// An environment variable that is set to something.
pub fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// Whether toy degrees are let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllowWeak(pub bool);

/// Reads a file of any kind.
///
/// # Errors
/// It cannot be read, has a defect, or is a toy.
pub fn load_any(source: &Source, weak: AllowWeak) -> Result<Object, Error> {
    parse(&source.read_small()?, &source.to_string(), weak)
}

/// What the contents of a file, or a part of it, are.
///
/// # Errors
/// They have a defect, or are a toy.
fn parse(data: &[u8], from: &str, weak: AllowWeak) -> Result<Object, Error> {
    let object = armor::read(data).map_err(|defect| Error::Format { from: from.to_owned(), defect })?;
    if object.degree.is_toy() && !weak.0 {
        return Err(Error::Toy { from: from.to_owned(), degree: object.degree });
    }
    Ok(object)
}

/// Reads a file of one kind.
///
/// # Errors
/// As [`load_any`], or it is of another kind.
pub fn load(source: &Source, wanted: Kind, weak: AllowWeak) -> Result<Object, Error> {
    of_kind(&source.read_small()?, &source.to_string(), wanted, weak)
}

/// The contents of a file, or a part of it, that must be of one kind.
///
/// # Errors
/// As [`load`].
pub fn of_kind(data: &[u8], from: &str, wanted: Kind, weak: AllowWeak) -> Result<Object, Error> {
    match parse(data, from, weak) {
        Ok(object) if object.kind == wanted => Ok(object),
        Ok(object) => Err(Error::Role { from: from.to_owned(), found: object.kind, wanted }),
        Err(Error::Format { from, defect: Defect::Foreign(what) }) => Err(Error::Foreign { from, what }),
        Err(e) => Err(e),
    }
}

/// A checked private key together with its public key.
pub struct Private<'a> {
    /// The key.
    pub key: SigningKey<'a>,
    /// The encoding of its public key.
    pub public: Vec<u8>,
    /// The fingerprint of its public key.
    pub fingerprint: String,
}

impl<'a> Private<'a> {
    /// Checks a private key in full.
    ///
    /// # Errors
    /// What it is refused for.
    pub fn check(level: Level, object: &'a Object, source: &Source) -> Result<Self, Error> {
        let refused = |e| Error::Key { from: source.to_string(), kind: Kind::SigningKey, source: e };
        let mut work = vec![0; object.degree.import_work_len()];
        let key = SigningKey::from_bytes(level, Scheme::FnDsa, &object.bytes, &mut work).map_err(refused)?;
        let mut public = vec![0; object.degree.verifying_key_len()];
        key.verifying_key_into(level, &mut public, &mut work).map_err(refused)?;
        let fingerprint = fingerprint(&public);
        Ok(Self { key, public, fingerprint })
    }
}

/// A checked public key.
pub struct Public<'a> {
    /// The key.
    pub key: VerifyingKey<'a>,
    /// Its fingerprint.
    pub fingerprint: String,
}

impl<'a> Public<'a> {
    /// Checks a public key.
    ///
    /// # Errors
    /// What it is refused for.
    pub fn check(object: &'a Object, from: impl ToString) -> Result<Self, Error> {
        let refused = |e: KeyError| Error::Key { from: from.to_string(), kind: Kind::VerifyingKey, source: e };
        let key = VerifyingKey::from_bytes(Scheme::FnDsa, &object.bytes).map_err(refused)?;
        Ok(Self { key, fingerprint: fingerprint(&object.bytes) })
    }

    /// Algorithm and fingerprint.
    pub fn name(&self) -> String {
        format!("{} {}", algorithm(self.key.degree()), self.fingerprint)
    }
}

/// What a public key is known by: SHA-256 of its encoding.
pub fn fingerprint(public: &[u8]) -> String {
    format!("sha256:{}", hex(&Sha256::digest(public)))
}

/// The line before a PEM block.
pub fn note(kind: Kind, degree: Degree, fingerprint: &str) -> String {
    let of = match kind {
        Kind::SigningKey => "of public key ",
        Kind::VerifyingKey => "",
        Kind::Signature => "by ",
    };
    format!("fndsa {} {} {of}{fingerprint}", kind.name(), algorithm(degree))
}
