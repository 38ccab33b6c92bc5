//! Tests for SSH signatures and public keys of OpenSSH. `ssh-keygen` wrote the files in
//! tests/kat/ssh.

use crate::harness::{TestDirectory, vectors};
use crate::messages::{MessageCase, RunMethod, row};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The keys in tests/kat/ssh: the name in file names, the algorithm in messages, and the algorithm
/// in options.
const KEYS: [(&str, &str, &str); 2] =
    [("ed25519", "Ed25519", "ed25519"), ("mldsa44-ed25519", "ML-DSA-44-Ed25519", "ml-dsa-44-ed25519")];

/// Returns the rows about SSH signatures for the message catalogue in `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    let signed = "$FNDSA keygen -q -a ed25519 e && $FNDSA sign -f -k e.key --ssh file a";
    vec![
        row(
            "ssh_namespace",
            "verify --ssh git -p e.pub a",
            1,
            "the signature was made for the namespace \"file\", not \"git\"",
            "give the namespace that the signer used, if you trust the key for this purpose",
        )
        .how(RunMethod::After(signed)),
        row(
            "other_signer",
            "verify --ssh file -p o.pub a",
            1,
            "which is not a trusted key",
            "ask the signer for the fingerprint of the public key",
        )
        .how(RunMethod::After(
            "$FNDSA keygen -q -a ed25519 e && $FNDSA sign -f -k e.key --ssh file a && $FNDSA keygen -q -a ed25519 o",
        )),
        row(
            "ssh_signature",
            "verify --ssh file -p e.pub -s x a",
            3,
            "x: this is not an SSH signature that fndsa can verify: the content does not begin with SSHSIG",
            "the file is damaged",
        )
        .how(RunMethod::After(signed))
        .file_x("-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n"),
        row(
            "no_ssh_signature",
            "sign -f -k k.key --ssh file a",
            2,
            "SSH has no signatures of FN-DSA-512, only of ed25519 and ml-dsa-44-ed25519",
            "make a key with `fndsa keygen -a ml-dsa-44-ed25519 NAME`, or leave --ssh out",
        ),
    ]
}

/// Reads a file in tests/kat/ssh.
fn file_of_openssh(name: &str) -> String {
    String::from_utf8(vectors(&format!("ssh/{name}"))).unwrap()
}

/// Returns the first two words of a public key file: the type and the key, without the comment.
fn without_comment(line: &str) -> String {
    let words: Vec<_> = line.split_whitespace().take(2).collect();
    format!("{}\n", words.join(" "))
}

/// Returns a directory with the message `m`, which OpenSSH has signed, and both public keys.
fn with_openssh_files() -> TestDirectory {
    let directory = TestDirectory::empty();
    directory.put("m", vectors("ssh/msg.txt"));
    for (name, ..) in KEYS {
        directory.put(format!("{name}.pub"), file_of_openssh(&format!("id_{name}.pub")));
    }
    directory
}

#[test]
fn signatures_of_openssh_verify_only_in_their_namespace() {
    let directory = with_openssh_files();
    for (name, algorithm, _) in KEYS {
        for (signature, namespace, other) in [("file", "file", "git"), ("git-sha256", "git", "file")] {
            directory.put("m.sig", file_of_openssh(&format!("msg.{name}.{signature}.sshsig")));
            directory
                .run(&format!("verify --ssh {namespace} -p {name}.pub m"))
                .code(0)
                .out_has(&format!("m: OK ({algorithm} "));
            directory
                .run(&format!("verify --ssh {other} -p {name}.pub m"))
                .code(1)
                .out_has("was made for the namespace");
            directory.run(&format!("verify -p {name}.pub m")).code(3).err_has("give its namespace with --ssh");
            directory.put("changed", "another message");
            let line = format!("verify --ssh {namespace} -p {name}.pub -s m.sig changed");
            let output = directory.run(&line).code(1).out_has("changed: FAILED");
            output.err_has("the file or its signature was probably changed: get both again");
            directory.put("changed", "release notes, shared set\r\n");
            directory.run(&line).code(1).err_has("a program changed the line ends from LF to CR LF");
            directory.put("changed", "");
            directory.run(&line).code(1).err_has("the file is empty: get the file again");
        }
    }
}

