//! Tests for several signatures in a file. The verifier decides how many must be valid.

use crate::harness::{SplitMixRng, TestDirectory, body};
use crate::messages::{MessageCase, RunMethod, row};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

/// Returns the rows about several signatures and key lines for the message catalogue in
/// `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    let usage_row = |reason, line: &str, words, hint| row(reason, line, 2, words, hint);
    let key_line_row = |reason, words, hint, make| {
        row(reason, "verify --trusted-keys x a", 1, words, hint).how(RunMethod::After(make))
    };
    vec![
        key_line_row(
            "key_revoked",
            "which is revoked: stolen",
            "are never accepted",
            "{ echo 'revoked: stolen'; cat k.pub; } >x",
        ),
        key_line_row(
            "key_expired",
            "which expired: it was valid until 2000-02-29",
            "--at DATE",
            "{ echo 'not-after: 2000-02-29'; cat k.pub; } >x",
        ),
        key_line_row(
            "key_context",
            "which is only for the context \"ci\"",
            "ask the signer for a signature with the context from the key line `context:`",
            "{ echo 'context: ci'; cat k.pub; } >x",
        ),
        key_line_row(
            "key_not_yet_valid",
            "which is valid from 9999-01-01",
            "--at DATE",
            "{ echo 'not-before: 9999-01-01'; cat k.pub; } >x",
        ),
        row(
            "key_expired",
            "inspect --markdown x",
            3,
            "the key was valid until 2000-02-29",
            "the new key that replaces this key",
        )
        .how(RunMethod::After("{ echo 'not-after: 2000-02-29'; cat k.pub; } >x")),
        row(
            "key_revoked",
            "inspect --markdown x",
            3,
            "the key is revoked: stolen",
            "the new key that replaces this key",
        )
        .how(RunMethod::After("{ echo 'revoked: stolen'; cat k.pub; } >x")),
        row(
            "key_terms",
            "verify --trusted-keys x a",
            3,
            "did you mean `revoked: WHY`?",
            "if the line is a comment, begin it with `# `",
        )
        .how(RunMethod::After("{ echo 'Revoked: stolen'; cat k.pub; } >x")),
        row(
            "key_terms",
            "verify -p k.pub -p x -p y a",
            3,
            "this key is also in k.pub, with different key lines",
            "remove the key from one",
        )
        .how(RunMethod::After("{ echo 'name: x'; cat k.pub; } >x; { echo 'name: y'; cat k.pub; } >y")),
        row(
            "too_few_signatures",
            "verify -p k.pub -p k2.pub --require all a",
            1,
            "1 of 2 required keys has signed the file",
            "no signature by FN-DSA-1024 sha256:",
        ),
        row(
            "too_few_keys",
            "verify -p k.pub --require 2 a",
            2,
            "signatures by 2 keys are required, but only 1 key is given",
            "counts only once",
        ),
        row(
            "too_many_signatures",
            "verify -p k.pub -s x a",
            3,
            "the file has 65 signatures, and at most 64 are allowed",
            "remove the signatures",
        )
        .how(RunMethod::After(
            "for i in $(seq 65); do printf -- '-----BEGIN X-----\\nAAAA\\n-----END X-----\\n'; done >x",
        )),
        row(
            "key_as_file",
            "verify -p k.pub k2.pub --require all a",
            2,
            "k2.pub: this is a public key, and it is given as a file to verify, not as a trusted key",
            "write -p before the name to require its signature",
        ),
        row(
            "key_not_read",
            "verify --trusted-keys d a",
            4,
            "d/revoked.pem: this file contains a public key, but fndsa reads only the files *.pub directly in d",
            "rename the file to NAME.pub",
        )
        .how(RunMethod::After("mkdir d; cp k.pub d; (echo 'revoked: stolen'; cat k.pub) >d/revoked.pem")),
        row("no_keys_there", "verify --trusted-keys d a", 4, "the directory has no files named *.pub", "NAME.pub")
            .how(RunMethod::After("mkdir d")),
        usage_row(
            "one_key_only",
            "pubkey -k k.key -k k2.key",
            "takes one private key, but several are given",
            "give only one private key",
        ),
        usage_row("key_twice", "sign -k k.key -k k.key b", "is given twice", "give each private key once"),
        usage_row(
            "add_raw",
            "sign -k k2.key --add --format raw a",
            "a file with several signatures must be PEM, not raw",
            "--format raw",
        ),
        usage_row(
            "add_raw",
            "sign -k k2.key --add -o x a",
            "this file is a raw signature, and a raw file can contain only one signature",
            "--to pem",
        )
        .how(RunMethod::After("$FNDSA sign -k k.key --format raw -f -o x a")),
        usage_row("add_to_stdout", "sign -k k2.key --add -o - a", "not to standard output", "name the signature file"),
        row(
            "signed_already",
            "sign -k k.key --add a",
            4,
            ": the file has a signature by this key already, according to its signature note",
            "--force",
        ),
    ]
}

