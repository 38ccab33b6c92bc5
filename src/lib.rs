//! A library to sign and verify with ML-DSA, FN-DSA (Falcon) and Ed25519. The program `fndsa` uses
//! this library.
//!
//! This example makes a key for ML-DSA-65 (FIPS 204, a final standard), signs a message, and
//! verifies the signature:
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
//! This example signs with FN-DSA-512, and passes the message in pieces:
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
//! Both examples need two dependencies:
//!
//! ```toml
//! [dependencies]
//! fndsa = "0.2"
//! getrandom = { version = "0.4", features = ["sys_rng"] }
//! ```
//!
//! The context in [`Options`] binds a signature to a purpose. A signature is valid only if the
//! verification returns `Ok`.
//!
//! # Algorithms
//!
//! [`Algorithm`] has a constant for each of these algorithms:
//!
//! - ML-DSA-44, ML-DSA-65 and ML-DSA-87, as in FIPS 204
//! - FN-DSA-512 and FN-DSA-1024, as in the putative draft of FIPS 206 and in crate `fn-dsa` 0.4.0
//! - Falcon (round 3) and the FN-DSA preview of 2024
//! - the scheme of crate `falcon-rs`, only to verify
//! - Ed25519, Ed25519ctx and Ed25519ph, with the feature `ed25519`
//! - composites of ML-DSA and Ed25519, by draft-ietf-lamps-pq-composite-sigs-19, with the feature
//!   `ed25519`
//!
//! **FIPS 206 is not published yet.** If the final standard differs from the draft, FN-DSA keys and
//! signatures from this version of the library will not verify under the standard. The document
//! `docs/algorithms.md` describes which parts of FN-DSA are already standardised.
//!
//! # Modules
//!
//! The root contains six types. The keys `SigningKey` and `VerifyingKey` and the type `Signature`
//! own their bytes. They allocate the memory for each operation, and select the instruction set.
//! Their methods return errors of the type `Error`. `SigningKey`, `VerifyingKey`, `Signature` and
//! `Error` need the feature `alloc`, which `std` selects. `SigningKey` also needs `sign`.
//! [`Algorithm`] and [`Options`] do not need a feature, and `Options` borrows the context.
//!
//! - [`algorithm`]: schemes, degrees, pre-hashes, and constant lengths
//! - [`message`]: messages in pieces, and messages that another machine hashes
//! - `batch`: expanded keys, and many signatures in one call (feature `alloc`)
//! - [`no_alloc`]: all operations without an allocator, for microcontrollers and boot loaders
//! - [`error`]: the errors from each operation
//! - `files`: PEM, PKCS#8, SPKI and lists of checksums (feature `files`)
//! - `verdict`: trusted keys and policies (feature `verdict`)
//!
//! # Features
//!
//! The default features are `std`, `sign`, `falcon` and `ml-dsa`. These dependencies are enough for
//! the examples in this documentation:
//!
//! ```toml
//! [dependencies]
//! fndsa = { version = "0.2", features = ["ed25519", "files"] }
//! getrandom = { version = "0.4", features = ["sys_rng"] }
//! sha2 = "0.11"
//! ```
//!
//! On a machine without an operating system, select the features that the machine needs, for
//! example only verification with ML-DSA:
//!
//! ```toml
//! [dependencies]
//! fndsa = { version = "0.2", default-features = false, features = ["ml-dsa"] }
//! ```
//!
//! - `sign` adds private keys: functions to generate keys and to sign. Without it, the library only
//!   verifies.
//! - `falcon` adds FN-DSA, Falcon and the preview of 2024. `ml-dsa` adds ML-DSA.
//! - `alloc` adds the types that own their bytes, their functions for messages in pieces, expanded
//!   keys, and batches. `std` adds functions that use several threads, and implements
//!   `std::io::Write` for messages in pieces. Without these features, use [`no_alloc`].
//! - `files` adds a module to read and write the files of `fndsa` and of other programs: PEM,
//!   PKCS#8, SPKI, JSON Web Keys, OpenSSH, CMS and lists of checksums. It also selects `alloc`,
//!   `falcon` and `ml-dsa`.
//! - `verdict` adds a module that decides whether the signatures for a file are accepted, as `fndsa
//!   verify` does. The caller passes the trusted keys and a policy. It also selects `files` and
//!   `sha2`.
//! - `sha2` adds SHA-2 as a pre-hash. SHA-3 and SHAKE do not need a feature.
//! - `encryption` reads and writes private keys that are encrypted with a password.
//! - `ed25519` adds Ed25519, for dual signatures together with a post-quantum algorithm, and the
//!   composites. It also selects `alloc`.
//! - `serde` implements `Serialize` and `Deserialize` for algorithm names, hashes, options, keys
//!   and signatures.
//! - `signature` implements the traits in the crate `signature` for the owned types, with `sha2`
//!   also for digests.
//! - `pkcs8` implements the traits in the crates `pkcs8` and `spki` for keys of ML-DSA, Ed25519,
//!   composites and Falcon. FN-DSA has no final object identifier yet. `examples/certificate.rs`
//!   uses the traits of `signature`, `pkcs8` and `spki` to make an X.509 certificate.
//! - `armv7e-m` adds assembly for a Cortex-M4, Cortex-M7, or Cortex-M33 with DSP instructions:
//!   binary64, Keccak, and arithmetic modulo q. It has an effect only on targets whose names begin
//!   with `thumbv7em-none` or `thumbv8m.main-none`. With this assembly, the processor executes a
//!   third fewer instructions to sign and to verify with FN-DSA, and only about half the
//!   instructions to verify with ML-DSA.
//!
//! The folder `examples/` contains complete programs.
//!
//! # Properties
//!
//! Without features, the library is `no_std` and does not need an allocator. Operations that need
//! randomness take a random number generator that implements the traits in `rand_core`. The
//! operations in [`no_alloc`] also take work memory.
//!
//! When the library loads a private key, it checks the key in full. Before it returns a signature,
//! it verifies the signature. All levels (instruction sets) compute the same keys and signatures.
//! Published test vectors for FN-DSA, ML-DSA and Ed25519 can be reproduced, except with
//! `ExpandedSigningKey::sign_fast_rng` and `sign_message_fast_rng`, which use a faster generator.
//! For Falcon and the preview of 2024, this library generates keys and samples signatures as in
//! FN-DSA. Other programs accept these keys and signatures, but make different keys and signatures
//! from the same seeds.
#![cfg_attr(not(any(feature = "std", test)), no_std)]
// Some modules contain helpers for private and for public keys. Without the feature `sign`, the
// helpers for private keys are unused. Without the feature `falcon`, the type for the algorithms of
// the Falcon family has no values, so the code that uses such a value is unreachable. This also
// applies to `ml-dsa`.
#![cfg_attr(not(all(feature = "sign", feature = "falcon", feature = "ml-dsa")), allow(dead_code))]
#![cfg_attr(not(all(feature = "falcon", feature = "ml-dsa")), allow(unreachable_code, unused_mut, unused_variables))]
// With this attribute, docs.rs shows which feature each item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

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
#[cfg(all(feature = "alloc", feature = "sign"))]
pub use api::SigningKey;
#[doc(hidden)]
pub use api::hex;
#[cfg(feature = "bench")]
#[doc(hidden)]
pub use api::subroutine;
#[cfg(any(feature = "testing", test))]
pub use api::testing;
#[cfg(feature = "alloc")]
pub use api::{Error, Signature, VerifyingKey};
#[cfg(feature = "pkcs8")]
pub use pkcs8;
pub use rand_core;
#[cfg(feature = "signature")]
pub use signature;

