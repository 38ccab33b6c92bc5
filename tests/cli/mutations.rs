//! Damaged PEM files: none is taken for good.

use crate::harness::{Place, Random, body, in_parallel};

fn mutate(file: &[u8], random: &mut Random) -> Vec<u8> {
    let mut file = file.to_vec();
    let at = random.below(file.len());
    match random.below(5) {
        0 | 1 => file[at] ^= 1 << random.below(8),
        2 => file.truncate(at),
        3 => drop(file.drain(at..(at + 1 + random.below(3)).min(file.len()))),
        _ => file.extend((0..1 + random.below(4)).map(|_| random.below(256) as u8)),
    }
    file
}

/// What a damaged file may still be taken for, by the rules of transport: one block with the
/// same labels and the same base64 in lines of any width.
fn same_payload(file: &[u8], original: &str) -> bool {
    let text = String::from_utf8_lossy(file).replace("\r\n", "\n").replace('\r', "\n");
    let has = |label: &str| {
        let line = original.lines().find(|line| line.starts_with(label)).unwrap();
        text.lines().any(|l| l.trim_end() == line)
    };
    let joined: String = body(&text).split_whitespace().collect();
    has("-----BEGIN") && has("-----END") && joined == body(original)
}

fn never_accepted(file: &str, refusals: &[i32], command: impl Fn(&str) -> String + Sync) {
    let (place, mut random) = (Place::ready(), Random(file.len() as u64));
    let original = place.text(file);
    place.run(&command(file)).code(0);
    let mutants: Vec<_> = (0..200).map(|_| mutate(original.as_bytes(), &mut random)).collect();
    in_parallel(&mutants, |i, mutant| {
        let name = format!("mutant{i}");
        place.put(&name, mutant);
        let done = place.run(&command(&name));
        if done.code == 0 {
            assert!(same_payload(mutant, &original), "accepted: {}", String::from_utf8_lossy(mutant));
        } else {
            assert!(refusals.contains(&done.code), "{done:?}: {}", String::from_utf8_lossy(mutant));
        }
    });
}

#[test]
fn damaged_private_keys_are_refused() {
    never_accepted("k.key", &[3], |file| format!("inspect {file}"));
}

#[test]
fn damaged_private_keys_sign_nothing() {
    never_accepted("k2.key", &[3], |file| format!("sign -f -k {file} -o {file}.sig a"));
}

#[test]
fn damaged_public_keys_verify_nothing() {
    never_accepted("k.pub", &[1, 3], |file| format!("verify -p {file} a"));
}

#[test]
fn damaged_signatures_do_not_verify() {
    never_accepted("a.sig", &[1, 3], |file| format!("verify -p k.pub -s {file} a"));
}

#[test]
fn damaged_raw_signatures_do_not_verify() {
    let (place, mut random) = (Place::ready(), Random(1));
    place.run("sign -k k.key --format raw -o raw a").code(0);
    let mutants: Vec<_> = (0..200).map(|_| mutate(&place.get("raw"), &mut random)).collect();
    in_parallel(&mutants, |i, mutant| {
        let name = format!("mutant{i}");
        place.put(&name, mutant);
        let done = place.run(&format!("verify -p k.pub -s {name} a"));
        assert!([1, 3].contains(&done.code), "{done:?}");
    });
}
