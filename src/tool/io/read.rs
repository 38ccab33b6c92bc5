//! Sources of inputs. Opens the input that an argument names, and reads complete keys and
//! signatures. The module `input` reads messages and lists.

use crate::tool::report::escape::shown;
use crate::tool::report::keytext::LeakedKeyText;
use crate::tool::report::{Error, SmallFile, keytext};
use crate::tool::system::{
    FileIdentity, FileInfo, FileState, descriptor, open_descriptor, open_input, open_without_waiting, read_line,
    standard_input,
};
use fndsa::files::pem;
use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// The hint if a key, a signature or a list is a FIFO, a socket, a block device or a terminal.
const NOT_A_FILE: &str =
    "copy the data to a file, and give the name of the file; a pipe of the shell, <(COMMAND), also works";
/// The hint if a command that reads its input several times gets a stream.
const NOT_READ_AGAIN: &str = "copy the data to a file, because this command reads the file several times";
/// The hint if a request names an input that is not a regular file.
const NOT_A_MESSAGE: &str = "name a regular file, or send the message in base64 as \"message_b64\"";

/// The maximum length, in bytes, of a file name that [`check_key_text`] detects in an environment
/// variable. A longer value is not looked up as a file.
const MAX_NAME: usize = 4096;

/// The source of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputSource {
    /// `-`, `/dev/stdin` and other names for standard input.
    Stdin,
    /// An open descriptor that an argument names, for example in the shell form `<(COMMAND)`.
    Descriptor(PathBuf),
    /// A path. [`InputSource::open_finite`] rejects FIFOs and other streams.
    File(PathBuf),
    /// A file with a secret, and the option that names the file. A user may pass the secret itself
    /// by mistake, so messages quote the value only if it is clearly a file name ([`is_shown`]).
    Secret(&'static str, PathBuf),
    /// The text in an environment variable.
    Variable(String),
}

/// Whether an input can be read more than once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputReuse {
    /// The input is a file or is in memory, so it can be read again.
    Again,
    /// The input is a stream, so it can only be read once.
    Once,
}

impl InputSource {
    /// Returns the source that a command-line argument names.
    pub fn from_arg(path: &Path) -> Self {
        if path.as_os_str() == "-" {
            return Self::Stdin;
        }
        let (is_link, is_special) = match FileInfo::at_name(path) {
            Ok(info) => (info.is_link(), info.is_special()),
            Err(_) => (false, false),
        };
        match descriptor(path, is_link) {
            Some(0) => Self::Stdin,
            Some(_) => Self::Descriptor(path.to_owned()),
            None if (is_link || is_special) && is_pipe_of(path, standard_input) => Self::Stdin,
            None => Self::File(path.to_owned()),
        }
    }

    /// Returns the source for an option or variable that names a file with a secret.
    pub fn of_secret(option: &'static str, path: &Path) -> Self {
        match Self::from_arg(path) {
            Self::File(path) | Self::Descriptor(path) => Self::Secret(option, path),
            other => other,
        }
    }

    /// Returns the value of the member `path` in a JSON result: the path, `-` for standard input,
    /// or the name of the option or variable.
    pub fn path(&self) -> &Path {
        match self {
            Self::Stdin => Path::new("-"),
            Self::File(path) | Self::Descriptor(path) => path,
            Self::Secret(name, _) => Path::new(name),
            Self::Variable(name) => Path::new(name),
        }
    }

    /// Returns the file's identity if the source leads to a regular file, also through a link.
    /// Returns `None` for all other sources.
    pub fn identity(&self) -> Option<FileIdentity> {
        self.info()?.identity()
    }

    /// Returns the identity of a pipe, a socket or a block device. Returns `None` for all other
    /// sources. [`stdin_once`] uses the identity to reject two arguments that name the same pipe,
    /// because a byte in a pipe reaches only one reader.
    fn pipe(&self) -> Option<FileIdentity> {
        let info = self.info()?;
        if is_read_once(&info) { info.any_identity() } else { None }
    }

    fn info(&self) -> Option<FileInfo> {
        match self {
            Self::Stdin => FileInfo::of(&standard_input().ok()?).ok(),
            Self::File(path) | Self::Descriptor(path) | Self::Secret(_, path) => FileInfo::at(path).ok(),
            Self::Variable(_) => None,
        }
    }

