//! Implements [`Envelope`] for CMS signatures. The message is in a separate file or in the CMS
//! file, or the message is a Linux kernel module with a CMS signature at its end.

use super::envelope::{
    CoveredBytes, EnclosedMessage, Envelope, EnvelopeError, EnvelopeSignatures, EnvelopeWriter, NewSignature,
    OpenedEnvelope, RawSignature,
};
use super::evidence::Evidence;
use super::messages::MAX_SIGNATURES;
use super::rejection::Rejection;
use crate::api::{Algorithm, MessageDigest};
use crate::files::cms::{CmsDefect, CmsFile, CmsSignature, SignedAttributes, begins_like_attributes, has_cms};
use crate::files::cms_writer::{CMS_HASH, NewCmsFile, NewCmsSignature, SignerCertificate, new_attributes};
use crate::files::kernel_module::SignedModule;
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// The format of CMS files.
#[non_exhaustive]
pub struct CmsFormat {
    /// Whether the file contains the message. Otherwise, the message is in a separate file.
    pub has_message: bool,
}

impl CmsFormat {
    /// The format of files that contain the message.
    pub const ENCLOSED: Self = Self { has_message: true };
    /// The format of files for a message in a separate file.
    pub const SEPARATE: Self = Self { has_message: false };
}

impl Envelope for CmsFormat {
    fn open<'d>(&self, data: &'d [u8]) -> Result<Option<OpenedEnvelope<'d>>, EnvelopeError> {
        let CmsFile { message, attributes, signatures, .. } = CmsFile::read(data).map_err(EnvelopeError::Cms)?;
        let signatures = raw_signatures(signatures)?;
        match (message, self.has_message) {
            (None, false) => Ok(Some(OpenedEnvelope::new(signatures, covered_of_separate_message(attributes)))),
            (Some(message), true) => Ok(Some(enclosed(signatures, attributes, Cow::Owned(message))?)),
            (Some(_), false) => Err(EnvelopeError::Cms(CmsDefect::Message)),
            (None, true) => Err(EnvelopeError::Cms(CmsDefect::NoMessage)),
        }
    }

    fn supports(&self, algorithm: Algorithm) -> bool {
        has_cms(algorithm)
    }

    fn has_options(&self) -> bool {
        false
    }

    fn line_ends_hint(&self) -> Option<&'static str> {
        Some("if OpenSSL made the signature, ask the signer for a signature with the option -binary")
    }
}

/// The format of Linux kernel modules with a signature at their end.
pub struct ModuleFormat;

impl Envelope for ModuleFormat {
    fn open<'d>(&self, data: &'d [u8]) -> Result<Option<OpenedEnvelope<'d>>, EnvelopeError> {
        let Some(SignedModule { module, signature }) = SignedModule::split(data) else { return Ok(None) };
        let CmsFile { message, attributes, signatures, .. } =
            CmsFile::read_encoding(signature).map_err(EnvelopeError::Cms)?;
        if message.is_some() {
            return Err(EnvelopeError::Cms(CmsDefect::Message));
        }
        let signatures = raw_signatures(signatures)?;
        Ok(Some(enclosed(signatures, attributes, Cow::Borrowed(module))?))
    }

    fn supports(&self, algorithm: Algorithm) -> bool {
        has_cms(algorithm)
    }

    fn has_options(&self) -> bool {
        false
    }
}

/// Converts the signatures to raw signatures without key identifiers. The reader has checked that
/// each signature has the length for the algorithm in the file. Each algorithm in CMS has a
/// different signature length, so only keys with this algorithm match.
fn raw_signatures(signatures: Vec<CmsSignature>) -> Result<EnvelopeSignatures<'static>, EnvelopeError> {
    if signatures.len() > MAX_SIGNATURES {
        return Err(EnvelopeError::TooMany(signatures.len()));
    }
    let mut raw = Vec::with_capacity(signatures.len());
    for signature in signatures {
        raw.push(RawSignature { key_id: None, bytes: signature.signature });
    }
    Ok(EnvelopeSignatures::Raw(raw))
}

/// Returns the bytes that the signatures cover if the message is in a separate file.
fn covered_of_separate_message(attributes: Option<SignedAttributes>) -> CoveredBytes<'static> {
    match attributes {
        None => CoveredBytes::WithoutAttributes,
        Some(SignedAttributes { hash, prefix, digest, suffix }) => {
            CoveredBytes::SeparateDigest { hash, prefix, suffix, digest: Some(digest) }
        }
    }
}

