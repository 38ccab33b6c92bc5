//! What is traced of a whole `fndsa`: commands that read or write private keys, in each form of file.

use crate::operations::{SIGN, keys};
use crate::tracer::Failure;
use fndsa::algorithm::{Degree, Scheme};
use fndsa::no_alloc::Level;
use fndsa::Algorithm;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};

/// One command.
pub struct Command {
    /// Its words. One of [`FORMS`] stands for a private key in that form.
    pub line: &'static str,
    /// As of an operation: a part of the lines of branches that may depend on what is told.
    pub told: &'static [&'static str],
    /// How often its trace must differ to count.
    pub tries: u8,
}

impl Command {
    const fn new(line: &'static str) -> Self {
        Self { line, told: &[], tries: 1 }
    }
}

/// As [`SIGN`]. The program verifies what it has made on the level `emulated` as well, in pieces whose lengths follow from the nonce; the
/// library, whose operations are traced by themselves, measures nothing secret on that level here.
const SIGN_AND_VERIFY: [&str; SIGN.len() + 1] = {
    let mut told = ["difference<fndsa::simd::one_lane::emulated::Emulated>"; SIGN.len() + 1];
    let mut i = 0;
    while i < SIGN.len() {
        told[i] = SIGN[i];
        i += 1;
    }
    told
};

/// The key of the control.
const CONTROL: &str = "KEY.line";

/// A form of private key: its name here, and what makes one of a raw key.
struct Options {
    name: &'static str,
    scheme: Scheme,
    arguments: &'static str,
}

const FORMS: [Options; 6] = [
    Options { name: "KEY.raw", scheme: Scheme::FnDsa, arguments: "--to raw" },
    Options { name: "KEY.pem", scheme: Scheme::FnDsa, arguments: "--to pem" },
    Options { name: "KEY.pkcs8", scheme: Scheme::FnDsa, arguments: "--to pkcs8" },
    Options { name: "KEY.der", scheme: Scheme::FnDsa, arguments: "--to pkcs8-der" },
    Options { name: "KEY.oqs", scheme: Scheme::Falcon, arguments: "--to pkcs8 --layout oqs" },
    Options { name: "KEY.bc", scheme: Scheme::Falcon, arguments: "--to pkcs8 --layout bouncycastle" },
];

/// The control: of the second key the file has an empty line more, and that is a branch more.
pub static LINES: Command = Command::new("pubkey -k KEY.line -o -");

/// All others.
pub static COMMANDS: [Command; 13] = [
    Command::new("pubkey -k KEY.raw -o -"),
    Command::new("pubkey -k KEY.pem -o -"),
    Command::new("pubkey -k KEY.pkcs8 -o -"),
    Command::new("pubkey -k KEY.der -o -"),
    Command::new("pubkey -k KEY.oqs -o -"),
    Command::new("pubkey -k KEY.bc -o -"),
    Command::new("convert KEY.raw --to pem -o -"),
    Command::new("convert KEY.pem --to raw -o -"),
    Command::new("convert KEY.pem --to pkcs8 -o -"),
    Command::new("convert KEY.pem --to pkcs8-der -o -"),
    Command::new("convert KEY.oqs --to pkcs8 --layout bouncycastle -o -"),
    Command::new("inspect KEY.pem"),
    // The input is empty. An attempt may be made again, which is told.
    Command { line: "sign -k KEY.pem -o - -", told: &SIGN_AND_VERIFY, tries: 4 },
];

/// The files that the commands read.
pub struct Files(PathBuf);

impl Drop for Files {
    fn drop(&mut self) {
        let _left = std::fs::remove_dir_all(&self.0);
    }
}

impl Files {
    /// Makes them with the program that is to be traced.
    pub fn new(program: &Path, degree: Degree, secrets: u8) -> Result<Self, Failure> {
        let files = Self(std::env::temp_dir().join(format!("fndsa-trace-{}", std::process::id())));
        std::fs::create_dir(&files.0).map_err(|e| format!("{}: {e}", files.0.display()))?;
        let put = |name: &str, bytes: &[u8]| std::fs::write(files.0.join(name), bytes).map_err(|e| e.to_string());
        for secret in 0..secrets {
            for form in &FORMS {
                let (private, _) = keys(Level::detect(), Algorithm::at_degree(form.scheme, degree).expect("an algorithm"), secret);
                put("raw", &private)?;
                let made = Process::new(program)
                    .args(["convert", "-qq", "raw", "-o", &Self::name(form.name, secret)])
                    .args(form.arguments.split(' '))
                    .current_dir(&files.0)
                    .stdin(Stdio::null())
                    .status();
                if !made.is_ok_and(|status| status.success()) {
                    return Err(format!("{}: no {}", program.display(), form.name).into());
                }
            }
        }
        let pem = files.0.join(Self::name("KEY.pem", 0));
        let pem = std::fs::read(&pem).map_err(|e| format!("{}: {e}", pem.display()))?;
        put(&Self::name(CONTROL, 0), &pem)?;
        put(&Self::name(CONTROL, 1), &[b"\n", &pem[..]].concat())?;
        Ok(files)
    }

    fn name(form: &str, secret: u8) -> String {
        format!("{form}.{secret:03}")
    }

    /// The words of a command on one of the keys.
    pub fn words(&self, command: &Command, secret: u8) -> Vec<String> {
        let path = |form: &str| self.0.join(Self::name(form, secret)).to_string_lossy().into_owned();
        let is_a_key = |word: &str| word == CONTROL || FORMS.iter().any(|form| form.name == word);
        let word = |word: &str| if is_a_key(word) { path(word) } else { word.to_owned() };
        command.line.split(' ').map(word).collect()
    }
}