    /// Returns the length of a regular file in bytes, if the source is a [`Self::File`]. Returns
    /// `None` for a link, and for all other files and sources.
    pub fn file_len(&self) -> Option<u64> {
        let Self::File(path) = self else { return None };
        Some(regular_file(path)?.len())
    }

    /// Returns whether the source can be read more than once.
    pub fn reuse(&self) -> InputReuse {
        let regular = matches!(self, Self::File(_)) && self.identity().is_some();
        if regular { InputReuse::Again } else { InputReuse::Once }
    }

    /// Returns whether this source is a FIFO. Opening a FIFO waits until another program opens the
    /// FIFO for writing.
    pub fn is_fifo(&self) -> bool {
        let Self::File(path) = self else { return false };
        matches!(FileInfo::at(path), Ok(info) if info.is_fifo())
    }

    /// Opens the source.
    ///
    /// # Errors
    /// Fails if the file is missing, unreadable, or a directory, if standard input is closed, or if
    /// the source is a variable.
    pub fn open(&self) -> io::Result<(File, FileInfo)> {
        let file = match self {
            Self::Stdin => standard_input()?,
            Self::Descriptor(path) => open_descriptor(path)?,
            Self::Secret(_, path) if descriptor(path, true).is_some() => open_descriptor(path)?,
            Self::File(path) | Self::Secret(_, path) => open_input(path)?,
            Self::Variable(_) => return Err(io::ErrorKind::Unsupported.into()),
        };
        let info = FileInfo::of(&file)?;
        if info.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        Ok((file, info))
    }

    /// Opens the source of a key, a signature or a list. Rejects a path that leads to a FIFO or a
    /// terminal, because the command would wait for ever. For example, an unpacked archive may
    /// contain a FIFO instead of a signature. Standard input, descriptors and files with a secret
    /// are opened without this check, so these sources can be streams.
    ///
    /// # Errors
    /// Fails if [`Self::open`] fails, or if a path leads to a FIFO, a socket, a block device or a
    /// terminal.
    pub fn open_finite(&self) -> Result<(File, FileInfo), Error> {
        let Self::File(path) = self else { return self.open().map_err(|e| self.failed(e)) };
        self.open_checked(path, NOT_A_FILE, |info| !info.is_special() || info.is_character_device())
    }

    /// Checks that a path leads to a regular file, so that the command can read the file several
    /// times. For sources that are not paths, for example standard input, only checks that
    /// [`Self::open_finite`] succeeds.
    ///
    /// # Errors
    /// Fails if the path is missing or unreadable, or does not lead to a regular file.
    pub fn check_regular(&self) -> Result<(), Error> {
        let Self::File(path) = self else { return self.open_finite().map(drop) };
        self.open_checked(path, NOT_READ_AGAIN, FileInfo::is_file).map(drop)
    }

    /// Opens the message that a request names. The message must be a regular file, but not the file
    /// that contains the requests.
    ///
    /// # Errors
    /// Fails if the file is missing, unreadable, not a regular file, or the file with the requests,
    /// or if the source is not a path.
    pub fn open_requested(&self) -> Result<(File, FileInfo), Error> {
        if let Self::File(path) = self {
            let identity = FileInfo::at(path).map_err(|e| Error::io(self, e))?.any_identity();
            if identity.is_none() || identity != Self::stdin_identity() {
                return self.open_checked(path, NOT_A_MESSAGE, FileInfo::is_file);
            }
        }
        let what = format!("the requests come from {self}, so this input cannot also be a message");
        Err(Error::Request { what })
    }

    /// Returns the identity of standard input, which can be a file or a pipe.
    fn stdin_identity() -> Option<FileIdentity> {
        Self::Stdin.info()?.any_identity()
    }

