//! Tests for users who pass the text of a key where an argument expects a file name: fndsa rejects
//! the value, changes no files, and does not print any part of the key.
//!
//! The tests read the options from the completions for fish, and the variables from the help. So
//! the tests cover a new option or variable without a change to this file. Other tests check that
//! the completions are up to date.

use crate::harness::{FNDSA, ProgramCall, ProgramOutput, TestDirectory, body, in_parallel, long};
use crate::messages::{MessageCase, RunMethod, row};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

/// The number of consecutive secret bytes in the output that counts as a leak.
const LEAK_LEN: usize = 12;
const PASSWORD: &str = "correct-horse-battery-staple";
/// The variable that contains a password itself, and not a file name.
const SECRET_VARIABLE: &str = "FNDSA_PASSWORD";
/// Options that accept any text, for example a digest.
const FREE_TEXT_OPTIONS: [&str; 4] = ["--context", "-c", "--context-hex", "--expect-key"];

/// Returns the rows about key text for the message catalogue in `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    let shell = |line| RunMethod::Shell(line);
    vec![
        row("key_as_name", "sign a", 2, "FNDSA_KEY contains the text of a private key, not a file name", "FNDSA_KEY")
            .how(shell("FNDSA_KEY=\"$(cat k.key)\" $FNDSA")),
        row("key_as_name", "verify a", 2, "contains the text of a PEM file, not a file name", "write the public key")
            .how(shell("FNDSA_PUBLIC_KEY=\"$(cat k.pub)\" $FNDSA")),
        row("key_as_name", "verify a", 2, "contains the text of a PEM file, not a level", "--version")
            .how(shell("FNDSA_BACKEND=\"$(cat k.pub)\" $FNDSA")),
        row("key_as_name", "sign a", 2, "--key-env contains the text of a private key, not the name of a variable", "")
            .how(shell("$FNDSA --key-env \"$(cat k.key)\"")),
        row(
            "key_as_name",
            "sign a",
            2,
            "an argument contains the text of a PEM file, not a file name",
            "write the text to a file",
        )
        .how(shell("$FNDSA $(cat k.key)")),
        row(
            "key_as_name",
            "sign a",
            2,
            "-k contains a text that looks like a key or a seed, not a file name",
            "./NAME",
        )
        .how(shell("$FNDSA -k 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff")),
        row(
            "key_as_name",
            "sign a",
            2,
            "-a contains a text longer than any file name, not the value of this option",
            "check the file name; if the text is a private key",
        )
        .how(shell("$FNDSA -a $(printf %300d 0 | tr ' ' 0 | sed s/0/x/g)")),
        row("key_as_name", "sign a", 2, "an argument contains bytes that look like a key, not a file name", "./NAME")
            .how(shell("$FNDSA \"$(printf '\\301\\001%24s' x)\"")),
        row(
            "name_list",
            "sign -k k.key --files-from k.key",
            3,
            "k.key: name 2 looks like the text of a key",
            "write each file name on a separate line; if each name ends with a NUL byte, add -0",
        ),
    ]
}

/// Reads the completions for fish. Returns the commands with their options. An option is (name,
/// whether it has a value).
fn command_options() -> BTreeMap<String, Vec<(String, bool)>> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("completions/fndsa.fish")).unwrap();
    let mut found: BTreeMap<String, Vec<(String, bool)>> = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with("complete -c fndsa -n \"__fish_fndsa_using_subcommand ")) {
        let mut words = line.split(['"', ' ']).filter(|word| !word.is_empty()).skip(5);
        let command = words.next().unwrap().trim_end_matches(';');
        let words: Vec<_> = words.collect();
        let names = words.windows(2).filter_map(|two| match two {
            ["-s", short] => Some(format!("-{short}")),
            ["-l", long] => Some(format!("--{long}")),
            _ => None,
        });
        // An option's description can also contain `-s` or `-l`. Such a word only adds a test case.
        let of_command = found.entry(command.to_owned()).or_default();
        of_command.extend(names.map(|name| (name, words.contains(&"-r"))));
    }
    assert!(found.len() > 10 && found["sign"].contains(&("--key-env".to_owned(), true)), "{found:?}");
    assert!(found["sign"].contains(&("-k".to_owned(), true)) && found["sign"].contains(&("--force".to_owned(), false)));
    found
}

