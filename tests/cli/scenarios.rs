//! The 36 acceptance scenarios for the command line. If a terminal session can show a scenario, the
//! scenario is a file in `scenarios/`. If a scenario needs signals, races, full disks or terminals,
//! it is a Rust test, and [`IN_RUST`] names it.
//!
//! A file is a session in a new directory with the keys k (512) and k2 (1024), the files a and b,
//! and a.sig by k.

use crate::harness::{FNDSA, TestDirectory};
use std::fs;
use std::path::Path;

/// Scenarios in Rust: (number, file, test).
const IN_RUST: &[(u32, &str, &str)] = &[
    (11, "streams", "a_reader_that_goes_away_ends_quietly"),
    (12, "streams", "a_full_standard_output_is_an_error"),
    (13, "files", "a_full_disk_keeps_the_old_file_and_adds_no_file"),
    (14, "files", "a_write_over_the_size_limit_keeps_the_old_file"),
    (15, "files", "a_read_only_directory_is_reported_before_the_input_is_read"),
    (16, "files", "an_unreadable_key_stops_before_the_first_file"),
    (17, "files", "a_missing_file_does_not_prevent_work_on_other_files"),
    (17, "files", "a_file_that_grows_while_it_is_read_is_not_signed"),
    (19, "streams", "a_stream_needs_constant_memory"),
    (20, "hostile_names", "every_line_is_for_one_file_and_its_name_can_be_pasted"),
    (20, "hostile_names", "json_contains_every_name_byte_for_byte"),
    (21, "armor", "changes_by_common_transports_are_accepted"),
    (22, "armor", "every_defect_of_pem_is_reported"),
    (27, "force", "one_of_twenty_concurrent_keygens_writes_both_files"),
    (27, "force", "a_replaced_signature_file_is_always_valid"),
    (28, "signals", "a_signal_during_a_stream_leaves_no_file"),
    (30, "streams", "raw_bytes_are_not_printed_to_a_terminal"),
    (31, "signals", "a_key_in_a_variable_is_removed_from_the_environment"),
    (32, "streams", "colors_are_used_only_on_terminals_that_allow_them"),
    (35, "bench", "a_regression_from_the_baseline_is_reported"),
    (36, "generated", "every_example_in_the_manual_works"),
    (36, "generated", "shells_can_read_their_completions"),
];

/// Scenarios that have no test yet, because the command does not exist: (number, command name).
const WAITING: &[(u32, &str)] = &[];

fn scenario_directory() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli")
}

#[test]
fn sessions_have_the_written_output() {
    let directory = TestDirectory::empty();
    for entry in fs::read_dir(scenario_directory().join("scenarios")).unwrap() {
        let file = entry.unwrap().path();
        let copy = directory.path(file.file_name().unwrap());
        fs::copy(&file, &copy).unwrap();
        let (from, ready) = (copy.with_extension("in"), TestDirectory::ready());
        // trycmd runs a session in a writable copy of the directory `.in` only if there is a
        // directory `.out`.
        for directory in [&from, &copy.with_extension("out")] {
            fs::create_dir(directory).unwrap();
        }
        for name in ready.names() {
            fs::copy(ready.path(&name), from.join(&name)).unwrap();
        }
    }
    let path = std::env::var("PATH").unwrap_or_default();
    let own = Path::new(FNDSA).parent().unwrap().display();
    let cases = trycmd::TestCases::new();
    cases.env("PATH", format!("{own}:{path}")).env("TERM", "xterm").env("LC_ALL", "C");
    for program in ["sh", "bash", "cat", "cmp", "ls", "stat", "sha256sum", "rm", "setsid"] {
        let program_file =
            std::env::split_paths(&path).map(|directory| directory.join(program)).find(|file| file.is_file());
        match program_file {
            Some(program_file) => cases.register_bin(program, program_file),
            None => cases.register_bin(program, trycmd::schema::Bin::Ignore),
        };
    }
    cases.case(directory.path("*.trycmd")).run();
}

#[test]
fn every_scenario_has_its_test() {
    let sessions: Vec<u32> = fs::read_dir(scenario_directory().join("scenarios"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap()[..2].parse().unwrap())
        .collect();
    for (number, file, test) in IN_RUST {
        let text = fs::read_to_string(scenario_directory().join(format!("{file}.rs"))).unwrap();
        assert!(text.contains(&format!("#[test]\nfn {test}()")), "{number}: no {test} in {file}.rs");
    }
    for number in 1..=36 {
        let session = sessions.contains(&number);
        let rust = IN_RUST.iter().any(|(n, ..)| *n == number);
        let waiting = WAITING.iter().any(|(n, _)| *n == number);
        assert!(session || rust || waiting, "scenario {number} has no test");
        assert!(!(waiting && session), "scenario {number} waits no more");
    }
}
