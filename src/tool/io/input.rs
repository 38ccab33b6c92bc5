//! Inputs that are read in pieces: files, standard input and bytes in memory. Signing, verification
//! and the readers of lists use these inputs.

use super::pieces::PieceReader;
use super::read::{InputReuse, InputSource};
use crate::tool::report::Error;
use crate::tool::report::progress::{OperationProgress, ProgressDisplay};
use crate::tool::system::FileInfo;
use std::fmt::Display;
use std::fs::File;

/// The maximum size, in MiB, of a list of files and of a file with trusted keys. This size is
/// enough for more than two million files or two hundred thousand FN-DSA-512 keys.
pub const MAX_LIST_MEBIBYTES: usize = 256;

/// An input that is read in pieces, from its beginning to its end.
pub trait Input {
    /// Returns the name of the input in error messages.
    fn name(&self) -> &dyn Display;

    /// Returns whether the input can be read more than once.
    fn reuse(&self) -> InputReuse;

    /// Returns whether this program has encoded the bytes, for example to sign an envelope. Inputs
    /// from the user must not begin like such an encoding (`PREIMAGES` in `message::form`).
    fn is_encoded(&self) -> bool {
        false
    }

    /// Returns the length of the message in bytes. `read` is the number of bytes that were read.
    /// The input must have been read to its end. The result differs from `read` if the input does
    /// not return the message itself, but for example its digest.
    fn message_len(&self, read: u64) -> u64 {
        read
    }

    /// Returns the message's digest. The input must have been read to its end. Returns `None` if
    /// the input does not compute a digest.
    fn digest(&self) -> Option<&[u8]> {
        None
    }

    /// Returns false if no signature in the envelope can be valid for this input. This is the case,
    /// for example, if the input's digest is not the digest in the envelope. The input must have
    /// been read to its end.
    fn is_possible(&self) -> bool {
        true
    }

    /// Returns the next piece. An empty piece means the end of the input. If the input can be read
    /// more than once, the call after the end returns the first piece again.
    ///
    /// # Errors
    /// Fails if the input cannot be read, or if it was changed while it was read.
    fn next(&mut self) -> Result<&[u8], Error>;
}

impl<T: Input + ?Sized> Input for &mut T {
    fn name(&self) -> &dyn Display {
        (**self).name()
    }

    fn reuse(&self) -> InputReuse {
        (**self).reuse()
    }

    fn is_encoded(&self) -> bool {
        (**self).is_encoded()
    }

    fn message_len(&self, read: u64) -> u64 {
        (**self).message_len(read)
    }

    fn digest(&self) -> Option<&[u8]> {
        (**self).digest()
    }

    fn is_possible(&self) -> bool {
        (**self).is_possible()
    }

    fn next(&mut self) -> Result<&[u8], Error> {
        (**self).next()
    }
}

/// Reads an input to its end, passes each piece to `piece`, and returns the length of the message
/// in bytes.
///
/// # Errors
/// Returns the errors of [`Input::next`].
pub fn drain(input: &mut dyn Input, mut piece: impl FnMut(&[u8])) -> Result<u64, Error> {
    let mut total = 0;
    loop {
        let data = input.next()?;
        if data.is_empty() {
            return Ok(input.message_len(total));
        }
        total += data.len() as u64;
        piece(data);
    }
}

/// Reads a whole input into memory.
///
/// # Errors
/// Fails if [`Input::next`] fails, or if the input has more than `mebibytes` MiB.
pub fn read_whole(input: &mut dyn Input, mebibytes: usize) -> Result<Vec<u8>, Error> {
    let mut data = Vec::new();
    loop {
        match input.next()? {
            [] => return Ok(data),
            piece => data.extend_from_slice(piece),
        }
        if data.len() > mebibytes << 20 {
            return Err(Error::ListTooLarge { from: input.name().to_string(), mebibytes });
        }
    }
}

/// An input that is in memory.
pub struct MemoryInput<'a> {
    name: &'a dyn Display,
    data: &'a [u8],
    is_consumed: bool,
    is_encoded: bool,
}

