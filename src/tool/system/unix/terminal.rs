//! Asks a question on the controlling terminal without showing the answer.
//!
//! The system edits the line, so every key works as usual, and the interrupt key ends the program.
//! The keys that would stop the program or dump its memory are disabled.

use super::super::read_line;
use super::signals::interruptible;
use rustix::termios::{
    Action, InputModes, LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcflow, tcgetattr, tcsetattr,
};
use std::fs::File;
use std::io::{self, IsTerminal, Write, stderr, stdin};
use zeroize::Zeroizing;

/// The path of the terminal, also for messages.
pub const TERMINAL: &str = "/dev/tty";

/// The code for a disabled key.
const NO_KEY: u8 = if cfg!(any(target_os = "linux", target_os = "android")) { 0 } else { 0xff };

/// The keys that are disabled while a user types a line. The key for VQUIT would write the memory
/// of the program to a file. The keys for VSUSP and VDSUSP would stop the program.
#[cfg(any(target_os = "linux", target_os = "android"))]
const OFF: [SpecialCodeIndex; 2] = [SpecialCodeIndex::VQUIT, SpecialCodeIndex::VSUSP];
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const OFF: [SpecialCodeIndex; 3] = [SpecialCodeIndex::VQUIT, SpecialCodeIndex::VSUSP, SpecialCodeIndex::VDSUSP];

/// Shows a prompt, and reads a line with its line end. If the line is longer than `most` bytes,
/// returns the first `most` bytes and drops the rest. Returns `None` if there is no controlling
/// terminal, if neither standard input nor standard error is a terminal, or if the input ends
/// before the first byte.
///
/// # Errors
/// The settings of the terminal cannot be changed, or it is not readable or writable.
pub fn ask(prompt: &str, most: usize) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
    let attended = stdin().is_terminal() || stderr().is_terminal();
    let Ok(terminal) = File::options().read(true).write(true).open(TERMINAL) else { return Ok(None) };
    if !attended {
        return Ok(None);
    }
    // This call changes no settings. If the program is in the background, the system stops it in
    // this call, and it continues in the foreground. So `tcgetattr` below does not read the
    // settings of the shell's line editor, which are only active while the program is in the
    // background.
    tcflow(&terminal, Action::OOn)?;
    let before = tcgetattr(&terminal)?;
    let (during, off) = without_echo(&before);
    let answer = interruptible(
        || Ok(tcsetattr(&terminal, OptionalActions::Now, &during)?),
        // An error cannot be reported at this point.
        || _ = tcsetattr(&terminal, OptionalActions::Now, &before),
        || {
            (&terminal).write_all(prompt.as_bytes())?;
            let answer = answer(&terminal, most, off)?;
            // The line end that the user typed is not shown either.
            (&terminal).write_all(b"\n")?;
            Ok(answer)
        },
    )?;
    Ok(if answer.is_empty() { None } else { Some(answer) })
}

/// Returns the settings for a line without echo, and the keys that are disabled.
fn without_echo(before: &Termios) -> (Termios, [u8; OFF.len()]) {
    let mut during = before.clone();
    during.local_modes.remove(LocalModes::ECHO | LocalModes::ECHONL);
    during.local_modes.insert(LocalModes::ICANON | LocalModes::ISIG);
    during.input_modes.remove(InputModes::IGNCR | InputModes::INLCR);
    during.input_modes.insert(InputModes::ICRNL);
    let off = OFF.map(|key| std::mem::replace(&mut during.special_codes[key], NO_KEY));
    (during, off)
}

/// Reads a line, and removes the disabled keys from it.
fn answer(mut terminal: &File, most: usize, off: [u8; OFF.len()]) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut line = read_line(&mut terminal, most)?;
    if line.len() == most && line.last() != Some(&b'\n') {
        // The shell would run the rest of the line as a command.
        while !matches!(read_line(&mut terminal, most)?.last(), None | Some(b'\n')) {}
    } else {
        line.retain(|byte| *byte == NO_KEY || !off.contains(byte));
    }
    Ok(line)
}
