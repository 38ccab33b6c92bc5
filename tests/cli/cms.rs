//! Tests for CMS signatures and signed kernel modules. The files in tests/kat/cms are from
//! BouncyCastle, except the Ed25519 signatures, which OpenSSL made.

use crate::cms_parts::CmsParts;
use crate::harness::{TestDirectory, vectors};
use crate::messages::{MessageCase, RunMethod, row};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fndsa::files::kernel_module::SignedModule;

/// The algorithms: the name in file names, and the name in messages.
const SETS: [(&str, &str); 3] = [("mldsa44", "ML-DSA-44"), ("mldsa65", "ML-DSA-65"), ("mldsa87", "ML-DSA-87")];

/// The start of each command that signs with the private key `k.p8` and its certificate `c.crt`.
const SIGN: &str = "sign -f -k k.p8 --cert c.crt";

/// The certificate for the private key in tests/kat/cms/ed25519.p8.der.
const CERTIFICATE: &str = "-----BEGIN CERTIFICATE-----\n\
    MIIBETCBxKADAgECAgIQkjAFBgMrZXAwKDEUMBIGA1UEAwwLRm9ybWF0IHRlc3Qx\n\
    EDAOBgNVBAoMB1ZlY3RvcnMwHhcNMjUxMTI1MDAwMDAwWhcNMzUxMTI1MDAwMDAw\n\
    WjAoMRQwEgYDVQQDDAtGb3JtYXQgdGVzdDEQMA4GA1UECgwHVmVjdG9yczAqMAUG\n\
    AytlcAMhAEwT8Fu9cHIrrRWqZLITQ+16DymO1JK+Fr9oO0rKyJ6roxIwEDAOBgNV\n\
    HQ8BAf8EBAMCB4AwBQYDK2VwA0EACsmmFqlcZRl/Faq/AncgyH0+fEp8wdLo2k5C\n\
    WzxgjNuTMdOJwYYnC5cye/S9t+CQh8y49kbJ7LOL3yvxe0RlBQ==\n\
    -----END CERTIFICATE-----\n";

/// A shell line that writes the private key for [`CERTIFICATE`] to `c.key`, and makes another key,
/// `e.key`.
const KEYS: &str = "printf -- '-----BEGIN PRIVATE KEY-----\\nMC4CAQAwBQYDK2VwBCIEIFPx4zArS7AlDSaUIeS3ciSighfdUzXABBZdJjg8jNOl\\n-----END PRIVATE KEY-----\\n' >c.key && $FNDSA keygen -q -a ed25519 e";

