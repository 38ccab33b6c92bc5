//! The public types of the library, and the operations on these types.
//!
//! - `algorithm`: schemes and algorithms of all families
//! - `lengths`: lengths of encodings and of work memory
//! - `signing_lengths`: lengths of work memory to sign
//! - `signing`: private keys
//! - `signing_random`: the random bytes for a signature
//! - `verifying`: public keys
//! - `signature`: signatures that were parsed, but not verified
//! - `falcon`: calls the engine to check and convert public keys of the Falcon family
//! - `falcon_signing`: calls the engine to sign, and to generate, check and convert private keys,
//!   in the Falcon family
//! - `mldsa`: calls the engine to verify with ML-DSA
//! - `mldsa_signing`: calls the engine to sign, and to generate, check and convert private keys,
//!   with ML-DSA
//! - `ed25519`: calls the crate for Ed25519
//! - `composite`: ML-DSA and Ed25519 as one algorithm
//! - `composite_signing`: signs with a composite
//! - `sha512`: messages that are hashed with SHA-512, for Ed25519 and for composites
//! - `boot`: verification if the algorithm and the public key are constants in the program
//! - `options`: the context and the pre-hash for a signature
//! - `message`: messages in pieces, to verify, and messages in memory with their options
//! - `signing_message`: messages in pieces, to sign
//! - `mu`: the hash of a message in FN-DSA and ML-DSA (64 bytes), and the hash of a public key
//! - `whole`: hashes messages in memory, to sign them
//! - `prehasher`: computes the digests of messages, if the options have a pre-hash
//! - `expanded`: private keys that are prepared for many uses
//! - `expanded_verifying`: public keys that are prepared for many uses
//! - `expanded_in`: expanded private keys in the caller's memory
//! - `basis`: private keys with a transformed basis in read-only memory
//! - `sign_batch`: signs many messages with an expanded key
//! - `verify_batch`: verifies many signatures
//! - `owned`: public keys and signatures that contain their bytes (feature `alloc`)
//! - `owned_signing`: private keys that contain their bytes
//! - `owned_error`: the error type for keys and signatures that contain their bytes
//! - `streams`: messages in pieces for owned public keys
//! - `signing_stream`: messages in pieces for owned private keys
//! - `traits`: the traits of the crate `signature` for public keys (feature `signature`)
//! - `signing_traits`: the traits of the crate `signature` for private keys
//! - `serde`: serialisation (feature `serde`)
//! - `parallel`: key generation on several threads
//! - `threads`: verifies batches on several threads
//! - `signing_threads`: signs batches on several threads
//! - `error`: the errors of the library
//! - `testing`: functions with random bytes from the caller (feature `testing`)
//! - `subroutine`: parts of operations for benchmarks (feature `bench`), hidden in the
//!   documentation
//! - `hex`: hexadecimal digits for secret bytes, hidden in the documentation
//!
//! Without the feature `sign`, the files for private keys and for signing are not compiled.
//!
//! A borrowed key is a reference to an encoding that the constructor has checked. The caller
//! provides the work memory and the randomness for each operation, and the library keeps no copy of
//! either. Before an operation returns, it wipes the secrets in the work memory and on the stack.

mod algorithm;
#[cfg(feature = "sign")]
mod basis;
mod boot;
#[cfg(feature = "ed25519")]
mod composite;
#[cfg(all(feature = "ed25519", feature = "sign"))]
mod composite_signing;
#[cfg(feature = "ed25519")]
mod ed25519;
mod error;
#[cfg(all(feature = "alloc", feature = "sign"))]
mod expanded;
#[cfg(feature = "sign")]
mod expanded_in;
#[cfg(feature = "alloc")]
mod expanded_verifying;
mod falcon;
#[cfg(feature = "sign")]
mod falcon_signing;
#[doc(hidden)]
pub mod hex;
mod lengths;
mod message;
mod mldsa;
#[cfg(feature = "sign")]
mod mldsa_signing;
mod mu;
mod options;
#[cfg(feature = "alloc")]
mod owned;
#[cfg(feature = "alloc")]
mod owned_error;
#[cfg(all(feature = "alloc", feature = "sign"))]
mod owned_signing;
#[cfg(all(feature = "std", feature = "sign"))]
mod parallel;
mod prehasher;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "ed25519")]
mod sha512;
#[cfg(all(feature = "alloc", feature = "sign"))]
mod sign_batch;
mod signature;
#[cfg(feature = "sign")]
mod signing;
#[cfg(feature = "sign")]
mod signing_lengths;
#[cfg(feature = "sign")]
mod signing_message;
#[cfg(feature = "sign")]
mod signing_random;
#[cfg(all(feature = "alloc", feature = "sign"))]
mod signing_stream;
#[cfg(all(feature = "std", feature = "sign"))]
mod signing_threads;
#[cfg(all(feature = "signature", feature = "sign"))]
mod signing_traits;
#[cfg(feature = "alloc")]
mod streams;
#[cfg(feature = "bench")]
#[doc(hidden)]
pub mod subroutine;
#[cfg(any(feature = "testing", test))]
pub mod testing;
#[cfg(feature = "std")]
mod threads;
#[cfg(feature = "signature")]
mod traits;
#[cfg(feature = "alloc")]
mod verify_batch;
mod verifying;
#[cfg(feature = "sign")]
mod whole;

