//! Reads a line from an input, and leaves all bytes after the line in the input.

use std::io::{self, Read};
use zeroize::Zeroizing;

/// Reads a line with its line end. If the line is longer than `most` bytes, reads only the first
/// `most` bytes. The function never reads more than the line, because a terminal or an open pipe
/// may deliver more bytes later. The buffer never moves, so wiping the buffer wipes all copies.
///
/// # Errors
/// The source cannot be read.
pub fn read_line(input: &mut impl Read, most: usize) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut line = Zeroizing::new(Vec::with_capacity(most));
    let mut byte = Zeroizing::new([0]);
    while line.len() < most && line.last() != Some(&b'\n') {
        match input.read(&mut *byte) {
            Ok(0) => break,
            Ok(_) => line.push(byte[0]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(line)
}
