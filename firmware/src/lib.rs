//! Code that the images share:
//!
//! - `board`, `boards`: start, output and counter of the board (only for a target without an
//!   operating system)
//! - `digests`: computations that run both on the machine and on the host
//! - `operands`, `repeatable`: random numbers that are the same in each run
//! - `peers`: measures other implementations
//! - `vectors`: tests with published test vectors
#![cfg_attr(target_os = "none", no_std)]

#[cfg(target_os = "none")]
pub mod board;
#[cfg(target_os = "none")]
pub mod boards;
pub mod digests;
pub mod operands;
#[cfg(target_os = "none")]
pub mod peers;
pub mod repeatable;
#[cfg(target_os = "none")]
pub mod vectors;

use fndsa::Algorithm;
use fndsa::no_alloc::{Level, SigningKeyRef};

/// The algorithms that the images test and measure. A build without the feature `ml-dsa` has no
/// ML-DSA.
pub const ALGORITHMS: [Algorithm; if cfg!(feature = "ml-dsa") { 7 } else { 4 }] = [
    Algorithm::FN_DSA_512,
    Algorithm::FN_DSA_1024,
    Algorithm::FALCON_512,
    Algorithm::FALCON_1024,
    #[cfg(feature = "ml-dsa")]
    Algorithm::ML_DSA_44,
    #[cfg(feature = "ml-dsa")]
    Algorithm::ML_DSA_65,
    #[cfg(feature = "ml-dsa")]
    Algorithm::ML_DSA_87,
];

/// The maximum lengths of work memory, keys and signatures for [`ALGORITHMS`]. The work memory is
/// large enough to generate and load keys, and to sign with the matrix A in memory.
pub const MAX_LENGTHS: BufferLengths = {
    let mut lengths = BufferLengths { work: 0, private: 0, public: 0, signature: 0 };
    let mut i = 0;
    while i < ALGORITHMS.len() {
        let algorithm = ALGORITHMS[i];
        lengths.work = max(
            lengths.work,
            max(algorithm.keygen_work_len(), max(algorithm.sign_matrix_work_len(), algorithm.import_work_len())),
        );
        lengths.private = max(lengths.private, algorithm.signing_key_len());
        lengths.public = max(lengths.public, algorithm.verifying_key_len());
        lengths.signature = max(lengths.signature, algorithm.signature_len());
        i += 1;
    }
    lengths
};

/// The maximum length of a transformed basis for [`ALGORITHMS`], in bytes. A basis is precomputed
/// data for signing in the Falcon family.
pub const MAX_BASIS_LEN: usize = {
    let mut max_len = 0;
    let mut i = 0;
    while i < ALGORITHMS.len() {
        if let Some(len) = ALGORITHMS[i].basis_len() {
            max_len = max(max_len, len);
        }
        i += 1;
    }
    max_len
};

/// The application that the boot loaders verify. Byte i is the lower byte of i + i / 256.
pub static APPLICATION: [u8; 32 << 10] = {
    let mut bytes = [0; 32 << 10];
    let mut i = 0;
    while i < bytes.len() {
        bytes[i] = (i + i / 256) as u8;
        i += 1;
    }
    bytes
};

/// Memory for a basis, aligned to 8 bytes. It simulates a device's flash memory.
#[repr(align(8))]
pub struct BasisFlash(pub [u8; MAX_BASIS_LEN]);

impl BasisFlash {
    /// Erased flash memory.
    pub const ERASED: Self = Self([0xff; MAX_BASIS_LEN]);

    /// Writes a key's basis to the memory, and returns the written bytes. Returns `None` if the
    /// algorithm has no basis, or if the basis cannot be computed.
    pub fn program(&mut self, level: Level, key: &SigningKeyRef<'_>, work: &mut [u8]) -> Option<&mut [u8]> {
        let basis = &mut self.0[..key.algorithm().basis_len()?];
        let mut at = 0;
        let write = |part: &[u8]| {
            basis[at..at + part.len()].copy_from_slice(part);
            at += part.len();
        };
        key.write_basis(level, work, write).ok()?;
        Some(basis)
    }
}

/// Buffer lengths in bytes.
#[derive(Clone, Copy, Debug)]
pub struct BufferLengths {
    /// Work memory.
    pub work: usize,
    /// Private key.
    pub private: usize,
    /// Public key.
    pub public: usize,
    /// Signature.
    pub signature: usize,
}

const fn max(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}
