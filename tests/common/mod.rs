//! Code that several test files share: test vectors, hexadecimal digits, a random generator,
//! threads, and functions that call the library's API.
#![allow(dead_code)] // each test file uses only a part

pub mod library;
pub mod packed;

use fndsa::no_alloc::Level;
use serde_json::Value;
use sha3::Shake256;
use sha3::digest::{ExtendableOutput, Update, XofReader};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Returns whether the tests run in their long form (`FNDSA_LONG=1`).
pub fn long() -> bool {
    std::env::var_os("FNDSA_LONG").is_some_and(|v| v == "1")
}

/// Returns whether the tests run in their short form (`FNDSA_SHORT=1`), with few vectors from each
/// list and few random keys. `tests/machines/run` uses the short form, because emulators are slow.
pub fn short() -> bool {
    std::env::var_os("FNDSA_SHORT").is_some_and(|v| v == "1")
}

/// Returns whether a profile with a single codegen unit built the tests. Finds the profile in this
/// program's path, because Cargo names a profile's directory after the profile.
pub fn has_a_single_unit() -> bool {
    let program = std::env::current_exe().expect("the path of this program");
    program.components().any(|part| part.as_os_str() == "release" || part.as_os_str() == "dist")
}

/// An object in a vector file. The methods panic if a field does not have the type that they
/// return. All methods except `optional` also panic if a field is missing.
#[derive(Clone, Copy)]
pub struct VectorCase<'a>(&'a Value);

/// Returns the path to a file in `tests/kat`. Also searches the parent folders of the package,
/// because the package `tests/machines` in a subfolder uses this function.
pub fn kat(name: &str) -> PathBuf {
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let folder = packages.map(|package| package.join("tests/kat")).find(|it| it.is_dir());
    folder.expect("the folder of the vectors").join(name)
}

/// Reads a file in `tests/kat`.
pub fn vector_text(name: &str) -> String {
    String::from_utf8(packed::read(&kat(name))).expect("a text")
}

/// Reads a JSON file in `tests/kat`.
pub fn vector_file(name: &str) -> Value {
    serde_json::from_str(&vector_text(name)).expect("JSON")
}

/// Returns the objects in a list of a vector file.
pub fn cases<'a>(file: &'a Value, list: &str) -> Vec<VectorCase<'a>> {
    file[list].as_array().expect("a list").iter().map(VectorCase).collect()
}

impl<'a> VectorCase<'a> {
    pub fn whole(file: &'a Value) -> Self {
        Self(file)
    }

    /// Returns a field that contains text.
    pub fn text(&self, field: &str) -> &'a str {
        self.0[field].as_str().unwrap_or_else(|| panic!("{field} is not a text"))
    }

    /// Returns a field, or `None` if it is missing.
    pub fn optional(&self, field: &str) -> Option<&'a str> {
        (!self.0[field].is_null()).then(|| self.text(field))
    }

    pub fn texts(&self, field: &str) -> Vec<&'a str> {
        let list = self.0[field].as_array().unwrap_or_else(|| panic!("{field} is not a list"));
        list.iter().map(|x| x.as_str().expect("text")).collect()
    }

    /// Returns the objects in a list of this object.
    pub fn cases(&self, list: &str) -> Vec<Self> {
        cases(self.0, list)
    }

    /// Decodes a field with hexadecimal digits.
    pub fn bytes(&self, field: &str) -> Vec<u8> {
        hex(self.text(field))
    }

    pub fn array<const N: usize>(&self, field: &str) -> [u8; N] {
        self.bytes(field).try_into().unwrap_or_else(|_| panic!("{field} does not have {N} bytes"))
    }

    pub fn int(&self, field: &str) -> i64 {
        self.0[field].as_i64().unwrap_or_else(|| panic!("{field} is not a number"))
    }

    pub fn ints(&self, field: &str) -> Vec<i64> {
        let list = self.0[field].as_array().unwrap_or_else(|| panic!("{field} is not a list"));
        list.iter().map(|x| x.as_i64().expect("a number")).collect()
    }

    /// Returns a field that is true or false.
    pub fn truth(&self, field: &str) -> bool {
        self.0[field].as_bool().unwrap_or_else(|| panic!("{field} is not true or false"))
    }

    /// Returns a list of binary64 numbers, which have 16 hex digits each (big-endian).
    pub fn doubles(&self, field: &str) -> Vec<f64> {
        let list = self.0[field].as_array().unwrap_or_else(|| panic!("{field} is not a list"));
        let bits = |x: &Value| u64::from_str_radix(x.as_str().expect("hex"), 16).expect("hex");
        list.iter().map(|x| f64::from_bits(bits(x))).collect()
    }
}