/// Returns a directory with the FN-DSA key `k`, the ML-DSA key `m`, and the files `a` and `b`, each
/// signed by both keys.
fn directory_with_dual_signatures() -> TestDirectory {
    let directory = TestDirectory::ready();
    directory.run("keygen -a ml-dsa-44 m").code(0);
    directory.run("-q sign -k k.key -k m.key -f a").code(0).err_empty();
    directory.run("-q sign -k k.key -k m.key -f b").code(0).err_empty();
    directory
}

/// Splits a signature file into its signature blocks. Each part starts with the signature note.
fn split_blocks(file: &str) -> Vec<String> {
    let blocks: Vec<_> = file.split_inclusive("-----END").collect();
    let mut text = blocks.concat();
    let mut out = Vec::new();
    while let Some(offset) = text.find("-----END") {
        let end = offset + text[offset..].find('\n').unwrap() + 1;
        out.push(text[..end].to_owned());
        text = text[end..].to_owned();
    }
    out
}

/// The options for the public keys of [`directory_with_dual_signatures`].
const BOTH: &str = "-p k.pub -p m.pub";

/// Keys in variables sign like keys in files. The keys in files sign first.
#[test]
fn keys_in_variables_sign_together_with_other_keys() {
    let directory = TestDirectory::ready();
    let run_with_variables = |line: &str| {
        let call = directory.call(line).env("ONE", directory.text("k.key")).env("OTHER", directory.text("k2.key"));
        // The key in the file that FNDSA_KEY names signs only if no option names a key.
        call.env("FNDSA_KEY", "k3.key").run()
    };
    for line in [
        "sign -f --key-env ONE --key-env OTHER a",
        "sign -f -k k.key --key-env OTHER a",
        "sign -f --key-env OTHER -k k.key a",
        "sign -f --key-env OTHER -k k.key -M list --inline a",
    ] {
        run_with_variables(line).code(0);
        let signed_file = if line.contains("-M") { "-M list" } else { "a" };
        directory.run(&format!("verify -p k.pub -p k2.pub --require all {signed_file}")).code(0);
        let signed = directory.text(if line.contains("-M") { "list" } else { "a.sig" });
        let order: Vec<_> =
            signed.lines().filter_map(|line| line.split("fndsa signature ").nth(1)?.split(' ').next()).collect();
        assert_eq!(order, ["FN-DSA-512", "FN-DSA-1024"], "{line}");
    }
    directory.remove("a.sig");
    for (line, words) in [
        ("sign -k k.key --key-env ONE a", "is given twice"),
        ("sign --key-env OTHER --key-env OTHER a", "is given twice"),
        ("sign --key-env ONE --key-env NOT_SET a", "the variable NOT_SET is not set"),
        ("sign --key-env ONE --key-env OTHER --mu a", "takes one private key, but several are given"),
        ("pubkey --key-env ONE --key-env OTHER", "takes one private key, but several are given"),
        ("sign -p k.pub --key-env ONE --print-mu a", "cannot be used with"),
    ] {
        run_with_variables(line).code(2).err_has(words);
        assert!(!directory.has("a.sig"), "{line}");
    }
}

