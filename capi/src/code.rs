//! The return codes of the C functions, and a text for each code.

use core::ffi::{CStr, c_int};
use library::error::{BasisError, ExpandError, KeyError, KeygenError, MessageError, SignError, VerifyError};

/// The code for success. If a verification returns this code, the verdict is YES.
pub const OK: c_int = 0;

/// Declares the errors with their numbers and texts. These numbers must never change.
macro_rules! call_errors {
    ($( $(#[$attribute:meta])* $name:ident = $number:literal: $text:literal; )+) => {
        /// An error that a C function returns.
        #[derive(Clone, Copy)]
        #[repr(i32)]
        pub enum CallError {
            $( $(#[$attribute])* $name = $number, )+
        }

        /// Returns a text that explains a code and the next step.
        pub fn text(code: c_int) -> &'static CStr {
            match code {
                OK => c"success; for a verification: the signature is valid",
                $( $number => $text, )+
                _ => c"no function of this library returns this number: pass a number that a function returned to fndsa_strerror",
            }
        }
    };
}

call_errors! {
    /// The signature is not valid for the message and the key: the verdict NO.
    NotValid = -1: c"the signature is not valid for this message, context, pre-hash and public key: do not trust the message";
    /// A pointer is null.
    Null = -2: c"a pointer is null where bytes are needed: pass null only for an input of length 0";
    /// A length is wrong.
    Length = -3: c"a length does not fit the algorithm, or an output is too short: use the macros and functions whose names end in _BYTES and _bytes";
    /// The algorithm number is unknown, or the function does not support the algorithm.
    Algorithm = -4: c"the library or this function does not support an algorithm of this number: use FNDSA_512, FNDSA_ML_DSA_65 and the other numbers in fndsa.h";
    /// The key is damaged, or belongs to a different algorithm. Or it is not the key with which the
    /// signature in progress began, or from which the basis was computed.
    Key = -5: c"the key is damaged, or belongs to another algorithm, signature in progress or basis: compare it with the file or message that it came from";
    /// The context is too long or not supported.
    Context = -6: c"the context is longer than 255 bytes, or the algorithm has no context: shorten it, or pass no context for Falcon";
    /// The pre-hash is not supported, or the digest length is wrong.
    PreHash = -7: c"the algorithm does not support the pre-hash, the digest has the wrong length, or this library was built without SHA-2: pass the message, or add FNDSA_PREHASH_DIGEST and pass its digest";
    /// The work memory is too short.
    Work = -8: c"the work memory is too short: use the macros whose names end in _WORK_BYTES";
    /// An output overlaps other memory.
    Overlap = -9: c"an output overlaps an input or another output: use separate memory for each";
    /// A structure, a basis or the work memory of a boot loader is not aligned.
    Alignment = -10: c"the memory of a signer, a verifier, a boot loader or a basis is not aligned: declare it with its type in fndsa.h, or put the basis at a multiple of 8 bytes";
    /// The random generator failed or is missing.
    Random = -11: c"there are no random bytes: the generator returned an error, or you passed no generator and this build does not use the operating system";
    /// The structure contains no signature in progress, no verification in progress and no loaded
    /// key.
    State = -12: c"the signature or the verification did not begin or has already ended, or no key is loaded: call the function that begins it, and check its result";
    /// A computed key or signature did not pass its check: the machine computes wrongly, or the
    /// generator is broken.
    Fault = -13: c"the result did not pass its check and is withheld: the machine computed wrong, or the generator is broken; try again, and then on another machine";
    /// The pre-hash is weaker than the algorithm.
    WeakPreHash = -15: c"the pre-hash is weaker than the algorithm (FIPS 204, 5.4.1): pass a digest of a longer hash, or add FNDSA_PREHASH_ALLOW_WEAK to its number";
    /// The policy cannot be used.
    #[cfg_attr(not(feature = "policy"), allow(dead_code, reason = "a library without policies has the text alone"))]
    Policy = -16: c"the policy cannot be used: read the report of fndsa_verify_policy";
    /// The contents of a file have a defect, or are not the key or the signatures that the call
    /// reads.
    #[cfg_attr(
        not(any(feature = "files", feature = "policy")),
        allow(dead_code, reason = "a library without files has the text alone")
    )]
    File = -17: c"the contents of a file are damaged, or are not the key or the signatures that the call reads: read the report of the function";
    /// The password is wrong or missing, or the file has no password.
    #[cfg_attr(not(feature = "files"), allow(dead_code, reason = "a library without files has the text alone"))]
    Password = -18: c"the private key is encrypted and the password is wrong or missing, or there is a password but the key is not encrypted: pass the right password, or null for a key that is not encrypted";
    /// There is not enough memory.
    #[cfg_attr(not(feature = "std"), allow(dead_code, reason = "a library without an allocator has the text alone"))]
    Memory = -19: c"the system has too little memory for this call: free memory, or pass work memory of your own";
    /// The format is unknown, or not possible for the key or signature.
    #[cfg_attr(
        not(any(feature = "files", feature = "policy")),
        allow(dead_code, reason = "a library without files has the text alone")
    )]
    Format = -20: c"the format is unknown, or the key or signature has no such format: use the numbers FNDSA_FORMAT_* and FNDSA_SIGNATURE_FORMAT_* as fndsa.h describes";
    /// The library has a bug, for example a panic.
    Internal = -14: c"there is a bug in the library, and the call did nothing: report it with the call that caused it";
}