impl<'a> MemoryInput<'a> {
    /// Creates an input from `data`. `name` is the input's name in error messages.
    pub fn new(name: &'a dyn Display, data: &'a [u8]) -> Self {
        Self { name, data, is_consumed: false, is_encoded: false }
    }

    /// Creates an input from bytes that this program has encoded to sign them.
    pub fn encoded(name: &'a dyn Display, data: &'a [u8]) -> Self {
        Self { is_encoded: true, ..Self::new(name, data) }
    }
}

impl Input for MemoryInput<'_> {
    fn name(&self) -> &dyn Display {
        self.name
    }

    fn reuse(&self) -> InputReuse {
        InputReuse::Again
    }

    fn is_encoded(&self) -> bool {
        self.is_encoded
    }

    fn next(&mut self) -> Result<&[u8], Error> {
        self.is_consumed = !self.is_consumed;
        Ok(if self.is_consumed { self.data } else { &[] })
    }
}

/// An input that reads a source of any kind, in constant memory. The source is opened when the
/// first piece is requested.
pub struct FileInput<'a> {
    source: &'a InputSource,
    progress: ProgressDisplay,
    open: Option<OpenInput>,
    opening: InputOpener,
}

/// Opens a source of any kind.
fn open_any(source: &InputSource) -> Result<(File, FileInfo), Error> {
    source.open().map_err(|e| Error::io(source, e))
}

/// A function that opens an input.
type InputOpener = fn(&InputSource) -> Result<(File, FileInfo), Error>;

/// A file that is being read.
struct OpenInput {
    pieces: PieceReader,
    /// The metadata of the file when it was opened.
    before: FileInfo,
    bar: OperationProgress,
}

impl<'a> FileInput<'a> {
    /// Creates an input from a source without opening it.
    pub fn new(source: &'a InputSource, progress: &ProgressDisplay) -> Self {
        Self { source, progress: progress.clone(), open: None, opening: open_any }
    }

    /// Creates an input from the file that a request names. The file must be a regular file.
    pub fn requested(source: &'a InputSource) -> Self {
        Self { opening: InputSource::open_requested, ..Self::new(source, &ProgressDisplay::none()) }
    }

    /// Creates an input from a file that was opened from `source`. If the input is read a second
    /// time, it opens `source` again.
    pub fn opened(source: &'a InputSource, file: (File, FileInfo), progress: &ProgressDisplay) -> Self {
        let mut stream = Self::new(source, progress);
        stream.open = Some(stream.begin(file));
        stream
    }

    /// Returns the current piece, and the metadata of the file when it was opened. Returns `None`
    /// before the first piece and after the last piece.
    pub fn current(&self) -> Option<(&FileInfo, &[u8])> {
        let open = self.open.as_ref()?;
        Some((&open.before, open.pieces.piece()))
    }

    fn begin(&self, (file, before): (File, FileInfo)) -> OpenInput {
        let bar = self.progress.bytes(self.source, before.len());
        OpenInput { pieces: PieceReader::new(file, &before), before, bar }
    }

    /// Checks, at the end of a regular file, that the path still leads to this file, and that the
    /// file has not been changed. Does not check sources that are not regular files.
    fn check(&self, open: &OpenInput) -> Result<(), Error> {
        let before = &open.before;
        let after = FileInfo::of(&open.pieces.file).map_err(|e| Error::io(self.source, e))?;
        if before.is_file() && before.stamp() != after.stamp() {
            return Err(Error::Changed { from: self.source.to_string() });
        }
        if let InputSource::File(path) | InputSource::Secret(_, path) = self.source {
            let current_identity = match FileInfo::at(path) {
                Ok(info) => info.identity(),
                Err(_) => None,
            };
            // The open file has been renamed or removed, or its path now leads to a different file.
            if before.is_file() && current_identity != before.identity() {
                return Err(Error::Replaced { from: self.source.to_string() });
            }
        }
        Ok(())
    }
}

