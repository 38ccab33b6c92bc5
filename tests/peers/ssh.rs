//! Exchanges SSH signatures and public keys between the command line and `ssh-keygen`, in both
//! directions.

use crate::mldsa::FndsaDirectory;
use crate::programs::folder;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Algorithms: (name for `fndsa`, key type for `ssh-keygen`).
const KEYS: [(&str, &str); 2] = [("ed25519", "ed25519"), ("ml-dsa-44-ed25519", "mldsa44-ed25519")];

/// A version of `ssh-keygen`, and the key types that it supports.
struct SshKeygen {
    path: PathBuf,
    /// The elements of [`KEYS`] that this version supports.
    keys: &'static [(&'static str, &'static str)],
}

impl SshKeygen {
    /// Returns the programs on this machine: OpenSSH 10.6, and the program of the system.
    fn all() -> Vec<Self> {
        let new_program = folder().join("openssh/ssh-keygen");
        let mut programs = Vec::new();
        if new_program.exists() {
            programs.push(Self { path: new_program, keys: &KEYS });
        } else {
            println!("skip: OpenSSH 10.6, it is not installed: tests/peers/install");
        }
        let system = PathBuf::from("ssh-keygen");
        if Command::new(&system).stdout(Stdio::null()).stderr(Stdio::null()).arg("-?").status().is_ok() {
            programs.push(Self { path: system, keys: &KEYS[..1] });
        } else {
            println!("skip: ssh-keygen, there is none");
        }
        programs
    }

    /// Runs the program with a file as its standard input. Returns whether it succeeds.
    fn run(&self, work_dir: &FndsaDirectory, line: &str, input: &str) -> bool {
        let mut command = Command::new(&self.path);
        command.args(line.split(' ')).current_dir(work_dir.directory.path());
        let input = File::open(work_dir.directory.path().join(input)).expect("an input");
        command.stdin(input).stdout(Stdio::null()).stderr(Stdio::null()).status().expect("ssh-keygen").success()
    }
}

/// Returns a directory with the messages `m` and `other`.
fn new_work_dir() -> FndsaDirectory {
    let work_dir = FndsaDirectory { directory: tempfile::tempdir().expect("a directory") };
    work_dir.put("m", b"a message\n");
    work_dir.put("other", b"another message\n");
    work_dir
}

#[test]
fn ssh_keygen_verifies_signatures_of_fndsa() {
    for program in SshKeygen::all() {
        for (algorithm, _) in program.keys {
            let work_dir = new_work_dir();
            assert_eq!(work_dir.run(&format!("keygen -q -a {algorithm} k")).0, Some(0));
            assert_eq!(work_dir.run(&format!("keygen -q -a {algorithm} o")).0, Some(0));
            assert_eq!(work_dir.run("sign -k k.key --ssh file m").0, Some(0));
            let allowed_signers = |key: &str, options: &str| {
                let key =
                    String::from_utf8(work_dir.output_file(&format!("convert {key}.pub --to ssh"))).expect("text");
                format!("me@example.com {options}{key}").into_bytes()
            };
            work_dir.put("allowed", &allowed_signers("k", ""));
            work_dir.put("limited", &allowed_signers("k", "namespaces=\"git\" "));
            work_dir.put("foreign", &allowed_signers("o", ""));
            let verify = "-Y verify -I me@example.com -s m.sig";
            assert!(program.run(&work_dir, "-Y check-novalidate -n file -s m.sig", "m"));
            assert!(program.run(&work_dir, &format!("{verify} -f allowed -n file"), "m"));
            assert!(!program.run(&work_dir, &format!("{verify} -f allowed -n file"), "other"));
            assert!(!program.run(&work_dir, &format!("{verify} -f allowed -n git"), "m"));
            assert!(!program.run(&work_dir, &format!("{verify} -f limited -n file"), "m"));
            assert!(!program.run(&work_dir, &format!("{verify} -f foreign -n file"), "m"));
        }
    }
}

#[test]
fn fndsa_verifies_signatures_of_ssh_keygen() {
    for program in SshKeygen::all() {
        for (_, kind) in program.keys {
            let work_dir = new_work_dir();
            for name in ["k", "o"] {
                assert!(program.run(&work_dir, &format!("-q -t {kind} -N  -C a@b -f {name}"), "m"), "{kind}");
            }
            for hash in ["sha512", "sha256"] {
                let line = format!("-Y sign -q -n file -O hashalg={hash} -f k m");
                let _ = std::fs::remove_file(work_dir.directory.path().join("m.sig"));
                assert!(program.run(&work_dir, &line, "m"), "{line}");
                assert_eq!(work_dir.run("verify -p k.pub --ssh file m").0, Some(0), "{kind} {hash}");
                assert_eq!(work_dir.run("verify -p k.pub --ssh git m").0, Some(1), "{kind} {hash}");
                assert_eq!(work_dir.run("verify -p o.pub --ssh file m").0, Some(1), "{kind} {hash}");
                assert_eq!(work_dir.run("verify -p k.pub --ssh file -s m.sig other").0, Some(1), "{kind} {hash}");
            }
        }
    }
}

