//! Sign and verify with ML-DSA, FN-DSA (Falcon) and Ed25519. This is the library of the program `fndsa`.
//!
//! Make a key with ML-DSA-65 (FIPS 204, a final standard), sign a message, and verify the signature:
//!
//! ```
//! # #[cfg(feature = "alloc")] {
//! use fndsa::{Algorithm, Options, SigningKey, VerifyingKey};
//! use getrandom::SysRng;
//!
//! let key = SigningKey::generate(Algorithm::ML_DSA_65, &mut SysRng)?;
//! let options = Options::with_context(b"release v1");
//! let signature = key.sign(options, b"a message", &mut SysRng)?;
//! let public = key.verifying_key().as_bytes().to_vec();
//!
//! let key = VerifyingKey::of_algorithm(Algorithm::ML_DSA_65, &public)?;
//! key.verify(options, b"a message", &signature)?;
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Sign with FN-DSA-512, and pass the message in pieces:
//!
//! ```
//! # #[cfg(feature = "alloc")] {
//! use fndsa::{Algorithm, Options, SigningKey};
//! use getrandom::SysRng;
//!
//! let key = SigningKey::generate(Algorithm::FN_DSA_512, &mut SysRng)?;
//! let mut signer = key.signer(Options::default(), &mut SysRng)?;
//! signer.update(b"a message, ");
//! signer.update(b"in pieces");
//! let signature = signer.finish(&mut SysRng)?;
//! assert!(signature.as_bytes().len() == 666);
//! key.verifying_key().verify(Options::default(), b"a message, in pieces", &signature)?;
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The context in [`Options`] binds a signature to a purpose. Only `Ok` means that a signature is valid.
//!
//! # Algorithms
//!
//! [`Algorithm`] has a constant for each of these algorithms:
//!
//! - ML-DSA-44, ML-DSA-65 and ML-DSA-87 of FIPS 204;
//! - FN-DSA-512 and FN-DSA-1024 of the putative draft of FIPS 206, as of crate `fn-dsa` 0.4.0;
//! - Falcon of round 3 and the FN-DSA preview of 2024, and, only to verify, crate `falcon-rs`;
//! - Ed25519, in the form Ed25519ph, with the feature `ed25519`.
//!
//! **No text of FIPS 206 is published.** If the final standard differs from this version, FN-DSA keys and
//! signatures of this version will not verify under the standard. See `docs/algorithms.md` for the
//! parts that are already standardised.
//!
//! # Modules
//!
//! The six types at the root own their bytes and need the feature `alloc`, except [`Algorithm`] and
//! [`Options`]. The library allocates the memory for each operation, and selects the instruction set.
//!
//! - [`algorithm`]: schemes, degrees, pre-hashes, and constant lengths
//! - [`message`]: messages in pieces, and messages that another machine hashes
//! - `batch`: prepared keys, and many signatures in one call (feature `alloc`)
//! - [`no_alloc`]: all operations without an allocator, for microcontrollers and boot loaders
//! - [`error`]: the errors of each operation
//! - `files`: PEM, PKCS#8, SPKI and lists of checksums (feature `files`)
//! - `verdict`: trusted keys and policies (feature `verdict`)
//!
//! # Features
//!
//! - `files` adds the module of that name. It reads and writes the files of `fndsa` and of other
//!   programs: PEM, PKCS#8, SPKI and lists of checksums.
//! - `verdict` adds the module of that name. It decides with trusted keys and a policy whether the
//!   signatures of a file are accepted, as `fndsa verify` does.
//! - `encryption` reads and writes private keys that are encrypted with a password.
//! - `ed25519` adds Ed25519, for dual signatures together with a post-quantum algorithm.
//! - `serde` adds `Serialize` and `Deserialize` to names and to the owned types.
//! - `signature` implements the traits of the crate `signature` for the owned types, and `pkcs8` those of
//!   the crates `pkcs8` and `spki`. `examples/certificate.rs` makes an X.509 certificate with them.
//! - `armv7e-m` adds assembly for a Cortex-M4 or Cortex-M7: binary64, Keccak, and arithmetic modulo
//!   q. Signing and verification then take two thirds of the instructions.
//!
//! The folder `examples/` has complete programs.
//!
//! # Properties
//!
//! If you disable the default features, the library is `no_std` and does not need an allocator. You
//! pass work memory to each function, and randomness by the traits of `rand_core`. The library
//! checks a private key in full when it loads the key, and it verifies a signature before it
//! returns the signature. All levels return the same bytes, with one exception:
//! `ExpandedSigningKey::sign_fast_rng` uses a faster generator, so its signatures are not equal to
//! the signatures of published test vectors.
#![cfg_attr(not(any(feature = "std", test)), no_std)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod api;
mod engine;
#[cfg(feature = "files")]
pub mod files;
mod simd;
#[cfg(feature = "verdict")]
pub mod verdict;

pub use api::Algorithm;
pub use api::Options;
#[doc(hidden)]
pub use api::hex;
#[cfg(feature = "bench")]
#[doc(hidden)]
pub use api::subroutine;
#[cfg(any(feature = "testing", test))]
pub use api::testing;
#[cfg(feature = "alloc")]
pub use api::{Error, Signature, SigningKey, VerifyingKey};
pub use rand_core;
#[cfg(feature = "signature")]
pub use signature;

/// Schemes, degrees, pre-hashes, encodings of signatures, and constant lengths.
pub mod algorithm {
    pub use crate::api::{
        Degree, KEY_HASH_LEN, KEYGEN_SEED_LEN, MAX_CONTEXT_LEN, MU_LEN, NONCE_LEN, PreHash, SEED_LEN, SIGN_SEED_LEN,
        Scheme, SignatureEncoding, UnknownAlgorithm,
    };
}

