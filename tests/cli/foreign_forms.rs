//! Tests for keys in the forms of other programs: PKCS#8 with attributes, raw bytes and hexadecimal
//! digits without a PEM label, and ML-DSA keys from oqs-provider. If fndsa cannot read a file, the
//! hint names the program to use.

use crate::containers::{der, oid};
use crate::encryption::{
    AES_256_CBC, PBES2, SALT, encrypted_private_key_info, hmac_identifier, pbkdf2_parameters, scrypt_parameters,
};
use crate::harness::{ProgramOutput, TestDirectory, body};
use crate::messages::{MessageCase, row};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::fs;

/// The attribute KeyUsage, which Node and Windows write into private keys.
const KEY_USAGE: [u8; 13] = [0x30, 0x0b, 0x06, 0x03, 0x55, 0x1d, 0x0f, 0x31, 0x04, 0x03, 0x02, 0x00, 0x80];

/// An Ed25519 private key with the attribute KeyUsage, from Node.
const WITH_KEY_USAGE: &str = "MD0CAQAwBQYDK2VwBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4foA0wCwYDVR0PMQQDAgCA";

/// Returns the rows about keys in the forms of other programs for the message catalogue in
/// `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    let pem = "-----BEGIN FNDSA PUBLIC KEY-----\nProc-Type: 4,ENCRYPTED\n\n-----END FNDSA PUBLIC KEY-----\n";
    let of_hash = |reason, line: &str, words, hint| {
        row(reason, line, 2, words, hint).file_x(read_hash_ml_dsa("bouncycastle-1.86/mldsa44.prehash-sha512.key.der"))
    };
    vec![
        row(
            "too_many_keys",
            &format!("sign{} b", " -k k.key".repeat(65)),
            2,
            "at most 64 signatures",
            "sign with fewer keys",
        ),
        row(
            "traditional_encryption",
            "inspect x",
            3,
            "x: line 2 is a header of OpenSSL's traditional encryption, which fndsa does not read",
            "openssl pkcs8 -topk8",
        )
        .file_x(pem),
        row(
            "attributes_lost",
            "convert x --to hex -o o",
            2,
            "x: the new form cannot store the attributes of the key",
            "the form pkcs8",
        )
        .file_x(STANDARD.decode(WITH_KEY_USAGE).unwrap()),
        of_hash(
            "prehash_lost",
            "convert x --to raw -o o",
            "x: the new form cannot store the pre-hash of the key",
            "choose the form pkcs8 for a private key or spki for a public key: these forms store the pre-hash",
        ),
        of_hash(
            "key_prehash",
            "sign -k x --prehash sha256 b",
            "the key signs only with the pre-hash sha512",
            "leave --prehash out",
        ),
    ]
}

