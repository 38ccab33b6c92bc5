//! `fndsa pubkey`: the public key of a private key.

use super::Context;
use super::escape::shown;
use super::io::{Access, Destination, Force, stdin_once};
use super::keys::{KeyArgs, Private, note};
use super::object::{Encoding, Kind};
use super::oid::Oid;
use super::report::{Entry, Error, Report, algorithm};
use super::stored::Style;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    key: KeyArgs,
    /// The public key goes here
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Form of the public key
    #[arg(long, value_name = "FORM", default_value = "pem",
        value_parser = Encoding::among(&[Encoding::Pem, Encoding::Raw, Encoding::Spki]))]
    format: Encoding,
    /// Write this OID into SPKI instead of the one of FN-DSA
    #[arg(long, value_name = "OID", value_parser = Oid::parse_free)]
    oid: Option<Oid>,
    /// Replace an existing file
    #[arg(short, long)]
    force: bool,
}

/// Runs the command.
///
/// # Errors
/// The private key is not good, or the public key could not be written.
pub fn run(args: &Args, context: &Context, report: &mut Report) -> Result<(), Error> {
    let source = args.key.source()?;
    let password = args.key.password_source()?;
    stdin_once([&source].into_iter().chain(&password))?;
    Destination::refuse_inputs(&args.output, [&source].into_iter().chain(&password))?;
    if args.oid.is_some() && args.format.kind().is_none() {
        return Err(Error::OidUnused);
    }
    if context.voice.json && Destination::names_stdout(&args.output) {
        return Err(Error::JsonOnStdout);
    }
    let object = args.key.load(&source, context.weak)?;
    let private = Private::check(context.level()?, &object, &source)?;
    let destination = Destination::new(&args.output, if args.force { Force::Yes } else { Force::No }, Access::Public)?;
    if args.format.is_binary() {
        destination.refuse_terminal()?;
    }
    let note = note(Kind::VerifyingKey, object.degree, &private.fingerprint);
    let style = Style { oid: args.oid.as_ref(), ..Style::plain(args.format) };
    destination.write(&style.write(Kind::VerifyingKey, object.degree, &note, &private.public)?)?;
    report.detail(&format!("{}: {} {}", shown(&args.output), algorithm(object.degree), private.fingerprint));
    report.push(Entry::of(&args.output).algorithm(object.degree).key(&private.fingerprint).ok());
    Ok(())
}
