//! `fndsa convert`: the same key or signature in another form.
//!
//! Nothing is converted that is not good: a private key is checked in full first. What comes out is
//! the same bytes in another wrapping; only the informational line of a PEM signature says less after
//! a detour over raw, because the signature does not know its key.

use super::Context;
use super::algorithm::parse_algorithm;
use super::container::Accept;
use super::escape::shown;
use super::io::{Access, Destination, Force, Source, stdin_once};
use super::keys::{self, Private, Public, note};
use super::object::{Encoding, Kind, Object};
use super::oid::Oid;
use super::password::{NewPasswordArgs, PasswordArgs, Unlock, new_password};
use super::report::{Entry, Error, Report};
use super::stored::Style;
use fndsa::{Algorithm, Level, Signature};
use std::path::PathBuf;

/// The options that give the password of the result.
pub const NEW_PASSWORD: &str = "--new-password-file FILE or --new-password-env VAR";

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Key or signature, `-` for standard input
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The result goes here, `-` for standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Form of the result; pkcs8 is for private keys, spki for public keys
    #[arg(long, value_name = "FORM", value_enum)]
    to: Encoding,
    /// Take this OID for the one of FN-DSA, in IN and in OUT
    #[arg(long, value_name = "OID", value_parser = Oid::parse_free)]
    oid: Option<Oid>,
    /// What IN is, whatever unknown OID it has: fn-dsa-512 or fn-dsa-1024
    #[arg(long, value_name = "NAME", value_parser = parse_algorithm)]
    algorithm: Option<Algorithm>,
    #[command(flatten)]
    password: PasswordArgs,
    /// Encrypt the private key in OUT with a new password; without this, OUT has none
    #[arg(long)]
    encrypt: bool,
    #[command(flatten)]
    new_password: NewPasswordArgs,
    /// Replace an existing file
    #[arg(short, long)]
    force: bool,
}

/// Runs the command.
///
/// # Errors
/// The input is not good, has no such form, or the result could not be written.
pub fn run(args: &Args, context: &Context, report: &mut Report) -> Result<(), Error> {
    if args.encrypt && args.to.kind() != Some(Kind::SigningKey) {
        return Err(Error::NotEncryptable(args.to));
    }
    if args.new_password.is_given() && !args.encrypt {
        return Err(Error::PasswordUnused);
    }
    let source = Source::from_arg(&args.input);
    let password = args.password.source()?;
    let new_source = args.new_password.source()?;
    let others = || password.iter().chain(&new_source);
    stdin_once([&source].into_iter().chain(others()))?;
    Destination::refuse_inputs(&args.output, [&source].into_iter().chain(others()))?;
    if context.voice.json && Destination::names_stdout(&args.output) {
        return Err(Error::JsonOnStdout);
    }
    let level = context.level()?;
    let accept = Accept { oid: args.oid.clone(), any_oid: args.algorithm.is_some(), algorithm: None };
    let object = keys::load_unlocked(&source, &Unlock::new(password), &accept, context.weak)?;
    if let Some(wanted) = args.algorithm
        && wanted != object.algorithm()
    {
        let found = object.algorithm().to_string();
        return Err(Error::OtherAlgorithm { from: source.to_string(), found, wanted });
    }
    if args.to.kind().is_some_and(|kind| kind != object.kind) {
        return Err(Error::Form { kind: object.kind, encoding: args.to });
    }
    if args.oid.is_some() && args.to.kind().is_none() && object.container.is_none() {
        return Err(Error::OidUnused);
    }
    let fingerprint = check(level, &object, &source)?;
    let access = if object.kind == Kind::SigningKey { Access::Private } else { Access::Public };
    let destination = Destination::new(&args.output, if args.force { Force::Yes } else { Force::No }, access)?;
    if args.to.is_binary() {
        destination.refuse_terminal()?;
    }
    let new = match args.encrypt {
        true => Some(new_password(new_source.as_ref(), NEW_PASSWORD, report)?),
        false => None,
    };
    let style = Style { encoding: args.to, oid: args.oid.as_ref(), password: new.as_ref().map(|new| &new[..]) };
    let note = match &fingerprint {
        Some(fingerprint) => note(object.kind, object.algorithm(), fingerprint),
        None => format!("fndsa {} {}", object.kind.name(), object.algorithm()),
    };
    destination.write(&style.write(object.kind, object.algorithm(), &note, &object.bytes)?)?;

    if object.encryption().is_some() && new.is_none() {
        report.note(&format!("note: {} has no password", shown(&args.output)));
    }
    let form = args.to.name();
    report.detail(&format!(
        "{source} -> {}: {} {}, {form}",
        shown(&args.output),
        object.algorithm(),
        object.kind.name()
    ));
    let entry = Entry::of(source.path()).path("output", &args.output).algorithm(object.algorithm());
    report.push(match &fingerprint {
        Some(fingerprint) => entry.key(fingerprint).ok(),
        None => entry.ok(),
    });
    Ok(())
}

/// Checks the content, and gives the fingerprint of a key.
///
/// # Errors
/// It is not good.
pub fn check(level: Level, object: &Object, source: &Source) -> Result<Option<String>, Error> {
    match object.kind {
        Kind::SigningKey => Private::check(level, object, source).map(|key| Some(key.fingerprint)),
        Kind::VerifyingKey => Public::check(object, source).map(|key| Some(key.fingerprint)),
        Kind::Signature => {
            let refused = |e| Error::Signature { from: source.to_string(), source: e };
            Signature::from_bytes(object.algorithm().scheme, &object.bytes).map_err(refused)?;
            Ok(None)
        }
    }
}
