//! Verifies the files that are given on the command line. The verdict is from `fndsa::verdict`.
//!
//! - `verifier`: verifies signatures for files, one or several at a time
//! - `lines`: prints the verdict on each file, and adds exit code 1 for a NO
//! - `certificates`: explains a NO for a CMS file: a changed message, or another certificate
//! - `explain`: finds other options and keys under which a signature matches
//! - `alternatives`: finds causes for a NO with a second verification
//! - `note_cause`: explains a NO with the signature note, and contains most of the hints
//!
//! A NO has the default hint from its row in `src/verdict/rejection.rs` or
//! `src/verdict/key_terms.rs`, unless the hint is replaced here, in this order:
//!
//! 1. `Verifier::conclude` in `verifier` selects the hint by the rejection, the signature note and
//!    the format. With `--explain`, the explanation replaces the hint of a signature that does not
//!    match.
//! 2. If the signatures do not match, `set_cause` in `verifier` replaces the hint with a cause that
//!    a second verification has proven (`alternatives`, `cause_in_options`).
//! 3. For a CMS file or a kernel module, `explain_cms` in `certificates` can replace the hint.
//!
//! `src/cmd/verify/enclosed.rs` has the hint if an envelope contains a wrong digest of its message,
//! and `src/cmd/verify/listed.rs` has the hints for the files in a list.

pub mod alternatives;
pub mod certificates;
pub mod explain;
pub mod lines;
pub mod note_cause;
pub mod verifier;
