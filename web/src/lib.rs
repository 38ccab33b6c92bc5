//! The module of the page in `web/`: it reads keys, signatures and lists as the command line does,
//! verifies, and says why not in the same words, with hints for readers who have a browser alone.
//! It is built for WebAssembly alone; for other targets this crate is empty.
//!
//! The host asks for room by [`room`], writes bytes there, and calls a function with their number. A function that can refuse
//! returns 0 then, and what it says is an object in JSON with members as in `docs/json.md`, at [`answer`]. Only the number
//! [`Verified::YES`](fndsa::no_alloc::Verified::YES) from [`finish`], [`finish_list`], [`finish_inline`] and [`finish_listed`] is a YES.
//!
//! Whatever the host does, the module reads and writes its own memory alone.
#![cfg(target_arch = "wasm32")]

mod desk;
mod files;
mod hints;
mod pending;

use desk::Desk;
use files::Refusal;
use serde_json::Value;
use std::cell::RefCell;

/// More bytes than that are never asked for: the longest list that the command line reads has as many.
const MAX_ROOM: usize = 256 << 20;

/// What the module keeps between two calls.
#[derive(Default)]
struct State {
    desk: Desk,
    room: Vec<u8>,
    answer: Vec<u8>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

impl State {
    /// Does something with the first `len` bytes of the room, and keeps what is to be said. A length that there is no room for is
    /// refused.
    fn with<R: Default>(len: usize, act: impl FnOnce(&mut Desk, &[u8]) -> (R, Value)) -> R {
        STATE.with_borrow_mut(|state| {
            state.answer.clear();
            let Some(bytes) = state.room.get(..len) else { return R::default() };
            let (result, answer) = act(&mut state.desk, bytes);
            state.answer = answer.to_string().into_bytes();
            result
        })
    }

    /// Does something that may be refused. 1 if it was done.
    fn accepts(len: usize, act: impl FnOnce(&mut Desk, &[u8]) -> Result<Value, Refusal>) -> u32 {
        Self::with(len, |desk, bytes| match act(desk, bytes) {
            Ok(answer) => (1, answer),
            Err(refusal) => (0, refusal.value()),
        })
    }

    /// Asks for a verdict. Its number if there is one.
    fn decides(len: usize, act: impl FnOnce(&mut Desk, &[u8]) -> Result<(u32, Value), Refusal>) -> u32 {
        Self::with(len, |desk, bytes| match act(desk, bytes) {
            Ok(decided) => decided,
            Err(refusal) => (0, refusal.value()),
        })
    }
}

/// Returns where `len` bytes may be written until the next call; null if that is too many.
#[unsafe(no_mangle)]
pub extern "C" fn room(len: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        if len > MAX_ROOM {
            return std::ptr::null_mut();
        }
        if state.room.len() < len {
            state.room.resize(len, 0);
        }
        state.room.as_mut_ptr()
    })
}

/// Returns where the answer to the last call stands, as JSON in UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    STATE.with_borrow(|state| state.answer.as_ptr())
}

/// Returns the length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer_len() -> usize {
    STATE.with_borrow(|state| state.answer.len())
}

/// Says which algorithms and pre-hashes there are, by name, and how long a key or signature may be.
#[unsafe(no_mangle)]
pub extern "C" fn names() -> u32 {
    State::with(0, |_, _| (1, files::names()))
}

/// Says what a file is, of which the first `len` bytes are given: all of them if `whole` is not 0.
#[unsafe(no_mangle)]
pub extern "C" fn look(len: usize, whole: u32) -> u32 {
    State::with(len, |_, bytes| (1, files::look(bytes, whole != 0)))
}

/// Forgets everything, the room too.
#[unsafe(no_mangle)]
pub extern "C" fn reset() {
    STATE.take();
}

/// Takes keys for those of the algorithm of this name from now on; no bytes are no name.
#[unsafe(no_mangle)]
pub extern "C" fn algorithm(len: usize) -> u32 {
    State::accepts(len, Desk::take_algorithm)
}

/// Adds the public keys of a file.
#[unsafe(no_mangle)]
pub extern "C" fn keys(len: usize) -> u32 {
    State::accepts(len, Desk::add_keys)
}

/// Lets the key with this fingerprint count, and no other that is not named so, too.
#[unsafe(no_mangle)]
pub extern "C" fn expect(len: usize) -> u32 {
    State::accepts(len, Desk::expect)
}

/// Says whether each of several keys must have signed, if it is not 0, or whether one of them is enough. Each must until this is called.
#[unsafe(no_mangle)]
pub extern "C" fn require_each(each: u32) -> u32 {
    State::accepts(0, |desk, _| desk.require_each(each != 0))
}

/// Takes the context, in hexadecimal if `hexadecimal` is not 0.
#[unsafe(no_mangle)]
pub extern "C" fn context(len: usize, hexadecimal: u32) -> u32 {
    State::accepts(len, |desk, bytes| desk.take_context(bytes, hexadecimal != 0))
}

/// Takes the pre-hash of this name; no bytes are no pre-hash.
#[unsafe(no_mangle)]
pub extern "C" fn prehash(len: usize) -> u32 {
    State::accepts(len, Desk::take_prehash)
}

/// Takes what files are: `message`, `digest` or `mu`.
#[unsafe(no_mangle)]
pub extern "C" fn input(len: usize) -> u32 {
    State::accepts(len, Desk::take_input)
}

/// Begins to verify the signature of a file.
#[unsafe(no_mangle)]
pub extern "C" fn begin(len: usize) -> u32 {
    State::accepts(len, Desk::begin)
}

/// Takes the next bytes of the message or of a listed file.
#[unsafe(no_mangle)]
pub extern "C" fn update(len: usize) -> u32 {
    State::accepts(len, Desk::update)
}

/// Ends the message, and returns the verdict on it.
#[unsafe(no_mangle)]
pub extern "C" fn finish() -> u32 {
    State::decides(0, |desk, _| desk.finish())
}

/// Takes all bytes of a list as the message, and returns the verdict on them. Only a list with a YES is read. `seconds` have passed since
/// the beginning of 1970.
#[unsafe(no_mangle)]
pub extern "C" fn finish_list(len: usize, seconds: u32) -> u32 {
    State::decides(len, |desk, bytes| desk.finish_list(bytes, seconds))
}

/// Takes all bytes of a list with its signature in it, and returns the verdict on them, as [`finish_list`] does.
#[unsafe(no_mangle)]
pub extern "C" fn finish_inline(len: usize, seconds: u32) -> u32 {
    State::decides(len, |desk, bytes| desk.finish_inline(bytes, seconds))
}

/// Begins to compare a file of this name with the list that was verified.
#[unsafe(no_mangle)]
pub extern "C" fn begin_listed(len: usize) -> u32 {
    State::accepts(len, Desk::begin_listed)
}

/// Ends the file that is compared with the list, and returns the verdict on it.
#[unsafe(no_mangle)]
pub extern "C" fn finish_listed() -> u32 {
    State::decides(0, |desk, _| desk.finish_listed())
}

/// Says which names of the list no file was compared with.
#[unsafe(no_mangle)]
pub extern "C" fn missing() -> u32 {
    State::accepts(0, |desk, _| desk.missing())
}
