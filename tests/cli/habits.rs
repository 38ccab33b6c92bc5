//! Tests for names and options from other tools that people use by mistake: the message or the hint
//! names the option or command of fndsa.

use crate::harness::TestDirectory;
use crate::messages::{MessageCase, RunMethod, row};
use std::fs;

/// Returns the rows about wrong names and options for the message catalogue in `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    let io = |reason, line: &str, words, hint| row(reason, line, 4, words, hint);
    vec![
        row(
            "no_such_backend",
            "inspect k.pub",
            2,
            "",
            "unset the variable FNDSA_BACKEND: without it, fndsa uses the fastest level",
        )
        .how(RunMethod::Shell("FNDSA_BACKEND=none $FNDSA")),
        row("usage", "verify -k k.pub a", 2, "unexpected argument '-k' found", "did you mean -p, --public-key FILE?"),
        row("usage", "verify --key k.pub a", 2, "unexpected argument '--key'", "did you mean -p, --public-key FILE?"),
        row("usage", "verify -p k.pub -m a", 2, "unexpected argument '-m'", "name the file without an option"),
        row("usage", "verify -p k.pub -x a.sig a", 2, "argument '-x'", "did you mean -s, --signature FILE?"),
        row("usage", "sign -s k.key a", 2, "unexpected argument '-s'", "did you mean -k, --key FILE?"),
        row("usage", "sign -K k.key a", 2, "unexpected argument '-K' found", "did you mean -k, --key FILE?"),
        row("usage", "sign --privkey k.key a", 2, "argument '--privkey' found", "did you mean -k, --key FILE?"),
        row(
            "usage",
            "keygen -a ml-dsa x",
            2,
            "no algorithm of this name",
            "choose one of ml-dsa-44, ml-dsa-65 and ml-dsa-87",
        ),
        row("usage", "verify -p k.pub -i a", 2, "unexpected argument '-i' found", "name the file without an option"),
        row("usage", "keygen -t rsa x", 2, "unexpected argument '-t' found", "did you mean -a, --algorithm NAME?"),
        row(
            "usage",
            "sign --detached -k k.key a",
            2,
            "argument '--detached' found",
            "without --attached, fndsa always writes",
        ),
        row(
            "usage",
            "verify --namespace file -p k.pub a",
            2,
            "argument '--namespace'",
            "did you mean --ssh NAMESPACE?",
        ),
        row("usage", "verify --CAfile x -p k.pub a", 2, "argument '--CAfile' found", "no certificate authorities"),
        row("usage", "verify -CAfile x a", 2, "", "fndsa trusts no certificate authorities"),
        row("usage", "request --days 3 k.key", 2, "argument '--days' found", "did you mean --self-signed DAYS?"),
        row("usage", "request -days 3 -key k.key", 2, "", "did you mean --self-signed DAYS?"),
        row("usage", "request -p k.pub --subject CN=x", 2, "argument '-p' found", "the private key of this key pair"),
        row("usage", "sign -inkey k.key a", 2, "unexpected argument '-inkey' found", "did you mean -k, --key FILE?"),
        row("usage", "sign -signer x -k k.key a", 2, "argument '-signer' found", "did you mean --cert FILE?"),
        row(
            "usage",
            "verify --ssh file --allowed-signers x -signer y a",
            2,
            "unexpected argument '-signer' found",
            "long options have two dashes; did you mean --signer <NAME>?",
        ),
        row(
            "usage",
            "verify -p k.pub -signature a.sig a",
            2,
            "argument '-signature' found",
            "did you mean --signature",
        ),
        row(
            "usage",
            "verify -p k.pub -s a.sig -signature=a.sig a",
            2,
            "argument '-signature' found",
            "long options have two dashes",
        ),
        row("usage", "verify -public k.pub a", 2, "argument '-public' found", "did you mean --public-key <FILE>?"),
        row("usage", "sign -k k.key -context x a", 2, "argument '-context' found", "did you mean --context <TEXT>?"),
        row("usage", "sign -key k.key a", 2, "argument '-key' found", "did you mean --key <FILE>?"),
        row("usage", "sign -k k.key -force a", 2, "argument '-force' found", "did you mean --force?"),
        row("usage", "sign -k k.key -out x a", 2, "argument '-out' found", "did you mean -o, --output FILE?"),
        row("usage", "verify -p k.pub --cms -content a a.p7s", 2, "argument '-content' found", "name the file without"),
        row("usage", "verify -p k.pub --cms --mu a", 2, "cannot be used with '--mu'", "and give the message as FILE"),
        row("usage", "verify -p k.pub --jws -M a", 2, "cannot be used with '--list <FILE>'", "give the list as FILE"),
        row(
            "usage",
            "sign -k k.key --cms --mu a",
            2,
            "cannot be used with '--mu'",
            "give the raw signature with --signature",
        ),
        row(
            "usage",
            "sign -p k.pub --print-mu --format raw a",
            2,
            "cannot be used with '--format <FORMAT>'",
            "as in --print-mu=raw",
        ),
        row("usage", "inspect --fingerprint k.pub", 2, "argument '--fingerprint' found", "`fndsa inspect FILE` prints"),
        row("usage", "keygen --password hunter2 x", 2, "argument '--password' found", "--password-file FILE"),
        row("usage", "version", 2, "unrecognized subcommand 'version'", "`fndsa --version` prints the version"),
        row("usage", "list-algorithms", 2, "subcommand 'list-algorithms'", "`fndsa help algorithms` lists"),
        row(
            "usage",
            "keygen -a dilithium3 x",
            2,
            "dilithium3",
            "the standard name of Dilithium3 is ml-dsa-65: use this name",
        ),
        row(
            "not_found",
            "verify -p k.pub -M x",
            4,
            "x.sig: no such file or directory",
            "put the signature file next to the signed file",
        )
        .file_x("x"),
        row("usage", "convert k.pub --format pem -o x", 2, "argument '--format' found", "did you mean --to FORMAT"),
        row("usage", "keygen --expires 2030-01-01 x", 2, "argument '--expires' found", "`not-after: YYYY-MM-DD`"),
        row("usage", "sign --expire 2030-01-01 a", 2, "argument '--expire' found", "did you mean --best-before"),
        row("usage", "verify -p k.pub -r d", 2, "unexpected argument '-r' found", "-M LIST -C DIR"),
        row("usage", "revoke k.pub", 2, "unrecognized subcommand 'revoke'", "docs/rotation.md"),
        row("usage", "export k.key", 2, "unrecognized subcommand 'export'", "`fndsa pubkey -k FILE`"),
        row("usage", "trust k.pub", 2, "unrecognized subcommand 'trust'", "`fndsa verify -p FILE`"),
        row(
            "usage",
            "verify -p k.pub --strict a",
            2,
            "'--strict' cannot be used with",
            "name the list with --list LIST",
        ),
        row("usage", "keygen -n 0 x", 2, "'--count <N>': expected a number from 1 to 4294967295", ""),
        row("usage", "keygen -n x x", 2, "'--count <N>': expected a number from 1 to 4294967295", ""),
        row("usage", "sign -j 99999999999999999999 x", 2, "'--jobs <N>': expected a number from 1 to 1024, or all", ""),
        row("usage", "selftest --rounds -1", 2, "unexpected argument '-1'", ""),
        row("usage", "selftest --rounds 1e3", 2, "'--rounds <N>': expected a number from 0 to 1000000", ""),
        row("usage", "bench --samples 2", 2, "'--samples <N>': expected a number from 3 to 100000", ""),
        row("usage", "bench --message-size 2G", 2, "from 0 to 1073741824, with or without K, M or G", ""),
        row("usage", "testvectors --count 0", 2, "'--count <N>': expected a number from 1 to 1000000", ""),
        row(
            "wrong_kind",
            "verify -p k.pub a.sig",
            3,
            "a.sig: this is a signature, not the file that was signed",
            "name the signed file instead: a; if the signed file has another name, give that name and add -s a.sig",
        ),
        row(
            "swapped",
            "verify -p k.pub -s a a.sig",
            3,
            "a: this is not a signature, but a.sig is a signature",
            "swap the two names: a is the file, and a.sig is the signature",
        ),
        row(
            "output_is_input",
            "sign -k k.key a a.sig b",
            2,
            "a.sig: this file is to be signed, but the new signature of a would replace it",
            "leave the *.sig files out",
        ),
        io("not_found", "verify -p k.pub b", "b.sig: no such file or directory", "-s FILE"),
        io("not_found", "verify -p k.pub -s nosuch b", "nosuch: no such file or directory", "check the name"),
        io("is_a_directory", "verify -p k.pub .", ".: is a directory", "give the name of a file"),
        io("is_a_directory", "sign -k k.key .", ".: is a directory", "-M SHA256SUMS -r ."),
        io("is_a_directory", "sign -k k.key -M m ./d", "d: is a directory", "use -r ./d")
            .how(RunMethod::After("mkdir d")),
        io("no_directory", "keygen nosuch/n", "nosuch: no such directory", "mkdir -p"),
        io("no_directory", "sign -k k.key -o nosuch/s a", "nosuch: no such directory", "mkdir -p"),
    ]
}