/// Returns the rows about CMS signatures for the message catalogue in `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    let input = |reason, line: &str, words, hint| row(reason, line, 3, words, hint).how(RunMethod::After(KEYS));
    let misuse = |reason, line: &str, words, hint| row(reason, line, 2, words, hint).how(RunMethod::After(KEYS));
    vec![
        misuse(
            "no_cms",
            "sign -f -k k.key --cms --cert x a",
            "CMS has no signatures of FN-DSA-512, only of ML-DSA and Ed25519: FN-DSA has no registered object identifier \
             yet",
            "make a key with `fndsa keygen -a ml-dsa-65 NAME`, and a certificate for it",
        )
        .file_x(CERTIFICATE),
        misuse(
            "no_certificate",
            "sign -f -k e.key --cms --cert x a",
            "x: the certificate is not for one of the keys that sign",
            "give only the certificates of the keys that sign",
        )
        .file_x(CERTIFICATE),
        misuse(
            "no_certificate",
            "sign -f -k c.key -k e.key --cms --cert x a",
            "no certificate of --cert is for this private key",
            "give also the certificate of this key",
        )
        .file_x(CERTIFICATE),
        misuse(
            "no_certificate",
            "sign -f -k e.key --cms a",
            "a CMS signature names the certificate of its key, and no certificate is given",
            "name the certificate with --cert FILE; `fndsa request -k KEY --subject CN=NAME --self-signed DAYS -o FILE` makes",
        ),
        input(
            "cms",
            "verify --cms -p e.pub -s x a",
            "x: this is not a CMS signature that fndsa can verify: the file is an e-mail (S/MIME) and not a CMS file",
            "write its CMS file with `openssl cms -cmsout -in MAIL -outform DER -out NEW.p7m`",
        )
        .file_x("From: a\nMIME-Version: 1.0\nContent-Type: multipart/signed\n\ntext\n"),
        input(
            "cms",
            "verify --cms -p e.pub -s x a",
            "x: this is not a CMS signature that fndsa can verify: the file is empty",
            "get the signature again",
        ),
        input(
            "cms",
            "verify --cms -p e.pub -s x a",
            "x: this is not a CMS signature that fndsa can verify: the file is not CMS: it is not a SEQUENCE with an object \
             identifier",
            "this file is 4 bytes of text: give the file with the signature",
        )
        .file_x("text"),
        input(
            "not_a_certificate",
            "sign -f -k e.key --cms --cert e.pub a",
            "e.pub: this is a public key and not a certificate",
            "give a file with one X.509 certificate, for the private key",
        ),
        input(
            "preimage",
            "sign -f -k e.key x",
            "x: the file begins with attributes of CMS, so an attacker could use its signature for another file",
            "put the file into an archive and sign the archive",
        )
        .file_x("1\x040\x02\x06\0"),
        input(
            "no_module",
            "sign -f -k c.key --kernel-module --cert x a",
            "a: this is not a kernel module",
            "give an uncompressed module (.ko)",
        )
        .file_x(CERTIFICATE),
        input(
            "no_module_signature",
            "verify --kernel-module -p e.pub a",
            "a: the file does not end with the signature of a kernel module",
            "give a module that `scripts/sign-file` or `fndsa sign --kernel-module` signed",
        ),
    ]
}

/// Returns a directory with files from tests/kat/cms for an algorithm, such as `mldsa44`: the
/// private key `k.p8`, its certificate `c.crt` and the message `m`. The file `other` is a second
/// message.
fn directory_with_vectors(set: &str) -> TestDirectory {
    let directory = TestDirectory::empty();
    directory.put("k.p8", vectors(&format!("cms/{set}.p8.der")));
    directory.put("c.crt", vectors(&format!("cms/{set}.crt.der")));
    directory.put("m", vectors("cms/msg.txt"));
    directory.put("other", "another message");
    directory
}

#[test]
fn signatures_of_bouncycastle_are_verified() {
    for (set, name) in SETS {
        let directory = directory_with_vectors(set);
        for kind in ["attrs", "direct"] {
            directory.put("m.p7s", vectors(&format!("cms/{set}.{kind}.detached.p7s")));
            directory.run("verify --cms -p c.crt m").code(0).out_has(&format!("m: OK ({name} sha256:"));
            directory.run("verify --cms --trusted-keys c.crt m").code(0);
            let rejected = directory.run("verify --cms -p c.crt -s m.p7s other").code(1);
            rejected.out_has("signature does not match the file and the key").err_has(match kind {
                "attrs" => "hint: the message was changed",
                _ => "hint: the file was changed, or another key",
            });
            directory
                .run("verify --cms --attached -p c.crt m.p7s")
                .code(3)
                .out_has("the file does not contain the message");
            directory.put("all.p7m", vectors(&format!("cms/{set}.{kind}.attached.p7s")));
            directory.run("verify --cms --attached -p c.crt -o out -f all.p7m").code(0).out_has("all.p7m: OK");
            assert_eq!(directory.get("out"), directory.get("m"));
            let contains = directory.run("verify --cms -p c.crt -s all.p7m m").code(3);
            contains.out_has("the file contains the message").err_has("give the file as FILE, and add --attached");
            let changed: Vec<_> = directory.get("all.p7m");
            let at = changed.windows(7).position(|part| part == b"release").unwrap();
            directory.put("changed.p7m", [&changed[..at], b"R", &changed[at + 1..]].concat());
            directory.run("verify --cms --attached -p c.crt -o no changed.p7m").code(1).out_has("changed.p7m: FAILED");
            assert!(!directory.has("no"));
        }
        for (other, _) in SETS {
            if other != set {
                directory.put("o.crt", vectors(&format!("cms/{other}.crt.der")));
                directory.run("verify --cms -p o.crt m").code(1).out_has("the signature is ML-DSA-");
            }
        }
    }
}

