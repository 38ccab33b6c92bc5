//! Keeps private keys out of core files and swap space: protects the process before it reads or
//! creates a private key, and locks the memory that the process allocates. `system` contains the
//! system calls. If the system does not allow the protection, the command continues without it.

use crate::tool::report::Report;
use crate::tool::system;

/// The commands that read or write a private key, and how they use the key.
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

/// The way in which a command uses a private key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyUse {
    /// The command reads an existing key.
    Read,
    /// The command writes a private key: a new key, or an existing key in a new file.
    Written,
}

/// The warning that the private key may be written to a disk. A command that writes a key prints
/// the warning (except with `-q` or `--json`), because users run such commands rarely. A command
/// that only reads a key prints the warning only with `-v`, because a script can run this command a
/// thousand times. The script's user may not be allowed to raise the limit.
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

/// Locks the memory that was allocated after [`protect`], if the system does not lock new memory
/// automatically. Call this function after a key was read or created.
pub fn protect_new_memory() {
    system::protect_new_memory();
}
