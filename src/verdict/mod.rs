//! Decides whether the signatures for a file are accepted. This module contains the trusted keys,
//! the verifier's policy, the verdict, and its messages.
//!
//! The command line, the web page, Python and C use this module to verify signatures. The module
//! does not open files and does not write to the terminal: the caller passes the contents of files,
//! the context, and a [`DateSource`] that returns the current date.
//!
//! 1. [`PublicKey::check`] checks each public key, [`KeyTerms::parse`] reads the key lines before
//!    the key, and [`TrustedKey::new`] combines the key and its key lines.
//! 2. [`Policy::new`] determines which keys are accepted, and how many of the accepted keys must
//!    have signed.
//! 3. [`signature_file::blocks`] reads the signatures, and [`Policy::pairs`] finds the keys that
//!    could have created them.
//! 4. [`Decision`] checks these pairs of signature and key in order. [`Decision::conclude`] returns
//!    YES with its [`Evidence`], or a [`Rejection`] with a message, a reason code and a hint.
//!
//! For files in memory, [`read_trusted_keys`] performs step 1, and [`verify_in_memory`] performs
//! steps 3 and 4. [`verify_in_memory`] also reads the signature files of other programs
//! ([`SignatureFormat`]). [`verify_list_in_memory`] also parses a signed list, and checks that the
//! list is not expired.
//!
//! - `fingerprint`: fingerprints and key identifiers of public keys
//! - `signature_note`: the line before a signature that states the key, the context and the
//!   pre-hash
//! - `key_line`: finds the key lines before a public key, and lines that are probably mistyped key
//!   lines
//! - `key_terms`: parses the key lines, and checks whether a key is revoked, expired, not yet valid
//!   or for a different context ([`KeyTerms::restriction`], called by [`Decision`])
//! - `trusted_key`: public keys with fingerprint and key lines, and the number of keys that must
//!   have signed
//! - `signature_file`: the blocks in a signature file
//! - `envelope`: the interface for file formats that contain signatures
//! - `covered_bytes`: describes which bytes the signatures in an envelope cover, for example the
//!   message or its digest with a prefix
//! - `signature_format`: the formats of signature files that do not contain the message, from which
//!   the verifier chooses
//! - `separate_signatures`: reads a signature file that does not contain the message, and checks
//!   the conditions of its format
//! - `covered_encoder`: computes the covered bytes if the message is in a separate file
//! - `sign_in_memory`: signs a message in memory in the format of SSH, JOSE or CMS (feature `sign`)
//! - `ssh_envelope`: the signature files of OpenSSH
//! - `jws_envelope`: JSON Web Signatures
//! - `cms_envelope`: CMS signatures, and signatures of Linux kernel modules
//! - `allowed_signers`: the files of allowed signers of OpenSSH
//! - `evidence`: a number that only a complete and successful check computes. The program computes
//!   exit code 0 from these numbers, so a skipped check cannot lead to a YES
//! - `rejection`: the reasons for the verdict NO, each with a reason code, a message and a hint
//! - `message_enum`: the macro that defines an enum with a reason code, a message and a hint for
//!   each variant
//! - `policy`: the keys that are accepted, and the pairs of signature and key to check
//! - `decision`: computes the verdict from the library's results
//! - `memory_files`: trusted keys and signatures from files in memory
//! - `in_memory`: the verdict on a message in memory
//! - `self_signature`: verifies certificates and requests with the key that they contain
//! - `signed_list`: the verdict on a signed list in memory, and the checks of its contents
//! - `messages`: reason codes, messages and hints about files
//! - `foreign`: hints about files from other programs
//! - `format_hints`: hints about signature files of SSH, JOSE and CMS
//! - `distance`: the edit distance between two words
//! - `visible`: decides which characters are printed to a terminal without an escape
//! - `graphic`: the table of visible characters (generated)

pub mod allowed_signers;
pub mod cms_envelope;
mod covered_bytes;
mod covered_encoder;
mod decision;
mod distance;
pub mod envelope;
mod evidence;
mod fingerprint;
mod foreign;
mod format_hints;
mod graphic;
mod in_memory;
pub mod jws_envelope;
mod key_line;
mod key_terms;
mod memory_files;
mod message_enum;
mod messages;
mod policy;
mod rejection;
mod self_signature;
mod separate_signatures;
#[cfg(feature = "sign")]
mod sign_in_memory;
pub mod signature_file;
mod signature_format;
pub mod signature_note;
mod signed_list;
pub mod ssh_envelope;
mod trusted_key;
mod visible;

pub use covered_encoder::{CoveredEncoder, CoveredEnd};
pub use decision::{Decision, DecisionError, DecisionOutcome, HashedCandidate};
pub use evidence::Evidence;
pub use fingerprint::{fingerprint, fn_dsa_fingerprint, jwk_thumbprint, parse_fingerprint, tuf_key_id};
#[cfg(feature = "std")]
pub use in_memory::VerificationDay;
pub use in_memory::{SignatureFileData, VerdictError, VerdictInput, verify_in_memory};
pub use key_line::{KeyLine, LineRole};
pub use key_terms::{DateSource, KeyFileKind, KeyLineDefect, KeyRestriction, KeyTerms};
pub use memory_files::{FileDefect, read_allowed_signers, read_trusted_keys};
pub use policy::{PairSelection, Policy, SignaturePair};
pub use rejection::Rejection;
pub use self_signature::{SelfSignature, document_key};
pub use separate_signatures::{FormatConditions, SeparateSignatures, SeparateSignaturesError};
#[cfg(feature = "sign")]
pub use sign_in_memory::{FormatSigningError, sign_in_memory};
pub use signature_format::SignatureFormat;
pub use signature_note::{NoteForm, SignatureNote};
pub use signed_list::{
    ListContentDefect, ListError, ListOutcome, ListParser, expiry, parse_list, verify_list_in_memory,
};
pub use trusted_key::{
    KeyConflictError, PublicKey, PublicKeyError, RequiredKeys, TrustedKey, check_halves, distinct, spread_restrictions,
};

/// Texts and helper functions for the command line and the web page. This module is not a public
/// interface.
#[doc(hidden)]
pub mod text {
    pub use super::distance::distance;
    pub use super::foreign::foreign_hint;
    pub use super::graphic::GRAPHIC;
    pub use super::key_line::{KEY_LINES, lines as key_lines};
    pub use super::messages::*;
    pub use super::rejection::SIGNERS_KEY_HINT;
    pub use super::visible::{LineEnds, cleaned, is_visible, visible};
}
