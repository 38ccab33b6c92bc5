//! Tests for many public keys in a file or in a directory. With `FNDSA_LONG=1`, there are 100,000
//! keys:
//!
//! ```text
//! FNDSA_LONG=1 cargo test --release --all-features --test cli among_100_000 -- --nocapture
//! ```

use crate::harness::{SplitMixRng, TestDirectory, long};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::fmt::Write;
use std::time::Instant;

/// Returns a random FN-DSA-512 public key without a private key: 512 numbers modulo 12289, 14 bits
/// each, least significant bit first.
fn random_public_key(random: &mut SplitMixRng) -> String {
    let mut bytes = vec![9];
    let (mut bits, mut held) = (0u64, 0);
    for _ in 0..512 {
        bits |= (random.below(12289) as u64) << held;
        held += 14;
        while held >= 8 {
            bytes.push(bits as u8);
            bits >>= 8;
            held -= 8;
        }
    }
    let mut text = "-----BEGIN FNDSA PUBLIC KEY-----\n".to_owned();
    for line in STANDARD.encode(bytes).as_bytes().chunks(64) {
        writeln!(text, "{}", str::from_utf8(line).unwrap()).unwrap();
    }
    text + "-----END FNDSA PUBLIC KEY-----\n"
}

/// fndsa finds the signing key among many keys in a file or in a directory. If a key in the file is
/// damaged, the error contains the number of the key. A revocation applies to the key in all its
/// forms.
#[test]
fn a_key_is_found_among_100_000_keys() {
    let key_count = if long() { 100_000 } else { 1_000 };
    let directory = TestDirectory::ready();
    directory.run("convert k.pub --algorithm falcon-512 --to pem -o twin.pub").code(0);
    let mut random = SplitMixRng(5);
    let mut key_texts: Vec<_> = (0..key_count).map(|_| random_public_key(&mut random)).collect();
    let (k, falcon_key) = (directory.text("k.pub"), directory.text("twin.pub"));
    let run_timed = |what: &str, line: &str| {
        let began = Instant::now();
        let output = directory.run(line);
        println!("{key_count} keys, {what}: {} ms", began.elapsed().as_millis());
        output
    };
    directory.put("strangers", key_texts.concat());
    run_timed("none of which has signed", "verify --trusted-keys strangers a").code(1).out_has("any of the keys");
    std::fs::create_dir(directory.path("d")).unwrap();
    key_texts.iter().enumerate().for_each(|(i, key)| directory.put(format!("d/{i}.pub"), key));
    key_texts.insert(key_count / 2, k.clone());
    directory.put("keys", key_texts.concat());
    run_timed("in one file", "verify --trusted-keys keys a").code(0).out_has("a: OK (FN-DSA-512 sha256:");
    directory.put("d/k.pub", &k);
    run_timed("in a directory", "verify --trusted-keys d a").code(0).out_has("a: OK (FN-DSA-512 sha256:");
    // fndsa also finds the key if the signature has no signature note.
    let signed = directory.text("a.sig");
    directory.put("nameless.sig", signed.split_once('\n').unwrap().1);
    directory.run("verify --trusted-keys keys -s nameless.sig a").code(0);
    // The last key in the file is the signing key as a Falcon key, after a key line that revokes
    // it.
    directory.put("revoked", format!("{}revoked: stolen\n{falcon_key}", key_texts.concat()));
    directory.run("verify --trusted-keys revoked a").code(1).out_has("which is revoked: stolen");
    directory.put("d/twin.pub", format!("revoked: stolen\n{falcon_key}"));
    directory.run("verify --trusted-keys d a").code(1).out_has("which is revoked: stolen");
    let output = directory.run("verify --trusted-keys /dev/zero a").code(3);
    output.err_has("/dev/zero: the file is too large (limit 256 MiB)").err_has("several files in a directory");
    // A key that did not sign the file is damaged: 14 bits encode a number that is not below 12289.
    let position = key_count - 3;
    let (front, back) = key_texts[position].split_at(key_texts[position].find('\n').unwrap() + 3);
    let damaged = format!("{front}////{}", &back[4..]);
    key_texts[position] = damaged.clone();
    directory.put("keys", key_texts.concat());
    let words = format!("keys, key {}: this is not a valid public key: a coefficient is out of range", position + 1);
    directory.run("verify --trusted-keys keys a").code(3).err_has(&words);
    directory.remove("d/twin.pub");
    directory.put("d/7.pub", damaged);
    directory
        .run("verify --trusted-keys d a")
        .code(3)
        .err_has("d/7.pub: this is not a valid public key: a coefficient is out of range");
}

