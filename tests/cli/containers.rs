//! Tests for PKCS#8 and SPKI: the files that fndsa writes, the files that it reads, and all reasons
//! to reject a file.

use crate::harness::{ProgramCall, TestDirectory, body, have, in_parallel, skip};

const OID_512: &str = "2.25.26821571210238037450600707390410676305";

/// Encodes a DER element with at most 65,535 content bytes: the tag, the length, and the joined
/// parts.
pub fn der(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let len = content.len();
    let header = match len {
        0..0x80 => vec![tag, len as u8],
        0x80..0x100 => vec![tag, 0x81, len as u8],
        _ => vec![tag, 0x82, (len >> 8) as u8, len as u8],
    };
    [header, content].concat()
}

/// Encodes an OID as a DER element. Each arc must be below 2^32.
pub fn oid(text: &str) -> Vec<u8> {
    let arcs: Vec<u32> = text.split('.').map(|arc| arc.parse().unwrap()).collect();
    let mut content = vec![];
    for arc in [&[40 * arcs[0] + arcs[1]], &arcs[2..]].concat() {
        let digits = (0..5).rev().map(|i| (arc >> (7 * i)) as u8 & 0x7f).skip_while(|digit| *digit == 0);
        let mut digits: Vec<u8> = digits.collect();
        if digits.is_empty() {
            digits.push(0);
        }
        let last = digits.len() - 1;
        digits[..last].iter_mut().for_each(|digit| *digit |= 0x80);
        content.extend(digits);
    }
    der(6, &[&content])
}

/// Writes a key pair in all forms: the private key as k.raw, k.p8 and k.p8.der, and the public key
/// as p.raw, p.spki and p.spki.der.
fn write_all_forms(directory: &TestDirectory) {
    for line in [
        "k.key -o k.raw --to raw",
        "k.key -o k.p8 --to pkcs8",
        "k.key -o k.p8.der --to pkcs8-der",
        "k.pub -o p.raw --to raw",
        "k.pub -o p.spki --to spki",
        "k.pub -o p.spki.der --to spki-der",
    ] {
        directory.run(&format!("convert {line}")).code(0).out_empty().err_empty();
    }
}

/// Returns the algorithm identifier for FN-DSA-512.
pub fn algorithm_identifier() -> Vec<u8> {
    let uuid: u128 = OID_512.split('.').next_back().unwrap().parse().unwrap();
    let digits: Vec<u8> = (0..18).rev().map(|i| (uuid >> (7 * i)) as u8 | if i > 0 { 0x80 } else { 0 }).collect();
    der(0x30, &[&der(6, &[&[2 * 40 + 25], &digits])])
}

#[test]
fn every_conversion_and_back_gives_the_same_bytes() {
    for (key, public) in [("k.key", "k.pub"), ("k2.key", "k2.pub")] {
        let directory = TestDirectory::ready();
        for (file, container) in [(key, "pkcs8"), (public, "spki")] {
            let forms = ["pem", "raw", container, &format!("{container}-der")].map(str::to_owned);
            for form in &forms {
                directory.run(&format!("convert {file} -o {form} --to {form}")).code(0);
            }
            for from in &forms {
                for to in &forms {
                    directory.sh(&format!("rm -f out; $FNDSA convert {from} -o out --to {to}")).code(0);
                    assert!(directory.get("out") == directory.get(to), "{file}: {from} to {to}");
                }
                directory.run(&format!("inspect {from}")).code(0).out_has("valid");
            }
            assert_eq!(directory.get("pem"), directory.get(file));
            forms.iter().for_each(|form| std::fs::remove_file(directory.path(form)).unwrap());
        }
    }
}

#[test]
fn a_signature_is_pem_or_raw() {
    let directory = TestDirectory::ready();
    directory.run("convert a.sig -o raw --to raw").code(0);
    directory.run("convert raw -o pem --to pem").code(0);
    directory.run("convert pem -o raw2 --to raw").code(0);
    assert_eq!(directory.get("raw"), directory.get("raw2"));
    assert_eq!(body(&directory.text("pem")), body(&directory.text("a.sig")));
    for name in ["raw", "pem"] {
        directory.run(&format!("verify -p k.pub -s {name} a")).code(0);
    }
}

