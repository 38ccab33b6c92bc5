//! Reads a line from an input, and leaves all bytes after the line in the input.

use std::io::{self, Read};
use zeroize::Zeroizing;

/// Reads a line with its line end, or its first `most` bytes if the line is longer. The function
/// never reads beyond the line, because a terminal or an open pipe may deliver further bytes later.
/// The buffer never moves, so all copies are wiped on drop.
///
/// # Errors
/// Fails if the source cannot be read.
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
