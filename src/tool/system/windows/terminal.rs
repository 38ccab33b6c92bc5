//! Asks a question on the console without showing the answer. The console edits the line, and
//! Ctrl-C ends the program.

use super::calls::read_console;
use super::signals::change_mode;
use std::char::decode_utf16;
use std::fs::File;
use std::io::{self, IsTerminal, Write, stderr, stdin};
use std::thread;
use std::time::Duration;
use windows_sys::Win32::System::Console::{ENABLE_LINE_INPUT, ENABLE_PROCESSED_INPUT};
use zeroize::Zeroizing;

/// The name that messages use for the terminal.
pub const TERMINAL: &str = "the console";

/// The number of UTF-16 units that are read at once.
const PIECE: usize = 256;
/// The maximum time for the handler of Ctrl-C to end the process. If the process still runs after
/// this time, [`ask`] returns `None`.
const GRACE: Duration = Duration::from_secs(2);

/// Shows a prompt, and reads a line with its line end. If the line is longer than `max_len` bytes,
/// returns a prefix of about `max_len` bytes and drops the rest. Returns `None` if there is no
/// console, if neither standard input nor standard error is a console, or if the input ends before
/// the first byte.
///
/// # Errors
/// Fails if the mode of the console cannot be changed, if the console is not readable and writable,
/// or if the line is not Unicode.
pub fn ask(prompt: &str, max_len: usize) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
    let attended = stdin().is_terminal() || stderr().is_terminal();
    let (Ok(input), Ok(mut output)) = (open("CONIN$"), open("CONOUT$")) else { return Ok(None) };
    if !attended {
        return Ok(None);
    }
    let mode_guard = change_mode(&input, ENABLE_LINE_INPUT | ENABLE_PROCESSED_INPUT)?;
    output.write_all(prompt.as_bytes())?;
    let result = read_line(&input, max_len);
    // The console does not show the line end that the user typed, so this code writes a line end.
    output.write_all(b"\r\n")?;
    drop(mode_guard);
    let line = result?;
    Ok(if line.is_empty() { None } else { Some(line) })
}

/// Opens the input or the output of the console.
fn open(name: &str) -> io::Result<File> {
    File::options().read(true).write(true).open(name)
}

/// Reads a line as UTF-8, with LF at its end, as [`decode_line`] returns it. The buffers never
/// move, so they contain all copies in memory, and they are wiped on drop.
fn read_line(input: &File, max_len: usize) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut units = Zeroizing::new(Vec::with_capacity(max_len + PIECE));
    let mut piece = Zeroizing::new([0; PIECE]);
    loop {
        let len = read_console(input, &mut piece[..])?;
        let got = &piece[..len];
        if len == 0 {
            // After Ctrl-C, the line is empty, and the handler of Ctrl-C is about to end the
            // process.
            thread::sleep(GRACE);
            break;
        }
        // If a later piece is dropped, `units` contains more than `max_len` units. `decode_line`
        // then does not need the last unit, which can be the first half of a character.
        if units.len() <= max_len {
            units.extend_from_slice(got);
        }
        if got.last() == Some(&u16::from(b'\n')) {
            break;
        }
    }
    decode_line(&units, max_len)
}

/// Converts a line to UTF-8 without CR, until it has at least `max_len` bytes. Returns an empty
/// line if the line begins with Ctrl-Z, which marks the end of the input.
fn decode_line(units: &[u16], max_len: usize) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut line = Zeroizing::new(Vec::with_capacity(max_len + 4));
    let mut utf8 = Zeroizing::new([0; 4]);
    for c in decode_utf16(units.iter().copied().filter(|unit| *unit != u16::from(b'\r'))) {
        let Ok(c) = c else { return Err(io::ErrorKind::InvalidData.into()) };
        line.extend_from_slice(c.encode_utf8(&mut utf8[..]).as_bytes());
        if line.len() >= max_len {
            break;
        }
    }
    if line.first() == Some(&0x1a) {
        line.clear();
    }
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_decoded_up_to_the_limit() {
        let half = 0xd800;
        let units = |text: &str| text.encode_utf16().collect::<Vec<_>>();
        let decoded = |units: &[u16], max_len| decode_line(units, max_len).map(|line| line.to_vec()).ok();
        assert_eq!(decoded(&units("a\u{e9}\u{1f511}\r\n"), 20), Some("a\u{e9}\u{1f511}\n".into()));
        assert_eq!(decoded(&units("\u{1a}\r\n"), 20), Some(vec![]));
        assert_eq!(decoded(&[&units("abc")[..], &[half], &units("d")].concat(), 20), None);
        assert_eq!(decoded(&[&units("abc")[..], &[half]].concat(), 4), None);
        // A line that is too long is a prefix, even if its last character is incomplete.
        assert_eq!(decoded(&[&units("abcd")[..], &[half]].concat(), 4), Some("abcd".into()));
        assert_eq!(decoded(&[&units("ab\u{1f511}")[..], &[half]].concat(), 4), Some("ab\u{1f511}".into()));
    }
}