impl Input for FileInput<'_> {
    fn name(&self) -> &dyn Display {
        self.source
    }

    fn reuse(&self) -> InputReuse {
        self.source.reuse()
    }

    fn next(&mut self) -> Result<&[u8], Error> {
        let mut open = match self.open.take() {
            Some(open) => open,
            None => {
                self.progress.notice_fifo(self.source, || self.source.is_fifo());
                self.begin((self.opening)(self.source)?)
            }
        };
        open.bar.at(open.pieces.total);
        if open.pieces.advance().map_err(|e| Error::io(self.source, e))? == 0 {
            self.check(&open)?;
            return Ok(&[]);
        }
        Ok(self.open.insert(open).pieces.piece())
    }
}

impl InputSource {
    /// Reads a message in pieces, passes each piece to `piece`, and returns the length in bytes.
    ///
    /// # Errors
    /// Fails if the input cannot be read, or if it was changed while it was read.
    pub fn stream(&self, progress: &ProgressDisplay, piece: impl FnMut(&[u8])) -> Result<u64, Error> {
        drain(&mut FileInput::new(self, progress), piece)
    }

    /// Reads a whole input of at most `mebibytes` MiB, for example a list. The input must not be
    /// secret, because the memory is not wiped.
    ///
    /// # Errors
    /// Fails if the input cannot be read, was changed while it was read, or has more than
    /// `mebibytes` MiB.
    pub fn read_limited(&self, mebibytes: usize, progress: &ProgressDisplay) -> Result<Vec<u8>, Error> {
        read_whole(&mut FileInput::opened(self, self.open_finite()?, progress), mebibytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::write;
    #[cfg(unix)]
    use std::fs::{remove_file, rename};
    use std::path::Path;

    /// Reads an input twice to its end.
    fn twice(input: &mut dyn Input) -> [Vec<u8>; 2] {
        [(); 2].map(|()| {
            let mut all = Vec::new();
            let len = drain(input, |piece| all.extend_from_slice(piece)).unwrap();
            assert_eq!(len, all.len() as u64);
            all
        })
    }

    #[test]
    fn an_input_can_be_read_again_from_its_start() {
        let directory = tempfile::tempdir().unwrap();
        for len in [0, 1, 5000, 200_000] {
            let data: Vec<u8> = (0..len).map(|i: u32| i as u8).collect();
            let path = directory.path().join("f");
            write(&path, &data).unwrap();
            let source = InputSource::File(path);
            let mut file = FileInput::new(&source, &ProgressDisplay::none());
            let mut memory = MemoryInput::new(&"memory", &data);
            assert!(twice(&mut file) == [data.clone(), data.clone()], "a file of {len} bytes");
            assert!(twice(&mut memory) == [data.clone(), data.clone()], "{len} bytes of memory");
        }
    }

    /// Reads a file, and calls `meanwhile` before the end is reached.
    fn read_while(meanwhile: impl Fn(&Path)) -> Result<u64, Error> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("f");
        write(&path, "text").unwrap();
        InputSource::File(path.clone()).stream(&ProgressDisplay::none(), |_| meanwhile(&path))
    }

    #[test]
    fn a_file_that_changes_while_it_is_read_is_reported() {
        assert_eq!(read_while(|_| ()).unwrap(), 4);
        assert!(matches!(read_while(|path| write(path, "longer text").unwrap()), Err(Error::Changed { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_loses_its_name_while_it_is_read_is_reported() {
        let other = |path: &Path| {
            let other = path.with_extension("new");
            write(&other, "text").unwrap();
            other
        };
        let replaced = |meanwhile: &dyn Fn(&Path)| matches!(read_while(meanwhile), Err(Error::Replaced { .. }));
        assert!(replaced(&|path| rename(other(path), path).unwrap()));
        assert!(replaced(&|path| remove_file(path).unwrap()));
        assert!(replaced(&|path| {
            remove_file(path).unwrap();
            std::os::unix::fs::symlink(other(path), path).unwrap();
        }));
    }

    #[cfg(unix)]
    #[test]
    fn another_name_of_the_same_file_is_not_a_change() {
        let moved = read_while(|path| {
            rename(path, path.with_extension("old")).unwrap();
            std::os::unix::fs::symlink(path.with_extension("old"), path).unwrap();
        });
        assert_eq!(moved.unwrap(), 4);
    }
}