pub fn hex(text: &str) -> Vec<u8> {
    assert!(text.len().is_multiple_of(2));
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).expect("hex")).collect()
}

pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Computes SHAKE256 with 64 output bytes for the joined pieces (the function H in FIPS 204).
pub fn h(pieces: &[&[u8]]) -> [u8; 64] {
    let mut sponge = Shake256::default();
    pieces.iter().for_each(|piece| sponge.update(piece));
    let mut out = [0; 64];
    sponge.finalize_xof().read(&mut out);
    out
}

/// Checks that two byte strings are the same. If they differ, the message contains the position of
/// the first difference instead of all bytes.
#[track_caller]
pub fn assert_same(found: &[u8], expected: &[u8], what: impl std::fmt::Display) {
    if found != expected {
        let (found_len, expected_len) = (found.len(), expected.len());
        let first_difference = found.iter().zip(expected).position(|(a, b)| a != b);
        let first_difference = first_difference.unwrap_or(found_len.min(expected_len));
        panic!(
            "{what}: {found_len} bytes found, {expected_len} expected, the first difference at byte {first_difference}"
        );
    }
}

/// A deterministic generator: the output of SHAKE256 for a name and a number.
pub struct RandomStream(Box<dyn XofReader>);

impl RandomStream {
    /// Creates the generator for a name and a number.
    pub fn new(name: &str, number: usize) -> Self {
        let mut h = Shake256::default();
        h.update(name.as_bytes());
        h.update(&(number as u64).to_le_bytes());
        Self(Box::new(h.finalize_xof()))
    }

    pub fn fill(&mut self, out: &mut [u8]) {
        self.0.read(out);
    }

    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut out = [0; N];
        self.fill(&mut out);
        out
    }

    pub fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.bytes())
    }

    /// Returns a number in `0..bound`. The remainder makes some numbers slightly more frequent,
    /// which does not matter for tests.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.u64() % bound as u64) as usize
    }
}

/// If `FNDSA_SHORT=1` is set, each level tests about this number of vectors from each list.
const VECTORS_PER_LEVEL: usize = 4;

/// Calls `check` with each vector on each level of this CPU. If [`short`] is true, each level tests
/// only about [`VECTORS_PER_LEVEL`] vectors. They are evenly spread over the list, and each level
/// starts at a different vector.
pub fn on_every_level<T: Sync, R: Send>(vectors: &[T], check: impl Fn(Level, &T) -> R + Sync) -> Vec<R> {
    let levels = library::levels();
    assert!(levels.len() >= 3 || !cfg!(target_arch = "x86_64"), "levels {levels:?}");
    let step = if short() { vectors.len().div_ceil(VECTORS_PER_LEVEL) } else { 1 };
    let pairs = (0..vectors.len()).flat_map(|v| (0..levels.len()).map(move |l| (v, l)));
    let pairs: Vec<_> = pairs.filter(|(v, l)| (v + l) % step == 0).collect();
    parallel(pairs.len(), |i| check(levels[pairs[i].1], &vectors[pairs[i].0]))
}

/// Runs `work(0), work(1), .. work(count - 1)` on all CPUs and returns the results in order. A
/// panic in any call ends the test.
pub fn parallel<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let next_index = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(count);
    // WebAssembly has no threads, so a single thread does all work.
    if threads == 1 {
        return (0..count).map(work).collect();
    }
    let mut results: Vec<(usize, R)> = std::thread::scope(|scope| {
        let run = || {
            let mut thread_results = Vec::new();
            loop {
                let i = next_index.fetch_add(1, Ordering::Relaxed);
                if i >= count {
                    return thread_results;
                }
                thread_results.push((i, work(i)));
            }
        };
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        handles.into_iter().flat_map(|h| h.join().unwrap_or_else(|e| std::panic::resume_unwind(e))).collect()
    });
    results.sort_by_key(|(i, _)| *i);
    results.into_iter().map(|(_, r)| r).collect()
}
