//! `fndsa request`: writes an X.509 certificate request or a self-signed certificate.

use crate::tool::context::CommandContext;
use crate::tool::io::random::{SystemRng, fill};
use crate::tool::io::{Destination, NewFileAccess, OverwriteRule};
use crate::tool::keys::loader::{LoadedPrivateKey, warn_if_noted_differently, warn_if_open};
use crate::tool::options::form::{DocumentForm, document_form};
use crate::tool::options::heading;
use crate::tool::options::key::OneKeyArgs;
use crate::tool::options::number::number;
use crate::tool::report::escape::shown;
use crate::tool::report::{Error, Evidence, EvidenceSum, Report, ResultEntry, SuccessToken};
use crate::tool::trust::clock::Clock;
use fndsa::files::x509::{
    CertificateFields, DistinguishedName, NameDefect, UnsignedX509, X509Document, X509Kind, X509Time, to_pem,
};
use fndsa::files::{Date, FileObject, ReadOptions, hex::from_hex};
use fndsa::no_alloc::Level;
use fndsa::verdict::{SelfSignature, document_key};
use fndsa::{Algorithm, Options};
use serde_json::json;
use std::path::PathBuf;
use zeroize::Zeroizing;

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    key: OneKeyArgs,
    /// Name of the owner of the key, for example CN=Release,O=Example,C=DE
    ///
    /// The attribute types are CN, O, OU, C, L, ST, STREET, DC, UID, emailAddress and serialNumber. Write a backslash before a
    /// comma in a value.
    #[arg(long, value_name = "NAME", value_parser = subject)]
    subject: DistinguishedName,
    /// Write a self-signed certificate instead, which is valid from today for this number of days
    #[arg(long, value_name = "DAYS", value_parser = number(1..=MAX_DAYS))]
    self_signed: Option<u32>,
    /// Write the request or the certificate to this file
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = heading::OUTPUT)]
    output: PathBuf,
    /// Format of the file
    #[arg(long, value_name = "FORM", default_value = "pem", help_heading = heading::OUTPUT,
        value_parser = document_form())]
    format: DocumentForm,
    /// Replace an existing file
    #[arg(short, long, help_heading = heading::OUTPUT)]
    force: bool,
}

/// The maximum validity for a certificate in days, which is 100 years.
const MAX_DAYS: u32 = 36_525;

/// Parses the value of `--subject`.
fn subject(text: &str) -> Result<DistinguishedName, NameDefect> {
    DistinguishedName::of_user(text)
}

/// Runs `fndsa request`.
///
/// # Errors
/// Fails if the private key is not valid, if X.509 does not support its algorithm, or if the file
/// cannot be written.
pub fn run(args: &Args, context: &CommandContext, report: &mut Report) -> Result<SuccessToken, Error> {
    let source = args.key.source("request", &args.output)?;
    if context.output.json && Destination::names_stdout(&args.output) {
        return Err(Error::JsonOnStdout);
    }
    let destination = Destination::new(&args.output, OverwriteRule::of(args.force), NewFileAccess::Public)?;
    if args.format == DocumentForm::Der {
        destination.refuse_terminal()?;
    }
    let level = context.level()?;
    let (object, noted) = &args.key.load("request", &source, context.weak, report)?;
    if object.prehash().is_some() {
        return Err(Error::BoundPrehash { format: "an X.509 signature", reason: "no_x509" });
    }
    let private = LoadedPrivateKey::check(level, object, &source)?;
    warn_if_noted_differently(noted.as_deref(), &private.fingerprint, &source, report);
    warn_if_open(&source, report);
    let unsigned = args.unsigned(object.algorithm(), &private)?;
    let der = unsigned.with_signature(&sign_bytes(&private, level, unsigned.signed_part())?);
    let kind = args.kind();
    let file = if args.format == DocumentForm::Pem { to_pem(kind, &der) } else { Zeroizing::new(der) };
    let evidence = verify_file(&file, kind, object, &private, level)?;
    if !evidence.holds() {
        return Err(Error::Internal("the new signature is not valid".to_owned()));
    }
    destination.write(&file)?;
    let mut sum = EvidenceSum::default();
    sum.add(evidence);
    if !Destination::names_stdout(&args.output) {
        report.note(&format!("wrote {}", shown(&args.output)));
    }
    let entry = ResultEntry::of(&args.output).algorithm(object.algorithm()).key(&private.fingerprint);
    report.push(entry.set("kind", json!(kind_name(kind))).set("subject", json!(args.subject.to_string())).ok());
    Ok(sum.answer(1))
}

