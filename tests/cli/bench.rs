//! `bench`: the shape of its answers, not their values.

use crate::harness::Place;

const QUICK: &str = "bench -t 0.001 --samples 3";

#[test]
fn the_document_has_its_members() {
    let place = Place::empty();
    let json = place.run(&format!("--json {QUICK} -a 512")).code(0).quietly().json();
    assert_eq!((&json["schema"], &json["ok"], &json["exit_code"]), (&"fndsa/bench@1".into(), &true.into(), &0.into()));
    let env = json["env"].as_object().unwrap();
    for name in ["cpu", "arch", "features", "cores", "governor", "os", "version", "virtualized"] {
        assert!(env.contains_key(name), "{name} in {env:?}");
    }
    assert!(env["arch"].is_string() && env["features"].is_array() && env["cores"].is_u64());
    assert_eq!(env["version"], env!("CARGO_PKG_VERSION"));
    let results = json["results"].as_array().unwrap();
    let ops: Vec<_> = results.iter().map(|row| row["op"].as_str().unwrap()).collect();
    assert_eq!(ops, ["keygen", "sign", "sign-repeat", "verify", "verify-repeat"]);
    for row in results {
        assert_eq!(row["algorithm"], "FN-DSA-512");
        assert_eq!((&row["message_bytes"], &row["threads"]), (&1024.into(), &1.into()));
        assert!(row["backend"].is_string());
        assert!(row["samples"].as_u64().unwrap() >= 3);
        let ns = |name: &str| row["ns"][name].as_f64().unwrap_or_else(|| panic!("{name} in {row}"));
        assert!(ns("min") > 0.0 && ns("mad") >= 0.0 && row["ops_per_s"].as_f64().unwrap() > 0.0);
        assert!(ns("min") <= ns("median") && ns("median") <= ns("p95") && ns("min") <= ns("mean"));
    }
}

#[test]
fn both_degrees_are_timed_unless_one_is_named() {
    let place = Place::empty();
    let json = place.run(&format!("--json {QUICK} verify")).code(0).json();
    let algorithms: Vec<_> = json["results"].as_array().unwrap().iter().map(|row| row["algorithm"].clone()).collect();
    assert_eq!(algorithms, ["FN-DSA-512", "FN-DSA-1024"]);
}

#[test]
fn every_scheme_that_signs_is_timed() {
    let place = Place::empty();
    let line = format!("--json {QUICK} -a falcon-512 -a fn-dsa-2024-1024 -a fn-dsa-512");
    let json = place.run(&line).code(0).quietly().json();
    let rows = json["results"].as_array().unwrap().iter();
    let rows: Vec<_> = rows.map(|row| (row["algorithm"].as_str().unwrap(), row["op"].as_str().unwrap())).collect();
    let ops = ["keygen", "sign", "sign-repeat", "verify", "verify-repeat"];
    let algorithms = ["Falcon-512", "FN-DSA-2024-1024", "FN-DSA-512"];
    let expected: Vec<_> = algorithms.iter().flat_map(|name| ops.map(|op| (*name, op))).collect();
    assert_eq!(rows, expected);
    let done = place.run(&format!("{QUICK} -a fn-dsa-2024-1024 -a falcon-1024 --message-size 0 verify")).code(0);
    let columns: Vec<_> = done.out.lines().map(|line| line.find(" scalar").or(line.find(" level"))).collect();
    assert!(columns.len() == 3 && columns[0].is_some() && columns.iter().all(|c| *c == columns[0]), "{}", done.out);
}

/// At toy degrees one attempt at a signature of Falcon often fails.
#[test]
fn an_attempt_that_fails_is_made_again() {
    let place = Place::empty();
    for algorithm in ["falcon-4", "fn-dsa-2024-8", "fn-dsa-4"] {
        let line = format!("--allow-weak bench -a {algorithm} -t 0.01 --samples 3 sign sign-repeat verify-repeat");
        assert_eq!(place.run(&line).code(0).out.lines().count(), 4, "{algorithm}");
    }
}

#[test]
fn what_only_verifies_is_refused_before_anything_is_timed() {
    let place = Place::empty();
    for line in ["bench -a falcon-rs-512", "bench -a 512 -a falcon-rs-1024 verify"] {
        place.run(line).code(2).mutely().complains("for verification only");
    }
    let json = place.run("--json bench -a falcon-rs-512 verify-repeat").code(2).quietly().json();
    assert_eq!(json["error"]["reason"], "verify_only");
}

#[test]
fn levels_stand_side_by_side() {
    let place = Place::empty();
    let line = format!("--json --backend scalar --backend emulated {QUICK} -a 512 verify --message-size 0");
    let json = place.run(&line).code(0).json();
    let results = json["results"].as_array().unwrap();
    let levels: Vec<_> = results.iter().map(|row| row["backend"].clone()).collect();
    assert_eq!(levels, ["scalar", "emulated"]);
    assert_eq!(results[0]["message_bytes"], 0);
}

#[test]
fn the_table_has_a_row_for_each() {
    let place = Place::empty();
    let done = place.run(&format!("--allow-weak {QUICK} -a fn-dsa-4 sign verify")).code(0).says("median").says("ops/s");
    assert_eq!(done.out.lines().count(), 3, "{}", done.out);
    assert!(place.names().is_empty());
}

#[test]
fn nonsense_is_a_usage_error() {
    let place = Place::empty();
    for line in [
        "bench fly",
        "bench -t 0",
        "bench -t nan",
        "bench --samples 1",
        "bench -a 300",
        "bench -a falcon",
        "bench --message-size x",
    ] {
        place.run(line).code(2).mutely();
    }
}