#[test]
fn both_signatures_are_in_a_file_and_each_verifies_alone() {
    let directory = directory_with_dual_signatures();
    assert_eq!(split_blocks(&directory.text("a.sig")).len(), 2);
    directory.run("verify -p k.pub a").code(0).out_has("a: OK (FN-DSA-512 sha256:").err_empty();
    directory.run("verify -p m.pub a").code(0).out_has("a: OK (ML-DSA-44 sha256:").err_empty();
    for require in ["", "--require 1", "--require 2", "--require all"] {
        directory.run(&format!("verify {BOTH} {require} a b")).code(0).out_has("a: OK").out_has("b: OK").err_empty();
    }
    let output = directory.run(&format!("verify {BOTH} --require all a")).code(0);
    assert!(output.out.contains("FN-DSA-512 sha256:") && output.out.contains("; ML-DSA-44 sha256:"), "{}", output.out);
    let document = directory.run(&format!("--json verify {BOTH} --require 2 a")).code(0).json();
    let result = &document["results"][0];
    assert_eq!(result["keys"].as_array().unwrap().len(), 2);
    assert_eq!(result["keys"][0]["fingerprint"], result["key"]["fingerprint"]);
    let signed = directory.run("--json sign -k k.key -k m.key -f a").code(0).json();
    assert_eq!(signed["results"][0]["keys"].as_array().unwrap().len(), 2);
}

#[test]
fn a_removed_signature_is_rejected_if_all_are_required() {
    let directory = directory_with_dual_signatures();
    let blocks = split_blocks(&directory.text("a.sig"));
    for (remaining_block, missing) in [(&blocks[0], "ML-DSA-44"), (&blocks[1], "FN-DSA-512")] {
        directory.put("s", remaining_block);
        // Without --require, a single valid signature is enough.
        directory.run(&format!("verify {BOTH} -s s a")).code(0);
        for require in ["2", "all"] {
            let output = directory.run(&format!("verify {BOTH} --require {require} -s s a")).code(1);
            let words = "a: FAILED (1 of 2 required keys has signed the file)";
            output.out_has(words).err_has(&format!("no signature by {missing} sha256:"));
        }
        let document = directory.run(&format!("--json verify {BOTH} --require all -s s a")).code(1).json();
        assert_eq!(document["results"][0]["reason"], "too_few_signatures");
        // A duplicate of the signature does not count, even if the text before the block differs.
        for twice in [
            remaining_block.repeat(2),
            format!(
                "{remaining_block}by somebody else\n{}",
                &remaining_block[remaining_block.find("-----").unwrap()..]
            ),
        ] {
            directory.put("s", twice);
            directory
                .run(&format!("verify {BOTH} --require all -s s a"))
                .code(1)
                .out_has("1 of 2 required keys has signed the file");
        }
    }
    // A signature for the file `b` does not count for the file `a`.
    let blocks_for_b = split_blocks(&directory.text("b.sig"));
    for mixed in [[&blocks[0], &blocks_for_b[1]], [&blocks_for_b[0], &blocks[1]]] {
        directory.put("s", mixed.map(|it| &it[..]).concat());
        directory
            .run(&format!("verify {BOTH} --require all -s s a"))
            .code(1)
            .out_has("1 of 2 required keys has signed the file");
        directory
            .run(&format!("verify {BOTH} --require all -s s b"))
            .code(1)
            .out_has("1 of 2 required keys has signed the file");
    }
    directory.put("s", [&blocks_for_b[0][..], &blocks_for_b[1]].concat());
    directory
        .run(&format!("verify {BOTH} --require all -s s a"))
        .code(1)
        .out_has("does not match the file and any of the keys");
}

