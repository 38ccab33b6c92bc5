//! The library's public types: what is checked once, and the operations on it.
//!
//! A key is its encoding, borrowed from the caller and checked when the object is made. Work
//! memory and randomness come from the caller too; nothing is kept, and what was secret in the
//! work memory and on the stack is wiped before an operation returns.

mod error;
#[cfg(feature = "alloc")]
mod expanded;
#[doc(hidden)]
pub mod hex;
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

/// A function that runs `f` on `level` and then wipes the stack as deep as `f` may have used it. Levels with vectors use
/// more of it; `tests/memory.rs` measures both.
macro_rules! wiped_stack {
    ($( $(#[$attribute:meta])* $name:ident: $one_lane:literal, $vectors:literal; )+) => {$(
        $(#[$attribute])*
        fn $name<R>(level: Level, f: impl FnOnce() -> R) -> R {
            if level.has_vectors() {
                ct::with_wiped_stack::<$vectors, _>(f)
            } else {
                ct::with_wiped_stack::<$one_lane, _>(f)
            }
        }
    )+};
}
wiped_stack! {
    /// For signing and expanding.
    with_wiped_sign_stack: 3968, 12288;
    /// For key generation.
    with_wiped_keygen_stack: 2816, 4608;
    /// For key generation in a thread that starts others.
    #[cfg(feature = "std")]
    with_wiped_threads_stack: 16384, 16384;
    /// For everything else that reads a private key.
    with_wiped_key_stack: 2560, 4608;
}

/// Checks a length the caller must get right.
fn exact_len(given: usize, needed: usize) -> Result<(), error::BufferLen> {
    if given == needed { Ok(()) } else { Err(error::BufferLen { needed, given }) }
}

/// Checks that the work memory is at least the published size.
fn enough_work(given: usize, needed: usize) -> Result<(), error::BufferLen> {
    if given >= needed { Ok(()) } else { Err(error::BufferLen { needed, given }) }
}
