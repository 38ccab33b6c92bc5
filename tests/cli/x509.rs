//! Tests for certificates and certificate requests. The files of [`FILES`] in tests/kat/x509 are
//! from BouncyCastle. The crate `x509-cert` reads the files that fndsa writes.

use crate::containers::der;
use crate::harness::{SplitMixRng, TestDirectory, have, skip, vectors};
use crate::messages::{MessageCase, RunMethod, row};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fndsa::{Algorithm, Options, SigningKey};
use getrandom::SysRng;
use std::str::FromStr;
use x509_cert::Certificate;
use x509_cert::der::{Decode, DecodePem, Encode};
use x509_cert::name::Name;
use x509_cert::request::CertReq;

/// The algorithms of certificates.
const ALGORITHMS: [&str; 6] =
    ["ml-dsa-44", "ml-dsa-65", "ml-dsa-87", "ed25519", "ml-dsa-44-ed25519", "ml-dsa-65-ed25519"];
/// The file names in tests/kat/x509, without their endings.
const FILES: [&str; 4] = ["ed25519", "mldsa44", "mldsa65", "mldsa87"];
/// The line that `inspect` prints if the signature in a self-signed certificate or in a request is
/// valid.
const VALID: &str = "signature: valid for the key in the file";

/// Returns the rows about certificates for the message catalogue in `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    let mut changed = vectors("x509/ed25519.csr.der");
    *changed.last_mut().unwrap() ^= 1;
    let mut damaged = vectors("x509/ed25519.csr.der");
    // Byte 7 is the version of the request. The only valid version is 0.
    damaged[7] = 1;
    vec![
        row(
            "no_x509",
            "request -k k.key --subject CN=a -o n",
            2,
            "X.509 has no signatures of FN-DSA-512, because no object identifier is assigned",
            "make a key of ML-DSA, Ed25519 or a composite, for example with `fndsa keygen -a ml-dsa-65 NAME`",
        ),
        row(
            "x509",
            "inspect x",
            3,
            "x: this X.509 certificate or request cannot be read: the version is wrong, or does not allow a field of \
             this document",
            "the file is damaged, or its program does not write strict DER: ask its owner for another file",
        )
        .file_x(damaged),
        row(
            "self_signature",
            "inspect x",
            3,
            "x: the signature of this certificate request is not valid for the key in it",
            "the file was changed, or another key signed it: ask its owner for another file",
        )
        .file_x(changed),
        row(
            "usage",
            "request -k e.key --subject CN=a,O= -o n",
            2,
            "invalid value 'CN=a,O=' for '--subject <NAME>': O has no value",
            "",
        )
        .how(RunMethod::After("$FNDSA keygen -q -a ed25519 e")),
        row(
            "usage",
            "request -k e.key --subject CN=a/O=b -o n",
            2,
            "a value contains /O=, which is the form of OpenSSL: write a comma before O; if the slash belongs to the value, \
             write \\2F",
            "",
        )
        .how(RunMethod::After("$FNDSA keygen -q -a ed25519 e")),
    ]
}

/// Returns a directory with a new key pair `k`.
fn directory_with_key(algorithm: &str) -> TestDirectory {
    let directory = TestDirectory::empty();
    directory.run(&format!("keygen -q -a {algorithm} k")).code(0);
    directory
}

#[test]
fn files_of_bouncycastle_are_valid() {
    let directory = TestDirectory::empty();
    for name in FILES {
        let [certificate, request] = ["crt", "csr"].map(|kind| format!("{name}.{kind}.der"));
        for file in [&certificate, &request] {
            directory.put(file, vectors(&format!("x509/{file}")));
        }
        directory.put("spki", vectors(&format!("x509/{name}.spki.der")));
        let fingerprint = directory.run("inspect --json spki").code(0).json()["results"][0]["key"].clone();
        for file in [&certificate, &request] {
            directory
                .run(&format!("inspect {file}"))
                .code(0)
                .out_has(VALID)
                .out_has("subject: O=Vectors,CN=Format test");
            let document = directory.run(&format!("inspect --json {file}")).code(0).json();
            let result = &document["results"][0];
            assert_eq!(result["key"], fingerprint, "{file}");
            assert_eq!(result["x509"]["signature_valid"], true, "{file}");
        }
        let document = directory.run(&format!("inspect --json {certificate}")).code(0).json();
        let x509 = &document["results"][0]["x509"];
        assert_eq!(x509["issuer"], "O=Vectors,CN=Format test");
        assert_eq!(x509["serial"], "1092");
        assert_eq!(x509["not_before"], "2025-11-25T00:00:00Z");
        assert_eq!(x509["not_after"], "2035-11-25T00:00:00Z");
        assert_eq!(x509["key_usage"], serde_json::json!(["digitalSignature"]));
        assert_eq!((&x509["authority"], &x509["self_issued"]), (&false.into(), &true.into()));
        directory.run(&format!("inspect {certificate}")).out_has("key usage: digitalSignature\n").out_has("note: ");
    }
}

