//! Tests for damaged files: fndsa rejects them, and does not crash.
//!
//! The tests try the changes from [`mutants_of`] on the keys and signatures in [`FORMS`], and on a
//! list. With `FNDSA_LONG=1`, the tests try at least 10,000 mutants of each form. Otherwise, they
//! try every eleventh mutant, or every 31st mutant of a list. Each `fndsa` process reads many
//! files. The meaning of "accepted" depends on the kind of file:
//!
//! - a private key: `inspect` reports a private key after the full check. (If a raw key is cut to
//!   the length of a fixed-length Falcon signature, `inspect` reports a signature, because the
//!   first byte is also possible for a signature.)
//! - a public key: `verify` prints OK with this key. (A changed coefficient gives a different
//!   public key, which cannot be detected. But the changed key must not verify the signature of the
//!   original key.)
//! - a signature: `verify` prints OK.
//!
//! [`must_accept`] decides which mutants fndsa must accept. fndsa must reject all other mutants.

use crate::encryption::encrypt_with_fast_derivation;
use crate::harness::{SplitMixRng, TestDirectory, have, in_parallel, long, skip};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::fs;

/// The kind of file that the test changes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum FileKind {
    Private,
    Public,
    Signature,
}

/// A file to change, and the command that creates it. The command can use `k.key`, `k.pub`, `a` (a
/// message) and `a.sig`. If the command is empty, the file exists already.
struct MutatedFile {
    kind: FileKind,
    file: &'static str,
    made_by: &'static str,
}

const FORMS: [MutatedFile; 16] = [
    MutatedFile { kind: FileKind::Private, file: "k.key", made_by: "" },
    MutatedFile { kind: FileKind::Private, file: "raw.key", made_by: "keygen --format raw raw" },
    MutatedFile { kind: FileKind::Private, file: "k.p8", made_by: "convert k.key -o k.p8 --to pkcs8" },
    MutatedFile { kind: FileKind::Private, file: "k.p8.der", made_by: "convert k.key -o k.p8.der --to pkcs8-der" },
    MutatedFile { kind: FileKind::Private, file: "k.enc.der", made_by: OPENSSL },
    MutatedFile { kind: FileKind::Private, file: "k.enc", made_by: OPENSSL },
    MutatedFile { kind: FileKind::Private, file: "f.key", made_by: "keygen -a falcon-512 f" },
    MutatedFile {
        kind: FileKind::Private,
        file: "f.raw",
        made_by: "keygen -a falcon-512 --format raw -o f.raw -p f.pub",
    },
    MutatedFile { kind: FileKind::Public, file: "k.spki", made_by: "convert k.pub -o k.spki --to spki" },
    MutatedFile { kind: FileKind::Public, file: "k.spki.der", made_by: "convert k.pub -o k.spki.der --to spki-der" },
    MutatedFile { kind: FileKind::Public, file: "k.pub", made_by: "" },
    MutatedFile { kind: FileKind::Public, file: "raw.pub", made_by: "pubkey -k k.key --format raw -o raw.pub" },
    MutatedFile { kind: FileKind::Signature, file: "a.sig", made_by: "" },
    MutatedFile { kind: FileKind::Signature, file: "raw.sig", made_by: "sign -k k.key --format raw -o raw.sig a" },
    // A padded Falcon signature without its padding is a valid compressed signature, so this list
    // contains no padded Falcon signatures. The list contains no Falcon public keys, because a
    // signature is sometimes still valid if a coefficient of the key changes by one.
    MutatedFile {
        kind: FileKind::Signature,
        file: "f.sig",
        made_by: "sign -k f.key --encoding compressed --format raw -o f.sig a",
    },
    MutatedFile { kind: FileKind::Signature, file: "f.ct", made_by: "sign -k f.key --encoding ct -o f.ct a" },
];

/// A marker instead of a command: the test encrypts k.key with openssl, which allows a fast key
/// derivation. The password is `hello`, the first line of the file a.
const OPENSSL: &str = "openssl";

/// The minimum mutant count for each form. The short test takes every eleventh mutant.
const ENOUGH: usize = 10_000;
/// The number of mutants that a process reads.
const BATCH: usize = 400;

