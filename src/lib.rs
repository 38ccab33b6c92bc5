//! Sign and verify files with ML-DSA, FN-DSA (Falcon) and Ed25519. This is the library of the
//! program `fndsa`.
//!
//! [`Scheme`] and [`Algorithm`] have a name for each of these:
//!
//! - ML-DSA-44, ML-DSA-65 and ML-DSA-87 of FIPS 204, which is a final standard;
//! - FN-DSA-512 and FN-DSA-1024 of the putative draft of FIPS 206, as of crate `fn-dsa` 0.4.0;
//! - Falcon of round 3 and the FN-DSA preview of 2024, and, only to verify, crate `falcon-rs`;
//! - Ed25519, in the form Ed25519ph, with the feature `ed25519`.
//!
//! **No text of FIPS 206 is published.** If the final standard differs from this version, keys and
//! signatures of this version will not verify under the standard. See `docs/algorithms.md` for the
//! parts that are already standardised.
//!
//! # With an allocator
//!
//! To use the owned types, enable the feature `alloc`. The library then allocates the memory for
//! each operation:
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
//! # Without an allocator
//!
//! The caller provides every buffer. The functions of [`Algorithm`] return the sizes:
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
//! Falcon and the FN-DSA preview of 2024 hash a random nonce before the message, and the signature
//! contains the nonce. To sign, draw nonces first. To verify, pass the signature before the
//! message:
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
