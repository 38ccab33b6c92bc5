//! Tests for keys, certificates and signatures from oqs-provider and BouncyCastle: fndsa reads all
//! these files, and can write the keys with the same bytes.

use crate::containers::{der, oid};
use crate::harness::{ProgramCall, TestDirectory, body, have, skip};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::fs;
use std::path::Path;

const OQS: [(&str, &str, &str); 2] =
    [("falcon512", "Falcon-512", "1.3.9999.3.11"), ("falconpadded1024", "Falcon-1024", "1.3.9999.3.19")];
const NOTE: &str = "only the public key of a certificate is used; its signature, chain and dates are not checked";

/// Returns a directory with files from both programs: NAME.key.pem, NAME.pub.pem, NAME.crt.pem,
/// NAME.raw.sig, NAME.dgst-sha512.sig and msg.bin from oqs-provider, and bc.key, bc.pub, bc.msg and
/// bc.msg.sig from BouncyCastle.
fn directory_with_foreign_files() -> TestDirectory {
    let place = TestDirectory::ready();
    let kat = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kat");
    for entry in fs::read_dir(kat.join("oqs-provider")).unwrap() {
        let entry = entry.unwrap();
        place.put(entry.file_name(), fs::read(entry.path()).unwrap());
    }
    let text = fs::read(kat.join("bouncycastle/bcprov-1.86-falcon512.json")).unwrap();
    let vector = &serde_json::from_slice::<Value>(&text).unwrap()[0];
    for (name, member) in [("bc.key", "pkcs8"), ("bc.pub", "spki"), ("bc.msg", "message"), ("bc.msg.sig", "sig")] {
        let digits = vector[member].as_str().unwrap();
        let byte = |i: usize| u8::from_str_radix(&digits[i..i + 2], 16).unwrap();
        place.put(name, (0..digits.len()).step_by(2).map(byte).collect::<Vec<_>>());
    }
    place
}

/// Decodes the bytes in a PEM file.
fn decode_pem(place: &TestDirectory, name: &str) -> Vec<u8> {
    STANDARD.decode(body(&place.text(name))).unwrap()
}

/// Returns bc.key as a raw private key and a raw public key.
fn raw_key_pair(place: &TestDirectory) -> (Vec<u8>, Vec<u8>) {
    place.run("convert -f bc.key --to raw -o raw.key").code(0);
    place.run("convert -f bc.pub --to raw -o raw.pub").code(0);
    (place.get("raw.key"), place.get("raw.pub"))
}

fn der_sequence(parts: &[&[u8]]) -> Vec<u8> {
    der(0x30, parts)
}

/// Encodes PKCS#8 with `content` as the field `privateKey`.
fn encode_pkcs8(name: &str, content: &[u8]) -> Vec<u8> {
    der_sequence(&[&[2, 1, 0], &der_sequence(&[&oid(name)]), &der(4, &[content])])
}

const OID_512: &str = "1.3.9999.3.11";

#[test]
fn files_of_oqs_provider_are_read() {
    let place = directory_with_foreign_files();
    for (name, algorithm, oid) in OQS {
        let files = ["key", "pub", "crt"].map(|kind| format!("{name}.{kind}.pem"));
        let line = files.join(" ");
        let done =
            place.run(&format!("inspect {line}")).code(0).out_has(&format!("{algorithm} private key, PKCS#8 in PEM"));
        assert_eq!(done.out.matches(": a key pair\n").count(), 2, "{done:?}");
        assert_eq!(done.out.matches(&format!("OID {oid}, ")).count(), 3);
        done.out_has(&format!("{}: note: `fndsa verify` uses only the public key of a certificate; ", files[2]))
            .out_has("X.509 certificate in PEM \"CERTIFICATE\"");
        let json = place.run(&format!("--json inspect {line}")).code(0).json();
        let member = |i: usize, name: &str| json["results"][i][name].clone();
        assert!((0..3).all(|i| member(i, "key") == member(0, "key") && member(i, "oid") == oid));
        assert_eq!([0, 1, 2].map(|i| member(i, "encoding")), ["pkcs8", "spki", "certificate"]);
        assert_eq!([1, 2].map(|i| member(i, "label")), ["PUBLIC KEY", "CERTIFICATE"]);
        for public in &files[1..] {
            // `dgst -sha512 -sign` signs the digest as a message.
            for (signature, how) in [("raw", ""), ("dgst-sha512", "--prehash sha512")] {
                let line = format!("verify -p {public} -s {name}.{signature}.sig {how} msg.bin");
                place.run(&line).code(0).out_has(&format!("msg.bin: OK ({algorithm} "));
            }
            place.run(&format!("verify -p {public} -s {name}.dgst-sha512.sig msg.bin")).code(1);
            place.run(&format!("sign -f -k {} a", files[0])).code(0);
            place.run(&format!("verify -p {public} a")).code(0);
        }
    }
}