/// Opens an envelope that contains the message. If the signatures cover signed attributes, the
/// digest in the attributes must be equal to the message's digest. In this case, the covered bytes
/// are computed from the digest instead of the message.
fn enclosed<'d>(
    signatures: EnvelopeSignatures<'static>,
    attributes: Option<SignedAttributes>,
    message: Cow<'d, [u8]>,
) -> Result<OpenedEnvelope<'d>, EnvelopeError> {
    let Some(SignedAttributes { hash, prefix, digest, suffix }) = attributes else {
        if begins_like_attributes(&message) {
            return Err(EnvelopeError::Cms(CmsDefect::AttributesAsMessage));
        }
        return Ok(OpenedEnvelope::new(signatures, CoveredBytes::message(message)));
    };
    let Ok(computed) = MessageDigest::of(hash, &message) else {
        return Err(EnvelopeError::Cms(CmsDefect::DigestAlgorithm));
    };
    let digests_equal = Evidence::of_equal(computed.as_bytes(), &digest);
    if !digests_equal.holds() {
        return Err(EnvelopeError::Rejected(Rejection::Mismatch { several: false, plain: true }));
    }
    let signed = [&prefix[..], computed.as_bytes(), &suffix].concat();
    let mut opened = OpenedEnvelope::new(signatures, covered_attributes(signed, message));
    opened.contents.conditions.push(digests_equal);
    Ok(opened)
}

/// Returns the covered bytes for an envelope that contains the message, if its signatures cover the
/// signed attributes `signed`.
fn covered_attributes(signed: Vec<u8>, message: Cow<'_, [u8]>) -> CoveredBytes<'_> {
    let message = EnclosedMessage::Hashed(message);
    CoveredBytes::Enclosed { signed: signed.into(), message, form: None, others: Vec::new() }
}

/// The format of new CMS files.
#[non_exhaustive]
pub struct CmsWriter {
    /// The certificates of the signing keys.
    pub certificates: Vec<SignerCertificate>,
    /// Whether the file contains the message. Otherwise, the message is in a separate file.
    pub has_message: bool,
    /// Whether the signatures cover attributes with the message's digest instead of the message.
    pub has_attributes: bool,
    /// Whether the file contains the signers' certificates.
    pub includes_certificates: bool,
}

impl CmsWriter {
    /// Creates the format of files that contain the certificates, but not the message. The
    /// signatures cover attributes. The caller can change the fields to choose a different format.
    pub const fn new(certificates: Vec<SignerCertificate>) -> Self {
        Self { certificates, has_message: false, has_attributes: true, includes_certificates: true }
    }

    /// Returns the covered bytes for a message in a separate file. The message's digest is not
    /// known yet.
    fn covered_template(&self) -> CoveredBytes<'static> {
        if !self.has_attributes {
            return CoveredBytes::WithoutAttributes;
        }
        // All digests have the same length, so the other parts of the attributes do not depend on
        // the digest.
        let SignedAttributes { hash, prefix, suffix, .. } = new_attributes(&[0; 64]);
        CoveredBytes::SeparateDigest { hash, prefix, suffix, digest: None }
    }

    /// Returns the covered bytes for a message in the file.
    fn cover_enclosed(&self, message: Vec<u8>) -> CoveredBytes<'static> {
        if !self.has_attributes {
            return CoveredBytes::message(message);
        }
        // If the library was built without SHA-512, the covered bytes are empty, so that no
        // signature is valid for them.
        let signed = match MessageDigest::of(CMS_HASH, &message) {
            Ok(digest) => {
                let attributes = new_attributes(digest.as_bytes());
                [attributes.prefix, attributes.digest, attributes.suffix].concat()
            }
            Err(_) => Vec::new(),
        };
        covered_attributes(signed, Cow::Owned(message))
    }

    /// Encodes the file for a message in `covered`. Returns `None` if a certificate is missing.
    fn enclosed_file(&self, covered: &CoveredBytes<'_>, signatures: &[NewSignature<'_>]) -> Option<Vec<u8>> {
        let (_, message) = covered.enclosed()?;
        let digest = MessageDigest::of(CMS_HASH, message).ok();
        let digest = match &digest {
            Some(digest) if self.has_attributes => Some(digest.as_bytes()),
            _ => None,
        };
        self.encode(if self.has_message { Some(message) } else { None }, digest, signatures)
    }

    /// Returns the certificate for the key that created a signature.
    fn certificate(&self, signature: &NewSignature<'_>) -> Option<&SignerCertificate> {
        self.certificates.iter().find(|certificate| certificate.is_for(signature.algorithm, signature.public))
    }

    /// Encodes the file. `message` is `None` if the message is in a separate file. `digest` is the
    /// message's digest, or `None` if the signatures cover no attributes. Returns `None` if a
    /// certificate is missing.
    fn encode(
        &self,
        message: Option<&[u8]>,
        digest: Option<&[u8]>,
        signatures: &[NewSignature<'_>],
    ) -> Option<Vec<u8>> {
        let mut all = Vec::with_capacity(signatures.len());
        for signature in signatures {
            let certificate = self.certificate(signature)?;
            all.push(NewCmsSignature { certificate, signature: signature.contents });
        }
        NewCmsFile { message, digest, includes_certificates: self.includes_certificates, signatures: all }.to_file()
    }
}

