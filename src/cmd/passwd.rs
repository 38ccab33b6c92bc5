//! `fndsa passwd`: sets, changes or removes the password of a private key file.
//!
//! The new file is completely written before it replaces the old file. Until then, an error does
//! not change the old file. If the new file's directory cannot be synchronised with the disk after
//! the replacement, the command fails, and the new file remains. fndsa rejects a link: the new file
//! would replace the link, and the link's target would still have the old password.

use crate::tool::context::CommandContext;
use crate::tool::io::{Destination, InputSource, NewFileAccess, OverwriteRule, stdin_once};
use crate::tool::keys::key_file_options::KeyFileOptions;
use crate::tool::keys::loader::{self, LoadedPrivateKey, ObjectLoader};
use crate::tool::keys::unlock::new_password;
use crate::tool::options::algorithm::any_algorithm;
use crate::tool::options::form::free_oid;
use crate::tool::options::heading;
use crate::tool::options::password::{NEW_PASSWORD, NewPasswordArgs, PasswordArgs};
use crate::tool::report::escape::shown;
use crate::tool::report::{Error, Report, ResultEntry};
use crate::tool::system::FileState;
use fndsa::Algorithm;
use fndsa::files::{FileEncoding, FileObject, ObjectKind, Oid, ReadOptions, WriteOptions};
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

/// Runs `fndsa passwd`.
///
/// # Errors
/// Fails if the command line or the key is rejected, or if the new file cannot be written. In this
/// case, KEY is not changed. Also fails if the directory of the new file cannot be synchronised. In
/// this case, the new file has already replaced the old file.
pub fn run(args: &Args, context: &CommandContext, report: &mut Report) -> Result<(), Error> {
    let plan = PasswdPlan::new(args, context, report)?;
    let private = LoadedPrivateKey::check(context.level()?, &plan.object, &plan.source)?;
    plan.run(&private, report)
}

/// A password change. The command line was checked and the key was decrypted, but [`run`] must
/// still check the key.
struct PasswdPlan<'a> {
    args: &'a Args,
    source: InputSource,
    object: FileObject,
    /// The output path, which is KEY or the value of `--output`.
    path: &'a Path,
    destination: Destination,
    /// The state of KEY if it will be replaced, to detect a change by other programs.
    original_state: Option<FileState>,
    encoding: FileEncoding,
    new_source: Option<InputSource>,
}

impl<'a> PasswdPlan<'a> {
    /// Checks the command line, reads KEY, and checks the output.
    ///
    /// # Errors
    /// Fails if the options contradict each other, if KEY cannot be read, decrypted or replaced, or
    /// if the output exists.
    fn new(args: &'a Args, context: &CommandContext, report: &mut Report) -> Result<Self, Error> {
        let source = InputSource::from_arg(&args.key);
        let new_source = args.new_password.source()?;
        let mut inputs = vec![source.clone()];
        inputs.extend(args.password.source()?);
        inputs.extend(new_source.clone());
        // At most one input can be standard input.
        stdin_once(&inputs)?;
        let mut original_state = None;
        let (path, overwrite) = match &args.output {
            Some(path) => {
                Destination::refuse_inputs(path, &inputs)?;
                (path, if args.force { OverwriteRule::Keys } else { OverwriteRule::No })
            }
            None => {
                check_replaceable(&args.key, &source)?;
                let state = InputSource::state(&args.key);
                original_state = Some(state.map_err(|e| source.explain_missing(e, &[ObjectKind::SigningKey]))?);
                (&args.key, OverwriteRule::Keys)
            }
        };
        // With `--json`, the JSON document is written to standard output, so no key can be written
        // there.
        if context.output.json && Destination::names_stdout(path) {
            return Err(Error::JsonOnStdout);
        }
        let accept = ReadOptions::default().with_oid(args.oid.clone()).with_algorithm(args.algorithm);
        let loader = ObjectLoader::new(accept, context.weak).with(args.password.unlock()?);
        let kind = ObjectKind::SigningKey;
        let data = source.read_small().map_err(|e| source.explain_missing(e, &[kind]))?;
        // This command would write the key in a format that ssh cannot read.
        if matches!(loader.look(&data, &source), Ok(content) if content.encoding() == FileEncoding::Ssh) {
            return Err(Error::SshPassword { from: source.to_string() });
        }
        let object = loader.part(&data, &source, kind)?;
        if args.remove && object.encryption().is_none() {
            return Err(Error::NotEncrypted { from: source.to_string() });
        }
        loader.check_password_use(true, report)?;
        let destination = Destination::new(path, overwrite, NewFileAccess::Private)?;
        // Fndsa's PEM format cannot store attributes.
        let is_own = args.remove && object.attributes().is_none();
        let encoding = if is_own { FileEncoding::Pem } else { pkcs8_form(&object) };
        // Binary output is not written to a terminal, because it could contain control sequences.
        if encoding.is_binary() {
            destination.refuse_terminal()?;
        }
        Ok(Self { args, source, object, path, destination, original_state, encoding, new_source })
    }

