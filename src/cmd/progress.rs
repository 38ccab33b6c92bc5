//! Progress of long work, on a terminal only.

use super::io::Source;
use super::report::Voice;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_millis(500);

/// Whether progress is shown at all.
#[derive(Clone, Copy)]
pub struct Progress {
    shown: bool,
}

impl Progress {
    /// Only when standard error is a terminal and nobody asked for quiet.
    pub fn new(voice: Voice) -> Self {
        Self { shown: voice.progress && voice.quiet == 0 && std::io::stderr().is_terminal() }
    }

    /// Reading an input of `total` bytes (0: unknown).
    pub fn bytes(self, source: &Source, total: u64) -> Bar {
        let style = if total == 0 {
            "{spinner} {msg} {bytes} {bytes_per_sec}"
        } else {
            "{msg} {bar:30} {bytes}/{total_bytes} {bytes_per_sec} {eta}"
        };
        Bar { shown: self.shown, start: Instant::now(), total, style, message: source.to_string(), bar: None }
    }

    /// `total` steps of some work.
    pub fn steps(self, what: &str, total: u64) -> Bar {
        let style = "{msg} {bar:30} {pos}/{len}";
        Bar { shown: self.shown, start: Instant::now(), total, style, message: what.to_owned(), bar: None }
    }
}

/// One piece of work. The line disappears when it ends.
pub struct Bar {
    shown: bool,
    start: Instant,
    total: u64,
    style: &'static str,
    message: String,
    bar: Option<ProgressBar>,
}

impl Bar {
    /// How far the work is.
    pub fn at(&mut self, position: u64) {
        if !self.shown {
            return;
        }
        if self.bar.is_none() && self.start.elapsed() > PATIENCE {
            let bar = ProgressBar::with_draw_target(Some(self.total), ProgressDrawTarget::stderr())
                .with_message(self.message.clone())
                .with_style(ProgressStyle::with_template(self.style).unwrap_or_else(|_| ProgressStyle::default_bar()));
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_position(position);
        }
    }
}

impl Bar {
    /// Something else is printed meanwhile.
    pub fn pause<R>(&self, print: impl FnOnce() -> R) -> R {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
