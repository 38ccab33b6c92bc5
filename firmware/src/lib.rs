//! What the images have in common: the machine (`board`), and what is computed on it and on the host alike (`digests`).
#![cfg_attr(target_os = "none", no_std)]

#[cfg(target_os = "none")]
pub mod board;
pub mod digests;
pub mod operands;
pub mod repeatable;

use fndsa::Algorithm;

/// The algorithms that the tables have: a build with `--cfg fndsa_falcon_alone` has no ML-DSA.
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

/// The most bytes of work memory, keys and signatures of [`ALGORITHMS`].
pub const MOST: Lengths = {
    let mut most = Lengths { work: 0, private: 0, public: 0, signature: 0 };
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

/// Lengths in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Lengths {
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
