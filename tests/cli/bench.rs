//! Tests for `bench`: the form of the results, not their values.

use crate::harness::TestDirectory;
use crate::messages::{MessageCase, RunMethod, row};
use serde_json::Value;

pub const QUICK: &str = "bench -t 0.001 --samples 3";

#[test]
fn the_document_has_its_members() {
    let directory = TestDirectory::empty();
    let json = directory.run(&format!("--json {QUICK} -a 512")).code(0).err_empty().json();
    assert_eq!((&json["schema"], &json["ok"], &json["exit_code"]), (&"fndsa/bench@1".into(), &true.into(), &0.into()));
    let env = json["env"].as_object().unwrap();
    for name in ["cpu", "cpu_id", "counter_hz", "commit", "compiler", "cores", "governor", "virtualized"] {
        assert!(env.contains_key(name), "{name} in {env:?}");
    }
    // The exact values are unknown: the date can change during the test, and other tests run on the
    // same cores.
    assert!(env["date"].as_str().is_some_and(|date| date.len() == 10 && date.starts_with("20")), "{env:?}");
    let core_share = env["core_share_pct"].as_f64();
    assert!(core_share.map_or(cfg!(windows), |percent| 0.0 < percent && percent <= 100.0), "{env:?}");
    assert!(env["os"].is_string());
    assert!(env["arch"].is_string() && env["features"].is_array() && env["cores"].is_u64());
    assert_eq!(env["version"], env!("CARGO_PKG_VERSION"));
    let results = json["results"].as_array().unwrap();
    let ops: Vec<_> = results.iter().map(|row| row["op"].as_str().unwrap()).collect();
    assert_eq!(ops, ["keygen", "sign", "sign-repeat", "verify", "verify-repeat"]);
    for row in results {
        assert_eq!(row["algorithm"], "FN-DSA-512");
        assert_eq!((&row["message_bytes"], &row["threads"]), (&1024.into(), &1.into()));
        assert!(row["backend"].is_string());
        assert_eq!(row["cycles_median"].as_f64().is_some_and(|x| x > 0.0), cfg!(target_arch = "x86_64"), "{row}");
        assert!(row.get("ratio").is_none() && row.get("baseline").is_none() && row.get("profile").is_none());
        assert!(row["samples"].as_u64().unwrap() >= 3);
        let ns = |name: &str| row["ns"][name].as_f64().unwrap_or_else(|| panic!("{name} in {row}"));
        assert_eq!(row["noisy"], ns("median_ci95") > 0.05 * ns("median"), "{row}");
        assert!(
            row["calls"].as_u64() >= Some(row["samples"].as_u64().unwrap() * row["calls_per_sample"].as_u64().unwrap())
        );
        assert!(ns("min") > 0.0 && ns("mad") >= 0.0 && row["ops_per_s"].as_f64().unwrap() > 0.0);
        assert!(ns("min") <= ns("median") && ns("median") <= ns("p95") && ns("min") <= ns("mean"));
    }
}

#[test]
fn both_degrees_are_timed_unless_one_is_given() {
    let directory = TestDirectory::empty();
    let json = directory.run(&format!("--json {QUICK} verify")).code(0).json();
    let algorithms: Vec<_> = json["results"].as_array().unwrap().iter().map(|row| row["algorithm"].clone()).collect();
    assert_eq!(algorithms, ["FN-DSA-512", "FN-DSA-1024"]);
}

#[test]
fn every_scheme_that_signs_is_timed() {
    let directory = TestDirectory::empty();
    let line = format!("--json {QUICK} -a falcon-512 -a fn-dsa-2024-1024 -a fn-dsa-512");
    let json = directory.run(&line).code(0).err_empty().json();
    let rows = json["results"].as_array().unwrap().iter();
    let rows: Vec<_> = rows.map(|row| (row["algorithm"].as_str().unwrap(), row["op"].as_str().unwrap())).collect();
    let ops = ["keygen", "sign", "sign-repeat", "verify", "verify-repeat"];
    let algorithms = ["Falcon-512", "FN-DSA-2024-1024", "FN-DSA-512"];
    let expected: Vec<_> = algorithms.iter().flat_map(|name| ops.map(|op| (*name, op))).collect();
    assert_eq!(rows, expected);
    let output = directory
        .run(&format!("--backend scalar {QUICK} -a fn-dsa-2024-1024 -a falcon-1024 --message-size 0 verify"))
        .code(0);
    let columns: Vec<_> = output.out.lines().map(|line| line.find(" scalar").or(line.find(" level"))).collect();
    assert!(columns.len() == 3 && columns[0].is_some() && columns.iter().all(|c| *c == columns[0]), "{}", output.out);
}

