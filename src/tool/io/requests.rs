//! Reads requests for `--stream` from standard input. Each line contains a request. The reader
//! waits for a line, and returns a group of lines: this line, and the following lines that are
//! already in the buffer. The length of a line and the size of a group are limited.

use crate::tool::report::Error;
use crate::tool::system::standard_input;
use memchr::memchr;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// The maximum length of a line in bytes, without the line end.
pub const MAX_LINE: usize = 16 << 20;
/// The maximum number of lines or files in a group. The library signs or verifies at most this
/// number of messages together.
pub const TOGETHER: usize = 8;
/// The maximum size in bytes of a group of lines or files. A larger group would delay the first
/// answer, because the whole group is processed before this answer is printed.
pub const TOGETHER_BYTES: usize = 256 << 10;
/// The number of bytes that are requested in a read.
const CHUNK: usize = 64 << 10;
/// The maximum number of chunks that are read in advance.
const AHEAD: usize = 2;
/// The JSON member in which a request names a file. A line with this member is the only line in its
/// group, because the file may be long.
const NAMES_A_FILE: &[u8] = b"\"path\"";

/// A line of the input.
pub struct RequestLine {
    /// The line number, from 1.
    pub number: u64,
    /// The line without its line end. `None` if it has more than [`MAX_LINE`] bytes.
    pub text: Option<Vec<u8>>,
}

impl RequestLine {
    fn len(&self) -> usize {
        match &self.text {
            Some(text) => text.len(),
            None => 0,
        }
    }

    /// Returns whether the line may contain a request that names a file.
    fn names_a_file(&self) -> bool {
        let mut rest = self.text.as_deref().unwrap_or_default();
        while let Some(at) = memchr(b'"', rest) {
            if rest[at..].starts_with(NAMES_A_FILE) {
                return true;
            }
            rest = &rest[at + 1..];
        }
        false
    }
}

/// An iterator over groups of lines from standard input. After an error, the iterator ends.
pub struct RequestLines {
    input: RequestInput,
    buffer: Vec<u8>,
    /// The start and the end of the unread bytes in the buffer.
    unread: (usize, usize),
    /// The position in the buffer at which the search for the next line end continues.
    searched: usize,
    /// True if the current line is longer than the limit, so its start was dropped.
    is_too_long: bool,
    /// The number of lines that were taken from the buffer.
    lines: u64,
    /// A line that did not fit into the previous group, or that names a file. It starts the next
    /// group.
    pending: Option<RequestLine>,
    ended: bool,
}

/// The result of a read in the reading thread: bytes, an empty vector at the end, or the error that
/// ended the reading.
type ReadResult = io::Result<Vec<u8>>;

/// A handle with which another thread ends [`RequestLines`]. With [`ReaderThread::Caller`], the
/// handle does nothing.
pub struct ReadingStop(Option<(Arc<AtomicBool>, SyncSender<ReadResult>)>);

/// The thread that reads the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReaderThread {
    /// The thread that requests the next line.
    Caller,
    /// A separate thread. [`ReadingStop::stop`] can then end the iterator while this thread waits
    /// for input.
    Thread,
}

/// The source of the input bytes.
enum RequestInput {
    Direct(File),
    Ahead { chunks: Receiver<io::Result<Vec<u8>>>, rest: Vec<u8>, is_stopped: Arc<AtomicBool> },
}

impl RequestInput {
    /// Reads the available bytes, at most `out.len()`. Waits if no byte is available. Returns 0 at
    /// the end of the input.
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let (chunks, rest, is_stopped) = match self {
            Self::Direct(file) => return read_some(file, out),
            Self::Ahead { chunks, rest, is_stopped } => (chunks, rest, is_stopped),
        };
        if rest.is_empty() {
            // `ReadingStop::stop` also sends an empty chunk, but cannot send it if the channel is
            // full. Therefore, the flag is checked before each chunk.
            if is_stopped.load(Ordering::SeqCst) {
                return Ok(0);
            }
            *rest = match chunks.recv() {
                Ok(chunk) => chunk?,
                Err(_) => Vec::new(),
            };
        }
        let len = rest.len().min(out.len());
        out[..len].copy_from_slice(&rest[..len]);
        rest.drain(..len);
        Ok(len)
    }
}

