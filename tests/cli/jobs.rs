//! Tests for several files in a command: the output and its order do not depend on the number of
//! threads.

use crate::harness::{ProgramCall, TestDirectory, can_trace, finish, signal, skip, wait_for};
use std::fs::{self, OpenOptions};
use std::io::Write;

const SIGN: &str = "--allow-weak sign -k k.key";
const VERIFY: &str = "--allow-weak verify -p k.pub";

/// Creates good, bad and missing files. The first file is long.
fn directory_with_mixed_files() -> (TestDirectory, String) {
    let place = TestDirectory::toy();
    let mut names = vec!["long".to_owned()];
    place.put("long", vec![7; 8 << 20]);
    place.run(&format!("{SIGN} long")).code(0);
    for i in 0..60 {
        let name = format!("f{i}");
        if i % 7 != 3 {
            place.put(&name, if i % 5 == 2 { "other" } else { "hello\n" });
        }
        place.put(format!("{name}.sig"), place.get("a.sig"));
        names.push(name);
    }
    (place, names.join(" "))
}

#[test]
fn output_has_the_order_of_the_command_line() {
    let (place, names) = directory_with_mixed_files();
    let one = place.run(&format!("{VERIFY} -j 1 {names}")).code(1).err_has("61 files: 10 FAILED, 9 ERROR");
    assert_eq!(one.out.lines().count(), 61);
    for jobs in ["2", "7", "1024", "all"] {
        let many = place.run(&format!("{VERIFY} -j {jobs} {names}")).code(1);
        assert_eq!((&many.out, &many.err), (&one.out, &one.err), "{jobs}");
    }
    let signed: Vec<_> =
        ["1", "3"].iter().map(|jobs| place.run(&format!("-v {SIGN} -f --jobs {jobs} {names}")).code(4).err).collect();
    assert_eq!(signed[0], signed[1]);
    assert_eq!(signed[0].lines().filter(|line| !line.starts_with("hint: ")).count(), 62);
    assert!(signed[0].ends_with("\nwrote 52 signature files\n"), "{}", signed[0]);
    place.run(&format!("{VERIFY} {names}")).code(4);
}

/// The results do not depend on the number of threads, or on the position of an error. With few
/// threads, a thread processes eight small files at a time. With as many threads as files, each
/// thread processes a single file.
#[test]
fn an_error_in_one_of_eight_files_does_not_affect_the_others() {
    const TOGETHER: usize = 8;
    let place = TestDirectory::ready();
    place.run("keygen -q other").code(0);
    for (algorithm, key) in [("fn-dsa-512", "n"), ("falcon-512", "f"), ("ml-dsa-44", "m")] {
        place.run(&format!("keygen -q -a {algorithm} {key}")).code(0);
        let names: Vec<_> = (0..TOGETHER * TOGETHER).map(|i| format!("{key}{i}")).collect();
        names.iter().for_each(|name| place.put(name, name));
        let all = names.join(" ");
        // In group `i`, file `i` is missing, and the signature of the next file already exists.
        let (gone, kept): (Vec<_>, Vec<_>) =
            (0..TOGETHER).map(|i| (&names[i * TOGETHER + i], &names[i * TOGETHER + (i + 1) % TOGETHER])).unzip();
        gone.iter().for_each(|name| place.remove(name));
        let sign = |jobs: &str| {
            names.iter().for_each(|name| place.remove(format!("{name}.sig")));
            kept.iter().for_each(|name| place.put(format!("{name}.sig"), "kept"));
            let done = place.run(&format!("-v sign -k {key}.key -j {jobs} {all}")).code(4).out_empty();
            assert!(kept.iter().all(|name| place.text(format!("{name}.sig")) == "kept"));
            assert!(gone.iter().all(|name| !place.has(format!("{name}.sig"))));
            done.err
        };
        assert_eq!(sign("1"), sign("1024"));
        assert_eq!(sign("2"), sign("1024"));
        let wrong: Vec<_> = gone.iter().chain(&kept).map(|name| name.as_str()).collect();
        let good: Vec<_> = names.iter().map(String::as_str).filter(|name| !wrong.contains(name)).collect();
        let _ = sign("1");
        place.run(&format!("verify -p {key}.pub {}", good.join(" "))).code(0);

        // Sign all files. Then cause an error in file `i` of group `i`.
        kept.iter().for_each(|name| place.remove(format!("{name}.sig")));
        gone.iter().for_each(|name| place.put(name, name));
        place.run(&format!("sign -f -k {key}.key {all}")).code(0);
        place.run("sign -f -k other.key a").code(0);
        for (i, name) in gone.iter().enumerate() {
            match i {
                0 => place.remove(name),
                1 => place.remove(format!("{name}.sig")),
                2 => place.put(format!("{name}.sig"), "junk"),
                3 => place.put(format!("{name}.sig"), place.get("a.sig")),
                4 => place.put(format!("{name}.sig"), place.get(format!("{}.sig", kept[i]))),
                _ => place.put(name, "another text"),
            }
        }
        let verify = |options: &str| place.run(&format!("verify -p k2.pub -p {key}.pub {options} {all}")).code(1);
        let (together, alone) = (verify("-j 2"), verify("-j 1"));
        assert_eq!((&together.out, &together.err), (&alone.out, &alone.err));
        let (together, alone) = (verify("-j 2 --explain"), verify("-j 1024 --explain"));
        assert_eq!((&together.out, &together.err), (&alone.out, &alone.err));
        for (name, line) in names.iter().zip(together.out.lines()) {
            assert_eq!(line.starts_with(&format!("{name}: OK")), !gone.contains(&name), "{line}");
        }
    }
}