/// Returns mutants of a file. Flips each bit. Deletes, clears and repeats each byte. Inserts a line
/// end and a space at each position, and cuts the file there. Adds bytes at the start and the end.
/// Repeats, removes and swaps lines. Then changes random pairs of bytes until there are [`ENOUGH`]
/// mutants.
fn mutants_of(file: &[u8]) -> Vec<Vec<u8>> {
    let mut mutants = Vec::new();
    let mut change = |offset: usize, removed: usize, put: &[u8]| {
        mutants.push([&file[..offset], put, &file[offset + removed..]].concat());
    };
    for offset in 0..file.len() {
        for bit in 0..8 {
            change(offset, 1, &[file[offset] ^ 1 << bit]);
        }
        change(offset, 1, &[]);
        change(offset, 1, &[0]);
        change(offset, 1, &[file[offset]; 2]);
        change(offset, 0, b"\n");
        change(offset, 0, b" ");
        change(offset, file.len() - offset, &[]);
    }
    for tail in [&b"\n"[..], b"\r\n", b"\0", b" ", b"=", b"x", b"-----BEGIN FNDSA SIGNATURE-----\n", file, &file[..1]] {
        change(file.len(), 0, tail);
        change(0, 0, tail);
    }
    let lines: Vec<_> = file.split_inclusive(|b| *b == b'\n').collect();
    for i in 0..lines.len() {
        mutants.push([&lines[..=i], &lines[i..]].concat().concat());
        mutants.push([&lines[..i], &lines[i + 1..]].concat().concat());
        for j in 0..i {
            let mut lines = lines.clone();
            lines.swap(i, j);
            mutants.push(lines.concat());
        }
    }
    let mut random = SplitMixRng(file.len() as u64);
    while mutants.len() < ENOUGH + 100 {
        let mut mutant = file.to_vec();
        for _ in 0..2 {
            mutant[random.below(file.len())] = random.below(256) as u8;
        }
        mutants.push(mutant);
    }
    mutants.retain(|mutant| mutant != file);
    mutants
}

/// Returns whether fndsa must accept a mutant. It must reject a changed raw file. It must accept a
/// signature file that occurs twice in a row. It must also accept a changed PEM file that contains
/// no zero bytes, and a single block with the original labels and the original base64 text. So
/// only these parts can differ: the text before and after the block, the line width, line ends,
/// and spaces at the end of lines.
fn must_accept(mutant: &[u8], original: &[u8]) -> bool {
    // A file can contain several signatures, so a signature file that occurs twice is valid.
    let may_repeat = original.windows(14).any(|it| it == b"SIGNATURE-----");
    if mutant == original || may_repeat && mutant == [original, original].concat() {
        return true;
    }
    matches!((parse_block(mutant), parse_block(original)), (Some(one), Some(other)) if one == other)
        && !mutant.contains(&0)
}

/// Returns the only block of a file: the BEGIN line, the base64 text in one line, and the END line.
fn parse_block(file: &[u8]) -> Option<[String; 3]> {
    let text: String =
        file.utf8_chunks().flat_map(|c| [c.valid(), if c.invalid().is_empty() { "" } else { "?" }]).collect();
    let lines: Vec<_> = text.split(['\n', '\r']).map(|line| line.trim_end_matches([' ', '\t', '\x0c'])).collect();
    let begins: Vec<_> = (0..lines.len()).filter(|i| lines[*i].starts_with("-----BEGIN ")).collect();
    let &[begin] = &begins[..] else { return None };
    let len = lines[begin..].iter().position(|line| line.starts_with("-----END "))?;
    Some([lines[begin].to_owned(), lines[begin + 1..begin + len].concat(), lines[begin + len].to_owned()])
}

/// Runs a command with `--json` on files, and returns their results in the order of the files.
/// Panics unless the command prints a JSON document with a result for each file, and nothing on
/// standard error. A file with several results gets the value null.
fn json_results(directory: &TestDirectory, line: &str, files: &[String]) -> Vec<Value> {
    let output = files.iter().fold(directory.call("--json").args(line), |call, file| call.arg(file)).run();
    // Exit code 2: a password is given, but no file is encrypted.
    assert!([0, 1, 2, 3, 5].contains(&output.code) && output.err.is_empty(), "{}: {}", output.code, output.err);
    let document = output.json();
    let results = document["results"].as_array().unwrap();
    let result_of = |file: &String| {
        let mut matching = results.iter().filter(|result| result["path"] == **file);
        match (matching.next(), matching.next()) {
            (Some(single), None) => single.clone(),
            // `inspect` reports all blocks in a file. Other commands reject a file with several
            // keys or signatures.
            (Some(_), Some(_)) => Value::Null,
            (None, _) => panic!("there is no result for {file}"),
        }
    };
    files.iter().map(result_of).collect()
}