#[test]
fn files_of_bouncy_castle_are_read() {
    let place = directory_with_foreign_files();
    place.run("inspect bc.key bc.pub").code(0).out_has("a key pair").out_has("Falcon-512 private key, PKCS#8 in DER");
    place.run("verify -p bc.pub bc.msg").code(0).out_has("bc.msg: OK (Falcon-512 ");
    place.run("sign -f -k bc.key a").code(0);
    place.run("verify -p bc.pub a").code(0);
}

#[test]
fn written_files_equal_those_of_other_programs() {
    let place = directory_with_foreign_files();
    let same = |line: &str, original: &str| {
        place.remove("out");
        place.run(&format!("convert -f {line} -o out")).code(0);
        assert!(place.get("out") == place.get(original), "{line} is not {original}");
    };
    for (name, ..) in OQS {
        for (file, form) in [("key", "pkcs8"), ("pub", "spki")] {
            let original = format!("{name}.{file}.pem");
            same(&format!("{original} --to {form}"), &original);
            place.remove("der");
            place.run(&format!("convert {original} --to {form}-der -o der")).code(0);
            assert_eq!(place.get("der"), decode_pem(&place, &original));
            same(&format!("der --to {form}"), &original);
        }
        same(&format!("{name}.crt.pem --to spki"), &format!("{name}.pub.pem"));
        let public = place.run(&format!("pubkey -k {name}.key.pem --format spki")).code(0);
        assert_eq!(public.stdout, place.get(format!("{name}.pub.pem")));
        // Converts a key from one layout to the other and back, also with a password.
        place.remove("other");
        place.run(&format!("convert {name}.key.pem --to pkcs8 --layout bouncycastle -o other")).code(0);
        place.run("inspect other").code(0).out_has(", layout bouncycastle, ");
        place.run(&format!("inspect {name}.key.pem")).code(0).out_has(", layout oqs, ");
        assert_ne!(place.get("other"), place.get(format!("{name}.key.pem")));
        same("other --to pkcs8 --layout oqs", &format!("{name}.key.pem"));
    }
    same("bc.key --to pkcs8-der --layout bouncycastle", "bc.key");
    same("bc.pub --to spki-der", "bc.pub");
    place.run("convert bc.key --to pkcs8 -o oqs").code(0);
    same("oqs --to pkcs8-der --layout bouncycastle", "bc.key");
    // The output has the same OID as the file, unless an option sets the OID or the algorithm
    // changes.
    place.run("convert falconpadded1024.key.pem --to pkcs8 --oid 1.3.9999.3.14 -o n").code(0);
    place.run("inspect n").code(0).out_has("OID 1.3.9999.3.14, ");
    place.run("convert falconpadded1024.pub.pem --to spki -a fn-dsa-1024 -o m").code(0);
    place.run("inspect m").code(0).out_has("OID 2.25.").out_has("FN-DSA-1024");
}

#[test]
fn keys_of_falcon_have_the_usual_oid_and_layout() {
    let place = TestDirectory::empty();
    for (degree, oid) in [(512, OID_512), (1024, "1.3.9999.3.14")] {
        place.run(&format!("keygen -f -a falcon-{degree} --format pkcs8 n")).code(0);
        place.run("inspect n.key n.pub").code(0).out_has("a key pair").out_has(oid);
        place.remove("k");
        place.run("convert -f n.key --to raw -o k").code(0);
        place.run("convert -f n.pub --to raw -o p").code(0);
        assert_eq!(decode_pem(&place, "n.key"), encode_pkcs8(oid, &der(4, &[&place.get("k"), &place.get("p")])));
        if !have("openssl") {
            skip("the structure in another program", "there is no openssl");
            continue;
        }
        ProgramCall::new("openssl", place.root())
            .args("asn1parse -in n.key -strparse 16")
            .run()
            .code(0)
            .out_has("OCTET STRING");
    }
}

