//! Tests for several files in a command: the output and its order do not depend on the number of
//! threads.

use crate::harness::{ProgramCall, TestDirectory, can_trace, finish, signal, skip, wait_for};
use std::fs::{self, OpenOptions};
use std::io::Write;

const SIGN: &str = "--allow-weak sign -k k.key";
const VERIFY: &str = "--allow-weak verify -p k.pub";

/// Creates good, bad and missing files. The first file is long.
fn directory_with_mixed_files() -> (TestDirectory, String) {
    let directory = TestDirectory::toy();
    let mut names = vec!["long".to_owned()];
    directory.put("long", vec![7; 8 << 20]);
    directory.run(&format!("{SIGN} long")).code(0);
    for i in 0..60 {
        let name = format!("f{i}");
        if i % 7 != 3 {
            directory.put(&name, if i % 5 == 2 { "other" } else { "hello\n" });
        }
        directory.put(format!("{name}.sig"), directory.get("a.sig"));
        names.push(name);
    }
    (directory, names.join(" "))
}

#[test]
fn output_has_the_order_of_the_command_line() {
    let (directory, names) = directory_with_mixed_files();
    let single_thread =
        directory.run(&format!("{VERIFY} -j 1 {names}")).code(1).err_has("61 files: 10 FAILED, 9 ERROR");
    assert_eq!(single_thread.out.lines().count(), 61);
    for jobs in ["2", "7", "1024", "all"] {
        let many_threads = directory.run(&format!("{VERIFY} -j {jobs} {names}")).code(1);
        assert_eq!((&many_threads.out, &many_threads.err), (&single_thread.out, &single_thread.err), "{jobs}");
    }
    let signed: Vec<_> = ["1", "3"]
        .iter()
        .map(|jobs| directory.run(&format!("-v {SIGN} -f --jobs {jobs} {names}")).code(4).err)
        .collect();
    assert_eq!(signed[0], signed[1]);
    assert_eq!(signed[0].lines().filter(|line| !line.starts_with("hint: ")).count(), 62);
    assert!(signed[0].ends_with("\nwrote 52 signature files\n"), "{}", signed[0]);
    directory.run(&format!("{VERIFY} {names}")).code(4);
}

/// The results do not depend on the number of threads, or on the position of an error. With `-j 1`
/// and `-j 2`, a thread processes a group of eight small files together. With `-j 1024`, each file
/// is processed alone.
#[test]
fn an_error_in_one_of_eight_files_does_not_affect_the_others() {
    const TOGETHER: usize = 8;
    let directory = TestDirectory::ready();
    directory.run("keygen -q other").code(0);
    for (algorithm, key) in [("fn-dsa-512", "n"), ("falcon-512", "f"), ("ml-dsa-44", "m")] {
        directory.run(&format!("keygen -q -a {algorithm} {key}")).code(0);
        let names: Vec<_> = (0..TOGETHER * TOGETHER).map(|i| format!("{key}{i}")).collect();
        names.iter().for_each(|name| directory.put(name, name));
        let all = names.join(" ");
        // In group `i`, file `i` is missing, and the signature of the next file already exists.
        let (gone, kept): (Vec<_>, Vec<_>) =
            (0..TOGETHER).map(|i| (&names[i * TOGETHER + i], &names[i * TOGETHER + (i + 1) % TOGETHER])).unzip();
        gone.iter().for_each(|name| directory.remove(name));
        let sign = |jobs: &str| {
            names.iter().for_each(|name| directory.remove(format!("{name}.sig")));
            kept.iter().for_each(|name| directory.put(format!("{name}.sig"), "kept"));
            let output = directory.run(&format!("-v sign -k {key}.key -j {jobs} {all}")).code(4).out_empty();
            assert!(kept.iter().all(|name| directory.text(format!("{name}.sig")) == "kept"));
            assert!(gone.iter().all(|name| !directory.has(format!("{name}.sig"))));
            output.err
        };
        assert_eq!(sign("1"), sign("1024"));
        assert_eq!(sign("2"), sign("1024"));
        let wrong: Vec<_> = gone.iter().chain(&kept).map(|name| name.as_str()).collect();
        let signed_names: Vec<_> = names.iter().map(String::as_str).filter(|name| !wrong.contains(name)).collect();
        let _ = sign("1");
        directory.run(&format!("verify -p {key}.pub {}", signed_names.join(" "))).code(0);

        // Sign all files. Then cause an error in file `i` of group `i`.
        kept.iter().for_each(|name| directory.remove(format!("{name}.sig")));
        gone.iter().for_each(|name| directory.put(name, name));
        directory.run(&format!("sign -f -k {key}.key {all}")).code(0);
        directory.run("sign -f -k other.key a").code(0);
        for (i, name) in gone.iter().enumerate() {
            match i {
                0 => directory.remove(name),
                1 => directory.remove(format!("{name}.sig")),
                2 => directory.put(format!("{name}.sig"), "junk"),
                3 => directory.put(format!("{name}.sig"), directory.get("a.sig")),
                4 => directory.put(format!("{name}.sig"), directory.get(format!("{}.sig", kept[i]))),
                _ => directory.put(name, "another text"),
            }
        }
        let verify = |options: &str| directory.run(&format!("verify -p k2.pub -p {key}.pub {options} {all}")).code(1);
        let alone = verify("-j 1024");
        for jobs in ["-j 1", "-j 2"] {
            let together = verify(jobs);
            assert_eq!((&together.out, &together.err), (&alone.out, &alone.err), "{jobs}");
        }
        let (together, alone) = (verify("-j 2 --explain"), verify("-j 1024 --explain"));
        assert_eq!((&together.out, &together.err), (&alone.out, &alone.err));
        for (name, line) in names.iter().zip(together.out.lines()) {
            assert_eq!(line.starts_with(&format!("{name}: OK")), !gone.contains(&name), "{line}");
        }
    }
}

