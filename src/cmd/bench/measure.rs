//! Measures the time and cycles for a call, on one or several threads.
//!
//! A batch is a number of consecutive calls. A sample is the mean time for a call in a batch. A
//! batch must last much longer than the resolution of the clock, so the number of calls in a batch
//! is computed from the warm-up. The total speed is the number of calls divided by the elapsed
//! time. It is not computed from the median, because threads may share cores, and a few calls may
//! be slow.

use super::statistics::{SampleSummary, median};
use crate::tool::report::Error;
use crate::tool::system::processor_time;
use fndsa::{CoreCycles, cycles};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

/// Work that is measured by calling it repeatedly.
pub trait TimedWork: Send {
    /// Runs a single call. `turn` is the number of previous calls.
    ///
    /// # Errors
    /// Fails if the call fails.
    fn run_once(&mut self, turn: usize) -> Result<(), Error>;

    /// Returns the number of calls in a round. If the calls use different inputs in turn, each
    /// round must use all inputs equally often. A sample always contains complete rounds.
    fn round(&self) -> u64 {
        1
    }

    /// Returns the number of items that a call processes, for example signatures. In a
    /// [`Measurement`], the times are per item, and items are counted instead of calls.
    fn items(&self) -> u64 {
        1
    }
}

/// The time and the sample count for a measurement.
#[derive(Clone, Copy, Debug)]
pub struct SamplingPlan {
    /// The measurement time in seconds.
    pub time: f64,
    /// The warm-up time in seconds.
    pub warm_up: f64,
    /// The number of samples for each thread.
    pub samples: u32,
}

/// The result of a measurement.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// The total number of samples from all threads.
    pub samples: usize,
    /// The number of items in each sample. An item is usually a call.
    pub batch: u64,
    /// The time for an item in nanoseconds.
    pub ns: SampleSummary,
    /// The median counter ticks for an item. `None` if the machine has no counter.
    pub cycles: Option<f64>,
    /// The median core cycles for an item. `None` if programs are not allowed to read them.
    pub core_cycles: Option<f64>,
    /// The number of items that were processed after the warm-up, and the elapsed time.
    pub total: CallTotal,
    /// The processor time of this process, divided by the time that was available to its threads.
    /// The value is below 1 if other programs ran on the same cores. `None` if the system does not
    /// measure the processor time.
    pub core_share: Option<f64>,
}

impl Measurement {
    /// Returns half the width of the confidence interval, in percent of the median.
    pub fn uncertainty(&self) -> f64 {
        100.0 * self.ns.median_ci95 / self.ns.median
    }

    /// Returns [`Self::uncertainty`] as text, for tables.
    pub fn spread(&self) -> String {
        format!("{}{:.1} %", if self.is_noisy() { "!" } else { "" }, self.uncertainty())
    }

    /// Returns whether the median is inaccurate.
    pub fn is_noisy(&self) -> bool {
        self.uncertainty() > NOISY
    }
}

/// The maximum uncertainty of a median, in percent. A row with a larger uncertainty is marked with
/// `!`.
pub const NOISY: f64 = 5.0;

/// The calls from all threads together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CallTotal {
    /// The number of completed calls. In a [`Measurement`], the number of processed items.
    pub calls: u64,
    /// The seconds from the start of the first call to the end of the last call.
    pub seconds: f64,
}

impl CallTotal {
    /// Adds the calls of threads that ran at the same time.
    fn of(spans: &[CallSpan]) -> Self {
        let mut begin = f64::INFINITY;
        let mut end = 0.0_f64;
        let mut calls = 0;
        for span in spans {
            begin = begin.min(span.begin);
            end = end.max(span.end);
            calls += span.calls;
        }
        // Without this minimum, the speed would be infinite if the clock did not advance.
        Self { calls, seconds: (end - begin).max(1e-9) }
    }

    /// Returns the number of calls per second.
    pub fn per_second(&self) -> f64 {
        self.calls as f64 / self.seconds
    }
}

/// The calls from a thread, with their start and end in seconds. All threads use the same clock.
#[derive(Clone, Copy, Debug, Default)]
struct CallSpan {
    begin: f64,
    end: f64,
    calls: u64,
}

/// The samples from a thread.
#[derive(Default)]
struct ThreadSamples {
    ns: Vec<f64>,
    cycles: Vec<f64>,
    core_cycles: Vec<f64>,
}

