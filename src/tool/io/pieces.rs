//! A message piece by piece, read ahead in a second thread once it is long.
//!
//! Hashing then waits for the disk or the pipe only where they are slower than the hash. For a short
//! message the thread would cost more than it gives.

use crate::tool::system::Info;
use std::fs::File;
use std::io::{self, Read};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// Bytes in memory at a time.
const BUFFER: u64 = 64 << 10;
/// Bytes in memory at a time of a short message, or of a file that does not know its length.
const SMALL_BUFFER: u64 = 4 << 10;
/// A message with more bytes than this is long.
const LONG: u64 = 4 << 20;
/// Number and size in bytes of the buffers that are filled ahead.
const AHEAD: (usize, usize) = (4, 256 << 10);

/// An input that is being read.
pub struct Pieces {
    /// The input.
    pub file: File,
    /// Bytes read so far.
    pub total: u64,
    buffer: Vec<u8>,
    /// Bytes of the last piece, at the beginning of the buffer.
    len: usize,
    ahead: Option<ReadAhead>,
    /// Whether reading ahead was tried.
    tried: bool,
}

/// The thread that reads, and the way of the buffers: filled ones from it, others back to it.
struct ReadAhead {
    filled: Receiver<io::Result<(Vec<u8>, usize)>>,
    others: Sender<Vec<u8>>,
}

impl Pieces {
    /// Begins with an input of which nothing is read yet. `info` is that of the file when it was opened.
    pub fn new(file: File, info: &Info) -> Self {
        // A small file needs a small buffer; with room for one byte more, one read is enough to see its end.
        let size = if info.is_file() { info.len().saturating_add(1) } else { BUFFER };
        let buffer = vec![0; size.clamp(SMALL_BUFFER, BUFFER) as usize];
        Self { file, total: 0, buffer, len: 0, ahead: None, tried: false }
    }

    /// Reads the next piece and returns its length in bytes; 0 is the end.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn advance(&mut self) -> io::Result<usize> {
        if self.total > LONG && !self.tried {
            self.tried = true;
            // Without a second descriptor or thread it goes on as before.
            self.ahead = self.file.try_clone().ok().and_then(ReadAhead::start);
        }
        self.len = match &self.ahead {
            None => fill(&mut self.file, &mut self.buffer)?,
            Some(ahead) => {
                let _ = ahead.others.send(std::mem::take(&mut self.buffer));
                let received = ahead.filled.recv();
                let (buffer, len) = received.map_err(|_| io::Error::other("the reading thread is gone"))??;
                self.buffer = buffer;
                len
            }
        };
        self.total += self.len as u64;
        Ok(self.len)
    }

    /// Returns the piece that was read last.
    pub fn piece(&self) -> &[u8] {
        &self.buffer[..self.len]
    }
}

impl ReadAhead {
    fn start(mut file: File) -> Option<Self> {
        let (others, empty) = channel::<Vec<u8>>();
        let (send, filled) = channel();
        let (count, size) = AHEAD;
        (0..count).try_for_each(|_| others.send(vec![0; size])).ok()?;
        // Nobody waits for its end: it may be in the middle of reading a pipe that stays open.
        let reader = thread::Builder::new().spawn(move || {
            for mut buffer in empty {
                let got = fill(&mut file, &mut buffer);
                let more = matches!(got, Ok(1..));
                if send.send(got.map(|len| (buffer, len))).is_err() || !more {
                    return;
                }
            }
        });
        reader.ok()?;
        Some(Self { filled, others })
    }
}

/// Reads what is there, but no more than fills the buffer. Returns the number of bytes; 0 is the end.
fn fill(file: &mut File, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(buffer) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