#[test]
fn attributes_after_a_slash_or_a_blank_are_not_one_value() {
    let directory = directory_with_key("ed25519");
    for subject in ["CN=a/O=b", "CN=a/o=b,C=DE", "CN=a,O=b/emailAddress=c@example.com"] {
        let output = directory.call("request -k k.key -o k.csr --subject").arg(subject).run().code(2);
        output.err_has("which is the form of OpenSSL: write a comma before");
        assert!(!directory.has("k.csr"));
    }
    for subject in ["CN=a O=b", "CN=a  o=b,C=DE", "CN=a,O=b emailAddress=c@example.com", r"CN=a\, O=b"] {
        let output = directory.call("request -k k.key -o k.csr --subject").arg(subject).run().code(2);
        output.err_has("= after a blank: write a comma before ");
        assert!(!directory.has("k.csr"));
    }
    for subject in
        ["CN=a, O=b", r"CN=a\20O=b,  C=DE", "CN=a b=c", "CN=a/b", r"CN=a\2FO=b", "CN=https://example.com/a?b=c"]
    {
        directory.call("request -f -k k.key -o k.csr --subject").arg(subject).run().code(0);
    }
    // fndsa still reads a value such as `a/O=b`, because another program may have written it.
    directory.call("request -f -k k.key -o k.csr --subject").arg(r"CN=a\2FO=b").run().code(0);
    directory.run("inspect k.csr").code(0).out_has("subject: CN=a/O=b\n");
}

#[test]
fn x509_cert_reads_written_files() {
    for algorithm in ALGORITHMS {
        let directory = directory_with_key(algorithm);
        let subject = r"CN=Release\, 1.2,OU=a,OU=b,O=Ü=x,C=DE";
        let name = Name::from_str(subject).unwrap();
        directory.call("request -k k.key -o k.csr --subject").arg(subject).run().code(0);
        directory.call("request k.key --self-signed 10000 -o k.crt --subject").arg(subject).run().code(0);
        directory.run("convert k.pub --to spki-der -o spki").code(0);
        let spki = directory.get("spki");
        let request = CertReq::from_pem(directory.get("k.csr")).unwrap();
        assert_eq!((&request.info.subject, request.info.attributes.len()), (&name, 0));
        assert_eq!(request.info.public_key.to_der().unwrap(), spki);
        let certificate = Certificate::from_pem(directory.get("k.crt")).unwrap();
        let fields = certificate.tbs_certificate();
        assert_eq!((fields.subject(), fields.issuer()), (&name, &name));
        assert_eq!(fields.subject_public_key_info().to_der().unwrap(), spki);
        assert_eq!(fields.signature(), certificate.signature_algorithm());
        assert!(certificate.signature_algorithm().parameters.is_none());
        let serial = fields.serial_number().as_bytes();
        assert!(serial.len() == 16 && (0x40..0x80).contains(&serial[0]), "{serial:x?}");
        let validity = fields.validity();
        let lifetime =
            validity.not_after.to_unix_duration().as_secs() - validity.not_before.to_unix_duration().as_secs();
        assert_eq!(lifetime, 10_001 * 24 * 60 * 60 - 1);
        let extensions: Vec<_> = fields.extensions().unwrap().iter().collect();
        let summary: Vec<_> = extensions.iter().map(|it| (it.extn_id.to_string(), it.critical)).collect();
        let expected = [("2.5.29.19", true), ("2.5.29.15", true), ("2.5.29.14", false)];
        assert_eq!(summary, expected.map(|(oid, critical)| (oid.to_owned(), critical)));
        assert_eq!(extensions[0].extn_value.as_bytes(), [0x30, 0]);
        assert_eq!(extensions[1].extn_value.as_bytes(), [3, 2, 7, 0x80]);
        for file in ["k.csr", "k.crt"] {
            directory.run(&format!("inspect {file}")).code(0).out_has(VALID).out_has(&format!("subject: {subject}\n"));
        }
        directory.run("inspect k.key k.csr").code(0).out_has("k.key and k.csr: a key pair");
        directory.run("inspect k.key k.crt").code(0).out_has("k.key and k.crt: a key pair");
        // `--format der` writes a request in DER instead of PEM.
        directory.run("request k.key --format der -o d --subject CN=a").code(0);
        directory.run("inspect d").code(0).out_has("certificate request in DER").out_has(VALID);
        CertReq::from_der(&directory.get("d")).unwrap();
    }
}

