//! Tests for Ed25519: fndsa and OpenSSL accept the same keys. A dual signature (a file with an
//! FN-DSA and an Ed25519 signature) stays secure if only one algorithm is broken.

use crate::harness::{TestDirectory, have, skip};
use crate::messages::{MessageCase, RunMethod, row};
use crate::several;

/// Returns the rows about Ed25519 for the message catalogue in `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    let usage_row = |reason, line: &str, words, hint| {
        row(reason, line, 2, words, hint).how(RunMethod::After("$FNDSA keygen -q -a ed25519 e"))
    };
    vec![
        row(
            "dual_of_one",
            "keygen --dual -a ed25519 n",
            2,
            "--dual makes an Ed25519 key pair and a key pair of another algorithm, so -a cannot be ed25519 or end in -ed25519",
            "another algorithm",
        ),
        usage_row(
            "no_such_prehash",
            "sign --prehash sha256 -k e.key b",
            "Ed25519 does not support the pre-hash sha256",
            "choose the pre-hash sha512, or leave --prehash out",
        ),
        row(
            "no_such_form",
            "keygen -a ed25519 --format raw n",
            2,
            "cannot be read again, because private and public keys both have 32 bytes",
            "",
        ),
    ]
}

/// Returns a directory with the FN-DSA key `d`, the Ed25519 key `d-ed25519`, and the file `a` with
/// a dual signature.
fn directory_with_dual_signature() -> TestDirectory {
    let directory = TestDirectory::ready();
    directory.run("keygen --dual d").code(0);
    directory.run("-q sign -k d.key -k d-ed25519.key -f a").code(0).err_empty();
    directory
}

/// The start of a command that requires both signatures.
const BOTH: &str = "verify -p d.pub -p d-ed25519.pub --require all";

/// Splits a signature file into its two blocks.
fn split_blocks(file: &str) -> [String; 2] {
    let offset = file.find("fndsa signature Ed25519").unwrap();
    [file[..offset].to_owned(), file[offset..].to_owned()]
}

#[test]
fn a_dual_key_pair_is_written_completely_or_not_at_all() {
    let directory = TestDirectory::empty();
    directory.put("a", "a message");
    let output = directory.run("keygen --dual d").code(0);
    let line = "sign -k d.key -k d-ed25519.key FILE";
    let last = "verify -p d.pub -p d-ed25519.pub --require all FILE";
    output
        .err_has("fingerprint  FN-DSA-512 sha256:")
        .err_has("fingerprint  Ed25519 sha256:")
        .err_has(line)
        .err_has(last);
    assert_eq!((directory.mode("d.key"), directory.mode("d-ed25519.key")), (0o600, 0o600));
    // The commands that `keygen` prints work.
    directory.run(&line.replace("FILE", "a")).code(0);
    directory.run(&last.replace("FILE", "a")).code(0).out_has("FN-DSA-512 sha256:").out_has("Ed25519 sha256:");
    for taken in ["n.key", "n.pub", "n-ed25519.key", "n-ed25519.pub"] {
        directory.put(taken, "of somebody else");
        let names_before = directory.names();
        directory.run("keygen --dual n").code(4).err_has(taken);
        assert_eq!(directory.names(), names_before);
        directory.remove(taken);
    }
    directory.run("keygen --dual d").code(4);
    directory.run(&last.replace("FILE", "a")).code(0);
    directory.run("keygen --dual --force -a ml-dsa-44 d").code(0);
    directory.run(&last.replace("FILE", "a")).code(1);
    directory.run("-q sign -k d.key -k d-ed25519.key -f a").code(0);
    directory.run(&last.replace("FILE", "a")).code(0).out_has("ML-DSA-44 sha256:");
    let document = directory.run("--json keygen --dual j").code(0).json();
    let member = |i: usize, name: &str| document["results"][i][name].as_str().unwrap().to_owned();
    assert_eq!(
        (member(0, "algorithm"), member(0, "path"), member(0, "public_key")),
        ("FN-DSA-512".into(), "j.key".into(), "j.pub".into())
    );
    assert_eq!((member(1, "algorithm"), member(1, "path")), ("Ed25519".into(), "j-ed25519.key".into()));
    for line in ["keygen --dual -o x", "keygen --dual -n 2 x", "keygen --dual -a ed25519 x"] {
        directory.run(line).code(2);
    }
    assert!(!directory.has("x.key"));
}

