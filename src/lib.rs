//! FN-DSA (Falcon) signatures: the putative draft of FIPS 206, as of crate `fn-dsa` 0.4.0.
//!
//! No text of FIPS 206 is published. Keys and signatures of this version will not verify under the
//! final standard if it differs; see the README for what is and is not settled.
//!
//! ```
//! # #[cfg(feature = "cli")] {
//! use fndsa::{Algorithm, Level, MuBuilder, Scheme, SigningKey, VerifyingKey};
//! use getrandom::SysRng;
//!
//! let (level, algorithm) = (Level::detect(), Algorithm::FN_DSA_512);
//! let degree = algorithm.degree;
//! let mut sk = vec![0; algorithm.signing_key_len()];
//! let mut vk = vec![0; algorithm.verifying_key_len()];
//! let mut work = vec![0; degree.keygen_work_len()];
//! SigningKey::generate(level, algorithm, &mut SysRng, &mut sk, &mut vk, &mut work)?;
//!
//! let mut work = vec![0; degree.sign_work_len()];
//! let key = SigningKey::from_bytes(level, Scheme::FnDsa, &sk, &mut work)?;
//! let mut mu = MuBuilder::pure(level, &key.key_hash(), b"release v1")?;
//! mu.update(b"a message, ");
//! mu.update(b"in pieces");
//! let mu = mu.finish();
//! let mut signature = vec![0; degree.signature_len()];
//! key.sign(level, &mu, &mut SysRng, &mut signature, &mut work)?;
//!
//! let public = VerifyingKey::from_bytes(Scheme::FnDsa, &vk)?;
//! assert_eq!(public.key_hash(level), key.key_hash());
//! public.verify(level, &mu, &signature, &mut work)?;
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The library is `no_std` and needs no allocator without its default features; work memory is an
//! argument, of the sizes [`Degree`] publishes. Randomness is an argument, through the traits of
//! `rand_core`. Private keys are checked in full when they are loaded, every signature is verified
//! before it is returned, and all levels give the same bytes.
#![cfg_attr(not(any(feature = "std", test)), no_std)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod api;
mod engine;
mod simd;

pub use api::*;
pub use engine::message::PreHash;
pub use engine::params::{Degree, KEY_HASH_LEN, KEYGEN_SEED_LEN, MAX_CONTEXT_LEN, MU_LEN, NONCE_LEN, SIGN_SEED_LEN};
pub use engine::scheme::{Algorithm, Scheme, SignatureEncoding, UnknownAlgorithm};
pub use simd::Level;