/// Returns for each file whether fndsa accepts it. The module comment defines "accepted".
fn accepted_mutants(directory: &TestDirectory, kind: FileKind, names: &[String]) -> Vec<bool> {
    let keys = if directory.has(FALCON) { "verify -p k.pub -p falcon.pub" } else { "verify -p k.pub" };
    let ok = |result: &Value| result["status"] == "ok";
    let is_valid = |kind, result: &Value| ok(result) && result["kind"] == kind;
    match kind {
        FileKind::Private => {
            let results = json_results(directory, "inspect --password-file a", names);
            results.iter().map(|result| is_valid("private_key", result)).collect()
        }
        FileKind::Signature => json_results(directory, keys, names).iter().map(ok).collect(),
        FileKind::Public => {
            let verifies = |keys: &[&String]| {
                let call = keys.iter().fold(directory.call("verify a"), |call, key| call.arg("-p").arg(key));
                let output = call.run();
                assert!([0, 1].contains(&output.code), "{output:?}");
                output.code == 0
            };
            let results = json_results(directory, "inspect", names);
            let keys: Vec<_> = results.iter().map(|result| is_valid("public_key", result)).collect();
            let public_keys: Vec<_> = names.iter().zip(&keys).filter(|(_, key)| **key).map(|(name, _)| name).collect();
            // A call with several keys verifies if any of these keys matches. If the call fails, no
            // key is accepted. Otherwise, each key is tried alone.
            if public_keys.is_empty() || !verifies(&public_keys) {
                return vec![false; names.len()];
            }
            names.iter().zip(&keys).map(|(name, key)| *key && verifies(&[name])).collect()
        }
    }
}

/// The name of the public key file for Falcon signatures.
const FALCON: &str = "falcon.pub";

/// Writes the files to a new directory, and returns for each file whether fndsa accepts it. A
/// single process of fndsa reads all files. `falcon` is the public key for Falcon signatures, or
/// empty.
fn check_in_process(form: &MutatedFile, falcon: &[u8], files: &[&[u8]]) -> Vec<bool> {
    let directory = TestDirectory::ready();
    if !falcon.is_empty() {
        directory.put(FALCON, falcon);
    }
    let mut names = Vec::new();
    for (i, file) in files.iter().enumerate() {
        let name = format!("m{i}");
        if form.kind == FileKind::Signature {
            fs::hard_link(directory.path("a"), directory.path(&name)).unwrap();
            directory.put(format!("{name}.sig"), file);
        } else {
            directory.put(&name, file);
        }
        names.push(name);
    }
    accepted_mutants(&directory, form.kind, &names)
}

