//! The library's public types: what is checked once, and the operations on it.
//!
//! A key is its encoding, borrowed from the caller and checked when the object is made. Work
//! memory and randomness come from the caller too; nothing is kept, and what was secret in the
//! work memory and on the stack is wiped before an operation returns.

mod error;
#[cfg(feature = "alloc")]
mod expanded;
mod message;
mod mu;
#[cfg(feature = "alloc")]
mod owned;
#[cfg(feature = "std")]
mod parallel;
#[cfg(feature = "serde")]
mod serde;
mod signature;
mod signing;
#[cfg(feature = "alloc")]
#[doc(hidden)]
pub mod subroutine;
#[cfg(feature = "testing")]
pub mod testing;
mod verifying;

pub use crate::engine::sign::Attempt;
pub use error::{BufferLen, ExpandError, KeyError, KeygenError, MessageError, SignError, VerifyError};
#[cfg(feature = "alloc")]
pub use expanded::{ExpandedSigningKey, ExpandedVerifyingKey};
pub use message::{Form, Hashed, HashedBuilder, ToSign, ToSignBuilder, ToVerify};
pub use mu::{KeyHash, Mu, MuBuilder};
#[cfg(feature = "alloc")]
pub use owned::{Context, OwnedForm, OwnedSignature, OwnedSigningKey, OwnedVerifyingKey};
pub use signature::Signature;
pub use signing::SigningKey;
pub use verifying::VerifyingKey;

use crate::simd::{Level, ct};

/// Bytes of stack that signing and expanding may use, and that are wiped after them.
const SIGN_STACK: usize = 3328;
/// The same on a level with vectors.
const SIGN_STACK_VECTORS: usize = 20 * 1024;
/// Bytes of stack for key generation.
const KEYGEN_STACK: usize = 2944;
/// The same for the thread that starts others.
#[cfg(feature = "std")]
const PARALLEL_KEYGEN_STACK: usize = 16 * 1024;
/// Bytes of stack for everything else that reads a private key.
const KEY_STACK: usize = 2560;

/// Runs `f`, which signs or expands a key on `level`, and wipes the stack after it.
fn with_wiped_sign_stack<R>(level: Level, f: impl FnOnce() -> R) -> R {
    if level.has_vectors() {
        ct::with_wiped_stack::<SIGN_STACK_VECTORS, _>(f)
    } else {
        ct::with_wiped_stack::<SIGN_STACK, _>(f)
    }
}

/// Checks a length the caller must get right.
fn exact_len(given: usize, needed: usize) -> Result<(), error::BufferLen> {
    if given == needed { Ok(()) } else { Err(error::BufferLen { needed, given }) }
}

/// Checks that the work memory is at least the published size.
fn enough_work(given: usize, needed: usize) -> Result<(), error::BufferLen> {
    if given >= needed { Ok(()) } else { Err(error::BufferLen { needed, given }) }
}