/// If an attempt to make a signature fails, `bench` tries again. With toy degrees, attempts often
/// fail.
#[test]
fn a_failed_attempt_is_repeated() {
    let directory = TestDirectory::empty();
    for algorithm in ["falcon-4", "fn-dsa-2024-8", "fn-dsa-4"] {
        let line = format!("--allow-weak bench -a {algorithm} -t 0.01 --samples 3 sign sign-repeat verify-repeat");
        assert_eq!(directory.run(&line).code(0).out.lines().count(), 4, "{algorithm}");
    }
}

#[test]
fn schemes_that_only_verify_are_rejected_before_the_measurement() {
    let directory = TestDirectory::empty();
    for line in ["bench -a falcon-rs-512", "bench -a 512 -a falcon-rs-1024 verify"] {
        directory.run(line).code(2).out_empty().err_has("for verification only");
    }
    let json = directory.run("--json bench -a falcon-rs-512 verify-repeat").code(2).err_empty().json();
    assert_eq!(json["error"]["reason"], "verify_only");
}

#[test]
fn rows_of_the_faster_generator_follow_the_ordinary_rows() {
    let directory = TestDirectory::empty();
    let json = directory.run(&format!("--json {QUICK} -a 512 --fast-rng --profile sign-repeat verify")).code(0).json();
    let rows = json["results"].as_array().unwrap();
    let operations: Vec<_> = rows.iter().map(|row| (row["op"].as_str().unwrap(), row["profile"].is_object())).collect();
    assert_eq!(operations, [("sign-repeat", true), ("sign-repeat fast-rng", false), ("verify", true)]);
    let json = directory.run(&format!("--json {QUICK} -a 512 --fast-rng verify")).code(0).json();
    assert_eq!(json["results"][1]["op"], "sign-repeat fast-rng");
}

#[test]
fn rows_of_the_same_operation_are_adjacent() {
    let directory = TestDirectory::empty();
    let line = format!("--backend scalar --backend emulated {QUICK} -a 512 verify sign-repeat --message-size 0");
    let json = directory.run(&format!("--json {line}")).code(0).json();
    let rows: Vec<_> = json["results"].as_array().unwrap().iter().map(|row| (&row["op"], &row["backend"])).collect();
    assert_eq!(
        format!("{rows:?}").replace("String", ""),
        r#"[(("verify"), ("scalar")), (("verify"), ("emulated")), (("sign-repeat"), ("scalar")), (("sign-repeat"), ("emulated"))]"#
    );
    assert_eq!(json["results"][0]["message_bytes"], 0);
    for pair in json["results"].as_array().unwrap().chunks(2) {
        let [first, second] = [0, 1].map(|i| pair[i]["ns"]["median"].as_f64().unwrap());
        assert_eq!(pair[0]["ratio"], 1.0);
        assert!((pair[1]["ratio"].as_f64().unwrap() - first / second).abs() < 0.01, "{pair:?}");
    }
    directory.run(&line).code(0).out_has(" ratio\n").out_has(" 1.00\n");
}

#[test]
fn the_table_has_a_row_for_each_result() {
    let directory = TestDirectory::empty();
    let output = directory
        .run(&format!("--allow-weak {QUICK} -a fn-dsa-4 sign verify"))
        .code(0)
        .out_has("median")
        .out_has("ops/s");
    assert_eq!(output.out.lines().count(), 3, "{}", output.out);
    assert!(directory.names().is_empty());
}

#[test]
fn invalid_arguments_are_usage_errors() {
    let directory = TestDirectory::empty();
    for line in [
        "bench fly",
        "bench -t 0",
        "bench -w -1",
        "bench -w x",
        "bench -j 0",
        "bench -j x",
        "bench --subroutine fly",
        "bench --format yaml",
        "bench --max-regression 5",
        "bench --baseline b --max-regression -1",
        "bench --force",
        "bench --profile --subroutine ntt",
        "bench -t nan",
        "bench --samples 1",
        "bench -a 300",
        "bench -a falcon",
        "bench --message-size x",
    ] {
        directory.run(line).code(2).out_empty();
    }
}