/// fndsa verifies Ed25519 signatures in CMS files from OpenSSL.
#[test]
fn signatures_of_ed25519_are_verified() {
    let directory = directory_with_vectors("ed25519");
    directory.put("m.p7s", vectors("cms/ed25519.attrs.detached.p7s"));
    directory.put("all.p7m", vectors("cms/ed25519.attrs.attached.p7s"));
    directory.run("verify --cms -p c.crt m").code(0).out_has("m: OK (Ed25519 sha256:");
    directory.run("verify --cms -p c.crt -s m.p7s other").code(1);
    directory.run("verify --cms --attached -p c.crt all.p7m").code(0);
}

#[test]
fn inspect_describes_cms_signatures() {
    let directory = directory_with_vectors("mldsa65");
    directory.put("m.p7s", vectors("cms/mldsa65.attrs.detached.p7s"));
    let text = "m.p7s: ML-DSA-65 signature, CMS signature of a separate file, signed attributes with sha512, 3309 bytes, by \
                the serial number 1092 (not proven), 1 certificate in the file";
    directory.run("inspect m.p7s").code(0).out_has(text);
    directory.put("all.p7s", vectors("cms/mldsa65.direct.attached.p7s"));
    directory.run("inspect all.p7s").code(0).out_has("CMS signature of the message in the file, no signed attributes");
    let json = directory.run("--json inspect m.p7s").code(0).json();
    let entry = &json["results"][0];
    assert_eq!((entry["encoding"].as_str(), entry["hash"].as_str()), (Some("cms"), Some("sha512")), "{json}");
    assert_eq!(entry["claims"]["serial"], "1092");
    directory.put("bad.p7s", &directory.get("m.p7s")[..900]);
    let damaged = directory.run("inspect bad.p7s").code(3);
    damaged.err_has("the file is cut off").err_has("the file is damaged: copy or download it again");
}

#[test]
fn new_signatures_are_verified_and_inspected() {
    for (set, name) in SETS {
        let directory = directory_with_vectors(set);
        directory.run(&format!("{SIGN} --cms m")).code(0).err_has("wrote m.p7s");
        directory.run("verify --cms -p c.crt m").code(0).out_has(&format!("m: OK ({name} sha256:"));
        directory.run("verify --cms -p c.crt -s m.p7s other").code(1);
        directory.run("inspect m.p7s").code(0).out_has("signed attributes with sha512");
        directory.run(&format!("{SIGN} --cms-direct m")).code(0);
        directory.run("verify --cms -p c.crt m").code(0);
        directory.run("verify --cms -p c.crt -s m.p7s other").code(1);
        directory.run("inspect m.p7s").code(0).out_has("no signed attributes");
    }
}

