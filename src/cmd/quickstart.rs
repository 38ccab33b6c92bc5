//! `fndsa quickstart`: creates a key pair in a new directory, signs a file, verifies it, and
//! verifies a changed copy, which must fail. Existing files are not changed.

use crate::tool::context::{CommandContext, invocation};
use crate::tool::io::random::SystemRng;
use crate::tool::io::{Destination, InputSource, NewFileAccess, OverwriteRule, create_directory};
use crate::tool::keys::key_file_options::KeyFileOptions;
use crate::tool::keys::loader::LoadedPrivateKey;
use crate::tool::keys::pair::KeyPair;
use crate::tool::report::escape::{pasteable_name, shown};
use crate::tool::report::progress::ProgressDisplay;
use crate::tool::report::{Error, Report, ResultColor, ResultEntry};
use crate::tool::sign::key_signer::{Randomness, expand, sign_once};
use crate::tool::system::SYSTEM_HINTS;
use crate::tool::trust::describe::checked_public_key;
use fndsa::Algorithm;
use fndsa::error::VerifyError;
use fndsa::files::{self, FileEncoding, FileObject, Format, ObjectKind, WriteOptions, schemes_of};
use fndsa::message::MuBuilder;
use fndsa::no_alloc::Level;
use fndsa::verdict::PublicKey;
use fndsa::verdict::fingerprint;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// File to sign; fndsa only reads it
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// The new directory's name. If it exists, [`create_new_directory`] adds a number to the name.
const DIRECTORY: &str = "fndsa-quickstart";
/// The text after the original contents in the changed copy. The verification of this copy must
/// fail.
const APPENDED_TEXT: &str = "changed";

/// Runs `fndsa quickstart`.
///
/// # Errors
/// Fails if FILE cannot be read, or if a step fails.
pub fn run(args: &Args, context: &CommandContext, report: &mut Report) -> Result<(), Error> {
    let level = context.level()?;
    let source = InputSource::File(args.file.clone());
    let progress = ProgressDisplay::new(context.output);
    // Each step reads the file again, so it must be a regular file. The file is read once before
    // the directory is created, so that fndsa creates no keys if it cannot read the file.
    source.check_regular()?;
    source.stream(&progress, |_| {})?;
    let directory = create_new_directory()?;
    let tour = QuickstartSteps { file: &args.file, level, source, progress, directory };
    tour.run(report).inspect_err(|_| {
        // `create_new_directory` has created the directory, so it contains no files of the user.
        let _ = std::fs::remove_dir_all(&tour.directory);
    })
}

/// The key pair's algorithm.
const DEMO_ALGORITHM: Algorithm = Algorithm::FN_DSA_512;

/// The steps of `quickstart`. All files that the steps create are in a new directory.
struct QuickstartSteps<'a> {
    file: &'a Path,
    level: Level,
    source: InputSource,
    progress: ProgressDisplay,
    directory: PathBuf,
}

