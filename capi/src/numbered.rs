//! Converts the algorithm and pre-hash numbers that C uses, and returns the lengths of keys,
//! signatures and work memory for an algorithm number. For Falcon, the number also selects the
//! signature encoding.

use crate::code::CallError;
use library::Algorithm;
use library::algorithm::{Degree, PreHash, Scheme, SignatureEncoding};

/// The bit in an algorithm number that selects padded signatures, which all have the same length.
/// This bit is only valid for Falcon: the keys of Falcon can also make signatures without padding.
const PADDED: u32 = 0x1000;

/// The lengths of the work memory that an operation can use, in bytes.
#[derive(Clone, Copy)]
pub struct WorkLengths {
    /// The minimum length.
    pub least: usize,
    /// The length with which the operation is fastest.
    #[cfg_attr(not(feature = "std"), allow(dead_code, reason = "only a library with an allocator uses this length"))]
    pub fast: usize,
}

impl WorkLengths {
    /// Returns the lengths for an operation that is not faster with more memory.
    pub fn exactly(len: usize) -> Self {
        Self { least: len, fast: len }
    }
}

/// The number of bytes before the expanded key (the data that is computed from the private key) in
/// the memory of a loaded key.
pub const LOADED_HEADER_BYTES: usize = 192;

/// An algorithm with the signature encoding that its number in C selects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct NumberedAlgorithm {
    /// The algorithm for keys and signatures.
    pub algorithm: Algorithm,
    /// The signature encoding.
    pub encoding: SignatureEncoding,
}

impl NumberedAlgorithm {
    /// Returns the algorithm with this number. The number is [`Algorithm::id`], plus [`PADDED`] for
    /// `Falcon-padded`. FN-DSA-2024, falcon-rs and the toys have no number.
    pub fn from_id(id: u32) -> Result<Self, CallError> {
        let padded = id & PADDED != 0;
        let id = u16::try_from(id & !PADDED).map_err(|_| CallError::Algorithm)?;
        let algorithm = Algorithm::from_id(id).filter(|it| !it.is_toy()).ok_or(CallError::Algorithm)?;
        let encoding = match (algorithm.scheme(), padded) {
            (Scheme::Falcon, false) => SignatureEncoding::Compressed,
            (Scheme::Falcon, true) | (Scheme::FnDsa | Scheme::MlDsa, false) => SignatureEncoding::Padded,
            #[cfg(feature = "ed25519")]
            (Scheme::Ed25519 | Scheme::MlDsaEd25519, false) => SignatureEncoding::Padded,
            _ => return Err(CallError::Algorithm),
        };
        Ok(Self { algorithm, encoding })
    }

    /// Returns the algorithm's number, or `None` if C has no number for it.
    #[cfg(feature = "files")]
    pub fn id_of(algorithm: Algorithm) -> Option<u32> {
        let id = u32::from(algorithm.id());
        Self::from_id(id).ok().map(|_| id)
    }

    /// Returns whether a signature's length depends on its coefficients.
    pub fn is_compressed(self) -> bool {
        self.encoding == SignatureEncoding::Compressed
    }

    /// Returns the maximum signature length in bytes. For compressed signatures, this is the bound
    /// in Falcon's submission to NIST, and every valid signature is shorter.
    pub fn signature_len(self) -> usize {
        match (self.is_compressed(), self.algorithm.degree()) {
            (true, Some(Degree::N512)) => 752,
            (true, Some(_)) => 1462,
            _ => self.algorithm.signature_len(),
        }
    }

    /// Returns the maximum private key length in bytes. For ML-DSA, this is the expanded form,
    /// which FIPS 204 calls a private key.
    pub fn expanded_key_len(self) -> usize {
        self.algorithm.expanded_form_len().unwrap_or(self.algorithm.signing_key_len())
    }

    /// Returns the minimum work memory to generate a key pair in any form, in bytes.
    pub fn keygen_work_len(self) -> usize {
        self.max_if_expanded(self.algorithm.keygen_work_len(), self.algorithm.import_work_len())
    }

    /// Returns the work memory for the fastest key generation, in bytes.
    pub fn keygen_fast_work_len(self) -> usize {
        self.max_if_expanded(self.algorithm.keygen_fast_work_len(), self.algorithm.import_fast_work_len())
    }

    /// Returns the larger length if the algorithm has an expanded form, and `keygen` otherwise. A
    /// key is first generated and then expanded in the same memory.
    fn max_if_expanded(self, keygen: usize, expand: usize) -> usize {
        if self.algorithm.expanded_form_len().is_some() { keygen.max(expand) } else { keygen }
    }

    /// Returns the minimum work memory, in bytes, to sign with a private key in any form, or to
    /// compute the public key. Both operations also check the private key in this memory.
    pub fn sign_work_len(self) -> usize {
        self.algorithm.sign_work_len().max(self.algorithm.import_work_len())
    }

