//! Verification for boot loaders: one algorithm and one public key, both constants of the program.
//!
//! The type of the key says the algorithm, so that nothing else is linked; the compiler checks the key and computes its hash; the
//! message comes in pages; the caller has the memory; nothing here can panic. `firmware/run` holds an image against that.

use super::message::Count;
use super::verifying::refused_by;
use super::{Algorithm, KeyHash, MessageError, Options, VerifyError};
use crate::engine::falcon::codec::{Scanned, constant_scan_public};
use crate::engine::falcon::params::{Degree, VERIFYING_KEY_HEADER};
use crate::engine::falcon::scheme::{FalconAlgorithm, FalconScheme};
use crate::engine::falcon::verify::verify_streaming;
use crate::engine::hash::message::{Front, Hashing, message_start};
use crate::engine::hash::shake::{Shake256, constant_shake256};
use crate::engine::verdict::Verified;
use crate::simd::Compact;

/// A public key of FN-DSA that is a constant of the program, of degree `N` with `LEN` bytes: [`FnDsa512Key`] or [`FnDsa1024Key`].
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
/// /// Starts the image: whoever calls it has an answer that only a verification makes, and it looks at the answer once more.
/// fn start(answer: Verified) -> bool {
///     answer.value() == Verified::YES
/// }
/// assert!(!check(&[b"a page", b"another"], &[0x39; 666]).is_ok_and(start));
/// ```
///
/// What is no public key of the algorithm is refused when the program is compiled:
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

/// A public key of FN-DSA-512 that is a constant of the program.
pub type FnDsa512Key = StaticVerifyingKey<512, 897>;
/// A public key of FN-DSA-1024 that is a constant of the program.
pub type FnDsa1024Key = StaticVerifyingKey<1024, 1793>;

impl<const N: usize, const LEN: usize> StaticVerifyingKey<N, LEN> {
    /// The algorithm of the type.
    const ALGORITHM: FalconAlgorithm = {
        let degree = if N == 512 { Degree::N512 } else { Degree::N1024 };
        let algorithm = FalconAlgorithm::new(FalconScheme::FnDsa, degree);
        assert!(
            degree.n() == N && algorithm.verifying_key_len() == LEN,
            "no algorithm has a public key of this length"
        );
        algorithm
    };

    /// Checks an encoded public key, the content of a public key's file in the form `raw`, and computes its hash.
    ///
    /// # Panics
    /// When the bytes are no public key of the algorithm. In a constant or a `static`, which is where this belongs, that is an error of
    /// the compiler.
    pub const fn new(bytes: [u8; LEN]) -> Self {
        let (header, fields) = bytes.split_at(1);
        assert!(
            header[0] == VERIFYING_KEY_HEADER | Self::ALGORITHM.degree().logn() as u8,
            "no public key of the algorithm: another first byte"
        );
        match constant_scan_public(Self::ALGORITHM.scheme().rules().order, fields) {
            Scanned::Good => {}
            Scanned::OutOfRange => panic!("no public key of the algorithm: a coefficient is q or more"),
            Scanned::Zero => panic!("no public key of the algorithm: all coefficients are zero"),
        }
        let hash = KeyHash(constant_shake256(&bytes));
        Self { bytes, hash }
    }

    /// The encoding.
    pub const fn as_bytes(&self) -> &[u8; LEN] {
        &self.bytes
    }

    /// SHAKE256 of the encoding, which is hashed before the message.
    pub const fn key_hash(&self) -> KeyHash {
        self.hash
    }

    /// Begins to verify a message.
    ///
    /// # Errors
    /// A context of more than 255 bytes, or a pre-hash that FN-DSA does not know.
    #[inline]
    pub fn verifier(&self, options: Options<'_>) -> Result<StaticVerifier<'_, N, LEN>, MessageError> {
        options.check(Algorithm::of_falcon(Self::ALGORITHM))?;
        let front = Front { nonce: &[], key_hash: &self.hash.0, prehash: options.prehash, context: options.context };
        let hashing = message_start(Compact, &Hashing::OF_FIPS_204, front);
        Ok(StaticVerifier { key: self, count: Count { prehash: options.prehash, bytes: 0 }, hashing, is_over: false })
    }
}

/// A message on its way to the answer whether its signature is valid, for a [`StaticVerifyingKey`].
pub struct StaticVerifier<'k, const N: usize, const LEN: usize> {
    key: &'k StaticVerifyingKey<N, LEN>,
    count: Count,
    hashing: Shake256<Compact>,
    is_over: bool,
}

impl<const N: usize, const LEN: usize> StaticVerifier<'_, N, LEN> {
    /// Takes the next piece of the message, or of its digest.
    pub fn update(&mut self, data: &[u8]) {
        self.count.bytes += data.len() as u64;
        self.hashing.absorb(data);
    }

    /// Ends the message and returns the answer, a value to compare with [`Verified::YES`] where it is acted on. `work` has a place for each
    /// coefficient; what stands there before does not matter. There is one answer: the state of the hash is used up, so that this needs no
    /// second one, and whoever asks again gets NO.
    ///
    /// # Errors
    /// Why the signature is not valid. Only `Ok` means that it is.
    pub fn finish(&mut self, signature: &[u8], work: &mut [u16; N]) -> Result<Verified, VerifyError> {
        if core::mem::replace(&mut self.is_over, true) {
            return Err(VerifyError::OtherMessage);
        }
        let algorithm = StaticVerifyingKey::<N, LEN>::ALGORITHM;
        self.count.check().map_err(VerifyError::Message)?;
        let (_, fields) = self.key.bytes.split_at(1);
        let verdict = verify_streaming(Compact, algorithm, fields, &mut self.hashing, signature, work);
        verdict.map_err(|refused| refused_by(refused, algorithm, signature))
    }
}
