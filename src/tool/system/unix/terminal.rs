//! Asks a question on the controlling terminal without showing the answer.
//!
//! The system edits the line, so all keys work as usual, and the interrupt key ends the program.
//! The keys that would suspend the program or dump its memory are disabled.

use super::super::read_line;
use super::signals::interruptible;
use rustix::termios::{
    Action, InputModes, LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcflow, tcgetattr, tcsetattr,
};
use std::fs::File;
use std::io::{self, IsTerminal, Write, stderr, stdin};
use zeroize::Zeroizing;

/// The path of the terminal. Messages also use this path as its name.
pub const TERMINAL: &str = "/dev/tty";

/// The code for an action that is not assigned to any key.
const NO_KEY: u8 = if cfg!(any(target_os = "linux", target_os = "android")) { 0 } else { 0xff };

/// The keys that are disabled while the user types the line. The key for VQUIT would write the
/// memory of the program to a file, and the keys for VSUSP and VDSUSP would suspend the program.
#[cfg(any(target_os = "linux", target_os = "android"))]
const DISABLED_KEYS: [SpecialCodeIndex; 2] = [SpecialCodeIndex::VQUIT, SpecialCodeIndex::VSUSP];
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const DISABLED_KEYS: [SpecialCodeIndex; 3] =
    [SpecialCodeIndex::VQUIT, SpecialCodeIndex::VSUSP, SpecialCodeIndex::VDSUSP];

/// Shows a prompt, and reads a line including the line end. If the line is longer than `max_len`
/// bytes, returns the first `max_len` bytes and drops the rest. Returns `None` if the process
/// cannot open a controlling terminal, if neither standard input nor standard error is a terminal,
/// or if the input ends before the first byte.
///
/// # Errors
/// Fails if the settings of the terminal cannot be changed, or if the terminal is not readable and
/// writable.
pub fn ask(prompt: &str, max_len: usize) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
    let attended = stdin().is_terminal() || stderr().is_terminal();
    let Ok(terminal) = File::options().read(true).write(true).open(TERMINAL) else { return Ok(None) };
    if !attended {
        return Ok(None);
    }
    // This call changes no settings. If the program is in the background, the system suspends it
    // here until it is in the foreground. Without this call, `tcgetattr` could read the settings of
    // the shell's line editor, which are active while the program is in the background.
    tcflow(&terminal, Action::OOn)?;
    let before = tcgetattr(&terminal)?;
    let (during, disabled_characters) = without_echo(&before);
    let answer = interruptible(
        || Ok(tcsetattr(&terminal, OptionalActions::Now, &during)?),
        // The error is ignored, because it cannot be reported here.
        || _ = tcsetattr(&terminal, OptionalActions::Now, &before),
        || {
            (&terminal).write_all(prompt.as_bytes())?;
            let answer = answer(&terminal, max_len, disabled_characters)?;
            // Write a line end, because the terminal does not show the line end that the user
            // typed.
            (&terminal).write_all(b"\n")?;
            Ok(answer)
        },
    )?;
    Ok(if answer.is_empty() { None } else { Some(answer) })
}

/// Returns the terminal settings for a line without echo, in which the keys in [`DISABLED_KEYS`]
/// are disabled. Also returns the characters of these keys.
fn without_echo(before: &Termios) -> (Termios, [u8; DISABLED_KEYS.len()]) {
    let mut during = before.clone();
    during.local_modes.remove(LocalModes::ECHO | LocalModes::ECHONL);
    during.local_modes.insert(LocalModes::ICANON | LocalModes::ISIG);
    during.input_modes.remove(InputModes::IGNCR | InputModes::INLCR);
    during.input_modes.insert(InputModes::ICRNL);
    let disabled_characters = DISABLED_KEYS.map(|key| std::mem::replace(&mut during.special_codes[key], NO_KEY));
    (during, disabled_characters)
}

/// Reads a line, and removes the characters of the disabled keys, which the system now passes on as
/// text. If the line is too long, reads its rest and drops it.
fn answer(
    mut terminal: &File,
    max_len: usize,
    disabled_characters: [u8; DISABLED_KEYS.len()],
) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut line = read_line(&mut terminal, max_len)?;
    if line.len() == max_len && line.last() != Some(&b'\n') {
        // Without this loop, the shell would run the rest of the line as a command.
        while !matches!(read_line(&mut terminal, max_len)?.last(), None | Some(b'\n')) {}
    } else {
        line.retain(|byte| *byte == NO_KEY || !disabled_characters.contains(byte));
    }
    Ok(line)
}
