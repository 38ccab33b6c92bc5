//! Tests for keys, certificates and signatures from oqs-provider and BouncyCastle: fndsa reads all
//! these files, and `convert` can write the keys with the same bytes.

use crate::containers::{der, oid};
use crate::harness::{ProgramCall, TestDirectory, body, have, skip};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The keys from oqs-provider: the name in file names, the algorithm in messages, and the OID.
const OQS: [(&str, &str, &str); 2] =
    [("falcon512", "Falcon-512", "1.3.9999.3.11"), ("falconpadded1024", "Falcon-1024", "1.3.9999.3.19")];
const NOTE: &str = "only the public key of a certificate is used; its signature, chain and dates are not checked";

/// Returns a directory with files from both programs: NAME.key.pem, NAME.pub.pem, NAME.crt.pem,
/// NAME.raw.sig, NAME.dgst-sha512.sig and msg.bin from oqs-provider, and bc.key, bc.pub, bc.msg and
/// bc.msg.sig from BouncyCastle.
fn directory_with_foreign_files() -> TestDirectory {
    let directory = TestDirectory::ready();
    let kat = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kat");
    for entry in fs::read_dir(kat.join("oqs-provider")).unwrap() {
        let entry = entry.unwrap();
        directory.put(entry.file_name(), fs::read(entry.path()).unwrap());
    }
    let text = fs::read(kat.join("bouncycastle/bcprov-1.86-falcon512.json")).unwrap();
    let vector = &serde_json::from_slice::<Value>(&text).unwrap()[0];
    for (name, member) in [("bc.key", "pkcs8"), ("bc.pub", "spki"), ("bc.msg", "message"), ("bc.msg.sig", "sig")] {
        let digits = vector[member].as_str().unwrap();
        let byte = |i: usize| u8::from_str_radix(&digits[i..i + 2], 16).unwrap();
        directory.put(name, (0..digits.len()).step_by(2).map(byte).collect::<Vec<_>>());
    }
    directory
}

/// Decodes the bytes in a PEM file.
fn decode_pem(directory: &TestDirectory, name: &str) -> Vec<u8> {
    STANDARD.decode(body(&directory.text(name))).unwrap()
}

/// Converts bc.key and bc.pub, and returns the raw private key and the raw public key.
fn raw_key_pair(directory: &TestDirectory) -> (Vec<u8>, Vec<u8>) {
    directory.run("convert -f bc.key --to raw -o raw.key").code(0);
    directory.run("convert -f bc.pub --to raw -o raw.pub").code(0);
    (directory.get("raw.key"), directory.get("raw.pub"))
}

fn der_sequence(parts: &[&[u8]]) -> Vec<u8> {
    der(0x30, parts)
}

/// Encodes a PKCS#8 file with the OID `name`, and with `content` as the field `privateKey`.
fn encode_pkcs8(name: &str, content: &[u8]) -> Vec<u8> {
    der_sequence(&[&[2, 1, 0], &der_sequence(&[&oid(name)]), &der(4, &[content])])
}

const OID_512: &str = "1.3.9999.3.11";

#[test]
fn files_of_oqs_provider_are_read() {
    let directory = directory_with_foreign_files();
    for (name, algorithm, oid) in OQS {
        let files = ["key", "pub", "crt"].map(|kind| format!("{name}.{kind}.pem"));
        let line = files.join(" ");
        let output = directory
            .run(&format!("inspect {line}"))
            .code(0)
            .out_has(&format!("{algorithm} private key, PKCS#8 in PEM"));
        assert_eq!(output.out.matches(": a key pair\n").count(), 2, "{output:?}");
        assert_eq!(output.out.matches(&format!("OID {oid}, ")).count(), 3);
        output
            .out_has(&format!("{}: note: `fndsa verify` uses only the public key of a certificate; ", files[2]))
            .out_has("X.509 certificate in PEM \"CERTIFICATE\"");
        let json = directory.run(&format!("--json inspect {line}")).code(0).json();
        let member = |i: usize, name: &str| json["results"][i][name].clone();
        assert!((0..3).all(|i| member(i, "key") == member(0, "key") && member(i, "oid") == oid));
        assert_eq!([0, 1, 2].map(|i| member(i, "encoding")), ["pkcs8", "spki", "certificate"]);
        assert_eq!([1, 2].map(|i| member(i, "label")), ["PUBLIC KEY", "CERTIFICATE"]);
        for public in &files[1..] {
            // The command `dgst -sha512 -sign` of OpenSSL signs the digest as a message. For
            // Falcon, this is the pre-hash sha512.
            for (signature, how) in [("raw", ""), ("dgst-sha512", "--prehash sha512")] {
                let line = format!("verify -p {public} -s {name}.{signature}.sig {how} msg.bin");
                directory.run(&line).code(0).out_has(&format!("msg.bin: OK ({algorithm} "));
            }
            directory.run(&format!("verify -p {public} -s {name}.dgst-sha512.sig msg.bin")).code(1);
            directory.run(&format!("sign -f -k {} a", files[0])).code(0);
            directory.run(&format!("verify -p {public} a")).code(0);
        }
    }
}