/// A document from a machine that does not exist, without results.
const ELSEWHERE: &str = r#"{"schema":"fndsa/bench@1","env":{"cpu":"another","arch":"none"},"results":[]}"#;

/// Returns the rows about `bench` and its baselines for the message catalogue in `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    let quick_line = |rest: &str| format!("{QUICK} -a 512 verify {rest}");
    let malformed =
        |words, x: &str| row("baseline_malformed", &quick_line("--baseline x"), 3, words, "--export-json").file_x(x);
    vec![
        row(
            "json_format",
            &quick_line("--format csv"),
            2,
            "--json and --format both choose the form of the result",
            "--export-json",
        )
        .how(RunMethod::Json),
        row("export_on_stdout", &quick_line("--export-json -"), 2, "go to standard output", "--format json"),
        row("exists", &quick_line("--export-json x"), 4, "x: exists already", "--force"),
        row(
            "output_is_input",
            &quick_line("--baseline x --export-json x -f"),
            2,
            "x: the output is also an input",
            "name",
        ),
        malformed("x: this is not a result of `fndsa bench`: it is not JSON", ""),
        malformed("its schema is not fndsa/bench@1", r#"{"schema":"fndsa/sign@1"}"#),
        row(
            "baseline_machine",
            &quick_line("--baseline x"),
            3,
            "the baseline was measured on another (none)",
            "measure a baseline on this machine with --export-json FILE",
        )
        .file_x(ELSEWHERE),
        row(
            "baseline_rows",
            "bench -a 512 --baseline base sign",
            3,
            "base: the baseline has no result for the operations of this run",
            "measure the same operations, algorithms, levels, message sizes and jobs",
        )
        .how(RunMethod::After("$FNDSA -q bench -a 512 -t 0.001 --samples 3 verify --export-json base")),
        row("diff_rows", "bench --diff x x", 3, "x and x have no result in common", "measure the same operations")
            .file_x(ELSEWHERE),
    ]
}

/// Applies `change` to the document in `base.json`, and writes the result to the file `to`.
pub fn write_changed_baseline(directory: &TestDirectory, to: &str, change: impl Fn(&mut Value)) {
    let mut document: Value = serde_json::from_slice(&directory.get("base.json")).unwrap();
    change(&mut document);
    directory.put(to, document.to_string());
}

/// Changes each result row of a document.
fn change_results(document: &mut Value, change: impl Fn(&mut Value)) {
    document["results"].as_array_mut().unwrap().iter_mut().for_each(change);
}

#[test]
fn a_regression_from_the_baseline_is_reported() {
    let directory = TestDirectory::empty();
    // With many short samples, other work interrupts only a few samples, so the confidence interval
    // stays narrow under any load.
    let run = "bench -a 512 -t 0.05 --samples 200 sign-repeat verify";
    directory.run(&format!("{run} --export-json base.json")).code(0);
    // The limit is a slowdown by a factor of 10,000, and no load on the machine causes that.
    let output =
        directory.run(&format!("{run} --baseline base.json --max-regression 1000000")).code(0).out_has("verdict");
    assert!(!output.out.contains("REGRESSED") && !output.err.contains("not in the baseline"), "{output:?}");

    write_changed_baseline(&directory, "fast.json", |document| {
        change_results(document, |row| {
            row["ns"]["median"] = (row["ns"]["median"].as_f64().unwrap() / 1e6).into();
            row["ns"]["median_ci95"] = 0.into();
        });
    });
    let output = directory.run(&format!("{run} --baseline fast.json")).code(1).out_has("REGRESSED");
    assert!(output.err.contains("slower than the baseline by more than 5 %: 2 of 2"), "{output:?}");
    let json = directory.run(&format!("--json {run} --baseline fast.json")).code(1).err_empty().json();
    assert_eq!((&json["ok"], &json["exit_code"]), (&false.into(), &1.into()));
    for row in json["results"].as_array().unwrap() {
        let baseline = &row["baseline"];
        let [low, high] = [0, 1].map(|i| baseline["ci95_pct"][i].as_f64().unwrap());
        let change = baseline["change_pct"].as_f64().unwrap();
        assert!(baseline["verdict"] == "regressed" && 0.0 < low && low < change && change < high, "{row}");
    }

    write_changed_baseline(&directory, "slow.json", |document| {
        change_results(document, |row| row["ns"]["median"] = (row["ns"]["median"].as_f64().unwrap() * 1e6).into());
    });
    directory.run(&format!("{run} --baseline slow.json")).code(0).out_has("faster");
    // This confidence interval is so wide that the verdict is `same`.
    write_changed_baseline(&directory, "vague.json", |document| {
        change_results(document, |row| {
            row["ns"]["median"] = (row["ns"]["median"].as_f64().unwrap() / 1e3).into();
            row["ns"]["median_ci95"] = 1e12.into();
        });
    });
    directory.run(&format!("{run} --baseline vague.json")).code(0).out_has("same");

    write_changed_baseline(&directory, "other.json", |document| document["env"]["cpu"] = "Z80".into());
    directory.run(&format!("{run} --baseline other.json")).code(3).out_empty().err_has("Z80").err_has("hint: ");
    write_changed_baseline(&directory, "other.json", |document| document["env"]["arch"] = "z80".into());
    directory.run(&format!("{run} --baseline other.json")).code(3).out_empty().err_has("(z80");
}

