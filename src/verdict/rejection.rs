//! Rejections: the verdict NO with its message, reason code and hint.
//!
//! Each variant has a default hint. The command-line program knows more about the files than this
//! module, and replaces some hints; `src/tool/verify/mod.rs` lists the places that replace hints.
//! The hints of the web page are in `web/src/hints.rs`.

use super::key_terms::KeyRestriction;
use super::message_enum::message_enum;
use crate::api::{Algorithm, SignatureEncoding};
use crate::files::{Date, FileObject, ObjectKind};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// The hint if no accepted key has the signature's algorithm.
pub const SIGNERS_KEY_HINT: &str = "give the public key of the signer";

/// The hint if the signature's algorithm is a part of the key's composite algorithm, or if the
/// key's algorithm is a part of the signature's composite algorithm.
const OTHER_PART_HINT: &str = "give the other public key of the signer: a composite key does not verify a signature by one half, \
                                   and a half does not verify a composite signature";

message_enum! {
    /// The reason for the verdict NO, with its message, reason code and hint.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Rejection {
        /// An expected fingerprint does not match any given key.
        Unexpected {
            /// The expected fingerprint.
            missing: String,
        } => "unexpected_key";
            "no given public key has the expected fingerprint {missing}";
            "compare the expected fingerprint with the fingerprint that `fndsa inspect FILE` prints for your public key file";
        /// The signature's algorithm does not match any given key.
        Algorithm {
            /// The names of the algorithms that the signature can have, joined to a text.
            signature: String,
            /// The algorithms of the keys.
            keys: Vec<Algorithm>,
        } => "algorithm_mismatch";
            "the signature is {signature}, but the key is {}", alternatives(keys);
            if is_half_of_composite(signature, keys) { OTHER_PART_HINT } else { SIGNERS_KEY_HINT };
        /// The signature cannot be decoded, or its encoding is not canonical.
        Encoding => "signature_malformed";
            "the signature is malformed";
            "the signature file is damaged: copy or download it again";
        /// The signature is correctly encoded, but the verifier requires a different encoding.
        OtherEncoding {
            /// The signature's encoding.
            found: SignatureEncoding,
            /// The encoding that the verifier requires.
            wanted: SignatureEncoding,
        } => "encoding_mismatch";
            "the encoding of the signature is {}, not {}", found.name(), wanted.name();
            "leave --encoding out to accept every encoding";
        /// The signature is not valid for the file and the key.
        Mismatch {
            /// Whether the signature was verified with several keys.
            several: bool,
            /// Whether the signature was verified without a context and without a pre-hash.
            plain: bool,
        } => "signature_mismatch";
            // In most cases, the command-line program replaces this hint. For example, if the
            // signature has a note, `note_cause` returns the hint.
            "signature does not match the file and {}", if *several { "any of the keys" } else { "the key" };
            if *plain {
                "the file was changed, or another key signed it; if the signer used a context or a pre-hash, give the same --context and \
                 --prehash"
            } else {
                "the file was changed, another key signed it, or the signer used another context or pre-hash"
            };
        /// The signature is valid, but its key has a restriction that the message does not meet.
        Restricted {
            /// The key's description, as text for the message.
            key: String,
            /// The restriction.
            restriction: KeyRestriction,
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
            "{found} of {required} required keys {} signed the file", has_or_have(*found);
            "";
        /// The file does not match its checksum in the signed list.
        Checksum {
            /// The list's name, if it is known.
            list: Option<String>,
        } => "manifest_mismatch";
            "does not match its checksum in {}", list_name(list.as_deref());
            "the file was changed, or it belongs to another list: get the file and the list again";
        /// The file is not in the signed list.
        NotListed {
            /// The list's name, if it is known.
            list: Option<String>,
        } => "not_in_manifest";
            "not in {}", list_name(list.as_deref());
            "names in the list are relative to the current directory: to use another directory, add -C DIR | names in the \
             list are relative to the given directory: compare this file name with the names in the list";
        /// All files in the signed list are missing, and the verifier ignores missing files.
        NothingVerified => "nothing_verified";
            "no file was verified: all files of the list are missing";
            "names in the list are relative to the current directory: to use another directory, add -C DIR | names in the \
             list are relative to the given directory: check the directory";
        /// The file is in a directory that the signed list covers, but the list does not contain
        /// it.
        Unlisted {
            /// The list's name, if it is known.
            list: Option<String>,
        } => "unlisted";
            "in the directory, but not in {}", list_name(list.as_deref());
            "the list has no entry for this file: check whether it is a renamed file of the list; if not, remove it, or leave \
             --strict out";
        /// The signed list is expired.
        Expired {
            /// The list's last day.
            best_before: Date,
            /// The verification date.
            today: Date,
        } => "expired";
            "expired: the last day of the list was {best_before}, and today is {today}";
            "get a newer list from the signer; for an archive, verify as of an earlier day with --at DATE";
        /// The signatures in a list do not have exactly the form that `sign` writes.
        InlineForm => "inline_form";
            "the signature at the end of the list does not have the form that fndsa writes";
            "text in the list was added, removed or changed: copy the list again, byte for byte";
        /// The payload type in the envelope is not the type that the verifier requires.
        PayloadType {
            /// The type in the envelope.
            found: String,
            /// The required type.
            wanted: String,
        } => "payload_type";
            "the payload type is {found}, not \"{wanted}\"";
            "get the envelope of the expected type from the signer; the type tells programs how to read the payload";
        /// The namespace in the SSH signature is not the namespace that the verifier requires.
        Namespace {
            /// The namespace in the signature.
            found: String,
            /// The required namespace.
            wanted: String,
        } => "ssh_namespace";
            "the signature was made for the namespace {found}, not \"{wanted}\"";
            "give the namespace that the signer used, if you trust the key for this purpose; git uses the namespace git, and \
             files often have the namespace file";
        /// The public key in the SSH signature is not a trusted key.
        OtherSigner {
            /// The key's algorithm and fingerprint.
            key: String,
        } => "other_signer";
            "the signature names the key {key}, which is not a trusted key";
            "ask the signer for the fingerprint of the public key, and compare it with the key that the signature names";
    }
}

