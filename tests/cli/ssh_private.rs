//! Tests for private keys of OpenSSH. `ssh-keygen` wrote the files in tests/kat/ssh. The password
//! of the encrypted files is `pass phrase`.

use crate::harness::{TestDirectory, vectors};
use crate::messages::{MessageCase, RunMethod, row};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The keys in tests/kat/ssh: the name in file names, and the algorithm in messages.
const KEYS: [(&str, &str); 2] = [("ed25519", "Ed25519"), ("mldsa44-ed25519", "ML-DSA-44-Ed25519")];

/// Returns the rows about private keys of OpenSSH for the message catalogue in `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    let convert = "$FNDSA keygen -q -a ed25519 e && $FNDSA convert e.key --to ssh -o id";
    vec![
        row(
            "openssh_password",
            "passwd id",
            3,
            "id: fndsa does not change the password of an OpenSSH key",
            "use `ssh-keygen -p -f FILE`",
        )
        .how(RunMethod::After(convert)),
        row(
            "not_encryptable",
            "convert k.key --to ssh --encrypt -o id",
            2,
            "fndsa cannot encrypt OpenSSH files",
            "set a password with `ssh-keygen -p -f FILE`",
        ),
        row(
            "unknown_encryption",
            "inspect x",
            3,
            "x: fndsa does not read this encryption of OpenSSH: aes128-ctr",
            "`ssh-keygen -p -Z aes256-ctr -f FILE`",
        )
        .file_x(to_file(&replaced("id_locked_ed25519", b"aes256-ctr", b"aes128-ctr"))),
        row(
            "encryption_cost",
            "inspect x",
            3,
            "x: the password check costs more than fndsa allows: bcrypt, 16777248 rounds (over 2000)",
            "choose a lower cost",
        )
        .file_x(to_file(&replaced("id_locked_ed25519", b"\0\0\0\x20\0\0\0\x01", b"\x01\0\0\x20\0\0\0\x01"))),
        row(
            "foreign_file",
            "sign -f -k x a",
            3,
            "x: this is an OpenSSH private key of a type other than ssh-ed25519 and ssh-mldsa44-ed25519",
            "sign with `ssh-keygen -Y sign`, or make a key for fndsa with `fndsa keygen NAME`",
        )
        .file_x(to_file(&replaced("id_locked_ed25519", b"ssh-ed25519", b"ssh-unknown"))),
    ]
}

/// Reads a file in tests/kat/ssh.
fn file_of_openssh(name: &str) -> String {
    String::from_utf8(vectors(&format!("ssh/{name}"))).unwrap()
}

/// Returns the decoded bytes of a key file in tests/kat/ssh.
fn content(name: &str) -> Vec<u8> {
    content_of(&file_of_openssh(name))
}

/// Decodes the base64 lines of a key file.
fn content_of(file: &str) -> Vec<u8> {
    let base64: String = file.lines().filter(|line| !line.starts_with('-')).collect();
    STANDARD.decode(base64).unwrap()
}

/// Returns the decoded bytes of a key file in tests/kat/ssh, with the first occurrence of `from`
/// replaced by `to`.
fn replaced(name: &str, from: &[u8], to: &[u8]) -> Vec<u8> {
    let data = content(name);
    let at = data.windows(from.len()).position(|window| window == from).unwrap();
    [&data[..at], to, &data[at + from.len()..]].concat()
}

/// Encodes bytes as a private key file of OpenSSH.
fn to_file(data: &[u8]) -> String {
    let base64 = STANDARD.encode(data);
    format!("-----BEGIN OPENSSH PRIVATE KEY-----\n{base64}\n-----END OPENSSH PRIVATE KEY-----\n")
}

/// Returns a directory with the private and public key files of OpenSSH, the message `m`, the
/// password in `pw`, and a wrong password in `wrong`.
fn with_openssh_files() -> TestDirectory {
    let directory = TestDirectory::empty();
    directory.put("m", "a message\n");
    directory.put("pw", "pass phrase\n");
    directory.put("wrong", "pass  phrase\n");
    for (name, _) in KEYS {
        for file in [format!("id_{name}"), format!("id_locked_{name}")] {
            directory.put(&file, file_of_openssh(&file));
            directory.put(format!("{file}.pub"), file_of_openssh(&format!("{file}.pub")));
        }
    }
    directory.sh("chmod 600 id_*").code(0);
    directory
}

#[test]
fn a_private_key_of_openssh_signs() {
    let directory = with_openssh_files();
    for (name, algorithm) in KEYS {
        for (key, password) in [(format!("id_{name}"), ""), (format!("id_locked_{name}"), "--password-file pw")] {
            directory.run(&format!("sign -q -f -k {key} {password} --ssh file m")).code(0).err_empty();
            let words = format!("m: OK ({algorithm} ");
            directory.run(&format!("verify -p {key}.pub --ssh file m")).code(0).out_has(&words);
            directory.run(&format!("sign -q -f -k {key} {password} m")).code(0);
            directory.run(&format!("verify -p {key}.pub m")).code(0).out_has(&words);
            directory.run(&format!("pubkey {key} {password} -f -o p.pub")).code(0);
            directory.run("verify -p p.pub m").code(0).out_has(&words);
            directory.run(&format!("convert {key} {password} -f --to pkcs8 -o k.key")).code(0);
            directory.run("sign -q -f -k k.key m").code(0);
            directory.run(&format!("verify -p {key}.pub m")).code(0).out_has(&words);
            directory.remove("k.key");
        }
    }
}

