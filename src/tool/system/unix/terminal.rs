//! A question on the controlling terminal whose answer is not shown.
//!
//! The system edits the line, so every key of the terminal's settings does what it does elsewhere, and the
//! interrupt key ends the program. The keys that would stop the program or dump its memory do nothing.

use super::super::read_line;
use super::signals::interruptible;
use rustix::termios::{
    Action, InputModes, LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcflow, tcgetattr, tcsetattr,
};
use std::fs::File;
use std::io::{self, IsTerminal, Write, stderr, stdin};
use zeroize::Zeroizing;

/// The name of the terminal for this process, also in messages.
pub const TERMINAL: &str = "/dev/tty";

/// The code for a key that does nothing.
const NO_KEY: u8 = if cfg!(any(target_os = "linux", target_os = "android")) { 0 } else { 0xff };

/// The keys that do nothing while a line is typed: those that would stop the program, at once or when it reads, or dump
/// its memory.
#[cfg(any(target_os = "linux", target_os = "android"))]
const OFF: [SpecialCodeIndex; 2] = [SpecialCodeIndex::VQUIT, SpecialCodeIndex::VSUSP];
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const OFF: [SpecialCodeIndex; 3] = [SpecialCodeIndex::VQUIT, SpecialCodeIndex::VSUSP, SpecialCodeIndex::VDSUSP];

/// Asks, and reads a line with its end; of a longer line the first `most` bytes, and the rest is lost. Returns `None`
/// where there is no terminal, where neither standard input nor standard error is one, and at the end of the input.
///
/// # Errors
/// The terminal cannot be set, written or read.
pub fn ask(prompt: &str, most: usize) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
    let attended = stdin().is_terminal() || stderr().is_terminal();
    let Ok(terminal) = File::options().read(true).write(true).open(TERMINAL) else { return Ok(None) };
    if !attended {
        return Ok(None);
    }
    // This call changes nothing. But a job in the background stops here, while signals still end it at once; once it is
    // in the foreground it finds the settings of its own session, not those of the shell's editor.
    tcflow(&terminal, Action::OOn)?;
    let before = tcgetattr(&terminal)?;
    let (during, off) = without_echo(&before);
    let answer = interruptible(
        || Ok(tcsetattr(&terminal, OptionalActions::Now, &during)?),
        // Nobody is left to be told if that fails.
        || _ = tcsetattr(&terminal, OptionalActions::Now, &before),
        || {
            (&terminal).write_all(prompt.as_bytes())?;
            let answer = answer(&terminal, most, off)?;
            // The end of the line that was typed is not shown either.
            (&terminal).write_all(b"\n")?;
            Ok(answer)
        },
    )?;
    Ok(Some(answer).filter(|line| !line.is_empty()))
}

/// Returns the settings for a line that is not shown, and the keys that do nothing in it.
fn without_echo(before: &Termios) -> (Termios, [u8; OFF.len()]) {
    let mut during = before.clone();
    during.local_modes.remove(LocalModes::ECHO | LocalModes::ECHONL);
    during.local_modes.insert(LocalModes::ICANON | LocalModes::ISIG);
    during.input_modes.remove(InputModes::IGNCR | InputModes::INLCR);
    during.input_modes.insert(InputModes::ICRNL);
    let off = OFF.map(|key| std::mem::replace(&mut during.special_codes[key], NO_KEY));
    (during, off)
}

/// Reads one line, and removes the keys that do nothing.
fn answer(mut terminal: &File, most: usize, off: [u8; OFF.len()]) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut line = read_line(&mut terminal, most)?;
    if line.len() == most && line.last() != Some(&b'\n') {
        // The rest would be the next command of the shell.
        while read_line(&mut terminal, most)?.last().is_some_and(|last| *last != b'\n') {}
    } else {
        line.retain(|byte| *byte == NO_KEY || !off.contains(byte));
    }
    Ok(line)
}