impl From<MessageError> for CallError {
    fn from(error: MessageError) -> Self {
        match error {
            MessageError::ContextLen { .. } | MessageError::NoContext { .. } => Self::Context,
            MessageError::WeakPreHash { .. } => Self::WeakPreHash,
            MessageError::DigestLen { .. }
            | MessageError::NoPreHash { .. }
            | MessageError::HashNotBuilt { .. }
            | MessageError::NotHashed { .. }
            | MessageError::OtherPreHash { .. } => Self::PreHash,
            MessageError::Signature { .. } => Self::NotValid,
            _ => Self::Internal,
        }
    }
}

impl From<KeyError> for CallError {
    fn from(error: KeyError) -> Self {
        match error {
            KeyError::Work(_) => Self::Work,
            _ => Self::Key,
        }
    }
}

impl<R> From<KeygenError<R>> for CallError {
    fn from(error: KeygenError<R>) -> Self {
        match error {
            KeygenError::Rng(_) => Self::Random,
            KeygenError::Buffer(_) => Self::Work,
            _ => Self::Fault,
        }
    }
}

impl<R> From<SignError<R>> for CallError {
    fn from(error: SignError<R>) -> Self {
        match error {
            SignError::Rng(_) => Self::Random,
            SignError::Buffer(_) => Self::Work,
            SignError::Message(error) => error.into(),
            _ => Self::Fault,
        }
    }
}

impl From<ExpandError> for CallError {
    fn from(error: ExpandError) -> Self {
        match error {
            ExpandError::Work(_) => Self::Work,
            ExpandError::Memory(_) => Self::Length,
            ExpandError::OtherFamily => Self::Algorithm,
            _ => Self::Fault,
        }
    }
}

impl From<BasisError> for CallError {
    fn from(error: BasisError) -> Self {
        match error {
            BasisError::Work(_) => Self::Work,
            BasisError::Length(_) => Self::Length,
            BasisError::Alignment => Self::Alignment,
            BasisError::OtherFamily => Self::Algorithm,
            BasisError::OtherKey => Self::Key,
            _ => Self::Fault,
        }
    }
}

impl From<VerifyError> for CallError {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::Work(_) => Self::Work,
            VerifyError::Message(error) => error.into(),
            VerifyError::Key(error) => error.into(),
            _ => Self::NotValid,
        }
    }
}