/// Returns the variables in the help of five commands, for example `FNDSA_KEY`.
fn help_variables() -> BTreeSet<String> {
    let help = |row: &str| ProgramCall::new(FNDSA, Path::new("/")).arg(row).arg("--help").run().code(0).out;
    let text: String = ["sign", "verify", "keygen", "passwd", "bench"].map(help).concat();
    let words = text.split(|c: char| !c.is_ascii_uppercase() && c != '_');
    let found: BTreeSet<_> = words.filter(|word| word.starts_with("FNDSA_")).map(str::to_owned).collect();
    assert!(found.contains("FNDSA_KEY") && found.contains("FNDSA_BACKEND"), "{found:?}");
    found
}

/// A form of a secret that the test passes as an argument. `is_pem` is true if the form contains a
/// BEGIN line.
struct LeakedArgument {
    what: &'static str,
    value: OsString,
    is_pem: bool,
}

/// The files for all test cases, the secrets in all forms (`leaked_arguments`), and all pieces of
/// [`LEAK_LEN`] bytes of the secrets.
struct KeyTextFixture {
    directory: TestDirectory,
    leaked_arguments: Vec<LeakedArgument>,
    pieces: HashSet<[u8; LEAK_LEN]>,
}

impl KeyTextFixture {
    /// Creates the files, and the key in all its forms.
    fn new() -> Self {
        let directory = TestDirectory::ready();
        directory.put("s", "00112233445566778899aabbccddeeff0f1e2d3c4b5a69788796a5b4c3d2e1f0");
        directory.run("convert k.key -o k.der --to pkcs8-der").code(0);
        directory.run("convert k.key -o k.raw --to raw").code(0);
        directory.call("passwd -o locked.key k.key --new-password-env P").env("P", PASSWORD).run().code(0);
        let (pem, seed) = (directory.text("k.key"), directory.text("s"));
        let (der, raw) = (directory.get("k.der"), directory.get("k.raw"));
        let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
        let seed_bytes: Vec<u8> = (0..32).map(|i| u8::from_str_radix(&seed[2 * i..][..2], 16).unwrap()).collect();
        // The shell drops NUL bytes.
        let in_shell = |bytes: &[u8]| bytes.iter().copied().filter(|b| *b != 0).collect::<Vec<u8>>();
        let forms: Vec<(_, Vec<u8>)> = vec![
            ("PEM", pem.clone().into()),
            ("PEM on one line", pem.replace('\n', " ").into()),
            ("PEM with \\n", pem.replace('\n', "\\n").into()),
            ("base64", body(&pem).into()),
            ("a line of base64", body(&pem)[64..128].into()),
            ("base64 of PEM", STANDARD.encode(&pem).into()),
            ("hexadecimal", hex(&raw).into()),
            ("raw", in_shell(&raw)),
            ("DER", in_shell(&der)),
            ("seed", seed.clone().into()),
            ("seed in base64", STANDARD.encode(&seed_bytes).into()),
        ];
        let mut pieces = HashSet::new();
        let mut add = |bytes: &[u8]| {
            pieces.extend(bytes.windows(LEAK_LEN).map(|piece| <[u8; LEAK_LEN]>::try_from(piece).unwrap()))
        };
        for bytes in
            [&raw[..], &in_shell(&raw), &der[40..], &in_shell(&der[40..]), &seed_bytes, &body(&pem).into_bytes()]
        {
            add(bytes);
            add(hex(bytes).as_bytes());
            add(hex(bytes).to_uppercase().as_bytes());
            (0..3).for_each(|skip| add(STANDARD.encode(&bytes[skip..]).as_bytes()));
            let octal = |b: &u8| if b.is_ascii_graphic() { char::from(*b).to_string() } else { format!("\\{b:03o}") };
            add(bytes.iter().map(octal).collect::<String>().as_bytes());
            add(&String::from_utf8_lossy(bytes).into_owned().into_bytes());
        }
        add(STANDARD.encode(&pem).as_bytes());
        add(seed.as_bytes());
        add(PASSWORD.as_bytes());
        let is_pem = |value: &[u8]| value.windows(10).any(|window| window == b"-----BEGIN");
        let leaked_arguments = forms.into_iter().map(|(what, value)| LeakedArgument {
            what,
            is_pem: is_pem(&value),
            value: OsString::from_vec(value),
        });
        Self { leaked_arguments: leaked_arguments.collect(), directory, pieces }
    }

