//! Tests for lists with an inline signature: the list contains its signature in comment lines, and
//! `verify` detects any change to the file.

use crate::harness::{ProgramOutput, SplitMixRng, TestDirectory, in_parallel, long};
use crate::messages::{MessageCase, RunMethod, row};
use std::fs;

/// Returns a directory with the file `list`: a list of the files a and b, with an inline signature.
/// Also returns the signed part of the list.
fn directory_with_inline_list(options: &str) -> (TestDirectory, String) {
    let directory = TestDirectory::toy();
    let output = directory.run(&format!("--allow-weak sign -k k.key -M list --inline {options} a b"));
    output.code(0).out_empty().err_has("wrote list (2 files) with its signature inside, signed by FN-DSA-16 sha256:");
    assert!(!directory.has("list.sig"));
    let list = directory.text("list");
    let signed = list[..list.find("# fndsa signature ").unwrap()].to_owned();
    (directory, signed)
}

/// Verifies the list with these additional arguments.
fn verify_list(directory: &TestDirectory, line: &str) -> ProgramOutput {
    directory.run(&format!("--allow-weak verify -p k.pub -M list {line}"))
}

/// Returns the row about inline signatures for the message catalogue in `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    let added = "$FNDSA -q sign -k k.key -M l --inline a; echo '#' >>l";
    let words = "the signature at the end of the list does not have the form that fndsa writes";
    vec![row("inline_form", "verify -p k.pub -M l", 1, words, "copy the list again").how(RunMethod::After(added))]
}

#[test]
fn an_inline_signature_is_written_into_the_list() {
    let (directory, signed) = directory_with_inline_list("");
    let output = verify_list(&directory, "").code(0).err_empty();
    assert!(
        output.out.starts_with("list: OK (FN-DSA-16 sha256:") && output.out.ends_with("\na: OK\nb: OK\n"),
        "{}",
        output.out
    );
    directory.sh("$FNDSA --allow-weak verify -p k.pub -M - <list").code(0).out_has("-: OK").out_has("b: OK");
    directory.run("--allow-weak verify -p k2.pub -M list").code(1).out_has("list: FAILED (the signature is FN-DSA-16");
    let json = directory.run("--allow-weak --json verify -p k.pub -M list").code(0).json();
    let first = &json["results"][0];
    assert_eq!((&first["inline"], first.get("signature"), &first["bytes"]), (&true.into(), None, &signed.len().into()));
    let json = directory.run("--allow-weak --json sign -f -k k.key -M list --inline a b").code(0).json();
    let first = &json["results"][0];
    assert_eq!((&first["inline"], first.get("signature"), &first["bytes"]), (&true.into(), None, &signed.len().into()));
    // The inline form is the list, followed by the lines of the signature file as comments.
    directory.run("--allow-weak sign -f -k k.key -M other a b").code(0);
    assert_eq!(directory.text("other"), signed);
    let marked: String = directory.text("other.sig").lines().map(|line| format!("# {line}\n")).collect();
    directory.put("list", signed + &marked);
    verify_list(&directory, "").code(0);
    for line in ["--format raw", "--format pem", "-o s", "--mu"] {
        directory.run(&format!("--allow-weak sign -f -k k.key -M list --inline {line} a")).code(2);
    }
    directory.run("--allow-weak sign -k k.key --inline a").code(2);
}

/// `inspect` describes the list and the signature in it.
#[test]
fn the_signature_in_a_list_is_described() {
    for options in ["-k k.key", "-k k.key -k e.key"] {
        let directory = TestDirectory::ready();
        directory.run("keygen -q -a ed25519 e").code(0);
        directory.run(&format!("sign {options} -M l --inline a b")).code(0);
        let output = directory.run("inspect l").code(0).err_empty();
        assert!(output.out.starts_with("l: list of checksums, 2 files, with a signature in the list\n"));
        assert_eq!(output.out.matches(" signature, PEM ").count(), options.matches("-k").count(), "{}", output.out);
        directory.run("inspect --json l").code(0);
    }
}

#[test]
fn contexts_and_pre_hashes_must_be_those_of_the_signer() {
    let (directory, _) = directory_with_inline_list("-c v1 --prehash sha512");
    verify_list(&directory, "-c v1 --prehash sha512").code(0);
    for line in ["", "-c v1", "--prehash sha512", "-c v2 --prehash sha512"] {
        verify_list(&directory, line).code(1).out_has("list: FAILED (signature does not match");
    }
    // fndsa compares the signature note with the options.
    directory.put("list", directory.text("list").replace("\"v1\"", "\"v2\""));
    verify_list(&directory, "-c v1 --prehash sha512")
        .code(1)
        .out_has("the signature at the end of the list does not have the form that fndsa writes");
}

