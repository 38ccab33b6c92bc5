//! Tests for a list's last day (`--best-before`) and for signed comments in a list.

use crate::harness::{ProgramCall, ProgramOutput, TestDirectory, have, skip};
use crate::messages::{MessageCase, RunMethod, row};

/// Returns a directory with a signed list. The options can set a last day.
fn directory_with_signed_list(options: &str) -> TestDirectory {
    let directory = TestDirectory::toy();
    directory.run(&format!("--allow-weak sign -k k.key -M list {options} a b")).code(0);
    directory
}

/// Verifies the list with these additional arguments.
fn verify_list(directory: &TestDirectory, line: &str) -> ProgramOutput {
    directory.run(&format!("--allow-weak verify -p k.pub -M list {line}"))
}

/// Writes a list that fndsa did not create, and signs it as an ordinary file.
fn write_signed_list(directory: &TestDirectory, list: &str) {
    directory.put("list", list);
    directory.run("--allow-weak sign -f -k k.key list").code(0);
}

/// The SHA-256 digest of an empty file, as printed by `sha256sum </dev/null`.
const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// Returns the rows about the last day of a list for the message catalogue in `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    let old = RunMethod::After("$FNDSA -q sign -k k.key -M l --best-before 2020-02-29 a");
    let list = |words, x: String| {
        row(
            "manifest_best_before",
            "verify -p k.pub -M x",
            3,
            words,
            "ask the signer for a list that `fndsa sign -M LIST",
        )
        .file_x(x)
        .how(RunMethod::Shell("${FNDSA%% *} -q sign -k k.key x; $FNDSA"))
    };
    let zeros = "0".repeat(64);
    let words = "expired: the last day of the list was 2020-02-29, and today is 2020-03-01";
    vec![
        row("expired", "verify -p k.pub -M l --at 2020-03-01", 1, words, "a newer list").how(old),
        row(
            "manifest_best_before",
            "sign -k k.key -M l BEST-BEFORE-2020-02-29",
            2,
            "the name is reserved for BEST-BEFORE entries",
            "--best-before DATE",
        ),
        list("x: line 1: the BEST-BEFORE entry has no day of the form YYYY-MM-DD", format!("{EMPTY}  BEST-BEFORE-x\n")),
        list(
            "x: line 1: the BEST-BEFORE entry does not have the checksum of an empty file",
            format!("{zeros}  BEST-BEFORE-2020-02-29\n"),
        ),
        list("x: line 2: this is a second BEST-BEFORE entry", format!("{EMPTY}  BEST-BEFORE-2020-02-29\n").repeat(2)),
        row("usage", "sign -k k.key -M l --best-before 2021-02-29 a", 2, "not a day of the calendar", ""),
        row("usage", "verify -p k.pub -M l --at tomorrow", 2, "not a day of the calendar", ""),
        row(
            "usage",
            "sign -k k.key -M l --comment=-----x a",
            2,
            "a comment cannot begin with -----, because lines of signatures begin with these characters",
            "",
        ),
    ]
}

#[test]
fn a_list_is_accepted_until_the_end_of_its_last_day() {
    let directory = directory_with_signed_list("--best-before 2096-02-29");
    assert_eq!(directory.text("list").lines().next().unwrap(), format!("{EMPTY}  BEST-BEFORE-2096-02-29"));
    // The list is valid today (by the machine's clock), and on the given days up to its last day.
    for line in ["", "--at 1970-01-01", "--at 2096-02-28", "--at 2096-02-29"] {
        let output = verify_list(&directory, line).code(0).err_empty();
        assert_eq!(output.out.matches(": OK").count(), 3, "{}", output.out);
    }
    for line in [
        "--at 2096-03-01",
        "--at 2097-01-01",
        "--at 9999-12-31",
        "--at 2096-03-01 a",
        "--ignore-missing --at 2096-03-01",
    ] {
        let output = verify_list(&directory, line).code(1).err_has("a newer list from the signer");
        assert!(
            output.out.starts_with("list: FAILED (expired: the last day of the list was 2096-02-29, and today is "),
            "{}",
            output.out
        );
        assert_eq!(output.out.lines().count(), 1, "fndsa checks no file of an expired list: {}", output.out);
    }
    let json = directory.run("--allow-weak --json verify -p k.pub -M list --at 2096-03-01").code(1).json();
    let result = &json["results"][0];
    assert_eq!((&result["reason"], &result["status"]), (&"expired".into(), &"failed".into()));
    assert_eq!((&result["best_before"], &result["today"]), (&"2096-02-29".into(), &"2096-03-01".into()));
    assert_eq!(json["results"].as_array().unwrap().len(), 1);
}