#[test]
fn any_trusted_key_may_match() {
    let directory = TestDirectory::ready();
    let (k, k2) = (directory.text("k.pub"), directory.text("k2.pub"));
    for keys in [
        format!("{k}{k2}"),
        format!("# ours\n\n{k2}\n# and theirs\n{k}# the end"),
        format!("{k2}{k}").replace('\n', "\r\n"),
        format!("\u{feff}{k}"),
        format!("{}{k}", "# a comment\n".repeat(20_000)),
        k2.trim_end().to_owned() + "\n" + k.trim_end(),
    ] {
        directory.put("keys", keys);
        directory.run("verify --trusted-keys keys a").code(0).out_has("a: OK (FN-DSA-512 sha256:").err_empty();
    }
    directory.sh("cat k2.pub k.pub | $FNDSA verify --trusted-keys - a").code(0);
    directory.put("keys", &k2);
    directory
        .run("verify --trusted-keys keys a")
        .code(1)
        .out_has("the signature is FN-DSA-512, but the key is FN-DSA-1024");
    directory.run("pubkey -k k.key --format raw -o raw").code(0);
    directory.run("verify --trusted-keys raw a").code(0);
    directory.run("verify --trusted-keys keys -p k.pub a").code(2).out_empty();
    // The option has priority over the variable.
    directory.call("verify --trusted-keys keys a").env("FNDSA_PUBLIC_KEY", "k.pub").run().code(1);
}

#[test]
fn a_key_counts_once() {
    let directory = TestDirectory::ready();
    let k = directory.text("k.pub");
    directory.put("keys", k.repeat(3));
    directory.run("verify --trusted-keys keys a").code(0);
    // If there were two keys, the message would end with "any of the keys".
    directory.run("verify --trusted-keys keys -s a.sig b").code(1).out_has("does not match the file and the key)");
    directory.run("verify -p k.pub -p k.pub -s a.sig b").code(1).out_has("does not match the file and the key)");
}

/// With many keys, fndsa first tries the key in the signature note. If the note names a different
/// key or is missing, the verdict does not change.
#[test]
fn the_signature_note_does_not_decide_among_many_keys() {
    let directory = TestDirectory::ready();
    std::fs::create_dir(directory.path("trusted")).unwrap();
    directory.run("keygen -q -n 12 trusted/t").code(0);
    let verify = |file: &str| directory.run(&format!("verify --trusted-keys trusted {file}"));
    let fingerprint =
        |output: &crate::harness::ProgramOutput| output.out.rsplit_once("sha256:").unwrap().1.trim_end().to_owned();
    let mut names = Vec::new();
    for i in [1, 7, 12] {
        directory.run(&format!("sign -k trusted/t-{i}.key -f a")).code(0);
        names.push(fingerprint(&verify("a").code(0).out_has("a: OK (FN-DSA-512 sha256:")));
        let signed = directory.text("a.sig");
        let (line, block) = signed.split_once('\n').unwrap();
        assert!(line.contains(names.last().unwrap().trim_end_matches(')')), "{line}");
        let other = line.replace(names.last().unwrap().trim_end_matches(')'), names[0].trim_end_matches(')'));
        for note in [format!("{other}\n"), String::new(), format!("{}\n", "x".repeat(2000))] {
            directory.put("a.sig", format!("{note}{block}"));
            verify("a").code(0).out_has(names.last().unwrap());
            directory.sh("cat a | $FNDSA verify --trusted-keys trusted -s a.sig -").code(0);
            directory
                .run("verify --trusted-keys trusted --require 2 a")
                .code(1)
                .out_has("1 of 2 required keys has signed the file");
        }
        // The signature note names the right key, but the signature belongs to a different file.
        directory.put("b.sig", &signed);
        verify("b").code(1).out_has("does not match the file and any of the keys");
    }
    directory.run("sign -k trusted/t-1.key -k trusted/t-2.key -f a").code(0);
    let signatures = directory.text("a.sig");
    directory.run("verify --trusted-keys trusted --require 2 a").code(0);
    // Change the note of the second signature, so that it names the key of the first signature.
    let first = signatures.split_once('\n').unwrap().0.to_owned();
    let second = signatures[1..].find("fndsa signature").unwrap() + 1;
    let end = second + signatures[second..].find('\n').unwrap();
    directory.put("a.sig", format!("{}{first}{}", &signatures[..second], &signatures[end..]));
    directory.run("verify --trusted-keys trusted --require 2 a").code(0);
    directory.put("a.sig", signatures[..second].repeat(2));
    directory
        .run("verify --trusted-keys trusted --require 2 a")
        .code(1)
        .out_has("1 of 2 required keys has signed the file");
}

