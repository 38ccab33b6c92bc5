//! Verifies files for the command line. The library module `fndsa::verdict` decides between YES and
//! NO.
//!
//! - `verifier`: verifies signatures for files, one or several at a time
//! - `lines`: prints the verdict for each file, and adds exit code 1 for a NO
//! - `certificates`: explains a NO for a CMS file by a changed message or a different certificate
//! - `explain`: finds the options and the key with which a signature is valid (`--explain`)
//! - `alternatives`: verifies a changed message or pre-hash to prove the cause of a NO
//! - `note_cause`: explains a NO by the signature note, and contains most of the hints
//!
//! The default hint is in the table row for the rejection, in `src/verdict/rejection.rs` or
//! `src/verdict/key_terms.rs`. These functions can replace it, in this order:
//!
//! 1. `Verifier::conclude` in `verifier` chooses the hint by the rejection, the signature note and
//!    the format. If a signature does not match and `--explain` is used, the explanation replaces
//!    the hint.
//! 2. If the signatures do not match, `set_cause` in `verifier` replaces the hint by a cause that a
//!    second verification has proven (`alternatives`, `cause_in_options`).
//! 3. For a CMS file or a kernel module, `explain_cms` in `certificates` can replace the hint.
//!
//! The hint for an envelope that contains a wrong digest of the message is in
//! `src/cmd/verify/enclosed.rs`, and the hints for files in a list are in
//! `src/cmd/verify/listed.rs`.

pub mod alternatives;
pub mod certificates;
pub mod explain;
pub mod lines;
pub mod note_cause;
pub mod verifier;