#[test]
fn a_message_is_written_into_the_file() {
    for (set, name) in SETS {
        let directory = directory_with_vectors(set);
        for (mode, text) in [("--cms", "signed attributes with sha512"), ("--cms-direct", "no signed attributes")] {
            directory.run(&format!("{SIGN} {mode} --attached m")).code(0).err_has("wrote m.p7m");
            let output = directory.run("verify --cms --attached -p c.crt -f -o out m.p7m").code(0);
            output.out_has(&format!("m.p7m: OK ({name} sha256:"));
            assert_eq!(directory.get("out"), directory.get("m"));
            directory.run("inspect m.p7m").code(0).out_has("CMS signature of the message in the file").out_has(text);
            // The signature covers the same bytes, whether the CMS file contains the message or
            // not. So the signature is also valid in a CMS file without the message, which
            // `sign --signature` writes.
            let file = fndsa::files::cms::CmsFile::read(&directory.get("m.p7m")).unwrap();
            directory.put("raw", &file.signatures[0].signature);
            directory.run(&format!("sign -f -p c.crt --signature raw {mode} --cert c.crt m")).code(0);
            directory.run("verify --cms -p c.crt m").code(0);
            directory.run("verify --cms -p c.crt -s m.p7m m").code(3).out_has("the file contains the message");
            let changed = directory.get("m.p7m");
            let at = changed.windows(7).position(|part| part == b"release").unwrap();
            directory.put("changed.p7m", [&changed[..at], b"R", &changed[at + 1..]].concat());
            directory.run("verify --cms --attached -p c.crt changed.p7m").code(1).out_has("changed.p7m: FAILED");
        }
        directory.put("empty", "");
        directory.run(&format!("{SIGN} --cms --attached empty")).code(0);
        directory.run("verify --cms --attached -p c.crt -f -o out empty.p7m").code(0);
        assert_eq!(directory.get("out"), b"");
    }
    let directory = directory_with_vectors("mldsa44");
    // With `--cms-direct`, the signature covers the message itself. So `sign` rejects messages that
    // start like the attributes of a CMS file or like the signed bytes of a DSSE envelope. With
    // `--cms`, the signature covers attributes that contain the digest of the message.
    for (start, words) in
        [("1\x0f0\x0d\x06\x09", "begins with attributes of CMS"), ("DSSEv1 1 a 1 b", "a DSSE envelope")]
    {
        directory.put("t", start);
        directory.run(&format!("{SIGN} --cms-direct --attached t")).code(3).err_has(words);
        directory.run(&format!("{SIGN} --cms --attached t")).code(0);
        directory.run("verify --cms --attached -p c.crt t.p7m").code(0);
    }
    // `--force` also replaces a large file from an earlier run.
    directory.put("large", vec![5; 3 << 20]);
    for _ in 0..2 {
        directory.run(&format!("{SIGN} --cms --attached large")).code(0);
    }
    directory.run("verify --cms --attached -p c.crt large.p7m").code(0);
    for line in ["--attached", "--kernel-module --cert c.crt --attached", "--jws --attached", "--ssh file --attached"] {
        directory.run(&format!("sign -k k.p8 {line} m")).code(2);
    }
}

#[test]
fn several_keys_sign_one_file() {
    let directory = directory_with_vectors("mldsa44");
    directory.put("k2.p8", vectors("cms/mldsa87.p8.der"));
    directory.put("c2.crt", vectors("cms/mldsa87.crt.der"));
    directory.put("k3.p8", vectors("cms/ed25519.p8.der"));
    directory.put("c3.crt", vectors("cms/ed25519.crt.der"));
    // The certificates can be in a different order than the keys.
    for mode in ["--cms", "--cms-direct"] {
        directory
            .run(&format!("sign -f -k k.p8 -k k2.p8 -k k3.p8 --cert c3.crt --cert c.crt --cert c2.crt {mode} m"))
            .code(0);
        directory.run("verify --cms -p c.crt -p c2.crt -p c3.crt --require all m").code(0);
        directory.run("verify --cms -p c2.crt m").code(0);
        directory.run("verify --cms -p c.crt -p c2.crt -p c3.crt --require all -s m.p7s other").code(1);
        directory.run("inspect m.p7s").code(0).out_has("Ed25519 signature").out_has("ML-DSA-87 signature");
        directory.run(&format!("sign -f -k k.p8 -k k2.p8 --cert c.crt --cert c2.crt {mode} --attached m")).code(0);
        directory.run("verify --cms --attached -p c.crt -p c2.crt --require all m.p7m").code(0);
    }
    directory.run("sign -f -k k.p8 --cert c.crt --cms m").code(0);
    directory.run("verify --cms -p c.crt -p c2.crt --require all m").code(1);
}

