//! One line of an input of which nothing else is taken.

use std::io::{self, Read};
use zeroize::Zeroizing;

/// Reads a line with its end, or the first `most` bytes of it. Nothing after the line is read: a terminal and an open
/// pipe give a line and go on. The buffer never moves, so that wiping it wipes all.
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
