//! Tests for `keygen`: several key pairs in a command, and keys from a seed.

use crate::harness::{TestDirectory, body};
use serde_json::Value;
use std::fs;

#[test]
fn keygen_generates_many_pairs() {
    let directory = TestDirectory::empty();
    let output = directory.run("keygen -n 12 release").code(0).out_empty();
    let lines: Vec<_> = output.err.lines().collect();
    assert_eq!(lines.len(), 12, "{}", output.err);
    let mut fingerprints = std::collections::BTreeSet::new();
    for (i, line) in (1..=12).zip(lines) {
        let (name, fingerprint) = line.split_once("  ").unwrap();
        assert_eq!(name, format!("release-{i}.key"));
        assert_eq!(directory.mode(name), 0o600);
        directory
            .run(&format!("inspect release-{i}.key release-{i}.pub"))
            .code(0)
            .out_has("a key pair")
            .out_has(fingerprint);
        fingerprints.insert(fingerprint.to_owned());
    }
    assert_eq!(fingerprints.len(), 12);
    assert_eq!(directory.names().len(), 24);
}

#[test]
fn many_pairs_replace_no_file() {
    let directory = TestDirectory::empty();
    directory.put("x-3.pub", "old");
    directory.run("keygen -n 4 x").code(4).err_has("x-3.pub: exists already");
    assert_eq!(directory.names(), ["x-3.pub"], "no file is written if one output exists already");
    directory.run("keygen -n 4 x -f").code(0);
    assert_eq!(directory.names().len(), 8);
    for line in ["keygen -n 0 x", "keygen -n -1 x", "keygen -n 2", "keygen -n 2 -o x", "keygen -n 2 x -p y"] {
        directory.run(line).code(2).out_empty();
    }
}

#[test]
fn many_pairs_are_listed_in_json() {
    let directory = TestDirectory::empty();
    let document = directory.run("--json keygen -n 2 x --format raw").code(0).err_empty().json();
    let results = document["results"].as_array().unwrap();
    let paths: Vec<_> = results.iter().map(|r| (r["path"].as_str(), r["public_key"].as_str())).collect();
    assert_eq!(paths, [(Some("x-1.key"), Some("x-1.pub")), (Some("x-2.key"), Some("x-2.pub"))]);
    assert_eq!(directory.get("x-2.key").len(), 1345);
    let document = directory.run("--json keygen -n 2 x").code(4).json();
    assert_eq!(document["error"]["reason"], "exists");
}

/// From the seed in a published test vector, `keygen` makes the key in the vector.
#[test]
fn keygen_from_a_seed_makes_the_published_key() {
    let kat: Value = serde_json::from_str(include_str!("../kat/kat-a.json")).unwrap();
    let directory = TestDirectory::empty();
    for vector in kat["vectors"].as_array().unwrap().iter().filter(|v| v["logn"] == 9).take(2) {
        let seed = vector["keygen_seed"].as_str().unwrap();
        directory.put("seed", seed);
        directory.run("keygen -f k --format raw --seed-file seed --insecure-deterministic").code(0).err_has("warning");
        let hex = |bytes: Vec<u8>| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
        assert_eq!(hex(directory.get("k.key")), vector["sk"].as_str().unwrap());
        assert_eq!(hex(directory.get("k.pub")), vector["vk"].as_str().unwrap());
    }
}

#[test]
fn a_seed_is_raw_or_hexadecimal_and_32_bytes() {
    let directory = TestDirectory::empty();
    let seed = [7; 32];
    let hex: String = seed.iter().map(|b| format!("{b:02x}")).collect();
    directory.put("raw", seed);
    directory.put("hex", format!("{hex}\n"));
    let line = "keygen --insecure-deterministic --allow-weak -a fn-dsa-64";
    for name in ["raw", "hex"] {
        directory.run(&format!("{line} --seed-file {name} {name}")).code(0);
    }
    assert_eq!(body(&directory.text("raw.key")), body(&directory.text("hex.key")));
    directory.run(&format!("{line} other --seed-file")).code(2);
    directory.call(&format!("{line} --seed-file - piped")).input(seed).run().code(0);
    assert_eq!(directory.text("piped.pub"), directory.text("raw.pub"));
    for (bad, bytes) in [("short", &seed[..31]), ("long", &[7; 33]), ("none", &[])] {
        directory.put(bad, bytes);
        directory
            .run(&format!("{line} --seed-file {bad} no"))
            .code(3)
            .err_has("32 bytes or 64 hexadecimal digits are needed");
    }
    directory.run("keygen --seed-file raw no").code(2).err_has("--insecure-deterministic");
    directory.run("keygen --insecure-deterministic no").code(2).err_has("--seed-file");
    directory.run(&format!("{line} --seed-file raw -n 2 no")).code(2);
    assert!(
        fs::read_dir(directory.root()).unwrap().all(|e| !e.unwrap().file_name().to_string_lossy().starts_with("no."))
    );
}

#[test]
fn any_number_of_threads_generates_the_same_key() {
    let directory = TestDirectory::empty();
    for (name, byte) in [("a", 1), ("b", 2), ("c", 3)] {
        directory.put("seed", [byte; 32]);
        let line = "keygen -a fn-dsa-1024 --seed-file seed --insecure-deterministic";
        directory.run(&format!("{line} {name}")).code(0);
        for jobs in ["1", "2", "3", "all"] {
            directory.run(&format!("{line} -f -j {jobs} many")).code(0);
            for suffix in ["key", "pub"] {
                let (single, several) =
                    (directory.text(format!("{name}.{suffix}")), directory.text(format!("many.{suffix}")));
                assert_eq!(body(&several), body(&single), "seed {byte}, {jobs} threads");
            }
        }
    }
    directory.run("keygen -j 2 x").code(0);
    directory.run("inspect x.key x.pub").code(0).out_has("a key pair");
    directory.run("keygen -n 3 -j 2 y").code(0);
    directory.run("inspect y-3.key y-3.pub").code(0).out_has("a key pair");
    for jobs in ["0", "-1", "1025", "x", ""] {
        directory.run(&format!("keygen --jobs={jobs} z")).code(2).out_empty().err_has("1 to 1024");
    }
    directory.run("keygen -j 0 z").code(2).out_empty().err_has("--jobs");
    assert!(!directory.names().iter().any(|name| name.to_string_lossy().starts_with('z')));
}