/// Returns the public key that `ssh-keygen` computes from a private key file. `None` if it rejects
/// the file.
fn public_key(program: &SshKeygen, work_dir: &FndsaDirectory, file: &str) -> Option<String> {
    let mut command = Command::new(&program.path);
    command.args(["-y", "-P", "", "-f", file]).current_dir(work_dir.directory.path());
    let output = command.stdin(Stdio::null()).output().expect("ssh-keygen");
    let line = String::from_utf8(output.stdout).expect("text");
    let words: Vec<_> = line.split_whitespace().take(2).collect();
    output.status.success().then(|| words.join(" "))
}

#[test]
fn ssh_keygen_reads_private_keys_of_fndsa() {
    for program in SshKeygen::all() {
        for (algorithm, _) in program.keys {
            let work_dir = new_work_dir();
            assert_eq!(work_dir.run(&format!("keygen -q -a {algorithm} k")).0, Some(0));
            let public = String::from_utf8(work_dir.output_file("convert k.pub --to ssh")).expect("text");
            assert_eq!(work_dir.run("convert k.key --to ssh -o id").0, Some(0));
            assert_eq!(public_key(&program, &work_dir, "id").as_deref(), Some(public.trim()));
            // ssh-keygen signs with the file, sets a password, and removes it again.
            assert!(program.run(&work_dir, "-Y sign -q -n file -f id m", "m"));
            assert_eq!(work_dir.run("verify -p k.pub --ssh file m").0, Some(0));
            assert!(program.run(&work_dir, "-q -p -P  -N secret -a 1 -f id", "m"));
            work_dir.put("password", b"secret\n");
            work_dir.put("wrong", b"other\n");
            assert_eq!(work_dir.run("convert id --password-file wrong --to pkcs8 -o open").0, Some(5));
            assert_eq!(work_dir.run("convert id --password-file password --to pkcs8 -o open").0, Some(0));
            let read = |name: &str| std::fs::read(work_dir.directory.path().join(name)).expect("a file");
            assert_eq!(read("open"), read("k.key"));
            assert!(program.run(&work_dir, "-q -p -P secret -N  -f id", "m"));
            assert_eq!(work_dir.output_file("convert id --to pkcs8"), read("k.key"));
        }
    }
}

#[test]
fn fndsa_reads_private_keys_of_ssh_keygen() {
    for program in SshKeygen::all() {
        for (_, kind) in program.keys {
            let work_dir = new_work_dir();
            work_dir.put("password", b"secret\n");
            for (i, (password, rounds)) in [("", "1"), ("secret", "1"), ("secret", "16")].into_iter().enumerate() {
                // A private key file is padded to whole blocks. Comments with 17 different lengths
                // cover all lengths of the padding.
                for len in if rounds == "1" { 0..17 } else { 1..2 } {
                    let name = format!("k{i}-{len}");
                    let comment = "c".repeat(len);
                    let line = format!("-q -t {kind} -N {password} -a {rounds} -C {comment} -f {name}");
                    assert!(program.run(&work_dir, &line, "m"), "{line}");
                    let option = if password.is_empty() { "" } else { " --password-file password" };
                    let (code, messages) = work_dir.run(&format!("sign -q -f -k {name}{option} --ssh file m"));
                    assert_eq!(code, Some(0), "{line}: {messages}");
                    assert_eq!(work_dir.run(&format!("verify -p {name}.pub --ssh file m")).0, Some(0), "{line}");
                    assert!(program.run(&work_dir, "-Y check-novalidate -n file -s m.sig", "m"), "{line}");
                }
            }
            // fndsa rejects a file that is encrypted with a cipher other than AES-256-CTR, and
            // names the cipher.
            for cipher in ["aes128-ctr", "aes256-cbc", "aes256-gcm@openssh.com", "chacha20-poly1305@openssh.com"] {
                let name = cipher.split('-').next().expect("a name").to_owned() + &cipher[cipher.len() - 4..];
                assert!(program.run(&work_dir, &format!("-q -t {kind} -N secret -a 1 -Z {cipher} -f {name}"), "m"));
                let (code, messages) = work_dir.run(&format!("sign -f -k {name} --password-file password m"));
                assert!(code == Some(3) && messages.contains(cipher), "{messages}");
            }
        }
    }
}

