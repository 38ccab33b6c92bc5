//! Falcon in programs of other languages (ML-DSA is in `mldsa_programs.rs`), under `tests/peers`, where `tests/peers/install` has put what they need.
//!
//! A program reads one command a line, words parted by tabs and bytes in hexadecimal, and answers with one line:
//!
//! | command | answer |
//! |---|---|
//! | `keygen ALGORITHM` | private key, public key |
//! | `sign ALGORITHM FORM PRIVATE MESSAGE` | signature |
//! | `verify ALGORITHM FORM PUBLIC MESSAGE SIGNATURE` | `true` or `false` |
//! | `to-pkcs8 ALGORITHM PRIVATE PUBLIC`, `from-pkcs8 ALGORITHM DER` | DER, or both keys (BouncyCastle) |
//! | `to-spki ALGORITHM PUBLIC`, `from-spki ALGORITHM DER` | DER, or the key (BouncyCastle) |
//!
//! `ALGORITHM` is `falcon512` or `falcon1024`, and `FORM` the name of a [`Form`]. A refusal is `error: why`.

use crate::common::{Random, hex, to_hex};
use crate::peers::{Falcon, Form};
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Mutex, OnceLock};

/// A program that runs, one command at a time.
pub struct Program {
    name: &'static str,
    forms: &'static [Form],
    io: Mutex<(Child, BufReader<ChildStdout>)>,
}

/// Where `tests/peers/install` puts things.
pub fn folder() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target directory");
    std::env::var_os("FNDSA_PEERS").map_or_else(|| target.join("peers"), PathBuf::from)
}

/// A source under `tests/peers`.
pub fn source(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers").join(path)
}

/// npm package `@noble/post-quantum`, where it is installed.
pub fn noble() -> Option<&'static Program> {
    static PROGRAM: OnceLock<Option<Program>> = OnceLock::new();
    let forms = &[Form::Compressed, Form::Padded, Form::Attached, Form::AttachedPadded];
    let start = || {
        let package = folder().join("noble/node_modules/@noble/post-quantum");
        let words = [source("noble/peer.mjs"), package.clone()];
        Program::start("noble", forms, "node", words, package.is_dir())
    };
    PROGRAM.get_or_init(start).as_ref()
}

/// Java library `bcprov`, where it is installed.
pub fn bouncycastle() -> Option<&'static Program> {
    static PROGRAM: OnceLock<Option<Program>> = OnceLock::new();
    let start = || {
        let inside = fs::read_dir(folder().join("bouncycastle"));
        let files = inside.into_iter().flatten().flatten().map(|entry| entry.path());
        let jar = files.filter(|path| path.extension().is_some_and(|it| it == "jar")).max();
        let there = jar.is_some();
        let words = ["-cp".into(), jar.unwrap_or_default(), source("bouncycastle/Peer.java")];
        Program::start("BouncyCastle", &[Form::Compressed], "java", words, there)
    };
    PROGRAM.get_or_init(start).as_ref()
}

impl Program {
    /// Starts it, or says that it is not installed.
    pub fn start<const N: usize>(
        name: &'static str,
        forms: &'static [Form],
        program: impl AsRef<OsStr>,
        words: [impl AsRef<OsStr>; N],
        installed: bool,
    ) -> Option<Self> {
        if !installed {
            println!("skip: {name}, tests/peers/install was not run or left it out");
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

    /// The words of the answer, or why there is none.
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

    /// The words of an answer that must come, as bytes.
    pub fn bytes<const N: usize>(&self, words: &[&str]) -> [Vec<u8>; N] {
        let answer = self.ask(words).unwrap_or_else(|why| panic!("{}, {}: {why}", self.name, words[0]));
        let answer: Vec<_> = answer.iter().map(|word| hex(word)).collect();
        answer.try_into().unwrap_or_else(|it: Vec<_>| panic!("{}, {}: {} words", self.name, words[0], it.len()))
    }

    /// A pair of keys as PKCS#8, and the public one as SPKI.
    pub fn write_der(&self, sk: &[u8], vk: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let (algorithm, sk, vk) = (algorithm(vk[0]), to_hex(sk), to_hex(vk));
        let [pkcs8] = self.bytes(&["to-pkcs8", algorithm, &sk, &vk]);
        let [spki] = self.bytes(&["to-spki", algorithm, &vk]);
        (pkcs8, spki)
    }

    /// The keys in a PKCS#8.
    pub fn read_pkcs8(&self, logn: u32, der: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let [sk, vk] = self.bytes(&["from-pkcs8", algorithm(logn as u8), &to_hex(der)]);
        (sk, vk)
    }

    /// The key in an SPKI.
    pub fn read_spki(&self, logn: u32, der: &[u8]) -> Vec<u8> {
        let [vk] = self.bytes(&["from-spki", algorithm(logn as u8), &to_hex(der)]);
        vk
    }
}

/// The degree that the header of a key or signature gives, by name. A damaged header may give any.
fn algorithm(header: u8) -> &'static str {
    if header & 15 == 10 { "falcon1024" } else { "falcon512" }
}

impl Falcon for Program {
    fn name(&self) -> &'static str {
        self.name
    }

    fn forms(&self) -> &'static [Form] {
        self.forms
    }

    fn keygen(&self, logn: u32, _: &mut Random) -> (Vec<u8>, Vec<u8>) {
        let [sk, vk] = self.bytes(&["keygen", algorithm(logn as u8)]);
        (sk, vk)
    }

    fn sign(&self, form: Form, sk: &[u8], message: &[u8], _: &mut Random) -> Vec<u8> {
        let [signature] = self.bytes(&["sign", algorithm(sk[0]), form.name(), &to_hex(sk), &to_hex(message)]);
        signature
    }

    fn verify(&self, form: Form, vk: &[u8], message: &[u8], signature: &[u8]) -> bool {
        let (algorithm, vk, message) = (algorithm(vk[0]), to_hex(vk), to_hex(message));
        let verdict = self.ask(&["verify", algorithm, form.name(), &vk, &message, &to_hex(signature)]);
        verdict.is_ok_and(|words| words == ["true"])
    }
}
