//! The bytes that are covered by the signatures in an envelope.

use crate::api::{PreHash, Scheme};
use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// An encoding of the message that a signature can cover instead of the main encoding, for example
/// the encoding from TAP 21 (a proposal for TUF) in a DSSE envelope. A signature that covers this
/// encoding has no context and no pre-hash.
#[non_exhaustive]
pub struct OtherForm {
    /// The name of this encoding, for example `tap21`, which is printed with the result.
    pub name: &'static str,
    /// The scheme of the signatures that can cover this encoding.
    pub scheme: Scheme,
    /// The bytes that are covered by the signatures.
    pub signed: Vec<u8>,
}

impl OtherForm {
    /// Creates the value from its fields.
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
    /// The signatures cover a separate file.
    #[default]
    SeparateFile,
    /// The signatures cover `prefix`, the digest of a separate file, and `suffix`.
    SeparateDigest {
        /// The function that hashes the file.
        hash: PreHash,
        /// The bytes before the digest.
        prefix: Vec<u8>,
        /// The bytes after the digest.
        suffix: Vec<u8>,
        /// The digest that the envelope contains, which must be the digest of the separate file.
        /// `None` if the envelope contains no digest.
        digest: Option<Vec<u8>>,
    },
    /// The signatures are CMS signatures without signed attributes, and cover a separate file. This
    /// file must not begin like signed attributes. Otherwise, an attacker could take the signed
    /// attributes from another CMS signature, and present them as the file that was signed.
    WithoutAttributes,
    /// The signatures cover `prefix` and a separate file.
    PrefixedFile {
        /// The bytes before the file.
        prefix: Vec<u8>,
        /// Whether the signatures cover the file in base64url, without padding.
        is_base64url: bool,
    },
    /// The signatures cover bytes in the envelope, or bytes that are computed from its contents.
    Enclosed {
        /// The bytes that are covered by the signatures.
        signed: Cow<'d, [u8]>,
        /// The message, or its position in `signed`.
        message: EnclosedMessage<'d>,
        /// The name of the encoding in `signed`, for example `pae`. `None` if the format has only
        /// one encoding.
        form: Option<&'static str>,
        /// Alternatives to `signed`: a signature can cover one of these encodings instead. They all
        /// encode the same message.
        others: Vec<OtherForm>,
    },
}

/// The message in an envelope.
#[non_exhaustive]
pub enum EnclosedMessage<'d> {
    /// The message is this range of the signed bytes.
    Part(Range<usize>),
    /// The message is stored separately in the envelope, and the signed bytes are computed from it.
    Hashed(Cow<'d, [u8]>),
}

impl<'d> CoveredBytes<'d> {
    /// Creates the value for an envelope with signatures that cover exactly `message`.
    pub fn message(message: impl Into<Cow<'d, [u8]>>) -> Self {
        let signed = message.into();
        let message = EnclosedMessage::Part(0..signed.len());
        Self::Enclosed { signed, message, form: None, others: Vec::new() }
    }

    /// Returns the bytes that are covered by the signatures, and the message. Returns `None` if the
    /// message is in a separate file.
    pub fn enclosed(&self) -> Option<(&[u8], &[u8])> {
        match self {
            Self::Enclosed { signed, message: EnclosedMessage::Part(range), .. } => {
                Some((signed, signed.get(range.clone()).unwrap_or_default()))
            }
            Self::Enclosed { signed, message: EnclosedMessage::Hashed(message), .. } => Some((signed, message)),
            _ => None,
        }
    }

    /// Returns the name of the main form (the encoding in `signed`). Returns `None` if the format
    /// has only one form.
    pub fn form(&self) -> Option<&'static str> {
        match self {
            Self::Enclosed { form, .. } => *form,
            _ => None,
        }
    }

    /// Returns the forms of the message that a signature can cover instead of the main form. The
    /// result is empty for most formats.
    pub fn others(&self) -> &[OtherForm] {
        match self {
            Self::Enclosed { others, .. } => others,
            _ => &[],
        }
    }

    /// Returns all forms (encodings) of the message with their names. The main form is first, and
    /// its bytes are empty if the message is in a separate file.
    pub fn forms(&self) -> Vec<(Option<&'static str>, &[u8])> {
        let (signed, _) = self.enclosed().unwrap_or_default();
        let mut all = vec![(self.form(), signed)];
        all.extend(self.others().iter().map(|other| (Some(other.name), &other.signed[..])));
        all
    }

    /// Converts the value for a separate message to an owned value. Returns `None` if the envelope
    /// contains the message.
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

    /// Sets the digest in [`Self::SeparateDigest`] if it is missing. All other values are returned
    /// unchanged.
    #[must_use]
    pub fn with_digest(self, of_file: Option<&[u8]>) -> Self {
        match self {
            Self::SeparateDigest { hash, prefix, suffix, digest: None } => {
                Self::SeparateDigest { hash, prefix, suffix, digest: of_file.map(<[u8]>::to_vec) }
            }
            other => other,
        }
    }

    /// Returns the fields of this value, each with its length before it, to compare two values for
    /// a separate message. If `with_digest` is false, the result does not contain the file's
    /// digest.
    pub(super) fn description(&self, with_digest: bool) -> Vec<u8> {
        match self {
            Self::SeparateFile => framed(&[&b"file"[..]]),
            Self::SeparateDigest { hash, prefix, suffix, digest } => {
                let digest = digest.as_deref().filter(|_| with_digest).unwrap_or_default();
                framed(&[&b"digest"[..], hash.name().as_bytes(), prefix, suffix, digest])
            }
            Self::WithoutAttributes => framed(&[&b"without attributes"[..]]),
            Self::PrefixedFile { prefix, is_base64url } => {
                framed(&[&b"prefix"[..], prefix, &[u8::from(*is_base64url)]])
            }
            Self::Enclosed { .. } => framed(&[&b"enclosed"[..]]),
        }
    }
}

/// Concatenates texts, each with its length before it. Therefore, two lists have the same result
/// only if they are equal.
pub fn framed<T: AsRef<[u8]>>(texts: &[T]) -> Vec<u8> {
    let mut all = Vec::new();
    for text in texts {
        all.extend_from_slice(&text.as_ref().len().to_le_bytes());
        all.extend_from_slice(text.as_ref());
    }
    all
}
