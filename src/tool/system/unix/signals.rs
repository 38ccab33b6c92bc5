//! Delays signals while a temporary file exists. At all other times, the default action of a signal
//! can end the process. No file remains then, because an unfinished output has no name.

use fndsa::descriptors::was_ignored;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::{SigId, flag, low_level};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use std::{io, thread};

/// The interval at which [`interruptible`] checks for a waiting signal.
const WATCH: Duration = Duration::from_millis(20);

struct SignalState {
    /// The number of [`SignalHold`] values.
    holders: Mutex<usize>,
    /// True if there is no [`SignalHold`], so a signal ends the process immediately.
    at_once: Arc<AtomicBool>,
    /// The signal that arrived during a hold, or 0.
    waiting: Arc<AtomicUsize>,
}

static STATE: OnceLock<SignalState> = OnceLock::new();

/// A hold on the signals that end the process. The signals wait until this value is dropped.
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

/// Ends the process if a signal is waiting, as soon as all [`SignalHold`] values are dropped.
/// Threads that process many files call this function between two files. Otherwise, a signal might
/// never end the process, because at any time one of the threads could have a hold. The caller must
/// not have a [`SignalHold`].
pub fn end_if_signaled() {
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

/// Calls `change` to change the settings of a terminal, `wait` to wait for user input, and
/// `restore` to restore the settings. If a signal arrives, the process calls `restore` before it
/// ends, because a terminal without echo would be useless to the user.
///
/// The watcher is a thread that checks for signals. The watcher runs only while `wait` runs, and
/// `wait` must not change the settings. Otherwise, `change` or `wait` could change the settings
/// after the watcher has restored them.
///
/// # Errors
/// Fails if `change` or `wait` fails, or if the watcher cannot start.
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

/// Returns whether this is the first process of the system or of a container. For this process, the
/// kernel discards a signal without a handler, so the default action would never end the process.
fn is_first_process() -> bool {
    std::process::id() == 1
}

/// Ends the process with a signal, or with the exit code that a shell reports for this signal.
fn end_by(signal: i32) {
    if !is_first_process() {
        let _ = low_level::emulate_default_handler(signal);
    }
    low_level::exit(128 + signal)
}

/// Installs the handler that ends the process if `at_once` is set. The handlers of a signal run in
/// the order of their installation, so this handler runs before the handler that sets `waiting`.
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
            // A signal that the parent process ignores, for example because of `nohup`, stays
            // ignored.
            if !was_ignored(signal) {
                // The two handlers work only together. If they cannot be installed, the default
                // action remains.
                let _ = register_end(signal, Arc::clone(&state.at_once));
                let _ = flag::register_usize(signal, Arc::clone(&state.waiting), signal as usize);
            }
        }
        state
    }
}

/// Prepares the handling of signals. After this call, if a file exceeds the maximum file size of
/// the process (`ulimit -f`), the write returns an error and does not cause a signal. The first
/// process of the system or of a container now installs the handlers for SIGINT, SIGTERM and
/// SIGHUP. All other processes install these handlers with their first [`SignalHold`].
pub fn prepare_signals() {
    let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    if is_first_process() {
        STATE.get_or_init(SignalState::new);
    }
}
