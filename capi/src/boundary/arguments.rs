//! Reads the structures that C passes as arguments: the form (context and pre-hash), the policy,
//! and the random generator.

use super::memory::CallerMemory;
use crate::code::CallError;
use crate::numbered::{NumberedPreHash, prehash};
#[cfg(feature = "policy")]
use crate::policy::PolicyParts;
use crate::prehash::SignedForm;
#[cfg(feature = "policy")]
use core::ffi::c_char;
use core::ffi::{c_int, c_void};
use library::Options;
use rand_core::{TryCryptoRng, TryRng};

/// The type `struct fndsa_form` in the C header.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct CForm {
    context: *const u8,
    context_len: usize,
    prehash: u32,
}

/// The members of a [`CForm`]. [`FormMemory::read`] returns no error, so the exported function must
/// check `memory` and `context` before it calls [`FormMemory::to_form`].
pub struct FormMemory {
    /// The structure's memory.
    pub memory: CallerMemory,
    /// The context's memory.
    pub context: CallerMemory,
    prehash: u32,
}

impl FormMemory {
    /// Reads the structure. If the pointer is null, returns an empty form (without a context and
    /// without a pre-hash). If [`CallerMemory::check`] rejects the structure's memory, also returns
    /// an empty form. The exported function reports this error when it checks `memory`.
    ///
    /// # Safety
    /// The pointer must be null or point to a form.
    pub unsafe fn read(at: *const CForm) -> Self {
        let memory = CallerMemory::optional(at);
        if memory.len == 0 || memory.check().is_err() {
            return Self { memory, context: CallerMemory::new(core::ptr::null(), 0), prehash: 0 };
        }
        // SAFETY: the caller promises that a form is at this address. This read needs no alignment.
        let form = unsafe { at.read_unaligned() };
        Self { memory, context: CallerMemory::new(form.context, form.context_len), prehash: form.prehash }
    }

    /// Converts the members to the library's form. Fails if the pre-hash number is unknown.
    ///
    /// # Safety
    /// The context must meet the conditions of [`CallerMemory::bytes`].
    pub unsafe fn to_form<'a>(&self) -> Result<SignedForm<'a>, CallError> {
        let NumberedPreHash { hash, allow_weak, is_digest } = prehash(self.prehash)?;
        // SAFETY: the caller promises that the context meets the conditions of
        // [`CallerMemory::bytes`].
        let options = Options::with_context(unsafe { self.context.bytes() });
        Ok(SignedForm { options: options.with_prehash(hash).with_weak_prehash(allow_weak), is_digest })
    }
}

/// The type `struct fndsa_policy` in the C header.
#[cfg(feature = "policy")]
#[derive(Clone, Copy)]
#[repr(C)]
pub struct CPolicy {
    trusted_keys: *const u8,
    trusted_keys_len: usize,
    required: usize,
    expected: *const c_char,
    expected_len: usize,
    day: *const c_char,
    signature_format: u32,
    ssh_namespace: *const c_char,
    ssh_namespace_len: usize,
    signer: *const c_char,
    signer_len: usize,
}

/// The length of a day such as 2026-01-31, in bytes.
#[cfg(feature = "policy")]
const DAY_LEN: usize = 10;

/// The members of a [`CPolicy`]. [`PolicyMemory::read`] has checked the structure's memory, and has
/// checked that the pointer to the trusted keys is not null. The memory to which the policy's
/// pointers refer is not checked yet.
#[cfg(feature = "policy")]
pub struct PolicyMemory {
    /// The structure's memory.
    pub memory: CallerMemory,
    /// The contents of a file with trusted keys.
    pub trusted_keys: CallerMemory,
    /// The expected fingerprints.
    pub expected: CallerMemory,
    /// The verification day.
    pub day: CallerMemory,
    /// The namespace of SSH signatures.
    pub ssh_namespace: CallerMemory,
    /// The name of the signer.
    pub signer: CallerMemory,
    required: usize,
    signature_format: u32,
}

