//! The formats of new signatures, for commands that write a separate output file for each message.

use super::certificate_use::warn_of_certificate;
use super::key_signer::SignatureContents;
use super::signer::Signer;
use super::signing_keys::SigningKeys;
use crate::tool::io::{FileInput, Input, InputSource, MemoryInput, read_whole};
use crate::tool::keys::loader::ObjectLoader;
use crate::tool::message::dsse::{DsseForm, DsseFormat, DsseWriter, MAX_PAYLOAD_MEBIBYTES, PayloadType};
use crate::tool::message::form::{MessageForm, check_can_be_signed};
use crate::tool::message::separate::covered_input;
use crate::tool::report::{Error, Report, ResultEntry};
use fndsa::Algorithm;
use fndsa::algorithm::Scheme;
use fndsa::files::cms::has_cms;
use fndsa::files::cms_writer::SignerCertificate;
use fndsa::files::kernel_module::SignedModule;
use fndsa::files::{ContainerStructure, ObjectKind, ReadOptions};
use fndsa::message::{KeyHash, Mu};
use fndsa::no_alloc::Level;
use fndsa::verdict::cms_envelope::{CmsWriter, ModuleWriter};
use fndsa::verdict::envelope::{DetachedSignatures, Envelope, EnvelopeWriter};
use fndsa::verdict::jws_envelope::{JwsFormat, JwsWriter};
use fndsa::verdict::ssh_envelope::{SshFormat, SshNamespace};
use serde_json::json;
use std::fmt::Display;
use std::path::PathBuf;

/// The format of the file that is written for each message.
pub struct OutputFormat<'a> {
    /// The writer of the format, or `None` for signature files of fndsa, which need no option.
    writer: Option<Box<dyn EnvelopeWriter + Sync + 'a>>,
    /// The name of a file in this format, as it is shown in messages.
    pub name: &'static str,
    /// The member that JSON results contain for the format: its name, for example `namespace`, and
    /// the value of the option that selects the format. `None` if the option has no value.
    option: Option<(&'static str, String)>,
    /// The function that checks a message before it is put into an envelope.
    check: MessageCheck,
    /// The maximum size, in MiB, of a message that can be put into an envelope.
    mebibytes: usize,
}

/// The key, the context and the pre-hash from which [`OutputFormat::mu`] computes a mu.
pub struct MuKey<'a> {
    /// The key's algorithm.
    pub algorithm: Algorithm,
    /// The public key's hash.
    pub hash: KeyHash,
    /// The context, the pre-hash and the kind of input.
    pub form: &'a MessageForm,
}

/// The style of a new CMS file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CmsStyle {
    /// Whether the signatures cover attributes with the message digest instead of the message.
    pub has_attributes: bool,
    /// Whether the file contains the message.
    pub has_message: bool,
}

/// A function that checks a message before it is signed. The second argument is the name of the
/// message in errors.
type MessageCheck = fn(&[u8], &dyn Display) -> Result<(), Error>;

/// The hint if the file that `--cert` names is not a single certificate for a supported key.
pub const ONE_CERTIFICATE: &str = "give a file with one X.509 certificate, for the private key; `fndsa request --self-signed DAYS` \
                                   makes a certificate";

/// The maximum size, in MiB, of a kernel module or of a message in a new CMS file.
const MAX_ENCLOSED_MEBIBYTES: usize = 256;

impl<'a> OutputFormat<'a> {
    fn new(writer: Option<Box<dyn EnvelopeWriter + Sync + 'a>>, name: &'static str) -> Self {
        Self { writer, name, option: None, check: any_message, mebibytes: MAX_PAYLOAD_MEBIBYTES }
    }

    /// Creates the format for signature files of fndsa.
    pub fn signature_files() -> Self {
        Self::new(None, "signature file")
    }

