//! Runs the Falcon implementations in other languages: the programs in `tests/peers`.
//! `tests/peers/install` installs the tools that they need. `mldsa_programs.rs` is for ML-DSA.
//!
//! A program reads a command from each line of its input. Words are separated by tabs, and bytes
//! are in hexadecimal. The program answers each command with a line:
//!
//! | command | answer |
//! |---|---|
//! | `keygen ALGORITHM` | private key, public key |
//! | `sign ALGORITHM FORM PRIVATE MESSAGE` | signature |
//! | `verify ALGORITHM FORM PUBLIC MESSAGE SIGNATURE` | `true` or `false` |
//! | `to-pkcs8 ALGORITHM PRIVATE PUBLIC` (BouncyCastle) | DER |
//! | `from-pkcs8 ALGORITHM DER` (BouncyCastle) | private key, public key |
//! | `to-spki ALGORITHM PUBLIC` (BouncyCastle) | DER |
//! | `from-spki ALGORITHM DER` (BouncyCastle) | public key |
//!
//! `ALGORITHM` is `falcon512` or `falcon1024`, and `FORM` is the name of a [`FalconForm`]. If the
//! program rejects a command, the answer is `error: why`.

use crate::common::{RandomStream, hex, to_hex};
use crate::peers::{FalconForm, FalconPeer};
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Mutex, OnceLock};

/// A running program. It reads a command, answers it, and then reads the next command.
pub struct PeerProgram {
    name: &'static str,
    forms: &'static [FalconForm],
    io: Mutex<(Child, BufReader<ChildStdout>)>,
}

/// Returns the folder for the programs that `tests/peers/install` installs.
pub fn folder() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target directory");
    std::env::var_os("FNDSA_PEERS").map_or_else(|| target.join("peers"), PathBuf::from)
}

/// Returns the path to a source file under `tests/peers`.
pub fn source(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers").join(path)
}

/// Starts the program for the npm package `@noble/post-quantum`, if it is installed.
pub fn noble() -> Option<&'static PeerProgram> {
    static PROGRAM: OnceLock<Option<PeerProgram>> = OnceLock::new();
    let forms = &[FalconForm::Compressed, FalconForm::Padded, FalconForm::Attached, FalconForm::AttachedPadded];
    let start = || {
        let package = folder().join("noble/node_modules/@noble/post-quantum");
        let words = [source("noble/peer.mjs"), package.clone()];
        PeerProgram::start("noble", forms, "node", words, package.is_dir())
    };
    PROGRAM.get_or_init(start).as_ref()
}

/// Starts the program for the Java library `bcprov`, if it is installed.
pub fn bouncycastle() -> Option<&'static PeerProgram> {
    static PROGRAM: OnceLock<Option<PeerProgram>> = OnceLock::new();
    let start = || {
        let entries = fs::read_dir(folder().join("bouncycastle"));
        let files = entries.into_iter().flatten().flatten().map(|entry| entry.path());
        let jar = files.filter(|path| path.extension().is_some_and(|it| it == "jar")).max();
        let is_installed = jar.is_some();
        let words = ["-cp".into(), jar.unwrap_or_default(), source("bouncycastle/Peer.java")];
        PeerProgram::start("BouncyCastle", &[FalconForm::Compressed], "java", words, is_installed)
    };
    PROGRAM.get_or_init(start).as_ref()
}

impl PeerProgram {
    /// Starts the program, or prints that it is not installed.
    pub fn start<const N: usize>(
        name: &'static str,
        forms: &'static [FalconForm],
        program: impl AsRef<OsStr>,
        words: [impl AsRef<OsStr>; N],
        is_installed: bool,
    ) -> Option<Self> {
        if !is_installed {
            println!("skip: {name}, tests/peers/install was not run or did not install it");
            return None;
        }
        let program = program.as_ref();
        let mut command = Command::new(program);
        let Ok(mut child) = command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() else {
            println!("skip: {name}, there is no {}", program.display());
            return None;
        };
        let out = BufReader::new(child.stdout.take().expect("a pipe"));
        Some(Self { name, forms, io: Mutex::new((child, out)) })
    }