    /// Checks that the output does not contain any piece of the secret.
    fn assert_no_secret(&self, output: &ProgramOutput, what: &str) {
        for stream in [&output.stdout[..], output.err.as_bytes()] {
            let found = stream.windows(LEAK_LEN).find(|piece| self.pieces.contains(*piece));
            // The failure message contains the output and therefore shows the leak.
            assert!(found.is_none(), "{what}: {}", String::from_utf8_lossy(stream));
        }
    }

    /// Prepares a call to `fndsa` with the keys in environment variables.
    fn call(&self) -> ProgramCall {
        ProgramCall::new(FNDSA, self.directory.root()).env("FNDSA_KEY", "k.key").env("FNDSA_PUBLIC_KEY", "k.pub")
    }
}

/// Returns the arguments that a command needs in addition to the tested argument.
fn other_arguments(command: &str) -> &'static str {
    match command {
        "keygen" => "n",
        "sign" => "b",
        "verify" => "a",
        "inspect" => "k.pub",
        "convert" => "k.key -o o --to pem",
        "passwd" => "locked.key",
        "bench" => "-t 0.001 -w 0 -a 512 verify",
        "selftest" => "--rounds 0",
        "testvectors" => "--count 1",
        "completions" => "bash",
        "quickstart" => "a",
        _ => "",
    }
}

#[test]
fn key_text_in_an_option_is_not_printed() {
    let case = KeyTextFixture::new();
    let names_before = case.directory.names();
    let mut calls: Vec<(String, Vec<OsString>, bool, &LeakedArgument)> = Vec::new();
    for (command, options) in command_options() {
        for spill in &case.leaked_arguments {
            let mut push = |what: &str, arguments: &[&str], attached: Option<&str>, code| {
                let mut arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
                match attached {
                    None => arguments.push(spill.value.clone()),
                    Some(option) => {
                        let mut whole = OsString::from(option);
                        whole.push(&spill.value);
                        arguments.push(whole);
                    }
                }
                calls.push((format!("{command} {what} with {}", spill.what), arguments, code, spill));
            };
            push("argument", &[&command], None, true);
            push("argument after --", &[&command, "--"], None, true);
            push("option", &[&command], Some("--"), true);
            for (option, takes) in &options {
                let refused = spill.is_pem || !FREE_TEXT_OPTIONS.contains(&option.as_str());
                let attached = if option.starts_with("--") { format!("{option}=") } else { option.clone() };
                if *takes {
                    push(option, &[&command, option], None, refused);
                }
                if !takes || spill.what == "base64" {
                    push(&attached, &[&command], Some(&attached), refused);
                }
            }
        }
    }
    assert!(calls.len() > 1000);
    in_parallel(&calls, |i, (what, arguments, refused, _)| {
        // To save time, the short form tests each call with only one of the two output formats.
        for json in [false, true].into_iter().filter(|json| long() || *json == (i % 2 == 0)) {
            let (command, others) = arguments.split_first().unwrap();
            let mut call = case.call().arg(command).args(if json { "--json" } else { "-v" });
            if others.first().is_none_or(|first| first != "--") {
                call = call.args(other_arguments(command.to_str().unwrap()));
            }
            if *refused {
                let output = others.iter().fold(call, ProgramCall::arg).run();
                case.assert_no_secret(&output, what);
                assert_eq!(output.code, 2, "{what}: {}{}", output.out, output.err);
            }
        }
    });
    assert_eq!(case.directory.names(), names_before);
}

