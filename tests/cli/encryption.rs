//! Tests for encrypted private keys: fndsa and other programs can read each other's files, and no
//! file makes the program compute forever.

use crate::containers::{der, oid};
use crate::harness::{ProgramCall, TestDirectory, body, have, in_parallel, skip};

pub const PBES2: &str = "1.2.840.113549.1.5.13";
const SCRYPT: &str = "1.3.6.1.4.1.11591.4.11";
const PBKDF2: &str = "1.2.840.113549.1.5.12";
pub const AES_256_CBC: &str = "2.16.840.1.101.3.4.1.42";
pub const SALT: [u8; 16] = [7; 16];
const IV: [u8; 16] = [9; 16];

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Encodes an INTEGER in DER.
fn der_integer(value: u64) -> Vec<u8> {
    let bytes = value.to_be_bytes();
    let skip = bytes.iter().take_while(|byte| **byte == 0).count().min(7);
    let zero: &[u8] = if bytes[skip] & 0x80 != 0 { &[0] } else { &[] };
    der(2, &[zero, &bytes[skip..]])
}

/// Encodes the parameters of scrypt in DER.
pub fn scrypt_parameters(salt: &[u8], n: u64, r: u64, p: u64) -> Vec<u8> {
    let parameters = der(0x30, &[&der(4, &[salt]), &der_integer(n), &der_integer(r), &der_integer(p)]);
    der(0x30, &[&oid(SCRYPT), &parameters])
}

/// Encodes the parameters of PBKDF2 in DER.
pub fn pbkdf2_parameters(iterations: u64, prf: &[u8]) -> Vec<u8> {
    der(0x30, &[&oid(PBKDF2), &der(0x30, &[&der(4, &[&SALT]), &der_integer(iterations), prf])])
}

/// Encodes the algorithm identifier for an HMAC. `number` is the last number in its OID.
pub fn hmac_identifier(number: u32) -> Vec<u8> {
    der(0x30, &[&oid(&format!("1.2.840.113549.2.{number}")), &[5, 0]])
}

/// Encodes an EncryptedPrivateKeyInfo in DER.
pub fn encrypted_private_key_info(scheme: &str, kdf: &[u8], cipher: &str, data: &[u8]) -> Vec<u8> {
    let cipher = der(0x30, &[&oid(cipher), &der(4, &[&IV])]);
    der(0x30, &[&der(0x30, &[&oid(scheme), &der(0x30, &[kdf, &cipher])]), &der(4, &[data])])
}

/// Derives a key of 32 bytes from a password with openssl. Returns hexadecimal digits.
fn derive_with_openssl(directory: &TestDirectory, password: &str, line: &str) -> String {
    let password = hex(password.as_bytes());
    let call =
        ProgramCall::new("openssl", directory.root()).args(&format!("kdf -keylen 32 -kdfopt hexpass:{password}"));
    let output = call.args(line).run().code(0);
    output.out.trim().replace(':', "").to_lowercase()
}

/// Encrypts or decrypts a file with openssl and AES-256-CBC. `line` has the direction and the file
/// names.
fn decrypt_or_encrypt_aes(directory: &TestDirectory, line: &str, key: &str, iv: &[u8]) {
    let iv = hex(iv);
    ProgramCall::new("openssl", directory.root())
        .args(&format!("enc -aes-256-cbc -K {key} -iv {iv}"))
        .args(line)
        .run()
        .code(0);
}

/// Encrypts the key k.key with openssl, with a key derivation that is fast. Returns the file in
/// DER.
pub fn encrypt_with_fast_derivation(directory: &TestDirectory, password: &str) -> Vec<u8> {
    directory.run("convert k.key -o plain.der --to pkcs8-der").code(0);
    let key = derive_with_openssl(
        directory,
        password,
        &format!("-kdfopt digest:SHA2-256 -kdfopt iter:2 -kdfopt hexsalt:{} PBKDF2", hex(&SALT)),
    );
    decrypt_or_encrypt_aes(directory, "-in plain.der -out data", &key, &IV);
    encrypted_private_key_info(PBES2, &pbkdf2_parameters(2, &hmac_identifier(9)), AES_256_CBC, &directory.get("data"))
}