/// `bench` signs the published messages that other benchmarks also use. The number of calls per
/// sample is a multiple of the number of messages.
#[test]
fn ml_dsa_signs_the_messages_of_other_benchmarks() {
    let directory = TestDirectory::empty();
    for (set, messages) in [("44", 188), ("65", 147), ("87", 114)] {
        let line = format!("--json {QUICK} -a ml-dsa-{set}");
        let json = directory.run(&line).code(0).err_empty().json();
        for row in json["results"].as_array().unwrap() {
            assert_eq!((&row["algorithm"], &row["message_bytes"]), (&format!("ML-DSA-{set}").into(), &26.into()));
            if row["op"].as_str().unwrap().starts_with("sign") {
                let calls = row["calls_per_sample"].as_u64().unwrap();
                assert!(calls > 0 && calls % messages == 0, "{row}");
            }
        }
        let json = directory.run(&format!("{line} sign --message-size 27 -j 2")).code(0).json();
        assert_eq!(json["results"][0]["message_bytes"], 27);
    }
}

#[test]
fn rows_without_a_baseline_are_reported() {
    let directory = TestDirectory::empty();
    directory.run(&format!("{QUICK} -a 512 verify --export-json base.json")).code(0);
    let line = format!("{QUICK} -a 512 -a 1024 verify sign --baseline base.json --max-regression 1000000");
    let output = directory.run(&line).code(0).err_has("sign of FN-DSA-512 on ").err_has("verify of FN-DSA-1024 on ");
    assert_eq!(output.err.matches("not in the baseline: ").count(), 3, "{}", output.err);
    let json = directory.run(&format!("--json {line}")).code(0).json();
    let has_baseline: Vec<_> =
        json["results"].as_array().unwrap().iter().map(|row| row.get("baseline").is_some()).collect();
    assert_eq!(has_baseline, [true, false, false, false]);
    for changed_option in ["--message-size 1025", "-j 2"] {
        directory.run(&format!("{QUICK} -a 512 verify {changed_option} --baseline base.json")).code(3).out_empty();
    }
}

#[test]
fn damaged_baselines_are_rejected() {
    let directory = TestDirectory::empty();
    directory.run(&format!("{QUICK} -a 512 verify --export-json base.json")).code(0);
    let damages: [fn(&mut Value); 7] = [
        |document| document["results"] = Value::Null,
        |document| document["schema"] = Value::Null,
        |document| document["results"][0]["op"] = 1.into(),
        |document| document["results"][0]["threads"] = (-1).into(),
        |document| document["results"][0]["ns"]["median"] = 0.into(),
        |document| document["results"][0]["ns"]["median_ci95"] = (-1).into(),
        |document| drop(document["results"][0].as_object_mut().unwrap().remove("ns")),
    ];
    for damage in damages {
        write_changed_baseline(&directory, "bad.json", damage);
        directory
            .run(&format!("{QUICK} -a 512 verify --baseline bad.json"))
            .code(3)
            .out_empty()
            .err_has("not a result of");
    }
    directory.run(&format!("{QUICK} --baseline nosuch")).code(4).out_empty();
    let quick_line = format!("{QUICK} -a 512 verify --max-regression 1000000 --baseline -");
    directory.call(&quick_line).input(directory.get("base.json")).run().code(0).out_has("verdict");
}