#[cfg(feature = "policy")]
impl PolicyMemory {
    /// Reads the structure. Fails if [`CallerMemory::check`] rejects the structure's memory, for
    /// example because `at` is null. Fails with [`CallError::Null`] if the policy's pointer to the
    /// trusted keys is null.
    ///
    /// # Safety
    /// The pointer must be null or point to a policy.
    pub unsafe fn read(at: *const CPolicy) -> Result<Self, CallError> {
        let memory = CallerMemory::of(at);
        memory.check()?;
        // SAFETY: the caller promises that a policy is at this address. This read needs no
        // alignment.
        let policy = unsafe { at.read_unaligned() };
        if policy.trusted_keys.is_null() {
            return Err(CallError::Null);
        }
        Ok(Self {
            memory,
            trusted_keys: CallerMemory::new(policy.trusted_keys, policy.trusted_keys_len),
            expected: CallerMemory::new(policy.expected.cast(), policy.expected_len),
            day: CallerMemory::new(policy.day.cast(), if policy.day.is_null() { 0 } else { DAY_LEN }),
            ssh_namespace: CallerMemory::new(policy.ssh_namespace.cast(), policy.ssh_namespace_len),
            signer: CallerMemory::new(policy.signer.cast(), policy.signer_len),
            required: policy.required,
            signature_format: policy.signature_format,
        })
    }

    /// Returns all memory that the policy refers to, and the structure's memory.
    pub fn inputs(&self) -> [CallerMemory; 6] {
        [self.memory, self.trusted_keys, self.expected, self.day, self.ssh_namespace, self.signer]
    }

    /// Returns the policy's values as slices.
    ///
    /// # Safety
    /// All memory of the policy must meet the conditions of [`CallerMemory::bytes`].
    pub unsafe fn parts<'a>(&self) -> PolicyParts<'a> {
        // SAFETY: the caller promises that all memory of the policy meets the conditions.
        let (trusted_keys, expected, day) =
            unsafe { (self.trusted_keys.bytes(), self.expected.bytes(), self.day.bytes()) };
        // SAFETY: the caller promises that all memory of the policy meets the conditions.
        let (ssh_namespace, signer) = unsafe { (self.ssh_namespace.bytes(), self.signer.bytes()) };
        PolicyParts {
            trusted_keys,
            required: self.required,
            expected: (!self.expected.at.is_null()).then_some(expected),
            day: (!self.day.at.is_null()).then_some(day),
            signature_format: self.signature_format,
            ssh_namespace: (!self.ssh_namespace.at.is_null()).then_some(ssh_namespace),
            signer: (!self.signer.at.is_null()).then_some(signer),
        }
    }
}

/// The type `struct fndsa_random` in the C header.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct CRandom {
    fill: Option<unsafe extern "C" fn(*mut c_void, *mut u8, usize) -> c_int>,
    state: *mut c_void,
}

/// A random generator: the caller's function, or the operating system.
pub enum RandomSource {
    Caller(unsafe extern "C" fn(*mut c_void, *mut u8, usize) -> c_int, *mut c_void),
    #[cfg(feature = "os-rng")]
    System,
}

impl RandomSource {
    /// Reads the structure. A null pointer selects the operating system's generator. If the build
    /// does not include this generator, a null pointer is an error. The function also fails if
    /// [`CallerMemory::check`] rejects the structure's memory, or if the structure contains no
    /// function.
    ///
    /// # Safety
    /// The pointer must be null or point to a generator. The generator's function must write as
    /// many bytes as requested, and must access no memory of the call except these bytes. It must
    /// return normally, and not leave the call with `longjmp` or an exception.
    pub unsafe fn read(at: *const CRandom) -> Result<Self, CallError> {
        if at.is_null() {
            #[cfg(feature = "os-rng")]
            return Ok(Self::System);
            #[cfg(not(feature = "os-rng"))]
            return Err(CallError::Random);
        }
        CallerMemory::of(at).check()?;
        // SAFETY: the caller promises that a generator is at this address. This read needs no
        // alignment.
        let random = unsafe { at.read_unaligned() };
        Ok(Self::Caller(random.fill.ok_or(CallError::Null)?, random.state))
    }
}

/// An error of the random generator.
#[derive(Debug)]
pub struct RandomSourceError;

impl core::fmt::Display for RandomSourceError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the generator returned an error")
    }
}

impl core::error::Error for RandomSourceError {}

impl TryRng for RandomSource {
    type Error = RandomSourceError;

    fn try_next_u32(&mut self) -> Result<u32, RandomSourceError> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes).map(|()| u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, RandomSourceError> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes).map(|()| u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), RandomSourceError> {
        match self {
            // SAFETY: the function gets the length of `out`. The caller of `read` promises that the
            // function writes exactly this number of bytes, that it does not access other memory of
            // the call, and that it returns normally.
            Self::Caller(fill, state) => match unsafe { fill(*state, out.as_mut_ptr(), out.len()) } {
                0 => Ok(()),
                _ => Err(RandomSourceError),
            },
            #[cfg(feature = "os-rng")]
            Self::System => getrandom::SysRng.try_fill_bytes(out).map_err(|_| RandomSourceError),
        }
    }
}

impl TryCryptoRng for RandomSource {}