    /// Opens a path without waiting. `accepts` checks the file's metadata before and after the file
    /// is opened, because another program can replace the file between these steps. A terminal is
    /// always an error.
    fn open_checked(
        &self,
        path: &Path,
        hint: &'static str,
        accepts: impl Fn(&FileInfo) -> bool,
    ) -> Result<(File, FileInfo), Error> {
        self.check_info(FileInfo::at(path), hint, &accepts)?;
        let file = open_without_waiting(path).map_err(|e| self.failed(e))?;
        let info = self.check_info(FileInfo::of(&file), hint, &accepts)?;
        let is_terminal = info.is_character_device() && file.is_terminal();
        if is_terminal { Err(self.not_a_file(&info, hint)) } else { Ok((file, info)) }
    }

    /// Checks that a file is not a directory and that `accepts` accepts it.
    fn check_info(
        &self,
        info: io::Result<FileInfo>,
        hint: &'static str,
        accepts: &impl Fn(&FileInfo) -> bool,
    ) -> Result<FileInfo, Error> {
        let info = info.map_err(|e| self.failed(e))?;
        if info.is_dir() {
            Err(self.failed(io::ErrorKind::IsADirectory.into()))
        } else if accepts(&info) {
            Ok(info)
        } else {
            Err(self.not_a_file(&info, hint))
        }
    }

    fn not_a_file(&self, info: &FileInfo, hint: &'static str) -> Error {
        Error::NotAFile { from: self.to_string(), what: info.special_words(), hint }
    }

    /// Returns the error for a file that cannot be opened.
    fn failed(&self, e: io::Error) -> Error {
        match self {
            Self::Secret(option, path) if e.kind() == io::ErrorKind::NotFound && !is_shown(path) => {
                Error::NoSecretFile(option)
            }
            _ => Error::io(self, e),
        }
    }

    /// Returns a warning if the permissions give other users access to this private key file.
    pub fn open_to_others(&self) -> Option<String> {
        let Self::File(path) = self else { return None };
        FileInfo::at(path).ok()?.open_to_others()
    }

    /// Queries the state of a file. Before fndsa replaces the file, it queries the state a second
    /// time, and compares both states to detect changes by other programs.
    ///
    /// # Errors
    /// Fails if the file no longer exists, or if the system cannot return the metadata.
    pub fn state(path: &Path) -> Result<FileState, Error> {
        Ok(FileInfo::at_name(path).map_err(|e| Error::io(shown(path), e))?.state())
    }

    /// Reads a complete key, a single signature or a context. The buffer never moves, so all copies
    /// are wiped on drop.
    ///
    /// # Errors
    /// Fails if the source cannot be read, or is larger than the maximum size of a key or context.
    pub fn read_small(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.read_whole(SmallFile::Key)
    }

    /// Reads a complete file that may contain the maximum number of signatures.
    ///
    /// # Errors
    /// Fails if the source cannot be read, or is larger than the maximum size of a signature file.
    pub fn read_signatures(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.read_whole(SmallFile::Signatures)
    }

    /// Reads a complete file that may contain many keys. The buffer never moves, so all copies are
    /// wiped on drop. If the length is not known in advance, as for a stream, the lower limit for
    /// signature files applies.
    ///
    /// # Errors
    /// Fails if the source cannot be read, or is larger than the maximum size of a file with keys.
    pub fn read_several(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.read_whole(SmallFile::Keys)
    }

    /// Reads a complete source, or the text in a variable. A variable may contain the base64
    /// encoding of a key file.
    fn read_whole(&self, expected: SmallFile) -> Result<Zeroizing<Vec<u8>>, Error> {
        if let Self::Variable(name) = self {
            let Some(value) = secret_variable(name) else { return Err(Error::Unset(name.clone())) };
            if value.trim_ascii().is_empty() {
                return Err(Error::EmptyVariable(name.clone()));
            }
            check_key_text(name, &value)?;
            return Ok(pem::restored(&value).unwrap_or(value));
        }
        let (file, info) = self.open_finite()?;
        // Some file systems report the length 0 for files that are not empty.
        let sized = info.is_file() && info.len() > 0;
        let expected = if sized || expected != SmallFile::Keys { expected } else { SmallFile::Signatures };
        let limit = expected.limit() as u64;
        let read_len = if sized { info.len().min(limit) } else { limit } + 1;
        let mut data = Zeroizing::new(Vec::with_capacity(read_len as usize));
        file.take(read_len).read_to_end(&mut data).map_err(|e| Error::io(self, e))?;
        match data.len() as u64 {
            len if len > limit => Err(Error::TooLarge { from: self.to_string(), file: expected }),
            len if len == read_len => Err(Error::Changed { from: self.to_string() }),
            _ => Ok(data),
        }
    }