impl Envelope for CmsWriter {
    fn open<'d>(&self, data: &'d [u8]) -> Result<Option<OpenedEnvelope<'d>>, EnvelopeError> {
        CmsFormat { has_message: self.has_message }.open(data)
    }

    fn supports(&self, algorithm: Algorithm) -> bool {
        has_cms(algorithm)
    }

    fn has_options(&self) -> bool {
        false
    }
}

impl EnvelopeWriter for CmsWriter {
    fn cover(&self, message: Vec<u8>) -> CoveredBytes<'static> {
        if self.has_message { self.cover_enclosed(message) } else { self.covered_template() }
    }

    fn separate(&self) -> Option<CoveredBytes<'static>> {
        if self.has_message { None } else { Some(self.covered_template()) }
    }

    /// Encodes the file. If a certificate is missing, the result is empty. An empty file cannot be
    /// opened, so the evidence from [`EnvelopeWriter::seal`] does not hold.
    fn write(&self, covered: &CoveredBytes<'_>, signatures: &[NewSignature<'_>]) -> Vec<u8> {
        if self.has_message {
            return self.enclosed_file(covered, signatures).unwrap_or_default();
        }
        let digest = match covered {
            CoveredBytes::SeparateDigest { digest: Some(digest), .. } => Some(&digest[..]),
            CoveredBytes::WithoutAttributes => None,
            _ => return Vec::new(),
        };
        self.encode(None, digest, signatures).unwrap_or_default()
    }

    /// Sorts the signatures by the encodings of their SignerInfo elements, because DER requires
    /// this order.
    fn sort(&self, signatures: &mut [NewSignature<'_>]) {
        // All elements contain the same digest, so the order with zeros instead of the digest is
        // the same.
        let digest = if self.has_attributes { Some(&[0; 64][..]) } else { None };
        signatures.sort_by_cached_key(|signature| {
            let certificate = self.certificate(signature)?;
            let signature = NewCmsSignature { certificate, signature: signature.contents };
            signature.to_der(digest)
        });
    }
}

/// The format for new signatures of Linux kernel modules.
#[non_exhaustive]
pub struct ModuleWriter {
    /// The format of the CMS signature at the end of the module.
    pub cms: CmsWriter,
}

impl ModuleWriter {
    /// Creates the format of `scripts/sign-file` in Linux: without attributes and certificates.
    /// `certificates` are the certificates of the signing keys.
    pub const fn new(certificates: Vec<SignerCertificate>) -> Self {
        let has_message = false;
        Self { cms: CmsWriter { certificates, has_message, has_attributes: false, includes_certificates: false } }
    }
}

impl Envelope for ModuleWriter {
    fn open<'d>(&self, data: &'d [u8]) -> Result<Option<OpenedEnvelope<'d>>, EnvelopeError> {
        ModuleFormat.open(data)
    }

    fn supports(&self, algorithm: Algorithm) -> bool {
        has_cms(algorithm)
    }

    fn has_options(&self) -> bool {
        false
    }
}

impl EnvelopeWriter for ModuleWriter {
    fn cover(&self, message: Vec<u8>) -> CoveredBytes<'static> {
        self.cms.cover_enclosed(message)
    }

    fn write(&self, covered: &CoveredBytes<'_>, signatures: &[NewSignature<'_>]) -> Vec<u8> {
        let (_, module) = covered.enclosed().unwrap_or_default();
        let Some(signature) = self.cms.enclosed_file(covered, signatures) else { return Vec::new() };
        SignedModule { module, signature: &signature }.to_file()
    }

    fn sort(&self, signatures: &mut [NewSignature<'_>]) {
        self.cms.sort(signatures);
    }
}
