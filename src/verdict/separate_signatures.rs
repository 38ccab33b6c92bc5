//! Reads the signature file for a separate message, and applies the file format's conditions to the
//! verdict, for example the condition that the public key in the file has signed.

use super::envelope::{
    CoveredBytes, EnvelopeContents, EnvelopeError, EnvelopeSignatures, EnvelopeSigner, OpenedEnvelope,
};
use super::evidence::Evidence;
use super::memory_files::{FileDefect, read_raw_signature, read_signatures};
use super::policy::{PairSelection, Policy};
use super::rejection::Rejection;
use super::signature_format::SignatureFormat;
use super::trusted_key::TrustedKey;
use crate::api::Algorithm;
use crate::files::FileObject;
use alloc::vec::Vec;
use core::fmt;

/// The conditions that a file format requires in addition to valid signatures.
#[derive(Default)]
pub struct FormatConditions {
    /// How to compute, from the separate message, the bytes that the signatures cover.
    pub covered: CoveredBytes<'static>,
    /// The public key in the file, if the format contains a key. In this case, only signatures by
    /// this key are accepted.
    signer: Option<EnvelopeSigner>,
    /// The evidence from checks that must succeed in addition to the verification of the
    /// signatures.
    conditions: Vec<Evidence>,
    /// The reason for a verdict NO that does not depend on the signatures.
    rejection: Option<Rejection>,
}

impl FormatConditions {
    /// Takes the conditions from an opened envelope. Returns `None` if the envelope contains the
    /// message.
    pub fn of_separate(contents: EnvelopeContents<'_>) -> Option<Self> {
        let covered = contents.covered.separate()?;
        Some(Self { covered, signer: contents.signer, conditions: contents.conditions, rejection: None })
    }

    /// Creates conditions that always lead to the verdict NO.
    pub fn rejected(rejection: Rejection) -> Self {
        Self { rejection: Some(rejection), ..Self::default() }
    }

    /// Returns whether the file contains the signer's public key.
    pub fn has_signer(&self) -> bool {
        self.signer.is_some()
    }

    /// Returns the pairs of a signature and an accepted key that could have created it, as
    /// [`Policy::pairs`] does. If the file contains a public key, the result contains only pairs
    /// with this key.
    ///
    /// # Errors
    /// Returns the error of `check_form` if no accepted key supports the context and the pre-hash.
    pub fn pairs<E>(
        &self,
        policy: &Policy<'_>,
        signatures: &[FileObject],
        check_form: impl Fn(Algorithm) -> Result<(), E>,
    ) -> Result<PairSelection, E> {
        if let Some(rejection) = &self.rejection {
            return Ok(PairSelection::Rejected(rejection.clone()));
        }
        let selection = policy.pairs(signatures, check_form)?;
        let Some(signer) = &self.signer else { return Ok(selection) };
        let PairSelection::Possible(pairs) = &selection else { return Ok(selection) };
        let mut by_signer = Vec::new();
        for pair in pairs {
            if signer.is(&policy.keys[pair.key]).holds() {
                by_signer.push(*pair);
            }
        }
        if by_signer.is_empty() {
            return Ok(PairSelection::Rejected(Rejection::OtherSigner { key: signer.description() }));
        }
        Ok(PairSelection::Possible(by_signer))
    }

    /// Returns evidence that holds only if `evidence` holds and the conditions of the format are
    /// met. `keys` are the keys that have signed.
    pub fn confirm<'k>(&self, evidence: Evidence, keys: impl Iterator<Item = &'k TrustedKey>) -> Evidence {
        let mut all = self.conditions.clone();
        all.push(evidence);
        let mut required = self.conditions.len() + 1;
        if let Some(signer) = &self.signer {
            all.extend(keys.map(|key| signer.is(key)));
            required += 1;
        }
        if self.rejection.is_some() {
            all.push(Evidence::of_equal(b"rejected", b""));
        }
        Evidence::of_all(&all, required)
    }
}

/// The contents of a signature file for a separate message.
#[non_exhaustive]
pub struct SeparateSignatures {
    /// The signatures in the order of the file. There is at least one signature, unless the
    /// conditions contain a rejection.
    pub signatures: Vec<FileObject>,
    /// The format's conditions.
    pub conditions: FormatConditions,
}

/// The reason why a signature file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SeparateSignaturesError {
    /// The file is not a signature file in this format.
    Format(EnvelopeError),
    /// A signature in the file has a defect.
    Signature(FileDefect),
}

impl fmt::Display for SeparateSignaturesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format(e) => write!(f, "{e}"),
            Self::Signature(e) => write!(f, "{e}"),
        }
    }
}

impl core::error::Error for SeparateSignaturesError {}

impl SeparateSignatures {
    /// Creates the contents of a signature file in fndsa's own format, which has no conditions.
    pub fn without_conditions(signatures: Vec<FileObject>) -> Self {
        Self { signatures, conditions: FormatConditions::default() }
    }

    /// Opens a signature file. Signatures for unknown algorithms are dropped if there is a
    /// signature for a known algorithm. If the file itself leads to the verdict NO, for example
    /// because of a wrong namespace, the result has no signatures, and the conditions contain the
    /// rejection.
    ///
    /// # Errors
    /// Fails if the file is not a signature file in this format, has too many signatures, or has no
    /// signature for a known algorithm.
    pub fn open(format: &SignatureFormat, data: &[u8]) -> Result<Self, SeparateSignaturesError> {
        let OpenedEnvelope { signatures, contents } = match format.envelope().open(data) {
            Ok(Some(opened)) => opened,
            Ok(None) => return Err(no_signature()),
            Err(EnvelopeError::Rejected(rejection)) => {
                return Ok(Self { signatures: Vec::new(), conditions: FormatConditions::rejected(rejection) });
            }
            Err(e) => return Err(SeparateSignaturesError::Format(e)),
        };
        let conditions = FormatConditions::of_separate(contents).ok_or_else(no_signature)?;
        let signatures = match signatures {
            EnvelopeSignatures::File(data) => read_signatures(&data).map_err(SeparateSignaturesError::Signature)?,
            EnvelopeSignatures::Decoded(object) => alloc::vec![*object],
            EnvelopeSignatures::Raw(each) => {
                let mut known = Vec::with_capacity(each.len());
                let mut first = None;
                for signature in &each {
                    match read_raw_signature(&signature.bytes) {
                        Ok(object) => known.push(object),
                        Err(e) => drop(first.get_or_insert(e)),
                    }
                }
                match first {
                    Some(e) if known.is_empty() => return Err(SeparateSignaturesError::Signature(e)),
                    None if known.is_empty() => return Err(no_signature()),
                    _ => known,
                }
            }
        };
        Ok(Self { signatures, conditions })
    }
}

/// Returns the error for a file without a signature for a separate message.
fn no_signature() -> SeparateSignaturesError {
    SeparateSignaturesError::Signature(FileDefect::new("the file does not contain a signature of a separate file"))
}