#[test]
fn the_exported_file_equals_the_document() {
    let directory = TestDirectory::empty();
    let line = format!("{QUICK} -a 512 verify --export-json e.json");
    let json = directory.run(&format!("--json {line}")).code(0);
    assert_eq!(json.stdout, directory.get("e.json"));
    json.json();
    directory.run(&line).code(4).out_empty().err_has("e.json: exists already");
    assert_eq!(json.stdout, directory.get("e.json"));
    directory.run(&format!("{line} -f")).code(0).out_has("median");
    assert_ne!(json.stdout, directory.get("e.json"));
    let as_format = directory.run(&format!("{QUICK} -a 512 verify --format json")).code(0).err_empty().json();
    assert_eq!(as_format["schema"], "fndsa/bench@1");
    directory.run(&format!("{QUICK} -a 512 verify --export-json no/e.json")).code(4).out_empty();
}

#[test]
fn each_result_form_has_a_line_for_each_row() {
    let directory = TestDirectory::empty();
    let rest = "-a 512 verify --subroutine keccak --profile --backend scalar --backend emulated";
    let csv = directory.run(&format!("-q {QUICK} --format csv {rest}")).code(0).err_empty().out;
    let lines: Vec<Vec<_>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 5, "{csv}");
    assert!(lines.iter().all(|line| line.len() == lines[0].len()), "{csv}");
    assert_eq!(lines[0][..5], ["op", "algorithm", "backend", "message_bytes", "threads"]);
    assert_eq!(lines[2][..5], ["verify", "FN-DSA-512", "emulated", "1024", "1"]);
    assert_eq!(lines[3][..5], ["subroutine keccak", "FN-DSA-512", "scalar", "0", "1"]);
    let column_index = |name| lines[0].iter().position(|column| *column == name).unwrap();
    assert!(lines[1..].iter().all(|line| line[column_index("median_ns")].parse::<f64>().unwrap() > 0.0), "{csv}");
    let hashing_share = |line: usize| lines[line][column_index("hashing_pct")].parse::<f64>();
    assert!(hashing_share(1).is_ok_and(|percent| percent > 0.0) && hashing_share(3).is_err(), "{csv}");

    let md = directory.run(&format!("-q {QUICK} --format md {rest}")).code(0).err_empty().out;
    let bars: Vec<_> = md.lines().map(|line| line.matches('|').count()).collect();
    assert!(bars.len() == 6 && bars.iter().all(|count| *count == bars[0]), "{md}");
    assert!(md.contains("\n| :-- |") && md.contains("| ratio |") && md.contains("| hashing |"), "{md}");

    directory.run(&format!("{QUICK} --format md -a 512 verify --export-json base.json")).code(0);
    for form in ["csv", "md", "table"] {
        let line =
            format!("-q {QUICK} -a 512 verify sign --format {form} --baseline base.json --max-regression 1000000");
        let output = directory.run(&line).code(0).out_has("verdict");
        let columns: Vec<_> = output.out.lines().map(|line| line.matches([',', '|']).count()).collect();
        assert!(columns.iter().all(|count| *count == columns[0]), "{}", output.out);
    }
}

