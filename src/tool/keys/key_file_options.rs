//! Encodes the contents of a new key file, and encrypts them if a password is given.

use crate::tool::io::random::SystemRng;
use crate::tool::report::Error;
use fndsa::Algorithm;
use fndsa::files::{EncryptError, ObjectKind, WriteOptions};
use zeroize::Zeroizing;

/// The options for writing a new key file.
#[derive(Clone, Copy)]
pub struct KeyFileOptions<'a> {
    /// The format, and the additional contents of the file.
    pub style: WriteOptions<'a>,
    /// The password for encrypting a private key, or `None` to write the file without encryption.
    pub password: Option<&'a [u8]>,
}

impl KeyFileOptions<'_> {
    /// Encodes a key file. `bytes` is the encoded key. `note` is the line with the algorithm and
    /// the fingerprint. This line is before the PEM block if the file is in fndsa's format or is
    /// encrypted.
    ///
    /// # Errors
    /// Fails if the format does not support this type of key, if the algorithm has no OID, or if
    /// the encryption fails.
    pub fn contents(
        &self,
        kind: ObjectKind,
        algorithm: Algorithm,
        note: &str,
        bytes: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        match self.password {
            None => self.style.write(kind, algorithm, note, bytes).map_err(Error::Write),
            Some(password) => {
                let file = match self.style.write_locked(algorithm, bytes, password, &mut SystemRng) {
                    Ok(file) => file,
                    Err(EncryptError::Form(e)) => return Err(Error::Write(e)),
                    Err(EncryptError::Memory(mebibytes)) => {
                        return Err(Error::NoMemory { from: "the new password".to_owned(), mebibytes });
                    }
                    Err(e) => return Err(Error::Internal(e.to_string())),
                };
                if self.style.encoding.is_binary() {
                    return Ok(file);
                }
                // The note identifies the key without the password, so that a user with several
                // backups can find the right file.
                Ok(Zeroizing::new([note.as_bytes(), &b"\n"[..], &file[..]].concat()))
            }
        }
    }
}
