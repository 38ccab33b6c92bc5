//! A text that explains a verdict or an error to the C caller.

use crate::code::CallError;
use core::fmt::{self, Write};

/// A text for C, with a zero byte at the end. If a text is too long, it is cut between two
/// characters.
pub struct ReportWriter<'a> {
    room: &'a mut [u8],
    used: usize,
    is_cut: bool,
}

impl<'a> ReportWriter<'a> {
    /// Creates a report in `room`, which must only contain zeros.
    pub fn new(room: &'a mut [u8]) -> Self {
        Self { room, used: 0, is_cut: false }
    }
}

impl Write for ReportWriter<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            let end = self.used + character.len_utf8();
            // The last byte stays zero.
            self.is_cut |= end >= self.room.len();
            if self.is_cut {
                break;
            }
            character.encode_utf8(&mut self.room[self.used..end]);
            self.used = end;
        }
        Ok(())
    }
}

/// Writes the reason for an error to the report, and returns the error.
pub fn failed(report: &mut ReportWriter<'_>, code: CallError, text: impl fmt::Display) -> CallError {
    let _written = write!(report, "{text}");
    code
}
