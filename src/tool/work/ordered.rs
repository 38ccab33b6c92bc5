//! Independent work on several cores, with the results in order.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// Calls `work` for `0..count` on up to `threads` threads, each with a state of its own from
/// `state`, and `done` in the caller's thread with each result, in order. When `done` breaks,
/// nothing new is begun. With one thread everything happens in the caller's.
pub fn in_order<S, R: Send>(
    threads: NonZeroUsize,
    count: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> R + Sync,
    mut done: impl FnMut(usize, R) -> ControlFlow<()>,
) {
    let threads = threads.get().min(count);
    let alone = |done: &mut dyn FnMut(usize, R) -> ControlFlow<()>| {
        let mut state = state();
        let _ = (0..count).try_for_each(|i| done(i, work(&mut state, i)));
    };
    if threads <= 1 {
        return alone(&mut done);
    }
    let next = AtomicUsize::new(0);
    let stopped = AtomicBool::new(false);
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        let mut started = 0;
        for _ in 0..threads {
            let send = send.clone();
            let next = &next;
            let stopped = &stopped;
            let state = &state;
            let work = &work;
            let thread = std::thread::Builder::new().spawn_scoped(scope, move || {
                let mut state = state();
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= count || stopped.load(Ordering::Relaxed) || send.send((i, work(&mut state, i))).is_err() {
                        return;
                    }
                }
            });
            // The system gives no more threads: those that run already do the work.
            if thread.is_err() {
                break;
            }
            started += 1;
        }
        drop(send);
        if started == 0 {
            return alone(&mut done);
        }
        let mut waiting = BTreeMap::new();
        let mut turn = 0;
        for (i, result) in receive {
            waiting.insert(i, result);
            while let Some(result) = waiting.remove(&turn) {
                if done(turn, result).is_break() {
                    stopped.store(true, Ordering::Relaxed);
                    return;
                }
                turn += 1;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_once() {
        for threads in [1, 2, 7] {
            let mut seen = vec![];
            let odd_ones_are_slow = |_: &mut (), i: usize| {
                if i % 2 == 1 {
                    (0..10_000).fold(i, |a, b| std::hint::black_box(a ^ b));
                }
                i * i
            };
            in_order(
                NonZeroUsize::new(threads).unwrap(),
                1000,
                || (),
                odd_ones_are_slow,
                |i, square| {
                    seen.push((i, square));
                    ControlFlow::Continue(())
                },
            );
            assert_eq!(seen, (0..1000).map(|i| (i, i * i)).collect::<Vec<_>>(), "{threads}");
        }
    }

    #[test]
    fn a_break_ends_it() {
        for threads in [1, 3] {
            let mut last = None;
            in_order(
                NonZeroUsize::new(threads).unwrap(),
                1_000_000,
                || (),
                |(), i| i,
                |i, _| {
                    last = Some(i);
                    if i == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                },
            );
            assert_eq!(last, Some(10));
        }
    }
}