pub use crate::engine::falcon::params::{Degree, KEYGEN_SEED_LEN, NONCE_LEN, SIGN_SEED_LEN};
pub use crate::engine::falcon::scheme::SignatureEncoding;
#[cfg(feature = "sign")]
pub use crate::engine::falcon::sign::Attempt;
pub use crate::engine::hash::message::{KEY_HASH_LEN, MAX_CONTEXT_LEN, MU_LEN};
pub use crate::engine::hash::prehash::PreHash;
pub use crate::engine::verdict::Verified;
pub use crate::simd::Level;
pub use algorithm::{Algorithm, Scheme, UnknownAlgorithm};
#[cfg(feature = "sign")]
pub use basis::SigningKeyWithBasis;
#[cfg(feature = "falcon")]
pub use boot::{FnDsa512Key, FnDsa1024Key, StaticFnDsa512, StaticFnDsa1024};
#[cfg(feature = "ml-dsa")]
pub use boot::{MlDsa44Key, MlDsa65Key, MlDsa87Key, StaticMlDsa44, StaticMlDsa65, StaticMlDsa87};
pub use boot::{StaticAlgorithm, StaticVerifier, StaticVerifyingKey};
#[cfg(feature = "ed25519")]
pub use composite::CompositeMessage;
#[cfg(feature = "ed25519")]
pub use ed25519::Ed25519Message;
pub use error::{
    BasisError, BatchError, BufferLen, ExpandError, KeyError, KeygenError, MessageError, SignError, VerifyError,
};
#[cfg(all(feature = "alloc", feature = "sign"))]
pub use expanded::ExpandedSigningKey;
#[cfg(feature = "sign")]
pub use expanded_in::ExpandedSigningKeyIn;
#[cfg(feature = "alloc")]
pub use expanded_verifying::ExpandedVerifyingKey;
pub use lengths::SEED_LEN;
pub use message::{HashedMessage, MessageToVerify, UnhashedMessage, VerifyingHasher};
pub use mu::{KeyHash, Mu, MuBuilder};
pub use options::Options;
#[cfg(feature = "alloc")]
pub use owned::{Context, OwnedOptions, Signature, VerifyingKey};
#[cfg(feature = "alloc")]
pub use owned_error::Error;
#[cfg(all(feature = "alloc", feature = "sign"))]
pub use owned_signing::SigningKey;
pub use prehasher::{MessageDigest, PreHasher};
pub use signature::SignatureRef;
#[cfg(feature = "sign")]
pub use signing::SigningKeyRef;
#[cfg(feature = "sign")]
pub use signing_message::{MessageToSign, SigningHasher};
#[cfg(all(feature = "alloc", feature = "sign"))]
pub use signing_stream::MessageSigner;
#[cfg(feature = "alloc")]
pub use streams::MessageVerifier;
#[cfg(feature = "std")]
pub use threads::verify_batch_parallel;
#[cfg(feature = "alloc")]
pub use verify_batch::{BatchItem, verified_batch, verify_batch};
pub use verifying::VerifyingKeyRef;

use crate::simd::{KECCAK_IN_REGISTERS, SHORT_REGISTERS, ct};

