//! Inputs: what an argument names, and keys and signatures, whole. Messages and lists are read in `input`.

use crate::tool::report::escape::shown;
use crate::tool::report::keytext::Spilled;
use crate::tool::report::{Error, SmallFile, keytext};
use crate::tool::system::{FileState, Identity, Info, STREAMS, open_input, read_line, standard_input};
use fndsa::files::pem;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Where an input comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputSource {
    /// `-`, `/dev/stdin` and its other names.
    Stdin,
    /// A file.
    File(PathBuf),
    /// A file that holds a secret, and the option that names it. Somebody may have given the secret itself, so the
    /// option alone is shown.
    Secret(&'static str, PathBuf),
    /// The text in an environment variable.
    Variable(String),
}

/// Whether an input can be read more than once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The input is a file, or in memory.
    Again,
    /// The input is a stream.
    Once,
}

impl InputSource {
    /// Returns the source that an argument of the command line names.
    pub fn from_arg(path: &Path) -> Self {
        let is_stdin = std::iter::once(&"-").chain(STREAMS[0]).any(|name| path.as_os_str() == *name);
        if is_stdin { Self::Stdin } else { Self::File(path.to_owned()) }
    }

    /// Returns the source that an option or a variable names which takes a file with a secret.
    pub fn of_secret(option: &'static str, path: &Path) -> Self {
        match Self::from_arg(path) {
            Self::File(path) => Self::Secret(option, path),
            other => other,
        }
    }

    /// Returns the path for a JSON result.
    pub fn path(&self) -> &Path {
        match self {
            Self::Stdin => Path::new("-"),
            Self::File(path) => path,
            Self::Secret(name, _) => Path::new(name),
            Self::Variable(name) => Path::new(name),
        }
    }

    /// Returns which file the source is; `None` if it is no regular file.
    pub fn identity(&self) -> Option<Identity> {
        match self {
            Self::Stdin => Info::of(&standard_input().ok()?).ok(),
            Self::File(path) | Self::Secret(_, path) => Info::at(path).ok(),
            Self::Variable(_) => None,
        }?
        .identity()
    }

    /// Returns the length of a regular file in bytes; `None` for anything else, and for links.
    pub fn file_len(&self) -> Option<u64> {
        let Self::File(path) = self else { return None };
        Info::at_name(path).ok().filter(Info::is_file).map(|info| info.len())
    }

    /// Returns whether the source can be read more than once.
    pub fn reading(&self) -> Reading {
        let regular = matches!(self, Self::File(_)) && self.identity().is_some();
        if regular { Reading::Again } else { Reading::Once }
    }

    /// Opens the source.
    ///
    /// # Errors
    /// The file is not there, may not be read, or is a directory.
    pub fn open(&self) -> io::Result<(File, Info)> {
        let file = match self {
            Self::Stdin => standard_input()?,
            Self::File(path) | Self::Secret(_, path) => open_input(path)?,
            Self::Variable(_) => return Err(io::ErrorKind::Unsupported.into()),
        };
        let info = Info::of(&file)?;
        if info.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        Ok((file, info))
    }

    /// Returns the warning for a private key in a file that others may read; `None` if they may not.
    pub fn open_to_others(&self) -> Option<String> {
        let Self::File(path) = self else { return None };
        Info::at(path).ok()?.open_to_others()
    }

    /// Returns the state of a file, which is compared with a later one before the file is replaced.
    ///
    /// # Errors
    /// The file is gone.
    pub fn state(path: &Path) -> Result<FileState, Error> {
        Ok(Info::at_name(path).map_err(|e| Error::io(shown(path), e))?.state())
    }

    /// Reads a whole key, single signature or context. The buffer never moves, so that wiping it
    /// wipes all.
    ///
    /// # Errors
    /// The source cannot be read, or is larger than any key or context.
    pub fn read_small(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.read_whole(SmallFile::Key)
    }

    /// Reads a whole file that may hold as many signatures as a file may have.
    ///
    /// # Errors
    /// The source cannot be read, or is larger than any such file.
    pub fn read_signatures(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.read_whole(SmallFile::Signatures)
    }

    /// Reads a whole file that may hold many keys, into a buffer that never moves. If the source is
    /// a stream, its length is not known, and the limit is that of a file of signatures.
    ///
    /// # Errors
    /// The source cannot be read, or is larger than any such file.
    pub fn read_several(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.read_whole(SmallFile::Keys)
    }

    fn read_whole(&self, expected: SmallFile) -> Result<Zeroizing<Vec<u8>>, Error> {
        if let Self::Variable(name) = self {
            let value = secret_variable(name).ok_or_else(|| Error::Unset(name.clone()))?;
            if value.trim_ascii().is_empty() {
                return Err(Error::EmptyVariable(name.clone()));
            }
            return Ok(pem::restored(&value).unwrap_or(value));
        }
        let (file, info) = self.open().map_err(|e| Error::io(self, e))?;
        // Some file systems say 0 for a file that is not empty.
        let sized = info.is_file() && info.len() > 0;
        let expected = if sized || expected != SmallFile::Keys { expected } else { SmallFile::Signatures };
        let most = expected.limit() as u64;
        let room = if sized { info.len().min(most) } else { most } + 1;
        let mut data = Zeroizing::new(Vec::with_capacity(room as usize));
        file.take(room).read_to_end(&mut data).map_err(|e| Error::io(self, e))?;
        match data.len() as u64 {
            len if len > most => Err(Error::TooLarge { from: self.to_string(), file: expected }),
            len if len == room => Err(Error::Changed { from: self.to_string() }),
            _ => Ok(data),
        }
    }

    /// Reads the first line with its end, or the first `most` bytes of it: see [`read_line`].
    ///
    /// # Errors
    /// The source cannot be read.
    pub fn read_line(&self, most: usize) -> Result<Zeroizing<Vec<u8>>, Error> {
        let (mut file, _) = self.open().map_err(|e| Error::io(self, e))?;
        read_line(&mut file, most).map_err(|e| Error::io(self, e))
    }
}

impl fmt::Display for InputSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => f.write_str("standard input"),
            Self::File(path) => f.write_str(&shown(path)),
            Self::Secret(option, _) => f.write_str(option),
            Self::Variable(name) => write!(f, "variable {}", shown(name)),
        }
    }
}

/// Returns the file name in an environment variable; `None` if the variable is not set or empty.
///
/// # Errors
/// The variable holds the text of a key.
pub fn file_variable(name: &'static str, hint: &'static str) -> Result<Option<PathBuf>, Error> {
    let Some(value) = std::env::var_os(name).filter(|value| !value.is_empty()) else { return Ok(None) };
    match keytext::looks(&value) {
        Some(looks) => Err(Error::KeyText(Spilled { place: name.to_owned(), looks, takes: "a file name", hint })),
        None => Ok(Some(PathBuf::from(value))),
    }
}

/// Returns the value of an environment variable that may be secret; `None` if the variable is not set. The copy is
/// wiped; what the system has handed over is not.
pub fn secret_variable(name: &str) -> Option<Zeroizing<Vec<u8>>> {
    std::env::var_os(name).map(|value| Zeroizing::new(value.into_encoded_bytes()))
}

/// Checks that at most one of the inputs is standard input.
///
/// # Errors
/// Two inputs are standard input.
pub fn stdin_once<'a>(sources: impl IntoIterator<Item = &'a InputSource>) -> Result<(), Error> {
    if sources.into_iter().filter(|s| **s == InputSource::Stdin).count() > 1 { Err(Error::StdinTwice) } else { Ok(()) }
}