#[test]
fn every_layout_decodes_to_the_same_key() {
    let place = directory_with_foreign_files();
    let (key, public) = raw_key_pair(&place);
    let [f, g, big_f] = [&key[1..385], &key[385..769], &key[769..]].map(|part| der(4, &[part]));
    let polynomials: [&[u8]; 4] = [&[2, 1, 0], &f, &g, &big_f];
    let h = der_sequence(&[&der(4, &[&public[1..]])]);
    let embedded = |public: &[u8]| der(0x81, &[&[0], public]);
    let with = |content: &[u8], public: &[u8]| {
        der_sequence(&[&[2, 1, 1], &der_sequence(&[&oid(OID_512)]), &der(4, &[content]), &embedded(public)])
    };
    let both = der(4, &[&key, &public]);
    place.run("convert bc.key --to pem -o original").code(0);
    for (what, file) in [
        ("key and public key", encode_pkcs8(OID_512, &both)),
        ("the key in an OCTET STRING", encode_pkcs8(OID_512, &der(4, &[&key]))),
        ("the key", encode_pkcs8(OID_512, &key)),
        ("polynomials", encode_pkcs8(OID_512, &der_sequence(&polynomials))),
        ("polynomials and public key", encode_pkcs8(OID_512, &der_sequence(&[&polynomials.concat(), &h]))),
        ("an OID of padded signatures", encode_pkcs8("1.3.9999.3.16", &both)),
        ("an old OID", encode_pkcs8("1.3.9999.3.6", &both)),
        ("version 1", with(&der(4, &[&key]), &public)),
        ("version 1, twice the public key", with(&both, &public)),
    ] {
        place.put("x", file);
        place.remove("out");
        place.run("convert -f x --to pem -o out").code(0);
        assert!(place.get("out") == place.get("original"), "{what}");
        place.remove("out");
        place.run("convert -f x --to pkcs8-der --layout bouncycastle --oid 1.3.9999.3.11 -o out").code(0);
        assert!(place.get("out") == place.get("bc.key"), "{what}");
    }
    let mut other = public.clone();
    other[9] ^= 1;
    let mut h2 = h.clone();
    h2[20] ^= 1;
    let differs = "the public key in the file does not belong to the private key";
    let layout = "the layout of its private key is unknown";
    place.run("convert k.key --to raw -o fn.raw").code(0);
    let fn_dsa = place.get("fn.raw");
    let long = [&[4, 0x83, 0, (key.len() >> 8) as u8, key.len() as u8], &key[..]].concat();
    for (words, file) in [
        (differs, encode_pkcs8(OID_512, &der(4, &[&key, &other]))),
        (differs, encode_pkcs8(OID_512, &der_sequence(&[&polynomials.concat(), &h2]))),
        (differs, with(&key, &other)),
        ("two public keys", with(&both, &other)),
        ("the key does not have the degree of its OID", encode_pkcs8("1.3.9999.3.14", &both)),
        ("the key does not have the degree of its OID", encode_pkcs8("1.3.9999.3.19", &der_sequence(&polynomials))),
        ("bytes instead of", encode_pkcs8(OID_512, &der(4, &[&both[4..], &[0]]))),
        ("bytes instead of", encode_pkcs8(OID_512, &der(4, &[&key[..1280]]))),
        ("bytes instead of", encode_pkcs8(OID_512, &[&key[..], &public].concat())),
        ("bytes instead of", encode_pkcs8(OID_512, &der(4, &[&fn_dsa]))),
        ("bytes instead of", encode_pkcs8(OID_512, &fn_dsa)),
        (layout, encode_pkcs8(OID_512, &[&both[..], &[5, 0]].concat())),
        (layout, encode_pkcs8(OID_512, &der(3, &[&[0], &key]))),
        (layout, encode_pkcs8(OID_512, &long)),
        (layout, encode_pkcs8(OID_512, &der_sequence(&[&[2, 1, 1], &f, &g, &big_f]))),
        (layout, encode_pkcs8(OID_512, &der_sequence(&[&f, &g, &big_f]))),
        (layout, encode_pkcs8(OID_512, &der_sequence(&[&[2, 1, 0], &f, &g]))),
        (layout, encode_pkcs8(OID_512, &der_sequence(&[&polynomials.concat(), &h, &h]))),
        (layout, encode_pkcs8(OID_512, &der_sequence(&[&polynomials.concat(), &der(4, &[&public[1..]])]))),
        (layout, encode_pkcs8(OID_512, &der_sequence(&[&polynomials.concat(), &der_sequence(&[])]))),
        (layout, encode_pkcs8(OID_512, &der_sequence(&[&[2, 1, 0], &der(4, &[&key[1..384]]), &g, &big_f]))),
        (layout, encode_pkcs8(OID_512, &der_sequence(&[&[2, 1, 0], &f, &g, &der(4, &[&key[770..]])]))),
        (
            differs,
            encode_pkcs8(OID_512, &der_sequence(&[&polynomials.concat(), &der_sequence(&[&der(4, &[&public])])])),
        ),
    ] {
        place.put("x", file);
        let done = place.run("inspect x");
        // If a layout does not start like DER, fndsa assumes a raw key and rejects the first byte.
        let known = done.err.contains(words) || words == layout && done.err.contains("first byte");
        assert!(done.code == 3 && known && done.err.contains("hint: "), "{words}: {done:?}");
        place.run("sign -k x -o s a").code(3);
    }
}