#[test]
fn the_layout_matches_the_documentation() {
    let directory = TestDirectory::ready();
    write_all_forms(&directory);
    let algorithm = algorithm_identifier();
    let private = der(0x30, &[&[2, 1, 0], &algorithm, &der(4, &[&directory.get("k.raw")])]);
    let public = der(0x30, &[&algorithm, &der(3, &[&[0], &directory.get("p.raw")])]);
    assert_eq!((directory.get("k.p8.der"), directory.get("p.spki.der")), (private, public));
    assert!(directory.text("k.p8").starts_with("-----BEGIN PRIVATE KEY-----\nMII"));
    assert!(directory.text("p.spki").starts_with("-----BEGIN PUBLIC KEY-----\nMII"));
    if !have("openssl") {
        return skip("the OID in another program", "there is no openssl");
    }
    for line in ["-in k.p8", "-in p.spki", "-inform DER -in k.p8.der"] {
        ProgramCall::new("openssl", directory.root()).args("asn1parse").args(line).run().code(0).out_has(OID_512);
    }
}

#[test]
fn keys_in_all_formats_sign_and_verify() {
    let directory = TestDirectory::ready();
    write_all_forms(&directory);
    for key in ["k.p8", "k.p8.der"] {
        directory.run(&format!("sign -f -k {key} a")).code(0);
        for public in ["p.spki", "p.spki.der"] {
            directory.run(&format!("verify -p {public} a")).code(0).out_has("a: OK");
            directory.run(&format!("inspect {key} {public}")).code(0).out_has("a key pair").out_has(OID_512);
            directory.run(&format!("inspect {key} k2.pub {public}")).code(1).out_has("NOT a key pair");
        }
        assert_eq!(directory.run(&format!("pubkey -k {key}")).code(0).stdout, directory.get("k.pub"));
        assert_eq!(directory.run(&format!("pubkey -k {key} --format spki")).code(0).stdout, directory.get("p.spki"));
        assert_eq!(directory.call("sign -o s a --key-env K").env("K", directory.text("k.p8")).run().code, 0);
        std::fs::remove_file(directory.path("s")).unwrap();
    }
    directory.run("verify -p k.p8 a").code(3).err_has("this is a private key, not a public key");
    directory.run("sign -k p.spki.der -o s a").code(3).err_has("this is a public key, not a private key");
    let json = directory.run("--json inspect k.p8 p.spki.der k.key").code(0).json();
    let member = |i: usize, name: &str| json["results"][i][name].clone();
    assert_eq!(
        (member(0, "encoding"), member(1, "encoding"), member(2, "encoding")),
        ("pkcs8".into(), "spki".into(), "pem".into())
    );
    assert_eq!((member(0, "der"), member(1, "der")), (false.into(), true.into()));
    assert_eq!((member(0, "oid"), member(0, "label")), (OID_512.into(), "PRIVATE KEY".into()));
    assert_eq!((member(0, "encrypted"), member(2, "oid")), (false.into(), serde_json::Value::Null));
}

#[test]
fn keygen_writes_containers() {
    let directory = TestDirectory::ready();
    for (algorithm, size) in [("512", 1345), ("1024", 2369)] {
        directory.run(&format!("keygen -f -a {algorithm} --format pkcs8 n")).code(0);
        directory.run("inspect n.key n.pub").code(0).out_has("a key pair").out_has(&format!("{size} bytes"));
        assert_eq!(directory.mode("n.key"), 0o600);
        assert!(directory.text("n.pub").starts_with("-----BEGIN PUBLIC KEY"));
        assert_eq!(directory.run("pubkey --format spki -k n.key").code(0).stdout, directory.get("n.pub"));
    }
    directory.run("keygen --format pkcs8 -a fn-dsa-64 --allow-weak t").code(2).err_has("no OID").err_has("hint: ");
    directory.run("keygen --format spki t").code(2);
    directory.run("pubkey --format pkcs8 -k k.key").code(2);
    directory.run("sign --format pkcs8 -k k.key a").code(2);
}

