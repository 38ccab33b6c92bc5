//! Rejections: the answer NO with its message, reason code and hint.

use super::key_terms::Restriction;
use crate::files::{Date, Kind, Object};
use crate::{Algorithm, SignatureEncoding};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// What to do about a signature of another algorithm than the key.
pub const GIVE_THE_SIGNER_S: &str = "give the public key of the signer";

/// The reason for the answer NO, with its message, reason code and hint.
pub enum Rejection {
    /// No given key has an expected fingerprint.
    Unexpected {
        /// The expected fingerprint.
        missing: String,
    },
    /// No given key is of an algorithm of the signature.
    Algorithm {
        /// The algorithms of the signature, in words.
        signature: String,
        /// The algorithms of the keys.
        keys: Vec<Algorithm>,
    },
    /// The signature is not encoded canonically.
    Encoding,
    /// The signature is in another encoding than the one that is accepted.
    OtherEncoding {
        /// The encoding of the signature.
        found: SignatureEncoding,
        /// The encoding that is accepted.
        wanted: SignatureEncoding,
    },
    /// The signature does not match.
    Mismatch {
        /// Whether several keys may have made the signature.
        several: bool,
        /// Whether the verifier gave neither context nor pre-hash.
        plain: bool,
    },
    /// A key with a restriction that the message does not meet has made the signature.
    Restricted {
        /// The name of the key, for messages.
        key: String,
        /// The restriction.
        restriction: Restriction,
    },
    /// Fewer keys than required have signed.
    TooFew {
        /// The number of keys that have signed.
        found: usize,
        /// The number of keys that must have signed.
        required: usize,
    },
    /// The signed list has another checksum for the file.
    Checksum {
        /// The name of the list, if it has one.
        list: Option<String>,
    },
    /// The signed list has no entry for the file.
    NotListed {
        /// The name of the list, if it has one.
        list: Option<String>,
    },
    /// All files of the signed list are missing.
    NothingVerified,
    /// The file is in the directory of the signed list, which has no entry for it.
    Unlisted {
        /// The name of the list, if it has one.
        list: Option<String>,
    },
    /// The last day of the signed list has passed.
    Expired {
        /// The last day.
        best_before: Date,
        /// The day of the verification.
        today: Date,
    },
    /// The inline signature of a list is not as `sign` writes it.
    InlineForm,
    /// The envelope names another payload type than the verifier expects.
    PayloadType {
        /// The type in the envelope.
        found: String,
        /// The expected type.
        wanted: String,
    },
}

impl Rejection {
    /// Returns the text in brackets.
    pub fn words(&self) -> String {
        match self {
            Self::Unexpected { missing } => format!("no given public key has the expected fingerprint {missing}"),
            Self::Algorithm { signature, keys } => {
                let keys: Vec<_> = keys.iter().map(Algorithm::to_string).collect();
                format!("the signature is {signature}, but the key is {}", keys.join(" or "))
            }
            Self::Encoding => "the signature is malformed".to_owned(),
            Self::OtherEncoding { found, wanted } => {
                format!("the encoding of the signature is {}, not {}", found.name(), wanted.name())
            }
            Self::Mismatch { several: false, .. } => "signature does not match the file and the key".to_owned(),
            Self::Mismatch { several: true, .. } => "signature does not match the file and any of the keys".to_owned(),
            Self::Restricted { key, restriction } => format!("signed by {key}, {restriction}"),
            Self::TooFew { found, required } => {
                let have = if *found == 1 { "has" } else { "have" };
                format!("{found} of {required} required keys {have} signed the file")
            }
            Self::Checksum { list } => format!("does not match its checksum in {}", named(list.as_deref())),
            Self::NotListed { list } => format!("not in {}", named(list.as_deref())),
            Self::NothingVerified => "no file was verified: all files of the list are missing".to_owned(),
            Self::Unlisted { list } => format!("in the directory, but not in {}", named(list.as_deref())),
            Self::Expired { best_before, today } => {
                format!("expired: the last day of the list was {best_before}, and today is {today}")
            }
            Self::InlineForm => "the signature in the list is not as fndsa writes it".to_owned(),
            Self::PayloadType { found, wanted } => format!("the payload type is {found}, not \"{wanted}\""),
        }
    }