    /// Reads the first line and its line end. If the line is longer than `most` bytes, reads its
    /// first `most` bytes (see [`read_line`]).
    ///
    /// # Errors
    /// Fails if the source cannot be read.
    pub fn read_line(&self, most: usize) -> Result<Zeroizing<Vec<u8>>, Error> {
        let (mut file, _) = self.open().map_err(|e| self.failed(e))?;
        read_line(&mut file, most).map_err(|e| Error::io(self, e))
    }
}

/// The files that a command processes, with the metadata that they had before the command read the
/// first file. Later steps use the stored metadata, so the system is queried only once for a
/// regular file.
pub struct InputFiles {
    sources: Vec<InputSource>,
    /// The result of [`InputSource::file_len`] for each file.
    lens: Vec<Option<u64>>,
    identities: BTreeSet<FileIdentity>,
}

impl InputFiles {
    /// Queries the metadata of the files.
    ///
    /// # Errors
    /// Fails if two sources lead to the same pipe or socket, because the second input would be
    /// empty.
    pub fn new(sources: Vec<InputSource>) -> Result<Self, Error> {
        let mut lens = Vec::with_capacity(sources.len());
        let mut identities = BTreeSet::new();
        let mut pipes = Vec::new();
        for source in &sources {
            let at_name = match source {
                InputSource::File(path) => regular_file(path),
                _ => None,
            };
            match at_name {
                Some(info) => {
                    lens.push(Some(info.len()));
                    identities.extend(info.identity());
                }
                None => {
                    lens.push(None);
                    identities.extend(source.identity());
                    if let Some(pipe) = source.pipe() {
                        if pipes.contains(&pipe) {
                            return Err(Error::PipeTwice(source.to_string()));
                        }
                        pipes.push(pipe);
                    }
                }
            }
        }
        Ok(Self { sources, lens, identities })
    }

    /// Returns the sources of all files, in order.
    pub fn sources(&self) -> &[InputSource] {
        &self.sources
    }

    /// Returns the length of file `i` in bytes. Returns `None` for links and for sources that are
    /// not regular files.
    pub fn file_len(&self, i: usize) -> Option<u64> {
        *self.lens.get(i)?
    }

    /// Returns the identities of all regular files. For a link, this is the identity of its target.
    pub fn identities(&self) -> &BTreeSet<FileIdentity> {
        &self.identities
    }
}

impl fmt::Display for InputSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => f.write_str("standard input"),
            Self::File(path) | Self::Descriptor(path) => f.write_str(&shown(path)),
            Self::Secret(option, path) if is_shown(path) => write!(f, "{option} {}", shown(path)),
            Self::Secret(option, _) => f.write_str(option),
            Self::Variable(name) => write!(f, "variable {}", shown(name)),
        }
    }
}

/// Returns the metadata of a regular file. Returns `None` for a link, and for a file that is not a
/// regular file.
fn regular_file(path: &Path) -> Option<FileInfo> {
    let info = FileInfo::at_name(path).ok()?;
    if info.is_file() { Some(info) } else { None }
}

/// Returns whether a message may show the value of an option for a secret file. The value must not
/// look like key text. In addition, the value must name an existing file or a file in an existing
/// directory, or have an extension in `ENDINGS`. Otherwise, the value may be the secret itself.
fn is_shown(path: &Path) -> bool {
    const ENDINGS: [&str; 6] = ["txt", "pw", "pwd", "pass", "password", "secret"];
    if keytext::kind_of(path.as_os_str()).is_some() {
        return false;
    }
    if let Some(ending) = path.extension()
        && ENDINGS.iter().any(|extension| ending == *extension)
    {
        return true;
    }
    if FileInfo::at_name(path).is_ok() {
        return true;
    }
    match path.parent() {
        Some(directory) if !directory.as_os_str().is_empty() && directory != Path::new("/") => {
            matches!(FileInfo::at(directory), Ok(info) if info.is_dir())
        }
        _ => false,
    }
}