/// The message of a rejection, as a type that can be formatted. Rust 1.89 has no `fmt::from_fn`.
struct RejectionMessage<'a>(&'a Rejection);

impl fmt::Display for RejectionMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write_message(f)
    }
}

impl Rejection {
    /// Returns the message as text.
    pub fn words(&self) -> String {
        RejectionMessage(self).to_string()
    }

    /// Returns the most likely next step for the user, if there is a hint.
    pub fn hint(&self) -> Option<&'static str> {
        let hint = self.row_hint();
        if hint.is_empty() { None } else { Some(hint) }
    }

    /// Returns a rejection if the signature cannot belong to any of the algorithms in `keys`, which
    /// are the algorithms of the accepted keys.
    pub fn of_algorithms(signature: &FileObject, keys: &[Algorithm]) -> Option<Self> {
        if keys.iter().any(|key| signature.fits(*key)) {
            return None;
        }
        let names = match signature.names() {
            Some(names) => names,
            None => signature.algorithm().to_string(),
        };
        Some(Self::Algorithm { signature: names, keys: keys.to_vec() })
    }

    /// Returns the rejection for a signature that cannot be decoded for `key`, the trusted key's
    /// algorithm, which the signature's file states. If the bytes are a signature for a different
    /// algorithm, the rejection names that algorithm.
    pub fn of_malformed(signature: &FileObject, key: Algorithm) -> Self {
        let detected = FileObject::detect(ObjectKind::Signature, signature.encoding, signature.bytes.clone());
        if let Ok(detected) = detected
            && !detected.fits(key)
            && let Some(signature) = detected.names()
        {
            return Self::Algorithm { signature, keys: vec![key] };
        }
        Self::Encoding
    }
}

/// Returns the names of the algorithms, joined with "or".
fn alternatives(keys: &[Algorithm]) -> String {
    keys.iter().map(Algorithm::to_string).collect::<Vec<_>>().join(" or ")
}

/// Returns whether the signature's algorithm is a part of a key's composite algorithm (ML-DSA with
/// Ed25519), or a key's algorithm is a part of the signature's composite algorithm.
fn is_half_of_composite(signature: &str, keys: &[Algorithm]) -> bool {
    let Ok(signature) = signature.parse::<Algorithm>() else { return false };
    keys.iter().any(|key| is_half_of(signature, *key) || is_half_of(*key, signature))
}

/// Returns whether `half` is one of the two algorithms in `composite`.
fn is_half_of(half: Algorithm, composite: Algorithm) -> bool {
    match composite.halves() {
        Some(halves) => halves.contains(&half),
        None => false,
    }
}

/// Returns `has` or `have`, depending on the number of keys.
fn has_or_have(keys: usize) -> &'static str {
    if keys == 1 { "has" } else { "have" }
}

/// Returns the words `the list`, followed by the name if the name is known.
fn list_name(list: Option<&str>) -> String {
    match list {
        Some(name) => format!("the list {name}"),
        None => "the list".to_owned(),
    }
}
