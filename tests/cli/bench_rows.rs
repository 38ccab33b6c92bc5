//! Tests for the rows that `bench` prints, and for their contents.

use crate::bench::{QUICK, write_changed_baseline};
use crate::harness::TestDirectory;
use serde_json::Value;

#[test]
fn a_row_contains_the_lengths_of_keys_and_signatures() {
    let directory = TestDirectory::empty();
    let line = format!("{QUICK} -a falcon-512 -a ml-dsa-44 verify");
    let output = directory
        .run(&line)
        .code(0)
        .out_has("   pk   sk  sig\n")
        .out_has("  897 1281  666\n")
        .out_has(" 1312   32 2420\n");
    assert_eq!(output.out.lines().count(), 3, "{}", output.out);
    let json = directory.run(&format!("--json {QUICK} -a 512 verify --subroutine keccak")).code(0).json();
    let lengths = |row: usize| {
        ["public_key_bytes", "private_key_bytes", "signature_bytes"].map(|name| &json["results"][row][name])
    };
    assert_eq!(lengths(0), [897, 1345, 666]);
    assert_eq!(lengths(1), [&Value::Null; 3]);
}

#[test]
fn every_result_form_names_the_cpu() {
    let directory = TestDirectory::empty();
    let json = directory.run(&format!("--json {QUICK} -a 512 verify")).code(0).json();
    let cpu = json["env"]["cpu"].as_str().unwrap_or_default();
    let counter = &json["env"]["counter_hz"];
    let csv = directory.run(&format!("{QUICK} -a 512 verify --format csv")).code(0).out;
    assert!(csv.lines().next().unwrap().ends_with(",signature_bytes,cpu,cpu_id,counter_hz"), "{csv}");
    assert!(csv.lines().nth(1).unwrap().contains(cpu) && json["env"].get("cpu_id").is_some(), "{csv}");
    let last = csv.trim_end().rsplit(',').next().unwrap().parse::<f64>().ok();
    // The counter frequency is measured in each run, so the two values differ slightly.
    let ratio = last.zip(counter.as_f64()).map(|(here, there)| here / there);
    assert!(ratio.map_or(counter.is_null() && last.is_none(), |ratio| (0.9..1.1).contains(&ratio)), "{csv}");
    let output = directory.run(&format!("{QUICK} -a 512 verify")).code(0).err_has(&format!("note: measured on {cpu}"));
    output
        .err_has(concat!("note: measured with fndsa ", env!("CARGO_PKG_VERSION")))
        .err_has("note: share of the core: ");
}

#[test]
fn hashes_have_a_speed_in_bytes() {
    let directory = TestDirectory::empty();
    let line = format!("{QUICK} --backend scalar --backend emulated hash --message-size 1,2K");
    let json = directory.run(&format!("--json {line} --export-json base.json")).code(0).json();
    let rows = json["results"].as_array().unwrap();
    let measured: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row["algorithm"].as_str().unwrap(),
                row["backend"].as_str().unwrap(),
                row["message_bytes"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        measured[..4],
        [
            ("SHAKE256", "scalar", 1),
            ("SHAKE256", "emulated", 1),
            ("SHAKE256", "scalar", 2048),
            ("SHAKE256", "emulated", 2048)
        ]
    );
    assert_eq!(
        (measured[4], measured[5], measured.len()),
        (("prehash sha256", "auto", 1), ("prehash sha256", "auto", 2048), 20)
    );
    for row in rows {
        let speed = row["ops_per_s"].as_f64().unwrap() * row["message_bytes"].as_f64().unwrap();
        assert!((row["bytes_per_s"].as_f64().unwrap() / speed - 1.0).abs() < 0.01, "{row}");
        assert!(row["op"] == "hash" && row.get("signature_bytes").is_none(), "{row}");
    }
    let output = directory
        .run(&format!("{line} --baseline base.json --max-regression 1000000"))
        .code(0)
        .out_has(" MB/s ")
        .out_has(" 2K ");
    assert_eq!(output.out.lines().count(), 21, "{output:?}");
    let json = directory.run(&format!("--json {QUICK} hash")).code(0).json();
    assert_eq!(json["results"].as_array().unwrap().len(), 4 * 6);
}

