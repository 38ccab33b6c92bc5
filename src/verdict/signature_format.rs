//! The formats for signatures of a separate file.

use super::cms_envelope::CmsFormat;
use super::envelope::{DetachedSignatures, Envelope};
use super::jws_envelope::JwsFormat;
use super::messages::InputDefect;
use super::ssh_envelope::{SshFormat, SshNamespace};
use super::trusted_key::TrustedKey;
use crate::api::Algorithm;
use alloc::boxed::Box;

/// The format for signatures of a separate file. The verifier chooses the format, and a file in a
/// different format is an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignatureFormat {
    /// A signature file of fndsa, with one signature or several.
    #[default]
    Fndsa,
    /// A signature file of OpenSSH for this namespace.
    Ssh(SshNamespace),
    /// A JSON Web Signature in the compact form, without the message.
    Jws,
    /// A CMS file without the message, in DER or PEM.
    Cms,
}

impl SignatureFormat {
    /// The format of fndsa, as a reference for [`SignatureFileData`](super::SignatureFileData).
    pub const FNDSA: &'static Self = &Self::Fndsa;

    /// Returns the implementation of [`Envelope`] for this format.
    pub fn envelope(&self) -> Box<dyn Envelope + '_> {
        match self {
            Self::Fndsa => Box::new(DetachedSignatures),
            Self::Ssh(namespace) => Box::new(SshFormat { namespace }),
            Self::Jws => Box::new(JwsFormat),
            Self::Cms => Box::new(CmsFormat { has_message: false }),
        }
    }

    /// Returns the plural name for signatures in this format, to use in messages.
    pub fn title(&self) -> &'static str {
        match self {
            Self::Fndsa => "signatures of fndsa",
            Self::Ssh(_) => "SSH signatures",
            Self::Jws => "JSON Web Signatures",
            Self::Cms => "CMS signatures",
        }
    }

    /// Checks that the format is defined for the algorithm of at least one key. An empty list of
    /// keys is accepted.
    ///
    /// # Errors
    /// Fails if the format is not defined for any of the algorithms. The defect names the first
    /// key's algorithm.
    pub fn check_keys(&self, keys: &[TrustedKey]) -> Result<(), InputDefect<'static>> {
        let envelope = self.envelope();
        match keys.first() {
            Some(first) if !keys.iter().any(|key| envelope.supports(key.algorithm())) => {
                Err(self.unsupported(first.algorithm()))
            }
            _ => Ok(()),
        }
    }

    /// Returns the defect for a key with an algorithm that the format does not support.
    pub(super) fn unsupported(&self, algorithm: Algorithm) -> InputDefect<'static> {
        match self {
            Self::Ssh(_) => InputDefect::NoSshSignature(algorithm),
            Self::Jws => InputDefect::NoJws(algorithm),
            // The format of fndsa supports all algorithms, so this call is for CMS.
            Self::Fndsa | Self::Cms => InputDefect::NoCms(algorithm),
        }
    }
}
