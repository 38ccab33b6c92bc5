//! Protects the memory of the process before it reads or makes a private key, and locks memory that
//! was allocated later. `system` contains the system calls. A failure is not an error: the command
//! continues without the protection.

use crate::tool::report::Report;
use crate::tool::system;

/// The commands that read or write a private key.
const KEY_COMMANDS: [(&str, KeyUse); 8] = [
    ("keygen", KeyUse::Written),
    ("sign", KeyUse::Read),
    ("inspect", KeyUse::Read),
    ("pubkey", KeyUse::Read),
    ("request", KeyUse::Read),
    ("convert", KeyUse::Written),
    ("passwd", KeyUse::Written),
    ("quickstart", KeyUse::Written),
];

/// Whether a command reads or writes a private key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyUse {
    /// The command reads an existing key.
    Read,
    /// The command writes a key, which is new or has a new form.
    Written,
}

/// The warning that the private key may later be found on a disk. A command that writes a key
/// prints the warning, because users run such commands rarely. A command that only reads a key
/// prints the warning only with `-v`, because a script can run it a thousand times, and its
/// user may not be allowed to raise the limit.
const SWAP_WARNING: &str = "warning: fndsa cannot lock its memory, so the private key may be written to swap space: raise the limit \
                     (ulimit -l)";

/// Protects this process if the command uses a private key.
pub fn protect(command: &str, report: &Report) {
    let Some((_, key)) = KEY_COMMANDS.iter().find(|row| row.0 == command) else { return };
    let exposed = system::protect();
    if exposed && (*key == KeyUse::Written || report.output.verbose) {
        report.note(SWAP_WARNING);
    }
}

/// Locks the memory that was allocated since [`protect`], on systems that do not lock new memory
/// automatically. Called after a key was read or made.
pub fn protect_new_memory() {
    system::protect_new_memory();
}