#[test]
fn a_key_in_two_schemes_is_two_keys() {
    let directory = TestDirectory::ready();
    directory.run("keygen -a falcon-512 f").code(0);
    for (key, made) in [("f.key", "p.key"), ("f.pub", "p.pub")] {
        directory.run(&format!("convert {key} --algorithm fn-dsa-2024-512 --to pem -o {made}")).code(0);
    }
    directory.run("sign -k p.key -o s a").code(0);
    directory.run("verify -p f.pub -s s a").code(1);
    directory.run("verify -p f.pub -p p.pub -s s a").code(0).out_has("a: OK (FN-DSA-2024-512");
}

#[test]
fn a_bad_key_makes_the_whole_file_an_error() {
    let directory = TestDirectory::ready();
    let (k, k2) = (directory.text("k.pub"), directory.text("k2.pub"));
    let cut = k2.lines().take(5).map(|line| format!("{line}\n")).collect::<String>();
    for (keys, words) in [
        (format!("{k}{}", directory.text("k.key")), "key 2: this is a private key"),
        (format!("{k}{}", directory.text("a.sig")), "key 2: this is a signature"),
        (format!("{cut}{k}"), "key 1: the END line is missing"),
        (format!("{k}{cut}"), "key 2: the END line is missing"),
        (
            format!("{k}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"),
            "key 2: an X.509 certificate that cannot be read",
        ),
        (String::new(), "the file is empty"),
        ("no key\n".to_owned(), "this is not a public key, but 7 bytes of text"),
    ] {
        directory.put("keys", &keys);
        let output = directory.run("verify --trusted-keys keys a").code(3).out_empty();
        assert!(output.err.contains(words) && output.err.contains("hint: "), "{words}: {}", output.err);
    }
    let secret = crate::harness::body(&directory.text("k.key"));
    directory.put("keys", format!("{k}{}", directory.text("k.key")));
    let output =
        directory.run("verify --trusted-keys keys a").err_has("`fndsa pubkey FILE -o NAME.pub` writes the public key");
    assert!(!output.err.contains(&secret[..40]));
}

#[test]
fn a_file_with_two_keys_is_not_a_public_key() {
    let directory = TestDirectory::ready();
    directory.put("keys", directory.text("k.pub") + &directory.text("k2.pub"));
    directory
        .run("verify -p keys a")
        .code(3)
        .out_empty()
        .err_has("the file has 2 PEM blocks, and only one can be used here")
        .err_has("--trusted-keys");
}

