//! Code that the images share: the machine (`board`), and computations that run both on the machine
//! and on the host (`digests`).
#![cfg_attr(target_os = "none", no_std)]

#[cfg(target_os = "none")]
pub mod board;
pub mod digests;
pub mod operands;
#[cfg(target_os = "none")]
pub mod peers;
pub mod repeatable;

use fndsa::Algorithm;
use fndsa::no_alloc::{Level, SigningKeyRef};

/// The algorithms that the images test and measure. A build with `--cfg fndsa_falcon_alone` has no
/// ML-DSA.
pub const ALGORITHMS: [Algorithm; if cfg!(fndsa_falcon_alone) { 4 } else { 7 }] = [
    Algorithm::FN_DSA_512,
    Algorithm::FN_DSA_1024,
    Algorithm::FALCON_512,
    Algorithm::FALCON_1024,
    #[cfg(not(fndsa_falcon_alone))]
    Algorithm::ML_DSA_44,
    #[cfg(not(fndsa_falcon_alone))]
    Algorithm::ML_DSA_65,
    #[cfg(not(fndsa_falcon_alone))]
    Algorithm::ML_DSA_87,
];

/// The maximum lengths of work memory, keys and signatures for [`ALGORITHMS`].
pub const MOST: BufferLengths = {
    let mut most = BufferLengths { work: 0, private: 0, public: 0, signature: 0 };
    let mut i = 0;
    while i < ALGORITHMS.len() {
        let it = ALGORITHMS[i];
        most.work = max(most.work, max(it.keygen_work_len(), max(it.sign_work_len(), it.import_work_len())));
        most.private = max(most.private, it.signing_key_len());
        most.public = max(most.public, it.verifying_key_len());
        most.signature = max(most.signature, it.signature_len());
        i += 1;
    }
    most
};

/// The maximum length of a transformed basis for [`ALGORITHMS`], in bytes.
pub const MOST_BASIS: usize = {
    let mut most = 0;
    let mut i = 0;
    while i < ALGORITHMS.len() {
        if let Some(len) = ALGORITHMS[i].basis_len() {
            most = max(most, len);
        }
        i += 1;
    }
    most
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
pub struct BasisFlash(pub [u8; MOST_BASIS]);

impl BasisFlash {
    /// Erased flash memory.
    pub const ERASED: Self = Self([0xff; MOST_BASIS]);

    /// Writes a key's basis, and returns it. `None` if the key has no basis.
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

/// Lengths in bytes.
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
