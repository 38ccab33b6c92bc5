//! Verifies files for the command line. The library module `fndsa::verdict` decides between YES and
//! NO.
//!
//! - `verifier`: verifies signatures for files, one or several at a time
//! - `lines`: prints the verdict for each file, and adds exit code 1 for a NO
//! - `certificates`: explains a NO for a CMS file: a changed message, or a different certificate
//! - `explain`: finds other options and keys with which a signature is valid (`--explain`)
//! - `alternatives`: verifies again with a changed message or pre-hash, to prove the cause of a NO
//! - `note_cause`: explains a NO with the signature note, and contains most of the hints
//!
//! The default hint for a NO is in the table row for this NO, in `src/verdict/rejection.rs` or
//! `src/verdict/key_terms.rs`. These functions can replace the hint, in this order:
//!
//! 1. `Verifier::conclude` in `verifier` chooses the hint, depending on the rejection, the
//!    signature note and the format. With `--explain`, the explanation replaces the hint if a
//!    signature does not match.
//! 2. If the signatures do not match, `set_cause` in `verifier` replaces the hint with a cause that
//!    a second verification has proven (`alternatives`, `cause_in_options`).
//! 3. For a CMS file or a kernel module, `explain_cms` in `certificates` can replace the hint.
//!
//! `src/cmd/verify/enclosed.rs` contains the hint for an envelope with a wrong digest of its
//! message, and `src/cmd/verify/listed.rs` contains the hints for the files in a list.

pub mod alternatives;
pub mod certificates;
pub mod explain;
pub mod lines;
pub mod note_cause;
pub mod verifier;