#[test]
fn other_programs_decrypt_written_keys() {
    if !have("openssl") {
        return skip("opening an encrypted key with openssl", "there is no openssl");
    }
    let directory = TestDirectory::ready();
    directory.put("pw", "pw\n");
    directory.run("convert k.key -o plain.der --to pkcs8-der").code(0);
    directory.run("convert k.key -o e --to pkcs8-der --encrypt --new-password-file pw").code(0);
    let file = directory.get("e");
    // The expected file:
    // SEQUENCE { SEQUENCE { PBES2, { { scrypt, { salt, N, r, p } }, { AES-256-CBC, iv } } }, data }
    let (salt, iv, data) = (&file[36..52], &file[77..93], &file[97..]);
    assert_eq!(file, {
        let cipher = der(0x30, &[&oid(AES_256_CBC), &der(4, &[iv])]);
        let scheme = der(0x30, &[&oid(PBES2), &der(0x30, &[&scrypt_parameters(salt, 1 << 14, 8, 8), &cipher])]);
        der(0x30, &[&scheme, &der(4, &[data])])
    });
    let cost = "-kdfopt n:16384 -kdfopt r:8 -kdfopt p:8 -kdfopt maxmem_bytes:200000000";
    let key = derive_with_openssl(&directory, "pw", &format!("{cost} -kdfopt hexsalt:{} SCRYPT", hex(salt)));
    directory.put("data", data);
    decrypt_or_encrypt_aes(&directory, "-d -in data -out opened", &key, iv);
    assert_eq!(directory.get("opened"), directory.get("plain.der"));
    // openssl decrypts the key, but does not know the algorithm.
    for (password, opened) in [("pw", true), ("pv", false)] {
        let output = ProgramCall::new("openssl", directory.root())
            .args("pkey -inform DER -in e -passin")
            .arg(format!("pass:{password}"))
            .run();
        assert!(!output.err.contains("memory limit"), "{}", output.err);
        assert_eq!(!output.err.contains("bad decrypt"), opened, "{}", output.err);
    }
    // Each encryption uses a new salt and a new IV.
    directory.run("convert k.key -o e2 --to pkcs8 --encrypt --new-password-file pw").code(0);
    let first = body(&directory.text("e2"));
    directory.sh("rm e2; $FNDSA convert k.key -o e2 --to pkcs8 --encrypt --new-password-file pw").code(0);
    let second = body(&directory.text("e2"));
    assert!(first[40..80] != second[40..80] && first[200..] != second[200..]);
    ProgramCall::new("openssl", directory.root())
        .args("asn1parse -in e2")
        .run()
        .code(0)
        .out_has("PBES2")
        .out_has("scrypt");
}

#[test]
fn keys_encrypted_by_other_programs_are_decrypted() {
    if !have("openssl") {
        return skip("opening a key encrypted by openssl", "there is no openssl");
    }
    let directory = TestDirectory::ready();
    directory.put("pw", "pw\n");
    directory.put("x", encrypt_with_fast_derivation(&directory, "pw"));
    directory.run("inspect x").code(0).out_has("PBKDF2 with HMAC-SHA-256, 2 iterations, AES-256-CBC, not checked");
    directory.run("pubkey -k x --password-file pw").code(0).out_has(&body(&directory.text("k.pub"))[..60]);
    let key = derive_with_openssl(
        &directory,
        "pw",
        &format!("-kdfopt n:16 -kdfopt r:1 -kdfopt p:2 -kdfopt hexsalt:{} SCRYPT", hex(&SALT)),
    );
    decrypt_or_encrypt_aes(&directory, "-in plain.der -out data", &key, &IV);
    directory.put(
        "x",
        encrypted_private_key_info(PBES2, &scrypt_parameters(&SALT, 16, 1, 2), AES_256_CBC, &directory.get("data")),
    );
    directory.run("inspect x --password-file pw").code(0).out_has("scrypt N=16 r=1 p=2, AES-256-CBC").out_has("valid");
    // If the decrypted key belongs to an algorithm that fndsa does not support (here Ed448), the
    // message names this algorithm.
    let openssl = |line: &str| ProgramCall::new("openssl", directory.root()).args(line).run().code(0);
    openssl("genpkey -algorithm ed448 -out ed");
    for (how, words) in [
        ("-scrypt", "scrypt N=16384 r=8 p=1, AES-256-CBC"),
        ("-v2 aes-256-cbc -v2prf hmacWithSHA512 -iter 3", "HMAC-SHA-512, 3 iterations, AES-256-CBC"),
        ("-v2 aes-128-cbc -iter 3", "AES-128-CBC"),
    ] {
        openssl(&format!("pkcs8 -topk8 -in ed -out ed.enc -passout pass:pw {how}"));
        directory.run("inspect ed.enc").code(0).out_has(words).out_has("not checked");
        directory.run("inspect ed.enc --password-file pw").code(3).err_has("this is a PKCS#8 private key of Ed448");
        directory.run("sign -k ed.enc -o s --password-file pw a").code(3).err_has("Ed448").err_has("hint: ");
    }
    for (how, words) in [
        ("-v1 PBE-SHA1-3DES", "PBE-SHA1-3DES (1.2.840.113549.1.12.1.3)"),
        ("-v2 aes-256-cbc -v2prf hmacWithSHA1", "SHA-1"),
        ("-v2 des3", "DES-EDE3-CBC (1.2.840.113549.3.7)"),
    ] {
        openssl(&format!("pkcs8 -topk8 -in ed -out ed.enc -passout pass:pw {how}"));
        directory.run("inspect ed.enc").code(3).err_has("fndsa does not read this encryption:").err_has(words);
    }
    // The old encrypted PEM form.
    openssl("genrsa -traditional -aes128 -passout pass:pwpw -out rsa 1024");
    directory.run("inspect rsa").code(3).err_has("an RSA key");
    directory.put(
        "x",
        directory.text("k.key").replace("KEY-----\n", "KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n"),
    );
    directory
        .run("inspect x")
        .code(3)
        .err_has("is a header of OpenSSL's traditional encryption, which fndsa does not read");
}