#[test]
fn a_password_changes_only_the_encryption() {
    let place = directory_with_foreign_files();
    place.put("pw", "pw\n");
    place.put("pw2", "pw2\n");
    // With CBC, the length of the encrypted file depends on the layout. So equal lengths show that
    // `passwd` keeps the layout.
    for (file, back) in [("falconpadded1024.key.pem", "--to pkcs8"), ("bc.key", "--to pkcs8-der --layout bouncycastle")]
    {
        place.run(&format!("passwd {file} -o {file}.enc --new-password-file pw")).code(0);
        place.run(&format!("convert {file} {back} --encrypt --new-password-file pw -o same")).code(0);
        assert_eq!(place.get(format!("{file}.enc")).len(), place.get("same").len());
        place.run(&format!("passwd {file}.enc --password-file pw --new-password-file pw2")).code(0);
        assert_eq!(place.get(format!("{file}.enc")).len(), place.get("same").len());
        place.run(&format!("convert {file}.enc {back} --password-file pw2 -o out")).code(0);
        assert_eq!(place.get("out"), place.get(file));
        ["same", "out"].iter().for_each(|name| fs::remove_file(place.path(name)).unwrap());
    }
    place.run("keygen -a falcon-512 --encrypt --password-file pw n").code(0);
    place
        .run("inspect n.key n.pub --password-file pw")
        .code(0)
        .out_has("a key pair")
        .out_has(OID_512)
        .out_has("Falcon-512");
    place.run("passwd n.key --password-file pw --remove").code(0);
    assert!(place.text("n.key").contains("-----BEGIN FALCON PRIVATE KEY"));
}

