//! The timer of the ML-DSA benchmarks (`benches/mldsa.rs`, `benches/aws-lc`): runs several
//! libraries in turn, and prints their times.

use fndsa::no_alloc::Level;
use std::time::Instant;

/// The number of rounds. All libraries run in each round.
const ROUNDS: usize = 15;

/// The messages to sign. Each parameter set has a file with a list of messages in JSON.
pub const MESSAGES: [&str; 3] = [
    include_str!("../../src/cmd/bench/cctv/ml-dsa-44.json"),
    include_str!("../../src/cmd/bench/cctv/ml-dsa-65.json"),
    include_str!("../../src/cmd/bench/cctv/ml-dsa-87.json"),
];

/// A library that is timed: its name, the number of calls in a round, and the function `work` that
/// is called. `work` gets the call's index in the round.
pub struct TimedLibrary<'a> {
    name: String,
    calls: usize,
    work: Box<dyn FnMut(usize) + 'a>,
}

/// Returns the words on the command line. They select rows (lines of the output) and levels
/// (instruction sets).
fn selected_words() -> impl Iterator<Item = String> {
    std::env::args().skip(1).filter(|argument| !argument.starts_with('-'))
}

/// Returns whether the command line selects `name`, which is a row or a level. A word selects each
/// name that starts with this word. If no word has the same kind as `name` (`is_same_kind` returns
/// whether it has), all names are selected: for example, words for levels select all rows.
pub fn is_selected(name: &str, is_same_kind: impl Fn(&str) -> bool) -> bool {
    selected_words().all(|word| !is_same_kind(&word)) || selected_words().any(|word| name.starts_with(&word))
}

/// Runs the libraries in turn. Prints each library's time, and the ratio between this time and the
/// first library's time. For signatures, a round's time is the mean over its calls, because the
/// time depends on the message. The result is the median over the rounds, because other programs on
/// the machine slow down some rounds. For other operations, the result is the time for the shortest
/// call.
pub fn compare_times(what: &str, mut libraries: Vec<TimedLibrary<'_>>) {
    if !is_selected(what, |word| Level::from_name(word).is_none()) {
        return;
    }
    let mut shortest = vec![f64::MAX; libraries.len()];
    let mut means = vec![Vec::new(); libraries.len()];
    for _ in 0..ROUNDS {
        for (number, library) in libraries.iter_mut().enumerate() {
            let round_start = Instant::now();
            for call in 0..library.calls {
                let call_start = Instant::now();
                (library.work)(call);
                shortest[number] = shortest[number].min(call_start.elapsed().as_secs_f64() * 1e6);
            }
            means[number].push(round_start.elapsed().as_secs_f64() * 1e6 / library.calls as f64);
        }
    }
    means.iter_mut().for_each(|means| means.sort_by(f64::total_cmp));
    let medians = means.iter().map(|means| means[ROUNDS / 2]).collect();
    let times = if what.starts_with("sign") { medians } else { shortest };
    print!("{what:32}");
    for (library, time) in libraries.iter().zip(&times) {
        print!(" {} {time:.1} us ({:.2})", library.name, time / times[0]);
    }
    println!();
}

/// Returns a library (fndsa or a peer) for [`compare_times`].
pub fn timed_library<'a>(name: &str, calls: usize, work: impl FnMut(usize) + 'a) -> TimedLibrary<'a> {
    TimedLibrary { name: name.to_owned(), calls, work: Box::new(work) }
}
