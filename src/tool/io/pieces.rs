//! Reads a message in pieces. A second thread reads a long message in advance.
//!
//! With the second thread, hashing waits only if the disk or the pipe is slower than the hash
//! function. For a short message, starting the thread would take longer than the time that the
//! thread saves.

use crate::tool::system::FileInfo;
use std::fs::File;
use std::io::{self, Read};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use zeroize::Zeroizing;

/// The maximum size of the buffer in bytes, which is also the size for a stream.
const MAX_BUFFER: u64 = 64 << 10;
/// The minimum size of the buffer in bytes, for a short file.
const MIN_BUFFER: u64 = 256;
/// The size of the buffer in bytes for a file with an unknown length.
const UNKNOWN_BUFFER: u64 = 4 << 10;
/// The number of bytes after which a second thread reads the rest of the message.
const LONG: u64 = 4 << 20;
/// The number of additional buffers for reading in advance, and the size of such a buffer in bytes.
const AHEAD: (usize, usize) = (4, 256 << 10);

/// A reader that returns an input in pieces.
pub struct PieceReader {
    /// The input file or stream.
    pub file: File,
    /// The number of bytes that have been read.
    pub total: u64,
    buffer: MessageBuffer,
    /// The length of the current piece, which is at the start of the buffer.
    len: usize,
    ahead: Option<ReadAhead>,
    /// Whether the reader has tried to start the second thread.
    tried: bool,
}

/// A buffer with bytes of a message. It is wiped on drop, because a file to sign can contain a
/// secret by mistake.
type MessageBuffer = Zeroizing<Vec<u8>>;

/// A thread that reads in advance. It receives empty buffers and sends filled buffers.
struct ReadAhead {
    filled: Receiver<io::Result<(MessageBuffer, usize)>>,
    free_buffers: Sender<MessageBuffer>,
}

impl PieceReader {
    /// Creates a reader for an input at its first byte. `info` is the metadata of the file when it
    /// was opened.
    pub fn new(file: File, info: &FileInfo) -> Self {
        let size = match info.len() {
            _ if !info.is_file() => MAX_BUFFER,
            // Some file systems report the length 0 for files that are not empty.
            0 => UNKNOWN_BUFFER,
            len => len.clamp(MIN_BUFFER, MAX_BUFFER),
        };
        let buffer = Zeroizing::new(vec![0; size as usize]);
        Self { file, total: 0, buffer, len: 0, ahead: None, tried: false }
    }

    /// Reads the next piece. Returns the length of the piece in bytes, or 0 at the end of the
    /// input.
    ///
    /// # Errors
    /// Fails if the input cannot be read.
    pub fn advance(&mut self) -> io::Result<usize> {
        if self.total > LONG && !self.tried {
            self.tried = true;
            // If the system has no free descriptor or cannot start a thread, this thread continues
            // to read.
            if let Ok(file) = self.file.try_clone() {
                self.ahead = ReadAhead::start(file);
            }
        }
        self.len = match &self.ahead {
            None => fill(&mut self.file, &mut self.buffer)?,
            Some(ahead) => {
                let _ = ahead.free_buffers.send(std::mem::take(&mut self.buffer));
                let Ok(received) = ahead.filled.recv() else {
                    return Err(io::Error::other("the reading thread is gone"));
                };
                let (buffer, len) = received?;
                self.buffer = buffer;
                len
            }
        };
        self.total += self.len as u64;
        Ok(self.len)
    }

    /// Returns the current piece.
    pub fn piece(&self) -> &[u8] {
        &self.buffer[..self.len]
    }
}

impl ReadAhead {
    fn start(mut file: File) -> Option<Self> {
        let (free_buffers, empty) = channel::<MessageBuffer>();
        let (send, filled) = channel();
        let (count, size) = AHEAD;
        for _ in 0..count {
            free_buffers.send(Zeroizing::new(vec![0; size])).ok()?;
        }
        // The thread is never joined, because it may wait for a pipe that stays open.
        let reader = thread::Builder::new().spawn(move || {
            for mut buffer in empty {
                let result = fill(&mut file, &mut buffer);
                let more = matches!(result, Ok(1..));
                let filled = match result {
                    Ok(len) => Ok((buffer, len)),
                    Err(e) => Err(e),
                };
                if send.send(filled).is_err() || !more {
                    return;
                }
            }
        });
        reader.ok()?;
        Some(Self { filled, free_buffers })
    }
}

/// Reads the available bytes into a buffer, and returns their number. Returns 0 at the end of the
/// input.
fn fill(file: &mut File, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(buffer) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
