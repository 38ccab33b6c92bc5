//! Implements [`Envelope`] for the signature files of OpenSSH. The message is in a separate file,
//! and the signature covers the namespace and the digest of the message.

use super::envelope::{
    CoveredBytes, Envelope, EnvelopeError, EnvelopeSignatures, EnvelopeSigner, EnvelopeWriter, NewSignature,
    OpenedEnvelope, RawSignature,
};
use super::evidence::Evidence;
use super::rejection::Rejection;
use super::signature_note::context_text;
use crate::api::Algorithm;
use crate::files::ssh::{MAX_NAMESPACE_LEN, SshHash, SshSignature, ssh_name};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

/// The namespace of an SSH signature: a text that states the signature's purpose, for example
/// `file`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SshNamespace(String);

impl FromStr for SshNamespace {
    type Err = &'static str;

    /// Parses a namespace of visible ASCII characters without blanks, commas and quotes, because a
    /// file of allowed signers can contain only such namespaces.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_valid = text.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b','));
        if is_valid && (1..=MAX_NAMESPACE_LEN).contains(&text.len()) {
            Ok(Self(text.to_owned()))
        } else {
            Err("a namespace has 1 to 255 visible ASCII characters without blanks, commas and quotes, for example file")
        }
    }
}

impl fmt::Display for SshNamespace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The format of OpenSSH's signature files for a namespace. New signatures cover the SHA-512 digest
/// of the message.
#[non_exhaustive]
pub struct SshFormat<'a> {
    /// The namespace, which is a part of the signed bytes.
    pub namespace: &'a SshNamespace,
}

impl<'a> SshFormat<'a> {
    /// Creates the format for a namespace.
    pub const fn new(namespace: &'a SshNamespace) -> Self {
        Self { namespace }
    }
}

impl SshFormat<'_> {
    /// The hash function of new signatures.
    const HASH: SshHash = SshHash::Sha512;

    fn covered_bytes(&self, hash: SshHash) -> CoveredBytes<'static> {
        let SshNamespace(namespace) = self.namespace;
        CoveredBytes::SeparateDigest {
            hash: hash.function(),
            prefix: SshSignature::prefix(namespace.as_bytes(), hash),
            suffix: Vec::new(),
            digest: None,
        }
    }
}

impl Envelope for SshFormat<'_> {
    fn open<'d>(&self, data: &'d [u8]) -> Result<Option<OpenedEnvelope<'d>>, EnvelopeError> {
        let read = SshSignature::read(data).map_err(EnvelopeError::SshSignature)?;
        let SshNamespace(wanted) = self.namespace;
        let is_wanted = Evidence::of_equal(&read.namespace, wanted.as_bytes());
        if !is_wanted.holds() {
            let found = context_text(&read.namespace);
            return Err(EnvelopeError::Rejected(Rejection::Namespace { found, wanted: wanted.clone() }));
        }
        let signature = RawSignature { key_id: None, bytes: read.signature };
        let mut opened = OpenedEnvelope::new(EnvelopeSignatures::Raw(vec![signature]), self.covered_bytes(read.hash));
        opened.contents.conditions.push(is_wanted);
        opened.contents.signer = Some(EnvelopeSigner { algorithm: read.algorithm, public: read.public });
        Ok(Some(opened))
    }

    fn supports(&self, algorithm: Algorithm) -> bool {
        ssh_name(algorithm).is_some()
    }

    fn has_options(&self) -> bool {
        false
    }
}

impl EnvelopeWriter for SshFormat<'_> {
    fn cover(&self, _: Vec<u8>) -> CoveredBytes<'static> {
        self.covered_bytes(Self::HASH)
    }

    fn separate(&self) -> Option<CoveredBytes<'static>> {
        Some(self.covered_bytes(Self::HASH))
    }

    /// Encodes a file with a single signature. The format cannot store several signatures, so the
    /// result is empty unless there is exactly one signature. An empty file cannot be opened, so
    /// the evidence from [`EnvelopeWriter::seal`] does not hold.
    fn write(&self, _: &CoveredBytes<'_>, signatures: &[NewSignature<'_>]) -> Vec<u8> {
        let SshNamespace(namespace) = self.namespace;
        let [NewSignature { algorithm, public, contents, .. }] = signatures else { return Vec::new() };
        let Some(signature) = SshSignature::new(namespace.as_bytes(), Self::HASH, *algorithm, public, contents) else {
            return Vec::new();
        };
        signature.to_file().unwrap_or_default()
    }
}
