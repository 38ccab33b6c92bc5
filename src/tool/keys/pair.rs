//! New key pairs, and the two files of one.

use super::key_file_options::NewFile;
use crate::tool::io::{Destination, Force, Staged, secrecy};
use crate::tool::report::Error;
use fndsa::Algorithm;
use fndsa::files::{Encoding, Kind, Style};
use fndsa::no_alloc::{Level, SigningKeyRef};
use fndsa::verdict::fingerprint;
use rand_core::TryCryptoRng;
use std::num::NonZeroUsize;
use zeroize::Zeroizing;

/// A key pair in memory.
pub struct Pair {
    /// The algorithm of both.
    pub algorithm: Algorithm,
    /// The encoding of the private key.
    pub private: Zeroizing<Vec<u8>>,
    /// The encoding of the public key.
    pub public: Vec<u8>,
}

impl Pair {
    /// Makes a new key pair.
    ///
    /// # Errors
    /// The generator fails.
    pub fn generate<R: TryCryptoRng>(level: Level, algorithm: Algorithm, rng: &mut R) -> Result<Self, Error> {
        Self::generate_parallel(level, algorithm, rng, NonZeroUsize::MIN)
    }

    /// Makes a new key pair, which is looked for on several threads.
    ///
    /// # Errors
    /// The generator fails.
    pub fn generate_parallel<R: TryCryptoRng>(
        level: Level,
        algorithm: Algorithm,
        rng: &mut R,
        threads: NonZeroUsize,
    ) -> Result<Self, Error> {
        let mut private = Zeroizing::new(vec![0; algorithm.signing_key_len()]);
        let mut public = vec![0; algorithm.verifying_key_len()];
        SigningKeyRef::generate_parallel(level, algorithm, rng, threads, &mut private, &mut public)
            .map_err(Error::of_keygen)?;
        secrecy::again();
        Ok(Self { algorithm, private, public })
    }

    /// Returns the contents of the files of private key and public key. A private key with a password is PKCS#8.
    ///
    /// # Errors
    /// The keys do not have that form.
    pub fn files(&self, file: &NewFile<'_>) -> Result<[Zeroizing<Vec<u8>>; 2], Error> {
        let encoding = if file.password.is_some() { Encoding::Pkcs8 } else { file.style.encoding };
        let private = Style { encoding, public: Some(&self.public), ..file.style };
        let public = Style { encoding: file.style.encoding.of_public(), ..file.style };
        let private = NewFile { style: private, password: file.password };
        let public = NewFile { style: public, password: None };
        Ok([
            self.contents(Kind::SigningKey, &private, &self.private)?,
            self.contents(Kind::VerifyingKey, &public, &self.public)?,
        ])
    }

    fn contents(&self, kind: Kind, file: &NewFile<'_>, bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        let note = kind.note(self.algorithm, &fingerprint(&self.public));
        file.contents(kind, self.algorithm, &note, bytes)
    }

    /// Writes both files or none.
    ///
    /// # Errors
    /// One of the files could not be written.
    pub fn write(
        &self,
        file: &NewFile<'_>,
        force: Force,
        private: &Destination,
        public: Option<&Destination>,
    ) -> Result<(), Error> {
        PairFiles::write_all(&[PairFiles { contents: self.files(file)?, private, public }], force)
    }
}

/// The files of a pair, and where they go.
pub struct PairFiles<'a> {
    /// What [`Pair::files`] returns.
    pub contents: [Zeroizing<Vec<u8>>; 2],
    /// The place of the private key.
    pub private: &'a Destination,
    /// The place of the public key, if it has one.
    pub public: Option<&'a Destination>,
}

impl PairFiles<'_> {
    /// Writes all files of some pairs or none. Without `--force` the private keys come first, so that of several
    /// writers only one wins; with it the public keys do, because they can be made again.
    ///
    /// # Errors
    /// One of the files could not be written.
    pub fn write_all(pairs: &[Self], force: Force) -> Result<(), Error> {
        let mut staged = Vec::with_capacity(2 * pairs.len());
        for Self { contents: [private, _], private: place, .. } in pairs {
            staged.push(place.stage(private)?);
        }
        for Self { contents: [_, public], public: place, .. } in pairs {
            staged.extend(place.map(|place| place.stage(public)).transpose()?);
        }
        if force != Force::No {
            staged.reverse();
        }
        Staged::commit_all(staged)
    }
}