#[test]
fn memory_and_time_that_a_file_requires_are_limited() {
    let directory = TestDirectory::ready();
    let data = [1; 64];
    // scrypt parameters with a key length of 16 bytes, which is too short for AES-256.
    let parameters = [der(4, &[&SALT]), der_integer(16), der_integer(8), der_integer(1), der_integer(16)];
    let short_key = der(0x30, &[&oid(SCRYPT), &der(0x30, &parameters.each_ref().map(|part| &part[..]))]);
    for (kdf, words) in [
        (scrypt_parameters(&SALT, 1 << 21, 8, 1), "scrypt N=2097152 r=8 p=1"),
        (scrypt_parameters(&SALT, 1 << 63, 8, 1), "scrypt N=9223372036854775808"),
        (scrypt_parameters(&SALT, 1 << 17, 65535, 1), "r=65535"),
        (scrypt_parameters(&SALT, 1 << 17, 8, 65535), "p=65535"),
        (pbkdf2_parameters(10_000_001, &hmac_identifier(9)), "10000001 iterations"),
        (pbkdf2_parameters(u32::MAX.into(), &hmac_identifier(11)), "4294967295 iterations"),
    ] {
        directory.put("x", encrypted_private_key_info(PBES2, &kdf, AES_256_CBC, &data));
        for line in ["inspect x", "sign -k x -o s a", "passwd x --remove"] {
            let output = directory.call(line).env("FNDSA_PASSWORD", "pw").run().code(3);
            output.err_has("the password check costs more than fndsa allows:").err_has(words).err_has("hint: ");
        }
    }
    for (kdf, words) in [
        (scrypt_parameters(&SALT, 3, 8, 1), "N=3"),
        (scrypt_parameters(&SALT, 1, 8, 1), "N=1 "),
        (scrypt_parameters(&SALT, 0, 8, 1), "N=0"),
        (scrypt_parameters(&SALT, 16, 0, 1), "r=0"),
        (scrypt_parameters(&SALT, 16, 8, 0), "p=0"),
        (scrypt_parameters(&SALT, 16, 1 << 20, 1), "out of range"),
        (scrypt_parameters(&[7; 33], 16, 8, 1), "out of range"),
        (short_key, "key length"),
        (pbkdf2_parameters(1 << 40, &hmac_identifier(9)), "out of range"),
        (pbkdf2_parameters(0, &hmac_identifier(9)), "0 iterations"),
        (pbkdf2_parameters(1, &[]), "SHA-1"),
        (pbkdf2_parameters(1, &hmac_identifier(7)), "SHA-1"),
        (pbkdf2_parameters(1, &hmac_identifier(99)), "1.2.840.113549.2.99"),
        (der(0x30, &[&oid("1.2.3"), &der(0x30, &[])]), "1.2.3"),
    ] {
        directory.put("x", encrypted_private_key_info(PBES2, &kdf, AES_256_CBC, &data));
        let output = directory.call("inspect x").env("FNDSA_PASSWORD", "pw").run().code(3);
        output.err_has("fndsa does not read this encryption:").err_has(words).err_has("hint: ");
    }
    let kdf = scrypt_parameters(&SALT, 16, 8, 1);
    for (scheme, cipher) in [("1.2.840.113549.1.5.3", AES_256_CBC), (PBES2, "1.2.840.113549.3.7")] {
        directory.put("x", encrypted_private_key_info(scheme, &kdf, cipher, &data));
        directory.run("inspect x").code(3).err_has("not read");
    }
    // The encrypted data is empty or not a whole number of blocks.
    for len in [0, 1, 15, 17] {
        directory.put("x", encrypted_private_key_info(PBES2, &kdf, AES_256_CBC, &data[..len]));
        directory.call("inspect x").env("FNDSA_PASSWORD", "pw").run().code(5);
    }
}