/// Schemes, degrees, pre-hashes, signature encodings, and constant lengths.
pub mod algorithm {
    pub use crate::api::{
        Degree, KEY_HASH_LEN, KEYGEN_SEED_LEN, MAX_CONTEXT_LEN, MU_LEN, NONCE_LEN, PreHash, SEED_LEN, SIGN_SEED_LEN,
        Scheme, SignatureEncoding, UnknownAlgorithm,
    };
}

/// Types for messages in pieces and for message hashes. This module also contains the types for the
/// context and for the key hash, which are signed together with a message.
pub mod message {
    #[cfg(all(feature = "alloc", feature = "sign"))]
    pub use crate::api::MessageSigner;
    #[cfg(feature = "alloc")]
    pub use crate::api::{Context, MessageVerifier, OwnedOptions};
    pub use crate::api::{KeyHash, MessageDigest, Mu, MuBuilder, PreHasher};
}

/// Keys that are prepared for many operations, and functions that sign or verify many messages in
/// one call.
#[cfg(feature = "alloc")]
pub mod batch {
    #[cfg(feature = "sign")]
    pub use crate::api::ExpandedSigningKey;
    #[cfg(feature = "std")]
    pub use crate::api::verify_batch_parallel;
    pub use crate::api::{BatchItem, ExpandedVerifyingKey, verified_batch, verify_batch};
}

