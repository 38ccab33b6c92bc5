//! Verifies signatures in boot loaders, where the algorithm and the public key are constants in the
//! program.
//!
//! The key's type determines the algorithm, so the program contains no code for other
//! algorithms. If the key is in a constant or a `static`, the compiler checks the key and computes
//! its hash. The caller passes the message in pieces and provides the memory. At run time, the code
//! in this file cannot panic. `firmware/run` checks these properties in firmware images.

#[cfg(feature = "ml-dsa")]
use super::mldsa::signature_error;
#[cfg(feature = "falcon")]
use super::verifying::falcon_error;
use super::{Algorithm, KeyHash, MessageDigest, MessageError, Options, VerifyError};
use crate::engine::falcon::codec::{PublicKeyScan, constant_scan_public};
use crate::engine::falcon::params::VERIFYING_KEY_HEADER;
use crate::engine::falcon::scheme::FalconAlgorithm;
#[cfg(feature = "falcon")]
use crate::engine::falcon::{params::Degree, scheme::FalconScheme, verify::verify_streaming};
use crate::engine::hash::message::{HashingRules, MessagePrefix, message_start};
use crate::engine::hash::shake::{Shake256, constant_shake256};
#[cfg(feature = "ml-dsa")]
use crate::engine::mldsa::{params::MlDsaSet, verify as mldsa};
use crate::engine::verdict::Verified;
use crate::simd::Compact;
use core::marker::PhantomData;

mod sealed {
    /// Prevents implementations of [`StaticAlgorithm`](super::StaticAlgorithm) outside this file.
    pub trait SealedStatic {}
}

/// The result of a verification.
type BootVerdict = Result<Verified, VerifyError>;

/// An algorithm for a [`StaticVerifyingKey`].
pub trait StaticAlgorithm: sealed::SealedStatic {
    /// The algorithm.
    const ALGORITHM: Algorithm;
    /// The work memory for a verification.
    type Work;
    /// Work memory that contains zeros. A verification accepts work memory with any values.
    const WORK: Self::Work;

    /// Verifies a signature. The sponge `message` has absorbed the key's hash, the options and the
    /// message. This function ends the sponge's input, so the caller cannot use the sponge again.
    #[doc(hidden)]
    fn verify(public: &[u8], message: &mut Shake256<Compact>, signature: &[u8], work: &mut Self::Work) -> BootVerdict;
}

