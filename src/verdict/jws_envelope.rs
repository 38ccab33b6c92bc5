//! Implements [`Envelope`] for JSON Web Signatures. The message is in a separate file, and the
//! signature covers the header and the message.

use super::envelope::{
    CoveredBytes, Envelope, EnvelopeError, EnvelopeSignatures, EnvelopeWriter, NewSignature, OpenedEnvelope,
    RawSignature,
};
use crate::api::Algorithm;
use crate::files::jws::{JwsSignature, jws_name};
use alloc::vec;
use alloc::vec::Vec;

/// The format of JSON Web Signatures in the compact form, without the message.
pub struct JwsFormat;

impl Envelope for JwsFormat {
    fn open<'d>(&self, data: &'d [u8]) -> Result<Option<OpenedEnvelope<'d>>, EnvelopeError> {
        let read = JwsSignature::read(data).map_err(EnvelopeError::Jws)?;
        let covered = CoveredBytes::PrefixedFile { prefix: read.prefix(), is_base64url: read.is_base64url };
        // The reader has checked that the signature has the length for the algorithm in the header.
        // Each algorithm has a different signature length, so only keys with this algorithm match.
        let signature = RawSignature { key_id: None, bytes: read.signature };
        Ok(Some(OpenedEnvelope::new(EnvelopeSignatures::Raw(vec![signature]), covered)))
    }

    fn supports(&self, algorithm: Algorithm) -> bool {
        jws_name(algorithm).is_some()
    }

    fn has_options(&self) -> bool {
        false
    }
}

/// The format of new JSON Web Signatures, in which the signed bytes contain the message without
/// encoding.
#[non_exhaustive]
pub struct JwsWriter {
    /// The algorithm of the signing key, which is a part of the signed bytes.
    pub algorithm: Algorithm,
}

impl JwsWriter {
    /// Creates the format for a key with this algorithm.
    pub const fn new(algorithm: Algorithm) -> Self {
        Self { algorithm }
    }

    fn covered_bytes(&self) -> CoveredBytes<'static> {
        let prefix = JwsSignature::new_prefix(self.algorithm).unwrap_or_default();
        CoveredBytes::PrefixedFile { prefix, is_base64url: false }
    }
}

impl Envelope for JwsWriter {
    fn open<'d>(&self, data: &'d [u8]) -> Result<Option<OpenedEnvelope<'d>>, EnvelopeError> {
        JwsFormat.open(data)
    }

    fn supports(&self, algorithm: Algorithm) -> bool {
        JwsFormat.supports(algorithm)
    }

    fn has_options(&self) -> bool {
        false
    }
}

impl EnvelopeWriter for JwsWriter {
    fn cover(&self, _: Vec<u8>) -> CoveredBytes<'static> {
        self.covered_bytes()
    }

    fn separate(&self) -> Option<CoveredBytes<'static>> {
        Some(self.covered_bytes())
    }

    /// Encodes a file with a single signature. The format cannot store several signatures, so the
    /// result is empty unless there is exactly one signature. An empty file cannot be opened, so
    /// the evidence from [`EnvelopeWriter::seal`] does not hold.
    fn write(&self, _: &CoveredBytes<'_>, signatures: &[NewSignature<'_>]) -> Vec<u8> {
        let [NewSignature { algorithm, contents, .. }] = signatures else { return Vec::new() };
        match JwsSignature::new(*algorithm, contents) {
            Some(signature) => signature.to_file(),
            None => Vec::new(),
        }
    }
}
