//! What C functions return, and the texts of it.

use core::ffi::{CStr, c_int};
use library::{KeyError, KeygenError, MessageError, SignError, VerifyError};

/// Done, and of a verification: YES.
pub const OK: c_int = 0;

/// Declares the reasons with their numbers, which never change, and their texts.
macro_rules! refusals {
    ($( $(#[$attribute:meta])* $name:ident = $number:literal: $text:literal; )+) => {
        /// Why a function did not do what it was asked for.
        #[derive(Clone, Copy)]
        #[repr(i32)]
        pub enum Refusal {
            $( $(#[$attribute])* $name = $number, )+
        }

        /// Returns what happened and what to do.
        pub fn text(code: c_int) -> &'static CStr {
            match code {
                OK => c"done; of a verification: the signature is valid",
                $( $number => $text, )+
                _ => c"no function of this library returns this number: give fndsa_strerror what a function returned",
            }
        }
    };
}

refusals! {
    /// The signature is not one of this message by this key: the NO of a verification.
    NotValid = -1: c"the signature is not valid for this message, context, pre-hash and public key: do not trust the message";
    /// A null pointer.
    Null = -2: c"a pointer is null where bytes are needed: only an input of length 0 may be null";
    /// A length.
    Length = -3: c"a length is not the one that the algorithm has, or an output is too short: see the macros and functions whose names end in _BYTES and _bytes";
    /// The algorithm.
    Algorithm = -4: c"the number names no algorithm of this library: use FNDSA_512, FNDSA_ML_DSA_65 and the others in fndsa.h";
    /// The key.
    Key = -5: c"the key is damaged or belongs to another algorithm: compare it with the file or message that it came from";
    /// The context.
    Context = -6: c"the context is longer than 255 bytes, or the algorithm has none: Falcon takes no context";
    /// The pre-hash.
    PreHash = -7: c"the algorithm does not know the pre-hash, or the message is not as long as its digest: give the digest as message, and the number of its hash";
    /// The work memory.
    Work = -8: c"the work memory is too short: give as many bytes as the macro whose name ends in _WORK_BYTES says";
    /// Memory that overlaps.
    Overlap = -9: c"an output overlaps an input or another output: give each its own memory";
    /// The place of a verifier.
    Alignment = -10: c"the memory of the verifier is not aligned: declare it as fndsa_verifier";
    /// Randomness.
    Random = -11: c"there are no random bytes: the generator returned an error, or none was given and this build has none of the operating system";
    /// The verifier was not begun.
    State = -12: c"the verifier was not begun, or was finished: call fndsa_verify_begin, and check what it returns";
    /// The machine.
    Fault = -13: c"the result did not pass its check and is withheld: the machine computed wrong, or the generator is broken; try again, then on another machine";
    /// The pre-hash is weaker than the algorithm.
    WeakPreHash = -15: c"the pre-hash is weaker than the algorithm (FIPS 204, 5.4.1): give a digest of a longer hash, or add FNDSA_PREHASH_ALLOW_WEAK to its number";
    /// A panic.
    Internal = -14: c"the library made a mistake, and nothing was done: report it with the call that led to it";
}

impl From<MessageError> for Refusal {
    fn from(error: MessageError) -> Self {
        match error {
            MessageError::ContextLen { .. } | MessageError::NoContext { .. } => Self::Context,
            MessageError::WeakPreHash { .. } => Self::WeakPreHash,
            MessageError::DigestLen { .. } | MessageError::NoPreHash { .. } => Self::PreHash,
            MessageError::Signature { .. } => Self::NotValid,
            _ => Self::Internal,
        }
    }
}

impl From<KeyError> for Refusal {
    fn from(error: KeyError) -> Self {
        match error {
            KeyError::Work(_) => Self::Work,
            _ => Self::Key,
        }
    }
}

impl<R> From<KeygenError<R>> for Refusal {
    fn from(error: KeygenError<R>) -> Self {
        match error {
            KeygenError::Rng(_) => Self::Random,
            KeygenError::Buffer(_) => Self::Work,
            _ => Self::Fault,
        }
    }
}

impl<R> From<SignError<R>> for Refusal {
    fn from(error: SignError<R>) -> Self {
        match error {
            SignError::Rng(_) => Self::Random,
            SignError::Buffer(_) => Self::Work,
            SignError::Message(error) => error.into(),
            _ => Self::Fault,
        }
    }
}

impl From<VerifyError> for Refusal {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::Work(_) => Self::Work,
            VerifyError::Message(error) => error.into(),
            VerifyError::Key(error) => error.into(),
            _ => Self::NotValid,
        }
    }
}
