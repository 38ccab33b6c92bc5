//! Progress bars and notices, which are only shown on a terminal.

use super::OutputOptions;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Display;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// The time before a progress bar appears. A shorter operation has no progress bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// The display for progress bars, and for the notice that fndsa waits for a FIFO.
#[derive(Clone)]
pub struct ProgressDisplay {
    screen: Option<MultiProgress>,
    /// Whether the display shows bars. If not, it shows only notices.
    has_bars: bool,
}

impl ProgressDisplay {
    /// Creates a display that shows progress bars if standard error is a terminal and the options
    /// allow progress bars.
    pub fn new(output: OutputOptions) -> Self {
        let shown = output.progress && output.quiet == 0 && !output.json && std::io::stderr().is_terminal();
        Self { screen: shown.then(|| MultiProgress::with_draw_target(ProgressDrawTarget::stderr())), has_bars: true }
    }

    /// Creates a display that shows neither progress bars nor notices.
    pub const fn none() -> Self {
        Self { screen: None, has_bars: false }
    }

    /// Returns a display without bars. If several threads work on files, each file uses this
    /// display, because only the total has a bar.
    pub fn without_bars(&self) -> Self {
        Self { screen: self.screen.clone(), has_bars: false }
    }

    /// Prints a notice that fndsa waits for another program, if `is_fifo` returns true. `is_fifo`
    /// is called only if notices are shown.
    pub fn notice_fifo(&self, source: &dyn Display, is_fifo: impl FnOnce() -> bool) {
        if let Some(screen) = self.screen.as_ref().filter(|_| is_fifo()) {
            // An error is ignored, because a user who has closed the terminal does not need the
            // notice.
            let _ = screen.println(format!(
                "note: {source}: this is a FIFO, and fndsa waits for the program that writes to the FIFO"
            ));
        }
    }

    /// Creates a bar for reading an input. `total` is its length in bytes, or 0 if the length is
    /// unknown.
    pub fn bytes(&self, source: &dyn Display, total: u64) -> OperationProgress {
        let style = if total == 0 {
            "{spinner} {msg} {bytes} {bytes_per_sec}"
        } else {
            "{msg} {bar:30} {bytes}/{total_bytes} {bytes_per_sec} {eta}"
        };
        self.bar(total, style, || source.to_string())
    }

    /// Creates a bar for an operation with `total` steps.
    pub fn steps(&self, what: &str, total: u64) -> OperationProgress {
        self.bar(total, "{msg} {bar:30} {pos}/{len}", || what.to_owned())
    }

    fn bar(&self, total: u64, style: &'static str, message: impl FnOnce() -> String) -> OperationProgress {
        let screen = self.screen.clone().filter(|_| self.has_bars);
        let message = screen.as_ref().map(|_| message()).unwrap_or_default();
        OperationProgress { screen, start: Instant::now(), total, style, message, bar: None }
    }
}

/// The progress bar of an operation, which disappears on drop.
pub struct OperationProgress {
    screen: Option<MultiProgress>,
    start: Instant,
    total: u64,
    style: &'static str,
    message: String,
    bar: Option<ProgressBar>,
}

impl OperationProgress {
    /// Sets the position in bytes or steps.
    pub fn at(&mut self, position: u64) {
        let Some(screen) = &self.screen else { return };
        if self.bar.is_none() && self.start.elapsed() > PATIENCE {
            let style = ProgressStyle::with_template(self.style).unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::hidden().with_message(self.message.clone()).with_style(style);
            let bar = bar.with_position(position).with_elapsed(self.start.elapsed());
            bar.set_length(self.total);
            // The displayed speed should not include the time before the bar appeared.
            bar.reset_eta();
            self.bar = Some(screen.add(bar));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(position);
        }
    }

    /// Sets the position, and calls `take`, which processes the next result. `prints` states
    /// whether `take` prints text. If so, hides all bars during the call.
    pub fn take_result(&mut self, position: u64, prints: bool, take: &mut dyn FnMut()) {
        self.at(position);
        if prints { self.pause(take) } else { take() }
    }

    /// Hides all bars while `print` runs, so that its output does not overlap a bar.
    pub fn pause<R>(&self, print: impl FnOnce() -> R) -> R {
        match &self.screen {
            Some(screen) => screen.suspend(print),
            None => print(),
        }
    }
}

impl Drop for OperationProgress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
