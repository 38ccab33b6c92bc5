//! Protection that the system gives a process before a private key is in its memory. What that is, `system` tells.
//! Nothing of it is an error: where it fails the work is done all the same.

use crate::tool::report::Report;
use crate::tool::system::{self, protect_again};

/// Commands that read or make a private key; those that write one have it for the first time.
const HOLDERS: [(&str, KeyUse); 7] = [
    ("keygen", KeyUse::Written),
    ("sign", KeyUse::Read),
    ("inspect", KeyUse::Read),
    ("pubkey", KeyUse::Read),
    ("convert", KeyUse::Written),
    ("passwd", KeyUse::Written),
    ("quickstart", KeyUse::Written),
];

/// What a command does with a private key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyUse {
    /// The command reads a key that is there.
    Read,
    /// The command writes a key, which it has for the first time or in a new form.
    Written,
}

/// The warning that the key may be found on a disk later. A command that writes a key, which is rare, always prints it.
/// One that only reads a key may be called a thousand times, by people who cannot change the machine, and prints it
/// with `-v`.
const SWAPS: &str = "warning: fndsa cannot lock its memory, so the private key may be written to swap space: raise the limit \
                     (ulimit -l)";

/// Protects this process if the command deals with private keys.
pub fn protect(command: &str, report: &Report) {
    let Some((_, key)) = HOLDERS.iter().find(|row| row.0 == command) else { return };
    let exposed = system::protect();
    if exposed && (*key == KeyUse::Written || report.voice.verbose) {
        report.note(SWAPS);
    }
}

/// Locks the memory that was taken since [`protect`], where not all memory is locked by itself. Called when a key has
/// been read or made.
pub fn again() {
    protect_again();
}
