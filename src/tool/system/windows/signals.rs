//! Ctrl-C, Ctrl-Break, and the end of a console, a session or the machine. Almost always the default is right: the
//! process ends with 0xC000013A and leaves nothing. While something would be left, the control handler waits; the system
//! runs it in a thread of its own, and gives it a few seconds where the console is closed.

use super::calls::{CtrlHandler, handle_ctrl};
use std::fs::File;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use winapi_util::console;

/// The exit code of a process that Ctrl-C has ended, as the default handler gives it.
const CONTROL_C_EXIT: i32 = 0xC000_013A_u32.cast_signed();

/// What the handler waits for.
struct State {
    /// How many holds there are.
    holders: usize,
    /// The console that has another mode while a question is open, and the mode it had.
    question: Option<(File, u32)>,
}

static STATE: Mutex<State> = Mutex::new(State { holders: 0, question: None });
static CHANGED: Condvar = Condvar::new();
/// Whether the process is to end.
static WAITING: AtomicBool = AtomicBool::new(false);
static HANDLER: OnceLock<()> = OnceLock::new();

/// A hold on what ends a process: it waits while one lives.
pub struct Hold(());

impl Hold {
    /// Begins to hold.
    pub fn new() -> Self {
        // Where no handler can be set, the default stays.
        HANDLER.get_or_init(|| drop(handle_ctrl(on_ctrl as CtrlHandler)));
        state().holders += 1;
        Self(())
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let last = {
            let mut state = state();
            state.holders -= 1;
            state.holders == 0
        };
        CHANGED.notify_all();
        if last {
            obey();
        }
    }
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until nothing is held, and ends the process.
fn on_ctrl() {
    WAITING.store(true, Ordering::SeqCst);
    let mut state = state();
    while state.holders > 0 && state.question.is_none() {
        state = CHANGED.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
    if let Some((console, mode)) = &state.question {
        // Nobody is left to be told if that fails.
        let _ = console::set_mode(console, *mode);
    }
    // The lock is held until the end: nothing begins any more.
    std::process::exit(CONTROL_C_EXIT);
}

/// Lets the end that waits come, for new holders that never leave a gap would keep it waiting. For threads that work on
/// one file after the other; the caller holds nothing.
pub fn obey() {
    while WAITING.load(Ordering::SeqCst) {
        thread::park();
    }
}

/// Changes the mode of a console until the question is dropped, or the process ends.
///
/// # Errors
/// The mode cannot be changed.
pub fn change_mode(console: &File, mode: u32) -> std::io::Result<Question> {
    let hold = Hold::new();
    let before = console::mode(console)?;
    state().question = Some((console.try_clone()?, before));
    let question = Question(hold);
    console::set_mode(console, mode)?;
    Ok(question)
}

/// A console with another mode, which it loses when this is dropped.
pub struct Question(Hold);

impl Drop for Question {
    fn drop(&mut self) {
        if let Some((console, mode)) = state().question.take() {
            let _ = console::set_mode(&console, mode);
        }
    }
}

/// Does nothing: Windows has neither a signal for a size limit nor a first process without default actions.
pub fn prepare_signals() {}