#[test]
fn a_signature_is_described() {
    let directory = with_openssh_files();
    for (name, algorithm, _) in KEYS {
        directory.put("s", file_of_openssh(&format!("msg.{name}.git-sha256.sshsig")));
        let text = format!("s: {algorithm} signature, OpenSSH signature, namespace \"git\", hash sha256, ");
        directory.run("inspect s").code(0).out_has(&text);
        let key = directory.run(&format!("--json inspect {name}.pub")).code(0).json();
        let signature = directory.run("--json inspect s").code(0).json();
        assert_eq!(signature["results"][0]["claims"]["fingerprint"], key["results"][0]["key"]["fingerprint"]);
        assert_eq!(signature["results"][0]["label"], "SSH SIGNATURE");
    }
}

#[test]
fn sign_and_verify_agree() {
    let directory = TestDirectory::ready();
    for (_, algorithm, option) in KEYS {
        directory.run(&format!("keygen -q -f -a {option} e")).code(0);
        let json = directory.run("--json sign -f -k e.key --ssh file a").code(0).json();
        assert_eq!((&json["results"][0]["namespace"], &json["results"][0]["bytes"]), (&"file".into(), &6.into()));
        let json = directory.run("--json verify -p k.pub -p e.pub --ssh file a").code(0).json();
        let result = &json["results"][0];
        assert_eq!((&result["namespace"], &result["bytes"]), (&"file".into(), &6.into()));
        assert_eq!(result["algorithm"], algorithm);
        directory.call("verify -p e.pub --ssh file -s a.sig -").input("hello\n").run().code(0);
        directory.call("verify -p e.pub --ssh file -s a.sig -").input("other\n").run().code(1);
        directory.run("verify -p e.pub --ssh file --require 2 a").code(2).err_has("only 1 key is given");
        directory.run("verify -p e.pub -p k.pub --ssh file --require 2 a").code(1).out_has("1 of 2 required keys");
    }
}

/// Replaces the public key in a signature file, and keeps the signature of the original key.
fn with_other_key(file: &str, key: &str) -> Vec<u8> {
    let mut parts = SignatureParts::of_file(file);
    parts.elements[0] = STANDARD.decode(key.split(' ').nth(1).unwrap().trim()).unwrap();
    parts.to_file()
}

#[test]
fn the_key_in_the_signature_must_be_the_key_that_signed() {
    let directory = TestDirectory::ready();
    for (_, _, option) in KEYS {
        for name in ["e", "o"] {
            directory.run(&format!("keygen -q -f -a {option} {name}")).code(0);
        }
        directory.run("sign -f -k e.key --ssh file a").code(0);
        directory.run("convert -f o.pub --to ssh -o o.ssh").code(0);
        directory.put("a.sig", with_other_key(&directory.text("a.sig"), &directory.text("o.ssh")));
        directory.run("verify --ssh file -p e.pub a").code(1).out_has("which is not a trusted key");
        directory.run("verify --ssh file -p o.pub a").code(1).out_has("FAILED");
        directory.run("verify --ssh file -p e.pub -p o.pub a").code(1).out_has("FAILED");
    }
}

#[test]
fn options_without_effect_are_errors() {
    let directory = TestDirectory::ready();
    directory.run("keygen -q -a ed25519 e").code(0);
    directory.run("keygen -q -a ed25519 o").code(0);
    directory.run("sign -f -k e.key --ssh file a").code(0);
    for option in ["--prehash sha512", "-c x", "--context-hex 00", "--dsse t", "-M L", "--mu", "--encoding padded"] {
        directory.run(&format!("sign -f -k e.key --ssh file {option} a")).code(2).err_has("cannot be used with");
        directory.run(&format!("verify -p e.pub --ssh file {option} a")).code(2).err_has("cannot be used with");
    }
    for option in ["--add", "--format raw", "--stream"] {
        directory.run(&format!("sign -f -k e.key --ssh file {option} a")).code(2).err_has("cannot be used with");
    }
    directory.run("verify -p e.pub --ssh file --stream").code(2).err_has("cannot be used with");
    directory.run("verify -p e.pub --ssh file --attached a").code(2).err_has("cannot be used with");
    directory.run("sign -f -k e.key -k o.key --ssh file a").code(2).err_has("--ssh takes one private key");
    for namespace in ["", "a b", "a,b", "a\"b", "\u{e9}"] {
        let call = || directory.call("verify -p e.pub a --ssh").arg(namespace).run();
        call().code(2).err_has("a namespace has 1 to 255 visible ASCII characters");
    }
    let output = directory.run("verify -p k.pub --ssh file a").code(2).err_has("SSH has no signatures of FN-DSA-512");
    output.err_has("give the signer's public key of one of these algorithms");
    directory.run("verify -p e.pub --ssh file --explain a").code(2).err_has("cannot be used with");
    directory.put("empty", "\n");
    directory.run("verify -p e.pub --ssh file -s empty a").code(3).err_has("download the file again");
}

