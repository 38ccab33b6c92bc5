//! Time and cycles of one call, on one thread or several at once.
//!
//! One sample is the mean of a batch of calls that is long against the clock's resolution; the batch
//! size comes from the warm-up.

use crate::cmd::report::Error;
use crate::cmd::statistics::{Summary, median};
use fndsa::cycles;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What is called again and again.
pub trait Work: Send {
    /// One call; `turn` counts them.
    ///
    /// # Errors
    /// It failed.
    fn once(&mut self, turn: usize) -> Result<(), Error>;
}

/// How long, and how often.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Seconds of measuring.
    pub time: f64,
    /// Seconds before.
    pub warm_up: f64,
    /// Samples of each thread.
    pub samples: u32,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Samples of all threads.
    pub samples: usize,
    /// Calls in each.
    pub batch: u64,
    /// Nanoseconds of one call.
    pub ns: Summary,
    /// Median of the counter's ticks of one call, where there is a counter.
    pub cycles: Option<f64>,
}

/// One thread's samples.
#[derive(Default)]
struct Samples {
    ns: Vec<f64>,
    cycles: Vec<f64>,
}

/// Runs all workers at once, each on a thread of its own.
///
/// Each warms up, then takes its samples. At least three are taken however long one takes; no more are
/// begun when twice the time is over. A worker that is done goes on working until all are, so that every sample is
/// taken under the same load.
///
/// # Errors
/// A call failed, or the system gives no more threads.
pub fn measure<W: Work>(workers: &mut [W], plan: Plan) -> Result<Measured, Error> {
    let stop = AtomicBool::new(false);
    let rates = at_once(workers, &stop, |worker| warm_up(worker, plan.warm_up))?;
    let one = rates.iter().sum::<f64>() / rates.len().max(1) as f64;
    let batch = (plan.time / f64::from(plan.samples) / one).round().max(1.0) as u64;
    let left = AtomicUsize::new(workers.len());
    let mut all = Samples::default();
    for samples in at_once(workers, &stop, |worker| {
        let samples = take(worker, plan, batch);
        left.fetch_sub(1, Ordering::Relaxed);
        let mut turn = 0;
        while samples.is_ok() && left.load(Ordering::Relaxed) > 0 && !stop.load(Ordering::Relaxed) {
            worker.once(turn)?;
            turn += 1;
        }
        samples
    })? {
        all.ns.extend(samples.ns);
        all.cycles.extend(samples.cycles);
    }
    let cycles = (!all.cycles.is_empty()).then(|| median(&all.cycles));
    Ok(Measured { samples: all.ns.len(), batch, ns: Summary::of(&all.ns), cycles })
}

/// Calls `run` with each worker at the same time. `stop` is set if a thread is missing.
fn at_once<W: Send, R: Send>(
    workers: &mut [W],
    stop: &AtomicBool,
    run: impl Fn(&mut W) -> Result<R, Error> + Sync,
) -> Result<Vec<R>, Error> {
    if let [worker] = workers {
        return Ok(vec![run(worker)?]);
    }
    std::thread::scope(|scope| {
        let mut threads = Vec::new();
        for worker in workers {
            let run = &run;
            let thread = std::thread::Builder::new().spawn_scoped(scope, move || run(worker));
            threads.push(thread.inspect_err(|_| stop.store(true, Ordering::Relaxed)));
        }
        let joined = threads.into_iter().map(|thread| {
            let thread = thread.map_err(|e| Error::io("threads", e))?;
            thread.join().unwrap_or_else(|_| Err(Error::Internal("a thread ended early".to_owned())))
        });
        joined.collect()
    })
}

/// Seconds of one call.
fn warm_up(worker: &mut impl Work, seconds: f64) -> Result<f64, Error> {
    let (start, mut calls) = (Instant::now(), 0);
    while calls == 0 || start.elapsed().as_secs_f64() < seconds {
        worker.once(calls)?;
        calls += 1;
    }
    // A clock that stands still would give batches without end.
    Ok((start.elapsed().as_secs_f64() / calls as f64).max(1e-9))
}

fn take(worker: &mut impl Work, plan: Plan, batch: u64) -> Result<Samples, Error> {
    let (start, twice) = (Instant::now(), Duration::from_secs_f64(plan.time * 2.0));
    let mut samples = Samples::default();
    let mut turn = 0;
    while samples.ns.len() < plan.samples as usize && (samples.ns.len() < 3 || start.elapsed() < twice) {
        let (begin, first) = (Instant::now(), cycles());
        for _ in 0..batch {
            worker.once(turn)?;
            turn += 1;
        }
        let last = cycles();
        samples.ns.push(begin.elapsed().as_nanos() as f64 / batch as f64);
        if let (Some(first), Some(last)) = (first, last) {
            samples.cycles.push(last.wrapping_sub(first) as f64 / batch as f64);
        }
    }
    Ok(samples)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counter(usize);

    impl Work for Counter {
        fn once(&mut self, _: usize) -> Result<(), Error> {
            self.0 += 1;
            if self.0 == 1000 { Err(Error::Internal("full".to_owned())) } else { Ok(()) }
        }
    }

    #[test]
    fn one_call_is_enough_for_a_sample() {
        for threads in [1, 3] {
            let mut workers: Vec<_> = (0..threads).map(|_| Counter(1000)).collect();
            let plan = Plan { time: 1e-9, warm_up: 0.0, samples: 5 };
            let measured = measure(&mut workers, plan).unwrap();
            assert_eq!(measured.batch, 1);
            assert!((3 * threads..=5 * threads).contains(&measured.samples));
            assert_eq!(measured.cycles.is_some(), cycles().is_some());
            // Without a warm-up one call tells how long a call is.
            let calls: usize = workers.iter().map(|worker| worker.0 - 1000).sum();
            assert!(calls == measured.samples + 1 || (threads > 1 && calls > measured.samples), "{calls}");
        }
    }

    #[test]
    fn an_error_of_one_thread_ends_all() {
        let plan = Plan { time: 3600.0, warm_up: 0.0, samples: 3 };
        for threads in [1, 3] {
            let mut workers: Vec<_> = (0..threads).map(|_| Counter(0)).collect();
            assert!(measure(&mut workers, plan).is_err());
        }
        let plan = Plan { time: 1e-9, warm_up: 0.0, samples: 3 };
        assert!(measure(&mut [Counter(1000), Counter(998)], plan).is_err());
    }
}