#[test]
fn every_subroutine_is_timed_alone() {
    let directory = TestDirectory::empty();
    let parts = [
        "keccak",
        "keccak-lanes",
        "keccak-serial",
        "ntt",
        "fft",
        "fft-forward",
        "fft-inverse",
        "sampler",
        "base-sampler",
        "hash-to-point",
        "ntru-solve",
        "codec",
        "sign-core",
        "sign-core-encoded",
    ];
    // The help lists exactly these parts.
    let help = directory.run("bench --help").code(0).out;
    let (_, listed) = help.split_once("--subroutine <PART>").unwrap();
    let (listed, _) = listed.split_once("\n\n      --").unwrap();
    let listed: Vec<_> = listed.lines().filter_map(|line| line.trim().strip_prefix("- ")?.split(':').next()).collect();
    assert_eq!(listed, parts);
    let named: String = parts.iter().map(|part| format!(" --subroutine {part}")).collect();
    for algorithm in ["512", "falcon-512"] {
        let json = directory.run(&format!("--json {QUICK} -a {algorithm}{named}")).code(0).json();
        let ops: Vec<_> = json["results"].as_array().unwrap().iter().map(|row| row["op"].as_str().unwrap()).collect();
        assert_eq!(ops, parts.map(|part| format!("subroutine {part}")));
    }
    let output = directory.run(&format!("--allow-weak {QUICK} -a fn-dsa-4 sign --subroutine ntru-solve")).code(0);
    assert_eq!(output.out.lines().count(), 3, "{}", output.out);
}

#[test]
fn a_profile_divides_the_time_of_each_operation() {
    let directory = TestDirectory::empty();
    for algorithm in ["512", "falcon-512", "fn-dsa-2024-4"] {
        let line = format!("--allow-weak {QUICK} -a {algorithm} --profile");
        let json = directory.run(&format!("--json {line}")).code(0).json();
        let rows = json["results"].as_array().unwrap();
        assert_eq!(rows.len(), 5);
        for row in rows {
            let op = row["op"].as_str().unwrap();
            let parts = row["profile"]["parts"].as_array().unwrap();
            let ns = |name: &str| {
                let part = parts.iter().find(|part| part["part"] == name).unwrap_or_else(|| panic!("{name} in {row}"));
                part["ns"].as_f64().unwrap()
            };
            assert!(parts.iter().all(|part| part["ns"].as_f64().unwrap() >= 0.0), "{row}");
            assert!(ns("hashing") > 0.0 && ns("ntt") > 0.0 && ns("codec") > 0.0, "{row}");
            assert_eq!(ns("solver") > 0.0, op == "keygen", "{row}");
            assert_eq!(ns("fft") > 0.0, !op.starts_with("verify"), "{row}");
            let sum: f64 = parts.iter().map(|part| part["ns"].as_f64().unwrap()).sum();
            let whole = row["ns"]["median"].as_f64().unwrap();
            // Each part is rounded to 0.1 ns, so the sum can differ slightly from the whole.
            assert!(row["profile"]["overlap"] == true || (sum - whole).abs() < 1.0, "{row}");
        }
        directory.run(&line).code(0).out_has("  hashing ").out_has("%, rest ");
    }
}

#[test]
fn all_threads_run_the_same_operation() {
    let directory = TestDirectory::empty();
    let line = format!("--json {QUICK} -a 512 keygen verify --subroutine fft --profile");
    let json = directory.run(&format!("{line} -j 3")).code(0).json();
    for row in json["results"].as_array().unwrap() {
        assert_eq!((&row["threads"], &row["samples"]), (&3.into(), &9.into()), "{row}");
        let total = row["calls"].as_f64().unwrap() / row["seconds"].as_f64().unwrap();
        assert!((row["ops_per_s"].as_f64().unwrap() - total).abs() <= 0.05 + total * 1e-9, "{row}");
        assert!(row["calls"].as_u64().unwrap() >= 9 * row["calls_per_sample"].as_u64().unwrap(), "{row}");
    }
    let json = directory.run(&format!("{line} --jobs all")).code(0).json();
    assert_eq!(json["results"][0]["threads"], json["env"]["cores"]);
    assert!(!json["warnings"].to_string().contains(" threads share "), "{json}");
    let many = json["env"]["cores"].as_u64().unwrap() + 1;
    let line = format!("{QUICK} -a 512 verify -j {many}");
    directory.run(&line).code(0).err_has(&format!("warning: {many} threads share {} cores", json["env"]["cores"]));
    let json = directory.run(&format!("--json {line}")).code(0).json();
    assert!(json["warnings"].to_string().contains(&format!("{many} threads share")), "{json}");
}

