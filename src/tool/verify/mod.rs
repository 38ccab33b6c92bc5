//! Verifies the files that are given on the command line. The verdict is from `fndsa::verdict`.
//!
//! - `verifier`: verifies signatures for files, one or several at a time
//! - `lines`: prints the verdict on each file
//! - `certificates`: explains a NO for a CMS file: a changed message, or another certificate
//! - `explain`: finds other options and keys under which a signature matches
//! - `alternatives`: finds causes for a NO with a second verification
//! - `note_cause`: explains a NO with the signature note

pub mod alternatives;
pub mod certificates;
pub mod explain;
pub mod lines;
pub mod note_cause;
pub mod verifier;