/// SSH signatures have no context. So a key with the key line `context:` rejects them.
#[test]
fn a_key_for_a_context_verifies_no_ssh_signature() {
    let directory = TestDirectory::ready();
    for (_, _, option) in KEYS {
        directory.run(&format!("keygen -q -f -a {option} e")).code(0);
        directory.run("sign -f -k e.key --ssh ci a").code(0);
        directory.put("keys", format!("context: ci\n{}", directory.text("e.pub")));
        let output = directory
            .run("verify --trusted-keys keys --ssh ci a")
            .code(1)
            .out_has("which is only for the context \"ci\"");
        output.err_has("an SSH signature has no context").err_has("remove the key line `context:`");
        directory.run("sign -f -k e.key a").code(0);
        directory.run("verify --trusted-keys keys a").code(1).err_has("with the context from the key line `context:`");
    }
}

#[test]
fn a_signature_is_replaced_only_by_force() {
    let directory = TestDirectory::ready();
    directory.run("keygen -q -a ed25519 e").code(0);
    directory.run("sign -k e.key --ssh file -o s b").code(0);
    directory.run("sign -k e.key --ssh file -o s b").code(4).err_has("s: exists already");
    directory.run("sign -f -k e.key -o s b").code(0);
    directory.run("sign -f -k e.key --ssh file -o s b").code(0);
    directory.run("sign -f -k e.key --ssh file -o a b").code(4).err_has("is not a signature");
}

/// The parts of a signature file.
struct SignatureParts {
    /// The bytes before the first element: the text `SSHSIG` and the version.
    begin: Vec<u8>,
    /// The public key, the namespace, a reserved string, the name of the hash function, and the
    /// signature.
    elements: Vec<Vec<u8>>,
}

impl SignatureParts {
    /// Decodes a signature file, and splits it into its parts.
    fn of_file(file: &str) -> Self {
        let base64: String = file.lines().filter(|line| !line.starts_with('-')).collect();
        let data = STANDARD.decode(base64).unwrap();
        let (begin, mut rest) = data.split_at(10);
        let mut elements = Vec::new();
        while let Some((len, after)) = rest.split_first_chunk() {
            let (element, after) = after.split_at(u32::from_be_bytes(*len) as usize);
            elements.push(element.to_vec());
            rest = after;
        }
        assert_eq!(elements.len(), 5);
        Self { begin: begin.to_vec(), elements }
    }

    /// Joins the parts. Before each element, adds its length in four bytes.
    fn to_bytes(&self) -> Vec<u8> {
        let mut data = self.begin.clone();
        for element in &self.elements {
            data.extend((element.len() as u32).to_be_bytes());
            data.extend(element);
        }
        data
    }

    /// Encodes the parts as a signature file.
    fn to_file(&self) -> Vec<u8> {
        to_file(&self.to_bytes())
    }
}

/// Encodes bytes as a signature file.
fn to_file(data: &[u8]) -> Vec<u8> {
    format!("-----BEGIN SSH SIGNATURE-----\n{}\n-----END SSH SIGNATURE-----\n", STANDARD.encode(data)).into_bytes()
}

/// Returns changed signature files: `count` files with changed bytes, and files in which a part is
/// repeated or two parts are swapped. No file contains a valid signature.
fn mutations(file: &str, count: usize) -> Vec<Vec<u8>> {
    let data = SignatureParts::of_file(file).to_bytes();
    let mut changed = Vec::new();
    for i in 0..count {
        // Half of the positions are in the first 120 bytes, which contain lengths and names. The
        // other positions are spread over the data.
        let position = if i % 2 == 0 { i % 120 } else { i * 7919 % data.len() };
        let mut bytes = data.clone();
        match i % 5 {
            0 | 1 => bytes[position] ^= 1 << (i / 5 % 8),
            2 => drop(bytes.remove(position)),
            3 => bytes.insert(position, bytes[position].wrapping_add(1)),
            _ => bytes.truncate(position),
        }
        changed.push(to_file(&bytes));
    }
    for first in 0..5 {
        for second in 0..5 {
            let mut parts = SignatureParts::of_file(file);
            if first == second {
                parts.elements.insert(first, parts.elements[first].clone());
            } else {
                parts.elements.swap(first, second);
            }
            changed.push(parts.to_file());
        }
    }
    changed
}