#[test]
fn openssl_and_fndsa_read_the_keys_of_each_other() {
    if !have("openssl") {
        return skip("keys of OpenSSL", "there is no openssl");
    }
    let directory = TestDirectory::ready();
    directory.run("keygen -a ed25519 e").code(0);
    directory.sh("openssl pkey -in e.key -pubout -out e.openssl && cmp e.openssl e.pub").code(0);
    directory.sh("openssl pkey -in e.key -outform DER -out e.der").code(0);
    directory.run("convert e.key -o e2.der --to pkcs8-der").code(0);
    assert_eq!(directory.get("e.der"), directory.get("e2.der"));
    directory
        .sh("openssl genpkey -algorithm ed25519 -out o.key && openssl pkey -in o.key -pubout -out o.openssl")
        .code(0);
    directory.run("pubkey -k o.key -o o.pub").code(0);
    assert_eq!(directory.get("o.pub"), directory.get("o.openssl"));
    directory.run("sign -k o.key -o s a").code(0);
    directory.run("verify -p o.openssl -s s a").code(0).out_has("a: OK (Ed25519 sha256:");
    // fndsa and OpenSSL can also read each other's encrypted keys.
    directory.put("pw", "correct horse\n");
    directory.run("keygen -a ed25519 --encrypt --password-file pw p").code(0);
    directory.sh("openssl pkey -in p.key -passin file:pw -pubout | cmp - p.pub").code(0);
    directory.sh("openssl pkcs8 -topk8 -scrypt -in o.key -passout file:pw -out q.key").code(0);
    directory.run("sign -k q.key --password-file pw -o t a").code(0);
    directory.run("verify -p o.pub -s t a").code(0);
    // fndsa uses the public key in a certificate.
    directory.sh("openssl req -x509 -key o.key -subj /CN=a -out c.pem").code(0);
    directory.run("verify -p c.pem -s s a").code(0);
}

/// OpenSSL and fndsa make and accept the same Ed25519 signatures. `tests/mldsa/openssl.rs` compares
/// the variants with a context or a pre-hash, which need OpenSSL 3.2.
#[test]
fn openssl_and_fndsa_verify_the_signatures_of_each_other() {
    if !have("openssl") {
        return skip("signatures of OpenSSL", "there is no openssl");
    }
    let directory = TestDirectory::ready();
    directory.run("keygen --dual d").code(0);
    directory.run("sign -k d-ed25519.key --format raw -o s a").code(0);
    directory.sh("openssl pkeyutl -verify -rawin -pubin -inkey d-ed25519.pub -sigfile s -in a").code(0);
    directory.sh("openssl pkeyutl -verify -rawin -pubin -inkey d-ed25519.pub -sigfile s -in b").code(1);
    directory.sh("openssl pkeyutl -sign -rawin -inkey d-ed25519.key -in a -out t && cmp s t").code(0);
    directory.run("verify -p d-ed25519.pub -s t a").code(0);
    // The Ed25519 signature in a file with two signatures has the same bytes as `s`.
    directory.run("sign -k d.key -k d-ed25519.key -f a").code(0);
    let [_, classic] = split_blocks(&directory.text("a.sig"));
    directory.put("half.sig", classic);
    directory.run("convert half.sig -o half --to raw").code(0);
    assert_eq!(directory.get("half"), directory.get("s"));
}

/// Without a pre-hash, Ed25519 needs the whole message in memory, so the message's length has a
/// limit. With a pre-hash, messages can have any length.
#[test]
fn messages_in_memory_have_a_limit() {
    let directory = directory_with_dual_signature();
    directory.sh("truncate -s 256M most && truncate -s 268435457 more").code(0);
    directory.run("sign -k d-ed25519.key most").code(0);
    directory.run("verify -p d-ed25519.pub most").code(0);
    let words = "more: Ed25519 keeps a message in memory to sign it, and this message has more than 256 MiB";
    for keys in ["-k d-ed25519.key", "-k d.key -k d-ed25519.key"] {
        let output = directory.run(&format!("sign {keys} more")).code(3).err_has(words);
        output.err_has("add --prehash sha512 to `fndsa sign` and to `fndsa verify`");
        assert!(!directory.path("more.sig").exists());
        directory.run(&format!("sign {keys} --prehash sha512 -f -o s more")).code(0);
        directory.run("verify -p d-ed25519.pub --prehash sha512 -s s more").code(0);
    }
    directory.sh("cat more | $FNDSA sign -k d-ed25519.key -").code(3).err_has("has more than 256 MiB");
}

