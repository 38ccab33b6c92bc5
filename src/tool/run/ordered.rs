//! Runs independent jobs on several threads, and returns the results in order.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Calls `work` for groups of consecutive numbers on up to `threads` threads, and passes the
/// results to `done` in the order of the numbers. A thread calls `state` when it starts, and reuses
/// the value in its calls of `work`. If `done` breaks, the threads finish the groups that have been
/// started, and then stop. If `threads` is 1, everything runs on the caller's thread.
pub fn for_each_group<S, R: Send>(
    threads: NonZeroUsize,
    groups: impl Iterator<Item = Range<usize>> + Send,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, Range<usize>) -> Vec<R> + Sync,
    mut done: impl FnMut(usize, R) -> ControlFlow<()> + Send,
) {
    for_each_ordered(
        threads,
        usize::MAX,
        groups,
        state,
        |state, group| (group.clone(), work(state, group)),
        |(group, results)| {
            for (i, result) in group.zip(results) {
                done(i, result)?;
            }
            ControlFlow::Continue(())
        },
    );
}

/// Calls `work` for all jobs on at most `threads` threads, and passes the results to `done` in the
/// order of the jobs. A thread calls `state` when it starts, and reuses the value in its calls of
/// `work`. `jobs` and `done` may block. Because of a lock, only a single thread at a time calls
/// `jobs`, and the same is true for `done`. To limit the memory for results, a thread waits before
/// it stores a result if `bound` results are already waiting for an earlier result. The thread with
/// this earlier result does not wait. If `done` breaks, the threads finish the jobs that have been
/// started, and then stop. If `threads` is 1, everything runs on the caller's thread.
pub fn for_each_ordered<J, S, R: Send>(
    threads: NonZeroUsize,
    bound: usize,
    jobs: impl Iterator<Item = J> + Send,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, J) -> R + Sync,
    mut done: impl FnMut(R) -> ControlFlow<()> + Send,
) {
    let task = OrderedTask { threads, bound, state: &state, work: &work };
    task.run(&mut jobs.fuse(), &mut done);
}

/// The arguments of [`for_each_ordered`] as trait objects, so that the compiler generates the code
/// only once for a result type.
struct OrderedTask<'a, J, S, R> {
    threads: NonZeroUsize,
    bound: usize,
    state: &'a (dyn Fn() -> S + Sync),
    work: &'a (dyn Fn(&mut S, J) -> R + Sync),
}

impl<J, S, R: Send> OrderedTask<'_, J, S, R> {
    /// Runs the jobs on the threads, as [`for_each_ordered`] describes.
    fn run(&self, jobs: &mut (dyn Iterator<Item = J> + Send), done: &mut (dyn FnMut(R) -> ControlFlow<()> + Send)) {
        let Self { threads, bound, state, work } = *self;
        if threads == NonZeroUsize::MIN {
            let mut state = state();
            for job in jobs {
                if done(work(&mut state, job)).is_break() {
                    return;
                }
            }
            return;
        }
        let waiting =
            WaitingResults { results: VecDeque::new(), held: 0, turn: 0, is_calling_done: false, stopped: false };
        let queue = JobQueue {
            jobs: Mutex::new(jobs.enumerate()),
            done: Mutex::new(done),
            waiting: Mutex::new(waiting),
            changed: Condvar::new(),
            bound,
        };
        on_threads(threads, &|| queue.run(state, work));
    }
}

