//! The answer NO: which one it is where the signature alone tells, its words, its reason code, and what to do. The page in `web/`
//! says the same, and is built with this file.

use fndsa::files::{Date, Kind, Object};
use fndsa::{Algorithm, SignatureEncoding};

/// What to do about a signature of another algorithm than the key.
pub const GIVE_THE_SIGNER_S: &str = "give the public key of the signer";

/// The answer NO. One row each: words, reason code, hint.
pub enum No {
    /// No given key has this expected fingerprint.
    Unexpected { missing: String },
    /// No given key is of an algorithm of the signature.
    Algorithm { signature: String, keys: Vec<Algorithm> },
    /// The coefficients are not encoded canonically.
    Encoding,
    /// The signature is in another encoding than the one that is accepted.
    OtherEncoding { found: SignatureEncoding, wanted: SignatureEncoding },
    /// The signature does not match.
    Mismatch { several: bool, plain: bool },
    /// The signature is by a key that does not count.
    Void { words: String, reason: &'static str, hint: &'static str },
    /// Fewer keys than are required have signed.
    TooFew { found: usize, required: usize },
    /// The signed manifest has another checksum for the file.
    Checksum,
    /// The signed manifest does not name the file.
    NotListed,
    /// None of the files that the signed manifest names is there.
    NothingVerified,
    /// The file stands in the directory of the signed manifest, which does not name it.
    Unlisted,
    /// The last day of the signed manifest is over.
    Expired { best_before: Date, today: Date },
    /// The signature in the manifest is not in the form that it is written in.
    InlineForm,
    /// The envelope says that its payload is of another type than the one that is wanted.
    PayloadType { found: String, wanted: String },
}

impl No {
    /// Returns the text in brackets.
    pub fn words(&self) -> String {
        match self {
            Self::Unexpected { missing } => format!("no given key has the expected fingerprint {missing}"),
            Self::Algorithm { signature, keys } => {
                let keys: Vec<_> = keys.iter().map(Algorithm::to_string).collect();
                format!("the signature is {signature}, the key {}", keys.join(" or "))
            }
            Self::Encoding => "the signature is malformed".to_owned(),
            Self::OtherEncoding { found, wanted } => {
                format!("the encoding of the signature is {}, not {}", found.name(), wanted.name())
            }
            Self::Mismatch { several: false, .. } => "signature does not match the file and the key".to_owned(),
            Self::Mismatch { several: true, .. } => "signature does not match the file and any of the keys".to_owned(),
            Self::Void { words, .. } => words.clone(),
            Self::TooFew { found, required } => {
                let have = if *found == 1 { "has" } else { "have" };
                format!("{found} of the {required} keys that are required {have} signed it")
            }
            Self::Checksum => "does not match the manifest".to_owned(),
            Self::NotListed => "not listed in the manifest".to_owned(),
            Self::NothingVerified => "no file was verified: none of them is there".to_owned(),
            Self::Unlisted => "is there, and the manifest does not name it".to_owned(),
            Self::Expired { best_before, today } => format!("expired: best before {best_before}, and it is {today}"),
            Self::InlineForm => "the signature in it is not in the form in which it is written".to_owned(),
            Self::PayloadType { found, wanted } => format!("its payload type is {found}, not \"{wanted}\""),
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
            Self::Void { reason, .. } => reason,
            Self::TooFew { .. } => "too_few_signatures",
            Self::Checksum => "manifest_mismatch",
            Self::NotListed => "not_in_manifest",
            Self::NothingVerified => "nothing_verified",
            Self::Unlisted => "unlisted",
            Self::Expired { .. } => "expired",
            Self::InlineForm => "inline_form",
            Self::PayloadType { .. } => "payload_type",
        }
    }

    /// Returns what to do, where there is something to do.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Unexpected { .. } => Some("compare it with the fingerprint that `fndsa inspect` prints for the key"),
            Self::Algorithm { .. } => Some(GIVE_THE_SIGNER_S),
            Self::Mismatch { plain: true, .. } => {
                Some("if it was signed with a context or a pre-hash, give the same --context and --prehash")
            }
            Self::Mismatch { plain: false, .. } => {
                Some("is it the context, and the pre-hash, that it was signed with?")
            }
            Self::OtherEncoding { .. } => Some("without --encoding every encoding is accepted"),
            Self::NotListed => Some(
                "the list names files as seen from the current directory, or that of -C, byte for byte but for `./` and `//`",
            ),
            Self::NothingVerified => {
                Some("names in a manifest are relative to the current directory, or to that of -C")
            }
            Self::Void { hint, .. } => Some(hint),
            Self::Unlisted => Some("nobody has signed it: remove it, or verify without --strict"),
            Self::Expired { .. } => {
                Some("get a newer list from the signer; --at DATE verifies it as of an earlier day, for archives")
            }
            Self::InlineForm => Some("something was added, left out or changed: copy the list again, byte for byte"),
            Self::PayloadType { .. } => {
                Some("--dsse TYPE says which type is wanted; whatever is signed as another one is another thing")
            }
            Self::Encoding | Self::TooFew { .. } | Self::Checksum => None,
        }
    }
}
