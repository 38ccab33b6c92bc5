//! Reads signature files. A signature file usually contains a single signature. If several keys
//! have signed, it contains several PEM blocks.
//!
//! The order of the blocks and the text between them are not significant. The verifier decides how
//! many signatures must be valid, and the file cannot change this number. An envelope is a
//! signature file in a format that other programs also use, such as CMS or DSSE. It contains raw
//! signatures, and can add conditions to the verification, for example that the message has a given
//! digest.

use super::loader::ObjectLoader;
use super::swapped_files;
use crate::tool::io::InputSource;
use crate::tool::report::Error;
use fndsa::Algorithm;
use fndsa::files::{Defect, FileEncoding, FileObject, ObjectKind};
use fndsa::verdict::envelope::{CoveredBytes, Envelope, EnvelopeContents, EnvelopeSignatures, RawSignature};
pub use fndsa::verdict::signature_file::SignatureBlock;
use fndsa::verdict::signature_file::{self, BlockReader, SignatureFileError};
use fndsa::verdict::{Evidence, FormatConditions, PairSelection, Policy, Rejection, TrustedKey};
use std::borrow::Cow;
use std::fmt::Display;

/// The contents of a signature file.
#[derive(Default)]
pub struct LoadedSignatures {
    /// The signatures in the order of the file. This list is empty only if the verdict is already
    /// NO.
    pub known: Vec<FileObject>,
    /// For each signature in `known`, the key identifier from the envelope, which is not
    /// authenticated. `None` if the signature has no key identifier.
    pub key_ids: Vec<Option<String>>,
    /// Descriptions of the ignored blocks, which belong to other programs or unknown algorithms.
    pub ignored_blocks: Vec<String>,
    /// True if the format does not support contexts and pre-hashes.
    has_fixed_options: bool,
    /// A hint for the case that the signatures match the message only after its line ends are
    /// changed: the next step for the user. `None` if the format has no such hint.
    line_ends_hint: Option<&'static str>,
    /// The conditions of the format, for example the digest that the message must have.
    conditions: FormatConditions,
}

impl LoadedSignatures {
    /// Reads the signature file of `file`.
    ///
    /// # Errors
    /// Fails if the file cannot be read, if it contains no or too many signatures, or if a
    /// signature has a defect.
    pub fn load(signature: &InputSource, file: &InputSource) -> Result<Self, Error> {
        let read = match signature.read_signatures() {
            Ok(data) => Self::read(&data, signature),
            Err(e) => Err(e),
        };
        read.map_err(|e| swapped_files::explain_signature_error(e, file, signature))
    }

    /// Adds the format's conditions for a message in a separate file. Returns `None` if the
    /// envelope contains the message.
    pub fn with_separate_message(self, contents: EnvelopeContents<'_>) -> Option<Self> {
        Some(Self { conditions: FormatConditions::of_separate(contents)?, ..self })
    }