#[test]
fn the_clock_of_the_machine_decides() {
    let directory = TestDirectory::toy();
    let warning = "warning: the last day of the list, 2001-01-01, has passed";
    directory.run("--allow-weak sign -k k.key -M list --best-before 2001-01-01 a").code(0).err_has(warning);
    verify_list(&directory, "")
        .code(1)
        .out_has("list: FAILED (expired: the last day of the list was 2001-01-01, and today is 2");
    verify_list(&directory, "--at 2001-01-01").code(0);
    // The last day is tomorrow, or today if midnight passes during the test.
    let today =
        |seconds: &str| directory.sh(&format!("date -u -d '{seconds} seconds' +%F")).code(0).out.trim().to_owned();
    let later = today("+86400");
    directory.run(&format!("--allow-weak sign -f -k k.key -M list --best-before {later} a")).code(0);
    let output = directory.run("--allow-weak -v verify -p k.pub -M list").code(0);
    let (before, after) = (today("0"), today("0"));
    let words = |day: &str| {
        format!("list: the last day of the list is {later}, and today is {day} (the clock of this machine, UTC)\n")
    };
    assert!([&before, &after, &today("-60")].iter().any(|day| output.err.contains(&words(day))), "{}", output.err);
    directory
        .run("--allow-weak -v verify -p k.pub -M list --at 1999-12-31")
        .code(0)
        .err_has("today is 1999-12-31 (--at)");
}

#[test]
fn a_list_without_a_last_day_never_expires() {
    let directory = directory_with_signed_list("");
    let output = directory.run("--allow-weak -v verify -p k.pub -M list --at 9999-12-31").code(0);
    assert!(!output.err.contains("today"), "{}", output.err);
    let json = directory.run("--allow-weak --json verify -p k.pub -M list").code(0).json();
    assert!(json["results"][0].get("today").is_none() && json["results"][0].get("best_before").is_none());
}

/// If an attacker adds, changes or removes the last day in a list, the signature does not match.
#[test]
fn a_changed_last_day_is_rejected() {
    let directory = directory_with_signed_list("--best-before 2020-02-29");
    let list = directory.text("list");
    let (day, files) = list.split_once('\n').unwrap();
    for other in [
        list.replace("2020", "2096"),
        files.to_owned(),
        format!("# {day}\n{files}"),
        format!("{EMPTY}  BEST-BEFORE-2096-02-29\n{files}"),
        format!("{list}{EMPTY}  BEST-BEFORE-2096-02-29\n"),
        format!("# BEST-BEFORE-2096-02-29\n{list}"),
    ] {
        directory.put("list", &other);
        verify_list(&directory, "").code(1).out_has("list: FAILED (signature does not match");
    }
    // The signer can write a later day in a comment, but a comment has no effect on the last day.
    write_signed_list(
        &directory,
        &format!("# {EMPTY}  BEST-BEFORE-2096-02-29\n#{EMPTY}  BEST-BEFORE-2097-02-29\n{list}"),
    );
    verify_list(&directory, "").code(1).out_has("list: FAILED (expired: the last day of the list was 2020-02-29");
    // An entry with a directory in its name is an ordinary file, and does not set the last day.
    write_signed_list(&directory, &format!("{list}{EMPTY}  d/BEST-BEFORE-2096-02-29\n"));
    verify_list(&directory, "").code(1).out_has("expired");
}

#[test]
fn the_last_day_is_not_a_missing_file() {
    let directory = directory_with_signed_list("--best-before 2096-02-29");
    let line = "--allow-weak sign -f -k k.key -M list --best-before 2096-02-29 -r d";
    std::fs::create_dir(directory.path("d")).unwrap();
    directory.put("d/a", "a");
    directory.run(line).code(0).err_has("(1 file)");
    let first = directory.get("list");
    // The directory can contain an empty file with the name of this entry, because programs such as
    // `sha256sum` require a file for each entry.
    directory.put("d/BEST-BEFORE-2096-02-29", "");
    directory.run(line).code(0);
    assert_eq!(directory.get("list"), first);
    verify_list(&directory, "-C d --strict").code(0);
    verify_list(&directory, "-C d BEST-BEFORE-2096-02-29").code(1).out_has("not in the list");
    directory.put("d/BEST-BEFORE-2096-02-29", "something");
    verify_list(&directory, "-C d --strict")
        .code(1)
        .out_has("d/BEST-BEFORE-2096-02-29: FAILED (in the directory, but not in the list list)");
    directory.run(line).code(2).err_has("the name is reserved for BEST-BEFORE entries");
    std::fs::remove_file(directory.path("d/BEST-BEFORE-2096-02-29")).unwrap();
    // The directory can also contain such an empty file for the last day of an older list.
    directory.put("d/BEST-BEFORE-2095-12-31", "");
    verify_list(&directory, "-C d --strict").code(0);
    directory.run(line).code(0);
    assert_eq!(directory.get("list"), first);
    directory.run("--allow-weak sign -f -k k.key -M list -r d").code(0).err_has("(1 file)");
    directory.run(line).code(0);
    // This date does not exist in the calendar.
    directory.put("d/BEST-BEFORE-2097-02-29", "");
    verify_list(&directory, "-C d --strict")
        .code(1)
        .out_has("d/BEST-BEFORE-2097-02-29: FAILED (in the directory, but not in the list list)");
    directory.run(line).code(2).err_has("d/BEST-BEFORE-2097-02-29: this name cannot be in a list");
}

