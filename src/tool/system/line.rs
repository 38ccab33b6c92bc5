//! Reads a line from an input, and leaves all bytes after the line in the input.

use std::io::{self, Read};
use zeroize::Zeroizing;

/// Reads a line including the line end, or the first `max_len` bytes of a longer line. To avoid
/// waiting for a terminal or an open pipe, the function does not read beyond the line. The buffer
/// never moves, so that wiping it on drop wipes all copies.
///
/// # Errors
/// Fails if the source cannot be read.
pub fn read_line(input: &mut impl Read, max_len: usize) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut line = Zeroizing::new(Vec::with_capacity(max_len));
    let mut byte = Zeroizing::new([0]);
    while line.len() < max_len && line.last() != Some(&b'\n') {
        match input.read(&mut *byte) {
            Ok(0) => break,
            Ok(_) => line.push(byte[0]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(line)
}