#[test]
fn each_key_needs_its_certificate() {
    let directory = directory_with_vectors("mldsa44");
    directory.put("o.crt", vectors("cms/mldsa65.crt.der"));
    directory
        .run("sign -k k.p8 --cms --cert o.crt m")
        .code(2)
        .err_has("the certificate is not for one of the keys that sign");
    directory
        .run("sign -k k.p8 --cms --cert c.crt --cert c.crt m")
        .code(2)
        .err_has("c.crt: another certificate is for the same key\nhint: give one certificate for each key");
    directory.put("k2.p8", vectors("cms/mldsa65.p8.der"));
    directory
        .run("sign -k k.p8 -k k2.p8 --cms --cert c.crt m")
        .code(2)
        .err_has("error: k2.p8 (sha256:")
        .err_has("no certificate of --cert is for this private key");
    directory.run("sign -k k.p8 --cms m").code(2).err_has("--cert");
    directory.run("sign -k k.p8 --cert c.crt m").code(2).err_has("--cms");
    directory.run("sign -k k.p8 --cms --cms-direct --cert c.crt m").code(2);
    directory.run("sign -k k.p8 --cms --cert c.crt -o c.crt m").code(2).err_has("the output is also an input");
    for option in
        ["--context x", "--prehash sha512", "--ssh file", "--jws", "--add", "--print-mu", "--format raw", "-M list"]
    {
        directory.run(&format!("sign -k k.p8 --cms --cert c.crt {option} m")).code(2);
    }
    for option in
        ["--context x", "--prehash sha512", "--ssh file", "--jws", "--dsse a/b", "--kernel-module", "--explain"]
    {
        directory.run(&format!("verify --cms -p c.crt {option} m")).code(2);
    }
    assert!(!directory.has("m.p7s"));
}

#[test]
fn a_signature_of_another_program_is_written() {
    let directory = directory_with_vectors("mldsa44");
    directory.run("sign -k k.p8 --format raw m").code(0);
    directory.run("sign -p c.crt --signature m.sig --cms-direct --cert c.crt m").code(0);
    directory.run("verify --cms -p c.crt m").code(0);
    directory
        .run("sign -f -p c.crt --signature m.sig --cms --cert c.crt m")
        .code(3)
        .err_has("has not made this signature");
}

/// A CMS signature with attributes covers the encoded attributes, a SET in DER. So the signature is
/// also valid for a file that consists of these bytes, although the signer never signed this file.
/// Therefore, `sign` rejects such a file.
#[test]
fn attributes_are_no_message() {
    let directory = directory_with_vectors("mldsa44");
    directory.put("m.p7s", vectors("cms/mldsa44.attrs.detached.p7s"));
    let file = fndsa::files::cms::CmsFile::read(&directory.get("m.p7s")).unwrap();
    let attributes = file.attributes.unwrap();
    let message = [attributes.prefix, attributes.digest, attributes.suffix].concat();
    directory.put("set", &message);
    directory.run("verify -a ml-dsa-44 -p c.crt -s raw.sig set").code(4);
    // `raw.sig` is the signature over the attributes, so it is valid for a file with these bytes.
    directory.put("raw.sig", &file.signatures[0].signature);
    directory.run("verify -p c.crt -s raw.sig set").code(0);
    for mode in ["--cms-direct --cert c.crt", "", "--format raw", "--context x"] {
        let output = directory.run(&format!("sign -f -k k.p8 {mode} set"));
        output.code(3).err_has("the file begins with attributes of CMS");
    }
    let mut parts = CmsParts::direct();
    parts.signature.clone_from(&file.signatures[0].signature);
    directory.put("set.p7s", parts.file());
    directory.run("verify --cms -p c.crt set").code(1).out_has("signature does not match");
    parts.message = Some(message);
    directory.put("set.p7m", parts.file());
    directory.run("verify --cms --attached -p c.crt set.p7m").code(3).out_has("the message is a SET of attributes");
}

