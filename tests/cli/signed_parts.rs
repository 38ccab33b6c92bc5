//! Tests that `sign` rejects a file that is the signed part of an X.509 document. A signature of
//! such a file would also be the document's signature. The files in tests/kat/x509 are from OpenSSL
//! and BouncyCastle.

use crate::harness::{TestDirectory, vectors};
use crate::messages::{MessageCase, row};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fs;
use std::path::{Path, PathBuf};

/// The X.509 documents: the file name, and the name that messages use.
const DOCUMENTS: [(&str, &str); 8] = [
    ("openssl-certificate", "an X.509 certificate"),
    ("openssl-certificate-v1", "an X.509 certificate"),
    ("openssl-request", "a certificate request"),
    ("openssl-request-empty", "a certificate request"),
    ("openssl-crl", "a certificate revocation list"),
    ("openssl-crl-empty", "a certificate revocation list"),
    ("openssl-ocsp-name", "an OCSP response"),
    ("openssl-ocsp-key", "an OCSP response"),
];
/// Signed parts in BER that OpenSSL accepts.
const IN_BER: [&str; 4] = ["ber-indefinite", "ber-nested", "ber-long-tag", "ber-constructed"];
/// The certificates and requests of BouncyCastle.
const OF_BOUNCYCASTLE: [&str; 4] = ["ed25519", "mldsa44", "mldsa65", "mldsa87"];

/// Returns the rows about signed parts for the message catalogue in `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    vec![
        row(
            "preimage",
            "sign -k k.key x",
            3,
            "x: the file is the signed part of an X.509 certificate, so an attacker could use its signature for this \
             document",
            "the author of the file may plan this misuse: put the file into an archive and sign the archive",
        )
        .file_x(vectors("x509/openssl-certificate.signed.der")),
    ]
}

/// Returns a DER element's header length and content length.
fn header(der: &[u8]) -> (usize, usize) {
    match der[1] {
        len @ 0..=0x7f => (2, usize::from(len)),
        len => {
            let end = 2 + usize::from(len & 0x7f);
            (end, der[2..end].iter().fold(0, |len, byte| len << 8 | usize::from(*byte)))
        }
    }
}

/// Returns the first element in a document, which is its signed part.
fn signed_part(document: &[u8]) -> Vec<u8> {
    let inner = &document[header(document).0..];
    let (header_len, len) = header(inner);
    inner[..header_len + len].to_vec()
}

/// Returns the signed parts, and the names that messages use for their documents.
fn signed_parts() -> Vec<(Vec<u8>, &'static str)> {
    let mut parts = Vec::new();
    for (name, document) in DOCUMENTS {
        let part = vectors(&format!("x509/{name}.signed.der"));
        assert_eq!(part, signed_part(&vectors(&format!("x509/{name}.der"))), "{name}");
        parts.push((part, document));
    }
    for name in IN_BER {
        parts.push((vectors(&format!("x509/{name}.signed.der")), "an X.509 certificate"));
    }
    for name in OF_BOUNCYCASTLE {
        parts.push((signed_part(&vectors(&format!("x509/{name}.crt.der"))), "an X.509 certificate"));
        parts.push((signed_part(&vectors(&format!("x509/{name}.csr.der"))), "a certificate request"));
    }
    parts
}

/// Returns a directory with the keys `k.key` (FN-DSA), `m.key` (ML-DSA), `e.key` (Ed25519) and
/// `c.key` (a composite), and a certificate for `e.key`.
fn directory() -> TestDirectory {
    let directory = TestDirectory::ready();
    for (algorithm, name) in [("ml-dsa-44", "m"), ("ed25519", "e"), ("ml-dsa-44-ed25519", "c")] {
        directory.run(&format!("keygen -a {algorithm} {name}")).code(0);
    }
    directory.run("request -k e.key --subject CN=a --self-signed 9 -o e.crt").code(0);
    directory
}

#[test]
fn signed_parts_are_not_signed() {
    let directory = directory();
    directory.put("n", "x\n");
    for (i, (part, document)) in signed_parts().iter().enumerate() {
        directory.put("x", part);
        let words = format!("the file is the signed part of {document}, so an attacker could use its signature");
        let keys = if i % 4 == 0 { &["k", "m", "e", "c"][..] } else { &["e"] };
        for key in keys {
            for line in ["x", "-j 2 x b", "--files-from n", "--format raw x", "--context a x", "-k k2.key x"] {
                directory.run(&format!("sign -f -k {key}.key {line}")).code(3).err_has(&words);
                assert!(!directory.has("x.sig"), "{key} {line} {document}");
            }
            directory.call(&format!("sign -k {key}.key -")).input(part.clone()).run().code(3).err_has(&words);
            // The input arrives in short pieces.
            directory.sh(&format!("dd bs=1 if=x 2>e | $FNDSA sign -k {key}.key -")).code(3);
            let message = STANDARD.encode(part);
            let requests = format!("{{\"path\":\"x\"}}\n{{\"path\":\"b\"}}\n{{\"message_b64\":\"{message}\"}}\n");
            let output = directory.call(&format!("sign -k {key}.key --stream")).input(requests).run().code(3);
            let answers: Vec<_> = output.out.lines().map(|answer| answer.contains("\"preimage\"")).collect();
            assert_eq!(answers, [true, false, true], "{key} {document}");
        }
        directory.run("sign -f -k e.key --prehash sha512 x").code(3).err_has(&words);
        directory.run("sign --print-mu -k m.key x").code(3).err_has(&words);
        directory.run("sign -f -k e.key --cms-direct --cert e.crt x").code(3).err_has(&words);
        // `sign` accepts the file in these formats, because a prefix or attributes precede the
        // message or its digest.
        for line in ["--dsse t x", "--jws x", "--ssh file -o s x", "--cms --cert e.crt x"] {
            directory.run(&format!("sign -f -k e.key {line}")).code(0);
        }
        directory.run("sign -f -k e.key -M S x").code(0);
    }
}

/// Returns all files below a directory.
fn files_below(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn other_files_are_signed() {
    let directory = directory();
    let mut requests = String::new();
    let mut add = |message: &[u8]| requests += &format!("{{\"message_b64\":\"{}\"}}\n", STANDARD.encode(message));
    for (part, _) in signed_parts() {
        let last = part.len() - 1;
        // A byte is missing or added, or the element is a SET.
        add(&part[..last]);
        add(&part[1..]);
        add(&[&part[..], b"\n"].concat());
        add(&[b"1", &part[1..]].concat());
    }
    let mut files = Vec::new();
    files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kat"), &mut files);
    files.retain(|path| !path.to_str().unwrap().ends_with(".signed.der"));
    assert!(files.len() > 100 && files.iter().any(|path| path.ends_with("x509/openssl-crl.der")));
    for path in files {
        requests += &format!("{{\"path\":{path:?}}}\n");
    }
    let output = directory.call("sign --stream -k e.key").input(requests).run();
    for answer in output.out.lines() {
        assert!(answer.contains("signature_b64"), "{answer}");
    }
    output.code(0);
}