/// Defines functions that run a closure `f` with the work memory, and then wipe the work memory,
/// and the stack down to the maximum depth that `f` can use on this level (instruction set). If `f`
/// panics, the functions also wipe the memory, and 32 KiB of the stack.
///
/// The arguments for each function are its name and three stack depths, in bytes:
///
/// 1. on 32-bit processors without vectors ([`SHORT_REGISTERS`]), where stack frames are smaller
/// 2. on all other processors, for levels with a single lane
/// 3. on all other processors, for levels with vectors
///
/// The first depth was measured on a Cortex-M4 and on RV32IMC, where `firmware/run` checks it.
/// `tests/memory.rs` measures the other two depths.
macro_rules! wiping {
    ($( $(#[$attribute:meta])* $name:ident: $few:expr, $one_lane:literal, $vectors:literal; )+) => {$(
        $(#[$attribute])*
        fn $name<R>(level: Level, work: &mut [u8], f: impl FnOnce(&mut [u8]) -> R) -> R {
            const ONE_LANE: usize = if SHORT_REGISTERS { $few } else { $one_lane };
            let wipe_stack =
                if level.has_vectors() { ct::wipe_stack::<$vectors> } else { ct::wipe_stack::<ONE_LANE> };
            ct::wiping(work, wipe_stack, f)
        }
    )+};
}
/// The stack depth, in bytes, when a processor with [`SHORT_REGISTERS`] signs with an encoded key
/// or a basis, in the Falcon family. If Keccak is not in assembly, a second Keccak state of 200
/// bytes is on the stack, and the measured depth is 320 bytes larger. With the feature `alloc`, the
/// sampler also stores bytes from its generators on the stack.
const SIGN_DEPTH: usize = {
    let keccak_depth = if KECCAK_IN_REGISTERS { 0 } else { 320 };
    let generator_bytes = if cfg!(feature = "alloc") { 256 } else { 0 };
    1408 + keccak_depth + generator_bytes
};

/// The stack depth, in bytes, that `wiping_mldsa_key` wipes on a processor with
/// [`SHORT_REGISTERS`].
const ML_DSA_KEY_DEPTH: usize = if KECCAK_IN_REGISTERS { 1984 } else { 2624 };
/// The stack depth, in bytes, to sign with ML-DSA on a processor with [`SHORT_REGISTERS`].
const ML_DSA_SIGN_DEPTH: usize = if KECCAK_IN_REGISTERS { 2560 } else { 3136 };

// After each name are three stack depths in bytes. The first depth is for 32-bit processors without
// vectors. On all other processors, the second depth is for levels with a single lane, and the
// third depth is for levels with vectors.
wiping! {
    /// Runs an operation that signs with an encoded key or a basis, in the Falcon family.
    wiping_falcon_sign: SIGN_DEPTH, 4096, 12288;
    /// Runs an operation that expands a key of the Falcon family, or signs with an expanded key.
    /// Both operations visit the LDL tree recursively.
    wiping_falcon_expanded: 3520, 4608, 12288;
    /// Runs an operation that signs several messages in lanes, in the Falcon family.
    #[cfg(feature = "alloc")]
    wiping_falcon_batch: 3520, 4608, 24576;
    /// Runs an operation that generates a key of the Falcon family.
    wiping_falcon_keygen: 1696, 3136, 4608;
    /// Runs an operation that generates a key of the Falcon family, in a thread that starts other
    /// threads.
    #[cfg(feature = "std")]
    wiping_falcon_threads: 16384, 16384, 16384;
    /// Runs an operation on an ML-DSA private key, except signing: generates, checks, converts or
    /// expands the key.
    wiping_mldsa_key: ML_DSA_KEY_DEPTH, 3456, 8192;
    /// Runs an operation that signs with ML-DSA.
    wiping_mldsa_sign: ML_DSA_SIGN_DEPTH, 4352, 12288;
    /// Runs an operation with Ed25519. The code in the crate `curve25519-dalek` uses vectors if the
    /// CPU has vectors, even if the level has none. So the depth is the same for all levels.
    #[cfg(feature = "ed25519")]
    wiping_ed25519: 24576, 24576, 24576;
    /// Runs an operation on a private key of the Falcon family for which this list has no separate
    /// function: checks or converts the key, computes the public key, or writes or opens the basis.
    wiping_falcon_key: 1408, 2560, 4608;
}

/// Checks that a buffer has exactly the required length.
fn check_exact_len(given: usize, needed: usize) -> Result<(), error::BufferLen> {
    if given == needed { Ok(()) } else { Err(error::BufferLen { needed, given }) }
}

/// Checks that the work memory has at least the required length.
fn check_work_len(given: usize, needed: usize) -> Result<(), error::BufferLen> {
    if given >= needed { Ok(()) } else { Err(error::BufferLen { needed, given }) }
}