#[test]
fn keys_of_other_algorithms_are_reported_by_name() {
    let directory = TestDirectory::ready();
    let key_pair = |name: &str| {
        let content = if name == "1.2.840.113549.1.1.1" { der(5, &[]) } else { vec![] };
        let algorithm = der(0x30, &[&oid(name), &content]);
        let private = der(0x30, &[&[2, 1, 0], &algorithm, &der(4, &[&[1; 40]])]);
        (private, der(0x30, &[&algorithm, &der(3, &[&[0; 33]])]))
    };
    for (name, words) in [
        ("1.2.840.113549.1.1.1", "RSA"),
        ("1.2.840.10045.2.1", "elliptic curves"),
        ("1.3.101.110", "X25519"),
        ("1.3.101.113", "Ed448"),
        ("2.16.840.1.101.3.4.3.20", "SLH-DSA-SHA2-128s"),
        ("2.16.840.1.101.3.4.3.31", "SLH-DSA-SHAKE-256f"),
        ("1.3.9999.3.12", "Falcon-512 with P-256 (hybrid)"),
    ] {
        let (private, public) = key_pair(name);
        directory.put("private", private);
        directory.put("public", public);
        directory.run("inspect private").code(3).err_has(&format!("this is a PKCS#8 private key of {words}"));
        directory.run("sign -k private -o s a").code(3).err_has(words).err_has("hint: ");
        directory.run("inspect public").code(3).err_has(&format!("this is an X.509 (SPKI) public key of {words}"));
        directory.run("verify -p public a").code(3).err_has(words);
        directory.run("convert private -o out --to pem --algorithm 512").code(3).err_has(words);
        directory.run(&format!("convert private -o out --to pem --oid {name}")).code(2).err_has(words);
    }
    // The OIDs after the assigned range do not exist yet. An earlier version of BouncyCastle used
    // the last OID in this list.
    for name in ["2.16.840.1.101.3.4.3.46", "2.16.840.1.101.3.4.3.47", "1.3.9999.3.21", "1.3.6.1.4.1.22554.2.7"] {
        let (private, _) = key_pair(name);
        directory.put("private", private);
        directory.run("inspect private").code(3).err_has(&format!("with the unknown OID {name}"));
    }
}

#[test]
fn files_of_openssl_are_reported_by_name() {
    if !have("openssl") {
        return skip("files of openssl", "there is no openssl");
    }
    let directory = TestDirectory::ready();
    let openssl = |line: &str| ProgramCall::new("openssl", directory.root()).args(line).run().code(0);
    for (algorithm, words) in [
        ("RSA -pkeyopt rsa_keygen_bits:1024", "RSA"),
        ("EC -pkeyopt ec_paramgen_curve:P-256", "elliptic curves"),
        ("ED448", "Ed448"),
        ("X25519", "X25519"),
    ] {
        openssl(&format!("genpkey -algorithm {algorithm} -out key.pem"));
        openssl("pkey -in key.pem -outform DER -out key.der");
        openssl("pkey -in key.pem -pubout -out pub.pem");
        openssl("pkey -in key.pem -pubout -outform DER -out pub.der");
        for file in ["key.pem", "pub.pem", "pub.der"] {
            directory.run(&format!("inspect {file}")).code(3).err_has(words);
        }
        // For RSA and EC keys in DER, OpenSSL uses older forms than PKCS#8.
        directory.run("inspect key.der").code(3).err_has(if words == "elliptic curves" {
            "elliptic-curve"
        } else {
            words
        });
    }
    openssl("req -x509 -newkey ed448 -nodes -keyout c.key -subj /CN=a -out c.pem");
    openssl("x509 -in c.pem -outform DER -out c.der");
    openssl("req -new -key c.key -subj /CN=a -out r.pem");
    openssl("crl2pkcs7 -nocrl -certfile c.pem -out p7.pem");
    openssl("crl2pkcs7 -nocrl -certfile c.pem -outform DER -out p7.der");
    openssl("pkcs12 -export -in c.pem -inkey c.key -passout pass:x -out p12");
    for (file, words) in [
        ("c.pem", "an X.509 certificate of Ed448"),
        ("c.der", "an X.509 certificate of Ed448"),
        ("r.pem", "request for an X.509"),
        ("p7.pem", "PKCS#7"),
        ("p7.der", "PKCS#7"),
        ("p12", "PKCS#12"),
    ] {
        directory.run(&format!("inspect {file}")).code(3).err_has(words).err_has("hint: ");
        directory.run(&format!("verify -p {file} a")).code(3).err_has(words);
    }
}