#[test]
fn invalid_numbers_are_usage_errors() {
    let directory = TestDirectory::toy();
    for jobs in ["0", "-1", "1025", "x", "", "1.5"] {
        directory.run(&format!("{VERIFY} --jobs={jobs} a")).code(2).out_empty().err_has("1 to 1024");
    }
    directory.run(&format!("{VERIFY} -j 1 a")).code(0);
}

#[test]
fn a_line_is_printed_as_soon_as_its_file_has_a_verdict() {
    let directory = TestDirectory::toy();
    assert_eq!(ProgramCall::new("mkfifo", directory.root()).arg("p").run().code, 0);
    directory.put("p.sig", directory.get("a.sig"));
    directory.put("c", "hello\n");
    directory.put("c.sig", directory.get("a.sig"));
    for jobs in ["1", "2"] {
        let out = fs::File::create(directory.path("out")).unwrap();
        let child = directory.call(&format!("{VERIFY} -j {jobs} a p c")).to(out).spawn();
        // This call waits until fndsa opens the pipe `p` for reading. At that time, fndsa has not
        // started to verify `p`.
        let mut pipe = OpenOptions::new().write(true).open(directory.path("p")).unwrap();
        wait_for("the first line", || directory.text("out").contains("a: OK"));
        assert_eq!(directory.text("out").lines().count(), 1);
        pipe.write_all(b"hello\n").unwrap();
        drop(pipe);
        finish(child).code(0);
        assert_eq!(directory.text("out").lines().count(), 3);
    }
}

#[test]
fn an_error_in_a_file_does_not_stop_the_other_files() {
    let directory = TestDirectory::toy();
    directory.put("c", "c");
    let output = directory.run(&format!("{SIGN} nosuch b . c")).code(4).out_empty();
    assert_eq!(output.err.lines().filter(|line| line.starts_with("error: ")).count(), 2, "{}", output.err);
    directory.run(&format!("{VERIFY} b c")).code(0);
    // A key that cannot be read is a single error.
    fs::remove_file(directory.path("b.sig")).unwrap();
    let output = directory.run("sign -k nosuch b c a").code(4);
    assert_eq!(output.err, "error: nosuch: no such file or directory\nhint: check the name and the directory\n");
    assert!(!directory.has("b.sig"));
}

