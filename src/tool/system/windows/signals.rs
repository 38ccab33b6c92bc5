//! Delays Ctrl-C, Ctrl-Break, and the end of a console, a session or the machine while a temporary
//! file exists. The control handler, which the system runs in a separate thread, waits for the file
//! to be completed or removed. If the console is closed, the handler can only wait for a few
//! seconds. At all other times, the default action can end the process (with 0xC000013A), because
//! the process leaves no files.

use super::calls::{CtrlHandler, handle_ctrl};
use std::fs::File;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use winapi_util::console;

/// The exit code after Ctrl-C, which is also the exit code of Windows' default handler.
const CONTROL_C_EXIT: i32 = 0xC000_013A_u32.cast_signed();

/// The state that the handler waits for.
struct HandlerState {
    /// The number of [`SignalHold`] values.
    holders: usize,
    /// The console of an open question (a password prompt), and the mode of this console before
    /// [`change_mode`] changed it.
    saved_mode: Option<(File, u32)>,
}

static STATE: Mutex<HandlerState> = Mutex::new(HandlerState { holders: 0, saved_mode: None });
static CHANGED: Condvar = Condvar::new();
/// Whether an event has requested the end of the process.
static WAITING: AtomicBool = AtomicBool::new(false);
static HANDLER: OnceLock<()> = OnceLock::new();

/// A hold on the events that end the process. The events wait until this value is dropped.
pub struct SignalHold(());

impl SignalHold {
    /// Starts to delay the events.
    pub fn new() -> Self {
        // If the handler cannot be installed, the default action remains.
        HANDLER.get_or_init(|| drop(handle_ctrl(on_ctrl as CtrlHandler)));
        state().holders += 1;
        Self(())
    }
}

impl Drop for SignalHold {
    fn drop(&mut self) {
        let last = {
            let mut state = state();
            state.holders -= 1;
            state.holders == 0
        };
        CHANGED.notify_all();
        if last {
            end_if_signaled();
        }
    }
}

fn state() -> MutexGuard<'static, HandlerState> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Handles an event: waits until all [`SignalHold`] values are dropped or a question is open,
/// restores the mode of the console if a question is open, and ends the process.
fn on_ctrl() {
    WAITING.store(true, Ordering::SeqCst);
    let mut state = state();
    while state.holders > 0 && state.saved_mode.is_none() {
        state = CHANGED.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
    if let Some((console, mode)) = &state.saved_mode {
        // The error is ignored, because the process ends now.
        let _ = console::set_mode(console, *mode);
    }
    // Keep the lock until the process ends, to prevent a new hold.
    std::process::exit(CONTROL_C_EXIT);
}

/// Waits for the end of the process if an event has requested it. Threads that process many files
/// call this function between two files. Otherwise, an event might never end the process, because
/// at any time one of the threads could have a hold. The caller must not have a [`SignalHold`].
pub fn end_if_signaled() {
    while WAITING.load(Ordering::SeqCst) {
        thread::park();
    }
}

/// Changes the mode of a console. The previous mode is restored when the returned guard is dropped
/// or the process ends.
///
/// # Errors
/// Fails if the mode cannot be changed.
pub fn change_mode(console: &File, mode: u32) -> std::io::Result<ConsoleGuard> {
    let hold = SignalHold::new();
    let before = console::mode(console)?;
    state().saved_mode = Some((console.try_clone()?, before));
    let guard = ConsoleGuard(hold);
    console::set_mode(console, mode)?;
    Ok(guard)
}

/// A changed mode of a console. The previous mode is restored on drop.
pub struct ConsoleGuard(SignalHold);

impl Drop for ConsoleGuard {
    fn drop(&mut self) {
        if let Some((console, mode)) = state().saved_mode.take() {
            let _ = console::set_mode(&console, mode);
        }
    }
}

/// Does nothing. Windows does not report size limits by signals, and has default actions for events
/// in all processes.
pub fn prepare_signals() {}
