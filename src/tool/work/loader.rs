//! Keys and signatures as the commands want them: of the right kind, checked, of an allowed degree.

use super::unlock::Unlock;
use crate::tool::io::{Destination, Source, secrecy};
use crate::tool::report::{Error, Report};
use fndsa::files::hex::hex;
use fndsa::files::{self, Accept, Defect, Kind, Locked, Object, OpenError, Stored};
use fndsa::{Algorithm, KeyError, Level, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};

/// What whoever uses the public key of a certificate should know.
pub const CERTIFICATE_NOTE: &str =
    "of a certificate only the public key is used: its signature, chain and dates are not checked";

/// Whether toy degrees are let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllowWeak(pub bool);

/// Reads a file of any kind, a private key behind a password too.
///
/// # Errors
/// It cannot be read, has a defect, or is a toy.
pub fn load_stored(source: &Source, accept: &Accept, weak: AllowWeak) -> Result<Stored, Error> {
    parse(&source.read_small()?, &source.to_string(), accept, weak)
}

/// What the contents of a file, or a part of it, are.
///
/// # Errors
/// They have a defect, or are a toy.
pub fn parse(data: &[u8], from: &str, accept: &Accept, weak: AllowWeak) -> Result<Stored, Error> {
    let stored = files::read(data, accept);
    match stored.map_err(|defect| Error::Format { from: from.to_owned(), defect })? {
        Stored::Plain(object) => allowed(object, from, accept, weak).map(Stored::Plain),
        locked => Ok(locked),
    }
}

/// Lets a toy in only where toys are, and takes what may be of several schemes for what it is said to be.
fn allowed(mut object: Object, from: &str, accept: &Accept, weak: AllowWeak) -> Result<Object, Error> {
    let found = object.algorithm();
    if let Some(wanted) = accept.algorithm
        && !object.narrow(wanted)
    {
        let found = object.names().unwrap_or_else(|| found.to_string());
        return Err(Error::OtherAlgorithm { from: from.to_owned(), found, wanted });
    }
    if found.degree.is_toy() && !weak.0 {
        return Err(Error::Toy { from: from.to_owned(), algorithm: object.algorithm() });
    }
    Ok(object)
}

/// Opens an encrypted private key.
///
/// # Errors
/// There is no password, it is wrong, or what it opens is no private key.
pub fn unlock(
    locked: &Locked,
    source: &Source,
    unlock: &Unlock,
    accept: &Accept,
    weak: AllowWeak,
) -> Result<Object, Error> {
    let from = || source.to_string();
    let password = unlock.password(source)?;
    let object = locked.unlock(&password, accept).map_err(|refused| match refused {
        OpenError::Memory(mebibytes) => Error::NoMemory { from: from(), mebibytes },
        OpenError::Content(defect) => Error::Format { from: from(), defect },
        _ => Error::WrongPassword { from: from() },
    })?;
    allowed(object, &source.to_string(), accept, weak)
}

/// Reads a key or signature of any kind, with the password of a private key that has one.
///
/// # Errors
/// As [`load_stored`] and [`unlock`].
pub fn load_unlocked(source: &Source, with: &Unlock, accept: &Accept, weak: AllowWeak) -> Result<Object, Error> {
    match load_stored(source, accept, weak)? {
        Stored::Plain(object) => Ok(object),
        Stored::Locked(locked) => unlock(&locked, source, with, accept, weak),
    }
}

/// Reads a private key, with its password if it has one.
///
/// # Errors
/// As [`load_unlocked`], or it is of another kind.
pub fn load_private(source: &Source, with: &Unlock, accept: &Accept, weak: AllowWeak) -> Result<Object, Error> {
    only(load_unlocked(source, with, accept, weak), &source.to_string(), Kind::SigningKey)
}

/// Reads a file of one kind that needs no password.
///
/// # Errors
/// As [`load_stored`], or it is of another kind.
pub fn load(source: &Source, wanted: Kind, accept: &Accept, weak: AllowWeak) -> Result<Object, Error> {
    of_kind(&source.read_small()?, &source.to_string(), wanted, accept, weak)
}

