//! The WebAssembly module of the page in `web/`. This module reads keys, signatures and lists, and
//! verifies files and lists, as the command line does. It explains a NO in the same words, but with
//! hints for users who only have a browser. For all targets except wasm32, this crate is empty.
//!
//! The host is the script `worker.js`. It calls [`room`] to get a buffer, writes bytes to this
//! buffer, and calls a function with the number of bytes. If a function can fail, it returns 0
//! after an error. The host then reads a JSON object at [`answer`], with members as in
//! `docs/json.md`. The verdict is YES only if [`finish`], [`finish_list`], [`finish_inline`] or
//! [`finish_listed`] returns the number [`Verified::YES`](fndsa::no_alloc::Verified::YES).
//!
//! The module only accesses its own memory, even if the host makes wrong calls.
#![cfg(target_arch = "wasm32")]

mod files;
mod formats;
mod hints;
mod pending;
mod session;

use files::PageError;
use serde_json::Value;
use session::PageSession;
use std::cell::RefCell;

/// The maximum buffer size in bytes: as long as the longest list that the command line reads.
const MAX_BUFFER_LEN: usize = 256 << 20;

/// The data that the module keeps between two calls.
#[derive(Default)]
struct ModuleState {
    session: PageSession,
    /// The buffer that the host writes to.
    buffer: Vec<u8>,
    /// The JSON text from the last call, which the host reads.
    answer: Vec<u8>,
}

thread_local! {
    static STATE: RefCell<ModuleState> = RefCell::default();
}

impl ModuleState {
    /// Runs `act` with the first `len` bytes of the buffer, and stores the answer from `act` for
    /// the host. Returns the result of `act`. If the buffer has fewer than `len` bytes, this
    /// function returns the default value and does not run `act`.
    fn with<R: Default>(len: usize, act: impl FnOnce(&mut PageSession, &[u8]) -> (R, Value)) -> R {
        STATE.with_borrow_mut(|state| {
            state.answer.clear();
            let Some(bytes) = state.buffer.get(..len) else { return R::default() };
            let (result, answer) = act(&mut state.session, bytes);
            state.answer = answer.to_string().into_bytes();
            result
        })
    }

    /// Runs an action that can fail. Returns 1 if the action succeeded, and 0 if not.
    fn run_action(len: usize, act: impl FnOnce(&mut PageSession, &[u8]) -> Result<Value, PageError>) -> u32 {
        Self::with(len, |session, bytes| match act(session, bytes) {
            Ok(answer) => (1, answer),
            Err(error) => (0, error.value()),
        })
    }

    /// Runs an action with a verdict. Returns the verdict's number, or 0 if there is an error.
    fn run_verification(
        len: usize,
        act: impl FnOnce(&mut PageSession, &[u8]) -> Result<(u32, Value), PageError>,
    ) -> u32 {
        Self::with(len, |session, bytes| match act(session, bytes) {
            Ok(decided) => decided,
            Err(error) => (0, error.value()),
        })
    }
}

/// Returns the address of a buffer for `len` bytes. The address is valid until the next call of
/// `room` or [`reset`]. Returns null if `len` is greater than 256 MiB.
#[unsafe(no_mangle)]
pub extern "C" fn room(len: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        if len > MAX_BUFFER_LEN {
            return std::ptr::null_mut();
        }
        if state.buffer.len() < len {
            state.buffer.resize(len, 0);
        }
        state.buffer.as_mut_ptr()
    })
}

/// Returns the address of the last answer, as JSON in UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    STATE.with_borrow(|state| state.answer.as_ptr())
}

/// Returns the length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer_len() -> usize {
    STATE.with_borrow(|state| state.answer.len())
}

/// Answers with all algorithm and pre-hash names, and with the maximum size of a signature file. If
/// a key or signature file is larger, the host passes only its first bytes, one more than this
/// size, so that the module reports an error.
#[unsafe(no_mangle)]
pub extern "C" fn names() -> u32 {
    ModuleState::with(0, |_, _| (1, files::names()))
}

/// Identifies a file from its first `len` bytes. If `whole` is not 0, these bytes are the whole
/// file.
#[unsafe(no_mangle)]
pub extern "C" fn look(len: usize, whole: u32) -> u32 {
    ModuleState::with(len, |_, bytes| (1, files::describe_file(bytes, whole != 0)))
}

