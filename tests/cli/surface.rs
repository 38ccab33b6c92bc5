//! Tests for usage errors, help, option aliases, `pubkey`, raw and PEM files, `quickstart`, and the
//! size of the stack.

use crate::harness::{COMMANDS, TestDirectory, skip};

#[test]
fn usage_errors_are_printed_to_standard_error() {
    let directory = TestDirectory::ready();
    for line in ["", "sgin", "sign", "sign -k k.key", "verify", "verify -p k.pub", "keygen", "pubkey -z", "--nosuch"] {
        let output = directory.run(line).code(2).out_empty();
        assert!(!output.err.is_empty(), "{line}");
    }
    directory.run("sgin").err_has("similar subcommand").err_has("sign");
    directory.run("verify --signatur a.sig a").err_has("--signature");
    directory.run("verify -p k.pub").err_has("FILE");
}

#[test]
fn help_and_version_are_printed_to_standard_output() {
    let directory = TestDirectory::empty();
    directory.run("--version").code(0).out_has(concat!("fndsa ", env!("CARGO_PKG_VERSION"))).err_empty();
    directory.run("--help").code(0).out_has("Exit codes").err_empty();
    for command in COMMANDS {
        directory.run("--help").out_has(command);
        directory.run(&format!("{command} --help")).code(0).out_has("Usage: fndsa").out_has("--allow-weak").err_empty();
        directory.run(&format!("help {command}")).code(0).out_has("Usage: fndsa");
    }
}

/// fndsa accepts option names from other tools, but the help does not list them.
#[test]
fn other_names_of_options_are_accepted() {
    let directory = TestDirectory::ready();
    directory.run("sign --secret-key k.key -o s a").code(0);
    directory.run("verify --pubkey k.pub --sig s a").code(0);
    directory.run("pubkey --secret-key k.key").code(0);
    directory.run("sign --pubkey k.pub --print-mu a").code(0);
    for command in ["sign", "verify", "pubkey"] {
        let help = directory.run(&format!("{command} --help")).code(0).out;
        assert!(!["--secret-key", "--pubkey", "--sig "].iter().any(|name| help.contains(name)), "{command}");
    }
}

#[test]
fn commands_to_paste_run_for_names_that_begin_with_a_dash() {
    let directory = TestDirectory::ready();
    let output = directory.call("--allow-weak keygen -a fn-dsa-16 -- -x").run().code(0);
    let printed_command = |start: &str| {
        let command = output.err.lines().find_map(|line| line.strip_prefix(start));
        let command = command.unwrap_or_else(|| panic!("{output:?}"));
        command.trim().replace(" FILE", " a").replacen(crate::harness::FNDSA, "$FNDSA --allow-weak", 1)
    };
    directory.sh(&printed_command("sign with").replace("sign", "sign -f")).code(0);
    directory.sh(&printed_command("verify with")).code(0).out_has("a: OK");
    let output = directory.call("--allow-weak keygen -a fn-dsa-16 --output=-y").run().code(0);
    assert!(output.err.contains("pubkey -k ./-y -o FILE"), "{output:?}");
    directory.put("-z", "z\n");
    directory.call("sign -f -k k.key --output=-z.sig -- -z").run().code(0);
    directory.call("verify -p k.pub -- -z.sig").run().code(3).err_has(
        "name the signed file instead: ./-z; if the signed file has another name, give that name and add -s ./-z.sig",
    );
}

#[test]
fn sizes_may_have_units() {
    let directory = TestDirectory::ready();
    let bytes = |size: &str| {
        let line = format!("--json bench -a 512 -t 0.001 --samples 3 --message-size {size} verify");
        directory.run(&line).code(0).json()["results"][0]["message_bytes"].as_u64().unwrap()
    };
    assert_eq!((bytes("100"), bytes("2K"), bytes("1M")), (100, 2048, 1 << 20));
}

#[test]
fn pubkey_writes_the_public_key() {
    let directory = TestDirectory::ready();
    assert_eq!(directory.run("pubkey k.key").code(0).err_empty().stdout, directory.get("k.pub"));
    directory.run("pubkey k.key -k k2.key").code(2).err_has("cannot be used with");
    directory.run("pubkey k.pub").code(3).err_has("give the private key of this key pair, usually NAME.key");
    directory.call("pubkey").env("FNDSA_KEY", "k.key").run().code(0);
    for key in ["k", "k2"] {
        let output = directory.run(&format!("pubkey -k {key}.key")).code(0).err_empty();
        assert_eq!(output.stdout, directory.get(format!("{key}.pub")));
        directory.run(&format!("pubkey -k {key}.key -o {key}.out")).code(0).out_empty();
        assert_eq!(directory.get(format!("{key}.out")), directory.get(format!("{key}.pub")));
    }
}

