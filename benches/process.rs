//! Benchmark of complete processes: `cargo bench --features cli --bench process`. It has four rows
//! (measurements): `start-up`, `peer`, `list` and `stream`. To select rows, name them after `--`,
//! for example `-- start-up list`. Add `--size 10G` for a longer stream.
//!
//! - `start-up`, `peer` and `list`: two programs run in turn, A B A B. Each pair A B gives a ratio
//!   between the two times. The result is the median and the quartiles of these ratios.
//! - `start-up` compares `fndsa` with the empty program `fn main() {}`, which the benchmark
//!   compiles with `rustc`.
//! - `stream`: the program `fndsa` runs in turn with the library's hash function, which the
//!   benchmark calls in its own process.
//!
//! Cargo builds the static `fndsa` and a program that uses crate `fn-dsa` (benches/peer_verify.rs),
//! as docs/speed.md describes.

use fndsa::Algorithm;
use fndsa::algorithm::{Degree, Scheme};
use fndsa::message::MuBuilder;
use fndsa::no_alloc::{Level, SigningKeyRef};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const FNDSA: &str = env!("CARGO_BIN_EXE_fndsa");
/// The number of pairs in the rows `start-up` and `peer`.
const PAIRS: usize = 500;
/// The number of files in a list.
const FILES: usize = 10_000;

fn main() {
    let (rows, size) = arguments();
    let is_wanted = |row: &str| rows.is_empty() || rows.iter().any(|it| it == row);
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    fndsa(here, "keygen -q k");
    fs::write(here.join("small"), [7; 1024]).unwrap();
    fndsa(here, "sign -k k.key small");
    for (row, run) in [("start-up", start_up as fn(&Path)), ("peer", against_the_peer), ("list", list)] {
        if is_wanted(row) {
            run(here);
        }
    }
    if is_wanted("stream") {
        stream(here, size);
    }
}

/// Returns the rows that the command line selects, and the length of the stream in bytes.
fn arguments() -> (Vec<String>, u64) {
    let mut rows = Vec::new();
    let mut size = 1 << 30;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match &arg[..] {
            "--size" => {
                size = args.next().and_then(|text| parse_size(&text)).expect("--size takes a number and K, M or G");
            }
            "start-up" | "peer" | "list" | "stream" => rows.push(arg),
            // Cargo passes `--bench`.
            "--bench" => {}
            _ => panic!("the rows are start-up, peer, list and stream, not {arg}"),
        }
    }
    (rows, size)
}

/// Parses a size: a number, and optionally `K`, `M` or `G`.
fn parse_size(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let shift = match &text[digits.len()..] {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_shl(shift)
}

/// Returns a command that runs a program in a directory. The words in `line` are the arguments, and
/// the output of the program is discarded.
fn program_command(program: impl AsRef<OsStr>, directory: &Path, line: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(directory).args(line.split_whitespace()).stdout(Stdio::null());
    command
}

/// Returns a command that runs `fndsa`.
fn command(directory: &Path, line: &str) -> Command {
    program_command(FNDSA, directory, line)
}

/// Runs `fndsa`, which must succeed.
fn fndsa(directory: &Path, line: &str) {
    assert!(command(directory, line).status().unwrap().success(), "fndsa {line}");
}

/// Runs a command, which must succeed, and returns the time in seconds.
fn seconds(mut command: Command) -> f64 {
    let start = Instant::now();
    assert!(command.status().unwrap().success());
    start.elapsed().as_secs_f64()
}

/// Returns the lower quartile, the median and the upper quartile.
fn quartiles(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    [1, 2, 3].map(|i| values[values.len() * i / 4])
}

/// Compares the time that `fndsa verify` takes for a small file with an empty program's time.
fn start_up(directory: &Path) {
    fs::write(directory.join("empty.rs"), "fn main() {}\n").unwrap();
    let rustc = Command::new("rustc").current_dir(directory).args(["-O", "empty.rs"]).status();
    assert!(rustc.is_ok_and(|status| status.success()), "rustc is needed for the empty program");
    let empty = || seconds(program_command(directory.join("empty"), directory, ""));
    let verify = || seconds(command(directory, "verify -p k.pub small"));
    let _ = (0..20).map(|_| empty() + verify()).sum::<f64>();
    let pairs: Vec<_> = (0..PAIRS).map(|_| (verify(), empty())).collect();
    let [low, median, high] = quartiles(pairs.iter().map(|(verify, empty)| verify / empty).collect());
    println!(
        "start-up: verify a 1 KB file / empty program: {median:.2} (quartiles {low:.2} to {high:.2}, {PAIRS} pairs)"
    );
}

/// Builds a program with these cargo arguments, and returns its path, which is `file` in cargo's
/// target directory. Returns `None` if the build fails.
fn build_program(arguments: &str, file: &str) -> Option<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(["rustc", "--quiet", "--profile", "dist", "--locked"]);
    let target = Path::new(FNDSA).parent()?.parent()?;
    command.args(arguments.split(' ')).env("CARGO_TARGET_DIR", target);
    command.status().is_ok_and(|status| status.success()).then(|| target.join(file))
}