    /// Returns the minimum work memory to check an expanded private key and to sign with it, in
    /// bytes.
    pub fn sign_expanded_work_len(self) -> usize {
        match self.algorithm.expanded_form_len() {
            Some(_) => self.algorithm.sign_expanded_form_work_len().max(self.algorithm.keygen_work_len()),
            None => self.sign_work_len(),
        }
    }

    /// Returns the minimum work memory to sign with a private key of this length, in bytes.
    pub fn sign_work_len_for(self, private_len: usize) -> usize {
        if private_len == self.expanded_key_len() { self.sign_expanded_work_len() } else { self.sign_work_len() }
    }

    /// Returns the work memory, in bytes, with which ML-DSA signing stores the matrix A and the
    /// mask y, for a private key in any form. For all other algorithms, returns
    /// [`Self::sign_work_len`].
    pub fn sign_matrix_work_len(self) -> usize {
        self.algorithm.sign_matrix_work_len().max(self.algorithm.import_work_len())
    }

    /// Returns the work memory for the fastest signing, in bytes.
    pub fn sign_fast_work_len(self) -> usize {
        self.algorithm.sign_fast_work_len().max(self.algorithm.import_fast_work_len())
    }

    /// Returns the work memory to generate a key pair.
    pub fn keygen_work_lengths(self) -> WorkLengths {
        WorkLengths { least: self.keygen_work_len(), fast: self.keygen_fast_work_len() }
    }

    /// Returns the work memory to compute a public key from a private key.
    pub fn public_key_work_lengths(self) -> WorkLengths {
        WorkLengths { least: self.sign_work_len(), fast: self.sign_fast_work_len() }
    }

    /// Returns the work memory to sign with a private key of this length.
    pub fn sign_work_lengths(self, private_len: usize) -> WorkLengths {
        WorkLengths { least: self.sign_work_len_for(private_len), fast: self.sign_fast_work_len() }
    }

    /// Returns the work memory to verify a signature.
    pub fn verify_work_lengths(self) -> WorkLengths {
        WorkLengths { least: self.algorithm.verify_work_len(), fast: self.algorithm.verify_fast_work_len() }
    }

    /// Returns the length of the memory for a loaded key, in bytes. The length includes bytes for
    /// the alignment. It is 0 if the algorithm is not in the Falcon family.
    pub fn loaded_key_len(self) -> usize {
        self.algorithm.expanded_key_len().map_or(0, |len| LOADED_HEADER_BYTES + len)
    }

    /// Returns the work memory to sign with a loaded key, in bytes. Returns 0 if the algorithm is
    /// not in the Falcon family.
    pub fn sign_loaded_work_len(self) -> usize {
        self.algorithm.expanded_key_len().map_or(0, |_| self.algorithm.sign_expanded_work_len())
    }

    /// Returns the additional work memory to verify a signed message, in bytes. If the signature is
    /// compressed, a signed message contains the parts of the signature at different positions. The
    /// parts are joined in this memory.
    fn joined_len(self) -> usize {
        if self.is_compressed() { self.signature_len() } else { 0 }
    }

    /// Returns the minimum work memory to verify a signed message, in bytes.
    pub fn open_work_len(self) -> usize {
        self.algorithm.verify_work_len() + self.joined_len()
    }

    /// Returns the work memory for the fastest verification of a signed message, in bytes.
    pub fn open_fast_work_len(self) -> usize {
        self.algorithm.verify_fast_work_len() + self.joined_len()
    }
}

/// The bit in a pre-hash number that allows a pre-hash weaker than the algorithm.
const ALLOW_WEAK: u32 = 0x100;
/// The bit in a pre-hash number that declares the message to be a digest.
const DIGEST: u32 = 0x200;

/// A pre-hash that a C caller selects.
pub struct NumberedPreHash {
    /// The hash, or `None` if the message is signed directly.
    pub hash: Option<PreHash>,
    /// True if the hash may be weaker than the algorithm.
    pub allow_weak: bool,
    /// True if the caller passes the digest (the hash's output) instead of the message.
    pub is_digest: bool,
}

/// Returns the pre-hash with this number, which is the last number of the object identifier
/// 2.16.840.1.101.3.4.2.x. The number 0 means no pre-hash. [`ALLOW_WEAK`] and [`DIGEST`] may be
/// added. `DIGEST` requires a pre-hash.
pub fn prehash(number: u32) -> Result<NumberedPreHash, CallError> {
    let allow_weak = number & ALLOW_WEAK != 0;
    let is_digest = number & DIGEST != 0;
    let number = number & !(ALLOW_WEAK | DIGEST);
    if number == 0 && !is_digest {
        return Ok(NumberedPreHash { hash: None, allow_weak, is_digest });
    }
    let has_number = |hash: &PreHash| hash.oid().last().is_some_and(|last| u32::from(*last) == number);
    let hash = PreHash::all().find(has_number).ok_or(CallError::PreHash)?;
    Ok(NumberedPreHash { hash: Some(hash), allow_weak, is_digest })
}