#[test]
fn comments_are_shown_after_the_verdict() {
    let directory = TestDirectory::toy();
    let call = directory.call("--allow-weak sign -k k.key -M list a --best-before 2096-02-29");
    call.arg("--comment").arg("Release 1.2, für alle").arg("--comment=").arg("--comment=#x").run().code(0);
    assert!(directory.text("list").starts_with("# Release 1.2, für alle\n# \n# #x\ne3b0c4"));
    let output = verify_list(&directory, "").code(0);
    assert_eq!(
        output.err,
        "list: signed comment: Release 1.2, für alle\nlist: signed comment: \nlist: signed comment: #x\n"
    );
    directory.run("--allow-weak -q verify -p k.pub -M list").code(0).err_empty();
    let json = directory.run("--allow-weak --json verify -p k.pub -M list").code(0).json();
    assert_eq!(json["results"][0]["comments"], serde_json::json!(["Release 1.2, für alle", "", "#x"]));
    // If the signature of a list does not match, fndsa does not print the comments.
    directory.put("list", directory.text("list").replace("1.2", "6.6"));
    for options in ["", "--json ", "-v "] {
        let output = directory.run(&format!("--allow-weak {options}verify -p k.pub -M list")).code(1);
        assert!(!output.err.contains("Release") && !output.out.contains("Release"), "{output:?}");
    }
    for comment in ["two\nlines", "\u{1b}[31m", "a\u{202e}b", "-----"] {
        let call = directory.call("--allow-weak sign -f -k k.key -M list a");
        call.arg(format!("--comment={comment}x")).run().code(2).err_has("a comment");
    }
    directory.run("--allow-weak sign -k k.key a --comment x").code(2);
}

#[test]
fn control_characters_in_comments_are_not_printed() {
    let directory = TestDirectory::toy();
    let zeros = "0".repeat(64);
    write_signed_list(&directory, &format!("# \x1b[2Ja: OK\r\n#\u{9b}31m\u{202e}x\n{zeros}  nosuch\n"));
    let output = verify_list(&directory, "").code(4);
    assert!(output.err.chars().all(|c| c == '\n' || !c.is_control()), "{:?}", output.err);
    assert!(output.err.contains("list: signed comment: \\u{1b}[2Ja: OK\n"), "{:?}", output.err);
    directory.run("--allow-weak --json verify -p k.pub -M list").code(4).json();
    // If a list has many comments, fndsa prints the first 20 and counts the rest.
    write_signed_list(&directory, &format!("{}{zeros}  nosuch\n", "# x\n".repeat(1000)));
    let output = verify_list(&directory, "").code(4).err_has("list: 980 more signed comments (--json prints them)\n");
    assert_eq!(output.err.matches("signed comment: ").count(), 20);
}

/// The programs `sha256sum`, `shasum` and `busybox` can read the lists. All of them except
/// `busybox` accept comments. Without `--ignore-missing`, the entry for the last day is an error
/// unless an empty file with the entry's name exists.
#[test]
fn other_programs_read_lists_with_a_last_day() {
    let directory = TestDirectory::toy();
    let day = "--best-before 2096-02-29";
    for (options, day_name) in [("", None), ("--comment remark", None), (day, Some("BEST-BEFORE-2096-02-29"))] {
        directory.run(&format!("--allow-weak sign -f -k k.key -M list {options} a b")).code(0);
        let inline = directory.run(&format!("--allow-weak sign -f -k k.key -M inline --inline {options} a b"));
        inline.code(0);
        for list in ["list", "inline"] {
            let commented = options.contains("comment") || list == "inline";
            for program in ["sha256sum -c --strict", "shasum -a 256 -c --strict", "busybox sha256sum -c"] {
                let name = program.split(' ').next().unwrap();
                if !have(name) {
                    skip(program, "it is not installed");
                    continue;
                }
                let check = || ProgramCall::new(name, directory.root()).args(&program[name.len()..]).arg(list).run();
                let output = check();
                let comments_are_errors = name == "busybox" && commented;
                let expected_code = i32::from(day_name.is_some() || comments_are_errors);
                assert_eq!(output.code, expected_code, "{program} {list} {options}: {output:?}");
                assert!(output.out.contains("a: OK\nb: OK\n"), "{output:?}");
                if let Some(day_name) = day_name {
                    directory.put(day_name, "");
                    let output = check();
                    assert_eq!(output.code, i32::from(comments_are_errors), "{program} {list} {options}: {output:?}");
                    directory.remove(day_name);
                    if name != "busybox" {
                        let line = format!("{} --ignore-missing {list}", &program[name.len()..]);
                        ProgramCall::new(name, directory.root()).args(&line).run().code(0);
                    }
                }
                if comments_are_errors && day_name.is_none() {
                    directory.sh(&format!("grep -v '^#' {list} | busybox sha256sum -c")).code(0);
                }
                // The programs also detect a changed file.
                directory.put("b", "changed");
                assert_eq!(check().code, 1, "{program}");
                directory.put("b", "b\n");
            }
        }
    }
}
