//! `testvectors`: the generator as it is documented, and crate `fn-dsa` 0.4.0 making the same.

#[path = "../common/peer.rs"]
mod peer;

use crate::harness::Place;
use fn_dsa::HASH_ID_RAW;
use serde_json::Value;
use sha2::{Digest, Sha256};
use sha3::Shake256;
use sha3::digest::{ExtendableOutput, Update, XofReader};

const DEFINITION: &str = include_str!("../../docs/testvectors.md");

fn bytes(value: &Value) -> Vec<u8> {
    let digits = value.as_str().unwrap();
    (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap()).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

#[test]
fn another_implementation_makes_the_same() {
    let place = Place::empty();
    for (n, count) in [(512u16, 3), (1024, 2), (256, 3), (8, 3)] {
        let line = format!("--json --allow-weak testvectors --degree {n} --count {count}");
        let json = place.run(&line).code(0).quietly().json();
        let results = json["results"].as_array().unwrap();
        assert_eq!(results.len(), count);
        for (i, vector) in results.iter().enumerate() {
            assert_eq!(vector["count"], i);
            // The generator, from docs/testvectors.md.
            let mut hash = Shake256::default();
            hash.update(b"fndsa-testvectors-v1");
            hash.update(&n.to_le_bytes());
            hash.update(&(i as u32).to_le_bytes());
            let mut stream = hash.finalize_xof();
            let mut read = |len: usize| {
                let mut out = vec![0; len];
                stream.read(&mut out);
                out
            };
            let seed = read(32);
            let len = read(2);
            let message = read((usize::from(len[0]) + 256 * usize::from(len[1])) % 1024);
            let len = read(1)[0];
            let (context, random) = (read(len.into()), read(40));
            for (name, value) in [("seed", &seed), ("msg", &message), ("ctx", &context), ("rnd", &random)] {
                assert_eq!(bytes(&vector[name]), *value, "degree {n}, vector {i}: {name}");
            }
            // The other implementation.
            let (sk, pk) = peer::keygen(n.ilog2(), &seed.try_into().unwrap());
            let signed = peer::Message { context: &context, id: &HASH_ID_RAW, hv: &message };
            let sig = peer::sign(&sk, &signed, &random.try_into().unwrap());
            for (name, value) in [("pk", &pk), ("sk", &sk), ("sig", &sig)] {
                assert_eq!(bytes(&vector[name]), *value, "degree {n}, vector {i}: {name}");
            }
            assert!(peer::verify(&pk, &signed, &sig));
        }
    }
}

#[test]
fn lines_are_those_of_the_definition() {
    let place = Place::empty();
    let full = place.run("testvectors --count 2").code(0).quietly().out;
    let start: Vec<_> = full.lines().take(3).collect();
    assert!(DEFINITION.contains(&start.join("\n")), "{start:?}");
    let names: Vec<_> = full.lines().filter_map(|line| line.split(" = ").next()).collect();
    let names = names.into_iter().filter(|name| !name.starts_with('#') && !name.is_empty()).collect::<Vec<_>>();
    assert_eq!(names[..8], ["count", "seed", "msg", "ctx", "rnd", "pk", "sk", "sig"]);
    assert_eq!(names[..8], names[8..]);
    // The first digits in the definition are those of vector 0.
    for line in full.lines().skip(4).take(7) {
        let (name, value) = line.split_once(" = ").unwrap();
        assert!(DEFINITION.contains(&format!("\n{name} = {}...\n", &value[..8])), "{line}");
    }
    let json = place.run("--json testvectors --count 2").code(0).json();
    let hashed = place.run("testvectors --hash --count 2").code(0).out;
    let hashes = place.run("--json testvectors --hash --count 2").code(0).json();
    let lines: Vec<_> = hashed.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 2, "{hashed}");
    for (i, line) in lines.iter().enumerate() {
        let vector = &json["results"][i];
        let digest = hex(&Sha256::digest([&vector["pk"], &vector["sk"], &vector["sig"]].map(bytes).concat()));
        assert_eq!(*line, format!("FN-DSA-512 {i} {digest}"));
        assert_eq!(hashes["results"][i]["sha256"], digest);
    }
    assert!(DEFINITION.contains(&format!("\n{}\n", lines[0])));
}

#[test]
fn every_level_prints_the_same() {
    let place = Place::empty();
    for line in ["testvectors --count 4", "testvectors --degree 1024 --count 2 --hash"] {
        let level = |name: &str| place.run(&format!("{line} --backend {name}")).code(0).out;
        assert_eq!(level("scalar"), level("emulated"));
    }
}

#[test]
fn the_first_difference_is_named() {
    let place = Place::empty();
    let line = "--allow-weak testvectors --degree 8 --count 3";
    let full = place.run(line).code(0).out;
    let check = |text: &str| {
        place.put("list", text);
        place.run(&format!("{line} --check list"))
    };
    let ok = check(&full).code(0).quietly();
    assert_eq!(ok.out, "list: OK (3 vectors of FN-DSA-8)\n");
    check(&full.replace('\n', "\r\n").to_uppercase()).code(0);
    check(&full.lines().filter(|l| !l.starts_with('#')).collect::<Vec<_>>().join("\n\n# more\n")).code(0);
    let mut lines: Vec<_> = full.lines().map(str::to_owned).collect();
    assert_eq!(lines[16].split(' ').next(), Some("rnd"));
    let last = lines[16].pop().unwrap();
    lines[16].push(if last == '0' { '1' } else { '0' });
    check(&lines.join("\n")).code(1).says("list: FAILED (line 17 differs: rnd of vector 1)");
    let lines: Vec<_> = full.lines().collect();
    check(&lines[..18].join("\n")).code(1).says("the list ends before sk of vector 1");
    check("").code(1).says("the list ends before count of vector 0");
    check("\u{0}garbage").code(1).says("line 1 differs: count of vector 0");
    check(&"x".repeat(1 << 20)).code(1).says("line 1 differs: count of vector 0");
    check(&format!("{full}\ncount = 3\n")).code(1).says("more than 3 vectors");
    let hashes = place.run(&format!("{line} --hash")).code(0).out;
    check(&hashes).code(1).says("line 3 differs: count of vector 0");
    place.call(&format!("{line} --hash --check -")).input(hashes).run().code(0).says("standard input: OK");
    place.run(&format!("{line} --check nosuch")).code(4).mutely();

    let json = place.run(&format!("--json {line} --check list")).code(1).quietly().json();
    let result = &json["results"][0];
    assert_eq!((&result["status"], &result["reason"]), (&"failed".into(), &"vectors_differ".into()));
    place.put("list", full);
    let json = place.run(&format!("--json {line} --check list")).code(0).json();
    assert_eq!(json["results"][0]["vectors"], 3);
    place.run(&format!("-q {line} --check list")).code(0).mutely();
}

#[test]
fn toys_and_other_numbers_are_refused() {
    let place = Place::empty();
    place.run("testvectors --degree 64").code(2).mutely().complains("--allow-weak");
    for line in ["--degree 500", "--degree 2", "--degree 2048", "--degree x", "--count 0", "--count -1"] {
        place.run(&format!("testvectors {line}")).code(2).mutely();
    }
    for n in [4, 8, 16, 32, 64, 128, 256] {
        let line = format!("testvectors --allow-weak --degree {n} --count 1");
        place.run(&line).code(0).says(&format!("# FN-DSA-{n},"));
    }
}