#[test]
fn invalid_numbers_are_usage_errors() {
    let place = TestDirectory::toy();
    for jobs in ["0", "-1", "1025", "x", "", "1.5"] {
        place.run(&format!("{VERIFY} --jobs={jobs} a")).code(2).out_empty().err_has("1 to 1024");
    }
    place.run(&format!("{VERIFY} -j 1 a")).code(0);
}

#[test]
fn a_line_is_printed_as_soon_as_its_file_has_a_verdict() {
    let place = TestDirectory::toy();
    assert_eq!(ProgramCall::new("mkfifo", place.root()).arg("p").run().code, 0);
    place.put("p.sig", place.get("a.sig"));
    place.put("c", "hello\n");
    place.put("c.sig", place.get("a.sig"));
    for jobs in ["1", "2"] {
        let out = fs::File::create(place.path("out")).unwrap();
        let child = place.call(&format!("{VERIFY} -j {jobs} a p c")).to(out).spawn();
        // This call waits until fndsa opens the pipe `p` for reading. At that time, fndsa has not
        // started to verify `p`.
        let mut pipe = OpenOptions::new().write(true).open(place.path("p")).unwrap();
        wait_for("the first line", || place.text("out").contains("a: OK"));
        assert_eq!(place.text("out").lines().count(), 1);
        pipe.write_all(b"hello\n").unwrap();
        drop(pipe);
        finish(child).code(0);
        assert_eq!(place.text("out").lines().count(), 3);
    }
}

#[test]
fn an_error_in_a_file_does_not_stop_the_other_files() {
    let place = TestDirectory::toy();
    place.put("c", "c");
    let done = place.run(&format!("{SIGN} nosuch b . c")).code(4).out_empty();
    assert_eq!(done.err.lines().filter(|line| line.starts_with("error: ")).count(), 2, "{}", done.err);
    place.run(&format!("{VERIFY} b c")).code(0);
    // A key that cannot be read is a single error.
    fs::remove_file(place.path("b.sig")).unwrap();
    let done = place.run("sign -k nosuch b c a").code(4);
    assert_eq!(done.err, "error: nosuch: no such file or directory\nhint: check the name and the directory\n");
    assert!(!place.has("b.sig"));
}

