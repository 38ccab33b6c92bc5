//! Writes a text that explains a verdict or an error to the C caller.

use crate::code::CallError;
use core::fmt::{self, Write};

/// A writer for a C text, which ends with a zero byte. If the text does not fit in the buffer, it
/// is cut between two characters.
pub struct ReportWriter<'a> {
    buffer: &'a mut [u8],
    /// The text's length in bytes.
    used: usize,
    /// Whether a part of the text did not fit.
    is_cut: bool,
}

impl<'a> ReportWriter<'a> {
    /// Creates a report in `buffer`, which must only contain zeros.
    pub fn new(buffer: &'a mut [u8]) -> Self {
        Self { buffer, used: 0, is_cut: false }
    }
}

impl Write for ReportWriter<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            let end = self.used + character.len_utf8();
            // The last byte of the buffer stays zero, because a text in C ends with a zero byte.
            self.is_cut |= end >= self.buffer.len();
            if self.is_cut {
                break;
            }
            character.encode_utf8(&mut self.buffer[self.used..end]);
            self.used = end;
        }
        Ok(())
    }
}

/// Writes the reason for an error to the report, and returns the error.
pub fn report_error(report: &mut ReportWriter<'_>, code: CallError, text: impl fmt::Display) -> CallError {
    let _written = write!(report, "{text}");
    code
}