/// Compares the static `fndsa` with a small, dynamically linked program that reads the same raw
/// files with crate `fn-dsa`.
fn against_the_peer(directory: &Path) {
    let our_program = build_program(
        "--features cli --bin fndsa --target x86_64-unknown-linux-musl -- -C opt-level=2",
        "x86_64-unknown-linux-musl/dist/fndsa",
    );
    let peer_program = build_program("--example peer_verify", "dist/examples/peer_verify");
    let (Some(our_program), Some(peer_program)) = (our_program, peer_program) else {
        println!("skip: the static fndsa against a program around crate fn-dsa: cargo cannot build both programs here");
        return;
    };
    fndsa(directory, "convert k.pub --to raw -o k.raw");
    fndsa(directory, "convert small.sig --to raw -o small.raw");
    let verify = || seconds(program_command(&our_program, directory, "verify -p k.raw -s small.raw small"));
    let peer = || seconds(program_command(&peer_program, directory, "k.raw small.raw small"));
    let _ = (0..20).map(|_| verify() + peer()).sum::<f64>();
    let pairs: Vec<_> = (0..PAIRS).map(|_| (verify(), peer())).collect();
    let [low, median, high] = quartiles(pairs.iter().map(|(verify, peer)| peer / verify).collect());
    let our_us = 1e6 * quartiles(pairs.iter().map(|(verify, _)| *verify).collect())[1];
    println!(
        "verify a 1 KB file, process start to exit: program around crate fn-dsa / static fndsa ({our_us:.0} µs): \
         {median:.2} (quartiles {low:.2} to {high:.2}, {PAIRS} pairs)"
    );
}

/// Measures once how long signing and verifying a list take. Then compares the verification with
/// `sha256sum -c` in 9 pairs.
fn list(directory: &Path) {
    let tree = directory.join("tree");
    fs::create_dir(&tree).unwrap();
    let mut names = String::new();
    for i in 0..FILES {
        let name = format!("file-{i}");
        fs::write(tree.join(&name), format!("content {i}\n")).unwrap();
        writeln!(names, "{name}").unwrap();
    }
    fs::write(directory.join("names"), names).unwrap();
    let sign = seconds(command(&tree, "sign -q -k ../k.key -M ../list --files-from ../names"));
    let verify = seconds(command(&tree, "verify -q -p ../k.pub -M ../list"));
    let sum = || seconds(program_command("sha256sum", &tree, "--quiet -c ../list"));
    let ratios = (0..9).map(|_| seconds(command(&tree, "verify -q -p ../k.pub -M ../list")) / sum()).collect();
    let [low, median, high] = quartiles(ratios);
    println!("list: {FILES} small files: sign {sign:.2} s, verify {verify:.2} s in one process");
    println!("list: verify / sha256sum -c: {median:.2} (quartiles {low:.2} to {high:.2}, 9 pairs)");
}

/// Compares the time that `fndsa` needs for a long stream from a pipe with the time to hash as many
/// bytes. Also measures the peak memory. The input is not a file, because reading a file would also
/// measure the disk and the file cache.
fn stream(directory: &Path, size: u64) {
    let hash = || {
        let degree = Degree::N512;
        let algorithm = Algorithm::at_degree(Scheme::FnDsa, degree).expect("an algorithm");
        let (mut key, mut public) = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
        let mut work = vec![0; algorithm.keygen_fast_work_len()];
        let rng = &mut getrandom::SysRng;
        let level = Level::detect();
        let key = SigningKeyRef::generate(level, algorithm, rng, &mut key, &mut public, &mut work).expect("a key");
        let mut mu = MuBuilder::pure(level, &key.key_hash(), b"").expect("no context");
        let piece = vec![0; 64 << 10];
        let start = Instant::now();
        for _ in 0..size / piece.len() as u64 {
            mu.update(&piece);
        }
        std::hint::black_box(mu.finish());
        start.elapsed().as_secs_f64()
    };
    for line in ["sign -k k.key -o stream.sig -f -", "verify -p k.pub -s stream.sig -"] {
        let runs: Vec<_> = (0..3).map(|_| (run_with_input(command(directory, line), size), hash())).collect();
        let peak = runs.iter().map(|((_, peak), _)| *peak).max().unwrap_or(0);
        let [_, median, _] = quartiles(runs.iter().map(|((time, _), hash)| time / hash).collect());
        let word = line.split(' ').next().unwrap_or_default();
        println!("stream: {word} of {size} bytes / the hash alone: {median:.2}, peak memory {peak} KB");
    }
}

/// Runs a program that reads `size` bytes from its input. Returns the time in seconds and the
/// largest observed resident set (memory in RAM) in KB.
fn run_with_input(mut command: Command, size: u64) -> (f64, u64) {
    let start = Instant::now();
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let (piece, mut peak) = (vec![0; 64 << 10], 0);
    for (i, position) in (0..size).step_by(piece.len()).enumerate() {
        let len = piece.len().min((size - position) as usize);
        input.write_all(&piece[..len]).unwrap();
        if i % 1024 == 0 {
            let text = fs::read_to_string(&status).unwrap_or_default();
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            peak = peak.max(line.and_then(|kb| kb.trim().split(' ').next()?.parse().ok()).unwrap_or(0));
        }
    }
    drop(input);
    assert!(child.wait().unwrap().success());
    (start.elapsed().as_secs_f64(), peak)
}