/// Runs all workers at once, on separate threads, and returns the measurement of all workers
/// together.
///
/// Each worker warms up and then measures its samples. After twice the planned time, it starts no
/// further sample, unless it has fewer than three samples. If a worker has all its samples, it
/// continues to make calls until all workers have finished, because all samples must be measured
/// under the same load.
///
/// # Errors
/// Fails if a call fails, or if the system cannot start the threads.
pub fn measure<W: TimedWork>(workers: &mut [W], plan: SamplingPlan) -> Result<Measurement, Error> {
    let stop = AtomicBool::new(false);
    let rates = run_together(workers, &stop, |worker| warm_up(worker, plan.warm_up))?;
    let call_time = rates.iter().sum::<f64>() / rates.len().max(1) as f64;
    let round = workers.iter().map(TimedWork::round).max().unwrap_or(1);
    let batch = ((plan.time / f64::from(plan.samples) / call_time).round() as u64).max(1).next_multiple_of(round);
    let ready = AtomicUsize::new(0);
    let running = AtomicUsize::new(workers.len());
    let threads = workers.len();
    let clock = Instant::now();
    let start_processor_time = processor_time();
    let mut all = ThreadSamples::default();
    let mut spans = Vec::new();
    for (samples, span) in run_together(workers, &stop, |worker| {
        // Each thread waits here until all threads are ready, because a thread that starts early
        // would have the machine to itself for some time.
        ready.fetch_add(1, Ordering::Relaxed);
        while ready.load(Ordering::Relaxed) < threads && !stop.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        let begin = clock.elapsed().as_secs_f64();
        let samples = take_samples(worker, plan, batch);
        running.fetch_sub(1, Ordering::Relaxed);
        let samples = samples?;
        let mut calls = batch * samples.ns.len() as u64;
        while running.load(Ordering::Relaxed) > 0 && !stop.load(Ordering::Relaxed) {
            worker.run_once(calls as usize)?;
            calls += 1;
        }
        Ok((samples, CallSpan { begin, end: clock.elapsed().as_secs_f64(), calls }))
    })? {
        all.ns.extend(samples.ns);
        all.cycles.extend(samples.cycles);
        all.core_cycles.extend(samples.core_cycles);
        spans.push(span);
    }
    let core_share = match start_processor_time {
        Some(start_processor_time) => core_share(start_processor_time, &clock, threads),
        None => None,
    };
    let items = match workers.first() {
        Some(worker) => worker.items(),
        None => 1,
    };
    for span in &mut spans {
        span.calls *= items;
    }
    for call in all.ns.iter_mut().chain(&mut all.cycles).chain(&mut all.core_cycles) {
        *call /= items as f64;
    }
    Ok(Measurement {
        samples: all.ns.len(),
        batch: batch * items,
        ns: SampleSummary::of(&all.ns),
        cycles: median_if_any(&all.cycles),
        core_cycles: median_if_any(&all.core_cycles),
        total: CallTotal::of(&spans),
        core_share,
    })
}

/// Returns the median. Returns `None` if there are no samples.
fn median_if_any(samples: &[f64]) -> Option<f64> {
    if samples.is_empty() { None } else { Some(median(samples)) }
}

/// Calls `round` `rounds` times, and returns N medians. Each call returns N numbers, and result `i`
/// is the median of the numbers `i` from all calls. Returns `None` if `round` returns `None`.
///
/// # Errors
/// Returns the first error of `round`.
pub fn median_of_rounds<const N: usize>(
    rounds: u32,
    mut round: impl FnMut() -> Result<Option<[f64; N]>, Error>,
) -> Result<Option<[f64; N]>, Error> {
    let mut all = [const { Vec::new() }; N];
    for _ in 0..rounds {
        let Some(numbers) = round()? else { return Ok(None) };
        for (all, number) in all.iter_mut().zip(numbers) {
            all.push(number);
        }
    }
    Ok(Some(all.map(|numbers| median(&numbers))))
}

/// Computes [`Measurement::core_share`] since the start of `clock`. `start_processor_time` is the
/// processor time that this process had used when `clock` started.
fn core_share(start_processor_time: Duration, clock: &Instant, threads: usize) -> Option<f64> {
    let processor_seconds = processor_time()?.saturating_sub(start_processor_time).as_secs_f64();
    let cores = match std::thread::available_parallelism() {
        Ok(cores) => cores.get().min(threads),
        Err(_) => threads,
    };
    Some((processor_seconds / (clock.elapsed().as_secs_f64().max(1e-9) * cores.max(1) as f64)).min(1.0))
}

/// Calls `run` for all workers at the same time, and returns the results in the order of the
/// workers. If a thread cannot be started, the function sets `stop`, because the other workers
/// would otherwise wait for this thread.
fn run_together<W: Send, R: Send>(
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
            if thread.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
            threads.push(thread);
        }
        let mut results = Vec::new();
        for thread in threads {
            match thread {
                Ok(thread) => results.push(join_thread(thread)?),
                Err(e) => return Err(Error::io("threads", e)),
            }
        }
        Ok(results)
    })
}

