//! Checks JSON documents against the tables in `docs/json.md`. `ProgramOutput::json` calls
//! [`check`] for each document in these tests.

use crate::harness::TestDirectory;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

const DOCUMENT: &str = include_str!("../../docs/json.md");
/// The section with the members of all documents.
const COMMON: &str = "Every document";
/// The section with the members of a result about a file.
const FILE: &str = "A result about a file";
/// The section about answers of `--stream`.
const ANSWER: &str = "`fndsa/stream@1`";
/// The section with the members that explain a NO.
const EXPLAINED: &str = "`fndsa/verify@1`";
/// The section with the reason codes.
const REASONS: &str = "Reason codes";
/// A section with this text also includes the rows of [`FILE`].
const ABOUT_FILES: &str = "Results are about files";

/// A row of a table: the cells without backquotes.
type TableRow = Vec<String>;

/// Returns a section's text.
fn section_text(name: &str) -> Option<&'static str> {
    DOCUMENT.split("\n## ").find_map(|part| part.strip_prefix(name)?.strip_prefix('\n'))
}

/// Returns the rows of the table in a section.
fn table_rows(name: &str) -> Vec<TableRow> {
    let text = section_text(name).unwrap_or_else(|| panic!("docs/json.md has no section `{name}`"));
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect();
    text.lines().filter(|line| line.starts_with('|')).skip(2).map(cells).collect()
}

/// Returns all member names in the tables. A name does not include the parent objects' names.
pub fn all_members() -> BTreeSet<String> {
    let names =
        DOCUMENT.split("\n## ").skip(1).map(|part| part.lines().next().unwrap()).filter(|name| *name != REASONS);
    let rows =
        names.flat_map(table_rows).map(|row| row[0].rsplit('.').next().unwrap().trim_end_matches("[]").to_owned());
    rows.collect()
}

/// Returns the reason codes with the possible exit codes.
pub fn reason_codes() -> BTreeMap<String, Vec<i64>> {
    let exits = |row: &TableRow| row[1].split(" or ").map(|code| code.parse().unwrap()).collect();
    table_rows(REASONS).iter().map(|row| (row[0].clone(), exits(row))).collect()
}

/// Checks a document and the program's exit code.
#[track_caller]
pub fn check(document: &Value, code: i32) {
    if let Err(why) = check_document(document, code) {
        panic!("{why}\n{document:#}");
    }
}

/// Checks an answer from `--stream`.
#[track_caller]
pub fn check_answer(answer: &Value) {
    if let Err(why) = check_stream_answer(answer) {
        panic!("{why}\n{answer:#}");
    }
}

/// Checks an answer of `--stream` against its tables.
fn check_stream_answer(answer: &Value) -> Result<(), String> {
    let object = answer.as_object().ok_or("the answer is no object")?;
    let explained = |row: TableRow| {
        let member = row[0].strip_prefix("results[].")?.to_owned();
        let is_one = ["claims", "explain", "cause"].iter().any(|name| member.split('.').next() == Some(name));
        is_one.then(|| [&[member], &row[1..]].concat())
    };
    let mut rows: Vec<TableRow> = table_rows(EXPLAINED).into_iter().filter_map(explained).collect();
    rows.extend(table_rows(ANSWER));
    let is_ok = object.get("status").is_some_and(|status| status == "ok");
    SchemaSection { name: ANSWER.to_owned(), rows }.check_object(object, "", is_ok)?;
    let code = &object["exit_code"];
    match object.get("reason").and_then(Value::as_str) {
        None => (*code == 0).then_some(()).ok_or_else(|| format!("no reason for exit code {code}")),
        Some(reason) => {
            let exits =
                reason_codes().remove(reason).ok_or_else(|| format!("{reason} is not in the table of reason codes"))?;
            let fits = exits.iter().any(|exit| code == exit);
            fits.then_some(()).ok_or_else(|| format!("{reason} has exit code {exits:?}, not {code}"))
        }
    }
}