/// Messages in pieces, digests of messages, and the parts of a message that is signed.
pub mod message {
    #[cfg(feature = "alloc")]
    pub use crate::api::{Context, MessageSigner, MessageVerifier, OwnedOptions};
    pub use crate::api::{KeyHash, Mu, MuBuilder, PreHasher};
}

/// Keys that are prepared for many operations, and many signatures in one call.
#[cfg(feature = "alloc")]
pub mod batch {
    #[cfg(feature = "std")]
    pub use crate::api::verify_batch_parallel;
    pub use crate::api::{BatchItem, ExpandedSigningKey, ExpandedVerifyingKey, verified_batch, verify_batch};
}

/// The library without an allocator: keys and signatures borrow their bytes, and the caller passes a level and work
/// memory to each operation.
///
/// The methods have the names of the methods of the types at the root.
/// The caller provides every buffer. The functions of [`Algorithm`] return the sizes:
///
/// ```
/// use fndsa::Algorithm;
/// use fndsa::message::MuBuilder;
/// use fndsa::no_alloc::{Level, SigningKeyRef, VerifyingKeyRef};
/// use getrandom::SysRng;
///
/// let (level, algorithm) = (Level::detect(), Algorithm::FN_DSA_512);
/// let mut sk = vec![0; algorithm.signing_key_len()];
/// let mut vk = vec![0; algorithm.verifying_key_len()];
/// let mut work = vec![0; algorithm.keygen_work_len()];
/// SigningKeyRef::generate(level, algorithm, &mut SysRng, &mut sk, &mut vk, &mut work)?;
///
/// let mut work = vec![0; algorithm.sign_work_len()];
/// let key = SigningKeyRef::of_algorithm(level, algorithm, &sk, &mut work)?;
/// let mut mu = MuBuilder::pure(level, &key.key_hash(), b"release v1")?;
/// mu.update(b"a message, ");
/// mu.update(b"in pieces");
/// let mu = mu.finish();
/// let mut signature = vec![0; algorithm.signature_len()];
/// key.sign(level, &mu, &mut SysRng, &mut signature, &mut work)?;
///
/// let public = VerifyingKeyRef::of_algorithm(algorithm, &vk)?;
/// assert_eq!(public.key_hash(level), key.key_hash());
/// public.verify(level, &mu, &signature, &mut work)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Falcon and the FN-DSA preview of 2024 hash a random nonce before the message, and the signature
/// contains the nonce. To sign, draw nonces first. To verify, pass the signature before the
/// message:
///
/// ```
/// # use fndsa::algorithm::{Scheme, SignatureEncoding};
/// # use fndsa::no_alloc::{Attempt, Level, SignatureRef, SigningHasher, SigningKeyRef, VerifyingHasher, VerifyingKeyRef};
/// # use fndsa::{Algorithm, Options};
/// # use getrandom::SysRng;
/// let (level, algorithm) = (Level::detect(), Algorithm::FALCON_512);
/// # let mut sk = vec![0; algorithm.signing_key_len()];
/// # let mut vk = vec![0; algorithm.verifying_key_len()];
/// # let mut work = vec![0; algorithm.sign_work_len()];
/// let key = SigningKeyRef::generate(level, algorithm, &mut SysRng, &mut sk, &mut vk, &mut work)?;
/// let mut signature = vec![0; algorithm.signature_len()];
/// let mut attempts = [Attempt::EMPTY; 4];
/// let mut message =
///     SigningHasher::new(level, algorithm, &key.key_hash(), Options::default(), &mut attempts, &mut SysRng)?;
/// message.update(b"a message, in pieces");
/// key.sign(level, message.finish()?, &mut SysRng, &mut signature, &mut work)?;
///
/// // Signatures of Falcon have several encodings; this one is of 666 bytes.
/// let mut compressed = vec![0; algorithm.encoded_signature_len(SignatureEncoding::Compressed)];
/// let padded = SignatureRef::from_bytes(Scheme::Falcon, &signature)?;
/// let len = padded.recode_into(SignatureEncoding::Compressed, &mut compressed).expect("compressed always fits");
/// let compressed = &compressed[..len];
///
/// let public = VerifyingKeyRef::of_algorithm(algorithm, &vk)?;
/// let mut message = VerifyingHasher::new(level, algorithm, &public.bound_hash(level), Options::default(), compressed)?;
/// message.update(b"a message, in pieces");
/// public.verify(level, &message.finish()?, compressed, &mut work)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod no_alloc {
    #[cfg(feature = "ed25519")]
    pub use crate::api::Ed25519Message;
    pub use crate::api::{
        Attempt, ExpandedSigningKeyIn, FnDsa512Key, FnDsa1024Key, HashedMessage, Level, MessageToSign, MessageToVerify,
        SignatureRef, SigningHasher, SigningKeyRef, SigningKeyWithBasis, StaticVerifier, StaticVerifyingKey, Verified,
        VerifyingHasher, VerifyingKeyRef,
    };
}

/// The errors of each operation. The types at the root of the crate return [`Error`](crate::Error), which contains
/// these errors; the other modules return them.
pub mod error {
    pub use crate::api::{
        BasisError, BatchError, BufferLen, ExpandError, KeyError, KeygenError, MessageError, SignError, VerifyError,
    };
}

#[cfg(feature = "cli")]
#[doc(hidden)]
pub use simd::CoreCycles;
#[cfg(all(feature = "cli", unix))]
#[doc(hidden)]
pub use simd::descriptors;
#[cfg(feature = "bench")]
#[doc(hidden)]
pub use simd::{PAINTED, cycles, stack_depth};