#[test]
fn a_kernel_module_is_signed_and_verified() {
    let directory = directory_with_vectors("mldsa44");
    let module = b"\x7fELF a module";
    directory.put("m.ko", module);
    directory.run(&format!("{SIGN} --kernel-module m.ko")).code(0).err_has("wrote m.ko.signed");
    let signed = directory.get("m.ko.signed");
    let SignedModule { module: start, signature } = SignedModule::split(&signed).unwrap();
    assert_eq!(start, module);
    directory.run("verify --kernel-module -p c.crt -o out m.ko.signed").code(0).out_has("m.ko.signed: OK");
    assert_eq!(directory.get("out"), module);
    // The end of the file is the kernel's `struct module_signature` (12 bytes), and then a marker.
    let len = (signature.len() as u32).to_be_bytes();
    let end = [&[0, 0, 2, 0, 0, 0, 0, 0][..], &len, b"~Module signature appended~\n"].concat();
    assert!(signed.ends_with(&end) && signed.len() == module.len() + signature.len() + end.len());
    // The appended signature is a CMS file for the unsigned module.
    directory.put("m.ko.p7s", signature);
    directory.run("verify --cms -p c.crt m.ko").code(0);
    directory.run("inspect m.ko.p7s").code(0).out_has("no signed attributes").out_has("0 certificates");

    // `--force` replaces a signed module, even if it is large.
    directory.put("large.ko", [&module[..], &[7; 3 << 20]].concat());
    for _ in 0..2 {
        directory.run(&format!("{SIGN} --kernel-module large.ko")).code(0);
    }
    directory.run("verify --kernel-module -p c.crt large.ko.signed").code(0);
    directory.run(&format!("{SIGN} --kernel-module -o m.ko.other m.ko")).code(0);
    directory.put("m.ko.other", &module[..]);
    directory
        .run(&format!("{SIGN} --kernel-module -o m.ko.other m.ko"))
        .code(4)
        .err_has("this file is not a signature");
    directory.put("signed", &signed[..]);
    directory.run("inspect signed").code(3).err_has("verify it with `fndsa verify --kernel-module FILE");

    directory
        .run(&format!("{SIGN} --kernel-module -o again m.ko.signed"))
        .code(3)
        .err_has("already contains a signature");
    directory.run(&format!("{SIGN} --kernel-module -o again m")).code(3).err_has("this is not a kernel module");
    directory.put("changed.ko", [&signed[..5], b"x", &signed[6..]].concat());
    let changed = directory.run("verify --kernel-module -p c.crt changed.ko").code(1).out_has("changed.ko: FAILED");
    changed.err_has("the file was changed, or another key signed it: get the file");
    // fndsa reads a CMS file in PEM, but the CMS file in a module must be DER.
    let pem = pem_of(signature);
    directory.put("m.ko.pem", &pem);
    directory.run("verify --cms -p c.crt -s m.ko.pem m.ko").code(0);
    directory.put("pem.ko", SignedModule { module, signature: &pem }.to_file());
    directory.run("verify --kernel-module -p c.crt pem.ko").code(3).out_has("the file is not CMS");
    directory.put("cut.ko", &signed[..signed.len() - 1]);
    directory.run("verify --kernel-module -p c.crt cut.ko").code(3).out_has("does not end with the signature");
    // The CMS file in a module can have signed attributes.
    directory.put("with", vectors("cms/mldsa44.attrs.detached.p7s"));
    let message = vectors("cms/msg.txt");
    let module_with_attributes = SignedModule { module: &message, signature: &directory.get("with") }.to_file();
    directory.put("with.ko", module_with_attributes);
    directory.run("verify --kernel-module -p c.crt with.ko").code(0);
}

/// Encodes a CMS file as PEM.
fn pem_of(der: &[u8]) -> Vec<u8> {
    let mut pem = b"-----BEGIN CMS-----\n".to_vec();
    for line in STANDARD.encode(der).as_bytes().chunks(64) {
        pem.extend_from_slice(line);
        pem.push(b'\n');
    }
    [&pem[..], b"-----END CMS-----\n"].concat()
}

