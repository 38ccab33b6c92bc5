//! Several files at once: the same words in the same order, whatever the number of threads.

use crate::harness::{Call, Place, can_trace, finish, signal, skip, wait_for};
use std::fs::{self, OpenOptions};
use std::io::Write;

const SIGN: &str = "--allow-weak sign -k k.key";
const VERIFY: &str = "--allow-weak verify -p k.pub";

/// Good, bad and missing files, the first one long.
fn mixed() -> (Place, String) {
    let place = Place::toy();
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
fn the_order_is_that_of_the_command_line() {
    let (place, names) = mixed();
    let one = place.run(&format!("{VERIFY} -j 1 {names}")).code(1).complains("of 61 files 10 FAILED, 9 ERROR");
    assert_eq!(one.out.lines().count(), 61);
    for jobs in ["2", "7", "1024", "all"] {
        let many = place.run(&format!("{VERIFY} -j {jobs} {names}")).code(1);
        assert_eq!((&many.out, &many.err), (&one.out, &one.err), "{jobs}");
    }
    let signed: Vec<_> =
        ["1", "3"].iter().map(|jobs| place.run(&format!("-v {SIGN} -f --jobs {jobs} {names}")).code(4).err).collect();
    assert_eq!(signed[0], signed[1]);
    assert_eq!(signed[0].lines().count(), 61);
    place.run(&format!("{VERIFY} {names}")).code(4);
}

#[test]
fn numbers_that_make_no_sense_are_usage_errors() {
    let place = Place::toy();
    for jobs in ["0", "-1", "1025", "x", "", "1.5"] {
        place.run(&format!("{VERIFY} --jobs={jobs} a")).code(2).mutely().complains("1 to 1024");
    }
    place.run(&format!("{VERIFY} -j 1 a")).code(0);
}

#[test]
fn a_line_comes_when_its_file_is_decided() {
    let place = Place::toy();
    assert_eq!(Call::new("mkfifo", place.root()).arg("p").run().code, 0);
    place.put("p.sig", place.get("a.sig"));
    place.put("c", "hello\n");
    place.put("c.sig", place.get("a.sig"));
    for jobs in ["1", "2"] {
        let out = fs::File::create(place.path("out")).unwrap();
        let child = place.call(&format!("{VERIFY} -j {jobs} a p c")).to(out).spawn();
        // The pipe is opened by the reader, who by then has decided nothing about it.
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
fn one_files_error_does_not_stop_the_others() {
    let place = Place::toy();
    place.put("c", "c");
    let done = place.run(&format!("{SIGN} nosuch b . c")).code(4).mutely();
    assert_eq!(done.err.lines().filter(|line| line.starts_with("error: ")).count(), 2, "{}", done.err);
    place.run(&format!("{VERIFY} b c")).code(0);
    // A key that cannot be read is one error.
    fs::remove_file(place.path("b.sig")).unwrap();
    let done = place.run("sign -k nosuch b c a").code(4);
    assert_eq!(done.err.lines().count(), 1, "{}", done.err);
    assert!(!place.has("b.sig"));
}

#[test]
fn a_file_that_grows_while_it_is_read_is_not_signed() {
    let place = Place::toy();
    if !can_trace() {
        return skip("a growing file", "strace does not work here");
    }
    place.put("grows", vec![0; 1 << 20]);
    // Every read takes a while, so that the file changes between two of them.
    for line in ["sign -k k.key b grows", "sign -k k.key -M list grows b"] {
        let call = Call::new("strace", place.root()).args("-f -qq -o t -P grows -e trace=read -e");
        let call = call.arg("inject=read:delay_exit=20000").arg(crate::harness::FNDSA).args("--allow-weak").args(line);
        let child = call.spawn();
        wait_for("the first read", || fs::read_to_string(place.path("t")).is_ok_and(|trace| trace.contains("read(")));
        let mut file = OpenOptions::new().append(true).open(place.path("grows")).unwrap();
        file.write_all(b"more").unwrap();
        drop(file);
        finish(child).code(4).complains("grows: changed while being read");
        assert!(!place.has("grows.sig") && !place.has("list") && !place.has("list.sig"));
        fs::remove_file(place.path("t")).unwrap();
    }
    place.run(&format!("{VERIFY} b")).code(0);
}

#[test]
fn a_signal_ends_many_writers_and_leaves_nothing() {
    let place = Place::toy();
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
        assert_eq!(temporaries(&place), 0);
    }
    place.run(&format!("-q {VERIFY} --files-from names")).code(0).mutely();
}

fn temporaries(place: &Place) -> usize {
    place.names().iter().filter(|name| name.as_encoded_bytes().starts_with(b".fndsa-")).count()
}

/// On a slow disk there is a temporary file at every moment, and each makes a signal wait.
#[test]
fn a_signal_is_obeyed_between_two_files_of_a_thread() {
    let place = Place::toy();
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
    let child = Call::new("strace", place.root()).args(slow).arg(program).spawn();
    // By then the threads are out of step.
    wait_for("some signatures", || place.get("f200.sig") != first);
    signal(place.text("pid").trim().parse().unwrap(), "TERM");
    finish(child).code(143);
    assert_eq!((temporaries(&place), place.get("f999.sig") == last), (0, true));
    place.run(&format!("-q {VERIFY} --files-from names")).code(0).mutely();
}

#[test]
fn nothing_but_answers_is_printed_where_there_is_no_terminal() {
    let (place, names) = mixed();
    place.run(&format!("-q {SIGN} -M list f0 f1 f2")).code(0).mutely().quietly();
    let done = place.run(&format!("{SIGN} -f -M list f0 f1 f2")).code(0).mutely();
    assert!(done.err.starts_with("wrote list (3 files) ") && done.err.lines().count() == 1, "{}", done.err);
    place.run(&format!("-q {VERIFY} {names}")).code(1).complains("hint: ");
    let done = place.run(&format!("-q {VERIFY} {names}"));
    assert!(done.out.lines().all(|line| !line.contains(": OK")) && done.out.lines().count() == 19, "{}", done.out);
    assert!(!done.err.contains("verify: of"), "{}", done.err);
    place.run(&format!("-qq {VERIFY} {names}")).code(1).mutely().quietly();
}