/// The library for programs without an allocator. Keys and signatures borrow their bytes, and the
/// caller passes a level (an instruction set) and work memory to each operation. The exceptions are
/// Ed25519, composites and the methods `expand`, which allocate memory.
///
/// | at the root | in this module |
/// |---|---|
/// | `SigningKey`, `VerifyingKey`, `Signature` | `SigningKeyRef`, `VerifyingKeyRef`, `SignatureRef` |
/// | `sign`, `verify` | `sign_message`, `verify_message` |
/// | `sign_digest`, `verify_digest` | `sign_unhashed`, `verify_digest` |
/// | `signer`, `verifier` | `SigningHasher`, `VerifyingHasher`, then `sign`, `verify` |
/// | `verifying_key`, `recode` | `verifying_key_into`, `recode_into` |
///
/// The caller must provide every buffer. Methods of [`Algorithm`] return the required lengths, for
/// example `keygen_work_len` for the work memory of `generate`:
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
/// contains this nonce. To sign, draw the nonces for several attempts before you pass the message.
/// To verify, pass the signature before the message, because the verifier needs its nonce first.
/// For all other schemes, one attempt is enough. This example signs and verifies with Falcon-512:
///
/// ```
/// use fndsa::algorithm::{Scheme, SignatureEncoding};
/// use fndsa::no_alloc::{Attempt, Level, SignatureRef, SigningHasher, SigningKeyRef, VerifyingHasher, VerifyingKeyRef};
/// use fndsa::{Algorithm, Options};
/// use getrandom::SysRng;
///
/// let (level, algorithm) = (Level::detect(), Algorithm::FALCON_512);
/// let mut sk = vec![0; algorithm.signing_key_len()];
/// let mut vk = vec![0; algorithm.verifying_key_len()];
/// let mut work = vec![0; algorithm.sign_work_len()];
/// let key = SigningKeyRef::generate(level, algorithm, &mut SysRng, &mut sk, &mut vk, &mut work)?;
/// let mut signature = vec![0; algorithm.signature_len()];
/// // Each attempt has a nonce. `sign` fails if no attempt gives a signature that is short enough.
/// let mut attempts = [Attempt::EMPTY; 4];
/// let mut message =
///     SigningHasher::new(level, algorithm, &key.key_hash(), Options::default(), &mut attempts, &mut SysRng)?;
/// message.update(b"a message, in pieces");
/// key.sign(level, message.finish(), &mut SysRng, &mut signature, &mut work)?;
///
/// // A Falcon signature has several encodings. `signature` has the padded encoding of 666 bytes.
/// let mut compressed = vec![0; algorithm.encoded_signature_len(SignatureEncoding::Compressed)];
/// let padded = SignatureRef::from_bytes(Scheme::Falcon, &signature)?;
/// let len = padded.recode_into(SignatureEncoding::Compressed, &mut compressed).expect("compressed always fits");
/// let compressed = &compressed[..len];
///
/// let public = VerifyingKeyRef::of_algorithm(algorithm, &vk)?;
/// let mut message = VerifyingHasher::new(level, algorithm, &public.bound_hash(level), Options::default(), compressed)?;
/// message.update(b"a message, in pieces");
/// public.verify(level, &message.finish(), compressed, &mut work)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod no_alloc {
    #[cfg(feature = "sign")]
    pub use crate::api::{
        Attempt, ExpandedSigningKeyIn, MessageToSign, SigningHasher, SigningKeyRef, SigningKeyWithBasis,
    };
    #[cfg(feature = "ed25519")]
    pub use crate::api::{CompositeMessage, Ed25519Message};
    #[cfg(feature = "falcon")]
    pub use crate::api::{FnDsa512Key, FnDsa1024Key, StaticFnDsa512, StaticFnDsa1024};
    pub use crate::api::{
        HashedMessage, Level, MessageToVerify, SignatureRef, StaticAlgorithm, StaticVerifier, StaticVerifyingKey,
        UnhashedMessage, Verified, VerifyingHasher, VerifyingKeyRef,
    };
    #[cfg(feature = "ml-dsa")]
    pub use crate::api::{MlDsa44Key, MlDsa65Key, MlDsa87Key, StaticMlDsa44, StaticMlDsa65, StaticMlDsa87};
}

/// The errors from each operation.
///
/// `SigningKey`, `VerifyingKey`, `Signature` and their hashers for messages in pieces return
/// `Error`, which wraps an error from this module. All other types return the errors in this module
/// directly. For example, expanded keys own their bytes, but return `SignError` and `VerifyError`.
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