#[test]
fn order_and_text_of_a_signature_file_are_ignored() {
    let directory = directory_with_dual_signatures();
    let blocks = split_blocks(&directory.text("a.sig"));
    let bare: Vec<_> = blocks.iter().map(|block| &block[block.find("-----").unwrap()..]).collect();
    for file in [
        format!("{}{}", blocks[1], blocks[0]),
        format!("{}{}", bare[0], bare[1]),
        format!("# one\n\n{}\n# two\n{}the end", bare[1], bare[0]),
        format!("{}{}", blocks[0], blocks[1]).replace('\n', "\r\n"),
        format!("{}-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n{}", blocks[0], blocks[1]),
        format!("{}{}-----BEGIN A NEW SIGNATURE-----\nAAAA\n-----END A NEW SIGNATURE-----\n", blocks[0], blocks[1]),
        format!("{}{}{}", blocks[0], split_blocks(&directory.text("b.sig"))[0], blocks[1]),
        format!("{}{}{}", blocks[0], blocks[0], blocks[1]),
    ] {
        directory.put("s", &file);
        let output = directory.run(&format!("verify {BOTH} --require all -s s a")).code(0).out_has("a: OK");
        assert_eq!(
            output.err.contains("is ignored"),
            file.contains("SSH SIGNATURE") || file.contains("NEW SIGNATURE"),
            "{}",
            output.err
        );
    }
    directory.run(&format!("verify {BOTH} -s s a")).code(0);
    let strange = "-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n";
    directory.put("s", format!("{}{strange}", blocks[0]));
    let document = directory.run("--json verify -p k.pub -s s a").code(0).json();
    assert_eq!(document["results"][0]["ignored"], json!(["an OpenSSH signature"]));
    directory.run("verify -p k.pub -s s a").code(0).err_has("note: s: an OpenSSH signature is ignored");
    directory
        .run(&format!("verify {BOTH} --require all -s s a"))
        .code(1)
        .out_has("1 of 2 required keys has signed the file");
    directory.put("s", strange.repeat(2));
    directory.run("verify -p k.pub -s s a").code(3).out_has("s, signature 1: this is an OpenSSH signature");
}

#[test]
fn a_key_counts_once_in_all_its_forms() {
    let directory = directory_with_dual_signatures();
    directory.run("pubkey -k k.key --format raw -o raw").code(0);
    directory.run("pubkey -k k.key --format spki -o spki").code(0);
    directory
        .run("verify -p k.pub -p raw -p spki --require 2 a")
        .code(2)
        .err_has("signatures by 2 keys are required, but only 1 key is given");
    directory.run("verify -p k.pub -p raw -p spki --require all a").code(0);
    // Falcon and FN-DSA-2024 use the same key bytes, and FN-DSA uses the same key with a different
    // bit order.
    directory.run("keygen -a falcon-512 x").code(0);
    directory.run("convert x.key --algorithm fn-dsa-2024-512 --to pem -o y.key").code(0);
    directory.run("convert x.key --algorithm fn-dsa-512 --to pem -o z.key").code(0);
    for key in ["y", "z"] {
        directory.run(&format!("pubkey -k {key}.key -o {key}.pub")).code(0);
    }
    directory.run("sign -k x.key -k y.key -k z.key -o s a").code(0);
    let keys = "-p x.pub -p y.pub -p z.pub";
    directory.run(&format!("verify {keys} --require 2 -s s a")).code(2).err_has("only 1 key is given");
    directory
        .run(&format!("verify {keys} -p m.pub --require 2 -s s a"))
        .code(1)
        .out_has("1 of 2 required keys has signed the file");
    directory.run("sign -k k.key -k k.key -o t a").code(2).err_has("is given twice");
    assert!(!directory.has("t"));
}