    /// Returns the bytes that the signatures cover if the message is in a separate file.
    pub fn covered(&self) -> &CoveredBytes<'static> {
        &self.conditions.covered
    }

    /// Returns whether the file contains the signer's public key.
    pub fn has_signer(&self) -> bool {
        self.conditions.has_signer()
    }

    /// Returns whether the signatures can have a context and a pre-hash.
    pub fn has_options(&self) -> bool {
        !self.has_fixed_options
    }

    /// Returns the hint for the case that the signatures match the message only after its line ends
    /// are changed.
    pub fn line_ends_hint(&self) -> Option<&'static str> {
        self.line_ends_hint
    }

    /// Creates a value without signatures. Its verification returns the verdict NO with this
    /// rejection.
    pub fn rejected(rejection: Rejection) -> Self {
        Self { conditions: FormatConditions::rejected(rejection), ..Self::default() }
    }

    /// Decodes the signatures in an envelope. `from` is the file's name in error messages.
    ///
    /// # Errors
    /// Fails if there are no signatures or too many, or if a signature has a defect.
    pub fn of_envelope(
        format: &dyn Envelope,
        signatures: EnvelopeSignatures<'_>,
        from: &dyn Display,
    ) -> Result<Self, Error> {
        let decoded = match signatures {
            EnvelopeSignatures::File(data) => Self::read(&data, from)?,
            EnvelopeSignatures::Raw(raw_signatures) => Self::of_raw(raw_signatures, from)?,
            EnvelopeSignatures::Decoded(object) => {
                Self { known: vec![*object], key_ids: vec![None], ..Self::default() }
            }
            _ => return Err(Error::Internal(format!("{from}: signatures of an unknown encoding"))),
        };
        let line_ends_hint = format.line_ends_hint();
        Ok(Self { has_fixed_options: !format.has_options(), line_ends_hint, ..decoded })
    }

    /// Decodes the contents of a signature file. `from` is the file's name in error messages.
    ///
    /// # Errors
    /// Fails if there are no signatures or too many, or if a signature has a defect.
    pub fn read(data: &[u8], from: &dyn Display) -> Result<Self, Error> {
        let mut known = Vec::new();
        let mut ignored_blocks = Vec::new();
        for (_, block) in blocks(data, from)? {
            match block {
                SignatureBlock::Known(object) => known.push(*object),
                SignatureBlock::Unknown(what) => ignored_blocks.push(what),
            }
        }
        let key_ids = vec![None; known.len()];
        Ok(Self { known, key_ids, ignored_blocks, ..Self::default() })
    }

    /// Returns the pairs of a signature and an accepted key that could have created the signature,
    /// as [`Policy::pairs`] does. If the file contains the signer's public key, the result contains
    /// only pairs with this key. If the file itself leads to the verdict NO, returns the rejection.
    ///
    /// # Errors
    /// Returns the error of `check_form` if no accepted key supports the given context and
    /// pre-hash.
    pub fn pairs(
        &self,
        policy: &Policy<'_>,
        check_form: impl Fn(Algorithm) -> Result<(), Error>,
    ) -> Result<PairSelection, Error> {
        self.conditions.pairs(policy, &self.known, check_form)
    }

    /// Returns evidence (see [`Evidence`]) that has the value of a YES only if `evidence` has this
    /// value and the format's conditions are met. `keys` are the keys with valid signatures.
    pub fn confirm<'k>(&self, evidence: Evidence, keys: impl Iterator<Item = &'k TrustedKey>) -> Evidence {
        self.conditions.confirm(evidence, keys)
    }

    /// Decodes raw signatures, which other programs may have written. Signatures with an unknown
    /// algorithm are ignored. `from` is the file's name in error messages.
    ///
    /// # Errors
    /// Fails if no raw signature in the file has a known algorithm.
    fn of_raw(raw_signatures: Vec<RawSignature>, from: &dyn Display) -> Result<Self, Error> {
        let loader = ObjectLoader::of_signatures();
        let mut known = Vec::new();
        let mut key_ids = Vec::new();
        let mut ignored_blocks = Vec::new();
        let mut first = None;
        for (i, RawSignature { key_id, bytes, .. }) in raw_signatures.into_iter().enumerate() {
            let object = loader.part(&bytes, &format!("{from}, signature {}", i + 1), ObjectKind::Signature);
            match object {
                Ok(object) if object.encoding == FileEncoding::Raw => {
                    known.push(object);
                    key_ids.push(key_id);
                    continue;
                }
                Ok(_) => {}
                Err(e) => drop(first.get_or_insert(e)),
            }
            ignored_blocks.push(format!("signature {} ({} bytes, of an unknown algorithm)", i + 1, bytes.len()));
        }
        if known.is_empty() {
            let what = Cow::Borrowed("a text instead of a raw signature");
            let no_raw_signature = Error::Unrecognised { from: from.to_string(), wanted: ObjectKind::Signature, what };
            return Err(first.unwrap_or(no_raw_signature));
        }
        Ok(Self { known, key_ids, ignored_blocks, ..Self::default() })
    }
}

/// Decodes the blocks of a signature file with [`signature_file::blocks`]. `from` is the file's
/// name in error messages.
///
/// # Errors
/// Fails if there are no signatures or too many, or if a signature has a defect.
pub fn blocks<'d>(data: &'d [u8], from: &dyn Display) -> Result<Vec<(&'d [u8], SignatureBlock)>, Error> {
    match signature_file::blocks(data, &BlockLoader { loader: ObjectLoader::of_signatures(), from }) {
        Ok(blocks) => Ok(blocks),
        Err(SignatureFileError::TooMany(count)) => Err(Error::ManySignatures { from: from.to_string(), count }),
        Err(SignatureFileError::Block(e)) => Err(e),
        Err(_) => Err(Error::Internal(format!("{from}: an unknown defect of a signature file"))),
    }
}

/// A reader for signature blocks that returns the errors of the command line.
struct BlockLoader<'f> {
    loader: ObjectLoader,
    from: &'f dyn Display,
}

impl BlockReader for BlockLoader<'_> {
    type Error = Error;

    fn read(&self, part: &[u8], number: usize, count: usize) -> Result<FileObject, Error> {
        let name = if count > 1 { format!("{}, signature {number}", self.from) } else { self.from.to_string() };
        self.loader.part(part, &name, ObjectKind::Signature)
    }

    fn unknown(&self, error: &Error) -> Option<String> {
        match error {
            Error::Format { defect: Defect::Foreign(foreign), .. } => Some(foreign.to_string()),
            Error::Format { defect: Defect::Label(label), .. } => Some(format!("a PEM block {label:?}")),
            _ => None,
        }
    }
}