/// Waits for a thread to end, and returns its result, or an error if the thread panicked.
pub fn join_thread<R>(thread: ScopedJoinHandle<'_, Result<R, Error>>) -> Result<R, Error> {
    match thread.join() {
        Ok(result) => result,
        Err(_) => Err(Error::Internal("a thread ended early".to_owned())),
    }
}

/// Reads the core cycles. Returns `None` if they cannot be read.
fn read_cycles(core: Option<&CoreCycles>) -> Option<u64> {
    core?.read()
}

/// Calls the worker until this number of seconds has passed, but at least once. Returns the seconds
/// per call.
fn warm_up(worker: &mut impl TimedWork, seconds: f64) -> Result<f64, Error> {
    let start = Instant::now();
    let mut calls = 0;
    while calls == 0 || start.elapsed().as_secs_f64() < seconds {
        worker.run_once(calls)?;
        calls += 1;
    }
    // Without this minimum, the batches would be infinite if the clock did not advance.
    Ok((start.elapsed().as_secs_f64() / calls as f64).max(1e-9))
}

/// Measures the samples of a worker. `batch` is the number of calls in a sample. [`measure`]
/// describes when the worker stops.
fn take_samples(worker: &mut impl TimedWork, plan: SamplingPlan, batch: u64) -> Result<ThreadSamples, Error> {
    let start = Instant::now();
    let max_duration = Duration::from_secs_f64(plan.time * 2.0);
    let mut samples = ThreadSamples::default();
    let mut turn = 0;
    let core = CoreCycles::of_this_thread().ok();
    while samples.ns.len() < plan.samples as usize && (samples.ns.len() < 3 || start.elapsed() < max_duration) {
        let start_core_cycles = read_cycles(core.as_ref());
        let begin = Instant::now();
        let start_ticks = cycles();
        for _ in 0..batch {
            worker.run_once(turn)?;
            turn += 1;
        }
        let end_ticks = cycles();
        samples.ns.push(begin.elapsed().as_nanos() as f64 / batch as f64);
        if let (Some(start_ticks), Some(end_ticks)) = (start_ticks, end_ticks) {
            samples.cycles.push(end_ticks.wrapping_sub(start_ticks) as f64 / batch as f64);
        }
        if let (Some(start), Some(end)) = (start_core_cycles, read_cycles(core.as_ref())) {
            samples.core_cycles.push(end.wrapping_sub(start) as f64 / batch as f64);
        }
    }
    Ok(samples)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct CountedWork(usize);

    impl TimedWork for CountedWork {
        fn run_once(&mut self, _: usize) -> Result<(), Error> {
            self.0 += 1;
            if self.0 == 1000 { Err(Error::Internal("full".to_owned())) } else { Ok(()) }
        }
    }

    /// Work whose rounds have three calls.
    struct ThreeCallRound(Vec<usize>);

    impl TimedWork for ThreeCallRound {
        fn run_once(&mut self, turn: usize) -> Result<(), Error> {
            self.0.push(turn % 3);
            Ok(())
        }

        fn round(&self) -> u64 {
            3
        }
    }

    #[test]
    fn a_sample_contains_whole_rounds() {
        let mut workers = [ThreeCallRound(Vec::new())];
        let measured = measure(&mut workers, SamplingPlan { time: 1e-9, warm_up: 0.0, samples: 4 }).unwrap();
        assert_eq!(measured.batch, 3);
        // The worker was called once to warm up, and then in complete rounds.
        assert!(workers[0].0[1..].chunks(3).all(|turns| turns == [0, 1, 2]));
    }

    #[test]
    fn each_operation_has_the_median_of_its_rounds() {
        let mut numbers = [3.0, 10.0, 1.0, 30.0, 2.0, 20.0].into_iter();
        let rounds = median_of_rounds(3, || Ok(Some([numbers.next().unwrap(), numbers.next().unwrap()])));
        assert_eq!(rounds.unwrap(), Some([2.0, 20.0]));
        assert_eq!(median_of_rounds::<1>(3, || Ok(None)).unwrap(), None);
        assert!(median_of_rounds::<1>(3, || Err(Error::Internal("full".to_owned()))).is_err());
    }

    #[test]
    fn one_call_is_enough_for_a_sample() {
        for threads in [1, 3] {
            let mut workers: Vec<_> = (0..threads).map(|_| CountedWork(1000)).collect();
            let plan = SamplingPlan { time: 1e-9, warm_up: 0.0, samples: 5 };
            let measured = measure(&mut workers, plan).unwrap();
            assert_eq!(measured.batch, 1);
            assert!((3 * threads..=5 * threads).contains(&measured.samples));
            assert_eq!(measured.cycles.is_some(), cycles().is_some());
            // Without a warm-up, the time per call is estimated from a single call.
            let calls: usize = workers.iter().map(|worker| worker.0 - 1000).sum();
            assert!(calls == measured.samples + 1 || (threads > 1 && calls > measured.samples), "{calls}");
            assert_eq!(measured.total.calls as usize, calls - threads, "all calls but those of the warm-up");
            assert!(measured.total.seconds > 0.0);
            assert!(measured.core_share.is_none_or(|share| (0.0..=1.0).contains(&share)), "{measured:?}");
        }
    }

    /// In this test, a hundred threads share two cores. Each call needs 20 us on a core, and each
    /// thread gets a fiftieth of a core. A thread that measures only calls without an interruption
    /// would compute a speed of 50,000 calls per second. The total speed is not a hundred times
    /// this speed, because two cores can make only 100,000 calls per second.
    #[test]
    fn the_speeds_of_threads_that_share_cores_are_not_added() {
        let span = |i: u32| CallSpan { begin: 1.0 + f64::from(i) * 1e-5, end: 1.1, calls: 100 };
        let spans: Vec<_> = (0..100).map(span).collect();
        let total = CallTotal::of(&spans);
        assert_eq!(total.calls, 10_000);
        assert!((total.per_second() - 100_000.0).abs() < 1e-3, "{}", total.per_second());
    }

    #[test]
    fn a_waiting_thread_lengthens_the_time_of_all_threads() {
        let spans = [CallSpan { begin: 0.0, end: 2.0, calls: 60 }, CallSpan { begin: 1.5, end: 4.0, calls: 20 }];
        assert_eq!(CallTotal::of(&spans), CallTotal { calls: 80, seconds: 4.0 });
        assert_eq!(CallTotal::of(&spans).per_second(), 20.0);
        assert!(CallTotal::of(&[CallSpan { begin: 1.0, end: 1.0, calls: 5 }]).per_second().is_finite());
    }

    /// Work whose calls process five items each.
    struct FiveItemCall;

    impl TimedWork for FiveItemCall {
        fn run_once(&mut self, _: usize) -> Result<(), Error> {
            Ok(())
        }

        fn items(&self) -> u64 {
            5
        }
    }

    #[test]
    fn the_items_of_a_call_are_counted() {
        let measured = measure(&mut [FiveItemCall], SamplingPlan { time: 1e-9, warm_up: 0.0, samples: 4 }).unwrap();
        assert_eq!(measured.batch, 5);
        assert_eq!(measured.total.calls, 5 * measured.samples as u64);
        assert!(measured.ns.mean * measured.total.calls as f64 <= measured.total.seconds * 1e9 * 1.001, "{measured:?}");
    }

    fn measured(ns: SampleSummary, total: CallTotal) -> Measurement {
        Measurement { samples: 10, batch: 1, ns, cycles: None, core_cycles: None, total, core_share: None }
    }

    /// In this test, nine keys need 1 ms each, and the tenth key needs 91 ms. The speed is
    /// therefore 100 keys per second and not 1000.
    #[test]
    fn long_calls_change_the_speed_but_not_the_median() {
        let mut samples = vec![1e6; 9];
        samples.push(91e6);
        let total = CallTotal::of(&[CallSpan { begin: 0.0, end: samples.iter().sum::<f64>() / 1e9, calls: 10 }]);
        let measured = measured(SampleSummary::of(&samples), total);
        assert_eq!(measured.ns.median, 1e6);
        assert!((measured.total.per_second() - 100.0).abs() < 1e-9);
    }

    #[test]
    fn a_wide_interval_is_reported_as_noise() {
        let ns = SampleSummary { median: 200.0, median_ci95: 10.0, mean: 200.0, mad: 0.0, min: 200.0, p95: 200.0 };
        let mut measured = measured(ns, CallTotal { calls: 3, seconds: 1.0 });
        assert_eq!((measured.uncertainty(), measured.is_noisy()), (5.0, false));
        for (median_ci95, spread) in [(10.2, "!5.1 %"), (0.0, "0.0 %")] {
            measured.ns.median_ci95 = median_ci95;
            assert_eq!(measured.spread(), spread);
        }
    }

    #[test]
    fn an_error_in_one_thread_ends_all_threads() {
        let plan = SamplingPlan { time: 3600.0, warm_up: 0.0, samples: 3 };
        for threads in [1, 3] {
            let mut workers: Vec<_> = (0..threads).map(|_| CountedWork(0)).collect();
            assert!(measure(&mut workers, plan).is_err());
        }
        let plan = SamplingPlan { time: 1e-9, warm_up: 0.0, samples: 3 };
        assert!(measure(&mut [CountedWork(1000), CountedWork(998)], plan).is_err());
    }
}
