//! Exchanges SSH signatures and public keys between the command line and `ssh-keygen`, in both
//! directions.

use crate::mldsa::PeerDirectory;
use crate::programs::folder;
use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The algorithm for `fndsa`, and the key type for `ssh-keygen`.
const KEYS: [(&str, &str); 2] = [("ed25519", "ed25519"), ("ml-dsa-44-ed25519", "mldsa44-ed25519")];

/// A version of `ssh-keygen`, and the key types that it supports.
struct SshKeygen {
    path: PathBuf,
    keys: &'static [(&'static str, &'static str)],
}

impl SshKeygen {
    /// Returns the programs on this machine: OpenSSH 10.6, and the program of the system.
    fn all() -> Vec<Self> {
        let new = folder().join("openssh/ssh-keygen");
        let mut all = Vec::new();
        if new.exists() {
            all.push(Self { path: new, keys: &KEYS });
        } else {
            println!("skip: OpenSSH 10.6, it is not installed: tests/peers/install");
        }
        let system = PathBuf::from("ssh-keygen");
        if Command::new(&system).stdout(Stdio::null()).stderr(Stdio::null()).arg("-?").status().is_ok() {
            all.push(Self { path: system, keys: &KEYS[..1] });
        } else {
            println!("skip: ssh-keygen, there is none");
        }
        all
    }

    /// Runs the program with a file as its standard input. Returns whether it succeeds.
    fn run(&self, desk: &PeerDirectory, line: &str, input: &str) -> bool {
        let mut command = Command::new(&self.path);
        command.args(line.split(' ')).current_dir(desk.directory.path());
        let input = File::open(desk.directory.path().join(input)).expect("an input");
        command.stdin(input).stdout(Stdio::null()).stderr(Stdio::null()).status().expect("ssh-keygen").success()
    }
}

/// Returns a directory with the messages `m` and `other`.
fn ready() -> PeerDirectory {
    let desk = PeerDirectory { directory: tempfile::tempdir().expect("a directory") };
    desk.put("m", b"a message\n");
    desk.put("other", b"another message\n");
    desk
}

#[test]
fn ssh_keygen_verifies_signatures_of_fndsa() {
    for program in SshKeygen::all() {
        for (algorithm, _) in program.keys {
            let desk = ready();
            assert_eq!(desk.run(&format!("keygen -q -a {algorithm} k")).0, Some(0));
            assert_eq!(desk.run(&format!("keygen -q -a {algorithm} o")).0, Some(0));
            assert_eq!(desk.run("sign -k k.key --ssh file m").0, Some(0));
            let list = |key: &str, options: &str| {
                let key = String::from_utf8(desk.made(&format!("convert {key}.pub --to ssh"))).expect("text");
                format!("me@example.com {options}{key}").into_bytes()
            };
            desk.put("allowed", &list("k", ""));
            desk.put("limited", &list("k", "namespaces=\"git\" "));
            desk.put("foreign", &list("o", ""));
            let verify = "-Y verify -I me@example.com -s m.sig";
            assert!(program.run(&desk, "-Y check-novalidate -n file -s m.sig", "m"));
            assert!(program.run(&desk, &format!("{verify} -f allowed -n file"), "m"));
            assert!(!program.run(&desk, &format!("{verify} -f allowed -n file"), "other"));
            assert!(!program.run(&desk, &format!("{verify} -f allowed -n git"), "m"));
            assert!(!program.run(&desk, &format!("{verify} -f limited -n file"), "m"));
            assert!(!program.run(&desk, &format!("{verify} -f foreign -n file"), "m"));
        }
    }
}

#[test]
fn fndsa_verifies_signatures_of_ssh_keygen() {
    for program in SshKeygen::all() {
        for (_, kind) in program.keys {
            let desk = ready();
            for name in ["k", "o"] {
                assert!(program.run(&desk, &format!("-q -t {kind} -N  -C a@b -f {name}"), "m"), "{kind}");
            }
            for hash in ["sha512", "sha256"] {
                let line = format!("-Y sign -q -n file -O hashalg={hash} -f k m");
                let _ = std::fs::remove_file(desk.directory.path().join("m.sig"));
                assert!(program.run(&desk, &line, "m"), "{line}");
                assert_eq!(desk.run("verify -p k.pub --ssh file m").0, Some(0), "{kind} {hash}");
                assert_eq!(desk.run("verify -p k.pub --ssh git m").0, Some(1), "{kind} {hash}");
                assert_eq!(desk.run("verify -p o.pub --ssh file m").0, Some(1), "{kind} {hash}");
                assert_eq!(desk.run("verify -p k.pub --ssh file -s m.sig other").0, Some(1), "{kind} {hash}");
            }
        }
    }
}

/// fndsa and `ssh-keygen` agree about files of allowed signers.
#[test]
fn files_of_allowed_signers_have_the_same_meaning() {
    for program in SshKeygen::all() {
        for (algorithm, _) in program.keys {
            let desk = ready();
            for name in ["k", "o"] {
                assert_eq!(desk.run(&format!("keygen -q -a {algorithm} {name}")).0, Some(0));
            }
            assert_eq!(desk.run("sign -k k.key --ssh file m").0, Some(0));
            let key = |name: &str| String::from_utf8(desk.made(&format!("convert {name}.pub --to ssh"))).expect("text");
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
                format!("me cert-authority {k}"),
                format!("me no-touch {k}"),
                format!("me namespaces=\"file\",namespaces=\"file\" {k}"),
                format!("me {o}me {k}"),
                format!("you {k}me {o}"),
            ] {
                desk.put("signers", file.as_bytes());
                let theirs = program.run(&desk, "-Y verify -f signers -I me -n file -s m.sig", "m");
                let (ours, said) = desk.run("verify --ssh file --allowed-signers signers --signer me m");
                assert_eq!(ours == Some(0), theirs, "{file}{said}");
            }
        }
    }
}