#[test]
fn a_signature_is_added() {
    let directory = directory_with_dual_signatures();
    directory.run("sign -k k.key -f a").code(0);
    directory.run("verify -p m.pub a").code(1);
    directory.run("-q sign -k m.key --add a").code(0).err_empty();
    directory.run(&format!("verify {BOTH} --require all a")).code(0);
    let original = directory.text("a.sig");
    directory
        .run("-q sign -k m.key --add a")
        .code(4)
        .err_has("a.sig: the file has a signature by this key already, according to its signature note");
    assert_eq!(directory.text("a.sig"), original);
    directory.run("sign -k m.key --add --force a").code(0);
    let after = directory.text("a.sig");
    assert!(
        split_blocks(&after).len() == 2 && after != original && split_blocks(&after)[0] == split_blocks(&original)[0]
    );
    directory.run(&format!("verify {BOTH} --require all a")).code(0);
    // `--add` does not change a block by someone else, even if its label is unknown.
    let of_k = split_blocks(&directory.text("b.sig")).swap_remove(0);
    for label in ["SSH SIGNATURE", "A NEW SIGNATURE"] {
        let strange = format!("theirs\n-----BEGIN {label}-----\nAAAA\n-----END {label}-----");
        directory.put("b.sig", format!("{of_k}{strange}"));
        directory.run("sign -k m.key --add b").code(0);
        assert!(directory.text("b.sig").contains(&format!("{strange}\nfndsa signature ML-DSA-44")));
        directory.run(&format!("verify {BOTH} --require all b")).code(0);
    }
    for (line, code, words) in [
        ("sign -k k2.key --add -o none a", 4, "none: no such file"),
        ("sign -k k2.key --add -o - a", 2, "not to standard output"),
        ("sign -k k2.key --add -o k.pub a", 3, "this is a public key, not a signature"),
        ("sign -k k2.key --add --format raw a", 2, "a file with several signatures must be PEM, not raw"),
    ] {
        directory.run(line).code(code).out_empty().err_has(words);
    }
    directory.run("sign -k k.key --format raw -o raw a").code(0);
    directory
        .run("sign -k m.key --add -o raw a")
        .code(2)
        .err_has("convert the signature to PEM first: `fndsa convert raw --to pem -o NEW.sig`");
}

#[test]
fn a_signature_added_by_another_process_is_not_lost() {
    let directory = directory_with_dual_signatures();
    directory.run("sign -k k.key -f a").code(0);
    // The program reads the signature file before it opens the message, which is a pipe.
    let line = "mkfifo p; $FNDSA sign -k m.key --add -o a.sig p & exec 5>p; cp b.sig n; mv n a.sig; echo a >&5; exec 5>&-; wait $!";
    directory.sh(line).code(4).err_has("check the content of the file, and try again");
    assert_eq!(directory.text("a.sig"), directory.text("b.sig"));
}

#[test]
fn options_for_one_key_reject_several_keys() {
    let directory = directory_with_dual_signatures();
    for line in ["pubkey -k k.key -k m.key", "sign -k k.key -k m.key --print-mu a", "sign -k k.key -k m.key --stream"] {
        directory.run(line).code(2).err_has("takes one private key, but several are given");
    }
    directory
        .run("sign -k k.key -k m.key --format raw -f a")
        .code(2)
        .err_has("--format raw takes one private key, but several are given");
    directory.put("mu", [7; 64]);
    directory
        .run("sign -k k.key -k m.key --mu mu")
        .code(2)
        .err_has("--mu takes one private key, but several are given");
    directory.run("keygen -a falcon-512 f").code(0);
    directory.run("sign -k k.key -k f.key -c x -f a").code(2).err_has("signatures of Falcon have no context");
    for require in ["0", "65", "-1", "any", ""] {
        directory.run("verify").code(2);
        directory
            .call("verify -p k.pub a")
            .arg(format!("--require={require}"))
            .run()
            .code(2)
            .err_has("a number from 1 to 64, or all");
    }
}