/// Calls `run` on at most `threads` threads at the same time, including the caller's thread. `run`
/// is a trait object to avoid a copy of this function for every closure.
fn on_threads(threads: NonZeroUsize, run: &(dyn Fn() + Sync)) {
    std::thread::scope(|scope| {
        let mut started = Vec::with_capacity(threads.get());
        for _ in 1..threads.get() {
            // If the system cannot start more threads, the running threads do all the work.
            match std::thread::Builder::new().spawn_scoped(scope, run) {
                Ok(thread) => started.push(thread),
                Err(_) => break,
            }
        }
        run();
        // Join the threads, because the scope waits only for the closures to return. If the program
        // exits while a thread is ending, Wine can abort the process.
        for thread in started {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}

/// Passes all `Ok` values in `all` to `work`, and replaces them with the results, in order. Errors
/// keep their positions. If `work` returns too few results, drops the remaining values.
pub fn map_ok_together<T, R, E>(all: Vec<Result<T, E>>, work: impl FnOnce(Vec<T>) -> Vec<R>) -> Vec<Result<R, E>> {
    let mut good = Vec::with_capacity(all.len());
    let mut places = Vec::with_capacity(all.len());
    for item in all {
        match item {
            Ok(value) => {
                good.push(value);
                places.push(Ok(()));
            }
            Err(e) => places.push(Err(e)),
        }
    }
    let mut results = work(good).into_iter();
    let mut replaced = Vec::with_capacity(places.len());
    for place in places {
        match place {
            Ok(()) => {
                if let Some(result) = results.next() {
                    replaced.push(Ok(result));
                }
            }
            Err(e) => replaced.push(Err(e)),
        }
    }
    replaced
}

/// The state that all threads share.
struct JobQueue<J, D, R> {
    jobs: Mutex<J>,
    done: Mutex<D>,
    waiting: Mutex<WaitingResults<R>>,
    /// The condition that is notified after each change to `waiting`.
    changed: Condvar,
    bound: usize,
}

/// The results that wait for an earlier result.
struct WaitingResults<R> {
    /// The results from number `turn` on, in order. An element is `None` if no thread has stored
    /// the result.
    results: VecDeque<Option<R>>,
    /// The number of results in `results` that are not `None`.
    held: usize,
    /// The number of the result to pass to `done` next.
    turn: usize,
    /// Whether a thread is calling `done`. This thread also passes to `done` the results that all
    /// threads store during the call.
    is_calling_done: bool,
    /// Whether the threads must not start any further jobs.
    stopped: bool,
}

impl<R> WaitingResults<R> {
    /// Removes and returns the next result for `done`. Returns `None` if no thread has stored it,
    /// or if the work has stopped.
    fn next(&mut self) -> Option<R> {
        if self.stopped {
            return None;
        }
        let result = self.results.front_mut()?.take()?;
        self.results.pop_front();
        self.held -= 1;
        self.turn += 1;
        Some(result)
    }

    /// Stores the result with this number. `number` must be at least `turn`.
    fn keep(&mut self, number: usize, result: R) {
        let place = number - self.turn;
        if place >= self.results.len() {
            self.results.resize_with(place + 1, || None);
        }
        self.results[place] = Some(result);
        self.held += 1;
    }
}

impl<T, J: Iterator<Item = (usize, T)>, D: FnMut(R) -> ControlFlow<()>, R> JobQueue<J, D, R> {
    /// Runs jobs as long as jobs remain and `stopped` is not set. All threads run this function at
    /// the same time.
    fn run<S>(&self, state: &dyn Fn() -> S, work: &dyn Fn(&mut S, T) -> R) {
        let _stop = PanicGuard(&self.waiting, &self.changed);
        let mut state = state();
        while let Some((number, job)) = self.take() {
            self.store_result(number, work(&mut state, job));
        }
    }

    /// Returns the next job with its number, which counts from 0.
    fn take(&self) -> Option<(usize, T)> {
        let mut jobs = lock(&self.jobs);
        if lock(&self.waiting).stopped { None } else { jobs.next() }
    }

    /// Stores the result of a job. If `bound` results are stored, waits before storing any result
    /// except the next result for `done`. If no thread is calling `done`, passes the available
    /// results to `done`, in order.
    fn store_result(&self, number: usize, result: R) {
        let waiting = self.changed.wait_while(lock(&self.waiting), |waiting| {
            waiting.held >= self.bound && waiting.turn != number && !waiting.stopped
        });
        let mut waiting = waiting.unwrap_or_else(PoisonError::into_inner);
        waiting.keep(number, result);
        if waiting.is_calling_done {
            return;
        }
        waiting.is_calling_done = true;
        while let Some(result) = waiting.next() {
            drop(waiting);
            self.changed.notify_all();
            let flow = (lock(&self.done))(result);
            waiting = lock(&self.waiting);
            waiting.stopped |= flow.is_break();
        }
        waiting.is_calling_done = false;
        drop(waiting);
        self.changed.notify_all();
    }
}

/// A guard that stops all threads if a thread panics. Otherwise, the other threads could wait for
/// ever for the panicking thread's result.
struct PanicGuard<'a, R>(&'a Mutex<WaitingResults<R>>, &'a Condvar);

impl<R> Drop for PanicGuard<'_, R> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            lock(self.0).stopped = true;
            self.1.notify_all();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    fn of(threads: usize) -> NonZeroUsize {
        NonZeroUsize::new(threads).unwrap()
    }

    /// Returns groups of a single number.
    fn alone(count: usize) -> impl Iterator<Item = Range<usize>> {
        (0..count).map(|i| i..i + 1)
    }

    #[test]
    fn results_come_in_order_and_once() {
        for threads in [1, 2, 7] {
            let mut results = vec![];
            let odd_ones_are_slow = |_: &mut (), group: Range<usize>| {
                if group.start % 2 == 1 {
                    (0..10_000).fold(0, |a, b| std::hint::black_box(a ^ b));
                }
                group.map(|i| i * i).collect()
            };
            for_each_group(
                of(threads),
                alone(1000),
                || (),
                odd_ones_are_slow,
                |i, square| {
                    results.push((i, square));
                    ControlFlow::Continue(())
                },
            );
            assert_eq!(results, (0..1000).map(|i| (i, i * i)).collect::<Vec<_>>(), "{threads}");
        }
    }

    #[test]
    fn a_break_ends_the_loop() {
        for threads in [1, 3] {
            let mut last = None;
            for_each_group(
                of(threads),
                alone(1_000_000),
                || (),
                |(), group| group.collect(),
                |i, _: usize| {
                    last = Some(i);
                    if i == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                },
            );
            assert_eq!(last, Some(10));
        }
    }

    #[test]
    fn errors_keep_their_positions() {
        let all = || vec![Ok(1), Err("a"), Ok(2), Err("b"), Ok(3)];
        let doubled = map_ok_together(all(), |good| good.into_iter().map(|x| 2 * x).collect());
        assert_eq!(doubled, [Ok(2), Err("a"), Ok(4), Err("b"), Ok(6)]);
        // `work` returns only two results for three values.
        assert_eq!(map_ok_together(all(), |good| good[..2].to_vec()), [Ok(1), Err("a"), Ok(2), Err("b")]);
    }

    #[test]
    fn few_results_wait_for_a_slow_result() {
        const BOUND: usize = 5;
        for threads in [2, 4] {
            let (begun, ended) = (AtomicUsize::new(0), AtomicUsize::new(0));
            // The first job waits until the maximum number of further jobs has started. The
            // remaining threads can store `BOUND` results, and can then run a job each without
            // storing the result.
            let (send, receive) = mpsc::channel();
            let receive = Mutex::new(receive);
            let most = BOUND + threads - 1;
            let work = |(): &mut (), i: usize| {
                if begun.fetch_add(1, Ordering::SeqCst) == most {
                    send.send(()).unwrap();
                }
                if i == 0 {
                    lock(&receive).recv().unwrap();
                    assert_eq!(begun.load(Ordering::SeqCst), most + 1);
                }
            };
            for_each_ordered(
                of(threads),
                BOUND,
                0..1000,
                || (),
                work,
                |()| {
                    ended.fetch_add(1, Ordering::SeqCst);
                    ControlFlow::Continue(())
                },
            );
            assert_eq!((begun.into_inner(), ended.into_inner()), (1000, 1000), "{threads}");
        }
    }

    #[test]
    fn a_panic_does_not_block_other_threads() {
        let run = || {
            let work = |(): &mut (), i: usize| assert_ne!(i, 3);
            for_each_ordered(of(3), 1, 0..1000, || (), work, |()| ControlFlow::Continue(()));
        };
        assert!(std::panic::catch_unwind(run).is_err());
    }
}
