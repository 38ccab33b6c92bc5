//! The algorithms as C names them: by a number, and of Falcon by the encoding of its signatures, too.

use crate::code::Refusal;
use library::Algorithm;
use library::algorithm::{Degree, PreHash, Scheme, SignatureEncoding};

/// Stands in the number of an algorithm whose signatures are padded, where others with the same keys are not.
const PADDED: u32 = 0x1000;

/// An algorithm of the library with the encoding in which its signatures are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct NamedAlgorithm {
    /// Keys and signatures.
    pub algorithm: Algorithm,
    /// How signatures are written.
    pub encoding: SignatureEncoding,
}

impl NamedAlgorithm {
    /// Finds the algorithm that has this number: that of [`Algorithm::id`], and for `Falcon-padded` [`PADDED`] added.
    pub fn from_id(id: u32) -> Result<Self, Refusal> {
        let padded = id & PADDED != 0;
        let id = u16::try_from(id & !PADDED).map_err(|_| Refusal::Algorithm)?;
        let algorithm = Algorithm::from_id(id).filter(|it| !it.is_toy()).ok_or(Refusal::Algorithm)?;
        let encoding = match (algorithm.scheme(), padded) {
            (Scheme::Falcon, false) => SignatureEncoding::Compressed,
            (Scheme::Falcon, true) | (Scheme::FnDsa | Scheme::MlDsa, false) => SignatureEncoding::Padded,
            #[cfg(feature = "ed25519")]
            (Scheme::Ed25519, false) => SignatureEncoding::Padded,
            _ => return Err(Refusal::Algorithm),
        };
        Ok(Self { algorithm, encoding })
    }

    /// Whether signatures are as long as their coefficients make them.
    pub fn is_compressed(self) -> bool {
        self.encoding == SignatureEncoding::Compressed
    }

    /// The most bytes that a signature has. Of compressed ones it is the bound in Falcon's submission to NIST, below which every
    /// valid signature stays.
    pub fn signature_len(self) -> usize {
        match (self.is_compressed(), self.algorithm.degree()) {
            (true, Some(Degree::N512)) => 752,
            (true, Some(_)) => 1462,
            _ => self.algorithm.signature_len(),
        }
    }

    /// Bytes of the longest form of a private key: in ML-DSA the expanded form, which FIPS 204 names a private key.
    pub fn expanded_key_len(self) -> usize {
        self.algorithm.expanded_form_len().unwrap_or(self.algorithm.signing_key_len())
    }

    /// Bytes of work memory for a key pair in any form.
    pub fn keygen_work_len(self) -> usize {
        self.with_expanding(self.algorithm.keygen_work_len(), self.algorithm.import_work_len())
    }

    /// Bytes of work memory that make a key pair fastest.
    pub fn keygen_fast_work_len(self) -> usize {
        self.with_expanding(self.algorithm.keygen_fast_work_len(), self.algorithm.import_fast_work_len())
    }

    /// Returns the bytes for a new key, and for its expanded form where there is one.
    fn with_expanding(self, keygen: usize, expand: usize) -> usize {
        if self.algorithm.expanded_form_len().is_some() { keygen.max(expand) } else { keygen }
    }

    /// Bytes of work memory for the check of a private key in any form and a signature with it, or its public key.
    pub fn sign_work_len(self) -> usize {
        self.algorithm.sign_work_len().max(self.algorithm.import_work_len())
    }

    /// Bytes of work memory for the check of a private key in its long form and a signature with it.
    pub fn sign_expanded_work_len(self) -> usize {
        match self.algorithm.expanded_form_len() {
            Some(_) => self.algorithm.sign_expanded_form_work_len().max(self.algorithm.keygen_work_len()),
            None => self.sign_work_len(),
        }
    }

    /// Bytes of work memory for a signature with a private key of this length.
    pub fn sign_work_len_for(self, private_len: usize) -> usize {
        if private_len == self.expanded_key_len() { self.sign_expanded_work_len() } else { self.sign_work_len() }
    }

    /// Bytes of work memory that make a signature fastest.
    pub fn sign_fast_work_len(self) -> usize {
        self.algorithm.sign_fast_work_len().max(self.algorithm.import_fast_work_len())
    }

    /// Bytes that a signed message needs more than a verification: room for the signature, where its parts stand apart in it.
    fn joined_len(self) -> usize {
        if self.is_compressed() { self.signature_len() } else { 0 }
    }

    /// Bytes of work memory for the verification of a signed message.
    pub fn open_work_len(self) -> usize {
        self.algorithm.verify_work_len() + self.joined_len()
    }

    /// Bytes of work memory that make the verification of a signed message fastest.
    pub fn open_fast_work_len(self) -> usize {
        self.algorithm.verify_fast_work_len() + self.joined_len()
    }
}

/// The part of the number of a pre-hash that allows a pre-hash weaker than the algorithm.
const ALLOW_WEAK: u32 = 0x100;

/// A pre-hash as C names it.
pub struct NamedPreHash {
    /// The hash; `None` for a message that is signed as it is.
    pub hash: Option<PreHash>,
    /// Whether the hash may be weaker than the algorithm.
    pub allow_weak: bool,
}

/// Finds a pre-hash by the last number of its object identifier, 2.16.840.1.101.3.4.2.x; 0 is no pre-hash. [`ALLOW_WEAK`] may be added.
pub fn prehash(number: u32) -> Result<NamedPreHash, Refusal> {
    let allow_weak = number & ALLOW_WEAK != 0;
    let number = number & !ALLOW_WEAK;
    if number == 0 {
        return Ok(NamedPreHash { hash: None, allow_weak });
    }
    let has_number = |hash: &PreHash| hash.oid().last().is_some_and(|last| u32::from(*last) == number);
    let hash = PreHash::all().find(has_number).ok_or(Refusal::PreHash)?;
    Ok(NamedPreHash { hash: Some(hash), allow_weak })
}