/// Removes all data, including the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn reset() {
    STATE.take();
}

/// Sets the algorithm with this name for all keys that are added later. An empty name removes this
/// setting.
#[unsafe(no_mangle)]
pub extern "C" fn algorithm(len: usize) -> u32 {
    ModuleState::run_action(len, PageSession::set_algorithm)
}

/// Adds the public keys from a file.
#[unsafe(no_mangle)]
pub extern "C" fn keys(len: usize) -> u32 {
    ModuleState::run_action(len, PageSession::add_keys)
}

/// Adds an expected fingerprint. If there are expected fingerprints, only keys with these
/// fingerprints are accepted.
#[unsafe(no_mangle)]
pub extern "C" fn expect(len: usize) -> u32 {
    ModuleState::run_action(len, PageSession::add_expected)
}

/// Sets whether all keys must have signed (if `each` is not 0), or whether a signature by a single
/// key is enough. The default is all keys.
#[unsafe(no_mangle)]
pub extern "C" fn require_each(each: u32) -> u32 {
    ModuleState::run_action(0, |session, _| session.require_each(each != 0))
}

/// Sets the context. If `hexadecimal` is not 0, the bytes are in hexadecimal.
#[unsafe(no_mangle)]
pub extern "C" fn context(len: usize, hexadecimal: u32) -> u32 {
    ModuleState::run_action(len, |session, bytes| session.set_context(bytes, hexadecimal != 0))
}

/// Sets the pre-hash with this name. An empty name means no pre-hash.
#[unsafe(no_mangle)]
pub extern "C" fn prehash(len: usize) -> u32 {
    ModuleState::run_action(len, PageSession::set_prehash)
}

/// Sets the signed file's type: `message`, `digest` or `mu`.
#[unsafe(no_mangle)]
pub extern "C" fn input(len: usize) -> u32 {
    ModuleState::run_action(len, PageSession::set_input)
}

/// Sets the namespace for SSH signatures. An empty name means that no namespace is given.
#[unsafe(no_mangle)]
pub extern "C" fn namespace(len: usize) -> u32 {
    ModuleState::run_action(len, PageSession::set_namespace)
}

/// Begins a verification with a signature file's contents. The contents determine the file's
/// format.
#[unsafe(no_mangle)]
pub extern "C" fn begin(len: usize) -> u32 {
    ModuleState::run_action(len, PageSession::begin)
}

/// Adds the next bytes of a message or listed file.
#[unsafe(no_mangle)]
pub extern "C" fn update(len: usize) -> u32 {
    ModuleState::run_action(len, PageSession::update)
}

/// Ends the message and returns the verdict.
#[unsafe(no_mangle)]
pub extern "C" fn finish() -> u32 {
    ModuleState::run_verification(0, |session, _| session.finish())
}

/// Verifies a list as the message of a signature file, and returns the verdict. The list is only
/// parsed if the verdict is YES. `seconds` is the current time, in seconds since the beginning of
/// 1970.
#[unsafe(no_mangle)]
pub extern "C" fn finish_list(len: usize, seconds: u32) -> u32 {
    ModuleState::run_verification(len, |session, bytes| session.finish_list(bytes, seconds))
}

/// Verifies a list with an inline signature and returns the verdict, like [`finish_list`].
#[unsafe(no_mangle)]
pub extern "C" fn finish_inline(len: usize, seconds: u32) -> u32 {
    ModuleState::run_verification(len, |session, bytes| session.finish_inline(bytes, seconds))
}

/// Begins to compare a file with the verified list. The input is the file name.
#[unsafe(no_mangle)]
pub extern "C" fn begin_listed(len: usize) -> u32 {
    ModuleState::run_action(len, PageSession::begin_listed)
}

/// Ends the file that is compared with the list, and returns the verdict.
#[unsafe(no_mangle)]
pub extern "C" fn finish_listed() -> u32 {
    ModuleState::run_verification(0, |session, _| session.finish_listed())
}

/// Answers with the names in the list that were not compared with a file.
#[unsafe(no_mangle)]
pub extern "C" fn missing() -> u32 {
    ModuleState::run_action(0, |session, _| session.missing())
}