/// Returns the file name in an environment variable. Returns `None` if the variable is unset or
/// empty.
///
/// # Errors
/// Fails if the variable contains key text.
pub fn file_variable(name: &'static str, hint: &'static str) -> Result<Option<PathBuf>, Error> {
    let value = std::env::var_os(name).unwrap_or_default();
    if value.is_empty() {
        return Ok(None);
    }
    match keytext::kind_of(&value) {
        Some(kind) => {
            Err(Error::KeyText(LeakedKeyText { location: name.to_owned(), kind, expected: "a file name", hint }))
        }
        None => Ok(Some(PathBuf::from(value))),
    }
}

/// Returns the value of an environment variable that may contain a secret. Returns `None` if the
/// variable is not set. This copy of the value is wiped on drop, but the copy in the environment is
/// not.
pub fn secret_variable(name: &str) -> Option<Zeroizing<Vec<u8>>> {
    let value = std::env::var_os(name)?;
    Some(Zeroizing::new(value.into_encoded_bytes()))
}

/// Checks that the value of a variable is not a file name and not a text in quotation marks. The
/// function must not pass a private key to the file system as a name. A key in base64 or
/// hexadecimal digits contains no dot. Therefore, only a value with a dot is looked up as a file.
///
/// # Errors
/// Fails if the value is the name of a regular file, or if it is in quotation marks.
fn check_key_text(name: &str, value: &[u8]) -> Result<(), Error> {
    let text = value.trim_ascii();
    let first = text.first();
    if text.len() > 1 && first == text.last() && matches!(first, Some(b'"' | b'\'')) {
        return Err(Error::QuotedVariable(name.to_owned()));
    }
    let is_short = text.len() <= MAX_NAME && text.contains(&b'.');
    if is_short
        && let Ok(path) = std::str::from_utf8(text)
        && let Ok(info) = FileInfo::at(Path::new(path))
        && info.is_file()
    {
        return Err(Error::NameInVariable(name.to_owned()));
    }
    Ok(())
}

/// Checks that no two inputs read the same pipe or socket, and that at most one input reads
/// standard input.
///
/// # Errors
/// Fails if two inputs read the same stream.
pub fn stdin_once<'a>(sources: impl IntoIterator<Item = &'a InputSource>) -> Result<(), Error> {
    let mut earlier_inputs: Vec<(&InputSource, Option<FileIdentity>)> = Vec::new();
    for source in sources {
        // Paths and variables are skipped: `InputFiles::new` compares the FIFOs among the files,
        // and a variable is not a stream.
        if matches!(source, InputSource::File(_) | InputSource::Variable(_)) {
            continue;
        }
        let pipe = source.pipe();
        for (earlier, earlier_pipe) in &earlier_inputs {
            let are_both_stdin = *source == InputSource::Stdin && **earlier == InputSource::Stdin;
            if !are_both_stdin && (pipe.is_none() || pipe != *earlier_pipe) {
                continue;
            }
            let is_stdin = *source == InputSource::Stdin || **earlier == InputSource::Stdin;
            return Err(if is_stdin { Error::StdinTwice } else { Error::PipeTwice(source.to_string()) });
        }
        earlier_inputs.push((source, pipe));
    }
    Ok(())
}

/// Returns whether a byte in this file reaches only one reader, as in a pipe or a socket. Character
/// devices are excluded, because `/dev/null` and similar devices can be read several times.
/// [`is_pipe_of`] also detects terminals.
fn is_read_once(info: &FileInfo) -> bool {
    info.is_special() && !info.is_character_device()
}

/// Returns whether a path leads to the same pipe, socket or terminal as a standard stream. `stream`
/// opens this standard stream.
pub(super) fn is_pipe_of(path: &Path, stream: impl Fn() -> io::Result<File>) -> bool {
    let Ok(info) = FileInfo::at(path) else { return false };
    if !info.is_special() {
        return false;
    }
    let Ok(stream) = stream() else { return false };
    let Ok(stream_info) = FileInfo::of(&stream) else { return false };
    let identity = stream_info.any_identity();
    let is_same = identity.is_some() && identity == info.any_identity();
    is_same && (is_read_once(&info) || stream.is_terminal())
}