#[test]
fn files_of_bouncy_castle_are_read() {
    let directory = directory_with_foreign_files();
    directory
        .run("inspect bc.key bc.pub")
        .code(0)
        .out_has("a key pair")
        .out_has("Falcon-512 private key, PKCS#8 in DER");
    directory.run("verify -p bc.pub bc.msg").code(0).out_has("bc.msg: OK (Falcon-512 ");
    directory.run("sign -f -k bc.key a").code(0);
    directory.run("verify -p bc.pub a").code(0);
}

#[test]
fn written_files_equal_those_of_other_programs() {
    let directory = directory_with_foreign_files();
    let assert_same_output = |line: &str, original: &str| {
        directory.remove("out");
        directory.run(&format!("convert -f {line} -o out")).code(0);
        assert!(directory.get("out") == directory.get(original), "{line} is not {original}");
    };
    for (name, ..) in OQS {
        for (file, form) in [("key", "pkcs8"), ("pub", "spki")] {
            let original = format!("{name}.{file}.pem");
            assert_same_output(&format!("{original} --to {form}"), &original);
            directory.remove("der");
            directory.run(&format!("convert {original} --to {form}-der -o der")).code(0);
            assert_eq!(directory.get("der"), decode_pem(&directory, &original));
            assert_same_output(&format!("der --to {form}"), &original);
        }
        assert_same_output(&format!("{name}.crt.pem --to spki"), &format!("{name}.pub.pem"));
        let public = directory.run(&format!("pubkey -k {name}.key.pem --format spki")).code(0);
        assert_eq!(public.stdout, directory.get(format!("{name}.pub.pem")));
        // The layout `oqs` can be converted to the layout `bouncycastle` and back, also with a
        // password.
        directory.remove("other");
        directory.run(&format!("convert {name}.key.pem --to pkcs8 --layout bouncycastle -o other")).code(0);
        directory.run("inspect other").code(0).out_has(", layout bouncycastle, ");
        directory.run(&format!("inspect {name}.key.pem")).code(0).out_has(", layout oqs, ");
        assert_ne!(directory.get("other"), directory.get(format!("{name}.key.pem")));
        assert_same_output("other --to pkcs8 --layout oqs", &format!("{name}.key.pem"));
    }
    assert_same_output("bc.key --to pkcs8-der --layout bouncycastle", "bc.key");
    assert_same_output("bc.pub --to spki-der", "bc.pub");
    directory.run("convert bc.key --to pkcs8 -o oqs").code(0);
    assert_same_output("oqs --to pkcs8-der --layout bouncycastle", "bc.key");
    // The output has the same OID as the file, unless an option sets the OID or the algorithm
    // changes.
    directory.run("convert falconpadded1024.key.pem --to pkcs8 --oid 1.3.9999.3.14 -o n").code(0);
    directory.run("inspect n").code(0).out_has("OID 1.3.9999.3.14, ");
    directory.run("convert falconpadded1024.pub.pem --to spki -a fn-dsa-1024 -o m").code(0);
    directory.run("inspect m").code(0).out_has("OID 2.25.").out_has("FN-DSA-1024");
}

