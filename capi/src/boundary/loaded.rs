//! Private keys of the Falcon family that are expanded into the caller's memory, to sign many
//! messages.

use super::arguments::{CForm, CRandom};
use super::memory::{CallerMemory, NO_MEMORY, check};
use super::return_code;
use super::signing::SigningCall;
use super::work::WorkMemory;
use crate::code::CallError;
use crate::numbered::{LOADED_HEADER_BYTES, NumberedAlgorithm, WorkLengths};
use crate::operation;
use core::ffi::{c_int, c_void};
use library::no_alloc::ExpandedSigningKeyIn;
use zeroize::Zeroize;

/// The start of a loaded key. The expanded key is in the bytes after the header.
struct LoadedKeyHeader {
    /// If the memory contains a loaded key, this field is the number that [`mark_for_address`]
    /// returns for the address of the header.
    mark: u64,
    numbered: NumberedAlgorithm,
    key: ExpandedSigningKeyIn<'static>,
}

/// The header starts at the first aligned address in the memory, so up to `align - 1` bytes before
/// the header are not used.
const _: () = assert!(size_of::<LoadedKeyHeader>() + align_of::<LoadedKeyHeader>() - 1 <= LOADED_HEADER_BYTES);

/// Several threads can sign with the same loaded key.
const _: fn() = || {
    fn is_sync<T: Sync>() {}
    is_sync::<ExpandedSigningKeyIn<'static>>();
};

/// Returns the mark for a loaded key at this address. A copy at a different address does not have
/// the correct mark, so all functions reject the copy. Its header would still refer to the memory
/// of the original.
fn mark_for_address(at: *const LoadedKeyHeader) -> u64 {
    0xa40f_67d9_3be8_152c ^ at.addr() as u64
}

/// Returns the address of the header in checked memory of at least [`LOADED_HEADER_BYTES`].
fn header_of(memory: CallerMemory) -> *mut LoadedKeyHeader {
    let start = memory.at.addr();
    let aligned = start.next_multiple_of(align_of::<LoadedKeyHeader>());
    memory.at.wrapping_add(aligned - start).cast()
}

/// Checks a private key in full, and expands it into the caller's memory.
///
/// # Safety
/// The same conditions apply as for [`fndsa_keygen`](super::fndsa_keygen).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_load_key(
    algorithm: u32,
    private: *const u8,
    private_len: usize,
    loaded: *mut c_void,
    loaded_len: usize,
    work: *mut u8,
    work_len: usize,
) -> c_int {
    return_code(|| {
        let numbered = NumberedAlgorithm::from_id(algorithm)?;
        let private = CallerMemory::new(private, private_len);
        let loaded = CallerMemory::new(loaded.cast(), loaded_len);
        let mut work = WorkMemory::new(work, work_len);
        check(&[private], &[loaded, work.given])?;
        if numbered.loaded_key_len() == 0 {
            return Err(CallError::Algorithm);
        }
        if loaded_len < numbered.loaded_key_len() {
            return Err(CallError::Length);
        }
        work.provide(WorkLengths::exactly(numbered.sign_work_len()))?;
        // SAFETY: the caller promises correct pointers and lengths, and `check` has found no error
        // in them. The header is aligned, and fits in the first `LOADED_HEADER_BYTES` bytes. The
        // expanded key uses only the bytes after these bytes.
        unsafe {
            let (_, key) = loaded.zeroed().split_at_mut(LOADED_HEADER_BYTES);
            let at = header_of(loaded);
            let key = operation::expand(numbered, private.bytes(), key, work.zeroed())?;
            at.write(LoadedKeyHeader { mark: mark_for_address(at), numbered, key });
        }
        Ok(())
    })
}

/// Signs a message with a loaded key.
///
/// # Safety
/// The same conditions apply as for [`fndsa_keygen`](super::fndsa_keygen). No other code may write
/// to the memory of the loaded key after [`fndsa_load_key`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_sign_loaded(
    loaded: *const c_void,
    loaded_len: usize,
    form: *const CForm,
    message: *const u8,
    message_len: usize,
    signature: *mut u8,
    signature_len: *mut usize,
    random: *const CRandom,
    work: *mut u8,
    work_len: usize,
) -> c_int {
    return_code(|| {
        let loaded = CallerMemory::new(loaded.cast(), loaded_len);
        // If the loaded key cannot be used, `header` contains the error. `run` returns this error
        // after it has set `signature_len` to 0.
        let header = if loaded.check().is_err() || loaded_len < LOADED_HEADER_BYTES {
            Err(CallError::State)
        } else {
            let at = header_of(loaded);
            // SAFETY: the caller promises that no other code writes to the loaded key. The header
            // is inside the checked memory. If `mark` is the number that `mark_for_address`
            // returns, then the header is valid.
            unsafe {
                if (&raw const (*at).mark).read() == mark_for_address(at) { Ok(&*at) } else { Err(CallError::State) }
            }
        };
        let call = SigningCall {
            numbered: header.and_then(|header| {
                // `run` checks overlaps for `loaded_len` bytes, and these bytes must contain the
                // whole key.
                if loaded_len < header.numbered.loaded_key_len() { Err(CallError::Length) } else { Ok(header.numbered) }
            }),
            inputs: [loaded, NO_MEMORY],
            state: NO_MEMORY,
            form,
            message: CallerMemory::new(message, message_len),
            signature,
            signature_len,
            random,
            work: &mut WorkMemory::new(work, work_len),
        };
        // SAFETY: the caller promises correct pointers and lengths. `run` checks that the memory of
        // the loaded key does not overlap an output before it calls the closure.
        unsafe {
            call.run(
                |numbered| WorkLengths::exactly(numbered.sign_loaded_work_len()),
                |slices| {
                    let (numbered, key, form, message) = (slices.numbered, &header?.key, slices.form, slices.message);
                    let (signature, random) = (&mut *slices.signature, &mut slices.random);
                    operation::sign_expanded(numbered, key, form, message, signature, random, slices.work)
                },
            )
        }
    })
}

/// Wipes memory, for example a private key or a loaded key.
///
/// # Safety
/// The pointer must be null or point to `len` bytes, and no other code may use these bytes during
/// the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fndsa_wipe(memory: *mut c_void, len: usize) -> c_int {
    return_code(|| {
        let memory = CallerMemory::new(memory.cast(), len);
        memory.check()?;
        // SAFETY: the caller promises that `memory` has `len` bytes, and the memory was checked.
        unsafe { memory.zeroed() }.zeroize();
        Ok(())
    })
}