#[test]
fn options_that_a_format_does_not_have_are_explained() {
    let directory = directory_with_vectors("mldsa44");
    for (line, tip) in [
        ("--cms -M l", "leave --list out: a signature in this format is for one file"),
        ("--jws -M l", "leave --list out: a signature in this format is for one file"),
        ("--ssh file -M l", "leave --list out: a signature in this format is for one file"),
        ("--cms --format raw", "leave --format out: it is for signature files of fndsa"),
        ("--kernel-module --format pem", "leave --format out: it is for signature files of fndsa"),
        ("--cms-direct --add", "leave --add out: only signature files of fndsa can be extended"),
        ("--cms --context x", "leave the context and the pre-hash out: signatures in this format have none"),
        ("--cms --prehash sha512", "leave the context and the pre-hash out: signatures in this format have none"),
        ("--dsse a/b --mu", "leave --mu out: sign the mu without an option for the format"),
        ("--cms --jws", "a file has one format: run the command once for each format"),
        ("--print-mu --cms --cert c.crt", "leave --cert out: the mu does not depend on the certificate"),
        ("--print-mu --cms --attached", "leave --attached out: the mu is the same"),
        ("--print-mu -M l --inline", "leave --inline out: the mu is the same"),
        ("--attached", "--attached cannot be used without <--cms|--cms-direct>"),
    ] {
        let tip = format!("tip: {tip}");
        directory.run(&format!("sign -k k.p8 {line} m")).code(2).err_has("error: the").err_has(&tip);
    }
    for (line, tip) in [
        ("--cms --context x", "leave the context and the pre-hash out"),
        ("--cms --explain", "leave --explain out"),
        ("--cms --jws", "a file has one format"),
        ("--cms -M l", "leave --list out"),
    ] {
        directory.run(&format!("verify -p c.crt {line} m")).code(2).err_has(&format!("tip: {tip}"));
    }
    // fndsa reports a wrong algorithm before it reports a missing certificate.
    directory.run("keygen -q -a fn-dsa-512 f").code(0);
    for format in ["--cms", "--cms-direct", "--kernel-module"] {
        let output = directory.run(&format!("sign -k f.key {format} m")).code(2);
        output.err_has("CMS has no signatures of FN-DSA-512").err_has("hint: make a key with");
    }
}

#[test]
fn a_file_of_another_certificate_is_explained() {
    let directory = directory_with_vectors("mldsa44");
    directory.run("keygen -q -a ml-dsa-44 o").code(0);
    directory.run("request -k o.key --subject CN=Other --self-signed 9 -o o.crt").code(0);
    directory.put("m.p7s", vectors("cms/mldsa44.attrs.detached.p7s"));
    directory.put("m.p7m", vectors("cms/mldsa44.attrs.attached.p7s"));
    directory.put("m.ko", SignedModule { module: b"\x7fELF", signature: &directory.get("m.p7s") }.to_file());
    let is_other = "hint: give the certificate of the signer: the CMS file names the serial number 1092 (not proven), and \
                    o.crt is another certificate";
    directory.run("verify --cms -p o.crt m").code(1).out_has("m: FAILED").err_has(is_other);
    directory.run("verify --cms --attached -p o.crt m.p7m").code(1).out_has("m.p7m: FAILED").err_has(is_other);
    let json = directory.run("--json verify --cms -p o.crt m").code(1).json();
    assert!(json["results"][0]["hint"].as_str().unwrap().contains("serial number 1092"), "{json}");
    directory.put("o.p7s", directory.get("m.p7s"));
    directory.run("verify --cms -p o.crt -p c.crt m").code(0);
    // The digest in the CMS file is not the digest of the message. With any key, the hint says that
    // the message was changed.
    for keys in ["-p c.crt", "-p o.crt -p c.crt", "-p o.pub", "-p o.crt"] {
        directory.run(&format!("verify --cms {keys} -s m.p7s other")).code(1).err_has("hint: the message was changed");
    }
    // If a public key that is not in a certificate is given (`o.pub`), the hint names no
    // certificate.
    for keys in ["-p o.pub", "-p o.pub -p o.crt"] {
        directory
            .run(&format!("verify --cms {keys} -s m.p7s m"))
            .code(1)
            .err_has("hint: another key made the signature");
    }
    directory.run("verify --cms --attached -p o.pub m.p7m").code(1).err_has("hint: another key made the signature");
    let json = directory.run("--json verify --cms -p o.pub m").code(1).json();
    assert_eq!(json["results"][0]["reason"], "signature_mismatch");
    // Change the first byte of the message in the CMS file.
    let file = directory.get("m.p7m");
    let message = directory.get("m");
    let position = file.windows(message.len()).position(|window| window == message).unwrap();
    let mut changed = file.clone();
    changed[position] ^= 1;
    directory.put("m.p7m", changed);
    directory.run("verify --cms --attached -p o.pub m.p7m").code(1).err_has("hint: the message was changed");
    // Without signed attributes, the CMS file contains no digest, so fndsa does not know the cause.
    directory.put("m.p7s", vectors("cms/mldsa44.direct.detached.p7s"));
    directory.run("verify --cms -p o.pub m").code(1).err_has("hint: the file was changed, or another key signed it");
}

