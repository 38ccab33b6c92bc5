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
    for line in
        ["bench fly", "bench -t 0", "bench -t nan", "bench --samples 1", "bench -a 300", "bench --message-size x"]
    {
        place.run(line).code(2).mutely();
    }
}