#[test]
fn keys_of_falcon_have_the_usual_oid_and_layout() {
    let directory = TestDirectory::empty();
    for (degree, oid) in [(512, OID_512), (1024, "1.3.9999.3.14")] {
        directory.run(&format!("keygen -f -a falcon-{degree} --format pkcs8 n")).code(0);
        directory.run("inspect n.key n.pub").code(0).out_has("a key pair").out_has(oid);
        directory.remove("k");
        directory.run("convert -f n.key --to raw -o k").code(0);
        directory.run("convert -f n.pub --to raw -o p").code(0);
        assert_eq!(
            decode_pem(&directory, "n.key"),
            encode_pkcs8(oid, &der(4, &[&directory.get("k"), &directory.get("p")]))
        );
        if !have("openssl") {
            skip("the structure in another program", "there is no openssl");
            continue;
        }
        ProgramCall::new("openssl", directory.root())
            .args("asn1parse -in n.key -strparse 16")
            .run()
            .code(0)
            .out_has("OCTET STRING");
    }
}

/// Writes the Falcon-512 key from BouncyCastle in each layout that fndsa reads, and in wrong
/// layouts. The field `privateKey` has one of these contents:
///
/// - the encoded private key, alone or followed by the public key,
/// - a sequence of the polynomials f, g and F, with or without the public polynomial h.
#[test]
fn every_layout_decodes_to_the_same_key() {
    let directory = directory_with_foreign_files();
    let (key, public) = raw_key_pair(&directory);
    let [f, g, big_f] = [&key[1..385], &key[385..769], &key[769..]].map(|part| der(4, &[part]));
    let polynomials: [&[u8]; 4] = [&[2, 1, 0], &f, &g, &big_f];
    let h = der_sequence(&[&der(4, &[&public[1..]])]);
    let embedded = |public: &[u8]| der(0x81, &[&[0], public]);
    let key_file = |content: &[u8], public: &[u8]| {
        der_sequence(&[&[2, 1, 1], &der_sequence(&[&oid(OID_512)]), &der(4, &[content]), &embedded(public)])
    };
    let key_pair = der(4, &[&key, &public]);
    directory.run("convert bc.key --to pem -o original").code(0);
    for (case, file) in [
        ("key and public key", encode_pkcs8(OID_512, &key_pair)),
        ("the key in an OCTET STRING", encode_pkcs8(OID_512, &der(4, &[&key]))),
        ("the key", encode_pkcs8(OID_512, &key)),
        ("polynomials", encode_pkcs8(OID_512, &der_sequence(&polynomials))),
        ("polynomials and public key", encode_pkcs8(OID_512, &der_sequence(&[&polynomials.concat(), &h]))),
        ("an OID of padded signatures", encode_pkcs8("1.3.9999.3.16", &key_pair)),
        ("an old OID", encode_pkcs8("1.3.9999.3.6", &key_pair)),
        ("version 1", key_file(&der(4, &[&key]), &public)),
        ("version 1, twice the public key", key_file(&key_pair, &public)),
    ] {
        directory.put("x", file);
        directory.remove("out");
        directory.run("convert -f x --to pem -o out").code(0);
        assert!(directory.get("out") == directory.get("original"), "{case}");
        directory.remove("out");
        directory.run("convert -f x --to pkcs8-der --layout bouncycastle --oid 1.3.9999.3.11 -o out").code(0);
        assert!(directory.get("out") == directory.get("bc.key"), "{case}");
    }
    let mut wrong_value = public.clone();
    wrong_value[9] ^= 1;
    let mut h2 = h.clone();
    h2[20] ^= 1;
    let differs = "the public key in the file does not belong to the private key";
    let layout = "the layout of its private key is unknown";
    let wrong_degree = "the key does not have the degree of its OID";
    let wrong_length = "bytes instead of";
    directory.run("convert k.key --to raw -o fn.raw").code(0);
    let fn_dsa = directory.get("fn.raw");
    let long = [&[4, 0x83, 0, (key.len() >> 8) as u8, key.len() as u8], &key[..]].concat();
    for (words, case, file) in [
        (differs, "another public key after the key", encode_pkcs8(OID_512, &der(4, &[&key, &wrong_value]))),
        (differs, "another public key after F", encode_pkcs8(OID_512, &der_sequence(&[&polynomials.concat(), &h2]))),
        (differs, "another public key in version 1", key_file(&key, &wrong_value)),
        ("two public keys", "different public keys, version 1", key_file(&key_pair, &wrong_value)),
        (wrong_degree, "a pair with the OID of degree 1024", encode_pkcs8("1.3.9999.3.14", &key_pair)),
        (wrong_degree, "polynomials of degree 512", encode_pkcs8("1.3.9999.3.19", &der_sequence(&polynomials))),
        (wrong_length, "a byte after the pair", encode_pkcs8(OID_512, &der(4, &[&key_pair[4..], &[0]]))),
        (wrong_length, "a key without its last byte", encode_pkcs8(OID_512, &der(4, &[&key[..1280]]))),
        (wrong_length, "a pair without an OCTET STRING", encode_pkcs8(OID_512, &[&key[..], &public].concat())),
        (wrong_length, "an FN-DSA key in an OCTET STRING", encode_pkcs8(OID_512, &der(4, &[&fn_dsa]))),
        (wrong_length, "an FN-DSA key", encode_pkcs8(OID_512, &fn_dsa)),
        (layout, "NULL after the pair", encode_pkcs8(OID_512, &[&key_pair[..], &[5, 0]].concat())),
        (layout, "a BIT STRING", encode_pkcs8(OID_512, &der(3, &[&[0], &key]))),
        (layout, "a length with a zero byte in front", encode_pkcs8(OID_512, &long)),
        (layout, "polynomials, version 1", encode_pkcs8(OID_512, &der_sequence(&[&[2, 1, 1], &f, &g, &big_f]))),
        (layout, "polynomials without a version", encode_pkcs8(OID_512, &der_sequence(&[&f, &g, &big_f]))),
        (layout, "polynomials without F", encode_pkcs8(OID_512, &der_sequence(&[&[2, 1, 0], &f, &g]))),
        (layout, "two public keys", encode_pkcs8(OID_512, &der_sequence(&[&polynomials.concat(), &h, &h]))),
        (
            layout,
            "h without its sequence",
            encode_pkcs8(OID_512, &der_sequence(&[&polynomials.concat(), &der(4, &[&public[1..]])])),
        ),
        (
            layout,
            "an empty sequence as public key",
            encode_pkcs8(OID_512, &der_sequence(&[&polynomials.concat(), &der_sequence(&[])])),
        ),
        (
            layout,
            "f without its last byte",
            encode_pkcs8(OID_512, &der_sequence(&[&[2, 1, 0], &der(4, &[&key[1..384]]), &g, &big_f])),
        ),
        (
            layout,
            "F without its first byte",
            encode_pkcs8(OID_512, &der_sequence(&[&[2, 1, 0], &f, &g, &der(4, &[&key[770..]])])),
        ),
        (
            differs,
            "the public key with its header byte",
            encode_pkcs8(OID_512, &der_sequence(&[&polynomials.concat(), &der_sequence(&[&der(4, &[&public])])])),
        ),
    ] {
        directory.put("x", file);
        let output = directory.run("inspect x");
        // If the field `privateKey` does not start like DER, fndsa assumes a raw key and rejects
        // the first byte.
        let known = output.err.contains(words) || words == layout && output.err.contains("first byte");
        assert!(output.code == 3 && known && output.err.contains("hint: "), "{case}: {output:?}");
        directory.run("sign -k x -o s a").code(3);
    }
}

