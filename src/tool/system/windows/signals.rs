//! Delays Ctrl-C, Ctrl-Break, and the end of a console, a session or the machine while a temporary
//! file exists: the control handler waits until the file is complete or removed. At all other
//! times, the default action is right: the process ends with 0xC000013A and leaves no files. The
//! system runs the handler in a separate thread. If the console is closed, the handler has only a
//! few seconds.

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

/// Handles an event. Waits until there are no [`SignalHold`] values, or until a question is open.
/// If a question is open, restores the mode of the console. Then ends the process.
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
    // The lock is kept until the process ends, so that no new hold can start.
    std::process::exit(CONTROL_C_EXIT);
}

/// Waits until the process ends, if an event has requested the end of the process. Threads that
/// process many files call this function between two files. Without these calls, an event might
/// never end the process, because another thread could always have a hold. The caller must not have
/// a [`SignalHold`].
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

/// Does nothing. On Windows, no signal reports a size limit, and every process has the default
/// actions for events.
pub fn prepare_signals() {}