/// Checks a document against the tables of its schema.
fn check_document(document: &Value, code: i32) -> Result<(), String> {
    let object = document.as_object().ok_or("the document is no object")?;
    let schema = object.get("schema").and_then(Value::as_str).ok_or("no schema")?;
    let name = format!("`{schema}`");
    let text =
        section_text(&name).ok_or_else(|| format!("docs/json.md has no section {name}; add one with its table"))?;
    let mut rows = table_rows(COMMON);
    if text.contains(ABOUT_FILES) {
        rows.extend(table_rows(FILE));
    }
    rows.extend(table_rows(&name));
    let section = SchemaSection { name, rows };
    section.check_object(object, "", object.get("ok") == Some(&Value::Bool(true)))?;
    if object["exit_code"] != code {
        return Err(format!("exit_code is {}, the program's is {code}", object["exit_code"]));
    }
    if object["ok"] != (code == 0) {
        return Err(format!("ok is {}, the exit code {code}", object["ok"]));
    }
    check_reasons(object, code)
}

/// Checks that the reason codes of a document are in the table. If the document has at most one
/// result and only one code, also checks the exit code.
fn check_reasons(document: &Map<String, Value>, code: i32) -> Result<(), String> {
    let known = reason_codes();
    let results = document["results"].as_array().map_or(&[][..], Vec::as_slice);
    let reported = results.iter().chain(document.get("error")).filter_map(|value| value["reason"].as_str());
    let reported: Vec<_> = reported.collect();
    for reason in &reported {
        let exits = known.get(*reason);
        let exits = exits.ok_or_else(|| format!("{reason} is not in the table of reason codes of docs/json.md"))?;
        let is_only_reason = results.len() <= 1 && reported.iter().all(|other| other == reason);
        if is_only_reason && !exits.contains(&code.into()) {
            return Err(format!("docs/json.md says that {reason} has exit code {exits:?}, not {code}"));
        }
    }
    Ok(())
}

/// A section about a kind of document, with the rows of all tables that apply to this kind.
struct SchemaSection {
    name: String,
    rows: Vec<TableRow>,
}

impl SchemaSection {
    /// Returns the row for a member.
    fn member_row(&self, member: &str) -> Option<&TableRow> {
        self.rows.iter().rfind(|row| row[0] == member)
    }

    /// Checks an object. In the tables, the name of each member starts with `prefix`.
    fn check_object(&self, object: &Map<String, Value>, prefix: &str, ok: bool) -> Result<(), String> {
        for (name, value) in object {
            let member = format!("{prefix}{name}");
            let path = name.strip_suffix("_b64").and_then(|name| self.member_row(&format!("{prefix}{name}")));
            match (self.member_row(&member), path) {
                (Some(row), _) => self.check_value(value, &member, &row[1])?,
                (None, Some(row)) if row[1] == "path" && value.is_string() => {}
                _ => return Err(format!("{member} is not in the table of {} in docs/json.md; add a row", self.name)),
            }
        }
        for row in &self.rows {
            let Some(name) = row[0].strip_prefix(prefix).filter(|name| !name.contains(['.', '['])) else { continue };
            let needed = match row[2].as_str() {
                "always" => true,
                "ok" => ok,
                "not ok" => !ok,
                condition if condition.starts_with("if ") => false,
                other => return Err(format!("{:?} of {} in docs/json.md is no condition", other, row[0])),
            };
            if needed && !object.contains_key(name) {
                return Err(format!("{} is missing, which {} in docs/json.md says is there", row[0], self.name));
            }
        }
        Ok(())
    }

    /// Checks that a value has one of the types in a table cell, such as `string or null`.
    fn check_value(&self, value: &Value, member: &str, types: &str) -> Result<(), String> {
        for kind in types.split(" or ") {
            if let Some(items) = kind.strip_prefix("array of ") {
                let Some(values) = value.as_array() else { continue };
                return values.iter().try_for_each(|value| self.check_value(value, &format!("{member}[]"), items));
            }
            let fits = match kind {
                "string" | "path" => value.is_string(),
                "integer" => value.is_i64() || value.is_u64(),
                "number" => value.is_number(),
                "boolean" => value.is_boolean(),
                "null" => value.is_null(),
                "object" => value.is_object(),
                literal if literal.starts_with('"') => *value == literal.trim_matches('"'),
                other => return Err(format!("{other:?} of {member} in docs/json.md is no type")),
            };
            if fits {
                return value.as_object().map_or(Ok(()), |object| {
                    let ok = object.get("status").is_none_or(|status| status == "ok");
                    self.check_object(object, &format!("{member}."), ok)
                });
            }
        }
        Err(format!("{member} is {value}, {} in docs/json.md says {types}", self.name))
    }
}