/// Checks that `ssh-keygen` accepts each changed private key file that fndsa accepts, and reads the
/// same key as fndsa.
#[test]
fn a_changed_private_key_has_the_same_meaning() {
    for program in SshKeygen::all() {
        for (algorithm, _) in program.keys {
            let work_dir = new_work_dir();
            assert_eq!(work_dir.run(&format!("keygen -q -a {algorithm} k")).0, Some(0));
            let file = String::from_utf8(work_dir.output_file("convert k.key --to ssh")).expect("text");
            let body: String = file.lines().filter(|line| !line.starts_with('-')).collect();
            let data = STANDARD.decode(body).expect("base64");
            let mut accepted_count = 0;
            for i in 0..150 {
                let mut changed = data.clone();
                changed[i * 7919 % data.len()] ^= 1 << (i % 8);
                let base64 = STANDARD.encode(&changed);
                let lines: Vec<_> =
                    base64.as_bytes().chunks(70).map(|line| std::str::from_utf8(line).expect("text")).collect();
                let lines = lines.join("\n");
                let text = format!("-----BEGIN OPENSSH PRIVATE KEY-----\n{lines}\n-----END OPENSSH PRIVATE KEY-----\n");
                work_dir.put("x", text.as_bytes());
                make_private(&work_dir, "x");
                let _ = std::fs::remove_file(work_dir.directory.path().join("p"));
                if work_dir.run("pubkey x -o p.spki -f").0 == Some(0) {
                    let our_key = String::from_utf8(work_dir.output_file("convert p.spki --to ssh")).expect("text");
                    assert_eq!(public_key(&program, &work_dir, "x").as_deref(), Some(our_key.trim()), "{i}");
                    accepted_count += 1;
                }
            }
            assert!(accepted_count < 20, "fndsa accepts {accepted_count} of 150 changed files");
        }
    }
}

/// Removes the permissions of other users, which `ssh-keygen` requires.
fn make_private(work_dir: &FndsaDirectory, name: &str) {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(work_dir.directory.path().join(name), mode).expect("a mode");
}

/// Checks that fndsa and `ssh-keygen` give the same verdict with files of allowed signers. Also
/// tests a file for which the verdicts differ.
#[test]
fn files_of_allowed_signers_have_the_same_meaning() {
    for program in SshKeygen::all() {
        for (algorithm, _) in program.keys {
            let work_dir = new_work_dir();
            for name in ["k", "o"] {
                assert_eq!(work_dir.run(&format!("keygen -q -a {algorithm} {name}")).0, Some(0));
            }
            assert_eq!(work_dir.run("sign -k k.key --ssh file m").0, Some(0));
            let key = |name: &str| {
                String::from_utf8(work_dir.output_file(&format!("convert {name}.pub --to ssh"))).expect("text")
            };
            let (k, o) = (key("k"), key("o"));
            for file in [
                format!("me {k}"),
                format!("me {o}"),
                format!("you {k}"),
                format!("m* {k}"),
                format!("m? {k}"),
                format!("m?? {k}"),
                format!("!me,* {k}"),
                format!("*,!me {k}"),
                format!("you,me {k}"),
                format!("you, me {k}"),
                format!("\"me\" {k}"),
                format!("# me {k}"),
                format!("me namespaces=\"file\" {k}"),
                format!("me namespaces=\"git\" {k}"),
                format!("me namespaces=\"git,fil?\" {k}"),
                format!("me namespaces=\"*,!file\" {k}"),
                format!("me Namespaces=\"file\" {k}"),
                format!("me namespaces=file {k}"),
                format!("me namespaces=\"\" {k}"),
                format!("me valid-after=\"20200101\" {k}"),
                format!("me valid-after=\"29990101\" {k}"),
                format!("me valid-before=\"20200101Z\" {k}"),
                format!("me valid-before=\"29990101\",valid-after=\"202001010000Z\" {k}"),
                format!("me valid-after=\"2020\" {k}"),
                format!("me valid-after=\"20400101Z\",valid-before=\"20200101Z\" {k}"),
                format!("me namespaces=\"file\", {k}"),
                format!("me namespaces=\"file\", valid-before=\"29990101\" {k}"),
                format!("me, {k}"),
                format!("\u{feff}me {k}"),
                format!("me cert-authority {k}"),
                format!("me no-touch {k}"),
                format!("me namespaces=\"file\",namespaces=\"file\" {k}"),
                format!("me {o}me {k}"),
                format!("you {k}me {o}"),
            ] {
                work_dir.put("signers", file.as_bytes());
                let peer_verdict = program.run(&work_dir, "-Y verify -f signers -I me -n file -s m.sig", "m");
                let (our_verdict, messages) = work_dir.run("verify --ssh file --allowed-signers signers --signer me m");
                assert_eq!(our_verdict == Some(0), peer_verdict, "{file}{messages}");
            }
            // `ssh-keygen` ignores a comma before the first option. fndsa rejects such a line.
            work_dir.put("signers", format!("me ,namespaces=\"file\" {k}").as_bytes());
            assert!(program.run(&work_dir, "-Y verify -f signers -I me -n file -s m.sig", "m"));
            assert_eq!(work_dir.run("verify --ssh file --allowed-signers signers --signer me m").0, Some(3));
        }
    }
}