#[test]
fn a_password_changes_only_the_encryption() {
    let directory = directory_with_foreign_files();
    directory.put("pw", "pw\n");
    directory.put("pw2", "pw2\n");
    // With CBC, the length of the encrypted file depends on the layout. So equal lengths show that
    // `passwd` keeps the layout.
    for (file, back) in [("falconpadded1024.key.pem", "--to pkcs8"), ("bc.key", "--to pkcs8-der --layout bouncycastle")]
    {
        directory.run(&format!("passwd {file} -o {file}.enc --new-password-file pw")).code(0);
        directory.run(&format!("convert {file} {back} --encrypt --new-password-file pw -o same")).code(0);
        assert_eq!(directory.get(format!("{file}.enc")).len(), directory.get("same").len());
        directory.run(&format!("passwd {file}.enc --password-file pw --new-password-file pw2")).code(0);
        assert_eq!(directory.get(format!("{file}.enc")).len(), directory.get("same").len());
        directory.run(&format!("convert {file}.enc {back} --password-file pw2 -o out")).code(0);
        assert_eq!(directory.get("out"), directory.get(file));
        ["same", "out"].iter().for_each(|name| fs::remove_file(directory.path(name)).unwrap());
    }
    directory.run("keygen -a falcon-512 --encrypt --password-file pw n").code(0);
    directory
        .run("inspect n.key n.pub --password-file pw")
        .code(0)
        .out_has("a key pair")
        .out_has(OID_512)
        .out_has("Falcon-512");
    directory.run("passwd n.key --password-file pw --remove").code(0);
    assert!(directory.text("n.key").contains("-----BEGIN FALCON PRIVATE KEY"));
}

