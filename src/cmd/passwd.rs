//! `fndsa passwd`: the password of a private key file, given, changed or removed in place.
//!
//! The new file is complete before it takes the place of the old one, which stays as it is on any
//! error. A link is refused: the writer would put a file in its place and leave the real one, with the
//! old password, where it was.

use crate::tool::context::CommandContext;
use crate::tool::io::{Access, Destination, Force, InputSource, stdin_once};
use crate::tool::keys::key_file_options::NewFile;
use crate::tool::keys::loader::{self, Loader, Private};
use crate::tool::keys::unlock::new_password;
use crate::tool::options::algorithm::any_algorithm;
use crate::tool::options::form::free_oid;
use crate::tool::options::heading;
use crate::tool::options::password::{NEW_PASSWORD, NewPasswordArgs, PasswordArgs};
use crate::tool::report::escape::shown;
use crate::tool::report::{Entry, Error, Report};
use fndsa::Algorithm;
use fndsa::files::{Accept, Encoding, Kind, Object, Oid, Style};
use serde_json::json;
use std::path::{Path, PathBuf};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Private key file, with --output also `-` for standard input
    key: PathBuf,
    /// Write the result to this file, `-` for standard output; KEY is not changed
    #[arg(short, long, value_name = "FILE", help_heading = heading::OUTPUT)]
    output: Option<PathBuf>,
    /// Remove the password
    ///
    /// The result is PEM in the format of fndsa, or PKCS#8 if the key has attributes.
    #[arg(long, conflicts_with_all = ["new_password_file", "new_password_env"], help_heading = heading::KEYS)]
    remove: bool,
    /// Use this object identifier for the algorithm
    #[arg(long, value_name = "OID", value_parser = free_oid, help_heading = heading::EXPERT, hide_short_help = true)]
    oid: Option<Oid>,
    /// Algorithm of the key, if the file does not name it (see `fndsa help algorithms`)
    #[arg(short, long, value_name = "NAME", value_parser = any_algorithm(), help_heading = heading::KEYS,
        hide_short_help = true, hide_possible_values = true)]
    algorithm: Option<Algorithm>,
    #[command(flatten)]
    password: PasswordArgs,
    #[command(flatten)]
    new_password: NewPasswordArgs,
    /// Replace an existing FILE of --output
    #[arg(short, long, help_heading = heading::OUTPUT)]
    force: bool,
}

/// Runs the command.
///
/// # Errors
/// The key cannot be opened, or the result could not be written; KEY is as it was.
pub fn run(args: &Args, context: &CommandContext, report: &mut Report) -> Result<(), Error> {
    let source = InputSource::from_arg(&args.key);
    let old_source = args.password.source()?;
    let new_source = args.new_password.source()?;
    let others = || old_source.iter().chain(&new_source);
    stdin_once([&source].into_iter().chain(others()))?;
    let mut before = None;
    let (path, force) = match &args.output {
        Some(path) => {
            Destination::refuse_inputs(path, [&source].into_iter().chain(others()))?;
            (path, if args.force { Force::Keys } else { Force::No })
        }
        None => {
            regular(&args.key, &source)?;
            before = Some(InputSource::state(&args.key)?);
            (&args.key, Force::Keys)
        }
    };
    if context.voice.json && Destination::names_stdout(path) {
        return Err(Error::JsonOnStdout);
    }
    let accept = Accept { oid: args.oid.clone(), algorithm: args.algorithm, ..Accept::default() };
    let loader = Loader::new(accept, context.weak).with(args.password.unlock()?);
    let object = loader.only(&source, Kind::SigningKey)?;
    let private = Private::check(context.level()?, &object, &source)?;
    if args.remove && object.encryption().is_none() {
        return Err(Error::NotEncrypted { from: source.to_string() });
    }
    loader.check_password_use(true, report)?;
    let destination = Destination::new(path, force, Access::Private)?;
    // PEM of FN-DSA's own has no place for attributes.
    let is_own = args.remove && object.attributes().is_none();
    let encoding = if is_own { Encoding::Pem } else { pkcs8_form(&object) };
    if encoding.is_binary() {
        destination.refuse_terminal()?;
    }
    let new = if args.remove { None } else { Some(new_password(new_source.as_ref(), NEW_PASSWORD, report)?) };
    // Nothing but the password changes: a container keeps its OID and layout, with the public key or without.
    let style = match &object.container {
        Some(container) => Style {
            oid: Some(&container.oid),
            layout: Some(container.layout),
            public: container.public.as_deref(),
            expanded: object.expanded.as_ref().map(|expanded| &expanded[..]),
            attributes: container.attributes.as_deref(),
            ..Style::plain(encoding)
        },
        None => Style { oid: args.oid.as_ref(), public: Some(&private.public), ..Style::plain(encoding) },
    };
    let new_file = NewFile { style, password: new.as_ref().map(|new| &new[..]) };
    let note = Kind::SigningKey.note(object.algorithm(), &private.fingerprint);
    let file = new_file.contents(Kind::SigningKey, object.algorithm(), &note, &object.bytes)?;
    match before {
        Some(before) => destination.replace(&file, before)?,
        None => destination.write(&file)?,
    }
    if args.output.is_some() {
        loader::warn_if_open(&source, report);
    }
    if new.is_none() {
        loader::warn_if_written_open(&destination, report);
    }

    let did = match (object.encryption(), &new) {
        (_, None) => "password removed",
        (Some(_), Some(_)) => "password changed",
        (None, Some(_)) => "password added",
    };
    report.note(&format!("{}: {did}", shown(path)));
    let entry = Entry::of(source.path()).path("output", path).algorithm(object.algorithm()).key(&private.fingerprint);
    report.push(entry.set("encrypted", json!(new.is_some())).ok());
    Ok(())
}

/// Returns the form of a key in PKCS#8, which is DER if the key is in DER.
fn pkcs8_form(object: &Object) -> Encoding {
    if object.encoding.is_der() { Encoding::Pkcs8Der } else { Encoding::Pkcs8 }
}

/// Refuses what cannot be replaced: a link, a device, standard input.
fn regular(path: &Path, source: &InputSource) -> Result<(), Error> {
    if *source == InputSource::Stdin {
        return Err(Error::InPlace(path.to_owned()));
    }
    match std::fs::symlink_metadata(path) {
        Ok(meta) if meta.is_symlink() => {
            let target = std::fs::canonicalize(path).map_err(|e| Error::io(source, e))?;
            Err(Error::Link { path: path.to_owned(), target })
        }
        // A directory is refused when it is read.
        Ok(meta) if !meta.is_file() && !meta.is_dir() => Err(Error::InPlace(path.to_owned())),
        _ => Ok(()),
    }
}
