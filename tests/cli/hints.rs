//! Tests that a hint never suggests an option that is already on the command line.

use crate::harness::in_parallel;
use crate::messages::all_rows;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Returns the options that a hint suggests to add. Skips options that the hint suggests to leave
/// out, and options of commands other than `command`.
fn suggested_options(hint: &str, command: &str) -> BTreeSet<String> {
    let mut options = BTreeSet::new();
    for clause in hint.split("; ").flat_map(|clause| clause.split(", or ")) {
        if clause.split_whitespace().any(|word| ["leave", "without"].contains(&word)) {
            continue;
        }
        for (i, part) in clause.split('`').enumerate() {
            if i % 2 == 1 && part.contains(' ') && !part.starts_with(&format!("fndsa {command} ")) {
                continue;
            }
            let words = part.split(|c: char| c.is_whitespace() || ",;:()?".contains(c));
            let is_option = |word: &&str| word.len() > 1 && word.starts_with('-') && !word.starts_with("---");
            options.extend(words.filter(is_option).map(str::to_owned));
        }
    }
    options
}

/// If a hint names an option, and the user adds this option to the command line, the next hint does
/// not name it.
#[test]
fn no_hint_suggests_an_option_that_is_given() {
    let rows: Vec<_> = all_rows().into_iter().filter(|row| row.plain_line().is_some()).collect();
    let tested_count = AtomicUsize::new(0);
    in_parallel(&rows, |_, row| {
        let line = row.plain_line().unwrap();
        let hint_of = |extra: &str| {
            let document: Value = serde_json::from_str(&row.with_arguments(extra).run("--json")?.out).ok()?;
            let hint = |value: &Value| value.get("hint").and_then(Value::as_str).map(str::to_owned);
            let results = document["results"].as_array().cloned().unwrap_or_default();
            Some(results.iter().chain(document.get("error")).filter_map(hint).collect::<Vec<_>>())
        };
        let command = line.split(' ').next().unwrap();
        for hint in hint_of("").into_iter().flatten() {
            let given_options: BTreeSet<_> = line.split(' ').map(str::to_owned).collect();
            let suggested = suggested_options(&hint, command);
            assert!(suggested.is_disjoint(&given_options), "`{}`: {hint}", line);
            for option in suggested {
                tested_count.fetch_add(1, Ordering::Relaxed);
                for extra in [option.clone(), format!("{option} x")] {
                    for hint in hint_of(&extra).into_iter().flatten() {
                        assert!(!suggested_options(&hint, command).contains(&option), "`{} {extra}`: {hint}", line);
                    }
                }
            }
        }
    });
    let tested_count = tested_count.into_inner();
    assert!(tested_count > 40, "{tested_count} options were tried");
}
