//! `fndsa quickstart`: the whole story on one file, with nothing to prepare and nothing replaced.

use crate::tool::context::{CommandContext, invocation};
use crate::tool::io::random::SystemRng;
use crate::tool::io::{Access, Destination, Force, InputSource, create_directory};
use crate::tool::keys::key_file_options::NewFile;
use crate::tool::keys::loader::Private;
use crate::tool::keys::pair::Pair;
use crate::tool::report::escape::{pasted, shown};
use crate::tool::report::progress::Progress;
use crate::tool::report::{Entry, Error, Report, Tone};
use crate::tool::sign::key_signer::{Randomness, expand, sign_once};
use crate::tool::system::WORDS;
use crate::tool::trust::describe::checked_public_key;
use fndsa::files::{self, Encoding, Format, Kind, Object, Style, schemes_of};
use fndsa::verdict::PublicKey;
use fndsa::verdict::fingerprint;
use fndsa::{Algorithm, Level, MuBuilder, VerifyError};
use std::path::{Path, PathBuf};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// File to sign; fndsa only reads it
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// The new directory.
const DIRECTORY: &str = "fndsa-quickstart";
/// The line that is added to the changed copy.
const CHANGE: &str = "changed";

/// Runs the command.
///
/// # Errors
/// Something did not go as it should.
pub fn run(args: &Args, context: &CommandContext, report: &mut Report) -> Result<(), Error> {
    let level = context.level()?;
    let source = InputSource::File(args.file.clone());
    let progress = Progress::new(context.voice);
    // A file that cannot be read leaves no directory behind.
    source.stream(&progress, |_| {})?;
    let directory = fresh_directory()?;
    story(args, level, &source, &progress, &directory, report).inspect_err(|_| {
        // The directory is new and was made here, and half a story is of no use.
        let _ = std::fs::remove_dir_all(&directory);
    })
}

/// Does the four steps and says what they are.
fn story(
    args: &Args,
    level: Level,
    source: &InputSource,
    progress: &Progress,
    directory: &Path,
    report: &mut Report,
) -> Result<(), Error> {
    let file = |name: &str| directory.join(name);
    let key_path = file("demo.key");
    let public_path = file("demo.pub");
    let signature_path = file("demo.sig");
    let algorithm = Algorithm::FN_DSA_512;

    let pair = Pair::generate(level, algorithm, &mut SystemRng)?;
    let key_to = Destination::new(&key_path, Force::No, Access::Private)?;
    let public_to = Destination::new(&public_path, Force::No, Access::Public)?;
    pair.write(&NewFile { style: Style::plain(Encoding::Pem), password: None }, Force::No, &key_to, Some(&public_to))?;
    let fingerprint = fingerprint(&pair.public);
    step(report, 1, "key pair", &format!("{algorithm} {fingerprint}"))?;
    report.line(&format!("   {} (private), {} (public)", shown(&key_path), shown(&public_path)))?;

    let defect = |defect| Error::Internal(format!("own key: {defect}"));
    let object = |kind, bytes| Object::new(kind, schemes_of(algorithm.scheme()), Encoding::Pem, bytes).map_err(defect);
    let key_object = object(Kind::SigningKey, pair.private.clone())?;
    let public_object = object(Kind::VerifyingKey, pair.public.clone().into())?;
    let private = Private::check(level, &key_object, InputSource::File(key_path))?;
    let public = checked_public_key(&public_object, InputSource::File(public_path))?;
    let mut mu = builder(level, &public)?;
    let bytes = source.stream(progress, |piece| mu.update(piece))?;
    let signature = sign_once(&*expand(&private, level)?, &mu.finish(), Randomness::Fresh, &mut Vec::new())?;
    let signature = signature.ok_or_else(|| Error::Internal("no signature was made".to_owned()))?;
    let contents = files::write(
        Kind::Signature,
        algorithm,
        Format::Pem,
        &Kind::Signature.note(algorithm, &fingerprint),
        &signature,
    )
    .map_err(Error::Write)?;
    Destination::new(&signature_path, Force::No, Access::Public)?.write(&contents)?;
    step(report, 2, "signature", &format!("{} bytes for the {bytes} bytes of {source}", signature.len()))?;
    report.line(&format!("   {}", shown(&signature_path)))?;

    let verify = |change: &[u8]| {
        let mut mu = builder(level, &public)?;
        source.stream(progress, |piece| mu.update(piece))?;
        mu.update(change);
        Ok(public.key.borrowed().verify(level, &mu.finish(), &signature, &mut vec![0; algorithm.verify_work_len()]))
    };
    let original = verify(b"")?;
    let changed = verify(CHANGE.as_bytes())?;
    if original.is_err() || changed != Err(VerifyError::Mismatch) {
        return Err(Error::Internal("verification gave the wrong answers".to_owned()));
    }
    report.answer(&format!("3. {source}: "), "OK", Tone::Good, &format!(" ({})", public.name()))?;
    let reason = "signature does not match the file and the key";
    report.answer("4. a changed copy: ", "FAILED", Tone::Bad, &format!(" ({reason}), as it must"))?;

    let commands = commands(directory, &args.file);
    report.line("\nThe same with ordinary commands:")?;
    for command in &commands {
        report.line(&format!("  {command}"))?;
    }
    report.line(&format!(
        "\nThe keys are for trying out. To remove everything: {} {}",
        WORDS.remove,
        shown(directory)
    ))?;
    let entry = Entry::of(&args.file).path("directory", directory).algorithm(algorithm).key(&fingerprint);
    report.push(entry.set("bytes", bytes.into()).set("commands", commands.into()).ok());
    Ok(())
}

fn step(report: &Report, number: u32, what: &str, detail: &str) -> Result<(), Error> {
    report.line(&format!("{number}. {what}: {detail}"))
}

fn builder(level: Level, public: &PublicKey) -> Result<MuBuilder, Error> {
    MuBuilder::pure(level, &public.key.borrowed().key_hash(level), b"").map_err(|e| Error::Internal(e.to_string()))
}

/// Creates the first of `fndsa-quickstart`, `fndsa-quickstart-2`, ... that can be made here.
fn fresh_directory() -> Result<PathBuf, Error> {
    for i in 1..1000 {
        let path = PathBuf::from(if i == 1 { DIRECTORY.to_owned() } else { format!("{DIRECTORY}-{i}") });
        match create_directory(&path) {
            Err(Error::Exists(_)) => {}
            result => return result.map(|()| path),
        }
    }
    Err(Error::Exists(PathBuf::from(DIRECTORY)))
}

/// Returns four lines for a shell. They use names that are still free.
fn commands(directory: &Path, file: &Path) -> Vec<String> {
    let program = invocation();
    let my = |suffix: &str| shown(directory.join(format!("my{suffix}")));
    let file = pasted(file);
    vec![
        format!("{program} keygen {}", my("")),
        format!("{program} sign -k {} -o {} {file}", my(".key"), my(".sig")),
        format!("{program} verify -p {} -s {} {file}", my(".pub"), my(".sig")),
        format!("(cat {file}; echo {CHANGE}) | {program} verify -p {} -s {} -", my(".pub"), my(".sig")),
    ]
}
