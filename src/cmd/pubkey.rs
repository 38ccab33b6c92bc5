//! `fndsa pubkey`: the public key of a private key.

use super::Context;
use super::armor::{self, Format, Kind};
use super::escape::shown;
use super::io::{Access, Destination, Force};
use super::json::Entry;
use super::keys::{self, KeyArgs, Private, note};
use super::report::{Error, Report, algorithm};
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    key: KeyArgs,
    /// The public key goes here
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Form of the public key
    #[arg(long, value_enum, default_value_t = Format::Pem)]
    format: Format,
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
    Destination::refuse_inputs(&args.output, [&source])?;
    if context.voice.json && Destination::names_stdout(&args.output) {
        return Err(Error::JsonOnStdout);
    }
    let object = keys::load(&source, Kind::SigningKey, context.weak)?;
    let private = Private::check(context.level()?, &object, &source)?;
    let destination = Destination::new(&args.output, if args.force { Force::Yes } else { Force::No }, Access::Public)?;
    if args.format == Format::Raw {
        destination.refuse_terminal()?;
    }
    let note = note(Kind::VerifyingKey, object.degree, &private.fingerprint);
    destination.write(&armor::write(Kind::VerifyingKey, args.format, &note, &private.public))?;
    report.detail(&format!("{}: {} {}", shown(&args.output), algorithm(object.degree), private.fingerprint));
    report.push(Entry::of(&args.output).algorithm(object.degree).key(&private.fingerprint).ok());
    Ok(())
}
