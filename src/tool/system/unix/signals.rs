//! Signals. Almost everywhere the default is right: the process dies and leaves nothing, because an unfinished output
//! has no name. During a few system calls it would leave something; there a signal waits.

use fndsa::descriptors::was_ignored;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::{SigId, flag, low_level};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use std::{io, thread};

/// The time between two looks whether a signal waits.
const WATCH: Duration = Duration::from_millis(20);

struct SignalState {
    /// How many holds there are.
    holders: Mutex<usize>,
    /// Whether a signal ends the process at once: nothing holds it.
    at_once: Arc<AtomicBool>,
    /// The number of the signal that came while there was a hold; 0 if none came.
    waiting: Arc<AtomicUsize>,
}

static STATE: OnceLock<SignalState> = OnceLock::new();

/// A hold on the signals that end a process: they wait while one lives.
pub struct Hold(&'static SignalState);

impl Hold {
    /// Begins to hold the signals.
    pub fn new() -> Self {
        let state = STATE.get_or_init(SignalState::new);
        let mut holders = state.holders.lock().unwrap_or_else(PoisonError::into_inner);
        *holders += 1;
        state.at_once.store(false, Ordering::SeqCst);
        Self(state)
    }
}

/// Lets a signal that waits end the process, for new holders that never leave a gap would keep it
/// waiting. For threads that work on one file after the other; the caller holds nothing.
pub fn obey() {
    while STATE.get().is_some_and(|state| state.waiting.load(Ordering::SeqCst) != 0) {
        drop(Hold::new());
        thread::yield_now();
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let mut holders = self.0.holders.lock().unwrap_or_else(PoisonError::into_inner);
        *holders -= 1;
        if *holders > 0 {
            return;
        }
        self.0.at_once.store(true, Ordering::SeqCst);
        if let Ok(signal @ 1..) = i32::try_from(self.0.waiting.swap(0, Ordering::SeqCst)) {
            end_by(signal);
        }
    }
}

/// Waits for something that a person does, between `change` and `restore` of a terminal: it would stay
/// without echo. A signal that comes meanwhile ends the process after `restore`.
///
/// The watcher lives while `wait` runs and not longer, and `wait` changes nothing. So nobody undoes what
/// the watcher has restored.
///
/// # Errors
/// `change` or `wait` failed, or there is no watcher.
pub fn interruptible<R>(
    change: impl FnOnce() -> io::Result<()>,
    restore: impl Fn() + Sync,
    wait: impl FnOnce() -> io::Result<R>,
) -> io::Result<R> {
    let hold = Hold::new();
    change()?;
    let done = AtomicBool::new(false);
    let result = thread::scope(|scope| {
        let watcher = thread::Builder::new().spawn_scoped(scope, || {
            while !done.load(Ordering::SeqCst) {
                if let Ok(signal @ 1..) = i32::try_from(hold.0.waiting.load(Ordering::SeqCst)) {
                    restore();
                    end_by(signal);
                }
                thread::park_timeout(WATCH);
            }
        })?;
        let result = wait();
        done.store(true, Ordering::SeqCst);
        watcher.thread().unpark();
        result
    });
    restore();
    result
}

/// Returns whether the process is the first of its system or container. The kernel discards a signal for
/// that process if no handler is installed, so the default action would never end the process.
fn is_first_process() -> bool {
    std::process::id() == 1
}

/// Ends the process by a signal, or by the exit code that a shell reports for that signal.
fn end_by(signal: i32) {
    if !is_first_process() {
        let _ = low_level::emulate_default_handler(signal);
    }
    low_level::exit(128 + signal)
}

/// Installs the handler that ends the process if `at_once` is set. Handlers of a signal run in the order in
/// which they are installed.
fn register_end(signal: i32, at_once: Arc<AtomicBool>) -> io::Result<SigId> {
    if is_first_process() {
        return flag::register_conditional_shutdown(signal, 128 + signal, at_once);
    }
    flag::register_conditional_default(signal, at_once)
}

impl SignalState {
    fn new() -> Self {
        let at_once = Arc::new(AtomicBool::new(true));
        let waiting = Arc::new(AtomicUsize::new(0));
        let state = Self { holders: Mutex::new(0), at_once, waiting };
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // What the parent had us ignore (`nohup`) stays so.
            if !was_ignored(signal) {
                // Both or neither matter; where handlers cannot be set, the default stays.
                let _ = register_end(signal, Arc::clone(&state.at_once));
                let _ = flag::register_usize(signal, Arc::clone(&state.waiting), signal as usize);
            }
        }
        state
    }
}

/// Prepares for signals that come at any time. A write over the size limit of the process (`ulimit -f`) becomes an
/// error of that write. The first process of a container gets its handlers now; any other process installs
/// them with its first [`Hold`].
pub fn prepare_signals() {
    let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    if is_first_process() {
        STATE.get_or_init(SignalState::new);
    }
}