#[test]
fn a_file_that_grows_while_it_is_read_is_not_signed() {
    let place = TestDirectory::toy();
    if !can_trace() {
        return skip("a growing file", "strace does not work here");
    }
    place.put("grows", vec![0; 1 << 20]);
    // The read calls are slow, so the file changes between two calls.
    for line in ["sign -k k.key b grows", "sign -k k.key -M list grows b"] {
        let call = ProgramCall::new("strace", place.root()).args("-f -qq -o t -P grows -e trace=read -e");
        let call = call.arg("inject=read:delay_exit=20000").arg(crate::harness::FNDSA).args("--allow-weak").args(line);
        let child = call.spawn();
        wait_for("the first read", || fs::read_to_string(place.path("t")).is_ok_and(|trace| trace.contains("read(")));
        let mut file = OpenOptions::new().append(true).open(place.path("grows")).unwrap();
        file.write_all(b"more").unwrap();
        drop(file);
        finish(child).code(4).err_has("grows: changed while being read");
        assert!(!place.has("grows.sig") && !place.has("list") && !place.has("list.sig"));
        fs::remove_file(place.path("t")).unwrap();
    }
    place.run(&format!("{VERIFY} b")).code(0);
}

#[test]
fn a_signal_ends_many_writers_and_no_temporary_file_remains() {
    let place = TestDirectory::toy();
    let names: Vec<_> = (0..3000).map(|i| format!("f{i}")).collect();
    names.iter().for_each(|name| place.put(name, name));
    place.put("names", names.join("\n"));
    place.run(&format!("{SIGN} --files-from names")).code(0);
    for _ in 0..5 {
        let before = place.get("f0.sig");
        let child = place.call(&format!("{SIGN} -f -j 4 --files-from names")).spawn();
        wait_for("the first signature", || place.get("f0.sig") != before);
        signal(child.id(), "TERM");
        let code = finish(child).code;
        assert!([0, 143].contains(&code), "{code}");
        assert_eq!(count_temporary_files(&place), 0);
    }
    place.run(&format!("-q {VERIFY} --files-from names")).code(0).out_empty();
}

fn count_temporary_files(place: &TestDirectory) -> usize {
    place.names().iter().filter(|name| name.as_encoded_bytes().starts_with(b".fndsa-")).count()
}

/// A signal ends the program between two files of a thread. On a slow disk, there are always
/// temporary files, and each temporary file delays the signal.
#[test]
fn a_signal_ends_the_program_between_two_files_of_a_thread() {
    let place = TestDirectory::toy();
    if !can_trace() {
        return skip("a signal between slow writes", "strace does not work here");
    }
    let names: Vec<_> = (0..1000).map(|i| format!("f{i}")).collect();
    names.iter().for_each(|name| place.put(name, name));
    place.put("names", names.join("\n"));
    place.run(&format!("{SIGN} --files-from names")).code(0);
    let (first, last) = (place.get("f200.sig"), place.get("f999.sig"));
    let program = format!("echo $$ >pid; exec {} {SIGN} -f -j 16 --files-from names", crate::harness::FNDSA);
    let slow = "-f --seccomp-bpf -qq -o /dev/null -e trace=fsync -e inject=fsync:delay_exit=40000 sh -c";
    let child = ProgramCall::new("strace", place.root()).args(slow).arg(program).spawn();
    // At this time, the threads are at different steps.
    wait_for("some signatures", || place.get("f200.sig") != first);
    signal(place.text("pid").trim().parse().unwrap(), "TERM");
    finish(child).code(143);
    assert_eq!((count_temporary_files(&place), place.get("f999.sig") == last), (0, true));
    place.run(&format!("-q {VERIFY} --files-from names")).code(0).out_empty();
}

#[test]
fn only_answers_are_printed_without_a_terminal() {
    let (place, names) = directory_with_mixed_files();
    place.run(&format!("-q {SIGN} -M list f0 f1 f2")).code(0).out_empty().err_empty();
    let done = place.run(&format!("{SIGN} -f -M list f0 f1 f2")).code(0).out_empty();
    assert!(done.err.starts_with("wrote list (3 files) ") && done.err.lines().count() == 1, "{}", done.err);
    place.run(&format!("-q {VERIFY} {names}")).code(1).err_has("hint: ");
    let done = place.run(&format!("-q {VERIFY} {names}"));
    assert!(done.out.lines().all(|line| !line.contains(": OK")) && done.out.lines().count() == 19, "{}", done.out);
    assert!(!done.err.contains("FAILED,"), "{}", done.err);
    place.run(&format!("-qq {VERIFY} {names}")).code(1).out_empty().err_empty();
}
