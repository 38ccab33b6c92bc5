//! Tests for the text of `-h` and `--help`: length, order and groups.

use crate::harness::{COMMANDS, FNDSA, ProgramCall, TestDirectory};
use fndsa::Algorithm;

/// The headings for the groups of options, in order.
const HEADINGS: [&str; 9] =
    ["Arguments", "Options", "Keys", "Message", "Lists", "Several signers", "Policy", "Output", "Expert"];

/// Returns the words that select a help text: the empty word for the program, and all commands.
fn help_subjects() -> impl Iterator<Item = &'static str> {
    std::iter::once("").chain(COMMANDS)
}

/// Returns the text that a command prints for `-h` or `--help` on a terminal with 80 columns.
fn print_help(directory: &TestDirectory, command: &str, option: &str) -> String {
    let words = command.split(' ').filter(|word| !word.is_empty());
    let call = words.fold(ProgramCall::new(FNDSA, directory.root()), |call, word| call.arg(word));
    call.arg(option).env("COLUMNS", "80").run().code(0).err_empty().out
}

/// Returns the headings in a text, in order.
fn headings_in(text: &str) -> Vec<&str> {
    let heading = |line: &&str| !line.starts_with([' ', 'U']) && line.ends_with(':');
    text.lines().filter(heading).map(|line| line.trim_end_matches(':')).collect()
}

#[test]
fn help_begins_with_a_sentence() {
    let directory = TestDirectory::empty();
    for option in ["-h", "--help"] {
        let text = print_help(&directory, "", option);
        assert_eq!(text.lines().next(), Some("Sign and verify files with ML-DSA, FN-DSA (Falcon) and Ed25519"));
        for command in help_subjects() {
            let text = print_help(&directory, command, option);
            let lines: Vec<_> = text.lines().take(4).collect();
            assert!(lines[0].len() < 80 && lines[1].is_empty() && lines[2].starts_with("Usage: fndsa"), "{lines:?}");
        }
    }
}

#[test]
fn short_help_fits_on_a_screen() {
    let directory = TestDirectory::empty();
    for command in help_subjects() {
        let text = print_help(&directory, command, "-h");
        let most =
            if ["sign", "verify", "bench", "keygen", "convert", "request", ""].contains(&command) { 40 } else { 28 };
        assert!(text.lines().count() <= most, "{command}: {} lines\n{text}", text.lines().count());
        assert!(text.lines().count() < print_help(&directory, command, "--help").lines().count(), "{command}");
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        if !command.is_empty() {
            assert_eq!(text.lines().last(), Some(&*format!("More options: fndsa {command} --help")));
        }
    }
    for command in ["sign", "verify"] {
        let text = print_help(&directory, command, "-h");
        let options = text.lines().filter(|line| line.trim_start().starts_with('-')).count();
        assert!((9..=15).contains(&options), "{command}: {options} options\n{text}");
    }
}

#[test]
fn options_have_their_groups() {
    let directory = TestDirectory::empty();
    for command in COMMANDS {
        for option in ["-h", "--help"] {
            let text = print_help(&directory, command, option);
            let found: Vec<_> = headings_in(&text).into_iter().filter(|heading| HEADINGS.contains(heading)).collect();
            let places: Vec<_> =
                found.iter().map(|heading| HEADINGS.iter().position(|known| known == heading)).collect();
            assert!(places.is_sorted() && places.len() > 1, "{command} {option}: {found:?}");
        }
        assert_eq!(headings_in(&print_help(&directory, command, "--help")).last(), Some(&"Expert"), "{command}");
    }
    assert_eq!(
        headings_in(&print_help(&directory, "sign", "-h")),
        ["Arguments", "Keys", "Message", "Lists", "Several signers", "Output"]
    );
    assert_eq!(
        headings_in(&print_help(&directory, "verify", "-h")),
        ["Arguments", "Keys", "Message", "Lists", "Policy", "Output"]
    );
}

#[test]
fn examples_come_before_options() {
    let directory = TestDirectory::empty();
    for command in help_subjects() {
        let text = print_help(&directory, command, "--help");
        assert_eq!(headings_in(&text).first(), Some(&"Examples"), "{command}: {text}");
        assert!(text.find("Examples:").unwrap() < 200, "{command}");
        assert!(!text.contains("core file") && !text.contains("ulimit"), "{command}");
    }
}

#[test]
fn algorithms_have_a_table() {
    let directory = TestDirectory::empty();
    let text = print_help(&directory, "help", "algorithms");
    assert_eq!(directory.run("algorithms").code(0).err_empty().out, text);
    assert!(text.lines().all(|line| line.len() <= 100), "{text}");
    for algorithm in Algorithm::all() {
        let name = algorithm.to_string().to_lowercase();
        let line = text.lines().find(|line| line.split(' ').next() == Some(&name)).unwrap_or_else(|| panic!("{text}"));
        for bytes in [algorithm.verifying_key_len(), algorithm.signature_len()] {
            assert!(line.split(' ').any(|word| word == bytes.to_string()), "{line}");
        }
    }
    // The help names algorithms only as examples and defaults.
    for command in help_subjects() {
        let text = print_help(&directory, command, "--help");
        let words: Vec<_> = text.split([' ', ',', '\n', ':']).collect();
        assert!(!words.contains(&"fn-dsa-2024-1024") && !words.contains(&"ml-dsa-87"), "{command}");
    }
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/man/fndsa.1")).unwrap();
    assert!(page.replace("\\-", "-").contains(text.trim_end()), "the table in fndsa(1)");
}

#[test]
fn the_old_name_of_the_list_option_is_accepted() {
    let directory = TestDirectory::ready();
    for option in ["--list", "--manifest", "-M"] {
        directory.run(&format!("sign -f -k k.key {option} SUMS a b")).code(0);
        directory.run(&format!("verify -p k.pub {option} SUMS")).code(0);
        directory.run(&format!("inspect --markdown k.pub {option} SUMS")).code(0).out_has("SUMS");
    }
    directory.run("verify -p k.pub --level scalar a").code(0);
    directory.run("verify -p k.pub --backend scalar a").code(0);
    for command in ["sign", "verify", "inspect"] {
        let text = print_help(&directory, command, "--help");
        assert!(text.contains("--list <FILE>") && !text.contains("manifest") && !text.contains("--backend"), "{text}");
    }
}

/// Returns the commands in the examples of a help text. A long command continues after a backslash.
fn example_commands(help: &str) -> Vec<String> {
    let examples = help.split("Examples:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let joined = examples.replace(" \\\n      ", " ");
    let commands = joined.lines().filter(|line| line.starts_with("    "));
    commands.map(|line| line.trim_start().to_owned()).collect()
}

#[test]
fn an_example_in_the_help_is_one_command() {
    let directory = TestDirectory::empty();
    for command in COMMANDS {
        let narrow = print_help(&directory, command, "--help");
        let wide = directory.run(&format!("{command} --help")).code(0).out;
        let commands = example_commands(&wide);
        let examples = wide.split("Examples:\n").nth(1).unwrap().split("\n\n").next().unwrap();
        let purposes = examples.lines().filter(|line| !line.starts_with("    ") && line.ends_with(':')).count();
        assert_eq!(commands.len(), purposes, "{command}: {commands:#?}");
        // A terminal with 80 columns adds no line breaks to the commands.
        assert_eq!(example_commands(&narrow), commands, "{command}");
    }
}