/// A list is rejected after one or two random changes. The test tries 1,000 changed lists (10,000
/// with `FNDSA_LONG=1`).
#[test]
fn no_change_of_an_inline_signature_is_accepted() {
    let (directory, _) = directory_with_inline_list("--comment remark --best-before 2096-02-29");
    verify_list(&directory, "").code(0);
    let original = directory.get("list");
    let count = if long() { 10_000 } else { 1_000 };
    let mut random = SplitMixRng(9);
    let mutant = |_| {
        let mut list = original.clone();
        for _ in 0..=random.below(2) {
            let offset = random.below(list.len());
            let to = offset + 1 + random.below(list.len() - offset).min(80);
            match random.below(9) {
                0 => list[offset] ^= 1 << random.below(8),
                1 => list[offset] = b"\n\r #-=A\0"[random.below(8)],
                2 => drop(list.drain(offset..to)),
                3 => list.truncate(offset.max(1)),
                4 => list.insert(offset, b"\n\r #-=A\0"[random.below(8)]),
                5 => {
                    let piece = list[offset..to].to_vec();
                    let directory = random.below(list.len());
                    list.splice(directory..directory, piece);
                }
                6 => list.extend_from_within(offset..to),
                7 => {
                    // Swap two lines.
                    let mut lines: Vec<_> = list.split_inclusive(|b| *b == b'\n').collect();
                    let (one, other) = (random.below(lines.len()), random.below(lines.len()));
                    lines.swap(one, other);
                    list = lines.concat();
                }
                _ => {
                    let mut lines: Vec<_> = list.split_inclusive(|b| *b == b'\n').collect();
                    lines.remove(random.below(lines.len()));
                    list = lines.concat();
                }
            }
        }
        list
    };
    let all: Vec<_> = (0..2 * count).map(mutant).filter(|list| *list != original).take(count).collect();
    assert_eq!(all.len(), count);
    in_parallel(&all, |i, list| {
        let name = format!("list-{i}");
        directory.put(&name, list);
        let output = directory.run(&format!("--allow-weak verify -p k.pub -M {name}"));
        assert!([1, 3, 4].contains(&output.code), "{output:?}: {}", String::from_utf8_lossy(list));
        assert!(!output.out.contains(": OK") && output.out.lines().count() == 1, "{output:?}");
        assert!(output.code == 1 || !output.err.is_empty(), "{output:?}");
        directory.remove(name);
    });
}

/// An attacker without a key cannot combine parts of signed files to a valid list.
#[test]
fn parts_of_other_lists_are_rejected() {
    let (directory, signed) = directory_with_inline_list("--best-before 2020-02-29");
    let list = directory.text("list");
    let part = &list[signed.len()..];
    directory.put("a", "another\n");
    directory.run("--allow-weak sign -k k.key -M other --inline --best-before 2096-02-29 a b").code(0);
    let other = directory.text("other");
    let other_signed = &other[..other.find("# fndsa signature ").unwrap()];
    let other_part = &other[other_signed.len()..];
    directory.put("a", "hello\n");
    let day = signed.lines().next().unwrap();
    for (case, forged) in [
        ("the block of another list", format!("{signed}{other_part}")),
        ("another list with this block", format!("{other_signed}{part}")),
        ("both blocks", format!("{signed}{part}{other_part}")),
        ("both blocks, the other first", format!("{signed}{other_part}{part}")),
        ("one list behind the other", format!("{list}{other}")),
        ("lines behind the block", format!("{list}{other_signed}")),
        ("the block first", format!("{part}{signed}")),
        ("the block in the middle", format!("{day}\n{part}{}", &signed[day.len() + 1..])),
        ("a later day in a comment", format!("# {}\n{list}", day.replace("2020", "2096"))),
        ("a later day behind", format!("{list}{}\n", day.replace("2020", "2096"))),
        ("the day in a comment", format!("# {list}")),
        ("lines in another order", {
            let mut lines: Vec<_> = signed.split_inclusive('\n').collect();
            lines.reverse();
            format!("{}{part}", lines.concat())
        }),
        ("the mark without its blank", list.replace("# -----BEGIN", "#-----BEGIN")),
        ("the line before the block twice", format!("{signed}{}{part}", part.split_inclusive('\n').next().unwrap())),
    ] {
        directory.put("list", &forged);
        let output = verify_list(&directory, "--at 2020-01-01");
        assert!([1, 3, 4].contains(&output.code) && !output.out.contains(": OK"), "{case}: {output:?}");
    }
    // Without the inline signature, the list needs a signature file. The inline signature of a
    // different list does not match, even as a signature file.
    directory.put("list", &signed);
    verify_list(&directory, "--at 2020-01-01").code(4).out_has("list: ERROR (list.sig: no such file");
    let without_comment_marks = |part: &str| part.lines().map(|line| format!("{}\n", &line[2..])).collect::<String>();
    directory.put("list.sig", without_comment_marks(other_part));
    verify_list(&directory, "--at 2020-01-01").code(1).out_has("list: FAILED (signature does not match");
    // The inline signature is also valid in a signature file, because it signs the same bytes. The
    // last day in the list (`--best-before`) still applies.
    directory.put("list.sig", without_comment_marks(part));
    verify_list(&directory, "--at 2020-01-01").code(0);
    verify_list(&directory, "").code(1).out_has("expired");
}