#[test]
fn every_command_has_a_section() {
    let directory = TestDirectory::empty();
    let help = directory.run("-h").code(0).out;
    let commands = help.lines().skip_while(|l| *l != "Commands:").skip(1).take_while(|l| !l.is_empty());
    // A line with more indentation continues the previous line.
    let commands = commands.filter_map(|l| l.strip_prefix("  ")?.split(' ').next());
    let commands: Vec<_> = commands.filter(|command| !["", "help"].contains(command)).collect();
    assert!(commands.len() > 10, "{help}");
    for command in commands {
        assert!(section_text(&format!("`fndsa/{command}@1`")).is_some(), "docs/json.md has no section for {command}");
    }
}

#[test]
fn every_command_prints_its_document() {
    let directory = TestDirectory::ready();
    for (line, code) in [
        ("keygen n", 0),
        ("keygen k", 4),
        ("keygen -o -", 2),
        ("sign -k k.key b", 0),
        ("sign -k k.key b nosuch", 4),
        ("sign -k nosuch b", 4),
        ("verify -p k.pub a", 0),
        ("verify -p k2.pub a", 1),
        ("verify -p k.pub a.sig", 3),
        ("verify -p a.sig a", 3),
        ("inspect k.key k.pub a.sig", 0),
        ("inspect k.key k2.pub a", 1),
        ("pubkey -k k.key -o out.pub", 0),
        ("pubkey -k k.key", 2),
        ("convert k.key -o out.p8 --to pkcs8", 0),
        ("convert a.sig -o out.raw --to raw", 0),
        ("convert k.pub -o out.p8 --to pkcs8", 2),
        ("passwd out.p8 --new-password-file a", 0),
        ("inspect out.p8", 0),
        ("inspect out.p8 --password-file a", 0),
        ("inspect out.p8 --password-file b", 5),
        ("passwd out.p8 --remove", 5),
        ("bench -a 512 -t 0.001 --samples 3 verify", 0),
        ("bench --format csv", 2),
        ("bench --baseline nosuch", 4),
        ("selftest --rounds 1", 0),
        ("testvectors --count 2", 0),
        ("testvectors --degree 64", 2),
        ("completions bash", 2),
        ("man", 2),
        ("man --dir nosuch", 4),
        ("man --dir .", 0),
        ("quickstart a", 0),
    ] {
        let json = directory.run(&format!("--json {line}")).code(code).err_empty().json();
        assert_eq!(json["schema"], format!("fndsa/{}@1", line.split(' ').next().unwrap()));
    }
}

#[test]
fn wrong_documents_are_rejected() {
    let directory = TestDirectory::ready();
    let valid = directory.run("--json verify -p k.pub a").code(0).json();
    let assert_rejected = |change: fn(&mut Value), words: &str| {
        let mut changed = valid.clone();
        change(&mut changed);
        let reason = check_document(&changed, 0).expect_err(words);
        assert!(reason.contains(words), "{reason}");
    };
    assert_eq!(check_document(&valid, 0), Ok(()));
    assert_rejected(|d| d["new"] = 1.into(), "new is not in the table of `fndsa/verify@1` in docs/json.md");
    assert_rejected(|d| d["results"][0]["new"] = 1.into(), "results[].new is not in the table");
    assert_rejected(|d| d["results"][0]["context"]["new"] = 1.into(), "results[].context.new is not in the table");
    assert_rejected(|d| d["results"][0]["bytes"] = "6".into(), "results[].bytes is \"6\"");
    assert_rejected(|d| d["results"][0]["status"] = "good".into(), "results[].status is \"good\"");
    assert_rejected(|d| drop(d["results"][0].as_object_mut().unwrap().remove("key")), "results[].key is missing");
    assert_rejected(
        |d| drop(d["results"][0]["key"].as_object_mut().unwrap().remove("fingerprint")),
        "fingerprint is missing",
    );
    assert_rejected(|d| d["results"][0]["status"] = "failed".into(), "results[].reason is missing");
    assert_rejected(|d| d["ok"] = false.into(), "ok is false");
    assert_rejected(|d| d["exit_code"] = 1.into(), "exit_code is 1");
    assert_rejected(|d| d["schema"] = "fndsa/nosuch@1".into(), "no section");
    assert_rejected(
        |d| d["error"] = serde_json::json!({"reason": "nosuch", "message": "", "hint": null}),
        "nosuch is not in",
    );
    assert_rejected(
        |d| d["error"] = serde_json::json!({"reason": "exists", "message": "", "hint": null}),
        "has exit code",
    );
    assert!(check_document(&valid, 1).is_err());
}