#[test]
fn all_kinds_of_input_can_have_several_signatures() {
    let directory = directory_with_dual_signatures();
    directory.sh("cat a | $FNDSA sign -k k.key -k m.key - >s").code(0);
    directory.run(&format!("verify {BOTH} --require all -s s a")).code(0);
    directory.run("keygen -a falcon-512 f").code(0);
    directory.sh("cat a | $FNDSA sign -k k.key -k m.key -k f.key -f -o s -").code(0);
    directory.run(&format!("verify {BOTH} -p f.pub --require 3 -s s a")).code(0);
    directory
        .run(&format!("verify {BOTH} -p f.pub -p k2.pub --require all -s s a"))
        .code(1)
        .out_has("3 of 4 required keys have signed the file");
    directory.run("sign -k k.key -k m.key -c v1 --prehash sha512 -f -o s a").code(0);
    directory.run(&format!("verify {BOTH} --require all -c v1 --prehash sha512 -s s a")).code(0);
    directory.run(&format!("verify {BOTH} --require all -c v2 --prehash sha512 -s s a")).code(1);

    directory.run("sign -k k.key -k m.key -M list a b").code(0);
    directory.run(&format!("verify {BOTH} --require all -M list")).code(0).out_has("list: OK").out_has("b: OK");
    directory.put("list.sig", &split_blocks(&directory.text("list.sig"))[1]);
    directory
        .run(&format!("verify {BOTH} --require all -M list"))
        .code(1)
        .out_has("1 of 2 required keys has signed the file");

    let request = |sig: &str| json!({ "path": "a", "signature_b64": STANDARD.encode(sig) }).to_string() + "\n";
    let signatures = directory.text("a.sig");
    let input =
        request(&signatures) + &request(&split_blocks(&signatures)[0]) + &request(&format!("{signatures}{signatures}"));
    let output = directory.call(&format!("verify {BOTH} --require all --stream")).input(input).run().code(1);
    let answers: Vec<serde_json::Value> = output.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.iter().map(|it| it["exit_code"].as_u64().unwrap()).collect::<Vec<_>>(), [0, 1, 0]);
    assert_eq!(answers[0]["keys"].as_array().unwrap().len(), 2);
}

#[test]
fn a_file_with_too_many_signatures_is_rejected() {
    let directory = TestDirectory::toy();
    let signature = directory.text("a.sig");
    directory.put("s", signature.repeat(64));
    directory.run("--allow-weak verify -p k.pub -s s a").code(0);
    directory.put("s", signature.repeat(65));
    directory
        .run("--allow-weak verify -p k.pub -s s a")
        .code(3)
        .out_has("the file has 65 signatures, and at most 64 are allowed");
    directory.put("s", "-----BEGIN X-----\n-----END X-----\n".repeat(1500));
    directory.run("--allow-weak verify -p k.pub -s s a").code(3).out_has("1500 signatures");
    directory.put("s", signature.repeat(10_000));
    directory
        .run("--allow-weak verify -p k.pub -s s a")
        .code(3)
        .out_has("the file is too large: a signature file has at most ");
}

#[test]
fn no_mutation_of_a_dual_signature_is_accepted() {
    assert_mutants_rejected(&directory_with_dual_signatures(), &format!("verify {BOTH} --require all"));
}

/// Checks that 1,000 random mutants of a.sig are rejected. A mutant has a change in the base64
/// text, in the first or the second block. `verify` is the start of a command line that requires
/// both signatures.
pub fn assert_mutants_rejected(directory: &TestDirectory, verify: &str) {
    let original_blocks = split_blocks(&directory.text("a.sig"));
    let mut random = SplitMixRng(19);
    let mut input = String::new();
    let digits: Vec<char> = ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(['+', '/']).collect();
    for i in 0..1000 {
        let mut mutant = original_blocks.clone();
        let block = i % 2;
        let text = &mut mutant[block];
        let begin = text.find("-----\n").unwrap() + 6;
        let end = text.find("-----END").unwrap();
        let offset = begin + random.below(end - begin - 1);
        match random.below(4) {
            0 | 1 => {
                let new = digits[random.below(64)];
                if text[offset..].starts_with(new) || text[offset..].starts_with('\n') {
                    text.replace_range(offset..end, "");
                } else {
                    text.replace_range(offset..offset + 1, new.encode_utf8(&mut [0; 4]));
                }
            }
            2 => text.replace_range(offset - offset.min(begin + 1) + begin..offset + 1, ""),
            _ => text.insert(offset, digits[random.below(64)]),
        }
        assert_ne!(body(text), body(&original_blocks[block]));
        let file = STANDARD.encode(mutant.concat());
        input += &(json!({ "path": "a", "signature_b64": file }).to_string() + "\n");
    }
    let output = directory.call(&format!("{verify} --stream")).input(input).run();
    let answers: Vec<serde_json::Value> = output.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 1000);
    let passed = answers.iter().filter(|answer| answer["status"] == "ok").count();
    assert_eq!(passed, 0);
    assert!(answers.iter().any(|answer| answer["reason"] == "too_few_signatures"));
}