/// Defines the types for FN-DSA. An entry has two lines: first the type for the algorithm, with its
/// degree as a variant and as a number, and then the type for the public key, with the encoding's
/// length in bytes.
#[cfg(feature = "falcon")]
macro_rules! falcon_types {
    ($(
        $(#[$attribute:meta])* $name:ident: $degree:ident, $n:literal;
        $(#[$key_attribute:meta])* $key:ident: $len:literal;
    )+) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl $name {
            const FALCON: FalconAlgorithm = FalconAlgorithm::new(FalconScheme::FnDsa, Degree::$degree);
        }

        impl sealed::SealedStatic for $name {}

        impl StaticAlgorithm for $name {
            const ALGORITHM: Algorithm = Algorithm::of_falcon(Self::FALCON);
            type Work = [u16; $n];
            const WORK: Self::Work = [0; $n];

            #[inline(always)]
            fn verify(
                public: &[u8],
                message: &mut Shake256<Compact>,
                signature: &[u8],
                work: &mut Self::Work,
            ) -> BootVerdict {
                let fields = public.get(1..).unwrap_or_default();
                let verdict = verify_streaming(Compact, Self::FALCON, fields, message, signature, work);
                verdict.map_err(|refused| falcon_error(refused, Self::FALCON, signature))
            }
        }

        $(#[$key_attribute])*
        pub type $key = StaticVerifyingKey<$name, $len>;
    )+};
}

#[cfg(feature = "falcon")]
falcon_types! {
    /// FN-DSA-512, as a type parameter for [`StaticVerifyingKey`].
    StaticFnDsa512: N512, 512;
    /// A public key for FN-DSA-512 that is a constant in the program.
    FnDsa512Key: 897;
    /// FN-DSA-1024, as a type parameter for [`StaticVerifyingKey`].
    StaticFnDsa1024: N1024, 1024;
    /// A public key for FN-DSA-1024 that is a constant in the program.
    FnDsa1024Key: 1793;
}

/// Defines the types for ML-DSA. An entry has two lines: first the type for the algorithm, with its
/// parameter set, and then the type for the public key, with the encoding's length in bytes.
#[cfg(feature = "ml-dsa")]
macro_rules! mldsa_types {
    ($(
        $(#[$attribute:meta])* $name:ident: $set:ident;
        $(#[$key_attribute:meta])* $key:ident: $len:literal;
    )+) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl sealed::SealedStatic for $name {}

        impl StaticAlgorithm for $name {
            const ALGORITHM: Algorithm = Algorithm::of_mldsa_set(MlDsaSet::$set);
            type Work = [u32; mldsa::STREAMING_WORK];
            const WORK: Self::Work = [0; mldsa::STREAMING_WORK];

            #[inline(always)]
            fn verify(
                public: &[u8],
                message: &mut Shake256<Compact>,
                signature: &[u8],
                work: &mut Self::Work,
            ) -> BootVerdict {
                let verdict = mldsa::verify_streaming(Compact, MlDsaSet::$set, public, message, signature, work);
                verdict.map_err(|rejection| signature_error(rejection, MlDsaSet::$set, signature))
            }
        }

        $(#[$key_attribute])*
        pub type $key = StaticVerifyingKey<$name, $len>;
    )+};
}

#[cfg(feature = "ml-dsa")]
mldsa_types! {
    /// ML-DSA-44, as a type parameter for [`StaticVerifyingKey`].
    StaticMlDsa44: S44;
    /// A public key for ML-DSA-44 that is a constant in the program.
    MlDsa44Key: 1312;
    /// ML-DSA-65, as a type parameter for [`StaticVerifyingKey`].
    StaticMlDsa65: S65;
    /// A public key for ML-DSA-65 that is a constant in the program.
    MlDsa65Key: 1952;
    /// ML-DSA-87, as a type parameter for [`StaticVerifyingKey`].
    StaticMlDsa87: S87;
    /// A public key for ML-DSA-87 that is a constant in the program.
    MlDsa87Key: 2592;
}

/// A public key that is a constant in the program. `A` is the algorithm, and `LEN` is the length of
/// the key in bytes. Use the types [`FnDsa512Key`], [`FnDsa1024Key`], `MlDsa44Key`, `MlDsa65Key`
/// and `MlDsa87Key`.
///
/// ```
/// use fndsa::error::VerifyError;
/// use fndsa::no_alloc::{FnDsa512Key, Verified};
/// use fndsa::Options;
///
/// const BYTES: [u8; 897] = { let mut bytes = [0; 897]; bytes[0] = 9; bytes[896] = 1; bytes };
/// // In a program: `FnDsa512Key::new(*include_bytes!("key.raw"))`.
/// static KEY: FnDsa512Key = FnDsa512Key::new(BYTES);
///
/// fn check(pages: &[&[u8]], signature: &[u8]) -> Result<Verified, VerifyError> {
///     let mut verifier = KEY.verifier(Options::with_context(b"firmware")).map_err(VerifyError::Message)?;
///     pages.iter().for_each(|page| verifier.update(page));
///     let mut work = [0; 512];
///     verifier.finish(signature, &mut work)
/// }
///
/// /// Starts the image. Only a verification returns a `Verified`, and its value is checked again.
/// fn start(verdict: Verified) -> bool {
///     verdict.value() == Verified::YES
/// }
/// assert!(!check(&[b"a page", b"another"], &[0x39; 666]).is_ok_and(start));
/// ```
///
/// If the bytes are not a public key for the algorithm, the program does not compile:
///
/// ```compile_fail
/// // 10 is the first byte of a key at degree 1024, but this type is for degree 512.
/// static KEY: fndsa::no_alloc::FnDsa512Key = fndsa::no_alloc::FnDsa512Key::new([10; 897]);
/// ```
///
/// ```compile_fail
/// static KEY: fndsa::no_alloc::FnDsa512Key = fndsa::no_alloc::FnDsa512Key::new([9; 896]);
/// ```
///
/// In memory, this type contains the key's hash (64 bytes), followed by the key's encoding. The C
/// interface uses this layout.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct StaticVerifyingKey<A: StaticAlgorithm, const LEN: usize> {
    hash: KeyHash,
    bytes: [u8; LEN],
    algorithm: PhantomData<A>,
}

impl<A: StaticAlgorithm, const LEN: usize> StaticVerifyingKey<A, LEN> {
    /// Checks an encoded public key, and computes its hash. `bytes` are the contents of a public
    /// key file in the format `raw`.
    ///
    /// # Panics
    /// Panics if the bytes are not a public key for the algorithm. You should call this function in
    /// a constant or a `static`, where a panic is a compiler error.
    pub const fn new(bytes: [u8; LEN]) -> Self {
        assert!(A::ALGORITHM.verifying_key_len() == LEN, "not a public key of this algorithm: wrong length");
        if let Some(algorithm) = A::ALGORITHM.falcon() {
            check_falcon(algorithm, &bytes);
        }
        let hash = KeyHash(constant_shake256(&bytes));
        Self { bytes, hash, algorithm: PhantomData }
    }

    /// Returns the encoding.
    pub const fn as_bytes(&self) -> &[u8; LEN] {
        &self.bytes
    }

    /// Returns the first 64 bytes of the encoding's SHAKE256 hash. A verification hashes these
    /// bytes before the message.
    pub const fn key_hash(&self) -> KeyHash {
        self.hash
    }

    /// Starts to verify a message.
    ///
    /// # Errors
    /// Returns an error if the context is longer than 255 bytes, or if there is a pre-hash (use
    /// [`Self::digest_verifier`]).
    #[inline]
    pub fn verifier(&self, options: Options<'_>) -> Result<StaticVerifier<'_, A, LEN>, MessageError> {
        options.check_no_prehash(A::ALGORITHM)?;
        self.start_verifier(options)
    }

    /// Starts to verify the digest of a message. On the returned verifier, call only
    /// [`StaticVerifier::finish`], because the verifier already contains the digest.
    ///
    /// # Errors
    /// Returns an error if the context is longer than 255 bytes, if the algorithm does not support
    /// the hash function or requires a stronger hash function, or if the pre-hash in the options is
    /// not the hash function that computed the digest.
    #[inline]
    pub fn digest_verifier(
        &self,
        options: Options<'_>,
        digest: &MessageDigest,
    ) -> Result<StaticVerifier<'_, A, LEN>, MessageError> {
        let mut verifier = self.start_verifier(options.of_digest(digest)?)?;
        verifier.update(digest.as_bytes());
        Ok(verifier)
    }

    /// Starts to verify a message, or a digest if the options have a pre-hash.
    #[inline]
    fn start_verifier(&self, options: Options<'_>) -> Result<StaticVerifier<'_, A, LEN>, MessageError> {
        options.check(A::ALGORITHM)?;
        let prefix =
            MessagePrefix { nonce: &[], key_hash: &self.hash.0, prehash: options.prehash, context: options.context };
        let hashing = message_start(Compact, &HashingRules::OF_FIPS_204, prefix);
        Ok(StaticVerifier { key: self, hashing, is_over: false })
    }
}

/// Verifies a signature for a message in pieces, with a [`StaticVerifyingKey`].
pub struct StaticVerifier<'k, A: StaticAlgorithm, const LEN: usize> {
    key: &'k StaticVerifyingKey<A, LEN>,
    hashing: Shake256<Compact>,
    is_over: bool,
}

impl<A: StaticAlgorithm, const LEN: usize> StaticVerifier<'_, A, LEN> {
    /// Adds the next piece of the message.
    pub fn update(&mut self, data: &[u8]) {
        self.hashing.absorb(data);
    }

    /// Ends the message, and verifies the signature. You should compare the `value()` of the
    /// returned [`Verified`] with [`Verified::YES`] again, at the place where you use the verdict.
    ///
    /// `work` has the type [`StaticAlgorithm::Work`], and can contain any values before the call.
    /// You can call this function only once, because it changes the hash state. A second
    /// call returns [`VerifyError::OtherMessage`].
    ///
    /// # Errors
    /// Returns an error if the signature is not valid. The signature is valid only if this function
    /// returns `Ok`.
    pub fn finish(&mut self, signature: &[u8], work: &mut A::Work) -> Result<Verified, VerifyError> {
        if core::mem::replace(&mut self.is_over, true) {
            return Err(VerifyError::OtherMessage);
        }
        A::verify(&self.key.bytes, &mut self.hashing, signature, work)
    }
}

/// Checks the encoding of a Falcon public key in a constant expression.
///
/// # Panics
/// Panics if the bytes are not a public key for the algorithm.
const fn check_falcon(algorithm: FalconAlgorithm, public: &[u8]) {
    let (header, fields) = public.split_at(1);
    assert!(
        header[0] == VERIFYING_KEY_HEADER | algorithm.degree().logn() as u8,
        "not a public key of this algorithm: wrong first byte"
    );
    match constant_scan_public(algorithm.scheme().rules().order, fields) {
        PublicKeyScan::Good => {}
        PublicKeyScan::OutOfRange => panic!("not a public key of this algorithm: a coefficient is q or more"),
        PublicKeyScan::Zero => panic!("not a public key of this algorithm: all coefficients are zero"),
    }
}