#[test]
fn a_private_key_of_openssh_is_described() {
    let directory = with_openssh_files();
    for (name, algorithm) in KEYS {
        let words = format!("id_{name}: {algorithm} private key, OpenSSH key, ");
        directory.run(&format!("inspect id_{name} id_{name}.pub")).code(0).out_has(&words).out_has("a key pair");
        let result = &directory.run(&format!("--json inspect id_{name}")).code(0).json()["results"][0];
        assert_eq!((&result["encoding"], &result["label"]), (&"openssh".into(), &"OPENSSH PRIVATE KEY".into()));
        assert_eq!((&result["encrypted"], &result["checked"]), (&false.into(), &true.into()));

        let key = format!("id_locked_{name}");
        let words = "encrypted private key, OpenSSH key, bcrypt, 32 rounds, AES-256-CTR, not checked";
        let claim = format!("according to the file, not verified: {algorithm}, of public key sha256:");
        directory.run(&format!("inspect {key}")).code(0).out_has(words).out_has(&claim);
        let closed = &directory.run(&format!("--json inspect {key}")).code(0).json()["results"][0];
        assert_eq!((&closed["encoding"], &closed["label"]), (&"openssh".into(), &"OPENSSH PRIVATE KEY".into()));
        assert_eq!((&closed["encrypted"], &closed["checked"]), (&true.into(), &false.into()));
        let open = &directory.run(&format!("--json inspect --password-file pw {key}")).code(0).json()["results"][0];
        assert_eq!((&open["encrypted"], &open["checked"]), (&true.into(), &true.into()));
        assert_eq!(open["encryption"], "bcrypt, 32 rounds, AES-256-CTR");
        assert_eq!(open["key"]["fingerprint"], closed["claims"]["fingerprint"]);
        directory.run(&format!("inspect --password-file pw {key} {key}.pub")).code(0).out_has("a key pair");
        directory.run(&format!("inspect --password-file pw {key} id_{name}.pub")).code(1);
    }
}

#[test]
fn a_password_is_needed_and_must_be_right() {
    let directory = with_openssh_files();
    for (name, _) in KEYS {
        let sign = format!("sign -f -k id_locked_{name} m");
        directory.run(&sign).code(5).err_has("the private key is encrypted, and no password is given");
        directory
            .run(&format!("{sign} --password-file wrong"))
            .code(5)
            .err_has("wrong password (from --password-file)");
        directory.put("empty", "\n");
        directory.run(&format!("{sign} --password-file empty")).code(5).err_has("wrong password");
        directory
            .run(&format!("sign -f -k id_{name} --password-file pw m"))
            .code(2)
            .err_has("no private key is encrypted");
    }
}

/// If an encrypted key is damaged and the password is right, the error is not "wrong password". In
/// counter mode, a changed byte changes only the byte at this position in the decrypted data. The
/// test changes a byte of the private key, and the last byte of the padding.
#[test]
fn a_damaged_file_is_not_a_wrong_password() {
    let directory = with_openssh_files();
    for (name, _) in KEYS {
        let data = content(&format!("id_round_{name}"));
        for (at, words) in
            [(60, "the public key in the file does not belong to the private key"), (1, "the padding is wrong")]
        {
            let mut changed = data.clone();
            let position = data.len() - at;
            changed[position] ^= 1;
            directory.put("x", to_file(&changed));
            directory.run("sign -f -k x --password-file pw m").code(3).err_has(words);
            directory.run("sign -f -k x --password-file wrong m").code(5).err_has("wrong password");
        }
    }
}

#[test]
fn a_private_key_is_written_without_a_password() {
    let directory = with_openssh_files();
    for (name, algorithm) in KEYS {
        let option = algorithm.to_lowercase();
        directory.run(&format!("keygen -q -f -a {option} {name}")).code(0);
        directory.run(&format!("convert {name}.key --to ssh -o {name}")).code(0);
        assert_eq!(directory.mode(name), 0o600);
        let back = format!("convert -f {name} --to pkcs8 -o back");
        directory.run(&back).code(0);
        assert_eq!(directory.text("back"), directory.text(format!("{name}.key")));
        directory.remove("back");
        directory.run(&format!("convert {name} --to ssh -o {name}")).code(2);
        // `convert` decrypts a file that has a password, and writes a file without a password.
        let locked = format!("convert id_locked_{name} --to ssh -o open");
        directory.run(&locked).code(5);
        directory.run(&format!("{locked} --password-file pw")).code(0).err_has("note: open has no password");
        directory.run(&format!("inspect open id_locked_{name}.pub")).code(0).out_has("a key pair");
        directory.remove("open");
    }
    directory.run("keygen -q f").code(0);
    directory.run("convert f.key --to ssh -o o").code(2).err_has("SSH has no keys of FN-DSA-512");
    directory.run("sign -q -k f.key m").code(0);
    directory.run("convert m.sig --to ssh -o o").code(2).err_has("a signature has no OpenSSH form");
}