#[test]
fn mistakes_have_a_next_step() {
    let directory = directory_with_vectors("mldsa44");
    directory.run("request -k k.p8 --subject CN=a -o k.csr").code(0);
    directory.run("pubkey -k k.p8 -o k.pub").code(0);
    directory.put("two.crt", [directory.get("c.crt"), directory.get("c.crt")].concat());
    for file in ["k.csr", "k.p8", "k.pub", "two.crt", "m"] {
        let out = directory.run(&format!("sign -k k.p8 --cms --cert {file} m")).code(3);
        out.err_has(&format!("error: {file}: "))
            .err_has("hint: give a file with one X.509 certificate, for the private key");
    }
    for format in ["--cms", "--cms-direct", "--kernel-module"] {
        directory
            .run(&format!("sign -k k.p8 {format} m"))
            .code(2)
            .err_has("hint: name the certificate with --cert FILE");
    }
    directory.run(&format!("{SIGN} --cms m")).code(0);
    let named = directory.run("verify -p c.crt --cms m.p7s").code(3);
    named.out_has("m.p7s: ERROR (this is a signature, not the file").err_has("name the signed file instead: m;");
    // An e-mail in each of the two formats of S/MIME: a CMS file with the message, and a message
    // with a separate CMS file.
    for mail in [
        "MIME-Version: 1.0\r\nContent-Type: application/pkcs7-mime; smime-type=signed-data\r\n\r\nMIIB\r\n",
        "Received: from a\n\tby b\ncontent-type: multipart/signed\n\n",
    ] {
        directory.put("mail", mail);
        let hint = "hint: verify the e-mail with `openssl cms -verify -in MAIL";
        directory.run("inspect mail").code(3).err_has(hint);
        directory
            .run("verify -p c.crt --cms -s mail m")
            .code(3)
            .out_has("the file is an e-mail (S/MIME)")
            .err_has(hint);
        directory.run("verify -p c.crt --cms --attached mail").code(3).out_has("the file is an e-mail (S/MIME)");
    }
    directory.put("text", "Dear all,\nContent-Type: text\n");
    directory.run("verify -p c.crt --cms -s text m").code(3).out_has("the file is not CMS");
    directory.remove("m.p7s");
    directory.run("verify -p c.crt --cms m").code(4).err_has("put the signature file next to the signed file");
    // Without its option -binary, OpenSSL signs a text with CR LF as line ends.
    directory.put("t", "x\r\ny\r\n");
    directory.run(&format!("{SIGN} --cms t")).code(0);
    directory.put("t", "x\ny\n");
    directory.run("verify -p c.crt --cms t").code(1).err_has("from CR LF to LF").err_has("the option -binary");
}