    /// Asks for the new password, and writes the key.
    ///
    /// # Errors
    /// Fails if the password cannot be read, if KEY was changed by another program, or if
    /// [`Destination::write`] fails.
    fn run(&self, private: &LoadedPrivateKey<'_>, report: &mut Report) -> Result<(), Error> {
        let object = &self.object;
        let mut password = None;
        if !self.args.remove {
            password = Some(new_password(self.new_source.as_ref(), NEW_PASSWORD, report)?);
        }
        let file = KeyFileOptions { style: self.style(private), password: password.as_ref().map(|bytes| &bytes[..]) };
        let note = ObjectKind::SigningKey.note(object.algorithm(), &private.fingerprint);
        let contents = file.contents(ObjectKind::SigningKey, object.algorithm(), &note, &object.bytes)?;
        match self.original_state {
            Some(state) => self.destination.replace(&contents, state)?,
            None => self.destination.write(&contents)?,
        }
        if self.args.output.is_some() {
            loader::warn_if_open(&self.source, report);
        }
        if password.is_none() {
            loader::warn_if_written_open(&self.destination, report);
        }
        let did = match (object.encryption(), &password) {
            (_, None) => "password removed",
            (Some(_), Some(_)) => "password changed",
            (None, Some(_)) => "password added",
        };
        report.note(&format!("{}: {did}", shown(self.path)));
        let entry = ResultEntry::of(self.source.path()).path("output", self.path).algorithm(object.algorithm());
        let entry = entry.key(&private.fingerprint).set("encrypted", json!(password.is_some()));
        report.push(entry.ok());
        Ok(())
    }

    /// Returns the options for writing the new file. Only the password changes, so a PKCS#8 key
    /// keeps its OID, its layout, its public key and its attributes.
    fn style<'s>(&'s self, private: &'s LoadedPrivateKey<'_>) -> WriteOptions<'s> {
        match &self.object.container {
            Some(container) => WriteOptions::plain(self.encoding)
                .with_oid(Some(&container.oid))
                .with_layout(Some(container.layout))
                .with_public(container.public.as_deref())
                .with_expanded(self.object.expanded.as_ref().map(|expanded| &expanded[..]))
                .with_attributes(container.attributes.as_deref()),
            None => {
                WriteOptions::plain(self.encoding).with_oid(self.args.oid.as_ref()).with_public(Some(&private.public))
            }
        }
    }
}

/// Returns the format for a PKCS#8 key: DER if the old file is DER, and otherwise PEM.
fn pkcs8_form(object: &FileObject) -> FileEncoding {
    if object.encoding.is_der() { FileEncoding::Pkcs8Der } else { FileEncoding::Pkcs8 }
}

/// Checks that a file can be replaced, and is not a link, a device or standard input.
fn check_replaceable(path: &Path, source: &InputSource) -> Result<(), Error> {
    if *source == InputSource::Stdin {
        return Err(Error::InPlace(path.to_owned()));
    }
    match std::fs::symlink_metadata(path) {
        Ok(meta) if meta.is_symlink() => {
            let target = std::fs::canonicalize(path).map_err(|e| Error::io(source, e))?;
            Err(Error::Link { path: path.to_owned(), target })
        }
        // An error for a directory is reported later, when the directory is read.
        Ok(meta) if !meta.is_file() && !meta.is_dir() => Err(Error::InPlace(path.to_owned())),
        _ => Ok(()),
    }
}
