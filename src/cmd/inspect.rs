//! `fndsa inspect`: what files are. Nothing secret is shown.

use super::Context;
use super::armor::{Format, Kind, Object};
use super::io::{Source, stdin_once};
use super::json::Entry;
use super::keys::{Private, Public, fingerprint, load_any};
use super::report::{Error, Exit, Report, Tone, algorithm};
use fndsa::Level;
use serde_json::json;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Files to look at, `-` for standard input; a private and a public key are checked as a pair
    #[arg(value_name = "FILE", default_value = "-")]
    files: Vec<PathBuf>,
}

/// A key among the files.
struct Key {
    kind: Kind,
    source: Source,
    fingerprint: String,
}

/// Runs the command. One file's error does not stop the others.
///
/// # Errors
/// What stops all of them.
pub fn run(args: &Args, context: &Context, report: &mut Report) -> Result<(), Error> {
    let level = context.level()?;
    let sources: Vec<_> = args.files.iter().map(|file| Source::from_arg(file)).collect();
    stdin_once(&sources)?;
    let mut keys = Vec::new();
    for source in sources {
        let entry = Entry::of(source.path());
        match load_any(&source, context.weak).and_then(|object| Ok((look(level, &object, &source)?, object))) {
            Ok((fingerprint, object)) => {
                report.line(&describe(&object, &source, fingerprint.as_deref()))?;
                report.push(entry_of(entry, &object, fingerprint.as_deref()));
                if let Some(text) = warning(&object, &source) {
                    report.line(&format!("{source}: warning: {text}"))?;
                }
                keys.extend(fingerprint.map(|fingerprint| Key { kind: object.kind, source, fingerprint }));
            }
            Err(e) => report.file_error(entry, &e),
        }
    }
    pair(&keys, report)
}

/// Checks the content, and gives the fingerprint of a key.
fn look(level: Level, object: &Object, source: &Source) -> Result<Option<String>, Error> {
    match object.kind {
        Kind::SigningKey => Private::check(level, object, source).map(|key| Some(key.fingerprint)),
        Kind::VerifyingKey => Public::check(object, source).map(|_| Some(fingerprint(&object.bytes))),
        Kind::Signature => Ok(None),
    }
}

fn describe(object: &Object, source: &Source, fingerprint: Option<&str>) -> String {
    let format = match object.format {
        Format::Pem => format!("PEM {:?}", object.kind.label()),
        Format::Raw => "raw".to_owned(),
    };
    let of = match (object.kind, fingerprint) {
        (Kind::SigningKey, Some(fingerprint)) => format!(", valid, of public key {fingerprint}"),
        (_, Some(fingerprint)) => format!(", valid, {fingerprint}"),
        (_, None) => String::new(),
    };
    let (name, kind, len) = (algorithm(object.degree), object.kind.name(), object.bytes.len());
    format!("{source}: {name} {kind}, {format}, {len} bytes{of}")
}

fn entry_of(entry: Entry, object: &Object, fingerprint: Option<&str>) -> Entry {
    let entry = entry
        .algorithm(object.degree)
        .set("kind", json!(object.kind.name().replace(' ', "_")))
        .set("scheme", json!("fn-dsa"))
        .set("degree", json!(object.degree.n()))
        .set("encoding", json!(object.format.name().to_lowercase()))
        .set("bytes", json!(object.bytes.len()))
        .set("weak", json!(object.degree.is_toy()));
    let entry = if object.format == Format::Pem { entry.set("label", json!(object.kind.label())) } else { entry };
    if let Some(fingerprint) = fingerprint { entry.key(fingerprint).ok() } else { entry.ok() }
}

/// What the owner of the file should know.
fn warning(object: &Object, source: &Source) -> Option<String> {
    if object.degree.is_toy() {
        return Some(format!("{} is a toy without any security", algorithm(object.degree)));
    }
    let mode = match source {
        Source::File(path) if object.kind == Kind::SigningKey => {
            use std::os::unix::fs::PermissionsExt;
            std::fs::metadata(path).ok()?.permissions().mode() & 0o777
        }
        _ => return None,
    };
    (mode & 0o077 != 0).then(|| format!("mode {mode:03o}: others may read the private key; chmod 600"))
}

/// One private key and public keys: do they belong together?
fn pair(keys: &[Key], report: &mut Report) -> Result<(), Error> {
    let of = |kind| keys.iter().filter(move |key| key.kind == kind);
    let mut private = of(Kind::SigningKey);
    let (Some(private), None) = (private.next(), private.next()) else { return Ok(()) };
    let mut pairs = Vec::new();
    for public in of(Kind::VerifyingKey) {
        let (names, same) =
            (format!("{} and {}: ", private.source, public.source), private.fingerprint == public.fingerprint);
        if same {
            report.answer(&names, "a key pair", Tone::Good, "")?;
        } else {
            report.answer(&names, "NOT a key pair", Tone::Bad, "")?;
            report.add_exit(Exit::Negative);
        }
        let entry =
            Entry::default().path("private_key", private.source.path()).path("public_key", public.source.path());
        pairs.push(entry.set("match", json!(same)).into_value());
    }
    if !pairs.is_empty() {
        report.set("pairs", json!(pairs));
    }
    Ok(())
}