/// Returns the name for this kind of document in JSON: the PEM label in lowercase, for example
/// `certificate_request`.
fn kind_name(kind: X509Kind) -> String {
    kind.label().to_lowercase().replace(' ', "_")
}

impl Args {
    fn kind(&self) -> X509Kind {
        if self.self_signed.is_some() { X509Kind::Certificate } else { X509Kind::Request }
    }

    /// Returns the certificate request or the certificate without its signature.
    fn unsigned(&self, algorithm: Algorithm, private: &LoadedPrivateKey<'_>) -> Result<UnsignedX509, Error> {
        let public = &private.public;
        let unsigned = match self.self_signed {
            None => UnsignedX509::request(algorithm, public, &self.subject),
            Some(days) => {
                let today = Clock::System.today()?;
                let mut serial = [0; 16];
                fill(&mut serial).map_err(|e| Error::io("random bytes", std::io::Error::other(e)))?;
                let not_before = X509Time::start_of(today);
                let not_after = X509Time::end_of(date_after(today, days)?);
                let key_id = key_id(&private.fingerprint)?;
                let fields = CertificateFields::new(&self.subject, serial, not_before, not_after, key_id);
                UnsignedX509::certificate(algorithm, public, &fields)
            }
        };
        unsigned.ok_or(Error::NoX509 { algorithm })
    }
}

/// Returns the date that is `days` days after `date`.
fn date_after(date: Date, days: u32) -> Result<Date, Error> {
    let mut last = date;
    for _ in 0..days {
        let Some(next) = last.next() else {
            return Err(Error::Internal("the date is after the year 9999".to_owned()));
        };
        last = next;
    }
    Ok(last)
}

/// Returns the key identifier, which is the first 20 bytes of the public key's SHA-256 digest (RFC
/// 7093, section 2, method 1). The fingerprint contains this digest.
fn key_id(fingerprint: &str) -> Result<[u8; 20], Error> {
    let digits = fingerprint.strip_prefix("sha256:").unwrap_or(fingerprint);
    let digest = from_hex(digits.as_bytes()).map_err(|e| Error::Internal(e.to_string()))?;
    match digest.first_chunk() {
        Some(id) => Ok(*id),
        None => Err(Error::Internal("a short digest".to_owned())),
    }
}

/// Signs a message with an empty context.
fn sign_bytes(private: &LoadedPrivateKey<'_>, level: Level, message: &[u8]) -> Result<Vec<u8>, Error> {
    let algorithm = private.key.algorithm();
    let mut signature = vec![0; algorithm.signature_len()];
    let mut work = Zeroizing::new(vec![0; algorithm.sign_fast_work_len()]);
    let signed =
        private.key.sign_message(level, Options::default(), message, &mut SystemRng, &mut signature, &mut work);
    signed.map_err(Error::of_signing)?;
    Ok(signature)
}

/// Decodes the new file, and verifies its signature on the neighbouring level (a different
/// instruction set, so that a single fault cannot affect both levels). Returns evidence that holds
/// only if the signature is valid, and if the file has the kind `kind` and contains the public key
/// of `private`.
fn verify_file(
    file: &[u8],
    kind: X509Kind,
    object: &FileObject,
    private: &LoadedPrivateKey<'_>,
    level: Level,
) -> Result<Evidence, Error> {
    let internal = |e: &dyn std::fmt::Display| Error::Internal(format!("the new {} is not valid: {e}", kind.name()));
    let Some(document) = X509Document::read(file).map_err(|e| internal(&e))? else {
        return Err(internal(&"it cannot be read"));
    };
    let accept = ReadOptions::default().with_algorithm(Some(object.algorithm()));
    let key = document_key(&document, &accept).map_err(|e| internal(&e))?;
    let SelfSignature::Checked(evidence) = SelfSignature::check(&document, &key, level.neighbour()) else {
        return Err(internal(&"it has another issuer"));
    };
    let same_kind = Evidence::of_equal(document.kind.label().as_bytes(), kind.label().as_bytes());
    Ok(Evidence::of_all(&[evidence, same_kind, Evidence::of_equal(&key.bytes, &private.public)], 3))
}
