//! The catalogue of messages. A row ([`MessageCase`]) is a command that causes an error or a NO.
//! The test checks the message, exit code, reason code and hint of each row, also with `--json`.
//!
//! A second test compares the rows with the table of reason codes in docs/json.md. Each code must
//! occur with each of its exit codes, except the codes in [`CODES_WITHOUT_ROW`].

use crate::containers::{algorithm_identifier, der};
use crate::harness::{FNDSA, ProgramCall, ProgramOutput, TestDirectory, have, in_parallel, skip, vectors};
use crate::messages_of_files;
use crate::messages_of_verdicts;
use crate::mldsa;
use crate::schema::reason_codes;
use serde_json::Value;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, OnceLock};

/// The way to run a command.
#[derive(Clone, Copy)]
pub enum RunMethod {
    /// Runs the command without a shell.
    Plain,
    /// Runs this shell line. `$FNDSA` is the whole command with the program and its options.
    Shell(&'static str),
    /// Runs this shell line before the command. `$FNDSA` is the program.
    After(&'static str),
    /// Runs the command while `strace` injects this fault.
    Fault(&'static str),
    /// Runs the command while `strace` changes the command's input file x.
    Watched,
    /// Runs the command on a terminal, and types the content of x.
    Terminal,
    /// Like `Terminal`, but the test does not check the output with `--json`.
    Typed,
    /// Runs the command only with `--json`.
    Json,
}

/// A message, and a command that causes it.
pub struct MessageCase {
    reason: &'static str,
    /// The arguments of the command.
    line: String,
    code: i32,
    /// A part of the message: in JSON, the end of the message (except for `usage`).
    words: &'static str,
    /// A part of the hint. If empty, the test does not check the hint.
    hint: &'static str,
    /// The content of the file x.
    x: Vec<u8>,
    how: RunMethod,
}

/// Returns a row without a file x (see [`MessageCase`]).
pub fn row(reason: &'static str, line: &str, code: i32, words: &'static str, hint: &'static str) -> MessageCase {
    MessageCase { reason, line: line.to_owned(), code, words, hint, x: Vec::new(), how: RunMethod::Plain }
}

impl MessageCase {
    pub fn file_x(self, x: impl AsRef<[u8]>) -> Self {
        Self { x: x.as_ref().to_vec(), ..self }
    }

    pub fn how(self, how: RunMethod) -> Self {
        Self { how, ..self }
    }

    /// Returns the arguments if the row needs no fault, no terminal, and no shell line around it.
    pub fn plain_line(&self) -> Option<&str> {
        matches!(self.how, RunMethod::Plain | RunMethod::Json | RunMethod::After(_)).then_some(&self.line[..])
    }

    /// Returns a copy of the row with more arguments.
    pub fn with_arguments(&self, arguments: &str) -> Self {
        Self { line: format!("{} {arguments}", self.line), x: self.x.clone(), ..*self }
    }

    /// Runs the command with global options. Returns `None` if this machine cannot run it.
    pub fn run(&self, options: &str) -> Option<ProgramOutput> {
        let directory = TestDirectory::ready();
        directory.put("x", &self.x);
        let line = format!("--allow-weak {options} {}", self.line);
        Some(match self.how {
            RunMethod::Plain | RunMethod::Json => directory.call(&line).input(&self.x[..]).run(),
            RunMethod::Shell(shell) => {
                let call = ProgramCall::new("sh", directory.root()).env("FNDSA", format!("{FNDSA} {line}"));
                call.arg("-c").arg(shell).run()
            }
            RunMethod::After(shell) => {
                directory.sh(shell).code(0);
                directory.call(&line).input(&self.x[..]).run()
            }
            RunMethod::Fault(fault) => {
                return directory.traced(&format!("-o t -e inject={fault}"), &line);
            }
            RunMethod::Watched => {
                return directory.traced("-o x -e trace=%file,%fstat", &line);
            }
            RunMethod::Terminal | RunMethod::Typed => {
                let call = ProgramCall::new("script", directory.root())
                    .args("-q -e -c")
                    .arg(format!("{FNDSA} --color never {line}"));
                return have("script").then(|| call.arg("/dev/null").input(&self.x[..]).run());
            }
        })
    }
}

/// A line for [`RunMethod::Shell`] that signs x before the command.
pub const SIGN_X: &str = "${FNDSA%% *} -q sign -k k.key x; $FNDSA";

/// Reads `tests/kat/negative-a.json`.
pub fn negative_vectors() -> Value {
    serde_json::from_slice(&vectors("negative-a.json")).unwrap()
}

/// Returns the encoding in a case of `tests/kat/negative-a.json`.
pub fn negative_vector(kind: &str, name: &str, field: &str) -> Vec<u8> {
    let file = negative_vectors();
    let case = file[kind].as_array().unwrap().iter().find(|case| case["name"] == name).unwrap();
    let digits = case[field].as_str().unwrap().as_bytes();
    let digit = |b: u8| char::from(b).to_digit(16).unwrap() as u8;
    digits.chunks(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}

/// Returns the rows for errors in the command line.
fn usage_rows() -> Vec<MessageCase> {
    let long = "x".repeat(256);
    vec![
        row("usage", "sgin", 2, "unrecognized subcommand 'sgin'", "'sign'"),
        row("usage", "sign -k k.key", 2, "arguments were not provided: <FILE>...", ""),
        row("usage", "--backend none inspect x", 2, "no such level; available: ", ""),
        row(
            "stdin_twice",
            "sign -k - -",
            2,
            "standard input (`-`) is given for more than one input",
            "fndsa can read standard input only once: use files for the other inputs",
        ),
        row(
            "pipe_twice",
            "",
            2,
            "/dev/fd/3: this pipe is given for more than one input, but fndsa can read a pipe only once",
            "to a file",
        )
        .how(RunMethod::Shell("cat k.key | { exec 3<&0 </dev/null; $FNDSA sign -k /dev/fd/3 -o s /dev/fd/3; } #")),
        row(
            "key_as_message",
            "sign -k k.key a k.key",
            2,
            "k.key: this file is the private key or its password, and it is among the files to sign",
            "copy the key and sign the copy",
        ),
        row("json_format", "sign -k k.key --stream", 2, "--json cannot be used with --stream", "leave --json out")
            .how(RunMethod::Json),
        row(
            "one_input_only",
            "sign -k k.key -o s a b",
            2,
            "--output takes only one FILE, but 2 files are given",
            "run the command once for each FILE",
        ),
        row(
            "one_input_only",
            "verify -p k.pub -s s a b",
            2,
            "--signature takes only one FILE, but 2 files are given",
            "once for each FILE",
        ),
        row("output_is_input", "sign -f -k k.key -o a a", 2, "a: the output is also an input", "another name"),
        row(
            "raw_to_terminal",
            "sign --format raw -k k.key -o /dev/tty a",
            2,
            "fndsa does not print raw bytes on a terminal",
            "write the result to a file",
        )
        .how(RunMethod::Terminal),
        row(
            "json_on_stdout",
            "pubkey -k k.key",
            2,
            "the JSON document and the result cannot both go to standard output",
            "-o FILE",
        )
        .how(RunMethod::Json),
        row("context_too_long", &format!("sign -k k.key -c {long} b"), 2, "and this context has 256", "hash"),
        row(
            "context_not_hex",
            "sign -k k.key --context-hex 0 b",
            2,
            "the number of digits is odd",
            "two hexadecimal digits",
        ),
        row(
            "context_not_hex",
            "sign -k k.key --context-hex 0g b",
            2,
            "a character is not a digit",
            "two hexadecimal digits",
        ),
        row("variable_not_set", "sign --key-env NOT_SET b", 2, "the variable NOT_SET is not set", "export"),
        row("no_key", "sign b", 2, "no private key is given", "FNDSA_KEY"),
        row("no_key", "verify a", 2, "no public key is given", "FNDSA_PUBLIC_KEY"),
        row(
            "no_signature_named",
            "verify -p k.pub -",
            2,
            "standard input has no name, so its signature file is not known",
            "-s FILE",
        ),
        row(
            "no_prehash_named",
            "sign -k k.key --prehash none --prehashed b",
            2,
            "the name of the hash function",
            "sha512",
        ),
        row("bad_key_name", "keygen d/", 2, "d/: a key pair cannot have this name", "NAME.key and NAME.pub"),
        row(
            "no_files",
            "sign -k k.key --files-from x",
            2,
            "x: the input names no files",
            "check the program that writes the file names or requests:",
        ),
        row(
            "manifest_place",
            "sign -k k.key -M - a",
            2,
            "-: fndsa cannot write a list with this name",
            "SHA256SUMS.sig",
        ),
        row(
            "manifest_duplicate",
            "sign -k k.key -M l a a",
            2,
            "a: this name cannot be in a list: the file is named twice",
            "once",
        ),
        row("manifest_name", "sign -k k.key -M l -", 2, "the name `-` means standard input", "./-"),
        row(
            "manifest_name_outside",
            "sign -k k.key -M l /etc/passwd",
            2,
            "the name is absolute",
            "run fndsa in a directory that contains all the files",
        ),
        row(
            "manifest_name_outside",
            "sign -k k.key -M l d/../a",
            2,
            "the name contains `..`",
            "run fndsa in a directory that contains all the files",
        ),
        row(
            "same_output",
            "keygen -o n -p n",
            2,
            "n: the private key and the public key would both go to this file",
            "different names",
        ),
        row("one_backend_only", "--backend scalar --backend emulated inspect x", 2, "2 are given", "fndsa bench"),
    ]
}

/// Returns k.key in DER, encrypted with the password `hello` (the first line of the file a).
pub fn encrypted_key() -> &'static [u8] {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| {
        let directory = TestDirectory::ready();
        directory.run("convert k.key -o x --to pkcs8-der --encrypt --new-password-file a").code(0);
        directory.get("x")
    })
}

/// Returns the encrypted key with the bytes `old` replaced by `new`.
fn patched_key(old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut file = encrypted_key().to_vec();
    let at = file.windows(old.len()).position(|window| window == old).expect("the bytes are there");
    file[at..at + old.len()].copy_from_slice(new);
    file
}

/// Returns the rows for containers of other programs, and for passwords.
fn container_rows() -> Vec<MessageCase> {
    let misuse = |reason, line: &str, words, hint| row(reason, line, 2, words, hint);
    let input = |reason, line: &str, words, hint| row(reason, line, 3, words, hint);
    let password = |reason, line: &str, words, hint| row(reason, line, 5, words, hint).file_x(encrypted_key());
    // `setsid` removes the terminal, so the program cannot ask for a password.
    let alone = RunMethod::Shell("setsid -w $FNDSA");
    vec![
        misuse(
            "password_unused",
            "keygen --password-file a n",
            "a password is given, but --encrypt is not",
            "add --encrypt",
        ),
        misuse(
            "password_unused",
            "inspect k.key --password-file a",
            "--password-file is given, but no private key is encrypted",
            "fndsa passwd",
        ),
        misuse(
            "variable_not_set",
            "passwd k.key --new-password-env NOT_SET",
            "no variable with the given name is set",
            "password",
        ),
        misuse("no_such_form", "convert k.pub -o o --to pkcs8", "a public key has no PKCS#8 form", "raw or spki"),
        misuse("no_such_form", "convert a.sig -o o --to spki", "a signature has no SPKI form", "pem or raw"),
        misuse(
            "not_encryptable",
            "convert k.key -o o --to raw --encrypt",
            "fndsa cannot encrypt raw files",
            "only a PKCS#8 file",
        ),
        misuse("no_oid", "convert x -o o --to pkcs8", "FN-DSA-16 has no OID", "--oid").file_x(negative_vector(
            "sk_decode",
            "A16/ok",
            "sk",
        )),
        misuse(
            "oid_unused",
            "convert k.key -o o --to raw --oid 1.2.3",
            "--oid applies only to PKCS#8 and SPKI files",
            "leave --oid out",
        ),
        misuse("is_a_link", "passwd l --new-password-file a", "l: this is a symbolic link", "k.key")
            .how(RunMethod::After("ln -s k.key l")),
        misuse(
            "oid_algorithm",
            "convert k2.key -o o --to pkcs8 --oid 2.25.26821571210238037450600707390410676305",
            "the OID belongs to FN-DSA-512, but the key is FN-DSA-1024",
            "leave --oid out",
        ),
        input(
            "public_key_differs",
            "inspect x",
            "x: the public key in the file does not belong to the private key",
            "damaged",
        )
        .file_x({
            let key = der(4, &[&negative_vector("sk_decode", "A512/ok", "sk")]);
            der(0x30, &[&[2, 1, 1], &algorithm_identifier(), &key, &der(0x81, &[&[0; 898]])])
        }),
        misuse("not_in_place", "passwd -", "-: only a regular file can be changed in place", "-o FILE"),
        input("container", "inspect x", "x: a PKCS#8 private key that cannot be read: the DER is damaged", "section 7")
            .file_x("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"),
        input("unknown_oid", "inspect x", "with the unknown OID 1.2.3.4", "--algorithm")
            .how(RunMethod::After("$FNDSA convert -f k.pub -o x --to spki --oid 1.2.3.4")),
        input(
            "other_algorithm",
            "convert k.key -o o --to raw --algorithm fn-dsa-1024",
            "FN-DSA-512, not FN-DSA-1024",
            "leave",
        ),
        input(
            "not_encrypted",
            "passwd k.key --remove",
            "k.key: the private key has no password",
            "no change is necessary",
        ),
        input("encryption_cost", "sign -k x --password-file a b", "(N r p over 8388608)", "choose a lower cost")
            .file_x(patched_key(&[2, 2, 64, 0, 2, 1, 8, 2, 1, 8], &[2, 2, 64, 0, 2, 1, 127, 2, 1, 127])),
        input("unknown_encryption", "sign -k x --password-file a b", "", "scrypt or PBKDF2")
            .file_x(patched_key(&[0xda, 0x47, 4, 11], &[0xda, 0x47, 4, 12])),
        input(
            "password_unusable",
            "sign -k x --password-file /dev/zero b",
            "",
            "give a file with the password in its first line",
        )
        .file_x(encrypted_key()),
        password(
            "password_needed",
            "sign -k x b",
            "x: the private key is encrypted, and no password is given",
            "FNDSA_PASS",
        )
        .how(alone),
        password("password_needed", "keygen --encrypt n", "no new password is given", "or in FNDSA_PASSWORD")
            .how(alone),
        password("password_needed", "passwd k.key", "no new password is given", "--new-password-file").how(alone),
        password(
            "wrong_password",
            "sign -k x --password-file b b",
            "x: wrong password (from --password-file), or the file is damaged",
            "capital",
        ),
        row("passwords_differ", "keygen --encrypt n", 5, "the two passwords differ", "twice")
            .file_x("1\n2\n")
            .how(RunMethod::Typed),
    ]
}

/// Returns the rows for errors of the operating system.
fn system_rows() -> Vec<MessageCase> {
    let full = "no file was replaced: free some space, and try again";
    let io = |reason, line: &str, words, hint| row(reason, line, 4, words, hint);
    let size = RunMethod::Shell("ulimit -f 0; $FNDSA");
    vec![
        io("not_found", "inspect nosuch", "nosuch: no such file or directory", "check the name and the directory"),
        io("not_found", "verify -p k.pub nosuch", "nosuch: no such file or directory", "check the name"),
        io("is_a_directory", "inspect .", ".: is a directory", "give the name of a file"),
        io("not_a_directory", "inspect a/b", "a/b: not a directory", "a file in the path is used as a directory"),
        io("exists", "sign -k k.key a", "a.sig: exists already", "--force"),
        io(
            "exists",
            "keygen k",
            "k.key: a private key exists already",
            "choose another name; with --force, fndsa would destroy the old private key",
        ),
        io("changed_while_read", "sign -k k.key x", "x: changed while being read", "try again").how(RunMethod::Watched),
        io("no_directory", "man --dir nosuch", "nosuch: no such directory", "mkdir -p"),
        io("no_space", "sign -k k.key -o /dev/full b", "/dev/full: no space left on device", full),
        io("no_space", "pubkey -k k.key -o p", "p: disk quota exceeded", full)
            .how(RunMethod::Fault("fsync:error=EDQUOT")),
        io(
            "no_space",
            "inspect k.pub",
            "standard output: no space left on device",
            "the printed output is incomplete, but all files that fndsa wrote are complete",
        )
        .how(RunMethod::Shell("$FNDSA >/dev/full")),
        io("file_too_large", "sign -k k.key b", "b.sig: file too large", "").how(size),
        io("permission_denied", "sign -k k.key b", "b.sig: permission denied", "")
            .how(RunMethod::Fault("linkat,renameat2:error=EACCES")),
        io("read_only", "sign -k k.key b", "b.sig: read-only file system", "")
            .how(RunMethod::Fault("faccessat2:error=EROFS")),
        io("io_error", "sign -k k.key b", "b.sig: input/output error", "").how(RunMethod::Fault("fsync:error=EIO")),
        row(
            "self_test_failed",
            "--backend scalar selftest --rounds 0",
            6,
            "self test failed: 1 of 37 checks",
            "hardware",
        )
        .how(RunMethod::Fault("getrandom:error=EIO")),
        row("internal", "sign -k k.key b", 6, "", "").how(RunMethod::Fault("getrandom:error=EIO")),
    ]
}

/// Returns the rows for toy algorithms, which need `--allow-weak`.
fn toy_rows() -> Vec<MessageCase> {
    vec![
        row(
            "toy_degree",
            "keygen -a fn-dsa-16 n",
            2,
            "FN-DSA-16 is a toy algorithm without any security",
            "--allow-weak",
        ),
        row("toy_degree", "inspect x", 3, "x: FN-DSA-16 is a toy algorithm without any security", "--allow-weak")
            .file_x(negative_vector("sk_decode", "A16/ok", "sk")),
        mldsa::row_without_allow_weak(),
    ]
}

/// Reason codes that no row causes. For each code: why, and often the name of a test.
const CODES_WITHOUT_ROW: [(&str, &str); 7] = [
    ("bad_request", "an answer of `--stream`, which has no `--json`: `stream` writes such lines"),
    ("closed_pipe", "nobody reads it; `a_reader_that_goes_away_ends_quietly` looks at the exit code"),
    ("key_header", "the reader of files has looked at the first byte: `first_byte`"),
    ("key_length", "the reader of files has looked at the length: `wrong_length`"),
    ("key_norm", "no damage of a key does that; tests/import.rs makes such keys for the library"),
    ("tables_damaged", "`damaged` changes the program file for it"),
    ("key_refused", "for errors that the library does not have yet"),
];

/// Returns the error in a JSON document, or the last result if there is no error.
fn reported_error(document: &Value) -> &Value {
    match document.get("error") {
        Some(error) => error,
        None => document["results"].as_array().and_then(|all| all.last()).expect("a result"),
    }
}

fn check_row(row: &MessageCase) {
    let MessageCase { reason, line, code, words, hint, .. } = row;
    let (Some(text), Some(json)) = (row.run(""), row.run("--json")) else {
        return skip(reason, "this machine cannot provoke it");
    };
    let what = format!("`{line}` for {reason}: {text:?} {json:?}");
    if !matches!(row.how, RunMethod::Json) {
        assert_eq!(text.code, *code, "{what}");
        let texts = format!("{}{}", text.out, text.err);
        let words = words.rsplit(": ").next().unwrap();
        assert!(texts.contains(words), "{words:?} is not in the output of {what}");
        assert!(hint.is_empty() || texts.contains("hint: ") || texts.contains("tip: "), "no hint in {what}");
        // A verdict is on standard output, without the word `error`.
        if !line.starts_with("verify") && *code != 1 && *reason != "usage" {
            assert_eq!(texts.matches("error: ").count(), 1, "{what}");
        }
    }
    if words.starts_with("standard output: ") || matches!(row.how, RunMethod::Typed) {
        // Without standard output, or with typed input, `--json` cannot print a document.
        return;
    }
    assert_eq!(json.code, *code, "{what}");
    let document = json.json();
    let about = reported_error(&document);
    assert_eq!((&document["ok"], &document["exit_code"]), (&false.into(), &(*code).into()), "{what}");
    assert_eq!(about["reason"], *reason, "{what}");
    let message = about["message"].as_str().unwrap();
    // A usage error from clap has more text after the message.
    let whole = if *reason == "usage" { message.contains(words) } else { message.ends_with(words) };
    assert!(whole, "{words:?} ends not {message:?}: {what}");
    let row_hint = about.get("hint").and_then(Value::as_str);
    assert!(hint.is_empty() || row_hint.is_some_and(|row_hint| row_hint.contains(hint)), "{hint:?} is not in {what}");
    assert_eq!(json.err, "", "{what}");
}

/// Returns the rows of the catalogue, except [`toy_rows`]. They run with `--allow-weak`.
pub fn all_rows() -> Vec<MessageCase> {
    let here = [
        usage_rows(),
        messages_of_files::defect_rows(),
        messages_of_files::content_rows(),
        container_rows(),
        messages_of_verdicts::rows(),
        system_rows(),
    ];
    let elsewhere = [
        crate::classic::rows(),
        crate::composites::rows(),
        crate::ssh::rows(),
        crate::cms::rows(),
        crate::jose::rows(),
        crate::x509::rows(),
        crate::signed_parts::rows(),
        crate::external::rows(),
        crate::ssh_private::rows(),
        crate::allowed_signers::rows(),
        crate::dsse::rows(),
        crate::dsse_forms::rows(),
        crate::schemes::rows(),
        crate::mldsa::rows(),
        crate::convert::rows(),
        crate::foreign_forms::rows(),
        crate::bench::rows(),
        crate::accidents::rows(),
        crate::replaced::rows(),
        crate::doubtful::rows(),
        crate::descriptors::rows(),
        crate::habits::rows(),
        crate::keytext::rows(),
        crate::lists::rows(),
        crate::several::rows(),
        crate::directory_lists::rows(),
        crate::best_before::rows(),
        crate::inline::rows(),
        crate::other_formats::rows(),
    ];
    here.into_iter().chain(elsewhere).flatten().collect()
}

#[test]
fn every_message_has_its_words_its_codes_and_its_hint() {
    // A single run shows all rows that fail.
    let failed = Mutex::new(Vec::new());
    in_parallel(&all_rows(), |_, row| {
        if catch_unwind(AssertUnwindSafe(|| check_row(row))).is_err() {
            failed.lock().expect("no panic").push(format!("{}: `{}`", row.reason, row.line));
        }
    });
    let failed = failed.into_inner().expect("no panic");
    assert!(failed.is_empty(), "rows that differ, with their panics above:\n{}", failed.join("\n"));
}

#[test]
fn toys_are_rejected_with_a_hint() {
    for row in toy_rows() {
        let directory = TestDirectory::ready();
        directory.put("x", &row.x);
        directory.run(&row.line).code(row.code).err_has(row.words).err_has(row.hint);
        let json = directory.run(&format!("--json {}", row.line)).code(row.code).json();
        assert_eq!(reported_error(&json)["reason"], row.reason);
    }
}

#[test]
fn every_reason_code_has_rows_with_its_exit_codes() {
    let is_reachable = |code: &str| CODES_WITHOUT_ROW.iter().all(|(other, _)| *other != code);
    assert!(CODES_WITHOUT_ROW.iter().all(|(code, _)| reason_codes().contains_key(*code)));
    let documented = reason_codes().into_iter().filter(|(code, _)| is_reachable(code));
    let documented: BTreeSet<_> =
        documented.flat_map(|(code, exits)| exits.into_iter().map(move |exit| (code.clone(), exit))).collect();
    let rows = [all_rows(), toy_rows()].into_iter().flatten().map(|row| (row.reason.to_owned(), i64::from(row.code)));
    let provoked: BTreeSet<_> = rows.collect();
    let missing: Vec<_> = documented.difference(&provoked).collect();
    assert!(
        missing.is_empty(),
        "no row provokes these reason codes of docs/json.md with these exit codes: {missing:?}"
    );
    let gone: Vec<_> = provoked.difference(&documented).collect();
    assert!(gone.is_empty(), "docs/json.md does not have these reason codes with these exit codes: {gone:?}");
}