fn read_some(file: &mut File, out: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(out) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

impl ReadingStop {
    /// Ends the iterator over the lines, even if a thread is waiting for the next line. Does
    /// nothing for [`ReaderThread::Caller`].
    pub fn stop(&self) {
        if let Some((is_stopped, send)) = &self.0 {
            is_stopped.store(true, Ordering::SeqCst);
            let _ = send.try_send(Ok(Vec::new()));
        }
    }
}

impl RequestLines {
    /// Starts to read standard input. The result contains a handle that stops the reading.
    ///
    /// # Errors
    /// Fails if standard input was already closed when the program started, or if the reading
    /// thread cannot start.
    pub fn of_stdin(reader: ReaderThread) -> Result<(Self, ReadingStop), Error> {
        let file = standard_input().map_err(failed)?;
        let (input, stop) = match reader {
            ReaderThread::Caller => (RequestInput::Direct(file), ReadingStop(None)),
            ReaderThread::Thread => read_ahead(file).map_err(failed)?,
        };
        Ok((Self::new(input), stop))
    }

    fn new(input: RequestInput) -> Self {
        let buffer = vec![0; CHUNK];
        Self { input, buffer, unread: (0, 0), searched: 0, is_too_long: false, lines: 0, pending: None, ended: false }
    }

    /// Removes the next line from the buffer, if the whole line is available.
    fn take_line(&mut self) -> Option<RequestLine> {
        let (begin, end) = self.unread;
        let Some(len) = memchr(b'\n', &self.buffer[self.searched..end]) else {
            self.searched = end;
            return None;
        };
        let line_end = self.searched + len;
        self.unread.0 = line_end + 1;
        self.searched = line_end + 1;
        Some(self.line(begin, line_end))
    }

    /// Creates a line from a range in the buffer. For a line that is longer than the limit, the
    /// range contains only the end of the line.
    fn line(&mut self, begin: usize, end: usize) -> RequestLine {
        self.lines += 1;
        let is_too_long = std::mem::take(&mut self.is_too_long) || end - begin > MAX_LINE;
        let text = if is_too_long { None } else { Some(self.buffer[begin..end].to_vec()) };
        RequestLine { number: self.lines, text }
    }

    /// Reads more bytes into the buffer. Returns 0 at the end of the input.
    fn fill(&mut self) -> io::Result<usize> {
        let (begin, end) = self.unread;
        if begin == end && self.buffer.len() > CHUNK {
            self.buffer = vec![0; CHUNK];
            self.unread = (0, 0);
        } else if end - begin > MAX_LINE {
            self.is_too_long = true;
            self.unread = (0, 0);
        } else if begin > 0 {
            self.buffer.copy_within(begin..end, 0);
            self.unread = (0, end - begin);
        }
        let end = self.unread.1;
        self.searched = end;
        if end == self.buffer.len() {
            self.buffer.resize((2 * end).min(MAX_LINE + CHUNK), 0);
        }
        let read_len = self.input.read(&mut self.buffer[end..])?;
        self.unread.1 += read_len;
        Ok(read_len)
    }

    /// Waits for the next line. Returns `None` at the end of the input. The last line does not need
    /// a line end.
    fn next_line(&mut self) -> io::Result<Option<RequestLine>> {
        if let Some(line) = self.pending.take() {
            return Ok(Some(line));
        }
        loop {
            if let Some(line) = self.take_line() {
                return Ok(Some(line));
            }
            if self.ended || self.fill()? == 0 {
                self.ended = true;
                let (begin, end) = std::mem::take(&mut self.unread);
                self.searched = 0;
                let is_line = begin < end || self.is_too_long;
                return Ok(if is_line { Some(self.line(begin, end)) } else { None });
            }
        }
    }
}

impl Iterator for RequestLines {
    type Item = Result<Vec<RequestLine>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let first = match self.next_line() {
            Ok(line) => line?,
            Err(e) => {
                self.ended = true;
                self.unread = (0, 0);
                self.searched = 0;
                return Some(Err(failed(e)));
            }
        };
        let mut remaining_len = TOGETHER_BYTES.saturating_sub(first.len());
        let mut lines = vec![first];
        while lines.len() < TOGETHER && !lines[0].names_a_file() {
            let Some(line) = self.take_line() else { break };
            if line.names_a_file() || line.len() > remaining_len {
                self.pending = Some(line);
                break;
            }
            remaining_len -= line.len();
            lines.push(line);
        }
        Some(Ok(lines))
    }
}

fn failed(e: io::Error) -> Error {
    Error::io("standard input", e)
}

