//! Runs each target on its files in `fuzz/corpus` and on copies of these files with random changes
//! from a fixed seed. A fuzzer would try more inputs, but `cargo test` is enough to run these tests
//! (`src/cmd/tests.rs`).

use super::common::{RandomStream, long, parallel};
use std::path::Path;

/// Defines a test for each target. The arguments are the name of the target and the number of
/// changed copies of each file. The test and the directory in `fuzz/corpus` have the name of the
/// target.
macro_rules! targets {
    ($($name:ident: $changes:literal,)*) => {$(
        #[test]
        fn $name() {
            run(stringify!($name), $changes, super::$name);
        }
    )*};
}

targets! {
    private_key: 40,
    public_key: 40,
    signature: 200,
    object: 60,
    armor: 500,
    manifest: 500,
    arguments: 60,
    verify: 40,
    levels: 2,
    sign_verify: 5,
    mldsa: 8,
    batch: 20,
    ssh: 500,
    jose: 100,
    cms: 300,
    x509: 100,
    dsse: 300,
    allowed_signers: 300,
}

/// Returns a copy of the file with up to four random changes. A change can flip a bit, replace,
/// remove or insert a byte, truncate the file, or insert bytes from `other_file`.
fn mutate(file: &[u8], other_file: &[u8], random: &mut RandomStream) -> Vec<u8> {
    let mut changed = file.to_vec();
    for _ in 0..1 + random.below(4) {
        let len = changed.len();
        let (at, byte) = (random.below(len + 1), random.u64() as u8);
        match random.below(7) {
            0 if at < len => changed[at] ^= 1 << (byte % 8),
            1 if at < len => changed[at] = byte,
            2 if at < len => drop(changed.remove(at)),
            3 => changed.insert(at, byte),
            4 => changed.insert(at, b"\0\n\r -=\\/.\x30\x80"[usize::from(byte) % 11]),
            5 if byte < 64 => changed.truncate(at),
            6 => {
                let start = random.below(other_file.len() + 1);
                let part = &other_file[start..other_file.len().min(start + usize::from(byte))];
                changed.splice(at..at, part.iter().copied());
            }
            _ => {}
        }
    }
    changed
}

/// Runs the target on all files of its corpus and on `changes` changed copies of each file. If
/// `FNDSA_LONG=1` is set, there are 50 times as many copies.
fn run(name: &str, changes: usize, target: fn(&[u8])) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
    let mut files: Vec<_> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let contents: Vec<Vec<u8>> = files.iter().map(|file| std::fs::read(file).unwrap()).collect();
    assert!(files.len() >= 8, "{name}: {} files", files.len());
    let changes = if long() { 50 * changes } else { changes };
    parallel(files.len(), |i| {
        println!("{}", files[i].display());
        target(&contents[i]);
        let mut random = RandomStream::new(name, i);
        for _ in 0..changes {
            let other_file = &contents[random.below(contents.len())];
            let input = mutate(&contents[i], other_file, &mut random);
            let outcome = std::panic::catch_unwind(|| target(&input));
            assert!(outcome.is_ok(), "{} changed to {:?}", files[i].display(), input.escape_ascii().to_string());
        }
    });
}