#[test]
fn the_password_of_an_openssh_key_stays() {
    let directory = with_openssh_files();
    for options in ["", "--remove", "--new-password-file pw", "--remove -o new"] {
        for key in ["id_ed25519", "id_locked_ed25519"] {
            let before = directory.text(key);
            directory.run(&format!("passwd {key} {options}")).code(3).err_has("ssh-keygen -p -f FILE");
            assert_eq!(directory.text(key), before);
        }
    }
    assert!(!directory.has("new"));
    directory.run("convert id_ed25519 --to ssh --encrypt -o new").code(2).err_has("fndsa cannot encrypt OpenSSH files");
    directory.run("convert id_ed25519 --to pkcs8 --encrypt --new-password-file pw -o new").code(0);
    directory.run("inspect new --password-file pw id_ed25519.pub").code(0).out_has("a key pair");
    directory.run("convert id_ed25519 --to spki -o o").code(2).err_has("a private key has no SPKI form");
}

/// Returns `count` changed copies of a key file. `data` is its decoded content.
fn mutations(data: &[u8], count: usize) -> Vec<String> {
    let mut changed = Vec::new();
    for i in 0..count {
        // Half of the positions are in the first 120 bytes, which contain lengths and names. The
        // other positions are spread over the data.
        let position = if i % 2 == 0 { i % 120 } else { i * 7919 % data.len() };
        let mut bytes = data.to_vec();
        match i % 5 {
            0 | 1 => bytes[position] ^= 1 << (i / 5 % 8),
            2 => drop(bytes.remove(position)),
            3 => bytes.insert(position, bytes[position].wrapping_add(1)),
            _ => bytes.truncate(position),
        }
        changed.push(to_file(&bytes));
    }
    changed
}

/// `inspect` rejects a changed file, or reports the original key. The key is unchanged if the
/// change affects only the comment or the check numbers.
#[test]
fn a_changed_file_contains_no_other_key() {
    let directory = with_openssh_files();
    for (name, _) in KEYS {
        let data = content(&format!("id_{name}"));
        let right = fingerprint_of(&directory, &format!("id_{name}.pub"));
        let changed = mutations(&data, 1000);
        let mut line = "inspect".to_owned();
        for (i, file) in changed.iter().enumerate() {
            directory.put(format!("k{i}"), file);
            line += &format!(" k{i}");
        }
        let accepted = accepted(&directory, &line, changed.len(), &right);
        assert!(accepted < 60, "{name}: {accepted}");
    }
}

/// `inspect` rejects a changed encrypted file, or reports the original key. The files have one
/// round of bcrypt, so that each decryption is fast.
#[test]
fn a_changed_encrypted_file_contains_no_other_key() {
    let directory = with_openssh_files();
    for name in ["id_round_ed25519", "id_round_mldsa44-ed25519"] {
        directory.put(format!("{name}.pub"), file_of_openssh(&format!("{name}.pub")));
        directory.put(name, file_of_openssh(name));
        let inspect = format!("inspect {name} {name}.pub --password-file pw");
        directory.run(&inspect).code(0).out_has("a key pair").out_has("bcrypt, 1 rounds, AES-256-CTR");
        let right = fingerprint_of(&directory, &format!("{name}.pub"));
        let data = content(name);
        let rounds = data.windows(8).position(|window| window == b"\0\0\0\x01\0\0\0\x01").unwrap();
        let mut line = "inspect --password-file pw".to_owned();
        let mut changed = mutations(&data, 1000);
        // Skip changes that increase the number of rounds, because the decryption would take
        // seconds.
        changed.retain(|file| content_of(file).get(rounds..).is_none_or(|rest| rest.starts_with(b"\0\0\0\x01\0\0")));
        for (i, file) in changed.iter().enumerate() {
            directory.put(format!("k{i}"), file);
            line += &format!(" k{i}");
        }
        let accepted = accepted(&directory, &line, changed.len(), &right);
        assert!(changed.len() > 600 && accepted < 60, "{name}: {} {accepted}", changed.len());
    }
}

fn fingerprint_of(directory: &TestDirectory, file: &str) -> String {
    let json = directory.run(&format!("--json inspect {file}")).code(0).json();
    json["results"][0]["key"]["fingerprint"].as_str().unwrap().to_owned()
}

/// Runs `inspect` for `count` files. Checks that each file is an error or contains the key with
/// this fingerprint. Returns the number of files that contain the key.
fn accepted(directory: &TestDirectory, line: &str, count: usize, fingerprint: &str) -> usize {
    let json = directory.run(&format!("--json {line}")).json();
    let results = json["results"].as_array().unwrap();
    assert_eq!(results.len(), count);
    let mut accepted = 0;
    for result in results {
        if result["status"] == "ok" {
            assert_eq!(result["key"]["fingerprint"], fingerprint);
            accepted += 1;
        } else {
            assert!(result["reason"].is_string(), "{result}");
        }
    }
    accepted
}