    /// Sends a command, and returns the words in the answer. An error answer becomes `Err`.
    pub fn ask(&self, words: &[&str]) -> Result<Vec<String>, String> {
        let mut io = self.io.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut answer = String::new();
        let stdin = io.0.stdin.as_mut().expect("a pipe");
        stdin.write_all((words.join("\t") + "\n").as_bytes()).expect("a program that reads");
        io.1.read_line(&mut answer).expect("a program that writes");
        let answer = answer.strip_suffix('\n').unwrap_or_else(|| panic!("{} ended", self.name));
        match answer.strip_prefix("error: ") {
            Some(why) => Err(why.to_owned()),
            None => Ok(answer.split('\t').map(str::to_owned).collect()),
        }
    }

    /// Sends a command that must succeed, and returns the words in the answer as bytes.
    pub fn bytes<const N: usize>(&self, words: &[&str]) -> [Vec<u8>; N] {
        let answer = self.ask(words).unwrap_or_else(|why| panic!("{}, {}: {why}", self.name, words[0]));
        let answer: Vec<_> = answer.iter().map(|word| hex(word)).collect();
        answer.try_into().unwrap_or_else(|it: Vec<_>| panic!("{}, {}: {} words", self.name, words[0], it.len()))
    }

    /// Encodes a key pair as PKCS#8, and the public key as SPKI.
    pub fn write_der(&self, sk: &[u8], vk: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let (algorithm, sk, vk) = (algorithm(vk[0]), to_hex(sk), to_hex(vk));
        let [pkcs8] = self.bytes(&["to-pkcs8", algorithm, &sk, &vk]);
        let [spki] = self.bytes(&["to-spki", algorithm, &vk]);
        (pkcs8, spki)
    }

    /// Decodes the keys in a PKCS#8 file.
    pub fn read_pkcs8(&self, logn: u32, der: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let [sk, vk] = self.bytes(&["from-pkcs8", algorithm(logn as u8), &to_hex(der)]);
        (sk, vk)
    }

    /// Decodes the key in an SPKI file.
    pub fn read_spki(&self, logn: u32, der: &[u8]) -> Vec<u8> {
        let [vk] = self.bytes(&["from-spki", algorithm(logn as u8), &to_hex(der)]);
        vk
    }
}

/// Returns the algorithm for the header of a key or signature, or for the logarithm of a degree.
/// Returns `falcon512` for an invalid header.
fn algorithm(header: u8) -> &'static str {
    if header & 15 == 10 { "falcon1024" } else { "falcon512" }
}

impl FalconPeer for PeerProgram {
    fn name(&self) -> &'static str {
        self.name
    }

    fn forms(&self) -> &'static [FalconForm] {
        self.forms
    }

    fn keygen(&self, logn: u32, _: &mut RandomStream) -> (Vec<u8>, Vec<u8>) {
        let [sk, vk] = self.bytes(&["keygen", algorithm(logn as u8)]);
        (sk, vk)
    }

    fn sign(&self, form: FalconForm, sk: &[u8], message: &[u8], _: &mut RandomStream) -> Vec<u8> {
        let [signature] = self.bytes(&["sign", algorithm(sk[0]), form.name(), &to_hex(sk), &to_hex(message)]);
        signature
    }

    fn verify(&self, form: FalconForm, vk: &[u8], message: &[u8], signature: &[u8]) -> bool {
        let (algorithm, vk, message) = (algorithm(vk[0]), to_hex(vk), to_hex(message));
        let verdict = self.ask(&["verify", algorithm, form.name(), &vk, &message, &to_hex(signature)]);
        verdict.is_ok_and(|words| words == ["true"])
    }
}