#[test]
fn only_the_public_key_of_a_certificate_is_used() {
    let directory = directory_with_foreign_files();
    let note = format!("note: {NOTE}\n");
    for (name, ..) in OQS {
        let (crt, public) = (format!("{name}.crt.pem"), format!("{name}.pub.pem"));
        directory.put("crt.der", decode_pem(&directory, &crt));
        for file in [&crt, "crt.der"] {
            // These self-signed certificates are also CA certificates, so `verify` prints a note.
            let messages = directory.run(&format!("verify -p {file} -s {name}.raw.sig msg.bin")).code(0).err;
            assert!(
                messages.ends_with(&note)
                    && messages.contains(": this is a CA certificate, and fndsa accepts its key as a")
                    && messages.lines().count() == 2,
                "{messages}"
            );
            for form in ["pem", "raw", "spki", "spki-der"] {
                assert_eq!(directory.run(&format!("convert -f {file} --to {form} -o out")).code(0).err, note);
                directory.run(&format!("convert -f {public} --to {form} -o out2")).code(0).err_empty();
                assert_eq!(directory.get("out"), directory.get("out2"));
            }
            directory.run(&format!("convert {file} --to pkcs8 -o no")).code(2).err_has("a public key has no PKCS#8");
            directory.run(&format!("sign -k {file} a")).code(3).err_has("this is a public key, not a private key");
        }
        directory.run(&format!("-q verify -p {crt} -s {name}.raw.sig msg.bin")).code(0).err_empty();
        for line in [format!("verify -p {crt} -s {name}.raw.sig msg.bin"), format!("convert -f {crt} --to pem -o out")]
        {
            let json = directory.run(&format!("--json {line}")).code(0).err_empty().json();
            let warnings = json["warnings"].as_array().unwrap();
            let of_authority = warnings.iter().filter(|text| {
                text.as_str().unwrap().contains(": this is a CA certificate, and fndsa accepts its key as a")
            });
            assert_eq!(
                (warnings.last(), of_authority.count()),
                (Some(&NOTE.into()), warnings.len() - 1),
                "{warnings:?}"
            );
        }
        directory.run("inspect crt.der").code(0).out_has("X.509 certificate in DER");
    }
    let all = ["k.pub", "falcon512.crt.pem", "falconpadded1024.pub.pem", "falconpadded1024.crt.pem"];
    directory.put("trusted", all.map(|name| directory.text(name)).concat());
    for (file, signature) in [("a", "a.sig"), ("msg.bin", "falcon512.raw.sig"), ("msg.bin", "falconpadded1024.raw.sig")]
    {
        let output = directory.run(&format!("verify --trusted-keys trusted -s {signature} {file}")).code(0);
        assert!(output.err.ends_with(&note), "{}", output.err);
    }
    // fndsa uses only the public key. It does not check the signature or the names in a
    // certificate.
    let mut changed = decode_pem(&directory, "falcon512.crt.pem");
    let last = changed.len() - 1;
    changed[last] ^= 1;
    directory.put("crt.der", changed);
    directory.run("verify -p crt.der -s falcon512.raw.sig msg.bin").code(0).err_has(NOTE);
    if !have("openssl") {
        return skip("certificates of other algorithms", "there is no openssl");
    }
    for (algorithm, words) in [("rsa:1024", "RSA"), ("ed448", "Ed448")] {
        let call =
            ProgramCall::new("openssl", directory.root()).args("req -x509 -nodes -subj /CN=a -keyout o.key -out o.pem");
        call.args(&format!("-newkey {algorithm}")).run().code(0);
        for line in ["inspect o.pem", "verify -p o.pem a", "convert o.pem --to pem -o no"] {
            directory.run(line).code(3).err_has(&format!("this is an X.509 certificate of {words}"));
        }
    }
}