#[test]
fn a_file_that_grows_while_it_is_read_is_not_signed() {
    let directory = TestDirectory::toy();
    if !can_trace() {
        return skip("a growing file", "strace does not work here");
    }
    directory.put("grows", vec![0; 1 << 20]);
    // The read calls are slow, so the file changes between two calls.
    for line in ["sign -k k.key b grows", "sign -k k.key -M list grows b"] {
        let call = ProgramCall::new("strace", directory.root()).args("-f -qq -o t -P grows -e trace=read -e");
        let call = call.arg("inject=read:delay_exit=20000").arg(crate::harness::FNDSA).args("--allow-weak").args(line);
        let child = call.spawn();
        wait_for("the first read", || {
            fs::read_to_string(directory.path("t")).is_ok_and(|trace| trace.contains("read("))
        });
        let mut file = OpenOptions::new().append(true).open(directory.path("grows")).unwrap();
        file.write_all(b"more").unwrap();
        drop(file);
        finish(child).code(4).err_has("grows: changed while being read");
        assert!(!directory.has("grows.sig") && !directory.has("list") && !directory.has("list.sig"));
        fs::remove_file(directory.path("t")).unwrap();
    }
    directory.run(&format!("{VERIFY} b")).code(0);
}

#[test]
fn a_signal_ends_many_writers_and_no_temporary_file_remains() {
    let directory = TestDirectory::toy();
    let names: Vec<_> = (0..3000).map(|i| format!("f{i}")).collect();
    names.iter().for_each(|name| directory.put(name, name));
    directory.put("names", names.join("\n"));
    directory.run(&format!("{SIGN} --files-from names")).code(0);
    for _ in 0..5 {
        let original = directory.get("f0.sig");
        let child = directory.call(&format!("{SIGN} -f -j 4 --files-from names")).spawn();
        wait_for("the first signature", || directory.get("f0.sig") != original);
        signal(child.id(), "TERM");
        let code = finish(child).code;
        assert!([0, 143].contains(&code), "{code}");
        assert_eq!(count_temporary_files(&directory), 0);
    }
    directory.run(&format!("-q {VERIFY} --files-from names")).code(0).out_empty();
}

/// Returns the number of temporary files in the directory.
fn count_temporary_files(directory: &TestDirectory) -> usize {
    directory.names().iter().filter(|name| name.as_encoded_bytes().starts_with(b".fndsa-")).count()
}

/// A signal ends the program when a thread is between two files. While a temporary file exists, the
/// program delays the signal, and on a slow disk some thread always has a temporary file.
#[test]
fn a_signal_ends_the_program_between_two_files_of_a_thread() {
    let directory = TestDirectory::toy();
    if !can_trace() {
        return skip("a signal between slow writes", "strace does not work here");
    }
    let names: Vec<_> = (0..1000).map(|i| format!("f{i}")).collect();
    names.iter().for_each(|name| directory.put(name, name));
    directory.put("names", names.join("\n"));
    directory.run(&format!("{SIGN} --files-from names")).code(0);
    let (first, last) = (directory.get("f200.sig"), directory.get("f999.sig"));
    let program = format!("echo $$ >pid; exec {} {SIGN} -f -j 16 --files-from names", crate::harness::FNDSA);
    let slow = "-f --seccomp-bpf -qq -o /dev/null -e trace=fsync -e inject=fsync:delay_exit=40000 sh -c";
    let child = ProgramCall::new("strace", directory.root()).args(slow).arg(program).spawn();
    // When f200.sig has changed, the threads are at different steps.
    wait_for("some signatures", || directory.get("f200.sig") != first);
    signal(directory.text("pid").trim().parse().unwrap(), "TERM");
    finish(child).code(143);
    assert_eq!((count_temporary_files(&directory), directory.get("f999.sig") == last), (0, true));
    directory.run(&format!("-q {VERIFY} --files-from names")).code(0).out_empty();
}

#[test]
fn only_answers_are_printed_without_a_terminal() {
    let (directory, names) = directory_with_mixed_files();
    directory.run(&format!("-q {SIGN} -M list f0 f1 f2")).code(0).out_empty().err_empty();
    let output = directory.run(&format!("{SIGN} -f -M list f0 f1 f2")).code(0).out_empty();
    assert!(output.err.starts_with("wrote list (3 files) ") && output.err.lines().count() == 1, "{}", output.err);
    directory.run(&format!("-q {VERIFY} {names}")).code(1).err_has("hint: ");
    let output = directory.run(&format!("-q {VERIFY} {names}"));
    assert!(
        output.out.lines().all(|line| !line.contains(": OK")) && output.out.lines().count() == 19,
        "{}",
        output.out
    );
    assert!(!output.err.contains("FAILED,"), "{}", output.err);
    directory.run(&format!("-qq {VERIFY} {names}")).code(1).out_empty().err_empty();
}
