//! Rejections: the answer NO with its message, reason code and hint.

use super::key_terms::Restriction;
use super::row::rows;
use crate::api::{Algorithm, SignatureEncoding};
use crate::files::{Date, Kind, Object};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// What to do about a signature of another algorithm than the key.
pub const GIVE_THE_SIGNER_S: &str = "give the public key of the signer";

rows! {
    /// The reason for the answer NO, with its message, reason code and hint.
    pub enum Rejection {
        /// No given key has an expected fingerprint.
        Unexpected {
            /// The expected fingerprint.
            missing: String,
        } => "unexpected_key";
            "no given public key has the expected fingerprint {missing}";
            "compare the expected fingerprint with the fingerprint that `fndsa inspect FILE` prints for your public key file";
        /// No given key is of an algorithm of the signature.
        Algorithm {
            /// The algorithms of the signature, in words.
            signature: String,
            /// The algorithms of the keys.
            keys: Vec<Algorithm>,
        } => "algorithm_mismatch";
            "the signature is {signature}, but the key is {}", alternatives(keys);
            GIVE_THE_SIGNER_S;
        /// The signature is not encoded canonically.
        Encoding => "signature_malformed";
            "the signature is malformed";
            "the signature file is damaged: copy or download it again";
        /// The signature is in another encoding than the one that is accepted.
        OtherEncoding {
            /// The encoding of the signature.
            found: SignatureEncoding,
            /// The encoding that is accepted.
            wanted: SignatureEncoding,
        } => "encoding_mismatch";
            "the encoding of the signature is {}, not {}", found.name(), wanted.name();
            "leave --encoding out to accept every encoding";
        /// The signature does not match.
        Mismatch {
            /// Whether several keys may have made the signature.
            several: bool,
            /// Whether the verifier gave neither context nor pre-hash.
            plain: bool,
        } => "signature_mismatch";
            "signature does not match the file and {}", if *several { "any of the keys" } else { "the key" };
            if *plain {
                "the file was changed, or another key signed it; if the signer used a context or a pre-hash, give the same --context and \
                 --prehash"
            } else {
                "the file was changed, another key signed it, or the signer used another context or pre-hash"
            };
        /// A key with a restriction that the message does not meet has made the signature.
        Restricted {
            /// The name of the key, for messages.
            key: String,
            /// The restriction.
            restriction: Restriction,
        } => restriction.reason();
            "signed by {key}, {restriction}";
            restriction.hint();
        /// Fewer keys than required have signed.
        TooFew {
            /// The number of keys that have signed.
            found: usize,
            /// The number of keys that must have signed.
            required: usize,
        } => "too_few_signatures";
            "{found} of {required} required keys {} signed the file", have(*found);
            "";
        /// The signed list has another checksum for the file.
        Checksum {
            /// The name of the list, if it has one.
            list: Option<String>,
        } => "manifest_mismatch";
            "does not match its checksum in {}", named(list.as_deref());
            "the file was changed, or it belongs to another list: get the file and the list again";
        /// The signed list has no entry for the file.
        NotListed {
            /// The name of the list, if it has one.
            list: Option<String>,
        } => "not_in_manifest";
            "not in {}", named(list.as_deref());
            "names in the list are relative to the current directory: to use another directory, add -C DIR | names in the \
             list are relative to the given directory: compare this file name with the names in the list";
        /// All files of the signed list are missing.
        NothingVerified => "nothing_verified";
            "no file was verified: all files of the list are missing";
            "names in the list are relative to the current directory: to use another directory, add -C DIR | names in the \
             list are relative to the given directory: check the directory";
        /// The file is in the directory of the signed list, which has no entry for it.
        Unlisted {
            /// The name of the list, if it has one.
            list: Option<String>,
        } => "unlisted";
            "in the directory, but not in {}", named(list.as_deref());
            "the list has no entry for this file: check whether it is a renamed file of the list; if not, remove it, or leave \
             --strict out";
        /// The last day of the signed list has passed.
        Expired {
            /// The last day.
            best_before: Date,
            /// The day of the verification.
            today: Date,
        } => "expired";
            "expired: the last day of the list was {best_before}, and today is {today}";
            "get a newer list from the signer; for an archive, verify as of an earlier day with --at DATE";
        /// The inline signature of a list is not as `sign` writes it.
        InlineForm => "inline_form";
            "the signature in the list is not as fndsa writes it";
            "text in the list was added, removed or changed: copy the list again, byte for byte";
        /// The envelope names another payload type than the verifier expects.
        PayloadType {
            /// The type in the envelope.
            found: String,
            /// The expected type.
            wanted: String,
        } => "payload_type";
            "the payload type is {found}, not \"{wanted}\"";
            "get the envelope of the expected type from the signer; the type tells programs how to read the payload";
    }
}

impl Rejection {
    /// Returns the text in brackets.
    pub fn words(&self) -> String {
        fmt::from_fn(|f| self.write_message(f)).to_string()
    }

    /// Returns what to do, where there is something to do.
    pub fn hint(&self) -> Option<&'static str> {
        Some(self.row_hint()).filter(|hint| !hint.is_empty())
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
}

/// Returns the algorithms of the keys, in words.
fn alternatives(keys: &[Algorithm]) -> String {
    keys.iter().map(Algorithm::to_string).collect::<Vec<_>>().join(" or ")
}

/// Returns the verb after this number of keys.
fn have(keys: usize) -> &'static str {
    if keys == 1 { "has" } else { "have" }
}

/// Returns what messages call a list.
fn named(list: Option<&str>) -> String {
    list.map_or_else(|| "the list".to_owned(), |name| format!("the list {name}"))
}