    /// Creates the format for DSSE envelopes with this type of payload. `form` is the value that
    /// the user gave with `--dsse-form`.
    ///
    /// # Errors
    /// Fails if the user chose a form that the keys, the context or the pre-hash do not allow.
    pub fn dsse(payload_type: &'a PayloadType, form: Option<DsseForm>, keys: &SigningKeys<'_>) -> Result<Self, Error> {
        let ml_dsa = DsseForm::choose(form, payload_type, keys.form.is_plain(), keys.schemes())?;
        let writer = DsseWriter { format: DsseFormat { payload_type }, ml_dsa };
        let option = Some(("payload_type", payload_type.to_string()));
        Ok(Self { option, ..Self::new(Some(Box::new(writer)), "envelope") })
    }

    /// Creates the format for SSH signatures with this namespace.
    ///
    /// # Errors
    /// Fails if there are several keys, or if SSH does not define signatures for the algorithm.
    pub fn ssh(namespace: &'a SshNamespace, keys: &SigningKeys<'_>) -> Result<Self, Error> {
        let writer = SshFormat::new(namespace);
        only_algorithm(&writer, keys, "--ssh", no_ssh_signature)?;
        let option = Some(("namespace", namespace.to_string()));
        Ok(Self { option, ..Self::new(Some(Box::new(writer)), "SSH signature") })
    }

    /// Creates the format for JSON Web Signatures.
    ///
    /// # Errors
    /// Fails if there are several keys, if JOSE does not define signatures for the algorithm, or if
    /// the key is bound to a pre-hash.
    pub fn jws(keys: &SigningKeys<'_>) -> Result<Self, Error> {
        if !keys.form.is_plain() {
            return Err(Error::BoundPrehash { format: "a JSON Web Signature", reason: "no_jws" });
        }
        let algorithm = only_algorithm(&JwsFormat, keys, "--jws", no_jws)?;
        Ok(Self::new(Some(Box::new(JwsWriter::new(algorithm))), "JSON Web Signature"))
    }

    /// Creates the format for CMS signatures. `certificates` contains the certificates for the
    /// keys. The bytes that the signatures cover do not depend on `certificates`.
    ///
    /// # Errors
    /// Fails if CMS does not define signatures for a key's algorithm, or if a key is bound to a
    /// pre-hash.
    pub fn cms(style: CmsStyle, certificates: Vec<SignerCertificate>, keys: &SigningKeys<'_>) -> Result<Self, Error> {
        check_cms(keys)?;
        let CmsStyle { has_attributes, has_message } = style;
        let mut writer = CmsWriter::new(certificates);
        writer.has_message = has_message;
        writer.has_attributes = has_attributes;
        let name = if has_message { "CMS file" } else { "CMS signature" };
        let check = if has_attributes { any_message } else { no_preimage };
        Ok(Self { check, mebibytes: MAX_ENCLOSED_MEBIBYTES, ..Self::new(Some(Box::new(writer)), name) })
    }

    /// Creates the format for signed Linux kernel modules. The signature contains no attributes or
    /// certificates, as in a signature from `scripts/sign-file`.
    ///
    /// # Errors
    /// Returns the errors of [`Self::cms`].
    pub fn kernel_module(certificates: Vec<SignerCertificate>, keys: &SigningKeys<'_>) -> Result<Self, Error> {
        check_cms(keys)?;
        let format = Self::new(Some(Box::new(ModuleWriter::new(certificates))), "signed kernel module");
        Ok(Self { check: unsigned_module, mebibytes: MAX_ENCLOSED_MEBIBYTES, ..format })
    }