#[test]
fn several_message_lengths_have_consecutive_rows() {
    let directory = TestDirectory::empty();
    let line = format!("{QUICK} -a 512 keygen verify --subroutine ntt --message-size 100,3M");
    let json = directory.run(&format!("--json {line}")).code(0).json();
    let rows: Vec<_> = json["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["op"].as_str().unwrap(), row["message_bytes"].as_u64().unwrap()))
        .collect();
    assert_eq!(rows, [("keygen", 100), ("verify", 100), ("subroutine ntt", 0), ("verify", 3 << 20)]);
    directory.run(&line).code(0).out_has("message ").out_has(" 3M ");
    directory.run("bench --message-size 1,x").code(2).out_empty();
}

/// `--diff` compares results of the same level. If each of the two documents has only one level for
/// an operation, `--diff` compares these levels, even if they differ.
#[test]
fn diff_compares_results_of_the_same_level() {
    let directory = TestDirectory::empty();
    directory.run(&format!("{QUICK} -a 512 --backend emulated verify sign --export-json base.json")).code(0);
    write_changed_baseline(&directory, "other.json", |document| {
        document["env"]["cpu"] = "Z80".into();
        document["env"]["arch"] = "z80".into();
        document["results"][1]["op"] = "keygen".into();
        let row = &mut document["results"][0];
        row["ns"]["median"] = (row["ns"]["median"].as_f64().unwrap() / 4.0).into();
        row["backend"] = "avx2".into();
    });
    let line = "bench --diff base.json other.json";
    let output = directory
        .run(line)
        .code(0)
        .out_has(" emulated, avx2 ")
        .out_has(" 4.00 ")
        .err_has("second: other.json, on Z80 (z80");
    let output = output.err_has("only in base.json: sign of ").err_has("only in other.json: keygen of ");
    assert_eq!(output.out.lines().count(), 2, "{output:?}");
    let json = directory.run(&format!("--json {line}")).code(0).json();
    assert_eq!((&json["results"], &json["diff"][0]["op"]), (&Value::Array(vec![]), &"verify".into()));
    assert_eq!(json["diff"][0]["ratio"], 4.0);
    let [low, high] = [0, 1].map(|i| json["diff"][0]["ratio_ci95"][i].as_f64().unwrap());
    assert!(low <= 4.0 && 4.0 <= high && json["machines"][1].as_str().unwrap().starts_with("Z80"), "{json}");
    let csv = directory.run(&format!("-q {line} --format csv")).code(0).err_empty().out;
    let columns: Vec<_> = csv.lines().map(|line| line.split(',').count()).collect();
    assert_eq!(columns, [14, 14], "{csv}");
    directory.run(&format!("{line} --format md")).code(0).out_has("| op |").out_has("| 4.00 |");
    directory.call("bench --diff - base.json").input(directory.get("other.json")).run().code(0).out_has(" 0.25 ");
    for option in ["verify", "-a 512", "-t 1", "--baseline base.json", "--profile", "--export-json e.json", "-j 2"] {
        directory.run(&format!("{line} {option}")).code(2).out_empty();
    }
    directory.run("bench --diff - -").code(2).out_empty();
    directory.run("bench --diff base.json").code(2).out_empty();
    directory.run("bench --diff base.json nosuch").code(4).out_empty();
}

#[test]
fn the_time_of_a_batch_is_reported_per_message() {
    let directory = TestDirectory::empty();
    let line = format!("{QUICK} -a 512 sign-batch sign-repeat --batch 10");
    let json = directory.run(&format!("--json {line}")).code(0).json();
    let row = &json["results"][0];
    assert_eq!((&row["op"], &row["batch"]), (&"sign-batch".into(), &10.into()));
    let counts = ["calls", "calls_per_sample"].map(|name| row[name].as_u64().unwrap());
    assert!(counts.iter().all(|count| count.is_multiple_of(10)), "{row}");
    assert!(json["results"][1].get("batch").is_none());
    let seconds = row["seconds"].as_f64().unwrap();
    assert!(
        row["ns"]["mean"].as_f64().unwrap() * row["calls"].as_f64().unwrap() <= seconds * 1e9 * 1.01 + 100.0,
        "{row}"
    );
    directory.run(&line).code(0).out_has("sign-batch x10 ");
    let csv = directory.run(&format!("{line} --format csv")).code(0).out;
    let column = csv.lines().next().unwrap().split(',').position(|name| name == "batch").unwrap();
    assert_eq!(csv.lines().skip(1).map(|line| line.split(',').nth(column).unwrap()).collect::<Vec<_>>(), ["10", ""]);
    // By default, a batch for ML-DSA consists of all messages that the CCTV project published. A
    // batch of three messages has a separate row, which the baseline does not contain.
    let json = directory.run(&format!("--json {QUICK} -a ml-dsa-44 sign-batch --export-json base.json")).code(0).json();
    assert_eq!(json["results"][0]["batch"], 188);
    directory.run(&format!("{QUICK} -a ml-dsa-44 sign-batch --batch 3 --baseline base.json")).code(3).out_empty();
    // Falcon and FN-DSA-2024, which hash a separate nonce with each message, can also sign a batch.
    let json =
        directory.run(&format!("--json {QUICK} -a falcon-512 -a fn-dsa-2024-512 sign-batch --batch 10")).code(0).json();
    assert!([0, 1].iter().all(|i| json["results"][i]["batch"] == 10), "{json}");
    directory.run("bench --batch 0 sign-batch").code(2).out_empty();
}

#[test]
fn a_batch_is_verified_with_keys_of_any_algorithm() {
    let directory = TestDirectory::empty();
    let line = format!("{QUICK} -a falcon-512 -a 512 -a ml-dsa-44 --stack verify-batch verify-repeat --batch 20");
    let json = directory.run(&format!("--json {line}")).code(0).json();
    let rows = json["results"].as_array().unwrap();
    let batches: Vec<_> = rows.iter().map(|row| (row["op"].as_str().unwrap(), row["batch"].as_u64())).collect();
    assert_eq!(batches, [("verify-batch", Some(20)), ("verify-repeat", None)].repeat(3));
    for pair in rows.chunks(2) {
        // The times are for a signature, not for a batch of twenty signatures.
        let [mean, seconds] = [&pair[0]["ns"]["mean"], &pair[0]["seconds"]].map(|value| value.as_f64().unwrap());
        let calls = pair[0]["calls"].as_u64().unwrap();
        assert!(calls.is_multiple_of(20) && mean * calls as f64 <= seconds * 1e9 * 1.01 + 100.0, "{pair:?}");
        assert!(pair[0]["work_bytes"].as_u64() >= pair[1]["least_work_bytes"].as_u64(), "{pair:?}");
    }
    let json = directory.run(&format!("--json {QUICK} -a ml-dsa-65 verify-batch")).code(0).json();
    assert_eq!(json["results"][0]["batch"], 147);
}

/// `bench --stack` reports plausible memory sizes. The limits in `tests/memory.rs` are stricter.
#[test]
fn the_memory_of_an_operation_is_reported() {
    let directory = TestDirectory::empty();
    let line = format!("{QUICK} --backend scalar -a 512 --stack verify sign keygen --subroutine ntt");
    let json = directory.run(&format!("--json {line}")).code(0).json();
    let figures =
        |row: usize| ["stack_bytes", "work_bytes", "least_work_bytes"].map(|name| json["results"][row][name].as_u64());
    for row in 0..3 {
        let [stack, work, least] = figures(row).map(Option::unwrap);
        assert!((500..64 * 1024).contains(&stack), "{json}");
        assert!(0 < least && least <= work && work < 256 * 1024, "{json}");
    }
    assert!(figures(0)[0] < figures(1)[0] && figures(0)[1] < figures(1)[1], "a signature takes more: {json}");
    assert_eq!(figures(3), [None; 3]);
    directory.run(&line).code(0).out_has(" stack ").out_has(" least work\n");
    let csv =
        directory.run(&format!("{line} --format csv")).code(0).out_has(",stack_bytes,work_bytes,least_work_bytes,").out;
    let columns: Vec<_> = csv.lines().map(|line| line.split(',').count()).collect();
    assert!(columns.iter().all(|count| *count == columns[0]), "{csv}");
}