#[test]
fn only_the_public_key_of_a_certificate_is_used() {
    let place = directory_with_foreign_files();
    let note = format!("note: {NOTE}\n");
    for (name, ..) in OQS {
        let (crt, public) = (format!("{name}.crt.pem"), format!("{name}.pub.pem"));
        place.put("crt.der", decode_pem(&place, &crt));
        for file in [&crt, "crt.der"] {
            // The certificates are self-signed, so they are also CA certificates.
            let said = place.run(&format!("verify -p {file} -s {name}.raw.sig msg.bin")).code(0).err;
            assert!(
                said.ends_with(&note)
                    && said.contains(": this is a CA certificate, and fndsa accepts its key as a")
                    && said.lines().count() == 2,
                "{said}"
            );
            for form in ["pem", "raw", "spki", "spki-der"] {
                assert_eq!(place.run(&format!("convert -f {file} --to {form} -o out")).code(0).err, note);
                place.run(&format!("convert -f {public} --to {form} -o out2")).code(0).err_empty();
                assert_eq!(place.get("out"), place.get("out2"));
            }
            place.run(&format!("convert {file} --to pkcs8 -o no")).code(2).err_has("a public key has no PKCS#8");
            place.run(&format!("sign -k {file} a")).code(3).err_has("this is a public key, not a private key");
        }
        place.run(&format!("-q verify -p {crt} -s {name}.raw.sig msg.bin")).code(0).err_empty();
        for line in [format!("verify -p {crt} -s {name}.raw.sig msg.bin"), format!("convert -f {crt} --to pem -o out")]
        {
            let json = place.run(&format!("--json {line}")).code(0).err_empty().json();
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
        place.run("inspect crt.der").code(0).out_has("X.509 certificate in DER");
    }
    let all = ["k.pub", "falcon512.crt.pem", "falconpadded1024.pub.pem", "falconpadded1024.crt.pem"];
    place.put("trusted", all.map(|name| place.text(name)).concat());
    for (file, signature) in [("a", "a.sig"), ("msg.bin", "falcon512.raw.sig"), ("msg.bin", "falconpadded1024.raw.sig")]
    {
        let done = place.run(&format!("verify --trusted-keys trusted -s {signature} {file}")).code(0);
        assert!(done.err.ends_with(&note), "{}", done.err);
    }
    // fndsa uses only the public key. It does not check the signature or the names in a
    // certificate.
    let mut changed = decode_pem(&place, "falcon512.crt.pem");
    let last = changed.len() - 1;
    changed[last] ^= 1;
    place.put("crt.der", changed);
    place.run("verify -p crt.der -s falcon512.raw.sig msg.bin").code(0).err_has(NOTE);
    if !have("openssl") {
        return skip("certificates of other algorithms", "there is no openssl");
    }
    for (algorithm, words) in [("rsa:1024", "RSA"), ("ed448", "Ed448")] {
        let call =
            ProgramCall::new("openssl", place.root()).args("req -x509 -nodes -subj /CN=a -keyout o.key -out o.pem");
        call.args(&format!("-newkey {algorithm}")).run().code(0);
        for line in ["inspect o.pem", "verify -p o.pem a", "convert o.pem --to pem -o no"] {
            place.run(line).code(3).err_has(&format!("this is an X.509 certificate of {words}"));
        }
    }
}

/// `sign --print-mu` prints a note if the key comes from a certificate. The test builds a
/// certificate because no program makes FN-DSA certificates yet.
#[test]
fn a_mu_for_the_key_of_a_certificate_prints_the_note() {
    let place = TestDirectory::ready();
    place.run("convert k.pub --to spki-der -o spki").code(0);
    let (algorithm, name, validity) = (der_sequence(&[&oid("1.2.3")]), der_sequence(&[]), der_sequence(&[]));
    let signed = der_sequence(&[&[2, 1, 7], &algorithm, &name, &validity, &name, &place.get("spki")]);
    place.put("crt", der_sequence(&[&signed, &algorithm, &der(3, &[&[0, 1]])]));
    let plain = place.run("sign --print-mu -p k.pub a").code(0).err_empty();
    let done = place.run("sign --print-mu -p crt a").code(0);
    assert_eq!((done.out, done.err), (plain.out, format!("note: {NOTE}\n")));
    let json = place.run("--json sign --print-mu -p crt a").code(0).err_empty().json();
    assert_eq!(json["warnings"], serde_json::json!([NOTE]));
}

#[test]
fn a_certificate_has_the_structure_of_its_standard() {
    let place = directory_with_foreign_files();
    let (_, public) = raw_key_pair(&place);
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
        place.put("x", &good);
        place.run("convert -f x --to raw -o out").code(0);
        assert_eq!(place.get("out"), public);
    }
    let deep = (0..1000).fold(vec![], |inner, _| der_sequence(&[&inner]));
    let other = der_sequence(&[&oid("1.3.9999.3.14")]);
    let with_null = der_sequence(&[&oid(OID_512), &[5, 0]]);
    let null_key = der_sequence(&[&with_null, &der(3, &[&[0], &public])]);
    for (what, bad) in [
        ("the default version", certificate(&[&version(0), &plain])),
        ("version 4", certificate(&[&version(3), &plain])),
        ("another signature algorithm", certificate(&[&version(2), &fields(&other, &name)])),
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
        place.put("x", &bad);
        place.put("x.pem", format!("-----BEGIN CERTIFICATE-----\n{base64}\n-----END CERTIFICATE-----\n"));
        for line in ["inspect x", "inspect x.pem", "verify -p x a", "verify --trusted-keys x.pem a"] {
            let done = place.run(line);
            assert!(done.code == 3 && done.err.contains("hint: "), "{what}: {line}: {done:?}");
        }
    }
}