    /// Signs several inputs, and returns the results in input order. For signature files of fndsa,
    /// the inputs are signed together, because this is faster.
    pub fn sign(
        &self,
        signer: &Signer<'_>,
        work: &mut Vec<u8>,
        inputs: &mut [FileInput<'_>],
    ) -> Vec<Result<SignatureContents, Error>> {
        if let Some(writer) = self.writer.as_deref() {
            let mut all = Vec::with_capacity(inputs.len());
            for input in inputs {
                all.push(self.sign_alone(signer, writer, work, input));
            }
            return all;
        }
        let mut messages = Vec::with_capacity(inputs.len());
        for input in inputs {
            messages.push((signer.form(), input as &mut dyn Input));
        }
        signer.sign_together(work, &mut messages)
    }

    /// Signs an input in a format that was selected by an option.
    fn sign_alone(
        &self,
        signer: &Signer<'_>,
        writer: &dyn EnvelopeWriter,
        work: &mut Vec<u8>,
        input: &mut FileInput<'_>,
    ) -> Result<SignatureContents, Error> {
        if let Some(covered) = writer.separate() {
            return signer.sign_separate(work, writer, covered, input);
        }
        let message = read_whole(input, self.mebibytes)?;
        (self.check)(&message, input.name())?;
        let covered = writer.cover(message);
        signer.sign_envelope(work, writer, &covered, input.name())
    }

    /// Returns the mu to sign for this input, and the length of the message in bytes. The mu is a
    /// digest of the public key, the context and the bytes that signatures in this format cover.
    ///
    /// # Errors
    /// Fails if the input cannot be read, or if the format or [`MessageForm`] rejects the message.
    pub fn mu(&self, level: Level, key: &MuKey<'_>, input: &mut FileInput<'_>) -> Result<(Mu, u64), Error> {
        let MuKey { algorithm, hash, form } = key;
        let Some(writer) = self.writer.as_deref() else { return form.mu(level, *algorithm, hash, input) };
        if let Some(covered) = writer.separate() {
            let mut input = covered_input(&covered, level, Box::new(input))?;
            return form.mu(level, *algorithm, hash, &mut *input);
        }
        let message = read_whole(input, self.mebibytes)?;
        (self.check)(&message, input.name())?;
        let bytes = message.len() as u64;
        let covered = writer.cover(message);
        let expected_form = writer.form(algorithm.scheme());
        for (name, signed) in covered.forms() {
            if name == expected_form {
                let (mu, _) = form.mu(level, *algorithm, hash, &mut MemoryInput::encoded(input.name(), signed))?;
                return Ok((mu, bytes));
            }
        }
        Err(Error::Internal("no form of the message".to_owned()))
    }

    /// Adds the keys, the message form and the format to a result.
    pub fn describe(&self, signer: &Signer<'_>, entry: ResultEntry) -> ResultEntry {
        let entry = match self.writer.as_deref() {
            None => signer.describe(entry, &DetachedSignatures),
            Some(writer) => signer.describe(entry, writer),
        };
        self.describe_option(entry)
    }

    /// Adds the format to a result. If the format has named encodings for the message, also adds
    /// the member `form`: the encoding that signatures in `scheme` cover.
    pub fn describe_covered(&self, scheme: Scheme, entry: ResultEntry) -> ResultEntry {
        if let Some(writer) = self.writer.as_deref()
            && let Some(form) = writer.form(scheme)
        {
            return self.describe_option(entry.set("form", json!(form)));
        }
        self.describe_option(entry)
    }

    fn describe_option(&self, entry: ResultEntry) -> ResultEntry {
        match &self.option {
            None => entry,
            Some((name, value)) => entry.set(name, json!(value)),
        }
    }
}

fn no_ssh_signature(algorithm: Algorithm) -> Error {
    Error::NoSshSignature { algorithm, kind: ObjectKind::SigningKey }
}

fn no_jws(algorithm: Algorithm) -> Error {
    Error::NoJws { algorithm, kind: ObjectKind::SigningKey }
}

/// Accepts every message.
fn any_message(_: &[u8], _: &dyn Display) -> Result<(), Error> {
    Ok(())
}

/// Checks a message that the signatures will cover directly, without attributes.
///
/// # Errors
/// Fails if the message is a pre-image of a different format, begins like attributes of CMS, or is
/// the signed part of an X.509 document.
fn no_preimage(message: &[u8], from: &dyn Display) -> Result<(), Error> {
    check_can_be_signed(&mut MemoryInput::new(from, message))
}

/// Checks that a message is a kernel module without a signature.
///
/// # Errors
/// Fails if the message is not an ELF file, or if it ends with a signature.
fn unsigned_module(message: &[u8], from: &dyn Display) -> Result<(), Error> {
    let is_signed = SignedModule::has_signature(message);
    if is_signed || !SignedModule::starts_like_module(message) {
        return Err(Error::NoModule { from: from.to_string(), is_signed });
    }
    Ok(())
}

/// Checks that CMS defines signatures for these keys.
///
/// # Errors
/// Fails if CMS does not define signatures for a key's algorithm, or if a key is bound to a
/// pre-hash.
fn check_cms(keys: &SigningKeys<'_>) -> Result<(), Error> {
    for algorithm in keys.algorithms() {
        if !has_cms(algorithm) {
            return Err(Error::NoCms { algorithm, kind: ObjectKind::SigningKey });
        }
    }
    if !keys.form.is_plain() {
        return Err(Error::BoundPrehash { format: "a CMS signature", reason: "no_cms" });
    }
    Ok(())
}

/// Reads the certificates of the keys in any order, and prints a warning if other programs may
/// reject a certificate.
///
/// # Errors
/// Fails if CMS does not define signatures for a key, if a key has no certificate or several
/// certificates, or if a file is not a certificate for any of the keys.
pub fn signer_certificates(
    paths: &[PathBuf],
    keys: &SigningKeys<'_>,
    report: &mut Report,
) -> Result<Vec<SignerCertificate>, Error> {
    check_cms(keys)?;
    if paths.is_empty() {
        return Err(Error::CertificateNeeded);
    }
    let loader = ObjectLoader::new(ReadOptions::default(), keys.form.weak);
    let mut certificates = Vec::with_capacity(paths.len());
    for path in paths {
        let source = InputSource::from_arg(path);
        let data = source.read_small()?;
        let object = loader.part(&data, &source, ObjectKind::VerifyingKey);
        let object = object.map_err(|e| e.with_hint(ONE_CERTIFICATE))?;
        let certificate = match SignerCertificate::read(&data) {
            Some(certificate) if object.is_in(ContainerStructure::Certificate) => certificate,
            _ => return Err(Error::CertificateFile { from: source.to_string() }),
        };
        let is_signer = keys.keys.iter().any(|key| certificate.is_for(key.algorithm, key.public));
        let is_second = certificates.iter().any(|other: &SignerCertificate| other.public == certificate.public);
        if !is_signer || is_second {
            return Err(Error::OtherCertificate { from: source.to_string(), is_second });
        }
        warn_of_certificate(&data, &source, report)?;
        certificates.push(certificate);
    }
    for key in &keys.keys {
        if !certificates.iter().any(|certificate| certificate.is_for(key.algorithm, key.public)) {
            let fingerprint = key.fingerprint.to_owned();
            return Err(Error::NoCertificate { from: key.from.to_owned(), fingerprint });
        }
    }
    Ok(certificates)
}

/// Returns the only key's algorithm, for a format that allows a single signature. `option` is the
/// option that selects the format.
///
/// # Errors
/// Fails if there are several keys, or if the format is not defined for a key's algorithm.
fn only_algorithm(
    format: &dyn Envelope,
    keys: &SigningKeys<'_>,
    option: &'static str,
    unsupported: fn(Algorithm) -> Error,
) -> Result<Algorithm, Error> {
    for algorithm in keys.algorithms() {
        if !format.supports(algorithm) {
            return Err(unsupported(algorithm));
        }
    }
    let mut algorithms = keys.algorithms();
    match (algorithms.next(), algorithms.next()) {
        (Some(algorithm), None) => Ok(algorithm),
        _ => Err(Error::OneKey(option)),
    }
}