/// Returns the salt and the initial vector in a file from fndsa: the first two octet strings with
/// 16 bytes.
fn salt_and_iv(der: &[u8]) -> [&[u8]; 2] {
    let value_from = |from: usize| {
        let offset = (from..).find(|offset| der[*offset..].starts_with(&[4, 16])).unwrap() + 2;
        (&der[offset..offset + 16], offset + 16)
    };
    let (salt, end) = value_from(0);
    [salt, value_from(end).0]
}

#[test]
fn every_file_has_its_own_salt_and_initial_vector() {
    let directory = TestDirectory::ready();
    directory.put("pw", "password\n");
    let files = ["1", "2"].map(|file| {
        let line = format!("convert k.key --to pkcs8-der --encrypt --new-password-file pw -o {file}");
        directory.run(&line).code(0);
        directory.get(file)
    });
    let mut all: Vec<_> = files.iter().flat_map(|file| salt_and_iv(file)).collect();
    assert!(all.iter().all(|value| *value != [0; 16]), "{all:?}");
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 4);
}

#[test]
fn too_little_memory_is_an_error() {
    let directory = TestDirectory::ready();
    directory.put("pw", "pw\n");
    directory.run("convert k.key -o e --to pkcs8 --encrypt --new-password-file pw").code(0);
    // The key derivation for files from this version of fndsa needs 16 MiB. Files from other
    // programs and from earlier versions can need more memory.
    let data = directory.get("k.pub");
    directory.put(
        "large",
        encrypted_private_key_info(PBES2, &scrypt_parameters(&SALT, 1 << 17, 8, 1), AES_256_CBC, &data[..32]),
    );
    for (limit, line, words) in [
        (120_000, "pubkey -k large --password-file pw", "large: the password check needs 128 MiB"),
        (20_000, "pubkey -k e --password-file pw", "e: the password check needs 16 MiB"),
        (
            20_000,
            "convert k.key -o n --to pkcs8 --encrypt --new-password-file pw",
            "password: the password check needs 16",
        ),
    ] {
        let output = directory.sh(&format!("ulimit -v {limit}; $FNDSA {line}")).code(4).out_empty();
        output.err_has(words).err_has("hint: ");
    }
    assert!(!directory.has("n"));
}

#[test]
fn a_damaged_encrypted_file_does_not_decrypt_to_another_key() {
    if !have("openssl") {
        return skip("damaged encrypted keys", "there is no openssl");
    }
    let directory = TestDirectory::ready();
    let file = encrypt_with_fast_derivation(&directory, "pw");
    let fingerprint = directory.run("inspect k.pub").code(0).out.split("sha256:").nth(1).unwrap().trim().to_owned();
    let header = file.len() - directory.get("data").len();
    let mut mutants: Vec<_> = (0..file.len()).step_by(7).map(|len| file[..len].to_vec()).collect();
    for (offset, bit) in (0..header + 48).flat_map(|offset| (0..8).map(move |bit| (offset, bit))) {
        let mut mutant = file.clone();
        mutant[offset] ^= 1 << bit;
        mutants.push(mutant);
    }
    for offset in (header + 48..file.len()).step_by(11) {
        let mut mutant = file.clone();
        mutant[offset] ^= 1 << (offset % 8);
        mutants.push(mutant);
    }
    directory.put("x", &file);
    directory.call("inspect x").env("FNDSA_PASSWORD", "pw").run().code(0).out_has(&fingerprint);
    in_parallel(&mutants, |i, mutant| {
        let name = format!("m{i}");
        directory.put(&name, mutant);
        let output = directory.call("inspect").arg(&name).env("FNDSA_PASSWORD", "pw").run();
        assert!(output.code == 3 || output.code == 5, "{i}: {output:?}");
    });
}