#[test]
fn openssl_verifies_ed25519() {
    if !have("openssl") {
        return skip("certificates of Ed25519", "openssl is missing");
    }
    let directory = directory_with_key("ed25519");
    directory.run("request k.key -o k.csr --subject CN=a,O=b").code(0);
    directory.run("request k.key --self-signed 1 -o k.crt --subject CN=a,O=b").code(0);
    directory.sh("openssl req -in k.csr -verify -noout -subject -nameopt RFC2253").code(0).out_has("subject=CN=a,O=b");
    directory.sh("openssl verify -x509_strict -check_ss_sig -CAfile k.crt k.crt").code(0).out_has("k.crt: OK");
    // fndsa reads requests with extensions, and certificates of certificate authorities.
    directory.put("c", "[req]\nprompt=no\ndistinguished_name=n\n[n]\nCN=x+y\n[e]\nkeyUsage=critical,keyCertSign,cRLSign,decipherOnly\n");
    directory.sh("openssl req -new -key k.key -config c -reqexts e -out o.csr").code(0);
    directory
        .run("inspect o.csr")
        .code(0)
        .out_has(VALID)
        .out_has(r"subject: CN=x\+y")
        .out_has("key usage: keyCertSign, cRLSign, decipherOnly\n");
    directory.sh("openssl req -x509 -key k.key -subj /CN=authority -out o.crt").code(0);
    directory
        .run("inspect o.crt")
        .code(0)
        .out_has(VALID)
        .out_has("key usage: not restricted; the key may sign certificates (CA)\n");
    // `inspect` does not verify the signature of a certificate that is not self-signed.
    directory.run("keygen -q -a ed25519 e").code(0);
    directory.run("request e.key -o e.csr --subject CN=end").code(0);
    directory.sh("openssl x509 -req -in e.csr -CA o.crt -CAkey k.key -CAcreateserial -out e.crt").code(0);
    directory
        .run("inspect e.crt")
        .code(0)
        .out_has("issuer: CN=authority")
        .out_has("signature: not checked, because the issuer is not the subject");
    assert!(directory.run("inspect --json e.crt").code(0).json()["results"][0]["x509"]["signature_valid"].is_null());
}

#[test]
fn wrong_command_lines_write_nothing() {
    let directory = directory_with_key("ml-dsa-44");
    for line in [
        "request -k k.key -o n",
        "request -k k.key -o n --subject CN",
        "request -k k.key -o n --subject CN=a,CN=b",
        "request -k k.key -o n --subject C=Germany",
        "request -k k.key -o n --subject CN=a --self-signed 0",
        "request -k k.key -o n --subject CN=a --self-signed 36526",
        "request -k k.key -o n --subject CN=a --format raw",
        "request k.key -k k.key -o n --subject CN=a",
        "request -k k.key -k k.key -o n --subject CN=a",
        "request -k k.key -o k.key --subject CN=a",
        "request --json -k k.key --subject CN=a",
        "request -o n --subject CN=a",
    ] {
        directory.run(line).code(2);
    }
    directory.run("request -k k.pub -o n --subject CN=a").code(3);
    assert!(!directory.has("n"));
    directory.put("n", "old");
    directory.run("request -k k.key -o n --subject CN=a").code(4);
    assert_eq!(directory.text("n"), "old");
    directory.run("request -f -k k.key -o n --subject CN=a").code(0);
    // Even with `--force`, `request` does not replace a key.
    directory.run("request -f -k k.key -o k.pub --subject CN=a").code(4);
}