    /// Returns the answer NO if the signature can be of none of the algorithms of the keys, of which there is at least one.
    pub fn of_algorithms(signature: &Object, keys: &[Algorithm]) -> Option<Self> {
        if keys.iter().any(|key| signature.fits(*key)) {
            return None;
        }
        let names = signature.names().unwrap_or_else(|| signature.algorithm().to_string());
        Some(Self::Algorithm { signature: names, keys: keys.to_vec() })
    }

    /// Returns the answer NO for a signature that cannot be one of a key's algorithm, whatever its label says.
    pub fn of_malformed(signature: &Object, key: Algorithm) -> Self {
        let detected = Object::detect(Kind::Signature, signature.encoding, signature.bytes.clone());
        match detected.ok().filter(|it| !it.fits(key)).and_then(|it| it.names()) {
            Some(signature) => Self::Algorithm { signature, keys: vec![key] },
            None => Self::Encoding,
        }
    }

    /// Returns the code for scripts.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Unexpected { .. } => "unexpected_key",
            Self::Algorithm { .. } => "algorithm_mismatch",
            Self::Encoding => "signature_malformed",
            Self::OtherEncoding { .. } => "encoding_mismatch",
            Self::Mismatch { .. } => "signature_mismatch",
            Self::Restricted { restriction, .. } => restriction.reason(),
            Self::TooFew { .. } => "too_few_signatures",
            Self::Checksum { .. } => "manifest_mismatch",
            Self::NotListed { .. } => "not_in_manifest",
            Self::NothingVerified => "nothing_verified",
            Self::Unlisted { .. } => "unlisted",
            Self::Expired { .. } => "expired",
            Self::InlineForm => "inline_form",
            Self::PayloadType { .. } => "payload_type",
        }
    }

    /// Returns what to do, where there is something to do.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Unexpected { .. } => Some(
                "compare the expected fingerprint with the fingerprint that `fndsa inspect FILE` prints for your public key file",
            ),
            Self::Algorithm { .. } => Some(GIVE_THE_SIGNER_S),
            Self::Mismatch { plain: true, .. } => Some(
                "the file was changed, or another key signed it; if the signer used a context or a pre-hash, give the same --context and \
                 --prehash",
            ),
            Self::Mismatch { plain: false, .. } => {
                Some("the file was changed, another key signed it, or the signer used another context or pre-hash")
            }
            Self::OtherEncoding { .. } => Some("leave --encoding out to accept every encoding"),
            Self::NotListed { .. } => Some(
                "names in the list are relative to the current directory: to use another directory, add -C DIR | names in the \
                 list are relative to the given directory: compare this file name with the names in the list",
            ),
            Self::NothingVerified => Some(
                "names in the list are relative to the current directory: to use another directory, add -C DIR | names in the \
                 list are relative to the given directory: check the directory",
            ),
            Self::Checksum { .. } => {
                Some("the file was changed, or it belongs to another list: get the file and the list again")
            }
            Self::Encoding => Some("the signature file is damaged: copy or download it again"),
            Self::Restricted { restriction, .. } => Some(restriction.hint()),
            Self::Unlisted { .. } => Some(
                "the list has no entry for this file: check whether it is a renamed file of the list; \
                                           if not, remove it, or leave --strict out",
            ),
            Self::Expired { .. } => {
                Some("get a newer list from the signer; for an archive, verify as of an earlier day with --at DATE")
            }
            Self::InlineForm => {
                Some("text in the list was added, removed or changed: copy the list again, byte for byte")
            }
            Self::PayloadType { .. } => Some(
                "get the envelope of the expected type from the signer; the type tells programs how to read the payload",
            ),
            Self::TooFew { .. } => None,
        }
    }
}

/// Returns what messages call a list.
fn named(list: Option<&str>) -> String {
    list.map_or_else(|| "the list".to_owned(), |name| format!("the list {name}"))
}