#[test]
fn no_changed_signature_is_accepted() {
    let directory = with_openssh_files();
    for (name, ..) in KEYS {
        let changed = mutations(&file_of_openssh(&format!("msg.{name}.file.sshsig")), 1000);
        let mut line = format!("verify --ssh file -p {name}.pub");
        for (i, file) in changed.iter().enumerate() {
            directory.put(format!("m{i}"), vectors("ssh/msg.txt"));
            directory.put(format!("m{i}.sig"), file);
            line += &format!(" m{i}");
        }
        let checked = directory.run(&line);
        let lines: Vec<_> = checked.out.lines().collect();
        assert_eq!(lines.len(), changed.len());
        for line in lines {
            assert!(line.contains(": FAILED (") || line.contains(": ERROR ("), "{line}");
        }
    }
}

/// A composite signature is rejected if its two halves are from signatures of different messages.
#[test]
fn the_halves_of_a_composite_signature_belong_together() {
    let directory = TestDirectory::ready();
    directory.run("keygen -q -a ml-dsa-44-ed25519 e").code(0);
    directory.run("sign -f -k e.key --ssh file a").code(0);
    directory.run("sign -f -k e.key --ssh file b").code(0);
    let (a, b) = (SignatureParts::of_file(&directory.text("a.sig")), SignatureParts::of_file(&directory.text("b.sig")));
    let half = a.elements[4].len() - 64;
    let mut mixed = SignatureParts::of_file(&directory.text("a.sig"));
    mixed.elements[4].truncate(half);
    mixed.elements[4].extend_from_slice(&b.elements[4][half..]);
    for name in ["a", "b"] {
        directory.put(format!("{name}.sig"), mixed.to_file());
        directory.run(&format!("verify --ssh file -p e.pub {name}")).code(1).out_has("FAILED");
    }
}
#[test]
fn keys_are_written_as_openssh_writes_them() {
    let directory = TestDirectory::empty();
    for (name, algorithm, _) in KEYS {
        directory.put("k.ssh", file_of_openssh(&format!("id_{name}.pub")));
        directory.run("inspect k.ssh").code(0).out_has(&format!("{algorithm} public key, OpenSSH key"));
        directory.run("convert -f k.ssh --to spki -o spki").code(0);
        directory.run("convert -f spki --to ssh -o ours").code(0);
        assert_eq!(directory.text("ours"), without_comment(&file_of_openssh(&format!("id_{name}.pub"))));
    }
}

#[test]
fn a_key_of_openssh_verifies() {
    let directory = TestDirectory::ready();
    for algorithm in ["ed25519", "ml-dsa-44-ed25519"] {
        directory.run(&format!("keygen -q -f -a {algorithm} e")).code(0);
        directory.run("sign -f -k e.key a").code(0);
        directory.run("convert -f e.pub --to ssh -o e.ssh").code(0);
        directory.run("verify -p e.ssh a").code(0);
        directory.put(
            "other",
            file_of_openssh(if algorithm == "ed25519" { "id_ed25519.pub" } else { "id_mldsa44-ed25519.pub" }),
        );
        directory.run("verify -p other a").code(1);
    }
}

#[test]
fn a_damaged_key_is_rejected() {
    let directory = TestDirectory::ready();
    for (name, ..) in KEYS {
        let line = without_comment(&file_of_openssh(&format!("id_{name}.pub")));
        let (kind, base64) = line.trim().split_once(' ').unwrap();
        let other = if name == "ed25519" { "ssh-mldsa44-ed25519" } else { "ssh-ed25519" };
        for damaged in [
            format!("{kind} {}", &base64[..base64.len() - 4]),
            format!("{kind} {base64}AAAA"),
            format!("{kind} {}", base64.replacen('A', "*", 1)),
            format!("{other} {base64}"),
            kind.to_owned(),
            format!("{line}{line}"),
            format!("{kind} {base64} me\n{line}"),
        ] {
            directory.put("x", &damaged);
            directory.run("verify -p x a").code(3).err_has("OpenSSH public key");
        }
    }
}

#[test]
fn other_keys_have_no_such_form() {
    let directory = TestDirectory::ready();
    directory.run("convert k.pub --to ssh -o o").code(2).err_has("SSH has no keys of FN-DSA-512");
}
