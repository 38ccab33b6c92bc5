//! Exchanges ML-DSA keys and signatures between the command line and independent programs, in both
//! directions: keys in each form that both sides support, signatures with and without a context,
//! deterministic signatures, and HashML-DSA. Both sides reject changed data.

use crate::common::{RandomStream, assert_same, hex, parallel};
use crate::mldsa_programs::{MlDsaProgram, installed};
use crate::{flip_bit, some_bytes};
use std::fs;
use std::process::{Command, Output};

const SETS: [&str; 3] = ["ml-dsa-44", "ml-dsa-65", "ml-dsa-87"];

/// A temporary directory in which the tests run `fndsa`. The tests for SSH, CMS, JOSE and DSSE also
/// use this type.
pub struct FndsaDirectory {
    pub directory: tempfile::TempDir,
}

impl FndsaDirectory {
    /// Writes a file.
    pub fn put(&self, name: &str, bytes: &[u8]) {
        fs::write(self.directory.path().join(name), bytes).expect("a file");
    }

    /// Runs `fndsa` with the words in a line.
    fn start(&self, line: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fndsa"));
        command.current_dir(self.directory.path()).args(line.split(' ')).output().expect("the program")
    }

    /// Returns the exit code and the messages from `fndsa`.
    pub fn run(&self, line: &str) -> (Option<i32>, String) {
        let output = self.start(line);
        (output.status.code(), format!("{line}: {}", String::from_utf8_lossy(&output.stderr)))
    }

    /// Returns the bytes that `fndsa` prints.
    pub fn stdout_of(&self, line: &str) -> Vec<u8> {
        let output = self.start(line);
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    /// Returns the JSON document that `fndsa` prints.
    pub fn json(&self, line: &str) -> serde_json::Value {
        serde_json::from_slice(&self.start(line).stdout).unwrap_or_else(|e| panic!("{line}: {e}"))
    }

    /// Runs `fndsa` with the words in a line and `-o out`, and returns the contents of `out`.
    pub fn output_file(&self, line: &str) -> Vec<u8> {
        let _ = fs::remove_file(self.directory.path().join("out"));
        let (code, messages) = self.run(&format!("{line} -o out"));
        assert_eq!(code, Some(0), "{messages}");
        fs::read(self.directory.path().join("out")).expect("a file")
    }

    /// Returns a signature for `message` with `context` by the key in the file `key`.
    fn sign(&self, form: &str, [message, context]: [&[u8]; 2]) -> Vec<u8> {
        self.put("m", message);
        self.put("c", context);
        self.output_file(&format!("sign -k key --context-file c --format raw{} m", options(form)))
    }

    /// Returns whether `fndsa verify` accepts a signature.
    fn verify(&self, form: &str, [public, message, context, signature]: [&[u8]; 4]) -> bool {
        for (name, bytes) in [("p", public), ("m", message), ("c", context), ("s", signature)] {
            self.put(name, bytes);
        }
        let form = if form == "deterministic" { "pure" } else { form };
        match self.run(&format!("verify -p p -s s --context-file c{} m", options(form))) {
            (Some(0), _) => true,
            (Some(1), _) => false,
            // A changed byte may make a key in DER invalid, which is an error instead of a NO.
            (code, messages) => {
                assert!(code == Some(3) && messages.contains("hint: "), "{code:?}, {messages}");
                false
            }
        }
    }
}

/// Returns the command-line options for a signature form.
fn options(form: &str) -> String {
    match form {
        "pure" => String::new(),
        "deterministic" => " --deterministic".to_owned(),
        hash => format!(" --prehash {hash}"),
    }
}

/// Returns the forms of signatures (such as `pure` or a pre-hash) that a program supports for a
/// parameter set.
fn forms(program: &MlDsaProgram, set: &str) -> Vec<&'static str> {
    // `ALL_HASHES` is ordered by strength, and the hashes before this index are too weak for the
    // set. A program with a single hash supports SHA-512, which all sets allow.
    let first_strong = match set {
        "ml-dsa-44" => 0,
        "ml-dsa-65" => 4,
        _ => 6,
    };
    let hashes: &[&str] =
        if program.hashes.len() == 1 { program.hashes } else { program.hashes.get(first_strong..).unwrap_or_default() };
    let deterministic = program.is_deterministic.then_some("deterministic");
    ["pure"].into_iter().chain(deterministic).chain(hashes.iter().copied()).collect()
}

/// Checks that fndsa and the peer accept a signature, and reject it after a change of the
/// signature, the message, the context or the key.
fn assert_both_accept(
    work_dir: &FndsaDirectory,
    program: &MlDsaProgram,
    [set, form]: [&str; 2],
    good: [&[u8]; 4],
    random: &mut RandomStream,
) {
    let [public, message, context, signature] = good;
    let other_signature = flip_bit(signature, random);
    let other_message = [message, b"!"].concat();
    let other_context = if context.is_empty() { b"!" } else { &context[1..] };
    // Changes one of the last 1,000 bytes, which belong to the key in all file formats.
    let at = public.len() - 1000;
    let other_public = [&public[..at], &flip_bit(&public[at..], random)].concat();
    for (what, expected, [public, message, context, signature]) in [
        ("the valid signature", true, good),
        ("a changed signature", false, [public, message, context, &other_signature]),
        ("a changed message", false, [public, &other_message, context, signature]),
        ("a changed context", false, [public, message, other_context, signature]),
        ("a changed key", false, [&other_public, message, context, signature]),
    ] {
        let verdicts = [
            work_dir.verify(form, [public, message, context, signature]),
            program.verify(set, form, [public, message, context, signature]),
        ];
        assert_eq!(verdicts, [expected; 2], "fndsa and {}, {set}, {form}: {what}", program.name);
    }
}