/// `inspect` reports all blocks in a file, so that users can see the keys after a key rotation.
#[test]
fn every_block_of_a_file_is_checked() {
    let directory = TestDirectory::ready();
    let (k, k2) = (directory.text("k.pub"), directory.text("k2.pub"));
    directory.put("keys", format!("# old\n{k}\n# new\n{k2}"));
    let output = directory.run("inspect keys k.pub").code(0).err_empty();
    let starts: Vec<_> = output.out.lines().map(|line| line.split(" public key").next().unwrap()).collect();
    assert_eq!(starts, ["keys, block 1: FN-DSA-512", "keys, block 2: FN-DSA-1024", "k.pub: FN-DSA-512"]);
    let json = directory.run("--json inspect keys k.pub").code(0).json();
    let blocks: Vec<_> = json["results"].as_array().unwrap().iter().map(|it| (&it["path"], &it["block"])).collect();
    assert_eq!(blocks, [(&"keys".into(), &1.into()), (&"keys".into(), &2.into()), (&"k.pub".into(), &Value::Null)]);
    assert_eq!(json["results"][0]["key"], json["results"][2]["key"]);
    // The error for a damaged block contains the block's number. `inspect` still reports the
    // remaining blocks.
    directory.put("keys", format!("{k}{}{k2}", k.replace("-----END", "*\n-----END")));
    let output = directory.run("inspect keys").code(3).err_has("error: keys, block 2: ");
    assert_eq!(output.out.lines().count(), 2, "{output:?}");
    // A file with several keys may be larger than the limit for a single key. fndsa rejects a
    // single block that is larger than this limit.
    directory.put("keys", k.repeat(60));
    assert_eq!(directory.run("inspect keys").code(0).out.lines().count(), 60);
    directory.put("keys", k.replace('\n', &"\n".repeat(70_000)));
    directory.run("inspect keys").code(3).out_empty().err_has("the file is too large: a key");
    // A key pair in a single file is also found.
    directory.put("pair", directory.text("k.key") + &k);
    directory.run("inspect pair").code(0).out_has("pair, block 1 and pair, block 2: a key pair");
}

#[test]
fn the_expected_key_can_be_one_of_several() {
    let directory = TestDirectory::ready();
    let fingerprint = |file: &str| {
        let text = directory.run(&format!("inspect {file}")).code(0).out;
        let offset = text.find("sha256:").unwrap();
        text[offset..offset + 71].to_owned()
    };
    let (k, k2) = (fingerprint("k.pub"), fingerprint("k2.pub"));
    directory.put("keys", directory.text("k.pub") + &directory.text("k2.pub"));
    let run = |line: String| directory.run(&format!("verify --trusted-keys keys {line} a"));
    run(format!("--expect-key {k}")).code(0);
    run(format!("--expect-key {k2} --expect-key {k}")).code(0);
    run(format!("--expect-key {k2}")).code(1);
    run(format!("--expect-key sha256:{}", "0".repeat(64))).code(1).out_has("fingerprint");
    // fndsa warns if a key that the user gives with -p does not count. It prints no warning for a
    // file of trusted keys, which can contain keys of several signers.
    let warning = format!(
        "warning: k2.pub: this key does not count, because it is not expected; to expect it, add --expect-key {k2}"
    );
    directory.run(&format!("verify -p k.pub -p k2.pub --require all --expect-key {k} a")).code(0).err_has(&warning);
    directory.run(&format!("verify --trusted-keys keys --expect-key {k} a")).code(0).err_empty();
    directory.run(&format!("verify -p k.pub --expect-key {k} a")).code(0).err_empty();
}