/// `sign --print-mu` prints a note if the key comes from a certificate. The test builds a
/// certificate because no program makes FN-DSA certificates yet.
#[test]
fn a_mu_for_the_key_of_a_certificate_prints_the_note() {
    let directory = TestDirectory::ready();
    directory.run("convert k.pub --to spki-der -o spki").code(0);
    let (algorithm, name, validity) = (der_sequence(&[&oid("1.2.3")]), der_sequence(&[]), der_sequence(&[]));
    let signed = der_sequence(&[&[2, 1, 7], &algorithm, &name, &validity, &name, &directory.get("spki")]);
    directory.put("crt", der_sequence(&[&signed, &algorithm, &der(3, &[&[0, 1]])]));
    let plain = directory.run("sign --print-mu -p k.pub a").code(0).err_empty();
    let output = directory.run("sign --print-mu -p crt a").code(0);
    assert_eq!((output.out, output.err), (plain.out, format!("note: {NOTE}\n")));
    let json = directory.run("--json sign --print-mu -p crt a").code(0).err_empty().json();
    assert_eq!(json["warnings"], serde_json::json!([NOTE]));
}

#[test]
fn a_certificate_has_the_structure_of_its_standard() {
    let directory = directory_with_foreign_files();
    let (_, public) = raw_key_pair(&directory);
    let algorithm = der_sequence(&[&oid(OID_512)]);
    let name = der_sequence(&[&der(0x31, &[&der_sequence(&[&oid("2.5.4.3"), &der(12, &[b"a"])])])]);
    let time = der(23, &[b"260101000000Z"]);
    let validity = der_sequence(&[&time, &time]);
    let key = der_sequence(&[&algorithm, &der(3, &[&[0], &public])]);
    let (number, version): ([u8; 3], _) = ([2, 1, 7], |n| der(0xa0, &[&[2, 1, n]]));
    let fields = |algorithm: &[u8], name: &[u8]| [&number, algorithm, name, &validity, name, &key].concat();
    let plain = fields(&algorithm, &name);
    let bits = der(3, &[&[0, 1, 2]]);
    let certificate = |parts: &[&[u8]]| der_sequence(&[&der_sequence(parts), &algorithm, &bits]);
    let extensions = der(0xa3, &[&der_sequence(&[])]);
    for good in [
        certificate(&[&plain]),
        certificate(&[&version(1), &plain, &der(0x81, &[&[0, 1]]), &der(0x82, &[&[0, 1]])]),
        certificate(&[&version(2), &plain, &extensions]),
    ] {
        directory.put("x", &good);
        directory.run("convert -f x --to raw -o out").code(0);
        assert_eq!(directory.get("out"), public);
    }
    let deep = (0..1000).fold(vec![], |inner, _| der_sequence(&[&inner]));
    let wrong_value = der_sequence(&[&oid("1.3.9999.3.14")]);
    let with_null = der_sequence(&[&oid(OID_512), &[5, 0]]);
    let null_key = der_sequence(&[&with_null, &der(3, &[&[0], &public])]);
    for (case, bad) in [
        ("the default version", certificate(&[&version(0), &plain])),
        ("version 4", certificate(&[&version(3), &plain])),
        ("another signature algorithm", certificate(&[&version(2), &fields(&wrong_value, &name)])),
        (
            "a name that is no DER",
            certificate(&[&version(2), &fields(&algorithm, &der_sequence(&[&[12, 0x81, 1, 65]]))]),
        ),
        ("a deep name", certificate(&[&version(2), &fields(&algorithm, &deep)])),
        ("fields in another order", certificate(&[&plain, &extensions, &der(0x81, &[&[0, 1]])])),
        ("a field twice", certificate(&[&plain, &extensions, &extensions])),
        ("an unknown field", certificate(&[&plain, &der(0xa4, &[&der_sequence(&[])])])),
        ("parameters", certificate(&[&number, &algorithm, &name, &validity, &name, &null_key])),
        ("no bits", der_sequence(&[&der_sequence(&[&plain]), &algorithm, &der(3, &[&[1, 0]])])),
        ("something behind", [&certificate(&[&plain])[..], &[0]].concat()),
    ] {
        let base64 = STANDARD.encode(&bad);
        directory.put("x", &bad);
        directory.put("x.pem", format!("-----BEGIN CERTIFICATE-----\n{base64}\n-----END CERTIFICATE-----\n"));
        for line in ["inspect x", "inspect x.pem", "verify -p x a", "verify --trusted-keys x.pem a"] {
            let output = directory.run(line);
            assert!(output.code == 3 && output.err.contains("hint: "), "{case}: {line}: {output:?}");
        }
    }
}
