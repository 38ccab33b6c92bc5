//! `fndsa pubkey`: prints the public key of a private key.

use crate::tool::context::CommandContext;
use crate::tool::io::{Destination, NewFileAccess, OverwriteRule};
use crate::tool::keys::loader::{LoadedPrivateKey, check_prehash_is_kept, warn_if_noted_differently, warn_if_open};
use crate::tool::options::form::{encoding_among, free_oid};
use crate::tool::options::heading;
use crate::tool::options::key::OneKeyArgs;
use crate::tool::report::escape::shown;
use crate::tool::report::{Error, Report, ResultEntry};
use fndsa::files::{FileEncoding, ObjectKind, Oid, WriteOptions};
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    key: OneKeyArgs,
    /// Write the public key to this file
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = heading::OUTPUT)]
    output: PathBuf,
    /// Format of the public key
    #[arg(long, value_name = "FORM", default_value = "pem", help_heading = heading::OUTPUT,
        value_parser = encoding_among(&[FileEncoding::Pem, FileEncoding::Raw, FileEncoding::Spki]))]
    format: FileEncoding,
    /// Write this object identifier to SPKI instead of the usual identifier
    #[arg(long, value_name = "OID", value_parser = free_oid, help_heading = heading::EXPERT, hide_short_help = true)]
    oid: Option<Oid>,
    /// Replace an existing file
    #[arg(short, long, help_heading = heading::OUTPUT)]
    force: bool,
}

/// Runs `fndsa pubkey`.
///
/// # Errors
/// Fails if the private key is not valid, or the public key cannot be written.
pub fn run(args: &Args, context: &CommandContext, report: &mut Report) -> Result<(), Error> {
    let source = args.key.source("pubkey", &args.output)?;
    if args.oid.is_some() && args.format.kind().is_none() {
        return Err(Error::OidUnused);
    }
    if context.output.json && Destination::names_stdout(&args.output) {
        return Err(Error::JsonOnStdout);
    }
    // The output is checked before the user types a password.
    let destination =
        Destination::new(&args.output, OverwriteRule::PublicKeys.with(args.force), NewFileAccess::Public)?;
    if args.format.is_binary() {
        destination.refuse_terminal()?;
    }
    let level = context.level()?;
    let (object, noted) = &args.key.load("pubkey", &source, context.weak, report)?;
    let private = LoadedPrivateKey::check(level, object, &source)?;
    warn_if_noted_differently(noted.as_deref(), &private.fingerprint, &source, report);
    warn_if_open(&source, report);
    check_prehash_is_kept(object, args.format.of(ObjectKind::VerifyingKey, object.algorithm()), &source)?;
    let note = ObjectKind::VerifyingKey.note(object.algorithm(), &private.fingerprint);
    let style = WriteOptions::plain(args.format).with_oid(args.oid.as_ref().or(object.oid()));
    let file =
        style.write(ObjectKind::VerifyingKey, object.algorithm(), &note, &private.public).map_err(Error::Write)?;
    destination.write(&file)?;
    report.detail(&format!("{}: {} {}", shown(&args.output), object.algorithm(), private.fingerprint));
    report.push(ResultEntry::of(&args.output).algorithm(object.algorithm()).key(&private.fingerprint).ok());
    Ok(())
}