#[test]
fn an_unknown_oid_requires_an_option() {
    let directory = TestDirectory::ready();
    write_all_forms(&directory);
    let own = "1.3.6.1.4.1.99999.1";
    directory.run(&format!("convert k.key -o x --to pkcs8 --oid {own}")).code(0);
    directory.run(&format!("convert k.pub -o y --to spki-der --oid {own}")).code(0);
    assert_eq!(directory.run(&format!("pubkey -k k.key --format spki --oid {own}")).code(0).stdout, {
        directory.run(&format!("convert y -o y.pem --to spki --oid {own}")).code(0);
        directory.get("y.pem")
    });
    for line in ["inspect x", "inspect y", "sign -k x -o s a", "verify -p y a", "convert x -o out --to pem"] {
        directory.run(line).code(3).err_has(own).err_has("unknown OID").err_has("--algorithm NAME");
    }
    for (file, original) in [("x", "k.key"), ("y", "k.pub")] {
        for how in ["--algorithm fn-dsa-512".to_owned(), "--algorithm 512".to_owned(), format!("--oid {own}")] {
            directory.sh(&format!("rm -f out; $FNDSA convert {file} -o out --to pem {how}")).code(0);
            assert_eq!(directory.get("out"), directory.get(original), "{how}");
        }
        directory.run(&format!("convert -f {file} -o out --to pem --oid {own}.1")).code(3).err_has(own);
        directory
            .run(&format!("convert -f {file} -o out --to pem --algorithm 1024"))
            .code(3)
            .err_has("this is FN-DSA-512");
    }
    // With `--algorithm`, `convert` writes the algorithm's known OID, or the OID from `--oid`.
    directory.sh("rm -f out; $FNDSA convert x -o out --to pkcs8 --algorithm 512").code(0);
    assert_eq!(directory.get("out"), directory.get("k.p8"));
    directory.sh("rm -f out; $FNDSA convert x -o out --to pkcs8 --algorithm 512 --oid 2.999.1").code(0);
    directory.run("inspect out").code(3).err_has("2.999.1");
    // fndsa also checks the key's content.
    let body = der(0x30, &[&[2, 1, 0], &der(0x30, &[&oid(own)]), &der(4, &[&[7; 100]])]);
    directory.put("z", body);
    directory.run("convert -f z -o out2 --to pem --algorithm 512").code(3);
    assert!(!directory.has("out2"));
    for bad in ["", "1", "1.2.", "9.9", "1.40.1", "abc", "1.2.3.x", "-1.2"] {
        directory.call("convert k.key -o out2 --to pkcs8").arg(format!("--oid={bad}")).run().code(2).err_has("OID");
    }
    directory
        .run("convert k.key -o out2 --to pem --oid 1.2.3")
        .code(2)
        .err_has("--oid applies only to PKCS#8 and SPKI files")
        .err_has("hint: ");
    directory.run("pubkey -k k.key --oid 1.2.3").code(2).err_has("--oid applies only to PKCS#8 and SPKI files");
    directory.run(&format!("convert k2.key -o out2 --to pkcs8 --oid {OID_512}")).code(2).err_has("FN-DSA-512");
    assert!(!directory.has("out2"));
}