#[test]
fn a_request_is_not_a_key_and_not_a_signature() {
    let directory = directory_with_key("ed25519");
    directory.run("request k.key -o r --subject CN=a").code(0);
    directory.run("request k.key -o d --format der --subject CN=a").code(0);
    directory.put("m", "message");
    directory.run("sign -k k.key m").code(0);
    for file in ["r", "d"] {
        for line in
            [format!("verify -p {file} m"), format!("verify -p k.pub -s {file} m"), format!("sign -f -k {file} m")]
        {
            let output = directory.run(&line).code(3);
            assert!(format!("{}{}", output.out, output.err).contains("a request for an X.509 certificate"), "{line}");
        }
    }
}

/// A name in a file cannot change the terminal, and cannot imitate a line of the output.
#[test]
fn names_are_escaped() {
    let key = SigningKey::generate(Algorithm::ED25519, &mut SysRng).unwrap();
    let directory = TestDirectory::empty();
    let name = "a\n\x1b[31msignature: valid\u{202e}";
    directory.put("r", request(&key, &der(0x31, &[&der(0x30, &[&[6, 3, 0x55, 4, 3], &der(12, &[name.as_bytes()])])])));
    let output = directory.run("inspect r").code(0).out_has(VALID);
    assert!(output.out.contains(r"subject: CN=a\0a\1b[31msignature: valid\u{202e}"), "{}", output.out);
    assert_eq!(output.out.lines().count(), 3);
}

/// Returns a certificate request in DER. `subject` is the content of the element for the subject.
fn request(key: &SigningKey, subject: &[u8]) -> Vec<u8> {
    let algorithm: &[u8] = &[0x30, 5, 6, 3, 0x2b, 0x65, 0x70];
    let bits = der(3, &[&[0], key.verifying_key().as_bytes()]);
    let signed = der(0x30, &[&[2, 1, 0], &der(0x30, &[subject]), &der(0x30, &[algorithm, &bits]), &[0xa0, 0]]);
    let signature = key.sign(Options::default(), &signed, &mut SysRng).unwrap();
    der(0x30, &[&signed, algorithm, &der(3, &[&[0], signature.as_bytes()])])
}

/// Changes each file 1,000 times: changes, inserts or removes a byte, cuts off the end, or adds
/// bytes. `inspect` must not report a valid signature, and must not crash.
#[test]
fn changed_files_are_never_valid() {
    for name in ["ed25519.crt", "ed25519.csr", "mldsa44.crt", "mldsa44.csr"] {
        let directory = TestDirectory::empty();
        let file = vectors(&format!("x509/{name}.der"));
        let mut random = SplitMixRng(7);
        let mut names = String::new();
        for i in 0..1000 {
            let mut changed = file.clone();
            let at = random.below(file.len());
            match i % 10 {
                0 => changed.truncate(at),
                1 => changed.extend_from_slice(&file[at..]),
                2 => drop(changed.remove(at)),
                3 => changed.insert(at, random.below(256) as u8),
                // Most of the structure is in the first 200 bytes.
                4..=6 => changed[at % 200] ^= 1 << random.below(8),
                _ => changed[at] ^= 1 << random.below(8),
            }
            if changed == file {
                continue;
            }
            let pem = i % 2 == 1;
            let label = if name.ends_with("crt") { "CERTIFICATE" } else { "CERTIFICATE REQUEST" };
            let text = format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", STANDARD.encode(&changed));
            directory.put(format!("{i}"), if pem { text.into_bytes() } else { changed });
            names += &format!(" {i}");
        }
        let output = directory.run(&format!("inspect{names}"));
        assert_eq!(output.code, 3, "{name}: {}", output.err);
        assert!(!output.out.contains(VALID), "{name}: {}", output.out);
        assert!(output.out.contains("signature: NOT valid"), "{name}");
        let document = directory.run(&format!("inspect --json{names}")).json();
        let results = document["results"].as_array().unwrap();
        assert!(results.len() > 990 && results.iter().all(|it| it["x509"]["signature_valid"] != true), "{name}");
        directory.put("original", &file);
        directory.run("inspect original").code(0).out_has(VALID);
    }
}