/// A list can have several inline signatures (each a note and a block), in any order. Any change
/// except a different order of the signatures is rejected.
#[test]
fn a_list_can_contain_several_signatures() {
    let directory = TestDirectory::toy();
    let output = directory.run("--allow-weak sign -k k.key -k k2.key -M list --inline a b");
    output.code(0).err_has("with its signature inside, signed by FN-DSA-16 sha256:");
    let list = directory.text("list");
    let starts: Vec<_> = list.match_indices("# fndsa signature ").map(|(offset, _)| offset).collect();
    let [first, second] = starts[..] else { panic!("{list}") };
    let (signed, one, other) = (&list[..first], &list[first..second], &list[second..]);
    let verify = "--allow-weak verify -p k.pub -p k2.pub -M list --require";
    directory.run(&format!("{verify} all")).code(0);
    directory.put("list", format!("{signed}{other}{one}"));
    directory.run(&format!("{verify} 2")).code(0);
    for key in ["k.pub", "k2.pub"] {
        directory.run(&format!("--allow-weak verify -p {key} -M list")).code(0);
    }
    let digits = one.split("sha256:").nth(1).unwrap();
    let lied = other.replacen(&other[other.find("sha256:").unwrap() + 7..][..64], &digits[..64], 1);
    for (case, forged) in [
        ("one is missing", format!("{signed}{one}")),
        ("one twice", format!("{signed}{one}{one}")),
        ("both, and one again", format!("{list}{one}")),
        ("a line of the other key", format!("{signed}{one}{lied}")),
        ("no line", format!("{signed}{one}{}", &other[other.find('\n').unwrap() + 1..])),
        ("a blank line between", format!("{signed}{one}# \n{other}")),
        ("other files", format!("{}{one}{other}", signed.replace("  a\n", "  c\n"))),
    ] {
        directory.put("list", forged);
        let output = directory.run(&format!("{verify} 2"));
        assert!([1, 3].contains(&output.code) && !output.out.contains(": OK"), "{case}: {output:?}");
    }
}

/// If there is an inline signature and a signature file, fndsa uses the inline signature and prints
/// a note.
#[test]
fn the_signature_in_the_list_is_verified() {
    let (directory, signed) = directory_with_inline_list("");
    let list = directory.text("list");
    directory.put("list.sig", "anything");
    let note = "list: fndsa uses the signature inside the list, and ignores list.sig\n";
    verify_list(&directory, "").code(0).err_has(note);
    // A good signature file does not replace a bad inline signature.
    directory.run("--allow-weak sign -f -k k.key list").code(0);
    verify_list(&directory, "").code(0).err_has(note);
    directory.put("list", list.replace(" by sha256:", " by sha256:0"));
    directory.run("--allow-weak sign -f -k k.key list").code(0);
    verify_list(&directory, "")
        .code(1)
        .out_has("list: FAILED (the signature at the end of the list does not have the form that fndsa writes)");
    // If the user names a signature file, fndsa uses this file. The signed bytes then include the
    // inline signature as comments.
    directory.put("list", &list);
    directory.run("--allow-weak sign -f -k k.key list").code(0);
    fs::rename(directory.path("list.sig"), directory.path("s")).unwrap();
    verify_list(&directory, "-s s").code(0).err_has("signed comment: -----BEGIN FNDSA SIGNATURE-----");
    directory.put("list", signed);
    verify_list(&directory, "-s s").code(1);
}

#[test]
fn a_list_in_its_directory_does_not_contain_itself() {
    let directory = TestDirectory::toy();
    fs::create_dir(directory.path("d")).unwrap();
    directory.put("d/a", "a");
    directory.run("--allow-weak sign -k k.key -M d/SHA256SUMS --inline -r d").code(0);
    directory.run("--allow-weak verify -p k.pub -M d/SHA256SUMS -C d --strict").code(0);
    // Sign the directory again and replace the list.
    directory.run("--allow-weak sign -k k.key -M d/SHA256SUMS --inline -r d").code(4).err_has("exists already");
    directory.run("--allow-weak sign -f -k k.key -M d/SHA256SUMS --inline -r d").code(0).err_has("(1 file)");
    directory.run("--allow-weak verify -p k.pub -M d/SHA256SUMS -C d --strict").code(0);
    directory.put("d/SHA256SUMS.sig", "old");
    directory
        .run("--allow-weak verify -p k.pub -M d/SHA256SUMS -C d --strict")
        .code(1)
        .out_has("d/SHA256SUMS.sig: FAILED");
}

#[test]
fn a_list_is_not_a_public_key() {
    let directory = TestDirectory::ready();
    directory.run("sign -k k.key --inline -M list a").code(0);
    directory.run("sign -k k.key -M plain a").code(0);
    directory
        .put("old", directory.text("list").replace("# -----BEGIN FNDSA SIGNATURE", "# -----BEGIN FALCON SIGNATURE"));
    let hint = "hint: this file is a list of checksums, and not the public key of its signer: give the file";
    for list in ["list", "plain", "old"] {
        for line in ["-p X a", "-p X -M X", "--trusted-keys X a"] {
            directory.run(&format!("verify {}", line.replace('X', list))).code(3).err_has(hint);
        }
    }
}