/// Changes a field of a PKCS#8 private key or of an SPKI public key. A PKCS#8 file has version 1 if
/// it contains the public key, and version 0 otherwise (RFC 5958).
#[test]
fn other_structures_than_the_documented_one_are_rejected() {
    let directory = TestDirectory::ready();
    write_all_forms(&directory);
    let (algorithm, raw, public) = (algorithm_identifier(), directory.get("k.raw"), directory.get("p.raw"));
    let (key, bits) = (der(4, &[&raw]), der(3, &[&[0], &public]));
    let version = [2, 1, 0];
    let embedded = |public: &[u8]| der(0x81, &[&[0], public]);
    let sequence = |parts: &[&[u8]]| der(0x30, parts);
    let plain = sequence(&[&version, &algorithm, &key]);
    let with_null = sequence(&[&algorithm[2..], &[5, 0]]);
    let mut other_public = public.clone();
    other_public[5] ^= 1;
    let mut long = plain.clone();
    long.splice(1..4, [0x83, 0, plain[2], plain[3]]);
    directory.put("x", &plain);
    directory.run("inspect x").code(0);
    directory.put("x", sequence(&[&[2, 1, 1], &algorithm, &key, &embedded(&public)]));
    directory.run("inspect x").code(0).out_has("valid");
    directory.run("convert x -o v1 --to pkcs8-der").code(0);
    assert_eq!(directory.get("v1"), plain);
    directory.put("x", sequence(&[&[2, 1, 1], &algorithm, &key, &embedded(&other_public)]));
    for line in ["inspect x", "sign -k x -o s a", "convert x -o out --to pem", "pubkey -k x"] {
        directory
            .run(line)
            .code(3)
            .err_has("the public key in the file does not belong to the private key")
            .err_has("hint: ");
    }
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("attributes", sequence(&[&version, &algorithm, &key, &der(0xa0, &[&sequence(&[])])]), "DER is damaged"),
        ("version 1 alone", sequence(&[&[2, 1, 1], &algorithm, &key]), "version"),
        ("version 0 with a public key", sequence(&[&version, &algorithm, &key, &embedded(&public)]), "version"),
        ("version 2", sequence(&[&[2, 1, 2], &algorithm, &key]), "version"),
        ("long version", sequence(&[&[2, 2, 0, 0], &algorithm, &key]), "version"),
        ("parameters", sequence(&[&version, &with_null, &key]), "parameters"),
        ("an inner OCTET STRING", sequence(&[&version, &algorithm, &der(4, &[&key])]), "first byte"),
        ("key and public key", sequence(&[&version, &algorithm, &der(4, &[&raw, &public])]), "bytes instead of"),
        ("a short key", sequence(&[&version, &algorithm, &der(4, &[&raw[1..]])]), "first byte"),
        ("an empty key", sequence(&[&version, &algorithm, &der(4, &[])]), "empty"),
        ("a public key in PKCS#8", sequence(&[&version, &algorithm, &der(4, &[&public])]), "first byte"),
        ("a private key in SPKI", sequence(&[&algorithm, &der(3, &[&[0], &raw])]), "first byte"),
        ("unused bits", sequence(&[&algorithm, &der(3, &[&[1], &public])]), "DER is damaged"),
        ("no bits", sequence(&[&algorithm, &der(3, &[])]), "DER is damaged"),
        ("SPKI with something after", sequence(&[&algorithm, &bits, &[5, 0]]), "DER"),
        ("PKCS#8 with something after", sequence(&[&version, &algorithm, &key, &[5, 0]]), "DER is damaged"),
        ("a byte after", [&plain[..], &[0]].concat(), "bytes instead of"),
        ("a byte missing", plain[..plain.len() - 1].to_vec(), "bytes instead of"),
        ("a longer length", long, ""),
        ("an indefinite length", [&[0x30, 0x80], &plain[4..], &[0, 0]].concat(), ""),
        ("an empty sequence", sequence(&[]), ""),
    ];
    for (case, bytes, words) in cases {
        directory.put("x", &bytes);
        for line in ["inspect x", "sign -k x -o s a", "verify -p x a"] {
            let output = directory.run(line);
            assert!(
                output.code == 3 && output.err.contains(words) && output.err.contains("hint: "),
                "{case}: {output:?}"
            );
        }
    }
    // fndsa does not trust the PEM label.
    for (from, to) in [("k.p8", "PUBLIC KEY"), ("p.spki", "PRIVATE KEY"), ("k.p8", "ENCRYPTED PRIVATE KEY")] {
        let label = if from == "k.p8" { "PRIVATE KEY" } else { "PUBLIC KEY" };
        directory.put("x", directory.text(from).replace(label, to));
        directory.run("inspect x").code(3).err_has("hint: ");
    }
    // The key has degree 1024, and the OID is the OID of FN-DSA-512.
    directory.run("convert k2.key -o k2.raw --to raw").code(0);
    directory.put("x", sequence(&[&version, &algorithm, &der(4, &[&directory.get("k2.raw")])]));
    directory.run("inspect x").code(3).err_has("the key does not have the degree of its OID");
}

#[test]
fn every_truncation_and_changed_bit_of_the_header_is_rejected() {
    let directory = TestDirectory::ready();
    write_all_forms(&directory);
    let mut mutants = vec![];
    for (file, header) in [("k.p8.der", 34), ("p.spki.der", 32)] {
        let bytes = directory.get(file);
        mutants.extend((0..bytes.len()).step_by(3).map(|len| bytes[..len].to_vec()));
        for position in 0..header - 1 {
            for bit in 0..8 {
                let mut bytes = bytes.clone();
                bytes[position] ^= 1 << bit;
                mutants.push(bytes);
            }
        }
        // After the header, only private keys are changed, because a changed public key can be a
        // valid key.
        for position in (header..bytes.len()).step_by(if file == "k.p8.der" { 5 } else { usize::MAX }) {
            let mut bytes = bytes.clone();
            bytes[position] ^= 1 << (position % 8);
            mutants.push(bytes);
        }
    }
    in_parallel(&mutants, |i, mutant| {
        let name = format!("m{i}");
        directory.put(&name, mutant);
        let output = directory.run(&format!("inspect {name}"));
        assert!(output.code == 3, "{i}: {output:?} {mutant:02x?}");
    });
    for file in ["k.p8.der", "p.spki.der"] {
        let bytes = directory.get(file);
        directory.put("behind", [&bytes[..], b"\0"].concat());
        let words = format!(
            "the DER content has {} bytes instead of {}: bytes are missing or added",
            bytes.len() + 1,
            bytes.len()
        );
        directory.run("inspect behind").code(3).err_has(&words);
    }
}