/// All expected keys must be given, for all ways to pass keys and signatures. Otherwise, an
/// attacker with one stolen private key and access to the server could replace the public key file
/// of the second key.
#[test]
fn each_expected_key_must_be_given() {
    let directory = TestDirectory::ready();
    let fingerprint = |file: &str| {
        let text = directory.run(&format!("inspect {file}")).code(0).out;
        let offset = text.find("sha256:").unwrap();
        text[offset..offset + 71].to_owned()
    };
    directory.run("keygen -a ml-dsa-44 m").code(0);
    let pins = format!("--expect-key {} --expect-key {}", fingerprint("k.pub"), fingerprint("m.pub"));
    std::fs::create_dir_all(directory.path("good")).unwrap();
    std::fs::create_dir_all(directory.path("bad")).unwrap();
    for (name, keys) in [("good", ["k.pub", "m.pub"]), ("bad", ["k.pub", "k2.pub"])] {
        keys.iter().for_each(|key| directory.put(format!("{name}/{key}"), directory.text(key)));
        directory.put(format!("{name}.pem"), keys.map(|key| directory.text(key)).concat());
    }
    // A row has three commands: the first signs with k, the second signs with both keys, and the
    // third verifies.
    directory.put("t.json", "{}");
    let ways = [
        ("sign -f -k k.key a", "sign -f -k k.key -k m.key a", "verify {} a"),
        ("sign -f -k k.key a", "sign -f -k k.key -k m.key a", "verify {} -s a.sig - <a"),
        ("sign -f -k k.key -M L a", "sign -f -k k.key -k m.key -M L a", "verify {} -M L"),
        ("sign -f -k k.key -M I --inline a", "sign -f -k k.key -k m.key -M I --inline a", "verify {} -M I"),
        (
            "sign -f -k k.key --dsse T t.json",
            "sign -f -k k.key -k m.key --dsse T t.json",
            "verify {} --dsse T t.json.dsse",
        ),
        ("sign -f -k k.key a", "sign -f -k k.key -k m.key a", "verify {} --stream <request"),
    ];
    directory.put("request", "{\"path\":\"a\"}\n");
    for (sign_with_one, sign_with_both, verify) in ways {
        let run_verify = |keys: &str, options: &str| {
            let line = verify.replace("{}", &format!("{keys} {options}"));
            directory.sh(&format!("$FNDSA {line}"))
        };
        let sources = |trust_set: &str| {
            let second = if trust_set == "good" { "m.pub" } else { "k2.pub" };
            [
                format!("-p k.pub -p {second}"),
                format!("--trusted-keys {trust_set}.pem"),
                format!("--trusted-keys {trust_set}"),
            ]
        };
        directory.run(sign_with_both).code(0);
        for keys in sources("good") {
            run_verify(&keys, &format!("--require all {pins}")).code(0);
            run_verify(&keys, &pins).code(0);
        }
        for keys in sources("bad") {
            for options in [format!("--require all {pins}"), pins.clone(), format!("--require 1 {pins}")] {
                let output = run_verify(&keys, &options);
                assert_eq!(output.code, 1, "{verify} {keys} {options}: {}", output.out);
                assert!(
                    output.out.contains("unexpected_key") || output.out.contains(&fingerprint("m.pub")),
                    "{}",
                    output.out
                );
            }
        }
        directory.run(sign_with_one).code(0);
        for keys in sources("good") {
            // With `--require all`, all expected keys must sign.
            run_verify(&keys, &format!("--require all {pins}")).code(1);
            run_verify(&keys, &pins).code(0);
            run_verify(&keys, &format!("--require all --expect-key {}", fingerprint("k.pub"))).code(0);
        }
    }
    directory.run(ways[0].0).code(0);
    directory
        .call(&format!("verify {pins} a"))
        .env("FNDSA_PUBLIC_KEY", "k.pub")
        .run()
        .code(1)
        .out_has(&fingerprint("m.pub"));
}

#[test]
fn all_keys_in_a_directory_are_trusted() {
    let directory = TestDirectory::ready();
    std::fs::create_dir(directory.path("trusted")).unwrap();
    directory.run("verify --trusted-keys trusted a").code(4).err_has("the directory has no files named *.pub");
    directory.put("trusted/one.pub", directory.text("k2.pub"));
    directory.put("trusted/two.pub", format!("name: two\n{}", directory.text("k.pub")));
    directory.put("trusted/k.key", directory.text("k.key"));
    directory.run("verify --trusted-keys trusted a").code(0).out_has("a: OK (two, FN-DSA-512");
    directory.run("sign -k k2.key -f a").code(0);
    directory.run("verify --trusted-keys trusted a").code(0).out_has("a: OK (FN-DSA-1024");
    directory.run("verify --trusted-keys trusted --require all a").code(1).err_has("no signature by two, FN-DSA-512");
    directory.put("trusted/three.pub", "no key");
    directory
        .run("verify --trusted-keys trusted a")
        .code(3)
        .err_has("trusted/three.pub: this is not a public key, but 6 bytes of text");
}

