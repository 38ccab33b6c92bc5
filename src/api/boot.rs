//! Verifies signatures in boot loaders, where the algorithm and the public key are constants in the
//! program.
//!
//! The type of the key determines the algorithm, so that the program contains no code for other
//! algorithms. The compiler checks the key and computes its hash. The caller passes the message in
//! pieces and provides the memory. At run time, the code in this file cannot panic. `firmware/run`
//! checks these properties in a firmware image.

use super::verifying::refused_by;
use super::{Algorithm, KeyHash, MessageDigest, MessageError, Options, VerifyError};
use crate::engine::falcon::codec::{PublicKeyScan, constant_scan_public};
use crate::engine::falcon::params::{Degree, VERIFYING_KEY_HEADER};
use crate::engine::falcon::scheme::{FalconAlgorithm, FalconScheme};
use crate::engine::falcon::verify::verify_streaming;
use crate::engine::hash::message::{HashingRules, MessagePrefix, message_start};
use crate::engine::hash::shake::{Shake256, constant_shake256};
use crate::engine::verdict::Verified;
use crate::simd::Compact;

/// A public key for FN-DSA that is a constant in the program. `N` is the degree, and `LEN` is the
/// length in bytes. Use the types [`FnDsa512Key`] and [`FnDsa1024Key`].
///
/// ```
/// use fndsa::error::VerifyError;
/// use fndsa::no_alloc::{FnDsa512Key, Verified};
/// use fndsa::Options;
///
/// # const BYTES: [u8; 897] = { let mut bytes = [0; 897]; bytes[0] = 9; bytes[896] = 1; bytes };
/// // In a program: `FnDsa512Key::new(*include_bytes!("key.raw"))`.
/// static KEY: FnDsa512Key = FnDsa512Key::new(BYTES);
///
/// fn check(pages: &[&[u8]], signature: &[u8]) -> Result<Verified, VerifyError> {
///     let mut image = KEY.verifier(Options::with_context(b"firmware")).map_err(VerifyError::Message)?;
///     pages.iter().for_each(|page| image.update(page));
///     let mut work = [0; 512];
///     image.finish(signature, &mut work)
/// }
///
/// /// Starts the image. Only a verification returns a `Verified`, and its value is checked again.
/// fn start(answer: Verified) -> bool {
///     answer.value() == Verified::YES
/// }
/// assert!(!check(&[b"a page", b"another"], &[0x39; 666]).is_ok_and(start));
/// ```
///
/// If the bytes are not a public key for the algorithm, the program does not compile:
///
/// ```compile_fail
/// // The first byte is that of degree 1024.
/// static KEY: fndsa::no_alloc::FnDsa512Key = fndsa::no_alloc::FnDsa512Key::new([10; 897]);
/// ```
///
/// ```compile_fail
/// static KEY: fndsa::no_alloc::FnDsa512Key = fndsa::no_alloc::FnDsa512Key::new([9; 896]);
/// ```
#[derive(Clone, Debug)]
pub struct StaticVerifyingKey<const N: usize, const LEN: usize> {
    bytes: [u8; LEN],
    hash: KeyHash,
}

/// A public key for FN-DSA-512 that is a constant in the program.
pub type FnDsa512Key = StaticVerifyingKey<512, 897>;
/// A public key for FN-DSA-1024 that is a constant in the program.
pub type FnDsa1024Key = StaticVerifyingKey<1024, 1793>;

impl<const N: usize, const LEN: usize> StaticVerifyingKey<N, LEN> {
    /// The algorithm for this type.
    const ALGORITHM: FalconAlgorithm = {
        let degree = if N == 512 { Degree::N512 } else { Degree::N1024 };
        let algorithm = FalconAlgorithm::new(FalconScheme::FnDsa, degree);
        assert!(
            degree.n() == N && algorithm.verifying_key_len() == LEN,
            "no algorithm has a public key of this length"
        );
        algorithm
    };

