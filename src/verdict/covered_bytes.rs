//! The bytes that are covered by the signatures in an envelope.

use crate::api::{PreHash, Scheme};
use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// Another form of the message that signatures can cover instead of the main form. The signatures
/// have no context and no pre-hash.
#[non_exhaustive]
pub struct OtherForm {
    /// The name of the form in results.
    pub name: &'static str,
    /// The scheme of the signatures that can cover this form.
    pub scheme: Scheme,
    /// The bytes that are covered by the signatures.
    pub signed: Vec<u8>,
}

impl OtherForm {
    /// Creates a form. The parameters are the fields with these names.
    pub const fn new(name: &'static str, scheme: Scheme, signed: Vec<u8>) -> Self {
        Self { name, scheme, signed }
    }
}

impl AsRef<[u8]> for OtherForm {
    fn as_ref(&self) -> &[u8] {
        &self.signed
    }
}

/// The bytes that are covered by the signatures in an envelope.
#[derive(Default)]
#[non_exhaustive]
pub enum CoveredBytes<'d> {
    /// The bytes are in a separate file.
    #[default]
    SeparateFile,
    /// The bytes are `prefix`, the digest of a separate file, and `suffix`.
    SeparateDigest {
        /// The function that hashes the file.
        hash: PreHash,
        /// The bytes before the digest.
        prefix: Vec<u8>,
        /// The bytes after the digest.
        suffix: Vec<u8>,
        /// The digest in the envelope. The file must have this digest. `None` if the envelope
        /// contains no digest.
        digest: Option<Vec<u8>>,
    },
    /// The bytes are a separate file. Signatures in this format can also cover attributes instead
    /// of the file, so the file must not begin like attributes.
    WithoutAttributes,
    /// The bytes are `prefix` and a separate file.
    PrefixedFile {
        /// The bytes before the file.
        prefix: Vec<u8>,
        /// Whether the file is covered in base64url without padding.
        is_base64url: bool,
    },
    /// The bytes are in the envelope, or are computed from its contents.
    Enclosed {
        /// The bytes that are covered by the signatures.
        signed: Cow<'d, [u8]>,
        /// The message.
        message: EnclosedMessage<'d>,
        /// The name of the form `signed`, for a format in which each signature covers one of
        /// several forms of the message.
        form: Option<&'static str>,
        /// The other forms of the message.
        others: Vec<OtherForm>,
    },
}

/// The message in an envelope.
#[non_exhaustive]
pub enum EnclosedMessage<'d> {
    /// A range of the signed bytes.
    Part(Range<usize>),
    /// The message, from which the signed bytes are computed.
    Hashed(Cow<'d, [u8]>),
}

impl<'d> CoveredBytes<'d> {
    /// Creates the value for an envelope whose signatures cover exactly `message`.
    pub fn message(message: impl Into<Cow<'d, [u8]>>) -> Self {
        let signed = message.into();
        let message = EnclosedMessage::Part(0..signed.len());
        Self::Enclosed { signed, message, form: None, others: Vec::new() }
    }

    /// Returns the bytes that are covered by the signatures, and the message in these bytes. `None`
    /// if the message is in a separate file.
    pub fn enclosed(&self) -> Option<(&[u8], &[u8])> {
        match self {
            Self::Enclosed { signed, message: EnclosedMessage::Part(range), .. } => {
                Some((signed, signed.get(range.clone()).unwrap_or_default()))
            }
            Self::Enclosed { signed, message: EnclosedMessage::Hashed(message), .. } => Some((signed, message)),
            _ => None,
        }
    }

    /// Returns the name of the main form. `None` if the format has only one form.
    pub fn form(&self) -> Option<&'static str> {
        match self {
            Self::Enclosed { form, .. } => *form,
            _ => None,
        }
    }

    /// Returns the other forms of the message. Most formats have only the main form.
    pub fn others(&self) -> &[OtherForm] {
        match self {
            Self::Enclosed { others, .. } => others,
            _ => &[],
        }
    }

    /// Returns the forms of the message with their names: the main form and the other forms. The
    /// main form is empty if the message is in a separate file.
    pub fn forms(&self) -> Vec<(Option<&'static str>, &[u8])> {
        let (signed, _) = self.enclosed().unwrap_or_default();
        let mut all = vec![(self.form(), signed)];
        all.extend(self.others().iter().map(|other| (Some(other.name), &other.signed[..])));
        all
    }

    /// Returns the value without a borrow if the message is in a separate file, and otherwise
    /// `None`.
    pub fn separate(self) -> Option<CoveredBytes<'static>> {
        match self {
            Self::SeparateFile => Some(CoveredBytes::SeparateFile),
            Self::SeparateDigest { hash, prefix, suffix, digest } => {
                Some(CoveredBytes::SeparateDigest { hash, prefix, suffix, digest })
            }
            Self::WithoutAttributes => Some(CoveredBytes::WithoutAttributes),
            Self::PrefixedFile { prefix, is_base64url } => Some(CoveredBytes::PrefixedFile { prefix, is_base64url }),
            Self::Enclosed { .. } => None,
        }
    }

    /// Adds the digest of the separate file. Other values do not change.
    #[must_use]
    pub fn with_digest(self, of_file: Option<&[u8]>) -> Self {
        match self {
            Self::SeparateDigest { hash, prefix, suffix, digest: None } => {
                Self::SeparateDigest { hash, prefix, suffix, digest: of_file.map(<[u8]>::to_vec) }
            }
            other => other,
        }
    }

    /// Returns the bytes that the value contains, with their lengths, if the message is in a
    /// separate file. Two such values are equal only if these bytes are equal. If `with_digest` is
    /// false, a digest of the file is left out.
    pub(super) fn description(&self, with_digest: bool) -> Vec<u8> {
        match self {
            Self::SeparateFile => framed(&[&b"file"[..]]),
            Self::SeparateDigest { hash, prefix, suffix, digest } => {
                let digest = digest.as_deref().filter(|_| with_digest).unwrap_or_default();
                framed(&[b"digest", hash.name().as_bytes(), prefix, suffix, digest])
            }
            Self::WithoutAttributes => framed(&[&b"without attributes"[..]]),
            Self::PrefixedFile { prefix, is_base64url } => {
                framed(&[b"prefix", &prefix[..], &[u8::from(*is_base64url)]])
            }
            Self::Enclosed { .. } => framed(&[&b"enclosed"[..]]),
        }
    }
}

/// Joins texts, with the length before each text. Two results are equal only if the lists of texts
/// are equal.
pub fn framed<T: AsRef<[u8]>>(texts: &[T]) -> Vec<u8> {
    let mut all = Vec::new();
    for text in texts {
        all.extend_from_slice(&text.as_ref().len().to_le_bytes());
        all.extend_from_slice(text.as_ref());
    }
    all
}