/// Starts the reading thread. The thread is never joined, because it may wait for a pipe that stays
/// open.
fn read_ahead(mut file: File) -> io::Result<(RequestInput, ReadingStop)> {
    let (send, chunks) = sync_channel(AHEAD);
    let is_stopped = Arc::new(AtomicBool::new(false));
    let stop = ReadingStop(Some((Arc::clone(&is_stopped), send.clone())));
    thread::Builder::new().spawn(move || {
        loop {
            let mut chunk = vec![0; CHUNK];
            let read_result = read_some(&mut file, &mut chunk);
            let more = matches!(read_result, Ok(1..));
            let read_result = match read_result {
                Ok(len) => {
                    chunk.truncate(len);
                    Ok(chunk)
                }
                Err(e) => Err(e),
            };
            if send.send(read_result).is_err() || !more {
                return;
            }
        }
    })?;
    Ok((RequestInput::Ahead { chunks, rest: Vec::new(), is_stopped }, stop))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Seek, Write};

    /// Returns the line lengths in each group of a text. The length is `None` for a line that is
    /// longer than the limit.
    fn groups(text: &[u8], reader: ReaderThread) -> Vec<Vec<Option<usize>>> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text).unwrap();
        file.rewind().unwrap();
        let input = match reader {
            ReaderThread::Caller => RequestInput::Direct(file),
            ReaderThread::Thread => read_ahead(file).unwrap().0,
        };
        let mut number = 0;
        let len = |line: RequestLine| {
            number += 1;
            assert_eq!(line.number, number);
            line.text.map(|text| text.len())
        };
        let groups: Vec<_> = RequestLines::new(input).map(Result::unwrap).collect();
        let mut len = len;
        groups.into_iter().map(|group| group.into_iter().map(&mut len).collect()).collect()
    }

    fn lens(text: &[u8]) -> Vec<Option<usize>> {
        let [caller, thread] = [ReaderThread::Caller, ReaderThread::Thread].map(|reader| groups(text, reader).concat());
        assert_eq!(caller, thread);
        caller
    }

    #[test]
    fn every_line_is_returned_once() {
        assert_eq!(lens(b""), []);
        assert_eq!(lens(b"\n"), [Some(0)]);
        assert_eq!(lens(b"ab"), [Some(2)]);
        assert_eq!(lens(b"ab\n\ncde\nf"), [Some(2), Some(0), Some(3), Some(1)]);
        let many = lens("1234567890\n".repeat(100_000).as_bytes());
        assert!(many.len() == 100_000 && many.iter().all(|len| *len == Some(10)));
    }

    #[test]
    fn long_lines_are_skipped() {
        for len in [CHUNK - 1, CHUNK, CHUNK + 1, MAX_LINE, MAX_LINE + 1, MAX_LINE + CHUNK, 3 * MAX_LINE] {
            let expected = if len > MAX_LINE { None } else { Some(len) };
            let mut text = b"first\n".to_vec();
            text.resize(6 + len, b'x');
            assert!(lens(&text) == [Some(5), expected], "{len} at the end");
            text.extend_from_slice(b"\nlast\n");
            assert!(lens(&text) == [Some(5), expected, Some(4)], "{len}");
        }
    }

    #[test]
    fn available_requests_are_grouped() {
        let small_groups = groups("x\n".repeat(20).as_bytes(), ReaderThread::Caller);
        assert_eq!(small_groups.iter().map(Vec::len).collect::<Vec<_>>(), [8, 8, 4]);
        let files = groups(b"x\n{\"path\":\"a\"}\nx\nx\n", ReaderThread::Caller);
        assert_eq!(files.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1, 2]);
        let long = [vec![b'x'; TOGETHER_BYTES], vec![b'x'; 10]].join(&b'\n');
        assert!(groups(&long, ReaderThread::Caller).iter().all(|group| group.len() == 1));
    }

    #[test]
    fn a_stop_ends_the_input() {
        #[cfg(unix)]
        use std::os::fd::OwnedFd as Owned;
        #[cfg(windows)]
        use std::os::windows::io::OwnedHandle as Owned;
        let (end, open) = std::io::pipe().unwrap();
        let (input, stop) = read_ahead(File::from(Owned::from(end))).unwrap();
        let mut lines = RequestLines::new(input);
        (&open).write_all(b"one\ntwo").unwrap();
        assert_eq!(lines.next().unwrap().unwrap().len(), 1);
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| lines.next().map(|group| group.unwrap()[0].text.clone()));
            stop.stop();
            assert!(waits.join().unwrap().is_none_or(|text| text == Some(b"two".to_vec())));
        });
    }
}