/// Reads a file of HashML-DSA from BouncyCastle, below tests/kat/ml-dsa/interop.
fn read_hash_ml_dsa(name: &str) -> Vec<u8> {
    fs::read(format!("{}/tests/kat/ml-dsa/interop/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Runs `convert` with the output file `output_name`. Removes an old file with this name, because
/// `convert` does not replace private keys.
fn run_convert(directory: &TestDirectory, line: &str, output_name: &str) -> ProgramOutput {
    if directory.has(output_name) {
        directory.remove(output_name);
    }
    directory.run(&format!("convert {line} -o {output_name}"))
}

/// Decodes the PEM file `name` to DER.
fn decode_pem(directory: &TestDirectory, name: &str) -> Vec<u8> {
    STANDARD.decode(body(&directory.text(name))).unwrap()
}

/// Adds attributes to a PKCS#8 file in DER.
fn with_attributes(file: &[u8], attributes: &[u8]) -> Vec<u8> {
    let header = if file[1] < 0x80 { 2 } else { 2 + usize::from(file[1] & 0x7f) };
    der(0x30, &[&file[header..], &der(0xa0, &[attributes])])
}

#[test]
fn attributes_of_a_private_key_are_kept_or_reported() {
    let directory = TestDirectory::empty();
    directory.put("a", "a");
    directory.put("pw", "pw\n");
    for (algorithm, has_own_form) in
        [("ed25519", false), ("ml-dsa-44", false), ("fn-dsa-512", true), ("falcon-512", true)]
    {
        ["n.key", "n.pub", "p", "e", "o", "s", "r"].iter().for_each(|name| drop(fs::remove_file(directory.path(name))));
        directory.run(&format!("keygen -q -a {algorithm} n")).code(0);
        run_convert(&directory, "n.key --to pkcs8-der", "p").code(0);
        let file = with_attributes(&directory.get("p"), &KEY_USAGE);
        directory.put("x", &file);
        directory.sh("chmod 600 x").code(0);
        // Commands that do not write the private key accept a key with attributes.
        directory.run("sign -k x -o s a").code(0);
        directory.run("verify -p n.pub -s s a").code(0);
        assert_eq!(directory.run("pubkey -k x").code(0).stdout, directory.run("pubkey -k n.key").code(0).stdout);
        directory.run("inspect x").code(0).out_has("with attributes");
        assert_eq!(directory.run("--json inspect x").code(0).json()["results"][0]["attributes"], true);
        // Commands that write PKCS#8 keep the attributes, with and without a password.
        run_convert(&directory, "x --to pkcs8-der", "o").code(0);
        assert!(directory.get("o") == file, "{algorithm}");
        directory.run("passwd x -o e --new-password-file pw").code(0);
        run_convert(&directory, "e --password-file pw --to pkcs8-der", "o").code(0);
        assert!(directory.get("o") == file, "{algorithm}, encrypted");
        directory.run("passwd -f e --password-file pw --remove -o r").code(0);
        directory.run("inspect r").code(0).out_has("with attributes");
        // If the output form cannot store attributes, the command fails unless the user adds
        // `--drop-attributes`.
        for form in ["pem", "raw"] {
            if form == "raw" && algorithm == "ed25519" || form == "pem" && !has_own_form {
                continue;
            }
            let line = format!("convert -f x --to {form} -o lost");
            directory.run(&line).code(2).err_has("cannot store the attributes of the key").err_has("--drop-attributes");
            assert!(!directory.has("lost"));
            directory.run(&format!("{line} --drop-attributes")).code(0);
            directory.remove("lost");
        }
        run_convert(&directory, "x --to pkcs8-der --drop-attributes", "o").code(0);
        assert!(directory.get("o") == directory.get("p"));
        // Invalid attributes are rejected.
        for bad in [&[0x30, 0][..], &[5, 0], &KEY_USAGE[..12], &[0x30, 3, 6, 1, 1], &[0x30, 5, 6, 1, 1, 4, 0]] {
            directory.put("x", with_attributes(&directory.get("p"), bad));
            directory.run("inspect x").code(3).err_has("a PKCS#8 private key that cannot be read: the DER is damaged");
        }
    }
}

#[test]
fn a_given_algorithm_precedes_detection_by_length() {
    let directory = TestDirectory::empty();
    directory.put("a", "a");
    directory.run("keygen -q -a ed25519 n").code(0);
    directory.run("sign -k n.key a").code(0);
    let seed = decode_pem(&directory, "n.key").split_off(16);
    let public = decode_pem(&directory, "n.pub").split_off(12);
    directory.put("seed", &seed);
    directory.put("public", &public);
    // Go writes a private key as the seed and the public key.
    directory.put("both", [&seed[..], &public].concat());
    directory.put("other", [&seed[..], &seed].concat());
    directory.sh("chmod 600 seed both other").code(0);
    directory.run("verify -a ed25519 -p public -s a.sig a").code(0);
    for key in ["seed", "both"] {
        directory.run(&format!("sign -f -a ed25519 -k {key} -o s a")).code(0);
        directory.run("verify -p n.pub -s s a").code(0);
        assert_eq!(directory.run(&format!("pubkey -a ed25519 {key}")).code(0).stdout, directory.get("n.pub"));
        run_convert(&directory, &format!("-a ed25519 {key} --to pkcs8"), "o").code(0);
        assert_eq!(directory.get("o"), directory.get("n.key"), "{key}");
    }
    run_convert(&directory, "-a ed25519 public --to spki", "p").code(0);
    assert_eq!(directory.get("p"), directory.get("n.pub"));
    directory.run("inspect -a ed25519 both").code(0).out_has("Ed25519 private key, raw, 32 bytes");
    directory.run("inspect -a ed25519 a.sig").code(0).out_has("signature");
    let differs = "the public key in the file does not belong to the private key";
    directory.run("sign -a ed25519 -k other -o t a").code(3).err_has(differs).err_has("hint: ");
    // A hint names the missing option, but no option that is already on the command line.
    for (line, words, hint) in [
        ("inspect seed", "may be a seed of ML-DSA or a key of Ed25519", "-a ed25519"),
        ("inspect -a ed25519 seed", "may be a private key or a public key of Ed25519", "--to spki"),
        ("convert seed -a ed25519 --to pem -o t", "may be a private key or a public key", "the form pkcs8"),
        ("sign -k seed -o t a", "may be a seed of ML-DSA", "-a ml-dsa-44"),
        ("verify -p public a", "may be a seed of ML-DSA or a key of Ed25519", "-a ed25519"),
    ] {
        directory.run(line).code(3).err_has(words).err_has(hint);
    }
    let output = directory.run("inspect -a falcon-512 seed").code(3);
    assert!(!output.err.contains("the file does not name its algorithm"), "{output:?}");
    assert!(!directory.has("t"));
}

#[test]
fn convert_reads_each_form_that_it_writes() {
    let directory = TestDirectory::empty();
    for (algorithm, forms) in [
        ("ml-dsa-44", &["pem", "pkcs8", "pkcs8-der", "raw", "hex"][..]),
        ("ml-dsa-65", &["pkcs8", "raw", "hex"]),
        ("ml-dsa-87", &["pkcs8", "raw", "hex"]),
        ("ed25519", &["pem", "pkcs8", "pkcs8-der", "hex"]),
        ("fn-dsa-512", &["pem", "pkcs8", "pkcs8-der", "raw"]),
        ("falcon-512", &["pem", "pkcs8", "pkcs8-der", "raw"]),
    ] {
        directory.run(&format!("keygen -f -q -a {algorithm} n")).code(0);
        run_convert(&directory, "n.key --to pkcs8", "original").code(0);
        for form in forms {
            run_convert(&directory, &format!("n.key --to {form}"), "x").code(0);
            assert_eq!(directory.mode("x"), 0o600);
            run_convert(&directory, &format!("x -a {algorithm} --to pkcs8"), "back").code(0);
            assert!(directory.get("back") == directory.get("original"), "{algorithm}, {form}");
        }
        for form in ["pem", "raw", "spki", "spki-der"].iter().filter(|form| (algorithm, **form) != ("ed25519", "raw")) {
            run_convert(&directory, &format!("n.pub --to {form}"), "x").code(0);
            run_convert(&directory, &format!("x -a {algorithm} --to spki"), "back").code(0);
            run_convert(&directory, "n.pub --to spki", "x").code(0);
            assert!(directory.get("back") == directory.get("x"), "{algorithm}, {form}");
        }
    }
    // Digits that a user has copied from paper can be in groups, in capital letters, and with
    // different line ends.
    directory.run("keygen -f -q -a ml-dsa-65 n").code(0);
    run_convert(&directory, "n.key --to hex", "x").code(0);
    let digits = directory.text("x");
    assert_eq!((digits.len(), digits.ends_with('\n')), (65, true));
    let groups = digits.trim().as_bytes().chunks(4).map(|group| str::from_utf8(group).unwrap()).collect::<Vec<_>>();
    for text in [groups.join(" "), groups.join("\r\n").to_uppercase(), format!("\t{}", groups.concat())] {
        directory.put("paper", &text);
        run_convert(&directory, "paper -a ml-dsa-65 --to pem", "back").code(0);
        assert_eq!(directory.get("back"), directory.get("n.key"), "{text:?}");
    }
    for (text, words) in [
        (
            &digits[1..],
            "the file has 63 hexadecimal digits, but a private key has 64, and a composite private key has 128",
        ),
        (
            &digits.trim().repeat(2),
            "the file has 128 hexadecimal digits, but a private key has 64, and a composite private key has 128",
        ),
        (&digits.replacen(|_: char| true, "g", 1), "65 bytes of text"),
    ] {
        directory.put("paper", text);
        let output = run_convert(&directory, "paper -a ml-dsa-65 --to pem", "no").code(3).err_has(words);
        assert!(
            !output.err.contains("the file does not name its algorithm") && !output.err.contains(&digits[8..24]),
            "{output:?}"
        );
    }
    for name in ["n.pub", "e"] {
        run_convert(&directory, "n.key --to pkcs8 --private expanded", "e").code(0);
        run_convert(&directory, &format!("{name} --to hex"), "no")
            .code(2)
            .err_has("only seeds of ML-DSA, Ed25519 and composites can be written as")
            .err_has("hint: ");
    }
    assert!(!directory.has("no"));
}

#[test]
fn keys_of_ml_dsa_by_oqs_provider_are_read() {
    let directory = TestDirectory::empty();
    directory.put("a", "a");
    directory.put("pw", "pw\n");
    for (algorithm, number, private_len) in [("ml-dsa-44", 17, 2560), ("ml-dsa-65", 18, 4032), ("ml-dsa-87", 19, 4896)]
    {
        directory.run(&format!("keygen -f -q -a {algorithm} n")).code(0);
        run_convert(&directory, "n.key --to pkcs8-der --private expanded", "e").code(0);
        run_convert(&directory, "n.pub --to raw", "p").code(0);
        let (expanded, public) = (directory.get("e"), directory.get("p"));
        let expanded = &expanded[expanded.len() - private_len..];
        let file = |public: &[u8]| {
            let name = oid(&format!("2.16.840.1.101.3.4.3.{number}"));
            let content = der(4, &[&der(4, &[expanded, public])]);
            der(0x30, &[&[2, 1, 0], &der(0x30, &[&name]), &content])
        };
        directory.put("x", file(&public));
        directory.run("inspect x n.pub").code(0).out_has("layout oqs").out_has("a key pair");
        directory.run("sign -f -k x a").code(0);
        directory.run("verify -p n.pub a").code(0);
        run_convert(&directory, "x --to pkcs8-der", "o").code(0);
        assert!(directory.get("o") == directory.get("e"), "{algorithm}");
        directory.run("passwd x --new-password-file pw").code(0);
        directory.run("passwd x --password-file pw --remove").code(0);
        assert!(directory.get("x") == file(&public) || decode_pem(&directory, "x") == file(&public), "{algorithm}");
        let mut other_public = public.clone();
        other_public[0] ^= 1;
        directory.put("x", file(&other_public));
        directory.run("inspect x").code(3).err_has("the public key in the file does not belong to the private key");
        for len in [0, 1, public.len() - 1] {
            directory.put("x", file(&public[..len]));
            let output = directory.run("inspect x");
            assert_eq!(output.code, if len == 0 { 0 } else { 3 }, "{len}: {output:?}");
        }
    }
}

/// Returns a PEM file with this label and an arbitrary body.
fn pem_with_label(label: &str) -> String {
    format!("-----BEGIN {label}-----\nAAAA\n-----END {label}-----\n")
}

#[test]
fn a_file_of_another_program_has_a_hint_for_that_program() {
    let directory = TestDirectory::ready();
    let pkcs12 = der(0x30, &[&[2, 1, 3], &der(0x30, &[])]);
    let verify_key = "verify -p x a";
    let verify_signature = "verify -p k.pub -s x a";
    let sign = "sign -k x -o no a";
    let inspect = "inspect x";
    let rows: Vec<(Vec<u8>, &str, &str, &str)> = vec![
        (pem_with_label("TRUSTED CERTIFICATE").into(), verify_key, "X.509 certificate", "openssl x509 -in FILE -out"),
        (pem_with_label("X509 CERTIFICATE").into(), inspect, "X.509 certificate", "openssl x509 -in FILE -out"),
        (pem_with_label("CERTIFICATE REQUEST").into(), verify_key, "request", "openssl req -in FILE -pubkey"),
        (pkcs12.clone(), sign, "PKCS#12", "openssl pkcs12 -in FILE -nodes -nocerts"),
        (pkcs12, verify_key, "PKCS#12", "openssl pkcs12 -in FILE -nokeys"),
        (pem_with_label("PKCS7").into(), verify_key, "PKCS#7", "openssl pkcs7 -inform DER -in FILE -print_certs"),
        (pem_with_label("CMS").into(), verify_signature, "CMS", "add --cms"),
        (
            pem_with_label("SSH SIGNATURE").into(),
            verify_signature,
            "OpenSSH signature",
            "give its namespace with --ssh",
        ),
        (
            "ssh-rsa AAAA me\n".into(),
            verify_key,
            "public key of the type ssh-rsa",
            "ssh-ed25519 or ssh-mldsa44-ed25519",
        ),
        ("ssh-rsa AAAA me\n".into(), verify_signature, "public key of the type ssh-rsa", "this file is a key"),
        ("ssh-rsa AAAA me\n".into(), inspect, "public key of the type ssh-rsa", "ssh-ed25519 and ssh-mldsa44-ed25519"),
        (pem_with_label("SSH SIGNATURE").into(), verify_key, "OpenSSH signature", "with -s FILE and --ssh NAMESPACE"),
        ("eyJhbGciOiJ9.e30.AA".into(), verify_key, "JSON Web Signature", "with -s FILE and --jws"),
        ("{\"payloadType\":\"T\",\"signatures\":[]}".into(), verify_key, "a DSSE envelope", "give the public key here"),
        (pem_with_label("OPENSSH PRIVATE KEY").into(), sign, "OpenSSH private key", "the file is damaged"),
        (pem_with_label("PGP SIGNATURE").into(), verify_signature, "OpenPGP", "gpg --verify"),
        (pem_with_label("PGP PUBLIC KEY BLOCK").into(), verify_key, "OpenPGP", "gpg --verify"),
        ("untrusted comment: signature from minisign secret key\n".into(), verify_signature, "minisign", "minisign -V"),
        ("untrusted comment: minisign public key 1\n".into(), verify_key, "minisign public key", "minisign -V"),
        ("untrusted comment: verify with x.pub\n".into(), verify_signature, "signify", "signify -V"),
        ("{\"kty\":\"AKP\",\"alg\":\"ML-DSA-44\",\"pub\":\"\"}".into(), verify_key, "JSON Web Key", "ask its owner"),
        ("{\"kty\":\"AKP\",\"priv\":\"\"}".into(), sign, "JSON Web Key", "ask its owner"),
        ("eyJhbGciOiJ9.e30.AA".into(), verify_signature, "JSON Web Signature", "add --jws"),
        ("{\"dsseEnvelope\":{}}".into(), verify_signature, "a sigstore bundle", "jq .dsseEnvelope"),
        ("{\"dsseEnvelope\":{}}".into(), "verify -p k.pub --dsse T x", "a sigstore bundle", "jq .dsseEnvelope"),
        ("{\"signed\":{},\"signatures\":[]}".into(), "verify -p k.pub --dsse T x", "in-toto 0.9", "in-toto-verify"),
        ("{\"payload\":\"\",\"protected\":\"\"}".into(), "verify -p k.pub --dsse T x", "JSON Web Signature", "JOSE"),
        ("{\"payloadType\":\"T\",\"signatures\":[]}".into(), verify_signature, "a DSSE envelope", "--dsse TYPE"),
        (
            pem_with_label("RSA PUBLIC KEY").into(),
            verify_key,
            "an RSA key",
            "give a public key of FN-DSA, Falcon, ML-DSA or Ed25519",
        ),
        (pem_with_label("EC PRIVATE KEY").into(), sign, "an elliptic-curve key", "fndsa keygen"),
        (vec![0x30, 3, 0x30, 9, 0], inspect, "a damaged DER file", "copy or download it again"),
    ];
    for (file, line, words, hint) in rows {
        directory.put("x", &file);
        let output = directory.run(line).code(3);
        let printed = format!("{}{}", output.out, output.err);
        assert!(printed.contains(words) && printed.contains(hint), "{line}: {words}: {printed}");
        assert!(line.starts_with("sign") || !printed.contains("fndsa keygen"), "{line}: {printed}");
    }
    // If the user passes an envelope to `verify` without the option `--dsse`, the hint names this
    // option.
    directory.put("f.dsse", "{}");
    directory.run("verify -p k.pub f.dsse").code(4).err_has("verify the envelope with --dsse TYPE");
}

#[test]
fn an_unsupported_encryption_is_reported_with_a_next_step() {
    let directory = TestDirectory::ready();
    let kdf = scrypt_parameters(&SALT, 16, 8, 1);
    let openssl = "openssl pkcs8 -topk8 -in FILE -v2 aes-256-cbc -v2prf hmacWithSHA256";
    let restore = "restore the file from a backup";
    let aes = "2.16.840.1.101.3.4.1.";
    for (scheme, kdf, cipher, words, hint) in [
        (PBES2, &kdf, "1.2.840.113549.3.7", "read this encryption: DES-EDE3-CBC (1.2.840.113549.3.7)", openssl),
        (PBES2, &kdf, "1.2.156.10197.1.104.2", "SM4-CBC", openssl),
        (PBES2, &kdf, &format!("{aes}43"), "AES-256-OFB", openssl),
        (PBES2, &kdf, &format!("{aes}44"), "AES-256-CFB", openssl),
        (PBES2, &kdf, "1.2.3", "read this encryption: 1.2.3\n", openssl),
        (PBES2, &pbkdf2_parameters(1, &[]), AES_256_CBC, "PBKDF2 with HMAC-SHA-1 (1.2.840.113549.2.7)", openssl),
        (
            PBES2,
            &pbkdf2_parameters(1, &hmac_identifier(7)),
            AES_256_CBC,
            "PBKDF2 with HMAC-SHA-1 (1.2.840.113549.2.7)",
            openssl,
        ),
        (
            PBES2,
            &pbkdf2_parameters(1, &hmac_identifier(6)),
            AES_256_CBC,
            "PBKDF2 with HMAC-MD5 (1.2.840.113549.2.6)",
            openssl,
        ),
        (PBES2, &pbkdf2_parameters(1, &hmac_identifier(99)), AES_256_CBC, "PBKDF2 with 1.2.840.113549.2.99", openssl),
        ("1.2.840.113549.1.12.1.3", &kdf, AES_256_CBC, "PBE-SHA1-3DES (1.2.840.113549.1.12.1.3)", openssl),
        (PBES2, &scrypt_parameters(&SALT, 3, 8, 1), AES_256_CBC, "scrypt N=3 r=8 p=1 cannot be", restore),
        (PBES2, &pbkdf2_parameters(0, &hmac_identifier(9)), AES_256_CBC, "0 iterations cannot be", restore),
    ] {
        directory.put("x", encrypted_private_key_info(scheme, kdf, cipher, &[1; 64]));
        for line in ["inspect x", "sign -k x -o no a", "convert x --to pkcs8 -o no", "passwd x --remove"] {
            let output = directory.call(line).env("FNDSA_PASSWORD", "pw").run().code(3);
            output.err_has("fndsa does not read this encryption:").err_has(words).err_has(hint);
        }
    }
    let header = |lines: &str| directory.text("k.key").replace("KEY-----\n", &format!("KEY-----\n{lines}\n\n"));
    for (lines, words, hint) in [
        (
            "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00",
            "is a header of OpenSSL's traditional encryption, which fndsa does not read",
            openssl,
        ),
        (
            "DEK-Info: AES-128-CBC,00",
            "is a header of OpenSSL's traditional encryption, which fndsa does not read",
            openssl,
        ),
        ("Comment: my key", "line 3 is a PEM header (RFC 1421), which fndsa does not read", "remove the header lines"),
    ] {
        directory.put("x", header(lines).replacen("KEY-----\n\n", "KEY-----\n", 1));
        directory.run("inspect x").code(3).err_has(words).err_has(hint);
    }
}

#[test]
fn a_key_of_hash_ml_dsa_is_used_only_with_its_pre_hash() {
    let directory = TestDirectory::ready();
    for (name, end) in [("h.key", "key.der"), ("h.pub", "pub.der"), ("m.sig", "sig")] {
        directory.put(name, read_hash_ml_dsa(&format!("bouncycastle-1.86/mldsa44.prehash-sha512.{end}")));
    }
    directory.put("m", read_hash_ml_dsa("msg.bin"));
    directory.sh("chmod 600 h.key").code(0);
    directory.put("pw", "pw\n");
    let words = "only for the pre-hash sha512";
    let message = "the key signs only with the pre-hash sha512";
    directory.run("inspect h.key h.pub").code(0).out_has(words).out_has("a key pair");
    assert_eq!(directory.run("--json inspect h.pub").code(0).json()["results"][0]["prehash"], "sha512");
    // fndsa accepts the signature from BouncyCastle.
    for line in ["verify -p h.pub m", "verify -p h.pub --prehash sha512 m", "verify --trusted-keys h.pub m"] {
        directory.run(line).code(0).out_has("m: OK");
    }
    directory.run("convert h.pub --to spki -o spki").code(0);
    directory.run("pubkey -k h.key -o from-key").code(0);
    for public in ["spki", "from-key"] {
        directory.run(&format!("inspect {public}")).code(0).out_has(words);
        directory.run(&format!("verify -p {public} m")).code(0);
    }
    // All ways to sign use the key's pre-hash.
    directory.run("convert h.key --to pkcs8 --encrypt --new-password-file pw -o e").code(0);
    directory.run("passwd e --password-file pw --remove").code(0);
    for key in ["h.key", "e"] {
        directory.run(&format!("sign -f -k {key} a")).code(0);
        directory.run("verify -p h.pub a").code(0);
        directory.run(&format!("sign -f -k {key} -M list a")).code(0);
        directory.run("verify -p h.pub -M list").code(0);
        directory.run(&format!("sign -f -k {key} --dsse T a")).code(0);
        directory.run("verify -p h.pub --dsse T a.dsse").code(0);
    }
    let request = "{\"path\":\"a\"}\n";
    let answer = directory.call("sign -k h.key --stream").input(request).run().code(0).out;
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let signature = &answer["signature_b64"];
    directory.put("s", STANDARD.decode(signature.as_str().unwrap()).unwrap());
    directory.run("verify -p h.pub -s s a").code(0);
    // A key with the same bytes as `h.pub`, but with the OID of ordinary ML-DSA, does not use the
    // pre-hash by default.
    directory.run("convert h.pub --to spki --oid 2.16.840.1.101.3.4.3.17 -o pure").code(0);
    directory.run("verify -p pure -s s a").code(1);
    directory.run("verify -p pure --prehash sha512 -s s a").code(0);
    directory.run("keygen -q -a ml-dsa-44 n").code(0);
    for (line, words) in [
        ("sign -k h.key --prehash sha256 -o no a", message),
        ("sign -k h.key --prehash none -o no a", message),
        ("sign -k h.key --mu -o no a", message),
        ("sign -k h.key -k n.key -o no a", "one key is bound to a pre-hash, and another key is not"),
        ("verify -p h.pub --prehash sha3-512 m", message),
        ("verify -p h.pub --prehash none m", message),
        ("verify -p h.pub -p n.pub m", "one key is bound to a pre-hash, and another key is not"),
        ("convert h.key --to raw -o no", "the new form cannot store the pre-hash of the key"),
        ("convert h.key --to hex -o no", "the new form cannot store the pre-hash of the key"),
        ("convert h.pub --to raw -o no", "the new form cannot store the pre-hash of the key"),
        ("pubkey -k h.key --format raw -o no", "the new form cannot store the pre-hash of the key"),
    ] {
        directory.run(line).code(2).err_has(words).err_has("hint: ");
    }
    directory.run("convert n.key --to pkcs8 --oid 2.16.840.1.101.3.4.3.32 -o no").code(2).err_has("HashML-DSA-44");
    assert!(!directory.has("no"));
}
