//! The format of the files that contain the signatures, if each message has its own file.

use super::key_signer::SignatureContents;
use super::signer::Signer;
use crate::tool::io::{FileInput, Input, read_whole};
use crate::tool::message::dsse::{DsseForm, DsseFormat, DsseWriter, MAX_PAYLOAD_MEBIBYTES, PayloadType};
use crate::tool::report::{Error, ResultEntry};
use fndsa::Algorithm;
use fndsa::files::ObjectKind;
use fndsa::verdict::envelope::{DetachedSignatures, Envelope, EnvelopeWriter};
use fndsa::verdict::jws_envelope::{JwsFormat, JwsWriter};
use fndsa::verdict::ssh_envelope::{SshFormat, SshNamespace};
use serde_json::json;

/// A format that is written for each message.
pub struct OutputFormat<'a> {
    /// The writer of a format that belongs to an option. `None` for signature files of fndsa.
    writer: Option<Box<dyn EnvelopeWriter + Sync + 'a>>,
    /// The name of the files for messages.
    pub name: &'static str,
    /// The name of the format's option in results, and its value. `None` for an option without a
    /// value.
    option: Option<(&'static str, String)>,
}

impl<'a> OutputFormat<'a> {
    /// Creates the format of signature files of fndsa.
    pub fn signature_files() -> Self {
        Self { writer: None, name: "signature file", option: None }
    }

    /// Creates the format of DSSE envelopes with payloads of a type. `form` is the form that the
    /// user chose.
    ///
    /// # Errors
    /// The keys cannot sign in this form.
    pub fn dsse(payload_type: &'a PayloadType, form: Option<DsseForm>, signer: &Signer<'_>) -> Result<Self, Error> {
        let ml_dsa = DsseForm::choose(form, payload_type, signer.form().is_plain(), signer.schemes())?;
        Ok(Self {
            writer: Some(Box::new(DsseWriter { format: DsseFormat { payload_type }, ml_dsa })),
            name: "envelope",
            option: Some(("payload_type", payload_type.to_string())),
        })
    }

    /// Creates the format of SSH signatures for a namespace.
    ///
    /// # Errors
    /// There are several keys, or SSH has no signatures of the key's algorithm.
    pub fn ssh(namespace: &'a SshNamespace, signer: &Signer<'_>) -> Result<Self, Error> {
        let writer = SshFormat { namespace };
        only_algorithm(&writer, signer, "--ssh", no_ssh_signature)?;
        let option = Some(("namespace", namespace.to_string()));
        Ok(Self { writer: Some(Box::new(writer)), name: "SSH signature", option })
    }

    /// Creates the format of JSON Web Signatures.
    ///
    /// # Errors
    /// There are several keys, JOSE has no signatures of the key's algorithm, or the key is bound
    /// to a pre-hash.
    pub fn jws(signer: &Signer<'_>) -> Result<Self, Error> {
        if !signer.form().is_plain() {
            return Err(Error::JwsPrehash);
        }
        let algorithm = only_algorithm(&JwsFormat, signer, "--jws", no_jws)?;
        Ok(Self { writer: Some(Box::new(JwsWriter { algorithm })), name: "JSON Web Signature", option: None })
    }

    /// Signs several inputs. Signatures for signature files of fndsa are made together, which is
    /// faster.
    pub fn sign(
        &self,
        signer: &Signer<'_>,
        work: &mut Vec<u8>,
        inputs: &mut [FileInput<'_>],
    ) -> Vec<Result<SignatureContents, Error>> {
        if let Some(writer) = self.writer.as_deref() {
            return inputs.iter_mut().map(|input| sign_alone(signer, writer, work, input)).collect();
        }
        let mut messages = Vec::with_capacity(inputs.len());
        for input in inputs {
            messages.push((signer.form(), input as &mut dyn Input));
        }
        signer.sign_together(work, &mut messages)
    }

    /// Adds the keys, the form of the message and the format to a result.
    pub fn describe(&self, signer: &Signer<'_>, entry: ResultEntry) -> ResultEntry {
        let entry = match self.writer.as_deref() {
            None => signer.describe(entry, &DetachedSignatures),
            Some(writer) => signer.describe(entry, writer),
        };
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

/// Returns the algorithm of the only key, for a format with one signature. `option` is the option
/// of the format.
///
/// # Errors
/// There are several keys, or the format is not defined for the algorithm of a key.
fn only_algorithm(
    format: &dyn Envelope,
    signer: &Signer<'_>,
    option: &'static str,
    unsupported: fn(Algorithm) -> Error,
) -> Result<Algorithm, Error> {
    if let Some(algorithm) = signer.algorithms().find(|algorithm| !format.supports(*algorithm)) {
        return Err(unsupported(algorithm));
    }
    let mut algorithms = signer.algorithms();
    match (algorithms.next(), algorithms.next()) {
        (Some(algorithm), None) => Ok(algorithm),
        _ => Err(Error::OneKey(option)),
    }
}

/// Signs an input in a format that belongs to an option.
fn sign_alone(
    signer: &Signer<'_>,
    writer: &dyn EnvelopeWriter,
    work: &mut Vec<u8>,
    input: &mut FileInput<'_>,
) -> Result<SignatureContents, Error> {
    if let Some(covered) = writer.separate() {
        return signer.sign_separate(work, writer, covered, input);
    }
    let covered = writer.cover(read_whole(input, MAX_PAYLOAD_MEBIBYTES)?);
    signer.sign_envelope(work, writer, &covered, input.name())
}
