//! The verdict on signatures: trusted keys, the policy of the verifier, the decision, and the messages about it.
//!
//! The command line, the page, Python and C decide with this module. It reads no file, no clock and no terminal: the caller passes bytes, the context
//! and a [`Calendar`].
//!
//! 1. [`PublicKey::check`] checks each public key, [`KeyTerms::parse`] reads the key lines before it, and [`TrustedKey::new`] joins them.
//! 2. [`Policy::new`] says which keys count and how many must have signed.
//! 3. [`signature_file::blocks`] reads the signatures, and [`Policy::pairs`] finds the keys that may have made them.
//! 4. [`Decision`] asks the library about one pair after the other, and [`Decision::conclude`] returns YES with its [`Evidence`], or a
//!    [`Rejection`] with message, reason code and hint.
//!
//! [`read_trusted_keys`] and [`verify_in_memory`] do these steps for files in memory.
//!
//! - `fingerprint`: fingerprints of public keys
//! - `signature_note`: the line before a signature that names key, context and pre-hash
//! - `key_line`: the lines before a public key, and near misses of them
//! - `key_terms`: the restrictions in the key lines of one key
//! - `trusted_key`: public keys with fingerprint and key lines, and how many of them must have signed
//! - `signature_file`: the blocks of a signature file
//! - `envelope`: the interface of file formats that contain signatures
//! - `prehash`: hashes that a message may go through before it is signed
//! - `evidence`: a YES as a value that only a check produces
//! - `rejection`: the answer NO, one row for each rejection with reason code, message and hint
//! - `row`: the macro that makes an enum from rows of reason code, message and hint
//! - `policy`: which keys count, and which key may have made which signature
//! - `decision`: from the answers of the library to the verdict
//! - `in_memory`: trusted keys from the bytes of a file, and the verdict on a message in memory
//! - `messages`: reason codes, messages and hints about files
//! - `foreign`: hints about files of other programs
//! - `distance`: the number of letters in which two words differ
//! - `visible`: which characters a terminal shows as themselves
//! - `graphic`: the table of visible characters (generated)

mod decision;
mod distance;
pub mod envelope;
mod evidence;
mod fingerprint;
mod foreign;
mod graphic;
mod in_memory;
mod key_line;
mod key_terms;
mod messages;
mod policy;
mod prehash;
mod rejection;
mod row;
pub mod signature_file;
pub mod signature_note;
mod trusted_key;
mod visible;

pub use decision::{Decision, DecisionError, DecisionOutcome, HashedCandidate};
pub use evidence::Evidence;
pub use fingerprint::{fingerprint, fn_dsa_fingerprint, parse_fingerprint};
#[cfg(feature = "std")]
pub use in_memory::VerificationDay;
pub use in_memory::{FileDefect, NoVerdict, read_trusted_keys, verify_in_memory};
pub use key_line::{KeyLine, Meaning};
pub use key_terms::{Calendar, KeyLineDefect, KeyTerms, Restriction, Surroundings};
pub use policy::{PairSelection, Policy, SignaturePair};
pub use prehash::{Hasher, hasher};
pub use rejection::Rejection;
pub use signature_note::{NotedForm, SignatureNote};
pub use trusted_key::{DifferentTerms, PublicKey, PublicKeyError, Required, TrustedKey, distinct, spread_restrictions};

/// Texts of the command line and of the page. Not a part of the public interface.
#[doc(hidden)]
pub mod text {
    pub use super::distance::distance;
    pub use super::foreign::foreign_hint;
    pub use super::graphic::GRAPHIC;
    pub use super::key_line::{KEY_LINES, lines as key_lines};
    pub use super::messages::*;
    pub use super::rejection::GIVE_THE_SIGNER_S;
    pub use super::visible::{LineEnds, cleaned, is_visible, visible};
}