#[test]
fn raw_and_pem_have_the_same_content() {
    let directory = TestDirectory::ready();
    for (algorithm, lens) in [("512", [1345, 897, 666]), ("1024", [2369, 1793, 1280])] {
        directory.run(&format!("keygen -f --format raw -a {algorithm} r")).code(0);
        directory.run("sign -f --format raw -k r.key -o r.sig a").code(0);
        for (name, len) in ["r.key", "r.pub", "r.sig"].iter().zip(lens) {
            assert_eq!(directory.get(name).len(), len, "{name}");
            directory.run(&format!("inspect {name}")).code(0).out_has(&format!("raw, {len} bytes"));
        }
        assert_eq!(directory.mode("r.key"), 0o600);
        directory.run("verify -p r.pub -s r.sig a").code(0);
        directory.run("pubkey -f -k r.key -o p.pub").code(0);
        directory.run("verify -p p.pub -s r.sig a").code(0);
        directory.run("sign -f -k r.key -o p.sig a").code(0);
        directory.run("verify -p r.pub -s p.sig a").code(0);
        assert_eq!(directory.run("pubkey --format raw -k r.key").code(0).stdout, directory.get("r.pub"));
        directory.run("inspect p.pub").code(0).out_has("PEM \"FNDSA PUBLIC KEY\"");
    }
}

#[test]
fn key_files_can_have_any_names() {
    let directory = TestDirectory::ready();
    directory.run("keygen -o x -p y").code(0);
    directory.run("inspect x y").code(0).out_has("a key pair");
    assert_eq!(directory.mode("x"), 0o600);
    directory.run("keygen -o only").code(0).err_has("pubkey -k only");
    directory.run("keygen n.v1").code(0);
    assert!(directory.has("n.v1.key") && directory.has("n.v1.pub"));
    directory.sh("$FNDSA keygen m -p - >m2.pub && $FNDSA inspect m.key m2.pub").code(0).out_has("a key pair");
}

#[test]
fn the_commands_of_quickstart_work_when_pasted() {
    let directory = TestDirectory::ready();
    for (file, made) in [("a", "fndsa-quickstart"), ("sp ace's", "fndsa-quickstart-2"), ("-x", "fndsa-quickstart-3")] {
        directory.put(file, "hello\n");
        let output = directory.call("quickstart --").arg(file).run().code(0).err_empty();
        assert_eq!((directory.path(made).is_dir(), directory.mode(made)), (true, 0o700));
        assert!(output.out.contains("OK") && output.out.contains("FAILED"), "{}", output.out);
        let start = output.out.find("ordinary commands").unwrap();
        let commands: Vec<_> = output.out[start..].lines().filter(|line| line.starts_with("  ")).collect();
        assert_eq!(commands.len(), 4, "{}", output.out);
        let codes: Vec<_> = commands.iter().map(|line| directory.sh(line).code).collect();
        assert_eq!(codes, [0, 0, 0, 1], "{commands:?}");
        let json = directory.run(&format!("--json inspect {made}/demo.key {made}/demo.pub")).code(0).json();
        assert_eq!(json["pairs"][0]["match"], true);
        assert_eq!(directory.mode(&format!("{made}/demo.key")), 0o600);
    }
    let names = directory.names();
    directory.run("quickstart nosuch").code(4);
    directory.sh("cat a | $FNDSA quickstart /dev/stdin").code(4).err_has("a FIFO, not a regular file");
    directory.sh("$FNDSA quickstart /dev/null").code(4).err_has("not a regular file");
    assert_eq!(directory.names(), names);
}

#[test]
fn a_failed_quickstart_leaves_no_files() {
    let directory = TestDirectory::ready();
    let names = directory.names();
    directory.sh("$FNDSA quickstart a >/dev/full").code(4).err_has("no space left");
    assert_eq!(directory.names(), names);
    for fault in ["linkat:error=EIO:when=1", "linkat:error=EIO:when=3", "fsync:error=ENOSPC:when=2"] {
        let Some(output) = directory.traced(&format!("-o /dev/null -e inject={fault}"), "quickstart a") else {
            return skip("faults in a quickstart", "strace does not work");
        };
        output.code(4);
        assert_eq!(directory.names(), names, "{fault}");
    }
}

/// The commands work with the stack size that the manual names.
#[test]
fn a_small_stack_is_enough() {
    if cfg!(debug_assertions) {
        return skip("64 KiB of stack", "the program is not built as it is shipped");
    }
    let directory = TestDirectory::ready();
    for line in
        ["keygen -a 1024 n", "sign -k k2.key b", "verify -p k.pub a", "verify -p k2.pub b", "inspect k2.key", "--help"]
    {
        directory.sh(&format!("ulimit -s 64 && $FNDSA {line}")).code(0);
    }
}
