//! FN-DSA (Falcon) signatures: the putative draft of FIPS 206, as of crate `fn-dsa` 0.4.0; and, beside it, Falcon as of
//! round 3, the preview of FN-DSA of 2024, and verification for crate `falcon-rs`. [`Scheme`] names them.
//!
//! No text of FIPS 206 is published. Keys and signatures of this version will not verify under the
//! final standard if it differs; docs/algorithms.md says what is and is not settled.
//!
//! With an allocator (feature `alloc`) keys, signatures and all memory that an operation needs are values:
//!
//! ```
//! # #[cfg(feature = "alloc")] {
//! use fndsa::{Algorithm, Form, OwnedSigningKey};
//! use getrandom::SysRng;
//!
//! let key = OwnedSigningKey::generate(Algorithm::FN_DSA_512, &mut SysRng)?;
//! let form = Form::with_context(b"release v1");
//! let signature = key.sign(form, b"a message", &mut SysRng)?;
//! key.verifying_key().verify(form, b"a message", &signature)?;
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Without one, the caller gives every buffer, of the sizes that [`Algorithm`] publishes:
//!
//! ```
//! use fndsa::{Algorithm, Level, MuBuilder, SigningKey, VerifyingKey};
//! use getrandom::SysRng;
//!
//! let (level, algorithm) = (Level::detect(), Algorithm::FN_DSA_512);
//! let mut sk = vec![0; algorithm.signing_key_len()];
//! let mut vk = vec![0; algorithm.verifying_key_len()];
//! let mut work = vec![0; algorithm.keygen_work_len()];
//! SigningKey::generate(level, algorithm, &mut SysRng, &mut sk, &mut vk, &mut work)?;
//!
//! let mut work = vec![0; algorithm.sign_work_len()];
//! let key = SigningKey::of_algorithm(level, algorithm, &sk, &mut work)?;
//! let mut mu = MuBuilder::pure(level, &key.key_hash(), b"release v1")?;
//! mu.update(b"a message, ");
//! mu.update(b"in pieces");
//! let mu = mu.finish();
//! let mut signature = vec![0; algorithm.signature_len()];
//! key.sign(level, &mu, &mut SysRng, &mut signature, &mut work)?;
//!
//! let public = VerifyingKey::of_algorithm(algorithm, &vk)?;
//! assert_eq!(public.key_hash(level), key.key_hash());
//! public.verify(level, &mu, &signature, &mut work)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The other schemes hash the message behind the signature's nonce. To sign, nonces are drawn first; to verify, the
//! signature comes before its message:
//!
//! ```
//! # use fndsa::{Algorithm, Attempt, Form, HashedBuilder, Level, Scheme, SigningKey, ToSignBuilder, VerifyingKey};
//! # use fndsa::{Signature, SignatureEncoding};
//! # use getrandom::SysRng;
//! let (level, algorithm) = (Level::detect(), Algorithm::FALCON_512);
//! # let mut sk = vec![0; algorithm.signing_key_len()];
//! # let mut vk = vec![0; algorithm.verifying_key_len()];
//! # let mut work = vec![0; algorithm.sign_work_len()];
//! let key = SigningKey::generate(level, algorithm, &mut SysRng, &mut sk, &mut vk, &mut work)?;
//! let mut signature = vec![0; algorithm.signature_len()];
//! let mut attempts = [Attempt::EMPTY; 4];
//! let mut message =
//!     ToSignBuilder::new(level, algorithm, &key.key_hash(), Form::default(), &mut attempts, &mut SysRng)?;
//! message.update(b"a message, in pieces");
//! key.sign(level, message.finish()?, &mut SysRng, &mut signature, &mut work)?;
//!
//! // Signatures of Falcon have several encodings; this one is of 666 bytes.
//! let mut compressed = vec![0; algorithm.encoded_signature_len(SignatureEncoding::Compressed)];
//! let padded = Signature::from_bytes(Scheme::Falcon, &signature)?;
//! let len = padded.recode_into(SignatureEncoding::Compressed, &mut compressed).expect("compressed always fits");
//! let compressed = &compressed[..len];
//!
//! let public = VerifyingKey::of_algorithm(algorithm, &vk)?;
//! let mut message = HashedBuilder::new(level, algorithm, &public.bound_hash(level), Form::default(), compressed)?;
//! message.update(b"a message, in pieces");
//! public.verify(level, &message.finish()?, compressed, &mut work)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With the feature `serde` the types that own their bytes, and all names, can be serialised; with `signature` they have the traits
//! of the crate of that name. `examples/` has whole programs.
//! The feature `files` has a module of that name, which reads and writes the files of the command-line tool and of other
//! programs: PEM, PKCS#8, SPKI, lists of checksums; the feature `encryption` opens and makes private keys behind a password.
//! The feature `ed25519` adds a classic scheme, for a second signature beside one of a lattice.
//! The feature `armv7e-m` has assembly for a Cortex-M4 or M7, of binary64, Keccak and rows modulo q: a signature and a
//! verification take two thirds of the instructions.
//!
//! The library is `no_std` and needs no allocator without its default features; work memory is an
//! argument, of the sizes [`Algorithm`] publishes. Randomness is an argument, through the traits of
//! `rand_core`. Private keys are checked in full when they are loaded, every signature is verified
//! before it is returned, and all levels give the same bytes. The one exception is asked for by name:
//! `ExpandedSigningKey::sign_fast_rng` draws from a faster generator, and its signatures are not those of published
//! test vectors.
#![cfg_attr(not(any(feature = "std", test)), no_std)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod api;
mod engine;
#[cfg(feature = "files")]
pub mod files;
mod simd;

pub use api::*;
pub use engine::falcon::params::{Degree, KEYGEN_SEED_LEN, NONCE_LEN, SIGN_SEED_LEN};
pub use engine::falcon::scheme::SignatureEncoding;
pub use engine::hash::message::{KEY_HASH_LEN, MAX_CONTEXT_LEN, MU_LEN};
pub use engine::hash::prehash::PreHash;
pub use engine::verdict::Verified;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use simd::CoreCycles;
pub use simd::Level;
#[cfg(all(feature = "cli", unix))]
#[doc(hidden)]
pub use simd::descriptors;
#[cfg(feature = "bench")]
#[doc(hidden)]
pub use simd::{PAINTED, cycles, stack_depth};