impl QuickstartSteps<'_> {
    /// Runs the steps in order, and prints a line for each step.
    fn run(&self, report: &mut Report) -> Result<(), Error> {
        let pair = self.make_pair(report)?;
        let public = demo_key_object(ObjectKind::VerifyingKey, pair.public.clone().into())?;
        let public = checked_public_key(&public, InputSource::File(self.path("demo.pub")))?;
        let (signature, message_len) = self.sign(&pair, &public, report)?;
        self.verify(&public, &signature, report)?;
        let commands = self.commands();
        report.line("\nThe same with ordinary commands:")?;
        for command in &commands {
            report.line(&format!("  {command}"))?;
        }
        report.line(&format!(
            "\nThe keys are for trying out. To remove everything: {} {}",
            SYSTEM_HINTS.remove,
            shown(&self.directory)
        ))?;
        let entry = ResultEntry::of(self.file).path("directory", &self.directory).algorithm(DEMO_ALGORITHM);
        let entry = entry.key(&fingerprint(&pair.public)).set("bytes", message_len.into());
        report.push(entry.set("commands", commands.into()).ok());
        Ok(())
    }

    /// Returns the path for a file in the directory.
    fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// Creates a key pair, and writes its files.
    fn make_pair(&self, report: &mut Report) -> Result<KeyPair, Error> {
        let pair = KeyPair::generate(self.level, DEMO_ALGORITHM, &mut SystemRng)?;
        let (key_path, public_path) = (self.path("demo.key"), self.path("demo.pub"));
        let key_to = Destination::new(&key_path, OverwriteRule::No, NewFileAccess::Private)?;
        let public_to = Destination::new(&public_path, OverwriteRule::No, NewFileAccess::Public)?;
        let file = KeyFileOptions { style: WriteOptions::plain(FileEncoding::Pem), password: None };
        pair.write(&file, OverwriteRule::No, &key_to, Some(&public_to))?;
        print_step(report, 1, "key pair", &format!("{DEMO_ALGORITHM} {}", fingerprint(&pair.public)))?;
        report.line(&format!("   {} (private), {} (public)", shown(&key_path), shown(&public_path)))?;
        Ok(pair)
    }

    /// Signs the file. Returns the signature and the file length in bytes.
    fn sign(&self, pair: &KeyPair, public: &PublicKey, report: &mut Report) -> Result<(Vec<u8>, u64), Error> {
        let key = demo_key_object(ObjectKind::SigningKey, pair.private.clone())?;
        let private = LoadedPrivateKey::check(self.level, &key, InputSource::File(self.path("demo.key")))?;
        let mut mu = mu_builder(self.level, public)?;
        let message_len = self.source.stream(&self.progress, |piece| mu.update(piece))?;
        let expanded = expand(&private, self.level)?;
        let Some(signature) = sign_once(&expanded, &mu.finish(), Randomness::Fresh, &mut Vec::new())? else {
            return Err(Error::Internal("no signature was made".to_owned()));
        };
        let note = ObjectKind::Signature.note(DEMO_ALGORITHM, &private.fingerprint);
        let contents = files::write(ObjectKind::Signature, DEMO_ALGORITHM, Format::Pem, &note, &signature)
            .map_err(Error::Write)?;
        let path = self.path("demo.sig");
        Destination::new(&path, OverwriteRule::No, NewFileAccess::Public)?.write(&contents)?;
        let detail = format!("{} bytes for the {message_len} bytes of {}", signature.len(), self.source);
        print_step(report, 2, "signature", &detail)?;
        report.line(&format!("   {}", shown(&path)))?;
        Ok((signature.to_vec(), message_len))
    }

    /// Verifies the signature for the file, and then for a changed copy.
    ///
    /// # Errors
    /// Fails if the file cannot be read. Returns an internal error if the file is rejected, or if
    /// the changed copy is accepted.
    fn verify(&self, public: &PublicKey, signature: &[u8], report: &mut Report) -> Result<(), Error> {
        let original = self.verify_with(b"", public, signature)?;
        let changed = self.verify_with(APPENDED_TEXT.as_bytes(), public, signature)?;
        if original.is_some() || changed != Some(VerifyError::Mismatch) {
            return Err(Error::Internal("verification gave the wrong answers".to_owned()));
        }
        report.answer(
            &format!("3. {}: ", self.source),
            "OK",
            ResultColor::Good,
            &format!(" ({})", public.description()),
        )?;
        let reason = "signature does not match the file and the key";
        report.answer("4. a changed copy: ", "FAILED", ResultColor::Bad, &format!(" ({reason}), as it must"))
    }

    /// Verifies the signature for the file's contents, followed by `added`. Returns `None` if the
    /// signature is valid, or else the reason why it is not.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    fn verify_with(&self, added: &[u8], public: &PublicKey, signature: &[u8]) -> Result<Option<VerifyError>, Error> {
        let mut mu = mu_builder(self.level, public)?;
        self.source.stream(&self.progress, |piece| mu.update(piece))?;
        mu.update(added);
        let work = &mut vec![0; DEMO_ALGORITHM.verify_fast_work_len()];
        Ok(public.key.to_ref().verify(self.level, &mu.finish(), signature, work).err())
    }

    /// Returns four commands for a shell, which repeat the steps with new files in the directory.
    fn commands(&self) -> Vec<String> {
        let program = invocation();
        let [name, key, public, signature] = ["my", "my.key", "my.pub", "my.sig"].map(|name| shown(self.path(name)));
        let file = pasteable_name(self.file);
        vec![
            format!("{program} keygen {name}"),
            format!("{program} sign -k {key} -o {signature} {file}"),
            format!("{program} verify -p {public} -s {signature} {file}"),
            format!("(cat {file}; echo {APPENDED_TEXT}) | {program} verify -p {public} -s {signature} -"),
        ]
    }
}

/// Wraps a demo key's bytes in a [`FileObject`], as if they were read from a key file.
fn demo_key_object(kind: ObjectKind, bytes: Zeroizing<Vec<u8>>) -> Result<FileObject, Error> {
    let object = FileObject::new(kind, schemes_of(DEMO_ALGORITHM.scheme()), FileEncoding::Pem, bytes);
    object.map_err(|defect| Error::Internal(format!("own key: {defect}")))
}

/// Prints the line of a step.
fn print_step(report: &Report, number: u32, what: &str, detail: &str) -> Result<(), Error> {
    report.line(&format!("{number}. {what}: {detail}"))
}

/// Creates the builder for the mu of a message: a hash of the public key, an empty context and the
/// message.
fn mu_builder(level: Level, public: &PublicKey) -> Result<MuBuilder, Error> {
    MuBuilder::pure(level, &public.key.to_ref().key_hash(level), b"").map_err(|e| Error::Internal(e.to_string()))
}

/// Creates a directory with the first name among `fndsa-quickstart`, `fndsa-quickstart-2`, ... that
/// does not exist yet.
fn create_new_directory() -> Result<PathBuf, Error> {
    for i in 1..1000 {
        let path = PathBuf::from(if i == 1 { DIRECTORY.to_owned() } else { format!("{DIRECTORY}-{i}") });
        match create_directory(&path) {
            Ok(()) => return Ok(path),
            Err(Error::Exists(_)) => {}
            Err(e) => return Err(e),
        }
    }
    Err(Error::Exists(PathBuf::from(DIRECTORY)))
}