/// Signs in the [`forms`] that the peer supports, with fndsa and with the peer, with the same
/// private key. Checks that both accept all signatures. Returns the number of signatures.
fn sign_both_ways(
    work_dir: &FndsaDirectory,
    program: &MlDsaProgram,
    set: &str,
    [private, public]: [&[u8]; 2],
    random: &mut RandomStream,
) -> usize {
    let mut count = 0;
    work_dir.put("key", private);
    for form in forms(program, set) {
        let mut message = some_bytes(300, random);
        // The message is never empty: it is not known whether all programs accept an empty message.
        message.push(0);
        for context in [vec![], some_bytes(254, random), vec![7; 255]] {
            let peer_signature = program.sign(set, form, [private, &message, &context]);
            let our_signature = work_dir.sign(form, [&message, &context]);
            if form == "deterministic" {
                assert_same(&our_signature, &peer_signature, format!("{set}, deterministic, of {}", program.name));
            }
            for signature in [&peer_signature, &our_signature] {
                assert_both_accept(work_dir, program, [set, form], [public, &message, &context, signature], random);
                count += 1;
            }
        }
    }
    count
}

/// Computes the mu of a message, and signs the mu with fndsa and with the peer. Checks that fndsa
/// and the peer accept both signatures for the message. Returns the number of signatures.
fn sign_mu_both_ways(
    work_dir: &FndsaDirectory,
    program: &MlDsaProgram,
    set: &str,
    [private, public]: [&[u8]; 2],
    random: &mut RandomStream,
) -> usize {
    if !program.signs_mu {
        return 0;
    }
    let (message, context) = (some_bytes(300, random), some_bytes(255, random));
    for (name, bytes) in [("key", private), ("p", public), ("m", &message), ("c", &context)] {
        work_dir.put(name, bytes);
    }
    let digits = work_dir.start("sign --print-mu -p p --context-file c m").stdout;
    let mu = hex(String::from_utf8(digits).expect("digits").trim());
    work_dir.put("mu", &mu);
    let signatures =
        [program.sign(set, "mu", [private, &mu, b""]), work_dir.output_file("sign -k key --mu --format raw mu")];
    for signature in &signatures {
        assert_both_accept(work_dir, program, [set, "pure"], [public, &message, &context, signature], random);
    }
    signatures.len()
}

#[test]
fn the_peers_and_fndsa_read_keys_and_signatures_of_each_other() {
    let programs = installed();
    let counts = parallel(programs.len() * SETS.len(), |i| {
        let (program, set) = (&programs[i / SETS.len()], SETS[i % SETS.len()]);
        let mut random = RandomStream::new("ML-DSA both ways", i);
        let work_dir = FndsaDirectory { directory: tempfile::tempdir().expect("a directory") };

        let [private, public] = program.keygen(set);
        work_dir.put("theirs", &private);
        work_dir.put("theirs.pub", &public);
        let raw = work_dir.output_file("convert theirs.pub --to raw");
        assert_same(
            &work_dir.output_file("pubkey -k theirs --format raw"),
            &raw,
            format!("a public key of {}", program.name),
        );
        let converted = work_dir.output_file(&format!("convert theirs.pub --to {}", program.public_form));
        assert_same(&converted, &public, format!("the file of a public key of {}", program.name));
        let mut count = sign_both_ways(&work_dir, program, set, [&private, &public], &mut random);
        count += sign_mu_both_ways(&work_dir, program, set, [&private, &public], &mut random);

        let (code, messages) = work_dir.run(&format!("keygen -q -a {set} ours"));
        assert_eq!(code, Some(0), "{messages}");
        let public = work_dir.output_file(&format!("convert ours.pub --to {}", program.public_form));
        // A peer with raw keys reads only expanded private keys. fndsa would convert `ours.key` to
        // a raw seed, so the test first makes a file with the expanded key.
        if program.public_form == "raw" {
            let expanded = work_dir.output_file("convert ours.key --to pkcs8-der --private expanded");
            work_dir.put("expanded", &expanded);
        }
        for form in program.private_forms {
            let private = match *form {
                "raw" => work_dir.output_file("convert expanded --to raw"),
                options => work_dir.output_file(&format!("convert ours.key {options}")),
            };
            count += sign_both_ways(&work_dir, program, set, [&private, &public], &mut random);
            count += sign_mu_both_ways(&work_dir, program, set, [&private, &public], &mut random);
        }
        count
    });
    for (program, counts) in programs.iter().zip(counts.chunks(SETS.len())) {
        println!("{}: {} signatures of ML-DSA, verified by both", program.name, counts.iter().sum::<usize>());
    }
}