/// The contents of a file, or a part of it, that must be of one kind and need no password.
///
/// # Errors
/// As [`load`].
pub fn of_kind(data: &[u8], from: &str, wanted: Kind, accept: &Accept, weak: AllowWeak) -> Result<Object, Error> {
    let object = match parse(data, from, accept, weak) {
        Ok(Stored::Plain(object)) => Ok(object),
        Ok(Stored::Locked(_)) if wanted == Kind::SigningKey => Err(Error::PasswordNeeded { from: from.to_owned() }),
        Ok(Stored::Locked(_)) => Err(Error::Role { from: from.to_owned(), found: Kind::SigningKey, wanted }),
        Err(e) => Err(e),
    };
    only(object, from, wanted)
}

/// Refuses an object of another kind.
fn only(object: Result<Object, Error>, from: &str, wanted: Kind) -> Result<Object, Error> {
    match object {
        Ok(object) if object.kind == wanted => Ok(object),
        Ok(object) => Err(Error::Role { from: from.to_owned(), found: object.kind, wanted }),
        Err(Error::Format { from, defect: Defect::Foreign(what) }) => Err(Error::Foreign { from, what }),
        Err(Error::Format { from, defect: Defect::Unknown(what) }) => Err(Error::Unrecognised { from, wanted, what }),
        Err(e) => Err(e),
    }
}

/// Warns of a private key file that others may read.
pub fn warn_if_open(source: &Source, report: &mut Report) {
    if let Some(text) = source.open_to_others() {
        report.warn(&format!("{source}: {text}"));
    }
}

/// Warns where a private key has gone to a file that others may read: the shell has made it.
pub fn warn_if_written_open(destination: &Destination, report: &mut Report) {
    if let Some(text) = destination.open_to_others() {
        report.warn(&format!("standard output: {text}"));
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
    pub fn check(level: Level, object: &'a Object, from: impl ToString) -> Result<Self, Error> {
        let refused = |e| Error::Key { from: from.to_string(), kind: Kind::SigningKey, source: e };
        let algorithm = object.algorithm();
        let mut work = vec![0; algorithm.degree.import_work_len()];
        let key = SigningKey::from_bytes(level, algorithm.scheme, &object.bytes, &mut work).map_err(refused)?;
        let mut public = vec![0; algorithm.verifying_key_len()];
        key.verifying_key_into(level, &mut public, &mut work).map_err(refused)?;
        let embedded = object.container.as_ref().and_then(|container| container.public.as_ref());
        if embedded.is_some_and(|embedded| *embedded != public) {
            return Err(Error::EmbeddedPublic { from: from.to_string() });
        }
        let fingerprint = fingerprint(&public);
        secrecy::again();
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
        let stated = object.algorithm();
        let key = VerifyingKey::from_bytes(stated.scheme, &object.bytes).map_err(|source: KeyError| {
            let from = from.to_string();
            // The other order of bits?
            let detected = Object::detect(Kind::VerifyingKey, object.encoding, object.bytes.clone());
            match detected.ok().filter(|it| !it.may_be(stated.scheme)).and_then(|it| it.names()) {
                Some(found) => Error::OtherContent { from, kind: Kind::VerifyingKey, stated, found },
                None => Error::Key { from, kind: Kind::VerifyingKey, source },
            }
        })?;
        Ok(Self { key, fingerprint: fingerprint(&object.bytes) })
    }

    /// Algorithm and fingerprint.
    pub fn name(&self) -> String {
        format!("{} {}", self.key.algorithm(), self.fingerprint)
    }
}

/// What a public key is known by: SHA-256 of its encoding.
pub fn fingerprint(public: &[u8]) -> String {
    format!("sha256:{}", hex(&Sha256::digest(public)))
}

/// The line before a PEM block.
pub fn note(kind: Kind, algorithm: Algorithm, fingerprint: &str) -> String {
    let of = match kind {
        Kind::SigningKey => "of public key ",
        Kind::VerifyingKey => "",
        Kind::Signature => "by ",
    };
    format!("fndsa {} {algorithm} {of}{fingerprint}", kind.name())
}