/// Tries the mutants for all forms with this kind. fndsa must accept a mutant if and only if
/// [`must_accept`] returns true.
fn check_all_mutants(kind: FileKind) {
    for form in FORMS.iter().filter(|form| form.kind == kind) {
        let (directory, mut falcon) = (TestDirectory::ready(), Vec::new());
        match form.made_by {
            "" => {}
            OPENSSL if !have("openssl") => {
                skip(form.file, "there is no openssl");
                continue;
            }
            OPENSSL => {
                let der = encrypt_with_fast_derivation(&directory, "hello");
                let base64 = STANDARD.encode(&der);
                let lines: Vec<_> = base64.as_bytes().chunks(64).map(|line| str::from_utf8(line).unwrap()).collect();
                let label = "ENCRYPTED PRIVATE KEY-----\n";
                directory.put("k.enc", format!("-----BEGIN {label}{}\n-----END {label}", lines.join("\n")));
                directory.put("k.enc.der", der);
            }
            line => {
                if line.contains("f.key") {
                    directory.run("keygen -a falcon-512 f").code(0);
                    falcon = directory.get("f.pub");
                }
                directory.run(line).code(0);
            }
        }
        let original = directory.get(form.file);
        let all = mutants_of(&original);
        assert!(all.len() >= ENOUGH, "{}", all.len());
        let step = if long() { 1 } else { 11 };
        let tested = all.iter().step_by(step).map(Vec::as_slice);
        let (free, damaged): (Vec<_>, Vec<_>) = tested.partition(|mutant| must_accept(mutant, &original));
        println!("{}: {} damaged, {} with free text changed", form.file, damaged.len(), free.len());
        assert_eq!(
            check_in_process(form, &falcon, &[&original]),
            [true],
            "the unchanged file {} is rejected",
            form.file
        );
        let batches: Vec<_> = damaged.chunks(BATCH).collect();
        in_parallel(&batches, |_, batch| {
            let accepted = check_in_process(form, &falcon, batch);
            let wrong = batch.iter().zip(accepted).find(|(_, accepted)| *accepted);
            assert!(
                wrong.is_none(),
                "{}: a damaged file is accepted: {}",
                form.file,
                String::from_utf8_lossy(wrong.unwrap().0)
            );
        });
        in_parallel(&free.chunks(BATCH).collect::<Vec<_>>(), |_, batch| {
            let accepted = check_in_process(form, &falcon, batch);
            let rejected = batch.iter().zip(accepted).find(|(_, accepted)| !*accepted);
            assert!(
                rejected.is_none(),
                "{}: a valid file is rejected: {}",
                form.file,
                String::from_utf8_lossy(rejected.unwrap().0)
            );
        });
    }
}

#[test]
fn damaged_private_keys_are_rejected() {
    check_all_mutants(FileKind::Private);
}

#[test]
fn damaged_public_keys_verify_nothing() {
    check_all_mutants(FileKind::Public);
}

#[test]
fn damaged_signatures_do_not_verify() {
    check_all_mutants(FileKind::Signature);
}

/// If the list is changed, fndsa prints a NO and does not report any listed file. (Other tests
/// change signature files.)
#[test]
fn damaged_lists_verify_nothing() {
    let directory = TestDirectory::ready();
    directory.run("sign -k k.key -M list a b").code(0);
    directory.run("verify -p k.pub -M list").code(0).out_has("b: OK");
    let all = mutants_of(&directory.get("list"));
    assert!(all.len() >= ENOUGH, "{}", all.len());
    let tested: Vec<_> = all.iter().step_by(if long() { 1 } else { 31 }).collect();
    println!("list: {} damaged", tested.len());
    in_parallel(&tested, |i, mutant| {
        let name = format!("m{i}");
        directory.put(&name, mutant);
        let output = directory.run(&format!("verify -p k.pub -s list.sig -M {name}")).code(1);
        assert!(
            output.out.starts_with(&format!("{name}: FAILED (")) && output.out.lines().count() == 1,
            "{}: {}",
            output.out,
            String::from_utf8_lossy(mutant)
        );
        fs::remove_file(directory.path(&name)).unwrap();
    });
}

/// A command with a changed key or signature file succeeds if and only if [`must_accept`] returns
/// true. Otherwise, it reports an error, or a NO if the file can be read, and writes no file.
#[test]
fn damaged_files_end_every_command_with_the_expected_exit_code() {
    for (file, codes, command) in [
        ("k2.key", &[3][..], "sign -f -o s a -k"),
        ("k.key", &[3], "pubkey -f -o p -k"),
        ("k.pub", &[1, 3], "verify a -p"),
        ("a.sig", &[1, 3], "verify -p k.pub a -s"),
    ] {
        let original = TestDirectory::ready().get(file);
        let all = mutants_of(&original);
        let step = if long() { 50 } else { 400 };
        let tested: Vec<_> = all.iter().step_by(step).collect();
        in_parallel(&tested, |_, mutant| {
            let directory = TestDirectory::ready();
            directory.put("x", mutant);
            let output = directory.call(command).arg("x").run();
            let shown = String::from_utf8_lossy(mutant);
            if output.code == 0 {
                assert!(must_accept(mutant, &original), "accepted: {shown}");
            } else {
                assert!(codes.contains(&output.code) && !must_accept(mutant, &original), "{output:?}: {shown}");
                assert!(!directory.has("s") && !directory.has("p"), "{shown}");
            }
        });
    }
}
