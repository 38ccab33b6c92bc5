//! Signs a message in memory, and writes a signature file for SSH, JOSE or CMS. The C and Python
//! libraries use this module; the command-line program signs in `src/tool/sign`.

use super::cms_envelope::CmsWriter;
use super::covered_encoder::CoveredEncoder;
use super::envelope::{EnvelopeWriter, NewSignature};
use super::fingerprint::fingerprint;
use super::in_memory::{SignatureFileData, verify_in_memory};
use super::jws_envelope::JwsWriter;
use super::key_terms::KeyTerms;
use super::memory_files::FileDefect;
use super::policy::Policy;
use super::signature_format::SignatureFormat;
use super::ssh_envelope::SshFormat;
use super::trusted_key::{PublicKey, RequiredKeys, TrustedKey};
use crate::api::{Error, Level, MessageDigest, Options, SigningKey, VerifyingKey};
use crate::files::Date;
use crate::files::cms_writer::SignerCertificate;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use rand_core::TryCryptoRng;

/// The reason why no signature file was written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormatSigningError {
    /// The format is not defined for the key's algorithm, or the certificate is missing or belongs
    /// to another key.
    Input(FileDefect),
    /// Signing failed.
    Sign(Error),
    /// The check of the new file failed, because the machine computed a wrong result.
    Check,
}

impl fmt::Display for FormatSigningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(defect) => write!(f, "{defect}"),
            Self::Sign(e) => write!(f, "{e}"),
            Self::Check => f.write_str("the new signature file did not pass its check: the machine computed wrong"),
        }
    }
}

impl core::error::Error for FormatSigningError {}

/// Signs a message, and returns a signature file in the format of SSH, JOSE or CMS. CMS signatures
/// cover attributes with the message's digest. A CMS signature needs a certificate for the key, and
/// the file contains this certificate. SSH and JOSE have no certificates. The new file is verified
/// before it is returned.
///
/// # Errors
/// Fails if the format is [`SignatureFormat::Fndsa`], or is not defined for the key. Fails if the
/// certificate is missing, is not needed, or is for a different key. Also fails if signing fails,
/// or if the new file is not valid.
pub fn sign_in_memory<R: TryCryptoRng + ?Sized>(
    key: &SigningKey,
    format: &SignatureFormat,
    certificate: Option<&[u8]>,
    message: &[u8],
    rng: &mut R,
) -> Result<Vec<u8>, FormatSigningError> {
    let public = key.verifying_key();
    let writer = writer(&public, format, certificate)?;
    let covered = writer.separate().ok_or(FormatSigningError::Check)?;
    let mut encoder = CoveredEncoder::new(&covered, Level::detect()).ok_or(FormatSigningError::Check)?;
    let mut signed = Vec::new();
    encoder.update(message, |bytes| signed.extend_from_slice(bytes)).map_err(|e| FormatSigningError::Sign(e.into()))?;
    let end = encoder.finish(|bytes| signed.extend_from_slice(bytes));
    let end = end.map_err(|e| FormatSigningError::Sign(e.into()))?;
    let covered = covered.with_digest(end.digest.as_ref().map(MessageDigest::as_bytes));
    let signature = key.sign(Options::default(), &signed, rng).map_err(FormatSigningError::Sign)?;
    let fingerprint = fingerprint(public.as_bytes());
    let new = NewSignature {
        algorithm: key.algorithm(),
        public: public.as_bytes(),
        fingerprint: &fingerprint,
        contents: signature.as_bytes(),
    };
    let (file, evidence) = writer.seal(&covered, &[new]);
    if evidence.holds() && is_valid(public, format, &file, message) { Ok(file) } else { Err(FormatSigningError::Check) }
}

/// Returns the writer of a format for signatures with this key.
fn writer<'a>(
    public: &VerifyingKey,
    format: &'a SignatureFormat,
    certificate: Option<&[u8]>,
) -> Result<Box<dyn EnvelopeWriter + 'a>, FormatSigningError> {
    let algorithm = public.algorithm();
    if !format.envelope().supports(algorithm) {
        return Err(input(format.unsupported(algorithm)));
    }
    match (format, certificate) {
        (SignatureFormat::Fndsa, _) => Err(input("this function does not write signature files of fndsa")),
        (SignatureFormat::Ssh(namespace), None) => Ok(Box::new(SshFormat { namespace })),
        (SignatureFormat::Jws, None) => Ok(Box::new(JwsWriter { algorithm })),
        (SignatureFormat::Ssh(_) | SignatureFormat::Jws, Some(_)) => {
            Err(input("only CMS signatures have a certificate"))
        }
        (SignatureFormat::Cms, None) => {
            Err(input("a CMS signature names the certificate of the key: give the certificate of this key"))
        }
        (SignatureFormat::Cms, Some(data)) => {
            let Some(certificate) = SignerCertificate::read(data) else {
                return Err(input("this is not one X.509 certificate for a key of fndsa"));
            };
            if !certificate.is_for(algorithm, public.as_bytes()) {
                return Err(input("the certificate is for another key"));
            }
            let certificates = vec![certificate];
            Ok(Box::new(CmsWriter {
                certificates,
                has_attributes: true,
                includes_certificates: true,
                has_message: false,
            }))
        }
    }
}

/// Returns the error for a key or a certificate that cannot be used.
fn input(what: impl ToString) -> FormatSigningError {
    FormatSigningError::Input(FileDefect::new(what))
}

/// Returns whether a new signature file is valid for the message. To detect a fault in the machine,
/// the check runs on [`Level::neighbour`], which usually has different machine code.
fn is_valid(public: VerifyingKey, format: &SignatureFormat, file: &[u8], message: &[u8]) -> bool {
    let fingerprint = fingerprint(public.as_bytes());
    let level = Level::detect().neighbour();
    let key = PublicKey { key: public, fingerprint };
    let Ok(key) = TrustedKey::new(key, level, String::new(), KeyTerms::default(), true) else { return false };
    let keys = [key];
    let policy = Policy::new(&keys, &[], RequiredKeys::All);
    let file = SignatureFileData { format, data: file };
    // The key has no dates, so the date does not influence the verdict.
    let verdict = verify_in_memory(&policy, file, message, Options::default(), level, &Date::MAX);
    matches!(verdict, Ok(outcome) if outcome.is_accepted())
}
