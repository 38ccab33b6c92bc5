//! Limits the number of system calls for each small file, to detect a change that makes fndsa query
//! each file several times.

use crate::harness::{TestDirectory, skip};

/// The file counts for the two runs, `few` and `many`. The test computes the calls for a file as
/// `(calls(many) - calls(few)) / (many - few)`. So the result does not include the calls that start
/// the process.
const FILES: [usize; 2] = [8, 40];

/// Runs the command `line` for the files, and returns the number of system calls per file, rounded
/// up. If `are_signed` is true, the files are signed first. Returns `None` if `strace` does not
/// work here.
fn calls_per_file(directory: &TestDirectory, are_signed: bool, line: &str) -> Option<usize> {
    let mut counts = Vec::new();
    for files in FILES {
        let names: Vec<_> = (0..files).map(|i| format!("{are_signed}-{files}-{i}")).collect();
        for name in &names {
            directory.put(name, "text\n");
        }
        let names = names.join(" ");
        if are_signed {
            directory.run(&format!("-q sign -f -k k.key {names}")).code(0);
        }
        directory.traced("-o trace", &format!("{line} {names}"))?.code(0);
        counts.push(directory.get("trace").iter().filter(|byte| **byte == b'\n').count());
    }
    Some((counts[1] - counts[0]).div_ceil(FILES[1] - FILES[0]))
}

#[test]
fn a_small_file_needs_few_system_calls() {
    let directory = TestDirectory::ready();
    let verify = calls_per_file(&directory, true, "-q verify -p k.pub -j 1");
    let sign = calls_per_file(&directory, false, "-q sign -k k.key -j 1");
    let renew = calls_per_file(&directory, true, "-q sign -f -k k.key -j 1");
    let (Some(verify), Some(sign), Some(renew)) = (verify, sign, renew) else {
        return skip("system calls for each file", "strace does not work here");
    };
    println!("{verify} system calls to verify a file, {sign} to sign a file, {renew} to replace a signature");
    // In a build with debug assertions, the standard library calls `fcntl` before it closes a
    // descriptor. The limits allow three or four such calls for a file.
    assert!(verify <= 16 + 3, "{verify} system calls to verify a file");
    assert!(sign <= 21 + 3, "{sign} system calls to sign a file");
    assert!(renew <= 28 + 4, "{renew} system calls to replace a signature");
}