#[test]
fn a_missing_signature_of_two_is_rejected() {
    let directory = directory_with_dual_signature();
    directory.run(&format!("{BOTH} a")).code(0);
    directory.run("verify -p d-ed25519.pub a").code(0).out_has("a: OK (Ed25519 sha256:");
    directory.run("verify -p d.pub a").code(0).out_has("a: OK (FN-DSA-512 sha256:");
    let [lattice, classic] = split_blocks(&directory.text("a.sig"));
    directory.run("sign -k d.key -k d-ed25519.key -f -o b.sig b").code(0);
    let [other_lattice, other_classic] = split_blocks(&directory.text("b.sig"));
    for stripped in [
        lattice.clone(),
        classic.clone(),
        lattice.repeat(2),
        classic.repeat(2),
        format!("{lattice}{other_classic}"),
        format!("{other_lattice}{classic}"),
        // The second block is an FN-DSA signature with the label of an Ed25519 signature.
        format!("{lattice}{}", lattice.replace("FNDSA SIG", "ED25519 SIG")),
    ] {
        directory.put("s", stripped);
        let output = directory.run(&format!("{BOTH} -s s a"));
        assert!([1, 3].contains(&output.code) && !output.out.contains("OK"), "{} {}", output.out, output.err);
    }
    directory.put("s", format!("{classic}{lattice}"));
    directory.run(&format!("{BOTH} -s s a")).code(0);
    // If two files contain the same key, they count as a single key for `--require`.
    directory.run("convert d-ed25519.pub -o x.der --to spki-der").code(0);
    directory.run("verify -p d-ed25519.pub -p x.der --require 2 a").code(2).err_has("but only 1 key is given");
    directory.run("sign -k d-ed25519.key -k d-ed25519.key -o t a").code(2).err_has("is given twice");
    // `--add` adds an Ed25519 signature to an existing FN-DSA signature.
    directory.run("sign -k d.key -f a").code(0);
    directory.run(&format!("{BOTH} a")).code(1).err_has("no signature by Ed25519 sha256:");
    directory.run("sign -k d-ed25519.key --add a").code(0);
    directory.run(&format!("{BOTH} a")).code(0);
}

#[test]
fn no_mutation_of_a_dual_signature_is_accepted() {
    several::assert_mutants_rejected(&directory_with_dual_signature(), BOTH);
}

#[test]
fn every_way_to_sign_accepts_a_dual_key_pair() {
    let directory = directory_with_dual_signature();
    let keys = "-k d.key -k d-ed25519.key";
    directory.sh(&format!("cat a | $FNDSA sign {keys} - >s")).code(0);
    directory.run(&format!("{BOTH} -s s a")).code(0);
    directory.run(&format!("sign {keys} -c v1 -f -o s a")).code(0);
    directory.run(&format!("{BOTH} -c v1 -s s a")).code(0);
    directory.run(&format!("{BOTH} -c v2 -s s a")).code(1);
    directory.run(&format!("{BOTH} -s s a")).code(1);
    directory.run(&format!("sign {keys} -M list a b")).code(0);
    directory.run(&format!("{BOTH} -M list")).code(0).out_has("list: OK").out_has("b: OK");
    directory.run(&format!("sign {keys} --inline -M inline a b")).code(0);
    directory.run(&format!("{BOTH} -M inline")).code(0).out_has("inline: OK");
    directory.sh("cat d.pub d-ed25519.pub >trusted").code(0);
    directory.run("verify --trusted-keys trusted --require all a").code(0);
    directory.put("wide", vec![7; 300_000]);
    directory.run(&format!("sign {keys} wide")).code(0);
    directory.run(&format!("{BOTH} wide")).code(0);
    // An Ed25519 signature can be raw. `--mu` is an error, because Ed25519 does not define a mu.
    directory.run("sign -k d-ed25519.key --format raw -f -o raw a").code(0);
    assert_eq!(directory.get("raw").len(), 64);
    directory.run("verify -p d-ed25519.pub -s raw a").code(0);
    directory.run("verify -p d.pub -s raw a").code(1).out_has("the signature is Ed25519, but the key is FN-DSA-512");
    directory.run("sign -k d-ed25519.key --mu -o t a").code(2);
    // The signature is deterministic: it depends only on the key and the message.
    directory.run("sign -k d-ed25519.key --format raw -f -o again a").code(0);
    assert_eq!(directory.get("raw"), directory.get("again"));
}

/// Public keys of small order are rejected, because anyone can sign for them. The test tries the
/// points with the y-coordinate 0, 1 or -1, which have small order. It also tries a y-coordinate
/// without a point, and a y-coordinate that is not reduced modulo 2^255 - 19.
#[test]
fn keys_of_small_order_are_rejected() {
    let directory = directory_with_dual_signature();
    let spki = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];
    let [mut zero, mut one, mut minus_one, mut no_point, mut two_encodings] = [[0; 32]; 5];
    zero[31] = 0x80;
    one[0] = 1;
    minus_one.fill(0xff);
    [minus_one[0], minus_one[31]] = [0xec, 0x7f];
    no_point[0] = 2;
    two_encodings.fill(0xff);
    [two_encodings[0], two_encodings[31]] = [0xf0, 0x7f];
    for bytes in [[0; 32], zero, one, minus_one, no_point, two_encodings] {
        directory.put("x", [&spki[..], &bytes].concat());
        directory.run("verify -p x a").code(3).err_has("is no point of the curve, or one of small order");
    }
}
