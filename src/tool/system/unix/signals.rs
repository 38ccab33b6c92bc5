//! Delays signals during a few system calls. At almost all times, the default action of a signal is
//! right: the process ends and leaves no files, because an unfinished output has no name. During a
//! few calls, a temporary file would remain. Therefore signals wait until these calls are done.

use fndsa::descriptors::was_ignored;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::{SigId, flag, low_level};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use std::{io, thread};

/// The interval between two checks for a waiting signal.
const WATCH: Duration = Duration::from_millis(20);

struct SignalState {
    /// The number of holds.
    holders: Mutex<usize>,
    /// Whether a signal ends the process at once, because there is no hold.
    at_once: Arc<AtomicBool>,
    /// The signal that arrived during a hold; 0 if no signal arrived.
    waiting: Arc<AtomicUsize>,
}

static STATE: OnceLock<SignalState> = OnceLock::new();

/// A hold on the signals that end a process. The signals wait until the hold is dropped.
pub struct SignalHold(&'static SignalState);

impl SignalHold {
    /// Starts to delay signals.
    pub fn new() -> Self {
        let state = STATE.get_or_init(SignalState::new);
        let mut holders = state.holders.lock().unwrap_or_else(PoisonError::into_inner);
        *holders += 1;
        state.at_once.store(false, Ordering::SeqCst);
        Self(state)
    }
}

/// Ends the process if a signal is waiting. Threads that process many files call this between
/// files. Without these calls, another thread could always have a hold, and the signal would never
/// end the process. The caller must not have a [`SignalHold`].
pub fn obey() {
    while matches!(STATE.get(), Some(state) if state.waiting.load(Ordering::SeqCst) != 0) {
        drop(SignalHold::new());
        thread::yield_now();
    }
}

impl Drop for SignalHold {
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

/// Waits for user input while a terminal has changed settings, between `change` and `restore`. If a
/// signal arrives, the process first calls `restore` and then ends, because a terminal without
/// echo is useless to the user.
///
/// The watcher thread runs only while `wait` runs, and `wait` does not change the settings. So the
/// settings that the watcher has restored are not changed again.
///
/// # Errors
/// `change` or `wait` failed, or the watcher could not start.
pub fn interruptible<R>(
    change: impl FnOnce() -> io::Result<()>,
    restore: impl Fn() + Sync,
    wait: impl FnOnce() -> io::Result<R>,
) -> io::Result<R> {
    let hold = SignalHold::new();
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

/// Returns whether the process is the first of its system or container. The kernel discards a
/// signal for that process if no handler is installed, so the default action would never end the
/// process.
fn is_first_process() -> bool {
    std::process::id() == 1
}

/// Ends the process with a signal, or with the exit code that a shell reports for that signal.
fn end_by(signal: i32) {
    if !is_first_process() {
        let _ = low_level::emulate_default_handler(signal);
    }
    low_level::exit(128 + signal)
}

/// Installs the handler that ends the process if `at_once` is set. The handlers of a signal run in
/// the order in which they are installed, so this handler runs before the handler that sets
/// `waiting`.
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
            // A signal that the parent process ignores (`nohup`) stays ignored.
            if !was_ignored(signal) {
                // The two handlers are useful only together. If they cannot be installed, the
                // default action remains.
                let _ = register_end(signal, Arc::clone(&state.at_once));
                let _ = flag::register_usize(signal, Arc::clone(&state.waiting), signal as usize);
            }
        }
        state
    }
}

/// Prepares for signals that arrive at any time. A write above the size limit of the process
/// (`ulimit -f`) becomes an error of that write. The first process of a container installs its
/// handlers now; other processes install them with their first [`SignalHold`].
pub fn prepare_signals() {
    let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    if is_first_process() {
        STATE.get_or_init(SignalState::new);
    }
}