#[test]
fn key_text_in_a_variable_is_not_printed() {
    let case = KeyTextFixture::new();
    let names = help_variables();
    let tries: Vec<_> = command_options()
        .into_keys()
        .flat_map(|command| names.iter().map(move |name| (command.clone(), name)))
        .collect();
    in_parallel(&tries, |i, (command, name)| {
        for (j, spill) in case.leaked_arguments.iter().enumerate() {
            let call = ProgramCall::new(FNDSA, case.directory.root())
                .arg(command)
                .args(other_arguments(command))
                .arg("--allow-weak");
            let call = if (i + j) % 2 == 0 { call.arg("--json") } else { call };
            let output = call.env(name, &spill.value).run();
            case.assert_no_secret(&output, &format!("{command} with {} in {name}", spill.what));
            if *name == "FNDSA_BACKEND" {
                assert_eq!(output.code, 2, "{command}: {}{}", output.out, output.err);
            }
            assert!(output.code != 6, "{command}: {}{}", output.out, output.err);
        }
    });
    for (command, name) in [("sign b", "FNDSA_KEY"), ("pubkey", "FNDSA_KEY"), ("verify a", "FNDSA_PUBLIC_KEY")] {
        for spill in &case.leaked_arguments {
            case.directory.call(command).env(name, &spill.value).run().code(2).err_has(name);
        }
    }
    assert!(!case.directory.has("b.sig"));
}

/// `sign --key-env FNDSA_KEY` accepts a key in this variable, and `verify` ignores the variable.
#[test]
fn a_key_in_the_variable_for_its_file_name_is_used_and_reported() {
    let directory = TestDirectory::ready();
    let key = directory.text("k.key");
    let signed = directory.call("sign --key-env FNDSA_KEY b").env("FNDSA_KEY", &key).run().code(0);
    assert!(!signed.err.contains("FNDSA_KEY is ignored"), "{}", signed.err);
    directory.call("verify -p k.pub b").env("FNDSA_KEY", &key).run().code(0);
}

#[test]
fn a_password_in_an_option_is_not_printed() {
    let case = KeyTextFixture::new();
    let locked = "locked.key";
    for line in [
        "sign -k locked.key b",
        "pubkey -k locked.key -o p",
        "inspect locked.key",
        "convert locked.key -o o --to pem",
        "passwd locked.key",
        "keygen --encrypt n",
        "passwd k.key",
        "convert k.key --encrypt --to pkcs8 -o o",
        "keygen --insecure-deterministic n",
    ] {
        let new = if line.contains(locked) || line.starts_with("keygen") { "" } else { "new-" };
        let options = match line.contains("deterministic") {
            true => vec!["--seed-file".to_owned()],
            false => vec![format!("--{new}password-file"), format!("--{new}password-env")],
        };
        for option in &options {
            for json in ["", "--json"] {
                let output = case.call().args(json).args(line).arg(option).arg(PASSWORD).run();
                case.assert_no_secret(&output, line);
                assert!(
                    output.code != 0 && format!("{}{}", output.out, output.err).contains(option),
                    "{line}: {output:?}"
                );
            }
        }
    }
    for name in help_variables().iter().filter(|name| *name != SECRET_VARIABLE && name.contains("PASSWORD")) {
        let output = case.call().args("sign -k locked.key b").env(name, PASSWORD).run().code(4);
        case.assert_no_secret(&output, name);
        output.err_has(&format!("{name}: there is no file with the given name"));
    }
}

/// Digests, contexts and long hexadecimal names are not key text.
#[test]
fn digests_are_not_key_text() {
    let directory = TestDirectory::ready();
    let digits = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    directory.put(digits, "a blob");
    fs::create_dir(directory.path("blobs")).unwrap();
    directory.put(format!("blobs/{digits}"), "a blob");
    directory
        .run(&format!("-q sign -k k.key {digits} blobs/{digits} --context-hex {digits}{digits}"))
        .code(0)
        .err_empty();
    directory
        .run(&format!("verify -p k.pub {digits} blobs/{digits} --context-hex {digits}{digits}"))
        .code(0)
        .out_has(digits);
    directory.run(&format!("sign -k k.key -c {digits} a -f")).code(0);
    directory.run(&format!("keygen ./{}", &digits[..63])).code(0);
    directory.run(&format!("inspect ./{}1", &digits[..63])).code(4).err_has(&digits[..63]);
    directory.run(&format!("verify -p k.pub a -c {digits} --expect-key sha256:{digits}")).code(1);
}