/// In a directory of trusted keys, fndsa reads only the files `*.pub`. A public key in a file with
/// a different name is an error, because the file may contain a key line that revokes a key. fndsa
/// ignores files without a public key.
#[test]
fn a_key_that_is_not_read_in_a_directory_is_an_error() {
    let directory = TestDirectory::ready();
    for name in ["d", "d/sub", "d/empty"] {
        std::fs::create_dir(directory.path(name)).unwrap();
    }
    let key = directory.text("k.pub");
    directory.put("d/k.pub", &key);
    for other_file in ["k.key", "a.sig", "a"] {
        directory.put(format!("d/{other_file}"), directory.get(other_file));
    }
    directory.put("d/README", "The program contains the text -----BEGIN FNDSA PUBLIC KEY-----.\n");
    directory.run("verify --trusted-keys d a").code(0).out_has("a: OK");
    let raw = directory.path("d/k.raw");
    directory.run(&format!("convert k.pub --to raw -o {}", raw.display())).code(0);
    directory.run("verify --trusted-keys d a").code(4).err_has("d/k.raw: this file contains a public key");
    directory.remove("d/k.raw");
    let revoked = format!("revoked: stolen\n{key}");
    for name in ["revoked.pem", "k.PUB", "k.pub.txt", "k.pub.asc", "k.pub~", "INSTALL", ".k.pub.swp", "sub/k.pub"] {
        directory.put(format!("d/{name}"), &revoked);
        let output = directory.run("verify --trusted-keys d a").code(4).err_has(&format!("d/{name}"));
        output
            .err_has(": this file contains a public key, but fndsa reads only the files *.pub directly in d")
            .err_has("rename the file to NAME.pub");
        directory.remove(format!("d/{name}"));
    }
    // fndsa also finds the public key after text, and among several keys.
    directory.put("d/keys", format!("{}# old keys\n{revoked}", directory.text("k2.pub")));
    directory.run("--json verify --trusted-keys d a").code(4).out_has("\"key_not_read\"");
    directory.remove("d/keys");
    directory.run("verify --trusted-keys d a").code(0);
}

/// If all keys must sign, a public key among the files to verify is an error, because the user
/// probably forgot `-p`. In all other cases, a public key can be verified like any file.
#[test]
fn a_key_without_its_option_is_an_error_if_all_keys_must_sign() {
    let directory = TestDirectory::ready();
    directory.run("sign -k k.key k2.pub").code(0);
    directory.run("sign -k k.key -M list a k2.pub").code(0);
    let verify = |line: &str| directory.run(&format!("verify {line}"));
    for line in
        ["k2.pub --require all a", "--require all a k2.pub", "k2.pub --require all", "-M list --require all k2.pub a"]
    {
        let output = verify(&format!("-p k.pub {line}")).code(2);
        output.err_has("k2.pub: this is a public key, and it is given as a file to verify, not as a trusted key");
        verify(&format!("--trusted-keys k.pub {line}")).code(2);
        directory.call(&format!("verify {line}")).env("FNDSA_PUBLIC_KEY", "k.pub").run().code(2);
    }
    verify("-p k.pub k2.pub").code(0).out_has("k2.pub: OK");
    verify("-p k.pub k2.pub a").code(0).out_has("a: OK");
    verify("-p k.pub -M list k2.pub").code(0);
    verify("-p k.pub --require all -M list").code(0);
    verify("-p k.pub --require all a").code(0);
    let document = directory.run("--json inspect k.pub").code(0).json();
    let fingerprint = document["results"][0]["key"]["fingerprint"].as_str().unwrap().to_owned();
    verify(&format!("-p k.pub --require all --expect-key {fingerprint} k2.pub a")).code(0);
    // All old keys can sign a new public key.
    directory.run("keygen n").code(0);
    directory.run("sign -k k.key -k k2.key n.pub").code(0);
    verify("-p k.pub -p k2.pub --require all n.pub").code(0).out_has("n.pub: OK");
    verify("-p k.pub -p k2.pub --require all n.pub a").code(2);
    // Here, `--expect-key` also names a key that is not given as a public key file.
    let other = format!("sha256:{}", "0".repeat(64));
    let output = verify(&format!("-p k.pub --expect-key {fingerprint} --expect-key {other} a")).code(1);
    output.err_has("also give the public key file that has this fingerprint");
    let output = verify(&format!("-p k.pub -p k2.pub --require 2 --expect-key {fingerprint} a")).code(2);
    output
        .err_has("signatures by 2 keys are required, but only 1 key is expected (--expect-key)")
        .err_has("give the fingerprints of more signers");
}