    /// Checks an encoded public key, and computes its hash. `bytes` are the contents of a public
    /// key file in the format `raw`.
    ///
    /// # Panics
    /// Panics if the bytes are not a public key for the algorithm. You should call this function in
    /// a constant or a `static`, where a panic is a compiler error.
    pub const fn new(bytes: [u8; LEN]) -> Self {
        let (header, fields) = bytes.split_at(1);
        assert!(
            header[0] == VERIFYING_KEY_HEADER | Self::ALGORITHM.degree().logn() as u8,
            "no public key of the algorithm: another first byte"
        );
        match constant_scan_public(Self::ALGORITHM.scheme().rules().order, fields) {
            PublicKeyScan::Good => {}
            PublicKeyScan::OutOfRange => panic!("no public key of the algorithm: a coefficient is q or more"),
            PublicKeyScan::Zero => panic!("no public key of the algorithm: all coefficients are zero"),
        }
        let hash = KeyHash(constant_shake256(&bytes));
        Self { bytes, hash }
    }

    /// Returns the encoding.
    pub const fn as_bytes(&self) -> &[u8; LEN] {
        &self.bytes
    }

    /// Returns the SHAKE256 hash of the encoding. A verification hashes this hash together with the
    /// message.
    pub const fn key_hash(&self) -> KeyHash {
        self.hash
    }

    /// Starts to verify a message.
    ///
    /// # Errors
    /// Returns an error if the context is longer than 255 bytes, or if there is a pre-hash (use
    /// [`Self::digest_verifier`]).
    #[inline]
    pub fn verifier(&self, options: Options<'_>) -> Result<StaticVerifier<'_, N, LEN>, MessageError> {
        options.check_unhashed(Algorithm::of_falcon(Self::ALGORITHM))?;
        self.start(options)
    }

    /// Starts to verify the digest of a message. On the result, call only
    /// [`StaticVerifier::finish`].
    ///
    /// # Errors
    /// Returns an error if the context is longer than 255 bytes, if FN-DSA does not support the
    /// hash function, or if the options have another pre-hash.
    #[inline]
    pub fn digest_verifier(
        &self,
        options: Options<'_>,
        digest: &MessageDigest,
    ) -> Result<StaticVerifier<'_, N, LEN>, MessageError> {
        let mut verifier = self.start(options.of_digest(digest)?)?;
        verifier.update(digest.as_bytes());
        Ok(verifier)
    }

    #[inline]
    fn start(&self, options: Options<'_>) -> Result<StaticVerifier<'_, N, LEN>, MessageError> {
        options.check(Algorithm::of_falcon(Self::ALGORITHM))?;
        let front =
            MessagePrefix { nonce: &[], key_hash: &self.hash.0, prehash: options.prehash, context: options.context };
        let hashing = message_start(Compact, &HashingRules::OF_FIPS_204, front);
        Ok(StaticVerifier { key: self, hashing, is_over: false })
    }
}

/// Verifies a signature for a message in pieces, with a [`StaticVerifyingKey`].
pub struct StaticVerifier<'k, const N: usize, const LEN: usize> {
    key: &'k StaticVerifyingKey<N, LEN>,
    hashing: Shake256<Compact>,
    is_over: bool,
}

impl<const N: usize, const LEN: usize> StaticVerifier<'_, N, LEN> {
    /// Adds the next piece of the message.
    pub fn update(&mut self, data: &[u8]) {
        self.hashing.absorb(data);
    }

    /// Ends the message, and verifies the signature. You should compare the `value()` of the result
    /// with [`Verified::YES`] at the place where you use the result.
    ///
    /// `work` has an element for each coefficient, and can contain any values before the call. You
    /// can call this function only once, because it does not copy the state of the hash, but
    /// changes it. The next call will return [`VerifyError::OtherMessage`].
    ///
    /// # Errors
    /// Returns an error if the signature is not valid. The signature is valid only if this function
    /// returns `Ok`.
    pub fn finish(&mut self, signature: &[u8], work: &mut [u16; N]) -> Result<Verified, VerifyError> {
        if core::mem::replace(&mut self.is_over, true) {
            return Err(VerifyError::OtherMessage);
        }
        let algorithm = StaticVerifyingKey::<N, LEN>::ALGORITHM;
        let (_, fields) = self.key.bytes.split_at(1);
        let verdict = verify_streaming(Compact, algorithm, fields, &mut self.hashing, signature, work);
        verdict.map_err(|refused| refused_by(refused, algorithm, signature))
    }
}