/// An option without the option that it requires, such as `-r` without `-M`, is an error. fndsa
/// must check this itself, because clap ignores the requirement if the required option conflicts
/// with an argument.
#[test]
fn an_option_without_the_option_that_it_needs_is_an_error() {
    let directory = TestDirectory::ready();
    fs::create_dir(directory.path("d")).expect("a directory");
    directory.put("d/x", b"x");
    let names_before = directory.names();
    for line in [
        "sign -k k.key -r d -o x.sig",
        "sign -k k.key -r d --dsse text/plain",
        "sign -k k.key -r d --add",
        "sign -p k.pub --print-mu -r d",
        "sign -k k.key --best-before 2030-01-01 -o x.sig b",
        "sign -k k.key --best-before 2030-01-01 --dsse text/plain b",
        "sign -k k.key --comment text -o x.sig b",
        "sign -k k.key --inline -o x.sig b",
        "sign -k k.key --inline --add a",
        "verify -p k.pub --strict --dsse text/plain",
        "verify -p k.pub --ignore-missing --attached a",
        "verify -p k.pub -C d --attached a",
    ] {
        directory.run(line).code(2);
        assert_eq!(directory.names(), names_before, "{line}");
    }
    directory.run("sign -k k.key -r d -o x.sig").code(2).err_has("--list <FILE>");
    directory.run("sign -k k.key --best-before 2030-01-01 -o x.sig a").code(2).err_has("--list <FILE>");
    directory.run("verify -p k.pub -o x a").code(2).err_has("--attached");
    directory.run("--json sign -k k.key -r d -o x.sig").code(2).out_has("\"usage\"");
    // The tip in the error names both options: the given option, and the option that it requires.
    for (line, tip) in [
        ("sign -k k.key -r d", "--recursive cannot be used without --list <FILE>"),
        ("sign -k k.key --comment x b", "--comment cannot be used without --list <FILE>"),
        ("sign -k k.key --inline b", "--inline cannot be used without --list <FILE>"),
        ("sign -k k.key --best-before 2030-01-01 b", "--best-before cannot be used without --list <FILE>"),
        ("sign -p k.pub b", "to sign, give the private key with -k FILE"),
        ("verify -p k.pub -C . a", "--directory cannot be used without --list <FILE>"),
        ("verify -p k.pub a -o x", "the file itself is the message; --output cannot be used without <"),
    ] {
        directory.run(line).code(2).err_has(tip);
        let document = directory.run(&format!("--json {line}")).code(2).json();
        assert!(document["error"].to_string().contains(tip), "{line}: {document}");
    }
}