/// If a result is noisy, its row has a mark, and a warning gives advice on repeating the
/// measurement.
#[test]
fn noisy_results_are_marked() {
    let directory = TestDirectory::empty();
    let rest = "-a 512 keygen sign verify --time 0.05 --samples 5";
    let json = directory.run(&format!("--json bench {rest}")).code(0).json();
    let noisy = json["results"].as_array().unwrap().iter().any(|row| row["noisy"] == true);
    assert_eq!(json["warnings"].to_string().contains("run again when idle, or with --time 5"), noisy, "{json}");
    let output = directory.run(&format!("bench {rest}")).code(0).out_has(" +- ");
    let marked = output.out.lines().filter(|line| line.contains(" !")).count();
    assert_eq!(output.err.matches("run again when idle").count(), usize::from(marked > 0), "{output:?}");
    assert!(output.out.lines().skip(1).all(|line| line.contains(" %")), "{output:?}");
    let csv = directory.run(&format!("-q bench {rest} --format csv")).code(0).err_empty().out;
    assert!(csv.lines().next().unwrap().contains(",cycles_median,noisy,calls,seconds,"), "{csv}");
}

#[test]
fn a_baseline_of_a_different_cpu_with_the_same_name_is_rejected() {
    let directory = TestDirectory::empty();
    let run = format!("{QUICK} -a 512 verify");
    directory.run(&format!("{run} --export-json base.json")).code(0);
    let line = format!("{run} --max-regression 1000000 --baseline new.json");
    write_changed_baseline(&directory, "new.json", |document| document["env"]["cpu_id"] = "family 6 model 85".into());
    directory.run(&line).code(3).out_empty().err_has("family 6 model 85");
    write_changed_baseline(&directory, "new.json", |document| document["env"]["counter_hz"] = 123_400_000.into());
    let counted = cfg!(target_arch = "x86_64");
    let output = directory.run(&line).code(if counted { 3 } else { 0 });
    assert!(!counted || output.err.contains("counter of 123.4 MHz"), "{output:?}");
    // Earlier versions did not write the members `cpu_id` and `counter_hz`.
    write_changed_baseline(&directory, "new.json", |document| {
        let env = document["env"].as_object_mut().unwrap();
        env.remove("cpu_id");
        env.remove("counter_hz");
    });
    directory
        .run(&line)
        .code(0)
        .out_has("verdict")
        .err_has("warning: the baseline and this machine are compared only by the name");
    let json = directory.run(&format!("--json {line}")).code(0).json();
    assert!(json["warnings"].to_string().contains("compared only by the name of the CPU"), "{json}");
}

#[test]
fn the_warm_up_can_be_skipped() {
    let directory = TestDirectory::empty();
    directory.run(&format!("{QUICK} -a 512 verify -w 0")).code(0);
    directory.run(&format!("{QUICK} -a 512 verify --warm-up 0.01")).code(0);
}

#[test]
fn levels_are_listed_and_unknown_levels_are_rejected() {
    let directory = TestDirectory::empty();
    let levels = directory.run("--json bench -a 512 -t 0.001 --samples 3 verify").code(0).json();
    let features = levels["env"]["features"].as_array().unwrap();
    let names: Vec<_> = features.iter().map(|name| name.as_str().unwrap()).collect();
    let version = directory.run("--version").code(0).err_empty().out;
    let expected = format!(
        "fndsa {}\nlevels: {}\nlevel: {}\n",
        env!("CARGO_PKG_VERSION"),
        names.join(" "),
        levels["results"][0]["backend"].as_str().unwrap()
    );
    assert_eq!(version, expected);
    let chosen = directory.call("--version").env("FNDSA_BACKEND", "emulated").run().code(0).out;
    assert!(chosen.ends_with("\nlevel: emulated\n"), "{chosen}");
    assert_eq!(directory.run("-V").code(0).out, format!("fndsa {}\n", env!("CARGO_PKG_VERSION")));

    let available = format!("available: {}", names.join(", "));
    directory.run("bench --backend mmx").code(2).out_empty().err_has(&available);
    directory.call("bench").env("FNDSA_BACKEND", "mmx").run().code(2).out_empty().err_has(&available);
    let json = directory.run("--json --backend emulated selftest --rounds 1 -a 512").code(0).json();
    let tested = json["results"].as_array().unwrap().iter().filter_map(|row| row["backend"].as_str());
    assert!(tested.clone().count() > 0 && tested.clone().all(|level| level == "emulated"), "{json}");
}
